"""Programs of one shape each, of any size, to see how work grows with them.

Some are what models are made of, the others are meant to hurt: each is large in
one thing that a canonical form has to sort, to tell apart or to walk through.
A program is written piece by piece, as PyTorch writes schema version 8.20, and
is the same for the same shape, size and seed.
"""

import itertools
import random

SEED = 1
DEEPEST = 1000  # nested arrays and objects that every reader takes (SPEC 1.4.2)
TERM_DEPTH = 900  # of nested terms in one expression
GRAPH_DEPTH = 7  # arrays and objects from a graph to one in an argument of its nodes
LIST = 1000  # tensors in one argument

# ---- texts --------------------------------------------------------------------


def meta(*sizes):
    """A tensor's entry in the table; a size is a number or an expression."""
    dims = ", ".join('{"as_int": %d}' % size if isinstance(size, int) else expression(size)
                     for size in sizes)
    strides = ", ".join(['{"as_int": 1}'] * len(sizes))
    return ('{"dtype": 7, "sizes": [%s], "requires_grad": false, "device": {"type": "cpu", '
            '"index": null}, "strides": [%s], "storage_offset": {"as_int": 0}, "layout": 7}'
            % (dims, strides))


def expression(text):
    return '{"as_expr": {"expr_str": "%s", "hint": {"as_int": 6}}}' % text


def symbol(number):
    return "Symbol('s%d', positive=True, integer=True)" % number


def tensor(name):
    return '{"as_tensor": {"name": "%s"}}' % name


def tensors(names):
    return '{"as_tensors": [%s]}' % ", ".join('{"name": "%s"}' % name for name in names)


def number(value):
    return '{"as_int": %d}' % value


PLAIN, TRUTH = meta(2), meta().replace('"dtype": 7', '"dtype": 12')
LEAF = r'{\"type\": null, \"context\": null, \"children_spec\": []}'


def spec_tuple(children):
    return (r'{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [%s]}'
            % ", ".join(children))


def in_spec(count):
    keywords = r'{\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []}'
    return "[1, %s]" % spec_tuple([spec_tuple([LEAF] * count), keywords])


# ---- graphs -------------------------------------------------------------------


class Graph:
    """A graph, or the whole program's; its nodes are made while they are written.

    inputs: [(name, meta)], outputs: [name], in the order of the file.
    """

    def __init__(self, inputs, outputs, nodes):
        self.inputs, self.outputs, self.nodes = inputs, outputs, nodes


class Node:
    """A node, called as its first result, if it has no name of its own; an argument is a
    text, or a Graph and its name."""

    def __init__(self, target, arguments, results, hop="null", name=None):
        self.target, self.arguments, self.results, self.hop = target, arguments, results, hop
        self.name = name or results[0][0]


def aten(overload, name, **arguments):
    """A node with one tensor for a result; a string is a tensor, an int a number."""
    made = [(key, tensor(value) if isinstance(value, str) else number(value))
            for key, value in arguments.items()]
    return Node("torch.ops.aten." + overload, made, [(name, PLAIN)])


def cond(name, branches, operands):
    """Its subgraphs are called after it, as two of a graph may not have one name."""
    arguments = [tensor("p")] + list(zip(branches, (f"true_graph_{name}", f"false_graph_{name}")))
    arguments.append(tensors(operands))
    return Node("torch.ops.higher_order.cond", [("", one) for one in arguments],
                [(name, PLAIN)], "false")


def write_all(out, pieces):
    """With commas between."""
    comma = ""
    for piece in pieces:
        out.write(comma)
        out.write(piece)
        comma = ", "


def write_argument(out, argument):
    if isinstance(argument, str):
        out.write(argument)
        return
    graph, name = argument
    out.write('{"as_graph": {"name": "%s", "graph": ' % name)
    write_graph(out, graph, single="false")
    out.write("}}")


def write_node(out, node):
    out.write('{"target": "%s", "inputs": [' % node.target)
    comma = ""
    for key, argument in node.arguments:
        out.write('%s{"name": "%s", "arg": ' % (comma, key))
        write_argument(out, argument)
        out.write(', "kind": 1}')
        comma = ", "
    out.write('], "outputs": [%s], "metadata": {}, "is_hop_single_tensor_return": %s, '
              '"name": "%s"}'
              % (", ".join(tensor(one) for one, _ in node.results), node.hop, node.name))


