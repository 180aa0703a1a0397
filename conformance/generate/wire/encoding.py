"""Encoding: a document in, and the bytes that PyTorch would have written."""

import json

from generate.wire import numbers
from format.document import Document, Foreign, remove, replace
from format.history import BARE, VERSIONS
from format.programs import Encoded, Rich, carrier, nonfinite, quoted

# What stands between the quotes of a document; json.dumps says what is written.
STRINGS = (
    ("plain", "abc XYZ 0189"), ("punctuation", "!#$%&'()*+,-./:;<=>?@[]^_`{|}~"),
    ("solidus", "<\\/script>"), ("solidus-plain", "</script>"), ("quote", '\\"'),
    ("backslash", "\\\\"), ("short-escapes", "\\b\\f\\n\\r\\t"),
    ("short-escapes-spelled", "\\u0008\\u000c\\u000a\\u000D\\u0009"),
    ("other-controls", "\\u0000\\u0001\\u000b\\u001f"), ("capital-digits", "\\u001F\\u00E9\\uABCD"),
    ("needless", "\\u0061\\u0041\\u0020\\u007e"), ("quote-spelled", "\\u0022\\u005c\\u002f"),
    ("delete", "\x7f"), ("delete-spelled", "\\u007f"), ("latin", "\u0080\u00e9\u00ff"),
    ("three-bytes", "\u20ac\u4e2d\uffff"), ("around-surrogates", "\ud7ff\ue000"),
    ("four-bytes", "\U00010000\U0001f600\U0010ffff"), ("pair", "\\ud83d\\ude00"),
    ("pair-capital", "\\uD83D\\uDE00"), ("separators", "\u2028\u2029"), ("mark", "\ufeff"),
    ("mixed", "a\\u0062\u00e9\\n\U0001f600\\\\\\u0000z"), ("empty", ""),
    ("long", "b" * 40 + "\u00e9" + "b" * 40), ("pair-mixed", "\\ud83D\\ude00"),
    ("pair-mixed-low", "\\ud83d\\udE00"), ("solidus-spelled", "\\u002f"),
    ("long-escape", "b" * 40 + "\\u0041"), ("long-delete", "b" * 40 + "\x7f" + "b" * 40),
) + tuple(  # each alone: one that is spelled otherwise hides another
    ("u-%04x" % scalar, "\\u%04x" % scalar) for scalar in (
        0x00, 0x01, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x1E, 0x1F, 0x20, 0x21, 0x22,
        0x2F, 0x5B, 0x5C, 0x5D, 0x7E, 0x7F, 0x80, 0xFF, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF)
) + tuple(
    ("raw-%04x" % scalar, chr(scalar)) for scalar in (
        0x20, 0x21, 0x23, 0x2F, 0x5B, 0x5D, 0x7E, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF,
        0x10000, 0x103FF, 0x10400, 0x10FFFF)
) + tuple(
    ("short-%s" % name, "\\" + letter) for name, letter in (
        ("quote", '"'), ("backslash", "\\"), ("slash", "/"), ("b", "b"), ("f", "f"), ("n", "n"),
        ("r", "r"), ("t", "t"))
)


def version_programs(suite):
    """Every version's programs: one comes out as it went in, the other with
    the defaults that it did not say."""
    for name, version in VERSIONS.items():
        suite.valid_edit("encode/rich/" + name, "program/rich/" + name, None,
                         ["3.9.1", "3.9.2", "3.9.6", "3.9.7", "3.9.8"],
                         "What PyTorch writes comes out as it went in.", operation="encode",
                         product="same")
        written = Document(Encoded(version).program()).text
        given = suite.bytes["program/smallest/" + name].decode("ascii")
        product = "same" if written == given else suite.spelled(
            written, "programs/%s-encoded.json" % name)
        suite.valid_edit("encode/smallest/" + name, "program/smallest/" + name, None,
                         ["3.9.2", "3.5.4", "3.9.7"], "Defaults are written.", operation="encode",
                         product=product)


