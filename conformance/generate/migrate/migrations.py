"""Migrations (SPEC part 7).  A pair is one program at two versions, each written
as that version does, from a draft; one way or both, the one is the product of
the other.  What is refused is such a program with one change.
"""

import copy
import json
import re

from format.document import Document
from format.history import ORDER, VERSIONS
from generate.suite import change_between
from generate.whole import (GRAPH, LEAF, MODULES, NODES, SIGNATURE, Draft, arguments, buffer, call,
                            count_of, custom_obj, entry, graph, leaves, meta, parameter, place_of,
                            spec, sym_bool, tensor, tensors, tree, tree_of, treespec, user_input,
                            user_output)

LATEST = ORDER[-1]
SIZES = GRAPH + "tensor_values/x"
NO_MAXIMUM = 9223372036854775806
S0 = "Symbol('s0', positive=True, integer=True)"
S1 = "Symbol('s1', positive=True, integer=True)"
U0 = "Symbol('u0', integer=True)"
I1 = "Symbol('i1', integer=True)"


class Raw:
    """Text that stands in a document as it is: a number that JSON has no word for."""

    def __init__(self, text):
        self.text = text


def data_of(version, draft):
    """What a draft says; a call without keywords is arguments alone in version 1."""
    data = copy.deepcopy(draft.data)
    if version in ("1-2023-08", "1"):
        inputs = count_of(data["input_specs"], "user_input")
        alone = tree("builtins.tuple", "null", [LEAF] * inputs)
        data["root"].setdefault("in_spec", treespec(alone))
    return data


def written(version, draft):
    """A document; Raw texts are put in at the end, for the drafts know none."""
    data, marks = data_of(version, draft), {}

    def marked(value):
        if isinstance(value, Raw):
            marks[770000001 + len(marks)] = value.text
            return 770000000 + len(marks)
        if isinstance(value, dict):
            return {key: marked(item) for key, item in value.items()}
        return [marked(item) for item in value] if isinstance(value, list) else value
    text = Document(tree_of(VERSIONS[version], marked(data))).text
    for mark, raw in marks.items():
        assert text.count(str(mark)) == 1
        text = text.replace(str(mark), raw)
    return text


# ---- programs -------------------------------------------------------------------


def plain(version=LATEST, *nodes, **header):
    """The rectifier, with what no version adds to or takes from it."""
    dialect = "" if version in ("6.1-a", "6.1") else "ATEN"
    draft = Draft(header={"torch_version": "<=2.4", "dialect": dialect, **header})
    draft.take(user_input(tensor("x"))).tensors(x=meta(2, 3), t=meta(2, 3))
    draft.node(call("aten.relu.default", {"self": tensor("x")}, tensor("t")), *nodes)
    draft.give(user_output(tensor("t")))
    return kinds(draft, None)


def kinds(draft, kind):
    """With that kind of all arguments."""
    todo = [draft.data["graph"]]
    while todo:
        for node in todo.pop()["nodes"]:
            for each in node["inputs"]:
                each["kind"] = kind
                if "as_graph" in each["arg"]:
                    todo.append(each["arg"]["as_graph"]["graph"])
    return draft


def changed(draft, change):
    made = copy.deepcopy(draft)
    change(made.data)
    return made


def put(path, value):
    """The change that sets what is under a path of a draft's data."""
    *steps, last = path.split("/")

    def change(data):
        for step in steps:
            data = data[int(step)] if isinstance(data, list) else data.setdefault(step, {})
        if isinstance(data, list):
            data[int(last)] = value
        else:
            data[last] = value
    return change


def ranged(draft, **ranges):
    draft.data["header"]["range_constraints"] = {
        name: {"min_val": low, "max_val": high} for name, (low, high) in ranges.items()}
    return draft


# ---- vectors --------------------------------------------------------------------


class Migrations:
    def __init__(self, suite):
        self.suite = suite

    def options(self, version, target):
        return {"to": target, **VERSIONS[version].options}

    def name(self, label, version, target):
        return "migrate/%s/%s-to-%s" % (label, version, target)

    def file(self, label, version):
        return "migrate/%s-%s.json" % (version, label)

    def said(self, text, label, version):
        """A document in a file, which no other program may have."""
        name = self.file(label, version)
        assert self.suite.files.get(name, text.encode("utf-8")) == text.encode("utf-8"), name
        return self.suite.spelled(text, name)

    def pair(self, label, low, high, drafts, clause, why):
        """Both ways; drafts: of both, or of low and high; or texts."""
        texts = self.texts(low, high, drafts)
        names = self.name(label, low, high), self.name(label, high, low)
        for i, (version, target) in enumerate(((low, high), (high, low))):
            self.said(texts[i], label, version)
            self.suite.valid(names[i], "migrate", version, texts[i], clause, why,
                             file=self.file(label, version), provenance="hand",
                             product={"base": names[1 - i]}, options=self.options(version, target))
        return names

    def way(self, label, version, target, drafts, clause, why):
        """One way: back, it would be another program."""
        texts = self.texts(version, target, drafts)
        self.said(texts[0], label, version)
        return self.suite.valid(
            self.name(label, version, target), "migrate", version, texts[0], clause, why,
            file=self.file(label, version), provenance="hand",
            product=self.said(texts[1], label, "to-" + target),
            options=self.options(version, target))

    @staticmethod
    def texts(one, other, drafts):
        first, second = drafts if isinstance(drafts, tuple) else (drafts, drafts)
        return tuple(each if isinstance(each, str) else written(version, each)
                     for version, each in ((one, first), (other, second)))

    def refused(self, label, twin, draft, code, where, why, also=()):
        """The twin's document as of another draft, refused at the twin's target.
        where: a path, as of place_of; or an offset and pointer."""
        vector = self.suite.vectors[twin]
        version = vector["schema"]
        text = written(version, draft)
        place = place_at(version, draft, where) if isinstance(where, str) else where
        edit = change_between(self.suite.bytes[twin], text)
        return self.suite.invalid(
            self.name(label, version, vector["options"]["to"]), twin, edit, code, tuple(place), why,
            provenance="hand", also=list(also), flags=["large"] if len(edit[2]) > 300 else [])


