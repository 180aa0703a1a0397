"""The graphs that operators take: their names, how many, what goes in and out."""

from format.document import Foreign
from generate.language.texts import since
from generate.whole import (NODES, Draft, Whole, call, custom_obj, graph, meta, sym_bool, sym_int,
                            tensor, tensors, user_input, user_output)

VERSIONS = ("1", "2", "5.4", "7.3", "8.8", "8.20")
HIGHER = "higher_order."
ONE_BY_ONE = "8.5-a"  # the first version that says of a node whether it returns one tensor
KEYWORDS = ("False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
            "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
            "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
            "return", "try", "while", "with", "yield")
NO_KEYWORDS = ("none", "Lambda", "match", "print", "self", "_")
WRONG_NAMES = (("empty", "", "No name."), ("space", "true graph", "No identifier."),
               ("digit", "0_true", "No identifier."), ("dot", "a.b", "No identifier."),
               ("unicode", "tr\u00fce", "Identifiers are of ASCII."))


def body(count=1, outputs=1, kind=tensor):
    """A graph of so many tensors, which gives as many of another."""
    names = ["a%d" % i for i in range(count)]
    gives = ["r%d" % i for i in range(outputs)]
    nodes = [call("aten.relu.default", {"self": tensor(names[0] if names else "r0")}, tensor(name))
             if names else call("mylib.make.default", {}, tensor(name)) for name in gives]
    return graph([tensor(name) for name in names], nodes, [tensor(name) for name in gives],
                 tensor_values={name: meta(2) for name in names + gives})


def condition(count):
    """A graph that says whether to go on."""
    made = body(count, 0)
    made["nodes"].append(call("mylib.test.default", {"a": tensor("a0")}, tensor("go")))
    made["tensor_values"]["go"] = meta(dtype=12)
    made["outputs"].append(tensor("go"))
    return made


def as_graph(name, each):
    return {"as_graph": {"name": name, "graph": each}}


def unnamed(*arguments):
    return [("", each) for each in arguments]


def returning(version, node, *names):
    """The node with a tuple of these tensors as what it returns: in a list, or one by one
    and with a word that it is a tuple."""
    if since(version, ONE_BY_ONE):
        node["is_hop_single_tensor_return"] = False
        node["outputs"] = [tensor(name) for name in names]
    else:
        node["outputs"] = [tensors(*names)]
    return node


def cond(version, count=2, outputs=2):
    """The node of cond."""
    names = ["c%d" % i for i in range(outputs)]
    operands = tensors(*("x", "y")[:count])
    node = call(HIGHER + "cond", unnamed(
        tensor("p"), as_graph("true_graph_0", body(count, outputs)),
        as_graph("false_graph_0", body(count, outputs)), operands),
        [tensor(name) for name in names])
    return returning(version, node, *names) if since(version, "2") else node


def program(node, outputs):
    draft = Draft().take(user_input(tensor("p")), user_input(tensor("x")),
                         user_input(tensor("y")))
    draft.tensors(p=meta(dtype=12), x=meta(2), y=meta(2), **{name: meta(2) for name in outputs})
    draft.node(node)
    return draft.give(*[user_output(tensor(name)) for name in outputs])


def argument(data, i, node=0):
    return data["graph"]["nodes"][node]["inputs"][i]["arg"]


def graph_of(data, i, node=0):
    return argument(data, i, node)["as_graph"]["graph"]


def target(made):
    made["nodes"][0]["target"] = "torch.ops.aten.neg.default"


def dtype(made):
    made["tensor_values"]["a0"]["dtype"] = 8


def output(made):
    made["outputs"][1] = tensor("r0")


UNLIKE = (("", target, "The name of the other, which calls another operator."),
          ("-dtype", dtype, "The name of the other, whose tensor is of another type."),
          ("-output", output, "The name of the other, which gives another value."))


ARGUMENT = NODES + "0/inputs/%d/arg/"
NAME = ARGUMENT + "as_graph/name"
GRAPH = ARGUMENT + "as_graph/graph"


