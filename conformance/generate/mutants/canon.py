"""Canonical forms (SPEC part 6): numbers of calls, gradients to one input, symbols
of subgraphs, numbers of all kinds in one sum.  conformance/scripts/mutate found that they
were missing.
"""

import json

from generate.canon.forms import LATEST, Forms, body, numbered, program, put, replaced
from generate.canon.parts import entries_at, gradients, rectifier
from generate.canon.symbols import filled, saying
from generate.canon.torch import Torch
from format.annexes import rows
from generate.migrate.migrations import changed, put as drafted, written
from generate.mutants.numbers import GIVEN, operators_of
from generate.whole import call, entry, leaves, meta, sym_int, tensor, tensors, user_output


def call_numbers(to):
    """Numbers of calls, to the greatest that counts."""
    listed = ["a@%s" % number for number in (
        "0", "9", "10", "11", "19", "20", "90", "100", "1000000000000000000", "9999999999999999999",
        "18446744073709551609", "18446744073709551610", "18446744073709551612",
        "18446744073709551613", "18446744073709551614", "18446744073709551615",
        "18446744073709551616", "20000000000000000000", "184467440737095516130")]
    draft = changed(rectifier(), drafted("modules", [entry(each) for each in listed]))
    count = len(listed)
    least = list(range(1, 14))
    equal = list(range(14, count + 1))
    to.group("modules-numbers", (LATEST, "7.3"), draft, ["6.8.2"],
             "Numbers with zeros in them, and up to those that count as one.", [
                 ("turned", entries_at(*equal, *reversed(least)), ["6.8.2"],
                  "The lesser ones the other way round, behind the others."),
                 ("mixed", entries_at(*equal, *least[1::2], *least[::2]), ["6.8.2"], "Mixed.")])


def joint(*outputs):
    """Gradients to inputs, as (output, input); they are outputs of the graph."""
    draft = gradients()
    draft.data["output_specs"] = [user_output(tensor("v4"))]
    draft.data["root"]["out_spec"] = leaves(1)
    draft.data["backward"] = {"gradients_to_parameters": {"v5": "p"}, "loss_output": "v4",
                              "gradients_to_user_inputs": dict(outputs)}
    return draft


def torch_gradients(suite):
    """PyTorch's form of a signature of dicts, with gradients (6.9.14)."""
    draft = joint(("v8", "v3"), ("v7", "v2"))
    draft.data["backward"]["gradients_to_parameters"] = {"v6": "q", "v5": "p"}
    sorted_ = joint(("v8", "v3"), ("v7", "v2"))
    sorted_.data["backward"]["gradients_to_parameters"] = {"v5": "p", "v6": "q"}
    for version in ("1-2023-08", "1"):
        wanted = replaced(written(version, sorted_), {"v%d" % i: "_%d" % i for i in range(9)})
        Torch(suite).valid("gradients-old", version, draft, wanted, ["6.9.14"],
                           "Names follow in all dicts; gradients to inputs keep their order.")


def wrapped(name, sizes, output, value="v0"):
    """A node that calls a subgraph, in which a value has these sizes."""
    inner = body(name)
    values = inner["as_graph"]["graph"]["tensor_values"]
    values["v1"] = meta(*sizes, strides=[1] * len(sizes))
    return call("higher_order.strict_mode", [("", inner), ("", tensors(value))], tensors(output))


def below(to):
    """Symbols that only subgraphs have, from the first node on."""
    for version in (LATEST, "7.3"):
        limits = {"s%d" % i: {"min_val": 2 + i, "max_val": 9} for i in range(4)}

        def draft(order, version=version, limits=limits):
            names = ["{s%d}" % i for i in order]
            said = [filled(name, version) for name in names]
            nodes = [wrapped("g0", said[:2], "v1"), wrapped("g1", said[2:3], "v2", "v1"),
                     wrapped("g2", said[3:], "v3", "v2")]
            ends = {"s%d" % place: limits["s%d" % i] for i, place in enumerate(order)}
            return program("v0", nodes, "v3", {"range_constraints": dict(sorted(ends.items()))})
        form = to.form("symbols-below", version, draft(range(4)), ["6.7.4", "6.6.2"],
                       "Symbols of subgraphs, those of the first node first.")
        for i, order in enumerate(((3, 2, 1, 0), (1, 0, 3, 2), (2, 3, 0, 1))):
            to.case(form, "names-%d" % i, draft(order), ["6.7.4"], "By other names.")


