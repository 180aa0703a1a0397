"""The torch form (SPEC 6.9), further: names that are empty, constants of the first version and of
the call, cycles behind other nodes, the versions around those that the clauses name, and inputs
and outputs of several roles.
"""

import copy
import itertools
import json

from generate.canon.forms import LATEST, op, program, renamed, subgraph
from generate.canon.torch import Torch, add, plain, relu, torched, without_objects
from generate.migrate.migrations import kinds, written
from generate.whole import (GRAPH, NODES, SIGNATURE, buffer, call, custom_obj, leaves, meta,
                            parameter, spec, tensor, tensors, user_input, user_output)

BEFORE = "8.6"  # the version before objects have names and constants are given
OBJECT = custom_obj("o")["as_custom_obj"]


def nameless(to):
    """The empty name is a name that is given anew, and no value that is used."""
    for version in ("5.1", "7.3", LATEST):
        draft = program("x", [op("aten.relu.default", tensor(""), self="x"), relu("x", "y")], "y")
        new = {"x": "_0", "": "_1", "y": "_2"}
        to.valid("nameless", version, draft, renamed(draft, new, str), ["6.9.4", "6.9.9"],
                 "A value whose name is the empty text.")


def unnamed(to):
    """A number that is given or returned has no name, and is no parameter that has the empty one."""
    draft = program("x", [relu("x", "y")], "y")
    for side, said in (("inputs", parameter("", "w")), ("outputs", spec(
            "buffer_mutation", "", buffer_name="b"))):
        draft.data["graph"][side].append({"as_int": 3})
        draft.data[side[:-1] + "_specs"].append(said)
    for version in ("1-2023-08", "1"):
        to.valid("unnamed", version, draft, torched(draft), ["6.9.14", "6.9.4"],
                 "The empty name is a key, and what has no name has another rank.")


def constants(to):
    """Tensors inside a program of the first version, and names that a call gives."""
    draft = program("x", [add("x", "c", "y"), add("y", "d", "z"), relu("x", "w")], "z w")
    draft.data["graph"]["constants"] = {"c": "AAEC", "d": "AAED"}
    to.valid("constants-inside", "1", draft, torched(draft), ["6.9.6", "6.9.14"],
             "What the graph holds are constants: they keep their names.")
    draft = program("x", [relu("x", "y")], "y")
    draft.data["header"].update(
        equality_constraints=[[["x", 0], ["y", 1]]],
        example_inputs=[["AAEC", ""], {"k": "AAED", "l": "AA=="}])
    for version in ("1-2023-08", "1"):
        to.valid("tuples", version, draft, torched(draft), ["6.9.1"],
                 "Lists and dicts in tuples stay as they are.")
    for version in ("8.7", LATEST):
        objects = {name: {**OBJECT, "name": name} for name in "opq"}
        nodes = [op("mylib.f.default", "a%d" % i, ("x", {"as_custom_obj": objects[name]}))
                 for i, name in enumerate("opq")]
        draft = program("x", nodes, "a0 a1 a2")
        to.valid("constants-three", version, draft, torched(draft), ["6.9.6"],
                 "Several names of constants.", constants=["n", "o", "p", "q"])


def cycles(to):
    """Behind nodes that wait for nothing, or that are put in their places."""
    for version in ("5.1", "7.3", LATEST):
        twin = to.name("plain", version)
        for label, nodes, first in (
                ("behind", [relu("x", "a"), relu("z", "y"), relu("y", "z")], 1),
                ("far", [relu("x", "a"), relu("a", "b"), relu("b", "c"), relu("c", "y"), relu(
                    "z", "v"), relu("v", "z")], 4),
                ("between", [relu("x", "a"), relu("z", "y"), relu("a", "b"), relu("y", "z")], 1)):
            to.invalid("cycle-" + label, twin, program("x", nodes, "y"), "EP_TORCH_CYCLE",
                       NODES + "%d" % first, "A cycle that is not at the beginning.", ["6.9.8"])


