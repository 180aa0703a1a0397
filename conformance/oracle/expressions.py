"""Expressions in the srepr form: reading and writing (SPEC 4.1.7).

A term is (kind, text, ...), and of a function ("function", name, [terms]).
"""

import re
import sys

sys.setrecursionlimit(max(sys.getrecursionlimit(), 50000))  # expressions nest up to 1,000 deep

KINDS = ("Integer", "Rational", "Float", "Symbol", "true", "false", "function")  # in this order
NUMBERS = KINDS[:3]
ZERO, ONE, MINUS_ONE = ("Integer", "0"), ("Integer", "1"), ("Integer", "-1")


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
