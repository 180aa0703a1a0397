"""What a document can reach and no family of vectors goes through: the ends of texts, the
spellings inside strings, and rows of tables at their edges.
"""

import json

from format.annexes import rows
from format.history import ORDER, before
from generate.canon.forms import Forms
from generate.migrate.migrations import LATEST, Migrations, kinds, plain, written
from generate.migrate.texts import S0, S1, speaking
from generate.migrate.steps import mapping, operator, strict
from generate.rules.subgraphs import as_graph, body
from generate.language.texts import Texts
from generate.whole import (GRAPH, LEAF, MARK, MODULES, NODES, Draft, Whole, call, meta, sym_int,
                            tensor, tensors, tree, treespec, user_input, user_output)

M = MARK

# ---- 4.1: expressions -----------------------------------------------------------------------

CUT = ("Symbol('" + M, "Symbol('s0" + M, "Symbol('s0'" + M, "Symbol('s0'," + M,
       "Symbol('s0', integer" + M, "Symbol('s0', integer=True" + M, "Integer(" + M, "Integer(-" + M,
       "Integer(1" + M, "Rational(1" + M, "Rational(1, " + M, "Float('0.5" + M, "Float('0.5'" + M,
       "Float('0.5', precision=53" + M, "Add(" + M, "Add(Integer(1)" + M, "Add(Integer(1), " + M)
SYMBOL_ENDS = (CUT[0],)  # where a symbol's name would begin, any end is a fault of the symbol
FLOATS = ("'0.5" + M + ".5', precision=53", "'0.5" + M + "-1', precision=53",
          "'0.5" + M + "+', precision=53", "'1.0e+20" + M + "e+1', precision=53",
          "'0.5" + M + "x', precision=53", "'0.5', precision=" + M + "9",
          "'0.5', precision=" + M + "52", "'0.5', precision=" + M + "10000",
          "'0.5', precision=" + M + "05", "'" + M + "-0.0', precision=53")
PRECISIONS = (53, 54, 100, 9999)
INFIX_CUT = ("Max(" + M, "Max(1" + M, "Max(1, " + M, "(" + M, "(1" + M, "(1//" + M, "1 + " + M,
             "2*" + M, "2**" + M, "-" + M, "s0 <= " + M)
ARMS = ("Piecewise(" + M + "s0, (1, True))", "Piecewise((s0, True)" + M + " + 1)",
        "Piecewise((s0, True)" + M + "*2)", "Piecewise((s0, True)" + M + "**2)",
        "Piecewise((s0, True)" + M + " - 1)", "Piecewise((s0, True)" + M + " <= 1)",
        "Piecewise((s0, True)" + M + "//2)", "Piecewise((s0, True)" + M + " & True)")


def expressions(suite):
    texts = Texts(suite, LATEST, "expression")
    for i, text in enumerate(CUT):
        code = "EP_EXPR_SYMBOL" if text in SYMBOL_ENDS else "EP_EXPR"
        texts.bad("cut-%02d" % i, texts.sorted_text("int", text), code, None, "It ends early.")
    for i, text in enumerate(FLOATS):
        texts.bad("float-end-%d" % i, texts.sorted_text("int", "TruncToInt(Float(%s))" % text),
                  "EP_EXPR", None, "No such float.")
    for i, text in enumerate(("Rational(" + M + "x, 2)", "Rational(" + M + ", 2)", "Rational(-" + M
                              + ", 2)", "Rational(1, " + M + "-2)", "Rational(1, " + M + "x)",
                              "Rational(1" + M + ")", "Rational(1," + M + "2)")):
        texts.bad("rational-end-%d" % i, texts.sorted_text("int", "TruncToInt(%s)" % text),
                  "EP_EXPR", None, "No such number.")
    for precision in PRECISIONS:
        texts.good("precision-%d" % precision, texts.sorted_text(
            "int", "TruncToInt(Float('0.5', precision=%d))" % precision), "4.1.7",
            "%d bits." % precision)
    texts = Texts(suite, "7.3", "expression")
    for i, text in enumerate(INFIX_CUT):
        texts.bad("infix-cut-%02d" % i, texts.sorted_text("int", text), "EP_EXPR", None,
                  "It ends early.")
    for i, text in enumerate(ARMS[1:]):
        texts.bad("arms-%d" % i, texts.sorted_text("int", text), "EP_EXPR", None,
                  "Nothing but arms.")


