"""Documents with two errors, one of which is told; and documents that are no
object.
"""

from format.document import Document, replace
from format.history import VERSIONS
from format.programs import Rich
from generate.suite import change_between
from generate.wire.tokens import marked


class Two:
    """Programs with two errors, one of which comes first."""

    def __init__(self, suite):
        self.suite = suite
        self.document = Document(Rich(VERSIONS["8.20"]).program())
        self.text = self.document.text

    def node(self, kind, member):
        return next(each for each in self.document.nodes() if each.place == (kind, member))

    def add(self, name, begin, end, text, code, at, why):
        """at: text before the error within the new text, and its pointer."""
        before, pointer = at
        assert text.count(before) == 1, name
        offset = begin + len(text[:text.index(before)].encode("utf-8"))
        self.suite.invalid("order/%s/8.20" % name, "program/rich/8.20", (begin, end - begin, text),
                           code, (offset, pointer), why, also=["1.5.1"], flags=["precedence"])


def two_errors(suite):
    two = Two(suite)
    target = two.node("Node", "target")
    where = target.pointer

    def at(name, text, code, mark, pointer, why):
        two.add(name, target.start, target.end, text, code, (mark, pointer), why)

    def member(key):
        return where.rsplit("/", 1)[0] + "/" + key

    at("type-then-control", '1, "no": "\x01"', "EP_CONTROL", "\x01", member("no"),
       "The wire level wins, wherever it is.")
    at("unknown-then-duplicate", '"x", "no": {"a": 1, "a": 2}', "EP_DUPLICATE_KEY", '"a": 2',
       member("no") + "/a", "The wire level wins, wherever it is.")
    at("null-then-surrogate", 'null, "no": "\\ud800"', "EP_SURROGATE", "\\ud800", member("no"),
       "The wire level wins, wherever it is.")
    at("control-then-escape", '"\x01\\x"', "EP_CONTROL", "\x01", where, "The first of two.")
    at("escape-then-control", '"\\x\x01"', "EP_ESCAPE", "\\x", where, "The first of two.")
    at("number-then-syntax", '01 x', "EP_NUMBER", "1 x", where, "The first of two.")
    at("type-then-unknown", '1, "no": null', "EP_TYPE", "1", where, "The first of two.")
    at("unknown-then-null", '"x", "no": null, "nn": NaN', "EP_NONFINITE", "NaN", member("nn"),
       "Bare literals of a quoted version go with the wire level.")
    at("unknown-value-type", '"x", "no": [{"a": null}]', "EP_UNKNOWN_FIELD", '"no"', member("no"),
       "What an unknown field holds is not judged.")
    at("duplicate-unknown", '"x", "no": 1, "no": 2', "EP_DUPLICATE_KEY", '"no": 2', member("no"),
       "An unknown key twice.")
    at("literal-then-control", '1, "no": NaN, "nn": "\x01"', "EP_CONTROL", "\x01", member("nn"),
       "Literals come after all else of the wire level.")
    at("two-unknown", '"x", "no": 1, "nn": 2', "EP_UNKNOWN_FIELD", '"no"', member("no"),
       "The first of two.")
    at("null-type", 'null, "no": 1', "EP_NULL", "null", where, "The first of two.")
    ints = two.node("Argument", "as_int")
    two.add("form-and-range", ints.start, ints.end, "18446744073709551616.0", "EP_INT_FORM",
            ("18446744073709551616.0", ints.pointer), "Another form, whatever its size.")
    enums = two.node("Argument", "as_scalar_type")
    for label, text, code in (("range-and-enum", "9223372036854775808", "EP_INT_RANGE"),
                              ("form-and-enum", "99.0", "EP_INT_FORM")):
        two.add(label, enums.start, enums.end, text, code, (text, enums.pointer),
                "A number that is no enumerator either.")
    headers(suite, two)
    literals(suite, two)