# ---- 7.1: from every version to the latest, and back --------------------------------


def everywhere(to):
    for version in ORDER[:-1]:
        to.pair("plain", version, LATEST, (plain(version), plain()),
                ["7.1.1", "7.1.2", "7.1.4", "7.6.2", "7.6.6"],
                "The same program everywhere.")
    for version in ORDER:
        draft = plain(version)
        name = to.name("itself", version, version)
        to.suite.valid(name, "migrate", version, written(version, draft), ["7.1.2"],
                       "Nothing to do.", file=to.file("plain", version), provenance="hand",
                       product="same", options=to.options(version, version))
    examples = {"equality_constraints": [[["x", 0], ["x", 1]], [["t", 1], ["x", 0]]],
                "example_inputs": [["AAEC", ""], {"k": "AAED", "l": "AA=="}]}
    for version in ("1-2023-08", "1"):
        to.suite.valid(to.name("itself-tuples", version, version), "migrate", version,
                       written(version, plain(version, **examples)), ["7.1.2"],
                       "Nothing to do, with lists and dicts in tuples.", provenance="hand",
                       file=to.file("itself-tuples", version), product="same",
                       options=to.options(version, version))
    for version in ("1", "2", "5.3", "7.3", "8.2", LATEST):
        target = LATEST if version != LATEST else "2"

        def undefined(data):
            data["graph"]["nodes"][0]["inputs"][0]["arg"] = tensor("nobody")
        to.refused("undefined", to.name("plain", version, target),
                   changed(plain(version), undefined), "EP_VALUE_UNDEFINED",
                   NODES + "0/inputs/0/arg/as_tensor/name", "No program, whatever the target.",
                   also=["7.1.1"])
    long = ranged(plain(), s0=(2, 8), s1=(0, 100))
    long.data["graph"]["nodes"][0]["metadata"] = {"zz": "\u00e9\n", "stack_trace": "", "a": "b"}
    to.pair("order", "7.3", LATEST, long, ["7.1.2"], "Keys and texts as they are.")


# ---- 7.2: values --------------------------------------------------------------------


def values(to):
    clamp = call("aten.clamp.default", [("self", tensor("x")), ("min", {"as_none": True}),
                                        ("max", {"as_int": 3})], tensor("u"))
    for low, high in (("8.1", "8.2"), ("1", LATEST), ("7.3", "8.7")):
        to.pair("none", low, high, kinds(plain(LATEST, clamp).tensors(u=meta(2, 3)), None),
                ["7.2.2"], "None, in both spellings.")
    for low, high, one, other in (("7.4", "8.1-a", 14, 28), ("7.4", LATEST, 14, 28),
                                  ("8.1-b", "8.3", 14, 29), ("8.1-b", "8.3", 15, 30),
                                  ("8.1-d", LATEST, 15, 30)):
        to.pair("dtype-%d" % one, low, high,
                tuple(changed(plain(), put("graph/tensor_values/x/dtype", dtype))
                      for dtype in (one, other)), ["7.2.3"], "One dtype under two names.")
    for high in ("8.5", LATEST):
        name = to.pair("kind", "8.5-a", high, (kinds(plain(), 0), kinds(plain(), 1)), ["7.2.3"],
                       "POSITIONAL is 0, then 1.")[1]
        to.refused("kind-unknown", name, kinds(plain(), 0), "EP_MIGRATE_ENUM",
                   NODES + "0/inputs/0", "UNKNOWN has no number there.", also=["7.2.3"])
    name = to.pair("dtype", "8.2", LATEST, changed(plain(), put(
        "graph/tensor_values/x/dtype", 28)), ["7.2.3", "7.6.3"], "The same number.")[1]
    to.refused("dtype-later", name, changed(plain(), put("graph/tensor_values/x/dtype", 30)),
               "EP_MIGRATE_ENUM", SIZES, "A dtype of later versions.", also=["7.2.3"])
    hints(to)
    bare(to)
    floats(to)
    ranges(to)


def symbolic(*sizes, **more):
    """The rectifier of a tensor with such sizes."""
    draft = ranged(plain(), s0=(2, 8), **more)
    return draft.tensors(x=meta(*sizes, strides=[1] * len(sizes)), t=meta(2, 3))


def hints(to):
    hinted = symbolic(("s0", 4), 3)
    for low, high in (("1", "1-2023-12"), ("1-2023-08", "2"), ("1", "8.1")):
        to.pair("hint", low, high, hinted, ["7.2.4"], "A number, then a union.")
    to.pair("hint-none", "1", "2", symbolic("s0", 3), ["7.2.4"], "Without a hint.")


def with_bool(hint):
    draft = symbolic("s0", 3)
    draft.node(call("mylib.f.default", {"x": tensor("x")}, sym_bool("b")))
    draft.table("sym_bool_values", b=("s0 < 3", hint))
    return kinds(draft, None)


