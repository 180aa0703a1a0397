"""How deep documents may nest when nobody says: as deep as the implementation likes,
from 256 levels on.  It may refuse, but not crash or hang.  The documents are valid but
for that, and nothing else is deep about them.
"""

import re

from format.document import Document
from format.history import VERSIONS
from format.programs import Rich, carrier

LATEST = "8.20"
DEPTHS = (1000, 20000, 1000000)
BIGGEST = 16 << 20  # bytes of a document that are worth their time
DEFAULT = 1000      # levels that epref allows when nobody says
STRING = re.compile(r'"(\\.|[^"\\])*"')

UNION = ('{"as_string_to_argument": {"k": ', '{"as_int": 1}', "}}")
GRAPH = ('{"as_graph": {"name": "g", "graph": {"inputs": [], "outputs": [], "tensor_values": {}, '
         '"sym_int_values": {}, "sym_bool_values": {}, "nodes": [{"target": "t", "outputs": [], '
         '"metadata": {}, "inputs": [{"name": "", "arg": ', '{"as_int": 1}', "}]}]}}}")


def levels_open(text):
    """How many arrays and objects a text leaves open."""
    bare = STRING.sub("", text)
    return len(re.findall(r"[\[{]", bare)) - len(re.findall(r"[\]}]", bare))


def levels_of(text):
    """How deep a text is."""
    bare = STRING.sub("", text)
    return max(levels_open(bare[:end]) for end in range(len(bare) + 1))


def named(label, levels, version):
    return "/".join(["nesting", "%s-%d" % (label, levels)] + [version] * bool(version))


def nested(suite, label, base, place, pieces, why):
    """A document for each depth: at a place of a base, where it begins and ends, the first
    piece again and again, the second, and the third as often as the first."""
    (begin, end), (before, between, after) = place, pieces
    vector = suite.vectors[base]
    around = levels_open(suite.bytes[base][:begin].decode("utf-8")) + levels_of(between)
    each = levels_open(before)
    for levels in DEPTHS:
        times = (levels - around) // each
        if times * len(before + after) > BIGGEST:
            continue
        fits = around + times * each <= DEFAULT
        suite.valid_edit(named(label, levels, vector["schema"]), base,
                         (begin, end - begin, before, times, between, after), ["1.4.2", "1.4.5"],
                         why, verdict="implementation-defined", code="EP_LIMIT_DEPTH",
                         profiles={"epref": "valid" if fits else "invalid"}, provenance="hand",
                         flags=["large"])


def wire(suite):
    base = suite.whole("wire/valid/array", "wire", None, "[1, 2]", "2.1.2", "")
    whole = (0, len(suite.bytes[base]))
    for label, before, after in (("arrays", "[", "]"), ("objects", '{"a": ', "}"),
                                 ("mixed", '[{"a": ', "}]"), ("arrays-behind", "[1, ", "]"),
                                 ("objects-before", '{"a": ', ', "b": 1}')):
        nested(suite, label, base, whole, (before, "1", after), "So many levels, and nothing else.")


def arguments(suite):
    """Arguments in Arguments: by a dict, and by a graph and its node."""
    root, node = carrier(VERSIONS[LATEST], "as_string_to_argument", '{"k": {"as_ints": [1, 2]}}')
    text = Document(root).text
    base = suite.whole("nesting/base/" + LATEST, "decode", LATEST, text, "3.6.1",
                       "An Argument in an Argument.")
    place = (node.start + len('{"k": '), node.end - 1)
    nested(suite, "unions", base, place, UNION, "Unions in unions.")
    nested(suite, "graphs", base, place, GRAPH, "Graphs in graphs.")


def operations(suite):
    """The same of a program that is written, and of a whole one, which is judged as such."""
    document = Document(Rich(VERSIONS[LATEST]).program())
    node = next(each for each in document.nodes() if each.place == ("Argument", "as_int"))
    place = (node.start - len('{"as_int": '), node.end + 1)
    nested(suite, "written-unions", "encode/rich/" + LATEST, place, UNION,
           "Unions in unions, to be written.")
    base, argument = "value/base/" + LATEST, '{"as_sym_bool": {"as_name": "flag"}}'
    begin = suite.bytes[base].decode("utf-8").rindex('"arg": ' + argument) + len('"arg": ')
    nested(suite, "checked-unions", base, (begin, begin + len(argument)), UNION,
           "Unions in unions of a whole program.")


def passed_over(suite):
    """What stands in a field that is passed over is read all the same."""
    document = Document(Rich(VERSIONS[LATEST]).program())
    node = next(each for each in document.nodes() if each.kind == "struct" and each.type == "Node")
    end = node.end - 1
    told = [{"code": "EP_UNKNOWN_FIELD", "offset": end + 2, "pointer": node.pointer + "/new_field"}]
    base = suite.valid_edit("nesting/base-unknown/8.21", "forward/rich/8.21",
                            (end, 0, ', "new_field": 1'), "3.10.2", "A field that is passed over.",
                            provenance="hand", warnings=told)
    begin = end + len(', "new_field": ')
    for label, before, after in (("arrays", "[", "]"), ("objects", '{"a": ', "}")):
        nested(suite, "unknown-" + label, base, (begin, begin + 1), (before, "1", after),
               "Passed over, however deep.")


def vectors(suite):
    wire(suite)
    arguments(suite)
    operations(suite)
    passed_over(suite)