def spelling(suite):
    """Documents that nobody writes, and what is written for them."""
    for name, version in VERSIONS.items():
        if not version.full:
            continue
        text = Document(Rich(version).program(), Foreign()).text
        suite.valid("encode/foreign/" + name, "encode", name, text,
                    ["3.9.1", "3.9.2", "3.9.3", "3.9.5"],
                    "Order, white space and escapes of a document have no meaning.",
                    file="programs/%s-foreign.json" % name, flags=["foreign-spelling"],
                    options=version.options, product={"base": "encode/rich/" + name})


def absent(suite):
    """Each field that has a default is absent, or null, and is written or not: all of some
    versions, and of the others those that are in none of these."""
    shown = {named(kind, member) for version in VERSIONS.values() if version.full
             for kind, member in fields_of(version)}
    for version in VERSIONS.values():
        document = Document(Rich(version).program())
        owners = {}
        for node in document.nodes():
            for key, value in node.members if node.kind == "struct" else ():
                owners.setdefault((node.type, key), (node, value))
        for kind, member in fields_of(version):
            new = version.full or named(kind, member) not in shown
            if new and (kind.name, member.name) in owners:
                one_absent(suite, version, member, kind, owners[kind.name, member.name])
                shown.add(named(kind, member))


def fields_of(version):
    return [(kind, member) for kind in version.reachable().values() if kind.kind == "struct"
            for member in kind.members]


def named(kind, member):
    """A field and its default."""
    return kind.name, member.name, member.required, json.dumps(member.default)


def one_absent(suite, version, member, kind, found):
    owner, value = found
    where, base = "%s.%s" % (kind.name, member.name), "encode/rich/" + version.name
    gone = remove(owner, member.name)[0]
    written = gone
    if member.default is not None or version.nulls:
        written = replace(value, json.dumps(member.default))
    if not member.required:
        suite.valid_edit("encode/absent/%s/%s" % (where, version.name), base, gone,
                         ["3.9.2", "3.9.7", "3.5.4"], "%s has a default." % where,
                         product={"base": base, "edit": suite.edit(written)})
    if member.shape.kind == "optional":
        null = replace(value, "null")
        omitted = not member.required and not version.nulls
        product = {"base": base, "edit": suite.edit(gone)} if omitted else "same"
        suite.valid_edit("encode/null/%s/%s" % (where, version.name), base, null, "3.9.7",
                         "%s is null." % where, product=product)


def strings(suite):
    for place, value, label in (("as_string", '"%s"', "value"), ("metadata", '{"%s": ""}', "key")):
        root, node = carrier(VERSIONS["8.20"], place, value % "x")
        document = Document(Encoding(root, node).root)
        base = suite.valid("encode/string-base/%s/8.20" % label, "encode", "8.20", document.text,
                           "3.9.3", "The program of the vectors encode/string.", product="same",
                           file="programs/8.20-string-%s.json" % label)
        for name, text in STRINGS:
            given = value % text
            written = json.dumps(json.loads(given))
            product = "same" if written == given else {
                "base": base, "edit": suite.edit(replace(node, written))}
            suite.valid_edit("encode/string/%s-%s/8.20" % (name, label), base,
                             replace(node, given), ["3.9.3", "2.4.2"],
                             "Strings are written as Python does.", product=product,
                             provenance="python")


class Encoding:
    """A carrier, with its defaults written."""

    def __init__(self, root, node):
        self.root, whole = root, Encoded(VERSIONS["8.20"]).program()
        self.merge(root, whole, node)

    def merge(self, given, whole, node):
        """What whole has and given lacks, in the order of whole."""
        members = dict((key, value) for key, value in given.members)
        for key, value in whole.members:
            there = members.get(key)
            if there is None:
                members[key] = value
            elif there is not node and value.kind == "struct":
                self.merge(there, value, node)
        given.members = [[key, members[key]] for key, _ in whole.members]


