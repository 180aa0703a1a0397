"""Archives that are made of a program and its tensors (SPEC 8.8): each row of the layouts at its
first and last version, roles and modules, the lengths of names modulo the alignment, counts of
members beside each limit of the zip and of the serialization id, and the files of safetensors
that tensors come from.
"""

import hashlib
import json
import struct

from format.history import VERSIONS
from generate.archive.written import (BUCKETS, BYTES, FULL, SAFE, WITH_GRADIENTS, Tensor, indexed,
                                      packed, safetensors, since)
from generate.whole import Draft, meta, spec, tensor, user_input, user_output

MEMBERS, PICKLED, INSIDE = "8.8.1", "8.8.2", "8.8.3"
ROWS = ("1", "2", "5.1", "5.3", "7.3", "8.2", "8.7", "8.8", "8.14", "8.15", "8.20")
SPECS = {"parameter": ("parameter", "parameter_name", {}),
         "buffer": ("buffer", "buffer_name", {"persistent": True}),
         "unsaved": ("buffer", "buffer_name", {"persistent": False}),
         "constant": ("tensor_constant", "tensor_constant_name", {})}


def elements(seed, count):
    """Bytes of which no two that lie near are the same."""
    return bytes((seed * 29 + i * 7) % 251 for i in range(count))


def made(role, name, sizes, dtype=7, seed=0, **said):
    count = 1
    for size in sizes:
        count *= size
    data = elements(seed, count * BYTES[dtype])
    if dtype == 12:
        data = bytes(byte & 1 for byte in data)
    return Tensor(name, role, meta(*sizes, dtype=dtype, **said), data)


def program_of(tensors, **header):
    """A program that takes them all, and one input."""
    draft = Draft(header=header)
    for i, each in enumerate(tensors):
        tag, key, more = SPECS[each.role]
        draft.take(spec(tag, "v%d" % i, **{key: each.name}, **more))
        draft.tensors(**{"v%d" % i: each.meta})
    draft.take(user_input(tensor("x"))).give(user_output(tensor("x")))
    return draft.tensors(x=meta(2, 3))


def file_of(tensors):
    """What other libraries have of them; nothing where there are none."""
    return safetensors([(each.name, each.dtype, each.meta["sizes"], each.data)
                        for each in tensors]) if tensors else b""


class Packs:
    """Archives of one program."""

    def __init__(self, suite, version, label, tensors=()):
        self.suite, self.version, self.label = suite, version, label
        self.tensors = list(tensors)
        self.text = program_of(self.tensors).written(VERSIONS[version]).text.encode("utf-8")
        self.base = None

    def named(self, name):
        return "pack/%s/%s-%s" % (name, self.label, self.version)

    def second(self, data):
        """How the manifest says the file of the tensors; a file is called by its hash."""
        name = "archives/tensors-%s.safetensors" % hashlib.sha256(data).hexdigest()[:12]
        return self.suite.spelled(data, name) if data else None

    def made(self, options):
        """What comes out with these options."""
        extras = options.get("extras", {})
        if isinstance(extras, int):
            extras = {str(i): "" for i in range(extras)}
        return packed(self.version, self.text, self.tensors,
                      [(name, text.encode("utf-8")) for name, text in extras.items()],
                      options.get("inputs", "").encode("utf-8"),
                      options.get("folder", "archive"))

    def good(self, name, clauses, why, other=None, **options):
        """other: another file of the same tensors."""
        data = file_of(self.tensors) if other is None else other
        said = {"product": self.suite.digested(self.made(options)), "provenance": "hand",
                "other": self.second(data),
                "options": {**VERSIONS[self.version].options, **options}}
        if self.base is None:
            self.base = self.suite.valid(
                self.named(name), "pack", self.version, self.text, clauses, why,
                file="whole/pack-%s-%s.json" % (self.label, self.version), **said)
            return self.base
        return self.suite.valid_edit(self.named(name), self.base, None, clauses, why,
                                     operation="pack", **said)

    def bad(self, name, why, other=None, also=(MEMBERS,), **options):
        said = {"options": {**VERSIONS[self.version].options, **options}}
        if other is not None:
            said["other"] = self.second(other)
        self.suite.invalid(self.named(name), self.base, None, "EP_ARGUMENT", None, why,
                           provenance="hand", also=list(also), **said)


