"""The version that a document names: its forms, unknown and demanded ones, and
the shapes that share a number.
"""

from format.document import Document, append, child_pointer, remove, replace
from format.history import VERSIONS
from format.programs import Rich, Smallest, carrier

# What stands as schema_version of 8.20, and where in it the error is.
MALFORMED = (
    ("string", '"8.20"', 0, "", "A string."), ("array", "[8, 20]", 0, "", "An array."),
    ("null", "null", 0, "", "A null."), ("bool", "true", 0, "", "A bool."),
    ("fraction", "8.0", 0, "", "A fraction."), ("exponent", "8e0", 0, "", "An exponent."),
    ("sign", "-8", 0, "", "A sign."), ("minus-zero", "-0", 0, "", "A sign."),
    ("too-great", "2147483648", 0, "", "More than 31 bits."),
    ("far-too-great", "18446744073709551624", 0, "", "8, if 64 bits were all."),
    ("empty", "{}", 0, "", "Neither part."), ("no-minor", '{"major": 8}', 0, "", "No minor."),
    ("no-major", '{"minor": 20}', 0, "", "No major."),
    ("major-string", '{"major": "8", "minor": 20}', 10, "/major", "A string."),
    ("major-null", '{"major": null, "minor": 20}', 10, "/major", "A null."),
    ("major-negative", '{"major": -8, "minor": 20}', 10, "/major", "A sign."),
    ("major-fraction", '{"major": 8.0, "minor": 20}', 10, "/major", "A fraction."),
    ("major-array", '{"major": [8], "minor": 20}', 10, "/major", "An array."),
    ("minor-string", '{"major": 8, "minor": "20"}', 22, "/minor", "A string."),
    ("minor-null", '{"major": 8, "minor": null}', 22, "/minor", "A null, as of an integer."),
    ("minor-negative", '{"major": 8, "minor": -1}', 22, "/minor", "A sign."),
    ("minor-fraction", '{"major": 8, "minor": 20.0}', 22, "/minor", "A fraction."),
    ("minor-exponent", '{"major": 8, "minor": 2e1}', 22, "/minor", "An exponent."),
    ("minor-too-great", '{"major": 8, "minor": 2147483648}', 22, "/minor", "More than 31 bits."),
    ("minor-wraps", '{"major": 8, "minor": 4294967316}', 22, "/minor", "20, if 32 bits were all."),
    ("minor-object", '{"major": 8, "minor": {}}', 22, "/minor", "An object."),
    ("minor-bool", '{"minor": true, "major": 8}', 10, "/minor", "A bool."),
)
UNKNOWN = (
    ("8", "8"), ("3", "3"), ("0", "0"), ("greatest", "2147483647"),
    ("9.0", '{"major": 9, "minor": 0}'), ("8.21", '{"major": 8, "minor": 21}'),
    ("8.0", '{"major": 8, "minor": 0}'), ("8.4", '{"major": 8, "minor": 4}'),
    ("8.9", '{"major": 8, "minor": 9}'), ("5.2", '{"major": 5, "minor": 2}'),
    ("4.1", '{"major": 4, "minor": 1}'), ("1.0", '{"major": 1, "minor": 0}'),
    ("2.0", '{"major": 2, "minor": 0}'), ("0.0", '{"major": 0, "minor": 0}'),
    ("20.8", '{"major": 20, "minor": 8}'),
    ("greatest-parts", '{"major": 2147483647, "minor": 2147483647}'),
)
FINE = (
    ("order", '{"minor": 20, "major": 8}', "Fields in any order."),
    ("escaped", '{"\\u006dajor": 8, "m\\u0069nor": 20}', "Keys in any spelling."),
    ("spaced", '{\n"major":8,\t"minor" : 20 }', "White space."),
)


class Headers:
    """Vectors on the smallest program of a version."""

    def __init__(self, suite, name):
        self.suite, self.name = suite, name
        self.document = Document(Smallest(VERSIONS[name]).program())
        self.node = self.document.root.member("schema_version")
        self.twin = "program/smallest/" + name

    def id(self, defect):
        return "version/%s/%s" % (defect, self.name)

    def bad(self, defect, text, code, why, at=0, inside="", **more):
        self.suite.invalid(self.id(defect), self.twin, replace(self.node, text), code,
                           (self.node.start + at, "/schema_version" + inside), why, **more)

    def good(self, defect, text, clause, why, schema=None):
        self.suite.valid_edit(self.id(defect), self.twin, replace(self.node, text), clause, why,
                              schema=schema or self.name)


