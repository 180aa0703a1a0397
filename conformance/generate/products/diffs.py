"""Where two programs differ, as `epref diff` tells it: a difference of every kind, by its
place in both files, and programs that are one. What a difference is about, and what it is
called, is documented in epref.h and epref(1), not in SPEC.md: these lists bind the
reference alone. Every pair is asked in both directions.
"""

import copy
import json

from format.history import VERSIONS
from generate.suite import change_between
from generate.whole import (GRAPH, MODULES, NODES, SIGNATURE, Draft, at, buffer, call, entry,
                            graph, leaves, meta, parameter, spec, sym_int, tensor, tensors, tree,
                            treespec, tree_of, user_input, user_output)
from format.document import Document

LATEST = "8.20"
ABSENT = {"there": False}
SHOWN = 120  # bytes of an excerpt


class Side:
    """One program of a pair."""

    def __init__(self, data, version=LATEST, style=None):
        self.version = VERSIONS[version]
        self.data, self.document = data, Document(tree_of(self.version, data), style)
        self.text = self.document.text

    def said(self, where):
        """A place: None, nothing there; a path, the value; (path, key), what is under a key of
        a dict; [path], not there, and only the place of what it would be in is known."""
        if where is None:
            return dict(ABSENT)
        if isinstance(where, list):
            node = at(self.document, where[0])
            return {"there": False, "offset": node.start, "pointer": node.pointer}
        if isinstance(where, tuple):
            parent = at(self.document, where[0])
            node = parent.member(where[1])
            start = parent.keys[parent.index(where[1])]
        else:
            node = at(self.document, where) if where else self.document.root
            start = node.start
        return {"there": True, "offset": start, "pointer": node.pointer,
                **self.excerpt(node), **self.enumerator(node)}

    def excerpt(self, node):
        text = self.text[node.start:node.end]
        cut = len(text) > SHOWN
        return {"text": text[:SHOWN], **({"cut_behind": True} if cut else {})}

    def enumerator(self, node):
        shape = node.shape
        if shape is not None and shape.kind == "optional":
            shape = shape.parts[0]
        if shape is None or shape.kind != "enum" or node.kind == "null":
            return {}
        values = self.version.types[shape.name].values
        return {"enumerator": next(name for name, value in values.items()
                                   if value == int(node.text))}


def row(group, kind, member, first, second, **about):
    """A difference: what it is about, and its two places."""
    return {"group": group, "type": kind, "member": member, "about": about,
            "places": (first, second)}


def listed(sides, rows, turned=False, more=0):
    """The list as the operation wants it. more: how many there are beyond those that are told."""
    lines = []
    for each in rows:
        about = {key: value for key, value in each["about"].items() if key in ("target", "argument")}
        if turned and "target_back" in each["about"]:
            about["target"] = each["about"]["target_back"]
        said = [sides[i].said(each["places"][i]) for i in (0, 1)]
        said = said[::-1] if turned else said
        lines.append({"group": each["group"], "type": each["type"],
                      **({"member": each["member"]} if each["member"] else {}),
                      **about, "a": said[0], "b": said[1]})
    lines += [{"more": more}] if more else []
    return {"text": json.dumps(lines)}


