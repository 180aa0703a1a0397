"""Triage: what an input that broke something broke, whether that is known, and a
folder for each new finding: findings/TARGET-CLASS-HASH/{input, report.md, finding.json}.

Two inputs are the same finding when they break the same property, or have the
same report and the same top frames of the stack.
"""

import dataclasses
import functools
import hashlib
import json
import os
import re
import shutil
import tempfile
import time

import fuzz_build
import fuzz_engine
import fuzz_process
import fuzz_project
import fuzz_roles

PROPERTY = re.compile(r"^fuzz: property broken: (\S.*)$", re.MULTILINE)
SANITIZER = re.compile(r"ERROR: (\w+Sanitizer): ([\w-]+)")
MSAN = re.compile(r"WARNING: MemorySanitizer: ([\w-]+)")
UBSAN = re.compile(r"^(\S+?):\d+:\d+: runtime error: (.*)$", re.MULTILINE)
LIBFUZZER = re.compile(r"ERROR: libFuzzer: ([\w -]+)")
FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ in (\S+)", re.MULTILINE)
ENGINE = re.compile(r"^(fuzzer::|__asan|__msan|__ubsan|__sanitizer|__interceptor|LLVMFuzzer"
                    r"TestOneInput$|main$|_start|__libc|raise$|abort$|gsignal|pthread_kill|__pthread"
                    r"|SignalAction|fuzz_fail|fuzz_broken|fuzz_check_same|fuzz_property)")
ABOVE = re.compile(r"[^\s()]*/\.\./[^\s()]*")  # a path that leaves a folder again
ELSEWHERE = re.compile(r"(?<![\w.-])/\S*/bin/fuzz_")  # a binary outside of the project
FRAMES = 3
LOOKED_AT = 20  # inputs of a round; the same again, most likely, behind that


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What a run of one input has shown."""

    kind: str  # property, sanitizer, crash, timeout, oom, leak; "" for nothing
    what: str = ""
    stack: tuple = ()

    def key(self):
        """What makes two inputs one finding."""
        if self.kind == "property":
            return self.what
        what = re.sub(r"0x[0-9a-f]+|\d+", "N", self.what)
        return " < ".join((what, *self.stack))


def frames(text):
    """The project's own functions on the first stack of a report."""
    first = re.split(r"\n\s*\n", text[text.find("#0 0x"):] if "#0 0x" in text else "")[0]
    return [name for name in FRAME.findall(first) if not ENGINE.match(name)]


def said(text):
    """What a target says of a property that is broken, line by line."""
    return [line[len("fuzz: "):] for line in text.splitlines() if line.startswith("fuzz: ")]


def kind_of(text):
    """(class, words) of a report without a broken property; ("", "") for none."""
    leak = "LeakSanitizer" in text
    found = SANITIZER.search(text)
    if leak:
        return "leak", "memory leak"
    found_ub = UBSAN.search(text)
    if found_ub:
        return "sanitizer", "runtime error: " + found_ub.group(2)
    words = (found and found.group(2)) or (LIBFUZZER.search(text) or [None, ""])[1].strip()
    if "out-of-memory" in words or "malloc limit" in text or "allocation-size" in words:
        return "oom", "out of memory"
    if "timeout" in words:
        return "timeout", "timeout"
    if found and found.group(2) not in ("SEGV", "ABRT", "FPE", "BUS"):
        return "sanitizer", f"{found.group(1)}: {found.group(2)}"
    if MSAN.search(text):
        return "sanitizer", "MemorySanitizer: " + MSAN.search(text).group(1)
    return ("crash", words) if words else ("", "")


def judge(text, status):
    """What the output and the exit status of a run say."""
    broken = PROPERTY.search(text)
    stack = frames(text)
    if broken:
        return Verdict("property", broken.group(1).strip(), tuple(stack[:FRAMES]))
    kind, what = kind_of(text)
    if not kind:
        return Verdict("") if status == 0 else Verdict("crash", f"exit status {status}")
    if kind == "timeout":  # where it was when the time was over is chance
        stack = stack[-2:]
    if kind == "oom":
        stack = stack[:1]
    return Verdict(kind, what, tuple(stack[:FRAMES]))


def identity(target, verdict):
    """The name of a finding's folder."""
    text = f"{target}|{verdict.kind}|{verdict.key()}"
    return f"{target}-{verdict.kind}-{hashlib.sha256(text.encode()).hexdigest()[:10]}"


@functools.cache
def known_keys():
    """Findings that the project has a regression for, and expects."""
    path = os.path.join(fuzz_project.REGRESS, "index.jsonl")
    with open(path, encoding="utf-8") as file:
        return {row["key"] for row in map(json.loads, filter(str.strip, file)) if "key" in row}


def builds_to_try(role):
    """The build with the best reports first, then the one it was found with."""
    own = fuzz_roles.ROLES[role].build.replace("afl", "libfuzzer")
    order = ["libfuzzer-asan", own, "libfuzzer"]
    return [own] + order if own == "libfuzzer-msan" else order


def run_input(out, build, target, path):
    """One input on one build: (verdict, text)."""
    with tempfile.TemporaryDirectory(prefix="fuzz-triage-") as place:
        command = fuzz_engine.replay(out, build, target, path, place,
                                     os.path.join(place, "log"))
        status, overran = fuzz_process.run(command)
        with open(command.log, "rb") as file:
            text = file.read(1 << 20).decode("utf-8", "replace")
    if overran:
        return Verdict("timeout", "timeout"), text
    return judge(text, status), text