TURNED = (  # infix, srepr: both ways
    ("floor(s0*(-1/2))", "floor(Mul(%s, Rational(-1, 2)))" % S0),
    ("floor((1/2)**2)", "floor(Pow(Rational(1, 2), Integer(2)))"),
    ("floor((-1/2)**2)", "floor(Pow(Rational(-1, 2), Integer(2)))"),
    ("floor(s0**(1/2))", "floor(Pow(%s, Rational(1, 2)))" % S0),
    ("floor(-s0/2)", "floor(Mul(Rational(-1, 2), %s))" % S0),
    ("floor(s0*(-3/2)*s1)", "floor(Mul(%s, Rational(-3, 2), %s))" % (S0, S1)),
    ("floor(7*s0/3)", "floor(Mul(Rational(7, 3), %s))" % S0),
    ("floor(s0 - 7*s1/3)", "floor(Add(%s, Mul(Rational(-7, 3), %s)))" % (S0, S1)),
    ("floor(s0 + 7/3)", "floor(Add(%s, Rational(7, 3)))" % S0),
)


def respelled(to):
    for i, (infix, srepr) in enumerate(TURNED):
        to.pair("respelled-%d" % i, "7.3", LATEST, (speaking(infix), speaking(srepr)), ["7.5.1"],
                "%s, in both forms." % infix)


# ---- 4.2: tree specs --------------------------------------------------------------------------

SPACED = ("[" + M + " 1]", "[1" + M + " ]", "{" + M + ' "a": 1}', '{"a"' + M + " : 1}",
          "[1," + M + "2]", '{"a":' + M + "1}", '{"a": 1' + M + " }", "[1, " + M + " 2]")
MAXLEN = ("-1", "1.5", "1e5", "-0", "9223372036854775808", "true", '"1"', "[1]", "{}")


FACTORY = ('{"default_factory_module": "m", "default_factory_name": "n", "dict_context": []}')
FACTORIES = (
    "{" + M + "}", '{"' + M + 'a": 1}', M + "[]", M + "null", M + '"null"',
    FACTORY.replace(', "default_factory_name": "n", "dict_context": []', M),
    FACTORY.replace(', "dict_context": []', M), FACTORY.replace('"m"', M + '"1m"'),
    FACTORY.replace('"n"', M + '"n n"'), FACTORY.replace("[]", M + "{}"),
    FACTORY.replace("[]", M + "null"), FACTORY[:-1] + M + ', "x": 1}',
)


def own_context(text, children=0):
    return '[1, {"type": "models.Batch", "context": %s, "children_spec": [%s]}]' % (
        text, ", ".join([LEAF] * children))


def trees(suite):
    texts = Texts(suite, LATEST, "treespec")
    for i, text in enumerate(SPACED):
        for name, blank in (("blank", " "), ("line", "\n"), ("tab", "\t"), ("return", "\r")):
            place = text.index(M)
            said = text[:place + 1] + text[place + 1:].replace(" ", blank, 1) if text[
                place + 1] == " " else text
            if said == text and blank != " ":
                continue
            texts.bad("spaced-%d-%s" % (i, name), texts.in_spec(own_context(said)), "EP_TREESPEC",
                      None, "json.dumps writes one blank behind a comma or colon, and no other.")
    for i, text in enumerate(MAXLEN):
        spec = '[1, {"type": "collections.deque", "context": "%s%s", "children_spec": []}]' % (
            M, json.dumps(text)[1:-1])
        texts.bad("maxlen-%d" % i, texts.in_spec(spec), "EP_TREESPEC_CONTEXT", None,
                  "%s is no length." % text)
    old = Texts(suite, "1-2023-08", "treespec")
    old.good("registered-first", old.in_spec('[1, {"type": "models.Batch", "context": "c", '
             '"children_spec": [%s, %s]}]' % (LEAF, LEAF)), "4.2.3", "A registered type.")
    for i, text in enumerate(FACTORIES):
        texts.bad("factory-%d" % i, texts.in_spec(
            '[1, {"type": "collections.defaultdict", "context": %s, "children_spec": []}]' % text),
            "EP_TREESPEC_CONTEXT", None, "No context of a defaultdict.")
    for count in (3, 5):
        for at in range(1, count):
            keys = ['"k%d"' % i for i in range(count)]
            keys[at] = M + '"k0"'
            spec = '[1, {"type": "builtins.dict", "context": %s, "children_spec": [%s]}]' % (
                json.dumps("[%s]" % ", ".join(keys)), ", ".join([LEAF] * count))
            texts.bad("again-%d-of-%d" % (at, count), texts.in_spec(spec), "EP_TREESPEC_CONTEXT",
                      None, "The first key once more.")


