"""python -m epref: the command."""

import os
import sys

from ._command import find

path = find()
os.execv(path, [path, *sys.argv[1:]])
