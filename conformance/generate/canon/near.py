"""Canonical forms: every operator of aten and prims without a tag, of the tables that the latest
version is judged by, before a random number that goes first where it may.
"""

from format.annexes import rows
from format.history import VERSIONS
from generate.canon.digest import digest
from generate.canon.forms import numbered, program
from generate.mutants.canon import OPEN, Calls, using
from generate.mutants.rows import RETURNS, VALUES as MADE, listed_ones, writing_ones
from generate.rules.keyword_only import COMMA, given, split, value_of
from generate.rules.older_signatures import holds, tables
from generate.rules.operator_kinds import NONE, VALUES, Types
from generate.whole import tensor, tensors

LATEST = "8.20"


class Symbols(Calls):
    """Nodes of values of all kinds."""

    def __init__(self):
        super().__init__()
        self.values = {}

    def call(self, target, inputs, name, returns):
        made = []
        for i, kind in enumerate(returns):
            table, make, value = MADE[RETURNS[kind]]
            each = name if i == 0 else "%sx%d" % (name, i)
            made.append(make(each))
            if table != "tensor_values":
                self.values.setdefault(table, {})[each] = value
        self.add(target, inputs, name, ())
        self.nodes[-1]["outputs"] = made
        self.outputs += [tensor(name) if "as_tensors" in each else each for each in made[:1]]

    def written(self):
        draft = program("x", self.nodes, self.outputs[::-1], OPEN, **self.values)
        return numbered(draft).written(VERSIONS[LATEST]).text


def untagged():
    """(signature, types of its returns) of what has no tag and is in no list of effects."""
    listed, releases = listed_ones(), tables(LATEST)
    tagged = {row["target"] for row in rows("operators") if row["tags"]}
    for row in rows("operators"):
        target = row["target"]
        if (target.startswith(("aten.", "prims.")) and target not in listed
                and target not in tagged and any(holds(row, each) for each in releases)):
            yield row, [kind.split("(")[0] for kind in COMMA.split(row["returns"] or "") if kind]


def shown(returns):
    """Whether each return can be a value."""
    return bool(returns) and all(kind in RETURNS for kind in returns)


def still(suite):
    writing, types, calls = writing_ones(), Types(), Symbols()
    for row, returns in untagged():
        if not shown(returns):
            continue
        target = row["target"]
        inputs = given(types, split(row["arguments"]), -1)
        if inputs is None:
            continue
        inputs = [(key, tensors("x") if "as_tensors" in value else value)
                  for key, value in inputs]
        name = "o%d" % len(calls.nodes)
        if target in writing:
            value = calls.add("aten.clone.default", [("self", tensor("x"))], "c" + name,
                              shown=False)
            inputs = using(value, inputs)
        calls.call(target, inputs, name, returns)
    calls.add("aten.rand.default", [("size", {"as_ints": [2]})], "r")
    text = calls.written()
    suite.valid("digest/order-still-all/8.20", "digest", LATEST, text, ["6.10.1", "6.3.1", "6.3.3"],
                "No operator without a tag draws random numbers.", provenance="oracle",
                file="canon/8.20-order-still-all.json", product={"text": digest(suite, text)})


def taken(types, kind):
    """A constant, or the tensor, for an argument of a type."""
    if kind.startswith("Optional[") or kind in types.rows:
        return value_of(types, kind)
    return None if "__torch__" in kind else VALUES["as_int"]


def unused(suite):
    """Each of the others, behind a random number: nobody uses what it returns, so that it goes
    first."""
    writing, types, calls = writing_ones(), Types(), Symbols()
    doing = writing | {row["target"] for row in rows("operators") if row["returns"]}
    calls.add("aten.rand.default", [("size", {"as_ints": [2]})], "r")
    for row, returns in untagged():
        target = row["target"]
        inputs = [(name, taken(types, kind)) for kind, name, due, _, _ in split(row["arguments"])
                  if due]
        if shown(returns) or target not in doing or any(value is None for _, value in inputs) or (
                len(returns) > 1 and any(not kind.startswith("Tensor") for kind in returns)):
            continue
        inputs = [(key, tensors("x") if "as_tensors" in value else value)
                  for key, value in inputs]
        if target in writing:
            value = calls.add("aten.clone.default", [("self", tensor("x"))],
                              "c%d" % len(calls.nodes), shown=False)
            inputs = using(value, inputs)
        calls.add(target, inputs, "", ())
        calls.nodes[-1]["outputs"] = [NONE] * len(returns)
    text = calls.written()
    suite.valid("digest/order-still-unused/8.20", "digest", LATEST, text,
                ["6.10.1", "6.3.1", "6.3.3", "6.4.3"],
                "No operator without a tag draws random numbers.", provenance="oracle",
                file="canon/8.20-order-still-unused.json", product={"text": digest(suite, text)})


def vectors(suite):
    still(suite)
    unused(suite)
