"""What was read: documents that an encoder must refuse, each with one value that a
reader may take for another.  Whoever writes them all the same shows for what it took
the value; the vectors with the nearest values that are valid stand beside them.
"""

from format.document import Document, append, remove, replace
from format.history import VERSIONS
from format.programs import Rich, quoted

VERSION = "8.20"
BASE = "encode/rich/" + VERSION
ABOVE, BELOW = str(2 ** 63), str(-2 ** 63 - 1)
GREATEST, LEAST = str(2 ** 63 - 1), str(-2 ** 63)

# (type, member), which item if it is one of several, and (label, text, code).
INTS = (
    ("above", ABOVE, "EP_INT_RANGE"), ("below", BELOW, "EP_INT_RANGE"),
    ("two-64", str(2 ** 64), "EP_INT_RANGE"), ("wraps", str(2 ** 64 + 7), "EP_INT_RANGE"),
    ("long", "1" + "0" * 40, "EP_INT_RANGE"), ("half", "1.5", "EP_INT_FORM"),
    ("minus-half", "-1.5", "EP_INT_FORM"), ("fraction", "7.0", "EP_INT_FORM"),
    ("exponent", "1e1", "EP_INT_FORM"), ("minus-zero", "-0", "EP_INT_FORM"),
    ("beyond-floats", "9007199254740993.0", "EP_INT_FORM"), ("quoted", '"7"', "EP_TYPE"),
    ("bool", "true", "EP_TYPE"), ("list", "[]", "EP_TYPE"),
)
FEW_INTS = tuple(row for row in INTS if row[0] in ("above", "wraps", "half", "exponent"))
ENUMS = (
    ("wraps", str(2 ** 32 + 7), "EP_UNKNOWN_ENUM"), ("wraps-16", str(2 ** 16 + 7), "EP_UNKNOWN_ENUM"),
    ("wraps-64", str(2 ** 64 + 7), "EP_INT_RANGE"), ("fraction", "7.0", "EP_INT_FORM"),
    ("half", "7.5", "EP_INT_FORM"), ("exponent", "7e0", "EP_INT_FORM"),
    ("minus", "-7", "EP_UNKNOWN_ENUM"), ("quoted", '"7"', "EP_TYPE"), ("list", "[]", "EP_TYPE"),
)
FLOATS = (
    ("above", "1e400", "EP_FLOAT_RANGE"), ("below", "-1e400", "EP_FLOAT_RANGE"),
    ("short-infinity", '"inf"', "EP_FLOAT_STRING"), ("quoted", '"1.5"', "EP_FLOAT_STRING"),
    ("small-infinity", '"infinity"', "EP_FLOAT_STRING"), ("bool", "true", "EP_TYPE"),
    ("list", "[]", "EP_TYPE"),
)
BOOLS = (("one", "1", "EP_TYPE"), ("zero", "0", "EP_TYPE"), ("quoted", '"true"', "EP_TYPE"),
         ("list", "[]", "EP_TYPE"))
STRINGS = (("number", "1", "EP_TYPE"), ("list", "[]", "EP_TYPE"), ("null", "null", "EP_NULL"))
BAD = (
    (("Argument", "as_int"), None, INTS),
    (("Argument", "as_ints"), 0, FEW_INTS),
    (("SymInt", "as_int"), None, FEW_INTS),
    (("ExportedProgram", "opset_version"), 0, FEW_INTS),
    (("RangeConstraint", "min_val"), None, FEW_INTS),
    (("Device", "index"), None, FEW_INTS),
    (("TensorMeta", "dtype"), None, ENUMS),
    (("TensorMeta", "layout"), None, ENUMS[:1]),
    (("NamedArgument", "kind"), None, ENUMS[:1]),
    (("Argument", "as_float"), None, FLOATS),
    (("Argument", "as_floats"), 0, FLOATS[:2]),
    (("Argument", "as_bool"), None, BOOLS),
    (("Argument", "as_string"), None, STRINGS),
)
# The nearest that is valid: (type, member), item, label, text.
GOOD = (
    (("Argument", "as_int"), None, "greatest", GREATEST),
    (("Argument", "as_int"), None, "least", LEAST),
    (("Argument", "as_int"), None, "beyond-floats", "9007199254740993"),
    (("Argument", "as_ints"), 0, "greatest", GREATEST),
    (("Argument", "as_ints"), 0, "least", LEAST),
    (("SymInt", "as_int"), None, "greatest", GREATEST),
    (("ExportedProgram", "opset_version"), 0, "least", LEAST),
    (("RangeConstraint", "min_val"), None, "least", LEAST),
    (("RangeConstraint", "min_val"), None, "greatest", GREATEST),
    (("Device", "index"), None, "wide", str(2 ** 32 + 1)),
    (("Argument", "as_float"), None, "greatest", "1.7976931348623157e+308"),
    (("Argument", "as_float"), None, "smallest", "5e-324"),
    (("Argument", "as_float"), None, "minus-zero", "-0.0"),
    (("Argument", "as_floats"), 0, "minus-zero", "-0.0"),
    (("Argument", "as_string"), None, "number", '"9223372036854775808"'),
)


