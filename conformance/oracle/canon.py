"""The epref form of a program, written from the specification alone (SPEC 6.2 to 6.8):
an oracle for the reference implementation, which it shares no code with.

canonical(document) takes and gives what json.load, with integer, gives of a document.
"""

import copy
import json
import re
from collections import defaultdict
from itertools import count

from format.plain import Ordered, integer, read, written
from oracle.effects import MODE, OUTSIDE, TARGETS, WORLD, Effects
from oracle.programs import (OPTIONAL_TENSORS, TABLES, follow, named, references, subgraphs,
                             sym_exprs, symbolic)
from oracle.symbols import H, Symbols

ENUMS = {"as_scalar_type": "ScalarType", "as_layout": "Layout", "as_memory_format": "MemoryFormat"}
LATER = {"UNSIGNED_SHORT": "UINT16", "FLOAT8_E4M3FN": "FLOAT8E4M3FN",
         "FLOAT8_E5M2": "FLOAT8E5M2"}  # SPEC 7.2.3

# ---- graphs ---------------------------------------------------------------------------

class Graph:
    """A graph, its effects, its order and its names. places: of its inputs in 6.5.1."""

    def __init__(self, data, version, symbols, places=None):
        self.data, self.version, self.symbols = data, version, symbols
        self.nodes, self.kept = data["nodes"], sorted(data.get("constants") or {})
        self.subgraphs = [[type(self)(each["graph"], version, symbols) for item in node["inputs"]
                           for each in subgraphs(item["arg"])] for node in self.nodes]
        self.gives = [[(tensor, holder[key]) for each in node["outputs"]
                       for tensor, holder, key in references(each)] for node in self.nodes]
        self.home = {name: ("c", name) for name in self.kept}  # where a value is from
        for place, argument in zip(places or count(), data["inputs"]):
            self.home.update((name, ("i", place)) for name in named(argument))
        for i, given in enumerate(self.gives):
            self.home.update((name, (i, which)) for which, (_, name) in enumerate(given))
        self.find_uses()
        self.effects = Effects(self)
        self.give_ranks()
        self.sort()

    def find_uses(self):
        """What nodes use: values, with whether they are tensors; and constants beside the
        program (SPEC 5.1), whose names stay."""
        tensors = {name for each in [*self.data["inputs"], *(
            each for node in self.nodes for each in node["outputs"])]
            for tensor, holder, key in references(each) if tensor for name in [holder[key]]}
        tensors.update(self.kept)
        names = [[name for item in node["inputs"] for name in named(item["arg"])]
                 for node in self.nodes]
        self.uses = [[(name in tensors, name) for name in each if name in self.home]
                     for each in names]
        self.beside = {name for each in names for name in each}.difference(self.home).union(
            *(each.beside for inner in self.subgraphs for each in inner))

    def definers(self, i):
        """The nodes that define what a node uses, one for each use."""
        homes = [self.home[name][0] for _, name in self.uses[i]]
        return [home for home in homes if isinstance(home, int)]

    # -- SPEC 6.4: ranks and the order

    def give_ranks(self):
        self.rank, self.ranked = {}, []
        for argument in self.data["outputs"]:  # SPEC 6.4.1
            for name in named(argument):
                self.visit(self.home[name][0])
        seen = set()                           # SPEC 6.4.2
        self.visit_writers([MODE, WORLD, self.effects.group(OUTSIDE)], seen)
        for i in self.ranked:                  # those that get one meanwhile included
            self.visit_writers([self.effects.group(name) for tensor, name in self.gives[i]
                                if tensor], seen)
        self.rank_rest([i for i in range(len(self.nodes)) if i not in self.rank])

    def visit(self, i):
        if isinstance(i, int) and i not in self.rank:
            for each in self.definers(i):
                self.visit(each)
            self.give_rank(i)

    def give_rank(self, i):
        self.rank[i] = len(self.ranked)
        self.ranked.append(i)

    def visit_writers(self, places, seen):
        for place in places:
            if place not in seen:
                seen.add(place)
                for i in self.effects.writers.get(place, ()):
                    self.visit(i)

    def rank_rest(self, rest):
        """SPEC 6.4.5 and 6.4.6."""
        self.users, self.placed = defaultdict(list), set()
        for i in rest:
            for place, (_, name) in enumerate(self.uses[i]):
                self.users[self.home[name][0]].append((i, place))
        self.tell_apart(rest)
        done = len(self.ranked)
        for start in sorted(rest, key=lambda i: (self.kind_of[i], i)):
            self.place(start)
            while done < len(self.ranked):
                users = sorted((self.kind_of[user], place, user)
                               for user, place in self.users[self.ranked[done]])
                for _, _, user in users:
                    self.place(user)
                done += 1

    def tell_apart(self, rest):
        """SPEC 6.4.5: kind_of is the `class` of a node."""
        inside = {i: [each for each in self.definers(i) if each not in self.rank] for i in rest}
        self.kind_of, classes = {i: self.face(i) for i in rest}, 0
        for _ in range(16):
            down, up = {}, {}
            for i in rest:
                down[i] = H(self.kind_of[i], *(down[each] for each in inside[i]))
            for i in reversed(rest):
                up[i] = H(down[i], *sorted(H(up[user], str(at)) for user, at in self.users[i]))
            for i in rest:
                self.kind_of[i] = H(up[i], *(self.kind_of[each] for each in inside[i]))
            before, classes = classes, len(set(self.kind_of.values()))
            if classes <= before:
                break

    def place(self, i):
        """SPEC 6.4.6."""
        if i in self.placed:
            return
        self.placed.add(i)
        others = self.effects.before[i].difference(self.definers(i))
        ranked = sorted(others.intersection(self.rank), key=self.rank.get)
        new = sorted((self.kind_of[each], each) for each in others.difference(self.rank))
        for each in self.definers(i) + ranked + [each for _, each in new]:
            self.place(each)
        if i not in self.rank:
            self.give_rank(i)

    def sort(self):
        """SPEC 6.4.7."""
        self.order, done, left = [], set(), list(self.ranked)
        while left:
            following = next(i for i in left if self.effects.before[i] <= done)
            left.remove(following)
            done.add(following)
            self.order.append(following)

    # -- SPEC 6.4.4: faces

    def face(self, i):
        target, inner = self.nodes[i]["target"], iter(self.subgraphs[i])
        self.unranked = list(dict.fromkeys(
            name for _, name in self.uses[i] if isinstance(self.home[name][0], int)
            and self.home[name][0] not in self.rank))
        texts = [target.rpartition(".")[2] if target in TARGETS.higher else target]
        for item in self.nodes[i]["inputs"]:
            texts += ["(" + item["name"]] + self.argument(item["arg"], inner)
        texts.append(")")
        for _, name in self.gives[i]:
            texts += self.value(name)
        return H(*texts, "@", *self.effects.epochs[i])

    def number(self):
        """Of a subgraph, what a face says of it."""
        texts = [text for argument in self.data["inputs"] for name in named(argument)
                 for text in self.value(name)] + [self.face(i) for i in self.order]
        return H(*texts, *(text for each in self.data["outputs"] for text in self.argument(each)))

    def argument(self, argument, inner=None):
        (tag, value), = argument.items()
        if tag == "as_string_to_argument":
            texts = ["{%d" % len(value)]
            for key in sorted(value):
                texts += [key] + self.argument(value[key], inner)
            return texts
        if tag == "as_graph":
            return ["g" + next(inner).number()]
        if isinstance(value, list) and tag != "as_none":
            return ["[%d" % len(value)] + [text for item in value
                                           for text in self.argument({tag: item}, inner)]
        found = named(argument)
        if found and found[0] not in self.home:
            return ["o" + found[0], value.get("class_fqn", "")]
        return [self.use(found[0]) if found else "=" + self.constant(tag, value)]

    def use(self, name):
        home, which = self.home[name]
        if home in self.rank:
            return "n%d.%d" % (self.rank[home], which)
        if isinstance(home, int):
            return "r%d.%d" % (self.unranked.index(name), which)
        return "%s%s" % (home, which)

    def constant(self, tag, value):
        if tag == "as_none" or tag in OPTIONAL_TENSORS:
            return "n"
        if tag.startswith("as_sym_"):
            (tag, value), = value.items()
        if tag in ENUMS:
            return "e" + self.enumerator(ENUMS[tag], value)
        if tag == "as_device":
            return "d%s:%s" % (value["type"], "-" if value["index"] is None else value["index"])
        if tag == "as_complex":
            return "c%r,%r" % (float(value["real"]), float(value["imag"]))
        if tag.startswith("as_float"):
            return "f%r" % float(value)
        if isinstance(value, bool):
            return "btrue" if value else "bfalse"
        return "i%d" % value if isinstance(value, int) else \
            "s" + (value["blob"] if tag == "as_custom_obj" else value)

    def enumerator(self, kind, value):
        names = {each: name for name, each in self.version.types[kind].values.items()}
        return LATER.get(names[value], names[value])

    def value(self, name):
        """The texts of a value, as a node's definition."""
        table = next((each for each in TABLES if name in self.data.get(each, ())), None)
        entry = self.data[table][name] if table else None
        if table == "custom_obj_values":
            return [entry["class_fqn"]]
        texts = [self.symbol(each) for each in symbolic(self.data, name)]
        if table != "tensor_values":
            return texts
        sizes = len(entry["sizes"])
        return [self.enumerator("ScalarType", entry["dtype"]),
                self.enumerator("Layout", entry["layout"]), "01"[entry["requires_grad"]],
                self.constant("as_device", entry["device"])[1:],
                str(sizes), *texts[:sizes], str(len(entry["strides"])), *texts[sizes:]]

    def symbol(self, value):
        if not isinstance(value, dict):
            return str(value)  # before 4.2 an offset is an int
        (tag, inner), = value.items()
        if tag != "as_expr":
            return self.constant(tag, inner)[1:]
        return inner["expr_str"] if inner.get("expr_ast") else self.symbols.face(inner)

    # -- SPEC 6.6: names

    @staticmethod
    def fresh(pattern, taken):
        return (pattern % i for i in count() if pattern % i not in taken)

    def rename(self, staying, counted=()):
        """Gives the new names of values; counted: inputs that are a constant_input."""
        data, taken = self.data, staying.union(self.kept)
        values, labels = self.fresh("v%d", taken), self.fresh("g%d", taken)
        new, self.constant_names = {name: name for name in self.kept}, []
        for i, argument in enumerate(data["inputs"]):
            if i in counted:
                self.constant_names.append(next(values))
            new.update((name, next(values)) for name in named(argument))
        for i in self.order:
            new.update((name, next(values)) for _, name in self.gives[i])
        self.values = list(new.values())
        self.numbers = {name: (1, i) for i, name in enumerate(self.values) if name not in self.kept}
        data["nodes"] = [self.nodes[i] for i in self.order]
        for argument in data["inputs"] + data["outputs"] + [
                each for node in data["nodes"]
                for each in [item["arg"] for item in node["inputs"]] + node["outputs"]]:
            follow(argument, new)
            for each in subgraphs(argument):
                each["name"] = next(labels)
        for table in set(TABLES).intersection(data):  # SPEC 6.8.1
            entries = [(new[name], entry) for name, entry in data[table].items()]
            data[table] = Ordered(sorted(entries, key=lambda entry: self.key(entry[0])))
        for name, entry in data.get("custom_obj_values", {}).items():
            entry["name"] = name
        for each in self.inner():
            each.rename(staying)
        return new

    def key(self, name):
        """By number; names that are none come first, by their text (SPEC 6.8)."""
        return self.numbers.get(name, (0, name))

    def inner(self):
        """The subgraphs, in the order of 6.6.2."""
        return [each for i in self.order for each in self.subgraphs[i]]

    def expressions(self):
        """In the order of 6.7.4."""
        yield from sym_exprs(self.data, self.values)
        for each in self.inner():
            yield from each.expressions()