def bare(to):
    name = to.pair("sym-bool", "1", "2", with_bool(None), ["7.2.5"], "A text, then a SymExpr.")[1]
    to.refused("sym-bool-hint", name, with_bool(True), "EP_MIGRATE_VALUE",
               GRAPH + "sym_bool_values/b/as_expr", "A hint that has no place.",
               also=["7.2.4", "7.2.5"])
    offset = changed(plain(), put("graph/tensor_values/x/storage_offset", 5))
    name = to.pair("offset", "3.1-c", "4.2", offset, ["7.2.5"], "A number, then a SymInt.")[1]
    wide = changed(offset, put("graph/tensor_values/x/storage_offset", "s0"))
    to.refused("offset-symbol", name, ranged(wide, s0=(2, 8)), "EP_MIGRATE_VALUE",
               SIZES + "/storage_offset", "An offset that is no number.", also=["7.2.5"])
    index = call("aten.index.Tensor", [("self", tensor("x")), ("indices", {
        "as_optional_tensors": [{"as_none": True}, {"as_tensor": {"name": "x"}}]})], tensor("u"))
    for low, high in (("5.1", "5.3-2024-03"), ("3.1", "8.2"), ("1", LATEST)):
        to.pair("optional", low, high, kinds(plain(LATEST, index).tensors(u=meta(2, 3)), None),
                ["7.2.5"], "A name, then a struct.")
    to.pair("version", "2", "2.1", plain(), ["7.2.5", "7.1.1"], "A number, then an object.")


def scaled(number):
    draft = plain(LATEST, call("aten.mul.Scalar", [("self", tensor("x")), ("other", {
        "as_float": number})], tensor("u")))
    return kinds(draft.tensors(u=meta(2, 3)), None)


def floats(to):
    to.pair("infinity", "8.6", "8.7", (scaled(Raw("-Infinity")), scaled(Raw('"-Infinity"'))),
            ["7.2.1"], "Bare, then quoted.")
    to.pair("nan", "7.3", "8.14", (scaled(Raw("NaN")), scaled(Raw('"NaN"'))), ["7.2.1"],
            "Bare, then quoted.")
    name = to.pair("float", "7.3", "8.7", scaled(0.5), ["7.2.1"], "A number.")[0]
    where = NODES + "1/inputs/1/arg"
    to.refused("nan", name, scaled(Raw("NaN")), "EP_MIGRATE_VALUE",
               place_at("7.3", scaled(0.5), where), "No spelling.", also=["7.2.1"])
    name = to.pair("float", "8.11", LATEST, scaled(0.5), ["7.2.1"], "A number.")[1]
    to.refused("nan", name, scaled(Raw('"NaN"')), "EP_MIGRATE_VALUE",
               place_at(LATEST, scaled(0.5), where), "No spelling.", also=["7.2.1"])


def place_at(version, draft, where):
    """Where something is that does not depend on what stands behind it."""
    _, *place = place_of(Document(tree_of(VERSIONS[version], data_of(version, draft))), where)
    return tuple(place)


def ranges(to):
    closed, no_end = ranged(plain(), s0=(2, NO_MAXIMUM)), ranged(plain(), s0=(2, Raw("Infinity")))
    null = ranged(plain(), s0=(2, None))
    for low, high, drafts in (("5.1", "5.3", (no_end, closed)), ("1", "2", (closed, no_end)),
                              ("5.3", "7.3", (closed, no_end)), ("5.3", LATEST, (closed, null)),
                              ("1", LATEST, (closed, null)), ("7.4", "8.1-a", (no_end, null))):
        to.pair("maximum", low, high, drafts, ["7.2.6", "7.6.4"], "No maximum, in both spellings.")
    to.pair("maximum-number", "7.4", LATEST, closed, ["7.2.6", "7.2.1"],
            "A number is one where there are open ends.")
    low = ranged(plain(), u0=(Raw("-Infinity"), 5))
    to.pair("minimum", "7.4", "8.1-a", (low, ranged(plain(), u0=(None, 5))), ["7.2.6"],
            "No minimum, in both spellings.")
    to.pair("minimum", "2", "7.3", low, ["7.2.6"], "No minimum.")
    to.way("maximum", "2", "5.3", (no_end, closed), ["7.2.6"], "A number for no maximum.")
    for version, target, drafts in (("7.3", "5.3", no_end), ("2", "5.3", no_end),
                                    (LATEST, "1", null)):
        name = to.name("maximum", version, target)
        one = copy.deepcopy(drafts)
        one.data["header"]["range_constraints"]["s0"]["min_val"] = (
            None if version == LATEST else Raw("-Infinity"))
        to.refused("minimum", name, one, "EP_MIGRATE_VALUE",
                   place_at(version, ranged(plain(), s0=(2, 5)), "range_constraints/s0"),
                   "No number for no minimum.", also=["7.2.6"])


# ---- 7.3: members -------------------------------------------------------------------


def buffered(persistent=True):
    draft = Draft(header={"torch_version": "<=2.4"}).take(buffer("b", "b"), user_input(tensor("x")))
    draft.tensors(b=meta(2, 3), x=meta(2, 3), t=meta(2, 3))
    draft.node(call("aten.add.Tensor", {"self": tensor("b"), "other": tensor("x")}, tensor("t")))
    draft.data["input_specs"][0]["buffer"]["persistent"] = persistent
    return kinds(draft.give(user_output(tensor("t"))), None)


def objects(name):
    """A custom object of a class among the inputs, before the user's."""
    draft = plain()
    value = {**custom_obj("o")["as_custom_obj"], "class_fqn": name}
    draft.take({"custom_obj": {"arg": value, "custom_obj_name": "c"}})
    draft.data["graph"]["inputs"].reverse()
    draft.data["input_specs"].reverse()
    return draft.table("custom_obj_values", o=value)


