"""What came of the mutants of conformance/scripts/mutate: the results file, the arguments
why some are equivalent, the score and its tables.
"""

import json
import os
from collections import Counter, OrderedDict

FIELDS = ("id", "file", "line", "function", "operator", "old", "new")
LIVE = ("killed", "survived")
# How an argument begins: the mutant does the same; or what it does otherwise is
# seen only when memory is refused, or by a caller in C, or in a message. Missing
# argues for nothing: it says why a mutant survives.
KINDS = {"Same:": "equivalent", "Memory:": "unseen", "Caller:": "unseen", "Message:": "unseen",
         "Missing:": "survived"}


class Results:
    """A file of JSON lines, one for each mutant that was tried; the last counts."""

    def __init__(self, path):
        self.path, self.known = path, OrderedDict()
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    record = json.loads(line)
                    self.known[record["id"]] = record

    def add(self, mutant, **more):
        record = {**{name: getattr(mutant, name) for name in FIELDS}, **more}
        self.known[mutant.id] = record
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        return record


def arguments(path):
    """The mutants that no document shows, from (file, function, old, new) to the
    reason, which begins with one of KINDS.  An entry is "FILE FUNCTION", "- old
    line", "+ new line" and the reason, indented by two spaces."""
    found, place, old, new = OrderedDict(), None, None, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            text = line.strip()
            if line.startswith("  "):
                key = (*place, old, new)
                found[key] = (found.get(key, "") + " " + text).strip()
            elif line.startswith("-"):
                old = text[2:]
            elif line.startswith("+"):
                new = text[2:]
            elif text and not line.startswith("#"):
                name, _, function = text.partition(" ")
                place, old, new = (name, function), None, None
    return found


def argument_of(record, equivalent):
    return equivalent.get((record["file"], record["function"], record["old"], record["new"]))


def settled(records, equivalent):
    """The records of mutants, survivors with an argument as what that says."""
    for record in records:
        reason = argument_of(record, equivalent)
        if record["outcome"] == "survived" and reason:
            record = {**record, "outcome": KINDS[reason.split()[0]], "why": reason}
        yield record


def score(killed, survived):
    return round(100.0 * killed / (killed + survived), 1) if killed + survived else 0.0


def report(records, seed, more):
    """What --json writes."""
    counted = Counter(record["outcome"] for record in records)
    clauses = Counter(record["clause"] for record in records if record.get("clause"))
    return {"seed": seed, "sample": len(records),
            "score": score(counted["killed"], counted["survived"]),
            "killed": counted["killed"], "survived": counted["survived"],
            "equivalent": counted["equivalent"], "unseen": counted["unseen"],
            "score_with_unseen": score(counted["killed"],
                                       counted["survived"] + counted["unseen"]), **more,
            "clauses": OrderedDict(sorted(clauses.items(), key=lambda pair: ordered(pair[0]))),
            "mutants": records}


def brief(data, fresh):
    """The figures alone, and the survivors, of a report and of that of a fresh sample:
    one that nobody had looked at before it was run."""
    keys = ("seed", "sample", "score", "killed", "survived", "equivalent", "unseen",
            "score_with_unseen")
    made = OrderedDict((key, data[key]) for key in (*keys, "lines", "lines_excluded",
                                                    "lines_not_called", "clauses"))
    made["survivors"] = [survivor(record) for record in data["mutants"]
                         if record["outcome"] == "survived"]
    if fresh:
        made["fresh"] = OrderedDict((key, fresh[key]) for key in keys)
        made["fresh"]["survived_at_first"] = sum(record["outcome"] != "killed"
                                                 for record in fresh["mutants"])
        made["fresh"]["survivors"] = [survivor(record) for record in fresh["mutants"]
                                      if record["outcome"] == "survived"]
    return made


def survivor(record):
    shown = OrderedDict((key, record[key]) for key in ("file", "function", "old", "new"))
    shown["why"] = record.get("why", "Missing: a vector.")[len("Missing: "):]
    return shown


def ordered(clause):
    return [int(part) if part.isdigit() else 0 for part in clause.split(".")]


def table(records, key):
    """Lines: a name, killed of those that count, survivors, equivalent ones."""
    groups = OrderedDict()
    for record in sorted(records, key=lambda record: record[key]):
        groups.setdefault(record[key], Counter())[record["outcome"]] += 1
    for name, counted in groups.items():
        yield "%-26s %4d of %4d killed %5.1f %%, %3d equivalent, %3d unseen" % (
            name, counted["killed"], counted["killed"] + counted["survived"],
            score(counted["killed"], counted["survived"]), counted["equivalent"],
            counted["unseen"])


def told(records, seconds):
    """The summary on the terminal."""
    counted = Counter(record["outcome"] for record in records)
    ways = Counter(record["how"] for record in records if record["outcome"] == "killed")
    for key in ("file", "operator"):
        yield from table(records, key)
        yield ""
    for record in records:
        if record["outcome"] == "survived":
            yield "survived %(id)s %(file)s:%(line)d %(function)s %(operator)s" % record
            yield "  - " + record["old"]
            yield "  + " + record["new"]
    yield "killed by: " + ", ".join("%s %d" % pair for pair in ways.most_common())
    yield ("%d mutants, %d killed, %d survived, %d equivalent, %d unseen: %.1f %% of %d, "
           "%.1f s each" % (
               len(records), counted["killed"], counted["survived"], counted["equivalent"],
               counted["unseen"], score(counted["killed"], counted["survived"]),
               counted["killed"] + counted["survived"], seconds / max(1, len(records))))
