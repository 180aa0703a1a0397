"""Nodes against the signatures of their operators."""

import re

from format.annexes import rows
from format.document import Foreign
from generate.language.texts import since, within
from generate.whole import (KEYWORD, NODES, POSITIONAL, Draft, Whole, call, custom_obj, meta,
                            sym_bool, sym_float, sym_int, tensor, tensors, user_input, user_output)

VERSIONS = ("1", "2", "5.1", "5.3", "7.3", "8.2", "8.8", "8.20")
OTHERS = ("1-2023-08", "1-2023-12", "4.2", "7.4", "8.7", "8.11", "8.14", "8.15", "8.17")
PROBE = 2  # the node that is changed
HERE = NODES + "%d" % PROBE
CLAUSES = ["5.6.%d" % i for i in range(1, 8)]
OPTIONS = ("dtype", "layout", "device", "pin_memory", "memory_format", "generator", "rounding_mode",
           "names")  # keyword-only arguments
X, Y, N, M = tensor("x"), tensor("y"), sym_int("n"), sym_int("m")
FLAG, LESS, NONE = sym_bool("flag"), sym_bool("less"), {"as_none": True}
FLASH = "aten._scaled_dot_product_flash_attention.default"
QKV = {"query": X, "key": X, "value": X}


def integer(value=1):
    return {"as_int": value}


def base(version):
    """A node of two tensors, and what else may be an argument."""
    draft = Draft(header={"verifiers": [""] if since(version, "5.4") else [], "dialect": ""})
    draft.take(user_input(X), user_input(Y))
    draft.tensors(x=meta(2, 3), y=meta(2, 3), p=meta(2, 3))
    draft.node(call("aten.sym_size.int", {"self": X, "dim": integer(0)}, N),
               call("_operator.gt", {"a": N, "b": integer(2)}, FLAG),
               call("aten.add.Tensor", {"self": X, "other": Y}, tensor("p")),
               call("_operator.add", {"a": N, "b": integer()}, M),
               call("_operator.lt", {"a": N, "b": integer()}, LESS),
               call(FLASH, QKV, [NONE] * 4 + [sym_int("i"), sym_int("j")] + [NONE] * 3))
    draft.table("sym_int_values", n=2, m=3, i=2, j=2)
    draft.table("sym_bool_values", flag=True, less=False)
    if since(version, "8.2"):
        draft.node(call("torch.sym_float", {"a": N}, sym_float("f")))
        draft.table("sym_float_values", f=2.0)
    return draft.give(user_output(tensor("p")))


class Operators(Whole):
    def __init__(self, suite, version, style=None):
        super().__init__(suite, "operator/base", base(version), version, CLAUSES, "Operators.",
                         style)
        self.name = version
        self.here = HERE

    def probe(self, target, inputs, outputs=None, kinds=None):
        """The change that puts another node in; kinds: of its arguments."""
        made = call(target, inputs, outputs if outputs is not None else [tensor("p")])
        kinds = kinds or [KEYWORD if name in OPTIONS else POSITIONAL for name, _ in inputs]
        for named, kind in zip(made["inputs"], kinds):
            named["kind"] = kind

        def change(data):
            data["graph"]["nodes"][PROBE] = made
        return change

    def yes(self, label, clause, why, *node, warn=(), **more):
        warn = [(code, self.here + where) for code, where in warn]
        return self.good(label, self.probe(*node, **more), clause, why, warn=warn)

    def no(self, label, code, where, why, *node, **more):
        return self.bad(label, self.probe(*node, **more), code, self.here + where, why)

    def instead(self, label, code, where, why, node, clause="5.6.7"):
        """A node in the place of the one that gives the same value."""
        nodes = self.draft.data["graph"]["nodes"]
        place = next(i for i, each in enumerate(nodes) if each["outputs"] == node["outputs"]
                     and each["target"].startswith("_operator"))

        def change(data):
            data["graph"]["nodes"][place] = node
        if code is None:
            return self.good(label, change, clause, why)
        return self.bad(label, change, code, "%s%d%s" % (NODES, place, where), why)

    def append(self, label, code, where, why, node, clause="5.6.7"):
        """One more node at the end."""
        def change(data):
            data["graph"]["nodes"].append(node)
        count = len(self.draft.data["graph"]["nodes"])
        if code is None:
            return self.good(label, change, clause, why)
        return self.bad(label, change, code, "%s%d%s" % (NODES, count, where), why)


RELU = "aten.relu.default"
ADD = "aten.add.Tensor"
SUM = "aten.sum.dim_IntList"
ANY = [("self", X)]


