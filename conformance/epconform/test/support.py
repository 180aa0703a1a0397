"""What the tests of epconform share: small manifests, runs, and a list of checks."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MISBEHAVE = os.path.join(HERE, "misbehave")
SCRIPTED = os.path.join(HERE, "scripted")

VECTOR = {"operation": "wire", "schema": None, "clause": ["2.1.2"], "why": "A test.",
          "provenance": "hand"}
VECTORS = [
    {"id": "t/1", "verdict": "valid", "text": "1"},
    {"id": "t/2", "verdict": "invalid", "twin": "t/1", "edit": [0, 1, "x"],
     "code": "EP_SYNTAX", "offset": 0, "pointer": ""},
    {"id": "t/3", "verdict": "valid", "text": "\"bad\""},
    {"id": "t/4", "verdict": "valid", "text": "[4]"},
    {"id": "t/5", "operation": "encode", "verdict": "valid", "text": "{}", "product": "same"},
    {"id": "t/6", "operation": "encode", "verdict": "valid", "text": "\"bad\"", "product": "same"},
    {"id": "t/7", "operation": "encode", "verdict": "valid", "text": "[7]", "product": "same"},
]


class Bench:
    """A folder, the program under test, and what was found wrong."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.watcher = []  # the command that runs the program, and ends with 99 if it finds fault
        self.folder = tempfile.mkdtemp(prefix="epconform-test-")
        self.manifest = self.lines("manifest.jsonl", VECTORS)
        self.failures = 0
        self.checks = 0
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def lines(self, name, vectors):
        """A manifest, of the operation wire where nothing else is said."""
        return self.write(name, "".join(json.dumps({**VECTOR, **each}) + "\n" for each in vectors))

    def check(self, what, good, *shown):
        self.checks += 1
        if not good:
            self.failures += 1
            print(f"FAIL: {what}:", *shown)

    def same(self, what, wanted, got):
        self.check(what, wanted == got, f"expected {wanted!r:.300}, got {got!r:.300}")

    def contains(self, what, text, *wanted):
        self.check(what, all(each in text for each in wanted), f"expected {wanted!r} in {text!r}")

    def call(self, *words):
        """Runs epconform; what CompletedProcess has, and nothing else."""
        done = subprocess.run([*self.watcher, self.program, *words], cwd=self.folder,
                              capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "TMPDIR": self.folder})
        self.check(f"watched: {words}", done.returncode != 99 or not self.watcher,
                   done.stderr[:2000])
        return done

    def run(self, testee, *words, vectors=None):
        """Runs the small manifest, or one of these vectors; and results by id."""
        out = self.path("out.json")
        if os.path.exists(out):
            os.unlink(out)
        manifest = self.lines("made.jsonl", vectors) if vectors else self.manifest
        done = self.call("run", testee, f"--manifest={manifest}", f"--json={out}", *words)
        results = load(out)["results"] if os.path.exists(out) else None
        return done, None if results is None else {each["id"]: each for each in results}

    def scripted(self, answers, **hello):
        """A testee that says of each document a header, and a product unless it is None."""
        script = self.write("script.json", json.dumps(
            {"hello": {"operations": ["wire"], **hello}, "answers": answers}))
        return f"--proc={SCRIPTED} {script}"

    def finish(self):
        self.same("temporary folders that are left", [],
                  [name for name in os.listdir(self.folder) if name.startswith("epconform-")])
        print(f"{self.checks} checks, {self.failures} failed")
        sys.exit(1 if self.failures or not self.checks else 0)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)