# ---- 4.3: metadata ----------------------------------------------------------------------------

SOURCE = ('{"name": "n", "target": "t", "graph_id": 1, "pass_name": "p", "action": "create", '
          '"from_node": []}')


def metadata(suite):
    texts = Texts(suite, LATEST, "metadata")
    whole = "[" + SOURCE + "]"
    ends = [whole.index(each) + len(each) for each in (
        "[", "{", '"name"', '"n"', '"target": ', '"t', "graph_id", ": 1", '"p"', ', "action": ',
        "create", '"create"', "from_node", '"from_node": [', '"from_node": []', "}")]
    for end in ends:
        texts.bad("from_node-ends-%d" % end, texts.metadata("from_node", whole[:end] + M),
                  "EP_METADATA_FROM_NODE", None, "It ends early.")
    for label, text in (
            ("name-spelled", SOURCE.replace('"n"', M + '"\\u006e"')),
            ("target-spelled", SOURCE.replace('"t"', M + '"\\/"')),
            ("pass-spelled", SOURCE.replace('"p"', M + '"\u00e9"')),
            ("name-escape", SOURCE.replace('"n"', '"n' + M + '\\q"')),
            ("target-control", SOURCE.replace('"t"', '"t' + M + '\x1f"')),
            ("pass-surrogate", SOURCE.replace('"p"', '"p' + M + '\\udc00"')),
            ("id-minus-zero", SOURCE.replace("1", M + "-0")),
            ("id-none", SOURCE.replace("1", M + "null")),
            ("id-nan", SOURCE.replace("1", M + "NaN"))):
        texts.bad("from_node-" + label, texts.metadata("from_node", "[%s]" % text),
                  "EP_METADATA_FROM_NODE", None, "Not as json.dumps writes it.")
    for low in ("\\ue000", "\\uffff", "\\udbff", "\\ud800", "\\u0000"):
        texts.bad("custom-pair-" + low[2:], texts.metadata("custom", '{"a": "x%s\\ud800%s"}' % (
            M, low)), "EP_METADATA_CUSTOM", None, "No second half of a pair.")
    for value in (0, 10, -1, -10):
        texts.good("from_node-id-%d" % value, texts.metadata("from_node", "[%s]" % SOURCE.replace(
            "1", str(value))), "4.3.5", "The integer %d." % value)
    old = Texts(suite, "1", "metadata")
    for label, text in (("semicolon", "a" + M + ";b:(p,t)"), ("key-end", "k:" + M),
                        ("open-end", "k:(" + M), ("colon-first", M + ":(p,t)"),
                        ("second-end", "k:(p,t);b" + M)):
        old.bad("modules-" + label, old.metadata("nn_module_stack", text), "EP_METADATA_MODULES",
                None, "A part is missing.")


# ---- 4.4: guards ------------------------------------------------------------------------------

GUARDS = (
    ("escape-end", "L['x\\" + M), ("hex-end", "L['\\x4" + M), ("double-end", "L[\"it's" + M),
    ("name-end", "L['x'].abc" + M), ("method", "L['x']" + M + ".foo() == 1"),
    ("choice-again", "(1 if True else 2" + M + " if True else 3) == 1"),
    ("else-alone", "(1" + M + " else 2) == 1"), ("truth-sum", "True" + M + " + 1"),
    ("truth-related", "True" + M + " < 1"), ("long-float", M + "1." + "1" * 60 + " == 1"),
    ("escaped-in-double", "L[\"it" + M + "\\'s'\"] == 1"),
)


