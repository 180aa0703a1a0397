"""The torch form (SPEC 6.9).  By hand: a draft, and what becomes of it, in the
versions of releases that had a canonicalize.  PyTorch's own: the smallest of the
made-up programs of corpora/synthetic.tar.xz, with what each release made of them.
"""

import copy
import json
import os
import tarfile

from format.plain import Misfit, Printer, Reader
from format.writer import Writer
from generate.canon.forms import (ANY, LATEST, Forms, names_in, op, program, renamed, reordered,
                                  subgraph)
from format.document import Document
from format.history import ORDER, ROOT, VERSIONS
from generate.migrate.migrations import changed, kinds, put as drafted, written
from generate.suite import change_between
from generate.whole import (GRAPH, NODES, SIGNATURE, Draft, buffer, call, custom_obj, entry, meta,
                            parameter, place_of, spec, sym_bool, sym_int, tensor, tensors, tree_of,
                            user_input, user_output)

HERE = os.path.dirname(os.path.abspath(__file__))
RELEASES = ("5.1", "5.3", "7.3", "8.2", "8.7", LATEST)  # 2.3, 2.4, 2.5, 2.6, 2.7, 2.12 on
FEW = ("5.1", "7.3", LATEST)
OLD = ("1-2023-08", "1")
SYM = (*ANY, "as_sym_ints", "as_sym_float", "as_sym_bools", "as_sym_floats")


def torched(draft):
    """A draft with the names that 6.9.9 gives in its order, its tables by text."""
    names = names_in(draft.data["graph"]["inputs"], SYM)
    for node in draft.data["graph"]["nodes"]:
        names += names_in(node["outputs"], SYM)
    new = {name: "_%d" % i for i, name in enumerate(names) if name}
    made = renamed(draft, new, str)
    for name, entry_of in draft.data["graph"].get("custom_obj_values", {}).items():
        made.data["graph"]["custom_obj_values"][new.get(name, name)] = entry_of
    for node in made.data["graph"]["nodes"]:
        node["metadata"] = {}
    return made


class Torch:
    """The vectors of the torch form."""

    def __init__(self, suite):
        self.suite = suite

    @staticmethod
    def name(label, version):
        return "canon-torch/%s/%s" % (label, version)

    @staticmethod
    def options(version, constants):
        asked = {"form": "torch", **VERSIONS[version].options}
        return {**asked, "constants": constants} if constants else asked

    def valid(self, label, version, draft, form, clause, why, constants=(), **links):
        text = draft if isinstance(draft, str) else written(version, draft)
        wanted = form if isinstance(form, str) else written(version, form)
        said = {"provenance": "hand", **links}
        product = "same" if text == wanted else self.suite.spelled(
            wanted, "canon/%s-torch-%s-product.json" % (version, label))
        return self.suite.valid(
            self.name(label, version), "canon", version, text, clause, why, product=product,
            file="canon/%s-torch-%s.json" % (version, label),
            options=self.options(version, list(constants)), **said)

    def invalid(self, label, twin, draft, code, where, why, also):
        version = self.suite.vectors[twin]["schema"]
        tree = Document(tree_of(VERSIONS[version], draft.data))
        _, offset, pointer = place_of(tree, where)
        edit = change_between(self.suite.bytes[twin], written(version, draft))
        return self.suite.invalid(self.name(label, version), twin, edit, code, (offset, pointer),
                                  why, provenance="hand", also=also,
                                  flags=["large"] if len(edit[2]) > 300 else [])


def relu(one, output):
    return op("aten.relu.default", output, self=one)


def add(one, other, output):
    return op("aten.add.Tensor", output, self=one, other=other)


def plain():
    return program("x", [relu("x", "y")], "y")


# ---- 6.9.1, 6.9.5, 6.9.13: around the graph ------------------------------------------------


