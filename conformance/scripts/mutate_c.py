"""The faults that conformance/scripts/mutate can put into C: for each place one or several
changes of the text.  Comments, strings, directives, static assertions, types
and what a declaration declares are left alone.
"""

from collections import namedtuple

import mutate_lexer

# The bytes [start, end) become text; function: whose they are, "" for none.
Change = namedtuple("Change", "operator start end text function")

RELATIONS = {"==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"],
             ">": [">=", "<="], ">=": [">", "<"]}
ARITHMETIC = {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "<<": [">>"],
              ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["|"]}
STEPS = {"++": ["--"], "--": ["++"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
         "|=": ["&="], "&=": ["|="], "^=": ["|="], "<<=": [">>="], ">>=": ["<<="]}
BINARY = {"relation": RELATIONS, "arithmetic": ARITHMETIC}
OPERATORS = {
    "relation": "== != < <= > >= become a neighbour or the opposite",
    "arithmetic": "+ - * / % << >> & | ^ between two operands become another",
    "logic": "&& becomes ||, || becomes &&, a ! goes",
    "constant": "an integer or a character becomes one more, one less; true false, false true",
    "condition": "the condition of an if or of ?: is inverted",
    "statement": "a call or an assignment goes",
    "unchecked": "TRY goes, what it tries stays",
    "return": "an early return goes",
    "jump": "a break or continue goes",
    "step": "++ becomes --, += becomes -=, and so on",
    "argument": "two neighbours among the arguments of a call change places",
    "result": "what a function returns is negated, or one more",
    "iteration": "a for loop leaves out its first or its last round",
    "version": "a schema version becomes the one before or after",
    "row": "a row of a table, or an item of an initializer, goes",
    "swap": "a row of a table changes places with the next",
    "cell": "a number or a name in a row of a table becomes another",
}
KEYWORDS = frozenset("return case else sizeof".split())
NO_CALLS = frozenset("if for while switch return sizeof TRY case".split())
COUNTS = frozenset("int unsigned size_t uint8_t uint16_t uint32_t uint64_t int32_t int64_t".split())


class File:
    """A C file, and what can be done to it."""

    def __init__(self, text, versions=()):
        self.text, self.tokens = text, mutate_lexer.tokens(text)
        self.versions = ["EP_" + version for version in versions]
        self.pairs = mutate_lexer.partners(self.tokens)
        self.owner, self.skipped = [""] * len(self.tokens), set()
        self.functions = list(mutate_lexer.functions(self.tokens, self.pairs))
        for function in self.functions:
            for index in range(function.first, function.last + 1):
                self.owner[index] = function.name
        self.skip_types()

    def skip_types(self):
        """Types, prototypes and static assertions are no places for faults."""
        index = 0
        while index < len(self.tokens):
            text = self.tokens[index].text
            if text == "_Static_assert":
                self.skip(index, self.pairs[index + 1])
            elif text in ("struct", "union"):
                brace = index + 1 + (self.tokens[index + 1].kind == "word")
                if self.tokens[brace].text == "{":
                    self.skip(index, self.pairs[brace])
            index += 1
        for function in self.functions:
            for statement in mutate_lexer.statements(self.tokens, self.pairs, function):
                if mutate_lexer.is_declaration(self.tokens, statement):
                    self.skip_declared(statement)

    def lines(self, function):
        """How many lines the body of a function has."""
        return self.text.count("\n", self.tokens[function.first].start,
                               self.tokens[function.last].end) + 1

    def skip(self, first, last):
        self.skipped.update(range(first, last + 1))

    def skip_declared(self, statement):
        """What stands before the = of a declaration: the sizes of arrays."""
        for index in range(statement.first, statement.last):
            if self.tokens[index].text == "=":
                return
            self.skipped.add(index)

    def changes(self):
        """Every change, in the order of places."""
        found = []
        for index, token in enumerate(self.tokens):
            if index not in self.skipped:
                found += self.at_token(index, token)
                found += self.at_word(index, token)
        for function in self.functions:
            found += self.conditions(function)
            found += self.loops(function)
            for statement in mutate_lexer.statements(self.tokens, self.pairs, function):
                found += self.of_statement(function, statement)
        return sorted(found, key=lambda change: (change.start, change.operator, change.text))

    def change(self, operator, first, last, text):
        return Change(operator, self.tokens[first].start, self.tokens[last].end, text,
                      self.owner[first])

    # -- single tokens

    def at_token(self, index, token):
        if token.kind == "number" or token.kind == "char":
            return [self.change("constant", index, index, text) for text in others(token)]
        if token.text in ("true", "false"):
            return [self.change("constant", index, index,
                                "false" if token.text == "true" else "true")]
        if token.kind == "mark" and self.owner[index]:
            return self.at_mark(index, token)
        return []

    def at_mark(self, index, token):
        if token.text in STEPS:
            return [self.change("step", index, index, text) for text in STEPS[token.text]]
        if token.text == "!":
            return [self.change("logic", index, index, "")]
        if token.text in ("&&", "||"):
            return [self.change("logic", index, index, "||" if token.text == "&&" else "&&")]
        for operator, table in BINARY.items():
            if token.text in table and self.is_binary(index):
                return [self.change(operator, index, index, text) for text in table[token.text]]
        return []

    def is_binary(self, index):
        """Whether an operator stands between two operands: between spaces."""
        token, before = self.tokens[index], self.tokens[index - 1]
        after = self.tokens[index + 1]
        spaced = before.end < token.start and token.end < after.start
        operand = before.kind != "mark" or before.text in (")", "]")
        return spaced and operand and before.text not in KEYWORDS

    # -- calls, initializers, versions

    def at_word(self, index, token):
        after = self.tokens[index + 1] if index + 1 < len(self.tokens) else token
        if token.text == "=" and after.text == "{":
            yield from self.items(index + 1)
        elif token.text in self.versions:
            at = self.versions.index(token.text)
            for near in self.versions[max(at - 1, 0):at] + self.versions[at + 1:at + 2]:
                yield self.change("version", index, index, near)
        elif token.kind == "word" and self.owner[index] and after.text == "(" \
                and after.start == token.end and token.text not in NO_CALLS:
            yield from self.arguments(index + 1)

    def parts(self, opening):
        """First and last tokens of what commas part inside of a bracket."""
        first, index, closing = opening + 1, opening + 1, self.pairs[opening]
        while index < closing:
            text = self.tokens[index].text
            if index in self.pairs and text in mutate_lexer.OPEN:
                index = self.pairs[index]
            elif text == ",":
                yield first, index - 1
                first = index + 1
            index += 1
        if first < closing:
            yield first, closing - 1

    def source(self, first, last):
        return self.text[self.tokens[first].start:self.tokens[last].end]

    def arguments(self, opening):
        found = [part for part in self.parts(opening) if part[0] <= part[1]]
        for left, right in zip(found, found[1:]):
            texts = self.source(*left), self.source(*right)
            if texts[0] != texts[1]:
                yield self.change("argument", left[0], right[1], texts[1] + ", " + texts[0])

    def items(self, opening):
        """Items of an initializer that go; one of a list of one stays."""
        found = list(self.parts(opening))
        for first, last in found if len(found) > 1 else []:
            if last + 1 < self.pairs[opening]:
                last += 1  # the comma
            yield self.change("row", first, last, "")

    # -- conditions

    def conditions(self, function):
        for index in range(function.first, function.last):
            token = self.tokens[index]
            if token.text == "if":
                last = self.pairs[index + 1]
                inner = self.text[self.tokens[index + 1].start:self.tokens[last].end]
                yield self.change("condition", index + 1, last, "(!%s)" % inner)
            elif token.text == "?":
                yield from self.ternary(index)

    def ternary(self, index):
        """A condition before ?, up to what cannot be part of it, behind a !."""
        first = index
        while True:
            before = self.tokens[first - 1]
            if before.kind == "mark" and before.text in (")", "]"):
                first = self.pairs[first - 1]
            elif before.text in ("(", "[", "{", ",", ";", "=", "?", ":", "return", "}"):
                break
            else:
                first -= 1
        inner = self.text[self.tokens[first].start:self.tokens[index - 1].end]
        yield self.change("condition", first, index - 1, "!(%s)" % inner)

    def loops(self, function):
        for index in range(function.first, function.last):
            if self.tokens[index].text != "for":
                continue
            ends = [at for at in range(index + 2, self.pairs[index + 1])
                    if self.tokens[at].text == ";"]
            if len(ends) != 2:
                continue
            for at in range(index + 2, ends[0]):
                if self.tokens[at].text == "=" and at + 1 < ends[0] \
                        and self.tokens[at + 1].kind == "word" and self.tokens[ends[0] - 1] \
                        .kind != "number":
                    inner = self.source(at + 1, ends[0] - 1)
                    yield self.change("iteration", at + 1, ends[0] - 1, "(%s) + 1" % inner)
            for at in range(ends[0] + 1, ends[1]):
                if self.tokens[at].text == "<" and self.is_binary(at):
                    yield self.change("iteration", at, at, "+ 1 <")

    # -- statements

    def of_statement(self, function, statement):
        first = self.tokens[statement.first]
        if first.text == ";" or mutate_lexer.is_declaration(self.tokens, statement):
            return
        gone = self.change("statement", statement.first, statement.last, ";")
        if first.text == "return":
            yield from self.results(function, statement)
            if statement.depth > 1 or self.tokens[statement.last + 1].text != "}":
                yield gone._replace(operator="return")
        elif first.text in ("break", "continue"):
            yield gone._replace(operator="jump")
        elif first.text == "TRY":
            yield gone
            yield self.change("unchecked", statement.first, statement.first, "(void)")
        elif not self.is_void(statement):
            yield gone

    def results(self, function, statement):
        """What a function that returns a bool or a number returns."""
        name = self.pairs[function.first - 1] - 1
        kind = self.tokens[name - 1].text
        first, last = statement.first + 1, statement.last - 1
        if first > last or (first == last and self.tokens[first].kind == "number") \
                or self.tokens[first].text in ("true", "false"):
            return
        if kind == "bool":
            yield self.change("result", first, last, "!(%s)" % self.source(first, last))
        elif kind in COUNTS:
            yield self.change("result", first, last, "(%s) + 1" % self.source(first, last))

    def is_void(self, statement):
        """(void)name; does nothing anyway, and "} while (...);" ends a loop."""
        words = [token.text for token in self.tokens[statement.first:statement.last + 1]]
        return words[:3] == ["(", "void", ")"] or words[0] in ("while", "do", "for", "if")


def others(token):
    """What an integer or a character becomes; nothing for a float."""
    if token.kind == "char":
        letter = token.text[1:-1]
        if len(letter) != 1 or ord(letter) >= 0x7D or letter in "&[":
            return []
        return ["'%s'" % chr(ord(letter) + 1)]
    digits = token.text.rstrip("uUlL")
    suffix = token.text[len(digits):]
    try:
        value = int(digits, 8 if len(digits) > 1 and digits.isdigit() and digits[0] == "0" else 0)
    except ValueError:
        return []
    form = "0x%X%s" if digits[:2] in ("0x", "0X") else "%d%s"
    return [form % (near, suffix) for near in (value + 1, value - 1) if near >= 0]
