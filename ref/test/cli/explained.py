"""Whole programs around the snippets of epref explain. A snippet is some members
of an object, or a value, or a text; MEMBERS, VALUES and TEXTS say of each place
that explain names what else there is. The rest is derived: values that are listed
nowhere get a type, the graph's inputs and outputs specs, the program a tree of
each, so that the snippet alone decides.
"""

import json

LEAF = {"type": None, "context": None, "children_spec": []}
TABLES = ("tensor_values", "sym_int_values", "sym_float_values", "sym_bool_values",
          "custom_obj_values")
S0 = "Symbol('s0', integer=True)"


# ---------------------------------------------------------------------- parts

def tensor(name):
    return {"as_tensor": {"name": name}}


def meta(**changes):
    return {"dtype": 7, "sizes": [{"as_int": 3}], "requires_grad": False,
            "device": {"type": "cpu", "index": None}, "strides": [{"as_int": 1}],
            "storage_offset": {"as_int": 0}, "layout": 7, **changes}


def arguments(*named):
    return [{"name": name, "arg": arg, "kind": 1} for name, arg in named]


def node(**changes):
    """%y = aten.relu(%x), with changes."""
    return {"target": "torch.ops.aten.relu.default", "inputs": arguments(("self", tensor("x"))),
            "outputs": [tensor("y")], "metadata": {}, "is_hop_single_tensor_return": None,
            "name": None, **changes}


def names_in(items):
    return [item["as_tensor"]["name"] for item in items if "as_tensor" in item]


def graph(inputs=(), outputs=(), nodes=(), **tables):
    """A graph; the tensors that it defines are listed, unless a table is given."""
    made = [out for item in nodes for out in item["outputs"]]
    listed = {name: meta() for name in names_in([*inputs, *made])}
    return {"inputs": list(inputs), "outputs": list(outputs), "nodes": list(nodes),
            **{table: {} for table in TABLES}, "tensor_values": listed,
            "is_single_tensor_return": False, **tables}


def calling(item, more=()):
    """A graph of one node, which takes what the node uses and returns nothing."""
    used = dict.fromkeys([*names_in([named["arg"] for named in item["inputs"]]), *more])
    free = [name for name in used if name not in names_in(item["outputs"])]
    return graph([tensor(name) for name in free], (), [item])


def tree(children):
    return {"type": "builtins.tuple", "context": "null", "children_spec": children}


def dumped(spec):
    return json.dumps([1, spec])


def leaves(count):
    return dumped(tree([LEAF] * count))


def entry(inputs=(), outputs=(), fqn="", **changes):
    """A module whose arguments and results are a tuple; the root lists neither."""
    return {"fqn": fqn, "signature": {
        "inputs": list(inputs) if fqn else [], "outputs": list(outputs) if fqn else [],
        "in_spec": leaves(len(inputs)), "out_spec": leaves(len(outputs)),
        "forward_arg_names": None, **changes}}


def spec_of(kind, argument):
    if kind == "user_input" and "as_int" in argument:
        return {"constant_input": {"name": "", "value": argument}}
    return {kind: {"arg": argument}}


def whole(body, inputs=None, outputs=None, modules=(), **top):
    """The program of a graph; without specs, all is the user's."""
    inputs = [spec_of("user_input", arg) for arg in body["inputs"]] if inputs is None else inputs
    outputs = [spec_of("user_output", a) for a in body["outputs"]] if outputs is None else outputs
    taken = [s for s in inputs if "user_input" in s or "constant_input" in s]
    given = [s for s in outputs if "user_output" in s or "loss_output" in s]
    module = {"graph": body, "signature": {"input_specs": inputs, "output_specs": outputs},
              "module_call_graph": [entry(taken, given), *modules], "metadata": {},
              "treespec_namedtuple_fields": {}}
    return {"graph_module": module, "opset_version": {"aten": 10}, "range_constraints": {},
            "schema_version": {"major": 8, "minor": 20}, "verifiers": ["TRAINING"],
            "torch_version": "2.13.0+cpu", "guards_code": [], **top}


# ------------------------------------------------------------- around a snippet

def in_graph(**members):
    return whole(graph(**members))


def identity(**changes):
    """The program that returns its x."""
    return whole(graph([tensor("x")], [tensor("x")]), **changes)


def with_meta(**members):
    return whole(graph([tensor("x")], tensor_values={"x": meta(**members)}))


def with_size(expression, low=0, high=None, **changes):
    """x has a symbolic size."""
    ranges = {"s0": {"min_val": low, "max_val": high}}
    return {**with_meta(sizes=[{"as_expr": expression}]), "range_constraints": ranges, **changes}


