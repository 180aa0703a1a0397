"""What small faults in an implementation can go unnoticed for: whole ranges of
numbers, every operator of the tables, names that hash tables confuse, escapes in
names, memory that ends at any point.  conformance/scripts/mutate found that they were
missing.
"""

import json
import math
import random
import re
import string
import sys
from fractions import Fraction

from format.document import Document, replace
from generate.wire.encoding import Encoding
from format.annexes import rows
from format.history import VERSIONS
from format.programs import carrier
from generate.whole import (GRAPH, Draft, call, meta, place_of, tensor, tensors, user_input,
                            user_output)

LATEST = "8.20"

# ---- floats ---------------------------------------------------------------------


def doubles():
    """Three floats of every power of ten, and both neighbours of every power of
    two; numbers that repr writes with as many digits as there are."""
    dice = random.Random(5)
    for exponent in range(-324, 309):
        for digits in (1, 16, 17):
            text = "%d.%de%d" % (dice.randrange(1, 10), dice.randrange(10 ** (digits - 1),
                                                                     10 ** digits), exponent)
            if 0 < float(text) < float("inf"):
                yield float(text)
    for exponent in range(-1074, 1024):
        number = 2.0 ** exponent
        for near in (-1, 0, 1):
            if exponent > -1022 or near == 0:
                yield float(Fraction(number) * (1 + Fraction(near, 2 ** (52 + (near < 0)))))


def halfway():
    """Texts just at, below and above the middle of two floats: the last digit of
    hundreds decides, and of two that are as near the even one is meant."""
    dice = random.Random(7)
    for exponent in list(range(-60, 80, 5)) + [-1074, -1022, -300, 200, 900, 971]:
        odd = dice.randrange(2 ** 52, 2 ** 53) | 1
        for mantissa in (odd, odd - 1):
            if exponent == -1074:
                mantissa %= 1 << 20
            middle = Fraction(2 * mantissa + 1, 2) * Fraction(2) ** exponent
            text = decimal(middle)
            yield text
            yield text.replace("e", "0" * 30 + "1e")
            yield below(text)
            if exponent % 2 == 0:  # far beyond the digits that any middle has
                yield text.replace("e", "0" * 1200 + "e")
                yield text.replace("e", "0" * 1200 + "1e")
                yield below(text).replace("e", "9" * 1200 + "e")


def decimal(value):
    """A fraction of a power of two, in all its digits."""
    if value.denominator == 1:
        digits = str(value.numerator)
        return "%s.%se%d" % (digits[0], digits[1:], len(digits) - 1)
    power = value.denominator.bit_length() - 1
    digits = str(value.numerator * 5 ** power)
    return "%s.%se%d" % (digits[0], digits[1:] or "0", len(digits) - 1 - power)


def below(text):
    """The next number of as many digits and thirty more."""
    digits, exponent = text.split("e")
    short = digits.rstrip("0")
    return short[:-1] + str(int(short[-1]) - 1) + "9" * 30 + "e" + exponent


def near_middles():
    """Of every power of ten the decimals of at most 19 digits that come nearest to
    the middle of two floats, from above and below, as continued fractions find them."""
    for power in range(-326, 290):
        ten = Fraction(10) ** power
        # numbers of 18 or 19 digits, in units of half the last place of a float
        size = (ten * 10 ** 18).numerator.bit_length() - (ten * 10 ** 18).denominator.bit_length()
        unit = Fraction(2) ** max(size - 53, -1075)
        best, ratio = {}, ten / unit
        for digits, middle in convergents(ratio, 10 ** 19):
            for times in (1, 3, 5, 7, 11, 101):
                number, place = digits * times, middle * times
                if place % 2 and 2 ** 53 <= place < 2 ** 54 and number < 10 ** 19:
                    gap = ratio - Fraction(place, number)
                    side = (gap > 0) - (gap < 0)
                    best[side] = min(best.get(side, (abs(gap), number)), (abs(gap), number))
        for side in sorted(best):
            yield "%de%d" % (best[side][1], power)
        for side in {-1, 1} - {side for side, (gap, _) in best.items() if gap and
                               gap * NEAR < ratio}:
            yield from drawn_near(ratio, side, power)


