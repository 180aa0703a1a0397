"""Which nodes and inputs of two programs are taken for each other, where several may be: at the
ends of a graph, in the gaps beside what stands once in both, and by what an input is.
"""

import copy

from generate.products.diff_tables import everything
from generate.products.diffs import GRAPH, NODES, SIGNATURE, Pairs, row
from generate.products.diffs_more import HEADER, TOLD, gone, new, row_of, target
from generate.whole import (Draft, call, custom_obj, graph, meta, parameter, spec, tensor,
                            user_input, user_output)

# ---- nodes ------------------------------------------------------------------------------

FAR = ["n%d" % i for i in range(46)]  # with one more, as far as nodes are looked for
LINES = (  # (label, one, other, rows)
    ("last", "a", "b a a", [new(0), new(1)]),
    ("last-but-one", "a b", "c a b a b", [new(0), new(1), new(2)]),
    ("gap", "a1 a2 a2 m v", "a2 m x", [gone(0), gone(2), target(4, 2, "v", "x")]),
    ("gap-last", "k l m a1 a2 a2 v", "m a2 a2 x",
     [gone(0), gone(1), gone(3), target(6, 3, "v", "x")]),
    ("gap-ends", "u a1 a2 a2 m v", "w a2 m x",
     [target(0, 0, "u", "w"), gone(1), gone(3), target(5, 3, "v", "x")]),
    ("across", "r r m v", "m r x", [gone(0), gone(1), target(3, 1, "v", "r"), new(2)]),
    ("anchors", "s r r m v", "t m r x",
     [target(0, 0, "s", "t"), gone(1), gone(2), target(4, 2, "v", "r"), new(3)]),
    ("gap-between", "k a m a n s", "m a n t", [gone(0), gone(1), target(5, 3, "s", "t")]),
)


def lines(suite):
    for label, one, other, rows in LINES:
        pairs = Pairs(suite, "matched-" + label, row_of(one))

        def change(data, other=other):
            data["graph"]["nodes"] = row_of(other)["graph"]["nodes"]
        pairs.pair("other", change, rows, "Nodes that stand more than once.")


def far(suite):
    """As far as nodes are looked for, behind one that stands once in both."""
    one = row_of(" ".join(["k", "m", *FAR, "a9", "a1", "a1", "v"]))
    pairs = Pairs(suite, "matched-far", one)

    def change(data):
        data["graph"]["nodes"] = row_of("m a1 x")["graph"]["nodes"]
    rows = [gone(i) for i in (0, *range(2, 2 + len(FAR) + 1))]
    left = len(rows) + 2 - TOLD  # the second a1, and v that became x
    pairs.pair("other", change, rows[:TOLD], "The nearest that is alike is far away.", more=left)


def numbered_row(letter, first, end):
    return " ".join("%s%d" % (letter, i) for i in range(first, end))


STEPS = (  # (label, one, other, how many of the last differences are told in number alone)
    # one "a" is 30 nodes from the beginning, and the other 20: further than are looked for, and
    # in the 24 nodes of each that are then left
    ("left", "%s a1 a1 %s" % (numbered_row("p", 0, 20), numbered_row("p", 20, 30)),
     numbered_row("q", 0, 30) + " a1", 24 + 7 + 1),
    # the "b" is behind those 24, and is found from there
    ("behind", numbered_row("p", 0, 30) + " b1 b1 s", numbered_row("q", 0, 31) + " b1 t",
     30 + 1 + 1 + 1))


def stepped(suite):
    """Nodes that are looked for further than a window reaches: in steps of half a window."""
    for label, one, other, count in STEPS:
        pairs = Pairs(suite, "matched-" + label, row_of(one))

        def change(data, other=other):
            data["graph"]["nodes"] = row_of(other)["graph"]["nodes"]
        pairs.pair("other", change, [target(i, i, "p", "q") for i in range(TOLD)],
                   "What is alike is further away than is looked for.", more=count - TOLD)


def beyond(suite):
    """One further than nodes are looked for: the nearest of the same operator is taken."""
    count = len(FAR) + 1
    one = row_of(" ".join(["k", "m", numbered_row("n", 0, count), "a9", "a1", "a1", "v"]))
    pairs = Pairs(suite, "matched-beyond", one)

    def change(data):
        data["graph"]["nodes"] = row_of("m a1 x")["graph"]["nodes"]
    # then an argument (a9, a1), an operator (a1, x), and the second a1 and v, which are gone
    left = 1 + count + 4 - TOLD
    pairs.pair("other", change, [gone(i) for i in (0, *range(2, TOLD + 1))],
               "The nearest that is alike is too far away.", more=left)


