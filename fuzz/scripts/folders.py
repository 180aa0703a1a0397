"""Where the repository is.  Who imports this can import the modules of
conformance/scripts, too: the seeds are made of the vectors.
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.append(os.path.join(ROOT, "conformance", "scripts"))
