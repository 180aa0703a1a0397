"""What can be wrong with a field, for every field of a version: absent, null,
of another type, with an item that is wrong, unknown, of another version.
"""

from format.document import Document, Foreign, append, child_pointer, prepend, remove, replace
from format.history import ORDER, TYPE_VALUE, VERSIONS, before, behind, ever
from format.programs import Encoded, Rich, Smallest

# What stands where something else is due. One of a row is taken in turn.
WRONG = {
    "str": ("1", "[\"x\"]", "true", "{}"),
    "int": ("\"1\"", "true", "[1]", "{}"),
    "open": ("\"Infinity\"", "false", "[2]"),
    "float": ("true", "[0.5]", "{}"),
    "bool": ("1", "\"true\"", "[]"),
    "true": ("[]", "1", "\"true\""),
    "unit": ("true", "0", "{}"),
    "bytes": ("1", "[0, 1]", "true"),
    "enum": ("\"FLOAT\"", "false", "[1]"),
    "struct": ("[]", "\"x\"", "1", "true"),
    "union": ("[]", "\"x\"", "1", "false"),
    "list": ("{}", "\"x\"", "1"),
    "dict": ("[]", "\"x\"", "0"),
    "tuple": ("{}", "\"x\"", "1"),
}
JSON = {'"': "string", "[": "array", "{": "object", "t": "bool", "f": "bool", "n": "null"}
HEADER = ("ExportedProgram", "schema_version")

# The clauses that programs show by having what they have.
EVERY_TYPE = ("3.5.3", "3.4.1", "3.5.1", "3.5.2")
EVERY_MEMBER = ("3.6.1", "3.6.2", "3.6.3", "3.6.4", "3.6.5", "3.6.7", "3.7.1", "3.7.2")

# A marker of a sibling makes a valid program of that sibling out of these.
MARKERS = {("3.1", "InputToBufferSpec", "persistent")}


def an(name, big=False):
    """The name with its article."""
    article = "an" if name[0] in "aeiouAEIO" else "a"
    return "%s %s" % (article.capitalize() if big else article, name)


def json_type(text):
    return JSON.get(text[0], "number")


def inner(shape):
    return shape.parts[0] if shape.kind == "optional" else shape


