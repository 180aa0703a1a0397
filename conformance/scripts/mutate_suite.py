"""Runs the conformance suite on a mutant: through epconform, or through another
command that is given, and says what became of it.
"""

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import tempfile

PASSES = (["--shard=1/8"], [])  # an eighth of the vectors first: it kills most
FAILED = re.compile(r"^FAIL ([^:\s]+(?::[^:\s]+)*): (.*)", re.MULTILINE)


class Unusable(Exception):
    """The suite cannot be run, or does not pass as it is."""


class Verdict:
    """killed: whether; how: the outcome; vector, clause, detail: of what killed."""

    def __init__(self, killed, how="", vector=None, detail=""):
        self.killed, self.how, self.vector, self.detail = killed, how, vector, detail


def limits(seconds, memory):
    """What a child may use; it leads a process group, so that it can be ended."""
    def set_them():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return set_them


def ended(command, seconds, memory):
    """Exit status and output; a status of None is a timeout."""
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.STDOUT,
                                 preexec_fn=limits(seconds, memory))
        try:
            status = child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        output.seek(0)
        return status, output.read(1 << 20).decode("utf-8", "replace")


class Epconform:
    """epconform, run twice: on a part of the vectors, then on all of them; before
    that on the vector that killed the mutant when it was run the last time."""

    def __init__(self, program, options, seconds, memory, timeout):
        self.program, self.options, self.seconds = program, options, seconds
        self.memory, self.timeout = memory, timeout

    def run(self, copy, hint):
        for more in ([["--filter=" + hint]] if hint else []) + list(PASSES):
            verdict = self.once(copy, more)
            if verdict.killed:
                return verdict
        return Verdict(False)

    def once(self, copy, more):
        results = os.path.join(copy.folder, "results.json")
        if os.path.exists(results):
            os.remove(results)
        command = [self.program, "run", "--proc=" + shlex.quote(copy.testee), "--name=epref",
                   "--profile=epref", "--fail-fast", "--jobs=1", "--quiet",
                   "--timeout=%d" % self.timeout, "--rlimit-memory=%d" % self.memory,
                   "--json=" + results, *self.options, *more]
        status, output = ended(command, self.seconds, 4 * self.memory)
        if status == 0 or (status == 3 and more and more[0].startswith("--filter")):
            return Verdict(False)  # a vector that is not there any more is no failure
        if status is None:
            return Verdict(True, "timeout", None, "the whole run")
        if status == 3 and not os.path.exists(results):
            return Verdict(True, "crash", None, "before the first vector")
        if status not in (1, 3):
            raise Unusable("%s: exit status %s\n%s" % (" ".join(command), status, output))
        return first_failure(results)


def first_failure(path):
    with open(path, encoding="utf-8") as file:
        results = json.load(file)["results"]
    for result in results:
        if result["outcome"] not in ("pass", "skipped") and "cause" not in result:
            return Verdict(True, result["outcome"], result["id"], result.get("detail", ""))
    raise Unusable("%s: no failure in it" % path)


class Command:
    """Any command: 0 passes, anything else, or no end, kills.  {testee} in it is
    the program that was built."""

    def __init__(self, words, seconds, memory):
        self.words, self.seconds, self.memory = words, seconds, memory

    def run(self, copy, _):
        command = [word.replace("{testee}", copy.testee) for word in self.words]
        status, output = ended(command, self.seconds, self.memory)
        if status == 0:
            return Verdict(False)
        if status is None or status == -signal.SIGXCPU:
            return Verdict(True, "timeout")
        failed = FAILED.search(output)
        if failed:
            return Verdict(True, "failed", failed.group(1), failed.group(2)[:200])
        return Verdict(True, "crash" if status < 0 else "error", None, output[-200:])


def clauses(manifests):
    """From the id of a vector to its first clause."""
    found = {}
    for path in manifests:
        with open(path, encoding="utf-8") as file:
            for line in file:
                vector = json.loads(line)
                listed = vector.get("clause") or [""]
                found[vector.get("id") or vector.get("file")] = \
                    listed if isinstance(listed, str) else listed[0]
    return found
