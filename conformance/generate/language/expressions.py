"""Symbolic expressions, in both forms: what each function takes and gives, and
what can be wrong with the text.
"""

import json

from format.document import Style
from generate.language.texts import S0, Texts
from generate.whole import MARK

M = MARK
U0 = "Symbol('u0', integer=True)"
F0 = "Symbol('f0')"

# Functions (SPEC appendix E.1): srepr name, infix name, least and most numbers
# of arguments (most 0: any), sorts of the arguments, the last for the rest
# (n: number, i: int, b: bool, a: any, s: as the first), what they give (n: int
# if all are; c: the same without the first; a: as the argument).
FUNCTIONS = [
    ("Add", None, 2, 0, "n", "n"), ("Mul", None, 2, 0, "n", "n"), ("Pow", None, 2, 2, "n", "n"),
    ("FloorDiv", None, 2, 2, "n", "n"), ("LessThan", None, 2, 2, "n", "b"),
    ("StrictLessThan", None, 2, 2, "n", "b"), ("GreaterThan", None, 2, 2, "n", "b"),
    ("StrictGreaterThan", None, 2, 2, "n", "b"), ("And", None, 2, 0, "b", "b"),
    ("Or", None, 2, 0, "b", "b"), ("Not", None, 1, 1, "b", "b"),
    ("Equality", "Eq", 2, 2, "as", "b"), ("Unequality", "Ne", 2, 2, "as", "b"),
    ("Max", "Max", 2, 0, "n", "n"), ("Min", "Min", 2, 0, "n", "n"), ("Abs", "Abs", 1, 1, "n", "n"),
    ("floor", "floor", 1, 1, "n", "i"), ("ceiling", "ceiling", 1, 1, "n", "i"),
    ("CleanDiv", "CleanDiv", 2, 2, "n", "n"), ("CeilDiv", "CeilDiv", 2, 2, "i", "i"),
    ("ModularIndexing", "ModularIndexing", 3, 3, "i", "i"), ("Mod", "Mod", 2, 2, "n", "n"),
    ("PythonMod", "PythonMod", 2, 2, "i", "i"), ("Where", "Where", 3, 3, "bn", "c"),
    ("LShift", "LShift", 2, 2, "i", "i"), ("RShift", "RShift", 2, 2, "i", "i"),
    ("PowByNatural", "PowByNatural", 2, 2, "i", "i"), ("FloatPow", "FloatPow", 2, 2, "n", "f"),
    ("FloatTrueDiv", "FloatTrueDiv", 2, 2, "n", "f"), ("IntTrueDiv", "IntTrueDiv", 2, 2, "i", "f"),
    ("ToFloat", "ToFloat", 1, 1, "i", "f"), ("TruncToFloat", "TruncToFloat", 1, 1, "n", "f"),
    ("TruncToInt", "TruncToInt", 1, 1, "n", "i"), ("RoundToInt", "RoundToInt", 1, 1, "n", "i"),
    ("RoundDecimal", "RoundDecimal", 2, 2, "ni", "f"),
    ("FloorToInt", "FloorToInt", 1, 1, "n", "i"), ("CeilToInt", "CeilToInt", 1, 1, "n", "i"),
    ("Identity", "Identity", 1, 1, "a", "a"),
    ("IsNonOverlappingAndDenseIndicator",) * 2 + (2, 0, "i", "i"),
    ("BitwiseFn_bitwise_and", None, 2, 2, "i", "i"),
    ("BitwiseFn_bitwise_or", None, 2, 2, "i", "i"),
    ("BitwiseFn_bitwise_xor", None, 2, 2, "i", "i"),
]
FUNCTIONS += [("OpaqueUnaryFn_" + name,) * 2 + (1, 1, "n", "f") for name in (
    "sqrt", "cos", "cosh", "sin", "sinh", "tan", "tanh", "asin", "acos", "atan", "asinh", "exp",
    "log", "log2")]
FUNCTIONS += [(None, "Trunc", 1, 1, "n", "i"), (None, "Round", 1, 1, "n", "i")]
FUNCTIONS += [(None, name, 1, 1, "n", "f") for name in (
    "sqrt", "cos", "cosh", "sin", "sinh", "tan", "tanh", "asin", "acos", "atan", "exp", "log")]

ARGUMENT = {  # in srepr and infix, by sort
    "i": (S0, "s0"), "n": (S0, "s0"), "a": (S0, "s0"), "s": ("Integer(2)", "2"),
    "b": ("true", "True"), "f": ("Float('0.5', precision=53)", "0.5"),
}
WRONG = {"n": "b", "i": "b", "b": "n", "s": "b"}
SORTS = {"i": "int", "f": "float", "b": "bool", "n": "int", "c": "int", "a": "int"}


def sort_at(sorts, i):
    return sorts[min(i, len(sorts) - 1)]


