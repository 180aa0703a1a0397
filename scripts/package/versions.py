"""The version of epref: that of the header, and of what people write by hand beside it."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "ref/include/epref.h"
CHANGES = "CHANGELOG.md"
DEFINED = re.compile(r"^#define EPREF_VERSION_(MAJOR|MINOR|PATCH) (\d+)$", re.MULTILINE)
HEADING = re.compile(r"^## (?:Unreleased: (?P<coming>\S+)|(?P<version>\S+) \((?P<date>[-\d]+)\))$",
                     re.MULTILINE)
# What is made of the version when it is built or released says it nowhere itself.
DERIVED = ("CMakeLists.txt", "README.md", "action.yml", "cmake", "packaging", "pyproject.toml",
           "python", "ref/cli", "scripts/package", ".pre-commit-hooks.yaml")


def git(*words):
    """What git says; nothing where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def version(root=ROOT):
    """That of the header."""
    found = dict(DEFINED.findall((root / HEADER).read_text("utf-8")))
    return ".".join(found[part] for part in ("MAJOR", "MINOR", "PATCH"))


def heading(root=ROOT):
    """(version, date) of the newest part of the changes; the date is None until it is released."""
    found = HEADING.search((root / CHANGES).read_text("utf-8"))
    if found is None:
        return None, None
    return found["version"] or found["coming"], found["date"]


def literals(root, wanted):
    """Where the version stands as a text in files that take it from the header."""
    whole = re.compile(rf"(?<![\d.]){re.escape(wanted)}(?![\d.]*\d)")
    for name in git("-C", str(root), "ls-files", "--", *DERIVED).splitlines():
        try:
            lines = (root / name).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            continue  # not there any more, or not a text
        for number, line in enumerate(lines, 1):
            if whole.search(line):
                yield f"{name}:{number}: the version as a text: take it from {HEADER}"


def differing(root=ROOT):
    """What does not agree with the header, a line each."""
    wanted = version(root)
    told, _ = heading(root)
    if told != wanted:
        yield f"{CHANGES}: the newest part is of {told}, {HEADER} of {wanted}"
    for tag in git("-C", str(root), "tag", "--points-at", "HEAD", "v*").split():
        if tag != f"v{wanted}":
            yield f"{tag}: this commit has this tag, and {HEADER} is of {wanted}"
    yield from literals(root, wanted)
