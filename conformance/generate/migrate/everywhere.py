"""Steps of a migration in each place where what they turn may stand: in the program's graph, in
a subgraph, in a subgraph of that, and in the arguments of a module (SPEC 7.2.3, 7.2.4, 7.4.4,
7.5.1 to 7.5.3).
"""

from format.annexes import rows
from generate.language.texts import is_srepr, since, within
from generate.migrate.migrations import LATEST, S0, S1, Migrations, kinds, plain
from generate.migrate.operators import TAKEN
from generate.migrate.steps import metas, names, returning
from generate.rules.subgraphs import as_graph
from generate.whole import call, entry, graph, meta, sym_bool, sym_int, tensor

DEPTHS = {"graph": 0, "subgraph": 1, "deep": 2}
OPERATORS = (("5.1", "7.3"), ("5.1", LATEST), ("7.2", "7.3"), ("5.3-2024-03", "8.2"))


def placed(version, depth, nodes, **tables):
    """A program that has these nodes and tables so deep inside."""
    draft = plain(version)
    draft.data["header"]["range_constraints"] = {
        name: {"min_val": 2, "max_val": 8} for name in ("s0", "s1")}
    if depth == 0:
        draft.node(*nodes)
        for name, values in tables.items():
            draft.table(name, **values)
        return kinds(draft, None)
    for level in range(depth):
        made = graph([tensor("a")], nodes, [tensor("a")], **tables)
        made["tensor_values"] = {"a": meta(level + 4), **tables.get("tensor_values", {})}
        nodes, tables = [call("mylib.h.default", [("n", {"as_int": level}), (
            "g", as_graph("g_%d" % level, made))], [])], {}
    draft.node(*nodes)
    return kinds(draft, None)


# ---- 7.5.2: operators ---------------------------------------------------------------------------


def paths(low, high):
    """Of each operator that has another path in the later version: the one of each."""
    found = {}
    for row in rows("targets"):
        if row["kind"] == "higher-order":
            found.setdefault(row["target"].rpartition(".")[2], []).append(row)
    for name, said in sorted(found.items()):
        there = [[row["target"] for row in said if within(version, row["since"], row["until"])]
                 for version in (low, high)]
        if all(len(each) >= 1 for each in there) and not set(there[0]) <= set(there[1]):
            old = next(path for path in there[0] if path not in there[1])
            yield name, old, there[1][0], there[0]


def named(version, depth, which):
    """The operators as arguments, and as targets."""
    nodes = [call("mylib.f.default", [("n", {"as_int": i}), ("o", {"as_operator": path})], [])
             for i, path in enumerate(which)]
    free = [path for path in which if path.rpartition(".")[2] not in TAKEN]
    return placed(version, depth, nodes + [call(path, [], []) for path in free])


def operators(to):
    for i, (low, high) in enumerate(OPERATORS):
        found = list(paths(low, high))
        before, behind = [old for _, old, _, _ in found], [new for _, _, new, _ in found]
        both = not any(new in there for _, _, new, there in found)
        ask = to.pair if both else to.way  # the earlier version may have both
        for place, depth in DEPTHS.items():
            ask("everywhere-operator-%s-%d" % (place, i), low, high,
                (named(low, depth, before), named(high, depth, behind)), ["7.5.2"],
                "Operators that have another path, as arguments and as targets.")
        drafts = tuple(called(version, which) for version, which in ((low, before), (high, behind)))
        ask("everywhere-operator-module-%d" % i, low, high, drafts, ["7.5.2"],
            "Operators in the arguments of a module.")


def called(version, which):
    """The operators as what a module takes, and what it gives."""
    draft = plain(version)
    said = [{"as_operator": path} for path in which]
    draft.data["modules"] = [entry("sub", [tensor("x"), *said], [*said, tensor("t")])]
    return draft


# ---- 7.5.1, 7.2.4: expressions ------------------------------------------------------------------


