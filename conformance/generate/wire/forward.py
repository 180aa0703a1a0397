"""Forward reading: documents of minors that are not known."""

from format.document import Document, append, child_pointer, prepend, remove, replace
from format.history import VERSIONS
from format.programs import Encoded, Rich, Smallest

ARGUMENT = "EP_ARGUMENT"


class Forward:
    """The programs of a version under another number."""

    def __init__(self, suite, name, number, maker=Rich):
        self.suite, self.name, self.number = suite, name, number
        self.label = number if "." in number else number + ".0"
        version = VERSIONS[name]
        root = maker(version).program()
        for part, text in zip(("major", "minor"), number.split(".")):
            root.member("schema_version").member(part).text = text
        self.document = Document(root)
        form = "rich" if maker is Rich else "encoded"
        self.twin = "forward/%s/%s" % (form, number)
        if self.twin not in suite.vectors:
            self.twin = suite.valid(
                self.twin, "forward", name, self.document.text, "3.10.1",
                "Nothing in it is newer than %s." % name, warnings=[],
                file="programs/%s-as-%s-%s.json" % (name, number, form))

    def node(self, kind, member):
        return next(each for each in self.document.nodes() if each.place == (kind, member))

    def union(self, kind, tag=None):
        return next(each for each in self.document.nodes()
                    if each.kind == "union" and each.type == kind and tag in (None, each.tag))

    def struct(self, kind):
        return next(each for each in self.document.nodes()
                    if each.kind == "struct" and each.type == kind)

    def passed(self, defect, change, warnings, why, clause="3.10.2"):
        """What is passed over with warnings, and then cannot be encoded."""
        name = "forward/%s/%s" % (defect, self.number)
        told = [{"code": code, "offset": at[0], "pointer": at[1]} for code, at in warnings]
        self.suite.valid_edit(name, self.twin, change, clause, why, warnings=told)
        self.suite.invalid("forward-encode/%s/%s" % (defect, self.number), self.encoding(),
                           change, ARGUMENT, None, "What was passed over cannot be written.",
                           also=["3.10.3"])

    def encoding(self):
        name = self.twin.replace("forward/", "forward-encode/", 1)
        if name not in self.suite.vectors:
            self.suite.valid_edit(name, self.twin, None, ["3.10.3", "1.5.6"],
                                  "Nothing was passed over.", operation="forward-encode",
                                  product="same", warnings=None)
        return name

    def refused(self, defect, change, code, at, why, **more):
        self.suite.invalid("forward/%s/%s" % (defect, self.number), self.twin, change, code, at,
                           why, **more)


def latest(suite):
    """8.21 is read as 8.20."""
    forward = Forward(suite, "8.20", "8.21")
    forward.encoding()
    node = forward.struct("Node")
    for label, add, text in (("field-last", append, "{\"x\": [1, null]}"),
                             ("field-first", prepend, '"x"')):
        change, key = add(node, '"new_field"', text)
        told = [("EP_UNKNOWN_FIELD", (key, child_pointer(node, "new_field")))]
        forward.passed(label, change, told, "A field that 8.20 does not know.")
    root = forward.document.root
    change, key = append(root, '"dialect"', '"ATEN"')
    forward.passed("old-field", change, [("EP_FIELD_VERSION", (key, "/dialect"))],
                   "A field that was there once.")
    union = forward.union("Argument", "as_int")
    change = replace(union, '{"as_new": {"x": 1}}')
    told = [("EP_UNKNOWN_TAG", (union.start + 1, union.pointer + "/as_new"))]
    forward.passed("tag", change, told, "A tag that 8.20 does not know.")
    enum = forward.node("Argument", "as_layout")
    forward.passed("enumerator", replace(enum, "99"), [("EP_UNKNOWN_ENUM", (enum.start,
                                                                             enum.pointer))],
                   "A number that 8.20 does not know.")
    several(forward)
    eight(forward)
    errors(forward)


def several(forward):
    """Three things at once, in the order of the document."""
    node = forward.struct("Device")
    change, key = append(node, '"new_a"', "1")
    text = change[2] + ', "new_b": 2'
    forward.passed("two-fields", (change[0], 0, text),
                   [("EP_UNKNOWN_FIELD", (key, child_pointer(node, "new_a"))),
                    ("EP_UNKNOWN_FIELD", (key + len('"new_a": 1, '),
                                          child_pointer(node, "new_b")))],
                   "A warning for each.")