def guards(suite):
    texts = Texts(suite, LATEST, "guard")
    for label, text in GUARDS:
        texts.bad("rest-" + label, texts.guard(text), "EP_GUARD", None, "It does not fit.")
    for letter in "AZaz_":
        texts.good("attribute-%d" % ord(letter), texts.guard(
            "L['x'].%s9%s == 1" % (letter, letter)), "4.4.2", "Names of Python.")
    for letter in "@{/:":
        texts.bad("attribute-%d" % ord(letter), texts.guard("L['x'].a%s%sb == 1" % (M, letter)),
                  "EP_GUARD", None, "No letter of a name.", also=["4.4.2"])


# ---- 4.5: targets -----------------------------------------------------------------------------


def targets(suite):
    """Each row of E.3 in the version before it, and in the one that has lost it."""
    for row in rows("targets"):
        label = row["target"].replace(".", "-")
        edges = [(row["since"], "early")] if row["since"] != ORDER[0] else []
        edges += [(row["until"], "gone")] if row["until"] else []
        for edge, name in edges:
            version = before(edge).name if name == "early" else edge
            texts = Texts(suite, version, "target")
            texts.bad("%s-%s" % (name, label), texts.node(3, "target", M + row["target"]),
                      "EP_TARGET_UNKNOWN", None, "Version %s has no %s." % (version, row["target"]))
    texts = Texts(suite, LATEST, "target")
    for letter in "!\"#$%&'()*+,-./0;<=>?@A[\\]^_`a{|}~\u00a1\u00e9":
        texts.good("label-%d" % ord(letter), texts.node(3, "target", "#%sa:b%s" % (letter, letter)),
                   "4.5.1", "A label may have it.")
    for code in (*range(1, 33), 127):
        texts.bad("label-bad-%d" % code, texts.node(3, "target", "#a%s%s:b" % (M, chr(code))),
                  "EP_TARGET", None, "A control character, or a blank.")


def identifiers(suite):
    """What begins no name, and what goes on in none: the neighbours of letters and digits."""
    texts = Texts(suite, LATEST, "target")
    parts = ("torch.ops.%s.f.default", "torch.ops.mylib.%s.default", "torch.ops.mylib.f.%s")
    for i, part in enumerate(parts):
        for letter in "@[{/:":
            for label, name in (("first", M + letter + "a"), ("inside", "a" + M + letter + "a")):
                texts.bad("name-%s-%d-%d" % (label, i, ord(letter)), texts.node(
                    3, "target", part % name), "EP_TARGET", None, "No letter of a name.")
        texts.bad("name-digit-%d" % i, texts.node(3, "target", part % (M + "0a")), "EP_TARGET",
                  None, "No name begins with a digit.")
        texts.good("name-all-%d" % i, texts.node(3, "target", part % "_aZ09z_A"), "4.5.1",
                   "Letters, digits and underscores.")


# ---- part 5 -----------------------------------------------------------------------------------


def held(suite):
    """A tensor of version 1 that the graph has already (5.1.1)."""
    draft = Draft(header={"verifiers": [], "dialect": ""}).take(user_input(tensor("x")))
    draft.tensors(x=meta(2), t=meta(2)).table("constants", c="AAEC")
    draft.node(call("aten.add.Tensor", {"self": tensor("x"), "other": tensor("c")}, tensor("t")))
    draft.give(user_output(tensor("t")))
    whole = Whole(suite, "value/held", draft, "1", ["5.1.1"], "A tensor inside the document.")
    for name, why in (("x", "The name of an input."), ("t", "The name of a result.")):
        def change(data, name=name):
            data["graph"]["constants"][name] = "AA=="
        whole.bad("held-" + name, change, "EP_VALUE_TWICE", (GRAPH + "constants", name), why)


