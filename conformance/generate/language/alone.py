"""Texts that no family comes by, one by one: a sign before what is no number, the characters next
to letters, more groups side by side than may be open, limits that are odd, words that end early.
"""

import json

from generate.language.depths import LIMIT, nested_spec
from generate.language.metadata import source
from generate.language.texts import S0, Texts
from generate.language.treespecs import FIELDS, context, node
from generate.suite import change_between
from generate.whole import LEAF, MARK, place_of, tree, treespec

M = MARK
LATEST, INFIX = "8.20", "7.3"


class Limited:
    """Texts under a limit of depth."""

    def __init__(self, suite, version, depth):
        self.suite, self.texts = suite, Texts(suite, version, "depth")
        self.options = {"limits": {"depth": depth}}

    def good(self, name, change, clause, why):
        text = self.texts.changed(change).text
        return self.suite.valid_edit(
            self.texts.id(name), self.texts.twin,
            change_between(self.suite.bytes[self.texts.twin], text), [clause, "1.4.2"], why,
            provenance="hand", options=self.options)

    def bad(self, name, twin, change, clause, why):
        text, offset, pointer = place_of(self.texts.changed(change), None)
        return self.suite.invalid(
            self.texts.id(name), twin, change_between(self.suite.bytes[twin], text),
            "EP_LIMIT_DEPTH", (offset, pointer), why, provenance="hand", also=[clause],
            flags=["large"])


# ---- 4.1 ----------------------------------------------------------------------------------------

SREPR = (  # label, sort, text, code, why
    ("pair-three", "int", "Piecewise(" + M + "ExprCondPair(Integer(1), true, true))",
     "EP_EXPR_ARGUMENTS", "An arm has two parts."),
    ("pair-one", "int", "Piecewise(" + M + "ExprCondPair(Integer(1)))", "EP_EXPR_ARGUMENTS",
     "An arm has two parts."),
    ("float-sign", "float", "Float('-" + M + "', precision=53)", "EP_EXPR", "A sign alone."),
    ("precision-sign", "float", "Float('1.5', precision=" + M + "-60)", "EP_EXPR",
     "A precision has no sign."),
    ("float-filled", "float", "Float('" + M + "0.50000000000000000', precision=53)", "EP_EXPR",
     "Seventeen digits, of which the last are zeros."),
    ("float-filled-whole", "float", "Float('" + M + "1.0000000000000000', precision=53)", "EP_EXPR",
     "Seventeen digits, of which the last are zeros."),
    ("float-long", "float", "Float('" + M + "0.01234567890123456789', precision=53)", "EP_EXPR",
     "Nineteen digits behind a zero."),
    ("float-zero-signed", "float", "Float('" + M + "-0.0', precision=5)", "EP_EXPR",
     "The sign of zero comes before the precision."),
    ("float-zero-filled", "float", "Float('-0.00', precision=" + M + "5)", "EP_EXPR",
     "The precision comes before the number of digits."),
    ("symbol-brace", "int", "Symbol('s0" + M + "{', integer=True)", "EP_EXPR_SYMBOL",
     "The character behind the last letter."),
)
INFIXES = (
    ("symbol-float", "int", M + "zf1", "EP_EXPR_TYPE", "A float."),
    ("product-minus", "int", M + "True*2 - s0", "EP_EXPR_TYPE", "No number, before a minus sign."),
    ("zero-minus", "int", "floor(s0/" + M + "0 - s1)", "EP_EXPR_ZERO", "Before a minus sign."),
    ("zero-behind-type", "int", M + "True/0", "EP_EXPR_TYPE", "What is divided is no number."),
    ("zero-before-type", "int", "1/0*" + M + "True", "EP_EXPR_TYPE",
     "A product is judged as one, its types before its divisors."),
    ("zero-first", "int", "1/" + M + "0/0", "EP_EXPR_ZERO", "The first of two."),
    ("divided-both", "int", "floor(" + M + "True/True)", "EP_EXPR_TYPE", "The first of two."),
    ("divided-later", "int", "floor(" + M + "True*2/True)", "EP_EXPR_TYPE", "The first of two."),
    ("subtracted-both", "int", M + "True - True", "EP_EXPR_TYPE", "The first of two."),
    ("minus-condition", "int", "Where(" + M + "-s0, s1, 1)", "EP_EXPR_TYPE",
     "A number with a sign where a condition is due."),
    ("minus-joined", "bool", "True & " + M + "-s0", "EP_EXPR_TYPE",
     "A number with a sign where a condition is due."),
    ("minus-zero", "int", "Mod(s0, " + M + "-0)", "EP_EXPR_ZERO", "Zero with a sign."),
    ("sign-nul", "int", "s0*" + M + "\0s1", "EP_EXPR", "A zero byte behind an operator."),
    ("sum-nul", "int", "s0 + " + M + "\0", "EP_EXPR", "A zero byte behind an operator."),
    ("exponent-seventh", "int", "floor(1.0e+123456" + M + "7)", "EP_EXPR", "Six digits at most."),
    ("exponent-of-twelve", "int", "floor(" + M + "12.0e+20)", "EP_EXPR",
     "One digit stands before the point where there is an exponent."),
    ("exponent-colon", "int", "floor(1.0e+" + M + ":)", "EP_EXPR",
     "The character behind the last digit."),
    ("float-long", "int", "floor(" + M + "0.01234567890123456789)", "EP_EXPR",
     "Nineteen digits behind a zero."),
    ("symbol-brace", "int", "s0" + M + "{", "EP_EXPR", "The character behind the last letter."),
)


