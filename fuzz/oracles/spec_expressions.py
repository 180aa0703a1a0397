"""Expressions (SPEC 4.1) once more, from the specification and annex/expressions.tsv, for
spec_oracle: the code of what is wrong in one, and the character that it is reported at.
"""

import re

from format.annexes import rows

SREPR, INFIX = "srepr", "infix"
INT, FLOAT, BOOL = "int", "float", "bool"
NUMBER = {INT, FLOAT}
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FLOAT_RUN = re.compile(r"[0-9.e+-]*")
DIGITS = re.compile(r"[0-9]*")
RESERVED = {"oo", "zoo", "nan", "pi", "E", "I", "int_oo"}
LITERALS = ("Symbol", "Integer", "Rational", "Float")
ASSUMPTIONS = ("positive", "integer", "real")
EXPONENT_DIGITS, LEAST_PRECISION, MOST_PRECISION = 6, 53, 9999
ROWS = rows("expressions")
FUNCTIONS = {form: {row[form]: row for row in ROWS
                    if row[form] and (form == SREPR or row["form"] == "function")}
             for form in (SREPR, INFIX)}
OPERATORS = {row["srepr"]: row for row in ROWS if row["form"] == "operator"}
TOKENS = (" + ", " - ", " <= ", " < ", " >= ", " > ", " & ", " | ", ", ", "**", "*", "//", "/", ")")
RELATIONS = {" <= ": "LessThan", " < ": "StrictLessThan", " >= ": "GreaterThan",
             " > ": "StrictGreaterThan"}
JOINTS = {" & ": "And", " | ": "Or"}


class Wrong(ValueError):
    """A code, and the place in the text, which spec_strings counts in bytes; its length for the
    end."""

    def __init__(self, code, at):
        super().__init__(code)
        self.code, self.at = code, at


class Term:
    """What 4.1.4 and 4.1.9 ask of a part. whole: the sign of an integer or a product of
    integers, else None."""

    def __init__(self, at, sorts, whole=None, zero=False, arm=False):
        self.at, self.sorts, self.whole, self.zero, self.arm = at, set(sorts), whole, zero, arm

    def moved(self, at):
        return Term(at, self.sorts, self.whole, self.zero, self.arm)


def integer(at, text):
    sign = 0 if text.strip("-") == "0" else -1 if text[0] == "-" else 1
    return Term(at, {INT}, sign, sign == 0)


# ---- sorts


def fits(term, wanted, first):
    """Whether an argument has a sort that the word of E.1 takes."""
    wanted = wanted.replace("nonzero-", "")
    numeric = bool(first.sorts & NUMBER)
    if wanted.endswith("arm"):
        return term.arm and (wanted == "arm" or bool(term.sorts & (NUMBER if numeric else {BOOL})))
    if wanted == "same":
        wanted = "number" if numeric else BOOL
    sorts = {"number": NUMBER, "any": {INT, FLOAT, BOOL}}.get(wanted, {wanted})
    return not term.arm and bool(term.sorts & sorts)


def joined(terms):
    """Int where all are, else float; bool where all are."""
    sorts = {FLOAT} if any(FLOAT in each.sorts for each in terms) else set()
    return sorts | {sort for sort in (INT, BOOL) if all(sort in each.sorts for each in terms)}


def result(row, terms):
    said = row["result"]
    if said == "power":
        return {FLOAT} if is_negative(terms[1]) else joined(terms)
    if said == "arm":
        return terms[0].sorts
    return {"number": joined, "others": lambda all_: joined(all_[1:]), "arms": joined,
            "argument": lambda all_: all_[0].sorts}.get(said, lambda _: {said})(terms)


def is_negative(term):
    return term.whole is not None and term.whole < 0


def applied(row, at, terms):
    """A function or operator of these arguments (4.1.3, 4.1.4, 4.1.9)."""
    most = int(row["most"]) if row["most"] else len(terms)
    if not int(row["least"]) <= len(terms) <= most or len(terms) % int(row["step"]):
        raise Wrong("EP_EXPR_ARGUMENTS", at)
    words = row["sorts"].split()
    words += words[-1:] * (len(terms) - len(words))
    for term, word in zip(terms, words):
        if not fits(term, word, terms[0]):
            raise Wrong("EP_EXPR_TYPE", term.at)
    for term, word in zip(terms, words):
        if word.startswith("nonzero") and term.zero:
            raise Wrong("EP_EXPR_ZERO", term.at)
    if row["result"] == "power" and is_negative(terms[1]) and terms[0].zero:
        raise Wrong("EP_EXPR_ZERO", terms[0].at)
    made = Term(at, result(row, terms), arm=row["result"] == "arm")
    if row["srepr"] == "Mul":
        made.zero = any(each.zero for each in terms)
        signs = [each.whole for each in terms]
        if None not in signs:
            made.whole = 1
            for each in signs:
                made.whole *= each
    return made