def around(to):
    noted = changed(plain(), lambda data: data["graph"]["nodes"][0].update(
        metadata={"a": "b"}, name="relu"))
    noted.data["module"] = {"metadata": {"m": "n"}, "treespec_namedtuple_fields": {
        "N": {"field_names": ["a"]}}}
    noted.data["header"]["torch_version"] = "2.13.0"
    form = torched(noted)
    form.data["module"] = {}
    for version in RELEASES:
        to.valid("metadata", version, noted, form, ["6.9.1", "6.9.9", "6.9.10", "6.9.15"],
                 "Metadata goes; the name of a node and torch_version stay.")
        if version in ("8.7", LATEST):
            kept = kinds(plain(), 2)
            to.valid("kinds", version, kept, torched(kept), ["6.9.1"], "A kind stays.")
        limits = {"b": (1, 2), "a": (3, 4), "\u00e9": (5, 6), "B": (7, 8)}
        said = {name: {"min_val": low, "max_val": high} for name, (low, high) in limits.items()}
        ranged = program("x", [relu("x", "y")], "y", {
            "range_constraints": said, "opset_version": {"b": 1, "aten": 10}})
        wanted = program("x", [relu("x", "y")], "y", {
            "range_constraints": dict(sorted(said.items())), "opset_version": {"aten": 10, "b": 1}})
        to.valid("dicts", version, ranged, torched(wanted), ["6.9.1"],
                 "Ranges and opsets are sorted, symbols stay.")
        modules = changed(plain(), drafted("modules", [
            entry("b", [tensor("x")], [tensor("y")]), entry("a@2"), entry("a@10"), entry("a")]))
        wanted = torched(plain())
        wanted.data["modules"] = [entry("a"), entry("a@10"), entry("a@2"),
                                  entry("b", [tensor("x")], [tensor("y")])]
        to.valid("modules", version, modules, wanted, ["6.9.1"],
                 "By text; the names in them are names of nothing then.")
    for version in ("8.14", LATEST):
        guards = ["L['x'].size()[0] >= 2", "L['x'].size()[0] <= 9"]
        to.valid("guards", version, program("x", [relu("x", "y")], "y", {"guards_code": guards}),
                 torched(program("x", [relu("x", "y")], "y", {"guards_code": guards[::-1]})),
                 ["6.9.1"], "Guards are sorted.")


def takes(version):
    """Inputs of all kinds, in the order of 6.9.5."""
    obj = custom_obj("o")["as_custom_obj"]
    return [spec("token", "k"), parameter("p", "a"), parameter("q", "b"), buffer("c", "A"),
            buffer("d", "B"), spec("tensor_constant", "e", tensor_constant_name="0"),
            spec("tensor_constant", "f", tensor_constant_name="1"),
            {"custom_obj": {"arg": obj, "custom_obj_name": "o"}}, "x", user_input({"as_int": 3}),
            {"constant_input": {"name": "n", "value": {"as_int": 5}}},
            {"constant_input": {"name": "z", "value": {"as_int": 4}}}]


def signatures(to):
    obj = custom_obj("o")["as_custom_obj"]
    for version in ("5.3", "7.3", "8.2", "8.7", LATEST):
        given = takes(version)
        if version == "5.3":
            given = given[1:]
        nodes = [add("x", "p", "y")]

        def draft(order, given=given):
            made = program([given[i] for i in order], nodes, "y", custom_obj_values={"o": obj})
            return made
        count = len(given)
        form = torched if version in ("8.7", LATEST) else without_objects
        wanted = form(draft(range(count)))
        mixed = [*range(count - 5, -1, -1), *range(count - 4, count)]
        to.valid("inputs", version, draft(mixed), wanted, ["6.9.5", "6.9.7", "6.9.13", "6.9.2"],
                 "Inputs of all kinds, the other way round.")
        late = [*mixed[:-2], mixed[-1], mixed[-2]]
        to.valid("inputs-constants", version, draft(late), wanted, ["6.9.5"],
                 "constant_inputs by name.")
    gives = [spec("token", "t"), spec("parameter_mutation", "a", parameter_name="p"),
             spec("buffer_mutation", "b", buffer_name="c"),
             spec("buffer_mutation", "c", buffer_name="d"),
             spec("user_input_mutation", "d", user_input_name="x"), spec("loss_output", "e"),
             user_output(tensor("f")), spec("gradient_to_parameter", "g", parameter_name="p"),
             spec("gradient_to_parameter", "h", parameter_name="q"),
             spec("gradient_to_user_input", "i", user_input_name="x")]
    for version in ("5.3", "7.3", "8.2", "8.7", "8.19", LATEST):
        several = [each for each in gives if "parameter_mutation" not in each
                   or version in ("8.19", LATEST)]
        if version == "5.3":
            several = several[1:]
        targets = ("abs", "acos", "asin", "atan", "ceil", "cos", "erf", "exp", "floor", "frac")
        nodes = [op("aten.%s.default" % name, output, self="x")
                 for name, output in zip(targets, "tabcdefghi")]

        def draft(order, several=several):
            return program(["x"], nodes, [several[i] for i in order])
        count = len(several)
        loss = next(i for i, each in enumerate(several) if "loss_output" in each)
        turned = [i for i in range(count - 1, -1, -1) if i not in (loss, loss + 1)]
        to.valid("outputs", version, draft(turned[:2] + [loss, loss + 1] + turned[2:]),
                 torched(draft(range(count))), ["6.9.5", "6.9.13"], "Outputs of all kinds.")
    nameless_signatures(to)
    refused_signatures(to)


