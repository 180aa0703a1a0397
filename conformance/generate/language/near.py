"""Texts inside strings that come near to others: exponents and signs of infix, what stands in an
argument of a guard, keys that nearly repeat, contexts of another form, targets without an end.
"""

import json

from generate.language.guards import X
from generate.language.texts import Texts
from generate.language.treespecs import FIELDS, context, node
from generate.mutants.texts import EXPONENTS
from generate.rules.operators import FLAG, M as MADE, N, Operators, X as TENSOR
from generate.whole import LEAF, MARK, call, treespec

M = MARK
LATEST, INFIX, OLDER = "8.20", "7.3", "5.1"  # OLDER: a named tuple says its fields

# ---- 4.1 ----------------------------------------------------------------------------------------

ASSUMED = (  # of a symbol, where a sign is due
    ("none", "Symbol('s0', integer" + M + ")"), ("minus", "Symbol('s0', integer" + M + "-True)"),
    ("blank", "Symbol('s0', integer" + M + " True)"), ("colon", "Symbol('s0', real" + M + ":True)"),
    ("blanks", "Symbol('s0', positive" + M + " = True, integer=True)"),
)
GOOD = (  # a sign before a product, at the end of a sum and of an argument; exponents
    ("sum-before-sign", "bool", "s0 + s1 < -u0"), ("sums-related", "bool", "s0 - s1 <= -u0 + i0"),
    ("product-before-sign", "bool", "s0*s1 < -u0"),
    ("condition-before-sign", "int", "Where(s0 < s1, -u0, i0)"),
    ("conditions-before-signs", "int", "Where(s0 + s1 < 2*u0, -u0, -i0)"),
    ("argument-before-sign", "int", "Max(s0 + s1, -u0)"),
    ("arguments-before-sign", "int", "Max(s0*s1, -u0, -i0*s0, s1)"),
)
BAD = (
    ("bool-product-related", "bool", M + "True*s0 < s1", "EP_EXPR_TYPE"),
    ("bool-sum-related", "bool", M + "True + s0 < s1", "EP_EXPR_TYPE"),
    ("bool-product-joined", "bool", M + "True*s0 & True", "EP_EXPR_TYPE"),
    ("zero-then-quotient", "int", "floor(s0/" + M + "0/s1)", "EP_EXPR_ZERO"),
    ("zero-then-product", "int", "floor(s0/" + M + "0*s1)", "EP_EXPR_ZERO"),
    ("comma-outside", "int", "s0" + M + ", s1", "EP_EXPR"),
    ("comma-outside-sum", "int", "s0 + s1" + M + ", s1", "EP_EXPR"),
    ("comma-inside-group", "int", "(s0" + M + ", s1)", "EP_EXPR"),
)
POWERS = ("1.5e+" + "9" * count for count in range(2, 7))
TEN = tuple("1.5e+%d0" % first for first in range(2, 10)) + tuple(
    "1.5e-%d5" % first for first in range(1, 10)) + tuple(POWERS)
LONG = ("1.5e+123456" + M + "7", "1.5e-123456" + M + "7", "1.5e+999999" + M + "99")
ENDS = ("1.5e" + M + "5", "1.5e" + M + "25", "1.5e" + M, "1.5e+" + M + "-5")


def expressions(suite):
    texts = Texts(suite, LATEST, "expression")
    for label, text in ASSUMED:
        texts.bad("near-assumed-" + label, texts.sorted_text("int", text), "EP_EXPR", None,
                  "An assumption's sign is due.", also=["4.1.5", "4.1.7"])
    for i, text in enumerate(TEN):
        texts.good("near-power-%02d" % i, texts.sorted_text(
            "float", "Float('%s', precision=53)" % text), "4.1.6", "An exponent.")
    for i, text in enumerate(LONG):
        texts.bad("near-power-long-%d" % i, texts.sorted_text(
            "float", "Float('%s', precision=53)" % text), "EP_EXPR", None,
            "Exponents have six digits at most.", also=["4.1.6"])
    texts = Texts(suite, INFIX, "expression")
    for label, sort, text in GOOD:
        texts.good("near-" + label, texts.sorted_text(sort, text), ["4.1.8", "4.1.1"],
                   "A sign stands before a whole product.")
    for label, sort, text, code in BAD:
        texts.bad("near-" + label, texts.sorted_text(sort, text), code, None, "It does not fit.",
                  also=["4.1.8"])
    for i, text in enumerate(TEN):
        texts.good("near-power-%02d" % i, texts.sorted_text("int", "floor(%s)" % text), "4.1.6",
                   "An exponent.")
    for i, text in enumerate(LONG):
        texts.bad("near-power-long-%d" % i, texts.sorted_text("int", "floor(%s)" % text),
                  "EP_EXPR", None, "Exponents have six digits at most.", also=["4.1.6"])
    rows = [text for label, text, _ in EXPONENTS if label != "capital"]
    for i, text in enumerate(rows):
        texts.bad("near-exponent-%d" % i, texts.sorted_text("int", "floor(%s)" % text), "EP_EXPR",
                  None, "No such float.", also=["4.1.6"])
    for i, text in enumerate(ENDS):
        texts.bad("near-exponent-end-%d" % i, texts.sorted_text("int", "floor(%s)" % text),
                  "EP_EXPR", None, "An exponent begins with its sign.", also=["4.1.6"])


