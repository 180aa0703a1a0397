"""Numbers of each sign and kind in each place of an expression: as an argument of each function,
as base and exponent, on both sides of each operator, with and without parentheses.
"""

from collections import namedtuple

from format.annexes import rows
from generate.language.expressions import F0, S0, U0
from generate.language.texts import Texts
from generate.whole import MARK as M

# zero: 4.1.9; below: a negative integer (4.1.4)
Term = namedtuple("Term", "label text sort zero below", defaults=(False, False))


def real(text):
    return "Float('%s', precision=53)" % text


SREPR = (
    Term("int", "Integer(3)", "int"), Term("below", "Integer(-2)", "int", below=True),
    Term("zero", "Integer(0)", "int", zero=True), Term("float", real("2.5"), "float"),
    Term("float-below", real("-0.5"), "float"), Term("float-whole", real("-2.0"), "float"),
    Term("float-zero", real("0.0"), "float", zero=True), Term("half", "Rational(1, 2)", "float"),
    Term("half-below", "Rational(-1, 2)", "float"), Term("symbol", S0, "int"),
    Term("unbacked", U0, "int"), Term("symbol-float", F0, "float"),
    Term("product-below", "Mul(Integer(-1), Integer(2))", "int", below=True),
    Term("product-above", "Mul(Integer(-1), Integer(-2))", "int"),
    Term("product-three", "Mul(Integer(-1), Integer(-2), Integer(-3))", "int", below=True),
    Term("product-zero", "Mul(Integer(0), Integer(-2))", "int", zero=True),
    Term("product-symbol", "Mul(Integer(-1), %s)" % S0, "int"),
    Term("product-float", "Mul(Integer(-1), %s)" % real("2.0"), "float"),
    Term("product-float-zero", "Mul(%s, %s)" % (S0, real("0.0")), "float", zero=True),
    Term("sum-below", "Add(Integer(-1), Integer(-1))", "int"),
    Term("sum-zero", "Add(Integer(-1), Integer(1))", "int"),
    Term("maximum", "Max(Integer(-1), Integer(-2))", "int"), Term("bool", "true", "bool"),
)
INFIX = (
    Term("int", "3", "int"), Term("below", "(-2)", "int", below=True),
    Term("zero", "0", "int", zero=True), Term("zero-below", "(-0)", "int", zero=True),
    Term("float", "2.5", "float"), Term("float-below", "(-0.5)", "float"),
    Term("float-whole", "(-2.0)", "float"), Term("float-zero", "0.0", "float", zero=True),
    Term("float-zero-below", "(-0.0)", "float", zero=True), Term("half", "(1/2)", "float"),
    Term("half-below", "(-1/2)", "float"), Term("symbol", "s0", "int"),
    Term("symbol-below", "(-s0)", "int"), Term("symbol-float", "f0", "float"),
    Term("twice", "((-2))", "int", below=True), Term("outside", "(-(2))", "int", below=True),
    Term("both", "(-(-2))", "int"), Term("product-below", "(-1*2)", "int", below=True),
    Term("product-inside", "(2*(-1))", "int", below=True),
    Term("product-above", "(-1*(-2))", "int"),
    Term("product-zero", "(0*s0)", "int", zero=True),
    Term("product-zero-below", "(-2*0)", "int", zero=True),
    Term("quotient-zero", "(0/2)", "float", zero=True),
    Term("product-symbol", "(-1*s0)", "int"), Term("product-float", "(-1*2.0)", "float"),
    Term("sum-below", "(0 - 1)", "int"), Term("maximum", "Max(-1, -2)", "int"),
    Term("power", "(-2**2)", "int"), Term("bool", "True", "bool"),
)
SHORT = ("int", "below", "zero", "float-below", "float-zero", "bool")  # of functions alike
NEUTRAL = {"bool": ("true", "True")}


