"""Golden artifacts made anew beside those in the tree, member by member.

What may differ: memory addresses in metadata (from_node, keys of nn_module_stack), which the
artifacts of the tree hold and new ones number instead; and what follows from them, the checksum
that an archive holds of its members. What else may differ has a row in EXCUSES.
"""

import fnmatch
import io
import json
import re
import zipfile

from golden_neutral import without_addresses

FILES = ("program.json", "canonical.json", "model.pt2", "meta.json")
CHECKSUM = "/.data/serialization_id"
ERROR = re.compile(r"^error: \w+")

# (model, part, why it may differ)
UNWRITTEN = "its inputs are memory that nobody wrote, which is filled now and was not then"
EXCUSES = [
    ("dtype_*", "model.pt2/*/sample_inputs/model.pt", UNWRITTEN),
    ("dtype_*", "model.pt2/*" + CHECKSUM, UNWRITTEN),
]


def record(data, other):
    """What both say in meta.json: those of the tree have counts, too, and the words of errors are
    anyone's."""
    keys = json.loads(other or b"{}").keys()
    return {key: ERROR.match(value)[0] if isinstance(value, str) and ERROR.match(value)
            else value for key, value in json.loads(data).items() if key in keys}


def plain(name, data):
    return without_addresses(data.decode("utf-8")) if name.endswith(".json") else data


def parts(files, other):
    """What is compared of the files of a model, by name; other: those that it is held against."""
    found = {}
    for name in FILES:
        if name == "meta.json" and name in files:
            found[name] = record(files[name], other.get(name))
        elif name == "model.pt2" and name in files:
            same = files.get("program.json") == other.get("program.json")
            with zipfile.ZipFile(io.BytesIO(files[name])) as archive:  # not the time of day
                for i, info in enumerate(archive.infolist()):
                    if same or not info.filename.endswith(CHECKSUM):
                        found[f"{name}/{info.filename}"] = (
                            i, info.compress_type, plain(info.filename, archive.read(info)))
        elif name in files:
            found[name] = plain(name, files[name])
    return found


def compare(model, made, golden):
    """The parts of a model that differ, or are in one of the two alone; the folders as
    {file: bytes}."""
    one, other = parts(made, golden), parts(golden, made)
    return sorted(part for part in one.keys() | other.keys()
                  if one.get(part) != other.get(part) and not any(
                      fnmatch.fnmatch(model, row[0]) and fnmatch.fnmatch(part, row[1])
                      for row in EXCUSES))
