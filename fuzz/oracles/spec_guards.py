"""Guards, targets and device types (SPEC 4.4 to 4.6) once more, from the specification and
annex/targets.tsv, for spec_oracle. Each function gives the character that a text is wrong
at, or None; targets with their code.
"""

import re

from format.annexes import rows
from format.history import ORDER

BEYOND = "\x80-\U0010ffff"  # every such character is one of a name (1.6)
WORD = re.compile("[A-Za-z0-9_.%s]*" % BEYOND)
NAME = re.compile("[A-Za-z_{0}][A-Za-z0-9_{0}]*".format(BEYOND))
DIGITS = re.compile("[0-9]*")
FLOAT_RUN = re.compile("[0-9.e+-]*")
INTEGER = re.compile("(0|-?[1-9][0-9]*)\\Z")
ARITHMETIC = (" + ", "*", " / ", " // ", " % ", " ** ", " & ", " | ", " ^ ")
SIGNLESS = (" + ", "*", " / ", " // ", " % ", " ** ")
RELATIONS = (" == ", " != ", " <= ", " >= ", " < ", " > ")
MANY = 1 << 60
FUNCTIONS = {**{name: (1, 1) for name in (
    "abs", "math.acos", "math.asin", "math.atan", "math.ceil", "math.cos", "math.cosh",
    "math.floor", "math.log2", "math.sin", "math.sinh", "math.sqrt", "math.tan", "math.tanh",
    "math.trunc", "torch._sym_sqrt", "torch.sym_float", "cast_symbool_to_symint_guardless")},
    "torch.sym_max": (2, 2), "torch.sym_min": (2, 2), "round": (1, 2),
    "IsNonOverlappingAndDenseIndicator": (1, MANY), "max": (2, MANY), "min": (2, MANY)}
PROPERTIES = {"size": "()[", "stride": "()[", "storage_offset": "()", "item": "()"}
HEX = tuple("0123456789abcdef")
ESCAPES = {"x": 2, "u": 4, "U": 8}
NUMBER, CONDITION = "number", "condition"


class Wrong(ValueError):
    """A character of the text; its length for the end."""

    def __init__(self, at):
        super().__init__(at)
        self.at = at