def boundaries(to):
    """Versions of no release, right before what the table of 6.9.2 says."""
    alone = program("", [op("aten.rand.default", "y", ("size", {"as_ints": [2]}))], "y")
    twin = to.valid("plain", "7.2", plain(), torched(plain()), ["6.9.9"], "A rectifier.")
    to.invalid("no-inputs", twin, alone, "EP_TORCH_SPEC", GRAPH[:-1], "No inputs.",
               ["6.9.5", "6.9.2"])
    given = program(["x", {"custom_obj": {"arg": OBJECT, "custom_obj_name": "o"}}],
                    [op("mylib.f.default", "y", ("o", {"as_custom_obj": OBJECT}))], "y",
                    custom_obj_values={"o": OBJECT})
    for version in (BEFORE, "8.7"):
        turned = program([{"custom_obj": {"arg": OBJECT, "custom_obj_name": "o"}}, "x"],
                         given.data["graph"]["nodes"], "y", custom_obj_values={"o": OBJECT})
        wanted = without_objects(turned) if version == BEFORE else torched(turned)
        to.valid("object-used", version, given, wanted, ["6.9.2", "6.9.3", "6.9.11"],
                 "An object that a node takes.")
    twin = to.valid("plain", "1-2023-08", plain(), torched(plain()), ["6.9.9"], "A rectifier.")
    to.invalid("no-inputs", twin, alone, "EP_TORCH_SPEC", GRAPH[:-1], "No inputs.",
               ["6.9.5", "6.9.2"])
    for version in (BEFORE, "8.7"):
        draft = program("x", [add("x", "c", "y")], "y")
        if version == BEFORE:
            twin = to.valid("constant-spare", version, plain(), torched(plain()), ["6.9.2", "6.9.9"],
                            "A rectifier, and the name of a constant.", constants=["c"])
            to.invalid("constant-given", twin, draft, "EP_TORCH_NAME",
                       NODES + "0/inputs/1/arg/as_tensor/name",
                       "This release is given no constants.", ["6.9.2", "6.9.6"])
        else:
            to.valid("constant-given", version, draft, torched(draft), ["6.9.2", "6.9.6"],
                     "A name that the call says is a constant's.", constants=["c"])


def bools(to):
    """A bool that a user gives, right before the version of the release that takes it."""
    given = program(["x", user_input({"as_bool": True})], [relu("x", "y")], "y")
    twin = to.valid("plain", "5.3-2024-03", plain(), torched(plain()), ["6.9.9"], "A rectifier.")
    to.invalid("input-bool", twin, given, "EP_TORCH_SPEC", SIGNATURE + "input_specs/1/user_input/arg", "This release does not take it.",
               ["6.9.13", "6.9.2"])
    given = program("x", [relu("x", "y")], ["y", user_output({"as_bool": True})])
    twin = to.valid("plain", BEFORE, plain(), torched(plain()), ["6.9.9"], "A rectifier.")
    to.invalid("output-bool", twin, given, "EP_TORCH_SPEC",
               SIGNATURE + "output_specs/1/user_output/arg", "Nor does this one give it.",
               ["6.9.13", "6.9.2"])


def unnamed_mutation(to):
    """A spec of another kind than the user's, whose value the graph does not have."""
    def draft(name):
        made = program([buffer("b", "A"), "x"], [add("b", "x", "y"), relu("x", "z")],
                       [spec("buffer_mutation", "y", buffer_name="A"), user_output(tensor("z"))])
        made.data["output_specs"][0]["buffer_mutation"]["arg"] = {"name": name}
        return made
    for version in ("5.1", LATEST):
        twin = to.valid("mutation", version, draft("y"), torched(draft("y")), ["6.9.13"],
                        "A buffer that is written.")
        to.invalid("mutation-undefined", twin, draft("w"), "EP_TORCH_NAME",
                   SIGNATURE + "output_specs/0/buffer_mutation/arg/name",
                   "A name that the graph does not define.", ["6.9.13"])


