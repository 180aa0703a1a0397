"""Where the repository is.  Who imports this can import the packages of conformance/,
too: oracle and generate.  What they make is to judge the library, so none of it may come
from there: blindfold() sees to that.
"""

import argparse
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.insert(0, os.path.join(ROOT, "conformance"))

LIBRARY = os.path.join(ROOT, "ref") + os.sep


class Seen(Exception):
    """A generator has looked at the library that its vectors judge."""


def blindfold():
    """From now on, who opens a file of the library or starts a program is stopped."""
    def look(event, arguments):
        if event == "open" and isinstance(arguments[0], (str, bytes)):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if path.startswith(LIBRARY):
                raise Seen("%s is a file of the library" % os.path.relpath(path, ROOT))
        elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"):
            raise Seen("a generator starts a program")
    sys.addaudithook(look)


def made(description, unfit, path, make):
    """The main function of a script that makes the vectors of a file, each a line, from a folder;
    with --check it says how they differ from those that are there."""
    parser = argparse.ArgumentParser(description=description.split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    parser.add_argument("folder", metavar="FOLDER", help="the unpacked files")
    chosen = parser.parse_args()
    try:
        lines = [json.dumps(vector) + "\n" for vector in make(chosen.folder)]
        if not chosen.check:
            with open(path, "w", encoding="ascii") as file:
                file.writelines(lines)
        with open(path, encoding="ascii") as file:
            there = file.readlines()
    except (OSError, unfit) as error:
        print("%s: %s" % (parser.prog, error), file=sys.stderr)
        return 2
    wrong = set(there) ^ set(lines)
    for line in sorted(wrong):
        print(("+" if line in lines else "-") + line, end="")
    print("%d vectors, %d differences" % (len(lines), len(wrong)))
    return 1 if there != lines else 0
