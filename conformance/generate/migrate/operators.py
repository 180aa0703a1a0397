"""What the nodes of every higher-order operator say of what they return, in versions that say it
in another way (SPEC 7.4.4), under each path that an operator has.
"""

from format.annexes import rows
from format.history import ORDER
from generate.language.texts import since
from generate.migrate.migrations import LATEST, Migrations
from generate.migrate.steps import LISTED, SINGLE, strict

TAKEN = ("cond", "while_loop", "map_impl", "scan", "strict_mode", "hints_wrapper", "associative_scan",
         "wrap_with_set_grad_enabled", "wrap_with_autocast")  # whose graphs are judged


def vectors(suite):
    to = Migrations(suite)
    for row in rows("targets"):
        prefix, _, name = row["target"].rpartition(".")
        if row["kind"] != "higher-order" or prefix != "torch.ops.higher_order" or name in TAKEN:
            continue
        for low, high in ((LISTED, SINGLE), ("7.3", LATEST), ("2.1", "7.3")):
            if row["since"] and not since(low, row["since"]):
                low = row["since"]
            if ORDER.index(low) >= ORDER.index(high) or row["until"]:
                continue
            to.pair("operator-returns-" + name.strip("_").replace("_", "-"), low, high,
                    (strict(low, 2, target=name), strict(high, 2, target=name)), ["7.4.4"],
                    "A tuple that %s returns." % name)
