"""What a reader that is in a hurry takes for something else: a byte before a string, a word that
is nearly null, a union that holds another of its kind, keys of one hash, numbers next to the middle of two floats, white
space behind what is finished, and ends of documents.
"""

import json
import random
from fractions import Fraction

from format.document import Document, replace
from format.history import ORDER, TYPE_VALUE, VERSIONS
from format.programs import Rich, carrier, quoted
from generate.mutants.numbers import LATEST, in_and_out
from generate.wire.encoding import Encoding
from generate.wire.repeats import pointer_of

# ---- 2.4: bytes that open no string -------------------------------------------------------------

OPENERS = "#!'"


def openers(suite):
    """Each member that is a string, and another byte in the place of its quote."""
    for name in ("1", "3.1", LATEST):
        twin, met = "program/rich/" + name, set()
        for node in Document(Rich(VERSIONS[name]).program()).nodes():
            if node.place is None or node.place in met or getattr(
                    node.shape, "kind", None) != "str":
                continue
            met.add(node.place)
            label = "-".join(str(each) for each in node.place)
            for i, byte in enumerate(OPENERS if node.place[1] == "target" else OPENERS[:1]):
                suite.invalid("inside/opener-%s-%d/%s" % (label.replace("_", "-"), i, name), twin,
                              (node.start, 1, byte), "EP_SYNTAX", (node.start, node.pointer),
                              "No string begins so.", provenance="hand")


FIRSTS = (("TensorArgument", "name"), ("NamedArgument", "name"), ("Device", "type"))  # first ones


def key_openers(suite):
    """First keys of four letters, which with quotes, colon and space are one word of 64 bits, and
    the byte beside a quote in ASCII in the place of the first."""
    twin, met = "program/rich/" + LATEST, set()
    for node in Document(Rich(VERSIONS[LATEST]).program()).nodes():
        first = (node.type, node.members[0][0]) if node.kind == "struct" and node.members else None
        if first not in FIRSTS or first in met:
            continue
        met.add(first)
        suite.invalid("inside/key-opener-%s/%s" % (node.type, LATEST), twin,
                      (node.start + 1, 1, "#"), "EP_SYNTAX", (node.start + 1, node.pointer),
                      "No key begins so.", provenance="hand")


# ---- 3.8: base64 --------------------------------------------------------------------------------


def base64(suite):
    """Each character of ASCII that is none of base64's, first and last in a group."""
    twin = "program/rich/1"
    node = next(each for each in Document(Rich(VERSIONS["1"]).program()).nodes()
                if each.shape is not None and each.shape.kind == "bytes")
    for number in range(32, 127):
        letter = chr(number)
        if letter.isalnum() or letter in "+/=":
            continue
        for place in (0, 3):
            text = "AbC"[:place] + letter + "9zZ"[:3 - place]
            suite.invalid("bytes/other-%d-%d/1" % (number, place), twin,
                          replace(node, quoted(text)), "EP_BASE64", (node.start, node.pointer),
                          "%s is none of the 64." % letter, provenance="hand")


# ---- 2.7.1: open ends ---------------------------------------------------------------------------


def open_ends(suite):
    """An array or an object for an end of a range, where a bare infinity may be one."""
    for name in ORDER:
        version = VERSIONS[name]
        document = Document(Rich(version).program())
        ends = [node for node in document.nodes() if (node.place or ("",))[0] == "RangeConstraint"]
        if version.marker is not None or not ends or ends[0].shape.kind != "open":
            continue
        for node in ends[:2]:
            for label, text in (("object", "{}"), ("object-full", '{"a": 1}'), ("array", "[]"),
                                ("array-full", "[1]")):
                suite.invalid("token/end-%s-%s/%s" % (node.place[1].split("_")[0], label, name),
                              "program/rich/" + name, replace(node, text), "EP_TYPE",
                              (node.start, node.pointer), "No number, and no infinity.",
                              provenance="hand", options=version.options)


# ---- 2.6: words ---------------------------------------------------------------------------------


