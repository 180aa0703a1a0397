"""Limits, those that are set and those that every decoder accepts, and memory."""

from format.document import Document, replace
from format.history import VERSIONS
from format.programs import Rich, carrier
from generate.suite import to_bytes

MIB = 1 << 20


def wire(suite, name, text, clause, why, **more):
    return suite.valid("limit/" + name, "wire", None, text, clause, why, provenance="hand", **more)


# ---- at the limits that are set ---------------------------------------------


def bytes_(suite):
    text = '{"a": 1}'
    twin = wire(suite, "bytes/at", text, "1.4.1", "As long as the limit.",
                options={"limits": {"bytes": len(text)}})
    suite.invalid("limit/bytes/above", twin, (len(text), 0, " "), "EP_LIMIT_BYTES", (0, ""),
                  "A byte more; white space counts.", provenance="hand")
    suite.invalid("limit/bytes/broken", twin, (7, 1, "x]"), "EP_LIMIT_BYTES", (0, ""),
                  "Too long, and not JSON: nobody looks.", provenance="hand",
                  also=["1.5.1"], flags=["precedence"])


def depth(suite):
    options = {"limits": {"depth": 4}}
    twin = wire(suite, "depth/arrays-at", "[[[[]]]]", "1.4.2", "As deep as the limit.",
                options=options)
    suite.invalid("limit/depth/arrays", twin, (4, 0, "[]"), "EP_LIMIT_DEPTH", (4, "/0/0/0/0"),
                  "One deeper.", provenance="hand")
    text = '{"a": {"b": {"c": {"d": 1}}}}'
    twin = wire(suite, "depth/objects-at", text, "1.4.2", "As deep as the limit.", options=options)
    at = text.index("1")
    for label, found in (("object", "{}"), ("array", "[1]")):
        suite.invalid("limit/depth/objects-" + label, twin, (at, 1, found), "EP_LIMIT_DEPTH",
                      (at, "/a/b/c/d"), "One deeper.", provenance="hand")
    text = '[[[[]]], [[[]], [[]], [[]]], {"a": [[]]}]'
    wire(suite, "depth/sum", text, "1.4.2", "What is closed does not count.", options=options)
    for level in range(1, 4):
        name = wire(suite, "depth/%d" % level, "[" * level + "]" * level, "1.4.2",
                    "As deep as the limit.", options={"limits": {"depth": level}})
        suite.invalid("limit/depth/%d-above" % level, name, (level, 0, "{}"), "EP_LIMIT_DEPTH",
                      (level, "/0" * level), "One deeper.", provenance="hand")


def values(suite):
    text = '{"a": [1, "b", null], "c": {}}'  # six, the keys not counted
    twin = wire(suite, "values/at", text, "1.4.3", "As many as the limit.",
                options={"limits": {"values": 6}})
    for label, found, offset, where in (
            ("scalar", '{"d": 1}', 6, "/d"), ("literal", '{"d": true}', 6, "/d"),
            ("array", '{"d": []}', 6, "/d"), ("object", '{"d": {}}', 6, "/d")):
        at = text.index("{}")
        suite.invalid("limit/values/" + label, twin, (at, 2, found), "EP_LIMIT_VALUES",
                      (at + offset, "/c" + where), "One more.", provenance="hand")
    for label, found in (("zero", "\0"), ("letter", "x"), ("comma", ","), ("colon", ":"),
                         ("bracket", "]"), ("plus", "+1"), ("quote", "'d'")):
        suite.invalid("limit/values/no-" + label, twin, (text.index("{}"), 2, '{"d": %s}' % found),
                      "EP_SYNTAX", (text.index("{}") + 6, "/c/d"),
                      "What begins no value is none too many.", provenance="hand", also=["2.1.2"],
                      flags=["precedence"])
    twin = wire(suite, "values/depth-at", "[[1]]", ["1.4.3", "1.4.2", "1.5.1"],
                "At two limits at once.", options={"limits": {"values": 3, "depth": 2}})
    suite.invalid("limit/values/and-depth", twin, (3, 0, ", []"), "EP_LIMIT_VALUES", (5, "/0/1"),
                  "Beyond both limits.", provenance="hand", flags=["precedence"],
                  also=["1.4.2", "1.5.1"])


def strings(suite):
    options = {"limits": {"string": 6}}
    for label, text in (("letters", "bbbbbb"), ("bytes", "bb\u00e9\u00e9"), ("escape", "\\u00e9")):
        twin = wire(suite, "string/%s-at" % label, '["%s"]' % text, "1.4.4",
                    "As long as the limit.", options=options)
        end = 2 + len(to_bytes(text))
        suite.invalid("limit/string/" + label, twin, (end, 0, "b"), "EP_LIMIT_STRING", (1, "/0"),
                      "One byte more.", provenance="hand")
    twin = wire(suite, "string/key-at", '{"aaaaaa": 1}', "1.4.4", "As long as the limit.",
                options=options)
    suite.invalid("limit/string/key", twin, (8, 0, "a"), "EP_LIMIT_STRING", (1, ""),
                  "Keys are strings.", provenance="hand")