class Pairs:
    """Programs beside one that they are made from: its data, or a side that is there."""

    def __init__(self, suite, label, data, version=LATEST, options=None):
        self.suite, self.label, self.version, self.options = suite, label, version, options
        self.side = data if isinstance(data, Side) else Side(data, version)
        self.base = "diff/%s/%s" % (label, version)
        suite.valid(self.base, "diff", version, self.side.text, ["6.1.1"],
                    "A program is one with itself.", provenance="hand", other=self.base,
                    file="whole/%s-diff-%s.json" % (version, label), product={"text": "[]"},
                    options=options)

    def pair(self, label, change, rows, why, back=None, more=0):
        """The base and a changed one, and the other way round. back: the rows of that, where
        their order is another."""
        data = copy.deepcopy(self.side.data)
        change(data)
        self.beside(label, Side(data, self.version), rows, why, back, more)

    def beside(self, label, side, rows, why, back=None, more=0):
        """The same with a side that is there."""
        sides = (self.side, side)
        names = ["diff/%s-%s%s/%s" % (self.label, label, end, self.version) for end in ("", "-back")]
        said = dict(provenance="hand", options=self.options)
        self.suite.valid_edit(names[0], self.base, None, ["6.1.1"], why, other=names[1],
                              product=listed(sides, rows, more=more), **said)
        self.suite.valid_edit(names[1], self.base,
                              change_between(self.side.text, sides[1].text), ["6.1.1"],
                              why + " The other way round.", other=names[0],
                              flags=["large"] if len(sides[1].text) > len(self.side.text) + 300
                              else None, product=listed(sides, back or rows, True, more), **said)


F, G, H, HOP = ("torch.ops." + name for name in (
    "mylib.f.default", "mylib.g.default", "mylib.h.default", "higher_order.cond"))


def inner(target="mylib.s.default"):
    return graph([tensor("i")], [call(target, {"a": tensor("i")}, tensor("j"))], [tensor("j")],
                 tensor_values={"i": meta(2, 3), "j": meta(2, 3)})


ARGUMENTS = (  # (name, value, other value, path below the Argument to the value that differs)
    ("int", {"as_int": 1}, {"as_int": 2}, "as_int"),
    ("ints", {"as_ints": [1, 2, 3]}, {"as_ints": [1, 5, 3]}, "as_ints/1"),
    ("float", {"as_float": 0.5}, {"as_float": 0.25}, "as_float"),
    ("floats", {"as_floats": [0.5, 1.5]}, {"as_floats": [0.5, 2.5]}, "as_floats/1"),
    ("bool", {"as_bool": True}, {"as_bool": False}, "as_bool"),
    ("bools", {"as_bools": [True, False]}, {"as_bools": [False, False]}, "as_bools/0"),
    ("string", {"as_string": "a"}, {"as_string": "b"}, "as_string"),
    ("strings", {"as_strings": ["a", "b"]}, {"as_strings": ["a", "c"]}, "as_strings/1"),
    ("operator", {"as_operator": "torch.ops.mylib.o.default"},
     {"as_operator": "torch.ops.mylib.p.default"}, "as_operator"),
    ("dtype", {"as_scalar_type": 7}, {"as_scalar_type": 8}, "as_scalar_type"),
    ("layout", {"as_layout": 7}, {"as_layout": 1}, "as_layout"),
    ("format", {"as_memory_format": 1}, {"as_memory_format": 2}, "as_memory_format"),
    ("device", {"as_device": {"type": "cpu", "index": None}},
     {"as_device": {"type": "cuda", "index": None}}, "as_device/type"),
    ("complex", {"as_complex": {"real": 1.5, "imag": 2.5}},
     {"as_complex": {"real": 1.5, "imag": 3.5}}, "as_complex/imag"),
    ("lists", {"as_int_lists": [[1, 2], [3]]}, {"as_int_lists": [[1, 2], [4]]}, "as_int_lists/1/0"),
)
MEMBER_OF = {"device": ("Device", "type"), "complex": ("ComplexValue", "imag")}


