"""Texts inside strings, character by character: each code unit that Python's json.dumps writes in
a way of its own, in another one; keys that Python takes for one, and those next to them; and the
beginnings of symbols' names, which say the sort.
"""

import itertools
import json

from generate.language.texts import SYMBOLS, Texts, is_srepr
from generate.language.treespecs import raw
from generate.whole import LEAF, MARK, treespec, tree

M = MARK
LATEST = "8.20"

# ---- 4.2.1, 4.2.4, 4.3.5: characters ------------------------------------------------------------

UNITS = (*range(0x21), 0x22, 0x5C, *range(0x7E, 0xA1), 0xD7FF, 0xE000, 0x10000, 0x10FFFF)
SHORT = {8: "b", 9: "t", 10: "n", 12: "f", 13: "r"}
CAPITALS = (0x0B, 0x1F, 0x7F, 0x80 + 0x0F, 0xA0, 0xD7FF, 0xE00F, 0x10000, 0x10FFFF)
HALVES = ("d800", "dbff", "dc00", "dfff")
FEW = (0, 0x1F, 0x20, 0x22, 0x5C, 0x7E, 0x7F, 0x80, 0x9F, 0xA0, 0xD7FF, 0x10000)


def escaped(unit):
    """A character as escapes alone, as json.dumps has them."""
    data = chr(unit).encode("utf-16-be")
    return "".join("\\u%02x%02x" % pair for pair in zip(data[::2], data[1::2]))


def others(units):
    """(label, string, why): a string of one character as json.dumps does not write it, with a mark
    where the error is."""
    for unit in units:
        label = "%04x" % unit
        if unit < 0x20:
            yield label + "-bare", '"%s%s"' % (M, chr(unit)), "An escape is due."
        elif unit > 0x7E:
            yield label + "-bare", '%s"%s"' % (M, chr(unit)), "An escape is due."
        if 0x20 <= unit <= 0x7E or unit in SHORT:
            yield label + "-escape", '%s"%s"' % (M, escaped(unit)), "It has a shorter spelling."
    for unit in CAPITALS if units is UNITS else CAPITALS[2:4]:
        text = escaped(unit).upper().replace("U", "u")
        yield "%04x-capitals" % unit, '%s"%s"' % (M, text), "Hexadecimal digits are small."
    for half in HALVES if units is UNITS else HALVES[:2]:
        yield half + "-alone", '"%s\\u%s"' % (M, half), "Half a character."
    yield "002f-escape", M + '"\\/"', "A slash stands as it is."
    if units is UNITS:  # of two units, one in capitals
        yield "10ffff-capitals-first", M + '"\\uDBFF\\udfff"', "Hexadecimal digits are small."
        yield "10ffff-capitals-last", M + '"\\udbff\\uDFFF"', "Hexadecimal digits are small."


def keyed(*keys):
    """A dict with these keys, each as JSON has it. It has two leaves."""
    nothing = tree("builtins.tuple", "null", [])
    return treespec(tree("builtins.dict", "[%s]" % ", ".join(keys),
                         [LEAF if i < 2 else nothing for i in range(len(keys))]))


def source(text):
    return ('[{"name": %s, "target": "t", "graph_id": 1, "pass_name": "p", "action": "create", '
            '"from_node": []}]' % text)


def characters(suite):
    """As a key, which stands in a string in a string; as the context of a registered type, and in
    from_node, which stand in one."""
    right = "".join(chr(unit) for unit in UNITS)
    texts = Texts(suite, LATEST, "treespec")
    for label, text, why in others(UNITS):
        texts.bad("spelled-key-" + label, texts.in_spec(keyed(text)), "EP_TREESPEC_CONTEXT", None,
                  why, also=["4.2.1"])
    texts.good("spelled-keys", texts.in_spec(keyed(*[json.dumps(each) for each in right])),
               ["4.2.4", "4.2.1"], "Each character as it is written, as a key of its own.",
               flags=["large"])
    for label, text, why in others(FEW):
        texts.bad("spelled-context-" + label, texts.in_spec(raw("models.Batch", text)),
                  "EP_TREESPEC", None, why)
    texts.good("spelled-context", texts.in_spec(raw("models.Batch", json.dumps(right))),
               ["4.2.4", "4.2.1"], "Each character as it is written.", flags=["large"])
    texts = texts.at("metadata")
    for label, text, why in others(FEW):
        texts.bad("spelled-from-node-" + label, texts.metadata("from_node", source(text)),
                  "EP_METADATA_FROM_NODE", None, why)
    texts.good("spelled-from-node", texts.metadata("from_node", source(json.dumps(right))),
               "4.3.5", "Each character as it is written.", flags=["large"])
    custom(texts)


def custom(texts):
    """The spelling of custom is not judged, but for what no JSON has."""
    bare = "".join(chr(unit) for unit in UNITS if unit >= 0x20 and unit not in (0x22, 0x5C))
    for label, text in (("bare", bare), ("escapes", "".join(escaped(unit) for unit in UNITS)),
                        ("capitals", "".join(escaped(unit).upper().replace("U", "u")
                                             for unit in UNITS))):
        texts.good("spelled-custom-" + label, texts.metadata("custom", '{"a": "%s"}' % text),
                   "4.3.4", "Any spelling.", flags=["large"])
    for unit in (0, 0x1F):
        texts.bad("spelled-custom-%04x" % unit, texts.metadata(
            "custom", '{"a": "%s%s"}' % (M, chr(unit))), "EP_METADATA_CUSTOM", None,
            "No JSON has it.")


