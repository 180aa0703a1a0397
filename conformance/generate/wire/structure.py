"""The grammar inside of programs: each bracket, colon, comma and quote of each
kind of array and object, spoilt, and the document cut there.
"""

from format.document import Document
from format.history import VERSIONS
from format.programs import Rich
from generate.wire.tokens import Awaited

SPOILT = "!"
KINDS = ("struct", "union", "list", "dict", "tuple")

# Small objects, of which programs are mostly made.
SMALL = ("Device", "TensorMeta", "SymExpr", "SymExprHint", "NamedArgument", "TensorArgument",
         "SymInt", "Argument", "ComplexValue", "OptionalTensorArgument", "SymIntArgument")


class Structure:
    """Vectors on the rich program of a version."""

    def __init__(self, suite, name):
        self.suite, self.name, self.twin = suite, name, "program/rich/" + name
        self.document = Document(Rich(VERSIONS[name]).program())
        self.text = self.document.text

    def chosen(self):
        """The first array or object of each kind that has two parts, if it can."""
        found = {}
        for node in self.document.nodes():
            parts = len(node.members or node.items)
            if node.kind in KINDS and parts > 0:
                known = found.get(node.kind)
                if known is None or (len(known.members or known.items) < 2 <= parts < 20):
                    found[node.kind] = node
        return found.items()

    def marks(self, node):
        """Where the bytes of a node's own grammar are: (label, offset)."""
        yield "open", node.start
        values = [value for _, value in node.members] or node.items
        for i, key in enumerate(node.keys):
            colon = self.text.index(":", key)
            yield "key-%d" % i, key
            yield "colon-%d" % i, colon
            yield "colon-space-%d" % i, colon + 1
        for i, value in enumerate(values[:-1]):
            yield "comma-%d" % i, value.end
            yield "comma-space-%d" % i, value.end + 1
        yield "close", node.end - 1

    def vectors(self):
        for kind, node in self.chosen():
            for label, offset in self.marks(node):
                if label.split("-")[-1] in ("open", "close", "0", "1"):
                    self.spoil(kind, label, offset)
                    self.cut(kind, label, offset)

    def small(self):
        """The same of small objects, but for the cuts."""
        found = {}
        for node in self.document.nodes():
            if node.type in SMALL:
                known = found.setdefault(node.type, node)
                if len(node.members) > len(known.members):
                    found[node.type] = node
        for name, node in found.items():
            for label, offset in self.marks(node):
                self.spoil(name, label, offset)

    def spoil(self, kind, label, offset):
        spoilt = "\f" if "space" in label else SPOILT
        self.suite.invalid("structure/%s-%s/%s" % (kind, label, self.name), self.twin,
                           (offset, 1, spoilt), "EP_SYNTAX", (offset, self.pointer_at(offset)),
                           "The %s of a %s." % (label, kind))

    def pointer_at(self, offset):
        """As when the document ended here, but that a byte glued to a word is
        said of the word, and a value that must come is awaited."""
        before = self.text[:offset]
        awaited = Awaited(before)
        if before.endswith("[") and self.text[offset] != "]":
            awaited.open = True
        if before.endswith(("true", "false", "null")):
            awaited.open = True
        return awaited.pointer

    def cut(self, kind, label, offset):
        if offset == 0:
            return
        self.suite.invalid("structure/cut-%s-%s/%s" % (kind, label, self.name), self.twin,
                           (offset, len(self.text) - offset, ""), "EP_END",
                           (offset, Awaited(self.text[:offset]).pointer),
                           "Cut before the %s of a %s." % (label, kind))


# What stands between two members, where a comma and a space belong: (label, text, the byte that
# is wrong).
BETWEEN = (("nothing", "", 0), ("space", " ", 1), ("minus", "- ", 0), ("semicolon", "; ", 0),
           ("comma-second", ",, ", 1), ("comma-third", ", ,", 2), ("letter-third", ", x", 2))


def separators(suite):
    """Between the first members of each struct, something else than a separator."""
    for name in ("1", "3.1", "8.20"):
        document, met = Document(Rich(VERSIONS[name]).program()), set()
        for node in document.nodes():
            if node.kind != "struct" or len(node.members) < 2 or node.type in met:
                continue
            met.add(node.type)
            value = node.members[0][1]
            assert document.text.startswith(", \"", value.end)
            for label, text, at in BETWEEN:
                glued = at == 0 and document.text[value.end - 1] not in "\"]}"
                suite.invalid("structure/between-%s-%s/%s" % (label, node.type, name),
                              "program/rich/" + name, (value.end, 2, text), "EP_SYNTAX",
                              (value.end + at, value.pointer if glued else node.pointer),
                              "No comma and no space between two members.", provenance="hand")


def colons(suite):
    """Behind the first key of each dict, what stands beside a colon in ASCII."""
    for name in ("1", "8.20"):
        document, met = Document(Rich(VERSIONS[name]).program()), set()
        for node in document.nodes():
            if node.kind != "dict" or not node.members or node.place is None or node.place in met:
                continue
            met.add(node.place)
            value = node.members[0][1]
            at = value.start - 2
            assert document.text[at:value.start] == ": "
            for label, letter in (("semicolon", ";"), ("nine", "9")):
                suite.invalid("structure/colon-%s-%s.%s/%s" % (label, *node.place, name),
                              "program/rich/" + name, (at, 1, letter), "EP_SYNTAX",
                              (at, value.pointer), "No colon behind a key.", provenance="hand")


def vectors(suite):
    separators(suite)
    colons(suite)
    for name in ("1", "2", "3.1", "8.20"):
        structure = Structure(suite, name)
        structure.vectors()
        if name == "8.20":
            structure.small()
