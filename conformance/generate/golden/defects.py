"""Programs of every released version, with one defect each of the program level.
The programs are real, and of all shapes; which of them, and where in it, is drawn.
What the defect breaks follows from SPEC.md: a name or a number is changed so that
one clause alone is broken, or the lowest of several (1.5.1).
"""

import re
from collections import OrderedDict

from format.spans import placed
from generate.golden import spans
from format.history import codes
from generate.ladders import Draws
from format.rows import KEYS

EACH = 3  # programs of a version that are drawn for a defect
SHOWN = 1  # of these it is shown in: ids depend on what is drawn
TRIES = 60  # programs that are looked at for a place where it fits
MAIN = "/graph_module/graph/"
NOBODY = '"zz_nobody"'


class Real:
    """A golden program, with its values by their pointers, in the order of the file."""

    def __init__(self, vector, data):
        self.vector, self.data = vector, data
        self.text = data.decode("latin-1")
        self.root = placed(data)
        self.values = OrderedDict((each.pointer, each) for each in spans.every(self.root))

    def matching(self, pattern):
        """Values whose pointers fit; what is null stands for nothing."""
        form = re.compile(pattern)
        return [each for pointer, each in self.values.items()
                if form.fullmatch(pointer) and each.text != "null"]

    def above(self, value, steps=1):
        return self.values[value.pointer.rsplit("/", steps)[0]]

    def bytes_of(self, value):
        return self.text[value.start:value.end]

    # -- names of values

    def defined(self):
        """Names of the main graph that nodes define as tensors: (node, name)."""
        found = self.matching(MAIN + r"nodes/\d+/outputs/\d+/as_tensor/name")
        return [(int(each.pointer.split("/")[4]), each) for each in found]

    def used(self):
        found = self.matching(MAIN + r"nodes/\d+/inputs/\d+/arg/as_tensor/name")
        return [(int(each.pointer.split("/")[4]), each) for each in found]

    def known_nodes(self):
        """Nodes with an operator of aten, which every version's tables have."""
        return [each for each in self.matching(MAIN + r"nodes/\d+")
                if re.fullmatch(r'"torch\.ops\.aten\.(relu|add|mul|linear|t|permute|addmm|view)'
                                r'\.(default|Tensor)"', self.member(each, "target").text)]

    @staticmethod
    def member(value, name):
        return next(each for key, _, each in value.members if key == name)


# ---- defects: (edit, code, offset, pointer, why), for each place where one fits --


def replaced(value, text):
    return value.start, value.end - value.start, text


def value_twice(real):
    names = real.defined()
    for (_, first), (_, second) in zip(names, names[1:]):
        yield (replaced(second, first.text), "EP_VALUE_TWICE", second,
               "A node defines what an earlier one defines.")


def value_undefined(real):
    for _, name in real.used():
        yield replaced(name, NOBODY), "EP_VALUE_UNDEFINED", name, "A node uses what nobody defines."


def value_early(real):
    names = real.defined()
    for i, name in real.used():
        later = [other for j, other in names if j > i]
        if later:
            yield (replaced(name, later[-1].text), "EP_VALUE_EARLY", name,
                   "A node uses what a later one defines.")


def value_unlisted(real):
    table = real.values[MAIN + "tensor_values"]
    by_name = {real.text[start:].split('"', 2)[1]: i
               for i, (_, start, _) in enumerate(table.members)}
    for _, name in real.defined():
        i = by_name.get(name.text.strip('"'))
        if i is not None and i + 1 < len(table.members):
            start = table.members[i][1]
            yield ((start, table.members[i + 1][1] - start, ""), "EP_VALUE_UNLISTED", name,
                   "A value that no table has.")


def value_extra(real):
    table = real.values[MAIN + "tensor_values"]
    for key, start, value in table.members:
        yield ((value.end, 0, ', %s: %s' % (NOBODY, real.bytes_of(value))), "EP_VALUE_EXTRA",
               (value.end + 2, table.pointer + "/zz_nobody"), "A table has what nobody defines.")


def numbers_of(real, field):
    """Whole numbers in the lists of that name, and the SymInts that they are."""
    for each in real.matching(MAIN + r"tensor_values/[^/]+/(meta/)?%s/\d+/as_int" % field):
        if each.text.isdigit() and each.text != "0":
            yield each, real.above(each)


def negative(field, code, why):
    def make(real):
        for number, owner in numbers_of(real, field):
            yield (number.start, 0, "-"), code, owner, why
    return make


def stride_more(real):
    for each in real.matching(MAIN + r"tensor_values/[^/]+/(meta/)?strides/\d+"):
        strides, meta = real.above(each), real.above(each, 2)
        if each is strides.items[-1] and real.member(meta, "layout").text == "7":
            yield ((each.end, 0, ", " + real.bytes_of(each)), "EP_STRIDES", meta,
                   "A stride more than there are sizes.")


