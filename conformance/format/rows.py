"""Rows of conformance/vectors/, and the vectors that they become.

A row is one vector in each of its versions: "{v}" in an id, a twin or a product is the
version.  Its document is one of

    document    a program, as format/neutral.py says it; or the id of a row that says it, too
    archive     an archive, as format/archives.py says it; so are its changes
    text, base64, large    bytes; large is a file of large.tar.xz
    of          [ID, NAME, ...]: a member of the archive of another vector
    base, twin  the id of another vector, with edit, a list of changes (format/edits.py)

and its error is code, pointer and at: the value at the pointer begins there if at is not
said; "key" is where its key begins, "end" the last byte of the value, a number so many
bytes behind its beginning, ["edit", n] n bytes behind the last change, ["byte", n] a byte.
Where the error is in a member of an archive, member is its name, and the pointer is one in it.
The rest is as in the manifest (vectors/schema.json).
"""

import glob
import hashlib
import json
import os
import tarfile

from format import edits, spans
from format.archives import Content, Contents
from format.edits import of_version
from format.annexes import ROOT

FOLDER = os.path.join(ROOT, "conformance", "vectors")
INLINE = 400  # bytes of a document that stands in the manifest itself
LONG = 300  # bytes of a change of an archive that has the flag "large"
BIG = 1 << 20  # bytes that a change puts there, from which on a vector has bounds
REPEATS = 100000  # a change that repeats oftener is not carried out here
BOUNDS = {"seconds": 60, "memory": 4 << 30}  # generous: for any language, on any machine
KEYS = ("id", "operation", "schema", "verdict", "code", "clause", "pointer", "offset", "twin",
        "base", "edit", "text", "base64", "file", "other", "product", "same_as", "different_from",
        "warnings", "profiles", "options", "flags", "bounds", "why", "provenance")
KEPT = ("operation", "code", "clause", "twin", "base", "other", "same_as", "different_from",
        "profiles", "options", "flags", "why")
GIVEN = ("document", "archive", "of", "text", "base64", "large")
SAID = {*KEPT, *GIVEN, "id", "versions", "edit", "zip", "pointer", "at", "member", "product",
        "warnings", "provenance"}
MADE = ("pack", "strip", "join", "migrate-archive")  # of their products there is the digest


def read(folder=FOLDER):
    """The rows of all files, in the order of their names."""
    for path in sorted(glob.glob(os.path.join(folder, "[1-9]*.jsonl"))):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip():
                    yield json.loads(line)


def large_files(folder=FOLDER):
    """Name to bytes of the documents that are too large for a row."""
    path = os.path.join(folder, "large.tar.xz")
    if not os.path.exists(path):
        return {}
    with tarfile.open(path) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def in_place(data):
    """The key that says bytes in the manifest itself."""
    found = edits.said(data)
    return {"text": found} if isinstance(found, str) else found


def file_name(name):
    """Of the document of a vector, without its ending: its area is a folder."""
    area, _, rest = name.partition("/")
    return area + "/" + rest.replace("/", "-")