class Functions:
    """The vectors of every function in one form."""

    def __init__(self, suite, texts, form):
        self.suite, self.texts, self.form = suite, texts, form

    def arguments(self, sorts, count):
        return [ARGUMENT[sort_at(sorts, i)][self.form] for i in range(count)]

    def said(self, name, arguments, result):
        """(sort, text); a float in infix stands in a function, as there is no
        place for floats."""
        text = "%s(%s)" % (name, ", ".join(arguments))
        if result == "f" and self.form == 1:
            return "int", "floor(%s)" % text
        return SORTS[result], text

    def good(self, label, sort, text, why):
        self.texts.good(label, self.texts.sorted_text(sort, text), ["4.1.2", "4.1.3", "4.1.4"], why)

    def bad(self, label, sort, text, code, why):
        self.texts.bad(label, self.texts.sorted_text(sort, text), code, None, why)

    def function(self, name, least, most, sorts, result):
        at = "-".join(("function", name))
        sort, text = self.said(name, self.arguments(sorts, least), result)
        self.good(at, sort, text, "%s of %d." % (name, least))
        marked = M + name
        step = 2 if name.startswith("IsNon") else 1
        for label, count in (("few", least - 1), ("many", (most or least) + 1)):
            if (label == "many" and not most and step == 1) or (most == 0 and step == 2 and
                                                                 label == "few"):
                continue
            arguments = self.arguments(sorts, count)
            self.bad("%s-%s" % (at, label), *self.said(marked, arguments, result),
                     "EP_EXPR_ARGUMENTS", "%s of %d." % (name, count))
        if not most:
            count = least + step
            self.good(at + "-more", *self.said(name, self.arguments(sorts, count), result),
                      "%s of %d." % (name, count))
        for i in range(least):
            wrong = WRONG.get(sort_at(sorts, i))
            if wrong is None:
                continue
            arguments = self.arguments(sorts, least)
            arguments[i] = M + ARGUMENT[wrong][self.form]
            self.bad("%s-type-%d" % (at, i), *self.said(name, arguments, result), "EP_EXPR_TYPE",
                     "%s of another sort." % name)
            if sort_at(sorts, i) == "i":
                arguments[i] = M + ARGUMENT["f"][self.form]
                self.bad("%s-float-%d" % (at, i), *self.said(name, arguments, result),
                         "EP_EXPR_TYPE", "%s takes ints." % name)

    def promoted(self, name, least, sorts, result):
        """With a float among its arguments, a function of numbers gives one."""
        arguments = self.arguments(sorts, least)
        arguments[-1] = ARGUMENT["f"][self.form]
        text = "%s(%s)" % (name, ", ".join(arguments))
        if self.form == 0:
            self.good("function-%s-float" % name, "float", text, "A float among them makes one.")
        self.bad("function-%s-float-result" % name, "int", M + text, "EP_EXPR_TYPE",
                 "A float among them makes one.")

    def all(self):
        for row in FUNCTIONS:
            name = row[self.form]
            if name is None:
                continue
            _, _, least, most, sorts, result = row
            self.function(name, least, most, sorts, result)
            if result in "nc":
                self.promoted(name, least, sorts, result)
            if result == "f" and self.form == 0:
                arguments = self.arguments(sorts, least)
                self.bad("function-%s-int" % name, "int", M + self.said(name, arguments, "f")[1],
                         "EP_EXPR_TYPE", "%s gives a float." % name)


# ---- texts --------------------------------------------------------------------
#
# (label, sort, text, clauses, why)

