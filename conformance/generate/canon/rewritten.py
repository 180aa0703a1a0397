"""Canonical forms of what migration to the latest version refuses (SPEC 6.1.3): each is
said by hand as it stands in the form, which is not always a valid document.
"""

import json

from generate.canon.forms import LATEST, RETURNS, Forms, body, op, program, text_of
from generate.canon.parts import rectifier
from generate.canon.symbols import sized
from generate.migrate.migrations import S0, called_with, changed, put as drafted
from generate.whole import (LEAF, arguments, buffer, call, entry, leaves, parameter, spec, tensor,
                            tensors, tree, treespec)


def relu(one, output):
    return op("aten.relu.default", output, self=one)


def without(table, *names):
    """What makes, of a document, that without some entries."""
    def change(text):
        root = json.loads(text)
        for name in names:
            del root["graph_module"]["graph"][table][name]
        return json.dumps(root)
    return change


def trees():
    """An expression that has a tree, too."""
    for label, text in (("", "s0"), ("-srepr", S0)):
        one = {"as_expr": {"expr_str": text, "expr_ast": {
            "args": [], "target": None, "base": {"as_symbol": "s0"}}}}
        yield ("tree" + label, "8.2-ast", sized("8.2-ast", [one, 3], {"s0": (2, 9)}),
               sized(LATEST, ["{s0}", 3], {"s0": (2, 9)}), ["6.7.5"], "A tree is left out.")


def blobs():
    """Objects of versions that hold their bytes, and say neither name nor class."""
    def draft(inner):
        node = call("mylib.f.default", {"x": tensor("v0"), "o": {"as_custom_obj": inner}},
                    tensor("v1"))
        return program("v0", [node], "v1")
    yield ("blob", "1", draft({"blob": "AAEC"}), draft({"name": "", "class_fqn": "AAEC"}), [],
           "The bytes of an object stand for its class.")
    yield ("blob-other", "1", draft({"blob": "AAED"}), draft({"name": "", "class_fqn": "AAED"}), [],
           "Others are another program.")


def constants():
    """Tensors inside a document, of no type that can be read."""
    def held(nodes, **tensors_of):
        made = program("x", nodes, "o")
        made.data["graph"]["constants"] = tensors_of
        for name in tensors_of:
            made.data["graph"]["tensor_values"].pop(name, None)
        return made
    takes = [spec("tensor_constant", name, tensor_constant_name=key)
             for name, key in (("v0", "a"), ("v1", "b"), ("v2", "c"))]
    nodes = [op("aten.add.Tensor", "v4", self="v3", other="v2"),
             op("aten.add.Tensor", "v5", self="v4", other="v0")]
    made = text_of(LATEST, program(takes + ["v3"], nodes, "v5"))
    form = without("tensor_values", "v0", "v1", "v2")(made)
    nodes = [op("aten.add.Tensor", "y", self="x", other="c"),
             op("aten.add.Tensor", "o", self="y", other="a")]
    for label, each in (("", {"a": "AAEC", "b": "", "c": "AA=="}),
                        ("-order", {"c": "AA==", "b": "", "a": "AAEC"})):
        yield ("constants", "1", held(nodes, **each), form, ["6.5.1", "6.10.1"],
               "Tensors are inputs, by their names; their bytes are no part of it." + label)

    def behind(takes, names):
        x, p, b, c = names[:4]
        nodes = [op("aten.add.Tensor", names[4], self=x, other=p),
                 op("aten.add.Tensor", names[5], self=names[4], other=b),
                 op("aten.add.Tensor", names[6], self=names[5], other=c)]
        return program(takes, nodes, names[6])
    takes = [parameter("v0", "w"), buffer("v1", "s"), spec(
        "tensor_constant", "v2", tensor_constant_name="c"), "v3"]
    made = text_of(LATEST, behind(takes, ["v3", "v0", "v1", "v2", "v4", "v5", "v6"]))
    inside = behind([parameter("p", "w"), buffer("b", "s"), "x"], "xpbctuv")
    inside.data["graph"]["constants"] = {"c": "AAEC"}
    inside.data["graph"]["tensor_values"].pop("c", None)
    yield ("constants-behind", "1", inside, without("tensor_values", "v2")(made),
           ["6.5.1", "7.7.5"], "A tensor is an input behind parameters and buffers.")


