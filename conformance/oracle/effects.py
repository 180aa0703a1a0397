"""Effects: what the nodes of a graph do to each other (SPEC 6.3)."""

from collections import defaultdict

from format.annexes import rows
from oracle.programs import references

MODE, WORLD, OUTSIDE = ("MODE",), ("WORLD",), ("OUTSIDE",)  # no names of tensors


class Operator:
    """What all signatures of an overload say together (SPEC 6.3.2)."""

    def __init__(self):
        self.seeded = self.returns = False
        self.aliased, self.written = set(), set()  # names of arguments

    def add(self, row):
        self.seeded = self.seeded or row["tags"] == "SEEDED"
        self.returns = self.returns or row["returns"] is not None
        for argument in (row["arguments"] or "").split(", "):
            kind, _, name = argument.rpartition(" ")
            if "(" in kind:
                self.aliased.add(name.rstrip("="))
            if "!" in kind:
                self.written.add(name.rstrip("="))


class Targets:
    """The targets of nodes that the specification knows."""

    def __init__(self):
        self.lists, self.operators = defaultdict(set), defaultdict(Operator)
        self.higher, self.functions, self.modes = set(), set(), set()
        for row in rows("effects"):
            word, target = row["class"], row["target"]
            self.lists[word].add(target if word == "QUIET" else "torch.ops." + target)
        for row in rows("operators"):
            self.operators["torch.ops." + row["target"]].add(row)
        kinds = {"higher-order": self.higher, "function": self.functions, "unnamed": self.modes}
        for row in rows("targets"):
            kinds[row["kind"]].add(row["target"])

    def listed(self, target, *words):
        return any(target in self.lists[word] for word in words)


TARGETS = Targets()


class Effects:
    """Of the nodes of a graph: kinds; before, those that are right before each; written,
    the resources that each writes; and writers, of each resource."""

    def __init__(self, graph):
        self.nodes, self.subgraphs = graph.nodes, graph.subgraphs
        self.uses, self.gives = ([[name for tensor, name in each if tensor] for each in values]
                                 for values in (graph.uses, graph.gives))
        self.kinds = [self.kind(i) for i in range(len(self.nodes))]
        self.share(graph.data["inputs"])
        self.affect(graph)

    def kind(self, i):
        """SPEC 6.3.1."""
        target = self.nodes[i]["target"]
        if target in TARGETS.modes or TARGETS.listed(target, "MODE"):
            return "mode"
        if target in TARGETS.functions:
            return "known"
        operator = TARGETS.operators.get(target)
        if operator and target.startswith(("torch.ops.aten.", "torch.ops.prims.")):
            silent = not operator.returns and not operator.written
            if not TARGETS.listed(target, "ORDERED") and (
                    not silent or TARGETS.listed(target, "CHECK")):
                return "known"
        if target in TARGETS.higher and TARGETS.listed(target.rpartition(".")[2], "QUIET") and \
                not any(each.effects.writers for each in self.subgraphs[i]):
            return "quiet"
        return "unknown"

    def group(self, tensor):
        while tensor in self.joined:
            tensor = self.joined[tensor]
        return tensor

    def join(self, tensors):
        for each in tensors[1:]:
            one, other = self.group(tensors[0]), self.group(each)
            if one != other:
                self.joined[other] = one

    def under(self, i, arguments):
        """The tensors under the arguments of these names."""
        return [holder[key] for item in self.nodes[i]["inputs"] if item["name"] in arguments
                for tensor, holder, key in references(item["arg"]) if tensor]

    def share(self, inputs):
        """SPEC 6.3.2."""
        self.joined = {}
        self.join([OUTSIDE] + [holder[key] for argument in inputs
                               for tensor, holder, key in references(argument) if tensor])
        for i, node in enumerate(self.nodes):
            if self.kinds[i] != "known" or TARGETS.listed(node["target"], "ALIASES", "WRITES"):
                self.join(self.uses[i] + self.gives[i])
            elif self.operator(i).aliased:
                self.join(self.under(i, self.operator(i).aliased) + self.gives[i])

    def operator(self, i):
        return TARGETS.operators.get(self.nodes[i]["target"], Operator())

    def writes(self, i):
        """SPEC 6.3.3."""
        if self.kinds[i] in ("mode", "quiet"):
            return {MODE} if self.kinds[i] == "mode" else set()
        unknown, tensors = self.kinds[i] == "unknown", self.uses[i]
        if not unknown and not TARGETS.listed(self.nodes[i]["target"], "WRITES"):
            tensors = self.under(i, self.operator(i).written)
        world = {WORLD} if unknown or self.operator(i).seeded else set()
        return world.union(map(self.group, tensors))

    def affect(self, graph):
        """SPEC 6.3.3 to 6.3.5."""
        self.writers, self.written, self.before = defaultdict(list), [], []
        readers = defaultdict(list)
        for i in range(len(self.nodes)):
            self.written.append(self.writes(i))
            self.before.append(set(graph.definers(i)))
            for place in {MODE, *map(self.group, self.uses[i]), *self.written[i]}:
                if place in self.writers:
                    self.before[i].add(self.writers[place][-1])
                if place in self.written[i]:
                    self.before[i].update(readers.pop(place, ()))
                    self.writers[place].append(i)
                else:
                    readers[place].append(i)
