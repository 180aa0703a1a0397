"""Canonical forms: the order of the nodes (SPEC 6.4): those that outputs need,
those that write, and the rest, which are told apart by what they look like and
by their neighbours.
"""

import copy

from generate.canon import (LATEST, SHOWN, TYPED, Forms, argument, numbered, op, program, reordered,
                            subgraph)
from generate.canon_effects import NEW, clone, mode, neg, own, relu, view, write
from generate.migrate import Raw
from generate.whole import call, graph, meta, parameter, sym_int, tensor, tensors

PLAIN = {"verifiers": [], "dialect": ""}


def add(one, other, output):
    return op("aten.add.Tensor", output, self=one, other=other)


def dead(nodes, inputs="x", outputs="k", **more):
    """A program of these nodes, and of one that gives the output."""
    return program(inputs, [relu("x", "k")] + nodes, outputs, PLAIN, **more)


# ---- 6.4.1, 6.4.2, 6.4.7 ------------------------------------------------------------


def outputs(to):
    nodes = [relu("x", "a"), neg("x", "b"), op("aten.sin.default", "c", self="x"),
             add("b", "a", "d"), add("c", "d", "e"), op("aten.cos.default", "f", self="b")]
    # e needs c, then d, which needs b, then a
    order = (2, 1, 0, 3, 4, 5)
    whole = program("x", nodes, "e f")
    for version in SHOWN + TYPED:
        form = to.form("visits", version, numbered(reordered(whole, *order)), ["6.4.1", "6.4.7"],
                       "Nodes stand as the outputs need them.")
        for i, turn in enumerate(((0, 1, 2, 3, 4, 5), (1, 5, 2, 0, 3, 4), (2, 1, 0, 3, 5, 4))):
            to.case(form, "order-%d" % i, reordered(whole, *turn), ["6.4.1", "6.4.7"],
                    "Another order.")
    deep = [relu("x", "n0")] + [relu("n%d" % i, "n%d" % (i + 1)) for i in range(20)]
    deep += [neg("x", "m0")] + [neg("m%d" % i, "m%d" % (i + 1)) for i in range(20)]
    chain = program("x", deep, "n20 m20")
    for version in SHOWN:
        form = to.form("visits-chains", version, numbered(chain), ["6.4.1"], "Two chains.")
        mixed = [i // 2 + 21 * (i % 2) for i in range(42)]
        to.case(form, "order-0", reordered(chain, *mixed), ["6.4.1", "6.4.7"], "One and one.")
        to.case(form, "order-1", reordered(chain, *range(21, 42), *range(21)), ["6.4.1"],
                "The other one first.")


def writers(to):
    """What no output needs, but writes."""
    nodes = [relu("x", "k"), clone("x", "c"), view("c", "d"), write("c", "w"), relu("d", "u"),
             write("d", "z")]
    whole = program("x", nodes, "u", PLAIN)
    for version in SHOWN:
        # u: c, d, u; then the writers of the group of c: w, z; then k
        form = to.form("writers", version, numbered(reordered(whole, 1, 2, 3, 4, 5, 0)),
                       ["6.4.2", "6.4.7"], "Writers of what an output is, then the rest.")
        to.case(form, "order-0", whole, ["6.4.2"], "The rest first.")
        to.case(form, "order-1", reordered(whole, 1, 2, 3, 0, 4, 5), ["6.4.2"], "Between.")
    nodes = [relu("x", "k"), clone("y", "e"), write("x", "a"), own("e", "b"), write("y", "c")]
    for version in SHOWN:
        # after k: WORLD: e, b; then OUTSIDE: a, c
        whole = program("x y", nodes, "k", PLAIN)
        form = to.form("writers-places", version, numbered(reordered(whole, 0, 1, 3, 2, 4)),
                       ["6.4.2"], "WORLD before OUTSIDE.")
        to.case(form, "order-0", whole, ["6.4.2"],
                "The writers of different places the other way round.")
    nodes = [relu("x", "k"), op("_operator.add", sym_int("n"), a=1, b=2), clone("x", "c"),
             op("torch._C._set_grad_enabled", "", ("", sym_int("n"))), own("c", "r"),
             write("x", "a")]
    whole = program("x", nodes, "k", PLAIN, sym_int_values={"n": 3})
    for version in NEW:
        # after k: MODE: n, the mode; WORLD: c, r; OUTSIDE: a
        form = to.form("writers-mode", version, numbered(whole), ["6.4.2"],
                       "MODE before WORLD before OUTSIDE.")
        to.case(form, "order-0", reordered(whole, 2, 1, 0, 3, 5, 4), ["6.4.2"],
                "What they need the other way round.")
    nodes = [relu("x", "k"), write("x", "a"), write("x", "b")] + looked("k", "c d e f")
    whole = program("x", nodes, "k", PLAIN)
    for version in SHOWN:
        made = [reordered(whole, *turn) for turn in (range(7), (0, 6, 5, 4, 3, 1, 2))]
        to.found("writers-outside", version, made, ["6.4.2"], "OUTSIDE before the rest.")
    nodes = [clone("x", "c"), clone("c", "d"), write("d", "w"), write("c", "v"), clone("x", "e"),
             add("d", "e", "o"), write("e", "y")]
    whole = program("x", nodes, "o", PLAIN)
    turns = [(0, 1, 2, 3, 4, 5, 6), (0, 1, 3, 2, 4, 5, 6), (4, 0, 1, 3, 2, 5, 6)]
    for version in SHOWN:
        to.found("writers-groups", version, [reordered(whole, *turn) for turn in turns],
                 ["6.4.2", "6.4.7"], "Groups in the order of the ranks.")


# ---- 6.4.3 to 6.4.6: faces ---------------------------------------------------------------


def told_apart(to, label, versions, nodes, why, clause=("6.4.3", "6.4.4"), **more):
    """Nodes that nobody needs, in two orders."""
    count = len(nodes)
    orders = [range(count), range(count - 1, -1, -1),
              [i for i in range(count) if i % 2] + [i for i in range(count) if not i % 2]]
    for version in versions:
        made = [reordered(dead(nodes, **copy.deepcopy(more)), 0, *[i + 1 for i in order])
                for order in orders]
        to.found("rest-" + label, version, made, list(clause), why)


def each_with(target, key, values, **before):
    return [op(target, "d%d" % i, *[(name, argument(value)) for name, value in before.items()],
               (key, value)) for i, value in enumerate(values)]


TYPES = [7, 6, 8, 5, 4, 3]


def constants(to):
    floats = (0.0, -0.5, 1e-05, 1e+16, 0.1)
    told_apart(to, "int", SHOWN, each_with("aten.select.int", "index", [
        {"as_int": i} for i in (0, 1, -1, 10, 7, 100)], self="x", dim=0), "Ints.")
    told_apart(to, "float", SHOWN, each_with("aten.add.Scalar", "other", [
        {"as_float": i} for i in floats], self="x"), "Floats.")
    told_apart(to, "float-special", (LATEST,), each_with("aten.add.Scalar", "other", [
        {"as_float": i} for i in ("Infinity", "-Infinity", "NaN")] + [{"as_float": 1.0}], self="x"),
        "Floats that are no numbers.")
    told_apart(to, "float-special", ("7.3", "8.2"), each_with("aten.add.Scalar", "other", [
        {"as_float": Raw(i)} for i in ("Infinity", "-Infinity", "NaN")] + [{"as_float": 1.0}],
        self="x"), "Floats that are no numbers.")
    told_apart(to, "kinds", SHOWN, each_with("aten.add.Scalar", "other", [
        {"as_float": 1.0}, {"as_int": 1}, {"as_bool": True}, {"as_bool": False}, {"as_int": 0},
        {"as_float": 0.0}], self="x"), "One number, of three kinds.")
    told_apart(to, "string", SHOWN, each_with("aten.div.Tensor_mode", "rounding_mode", [
        {"as_string": "floor"}, {"as_string": "trunc"}, {"as_none": True}, {"as_string": ""},
        {"as_string": "\u00e9\U0001f600\n"}], self="x", other="x"), "Strings, and none.")
    told_apart(to, "complex", ("8.14", LATEST), each_with("aten.add.Scalar", "other", [
        {"as_complex": {"real": one, "imag": other}} for one, other in (
            (0.5, 1.5), (1.5, 0.5), (0.0, -1.0), (1e+16, 1e-05), (2.0, 0.0), (0.0, 2.0),
                (0.25, 0.25), (-0.5, -1.5))], self="x"), "Complex numbers.")
    told_apart(to, "dtype", SHOWN, each_with("aten._to_copy.default", "dtype", [
        {"as_scalar_type": i} for i in TYPES], self="x"), "Dtypes, by their names.")
    told_apart(to, "dtype-renamed", ("7.4", "8.1-b"), each_with("aten._to_copy.default", "dtype", [
        {"as_scalar_type": i} for i in (14, 7, 6, 8)], self="x"), "One that is called anew later.")
    told_apart(to, "dtype-renamed", (LATEST,), each_with("aten._to_copy.default", "dtype", [
        {"as_scalar_type": i} for i in (28, 7, 6, 8)], self="x"), "One that is called anew later.")
    told_apart(to, "layout", SHOWN, each_with("aten._to_copy.default", "layout", [
        {"as_layout": i} for i in (1, 2, 7)], self="x"), "Layouts.")
    told_apart(to, "memory-format", SHOWN, each_with("aten.clone.default", "memory_format", [
        {"as_memory_format": i} for i in (1, 2, 3, 4)], self="x"), "Memory formats.")
    told_apart(to, "device", SHOWN, each_with("aten._to_copy.default", "device", [
        {"as_device": {"type": kind, "index": index}} for kind, index in (
            ("cpu", None), ("cpu", 0), ("cuda", 0), ("cuda", 1), ("cuda", None))], self="x"),
        "Devices.")
    told_apart(to, "ints", SHOWN, each_with("aten.permute.default", "dims", [
        {"as_ints": i} for i in ([0, 1], [1, 0], [0], [], [-1, 0], [0, 1, 2])], self="x"),
        "Lists of ints.")
    told_apart(to, "floats", ("7.3", LATEST), each_with(
        "aten.upsample_nearest2d.vec", "scale_factors", [
            {"as_floats": i} for i in ([0.5, 2.0], [2.0, 0.5], [1.0, 1.0])] + [{"as_none": True}],
        input="x", output_size={"as_none": True}), "Lists of floats, and none.")
    told_apart(to, "target", SHOWN, [
        op("aten.%s.default" % name, "d%d" % i, self="x") for i, name in enumerate(
            ("neg", "sin", "cos", "tanh", "exp", "abs"))], "Operators.")
    told_apart(to, "argument", SHOWN, [
        op("aten.clamp.default", "d0", ("self", argument("x")), ("min", {"as_int": 1})),
        op("aten.clamp.default", "d1", ("self", argument("x")), ("max", {"as_int": 1})),
        op("aten.clamp.default", "d2", ("self", argument("x")), ("min", {"as_int": 1}), (
            "max", {"as_int": 1}))], "One constant, under another name.")


def hinted(i, value):
    """A quiet operator that takes any Argument, in a dict."""
    operands = 1 + str(value).count("'x'")
    inner = subgraph("g%d" % i, " ".join("v%d" % place for place in range(operands)),
                     [relu("v0", "v%d" % operands)], "v%d" % operands)
    empty = {"as_string_to_argument": {}}
    return call("higher_order.hints_wrapper", [
        ("", inner), ("", tensors("x")), ("", empty), ("", {"as_string_to_argument": value})],
        tensors("d%d" % i))


def hints(values):
    return [hinted(i, value) for i, value in enumerate(values)]


def lists(to):
    told_apart(to, "tensors", SHOWN, [
        op("aten.cat.default", "d%d" % i, tensors=list(names)) for i, names in enumerate((
            "xy", "yx", "xx", "x", "xyx"))], "Lists of tensors.", inputs="x y")
    told_apart(to, "optional", SHOWN, each_with("aten.index.Tensor", "indices", [
        {"as_optional_tensors": [{"as_none": True} if name == "-" else
                                 {"as_tensor": {"name": name}} for name in names]}
        for names in ("-x", "x-", "x", "xx", "--x")], self="x"), "Tensors, and none.")
    told_apart(to, "bools", ("7.3", LATEST), [
        op("aten.native_layer_norm_backward.default", "d%da d%db d%dc" % (i, i, i), *[
            (key, argument(value)) for key, value in (
                ("grad_out", "x"), ("input", "x"), ("normalized_shape", {"as_ints": [3]}),
                ("mean", "x"), ("rstd", "x"), ("weight", {"as_none": True}),
                ("bias", {"as_none": True}), ("output_mask", {"as_bools": mask}))])
        for i, mask in enumerate(([True, True, True], [True, False, True], [False, True, True]))],
        "Lists of bools.")
    values = [{"a": {"as_strings": ["b", "c"]}}, {"a": {"as_strings": ["bc"]}},
              {"a": {"as_string": "b"}}, {"a": {"as_operator": "torch.ops.aten.relu.default"}},
              {"b": {"as_string": "a"}},
              {"a": {"as_strings": []}}, {"b": {"as_ints": []}}, {}]
    told_apart(to, "dict", ("8.15", LATEST), hints(values),
               "Dicts.")
    values = [{"a": {"as_int_lists": [[1], [2]]}}, {"a": {"as_int_lists": [[1, 2]]}},
              {"a": {"as_ints": [1, 2]}}, {"a": {"as_bools": [True, False]}},
              {"a": {"as_string_to_argument": {"a": {"as_int": 1}}}},
              {"a": {"as_int": 1}, "b": {"as_int": 2}}, {"a": {"as_int": 2}, "b": {"as_int": 1}}]
    told_apart(to, "dict-lists", ("8.15", LATEST), hints(values), "Lists in dicts, dicts in dicts.")
    values = [{"a": {"as_float_lists": [[0.5], []]}}, {"a": {"as_float_lists": [[0.5]]}},
              {"a": {"as_nested_tensors": [[{"name": "x"}], []]}},
              {"a": {"as_nested_tensors": [[{"name": "x"}]]}}, {"a": {"as_floats": [0.5]}}]
    told_apart(to, "dict-newer", ("8.19", LATEST), hints(values), "Lists of lists.")


def metas(to):
    changes = [{}, {"dtype": 6}, {"layout": 2}, {"requires_grad": True}, {"storage_offset": 5},
               {"strides": [1, 2]}, {"sizes": [3, 2]}, {"sizes": [2, 3, 1], "strides": [3, 1, 1]},
               *[{"device": {"type": "cuda", "index": index}} for index in (None, 0, 1)]]
    values = {"d%d" % i: meta(2, 3, **change) for i, change in enumerate(changes)}
    told_apart(to, "value", SHOWN + TYPED, [relu("x", "d%d" % i) for i in range(len(changes))],
               "One operator, whose results differ.", tensor_values=values)


def neighbours(to):
    told_apart(to, "uses", SHOWN, [
        op("aten.sub.Tensor", "d%d" % i, self=one, other=other) for i, (one, other) in enumerate((
            ("x", "y"), ("y", "x"), ("x", "x"), ("k", "x"), ("x", "k"), ("k", "k")))],
        "Inputs, and nodes that have a rank.", inputs="x y")
    nodes = [relu("x", "a"), relu("x", "b"), relu("x", "c"), neg("a", "d"), neg("b", "e"),
             op("aten.sin.default", "f", self="c"), op("aten.cos.default", "g", self="d"),
             op("aten.tanh.default", "h", self="e")]
    orders = ((0, 1, 2, 3, 4, 5, 6, 7), (2, 1, 0, 5, 4, 3, 7, 6), (1, 4, 7, 2, 5, 0, 3, 6))
    for version in SHOWN:
        to.found("rest-users", version, [reordered(dead(nodes), 0, *[i + 1 for i in order])
                                         for order in orders], ["6.4.5", "6.4.6"],
                 "Nodes that are alike, told apart by who uses them, two steps away.")
    nodes = [relu("x", "a"), neg("x", "b"), op("aten.sin.default", "c", self="a"),
             op("aten.sin.default", "d", self="b"), op("aten.cos.default", "e", self="c"),
             op("aten.cos.default", "f", self="d")]
    orders = ((0, 1, 2, 3, 4, 5), (1, 0, 3, 2, 5, 4), (1, 3, 5, 0, 2, 4))
    for version in SHOWN:
        to.found("rest-used", version, [reordered(dead(nodes), 0, *[i + 1 for i in order])
                                        for order in orders], ["6.4.5", "6.4.6"],
                 "Nodes that are alike, told apart by what they use.")
    nodes = [relu("x", "a"), relu("x", "b"), add("a", "b", "c"), op(
        "aten.sub.Tensor", "d", self="b", other="a")]
    orders = ((0, 1, 2, 3), (1, 0, 3, 2), (0, 1, 3, 2))
    for version in SHOWN:
        to.found("rest-places", version, [reordered(dead(nodes), 0, *[i + 1 for i in order])
                                          for order in orders], ["6.4.5", "6.4.6"],
                 "Twins that are told apart by the place at which one node uses them.")
    nodes = [relu("x", "a"), relu("x", "b"), neg("a", "c"), neg("b", "d"),
             op("aten.sin.default", "e", self="c"), op("aten.sin.default", "f", self="d")]
    orders = ((0, 1, 2, 3, 4, 5), (1, 0, 3, 2, 5, 4), (0, 2, 4, 1, 3, 5), (1, 0, 2, 3, 5, 4))
    for version in SHOWN:
        to.found("rest-twins", version, [reordered(dead(nodes), 0, *[i + 1 for i in order])
                                         for order in orders], ["6.4.6"],
                 "Two chains that nothing tells apart: either first is the same.")
    nodes = []
    for i, name in enumerate(("neg", "sin", "cos", "tan", "exp", "abs")):
        a, b = "a%d" % i, "b%d" % i
        nodes += [op("aten.%s.default" % name, each, self="x") for each in (a, b)]
        nodes += [op("aten.sub.Tensor", "c%d" % i, self=a, other=b),
                  op("aten.sub.Tensor", "d%d" % i, self=b, other=a)]
    orders = [[4 * i + j for i in range(6) for j in order] for order in (
        (0, 1, 2, 3), (1, 0, 3, 2), (0, 1, 3, 2), (1, 0, 2, 3))]
    for version in SHOWN:
        to.found("rest-crossed", version, [reordered(dead(nodes), 0, *[i + 1 for i in order])
                                           for order in orders], ["6.4.5", "6.4.6"],
                 "Two that use the same two: first the one that has it in the earlier place.")
    nodes = [relu("x", "a"), relu("x", "b"), relu("x", "c"), *[
        op("aten.sub.Tensor", output, self=one, other=other)
        for output, one, other in (("d", "a", "a"), ("e", "b", "c"), ("f", "c", "b"))]]
    orders = ((0, 1, 2, 3, 4, 5), (2, 1, 0, 5, 4, 3), (1, 2, 0, 4, 3, 5))
    for version in SHOWN:
        to.found("rest-same", version, [reordered(dead(nodes), 0, *[i + 1 for i in order])
                                        for order in orders], ["6.4.4"],
                 "One value twice is not two values.")
    nodes = [op("aten.max.dim", "a b", self="x", dim=0), op("aten.max.dim", "c d", self="x", dim=0),
             relu("a", "e"), relu("d", "f"), neg("b", "g"), neg("c", "h")]
    orders = ((0, 1, 2, 3, 4, 5), (1, 0, 3, 2, 5, 4), (1, 5, 0, 4, 3, 2))
    for version in SHOWN:
        to.found("rest-values", version, [reordered(dead(nodes), 0, *[i + 1 for i in order])
                                          for order in orders], ["6.4.4", "6.4.5", "6.4.6"],
                 "Which of a node's two values is used.")
    nodes = [op("aten.split.Tensor", argument(["a", "b"]), self="x", split_size=1),
             relu("b", "c"), relu("a", "d"), add("b", "a", "e")]
    orders = ((0, 1, 2, 3), (0, 3, 2, 1), (0, 2, 1, 3))
    for version in SHOWN:
        to.found("rest-parts", version, [reordered(dead(nodes), 0, *[i + 1 for i in order])
                                         for order in orders], ["6.4.4", "6.4.6"],
                 "Parts of a list.")
    shared = [relu("x", "a"), neg("a", "b"), op("aten.sin.default", "c", self="a"),
              op("aten.cos.default", "d", self="a"), add("b", "d", "e"), add("c", "d", "f")]
    orders = ((0, 1, 2, 3, 4, 5), (0, 3, 2, 1, 5, 4), (0, 2, 3, 5, 1, 4))
    for version in SHOWN:
        to.found("rest-web", version, [reordered(dead(shared), 0, *[i + 1 for i in order])
                                       for order in orders], ["6.4.5", "6.4.6"],
                 "From one start to all its users, by their classes.")


def looked(one, outputs):
    """Four nodes that are told apart by their targets."""
    return [op("aten.%s.default" % name, output, self=one)
            for name, output in zip(("neg", "sin", "cos", "tan"), outputs.split())]


def far(to):
    """A path of nodes that are alike but for its one end."""
    count = 9
    nodes = [relu("x", "s%d" % i) for i in range(count + 1)]
    nodes += [add("s%d" % i, "s%d" % (i + 1), "m%d" % i) for i in range(count)]
    nodes += [add("s%d" % (i + 1), "s%d" % i, "p%d" % i) for i in range(count)]
    nodes.append(neg("s0", "e"))
    total = len(nodes)
    starts, others = list(range(count + 1)), list(range(count + 1, total))
    turns = (starts + others, starts[::-1] + others[::-1],
             starts[5:] + starts[:5] + others[7:] + others[:7])
    for version in SHOWN:
        to.found("rest-far", version, [
            reordered(dead(nodes), 0, *[i + 1 for i in turn]) for turn in turns],
            ["6.4.5", "6.4.6"], "What is at the end of a path tells all of it apart, step by step.")


def written_to(to):
    """Copies that nobody needs, and that are written."""
    nodes, orders = [], ([], [])
    for i, names in enumerate(("add_ mul_ sub_", "sub_ add_ mul_", "mul_ sub_ add_")):
        first = len(nodes)
        nodes += [clone("x", "e%d" % i), *looked("e%d" % i, "p%d q%d r%d s%d" % (i, i, i, i))]
        for j, name in enumerate(names.split()):
            nodes.append(op("aten.%s.Tensor" % name, "w%d%d" % (i, j), self="e%d" % i, other="x"))
            nodes += looked("e%d" % i, "t%d%d u%d%d y%d%d z%d%d" % ((i, j) * 4))
        orders[0].extend(range(first, len(nodes)))
        orders[1][:0] = range(first, len(nodes))
    for version in SHOWN:
        to.found("rest-written", version, [
            reordered(program("x", nodes + [relu("x", "k")], "k", PLAIN), *order, len(nodes))
            for order in orders], ["6.4.6", "6.3.6"], "Three copies, written in three orders.")


def waited_for(to):
    """What has to come before a node that nobody needs, and is no use of it."""
    sine = [op("aten.sin.default", output, self="c") for output in ("s", "t")]
    nodes = [clone("x", "c"), *sine, op("aten.mul_.Tensor", "m", self="t", other="c"),
             neg("t", "g")]
    more = [neg("x", "a"), op("aten.add_.Tensor", "b", self="a", other="x"), clone("b", "c"),
            write("c", "d"), op("aten.add_.Tensor", "e", self="b", other="a"),
            op("aten.mul_.Tensor", "f", self="e", other="e")]
    for version in SHOWN:
        for label, each, turns in (("two", nodes, ((0, 1, 2, 3, 4), (0, 2, 3, 4, 1))),
                                   ("writes", more, ((0, 1, 2, 3, 4, 5), (0, 1, 2, 4, 5, 3)))):
            to.found("rest-before-" + label, version, [
                reordered(dead(each), 0, *[i + 1 for i in turn]) for turn in turns],
                ["6.4.6", "6.3.6"], "What is right before a node is placed before it.")


def objects(to):
    """Custom objects, by their classes."""
    classes = ("__torch__.A", "__torch__.B", "__torch__.C", "__torch__.D", "__torch__.E")
    values = {"o%d" % i: {"name": "o%d" % i, "class_fqn": name} for i, name in enumerate(classes)}
    nodes = []
    for i, name in enumerate(classes):
        inner = {"name": "v0", "class_fqn": name}
        each = {"as_graph": {"name": "g%d" % i, "graph": graph(
            [{"as_custom_obj": inner}], [], [{"as_custom_obj": inner}], tensor_values={},
            custom_obj_values={"v0": inner})}}
        made = {"name": "d%d" % i, "class_fqn": name}
        nodes.append(call("higher_order.strict_mode", [("", each), ("", {
            "as_custom_obj": values["o%d" % i]})], {"as_custom_obj": made}))
        values["d%d" % i] = made
    takes = [{"custom_obj": {"arg": values["o%d" % i], "custom_obj_name": "o%d" % i}}
             for i in range(len(classes))]
    turns = ((0, 1, 2, 3, 4, 5), (0, 5, 4, 3, 2, 1))
    whole = dead(nodes, takes + ["x"], custom_obj_values=values)
    for version in ("7.3", LATEST):
        to.found("rest-objects", version, [reordered(whole, *turn) for turn in turns],
                 ["6.4.4"], "Objects of five classes.")


def tied(to):
    """Inputs by their places in the new order; those of one name count as one."""
    nodes = [op("aten.sub.Tensor", "d%d" % i, self=one, other=other) for i, (one, other) in
             enumerate((("p", "x"), ("x", "q"), ("q", "p"), ("p", "q"), ("q", "x"), ("x", "p")))]
    for version in ("7.3", LATEST):
        made = []
        for order in ((0, 1), (1, 0)):
            takes = [parameter("p", "a"), parameter("q", "b")]
            made.append(dead(nodes, [takes[i] for i in order] + ["x"]))
        to.found("rest-inputs", version, made, ["6.4.4", "6.5.1"],
                 "Two parameters, which nobody needs.")
    nodes = [op("aten.sub.Tensor", "d%d" % i, self=one, other=other) for i, (one, other) in
             enumerate((("p", "x"), ("x", "q"), ("q", "k"), ("k", "p")))]
    for version in ("5.4", "7.3", "8.7"):
        made = []
        for names in ("pq", "qp"):
            takes = [parameter(name, "w") for name in names] + ["x"]
            made.append(dead(nodes, takes))
        to.found("rest-tied", version, made, ["6.4.4", "6.5.1"],
                 "Two parameters of one name, which nobody needs.")


def epochs(to):
    """The same four nodes again and again, in other orders."""
    turns = (range(15), (3, 1, 4, 2, 0, 5, 9, 8, 7, 6, 10, 12, 11, 14, 13))
    for version in NEW:
        nodes = [relu("x", "k"), *looked("x", "a0 b0 c0 d0"), mode(False),
                 *looked("x", "a1 b1 c1 d1"), mode(True), *looked("x", "a2 b2 c2 d2")]
        whole = program("x", nodes, "k", PLAIN)
        to.found("rest-epoch-mode", version, [reordered(whole, *turn) for turn in turns],
                 ["6.3.5", "6.4.4"], "Four operators under three modes.")
    nodes = [clone("x", "e"), *looked("e", "a0 b0 c0 d0"), write("e", "w"),
             *looked("e", "a1 b1 c1 d1"), write("e", "v"), *looked("e", "a2 b2 c2 d2"),
             relu("x", "k")]
    turns = (range(16), (15, 0, 3, 1, 4, 2, 5, 9, 8, 7, 6, 10, 12, 11, 14, 13))
    whole = program("x", nodes, "k", PLAIN)
    for version in SHOWN:
        to.found("rest-epoch", version, [reordered(whole, *turn) for turn in turns],
                 ["6.3.5", "6.4.4"], "Four operators between writes.")


def subgraphs(to):
    metas_of = {"b": meta(dtype=12)}

    def conditional(i, first, second="aten.neg.default", output="v1", operands="x", **changed):
        inner = " ".join("v%d" % place for place in range(len(operands)))
        fresh = "v%d" % len(operands)
        node = op(first, fresh, self="v0")
        graphs = [subgraph("g%d" % (2 * i), inner, [node], output),
                  subgraph("g%d" % (2 * i + 1), inner, [op(second, fresh, self="v0")], output)]
        if changed:
            for each in graphs:
                each["as_graph"]["graph"]["tensor_values"]["v0"].update(changed)
        return call("higher_order.cond", [("", tensor("b")), *[("", each) for each in graphs],
                                          ("", tensors(*operands))], tensors("d%d" % i))
    nodes = [conditional(0, "aten.relu.default"), conditional(1, "aten.sin.default"),
             conditional(2, "aten.neg.default", "aten.relu.default"),
             conditional(3, "aten.relu.default", output="v0"),
             conditional(4, "aten.relu.default", dtype=6)]
    told_apart(to, "graphs", ("4.2", "7.3", LATEST), nodes, "Subgraphs that differ.",
               ["6.4.4", "6.4.3"], inputs="b x", tensor_values=metas_of)
    inner = [op("aten.sin.default", "v2", self="v0"), op("aten.cos.default", "v3", self="v0"),
             relu("v0", "v1")]
    turned = [inner[1], inner[2], inner[0]]

    def strict(body_of, i):
        return call("higher_order.strict_mode", [("", subgraph("g%d" % i, "v0", body_of, "v1")),
                                                 ("", tensors("x"))], tensors("d%d" % i))
    for version in ("7.3", LATEST):
        both = [program("x", [strict(one, 0), strict(two, 1)], "d0 d1")
                for one, two in ((inner, inner), (turned, inner), (inner, turned))]
        to.found("rest-inside", version, both, ["6.4.6", "6.4.7"],
                 "What nobody needs inside of a graph.")


def symbols(to):
    for version in (LATEST, "8.2", "7.3"):
        names = "%s" if version == "7.3" else "Symbol('%s', integer=True)"
        texts = [names % name for name in ("u0", "u1", "u2", "u3")]
        nodes = [op("aten.item.default", sym_int("d%d" % i), self="x") for i in range(4)]
        values = {"d%d" % i: text for i, text in enumerate(texts)}
        ranges = {"u%d" % i: {"min_val": i, "max_val": 9} for i in range(4)}
        orders = ((1, 2, 3, 4), (4, 3, 2, 1), (2, 4, 1, 3))
        made = []
        for order in orders:
            draft = program("x", [relu("x", "k")] + nodes, "k", {
                "range_constraints": ranges}, sym_int_values=values)
            made.append(reordered(draft, 0, *order))
        to.found("rest-symbols", version, made, ["6.4.4", "6.7.3"],
                 "Symbols are told apart by their colours.")


def constants_of(to):
    nodes = [op("aten.sub.Tensor", "d%d" % i, self=one, other=other) for i, (one, other) in
             enumerate((("c", "x"), ("x", "c"), ("d", "x"), ("d", "c")))]
    made = []
    for order in ((0, 1, 2, 3), (3, 2, 1, 0)):
        draft = reordered(dead(nodes), 0, *[i + 1 for i in order])
        draft.data["graph"]["constants"] = {"c": "AAEC", "d": "AA=="}
        made.append(draft)
    to.found("rest-constants", "1", made, ["6.4.4"], "Tensors of constants, by their names.")


def vectors(suite):
    to = Forms(suite)
    for part in (outputs, writers, constants, lists, metas, neighbours, far, tied, written_to,
                 waited_for, objects, epochs, subgraphs, symbols, constants_of):
        part(to)
