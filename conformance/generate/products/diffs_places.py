"""Differences whose place is not that of a value in both files: what a file leaves out, what a
migration made of a program of the first version, and what is far away in a large file.
"""

import copy
import json

from format.document import Document
from generate.products.diffs import (ARGUMENTS, F, GRAPH, HOP, LATEST, MODULES, NODES, SIGNATURE,
                                     Pairs, Side, listed, program, row)
from generate.products.diffs_more import HEADER, argument, at_text, cut, row_of, symbol
from generate.suite import change_between
from generate.whole import (LEAF, Draft, arguments, at, call, graph, meta, parameter, tensor, tree,
                            treespec, user_input, user_output)

# ---- left out -----------------------------------------------------------------------------


class Without(Side):
    """A program whose file leaves a member out."""

    def __init__(self, data, path, key):
        super().__init__(data)
        owner = at(self.document, path) if path else self.document.root
        owner.members = [each for each in owner.members if each[0] != key]
        self.document = Document(self.document.root)
        self.text = self.document.text


def left_out(suite):
    """An index of a device, and the release."""
    data = program()
    first = 4 + [name for name, *_ in ARGUMENTS].index("device")
    indexed = copy.deepcopy(data)
    indexed["graph"]["nodes"][0]["inputs"][first]["arg"]["as_device"]["index"] = 1
    device = NODES + "0/inputs/%d/arg/as_device" % first
    Pairs(suite, "left-out-index", indexed).beside(
        "argument", Without(data, device, "index"),
        [row("argument", "Device", "index", device + "/index", [device], target=F,
             argument="device")], "A device that has an index, and one that says nothing of it.")
    for label, asked in (("", None), ("-provenance", {"provenance": True})):
        pairs = Pairs(suite, "left-out" + label, data, options=asked)
        none = Without(data, "", "torch_version")
        told = [row("provenance", "ExportedProgram", "torch_version", "torch_version", None)]
        pairs.beside("release", none, told if asked else [],
                     "A file that says no release.")
        both = "diff/left-out%s-both/%s" % (label, LATEST)
        suite.valid(both, "diff", LATEST, none.text, ["6.1.1"], "Two files that say no release.",
                    provenance="hand", other=both, product={"text": "[]"}, options=asked,
                    file="whole/8.20-diff-left-out-both.json")


# ---- null ---------------------------------------------------------------------------------


def nulls(suite):
    """An end of a range that is open, and one that is 0."""
    for key, other in (("min_val", "max_val"), ("max_val", "min_val")):
        limits = {"u0": {key: 0, other: None}}
        draft = Draft(header={**copy.deepcopy(HEADER), "range_constraints": limits})
        draft.take(user_input(tensor("x"))).tensors(x=meta(2))
        draft.node(call("aten.item.default", {"self": tensor("x")}, {"as_sym_int": {
            "as_name": "u"}}))
        draft.table("sym_int_values", u=symbol("u0").replace("positive=True, ", ""))
        pairs = Pairs(suite, "null-" + key.replace("_", "-"),
                      draft.give(user_output(tensor("x"))).data)

        def change(data, key=key):
            data["header"]["range_constraints"]["u0"][key] = None
        where = "range_constraints/u0/" + key
        pairs.pair("zero", change, [row("constraint", "RangeConstraint", key, where, where)],
                   "0 is an end of a range, and null is none.")

    def opset(data):
        data["header"]["opset_version"] = {"aten": 10, "mylib": 0}
    Pairs(suite, "null-opset", program()).pair(
        "zero", opset, [row("header", "ExportedProgram", "opset_version", None,
                            ("opset_version", "mylib"))], "An opset of 0, and none.")


# ---- modules, subgraphs and kinds ------------------------------------------------------------


class Shown(Side):
    """A program, and what is shown of its long texts."""

    cuts = ()

    def said(self, where):
        said = super().said(where)
        if isinstance(where, str) and where in self.cuts:
            said = {key: value for key, value in said.items() if key not in ("text", "cut_behind")}
            said.update(self.cuts[where])
        return said


def specs(suite):
    """Tree specs of a module, each alone and both."""
    where = {key: MODULES + "1/signature/" + key for key in ("in_spec", "out_spec")}
    rows = {key: row("tree spec", "ModuleCallSignature", key, path, path)
            for key, path in where.items()}
    said = {"in_spec": arguments(0, "k"), "out_spec": treespec(
        tree("builtins.list", "null", [LEAF]))}
    for keys in (("in_spec",), ("in_spec", "out_spec")):
        data = program()
        for key in keys:
            data["modules"][0]["signature"][key] = said[key]
        pairs = Pairs(suite, "-".join(keys).replace("_", "-"), program())
        sides = pairs.side, other = Shown(program()), Shown(data)
        parts = {where[key]: list(cut([at_text(side, where[key]) for side in sides]))
                 for key in keys}
        for i, side in enumerate(sides):
            side.cuts = {path: part[i] for path, part in parts.items()}
        pairs.beside("other", other, [rows[key] for key in keys],
                     "How a module is called, and what it gives.")