def dtype_unknown(real):
    for each in real.matching(MAIN + r"tensor_values/[^/]+/(meta/)?dtype"):
        yield replaced(each, "0"), "EP_DTYPE", real.above(each), "A type of elements that is none."


def device(text, why):
    def make(real):
        for each in real.matching(MAIN + r"tensor_values/[^/]+/(meta/)?device"):
            for index in (value for key, _, value in each.members if key == "index"):
                yield replaced(index, text), "EP_DEVICE_INDEX", each, why
    return make


def gradient_whole(real):
    for each in real.matching(MAIN + r"tensor_values/[^/]+/(meta/)?requires_grad"):
        meta = real.above(each)
        if real.member(meta, "dtype").text in ("1", "5"):
            yield replaced(each, "true"), "EP_REQUIRES_GRAD", meta, "Gradients of integers."


def specs_few(real):
    specs = real.values.get("/graph_module/signature/input_specs")
    if specs is not None and len(specs.items) > 1:
        last, before = specs.items[-1], specs.items[-2]
        yield ((before.end, last.end - before.end, ""), "EP_SIGNATURE_INPUTS",
               real.values["/graph_module/signature"], "An input without a spec.")


def argument_unknown(real):
    for node in real.known_nodes():
        name = real.member(real.member(node, "inputs").items[0], "name")
        yield (replaced(name, NOBODY), "EP_OPERATOR_ARGUMENT", name,
               "An argument that the operator does not have.")


def argument_twice(real):
    for node in real.known_nodes():
        first = real.member(node, "inputs").items[0]
        shift = first.end + 2 - first.start
        name = real.member(first, "name")
        at = (name.start + shift, real.member(node, "inputs").pointer + "/1/name")
        yield ((first.end, 0, ", " + real.bytes_of(first)), "EP_OPERATOR_TWICE", at,
               "An argument that is given twice.")


def argument_missing(real):
    for node in real.known_nodes():
        items = real.member(node, "inputs").items
        if len(items) > 1:
            yield ((items[0].start, items[1].start - items[0].start, ""), "EP_OPERATOR_MISSING",
                   node, "The first argument, which has no default, is not given.")


def operator_unknown(real):
    for node in real.known_nodes():
        target = real.member(node, "target")
        yield ((target.start + len('"torch.ops.aten.'), 0, "zz_"), "EP_OPERATOR", target,
               "An operator that PyTorch does not have.")


DEFECTS = {
    "value-twice": value_twice, "value-undefined": value_undefined, "value-early": value_early,
    "value-unlisted": value_unlisted, "value-extra": value_extra,
    "size-negative": negative("sizes", "EP_SIZE", "A size below zero."),
    "stride-negative": negative("strides", "EP_STRIDE", "A stride below zero."),
    "stride-more": stride_more, "dtype-unknown": dtype_unknown,
    "device-negative": device("-1", "A device below the first."),
    "device-beyond": device("128", "A device beyond the last."),
    "gradient-whole": gradient_whole, "specs-few": specs_few,
    "argument-unknown": argument_unknown, "argument-twice": argument_twice,
    "argument-missing": argument_missing, "operator-unknown": operator_unknown}


# ---- drawing --------------------------------------------------------------------


def place(found):
    return found if isinstance(found, tuple) else (found.start, found.pointer)


def vector(name, real, drawn, clauses):
    edit, code, where, why = drawn
    offset, pointer = place(where)
    twin = real.vector
    made = {"id": "golden-defect/%s/%s" % (name, "/".join(twin["id"].split("/")[1:3])),
            "operation": "check", "schema": twin["schema"], "verdict": "invalid", "code": code,
            "clause": [clauses[code]], "pointer": pointer, "offset": offset, "twin": twin["id"],
            "edit": list(edit), "why": "%s In a program of PyTorch %s." % (
                why, twin["id"].split("/")[1]), "provenance": "hand"}
    flags = ["large"] if len(edit[2]) > 300 else []
    flags += ["pointer-cut"] if len(pointer.encode("utf-8")) > spans.POINTER else []
    made.update({"flags": flags} if flags else {})
    return {key: made[key] for key in KEYS if key in made}


def versions(twins):
    found = OrderedDict()
    for twin in twins:
        found.setdefault(twin["schema"], []).append(twin)
    return found


def vectors(twins, read):
    """Of the valid vectors of check; read gives the bytes of one."""
    draws, clauses, known = Draws(), codes(), {}
    for there in versions(twins).values():
        for name, make in DEFECTS.items():
            used = set()
            for _ in range(TRIES):
                twin = there[draws.half() % len(there)]
                if len(used) == EACH or twin["id"] in used:
                    continue
                if twin["id"] not in known:
                    known[twin["id"]] = Real(twin, read(twin))
                places = list(make(known[twin["id"]]))
                if places:
                    used.add(twin["id"])
                    drawn = places[draws.half() % len(places)]
                    if len(used) <= SHOWN:
                        yield vector(name, known[twin["id"]], drawn, clauses)
