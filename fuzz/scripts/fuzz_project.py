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
    max_len: int = 65536
    input: str = "program"
    dict: str = ""
    timeout: int = 5
    smoke: int = 0

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


def put(data, folder):
    """Write an input under the name of its bytes."""
    place, part = (os.path.join(folder, start + digest(data)) for start in ("", ".new-"))
    if not os.path.exists(place):
        with open(part, "wb") as file:
            file.write(data)
        os.replace(part, place)


def inputs_of(path):
    """What is in a folder, or in a tar file."""
    if os.path.isdir(path):
        yield from map(read, files_under(path))
    elif os.path.isfile(path):
        with tarfile.open(path) as file:
            yield from (file.extractfile(member).read() for member in file if member.isfile())


def starts(target, more=()):
    """What there is to start from, as where it is and the inputs there: the packed corpus,
    regressions, further folders."""
    for corpora in (CORPORA, REGRESS, *more):
        for ending in ("", ".tar.xz", ".tar.gz", ".tar"):
            inputs = [data for data in inputs_of(os.path.join(corpora, target.name + ending))
                      if len(data) <= target.max_len]
            if inputs:
                yield os.path.basename(corpora) + "/" + target.name + ending, inputs


def seeds(target, folder, more=()):
    """Put all that into a folder; returns where it was."""
    said = []
    os.makedirs(folder, exist_ok=True)
    for where, inputs in starts(target, more):
        for data in inputs:
            put(data, folder)
        said.append(where)
    return said


def commit():
    """The commit of the sources, with "+" where files differ from it."""
    command = ["git", "-C", ROOT, "describe", "--always", "--dirty=+", "--abbrev=12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