def latest(suite):
    headers = Headers(suite, "8.20")
    for label, text, at, inside, why in MALFORMED:
        headers.bad("malformed-" + label, text, "EP_VERSION_MALFORMED", why, at, inside)
    for label, text in UNKNOWN:
        headers.bad("unknown-" + label, text, "EP_VERSION_UNKNOWN", "No version has this number.")
    for label, text, why in FINE:
        headers.good(label, text, ["3.1.2", "3.1.3"], why)
    headers.bad("field", '{"major": 8, "minor": 20, "patch": 0}', "EP_UNKNOWN_FIELD",
                "A version has two parts.", 26, "/patch", also=["3.1.2"])
    headers.bad("duplicate", '{"major": 8, "minor": 20, "major": 8}', "EP_DUPLICATE_KEY",
                "The same number twice.", 26, "/major")
    headers.good("is-8.19", '{"major": 8, "minor": 19}', "3.1.3",
                 "What it holds is the same in 8.19.", "8.19")
    missing(suite, headers)
    first(suite, headers)


def missing(suite, headers):
    change, brace = remove(headers.document.root, "schema_version")
    suite.invalid(headers.id("missing"), headers.twin, change, "EP_VERSION_MISSING", (brace, ""),
                  "A document names its version.")
    text = headers.document.text
    spaced = suite.valid("version/spaced-around/8.20", "decode", "8.20", " " + text + " \n\t ",
                         "2.3.1", "White space around the document.")
    suite.invalid(headers.id("missing-spaced"), spaced, (change[0] + 1, *change[1:]),
                  "EP_VERSION_MISSING", (brace + 1, ""), "White space is not the document's end.")
    root, _ = carrier(VERSIONS["8.20"], "metadata", '{"schema_version": "8.20"}')
    document = Document(root)
    twin = suite.valid("version/elsewhere/8.20", "decode", "8.20", document.text, "3.1.1",
                       "The name is also a key of a dict.")
    change, brace = remove(root, "schema_version")
    suite.invalid("version/only-elsewhere/8.20", twin, change, "EP_VERSION_MISSING", (brace, ""),
                  "Only the outermost object's member counts.")
    spelled = document.text.replace('"schema_version": {"major', '"schema\\u005fversion": {"major')
    suite.valid("version/escaped-key/8.20", "decode", "8.20", spelled, "3.1.1",
                "A key is a key however it is spelled.")
    change = (headers.node.start - len('"schema_version": '), len('"schema_version"'),
              '"Schema_version"')
    suite.invalid("version/other-case/8.20", headers.twin, change, "EP_VERSION_MISSING",
                  (len(headers.document.text) - 1, ""), "Case counts.", also=["3.5.1"],
                  flags=["precedence"])
    change, key = append(headers.document.root, '"schema_version"', "1")
    suite.invalid("version/twice/8.20", headers.twin, change, "EP_DUPLICATE_KEY",
                  (key, "/schema_version"), "Two versions.")


def first(suite, headers):
    """The version need not be near the end, where PyTorch writes it."""
    root = Smallest(VERSIONS["8.20"]).program()
    root.members.insert(0, root.members.pop())
    suite.valid("version/first/8.20", "decode", "8.20", Document(root).text, "3.1.1",
                "The version comes first.")
    root = Smallest(VERSIONS["1"]).program()
    root.members.insert(0, root.members.pop(root.index("schema_version")))
    suite.valid("version/first/1", "decode", "1", Document(root).text, "3.1.1",
                "The version comes first.")
    text = headers.document.text
    suite.valid("version/far-from-end/8.20", "decode", "8.20", text[:-1] + " " * 5000 + "}\n",
                "3.1.1", "Much white space after it.", file="programs/8.20-far-from-end.json")