def write_graph(out, graph, single):
    values = list(graph.inputs)
    out.write('{"inputs": [')
    write_all(out, (tensor(name) for name, _ in graph.inputs))
    out.write('], "outputs": [')
    write_all(out, (tensor(name) for name in graph.outputs))
    out.write('], "nodes": [')
    comma = ""
    for node in graph.nodes:
        out.write(comma)
        write_node(out, node)
        values += node.results
        comma = ", "
    out.write('], "tensor_values": {')
    write_all(out, ('"%s": %s' % value for value in values))
    out.write('}, "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": %s, '
              '"custom_obj_values": {}, "sym_float_values": {}}' % single)


# ---- programs -----------------------------------------------------------------


class Program:
    """A graph, and what else its shape is large in."""

    def __init__(self, graph, count, symbols=0, modules=(), guards=()):
        self.graph, self.count, self.symbols = graph, count, symbols
        self.modules, self.guards, self.derived = modules, guards, ()
        self.specs = {}  # by names of inputs or outputs; else users'

    def write_specs(self, out, names, kind):
        """Tells how many of them are the user's."""
        users = 0
        comma = ""
        for name in names:
            users += name not in self.specs
            out.write(comma)
            out.write(self.specs.get(name) or '{"%s": {"arg": %s}}' % (kind, tensor(name)))
            comma = ", "
        return users

    def write_signature(self, out):
        out.write(', "signature": {"input_specs": [')
        ins = self.write_specs(out, (name for name, _ in self.graph.inputs), "user_input")
        out.write('], "output_specs": [')
        outs = self.write_specs(out, self.graph.outputs, "user_output")
        out.write(']}, "module_call_graph": [{"fqn": "", "signature": {"inputs": [], '
                  '"outputs": [], "in_spec": "%s", "out_spec": "[1, %s]", '
                  '"forward_arg_names": null}}'
                  % (in_spec(ins), LEAF if outs == 1 else spec_tuple([LEAF] * outs)))
        for module in self.modules:
            out.write(", " + module)

    def write(self, out):
        out.write('{"graph_module": {"graph": ')
        write_graph(out, self.graph, single="false")
        self.write_signature(out)
        out.write('], "metadata": {}, "treespec_namedtuple_fields": {}}, '
                  '"opset_version": {"aten": 10}, "range_constraints": {')
        keys = itertools.chain((f"s{i}" for i in range(self.symbols)), self.derived)
        write_all(out, ('"%s": {"min_val": 2, "max_val": 100}' % key for key in keys))
        out.write('}, "schema_version": {"major": 8, "minor": 20}, "verifiers": ["TRAINING"], '
                  '"torch_version": "2.15.0", "guards_code": [')
        write_all(out, ('"%s"' % guard for guard in self.guards))
        out.write("]}")


X = [("x", PLAIN)]
POINTWISE = ("relu.default", "neg.default", "sin.default", "exp.default")


def of_x(count, outputs, nodes):
    return Program(Graph(X, outputs, nodes), count)


def shuffled(draw, items):
    items = list(items)
    draw.shuffle(items)
    return items


# ---- shapes that models have ----------------------------------------------------


def chain(count, draw):
    """each node uses the one before it"""
    def nodes():
        for i in range(count):
            yield aten(draw.choice(POINTWISE), f"n{i}", self=f"n{i - 1}" if i else "x")
    return of_x(count, [f"n{count - 1}"], nodes())


