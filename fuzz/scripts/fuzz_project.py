"""What the commands of scripts/fuzz know of the project: the rows of
fuzz/targets.json, their dictionaries, and where inputs to start from are.
"""

import dataclasses
import hashlib
import json
import os
import subprocess
import tarfile
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "fuzz", "targets.json")
CORPORA = os.path.join(ROOT, "corpora", "fuzz")
REGRESS = os.path.join(ROOT, "corpora", "regress")


class Trouble(Exception):
    """What was asked for cannot be done; the message says why."""


@dataclasses.dataclass(frozen=True)
class Target:
    """A row of fuzz/targets.json."""

    name: str
    about: str = ""
    max_len: int = 65536
    input: str = "program"
    dict: str = ""
    timeout: int = 5
    floor: int = 0
    smoke: int = 0
    weight: float = 1.0

    @property
    def binary(self):
        return "fuzz_" + self.name

    def dictionary(self):
        """The path of the dictionary, or None."""
        return os.path.join(ROOT, "fuzz", "dict", self.dict + ".dict") if self.dict else None


def load_targets():
    """The rows of the table, in its order."""
    with open(TABLE, encoding="utf-8") as file:
        rows = json.load(file)
    known = {field.name for field in dataclasses.fields(Target)}
    return [Target(**{key: value for key, value in row.items() if key in known}) for row in rows]


def choose(every, names):
    """The rows with these names, as a list or with commas; all for None."""
    if not names:
        return list(every)
    wanted = names.split(",") if isinstance(names, str) else list(names)
    unknown = sorted(set(wanted) - {each.name for each in every})
    if unknown:
        raise Trouble("no such target: " + ", ".join(unknown))
    return [each for each in every if each.name in wanted]


def digest(data):
    """The name of an input: what a corpus calls it by."""
    return hashlib.sha1(data).hexdigest()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write_atomically(path, data):
    """All of the file or none of it, whenever the machine stops."""
    data = data.encode("utf-8") if isinstance(data, str) else data
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".new-")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(name, 0o644)
    os.replace(name, path)


def files_under(folder):
    """Every plain file of a folder, sorted; hidden ones are half written."""
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.join(place, name) for name in sorted(names) if name[0] != "."]
    return found


def add_inputs(paths, folder, max_len):
    """Copy inputs into a folder under the names of their bytes; how many are new."""
    os.makedirs(folder, exist_ok=True)
    new = 0
    for path in paths:
        data = read(path)
        place = os.path.join(folder, digest(data))
        if len(data) <= max_len and not os.path.exists(place):
            write_atomically(place, data)
            new += 1
    return new


def unpack(archive, folder):
    """The plain files of a tar file, flat, under the names of their bytes."""
    os.makedirs(folder, exist_ok=True)
    with tarfile.open(archive) as file:
        for member in file:
            if member.isfile():
                data = file.extractfile(member).read()
                place = os.path.join(folder, digest(data))
                if not os.path.exists(place):
                    write_atomically(place, data)


def seeds(target, folder, more=()):
    """Put what there is to start from into a folder; returns where it came from:
    the packed or plain corpus, regressions, further folders."""
    said = []
    os.makedirs(folder, exist_ok=True)
    for corpora in (CORPORA, *more):
        for ending in (".tar.xz", ".tar.gz", ".tar"):
            if os.path.isfile(os.path.join(corpora, target.name + ending)):
                unpack(os.path.join(corpora, target.name + ending), folder)
                said.append(target.name + ending)
    for corpora in (CORPORA, REGRESS, *more):
        place = os.path.join(corpora, target.name)
        if os.path.isdir(place):
            add_inputs([path for path in files_under(place) if not path.endswith((".md", ".jsonl"))],
                       folder, target.max_len)  # notes and an index are beside regressions
            said.append(os.path.basename(corpora) + "/" + target.name)
    return said


def commit():
    """The commit of the sources, with "+" where files differ from it."""
    command = ["git", "-C", ROOT, "describe", "--always", "--dirty=+", "--abbrev=12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
