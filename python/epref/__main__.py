"""python -m epref: the command, and `scan`, which is in Python."""

import os
import sys

from ._command import find

if sys.argv[1:2] == ["scan"]:
    from .store import main
    sys.exit(main(sys.argv[2:]))
path = find()
os.execv(path, [path, *sys.argv[1:]])
