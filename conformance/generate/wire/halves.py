"""What a reader that reads as PyTorch writes, and guesses what comes next, may let pass: another
byte in the place of a separator, a string or a word that breaks off where the text goes on as if it
had ended, a name that is nearly the one that is awaited, an end within a key, the last value of
those that are counted.
"""

import json

from format.document import Document
from format.history import VERSIONS
from format.programs import Encoded, Smallest, carrier

LATEST = "8.20"


class Halves:
    """Documents of a version, and changes of their texts."""

    def __init__(self, suite, version):
        self.suite, self.version = suite, VERSIONS[version]
        self.name = version

    def smallest(self):
        return Document(Smallest(self.version).program()).text

    def carried(self, tag, text):
        """A graph whose one input has this under a tag."""
        root, _ = carrier(self.version, tag, text)
        return Document(root).text

    def twin(self, label, text, clause, why, **more):
        return self.suite.whole("program/halves-%s/%s" % (label, self.name), "decode", self.name,
                                text, clause, why, **more)

    def bad(self, label, twin, old, new, code, place, why, also=()):
        """A piece of the twin's text, which it has once, made another; place: the piece of the
        new text, how far in it the fault is, its pointer."""
        text = self.suite.bytes[twin].decode("utf-8")
        assert text.count(old) == 1, (label, old, text.count(old))
        begin = text.index(old)
        self.suite.invalid("program/halves-%s/%s" % (label, self.name), twin,
                           (begin, len(old), new), code, (begin + place[0], place[1]), why,
                           provenance="hand", also=list(also))


def separators(suite):
    """Between the members of an object that PyTorch writes in its own order."""
    halves = Halves(suite, LATEST)
    twin = halves.twin("program", halves.smallest(), "2.1.2", "The smallest program.")
    old = '"outputs": [], "nodes": []'
    for label, new, at in (
            ("none", '"outputs": []"nodes": []', 13), ("blank", '"outputs": [] "nodes": []', 14),
            ("dash", '"outputs": []- "nodes": []', 13),
            ("semicolon", '"outputs": []; "nodes": []', 13),
            ("byte", '"outputs": [], !"nodes": []', 15), ("two", '"outputs": [],,"nodes": []', 14)):
        halves.bad("separator-" + label, twin, old, new, "EP_SYNTAX", (at, "/graph_module/graph"),
                   "No comma, or more than one.")
    for label, old, new, pointer in (
            ("first", '{"inputs": []', '{, "inputs": []', "/graph_module/graph"),
            ("outermost", '{"graph_module"', '{, "graph_module"', "")):
        halves.bad("separator-" + label, twin, old, new, "EP_SYNTAX", (1, pointer),
                   "A comma before the first member.")
    twin = halves.twin("ints", halves.carried("as_ints", "[1, 2]"), "2.1.2", "Two numbers.")
    for label, new, at in (("byte", "[1,!2]", 3), ("blank", "[1, !2]", 4), ("none", "[1 2]", 3)):
        halves.bad("item-" + label, twin, "[1, 2]", new, "EP_SYNTAX", (
            at, "/graph_module/graph/inputs/0/as_ints" + ("" if label == "none" else "/1")),
            "No comma alone.")


def names(suite):
    """Names of the length of the one that is awaited, which end in another way."""
    halves = Halves(suite, LATEST)
    twin = halves.twin("program", halves.smallest(), "2.1.2", "The smallest program.")
    for name in ("inputs", "nodes", "tensor_values", "sym_int_values", "sym_bool_values"):
        for label, wrong in (("last", name[:-1] + chr(ord(name[-1]) + 1)),
                             ("middle", name[:3] + chr(ord(name[3]) - 1) + name[4:])):
            halves.bad("name-%s-%s" % (name, label), twin, '"%s": ' % name, '"%s": ' % wrong,
                       "EP_UNKNOWN_FIELD", (0, "/graph_module/graph/" + wrong),
                       "Another name of its length.")
    for name in ("opset_version", "range_constraints"):
        wrong = name[:-1] + "m"
        halves.bad("name-%s-last" % name, twin, '"%s": ' % name, '"%s": ' % wrong,
                   "EP_UNKNOWN_FIELD", (0, "/" + wrong), "Another name of its length.")


