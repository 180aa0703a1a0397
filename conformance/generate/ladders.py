"""Ladders: lines of numbers and of strings, as many as one likes, and what an
encoder writes of each.  conformance/ladders/README.md says in words what is made
here, so that anyone can make it again; the wanted lines are Python's own, repr()
of a float and json.dumps() of a string.
"""

import json
import struct
from itertools import islice

SEED = 1
FACTOR, ADDED, MASK = 6364136223846793005, 1442695040888963407, 2 ** 64 - 1
BLOCK = 100000   # lines of a document, at most
BEFORE = '{"graph_module": {"graph": {"inputs": [{"%s": ['
BEHIND = (']}], "outputs": [], "nodes": [], "tensor_values": {}, "sym_int_values": {}, '
          '"sym_bool_values": {}, "is_single_tensor_return": false, "custom_obj_values": {}, '
          '"sym_float_values": {}}, "signature": {"input_specs": [], "output_specs": []}, '
          '"module_call_graph": [], "metadata": {}, "treespec_namedtuple_fields": {}}, '
          '"opset_version": {}, "range_constraints": {}, "schema_version": {"major": 8, '
          '"minor": 20}, "verifiers": [], "torch_version": "<=2.4", "guards_code": []}')


class Draws:
    """The recurrence: a draw is the upper half of its state."""

    def __init__(self):
        self.state = SEED

    def half(self):
        self.state = (self.state * FACTOR + ADDED) & MASK
        return self.state >> 32

    def whole(self):
        high = self.half()
        return high << 32 | self.half()


# ---- numbers --------------------------------------------------------------------


def seventeen(bits):
    return "%.16e" % struct.unpack(">d", struct.pack(">Q", bits))


def any_bits(draws):
    bits = draws.whole() & (2 ** 63 - 1)
    return seventeen(bits ^ 2 ** 62 if bits >= 0x7FF << 52 else bits)


def any_digits(draws):
    digits = draws.whole() % 10 ** (1 + draws.half() % 20)
    return "%de%d" % (digits, draws.half() % 620 - 342)


def middle(draws):
    """Between two doubles; or off by one in a digit more."""
    field, fraction = draws.half() % 2046, draws.whole() >> 12
    odd = 2 * (fraction | (2 ** 52 if field else 0)) + 1
    power = max(field, 1) - 1076
    digits, exponent = (odd << power, 0) if power >= 0 else (odd * 5 ** -power, power)
    off = (0, 1, -1)[draws.half() % 3]
    return "%de%d" % ((digits * 10 + off, exponent - 1) if off else (digits, exponent))


def plain(draws):
    digits = str(draws.whole() >> draws.half() % 64)
    places = draws.half() % 20
    digits = digits.rjust(places + 1, "0")
    return digits[:len(digits) - places] + ("." + digits[len(digits) - places:] if places else "")


def near_forms(draws):
    """Of a size at which repr changes its form."""
    count = 1 + draws.half() % 17
    digits = draws.whole() % 10 ** count
    exponent = draws.half() % 28 - 8 - count
    mark = "eE"[draws.half() % 2]
    return "%d%s%s%d" % (digits, mark, "+" if exponent >= 0 and draws.half() % 2 else "", exponent)


def power_of_two(draws):
    bits = ((draws.half() % 2047) << 52) + draws.half() % 5 - 2
    return seventeen(min(max(bits, 0), (0x7FF << 52) - 1))


def power_of_ten(draws):
    power = draws.half() % 632 - 323
    return "%de%d" % (10 ** 17 + draws.half() % 7 - 3, power - 17)


def subnormal(draws):
    return seventeen(draws.whole() >> 12 + draws.half() % 52)


KINDS = (any_bits, any_digits, middle, plain, near_forms, power_of_two, power_of_ten, subnormal)


def numbers():
    """(line, wanted line), without end."""
    draws, i = Draws(), 0
    while True:
        sign = "-" if draws.half() % 2 else ""
        line = sign + KINDS[i % len(KINDS)](draws)
        yield line, repr(float(line))
        i += 1


# ---- strings --------------------------------------------------------------------

SHORT = {'"': '"', "\\": "\\", "/": "/", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}
SPECIAL = "\"\\/\b\f\n\r\t"
EDGES = (0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10FFFF,
         0x2028, 0x2029, 0xFEFF, 0xA0, 0x00)


def character(draws):
    kind = draws.half() % 8
    if kind < 3:
        return 0x20 + draws.half() % 95
    if kind == 3:
        return (*range(32), 0x7F)[draws.half() % 33]
    if kind == 4:
        return ord(SPECIAL[draws.half() % 8])
    if kind == 5:
        code = draws.half() % 0xF800
        return code + 0x800 if code >= 0xD800 else code
    if kind == 6:
        return 0x10000 + draws.half() % 0x100000
    return EDGES[draws.half() % 16]


def escaped(char, form):
    units = char.encode("utf-16-be")
    return "".join(form % (units[i] << 8 | units[i + 1]) for i in range(0, len(units), 2))


def spelled(char, how):
    if how == 0 and char >= " " and char not in '"\\':
        return char
    if how == 1 and char in SHORT:
        return "\\" + SHORT[char]
    return escaped(char, "\\u%04X" if how == 3 else "\\u%04x")


def strings():
    """(line, wanted line), without end."""
    draws = Draws()
    while True:
        text, line = "", ""
        for _ in range(draws.half() % 24):
            char = chr(character(draws))
            text += char
            line += spelled(char, draws.half() % 4)
        yield '"%s"' % line, json.dumps(text)


# ---- both -----------------------------------------------------------------------

LADDERS = {"numbers": (numbers, "as_floats"), "strings": (strings, "as_strings")}


def document(tag, lines):
    return (BEFORE % tag + ", ".join(lines) + BEHIND).encode("utf-8")


def blocks(name, count):
    """(lines, wanted lines) of each document of a rung."""
    made = islice(LADDERS[name][0](), count)
    while True:
        block = list(islice(made, BLOCK))
        if not block:
            return
        yield [line for line, _ in block], [wanted for _, wanted in block]
