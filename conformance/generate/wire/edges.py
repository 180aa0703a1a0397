"""Where a decoder stops: at each of many values that a limit forbids, at names that are longer than
any that is known, at strings that are wrong in the place of something else.
"""

from format.document import Document, append, child_pointer, replace
from format.history import BARE, QUOTED, QUOTED_INFINITY, VERSIONS
from format.programs import Rich, carrier

STYLES = ("1", "2", "3.1", "5.1", "7.3", "8.7", "8.20")  # every form of unions and of fields
PICKED = 24


def picked(nodes, text):
    """Numbers of values, spread evenly, and those that name a union's type."""
    step = max(len(nodes) // PICKED, 1)
    named = [i for i, node in enumerate(nodes)
             if text[max(node.start - 9, 0):node.start] == '"$type": ']
    return sorted({*range(1, len(nodes), step), *named[:3], *named[3::max(len(named) // 8, 1)]})


def values(suite):
    """Of a program of every type, the value that is one too many."""
    for name in STYLES:
        document = Document(Rich(VERSIONS[name]).program())
        nodes = sorted(document.nodes(), key=lambda node: node.start)
        base = "limit/program/values-at/" + name
        if base not in suite.vectors:
            suite.valid_edit(base, "program/rich/" + name, None, "1.4.3", "At the limit.",
                             options={**VERSIONS[name].options, "limits": {"values": len(nodes)}})
        for i in picked(nodes, document.text):
            suite.invalid("limit/program/values-%04d/%s" % (i, name), base, None,
                          "EP_LIMIT_VALUES", (nodes[i].start, nodes[i].pointer),
                          "One more than %d." % i,
                          options={**VERSIONS[name].options, "limits": {"values": i}})


def escaped(name):
    return "".join("\\u%04x" % ord(letter) for letter in name)


def names(suite):
    """Names of no field, with every letter escaped, or but one."""
    for version in ("2", "7.3", "8.20"):
        document = Document(Rich(VERSIONS[version]).program())
        twin = "program/rich/" + version
        graph = next(node for node in document.nodes() if node.type == "Graph")
        for count in (20, 60, 100, 400):
            name = "tensor_values" + "x" * count
            for label, spelled in (("all", escaped(name)), ("first", escaped(name[0]) + name[1:]),
                                   ("last", name[:-1] + escaped(name[-1]))):
                change, key = append(graph, '"%s"' % spelled, "1")
                suite.invalid("field/unknown-long/%d-%s/%s" % (count, label, version), twin, change,
                              "EP_UNKNOWN_FIELD", (key, child_pointer(graph, name)),
                              "A name that begins as one of Graph does.", provenance="hand",
                              flags=["large"] if len(change[2]) > 300 else None)


STRINGS = (("escape", '"Inf\\qinity"', "EP_ESCAPE", 4), ("control", '"Na\tN"', "EP_CONTROL", 3),
           ("surrogate", '"\\udc00"', "EP_SURROGATE", 1))


def strings(suite):
    """A string that is none, where a number may be a string, and where none may."""
    for version in ("2", "7.3", "8.7", "8.14", "8.20"):
        for place in ("as_float", "as_int"):
            root, node = carrier(VERSIONS[version], place, "1.5" if place == "as_float" else "1")
            text = Document(root).text
            twin = suite.valid("token/string-for-%s/%s" % (place[3:], version), "decode", version,
                               text, "2.4.1", "A number.", options=VERSIONS[version].options,
                               provenance="hand",
                               file="programs/%s-string-for-%s.json" % (version, place[3:]))
            for label, wrong, code, at in STRINGS:
                suite.invalid("token/string-for-%s-%s/%s" % (place[3:], label, version), twin,
                              replace(node, wrong), code, (node.start + at, node.pointer),
                              "It is no string, which is told before that none may stand there.",
                              provenance="hand", flags=["precedence"], also=["1.5.1"])


def floats(suite):
    """What is no number, in every version: as a word, and as a string."""
    for name, version in VERSIONS.items():
        document = Document(Rich(version).program())
        node = next(each for each in document.nodes() if each.place == ("Argument", "as_float"))
        twin = "program/rich/" + name
        strings = {BARE: (), QUOTED_INFINITY: ("Infinity", "-Infinity"),
                   QUOTED: ("Infinity", "-Infinity", "NaN")}[version.floats]
        for word in ("Infinity", "-Infinity", "NaN"):
            for label, text, allowed, clause, code in (
                    ("word", word, version.floats == BARE, "2.7.1", "EP_NONFINITE"),
                    ("string", '"%s"' % word, word in strings, "3.3.3", "EP_FLOAT_STRING")):
                there = "float/%s-%s/%s" % (label, word, name)
                if allowed:
                    suite.valid_edit(there, twin, replace(node, text), clause,
                                     "So the version writes it.")
                else:
                    suite.invalid(there, twin, replace(node, text), code,
                                  (node.start, node.pointer), "Not so in this version.")


def vectors(suite):
    floats(suite)
    values(suite)
    names(suite)
    strings(suite)
