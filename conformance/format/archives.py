"""Archives as rows say them, and their changes.

An archive is {"archive": [[NAME, CONTENT, HOW], ...], "zip": SAID}.  HOW is what the zip says
of a member beside its name and bytes, SAID what it says of all: its writer, order of the
directory, ends, comment (format/zips.py).  A member {"each": [FIRST, COUNT], "member": [...]}
is so many, and {n} in their name the number.  CONTENT is a text, or

    {"base64": ...}, {"hex": ...}        bytes
    {"document": PROGRAM, "version": V}  a program, as format/neutral.py says it
    {"json": VALUE}                      as Python's json writes it
    {"struct": ["<3f", 0.5, 1.5, 2.5]}   numbers, as Python's struct packs them
    {"pickle": [OPCODE, ...]}            format/pickles.py
    {"archive": ..., "zip": ...}         an archive inside, such as torch.save makes
    {"of": [ID, NAME, ...], "edit": ...} that of a member of another vector, or of the vector
                                         itself, with changes; or "product", or "other"
    {"large": NAME}                      a file of large.tar.xz
    {"join": [CONTENT, ...]}, {"repeat": [CONTENT, TIMES]}

A change of an archive is one of these; each sees what those before it have made:

    ["member", NAME, CONTENT, HOW]       a member has another content
    ["insert", BEFORE, NAME, CONTENT, HOW]   a member more, before another one or null
    ["without", NAME], ["rename", NAME, NEW]
    ["how", NAME, HOW]                   its zip says something else; null is as it was
    ["zip", SAID]                        the same of the whole
    ["in", NAME, [CHANGE, ...]]          changes of the content: of an archive these, of JSON
                                         those of format/edits.py, of a pickle
    ["opcodes", OLD, NEW, TIMES]         opcodes become others where they stand for the first
                                         time, or after so many times
    ["field", RECORD, FIELD, VALUE]      a number in a record of the zip says something else;
                                         the record is "end", or such as ["local", NAME]
    ["bytes", AT, LENGTH, BYTES]         bytes of the archive, when all else is done

NAME is a text, or the index of a member where there are several of one name.
"""

import json
import struct

from format import edits, pickles, zips
from format.edits import of_version, raw

BYTES = ("name", "extra", "wide", "comment", "stream", "after", "behind")


def listed(said):
    """The members that one item of an archive says."""
    if isinstance(said, list):
        return [said]
    first, count = said["each"]
    name, *rest = said["member"]
    return [[name.replace("{n}", str(n)), *rest] for n in range(first, first + count)]


class Content:
    """Bytes, and what they are made of, if that is known: an Archive, or opcodes."""

    def __init__(self, data=None, archive=None, ops=None):
        self.known, self.archive, self.ops = data, archive, ops

    @property
    def data(self):
        if self.known is None:
            self.known = self.archive.written()[0] if self.archive else b"".join(self.ops)
        return self.known


class Archive:
    """members: lists of a name, a Content, and how; names and what is said are bytes."""

    def __init__(self, members, said):
        self.members, self.said = members, said
        self.made = None

    def written(self):
        """The bytes, and where each record is."""
        if self.made is None:
            said = dict(self.said)
            writer = {"writer": said.pop("writer", "plain")}
            self.made = zips.archive([zips.Member(name, content.data, **{**writer, **how})
                                      for name, content, how in self.members], **said)
        return self.made

    def at(self, name):
        """The index of a member."""
        if isinstance(name, int):
            return name
        found = [i for i, member in enumerate(self.members) if member[0] == raw(name)]
        if len(found) != 1:
            raise LookupError("%s: %d members" % (name, len(found)))
        return found[0]

    def content(self, name):
        return self.members[self.at(name)][1]