def integers(suite):
    """Versions that are one integer, and the step to two."""
    headers = Headers(suite, "2")
    for label, text, why in (("string", '"2"', "A string."), ("fraction", "2.0", "A fraction."),
                             ("negative", "-2", "A sign."), ("null", "null", "A null.")):
        headers.bad("malformed-" + label, text, "EP_VERSION_MALFORMED", why)
    for label, text in (("2.0", '{"major": 2, "minor": 0}'), ("1.0", '{"major": 1, "minor": 0}'),
                        ("3", "3")):
        headers.bad("unknown-" + label, text, "EP_VERSION_UNKNOWN",
                    "A number is compared in its form.")
    headers.good("is-2.1", '{"major": 2, "minor": 1}', "3.1.3",
                 "2.1 has the types of 2 and an object for its number.", "2.1")
    headers = Headers(suite, "2.1")
    headers.good("is-2", "2", "3.1.3", "The other way round.", "2")
    headers = Headers(suite, "8.11")
    for minor in ("12", "13"):
        headers.good("is-8." + minor, '{"major": 8, "minor": %s}' % minor, "3.1.3",
                     "8.11, 8.12 and 8.13 are one version.")
    headers.bad("unknown-8.9", '{"major": 8, "minor": 9}', "EP_VERSION_UNKNOWN",
                "8.9 was counted, but what it was is not known.")


def demanded(suite):
    """A version that the user demands."""
    for name, others in (("8.20", ("8.19", "8.21", "9.0", "5.1")), ("8.11", ("8.10", "8.14")),
                         ("5.3-2024-03", ("5.4",))):
        document = Document(Smallest(VERSIONS[name]).program())
        node = document.root.member("schema_version")
        options = {"schema": name}
        if VERSIONS[name].sibling:
            twin = "program/smallest/" + name
        else:
            twin = suite.valid("version/demanded/" + name, "decode", name, document.text, "3.1.4",
                               "The version that is demanded.", options=options)
        for other in others:
            text = '{"major": %s, "minor": %s}' % tuple(other.split("."))
            suite.invalid("version/demanded-%s/%s" % (other, name), twin, replace(node, text),
                          "EP_VERSION_MISMATCH", (node.start, "/schema_version"),
                          "%s is demanded." % name)
        if name == "8.11":
            suite.valid_edit("version/demanded-8.13/8.11", twin,
                             replace(node, '{"major": 8, "minor": 13}'), "3.1.4",
                             "8.13 is the same version.")
        if name == "8.20":
            suite.invalid("version/demanded-integer/8.20", twin, replace(node, "8"),
                          "EP_VERSION_MISMATCH", (node.start, "/schema_version"),
                          "The integer 8 is not 8.20.")


# ---- siblings ---------------------------------------------------------------

MARKED = ("1-2023-08", "1-2023-12", "3.1-a", "3.1-c", "5.3-2024-03", "8.2-ast")


def recognized(suite):
    """Programs of marked siblings that are not valid as the owner."""
    for name in MARKED:
        suite.valid_edit("version/sibling/" + name, "program/rich/" + name, None, "3.1.5",
                         "Not valid as the owner of its number, and marked.", options=None)


def owners(suite):
    """Documents that are taken as the owner of their number."""
    for name, owner, why in (
            ("3.1-a", "3.1", "Nothing of it is not of 3.1 too."),
            ("8.2-ast", "8.2", "Nothing of it is not of 8.2 too."),
            ("6.1-a", "6.1", "6.1-a has to be asked for."),
            ("8.15-a", "8.15", "8.15-a has to be asked for.")):
        suite.valid_edit("version/owner/" + name, "program/smallest/" + name, None, "3.1.5", why,
                         schema=owner, options=None)
    for name, place, key in (("5.3", "opset_version", "co_fileinfo_ordered_list"),
                             ("1", "opset_version", "input_specs"),
                             ("8.2", "metadata", "expr_ast")):
        value = "1" if place == "opset_version" else '"x"'
        root, _ = carrier(VERSIONS[name], place, '{"%s": %s}' % (key, value))
        suite.valid("version/marker-elsewhere/" + name, "decode", name, Document(root).text,
                    "3.1.5", "A marker is no reason when the owner fits.")


