"""Tests of epref.inspect, and of stores, which need pyarrow.

    python test_store.py [FOLDER ...] [-v]

FOLDER: golden programs and other archives, of which records are compared with what the command
prints.
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

import epref
from epref import _command

FOLDERS = [pathlib.Path(word) for word in sys.argv[1:] if not word.startswith("-")]
HINT = re.compile(": (it is|the file is|a part of the file is) .*")  # which only the command gives


def second(said):
    """A line of the command in format 2, also where it prints the first, which had no number."""
    if "format" in said:
        return said
    for program in said["programs"]:
        for side in ("inputs", "outputs"):
            program[side] = [second_value(each) for each in program[side]]
        program["symbols"] = [{"name": name, **ends} for name, ends in program["symbols"].items()]
        for field, key, count in (("dtypes", "dtype", "tensors"), ("operators", "target", "count")):
            program[field] = [{key: each, count: n} for each, n in program[field].items()]
    if said["audit"]:
        said["audit"]["findings"] = [{"id": each, "count": n}
                                     for each, n in said["audit"]["findings"].items()]
    return {"format": 2, **said}


def second_value(said):
    keys = ("name", "kind", "dtype", "shape", "sizes", "device", "class", "expression", "value")
    made = {**dict.fromkeys(keys), **said}
    if "shape" in said:
        made["shape"] = [str(size) for size in said["shape"]]
        made["sizes"] = [size if isinstance(size, int) else None for size in said["shape"]]
    if "expression" in said:
        made["expression"] = str(said["expression"])
    if "value" in said:
        made["value"] = json.dumps(said["value"], ensure_ascii=False)
    return made


def printed(paths, *options):
    """What the command prints of files."""
    said = subprocess.run([_command.find(), "inspect", "--format=json", *options, *paths],
                          stdout=subprocess.PIPE, check=False).stdout
    return [second(json.loads(line)) for line in said.splitlines()]


class Inspecting(unittest.TestCase):
    def compare(self, paths, data=True):
        paths = list(map(str, paths))
        records = epref.inspect_many(paths, jobs=2, data=data)
        for said, record in zip(printed(paths, *[] if data else ["--no-data"]), records):
            made = record.to_dict()
            if said["error"]:
                said["error"].pop("pointer_cut", None)
                if said["error"]["level"] == "wire":
                    said["error"]["message"] = HINT.sub("", said["error"]["message"])
            with self.subTest(said["file"]):
                self.assertEqual(made, said)
                self.assertEqual(list(made), list(said))

    def test_as_the_command(self):
        for folder in FOLDERS:
            paths = sorted(folder.rglob("*.pt2"))
            self.assertTrue(paths, folder)
            for start in range(0, len(paths), 500):
                self.compare(paths[start:start + 500])
        self.compare([path for folder in FOLDERS for path in sorted(folder.rglob("*.pt2"))[::20]],
                     data=False)
        self.compare([path for folder in FOLDERS for path in
                      sorted(folder.rglob("program.json"))[::20]])

    def test_no_file(self):
        self.compare(["/nothing/here.pt2", "/dev/null"])
        self.assertIsNone(epref.inspect("/").valid)

    def test_bytes_and_limits(self):
        record = epref.inspect(b"{}")
        self.assertEqual((record.file, record.valid, record.error.code),
                         ("", False, "EP_VERSION_MISSING"))
        record = epref.inspect(b"{}" * 50, limits=epref.Limits(bytes=10))
        self.assertEqual((record.valid, record.error.code), (None, "EP_LIMIT_BYTES"))
        with self.assertRaises(ValueError):
            epref.inspect(b"{}", limits=epref.Limits(depth=-1))

    def test_many_are_in_order_and_taken_late(self):
        taken = []

        def sources():
            for number in range(1000):
                taken.append(number)
                yield f"/nothing/{number}"

        records = epref.inspect_many(sources(), jobs=2)
        first = [next(records).file for _ in range(10)]
        self.assertEqual(first, [f"/nothing/{number}" for number in range(10)])
        self.assertLess(len(taken), 50)
        records.close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + [word for word in sys.argv[1:] if word.startswith("-")])
