"""The rules of scripts/house/rules that are about scripts: how they are named,
where they are listed, and what they import.  Each rule takes the root folder and
yields findings, as those of source.py do.
"""

import ast
import os
import re

from source import line_of, read, tracked

FOLDERS = ("scripts/", "conformance/scripts/", "fuzz/scripts/")
INDEX = "scripts/README.md"
LISTED = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)
COMMAND = re.compile(r"[a-z][a-z0-9_]*")
MODULE = re.compile(r"[a-z][a-z0-9_]*\.py")

PACKAGES = "conformance"
APART = {"generate": "oracle", "oracle": "generate"}  # a package, and what it does not import
SHARED = "format"  # what both import, and what imports neither


def scripts(root):
    """The files in the folders of scripts, with whether they can be executed."""
    for path in tracked(root):
        full = os.path.join(root, path)
        if path.startswith(FOLDERS) and os.path.isfile(full):
            yield path, os.access(full, os.X_OK)


def names(root):
    """A command has no extension, a module ends in .py; names have underscores."""
    for path, is_command in scripts(root):
        name = os.path.basename(path)
        if is_command and not COMMAND.fullmatch(name):
            yield path, "can be executed, and has not the name of a command"
        elif not is_command and name.endswith(".py") and not MODULE.fullmatch(name):
            yield path, "has not the name of a module"
        elif not is_command and "." not in name:
            yield path, "has the name of a command, and cannot be executed"


def index(root):
    """Each command is in scripts/README.md, once, and what is there is a command."""
    text = read(os.path.join(root, INDEX))
    found = list(LISTED.finditer(text))
    known = {path for path, is_command in scripts(root) if is_command}
    for path in sorted(known - {match[1] for match in found}):
        yield path, f"is not in {INDEX}"
    seen = set()
    for match in found:
        place = f"{INDEX}:{line_of(text, match.start())}"
        if match[1] not in known:
            yield place, f"names {match[1]}, which is no command"
        elif match[1] in seen:
            yield place, f"names {match[1]} again"
        seen.add(match[1])


def imported(text):
    """The first words of the modules that a text imports, with their lines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield each.name.partition(".")[0], node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0], node.lineno


def apart(root):
    """The oracle of canonical forms and the generator of vectors do not import each other."""
    for package in (*APART, SHARED):
        barred = {APART[package]} if package in APART else set(APART)
        folder = f"{PACKAGES}/{package}/"
        paths = [path for path in tracked(root) if path.startswith(folder) and
                 path.endswith(".py") and os.path.isfile(os.path.join(root, path))]
        if not paths:
            yield folder, "is not there"
        for path in paths:
            for module, line in imported(read(os.path.join(root, path))):
                if module in barred:
                    yield f"{path}:{line}", f"imports {module}"