def unknown(operators):
    """Operators that no table has."""
    for label, target in (("name", "aten.nosuch.default"), ("overload", "aten.add.NoSuch"),
                          ("case", "aten.Relu.default"), ("class", "aten.__class__.default"),
                          ("prims", "prims.nosuch.default"), ("prim", "prim.nosuch.default"),
                          ("quantized", "quantized.nosuch.default"),
                          ("private", "_quantized.nosuch.default")):
        operators.no("unknown-" + label, "EP_OPERATOR", "/target", "PyTorch has none such.",
                     target, ANY)
    for label, target in (("other", "mylib.nosuch.default"), ("vision", "torchvision.nms.default"),
                          ("prefix", "atenx.add.Tensor")):
        operators.yes("namespace-" + label, "5.6.9", "Anyone may register one.", target, ANY,
                      warn=[("EP_NAMESPACE", "/target")])

    def twice(data):
        data["graph"]["nodes"] += [call("mylib.a.default", {}, {"as_none": True}),
                                   call("mylib.b.default", {}, {"as_none": True}),
                                   call("mylib.a.default", {}, {"as_none": True})]
    count = len(operators.draft.data["graph"]["nodes"])
    operators.good("namespace-twice", twice, "5.6.9", "Each target is told once.", warn=[
        ("EP_NAMESPACE", "%s%d/target" % (NODES, count + i)) for i in (0, 1)])
    operators.yes("namespace-none", "5.6.9", "A known operator: nothing is told.", RELU, ANY)


def arguments(operators):
    """Names of arguments."""
    operators.no("argument-other", "EP_OPERATOR_ARGUMENT", "/inputs/1/name", "It has none such.",
                 RELU, [("self", X), ("inplace", {"as_bool": False})])
    operators.no("argument-case", "EP_OPERATOR_ARGUMENT", "/inputs/0/name", "Case counts.",
                 ADD, [("Self", X), ("self", X), ("other", Y)])
    operators.no("argument-empty", "EP_OPERATOR_ARGUMENT", "/inputs/2/name", "No name.",
                 ADD, [("self", X), ("other", Y), ("", integer())])
    operators.no("argument-twice", "EP_OPERATOR_TWICE", "/inputs/2/name", "Again.",
                 ADD, [("self", X), ("other", Y), ("other", Y)])
    operators.no("argument-twice-first", "EP_OPERATOR_TWICE", "/inputs/1/name", "Again.",
                 ADD, [("self", X), ("self", X), ("other", Y)])
    operators.no("missing", "EP_OPERATOR_MISSING", "", "The second has no default.",
                 ADD, [("self", X)])
    operators.no("missing-all", "EP_OPERATOR_MISSING", "", "None is there.", ADD, [])
    operators.no("missing-keyword", "EP_OPERATOR_MISSING", "", "A keyword without a default.",
                 "aten.div.Tensor_mode", [("self", X), ("other", Y)])
    operators.no("missing-list", "EP_OPERATOR_MISSING", "", "An Optional without a default.", SUM,
                 ANY)
    operators.yes("defaults", "5.6.4", "What has a default may be left out.",
                  "aten.linear.default", [("input", X), ("weight", Y)])
    operators.instead("function-argument", "EP_OPERATOR_ARGUMENT", "/inputs/2/name",
                     "A function has names, too.", call("_operator.add", {
                         "a": N, "b": integer(), "c": integer()}, M))
    operators.instead("function-missing", "EP_OPERATOR_MISSING", "", "It takes two.",
                     call("_operator.add", {"a": N}, M))
    operators.instead("function-twice", "EP_OPERATOR_TWICE", "/inputs/2/name", "Again.",
                     call("_operator.mul", [("a", N), ("b", N), ("a", N)], M))


