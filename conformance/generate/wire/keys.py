"""Keys: the same one twice, among few and many, and keys that are almost names."""

from format.document import Document, append, child_pointer, escape, prepend, replace
from format.history import VERSIONS
from format.programs import Rich, carrier

COUNTS = (2, 3, 8, 9, 16, 17, 20, 33, 64, 65, 300)  # members of a dict


def many(suite):
    """A key that is there already, first or last of few or many."""
    for count in COUNTS:
        keys = ["k%d" % (i * 7 % count) if count % 7 else "k%d" % i for i in range(count)]
        value = "{%s}" % ", ".join('"%s": %d' % (key, i) for i, key in enumerate(keys))
        root, node = carrier(VERSIONS["8.20"], "opset_version", value)
        text = Document(root).text
        twin = suite.valid("keys/dict-%d/8.20" % count, "decode", "8.20", text, "2.5.1",
                           "%d keys." % count, file="programs/8.20-keys-%d.json" % count)
        for label, key in (("first", keys[0]), ("middle", keys[count // 2]), ("last", keys[-1])):
            at = node.end - 1
            suite.invalid("keys/dict-%d-%s/8.20" % (count, label), twin,
                          (at, 0, ', "%s": 0' % key), "EP_DUPLICATE_KEY",
                          (at + 2, "%s/%s" % (node.pointer, key)),
                          "The %s of %d keys again." % (label, count))
        suite.invalid("keys/dict-%d-escaped/8.20" % count, twin,
                      (node.start + 1, 0, '"\\u006b%s": 0, ' % keys[-1][1:]), "EP_DUPLICATE_KEY",
                      (text.rindex('"%s"' % keys[-1], node.start, node.end) + len(
                          '"\\u006b%s": 0, ' % keys[-1][1:]), "%s/%s" % (node.pointer, keys[-1])),
                      "The last key, spelled in another way before.")


    repeated(suite)
    boundaries(suite)


def repeated(suite):
    """A key that stands there many times: the second one is told."""
    for count, times in ((2, 3), (8, 8), (9, 12), (20, 40), (300, 300)):
        twin = "keys/dict-%d/8.20" % count
        text = suite.bytes[twin].decode("ascii")
        start = text.index("{", text.index('"opset_version"')) + 1
        member = '"k0": 0, '
        for label, begin in (("first", start), ("inside", text.index('"k1"', start))):
            second = start + len(member) if label == "first" else begin
            found = text.index('"k0"', start)
            if label == "inside" and found > begin:
                second = begin + len(member)
            suite.invalid("keys/dict-%d-repeated-%s/8.20" % (count, label), twin,
                          (begin, 0, member, times), "EP_DUPLICATE_KEY",
                          (second, "/opset_version/k0"), "The same key %d times more." % times,
                          flags=["large"])


def boundaries(suite):
    """Characters at the edges of UTF-8's lengths, in two spellings."""
    for scalar in (0x20, 0x7E, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF):
        letter = chr(scalar)
        units = letter.encode("utf-16-be")
        spelled = "".join("\\u%02x%02x" % pair for pair in zip(units[::2], units[1::2]))
        text = '{"a": 1, "%s": 2}' % letter
        twin = suite.whole("keys/edge-%x" % scalar, "wire", None, text, "2.5.1",
                           "U+%04X in a key." % scalar)
        at = len(text.encode("utf-8")) - 1
        suite.invalid("keys/edge-%x-again" % scalar, twin, (at, 0, ', "%s": 3' % spelled),
                      "EP_DUPLICATE_KEY", (at + 2, "/" + escape(letter)),
                      "U+%04X again, in another spelling." % scalar, provenance="hand")


class Fields:
    """Keys of structs and unions in the rich program of a version."""

    def __init__(self, suite, name):
        self.suite, self.name, self.twin = suite, name, "program/rich/" + name
        self.document = Document(Rich(VERSIONS[name]).program())

    def first(self, kind, type_name):
        return next(each for each in self.document.nodes()
                    if each.kind == kind and each.type == type_name)

    def bad(self, defect, change, code, at, why):
        self.suite.invalid("keys/%s/%s" % (defect, self.name), self.twin, change, code, at, why)

    def vectors(self):
        node = self.first("struct", "Device")
        for label, key, why in (
                ("upper", "Type", "Case counts."), ("space", "type ", "A space counts."),
                ("prefix", "typ", "Half a name."), ("longer", "type_", "More than a name."),
                ("empty", "", "No name."), ("nul", "type\0", "A zero byte does not end a name."),
                ("beyond-ascii", "t\u00ffpe", "Another letter."),
                ("long", "t" * 300, "A name of 300 letters.")):
            change, at = append(node, escaped(key), "null")
            self.bad("unknown-" + label, change, "EP_UNKNOWN_FIELD",
                     (at, child_pointer(node, key)), why)
        change, at = append(node, '"\\u0074ype"', '"cpu"')
        self.bad("field-escaped", change, "EP_DUPLICATE_KEY", (at, node.pointer + "/type"),
                 "The same name in another spelling.")
        change, at = prepend(node, '"typ\\u0065"', '"cpu"')
        self.bad("field-escaped-first", change, "EP_DUPLICATE_KEY",
                 (node.keys[0] + len(change[2]), node.pointer + "/type"),
                 "The same name in another spelling, before.")
        node = self.first("struct", "CustomObjArgument")
        change, at = append(node, '"bl\\u006fb"', '""')
        self.bad("other-version-escaped", change, "EP_FIELD_VERSION", (at, node.pointer + "/blob"),
                 "A field of version 1 in another spelling.")
        self.tags()

    def tags(self):
        node = self.first("union", "SymInt")
        for label, tag in (("upper", "As_int"), ("prefix", "as_in"), ("longer", "as_ints"),
                           ("empty", ""), ("nul", "as_int\0"), ("long", "as_int" * 50)):
            key = escaped(tag)
            self.bad("tag-" + label, replace(node, "{%s: 2}" % key), "EP_UNKNOWN_TAG",
                     (node.start + 1, child_pointer(node, tag)), "Almost a tag.")


def escaped(key):
    return '"%s"' % "".join(letter if 31 < ord(letter) < 127 else "\\u%04x" % ord(letter)
                            for letter in key)


def guesses(suite):
    """What looks like the version and is none."""
    for name, inner in (("8.20", "1"), ("8.20", "2"), ("2", "1"), ("1", "2")):
        root, _ = carrier(VERSIONS[name], "opset_version", '{"schema_version": %s}' % inner)
        root.members.append(root.members.pop(root.index("opset_version")))
        suite.valid("version/looks-like-%s/%s" % (inner, name), "decode", name,
                    Document(root).text, "3.1.1", "An operator set of that name, at the end.",
                    file="programs/%s-looks-like-%s.json" % (name, inner))


def vectors(suite):
    many(suite)
    Fields(suite, "8.20").vectors()
    guesses(suite)
