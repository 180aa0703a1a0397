"""The epref form of a program of version 8.20, written from the specification alone
(SPEC 6.2 to 6.8): an oracle for the reference implementation, which it shares no code
with. Programs of other versions are migrated before (SPEC 6.1.1).

canonical(document) takes and gives what json.load, with integer, gives of a document.
"""

import copy
import heapq
import json
import re
from collections import defaultdict
from itertools import count

from format.history import FORM, PROGRAM, VERSIONS
from format.plain import Ordered, Reader, integer, written
from oracle.effects import MODE, OUTSIDE, TARGETS, WORLD, Effects
from oracle.programs import (TABLES, entry, follow, named, references, subgraphs,
                             sym_exprs)
from oracle.symbols import Symbols

VERSION = VERSIONS[FORM]

# ---- graphs ---------------------------------------------------------------------------


class Graph:
    """A graph whose outputs are in order, its effects, its order and its names."""

    def __init__(self, data):
        self.data, self.nodes = data, data["nodes"]
        self.subgraphs = [[type(self)(each["graph"]) for item in node["inputs"]
                           for each in subgraphs(item["arg"])] for node in self.nodes]
        self.gives = [[(tensor, holder[key]) for each in node["outputs"]
                       for tensor, holder, key in references(each)] for node in self.nodes]
        inputs = [(tensor, holder[key]) for each in data["inputs"]
                  for tensor, holder, key in references(each)]
        self.home = {name: None for _, name in inputs}  # the node that defines a value
        self.home.update((name, i) for i, each in enumerate(self.gives) for _, name in each)
        tensors = {name for each in [inputs, *self.gives] for tensor, name in each if tensor}
        names = [[name for item in node["inputs"] for name in named(item["arg"])]
                 for node in self.nodes]
        self.uses = [[(name in tensors, name) for name in each if name in self.home]
                     for each in names]
        self.beside = {name for each in names for name in each}.difference(self.home).union(
            *(each.beside for each in self.inner(range(len(self.nodes)))))
        self.effects = Effects(self)
        self.give_ranks()

    def inner(self, order):
        return [each for i in order for each in self.subgraphs[i]]

    def definers(self, i):
        """The nodes that define what a node uses."""
        return [self.home[name] for _, name in self.uses[i] if self.home[name] is not None]

    # -- SPEC 6.4.1: live nodes

    def give_ranks(self):
        self.ranked, self.met = {}, {}  # nodes, and inputs that one of them or an output uses
        for argument in self.data["outputs"]:
            for name in named(argument):
                self.look(name)
        for resource in (MODE, WORLD, self.effects.group(OUTSIDE)):
            self.visit_writers(resource)
        for i in grown(self.ranked):
            for tensor, name in self.gives[i]:
                if tensor:
                    self.visit_writers(self.effects.group(name))

    def look(self, name):
        if self.home[name] is None:
            self.met.setdefault(name, len(self.met))
        else:
            self.visit(self.home[name])

    def visit(self, i):
        if i not in self.ranked:
            for _, name in self.uses[i]:
                self.look(name)
            self.ranked[i] = len(self.ranked)

    def visit_writers(self, resource):
        for i in self.effects.writers.get(resource, ()):
            self.visit(i)

    # -- SPEC 6.4.2 to 6.4.4: the order; SPEC 6.6.1: the names of values

    @staticmethod
    def fresh(pattern, taken):
        return (pattern % i for i in count() if pattern % i not in taken)

    def arrange(self, beside, counted=()):
        """Names inputs and nodes, these in their order; counted: inputs that are a
        constant_input."""
        self.numbers = self.fresh("v%d", beside)
        self.new, self.constant_names = {}, []
        for i, argument in enumerate(self.data["inputs"]):
            if i in counted:
                self.constant_names.append(next(self.numbers))
            self.give(named(argument))
        self.place_nodes()
        self.rename(self.fresh("g%d", beside))
        for each in self.inner(self.order):
            each.arrange(beside)

    def give(self, names):
        self.new.update(zip(names, self.numbers))

    def place_nodes(self):
        self.order, self.dead, self.live = [], [], []
        self.waits = [len(each) for each in self.effects.before]
        self.followers = defaultdict(list)
        for i, each in enumerate(self.effects.before):
            for other in each:
                self.followers[other].append(i)
        for i, left in enumerate(self.waits):
            if not left:
                self.make_ready(i)
        while self.dead or self.live:
            text, i = heapq.heappop(self.dead or self.live)
            self.give([name for _, name in self.gives[i]])
            self.order.append(i)
            same = self.merge(text, i) if i not in self.ranked else []
            for each in [i] + same:
                self.release(each)

    def release(self, i):
        for each in self.followers[i]:
            self.waits[each] -= 1
            if not self.waits[each]:
                self.make_ready(each)

    def make_ready(self, i):
        for item in self.nodes[i]["inputs"]:
            follow(item["arg"], self.new)
        if i in self.ranked:
            heapq.heappush(self.live, (self.ranked[i], i))
        else:
            heapq.heappush(self.dead, (self.text(i), i))

    def text(self, i):
        """SPEC 6.4.4; the entries of dicts are sorted already."""
        return "\n".join([self.nodes[i]["target"]] + [
            json.dumps(item) for item in self.nodes[i]["inputs"] if not subgraphs(item["arg"])])

    def merge(self, text, i):
        """Gives the ready nodes that are merged into one that was placed."""
        same = [each for each in self.dead if each[0] == text and self.mergeable(i, each[1])]
        for each in same:
            self.dead.remove(each)
            for (_, name), (_, other) in zip(self.gives[i], self.gives[each[1]]):
                table, _ = entry(self.data, other) or (None, None)
                if table:
                    del self.data[table][other]
                self.new[other] = self.new[name]
        heapq.heapify(self.dead)
        return [other for _, other in same]

    def mergeable(self, one, other):
        effects, values = self.effects, self.gives[one] + self.gives[other]
        return all(effects.kinds[i] == "known" and not self.subgraphs[i] and not effects.written[i]
                   for i in (one, other)) and \
            not any(effects.group(name) in effects.writers for tensor, name in values if tensor) and \
            self.results(one) == self.results(other)

    def results(self, i):
        """The outputs of a node without their names, and the entries of its values."""
        outputs = copy.deepcopy(self.nodes[i]["outputs"])
        for argument in outputs:
            follow(argument, dict.fromkeys(named(argument), ""))
        entries = [entry(self.data, name) for _, name in self.gives[i]]
        return outputs, [(table, {**each, "name": ""}) if table == "custom_obj_values"
                         else (table, each) for table, each in filter(None, entries)]

    # -- SPEC 6.6, 6.8.1

    def rename(self, labels):
        self.data["nodes"] = [self.nodes[i] for i in self.order]
        for node in self.data["nodes"]:
            for argument in node["outputs"]:
                follow(argument, self.new)
            for item in node["inputs"]:
                for each in subgraphs(item["arg"]):
                    each["name"] = next(labels)
        for argument in self.data["inputs"] + self.data["outputs"]:
            follow(argument, self.new)
        places = {name: i for i, name in enumerate(self.new.values())}
        for table in TABLES:
            entries = [(self.new[name], each) for name, each in self.data[table].items()]
            self.data[table] = Ordered(sorted(entries, key=lambda pair: places[pair[0]]))
        for name, each in self.data["custom_obj_values"].items():
            each["name"] = name

    def expressions(self):
        """In the order of 6.7.4."""
        found = sym_exprs(self.data, dict.fromkeys(self.new.values()))
        return found + [each for inner in self.inner(self.order) for each in inner.expressions()]


