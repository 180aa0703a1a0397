"""The torch form, leaf by leaf (SPEC 6.9.3, 6.9.4, 6.9.8): each tag of an Argument between an
empty list, which has no leaf, and a tensor, which has one with a rank; and the empty name, which
two values may not have.
"""

from generate.canon.forms import LATEST, op, program, reordered, subgraph
from generate.canon.torch import FEW, RELEASES, Torch, relu, torched
from generate.language.texts import has, since
from generate.whole import GRAPH, NODES, call, custom_obj, tensor

VERSIONS = (*RELEASES[:-1], "8.14", LATEST)  # 8.14 is the first with complex numbers
NAMED = "8.7"  # from here on objects have names
SILENT = {  # one leaf without a name
    "as_none": True, "as_int": 1, "as_ints": [1, 2], "as_int_lists": [[1], [2]], "as_float": 0.5,
    "as_floats": [], "as_float_lists": [[0.5]], "as_string": "x", "as_strings": ["x", "y"],
    "as_scalar_type": 7, "as_memory_format": 1, "as_layout": 7,
    "as_device": {"type": "cpu", "index": None}, "as_bool": True, "as_bools": [True, False],
    "as_complex": {"real": 0.5, "imag": 1.5}, "as_operator": "torch.ops.aten.relu.default",
    "as_string_to_argument": {"x": tensor("x"), "y": {"as_int": 1}},
}
NUMBERS = {  # a leaf each that has no name: these have one
    "as_tensor": {"name": ""}, "as_tensors": [{"name": ""}], "as_sym_int": {"as_int": 5},
    "as_sym_ints": [{"as_int": 5}], "as_optional_tensors": [{"as_none": True}],
    "as_nested_tensors": [[], [{"name": ""}]],
}
EMPTY = {  # no leaf
    "as_tensors": [], "as_nested_tensors": [[], []], "as_sym_ints": [], "as_sym_floats": [],
    "as_sym_bools": [], "as_optional_tensors": [],
}


def arguments(version, tags):
    return [{tag: value} for tag, value in tags.items() if has(version, "Argument", tag)]


def put(to, label, version, parts, why):
    """Nodes that differ in one argument, from the greatest key to the least."""
    nodes = [op("mylib.f.default", "a%d" % i, ("x", each))
             for i, each in enumerate([each for part in parts for each in part])]
    draft = program("x", nodes, "a0")
    order, end = [], len(nodes)
    for part in reversed(parts):  # what is equal stays in its order
        order += range(end - len(part), end)
        end -= len(part)
    wanted = torched(reordered(draft, *order))
    for node in wanted.data["graph"]["nodes"]:
        argument = node["inputs"][0]["arg"]
        if "as_string_to_argument" in argument:  # where names stay
            argument["as_string_to_argument"] = SILENT["as_string_to_argument"]
        if "as_graph" in argument:
            argument["as_graph"]["name"] = "_g0"
    to.valid(label, version, draft, wanted, ["6.9.3", "6.9.4", "6.9.8"], why)


def tags(to):
    for version in VERSIONS:
        silent = arguments(version, {**SILENT, **NUMBERS})
        if not since(version, NAMED):
            silent.append(custom_obj("o"))
        if version not in ("5.1", "5.3"):  # where subgraphs are no pairs
            silent.insert(3, subgraph("g", "", [], ""))
        put(to, "leaf-all", version, ([tensor("x")], silent, arguments(version, EMPTY)),
            "No leaf is less than one without a name, and that less than a rank.")
    for each in arguments(LATEST, SILENT):
        (tag, _), = each.items()
        put(to, "leaf-" + tag[3:].replace("_", "-"), LATEST,
            ([tensor("x")], [each], [{"as_tensors": []}]), "One tag alone.")


def empty_names(to):
    """The empty name is no name that may stand twice, but it is given anew once alone."""
    def made(target, one, output):
        return op("aten.%s.default" % target, tensor(output), self=one)
    nothing = call("mylib.f.default", {"x": tensor("x")}, [tensor(""), tensor("")])
    for version in FEW:
        twin = to.name("plain", version)
        inputs = GRAPH + "inputs/%d/as_tensor/name"
        outputs = NODES + "%d/outputs/%d/as_tensor/name"
        for label, draft, where in (
                ("inputs", program(["", ""], [made("relu", "", "y")], "y"), inputs % 1),
                ("inputs-apart", program(["", "x", ""], [relu("x", "y")], "y"), inputs % 2),
                ("input-output", program(["x", ""], [made("relu", "x", "")], ["x"]),
                 outputs % (0, 0)),
                ("outputs", program("x", [made("abs", "x", ""), made("relu", "x", "")], "x"),
                 outputs % (1, 0)),
                ("outputs-turned", program("x", [made("relu", "x", ""), made("abs", "x", "")], "x"),
                 outputs % (0, 0)),
                ("outputs-one", program("x", [nothing], "x"), outputs % (0, 1))):
            to.invalid("nameless-" + label, twin, draft, "EP_TORCH_NAME", where,
                       "The empty name, given anew a second time.", ["6.9.10", "6.9.4"])


def vectors(suite):
    to = Torch(suite)
    for part in (tags, empty_names):
        part(to)
