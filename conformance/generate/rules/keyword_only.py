"""Arguments that are keyword-only (SPEC 5.6.5), given by their places: the first one of each
operator that writes to none of them, once for all overloads of a name; of those that write to
some, one for each number of arguments; and every operator with each argument as its signature
has it.
"""

import re

from format.annexes import rows
from format.history import VERSIONS
from generate.rules.operator_kinds import LATEST, VALUES, Types, node_of
from generate.rules.operators import Operators
from generate.whole import KEYWORD, NODES, POSITIONAL, Draft, meta, tensor, user_input, user_output

FIRST = ("as_tensor", "as_tensors", "as_optional_tensors", "as_int", "as_ints", "as_bool",
         "as_float", "as_string", "as_bools", "as_floats", "as_strings", "as_int_lists",
         "as_device", "as_complex")  # of the tags that a type takes, the first of these
OBJECTS = ("Generator", "Storage")  # what no argument stands for
COMMA = re.compile(r", (?![^\[]*\])")


def split(text):
    """(type, name, whether it is due, whether it is keyword-only, whether it is written to)."""
    keyword, found = False, []
    for part in COMMA.split(text or ""):
        if part == "*":
            keyword = True
        elif part:
            kind, _, name = part.rpartition(" ")
            found.append((re.sub(r"\([^)]*\)", "", kind), name.rstrip("="),
                          not name.endswith("="), keyword, "!" in kind))
    return found


def value_of(types, kind):
    """An argument of a type; None for those that nothing is known of."""
    if kind.startswith("Optional["):
        return {"as_none": True}
    if kind in OBJECTS or "__torch__" in kind or kind not in types.rows:
        return None
    tag = next((tag for tag in FIRST if types.has("takes", kind, tag)), None)
    return VALUES[tag] if tag else None


def given(types, said, last):
    """All arguments up to the last one, and those behind that are due; None where one has no
    value."""
    inputs = []
    for i, (kind, name, due, _, _) in enumerate(said):
        if i <= last or due:
            value = value_of(types, kind)
            if value is None:
                return None
            inputs.append((name, value))
    return inputs


def lasting():
    """The signatures of operators that have one alone, to this day."""
    known = {}
    for row in rows("operators"):
        known.setdefault(row["target"], []).append(row)
    for target, found in sorted(known.items()):
        if len(found) == 1 and found[0]["until"] is None and "custom" not in target:
            yield found[0], split(found[0]["arguments"])


def outputs_of(row):
    """As many as there are, of which nobody uses one; None where one has to have a name."""
    kinds = [kind for kind in COMMA.split(row["returns"] or "") if kind]
    made = [{"as_tensors": []} if kind.startswith("List[") and len(kinds) > 1
            else {"as_none": True} for kind in kinds]
    return None if len(kinds) > 1 and "int" in kinds else made


def label_of(target):
    return re.sub(r"[^A-Za-z0-9.]+", "_", target).replace(".", "-")


def by_place(suite):
    types, operators, shapes = Types(), Operators(suite, LATEST), set()
    count = len(operators.draft.data["graph"]["nodes"])
    for row, said in lasting():
        first = next((i for i, each in enumerate(said) if each[3]), None)
        if first is None:
            continue
        inputs = given(types, said, first)
        if inputs is None or outputs_of(row) is None:
            continue
        written = any(each[3] and each[4] for each in said)
        shape = (first, len(said) - first) if written else (
            row["target"].rpartition(".")[0], said[first][1])
        if shape in shapes:
            continue
        shapes.add(shape)
        node = node_of(row["target"], inputs, None,
                       [POSITIONAL] * (first + 1) + [KEYWORD] * len(said))
        node["outputs"] = outputs_of(row)

        def change(data, node=node):
            data["graph"]["nodes"].append(node)
        operators.bad("by-place-" + label_of(row["target"]), change, "EP_OPERATOR_ORDER",
                      "%s%d/inputs/%d/name" % (NODES, count, first),
                      "%s of %s is keyword-only." % (said[first][1], row["target"]))


def every(suite):
    """Each operator with all that its signature has, by place where that may be."""
    types = Types()
    draft = Draft(header={"verifiers": [""], "dialect": ""})
    draft.take(user_input(tensor("x")), user_input(tensor("y"))).tensors(x=meta(2), y=meta(2))
    for row, said in lasting():
        inputs = given(types, said, len(said))
        if None in (inputs, outputs_of(row)) or not any(each[3] for each in said):
            continue
        node = node_of(row["target"], inputs, None,
                       [KEYWORD if each[3] else POSITIONAL for each in said])
        node["outputs"] = outputs_of(row)
        draft.node(node)
    draft.give(user_output(tensor("x")))
    suite.valid("operator/keyword-only-every/" + LATEST, "check", LATEST,
                draft.written(VERSIONS[LATEST]).text, ["5.6.5"],
                "Each operator that has keyword-only arguments, with all of them.",
                file="whole/%s-operator-keyword-only.json" % LATEST, provenance="hand")


def vectors(suite):
    by_place(suite)
    every(suite)
