"""Expressions: reading and writing both forms (SPEC 4.1, 7.5.1).

A term is (kind, text, ...), and of a function ("function", name, [terms]).
"""

import re
import sys

sys.setrecursionlimit(max(sys.getrecursionlimit(), 50000))  # expressions nest up to 1,000 deep

KINDS = ("Integer", "Rational", "Float", "Symbol", "true", "false", "function")  # in this order
NUMBERS = KINDS[:3]
ZERO, ONE, MINUS_ONE = ("Integer", "0"), ("Integer", "1"), ("Integer", "-1")
RELATIONS = {"<=": "LessThan", "<": "StrictLessThan", ">=": "GreaterThan", ">": "StrictGreaterThan"}
SREPR_NAMES = {"Eq": "Equality", "Ne": "Unequality", "Trunc": "TruncToInt", "Round": "RoundToInt"}
SREPR_NAMES.update((name, "OpaqueUnaryFn_" + name) for name in (
    "sqrt", "cos", "cosh", "sin", "sinh", "tan", "tanh", "asin", "acos", "atan", "exp", "log"))


def measure(text):
    """A shorter text is before a longer one."""
    return (len(text), text)


def call(name, *terms):
    return ("function", name, list(terms))


def is_call(term, name):
    return term[:2] == ("function", name)


def above_one(term):
    return term[0] == "Integer" and term[1][0] != "-" and term not in (ZERO, ONE)


def other_sign(number):
    """A number with the other sign; zero has none."""
    if not re.search("[1-9]", number[1].split("e")[0]):
        return number
    return (number[0], number[1][1:] if number[1][0] == "-" else "-" + number[1]) + number[2:]


