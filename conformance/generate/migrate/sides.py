"""Steps of a migration that have two sides: a root that lists values on one side only, a
value that stands twice in the signature, and ranges of which some are there (SPEC 7.4.1,
7.4.2, 7.4.6).
"""

import copy
import itertools

from generate.language.texts import is_srepr
from generate.migrate.migrations import LATEST, Migrations, Raw, changed, kinds, plain, ranged
from generate.migrate.steps import metas, names
from generate.whole import (SIGNATURE, Draft, arguments, buffer, call, entry, leaves, parameter,
                            spec, sym_int, tensor, user_input, user_output)

# ---- 7.4.2: the root ----------------------------------------------------------------------


def called(inputs, outputs, listed, beside):
    """(low, high): a program of so many; listed: which sides its root lists; beside:
    whether there is another entry."""
    takes, gives = names("x", inputs), names("y", outputs)
    draft = Draft(header={"torch_version": "<=2.4"}).take(*[user_input(tensor(name))
                                                            for name in takes])
    draft.tensors(**metas(*takes, "z", *gives))
    draft.node(call("mylib.make.default", {}, tensor("z")),
               *[call("mylib.make.default", {}, tensor(name)) for name in gives])
    draft.give(*[user_output(tensor(name)) for name in gives])
    signature = {"inputs": [tensor(name) for name in takes] if listed[0] else [],
                 "outputs": [tensor(name) for name in gives] if listed[1] else []}
    others = [entry("sub", [tensor("z")], [tensor("z")])] if beside else []
    high, low = kinds(draft, None), copy.deepcopy(draft)
    high.data["modules"], high.data["root"] = others, dict(signature)
    if beside or signature["inputs"] or signature["outputs"]:
        root = {"fqn": "", "signature": {
            **signature, "in_spec": arguments(inputs), "out_spec": leaves(outputs),
            "forward_arg_names": None}}
        low.data["module"]["module_call_graph"] = [root, *others]
    return low, high


def roots(to):
    """A root with each number of inputs and outputs, which lists them or not."""
    for inputs, outputs in itertools.product(range(3), repeat=2):
        for listed in itertools.product((False, True), repeat=2):
            if (listed[0] and not inputs) or (listed[1] and not outputs):
                continue
            for beside in (False, True):
                low, high = called(inputs, outputs, listed, beside)
                sides = "".join("-" + name for name, said in zip(
                    ("inputs", "outputs"), listed) if said)
                label = "root-%d-%d%s%s" % (inputs, outputs, sides, "-beside" * beside)
                half = (listed[0] != listed[1]) and (outputs if listed[0] else inputs)
                for first, last in (("1", LATEST), ("1-2023-08", "2")):
                    ask = (lambda *said: to.way(said[0], said[2], said[1], said[3][::-1],
                                                *said[4:])) if half else to.pair
                    ask(label, first, last, (low, high), ["7.4.2", "5.5.5"],
                        "What the root lists stays, and so does a root that is not alone.")


# ---- 7.4.1: one value twice ------------------------------------------------------------------


def giving(*specs):
    """A program with parameters p, q, buffers b, c, inputs x, y that gives these."""
    draft = Draft(header={"torch_version": "<=2.4"})
    draft.take(parameter("p", "w.p"), parameter("q", "w.q"), buffer("b", "s.b"), buffer("c", "s.c"),
               user_input(tensor("x")), user_input(tensor("y")))
    draft.tensors(**metas("p", "q", "b", "c", "x", "y", "t", "u", "l"))
    draft.node(*[call("mylib.make.default", {}, tensor(name)) for name in "tul"])
    return kinds(draft.give(*specs), None)


def user(name):
    return user_output(tensor(name))


def mutation(name, of):
    return spec("buffer_mutation", name, buffer_name="s." + of)


def to_parameter(name, of):
    return spec("gradient_to_parameter", name, parameter_name="w." + of)


def to_input(name, of):
    return spec("gradient_to_user_input", name, user_input_name=of)


