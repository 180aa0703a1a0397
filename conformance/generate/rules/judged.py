"""The tables by which a version is judged (SPEC 5.6.1): for each bound of the versions that a
release's table judges, an operator or a signature that this release alone has, in the last version
that its table judges and in the first that it does not.  And calls of the operators that nothing
else calls, or that a release was the last to have: those of namespaces that anyone may register are
known too, so that nothing is told of them (5.6.9).
"""

import re

from format.annexes import rows
from format.history import ORDER, VERSIONS, before
from generate.language.texts import within
from generate.rules.keyword_only import COMMA, FIRST, split
from generate.rules.older_signatures import fits, holds, number_of
from generate.rules.operator_kinds import LATEST, VALUES, Types, in_order, node_of
from generate.rules.operators import PROBE, Operators
from generate.suite import to_bytes
from generate.whole import KEYWORD, NODES, Draft, meta, sym_int, tensor, user_input, user_output

CLOSED = {row["name"] for row in rows("operator_facts") if row["fact"] == "CLOSED"}
OBJECTS = "3.1"  # the first version that lists objects


def tables(version):
    """The releases by whose tables a version is judged, as numbers."""
    place = ORDER.index(version)
    return [number_of(row["release"]) for row in rows("releases")
            if ORDER.index(row["since"]) <= place
            and (row["until"] is None or place < ORDER.index(row["until"]))]


def by_target():
    found = {}
    for row in rows("operators"):
        found.setdefault(row["target"], []).append(row)
    return found


def live(found, version):
    """The signatures that hold in a version, the newest last."""
    releases = tables(version)
    return [row for row in found if any(holds(row, release) for release in releases)]


def value_of(types, kind, version):
    """An argument of a type, of whatever kind; None where the version has none."""
    tags = [tag for tag in (*FIRST, "as_nested_tensors", "as_custom_obj")
            if types.has("takes", kind, tag)]
    if kind.startswith("Optional["):
        tags = ["as_none"]
    members = {member.name for member in VERSIONS[version].types["Argument"].members}
    tags = [tag for tag in tags if tag in members
            and (tag != "as_custom_obj" or ORDER.index(version) >= ORDER.index(OBJECTS))]
    return VALUES[tags[0]] if tags else None


def given(types, said, version, last):
    """The arguments up to the last one, and those behind that are due; None where one has no
    value."""
    inputs = [(name, value_of(types, kind, version))
              for i, (kind, name, due, _, _) in enumerate(said) if i <= last or due]
    return None if any(value is None for _, value in inputs) else inputs


def outputs_of(row, version):
    """As many as there are, which nobody uses; None where one has to have a name. Where ints
    may be left out, they are."""
    kinds = [kind for kind in COMMA.split(row["returns"] or "") if kind]
    if len(kinds) > 1 and within(version, "1-2023-12", "5.1"):
        kinds = [kind for kind in kinds if kind not in ("int", "Optional[int]")]
    if len(kinds) > 1 and any(not kind.startswith(("Tensor", "Optional[")) for kind in kinds):
        return None
    return [{"as_none": True}] * len(kinds)


def calls(types, row, version):
    """What a signature takes: what is due alone, and more and more of it."""
    said = split(row["arguments"])
    for last in range(-1, len(said)):
        inputs = given(types, said, version, last)
        if inputs is not None:
            yield inputs


def made(row, inputs, version):
    node = node_of(row["target"], inputs, None,
                   in_order([each[:4] for each in split(row["arguments"])], inputs))
    node["outputs"] = outputs_of(row, version)
    return node


def put(node, ints=()):
    """The change that adds a node, and values that are ints."""
    def change(data):
        data["graph"]["nodes"][PROBE + 1:PROBE + 1] = [node]
        data["graph"]["sym_int_values"].update(dict.fromkeys(ints, 2))
    return change


def filled(row, node):
    """A node from which ints are left out, with each of them as a value; and the names of these."""
    kinds = [kind for kind in COMMA.split(row["returns"] or "") if kind]
    if len(node["outputs"]) == len(kinds):
        return node, []
    names = {at: "r%d" % at for at, kind in enumerate(kinds) if kind == "int"}
    made = [sym_int(names[at]) if at in names else {"as_none": True} for at in range(len(kinds))]
    return {**node, "outputs": made}, list(names.values())


# ---- bounds -------------------------------------------------------------------------------------


def fault(others, inputs):
    """(code, where in the node) of a call that none of these signatures takes, as far as the
    newest tells it by names: an argument that it does not have, one that is due."""
    if not others:
        return "EP_OPERATOR", "/target"
    said = split(others[-1]["arguments"])
    names = {name for _, name, _, _, _ in said}
    for i, (name, _) in enumerate(inputs):
        if name not in names:
            return "EP_OPERATOR_ARGUMENT", "/inputs/%d/name" % i
    there = {name for name, _ in inputs}
    if any(due and name not in there for _, name, due, _, _ in said):
        return "EP_OPERATOR_MISSING", ""
    return None