def in_programs(suite):
    """The same limits while a program is decoded."""
    version = VERSIONS["8.20"]
    root, node = carrier(version, "as_string_to_argument", '{"k": {"as_ints": [1, 2]}}')
    text = Document(root).text
    depth_there = 8  # program, module, graph, inputs, argument, dict, argument, list
    for limit, clause, count, change, code, at, why in (
            ("depth", "1.4.2", depth_there, '{"k": {"as_int_lists": [[1]]}}', "EP_LIMIT_DEPTH",
             (node.start + 24, node.pointer + "/k/as_int_lists/0"), "One deeper."),
            ("string", "1.4.4", 21, '{"k": {"as_string": "%s"}}' % ("b" * 22), "EP_LIMIT_STRING",
             (node.start + 20, node.pointer + "/k/as_string"),
             "A byte more than as_string_to_argument has."),
            ("bytes", "1.4.1", len(text), '{"k": {"as_ints": [1, 23]}}', "EP_LIMIT_BYTES", (0, ""),
             "A byte more.")):
        twin = suite.valid("limit/program/%s-at/8.20" % limit, "decode", "8.20", text, clause,
                           "At the limit.", options={"limits": {limit: count}},
                           file="programs/8.20-limits.json")
        suite.invalid("limit/program/%s/8.20" % limit, twin, replace(node, change), code, at, why)
    for name in ("1", "2", "3.1", "7.3", "8.20"):
        program_values(suite, name)
        program_depth(suite, name)
    long_keys(suite)


def program_values(suite, name):
    """Values of a program, counted by counting what is no key."""
    document = Document(Rich(VERSIONS[name]).program())
    nodes = list(document.nodes())
    base = suite.valid_edit("limit/program/values-at/" + name, "program/rich/" + name, None,
                            "1.4.3", "At the limit.", options={
                                **VERSIONS[name].options, "limits": {"values": len(nodes)}})
    node = next(each for each in nodes if each.place == ("Argument", "as_ints"))
    last = nodes[-1]
    change = (node.end - 1, 0, ", 5")
    suite.invalid("limit/program/values/" + name, base, change, "EP_LIMIT_VALUES",
                  (last.start + 3, last.pointer), "One more; the last is too many.")


def program_depth(suite, name):
    """The [] of as_none is an array like any other."""
    text = "true" if name == "8.20" else "[]"
    root, node = carrier(VERSIONS[name], "as_none", text)
    document = Document(root)
    deepest = max(each.pointer.count("/") + 1 for each in document.nodes()
                  if each.object or each.kind == "list" or each.text == "[]")
    options = {"limits": {"depth": deepest}}
    base = suite.valid("limit/program/none-at/" + name, "decode", name, document.text, "1.4.2",
                       "At the limit.", options=options, file="programs/%s-none.json" % name)
    if text == "[]":
        suite.invalid("limit/program/none/" + name, base, None, "EP_LIMIT_DEPTH",
                      (node.start, node.pointer), "The array of as_none is one level.",
                      options={"limits": {"depth": deepest - 1}})


def long_keys(suite):
    """Names of fields are keys, and keys are strings."""
    twin = "program/smallest/8.20"
    text = suite.bytes[twin].decode("ascii")
    base = suite.valid_edit("limit/program/names-at/8.20", twin, None, "1.4.4",
                            "The longest names have 17 letters.",
                            options={"limits": {"string": len("module_call_graph")}})
    suite.invalid("limit/program/names/8.20", base, None, "EP_LIMIT_STRING",
                  (text.index('"module_call_graph"'), "/graph_module"),
                  "The longest names have 17 letters.",
                  options={"limits": {"string": len("module_call_graph") - 1}})


# ---- what every decoder accepts ---------------------------------------------


