"""The normal form of expressions and the new names of symbols (SPEC 6.7)."""

import math
import re
from collections import Counter

from oracle.expressions import (KINDS, MINUS_ONE, NUMBERS, ONE, InfixReader, InfixWriter, above_one,
                               call, is_call, measure, other_sign, read_srepr, write_srepr)
from format.history import ORDER

# ---- the normal form (SPEC 6.7.2) ---------------------------------------------------

EQUATIONS = ("Equality", "Unequality")
COMMUTATIVE = ("Add", "Mul", "Max", "Min", "And", "Or") + EQUATIONS


def order(term, symbol):
    """What terms are compared by; symbol: what names of symbols are."""
    kind = KINDS.index(term[0])
    if term[0] == "function":
        orders = [order(each, symbol) for each in term[2]]
        tall = 1 + max(each[0] for each in orders)
        return (tall, kind, measure(term[1]), len(orders), orders)
    return (0, kind, symbol(term[1]) if term[0] == "Symbol" else list(map(measure, term[1:])))


def normal(term, symbol):
    """The normal form; symbol: what names of symbols are compared by."""
    def key(each):
        return order(each, symbol)
    if term[0] != "function":
        return term
    name = term[1]
    terms = [normal(each, symbol) for each in (factors(term) if name == "Mul" else term[2])]
    if name == "Mul":
        odd = terms.count(MINUS_ONE) % 2 == 1
        terms = sorted((each for each in terms if each not in (ONE, MINUS_ONE)), key=key)
        if odd and terms and terms[0][0] in NUMBERS:
            terms[0] = other_sign(terms[0])
        elif odd:
            terms.append(MINUS_ONE)
        if len(terms) < 2:
            return terms[0] if terms else ONE
    if name == "Pow" and above_one(terms[0]) and terms[1] == MINUS_ONE:
        return ("Rational", "1", terms[0][1])
    if name in COMMUTATIVE:
        terms.sort(key=key, reverse=name in EQUATIONS)
    return call(name, *terms)


def factors(term):
    """The factors of a product, and of those in it."""
    if not is_call(term, "Mul"):
        return [term]
    return [factor for each in term[2] for factor in factors(each)]


# ---- symbols (SPEC 6.7) ---------------------------------------------------------------

NO_MAXIMUM = 9223372036854775806
KEY_NAME = re.compile(r"(?<![\w.])(?!(?:True|False)\b)[A-Za-z_]\w*\b(?!\()")  # of a symbol


def H(*texts):
    """FNV-1a (SPEC 6.4.3), as its hexadecimal digits."""
    value = 14695981039346656037
    for text in texts:
        for byte in text.encode("utf-8") + b"\0":
            value = (value ^ byte) * 1099511628211 % (1 << 64)
    return "%016x" % value


def prefix(name):
    """SPEC 6.7.1."""
    found = re.fullmatch(r"(s|u|i|f|zf|zuf)[0-9]+", name)
    if found:
        return found.group(1)
    return {"s": "sx", "z": "z", "f": "z"}.get(name[0], "x")


def symbols(term):
    """The symbols of a term, from left to right."""
    if term[0] == "Symbol":
        yield term
    for each in term[2] if term[0] == "function" else ():
        yield from symbols(each)


def judged(expressions):
    """Those without an expr_ast (SPEC part 4)."""
    return [each for each in expressions if not each.get("expr_ast")]


def tree_symbols(node):
    """The symbols of an expr_ast."""
    if not node:
        return []
    inner = [name for each in node["args"] for name in tree_symbols(each)]
    return inner + ([node["base"]["as_symbol"]] if "as_symbol" in (node["base"] or {}) else [])


def paths(term, path):
    """The names of symbols, each with the way to it (SPEC 6.7.4)."""
    if term[0] == "Symbol":
        yield term[1], path
    for i, each in enumerate(term[2] if term[0] == "function" else ()):
        number = "-" if term[1] in COMMUTATIVE else str(i)
        yield from paths(each, H(path, term[1], number))


