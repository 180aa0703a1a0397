"""Lists as arguments of operators, in each version that judges them: without items under each
tag of a list, for each type; the names of values of each kind for a list of numbers; and the
tags that each type takes in older versions.
"""

import re

from format.annexes import rows
from format.history import VERSIONS
from generate.language.texts import since
from generate.rules.operator_kinds import (RESULTS, VALUES, Types, filled, in_order, node_of,
                                           parsed)
from generate.rules.operators import Operators
from generate.rules.types import Types as Tables, WHOLE_DTYPES
from generate.whole import NODES, tensor, tensors

JUDGED = ("2", "5.1", "5.3-2024-03", "5.3", "8.20")
NAMED = ("1", "2", "3.1", "5.1", "5.3", "7.3", "8.2", "8.8", "8.20")
TYPED = "5.3"  # from here on a list without items has the tag of its type (5.6.6)
NUMBERS = tuple(form % each for each in ("List[number]", "List[Optional[number]]")
                for form in ("%s", "Optional[%s]"))
RELEASE = {"2": "2.2", "5.1": "2.3", "5.3-2024-03": "2.3", "5.3": "2.4", "8.20": "2.13"}


def number(release):
    return tuple(int(part) for part in release.split(".")[:2])


def signatures(release):
    """The operators of a release with one signature ever, by how few arguments they have."""
    said = {}
    for row in rows("operators"):
        said.setdefault(row["target"], []).append(row)
    found = [each[0] for target, each in said.items() if len(each) == 1
             and target.startswith("aten.") and each[0]["until"] is None
             and number(each[0]["since"] or "2.1") <= number(release)
             and "!" not in (each[0]["arguments"] or "") and not each[0]["tags"]
             and each[0]["returns"] in ("Tensor", "List[Tensor]")]
    return sorted(found, key=lambda row: (len(parsed(row["arguments"])), row["target"]))


def listed(kind):
    """Whether a type is a list, or may be one."""
    return re.sub(r"Optional\[(.*)\]$", r"\1", kind).startswith("List[")


def tags_of(version):
    return {member.name: member for member in VERSIONS[version].types["Argument"].members}


def empty_of(member):
    shape = member.shape
    while shape.kind == "optional":
        shape = shape.parts[0]
    return {member.name: []} if shape.kind == "list" else None


def each_type(version):
    """Each type, with a row of the shortest operator that has it, and its place there."""
    types, known = Types(), set()
    numbers = {row["name"] for row in rows("operator_facts") if row["fact"] == "NUMBERS"}
    for row in signatures(RELEASE[version]):
        if row["target"].rpartition(".")[0] in numbers:
            continue
        said = parsed(row["arguments"])
        for kind, name, _, _ in said:
            if kind in known or filled(types, said, name, {"as_none": True}) is None:
                continue
            known.add(kind)
            yield types, row, said, (kind, name)


def lists(suite):
    for version in JUDGED:
        operators, tags = Operators(suite, version), tags_of(version)
        for types, row, said, (kind, name) in each_type(version):
            for tag, member in tags.items():
                value = empty_of(member)
                if value is None:
                    continue
                fits = types.has("takes", kind, tag) or (
                    listed(kind) and not since(version, TYPED)) or (
                    tag == "as_tensors" and kind in NUMBERS)  # none of its items is a tensor
                judged(operators, (row, said, name), "none-%s" % tag, value, fits,
                       "No items under %s for %s." % (tag, kind))
            if version != "5.1":
                continue
            for tag, value in VALUES.items():
                if tag not in tags or (tag == "as_sym_float" and not since(version, "8.2")):
                    continue
                judged(operators, (row, said, name), tag, value, types.has("takes", kind, tag),
                       "%s for %s." % (tag, kind))


def judged(operators, place, label, value, fits, why):
    row, said, name = place
    inputs = filled(Types(), said, name, value)
    at = [one for one, _ in inputs].index(name)
    kind = next(each[0] for each in said if each[1] == name)
    label = "list-%s-%s" % (re.sub(r"[^a-z0-9]+", "-", kind.lower()).strip("-"), label)
    output = tensor("q") if row["returns"] == "Tensor" else tensors("q", "r")
    appended(operators, label, node_of(row["target"], inputs, output, in_order(said, inputs)),
             None if fits else "/inputs/%d/arg" % at, why)


def appended(operators, label, node, where, why):
    (tag, _), = node["outputs"][0].items()
    _, table, entries = RESULTS[tag]
    count = len(operators.draft.data["graph"]["nodes"])

    def change(data):
        data["graph"]["nodes"].append(node)
        data["graph"].setdefault(table, {}).update(entries)
    if where is None:
        operators.good(label, change, ["5.6.6"], why)
    else:
        operators.bad(label, change, "EP_OPERATOR_TYPE", "%s%d%s" % (NODES, count, where), why)


# ---- names for numbers ------------------------------------------------------------------------

SCALARS = (  # operators with a list of numbers, and its name
    ("aten._foreach_add.ScalarList", "scalars"), ("aten._foreach_pow.ScalarList", "exponent"),
    ("aten._foreach_addcdiv.ScalarList", "scalars"),
)
NAMES = (("n",), ("flag",), ("f",), ("x",), ("n", "flag"), ("flag", "n"), ("f", "n"), ("n", "f"),
         ("f", "flag"), ("n", "x"), ("x", "n"), ("f", "x"), ("x", "y"), ("flag", "x"),
         ("n", "flag", "f", "m"), ("n", "flag", "f", "x"), ("less", "less"), ("f", "f"))


def numbers(suite):
    """Values that a list of numbers names as if they were tensors."""
    known = {row["target"]: row for row in rows("operators")}
    for version in NAMED:
        operators = Operators(suite, version)
        for target, last in SCALARS if version in ("5.1", "8.20") else SCALARS[:1]:
            row = known[target]
            for names in NAMES:
                if "f" in names and not since(version, "8.2"):
                    continue
                said = parsed(row["arguments"])
                inputs = [(name, tensors(*names) if name == last else VALUES["as_tensors"])
                          for _, name, due, _ in said if due]
                at = [name for name, _ in inputs].index(last)
                fits = not {"x", "y"} & set(names)
                appended(operators, "numbers-%s-%s" % (
                    target.split(".")[1].strip("_").replace("_", "-"), "-".join(names)),
                    node_of(target, inputs, tensors("q", "r"), in_order(said, inputs)),
                    None if fits else "/inputs/%d/arg" % at, "Names for numbers.")


# ---- gradients ----------------------------------------------------------------------------------


def gradients(suite):
    """requires_grad beside each dtype, where a version has dtypes that none before has, or
    other numbers of them."""
    known = set()
    for version, found in VERSIONS.items():
        values = tuple(found.types["ScalarType"].values.items())
        if values in known:
            continue
        known.add(values)
        tables = Tables(suite, version)
        for name, value in values:
            if name == "UNKNOWN":
                continue
            for label, grad in (("without", False), ("with", True)):
                wrong = grad and name in WHOLE_DTYPES
                tables.value("gradients-%s-%s" % (label, name.lower()),
                             tables.x if wrong else "5.4.14",
                             "EP_REQUIRES_GRAD" if wrong else None, "A dtype of a version.",
                             dtype=value, requires_grad=grad)


def vectors(suite):
    for part in (lists, numbers, gradients):
        part(suite)