def orders(operators):
    """Where positional arguments stand, from the version on that says which."""
    code = "EP_OPERATOR_ORDER"
    p, k = POSITIONAL, KEYWORD
    self_other, swapped = [("self", X), ("other", Y)], [("other", Y), ("self", X)]
    alpha = [("alpha", integer())]
    operators.no("order-swapped", code, "/inputs/0/name", "Python would take it for the first.",
                 ADD, swapped, kinds=[p, k])
    operators.yes("order-keywords", "5.6.5", "By name, in any order.", ADD, swapped, kinds=[k, k])
    operators.no("order-keyword-only", code, "/inputs/2/name", "It is keyword-only.", ADD,
                 self_other + alpha, kinds=[p, p, p])
    operators.yes("order-keyword", "5.6.5", "As a keyword.", ADD, self_other + alpha,
                  kinds=[p, p, k])
    operators.yes("order-keyword-first", "5.6.5", "The first by name.", ADD, self_other,
                  kinds=[k, k])
    operators.no("order-after-keyword", code, "/inputs/1/name", "A keyword stands before it.", ADD,
                 self_other, kinds=[k, p])
    operators.no("order-gap", code, "/inputs/2/name", "One between is left out.", "aten.sum."
                 "dim_IntList", [("self", X), ("keepdim", {"as_bool": True}), ("dim", {
                     "as_ints": [0]})], kinds=[p, k, p])
    operators.no("order-skipped", code, "/inputs/1/name", "It is not the next.",
                 "aten.clamp.default", [("self", X), ("max", integer())], kinds=[p, p])
    operators.yes("order-skipped-keyword", "5.6.5", "By name it need not be.",
                  "aten.clamp.default", [("self", X), ("max", integer())], kinds=[p, k])
    operators.yes("order-null", "5.6.5", "Nothing is said of any.", ADD, swapped,
                  kinds=[None, None])
    operators.yes("order-null-first", "5.6.5", "One that stands in its place counts.", ADD,
                  self_other, kinds=[None, p])
    operators.no("order-null-swapped", code, "/inputs/1/name",
                 "One that does not stand in its place does not count.",
                 "aten.clamp.default", [("min", integer()), ("max", integer()), ("self", X)],
                 kinds=[None, p, k])
    if since(operators.name, "8.5"):
        operators.yes("order-unknown", "5.6.5", "Nothing is said of any.", ADD, swapped,
                      kinds=[0, 0])
    operators.instead("order-function", code, "/inputs/0/name", "Of a function.",
                     call("_operator.sub", [("b", N), ("a", N)], M))
    swapped = call("_operator.sub", [("b", N), ("a", N)], M)
    for each in swapped["inputs"]:
        each["kind"] = k
    operators.instead("order-function-keyword", code, "/inputs/0/name",
                     "A function takes them by their places.", swapped)