def refused(suite):
    """A number's siblings are tried when their marker holds, and not else."""
    root = Rich(VERSIONS["3.1"]).program()
    document = Document(root)
    node = next(each for each in document.nodes()
                if each.kind == "struct" and each.type == "InputToBufferSpec")
    change, key = append(node, '"persistent"', "true")
    suite.valid_edit("version/becomes/3.1-c", "program/rich/3.1", change, "3.1.5",
                     "With this field it is 3.1-c.", schema="3.1-c")
    twin = suite.valid_edit("version/demanded-rich/3.1", "program/rich/3.1", None, "3.1.4",
                            "The owner demanded.", options={"schema": "3.1"})
    suite.invalid("version/demanded-owner/3.1", twin, change, "EP_FIELD_VERSION",
                  (key, child_pointer(node, "persistent")), "As 3.1, and as no other.",
                  also=["3.1.4", "3.1.5"])
    marker_places(suite)
    escaped_marker(suite)
    unmarked(suite)


def marker_places(suite):
    """A marker is a key: as such it is there or not."""
    root = Rich(VERSIONS["3.1-a"]).program()
    document = Document(root)
    node = next(each for each in document.nodes()
                if each.kind == "scalar" and each.place == ("Node", "metadata"))
    twin = suite.valid_edit("version/marker-value/3.1-a", "version/sibling/3.1-a",
                            replace(node, '"class_fqn"'), "3.1.5",
                            "A string is no key: the document has no class_fqn.")
    objects = next(each for each in document.nodes()
                   if each.kind == "struct" and each.type == "CustomObjArgument")
    owner = next(each for each in document.nodes()
                 if any(value is node for _, value in each.members))
    for label, spelled in (("key", '"class_fqn": '), ("spaced-key", '"class_fqn" \n: ')):
        key = owner.keys[0]
        change = (key, node.start - key, spelled)
        shift = len(spelled) - (node.start - key) if key < objects.start else 0
        shift += len('"class_fqn"') - (node.end - node.start) if key < objects.start else 0
        suite.invalid("version/marker-%s/3.1" % label, twin, change, "EP_MISSING_FIELD",
                      (objects.end - 1 + shift, objects.pointer),
                      "A key of that name, of whatever object: then it is 3.1.", also=["3.1.5"],
                      schema="3.1")


def escaped_marker(suite):
    maker = Smallest(VERSIONS["5.3-2024-03"])
    document = Document(maker.program())
    graph = document.root.member("graph_module").member("graph")
    change, key = append(graph, '"co_fileinfo_ordered_list"', "[]")
    text = document.text[:change[0]] + change[2] + document.text[change[0]:]
    twin = suite.valid("version/marker/5.3-2024-03", "decode", "5.3-2024-03", text, "3.1.5",
                       "One field more than 5.3 has.")
    where = child_pointer(graph, "co_fileinfo_ordered_list")
    suite.invalid("version/escaped-marker/5.3", twin, (key + 24, 1, "\\u0074"), "EP_FIELD_VERSION",
                  (key, where), "The characters of the marker are not there.", also=["3.1.5"],
                  schema="5.3")
    suite.invalid("version/owner-error/5.3", twin, (len(text) - 1, 0, ', "not_a_field": null'),
                  "EP_FIELD_VERSION", (key, where),
                  "Valid as neither: the error is that of the owner.", also=["3.1.5"],
                  schema="5.3", flags=["precedence"])


def unmarked(suite):
    """What only 8.1-b to 8.1-d have, with no version demanded."""
    document = Document(Rich(VERSIONS["8.1-b"]).program())
    for node in document.nodes():
        if node.place == ("Argument", "as_scalar_type") and node.text == "14":
            suite.invalid("version/not-demanded/8.1", "program/rich/8.1-b", None,
                          "EP_ENUM_VERSION", (node.start, node.pointer),
                          "8.1-b has no marker, so the document is of 8.1.", also=["3.1.5"],
                          schema="8.1", options=None)


def vectors(suite):
    latest(suite)
    integers(suite)
    demanded(suite)
    recognized(suite)
    owners(suite)
    refused(suite)
