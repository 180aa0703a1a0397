"""Rules of whole programs (SPEC 5.1, 5.2, 5.5.1 to 5.5.4) once more, from the specification,
for spec_oracle: which one a program breaks first, where.

Whether a list may hold values of every kind (5.1.7) depends on signatures, and whether two
subgraphs are equal (5.2.2) on all types: where either decides, the answer is UNKNOWN.
"""

import json
import keyword

from format.annexes import rows
from format.history import ALL_FIELDS, ORDER, TYPE_VALUE
from spec_expressions import WORD
from spec_wire import Items, Members

UNKNOWN = object()
TENSOR, SYM_INT, SYM_FLOAT, SYM_BOOL, OBJECT, GRAPH = (
    "tensor", "sym_int", "sym_float", "sym_bool", "custom_obj", "graph")
TABLES = {TENSOR: "tensor_values", SYM_INT: "sym_int_values", SYM_FLOAT: "sym_float_values",
          SYM_BOOL: "sym_bool_values", OBJECT: "custom_obj_values"}
SYMBOLIC = {"as_sym_int": SYM_INT, "as_sym_float": SYM_FLOAT, "as_sym_bool": SYM_BOOL}
NUMBERS = {"as_int": SYM_INT, "as_float": SYM_FLOAT, "as_bool": SYM_BOOL}
SINGLE = {"as_tensor": TENSOR, "as_custom_obj": OBJECT, **SYMBOLIC}
TAKEN = {*SINGLE, *NUMBERS, "as_string", "as_none"}
GIVEN = {*SINGLE, "as_none", "as_tensors", "as_nested_tensors", "as_optional_tensor",
         "as_optional_tensors"}
HIGHER = {row["target"] for row in rows("targets") if row["kind"] == "higher-order"}
SIGNED = {"torch.ops." + row["target"] for row in rows("operators")}
GRAPHS = {"cond": 2, "while_loop": 2, "map_impl": 1, "scan": 1, "strict_mode": 1,
          "hints_wrapper": 1, "wrap_with_set_grad_enabled": 1, "wrap_with_autocast": 1,
          "associative_scan": 1}
INPUT = -1  # the node that defines what none does
KEYWORDS = set(keyword.kwlist)


def judges(clause):
    return clause[:2] in ((5, 1), (5, 2)) or (5, 5, 1) <= clause <= (5, 5, 4)


class Undecided(Exception):
    """The answer needs what is not here."""


class Use:
    """A name as a value of a kind; item: what it stands in, name: None where there is none."""

    def __init__(self, kind, name, item, listed=False):
        self.kind, self.name, self.item, self.listed = kind, name, item, listed


class Program:
    """A document of a version, whose forms of unions are taken off."""

    def __init__(self, version, root):
        self.version, self.faults = version, []
        self.module = get(root, "graph_module")
        self.graph = get(self.module, "graph")

    def has(self, kind, member):
        return any(each.name == member for each in self.version.types[kind].members)

    def fault(self, clause, code, where):
        self.faults.append((clause, where.at, code, where.pointer))

    def tag(self, union):
        if self.version.unions == ALL_FIELDS:
            return next((str(key), value) for key, value in union if value is not None)
        if self.version.unions == TYPE_VALUE:
            return str(union[0][1]), union[1][1]
        return str(union[0][0]), union[0][1]

    # -- arguments

    def uses(self, argument):
        """What an Argument names, one by one."""
        tag, value = self.tag(argument)
        if tag == "as_string_to_argument":
            for _, each in value:
                yield from self.uses(each)
        elif tag == "as_graph":
            yield Use(GRAPH, get(value, "name"), value)
        else:
            yield from self.values(tag, value)

    def values(self, tag, value):
        if tag in ("as_tensor", "as_custom_obj"):
            yield Use(SINGLE[tag], get(value, "name"), value)
        elif tag == "as_tensors":
            yield from (Use(TENSOR, get(each, "name"), each, True) for each in value)
        elif tag == "as_nested_tensors":
            for each in value:
                yield from self.values("as_tensors", each)
        elif tag == "as_optional_tensor":
            yield Use(TENSOR, self.named(value, "as_tensor"), value)
        elif tag == "as_optional_tensors":
            yield from (Use(TENSOR, self.named(each, "as_tensor"), each, True) for each in value)
        elif tag in SYMBOLIC:
            yield Use(SYMBOLIC[tag], self.named(value, "as_name"), value)
        elif tag[:-1] in SYMBOLIC:
            yield from (Use(SYMBOLIC[tag[:-1]], self.named(each, "as_name"), each, True)
                        for each in value)

    def named(self, union, wanted):
        tag, value = self.tag(union)
        if tag != wanted:
            return None
        return get(value, "name") if isinstance(value, Members) else value

    def is_number(self, argument):
        """A number in the place of a name."""
        tag, value = self.tag(argument)
        return tag in SYMBOLIC and self.named(value, "as_name") is None

    def subgraphs(self, node):
        for each in get(node, "inputs"):
            for use in self.uses(get(each, "arg")):
                if use.kind == GRAPH:
                    yield use

    # -- graphs

    def all(self):
        todo = [(self.graph, False)]
        while todo:
            graph, inner = todo.pop()
            Scope(self, graph, inner).judge()
            for node in get(graph, "nodes"):
                todo += [(get(use.item, "graph"), True) for use in self.subgraphs(node)]
        Modules(self).judge()