def members(to):
    spec_of = SIGNATURE + "input_specs/0"
    for low, high, code, where in (("3.1", "3.1-c", "EP_MIGRATE_FIELD", spec_of + "/buffer"),
                                   ("2", LATEST, "EP_MIGRATE_FIELD", spec_of + "/buffer"),
                                   ("1", LATEST, "EP_MIGRATE_TAG", spec_of)):
        name = to.pair("persistent", low, high, buffered(), ["7.3.1"], "Saved, as all were.")[1]
        to.refused("persistent-not", name, buffered(False), code, where,
                   "Not saved: no word for that.", also=["7.3.1", "7.3.2", "7.1.3"])
    to.refused("object", to.name("plain", "3.1-a", LATEST), objects("a.B"), "EP_VALUE_UNLISTED",
               GRAPH + "inputs/0/as_custom_obj/name", "An object that no table lists.",
               also=["7.6.7"])
    empty = '"equality_constraints": []'
    equal = written("1", plain()).replace(empty, empty[:-1] + '[["x", 0], ["x", 1]]]')
    to.way("dropped-equal", "1", "2", (equal, plain()), ["7.3.2"], "What no later version has.")
    forced = plain(disable_forced_specializations=True)
    to.way("dropped-forced", "5.4", LATEST, (forced, plain()), ["7.3.2"],
           "What no later version has.")
    paths = plain(tensor_paths={"a": "b"}, constant_paths={"c": "d"})
    to.way("dropped-paths", "8.11", LATEST, (paths, plain()), ["7.3.2"],
           "What no later version has.")
    named = kinds(plain(torch_version="2.13.0+cpu"), 1)
    named.data["graph"]["nodes"][0]["name"] = "relu"
    named.data["root"]["forward_arg_names"] = ["x"]
    name = to.way("provenance", LATEST, "2", (named, plain()),
                  ["7.3.2", "7.6.1", "7.1.3"], "What does not say what is computed.")
    guarded = changed(named, put("header/guards_code", ["L['x'].size()[0] >= 2"]))
    to.refused("guards", name, guarded, "EP_MIGRATE_FIELD", "", "A guard.", also=["7.3.2", "7.1.3"])
    fields(to)


def called_graph(single):
    """A graph that somebody's operator takes."""
    made = subgraph("g", ("a",), ("b",))
    made["as_graph"]["graph"]["is_single_tensor_return"] = single
    return kinds(plain(LATEST, call("mylib.f.default", {"g": made}, [])), None)


def fields(to):
    """Fields that say something."""
    name = to.name("plain", LATEST, "8.1")
    half = call("mylib.f.default", {"x": {"as_sym_float": {"as_float": 0.5}}}, [])
    to.refused("sym-float", name, kinds(plain(LATEST, half), None), "EP_MIGRATE_TAG",
               NODES + "1/inputs/0/arg", "A symbolic float.")
    only = changed(plain(), put("module/metadata", {"a": "b"}))
    to.refused("module-metadata", to.name("plain", LATEST, "7.1"), only, "EP_MIGRATE_FIELD",
               "graph_module", "Metadata of the module.", also=["7.3.2"])
    for version, target in ((LATEST, "1-2023-08"), ("5.3", "1-2023-08")):
        if to.name("plain", version, target) not in to.suite.vectors:
            to.pair("plain", target, version, plain(), ["7.1.1"], "The same program everywhere.")
        alone = called_graph(True)
        name = to.pair("graph", target, version, called_graph(False), ["7.3.2"], "It returns a tuple.")
        to.refused("single", name[1], alone, "EP_MIGRATE_FIELD",
                   NODES + "1/inputs/0/arg/as_graph/graph", "What it returns is another thing then.",
                   also=["7.3.2"])
    name = to.name("plain", "8.2-ast", LATEST)
    ast = changed(symbolic("s0", 3), put("graph/tensor_values/x/sizes/0", {"as_expr": {
        "expr_str": "", "expr_ast": {"args": [], "target": None, "base": {"as_symbol": "s0"}}}}))
    to.refused("expr-ast", name, ast, "EP_MIGRATE_FIELD", SIZES + "/sizes/0/as_expr", "A tree.")
    held = changed(plain(), put("graph/constants", {"c": "AAEC"}))
    to.refused("constants", to.name("plain", "1", LATEST), held, "EP_MIGRATE_CONSTANT", GRAPH[:-1],
               "A tensor inside the document.", also=["7.3.2"])
    to.refused("constants", to.pair("plain", "1", "2", plain(), ["7.1.1"], "The same program.")[0],
               held, "EP_MIGRATE_CONSTANT", GRAPH[:-1], "A tensor inside the document.")


# ---- 7.4: steps ---------------------------------------------------------------------


def add(one, other, output):
    return call("aten.add.Tensor", {"self": tensor(one), "other": tensor(other)}, tensor(output))


def signed():
    draft = Draft(header={"torch_version": "<=2.4"})
    draft.take(parameter("p", "w"), buffer("b", "a"), user_input(tensor("x")),
               user_input(tensor("y")))
    draft.tensors(**{name: meta(2, 3) for name in "pbxytur"})
    draft.node(add("x", "p", "t"), add("b", "t", "u"), add("u", "y", "r"))
    return kinds(draft, None)


def joint():
    """Outputs of a loss and gradients."""
    draft = signed().give(spec("loss_output", "t"),
                          spec("gradient_to_parameter", "u", parameter_name="w"),
                          spec("gradient_to_user_input", "r", user_input_name="x"))
    draft.data["root"]["out_spec"] = leaves(1)
    old = copy.deepcopy(draft)
    old.data["output_specs"][0] = user_output(tensor("t"))
    old.data["output_specs"][1:] = []
    old.data["backward"] = {"gradients_to_parameters": {"u": "w"},
                            "gradients_to_user_inputs": {"r": "x"}, "loss_output": "t"}
    return old, draft


