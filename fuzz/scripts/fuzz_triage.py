"""Triage: what an input that broke something broke, whether that is known, and a
folder for each new finding: findings/TARGET-CLASS-HASH/{input, report.md, finding.json}.

Two inputs are the same finding when they break the same property, or have the
same report and the same top frames of the stack.
"""

import dataclasses
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
import fuzz_reduce
import fuzz_roles

PROPERTY = re.compile(r"^fuzz: property broken: (\S.*)$", re.MULTILINE)
SANITIZER = re.compile(r"ERROR: (\w+Sanitizer): ([\w-]+)")
MSAN = re.compile(r"WARNING: MemorySanitizer: ([\w-]+)")
UBSAN = re.compile(r"^(\S+?):\d+:\d+: runtime error: (.*)$", re.MULTILINE)
LIBFUZZER = re.compile(r"ERROR: libFuzzer: ([\w -]+)")
FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ in (\S+)(?: (\S+))?", re.MULTILINE)
ENGINE = re.compile(r"^(fuzzer::|__asan|__msan|__ubsan|__sanitizer|__interceptor|LLVMFuzzer"
                    r"TestOneInput$|main$|_start|__libc|raise$|abort$|gsignal|pthread_kill|__pthread"
                    r"|SignalAction|fuzz_fail|fuzz_broken|fuzz_check_same|fuzz_property)")
ABOVE = re.compile(r"[^\s()]*/\.\./[^\s()]*")  # a path that leaves a folder again
ELSEWHERE = re.compile(r"(?<![\w.-])/\S*/bin/fuzz_")  # a binary outside of the project
FRAMES = 3
SHOWN = 2000  # bytes of an input in a report


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


def placed_frames(text):
    """The project's own functions on the first stack of a report, with their places."""
    first = re.split(r"\n\s*\n", text[text.find("#0 0x"):] if "#0 0x" in text else "")[0]
    return [frame for frame in FRAME.findall(first) if not ENGINE.match(frame[0])]


def frames(text):
    """The names of these functions."""
    return [name for name, _ in placed_frames(text)]


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


def known_keys(index=None):
    """Findings that the project has a regression for: name to line."""
    path = index or os.path.join(fuzz_project.REGRESS, "index.jsonl")
    known = {}
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            for line in filter(str.strip, file):
                row = json.loads(line)
                for key in ("key", "finding"):
                    if row.get(key):
                        known[row[key]] = row
    return known


def builds_to_try(role):
    """The build with the best reports first, then the one it was found with."""
    own = fuzz_roles.ROLES[role].build if role in fuzz_roles.ROLES else "libfuzzer"
    same = {"afl": "libfuzzer", "afl-cmplog": "libfuzzer", "afl-laf": "libfuzzer",
            "afl-asan": "libfuzzer-asan", "afl-ubsan": "libfuzzer-asan",
            "afl-msan": "libfuzzer-msan"}.get(own, own)
    order = ["libfuzzer-asan", same, "libfuzzer"]
    if same == "libfuzzer-msan":
        order = [same, "libfuzzer-asan"]
    return list(dict.fromkeys(order))


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


def load_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def triage(setup, path, say=print):
    """Look at one input aside; its folder where it is new, else None."""
    row = load_json(path + ".json")
    target = setup.target(row.get("target", ""))
    if target is None or row.get("finding"):
        return None
    shown = reproduce(setup.out, target, path, row["role"])
    if shown is None:
        row["finding"] = "unreproduced"
        fuzz_project.write_atomically(path + ".json", json.dumps(row))
        say(f"  not reproduced: {row['from']} of {target.name}, {row['role']}")
        return None
    build, verdict, text = shown
    name = identity(target.name, verdict)
    row["finding"] = name
    place = setup.folders.at("findings", name)
    new = not os.path.exists(os.path.join(place, "finding.json"))
    if new:
        note = {"key": name, "target": target.name, "class": verdict.kind,
                "what": verdict.what, "stack": list(verdict.stack), "build": build,
                "role": row["role"], "seen": row["seen"], "times": 0,
                "known": name in known_keys(), "minimized": False}
        write_finding(place, note, path, text)
        say(f"  {'known' if note['known'] else 'NEW'} finding: {name}: "
            f"{verdict.what} {' < '.join(verdict.stack)}")
        say(f"    {os.path.join(place, 'report.md')}")
    count(place, path)
    fuzz_project.write_atomically(path + ".json", json.dumps(row))
    return place if new else None


def count(place, path):
    """One more input of a finding; the smallest is the one that is kept."""
    note = load_json(os.path.join(place, "finding.json"))
    note["times"] = note.get("times", 0) + 1
    kept = os.path.join(place, "input")
    if note.get("fixed"):  # it is back, and the input that was kept may not show it
        note["fixed"], note["minimized"] = False, False
        shutil.copyfile(path, kept)
    elif not note["minimized"] and os.path.getsize(path) < os.path.getsize(kept):
        shutil.copyfile(path, kept)
    save(place, note)


def save(place, note):
    """What is known of a finding, and the report, which says the same."""
    fuzz_project.write_atomically(os.path.join(place, "report.md"), report(note, place))
    fuzz_project.write_atomically(os.path.join(place, "finding.json"),
                                  json.dumps(note, indent=1) + "\n")


def write_finding(place, note, path, text):
    """A finding's folder, finding.json last: without it there is no finding."""
    os.makedirs(place, exist_ok=True)
    shutil.copyfile(path, os.path.join(place, "input"))
    note["original"], note["said"] = os.path.getsize(path), said(text)
    fuzz_project.write_atomically(os.path.join(place, "output.txt"), plain(text))
    save(place, note)


