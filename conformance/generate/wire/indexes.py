"""Items far behind in arrays: an index before and behind each power of ten, in each list that a
program has; and numbers of which digits far behind decide.
"""

from fractions import Fraction

from format.document import Document, child_pointer, replace
from format.history import VERSIONS
from format.programs import Rich, carrier
from generate.wire.encoding import Encoding
from generate.mutants.numbers import decimal, in_and_out
from generate.suite import POINTER

LATEST = "8.20"
EDGES = (8, 9, 10, 11, 18, 19, 20, 21, 29, 30, 89, 90, 91, 98, 99, 100, 101, 109, 110, 119, 189, 190,
         198, 199, 200, 201, 899, 900, 989, 990, 998, 999, 1000, 1001, 1009, 1099, 1100, 1989,
         1990, 1999, 2000, 8999, 9000, 9989, 9990, 9998, 9999, 10000, 10001, 19999, 20000, 99999,
         100000)
FEW = (9, 10, 19, 20, 99, 100, 999, 1000)
KINDS = (("number", "0"), ("string", '""'), ("array", "[[0, 1], 2]"), ("object", '{"a": [0, 1]}'))


def arrays(suite):
    """In texts alone: behind items of each kind, and below an item."""
    again = '{"a": 0, "a": 1}'
    inside = len('{"a": 0, ')
    for label, item in KINDS:
        twin = suite.whole("structure/far-%s" % label, "wire", None, "[[], %s]" % item, "2.1.1",
                           "An array.")
        for count in EDGES:
            if label != "number" and (count > 2000 or count not in FEW + (101, 109, 110)):
                continue
            before = item + ", "
            start = len(before) * count
            for depth, (open_, close, pointer) in enumerate((("", "", "/%d/a"),
                                                            ("[0, {\"b\": [", "]}]",
                                                             "/%d/1/b/0/a"))):
                suite.invalid(
                    "structure/far-%s-%d-%d" % (label, count, depth), twin,
                    (1, 0, before, count, open_ + again + close + ", ", ""), "EP_DUPLICATE_KEY",
                    (1 + start + len(open_) + inside, pointer % count),
                    "In item %d." % count, provenance="hand", flags=["large"])


def nested(suite):
    """An array at the same place of several arrays, each index another."""
    for outer in FEW[:6]:
        for inner in FEW[:6]:
            text = "[[0], %s[%s{}]]" % ("[0, 1], " * (outer - 1), "1, " * inner)
            twin = suite.valid("structure/far-inner-%d-%d" % (outer, inner), "wire", None, text,
                               "2.1.1", "An array in an array.", provenance="hand",
                               file="whole/far-inner-%d-%d.json" % (outer, inner))
            at = len(text) - 3
            suite.invalid("structure/far-inner-again-%d-%d" % (outer, inner), twin,
                          (at, 0, '"a": 0, "a": 1'), "EP_DUPLICATE_KEY",
                          (at + len('"a": 0, '), "/%d/%d/a" % (outer, inner)),
                          "In item %d of item %d." % (inner, outer), provenance="hand")


def cut(suite):
    """Pointers of 253 to 258 bytes, the longest that need not be cut among them: with each digit
    more they go on or are cut before the index."""
    again = '{"a": 0, "a": 1}'
    inside = len('{"a": 0, ')
    for size in range(POINTER - 5, POINTER + 1):
        key = "k" * (size - len("//9"))
        twin = suite.valid("structure/far-long-%d" % size, "wire", None, '{"%s": [0]}' % key, "2.1.1",
                           "An array under a long key.", provenance="hand",
                           file="whole/far-long-%d.json" % size)
        for count in (9, 10, 99, 100, 101, 999, 1000):
            for label, item, wanted in (("number", "x", "/%s/%d" % (key, count)),
                                        ("object", again, "/%s/%d/a" % (key, count))):
                begin = len('{"%s": [' % key)
                at = begin + len("0, ") * count
                suite.invalid("structure/far-long-%d-%d-%s" % (size, count, label), twin,
                              (begin, 1, "0, ", count, item, ""),
                              "EP_SYNTAX" if item == "x" else "EP_DUPLICATE_KEY",
                              (at + (0 if item == "x" else inside), wanted),
                              "In item %d, below a long key." % count, provenance="hand",
                              flags=["large"])


