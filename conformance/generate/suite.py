"""The vectors as they are made: each is a dict that becomes a line of the
manifest.  An invalid vector is a valid one, its twin, with one change; so all
that an invalid vector can get wrong is where the change is and what it breaks,
and both are said by who made the change.
"""

import hashlib
import json
from collections import OrderedDict

from format import edits, rows
from format.document import apply
from format.history import codes

POINTER = 255  # bytes of a pointer that an implementation need not cut


def to_bytes(text):
    """Text as UTF-8; a byte that is none stands as a lone surrogate."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


class Suite:
    """All vectors, and the files that they need."""

    def __init__(self, oracle):
        """oracle(text, version): the canonical form of a valid document."""
        self.oracle = oracle
        self.vectors, self.files, self.bytes = OrderedDict(), {}, {}
        self.asked = {}
        self.clauses = codes()

    # -- bytes

    def spelled(self, data, name):
        """The keys that say the bytes: in place, or as a file."""
        data = to_bytes(data)
        if len(data) > rows.INLINE and name:
            assert self.files.setdefault(name, data) == data, "two files: " + name
            return {"file": name}
        return rows.in_place(data)

    def edit(self, change):
        """A change as the manifest has it."""
        offset, length, text = change[:3]
        return [offset, length, edits.said(to_bytes(text)), *change[3:]]

    @staticmethod
    def question(operation, options, other, data):
        """What two vectors that ask the same have in common."""
        said = [json.dumps(each, sort_keys=True) for each in (options or {}, other)]
        return operation, *said, data

    def again(self, vector, data):
        """The vector that asks the same already, if there is one. It must then
        want the same, too: two ways have led to one document."""
        if data is None:
            data = json.dumps([vector.get("twin", vector.get("base")), vector["edit"]])
        key = self.question(vector["operation"], vector.get("options"), vector.get("other"), data)
        name = self.asked.setdefault(key, vector["id"])
        if name == vector["id"]:
            return None
        for wanted in ("verdict", "code", "offset", "pointer", "product"):
            same = self.vectors[name].get(wanted) == vector.get(wanted)
            assert same, "%s, %s: not the same %s" % (name, vector["id"], wanted)
        return name

    def add(self, vector, data):
        name = self.again(vector, data)
        if name is not None:
            return name
        name = vector["id"]
        assert name not in self.vectors, "twice: %s" % name
        assert set(vector) <= set(rows.KEYS), "%s: %s" % (name, set(vector) - set(rows.KEYS))
        self.vectors[name] = {key: vector[key] for key in rows.KEYS
                              if vector.get(key) not in (None, {})
                              or key == "schema"}
        if vector.get("flags") == []:
            del self.vectors[name]["flags"]
        self.bytes[name] = data
        return name

    def digested(self, data):
        """A product of which the manifest has the hash alone."""
        return {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}

    # -- vectors

    def valid(self, name, operation, schema, data, clause, why, file=None, **more):
        """A document that is valid.  more: product, options, flags, ..."""
        data = to_bytes(data)
        vector = {"id": name, "operation": operation, "schema": schema, "verdict": "valid",
                  "clause": clauses(clause), "why": why, "provenance": "types"}
        vector.update(more)
        there = self.again(vector, data)  # a file is for a new one
        return there or self.add({**vector, **self.spelled(data, file)}, data)

    def valid_edit(self, name, base, change, clause, why, **more):
        """The same, as a valid document with a change; change may be None."""
        found = self.vectors[base]
        vector = {"id": name, "operation": found["operation"], "schema": found["schema"],
                  "verdict": "valid", "clause": clauses(clause), "base": base, "why": why,
                  "provenance": "types", "options": found.get("options")}
        vector.update(more)
        return self.add(vector, self.changed(vector, self.bytes[base], change))

    def invalid(self, name, twin, change, code, at, why, **more):
        """The twin with one change.  at: (offset, pointer) of the error, counted
        in the changed bytes; None where the error has no place."""
        found = self.vectors[twin]
        vector = {"id": name, "operation": found["operation"], "schema": found["schema"],
                  "verdict": "invalid", "code": code, "why": why, "provenance": "types",
                  "twin": twin, "options": found.get("options"), "other": found.get("other")}
        vector["clause"] = clauses(self.clauses[code], *clauses(more.pop("also", [])))
        vector.update(more)
        if at is not None:
            vector["offset"], vector["pointer"] = at
            if "\0" in at[1] or len(at[1].encode("utf-8")) > POINTER:
                vector["flags"] = (vector.get("flags") or []) + ["pointer-cut"]
        return self.add(vector, self.changed(vector, self.bytes[twin], change))

    def changed(self, vector, data, change):
        """The bytes after a change, which goes into the vector; None for big ones."""
        if change is None:
            return data
        vector["edit"] = self.edit(change)
        pieces = [to_bytes(each) for each in change[2:] if not isinstance(each, int)]
        if len(change) > 3 and len(pieces[0] + pieces[-1]) * change[3] >= rows.BIG:
            vector["bounds"] = rows.BOUNDS
        if len(change) > 3 and change[3] > rows.REPEATS:
            return None
        return apply(data, (*change[:2], pieces[0], *change[3:4], *pieces[1:]))


def clauses(*names):
    flat = []
    for name in names:
        flat += [name] if isinstance(name, str) else name
    return list(OrderedDict.fromkeys(flat))


def change_between(old, new):
    """The one change that makes new of old, as short as it can be."""
    return rows.change_between(to_bytes(old), to_bytes(new))
