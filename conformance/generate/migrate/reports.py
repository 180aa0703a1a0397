"""What a migration tells that it did (SPEC 7.1.6): each step that turns values, with none, one, two
and seven of them, upwards and downwards; and the steps of whole archives.  Where a step is not
needed it is not told.
"""

import json

from format.history import VERSIONS
from generate.archive.moving import Moving
from generate.whole import Draft, call, meta, tensor, user_input, user_output

OLDEST = "<=2.4"
ADDED = "members that the version has and the program does not"
COUNTS = (0, 1, 2, 7)
VERSION = ("7.1.1", "schema version", 1)
VERIFIERS = ("7.4.3", "dialect and verifiers", 1)
SIGNATURE = ("7.4.1", "signature", 1)
CALL = ("7.4.2", "call_spec and the root of the module call graph", 1)
NONE, ENUM, HINT = "as_none", "enumerators of another number", "hints"
BARE = "values that are bare in one version and wrapped in the other"


def draft(*nodes):
    """x, and nodes that give a tensor each, named y0, y1, ..."""
    made = Draft(header={"torch_version": OLDEST}).take(user_input(tensor("x")))
    made.tensors(x=meta(2, 3), **{"y%d" % i: meta(2) for i in range(len(nodes))})
    return made.node(*nodes).give(user_output(tensor("x")))


def nones(count):
    return draft(call("mylib.f.default", [("a%d" % i, {"as_none": True}) for i in range(count)],
                      tensor("y0")))


def positions(count):
    return draft(*[call("mylib.f.default", {"a": tensor("x"), "b": tensor("x")},
                        tensor("y%d" % i)) for i in range(count)])


def tensors(count):
    return draft(*[call("mylib.f.default", {}, tensor("y%d" % i)) for i in range(count)])


def hints(count):
    """Sizes of x."""
    return draft().tensors(x=meta(*[("s%d" % i, i + 4) for i in range(count)],
                                  strides=[1] * count))


ROWS = (  # step, draft, pairs of versions with the others that they need, how often
    ("none", nones, NONE, "7.2.2", lambda n: n, (
        ("8.1", "8.2", []), ("8.2", "8.1", []), ("5.3", "8.20", [VERIFIERS]), ("8.1", "8.20", []),
        ("7.2", "8.1", []), ("8.2", "8.20", []))),
    ("enum", positions, ENUM, "7.2.3", lambda n: 2 * n, (
        ("8.5-a", "8.5", []), ("8.5", "8.5-a", []), ("8.5-a", "8.20", []), ("8.5", "8.20", []))),
    ("bare", tensors, BARE, "7.2.5", lambda n: n + 1, (
        ("2.1", "4.2", []), ("4.2", "2.1", []), ("2", "2.1", []),
        ("1", "1-2023-12", [SIGNATURE, CALL, VERIFIERS]))),
    ("hint", hints, HINT, "7.2.4", lambda n: n, (
        ("1", "1-2023-12", [("7.2.5", BARE, 1), SIGNATURE, CALL, VERIFIERS]),
        ("1-2023-12", "2", []))),
)
SILENT = {("none", "7.2", "8.1"), ("none", "8.2", "8.20"), ("enum", "8.5", "8.20"),
          ("bare", "2", "2.1"), ("hint", "1-2023-12", "2")}


def told(*steps):
    rows = sorted([step for step in steps if step[2]],
                  key=lambda step: [int(part) for part in step[0].split(".")])
    return {"text": json.dumps([dict(zip(("clause", "about", "times"), step)) for step in rows])}


def programs(suite):
    for label, make, about, clause, times, pairs in ROWS:
        for source, target, others in pairs:
            for count in COUNTS:
                number = 0 if (label, source, target) in SILENT else times(count)
                version = VERSIONS[source]
                suite.valid("report/%s-%d-to-%s/%s" % (label, count, target, source), "report",
                            source, make(count).written(version).text, ["7.1.6", clause],
                            "What is done %d times from %s to %s: %s." % (
                                number, source, target, about), provenance="hand",
                            options={**version.options, "to": target},
                            file="migrate/report-%s-%d-%s.json" % (label, count, source),
                            product=told(VERSION, *others, (clause, about, number)))
    for version in ("1", "5.3", "8.20"):
        suite.valid("report/same/%s" % version, "report", version,
                    tensors(1).written(VERSIONS[version]).text, ["7.1.6"],
                    "Nothing is done where the version stays.", provenance="hand",
                    options={"to": version}, file="migrate/report-bare-1-%s.json" % version,
                    product=told())


# ---- archives ---------------------------------------------------------------------

LAID = ("7.7.1", "layout of the archive", 1)
KEPT = ("7.7.1", "program in the archive", 1)
ARCHIVES = (  # source, target, raw, steps of the program, of the archive
    ("2", "5.1", False, [("7.2.5", BARE, 6), ("7.3.1", ADDED, 3)], [LAID]),
    ("5.3", "8.7", False, [VERIFIERS], [LAID]),
    ("5.1", "8.20", False, [VERIFIERS], [("7.7.2", "sample inputs, none", 1), LAID]),
    ("8.8", "8.20", False, [], [KEPT]), ("8.20", "8.14", False, [], [KEPT]),
    ("8.7", "8.20", True, [], [("7.7.6", "weights, raw", 1), ("7.7.6", "constants, raw", 1), LAID]),
    ("8.8", "8.20", True, [], [("7.7.6", "weights, raw", 1), ("7.7.6", "constants, raw", 1), KEPT]),
)


def archives(suite):
    for source, target, raw, steps, more in ARCHIVES:
        one = Moving(suite, source, False)
        rows = json.loads(told(VERSION, *steps)["text"]) + json.loads(
            json.dumps([dict(zip(("clause", "about", "times"), step)) for step in more]))
        suite.valid("report/archive-to-%s%s/%s" % (target, "-raw" if raw else "", source), "report",
                    source, one.data, ["7.1.6", "7.7.1"], "The steps of a program, then those of "
                    "its archive.", options={"to": target, **({"raw": True} if raw else {})},
                    provenance="hand", file="archives/moving-%s.pt2" % one.label,
                    product={"text": json.dumps(rows)})


def vectors(suite):
    programs(suite)
    archives(suite)