def names(whole):
    for name in (*NO_KEYWORDS, "A", "Z", "z"):
        def fine(data, name=name):
            argument(data, 1)["as_graph"]["name"] = name
        whole.good("name-no-keyword-" + name, fine, "5.2.1", "No keyword of Python.")
    wrong = [("keyword-" + name, name, "A keyword of Python.") for name in KEYWORDS]
    for label, name, why in WRONG_NAMES + tuple(wrong):
        def change(data, name=name):
            argument(data, 1)["as_graph"]["name"] = name
        whole.bad("name-" + label, change, "EP_SUBGRAPH_NAME", NAME % 1, why)

    def same(data):
        argument(data, 2)["as_graph"]["name"] = "true_graph_0"
    whole.good("twice-equal", same, "5.2.2", "The name of the other, which is equal.")

    for label, change, why in UNLIKE:
        def unlike(data, change=change):
            same(data)
            change(graph_of(data, 2))
        whole.bad("twice" + label, unlike, "EP_SUBGRAPH_TWICE", NAME % 2, why)

    def ordered(data):
        same(data)
        tables = graph_of(data, 2)
        tables["tensor_values"] = dict(reversed(tables["tensor_values"].items()))
    whole.good("twice-order", ordered, "5.2.2", "The same keys in another order.", flags=["large"])

    def value(data):
        argument(data, 1)["as_graph"]["name"] = "x"
    whole.bad("twice-value", value, "EP_SUBGRAPH_TWICE", NAME % 1, "The name of a value.")

    def later(data):
        argument(data, 2)["as_graph"]["name"] = "c0"
    whole.bad("twice-later", later, "EP_SUBGRAPH_TWICE", NAME % 2,
              "The name of a value that comes later.")

    def inside(data):
        argument(data, 1)["as_graph"]["name"] = "a0"
    whole.good("name-inside", inside, ["5.2.1", "5.2.2"], "The name of a value further in.")

    def another(data):
        data["graph"]["nodes"].append(call("mylib.any.default", {
            "g": as_graph("true_graph_0", body())}, {"as_none": True}))
    whole.bad("twice-node", another, "EP_SUBGRAPH_TWICE", NODES + "1/inputs/0/arg/as_graph/name",
              "The name of another node's.", flags=["large"])


def counts(whole):
    def one(data):
        del data["graph"]["nodes"][0]["inputs"][2]
    whole.bad("count-one", one, "EP_SUBGRAPH_COUNT", NODES + "0", "One of two graphs.")

    def three(data):
        inputs = data["graph"]["nodes"][0]["inputs"]
        inputs.insert(3, dict(inputs[2], arg=as_graph("third_graph_0", body(2, 2))))
    whole.bad("count-three", three, "EP_SUBGRAPH_COUNT", NODES + "0", "Three graphs.",
              flags=["large"])

    def none(data):
        argument(data, 1).clear()
        argument(data, 1)["as_int"] = 1
    whole.bad("count-not-graph", none, "EP_SUBGRAPH_COUNT", NODES + "0", "A number for a graph.")


def inputs(whole, version):
    def fewer(data):
        graph_of(data, 1)["inputs"].pop()
        graph_of(data, 1)["tensor_values"].pop("a1")
    whole.bad("inputs-few", fewer, "EP_SUBGRAPH_INPUTS", GRAPH % 1, "One of two operands.",
              flags=["large"])

    def operand(data):
        argument(data, 3)["as_tensors"].pop()
    whole.bad("inputs-many", operand, "EP_SUBGRAPH_INPUTS", GRAPH % 1, "One operand for two.")

    def constant(data):
        graph_of(data, 2)["inputs"].append({"as_int": 3})
    whole.bad("inputs-constant", constant, "EP_SUBGRAPH_INPUTS", GRAPH % 2, "Three for two.")

    def more(data):
        data["graph"]["nodes"][0]["inputs"].append({"name": "", "arg": {"as_int": 3}})
    whole.good("operand-constant", more, "5.2.4", "A constant is no operand.")

    def held(value):
        def change(data):
            data["graph"]["nodes"][0]["inputs"].append(
                {"name": "", "arg": {"as_string_to_argument": {"k": value}}, "kind": 1})
        return change
    if since(version, "8.20"):
        whole.good("operand-graph-held", held(as_graph("held_0", body(1, 1))), ["5.2.3", "5.2.4"],
                   "A graph in a dict of arguments is no operand.")
        whole.bad("operand-value-held", held(tensor("x")), "EP_SUBGRAPH_INPUTS", GRAPH % 1,
                  "A tensor in a dict of arguments is one.")