class Signs:
    """The vectors of one form."""

    def __init__(self, suite, version, form, terms):
        self.texts, self.form, self.terms = Texts(suite, version, "expression"), form, terms
        self.held = {"int": [], "bool": []}
        self.neutral = terms[0].__class__("neutral", (S0, "s0")[form], "int")

    def good(self, label, sort, text):
        """Ints and bools are held back, and judged together; a float of the infix form is
        rounded, as there is no place for one."""
        if sort == "float" and self.form == 1:
            sort, text = "int", "floor(%s)" % text
        if sort == "float":
            self.texts.good("sign-" + label, self.texts.sorted_text(sort, text),
                            ["4.1.4", "4.1.9"], "Numbers of each sign and kind.")
        else:
            self.held[sort].append(text)

    def together(self, label):
        """What was held back; a float among the ints would make the whole one."""
        for sort, texts in self.held.items():
            for number in range(0, len(texts), 40):
                some = texts[number:number + 40]
                joined = {"int": "Max(%s)" % ", ".join(["1", "1"][:2 - min(len(some), 2)] + some)
                          if self.form else "Max(%s)" % ", ".join(
                              ["Integer(1)"] * (2 - min(len(some), 2)) + some),
                          "bool": ("Or(%s)" % ", ".join(["false"] * (2 - min(len(some), 2)) + some))
                          if not self.form else " | ".join("(%s)" % each for each in some)}[sort]
                self.texts.good("signs-%s-%s-%d" % (label, sort, number // 40),
                                self.texts.sorted_text(sort, joined), ["4.1.4", "4.1.9"],
                                "Numbers of each sign and kind.", flags=["large"])
            texts.clear()

    def bad(self, label, sort, before, marked, after, code):
        text = before + M + marked + after
        if self.form == 1 and sort == "float":
            sort, text = "int", "floor(%s)" % text
        self.texts.bad("sign-" + label, self.texts.sorted_text(sort, text), code, None,
                       "Numbers of each sign and kind.",
                       also=["4.1.8"] if code == "EP_EXPR" else [])

    # -- functions

    def functions(self):
        for row in rows("expressions"):
            name = row[("srepr", "infix")[self.form]]
            if name is None or row["form"] != "function" and (self.form or name in (
                    "ExprCondPair",)) or name == "Piecewise":
                continue
            least = int(row["least"])
            for place in range(least):
                for term in self.terms:
                    alike = name.startswith("OpaqueUnaryFn") or name in (
                        "cosh", "sinh", "tanh", "asin", "acos", "atan", "tan", "sin", "cos")
                    if not alike or term.label in SHORT:
                        self.function(name, row, place, term)
            self.together("function-" + name)

    def function(self, name, row, place, term):
        sorts = row["sorts"].split()
        terms = []
        for i in range(int(row["least"])):
            wanted = sorts[min(i, len(sorts) - 1)]
            neutral = Term("neutral", NEUTRAL["bool"][self.form], "bool") if wanted == "bool" \
                else self.neutral
            terms.append(term if i == place else neutral)
        label = "%s-%d-%s" % (name, place, term.label)
        fault = self.fault(sorts, terms)
        result = self.result(row["result"], terms)
        texts = [each.text for each in terms]
        if fault is None:
            self.good(label, result, "%s(%s)" % (name, ", ".join(texts)))
            return
        code, i = fault
        self.bad(label, result, "%s(%s" % (name, "".join(each + ", " for each in texts[:i])),
                 texts[i], "".join(", " + each for each in texts[i + 1:]) + ")", code)

    @staticmethod
    def fault(sorts, terms):
        """(code, place) of what is wrong; the sorts come first."""
        for i, term in enumerate(terms):
            wanted = sorts[min(i, len(sorts) - 1)].replace("nonzero-", "")
            if wanted == "same":
                wanted = "bool" if terms[0].sort == "bool" else "number"
            if wanted != "any" and term.sort not in {
                    "number": ("int", "float")}.get(wanted, (wanted,)):
                return "EP_EXPR_TYPE", i
        for i, term in enumerate(terms):
            if sorts[min(i, len(sorts) - 1)].startswith("nonzero") and term.zero:
                return "EP_EXPR_ZERO", i
        return None

    @staticmethod
    def result(said, terms):
        if said in ("int", "float", "bool"):
            return said
        if said == "argument":
            return terms[0].sort
        if said == "power" and terms[1].below:
            return "float"
        counted = terms[1:] if said == "others" else terms
        return "float" if any(each.sort == "float" for each in counted) else "int"

    # -- powers

    def powers(self):
        for base in self.terms:
            if base.label not in ("int", "zero", "zero-below", "float-zero", "product-zero",
                                  "product-float-zero", "quotient-zero", "symbol", "below",
                                  "float-below", "symbol-float"):
                continue
            floats = []
            for exponent in self.terms:
                if exponent.sort == "bool":
                    continue
                label = "power-%s-%s" % (base.label, exponent.label)
                result = self.result("power", [base, exponent])
                parts = ("", base.text, "**" + exponent.text) if self.form else (
                    "Pow(", base.text, ", %s)" % exponent.text)
                if exponent.below and base.zero:
                    self.bad(label, result, *parts, "EP_EXPR_ZERO")
                elif result == "float" and base.label != "symbol":
                    floats.append("".join(parts))
                else:
                    self.good(label, result, "".join(parts))
            if floats and self.form:
                self.good("", "int", "floor(Max(1, %s))" % ", ".join(floats))
            elif floats:
                self.good("power-%s-floats" % base.label, "float",
                          "Max(Integer(1), %s)" % ", ".join(floats))
        self.together("powers")


# ---- operators of the infix form ------------------------------------------------------------

# How an operand may stand: (label, text before and behind, where it is wrong behind its begin)
FORMS = (("plain", "%s", None), ("group", "(%s)", None), ("below", "-%s", None),
         ("below-group", "(-%s)", None), ("below-groups", "((-%s))", None),
         ("outside", "-(%s)", None), ("outside-group", "(-(%s))", None),
         ("below-both", "-(-%s)", None), ("twice", "--%s", 1), ("apart", "- %s", 1),
         ("plus", "+%s", 0), ("plus-group", "(+%s)", 1), ("twice-group", "(--%s)", 2))
NUMBERS = (("int", "2", "int"), ("float", "2.5", "float"), ("symbol", "s0", "int"),
           ("call", "Abs(s0)", "int"), ("quotient", "(s0//2)", "int"))
BINARY = (("sum", " + "), ("difference", " - "), ("product", "*"), ("ratio", "/"), ("power", "**"),
          ("floor", "//"), ("less", " < "), ("at-most", " <= "), ("more", " > "),
          ("at-least", " >= "))
RELATIONS = ("less", "at-most", "more", "at-least")


def signed(form):
    """Whether a sign stands outside of all parentheses."""
    return form[0] in "-+"


def operators(signs):
    for name, sign in BINARY:
        for number, text, sort in NUMBERS:
            pairs = [(form, FORMS[0]) for form in FORMS] + [(FORMS[0], form) for form in FORMS]
            if number in ("int", "symbol"):
                pairs += [(first, form) for first in (FORMS[2], FORMS[3]) for form in FORMS]
            elif number != "float" and name not in ("product", "floor", "power", "less"):
                continue
            for pair in dict.fromkeys(pairs):
                operator(signs, (name, sign), (number, text, sort), pair)
        signs.together("operator-" + name)


def operator(signs, operation, number, forms):
    name, sign = operation
    label = "operator-%s-%s-%s-%s" % (name, number[0], forms[0][0], forms[1][0])
    left, right = forms[0][1] % number[1], forms[1][1] % "s0"
    before, after = ("(", ")") if name == "floor" else ("", "")
    whole = before + left + sign + right + after
    begin = len(before + left + sign)
    wrong = None
    if forms[0][2] is not None:
        wrong = len(before) + forms[0][2]
    elif name == "floor" and signed(left):
        wrong = len(before + left)  # a sum is no operand of it
    elif forms[1][2] is not None and not (signed(right) and name not in RELATIONS):
        wrong = begin + forms[1][2]
    elif signed(right) and name not in RELATIONS:
        wrong = begin
    sort = "bool" if name in RELATIONS else number[2]
    if name == "ratio":
        sort = "float"
    if wrong is not None:
        signs.bad(label, sort, whole[:wrong], whole[wrong:], "", "EP_EXPR")
    else:
        signs.good(label, sort, whole)


def vectors(suite):
    for version, form, terms in (("8.20", 0, SREPR), ("7.3", 1, INFIX)):
        signs = Signs(suite, version, form, terms)
        signs.functions()
        signs.powers()
        if form:
            operators(signs)