LIST = {"as_ints": [0, 1]}
SIZES = "aten.full.default"
# (label, target, inputs with one of another type, its place, why)
TYPES = (
    ("tensor-int", RELU, [("self", integer())], 0, "No tensor."),
    ("tensor-none", RELU, [("self", {"as_none": True})], 0, "No tensor."),
    ("tensor-list", RELU, [("self", tensors("x"))], 0, "A list of one."),
    ("tensor-string", RELU, [("self", {"as_string": "x"})], 0, "A name is no tensor."),
    ("tensor-sym-int", RELU, [("self", N)], 0, "No tensor."),
    ("list-tensor", "aten.cat.default", [("tensors", X)], 0, "No list."),
    ("list-ints", "aten.cat.default", [("tensors", LIST)], 0, "Of tensors."),
    ("list-optional", "aten.cat.default", [("tensors", {
        "as_optional_tensors": [{"as_none": True}]})], 0, "None of them may be missing."),
    ("optional-int", "aten.linear.default", [("input", X), ("weight", Y), ("bias", integer())], 2,
     "A tensor, or none."),
    ("int-float", "aten.any.dim", [("self", X), ("dim", {"as_float": 0.0})], 1, "No int."),
    ("int-string", "aten.any.dim", [("self", X), ("dim", {"as_string": "0"})], 1, "No int."),
    ("int-none", "aten.any.dim", [("self", X), ("dim", {"as_none": True})], 1, "No int."),
    ("int-list", "aten.any.dim", [("self", X), ("dim", {"as_ints": [0]})], 1, "No int."),
    ("int-tensor", "aten.any.dim", [("self", X), ("dim", Y)], 1, "No int."),
    ("int-sym-bool", "aten.any.dim", [("self", X), ("dim", FLAG)], 1, "No int."),
    ("bool-int", "aten.any.dim", [("self", X), ("dim", integer(0)), ("keepdim", integer(1))], 2,
     "No bool."),
    ("bool-string", "aten.any.dim", [("self", X), ("dim", integer(0)), ("keepdim", {
        "as_string": "True"})], 2, "No bool."),
    ("float-string", "aten.quantize_per_tensor.default", [
        ("self", X), ("scale", {"as_string": "1.0"}), ("zero_point", integer()),
        ("dtype", {"as_scalar_type": 7})], 1, "No float."),
    ("float-type", "aten.quantize_per_tensor.default", [
        ("self", X), ("scale", {"as_scalar_type": 7}), ("zero_point", integer()),
        ("dtype", {"as_scalar_type": 7})], 1, "No float."),
    ("number-string", SIZES, [("size", LIST), ("fill_value", {"as_string": "0"})], 1, "No number."),
    ("number-tensor", SIZES, [("size", LIST), ("fill_value", X)], 1, "No number."),
    ("number-type", SIZES, [("size", LIST), ("fill_value", {"as_scalar_type": 7})], 1,
     "No number."),
    ("ints-tensors", SIZES, [("size", tensors("x")), ("fill_value", integer())], 0, "Of ints."),
    ("ints-floats", SIZES, [("size", {"as_floats": [1.0]}), ("fill_value", integer())], 0,
     "Of ints."),
    ("ints-none", SIZES, [("size", {"as_none": True}), ("fill_value", integer())], 0,
     "It is not optional."),
    ("ints-float", SIZES, [("size", {"as_float": 1.0}), ("fill_value", integer())], 0, "Of ints."),
    ("string-int", "aten.div.Tensor_mode", [("self", X), ("other", Y), ("rounding_mode",
                                                                        integer())], 2,
     "No string."),
    ("device-int", SIZES, [("size", LIST), ("fill_value", integer()), ("device", integer())], 2,
     "No device."),
    ("dtype-string", SIZES, [("size", LIST), ("fill_value", integer()), ("dtype", {
        "as_string": "float"})], 2, "No dtype."),
    ("generator", "aten.bernoulli.default", [("self", X), ("generator", integer())], 1,
     "An object, or none."),
    ("floats-ints-none", "aten.upsample_nearest2d.vec", [
        ("input", X), ("output_size", {"as_none": True}), ("scale_factors", {
            "as_strings": ["2.0"]})], 2, "Of floats."),
    ("number-for-tensor", "aten.matmul.default", [("self", X), ("other", integer())], 1,
     "It takes no number for a tensor."),
)
# (label, target, inputs, why)
TAKEN = (
    ("tensor-number", ADD, [("self", X), ("other", integer())], "A number for a tensor."),
    ("tensor-float", "aten.mul.Tensor", [("self", X), ("other", {"as_float": 0.5})],
     "A number for a tensor."),
    ("tensor-symbol", "aten.mul.Tensor", [("self", X), ("other", N)], "A number for a tensor."),
    ("int-bool", "aten.any.dim", [("self", X), ("dim", {"as_bool": False})], "A bool is an int."),
    ("int-symbol", "aten.any.dim", [("self", X), ("dim", N)], "A symbolic int."),
    ("bool-symbol", "aten.any.dim", [("self", X), ("dim", integer(0)), ("keepdim", FLAG)],
     "A symbolic bool."),
    ("float-int", "aten.quantize_per_tensor.default", [
        ("self", X), ("scale", integer()), ("zero_point", integer()),
        ("dtype", {"as_scalar_type": 7})], "An int is a float."),
    ("ints-int", SIZES, [("size", integer()), ("fill_value", integer())], "One for a list."),
    ("ints-symbols", SIZES, [("size", {"as_sym_ints": [{"as_name": "n"}, {"as_int": 2}]}),
                             ("fill_value", {"as_bool": True})], "Symbolic ints."),
    ("options", SIZES, [("size", LIST), ("fill_value", {"as_float": 1.0}), ("dtype", {
        "as_scalar_type": 7}), ("layout", {"as_layout": 7}), ("device", {
            "as_device": {"type": "cpu", "index": None}}), ("pin_memory", {"as_bool": False})],
     "Options of a factory."),
    ("options-none", SIZES, [("size", LIST), ("fill_value", integer()), ("dtype", {
        "as_none": True}), ("layout", {"as_none": True}), ("device", {"as_none": True}),
        ("pin_memory", {"as_none": True})], "None of them."),
    ("device-string", SIZES, [("size", LIST), ("fill_value", integer()), ("device", {
        "as_string": "cpu"})], "A device by name."),
    ("tensors", "aten.cat.default", [("tensors", tensors("x", "y")), ("dim", integer())],
     "A list."),
    ("optional-tensors", "aten.index.Tensor", [("self", X), ("indices", {
        "as_optional_tensors": [{"as_none": True}, {"as_tensor": {"name": "y"}}]})],
     "Some are missing."),
    ("optional-all", "aten.index.Tensor", [("self", X), ("indices", tensors("y"))],
     "None is missing."),
    ("memory-format", "aten.clone.default", [("self", X), ("memory_format", {
        "as_memory_format": 1})], "A memory format."),
    ("generator", "aten.bernoulli.default", [("self", X), ("generator", {"as_none": True})],
     "No generator."),
    ("floats", "aten.upsample_nearest2d.vec", [
        ("input", X), ("output_size", {"as_none": True}), ("scale_factors", {
            "as_floats": [2.0, 2.0]})], "A list of floats."),
    ("string", "aten.div.Tensor_mode", [("self", X), ("other", Y), ("rounding_mode", {
        "as_string": "floor"})], "A string."),
)