def grown(items):
    """The items of a dict, those included that come meanwhile."""
    done = 0
    while done < len(items):
        new = list(items)[done:]
        done = len(items)
        yield from new


# ---- programs -----------------------------------------------------------------------------

INPUTS = ("token", "parameter", "buffer", "tensor_constant", "custom_obj", "user_input")
OUTPUTS = ("token", "buffer_mutation", "parameter_mutation", "user_input_mutation", "user_output",
           "gradient_to_parameter", "gradient_to_user_input")
SAME = {"constant_input": "user_input", "loss_output": "user_output"}
POSITIONAL = VERSION.types["ArgumentKind"].values["POSITIONAL"]


def role(spec, roles):
    """What an input or output is: (its place among the roles, the name that its spec has)."""
    (tag, inner), = spec.items()
    name = next((inner[key] for key in inner if key.endswith("_name")), None)
    return roles.index(SAME.get(tag, tag)), name


def in_order(argument):
    """With the entries of dicts sorted (SPEC 6.8.1)."""
    (tag, value), = argument.items()
    return argument if tag != "as_string_to_argument" else {
        tag: {key: in_order(value[key]) for key in sorted(value)}}


class Program:
    def __init__(self, document):
        self.data = Reader(VERSION).read(PROGRAM, document)
        self.module = self.data["graph_module"]
        self.graph, self.signature = self.module["graph"], self.module["signature"]

    def form(self):
        self.leave_out()
        self.symbols = Symbols(self.data["range_constraints"], self.sym_exprs())
        self.sort_signature()
        self.rename()
        self.name_symbols()
        self.sort_lists()
        return written(VERSION, self.data)

    def graphs(self):
        """The graph and all that are in it."""
        found = [self.graph]
        for graph in found:
            found += [each["graph"] for node in graph["nodes"] for item in node["inputs"]
                      for each in subgraphs(item["arg"])]
        return found

    def sym_exprs(self):
        return [each for graph in self.graphs()
                for each in sym_exprs(graph, [name for table in TABLES for name in graph[table]])]

    # -- SPEC 6.2: what is left out

    def leave_out(self):
        self.data.update(torch_version="<=2.4")
        for each in self.module["module_call_graph"]:  # SPEC 6.2.3
            if each["signature"] and not (self.data["guards_code"] and each["fqn"] == ""):
                each["signature"]["forward_arg_names"] = None
        for each in self.sym_exprs():
            each["hint"] = None
        for graph in self.graphs():
            for node in graph["nodes"]:
                self.leave_out_of(node)

    @staticmethod
    def leave_out_of(node):
        node.update(metadata={}, name=None)
        higher, alone = node["target"] in TARGETS.higher, "is_hop_single_tensor_return"
        looked = higher or node["target"] in TARGETS.modes  # SPEC 6.2.2
        for item in node["inputs"]:
            if not (looked and item["name"] and item["kind"] == POSITIONAL):
                item["kind"] = None
            item["arg"] = in_order(item["arg"])
            if "as_string" in item["arg"] and item["name"] in ("assert_msg", "api_name") and \
                    TARGETS.listed(node["target"], "CHECK"):
                item["arg"]["as_string"] = ""
        if len(node["outputs"]) != 1 or not higher:  # SPEC 6.2.4
            node[alone] = None
        elif "as_tensor" in node["outputs"][0] and node[alone] is None:
            node[alone] = True

    # -- SPEC 6.5: the signature

    def sort_signature(self):
        graph, takes, gives = self.graph, *(self.signature[key] for key in (
            "input_specs", "output_specs"))
        keys = [(*role(spec, INPUTS), i) for i, spec in enumerate(takes)]
        keys = [(place, name or "", 0 if name else i) for place, name, i in keys]
        places = {name: sorted(keys).index(key) for key, argument in zip(keys, graph["inputs"])
                  for name in named(argument)}
        order = sorted(range(len(gives)), key=lambda i: self.output_key(gives[i], places))
        graph["outputs"] = [graph["outputs"][i] for i in order]
        self.signature["output_specs"] = [gives[i] for i in order]
        self.main = self.make_graph(graph)
        first = [min((self.main.met.get(name, len(self.main.met)) for name in named(argument)),
                     default=0) for argument in graph["inputs"]]
        order = sorted(range(len(takes)), key=lambda i: (keys[i], first[i]))
        graph["inputs"] = [graph["inputs"][i] for i in order]
        self.signature["input_specs"] = [takes[i] for i in order]

    make_graph = Graph

    @staticmethod
    def output_key(spec, places):
        """SPEC 6.5.2."""
        place, name = role(spec, OUTPUTS)
        return (place, "", places[name]) if "user_input" in OUTPUTS[place] else \
            (place, name or "", 0)

    # -- SPEC 6.6.3: what names values outside of the graph

    def rename(self):
        specs = self.signature["input_specs"] + self.signature["output_specs"]
        self.main.arrange(self.main.beside, {
            i for i, spec in enumerate(self.signature["input_specs"]) if "constant_input" in spec})
        new, names = self.main.new, iter(self.main.constant_names)
        for each in self.module["module_call_graph"]:
            called = each["signature"] or {"inputs": [], "outputs": []}
            for argument in called["inputs"] + called["outputs"]:
                follow(argument, new)
        for spec in specs:
            (tag, inner), = spec.items()
            if tag == "constant_input":
                inner["name"] = next(names)
            elif tag in ("user_input", "user_output"):
                follow(inner["arg"], new)
            else:
                inner["arg"]["name"] = new[inner["arg"]["name"]]
            if "user_input_name" in inner:
                inner["user_input_name"] = new[inner["user_input_name"]]

    # -- SPEC 6.7: symbols, 6.8: lists

    def name_symbols(self):
        found = self.main.expressions()
        self.symbols.name(found)
        self.data["range_constraints"] = self.symbols.write(found)

    def sort_lists(self):
        def called(each):  # SPEC 6.8.2
            found = re.fullmatch(r"(.*)@([0-9]+)", each["fqn"], re.DOTALL)
            return (found.group(1), 1, min(int(found.group(2)), 18446744073709551613)) \
                if found else (each["fqn"], 0, 0)
        self.module["module_call_graph"].sort(key=called)
        self.data["guards_code"].sort()  # SPEC 6.8.3


def canonical(document):
    """The epref form of a valid program."""
    return Program(copy.deepcopy(document)).form()


def form_of(text):
    """The same, of a document's text: as text."""
    return json.dumps(canonical(json.loads(text, parse_int=integer)))