LOSS = spec("loss_output", "l")
SAME = (
    ("twice", [user("t"), user("t")]), ("thrice", [user("t")] * 3),
    ("apart", [user("t"), user("u"), user("t")]), ("behind", [user("u"), user("t"), user("t")]),
    ("inputs", [user("x"), user("x")]), ("parameters", [user("p"), user("p")]),
    ("mutated", [mutation("t", "b"), user("t")]),
    ("mutated-twice", [mutation("t", "b"), mutation("u", "c"), user("u"), user("t"), user("u")]),
    ("loss", [LOSS, user("l")]),
    ("gradient", [LOSS, to_parameter("t", "p"), to_input("t", "x")]),
    ("gradients", [user("t"), LOSS, to_parameter("t", "p"), to_parameter("u", "q"),
                   to_input("u", "x"), to_input("t", "y")]),
)
REFUSED = (
    ("mutations", [mutation("t", "b"), mutation("t", "c"), user("u")], 1),
    ("mutations-apart", [mutation("t", "c"), mutation("u", "b"), user("u")], None),
    ("gradients-parameters", [LOSS, to_parameter("t", "p"), to_parameter("t", "q")], 2),
    ("gradients-inputs", [LOSS, to_input("t", "x"), to_input("t", "y")], 2),
)


def low_of(specs):
    """What version 1 has beside the outputs."""
    draft = giving(*specs)
    if LOSS in specs:
        found = {"gradient_to_parameter": {}, "gradient_to_user_input": {}}
        for each in specs:
            (tag, value), = each.items()
            if tag in found:
                found[tag][value["arg"]["name"]] = value.get("parameter_name",
                                                             value.get("user_input_name"))
        draft.data["backward"] = {
            "gradients_to_parameters": found["gradient_to_parameter"],
            "gradients_to_user_inputs": found["gradient_to_user_input"], "loss_output": "l"}
        draft.data["output_specs"] = [user("l") if each == LOSS else each for each in specs
                                      if not set(each) & set(found)]
    return draft


def repeated(to):
    """One value in several specs."""
    for low, high in (("1", LATEST), ("1-2023-08", "1-2023-12")):
        for label, specs in SAME:
            to.pair("same-value-" + label, low, high, (low_of(specs), giving(*specs)), ["7.4.1"],
                    "A value that is given oftener than once.")
        twin = to.name("same-value-twice", high, low)
        for label, specs, place in REFUSED:
            if place is None:
                to.pair("same-value-" + label, low, high, (low_of(specs), giving(*specs)),
                        ["7.4.1"], "Other values.")
                continue
            to.refused("same-value-" + label, twin, giving(*specs), "EP_MIGRATE_VALUE",
                       SIGNATURE + "output_specs/%d" % place, "One value twice in one dict.",
                       also=["7.4.1"])


# ---- 7.4.6: ranges -------------------------------------------------------------------------

SYMBOLS = ("u0", "u1", "u2")


def ranging(version, symbols, said):
    """A program of unbacked symbols, and ranges in an order; None is open."""
    draft = plain(LATEST)
    for name in symbols:
        draft.node(call("mylib.item.default", {"x": tensor("x")}, sym_int("n_" + name)))
        text = "Symbol('%s', integer=True)" % name if is_srepr(version) else name
        draft.table("sym_int_values", **{"n_" + name: text})
    opened = (None, None) if version == LATEST else (Raw("-Infinity"), Raw("Infinity"))
    return ranged(kinds(draft, None), **{name: ends or opened for name, ends in said})


def ranges(to):
    """Some symbols have a range, in each order, others none."""
    rows = [("%s" % ("-".join(order) or "none"), SYMBOLS, order)
            for count in range(len(SYMBOLS) + 1)
            for order in itertools.permutations(SYMBOLS, count)]
    rows += [("turned-" + label, SYMBOLS[::-1], order) for label, _, order in rows[:4]]
    rows += [("text-%d" % i, ("u9", "u10", "u2", "u1", "u100"), order) for i, order in enumerate((
        (), ("u10",), ("u9", "u10"), ("u1", "u2"), ("u100", "u9", "u2"),
        ("u9", "u2", "u10", "u1"), ("u9", "u10", "u2", "u1", "u100")))]
    rows += [("expression-%d" % i, SYMBOLS, order) for i, order in enumerate((
        ("u0 + u1",), ("u0 + u1", "u0"), ("u2", "u0 + u1", "u1", "u0"), ("u1", "2*u0")))]
    for label, symbols, order in rows:
        given = [(name, (i, 10 + i)) for i, name in enumerate(order)]
        lacking = [(name, None) for name in symbols if name not in order]
        made = sorted(given + lacking) if lacking else given
        for low, high in (("2", "5.4"), ("5.1", "7.3"), ("2", LATEST)):
            to.way("ranges-" + label, low, high,
                   (ranging(low, symbols, given), ranging(high, symbols, made)), ["7.4.6"],
                   "Symbols without a range get one, and all are sorted."
                   if lacking else "All have a range, and stay in their order.")


def vectors(suite):
    to = Migrations(suite)
    for part in (roots, repeated, ranges):
        part(to)
