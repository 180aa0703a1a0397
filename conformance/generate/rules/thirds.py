"""What stands three times where it may stand once: the second one in the file is told, wherever
the three stand (SPEC 5.1.1, 5.1.5, 5.1.10, 5.2.2, 5.3.7, 5.3.9, 5.3.11, 5.3.13, 5.5.2, 5.6.3).
"""

import copy
import itertools

from format.document import Document, Foreign
from generate.migrate.migrations import LATEST
from generate.rules.subgraphs import as_graph, body
from generate.whole import (GRAPH, MODULES, NODES, SIGNATURE, Draft, Whole, at, buffer, call, entry,
                            meta, parameter, spec, tensor, tensors, tree_of, user_input,
                            user_output)

VERSIONS = ("7.3", LATEST)
CALL = "mylib.call.default"


class Thirds(Whole):
    def second(self, label, change, code, paths, why, *, flags=()):
        """paths: of all that are one thing; the second of them in the file is told."""
        data = copy.deepcopy(self.draft.data)
        change(data)
        document = Document(tree_of(self.version, data), self.style)
        places = sorted(paths, key=lambda path: at(document, path).start)
        return self.bad(label, change, code, places[1], why, flags=flags)


# ---- 5.1.1: values --------------------------------------------------------------------------

SITES = (  # where a value may be defined
    "inputs/0/as_tensor/name", "inputs/1/as_tensor/name", "nodes/0/outputs/0/as_tensor/name",
    "nodes/0/outputs/1/as_tensor/name", "nodes/1/outputs/0/as_tensors/0/name",
    "nodes/1/outputs/0/as_tensors/1/name", "nodes/2/outputs/0/as_tensor/name",
)


def defining():
    """A value in each of these places."""
    draft = Draft(header={"dialect": ""}).take(user_input(tensor("s0")), user_input(tensor("s1")))
    draft.node(call(CALL, {}, [tensor("s2"), tensor("s3")]), call(CALL, {}, [tensors("s4", "s5")]),
               call(CALL, {}, tensor("s6")))
    draft.tensors(**{"s%d" % i: meta(2) for i in range(len(SITES))})
    return draft.give(user_output({"as_int": 1}))


def renamed(places):
    """The change that gives one name to what is defined in these places."""
    def change(data):
        for i in places:
            *steps, last = SITES[i].split("/")
            value = data["graph"]
            for step in steps:
                value = value[int(step)] if isinstance(value, list) else value[step]
            value[last] = "s%d" % places[0]
            if i < 2:
                data["input_specs"][i] = user_input(tensor("s%d" % places[0]))
            if i != places[0]:
                del data["graph"]["tensor_values"]["s%d" % i]
    return change


def values(suite, version, style=None):
    whole = Thirds(suite, "value/places", defining(), version, ["5.1.1"],
                   "A value in each place where one may be.", style)
    for count in (3, 4) if version == LATEST else (3,):
        for places in itertools.combinations(range(len(SITES)), count):
            if (version != LATEST or style or count == 4) and sum(places) % 4:
                continue
            whole.second("places-" + "-".join(map(str, places)), renamed(places), "EP_VALUE_TWICE",
                         [GRAPH + SITES[i] for i in places], "Defined %d times." % count)


# ---- names of nodes, entries, specs ----------------------------------------------------------


def nodes(suite, version):
    draft = defining()
    draft.node(*[call(CALL, {}, []) for _ in range(3)])
    for i, node in enumerate(draft.data["graph"]["nodes"]):
        node["name"] = "n%d" % i
    whole = Thirds(suite, "value/node-names", draft, version, ["5.1.10"], "Names of nodes.")
    for places in ((0, 1, 2), (0, 2, 5), (1, 4, 5), (0, 1, 2, 3)):
        def change(data, places=places):
            for i in places:
                data["graph"]["nodes"][i]["name"] = "one"
        whole.second("node-names-" + "-".join(map(str, places)), change, "EP_NODE_NAME",
                     [NODES + "%d/name" % i for i in places], "%d nodes." % len(places))


def entries(suite, version):
    draft = defining()
    draft.data["modules"] = [entry("m%d" % i) for i in range(5)]
    whole = Thirds(suite, "module/entries", draft, version, ["5.5.2"], "Entries.")
    for places in ((1, 2, 3), (1, 3, 5), (2, 4, 5), (1, 2, 4, 5)):
        def change(data, places=places):
            for i in places:
                data["modules"][i - 1]["fqn"] = "one"
        whole.second("entries-" + "-".join(map(str, places)), change, "EP_MODULE_FQN",
                     [MODULES + "%d/fqn" % i for i in places], "%d entries." % len(places))


NAMED = {"parameter": lambda i: parameter("p%d" % i, "n%d" % i),
         "buffer": lambda i: buffer("p%d" % i, "n%d" % i),
         "tensor_constant": lambda i: spec("tensor_constant", "p%d" % i,
                                           tensor_constant_name="n%d" % i)}
KINDS = ("parameter", "buffer", "tensor_constant", "buffer", "tensor_constant")


