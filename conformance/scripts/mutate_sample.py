"""What conformance/scripts/mutate can change, and the sample that is drawn: so many faults a
file, in proportion to the places where it can have one, the places within a
file at random from the seed.
"""

import glob
import hashlib
import os
import random
import re
from collections import OrderedDict, namedtuple

import mutate_c
import mutate_tables

MOST = 400  # places of one file that count: long tables are no more than that

# old and new are the lines that the change is in, their white space squeezed.
Mutant = namedtuple("Mutant", "id file line function operator old new change")


class Lists:
    """conformance/scripts/mutate_excluded.txt: what no operation of a testee reaches.  Lines
    "FILE", each with lines of a reason behind it that begin with two spaces."""

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
        return file in self.reasons


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

    def __init__(self, root, dropped, lists):
        self.folder = os.path.join(root, "ref", "src")
        self.dropped, self.lists, self.texts = dropped, lists, OrderedDict()
        for path in sorted(glob.glob(os.path.join(self.folder, "*", "*"))):
            if path.endswith((".c", ".h", ".def")):
                with open(path, encoding="utf-8") as file:
                    self.texts[os.path.relpath(path, self.folder)] = file.read()
        self.order = mutate_tables.versions(self.texts["schema/version.def"])

    def changes(self, name):
        text = self.texts[name]
        if name.endswith(".def"):
            return mutate_tables.Table(text, self.order).changes()
        gone = self.dropped.get(name, set())
        return [change for change in mutate_c.File(text).changes() if change.function not in gone]

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

    def left_out(self):
        """Lines of the files that are excluded, and of the functions that no testee
        calls, beside the lines of all."""
        excluded = sum(self.texts[name].count("\n") for name in self.lists.reasons)
        dropped = 0
        for name, gone in self.dropped.items():
            if name in self.texts and not self.lists.has(name):
                file = mutate_c.File(self.texts[name])
                dropped += sum(file.lines(function) for function in file.functions
                               if function.name in gone)
        return {"lines": sum(text.count("\n") for text in self.texts.values()),
                "lines_excluded": excluded, "lines_not_called": dropped}

    def files(self, patterns=None):
        """The names of files that have a place, and are not excluded."""
        return [name for name in self.texts if not self.lists.has(name)
                and (not patterns or any(re.fullmatch(expression(one), name) for one in patterns))]


def expression(pattern):
    return re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")


def places(mutants):
    """The mutants of each place, where a place is some bytes and an operator."""
    found = OrderedDict()
    for mutant in mutants:
        key = (mutant.change.start, mutant.change.end, mutant.operator)
        found.setdefault(key, []).append(mutant)
    return list(found.values())


def shares(weights, count):
    """How many of count each name gets: at least one, the rest by weight."""
    weights = {name: weight for name, weight in weights.items() if weight}
    total = sum(weights.values())
    exact = {name: count * weight / total for name, weight in weights.items()}
    given = {name: max(1, int(share)) for name, share in exact.items()}
    by_rest = sorted(exact, key=lambda name: (int(exact[name]) - exact[name], name))
    for name in by_rest:
        if sum(given.values()) >= count:
            break
        given[name] += exact[name] >= 1
    return given


def drawn(tree, seed, count, patterns=None, operators=None):
    """From a file's name to its share and all its mutants in the order in which
    they are taken: one of every place, at random."""
    pools = OrderedDict()
    for name in tree.files(patterns):
        dice = random.Random("%s %s" % (seed, name))
        spots = places(tree.mutants(name, operators))
        dice.shuffle(spots)
        pools[name] = [dice.choice(spot) for spot in spots]
    given = shares({name: min(len(pool), MOST) for name, pool in pools.items()}, count)
    return OrderedDict((name, (given[name], pools[name])) for name in given)