def expressions(suite):
    for version, rows in ((LATEST, SREPR), (INFIX, INFIXES)):
        texts = Texts(suite, version, "expression")
        for label, sort, text, code, why in rows:
            texts.bad("alone-" + label, texts.sorted_text(sort, text), code, None, why)
    for version, text in ((INFIX, " + ".join(["(s0)"] * (LIMIT + 1))),
                          (LATEST, "Add(%s)" % ", ".join(["Abs(%s)" % S0] * (LIMIT + 1)))):
        Limited(suite, version, LIMIT).good(
            "beside", Texts.sorted_text(None, "int", text), "4.1.1",
            "More parentheses side by side than may be open at a time.")


# ---- 4.2 ----------------------------------------------------------------------------------------

TREES = (  # label, text, code, why
    ("type-cut", '[1, {"type": nul' + M + 'x, "context": null, "children_spec": []}]',
     "EP_TREESPEC", "Another word than null."),
    ("children-key", '[1, {"type": null, "context": null, "children' + M + '": []}]',
     "EP_TREESPEC", "A key that ends early."),
    ("context-blank", '[1, {"type": null, "context": ' + M + ' x, "children_spec": []}]',
     "EP_TREESPEC", "A blank too many comes before what follows it."),
    ("protocol-zero", "[0" + M + "1, %s]" % LEAF, "EP_TREESPEC", "A leading zero."),
    ("protocol-sign", "[-" + M + ", %s]" % LEAF, "EP_TREESPEC", "A sign alone."),
    ("length-zero", context("collections.deque", "0" + M + "1"), "EP_TREESPEC_CONTEXT",
     "A leading zero."),
    ("length-sign", context("collections.deque", "-" + M), "EP_TREESPEC_CONTEXT",
     "A sign alone."),
    ("keys-form-first", context("builtins.dict", "[1, 1, " + M + "[2]]"), "EP_TREESPEC_CONTEXT",
     "A key that is none behind one that repeats another."),
    ("keys-repeat", context("builtins.dict", "[1, " + M + "1, 2]"), "EP_TREESPEC_CONTEXT",
     "A key that repeats another."),
    ("length-negative", context("collections.deque", M + "-1"), "EP_TREESPEC_CONTEXT",
     "A length below 0."),
    ("enum-name", context("builtins.dict", '[{"__enum__": true, "fqn": "m:C", "n' + M +
                          'ome": "ON"}, "b"]'), "EP_TREESPEC_CONTEXT", "Another key than name."),
)
LETTERS = "azAZ_\u0080\u00bf\u0100\u0400\u07ff\u0800\uffff"
NO_LETTERS = "@[{\x7f"