def signs(suite):
    """Nodes that differ in the signs of several numbers alone."""
    def node(sign):
        return call("mylib.a.default", {"p": {"as_floats": [sign * 1.5, sign * 2.5]}}, [])
    draft = Draft(graph(nodes=[node(1), node(-1)]), header=copy.deepcopy(HEADER))
    draft.take(user_input(tensor("x"))).tensors(x=meta(2)).give(user_output(tensor("x")))
    pairs = Pairs(suite, "matched-signs", draft.data)
    pairs.pair("other", lambda data: data["graph"]["nodes"].pop(0), [gone(0)],
               "Numbers that differ in their signs.")


def empty_lists(suite):
    """Texts that a list of nothing leaves beside each other."""
    def node(**said):
        return call("mylib.a.default", said, [])
    first = node(p={"as_strings": []}, q={"as_string": "r"})
    draft = Draft(graph(nodes=[first]), header=copy.deepcopy(HEADER))
    draft.take(user_input(tensor("x"))).tensors(x=meta(2)).give(user_output(tensor("x")))
    pairs = Pairs(suite, "matched-lists", draft.data)

    def change(data):
        data["graph"]["nodes"].insert(0, node(p={"as_strings": ["q", "r"]}))
    pairs.pair("other", change, [new(0)], "A node before the one that both have.")


# ---- inputs -------------------------------------------------------------------------------


def by_kind(suite):
    """Nodes that differ in nothing but the kind of the input that they take."""
    draft = Draft(header=copy.deepcopy(HEADER)).take(spec("token", "t"), user_input(tensor("x")))
    draft.tensors(t=meta(), x=meta(2))
    draft.node(*[call("mylib.a.default", {"self": tensor(name)}, []) for name in "tx"])
    draft.give(spec("token", "t"), user_output(tensor("x")))
    pairs = Pairs(suite, "matched-kinds", draft.data)

    def change(data):
        data["graph"]["nodes"] = [data["graph"]["nodes"][1], call("mylib.z.default", {}, [])]
    pairs.pair("other", change, [gone(0), new(1)], "A token, and an input of the user.")


def changed_inputs(suite):
    """Inputs that only one has, or that are of another kind."""
    inputs = SIGNATURE + "input_specs/%d"
    pairs = Pairs(suite, "every-kind-more", everything())

    def more(data):
        data["input_specs"].insert(1, parameter("new", "first"))
        data["graph"]["inputs"].insert(1, tensor("new"))
        data["graph"]["tensor_values"]["new"] = meta(5)
    pairs.pair("parameter", more, [row("signature", "InputSpec", None, None, inputs % 1)],
               "A parameter before others: all values have other numbers.")
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x")))
    draft.tensors(x=meta(2), y=meta(2))
    draft.node(call("mylib.f.default", {"a": tensor("x")}, tensor("y")))
    pairs = Pairs(suite, "last-value", draft.give(user_output(tensor("y"))).data)

    def other(data):
        data["input_specs"].insert(0, parameter("p", "w"))
        data["graph"]["inputs"].insert(0, tensor("p"))
        data["graph"]["tensor_values"].update(p=meta(5), y=meta(2, dtype=8))
    where = GRAPH + "tensor_values/y/dtype"
    pairs.pair("parameter", other, [row("signature", "InputSpec", None, None, inputs % 0),
                                    row("value", "TensorMeta", "dtype", where, where)],
               "The last value has another number, and is another tensor.")
    draft = Draft(header=copy.deepcopy(HEADER)).take(spec("token", "t"), user_input(tensor("x")))
    draft.tensors(t=meta(), x=meta(2)).give(spec("token", "t"), user_output(tensor("x")))
    pairs = Pairs(suite, "token", draft.data)

    def without(data):
        for side in ("in", "out"):
            data[side + "put_specs"].pop(0)
            data["graph"][side + "puts"].pop(0)
        del data["graph"]["tensor_values"]["t"]
    pairs.pair("none", without, [row("signature", "InputSpec", None, inputs % 0, None),
                                 row("signature", "OutputSpec", None,
                                     SIGNATURE + "output_specs/0", None)],
               "A token that only one has.")
    draft = Draft(header=copy.deepcopy(HEADER)).take(
        user_input(tensor("x")), {"constant_input": {"name": "k", "value": {"as_int": 3}}})
    draft.tensors(x=meta(2)).give(user_output(tensor("x")))
    pairs = Pairs(suite, "constant", draft.data)

    def given(data):
        data["input_specs"][1] = user_input({"as_int": 3})
    where = inputs % 1
    pairs.pair("user", given, [row("signature", "InputSpec", None, where, where)],
               "A constant that is named, and one that is not.")


