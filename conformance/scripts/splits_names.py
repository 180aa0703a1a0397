"""The names of splits: what implementations part over, under its heading.

A split is named after what the document is or holds, not after what anyone does
with it, so that a cause that accepts it and one that ends on it are one entry. A
cause of expected.jsonl names its split; without one its own name is the split's.
A name that is not in splits_names.tsv is listed under the heading of its vectors' clauses.
"""

import os

with open(os.path.splitext(__file__)[0] + ".tsv", encoding="utf-8") as table:
    NAMES = [line.split("\t") for line in table.read().splitlines()]

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
BY_CLAUSE = {
    "1.4": "Limits", "1.5": "Order", "2.1": "Text and white space", "2.2": "Encoding",
    "2.3": "Text and white space", "2.4": "Strings", "2.5": "Duplicate keys", "2.6": "Numbers",
    "2.7": "Numbers", "3.1": "Versions", "3.2": "Numbers", "3.3": "Numbers", "3.4": "Types",
    "3.5": "Fields", "3.5.2": "Versions", "3.6": "Unions", "3.6.3": "Versions", "3.7": "Enums",
    "3.7.2": "Versions", "3.8": "Types", "3.8.1": "Strings", "3.9": "Writing",
    "3.10": "Forward reading", "4.1": "Expressions", "4.2": "Tree specs",
    "4.3": "Metadata and guards", "4.4": "Metadata and guards", "4.5": "Names", "4.6": "Names",
    "5.1": "Names", "5.2": "Subgraphs", "5.3": "The signature", "5.4": "Tensors and symbols",
    "5.5": "Modules, operators and the header", "5.6": "Modules, operators and the header",
    "5.7": "Modules, operators and the header", "6": "Canonical form", "7": "Migration",
    "8": "Archives",
}


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