def described(text, count=40):
    """A tree spec in a program that describes so many named tuples, the i-th of i + 1 fields."""
    def change(data):
        Texts.in_spec(text)(data)
        data["module"]["treespec_namedtuple_fields"] = {
            "m.P%d" % i: {"field_names": ["f%d" % k for k in range(i + 1)]} for i in range(count)}
    return change


def two_of(name):
    """A named tuple of two fields, by its name."""
    return treespec(tree("collections.namedtuple", name, [LEAF] * 2))


def trees(suite):
    texts = Texts(suite, LATEST, "treespec")
    for label, text, code, why in TREES:
        texts.bad("alone-" + label, texts.in_spec(text), code, None, why)
    for letter in LETTERS:
        texts.good("alone-letter-%04x" % ord(letter), texts.in_spec(treespec(node(
            json.dumps("models." + letter), "null", [LEAF, LEAF]))), "4.2.3", "A name of Python.")
    for letter in NO_LETTERS:
        texts.bad("alone-no-letter-%02x" % ord(letter), texts.in_spec(treespec(node(
            M + json.dumps("models." + letter), "null", [LEAF, LEAF]))), "EP_TREESPEC_TYPE", None,
            "A character next to a letter.")
    long = '"%s"' % ("k" * 300)
    texts.bad("alone-long-key-twice", texts.in_spec(context("builtins.dict", "[%s, %s%s]" % (
        long, M, long))), "EP_TREESPEC_CONTEXT", None, "A long key twice.", flags=["large"])
    texts.good("alone-long-key", texts.in_spec(context("builtins.dict", '[%s, "l%s]' % (
        long, long[1:]))), "4.2.4", "Two long keys.", flags=["large"])
    older = Texts(suite, "5.3-2024-03", "treespec")
    older.bad("alone-fields", older.in_spec(treespec(node(
        '"collections.namedtuple"', M + json.dumps(FIELDS), [LEAF, LEAF]))), "EP_TREESPEC_CONTEXT",
        None, "A named tuple says its name from this version on.")
    texts.good("alone-described", described(two_of("m.P1")), ["4.2.5", "4.2.6"],
               "The second of many.")
    for at in (0, 2, 38, 39):
        few = at > 1
        wrong = "]" if few else LEAF + "]"
        spec = two_of("m.P%d" % at)
        spec = spec.replace(LEAF + "]", (LEAF + M if few else M + LEAF) + "]", 1)
        assert wrong in spec.replace(M, "")
        texts.bad("alone-described-%d" % at, described(spec), "EP_TREESPEC_CHILDREN", None,
                  "It has %d fields." % (at + 1))
    texts.bad("alone-described-none", described(two_of("x.P1").replace('"x.P1"', M + '"x.P1"')),
              "EP_TREESPEC_NAMEDTUPLE", None, "None of many.")
    texts.bad("alone-described-type", described(treespec(node(
        '"m.P2"', "null", [LEAF, LEAF + M]))), "EP_TREESPEC_CHILDREN", None,
        "A registered type that has three fields.")


# ---- 4.3.5 --------------------------------------------------------------------------------------


