"""Integers, floats, literals, bytes and tuples: their forms and their ranges."""

import json

from format.document import replace
from generate.wire.fields import inner
from format.history import BARE, QUOTED, QUOTED_INFINITY, before
from format.programs import quoted

FEW = 2  # of each of these, but in the versions that show what all have
INT_FORMS = (
    ("fraction", "1.0"), ("minus-zero", "-0"), ("exponent", "1e3"), ("capital", "1E0"),
    ("zero-fraction", "0.0"), ("minus-zero-fraction", "-0.0"), ("half", "1.5"),
    ("negative-exponent", "10e-1"), ("beyond-floats", "1e400"),
)
INT_RANGE = (
    ("above", "9223372036854775808"), ("below", "-9223372036854775809"),
    ("two-64", "18446744073709551616"), ("long", "1" + "0" * 200),
)
INTS = (
    ("zero", "0"), ("minus-one", "-1"), ("greatest", "9223372036854775807"),
    ("least", "-9223372036854775808"), ("beyond-floats", "9007199254740993"),
)
FLOAT_RANGE = (
    ("exponent", "1e400"), ("negative", "-1e400"), ("first", "1.7976931348623159e308"),
    ("first-exact", str(2 ** 1024 - 2 ** 970)), ("digits", "1" + "0" * 309),
    ("digits-and-exponent", "0.0000000001e400"), ("huge-exponent", "1e99999999999999999999"),
)
FLOAT_GREATEST = (
    ("shortest", "1.7976931348623157e308"), ("rounds-down", "-1.7976931348623158e308"),
    ("last", str(2 ** 1024 - 2 ** 970 - 1)),
)
FLOAT_STRINGS = ("inf", "nan", "+Infinity", "infinity", "1.5", "", "-inf", "-NaN", " Infinity",
                 "Infinity ", "0x1p3", "null")

# Floats in all forms, and what Python's float and repr make of them.
FLOATS = (
    "0", "-0", "0.0", "-0.0", "1", "-1", "10", "1e0", "1E5", "1e+5", "1e-5", "0.1", "0.10",
    "100e-2", "123456789", "1e15", "1e16", "9999999999999998", "99999999999999999",
    "1e22", "1e23", "0.0001", "0.00001", "-1.5e-10", "9007199254740992", "9007199254740993",
    "9007199254740993.0000000000000000000000000000000000001", "9007199254740995",
    "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9e-324", "5e-324",
    "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400", "-1e-400", "0e999999999999",
    "1.7976931348623157e308", "1.7976931348623158e308",
    "1797693134862315807e290", "0." + "0" * 320 + "1", "3.141592653589793238462643383279",
    "1" + "0" * 308, "0.3", "0.30000000000000004", "5e-1", "123456789012345678",
    "4503599627370497.5", "4503599627370496.5", "1.00000000000000011102230246251565",
    "1.000000000000000111022302462515654042363166809082031250000000000001",
    "6.0221407599999999e23", "8.41e21", "2e-44", "1.18e-38", "35184372088831.375",
)

BASE64_BAD = (
    ("one-letter", "A"), ("two-letters", "AA"), ("three-letters", "AAE"), ("five-letters", "AAECA"),
    ("unused-bits", "AB=="), ("unused-bits-1", "AAF="), ("three-pads", "A==="),
    ("four-pads", "===="), ("pad-inside", "AA==AA=="), ("pad-first", "=AAA"),
    ("url-alphabet", "AA-_"), ("line-feed", "AAE=\n"), ("space", "AA E"),
    ("beyond-ascii", "AAE\u00e9"), ("pad-too-many", "AAEC="), ("nul", "AA\0="),
)
BASE64_GOOD = ("", "AA==", "AAE=", "AAEC", "+/+/", "AAECAwQFBgcICQ==", "////", "Zm9vYmFy")