def program():
    """Every kind of input and argument, a subgraph, and what the signature says of them."""
    draft = Draft(header={"verifiers": [""], "torch_version": "2.13.0"})
    draft.take(parameter("p_w", "w"), buffer("b_a", "a"),
               {"buffer": {**buffer("b_n", "n")["buffer"], "persistent": False}},
               spec("tensor_constant", "c_k", tensor_constant_name="k"),
               user_input(tensor("x")), user_input(tensor("y")), user_input(tensor("q")))
    draft.tensors(p_w=meta(3, 3), b_a=meta(2, 3), b_n=meta(2, 3), c_k=meta(2), x=meta(2, 3),
                  y=meta(2, 3), q=meta(dtype=12), a=meta(2, 3), b=meta(2, 3), c=meta(2, 3),
                  r=meta(2, 3))
    first = call("mylib.f.default", {"self": tensor("x"), "other": tensor("p_w"),
                                     "c": tensor("c_k"), "n": tensor("b_n")}, tensor("a"))
    for name, value, _, _ in ARGUMENTS:
        first["inputs"].append({"name": name, "arg": copy.deepcopy(value), "kind": 1})
    branch = call("higher_order.cond", [
        ("", tensor("q")), ("", {"as_graph": {"name": "true_graph_0", "graph": inner()}}),
        ("", {"as_graph": {"name": "false_graph_0", "graph": inner("mylib.t.default")}}),
        ("", tensors("a"))], [tensor("b")], is_hop_single_tensor_return=False)
    draft.node(first, branch, call("mylib.g.default", {"self": tensor("b")}, tensor("c")),
               call("mylib.h.default", {"self": tensor("c"), "other": tensor("y")}, tensor("r")))
    draft.data["modules"].append(entry("sub", [tensor("x")], [tensor("r")]))
    draft.data["modules"].append(entry("sub.a"))
    return draft.give(spec("buffer_mutation", "c", buffer_name="a"),
                      user_output(tensor("r"))).data


def nodes(data):
    return data["graph"]["nodes"]


def arguments(pairs):
    """What a node is called with."""
    first = len(pairs.side.data["graph"]["nodes"][0]["inputs"]) - len(ARGUMENTS)
    for i, (name, _, other, path) in enumerate(ARGUMENTS):
        def change(data, i=first + i, other=other):
            nodes(data)[0]["inputs"][i]["arg"] = other
        where = NODES + "0/inputs/%d/arg/%s" % (first + i, path)
        kind, member = MEMBER_OF.get(name, ("Argument", path.split("/")[0]))
        pairs.pair("argument-" + name, change,
                   [row("argument", kind, member, where, where, target=F, argument=name)],
                   "A number, text or enumerator of an argument.")

    def one(i, arg):
        def change(data):
            nodes(data)[0]["inputs"][i]["arg"] = arg
        return change

    for label, i, arg in (("tag", first, {"as_float": 0.5}), ("none", first, {"as_none": True})):
        where = NODES + "0/inputs/%d/arg" % i
        pairs.pair("argument-" + label, one(i, arg),
                   [row("argument", "Argument", None, where, where, target=F, argument="int")],
                   "An argument of another kind.")
    where = NODES + "0/inputs/%d/arg/as_ints" % (first + 1)
    pairs.pair("argument-shorter", one(first + 1, {"as_ints": [1, 2]}),
               [row("argument", "Argument", "as_ints", where, where, target=F, argument="ints")],
               "A shorter list.")
    where = NODES + "0/inputs/0/arg/as_tensor/name"
    pairs.pair("argument-value", one(0, tensor("y")),
               [row("argument", "TensorArgument", "name", where, where, target=F,
                    argument="self")], "Another value.")

    def without(data):
        nodes(data)[0]["inputs"].pop(first)
    pairs.pair("argument-gone", without,
               [row("argument", "NamedArgument", None, NODES + "0/inputs/%d" % first, None,
                    target=F, argument="int")], "An argument that only one has.")

    def renamed(data):
        nodes(data)[0]["inputs"][first]["name"] = "integer"
    where = NODES + "0/inputs/%d" % first
    pairs.pair("argument-renamed", renamed,
               [row("argument", "NamedArgument", None, where, None, target=F, argument="int"),
                row("argument", "NamedArgument", None, None, where, target=F, argument="integer")],
               "An argument of another name.",
               back=[row("argument", "NamedArgument", None, None, where, target=F,
                         argument="integer"),
                     row("argument", "NamedArgument", None, where, None, target=F,
                         argument="int")])