def signatures(to):
    for low, high in (("1", "1-2023-12"), ("1-2023-08", "2"), ("1", LATEST)):
        full = signed().give(spec("buffer_mutation", "u", buffer_name="a"),
                             user_output(tensor("r")), user_output(tensor("t")))
        name = to.pair("signature", low, high, full, ["7.4.1"], "Each kind that both have.")[1]
        twice = signed().give(spec("buffer_mutation", "u", buffer_name="a"),
                              user_output(tensor("u")))
        to.pair("signature-twice", low, high, twice, ["7.4.1"], "A value that is two outputs.")
        to.pair("signature-joint", low, high, joint(), ["7.4.1"], "A loss and gradients.")
        lifted = changed(full, lambda data: data["input_specs"].__setitem__(1, spec(
            "tensor_constant", "b", tensor_constant_name="a")))
        lifted.data["output_specs"].pop(0)
        lifted.data["graph"]["outputs"].pop(0)
        to.refused("signature-constant", name, lifted, "EP_MIGRATE_TAG",
                   SIGNATURE + "input_specs/1", "A constant, lifted.", also=["7.4.1"])
        two = Draft(header={"torch_version": "<=2.4"}).take(
            buffer("b", "a"), buffer("c", "c"), user_input(tensor("x")))
        two.tensors(**{each: meta(2, 3) for each in "bcxtu"})
        two.node(add("b", "x", "t"), add("c", "x", "u"))
        two.give(spec("buffer_mutation", "t", buffer_name="a"),
                 spec("buffer_mutation", "u", buffer_name="c"), user_output(tensor("t")))
        name = to.pair("signature-two", low, high, kinds(two, None), ["7.4.1"], "Two buffers.")[1]
        same = copy.deepcopy(two)
        same.data["output_specs"][1]["buffer_mutation"]["arg"]["name"] = "t"
        same.data["graph"]["outputs"][1] = tensor("t")
        to.refused("signature-same", name, same, "EP_MIGRATE_VALUE", SIGNATURE + "output_specs/1",
                   "One value, two buffers: a dict has one.", also=["7.4.1"])


def called_with(argument):
    """The in_spec of a call with one argument."""
    return treespec(tree("builtins.tuple", "null", [
        tree("builtins.tuple", "null", [argument]), tree("builtins.dict", "[]", [])]))


def no_call(to, twin):
    """Trees that are no arguments and keywords: alone, they would be arguments."""
    tuple_of_one = tree("builtins.tuple", "null", [LEAF])
    no_names = tree("builtins.dict", "[]", [])
    one_name = tree("builtins.dict", '["x"]', [LEAF])
    for label, root, why in (
            ("list", tree("builtins.list", "null", [tuple_of_one, no_names]), "A list of both."),
            ("leaf", LEAF, "The argument itself."),
            ("one", tuple_of_one, "The arguments alone."),
            ("three", tree("builtins.tuple", "null", [tuple_of_one, no_names, no_names]),
             "Something behind the keywords."),
            ("keyword", tree("builtins.tuple", "null",
                             [tree("builtins.list", "null", []), one_name]),
             "A keyword, and a list of arguments.")):
        to.refused("call-no-" + label, twin, changed(plain(), put("root/in_spec", treespec(root))),
                   "EP_MIGRATE_TEXT", MODULES + "0/signature",
                   why + " It would be taken for positional arguments.", also=["7.4.2"])


def calls(to):
    for low, high in (("1", "1-2023-12"), ("1-2023-08", "2")):
        name = to.pair("call", low, high, plain(), ["7.4.2"], "Arguments alone.")[1]
        pair = changed(plain(), put("root/in_spec", arguments(1)))
        to.way("call-pair", low, high, pair, ["7.4.2"], "A tuple and a dict already.")
        keyword = changed(plain(), put("root/in_spec", arguments(0, "x")))
        to.pair("call-keyword", low, high, keyword, ["7.4.2"], "A keyword.")
        one = tree("builtins.list", "null", [LEAF])
        no_names = tree("builtins.dict", "[]", [])
        both = tree("builtins.tuple", "null", [one, no_names])
        drafts = [changed(plain(), put("root/in_spec", treespec(each))) for each in (one, both)]
        to.pair("call-list", low, high, tuple(drafts), ["7.4.2"], "Arguments that are a list.")
        inner = tree("builtins.tuple", "null", [tree("builtins.tuple", "null", [LEAF]), no_names])
        call = treespec(tree("builtins.tuple", "null", [inner, no_names]))
        to.refused("call-of-call", name, changed(plain(), put("root/in_spec", call)),
                   "EP_MIGRATE_TEXT", MODULES + "0/signature",
                   "A tuple and a dict are left, which stand for another call.", also=["7.4.2"])
        no_call(to, name)
        deque = tree("collections.deque", "null", [LEAF])
        for key, text in (("in_spec", called_with(deque)), ("out_spec", treespec(deque))):
            to.refused("call-deque-" + key[:-5], name, changed(plain(), put("root/" + key, text)),
                       "EP_MIGRATE_TEXT", MODULES + "0/signature", "The target has no such type.",
                       also=["7.5.4", "7.4.2"])
    module = Draft(modules=[entry("sub", [tensor("x")], [tensor("t")])])
    module.data = {**plain().data, "modules": module.data["modules"]}
    to.way("call-modules", "1", LATEST, module, ["7.4.2"], "A root without a signature.")
    whole = copy.deepcopy(module)
    whole.data["module"]["module_call_graph"] = [
        {"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": arguments(1),
                                  "out_spec": leaves(1), "forward_arg_names": None}}]
    whole.data["module"]["module_call_graph"] += module.data["modules"]
    to.pair("call-root", "1", "2", whole, ["7.4.2"], "A root with a signature.")
    fields = {"class_name": "P", "fields": ["a"]}
    named = called_with(tree("collections.namedtuple", fields, [LEAF]))
    to.refused("namedtuple", to.name("plain", "2", LATEST),
               changed(plain(), put("root/in_spec", named)), "EP_MIGRATE_TEXT",
               MODULES + "0/signature", "Its fields are said elsewhere later.", also=["7.5.4"])


def verified(dialect, verifiers):
    return plain(dialect=dialect, verifiers=verifiers)