def literals(suite, two):
    """Literals beside errors of the version."""
    floats = two.node("Argument", "as_float")
    node = two.document.root.member("schema_version")
    middle = "NaN" + two.text[floats.end:node.start]
    for label, version, code in (("malformed", "null", "EP_NONFINITE"),
                                 ("unknown", '{"major": 9, "minor": 0}', "EP_NONFINITE"),
                                 ("8.21", '{"major": 8, "minor": 21}', "EP_NONFINITE"),
                                 ("8.4", '{"major": 8, "minor": 4}', "EP_VERSION_UNKNOWN")):
        at = (floats.start, floats.pointer)
        if code != "EP_NONFINITE":
            at = (floats.start + len(middle), "/schema_version")
        suite.invalid("order/literal-and-version-%s/8.20" % label, "program/rich/8.20",
                      (floats.start, node.end - floats.start, middle + version), code, at,
                      "A literal is judged by the number, as forward reading would take it.",
                      also=["1.5.1", "2.7.1"], flags=["precedence", "large"])
    bare_literals(suite)


def bare_literals(suite):
    """In a version that writes them bare, literals are a matter of types."""
    document = Document(Rich(VERSIONS["7.3"]).program())
    target = next(each for each in document.nodes() if each.place == ("Node", "target"))
    name = target.pointer.rsplit("/", 1)[0] + "/no"
    for label, text, code, offset, where, why in (
            ("type-then-literal", '1, "no": NaN', "EP_TYPE", 0, target.pointer,
             "The first of two."),
            ("literal-then-type", 'NaN, "no": 1', "EP_NONFINITE", 0, target.pointer,
             "The first of two."),
            ("unknown-literal", '"x", "no": NaN', "EP_UNKNOWN_FIELD", 5, name,
             "What an unknown field holds is not judged.")):
        suite.invalid("order/%s/7.3" % label, "program/rich/7.3", replace(target, text), code,
                      (target.start + offset, where), why, also=["1.5.1", "2.7.1"],
                      flags=["precedence"])


def headers(suite, two):
    """Errors of the version come before all others of the schema level."""
    node = two.document.root.member("schema_version")
    target = two.node("Node", "target")
    for label, text, code in (("missing", None, "EP_VERSION_MISSING"),
                              ("malformed", "null", "EP_VERSION_MALFORMED"),
                              ("unknown", '{"major": 9, "minor": 0}', "EP_VERSION_UNKNOWN")):
        key = node.start - len('"schema_version": ')
        begin, end = target.start, node.end
        middle = "1" + two.text[target.end:key - 2]
        tail = "" if text is None else ', "schema_version": ' + text
        at = (begin + len(middle + tail) - len(text or ""), "/schema_version")
        if text is None:
            at = (len(two.text) - (end - begin) + len(middle) - 1, "")
        suite.invalid("order/type-then-version-%s/8.20" % label, "program/rich/8.20",
                      (begin, end - begin, middle + tail), code, at,
                      "The version comes before the types.", also=["1.5.1"],
                      flags=["precedence", "large"])


def outermost(suite):
    """Documents whose outermost value is no object."""
    twin = "program/smallest/8.20"
    size = len(suite.bytes[twin])
    for label, text in (("null", "null"), ("array", "[]"), ("string", '"program"'), ("number", "8"),
                        ("true", "true"), ("array-of-program", '[{"schema_version": 1}]')):
        suite.invalid("outermost/%s/8.20" % label, twin, (0, size, text), "EP_TYPE", (0, ""),
                      "A program is an object.", also=["1.5.1"])
    suite.invalid("outermost/spaced/8.20", twin, (0, size, " \n[]"), "EP_TYPE", (2, ""),
                  "A program is an object.")
    suite.invalid("outermost/literal/8.20", twin, (0, size, "NaN"), "EP_NONFINITE", (0, ""),
                  "A document of no version has no literals.", also=["1.5.1"],
                  flags=["precedence"])
    suite.invalid("outermost/empty/8.20", twin, (0, size, "{}"), "EP_VERSION_MISSING", (1, ""),
                  "An object of nothing.", also=["1.5.1"], flags=["precedence"])




# ---- the wire level -----------------------------------------------------------

