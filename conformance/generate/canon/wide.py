"""Programs that are deep or wide for every operation: nested as deep as every decoder goes,
and with hundreds of members wherever the format has a list, a dict or a text that nests.  No
member is like another, so that one that is lost or exchanged on the way is another program.
"""

from format.history import VERSIONS
from generate.canon import respellings as terms
from generate.canon.forms import Forms, subgraph
from generate.canon.torch import torched
from generate.migrate.everything import Documents
from generate.migrate.migrations import LATEST, kinds, written
from generate.migrate.steps import chain
from generate.language.texts import Texts
from generate.whole import (LEAF, MARK, NODES, Draft, Whole, arguments, call, entry, graph, leaves,
                            meta, tensor, tensors, tree, treespec, user_input, user_output)

MANY = (9, 280)          # more than few, and more than 256
LEVELS = 240             # of a text that may nest 256 deep
OLD = "7.3"


class Wide(Documents):
    """One program, by every operation."""

    def __init__(self, suite):
        super().__init__(suite)
        self.forms = Forms(suite)

    def read(self, label, version, text, clause, why):
        for operation, area, product in (("check", "program", None), ("encode", "encode", "same")):
            name = "%s/%s/%s" % (area, label, version)
            if name not in self.suite.vectors:
                self.vector(name, operation, version, text, clause, why, product=product,
                            options=VERSIONS[version].options)

    def migrated(self, label, low, high, drafts, clause, why):
        texts = written(low, drafts[0]), written(high, drafts[1])
        self.pair(label, low, high, texts, clause, why)
        for version, text in zip((low, high), texts):
            self.read(label, version, text, ["1.4.2", "1.4.3"], why)

    def formed(self, label, drafts, clause, why):
        """Drafts of one program, of the last version; the form is the oracle's."""
        self.forms.found(label, LATEST, drafts, clause, why)

    def torch(self, label, version, draft, why):
        """A program that has its torch form already."""
        name = "canon-torch/%s/%s" % (label, version)
        text = written(version, sorted_in_torch(draft))
        self.vector(name, "canon", version, text, ["6.9.1"], why, product="same",
                    options={"form": "torch"})


def sorted_in_torch(draft):
    made = torched(draft)
    header = made.data["header"]
    for key in ("range_constraints", "opset_version"):
        header[key] = dict(sorted(header.get(key, {}).items()))
    header["guards_code"] = sorted(header.get("guards_code", []))
    made.data["modules"] = sorted(made.data["modules"], key=lambda each: each["fqn"])
    return made


# ---- deep -----------------------------------------------------------------------------------


def graphs(levels):
    """A graph in a graph in a graph; each has a number of its own."""
    made = None
    for i in reversed(range(levels)):
        inputs = [("k", {"as_int": i}), ("x", tensor("a%d" % i))]
        if made is not None:
            inputs.append(("g", made))
        inner = graph([tensor("a%d" % i)], [call("mylib.f.default", inputs, tensor("b%d" % i))],
                      [tensor("b%d" % i)],
                      tensor_values={name % i: meta(i + 1) for name in ("a%d", "b%d")})
        made = {"as_graph": {"name": "g%d" % i, "graph": inner}}
    draft = Draft(header={"torch_version": "<=2.4"})
    draft.take(user_input(tensor("x"))).tensors(x=meta(2), y=meta(3))
    draft.node(call("mylib.g.default", {"g": made}, tensor("y")))
    return kinds(draft.give(user_output(tensor("y"))), None)


def dicts(levels):
    """A dict of Arguments in a dict, with one more beside it."""
    made = {"as_int": levels}
    for i in reversed(range(levels)):
        made = {"as_string_to_argument": {"b%d" % i: made, "a%d" % i: {"as_int": i}}}
    draft = Draft(header={"torch_version": "<=2.4"})
    draft.take(user_input(tensor("x"))).tensors(x=meta(2))
    draft.node(call("mylib.g.default", {"g": made}, []))
    return draft.give(user_output(tensor("x")))