def nameless_signatures(to):
    """Names of parameters and their like that are empty: the text of each kind that has one is
    then that of a kind that has none, and the ranks alone order them."""
    obj = custom_obj("o")["as_custom_obj"]
    given = [spec("token", "k"), parameter("p", ""), buffer("n", ""),
             spec("tensor_constant", "t", tensor_constant_name=""),
             {"custom_obj": {"arg": obj, "custom_obj_name": ""}}, "x",
             {"constant_input": {"name": "", "value": {"as_int": 5}}}]
    made = [spec("token", "a"), spec("parameter_mutation", "b", parameter_name=""),
            spec("buffer_mutation", "c", buffer_name=""),
            spec("user_input_mutation", "d", user_input_name="x"), user_output(tensor("e")),
            spec("gradient_to_parameter", "f", parameter_name=""),
            spec("gradient_to_user_input", "g", user_input_name="x")]
    targets = ("abs", "acos", "asin", "atan", "ceil", "cos", "erf")
    for version in ("5.3", "7.3", "8.2", "8.7", "8.19", LATEST):
        first = 1 if version == "5.3" else 0
        several = [each for each in made[first:] if "parameter_mutation" not in each
                   or version in ("8.19", LATEST)]
        nodes = [op("aten.%s.default" % name, output, self="x")
                 for name, output in zip(targets, "abcdefg")]
        form = torched if version in ("8.7", "8.19", LATEST) else without_objects
        to.valid("inputs-nameless", version,
                 program(given[first:][::-1], nodes, "a", custom_obj_values={"o": obj}),
                 form(program(given[first:], nodes, "a", custom_obj_values={"o": obj})),
                 ["6.9.5"], "Inputs of all kinds, their names empty, the other way round.")
        to.valid("outputs-nameless", version, program("x", nodes, several[::-1]),
                 torched(program("x", nodes, several)), ["6.9.5"],
                 "Outputs of all kinds, their names empty, the other way round.")


def without_objects(draft):
    """Custom objects have no names before 8.7: they keep them, and lose the table."""
    made = copy.deepcopy(draft)
    names = [name for name in names_in(made.data["graph"]["inputs"], SYM) if name != "o"]
    for node in made.data["graph"]["nodes"]:
        names += names_in(node["outputs"], SYM)
    made = renamed(made, {name: "_%d" % i for i, name in enumerate(names)}, str)
    made.data["graph"]["custom_obj_values"] = {}
    return made