class Guard:
    def __init__(self, text):
        self.text, self.at = text, 0

    def next(self, *texts):
        """Which of these follows; the first that does, else ""."""
        return next((each for each in texts if self.text.startswith(each, self.at)), "")

    def take(self, text):
        """Character by character."""
        for letter in text:
            if self.text[self.at:self.at + 1] != letter:
                raise Wrong(self.at)
            self.at += 1

    # -- expressions

    def whole(self):
        if self.expression() != CONDITION or self.at < len(self.text):
            raise Wrong(self.at)

    def expression(self, due=False):
        """A number or a condition; due: it begins with a number."""
        kind = self.part(due)
        while self.next(" and ", " or "):
            if kind != CONDITION:
                raise Wrong(self.at)
            self.at += len(self.next(" and ", " or "))
            kind = self.part(False)
            if kind != CONDITION:
                raise Wrong(self.at)
        return kind

    def part(self, due):
        kind = self.number(due)
        relation = self.next(*RELATIONS)
        if kind == NUMBER and relation:
            self.at += len(relation)
            self.number(True)
            return CONDITION
        return kind

    def number(self, due):
        kind, operator = self.operand(due, False), self.next(*ARITHMETIC)
        while kind == NUMBER and operator:
            self.at += len(operator)
            self.operand(True, operator in SIGNLESS)
            operator = self.next(*ARITHMETIC)
        return kind

    def operand(self, due, signless):
        if self.next("L["):
            self.source()
            return NUMBER
        if self.next("("):
            return self.bracket(due)
        if self.next("not (") and not due:
            self.at += len("not (")
            if self.expression() != CONDITION:
                raise Wrong(self.at)
            self.take(")")
            return CONDITION
        if signless and self.next("-"):
            raise Wrong(self.at)
        if re.compile("-?[0-9]").match(self.text, self.at):
            self.literal()
            return NUMBER
        return self.word(due)

    def bracket(self, due):
        self.at += 1
        kind = self.expression()
        if self.next(" if "):
            self.at += len(" if ")
            if self.expression() != CONDITION or not self.next(" else "):
                raise Wrong(self.at)
            self.at += len(" else ")
            if self.expression() != kind:
                raise Wrong(self.at)
        if not self.next(")") or (due and kind == CONDITION):
            raise Wrong(self.at)
        self.at += 1
        return kind

    def word(self, due):
        begin = self.at
        end = WORD.match(self.text, begin + bool(self.next("-"))).end()
        word = self.text[begin:end]
        self.at = end
        if word in ("math.inf", "-math.inf", "math.nan"):
            return NUMBER
        if word in ("True", "False") and not due:
            return CONDITION
        if word not in FUNCTIONS or not self.next("("):
            raise Wrong(begin)
        self.call(*FUNCTIONS[word])
        return NUMBER

    def call(self, least, most):
        count, sign = 0, "("
        while sign != ")":
            self.at += len(sign)
            if self.expression(True) != NUMBER:
                raise Wrong(self.at)
            count += 1
            sign = self.next(", ", ")")
            if not sign or (sign == ", " and count == most) or (sign == ")" and count < least):
                raise Wrong(self.at)
        self.at += 1

    # -- literals and sources

    def integer(self):
        begin = self.at
        self.at = DIGITS.match(self.text, begin + bool(self.next("-"))).end()
        if not INTEGER.match(self.text[begin:self.at]):
            raise Wrong(begin)

    def literal(self):
        begin = self.at
        first = begin + bool(self.next("-"))
        self.at = DIGITS.match(self.text, first).end()
        if self.next(".", "e"):
            self.at = FLOAT_RUN.match(self.text, self.at).end()
            try:
                same = repr(float(self.text[begin:self.at])) == self.text[begin:self.at]
            except ValueError:
                same = False
            if not same:
                raise Wrong(begin)
            return
        self.at = begin
        self.integer()
        if self.next("/"):
            self.at += 1
            if self.text[self.at:self.at + 1] not in tuple("123456789"):
                raise Wrong(self.at)
            self.at = DIGITS.match(self.text, self.at).end()

    def source(self):
        self.at += 1
        self.index(False)
        while self.next("[", "."):
            if self.next("["):
                self.index(True)
                continue
            point = self.at
            found = NAME.match(self.text, point + 1)
            if not found:
                raise Wrong(point + 1)
            self.at = found.end()
            if self.next("("):
                if found.group() not in PROPERTIES:
                    raise Wrong(point)
                self.take(PROPERTIES[found.group()])
                if PROPERTIES[found.group()].endswith("["):
                    self.integer()
                    self.take("]")
                return

    def index(self, any_):
        self.at += 1
        begin, letter = self.at, self.text[self.at:self.at + 1]
        if any_ and letter and letter in "-0123456789":
            self.integer()
        elif any_ and self.next("True", "False"):
            self.at = WORD.match(self.text, begin).end()
            if self.text[begin:self.at] not in ("True", "False"):
                raise Wrong(begin)
        else:
            self.quoted()
        self.take("]")

    def quoted(self):
        quote = self.next("'", '"')
        if not quote:
            raise Wrong(self.at)
        self.at += 1
        held = set()
        while not self.next(quote):
            letter = self.text[self.at:self.at + 1]
            if not letter or letter < " " or letter == "\x7f":
                raise Wrong(self.at)
            if letter == "\\":
                held.add(self.escape(quote))
            else:
                held.add(letter)
                self.at += 1
        single, double = "'" in held, '"' in held
        if quote != ('"' if single and not double else "'"):
            raise Wrong(self.at)
        self.at += 1

    def escape(self, quote):
        """What it puts there, as far as that is a quote."""
        begin, letter = self.at, self.text[self.at + 1:self.at + 2]
        if letter in ESCAPES:
            self.at += 2
            for _ in range(ESCAPES[letter]):
                number = self.text[begin + 2:self.at + 1].ljust(ESCAPES[letter], "0")
                if self.text[self.at:self.at + 1] not in HEX or int(number, 16) > 0x10ffff:
                    raise Wrong(self.at)
                self.at += 1
            return ""
        if not letter:
            raise Wrong(begin + 1)
        if letter not in tuple("\\nrt") and not (letter == "'" and quote == "'"):
            raise Wrong(begin)
        self.at += 2
        return letter if letter == "'" else ""


def guard(text):
    try:
        Guard(text).whole()
    except Wrong as wrong:
        return wrong.at
    return None


# ---- targets

TARGETS = {row["target"]: [each for each in rows("targets") if each["target"] == row["target"]]
           for row in rows("targets")}
IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*")
LABEL = re.compile("[^:\x00-\x20\x7f]*")
PREFIXES = (("$", "5.3-2024-03", "7.3"), ("#", "5.4", None))


def within(version, since, until=None):
    """Whether a version is in a range of an annex."""
    place = ORDER.index(version)
    return (since is None or ORDER.index(since) <= place) and \
        (until is None or place < ORDER.index(until))


def extension(text):
    at = 1
    for sign in (":", ""):
        end = LABEL.match(text, at).end()
        if end == at or text[end:end + 1] != sign:
            return end
        at = end + 1
    return None


def target(text, version):
    """None, or (code, character)."""
    if any(text.startswith(sign) and within(version, *span) for sign, *span in PREFIXES):
        at = extension(text)
        return None if at is None else ("EP_TARGET", at)
    dots, at = [], 0
    while True:
        found = IDENTIFIER.match(text, at)
        if not found:
            return "EP_TARGET", at
        at = found.end()
        if at == len(text):
            break
        if text[at] != ".":
            return "EP_TARGET", at
        dots.append(at)
        at += 1
    if text in TARGETS:
        if any(within(version, row["since"], row["until"]) for row in TARGETS[text]):
            return None
        return "EP_TARGET_UNKNOWN", 0
    parts = text.split(".")
    if parts[:2] != ["torch", "ops"]:
        return "EP_TARGET_UNKNOWN", 0
    higher = parts[2:3] == ["higher_order"]
    if len(parts) < (4 if higher else 5):
        return "EP_TARGET", len(text)
    if len(parts) > 5:
        return "EP_TARGET", dots[4]
    return ("EP_TARGET_UNKNOWN", 0) if higher else None


def device(text):
    return None if re.fullmatch("[a-z_]+", text) else 0