def of_subgraphs(suite):
    """A subgraph that takes more, with what else is told of the node."""
    def inner(count):
        names = ["i%d" % i for i in range(count)]
        return graph([tensor(name) for name in names],
                     [call("mylib.s.default", {"a": tensor("i0")}, tensor("j"))], [tensor("j")],
                     tensor_values={name: meta(2) for name in (*names, "j")})
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x")))
    draft.tensors(x=meta(2), r=meta(2))
    draft.node(call("higher_order.wrap", {
        "f": {"as_graph": {"name": "g", "graph": inner(3)}}, "a": tensor("x"), "b": tensor("x"),
        "c": tensor("x")}, tensor("r"), is_hop_single_tensor_return=False))
    data = draft.give(user_output(tensor("r"))).data

    def fewer(data):
        node = data["graph"]["nodes"][0]
        node["inputs"][0]["arg"]["as_graph"]["graph"] = inner(1)
        node["inputs"] = node["inputs"][:2]
    where = NODES + "0/inputs/%d"
    hop = "torch.ops.higher_order.wrap"
    rows = [row("argument", "NamedArgument", None, where % i, None, target=hop, argument=name)
            for i, name in ((2, "b"), (3, "c"))]
    rows += [row("subgraph", "Argument", None, where % 0 + "/arg/as_graph/graph/inputs/%d" % i,
                 None) for i in (1, 2)]
    for label, options in (("inputs", None), ("inputs-provenance", {"provenance": True})):
        Pairs(suite, "subgraph-" + label, copy.deepcopy(data), options=options).pair(
            "fewer", fewer, rows, "A subgraph that takes one value, and one that takes three.")


def parameter_more(pairs, label, why):
    """A pair whose other program has a parameter before all inputs."""
    def more(data):
        data["input_specs"].insert(0, parameter("p", "w"))
        data["graph"]["inputs"].insert(0, tensor("p"))
        data["graph"]["tensor_values"]["p"] = meta(5)
    pairs.pair(label, more, [row("signature", "InputSpec", None, None,
                                 SIGNATURE + "input_specs/0")], why)


def named_anew(suite):
    """Names that the form gives by number: of subgraphs and constants behind one that only one
    program has, and of an object, which is a value in one node and beside the program in another."""
    def held(name, count):
        values = ["i%d" % i for i in range(count + 1)]
        nodes = [call("mylib.s.default", {"a": tensor(one)}, tensor(other))
                 for one, other in zip(values, values[1:])]
        inside = graph([tensor("i0")], nodes, [tensor(values[-1])],
                       tensor_values={each: meta(2) for each in values})
        return {"as_graph": {"name": name, "graph": inside}}
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x")))
    draft.tensors(x=meta(2), r=meta(2), s=meta(2))
    draft.node(*[call("higher_order.wrap", {"f": held(name, count), "a": tensor("x")},
                      tensor(value), is_hop_single_tensor_return=False)
                 for name, count, value in (("g", 1, "r"), ("h", 2, "s"))])
    pairs = Pairs(suite, "subgraph-names", draft.give(user_output(tensor("s"))).data)

    def fewer(data):
        del data["graph"]["nodes"][0], data["graph"]["tensor_values"]["r"]
    pairs.pair("fewer", fewer, [gone(0)], "The subgraph of the second node has another name.")
    draft = Draft(header=copy.deepcopy(HEADER)).take(
        user_input(tensor("x")), {"constant_input": {"name": "k", "value": {"as_int": 3}}})
    draft.tensors(x=meta(2)).give(user_output(tensor("x")))
    pairs = Pairs(suite, "constant-name", draft.data)
    parameter_more(pairs, "parameter", "The constant behind has another name.")
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x"))).tensors(x=meta(2))
    draft.node(call("mylib.m.default", {"a": tensor("x")}, custom_obj("o")),
               *[call("mylib.f.default", {"a": custom_obj(name)}, []) for name in ("o", "beside")],
               call("mylib.y.default", {}, []))
    draft.table("custom_obj_values", o=custom_obj("o")["as_custom_obj"])
    pairs = Pairs(suite, "object-beside", draft.give(user_output(tensor("x"))).data)

    def beside(data):
        del data["graph"]["nodes"][1]
        data["graph"]["nodes"][-1]["target"] = "torch.ops.mylib.z.default"
    pairs.pair("alone", beside, [gone(1), target(3, 2, "y", "z")],
               "A node that takes a value, and one that takes what is beside the program.")


