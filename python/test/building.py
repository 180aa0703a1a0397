"""A program taken apart with what the package reads programs by, and made again with
epref.Builder: the operation `build` of the conformance suite (conformance/PROTOCOL.md). All is
said as it was read but the usual header; what a builder does by itself is in test_builder.py."""

import ast
import json
import operator
import re

import epref

# The names that the latest version has for types.
RENAMED = {"UNSIGNED_SHORT": "UINT16", "FLOAT8_E4M3FN": "FLOAT8E4M3FN",
           "FLOAT8_E5M2": "FLOAT8E5M2"}
TABLES = ("tensor_values", "sym_int_values", "sym_bool_values", "sym_float_values",
          "custom_obj_values")
OPEN = 2**63 - 2  # how 2.2 and others wrote an open end of a range


class Unsaid(Exception):
    """What a builder has no words for."""


class Fault(Exception):
    """The package contradicts itself."""


def rebuild(program):
    """The program, built again."""
    program.check()
    return Rebuild(program).run()


def held(union):
    """Tag and value of a union that was read."""
    return next(iter(union.items()))


# -------------------------------------------------------------------- expressions

CALLS = {"Add": "+", "Mul": "*", "FloorDiv": "//", "Mod": "%", "IntTrueDiv": "/", "Max": "max",
         "Min": "min", "ToFloat": "to_float", "Equality": "eq", "Eq": "eq", "Unequality": "ne",
         "Ne": "ne", "StrictLessThan": "lt", "LessThan": "le", "StrictGreaterThan": "gt",
         "GreaterThan": "ge"}
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Lt: "lt",
         ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
             "%": operator.mod, "/": operator.truediv}
SYMBOL = re.compile(r"Symbol\('(\w+)'(, positive=True)?(, integer=True)?\)")


class NoOperation(Exception):
    """A text that is of none of the operations that a builder has; it is given as it stands."""


class Reader:
    """Takes an expression apart into the operations of a builder; either form (SPEC 4.1) is one
    of Python, too."""

    def __init__(self, made, text):
        self.made, self.text = made, text

    def whole(self):
        try:
            return self.read(ast.parse(self.text, mode="eval").body)
        except (SyntaxError, RecursionError, MemoryError) as error:  # deeper than Python reads
            raise NoOperation from error

    def read(self, node):
        if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
            return self.apply(SIGNS[type(node.op)], self.read(node.left), self.read(node.right))
        if isinstance(node, ast.Compare) and type(node.ops[0]) in SIGNS:
            return self.apply(SIGNS[type(node.ops[0])], self.read(node.left),
                              self.read(node.comparators[0]))
        if isinstance(node, ast.Name):
            return self.made.builder.float_symbol(node.id) if node.id[0] == "z" else \
                self.made.symbol(node.id, node.id[0] == "s")
        if isinstance(node, ast.Call):
            return self.call(node)
        try:
            number = ast.literal_eval(node)
        except ValueError:
            number = None
        if type(number) is not int:
            raise NoOperation
        return number

    def call(self, node):
        name = node.func.id
        if name == "Symbol":
            name, positive, integer = SYMBOL.fullmatch(
                ast.get_source_segment(self.text, node)).groups()
            return self.made.symbol(name, positive is not None) if integer else \
                self.made.builder.float_symbol(name)
        if name == "Integer":
            return self.read(node.args[0])
        if name not in CALLS:
            raise NoOperation
        made = self.read(node.args[0])
        if name == "ToFloat":
            return self.apply("to_float", made)
        for argument in node.args[1:]:  # from the left
            made = self.join(CALLS[name], made, argument)
        return made

    def join(self, operation, made, argument):
        """What is added below zero is taken away."""
        text = ast.get_source_segment(self.text, argument)
        if operation == "+" and text.startswith("Integer(-"):
            return self.apply("-", made, -self.read(argument.args[0]))
        if operation == "+" and text.startswith("Mul(Integer(-1), "):
            other = self.read(argument.args[1])
            for factor in argument.args[2:]:
                other = self.apply("*", other, self.read(factor))
            return self.apply("-", made, other)
        return self.apply(operation, made, self.read(argument))

    def apply(self, operation, a, *b):
        a = a if isinstance(a, epref.Expression) else self.made.builder.number(a)
        return OPERATORS[operation](a, *b) if operation in OPERATORS else getattr(a, operation)(*b)


