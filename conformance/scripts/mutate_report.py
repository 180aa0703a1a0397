"""What came of the mutants of conformance/scripts/mutate: the results file, the arguments
why some are equivalent, the score and its tables.
"""

import fnmatch
import json
import lzma
import os
import re
from collections import Counter, OrderedDict

FIELDS = ("id", "file", "line", "function", "operator", "old", "new")
# Of mutants that are none: they are no program, or the same program.
NONE = ("does not compile", "same code")
# What is no vector's: survived; unreached: none comes by. Others are killed; uncalled:
# no testee calls the function, a caller in C would see it; unseen: only memory that is
# refused, or a message, shows it.
LEFT = ("survived", "unreached")
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


    # -- what one machine hands to another

    def take_state(self, path, mutants):
        """The outcomes of a campaign that went on elsewhere, of mutants that there still
        are and that were not run here."""
        with lzma.open(path, "rt", encoding="utf-8") as file:
            told = dict(line.rstrip("\n").partition("\t")[::2] for line in file)
        for mutant in mutants:
            if mutant.id in told and mutant.id not in self.known:
                outcome, how, vector, clause = told[mutant.id].split("\t")
                more = {"how": how, "vector": vector or None, "clause": clause or None} \
                    if outcome == "killed" else {"why": vector} if vector else {}
                self.add(mutant, outcome=outcome, seconds=0, suite="", **more)

    def put_state(self, path):
        """A line for each mutant: id, outcome, how and by which vector it was killed, of
        which clause."""
        with lzma.open(path, "wt", encoding="utf-8", preset=9) as file:
            for name, record in sorted(self.known.items()):
                vector = record.get("vector") or record.get("why") or ""
                file.write("\t".join((name, record["outcome"], record.get("how") or "", vector,
                                      record.get("clause") or "")) + "\n")


class Arguments:
    """mutate_equivalent.txt: the mutants that no document shows, each with the reason,
    which begins with one of KINDS. An entry is "FILE FUNCTION", "- old line", "+ new
    line" and the reason, indented by two spaces. A class is "FILE FUNCTION", both with
    * and ? for what may stand there, "~ OPERATOR EXPRESSION", where the expression fits
    the whole of "old line -> new line", and the reason."""

    def __init__(self, path):
        self.exact, self.classes = OrderedDict(), OrderedDict()
        place, old, new, kind = None, None, None, None
        with open(path, encoding="utf-8") as file:
            for line in file:
                text = line.strip()
                if line.startswith("  "):
                    found, key = (self.classes, (*place, kind)) if kind else \
                        (self.exact, (*place, old, new))
                    found[key] = (found.get(key, "") + " " + text).strip()
                elif line.startswith("-"):
                    old = text[2:]
                elif line.startswith("+"):
                    new = text[2:]
                elif line.startswith("~"):
                    kind = text[2:]
                elif text and not line.startswith("#"):
                    name, _, function = text.partition(" ")
                    place, old, new, kind = (name, function), None, None, None
        self.compiled = [(key, self.expression(*key)) for key in self.classes]

    @staticmethod
    def expression(name, function, kind):
        """Of a class, what fits its mutants, written in one line."""
        operator, _, change = kind.partition(" ")
        parts = [fnmatch.translate(one) for one in (name, function, operator)]
        return re.compile("%s\0%s\0%s\0%s" % (*(one.replace("\\Z", "") for one in parts),
                                              "(?:%s)\\Z" % change), re.DOTALL)

    def of(self, record):
        """The reason of a record, and the entry or the class that it is of."""
        key = tuple(record[name] for name in ("file", "function", "old", "new"))
        if key in self.exact:
            return self.exact[key], key
        text = "%(file)s\0%(function)s\0%(operator)s\0%(old)s -> %(new)s" % record
        for key, fits in self.compiled:
            if fits.match(text):
                return self.classes[key], key
        return None, None


def argument_of(record, equivalent):
    return equivalent.of(record)[0]


def settled(records, equivalent):
    """The records of mutants, survivors with an argument as what that says."""
    for record in records:
        reason = argument_of(record, equivalent)
        if record["outcome"] in LEFT and reason:
            record = {**record, "outcome": KINDS[reason.split()[0]], "why": reason}
        yield record


def score(counted):
    """Of 100 faults that a document can show, those that the suite finds."""
    seen = counted["killed"]
    every = seen + counted["survived"] + counted["unreached"]
    return round(100.0 * seen / every, 1) if every else 100.0


def row(records, every):
    """The figures of some mutants, of which there are so many in all."""
    counted = Counter(record["outcome"] for record in records)
    none = sum(counted[name] for name in NONE)
    return OrderedDict(places=every, run=len(records), mutants=len(records) - none,
                       killed=counted["killed"], survived=counted["survived"],
                       unreached=counted["unreached"], equivalent=counted["equivalent"],
                       unseen=counted["unseen"] + counted["uncalled"], score=score(counted))


def report(records, every, more):
    """What --json writes: the figures of all files and of each, and the survivors."""
    clauses = Counter(record["clause"] for record in records if record.get("clause"))
    files, operators = OrderedDict(), OrderedDict()
    for name, count in every.items():
        files[name] = row([record for record in records if record["file"] == name], count)
    for name in sorted({record["operator"] for record in records}):
        of_it = [record for record in records if record["operator"] == name]
        operators[name] = row(of_it, len(of_it))
    data = row(records, sum(every.values()))
    data.update(more)
    data["clauses"] = OrderedDict(sorted(clauses.items(), key=lambda pair: numbers(pair[0])))
    data["operators"], data["files"] = operators, files
    data["survivors"] = OrderedDict()
    for record in left(records):
        data["survivors"].setdefault(record["file"], []).append(record["id"])
    return data


def left(records):
    """The survivors, in the order of the code."""
    found = [record for record in records if record["outcome"] in LEFT]
    return sorted(found, key=lambda record: (record["file"], record["line"], record["id"]))


def numbers(clause):
    return [int(part) if part.isdigit() else 0 for part in clause.split(".")]


def listed(records):
    """The survivors as text."""
    for record in left(records):
        yield "%(file)s:%(line)d %(function)s %(operator)s %(id)s %(outcome)s" % record
        yield "  - " + record["old"]
        yield "  + " + record["new"]


def table(rows):
    yield "%-30s %6s %6s %7s %6s %8s %9s %10s %6s %6s" % (
        "", "places", "run", "mutants", "killed", "survived", "unreached", "equivalent",
        "unseen", "score")
    for name, one in rows:
        yield "%-30s %6d %6d %7d %6d %8d %9d %10d %6d %6.1f" % (name, *one.values())


def told(data, records):
    """The summary on the terminal."""
    keys = ("places", "run", "mutants", "killed", "survived", "unreached", "equivalent",
            "unseen", "score")
    every = ("all", OrderedDict((key, data[key]) for key in keys))
    yield from table([*data["files"].items(), *data["operators"].items(), every])
    ways = Counter(record["how"] for record in records if record["outcome"] == "killed")
    yield "killed by: " + ", ".join("%s %d" % pair for pair in ways.most_common())
    yield "%.2f s each" % (sum(record["seconds"] for record in records) / max(1, len(records)))