def verifiers(to):
    for low, high in (("2", "7.1"), ("5.4", LATEST)):
        to.pair("edge", low, high, verified("EDGE", ["EDGE"]), ["7.4.3"], "Another than ATEN.")
    name = to.pair("none", "5.4", "7.1", verified("", []), ["7.4.3"], "None.")[1]
    to.refused("verifiers-two", name, verified("", ["ATEN", "EDGE"]), "EP_MIGRATE_FIELD", "",
               "One field for two.", also=["7.4.3"])
    to.refused("verifiers-nameless", name, verified("", [""]), "EP_MIGRATE_FIELD", "",
               "An empty dialect is none.", also=["7.4.3"])
    to.pair("both", "1", "6.1", verified("ATEN", ["ATEN"]), ["7.4.3"], "Two fields for none.")
    to.pair("both", "2", "6.1-a", verified("EDGE", ["EDGE"]), ["7.4.3"], "Two fields for one.")
    to.way("alone", "6.1", "7.1", (verified("EDGE", []), verified("", ["EDGE"])), ["7.4.3"],
           "The dialect alone.")
    left_out = re.sub(r', "(verifiers|dialect)": (\[\]|"")', "", written("6.1", verified("", [])))
    for target in ("5.4", "6.1-a"):
        to.way("left-out", "6.1", target, (left_out, verified("", [])), ["7.4.3", "7.3.1"],
               "Fields that one version may leave out, and the other has to have.")
    to.pair("same", "6.1-a", "6.1", verified("EDGE", ["ATEN", "EDGE"]), ["7.4.3"],
            "Both fields stay.")
    for target in ("5.4", "7.1"):
        name = to.way("agree", "6.1", target, verified("ATEN", ["ATEN"]), ["7.4.3"],
                      "Both say the same.")
        to.refused("disagree", name, verified("EDGE", ["ATEN"]), "EP_MIGRATE_FIELD", "",
                   "One field for two.", also=["7.4.3"])
    for version in ("2", LATEST):
        name = to.name("plain", version, "1")
        to.refused("edge", name, verified("EDGE", ["EDGE"]), "EP_MIGRATE_FIELD", "",
                   "Version 1 means ATEN.", also=["7.4.3"])
        to.refused("verifiers-none", name, verified("", []), "EP_MIGRATE_FIELD", "",
                   "Version 1 means ATEN, and this program names none.", also=["7.4.3"])
    to.refused("training", to.name("plain", LATEST, "5.3"), verified("", ["TRAINING"]),
               "EP_MIGRATE_TEXT", "", "A verifier that the target has not.", also=["7.4.3"])


def subgraph(name, values, results):
    inner = [call("aten.relu.default", {"self": tensor(one)}, tensor(other))
             for one, other in zip(values, results)]
    return {"as_graph": {"name": name, "graph": graph(
        [tensor(each) for each in values], inner, [tensor(each) for each in results],
        tensor_values={each: meta(2, 3) for each in list(values) + list(results)})}}


def strict(outputs, single=None, values=("a",), results=("b",)):
    """An operator of one graph."""
    names = ["u", "v"][:len(results)]
    draft = plain(LATEST, call("higher_order.strict_mode", [
        ("", subgraph("g", values, results)), ("", tensors(*["x"] * len(values)))], outputs,
        is_hop_single_tensor_return=single))
    return kinds(draft.tensors(**{each: meta(2, 3) for each in names}), None)


def returns(to):
    for low, high in (("7.3", LATEST), ("8.3", "8.5-a"), ("5.1", "8.7")):
        to.pair("tuple-of-one", low, high, (strict(tensors("u")), strict(tensor("u"), False)),
                ["7.4.4"], "A tuple of one tensor.")
        to.pair("tensor", low, high, (strict(tensor("u")), strict(tensor("u"), True)), ["7.4.4"],
                "A tensor.")
    to.pair("plain-tensor", "7.3", "8.5-a", plain(), ["7.4.4"], "Of another operator.")
    two = {"values": ("a", "c"), "results": ("b", "d")}
    for low, high in (("4.2", "5.1"), ("2.1", "7.3")):
        to.pair("tensors", low, high, (strict(tensors("u", "v"), **two),
                                       strict([tensor("u"), tensor("v")], **two)), ["7.4.4"],
                "Two tensors, in a list or apart.")
    for low, high in (("4.2", "5.1"), ("2.1", "7.3")):
        for place in range(3):
            outputs = [tensor("u"), tensor("v")]
            outputs.insert(place, {"as_none": True})
            draft = strict(outputs, values=("a", "c", "e"), results=("b", "d", "f"))
            to.pair("tensors-none-%d" % place, low, high, draft, ["7.4.4"],
                    "Several outputs that are not all tensors.")
    for low, single in (("7.3", True), ("4.2", False)):
        to.refused("tensors-single", to.way("tensor-null", LATEST, low, strict(tensor("u")),
                                            ["7.4.4"], "Not said."),
                   strict(tensors("u", "v"), single, **two), "EP_MIGRATE_FIELD",
                   "graph_module/graph/nodes/1", "It is said of a list, which has no form for it.",
                   also=["7.4.4"])


def called(count, names):
    """A module that is called so often, in one entry or one each."""
    modules = [entry(each, [tensor("x")] * number, [tensor("t")] * number, in_spec=arguments(1),
                     out_spec=leaves(1)) for each, number in zip(names, count)]
    return changed(plain(), put("modules", modules))


def lasting(*entries):
    """A module each, and of each call the value that it takes and the one that it gives."""
    modules = [entry(name, [tensor(pair[0]) for pair in pairs], [tensor(pair[1]) for pair in pairs],
                     in_spec=arguments(1), out_spec=leaves(1)) for name, *pairs in entries]
    return changed(plain(), put("modules", modules))