def lists(suite):
    """Each list of the types: so many of its first item, and then a wrong one."""
    for name in ("1", "3.1", LATEST):
        document = Document(Rich(VERSIONS[name]).program())
        seen = set()
        for node in document.nodes():
            if node.kind != "list" or not node.items or node.place in seen or node.place is None:
                continue
            seen.add(node.place)
            first = node.items[0]
            text = document.text[first.start:first.end]
            for count in FEW:
                if count > 101 and (len(seen) % 5 or name != LATEST):
                    continue
                before = text + ", "
                wrong = "null" if first.kind != "null" else "1"
                code = "EP_NULL"
                if first.shape is not None and first.shape.kind in ("optional", "open"):
                    wrong, code = '"x"', "EP_TYPE"
                if first.shape is not None and first.shape.kind == "float":
                    wrong, code = "true", "EP_TYPE"
                begin = first.start + len(before) * count
                suite.invalid("structure/far-%s.%s-%d/%s" % (*node.place, count, name),
                              "program/rich/" + name,
                              (first.start, node.end - 1 - first.start, before, count,
                               wrong, ""), code,
                              (begin, child_pointer(node, count)), "Item %d is wrong." % count,
                              flags=["large"])


# ---- digits far behind -----------------------------------------------------------------------

BEHIND = ("1", "10", "01", "010", "100000", "0" * 40 + "1" + "0" * 40, "9", "90", "0", "00", "11",
          "101", "5", "50")
FILLED = (766, 767, 768, 769, 770, 771, 785, 786, 787, 788, 800, 1000)


def digits(suite):
    """The middle of two floats, zeros up to a number of digits, and what stands behind."""
    root, node = carrier(VERSIONS[LATEST], "as_floats", "[]")
    document = Document(Encoding(root, node).root)
    base = suite.valid("encode/indexes-base/8.20", "encode", LATEST, document.text, "3.9.4",
                       "The program of the lists of floats.", product="same",
                       file="programs/8.20-floats.json")
    for label, number in (("even", 2 ** 53 + 1), ("odd", 2 ** 53 + 3)):
        for form in ("fraction", "exponent", "whole", "small"):
            texts = []
            for filled in FILLED:
                for behind in BEHIND:
                    texts.append(spelled(form, str(number), filled, behind))
            for k in range(0, len(texts), 48):
                in_and_out(suite, base, node, "far-%s-%s-%d" % (label, form, k // 48),
                           texts[k:k + 48], "What stands behind hundreds of digits.")
    exact(suite, base, node)


def spelled(form, number, filled, behind):
    """The number with zeros up to so many digits, and others behind."""
    if form == "fraction":
        return number + "." + "0" * (filled - len(number)) + behind
    if form == "small":  # zeros in front are no digits of it
        return "0." + "0" * 30 + number + "0" * (filled - len(number)) + behind + "e%d" % (
            30 + len(number))
    whole = number + "0" * (filled - len(number)) + behind
    places = len(whole) - len(number)
    if form == "exponent":
        return "%se-%d" % (whole, places)
    return "-%s.%se%d" % (whole, "0" * 3, -places)


def exact(suite, base, node):
    """Middles that have hundreds of digits themselves."""
    texts = []
    for exponent in (-1074, -1073, -1040, -1023, -1022, -1000):
        for mantissa in (2 ** 52 + 1, 2 ** 52 + 2, 2 ** 53 - 1, 1, 2):
            if exponent == -1074 and mantissa > 2 ** 52:
                continue
            middle = Fraction(2 * mantissa + 1, 2) * Fraction(2) ** exponent
            if float(middle) == 0.0 and mantissa > 2:
                continue
            text = decimal(middle)
            for behind in ("1", "10", "0" * 50 + "1" + "0" * 50, "0", "2" + "0" * 9):
                texts.append(text.replace("e", behind + "e"))
            count = sum(letter.isdigit() for letter in text.split("e")[0])
            if count < 780:
                for behind in ("10", "100", "1"):
                    texts.append(text.replace("e", "0" * (780 - count) + behind + "e"))
    for k in range(0, len(texts), 20):
        in_and_out(suite, base, node, "far-exact-%d" % (k // 20), texts[k:k + 20],
                   "Middles of hundreds of digits, and what stands behind.")


def vectors(suite):
    for part in (arrays, nested, cut, lists, digits):
        part(suite)
