"""Pairs of programs for epref diff: ten of one model in two releases of PyTorch, and others that
differ in one edit.
"""

import json
import re

RELEASES = [
    ("custom_op_symfloat", "2.6.0", "2.9.1"),
    ("dynamic_batch", "2.2.2", "2.13.0"),
    ("linear", "2.4.1", "2.5.1"),
    ("unbacked_arith", "2.9.1", "2.13.0"),
    ("conv_bn_eval", "2.9.1", "2.13.0"),
    ("tolist_split", "2.6.0", "2.9.1"),
    ("set_grad", "2.4.1", "2.5.1"),
    ("transformer_layer", "2.9.1", "2.13.0"),
    ("slices", "2.13.0", "2.15.0"),
    ("weights_zoo", "2.2.2", "2.13.0"),
]

EDITS = []


def edit(model):
    """A function that changes a golden program of 2.13.0, or returns another."""
    def add(function):
        EDITS.append((function.__name__, model, function))
        return function
    return add


def graph_of(program):
    return program["graph_module"]["graph"]


def argument(node, name):
    return next(each["arg"] for each in node["inputs"] if each["name"] == name)


def renamed(value, names):
    """A value in which names of values are others."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def number_of(name):
    """"add_1" is "add" and 1; "add" is "add" and 0."""
    found = re.fullmatch(r"(\w+?)(?:_(\d+))?", name)
    return found[1], int(found[2] or 0)


def moved_on(name):
    base, number = number_of(name)
    return f"{base}_{number + 1}"


# ----------------------------------------------------------------------------------- edits

@edit("dynamic_batch")
def operator(program):
    graph_of(program)["nodes"][1]["target"] = "torch.ops.aten.tanh.default"


@edit("mlp")
def number(program):
    argument(graph_of(program)["nodes"][2], "eps")["as_float"] = 1e-06


@edit("chain60")
def node_inserted(program):
    """A first node; the names of all nodes behind it move on by one."""
    graph = graph_of(program)
    nodes = graph["nodes"]
    names = [node["outputs"][0]["as_tensor"]["name"] for node in nodes]
    first = json.loads(json.dumps(nodes[0]))
    argument(first, "other")["as_int"] = 9
    changed = renamed(program, {name: moved_on(name) for name in names})
    graph = graph_of(changed)
    graph["nodes"].insert(0, first)
    graph["tensor_values"]["add"] = json.loads(json.dumps(graph["tensor_values"]["add_1"]))
    argument(graph["nodes"][1], "self")["as_tensor"]["name"] = "add"
    return changed


@edit("mlp")
def node_deleted(program):
    graph = graph_of(program)
    del graph["nodes"][2]
    del graph["tensor_values"]["layer_norm"]
    argument(graph["nodes"][2], "input")["as_tensor"]["name"] = "relu"


@edit("mlp")
def size_of_input(program):
    """The size of the batch, on which the types of all nodes depend."""
    values = graph_of(program)["tensor_values"]
    for name, value in values.items():
        if not name.startswith("p_"):
            value["sizes"][0]["as_int"] = 6


@edit("mlp")
def strides(program):
    for stride, value in zip(graph_of(program)["tensor_values"]["relu"]["strides"], (1, 2)):
        stride["as_int"] = value


@edit("cond_nested")
def operands_in_subgraph(program):
    """x - y becomes y - x, in a subgraph of a subgraph."""
    outer = graph_of(program)["nodes"][2]["inputs"][1]["arg"]["as_graph"]["graph"]
    inner = outer["nodes"][2]["inputs"][2]["arg"]["as_graph"]["graph"]
    node = inner["nodes"][0]
    node["inputs"][0]["arg"], node["inputs"][1]["arg"] = (node["inputs"][1]["arg"],
                                                          node["inputs"][0]["arg"])


@edit("chain60")
def all_renamed(program):
    """Every value has another name, and one number is another."""
    names = {name: f"value_{i}" for i, name in enumerate(graph_of(program)["tensor_values"])
             if name != "x"}
    changed = renamed(program, names)
    argument(graph_of(changed)["nodes"][34], "other")["as_int"] = 71
    return changed


@edit("dynamic_batch")
def range_and_guard(program):
    (constraint,) = program["range_constraints"].values()
    constraint["min_val"], constraint["max_val"] = 2, 64
    program["guards_code"] = []


@edit("kwargs")
def tree_of_inputs(program):
    """A keyword has another name, which only the caller's view says."""
    signature = program["graph_module"]["module_call_graph"][0]["signature"]
    signature["in_spec"] = signature["in_spec"].replace("bias", "shift")
    signature["forward_arg_names"][2] = "shift"


@edit("kwargs")
def inputs_exchanged(program):
    """Two inputs exchange their places, and who uses them keeps the names."""
    graph, exchange = graph_of(program), {"x": "bias", "bias": "x"}
    graph["inputs"] = renamed(graph["inputs"], exchange)
    program["graph_module"]["signature"] = renamed(program["graph_module"]["signature"], exchange)


@edit("custom_op_symint")
def values_exchanged(program):
    """Two values exchange their names, and who uses them keeps these: the line looks the same."""
    for node in graph_of(program)["nodes"]:
        node["outputs"] = renamed(node["outputs"], {"scale": "scale_1", "scale_1": "scale"})


def pairs(golden):
    """The name of each pair, and its two programs: texts."""
    for model, one, other in RELEASES:
        yield (f"{model}-{one}-{other}",
               *((golden / release / model / "program.json").read_text("utf-8")
                 for release in (one, other)))
    for name, model, function in EDITS:
        text = (golden / "2.13.0" / model / "program.json").read_text("utf-8")
        program = json.loads(text)
        changed = function(program) or program
        yield f"edit-{name}", text, json.dumps(changed)
