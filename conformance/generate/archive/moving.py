"""Archives that are laid out for another version (SPEC 7.7): from the first and the last version
of each layout to those of each other, as pickles and as bytes; the programs in them are the same
draft at both versions.
"""

import copy
from collections import OrderedDict

from format.history import VERSIONS
from generate.archive.kits import sample_inputs
from generate.archive.packing import made, program_of
from generate.archive.written import (PROGRAM, WITH_GRADIENTS, laid_out, parts_of, raw_state, since,
                                      sorted_out, style_of, zipped)
from generate.whole import LEAF, tree, treespec

LAID, LEFT, RAW, EMPTY = "7.7.1", "7.7.4", "7.7.6", "7.7.2"
SOURCES = ("1", "2", "5.1", "5.3", "8.7", "8.8", "8.14", "8.20")
TARGETS = ("1", "2", "4.2", "5.1", "5.3", "8.7", "8.8", "8.11", "8.14", "8.15", "8.20")
LATER = ("2", "5.1", "8.7", "8.8", "8.20")  # of programs with constants
EXTRAS = [("b/c", b"text"), ("a", b"")]
OLDEST = "<=2.4"  # the torch_version that migration gives what has none
FRAME = [("archive_format", b"pt2"), ("archive_version", b"0"), (".data/version", b"6\n"),
         ("byteorder", b"little")]
STATE = {"data/weights/model.pt": ("weights", "weight"),
         "data/constants/model.pt": ("constants", "tensor")}


def state(version, constants):
    """Tensors of a program of the version."""
    newer = since(version, "7.3")
    tensors = [made("parameter", "b.weight", (2, 3), seed=1, requires_grad=newer),
               made("parameter", "a.weight", (2,), 8, 2, requires_grad=newer),
               made("buffer", "b.count", (), 5, 3), made("buffer", "none", (0, 2)),
               made("buffer", "turned", (2, 2), 3, 4, strides=[1, 2], storage_offset=3)]
    if constants:
        tensors += [made("constant", "lifted", (3,), 1, 5)]
        tensors += [made("unsaved", "cache", (4,), 6, 6)] if since(version, "5.1") else []
    return tensors


def text_of(tensors, version):
    """The program, whose call version 1 says without keywords (7.4.2)."""
    draft = program_of(tensors, torch_version=OLDEST)
    if version == "1":
        draft.data["root"]["in_spec"] = treespec(tree("builtins.tuple", "null", [LEAF]))
    return draft.written(VERSIONS[version]).text.encode()


def pickled_gradients(tensors, version):
    """As the pickle of the version has them."""
    tensors = copy.deepcopy(tensors)
    for each in tensors:
        if style_of(version).always and each.role == "parameter" and each.dtype in WITH_GRADIENTS:
            each.meta["requires_grad"] = True
    return tensors


def in_roles(files, version):
    """Program, weights, constants and sample inputs of an archive that has its pickles."""
    names = (PROGRAM, *parts_of(version)) if not since(version, "8.8") else (
        "models/model.json", *STATE, "data/sample_inputs/model.pt")
    found = dict(files)
    return [found.get(name) for name in names]