def refused_signatures(to):
    for version in RELEASES:
        twin = to.valid("plain", version, plain(), torched(plain()), ["6.9.9"], "A rectifier.")
        more = changed(plain(), lambda data: data["input_specs"].append(user_input(tensor("x"))))
        to.invalid("specs-inputs", twin, more, "EP_TORCH_SPEC", SIGNATURE[:-1],
                   "More specs than inputs.", ["6.9.5"])
        less = changed(plain(), lambda data: data["output_specs"].pop())
        to.invalid("specs-outputs", twin, less, "EP_TORCH_SPEC", SIGNATURE[:-1],
                   "Fewer specs than outputs.", ["6.9.5"])
        none = changed(plain(), lambda data: (data["output_specs"].pop(),
                                              data["graph"]["outputs"].pop()))
        to.invalid("no-outputs", twin, none, "EP_TORCH_SPEC", GRAPH[:-1], "No outputs.",
                   ["6.9.5"])
        alone = program("", [op("aten.rand.default", "y", ("size", {"as_ints": [2]}))], "y")
        if version in ("5.1", "5.3"):
            to.invalid("no-inputs", twin, alone, "EP_TORCH_SPEC", GRAPH[:-1], "No inputs.",
                       ["6.9.5", "6.9.2"])
        else:
            to.valid("no-inputs", version, alone, torched(alone), ["6.9.5", "6.9.2"],
                     "No inputs.")


def users(to):
    """What user inputs and outputs may be."""
    for version in RELEASES:
        order = ORDER.index(version)
        for key, value in (("int", {"as_int": 3}), ("float", {"as_float": 0.5}),
                           ("string", {"as_string": "a"}), ("none", {"as_none": True}),
                           ("bool", {"as_bool": True}), ("sym-number", {"as_sym_int": {
                               "as_int": 4}}), ("bools", {"as_bools": [True]}),
                           ("sym-bool", sym_bool("b"))):
            table = {"sym_bool_values": {"b": "s0 < 2"}} if key == "sym-bool" else {}
            given = program(["x", user_input(value)], [relu("x", "y")], "y", **table)
            refused = key in ("bools", "sym-bool") or (key == "bool" and version == "5.1")
            twin = to.name("plain", version)
            label = "input-" + key
            if refused:
                to.invalid(label, twin, given, "EP_TORCH_SPEC",
                           SIGNATURE + "input_specs/1/user_input/arg", "No input that it knows.",
                           ["6.9.13", "6.9.2"])
            else:
                to.valid(label, version, given, torched(given), ["6.9.13", "6.9.4"],
                         "An input that is no tensor.")
            made = program("x", [relu("x", "y")], [user_output(tensor("y")), user_output(value)],
                           **table)
            refused = key in ("bools", "sym-bool") or (
                key == "bool" and order < ORDER.index("8.7"))
            label = "output-" + key
            if refused:
                to.invalid(label, twin, made, "EP_TORCH_SPEC",
                           SIGNATURE + "output_specs/1/user_output/arg",
                           "No output that it knows.", ["6.9.13", "6.9.2"])
            else:
                to.valid(label, version, made, torched(made), ["6.9.13"],
                         "An output that is no tensor.")
    for version in FEW:
        sized = program(["x", user_input(sym_int("n"))], [relu("x", "y")],
                        ["y", user_output(sym_int("n"))], sym_int_values={"n": 4})
        to.valid("user-symbol", version, sized, torched(sized), ["6.9.13"], "A symbolic int.")
        undefined = changed(plain(), lambda data: data["output_specs"].__setitem__(
            0, user_output(tensor("nobody"))))
        to.invalid("spec-undefined", to.name("plain", version), undefined, "EP_TORCH_NAME",
                   SIGNATURE + "output_specs/0/user_output/arg/as_tensor/name",
                   "A spec of no value.", ["6.9.13"])
    obj = {"as_custom_obj": custom_obj("o")["as_custom_obj"]}
    for version in ("7.3", "8.2", "8.7", LATEST):
        given = program(["x", user_input(obj)], [relu("x", "y")], "y", custom_obj_values={
            "o": obj["as_custom_obj"]})
        if version in ("7.3", "8.2"):
            wanted = without_objects(given)
        else:
            wanted = torched(given)
            wanted.data["input_specs"][1] = user_input(obj)
        to.valid("input-object", version, given, wanted, ["6.9.13", "6.9.2"],
                 "The graph has a new name for it, if any; the spec the old one.")


# ---- 6.9.3 to 6.9.8: order ------------------------------------------------------------------


