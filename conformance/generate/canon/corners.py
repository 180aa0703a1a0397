"""Corners of clauses, at which readers of the specification alone had two readings."""

from generate.canon.forms import LATEST, Forms, numbered, op, program, reordered, subgraph
from generate.canon.effects import neg, relu
from generate.canon.order import PLAIN
from generate.language.depths import LIMIT
from generate.language.metadata import source
from generate.suite import change_between
from generate.language.texts import S0, Texts
from generate.whole import (GRAPH, MARK as M, MODULES, NODES, SIGNATURE, call, meta, tensor,
                            tensors, user_input)

# ---- texts ----------------------------------------------------------------------------

NODE = '[1, {"type": "m.Box", "context": %s, "children_spec": []}]'
EXPRESSIONS = (  # version, label, sort, text, code, why
    ("8.20", "name-half", "int", "Symbol('s0', " + M + "integ!", "EP_EXPR_SYMBOL",
     "An assumption is judged as a whole."),
    ("8.20", "value-then", "int", "Symbol('s0', integer=True" + M + "!", "EP_EXPR",
     "Behind a value that is one."),
    ("7.3", "name-none", "int", "s0 + " + M + "!", "EP_EXPR", "Nothing that begins an operand."),
    ("7.3", "zero-quotient", "int", "Trunc(s0/" + M + "(0/2))", "EP_EXPR_ZERO",
     "What stands before a slash is a factor."),
    ("7.3", "operator-half", "int", "True + 1 " + M + "!", "EP_EXPR",
     "No operator: the sum has not ended."),
)
GUARDS_GOOD = (("quote-number", "L['\\x22'] == 1", "A quote that is escaped by its number."),
               ("quote-both", "L[\"it's \\x22\"] == 1", "It is no double quote in the name."))
GUARDS_BAD = (
    ("quote-escaped", "L['it\\'s \\x22" + M + "'] == 1", "There is no double quote in the name."),
    ("index-minus", "L['x'][" + M + "-] == 1", "A sign without digits."),
    ("size-minus", "L['x'].size()[" + M + "-] == 1", "A sign without digits."),
    ("float-goes-on", M + "1.5-2 == 1", "A float goes on."),
    ("comma-blank", "max(1, 2" + M + ",3) == 1", "A comma has a blank."),
    ("choice-kind", "(1 if True else True" + M + ") == 1", "The values are of two kinds."),
)


def texts(suite):
    for version, label, sort, text, code, why in EXPRESSIONS:
        each = Texts(suite, version, "corner")
        each.bad("expression-" + label, each.sorted_text(sort, text), code, None, why)
    each = Texts(suite, "7.3", "corner")
    each.good("expression-fifteen", each.sorted_text("int", "Trunc(123456789012345.0)"), "4.1.6",
              "Fifteen digits, and the 0 of a fraction.")
    each = Texts(suite, "8.20", "corner")
    for label, text, why in GUARDS_GOOD:
        each.good("guard-" + label, each.guard(text), "4.4.2", why)
    for label, text, why in GUARDS_BAD:
        each.bad("guard-" + label, each.guard(text), "EP_GUARD", None, why)
    each.bad("treespec-goes-on", each.in_spec("[" + M + "99x"), "EP_TREESPEC_PROTOCOL", None,
             "The number has ended.")
    each.bad("treespec-infinity", each.in_spec(NODE % (M + "-Infinity")), "EP_TREESPEC", None,
             "A literal, from its sign on.")
    each.bad("action-goes-on", each.metadata("from_node", "[%s]" % source(
        action="create" + M + "s")), "EP_METADATA_FROM_NODE", None, "More than an action.")
    each.bad("custom-open", each.metadata("custom", M + "[8"), "EP_METADATA_CUSTOM", None,
             "No object, and no end.")
    each = Texts(suite, "1", "corner")
    each.bad("module-parenthesis", each.metadata("nn_module_stack", "k:" + M + "x(a,b)"),
             "EP_METADATA_MODULES", None, "Something in the place of the parenthesis.")


def depth(suite):
    """The parentheses of a symbol are no level."""
    each = Texts(suite, "8.20", "corner")
    text = "Identity(" * LIMIT + S0 + ")" * LIMIT
    at = each.changed(each.sorted_text("int", text)).text
    suite.valid_edit(each.id("depth-symbol"), each.twin, change_between(suite.bytes[each.twin], at),
                     ["1.4.2", "4.1.7"], "As deep as the limit.", provenance="hand",
                     options={"limits": {"depth": LIMIT}})


# ---- programs -------------------------------------------------------------------------


