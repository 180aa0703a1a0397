"""scripts/fuzz coverage: what of ref/src the corpora reach. The targets are replayed on a
build of clang that counts, and llvm-cov reads the profiles: lines, functions and branches
by file, and a page for each file.
"""

import os
import shutil
import subprocess
import tempfile

import fuzz_build
import fuzz_project
from fuzz_project import ROOT, Trouble


def tool(name):
    """The tool of the same release as clang, without which profiles cannot be read."""
    said = subprocess.run(["clang", "--print-prog-name=" + name], check=False,
                          capture_output=True, text=True).stdout.strip()
    found = said if os.path.isabs(said) else shutil.which(name)
    if not found:
        raise Trouble(f"there is no {name}")
    return found


def profile(binary, target, corpora, folder):
    """Replay the corpus of a target; the path of its profile."""
    inputs, path = os.path.join(folder, target.name), os.path.join(folder, target.name + ".profraw")
    fuzz_project.seeds(target, inputs, [corpora] if corpora else [])
    subprocess.run([binary, inputs], check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env={**os.environ, "LLVM_PROFILE_FILE": path})
    if not os.path.isfile(path):
        raise Trouble(f"{target.name} wrote no profile")
    return path


def command(chosen, targets, say):
    out = os.path.abspath(chosen.out)
    built = [(fuzz_build.binary(out, "coverage", target), target) for target in targets]
    built = [(binary, target) for binary, target in built if binary]
    if not built:
        raise Trouble("no target is built for coverage")
    with tempfile.TemporaryDirectory(prefix="fuzz-coverage-") as folder:
        profiles = [profile(*pair, chosen.corpora, folder) for pair in built]
        joined = os.path.join(folder, "all.profdata")
        subprocess.run([tool("llvm-profdata"), "merge", "-sparse", *profiles, "-o", joined],
                       check=True)
        words = [built[0][0], *(word for binary, _ in built[1:] for word in ("-object", binary)),
                 "-instr-profile=" + joined, os.path.join(ROOT, "ref", "src")]
        page = os.path.join(out, "coverage-report")
        subprocess.run([tool("llvm-cov"), "show", "-format=html", "-output-dir=" + page, *words],
                       check=True, stdout=subprocess.DEVNULL)
        say(subprocess.run([tool("llvm-cov"), "report", *words], check=True, capture_output=True,
                           text=True).stdout)
    say(f"page: {os.path.join(page, 'index.html')}")
    return 0