def early_operands(suite):
    """An argument in front of the graphs is no operand (5.2.3)."""
    for version in ("2", "7.3", LATEST):
        node = call("higher_order.strict_mode", [
            ("", tensor("x")), ("", as_graph("g_0", body(1, 1))), ("", tensors("x"))], [])
        draft = Draft().take(user_input(tensor("x"))).tensors(x=meta(2), y=meta(2))
        single = {"is_hop_single_tensor_return": True} if version == LATEST else {}
        node.update(outputs=[tensor("y")], **single)
        target = {"2": "2.1"}.get(version, version)
        draft.node(node).give(user_output(tensor("y")))
        whole = Whole(suite, "subgraph/first", draft, target, ["5.2.3", "5.2.4"],
                      "A tensor in front of the graph.")

        def more(data):
            data["graph"]["nodes"][0]["inputs"].append(
                {"name": "", "arg": tensor("x"), "kind": None})
        whole.bad("first-more", more, "EP_SUBGRAPH_INPUTS", NODES + "0/inputs/1/arg/as_graph/graph",
                  "Two operands for one.")

        def graph_out(data):
            data["graph"]["nodes"][0]["outputs"].append(as_graph("h", body(1, 1)))
        whole.bad("first-graph-out", graph_out, "EP_OUTPUT_KIND", NODES + "0/outputs/1",
                  "A graph is no output.", flags=["large"])


