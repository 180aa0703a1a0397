"""Rows of tables that other vectors leave alone: tree specs in the first version,
rules of programs without tensors, tags of every type of operators' arguments and
returns, versions just at the edge of a step of migration, operators that draw no
random numbers.  conformance/scripts/mutate found that they were missing.
"""


from generate.rules import subgraphs
from generate.language import treespecs
from generate.canon.digest import digest
from format.annexes import rows
from format.history import VERSIONS
from generate.migrate.migrations import NODES, Migrations, called, mapped, strict
from generate.migrate.migrations import subgraph as mapped_graph
from generate.migrate.texts import S0, noted, speaking
from generate.mutants.numbers import GIVEN, LATEST, RELEASES, operators_of
from generate.mutants.canon import Calls, callable_, using
from generate.mutants.rules import OLDEST
from generate.rules.operators import Operators, integer
from generate.rules.program_header import header
from generate.language.texts import has
from generate.whole import (KEYWORD, MODULES, POSITIONAL, SIGNATURE, Draft, Whole, call,
                            custom_obj, meta, sym_bool, sym_float, sym_int, tensor, tensors,
                            user_input, user_output)

# ---- tree specs in the first version -----------------------------------------------


def specs(suite):
    """What the first version has as the later ones do."""
    texts = treespecs.described(suite, OLDEST)
    for label, first, last, text, clauses, why in treespecs.GOOD:
        if first is None and last is None:
            names = [clauses] if isinstance(clauses, str) else clauses
            texts.good(label, texts.in_spec(text), list(names) + ["4.2.1"], why)


# ---- subgraphs in the first version ---------------------------------------------------


def conditions(suite):
    """The rules on subgraphs."""
    draft = subgraphs.program(subgraphs.cond(OLDEST), ["c0", "c1"])
    whole = Whole(suite, "subgraph/cond", draft, OLDEST,
                  ["5.2.1", "5.2.2", "5.2.3", "5.2.4", "5.2.5"], "Two graphs, two operands.")
    subgraphs.names(whole)
    subgraphs.counts(whole)
    subgraphs.inputs(whole, OLDEST)
    subgraphs.outputs(whole)


# ---- programs without tensors --------------------------------------------------------

OBJECTS = ("o", "q")


def tensorless():
    """Two objects and a number come in, the number goes out."""
    draft = Draft(header={"torch_version": "2.7.0"})
    for name in OBJECTS:
        said = custom_obj(name)["as_custom_obj"]
        draft.take({"custom_obj": {"arg": said, "custom_obj_name": "c." + name}})
        draft.table("custom_obj_values", **{name: said})
    draft.take(user_input(sym_int("n"))).table("sym_int_values", n=2)
    draft.node(call("_operator.add", {"a": sym_int("n"), "b": integer()}, sym_int("m")))
    draft.table("sym_int_values", m=3)
    return draft.give(user_output(sym_int("m")))


def without_tensors(suite):
    """The rules that look at a program once, where there are no tensors."""
    for version in ("5.3", "7.3", LATEST):
        whole = Whole(suite, "signature/no-tensors", tensorless(), version,
                      ["5.3.1", "5.5.1", "5.7.1"], "No tensor at all.")
        for label, change, code, where, why in NOT_ONCE:
            whole.bad("no-tensors-" + label, change, code, where, why)
        whole.good("no-tensors-opset", header("opset_version", {"aten": 9}), "5.7.1",
                   "No release writes it.", warn=[("EP_OPSET", ("opset_version", "aten"))])
        if has(version, "ExportedProgram", "dialect") or has(version, "ExportedProgram",
                                                            "verifiers"):
            key, said = (("verifiers", ["TORCH"]) if has(version, "ExportedProgram", "verifiers")
                         else ("dialect", "TORCH"))
            whole.good("no-tensors-verifier", header(key, said), "5.7.2", "Somebody's own.", warn=[
                ("EP_VERIFIER", key + "/0" if key == "verifiers" else key)])
        if has(version, "ExportedProgram", "torch_version"):
            whole.bad("no-tensors-release", header("torch_version", "two"), "EP_TORCH_VERSION",
                      "torch_version", "No version.")


def fewer(data):
    data["input_specs"].pop()


def late(data):
    for table in (data["input_specs"], data["graph"]["inputs"]):
        table.insert(1, table.pop())


def no_name(data):
    data["input_specs"][1]["custom_obj"]["custom_obj_name"] = ""


def one_name(data):
    data["input_specs"][1]["custom_obj"]["custom_obj_name"] = "c.o"