def of_nodes(pairs):
    where = NODES + "2"

    def target(data):
        nodes(data)[2]["target"] = "torch.ops.mylib.g2.default"
    pairs.pair("node-target", target,
               [row("node", "Node", "target", where + "/target", where + "/target", target=G,
                    target_back="torch.ops.mylib.g2.default")], "Another operator.")

    def inserted(data):
        nodes(data).insert(2, call("mylib.z.default", {}, []))
    pairs.pair("node-inserted", inserted, [row("node", "Node", None, None, where)],
               "A node in the middle, whose results nobody has.")

    def between(data):
        nodes(data).insert(3, call("mylib.z.default", {"self": tensor("c")}, tensor("d")))
        nodes(data)[4]["inputs"][0]["arg"] = tensor("d")
        data["graph"]["tensor_values"]["d"] = meta(2, 3)
    name = NODES + "%d/inputs/0/arg/as_tensor/name"
    pairs.pair("node-between", between,
               [row("node", "Node", None, None, NODES + "3"),
                row("argument", "TensorArgument", "name", name % 3, name % 4, target=H,
                    argument="self")], "A node between two others.")

    def first(data):
        nodes(data).insert(0, call("mylib.z.default", {}, []))
    pairs.pair("node-first", first, [row("node", "Node", None, None, NODES + "0")],
               "A node before all others.")

    def last(data):
        nodes(data).append(call("mylib.z.default", {"self": tensor("r")}, []))
    pairs.pair("node-last", last, [row("node", "Node", None, None, NODES + "4")],
               "A node behind all others.")

    def outputs(data):
        nodes(data)[2]["outputs"].append(tensor("c2"))
        data["graph"]["tensor_values"]["c2"] = meta(2, 3)
    pairs.pair("node-outputs", outputs,
               [row("node", "Argument", None, None, where + "/outputs/1", target=G)],
               "A result that only one has.")

    def single(data):
        nodes(data)[1]["is_hop_single_tensor_return"] = True
    where = NODES + "1/is_hop_single_tensor_return"
    pairs.pair("node-single", single,
               [row("node", "Node", "is_hop_single_tensor_return", where, where, target=HOP)],
               "One result in a tuple, or by itself.")


def of_values(pairs):
    table = GRAPH + "tensor_values"
    for label, key, value, path in (
            ("dtype", "dtype", 8, "dtype"), ("layout", "layout", 1, "layout"),
            ("grad", "requires_grad", True, "requires_grad"),
            ("size", "sizes", [2, 4], "sizes/1/as_int"),
            ("rank", "sizes", [2, 3, 1], "sizes"),
            ("stride", "strides", [3, 2], "strides/1/as_int"),
            ("offset", "storage_offset", 4, "storage_offset/as_int"),
            ("device", "device", {"type": "cuda", "index": None}, "device/type"),
            ("index", "device", {"type": "cpu", "index": 0}, None)):
        def change(data, key=key, value=value):
            data["graph"]["tensor_values"]["a"][key] = value
            if key == "sizes" and len(value) == 3:
                data["graph"]["tensor_values"]["a"]["strides"] = [3, 1, 1]
        where = "%s/a/%s" % (table, path)
        kind, member = {"sizes/1/as_int": ("SymInt", "as_int"),
                        "strides/1/as_int": ("SymInt", "as_int"),
                        "storage_offset/as_int": ("SymInt", "as_int"),
                        "device/type": ("Device", "type")}.get(path, ("TensorMeta", path))
        rows = [row("value", kind, member, where, where)]
        if path is None:
            where = table + "/a/device/index"
            rows = [row("value", "Device", "index", where, where)]
        if label == "rank":
            strides = table + "/a/strides"
            rows.append(row("value", "TensorMeta", "strides", strides, strides))
        pairs.pair("value-" + label, change, rows, "What a tensor is.")

    def two(data):
        data["graph"]["tensor_values"]["a"]["dtype"] = 8
        data["graph"]["tensor_values"]["r"]["dtype"] = 6
    pairs.pair("value-two", two,
               [row("value", "TensorMeta", "dtype", table + "/%s/dtype" % name,
                    table + "/%s/dtype" % name) for name in ("a", "r")], "Two tensors.")