# ---- rows -------------------------------------------------------------------------


def all_roles(version):
    """A tensor of each role, in modules that are not in the order of the names."""
    newer = since(version, "7.3")

    def own(name, *sizes, **said):
        gradient = newer and said.get("dtype", 7) in WITH_GRADIENTS
        return made("parameter", name, sizes, requires_grad=gradient, **said)
    tensors = [
        own("weight", 2, 3, seed=1), own("b.deep.weight", 3, 2, seed=2, strides=[1, 3]),
        own("a.weight", seed=3), own("b.bias", 2, seed=4, dtype=8), own("b.deep.bias", 0, 2),
        made("buffer", "mask", (5,), 12, 6), made("buffer", "b.num_batches_tracked", (), 5, 7),
        made("buffer", "a.running", (2, 2), 7, 8, strides=[3, 1]),
        made("buffer", "c.table", (4,), 3, 9), made("buffer", "c.view", (2,), 8, 13,
                                                    storage_offset=3)]
    if since(version, "5.1"):
        tensors += [made("unsaved", "cache", (4,), 6, 10), made("unsaved", "b.cache", (2,), 4, 11)]
    if since(version, "2"):
        tensors += [made("constant", "lifted", (3,), 1, 12), made("constant", "b.lifted", (), 2)]
    return tensors


def numbered(version, count):
    """So many parameters, of other elements each."""
    return [made("parameter", "p%d" % i, (1,), seed=i, requires_grad=since(version, "7.3"))
            for i in range(count)]


def boundaries():
    """The first and the last version of each row."""
    order = [name for name, version in VERSIONS.items() if not version.sibling]
    found = [order[order.index(row) + step] for row in ROWS for step in (-1, 0) if row != "1"]
    return list(dict.fromkeys(["1"] + found))


def rows(suite):
    for version in boundaries():
        clauses = [MEMBERS] + ([PICKLED, INSIDE] if not since(version, "8.14") else ["8.3.2"])
        for label, tensors, why in (
                ("none", [], "No tensors."),
                ("one", numbered(version, 1), "One parameter."),
                ("roles", all_roles(version), "All roles, in modules.")):
            one = Packs(suite, version, label, tensors)
            one.good("layout", clauses, why)
        if since(version, "5.3"):
            one.good("inputs", [MEMBERS], "Sample inputs.", inputs="sample")
        else:
            one.bad("inputs", "Sample inputs, which there are none of.", inputs="sample")
        one.good("extras", [MEMBERS], "Extra files.",
                 extras={"b": "text", "a/c": "", "\u00e9": "x"})
    for version in ("1", "2", "5.1", "8.6", "8.7", "8.8", "8.20"):
        for count in (2, 11, 12):
            Packs(suite, version, "count-%d" % count, numbered(version, count)).good(
                "layout", [MEMBERS], "So many parameters that the order of their numbers as texts "
                "is another.")
    for version in ("5.1", "8.8"):
        Packs(suite, version, "memo", numbered(version, 40)).good(
            "layout", [PICKLED, INSIDE], "More than 256 values that are put.")


def batch(suite):
    """As many weights as Python sets at once, behind which it sets none. There is one such vector,
    because a program of a thousand inputs is long."""
    Packs(suite, "8.7", "batch", numbered("8.7", 1000)).good("layout", [INSIDE],
                                                             "A dict of 1,000 weights.")


def dtypes(suite):
    """A buffer of each dtype."""
    for version in ("1", "5.1", "8.1", "8.8", "8.14", "8.20"):
        known = VERSIONS[version].types["ScalarType"].values.values()
        tensors = [made("buffer", "b%d" % dtype, (2, 2), dtype, dtype)
                   for dtype in SAFE if dtype in known]
        Packs(suite, version, "dtypes", tensors).good("layout", [MEMBERS, "8.5.2"],
                                                      "A buffer of each dtype.")
    for version in ("8.7", "8.8", "8.14", "8.15", "8.20"):
        tensors = [made("buffer", "n%d" % i, (0, i), dtype) for i, dtype in
                   enumerate((7, 7, 8, 7))] + [made("buffer", "some", (1,))]
        Packs(suite, version, "empty", tensors).good(
            "layout", [MEMBERS, "8.3.4"], "Tensors without elements, before one that has some.")


