"""Migrations of what stands beside the usual: symbols and constants in the signature, losses
without gradients, calls by numbers that are one, and texts that a step makes first.
"""

import json

from generate.migrate.migrations import (LATEST, NO_MAXIMUM, Migrations, Raw, changed, kinds,
                                         lasting, plain, ranged, signed, symbolic, unranged,
                                         written)
from generate.suite import change_between
from generate.whole import (GRAPH, SIGNATURE, Draft, call, entry, leaves, meta, parameter, spec,
                            sym_bool, sym_int, tensor, user_input, user_output)

# ---- 7.4.1 --------------------------------------------------------------------------------------

CONSTANTS = (("int", {"as_int": 3}), ("float", {"as_float": 0.5}), ("bool", {"as_bool": True}),
             ("string", {"as_string": "b"}), ("none", {"as_none": True}))


def of_symbols(*given, taken=()):
    """The rectifier, which takes and gives symbols too."""
    draft = symbolic("s0", 3)
    draft.node(call("mylib.f.default", {"x": tensor("x")}, [sym_int("n"), sym_bool("b")]))
    draft.table("sym_int_values", n="s0 + 1").table("sym_bool_values", b="s0 < 3")
    for i, each in enumerate(taken):
        draft.take(user_input(each))
        draft.table("sym_int_values" if "as_sym_int" in each else "sym_bool_values",
                    **{"mk"[i]: "s0" if "as_sym_int" in each else "s0 < 4"})
    outputs = leaves(1 + len(given))
    draft.give(*[user_output(each) for each in given])
    draft.data["root"]["out_spec"] = outputs
    return kinds(draft, None)


def signatures(to):
    """Symbols that the user gives and gets; constants, for which version 1 has no word."""
    n, b = sym_int("n"), sym_bool("b")
    for low, high in (("1", "2"), ("1-2023-08", "1-2023-12")):
        for label, given in (("int", [n]), ("bool", [b]), ("both", [b, n]), ("twice", [n, n, b])):
            name = to.pair("symbols-out-" + label, low, high, of_symbols(*given), ["7.4.1"],
                           "Symbols among the outputs.")[1]
        for label, taken in (("int", [sym_int("m")]), ("bool", [sym_bool("m")]),
                             ("both", [sym_int("m"), sym_bool("k")])):
            to.pair("symbols-in-" + label, low, high, of_symbols(n, taken=taken), ["7.4.1"],
                    "Symbols among the inputs.")
        for label, value in CONSTANTS:
            draft = of_symbols(n, n, value)
            draft.data["root"]["out_spec"] = leaves(4)
            to.refused("constant-out-" + label, name, draft, "EP_MIGRATE_TAG",
                       SIGNATURE + "output_specs/3", "A constant has no name.", also=["7.4.1"])


def losses(to):
    """A loss without gradients: first, last and between."""
    for low, high in (("1", "2"), ("1-2023-08", "1-2023-12"), ("1", LATEST)):
        for place, label in enumerate(("first", "between", "last")):
            drafts = []
            for old in (True, False):
                specs = [user_output(tensor("u")), user_output(tensor("r"))]
                specs.insert(place, user_output(tensor("t")) if old else spec("loss_output", "t"))
                draft = signed().give(*specs)
                if old:
                    draft.data["backward"] = {"gradients_to_parameters": {},
                                              "gradients_to_user_inputs": {}, "loss_output": "t"}
                drafts.append(draft)
            to.pair("loss-alone-" + label, low, high, tuple(drafts), ["7.4.1"],
                    "A loss without gradients.")


def orders(to):
    """Inputs in an order that version 1 alone allows."""
    for low, high in (("1", "2"), ("1", LATEST)):
        def ordered(*names):
            specs = {"p": parameter("p", "w"), "q": parameter("q", "v"),
                     "x": user_input(tensor("x")), "y": user_input(tensor("y"))}
            draft = Draft(header={"torch_version": "<=2.4"})
            draft.take(*[specs[name] for name in names])
            draft.tensors(**{name: meta(2, 3) for name in [*names, "t"]})
            draft.node(call("mylib.f.default", {"self": tensor("x")}, tensor("t")))
            return kinds(draft.give(user_output(tensor("t"))), None)
        for good, wrong in (("px", [("xp", 1)]), ("pqxy", [("pxqy", 2), ("xypq", 2)])):
            name = to.pair("inputs-order-" + good, low, high, ordered(*good), ["7.4.1"],
                           "Parameters first.")[0]
            for bad, late in wrong:
                to.refused("inputs-order-" + bad, name, ordered(*bad), "EP_SIGNATURE_ORDER",
                           GRAPH + "inputs/%d" % late,
                           "A parameter behind what the user gives.", also=["7.6.7", "7.4.1"])


