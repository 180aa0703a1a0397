"""ARCHIVES.md: what this specification makes of whole archives beside PyTorch: those that
PyTorch wrote, in valid/ of the unpacked corpus, and those with a defect, in invalid/, with
PyTorch's verdicts. The command is asked for its verdict on each.
"""

import json
import os
import subprocess
from collections import Counter, OrderedDict

from splits_names import rows_of
from splits_suite import read_lines, table

READERS = ("2.5.1", "2.8.0", "2.13.0", "2.15.0", "nativert 2.11.0")
BASES = OrderedDict((
    ("F", "the flat archive of 2.5.1"), ("G", "a flat archive of version 8.8"),
    ("P", "the PT2 archive of 2.8.0, whose state is pickled"),
    ("R", "the PT2 archive of 2.13.0, whose state is raw")))

# Why an archive that PyTorch wrote is refused, by its name, and why one with a plain defect is
# taken, by its kind.
ROWS = rows_of("pages_archives.tsv")
REFUSED, TAKEN = ({name: why for verdict, name, why in ROWS if verdict == which}
                  for which in ("refused", "taken"))


def judged(epref, folder, rows):
    """Of each file what epref check says: a code, or None."""
    paths = [os.path.join(folder, row["file"] + ".pt2") for row in rows]
    done = subprocess.run([epref, "check", "--format=json", *paths], capture_output=True,
                          text=True, check=False)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    if len(said) != len(rows):
        raise ValueError("%d verdicts on %d archives" % (len(said), len(rows)))
    return [None if each["valid"] else (each.get("code", "EP_ARCHIVE_PROGRAM"),
                                      each.get("clause", "8.1.2")) for each in said]


def sign(text):
    """What a reader did, in one character."""
    if text is None:
        return ""
    if text == "loads, same":
        return "="
    if text.startswith("loads, does not run"):
        return "!"
    return "~" if text.startswith("loads") else "-"


def code_of(verdict):
    return "valid" if verdict is None else "`%s` %s" % verdict


def numbers(release):
    return [int(part) for part in release.split(".")]


def valid_part(rows, verdicts, faults):
    releases, found = OrderedDict(), OrderedDict()
    for row, verdict in zip(rows, verdicts):
        release, name = row["file"].split("/")
        releases.setdefault(release, Counter())["refused" if verdict else "valid"] += 1
        if verdict:
            found.setdefault((name, verdict), []).append(release)
    faults += ["%s is refused, and there is no reason for it" % name
               for name, _ in sorted(found) if name not in REFUSED]
    counts = [(release, releases[release]["valid"], releases[release]["refused"])
              for release in sorted(releases, key=numbers)]
    refused = [("`%s`" % name, ", ".join(sorted(of, key=numbers)), code_of(verdict),
                REFUSED.get(name, "")) for (name, verdict), of in sorted(found.items())]
    return ["## Archives that PyTorch wrote", "", *table(("release", "valid", "refused"), counts), "",
            "Those that are refused, each with the releases whose archive it is:", "",
            *table(("archive", "releases", "code and clause", "why"), refused)]


def counts_part(rows, verdicts):
    counts = Counter((bool(row["doubtful"]), bool(verdict), sign(row["verdicts"].get("2.15.0")))
                     for row, verdict in zip(rows, verdicts) if row["kind"] != "intact")
    lines = [("%s, %s here" % ("doubtful" if doubtful else "a plain defect",
                               "refused" if refused else "valid"),
              *(counts[doubtful, refused, mark] for mark in "=~!-"))
             for doubtful in (False, True) for refused in (True, False)]
    return ["## Archives with a defect", "",
            "What 2.15.0 does with them. A doubtful one is wrong by some reading, or unusual.", "",
            *table(("archives", "loaded, the same", "loaded, other results",
                    "loaded, fails when run", "not loaded"), lines)]


class Found(OrderedDict):
    """The rows of a kind, and what it is."""

    text, doubtful = "", False


def kinds_part(rows, verdicts, faults):
    kinds = OrderedDict()
    for row, verdict in zip(rows, verdicts):
        base = row["file"].split("/")[0]
        signs = tuple(sign(row["verdicts"].get(reader)) for reader in READERS)
        found = kinds.setdefault((row["group"], row["kind"]), Found())
        found.setdefault((verdict, signs), []).append(base)
        found.text, found.doubtful = row["text"], row["doubtful"]
        if verdict is None and not row["doubtful"] and row["kind"] not in TAKEN:
            faults.append("%s is valid, and there is no reason for it" % row["file"])
    lines = []
    for (_, kind), found in sorted(kinds.items()):
        what = found.text + (" (doubtful)" if found.doubtful else "")
        cells = ["`%s`" % kind, what.replace("|", "\\|")]
        for (verdict, signs), bases in found.items():
            reason = TAKEN.get(kind) if verdict is None else None
            here = code_of(verdict) + (". " + reason if reason else "")
            lines.append([*cells, ", ".join(bases), here, *signs])
            cells = ["", ""]
    return ["## Kind by kind", "",
            "A row for each kind and each pair of verdicts. `base`: %s. The cells of readers: `=` "
            "loads, and all is as in the archive without the defect; `~` loads, and tensors, "
            "outputs or files are others; `!` loads and does not run; `-` refuses, or does not "
            "end; empty: it was not asked." % ", ".join("%s %s" % pair for pair in BASES.items()),
            "", *table(("kind", "what", "base", "here", *READERS), lines)]


def page(folder, epref):
    """The text, and the archives whose verdict has no reason here."""
    faults = []
    parts = {}
    for name, index in (("valid", "archives.jsonl"), ("invalid", "verdicts.jsonl")):
        rows = read_lines(os.path.join(folder, name, index))
        parts[name] = rows, judged(epref, os.path.join(folder, name), rows)
    lines = [
        "# This specification and PyTorch on whole archives", "",
        "Made by `conformance/scripts/pages` from the verdicts; not edited by hand.", "",
        "`corpora/archives.tar.xz` has %d archives that five PyTorch releases wrote, of every kind "
        "of tensor, sharing, name and extra file, and %d with one defect each. Here is what "
        "`epref check` makes of each, by [SPEC.md](../SPEC.md), part 8, beside what PyTorch and "
        "its C++ runtime (nativert) did with it. PyTorch's verdict is a fact, and no rule."
        % (len(parts["valid"][0]), len(parts["invalid"][0])), ""]
    lines += valid_part(*parts["valid"], faults) + [""]
    lines += counts_part(*parts["invalid"]) + [""]
    lines += kinds_part(*parts["invalid"], faults)
    return "\n".join(lines) + "\n", faults