def orders(to):
    rows = (
        ("targets", [op("aten.sin.default", "a", self="x"), op("aten.cos.default", "b", self="x"),
                     op("aten.abs.default", "c", self="x")], (2, 1, 0), "a b c",
         "By target."),
        ("names", [op("mylib.f.default", "a", z="x"), op("mylib.f.default", "b", y="x")], (1, 0),
         "a b", "Then by the names of arguments."),
        ("ranks", [add("x", "y", "a"), add("x", "x", "b"), add("y", "x", "c")], (1, 0, 2), "a b c",
         "Then by the ranks of values."),
        ("fewer", [op("mylib.f.default", "a", x=["x", "x"]), op("mylib.f.default", "b", x="x")],
         (1, 0), "a b", "The shorter first."),
        ("numbers", [op("mylib.f.default", "a", x=2), op("mylib.f.default", "b", x=1)], (0, 1),
         "a b", "What differs in a number alone stays in the document's order."),
        ("nameless", [op("mylib.f.default", "a", x="x"), op("mylib.f.default", "b", x=1)], (1, 0),
         "a b", "A constant has the rank -1."),
        ("waiting", [op("aten.abs.default", "a", self="b"), op("aten.sin.default", "b", self="x"),
                     op("aten.cos.default", "c", self="x")], (2, 1, 0), "a b c",
         "What another one makes has to be there."),
        ("made", [op("aten.sin.default", "a", self="x"), op("aten.cos.default", "b", self="x"),
                  op("aten.tan.default", "c", self="a"), op("aten.tan.default", "d", self="b")],
         (1, 0, 3, 2), "a b c d", "By the ranks that values get when their nodes are placed."),
        ("effects", [op("aten.sum.default", "a", self="x"), op(
            "aten.add_.Tensor", "b", self="x", other=1)], (1, 0), "a",
         "A write goes before the read that it stood behind."),
    )
    for version in RELEASES:
        for label, nodes, order, outputs, why in rows:
            draft = program("x y", nodes, outputs)
            to.valid("order-" + label, version, draft, torched(reordered(draft, *order)),
                     ["6.9.8", "6.9.7", "6.9.3"], why)
    leaves_of(to)
    refusals(to)


def leaves_of(to):
    """What has leaves, and which."""
    silent = [{"as_none": True}, {"as_int": 1}, {"as_ints": [1, 2]}, {"as_float": 0.5},
              {"as_floats": [0.5]}, {"as_string": "x"}, {"as_strings": ["x", "y"]},
              {"as_scalar_type": 7}, {"as_memory_format": 1}, {"as_layout": 7},
              {"as_device": {"type": "cpu", "index": None}}, {"as_bool": True},
              {"as_bools": [True]}, {"as_operator": "torch.ops.aten.relu.default"}]
    for version in FEW:
        nodes = [op("mylib.f.default", "a%d" % i, ("x", each)) for i, each in enumerate(silent)]
        draft = program("x", nodes + [relu("x", "y")], "y")
        order = [len(silent), *range(len(silent))]
        to.valid("leaves-silent", version, draft, torched(reordered(draft, *order)),
                 ["6.9.3", "6.9.8"], "Constants have one leaf each, and stay as they stand.")
        lists = [{"as_tensors": []}, {"as_tensors": [{"name": "x"}]},
                 {"as_sym_ints": [{"as_int": 1}, {"as_int": 2}]},
                 {"as_optional_tensors": [{"as_none": True}, {"as_tensor": {"name": "x"}}]},
                 {"as_sym_int": {"as_int": 5}}, {"as_ints": []}]
        nodes = [op("mylib.f.default", "a%d" % i, ("x", each)) for i, each in enumerate(lists)]
        # keys: [], [0], [-1, -1], [-1, 0], [-1], [-1]
        order = (0, 4, 5, 2, 3, 1)
        draft = program("x", nodes, "a1")
        to.valid("leaves-lists", version, draft, torched(reordered(draft, *order)),
                 ["6.9.3", "6.9.4", "6.9.8"], "A leaf for each item; an empty list has none.")
    for version in ("8.7", LATEST):
        obj = {"as_custom_obj": custom_obj("o")["as_custom_obj"]}
        draft = program(["x", user_input(tensor("y"))], [
            op("mylib.f.default", "a", ("x", obj)), op("mylib.f.default", "b", x="x")], "a b")
        to.valid("constants", version, draft, torched(reordered(draft, 0, 1)),
                 ["6.9.6", "6.9.8", "6.9.2"], "A constant has no rank, and no node waits for it.",
                 constants=["o"])
        bare = to.name("constants", version)
        _, offset, pointer = place_of(Document(tree_of(VERSIONS[version], draft.data)),
                                      NODES + "0/inputs/0/arg/as_custom_obj/name")
        to.suite.invalid(
            to.name("constants-not", version), bare, None, "EP_TORCH_NAME", (offset, pointer),
            "The same, without its name.", provenance="hand", also=["6.9.6"],
            options={"form": "torch", **VERSIONS[version].options})


