"""Forward reading, gone through: each version that may be demanded with each number around its
own, and the newest things in every kind of value, with white space at each place.
"""

import json

from format.annexes import rows
from format.document import Document, Foreign, append, child_pointer, replace
from format.history import VERSIONS
from format.programs import Rich, Smallest

NEW = ("number", "1"), ("minus", "-0.5e+1"), ("string", '"x"'), ("null", "null"), \
    ("true", "true"), ("array", "[1, [], {}]"), ("object", '{"a": {"a": null}}'), \
    ("empty-array", "[]"), ("empty-object", "{}")
BLANKS = " ", "\t", "\n", "\r", " \r\n\t "

# ---- demanded versions ------------------------------------------------------------------


def numbers_of(row):
    """The first and the last number of a version; a version of an integer has none."""
    return row["minor"] and (int(row["major"]), int(row["minor"]), int(row["last_minor"]))


def published():
    return {(numbers[0], minor) for numbers in map(numbers_of, rows("versions")) if numbers
            for minor in range(numbers[1], numbers[2] + 1)}


def written(name, major, minor):
    root = Smallest(VERSIONS[name]).program()
    for part, number in (("major", major), ("minor", minor)):
        root.member("schema_version").member(part).text = str(number)
    return Document(root)


def demanded(suite):
    for row in rows("versions"):
        numbers = numbers_of(row)
        if numbers is None:
            continue
        major, first, last = numbers
        name = row["name"]
        around = {first - 1, *range(first, last + 1), last + 1, last + 2, 99}
        around |= {minor for each, minor in published() if each == major}
        base = None
        for minor in sorted(around - {-1}, key=lambda each: (each != first, each)):
            document = written(name, major, minor)
            label = "%d.%d/%s" % (major, minor, name)
            told = {"options": {"schema": name}, "flags": None}
            if minor < first:
                place = document.root.member("schema_version")
                node = base[1].root.member("schema_version")
                suite.invalid("forward/demand-%s" % label, base[0], replace(
                    node, document.text[place.start:place.end]), "EP_VERSION_MISMATCH",
                    (place.start, "/schema_version"), "A smaller number.", also=["3.10.1"])
                continue
            twin = suite.valid("forward/demand-%s" % label, "forward", name, document.text,
                               ["3.10.1", "3.1.4"], "A version that is demanded.", warnings=[],
                               file="programs/%s-demanded-%d.json" % (name, minor), **told)
            base = base or (twin, document)
            change, key = append(document.root, '"new_field"', "1")
            at = (key, "/new_field")
            if minor <= last:
                suite.invalid("forward/demand-field-%s" % label, twin, change, "EP_UNKNOWN_FIELD",
                              at, "A number of the version that is demanded: it is judged "
                              "strictly.", also=["3.10.1", "3.10.2"])
            else:
                suite.valid_edit("forward/demand-field-%s" % label, twin, change,
                                 ["3.10.1", "3.10.2"], "A greater number.", warnings=[
                                     {"code": "EP_UNKNOWN_FIELD", "offset": at[0],
                                      "pointer": at[1]}])


def undemanded(suite):
    """Every number of the newest majors, with a field that no version has."""
    known = published()
    for major in (5, 7, 8):
        for minor in range(0, 31):
            owners = [row["name"] for row in rows("versions") if row["role"] == "owner"
                      and numbers_of(row) and numbers_of(row)[0] == major
                      and numbers_of(row)[1] <= minor]
            if not owners:
                continue
            name = owners[-1]
            document = written(name, major, minor)
            label = "%d.%d" % (major, minor)
            twin = suite.valid("forward/number-" + label, "forward", name, document.text,
                               ["3.10.1"], "A number.", warnings=[],
                               file="programs/%s-number-%d.json" % (name, minor))
            change, key = append(document.root, '"new_field"', "1")
            if (major, minor) in known:
                suite.invalid("forward/number-field-" + label, twin, change, "EP_UNKNOWN_FIELD",
                              (key, "/new_field"), "A published number is judged strictly.",
                              also=["3.10.1", "3.10.2"])
            else:
                suite.valid_edit("forward/number-field-" + label, twin, change,
                                 ["3.10.1", "3.10.2"], "An unpublished number.", warnings=[
                                     {"code": "EP_UNKNOWN_FIELD", "offset": key,
                                      "pointer": "/new_field"}])


# ---- what is passed over, and white space --------------------------------------------------