def reproduce(out, target, path, role):
    """(build, verdict, text) of the first build that shows it, or None."""
    for build in builds_to_try(role):
        if fuzz_build.binary(out, build, target):
            verdict, text = run_input(out, build, target, path)
            if verdict.kind:
                return build, verdict, text
    return None


# ---- findings -----------------------------------------------------------------------


def triage(night, target, role, paths):
    """Look at inputs that broke something, the smallest first; a folder for each finding."""
    for path in sorted(paths, key=os.path.getsize)[:LOOKED_AT]:
        shown = reproduce(night.out, target, path, role)
        if shown is None:
            night.say(f"  not reproduced: {os.path.basename(path)} of {target.name}, {role}")
            continue
        build, verdict, text = shown
        place = night.at("findings", identity(target.name, verdict))
        note = load(place) or {
            "key": os.path.basename(place), "target": target.name, "class": verdict.kind,
            "what": verdict.what, "stack": list(verdict.stack), "build": build, "role": role,
            "seen": int(time.time()), "times": 0, "original": os.path.getsize(path),
            "standing": "open"}
        if not note["times"]:
            night.say(f"  NEW finding: {note['key']}: {note['what']} {' < '.join(note['stack'])}")
        note["times"] += 1
        if note["standing"] == "fixed" or os.path.getsize(path) < note.get("size", 1 << 62):
            keep(place, note, path, text)
        save(place, note)


def keep(place, note, path, text):
    """An input of a finding, in the place of a larger one, with what its run says."""
    os.makedirs(place, exist_ok=True)
    shutil.copyfile(path, os.path.join(place, "input"))
    note.update(size=os.path.getsize(path), standing="open")
    fuzz_project.write_atomically(os.path.join(place, "output.txt"), plain(text))


def load(place):
    """What is known of a finding; None without one."""
    try:
        with open(os.path.join(place, "finding.json"), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def save(place, note):
    """What is known of a finding, and the report, which says the same."""
    if note["key"] in known_keys() and note["standing"] == "open":
        note["standing"] = "known"
    fuzz_project.write_atomically(os.path.join(place, "report.md"), report(note, place))
    fuzz_project.write_atomically(os.path.join(place, "finding.json"), json.dumps(note, indent=1))


def findings(folder):
    """The findings of a work folder, sorted by name."""
    notes = (load(os.path.join(folder, name)) for name in sorted(os.listdir(folder)))
    return [note for note in notes if note]


def finish(night, seconds):
    """For each finding whether it is still there, and if so, a smaller input."""
    targets = {target.name: target for target in night.targets}
    for note in findings(night.at("findings")):
        place, target = night.at("findings", note["key"]), targets.get(note["target"])
        if target is None or not fuzz_build.binary(night.out, note["build"], target):
            continue
        path = os.path.join(place, "input")
        verdict, _ = run_input(night.out, note["build"], target, path)
        if not verdict.kind or identity(target.name, verdict) != note["key"]:
            note["standing"] = "fixed"
        elif note["class"] != "timeout":  # each try would take the whole timeout
            minimize(night.out, target, place, note, seconds)
        save(place, note)


def minimize(out, target, place, note, seconds):
    """A smaller input by libFuzzer's minimiser; taken only if it is the same finding."""
    with tempfile.TemporaryDirectory(prefix="fuzz-minimize-") as scratch:
        result = os.path.join(scratch, "smaller")
        fuzz_process.run(fuzz_engine.minimize(
            out, note["build"], target, os.path.join(place, "input"), result, scratch,
            os.path.join(scratch, "log"), seconds))
        if os.path.isfile(result) and os.path.getsize(result) < note["size"]:
            verdict, text = run_input(out, note["build"], target, result)
            if verdict.kind and identity(target.name, verdict) == note["key"]:
                keep(place, note, result, text)


def plain(text):
    """An engine's output without what is of this machine: folders, build numbers."""
    text = ABOVE.sub(lambda path: os.path.normpath(path.group()), text[:65536])
    text = text.replace(fuzz_project.ROOT + os.sep, "")
    text = re.sub(r" \(BuildId: \w+\)", "", text)
    return ELSEWHERE.sub("bin/fuzz_", text)


def report(note, place):
    """A report that can be filed as it is."""
    with open(os.path.join(place, "output.txt"), encoding="utf-8") as file:
        output = file.read()
    excerpt = "\n".join(output[max(output.find("fuzz: property"), 0):].splitlines()[:40])
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(note["seen"]))
    return f"""# {note['target']}: {note['what']}

- Class: {note['class']}
- Finding: `{note['key']}`, {note['standing']}; {note['times']} inputs have shown it
- Commit {fuzz_project.commit()}
- First seen: {when}, role {note['role']}
- Input: {note['size']} bytes; {note['original']} when it was found

## Reproduce

    scripts/fuzz build --roles={note['build']} --targets={note['target']}
    build-fuzz/{note['build']}/bin/fuzz_{note['target']} input

or without a fuzzer:

    scripts/fuzz build --roles=replay-asan --targets={note['target']}
    build-fuzz/replay-asan/bin/fuzz_{note['target']} input

## Output

```
{excerpt}
```
"""