def with_root(count, **signature):
    """A program of so many inputs and outputs, and members of its root's signature."""
    made = identity() if count == 1 else whole(graph([tensor("x")], [tensor("x")] * count))
    made["graph_module"]["module_call_graph"][0]["signature"].update(signature)
    return made


def with_out_spec(text, **tuples):
    made = with_root(text.count('"type": null'), out_spec=text)
    made["graph_module"]["treespec_namedtuple_fields"] = tuples
    return made


def with_root_entry(**members):
    made = whole(graph())
    made["graph_module"]["module_call_graph"][0].update(members)
    return made


def with_module(inputs, forward_arg_names=None):
    """A module net that is called with these arguments."""
    keywords = {"type": "builtins.dict", "context": "[]", "children_spec": []}
    in_spec = dumped(tree([tree([LEAF] * len(inputs)), keywords]))
    return identity(modules=[entry(inputs, fqn="net", in_spec=in_spec,
                                   forward_arg_names=forward_arg_names)])


def with_specs(input_specs=(), output_specs=()):
    """A graph that has what the specs speak of; what goes out is made by nodes."""
    argument = [next(iter(s.values()))["arg"] for s in [*input_specs, *output_specs]]
    values = [a if "as_tensor" in a else tensor(a["name"]) for a in argument]
    inputs, outputs = values[:len(input_specs)], values[len(input_specs):]
    free = [name for name in dict.fromkeys(names_in(outputs)) if name not in names_in(inputs)]
    nodes = [node(inputs=arguments(("self", tensor("x"))), outputs=[tensor(name)])
             for name in free]
    return whole(graph(inputs, outputs, nodes), list(input_specs), list(output_specs))


def parameter(arg, name):
    return {"parameter": {"arg": {"name": arg}, "parameter_name": name}}


def with_output_specs(*specs):
    buffers = [{"buffer": {"arg": {"name": f"b_{name}"}, "buffer_name": name, "persistent": True}}
               for name in ("count", "total")]
    user = {"user_input": {"arg": tensor("x")}}
    return with_specs([parameter("w", "weight"), *buffers, user], specs)


def mutation(name):
    return {"buffer_mutation": {"arg": {"name": "z"}, "buffer_name": name}}


def gradient():
    return {"gradient_to_parameter": {"arg": {"name": "z"}, "parameter_name": "weight"}}


def loss():
    return {"loss_output": {"arg": {"name": "z"}}}


def subgraph(name, body):
    return "", {"as_graph": {"name": name, "graph": body}}


def cond(*branches, outputs=(), operands=()):
    """Names and graphs, for torch.ops.higher_order.cond."""
    passed = ("", {"as_tensors": [{"name": name} for name in operands]})
    made = node(target="torch.ops.higher_order.cond", outputs=list(outputs),
                inputs=arguments(("", tensor("c")), *(subgraph(*b) for b in branches), passed))
    return whole(calling(made, operands))


def branches(**members):
    """A branch with these members, and one that takes x and returns nothing."""
    return [("true_graph_0", graph(**members)), ("false_graph_0", graph([tensor("x")]))]


def with_one_subgraph(**members):
    passed = arguments(subgraph("g", graph()), ("", {"as_tensors": []}))
    return whole(calling(node(inputs=passed, outputs=[], **members)))


def with_hints(**members):
    body = graph([tensor("a")], [tensor("a")])
    made = node(target="torch.ops.higher_order.hints_wrapper", name="y", **members,
                inputs=arguments(subgraph("g", body), ("", {"as_tensors": [{"name": "x"}]})))
    return whole(calling(made, ["x"]))


def after_relu(**members):
    first = node(outputs=[tensor("a")], name="relu")
    return whole(graph([tensor("x")], (), [first, node(**members)]))


# ------------------------------------------------------------------ the places

