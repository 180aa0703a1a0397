"""The normal form of expressions and the new names of symbols (SPEC 6.7)."""

import re
from collections import Counter

from oracle.expressions import (KINDS, MINUS_ONE, NUMBERS, ONE, above_one, call, is_call, measure,
                                other_sign, read_srepr, write_srepr)

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


# ---- symbols ------------------------------------------------------------------------

KEY_NAME = re.compile(r"(?<![\w.])(?!(?:True|False)\b)[A-Za-z_]\w*\b(?!\()")  # of a symbol


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


class Symbols:
    """The symbols of a program; expressions: all its SymExprs."""

    def __init__(self, ranges, expressions):
        self.names, self.counts, self.assumed, self.kept = {}, Counter(), {}, {}
        self.terms = {}
        same = {}
        for each in expressions:  # SPEC 6.7.4: those that are one
            term = read_srepr(each["expr_str"])
            plain = write_srepr(normal(term, measure), str)
            each["expr_str"] = same.setdefault(plain, each["expr_str"])
            self.terms.setdefault(each["expr_str"], term)
        for term in self.terms.values():
            for _, name, assumed in symbols(term):
                self.assumed.setdefault(name, set()).update(assumed)
        self.ranges = {key: ends for key, ends in ranges.items()  # SPEC 6.2.5
                       if self.assumed.keys() >= set(KEY_NAME.findall(key))}

    def colour(self, name):
        """SPEC 6.7.3."""
        letters = [letter for letter, each in (("p", "positive"), ("n", "integer"), ("r", "real"))
                   if each in self.assumed[name]]
        limits = self.ranges.get(name, {})
        ends = ["" if limits.get(key) is None else str(limits[key]) for key in ("min_val", "max_val")]
        return "%s%s[%s]" % (prefix(name), "".join(letters), ",".join(ends))

    def compared(self, name):
        """What a symbol is compared by: its new name, or its colour behind those."""
        new = self.names.get(name)
        return (new is None, measure(new or self.colour(name)))

    def unnamed(self, term):
        """The symbols of a term that have no new name, from left to right."""
        return list(dict.fromkeys(name for _, name, _ in symbols(term) if name not in self.names))

    def give(self, name):
        self.names[name] = "%s%d" % (prefix(name), self.counts[prefix(name)])
        self.counts[prefix(name)] += 1

    def name(self, expressions):
        """SPEC 6.7.4; the SymExprs in its order."""
        for each in expressions:
            left = self.unnamed(self.terms[each["expr_str"]])
            if len(left) == 1:
                self.give(left[0])
        for each in expressions:
            term = self.terms[each["expr_str"]]
            if self.unnamed(term):
                term = self.kept[each["expr_str"]] = normal(term, self.compared)
                for name in self.unnamed(term):
                    self.give(name)

    def key(self, text):
        """A key of range_constraints with the new names."""
        return KEY_NAME.sub(lambda found: self.names[found.group()], text)

    def write(self, expressions):
        """SPEC 6.7.5; gives the ranges as well, one for each symbol."""
        for each in expressions:
            text = each["expr_str"]
            term = self.kept.get(text) or normal(self.terms[text], self.compared)
            each["expr_str"] = write_srepr(term, self.names.get)
        ranges = {name: {"min_val": None, "max_val": None} for name in self.assumed}  # SPEC 6.2.5
        ranges.update(self.ranges)
        return {self.key(key): ranges[key] for key in ranges}