def types(operators):
    for label, names, code, where, why in (
            ("symbols", ("n", "flag"), None, None, "Symbols of two kinds."),
            ("tensor", ("n", "x"), "EP_OPERATOR_TYPE", "/inputs/1/arg", "A tensor is no number.")):
        operators.append("numbers-as-tensors-" + label, code, where, why, call(
            "aten._foreach_mul.ScalarList", {"self": tensors("x", "y"), "scalars": tensors(*names)},
            NONE), ["5.6.6", "5.1.7"])
    for label, target, inputs, place, why in TYPES:
        operators.no("type-" + label, "EP_OPERATOR_TYPE", "/inputs/%d/arg" % place, why, target,
                     inputs)
    for label, target, inputs, why in TAKEN:
        operators.yes("type-right-" + label, "5.6.6", why, target, inputs)
    if since(operators.name, "3.1"):
        operators.yes("type-right-generator-object", "5.6.6", "A constant beside the program.",
                      "aten.bernoulli.default", [("self", X), ("generator", custom_obj("g"))])
    empty = [("size", tensors()), ("fill_value", integer())]
    if since(operators.name, "5.3"):
        operators.no("type-empty", "EP_OPERATOR_TYPE", "/inputs/0/arg", "An empty list of others.",
                     SIZES, empty)
    else:
        operators.yes("type-empty", "5.6.6", "An empty list has any tag.", SIZES, empty)
    functions(operators)


def functions(operators):
    """What functions of numbers take."""
    for label, target, inputs, place in (
            ("tensor", "_operator.add", {"a": X, "b": integer()}, 0),
            ("bool", "_operator.add", {"a": N, "b": FLAG}, 1),
            ("constant-bool", "_operator.mul", {"a": N, "b": {"as_bool": True}}, 1),
            ("string", "_operator.sub", {"a": N, "b": {"as_string": "1"}}, 1),
            ("none", "_operator.mod", {"a": {"as_none": True}, "b": N}, 0)):
        operators.instead("function-" + label, "EP_OPERATOR_TYPE", "/inputs/%d/arg" % place,
                         "It takes numbers.", call(target, inputs, M))
    if since(operators.name, "2.1"):
        operators.instead("function-not", "EP_OPERATOR_TYPE", "/inputs/0/arg", "It takes a bool.",
                         call("torch.sym_not", {"a": N}, LESS))
        operators.instead("function-ite", "EP_OPERATOR_TYPE", "/inputs/0/arg",
                         "The first is a bool.", call("torch.sym_ite", {
                             "b": N, "t": N, "f": N}, M))
        operators.instead("function-ite-right", None, None, "A bool and two numbers.",
                         call("torch.sym_ite", {"b": FLAG, "t": N, "f": integer()},
                              M), "5.6.6")


def outputs(operators):
    code = "EP_OPERATOR_OUTPUTS"
    at = "/outputs/0"
    for label, node, where, why in (
            ("none", call(RELU, {"self": X}, []), "", "It returns one."),
            ("two", call(RELU, {"self": X}, [NONE, NONE]), "", "It returns one."),
            ("list", call(RELU, {"self": X}, tensors()), at, "No list."),
            ("few", call("aten.max.dim", {"self": X, "dim": integer(0)}, NONE), "",
             "It returns two."),
            ("second-list", call("aten.max.dim", {"self": X, "dim": integer(0)},
                                 [NONE, tensors()]), "/outputs/1", "No list."),
            ("some", call("aten._assert_async.msg", {"self": X, "assert_msg": {
                "as_string": "x"}}, NONE), "", "It returns nothing."),
            ("int-list", call("aten.sym_size.int", {"self": X, "dim": integer(0)}, tensors()), at,
             "No list."),
            ("function-none", call("_operator.lt", {"a": N, "b": N}, []), "", "It returns one.")):
        operators.append("output-" + label, code, where, why, node)
    for label, node, why in (
            ("undefined", call(RELU, {"self": X}, NONE), "Nobody uses it."),
            ("list-none", call("aten.split.Tensor", {"self": X, "split_size": integer()}, NONE),
             "Nobody uses the list."),
            ("int-none", call("aten.sym_size.int", {"self": X, "dim": integer(0)}, NONE),
             "Nobody uses the int."),
            ("bool-none", call("_operator.lt", {"a": N, "b": N}, NONE), "Nobody uses the bool."),
            ("several", call("aten.max.dim", {"self": X, "dim": integer(0)}, [NONE, NONE]),
             "Nobody uses them."),
            ("list", call("aten.split.Tensor", {"self": X, "split_size": integer()}, tensors()),
             "A list of none."),
            ("nothing", call("aten._assert_async.msg", {"self": X, "assert_msg": {
                "as_string": "x"}}, []), "It returns nothing.")):
        operators.append("output-%s-right" % label, None, None, why, node)
    for label, node, why in (
            ("int", call(RELU, {"self": X}, M), "No int."),
            ("int-bool", call("aten.sym_size.int", {"self": X, "dim": integer(0)}, LESS),
             "No bool."),
            ("function-bool", call("_operator.add", {"a": N, "b": N}, LESS), "No bool."),
            ("function-int", call("_operator.lt", {"a": N, "b": N}, M), "A bool.")):
        operators.instead("output-" + label, code, at, why, node)
    operators.append("output-second", code, "/outputs/1", "The second is no list.", call(
        "aten.max.dim", {"self": X, "dim": integer(0)}, [NONE, tensors()]))
    without = call(FLASH, QKV, [NONE] * 7)
    if within(operators.name, "1-2023-12", "5.1"):
        operators.append("output-no-ints", None, None, "The ints are left out.", without)
    else:
        operators.append("output-no-ints", code, "", "The ints are left out.", without)