def added(*arguments):
    def change(data):
        data["graph"]["nodes"].insert(1, call(*arguments))
    return change


def program_rules(suite):
    each = Texts(suite, "8.20", "corner")
    each.bad("kind-ints", added("aten.mean.dim", {"self": tensor("x"), "dim": tensors("n")},
                                {"as_none": True}), "EP_VALUE_KIND",
             NODES + "1/inputs/1/arg/as_tensors/0/name", "The signature takes ints, no numbers.")
    each.bad("kind-unknown", added("aten.cat.default", {"tensors": tensors("x"),
                                                        "nope": tensors("n")}, {"as_none": True}),
             "EP_VALUE_KIND", NODES + "1/inputs/1/arg/as_tensors/0/name",
             "No signature has an argument of the name.")
    inner = subgraph("g0", "a", [relu("b", "c")], "c")
    each.bad("subgraph-dict", added("mylib.any.default", {"d": {"as_string_to_argument": {
        "k": inner}}}, {"as_none": True}), "EP_VALUE_UNDEFINED",
             NODES + "1/inputs/0/arg/as_string_to_argument/k/as_graph/graph/nodes/0/inputs/0/arg/"
             "as_tensor/name", "A subgraph in a dict is one.", flags=["large"])

    def hint(data):
        data["graph"]["tensor_values"]["x"]["sizes"][0] = {
            "as_expr": {"expr_str": S0, "hint": {"as_float": -4.0}}}
    each.bad("size-float", hint, "EP_HINT", GRAPH + "tensor_values/x/sizes/0/as_expr/hint",
             "A hint that is no int is no size.")

    def listed(data):
        data["modules"][0]["signature"]["inputs"][0] = {"as_sym_ints": [{"as_int": 2}]}
    each.good("module-ints", listed, "5.5.4", "A number in a list.")

    def beside(data):
        data["modules"][0]["signature"]["inputs"][0] = {
            "as_custom_obj": {"name": "beside", "class_fqn": "C"}}
    each.bad("module-beside", beside, "EP_MODULE_ARGUMENT",
             MODULES + "1/signature/inputs/0/as_custom_obj/name", "No value of the graph.")

    def zero(data):
        data["graph"]["inputs"].append({"as_float": 0.0})
        data["input_specs"].append(user_input({"as_float": -0.0}))
    each.bad("constant-sign", zero, "EP_SIGNATURE_INPUT", SIGNATURE + "input_specs/1",
             "The sign of zero is part of it.")
    for label, version, code in (("letters", "2.6.0+ABCxyz", None),
                                 ("beyond-ascii", "2.6.0+\u00e9", "EP_TORCH_VERSION")):
        def change(data, version=version):
            data["header"]["torch_version"] = version
        if code is None:
            each.good("version-" + label, change, "5.7.3", "Letters of either case.")
        else:
            each.bad("version-" + label, change, code, "torch_version", "Letters of ASCII.")
    each = Texts(suite, "7.3", "corner")

    def parentheses(data):
        data["graph"]["tensor_values"]["x"] = meta({"as_expr": {"expr_str": "(w)"}}, 3)
    each.bad("symbol-parentheses", parentheses, "EP_SYMBOL",
             GRAPH + "tensor_values/x/sizes/0/as_expr", "It does not stand alone.")


# ---- forms ----------------------------------------------------------------------------


def forms(suite):
    to = Forms(suite)

    def both(*keys):
        held = {key: tensor({"a": "p", "b": "q"}[key]) for key in keys}
        return program("x", [relu("x", "p"), neg("x", "q"), call("mylib.both.default", {
            "d": {"as_string_to_argument": held}}, tensor("k"))], "k", PLAIN)
    form = to.form("corner-dict", LATEST, numbered(both("a", "b")), ["6.4.1", "6.8.1"],
                   "Uses are in the order of sorted keys.")
    to.case(form, "turned", reordered(both("b", "a"), 1, 0, 2), ["6.4.1", "6.8.1"],
            "Another order of the document.")

    def twice(*names):
        nodes = [call("higher_order.strict_mode", [
            ("", subgraph(name, "v0", [op("aten.sin.default", "v1", self="v0")], "v1")),
            ("", tensors("x"))], tensors(output)) for name, output in zip(names, "ab")]
        return program("x", nodes, "a b", PLAIN)
    form = to.form("corner-subgraph", LATEST, numbered(twice("g0", "g1")), ["6.6.2"],
                   "Two subgraphs.")
    to.case(form, "one", twice("g0", "g0"), ["6.6.2"], "One that stands in two places.")


def vectors(suite):
    texts(suite)
    depth(suite)
    program_rules(suite)
    forms(suite)