# sort, the form, another order of it, why: in srepr, and numbers that look the same
# by their length and are of different kinds.
SUMS = (
    ("int", "floor(Add(Rational(1000, 7), Float('0.5', precision=53), {a}))",
     "floor(Add({a}, Float('0.5', precision=53), Rational(1000, 7)))",
     "A long rational before a short float."),
    ("int", "floor(Add(Integer(1000), Rational(1, 2), {a}))",
     "floor(Add(Rational(1, 2), {a}, Integer(1000)))", "A long integer before a short rational."),
    ("int", "floor(Add(Integer(-1000000), Float('0.5', precision=53), {a}))",
     "floor(Add(Float('0.5', precision=53), {a}, Integer(-1000000)))",
     "A long integer before a short float."),
    ("int", "floor(Add(Float('100000.5', precision=53), {a}))",
     "floor(Add({a}, Float('100000.5', precision=53)))", "A long float before a short symbol."),
    ("int", "floor(Add(Rational(1, 20), Rational(2, 3), {a}))",
     "floor(Add(Rational(2, 3), Rational(1, 20), {a}))",
     "The numerator, then the denominator."),
    ("int", "floor(Add(Rational(2, 3), Rational(2, 5), Rational(2, 11), {a}))",
     "floor(Add(Rational(2, 11), {a}, Rational(2, 5), Rational(2, 3)))",
     "The denominators of one numerator, the shorter first."),
)


def sums(to):
    for i, (sort, wanted, other, why) in enumerate(SUMS):
        label = "normal-kinds-%d" % i
        form = to.form(label, LATEST, saying(LATEST, wanted, sort), ["6.7.2"], why)
        to.case(form, "written", saying(LATEST, other, sort), ["6.7.2"], why, label)


def chains(to):
    """A forest of sums: what is open when another is done."""
    texts = {LATEST: ("Add(Max({a}, {b}), Mod(Add({a}, {b}), {b}))",
                      "Add(Mod(Add({b}, {a}), {b}), Max({b}, {a}))"),
             "7.3": ("Max({a}, {b}) + Mod({a} + {b}, {b})",
                     "Mod({b} + {a}, {b}) + Max({b}, {a})")}
    for version, (wanted, other) in texts.items():
        form = to.form("normal-open", version, saying(version, wanted, "int"), ["6.7.2"],
                       "Sums in functions in sums.")
        to.case(form, "written", saying(version, other, "int"), ["6.7.2"], "Another order.")


# ---- 6.3.1: what the lists of operators say ---------------------------------------------------

OPEN = {"dialect": "", "verifiers": [""]}  # operators may write to their arguments


def listed(kind):
    """The operators of a list that can be called with tensors and constants: target,
    arguments that it must have, types of its returns."""
    wanted = [row["target"] for row in rows("effects") if row["class"] == kind]
    signatures = {target: more for target, *more in operators_of("2_15", True)}
    for target in wanted:
        if target in signatures:
            yield from callable_(target, *signatures[target])


def seeded_ones():
    """The same of those that draw random numbers, by their tag."""
    for target, arguments, returns, tags in operators_of("2_15", True):
        if tags == "SEEDED":
            yield from callable_(target, arguments, returns, tags)


# PyTorch's tags beside that one, which mean nothing to an order.
DEPENDENT = ("_local_scalar_dense.default", "allclose.default", "equal.default", "item.default")
VIEWS = ("as_strided_.default", "detach_.default", "rename_.default", "resize_.default",
         "resize_as_.default", "set_.default", "set_.source_Storage",
         "set_.source_Storage_storage_offset", "set_.source_Tensor",
         "set_.source_Tensor_storage_offset", "squeeze_.default", "squeeze_.dim",
         "squeeze_.dimname", "squeeze_.dims", "swapaxes_.default", "swapdims_.default", "t_.default",
         "transpose_.default", "unsqueeze_.default")


def called_of(names):
    for target, arguments, returns, tags in operators_of("2_15", True):
        if target.startswith("aten.") and target[5:] in names:
            yield from callable_(target, arguments, returns, tags)


def callable_(target, arguments, returns, _):
    given = [(name, {"as_none": True} if kind.startswith("Optional[") else GIVEN.get(kind))
             for name, kind in arguments]
    if all(value is not None for _, value in given) and not set(returns) - {
            "Tensor", "int", "List[Tensor]"}:
        yield target, given, returns


def using(name, given):
    """The arguments, with another tensor in the place of x."""
    there = {json.dumps(tensor("x")): tensor(name), json.dumps(tensors("x")): tensors(name)}
    return [(key, there.get(json.dumps(value), value)) for key, value in given]


class Calls:
    """Nodes, and the values that are the program's outputs."""

    def __init__(self):
        self.nodes, self.outputs, self.ints = [], [], {}

    def add(self, target, given, name, returns=("Tensor",), shown=True):
        """A call; its first value gets the name."""
        made = []
        for i, kind in enumerate(returns):
            value = name if i == 0 else "%sx%d" % (name, i)
            if kind == "int":
                made.append(sym_int(value))
                self.ints[value] = 1
            else:
                made.append(tensors(value) if kind == "List[Tensor]" else tensor(value))
        self.nodes.append(call(target, given, made))
        if shown and made:
            self.outputs.append(made[0] if "as_tensors" not in made[0] else tensor(name))
        return name

    def program(self):
        """The outputs name what comes last first: left to itself it would go first."""
        draft = program("x", self.nodes, self.outputs[::-1], OPEN, sym_int_values=self.ints)
        return numbered(draft)