def two_faults(to):
    """The fault that the earlier clause, or the graph that comes first, has."""
    def draft(first, second):
        graphs = [subgraph(name, "i", nodes, "j") for name, nodes in (("a", first), ("b", second))]
        return program("x", [call("higher_order.cond", [
            ("", tensor("x")), ("", graphs[0]), ("", graphs[1]), ("", tensor("x"))],
            tensor("r"))], "r")

    def torched_inside():
        wanted = torched(draft([], []))
        inputs = wanted.data["graph"]["nodes"][0]["inputs"]
        for i in (0, 1):
            inputs[1 + i]["arg"] = subgraph("_g%d" % i, "_0", [relu("_0", "_1")], "_1")
        return kinds(wanted, None)
    good, late = [relu("i", "j")], [relu("k", "j")]
    cyclic = [relu("i", "j"), relu("l", "k"), relu("k", "l")]
    twin = to.valid("subgraphs-two", LATEST, draft(good, good), torched_inside(), ["6.9.12"],
                    "Two subgraphs.")
    inside = NODES + "0/inputs/1/arg/as_graph/graph/nodes/"
    to.invalid("subgraphs-faulty", twin, draft(late, cyclic), "EP_TORCH_NAME",
               inside + "0/inputs/0/arg/as_tensor/name", "A fault in each: the first is told.",
               ["6.9.6", "6.9.12"])
    to.invalid("subgraphs-faulty-turned", twin, draft(cyclic, late), "EP_TORCH_CYCLE",
               inside + "1", "The other one first.", ["6.9.8", "6.9.12"])
    to.invalid("input-twice-cycle", to.name("plain", LATEST), program(
        ["x", "x"], [relu("x", "y"), relu("b", "a"), relu("a", "b")], "y"), "EP_TORCH_NAME",
        GRAPH + "inputs/1/as_tensor/name", "An input twice, and nodes that wait for each other.",
        ["6.9.7"])