def accepted(suite):
    """At the limits that every decoder accepts; and beyond, by default."""
    wire(suite, "accepted/depth-256", "[" * 256 + "]" * 256, "1.4.2", "256 levels.",
         file="limits/depth-256.json")
    suite.valid("limit/beyond/depth-257", "wire", None, "[" * 257 + "]" * 257, "1.4.2",
                "257 levels may be too many.", verdict="implementation-defined",
                code="EP_LIMIT_DEPTH", profiles={"epref": "valid"}, file="limits/depth-257.json",
                provenance="hand")
    text = '{"a": 1}'
    base = suite.whole("wire/valid/object", "wire", None, text, "2.1.2", "")
    size = 64 * MIB
    suite.valid_edit("limit/accepted/bytes", base, (len(text), 0, " ", size - len(text)), "1.4.1",
                     "64 MiB, nearly all of it white space.", provenance="hand", flags=["large"])
    suite.valid_edit("limit/beyond/bytes", base, (len(text), 0, " ", size + 1 - len(text)),
                     "1.4.1", "A byte more.", verdict="implementation-defined",
                     code="EP_LIMIT_BYTES", profiles={"epref": "valid"}, provenance="hand",
                     flags=["large"])
    base = suite.whole("wire/valid/array", "wire", None, "[1, 2]", "2.1.2", "")
    count = 10 * 1000 * 1000
    suite.valid_edit("limit/accepted/values", base, (1, 0, "0,", count - 3), "1.4.3",
                     "10,000,000 values.", provenance="hand", flags=["large"])
    suite.valid_edit("limit/beyond/values", base, (1, 0, "0,", count - 2), "1.4.3",
                     "One more.", verdict="implementation-defined", code="EP_LIMIT_VALUES",
                     profiles={"epref": "valid"}, provenance="hand", flags=["large"])
    base = suite.whole("wire/valid/text", "wire", None, '"b"', "2.1.2", "")
    suite.valid_edit("limit/accepted/string", base, (1, 1, "b", 16 * MIB), "1.4.4",
                     "A string of 16 MiB.", provenance="hand", flags=["large"])
    suite.valid_edit("limit/beyond/string", base, (1, 1, "b", 16 * MIB + 1), "1.4.4",
                     "A byte more.", verdict="implementation-defined", code="EP_LIMIT_STRING",
                     profiles={"epref": "valid"}, provenance="hand", flags=["large"])
    base = suite.whole("wire/valid/object", "wire", None, text, "2.1.2", "")
    suite.valid_edit("limit/accepted/key", base, (2, 1, "a", 16 * MIB), "1.4.4",
                     "A key of 16 MiB.", provenance="hand", flags=["large"])
    refused_depth(suite)
    large_programs(suite)


def refused_depth(suite):
    """However deep: refused in an orderly way, and with little memory."""
    limits = {"limits": {"depth": 1000}, "memory": MIB}
    twin = wire(suite, "depth/1000-at", "[" * 1000 + "]" * 1000, ["1.4.2", "1.4.5"],
                "1,000 levels, allowed.", options=limits, file="limits/depth-1000.json")
    suite.invalid("limit/depth/200000", twin, (0, 2000, "[", 200000), "EP_LIMIT_DEPTH",
                  (1000, "/0" * 1000), "200,000 opening brackets.", provenance="hand",
                  flags=["large"], also=["1.4.5"])
    suite.invalid("limit/depth/200000-objects", twin, (0, 2000, '{"":', 200000), "EP_LIMIT_DEPTH",
                  (4000, "/" * 1000), "200,000 opening braces.", provenance="hand",
                  flags=["large"], also=["1.4.5"])


def large_programs(suite):
    """Decoding, not only the wire level, at what every decoder accepts."""
    version = VERSIONS["8.20"]
    for name, place, text, change, clause, why in (
            ("values", "as_ints", "[1, 2]", (1, 0, "0,", 9 * 1000 * 1000), "1.4.3",
             "9,000,000 integers."),
            ("string", "as_string", '"b"', (1, 1, "b", 16 * MIB), "1.4.4", "A string of 16 MiB."),
            ("keys", "opset_version", '{"a": 1}', (2, 1, "a", 16 * MIB), "1.4.4",
             "A key of 16 MiB.")):
        root, node = carrier(version, place, text)
        document = Document(root)
        base = suite.whole("program/carrier/%s-other/8.20" % place, "decode", "8.20",
                           document.text, "3.4.1", "A program that carries %s as %s." % (
                               text, place))
        suite.valid_edit("limit/accepted/program-%s/8.20" % name, base,
                         (node.start + change[0], *change[1:]), clause, why, flags=["large"])


# ---- memory -----------------------------------------------------------------


def memory(suite):
    """What a document claims is no reason to allocate."""
    root, _ = carrier(VERSIONS["8.20"], "as_ints", "[9223372036854775807, 1]")
    document = Document(root)
    twin = suite.valid("memory/claims/8.20", "decode", "8.20", document.text, "1.4.5",
                       "A size of 2^63 - 1 is a number like any other.",
                       options={"memory": 262144}, flags=["memory"])
    suite.invalid("memory/none/8.20", twin, None, "EP_MEMORY", None,
                  "64 bytes are too few for any program.", options={"memory": 64},
                  flags=["memory"])


def vectors(suite):
    bytes_(suite)
    depth(suite)
    values(suite)
    strings(suite)
    in_programs(suite)
    accepted(suite)
    memory(suite)
