"""What conformance/scripts/mutate can change, and the order in which it is tried.
"""

import hashlib
import os
import random
import re
from collections import OrderedDict, namedtuple

import mutate_c
import mutate_names
import mutate_tables

# Long tables of which so many mutants are drawn: one row of them is much like another.
SAMPLED = {"rules/operators.def": 600, "json/pow10.def": 300}
SLOWER = 4

# old and new are the lines that the change is in, their white space squeezed.
Mutant = namedtuple("Mutant", "id file line function operator old new change")


class Lists:
    """conformance/scripts/mutate_excluded.txt: what no operation of a testee reaches.  Lines
    "FILE", in which * and ? stand for anything, each with lines of a reason behind it that
    begin with two spaces."""

    def __init__(self, path):
        self.reasons = OrderedDict()
        name = None
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("  ") and name:
                    self.reasons[name] = (self.reasons[name] + " " + line.strip()).strip()
                elif line.strip() and not line.startswith("#"):
                    name = line.strip()
                    self.reasons[name] = ""

    def has(self, file):
        return any(fits(file, pattern) for pattern in self.reasons)


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


def lines_around(text, start, end, new):
    """The whole lines of [start, end), before and after the change."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    return (squeezed(text[first:last]), squeezed(text[first:start] + new + text[end:last]))


class Tree:
    """The sources, and all changes of each file."""

    def __init__(self, root, lists):
        self.lists, self.texts = lists, OrderedDict()
        for name in mutate_names.names(root, ".c", ".h", ".def"):
            with open(os.path.join(root, mutate_names.path_of(name)), encoding="utf-8") as file:
                self.texts[name] = file.read()
        self.order = mutate_tables.versions(self.texts["schema/version.def"])

    def changes(self, name):
        text = self.texts[name]
        if name.endswith(".def"):
            return mutate_tables.Table(text, self.order).changes()
        return mutate_c.File(text, self.order).changes()

    def mutants(self, name, operators=None):
        """All mutants of a file, in the order of their places."""
        seen, found, text = {}, [], self.texts[name]
        for change in self.changes(name):
            if operators and change.operator not in operators:
                continue
            old, new = lines_around(text, change.start, change.end, change.text)
            key = "\0".join((name, change.function, change.operator, old, new))
            seen[key] = seen.get(key, 0) + 1
            if seen[key] > 1:
                key += "\0%d" % seen[key]
            digest = hashlib.sha256(key.encode("utf-8")).hexdigest()[:10]
            line = text.count("\n", 0, change.start) + 1
            found.append(Mutant(digest, name, line, change.function, change.operator, old, new,
                                change))
        return found

    def files(self, patterns=None):
        """The names of files that have a place, and are not excluded."""
        return [name for name in self.texts if not self.lists.has(name)
                and (not patterns or any(fits(name, one) for one in patterns))]


def fits(name, pattern):
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), name)


def ordered(tree, seed, patterns=None, operators=None):
    """All mutants that are run, each file's spread evenly over the whole, so that a run
    that is broken off is a fair sample of each file; of SAMPLED some alone. Tables and
    headers, which take longer, are spread over more."""
    found = []
    for name in tree.files(patterns):
        mutants = tree.mutants(name, operators)
        dice = random.Random("%s %s" % (seed, name))
        dice.shuffle(mutants)
        mutants = mutants[:SAMPLED.get(name)]
        slow = 1 if name.endswith(".c") else SLOWER
        found += [(slow * (index + dice.random()) / len(mutants), mutant)
                  for index, mutant in enumerate(mutants)]
    return [mutant for _, mutant in sorted(found, key=lambda pair: pair[0])]
