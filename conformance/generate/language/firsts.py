"""Two faults in texts of two languages: the one that stands first in the file is told (SPEC 1.5.1),
whatever the order in which the types list their members. Each pair is written twice, the second
time with the members of each struct from last to first.
"""

import copy
import itertools

from format.document import Document, Foreign
from generate.language.texts import SPEC, Texts
from generate.suite import change_between
from generate.whole import MARK, at, tree_of

LATEST = "8.20"
M = MARK
S0 = "Symbol('s0', positive=True, integer=True)"
DEVICE = "graph_module/graph/tensor_values/%s/device/type"


def of_device(name):
    """The type of the device of a tensor. It is wrong from its first letter on."""
    def put(data):
        data["graph"]["tensor_values"][name]["device"]["type"] = "Cuda"
    return lambda _: put


def of_table(table, name):
    def put(text):
        def change(data):
            data["graph"][table][name] = {"as_expr": {"expr_str": text}}
        return change
    return put


def of_size(text):
    def change(data):
        data["graph"]["tensor_values"]["x"]["sizes"] = [text, 3]
    return change


def of_entry(key):
    def put(text):
        def change(data):
            data["modules"][0]["signature"][key] = text
        return change
    return put


def of_guard(place):
    def put(text):
        def change(data):
            data["header"]["guards_code"][place:] = [text]
        return change
    return put


SUM = S0 + M + ")"
TREE = SPEC.replace('"builtins.tuple"', M + '"builtins.set"', 1)
GUARD = "L['x'].size()[0]" + M + "<=2"
CUSTOM = '{"a": ' + M + "x}"
# Of each language: what puts a text in, a text that is wrong at the mark, the code.
LANGUAGES = {
    "int": (of_table("sym_int_values", "m"), SUM, "EP_EXPR"),
    "float": (of_table("sym_float_values", "f"), "ToFloat(%s)" % S0 + M + ")", "EP_EXPR"),
    "bool": (of_table("sym_bool_values", "flag"), "Equality(%s, Integer(2))" % S0 + M + ")",
             "EP_EXPR"),
    "tree": (of_entry("in_spec"), TREE, "EP_TREESPEC_TYPE"),
    "metadata": (lambda text: Texts.metadata("custom", text), CUSTOM, "EP_METADATA_CUSTOM"),
    "target": (lambda text: Texts.node(0, "target", text), "aten" + M + "::relu", "EP_TARGET"),
    "guard": (of_guard(0), GUARD, "EP_GUARD"),
    "device": (of_device("x"), DEVICE % "x", "EP_DEVICE"),
}
# Two places of one language.
PLACES = (
    ("ints", LANGUAGES["int"], (of_table("sym_int_values", "n"), SUM, "EP_EXPR")),
    ("size", LANGUAGES["int"], (of_size, SUM, "EP_EXPR")),
    ("trees", LANGUAGES["tree"], (of_entry("out_spec"), TREE, "EP_TREESPEC_TYPE")),
    ("notes", LANGUAGES["metadata"], (lambda text: Texts.metadata("source_fn_stack", text),
                                      "cond" + M, "EP_METADATA_SOURCE")),
    ("targets", LANGUAGES["target"], (lambda text: Texts.node(3, "target", text),
                                      "aten" + M + "::relu", "EP_TARGET")),
    ("guards", LANGUAGES["guard"], (of_guard(1), GUARD, "EP_GUARD")),
    ("devices", LANGUAGES["device"], (of_device("y"), DEVICE % "y", "EP_DEVICE")),
)


class Faults:
    """The program with a text of each language, in a style."""

    def __init__(self, suite, style):
        self.texts = Texts(suite, LATEST, "first", style)

    def document(self, rows, marked=None):
        """With these faults; of one of them the mark stays."""
        data = copy.deepcopy(self.texts.draft.data)
        for put, text, _ in rows:
            put(text if (put, text) == marked else text.replace(M, ""))(data)
        return Document(tree_of(self.texts.version, data), self.texts.style)

    def place(self, rows, chosen):
        """(offset, pointer) of one of the faults."""
        put, text, _ = chosen
        document = self.document(rows, (put, text))
        if M not in document.text:
            node = at(document, text)
            return node.start + 1, node.pointer
        node = next(each for each in document.nodes() if M in each.text)
        return document.text.index(M), node.pointer

    def pair(self, label, *rows):
        """Gives which of the two is the first."""
        places = [self.place(rows, each) for each in rows]
        first = 0 if places[0] < places[1] else 1
        twin = self.texts.twin
        edit = change_between(self.texts.suite.bytes[twin], self.document(rows).text)
        self.texts.suite.invalid(
            self.texts.id(label), twin, edit, rows[first][2], places[first],
            "The fault that stands first in the file.", provenance="hand", also=["1.5.1"],
            flags=self.texts.flags + ["precedence"])
        return first


def vectors(suite):
    plain, turned = Faults(suite, None), Faults(suite, Foreign())
    for (one, first), (other, second) in itertools.combinations(LANGUAGES.items(), 2):
        label = "%s-%s" % (one, other)
        assert plain.pair(label, first, second) != turned.pair(label, first, second), label
    for label, first, second in PLACES:
        if plain.pair(label, first, second) != turned.pair(label, first, second):
            assert label in ("size", "trees"), label
