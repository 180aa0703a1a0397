"""The files that conformance/scripts/mutate changes: those of the library, which it calls
FOLDER/FILE, and those of the library of archives, archive/FOLDER/FILE.
"""

import glob
import os
import re

LIBRARY, ARCHIVES = "ref/src/", "ref/archive/"
COPIED = ("src", "archive", "common", "include")  # folders of ref: what is compiled, and included
LINKED = re.compile(r"libepref(_archive)?\.(a|so[.\d]*)$")
INCLUDE = re.compile(r'#include "(\S+\.def)"')


def is_of_archives(name):
    return name.startswith("archive/")


def path_of(name):
    """Where a file is, from the root of the project."""
    return ("ref/" if is_of_archives(name) else LIBRARY) + name


def name_of(path):
    """What a file is called, by its path from the root; None: it is of neither library."""
    for folder, before in ((LIBRARY, ""), (ARCHIVES, "archive/")):
        if path.startswith(folder):
            return before + path[len(folder):]
    return None


def names(root, *ends):
    """All files that end so, in the order of their names."""
    paths = [path for folder in (LIBRARY, ARCHIVES)
             for path in glob.glob(os.path.join(root, folder, "*", "*"))]
    return sorted(name_of(os.path.relpath(path, root)) for path in paths if path.endswith(ends))


def includes(name):
    """Where the compiler looks for what a file includes, as the build folder says it."""
    folders = ("ref", "ref/include") if is_of_archives(name) else ("ref/include", "ref/src")
    return ["-I" + folder for folder in folders]


def tables(name, text):
    """The tables that a file includes: the library names them with their folder, that of
    archives those beside the file."""
    folder = os.path.dirname(name) + "/" if is_of_archives(name) else ""
    return [folder + found for found in INCLUDE.findall(text)]


def readers(name):
    """Whose functions read what stands in no function of a file of archives: others get at a
    table through these alone, and at what a header has by themselves."""
    return "archive/" if name.endswith(".h") else os.path.dirname(name) + "/"
