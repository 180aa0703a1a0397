"""C as conformance/scripts/mutate reads it: tokens with their places, the functions of a
file, the statements in them.  It relies on clang-format's layout: a function's
last brace stands in the first column, a binary operator between spaces.
"""

import re
from collections import namedtuple

# kind: word, number, char, string, mark (an operator or bracket).
Token = namedtuple("Token", "kind text start end")
Function = namedtuple("Function", "name first last")  # indices of its braces' tokens
Statement = namedtuple("Statement", "first last depth")  # of tokens, the semicolon included

PATTERN = re.compile(r"""
    (?P<space>\s+)
  | (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\])*")
  | (?P<char>'(?:\\.|[^'\\])*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.VERBOSE | re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)
OPEN, CLOSE = "([{", ")]}"


def blanked(text):
    """The text without comments and directives, every other byte in its place."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*',
                  lambda match: match.group() if match.group()[0] in "\"'" else spaces(match),
                  text, flags=re.DOTALL)
    return DIRECTIVE.sub(spaces, text)


def tokens(text):
    """The tokens of a C file; comments and directives are none."""
    found = []
    for match in PATTERN.finditer(blanked(text)):
        kind = match.lastgroup
        if kind not in ("space", "comment"):
            found.append(Token(kind, match.group(), match.start(), match.end()))
    return found


def partners(found):
    """From the index of a bracket to that of the one that belongs to it."""
    pairs, stack = {}, []
    for index, token in enumerate(found):
        if token.kind == "mark" and token.text in OPEN:
            stack.append(index)
        elif token.kind == "mark" and token.text in CLOSE:
            other = stack.pop()
            pairs[index], pairs[other] = other, index
    return pairs


def functions(found, pairs):
    """The functions of a file: a name and parameters before a body."""
    index = 0
    while index < len(found):
        if found[index].text == "{":
            before = found[index - 1]
            if before.text == ")":
                name = found[pairs[index - 1] - 1].text
                yield Function(name, index, pairs[index])
            index = pairs[index]
        index += 1


def statements(found, pairs, function):
    """The statements of a function that end with a semicolon."""
    begin, depth, index = function.first + 1, 1, function.first + 1
    while index < function.last:
        text = found[index].text
        if text in "([" and found[index].kind == "mark":
            index = pairs[index]
        elif text == "{" and found[index - 1].text in ("=", ")", ",", "return") \
                and not is_body(found, pairs, index):
            index = pairs[index]  # an initializer
        elif text in "{}" and found[index].kind == "mark":
            depth += 1 if text == "{" else -1
            begin = index + 1
        elif text == ":" and found[begin].text in ("case", "default"):
            begin = index + 1
        elif text == ";":
            yield Statement(begin, index, depth)
            begin = index + 1
        index += 1


def is_body(found, pairs, index):
    """Whether a brace after a parenthesis opens a body, not a compound literal."""
    if found[index - 1].text != ")":
        return False
    return found[pairs[index - 1] - 1].text in ("if", "for", "while", "switch")


TYPES = frozenset("""const static enum struct union unsigned signed int char long short float
    double void bool size_t register volatile extern typedef""".split())


def is_declaration(found, statement):
    """Whether a statement declares: it begins with a type and a name."""
    words = found[statement.first:statement.last + 1]
    if words[0].text in TYPES or words[0].text.startswith("_"):
        return True
    if len(words) < 2 or words[0].kind != "word" or words[0].text == "return":
        return False
    index = 1
    while words[index].text == "*" and words[index].end == words[index + 1].start:
        index += 1
    if index > 1:  # `type *name`; a product has a space on either side
        return words[index].kind == "word" and words[1].start > words[0].end
    return words[1].kind == "word"