def of_subgraphs(pairs):
    inside = NODES + "1/inputs/1/arg/as_graph/graph/"

    def body(data):
        return nodes(data)[1]["inputs"][1]["arg"]["as_graph"]["graph"]

    def target(data):
        body(data)["nodes"][0]["target"] = "torch.ops.mylib.s2.default"
    where = inside + "nodes/0/target"
    pairs.pair("inner-target", target,
               [row("node", "Node", "target", where, where, target="torch.ops.mylib.s.default",
                    target_back="torch.ops.mylib.s2.default")], "Inside of a subgraph.")

    def dtype(data):
        body(data)["tensor_values"]["j"]["layout"] = 1
    where = inside + "tensor_values/j/layout"
    pairs.pair("inner-value", dtype, [row("value", "TensorMeta", "layout", where, where)],
               "What a tensor of a subgraph is.")

    def output(data):
        body(data)["outputs"][0] = tensor("i")
    where = inside + "outputs/0/as_tensor/name"
    pairs.pair("inner-output", output,
               [row("subgraph", "TensorArgument", "name", where, where)],
               "What a subgraph gives.")

    def inserted(data):
        body(data)["nodes"].insert(0, call("mylib.z.default", {}, []))
    pairs.pair("inner-inserted", inserted,
               [row("node", "Node", None, None, inside + "nodes/0")], "A node in a subgraph.")

    def renamed(data):
        nodes(data)[1]["inputs"][1]["arg"]["as_graph"]["name"] = "other_name"
    pairs.pair("inner-name", renamed, [], "The name of a subgraph is no part of the program.")


def of_signature(pairs):
    inputs, outputs = SIGNATURE + "input_specs/%d", SIGNATURE + "output_specs/%d"

    def renamed(i, kind, value):
        def change(data):
            data["input_specs"][i][kind][kind + "_name"] = value
        return change

    for label, i, kind, used, name in (("parameter", 0, "parameter", 1, "other"),
                                       ("buffer", 2, "buffer", 3, "n"),
                                       ("constant", 3, "tensor_constant", 2, "c")):
        where = inputs % i
        value = NODES + "0/inputs/%d/arg/as_tensor/name" % used
        rows = [row("signature", "InputSpec", None, where, None),
                row("signature", "InputSpec", None, None, where),
                row("argument", "TensorArgument", "name", value, value, target=F, argument=name)]
        pairs.pair("input-" + label, renamed(i, kind, "other"), rows,
                   "An input of another name, and so another value.",
                   back=[rows[1], rows[0], rows[2]])

    def persistent(data):
        data["input_specs"][2]["buffer"]["persistent"] = True
    where = inputs % 2 + "/buffer/persistent"
    pairs.pair("input-persistent", persistent,
               [row("signature", "InputToBufferSpec", "persistent", where, where)],
               "Whether a buffer is kept.")

    def output(data):
        data["output_specs"][1] = user_output(tensor("a"))
        data["graph"]["outputs"][1] = tensor("a")
    where = outputs % 1 + "/user_output/arg/as_tensor/name"
    pairs.pair("output-value", output,
               [row("signature", "TensorArgument", "name", where, where)], "Another output.")

    def more(data):
        data["output_specs"].append(user_output(tensor("a")))
        data["graph"]["outputs"].append(tensor("a"))
    out = MODULES + "0/signature/out_spec"
    pairs.pair("output-more", more,
               [row("signature", "OutputSpec", None, None, outputs % 2),
                row("tree spec", "ModuleCallSignature", "out_spec", out, out)],
               "An output that only one has.")