def refusals(to):
    for version in RELEASES:
        twin = to.name("plain", version)

        def refused(label, draft, code, where, why, also):
            to.invalid(label, twin, draft, code, where, why, also)
        refused("undefined", program("x", [relu("z", "y")], "y"), "EP_TORCH_NAME",
                NODES + "0/inputs/0/arg/as_tensor/name", "A use of nothing.", ["6.9.6"])
        refused("defined-twice", program("x", [relu("x", "y"), relu("x", "y")], "y"),
                "EP_TORCH_NAME", NODES + "1/outputs/0/as_tensor/name", "Defined twice.", ["6.9.6"])
        refused("cycle", program("x", [relu("z", "y"), relu("y", "z")], "y"), "EP_TORCH_CYCLE",
                NODES + "0", "Two that wait for each other.", ["6.9.8"])
        refused("cycle-itself", program("x", [relu("y", "y")], "y"), "EP_TORCH_CYCLE",
                NODES + "0", "One that waits for itself.", ["6.9.8"])
        refused("input-twice", program(["x", "x"], [relu("x", "y")], "y"), "EP_TORCH_NAME",
                GRAPH + "inputs/1/as_tensor/name", "An input that is there twice.", ["6.9.7"])
        refused("output-input", program("x", [relu("x", "x")], "x"), "EP_TORCH_CYCLE",
                NODES + "0", "An output by the name of what it is made of.", ["6.9.8"])
        refused("input-again", program("x y", [relu("x", "y")], "y"), "EP_TORCH_NAME",
                NODES + "0/outputs/0/as_tensor/name", "An output by the name of an input.",
                ["6.9.7"])
        table = program("x", [relu("x", "y")], "y")
        del table.data["graph"]["tensor_values"]["y"]
        refused("table", table, "EP_TORCH_NAME", NODES + "0/outputs/0/as_tensor/name",
                "A value that no table has.", ["6.9.10"])
        optional = {"as_optional_tensors": [{"as_none": True}]}
        refused("output-optional", program("x", [call(
            "mylib.f.default", {"x": tensor("x")}, [optional]), relu("x", "y")], "y"),
            "EP_TORCH_LEAF", NODES + "0/outputs/0/as_optional_tensors/0", "A none that is made.",
            ["6.9.10"])
        bools = {"as_sym_bool": {"as_bool": True}}
        for label, draft, where in (
                ("input", program("x", [op("mylib.f.default", "y", ("x", bools))], "y"),
                 NODES + "0/inputs/0/arg/as_sym_bool"),
                ("output", program("x", [relu("x", "y"), call("mylib.f.default", {
                    "x": tensor("x")}, [bools])], "y"), NODES + "1/outputs/0/as_sym_bool")):
            refused("literal-" + label, draft, "EP_TORCH_LEAF", where,
                    "A bool in place of a symbolic one.", ["6.9.4"])
        if version in ("8.2", "8.7", LATEST):
            halves = {"as_sym_float": {"as_float": 0.5}}
            refused("literal-float", program("x", [op(
                "mylib.f.default", "y", ("x", halves))], "y"), "EP_TORCH_LEAF",
                NODES + "0/inputs/0/arg/as_sym_float", "A float in place of a symbolic one.",
                ["6.9.4"])
        if version == LATEST:
            one = {"as_optional_tensor": {"as_tensor": {"name": "x"}}}
            refused("optional-input", program("x", [op("mylib.f.default", "y", ("x", one))], "y"),
                    "EP_TORCH_LEAF", NODES + "0/inputs/0/arg", "An optional tensor.", ["6.9.3"])