def second_root(data):
    data["modules"].append({"fqn": "", "signature": None})


INPUTS = SIGNATURE + "input_specs/"
NOT_ONCE = (
    ("inputs", fewer, "EP_SIGNATURE_INPUTS", SIGNATURE[:-1], "Two specs of three."),
    ("order", late, "EP_SIGNATURE_ORDER", INPUTS + "2", "It comes too late."),
    ("name", no_name, "EP_SPEC_NAME", INPUTS + "1/custom_obj/custom_obj_name", "No name."),
    ("twice", one_name, "EP_SPEC_TWICE", INPUTS + "1/custom_obj/custom_obj_name",
     "Two objects of one name."),
    ("fqn", second_root, "EP_MODULE_FQN", MODULES + "1/fqn", "Two roots."),
)


# ---- types of operators -----------------------------------------------------------------

X, N, FLAG = tensor("x"), sym_int("n"), sym_bool("flag")
DEVICE = {"as_device": {"type": "cpu", "index": None}}
STRING, STRINGS = {"as_string": "s"}, {"as_strings": ["s"]}
INTS, FLOATS, BOOLS = {"as_ints": [1]}, {"as_floats": [0.5]}, {"as_bools": [True]}
TRUE, HALF = {"as_bool": True}, {"as_float": 0.5}
COMPLEX = {"as_complex": {"real": 0.5, "imag": 1.5}}
DTYPE, LAYOUT, FORMAT = {"as_scalar_type": 7}, {"as_layout": 7}, {"as_memory_format": 2}
NONE = {"as_none": True}
MAYBE = {"as_optional_tensors": [X, NONE]}
ALL = {"none": NONE, "tensor": X, "tensors": tensors("x"), "optional-tensors": MAYBE,
       "int": integer(), "ints": INTS, "float": HALF, "floats": FLOATS, "bool": TRUE,
       "bools": BOOLS, "string": STRING, "strings": STRINGS, "device": DEVICE, "dtype": DTYPE,
       "layout": LAYOUT, "memory-format": FORMAT, "complex": COMPLEX, "sym-int": N,
       "sym-bool": FLAG, "sym-float": {"as_sym_float": {"as_float": 0.5}},
       "sym-ints": {"as_sym_ints": [{"as_name": "n"}, {"as_int": 1}]}}
# type: an operator, its arguments, the one that has the type, what it takes (E.4)
TAKES = (
    ("tensor", "aten.relu.default", {"self": X}, "self", "tensor"),
    ("tensors", "aten.cat.default", {"tensors": X}, "tensors", "tensors"),
    ("optional-tensors", "aten.index.Tensor", {"self": X, "indices": X}, "indices",
     "tensors optional-tensors"),
    ("bool", "aten.dropout.default", {"input": X, "p": HALF, "train": X}, "train", "bool sym-bool"),
    ("float", "aten.dropout.default", {"input": X, "p": X, "train": TRUE}, "p",
     "float int bool sym-float"),
    ("int", "aten.select.int", {"self": X, "dim": X, "index": integer()}, "dim",
     "int bool sym-int dtype layout memory-format"),
    ("number", "aten.add.Scalar", {"self": X, "other": X}, "other",
     "int float bool complex sym-int sym-float sym-bool"),
    ("ints", "aten.view.default", {"self": X, "size": X}, "size",
     "ints bools sym-ints int sym-int"),
    ("floats", "aten.upsample_nearest2d.vec", {"input": X, "output_size": NONE,
                                               "scale_factors": X}, "scale_factors",
     "floats ints bools none"),
    ("string", "aten.einsum.default", {"equation": X, "tensors": tensors("x")}, "equation",
     "string"),
    ("device", "aten.to.device", {"self": X, "device": X, "dtype": DTYPE}, "device",
     "device string"),
    ("generator", "aten.bernoulli.default", {"self": X, "generator": X}, "generator", "none"),
)
# type: an operator, its arguments, what it gives (E.4) that is a value
GIVES = (
    ("tensor", "aten.relu.default", {"self": X}, "tensor"),
    ("tensors", "aten.split.Tensor", {"self": X, "split_size": integer()}, "tensors"),
    ("bool", "aten.Bool.float", {"a": HALF}, "bool"),
    ("int", "aten.Int.Scalar", {"a": integer()}, "int"),
    ("float", "aten.Float.Scalar", {"a": integer()}, "float"),
    ("number", "aten.ScalarImplicit.default", {"a": X}, "int float bool"),
    ("complex", "aten.Complex.Scalar", {"a": integer()}, "int float bool"),
    ("string", "aten.bin.default", {"i": integer()}, ""),
    ("device", "aten.device.default", {"a": STRING}, ""),
    ("strings", "aten.rsplit.default", {"self": STRING}, ""),
    ("bools", "aten.sorted.bool", {"input": BOOLS}, ""),
    ("floats", "aten.sorted.float", {"input": FLOATS}, ""),
    ("ints", "aten._infer_size.default", {"a": INTS, "b": INTS}, ""),
    ("any", "prim.Uninitialized.default", {}, "tensor tensors int float bool"),
)
VALUES = {"tensor": ("tensor_values", tensor, meta()),
          "tensors": ("tensor_values", tensors, meta()),
          "int": ("sym_int_values", sym_int, 1), "bool": ("sym_bool_values", sym_bool, True),
          "float": ("sym_float_values", sym_float, 0.5)}