def alike(one, other, limit):
    """How many first bytes of two are the same; by halves, as they are long."""
    low = 0
    while low < limit:
        middle = (low + limit + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            limit = middle - 1
    return low


def change_between(old, new):
    """The one change that makes new of old, as short as it can be."""
    limit = min(len(old), len(new))
    begin = alike(old, new, limit)
    end = alike(old[::-1], new[::-1], limit - begin)
    return begin, len(old) - begin - end, new[begin:len(new) - end]


class Vector:
    """A row in one of its versions."""

    def __init__(self, row, version):
        self.row, self.version = row, version
        self.id = of_version(row["id"], version)
        self.origin = of_version(row.get("base", row.get("twin")), version)
        self.data = self.tree = self.splices = self.content = None

    @property
    def embedded(self):
        return any(key in self.row for key in GIVEN)


class Suite:
    """All vectors of the rows, with the files beside the manifest."""

    def __init__(self, rows, large):
        self.large, self.files, self.vectors = large, {}, {}
        for row in rows:
            unknown = set(row) - SAID
            assert not unknown, "%s: no row has %s" % (row.get("id"), sorted(unknown))
            for version in row.get("versions", [None]):
                vector = Vector(row, version)
                assert vector.id not in self.vectors, "twice: " + vector.id
                self.vectors[vector.id] = vector

    # ---- bytes

    def data(self, name):
        """The bytes of a vector; None of one that is not carried out here."""
        chain = [self.vectors[name]]
        while chain[-1].data is None and chain[-1].splices is None and not chain[-1].embedded:
            chain.append(self.vectors[chain[-1].origin])
        for vector in reversed(chain):
            if vector.data is None and vector.splices is None:
                self.make(vector)
        return chain[0].data

    def make(self, vector):
        base, edit = self.vectors.get(vector.origin), vector.row.get("edit", [])
        if vector.embedded:
            said = {key: vector.row[key] for key in (*GIVEN, "zip") if key in vector.row}
            vector.content = self.given(said, vector.version)
        elif not edit:
            vector.content = base.content
        elif base.content and base.content.archive:
            vector.content = self.contents(vector.version).changed(base.content, edit)
        if vector.content:
            vector.data, vector.splices = vector.content.data, []
            return
        if len(edit) == 1 and edit[0][0] == "bytes" and edit[0][4:5] > [REPEATS]:
            vector.splices = [edits.Edit(base.data, None, None).splice(edit[0])]
            return
        vector.data, vector.splices = edits.splices(base.data, vector.version, edit,
                                                    self.spans_of(base) if edit else None)

    def given(self, said, version):
        """The Content that a row says, or its product."""
        if isinstance(said.get("document"), str):  # of a row that says the same
            said = {**said, "document": self.vectors[said["document"]].row["document"]}
        return self.contents(version).read(said)

    def contents(self, version):
        return Contents(self.content, version)

    def content(self, name, part="of"):
        """Of a vector, or of its other or its product; or a large one."""
        if part == "large":
            return Content(self.large[name])
        data, vector = self.data(name), self.vectors[name]
        if part == "of":
            return vector.content or Content(data)
        said = vector.row[part]
        return self.given(said, said.get("version", vector.version))

    @staticmethod
    def spans_of(vector):
        """The tree of the document; None where it is no JSON."""
        if vector.tree is None and vector.data is not None:
            try:
                vector.tree = spans.scan(vector.data)
            except (ValueError, RecursionError):
                vector.tree = False
        return vector.tree or None

    # ---- lines of the manifest

    def place(self, vector, error):
        """The pointer and the byte of an error, as this document has them."""
        pointer, at = error["pointer"], error.get("at", 0)
        if "member" in error:
            inner = Vector(vector.row, vector.version)
            inner.data = vector.content.archive.content(error["member"]).data
            return self.place(inner, {"pointer": pointer, "at": at})
        if pointer == "" and not at and not self.spans_of(vector):
            return pointer, 0
        if isinstance(at, list):
            base = vector.splices[-1][0] if at[0] == "edit" else 0
            return self.pointer(vector, pointer), base + at[1]
        span, around, pointer = spans.find(self.spans_of(vector), vector.data, pointer)
        if at == "key":
            return pointer, around.members[around.at(spans.segments(pointer)[-1])][1]
        return pointer, span.end - 1 if at == "end" else span.start + at

    def pointer(self, vector, pointer):
        """A pointer as this document has it, where it has it."""
        try:
            return spans.find(self.spans_of(vector), vector.data, pointer)[2]
        except (AttributeError, LookupError):
            return pointer

    def bytes_keys(self, data, name):
        """The keys that say bytes: in place, or as a file."""
        if len(data) > INLINE:
            self.files[name] = data
            return {"file": name}
        return in_place(data)

    def bytes_of(self, vector, verdict):
        """What says the bytes of a vector: in place, a file, or a change of its origin."""
        if vector.embedded and verdict != "invalid":
            name = file_name(vector.id) + ".json"
            if vector.content.archive:
                name = "archives/%s.pt2" % vector.id.replace("/", "-")
            return self.bytes_keys(vector.data, name)
        base = self.data(vector.origin)
        if vector.data is not None and vector.data == base:
            return {}
        one = len(vector.splices) == 1
        return self.change(vector.splices[0] if one else change_between(base, vector.data))

    def of_archive(self, vector):
        """Whether it is a change of an archive."""
        content = self.vectors[vector.origin].content
        return content is not None and content.archive is not None

    @staticmethod
    def change(splice):
        """A splice as the manifest has it, with bounds where it makes a large document."""
        line = {"edit": [each if isinstance(each, int) else edits.said(each) for each in splice]}
        after = splice[5] if len(splice) > 5 else splice[2]
        if len(splice) > 3 and len(splice[2] + after) * splice[3] >= BIG:
            line["bounds"] = BOUNDS
        return line

    def product(self, vector, name):
        row, version = vector.row["product"], vector.version
        if row == "same":
            return row
        row = of_version(row, version)
        if "sha256" in row:
            return row
        if "base" in row:
            if "edit" not in row:
                return {"base": row["base"]}
            splice = edits.Edit(self.data(row["base"]), None, None).splice(row["edit"][0])
            return {"base": row["base"], "edit": self.change(splice)["edit"]}
        if next(iter(row)) == "edit":
            made = edits.splices(vector.data, row["version"], row["edit"],
                                 self.spans_of(vector))[0]
        else:
            made = self.given(row, row.get("version", version)).data
        if vector.row["operation"] in MADE:
            return {"sha256": hashlib.sha256(made).hexdigest(), "size": len(made)}
        return self.bytes_keys(made, name)

    def line(self, name):
        """The line of the manifest."""
        vector = self.vectors[name]
        row, version = vector.row, vector.version
        self.data(name)
        line = {"id": name, "schema": version, "provenance": row.get("provenance", "hand"),
                "verdict": "implementation-defined" if "profiles" in row else
                "invalid" if "code" in row else "valid"}
        line.update({key: of_version(row[key], version) for key in KEPT if key in row})
        line.update(self.bytes_of(vector, line["verdict"]))
        if "edit" in line and self.of_archive(vector) and len(edits.raw(line["edit"][2])) > LONG:
            line["flags"] = line.get("flags", []) + ["large"]
        if "pointer" in row:
            line["pointer"], line["offset"] = self.place(vector, row)
        if "warnings" in row:
            places = [self.place(vector, each) for each in row["warnings"]]
            line["warnings"] = [{"code": each["code"], "offset": offset, "pointer": pointer}
                                for each, (pointer, offset) in zip(row["warnings"], places)]
        if isinstance(row.get("other"), dict):
            made = self.given(row["other"], version).data
            line["other"] = self.bytes_keys(made, file_name(name) + "-other")
        if "product" in row:
            line["product"] = self.product(vector, file_name(name) + "-product.json")
        return {key: line[key] for key in KEYS if key in line}