def outputs(whole):
    def fewer(data):
        graph_of(data, 1)["outputs"].pop()
    whole.bad("outputs-few", fewer, "EP_SUBGRAPH_OUTPUTS", GRAPH % 1, "One of two.")

    def more(data):
        graph_of(data, 2)["outputs"].append(tensor("a0"))
    whole.bad("outputs-many", more, "EP_SUBGRAPH_OUTPUTS", GRAPH % 2, "Three for two.")

    def none(data):
        graph_of(data, 2)["outputs"] = []
    whole.bad("outputs-none", none, "EP_SUBGRAPH_OUTPUTS", GRAPH % 2, "None for two.")

    def same(data):
        graph_of(data, 2)["outputs"][1] = tensor("r0")
    whole.good("outputs-same", same, "5.2.5", "One value twice.")

    def some(data):
        data["graph"]["nodes"][0]["outputs"] = [{"as_optional_tensors": [
            {"as_tensor": {"name": "c0"}}, {"as_none": True}, {"as_tensor": {"name": "c1"}}]}]
    whole.bad("outputs-some", some, "EP_SUBGRAPH_OUTPUTS", GRAPH % 1, "Two for three.")

    def constant(data):
        some(data)
        for i in (1, 2):
            graph_of(data, i)["outputs"].insert(1, {"as_int": 3})
    whole.good("outputs-empty", constant, "5.2.5", "The empty one goes with anything.")

    def listed(data):
        data["graph"]["nodes"][0].update(outputs=[tensors("c0", "c1")],
                                         is_hop_single_tensor_return=True)
    if since(whole.version.name, ONE_BY_ONE):
        whole.good("outputs-list", listed, "5.2.5", "Those in a list count one by one.")


def conds(suite):
    for version in VERSIONS:
        whole = Whole(suite, "subgraph/cond", program(cond(version), ["c0", "c1"]), version,
                      ["5.2.1", "5.2.2", "5.2.3", "5.2.4", "5.2.5"], "Two graphs, two operands.")
        names(whole)
        counts(whole)
        inputs(whole, version)
        outputs(whole)
    whole = Whole(suite, "subgraph/cond", program(cond("8.20"), ["c0", "c1"]), "8.20",
                  ["5.2.1", "5.2.2", "5.2.3", "5.2.4", "5.2.5"], "Two graphs, two operands.",
                  Foreign())
    for each in (names, counts, outputs):
        each(whole)
    symbols(suite)


def beside(suite):
    """An operand that is an object beside the program."""
    for version in ("7.3", "8.20"):
        node = cond(version)
        node["inputs"].append({**node["inputs"][0], "arg": custom_obj("k")})
        for each in node["inputs"][1:3]:
            inner = each["arg"]["as_graph"]["graph"]
            inner["inputs"].append(custom_obj("o"))
            inner["custom_obj_values"] = {"o": custom_obj("o")["as_custom_obj"]}
        whole = Whole(suite, "subgraph/beside", program(node, ["c0", "c1"]), version,
                      ["5.2.4", "5.1.2"], "An object beside the program as an operand.")

        def change(data):
            inner = graph_of(data, 1)
            inner["inputs"][2] = tensor("o")
            inner["tensor_values"]["o"] = meta(2)
            del inner["custom_obj_values"]
        whole.bad("tensor", change, "EP_SUBGRAPH_INPUTS",
                  NODES + "0/inputs/1/arg/as_graph/graph/inputs/2", "A tensor for it.")


