"""What stands before and behind a document, and numbers that nobody looks at: for
every operation, as each reads its document by a way of its own.
"""

from format.document import Document, append, child_pointer
from format.history import VERSIONS
from format.programs import Rich
from generate.language.texts import Texts

LATEST = "8.20"
MARK = b"\xef\xbb\xbf"

# What the operations are shown, besides the wire, which has rows of its own: an
# operation, and a valid vector of it. Of migrate and the forms there are two.
OPERATIONS = (
    ("decode", "program/smallest/8.20"), ("decode-1", "program/smallest/1"),
    ("check", "value/base/8.20"), ("check-1", "value/base/1"), ("encode", "encode/rich/8.20"),
    ("forward", "forward/rich/8.21"), ("forward-encode", "forward-encode/rich/8.21"),
    ("migrate-up", "migrate/plain/5.3-to-8.20"), ("migrate-down", "migrate/plain/8.20-to-5.3"),
    ("canon", "canon/plain/form/8.20"), ("canon-torch", "canon-torch/plain/8.20"),
    ("digest", "digest/plain-form/8.20"), ("audit", "audit/base/8.20"),
    ("diff", "diff/base/8.20"), ("build", "build/plain/8.20"),
)
BEHIND = (
    ("nul", "\0", "A zero ends no document."),
    ("nul-and-space", "\0\n", "A zero and white space."),
    ("nul-and-more", '\0{"a": 1}', "What stands behind a zero stands behind the document."),
    ("second", "{}", "A second document."), ("comma", ",", "A comma."),
    ("mark-last", MARK, "A byte order mark is no white space."),
    ("no-utf-8", b"\xff", "A byte of nothing."),
)


def ends(suite, label, twin):
    """A place is counted in the document that the operation reads; its end has no pointer."""
    size = len(suite.bytes[twin])
    for name, data, why in BEHIND:
        suite.invalid("document/%s/%s" % (name, label), twin, (size, 0, data), "EP_TRAILING",
                      (size, ""), why, provenance="hand")
    suite.invalid("document/mark/" + label, twin, (0, 0, MARK), "EP_BOM", (0, ""),
                  "A byte order mark.", provenance="hand")
    if not label.startswith("forward"):
        suite.invalid("document/number/" + label, twin, (size - 1, 0, ', "ignored": 1e400'),
                      "EP_UNKNOWN_FIELD", (size + 1, "/ignored"),
                      "A number beyond any float, where many look at nothing.", provenance="hand")
    suite.invalid("document/nul-first/" + label, twin, (0, 0, "\0"), "EP_SYNTAX", (0, ""),
                  "A zero before the document.", provenance="hand")


def raw_archives(suite):
    """The bytes themselves where they do not begin as an archive does."""
    text = suite.bytes["value/base/8.20"]
    return suite.valid("document/base/archive", "archive", LATEST, text, "2.1.3",
                       "A program without an archive.", file="whole/8.20-value-base.json",
                       provenance="hand")


def passed_over(suite):
    """A number beyond any float in a field that forward reading passes over: it is JSON."""
    document = Document(Rich(VERSIONS[LATEST]).program())
    minor = document.root.member("schema_version").member("minor")
    assert minor.text == "20" and minor.end - minor.start == 2  # as long as 21
    node = next(each for each in document.nodes() if each.kind == "struct" and each.type == "Node")
    for label, text in (("above", "1e400"), ("below", "-1e400"), ("long", "1" + "0" * 400),
                        ("inside", '{"x": [1e400]}')):
        change, key = append(node, '"new_field"', text)
        told = {"code": "EP_UNKNOWN_FIELD", "offset": key,
                "pointer": child_pointer(node, "new_field")}
        suite.valid_edit("document/number-%s/forward/8.21" % label, "forward/rich/8.21", change,
                         ["3.10.2", "2.6.1"], "What is passed over is JSON, and no float.",
                         warnings=[told], provenance="hand")
        suite.invalid("document/number-%s/unknown/8.20" % label, "program/rich/8.20", change,
                      "EP_UNKNOWN_FIELD", (key, child_pointer(node, "new_field")),
                      "The field is unknown, whatever it holds.", provenance="hand",
                      flags=["large"] if len(text) > 300 else None)


def texts(suite):
    """Of a user's own metadata the JSON is judged, and no number."""
    for version in ("7.3", LATEST):
        each = Texts(suite, version, "metadata")
        each.good("custom-number-above", each.metadata("custom", '{"a": 1e400}'),
                  ["4.3.4", "2.6.1"], "JSON in it.")


def vectors(suite):
    for label, twin in OPERATIONS:
        ends(suite, "%s/%s" % (label, suite.vectors[twin]["schema"]), twin)
    ends(suite, "archive/" + LATEST, raw_archives(suite))
    passed_over(suite)
    texts(suite)
