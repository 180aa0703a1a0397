"""What can be wrong with a union, in each of its three forms, and with an enum."""

from format.document import Document, append, child_pointer, prepend, replace
from generate.wire.fields import an, inner
from format.history import ALL_FIELDS, SINGLE_KEY, TYPE_VALUE, VERSIONS, values_ever
from format.programs import Encoded, Smallest

OTHER_FORM = {  # a SymInt in each form
    ALL_FIELDS: '{"as_expr": null, "as_int": 4}',
    TYPE_VALUE: '{"$type": "as_int", "$value": 4}',
    SINGLE_KEY: '{"as_int": 4}',
}


def text_of(version, shape, place):
    return Document(Smallest(version).value(shape, place)).text


class Unions:
    """The vectors of a matrix (fields.Matrix) that are about unions and enums."""

    def __init__(self, matrix):
        self.matrix, self.version, self.suite = matrix, matrix.version, matrix.suite
        self.form = self.version.unions

    def with_tag(self, name, tag):
        return next((node for node in self.matrix.unions[name] if node.tag == tag), None)

    def key_of(self, node, tag):
        return "$value" if self.form == TYPE_VALUE else tag

    def value_of(self, node):
        return node.member(self.key_of(node, node.tag))

    def invalid(self, defect, place, change, code, at, why, **more):
        self.matrix.invalid(self.matrix.name("union/" + defect, place), change, code, at, why,
                            **more)

    # -- variants

    def variants(self):
        for kind, member in self.matrix.rows():
            if kind.kind != "union":
                continue
            where = "%s.%s" % (kind.name, member.name)
            node = self.with_tag(kind.name, member.name)
            value = self.value_of(node)
            self.null(where, node, value)
            self.matrix.wrong_type("union", where, value, inner(member.shape))
            self.matrix.wrong_item("union", where, value, inner(member.shape))
            if self.form == ALL_FIELDS:
                self.absent_variant(kind, member)
            if member.name == "as_none":
                self.as_none(where, value)

    def null(self, where, node, value):
        if self.form == ALL_FIELDS:
            self.invalid("null", where, replace(value, "null"), "EP_NO_TAG",
                         (node.end - 1 - (value.end - value.start - 4), node.pointer),
                         "With %s null, every variant is." % where)
            return
        self.invalid("null", where, replace(value, "null"), "EP_NULL",
                     (value.start, value.pointer), "A union's value is not optional: %s." % where)

    def absent_variant(self, kind, member):
        """In the all-fields form the variants that are null are there too."""
        node = next((each for each in self.matrix.unions[kind.name] if each.tag != member.name),
                    None)
        if node is None:
            return
        i = node.index(member.name)
        begin, end = ((node.members[i - 1][1].end, node.members[i][1].end) if i > 0
                      else (node.keys[0], node.keys[1]))
        self.invalid("missing", "%s.%s" % (kind.name, member.name), (begin, end - begin, ""),
                     "EP_MISSING_FIELD", (node.end - 1 - (end - begin), node.pointer),
                     "Every variant is there, %s as null." % member.name, also=["3.6.1"])

    def as_none(self, where, value):
        for label, text in ((("items", "[1]"), ("nested", "[[]]")) if value.shape.kind == "unit"
                            else (("false", "false"),)):
            self.invalid("as-none-" + label, where, replace(value, text), "EP_UNIT",
                         (value.start, value.pointer), "as_none has one value only.")

    # -- the union as a whole

    def wholes(self):
        for kind in self.matrix.new_types("union"):
            node = self.matrix.unions[kind.name][0]
            if self.form == ALL_FIELDS:
                self.all_fields(kind, node)
            elif self.form == TYPE_VALUE:
                self.type_value(kind, node)
            else:
                self.single_key(kind, node)
        for kind in self.version.reachable().values():
            if kind.kind == "union":
                self.other_version(kind)

    def second_of(self, kind, node):
        """Another variant than the node's, and a value for it."""
        member = next((each for each in kind.members if each.name != node.tag), kind.members[0])
        return member.name, text_of(self.version, member.shape, (kind.name, member.name))

    def empty(self, kind, node, code="EP_NO_TAG"):
        self.invalid("empty", kind.name, replace(node, "{}"), code, (node.start + 1, node.pointer),
                     "%s of no variant." % an(kind.name, True))

    def single_key(self, kind, node):
        self.empty(kind, node)
        value = self.value_of(node)
        change = (node.keys[0], value.start - node.keys[0], '"as_banana": ')
        self.invalid("unknown-tag", kind.name, change, "EP_UNKNOWN_TAG",
                     (node.keys[0], child_pointer(node, "as_banana")),
                     "No version of %s has this tag." % kind.name)
        name, text = self.second_of(kind, node)
        change, key = append(node, '"%s"' % name, text)
        self.invalid("second-tag", kind.name, change, "EP_SECOND_TAG",
                     (key, child_pointer(node, name)), "%s of two variants." % an(kind.name, True))
        if not self.version.shown:
            return
        self.matrix.turn += 1
        name, text = (("x", "1"), (name, "null"))[self.matrix.turn % 2]
        change, key = append(node, '"%s"' % name, text)
        self.invalid("second-key", kind.name, change, "EP_SECOND_TAG",
                     (key, child_pointer(node, name)),
                     "A second key is too much, whatever it is.")
        change, key = append(node, '"%s"' % node.tag, value_text(self.matrix, value))
        self.invalid("duplicate", kind.name, change, "EP_DUPLICATE_KEY",
                     (key, child_pointer(node, node.tag)),
                     "The same variant twice: a matter of the wire level first.")

    def repeated(self, kind, node, key, text):
        change, at = append(node, '"%s"' % key, text)
        self.invalid("duplicate-" + key.strip("$"), kind.name, change, "EP_DUPLICATE_KEY",
                     (at, child_pointer(node, key)), "The same key twice: a matter of the wire.")

    def type_value(self, kind, node):
        self.empty(kind, node)
        (_, tag), (_, value) = node.members
        self.repeated(kind, node, "$type", tag.text)
        self.repeated(kind, node, "$value", value_text(self.matrix, value))
        self.invalid("unknown-tag", kind.name, replace(tag, '"as_banana"'), "EP_UNKNOWN_TAG",
                     (tag.start, tag.pointer), "No version of %s has this tag." % kind.name)
        for label, text in (("null", "null"), ("number", "2")):
            self.invalid("tag-" + label, kind.name, replace(tag, text), "EP_TYPE",
                         (tag.start, tag.pointer), "A tag is a string.", also=["3.6.6"])
        self.invalid("no-value", kind.name, (tag.end, value.end - tag.end, ""), "EP_NO_TAG",
                     (node.end - 1 - (value.end - tag.end), node.pointer), "A tag without a value.")
        change, key = append(node, '"x"', "null")
        self.invalid("third-key", kind.name, change, "EP_SECOND_TAG",
                     (key, child_pointer(node, "x")), "Tag and value are all there is.")
        text, first = self.matrix.document.text, node.keys[0]
        swapped = "%s%s%s" % (text[node.keys[1]:value.end], text[tag.end:node.keys[1]],
                              text[first:tag.end])
        self.invalid("order", kind.name, (first, value.end - first, swapped), "EP_UNKNOWN_TAG",
                     (first, child_pointer(node, "$value")), "The tag comes before the value.",
                     also=["3.6.6"])
        for label, i, key in (("type", 0, "type"), ("value", 1, "value")):
            change = (node.keys[i], node.members[i][1].start - node.keys[i], '"%s": ' % key)
            self.invalid("key-" + label, kind.name, change, "EP_UNKNOWN_TAG",
                         (node.keys[i], child_pointer(node, key)),
                         "The keys are $type and $value.", also=["3.6.6"])

    def all_fields(self, kind, node):
        self.empty(kind, node, "EP_MISSING_FIELD")
        self.matrix.turn += 1
        add = append if self.matrix.turn % 2 else prepend
        change, key = add(node, '"as_banana"', "null")
        self.invalid("unknown-tag", kind.name, change, "EP_UNKNOWN_TAG",
                     (key, child_pointer(node, "as_banana")),
                     "No version of %s has this tag." % kind.name)
        for other in (kind.members[0], kind.members[-1]):
            if other.name != node.tag:
                self.second_value(kind, node, other)
        self.repeated(kind, node, kind.members[0].name, "null")

    def second_value(self, kind, node, other):
        text = text_of(self.version, other.shape, (kind.name, other.name))
        null, value = node.member(other.name), self.value_of(node)
        at = (null.start, null.pointer)
        if null.start < value.start:  # then the one that was there is the second
            at = (value.start + len(text) - 4, value.pointer)
        self.invalid("second-value", "%s.%s" % (kind.name, other.name), replace(null, text),
                     "EP_SECOND_TAG", at, "%s of two variants." % an(kind.name, True))

    def other_version(self, kind):
        """A tag of another version only."""
        node = self.matrix.unions[kind.name][0]
        for version, member in self.matrix.gone(kind):
            where = "%s.%s" % (kind.name, member.name)
            why = "Version %s has no %s; %s has." % (self.version.name, where, version.name)
            text = Document(Encoded(version).value(
                member.shape, (kind.name, member.name))).text
            if self.form == ALL_FIELDS:
                change, key = append(node, '"%s"' % member.name, "null")
                at = (key, child_pointer(node, member.name))
            elif self.form == TYPE_VALUE:
                tag = node.members[0][1]
                change, at = replace(tag, '"%s"' % member.name), (tag.start, tag.pointer)
            else:
                change = replace(node, '{"%s": %s}' % (member.name, text))
                at = (node.start + 1, child_pointer(node, member.name))
            self.invalid("tag-version", where, change, "EP_TAG_VERSION", at, why)


    def other_forms(self):
        """A SymInt in the form of other versions."""
        node = self.with_tag("SymInt", "as_int")
        if node is None or not self.version.full:
            return
        for form, text in OTHER_FORM.items():
            if form == self.form:
                continue
            code, at = {
                (SINGLE_KEY, ALL_FIELDS): ("EP_NULL", (node.start + 12, node.pointer + "/as_expr")),
                (SINGLE_KEY, TYPE_VALUE): ("EP_UNKNOWN_TAG", (node.start + 1,
                                                              node.pointer + "/$type")),
                (ALL_FIELDS, SINGLE_KEY): ("EP_MISSING_FIELD", (node.start + 12, node.pointer)),
                (ALL_FIELDS, TYPE_VALUE): ("EP_UNKNOWN_TAG", (node.start + 1,
                                                              node.pointer + "/$type")),
                (TYPE_VALUE, SINGLE_KEY): ("EP_UNKNOWN_TAG", (node.start + 1,
                                                              node.pointer + "/as_int")),
                (TYPE_VALUE, ALL_FIELDS): ("EP_UNKNOWN_TAG", (node.start + 1,
                                                              node.pointer + "/as_expr")),
            }[self.form, form]
            self.invalid("form-" + form, "SymInt", replace(node, text), code, at,
                         "A union in the %s form, in a version of the %s form." % (
                             form, self.form), also=["3.6.1"])

    # -- enums

    def enums(self):
        """At every (type, field) that is an enum: not all numbers are enumerators."""
        for name, node in self.enum_places():
            kind = self.version.types[name]
            here = set(kind.values.values())
            where = "%s.%s" % node.place
            if self.version.full:
                for number in (max(values_ever(name)) + 1, -1, 9223372036854775807):
                    self.number(where, node, number, "EP_UNKNOWN_ENUM",
                                "No version of %s has the number %d." % (name, number))
                self.form_of(where, node)
            for number in sorted(values_ever(name) - here):
                if self.version.full or number in self.beside(name):
                    self.number(where, node, number, "EP_ENUM_VERSION",
                                "%s has the number %d in other versions than %s." % (
                                    name, number, self.version.name))

    def beside(self, name):
        """Numbers of the versions before and behind."""
        names = list(VERSIONS)
        at = names.index(self.version.name)
        near = [VERSIONS[each].types.get(name) for each in names[max(at - 1, 0):at + 2]]
        return {number for each in near if each for number in each.values.values()}

    def enum_places(self):
        """One node of each enum."""
        found = {}
        for nodes in self.matrix.values.values():
            shape = inner(nodes[0].shape)
            if shape.kind == "enum":
                found.setdefault(shape.name, nodes[0])
        return found.items()

    def number(self, where, node, number, code, why):
        self.matrix.invalid_value(self.matrix.name("enum/%d" % number, where), node, str(number),
                                  code, why)

    def form_of(self, where, node):
        for label, text, code in (("float", node.text + ".0", "EP_INT_FORM"),
                                  ("minus-zero", "-0", "EP_INT_FORM"),
                                  ("exponent", node.text + "e0", "EP_INT_FORM"),
                                  ("huge", "18446744073709551616", "EP_INT_RANGE")):
            self.matrix.invalid_value(self.matrix.name("enum/" + label, where), node, text, code,
                                      "An enumerator is an integer.")


def value_text(matrix, node):
    return matrix.document.text[node.start:node.end]


def vectors(matrix):
    unions = Unions(matrix)
    unions.variants()
    unions.wholes()
    unions.other_forms()
    unions.enums()