def returns(suite):
    """What a subgraph and an operator say of one tensor."""
    where = NODES + "1/inputs/1/arg/as_graph/graph/is_single_tensor_return"

    def inner(data):
        branch = data["graph"]["nodes"][1]["inputs"][1]["arg"]["as_graph"]["graph"]
        branch["is_single_tensor_return"] = True
    Pairs(suite, "returns", program()).pair(
        "subgraph", inner, [row("subgraph", "Graph", "is_single_tensor_return", where, where)],
        "A subgraph that gives a tensor, or a tuple of it.")
    data = program()
    data["graph"]["nodes"][1]["is_hop_single_tensor_return"] = True

    def null(data):
        data["graph"]["nodes"][1]["is_hop_single_tensor_return"] = None
    Pairs(suite, "returns-tensor", data).pair("null", null, [],
                                              "Null means what true does of one tensor.")


def kinds(suite):
    """The kind of a named argument of a higher-order operator is part of the program: it is
    told as that, and not once more as what is left out."""
    inner = graph([tensor("i")], [call("mylib.s.default", {"a": tensor("i")}, tensor("j"))],
                  [tensor("j")], tensor_values={"i": meta(2), "j": meta(2)})
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x")))
    draft.tensors(x=meta(2), r=meta(2)).node(call("higher_order.wrap", {
        "f": {"as_graph": {"name": "g", "graph": inner}}, "a": tensor("x")}, tensor("r"),
        is_hop_single_tensor_return=False))
    data = draft.give(user_output(tensor("r"))).data
    where = NODES + "0/inputs/1/kind"

    def null(data):
        data["graph"]["nodes"][0]["inputs"][1]["kind"] = None
    for label, options in (("", None), ("-provenance", {"provenance": True})):
        Pairs(suite, "kind-kept" + label, copy.deepcopy(data), options=options).pair(
            "null", null, [row("argument", "NamedArgument", "kind", where, where,
                               target=HOP.replace("cond", "wrap"), argument="a")],
            "By position, or by a name.")


# ---- the first version ------------------------------------------------------------------------


def first_version(suite):
    """What a migration made has the place of what it was made from."""
    draft = Draft(header=copy.deepcopy(HEADER)).take(parameter("p", "w"), user_input(tensor("x")))
    draft.tensors(p=meta(2), x=meta(2), y=meta(2))
    draft.node(call("mylib.a.default", {"n": {"as_int": 1}}, []),
               call("mylib.b.default", {"self": tensor("x"), "n": {"as_int": 1}}, tensor("y")))
    draft.give(user_output(tensor("y")))
    draft.data["root"]["in_spec"] = treespec(tree("builtins.tuple", "null", [LEAF]))
    pairs = Pairs(suite, "first-version", draft.data, "1")
    value = NODES + "1/inputs/1/arg/as_int"

    def number(data):
        data["graph"]["nodes"][1]["inputs"][1]["arg"] = {"as_int": 2}
    pairs.pair("argument", number, [
        row("argument", "Argument", "as_int", value, value,
            target="torch.ops.mylib.b.default", argument="n")], "A number of a node.")

    def node(data):
        data["graph"]["nodes"].pop(0)
    pairs.pair("node", node, [row("node", "Node", None, NODES + "0", None)], "A node less.")

    def dtype(data):
        data["graph"]["tensor_values"]["y"]["dtype"] = 8
    table = GRAPH + "tensor_values/y/meta/dtype"
    pairs.pair("value", dtype, [row("value", "TensorMeta", "dtype", table, table)],
               "What a tensor is.")

    def without(data):
        data["input_specs"].pop(0)
        data["graph"]["inputs"].pop(0)
        del data["graph"]["tensor_values"]["p"]
    pairs.pair("parameter", without, [row("signature", "InputSpec", None, GRAPH + "inputs/0", None)],
               "A parameter less: its spec was made of an input.")
    draft.data["graph"]["constants"] = {"k": "AAEC"}
    pairs = Pairs(suite, "first-version-constant", draft.data, "1")

    def constant(data):
        data["graph"]["constants"] = {}
    pairs.pair("none", constant, [row("signature", "InputSpec", None, SIGNATURE[:-1], None)],
               "A tensor inside the program less: its spec was made of the signature.")


# ---- texts --------------------------------------------------------------------------------------


class Spelled(Side):
    """A program with a value that is spelled otherwise; blanks behind it are no part of it."""

    def __init__(self, data, path, text):
        super().__init__(data)
        at(self.document, path).text = text
        self.document = Document(self.document.root)
        self.text = self.document.text

    def excerpt(self, node):
        said = super().excerpt(node)
        return {**said, "text": said["text"].rstrip(" ")}