SREPR_GOOD = (
    ("integer", "int", "Integer(0)", "4.1.6", "Zero."),
    ("integer-negative", "int", "Integer(-3)", "4.1.6", "With a sign."),
    ("integer-long", "int", "Integer(123456789012345678901234567890)", "4.1.6",
     "As many digits as it has."),
    ("symbol", "int", S0, "4.1.5", "A size."),
    ("symbol-unbacked", "int", U0, "4.1.5", "Not known to be positive."),
    ("symbol-float", "float", F0, "4.1.5", "No assumption: a float."),
    ("symbol-real", "float", "Symbol('zf1', real=True)", "4.1.5", "A real one."),
    ("symbol-positive", "float", "Symbol('f0', positive=True)", "4.1.4", "Not said to be an int."),
    ("symbol-all", "int", "Symbol('s0', positive=True, integer=True, real=True)", "4.1.5",
     "Every assumption, in order."),
    ("symbol-name", "int", "Symbol('_n', integer=True)", "4.1.5", "An identifier."),
    ("symbol-digits", "int", "Symbol('y_2', integer=True)", "4.1.5", "An identifier."),
    ("symbol-twice", "int", "Add(%s, %s)" % (S0, S0), "4.1.5", "With the same assumptions."),
    ("symbol-two", "int", "Add(%s, %s)" % (S0, U0), "4.1.5", "Two with other assumptions."),
    ("float", "float", "Float('0.5', precision=53)", "4.1.6", "A float."),
    ("float-zero", "float", "Float('0.0', precision=53)", "4.1.6", "Zero."),
    ("float-negative", "float", "Float('-2.5', precision=53)", "4.1.6", "With a sign."),
    ("float-17", "float", "Float('0.10000000000000001', precision=53)", "4.1.6",
     "17 significant digits."),
    ("float-exponent", "float", "Float('1.0e+20', precision=53)", "4.1.6", "A large one."),
    ("float-small", "float", "Float('1.0e-6', precision=53)", "4.1.6", "A small one."),
    ("float-precise", "float", "Float('0.5', precision=100)", "4.1.6", "Of more bits."),
    ("float-precise-most", "float", "Float('1.%s', precision=7961)" % (2397 * "3"), "4.1.6",
     "2,396.4998 digits and two more: rounded down."),
    ("rational", "float", "Rational(1, 2)", "4.1.7", "A fraction."),
    ("rational-negative", "float", "Rational(-7, 3)", "4.1.7", "A negative one."),
    ("true", "bool", "true", "4.1.7", "A truth."),
    ("false", "bool", "false", "4.1.7", "The other."),
    ("piecewise", "int", "Piecewise(ExprCondPair(%s, StrictGreaterThan(%s, Integer(2))), "
     "ExprCondPair(Integer(1), true))" % (S0, S0), ["4.1.2", "4.1.4"], "Two arms."),
    ("piecewise-bool", "bool", "Piecewise(ExprCondPair(true, true))", "4.1.4", "An arm of a bool."),
    ("piecewise-float", "float", "Piecewise(ExprCondPair(%s, true), "
     "ExprCondPair(Float('0.5', precision=53), true))" % S0, "4.1.4", "One arm is a float."),
    ("equality-bools", "bool", "Equality(true, false)", "4.1.4", "Both of the same sort."),
    ("equality-mixed", "bool", "Equality(%s, Float('0.5', precision=53))" % S0, "4.1.4",
     "Both are numbers."),
    ("identity-bool", "bool", "Identity(true)", "4.1.4", "As its argument."),
    ("identity-float", "float", "Identity(%s)" % F0, "4.1.4", "As its argument."),
    ("power-inverse", "float", "Pow(%s, Integer(-1))" % S0, "4.1.4", "An inverse is a float."),
    ("power-zero", "int", "Pow(%s, Integer(0))" % S0, "4.1.4", "Not a negative exponent."),
    ("power-symbol", "int", "Pow(Integer(2), %s)" % U0, "4.1.4", "Nobody says it is negative."),
    ("nested", "int", "Add(Mul(Integer(2), %s), FloorDiv(Add(%s, Integer(-1)), Integer(2)), "
     "Integer(1))" % (S0, U0), "4.1.7", "Functions of functions."),
    ("huge-power", "int", "Pow(Integer(10), Pow(Integer(10), Integer(10)))", "4.1.1",
     "It is not evaluated."),
    ("no-order", "int", "Add(Integer(1), %s)" % S0, "4.1.7", "The order is not judged."),
    ("zero-divided", "int", "FloorDiv(Integer(0), %s)" % S0, "4.1.9", "Zero may be divided."),
    ("zero-sum", "int", "FloorDiv(%s, Add(Integer(1), Integer(-1)))" % S0, "4.1.9",
     "What a sum comes to is not judged."),
    ("zero-shift", "int", "LShift(%s, Integer(0))" % S0, "4.1.9", "No divisor."),
    ("zero-power", "int", "Pow(Integer(0), Integer(0))", "4.1.9", "No inverse."),
    ("zero-index", "int", "ModularIndexing(Integer(0), Integer(2), %s)" % S0, "4.1.9",
     "Zero may be divided."),
    ("power-of-product", "int", "Pow(%s, Mul(Integer(-2), Integer(-1)))" % S0, "4.1.4",
     "The product is positive."),
)
SREPR_BAD = (
    ("empty", "int", M, "EP_EXPR", "No expression."),
    ("infix", "int", M + "s0", "EP_EXPR", "The other form."),
    ("infix-sum", "int", "2*s0 + 1".replace("2", M + "2", 1), "EP_EXPR", "The other form."),
    ("number", "int", M + "4", "EP_EXPR", "A number is an Integer."),
    ("space-before", "int", M + " Integer(2)", "EP_EXPR", "White space."),
    ("space-after", "int", "Integer(2)" + M + " ", "EP_EXPR", "White space."),
    ("space-inside", "int", "Integer(" + M + " 2)", "EP_EXPR", "White space."),
    ("space-name", "int", "Integer" + M + " (2)", "EP_EXPR", "White space."),
    ("space-close", "int", "Add(Integer(2), Integer(1)" + M + " )", "EP_EXPR", "White space."),
    ("comma-tight", "int", "Add(Integer(1)," + M + "Integer(2))", "EP_EXPR", "A blank is due."),
    ("comma-wide", "int", "Add(Integer(1), " + M + " Integer(2))", "EP_EXPR", "One blank."),
    ("comma-last", "int", "Add(Integer(1), Integer(2), " + M + ")", "EP_EXPR", "Nothing follows."),
    ("comma-first", "int", "Add(" + M + ", Integer(2))", "EP_EXPR", "Nothing before it."),
    ("unclosed", "int", "Add(Integer(1), Integer(2)" + M, "EP_EXPR", "It ends early."),
    ("unclosed-number", "int", "Integer(2" + M, "EP_EXPR", "It ends early."),
    ("closed-twice", "int", "Integer(2)" + M + ")", "EP_EXPR", "A parenthesis too many."),
    ("two", "int", "Integer(2)" + M + "Integer(3)", "EP_EXPR", "Two expressions."),
    ("brackets", "int", "Add" + M + "[Integer(1), Integer(2)]", "EP_EXPR", "Parentheses."),
    ("operator", "int", S0 + M + " + Integer(1)", "EP_EXPR", "Srepr has no operators."),
    ("capital-true", "bool", M + "True", "EP_EXPR", "Of the other form."),
    ("keyword", "int", "Add(Integer(1), Integer(2), " + M + "evaluate=False)", "EP_EXPR",
     "Functions have no such argument."),
    ("zero-before", "int", "Integer(0" + M + "1)", "EP_EXPR", "A leading zero."),
    ("minus-zero", "int", "Integer(-" + M + "0)", "EP_EXPR", "Zero has no sign."),
    ("plus", "int", "Integer(" + M + "+1)", "EP_EXPR", "No plus sign."),
    ("hex", "int", "Integer(0" + M + "x10)", "EP_EXPR", "Decimal digits."),
    ("quoted-integer", "int", "Integer(" + M + "'2')", "EP_EXPR", "No quotes."),
    ("no-digits", "int", "Integer(" + M + ")", "EP_EXPR", "No digit."),
    ("double-quotes", "int", "Symbol(" + M + '"s0", integer=True)', "EP_EXPR", "Other quotes."),
    ("float-bare", "float", "Float(" + M + "0.5)", "EP_EXPR", "Quotes are due."),
    ("float-no-precision", "float", "Float('0.5'" + M + ")", "EP_EXPR", "The precision is due."),
    ("float-low", "float", "Float('0.5', precision=" + M + "52)", "EP_EXPR", "53 bits at least."),
    ("float-minus", "float", "Float('0.5', precision=" + M + "-53)", "EP_EXPR", "No sign."),
    ("float-high", "float", "Float('0.5', precision=" + M + "10000)", "EP_EXPR",
     "Below 10,000 bits."),
    ("float-integer", "float", "Float('2" + M + "', precision=53)", "EP_EXPR", "No point."),
    ("float-no-whole", "float", "Float('" + M + ".5', precision=53)", "EP_EXPR",
     "Digits before the point."),
    ("float-zeros", "float", "Float('" + M + "0.50', precision=53)", "EP_EXPR",
     "A zero at the end."),
    ("float-long", "float", "Float('" + M + "0.100000000000000012', precision=53)", "EP_EXPR",
     "More digits than 53 bits need."),
    ("float-precise-long", "float", "Float('" + M + "1.%s', precision=7961)" % (2398 * "3"),
     "EP_EXPR", "One digit more than 7,961 bits need."),
    ("float-fixed", "float", "Float('" + M + "0.000001', precision=53)", "EP_EXPR",
     "An exponent is due."),
    ("float-exponent", "float", "Float('" + M + "1.0e+5', precision=53)", "EP_EXPR",
     "No exponent is due."),
    ("float-plain-exponent", "float", "Float('1.0e" + M + "20', precision=53)", "EP_EXPR",
     "The exponent has a sign."),
    ("float-nan", "float", "Float('" + M + "nan', precision=53)", "EP_EXPR", "No number."),
    ("float-inf", "float", "Float('" + M + "inf', precision=53)", "EP_EXPR", "No number."),
    ("rational-whole", "float", "Rational(2, " + M + "1)", "EP_EXPR", "An integer."),
    ("rational-zero", "float", "Rational(" + M + "0, 3)", "EP_EXPR", "An integer."),
    ("rational-by-zero", "float", "Rational(1, " + M + "0)", "EP_EXPR", "No number."),
    ("rational-minus", "float", "Rational(1, " + M + "-2)", "EP_EXPR",
     "The sign stands before the numerator."),
    ("nameless", "int", M + "(Integer(1))", "EP_EXPR", "No name before the parenthesis."),
    ("group", "int", M + "(s0 + 1)*2", "EP_EXPR", "The infix form."),
    ("nameless-inside", "int", "Add(Integer(1), " + M + "(Integer(1)))", "EP_EXPR", "No name."),
    ("unknown", "int", M + "NoSuchFn(Integer(1))", "EP_EXPR_FUNCTION", "No function."),
    ("unknown-inside", "int", "Add(Integer(1), " + M + "nosuch(Integer(1)))", "EP_EXPR_FUNCTION",
     "No function."),
    ("python", "int", M + "exec(Integer(1))", "EP_EXPR_FUNCTION", "Python is not evaluated."),
    ("case", "int", M + "add(Integer(1), Integer(2))", "EP_EXPR_FUNCTION", "Case counts."),
    ("call-of-true", "bool", M + "true()", "EP_EXPR_FUNCTION", "A truth is no function."),
    ("infix-name", "bool", M + "Eq(Integer(1), Integer(2))", "EP_EXPR_FUNCTION",
     "Of the other form."),
    ("dotted", "int", M + "sympy.Integer(2)", "EP_EXPR", "No dots."),
    ("undotted", "int", M + "ExprCondPairs(Integer(1), true)", "EP_EXPR_FUNCTION",
     "More than a function's name."),
    ("none-of-add", "int", M + "Add()", "EP_EXPR_ARGUMENTS", "No argument at all."),
    ("none-of-piecewise", "int", M + "Piecewise()", "EP_EXPR_ARGUMENTS", "No arm."),
    ("float-for-int", "int", M + "Float('2.5', precision=53)", "EP_EXPR_TYPE", "A size is an int."),
    ("whole-float-for-int", "int", M + "Float('2.0', precision=53)", "EP_EXPR_TYPE",
     "A float, whatever its value."),
    ("rational-for-int", "int", M + "Rational(1, 2)", "EP_EXPR_TYPE", "A size is an int."),
    ("bool-for-int", "int", M + "true", "EP_EXPR_TYPE", "A size is an int."),
    ("symbol-for-int", "int", M + F0, "EP_EXPR_TYPE", "A symbol of floats."),
    ("inverse-for-int", "int", M + "Pow(%s, Integer(-1))" % S0, "EP_EXPR_TYPE",
     "An inverse is a float."),
    ("int-for-float", "float", M + "Integer(2)", "EP_EXPR_TYPE", "It is not converted."),
    ("symbol-for-float", "float", M + S0, "EP_EXPR_TYPE", "It is not converted."),
    ("bool-for-float", "float", M + "false", "EP_EXPR_TYPE", "No float."),
    ("int-for-bool", "bool", M + "Integer(1)", "EP_EXPR_TYPE", "It is not converted."),
    ("float-for-bool", "bool", M + F0, "EP_EXPR_TYPE", "No bool."),
    ("arm-alone", "int", M + "ExprCondPair(Integer(1), true)", "EP_EXPR_TYPE",
     "An arm stands in a Piecewise."),
    ("arm-in-sum", "int", "Add(Integer(1), " + M + "ExprCondPair(Integer(1), true))",
     "EP_EXPR_TYPE", "An arm stands in a Piecewise."),
    ("no-arm", "int", "Piecewise(" + M + "Integer(1))", "EP_EXPR_TYPE", "It has arms."),
    ("arm-condition", "int", "Piecewise(ExprCondPair(Integer(1), " + M + "Integer(1)))",
     "EP_EXPR_TYPE", "The condition of an arm."),
    ("arms-mixed", "int", "Piecewise(ExprCondPair(Integer(1), true), " + M +
     "ExprCondPair(true, true))", "EP_EXPR_TYPE", "Arms are of one sort."),
    ("symbol-empty", "int", "Symbol('" + M + "', integer=True)", "EP_EXPR_SYMBOL", "No name."),
    ("symbol-space", "int", "Symbol('s" + M + " 0', integer=True)", "EP_EXPR_SYMBOL",
     "Not an identifier."),
    ("symbol-digit", "int", "Symbol('" + M + "0s', integer=True)", "EP_EXPR_SYMBOL",
     "Not an identifier."),
    ("symbol-hyphen", "int", "Symbol('s" + M + "-0', integer=True)", "EP_EXPR_SYMBOL",
     "Not an identifier."),
    ("symbol-beyond-ascii", "int", "Symbol('s" + M + "\u00e9', integer=True)", "EP_EXPR_SYMBOL",
     "Letters are of ASCII."),
    ("symbol-false", "int", "Symbol('s0', integer=" + M + "False)", "EP_EXPR_SYMBOL",
     "Assumptions are True."),
    ("symbol-one", "int", "Symbol('s0', integer=" + M + "1)", "EP_EXPR_SYMBOL",
     "Assumptions are True."),
    ("symbol-other", "int", "Symbol('s0', " + M + "negative=True)", "EP_EXPR_SYMBOL",
     "No such assumption."),
    ("symbol-order", "int", "Symbol('s0', integer=True, " + M + "positive=True)", "EP_EXPR_SYMBOL",
     "Out of order."),
    ("symbol-again", "int", "Symbol('s0', integer=True, " + M + "integer=True)", "EP_EXPR_SYMBOL",
     "Twice."),
    ("symbol-differs", "int", "Add(Symbol('s0', integer=True), " + M + S0 + ")", "EP_EXPR_SYMBOL",
     "Other assumptions than before."),
    ("inverse-of-product", "int", M + "Pow(%s, Mul(Integer(2), Integer(-1)))" % S0, "EP_EXPR_TYPE",
     "The product is negative."),
    ("zero-inverse", "float", "Pow(" + M + "Integer(0), Integer(-1))", "EP_EXPR_ZERO", "1 by 0."),
    ("zero-float", "float", "FloorDiv(%s, " % S0 + M + "Float('0.0', precision=53))",
     "EP_EXPR_ZERO", "The float 0."),
    ("zero-product", "int", "FloorDiv(%s, " % S0 + M + "Mul(Integer(1), Mul(%s, Integer(0))))" % S0,
     "EP_EXPR_ZERO", "A factor is 0."),
    ("zero-inside", "int", "Add(Integer(1), FloorDiv(Integer(2), " + M + "Integer(0)))",
     "EP_EXPR_ZERO", "In a sum."),
    ("zero-index", "int", "ModularIndexing(%s, " % S0 + M + "Integer(0), Integer(0))",
     "EP_EXPR_ZERO", "Of two the first."),
    ("zero-index-last", "int", "ModularIndexing(%s, Integer(2), " % S0 + M + "Integer(0))",
     "EP_EXPR_ZERO", "The last."),
) + tuple(("zero-" + name, sort, "%s(%s, " % (name, S0) + M + "Integer(0))", "EP_EXPR_ZERO",
           "By 0.") for name, sort in (
    ("FloorDiv", "int"), ("CleanDiv", "int"), ("CeilDiv", "int"), ("Mod", "int"),
    ("PythonMod", "int"), ("FloatTrueDiv", "float"), ("IntTrueDiv", "float")))