def several(to):
    for low, high in (("7.4", "8.1-a"), ("2", LATEST)):
        name = to.pair("calls", low, high, (called([3, 1], ["sub", "other"]), called(
            [1] * 4, ["sub", "sub@1", "sub@2", "other"])), ["7.4.5"], "A module, three times.")[0]
        uneven = called([3, 1], ["sub", "other"])
        uneven.data["modules"][0]["signature"]["outputs"].pop()
        to.refused("calls-uneven", name, uneven, "EP_MIGRATE_VALUE",
                   MODULES + "1", "Three calls, two results.", also=["7.4.5"])
        to.refused("calls-later", name, called([3, 1], ["sub", "sub@1"]), "EP_MIGRATE_VALUE",
                   MODULES + "2", "A name that would be a later call's.", also=["7.4.5"])
        for letter, said in (("\n", "n"), ('"', '"'), ("\x01", "u0001")):
            names = letter + "sub", "\\" + said + "sub@1"
            to.pair("calls-spelled-%d" % ord(letter), low, high, (called([2, 1], names), called(
                [1] * 3, [names[0], names[0] + "@1", names[1]])), ["7.4.5", "5.5.2"],
                "A name that is spelled as another one reads.")
        to.way("calls-order", high, low, (lasting(
            ("sub@10", "xt"), ("other", "tt"), ("sub@2", "xx"), ("sub", "xt"), ("sub@1", "tx"),
            ("sub@02", "tt")), lasting(("other", "tt"), ("sub", "xt", "tx", "xx", "tt", "xt"))),
            ["7.4.5"], "Later calls anywhere, by their numbers.")
        to.way("calls-chain", high, low, (called([1] * 3, ["sub@1@1", "sub@1", "sub"]), called(
            [1, 2], ["sub@1@1", "sub"])), ["7.4.5"], "No later call of a later call.")
        to.way("calls-free", high, low, (called([1] * 2, ["sub@1@1", "sub@1"]), called(
            [2], ["sub@1"])), ["7.4.5"], "A later call of what only looks like one.")
    to.way("calls-other", LATEST, "7.4", called([1, 1], ["sub@1", "other"]), ["7.4.5"],
           "A name like that of a second call, without a first.")
    name = to.way("calls-two", LATEST, "7.4", (called([1, 1], ["sub", "sub@1"]), called(
        [2], ["sub"])), ["7.4.5"], "A module, twice.")
    bare_first = called([1, 1], ["sub", "sub@1"])
    bare_first.data["modules"][0]["signature"] = None
    to.refused("calls-bare", name, bare_first, "EP_MIGRATE_VALUE", MODULES + "2",
               "A first call that says nothing.", also=["7.4.5"])


def unranged(version):
    """Symbols in expressions of several tensors, in the form of the version."""
    new = ORDER.index(version) >= ORDER.index("8.2")
    texts = {"i1 + u0": "Add(%s, %s)" % (I1, U0), "s0": S0, "u0": U0}
    said = {old: text if new else old for old, text in texts.items()}
    draft = plain()
    return draft.tensors(x=meta(said["s0"], said["i1 + u0"], strides=[1, 1]),
                         t=meta(said["u0"], 3, strides=[1, 1]))


def added(to):
    for target, end in (("5.4", Raw("Infinity")), (LATEST, None)):
        low = Raw("-Infinity") if end is not None else None
        for label, own in (("ranges", ["s0"]), ("ranges-between", ["s1", "s0"])):
            opens = {name: (copy.copy(low), copy.copy(end)) for name in ("u0", "i1")}
            all_of = {**opens, **{name: (2, 8) for name in own}}
            made = ranged(unranged(target), **{name: all_of[name] for name in sorted(all_of)})
            first = ranged(unranged("2"), **{name: (2, 8) for name in own})
            to.way(label, "2", target, (first, made), ["7.4.6"], "Two symbols without a range.")
    name = to.way("ranges-all", "2", "5.3", ranged(unranged("2"), s0=(2, 8), i1=(2, 8), u0=(0, 8)),
                  ["7.4.6"], "All have one, in an order that stays.")
    to.refused("ranges", name, ranged(unranged("2"), s0=(2, 8), i1=(2, 8)), "EP_MIGRATE_VALUE", "",
               "No word for an open range.", also=["7.4.6", "7.2.6"])


def mapped(target, inputs):
    draft = plain(LATEST, call(target, [("", each) for each in inputs], tensors("u")))
    return kinds(draft.tensors(u=meta(2, 3)), None)


def given(to):
    body = subgraph("g", ("a", "c"), ("b",))
    old = mapped("higher_order.map_impl", [body, {"as_int": 1}, tensor("x"), tensor("t")])
    new = mapped("higher_order.map_impl", [body, tensors("x"), tensors("t")])
    name = to.pair("map", "4.2", "5.1", (old, new), ["7.4.7"], "One is mapped, one is not.")
    many = mapped("higher_order.map_impl", [body, {"as_int": 9}, tensor("x"), tensor("t")])
    to.refused("map-many", name[0], many, "EP_MIGRATE_VALUE", NODES + "1", "Nine of two.",
               also=["7.4.7"])
    first = mapped("torch.ops.map_impl", [body, {"as_int": 1}, tensor("x"), tensor("t")])
    for target in ("2", "4.2"):
        to.pair("map-old", "1", target, (first, old), ["7.5.2"], "Under another path.")
    to.pair("map-old", "1", "5.1", (first, new), ["7.5.2", "7.4.7"], "Under another path, too.")


# ---- 7.1.7: what is said again ------------------------------------------------------


def between_quotes(text):
    """The bytes of a text as it stands in a document."""
    return len(json.dumps(text)) - 2


def at_the_limit(version, make, repeated):
    """The draft whose repetition is eight times its document, and the next one beyond.
    make(size, pad): with a name of that size, and so much that nothing repeats."""
    first, second = (len(written(version, make(size, 0))) for size in (1, 2))
    for size in range(1, 20000):
        pad, rest = divmod(repeated(size) - 8 * (first + (second - first) * (size - 1)), 8)
        if pad >= 0 and rest == 0:
            assert 8 * len(written(version, make(size, pad))) == repeated(size)
            return size, pad
    raise AssertionError("no size fits")