def nested_terms():
    """(label, term, sort): each way in which an expression nests."""
    rows = (
        ("calls", lambda x, i: ("Max", [terms.integer(i + 1), x]), "int"),
        ("sums", lambda x, i: ("Add", [terms.S0, ("Mul", [x, terms.integer(i + 2)])])
         if i % 2 else ("Add", [("Mul", [terms.S1, x]), terms.integer(i + 2)]), "int"),
        ("divisions", lambda x, i: ("FloorDiv", [x, terms.integer(i + 2)]), "int"),
        ("powers", lambda x, i: ("Pow", [x, terms.integer(i + 2)]), "int"),
        ("pieces", lambda x, i: ("Piecewise", [
            ("ExprCondPair", [x, ("LessThan", [terms.S0, terms.integer(i)])]),
            ("ExprCondPair", [terms.integer(i), terms.TRUE])]), "int"),
    )
    for label, step, sort in rows:
        made = terms.U0
        for i in range(LEVELS // (2 if label in ("sums", "pieces") else 1)):
            made = step(made, i)
        yield label, made, sort
    made = ("LessThan", [terms.S0, terms.integer(1)])
    for i in range(LEVELS // 3):
        other = ("StrictGreaterThan", [terms.S1, terms.integer(i)])
        made = (("And", [made, other]), ("Or", [other, made]), ("Not", [made]))[i % 3]
    yield "truths", made, "bool"


def wide_terms():
    """(label, term, sort): each function that takes any number of arguments, with many."""
    numbers = [terms.integer(i) for i in (*range(150, 300), *range(2, 150))]
    truths = [("StrictLessThan", [terms.S0, number]) for number in numbers]
    for name in ("Add", "Mul", "Max", "Min"):
        yield name.lower(), (name, [terms.S0, *numbers, terms.S1]), "int"
    for name in ("And", "Or"):
        yield name.lower(), (name, truths), "bool"
    yield "piecewise", ("Piecewise", [("ExprCondPair", [number, truth])
                                      for number, truth in zip(numbers, truths)]), "int"
    yield "indicator", ("IsNonOverlappingAndDenseIndicator", numbers), "int"
    symbols = [terms.symbol("s%d" % (i * 3 % 280)) for i in range(280)]
    yield "symbols", ("Add", [*symbols, *[("Mul", [each, terms.integer(i + 2)])
                                          for i, each in enumerate(symbols[::9])]]), "int"
    yield "terms", ("Add", [("Mul", [number, terms.S0]) for number in numbers]), "int"


def expressions(to):
    for way, rows in (("deep", nested_terms()), ("wide", wide_terms())):
        for label, term, sort in rows:
            drafts = [terms.draft_of(text, sort) for text in (terms.infix(term), terms.srepr(term))]
            if label == "symbols":
                for draft in drafts:
                    draft.data["header"]["range_constraints"] = {
                        "s%d" % i: {"min_val": i, "max_val": 999} for i in range(280)}
            label = "%s-%s" % (way, label)
            why = "An expression of many terms." if way == "wide" else "Terms in terms."
            to.migrated(label, OLD, LATEST, drafts, ["7.5.1", "1.4.2"], why)
            to.formed(label, [drafts[1]], ["6.7.2"], why)
            to.forms.other(label, "infix", OLD, written(OLD, drafts[0]), ["6.1.1", "6.7.2"], why)


def assumed(suite):
    """A symbol that is another, behind hundreds that are not."""
    texts = Texts(suite, LATEST, "expression")
    symbols = ["Symbol('s%d', integer=True)" % i for i in range(280)]
    for i in (0, 100, 279):
        again = MARK + symbols[i].replace("integer", "positive=True, integer")
        texts.bad("wide-again-%d" % i, texts.sorted_text("int", "Add(%s)" % ", ".join(
            [*symbols, again])), "EP_EXPR_SYMBOL", None, "s%d has other assumptions there." % i)
    for name in ("max", "min"):
        deep = "%s(" % name + "(" * 230 + "1" + ")" * 230
        Texts(suite, LATEST, "guard").bad(
            "deep-few-" + name, Texts.guard(deep + MARK + ") == 1"), "EP_GUARD", None,
            "One argument, far inside.")


def texts(to):
    """Trees, guards and the nodes that a node comes from."""
    node = tree("builtins.tuple", "null", [LEAF])
    for i in range(LEVELS // 2 - 6):
        node = tree("builtins.dict", '["k%d"]' % i, [node]) if i % 2 else tree(
            "builtins.list", "null", [node])
    wide = tree("builtins.dict", "[%s]" % ", ".join('\"k%d\"' % i for i in range(300)),
                [LEAF] * 300)
    for label, spec, count in (("tree", node, 1), ("wide-tree", wide, 300)):
        draft, values = chain(3)
        given = [tensor(values[i % 3]) for i in range(count)]
        draft.data["modules"] = [entry("sub", given, given, in_spec=treespec(spec),
                                       out_spec=treespec(spec))]
        to.migrated("deep-" + label, OLD, LATEST, (draft, draft), ["7.5.4", "1.4.2"],
                    "A tree with many nodes.")
        to.formed("deep-" + label, [draft], ["6.8.3"], "A tree with many nodes.")
    calls = "L['x'].item()"
    for i in range(230):
        calls = ("max(%d, %s)" % (i, calls) if i % 3 else
                 "(%d if %s == 2 else %d)" % (i, calls, i + 1) if i % 2 else
                 "(%d + %s)" % (i, calls))
    guards = (calls + " == 1", "(" * LEVELS + "L['x'].size()[0]" + ")" * LEVELS + " <= 9",
              " and ".join("L['x'].size()[0] != %d" % i for i in range(300)),
              "max(%s) > 2" % ", ".join("L['x%d'].size()[0]" % i for i in range(300)))
    draft, _ = chain(1)
    draft.data["header"]["guards_code"] = sorted(guards)
    for low, high in (("8.11", LATEST), ("8.14", "8.15")):
        to.migrated("deep-guards", low, high, (draft, draft), ["7.1.2", "4.4.1"],
                    "Guards that nest, and that go on.")
    to.formed("deep-guards", [draft], ["6.8.1"], "Guards that nest, and that go on.")


def deep(to):
    for label, levels in (("graphs", 8), ("graphs-more", 25)):
        for low, high in (("7.3", LATEST), ("1", LATEST), ("5.1", "5.3")):
            to.migrated("deep-" + label, low, high, (graphs(levels), graphs(levels)),
                        ["7.1.2", "1.4.2"], "%d graphs in each other." % levels)
        to.formed("deep-" + label, [graphs(levels)], ["6.6.2"], "%d graphs in each other." % levels)
    for levels in (20, 100):
        to.migrated("deep-dicts-%d" % levels, "8.15", LATEST, (dicts(levels), dicts(levels)),
                    ["7.1.2", "1.4.2"], "%d dicts in each other." % levels)
        to.formed("deep-dicts-%d" % levels, [dicts(levels)], ["6.8.1"],
                  "%d dicts in each other." % levels)


# ---- wide -----------------------------------------------------------------------------------


def turned(items, turn):
    """The same, in another order."""
    items = list(items)
    return items[turn:] + items[:turn][::-1] if turn else items


def many(count, turn=0, version=LATEST):
    """Of everything so many; turn: dicts and sorted lists in another order."""
    def dict_of(pairs):
        return dict(turned(pairs, turn))
    names = range(count)
    draft = Draft(header={
        "torch_version": "<=2.4", "opset_version": dict_of(("ns%d" % i, i + 1) for i in names),
        "range_constraints": dict_of(("s%d" % i, {"min_val": i, "max_val": 2 * i + 2})
                                     for i in names),
        "guards_code": turned(["L['x%d'].size()[0] >= %d" % (i, i) for i in names], turn)})
    if version == LATEST:
        draft.data["module"]["treespec_namedtuple_fields"] = dict_of(
            ("m.N%d" % i, {"field_names": ["f%d" % k for k in range(i % 5)]}) for i in names)
    draft.take(*[user_input(tensor("x%d" % i)) for i in names])
    symbol = "Symbol('s%d', positive=True, integer=True)" if version == LATEST else "s%d"
    values = [("x%d" % i, meta(symbol % i, i + 1, strides=[i + 1, 1])) for i in names]
    values += [("y%d" % i, meta(i + 1)) for i in names]
    nodes = [call("aten.add.Tensor", {"self": tensor("x%d" % i), "other": tensor(
        "x%d" % ((i * 7 + 1) % count))}, tensor("y%d" % i)) for i in names]
    draft.node(*turned(nodes, turn))
    graphs_of = [("g%d" % i, subgraph("h%d" % i, "v0", [call("aten.relu.default", {
        "self": tensor("v0")}, tensor("v1"))], "v1")) for i in names]
    draft.node(call("mylib.f.default", graphs_of, []),
               call("mylib.g.default", {"l": tensors(*["y%d" % (i * 11 % count) for i in names]),
                                        "i": {"as_ints": list(names)}}, []))
    for turn_of in (0, 1):  # the second time, all are known
        draft.node(*[call("mylib.h%d.default" % i, {"i": {"as_int": i + turn_of}}, [])
                     for i in names])
    draft.tensors(**dict_of(values))
    modules = [entry("m%d" % i, [tensor("x%d" % i)], [tensor("y%d" % i)]) for i in names]
    draft.data["modules"] = turned(modules, turn)
    return kinds(draft.give(*[user_output(tensor("y%d" % i)) for i in names]), None)


def wide(to):
    for count in MANY:
        label, why = "wide-%d" % count, "%d of each." % count
        drafts = many(count, 0, OLD), many(count)
        for one in drafts:
            one.data["header"].pop("guards_code")
            one.data["module"].pop("treespec_namedtuple_fields", None)
        to.migrated(label, OLD, LATEST, drafts, ["7.1.2", "7.5.1"], why)
        to.formed(label, [many(count), many(count, count // 2 + 1)], ["6.5.1", "6.8.1"], why)
    calls(to)
    alike(to)


def calls(to):
    """A chain of nodes, which has one order only, and its modules."""
    for count in MANY:
        draft, values = chain(count)
        draft.data["modules"] = [entry("m.%d" % i, [tensor(one)], [tensor(other)])
                                 for i, (one, other) in enumerate(zip(values, values[1:]))]
        draft.data["header"]["opset_version"] = {"ns%d" % i: i for i in range(count)}
        for version in (OLD, "8.7", LATEST):
            to.torch("wide-chain-%d" % count, version, draft, "A chain of %d nodes." % count)
        several(to, count)


def alike(to):
    """Two graphs of one name with hundreds of nodes, that are equal, and that differ in one."""
    def made():
        return subgraph("same", "v0", [call("mylib.f%d.default" % i, {
            "self": tensor("v0"), "i": {"as_ints": [i, i + 1]}}, []) for i in range(280)], "v0")
    draft = Draft(header={"torch_version": "<=2.4"}).take(user_input(tensor("x")))
    draft.tensors(x=meta(2)).node(*[call("mylib.g%d.default" % i, {"g": made()}, [])
                                    for i in range(2)])
    whole = Whole(to.suite, "subgraph/wide", draft.give(user_output(tensor("x"))), LATEST,
                  ["5.2.2"], "Two equal graphs.")
    for i in (0, 140, 279):
        def change(data, i=i):
            nodes = data["graph"]["nodes"][1]["inputs"][0]["arg"]["as_graph"]["graph"]["nodes"]
            nodes[i]["inputs"][1]["arg"]["as_ints"][1] += 1
        whole.bad("wide-but-%d" % i, change, "EP_SUBGRAPH_TWICE",
                  NODES + "1/inputs/0/arg/as_graph/name", "Another number in node %d." % i)


def several(to, count):
    """A module that is called so often; and a symbol in each place of a tensor."""
    def module(apart):
        draft, values = chain(9)
        takes = [tensor(values[i * 7 % 9]) for i in range(count)]
        gives = [tensor(values[i * 5 % 9]) for i in range(count)]
        if apart:
            draft.data["modules"] = [
                entry("m" + ("@%d" % i if i else ""), [taken], [given], in_spec=arguments(1),
                      out_spec=leaves(1)) for i, (taken, given) in enumerate(zip(takes, gives))]
        else:
            draft.data["modules"] = [entry("m", takes, gives, in_spec=arguments(1),
                                           out_spec=leaves(1))]
        return draft
    to.migrated("wide-calls-%d" % count, "7.4", "8.1-a", (module(False), module(True)), ["7.4.5"],
                "A module, %d times." % count)


def vectors(suite):
    assumed(suite)
    to = Wide(suite)
    for part in (deep, expressions, texts, wide):
        part(to)