def map_conditions(suite):
    """What the graph of each operator returns is what the node does: one tensor is no other."""
    for target, version in (("map_impl", "7.3"), ("scan", "8.20"), ("strict_mode", "8.20")):
        draft = operator(version, target, [
            ("", as_graph("g_0", body(1, 2))), ("", tensors("x0"))], ["y0", "y1"], ["x0"])
        whole = Whole(suite, "subgraph/two-" + target, draft, version, ["5.2.5"], "Two results.")

        def one(data):
            made = data["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]["graph"]
            made["outputs"].pop()
        whole.bad("two-%s-one" % target, one, "EP_SUBGRAPH_OUTPUTS",
                  NODES + "0/inputs/0/arg/as_graph/graph", "One result of two for %s." % target)


def unbacked(suite):
    """Symbols that look like those that are born in a graph (5.4.10)."""
    for version in ("2", "5.1"):
        draft = Draft().take(user_input(tensor("x"))).tensors(x=meta(2))
        draft.node(call("mylib.f.default", {}, sym_int("n"))).table("sym_int_values", n="u0")
        draft.give(user_output(tensor("x")))
        whole = Whole(suite, "type/unbacked", draft, version, ["5.4.10"], "u0 needs no range.")
        for i, (text, fits) in enumerate((
                ("u12", True), ("i0", True), ("u1x", False), ("ux1", False), ("u", False),
                ("i", False), ("uu1", False), ("v1", False), ("u_1", False), ("i1_", False))):
            def change(data, text=text):
                data["graph"]["sym_int_values"]["n"] = text
            if fits:
                whole.good("unbacked-%d" % i, change, "5.4.10", "%s needs no range." % text)
            else:
                whole.bad("unbacked-%d" % i, change, "EP_SYMBOL",
                          GRAPH + "sym_int_values/n/as_expr",
                          "%s is none that is born in a graph." % text)


def forward_names(suite):
    """The names of a call whose keywords are a dict of another type (5.5.7)."""
    types = (("builtins.dict", '["k", "l"]'), ("collections.OrderedDict", '["k", "l"]'),
             ("torch.fx.immutable_collections.immutable_dict", '["k", "l"]'),
             ("collections.defaultdict", {"default_factory_module": "builtins",
                                          "default_factory_name": "list",
                                          "dict_context": ["k", "l"]}))
    for i, (name, context) in enumerate(types):
        spec = treespec(tree("builtins.tuple", "null", [
            tree("builtins.tuple", "null", [LEAF]), tree(name, context, [LEAF, LEAF])]))
        draft = Draft(root={"in_spec": spec, "forward_arg_names": ["a", "k", "l"]})
        draft.take(*[user_input(tensor(each)) for each in "xyz"])
        draft.tensors(x=meta(2), y=meta(2), z=meta(2)).give(user_output(tensor("x")))
        whole = Whole(suite, "module/keywords-%d" % i, draft, LATEST, ["5.5.7"],
                      "Keywords in a %s." % name)
        place = MODULES + "0/signature"
        for label, names, where in (("few", ["a", "k"], place),
                                    ("many", ["a", "b", "k", "l"], place), (
                                        "turned", ["a", "l", "k"], place + "/forward_arg_names/1"),
                                    ("other", ["a", "k", "m"], place + "/forward_arg_names/2")):
            def change(data, names=names):
                data["root"]["forward_arg_names"] = names
            whole.bad("keywords-%d-%s" % (i, label), change, "EP_MODULE_NAMES", where,
                      "No names of these keywords: %s." % ", ".join(names))
        for label, names in (("own", ["b", "k", "l"]), ("null", None)):
            def fine(data, names=names):
                data["root"]["forward_arg_names"] = names
            whole.good("keywords-%d-%s" % (i, label), fine, "5.5.7", "Names of these keywords.")


# ---- migration and forms ----------------------------------------------------------------------


def migrations(to):
    path = "torch._higher_order_ops.wrap.wrap"
    draft = strict("2.1", 2, [tensor("y0"), sym_int("n"), tensor("y1")])
    draft.data["graph"]["nodes"][0]["target"] = path
    draft.table("sym_int_values", n=4)
    to.pair("rest-mixed", "4.2", "5.1", draft, ["7.4.4"], "Several that are not all tensors.")
    alone = mapping("4.2", 0, 0)
    alone.data["graph"]["nodes"][0]["inputs"] = alone.data["graph"]["nodes"][0]["inputs"][:1]
    later = mapping("5.1", 0, 0)
    later.data["graph"]["nodes"][0]["inputs"] = later.data["graph"]["nodes"][0]["inputs"][:1]
    to.pair("rest-map-alone", "4.2", "5.1", (alone, later), ["7.4.7"], "A graph and nothing else.")
    one = "floor(Mul(%s, Pow(Integer(1), Integer(-1))))" % S0
    to.way("rest-divided-by-one", LATEST, "7.3", (speaking(one), speaking("floor(s0/1)")),
           ["7.5.1"], "A one has no parentheses.")


def objects(to):
    """A class of one letter is one, and goes nowhere where there are none (7.6.1)."""
    def using(name):
        return kinds(plain(LATEST, call("mylib.f.default", {"o": {"as_custom_obj": {
            "name": "o", "class_fqn": name}}}, [])), None)
    names = to.pair("rest-class", "2", "3.1", using(""), ["7.3.1", "7.3.2"], "No class.")
    for name in ("C", "a.B"):
        to.refused("rest-class-%d" % len(name), names[1], using(name), "EP_MIGRATE_FIELD",
                   NODES + "1/inputs/0/arg/as_custom_obj", "The class %s has no place." % name,
                   also=["7.3.2"])


TRUTHS = ("And(true, true)", "Or(false, true, false)", "Equality(true, true)", "Not(Not(true))",
          "And(StrictLessThan(%s, Integer(2)), true, false)" % S0,
          "Or(true, StrictLessThan(%s, Integer(2)), true)" % S0)


def forms(suite):
    to = Forms(suite)
    for i, text in enumerate(TRUTHS):
        draft = speaking(text, "sym_bool_values", {"as_sym_bool": {"as_name": "n"}})
        to.found("rest-truth-%d" % i, LATEST, [draft], ["6.7.2"], "Truths among terms.")
    for i, text in enumerate(("floor(Pow(Integer(1), Integer(-1)))", "floor(Mul(%s, Pow("
                              "Integer(1), Integer(-1))))" % S0,
                              "floor(Pow(Integer(2), Integer(-1)))")):
        to.found("rest-inverse-%d" % i, LATEST, [speaking(text)], ["6.7.2"], "A number below one.")
    for number in (9, -1):  # what migration refuses stays
        made = kinds(mapping("4.2", 2, 1, number), None)
        label = "rest-map-%d" % number
        later = mapping(LATEST, 2, 1, number, late=False)
        to.found(label, LATEST, [later], ["6.1.3"], "A map of %d of three." % number)
        to.other(label, "old", "4.2", written("4.2", made), ["6.1.1", "6.1.3"],
                 "As migration would not have it.")


def vectors(suite):
    for part in (expressions, trees, metadata, guards, targets, identifiers, held, early_operands,
                 map_conditions, unbacked, forward_names, forms):
        part(suite)
    to = Migrations(suite)
    for part in (respelled, migrations, objects):
        part(to)
