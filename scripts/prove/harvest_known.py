"""Programs that PyTorch saves and loads, and that epref refuses on purpose.

Each row is a deviation of SPEC appendix C, and stands for programs that the harvest
finds.
"""

import collections
import fnmatch

Row = collections.namedtuple("Row", "code clause names reason")

KNOWN = [
    Row("EP_INT_RANGE", "3.2.2", "state/integers_beyond_64_bits/*",
        "D-7: an integer of the schema has 64 bits and a sign."),
]


def matches(row, name, said):
    """Is it this that epref says of the program?"""
    return (row.code, row.clause) == (said["code"], said["clause"]) \
        and fnmatch.fnmatchcase(name, row.names)