def nameless(suite):
    """An object of version 1 is no operand."""
    node = cond("1")
    node["inputs"].append({**node["inputs"][0], "arg": {"as_custom_obj": {"blob": "AAEC"}}})
    whole = Whole(suite, "subgraph/nameless", program(node, ["c0", "c1"]), "1",
                  ["5.1.2", "5.2.4"], "An object without a name among the operands.")

    def change(data):
        graph_of(data, 1)["inputs"].append({"as_custom_obj": {"blob": "AAEC"}})
    whole.bad("nameless-input", change, "EP_SUBGRAPH_INPUTS", GRAPH % 1, "An input for it.")

    def given(data):
        data["graph"]["nodes"][0]["outputs"].append({"as_custom_obj": {"blob": "AAEC"}})
        for i in (1, 2):
            graph_of(data, i)["outputs"].append(tensor("r0"))
    whole.good("nameless-output", given, "5.2.5", "As an output it goes with any.")


def returned(suite):
    """What a node says of its one output, and a graph of its own."""
    for version in ("8.5-a", "8.7", "8.20"):
        node = cond(version, 2, 1)
        node["is_hop_single_tensor_return"] = True
        whole = Whole(suite, "subgraph/returns", program(node, ["c0"]), version,
                      ["5.2.6", "5.2.5"], "One tensor by itself.")

        def said(value, output=None, name=None):
            def change(data):
                made = data["graph"]["nodes"][0]
                made.update(is_hop_single_tensor_return=value, name=name)
                if output is not None:
                    made["outputs"] = [output]
            return change
        whole.good("returns-tuple", said(False), "5.2.6", "A tuple of it.")
        whole.good("returns-null", said(None), "5.2.6", "It says nothing.")
        whole.good("returns-list", said(True, tensors("c0")), "5.2.6", "A list.")
        whole.good("returns-tuple-of-list", said(False, tensors("c0")), "5.2.6",
                   "A tuple of a list.")

        def none(data):
            said(True, {"as_none": True})(data)
            for table in ("tensor_values",):
                del data["graph"][table]["c0"]
            data["graph"]["outputs"], data["output_specs"] = [], []
        whole.bad("returns-none", none, "EP_HOP_RETURN", NODES + "0", "Nothing is no tensor.",
                  flags=["large"])
        if since(version, "8.16"):
            whole.good("returns-named", said(True, name="c0"), "5.2.6", "The node is the tensor.")
            whole.good("returns-tuple-named", said(False, name="c"), "5.2.6",
                       "The node is the tuple.")
            whole.bad("returns-tuple-as-tensor", said(False, name="c0"), "EP_HOP_RETURN",
                      NODES + "0", "The node is the tuple, and has the tensor's name.")
            whole.good("returns-null-named", said(None, name="c0"), "5.2.6", "It says nothing.")
    for version in ("1", "5.3", "8.20"):
        node = cond(version, 2, 1)
        node["inputs"][1]["arg"]["as_graph"]["graph"]["is_single_tensor_return"] = True
        whole = Whole(suite, "subgraph/single", program(node, ["c0"]), version, "5.2.7",
                      "A graph that returns one tensor by itself.")

        def constant(data):
            graph_of(data, 1)["outputs"] = [{"as_none": True}]
        whole.bad("single-none", constant, "EP_SUBGRAPH_OUTPUTS", GRAPH % 1,
                  "A constant for what the operator returns, which comes first.", also=["5.2.7"])

        def two(data):
            graph_of(data, 1)["outputs"] *= 2
        whole.bad("single-two", two, "EP_SUBGRAPH_OUTPUTS", GRAPH % 1,
                  "Two of them: the operator returns one, which comes first.", also=["5.2.7"])

        def outer(data):
            data["graph"]["is_single_tensor_return"] = True
        whole.bad("single-outer", outer, "EP_GRAPH_RETURN", "graph_module/graph",
                  "The program's own graph returns a tuple.")
    free_single(suite)


