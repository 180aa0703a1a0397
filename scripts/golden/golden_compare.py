"""Golden artifacts made anew beside those in the tree, member by member.

What may differ, and is then counted as "addresses": memory addresses in metadata
(from_node, keys of nn_module_stack), which the artifacts of the tree hold and new
ones number instead; and what follows from them, the sizes in meta.json and the
checksum that an archive holds of its members. What else may differ has a row in
EXCUSES. Everything else is a difference.
"""

import fnmatch
import io
import json
import re
import zipfile

from golden_neutral import without_addresses

FILES = ("program.json", "canonical.json", "model.pt2", "meta.json")
SAME, ADDRESSES, EXCUSED, DIFFERENT, ABSENT = "same", "addresses", "excused", "DIFFERENT", "ABSENT"
WORST = (SAME, ADDRESSES, EXCUSED, ABSENT, DIFFERENT)
CHECKSUM = "/.data/serialization_id"
ERROR = re.compile(r"^error: \w+")

# (model, part, why it may differ)
UNWRITTEN = "its inputs are memory that nobody wrote, which is filled now and was not then"
EXCUSES = [
    ("dtype_*", "*/sample_inputs/model.pt", UNWRITTEN),
]


def excuse(model, part):
    return any(fnmatch.fnmatch(model, row[0]) and fnmatch.fnmatch(part, row[1])
               for row in EXCUSES)


def judge(model, part, one, other):
    """What is to be said of two byte strings that should be equal."""
    if one == other:
        return SAME
    if part.endswith(".json"):
        texts = [without_addresses(each.decode("utf-8")) for each in (one, other)]
        if texts[0] == texts[1]:
            return ADDRESSES
    return EXCUSED if excuse(model, part) else DIFFERENT


# ---- archives ---------------------------------------------------------------


def members(data):
    """(name, compression, bytes) of each member, in order: not the time of day."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(info.filename, info.compress_type, archive.read(info))
                for info in archive.infolist()]


def judge_archives(model, one, other):
    """{member: verdict} of two archives."""
    one, other = members(one), members(other)
    if [each[:2] for each in one] != [each[:2] for each in other]:
        return {"model.pt2 (members)": DIFFERENT}
    found = {f"model.pt2/{a[0]}": judge(model, a[0], a[2], b[2]) for a, b in zip(one, other)}
    checksums = [name for name in found if name.endswith(CHECKSUM)]
    rest = worst(found[name] for name in found if name not in checksums)
    for name in checksums:
        if found[name] == DIFFERENT and rest in (ADDRESSES, EXCUSED):
            found[name] = rest  # it is a checksum of these
    return found


# ---- the records ------------------------------------------------------------


def record(data, with_sizes):
    """meta.json without what is not a fact about the program."""
    held = json.loads(data)
    held.pop("python", None)
    if not with_sizes:
        held["archive_members"] = list(held.get("archive_members") or ())
    return {key: ERROR.match(value)[0] if isinstance(value, str) and ERROR.match(value)
            else value for key, value in held.items()}


def judge_records(model, part, one, other, rest):
    """Sizes may differ where addresses do."""
    if one == other or record(one, True) == record(other, True):
        return SAME
    if rest != SAME and record(one, False) == record(other, False):
        return rest
    return EXCUSED if excuse(model, part) else DIFFERENT


# ---- one model --------------------------------------------------------------


def worst(verdicts):
    return max(verdicts, key=WORST.index, default=SAME)


def compare(model, made, golden):
    """{part: verdict} of one model; the folders as {file: bytes}."""
    found = {}
    for name in FILES[:2]:
        if name in made or name in golden:
            both = name in made and name in golden
            found[name] = judge(model, name, made[name], golden[name]) if both else ABSENT
    if "model.pt2" in made and "model.pt2" in golden:
        found.update(judge_archives(model, made["model.pt2"], golden["model.pt2"]))
    elif "model.pt2" in golden:
        found["model.pt2"] = ABSENT
    rest = worst(found.values())
    for name in FILES[3:]:
        found[name] = judge_records(model, name, made[name], golden[name], rest)
    return found


def row(found):
    """One word a file: what the table shows."""
    shown = []
    for name in FILES:
        parts = [found[part] for part in found if part == name or part.startswith(name + "/")
                 or part.startswith(name + " ")]
        shown.append(worst(parts) if parts else "-")
    return shown