# ---- 6.9.9 to 6.9.12: names -------------------------------------------------------------------


def names(to):
    chain = [relu("x", "n0")] + [relu("n%d" % i, "n%d" % (i + 1)) for i in range(11)]
    for version in RELEASES:
        draft = program("x", chain, "n11")
        to.valid("tables", version, draft, torched(draft), ["6.9.9", "6.9.11"],
                 "_10 stands before _2.")
        spare = changed(plain(), lambda data: data["graph"]["tensor_values"].update(
            {"A": meta(7), "z": meta(8)}))
        wanted = torched(plain())
        values = wanted.data["graph"]["tensor_values"]
        wanted.data["graph"]["tensor_values"] = {"A": meta(7), **values, "z": meta(8)}
        to.valid("tables-spare", version, spare, wanted, ["6.9.11"], "Entries of nothing stay.")
        shown = program("x", [relu("x", "y")], ["y", user_output({"as_int": 1})])
        shown.data["graph"]["outputs"][1] = tensor("nobody")
        wanted = torched(shown)
        wanted.data["graph"]["outputs"][1] = tensor("nobody")
        to.valid("output-unknown", version, shown, wanted, ["6.9.10"],
                 "An output that nothing defines keeps its name.")
        # x is renamed _0 over the entry of the value _0, whose turn comes later
        mixed = program("x", [relu("x", "_0")], "_0", tensor_values={
            "x": meta(1), "_0": meta(2)})
        wanted = torched(mixed)
        wanted.data["graph"]["tensor_values"] = {"_1": meta(1)}
        to.valid("moved-over", version, mixed, wanted, ["6.9.10"],
                 "_0 is a value's name already: it gets the entry of x, and x none.")