def taken(operators):
    """Each tag for an argument of each type."""
    for label, target, inputs, name, right in TAKES:
        for tag, value in ALL.items():
            given = list({**inputs, name: value}.items())
            kinds = [KEYWORD if each == "generator" else POSITIONAL for each, _ in given]
            if tag in right.split():
                operators.yes("takes-%s-%s" % (label, tag), "5.6.6", "E.4 has the tag.", target,
                              given, kinds=kinds)
            else:
                operators.no("takes-%s-%s" % (label, tag), "EP_OPERATOR_TYPE",
                             "/inputs/%d/arg" % list(inputs).index(name), "E.4 has not the tag.",
                             target, given, kinds=kinds)


def gives(operators):
    """Each kind of value as what operators return, of each type."""
    count = len(operators.draft.data["graph"]["nodes"])
    for label, target, inputs, right in GIVES:
        for tag, (table, make, value) in VALUES.items():
            def change(data, node=call(target, inputs, make("z")), table=table, value=value):
                data["graph"]["nodes"].append(node)
                data["graph"].setdefault(table, {})["z"] = value
            name = "gives-%s-%s" % (label, tag)
            if tag in right.split():
                operators.good(name, change, "5.6.7", "E.4 has the tag.")
            else:
                operators.bad(name, change, "EP_OPERATOR_OUTPUTS", "%s%d/outputs/0" % (
                    NODES, count), "E.4 has not the tag.")


def types(suite):
    operators = Operators(suite, LATEST)
    taken(operators)
    gives(operators)


# ---- at the edges of migration ------------------------------------------------------------


def edges(suite):
    """A step between two versions is none from the later of the two on."""
    to = Migrations(suite)
    srepr = "Add(%s, Integer(1))" % S0
    to.pair("expression-kept", "8.2", LATEST, speaking(srepr), ["7.5.1", "7.1.2"],
            "8.2 has the form of the latest.")
    to.pair("expression-kept", "7.3", "8.1", speaking("s0 + 1"), ["7.5.1", "7.1.2"],
            "8.1 has the form of those before.")
    each = called([1] * 4, ["sub", "sub@1", "sub@2", "other"])
    to.pair("calls-kept", "8.1-a", LATEST, each, ["7.4.5"], "8.1-a has an entry a call.")
    to.pair("calls-kept", "2", "7.4", called([3, 1], ["sub", "other"]), ["7.4.5"],
            "7.4 has an entry a module.")
    two = {"values": ("a", "c"), "results": ("b", "d")}
    to.pair("tensors-kept", "5.1", "7.3", strict([tensor("u"), tensor("v")], **two), ["7.4.4"],
            "5.1 has an output each.")
    to.pair("tensors-kept", "2.1", "4.2", strict(tensors("u", "v"), **two), ["7.4.4"],
            "4.2 has a list.")
    body = mapped_graph("g", ("a", "c"), ("b",))
    to.pair("map-kept", "5.1", "7.3", mapped("higher_order.map_impl", [
        body, tensors("x"), tensors("t")]), ["7.4.7"], "5.1 has two lists.")
    to.pair("map-kept", "2", "4.2", mapped("higher_order.map_impl", [
        body, integer(), tensor("x"), tensor("t")]), ["7.4.7"], "4.2 has a number.")
    stacks = {"nn_module_stack": "fn,L['fn'],torch.nn.Linear;g,,M",
              "source_fn_stack": "add,_operator.add"}
    to.pair("metadata-kept", "2", LATEST, noted(**stacks), ["7.5.3"],
            "2 has the form of the latest.")


# ---- what draws no random number ---------------------------------------------------------------

def listed_ones():
    """The operators of the lists of effects."""
    return {row["target"] for row in rows("effects")}