def eight(forward):
    """As many warnings as every decoder gives, near and far from the beginning."""
    node = forward.struct("Device")
    change, key = append(node, '"new_0"', "0")
    text = change[2] + "".join(', "new_%d": %d' % (at, at) for at in range(1, 8))
    size = len('"new_0": 0, ')
    told = [("EP_UNKNOWN_FIELD", (key + at * size, child_pointer(node, "new_%d" % at)))
            for at in range(8)]
    forward.passed("eight-fields", (change[0], 0, text), told, "Eight warnings.")
    far = 1300000
    forward.suite.valid_edit(
        "forward/eight-fields-far/8.21", "forward/eight-fields/8.21", (1, 0, " ", far), "3.10.2",
        "Eight warnings, behind much white space.", flags=["large"], warnings=[
            {"code": code, "offset": at + far, "pointer": pointer}
            for code, (at, pointer) in told])


def errors(forward):
    """All else stays an error."""
    node = forward.struct("Node")
    change, brace = remove(node, "target")
    forward.refused("missing", change, "EP_MISSING_FIELD", (brace, node.pointer),
                    "A required field is required.", also=["3.10.2"])
    target = forward.node("Node", "target")
    forward.refused("type", replace(target, "1"), "EP_TYPE", (target.start, target.pointer),
                    "A type is a type.", also=["3.10.2"])
    forward.refused("null", replace(target, "null"), "EP_NULL", (target.start, target.pointer),
                    "A null is a null.", also=["3.10.2"])
    union = forward.union("Argument", "as_int")
    text = '{"as_new": 1, "as_int": 2}'
    forward.refused("second-tag", replace(union, text), "EP_SECOND_TAG",
                    (union.start + text.index('"as_int'), union.pointer + "/as_int"),
                    "A second tag beside the one that is passed over.", also=["3.10.2"],
                    flags=["precedence"])
    change, key = append(node, '"new_field"', '"\\ud800"')
    forward.refused("wire", change, "EP_SURROGATE",
                    (key + len('"new_field": "'), child_pointer(node, "new_field")),
                    "What is passed over is JSON.", also=["3.10.2"], flags=["precedence"])
    change, key = append(node, '"new_field"', "NaN")
    forward.refused("literal", change, "EP_NONFINITE",
                    (key + len('"new_field": '), child_pointer(node, "new_field")),
                    "Judged as 8.20, which writes no bare literals.", also=["3.10.2"],
                    flags=["precedence"])
    version = forward.document.root.member("schema_version")
    for label, text, code in (("major-9", '{"major": 9, "minor": 0}', "EP_VERSION_UNKNOWN"),
                              ("below-all", '{"major": 8, "minor": 0}', "EP_VERSION_UNKNOWN"),
                              ("two-zero", '{"major": 2, "minor": 0}', "EP_VERSION_UNKNOWN"),
                              ("integer", "8", "EP_VERSION_UNKNOWN"),
                              ("malformed", '{"major": 8}', "EP_VERSION_MALFORMED")):
        forward.refused("version-" + label, replace(version, text), code,
                        (version.start, "/schema_version"),
                        "No minor below it, of the same major.", also=["3.10.1"])


def between(suite):
    """Numbers that were counted and never seen; and the forms of unions."""
    forward = Forward(suite, "8.3", "8.4")
    forward.encoding()
    union = forward.union("Argument", "as_int")
    forward.passed("tag-version", replace(union, '{"as_complex": {"real": 1.0, "imag": 0.0}}'),
                   [("EP_TAG_VERSION", (union.start + 1, union.pointer + "/as_complex"))],
                   "A tag of 8.14.")
    enum = forward.node("Argument", "as_scalar_type")
    forward.passed("enumerator-version", replace(enum, "34"),
                   [("EP_ENUM_VERSION", (enum.start, enum.pointer))], "A number of 8.20.")
    for name, number in (("7.4", "7.9"), ("8.8", "8.9"), ("5.1", "5.2"), ("4.2", "4.7")):
        Forward(suite, name, number, Encoded).encoding()
    all_fields(suite)
    type_value(suite)


def all_fields(suite):
    forward = Forward(suite, "2.1", "2.5")
    union = forward.union("SymInt")
    change, key = append(union, '"as_new"', "null")
    forward.passed("variant", change, [("EP_UNKNOWN_TAG", (key, child_pointer(union, "as_new")))],
                   "A variant that 2.1 does not know, and null.")
    value = union.member(union.tag)
    text = "null" + forward.document.text[value.end:union.end - 1] + ', "as_new": 1}'
    end = value.start + len(text)
    key = value.start + text.index('"as_new"')
    assert '"as_new": 1}' in text and key < end
    forward.refused("no-value", (value.start, union.end - value.start, text), "EP_NO_TAG",
                    (end - 1, union.pointer), "The variants that are known are all null.",
                    also=["3.10.2"], flags=["precedence"])