# The twin, the text with a caret where the error is that is told, its code and
# pointer, options, and why.
WIRE = (
    ("control-then-duplicate", '{"a": 1, "b": "c"}', '{"a": 1, "a": "\u2038\x01"}', "EP_CONTROL",
     "/a", None, "Keys are compared where the object closes."),
    ("duplicate-then-comma", '{"a": 1, "b": 2}', '{"a": 1, "a": 2,\u2038}', "EP_SYNTAX", "", None,
     "Keys are compared where the object closes."),
    ("duplicate-then-end", '{"a": 1, "b": 2}', '{"a": 1, "a": 2\u2038', "EP_END", "/a", None,
     "Keys are compared where the object closes."),
    ("duplicate-then-trailing", '{"a": 1, "b": 2}', '{"a": 1, \u2038"a": 2} x', "EP_DUPLICATE_KEY",
     "/a", None, "The first of two."),
    ("outer-and-inner-duplicate", '{"a": {"b": 1}, "c": 2}',
     '{"a": {"b": 1, \u2038"b": 2}, "a": 2}', "EP_DUPLICATE_KEY", "/a/b", None,
     "The inner object closes first."),
    ("duplicate-around", '{"a": 1, "b": {"c": 2}}', '{"a": 1, "a": {"c": 2, \u2038"c": 3}}',
     "EP_DUPLICATE_KEY", "/a/c", None, "The inner object closes first, though its key is later."),
    ("long-then-control", '["bbb"]', '["bbbb\u2038\x01"]', "EP_CONTROL", "/0",
     {"limits": {"string": 3}}, "A string is measured where it ends."),
    ("long-then-end", '["bbb"]', '["bbbb\u2038', "EP_END", "/0", {"limits": {"string": 3}},
     "A string is measured where it ends."),
    ("long-then-escape", '["bbb"]', '["bbbb\u2038\\x"]', "EP_ESCAPE", "/0",
     {"limits": {"string": 3}}, "A string is measured where it ends."),
    ("values-then-syntax", "[1, 2]", "[1, 2, \u2038x]", "EP_SYNTAX", "/2",
     {"limits": {"values": 3}}, "What no value begins with is none."),
    ("values-then-number", "[1, 2]", "[1, 2, \u20380x]", "EP_LIMIT_VALUES", "/2",
     {"limits": {"values": 3}}, "A value too many, whatever comes of it."),
    ("depth-then-syntax", "[[1]]", "[[\u2038[x]]]", "EP_LIMIT_DEPTH", "/0/0",
     {"limits": {"depth": 2}}, "The bracket is too much."),
    ("mark-and-syntax", "[]", "\u2038\ufeffx", "EP_BOM", "", None, "The first of two."),
    ("trailing-two", "[]", "[]\u2038x\udcff", "EP_TRAILING", "", None,
     "What follows the document is not looked at."),
    ("literal-then-syntax", "[1, 2]", "[NaN, \u2038x]", "EP_SYNTAX", "/1", None,
     "Literals are judged when all else holds."),
    ("literal-then-trailing", "[1]", "[NaN] \u2038x", "EP_TRAILING", "", None,
     "Literals are judged when all else holds."),
    ("surrogate-digits", '"\\ud83d\\ude00"', '"\\ud83d\u2038\\u12 4"', "EP_ESCAPE", "", None,
     "The digits of a pair are read first."),
    ("surrogate-then-escape", '"\\ud83d\\ude00"', '"\u2038\\ud83d\\x"', "EP_SURROGATE", "", None,
     "What follows is no second of a pair, and is read no further."),
    ("surrogate-then-control", '"\\ud83d\\ude00"', '"\u2038\\ud83d\x01"', "EP_SURROGATE", "", None,
     "What follows is no second of a pair, and is read no further."),
    ("surrogate-then-byte", '"\\ud83d\\ude00"', '"\u2038\\ud83d\udcff"', "EP_SURROGATE", "", None,
     "What follows is no second of a pair, and is read no further."),
    ("escape-of-control", '"\\n"', '"\u2038\\\x01"', "EP_ESCAPE", "", None,
     "A backslash that begins no escape, whatever follows."),
    ("escape-of-byte", '"\\n"', '"\u2038\\\udcff"', "EP_ESCAPE", "", None,
     "A backslash that begins no escape, whatever follows."),
    ("surrogate-digits-end", '"\\ud83d\\ude00"', '"\\ud83d\\ud8\u2038', "EP_END", "", None,
     "The digits of a pair are read first."),
    ("low-surrogate-digits-end", '"b"', '"\\ude\u2038', "EP_END", "", None,
     "The digits of an escape are read first."),
    ("low-surrogate-digits", '"b"', '"\u2038\\ude0g"', "EP_ESCAPE", "", None,
     "The digits of an escape are read first."),
)