# ---- 4.2.4: keys --------------------------------------------------------------------------------

WHOLE = (2, -2, 1 << 53, -(1 << 53), 10 ** 16, -10 ** 16, 1 << 62, -(1 << 63))
ONE = (("0", "0.0", "-0.0", "false"), ("1", "1.0", "true"), ("-1", "-1.0"),
       *((str(number), repr(float(number))) for number in WHOLE))
SAME = ("0", "-0.0", "false", "null", "1.5", "-1", "1e+300")  # and itself
NUMBERS = (1 << 31, 1 << 32, (1 << 53) - 1, (1 << 53) + 1, -(1 << 53) - 1, 10 ** 16 + 1,
           (1 << 62) - 1, (1 << 63) - 1, (1 << 63) - 512, -(1 << 63) + 1)
FLOATS = (0.5, -0.5, 1.5, -1.5, 5e-324, -5e-324, 2.0 ** 63, 2.0 ** 63 - 1024, -(2.0 ** 63) - 2048,
          2.0 ** 64, -(2.0 ** 64), 1e+300, -1e+300, 1e+16 + 2)
OTHERS = ("null", '"null"', '"0"', '"0.0"', '"1"', '"-1"', '"false"', '"true"', '""')


def keys(suite):
    texts = Texts(suite, LATEST, "treespec")
    pairs = [pair for group in ONE for pair in itertools.combinations(group, 2)]
    for i, pair in enumerate(pairs + [(each, each) for each in SAME]):
        one, other = pair if i % 2 == 0 else pair[::-1]
        texts.bad("one-key-%02d" % i, texts.in_spec(keyed(one, M + other)), "EP_TREESPEC_CONTEXT",
                  None, "One key for Python.")
    near = [str(each) for each in NUMBERS] + [repr(each) for each in FLOATS] + list(OTHERS)
    for version in ("1", LATEST):
        texts = Texts(suite, version, "treespec")
        for i in range(4):  # of each group another one
            said = [group[i % len(group)] for group in ONE] + near
            for label, many in (("", said), ("-back", said[::-1])):
                texts.good("own-keys-%d%s" % (i, label), texts.in_spec(keyed(*many)), "4.2.4",
                           "Keys that Python keeps apart.", flags=["large"])


# ---- 4.1.4: names of symbols --------------------------------------------------------------------

INTS = ("s0", "s12", "u0", "u12", "i0", "i12")
REALS = ("f0", "f12", "zf0", "zf12", "zuf0", "zuf12")
ANY = ("z0", "zu0", "zs0", "zi0", "uf0", "sf0", "fu0", "fz0", "ff0", "zzf0", "zff0", "zuu0",
       "zfu0", "zufs0", "uzf0", "a0", "S0", "U0", "I0", "F0", "ZF0", "Zf0", "s", "u", "i", "f",
       "zf", "zuf", "s_0", "f_0", "zf_0", "zuf_0", "f0a", "zf0a", "zuf0a", "zuf0_", "zf0f",
       "f0f0", "_f0", "_0")
INFIX = ("1", "5.1", "7.3", "8.1")


def ranged(change, names):
    """A change, and a range for each symbol that has none."""
    def both(data):
        change(data)
        ranges = data["header"]["range_constraints"]
        for name in names:
            ranges.setdefault(name, {"min_val": 0, "max_val": 100})
    return both


def infix(suite):
    """In a SymInt, and where a function takes integers alone."""
    for version in INFIX:
        texts = Texts(suite, version, "expression")
        for label, names in (("ints", INTS), ("any", ANY)):
            change = texts.sorted_text("int", " + ".join(names))
            texts.good("prefix-" + label, ranged(change, names), "4.1.4",
                       "Symbols that may be integers.", flags=["large"])
        for name in REALS:
            for label, text in (("", M + name), ("-inside", "PythonMod(%s%s, 2)" % (M, name))):
                if version != "7.3" and (label or not name.endswith("f0")):
                    continue
                change = texts.sorted_text("int", text)
                texts.bad("prefix-%s%s" % (name, label), ranged(change, [name]), "EP_EXPR_TYPE",
                          None, "A symbol of floats.")


def srepr(suite):
    """There the assumption says the sort, and the name nothing."""
    for version in ("8.2", LATEST):
        texts = Texts(suite, version, "expression")
        names = INTS + REALS + ANY[:4]
        for sort, form in (("int", "Symbol('%s', integer=True)"), ("float", "Symbol('%s')")):
            text = "Add(%s)" % ", ".join(form % name for name in names)
            texts.good("prefix-" + sort, ranged(texts.sorted_text(sort, text), names), "4.1.4",
                       "Any name, with the assumption and without.", flags=["large"])
        for name in ("s0", "u0", "i0"):
            texts.bad("prefix-%s-real" % name, texts.sorted_text("int", M + "Symbol('%s')" % name),
                      "EP_EXPR_TYPE", None, "Without the assumption it is a float.")
        for name in ("f0", "zf1", "zuf2"):
            assert name in SYMBOLS and is_srepr(version)
            texts.bad("prefix-%s-integer" % name, texts.sorted_text(
                "float", M + "Symbol('%s', integer=True)" % name), "EP_EXPR_TYPE", None,
                "With the assumption it is an integer.")


def vectors(suite):
    for part in (characters, keys, infix, srepr):
        part(suite)