def specs(suite, version):
    """Names of parameters and the like, mutations, losses."""
    draft = Draft(header={"dialect": ""})
    draft.take(*[NAMED[kind](i) for i, kind in enumerate(KINDS)])
    draft.take(*[user_input(tensor("x%d" % i)) for i in range(4)])
    names = ["r%d" % i for i in range(8)]
    draft.node(call(CALL, {}, [tensor(name) for name in names]))
    draft.tensors(**{name: meta(2) for name in names + ["p%d" % i for i in range(len(KINDS))] + [
        "x%d" % i for i in range(4)]})
    draft.give(*[spec("user_input_mutation", "r%d" % i, user_input_name="x%d" % i)
                 for i in range(4)])
    draft.give(*[user_output(tensor("r%d" % i)) for i in range(4, 8)])
    whole = Thirds(suite, "signature/thirds", draft, version, ["5.3.7", "5.3.9", "5.3.11"],
                   "Specs of several kinds.")
    for places in itertools.combinations(range(len(KINDS)), 3):
        def change(data, places=places):
            for i in places:
                data["input_specs"][i][KINDS[i]][KINDS[i] + "_name"] = "one"
        whole.second("names-" + "-".join(map(str, places)), change, "EP_SPEC_TWICE", [
            SIGNATURE + "input_specs/%d/%s/%s_name" % (i, KINDS[i], KINDS[i]) for i in places],
            "One name of three.")
    for places in ((0, 1, 2), (0, 2, 3), (1, 2, 3), (0, 1, 2, 3)):
        def mutated(data, places=places):
            for i in places:
                data["output_specs"][i]["user_input_mutation"]["user_input_name"] = "x3"
        paths = [SIGNATURE + "output_specs/%d/user_input_mutation/user_input_name" % i
                 for i in sorted({*places, 3})]
        whole.second("mutations-" + "-".join(map(str, places)), mutated, "EP_MUTATION_TWICE", paths,
                     "One input is changed again.")

        def losses(data, places=places):
            for i in places:
                data["output_specs"][i + 4] = spec("loss_output", "r%d" % (i + 4))
        whole.second("losses-" + "-".join(map(str, places)), losses, "EP_LOSS", [
            SIGNATURE + "output_specs/%d" % (i + 4) for i in places], "%d losses." % len(places))


# ---- 5.2.2: subgraphs -------------------------------------------------------------------------


def graph_of(kind):
    made = body(1, 1)
    made["nodes"][0]["target"] = "torch.ops.aten.%s.default" % {
        "a": "relu", "b": "neg", "c": "abs", "d": "cos"}[kind]
    return made


def subgraphs(suite, version):
    """Graphs of one name, of which some are equal: the first that is unlike the first one."""
    draft = Draft(header={"dialect": ""}).take(user_input(tensor("x"))).tensors(x=meta(2))
    draft.node(*[call(CALL, {"g": as_graph("one", graph_of("a"))}, []) for _ in range(4)])
    whole = Thirds(suite, "subgraph/thirds", draft.give(user_output(tensor("x"))), version,
                   ["5.2.2"], "One graph in four places.")
    for kinds in itertools.product("abc", repeat=4):
        if len(set(kinds)) == 1 or kinds[0] != "a" or "".join(kinds).find("c") in range(
                "".join(kinds).find("b") % 9):
            continue

        def change(data, kinds=kinds):
            for node, kind in zip(data["graph"]["nodes"], kinds):
                node["inputs"][0]["arg"] = as_graph("one", graph_of(kind))
        first = next(i for i, kind in enumerate(kinds) if kind != kinds[0])
        whole.bad("thirds-" + "".join(kinds), change, "EP_SUBGRAPH_TWICE",
                  NODES + "%d/inputs/0/arg/as_graph/name" % first, "Graphs %s." % "".join(kinds),
                  flags=["large"])


# ---- tables, constants, arguments -------------------------------------------------------------


def others(suite, version):
    whole = Thirds(suite, "value/places", defining(), version, ["5.1.1"],
                   "A value in each place where one may be.")

    def tables(data):
        data["graph"].setdefault("sym_int_values", {})["s2"] = 4
        data["graph"].setdefault("sym_bool_values", {})["s2"] = True
    names = ["tensor_values", "sym_int_values", "sym_bool_values"]
    document = whole.changed(tables)
    order = sorted(names, key=lambda name: at(document, GRAPH + name).start)
    whole.bad("tables", tables, "EP_VALUE_LISTED_TWICE", (GRAPH + order[1], "s2"),
              "In three tables.")
    node = call("aten.add.Tensor", [(name, tensor("s0")) for name in ("self", "other")],
                {"as_none": True})
    for order in itertools.product(("self", "other"), repeat=3):
        if len(set(order)) == 1 and order[0] == "other":
            continue

        def added(data, order=order):
            made = copy.deepcopy(node)
            made["inputs"] += [{"name": name, "arg": tensor("s0"), "kind": 2} for name in order]
            made["inputs"][1]["kind"] = 2
            data["graph"]["nodes"].append(made)
        whole.bad("arguments-" + "-".join(order), added, "EP_OPERATOR_TWICE",
                  NODES + "3/inputs/2/name", "Arguments three times.", flags=["large"])
    constants(suite, version)


def constants(suite, version):
    draft = Draft(header={"dialect": ""}).take(user_input(tensor("x"))).tensors(x=meta(2))
    draft.take(*[{"constant_input": {"name": "c%d" % i, "value": {"as_int": i}}}
                 for i in range(4)]).give(user_output(tensor("x")))
    whole = Thirds(suite, "signature/constants", draft, version, ["5.3.13"], "Constants.")
    for places in itertools.combinations(range(4), 3):
        def change(data, places=places):
            for i in places:
                data["input_specs"][i + 1]["constant_input"]["name"] = "one"
        whole.second("constants-" + "-".join(map(str, places)), change, "EP_CONSTANT_NAME", [
            SIGNATURE + "input_specs/%d/constant_input/name" % (i + 1) for i in places],
            "Three constants.")


def vectors(suite):
    for version in VERSIONS:
        for part in (values, entries, specs):
            part(suite, version)
    for part in (nodes, subgraphs, others):
        part(suite, LATEST)
    values(suite, LATEST, Foreign())