class Symbols:
    """The symbols of a program; expressions: all its SymExprs."""

    def __init__(self, version, ranges, expressions):
        self.place, self.ranges = ORDER.index(version.name), ranges
        self.open_maximum = version.name in ("1-2023-08", "1", "5.3")
        self.names, self.counts, self.looks, self.kept = {}, Counter(), Counter(), {}
        self.assumed = {}
        self.stay = {name for each in expressions for name in tree_symbols(each.get("expr_ast"))}
        self.names.update((name, name) for name in self.stay)  # SPEC 6.7.5
        for each in judged(expressions):
            for _, name, assumed in symbols(self.term(each)):
                self.assumed.setdefault(name, set()).update(assumed)

    def srepr(self, text):
        """Whether an expression is in the srepr form; in 8.1-a to 8.1 it is in either."""
        return self.place >= ORDER.index("8.2") or (self.place >= ORDER.index("8.1-a") and bool(
            re.search(r"'|\b(Integer|Rational)\(|\b(true|false)\b", text)))

    def term(self, expression):
        text = expression["expr_str"]
        return read_srepr(text) if self.srepr(text) else InfixReader(text).argument()

    def ends(self, key):
        """The ends of a range, in digits; of an open one nothing."""
        limits = self.ranges.get(key, {})
        low, high = limits.get("min_val"), limits.get("max_val")
        high = None if high == NO_MAXIMUM and self.open_maximum else high
        return ["" if each is None or math.isinf(each) else str(each) for each in (low, high)]

    def colour(self, name):
        """SPEC 6.7.3."""
        letters = [letter for letter, each in (("p", "positive"), ("n", "integer"), ("r", "real"))
                   if each in self.assumed.get(name, ())]
        return "%s%s[%s]" % (prefix(name), "".join(letters), ",".join(self.ends(name)))

    def face(self, expression):
        """An expression in a face: symbols are their colours (SPEC 6.4.4)."""
        term = normal(self.term(expression), lambda name: measure(self.colour(name)))
        return write_srepr(term, self.colour)

    def compared(self, name):
        """What a symbol is compared by while names are given: by its name, and after
        those that have one by its colour and its look."""
        if name in self.names:
            return (0, measure(self.names[name]), 0)
        return (1, measure(self.colour(name)), self.looks[name])

    def normal(self, expression):
        return normal(self.term(expression), self.compared)

    def give(self, name):
        while name not in self.names:
            new = "%s%d" % (prefix(name), self.counts[prefix(name)])
            self.counts[prefix(name)] += 1
            if new not in self.stay:
                self.names[name] = new

    def name(self, expressions):
        """SPEC 6.7.4; the SymExprs in its order."""
        expressions = judged(expressions)
        for each in expressions:
            left = {name for _, name, _ in symbols(self.term(each))}.difference(self.names)
            if len(left) == 1:
                self.give(left.pop())
        looks = Counter()
        for n, each in enumerate(expressions):
            for name, path in paths(self.normal(each), H()):
                looks[name] += int(H(str(n), path), 16)
        self.looks.update({name: look % (1 << 64) for name, look in looks.items()})
        for each in expressions:
            term = self.normal(each)
            for _, name, _ in symbols(term):
                if name not in self.names:
                    self.give(name)
                    self.kept[each["expr_str"]] = term
        self.keys = sorted(self.ranges, key=lambda key: (self.key(key), self.ends(key)))
        for key in self.keys:
            for name in KEY_NAME.findall(key):
                self.give(name)

    def key(self, text):
        """A key of range_constraints with the new names; colours where there is none."""
        return KEY_NAME.sub(lambda found: self.names.get(found.group()) or
                            self.colour(found.group()), text)

    def write(self, expressions):
        """SPEC 6.7.5; gives the ranges as well."""
        for each in judged(expressions):
            text = each["expr_str"]
            term = self.kept.get(text) or self.normal(each)
            each["expr_str"] = (write_srepr(term, self.names.get) if self.srepr(text) else
                                InfixWriter(self.names.get).text(term))
        return [(self.key(key), self.ranges[key]) for key in self.keys]
