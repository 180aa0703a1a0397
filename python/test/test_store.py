"""Tests of epref.inspect, and of stores, which need pyarrow.

    python test_store.py [FOLDER ...] [-v]

FOLDER: golden programs and other archives, of which records are compared with what the command
prints.
"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import epref
from epref import _command

FOLDERS = [pathlib.Path(word) for word in sys.argv[1:] if not word.startswith("-")]
HINT = re.compile(": (it is|the file is|a part of the file is) .*")  # which only the command gives


def printed(paths, *options):
    """What the command prints of files."""
    said = subprocess.run([_command.find(), "inspect", "--format=json", *options, *paths],
                          stdout=subprocess.PIPE, check=False).stdout
    return [json.loads(line) for line in said.splitlines()]


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

    def test_hostile(self):
        """Values that are mentioned often take no more than the file does."""
        builder = epref.Builder("torch-2.15")
        value = builder.graph.tensor("x", "float32", (1,) * 500)
        builder.input(value, "parameter", "p")
        builder.output(value)
        text = builder.build(check=False).encode().decode().replace(": 1}", ": 2}")
        for spec in ('{"parameter": {"arg": {"name": "x"}, "parameter_name": "p"}}',
                     '{"user_output": {"arg": {"as_tensor": {"name": "x"}}}}'):
            self.assertIn(spec, text)
            text = text.replace(spec, ", ".join([spec] * 500))
        record = epref.inspect(text.encode())
        program = record.programs[0]
        self.assertEqual((record.valid, program.parameters.count, program.parameters.values),
                         (False, 500, (1 << 63) - 1))
        self.assertEqual([program.outputs[i].kind for i in (0, -1)], ["tensor", "cut"])
        self.assertLess(len(json.dumps(record.to_dict())), 10 * len(text))

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


@unittest.skipUnless(importlib.util.find_spec("pyarrow"), "no pyarrow")
class Store(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = pathlib.Path(folder.name) / "store"
        self.dataset = str(pathlib.Path(folder.name) / "dataset")
        paths = sorted(path for each in FOLDERS for path in each.rglob("*.pt2"))[::5]
        for number, path in enumerate(paths):
            folder = self.store / f"{number % 3}"
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / f"{number}.pt2")
        self.paths = sorted(map(str, self.store.rglob("*.pt2")))
        self.assertGreater(len(self.paths), 20)

    def rows(self):
        from pyarrow import dataset
        return dataset.dataset(self.dataset).to_table().sort_by("file").to_pylist()

    def compare(self):
        """With one batch of all files that are there."""
        from epref import store
        paths = sorted(map(str, self.store.rglob("*.pt2")))
        wanted = store.inspect_batch(paths).to_pylist()
        made = self.rows()
        for row in made:
            self.assertTrue(row.pop("fingerprint"))
        self.assertEqual(made, wanted)

    def scan(self, *sources, **options):
        from epref import store
        return store.scan(sources or [str(self.store)], self.dataset, jobs=1, **options)

    def test_schema(self):
        import pickle

        from epref import store
        batch = store.inspect_batch(self.paths)
        batch.validate(full=True)
        self.assertTrue(batch.schema.equals(store.to_arrow([]).schema, check_metadata=True))
        for field in batch.schema:
            self.assertTrue(field.metadata[b"description"], field.name)
        self.assertEqual(pickle.loads(pickle.dumps(store.inspect_batch))(self.paths[:3]),
                         batch.slice(0, 3))
        record = epref.inspect(self.paths[0])
        row = batch.slice(0, 1).to_pylist()[0]
        program = record.programs[0]
        self.assertEqual((row["digest"], row["nodes"], row["parameters_count"], row["bytes"]),
                         (program.digest, program.nodes, program.parameters.count, record.bytes))
        self.assertEqual(row["operators"], [each._asdict() for each in program.operators])

    def test_only_what_changed_is_read(self):
        first = self.scan()
        self.assertEqual(first.read, len(self.paths))
        self.compare()
        self.assertEqual(self.scan(), first._replace(read=0))
        os.unlink(self.paths[0])
        shutil.copyfile(self.paths[1], self.paths[2])
        pathlib.Path(self.paths[3]).write_bytes(b"{}")
        told = self.scan()
        self.assertEqual((told.read, told.dropped), (2, 3))
        self.compare()

    def test_other_sources_stay(self):
        self.scan(str(self.store / "0"), str(self.store / "1"))
        os.unlink(self.store / "0" / "0.pt2")
        os.unlink(self.store / "1" / "1.pt2")
        self.assertEqual(self.scan(str(self.store / "1" / "*.pt2")).dropped, 1)
        self.assertEqual(self.scan(str(self.store / "0")).dropped, 1)
        with self.assertRaises(FileNotFoundError):  # a store that is not there is not empty
            self.scan(str(self.store / "3" / "*"))
        self.scan()
        self.compare()

    @unittest.skipUnless(importlib.util.find_spec("fsspec"), "no fsspec")
    def test_urls(self):
        import fsspec

        from epref import store
        memory = fsspec.filesystem("memory")
        for path in self.paths[:3]:
            memory.put(path, f"/models/{self.paths.index(path)}.pt2")
        self.assertEqual(self.scan("memory://models").read, 3)
        self.assertEqual(self.scan("memory://models").read, 0)
        memory.put(self.paths[3], "/models/0.pt2")
        memory.rm("/models/1.pt2")
        told = self.scan("memory://models")
        self.assertEqual((told.read, told.dropped, len(self.rows())), (1, 2, 2))
        with unittest.mock.patch.object(store, "mark", lambda told: None):
            self.assertEqual(self.scan("memory://models/*.pt2").read, 2)

    def test_data_and_what_could_not_be_read(self):
        self.scan(data=False)
        self.assertEqual(self.scan(data=False).read, 0)
        self.assertEqual(self.scan().read, len(self.paths))
        self.compare()
        gone = str(self.store / "gone.pt2")
        self.assertEqual(self.scan(gone).status, 3)
        shutil.copyfile(self.paths[0], gone)
        self.assertNotEqual(self.scan(gone).status, 3)
        self.compare()

    def test_killed(self):
        command = [sys.executable, "-m", "epref", "scan", str(self.store), "--into",
                   self.dataset, "--jobs=2"]
        for _ in range(3):
            with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as scan:
                before = len(self.parts())
                while scan.poll() is None and len(self.parts()) == before:
                    time.sleep(0.001)
                scan.send_signal(signal.SIGKILL)
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        self.assertIn(done.returncode, (0, 1, 4))
        self.compare()

    def parts(self):
        return list(pathlib.Path(self.dataset).glob("*.parquet"))

    def test_name_that_is_no_text(self):
        name = os.path.join(os.fsencode(self.store), b"\xff.pt2")
        shutil.copyfile(os.fsencode(self.paths[0]), name)
        self.assertEqual(self.scan().read, len(self.paths) + 1)
        self.assertEqual((self.scan().read, self.scan().dropped), (0, 0))
        self.compare()

    def test_one_scan_at_a_time(self):
        from epref import store
        with store.locked(self.dataset), self.assertRaises(BlockingIOError):
            self.scan()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + [word for word in sys.argv[1:] if word.startswith("-")])
