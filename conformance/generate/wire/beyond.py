"""What a reader sees one step too late or too early: a broken escape that ends the document, a
byte behind a word or a number that nearly goes on, a version that is read in part, members of the
version's object at the limit of values.
"""

from format.document import Document, append, replace
from format.history import VERSIONS
from format.programs import carrier

LATEST = "8.20"


def wire(suite, name, text):
    return suite.whole("wire/whole/beyond-" + name, "wire", None, text, "2.1.2", "Complete.")


def escapes(suite):
    """Escapes that there are not, as the last two bytes of a document."""
    for label, text, pointer in (("text", '"%s"', ""), ("item", '[1, "%s"]', "/1"),
                                 ("member", '{"a": "%s"}', "/a")):
        twin = wire(suite, "escape-" + label, text % "\\n")
        at = text.index("%")
        size = len((text % "\\n")[at + 1:])
        for letter in "qU'x0":
            suite.invalid("wire/beyond/escape-%s-%d" % (label, ord(letter)), twin,
                          (at + 1, size, letter), "EP_ESCAPE", (at, pointer),
                          "The escape is none; that the document ends is seen later.",
                          provenance="hand", also=["1.5.1"])


def digits(suite):
    """What is next to the digits of an escape, as the first and as the last of them."""
    text = '["%s"]'
    for place in (0, 3):
        spelled = ["\\u" + "0" * place + digit + "0" * (3 - place) for digit in "4/:@G`g"]
        twin = wire(suite, "digits-%d" % place, text % spelled[0])
        for each in spelled[1:]:
            suite.invalid("wire/beyond/digit-%d-%d" % (place, ord(each[2 + place])), twin,
                          (4 + place, 1, each[2 + place]), "EP_ESCAPE", (2, "/0"),
                          "No digit of an escape.", provenance="hand")


def words(suite):
    """A zero, and other bytes, right behind a word."""
    for word in ("null", "true", "false"):
        twin = wire(suite, "word-" + word, "[%s]" % word)
        at = 1 + len(word)
        for byte in (0, 1, 0x6c, 0x7f):
            suite.invalid("wire/beyond/%s-%d" % (word, byte), twin, (at, 0, chr(byte)),
                          "EP_SYNTAX", (at, "/0"), "A byte behind the word.", provenance="hand")


def numbers(suite):
    """A byte next to the point, in the place of the point."""
    for label, text in (("item", "[%s]"), ("member", '{"a": %s}')):
        pointer = "/0" if label == "item" else "/a"
        for number in ("1.5", "-20.25", "0.0"):
            twin = wire(suite, "point-%s-%s" % (label, number), text % number)
            at = (text % number).index(".")
            for byte in "/-:_":
                suite.invalid("wire/beyond/point-%s-%s-%d" % (label, number, ord(byte)), twin,
                              (at, 1, byte), "EP_SYNTAX", (at, pointer),
                              "No part of a number.", provenance="hand")


def half_versions(suite):
    """A version that is malformed, of which a part names a version that writes non-finite floats
    bare."""
    for name in ("1", "2"):
        root, node = carrier(VERSIONS[name], "as_float", "Infinity")
        document = Document(root)
        place = root.member("schema_version")
        assert place.text == name
        twin = suite.whole("version/half/" + name, "decode", name, document.text, "2.7.1",
                           "An infinity.")
        for label, text in (("major", '{"major": %s}'), ("minus", '{"major": %s, "minor": -1}'),
                            ("null", '{"major": %s, "minor": null}')):
            text = text % name
            grown = (len(text) - 1) * (place.start < node.start)
            suite.invalid("version/half-%s/%s" % (label, name), twin, replace(place, text),
                          "EP_NONFINITE", (node.start + grown, node.pointer),
                          "A malformed version writes no infinity.", provenance="hand",
                          also=["1.5.1", "3.1.2"], flags=["precedence"])


def demanded(suite):
    """An integer is demanded, and the document has an object."""
    for name in ("1", "2"):
        root, _ = carrier(VERSIONS[name], "as_int", "1")
        document = Document(root)
        place = root.member("schema_version")
        twin = suite.valid("forward/demand-whole/" + name, "forward", name, document.text,
                           ["3.10.1", "3.1.4"], "A version that is demanded.", warnings=[],
                           provenance="hand", options={"schema": name},
                           file="programs/%s-demanded-whole.json" % name)
        for minor in (0, 1, 7):
            suite.invalid("forward/demand-whole-%d/%s" % (minor, name), twin,
                          replace(place, '{"major": %s, "minor": %d}' % (name, minor)),
                          "EP_VERSION_MISMATCH", (place.start, "/schema_version"),
                          "A number of another form has no greater minor.", provenance="hand",
                          also=["3.10.1"])


def members(suite):
    """Further members of the version's object, at the limit of values."""
    root, _ = carrier(VERSIONS[LATEST], "as_int", "1")
    document = Document(root)
    version = root.member("schema_version")
    count = len(list(document.nodes()))
    for label, text, more in (("number", "1", 1), ("list", "[1, [2]]", 4)):
        change, key = append(version, '"patch"', text)
        options = {"limits": {"values": count + more}}
        twin = suite.valid("limit/program/version-%s-at/8.20" % label, "decode", LATEST,
                           document.text, "1.4.3", "Below the limit.", provenance="hand",
                           options=options, file="programs/8.20-version-%s.json" % label)
        suite.invalid("limit/program/version-%s/8.20" % label, twin, change, "EP_UNKNOWN_FIELD",
                      (key, "/schema_version/patch"), "As many values as the limit.",
                      provenance="hand", also=["3.1.2", "1.4.3"])


def vectors(suite):
    for part in (escapes, digits, words, numbers, half_versions, demanded, members):
        part(suite)
