"""Whether there is a library. Where another Python than the system's comes first in the
PATH, the system's may have it, and goes on with the same script."""

import importlib.util
import os
import sys

SYSTEM = "/usr/bin/python3"


def has_library(name):
    if importlib.util.find_spec(name):
        return True
    if os.path.exists(SYSTEM) and not os.path.samefile(sys.executable, SYSTEM):
        os.execv(SYSTEM, [SYSTEM, *sys.argv])
    return False