def fan_out(count, draw):
    """one value with many users, which are added up in pairs"""
    def nodes():
        yield aten("relu.default", "n0", self="x")
        users = count // 2
        for i in shuffled(draw, range(1, users + 1)):
            yield aten("mul.Tensor", f"n{i}", self="n0", other=i)
        for i in range(users + 1, 2 * users):
            left = 2 * (i - users) - 1
            yield aten("add.Tensor", f"n{i}", self=f"n{left}", other=f"n{left + 1}")
    return of_x(2 * (count // 2), [f"n{2 * (count // 2) - 1}"], nodes())


def wide(count, draw):
    """nodes that have nothing to do with each other, all of them outputs"""
    nodes = (aten("mul.Tensor", f"n{i}", self="x", other=i) for i in range(count))
    return of_x(count, [f"n{i}" for i in shuffled(draw, range(count))], nodes)


def lattice(count, draw):
    """diamond after diamond: as many paths as two to the number of them"""
    def nodes():
        for i in range(0, 3 * (count // 3), 3):
            above = f"n{i - 1}" if i else "x"
            left, right = draw.sample(POINTWISE, 2)
            yield aten(left, f"n{i}", self=above)
            yield aten(right, f"n{i + 1}", self=above)
            yield aten("add.Tensor", f"n{i + 2}", self=f"n{i}", other=f"n{i + 1}")
    return of_x(3 * (count // 3), [f"n{3 * (count // 3) - 1}"], nodes())


def branch(draw, depth):
    """A graph of two nodes that has one of three, and so on."""
    inputs = [("x", PLAIN), ("p", TRUTH)]
    first = aten(draw.choice(POINTWISE), "n0", self="x")
    if depth == 0:
        return Graph(inputs, ["n0"], [first])
    other = Graph(inputs, ["n0"], [aten(draw.choice(POINTWISE), "n0", self="x")])
    inner = (branch(draw, depth - 1), other)
    return Graph(inputs, ["n1"], [first, cond("n1", inner, ("n0", "p"))])


def conds(count, draw, depth):
    """Towers of conds, one using the other; a tower has three nodes a floor."""
    each = 3 * depth + 3
    towers = -(-count // each)

    def nodes():
        for i in range(towers):
            inner = (branch(draw, depth), branch(draw, 0))
            yield cond(f"n{i}", inner, (f"n{i - 1}" if i else "x", "p"))
    return Program(Graph(X + [("p", TRUTH)], [f"n{towers - 1}"], nodes()), towers * each)


def cond_wide(count, draw):
    """many conds, none in another"""
    return conds(count, draw, 0)


def cond_deep(count, draw):
    """conds in conds, as deep as a reader has to take"""
    return conds(count, draw, DEEPEST // GRAPH_DEPTH - 4)


# ---- shapes that hurt -----------------------------------------------------------


def dead_twins(count, draw):
    """no output depends on any node, and all are twins: users of one value"""
    def nodes():
        yield aten("relu.default", "n0", self="x")
        for i in shuffled(draw, range(1, count // 2)):
            yield aten("neg.default", f"n{i}", self="n0")
            yield aten("exp.default", f"m{i}", self=f"n{i}")
    return of_x(2 * (count // 2) - 1, ["x"], nodes())


def dead_random(count, draw):
    """no output depends on any node; each uses two of the ones before, few kinds"""
    def nodes():
        yield aten("relu.default", "n0", self="x")
        for i in range(1, count):
            low = max(0, i - 100)
            yield aten("add.Tensor", f"n{i}", self=f"n{draw.randrange(low, i)}",
                       other=f"n{draw.randrange(low, i)}")
    return of_x(count, ["x"], nodes())


def dead_chains(count, draw):
    """two chains that no output depends on and that differ in the last node"""
    half = count // 2

    def nodes():
        for i in range(half):
            for letter in shuffled(draw, "nm"):
                last = "sin.default" if letter == "m" and i + 1 == half else "neg.default"
                yield aten(last, f"{letter}{i}", self=f"{letter}{i - 1}" if i else "x")
    return of_x(2 * half, ["x"], nodes())


def writes(count, draw):
    """views of one tensor, each read some times and then written to"""
    def nodes():
        yield aten("clone.default", "n0", self="x")
        view = "n0"
        for i in range(1, count):
            kind = draw.randrange(5)
            if kind == 0:
                yield aten("alias.default", f"n{i}", self="n0")
                view = f"n{i}"
            elif kind == 1:
                yield aten("add_.Tensor", f"n{i}", self=view, other=i)
            else:
                yield aten("sin.default", f"n{i}", self=view)
    return of_x(count, [f"n{count - 1}"], nodes())


def readers(count, draw):
    """all nodes read one tensor, and the last one writes to it"""
    def nodes():
        yield aten("clone.default", "n0", self="x")
        for i in shuffled(draw, range(1, count - 1)):
            yield aten("mul.Tensor", f"n{i}", self="n0", other=i % 10)
        yield aten("relu_.default", f"n{count - 1}", self="n0")
    return of_x(count, [f"n{count - 1}"], nodes())


def unknown(count, draw):
    """operators that nobody knows, random numbers, and sums, at random"""
    def nodes():
        for i in range(count):
            used = [f"n{draw.randrange(i)}" if i else "x" for _ in range(2)]
            kind = draw.randrange(3)
            if kind == 0:
                yield Node(f"torch.ops.mine.op{draw.randrange(1000)}.default",
                           [("a", tensor(used[0])), ("b", tensor(used[1]))], [(f"n{i}", PLAIN)])
            elif kind == 1:
                yield aten("rand_like.default", f"n{i}", self=used[0])
            else:
                yield aten("add.Tensor", f"n{i}", self=used[0], other=used[1])
    return of_x(count, [f"n{i}" for i in range(max(0, count - 10), count)], nodes())


def targets(count, draw):
    """every node has an operator of its own, which nobody knows"""
    nodes = (Node(f"torch.ops.mine.op{i}.default", [("a", tensor("x"))], [(f"n{i}", PLAIN)])
             for i in shuffled(draw, range(count)))
    return of_x(count, ["x"], nodes)


def lists(count, draw):
    """nodes that take and write to a thousand tensors each; counted are the tensors"""
    each = min(LIST, count)
    inputs = [(f"x{i}", PLAIN) for i in range(each)]
    names = [name for name, _ in inputs]

    def nodes():
        for i in range(count // each):
            if i % 2 == 0:
                yield Node("torch.ops.aten.stack.default",
                           [("tensors", tensors(shuffled(draw, names)))], [(f"n{i}", PLAIN)])
            else:
                yield Node("torch.ops.aten._foreach_add_.Scalar",
                           [("self", tensors(shuffled(draw, names))), ("scalar", number(1))], [],
                           name=f"n{i}")
    return Program(Graph(inputs, ["x0"], nodes()), count // each * each)


def symbols(count, draw):
    """every node has a size of its own, an expression of several symbols"""
    many = count // 4 + 3

    def nodes():
        for i in range(count):
            a, b, c = (symbol(draw.randrange(many)) for _ in range(3))
            size = f"Add(Mul(Integer({i}), {a}), Mul({b}, {c}), {c})"
            yield Node("torch.ops.aten.mul.Tensor",
                       [("self", tensor("x")), ("other", number(i))], [(f"n{i}", meta(size))])
    program = of_x(count, ["x"], nodes())
    program.symbols = many
    return program


def sized(count, size, many):
    """A program of one node, of one size: an expression of so many symbols."""
    program = of_x(count, ["n0"], [Node("torch.ops.aten.neg.default", [("self", tensor("x"))],
                                        [("n0", meta(size))])])
    program.symbols = many
    return program


def term_sum(count, draw):
    """one sum of many products; counted are the products"""
    terms = (f"Mul(Integer({draw.randrange(2, 6)}), {symbol(i)}, {symbol(draw.randrange(count))})"
             for i in shuffled(draw, range(count)))
    return sized(count, "Add(%s)" % ", ".join(terms), count)


def ranges_many(count, draw):
    """ranges of symbols that no expression has, and of what derives from them"""
    half = count // 2
    program = of_x(2 * half, ["n0"], [aten("neg.default", "n0", self="x")])
    program.symbols = half
    program.derived = (f"{draw.randrange(2, 6)}*s{i} + s{draw.randrange(half)}"
                       for i in shuffled(draw, range(half)))
    return program


def nested(count, draw, functions):
    """One expression as deep as it may be; counted are the symbols in it."""
    depth = min(TERM_DEPTH, count // 2)
    begun, ended = [], []
    for i in range(depth):
        function = functions[i % len(functions)]
        leaves = [symbol(draw.randrange(100)) for _ in range(count // depth)]
        cut = draw.randrange(len(leaves) + 1)
        begun.append(function + "(" + "".join(leaf + ", " for leaf in leaves[:cut]))
        ended.append("".join(", " + leaf for leaf in leaves[cut:]) + ")")
    text = "".join(begun) + symbol(0) + "".join(reversed(ended))
    return sized(depth * (count // depth) + 1, text, 100)


def term_deep(count, draw):
    """one deep expression, sums in maxima; counted are the symbols in it"""
    return nested(count, draw, ("Max", "Add"))


def term_products(count, draw):
    """one deep expression, products in products; counted are the symbols in it"""
    return nested(count, draw, ("Mul",))


def dicts(count, draw):
    """one argument that is a dict with many keys; counted are the keys"""
    pairs = ", ".join('"key%d": {"as_int": %d}' % (i, i) for i in shuffled(draw, range(count)))
    body = Graph(X, ["n0"], [aten("neg.default", "n0", self="x")])
    node = Node("torch.ops.higher_order.hints_wrapper",
                [("", (body, "body_graph_0")), ("", tensors(["x"])),
                 ("", '{"as_string_to_argument": {}}'),
                 ("hints", '{"as_string_to_argument": {%s}}' % pairs)], [("n0", PLAIN)], "false")
    return of_x(count, ["n0"], [node])


def inputs_reversed(count, draw):
    """parameters, and buffers that are written to, in reverse; counted are they"""
    half = count // 2
    numbers = range(half - 1, -1, -1)
    given = [(f"p{i}", PLAIN) for i in numbers] + [(f"b{i}", PLAIN) for i in numbers]

    def nodes():
        for i in shuffled(draw, range(half)):
            yield aten("add.Tensor", f"n{i}", self=f"b{i}", other=f"p{i}")
    program = Program(Graph(given + X, [f"n{i}" for i in numbers] + ["x"], nodes()), 2 * half)
    for i in numbers:
        program.specs[f"p{i}"] = ('{"parameter": {"arg": {"name": "p%d"}, '
                                  '"parameter_name": "layers.%d.weight"}}' % (i, i))
        program.specs[f"b{i}"] = ('{"buffer": {"arg": {"name": "b%d"}, "buffer_name": '
                                  '"layers.%d.count", "persistent": true}}' % (i, i))
        program.specs[f"n{i}"] = ('{"buffer_mutation": {"arg": {"name": "n%d"}, '
                                  '"buffer_name": "layers.%d.count"}}' % (i, i))
    return program


def modules_many(count, draw):
    """entries of the module call graph, calls among them, and guards; counted are they"""
    def modules():
        for i in shuffled(draw, range(count // 2)):
            name = f"layers.{i // 4}" + (f"@{i % 4}" if i % 4 else "")
            yield ('{"fqn": "%s", "signature": {"inputs": [%s], "outputs": [%s], "in_spec": "%s", '
                   '"out_spec": "[1, %s]", "forward_arg_names": null}}'
                   % (name, tensor("x"), tensor("n0"), in_spec(1), LEAF))
    guards = ("L['x'].size()[0] <= %d" % i for i in shuffled(draw, range(count // 2)))
    program = of_x(2 * (count // 2), ["n0"], [aten("neg.default", "n0", self="x")])
    program.modules, program.guards = modules(), guards
    return program


SHAPES = {
    "chain": chain, "fan-out": fan_out, "wide": wide, "lattice": lattice,
    "cond-wide": cond_wide, "cond-deep": cond_deep,
    "dead-twins": dead_twins, "dead-random": dead_random, "dead-chains": dead_chains,
    "writes": writes, "readers": readers, "unknown": unknown, "targets": targets,
    "lists": lists, "symbols": symbols, "term-sum": term_sum, "term-deep": term_deep,
    "term-products": term_products, "dicts": dicts, "ranges": ranges_many,
    "inputs": inputs_reversed, "modules": modules_many,
}


def describe(name):
    return SHAPES[name].__doc__


def write(name, count, path, seed=SEED):
    """Writes a program of the shape; tells how many nodes, or what the shape counts
    instead, it really has: as near to the count as the shape allows."""
    program = SHAPES[name](count, random.Random(f"{name} {count} {seed}"))
    with open(path, "w", encoding="ascii") as out:
        program.write(out)
    return program.count
