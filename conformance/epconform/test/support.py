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

VECTORS = [
    {"id": "t/1", "operation": "wire", "verdict": "valid", "text": "1"},
    {"id": "t/2", "operation": "wire", "verdict": "invalid", "twin": "t/1", "edit": [0, 1, "x"],
     "code": "EP_SYNTAX", "offset": 0, "pointer": ""},
    {"id": "t/3", "operation": "wire", "verdict": "valid", "text": "\"bad\""},
    {"id": "t/4", "operation": "wire", "verdict": "valid", "text": "[4]"},
    {"id": "t/5", "operation": "encode", "verdict": "valid", "text": "{}", "product": "same"},
    {"id": "t/6", "operation": "encode", "verdict": "valid", "text": "\"bad\"",
     "product": "same"},
    {"id": "t/7", "operation": "encode", "verdict": "valid", "text": "[7]", "product": "same"},
]


class Bench:
    """A folder, the program under test, and what was found wrong."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.mkdtemp(prefix="epconform-test-")
        self.manifest = self.write("manifest.jsonl", "".join(
            json.dumps({"schema": None, "clause": ["2.1.2"], "why": "A test.",
                        "provenance": "hand", **each}) + "\n" for each in VECTORS))
        self.failures = 0
        self.checks = 0
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def check(self, what, good, *shown):
        self.checks += 1
        if not good:
            self.failures += 1
            print(f"FAIL: {what}:", *shown)

    def same(self, what, wanted, got):
        self.check(what, wanted == got, f"expected {wanted!r}, got {got!r}")

    def call(self, *words, **more):
        """Runs epconform; what CompletedProcess has, and nothing else."""
        environment = {**os.environ, "TMPDIR": self.folder, **more.pop("env", {})}
        return subprocess.run([self.program, *words], cwd=self.folder, capture_output=True,
                              text=True, timeout=120, check=False, env=environment, **more)

    def run(self, testee, *words):
        """Runs the small manifest; the status, and outcomes by id."""
        out = self.path("out.json")
        if os.path.exists(out):
            os.unlink(out)
        done = self.call("run", testee, f"--manifest={self.manifest}", f"--json={out}", *words)
        if not os.path.exists(out):
            return done, None
        with open(out, encoding="utf-8") as file:
            return done, {each["id"]: each for each in json.load(file)["results"]}

    def leftovers(self):
        """Folders that epconform has left in the temporary folder."""
        return [name for name in os.listdir(self.folder) if name.startswith("epconform-")]

    def finish(self):
        self.same("temporary folders that are left", [], self.leftovers())
        print(f"{self.checks} checks, {self.failures} failed")
        sys.exit(1 if self.failures or not self.checks else 0)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)