def padded(draft, pad):
    """A longer document, by so many bytes."""
    draft.data["graph"]["nodes"][0]["metadata"] = {"zz": "p" * pad}
    return draft


def repetition(to):
    count = 30

    def module(size, pad):
        return padded(called([count], ["m" * size]), pad)

    specs = between_quotes(arguments(1)) + between_quotes(leaves(1))
    size, pad = at_the_limit("7.4", module, lambda size: (count - 1) * (size + specs))
    after = padded(called([1] * count, ["m" * size + ("@%d" % i if i else "")
                                        for i in range(count)]), pad)
    name = to.way("repeated-calls", "7.4", "8.1-a", (module(size, pad), after),
                  ["7.1.7", "7.4.5"], "Eight times the document.")
    to.refused("repeated-calls-more", name, module(size + 1, pad), "EP_LIMIT_GROWTH", MODULES + "1",
               "A name that is longer by a byte.", also=["7.4.5"])
    body = subgraph("g", ["a%d" % i for i in range(count + 1)], ("b",))

    def map_of(version, size, pad):
        lists = [tensors(*"x" * count)] if version == "5.1" else [
            {"as_int": count}, *[tensor("x")] * count]
        lists += [tensors("t")] if version == "5.1" else [tensor("t")]
        draft = mapped("higher_order.map_impl", [body, *lists])
        for each in draft.data["graph"]["nodes"][1]["inputs"]:
            each["name"] = "f" * size if version == "4.2" else ""
        draft.data["graph"]["nodes"][1]["inputs"][0]["name"] = "f" * size
        return padded(draft, pad)

    size, pad = at_the_limit("5.1", lambda *size: map_of("5.1", *size),
                             lambda size: (count + 2) * size)
    name = to.way("repeated-arguments", "5.1", "4.2", (
        map_of("5.1", size, pad), map_of("4.2", size, pad)), ["7.1.7", "7.4.7"],
        "Eight times the document.")
    to.refused("repeated-arguments-more", name, map_of("5.1", size + 1, pad), "EP_LIMIT_GROWTH",
               NODES + "1", "A name that is longer by a byte.", also=["7.4.7"])


def said_again(count, size):
    """A program of version 1 whose outputs are one value, often, and another one: the spec of the
    first is that of a buffer, and made for each."""
    draft = Draft(header={"torch_version": "<=2.4"}).take(
        buffer("b", "n" * size), user_input(tensor("x")))
    draft.tensors(**{each: meta(2, 3) for each in "bxtu"})
    draft.node(add("b", "x", "t"), add("t", "x", "u"))
    draft.give(spec("buffer_mutation", "u", buffer_name="n" * size),
               *[user_output(tensor("t"))] * count)
    draft.data["graph"]["outputs"] = [tensor("u")] * count + [tensor("t")]
    return kinds(draft, None)


def repeated_specs(to):
    count, size = 30, 20000
    draft = said_again(count, size)
    assert (count - 1) * size > 8 * len(written("1", draft))
    for target in ("1-2023-12", LATEST):
        twin = to.pair("said-once", "1", target, signed().give(
            spec("buffer_mutation", "u", buffer_name="a"), user_output(tensor("r"))), ["7.4.1"],
            "A buffer that is written to.")[0]
        to.refused("repeated-specs", twin, draft, "EP_LIMIT_GROWTH", SIGNATURE[:-1],
                   "The name of a buffer, for each output.", also=["7.1.7", "7.4.1"])


# ---- 7.6: rules of the target -----------------------------------------------------------


def refusals(to):
    name = to.name("plain", LATEST, "8.11")

    def complex_scalar(data):
        data["graph"]["nodes"].append(call("aten.mul.Scalar", [("self", tensor("x")), (
            "other", {"as_complex": {"real": 0.5, "imag": 1.5}})], tensor("u")))
        data["graph"]["tensor_values"]["u"] = meta(2, 3)
    to.refused("complex", name, kinds(changed(plain(), complex_scalar), None), "EP_MIGRATE_TAG",
               NODES + "1/inputs/1/arg", "A tag that came later.", also=["7.1.3"])
    own = Draft(header={"torch_version": "<=2.4"})
    own.take(parameter("p", "w"), parameter("q", "v"), user_input(tensor("x")))
    own.tensors(**{each: meta(2, 3) for each in "pqxtu"})
    own.node(add("x", "p", "t"), add("t", "q", "u")).give(user_output(tensor("u")))
    name = to.pair("parameters", "8.7", "8.8", kinds(own, None), ["7.6.7"], "Two parameters.")[0]
    tied = changed(own, put("input_specs/1/parameter/parameter_name", "w"))
    to.refused("tied", name, tied, "EP_SPEC_TWICE",
               SIGNATURE + "input_specs/1/parameter/parameter_name", "One name for two.",
               also=["7.6.7"])
    name = to.pair("known", "7.3", "8.2", plain(), ["7.6.7"], "An operator of both.")[1]
    alien = changed(plain(), put("graph/nodes/0", call(
        "aten._convert_weight_to_int4pack_for_cpu.default", [
            ("self", tensor("x")), ("innerKTiles", {"as_int": 1})], tensor("t"))))
    to.refused("operator", name, kinds(alien, None), "EP_OPERATOR", NODES + "0/target",
               "torch 2.6 has it, the release of the target has not.", also=["7.6.7"])


def vectors(suite):
    to = Migrations(suite)
    for part in (everywhere, values, members, signatures, calls, verifiers, returns, several, added,
                 given, repetition, repeated_specs, refusals):
        part(to)
