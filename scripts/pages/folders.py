"""Where the repository is.  Who imports this can import the modules of
conformance/scripts, too, which make the pages of SPEC.md, and the packages of conformance.
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path += [os.path.join(ROOT, "conformance", "scripts"), os.path.join(ROOT, "conformance")]
