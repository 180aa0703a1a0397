"""The conformance suite as data: its vectors, their bytes, and the clauses of SPEC.md."""

import base64
import json
import os
import re
from collections import OrderedDict

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUITE = os.path.join(ROOT, "conformance", "suite.jsonl")
CORPORA = os.environ.get("EPREF_CORPORA") or os.path.join(ROOT, "build", "corpora")
MADE = "{corpora}/suite"            # what the build makes of the rows
SPEC = os.path.join(ROOT, "SPEC.md")

CLAUSE = re.compile(r"^\*\*(\d+\.\d+\.\d+)\*\* (.*)")
SECTION = re.compile(r"^### (\d+\.\d+|D-\d+) (.*)")
HERE = re.compile(r"^\* Here: (.*)")
CODE = re.compile(r"\bEP_[A-Z0-9_]+\b")
SENTENCE = re.compile(r"(?<=\.) (?=[A-Z`*])")
SHORT = 260                         # characters of a clause that are shown


class NoBytes(Exception):
    """The bytes of a vector are in a file that is not in the tree."""


def read_lines(path):
    lines = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                lines.append(json.loads(line))
            except ValueError as error:
                raise ValueError("%s:%d: %s" % (path, number, error))
    return lines


class Suite:
    """The vectors of all manifests, by id, in order. Without corpora those of which only the suite
    itself is there are listed."""

    def __init__(self, path=SUITE, corpora=None):
        self.vectors, self.folders, self.lengths = OrderedDict(), {}, {}
        for line in read_lines(path):
            manifest, folder = (
                os.path.join(os.path.dirname(path),
                             line[key].replace(MADE, os.path.join(CORPORA, "suite"))
                             if corpora is None else line[key].replace("{corpora}", corpora))
                for key in ("manifest", "files"))
            for vector in read_lines(manifest):
                self.vectors[vector["id"]] = vector
                self.folders[vector["id"]] = folder

    def parent(self, vector):
        """The vector of whose bytes this one's are made, or None."""
        return self.vectors.get(vector.get("twin") or vector.get("base"))

    def bytes_of(self, vector):
        if "text" in vector:
            return vector["text"].encode()
        if "base64" in vector:
            return base64.b64decode(vector["base64"])
        if "file" in vector:
            return self.file(vector)
        return self.changed(self.bytes_of(self.parent(vector)), vector)

    @staticmethod
    def changed(data, vector):
        if "edit" not in vector:
            return data
        at, length, new = edit_of(vector)
        return data[:at] + new + data[at + length:]

    def file(self, vector):
        path = os.path.join(self.folders[vector["id"]], vector["file"])
        if "{corpora}" in path:
            raise NoBytes(vector["file"])
        with open(path, "rb") as file:
            return file.read()

    def length(self, id):
        """Bytes of the document; None where its file is not in the tree."""
        if id not in self.lengths:
            self.lengths[id] = self.measure(self.vectors[id])
        return self.lengths[id]

    def measure(self, vector):
        parent = self.parent(vector)
        if parent is None:
            try:
                return len(self.bytes_of(vector))
            except NoBytes:
                return None
        length = self.length(parent["id"])
        if length is not None and "edit" in vector:
            _, cut, new = edit_of(vector)
            length += len(new) - cut
        return length


def edit_of(vector):
    """Offset, length, and the bytes that stand there instead."""
    at, length, new = vector["edit"][:3]
    data = base64.b64decode(new["base64"]) if isinstance(new, dict) else new.encode()
    times = vector["edit"][3] if len(vector["edit"]) > 3 else 1
    between, after = (each.encode() for each in vector["edit"][4:] or ("", ""))
    return at, length, data * times + between + after * times


# ---- SPEC.md ----------------------------------------------------------------


def shortened(text):
    """The first sentences of a clause: up to its first demand, and not many words."""
    sentences, taken = SENTENCE.split(text), ""
    for sentence in sentences:
        if taken and len(taken) + len(sentence) > SHORT:
            break
        taken = (taken + " " + sentence).strip()
        if "MUST" in taken:
            break
    if len(taken) > SHORT:
        taken = taken[:taken.rindex(" ", 0, SHORT)] + " ..."
    return taken if taken.endswith(".") else taken.rstrip(":;") + " ..."


class Clauses:
    """Number of a clause to its text in a line, and to the anchor of its section; code to the links
    of the deviations of PyTorch in which it is the answer."""

    def __init__(self, path=SPEC):
        self.texts, self.links, self.deviations = {}, {}, {}
        section, link, number, lines = "", None, None, []
        with open(path, encoding="utf-8") as file:
            for line in [*file, ""]:
                clause, heading, here = CLAUSE.match(line), SECTION.match(line), HERE.match(line)
                if heading:
                    section, link = heading[1], anchor("%s %s" % heading.groups())
                if number and (clause or not line.strip()):
                    self.texts[number] = shortened(" ".join(lines))
                    number = None
                if clause:
                    number, lines = clause[1], [clause[2].strip()]
                    self.links[number] = link
                elif number:
                    lines.append(line.strip())
                for code in CODE.findall(here[1]) if here and section.startswith("D-") else ():
                    self.deviations.setdefault(code, []).append(
                        "[%s](../SPEC.md%s)" % (section, link))


def anchor(heading):
    """Where a heading is linked: as the sites that show Markdown make it."""
    return "#" + re.sub(r"[^a-z0-9_ -]", "", heading.lower()).replace(" ", "-")


def table(head, rows):
    """The lines of a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| %s |" % " | ".join(map(str, line)) for line in lines]