NEAR, DRAWN = 1 << 65, 1 << 16  # a part of the value, and numbers that are tried


def drawn_near(ratio, side, power):
    """The same for a side on which none of those is near: the first of drawn numbers."""
    dice = random.Random(power)
    over, under = ratio.numerator, ratio.denominator
    for _ in range(DRAWN if 10 ** 19 * over > NEAR else 0):  # else none is so near
        number = dice.randrange(10 ** 18, 10 ** 19)
        place = number * over // under
        place += (place + 1) % 2 if side < 0 else -(1 - place % 2)
        gap = number * over - place * under
        if place.bit_length() == 54 and 0 < side * gap and abs(gap) * NEAR < number * over:
            yield "%de%d" % (number, power)
            return


TRIED = 4096  # numbers, of which the nearest is taken


def small_middles():
    """The same of the powers whose numbers are a few times the least float."""
    dice = random.Random(11)
    for power in range(-342, -326):
        ratio, best = Fraction(10) ** power * 2 ** 1075, {}  # in halves of the least float
        most = int((10 ** 19 - 1) * ratio)
        for place in {2 * dice.randrange(1 + most // 2) + 1 for _ in range(TRIED // 16)}:
            for number in (int(place / ratio), int(place / ratio) + 1):
                keep_nearest(best, number, number * ratio - place, place)
        yield from ("%de%d" % (number, power) for _, number in sorted(best.values())
                    if number < 10 ** 19)


def great_middles():
    """The same of the powers whose numbers have few digits."""
    dice = random.Random(13)
    for power in range(290, 309):
        ten, best = 10 ** power, {}
        last = min(int(sys.float_info.max) // ten, 10 ** 19 - 1)
        numbers = range(1, last + 1) if last < TRIED else [
            dice.randrange(1, last + 1) for _ in range(TRIED)]
        for number in numbers:
            unit = 1 << ((number * ten).bit_length() - 54)
            place = (number * ten // unit | 1) * unit
            keep_nearest(best, number, Fraction(number * ten - place), place)
        yield from ("%de%d" % (number, power) for _, number in sorted(best.values()))


def keep_nearest(best, number, gap, place):
    """Keeps the number if none on its side is nearer."""
    side, found = (gap > 0) - (gap < 0), (abs(gap) / place, number)
    best[side] = min(best.get(side, found), found)


def half_digits():
    """Of every power of ten the floats that lie nearest to the middle between two texts of
    seventeen digits, below and above."""
    yield 4.8215791354776543e-290  # nearer than those that are drawn
    dice = random.Random(17)
    for power in range(-324, 293):
        best, wide = {}, widths(power)
        for _ in range(TRIED // 8 if wide else 0):
            number = math.ldexp(dice.randrange(2 ** 52, 2 ** 53), dice.choice(wide))
            over, under = number.as_integer_ratio()
            over, under = over * 10 ** max(-power, 0), under * 10 ** max(power, 0)
            gap = 2 * (over % under) - under
            side, found = gap > 0, (abs(gap) / under, number)
            if (side not in best or found < best[side]) and len(digits_of(number)) == 17:
                best[side] = found
        yield from (number for _, number in best.values())


def widths(power):
    """The exponents q for which 2^q is at least a power of ten, and not ten times as great."""
    least = Fraction(10) ** power
    first = int(power * math.log2(10)) - 1
    return [q for q in range(max(first, -1074), min(first + 7, 971))
            if least <= Fraction(2) ** q < 10 * least]


def digits_of(number):
    return repr(number).partition("e")[0].replace(".", "").strip("0")


def decimal_ends():
    """Floats of which the middle to a neighbour is a decimal of fewer digits: even ones are written
    so, odd ones are not."""
    dice = random.Random(19)
    for power in range(1, 23):
        five = 5 ** power
        for q in range(power, power + 80, 5):
            times = dice.randrange(2 ** 53 // five + 1, 2 ** 54 // five) | 1
            for side in (-1, 1):
                yield math.ldexp((five * times + side) // 2, q)


def convergents(value, limit):
    """(denominator, numerator) of the best approximations, and what is between two."""
    before, last, rest = (0, 1), (1, int(value)), value - int(value)
    while last[0] < limit:
        yield last
        if rest == 0:
            return
        rest = 1 / rest
        whole = int(rest)
        rest -= whole
        for times in {1, 2, 3, whole // 2, whole - 1} - {0}:
            if times < whole:
                yield before[0] + times * last[0], before[1] + times * last[1]
        before, last = last, (before[0] + whole * last[0], before[1] + whole * last[1])


def float_lists(suite):
    root, node = carrier(VERSIONS[LATEST], "as_floats", "[]")
    document = Document(Encoding(root, node).root)
    base = suite.valid("encode/floats-base/8.20", "encode", LATEST, document.text, "3.9.4",
                       "The program of the lists of floats.", product="same",
                       file="programs/8.20-floats.json")
    numbers = list(doubles())
    texts = [json.dumps(number) for number in numbers]
    for label, sign in (("every-exponent", ""), ("every-exponent-negative", "-")):
        written = replace(node, "[%s]" % ", ".join(sign + text for text in texts))
        suite.valid_edit("encode/floats/%s/8.20" % label, base, written, ["3.9.4", "3.3.1"],
                         "The shortest text of floats of every exponent.", product="same",
                         provenance="python", flags=["large"])
    longer = ["%.17e" % number for number in numbers[::3]]
    in_and_out(suite, base, node, "18-digits", longer, "More digits than a float holds.")
    in_and_out(suite, base, node, "halfway", list(halfway()),
               "At, above and below the middle of two floats.")
    in_and_out(suite, base, node, "near-middle", list(near_middles()),
               "Of each power of ten a number next to the middle of two floats.")
    in_and_out(suite, base, node, "near-small-middle", list(small_middles()),
               "The same of numbers that are a few times the least float.")
    in_and_out(suite, base, node, "near-great-middle", list(great_middles()),
               "The same of powers of ten that are nearly the greatest float.")
    for label, found, why in (
            ("half-digits", half_digits(), "Of each power of ten floats that lie next to the middle "
             "of two texts."), ("decimal-ends", decimal_ends(), "Floats next to a decimal of few "
                                "digits that is as near to another float.")):
        written = replace(node, "[%s]" % ", ".join(json.dumps(number) for number in found))
        suite.valid_edit("encode/floats/%s/8.20" % label, base, written, ["3.9.4", "3.3.1"], why,
                         product="same", provenance="python", flags=["large"])
    in_and_out(suite, base, node, "ties", list(ties()),
               "The middle of two floats, with zeros or one digit behind all that a word holds.")
    whole = [str(int(number)) + ".0" for number in numbers if 1e15 < number < 1e40][::4]
    in_and_out(suite, base, node, "whole", whole, "Whole numbers in all their digits.")


def ties():
    """Middles of two floats in few digits; what stands behind the nineteenth digit decides."""
    for number in (2 ** 53 + 1, 2 ** 53 + 3, 2 ** 54 + 2, 2 ** 55 - 4, 2 ** 56 + 24, 2 ** 57 + 16):
        for behind in ("", "0" * 3, "0" * 4, "0" * 20):
            for last in ("", "0", "1", "11", "9"):
                if behind + last:
                    yield "%d.%s" % (number, behind + last)


def in_and_out(suite, base, node, label, texts, why):
    given, written = ("[%s]" % ", ".join(each) for each in (
        texts, [json.dumps(float(text)) for text in texts]))
    suite.valid_edit("encode/floats/%s/8.20" % label, base, replace(node, given),
                     ["3.9.4", "3.3.1"], why, provenance="python", flags=["large"],
                     product={"base": base, "edit": suite.edit(replace(node, written))})


# ---- escapes in names -------------------------------------------------------------

# Two spellings of one text; what JSON's escapes stand for.
SPELLINGS = (("backspace", "\\b", "\\u0008"), ("form-feed", "\\f", "\\u000C"),
             ("line-feed", "\\n", "\\u000a"), ("return", "\\r", "\\u000d"),
             ("tab", "\\t", "\\u0009"), ("slash", "\\/", "/"), ("quote", '\\"', "\\u0022"),
             ("backslash", "\\\\", "\\u005c"), ("two-bytes", "\\u00e9", "\u00e9"),
             ("three-bytes", "\\u20AC", "\u20ac"), ("pair", "\\ud83d\\ude00", "\U0001f600"),
             ("last", "\\udbff\\udfff", "\U0010ffff"), ("nul", "\\u0000", "\\u0000"))


def rectifier(value="x", output="t"):
    """A program of one node."""
    draft = Draft(header={"torch_version": "<=2.4"}).take(user_input(tensor(value)))
    draft.tensors(**{value: meta(2, 3), output: meta(2, 3)})
    draft.node(call("aten.relu.default", {"self": tensor(value)}, tensor(output)))
    return draft.give(user_output(tensor(output)))


def spelled_names(suite):
    """A value is defined with one spelling of its name, used with another."""
    for label, one, other in SPELLINGS:
        text = rectifier("@x", "t").written(VERSIONS[LATEST]).text
        places = [match.start() for match in re.finditer("@x", text)]
        for i, place in enumerate(reversed(places)):
            text = text[:place] + (one if i % 2 else other) + text[place + 1:]
        name = "value/escape-%s/8.20" % label
        suite.valid(name, "check", LATEST, text, ["5.1.2", "2.4.2"],
                    "One name, spelled in two ways.", file="whole/8.20-escape-%s.json" % label,
                    provenance="hand", flags=["foreign-spelling"])
        data = text.encode("utf-8")
        at = data.index(b'"name": ', data.index(b'"inputs": [{"name": "self"') + 14) + 8
        suite.invalid("value/escape-%s-undefined/8.20" % label, name,
                      (data.index(b'x"', at), 1, "y"), "EP_VALUE_UNDEFINED",
                      (at, "/graph_module/graph/nodes/0/inputs/0/arg/as_tensor/name"),
                      "The name, with another letter behind it.", provenance="hand",
                      flags=["foreign-spelling"])


# ---- names that are alike -----------------------------------------------------------

SEED, WORD = 0x2545F4914F6CDD1D, (1 << 64) - 1
SLOTS, FEWER, NAMES, MANY, PAIRS = 512, 256, 60, 90, 4


def fold(one, other):
    product = one * other
    return (product & WORD) ^ (product >> 64)


def hash_of(name):
    """A common way to hash: words are multiplied and folded. The last word of a long name overlaps
    the one before."""
    data = name.encode("ascii")
    value = SEED ^ len(data)
    if len(data) <= 8:
        word = int.from_bytes(data[:4], "little") | int.from_bytes(data[-4:], "little") << 32
        return fold(value ^ word, SEED ^ 0xD6E8FEB86659FD93)
    for i in range(0, len(data) - 8, 8):
        value = fold(value ^ int.from_bytes(data[i:i + 8], "little"), SEED ^ 0x9E3779B97F4A7C15)
    return fold(value ^ int.from_bytes(data[-8:], "little"), SEED ^ 0xD6E8FEB86659FD93)


def alike(count, behind="", slots=SLOTS):
    """Names that a table with that hash would put into one place, with these characters behind
    them and without."""
    found, number = [], 0
    while len(found) < count:
        name = ("v%05x" if behind else "v%05d") % number
        if hash_of(name) % slots == hash_of(name + behind) % slots == 5:
            found.append(name)
        number += 1
    return found


def chain(names):
    """A program that hands a tensor on, from name to name."""
    draft = Draft(header={"torch_version": "<=2.4"}).take(user_input(tensor(names[0])))
    draft.tensors(**{name: meta(2) for name in names})
    for before, name in zip(names, names[1:]):
        draft.node(call("aten.add.Tensor", {"self": tensor(before), "other": tensor(names[0])},
                        tensor(name)))
    return draft.give(user_output(tensor(names[-1])))


def alike_names(suite):
    names = alike(NAMES + 1)
    other = names.pop(NAMES // 2)
    draft = chain(names)
    document = draft.written(VERSIONS[LATEST])
    why = "Sixty names that a hash table may put into one place."
    twin = suite.valid("value/alike/8.20", "check", LATEST, document.text, ["5.1.1", "5.1.2"], why,
                       file="whole/8.20-alike.json", provenance="hand")
    for i in (1, 31, 32, 33, 57):
        where = GRAPH + "nodes/%d/inputs/0/arg/as_tensor/name" % i
        text, offset, pointer = place_of(document, where)
        suite.invalid("value/alike-undefined-%d/8.20" % i, twin,
                      (offset, len(names[i]) + 2, '"%s"' % other), "EP_VALUE_UNDEFINED",
                      (offset, pointer), "Another name of the kind, which nothing defines.",
                      provenance="hand")
        where = GRAPH + "nodes/%d/outputs/0/as_tensor/name" % i
        text, offset, pointer = place_of(document, where)
        assert text == document.text
        suite.invalid("value/alike-twice-%d/8.20" % i, twin,
                      (offset, len(names[i]) + 2, '"%s"' % names[i - 1]), "EP_VALUE_TWICE",
                      (offset, pointer), "The name of the node before.", provenance="hand")


def alike_beginnings(suite):
    """More of them, some with a control character behind the name of another."""
    for label, behind in (("nul", "\0"), ("one", "\1")):
        names = alike(MANY)
        twins = [name for name in alike(PAIRS, behind, FEWER) if name not in names]
        names += [name + end for name in twins for end in ("", behind)]
        suite.valid("value/alike-%s/8.20" % label, "check", LATEST,
                    chain(names).written(VERSIONS[LATEST]).text, ["5.1.1", "5.1.2"],
                    "Names that a hash table may put into one place, some of which begin others.",
                    file="whole/8.20-alike-%s.json" % label, provenance="hand")


def alike_firsts(suite):
    """More of them, some of which differ in the first letter alone."""
    names, number, pairs = alike(MANY), 0, 0
    while pairs < PAIRS:
        same = [name for name in (letter + "%09d" % number for letter in string.ascii_letters)
                if hash_of(name) % SLOTS == 5 and name not in names]
        if len(same) > 1:
            names, pairs = names + same, pairs + 1
        number += 1
    suite.valid("value/alike-firsts/8.20", "check", LATEST,
                chain(names).written(VERSIONS[LATEST]).text, ["5.1.1", "5.1.2"],
                "Names that a hash table may put into one place, with several first letters.",
                file="whole/8.20-alike-firsts.json", provenance="hand")


# ---- every operator ---------------------------------------------------------------

COMMA = re.compile(r", (?![^\[]*\])")
GIVEN = {"Tensor": tensor("x"), "List[Tensor]": tensors("x"), "int": {"as_int": 1},
         "List[Optional[Tensor]]": tensors("x"), "float": {"as_float": 1.5},
         "bool": {"as_bool": True}, "number": {"as_int": 2}, "str": {"as_string": "s"},
         "Device": {"as_string": "cpu"}, "List[int]": {"as_ints": [1]},
         "List[bool]": {"as_bools": [True]}, "List[float]": {"as_floats": [0.5]},
         "List[number]": {"as_ints": [1]}, "List[str]": {"as_strings": ["s"]},
         "complex": {"as_float": 1.5}, "int64_t": {"as_int": 1}}
RELEASES = ((LATEST, "2_15"), ("7.3", "2_5"), ("1", "2_1"), ("8.8", "2_8"), ("5.1", "2_3"),
            ("2", "2_2"), ("5.3", "2_4"), ("8.2", "2_6"), ("8.7", "2_7"), ("8.14", "2_9"),
            ("8.15", "2_10"), ("8.17", "2_11"))
LASTS = "2_15"
# What PyTorch registers only when a module of its own is imported; no annex says it.
IMPORTED = re.compile(r"prims\.(_?inductor_\w+|_low_memory_max_pool\w+|_tensor_version|fma"
                      r"|_unsafe_index_put_|_unsafe_set_version_counter|prepare_softmax_online)"
                      r"\.default")


def number_of(release):
    """A release, 2_15 or 2.15.0, as numbers."""
    return tuple(int(part) for part in re.split("[._]", release)[:2])


def operators_of(release, imported=False):
    """(target, types of the arguments it must have, types of its returns, tags); of
    a release that is not the last, the signatures alone that did not last. imported:
    with what PyTorch registers only when a module is imported."""
    for row in rows("operators"):
        lasts = row["until"] is None and release != LASTS
        here = (row["since"] is None or number_of(row["since"]) <= number_of(release)) and (
            row["until"] is None or number_of(release) < number_of(row["until"]))
        if here and not lasts and (imported or not IMPORTED.fullmatch(row["target"])):
            wanted = [argument.rsplit(" ", 1) for argument in COMMA.split(row["arguments"] or "")
                      if " " in argument and not argument.endswith("=")]
            yield (row["target"], [(name, unmarked(kind)) for kind, name in wanted],
                   [unmarked(kind) for kind in COMMA.split(row["returns"] or "") if kind],
                   row["tags"])


def unmarked(kind):
    return re.sub(r"\([^)]*\)", "", kind)


def every_operator(suite):
    """A call of every operator of PyTorch's own namespaces that takes what a
    program can give it without more, and returns tensors."""
    for version, release in RELEASES:
        draft = Draft(header={"verifiers": [""] if version != "1" else [], "dialect": "",
                              "torch_version": "2.7.0"}).take(user_input(tensor("x")))
        values = {"x": meta()}
        for target, arguments, returns, _ in operators_of(release):
            given = [(name, {"as_none": True} if kind.startswith("Optional[") else GIVEN.get(kind))
                     for name, kind in arguments]
            if any(value is None for _, value in given) or set(returns) - {"Tensor"} \
                    or not target.startswith(("aten.", "prims.")):
                continue
            names = ["v%d" % (len(values) + i) for i in range(min(1, len(returns)))]
            values.update((name, meta()) for name in names)
            outputs = [tensor(name) for name in names] + [{"as_none": True}] * (
                len(returns) - len(names))
            node = call(target, given, outputs)
            for named in node["inputs"]:
                named["kind"] = None
            draft.node(node)
        draft.tensors(**values).give(user_output(tensor("x")))
        suite.valid("operator/every/" + version, "check", version,
                    draft.written(VERSIONS[version]).text, ["5.6.1", "5.6.4", "5.6.6", "5.6.7"],
                    "Every operator that takes and returns tensors, and is called for little.",
                    file="whole/%s-operator-every.json" % version, provenance="hand")


# ---- memory -----------------------------------------------------------------------

STEPS = 20
# (what is asked, of what, with which options; bytes of which the reference needs more)
NEEDS = (
    ("decode", "program/rich/8.20", {}, 24000), ("decode", "program/rich/2", {}, 19000),
    ("encode", "program/rich/8.20", {}, 48000), ("check", "text/base/8.20", {}, 22000),
    ("check", "value/base/8.20", {}, 22000), ("migrate", "text/base/2", {"to": "8.20"}, 92000),
    ("migrate", "text/base/8.20", {"to": "8.19"}, 80000), ("canon", "text/base/8.20", {}, 68000),
    ("canon", "value/base/8.20", {}, 68000),
    ("canon", "text/base/8.20", {"form": "torch"}, 66000),
    ("digest", "text/base/7.3", {}, 100000),
)


def memory(suite):
    """Memory that ends somewhere: the document is refused for that, or what was
    asked is done; whoever needs less can do it."""
    for operation, base, options, most in NEEDS:
        label = "%s-%s" % (operation, base.split("/")[0] if not options.get("form") else "torch")
        for step in range(1, STEPS + 1):
            name = "memory/%s/%02d/%s" % (label, step, base.rsplit("/", 1)[1])
            size = 100 + (most - 100) * step // STEPS
            suite.valid_edit(name, base, None, "1.4.5", "Memory ends after %d bytes." % size,
                             operation=operation, verdict="implementation-defined",
                             code="EP_MEMORY", profiles={"epref": "invalid"},
                             options={**options, "memory": size}, flags=["memory"],
                             provenance="hand")


def vectors(suite):
    float_lists(suite)
    spelled_names(suite)
    alike_names(suite)
    alike_beginnings(suite)
    alike_firsts(suite)
    every_operator(suite)
    memory(suite)