def sources(suite):
    """Under an odd limit a list is the last that may be open, and a source in it is none."""
    def nested(count, mark=""):
        inner = mark
        for _ in range(count):
            inner = source(inner=inner)
        return Texts.metadata("from_node", "[%s]" % inner)
    depth = LIMIT - 1
    limited = Limited(suite, LATEST, depth)
    twin = limited.good("sources", nested(depth // 2), "4.3.5", "As deep as the limit.")

    def above(data):
        nested(depth // 2, M + source())(data)
    limited.bad("sources-above", twin, above, "4.3.5", "A source in the last list.")


def openings(suite):
    """What is one too deep is reported where it opens: a call in an expression at its name."""
    def expression(text):
        return Texts.sorted_text(None, "int", text)

    for version, label, change, name, deepest, clause in (
            (LATEST, "call", expression, "Abs", "Integer(1)", "4.1.7"),
            (INFIX, "call", expression, "Abs", "s0", "4.1.8"),
            (LATEST, "guard-call", Texts.guard, "abs", "1", "4.4.1"),
            (LATEST, "guard-not", Texts.guard, "not ", "1 == 1", "4.4.1")):
        before, behind = (name + "(") * LIMIT, ")" * LIMIT
        behind += " == 1" if name == "abs" else ""
        above = M + name + "(" if name == "Abs" else name + M + "("
        limited = Limited(suite, version, LIMIT)
        twin = limited.good(label, change(before + deepest + behind), clause,
                            "As deep as the limit.")
        limited.bad(label + "-above", twin, change(before + above + deepest + ")" + behind), clause,
                    "One more.")
    limited = Limited(suite, LATEST, LIMIT)
    twin = limited.good("children", Texts.in_spec(nested_spec(LIMIT - 1, "")), "4.2.1",
                        "A level below the limit.")
    above = nested_spec(LIMIT + 1, M).replace(M, "").replace(": []", ": " + M + "[]", 1)
    limited.bad("children-above", twin, Texts.in_spec(above), "4.2.1", "The list of the last node.")


# ---- 4.4 ----------------------------------------------------------------------------------------

GUARDS = (
    ("delete", "L['x'].a" + M + "\x7f == 1", "No identifier has it."),
    ("size-cut", "L['x'].size(" + M + " > 1", "A parenthesis is due."),
    ("stride-cut", "L['x'].stride(" + M + " == 1", "A parenthesis is due."),
    ("size-name", "L['x'].size()[" + M + "'a'] > 1", "A number is due."),
    ("size-truth", "L['x'].size()[" + M + "True] > 1", "A number is due."),
    ("argument-joined", "torch.sym_max(1 > 0 and 2" + M + ", 3) > 1",
     "A number behind a word, in an argument."),
    ("argument-joined-last", "torch.sym_max(3, 1 > 0 and 2" + M + ") > 1",
     "A number behind a word, in an argument."),
    ("choice-joined", "(1 > 0 and 2" + M + " if True else 3) == 1",
     "A number behind a word, before a choice."),
    ("choice-nested", "((1 > 0 or 2" + M + " if True else 3) if True else 4) == 1",
     "The same, in a choice."),
)


def guards(suite):
    texts = Texts(suite, LATEST, "guard")
    for label, text, why in GUARDS:
        texts.bad("alone-" + label, texts.guard(text), "EP_GUARD", None, why)
    for i, text in enumerate(("L['x'].a[0] == 1", "L['x'].Z[0].z['k'] == 1", "L['x']._['_'] == 1")):
        texts.good("alone-attribute-%d" % i, texts.guard(text), "4.4.2",
                   "An index right behind an attribute.")


# ---- 4.5 ----------------------------------------------------------------------------------------


def targets(suite):
    for version in (INFIX, LATEST):
        texts = Texts(suite, version, "target")
        texts.bad("alone-prefix", texts.node(3, "target", "#" + M), "EP_TARGET", None,
                  "A prefix and nothing behind it.", also=["4.5.3"])
        texts.bad("alone-torch", texts.node(3, "target", M + "torch"), "EP_TARGET_UNKNOWN", None,
                  "The first name of an operator, alone.")
    for version in ("1-2023-08", LATEST):
        for name in ("_export_tracepoint", "run_with_rng_state", "run_and_save_rng_state"):
            texts = Texts(suite, version, "target")
            texts.good("alone-" + name.strip("_"), texts.node(
                3, "target", "torch.ops.higher_order." + name), "4.5.2", "It is in every version.")


def vectors(suite):
    for part in (expressions, trees, sources, openings, guards, targets):
        part(suite)
