"""Names that look like others, values that are named twice, and empty arrays where a
scalar is due.
"""

from format.document import Document, replace
from format.history import VERSIONS
from generate.rules.names import ADD, ANY, CALL, GT, RELU, Names, base, node_of
from format.programs import Rich
from generate.rules.subgraphs import NAME, argument, cond, program
from generate.whole import NODES, Whole, call, meta, sym_bool, sym_float, sym_int, tensor
from generate.whole import user_output

# (type, member) and, of several, whether it is an item.
SCALARS = (("Argument", "as_int"), ("Argument", "as_float"), ("Argument", "as_string"),
           ("Argument", "as_bool"), ("Argument", "as_scalar_type"), ("TensorMeta", "dtype"),
           ("TensorMeta", "requires_grad"), ("Node", "target"), ("TensorArgument", "name"))
ITEMS = (("Argument", "as_ints"), ("Argument", "as_floats"), ("Argument", "as_strings"),
         ("Argument", "as_bools"), ("ExportedProgram", "opset_version"), ("Node", "metadata"))


def empty_arrays(suite, version):
    """PyTorch wrote as_none as [] once: elsewhere it is no value."""
    document = Document(Rich(VERSIONS[version]).program())
    for places, items in ((SCALARS, False), (ITEMS, True)):
        for place in places:
            node = next(each for each in document.nodes() if each.place == place)
            if items:
                node = (node.items or [value for _, value in node.members])[0]
            suite.invalid("field/empty-array/%s.%s/%s" % (*place, version),
                          "program/rich/" + version, replace(node, "[]"), "EP_TYPE",
                          (node.start, node.pointer), "An empty array is no scalar.",
                          provenance="hand")


def node_names(suite):
    """Names of nodes are not those of values, though they may look alike."""
    for version in ("8.16", "8.20"):
        draft = base(version)
        for i, node in enumerate(draft.data["graph"]["nodes"]):
            node["name"] = "n%d" % i
        whole = Whole(suite, "node-name/other", draft, version, "5.1.10",
                      "Names of nodes, none of which is that of a value.")

        def uses(data):
            data["graph"]["nodes"][RELU]["inputs"][0]["arg"] = tensor("n%d" % ADD)
        whole.bad("used", uses, "EP_VALUE_UNDEFINED",
                  "%s%d/inputs/0/arg/as_tensor/name" % (NODES, RELU),
                  "The name of a node that gives the value is no value's.")

        def uses_symbol(data):
            data["graph"]["nodes"][GT]["inputs"][0]["arg"] = sym_int("n0")
        whole.bad("used-sym-int", uses_symbol, "EP_VALUE_UNDEFINED",
                  "%s%d/inputs/0/arg/as_sym_int/as_name" % (NODES, GT),
                  "The name of a node that gives the symbol is no value's.")
        for label, at, name, why in (
                ("earlier", RELU, "y", "The name of a value of an earlier node."),
                ("input", ADD, "x", "The name of an input."),
                ("symbol", ADD, "n", "The name of a symbolic value."),
                ("subgraph", ADD, "g_0", "The name of a subgraph."),
                ("keyword", ADD, "class", "A word of Python.")):
            def change(data, at=at, name=name):
                data["graph"]["nodes"][at]["name"] = name
            whole.good(label, change, "5.1.10", why)


def symbols_twice(suite):
    """A symbolic value that a node gives twice, and that a program does."""
    for version in ("1", "7.3", "8.20"):
        names = Names(suite, version)
        count = len(names.draft.data["graph"]["nodes"])
        kinds = [("sym-int", sym_int, "sym_int_values", 2), ("sym-bool", sym_bool,
                                                            "sym_bool_values", True)]
        if version == "8.20":
            kinds.append(("sym-float", sym_float, "sym_float_values", 2.0))
        for label, made, table, value in kinds:
            (tag, _), = made("m").items()

            def once(data, made=made, table=table, value=value):
                data["graph"]["nodes"].append(call(CALL, {}, [made("m"), made("m1")]))
                data["graph"][table].update(m=value, m1=value)

            def twice(data, made=made, table=table, value=value):
                data["graph"]["nodes"].append(call(CALL, {}, [made("m"), made("m")]))
                data["graph"][table]["m"] = value
            names.good("outputs-%ss" % label, once, ["5.1.1", "5.1.9"], "Two of one kind.")
            names.bad("twice-output-" + label, twice, "EP_VALUE_TWICE",
                      "%s%d/outputs/1/%s/as_name" % (NODES, count, tag), "One node gives it twice.")

        def again(data):
            data["output_specs"] += [user_output(sym_int("n")), user_output(sym_int("n"))]
            data["graph"]["outputs"] += [sym_int("n"), sym_int("n")]
        names.good("given-twice", again, ["5.1.1", "5.3.3"], "A program gives one value twice.")


def subgraph_names(suite):
    """Identifiers that mean something to Python and are no keywords."""
    for version in ("7.3", "8.20"):
        whole = Whole(suite, "subgraph/cond", program(cond(version), ["c0", "c1"]), version,
                      ["5.2.1", "5.2.4", "5.2.5"], "")
        for label, name, why in (("builtin", "print", "A function of Python."),
                                 ("soft-keyword", "match", "A word that is one at times.")):
            def change(data, name=name):
                argument(data, 1)["as_graph"]["name"] = name
            whole.good("name-" + label, change, "5.2.1", why)
        for letter in "/:@[`{" if version == "8.20" else "":
            def beside(data, letter=letter):
                argument(data, 1)["as_graph"]["name"] = "a" + letter
            whole.bad("name-beside-%02x" % ord(letter), beside, "EP_SUBGRAPH_NAME", NAME % 1,
                      "Its number is beside those of digits or letters.")


def vectors(suite):
    for version in ("5.3", "8.20"):
        empty_arrays(suite, version)
    node_names(suite)
    symbols_twice(suite)
    subgraph_names(suite)
