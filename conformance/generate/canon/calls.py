"""Canonical forms of modules that are called several times, of versions whose entries list all
calls (SPEC 7.4.5, 6.1.3): each beside entries whose names are those of later calls, or nearly.
"""

import re

from generate.canon.forms import LATEST, Forms, text_of
from generate.canon.parts import rectifier
from generate.migrate.migrations import changed, put as drafted
from generate.whole import arguments, entry, leaves, tensor

VERSIONS = ("2", "7.3")
# Entries in the order of the document: a name, and of how many calls it is; None: without a
# signature; so many inputs and outputs.
ROWS = (
    ("one", [("m", 2), ("m@1", 1)]), ("turned", [("m@1", 1), ("m", 2)]),
    ("single", [("m", 1), ("m@1", 1)]), ("gap", [("m", 3), ("m@2", 1)]),
    ("zeros", [("m", 2), ("m@01", 1)]), ("zero", [("m@0", 1), ("m", 2)]),
    ("several", [("m", 2), ("m@2", 1), ("m@1", 1)]),
    ("apart", [("m@1", 1), ("a", 2), ("m", 2), ("z", 3)]),
    ("unsigned", [("m", 2), ("m@7", None)]), ("unsigned-first", [("m", None), ("m@1", 2)]),
    ("letter", [("m", 2), ("m@x", 1)]), ("bare", [("m", 2), ("m@", 1)]),
    ("inside", [("m", 2), ("m@1.b", 1)]), ("blank", [("m", 2), ("m@ 1", 1)]),
    ("minus", [("m", 2), ("m@-1", 1)]), ("alone", [("m@1", 2)]),
    ("alone-later", [("m@1", 2), ("m@1@1", 1)]), ("deeper", [("m", 2), ("m@1", 1), ("m@1@1", 2)]),
    ("prefix", [("m", 2), ("mm@1", 1)]), ("other", [("m", 2), ("n", 2), ("n@1", 1)]),
    ("uneven", [("m", (3, 2)), ("n", 2)]), ("uneven-later", [("m", (3, 2)), ("m@1", 1), ("n", 2)]),
    ("long", [("m", 2), ("m@18446744073709551616", 1)]),
)


def made(name, calls):
    if calls is None:
        return entry(name)
    takes, gives = calls if isinstance(calls, tuple) else (calls, calls)
    return entry(name, [tensor("v0")] * takes, [tensor("v1")] * gives, in_spec=arguments(1),
                 out_spec=leaves(1))


def later(row):
    """The places of later calls, and of what they are calls of."""
    names = {name: i for i, (name, _) in enumerate(row)}

    def base(i):
        found = re.fullmatch(r"(.*)@[0-9]+", row[i][0], re.DOTALL)
        return names.get(found.group(1)) if found and row[i][1] is not None else None
    calls = {i for i in range(len(row)) if base(i) is not None and (
        base(base(i)) is None or base(base(base(i))) is not None)}
    return calls, {base(i) for i in calls}


def order(name):
    """6.8.2"""
    found = re.fullmatch(r"(.*)@([0-9]+)", name, re.DOTALL)
    if not found:
        return name.encode("utf-8"), -1
    return found.group(1).encode("utf-8"), min(int(found.group(2)), 18446744073709551613)


def form_of(row):
    """The entries of the form."""
    calls, bases = later(row)
    entries = []
    for i, (name, count) in enumerate(row):
        if i in calls or i in bases or not isinstance(count, int):
            entries.append((name, count))
        else:
            entries += [(name + ("@%d" % n if n else ""), 1) for n in range(count)]
    return sorted(entries, key=lambda each: order(each[0]))


def vectors(suite):
    to = Forms(suite)
    for label, row in ROWS:
        name = "calls-" + label
        to.unsaid(name, text_of(LATEST, with_modules(form_of(row))))
        for version in VERSIONS:
            to.other(name, "form", version, text_of(version, with_modules(row)),
                     ["6.1.1", "6.1.3", "6.8.2", "7.4.5"],
                     "Entries of several calls, and others by the names of later ones.")


def with_modules(row):
    return changed(rectifier(), drafted("modules", [made(*each) for each in row]))