def moved_inside(suite):
    """In a subgraph, nodes that differ in what they take alone: an input, or a value."""
    def inner(*order):
        nodes = [call("mylib.f.default", {"a": tensor("j")}, tensor("p")),
                 call("mylib.g.default", {"a": tensor("i")}, tensor("n")),
                 call("mylib.f.default", {"a": tensor("n")}, tensor("q"))]
        return graph([tensor("i"), tensor("j")], [nodes[k] for k in order],
                     [tensor("p"), tensor("q")],
                     tensor_values={name: meta(2) for name in "ijpnq"})
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x")))
    draft.tensors(x=meta(2), r=meta(2), s=meta(2))
    draft.node(call("higher_order.wrap", {
        "f": {"as_graph": {"name": "g", "graph": inner(0, 1, 2)}}, "a": tensor("x"),
        "b": tensor("x")}, [tensor("r"), tensor("s")]))
    pairs = Pairs(suite, "matched-inside", draft.give(user_output(tensor("r"))).data)

    def change(data):
        held = data["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]
        held["graph"] = inner(1, 2, 0)
    where = NODES + "0/inputs/0/arg/as_graph/graph/outputs/0/as_tensor/name"
    pairs.pair("moved", change, [row("order", "TensorArgument", "name", where, where)],
               "The same nodes, of which the first comes last.")


def inputs_of_subgraphs(suite):
    """Nodes in a subgraph that differ in what they take: an input, or what a node gives."""
    names = ("i", "j", "k")
    inside = graph([tensor("i"), tensor("j")], [
        call("mylib.g.default", {}, tensor("k")),
        *[call("mylib.s.default", {"a": tensor(name)}, []) for name in ("k", "i", "j")]],
        [tensor("i")], tensor_values={name: meta(2) for name in names})
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x")))
    draft.tensors(x=meta(2), r=meta(2))
    draft.node(call("higher_order.wrap", {
        "f": {"as_graph": {"name": "g", "graph": inside}}, "a": tensor("x"), "b": tensor("x")},
        tensor("r"), is_hop_single_tensor_return=False))
    pairs = Pairs(suite, "subgraph-takes", draft.give(user_output(tensor("r"))).data)
    for label, left in (("first", (2,)), ("second", (3,)), ("inputs", (2, 3))):
        def change(data, left=left):
            made = data["graph"]["nodes"][0]["inputs"][0]["arg"]["as_graph"]["graph"]
            made["nodes"] = [made["nodes"][i] for i in (0, *left)]
        where = NODES + "0/inputs/0/arg/as_graph/graph/nodes/%d"
        rows = [row("node", "Node", None, where % i, None) for i in (1, 2, 3) if i not in left]
        pairs.pair(label, change, rows, "Some of the nodes alone.")


NUMBERS = ("0", "1", "2", "3", "999999999", "4294967295", "4294967296", "4294967297", "9999999999",
           "18446744073709551616")


def numbered(suite):
    """Constants beside the program whose names are numbers of values, or beyond them."""
    for number in NUMBERS:
        draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x"))).tensors(
            x=meta(2), y=meta(2))
        draft.node(call("mylib.f.default", {"a": tensor("x"), "o": custom_obj("v" + number)},
                        tensor("y")))
        pairs = Pairs(suite, "numbered-" + number, draft.give(user_output(tensor("y"))).data)
        parameter_more(pairs, "more", "One constant in both, and an input more.")


def vectors(suite):
    for part in (lines, far, stepped, beyond, signs, empty_lists, by_kind, changed_inputs,
                 of_subgraphs, named_anew, moved_inside, inputs_of_subgraphs, numbered):
        part(suite)