# ---- programs -----------------------------------------------------------------------------

INPUTS = ("token", "parameter", "buffer", "tensor_constant", "custom_obj", "user_input")
OUTPUTS = ("token", "buffer_mutation", "parameter_mutation", "user_input_mutation", "user_output",
           "gradient_to_parameter", "gradient_to_user_input")
SAME = {"constant_input": "user_input", "loss_output": "user_output"}
# Version 1: the dicts and lists of the signature, in the order of 5.3.
OLD_INPUTS = {"inputs_to_parameters": "parameter", "inputs_to_buffers": "buffer",
              "user_inputs": "user_input"}
OLD_OUTPUTS = {"buffers_to_mutate": "buffer_mutation", "user_outputs": "user_output",
               "gradients_to_parameters": "gradient_to_parameter",
               "gradients_to_user_inputs": "gradient_to_user_input"}


def role(spec):
    """What an input or output is: (tag, the name that its spec has)."""
    (tag, inner), = spec.items()
    key = next((key for key in inner if key.endswith("_name")), None)
    return SAME.get(tag, tag), inner.get(key)


def old_roles(arguments, signature, tags):
    """The same in version 1 (SPEC 7.4.1, going up): of the entry at its place where the
    name there is its own, else of the first of that name, else of that at its place."""
    whole = {**signature, **(signature["backward_signature"] or {})}
    entries = [(name, tag, whole[key][name] if isinstance(whole[key], dict) else None)
               for key, tag in tags.items() for name in whole.get(key) or ()]
    for argument, here in zip(arguments, entries):
        own = [each for each in [here] + entries if [each[0]] == named(argument)]
        yield (own or [here])[0][1:]