def nulls(suite):
    """Each member that may be null, and words that are nearly that."""
    for name in ("1", "5.1", LATEST):
        version, met = VERSIONS[name], set()
        for node in Document(Rich(version).program()).nodes():
            if node.text != "null" or node.place is None or node.place in met:
                continue
            met.add(node.place)
            for i, (word, at) in enumerate((("nulL", 3), ("nul1", 3), ("nul\"", 3), ("nuul", 2),
                                            ("nall", 1), ("nul", 3), ("nu", 2), ("n", 1))):
                suite.invalid("token/null-%s.%s-%d/%s" % (*node.place, i, name),
                              "program/rich/" + name, replace(node, word), "EP_SYNTAX",
                              (node.start + at, node.pointer), "No null.", provenance="hand")


def union_nulls(suite):
    """The same of each tag that a union of all fields does not have."""
    twin, met = "program/rich/1", set()
    for node in Document(Rich(VERSIONS["1"]).program()).nodes():
        tag = node.pointer.rpartition("/")[2]
        if node.text != "null" or not tag.startswith("as_") or tag in met:
            continue
        met.add(tag)
        for i, (word, at) in enumerate((("nulL", 3), ("nul", 3), ("n", 1))):
            suite.invalid("token/null-tag-%s-%d/1" % (tag, i), twin, replace(node, word),
                          "EP_SYNTAX", (node.start + at, node.pointer), "No null.",
                          provenance="hand")


# ---- 3.6: unions --------------------------------------------------------------------------------

HELD = (("as_int", "1"), ("as_string", '"a"'), ("as_none", "true"), ("as_ints", "[1, 2]"),
        ("as_tensor", '{"name": "x"}'))


def second_tags(suite):
    """A union that holds another of its type, and behind that the tag which the other has."""
    for tag, value in HELD:
        inner = '{"k": {"%s": %s}}' % (tag, value)
        root, node = carrier(VERSIONS[LATEST], "as_string_to_argument", inner)
        text = Document(root).text
        twin = suite.valid("union/holds-%s/%s" % (tag, LATEST), "decode", LATEST, text, "3.6.1",
                           "A union inside of one of its type.", provenance="hand",
                           file="programs/%s-holds-%s.json" % (LATEST, tag))
        owner = node.pointer.rpartition("/")[0]
        for other, second in HELD:
            added = ', "%s": %s' % (other, second)
            suite.invalid("union/holds-%s-then-%s/%s" % (tag, other, LATEST), twin,
                          (node.end, 0, added), "EP_SECOND_TAG",
                          (node.end + 2, "%s/%s" % (owner, other)), "A second tag.",
                          provenance="hand")


def typed(suite):
    """The separators of {"$type": tag, "$value": value}."""
    for name in ("3.1", "4.2"):
        assert VERSIONS[name].unions == TYPE_VALUE
        text = '{"$type": "as_int", "$value": 1}'
        root, node = carrier(VERSIONS[name], "as_int", "1")
        document = Document(root)
        begin = document.text.rindex("{", 0, node.start)
        assert document.text[begin:node.end + 1] == text
        twin = suite.whole("union/typed/" + name, "decode", name, document.text, "3.6.1",
                           "An integer.")
        owner = node.pointer.rpartition("/")[0]
        for label, old, new, at, pointer in (
                ("no-comma", ", ", "", 0, ""), ("blank-for-comma", ", ", " ", 1, ""),
                ("semicolon", ", ", "; ", 0, ""), ("colon-for-comma", ", ", ": ", 0, ""),
                ("two-commas", ", ", ", , ", 2, ""), ("no-colon", ': "as', ' "as', 1, "/$type"),
                ("comma-for-colon", ': "as', ', "as', 0, "/$type"),
                ("no-colon-value", ": 1", " 1", 1, "/$value"),
                ("comma-for-colon-value", ": 1", ", 1", 0, "/$value"),
                ("comma-behind", "1}", "1, }", 3, "")):
            place = text.index(old)
            suite.invalid("union/typed-%s/%s" % (label, name), twin,
                          (begin + place, len(old), new), "EP_SYNTAX",
                          (begin + place + at, owner + pointer), "Not as JSON has it.",
                          provenance="hand")


# ---- 1.4.3: values at the very end --------------------------------------------------------------