def type_value(suite):
    forward = Forward(suite, "3.1", "3.3")
    forward.encoding()
    union = forward.union("SymInt")
    tag = union.members[0][1]
    forward.refused("tag", replace(tag, '"as_new"'), "EP_UNKNOWN_TAG", (tag.start, tag.pointer),
                    "Without its tag the value cannot be read.", also=["3.10.2"])
    node = forward.struct("TensorMeta")
    change, key = append(node, '"new_field"', "1")
    forward.passed("field", change, [("EP_UNKNOWN_FIELD", (key, child_pointer(node, "new_field")))],
                   "A field that 3.1 does not know.")


def strict(suite):
    """A document of a published number is judged strictly."""
    document = Document(Rich(VERSIONS["8.20"]).program())
    twin = suite.valid_edit("forward/known/8.20", "program/rich/8.20", None, "3.10.1",
                            "A published number.", operation="forward", warnings=[])
    node = next(each for each in document.nodes() if each.kind == "struct" and each.type == "Node")
    change, key = append(node, '"new_field"', "1")
    suite.invalid("forward/known-unknown-field/8.20", twin, change, "EP_UNKNOWN_FIELD",
                  (key, child_pointer(node, "new_field")), "8.20 is known, and has no such field.",
                  also=["3.10.1", "3.10.2"])


def demanded(suite):
    """A version that is demanded, and a document of another minor."""
    document = Document(Smallest(VERSIONS["8.20"]).program())
    inputs = document.root.member("graph_module").member("graph").member("inputs")
    suite.valid("forward/demanded/8.17", "forward", "8.17", document.text, "3.10.1",
                "8.20, read as 8.17.", warnings=[], options={"schema": "8.17"})
    text = '[{"as_float_lists": [[0.5]]}]'
    told = [{"code": "EP_TAG_VERSION", "offset": inputs.start + 2,
             "pointer": inputs.pointer + "/0/as_float_lists"}]
    suite.valid_edit("forward/demanded-tag/8.17", "forward/demanded/8.17", replace(inputs, text),
                     ["3.10.1", "3.10.2"], "A tag of 8.19.", warnings=told)
    version = document.root.member("schema_version")
    suite.invalid("forward/demanded-major/8.17", "forward/demanded/8.17",
                  replace(version, '{"major": 7, "minor": 3}'), "EP_VERSION_MISMATCH",
                  (version.start, "/schema_version"), "Another major.", also=["3.10.1"])
    suite.invalid("forward/demanded-smaller/8.17", "forward/demanded/8.17",
                  replace(version, '{"major": 8, "minor": 15}'), "EP_VERSION_MISMATCH",
                  (version.start, "/schema_version"), "A smaller minor.", also=["3.10.1"])
    suite.valid_edit("forward/demanded-unpublished/8.17", "forward/demanded/8.17",
                     replace(version, '{"major": 8, "minor": 99}'), "3.10.1",
                     "A greater minor that nobody knows.", warnings=[])
    suite.valid_edit("forward/demanded-same/8.17", "forward/demanded/8.17",
                     replace(version, '{"major": 8, "minor": 17}'), "3.10.1",
                     "The version that is demanded.", warnings=[])
    integer_demanded(suite)


def integer_demanded(suite):
    """An integer and an object are never minors of one major."""
    document = Document(Smallest(VERSIONS["2"]).program())
    twin = suite.valid("forward/demanded/2", "forward", "2", document.text, "3.10.1",
                       "2, read as 2.", warnings=[], options={"schema": "2"})
    version = document.root.member("schema_version")
    suite.invalid("forward/demanded-object/2", twin, replace(version, '{"major": 2, "minor": 1}'),
                  "EP_VERSION_MISMATCH", (version.start, "/schema_version"),
                  "2.1 is no minor of the integer 2.", also=["3.10.1"])
    document = Document(Smallest(VERSIONS["2.1"]).program())
    twin = suite.valid("forward/demanded/2.1", "forward", "2.1", document.text, "3.10.1",
                       "2.1, read as 2.1.", warnings=[], options={"schema": "2.1"})
    version = document.root.member("schema_version")
    suite.invalid("forward/demanded-integer/2.1", twin, replace(version, "2"),
                  "EP_VERSION_MISMATCH", (version.start, "/schema_version"),
                  "The integer 2 has no minor.", also=["3.10.1"])


def vectors(suite):
    latest(suite)
    between(suite)
    strict(suite)
    demanded(suite)