def float_text(text, most):
    """A float with at most so many significant digits (SPEC 4.1.6)."""
    sign, whole, part, exponent = re.fullmatch(r"(-?)(\d+)\.(\d*)(?:e([+-]\d+))?", text).groups()
    digits = (whole + part).lstrip("0")
    power = len(whole) - len(whole + part) + len(digits) + int(exponent or 0) - 1
    digits = digits.rstrip("0")
    if not digits:
        return "0.0"
    if power >= most or power <= -max(most // 3, 5):
        return "%s%s.%se%+d" % (sign, digits[0], digits[1:] or "0", power)
    if power < 0:
        return sign + "0." + "0" * (-power - 1) + digits
    return sign + digits[:power + 1].ljust(power + 1, "0") + "." + (digits[power + 1:] or "0")


# ---- srepr (SPEC 4.1.7) -----------------------------------------------------------

SREPR_TOKEN = re.compile(r"Symbol\('(?P<symbol>\w+)'(?P<assumed>[^)]*)\)"
                         r"|Integer\((?P<integer>-?\d+)\)"
                         r"|Rational\((?P<above>-?\d+), (?P<below>\d+)\)"
                         r"|Float\('(?P<float>[^']*)', precision=(?P<precision>\d+)\)"
                         r"|(?P<truth>true|false)(?!\w)|(?P<name>\w+)\(|(?P<end>\))")


def read_srepr(text):
    stack = [call("")]
    for found in SREPR_TOKEN.finditer(text):
        part = found.groupdict()
        if part["name"]:
            stack.append(call(part["name"]))
            continue
        if part["end"]:
            term = stack.pop()
        elif part["symbol"]:
            term = ("Symbol", part["symbol"], tuple(re.findall(r"(\w+)=", part["assumed"])))
        elif part["integer"]:
            term = ("Integer", part["integer"])
        elif part["above"]:
            term = ("Rational", part["above"], part["below"])
        elif part["float"]:
            term = ("Float", part["float"], part["precision"])
        else:
            term = (part["truth"],)
        stack[-1][2].append(term)
    return stack[0][2][0]


def write_srepr(term, name):
    """name: what stands for the name of a symbol."""
    if term[0] == "function":
        return "%s(%s)" % (term[1], ", ".join(write_srepr(each, name) for each in term[2]))
    if term[0] == "Symbol":
        return "Symbol('%s'%s)" % (name(term[1]), "".join(", %s=True" % each for each in term[2]))
    if term[0] == "Float":
        return "Float('%s', precision=%s)" % term[1:]
    return "%s(%s)" % (term[0], ", ".join(term[1:])) if len(term) > 1 else term[0]


# ---- infix (SPEC 4.1.8), going up (SPEC 7.5.1) --------------------------------------

INFIX_TOKEN = re.compile(r"\d+\.\d*(?:e[+-]\d+)?|\d+|\w+|\*\*|//|<=|>=|[-+*/<>&|~(),]")


def assumptions(name):
    if name[0] == "s":
        return ("positive", "integer")
    return () if name[0] in "zf" else ("integer",)


def product(factors):
    """The term of `a*b/c`: [(operator, term)]."""
    rest, lead = factors, None
    if len(factors) > 1 and factors[0][1][0] == "Integer":
        lead, rest = factors[0][1], factors[1:]
    below, terms = [], []
    for operator, term in rest:
        if operator == "/" and above_one(term):
            below.append(term[1])
        else:
            terms.append(term if operator == "*" else call("Pow", term, MINUS_ONE))
    below.sort(key=measure, reverse=True)
    rationals = [("Rational", "1", text) for text in below]
    if rationals and lead != ZERO:
        rationals[0] = ("Rational", lead[1] if lead else "1", below[0])
    elif lead and not (lead == ONE and rest[0][0] == "/"):
        terms.insert(0, lead)
    terms = rationals + terms
    return terms[0] if len(terms) == 1 else call("Mul", *terms)


def negated(term):
    if term[0] in NUMBERS:
        return other_sign(term)
    if not is_call(term, "Mul"):
        return call("Mul", MINUS_ONE, term)
    first, *others = term[2]
    if first[0] in ("Integer", "Rational"):
        return call("Mul", other_sign(first), *others)
    return call("Mul", MINUS_ONE, first, *others)


class InfixReader:
    """A method for each rule of the grammar."""

    def __init__(self, text):
        self.tokens = INFIX_TOKEN.findall(text)[::-1]

    def take(self, *wanted):
        """The next token, if it is one of these."""
        return self.tokens.pop() if self.tokens and self.tokens[-1] in wanted else ""

    def argument(self):
        first = self.sum()
        operator = self.take("&", "|", *RELATIONS)
        if operator in RELATIONS:
            return call(RELATIONS[operator], first, self.sum())
        if not operator:
            return first
        terms = [first, self.sum()]
        while self.take(operator):
            terms.append(self.sum())
        return call("And" if operator == "&" else "Or", *terms)

    def sum(self):
        terms, operator = [], self.take("-") or "+"
        while operator:
            term = self.product()
            terms.append(negated(term) if operator == "-" else term)
            operator = self.take("+", "-")
        return terms[0] if len(terms) == 1 else call("Add", *terms)

    def product(self):
        factors, operator = [], "*"
        while operator:
            factors.append((operator, self.power()))
            operator = self.take("*", "/")
        return product(factors)

    def power(self):
        base = self.operand()
        return call("Pow", base, self.operand()) if self.take("**") else base

    def operand(self):
        token = self.tokens.pop()
        if token == "~":
            return call("Not", self.operand())
        if token == "(":
            return self.group()
        if token[0].isdigit():
            return ("Float", float_text(token, 17), "53") if "." in token else ("Integer", token)
        if token in ("True", "False"):
            return (token.lower(),)
        if not self.take("("):
            return ("Symbol", token, assumptions(token))
        terms = self.arguments(self.arm if token == "Piecewise" else self.argument)
        return call(SREPR_NAMES.get(token, token), *terms)

    def arguments(self, part):
        terms = [part()]
        while self.take(","):
            terms.append(part())
        self.take(")")
        return terms

    def group(self):
        term = self.argument()
        if self.take("//"):
            term = call("FloorDiv", term, self.power())
        self.take(")")
        # a number in parentheses is not one that leads a product: it is one of its own
        return call("Mul", term) if term[0] in NUMBERS else term

    def arm(self):
        self.take("(")
        return call("ExprCondPair", *self.arguments(self.argument))


# ---- infix, going down (SPEC 7.5.1) -------------------------------------------------

TRUTH, SUM, PRODUCT, POWER, OPERAND = range(5)  # how tight a text binds


class InfixWriter:
    def __init__(self, name):
        self.name = name  # what stands for the name of a symbol

    def text(self, term, least=TRUTH):
        text, tight = self.write(term)
        return text if tight >= least else "(%s)" % text

    def joined(self, mark, terms, least=TRUTH):
        return mark.join(self.text(each, least) for each in terms)

    def write(self, term):
        """The text, and how tight it binds."""
        kind = term[0]
        if kind == "function":
            return self.function(term[1], term[2])
        if kind == "Symbol":
            return self.name(term[1]), OPERAND
        if kind in ("true", "false"):
            return kind.capitalize(), OPERAND
        text = float_text(term[1], 15) if kind == "Float" else "/".join(term[1:])
        return text, SUM if text[0] == "-" else PRODUCT if kind == "Rational" else OPERAND

    def function(self, name, terms):
        if name == "Add":
            return self.sum(terms), SUM
        if name == "Mul" or (name == "Pow" and terms[1] == MINUS_ONE):
            text = self.product(terms if name == "Mul" else [call(name, *terms)])
            return text, SUM if text[0] == "-" else PRODUCT
        if name == "Pow":
            return self.joined("**", terms, OPERAND), POWER
        if name == "FloorDiv":
            return "(%s)" % self.joined("//", terms, POWER), OPERAND
        if name == "Not":
            return "~" + self.text(terms[0], OPERAND), TRUTH
        marks = {"And": "&", "Or": "|", **{RELATIONS[mark]: mark for mark in RELATIONS}}
        if name in marks:
            return self.joined(" %s " % marks[name], terms, SUM), TRUTH
        name = {"Equality": "Eq", "Unequality": "Ne", "ExprCondPair": ""}.get(name, name)
        return "%s(%s)" % (name, self.joined(", ", terms)), OPERAND

    def sum(self, terms):
        text = ""
        for term in terms:
            part = self.text(term, PRODUCT if is_call(term, "Add") else TRUTH)
            text += (" - " + part[1:] if part[0] == "-" else " + " + part) if text else part
        return text

    def product(self, terms):
        sign = below = text = ""
        first, *rest = terms
        if first == MINUS_ONE:
            sign = "-"
        elif first[0] == "Integer":
            text = first[1]
        elif first[0] == "Rational":
            text, below = first[1], "/" + first[2]
            if text in ("1", "-1"):
                sign, text = text[:-1], ""
        else:
            rest = terms
        for term in rest:
            if is_call(term, "Pow") and term[2][1] == MINUS_ONE:
                text = (text or "1") + "/" + self.text(term[2][0], POWER)
            else:
                text += "*" * bool(text) + self.text(term, POWER)
        return sign + text + below
