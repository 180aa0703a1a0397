"""Read and write expected.jsonl, the expected failures of a testee.

A line is a cause, one reason for which the testee fails vectors:

  cause    its name, once in the file: small-words-with-dashes
  split    the name that causes of several testees share when they are the same
           thing; SPLITS.md of conformance/scripts/pages shows them as one. Left out: the cause is
           the testee's own, and its name is the split's
  outcome  what the run says of the vectors
  reason   why the testee fails, as a fact about it
  link     where that can be read, if it is public
  match    globs of ids, by hand: `*` is any characters, slashes too
  ids      the very vectors, in order; epconform run --write-expected fills them in

Beside it, run.json says which vectors the testee was asked at all, and which
version of it; conformance/scripts/expect writes it:

  version     as the testee told it
  asked       how many vectors it was asked, of how many
  void        how many it was asked besides, and refused as it refused their valid twins
  operations  operation to the schema versions of which it was asked vectors, null
              where only the wire counts
  options     those with which it was asked any
  part        the last part of SPEC.md for whose sake it was asked to refuse in check
  left_out    ids of the vectors of all these that it was not asked all the same
"""

import json
import os
import re
from collections import OrderedDict

from splits_suite import ROOT, read_lines

TESTEES = os.path.join(ROOT, "conformance", "testees")


class Unusable(Exception):
    """A file that is not what these scripts read."""


class Globs:
    """A list of globs, in which a star is any characters and nothing else is special."""

    def __init__(self, globs):
        parts = (".*".join(re.escape(part) for part in glob.split("*")) for glob in globs)
        self.any = re.compile("|".join("(?:%s)" % part for part in parts) or r"(?!)", re.DOTALL)

    def fit(self, text):
        return self.any.fullmatch(text) is not None


def path_of(testee, folder=TESTEES):
    return os.path.join(folder, testee, "expected.jsonl")


def part_of(vector):
    """The part of SPEC.md for whose sake check refuses a vector; 0 if it is none to refuse."""
    refused = vector["operation"] == "check" and vector["verdict"] == "invalid"
    return int(vector["clause"][0].split(".")[0]) if refused else 0


class Run:
    """What a testee was asked, as run.json says it."""

    def __init__(self, said):
        self.version, self.operations = said["version"], said["operations"]
        self.asked_of, self.void = tuple(said["asked"]), said["void"]
        self.options, self.part = set(said["options"]), said["part"]
        self.left_out = set(said["left_out"])

    def can(self, vector):
        return (vector["schema"] in self.operations.get(vector["operation"], ())
                and self.options.issuperset(vector.get("options", ()))
                and part_of(vector) <= self.part)

    def asked(self, vector):
        return self.can(vector) and vector["id"] not in self.left_out


def run_text(version, vectors, asked, void):
    """The text of run.json: of the vectors, those whose ids are in asked were asked, and so
    many more were refused as their twins were."""
    operations, options, part = {}, set(), 0
    for vector in (vectors[id] for id in asked):
        operations.setdefault(vector["operation"], set()).add(vector["schema"])
        options.update(vector.get("options", ()))
        part = max(part, part_of(vector))
    said = OrderedDict((
        ("version", version), ("asked", [len(asked), len(vectors)]), ("void", void),
        ("operations", OrderedDict((name, sorted(operations[name], key=version_key))
                                   for name in sorted(operations))),
        ("options", sorted(options)), ("part", part), ("left_out", [])))
    run = Run(said)
    said["left_out"] = sorted(id for id, vector in vectors.items()
                              if run.can(vector) and id not in asked)
    return readable(said)


def version_key(name):
    """Sorts versions by their numbers; null, which is no version, first."""
    return [(int(part), "") if part.isdigit() else (0, part)
            for part in re.findall(r"\d+|[a-z]+", name or "")]


def readable(said):
    """run.json's text: an operation a line, and an id a line."""
    lines = ['{"version": %s, "asked": %s, "void": %d, "options": %s, "part": %d,'
             % (json.dumps(said["version"]), json.dumps(said["asked"]), said["void"],
                json.dumps(said["options"]), said["part"]),
             ' "operations": {']
    lines.append(",\n".join("  %s: %s" % (json.dumps(name), json.dumps(schemas))
                            for name, schemas in said["operations"].items()) + "},")
    lines.append(' "left_out": [' + ",".join("\n  " + json.dumps(id)
                                             for id in said["left_out"]) + "]}")
    return "\n".join(lines) + "\n"


def read(path):
    """The causes of a file, in its order; each has ids, if only an empty list."""
    return [{"ids": [], **line} for line in read_lines(path)]


def write(path, text):
    """Whole, or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)
