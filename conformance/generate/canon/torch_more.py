"""The torch form (SPEC 6.9), further: names that are empty, constants of the first version and of
the call, cycles behind other nodes, and the versions around those that the clauses name.
"""

import json

from generate.canon.forms import LATEST, op, program, renamed, subgraph
from generate.canon.torch import Torch, add, plain, relu, torched, without_objects
from generate.migrate.migrations import written
from generate.whole import (GRAPH, NODES, SIGNATURE, buffer, call, custom_obj, parameter, spec,
                            tensor, user_input, user_output)

BEFORE = "8.6"  # the version before objects have names and constants are given
OBJECT = custom_obj("o")["as_custom_obj"]


def nameless(to):
    """The empty name is a name that is given anew, and no value that is used."""
    for version in ("5.1", "7.3", LATEST):
        draft = program("x", [op("aten.relu.default", tensor(""), self="x"), relu("x", "y")], "y")
        new = {"x": "_0", "": "_1", "y": "_2"}
        to.valid("nameless", version, draft, renamed(draft, new, str), ["6.9.4", "6.9.9"],
                 "A value whose name is the empty text.")


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


def vectors(suite):
    to = Torch(suite)
    for part in (nameless, constants, cycles, boundaries, bools, graphs, dicts):
        part(to)