class Contents:
    """Reads contents. of(id, part): the Content of a vector, or of its product."""

    def __init__(self, of, version):
        self.of, self.version = of, version

    def read(self, said):
        if isinstance(said, str) or "base64" in said or "hex" in said:
            return Content(raw(said))
        return getattr(self, "read_" + next(iter(said)))(said)

    def read_text(self, said):
        return Content(raw(said["text"]))

    def read_document(self, said):
        version = said.get("version", self.version)
        return Content(edits.spell(version, edits.shape_at(version, []), said["document"]))

    def read_json(self, said):
        return Content(json.dumps(said["json"]).encode())

    def read_struct(self, said):
        return Content(struct.pack(*said["struct"]))

    def read_pickle(self, said):
        return Content(ops=pickles.opcodes(said["pickle"], raw))

    def read_join(self, said):
        return Content(b"".join(self.read(each).data for each in said["join"]))

    def read_repeat(self, said):
        content, times = said["repeat"]
        return Content(self.read(content).data * times)

    def read_archive(self, said):
        members = [self.member(*one) for each in said["archive"] for one in listed(each)]
        return Content(archive=Archive(members, self.told(said.get("zip", {}))))

    def read_of(self, said, part="of"):
        name, *names = said[part]
        found = self.of(of_version(name, self.version), part)
        for each in names:
            found = found.archive.content(each)
        return self.changed(found, said["edit"]) if "edit" in said else found

    def read_large(self, said):
        return self.of(of_version(said["large"], self.version), "large")

    def read_product(self, said):
        return self.read_of(said, "product")

    def read_other(self, said):
        return self.read_of(said, "other")

    def member(self, name, content, how=None):
        return [raw(name), self.read(content), self.told(how or {})]

    def told(self, said):
        """What a row says of a zip, with its bytes as bytes."""
        made = {}
        for key, value in said.items():
            if key in ("local", "central"):
                value = value and self.told(value)
            elif (key in BYTES or key == "ending" and not isinstance(value, str)) and (
                    value is not None):
                value = self.read(value).data
            made[key] = value
        return made

    # ---- changes

    def changed(self, content, changes):
        """A Content with changes."""
        if content.archive:
            return self.changed_archive(content.archive, changes)
        if content.ops and changes[0][0] == "opcodes":
            ops = content.ops
            for change in changes:
                ops = self.changed_opcodes(ops, *change[1:])
            return Content(ops=ops)
        return Content(edits.splices(content.data, self.version, changes)[0])

    @staticmethod
    def changed_opcodes(ops, old, new, times=0):
        old, new = pickles.opcodes(old, raw), pickles.opcodes(new, raw)
        found = [i for i in range(len(ops)) if ops[i:i + len(old)] == old]
        at = found[times]
        return ops[:at] + new + ops[at + len(old):]

    def changed_archive(self, archive, changes):
        late = [change for change in changes if change[0] in ("field", "bytes")]
        made = Archive([list(member) for member in archive.members], archive.said)
        for what, *rest in changes[:len(changes) - len(late)]:
            getattr(self, "do_" + what)(made, *rest)
        if not late:
            return Content(archive=made)
        data, places = made.written()
        splices = [self.field(made, places, *change[1:]) if change[0] == "field" else
                   (*change[1:3], self.read(change[3]).data) for change in late]
        return Content(edits.applied(data, splices)[0])

    @staticmethod
    def field(archive, places, record, field, value):
        """The splice of a field."""
        kind, name = (record, None) if isinstance(record, str) else record
        at, size = zips.FIELDS[kind][field]
        at += places[kind, None if name is None else archive.at(name)]
        return at, size, value.to_bytes(size, "little")

    def do_member(self, archive, name, content, how=None):
        member = archive.members[archive.at(name)]
        member[1] = self.read(content)
        member[2] = member[2] if how is None else self.told(how)

    def do_insert(self, archive, before, *member):
        at = len(archive.members) if before is None else archive.at(before)
        archive.members.insert(at, self.member(*member))

    @staticmethod
    def do_without(archive, name):
        del archive.members[archive.at(name)]

    @staticmethod
    def do_rename(archive, name, new):
        archive.members[archive.at(name)][0] = raw(new)

    def do_how(self, archive, name, how):
        member = archive.members[archive.at(name)]
        member[2] = self.merged(member[2], how)

    def do_zip(self, archive, said):
        archive.said = self.merged(archive.said, said)

    def merged(self, old, said):
        return {key: value for key, value in {**old, **self.told(said)}.items()
                if value is not None}

    def do_in(self, archive, name, changes):
        member = archive.members[archive.at(name)]
        member[1] = self.changed(member[1], changes)
