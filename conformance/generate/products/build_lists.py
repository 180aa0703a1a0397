"""Programs that are built again: lists of nothing, of each kind, in the versions around the one
from which on they have the tags of their types; and what an operator of higher order returns, in
the versions around each column of SPEC 7.4.4.
"""

from generate.language.texts import since
from generate.products.build_edges import EMPTY, TYPED
from generate.products.builds import has, header, plain, positional, put
from generate.rules.subgraphs import cond
from generate.whole import Draft, call, meta, sym_int, tensor, tensors, user_input, user_output

LATEST = "8.20"
BETWEEN = "5.3-2024-03"  # a sibling of the version in which they have the tags of their types
INNER = (("as_int_lists", [[]]), ("as_int_lists", [[], []]), ("as_int_lists", [[1], []]),
         ("as_float_lists", [[]]), ("as_float_lists", [[], [0.5]]), ("as_nested_tensors", [[]]),
         ("as_nested_tensors", [[{"name": "x"}], []]))
LISTED, SINGLE = "5.1", "8.5-a"  # the columns of 7.4.4 begin
COLUMNS = ("1-2023-08", "1", "1-2023-12", "3.1-a", LISTED, BETWEEN, "8.3", SINGLE)


def empties(suite):
    for version in (BETWEEN, TYPED, "5.4", LATEST):
        for tag in (*EMPTY, "as_optional_tensors", "as_int_lists"):
            if has(version, "Argument", tag):
                draft = plain(version).tensors(r=meta(2))
                draft.node(call("mylib.f.default", {"v": {tag: []}, "w": {tag: []}}, tensor("r")))
                put(suite, "list-empty-" + tag[3:].replace("_", "-"), version, draft,
                    "Lists of nothing.", ["3.6.1"])
    for i, (tag, value) in enumerate(INNER):
        for version in ("5.4", LATEST):
            if has(version, "Argument", tag):
                draft = plain(version).tensors(r=meta(2))
                draft.node(call("mylib.f.default", {"v": {tag: value}}, tensor("r")))
                put(suite, "list-inner-%d" % i, version, draft, "Lists of lists of nothing.",
                    ["3.6.1"])


def given(suite, label, version, node, names, why):
    """A program of a node and what it returns, called by position."""
    draft = Draft(header=header(version)).take(*[user_input(tensor(name)) for name in "pxy"])
    draft.tensors(p=meta(dtype=12), **{name: meta(2) for name in ["x", "y", *names]})
    draft.node(node).give(*[user_output(tensor(name)) for name in names])
    root = {} if since(version, "1-2023-12") else {"in_spec": positional(3)}
    put(suite, label, version, draft, why, ["7.4.4"], **root)


def returns(suite):
    """A tuple of one tensor or two, one tensor, and one of an operator without subgraphs."""
    for version in COLUMNS:
        for count in (1, 2):
            names = ["c%d" % i for i in range(count)]
            node = cond(version, 2, count)
            listed = not since(version, SINGLE if count == 1 else LISTED)
            node["outputs"] = [tensors(*names)] if listed else [tensor(name) for name in names]
            given(suite, "list-tuple-%d" % count, version, node, names,
                  "A tuple that an operator returns of its subgraphs.")
        single = {"is_hop_single_tensor_return": True} if since(version, SINGLE) else {}
        node = cond(version, 2, 1)
        node.update(outputs=[tensor("c0")], **single)
        for each in node["inputs"][1:3]:
            each["arg"]["as_graph"]["graph"]["is_single_tensor_return"] = True
        given(suite, "list-tensor", version, node, ["c0"],
              "A tensor that an operator returns of its subgraphs.")
        if not since(version, SINGLE):
            node = cond(version, 2, 1)
            node["outputs"] = [tensor("c0")]
            given(suite, "list-unsaid", version, node, ["c0"],
                  "A tensor that an operator returns, of which its subgraphs say nothing.")
        if has(version, "Argument", "as_operator"):
            node = call("higher_order.out_dtype", [
                ("", {"as_operator": "torch.ops.aten.mm.default"}), ("", {"as_scalar_type": 7}),
                ("", tensor("x")), ("", tensor("y"))], [tensor("c0")], **single)
            given(suite, "list-alone", version, node, ["c0"],
                  "A tensor that an operator without subgraphs returns.")


def others(suite):
    """What is returned last is no tensor: it is never one of a list of tensors."""
    both = [tensor("c"), sym_int("n")]
    for version, outputs in [(each, both) for each in ("2", "4.2", LISTED)] + [
            (each, both[1:]) for each in ("2", LISTED, "8.3")]:
        draft = plain(version).tensors(c=meta(2)).table("sym_int_values", n=4)
        if len(outputs) == 1:
            del draft.data["graph"]["tensor_values"]["c"]
        draft.node(call("higher_order.run_with_rng_state", [("", tensor("x"))], outputs))
        put(suite, "list-other-%d" % len(outputs), version, draft,
            "A number that an operator returns of its subgraphs.", ["7.4.4"])
    for version in ("2", "4.2", LISTED, "8.3"):
        node = call("higher_order.run_with_rng_state", [("", tensor("x"))], [])
        draft = plain(version).node(node)
        put(suite, "list-other-none", version, draft, "Nothing at all: that is no list of nothing.",
            ["7.4.4"])


def vectors(suite):
    for part in (empties, returns, others):
        part(suite)