class Program:
    def __init__(self, document, schema=None):
        self.version, self.data = read(document, schema)
        self.module = self.data["graph_module"]
        self.graph, self.signature = self.module["graph"], self.module["signature"]
        self.old = "input_specs" not in self.signature
        kinds = self.version.types.get("ArgumentKind")
        self.positional = kinds and kinds.values["POSITIONAL"]

    def form(self):
        self.leave_out()
        self.sort_signature()
        self.rename()
        self.name_symbols()
        self.sort_lists()
        return written(self.version, self.data)

    def graphs(self):
        """The graph and all that are in it."""
        found = [self.graph]
        for graph in found:
            found += [each["graph"] for node in graph["nodes"] for item in node["inputs"]
                      for each in subgraphs(item["arg"])]
        return found

    # -- SPEC 6.2: what is left out

    def leave_out(self):
        self.data.update(example_inputs=None, torch_version="<=2.4")
        for entry in self.module["module_call_graph"]:  # SPEC 6.2.3
            if entry["signature"] and not (self.data.get("guards_code") and entry["fqn"] == ""):
                entry["signature"]["forward_arg_names"] = None
        for graph in self.graphs():
            graph["co_fileinfo_ordered_list"] = []
            for node in graph["nodes"]:
                self.leave_out_of(node)

    def leave_out_of(self, node):
        node.update(metadata={}, name=None)
        higher, single = node["target"] in TARGETS.higher, "is_hop_single_tensor_return"
        looked = higher or node["target"] in TARGETS.modes  # SPEC 6.2.2
        for item in node["inputs"]:
            if not (looked and item["name"] and item.get("kind") == self.positional):
                item["kind"] = None
        if len(node["outputs"]) != 1 or not higher:  # SPEC 6.2.4
            node[single] = None
        elif "as_tensor" in node["outputs"][0] and node.get(single) is None:
            node[single] = True

    # -- SPEC 6.5: the signature

    def sort_signature(self):
        graph, signature = self.graph, self.signature
        arguments = graph["inputs"], graph["outputs"]
        if self.old:
            takes, gives = (list(old_roles(each, signature, tags))
                            for each, tags in zip(arguments, (OLD_INPUTS, OLD_OUTPUTS)))
        else:
            takes, gives = ([role(spec) for spec in signature[key]]
                            for key in ("input_specs", "output_specs"))
        keys = [(INPUTS.index(tag), "", i) if name is None else (INPUTS.index(tag), name, 0)
                for i, (tag, name) in enumerate(takes)]
        places = {name: i for i, each in enumerate(arguments[0]) for name in named(each)}
        results = sorted(range(len(gives)), key=lambda i: self.output_key(*gives[i], places))
        graph["outputs"] = [graph["outputs"][i] for i in results]
        self.main = Graph(graph, self.version, Symbols(*self.about_symbols()),
                          [sorted(keys).index(key) for key in keys])
        uses = [name for i in self.main.order for _, name in self.main.uses[i]]
        uses += [name for each in graph["outputs"] for name in named(each)]
        order = sorted(range(len(keys)), key=lambda i: (
            keys[i], min((uses.index(name) for name in named(arguments[0][i]) if name in uses),
                         default=len(uses))))
        graph["inputs"] = [arguments[0][i] for i in order]
        if not self.old:
            signature["input_specs"] = [signature["input_specs"][i] for i in order]
            signature["output_specs"] = [signature["output_specs"][i] for i in results]

    @staticmethod
    def output_key(tag, target, places):
        """SPEC 6.5.2."""
        if "user_input" in tag:
            return OUTPUTS.index(tag), "", places[target]
        return OUTPUTS.index(tag), target or "", 0

    def about_symbols(self):
        found = [each for graph in self.graphs() for each in sym_exprs(
            graph, {name for table in TABLES for name in graph.get(table, ())})]
        return self.version, self.data["range_constraints"], found

    # -- SPEC 6.6.3: what names values outside of the graph

    def rename(self):
        specs = self.signature.get("input_specs", ())
        counted = {i for i, spec in enumerate(specs) if "constant_input" in spec}
        ends = {name for pair in self.data.get("equality_constraints", ()) for name, _ in pair}
        new = self.main.rename(ends.difference(self.main.home) | self.main.beside, counted)
        for entry in self.module["module_call_graph"]:
            called = entry["signature"] or {"inputs": [], "outputs": []}
            for argument in called["inputs"] + called["outputs"]:
                follow(argument, new)
        if self.old:
            self.rename_dicts(new)
        else:
            names = iter(self.main.constant_names)
            for spec in self.signature["input_specs"] + self.signature["output_specs"]:
                (tag, inner), = spec.items()
                if tag == "constant_input":
                    inner["name"] = next(names)
                elif tag in ("user_input", "user_output"):
                    follow(inner["arg"], new)
                else:
                    inner["arg"]["name"] = new[inner["arg"]["name"]]
                if "user_input_name" in inner:
                    inner["user_input_name"] = new[inner["user_input_name"]]
        for pair in self.data.get("equality_constraints", ()):
            pair[:] = [[new.get(name, name), size] for name, size in pair]

    def rename_dicts(self, new):
        """SPEC 6.5.3."""
        old = self.signature
        takes, gives = ([name for each in self.graph[key] for name in named(each)]
                        for key in ("inputs", "outputs"))

        def place(names, name):
            return names.index(name) if name in names else 0

        def renamed(entries, key):
            entries = [(new[name], value) for name, value in entries.items()]
            return Ordered(sorted(entries, key=lambda entry: key(*entry)))
        for key in ("inputs_to_parameters", "inputs_to_buffers", "buffers_to_mutate"):
            old[key] = renamed(old[key], lambda name, target: target)
        for key in ("user_inputs", "user_outputs"):
            old[key] = [new[name] for name in old[key]]
        backward = old["backward_signature"]
        if backward:
            backward["gradients_to_parameters"] = renamed(
                backward["gradients_to_parameters"],
                lambda name, target: (target, place(gives, name)))
            inputs = {name: new[target] for name, target in
                      backward["gradients_to_user_inputs"].items()}
            backward["gradients_to_user_inputs"] = renamed(
                inputs, lambda name, target: (place(takes, target), place(gives, name)))
            backward["loss_output"] = new[backward["loss_output"]]

    # -- SPEC 6.7: symbols, 6.8: lists

    def name_symbols(self):
        found = list(self.main.expressions())
        self.main.symbols.name(found)
        self.data["range_constraints"] = Ordered(self.main.symbols.write(found))

    def sort_lists(self):
        def called(entry):  # SPEC 6.8.2
            found = re.fullmatch(r"(.*)@([0-9]+)", entry["fqn"], re.DOTALL)
            return (found.group(1), 1, min(int(found.group(2)), 18446744073709551613)) \
                if found else (entry["fqn"], 0, 0)
        self.module["module_call_graph"].sort(key=called)

        def end(each):  # SPEC 6.8.3
            return self.main.key(each[0]), each[1]
        self.data["guards_code"] = sorted(self.data.get("guards_code", ()))
        pairs = [sorted(pair, key=end) for pair in self.data.get("equality_constraints", ())]
        self.data["equality_constraints"] = sorted(pairs, key=lambda pair: list(map(end, pair)))


def canonical(document, schema=None):
    """The epref form of a valid program; schema: the version demanded (SPEC 3.1.4)."""
    return Program(copy.deepcopy(document), schema).form()


def form_of(text, schema=None):
    """The same, of a document's text: as text."""
    return json.dumps(canonical(json.loads(text, parse_int=integer), schema))