def broken(suite):
    """Strings that end with their line, where a text goes on as behind a string: the string before
    has been whole."""
    halves = Halves(suite, LATEST)
    text = halves.smallest().replace('"opset_version": {}', '"opset_version": {"aten": 10}')
    text = text.replace('"range_constraints": {}',
                        '"range_constraints": {"s1": {"min_val": 2, "max_val": 8}}')
    twin = halves.twin("keys", text, "2.4.1", "Keys of two dicts.")
    halves.bad("broken-key", twin, '"s1": ', '"s1\n: ', "EP_CONTROL",
               (3, "/range_constraints"), "A key that ends with its line.")
    twin = halves.twin("tags", halves.carried("as_sym_ints", '[{ "as_int": 2}, { "as_int": 3}]'),
                       "2.4.1", "Two tags.")
    halves.bad("broken-tag", twin, '"as_int": 3', '"as_int\n: 3', "EP_CONTROL",
               (7, "/graph_module/graph/inputs/0/as_sym_ints/1"), "A tag that ends with its line.")
    halves = Halves(suite, "8.17")
    twin = halves.twin("floats", halves.carried("as_floats", '["Infinity", "-Infinity"]'), "2.4.1",
                       "Two floats.")
    halves.bad("broken-float", twin, '"-Infinity"', '"-Infinity\n', "EP_CONTROL",
               (10, "/graph_module/graph/inputs/0/as_floats/1"), "It ends with its line.")
    halves = Halves(suite, "1")
    text = halves.smallest().replace('"example_inputs": null',
                                     '"example_inputs": [["AAEC", "AAEC"], {}]')
    twin = halves.twin("bytes", text, "2.4.1", "Two pieces of bytes.")
    halves.bad("broken-bytes", twin, '"AAEC"]', '"AAEC\n]', "EP_CONTROL",
               (5, "/example_inputs/0/1"), "They end with their line.")
    halves.bad("broken-no-bytes", twin, '"AAEC"]', '"\n]', "EP_CONTROL",
               (1, "/example_inputs/0/1"), "They end with their line.")


def words(suite):
    """Words that lack their last letter, behind a whole one."""
    halves = Halves(suite, "7.3")
    root, _ = carrier(VERSIONS["7.3"], "range_constraints",
                      '{"s0": {"min_val": 2, "max_val": Infinity}, '
                      '"s1": {"min_val": 3, "max_val": Infinity}}')
    twin = halves.twin("ends", Document(root).text, ["2.7.1"], "Two open ends.")
    for label, word in (("cut", "Infinit"), ("other", "Infinitx")):
        halves.bad("end-" + label, twin, '3, "max_val": Infinity', '3, "max_val": ' + word,
                   "EP_SYNTAX", (14 + 7, "/range_constraints/s1/max_val"), "No word.")
    twin = halves.twin("bare", halves.carried("as_floats", "[Infinity, -Infinity]"), ["2.7.1"],
                       "Two infinities.")
    halves.bad("bare-cut", twin, "-Infinity", "-Infinit", "EP_SYNTAX",
               (8, "/graph_module/graph/inputs/0/as_floats/1"), "No word.")
    halves = Halves(suite, "2")
    twin = halves.twin("variants", halves.carried("as_int", "3"), ["3.6.1"], "Each variant.")
    for label, word in (("cut", "nul"), ("other", "nulL")):
        halves.bad("null-" + label, twin, '"as_float": null, ', '"as_float": %s, ' % word,
                   "EP_SYNTAX", (12 + 3, "/graph_module/graph/inputs/0/as_float"), "No word.")
    halves = Halves(suite, LATEST)
    twin = halves.twin("device", halves.carried(
        "as_device", '{"type": "cpu", "index": null}'), ["3.4.2"], "No index.")
    for label, word in (("cut", "nul"), ("other", "nul!"), ("letter", "nulL")):
        halves.bad("index-" + label, twin, '"index": null', '"index": ' + word, "EP_SYNTAX",
                   (9 + 3, "/graph_module/graph/inputs/0/as_device/index"), "No word.")


def tuples(suite):
    """Tuples without a comma, and with a third item behind more white space than PyTorch
    writes."""
    halves = Halves(suite, "1")
    text = halves.smallest().replace('"example_inputs": null', '"example_inputs": [[], {}]')
    twin = halves.twin("tuple", text, "3.8.2", "A tuple.")
    halves.bad("tuple-comma", twin, "[[], {}]", "[[] {}]", "EP_SYNTAX", (4, "/example_inputs"),
               "No comma between the two.")
    halves.bad("tuple-third", twin, "[[], {}]", "[[], {},   {}]", "EP_TUPLE_LENGTH",
               (11, "/example_inputs/2"), "A third item.")
    halves.bad("tuple-one", twin, "[[], {}]", "[[]  ]", "EP_TUPLE_LENGTH", (5, "/example_inputs"),
               "One item.")


def ends(suite):
    """Documents that end within what is looked at in pieces: a key that is longer than all that
    there are, its quote and colon, a comma, a quote."""
    halves = Halves(suite, LATEST)
    name = "as_" + "x" * 60
    text = halves.carried("as_ints", "[1, 2]")
    twin = halves.twin("ints", text, "2.1.2", "Two numbers.")
    begin = text.index('"as_ints"')
    inside = "/graph_module/graph/inputs/0"
    list_of = inside + "/as_ints"
    for label, piece, pointer in (  # behind a key is in the value that is awaited
            ("quote", '"%s"' % name, inside + "/" + name),
            ("colon", '"%s":' % name, inside + "/" + name), ("name", '"%s' % name, inside),
            ("first", '"', inside), ("comma", '"as_ints": [1,', list_of + "/1"),
            ("number", '"as_ints": [1234', list_of + "/0"), ("bracket", '"as_ints": [', list_of),
            ("value", '"as_ints": [1, 2]', inside), ("tag", '"as_ints"', list_of),
            ("tag-colon", '"as_ints":', list_of), ("tag-blank", '"as_ints": ', list_of)):
        suite.invalid("program/halves-end-%s/%s" % (label, LATEST), twin,
                      (begin, len(text) - begin, piece), "EP_END", (begin + len(piece), pointer),
                      "The document ends here.", provenance="hand")