class Scope:
    """The names of one graph."""

    def __init__(self, program, graph, inner):
        self.program, self.graph, self.inner = program, graph, inner
        self.nodes = get(graph, "nodes")
        self.defined = {}  # names: (use, node), in the order of the file
        self.listed = {}   # names: (key, kind)
        for key, _ in get(graph, "constants") or ():
            self.define(Use(TENSOR, key, key), None)
        for each in get(graph, "inputs"):
            self.define_all(each, INPUT)
        for i, node in enumerate(self.nodes):
            for each in get(node, "outputs"):
                self.define_all(each, i)
        for kind, table in TABLES.items():
            for key, _ in get(graph, table) or ():
                self.listed.setdefault(key, []).append((key, kind))
        for found in self.listed.values():
            found.sort(key=lambda each: each[0].at)

    def define_all(self, argument, node):
        for use in self.program.uses(argument):
            if use.kind != GRAPH and use.name is not None:
                self.define(use, node)

    def define(self, use, node):
        self.defined.setdefault(use.name, []).append((use, node))

    def kind_of(self, use):
        """Of the value that is named; of a constant beside the program the kind of the use."""
        return self.defined[use.name][0][0].kind if use.name in self.defined else use.kind

    def judge(self):
        self.judge_values()
        for i, node in enumerate(self.nodes):
            for each in get(node, "inputs"):
                for use in self.program.uses(get(each, "arg")):
                    if use.kind != GRAPH:
                        self.judge_use(use, i, node)
            self.judge_node(i, node)
        for each in get(self.graph, "outputs"):
            for use in self.program.uses(each):
                if use.kind != GRAPH:
                    self.judge_use(use, len(self.nodes), None)
        self.judge_kinds()
        self.judge_names()
        self.judge_subgraphs()
        single = get(self.graph, "is_single_tensor_return")
        outputs = get(self.graph, "outputs")
        one = len(outputs) == 1 and self.program.tag(outputs[0])[0] in SINGLE
        if single and not (self.inner and one):
            self.program.fault((5, 2, 7), "EP_GRAPH_RETURN", self.graph)

    def judge_values(self):
        fault = self.program.fault
        for name, found in self.defined.items():
            places = sorted((use.name for use, _ in found), key=lambda each: each.at)
            if len(places) > 1:
                fault((5, 1, 1), "EP_VALUE_TWICE", places[1])
            use, node = found[0]
            table = TABLES[use.kind]
            if name not in self.listed and node is not None and self.program.has("Graph", table):
                fault((5, 1, 4), "EP_VALUE_UNLISTED", use.name)
            for key, kind in self.listed.get(name, ()):
                if kind != use.kind:
                    fault((5, 1, 7), "EP_VALUE_KIND", key)
        for name, found in self.listed.items():
            if len(found) > 1:
                fault((5, 1, 5), "EP_VALUE_LISTED_TWICE", found[1][0])
            if name not in self.defined:
                for key, _ in found:
                    fault((5, 1, 6), "EP_VALUE_EXTRA", key)

    def judge_use(self, use, i, node):
        if use.name is None:
            return
        if use.name not in self.defined:
            if use.kind != OBJECT or node is None:
                self.program.fault((5, 1, 2), "EP_VALUE_UNDEFINED", use.name)
            return
        definition, by = self.defined[use.name][0]
        if by is not None and by >= i:
            self.program.fault((5, 1, 3), "EP_VALUE_EARLY", use.name)
        if definition.kind != use.kind:
            free = use.listed and use.kind == TENSOR and node is not None
            if free and str(get(node, "target")) in SIGNED:
                raise Undecided
            if not free:
                self.program.fault((5, 1, 7), "EP_VALUE_KIND", use.name)

    def judge_kinds(self):
        program = self.program
        sides = [("INPUT", get(self.graph, "inputs"), TAKEN),
                 ("OUTPUT", get(self.graph, "outputs"), TAKEN)]
        sides += [("OUTPUT", get(node, "outputs"), GIVEN) for node in self.nodes]
        for side, arguments, tags in sides:
            for each in arguments:
                if program.tag(each)[0] not in tags or program.is_number(each):
                    program.fault((5, 1, 8 if side == "INPUT" else 9), "EP_%s_KIND" % side, each)

    def judge_node(self, i, node):
        program, outputs = self.program, get(node, "outputs")
        target = str(get(node, "target"))
        hop = get(node, "is_hop_single_tensor_return")
        if target not in HIGHER:
            return
        if hop is not None and len(outputs) == 1:
            tag, value = program.tag(outputs[0])
            same = tag == "as_tensor" and get(value, "name") == get(node, "name")
            if same if not hop else tag not in ("as_tensor", "as_tensors"):
                program.fault((5, 2, 6), "EP_HOP_RETURN", node)
        operator = target.rpartition(".")[2]
        if operator in GRAPHS:
            HigherOrder(self, node, operator).judge()

    def judge_names(self):
        known = set()
        for node in self.nodes:
            name, outputs = get(node, "name"), get(node, "outputs")
            if name is None:
                continue
            own = len(outputs) == 1 and self.program.tag(outputs[0])[0] in ("as_tensor", *SYMBOLIC)
            if name in known or (name in self.defined and not own):
                self.program.fault((5, 1, 10), "EP_NODE_NAME", name)
            known.add(name)

    def judge_subgraphs(self):
        first = {}
        found = [use for node in self.nodes for use in self.program.subgraphs(node)]
        for use in sorted(found, key=lambda each: each.item.at):
            whole = WORD.fullmatch(use.name)
            if not whole or use.name in KEYWORDS:
                self.program.fault((5, 2, 1), "EP_SUBGRAPH_NAME", use.name)
            if use.name in self.defined:
                self.program.fault((5, 2, 2), "EP_SUBGRAPH_TWICE", use.name)
            elif alike(first.setdefault(use.name, use).item) != alike(use.item):
                raise Undecided