def wire(suite):
    for name, twin, bad, code, pointer, options, why in WIRE:
        data, offset = marked(bad)
        base = suite.whole("order/twin-%s" % name, "wire", None, twin, "1.5.1",
                           "The twin of order/%s." % name, options)
        suite.invalid("order/" + name, base, change_between(twin, data), code, (offset, pointer),
                      why, also=["1.5.1"], flags=["precedence"], provenance="hand")


# ---- values that may not be there -----------------------------------------------


def unwanted(suite):
    """A value that is too many is that before it is anything else."""
    document = Document(Rich(VERSIONS["1"]).program())
    nodes = list(document.nodes())
    pair = next(each for each in nodes if each.kind == "tuple" and each.items[0].kind == "scalar")
    for label, text in (("null", "null"), ("type", "{}"), ("literal", "NaN")):
        suite.invalid("order/third-item-%s/1" % label, "program/rich/1",
                      (pair.items[1].end, 0, ", " + text), "EP_TUPLE_LENGTH",
                      (pair.items[1].end + 2, pair.pointer + "/2"),
                      "A third item, whatever it is.", also=["1.5.1"], flags=["precedence"])
    union = next(each for each in nodes if each.kind == "union" and each.type == "SymInt"
                 and each.tag == "as_expr")
    second = union.member("as_int")
    for label, text in (("type", '"x"'), ("literal", "NaN"), ("form", "1.5")):
        suite.invalid("order/second-value-%s/1" % label, "program/rich/1", replace(second, text),
                      "EP_SECOND_TAG", (second.start, second.pointer),
                      "A second value, whatever it is.", also=["1.5.1"], flags=["precedence"])
    for name in ("1", "7.3"):
        document = Document(Rich(VERSIONS[name]).program())
        none = next(each for each in document.nodes() if each.place == ("Argument", "as_none"))
        for label, text in (("null", "[null]"), ("literal", "[NaN]")):
            suite.invalid("order/none-%s/%s" % (label, name), "program/rich/" + name,
                          replace(none, text), "EP_UNIT", (none.start, none.pointer),
                          "as_none is an array without items, whatever they are.", also=["1.5.1"],
                          flags=["precedence"])
    missing_and_none(suite)


def missing_and_none(suite):
    """One brace, two errors."""
    document = Document(Rich(VERSIONS["2"]).program())
    node = next(each for each in document.nodes() if each.kind == "union"
                and each.type == "SymInt" and each.tag == "as_int")
    text = '{"as_expr": null}'
    suite.invalid("order/missing-and-no-value/2", "program/rich/2", replace(node, text),
                  "EP_MISSING_FIELD", (node.start + len(text) - 1, node.pointer),
                  "A variant is missing, and no other has a value.", also=["1.5.1", "3.6.1"],
                  flags=["precedence"])
    document = Document(Rich(VERSIONS["3.1"]).program())
    tag = next(each for each in document.nodes() if each.kind == "union").members[0][1]
    suite.invalid("order/tag-literal/3.1", "program/rich/3.1", replace(tag, "NaN"), "EP_NONFINITE",
                  (tag.start, tag.pointer), "The tag is a string, and so no place for a literal.",
                  also=["3.6.6"])


def vectors(suite):
    two_errors(suite)
    outermost(suite)
    wire(suite)
    unwanted(suite)
