"""Losses that are other outputs, too (SPEC 7.4.1): of version 1 the loss is a name, and what else
bears the name, a mutation, a gradient or the same output again, is none.
"""

import itertools

from generate.migrate.migrations import Migrations
from generate.migrate.sides import (LATEST, LOSS, giving, low_of, mutation, to_input,
                                    to_parameter, user)

MARKS = (("mutation", mutation("l", "b")), ("parameter", to_parameter("l", "p")),
         ("input", to_input("l", "x")))
RESULTS = (("first", [LOSS]), ("behind", [user("t"), LOSS]), ("again", [LOSS, user("l")]))


def vectors(suite):
    """Each kind of output that the loss is, alone and together, around each list of results."""
    to = Migrations(suite)
    for (label, results), count in itertools.product(RESULTS, range(len(MARKS) + 1)):
        for chosen in itertools.combinations(MARKS, count):
            specs = [each for _, each in chosen if "buffer_mutation" in each]
            specs += results + [each for _, each in chosen if each not in specs]
            if specs == [LOSS, user("l")]:
                continue  # sides has it
            name = "-".join(["loss", label] + [each for each, _ in chosen])
            to.pair(name, "1", LATEST, (low_of(specs), giving(*specs)), ["7.4.1"],
                    "A loss, and what else is its value.")