def alone(types, found, release, inside, outside):
    """(signature, arguments, fault) of a call that a release's table alone allows, which stands in
    one version and not in the other; those of whose target nothing is left come first."""
    kept = []
    for target, each in sorted(found.items()):
        here, there = live(each, inside), live(each, outside)
        for row in here:
            if not holds(row, release) or row in there or outputs_of(row, inside) is None or \
                    (not there and target.split(".")[0] not in CLOSED):
                continue
            for inputs in calls(types, row, inside):
                told = fault(there, inputs)
                if told and not any(fits(types, other, inputs) for other in there) and \
                        value_ok(inputs, outside):
                    kept.append((bool(there), target, row, inputs, told))
                    break
    for _, _, row, inputs, told in sorted(kept, key=lambda each: each[:2])[:1]:
        yield row, inputs, told


def value_ok(inputs, version):
    members = {member.name for member in VERSIONS[version].types["Argument"].members}
    return all(next(iter(value)) in members for _, value in inputs)


def bounds(suite):
    types, found = Types(), by_target()
    for row in rows("releases"):
        release, sides = number_of(row["release"]), []
        if ORDER.index(row["since"]) > 0:
            sides.append(("since", row["since"], before(row["since"]).name))
        if row["until"] is not None:
            sides.append(("until", before(row["until"]).name, row["until"]))
        for side, inside, outside in sides:
            for signature, inputs, (code, where) in alone(types, found, release, inside, outside):
                label = "judged-%s-%s" % (side, row["release"])
                node, target = made(signature, inputs, inside), signature["target"]
                Operators(suite, inside).good(
                    label, put(node), ["5.6.1", "5.6.2", "5.6.4"],
                    "%s as torch %s has it." % (target, row["release"]))
                Operators(suite, outside).bad(
                    label, put(*filled(signature, node)), code, "%s%d%s" % (NODES, PROBE + 1, where),
                    "The table of torch %s, which has %s so, does not judge the version."
                    % (row["release"], target))


def newest(suite):
    """A call that breaks two signatures, the older of them at an earlier place: before the newest
    a group was a text."""
    node = node_of("_c10d_functional.all_reduce_.default", [
        ("group_name", VALUES["as_int"]), ("reduce_op", VALUES["as_int"]), ("input", tensor("x"))],
        None, [KEYWORD] * 3)
    node["outputs"] = [{"as_none": True}]
    for version in ("8.18", "8.19"):
        Operators(suite, version).bad(
            "newest-tells", put(node), "EP_OPERATOR_TYPE", "%s%d/inputs/1/arg" % (NODES, PROBE + 1),
            "A group may be anything in the newest signature, whose errors count.")


# ---- calls --------------------------------------------------------------------------------------


def program(suite, name, version, nodes, why):
    """A valid program of these calls, of which nothing is told."""
    draft = Draft(header={"verifiers": [""] if version not in ("1-2023-08", "1") else [],
                          "dialect": ""})
    draft.take(user_input(tensor("x")), user_input(tensor("y")), user_input(sym_int("n")))
    draft.tensors(x=meta(2), y=meta(2)).table("sym_int_values", n=2)
    draft.node(*nodes).give(user_output(tensor("x")))
    suite.valid("operator/%s/%s" % (name, version), "check", version,
                draft.written(VERSIONS[version]).text,
                ["5.6.1", "5.6.2", "5.6.4", "5.6.6", "5.6.7", "5.6.9"], why,
                file="whole/%s-operator-%s.json" % (version, name), warnings=[],
                options=VERSIONS[version].options, provenance="hand")


def called(types, row, version):
    """The shortest call of a signature; None where there is none."""
    inputs = next(calls(types, row, version), None)
    there = inputs is not None and outputs_of(row, version) is not None
    return made(row, inputs, version) if there else None


def last_of(found, row):
    """The last version in which a signature holds, alone if it is ever the only one."""
    held = [version for version in ORDER if row in live(found, version)]
    alone = [version for version in held if live(found, version) == [row]]
    return (alone or held or [None])[-1]


def ended(suite):
    """The signatures that a release was the last to have, in the last version that has them."""
    types, judged = Types(), {}
    for found in by_target().values():
        for row in found:
            version = last_of(found, row) if row["until"] is not None else None
            node = version and called(types, row, version)
            if node:
                judged.setdefault(version, []).append(node)
    for version, nodes in judged.items():
        program(suite, "ended", version, nodes,
                "Signatures that hold alone, or at all, in no later version.")


CALLED = re.compile(rb'"torch\.ops\.(\w+\.\w+\.\w+)"')


def known(suite):
    """The operators that vectors call already."""
    texts = list(suite.files.values()) + [
        to_bytes(vector["edit"][2]) for vector in suite.vectors.values()
        if isinstance(vector.get("edit", [None] * 3)[2], str)]
    return {target.decode() for text in texts for target in CALLED.findall(text)}


def rest(suite):
    """Each operator that nothing else calls, and each of a namespace that anyone may register."""
    types, nodes, there = Types(), [], known(suite)
    for target, each in by_target().items():
        if each[-1]["until"] is None and (
                target not in there or target.split(".")[0] not in CLOSED):
            nodes.append(called(types, each[-1], LATEST))
    program(suite, "rest", LATEST, [node for node in nodes if node],
            "Operators that nothing else calls, and those of namespaces that anyone may register.")


def vectors(suite):
    for part in (bounds, newest, ended, rest):
        part(suite)