def last_values(suite):
    """The version last of all, with white space behind the document."""
    for name in ("8.2", LATEST):
        root = Rich(VERSIONS[name]).program()
        place = next(i for i, each in enumerate(root.members) if each[0] == "schema_version")
        root.members.append(root.members.pop(place))
        document = Document(root)
        nodes = sorted(document.nodes(), key=lambda node: node.start)
        text = document.text + " " * 60
        base = suite.valid("limit/program/last-at/" + name, "decode", name, text, "1.4.3",
                           "At the limit.", provenance="hand",
                           options={**VERSIONS[name].options, "limits": {"values": len(nodes)}},
                           file="programs/%s-version-last.json" % name)
        for less in (1, 2, 3, 4, 9):
            node = nodes[-less]
            suite.invalid("limit/program/last-%d/%s" % (less, name), base, None,
                          "EP_LIMIT_VALUES", (node.start, node.pointer), "%d fewer." % less,
                          options={**VERSIONS[name].options,
                                   "limits": {"values": len(nodes) - less}})


# ---- 1.5.3: places ------------------------------------------------------------------------------

LINES = ("\n", "\n\n", "\r\n", " \n", "\n ")
BEGINNINGS = (('{"a": 1', "}", ""), ('{"a":', "1}", "/a"), ('{"a": [1', "]}", "/a"),
              ("[1,", "2]", "/1"), ("[[], {}", "]", ""), ('{"a"', ": 1}", "/a"),
              ('{"a": 1,', '"b": 2}', ""))


def lines(suite):
    """Documents that end behind a line feed."""
    for i, (begin, rest, pointer) in enumerate(BEGINNINGS):
        for j, line in enumerate(LINES):
            text = begin + line
            twin = suite.whole("wire/whole/line-%d-%d" % (i, j), "wire", None, text + rest, "2.1.1",
                               "Complete.")
            suite.invalid("wire/end/line-%d-%d" % (i, j), twin, (len(text), len(rest), ""),
                          "EP_END", (len(text), pointer),
                          "It ends behind a line feed.", provenance="hand")


def long_names(suite):
    """A key that no pointer has room for, and a list of some items under it."""
    for size in (245, 250, 254, 255, 256, 300, 1000):
        name = "k" * size
        for label, begin, end, pointer in (
                ("member", '{"a": {', "}}", "/a"), ("item", "[0, {", "}]", "/1"),
                ("ninth", "[0, 1, 2, 3, 4, 5, 6, 7, 8, {", "}]", "/9"),
                ("deep", '{"z": [0, {"y9": {', "}}]}", "/z/1/y9")):
            for count in (1, 2, 11):
                said = ", ".join(["0"] * count)
                text = '%s"%s": [%s]%s' % (begin, name, said, end)
                twin = suite.whole("wire/long-name/%d-%s-%d" % (size, label, count), "wire", None,
                                   text, "1.5.3", "A long key.")
                at = len(begin) + size + 4 + len(said) + 1
                suite.invalid("wire/long-name/%d-%s-%d-broken" % (size, label, count), twin,
                              (at, 0, ", x"), "EP_SYNTAX",
                              (at + 2, "%s/%s/%d" % (pointer, name, count)),
                              "No value begins so.", provenance="hand")


# ---- 2.5.1: keys of one hash --------------------------------------------------------------------

GOLDEN, WORD = 0x9E3779B97F4A7C15, (1 << 64) - 1
BACK = pow(GOLDEN, -1, 1 << 64)
SHARED, RUN = 0x5EED1234, 14


def mixed(state, word):
    """A round of a common way to hash texts, eight bytes at a time."""
    state = (state ^ word) * GOLDEN & WORD
    return state ^ state >> 32


def word_for(state, dice):
    """Eight letters that lead from a state to the shared hash, with no byte behind them."""
    while True:
        high = dice.getrandbits(32)
        last = (high << 32 | high ^ SHARED) * BACK & WORD
        before = (last ^ last >> 32) * BACK & WORD
        letters = (before ^ state).to_bytes(8, "little")
        if all(0x20 < each < 0x7f and each not in b'"\\' for each in letters):
            assert mixed(mixed(state, before ^ state), 0) & 0xFFFFFFFF == SHARED
            return letters.decode("ascii")