# ---- verifiers, and tables -------------------------------------------------------------------


def writing(suite):
    """Operators that write, and what the header says of the program."""
    for version in ("2", "5.3", "5.4", "6.1-a", "6.1", "7.3", "8.20"):
        new = since(version, "5.4")
        draft = base(version)
        if not since(version, "7.1"):
            draft.data["header"]["dialect"] = "TRAINING" if new else ""
        draft.data["header"]["verifiers"] = ["TRAINING"]
        node = next(each for each in draft.data["graph"]["nodes"] if each["target"].endswith(ADD))
        node["target"] = "torch.ops.aten.add_.Tensor"
        place = "%s%d/target" % (NODES, draft.data["graph"]["nodes"].index(node))
        whole = Whole(suite, "operator/writing", draft, version, "5.6.8",
                      "An operator that writes.")
        key, said = ("verifiers", ["ATEN"]) if since(version, "6.1-a") else ("dialect", "ATEN")
        for label, value in ((said if isinstance(said, str) else said[0], said),
                             ("EDGE", "EDGE" if key == "dialect" else ["EDGE"])):
            def change(data, key=key, value=value):
                data["header"][key] = value
            whole.bad("writing-" + label, change, "EP_OPERATOR_VERIFIER", place,
                      "%s lets none write." % label)
        if key == "verifiers":
            def mixed(data):
                data["header"]["verifiers"] = ["TRAINING", "ATEN"]
            whole.bad("writing-one-of", mixed, "EP_OPERATOR_VERIFIER", place, "One of them.")

            def none(data):
                data["header"]["verifiers"] = []
            whole.good("writing-none", none, "5.6.8", "No verifier.")

            def own(data):
                data["header"]["verifiers"] = ["TRAINING", "MINE"]
            whole.good("writing-own", own, "5.6.8", "Nobody knows what it forbids.",
                       warn=[("EP_VERIFIER", "verifiers/1")])
    draft = base("1")
    draft.data["graph"]["nodes"][PROBE]["target"] = "torch.ops.aten.add_.Tensor"
    Whole(suite, "operator/writing", draft, "1", "5.6.8", "Version 1 has no verifier.")
    foreign_verifier(suite)


def foreign_verifier(suite):
    draft = base("8.20")
    node = next(each for each in draft.data["graph"]["nodes"] if each["target"].endswith(ADD))
    node["target"] = "torch.ops.aten.add_.Tensor"
    place = "%s%d/target" % (NODES, draft.data["graph"]["nodes"].index(node))
    draft.data["header"]["verifiers"] = ["TRAINING"]
    whole = Whole(suite, "operator/writing", draft, "8.20", "5.6.8", "In another spelling.",
                  Foreign())

    def change(data):
        data["header"]["verifiers"] = ["ATEN"]
    whole.bad("writing-ATEN", change, "EP_OPERATOR_VERIFIER", place, "In another spelling.")


