"""Audits at edges: texts that nest as deep as the limit that is asked for, and metadata of the
version behind the one whose release walks it.
"""

from generate.language.texts import draft
from generate.products.audits import (GRAPH, LATEST, OLD_PATHS, S1, TYPE, Carrier, paths, typed)

DEEP = 1000  # what nests in a text
UNWALKED = "1-2023-12"


class Deep(Carrier):
    """The program of a version that is there already, with another limit."""

    options = {"limits": {"depth": DEEP}}

    def __init__(self, suite, version):
        self.suite, self.version = suite, version
        self.draft, self.base = draft(version), "audit/base/" + version


def deepest(suite):
    """Texts as deep as the limit: no finding."""
    path = "graph_module/module_call_graph/0/signature/in_spec"
    size = GRAPH + "sym_int_values/m/as_expr/expr_str"
    inner = "[" * (DEEP - 2) + "]" * (DEEP - 2)
    for version, label, where, text, said in (
            ("7.3", "infix", size, "(" * DEEP + "s0" + ")" * DEEP, []),
            (LATEST, "srepr", size, "floor(" * DEEP + S1 + ")" * DEEP, []),
            (LATEST, "tree", path, typed("mine.Batch", inner), [(TYPE, "mine.Batch")])):
        Deep(suite, version).text("deep-" + label, where, text, said, ["9.1.3", "1.4.2"],
                                  "As deep as the limit.")


def vectors(suite):
    deepest(suite)
    paths(Carrier(suite, UNWALKED), [(label, key, text, None, "")
                                     for label, key, text, *_ in OLD_PATHS[:3]])