INFIX_GOOD = (
    ("integer", "int", "0", "4.1.6", "Zero."),
    ("integer-long", "int", "123456789012345678901234567890", "4.1.6", "As many digits as it has."),
    ("minus", "int", "-s0", "4.1.8", "An operator."),
    ("minus-number", "int", "-3", "4.1.8", "An operator before a number."),
    ("minus-product", "int", "-2*s0 + s1", "4.1.8", "Of a whole product."),
    ("sum", "int", "2*s0 + 3*s1 - 1", "4.1.8", "Sums and products."),
    ("power", "int", "s0**2", "4.1.8", "A power."),
    ("power-product", "int", "4*s0**2*s1", "4.1.8", "Powers bind tighter."),
    ("power-group", "int", "(s0 + 1)**2", "4.1.8", "Of a group."),
    ("group", "int", "2*(s0 + 1)", "4.1.8", "Parentheses."),
    ("group-needless", "int", "((s0))", "4.1.8", "Needed or not."),
    ("floordiv", "int", "(u0//2) + 1", "4.1.8", "In its own parentheses."),
    ("floordiv-nested", "int", "((((s0//2))//3)) - 1", "4.1.8", "In each other."),
    ("floordiv-power", "int", "(s0**2//2)", "4.1.8", "Of a power."),
    ("floordiv-sum", "int", "((2*s0 + 1)//2)", "4.1.8", "Of a group."),
    ("quotient", "int", "floor(s0/2)", "4.1.4", "A quotient is a float."),
    ("quotient-product", "int", "floor(2*s0/s1)", "4.1.8", "Among products."),
    ("float", "int", "floor(0.5*s0)", "4.1.6", "A float."),
    ("float-zeros", "int", "floor(2.50000000000000*s0)", "4.1.6", "Zeros up to the fifteenth."),
    ("float-15", "int", "floor(0.123456789012345*s0)", "4.1.6", "15 significant digits."),
    ("float-exponent", "int", "floor(1.0e+20*s0)", "4.1.6", "A large one."),
    ("symbol-u", "int", "u0", "4.1.5", "Unbacked."),
    ("symbol-i", "int", "i0 + 1", "4.1.5", "As torch 2.1 names it."),
    ("symbol-other", "int", "x", "4.1.4", "An int or a float, as its place has it."),
    ("symbol-name", "int", "_n + y_2", "4.1.5", "Identifiers."),
    ("symbol-float", "int", "floor(f0)", "4.1.4", "A symbol of floats."),
    ("symbol-floats", "int", "floor(zf1 + zuf2)", "4.1.4", "Symbols of floats."),
    ("piecewise", "int", "Piecewise((s0, s0 > 2), (1, True))", "4.1.8", "Two arms."),
    ("piecewise-nested", "int", "Piecewise((Piecewise((s0, True)), s0 <= 2), (1, True))", "4.1.8",
     "An arm in an arm."),
    ("and", "bool", "(s0 > 2) & (s1 < 4) & True", "4.1.8", "Of relations."),
    ("or", "bool", "(s0 >= 2) | (s1 <= 4)", "4.1.8", "Of relations."),
    ("not", "bool", "~(Eq(s0, 2))", "4.1.8", "Of a group."),
    ("not-call", "bool", "~Eq(s0, 2)", "4.1.8", "Of a call."),
    ("true", "bool", "True", "4.1.8", "A truth."),
    ("false", "bool", "False", "4.1.8", "The other."),
    ("relation", "bool", "2*s0 + 1 <= s1", "4.1.8", "Of sums."),
    ("relation-mixed", "bool", "s0 > 0.5", "4.1.4", "Both are numbers."),
    ("equality-bools", "bool", "Eq(True, False)", "4.1.4", "Both of one sort."),
    ("relation-argument", "bool", "Ne(s0 > 2, True)", "4.1.8", "An argument may be a relation."),
    ("huge-power", "int", "10**(10**10)", "4.1.1", "It is not evaluated."),
    ("zero-divided", "int", "(0//s0)", "4.1.9", "Zero may be divided."),
    ("zero-sum", "int", "(s0//(2 - 2))", "4.1.9", "What a sum comes to is not judged."),
    ("zero-power", "int", "s0**0", "4.1.9", "No inverse."),
    ("power-of-product", "int", "s0**(-2*(-1))", "4.1.4", "The product is positive."),
)
INFIX_BAD = (
    ("empty", "int", M, "EP_EXPR", "No expression."),
    ("srepr", "int", M + "Integer(2)", "EP_EXPR_FUNCTION", "The other form."),
    ("srepr-symbol", "int", M + S0, "EP_EXPR_FUNCTION", "The other form."),
    ("open-sum", "int", "s0 + " + M, "EP_EXPR", "It ends early."),
    ("open-operator", "int", "s0 +" + M, "EP_EXPR", "It ends early."),
    ("tight", "int", "s0" + M + "+1", "EP_EXPR", "Blanks are due."),
    ("half-tight", "int", "s0 +" + M + "1", "EP_EXPR", "A blank is due."),
    ("wide", "int", "2" + " " + M + "* s0", "EP_EXPR", "No blanks."),
    ("wide-after", "int", "2*" + M + " s0", "EP_EXPR", "No blanks."),
    ("space-before", "int", M + " s0", "EP_EXPR", "White space."),
    ("space-after", "int", "s0 " + M, "EP_EXPR", "White space."),
    ("bare-floordiv", "int", "s0" + M + "//2", "EP_EXPR", "It has parentheses of its own."),
    ("floordiv-beside", "int", "(s0//2" + M + " + 1)", "EP_EXPR", "It has them alone."),
    ("floordiv-of-sum", "int", "(2*s0" + M + "//2)", "EP_EXPR", "A product wants parentheses."),
    ("floordiv-minus", "int", "(-s0" + M + "//2)", "EP_EXPR", "A sign wants parentheses."),
    ("plus-sign", "int", M + "+s0", "EP_EXPR", "No plus sign."),
    ("minus-factor", "int", "2*" + M + "-s0", "EP_EXPR", "A sign stands before a product."),
    ("minus-twice", "int", "-" + M + "-s0", "EP_EXPR", "One sign."),
    ("power-twice", "int", "s0**s1" + M + "**2", "EP_EXPR", "Powers of powers want parentheses."),
    ("power-minus", "int", "s0**" + M + "-1", "EP_EXPR", "A sign wants parentheses."),
    ("unclosed", "int", "(s0 + 1" + M, "EP_EXPR", "It ends early."),
    ("unclosed-call", "int", "floor(s0" + M, "EP_EXPR", "It ends early."),
    ("closed-twice", "int", "(s0)" + M + ")", "EP_EXPR", "A parenthesis too many."),
    ("group-empty", "int", "(" + M + ")", "EP_EXPR", "Nothing in it."),
    ("tuple", "int", "(s0" + M + ", 1)", "EP_EXPR", "No tuples."),
    ("two", "int", "s0 " + M + "s1", "EP_EXPR", "Two expressions."),
    ("number-name", "int", "2" + M + "s0", "EP_EXPR", "An operator is due."),
    ("zero-before", "int", "0" + M + "1", "EP_EXPR", "A leading zero."),
    ("float-short", "int", "floor(" + M + "2.50*s0)", "EP_EXPR", "Some zeros, not all."),
    ("float-long", "int", "floor(" + M + "0.1234567890123456*s0)", "EP_EXPR",
     "16 significant digits."),
    ("float-no-whole", "int", "floor(" + M + ".5*s0)", "EP_EXPR", "Digits before the point."),
    ("comma-tight", "int", "Max(s0," + M + "1)", "EP_EXPR", "A blank is due."),
    ("comma-last", "int", "Max(s0, 1, " + M + ")", "EP_EXPR", "Nothing follows."),
    ("relation-twice", "bool", "s0 < s1" + M + " < 4", "EP_EXPR", "One relation."),
    ("relation-unequal", "bool", "s0 " + M + "!= 2", "EP_EXPR", "That is Ne."),
    ("relation-equal", "bool", "s0 " + M + "== 2", "EP_EXPR", "That is Eq."),
    ("logic-mixed", "bool", "True & False" + M + " | True", "EP_EXPR", "Parentheses are due."),
    ("logic-relation", "bool", "s0 < 2" + M + " & True", "EP_EXPR", "Parentheses are due."),
    ("python-and", "bool", "True " + M + "and True", "EP_EXPR", "Python's own is not it."),
    ("not-relation", "bool", "~" + M + "s0 < 2", "EP_EXPR_TYPE", "It binds tighter."),
    ("modulo", "int", "s0" + M + "%2", "EP_EXPR", "That is Mod."),
    ("arm-bare", "int", "Piecewise(" + M + "s0, True)", "EP_EXPR", "Arms have parentheses."),
    ("lambda", "int", M + "[s0]", "EP_EXPR", "No expression."),
    ("attribute", "int", "s0" + M + ".real", "EP_EXPR", "No expression."),
    ("unknown", "int", M + "nosuch(s0)", "EP_EXPR_FUNCTION", "No function."),
    ("unknown-inside", "int", "1 + " + M + "print(s0)", "EP_EXPR_FUNCTION", "No function."),
    ("srepr-name", "int", M + "Add(s0, 1)", "EP_EXPR_FUNCTION", "An operator in this form."),
    ("import", "int", M + "__import__(s0)", "EP_EXPR_FUNCTION", "Python is not evaluated."),
    ("none-of-max", "int", M + "Max()", "EP_EXPR_ARGUMENTS", "No argument at all."),
    ("none-of-piecewise", "int", M + "Piecewise()", "EP_EXPR_ARGUMENTS", "No arm."),
    ("arm-single", "int", "Piecewise((s0" + M + "))", "EP_EXPR", "An arm is two."),
    ("quotient-for-int", "int", M + "s0/2", "EP_EXPR_TYPE", "A quotient is a float."),
    ("float-for-int", "int", M + "0.5", "EP_EXPR_TYPE", "A size is an int."),
    ("symbol-for-int", "int", M + "f0", "EP_EXPR_TYPE", "A symbol of floats."),
    ("float-sum-for-int", "int", M + "0.5 + s0", "EP_EXPR_TYPE", "A float among them makes one."),
    ("inverse-for-int", "int", M + "s0**(-1)", "EP_EXPR_TYPE", "An inverse is a float."),
    ("bool-for-int", "int", M + "True", "EP_EXPR_TYPE", "A size is an int."),
    ("relation-for-int", "int", M + "s0 < 2", "EP_EXPR_TYPE", "A size is an int."),
    ("int-for-bool", "bool", M + "s0", "EP_EXPR_TYPE", "No bool."),
    ("bool-in-sum", "int", "s0 + " + M + "True", "EP_EXPR_TYPE", "Sums are of numbers."),
    ("bool-in-product", "int", "2*" + M + "True", "EP_EXPR_TYPE", "Products are of numbers."),
    ("bool-in-power", "int", M + "True**2", "EP_EXPR_TYPE", "Powers are of numbers."),
    ("bool-in-floordiv", "int", "(" + M + "True//2)", "EP_EXPR_TYPE", "Of numbers."),
    ("bool-minus", "int", "-" + M + "True", "EP_EXPR_TYPE", "A sign is a number's."),
    ("bool-in-relation", "bool", "s0 < " + M + "True", "EP_EXPR_TYPE", "Of numbers."),
    ("number-in-and", "bool", "True & " + M + "s0", "EP_EXPR_TYPE", "Of bools."),
    ("number-not", "bool", "~" + M + "s0", "EP_EXPR_TYPE", "Of a bool."),
    ("arm-condition", "int", "Piecewise((s0, " + M + "1))", "EP_EXPR_TYPE",
     "The condition of an arm."),
    ("arms-mixed", "int", "Piecewise((s0, True), " + M + "(True, True))", "EP_EXPR_TYPE",
     "Arms are of one sort."),
    ("constant-oo", "int", M + "oo", "EP_EXPR_SYMBOL", "A number to sympy."),
    ("constant-zoo", "int", M + "zoo", "EP_EXPR_SYMBOL", "A number to sympy."),
    ("constant-nan", "int", M + "nan", "EP_EXPR_SYMBOL", "A number to sympy."),
    ("constant-pi", "int", M + "pi", "EP_EXPR_SYMBOL", "A number to sympy."),
    ("constant-E", "int", "s0 + " + M + "E", "EP_EXPR_SYMBOL", "A number to sympy."),
    ("constant-I", "int", "2*" + M + "I", "EP_EXPR_SYMBOL", "A number to sympy."),
    ("constant-int_oo", "int", M + "int_oo", "EP_EXPR_SYMBOL", "A number to PyTorch."),
    ("function-bare", "int", M + "floor + 1", "EP_EXPR_SYMBOL", "A function's name."),
    ("beyond-ascii", "int", "s0 + " + M + "\u00e9", "EP_EXPR", "Letters are of ASCII."),
    ("inverse-of-product", "int", M + "s0**(-2*3)", "EP_EXPR_TYPE", "The product is negative."),
    ("zero-floordiv", "int", "(s0//" + M + "0)", "EP_EXPR_ZERO", "By 0."),
    ("zero-group", "int", "(s0//" + M + "(-0))", "EP_EXPR_ZERO", "By 0, in parentheses."),
    ("zero-product", "int", "(s0//" + M + "(2*0*s0))", "EP_EXPR_ZERO", "A factor is 0."),
    ("zero-quotient", "int", "floor(s0/" + M + "0)", "EP_EXPR_ZERO", "By 0."),
    ("zero-quotient-float", "int", "floor(s0/" + M + "0.0)", "EP_EXPR_ZERO", "By the float 0."),
    ("zero-inverse", "int", "floor(" + M + "0**(-1))", "EP_EXPR_ZERO", "1 by 0."),
    ("zero-inside", "int", "s0 + 2*(1//" + M + "0)", "EP_EXPR_ZERO", "In a sum."),
    ("zero-index", "int", "ModularIndexing(s0, " + M + "0, 2)", "EP_EXPR_ZERO", "The second."),
    ("zero-index-last", "int", "ModularIndexing(s0, 2, " + M + "0)", "EP_EXPR_ZERO", "The last."),
) + tuple(("zero-" + name, "int", ("%s(s0, " if name[-7:] != "TrueDiv" else "floor(%s(s0, ") % name +
           M + ("0)" if name[-7:] != "TrueDiv" else "0))"), "EP_EXPR_ZERO", "By 0.") for name in (
    "CleanDiv", "CeilDiv", "Mod", "PythonMod", "FloatTrueDiv", "IntTrueDiv"))