def verifiers():
    for label, version, dialect, said, form, why in (
            ("training", "2", "TRAINING", None, ["TRAINING"], "One that was none of PyTorch's."),
            ("dialect", "6.1", "EDGE", ["ATEN"], ["EDGE", "ATEN"], "The dialect is in front."),
            ("dialect-second", "6.1", "EDGE", ["ATEN", "EDGE"], ["EDGE", "ATEN", "EDGE"],
             "It is not the first of them."),
            ("dialect-first", "6.1", "EDGE", ["EDGE", "ATEN"], ["EDGE", "ATEN"],
             "It is the first of them.")):
        draft = rectifier(dialect=dialect, **({} if said is None else {"verifiers": said}))
        yield (label, version, draft, rectifier(verifiers=form), [], why)


def calls():
    def called(name, takes, gives):
        each = entry(name, [tensor("v0")] * takes, [tensor("v1")] * gives, in_spec=arguments(1),
                     out_spec=leaves(1))
        return changed(rectifier(), drafted("modules", [each]))
    yield ("calls-uneven", "2", called("sub", 3, 2), called("sub", 3, 2), ["6.8.2"],
           "Three calls with two results stay one entry.")
    inner = body("g0")
    node = call("higher_order.map_impl", [("", inner), ("", {"as_int": 9}), ("", tensor("v0"))],
                tensors("v1"))
    yield ("map-many", "4.2", program("v0", [node], "v1"), program("v0", [node], "v1"), [],
           "Nine of one: the arguments stay.")


def texts():
    node = call("torch._higher_order_ops.map.map", [("", body("g0")), ("", tensor("v0"))],
                tensor("v1"))
    yield ("target", "5.3", program("v0", [node], "v1"),
           program("v0", [{**node, RETURNS: True}], "v1"), ["6.2.4"],
           "A target that the latest version has under no path.")
    draft = program("v0", [op("$mylib:f", "v1", x="v0")], "v1")
    for version in ("5.3-2024-03", "7.2"):
        yield ("extension", version, draft, draft, ["6.2.4"],
               "An extension with a prefix that the latest version has not is no operator.")
    named = called_with(tree("collections.namedtuple", {"class_name": "P", "fields": ["a"]}, [LEAF]))
    draft = changed(rectifier(), drafted("root/in_spec", named))
    yield ("namedtuple", "2", draft, draft, ["6.8.4"], "A tree spec stays.")


def tables():
    """What only the tables of operators and rules of the latest version refuse."""
    draft = program("v0", [op("aten.cholesky.default", "v1", self="v0")], "v1")
    yield ("operator", "2", draft, draft, ["6.3.1"], "An operator that is there no longer.")
    nodes = [op("aten.cholesky.default", "v1", self="v0"), relu("v0", "v2")]
    turned = [op("aten.cholesky.default", "v2", self="v0"), relu("v0", "v1")]
    form = program("v0", nodes, "v1 v2")
    for each in (form, program("v0", turned[::-1], "v2 v1")):
        yield ("operator-order", "2", each, form, ["6.3.1", "6.4.3"],
               "It is known all the same: it may change its place.")
    noted = rectifier()
    noted.data["graph"]["nodes"][0]["metadata"] = {"torch_fn": "relu"}
    yield ("torch-fn", "5.1", noted, rectifier(), ["6.2.1"],
           "A text that the latest version would refuse is left out.")


def vectors(suite):
    to = Forms(suite)
    for part in (trees, blobs, constants, verifiers, calls, texts, tables):
        counts = {}
        for label, version, draft, latest, clause, why in part():
            name = "rewritten-" + label
            form = text_of(LATEST, latest)
            if name not in to.forms:
                to.unsaid(name, form)
            assert to.forms[name][0] == form, name
            count = counts[name] = counts.get(name, -1) + 1
            to.other(name, "order-%d" % count if count else "form", version,
                     text_of(version, draft), ["6.1.1", "6.1.3"] + clause, why)