class Numbers:
    """The vectors of a matrix (fields.Matrix) that are about scalars."""

    def __init__(self, matrix):
        self.matrix, self.version, self.suite = matrix, matrix.version, matrix.suite

    def bad(self, name, where, node, text, code, why, **more):
        self.matrix.invalid_value(self.matrix.name(name, where), node, text, code, why, **more)

    def good(self, name, where, node, text, clause, why):
        self.suite.valid_edit(self.matrix.name(name, where), self.matrix.twin, replace(node, text),
                              clause, why, flags=self.matrix.flags or None)

    def first(self, kind):
        """(where, node) of the first value of a kind, and of every other place of it."""
        for (name, member), nodes in self.matrix.values.items():
            if nodes[0].shape is not None and inner(nodes[0].shape).kind == kind:
                if name not in ("SchemaVersion", "ExportedProgram") or member == "opset_version":
                    yield "%s.%s" % (name, member), nodes[0]

    def items(self, kind):
        """The same of items of lists and dicts."""
        for (name, member), nodes in self.matrix.values.items():
            items = nodes[0].items or [value for _, value in nodes[0].members]
            if nodes[0].kind in ("list", "dict") and items and items[0].shape is not None \
                    and items[0].shape.kind == kind:
                yield "%s.%s" % (name, member), items[-1]

    # -- integers

    def ints(self):
        places = [*self.first("int"), *self.items("int")]
        where, node = next(each for each in places if each[0] == "Argument.as_int")
        for label, text in INTS if self.version.shown else ():
            self.good("int/accepted-" + label, where, node, text, ["3.2.2", "3.2.1"],
                      "Within 64 bits.")
        self.forms(where, node)
        for i, (where, node) in enumerate(places):
            if where == "Argument.as_int":
                continue
            label, text = INT_FORMS[i % len(INT_FORMS)]
            self.bad("int/" + label, where, node, text, "EP_INT_FORM", "An integer has one form.")
            label, text = INT_RANGE[i % len(INT_RANGE)]
            self.bad("int/" + label, where, node, text, "EP_INT_RANGE", "An int has 64 bits.")

    def forms(self, where, node):
        few = None if self.version.shown else FEW
        for label, text in INT_FORMS[:few]:
            self.bad("int/" + label, where, node, text, "EP_INT_FORM", "An integer has one form.")
        for label, text in INT_RANGE[:few]:
            self.bad("int/" + label, where, node, text, "EP_INT_RANGE", "An int has 64 bits.")

    # -- floats

    def floats(self):
        places = [*self.first("float"), *self.items("float")]
        for i, (where, node) in enumerate(places):
            if where == "Argument.as_float":
                self.all_floats(where, node)
                continue
            label, text = FLOAT_RANGE[i % len(FLOAT_RANGE)]
            self.bad("float/range-" + label, where, node, text, "EP_FLOAT_RANGE",
                     "No binary64 is so great.")
            text = FLOAT_STRINGS[i % len(FLOAT_STRINGS)]
            self.bad("float/string", where, node, quoted(text), "EP_FLOAT_STRING",
                     "No version writes a float so.")

    def all_floats(self, where, node):
        few = None if self.version.shown else FEW
        for label, text in FLOAT_RANGE[:few]:
            self.bad("float/range-" + label, where, node, text, "EP_FLOAT_RANGE",
                     "No binary64 is so great.", also=["3.3.1"] if "first" in label else [])
        for label, text in FLOAT_GREATEST:
            self.good("float/greatest-" + label, where, node, text, ["3.3.2", "3.3.1"],
                      "The greatest binary64, or nearest to it.")
        for i, text in enumerate(FLOAT_STRINGS[:few]):
            self.bad("float/string-%d" % i, where, node, quoted(text), "EP_FLOAT_STRING",
                     "No version writes a float so.")
        allowed = {BARE: (), QUOTED_INFINITY: ("Infinity", "-Infinity"),
                   QUOTED: ("Infinity", "-Infinity", "NaN")}[self.version.floats]
        for text in ("Infinity", "-Infinity", "NaN"):
            if text in allowed:
                self.good("float/quoted-" + text, where, node, quoted(text), "3.3.3",
                          "So the version writes it.")
                spelled = '"\\u00%02x%s"' % (ord(text[0]), text[1:])
                self.good("float/escaped-" + text, where, node, spelled, ["3.3.3", "2.4.2"],
                          "A string is a string however it is spelled.")
            else:
                self.bad("float/quoted-" + text, where, node, quoted(text), "EP_FLOAT_STRING",
                         "Not so in this version.")

    # -- literals

    def literals(self):
        """Infinity, -Infinity and NaN, bare."""
        bare = self.version.floats == BARE
        for where, node in [*self.first("float"), *self.items("float")][:2]:
            for text in ("Infinity", "-Infinity", "NaN"):
                if bare:
                    self.good("literal/" + text, where, node, text, "2.7.1",
                              "Up to 8.6 they are written bare.")
                else:
                    self.bad("literal/" + text, where, node, text, "EP_NONFINITE",
                             "From 8.7 on they are not written bare.")
        for kind in ("int", "str", "bool", "enum", "list", "struct", "union", "dict", "bytes",
                     "true", "unit", "tuple"):
            for where, node in list(self.first(kind))[:1]:
                self.matrix.turn += 1
                text = ("Infinity", "-Infinity", "NaN")[self.matrix.turn % 3]
                self.bad("literal/at-" + kind, where, node, text, "EP_NONFINITE",
                         "Bare literals are floats.")

    def range_ends(self):
        for member in ("min_val", "max_val"):
            where = "RangeConstraint." + member
            node = self.matrix.values["RangeConstraint", member][0]
            for text in ("Infinity", "-Infinity"):
                if self.version.open:
                    self.good("range/" + text, where, node, text, "2.7.1", "An open end.")
                else:
                    self.bad("range/" + text, where, node, text, "EP_NONFINITE",
                             "No open ends in this version.")
            self.bad("range/NaN", where, node, "NaN", "EP_NONFINITE", "NaN is no end of a range.")
            if self.version.open:
                self.bad("range/null", where, node, "null", "EP_NULL", "Not optional until 8.1-a.")
                self.bad("range/quoted", where, node, '"-Infinity"', "EP_TYPE", "Bare, or not.")
                self.bad("range/float", where, node, "2.0", "EP_INT_FORM", "An integer.")
                self.bad("range/above", where, node, "9223372036854775808", "EP_INT_RANGE",
                         "Infinity is not what is merely great.")

    # -- bytes and tuples

    def bytes(self):
        for where, node in [*self.first("bytes"), *self.items("bytes")]:
            for label, text in BASE64_BAD:
                self.bad("bytes/" + label, where, node, quoted(text), "EP_BASE64",
                         "Not what an encoder of base64 would write.")
            for i, text in enumerate(BASE64_GOOD):
                self.good("bytes/good-%d" % i, where, node, quoted(text), "3.8.1", "Base64.")
            self.good("bytes/escaped", where, node, '"\\u0041\\u003d\\u003d"'.replace(
                "\\u0041", "\\u0041A"), ["3.8.1", "2.4.2"], "Escapes are undone first.")
            break

    def tuples(self):
        nodes = [node for node in self.matrix.document.nodes() if node.kind == "tuple"]
        for i, node in enumerate(nodes):
            where = "%s%d" % (node.pointer.split("/")[1], i)
            first, last = node.items
            inside = (first.end, last.end - first.end, "")
            self.matrix.invalid(self.matrix.name("tuple/one", where), inside, "EP_TUPLE_LENGTH",
                                (node.end - 1 - (last.end - first.end), node.pointer),
                                "One item where there are two.")
            self.bad_tuple("tuple/none", where, replace(node, "[]"), (node.start + 1, node.pointer))
            third = (last.end, 0, ", 0")
            self.bad_tuple("tuple/three", where, third, (last.end + 2, node.pointer + "/2"))
            swapped = "[%s, %s]" % tuple(self.matrix.document.text[each.start:each.end]
                                         for each in (last, first))
            if first.shape != last.shape:
                self.matrix.invalid(self.matrix.name("tuple/swapped", where),
                                    replace(node, swapped), "EP_TYPE",
                                    (node.start + 1, node.pointer + "/0"),
                                    "Each item has its own type.")
            self.bad("tuple/null", where, last, "null", "EP_NULL", "No item is optional.")

    def bad_tuple(self, name, where, change, at):
        self.matrix.invalid(self.matrix.name(name, where), change, "EP_TUPLE_LENGTH", at,
                            "Two items, no more and no fewer.")


def encodings(suite, version, twin, document):
    """Floats in and out: what is read, and what an encoder writes for it."""
    node = next(each for each in document.nodes() if each.place == ("Argument", "as_float"))
    base = suite.valid_edit("encode/float-base/%s" % version.name, twin, None, "3.9.4",
                            "The program of the vectors encode/float.", operation="encode",
                            product="same")
    for i, text in enumerate(FLOATS):
        written = json.dumps(float(text))
        product = "same" if written == text else {"base": base, "edit": suite.edit(
            replace(node, written))}
        suite.valid_edit("encode/float-%02d/%s" % (i, version.name), base, replace(node, text),
                         ["3.9.4", "3.3.1"], "%s is %s." % (short(text), written), product=product,
                         provenance="python")


def short(text):
    return text if len(text) <= 40 else text[:18] + "..." + text[-18:]


def vectors(matrix):
    numbers, old = Numbers(matrix), before(matrix.version.name)
    if matrix.flags:
        return
    if matrix.version.full:
        numbers.ints()
        numbers.floats()
        numbers.literals()
    if matrix.version.full or (old and old.open != matrix.version.open):
        numbers.range_ends()
    if matrix.version.name in ("1-2023-08", "1"):
        numbers.bytes()
        numbers.tuples()