def of_one_hash(dice):
    """Names of one hash: of eight letters, and longer ones that begin with these."""
    names = [word_for(8, dice) for _ in range(RUN)]
    for name in list(names):
        head = int.from_bytes(name.encode("ascii"), "little")
        names.append(name + word_for(mixed(16, head), dice))
    return names


def spelled(name, escaped):
    """The name as a key; as it is, or with an escape in some place."""
    if escaped is None:
        return '"%s"' % name
    return '"%s\\u%04x%s"' % (name[:escaped], ord(name[escaped]), name[escaped + 1:])


def keys(suite):
    """Objects of such keys, one of which stands there again, in each of two spellings."""
    dice = random.Random(17)
    names = of_one_hash(dice)
    for label, share in (("plain", 0), ("some", 3), ("half", 2), ("all", 1)):
        for count in (9, 12, len(names)):
            some = dice.sample(names, count)
            members = [spelled(name, dice.randrange(len(name)) if share and i % share == 0
                               else None) + ": 0" for i, name in enumerate(some)]
            text = "{%s}" % ", ".join(members)
            twin = suite.whole("keys/one-hash-%s-%d" % (label, count), "wire", None, text, "2.5.1",
                               "%d keys that a hash may not tell apart." % count)
            at = len(text) - 1
            for i, name in enumerate(some):
                again = spelled(name, None if i % 2 else dice.randrange(len(name)))
                suite.invalid("keys/one-hash-%s-%d-%d" % (label, count, i), twin,
                              (at, 0, ", %s: 1" % again), "EP_DUPLICATE_KEY",
                              (at + 2, pointer_of(name)), "It is there already.",
                              provenance="hand")


def few_keys(suite):
    """A few of one hash among others, of which the first, or each but the last, stands there
    again: what is alike is then not side by side, however it is sorted."""
    dice = random.Random(23)
    names = of_one_hash(dice)
    for count in (2, 3, 7):
        some = dice.sample(names, count)
        text = "{%s}" % ", ".join('"%s": 0' % name for name in
                                  some + ["key %d" % i for i in range(9)])
        twin = suite.whole("keys/few-of-one-hash-%d" % count, "wire", None, text, "2.5.1",
                           "%d keys that a hash may not tell apart, and others." % count)
        for i, name in enumerate(some[:-1][:3]):
            suite.invalid("keys/few-of-one-hash-%d-%d" % (count, i), twin,
                          (len(text) - 1, 0, ', "%s": 1' % name), "EP_DUPLICATE_KEY",
                          (len(text) + 1, pointer_of(name)), "It is there already.",
                          provenance="hand")


# ---- 1.5.3: white space behind what is finished -------------------------------------------------

WHITE = (("space", " "), ("tab", "\t"), ("feed", "\n"), ("return", "\r"))
FINISHED = (("number", "1"), ("true", "true"), ("string", '"s"'), ("object", "{}"),
            ("array", "[]"), ("null", "null"))
IN_OBJECT = '{"o": {%s}}' % ", ".join('"%s": %s' % pair for pair in FINISHED)
IN_ARRAY = "[0, [%s]]" % ", ".join(value for _, value in FINISHED)
GAPS = (  # where no value is finished: (label, document, what stands before, the byte, pointer)
    ("brace", IN_OBJECT, '{"o": {', "x", "/o"), ("key", IN_OBJECT, '"number"', "x", "/o/number"),
    ("bracket", IN_ARRAY, "[0, [", ",", "/1"), ("comma", IN_ARRAY, "[0, [1,", "x", "/1/1"),
)


def behind(suite):
    """Behind each kind of value, each kind of white space, and then a byte that cannot follow."""
    rows = []
    for label, text, pointer in (("object", IN_OBJECT, "/o"), ("array", IN_ARRAY, "/1")):
        end = text.index("{", 1) if label == "object" else text.index("[", 1)
        for kind, value in FINISHED:
            said = '"%s": %s' % (kind, value) if label == "object" else value
            end = text.index(said, end) + len(said)
            rows.append(("%s-%s" % (label, kind), text, end, "x", pointer))
    rows += [(label, text, text.index(before) + len(before), byte, pointer)
             for label, text, before, byte, pointer in GAPS]
    for label, text, end, byte, pointer in rows:
        twin = suite.whole("wire/behind/" + label.split("-", 1)[0], "wire", None, text, "2.1.1",
                           "A value of each kind.")
        for white, letter in WHITE:
            suite.invalid("wire/behind/%s-%s" % (label, white), twin, (end, 0, letter + byte),
                          "EP_SYNTAX", (end + 1, pointer),
                          "White space, and then what cannot follow it.", provenance="hand")