def free_single(suite):
    """A graph of an operator that 5.2.5 does not judge."""
    for version in ("5.4", "8.20"):
        made = body(2, 1)
        made["is_single_tensor_return"] = True
        node = call(HIGHER + "wrap", unnamed(as_graph("w_0", made), tensor("x")), [])
        returning(version, node, "c0")
        whole = Whole(suite, "subgraph/wrap-single", program(node, ["c0"]), version, "5.2.7",
                      "One tensor by itself.")

        def several(data):
            graph_of(data, 0)["outputs"] *= 2
        whole.bad("single-several", several, "EP_GRAPH_RETURN", GRAPH % 0, "Two of them.")

        def none(data):
            graph_of(data, 0)["outputs"] = []
        whole.bad("single-nothing", none, "EP_GRAPH_RETURN", GRAPH % 0, "None.")

        def number(data):
            graph_of(data, 0)["outputs"] = [{"as_int": 3}]
        whole.bad("single-number", number, "EP_GRAPH_RETURN", GRAPH % 0, "A constant is no value.")


def with_int(node):
    """The program of a cond whose graphs take an int behind their tensors."""
    for i in (1, 2):
        made = node["inputs"][i]["arg"]["as_graph"]["graph"]
        made["inputs"].append(sym_int("n"))
        made["sym_int_values"] = {"n": 2}
    draft = program(node, ["c0"])
    draft.data["graph"]["nodes"].insert(0, call(
        "aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}}, sym_int("n")))
    return draft.table("sym_int_values", n=2)


def lists(suite):
    """Values of every kind in the lists of a higher-order operator."""
    for version in ("2", "5.3", "8.8", "8.17", "8.20"):
        node = cond(version, 1, 1)
        node["inputs"][3]["arg"] = tensors("x", "n")
        draft = with_int(node)
        whole = Whole(suite, "subgraph/mixed", draft, version, ["5.1.7", "5.2.4"],
                      "A tensor and an int in one list.")
        place = NODES + "1/inputs/1/arg/as_graph/graph"

        def swapped(data):
            argument(data, 3, 1)["as_tensors"].reverse()
        whole.bad("mixed-order", swapped, "EP_SUBGRAPH_INPUTS", place + "/inputs/0",
                  "The int comes first.")

        def kind(data):
            made = graph_of(data, 1, 1)
            made["inputs"][1] = tensor("n")
            del made["sym_int_values"]
            made["tensor_values"]["n"] = meta()
        whole.bad("mixed-kind", kind, "EP_SUBGRAPH_INPUTS", place + "/inputs/1",
                  "A tensor for what is an int.", flags=["large"])

        def alone(data):
            node = data["graph"]["nodes"][1]
            node["inputs"][3]["arg"] = tensors("x")
            node["inputs"].append(dict(node["inputs"][3], arg=tensor("n")))
        whole.bad("mixed-alone", alone, "EP_VALUE_KIND",
                  NODES + "1/inputs/4/arg/as_tensor/name", "Alone it has a kind.")

        def ints(data):
            node = data["graph"]["nodes"][1]
            node["inputs"][3]["arg"] = tensors("x")
            node["inputs"].append(dict(node["inputs"][3], arg={"as_sym_ints": [
                {"as_name": "x"}]}))
        whole.bad("mixed-ints", ints, "EP_VALUE_KIND",
                  NODES + "1/inputs/4/arg/as_sym_ints/0/as_name", "A list of ints is one.")

        def optional(data):
            argument(data, 3, 1).clear()
            argument(data, 3, 1)["as_optional_tensors"] = [
                {"as_tensor": {"name": "x"}}, {"as_none": True}, {"as_tensor": {"name": "n"}}]
        whole.good("mixed-optional", optional, ["5.1.7", "5.2.4"], "With a none between.")
        if since(version, "8.17"):
            def nested(data):
                argument(data, 3, 1).clear()
                argument(data, 3, 1)["as_nested_tensors"] = [[{"name": "x"}], [{"name": "n"}]]
            whole.good("mixed-nested", nested, ["5.1.7", "5.2.4"], "In lists of lists.")

        def plain(data):
            data["graph"]["nodes"].insert(1, call("aten.cat.default", {"tensors": tensors(
                "x", "n")}, {"as_none": True}))
        whole.bad("mixed-plain", plain, "EP_VALUE_KIND",
                  NODES + "1/inputs/0/arg/as_tensors/1/name", "No higher-order operator.")


def symbols(suite):
    """Operands and results that are no tensors."""
    for version in ("2", "7.3", "8.20"):
        node = cond(version, 2, 1)
        node["inputs"].append({"name": "", "arg": sym_int("n"), "kind": 1})
        draft = with_int(node)
        whole = Whole(suite, "subgraph/symbol", draft, version, ["5.2.4", "5.2.5"],
                      "An operand that is an int.")
        place = NODES + "1/inputs/1/arg/as_graph/graph"

        def kind(data):
            made = graph_of(data, 1, 1)
            made["inputs"][2] = sym_bool("n")
            del made["sym_int_values"]
            made["sym_bool_values"] = {"n": True}
        whole.bad("inputs-kind", kind, "EP_SUBGRAPH_INPUTS", place + "/inputs/2",
                  "A bool for an int.", flags=["large"])

        def swapped(data):
            made = graph_of(data, 1, 1)
            made["inputs"][1:] = reversed(made["inputs"][1:])
        whole.bad("inputs-order", swapped, "EP_SUBGRAPH_INPUTS", place + "/inputs/1",
                  "In another order.", flags=["large"])

        def constant(data):
            graph_of(data, 1, 1)["inputs"][0] = {"as_int": 3}
            graph_of(data, 1, 1)["nodes"][0]["inputs"][0]["arg"] = tensor("a1")
            del graph_of(data, 1, 1)["tensor_values"]["a0"]
        whole.bad("inputs-constant-kind", constant, "EP_SUBGRAPH_INPUTS", place + "/inputs/0",
                  "A constant for a tensor.", flags=["large"])

        def result(data):
            graph_of(data, 1, 1)["outputs"][0] = sym_int("n")
        whole.bad("outputs-kind", result, "EP_SUBGRAPH_OUTPUTS", place, "An int for a tensor.")


# ---- the other operators -----------------------------------------------------------


def while_loop(version):
    return returning(version, call(HIGHER + "while_loop", unnamed(
        as_graph("cond_graph_0", condition(2)), as_graph("body_graph_0", body(2, 2)),
        tensors("x", "y"), tensors()), []), "c0", "c1")


def single(version, target, first_twice=False, before=()):
    """An operator of one graph."""
    count = 3 if first_twice else 2
    operands = [tensors("x"), tensors("y")]
    node = call(HIGHER + target, unnamed(*before, as_graph("body_graph_0", body(count, 1)),
                                         *operands), [])
    return returning(version, node, "c0")


SINGLE = (  # operator, first version, what stands before the graph
    ("map_impl", "2", ()), ("scan", "7.4", ()), ("strict_mode", "2.1", ()),
    ("hints_wrapper", "5.4", ()), ("wrap_with_set_grad_enabled", "5.4", ({"as_bool": False},)),
    ("wrap_with_autocast", "5.4", ({"as_string": "cpu"}, {"as_none": True}, {"as_bool": True},
                                   {"as_none": True})),
    ("associative_scan", "5.3-2024-03", ()),
)


def loops(suite):
    for version in ("2.1", "5.1", "7.3", "8.20"):
        whole = Whole(suite, "subgraph/while", program(while_loop(version), ["c0", "c1"]), version,
                      ["5.2.3", "5.2.4", "5.2.5"], "A condition and a body.")

        def two(data):
            graph_of(data, 0)["outputs"].append(tensor("a0"))
        whole.bad("condition-two", two, "EP_SUBGRAPH_OUTPUTS", GRAPH % 0, "A condition is one.")

        def none(data):
            graph_of(data, 0)["outputs"] = []
        whole.bad("condition-none", none, "EP_SUBGRAPH_OUTPUTS", GRAPH % 0, "A condition is one.")

        def fewer(data):
            graph_of(data, 1)["outputs"].pop()
        whole.bad("body-few", fewer, "EP_SUBGRAPH_OUTPUTS", GRAPH % 1, "Two go on.")

        def operand(data):
            argument(data, 3)["as_tensors"].append({"name": "x"})
        whole.bad("while-operand", operand, "EP_SUBGRAPH_INPUTS", GRAPH % 0,
                  "An operand that the condition does not take.")

        def boolean(data):
            made = graph_of(data, 0)
            made["nodes"][0]["outputs"] = [sym_bool("go")]
            made["tensor_values"].pop("go")
            made["sym_bool_values"] = {"go": True}
            made["outputs"] = [sym_bool("go")]
        whole.good("condition-bool", boolean, "5.2.5", "A symbolic bool.", flags=["large"])

        def integer(data):
            graph_of(data, 0)["outputs"] = [{"as_int": 1}]
        whole.bad("condition-int", integer, "EP_SUBGRAPH_OUTPUTS", GRAPH % 0, "A number is none.")


def singles(suite):
    for target, first, before in SINGLE:
        for version in dict.fromkeys((first, "7.4", "8.20")):
            if not since(version, first):
                continue
            twice = target == "associative_scan"
            node = single(version, target, twice, before)
            whole = Whole(suite, "subgraph/" + target, program(node, ["c0"]), version,
                          ["5.2.3", "5.2.4", "5.2.5"], "%s of one graph." % target)
            at = len(before)

            def count(data, at=at):
                argument(data, at).clear()
                argument(data, at)["as_none"] = True
            whole.bad(target + "-count", count, "EP_SUBGRAPH_COUNT", NODES + "0", "No graph.")

            def more(data, at=at):
                argument(data, at + 2)["as_tensors"].append({"name": "x"})
            whole.bad(target + "-inputs", more, "EP_SUBGRAPH_INPUTS", GRAPH % at,
                      "An operand that it does not take.")

            def result(data, at=at):
                graph_of(data, at)["outputs"] *= 2
            whole.bad(target + "-outputs", result, "EP_SUBGRAPH_OUTPUTS", GRAPH % at,
                      "Two for one.")


def pairs(suite):
    """The same operators with two tensors as what goes on: a graph that gives one, as a condition
    does, gives too few."""
    for target, first, before in SINGLE:
        if target in ("scan", "strict_mode"):  # mutants/rows.py has these
            continue
        for version in dict.fromkeys((first, "8.20") if target == "associative_scan" else
                                     ("8.20",)):
            operands, count = [tensors("x", "y"), tensors()], 2
            if target == "associative_scan":  # its first list is passed twice
                count = 4
            node = call(HIGHER + target, unnamed(*before, as_graph("body_graph_0", body(count, 2)),
                                                 *operands), [])
            whole = Whole(suite, "subgraph/pair-" + target,
                          program(returning(version, node, "c0", "c1"), ["c0", "c1"]), version,
                          ["5.2.4", "5.2.5"], "%s of two tensors." % target)

            def one(data, at=len(before)):
                graph_of(data, at)["outputs"].pop()
            whole.bad("pair-%s-outputs" % target, one, "EP_SUBGRAPH_OUTPUTS", GRAPH % len(before),
                      "One for two.")


def old_map(suite):
    """map_impl under the name that it had in version 1."""
    for version in ("1-2023-08", "1"):
        node = single(version, "map_impl")
        node["target"] = "torch.ops.map_impl"
        whole = Whole(suite, "subgraph/map_impl", program(node, ["c0"]), version,
                      ["5.2.3", "5.2.4", "5.2.5"], "Under another name.")

        def more(data):
            graph_of(data, 0)["outputs"] *= 2
        whole.bad("map_impl-outputs", more, "EP_SUBGRAPH_OUTPUTS", GRAPH % 0, "Two for one.")


def free(suite):
    """Graphs of other operators are judged as graphs only."""
    for version in ("5.4", "8.20"):
        node = call(HIGHER + "wrap", unnamed(as_graph("w_0", body(2, 2)), tensor("x")), [])
        returning(version, node, "c0")
        Whole(suite, "subgraph/wrap", program(node, ["c0"]), version, ["5.2.3", "5.2.4"],
              "An operator of which nothing is said.")


def vectors(suite):
    conds(suite)
    beside(suite)
    nameless(suite)
    returned(suite)
    lists(suite)
    loops(suite)
    singles(suite)
    pairs(suite)
    old_map(suite)
    free(suite)