def spelled(suite):
    """Numbers with a blank behind, and long ones whose first and last digits are other ones."""
    value = NODES + "0/inputs/0/arg/as_%s"
    long = ".5" + "0" * 150
    for label, kind, member, one, other in (
            ("blank", "as_int", "int", "1 ", "2  "),
            ("long", "as_float", "float", "1" + long + "1", "2" + long + "2")):
        data = row_of("a1")
        data["graph"]["nodes"][0]["inputs"][0]["arg"] = {kind: json.loads(one)}
        pairs = Pairs(suite, "spelled-" + label, Spelled(data, value % member, one))
        pairs.beside("other", Spelled(data, value % member, other), [
            row("argument", "Argument", kind, value % member, value % member,
                target="torch.ops.mylib.a.default", argument="n")], "Another number.")


def continued(suite):
    """A long number, and the same digits with an exponent behind."""
    value = NODES + "0/inputs/0/arg/as_float"
    texts = ["1." + "0" * 130, "1." + "0" * 130 + "e1"]
    data = row_of("a1")
    data["graph"]["nodes"][0]["inputs"][0]["arg"] = {"as_float": 1.0}
    sides = Shown(data), Shown(data)
    for side, text, part in zip(sides, texts, cut(texts)):
        at(side.document, value).text = text
        side.document = Document(side.document.root)
        side.text, side.cuts = side.document.text, {value: part}
    Pairs(suite, "spelled-continued", sides[0]).beside("other", sides[1], [
        row("argument", "Argument", "as_float", value, value,
            target="torch.ops.mylib.a.default", argument="n")],
        "A text that goes on where the other ends.")


# ---- large files --------------------------------------------------------------------------------

BLANKS = " " * 100
LEAST = 8  # differences that are told, however long it takes to find their places
LARGE = (  # (label, hundreds of bytes before each program, how many differences are told: None
           # for all, whether the release is one of them)
    ("middling", (1000, 1000), None, False), ("midway", (9500, 9500), None, False),
    ("nodes", (31500, 31500), LEAST, False), ("release", (22100, 22100), LEAST, True),
    ("uneven", (31500, 0), LEAST + 2, False))


class Far(Side):
    """A program behind so many blanks."""

    def __init__(self, side, blanks):
        self.version, self.data, self.document = side.version, side.data, side.document
        self.blanks, self.text = blanks, side.text

    def said(self, where):
        said = super().said(where)
        if "offset" in said:
            said["offset"] += len(BLANKS) * self.blanks
        return said


def large(suite):
    """Files in which places are far from the beginning: the differences that are always told,
    and how many there are beyond."""
    count = 12
    data = row_of(" ".join("a%d" % i for i in range(count)))
    for i, node in enumerate(data["graph"]["nodes"]):
        node["name"] = "n%d" % i
    other = copy.deepcopy(data)
    for i, node in enumerate(other["graph"]["nodes"]):
        node["inputs"][0]["arg"]["as_int"] = 100 + i
        node["name"] = "m%d" % i
    for label, blanks, most, released in LARGE:
        options = {"provenance": True} if released else None
        one = Side(data)
        two = Side(other) if not released else Without(named(data, other), "", "torch_version")
        base = "diff/large-base-%s/%s" % ("release" if released else "nodes", LATEST)
        if base not in suite.vectors:
            suite.valid(base, "diff", LATEST, one.text, ["6.1.1"], "A program is one with itself.",
                        provenance="hand", other=base, product={"text": "[]"}, options=options,
                        file="whole/8.20-diff-large.json")
        names = ["diff/large-%s%s/%s" % (label, end, LATEST) for end in ("", "-back")]
        rows = [argument(i, i, "a") for i in range(count)]
        if released:
            where = NODES + "%d/name"
            rows = [row("provenance", "ExportedProgram", "torch_version", "torch_version", None)]
            rows += [row("provenance", "Node", "name", where % i, where % i) for i in range(count)]
        sides = (Far(one, blanks[0]), Far(two, blanks[1]))
        most = most or len(rows)
        why = "More differences than are looked for in so large files." if most < len(rows) else (
            "As many differences as are looked for in files of some length.")
        for i, change in enumerate(((0, 0, BLANKS, blanks[0]), (
                0, len(one.text), BLANKS, blanks[1], two.text, ""))):
            change = change if blanks[i] else change_between(one.text, two.text)
            suite.valid_edit(names[i], base, change, ["6.1.1"], why, other=names[1 - i],
                             product=listed(sides, rows[:most], bool(i), len(rows) - most),
                             provenance="hand",
                             flags=["foreign-spelling", "large"] if blanks[i] else None)


def named(data, other):
    """The first program with the names that the nodes of the other have."""
    made = copy.deepcopy(data)
    for node, its in zip(made["graph"]["nodes"], other["graph"]["nodes"]):
        node["name"] = its["name"]
    return made


def vectors(suite):
    for part in (left_out, nulls, specs, returns, kinds, first_version, spelled,
                 continued, large):
        part(suite)