class HigherOrder:
    """What goes into the graphs of an operator, and comes out (5.2.3 to 5.2.5)."""

    def __init__(self, scope, node, operator):
        self.scope, self.program, self.node = scope, scope.program, node
        self.operator = operator
        self.arguments = [get(each, "arg") for each in get(node, "inputs")]

    def judge(self):
        tags = [self.program.tag(each) for each in self.arguments]
        at = [i for i, (tag, _) in enumerate(tags) if tag == "as_graph"]
        if len(at) != GRAPHS[self.operator]:
            self.program.fault((5, 2, 3), "EP_SUBGRAPH_COUNT", self.node)
            return
        operands = self.operands(at[-1] + 1)
        for i, place in enumerate(at):
            graph = get(tags[place][1], "graph")
            self.inputs(graph, operands)
            self.outputs(graph, self.operator == "while_loop" and i == 0)

    def operands(self, first):
        """The kinds of what is passed."""
        parts = [[self.scope.kind_of(use) for use in self.program.uses(each)
                  if use.kind != GRAPH and use.name is not None]
                 for each in self.arguments[first:]]
        if self.operator == "associative_scan":
            parts = parts[:1] + parts
        return [kind for part in parts for kind in part]

    def inputs(self, graph, operands):
        inputs = get(graph, "inputs")
        if len(inputs) != len(operands):
            self.program.fault((5, 2, 4), "EP_SUBGRAPH_INPUTS", graph)
        for each, kind in zip(inputs, operands):
            if SINGLE.get(self.program.tag(each)[0]) != kind:
                self.program.fault((5, 2, 4), "EP_SUBGRAPH_INPUTS", each)

    def outputs(self, graph, condition):
        tags = [self.program.tag(each)[0] for each in get(graph, "outputs")]
        kinds = [SINGLE.get(tag) or NUMBERS.get(tag) for tag in tags]
        if condition:
            holds = len(kinds) == 1 and kinds[0] in (TENSOR, SYM_BOOL)
        else:
            wanted = [kind for each in get(self.node, "outputs") for kind in self.given(each)]
            holds = len(wanted) == len(kinds) and all(
                each in (None, kind) for each, kind in zip(wanted, kinds))
        if not holds:
            self.program.fault((5, 2, 5), "EP_SUBGRAPH_OUTPUTS", graph)

    def given(self, output):
        """The kinds of a node's output; None goes with any."""
        if self.program.tag(output)[0] == "as_none":
            return [None]
        return [use.kind if use.name is not None else None for use in self.program.uses(output)]


