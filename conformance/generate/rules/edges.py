"""Rules at the ends of their tables: the last operator, an older signature, namespaces that take
numbers for tensors, graphs that are the last argument, names that begin as another one.
"""

from format.history import ORDER
from generate.language.texts import Texts
from generate.rules.operators import N, Operators, X, Y, integer
from generate.rules.subgraphs import as_graph, body, returning, unnamed
from generate.rules.types import Types, symbol
from generate.whole import (LEAF, MARK, NODES, SIGNATURE, Draft, Whole, call, meta,
                            place_of, sym_int, tensor, tensors, user_input, user_output)

LATEST = "8.20"


def operators(suite):
    each = Operators(suite, LATEST)
    last = "symm_mem.two_shot_all_reduce_out.default"
    given = [("input", X), ("reduce_op", {"as_string": "sum"}), ("group_name", {"as_string": "g"}),
             ("output", Y)]
    each.yes("last", ["5.6.2", "5.6.6"], "The operator whose name comes last.", last, given)
    each.no("last-type", "EP_OPERATOR_TYPE", "/inputs/1/arg", "It is known like any other.", last,
            [given[0], ("reduce_op", X), *given[2:]])
    each.no("last-missing", "EP_OPERATOR_MISSING", "", "It is known like any other.", last,
            given[:3])
    for target, names in (("prims.add.default", ("self", "other")),
                          ("prims.mul.default", ("self", "other"))):
        label = target.split(".")[1]
        each.yes("prims-number-" + label, "5.6.6", "prims take numbers for tensors.", target,
                 [(names[0], X), (names[1], integer())])
        each.yes("prims-symbol-" + label, "5.6.6", "prims take numbers for tensors.", target,
                 [(names[0], X), (names[1], N)])
        each.no("prims-string-" + label, "EP_OPERATOR_TYPE", "/inputs/1/arg", "It is no number.",
                target, [(names[0], X), (names[1], {"as_string": "1"})])
    older = "_c10d_functional.all_reduce.default"
    for i, op in enumerate(({"as_string": "sum"}, integer())):
        each.yes("older-%d" % i, "5.6.2", "One of the signatures of its releases takes it.", older,
                 [("input", X), ("reduce_op", op), ("group_name", {"as_string": "g"})])
    for version in ("2", "5.1", "7.3", LATEST):
        each = Operators(suite, version)
        for label, names in (("tensor-first", ("x", "n")), ("tensor-last", ("n", "x")),
                             ("tensor-between", ("n", "x", "m"))):
            place = "/inputs/1/arg"
            each.append("numbers-" + label, "EP_OPERATOR_TYPE", place, "A tensor is no number.",
                        call("aten._foreach_mul.ScalarList", {
                            "self": tensors("x", "y"), "scalars": tensors(*names)},
                             {"as_none": True}), ["5.6.6", "5.1.7"])


def graphs(suite):
    """An operator that is given nothing behind its graph, which takes something all the same."""
    for version in ("5.4", "7.3", LATEST):
        node = call("higher_order.wrap_with_set_grad_enabled", unnamed(
            {"as_bool": False}, as_graph("g_0", body(0, 1))), [])
        draft = Draft().take(user_input(tensor("x"))).tensors(x=meta(2), c0=meta(2))
        draft.node(returning(version, node, "c0")).give(user_output(tensor("c0")))
        whole = Whole(suite, "subgraph/alone", draft, version, ["5.2.4"], "A graph of no inputs.")

        def takes(data):
            made = data["graph"]["nodes"][0]["inputs"][1]["arg"]["as_graph"]
            made["graph"] = body(1, 1)
        place = NODES + "0/inputs/1/arg/as_graph/graph"
        whole.bad("alone-inputs", takes, "EP_SUBGRAPH_INPUTS", place, "It takes one of none.",
                  flags=["large"])

        def gives(data):
            made = data["graph"]["nodes"][0]["inputs"][1]["arg"]["as_graph"]["graph"]
            made["outputs"] *= 2
        whole.bad("alone-outputs", gives, "EP_SUBGRAPH_OUTPUTS", place, "Two for one.")


