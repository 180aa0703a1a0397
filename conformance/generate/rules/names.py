"""Values: defined, used and listed; names of nodes."""

from format.document import Foreign
from generate.language.texts import since
from generate.whole import (GRAPH, NODES, Draft, Whole, call, custom_obj, graph, meta, sym_bool,
                            sym_float, sym_int, tensor, tensors, user_input, user_output)

VERSIONS = ("1", "2", "5.1", "7.3", "8.20")
CALL = "mylib.call.default"  # an operator that nobody knows, so that 5.6 does not judge it
SIZE, ADD, RELU, GT, SPLIT, ANY, FLOAT = range(7)  # the nodes of the base


def inner():
    """A graph of its own, with a name that the outer one has too."""
    return graph([tensor("x")], [call("aten.relu.default", {"self": tensor("x")}, tensor("r"))],
                 [tensor("r")], tensor_values={"x": meta(2), "r": meta(2)})


def base(version):
    draft = Draft().take(user_input(tensor("x"))).tensors(
        x=meta(2, 3), y=meta(2, 3), z=meta(2, 3), a0=meta(1, 3), a1=meta(1, 3), w=meta(2, 3))
    draft.node(
        call("aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}}, sym_int("n")),
        call("aten.add.Tensor", {"self": tensor("x"), "other": tensor("x")}, tensor("y")),
        call("aten.relu.default", {"self": tensor("y")}, tensor("z")),
        call("_operator.gt", {"a": sym_int("n"), "b": {"as_int": 2}}, sym_bool("flag")),
        call("aten.split.Tensor", {"self": tensor("z"), "split_size": {"as_int": 1}},
             tensors("a0", "a1")),
        call(CALL, {"g": {"as_graph": {"name": "g_0", "graph": inner()}}, "x": tensor("x"),
                    "all": tensors("y", "z"), "i": sym_int("n"), "b": sym_bool("flag")},
             tensor("w")))
    draft.table("sym_int_values", n=2).table("sym_bool_values", flag=True)
    if since(version, "8.2"):
        draft.node(call("torch.sym_float", {"a": sym_int("n")}, sym_float("f")))
        draft.table("sym_float_values", f=2.0)
    if since(version, "3.1"):
        draft.take({"custom_obj": {"arg": custom_obj("obj")["as_custom_obj"],
                                   "custom_obj_name": "o"}})
        draft.data["input_specs"].reverse()
        draft.data["graph"]["inputs"].reverse()
        draft.table("custom_obj_values", obj=custom_obj("obj")["as_custom_obj"])
    return draft.give(user_output(tensor("z")))


class Names(Whole):
    """The base, and short ways to change it."""

    def __init__(self, suite, version, style=None):
        super().__init__(suite, "value/base", base(version), version,
                         ["5.1.%d" % i for i in range(1, 10)], "Values of every kind.", style)
        self.name = version

    def node(self, label, code, where, first, why, *nodes):
        """Another node at the end, which defines where, and first: of the two
        the one that comes later in the document is told."""
        def change(data):
            data["graph"]["nodes"] += nodes
        count = len(self.draft.data["graph"]["nodes"])
        place = "%s%d/%s" % (NODES, count, where)
        return self.bad(label, change, code, [place, first], why)

    def use(self, label, argument, where, why, code="EP_VALUE_UNDEFINED"):
        """Another argument of the operator that takes any."""
        def change(data):
            data["graph"]["nodes"][ANY]["inputs"].append({"name": "more", "arg": argument})
        place = "%s%d/inputs/5/arg/%s" % (NODES, ANY, where)
        return self.bad(label, change, code, place, why)

    def table(self, label, table, name, value, code, why, other=None):
        def change(data):
            data["graph"].setdefault(table, {})[name] = value
        places = [(GRAPH + table, name)] + ([(GRAPH + other, name)] if other else [])
        return self.bad(label, change, code, places, why)

    def unlist(self, label, table, name, where, why):
        def change(data):
            del data["graph"][table][name]
        return self.bad(label, change, "EP_VALUE_UNLISTED", where, why)


def node_of(output, **inputs):
    return call(CALL, inputs, output)


# ---- the clauses ------------------------------------------------------------------


def twice(names):
    code = "EP_VALUE_TWICE"
    added = NODES + "%d/outputs/0/as_tensor/name" % ADD
    position = 1 if since(names.name, "3.1") else 0
    names.node("twice-node", code, "outputs/0/as_tensor/name", added, "Two nodes give it.",
               node_of(tensor("y")))
    names.node("twice-input", code, "outputs/0/as_tensor/name",
               GRAPH + "inputs/%d/as_tensor/name" % position, "An input has the name.",
               node_of(tensor("x")))
    names.node("twice-kinds", code, "outputs/0/as_sym_int/as_name", added,
               "As values of two kinds.", node_of(sym_int("y")))
    names.node("twice-outputs", code, "outputs/1/as_tensor/name",
               NODES + "%d/outputs/0/as_tensor/name" % RELU, "One node gives it.",
               call(CALL, {}, [{"as_none": True}, tensor("z")]))

    def listed(data):
        data["graph"]["nodes"][SPLIT]["outputs"][0] = tensors("a0", "a1", "a0")
    names.bad("twice-list", listed, code,
              "%s%d/outputs/0/as_tensors/2/name" % (NODES, SPLIT), "Twice in a list.")

    def below(data):
        inner_graph(data)["inputs"].append(tensor("x"))
    names.bad("twice-inner", below, code, INNER + "inputs/1/as_tensor/name", "In an inner graph.")


INNER = "%s%d/inputs/0/arg/as_graph/graph/" % (NODES, ANY)


def inner_graph(data):
    return data["graph"]["nodes"][ANY]["inputs"][0]["arg"]["as_graph"]["graph"]


def undefined(names):
    names.use("undefined", tensor("nothing"), "as_tensor/name", "Nothing defines it.")
    names.use("undefined-list", tensors("x", "nothing"), "as_tensors/1/name", "In a list.")
    names.use("undefined-empty", tensor(""), "as_tensor/name", "The empty name is one.")
    names.use("undefined-case", tensor("X"), "as_tensor/name", "Case counts.")
    names.use("undefined-sym-int", sym_int("nothing"), "as_sym_int/as_name", "A symbolic int.")
    names.use("undefined-sym-ints", {"as_sym_ints": [{"as_int": 1}, {"as_name": "nothing"}]},
              "as_sym_ints/1/as_name", "In a list of ints.")
    names.use("undefined-sym-bool", sym_bool("nothing"), "as_sym_bool/as_name", "A symbolic bool.")
    names.use("undefined-sym-bools", {"as_sym_bools": [{"as_name": "nothing"}]},
              "as_sym_bools/0/as_name", "In a list of bools.")
    old = not since(names.name, "5.3-2024-03")  # the name stands in the union itself
    names.use("undefined-optionals", {"as_optional_tensors": [
        {"as_none": True}, {"as_tensor": {"name": "nothing"}}]},
        "as_optional_tensors/1/as_tensor" + ("" if old else "/name"), "In a list of some.")
    names.use("undefined-inner-name", tensor("r"), "as_tensor/name",
              "A name of an inner graph means nothing outside.")
    if since(names.name, "8.2"):
        names.use("undefined-sym-float", sym_float("nothing"), "as_sym_float/as_name",
                  "A symbolic float.")
        names.use("undefined-sym-floats", {"as_sym_floats": [{"as_name": "nothing"}]},
                  "as_sym_floats/0/as_name", "In a list of floats.")
    if since(names.name, "8.8"):
        names.use("undefined-optional", {"as_optional_tensor": {"as_tensor": {"name": "nothing"}}},
                  "as_optional_tensor/as_tensor/name", "One that may be.")
    if since(names.name, "8.17"):
        names.use("undefined-nested", {"as_nested_tensors": [[{"name": "x"}], [{"name": "no"}]]},
                  "as_nested_tensors/1/0/name", "In lists of lists.")
        names.use("undefined-named", {"as_string_to_argument": {"k": tensor("nothing")}},
                  "as_string_to_argument/k/as_tensor/name", "In a dict of arguments.")
    if since(names.name, "3.1"):
        def constant(data):
            data["graph"]["nodes"].append(node_of(tensor("c"), o=custom_obj("nothing")))
            data["graph"]["tensor_values"]["c"] = meta(2)
        names.good("constant-custom-obj", constant, "5.1.2", "A constant beside the program.")

        def given(data):
            data["graph"]["outputs"].append(custom_obj("nothing"))
            data["output_specs"].append(user_output(custom_obj("nothing")))
        names.bad("undefined-custom-obj", given, "EP_VALUE_UNDEFINED",
                  GRAPH + "outputs/1/as_custom_obj/name", "The graph gives values, no constants.")

    def outer(data):
        inner_graph(data)["nodes"][0]["inputs"][0]["arg"] = tensor("y")
    names.bad("undefined-outer-name", outer, "EP_VALUE_UNDEFINED",
              INNER + "nodes/0/inputs/0/arg/as_tensor/name",
              "A name from outside means nothing in an inner graph.")

    def output(data):
        inner_graph(data)["outputs"][0] = tensor("nothing")
    names.bad("undefined-output", output, "EP_VALUE_UNDEFINED", INNER + "outputs/0/as_tensor/name",
              "What a graph gives.")


def early(names):
    def uses(node, argument):
        def change(data):
            data["graph"]["nodes"][node]["inputs"][1]["arg"] = argument
        return change
    names.bad("early-later", uses(ADD, tensor("z")), "EP_VALUE_EARLY",
              NODES + "1/inputs/1/arg/as_tensor/name", "A later node defines it.")
    names.bad("early-self", uses(ADD, tensor("y")), "EP_VALUE_EARLY",
              NODES + "1/inputs/1/arg/as_tensor/name", "It is what the node gives.")

    def inner_one(data):
        inner_graph(data)["nodes"][0]["inputs"][0]["arg"] = tensor("r")
    names.bad("early-inner", inner_one, "EP_VALUE_EARLY",
              INNER + "nodes/0/inputs/0/arg/as_tensor/name", "In an inner graph.")

    def moved(data):
        nodes = data["graph"]["nodes"]
        nodes[RELU], nodes[ADD] = nodes[ADD], nodes[RELU]
    names.bad("early-order", moved, "EP_VALUE_EARLY", NODES + "1/inputs/0/arg/as_tensor/name",
              "Two nodes out of order.")


def unlisted(names):
    names.unlist("unlisted", "tensor_values", "y", NODES + "1/outputs/0/as_tensor/name",
                 "What a node gives.")
    position = 1 if since(names.name, "3.1") else 0
    names.unlist("unlisted-input", "tensor_values", "x",
                 GRAPH + "inputs/%d/as_tensor/name" % position, "An input.")
    names.unlist("unlisted-item", "tensor_values", "a1", NODES + "4/outputs/0/as_tensors/1/name",
                 "In a list.")
    names.unlist("unlisted-sym-int", "sym_int_values", "n",
                 NODES + "0/outputs/0/as_sym_int/as_name", "A symbolic int.")
    names.unlist("unlisted-sym-bool", "sym_bool_values", "flag",
                 NODES + "3/outputs/0/as_sym_bool/as_name", "A symbolic bool.")
    if since(names.name, "8.2"):
        names.unlist("unlisted-sym-float", "sym_float_values", "f",
                     NODES + "6/outputs/0/as_sym_float/as_name", "A symbolic float.")
    if since(names.name, "3.1"):
        names.unlist("unlisted-custom-obj", "custom_obj_values", "obj",
                     GRAPH + "inputs/0/as_custom_obj/name", "A custom object.")

    def below(data):
        del inner_graph(data)["tensor_values"]["r"]
    names.bad("unlisted-inner", below, "EP_VALUE_UNLISTED",
              INNER + "nodes/0/outputs/0/as_tensor/name", "In an inner graph.")


def listed(names):
    names.table("listed-twice", "sym_int_values", "y", 2, "EP_VALUE_LISTED_TWICE",
                "In two tables.", "tensor_values")
    names.table("listed-twice-bool", "sym_bool_values", "n", True, "EP_VALUE_LISTED_TWICE",
                "In two tables.", "sym_int_values")
    names.table("extra", "tensor_values", "nobody", meta(2), "EP_VALUE_EXTRA", "Nothing gives it.")
    names.table("extra-sym-int", "sym_int_values", "nobody", 2, "EP_VALUE_EXTRA",
                "Nothing gives it.")
    names.table("extra-sym-bool", "sym_bool_values", "nobody", True, "EP_VALUE_EXTRA",
                "Nothing gives it.")
    names.table("extra-inner-name", "tensor_values", "r", meta(2), "EP_VALUE_EXTRA",
                "An inner graph gives it.")
    if since(names.name, "8.2"):
        names.table("listed-twice-float", "sym_float_values", "z", 1.0, "EP_VALUE_LISTED_TWICE",
                    "In two tables.", "tensor_values")
        names.table("extra-sym-float", "sym_float_values", "nobody", 1.0, "EP_VALUE_EXTRA",
                    "Nothing gives it.")
    if since(names.name, "3.1"):
        names.table("extra-custom-obj", "custom_obj_values", "nobody",
                    custom_obj("nobody")["as_custom_obj"], "EP_VALUE_EXTRA", "Nothing gives it.")


def kinds(names):
    code = "EP_VALUE_KIND"
    names.use("kind-use", sym_int("y"), "as_sym_int/as_name", "A tensor as an int.", code)
    names.use("kind-use-tensor", tensor("n"), "as_tensor/name", "An int as a tensor.", code)
    def item(data):
        data["graph"]["nodes"][ANY]["inputs"].append(
            {"name": "more", "arg": tensors("x", "flag"), "kind": 1})
    names.good("kind-use-item", item, "5.1.7",
               "A bool in a list: what the operator takes nobody knows.")
    names.node("kind-use-tensors", code, "inputs/0/arg/as_tensors/1/name", "%s%d/inputs/0/arg/"
               "as_tensors/1/name" % (NODES, len(names.draft.data["graph"]["nodes"])),
               "The operator takes tensors.",
               call("aten.cat.default", {"tensors": tensors("x", "flag")}, {"as_none": True}))
    names.use("kind-use-bool", sym_bool("n"), "as_sym_bool/as_name", "An int as a bool.", code)
    if since(names.name, "3.1"):
        names.use("kind-use-custom-obj", tensor("obj"), "as_tensor/name", "An object as a tensor.",
                  code)

    def change(data):
        del data["graph"]["sym_int_values"]["n"]
        data["graph"]["sym_bool_values"] = {"n": True, "flag": True}
    names.bad("kind-listed", change, code, (GRAPH + "sym_bool_values", "n"),
              "Listed as another kind.")


def arguments(names):
    """What may be an input of a graph, and an output of a node."""
    def takes(argument):
        def change(data):
            inner_graph(data)["inputs"].append(argument)
        return change

    def gives(argument):
        def change(data):
            data["graph"]["nodes"].append(call(CALL, {}, [argument]))
        return change
    place = "%s%d/outputs/0" % (NODES, len(names.draft.data["graph"]["nodes"]))
    for label, argument in (
            ("int", {"as_int": 3}), ("float", {"as_float": 0.5}), ("bool", {"as_bool": True}),
            ("string", {"as_string": "a"})):
        names.good("input-" + label, takes(argument), "5.1.8", "A constant.")
        names.bad("output-" + label, gives(argument), "EP_OUTPUT_KIND", place,
                  "A node gives values.")
    names.good("input-none", takes({"as_none": True}), "5.1.8", "A constant.")
    names.good("output-none", gives({"as_none": True}), "5.1.9", "Nothing.")
    names.good("output-nothing", gives(tensors()), "5.1.9", "A list of none.")
    for label, argument in (
            ("tensors", tensors()), ("ints", {"as_ints": [1]}), ("strings", {"as_strings": ["a"]}),
            ("sym-ints", {"as_sym_ints": []}), ("device", {"as_device": {"type": "cpu"}}),
            ("scalar-type", {"as_scalar_type": 7}), ("optionals", {"as_optional_tensors": []}),
            ("graph", {"as_graph": {"name": "g_1", "graph": graph()}})):
        names.bad("input-" + label, takes(argument), "EP_INPUT_KIND", INNER + "inputs/1",
                  "Not a single value, nor a constant.")
        if label not in ("tensors", "optionals"):
            names.bad("output-" + label, gives(argument), "EP_OUTPUT_KIND", place,
                      "A node gives values.")


def results(names):
    """What may be an output of a graph; and symbolic arguments that are numbers."""
    def gives(argument):
        def change(data):
            inner_graph(data)["outputs"].append(argument)
        return change

    def takes(argument):
        def change(data):
            inner_graph(data)["inputs"].append(argument)
        return change
    for label, argument in (("int", {"as_int": 3}), ("string", {"as_string": "a"}),
                            ("none", {"as_none": True}), ("input", tensor("x"))):
        names.good("result-" + label, gives(argument), "5.1.9", "A single value, or a constant.")
    for label, argument in (("tensors", tensors("x")), ("none-of-them", tensors()),
                            ("ints", {"as_ints": [1]}), ("optionals", {"as_optional_tensors": []}),
                            ("graph", {"as_graph": {"name": "g_1", "graph": graph()}}),
                            ("number", {"as_sym_int": {"as_int": 3}})):
        names.bad("result-" + label, gives(argument), "EP_OUTPUT_KIND", INNER + "outputs/1",
                  "Not a single value, nor a constant.")
    for label, argument in (("int", {"as_sym_int": {"as_int": 3}}),
                            ("bool", {"as_sym_bool": {"as_bool": True}})):
        names.bad("input-number-" + label, takes(argument), "EP_INPUT_KIND", INNER + "inputs/1",
                  "A symbolic one has a name.")

        def change(data, argument=argument):
            data["graph"]["nodes"].append(call(CALL, {}, [argument]))
        names.bad("output-number-" + label, change, "EP_OUTPUT_KIND", "%s%d/outputs/0" % (
            NODES, len(names.draft.data["graph"]["nodes"])), "A symbolic one has a name.")


def valid(names):
    """Names are any strings, and mean something in one graph only."""
    for label, name in (("none", "None"), ("dot", "a.b"), ("empty", ""), ("space", "a b"),
                        ("unicode", "\u00e9\U0001f600"), ("digit", "0"), ("slash", "a/b~c"),
                        ("inner", "r"), ("node", "torch")):
        def change(data, name=name):
            data["graph"]["nodes"].append(node_of(tensor(name)))
            data["graph"]["tensor_values"][name] = meta(2)
        names.good("name-" + label, change, ["5.1.1", "5.1.4", "5.1.6"], "A name is any string.")

    def constants(data):
        data["graph"]["nodes"][ANY]["inputs"] += [
            {"name": "c", "arg": {"as_sym_int": {"as_int": 3}}},
            {"name": "d", "arg": {"as_sym_bool": {"as_bool": True}}}]
    names.good("constants", constants, "5.1.2", "A number in place of a name.")


def graph_constants(suite):
    """The tensors that a graph of version 1 holds itself."""
    names = Names(suite, "1")

    def change(data):
        data["graph"]["constants"] = {"c": "AAEC"}
        data["graph"]["nodes"][ADD]["inputs"][1]["arg"] = tensor("c")
    names.good("constant", change, ["5.1.2", "5.1.4"], "It needs no entry in a table.")


def nameless(suite):
    """An object before 1-2023-12 names nothing: nodes take and give it."""
    blob = {"as_custom_obj": {"blob": "AAEC"}}
    for version in ("1-2023-08", "1"):
        names = Names(suite, version)

        def change(data):
            data["graph"]["nodes"][ANY]["inputs"].append({"name": "o", "arg": blob})
            data["graph"]["nodes"][ANY]["outputs"].append(blob)
        names.good("nameless", change, ["5.1.2", "5.1.4", "5.1.9"], "An object without a name.")


def node_names(suite):
    for version in ("8.16", "8.18", "8.20"):
        draft = base(version)
        for i, node in enumerate(draft.data["graph"]["nodes"]):
            node["name"] = "n%d" % i
        draft.data["graph"]["nodes"][ADD]["name"] = "y"
        inner_graph(draft.data)["nodes"][0]["name"] = "n0"
        whole = Whole(suite, "node-name/base", draft, version, "5.1.10",
                      "Names of nodes; one is that of a value, one that of a node further in.")

        def again(data):
            data["graph"]["nodes"][GT]["name"] = "n0"
        whole.bad("again", again, "EP_NODE_NAME", NODES + "3/name", "The name of another node.")

        def empty(data):
            data["graph"]["nodes"][ADD]["name"] = data["graph"]["nodes"][RELU]["name"] = ""
        whole.bad("empty", empty, "EP_NODE_NAME", NODES + "2/name", "The empty name is one.",
                  flags=["large"])

        for label, name, where, why in (
                ("own-of-several", "a0", SPLIT, "It gives two values."),
                ("earlier-of-several", "n", SPLIT, "An earlier node defines it."),
                ("input-of-several", "x", SPLIT, "An input."),
                ("later-of-several", "w", SPLIT, "A later node defines it.")):
            def taken(data, name=name, where=where):
                data["graph"]["nodes"][where]["name"] = name
            whole.bad(label, taken, "EP_NODE_NAME", "%s%d/name" % (NODES, where), why)

        def own(data):
            data["graph"]["nodes"][ADD]["name"] = "z"
            data["graph"]["nodes"][GT]["name"] = "flag"
            data["graph"]["nodes"][FLOAT]["name"] = "f"
        whole.good("later-own", own, "5.1.10", "A node with one value stands for it, whatever its own name is.")

        def null(data):
            data["graph"]["nodes"][GT]["name"] = None
            data["graph"]["nodes"][SPLIT]["name"] = None
        whole.good("null", null, "5.1.10", "Null is no name.")

        def below(data):
            nodes = inner_graph(data)["nodes"]
            nodes.append(call(CALL, {}, {"as_none": True}, name="n0"))
        whole.bad("inner", below, "EP_NODE_NAME", INNER + "nodes/1/name", "In an inner graph.")


def lowest(suite):
    """Of errors of several clauses the lowest is told."""
    names = Names(suite, "8.20")

    def change(data):
        inputs = data["graph"]["nodes"][ANY]["inputs"]
        inputs[1]["arg"], inputs[2]["arg"] = sym_int("y"), tensors("y", "nothing")
    names.bad("order-undefined-before-kind", change, "EP_VALUE_UNDEFINED",
              "%s%d/inputs/2/arg/as_tensors/1/name" % (NODES, ANY),
              "The lower clause, though it comes later.", also=["1.5.1"], flags=["precedence"])

    def same(data):
        inputs = data["graph"]["nodes"][ANY]["inputs"]
        inputs[1]["arg"], inputs[2]["arg"] = tensor("no"), tensors("nothing")
    names.bad("order-first", same, "EP_VALUE_UNDEFINED",
              "%s%d/inputs/1/arg/as_tensor/name" % (NODES, ANY), "Of one clause the first.",
              also=["1.5.1"], flags=["precedence"])


def vectors(suite):
    for version in VERSIONS:
        names = Names(suite, version)
        for each in (twice, undefined, early, unlisted, listed, kinds, arguments, results,
                     valid):
            each(names)
    for version in ("3.1", "8.2", "8.8", "8.17"):
        undefined(Names(suite, version))
    foreign = Names(suite, "8.20", Foreign())
    for each in (twice, early, listed):
        each(foreign)
    graph_constants(suite)
    nameless(suite)
    node_names(suite)
    lowest(suite)
