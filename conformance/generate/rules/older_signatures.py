"""Operators that have several signatures in one version, of which a node may keep any (SPEC 5.6):
calls that keep one of them alone, the older or the newest, and calls that keep none, whose errors
are those that the newest has of them.
"""

from format.annexes import rows
from format.history import ORDER
from generate.rules.keyword_only import given, label_of, outputs_of, split
from generate.rules.operator_kinds import VALUES, Types, in_order, node_of
from generate.rules.operators import PROBE, Operators


def number_of(release):
    return [int(part) for part in release.split("+")[0].split(".")]


def tables(version):
    """The releases by whose tables a version is judged."""
    place = ORDER.index(version)
    return [number_of(row["release"]) for row in rows("releases")
            if ORDER.index(row["since"]) <= place
            and (row["until"] is None or place < ORDER.index(row["until"]))]


def holds(row, release):
    return number_of(row["since"]) <= release and (
        row["until"] is None or release < number_of(row["until"]))


def several():
    """The last version in which an operator has several signatures, and these."""
    known, judging = {}, [(version, tables(version)) for version in ORDER]
    for row in rows("operators"):
        known.setdefault(row["target"], []).append(row)
    for target, found in sorted(known.items()):
        for version, releases in reversed(judging):
            live = [row for row in found if any(holds(row, each) for each in releases)]
            if len(live) > 1:
                yield target, version, live
                break


def fits(types, row, inputs):
    """Whether inputs keep 5.6.2, 5.6.4 and 5.6.6 for a signature."""
    said = {name: (kind, due) for kind, name, due, _, _ in split(row["arguments"])}
    names = [name for name, _ in inputs]
    return (set(names) <= set(said)
            and all(name in names for name, (_, due) in said.items() if due)
            and all(types.has("takes", said[name][0], next(iter(value)))
                    for name, value in inputs))


def calls(types, row):
    """What a signature takes: what is due alone, and all that there is; each argument in its
    turn with each tag of its type."""
    said = split(row["arguments"])
    for last in (-1, len(said)):
        inputs = given(types, said, last)
        if inputs is None:
            return
        yield inputs
    for i, (name, _) in enumerate(inputs):
        for tag, value in VALUES.items():
            if types.has("takes", said[i][0], tag):
                yield inputs[:i] + [(name, value)] + inputs[i + 1:]


def kept(suite, types, target, version, live):
    """A call that each of the signatures takes and another one does not."""
    operators = Operators(suite, version)
    for i, row in enumerate(live):
        others = live[:i] + live[i + 1:]
        alone = next((inputs for inputs in calls(types, row) if outputs_of(row) is not None
                      and not any(fits(types, other, inputs) for other in others)), None)
        if alone is None:
            continue
        node = node_of(target, alone, None, in_order(
            [each[:4] for each in split(row["arguments"])], alone))
        node["outputs"] = outputs_of(row)

        def change(data, node=node):
            data["graph"]["nodes"][PROBE + 1:PROBE + 1] = [node]
        label = "signature-%d-of-%d-%s" % (i + 1, len(live), label_of(target))
        operators.good(label, change, ["5.6.2", "5.6.4", "5.6.6"],
                       "A call of %s by one of its signatures alone." % target)
        broken(operators, types, target, (live, row, alone), label)


def broken(operators, types, target, call_of, label):
    """The same with a text where a tensor is due, so that no signature takes it: an argument that
    the newest does not have comes first (5.6.2), else that text (5.6.6)."""
    live, row, inputs = call_of
    newest = {name: kind for kind, name, _, _, _ in split(live[-1]["arguments"])}
    tensors = [i for i, (_, value) in enumerate(inputs) if "as_tensor" in value]
    unknown = [i for i, (name, _) in enumerate(inputs) if name not in newest]
    shared = [i for i in tensors if i not in unknown
              and newest[inputs[i][0]].startswith(("Tensor", "Optional[Tensor]"))]
    if not shared or not (unknown or row is live[-1]):
        return
    wrong = [(name, {"as_string": "a"} if i == shared[0] else value)
             for i, (name, value) in enumerate(inputs)]
    node = node_of(target, wrong, None, in_order(
        [each[:4] for each in split(row["arguments"])], inputs))
    node["outputs"] = outputs_of(row)

    def change(data):
        data["graph"]["nodes"][PROBE + 1:PROBE + 1] = [node]
    code, place = ("EP_OPERATOR_ARGUMENT", "%d/name" % unknown[0]) if unknown else (
        "EP_OPERATOR_TYPE", "%d/arg" % shared[0])
    operators.bad(label + "-none", change, code,
                  "graph_module/graph/nodes/%d/inputs/%s" % (PROBE + 1, place),
                  "No signature takes it: its errors are those of the newest.")


def vectors(suite):
    types = Types()
    for target, version, live in several():
        kept(suite, types, target, version, live)