def plain(text):
    """An engine's output without what is of this machine: folders, build numbers."""
    text = ABOVE.sub(lambda path: os.path.normpath(path.group()), text[:65536])
    text = text.replace(fuzz_project.ROOT + os.sep, "")
    text = re.sub(r" \(BuildId: \w+\)", "", text)
    return ELSEWHERE.sub("bin/fuzz_", text)


def stack_of(note, output):
    """The stack in words: the project's functions with their places, or why there are
    none."""
    if note["stack"]:
        places = dict(reversed(placed_frames(output)))
        return "\n".join(f"- `{name}`" + (f" {places[name]}" if places.get(name) else "")
                         for name in note["stack"])
    if "#0 0x" not in output:
        return "The run printed none."
    if "LLVMFuzzerTestOneInput" in output:
        return "- `LLVMFuzzerTestOneInput`"
    return "The one in the output has no names: llvm-symbolizer is not there."


def is_text(data):
    return all(byte in b"\n\t" or 32 <= byte < 127 for byte in data)


def dump(data):
    """Bytes in rows of sixteen, with what of them is printable."""
    rows = (data[at:at + 16] for at in range(0, min(len(data), SHOWN // 4), 16))
    return "\n".join(f"{at * 16:06x}  {row.hex(' '):47}  "
                     + "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
                     for at, row in enumerate(rows))


def shown_input(place):
    """The input as text where it is one, perhaps with a tail behind a zero byte; else its
    bytes; not more than a screen."""
    with open(os.path.join(place, "input"), "rb") as file:
        data = file.read()
    cut = "\n..." if len(data) > SHOWN else ""
    text, zero, tail = data.partition(b"\0")
    text = text.rstrip(b"\n")
    if not is_text(text) or (zero and not text):
        return dump(data[:SHOWN].rstrip(b"\n")) + cut
    if not zero:
        return text[:SHOWN].decode("ascii") + cut
    return (text[:SHOWN].decode("ascii") + ("\n..." if len(text) > SHOWN else "")
            + "\n\nbehind a zero byte:\n" + dump(tail))


def report(note, place):
    """A report that can be filed as it is."""
    size = os.path.getsize(os.path.join(place, "input"))
    with open(os.path.join(place, "output.txt"), encoding="utf-8") as file:
        output = file.read()
    start = min([place for place in (output.find("fuzz: property"), output.find("==ERROR"),
                                     output.find("runtime error"), output.find("== ERROR"),
                                     output.find("WARNING: MemorySan")) if place >= 0],
                default=0)
    excerpt = "\n".join(output[start:].splitlines()[:40])
    differs = "\n".join(said(output))
    words = f"\n## What does not hold\n\n```\n{differs}\n```\n" if differs else ""
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(note["seen"]))
    return f"""# {note['target']}: {note['what']}

- Class: {note['class']}
- Finding: `{note['key']}`
- Standing: {standing(note)}; {note['times']} inputs have shown it
- epref {fuzz_project.version()}, commit {fuzz_project.commit()}
- First seen: {when}, role {note['role']}
- Input: {size} bytes; {note['original']} when it was found{
    "" if note["minimized"] else ", not minimised yet"}
{words}
## Reproduce

    scripts/fuzz build --roles={note['build']} --targets={note['target']}
    build-fuzz/{note['build']}/bin/fuzz_{note['target']} input

or without a fuzzer:

    scripts/fuzz build --roles=replay-asan --targets={note['target']}
    build-fuzz/replay-asan/bin/fuzz_{note['target']} input

## Stack

{stack_of(note, output)}

## Input

```
{shown_input(place)}
```

## Output

```
{excerpt}
```
"""


def minimize(setup, place, seconds):
    """Make a finding's input smaller, for some seconds, without it becoming another
    finding; its report is written again."""
    note = load_json(os.path.join(place, "finding.json"))
    target = setup.target(note.get("target", ""))
    if target is None or note["minimized"]:
        return
    path = os.path.join(place, "input")

    def same(candidate):
        verdict, text = run_input(setup.out, note["build"], target, candidate)
        if not verdict.kind or identity(target.name, verdict) != note["key"]:
            return False
        same.text = text
        return True

    same.text = None
    if note["class"] != "timeout":  # each try would take the whole timeout
        fuzz_reduce.by_engine(setup.out, note["build"], target, path, seconds / 2, same)
        fuzz_reduce.by_cutting(path, seconds / 2, same)
    if same.text is not None:
        note["said"] = said(same.text)
        fuzz_project.write_atomically(os.path.join(place, "output.txt"), plain(same.text))
    note["minimized"], note["size"] = True, os.path.getsize(path)
    save(place, note)


def recheck(setup, place):
    """Whether a finding is still there, and whether the project knows it by now."""
    note = load_json(os.path.join(place, "finding.json"))
    target = setup.target(note.get("target", ""))
    if target is None or not fuzz_build.binary(setup.out, note["build"], target):
        return
    verdict, _ = run_input(setup.out, note["build"], target, os.path.join(place, "input"))
    note["fixed"] = not verdict.kind or identity(target.name, verdict) != note["key"]
    note["known"] = note["key"] in known_keys()
    save(place, note)


def standing(note):
    """open, known or fixed."""
    return "fixed" if note.get("fixed") else "known" if note["known"] else "open"


def findings(folders):
    """The findings of a work folder, sorted by name."""
    notes = []
    for name in sorted(os.listdir(folders.at("findings"))):
        note = load_json(folders.at("findings", name, "finding.json"))
        if note:
            notes.append(note)
    return notes