# ---- names and counts -------------------------------------------------------------


def lengths(suite):
    """Each length of names modulo the alignment."""
    one = Packs(suite, "8.20", "one", numbered("8.20", 1))
    one.base = one.named("layout")
    for length in range(1, 65):
        if length % 4 == 1:
            one.good("folder-%d" % length, [MEMBERS], "A folder's name of %d bytes moves the bytes "
                     "of all members." % length, folder="f" * length)
        one.good("name-%d" % length, [MEMBERS, "8.2.1"], "An extra file's name of %d bytes."
                 % length, extras={"n" * length: "x"})
    for length in range(4, 17):
        one.good("marked-%d" % length, ["8.2.1"], "An extra file of %d bytes that begins as a "
                 "descriptor does." % length, extras={"x": ("PK\7\x08" + "abcdefghijkl")[:length]})
    old = Packs(suite, "8.7", "one", numbered("8.7", 1))
    old.base = old.named("layout")
    for length in (1, 31, 32, 33, 63, 64, 65, 255, 256):
        old.good("name-%d" % length, [MEMBERS], "An extra file's name of %d bytes, in the flat "
                 "layout." % length, extras={"n" * length: "x"})


def counts(suite):
    """Members before the serialization id, beside each number of buckets; and members in all
    beside what the end record can count."""
    new = Packs(suite, "8.20", "none")
    old = Packs(suite, "8.7", "none")
    new.base, old.base = new.named("layout"), old.named("layout")
    mine = 8  # members of an archive without tensors, before the id
    for size in BUCKETS[:10]:
        for total in (size - 1, size, size + 1):
            if total > mine:
                new.good("members-%d" % total, ["8.2.1"], "%d names in the serialization id."
                         % total, extras=total - mine)
    for count in (1, 199, 200, 201, 999, 1000, 1001):
        old.good("extras-%d" % count, [MEMBERS], "%d extra files, in the flat layout." % count,
                 extras=count)
        new.good("extras-%d" % count, [MEMBERS, "8.2.1"], "%d extra files." % count, extras=count)
    for total in (FULL, FULL + 1, FULL + 2):
        old.good("all-%d" % total, ["8.1.1", MEMBERS], "%d members, in the flat layout." % total,
                 extras=total - 5)
    for total in (FULL, FULL + 1):
        new.good("all-%d" % total, ["8.1.1", MEMBERS], "%d members." % total,
                 extras=total - mine - 1)


def refused_names(suite):
    one = Packs(suite, "8.20", "one", numbered("8.20", 1))
    one.base = one.named("layout")
    for label, options, why in (
            ("folder-empty", {"folder": ""}, "A folder without a name."),
            ("folder-slash", {"folder": "a/b"}, "A folder in a folder."),
            ("folder-backslash", {"folder": "a\\b"}, "A backslash in the folder's name."),
            ("folder-dot", {"folder": "."}, "The folder itself."),
            ("folder-dots", {"folder": ".."}, "The folder above."),
            ("extra-backslash", {"extras": {"a\\b": ""}}, "A backslash in a name."),
            ("extra-case", {"extras": {"a": "", "A": ""}}, "Two names that differ by case.")):
        one.bad(label, why, also=(MEMBERS, "8.1.4"), **options)
    one.good("folder-dotted", [MEMBERS], "Dots in the folder's name.", folder="..a.b")
    one.good("extra-dotted", [MEMBERS], "Dots in a name.", extras={"..a/.b": ""})


# ---- safetensors ------------------------------------------------------------------


def entry(name, dtype, sizes, begin, end):
    return '"%s":{"dtype":"%s","shape":%s,"data_offsets":[%d,%d]}' % (
        name, dtype, json.dumps(sizes, separators=(",", ":")), begin, end)