# What a few of them are in the first and the last version of each form.
SHOWN_BAD = ("empty", "infix", "srepr", "open-sum", "unclosed", "unknown", "none-of-add",
             "none-of-max", "float-for-int", "bool-for-int", "int-for-bool", "symbol-space",
             "symbol-differs", "constant-oo", "quotient-for-int")
SHOWN_GOOD = ("integer", "minus", "nested", "floordiv", "symbol-unbacked", "symbol-u", "piecewise",
              "true", "float-zero", "rational")


# Texts of neither form, of which both say the same, or infix comes further.
NEITHER = ("empty", "open-sum", "unclosed", "unknown", "none-of-max")


def rows(suite, texts, good, bad, shown):
    for label, sort, text, clauses, why in good:
        if not shown or label in SHOWN_GOOD:
            names = [clauses] if isinstance(clauses, str) else list(clauses)
            texts.good(label, texts.sorted_text(sort, text), names + ["4.1.1"], why)
    for label, sort, text, code, why in bad:
        if not shown or label in SHOWN_BAD:
            texts.bad("bad-" + label, texts.sorted_text(sort, text), code, None, why,
                      also=also(text, code))


def also(text, code):
    """The grammar's clause beside that of the code."""
    if code != "EP_EXPR":
        return []
    if any(name in text for name in ("Integer(", "Float(", "Rational(")):
        return ["4.1.7", "4.1.6"]
    return ["4.1.8", "4.1.6"]