def expressions(to):
    pairs = (("2", LATEST), ("5.3", "8.2"), ("7.4", LATEST), ("1", "8.2"))
    for i, (low, high) in enumerate(pairs):
        for place, depth in DEPTHS.items():
            to.pair("everywhere-expression-%s-%d" % (place, i), low, high,
                    tuple(sized(version, depth, since(low, "4.2")) for version in (low, high)),
                    ["7.5.1", "7.2.4"], "An expression in each place of a tensor and of a table.")


def sized(version, depth, offsets):
    new = is_srepr(version)

    def text(infix, srepr):
        return srepr if new else infix
    one, other = text("s0", S0), text("s1", S1)
    more = text("s0 + 1", "Add(%s, Integer(1))" % S0)
    twice = text("2*s1", "Mul(Integer(2), %s)" % S1)
    values = {"t0": meta((one, 4), more, (twice, 6), strides=[1, 1, 1]),
              "t1": meta(3, 4, strides=[(twice, 6), other])}
    if offsets:
        values["t2"] = meta(2, storage_offset=(more, 5))
    made = [tensor(name) for name in values]
    tables = {"tensor_values": values, "sym_int_values": {"n": (twice, 6), "m": more},
              "sym_bool_values": {"c": text("s0 < 3", "StrictLessThan(%s, Integer(3))" % S0)}}
    nodes = [call("mylib.make.default", [], [*made, sym_int("n"), sym_int("m"), sym_bool("c")])]
    return placed(version, depth, nodes, **tables)


# ---- 7.2.3: enumerators -------------------------------------------------------------------------


def enumerators(to):
    """A dtype under another number, of tensors and as an argument."""
    for low, high, one, other in (("7.4", "8.1-a", 14, 28), ("7.4", LATEST, 14, 28),
                                  ("8.1-b", "8.3", 14, 29), ("8.1-d", LATEST, 15, 30)):
        for place, depth in DEPTHS.items():
            drafts = tuple(placed(version, depth, [
                call("mylib.f.default", [("d", {"as_scalar_type": number})], tensor("q"))],
                tensor_values={"q": meta(2, dtype=number)})
                for version, number in ((low, one), (high, other)))
            to.pair("everywhere-dtype-%d-%s" % (one, place), low, high, drafts, ["7.2.3"],
                    "A dtype of another number.")


# ---- 7.5.3, 7.4.4 -------------------------------------------------------------------------------

OLD = {"nn_module_stack": "fn:(L['fn'],torch.nn.modules.rnn.LSTM)", "source_fn": "add_1,add"}
NEW = {"nn_module_stack": "fn,L['fn'],torch.nn.modules.rnn.LSTM", "source_fn_stack": "add_1,add"}


def metadata(to):
    for low, high in (("1", "2"), ("1-2023-08", LATEST)):
        for place, depth in DEPTHS.items():
            drafts = tuple(placed(version, depth, [
                call("mylib.f.default", [], [], metadata=said), call("mylib.g.default", [], []),
                call("mylib.f.default", [], [], metadata=said)])
                for version, said in ((low, OLD), (high, NEW)))
            to.pair("everywhere-metadata-" + place, low, high, drafts, ["7.5.3"],
                    "What nodes say of where they come from.")


def returns(to):
    """What an operator returns, of several tensors and of one."""
    for low, high in (("2.1", "5.1"), ("2.1", LATEST), ("7.3", "8.5-a"), ("8.3", LATEST)):
        for place, depth in DEPTHS.items():
            drafts = []
            for version in (low, high):
                several, one = names("p", 2), ["q"]
                target = "torch.ops.higher_order.wrap" if since(version, "5.4") else (
                    "torch._higher_order_ops.wrap.wrap")
                nodes = [returning(version, call(target, [], []), *several),
                         returning(version, call(target, [], []), *one)]
                drafts.append(placed(version, depth, nodes, tensor_values=metas(*several, *one)))
            to.pair("everywhere-returns-" + place, low, high, tuple(drafts), ["7.4.4"],
                    "What an operator returns of its graphs.")


def vectors(suite):
    to = Migrations(suite)
    for part in (operators, expressions, enumerators, metadata, returns):
        part(to)
