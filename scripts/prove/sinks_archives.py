"""Where a marker can be planted in an archive beside its documents: in names and contents
of members, in pickles, and in members that no exporter writes.
"""

import io
import pickletools
import re
import zipfile

from sinks_places import FORMS, MARK, read_archive, write_archive

# Members that a loader may look for, by the end of their name below the root. A form of
# the marker is their name, and this is what they hold.
ADDED = {
    "data/aotinductor/{}/a.so": b"\x7fELF no library", "data/aotinductor/model/{}.so": b"\x7fELF",
    "data/aotinductor/model/{}.cpp": b"int x;", "data/constants/{}.so": b"\x7fELF no library",
    "data/weights/{}.so": b"\x7fELF no library", "data/constants/{}.cpp": b"int x;",
    "models/{}.json": b"{}", "extra/{}": b"text", "data/sample_inputs/{}.pt": b"",
    "data/weights/{}": b"", "data/constants/custom_obj_{}": b"", "data/extension/{}.so": b"\x7fELF",
    "data/constants/{}_metadata.json": b"{}",
}
TEXTS = ("archive_format", "archive_version", "byteorder", ".data/version",
         ".data/serialization_id")
STRINGS = {"BINUNICODE", "SHORT_BINUNICODE", "GLOBAL"}


def parts(content):
    """The members of an archive of torch.save, as one reads them; none if it is none."""
    try:
        return read_archive(io.BytesIO(content))
    except zipfile.BadZipFile:
        return {}


def pickled(content):
    """(name of the opcode, its place in the bytes, the next one's, string) of a pickle's strings."""
    codes = [(code.name, at, text) for code, text, at in pickletools.genops(content)]
    for (name, at, text), (_, after, _) in zip(codes, codes[1:]):
        if name in STRINGS:
            yield name, at, after, text


def pickles(members):
    for member, content in members.items():
        if re.search(r"/data/sample_inputs/|/data/weights/[^.]*$", member):
            for name, inner in parts(content).items():
                if name.endswith("data.pkl"):
                    yield member, name, inner


def places(members):
    """(label, member, place, string) of all places but those in documents."""
    root = next(iter(members)).split("/", maxsplit=1)[0]
    for member in members:
        below = member.split("/", 1)[-1]
        folder, _, name = below.rpartition("/")
        if below in TEXTS:
            yield f"archive text {below}", member, "text", members[member].decode("utf-8", "replace")
        elif folder:
            yield f"archive name in {folder}", member, "name", name.split(".")[0]
    yield "archive root", "", "root", root
    for added in ADDED:
        yield f"archive with {added}", f"{root}/{added}", "added", ""
    for member, name, content in pickles(members):
        for code, at, after, text in pickled(content):
            where = re.sub(r"[\d.]+|/[^/]*$", "", member.split("/", 1)[-1])
            yield f"archive pickle {where} {code.replace('SHORT_', '')}", member, \
                (name, code, at, after), text


def with_string(members, member, place, new):
    """The members with another string in a pickle."""
    name, code, at, after = place
    inner = parts(members[member])
    text = new.encode("utf-8")
    if code == "GLOBAL":
        made = b"c" + text.replace(b"\n", b"") + b"\nx\n"
    else:
        made = b"X" + len(text).to_bytes(4, "little") + text
    inner[name] = inner[name][:at] + made + inner[name][after:]
    file = io.BytesIO()
    write_archive(inner, file)
    return {**members, member: file.getvalue()}


def in_pickles(members, old, new):
    """The members with another string in the place of one, wherever pickles hold it."""
    for member, name, content in pickles(members):
        found = [(name, *code[:3]) for code in pickled(content)
                 if code[0] != "GLOBAL" and code[3] == old]
        for place in reversed(found):
            members = with_string(members, member, place, new)
    return members


def renamed(members, old, new):
    """The members with a name in the place of another, in configs too."""
    def name_of(member):
        folder, slash, name = member.rpartition("/")
        return folder + slash + re.sub(rf"^{re.escape(old)}(?=[._]|$)", lambda _: new, name)
    return {name_of(member): content for member, content in members.items()}


def plant(members, member, place, text, form, everywhere):
    """The members with a marker in a place; None where nothing comes of it."""
    new = FORMS[form].format(text)
    if not everywhere:
        return None
    if place == "text":
        return {**members, member: new.encode("utf-8")}
    if place == "root":
        return {member.replace(text + "/", new + "/", 1): content
                for member, content in members.items()}
    if place == "name":
        return renamed(members, text, new)
    if place == "added":
        end = next(end for end in ADDED if member.endswith("/" + end))
        made = member.replace("{}", FORMS[form].format(MARK))
        return {**members, made: ADDED[end]}
    return with_string(members, member, place, new)