# ------------------------------------------------------------------------- values

class Rebuild:
    """A program that is made again."""

    def __init__(self, program):
        self.program = program
        self.root = program.value.plain()
        self.module = self.root["graph_module"]
        self.builder = epref.Builder(program.schema_version)
        major, minor = version_of(program.schema_version)
        self.is_srepr = (major, minor) >= (8, 2)
        self.is_any_list = (major, minor) < (5, 3)  # releases wrote a list of nothing as bools
        self.values = {}
        self.hints = {}

    def run(self):
        self.note_hints(self.module)
        self.graph(self.module["graph"], self.builder.graph, True)
        self.signature()
        self.calls()
        self.header()
        built = self.builder.build()
        if built.schema_version != self.program.schema_version:
            raise Fault("the built program is of another version")
        return self.builder.text

    def has(self, type_name, member):
        return self.builder.has(type_name, member)

    def note_hints(self, value):
        """What symbols are in the example that was exported."""
        waiting = [value]
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting += reversed(value)
            elif isinstance(value, dict) and isinstance(value.get("expr_str"), str):
                self.note_hint(value)
            elif isinstance(value, dict):
                waiting += reversed(value.values())

    def note_hint(self, expr):
        hint = expr.get("hint")
        hint = hint.get("as_int") if isinstance(hint, dict) else hint
        text = expr["expr_str"]
        found = SYMBOL.fullmatch(text) or re.fullmatch(r"([A-Za-z_]\w*)", text)
        if found and type(hint) is int:
            self.hints.setdefault(found[1], hint)

    def symbol(self, name, hinted):
        return self.builder.symbol(name, self.hints.get(name) if hinted else None)

    def expression(self, expr, kind="int"):
        text = expr if isinstance(expr, str) else expr["expr_str"]
        try:
            return Reader(self, text).whole()
        except NoOperation:
            return self.builder.expression(text, kind)

    def dim(self, size):
        if not isinstance(size, dict):
            return size
        tag, value = held(size)
        return self.expression(value) if tag == "as_expr" else value

    def tensor(self, graph, name, meta):
        meta = meta["meta"] if "meta" in meta else meta  # version 1
        device = meta["device"]
        index = device.get("index")
        return graph.tensor(
            name, RENAMED.get(meta["dtype"], meta["dtype"]), tuple(map(self.dim, meta["sizes"])),
            tuple(map(self.dim, meta["strides"])), storage_offset=self.dim(meta["storage_offset"]),
            device=device["type"] if index is None else f"{device['type']}:{index}",
            layout=meta["layout"], requires_grad=meta["requires_grad"])

    def value(self, graph, table, name, said):
        if table == "tensor_values":
            return self.tensor(graph, name, said)
        if table == "custom_obj_values":
            return graph.custom_obj(name, said["class_fqn"])
        kind = {"sym_int_values": "int", "sym_float_values": "float"}.get(table, "bool")
        tag, value = held(said)
        if tag != "as_expr":
            if kind != "int":
                raise Unsaid("a symbolic float or bool that is a number")
            return graph.symbolic(name, value)
        return graph.symbolic(name, self.expression(value, kind))

    def graph(self, said, graph, is_root=False):
        self.values[graph] = values = {}
        for table in TABLES:
            for name, value in (said.get(table) or {}).items():
                values[name] = self.value(graph, table, name, value)
        if not is_root:
            for argument in said["inputs"]:
                graph.input(self.arg(graph, argument))
        for node in said["nodes"]:
            self.node(graph, node)
        if not is_root:
            for argument in said["outputs"]:
                graph.output(self.arg(graph, argument))

    # ---- arguments

    def arg(self, graph, argument):
        tag, said = held(argument)
        make = getattr(self, tag, None)
        if make is not None:
            return make(graph, said)
        if tag == "as_bools" and not said and self.is_any_list:
            return self.builder.arg((), "as_ints")
        return self.builder.arg(said, tag)

    def named(self, graph, said):
        """The value that a struct, union or text names; None: there is none."""
        while isinstance(said, dict):
            if "name" in said:
                said = said["name"]
            else:
                tag, said = held(said)
                if tag == "as_none":
                    return None
        return self.values[graph][said]

    def as_none(self, graph, said):
        return self.builder.arg(None)

    def as_tensor(self, graph, said):
        return self.builder.arg(self.named(graph, said))

    as_custom_obj = as_tensor

    def symbolic(self, graph, said):
        """A value, or a number."""
        tag, value = held(said)
        return self.builder.arg(self.values[graph][value] if tag == "as_name" else value)

    as_sym_int = as_sym_float = as_sym_bool = symbolic

    def as_tensors(self, graph, said):
        return self.builder.arg([self.named(graph, each) for each in said], "as_tensors")

    def as_optional_tensor(self, graph, said):
        return self.builder.arg(self.named(graph, said), "as_optional_tensor")

    def as_optional_tensors(self, graph, said):
        return self.builder.arg([self.named(graph, each) for each in said], "as_optional_tensors")

    def symbolics(self, graph, said):
        return self.builder.arg([self.symbolic(graph, each) for each in said], "as_sym_ints")

    as_sym_ints = as_sym_floats = as_sym_bools = symbolics

    def as_int_lists(self, graph, said):
        return self.builder.arg([self.builder.arg(each, "as_ints") for each in said],
                                "as_int_lists")

    def as_float_lists(self, graph, said):
        return self.builder.arg([self.builder.arg(each, "as_floats") for each in said],
                                "as_float_lists")

    def as_nested_tensors(self, graph, said):
        return self.builder.arg([self.as_tensors(graph, each) for each in said],
                                "as_nested_tensors")

    def as_string_to_argument(self, graph, said):
        return self.builder.arg({key: self.arg(graph, each) for key, each in said.items()})

    def as_complex(self, graph, said):
        return self.builder.arg(complex(said["real"], said["imag"]))

    def as_device(self, graph, said):
        index = said.get("index")
        return self.builder.arg(said["type"] if index is None else f"{said['type']}:{index}",
                                "as_device")

    def as_graph(self, graph, said):
        inner = self.builder.subgraph(said["name"])
        self.graph(said["graph"], inner)
        return self.builder.arg(inner)

    # ---- nodes

    def node(self, graph, said):
        target = said["target"]
        returns = self.returns_of(said)
        outputs = said["outputs"]
        if returns == "tuple" and outputs and "as_tensors" in outputs[0]:
            made = [self.named(graph, each) for each in outputs[0]["as_tensors"]]
        else:
            made = [self.arg(graph, each) for each in outputs]
        inputs = [(each["name"], self.arg(graph, each["arg"]), each.get("kind") == "KEYWORD")
                  for each in said["inputs"]]
        graph.node(target, inputs, made, name=said.get("name"), returns=returns,
                   metadata=said["metadata"])

    def returns_of(self, node):
        single = node.get("is_hop_single_tensor_return")
        if single is not None:
            return "tensor" if single else "tuple"
        if self.has("Node", "is_hop_single_tensor_return") or \
                not node["target"].startswith("torch.ops.higher_order."):
            return "declared"
        if [held(each)[0] for each in node["outputs"]] != ["as_tensor"]:
            return "tuple"
        graphs = [each["arg"]["as_graph"]["graph"] for each in node["inputs"]
                  if "as_graph" in each["arg"]]
        return "tensor" if any(each.get("is_single_tensor_return") for each in graphs) \
            else "declared"

    # ---- the signature, by its entries and by its parts

    def signature(self):
        signature = self.program.signature
        specs = (self.module["signature"].get("input_specs") or
                 [None] * len(signature.inputs))
        for entry, spec in zip(signature.inputs, specs):
            name = spec["constant_input"]["name"] if entry.kind == "constant" else entry.target
            self.builder.input(self.entry_arg(entry), entry.kind, name or None)
        for entry in signature.outputs:
            self.builder.output(self.entry_arg(entry), entry.kind, entry.target or None)
        self.check_parts(signature)

    def entry_arg(self, entry):
        graph = self.builder.graph
        return self.values[graph][entry.name] if entry.name else self.arg(graph, entry.constant)

    def check_parts(self, signature):
        inputs, outputs = signature.inputs, signature.outputs
        for kinds, part in ((("parameter",), signature.parameters),
                            (("buffer", "buffer_not_persistent"), signature.buffers)):
            if part != {each.target: each.name for each in inputs if each.kind in kinds}:
                raise Fault("the parts of the signature are not its entries")
        if [each for each in outputs if each.kind == "user"] != list(signature.user_outputs):
            raise Fault("the outputs of the user are not the signature's")

    # ---- calls

    def calls(self):
        spec = self.module.get("call_spec")
        entries = self.module["module_call_graph"]
        if spec:  # then no entry is the program's
            self.call(spec)
        for number, entry in enumerate(entries):
            call = entry.get("signature")
            if number == 0 and not spec:
                self.call(call)
            elif call:
                self.builder.module(entry["fqn"], *self.trees(call), **self.rest(call))
            else:
                self.builder.module(entry["fqn"])

    def call(self, call):
        self.builder.call(*self.trees(call), **self.rest(call))

    def rest(self, call):
        """What a call says beside the trees of its arguments and outputs."""
        inputs, outputs = ([self.arg(self.builder.graph, each) for each in call.get(list_) or ()]
                           for list_ in ("inputs", "outputs"))
        return {"kwargs": self.kwargs(call), "names": call.get("forward_arg_names"),
                "inputs": inputs, "outputs": outputs}

    def in_spec(self, call):
        """The trees of the arguments, and of the keyword arguments or None."""
        whole = json.loads(call["in_spec"])[1]
        parts = whole["children_spec"]
        pair = [each["type"] for each in parts] == ["builtins.tuple", "builtins.dict"]
        return (parts[0], parts[1]) if pair else (whole, None)

    def trees(self, call):
        return tree_of(self.in_spec(call)[0]), tree_of(json.loads(call["out_spec"])[1])

    def kwargs(self, call):
        kwargs = self.in_spec(call)[1]
        return tree_of(kwargs) if kwargs and kwargs["children_spec"] else None

    # ---- the header

    def header(self):
        builder, root = self.builder, self.root
        if root["opset_version"] != {"aten": 10}:
            usual = len(root["opset_version"]) == 1 and 10 in root["opset_version"].values()
            for name, version in root["opset_version"].items():
                if not usual or name != "aten":
                    builder.opset(name, version)
        for name, said in root["range_constraints"].items():
            symbol = builder.float_symbol(name) if name[0] == "z" else self.symbol(name, False)
            builder.range(symbol, end_of(said["min_val"]), end_of(said["max_val"]))
        for pair in root.get("equality_constraints") or ():
            (a, a_dim), (b, b_dim) = pair
            values = self.values[builder.graph]
            builder.equal_dims(values[a], a_dim, values[b], b_dim)
        usual = "TRAINING" if self.is_srepr else "ATEN"
        verifiers = self.program.verifiers
        if verifiers != [usual]:
            for name in verifiers:
                builder.verifier(name)
        release = root.get("torch_version")
        if release is not None and release != self.usual_release():
            builder.torch_version(release)
        for guard in self.program.guards:
            builder.guard(guard)

    def usual_release(self):
        releases = epref.find_version(self.program.schema_version).releases
        return releases[0] if releases else None


def version_of(name):
    """Major and minor of a schema version."""
    found = re.match(r"(\d+)(?:\.(\d+))?", name)
    return int(found[1]), int(found[2] or 0)


def end_of(end):
    return end if type(end) is int and end != OPEN else None


# ---------------------------------------------------------------------- tree specs

def tree_of(node):
    """What a builder takes a tree spec as."""
    if node["type"] is None:
        return epref.LEAF
    children = [tree_of(each) for each in node["children_spec"]]
    if node["type"] == "builtins.dict" and node["context"] is not None:
        keys = json.loads(node["context"])
        if len(keys) == len(children) and all(isinstance(key, str) for key in keys):
            return dict(zip(keys, children))
    if node["type"] == "builtins.tuple":
        return tuple(children)
    if node["type"] == "builtins.list":
        return children
    return epref.TreeNode(node["type"], node["context"], tuple(children))
