"""The coverage build as OSS-Fuzz reports it: each target merges its corpus, the
profiles are joined, and llvm-cov reads them against the targets.
"""

import json
import os
import re
import subprocess

import ossfuzz_build
import ossfuzz_packed
import ossfuzz_targets

KINDS = ("lines", "functions", "branches")
CORE = re.compile(r"/epref/ref/src/[^/]+/[^/]+\.c$")


def profile(target, folder):
    """Runs a target over its seeds; the paths of the profiles that it wrote."""
    name = os.path.basename(target)
    seeds = ossfuzz_packed.unpack(target, os.path.join(folder, name + "-seeds"))
    merged = os.path.join(folder, name + "-merged")
    os.makedirs(merged)
    status, said = ossfuzz_targets.run(
        [target, "-merge=1", "-timeout=100", merged, seeds], "libfuzzer",
        ossfuzz_targets.SEEDS_MAX,
        {"LLVM_PROFILE_FILE": os.path.join(folder, name + ".%1m.profraw")})
    paths = [os.path.join(folder, each) for each in os.listdir(folder)
             if each.startswith(name + ".") and each.endswith(".profraw")]
    if status != 0:
        return [], f"{name} fails in a merge: {ossfuzz_targets.tail(said)}"
    return paths, None if paths else f"{name} writes no profile"


def export(targets, joined):
    """What llvm-cov says of the files of the library."""
    command = [ossfuzz_build.clang_tool("llvm-cov"), "export", "-summary-only",
               "-instr-profile=" + joined, targets[0]]
    command += [word for target in targets[1:] for word in ("-object", target)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [each["summary"] for each in json.loads(said)["data"][0]["files"]
            if CORE.search(each["filename"])]


def check(targets, _out, folder):
    """(what is wrong, one line of figures) of a coverage build."""
    os.makedirs(folder)
    paths, wrong = [], []
    for target in targets:
        found, text = profile(target, folder)
        paths += found
        wrong += [text] if text else []
    if not paths:
        return wrong + ["no profile at all"], "no figures"
    joined = os.path.join(folder, "merged.profdata")
    subprocess.run([ossfuzz_build.clang_tool("llvm-profdata"), "merge", "-sparse", *paths,
                    "-o", joined], check=True)
    files = export(targets, joined)
    if not files:
        return wrong + ["no file of ref/src has coverage"], "no figures"
    sums = {kind: [sum(each[kind][key] for each in files) for key in ("covered", "count")]
            for kind in KINDS}
    said = ", ".join(f"{kind} {100 * done / of:.1f} % of {of}"
                     for kind, (done, of) in sums.items() if of)
    return wrong, f"ref/src by the seeds: {said}, {len(files)} files"
