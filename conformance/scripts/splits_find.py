"""Which splits there are: the causes of all testees, tied by their names."""

import json
import os
from collections import Counter, OrderedDict

import splits_causes
import splits_names


# Outcomes of a valid twin after which a refusal of the vector shows nothing.
NOT_TAKEN = ("refused", "crash", "timeout", "flood", "protocol", "error")
AS_SAID, NOT_ASKED, NOT_KNOWN = "as SPEC.md says", "not asked", "not known"
FIRST = ("epref", "torch-python", "torch-cpp")      # the reference, and who made the format


def split_name(cause):
    return cause.get("split", cause["cause"])


class Testee:
    """An implementation, as its folder in conformance/testees tells of it."""

    def __init__(self, folder, suite):
        self.name = os.path.basename(folder)
        said = self.read(os.path.join(folder, "testee.json")) or {}
        self.title, self.link = said.get("name", self.name), said.get("link")
        self.causes = splits_causes.read(os.path.join(folder, "expected.jsonl"))
        run = self.read(os.path.join(folder, "run.json"))
        self.run = splits_causes.Run(run) if run else None
        self.version = self.run.version if self.run else "not known"
        self.check_ids(suite)
        self.split_of = {id: split_name(cause) for cause in self.causes for id in cause["ids"]}
        self.not_taken = {id for cause in self.causes if cause["outcome"] in NOT_TAKEN
                          for id in cause["ids"]}

    @staticmethod
    def read(path):
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def check_ids(self, suite):
        """The ids are vectors, fit their cause, and have no other; the run is of this suite."""
        seen = {}
        if self.run:
            asked = sum(map(self.run.asked, suite.vectors.values()))
            if self.run.asked_of != (asked, len(suite.vectors)):
                raise splits_causes.Unusable("%s: run.json is of another suite" % self.name)
        for cause in self.causes:
            globs = splits_causes.Globs(cause["match"])
            if not cause["ids"]:
                self.complain(cause, "has no vectors")
            for id in cause["ids"]:
                if id not in suite.vectors:
                    self.complain(cause, "has %s, which is not in the suite" % id)
                if not globs.fit(id):
                    self.complain(cause, "has %s, which no glob of it fits" % id)
                if id in seen:
                    self.complain(cause, "has %s, as %s has" % (id, seen[id]))
                seen[id] = cause["cause"]

    def asked(self, vector):
        """Whether what it said of a vector shows something: a refusal does not, when the
        valid twin is refused, too."""
        void = vector["id"] not in self.split_of and vector.get("twin") in self.not_taken
        return self.run.asked(vector) and not void

    def complain(self, cause, text):
        raise splits_causes.Unusable("%s: cause %s %s" % (self.name, cause["cause"], text))


class Split:
    """Causes of one name."""

    def __init__(self, name):
        self.name, self.causes = name, []
        self.ids, self.evidence, self.heading = None, None, None

    def causes_of(self, testee):
        return [cause for owner, cause in self.causes if owner is testee]

    def vectors_of(self, testee):
        return {id for cause in self.causes_of(testee) for id in cause["ids"]}

    def settle(self, suite):
        """Finds the evidence and the heading, when all causes are there."""
        within = Counter(id for _, cause in self.causes for id in cause["ids"])
        self.ids = set(within)
        headings = Counter(splits_names.heading_of_clause(suite.vectors[id]["clause"][0])
                           for id in sorted(within))
        self.heading = splits_names.HEADING.get(self.name) or headings.most_common(1)[0][0]
        about = splits_names.CLAUSES.get(self.name, ())

        def rank(id):
            clause, length = suite.vectors[id]["clause"][0], suite.length(id)
            return (length is None, splits_names.heading_of_clause(clause) != self.heading,
                    -within[id], bool(about) and clause not in about, length or 0, id)
        self.evidence = min(within, key=rank)
        for _, cause in self.causes:
            cause["evidence"] = min(cause["ids"], key=rank)

    def asked(self, testee, suite):
        """How many of its vectors a testee was asked; None if that is not known."""
        return testee.run and sum(testee.asked(suite.vectors[id]) for id in self.ids)

    def elsewhere(self, testee):
        """Its vectors on which a testee parts under another split: its name to how many."""
        names = Counter(testee.split_of[id] for id in self.ids if id in testee.split_of)
        return {name: names[name] for name in sorted(names) if name != self.name}

    def word(self, testee, suite):
        """What a testee does that does not part here."""
        if testee.run is None:
            return NOT_KNOWN
        return AS_SAID if self.asked(testee, suite) else NOT_ASKED


def find_testees(folder, suite):
    """Those that have expected failures on record, if only none: FIRST, then by name."""
    names = sorted(name for name in os.listdir(folder)
                   if os.path.exists(splits_causes.path_of(name, folder)))
    names.sort(key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))
    return [Testee(os.path.join(folder, name), suite) for name in names]


def find_splits(testees, suite):
    """Heading to its splits: those of the table in its order, then those with most vectors."""
    splits = OrderedDict()
    for testee in testees:
        for cause in testee.causes:
            name = split_name(cause)
            splits.setdefault(name, Split(name)).causes.append((testee, cause))
    for split in splits.values():
        split.settle(suite)
    order = list(splits_names.TITLES)
    ranked = sorted(splits.values(), key=lambda split: (
        order.index(split.name) if split.name in order else len(order), -len(split.ids),
        split.name))
    headings = OrderedDict((heading, []) for heading in [*splits_names.GROUPS, "Else"])
    for split in ranked:
        headings[split.heading].append(split)
    return OrderedDict((heading, found) for heading, found in headings.items() if found)