LATER = "aten._is_tracing.default"  # torch 2.15 has it, 2.14 does not
EARLIER = "aten.empty.names"        # torch 2.12 has it, 2.13 does not
# (release, an operator that it is the first to have, the arguments that it must have, the
# last version that its table does not judge, versions that it judges)
BEGAN = (
    ("2.2", "aten.any.dims", ("self",), "1", ("1-2023-12", "2")),
    ("2.3", "aten._lazy_clone.default", ("self",), "2", ("2.1", "5.1")),
    ("2.4", "_quantized.wrapped_fbgemm_pack_gemm_matrix_fp16.default", ("W",), "5.1", ("5.3",)),
    ("2.5", "aten._spsolve.default", ("A", "B"), "5.3", ("5.4", "7.3")),
    ("2.6", "aten._nested_from_padded_tensor.default", ("padded", "offsets", "dummy"), "7.3",
     ("7.4", "8.2")),
    ("2.7", "aten._scaled_grouped_mm.default", ("self", "mat2", "scale_a", "scale_b"), "8.2",
     ("8.3", "8.7")),
    ("2.8", "aten._grouped_mm.default", ("self", "mat2"), "8.7", ("8.8",)),
    ("2.9", "aten.hash_tensor.default", ("self",), "8.8", ("8.10", "8.14")),
    ("2.10", "quantized.embedding_bag_byte_prepack_with_rowwise_min_max.default",
     ("weight", "rowwise_min_max"), "8.14", ("8.15",)),
    ("2.11", "aten.linalg__powsum.default", ("self",), "8.15", ("8.16", "8.17")),
    ("2.12", "aten._philox_uniform.default", ("self", "key"), "8.17", ("8.18", "8.20")),
    ("2.13", "aten._foreach_mm.default", ("self", "mat2"), "8.19", ("8.20",)),
    ("2.14", "aten.linalg_matrix_sqrth.default", ("self",), "8.19", ("8.20",)),
)
# (release, an operator that it is the last to have, its arguments, versions that its table
# judges, the first version after them)
ENDED = (
    ("2.1", "prim.t_copy.default", [("self", X)], ("1", "1-2023-12"), "2"),
    ("2.5", "prims.slice_in_dim.default", [("a", X), ("start_index", integer()), (
        "limit_index", integer())], ("7.3", "8.1"), "8.2"),
)


def tables(suite):
    for version in ("1", "7.3", "8.8", "8.19", "8.20"):
        operators = Operators(suite, version)
        node = call(LATER, {}, LESS)
        if version == "8.20":
            operators.instead("table-later", None, None, "A release of the version has it.", node,
                              "5.6.1")
        else:
            operators.instead("table-later", "EP_OPERATOR", "/target", "Of later releases.", node)
    inputs = [("size", LIST), ("names", {"as_strings": ["a", "b"]})]
    for version in ("1", "7.3", "8.2", "8.20"):
        Operators(suite, version).yes("table-earlier", "5.6.1", "A release of the version had it.",
                                      EARLIER, inputs)
    for release, target, names, before, versions in BEGAN:
        label, given = "table-began-" + release, [
            (name, tensors("x") if "_foreach" in target else X) for name in names]
        outputs = [tensors("p") if "_foreach" in target else tensor("p")]
        Operators(suite, before).no(label, "EP_OPERATOR", "/target",
                                    "torch %s is the first that has it." % release, target, given,
                                    outputs)
        for version in versions:
            Operators(suite, version).yes(label, "5.6.1", "torch %s has it." % release, target,
                                          given, outputs)
    for release, target, given, versions, after in ENDED:
        label = "table-ended-" + release
        for version in versions:
            Operators(suite, version).yes(label, "5.6.1", "torch %s has it." % release, target,
                                          given)
        Operators(suite, after).no(label, "EP_OPERATOR", "/target",
                                   "torch %s is the last that has it." % release, target, given)
    imported(suite)
    packed(suite)
    split(suite)


def imported(suite):
    """Operators that PyTorch's modules register in prims when they are imported."""
    for version in VERSIONS:
        operators = Operators(suite, version)
        operators.yes("table-imported", "5.6.1", "PyTorch's compiler registers it.",
                      "prims.fma.default", [("a", X), ("b", Y), ("c", Y)])
        operators.no("table-imported-argument", "EP_OPERATOR_ARGUMENT", "/inputs/2/name",
                     "It is judged like any other.", "prims.fma.default",
                     [("a", X), ("b", Y), ("d", Y)])


PACKED = re.compile(r"__torch__\.torch\.classes\.[\w.]+ (\w+)")


def packed(suite):
    """Operators that take an object alone: each of quantized that is still there."""
    found = [(row, PACKED.fullmatch(row["arguments"] or "")) for row in rows("operators")
             if row["target"].startswith("quantized.") and row["until"] is None]
    for version in ("5.3", "7.3", "8.20"):
        draft = base(version)
        for row, only in found:
            if only:
                draft.node(call(row["target"], {only[1]: custom_obj("k")},
                                [NONE] * len(row["returns"].split(", "))))
        Whole(suite, "operator/packed", draft, version, ["5.6.1", "5.6.4", "5.6.7"],
              "Operators that tell something of a packed object, which nobody uses.")


def unpacked(suite):
    """A number for a packed object, in an operator that takes tensors and numbers, too."""
    for version in ("7.3", "8.20"):
        operators, elsewhere = Operators(suite, version), {
            "qx": X, "output_scale": {"as_float": 1.0}, "output_zero_point": integer()}
        for label, packed_weight, code in (("right", custom_obj("k"), None),
                                           ("number", integer(), "EP_OPERATOR_TYPE")):
            inputs = {"qx": X, "packed_weight": packed_weight, **elsewhere}
            operators.append("type-packed-" + label, code, code and "/inputs/1/arg",
                             "A packed object.", call("quantized.conv2d_relu.new", inputs, NONE))