class Matrix:
    """The vectors of one version that its rich program can carry."""

    def __init__(self, suite, version, twin, style=None):
        self.suite, self.version, self.twin = suite, version, twin
        self.style, self.turn = style, 0
        self.document = Document(Rich(version).program(), style)
        self.structs, self.unions, self.values = {}, {}, {}
        self.label = version.name if style is None else version.name + "-foreign"
        self.flags = [] if style is None else ["foreign-spelling"]
        for node in self.document.nodes():
            self.note(node)

    def note(self, node):
        if node.kind == "struct":
            self.structs.setdefault(node.type, []).append(node)
        if node.kind == "union":
            self.unions.setdefault(node.type, []).append(node)
        if node.place is not None and node.kind != "null":
            self.values.setdefault(node.place, []).append(node)

    # -- which rows are to be gone through

    def rows(self):
        """(type, member) of the fields and variants; all, or those that are new."""
        old = before(self.version.name)
        for name, kind in self.version.reachable().items():
            past = old.types.get(name) if old else None
            known = {member.name: member for member in past.members} if past else {}
            for member in kind.members:
                if self.version.full or known.get(member.name) != member:
                    yield kind, member

    def gone(self, kind):
        """Members that the type has in other versions only: in any, or in the one before
        or behind, of those that say the same number or of all."""
        names = {member.name for member in kind.members}
        near, place = set(), ORDER.index(self.version.name)
        neighbours = [VERSIONS[name] for name in ORDER[max(place - 1, 0):place + 2]]
        for other in (before(self.version.name), behind(self.version.name), *neighbours):
            known = other.types.get(kind.name) if other else None
            near.update(member.name for member in (known.members if known else ()))
        for name, (version, member) in ever(kind.name).items():
            if name not in names and (self.version.full or name in near):
                yield version, member

    def new_types(self, what):
        old = before(self.version.name)
        for name, kind in self.version.reachable().items():
            if kind.kind == what and (self.version.full or not old or name not in old.types):
                yield kind

    # -- making them

    def name(self, defect, place):
        return "%s/%s/%s" % (defect, place, self.label)

    def invalid(self, name, change, code, at, why, **more):
        if self.flags:
            more["flags"] = self.flags + more.get("flags", [])
        self.suite.invalid(name, self.twin, change, code, at, why, **more)

    def invalid_value(self, name, node, text, code, why, **more):
        self.invalid(name, replace(node, text), code, (node.start, node.pointer), why, **more)

    def wrong(self, kind):
        self.turn += 1
        row = WRONG[kind]
        return row[self.turn % len(row)]

    def of(self, place):
        """A value at a place, and the object that it is a member of."""
        node = self.values[place][0]
        return node, next(each for each in self.structs[place[0]]
                          if any(value is node for _, value in each.members))

    # -- fields

    def fields(self):
        for kind, member in self.rows():
            place = (kind.name, member.name)
            if kind.kind != "struct" or place == HEADER or kind.name == "SchemaVersion":
                continue
            self.field(place, member)
        for kind in self.new_types("struct"):
            self.unknown(kind)
        for kind in self.version.reachable().values():
            if kind.kind == "struct":
                self.other_version(kind)

    def field(self, place, member):
        node, owner = self.of(place)
        where = "%s.%s" % place
        if member.required:
            change, brace = remove(owner, member.name)
            self.invalid(self.name("field/missing", where), change, "EP_MISSING_FIELD",
                         (brace, owner.pointer), "%s without %s." % (an(place[0], True), place[1]))
        if member.shape.kind != "optional":
            also = ["3.5.4"] if not member.required else []
            self.invalid_value(self.name("field/null", where), node, "null", "EP_NULL",
                               "The field %s is not optional." % where, also=also)
        self.wrong_type("field", where, node, inner(member.shape))
        self.wrong_item("field", where, node, inner(member.shape))

    def wrong_type(self, area, where, node, shape):
        text = self.wrong(shape.kind)
        self.invalid_value(self.name(area + "/type", where), node, text, "EP_TYPE",
                           "%s is %s, which no %s is." % (where, self.article(shape),
                                                          json_type(text)))

    @staticmethod
    def article(shape):
        known = {"true": "as_none, written true", "unit": "as_none, written []",
                 "open": "an int or infinite"}
        return known.get(shape.kind) or an(shape.name)

    def wrong_item(self, area, where, node, shape):
        """An item of a list, or a value of a dict, that is null or of another type."""
        items = node.items or [value for _, value in node.members]
        if shape.kind not in ("list", "dict") or not items or not self.version.shown:
            return
        part = shape.parts[0]
        self.invalid_value(self.name(area + "/null-item", where), items[-1], "null", "EP_NULL",
                           "An item of %s is not optional." % where)
        text = self.wrong(part.kind)
        self.invalid_value(self.name(area + "/type-item", where), items[-1], text, "EP_TYPE",
                           "An item of %s is %s, which no %s is." % (where, self.article(part),
                                                                     json_type(text)))

    def unknown(self, kind):
        if kind.name == "SchemaVersion":
            return
        node = self.structs[kind.name][0]
        self.turn += 1
        add = append if self.turn % 2 else prepend
        change, key = add(node, '"not_a_field"', ("null", "1", "{\"x\": []}")[self.turn % 3])
        self.invalid(self.name("field/unknown", kind.name), change, "EP_UNKNOWN_FIELD",
                     (key, child_pointer(node, "not_a_field")),
                     "No version of %s has this field." % kind.name)
        if not self.version.shown:
            return
        name = node.members[0][0]
        change, key = append(node, '"%s"' % name, "null")
        self.invalid(self.name("field/duplicate", kind.name), change, "EP_DUPLICATE_KEY",
                     (key, child_pointer(node, name)),
                     "%s with two %s." % (an(kind.name, True), name))

    def other_version(self, kind):
        node = self.structs[kind.name][0]
        for version, member in self.gone(kind):
            if (self.version.name, kind.name, member.name) in MARKERS:
                continue
            text = Document(Encoded(version).value(member.shape, (kind.name, member.name))).text
            change, key = append(node, '"%s"' % member.name, text)
            self.invalid(self.name("field/version", "%s.%s" % (kind.name, member.name)), change,
                         "EP_FIELD_VERSION", (key, child_pointer(node, member.name)),
                         "Version %s has no %s.%s; %s has." % (
                             self.version.name, kind.name, member.name, version.name))

    def absent(self):
        """Fields that need not be there are not: still valid."""
        for kind, member in self.rows():
            if kind.kind != "struct" or member.required:
                continue
            _, owner = self.of((kind.name, member.name))
            change, _ = remove(owner, member.name)
            where = "%s.%s" % (kind.name, member.name)
            self.suite.valid_edit(self.name("field/absent", where), self.twin, change, "3.5.4",
                                  "%s has a default." % where, flags=self.flags or None)

    def optional(self):
        """Null where the type is optional."""
        for kind, member in self.rows():
            if kind.kind != "struct" or member.shape.kind != "optional":
                continue
            node, _ = self.of((kind.name, member.name))
            where = "%s.%s" % (kind.name, member.name)
            self.suite.valid_edit(self.name("field/optional-null", where), self.twin,
                                  replace(node, "null"), "3.4.2", "%s is optional." % where,
                                  flags=self.flags or None)


def programs(suite):
    """The programs of every version, valid as they are."""
    for version in VERSIONS.values():
        for form, maker, why in (
                ("smallest", Smallest, "Nothing that need not be there."),
                ("rich", Rich, "Every type, field, variant and enumerator of the version.")):
            text = Document(maker(version).program()).text
            shown = EVERY_TYPE + (EVERY_MEMBER if form == "rich" else ())
            shown += ("3.6.6",) if version.unions == TYPE_VALUE else ()
            shown += ("3.8.2",) if '"equality_constraints": [[' in text else ()
            shown += ("3.1.4",) if version.sibling else ()
            suite.valid("program/%s/%s" % (form, version.name), "decode", version.name, text,
                        list(shown), why, file="programs/%s-%s.json" % (version.name, form),
                        options=version.options)


def foreign(suite, version):
    """The rich program of a version as nobody spells it."""
    text = Document(Rich(version).program(), Foreign()).text
    return suite.valid("program/rich/%s-foreign" % version.name, "decode", version.name, text,
                       ["2.3.1", "2.4.2", "2.5.1", "3.5.1"], "The same in another spelling.",
                       file="programs/%s-foreign.json" % version.name, options=version.options,
                       flags=["foreign-spelling"])


def matrices(suite):
    """The matrix of each version, and one more in a foreign spelling."""
    for version in VERSIONS.values():
        yield Matrix(suite, version, "program/rich/%s" % version.name)
    version = VERSIONS["8.20"]
    yield Matrix(suite, version, foreign(suite, version), Foreign())
