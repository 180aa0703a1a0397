"""The names of splits: where implementations differ, under its heading.

A split is named after what the document is or holds, not after what anyone does
with it, so that a cause that accepts it and one that ends on it are one entry. A
cause of expected.jsonl names its split; without one its own name is the split's.
A name that is not in splits_names.tsv is listed under the heading of its vectors' clauses.
"""

import os


def rows_of(name):
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as table:
        return [line.split("\t") for line in table.read().splitlines()]


NAMES = rows_of("splits_names.tsv")

# Name to title and to heading; headings in the order of the document.
TITLES = {name: title for name, _, title in NAMES}
HEADING = {name: heading for name, heading, _ in NAMES}
GROUPS = dict.fromkeys(HEADING.values())

# The clauses that a split is about, where its vectors break, or are about, others too.
CLAUSES = {
    "written-order": ("3.9.2", "3.9.9"),
    "written-strings": ("3.9.3",),
    "written-floats": ("3.9.6", "3.9.4"),
    "written-defaults": ("3.9.7",),
}

# Heading of the clauses that begin so; the longest that fits counts.
BY_CLAUSE = dict(rows_of("splits_clauses.tsv"))


def heading_of_clause(clause):
    """The heading under which a clause is told."""
    parts = clause.split(".")
    for length in (3, 2, 1):
        heading = BY_CLAUSE.get(".".join(parts[:length]))
        if heading:
            return heading
    return "Else"


def title_of(name):
    return TITLES.get(name) or name[0].upper() + name[1:].replace("-", " ")