def either(suite, texts):
    """Versions of which no release says their form have both; what is of neither
    has the error of the infix form."""
    rows(suite, texts, [row for row in SREPR_GOOD if row[1] != "float"], (), True)
    for label, sort, text, *rest in INFIX_GOOD:
        if label in SHOWN_GOOD:
            texts.good("infix-" + label, texts.sorted_text(sort, text), "4.1.1", rest[-1])
    rows(suite, texts, (), [row for row in INFIX_BAD if row[0] in NEITHER], True)


def vectors(suite):
    for version, shown in (("8.20", False), ("8.2", True), ("8.8", True)):
        texts = Texts(suite, version, "expression")
        rows(suite, texts, SREPR_GOOD, SREPR_BAD, shown)
        if not shown:
            Functions(suite, texts, 0).all()
    for version, shown in (("7.3", False), ("1-2023-08", True), ("1", True), ("2", True),
                           ("5.1", True), ("7.4", True)):
        texts = Texts(suite, version, "expression")
        rows(suite, texts, INFIX_GOOD, INFIX_BAD, shown)
        if not shown:
            Functions(suite, texts, 1).all()
    for version in ("8.1-a", "8.2-ast", "8.1"):
        either(suite, Texts(suite, version, "expression"))
    escaped(suite)


# ---- escapes --------------------------------------------------------------------


def escaped(suite):
    """The same texts behind escapes: the place is the backslash of an escape."""
    texts = Texts(suite, "8.20", "expression", Spelled())
    for label, sort, text, code, why in SREPR_BAD:
        if label in ("space-inside", "symbol-space", "unknown-inside", "arm-condition", "unclosed",
                     "symbol-beyond-ascii", "symbol-differs"):
            texts.bad("bad-" + label, texts.sorted_text(sort, text), code, None, why)
    for label, sort, text, clauses, why in SREPR_GOOD:
        if label in ("nested", "symbol-two", "float-17"):
            texts.good(label, texts.sorted_text(sort, text), ["4.1.1"], why)


class Spelled(Style):
    """Every character of an expression as an escape."""

    label = "-escaped"

    def scalar(self, text):
        if not any(name in text for name in ("Integer(", "Symbol(", "Float(")):
            return text
        return '"%s"' % "".join(
            letter if letter == MARK else "\\u%04X" % ord(letter) if i % 2 else
            "\\u%04x" % ord(letter) for i, letter in enumerate(json.loads(text)))