def graphs(to):
    def conditional(first, second):
        return call("higher_order.cond", [
            ("pred", tensor("b")), ("t", subgraph(first, "v", [relu("v", "w")], "w")),
            ("f", subgraph(second, "v", [op("aten.sin.default", "w", self="v"), op(
                "aten.cos.default", "u", self="v")], "w u")),
            ("o", tensors("x"))], tensor("r"))
    draft = program("x b", [conditional("true_graph_0", "false_graph_0")], "r")
    for version in RELEASES:
        wanted = torched(draft)
        arguments = wanted.data["graph"]["nodes"][0]["inputs"]
        for i, (argument, order) in enumerate(((arguments[1], (0,)), (arguments[2], (1, 0)))):
            inner = argument["arg"]["as_graph"]
            inner["name"] = "_g%d" % i
            part = Draft()
            part.data["graph"] = inner["graph"]
            inner["graph"] = torched(reordered(part, *order)).data["graph"]
        text = written(version, wanted)
        if version in ("5.1", "5.3"):
            text = paired(version, text)
        to.valid("subgraphs", version, draft, text, ["6.9.12", "6.9.2"],
                 "Each graph is counted from 0; 2.3 and 2.4 write the names beside it.")
        deep = program("x", [call("higher_order.wrap", [("", subgraph("a", "v", [call(
            "higher_order.wrap", [("", subgraph("b", "v", [relu("v", "w")], "w"))],
            tensor("w"))], "w"))], tensor("r"))], "r")
        if version not in ("5.1", "5.3"):
            wanted = renamed(torched(deep), {"v": "_0", "w": "_1"}, str)
            inner = wanted.data["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]
            inner["name"] = "_g0"
            inner["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]["name"] = "_g0"
            to.valid("subgraphs-deep", version, deep, wanted, ["6.9.12"], "A graph in a graph.")


def paired(version, text):
    """With [graph, {old: new}] in the place of each subgraph's graph."""
    root = json.loads(text)
    (node,) = root["graph_module"]["graph"]["nodes"]
    renames = ({"v": "_0", "w": "_1"}, {"v": "_0", "u": "_1", "w": "_2"})
    graphs_of = [item["arg"]["as_graph"] for item in node["inputs"] if "as_graph" in item["arg"]]
    for each, renamed_to in zip(graphs_of, renames):
        each["graph"] = [each["graph"], renamed_to]
    return json.dumps(root)


def first_versions(to):
    """SPEC 6.9.14."""
    for version in OLD + ("2", "3.1"):
        takes_of = [buffer("c", "A"), parameter("p", "b"), parameter("q", "a"), "x", "y"]
        nodes = [add("x", "p", "s"), add("c", "y", "t")]
        gives = [user_output(tensor("s")), spec("buffer_mutation", "t", buffer_name="A")]
        draft = program(takes_of, nodes, gives)
        given = [takes_of[i] for i in (2, 1, 0, 3, 4)]
        ordered = program(given, nodes[::-1], gives[::-1])
        to.valid("before", version, draft, torched(ordered), ["6.9.2"] + ["6.9.14"] * (
            version in OLD), "As 2.3 would have done it.")


# ---- PyTorch's own ------------------------------------------------------------------------------


def plainly(version, value):
    """The bytes that an encoder writes of a program; None of what is none."""
    class Kept(Printer):
        said_dict = Writer.said_dict

    class Shape:
        name = "ExportedProgram"
    try:
        data = Reader(version).read_struct(Shape, value)
    except (Misfit, AttributeError, TypeError, ValueError):
        return None
    return Document(Kept(version).filled(version.types["ExportedProgram"], data)).text


def own(to):
    """The smallest of each release."""
    with tarfile.open(os.path.join(ROOT, "corpora", "synthetic.tar.xz")) as archive:
        for member in archive.getmembers():
            rows = json.load(archive.extractfile(member))
            release = os.path.basename(member.name)[len("canonicalize-"):-len(".json")]
            number = rows[0]["program"]["schema_version"]
            version = "%d.%d" % (number["major"], number["minor"])
            valid = [row for row in rows if not row.get("raises")]
            valid.sort(key=lambda row: len(json.dumps(row["program"])))
            for row in valid[:4]:
                text = json.dumps(row["program"])
                wanted = plainly(VERSIONS[version], row["canonical"])
                wanted = wanted or json.dumps(row["canonical"])
                to.valid("pytorch-%s-%s" % (release, row["id"]), version, text, wanted,
                         ["6.9.8", "6.9.9", "6.9.10", "6.9.11", "6.9.15"],
                         "A made-up program, and what torch %s makes of it." % release,
                         constants=row.get("constants") or (), provenance="pytorch")


# ---- two pairs --------------------------------------------------------------------------------

PAIRS = (
    ("confused", "A sum of x, seen by another shape, before x.add_(1) or behind it: of 0 to 5 "
     "it is 15 or 21", ["6.9.8", "6.3.6"]),
    ("separated", "(x + 1) * (x + 2) + y with the first two sums in either order, and by other "
     "names: one result", ["6.9.8", "6.6.1"]),
)


def pairs(to):
    """Programs that torch 2.13 exported, beside what its own canonicalize makes of
    them: two that compute different results and get one form, and two that are the
    same and get two forms. The epref form has it the other way round."""
    forms = Forms(to.suite)
    for label, why, clause in PAIRS:
        texts, wanted = [], []
        for letter in "ab":
            for kind, found in (("", texts), (".torch", wanted)):
                path = os.path.join(HERE, "pairs", "%s_%s%s.json" % (label, letter, kind))
                with open(path, encoding="utf-8") as file:
                    found.append(file.read())
        one = to.name(label + "-a", LATEST)
        assert (wanted[0] == wanted[1]) == (label == "confused")
        link = {"same_as" if label == "confused" else "different_from": one}
        to.valid(label + "-a", LATEST, texts[0], wanted[0], clause, why + ".",
                 provenance="pytorch")
        to.valid(label + "-b", LATEST, texts[1], wanted[1], clause, why + ": PyTorch's form.",
                 provenance="pytorch", **link)
        form = forms.found(label, LATEST, texts[:1], clause, why + ".")
        if label == "separated":
            forms.case(form, "b", texts[1], clause, why + ": one form.")
        else:
            forms.found(label + "-b", LATEST, texts[1:], clause, why + ": two forms.",
                        different_from=form)


def vectors(suite):
    to = Torch(suite)
    for part in (around, signatures, users, orders, names, graphs, first_versions, own, pairs):
        part(to)