def files(suite):
    tensors = [made("parameter", "w", (2,), seed=1, requires_grad=True),
               made("buffer", "n", (0, 3)), made("buffer", "b", (3,), 3, 2)]
    one = Packs(suite, "8.20", "file", tensors)
    one.good("layout", [MEMBERS], "A parameter, a buffer, and one without elements.")
    w, n, b = (entry("w", "F32", [2], 0, 8), entry("n", "F32", [0, 3], 0, 0),
               entry("b", "I16", [3], 8, 14))
    data = tensors[0].data + tensors[2].data

    def at(place):
        return entry("n", "F32", [0, 3], place, place)
    for label, text, why in (
            ("empty-first", "{%s,%s,%s}" % (n, w, b), "What is empty stands first."),
            ("empty-behind", "{%s,%s,%s}" % (w, n, b), "What is empty stands behind the one that "
             "begins at its place."),
            ("empty-between", "{%s,%s,%s}" % (w, at(8), b), "What is empty is between two."),
            ("empty-between-behind", "{%s,%s,%s}" % (w, b, at(8)), "What is empty is between two, "
             "and its entry behind theirs."),
            ("empty-last", "{%s,%s,%s}" % (w, b, at(14)), "What is empty is at the end."),
            ("empty-last-first", "{%s,%s,%s}" % (at(14), w, b), "What is empty is at the end, and "
             "its entry first."),
            ("turned", "{%s,%s,%s}" % (b, w, n), "The entries in another order than the bytes."),
            ("spaced", "{ %s\n,\t%s\r,%s } " % (w, n, b), "White space."),
            ("metadata", '{"__metadata__":{"format":"pt"},%s,%s,%s}' % (w, n, b), "Metadata."),
            ("metadata-empty", '{%s,%s,%s,"__metadata__":{}}' % (w, n, b), "Metadata that say "
             "nothing, at the end."),
            ("escaped", "{%s,%s,%s}" % (w.replace('"w"', '"\\u0077"'), n, b), "An escaped name."),
            ("keys", "{%s,%s,%s}" % ('"w":{"data_offsets":[0,8],"shape":[2],"dtype":"F32"}', n, b),
             "Keys in another order.")):
        one.good("file-" + label, [MEMBERS], "A file of safetensors. " + why,
                 other=indexed(text, data))
    exact = "{%s,%s,%s}" % (w, n, b)
    one.good("file-unpadded", [MEMBERS], "An index of any length.", other=struct.pack(
        "<Q", len(exact)) + exact.encode() + data)
    refused_files(one, (w, n, b), data)


def refused_files(one, entries, data):
    w, n, b = entries
    exact = "{%s,%s,%s}" % entries
    for label, text, content, why in (
            ("more", exact, data + b"\0", "A byte behind the last tensor."),
            ("less", exact, data[:-1], "A byte too few."),
            ("gap", exact.replace("[8,14]", "[9,15]"), data + b"\0", "A gap."),
            ("overlap", exact.replace("[8,14]", "[7,13]"), data[:-1], "Two tensors overlap."),
            ("empty-inside", exact.replace("[0,0]", "[4,4]"), data, "What is empty is inside of "
             "another one."),
            ("empty-beyond", exact.replace("[0,0]", "[15,15]"), data, "What is empty is beyond "
             "the end."),
            ("size", exact.replace('"shape":[2]', '"shape":[3]'), data, "More elements than "
             "bytes."),
            ("missing", "{%s,%s}" % (w, n), data[:8], "A buffer is missing."),
            ("missing-empty", "{%s,%s}" % (w, b), data, "A buffer without elements is missing."),
            ("unknown", "{%s,%s,%s,%s}" % (w, n, b, entry("x", "U8", [1], 14, 15)), data + b"\0",
             "A tensor that the program does not have."),
            ("dtype", exact.replace("I16", "U16"), data, "Another dtype of the same size."),
            ("shape", exact.replace("[0,3]", "[0,4]"), data, "Another shape without elements."),
            ("rank", exact.replace('"shape":[3]', '"shape":[3,1]'), data, "Another rank."),
            ("twice", "{%s,%s,%s,%s}" % (w, n, b, n), data, "A name twice."),
            ("key", exact.replace('"dtype":"I16"', '"type":"I16"'), data, "A key that is none."),
            ("trailing", exact + "x", data, "Something behind the index.")):
        one.bad("file-" + label, "A file of safetensors. " + why, other=indexed(text, content))
    one.bad("file-none", "No file, and there are tensors.", other=b"\0" * 7)


def vectors(suite):
    rows(suite)
    batch(suite)
    dtypes(suite)
    lengths(suite)
    counts(suite)
    refused_names(suite)
    files(suite)