# ---- 4.2 ----------------------------------------------------------------------------------------


def keyed(*keys):
    """A dict with these keys, each as JSON has it; a mark where the error is."""
    return '[1, {"type": "builtins.dict", "context": %s, "children_spec": [%s]}]' % (
        json.dumps("[%s]" % ", ".join(keys)), ", ".join([LEAF] * len(keys)))


UNLIKE = (  # keys that are not one
    ("fraction", "1", "1.5"), ("fraction-negative", "-1", "-1.5"), ("half", "0", "0.5"),
    ("fraction-bool", "true", "1.5"), ("beyond", "9223372036854775807", "9.3e+18"),
    ("escape-letters", '"A"', '"\\\\u0041"'), ("escape-tab", '"\\t"', '"\\\\t"'),
    ("escape-quote", '"\\""', '"\\\\\\""'), ("escape-unicode", '"\\u00e9"', '"\\\\u00e9"'),
    ("text-number", "1", '"1"'), ("text-null", "null", '"null"'), ("case", '"a"', '"A"'),
)
OBJECTS = ("{}", '{"a": 1}', '{"class_name": "m.P", "fields": ["a"]}')
KEYED = ("builtins.dict", "collections.OrderedDict",
         "torch.fx.immutable_collections.immutable_dict")
NONE = ("builtins.tuple", "builtins.list", "torch.Size",
        "torch.fx.immutable_collections.immutable_list")
NAMES = ("1", "null", "true", '["a"]', "{}", "1.5")


def trees(suite):
    texts = Texts(suite, LATEST, "treespec")
    for label, *keys in UNLIKE:
        for i, both in enumerate((keys, keys[::-1])):
            texts.good("near-keys-%s-%d" % (label, i), texts.in_spec(keyed(*both)), "4.2.4",
                       "Two keys for Python.")
    for kind in KEYED + NONE:
        for i, said in enumerate(OBJECTS):
            spec = treespec('{"type": "%s", "context": %s, "children_spec": [%s]}' % (
                kind, M + said, LEAF))
            texts.bad("near-object-%s-%d" % (kind.split(".")[-1].lower().replace("_", "-"), i),
                      texts.in_spec(spec), "EP_TREESPEC_CONTEXT", None, "The context of another.")
    for label, escape in (("unknown", "\\q"), ("half", "\\ud800")):
        key = '[{"__enum__": true, "fqn": "m:%s%s", "name": "ON"}, "b"]' % (M, escape)
        texts.bad("near-enum-escape-" + label, texts.in_spec(context("builtins.dict", key)),
                  "EP_TREESPEC_CONTEXT", None, "A string that is none.")
    older = Texts(suite, OLDER, "treespec")
    said = json.dumps(FIELDS)
    for label, text in (("keys", said.replace("fields", M + "keys")),
                        ("field", said.replace('fields"', "field" + M + '"')),
                        ("none", '{"class_name": "m.P"' + M + "}")):
        older.bad("near-fields-" + label, older.in_spec(treespec(node(
            '"collections.namedtuple"', text, [LEAF, LEAF]))), "EP_TREESPEC_CONTEXT", None,
            "Another key than fields.")
    for i, name in enumerate(NAMES):
        for at, letter in enumerate("ab"):
            text = said.replace('"%s"' % letter, M + name)
            older.bad("near-field-%d-%d" % (i, at), older.in_spec(treespec(node(
                '"collections.namedtuple"', text, [LEAF, LEAF]))), "EP_TREESPEC_CONTEXT", None,
                "The name of a field is a string.")


# ---- 4.3 ----------------------------------------------------------------------------------------