def writing_ones():
    """Those that write to an argument, in any release."""
    return {row["target"] for row in rows("operators") if "!" in (row["arguments"] or "")}


def still(suite):
    """Every operator without a tag, before a random number that goes first where it may."""
    listed, writing = listed_ones(), writing_ones()
    calls = Calls()
    for target, arguments, returns, tags in operators_of("2_15"):
        known = tags is None and target.startswith(("aten.", "prims."))
        if not known or target in listed or not returns:
            continue
        for _, given, _ in callable_(target, arguments, returns, tags):
            name = "o%d" % len(calls.nodes)
            if target in writing:
                value = calls.add("aten.clone.default", [("self", tensor("x"))], "c" + name,
                                  shown=False)
                given = using(value, given)
            calls.add(target, given, name, returns)
    calls.add("aten.rand.default", [("size", {"as_ints": [2]})], "r")
    text = calls.program().written(VERSIONS[LATEST]).text
    suite.valid("digest/order-still/8.20", "digest", LATEST, text, ["6.10.1", "6.3.1", "6.3.3"],
                "No operator without a tag draws random numbers.", provenance="oracle",
                file="canon/8.20-order-still.json", product={"text": digest(suite, text)})


# ---- every other operator -------------------------------------------------------------------

RETURNS = {"Tensor": "tensor", "List[Tensor]": "tensors", "List[Optional[Tensor]]": "tensors",
           "int": "int", "bool": "bool", "float": "float", "number": "int"}
CONSTANTS = ("str", "Device", "List[str]", "List[int]", "List[bool]", "List[float]",
             "List[number]", "complex", "List[List[Tensor]]", "__torch__")  # no value is such


def argument(kind):
    """What is given for a type; one that nobody knows takes anything."""
    if kind.startswith("Optional["):
        return NONE
    if kind.startswith(("List[List[Tensor]]", "__torch__")):
        return None
    return GIVEN.get(kind, INTS if kind == "List[Optional[number]]" else integer())


def result(draft, kind, name):
    """What a return of a type is; a value is put into its table."""
    if kind not in RETURNS:
        return NONE
    table, make, value = VALUES[RETURNS[kind]]
    draft.table(table, **{name: value})
    return make(name)


def wanted(version, target, arguments, returns):
    """Whether an operator can be called, and operator/every has it not."""
    every = not set(returns) - {"Tensor"} and target.startswith(("aten.", "prims.")) and all(
        kind.startswith("Optional[") or kind in GIVEN for _, kind in arguments)
    return not every and all(argument(kind) is not None for _, kind in arguments) and not any(
        kind.startswith(CONSTANTS) or (kind == "float" and version != LATEST) for kind in returns)


def others(suite):
    """A call of every operator that operator/every has not: of any namespace, with
    returns of any type that a value can have."""
    for version, release in RELEASES[:3]:
        draft = Draft(header={"verifiers": [""] if version != "1" else [], "dialect": "",
                              "torch_version": "2.7.0"})
        draft.take(user_input(X)).tensors(x=meta())
        for target, arguments, returns, _ in operators_of(release):
            if not wanted(version, target, arguments, returns):
                continue
            count = len(draft.data["graph"]["nodes"])
            made = [result(draft, kind, "v%dx%d" % (count, i)) for i, kind in enumerate(returns)]
            node = call(target, [(name, argument(kind)) for name, kind in arguments], made)
            for named in node["inputs"]:
                named["kind"] = None
            draft.node(node)
        draft.give(user_output(X))
        suite.valid("operator/others/" + version, "check", version,
                    draft.written(VERSIONS[version]).text, ["5.6.1", "5.6.4", "5.6.6", "5.6.7"],
                    "Every operator that returns something else, or is of another namespace.",
                    file="whole/%s-operator-others.json" % version, provenance="hand")


# ---- more levels than two bytes count ---------------------------------------------------------


def deepest(suite):
    """More levels are allowed than an implementation may count."""
    for levels, verdict in ((65535, "valid"), (65536, "invalid")):
        suite.valid("limit/beyond/depth-%d" % levels, "wire", None, "[" * levels + "]" * levels,
                    "1.4.2", "{:,} levels, of 100,000 that are allowed.".format(levels),
                    verdict="implementation-defined", code="EP_LIMIT_DEPTH",
                    profiles={"epref": verdict}, file="limits/depth-%d.json" % levels,
                    provenance="hand", options={"limits": {"depth": 100000}}, flags=["large"])


def vectors(suite):
    for part in (deepest, specs, conditions, without_tensors, types, edges, still, others):
        part(suite)
