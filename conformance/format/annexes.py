"""The tables of SPEC.md, as the generators know them: the annexes, and no file of the
reference.
"""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ANNEX = os.path.join(ROOT, "annex")


def rows(name):
    """The rows of an annex, by the names of its columns; a cell without a value is None."""
    with open(os.path.join(ANNEX, name + ".tsv"), encoding="utf-8") as file:
        columns, *lines = [line.split("\t") for line in file.read().splitlines()]
    return [{column: None if cell == "-" else cell for column, cell in zip(columns, line)}
            for line in lines]
