"""Floats at both ends of binary64 (SPEC 3.3.1, 3.3.2): numbers of 1 to 20 digits at each power of
ten around the greatest and the least one, with the point in several places.
"""

from format.document import Document, replace
from format.history import VERSIONS
from format.programs import carrier
from generate.mutants.numbers import LATEST, in_and_out
from generate.wire.encoding import Encoding

INFINITE = float("inf")
GREATEST, LEAST = "17976931348623157081", "49406564584124654418"
DIGITS = tuple(range(1, 21))
SHOWN, EVERY = (1, 2, 10, 17, 18, 19, 20), (1, 17)  # of what is refused: so many digits
AROUND = {"greatest": range(304, 312), "least": range(-328, -320)}
BASE = "encode/floats-base/8.20"


def heads(count):
    """Numbers of so many digits: the least, the greatest, and the ends of the floats, cut."""
    said = ["1" + "0" * (count - 1), "1" * count, "9" * count, "2" * count]
    for end in (GREATEST, LEAST):
        cut = int(end[:count])
        said += [str(number) for number in (cut - 1, cut, cut + 1)
                 if number and len(str(number)) == count]
    return list(dict.fromkeys(said))


def spellings(head, power):
    """A number of that head whose first digit stands at that power of ten; with the point
    behind all, one digit, and none."""
    count = len(head)
    yield "%se%d" % (head, power - count + 1)
    yield "%s.%se%d" % (head[0], head[1:] or "0", power)
    yield "0.%se%d" % (head, power + 1)
    yield "0.000%sE%+d" % (head, power + 4)
    yield "%s000.00e%d" % (head, power - count - 2)


def numbers():
    for side, powers in AROUND.items():
        for power in powers:
            for count in DIGITS:
                for head in heads(count):
                    for i, text in enumerate(spellings(head, power)):
                        yield side, (power, count, head, i), text


# Floats that are printed from a quotient which is next to a whole number: what a table of powers
# of ten gets wrong there, by one in its last bits, shows.
PRINTED = (
    3.7457707660662033e-286, 3.2716571671723914e-286, 1.5786405756767413e-286,
    3.0135569870402226e-300, 2.2624982085307092e-300, 5.1933060484810287e-300,
    5.200689999380481e+33, 5.20068999938048e+33, 5.244670464491521e+33, 5.24467046449152e+33,
    2.0 ** 853, 2.0 ** -1021, 2.0 ** -1022)


def middle(significand, exponent):
    """All digits of what lies between the float significand * 2^exponent and the next one, and the
    power of ten of the last of them."""
    number, power = 2 * significand + 1, exponent - 1
    return (str(number << power), 0) if power >= 0 else (str(number * 5 ** -power), power)


def near_middles():
    """Numbers on both sides of a middle, of 25 digits; the middles themselves, of 768."""
    for significand, exponent in (
            ((1 << 52) + 1, 200), (1 << 52, 200), ((1 << 52) + 1, -60), (1 << 52, -60),
            ((1 << 53) - 1, 33), (3 << 30, -1074), ((3 << 30) + 1, -1074), (5 << 29, -1074),
            (3 << 29, -1074), ((3 << 29) + 1, -1074), (1 << 40, -1074)):
        digits, power = middle(significand, exponent)
        head = int(digits[:25])
        for number in (head - 1, head, head + 1):
            yield "%de%d" % (number, power + len(digits) - 25)
    for significand in ((1 << 53) - 1, (1 << 53) - 2):
        digits, power = middle(significand, -1074)
        assert len(digits) == 768
        for text in (digits, str(int(digits) - 1), str(int(digits) + 1)):
            yield "%se%d" % (text, power)
    for last in (1023, 1024, 1025, 3071, 3072, 3073):  # 64 bits, and 19 digits
        yield "%d.0" % ((1 << 63) + last)
        yield "%de0" % ((1 << 63) + last)


def rounded(suite, node):
    in_and_out(suite, BASE, node, "next-printed", [repr(each) for each in PRINTED],
               "Floats whose shortest digits are next to other ones.")
    in_and_out(suite, BASE, node, "next-read", list(near_middles()),
               "Numbers next to the middle of two floats.")


def lengths(suite, node):
    """Programs that are a byte longer than a power of two, as buffers are: the last byte stands
    alone behind what fills one."""
    plain = len(suite.bytes[BASE])
    for power in range(12, 18):
        wanted = (1 << power) + 1 - plain + len(", ")
        count, rest = divmod(wanted, len("0.0, "))
        last = "0.0" if rest == 0 else "1%s.0" % ("0" * rest)
        texts = ["0.0"] * (count - 1) + [last]
        change = replace(node, "[%s]" % ", ".join(texts))
        name = suite.valid_edit("encode/floats/length-%d/8.20" % ((1 << power) + 1), BASE, change,
                                ["3.9.4"], "A program of 2^%d bytes and one." % power,
                                provenance="hand", flags=["large"], product="same")
        assert len(suite.bytes[name]) == (1 << power) + 1


def vectors(suite):
    root, node = carrier(VERSIONS[LATEST], "as_floats", "[]")
    assert Document(Encoding(root, node).root).text.encode("ascii") == suite.bytes[BASE]
    said, beyond = {}, {}
    for side, (power, count, head, form), text in numbers():
        if float(text) < INFINITE:
            said.setdefault(side, []).extend((text, "-" + text))
        elif count in SHOWN and (form == 0 or count in EVERY):
            beyond.setdefault((power, count, form), text)
    rounded(suite, node)
    lengths(suite, node)
    for side, texts in said.items():
        in_and_out(suite, BASE, node, "end-%s" % side, texts,
                   "Numbers of each length at each power of ten around the %s one." % side)
    for (power, count, form), text in beyond.items():
        sign = "-" * (count % 2)
        suite.invalid("float/end-%d-%d-%d/%s" % (power, count, form, LATEST), BASE,
                      replace(node, "[%s%s]" % (sign, text)), "EP_FLOAT_RANGE",
                      (node.start + 1, node.pointer + "/0"),
                      "%d digits, the first of them at 10^%d." % (count, power),
                      provenance="python")