SOURCE = ('{"name": "n", "target": "t", "graph_id": 1, "pass_name": "p", "action": "create", '
          '"from_node": []}')


def metadata(suite):
    texts = Texts(suite, LATEST, "metadata")
    for key, value in (("name", "n"), ("target", "t"), ("pass_name", "p"), ("action", "create")):
        lead = '"%s": ' % key
        said = lead + '"%s"' % value
        for label, other in (("missing", ""), ("bare", value), ("null", "null")):
            text = "[%s]" % SOURCE.replace(said, lead + M + other)
            texts.bad("near-source-%s-%s" % (key.replace("_", "-"), label),
                      texts.metadata("from_node", text), "EP_METADATA_FROM_NODE", None,
                      "A string is due.")


# ---- 4.4 ----------------------------------------------------------------------------------------

LETTERS = "\u00e9\u0400\u0440\u4e00\u8000\ud7ff\ue000\U00010000\U0001f600"
ARGUMENTS = (
    ("relation", "max(" + X + " == 1" + M + ", 2) == 2"),
    ("relation-round", "round(" + X + " < 1" + M + ", 2) == 2"),
    ("relation-second", "max(1, " + X + " == 1" + M + ", 2) == 2"),
    ("truth-second", "max(1, " + M + "True) == 1"),
    ("truth-third", "max(1, 2, " + M + "False) == 1"),
    ("truth-sym-max", "torch.sym_max(1, " + M + "True) == 1"),
    ("not-second", "max(1, " + M + "not (True)) == 1"),
)
SIGNS = tuple((name, sign + name) for sign in "-+~" for name in (
    "math.nan", "True", "False", "math.sqrt(2)", "max(1, 2)", "(1)", "L['x'].size()[0]")) + (
        ("plus-inf", "+math.inf"), ("twice-inf", "--math.inf"), ("twice", "--1"))


def guards(suite):
    texts = Texts(suite, LATEST, "guard")
    for letter in LETTERS:
        texts.good("near-attribute-%04x" % ord(letter), texts.guard(
            "L['x'].a%s == 1 and L['x'].%s.b == 2" % (letter, letter)), "4.4.2",
            "An identifier beyond ASCII.")
    for label, text in ARGUMENTS:
        texts.bad("near-argument-" + label, texts.guard(text), "EP_GUARD", None,
                  "A number is due.", also=["4.4.4"])
    for i, (_, text) in enumerate(SIGNS):
        texts.bad("near-sign-%02d" % i, texts.guard(X + " == " + M + text), "EP_GUARD", None,
                  "A sign is a literal's.", also=["4.4.3"])


# ---- 4.5, 4.6 -----------------------------------------------------------------------------------


def targets(suite):
    for version in ("2", "7.3", LATEST):
        texts = Texts(suite, version, "target")
        for text in ("torch.ops", "torch.ops.aten", "torch.ops.mylib.f"):
            texts.bad("near-" + text.replace(".", "-"), texts.node(3, "target", text + M),
                      "EP_TARGET", None, "It ends early.")
        texts = texts.at("device")
        for label, text in (("first", "Cuda"), ("last", "cudA"), ("middle", "cuDa"),
                            ("first-digit", "2cuda"), ("first-sign", "-cuda")):
            texts.bad("near-" + label, texts.device(M + text), "EP_DEVICE", None,
                      "Small letters.")


# ---- functions on symbols -----------------------------------------------------------------------

TRUTHS = (("symbol", FLAG), ("constant", {"as_bool": True}), ("tensor", TENSOR),
          ("text", {"as_string": "1"}), ("none", {"as_none": True}))


def functions(suite):
    """Each function that takes numbers alone, with something else in each place."""
    for version, names in (("2.1", {"torch.sym_int": "a"}), (LATEST, {
            "torch.sym_int": "a", "_operator.neg": "a", "math.trunc": "x",
            "torch.sym_max": "a b", "torch.sym_min": "a b"})):
        operators = Operators(suite, version)
        for target, said in names.items():
            said = said.split()
            for place, name in enumerate(said):
                for label, value in TRUTHS:
                    inputs = [(each, value if each == name else N) for each in said]
                    operators.instead(
                        "near-%s-%d-%s" % (target.replace(".", "-"), place, label),
                        "EP_OPERATOR_TYPE", "/inputs/%d/arg" % place, "It takes numbers.",
                        call(target, inputs, MADE))


def vectors(suite):
    for part in (expressions, trees, metadata, guards, targets, functions):
        part(suite)
