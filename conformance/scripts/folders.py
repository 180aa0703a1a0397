"""Where the repository is.  Who imports this can import the packages of conformance/,
too: oracle and generate.
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.insert(0, os.path.join(ROOT, "conformance"))