def dicts(suite):
    """The order of a dict is kept, and of no two the same."""
    for label, text in (("descending", '{"c": 1, "b": 2, "a": 3}'),
                        ("mixed", '{"b": 1, "": 2, "B": 3, "a": 4, "10": 5, "9": 6}'),
                        ("negative", '{"x": -9223372036854775808, "y": 9223372036854775807}'),
                        ("escaped", '{"\\u00e9": 1, "\\n": 2}')):
        root, node = carrier(VERSIONS["8.20"], "opset_version", text)
        document = Document(Encoding(root, node).root)
        suite.valid("encode/dict/%s/8.20" % label, "encode", "8.20", document.text,
                    ["3.9.9", "3.9.5"], "Nothing is sorted.", product="same",
                    file="programs/8.20-dict-%s.json" % label)
    for minor in ("12", "13"):
        document = Document(Encoded(VERSIONS["8.11"]).program())
        node = document.root.member("schema_version").member("minor")
        text = document.text[:node.start] + minor + document.text[node.end:]
        suite.valid("encode/number/8.%s" % minor, "encode", "8.11", text, "3.9.5",
                    "The number is the document's own.", product="same",
                    file="programs/8.%s-encoded.json" % minor)


def floats(suite):
    version = VERSIONS["8.20"]
    document = Document(Rich(version).program())
    numbers.encodings(suite, version, "program/rich/8.20", document)
    for name, each in VERSIONS.items():
        if not each.full:
            continue
        document = Document(Rich(each).program())
        node = next(found for found in document.nodes() if found.place == ("Argument", "as_float"))
        for text in nonfinite(each):
            bare = text.strip('"')
            suite.valid_edit("encode/nonfinite/%s/%s" % (bare, name), "encode/rich/" + name,
                             replace(node, text), "3.9.6", "As the version writes it.",
                             product="same")
            if each.floats != BARE:
                spelled = '"%s\\u%04x"' % (bare[:-1], ord(bare[-1]))
                suite.valid_edit(
                    "encode/nonfinite-escaped/%s/%s" % (bare, name), "encode/rich/" + name,
                    replace(node, spelled), "3.9.6", "However it was spelled.",
                    product={"base": "encode/rich/" + name,
                             "edit": suite.edit(replace(node, quoted(bare)))})


def nonfinite_lists(suite):
    """All of them, in a list."""
    for name, each in VERSIONS.items():
        document = Document(Rich(each).program())
        node = next((found for found in document.nodes()
                     if found.place == ("Argument", "as_floats") and found.kind == "list"), None)
        if each.full and node is not None:
            text = "[%s, 0.5]" % ", ".join(nonfinite(each))
            suite.valid_edit("encode/nonfinite/list/" + name, "encode/rich/" + name,
                             replace(node, text), "3.9.6", "As the version writes them.",
                             product="same")


def refusals(suite):
    """What is refused has no product."""
    for name in ("1", "3.1", "8.20"):
        document = Document(Rich(VERSIONS[name]).program())
        root = document.root
        change, brace = remove(root, "opset_version")
        suite.invalid("encode/refused-missing/" + name, "encode/rich/" + name, change,
                      "EP_MISSING_FIELD", (brace, ""), "A document that is refused at its end.",
                      also=["1.5.5", "1.5.4"])
        end = len(document.text)
        suite.invalid("encode/refused-trailing/" + name, "encode/rich/" + name, (end, 0, "x"),
                      "EP_TRAILING", (end, ""), "A document that is refused after its end.",
                      also=["1.5.5", "1.5.4"])


def vectors(suite):
    version_programs(suite)
    spelling(suite)
    absent(suite)
    strings(suite)
    dicts(suite)
    floats(suite)
    nonfinite_lists(suite)
    refusals(suite)