class Modules:
    """The module call graph (5.5)."""

    def __init__(self, program):
        self.program, self.entries = program, get(program.module, "module_call_graph")

    def judge(self):
        program, entries = self.program, self.entries
        old = program.has("GraphModule", "call_spec")
        if entries and get(entries[0], "fqn") != "":
            program.fault((5, 5, 1), "EP_MODULE_ROOT", entries[0])
        if not entries and not old:
            program.fault((5, 5, 1), "EP_MODULE_ROOT", program.module)
        known = set()
        for each in entries:
            if get(each, "fqn") in known:
                program.fault((5, 5, 2), "EP_MODULE_FQN", get(each, "fqn"))
            known.add(get(each, "fqn"))
        late = ORDER.index(program.version.name) >= ORDER.index("1-2023-12")
        if late and entries and get(entries[0], "signature") is None:
            program.fault((5, 5, 3), "EP_MODULE_SIGNATURE", entries[0])
        defined = Scope(program, program.graph, False).defined
        for each in entries:
            signature = get(each, "signature")
            for side in ("inputs", "outputs") if signature is not None else ():
                for argument in get(signature, side):
                    self.judge_argument(argument, defined)

    def judge_argument(self, argument, defined):
        for use in self.program.uses(argument):
            if use.kind == GRAPH or (use.name is not None and use.name not in defined):
                self.program.fault((5, 5, 4), "EP_MODULE_ARGUMENT", use.name)
        if self.program.is_number(argument):
            self.program.fault((5, 5, 4), "EP_MODULE_ARGUMENT", argument)


def get(struct, name):
    """A field; None where it is absent."""
    return next((value for key, value in struct if key == name), None)


def alike(value):
    """The same for values that are surely equal."""
    def plain(each):
        if isinstance(each, Members):
            return {key: plain(held) for key, held in each}
        return [plain(held) for held in each] if isinstance(each, Items) else each
    return json.dumps(plain(value), sort_keys=True)


def first(version, root):
    """The first fault in the order of 1.5.1: (code, byte, pointer), None, or UNKNOWN."""
    program = Program(version, root)
    try:
        program.all()
    except Undecided:
        return UNKNOWN
    return min(program.faults)[2:0:-1] + min(program.faults)[3:] if program.faults else None