# ---- numbers


def decimal_end(text, at, end):
    """Where a decimal (4.1.6) ends that begins there, and its parts; the byte that cannot
    stand in it is wrong."""
    def digits(begin):
        return DIGITS.match(text, begin, end).end()
    point = at + 1 if text[at:at + 1] == "0" and at < end else digits(at)
    if point == at or text[point:point + 1] != "." or point >= end:
        raise Wrong("EP_EXPR", point)
    behind = digits(point + 1)
    whole, fraction, exponent = text[at:point], text[point + 1:behind], None
    if behind < end and text[behind] == "e":
        sign = behind + 1
        if sign >= end or text[sign] not in "+-":
            raise Wrong("EP_EXPR", sign)
        if sign + 1 >= end or text[sign + 1] not in "123456789":
            raise Wrong("EP_EXPR", sign + 1)
        behind = digits(sign + 1)
        if behind - sign - 1 > EXPONENT_DIGITS:
            raise Wrong("EP_EXPR", sign + 1 + EXPONENT_DIGITS)
        exponent = int(text[sign:behind])
    return behind, whole, fraction, exponent


def is_float(whole, fraction, exponent, digits, fill):
    """Whether a decimal has its digits and its form."""
    least = max(digits // 3, 5)
    all_digits = (whole + fraction).lstrip("0")
    if not all_digits:
        return (whole, fraction, exponent) == ("0", "0", None)
    counted = whole if fraction == "0" else all_digits
    short = fraction and (fraction == "0" or fraction[-1] != "0") and len(counted) <= digits
    filled = fill and len(all_digits) == digits and (len(whole) < digits or not fraction)
    if not short and not filled:
        return False
    if exponent is not None:
        return len(whole) == 1 and whole != "0" and (exponent >= digits or exponent <= -least)
    first = len(whole) - 1 if whole != "0" else len(fraction.lstrip("0")) - len(fraction) - 1
    return -least < first < digits


# ---- the srepr form


class Srepr:
    def __init__(self, text):
        self.text, self.at, self.known = text, 0, {}

    def take(self, literal):
        for letter in literal:
            if self.text[self.at:self.at + 1] != letter:
                raise Wrong("EP_EXPR", self.at)
            self.at += 1

    def word(self):
        found = WORD.match(self.text, self.at)
        return found.group() if found else ""

    def digits(self, minus=False, zero=False):
        """An integer; zero: it may be 0."""
        begin = self.at
        self.at += minus and self.text[begin:begin + 1] == "-"
        if self.text[self.at:self.at + 1] == "0":
            if not zero or self.at > begin:
                raise Wrong("EP_EXPR", self.at)
            self.at += 1
        else:
            end = DIGITS.match(self.text, self.at).end()
            if end == self.at:
                raise Wrong("EP_EXPR", self.at)
            self.at = end
        return self.text[begin:self.at]

    def whole(self):
        term = self.term()
        if self.at < len(self.text):
            raise Wrong("EP_EXPR", self.at)
        return term

    def term(self):
        begin, name = self.at, self.word()
        called = self.text[begin + len(name):begin + len(name) + 1] == "("
        known = name in FUNCTIONS[SREPR] or name in LITERALS
        if not called:
            if name in ("true", "false"):
                self.at += len(name)
                return Term(begin, {BOOL})
            raise Wrong("EP_EXPR", begin + len(name) if known else begin)
        if not known:
            raise Wrong("EP_EXPR_FUNCTION" if name else "EP_EXPR", begin)
        self.at += len(name) + 1
        if name in LITERALS:
            return getattr(self, name.lower())(begin)
        terms = []
        while self.text[self.at:self.at + 1] != ")" or terms:
            terms.append(self.term())
            if self.text[self.at:self.at + 1] != ",":
                break
            self.take(", ")
        self.take(")")
        return applied(FUNCTIONS[SREPR][name], begin, terms)

    def integer(self, begin):
        term = integer(begin, self.digits(minus=True, zero=True))
        self.take(")")
        return term

    def rational(self, begin):
        self.digits(minus=True)
        self.take(", ")
        place = self.at
        if self.digits() == "1":
            raise Wrong("EP_EXPR", place)
        self.take(")")
        return Term(begin, {FLOAT})

    def float(self, begin):
        self.take("'")
        minus = self.text[self.at:self.at + 1] == "-"
        first, end = self.at + minus, FLOAT_RUN.match(self.text, self.at).end()
        behind, *parts = decimal_end(self.text, first, end)
        if behind < end:
            raise Wrong("EP_EXPR", behind)
        if minus and self.text[first:end] == "0.0":
            raise Wrong("EP_EXPR", self.at)
        self.at = end
        self.take("', precision=")
        place = self.at
        said = self.digits()
        if len(said) > 4 or not LEAST_PRECISION <= int(said) <= MOST_PRECISION:
            raise Wrong("EP_EXPR", place)
        decimals = round(int(said) / 3.3219280948873626) - 1
        if not is_float(*parts, 17 if decimals == 15 else decimals + 3, False):
            raise Wrong("EP_EXPR", first)
        self.take(")")
        return Term(begin, {FLOAT}, zero=parts == ["0", "0", None])

    def symbol(self, begin):
        self.take("'")
        name = self.word()
        self.at += len(name)
        behind = self.text[self.at:self.at + 1]
        if not name or behind not in ("", "'"):
            raise Wrong("EP_EXPR_SYMBOL", self.at)
        self.take("'")
        assumed = []
        while self.text[self.at:self.at + 1] == ",":
            self.take(", ")
            place, said = self.at, self.word()
            later = ASSUMPTIONS[ASSUMPTIONS.index(assumed[-1]) + 1:] if assumed else ASSUMPTIONS
            if said not in later:
                raise Wrong("EP_EXPR_SYMBOL", place)
            self.at += len(said)
            self.take("=")
            if self.word() != "True":
                raise Wrong("EP_EXPR_SYMBOL", self.at)
            self.at += len("True")
            assumed.append(said)
        self.take(")")
        if self.known.setdefault(name, assumed) != assumed:
            raise Wrong("EP_EXPR_SYMBOL", begin)
        return Term(begin, {INT} if "integer" in assumed else {FLOAT})


# ---- the infix form


class Place:
    """What may end the argument that is read, and what stands in it already."""

    def __init__(self, ends, group=False):
        self.ends, self.joint = ends, None
        self.alone = group   # it is one power so far, and in parentheses: // may follow
        self.divided = False  # the second power of // is read

    def takes(self, token):
        if self.divided:
            return token == ")"
        if token in RELATIONS:
            return self.joint is None
        if token in JOINTS:
            return self.joint in (None, token)
        if token == "//":
            return self.alone
        return token in (" + ", " - ", "*", "/") or token in self.ends


class Infix:
    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self, place):
        """The operator, comma or parenthesis that follows; "" for the end."""
        if self.at == len(self.text):
            token = ""
        else:
            token = next((each for each in TOKENS if self.text.startswith(each, self.at)), None)
        if token is None:
            rest = self.text[self.at:]
            same = max(common(rest, each) for each in TOKENS)
            raise Wrong("EP_EXPR", self.at + same)
        if not place.takes(token):
            raise Wrong("EP_EXPR", self.at)
        return token

    def whole(self):
        return self.argument(Place(("",)))

    def argument(self, place):
        begin = self.at
        terms = [self.sum(place)]
        token = self.peek(place)
        if token not in RELATIONS and token not in JOINTS:
            return terms[0].moved(begin)
        place.joint, place.alone = token, False
        while token == place.joint:
            self.at += len(token)
            terms.append(self.sum(place))
            token = self.peek(place)
        return applied(OPERATORS[{**RELATIONS, **JOINTS}[place.joint]], begin, terms)

    def sum(self, place):
        begin, minus = self.at, self.text[self.at:self.at + 1] == "-"
        if minus:
            self.at += 1
            place.alone = False
        terms = [self.product(place)]
        token = self.peek(place)
        if minus:
            if not terms[0].sorts & NUMBER:
                raise Wrong("EP_EXPR_TYPE", terms[0].at)
            whole = terms[0].whole
            terms[0] = Term(begin, terms[0].sorts & NUMBER, None if whole is None else -whole,
                            terms[0].zero)
        while token in (" + ", " - "):
            place.alone = False
            self.at += len(token)
            terms.append(self.product(place))
            token = self.peek(place)
        return terms[0] if len(terms) == 1 else applied(OPERATORS["Add"], begin, terms)

    def product(self, place):
        begin = self.at
        terms, divisors = [self.power()], []
        token = self.peek(place)
        if token == "//":
            self.at += 2
            terms.append(self.power())
            place.divided = True
            self.peek(place)
            return applied(OPERATORS["FloorDiv"], begin, terms)
        while token in ("*", "/"):
            place.alone = False
            self.at += len(token)
            terms.append(self.power())
            divisors += terms[-1:] if token == "/" else []
            token = self.peek(place)
        if len(terms) == 1:
            return terms[0]
        made = applied(OPERATORS["Mul"], begin, terms)
        for each in divisors:
            if each.zero:
                raise Wrong("EP_EXPR_ZERO", each.at)
        return Term(begin, {FLOAT}, zero=made.zero) if divisors else made

    def power(self):
        begin = self.at
        base = self.operand()
        if not self.text.startswith("**", self.at):
            return base
        self.at += 2
        return applied(OPERATORS["Pow"], begin, [base, self.operand()])

    def operand(self):
        begin = self.at
        if self.text[begin:begin + 1] == "~":
            self.at += 1
            return applied(OPERATORS["Not"], begin, [self.bare()])
        return self.bare()

    def bare(self):
        begin = self.at
        letter = self.text[begin:begin + 1]
        if letter == "(":
            return self.group()
        if letter and letter in "0123456789":
            return self.number()
        found = WORD.match(self.text, begin)
        if not found:
            raise Wrong("EP_EXPR", begin)
        self.at = found.end()
        name = found.group()
        if self.text[self.at:self.at + 1] == "(":
            return self.call(name, begin)
        if name in ("True", "False"):
            return Term(begin, {BOOL})
        if name in RESERVED or name in FUNCTIONS[INFIX]:
            raise Wrong("EP_EXPR_SYMBOL", begin)
        if re.fullmatch("[sui][0-9]+", name):
            return Term(begin, {INT})
        return Term(begin, {FLOAT} if re.fullmatch("(f|zf|zuf)[0-9]+", name) else NUMBER)

    def number(self):
        begin = self.at
        end = begin + 1 if self.text[begin] == "0" else DIGITS.match(self.text, begin).end()
        if self.text[end:end + 1] != ".":
            self.at = end
            return integer(begin, self.text[begin:end])
        self.at, *parts = decimal_end(self.text, begin, len(self.text))
        if not is_float(*parts, 15, True):
            raise Wrong("EP_EXPR", begin)
        return Term(begin, {FLOAT}, zero=parts == ["0", "0", None])

    def group(self):
        begin = self.at
        self.at += 1
        inner = self.argument(Place((")",), group=True))
        self.at += 1
        return inner.moved(begin)

    def call(self, name, begin):
        if name not in FUNCTIONS[INFIX]:
            raise Wrong("EP_EXPR_FUNCTION", begin)
        self.at += 1
        terms, ends = [], (", ", ")")
        while self.text[self.at:self.at + 1] != ")" or terms:
            if name == "Piecewise":
                terms.append(self.arm())
                token = self.between_arms()
            else:
                terms.append(self.argument(Place(ends)))
                token = self.peek(Place(ends))
            if token == ")":
                break
            self.at += len(token)
        self.at += 1
        return applied(FUNCTIONS[INFIX][name], begin, terms)

    def arm(self):
        begin = self.at
        if self.text[begin:begin + 1] != "(":
            raise Wrong("EP_EXPR", begin)
        self.at += 1
        terms = [self.argument(Place((", ",)))]
        self.at += 2
        terms.append(self.argument(Place((")",))))
        self.at += 1
        return applied(OPERATORS["ExprCondPair"], begin, terms)

    def between_arms(self):
        only = Place((", ", ")"))
        only.takes = only.ends.__contains__
        return self.peek(only)


def common(one, other):
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return same


def fault(text, form, sort):
    """What is wrong in a text: None, or (code, character)."""
    try:
        term = {SREPR: Srepr, INFIX: Infix}[form](text).whole()
        if sort not in term.sorts or term.arm:
            raise Wrong("EP_EXPR_TYPE", 0)
    except Wrong as wrong:
        return wrong.code, wrong.at
    return None