# ---- 3.3: floats --------------------------------------------------------------------------------

NEAR = (
    "47961534591644848130.0", "1085535548505585983.946751", "9007199254740993.0001", "9.9e21",
    "8129685037133077044e150", "4611686018427388416.1", "4611686018427388416.11",
    "4611686018427388416.111111111111111111111", "46116860184273884161e-1",
    "2318386795183816447.017235", "2322481972368179967.289778", "2361902664453697279.173048",
    "2317567759746943743.0001822", "2305848358769475327.270010121",
    "106227598563353419737.9176413104937254659186235454063846398888276400807119721704"
    "48547832500453045857133777865897249300203069315867530541447881903995753317470388"
    "7662541670786438063456255",
)


def beside(head, exponent):
    """Texts around the middle of two floats, where it is between head and head + 1 at an
    exponent; none where it is not."""
    low, high = (Fraction(each) * Fraction(10) ** exponent for each in (head, head + 1))
    unit = Fraction(2) ** (low.numerator.bit_length() - low.denominator.bit_length() - 54)
    for scale in (unit, 2 * unit, 4 * unit):
        middle = scale * (-(-low // scale))
        odd = (middle / scale) % 2 == 1 and 2 ** 53 <= middle / scale < 2 ** 54
        if odd and low < middle < high and middle.denominator == 1:
            text = str(middle.numerator)
            return [text + ".0", text + ".001", str(middle.numerator - 1) + ".999"]
    return []


def greatest():
    """Of the greatest powers of ten, the multiples in few digits that come nearest to the middle
    of two floats, from above and from below."""
    for power in range(290, 309):
        ten, best = 10 ** power, {}
        for head in range(1, min(17976931348623157 * 10 ** 292 // ten, 60000) + 1):
            number = head * ten
            shift = number.bit_length() - 54  # a float has 53 bits
            place, rest = number >> shift, number & ((1 << shift) - 1)
            side, gap = (1, rest) if place % 2 else (-1, (1 << shift) - rest)
            best[side] = min(best.get(side, (2, 0)), (Fraction(gap, number), head))
        for side in sorted(best):
            yield "%de%d" % (best[side][1], power)


def above(dice):
    """Integers of 65 bits that are above the middle of two floats by one bit alone: of their 64
    bits without the last one, 53 make an even float, one its half, and the last is set."""
    found = []
    while len(found) < 12:
        number = dice.randrange(5 << 61, 1 << 64) // 4096 * 4096 + 1025
        if number % 5 == 0:
            found.append("%d.0" % (2 * number))
    return found


def floats(suite):
    """Numbers next to the middle of two floats: some that were found by search, and some whose
    first nineteen digits are a multiple of 2^32."""
    dice, found = random.Random(32), []
    while len(found) < 60:
        head = dice.randrange(10 ** 18 >> 32, 10 ** 19 >> 32) << 32
        if len(str(head)) == 19:
            found += beside(head, dice.randrange(16, 60))
    root, node = carrier(VERSIONS[LATEST], "as_floats", "[]")
    base = "encode/floats-base/8.20"
    assert Document(Encoding(root, node).root).text.encode("ascii") == suite.bytes[base]
    for label, texts in (("near", NEAR), ("near-words", found)):
        signed = [sign + text for text in texts for sign in ("", "-")]
        in_and_out(suite, base, node, label, signed, "Next to the middle of two floats.")
    in_and_out(suite, base, node, "near-above", above(dice), "Above the middle of two floats.")
    in_and_out(suite, base, node, "near-greatest", list(greatest()),
               "Next to the middle of two floats, of the greatest.")
    assert json.dumps(float(NEAR[3])) == "9.9e+21"


def vectors(suite):
    for part in (openers, key_openers, base64, open_ends, nulls, union_nulls, second_tags, typed,
                 last_values, lines, long_names, keys, few_keys, behind, floats):
        part(suite)