def graphs(to):
    """A subgraph in which nothing has a name."""
    early = ("1-2023-08", "1", "5.1", "5.3", "7.2")
    for version in early + ("7.3", LATEST):
        draft = program("x", [call("higher_order.wrap", [("", subgraph("a", "", [], "")), (
            "", tensor("x"))], tensor("r"))], "r")
        wanted = torched(draft)
        held = wanted.data["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]
        held["name"] = "_g0"
        text = written(version, wanted)
        if version in early:
            root = json.loads(text)
            held = root["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]
            held["graph"] = [held["graph"], {}]
            text = json.dumps(root)
        to.valid("subgraphs-nothing", version, draft, text, ["6.9.12", "6.9.2"],
                 "A subgraph that defines nothing.")


def one_name(to):
    """A subgraph in which one value has a name."""
    for version in ("1", "5.1", "7.2"):
        draft = program("x", [call("higher_order.wrap", [("", subgraph("a", "i", [], "i")), (
            "", tensor("x"))], tensor("r"))], "r")
        wanted = torched(draft)
        wanted.data["graph"]["nodes"][0]["inputs"][0]["arg"] = subgraph("_g0", "_0", [], "_0")
        root = json.loads(written(version, wanted))
        held = root["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]
        held["graph"] = [held["graph"], {"i": "_0"}]
        to.valid("subgraphs-one", version, draft, json.dumps(root), ["6.9.12", "6.9.2"],
                 "A subgraph that gives what it takes.")


def dicts(to):
    """Dicts of the first version, out of their order."""
    takes = [buffer("c", "A"), buffer("d", "B"), buffer("e", "C"), parameter("p", "a"), "x"]
    nodes = [op("aten.%s.default" % name, output, self=one)
             for name, output, one in (("abs", "s", "c"), ("cos", "t", "d"), ("sin", "u", "e"))]
    gives = [spec("buffer_mutation", "u", buffer_name="C"),
             spec("buffer_mutation", "s", buffer_name="A"),
             spec("buffer_mutation", "t", buffer_name="B"), user_output(tensor("s"))]
    for version in ("1-2023-08", "1"):
        draft = program(takes, nodes, gives[:3] + [user_output(tensor("x"))])
        given = program([takes[i] for i in (3, 0, 1, 2, 4)], nodes,
                        [gives[i] for i in (1, 2, 0)] + [user_output(tensor("x"))])
        to.valid("mutations", version, draft, torched(given), ["6.9.14"],
                 "Mutated buffers, sorted by their names.")


ROLES = {"mutation": 2, "parameter": 5, "input": 6, "user": 4, "loss": 4}  # and its rank (6.9.5)
ALONE = "hgum"  # in the document: the outputs of one role, from the last rank to the first
TOGETHER = [*itertools.combinations(ROLES, 2), ("mutation", "parameter", "input"), tuple(ROLES)]


def signed(roles):
    """The signature of version 1 in which `d` has these roles, and other outputs one each."""
    backward = {"gradients_to_parameters": {"g": "w2"}, "gradients_to_user_inputs": {"h": "x"},
                "loss_output": "d" if "loss" in roles else "u"}
    said = {"inputs_to_parameters": {"p": "w1", "q": "w2"},
            "inputs_to_buffers": {"b": "A", "c": "B"}, "user_inputs": ["x"],
            "user_outputs": ["u"], "buffers_to_mutate": {"m": "A"}, "backward_signature": backward}
    if "mutation" in roles:
        said["buffers_to_mutate"]["d"] = "B"
    if "parameter" in roles:
        backward["gradients_to_parameters"]["d"] = "w1"
    if "input" in roles:
        backward["gradients_to_user_inputs"]["d"] = "x"
    if "user" in roles:
        said["user_outputs"].append("d")
    return said


def resigned(said, new):
    """With other names of values; dicts that are sorted by what they hold, but for one."""
    def renamed_dict(key, value):
        pairs = [(new[name], new.get(item, item)) for name, item in value.items()]
        return dict(pairs if key == "gradients_to_user_inputs" else sorted(
            pairs, key=lambda pair: pair[1]))

    def walked(key, value):
        if key == "backward_signature":
            return {each: walked(each, item) for each, item in value.items()}
        if isinstance(value, dict):
            return renamed_dict(key, value)
        return [new[name] for name in value] if isinstance(value, list) else new[value]
    return {key: walked(key, value) for key, value in said.items()}


def resign(version, draft, said):
    root = json.loads(written(version, draft))
    place = root["graph_module"]["signature"]
    assert set(said) <= set(place)
    place.update(said)
    return json.dumps(root)


def roles_of_outputs(to):
    """Outputs of the first version that have several roles: the first of them counts."""
    names = "dghmu"
    nodes = [op("aten.%s.default" % target, name, self="x")
             for target, name in zip(("abs", "acos", "asin", "atan", "ceil"), names)]
    takes = [parameter("p", "w1"), parameter("q", "w2"), buffer("b", "A"), buffer("c", "B"), "x"]
    new = {name: "_%d" % i for i, name in enumerate("pqbcx" + names)}
    ranks = {"m": (2, "A"), "u": (4, ""), "g": (5, "w2"), "h": (6, "")}
    texts = {"mutation": "B", "parameter": "w1"}
    for roles in TOGETHER:
        first = next(role for role in ("mutation", "parameter", "input", "user") if role in roles
                     or role == "user")
        order = ALONE + "d" if first != "input" else "d" + ALONE
        ranked = {**ranks, "d": (ROLES[first], texts.get(first, ""))}
        wanted = sorted(order, key=lambda name: ranked[name])
        for version in ("1-2023-08", "1"):
            said = signed(roles)
            drafts = [program(takes, nodes, " ".join(outputs)) for outputs in (order, wanted)]
            for draft in drafts:
                draft.data["root"]["out_spec"] = leaves(len(said["user_outputs"]))
            to.valid("roles-" + "-".join(roles), version, resign(version, drafts[0], said),
                     resign(version, torched(drafts[1]), resigned(said, new)),
                     ["6.9.14", "6.9.5"], "One output is %s." % " and ".join(roles))


def roles_of_inputs(to):
    """Inputs of the first version that are listed as the user's, too."""
    for kind in ("parameter", "buffer"):
        held = parameter("p", "w") if kind == "parameter" else buffer("p", "w")
        for version in ("1-2023-08", "1"):
            drafts = [program(takes, [add("x", "p", "y")], "y")
                      for takes in (["x", held], [held, "x"])]
            texts = [resign(version, draft, {"user_inputs": names}) for draft, names in (
                (drafts[0], ["x", "p"]), (torched(drafts[1]), ["_1", "_0"]))]
            to.valid("roles-%s-user-input" % kind, version, *texts, ["6.9.14", "6.9.5"],
                     "One input is a %s and the user's." % kind)


def names_of_dicts(to):
    """Names in the dicts of the first version that are no values' names, and values without."""
    for version in ("1-2023-08", "1"):
        plain_one = program("x", [relu("x", "y")], "y")
        for label, said in (("output", {"user_outputs": ["y", "nothing"]}),
                            ("parameter", {"inputs_to_parameters": {"nothing": "w"}})):
            other = dict(said, **{key: ["_1", "nothing"] for key in said if key == "user_outputs"})
            to.valid("unknown-" + label, version, resign(version, plain_one, said),
                     resign(version, torched(plain_one), other), ["6.9.14"],
                     "A name that no value has stays.")
        number = program("x", [relu("x", "y")], "y")
        number.data["graph"]["inputs"].append({"as_int": 3})
        said = {"inputs_to_parameters": {"": "w"}}
        to.valid("nameless-input", version, resign(version, number, said),
                 resign(version, torched(number), said), ["6.9.14", "6.9.5"],
                 "An input without a name is not the parameter whose name is the empty text.")
        listed = program("x", [relu("x", "y")], "y")
        wanted = copy.deepcopy(listed)
        listed.data["graph"]["inputs"].append(tensors("p", "q"))
        wanted.data["graph"]["inputs"].insert(0, tensors("p", "q"))
        for made in (listed, wanted):
            made.tensors(p=meta(2, 3), q=meta(2, 3))
        to.valid("list-input", version, resign(version, listed, {
            "inputs_to_parameters": {"p": "w"}}), resign(version, torched(wanted), {
                "inputs_to_parameters": {"_0": "w"}, "user_inputs": ["_2"],
                "user_outputs": ["_3"]}), ["6.9.14", "6.9.5"],
            "A list of values has the rank of the first.")
        nodes = [relu("x", "g"), relu("x", "u")]
        drafts = [program(["x"], nodes, order) for order in ("g u", "u g")]
        for made in drafts:
            made.data["root"]["out_spec"] = leaves(1)
        dicts = [{"user_outputs": [user], "backward_signature": {
            "gradients_to_parameters": {gradient: ""}, "gradients_to_user_inputs": {},
            "loss_output": user}} for user, gradient in (("u", "g"), ("_2", "_1"))]
        to.valid("gradient-empty", version, resign(version, drafts[0], dicts[0]),
                 resign(version, torched(drafts[1]), dicts[1]), ["6.9.14", "6.9.5"],
                 "The gradient of the parameter whose name is the empty text comes last.")


def vectors(suite):
    to = Torch(suite)
    for part in (nameless, unnamed, constants, cycles, boundaries, bools, graphs, one_name, dicts,
                 roles_of_outputs, roles_of_inputs, unnamed_mutation, two_faults, names_of_dicts):
        part(to)