def in_place_of_tensors(suite):
    """Numbers where operators that take them have tensors."""
    names = {row["name"] for row in rows("operator_facts") if row["fact"] == "NUMBERS"}
    draft, known = base("8.20"), set()
    for row in rows("operators"):
        name = row["target"].rpartition(".")[0]
        arguments = [re.sub(r"\(.*?\)", "", each) for each in (row["arguments"] or "").split(", ")]
        if name in names - known and row["until"] is None and \
                arguments[:2] == ["Tensor self", "Tensor other"] and \
                all(each == "*" or each.endswith("=") for each in arguments[2:]):
            known.add(name)
            draft.node(call(row["target"], {"self": X, "other": {"as_float": 2.0}}, NONE))
    assert len(known) > 12, known
    number = {"as_float": 2.0}  # of operators that take other tensors than these two
    draft.node(call("aten._conj.default", {"self": number}, NONE),
               call("aten._to_copy.default", {"self": number}, NONE),
               call("aten.copy.default", {"self": number, "src": number}, NONE),
               call("aten.copy_.default", {"self": X, "src": number}, NONE))
    Whole(suite, "operator/numbers", draft, "8.20", ["5.6.6"], "Numbers in place of tensors.")


def split(suite):
    """An operator whose arguments have changed: each table's signature will do."""
    sparse = "aten._cslt_sparse_mm.default"
    first, between = [("compressed_A", X), ("dense_B", Y)], ("2.1", "7.4", "8.7")
    for label, argument, versions in (
            ("old", ("transpose_result", {"as_bool": True}), VERSIONS + between),
            ("middle", ("alg_id", integer()), VERSIONS[2:] + between),
            ("new", ("split_k", integer()), VERSIONS[5:] + between[1:]),
            ("between", ("split_k_one_kernel", {"as_bool": True}), ("7.4", "8.2", "8.7"))):
        for version in VERSIONS + between:
            operators = Operators(suite, version)
            kinds = [POSITIONAL, POSITIONAL, KEYWORD]
            if version in versions:
                operators.yes("table-" + label, "5.6.2", "A signature of its releases.", sparse,
                              first + [argument], kinds=kinds)
            else:
                operators.no("table-" + label, "EP_OPERATOR_ARGUMENT", "/inputs/2/name",
                             "Of other releases.", sparse, first + [argument], kinds=kinds)


def nameless(suite):
    """A list of values under no name, which no signature has, on an operator that gives
    anything: the list may hold tensors alone."""
    for version in ("2", "8.20"):
        operators = Operators(suite, version)
        operators.no("argument-nameless-list", "EP_VALUE_KIND", "/inputs/2/arg/as_tensors/0/name",
                     "A symbolic int, and no argument that may be one.", "aten.add.t",
                     [("a", {"as_ints": [1]}), ("b", {"as_ints": [1]}), ("", tensors("n"))])


def one_letter(suite):
    """An operator whose type of what it gives is one letter, again after others: it gives
    anything."""
    def change(data):
        graph = data["graph"]
        graph["tensor_values"].update(t=meta(2, 3), u=meta(2, 3), v=meta(2, 3))
        graph["sym_int_values"].update(w=2)
        graph["sym_bool_values"].update(z=True)
        graph["nodes"] += [call("aten.wait.default", {"self": X}, tensor("t")),
                           call("aten.neg.default", {"self": X}, tensor("u")),
                           call("aten.wait.default", {"self": X}, sym_int("w")),
                           call("aten.mul.Tensor", {"self": X, "other": Y}, tensor("v")),
                           call("aten.wait.default", {"self": X}, sym_bool("z"))]
    for version in ("2", "8.20"):
        Operators(suite, version).good("type-one-letter", change, ["5.6.7", "5.6.6"],
                                       "A tensor, a number, a condition.")


def vectors(suite):
    for version in VERSIONS + ("8.19",):
        operators = Operators(suite, version)
        unknown(operators)
        if version in ("1", "2", "5.1", "7.3", "8.20"):
            arguments(operators)
            types(operators)
        if version in VERSIONS + ("1-2023-12",):
            outputs(operators)
        if since(version, "8.5-a"):
            orders(operators)
    for version in ("1-2023-08", "1-2023-12", "4.2"):
        outputs(Operators(suite, version))
    for version in OTHERS:
        unknown(Operators(suite, version))
    foreign = Operators(suite, "8.20", Foreign())
    for each in (arguments, orders):
        each(foreign)
    writing(suite)
    nameless(suite)
    one_letter(suite)
    unpacked(suite)
    in_place_of_tensors(suite)
    tables(suite)
