"""Where the repository is.  Who imports this can import the packages of conformance/,
too: oracle and generate.  What they make is to judge the library, so none of it may come
from there: blindfold() sees to that.
"""

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
