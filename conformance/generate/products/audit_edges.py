"""Audits at edges: texts that nest as deep as the limit that is asked for, pickles that are as long
as it, payloads whose names are nearly the same, names that several tree specs have, and metadata of
the version behind the one whose release walks it.
"""

import json

from format.document import Document
from format.history import VERSIONS
from generate.archive.archives import program
from generate.archive.zips import archive, written
from generate.language.texts import draft
from generate.products.audits import (FINDINGS, GRAPH, LATEST, LIBRARY, NAME, OLD_PATHS, OPS, S1,
                                      TARGET, TOLD, TYPE, VERIFIER, Carrier, Judged, listed, paths,
                                      placed, role_of, typed)
from generate.products.audit_members import (CONFIG, EVIL, FLAT, GLOBAL, PT2, R, SIZE4, UNREAD, VERSION,
                                             base, payload, put, replaced)
from generate.whole import LEAF, at, treespec

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


def deeper(suite):
    """Texts deeper than the limit: they do not hold."""
    size = GRAPH + "sym_int_values/m/as_expr/expr_str"
    for version, label, text in (("7.3", "infix", "(" * (DEEP + 1) + "s0" + ")" * (DEEP + 1)),
                                 (LATEST, "srepr", "floor(" * (DEEP + 1) + S1 + ")" * (DEEP + 1))):
        Deep(suite, version).text("deeper-" + label, size, text, [("AUDIT_EXPR", text)],
                                  ["9.1.3", "1.4.2"], "Deeper than the limit by one.")
    path = "graph_module/module_call_graph/0/signature/in_spec"
    text = typed("mine.Batch", "[" * (DEEP - 1) + "]" * (DEEP - 1))
    Deep(suite, LATEST).text("deeper-tree", path, text, [("AUDIT_TREESPEC", text)],
                             ["9.1.3", "9.4.2", "1.4.2"], "Deeper than the limit by one.")


NAMES = ("mine.Batch", "mine.B\u00e4tch", "mine.\u0411", "mine.f.<locals>.B\u00e4tch")
OTHER = "mine.L\u00f6ngerNameOfAType"


class Named(Carrier):
    """The program of a version, which may be there already, with two tree specs."""

    def __init__(self, suite, version):
        self.suite, self.version = suite, version
        self.draft, self.base = draft(version), "audit/base/" + version
        if self.base not in suite.vectors:
            super().__init__(suite, version)

    def specs(self, label, names):
        """The types that each of them names, from the outside."""
        document, said, told = self.draft.written(VERSIONS[self.version]), {}, set()
        list(placed(document))
        for key, types in zip(("in_spec", "out_spec"), names):
            made = LEAF
            for each in types[::-1]:
                made = '{"type": %s, "context": null, "children_spec": [%s]}' % (
                    json.dumps(each), made)
            node = at(document, "graph_module/module_call_graph/0/signature/" + key)
            node.text = json.dumps(treespec(made))
            said[role_of(node, self.version), treespec(made)] = [
                (TYPE, each) for each in types if each not in told]
            told.update(types)
        self.put(label, Document(document.root), said, ["9.4.3", "9.1.5"],
                 "A type that two tree specs name is told once.")


def named(suite):
    """One name in two tree specs whose texts are different; in the second behind another name, so
    that it does not stand in the same place of both."""
    for version in ("2", LATEST):
        for i, name in enumerate(NAMES):
            Named(suite, version).specs("tree-name-twice-%d" % i, ([name], [OTHER, name]))


def brackets(suite):
    """Two payloads whose names differ in characters that are 32 apart, and no letters."""
    said = R + "data/weights/model_weights_config.json"
    for label, one, other in (("bracket", "[", "{"), ("at", "@", "`")):
        names = [R + "data/weights/weight_" + each for each in (one, other)]
        for at_, name in enumerate(names):
            put(suite, "config-weights-%s-%d" % (label, at_), PT2,
                replaced(PT2, said, payload("weight_" + name[-1]))
                + [written(each, EVIL) for each in names],
                [(said, CONFIG, "weight_" + name[-1]), (name, GLOBAL, "os.system"),
                 (names[1 - at_], UNREAD, "")],
                "What a config names, beside what looks like it in another case.")


def limited(suite):
    """A pickle that is as long as the limit."""
    name, data = "serialized_constants.pt", program(VERSION[FLAT])
    evil = b"\x80\2cos\nsystem\n0X" + SIZE4(len(data)) + b"a" * len(data) + b"."
    members = [each._replace(data=evil if each.name == name.encode() else b"")
               if each.name.endswith(b".pt") else each for each in base(FLAT)]
    suite.valid("audit/archive-limit/flat", "audit", VERSION[FLAT], archive(*members),
                [FINDINGS[GLOBAL][1], "1.4.1"], "A pickle that is as long as the limit.",
                provenance="hand", file="archives/audit-limit-flat.pt2",
                options={"limits": {"bytes": len(evil)}},
                product=listed([], [(name, GLOBAL, "os.system")]))


def distant(suite):
    """As many findings as are told of some ids, behind ten million blanks."""
    def change(data):
        data["header"]["verifiers"] = ["V%d" % i for i in range(TOLD)]
        data["graph"]["nodes"] = [{**data["graph"]["nodes"][3], "name": "a b%d" % i,
                                   "target": OPS + "mylib%d.op.default" % i} for i in range(TOLD)]

    said = {}
    for role, name, text in ((VERIFIER, "AUDIT_VERIFIER", "V%d"), (NAME, "AUDIT_NAME", "a b%d"),
                             (TARGET, LIBRARY, OPS + "mylib%d.op.default")):
        said.update(((role, text % i), [(name, text % i)]) for i in range(TOLD))
    here = Named(suite, LATEST)
    near = here.changed("near", change, said, ["9.1.5"], "As many findings as are told.")
    program_of = draft(LATEST)
    change(program_of.data)
    found = Judged(program_of.written(VERSIONS[LATEST]), LATEST, said).found
    blanks, times = " " * 100, 100000
    suite.valid_edit(here.id("distant"), near, (1, 0, blanks, times), ["9.1.5", "2.3.1"],
                     "The same, ten million bytes later.", provenance="hand",
                     flags=["foreign-spelling"], product=listed([
                         (offset + len(blanks) * times, *rest) for offset, *rest in found]))


def vectors(suite):
    distant(suite)
    brackets(suite)
    limited(suite)
    deepest(suite)
    deeper(suite)
    named(suite)
    paths(Carrier(suite, UNWALKED), [(label, key, text, None, "")
                                     for label, key, text, *_ in OLD_PATHS[:3]])