def fresh(calls, i):
    return calls.add("aten.clone.default", [("self", tensor("x"))], "c%d" % i, shown=False)


def writers(to):
    """Each operator that writes to tensors that its signature does not mark: what
    reads them before and behind it stays there."""
    calls = Calls()
    for i, (target, given, returns) in enumerate(listed("WRITES")):
        value = fresh(calls, i)
        calls.add("aten.neg.default", [("self", tensor(value))], "r%d" % i)
        calls.add(target, using(value, given), "w%d" % i, returns)
        calls.add("aten.sin.default", [("self", tensor(value))], "s%d" % i)
    to.found("order-writes-listed", LATEST, [calls.program()], ["6.3.1", "6.3.3"],
             "Every operator of the list writes to what it is given.")


def aliases(to):
    """Each operator that may return memory of its arguments: a write to that."""
    calls = Calls()
    for i, (target, given, returns) in enumerate(listed("ALIASES")):
        value = fresh(calls, i)
        made = calls.add(target, using(value, given), "y%d" % i, returns, shown=False)
        calls.add("aten.relu_.default", [("self", tensor(made))], "w%d" % i)
        calls.add("aten.neg.default", [("self", tensor(value))], "s%d" % i)
    to.found("order-aliases-listed", LATEST, [calls.program()], ["6.3.1", "6.3.2"],
             "Every operator of the list may return what it is given.")


def states(to):
    """Each operator with a state of its own keeps its place among the others."""
    calls = Calls()
    for i, (target, given, returns) in enumerate(listed("ORDERED")):
        calls.add(target, using(fresh(calls, i), given), "o%d" % i, returns)
        calls.add("aten.rand.default", [("size", {"as_ints": [2]})], "r%d" % i)
    to.found("order-states-listed", LATEST, [calls.program()], ["6.3.1", "6.3.3"],
             "Every operator of the list keeps its place among random numbers.")


def seeded(to):
    """Each operator that draws random numbers, by its tag, among others that do."""
    calls = Calls()
    for i, (target, given, returns) in enumerate(seeded_ones()):
        calls.add(target, using(fresh(calls, i), given), "o%d" % i, returns)
    to.found("order-seeded", LATEST, [calls.program()], ["6.3.1", "6.3.3"],
             "Every operator that draws random numbers keeps its place.")


def free(to):
    """Each operator whose result depends on data, or that turns what it is given into
    a view, and that draws nothing, may stand before random numbers or behind them."""
    seeds = list(seeded_ones())
    for label, tag, names in (("dependent", "DATA_DEPENDENT", DEPENDENT),
                              ("inplace-views", "INPLACE_VIEW", VIEWS)):
        programs = []
        for turned in (False, True):
            calls = Calls()
            for i, (target, given, returns) in enumerate(
                    each for each in called_of(names) if each not in seeds):
                steps = [(target, using(fresh(calls, i), given), "o%d" % i, returns),
                         ("aten.rand.default", [("size", {"as_ints": [2]})], "r%d" % i,
                          ("Tensor",))]
                for step in reversed(steps) if turned else steps:
                    calls.add(*step)
            if turned:  # the same outputs
                calls.outputs = [calls.outputs[i ^ 1] for i in range(len(calls.outputs))]
            programs.append(calls.program())
        to.found("order-" + label, LATEST, programs, ["6.3.1", "6.3.3"],
                 "Every operator of the tag %s that draws no random number." % tag)


def checks(to):
    """Each operator that only looks may stand anywhere behind what it looks at."""
    found = list(listed("CHECK"))
    programs = []
    for turned in (False, True):
        calls = Calls()
        for i, (target, given, returns) in enumerate(found):
            value = fresh(calls, i)
            steps = [("aten.neg.default", [("self", tensor(value))], "r%d" % i, ("Tensor",)),
                     (target, using(value, given), "", returns),
                     ("aten.rand_like.default", [("self", tensor(value))], "s%d" % i,
                      ("Tensor",))]
            for step in (steps[2], steps[1], steps[0]) if turned else steps:
                calls.add(*step)
        if turned:  # the same outputs
            calls.outputs = [calls.outputs[i ^ 1] for i in range(len(calls.outputs))]
        programs.append(calls.program())
    to.found("order-checks-listed", LATEST, programs, ["6.3.1", "6.3.6"],
             "Every operator of the list only looks.")


def vectors(suite):
    to = Forms(suite)
    torch_gradients(suite)
    for part in (call_numbers, below, sums, chains, writers, aliases, states, seeded,
                 free, checks):
        part(to)
