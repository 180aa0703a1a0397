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


def vectors(suite):
    root, node = carrier(VERSIONS[LATEST], "as_floats", "[]")
    assert Document(Encoding(root, node).root).text.encode("ascii") == suite.bytes[BASE]
    said, beyond = {}, {}
    for side, (power, count, head, form), text in numbers():
        if float(text) < INFINITE:
            said.setdefault(side, []).extend((text, "-" + text))
        elif count in SHOWN and (form == 0 or count in EVERY):
            beyond.setdefault((power, count, form), text)
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