def others(suite):
    """Operators that have the name of one that takes graphs, and take none; what a node of two
    outputs, or of none, says of the tensor that it returns."""
    each = Operators(suite, LATEST)
    for name in ("cond", "while_loop", "map_impl", "scan", "strict_mode"):
        each.yes("named-as-" + name, ["5.2.3", "5.6.9"], "No higher-order operator.",
                 "mylib.%s.default" % name, [("self", X)], warn=[("EP_NAMESPACE", "/target")])
    for version in ("8.5-a", "8.8", LATEST):
        draft = Draft().take(user_input(tensor("x"))).tensors(x=meta(2), y=meta(2))
        draft.node(call("higher_order.wrap", unnamed(as_graph("w_0", body(1, 1)), tensor("x")),
                        [sym_int("n"), tensor("y")], is_hop_single_tensor_return=True))
        draft.table("sym_int_values", n=3)
        whole = Whole(suite, "subgraph/several", draft.give(user_output(tensor("x"))), version,
                      ["5.2.6"], "It is about one output alone.")

        def none(data):
            data["graph"]["nodes"][0]["outputs"] = []
            del data["graph"]["sym_int_values"], data["graph"]["tensor_values"]["y"]
        whole.good("several-none", none, "5.2.6", "It is about one output alone.")


def prefixes(suite):
    """A spec whose value has the graph's name and a letter more, spelled with an escape."""
    draft = Draft().take(user_input(tensor("x"))).tensors(x=meta(2), xx=meta(2))
    draft.node(call("aten.relu.default", {"self": tensor("x")}, tensor("xx")))
    whole = Whole(suite, "signature/prefix", draft.give(user_output(tensor("xx"))), LATEST, ["5.3.4"],
                  "A name that begins as another.")
    text, offset, pointer = place_of(whole.changed(lambda data: None), SIGNATURE +
                                     "output_specs/0")
    at = text.index('"xx"', offset)
    for label, wrong in (("longer", '"\\u0078xx"'), ("shorter", '"\\u0078"'),
                         ("escaped", '"x\\u0078x"')):
        suite.invalid("signature/prefix-%s/%s" % (label, LATEST), whole.twin, (at, 4, wrong),
                      "EP_SIGNATURE_OUTPUT", (offset, pointer), "Another name.", provenance="hand",
                      flags=["foreign-spelling"])
    suite.valid_edit("signature/prefix-same/" + LATEST, whole.twin, (at, 4, '"\\u0078\\u0078"'),
                     ["5.3.4", "2.4.2"], "The name, spelled with escapes.", provenance="hand",
                     flags=["foreign-spelling"])


def protocols(suite):
    """The number that begins a tree spec, in every version."""
    for version in ORDER:
        texts = Texts(suite, version, "treespec")
        texts.good("protocol-one", texts.in_spec(
            '[1, {"type": "builtins.list", "context": "null", "children_spec": [%s, %s]}]' % (
                LEAF, LEAF)), "4.2.2", "The protocol of version %s." % version)
        for number in (0, 2):
            texts.bad("protocol-%d" % number, texts.in_spec("[%s%d, %s]" % (MARK, number, LEAF)),
                      "EP_TREESPEC_PROTOCOL", None, "No protocol of version %s." % version)


def ranges(suite):
    """A hint below zero, within a range that is open to that side."""
    for version in ("8.1-a", LATEST):
        types = Types(suite, version)

        def change(data):
            data["header"]["range_constraints"]["u0"] = {"min_val": None, "max_val": -2}
            data["graph"]["sym_int_values"]["n"] = (symbol(version, "u0"), -5)
        types.good("hint-range-open", change, ["5.4.13", "5.4.11"], "Within the range.")


def vectors(suite):
    operators(suite)
    graphs(suite)
    others(suite)
    prefixes(suite)
    protocols(suite)
    ranges(suite)