def later(suite, name, number):
    """The program of everything of a version, under an unpublished number."""
    root = Rich(VERSIONS[name]).program()
    for part, text in zip(("major", "minor"), number.split(".")):
        root.member("schema_version").member(part).text = text
    document = Document(root)
    twin = suite.valid("forward/later/" + number, "forward", name, document.text, "3.10.1",
                       "Nothing in it is newer than %s." % name, warnings=[],
                       file="programs/%s-as-%s-rich.json" % (name, number))
    return twin, document


def passed(suite, twin, label, change, told, why):
    said = [{"code": code, "offset": at, "pointer": pointer} for code, at, pointer in told]
    suite.valid_edit("forward/%s/%s" % (label, twin.rsplit("/", 1)[1]), twin, change, "3.10.2",
                     why, warnings=said)


def spaced(parts, place, blank):
    """The parts as one text, with a blank before one of them."""
    return "".join(parts[:place]) + blank + "".join(parts[place:])


def single_key(suite):
    """The union of a new tag and the struct of a new field: each kind of value, and white
    space at each place."""
    twin, document = later(suite, "8.20", "8.21")
    unions = {}
    for node in document.nodes():
        if node.kind == "union":
            unions.setdefault(node.type, node)
    for name, union in unions.items():
        passed(suite, twin, "new-tag-%s" % name, replace(union, '{"as_new": 1}'), [
            ("EP_UNKNOWN_TAG", union.start + 1, union.pointer + "/as_new")], "A new tag.")
        passed(suite, twin, "new-tag-spaced-%s" % name, replace(union, '{\n"as_new": 1\n}'), [
            ("EP_UNKNOWN_TAG", union.start + 2, union.pointer + "/as_new")], "A new tag.")
    union, struct = unions["SymInt"], next(
        each for each in document.nodes() if each.kind == "struct" and each.type == "Node")
    for label, value in NEW:
        parts = ["{", '"as_new"', ":", value, "}"]
        for place in range(1, len(parts)):
            for number, blank in enumerate(BLANKS if label == "number" else BLANKS[-1:]):
                text = spaced(parts, place, blank)
                passed(suite, twin, "new-%s-%d-%d" % (label, place, number), replace(union, text), [
                    ("EP_UNKNOWN_TAG", union.start + text.index('"as_new"'),
                     union.pointer + "/as_new")], "White space around what is passed over.")
        end = struct.members[-1][1].end
        parts = [", ", '"new_field"', ":", value, ""]
        for place in range(1, len(parts)):
            if place == len(parts) - 1:
                text = "".join(parts) + BLANKS[-1]
            else:
                text = spaced(parts, place, BLANKS[-1])
            passed(suite, twin, "new-field-%s-%d" % (label, place), (end, 0, text), [
                ("EP_UNKNOWN_FIELD", end + text.index('"new_field"'),
                 child_pointer(struct, "new_field"))], "White space around what is passed over.")
    spelled(suite, "8.20", "8.21")


def all_fields(suite):
    """In the form of all fields: the new variant at each place among the others."""
    twin, document = later(suite, "2.1", "2.5")
    union = next(each for each in document.nodes() if each.kind == "union" and
                 each.type == "SymInt")
    for label, value in NEW:
        for place in range(len(union.members) + 1):
            if place < len(union.members):
                at, text = union.keys[place], '"as_new": %s ,\n' % value
                key = at
            else:
                at, text = union.members[-1][1].end, ' ,"as_new": %s \n' % value
                key = at + 2
            passed(suite, twin, "variant-%s-%d" % (label, place), (at, 0, text), [
                ("EP_UNKNOWN_TAG", key, child_pointer(union, "as_new"))], "A new variant.")
    spelled(suite, "2.1", "2.5")


def spelled(suite, name, number):
    """The whole in odd white space; with something new."""
    root = Rich(VERSIONS[name]).program()
    for part, text in zip(("major", "minor"), number.split(".")):
        root.member("schema_version").member(part).text = text
    document = Document(root, Foreign())
    twin = suite.valid("forward/later-foreign/" + number, "forward", name, document.text, "3.10.1",
                       "Nothing in it is newer than %s." % name, warnings=[],
                       flags=["foreign-spelling"],
                       file="programs/%s-as-%s-rich-foreign.json" % (name, number))
    structs = {}
    for node in document.nodes():
        if node.kind == "struct":
            structs.setdefault(node.type, node)
    for each, node in structs.items():
        if not node.members:
            continue
        end = node.members[-1][1].end
        passed(suite, twin, "foreign-field-%s" % each, (end, 0, '\t,\n"new_field" :\r\n1'), [
            ("EP_UNKNOWN_FIELD", end + 3, child_pointer(node, "new_field"))],
            "A new field of %s." % each)


def vectors(suite):
    for part in (demanded, undemanded, single_key, all_fields):
        part(suite)
