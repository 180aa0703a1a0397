"""Vectors on the golden programs: what fifteen releases of PyTorch wrote.

The documents stay in the corpus. That they are valid, and come out of an encoder
as they went in, is what PyTorch did; the torch form is what that release made; the
digest is what conformance/oracle/canon.py makes. The programs that PyTorch wrote and that
are not valid are those of SPEC D-1, found here by their bytes.

A file that several models share is one document, named after the first of them.
An archive is taken when no earlier one of the release has the same members but
for the name of the model: what else is in it is what its program says.
"""

import hashlib
import json
import os
import re
import zipfile
from collections import OrderedDict

from generate.golden import defects, spans
from format.history import FORM, ROOT, VERSIONS
from format.rows import KEYS
from format.spans import placed

CORPUS = os.path.join(ROOT, "corpora", "golden", "manifest.jsonl")
WRITTEN = ["3.9.1", "3.9.2", "3.9.6", "3.9.7", "3.9.8"]
BOOL = re.compile(r"/graph_module/signature/input_specs/\d+/constant_input/value/as_int")
D1 = ("2.4.1", "2.5.1")  # releases
BETWEEN = ("2.13.0", "2.14.1")  # of one version with a release before and one after
FORMS = ("2.1.2", "2.2.2", "2.4.1", "2.6.0", "2.8.0", "2.12.1", "2.15.0")  # torch forms are of


class Unfit(Exception):
    """The corpus is not as its manifest has it."""


class Program:
    """A line of the corpus' manifest, with what its files hold."""

    def __init__(self, folder, line, same, oracle):
        self.oracle = oracle
        self.folder, self.line, self.same = folder, line, same
        self.path, self.release = line["path"], line["release"]
        self.version = line["schema_version"]
        self.data = self.read("program.json")
        self.bool = self.bool_as_int()

    def read(self, name):
        data = contents(self.folder, os.path.join(self.path, name))
        if hashlib.sha256(data).hexdigest() != self.line["members"][name]["sha256"]:
            raise Unfit("%s/%s: not what the manifest has" % (self.path, name))
        return data

    def bool_as_int(self):
        """The value that SPEC D-1 is about, if there is one."""
        found = [value for value in spans.every(placed(self.data))
                 if BOOL.fullmatch(value.pointer) and value.text in ("true", "false")]
        if found and self.release not in D1:
            raise Unfit("%s: a bool as an int" % self.path)
        return found[0] if found else None

    def says(self, what):
        also = "; also %s" % ", ".join(self.same) if self.same else ""
        return "%s PyTorch %s (%s%s)." % (what, self.release, ", ".join(self.line["features"])
                                          or "plain", also)

    def vector(self, operation, clause, what, file="program.json", **more):
        vector = {"id": "golden/%s/%s" % (self.path, operation), "operation": operation,
                  "schema": self.version, "verdict": "valid",
                  "clause": [clause] if isinstance(clause, str) else clause,
                  "file": "%s/%s" % (self.path, file), "why": self.says(what),
                  "provenance": "golden"}
        vector.update(more)
        if self.bool:
            vector.update(verdict="invalid", code="EP_TYPE", clause=["3.4.1"],
                          offset=self.bool.start, pointer=self.bool.pointer,
                          why="A bool in {\"as_int\": ...}, as PyTorch 2.4 and 2.5 write it: the "
                              "tag says int, and the value is none (SPEC D-1).")
        return {key: vector[key] for key in KEYS if key in vector}

    def vectors(self):
        yield self.vector("check", ["3.1.3", "3.1.5"], "A program as it was written by")
        if self.bool:
            return
        if self.release in BETWEEN:
            return
        yield self.vector("encode", WRITTEN, "Written again as it was written by", product="same")
        if self.line["canonical"] and self.release in FORMS:
            yield self.vector("canon", ["6.9.1"], "The torch form as it was made by",
                              product={"file": self.path + "/canonical.json"},
                              options={"form": "torch"})
        if self.version == FORM:
            form = self.oracle(self.data)
            text = "ep1:" + hashlib.sha256(form.encode("utf-8")).hexdigest()
            yield self.vector("digest", ["6.10.1"], "The digest of a program of",
                              product={"text": text})

    def members(self):
        """What the archive holds, without the name of the model; None: no archive."""
        if "model.pt2" not in self.line["members"]:
            return None
        self.read("model.pt2")
        with zipfile.ZipFile(os.path.join(self.folder, self.path, "model.pt2")) as archive:
            names = [re.sub(r"^[^/]+/", "R/", each.filename) for each in archive.infolist()]
        return frozenset(re.sub(r"\d+$", "N", name) for name in names)

    def archive(self):
        yield self.vector("archive", ["8.1.1", "8.1.2", "8.1.3"], "An archive as it was written by",
                          file="model.pt2")


def contents(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def lines():
    with open(CORPUS, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def programs(folder, oracle):
    """The programs, each document once."""
    found = OrderedDict()
    for line in lines():
        found.setdefault(line["members"]["program.json"]["sha256"], []).append(line)
    for same in found.values():
        yield Program(folder, same[0], [line["path"] for line in same[1:]], oracle)


def vectors(folder, oracle):
    """oracle(text): the canonical form of a valid document."""
    seen, made = set(), []
    for program in programs(folder, oracle):
        if program.version not in VERSIONS:
            raise Unfit("%s: of no version" % program.path)
        made += program.vectors()
        members = program.members()
        if members is not None and (program.release, members) not in seen:
            seen.add((program.release, members))
            made += program.archive()
    twins = [vector for vector in made
             if vector["operation"] == "check" and vector["verdict"] == "valid"]
    made += defects.vectors(twins, lambda twin: contents(folder, twin["file"]))
    return sorted(made, key=lambda vector: vector["id"])