class Moving:
    """An archive of a version."""

    def __init__(self, suite, version, constants):
        self.suite, self.version = suite, version
        self.label = version + ("-constants" if constants else "")
        self.tensors = state(version, constants)
        self.folder = "m"
        inputs = sample_inputs().written() if since(version, "5.3") else b""
        files, self.pt2 = laid_out(version, text_of(self.tensors, version), self.tensors, EXTRAS,
                                   inputs, folder=self.folder)
        self.data = zipped(files, self.pt2)
        cut = len(self.folder) + 1 if self.pt2 else 0
        self.files = [(name[cut:], data) for name, data in files]
        self.base = None

    def raw_part(self, name, first=0):
        """The members that are made of a pickle."""
        folder, prefix = STATE[name]
        weights, constants = sorted_out(self.tensors, style_of(self.version))
        tensors = weights if folder == "weights" else constants
        return raw_state(pickled_gradients(tensors, self.version), folder, prefix, False, first)

    def moved(self, target, raw=False):
        """The archive at another version."""
        text = text_of(self.tensors, target)
        if self.pt2 and since(target, "8.8"):
            files = []
            for name, data in self.files:
                if name == "models/model.json":
                    files.append((name, text))
                else:
                    files += self.raw_part(name) if raw and name in STATE else [(name, data)]
            return zipped([("%s/%s" % (self.folder, name), data) for name, data in files], True)
        _, weights, constants, inputs = in_roles(self.files, self.version)
        extras = [(name.split("/", 1)[1], data) for name, data in self.files
                  if name.startswith(("extra/", "extra_files/"))]
        return self.anew(target, OrderedDict(weights=weights, constants=constants,
                                             inputs=inputs), text, extras, raw)

    def anew(self, target, parts, text, extras, raw):
        if not since(target, "8.8"):
            files = [(PROGRAM, text)] + [(name, data or b"") for name, data in zip(
                parts_of(target), parts.values()) if name]
            files.append(("version", VERSIONS[target].number.encode("ascii")))
            return zipped(files + [("extra_files/" + name, data) for name, data in extras], False)
        files = [("models/model.json", text)]
        for name, part in zip(STATE, ("weights", "constants")):
            files += (self.raw_part(name) if raw and parts[part] is not None else
                      [(name, parts[part] or b"")])
        files.append(("data/sample_inputs/model.pt", parts["inputs"] or b""))
        files += FRAME + [("extra/" + name, data) for name, data in extras]
        return zipped([("archive/" + name, data) for name, data in files], True)

    def named(self, target, raw=False):
        return "migrate-archive/to-%s%s/%s" % (target, "-raw" if raw else "", self.label)

    def good(self, target, clauses, why, raw=False):
        options = {"to": target, **({"raw": True} if raw else {})}
        said = {"options": options, "provenance": "hand",
                "product": self.suite.digested(self.moved(target, raw))}
        if self.base is None:
            self.base = self.suite.valid(
                self.named(target, raw), "migrate-archive", self.version, self.data, clauses, why,
                file="archives/moving-%s.pt2" % self.label, **said)
        else:
            self.suite.valid_edit(self.named(target, raw), self.base, None, clauses, why,
                                  operation="migrate-archive", **said)

    def bad(self, target, code, place, why):
        self.suite.invalid(self.named(target), self.base, None, code, place, why,
                           options={"to": target}, provenance="hand", also=[LAID])

    def everywhere(self, targets):
        old = not since(self.version, "8.14")
        for target in sorted(targets, key=lambda each: each != self.version):
            clauses = [LAID, EMPTY] + ([LEFT] if not since(target, "5.3") else [])
            if old or since(target, "8.14"):
                self.good(target, clauses, "An archive of %s as one of %s." % (
                    self.version, target))
            else:
                self.bad(target, "EP_MIGRATE_ARCHIVE", (0, ""),
                         "Weights as bytes, which releases of %s do not read." % target)
            if since(target, "8.14") and old and since(self.version, "2"):
                self.good(target, [RAW], "Pickled tensors become members of bytes.", raw=True)


def beside(suite):
    """A program beside another, which has its state as bytes: that one stays, and the numbers of
    members go on behind its own."""
    one = Moving(suite, "8.8", True)
    other = [each for each in state("8.8", True) if each.role != "unsaved"]
    text = text_of(other, "8.8")
    more = raw_state(other[:-1], "weights", "weight", True, program="other")
    more += raw_state(other[-1:], "constants", "tensor", True, program="other")
    more += [("models/other.json", text), ("data/sample_inputs/other.pt", b"")]
    count = {"data/weights/model.pt": len(other) - 1, "data/constants/model.pt": 1}
    whole = [*more[:2], *one.files, *more[2:]]
    data = zipped([("m/" + name, content) for name, content in whole], True)
    for raw in (False, True):
        made = []
        for name, content in whole:
            if name == "models/model.json":
                content = text_of(one.tensors, "8.20")
            made += one.raw_part(name, count[name]) if raw and name in STATE else [(name, content)]
        options = {"to": "8.20", "model": "model", **({"raw": True} if raw else {})}
        suite.valid("migrate-archive/beside%s/8.8" % ("-raw" if raw else ""), "migrate-archive",
                    "8.8", data, [LAID] + [RAW] * raw, "A program beside another one.",
                    file="archives/moving-beside.pt2", options=options, provenance="hand",
                    product=suite.digested(zipped([("m/" + name, content)
                                                   for name, content in made], True)))


def vectors(suite):
    beside(suite)
    for version in SOURCES:
        Moving(suite, version, False).everywhere(TARGETS)
    for version in LATER:
        targets = [each for each in LATER if since(each, version) or since(each, "5.1")]
        Moving(suite, version, True).everywhere(targets)