def of_rest(pairs):
    def opset(data):
        data["header"]["opset_version"] = {"aten": 11}
    pairs.pair("opset", opset, [row("header", "ExportedProgram", "opset_version",
                                    ("opset_version", "aten"), ("opset_version", "aten"))],
               "The number of an opset.")

    def opset_more(data):
        data["header"]["opset_version"] = {"aten": 10, "mylib": 1}
    pairs.pair("opset-more", opset_more,
               [row("header", "ExportedProgram", "opset_version", None,
                    ("opset_version", "mylib"))], "An opset that only one has.")

    def verifier(data):
        data["header"]["verifiers"] = ["TRAINING"]
    pairs.pair("verifier", verifier, [row("header", "ExportedProgram", "verifiers", "verifiers/0",
                                          "verifiers/0")], "Another verifier.")

    def verifiers(data):
        data["header"]["verifiers"] = ["", "TRAINING"]
    pairs.pair("verifiers", verifiers, [row("header", "ExportedProgram", "verifiers", None,
                                            "verifiers/1")], "A verifier that only one has.")

    def release(data):
        data["header"]["torch_version"] = "2.12.0"
    pairs.pair("release", release, [], "The release is no part of the program.")

    def guard(data):
        data["header"]["guards_code"] = ["1 == 1"]
    pairs.pair("guard", guard, [row("constraint", "ExportedProgram", "guards_code", None,
                                    "guards_code/0")], "A guard that only one has.")

    def metadata(data):
        nodes(data)[0]["metadata"] = {"stack_trace": "somewhere"}
        nodes(data)[0]["name"] = "first"
    pairs.pair("metadata", metadata, [], "Where a node is from is no part of the program.")

    def module_gone(data):
        data["modules"].pop()
    where = MODULES + "2"
    pairs.pair("module", module_gone, [row("module", "ModuleCallEntry", None, where, None)],
               "A module that only one has.")

    def module_signed(data):
        data["modules"][1] = entry("sub.a", [tensor("x")], [tensor("r")])
    pairs.pair("module-signed", module_signed,
               [row("module", "ModuleCallEntry", "signature", where + "/signature",
                    where + "/signature")], "A module whose call only one says.")

    def module_input(data):
        data["modules"][0]["signature"]["inputs"][0] = tensor("y")
    where = MODULES + "1/signature/inputs/0/as_tensor/name"
    pairs.pair("module-input", module_input,
               [row("module", "TensorArgument", "name", where, where)], "What a module takes.")

    def module_output(data):
        data["modules"][0]["signature"]["outputs"][0] = tensor("c")
    where = MODULES + "1/signature/outputs/0/as_tensor/name"
    pairs.pair("module-output", module_output,
               [row("module", "TensorArgument", "name", where, where)], "What a module gives.")

    def module_spec(data):
        data["modules"][0]["signature"]["out_spec"] = treespec(
            tree("builtins.list", "null", [leaves(1)[4:-1]]))
    where = MODULES + "1/signature/out_spec"
    pairs.pair("module-tree", module_spec,
               [row("tree spec", "ModuleCallSignature", "out_spec", where, where)],
               "How a module gives it.")

    def renamed(data):
        rename(data, {"a": "first", "b": "second", "c": "third", "r": "last", "x": "b", "y": "a"})
    pairs.pair("renamed", renamed, [], "Other names of values are the same program.")


def rename(part, names):
    """Values of a program, by their names."""
    if isinstance(part, list):
        for each in part:
            rename(each, names)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key in ("as_tensor", "arg") and isinstance(value, dict) and "name" in value:
                value["name"] = names.get(value["name"], value["name"])
            elif key == "as_tensors":
                for each in value:
                    each["name"] = names.get(each["name"], each["name"])
            elif key == "tensor_values":
                part[key] = {names.get(name, name): meta for name, meta in value.items()}
            else:
                rename(value, names)


def vectors(suite):
    pairs = Pairs(suite, "base", program())
    arguments(pairs)
    of_nodes(pairs)
    of_values(pairs)
    of_subgraphs(pairs)
    of_signature(pairs)
    of_rest(pairs)