# ---- 7.4.5 --------------------------------------------------------------------------------------


def spelled(text, last):
    """The document with the name of some entries behind all else of them."""
    data = json.loads(text)
    for each in data["graph_module"]["module_call_graph"]:
        if each["fqn"] in last:
            each["fqn"] = each.pop("fqn")
    return json.dumps(data)


def calls(to):
    """Later calls of one number, in other spellings of it and of their entries."""
    named = ("sub@1", "sub@01", "sub@001")
    for i, order in enumerate(((0, 1), (1, 0), (0, 1, 2), (2, 1, 0), (1, 2, 0))):
        rows = [(named[j], ("xt", "tx", "tt")[j]) for j in order]
        joined = lasting(("sub", "xx", *[pair for _, pair in rows]))
        text = written(LATEST, lasting(("sub", "xx"), *rows))
        for j in range(2 ** len(rows)):
            last = [name for k, (name, _) in enumerate(rows) if j >> k & 1]
            to.way("calls-one-number-%d-%d" % (i, j), LATEST, "2",
                   (spelled(text, last) if last else text, joined), ["7.4.5"],
                   "Numbers that are one: in the order of the document.")


def numbered(to):
    """A name that a step makes, and that an entry has already."""
    for low, high in (("7.4", "8.1-a"), ("2", LATEST)):
        twin = to.name("calls", low, high)
        for count in (2, 3):
            for i in range(1, count):
                draft = called_beside(count, "sub@%d" % i)
                edit = change_between(to.suite.bytes[twin], written(low, draft))
                to.suite.invalid(to.name("calls-made-%d-of-%d" % (i, count), low, high), twin, edit,
                                 "EP_MODULE_FQN", (0, ""), "A step writes the name again.",
                                 provenance="hand", also=["7.6.7", "7.4.5"],
                                 flags=["large", "no-place"])


def called_beside(count, name):
    """A module that is called so often, behind an entry of a name that says nothing else."""
    draft = lasting(("sub", *["xt"] * count))
    return changed(draft, lambda data: data["modules"].insert(0, entry(name)))


# ---- 7.4.6, 7.2.6 -------------------------------------------------------------------------------


def ranges(to):
    """Symbols without a range, from the last version that lets them be; and the number for no
    maximum, as a minimum too."""
    have = {name: (2, 8) for name in ("i1", "s0", "u0")}
    for version in ("5.1", "5.3-2024-03"):
        name = to.way("ranges-have", version, "5.3", ranged(unranged(version), **have),
                      ["7.4.6"], "All have a range.")
        for lacking in ("u0", "i1"):
            said = {each: ends for each, ends in have.items() if each != lacking}
            to.refused("ranges-lack-" + lacking, name, ranged(unranged(version), **said),
                       "EP_MIGRATE_VALUE", "", "No word for an open range.",
                       also=["7.4.6", "7.2.6"])
    for target, ends in (("5.4", (Raw("-Infinity"), Raw("Infinity"))), (LATEST, (None, None))):
        for version in ("5.1", "5.3-2024-03"):
            said = {each: ends_ for each, ends_ in have.items() if each != "u0"}
            made = ranged(unranged(target), **{**said, "u0": ends})
            to.way("ranges-made", version, target, (ranged(unranged(version), **said), made),
                   ["7.4.6"], "A symbol without a range.")
    greatest = ranged(plain(), u0=(NO_MAXIMUM, NO_MAXIMUM))
    to.way("minimum-greatest", "5.3", LATEST, (greatest, ranged(plain(), u0=(NO_MAXIMUM, None))),
           ["7.2.6"], "The number for no maximum, as a minimum too.")
    to.way("minimum-greatest", "1", LATEST, (greatest, ranged(plain(), u0=(NO_MAXIMUM, None))),
           ["7.2.6"], "The number for no maximum, as a minimum too.")


def vectors(suite):
    to = Migrations(suite)
    for part in (signatures, losses, orders, calls, numbered, ranges):
        part(to)
