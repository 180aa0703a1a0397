"""Whether there is markdown-it-py. Where another Python than the system's comes first in
the PATH, the system's may have it, and goes on with the same script."""

import importlib.util
import os
import sys

SYSTEM = "/usr/bin/python3"
LIBRARY = "markdown_it"


def has_library():
    if importlib.util.find_spec(LIBRARY):
        return True
    if os.path.exists(SYSTEM) and not os.path.samefile(sys.executable, SYSTEM):
        os.execv(SYSTEM, [SYSTEM, *sys.argv])
    return False