class Readings:
    """The program, and its values by their places."""

    def __init__(self, suite):
        self.suite = suite
        self.document = Document(Rich(VERSIONS[VERSION]).program())
        self.first = {}
        for node in self.document.nodes():
            if node.place is not None and node.kind != "null":
                self.first.setdefault(node.place, node)

    def value(self, place, item):
        node = self.first[place]
        if item is None:
            return node
        return (node.items or [value for _, value in node.members])[item]

    def bad(self, label, where, change, code, at, why):
        self.suite.invalid("encode/read/%s/%s/%s" % (label, where, VERSION), BASE, change, code, at,
                           why, provenance="hand")


def values(readings):
    for place, item, rows in BAD:
        node = readings.value(place, item)
        for label, text, code in rows:
            readings.bad(label, "%s.%s" % place, replace(node, text), code,
                         (node.start, node.pointer),
                         "Who writes %s shows for what it was taken." % text[:24])


def limits(readings):
    for place, item, label, text in GOOD:
        readings.suite.valid_edit(
            "encode/read-valid/%s/%s.%s/%s" % (label, *place, VERSION), BASE,
            replace(readings.value(place, item), text), ["3.9.1", "3.2.2" if "." not in text else
                                                         "3.3.1"],
            "Valid, and written as it was read.", product="same", provenance="hand")
    kinds = VERSIONS[VERSION].types
    for place, name in ((("TensorMeta", "dtype"), "ScalarType"), (("TensorMeta", "layout"), "Layout"),
                        (("Argument", "as_memory_format"), "MemoryFormat")):
        node = readings.value(place, None)
        last = max(kinds[name].values.values())
        readings.suite.valid_edit(
            "encode/read-valid/last/%s.%s/%s" % (*place, VERSION), BASE, replace(node, str(last)),
            ["3.9.1", "3.7.1"], "The last enumerator.", product="same", provenance="hand")


def shapes(readings):
    """Objects of which something is passed over or made up."""
    struct = next(node for node in readings.document.nodes()
                  if node.kind == "struct" and node.type == "Device")
    change, key = append(struct, '"not_a_field"', "1")
    readings.bad("unknown-field", "Device", change, "EP_UNKNOWN_FIELD",
                 (key, struct.pointer + "/not_a_field"), "Who writes it has lost the field.")
    change, key = append(struct, '"type"', quoted("cpu"))
    readings.bad("duplicate", "Device", change, "EP_DUPLICATE_KEY", (key, struct.pointer + "/type"),
                 "Who writes it has taken one of two.")
    change, brace = remove(struct, "type")
    readings.bad("missing-field", "Device", change, "EP_MISSING_FIELD", (brace, struct.pointer),
                 "Who writes it has made the field up.")
    union = next(node for node in readings.document.nodes()
                 if node.kind == "union" and node.type == "Argument" and node.tag == "as_int")
    tag = union.members[0][1]
    change, key = append(union, '"as_string"', quoted("x"))
    readings.bad("second-tag", "Argument", change, "EP_SECOND_TAG",
                 (key, union.pointer + "/as_string"), "Who writes it has taken one of two.")
    readings.bad("no-tag", "Argument", replace(union, "{}"), "EP_NO_TAG",
                 (union.start + 1, union.pointer), "Who writes it has made a value up, or none.")
    readings.bad("null", "NamedArgument.arg", replace(union, "null"), "EP_NULL",
                 (union.start, union.pointer), "Who writes it has made a value up, or none.")
    readings.bad("unknown-tag", "Argument", (union.start + 1, len('"as_int"'), '"as_new"'),
                 "EP_UNKNOWN_TAG", (union.start + 1, union.pointer + "/as_new"),
                 "Who writes it has lost the value.")
    assert tag.start == union.start + len('{"as_int": ')
    none = readings.value(("Argument", "as_none"), None)
    readings.bad("false", "Argument.as_none", replace(none, "false"), "EP_UNIT",
                 (none.start, none.pointer), "Who writes it shows which.")


def vectors(suite):
    readings = Readings(suite)
    values(readings)
    limits(readings)
    shapes(readings)
