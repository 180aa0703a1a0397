"""Keys of objects, gone through: which of several repeats is told, of every pair of keys; and
every name of a field spelled with escapes alone.
"""

import itertools
import json
import random

from format.document import Document, Style, append, child_pointer
from format.history import ORDER, VERSIONS
from format.programs import Rich, carrier
from generate.language.texts import escape_of

LATEST = "8.20"

# ---- several repeats --------------------------------------------------------------------

NAMES = ("z", "k1", "\u00e9", "a", "", "k10", "b", "K1", "m", "k2", "aa", "\n", "zz", "y")


def member(name):
    return "%s: 0" % json.dumps(name)


def pointer_of(name):
    return "/" + name.replace("~", "~0").replace("/", "~1")


def object_of(names):
    return "{%s}" % ", ".join(member(name) for name in names)


def told(suite, twin, label, text, added):
    """The object with further members at its end, all of them repeats."""
    at = len(text.encode("ascii")) - 1
    suite.invalid("keys/%s" % label, twin, (at, 0, "".join(", " + member(name) for name in added)),
                  "EP_DUPLICATE_KEY", (at + 2, pointer_of(added[0])),
                  "The repeat that comes first is told.", provenance="hand", flags=["precedence"])


def pairs(suite):
    """Each two keys of an object, repeated in both orders; each three of the first, drawn."""
    dice = random.Random(11)
    for count in (6, 9, 14):
        names = NAMES[:count]
        text = object_of(names)
        twin = suite.whole("keys/repeats-%d" % count, "wire", None, text, "2.5.1",
                           "%d keys." % count)
        for i, j in itertools.permutations(range(count), 2):
            told(suite, twin, "repeats-%d-%d-%d" % (count, i, j), text, (names[i], names[j]))
        for i in range(20):
            added = [dice.choice(names) for _ in range(dice.randrange(3, 2 * count))]
            told(suite, twin, "repeats-%d-drawn-%d" % (count, i), text, added)


def inside(suite):
    """The same among hundreds of keys, in a dict of a program, with the first ones between
    the others."""
    dice = random.Random(12)
    names = ["k%d" % i for i in range(250)]
    value = object_of(names)
    root, node = carrier(VERSIONS[LATEST], "opset_version", value)
    text = Document(root).text
    twin = suite.valid("keys/repeats-250/" + LATEST, "decode", LATEST, text, "2.5.1", "250 keys.",
                       file="programs/8.20-keys-repeats-250.json")
    for i in range(40):
        places = sorted(dice.sample(range(1, len(names)), dice.randrange(2, 6)))
        if i % 2:  # two repeats that stand together
            places = places[:1] * len(places)
        first = places[0]
        begin = node.start + 1 + len(", ".join(member(name) for name in names[:first])) + 2
        ends = [node.start + 1 + len(", ".join(member(name) for name in names[:at])) + 2
                for at in places]
        kept = text[begin:ends[-1]]
        again, made, last = [dice.choice(names[:at]) for at in places], "", begin
        for name, end in zip(again, ends):
            made += text[last:end] + member(name) + ", "
            last = end
        suite.invalid("keys/repeats-250-%d/%s" % (i, LATEST), twin, (begin, len(kept), made),
                      "EP_DUPLICATE_KEY", (begin, "%s/%s" % (node.pointer, again[0])),
                      "Several repeats, and the first is told.",
                      flags=["precedence"] + ["large"] * (len(made) > 300))


# ---- names in escapes ---------------------------------------------------------------------


class Spelled(Style):
    """Every key with escapes alone."""

    def __init__(self, upper=False, inside=""):
        self.upper = upper
        self.inside = (inside, inside)
        self.label = "-keys-%s%s" % ("upper" if upper else "lower", "-spaced" * bool(inside))

    def key(self, key):
        text = "".join(escape_of(letter) for letter in key)
        return '"%s"' % (text.upper().replace("\\U", "\\u") if self.upper else text)


def every_name(suite):
    """The programs that hold all fields and tags of a version."""
    for name in ORDER:
        for style in (Spelled(), Spelled(True, "\n")):
            document = Document(Rich(VERSIONS[name]).program(), style)
            label = "%s%s" % (name, style.label)
            # a marker of a sibling does not stand in such a document
            suite.valid("program/escaped/" + label, "decode", name, document.text,
                        ["2.4.2", "3.5.1"], "Every key in escapes alone.",
                        file="programs/%s-escaped.json" % label, flags=["foreign-spelling"],
                        options={"schema": name})


def each_name(suite):
    """Each field again, and what is nearly one, in escapes alone."""
    style = Spelled()
    document = Document(Rich(VERSIONS[LATEST]).program())
    structs = {}
    for node in document.nodes():
        if node.kind == "struct":
            structs.setdefault(node.type, node)
    for name, node in structs.items():
        longest = max(VERSIONS[LATEST].types[name].members, key=lambda each: len(each.name)).name
        for field in VERSIONS[LATEST].types[name].members:
            if field.name == "schema_version":
                continue
            change, at = append(node, style.key(field.name), "null")
            suite.invalid("keys/escaped-again-%s.%s/%s" % (name, field.name, LATEST),
                          "program/rich/" + LATEST, change, "EP_DUPLICATE_KEY",
                          (at, child_pointer(node, field.name)), "A field again, in escapes.")
        for label, text in (("longer", longest + "_"), ("shorter", longest[:-1]),
                            ("twice", longest + longest)):
            if any(text == each.name for each in VERSIONS[LATEST].types[name].members):
                continue
            change, at = append(node, style.key(text), "null")
            suite.invalid("keys/escaped-%s-%s/%s" % (label, name, LATEST),
                          "program/rich/" + LATEST, change, "EP_UNKNOWN_FIELD",
                          (at, child_pointer(node, text)), "Nearly a field, in escapes.",
                          flags=["large"] if len(text) > 50 else None)


def vectors(suite):
    for part in (pairs, inside, every_name, each_name):
        part(suite)