def longest(suite):
    """Documents that end within the value of the field with the longest name that there is."""
    name = "disable_forced_specializations"
    halves = Halves(suite, "5.4")
    text = halves.smallest()[:-1] + ', "%s": false}' % name
    twin = halves.twin("longest", text, "3.5.1", "The longest name.")
    for size in range(5):
        cut = text.rindex("false") + size
        assert text[cut:] == "false"[size:] + "}", text[cut:]
        suite.invalid("program/halves-longest-%d/5.4" % size, twin, (cut, len(text) - cut, ""),
                      "EP_END", (cut, "/" + name), "The document ends here.", provenance="hand")


def nothing(suite):
    """A node of an expression, of the one version that has them, without anything in it: its list
    is written all the same."""
    version = VERSIONS["8.2-ast"]
    text = Document(Encoded(version).program()).text
    said = '"sym_int_values": {"n": {"as_expr": {"expr_str": "s0", "expr_ast": {%s}}}}'
    text = text.replace('"sym_int_values": {}', said % "")
    suite.valid("encode/halves-node/8.2-ast", "encode", "8.2-ast", text, ["3.5.4", "3.9.2"],
                "No list of arguments is said, and it is written.", provenance="hand",
                options=version.options, file="programs/8.2-ast-node.json",
                product=suite.spelled(text.replace(said % "", said % '"args": []'),
                                      "programs/8.2-ast-node-encoded.json"))


def behind_values(suite):
    """Documents that end behind a long value, before the brace of its object."""
    halves, long = Halves(suite, LATEST), "x" * 70
    inside = "/graph_module/graph/inputs/0"
    for label, tag, text, pointer in (
            ("field", "as_device", '{"type": "%s", "index": 0}' % long, inside + "/as_device"),
            ("struct", "as_tensor", '{"name": "%s"}' % long, inside + "/as_tensor"),
            ("union", "as_string", '"%s"' % long, inside)):
        text = halves.carried(tag, text)
        twin = halves.twin("long-" + label, text, "2.4.1", "A long text.")
        cut = text.index('x"') + 2
        suite.invalid("program/halves-behind-%s/%s" % (label, LATEST), twin,
                      (cut, len(text) - cut, ""), "EP_END", (cut, pointer),
                      "The document ends behind the text.", provenance="hand")


def zero(suite):
    """A byte that begins no value, where one more value would be too many."""
    options = {"limits": {"values": 2}}
    twin = suite.valid("wire/halves-zero-at", "wire", None, "[1]", "1.4.3", "Two values.",
                       provenance="hand", options=options)
    for byte in (0, ord("]"), ord("x")):
        suite.invalid("wire/halves-zero-%d" % byte, twin, (2, 0, ", " + chr(byte)), "EP_SYNTAX",
                      (4, "/1"), "No value begins so.", provenance="hand", also=["1.4.3"])


def counted(suite):
    """A list of nothing as the last of the values, one beyond the limit."""
    root = Smallest(VERSIONS[LATEST]).program()
    module = root.member("graph_module")
    out = '{"user_output": {"arg": {"as_tensors": []}}}'
    signature = Document(module.member("signature")).text.replace(
        '"output_specs": []', '"output_specs": [%s]' % out)
    head = '{"opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": ' \
           '{"major": 8, "minor": 20}, "graph_module": {"graph": %s, "module_call_graph": [], ' \
           '"signature": %s}}' % (Document(module.member("graph")).text, signature)
    head += " " * 64  # so that who looks far ahead finds room
    count = sum(1 for _ in values_of(head))
    twin = suite.valid("limit/program/last-list-at/" + LATEST, "decode", LATEST, head, "1.4.3",
                       "As many values as the limit.", provenance="hand",
                       options={"limits": {"values": count}},
                       file="programs/8.20-last-list.json")
    change = '"aten": 10, "prim": 1'
    begin = head.index('"aten": 10')
    at = head.index("[]}}}") + len(change) - len('"aten": 10')
    suite.invalid("limit/program/last-list/" + LATEST, twin, (begin, len('"aten": 10'), change),
                  "EP_LIMIT_VALUES",
                  (at, "/graph_module/signature/output_specs/0/user_output/arg/as_tensors"),
                  "The list that ends the document is one too many.", provenance="hand")


def values_of(text):
    """All values of a text of JSON, keys left out."""
    def walk(value):
        yield value
        inner = value.values() if isinstance(value, dict) else value if isinstance(
            value, list) else ()
        for each in inner:
            yield from walk(each)
    yield from walk(json.loads(text))


def vectors(suite):
    for part in (separators, names, broken, words, tuples, ends, longest, behind_values, nothing,
                 zero, counted):
        part(suite)