TEXTS = {  # the snippet is a text
    "an expr_str": lambda text: with_size({"expr_str": text}),
    "the expr_str of a SymInt": lambda text: with_size({"expr_str": text}),
    "an out_spec, without JSON's escapes": with_out_spec,
    "an out_spec, without JSON's escapes, where models.Empty is described":
        lambda text: with_out_spec(text, **{"models.Empty": {"field_names": []}}),
    "an item of guards_code": lambda text: identity(guards_code=[text]),
    "the in_spec of a program with one input, without JSON's escapes":
        lambda text: with_root(1, in_spec=text),
    "the out_spec of a program with one output, without JSON's escapes":
        lambda text: with_root(1, out_spec=text),
}
VALUES = {  # the snippet is a value
    "an Argument": lambda value: whole(calling(node(
        target="torch.ops.aten.clone.default",
        inputs=[*arguments(("self", tensor("x"))),
                {"name": "memory_format", "arg": value, "kind": 2}]))),
}
MEMBERS = {  # the snippet is members of an object
    "a Graph": in_graph,
    "a Node": lambda **m: whole(calling(node(**m))),
    "a Node that makes y": lambda **m: whole(calling(node(**m))),
    "a Node that makes y, which is returned":
        lambda **m: whole(graph([tensor("x")], [tensor("y")], [node(**m)])),
    "a Node of torch.ops.aten.relu.default": lambda **m: whole(calling(node(**m))),
    "a Node of torch.ops.aten.sub.Tensor":
        lambda **m: whole(calling(node(target="torch.ops.aten.sub.Tensor",
                                       outputs=[tensor("z")], **m))),
    "a Node behind one that is named relu": after_relu,
    "a Node that is given one subgraph": with_one_subgraph,
    "a Node's metadata": lambda **m: whole(calling(node(metadata=m))),
    "an as_graph": lambda **m: cond((m["name"], graph()), ("g", graph())),
    "an as_graph behind another one that is named true_graph_0":
        lambda **m: cond(("true_graph_0", graph(nodes=[node(
            target="torch.ops.aten.empty.memory_format",
            inputs=arguments(("size", {"as_ints": [2]})), outputs=[{"as_none": True}])])),
            (m["name"], graph())),
    "a Node of torch.ops.higher_order.hints_wrapper that is named y": with_hints,
    "a Graph that is no subgraph": lambda **m: whole({**calling(node()), **m}),
    "a Graph that cond passes one tensor":
        lambda **m: cond(*branches(**m), operands=["x"]),
    "a Graph of a cond with one output": lambda **m: cond(
        *[(name, graph([tensor("x")], **m)) for name in ("true_graph_0", "false_graph_0")],
        outputs=[tensor("y")], operands=["x"]),
    "a TensorMeta": with_meta,
    "a TensorMeta of dtype 5, LONG": with_meta,
    "a Device": lambda **m: with_meta(device=m),
    "the SymExpr of a SymInt": lambda **m: with_size(m),
    "the SymExpr of a symbol that is from 2 to 8": lambda **m: with_size(m, 2, 8),
    "a RangeConstraint": lambda **m: with_size({"expr_str": S0}, m["min_val"], m["max_val"]),
    "an ExportedProgram": lambda **m: identity(**m),
    "an ExportedProgram with a size 2*s0":
        lambda **m: with_size({"expr_str": f"Mul(Integer(2), {S0})"}, **m),
    "an ExportedProgram with a node of torch.ops.aten.add_.Tensor":
        lambda **m: whole(calling(node(target="torch.ops.aten.add_.Tensor", inputs=arguments(
            ("self", tensor("x")), ("other", {"as_int": 1})))), **m),
    "a GraphSignature": with_specs,
    "a GraphSignature of a graph with the value x":
        lambda **m: whole(graph([{"as_int": 3}], (), [node(
            target="torch.ops.aten.empty.memory_format",
            inputs=arguments(("size", {"as_ints": [2]})), outputs=[tensor("x")])]), **{
                "inputs": m["input_specs"]}),
    "a GraphSignature with one token among its inputs":
        lambda **m: with_specs([{"token": {"arg": {"name": "token"}}}], **m),
    "the GraphSignature of a graph that takes x and returns it":
        lambda **m: identity(inputs=m.get("input_specs"), outputs=m.get("output_specs")),
    "an InputSpec": lambda **m: with_specs([m]),
    "an InputSpec behind that of a parameter weight":
        lambda **m: with_specs([parameter("w", "weight"), m]),
    "an OutputSpec, where there is a buffer count": lambda **m: with_output_specs(m),
    "an OutputSpec behind a buffer_mutation of count":
        lambda **m: with_output_specs(mutation("count"), m),
    "an OutputSpec behind the loss, where there is a parameter weight":
        lambda **m: with_output_specs(loss(), m),
    "an OutputSpec before a gradient": lambda **m: with_output_specs(m, gradient()),
    "the first ModuleCallEntry": with_root_entry,
    "the root ModuleCallEntry of a program without inputs and outputs": with_root_entry,
    "a ModuleCallEntry behind that of layers.0":
        lambda **m: identity(modules=[{"fqn": "layers.0", "signature": None},
                                      {"signature": None, **m}]),
    "the signature of a module in a program with a tensor x": with_module,
    "the signature of a module that is called with one argument":
        lambda **m: with_module([tensor("x")], **m),
}


def around(where, snippet):
    """The text of a program that is all in order but for the snippet."""
    if where in TEXTS:
        return json.dumps(TEXTS[where](snippet))
    if where in VALUES:
        return json.dumps(VALUES[where](json.loads(snippet)))
    return json.dumps(MEMBERS[where](**json.loads("{" + snippet + "}")))
