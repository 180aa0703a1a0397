"""Programs that are taken apart with the reading functions of an interface and built again,
call by call: each kind of value, argument, spec, text and table, in the versions that say it
in another way. What is built is the document, as an encoder writes it (SPEC 3.9): nothing that
was read may be lost, and nothing come to it.
"""

import copy
import json

from format.history import ORDER, VERSIONS
from generate.products.diffs import program
from generate.rules.signature import BACKWARD, add, base as signature_base
from generate.suite import change_between
from generate.rules.subgraphs import as_graph, body, cond, unnamed
from generate.language.texts import is_srepr, since
from generate.whole import (LEAF, NODES, Draft, buffer, call, custom_obj, entry, graph, leaves,
                            meta, parameter, place_of, spec, sym_bool, sym_float, sym_int, tensor,
                            tensors, tree, treespec, user_input, user_output)

LATEST = "8.20"
FORMS = ("1", "2", "3.1", "5.3", "7.3", "8.2", "8.7", "8.8", "8.14", "8.17", LATEST)
ALL = tuple(each for each in ORDER if VERSIONS[each].marker is None)


def has(version, kind, member=None):
    found = VERSIONS[version].types.get(kind)
    return found is not None and (member is None or any(each.name == member
                                                        for each in found.members))


def put(suite, name, version, draft, why, clause=("3.9.1",), **root):
    """The draft, built again."""
    draft = copy.deepcopy(draft)
    if version in ("1", "1-2023-08") and "in_spec" not in draft.data["root"]:
        count = sum("user_input" in each for each in draft.data["input_specs"])
        draft.data["root"]["in_spec"] = positional(count)
    draft.data["root"].update(root)
    write(suite, name, version, draft.written(VERSIONS[version]).text, why, clause)


def write(suite, name, version, text, why, clause=("3.9.1",)):
    """A file of its own, or the plain program of the version with a change."""
    base, vector = "build/plain/" + version, "build/%s/%s" % (name, version)
    if base not in suite.vectors:
        suite.valid(vector, "build", version, text, list(clause), why, provenance="hand",
                    options=VERSIONS[version].options, product="same",
                    file="whole/%s-build-%s.json" % (version, name))
        return
    change = change_between(suite.bytes[base], text)
    suite.valid_edit(vector, base, change, list(clause), why, provenance="hand", product="same",
                     flags=["large"] if len(change[2]) > 300 else None)


def positional(count):
    """How version 1 says that no argument is given by name."""
    return treespec(tree("builtins.tuple", "null", [LEAF] * count))


def header(version, **said):
    both = has(version, "ExportedProgram", "dialect") and has(version, "ExportedProgram",
                                                              "verifiers")
    return {"torch_version": "2.6.0", "verifiers": ["ATEN"], "dialect": "" if both else "ATEN",
            **said}


def plain(version, **said):
    """One input, one node, one output."""
    draft = Draft(header=header(version, **said)).take(user_input(tensor("x")))
    draft.tensors(x=meta(2), y=meta(2))
    draft.node(call("mylib.f.default", {"self": tensor("x")}, tensor("y")))
    return draft.give(user_output(tensor("y")))


# ---- header --------------------------------------------------------------------------


def headers(suite):
    for version in ALL:
        put(suite, "plain", version, plain(version), "A program of every version.")
    for version in FORMS:
        for label, said in (("opset", {"opset_version": {"aten": 11, "mylib": 3}}),
                            ("opset-other", {"opset_version": {"mylib": 10}}),
                            ("dialect", {"dialect": "EDGE", "verifiers": ["EDGE"]}),
                            ("verifiers", {"dialect": "EDGE", "verifiers": ["EDGE", "ATEN"]}),
                            ("training", {"dialect": "MINE", "verifiers": ["TRAINING"]})):
            put(suite, "header-" + label, version, plain(version, **said), "What the header says.",
                ["5.7.1", "5.7.2"])
        if has(version, "ExportedProgram", "guards_code"):
            put(suite, "guards", version, plain(version, guards_code=[
                "L['x'].size()[0] == 2", "1 == 1"]), "Guards.", ["4.4.1"])
    for version, release in (("7.3", "2.5.0"), ("8.7", "2.7.0"), ("8.8", "2.8.0"),
                             ("8.14", "2.9.0"), (LATEST, "2.12.0"), (LATEST, "2.12.1")):
        put(suite, "release-" + release.replace(".", "-"), version,
            plain(version, torch_version=release), "The release that wrote it.", ["5.7.3"])


# ---- values --------------------------------------------------------------------------


def of_tensor(suite, label, versions, *sizes, why="What a tensor is.", **changed):
    for version in versions:
        draft = plain(version)
        draft.data["graph"]["tensor_values"]["y"] = meta(*sizes, **changed)
        put(suite, "tensor-" + label, version, draft, why)


def tensor_values(suite):
    forms = ("1", "5.3", LATEST)
    of_tensor(suite, "scalar", forms)
    of_tensor(suite, "cube", forms, 2, 3, 4)
    of_tensor(suite, "large", forms, 2, 3, 3000000000)
    of_tensor(suite, "empty", forms, 2, 0, 4, strides=[4, 4, 1])
    of_tensor(suite, "empty-last", forms, 2, 0, strides=[1, 1])
    of_tensor(suite, "strides", forms, 2, 3, strides=[1, 2])
    of_tensor(suite, "strides-last", forms, 2, 3, strides=[3, 3])
    of_tensor(suite, "strides-first", forms, 2, 3, strides=[4, 1])
    of_tensor(suite, "offset", forms, 2, storage_offset=5)
    of_tensor(suite, "grad", forms, 2, requires_grad=True)
    of_tensor(suite, "device", forms, 2, device={"type": "cuda", "index": None})
    of_tensor(suite, "device-index", forms, 2, device={"type": "cuda", "index": 3})
    of_tensor(suite, "device-zero", forms, 2, device={"type": "cpu", "index": 0})
    for version in ("2", "7.4", "8.1-b", "8.2-ast", "8.7", LATEST):
        for name, number in VERSIONS[version].types["ScalarType"].values.items():
            if name != "UNKNOWN" and "-ast" not in version:
                of_tensor(suite, "dtype-" + name.lower().replace("_", "-"), (version,), 2,
                          dtype=number)
    for name, number in VERSIONS[LATEST].types["Layout"].values.items():
        if name != "Unknown":
            of_tensor(suite, "layout-" + name.lower().lstrip("_"), (LATEST,), 2, layout=number)


# ---- symbols -------------------------------------------------------------------------


def symbol(version, name="s0", hinted=True):
    if not is_srepr(version):
        return name
    return "Symbol('%s', %sinteger=True)" % (name, "positive=True, " if hinted else "")


OPERATIONS = (  # (label, infix, srepr, hint where s0 is 8 and s1 is 3); {a}, {b}: the symbols
    ("add", "s0 + 1", "Add({a}, Integer(1))", 9), ("sum", "s0 + s1", "Add({a}, {b})", 11),
    ("sum-three", "s0 + s1 + 2", "Add({a}, {b}, Integer(2))", 13),
    ("sum-three-symbols", "s0 + s1 + s0", "Add({a}, {b}, {a})", 19),
    ("minus", "s0 - 1", "Add({a}, Integer(-1))", 7),
    ("difference", "s0 - s1", "Add({a}, Mul(Integer(-1), {b}))", 5),
    ("difference-product", "s0 - 2*s1", "Add({a}, Mul(Integer(-1), Integer(2), {b}))", 2),
    ("difference-sum", "s0 - (s1 + 1)", "Add({a}, Mul(Integer(-1), Add({b}, Integer(1))))", 4),
    ("product", "2*s0", "Mul(Integer(2), {a})", 16), ("symbols", "s0*s1", "Mul({a}, {b})", 24),
    ("product-three", "2*s0*s1", "Mul(Integer(2), {a}, {b})", 48),
    ("product-negative", "-2*s0", "Mul(Integer(-2), {a})", -16),
    ("product-sum", "2*(s0 + 1)", "Mul(Integer(2), Add({a}, Integer(1)))", 18),
    ("product-sums", "(s0 + s1)*(s1 + 1)", "Mul(Add({a}, {b}), Add({b}, Integer(1)))", 44),
    ("product-three-sums", "(s0 + s1)*(s1 + 1)*(s0 - 2)",
     "Mul(Add({a}, {b}), Add({b}, Integer(1)), Add({a}, Integer(-2)))", 264),
    ("sum-product", "2*s0 + 1", "Add(Mul(Integer(2), {a}), Integer(1))", 17),
    ("division", "(s0//3)", "FloorDiv({a}, Integer(3))", 2),
    ("division-sum", "((s0 + 1)//s1)", "FloorDiv(Add({a}, Integer(1)), {b})", 3),
    ("division-sums", "((s0 + s1)//(s1 + 1))", "FloorDiv(Add({a}, {b}), Add({b}, Integer(1)))", 2),
    ("division-below", "((-1*s0)//3)", "FloorDiv(Mul(Integer(-1), {a}), Integer(3))", -3),
    ("modulo", "Mod(s0, 3)", "Mod({a}, Integer(3))", 2),
    ("modulo-below", "Mod(-1*s0, 3)", "Mod(Mul(Integer(-1), {a}), Integer(3))", 1),
    ("modulo-five", "Mod(s0, 5)", "Mod({a}, Integer(5))", 3),
    ("modulo-five-below", "Mod(-1*s0, 5)", "Mod(Mul(Integer(-1), {a}), Integer(5))", 2),
    ("division-five-below", "((-1*s0)//5)", "FloorDiv(Mul(Integer(-1), {a}), Integer(5))", -2),
    ("maximum", "Max(s0, s1)", "Max({a}, {b})", 8), ("minimum", "Min(s0, s1)", "Min({a}, {b})", 3),
    ("maximum-second", "Max(s1, s0)", "Max({b}, {a})", 8),
    ("minimum-second", "Min(s1, s0)", "Min({b}, {a})", 3),
    ("maximum-number", "Max(1, s0)", "Max(Integer(1), {a})", 8),
    ("product-division", "2*(s0//3)", "Mul(Integer(2), FloorDiv({a}, Integer(3)))", 4),
    ("sum-maximum", "Max(s0, s1) + 1", "Add(Max({a}, {b}), Integer(1))", 9),
)
CONDITIONS = (
    ("equal", "Eq(s0, s1)", "Equality({a}, {b})"), ("unequal", "Ne(s0, 3)", "Unequality({a}, Integer(3))"),
    ("less", "s0 < s1", "StrictLessThan({a}, {b})"), ("at-most", "s0 <= 3", "LessThan({a}, Integer(3))"),
    ("more", "s0 > s1", "StrictGreaterThan({a}, {b})"),
    ("at-least", "s0 + 1 >= s1", "GreaterThan(Add({a}, Integer(1)), {b})"),
)
FLOATS = (("to-float", "ToFloat(s0)", "ToFloat({a})"),
          ("quotient", "IntTrueDiv(s0, s1)", "IntTrueDiv({a}, {b})"))


def spelled(version, infix, srepr):
    if not is_srepr(version):
        return infix
    return srepr.format(a=symbol(version), b=symbol(version, "s1"))


def symbolic(version):
    """Two symbols, each the size of an input, with hints; and a third that has none."""
    ranges = {"s0": {"min_val": 2, "max_val": 100}, "s1": {"min_val": 3, "max_val": 50}}
    draft = Draft(header=header(version, range_constraints=ranges))
    draft.take(user_input(tensor("x")), user_input(tensor("y")))
    draft.tensors(x=meta((symbol(version), 8), 3), y=meta((symbol(version, "s1"), 3), 3))
    draft.node(call("aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}}, sym_int("n")))
    draft.table("sym_int_values", n=(symbol(version), 8))
    return draft.give(user_output(tensor("x")))


def expressions(suite):
    for version in ("2", "7.3", "8.2", LATEST):
        for label, infix, srepr, hint in OPERATIONS:
            draft = symbolic(version)
            draft.node(call("mylib.n.default", {"a": sym_int("n")}, sym_int("m")))
            draft.table("sym_int_values", m=(spelled(version, infix, srepr), hint))
            put(suite, "expression-" + label, version, draft, "An expression and its hint.",
                ["4.1.6"])
        for label, infix, srepr in CONDITIONS:
            draft = symbolic(version)
            draft.node(call("mylib.b.default", {"a": sym_int("n")}, sym_bool("c")))
            draft.table("sym_bool_values", c=spelled(version, infix, srepr))
            put(suite, "expression-" + label, version, draft, "A condition.", ["4.1.6"])
        for label, infix, srepr in FLOATS if has(version, "SymFloat") else ():
            draft = symbolic(version)
            draft.node(call("mylib.q.default", {"a": sym_int("n")}, sym_float("f")))
            draft.table("sym_float_values", f=spelled(version, infix, srepr))
            put(suite, "expression-" + label, version, draft, "A float.", ["4.1.6"])
    for version in ("1", "5.3", LATEST):
        draft = symbolic(version)
        draft.node(call("mylib.z.default", {"a": sym_int("n")}, tensor("z")))
        draft.tensors(z=meta((symbol(version), 8), 2))
        put(suite, "sizes", version, draft, "Sizes that are symbols.")
        draft = symbolic(version)
        one = (symbol(version), 8)
        draft.node(call("mylib.z.default", {"a": sym_int("n")}, tensor("z")))
        draft.tensors(z=meta(2, one, strides=[one, 1]))
        put(suite, "strides", version, draft, "Strides that are symbols.")
        draft = symbolic(version)
        draft.node(call("mylib.z.default", {"a": sym_int("n")}, tensor("z")))
        draft.tensors(z=meta(2, one, strides=[1, 2]))
        put(suite, "strides-other", version, draft, "Strides in another order.")


def ranges(suite):
    for version in ("1", "2", "5.3", "5.4", "7.3", "8.2", LATEST):
        unbacked = symbol(version, "u0", False)
        for label, low, high in (("range", 0, 7), ("range-below", -5, 5), ("range-one", 4, 4)):
            draft = plain(version, range_constraints={"u0": {"min_val": low, "max_val": high}})
            draft.node(call("mylib.item.default", {"a": tensor("y")}, sym_int("u")))
            draft.table("sym_int_values", u=unbacked)
            put(suite, label, version, draft, "A symbol without a hint, and its range.", ["4.1.5"])
    most = (1 << 63) - 2  # what 2.1 and 2.3 to 2.4 wrote for no end
    for version, low, high in (("1", -5, most), ("5.3", -5, most), ("2", -infinite(), infinite()),
                               ("5.4", -infinite(), infinite()), ("7.3", 0, infinite()),
                               ("7.4", -infinite(), 5), ("8.2", None, None), ("8.8", 0, None),
                               (LATEST, None, 5), (LATEST, None, None)):
        label = "range-open" + "-low" * (not isinstance(low, int)) + "-high" * (
            not isinstance(high, int) or high == most)
        draft = plain(version, range_constraints={"u0": {"min_val": low, "max_val": high}})
        draft.node(call("mylib.item.default", {"a": tensor("y")}, sym_int("u")))
        draft.table("sym_int_values", u=symbol(version, "u0", False))
        put(suite, label, version, draft, "A range with an open end.", ["3.3.3"])


def infinite():
    return float("inf")


def other_symbols(suite):
    """What the operations of a builder have no word for, and symbols that are floats."""
    for version, text in (("7.3", "s0**2"),
                          (LATEST, "Pow(%s, Integer(2))" % symbol(LATEST)),
                          (LATEST, "Add(Integer(1), CeilToInt(IntTrueDiv(%s, Integer(2))))" % symbol(
                              LATEST))):
        draft = symbolic(version)
        draft.node(call("mylib.n.default", {"a": sym_int("n")}, sym_int("m")))
        draft.table("sym_int_values", m=text)
        label = "expression-text-%d" % len(text)
        put(suite, label, version, draft, "An expression as it is spelled.", ["4.1.6"])
    for version in ("8.2", "8.8", LATEST):
        draft = plain(version, range_constraints={"zuf0": {"min_val": None, "max_val": None}})
        draft.node(call("mylib.item.default", {"a": tensor("y")}, sym_float("f")))
        draft.table("sym_float_values", f="Symbol('zuf0')")
        put(suite, "expression-float", version, draft, "A symbol that is a float.", ["4.1.5"])
    for version in ("2", "7.3", LATEST):
        draft = symbolic(version)
        draft.node(call("mylib.n.default", {"a": sym_int("n")}, sym_int("m")))
        draft.table("sym_int_values", m=4)
        put(suite, "symbolic-number", version, draft, "A symbolic value that is a number.")
    for version in ("1", "2", "8.8", LATEST):
        draft = symbolic(version)
        draft.give(user_output(sym_int("n")))
        put(suite, "output-symbolic", version, draft, "A symbolic output.", ["5.3.1"])
    equal_dims(suite)


def equal_dims(suite):
    """Version 1 says apart which dimensions are equal."""
    draft = Draft(header=header("1")).take(user_input(tensor("x")), user_input(tensor("y")))
    draft.tensors(x=meta(2, 2), y=meta(2, 2)).give(user_output(tensor("x")))
    draft.data["root"]["in_spec"] = positional(2)
    text, none = draft.written(VERSIONS["1"]).text, '"equality_constraints": []'
    assert text.count(none) == 1
    pairs = '"equality_constraints": [[["x", 0], ["y", 1]], [["y", 0], ["x", 1]]]'
    write(suite, "equal-dims", "1", text.replace(none, pairs), "Dimensions that are equal.")


# ---- arguments -----------------------------------------------------------------------


def arguments(suite):
    rows = (
        ("none", {"as_none": True}), ("int", {"as_int": 7}), ("int-min", {"as_int": -(1 << 63)}),
        ("ints", {"as_ints": [1, -2, 3]}), ("float", {"as_float": 0.5}),
        ("floats", {"as_floats": [0.5, -2.25]}), ("bool", {"as_bool": True}),
        ("bool-false", {"as_bool": False}), ("bools", {"as_bools": [True, False, True]}),
        ("string", {"as_string": "a\u00e9\n"}), ("strings", {"as_strings": ["a", "", "b"]}),
        ("tensor", tensor("x")), ("tensors", tensors("x", "w")), ("dtype", {"as_scalar_type": 6}),
        ("layout", {"as_layout": 1}), ("format", {"as_memory_format": 2}),
        ("device", {"as_device": {"type": "cuda", "index": None}}),
        ("device-index", {"as_device": {"type": "cuda", "index": 2}}),
        ("operator", {"as_operator": "torch.ops.mylib.o.default"}),
        ("complex", {"as_complex": {"real": 1.5, "imag": -2.5}}),
        ("int-lists", {"as_int_lists": [[1, 2], [3]]}),
        ("float-lists", {"as_float_lists": [[0.5], [1.5, 2.5]]}),
        ("nested", {"as_nested_tensors": [[{"name": "x"}], [{"name": "w"}, {"name": "x"}]]}),
        ("dict", {"as_string_to_argument": {"a": {"as_int": 1}, "b": tensor("w")}}),
        ("sym-int", sym_int("n")), ("sym-ints", {"as_sym_ints": [{"as_name": "n"}, {"as_int": 4}]}),
        ("sym-ints-first", {"as_sym_ints": [{"as_int": 4}, {"as_name": "n"}]}),
        ("empty-bools", {"as_bools": []}),
    )
    for version in FORMS:
        for label, value in rows:
            (tag, _), = value.items()
            if not has(version, "Argument", tag):
                continue
            draft = symbolic(version).take(user_input(tensor("w"))).tensors(w=meta(2), r=meta(2))
            draft.node(call("mylib.f.default", {"self": tensor("x"), "v": value}, tensor("r")))
            put(suite, "argument-" + label, version, draft, "An argument of each kind.", ["3.6.1"])
        if has(version, "Argument", "as_optional_tensors"):
            optional = [{"as_tensor": {"name": "x"}}, {"as_none": True}]
            draft = plain(version).tensors(r=meta(2))
            draft.node(call("mylib.f.default", {"v": {"as_optional_tensors": optional}},
                            tensor("r")))
            put(suite, "argument-optional", version, draft, "Tensors of which one is not there.",
                ["3.6.1"])
        for label, one in (("one", {"as_tensor": {"name": "x"}}), ("no", {"as_none": True})):
            if has(version, "Argument", "as_optional_tensor"):
                draft = plain(version).tensors(r=meta(2))
                draft.node(call("mylib.f.default", {"v": {"as_optional_tensor": one}}, tensor("r")))
                put(suite, "argument-optional-" + label, version, draft,
                    "A tensor that may be there.", ["3.6.1"])
    for version in ("1", "1-2023-12", "2.1", "4.2", "5.1", "5.3-2024-03"):
        draft = plain(version).tensors(r=meta(2))
        draft.node(call("mylib.f.default", {"v": {"as_bools": []}}, tensor("r")))
        put(suite, "argument-empty-any", version, draft, "A list of nothing.", ["3.6.1"])
    for version in ("5.3", "8.7", LATEST):
        for label, value in (("empty-ints", {"as_ints": []}), ("empty-floats", {"as_floats": []}),
                             ("empty-strings", {"as_strings": []})):
            draft = plain(version).tensors(r=meta(2))
            draft.node(call("mylib.f.default", {"v": value}, tensor("r")))
            put(suite, "argument-" + label, version, draft, "A list of nothing.", ["3.6.1"])
    for version in (LATEST, "8.8"):
        draft = symbolic(version).tensors(r=meta(2))
        draft.node(call("mylib.q.default", {"a": sym_int("n")}, sym_float("f")),
                   call("mylib.b.default", {"a": sym_int("n")}, sym_bool("c")))
        draft.table("sym_float_values", f="ToFloat(%s)" % symbol(version))
        draft.table("sym_bool_values", c="StrictLessThan(%s, Integer(9))" % symbol(version))
        draft.node(call("mylib.f.default", {
            "f": sym_float("f"), "c": sym_bool("c"),
            "fs": {"as_sym_floats": [{"as_name": "f"}, {"as_float": 0.5}]},
            "cs": {"as_sym_bools": [{"as_bool": True}, {"as_name": "c"}]}}, tensor("r")))
        put(suite, "argument-symbolic", version, draft, "Symbolic values of each kind.", ["3.6.1"])
    put(suite, "argument-every", LATEST, Draft(**program()), "Many arguments of one node.")
    draft = plain(LATEST)
    draft.data["graph"]["nodes"][0]["inputs"][0]["kind"] = 2
    put(suite, "argument-keyword", LATEST, draft, "An argument by its name.")


# ---- nodes ---------------------------------------------------------------------------


STACKS = {  # key to text, as releases write it
    "nn_module_stack": "L__self__,,models.MLP;L__self___sub,sub,models.Sub",
    "source_fn_stack": "add_1,_operator.add", "torch_fn": "add_2;method_descriptor.add",
    "custom": '{"a": 1}',
}


def nodes(suite):
    for version in FORMS:
        stacks = dict(STACKS)
        if version == "1":
            stacks = {"nn_module_stack": "L__self__:(,models.MLP);sub:(self.sub,models.Sub)",
                      "source_fn": "add_1,_operator.add"}
        if not since(version, "5.3"):
            stacks.pop("torch_fn", None)
        if not since(version, "7.3"):
            stacks.pop("custom", None)
        every = {"stack_trace": "  File \"m.py\", line 1\n", **stacks}
        said = [(key.replace("_", "-"), {key: text}) for key, text in every.items()]
        said += [("every", every), ("turned", dict(reversed(list(every.items())))),
                 ("unknown", {"mine": "x", **every}), ("trace-empty", {"stack_trace": ""})]
        for label, metadata in said:
            draft = plain(version)
            draft.data["graph"]["nodes"][0]["metadata"] = metadata
            put(suite, "metadata-" + label, version, draft, "What metadata says.", ["4.3.1"])
        draft = plain(version)
        draft.data["graph"]["nodes"][0]["name"] = "first"
        put(suite, "node-name", version, draft, "The name of a node.")
        draft = plain(version).tensors(s=meta(2), t=meta(2))
        draft.node(call("mylib.two.default", {"self": tensor("y")}, [tensor("s"), tensor("t")]),
                   call("mylib.list.default", {"self": tensor("y")}, [tensors("u", "v")]),
                   call("mylib.none.default", {}, []))
        draft.tensors(u=meta(2), v=meta(3))
        put(suite, "node-outputs", version, draft, "No result, several, and a list.")


BESIDE = (  # texts under keys that a version does not have, or that it holds to no form
    ("1", {"source_fn_stack": "add_1,_operator.add", "torch_fn": "add_2;method_descriptor.add"}),
    ("1-2023-12", {"nn_module_stack": "L__self__,,models.MLP;sub,sub,models.Sub"}),
    ("1-2023-12", {"nn_module_stack": "L__self__:(,models.MLP)"}),
    ("1-2023-12", {"source_fn": "add_1,_operator.add"}),
    ("1-2023-12", {"source_fn_stack": "add_1,_operator.add"}),
    ("5.1", {"torch_fn": "add_2;method_descriptor.add", "source_fn": "add_1,_operator.add"}),
    (LATEST, {"source_fn": "add_1,_operator.add"}),
)


def beside(suite):
    for i, (version, metadata) in enumerate(BESIDE):
        draft = plain(version)
        draft.data["graph"]["nodes"][0]["metadata"] = metadata
        put(suite, "metadata-beside-%d" % i, version, draft, "Metadata of another version.",
            ["4.3.1", "4.3.2"])


# ---- subgraphs -----------------------------------------------------------------------


def subgraphs(suite):
    for version in ("2", "5.3", "7.3", "8.2", "8.7", "8.8", LATEST):
        for count in (2, 3):
            names = ["c%d" % i for i in range(count)]
            draft = Draft(header=header(version)).take(
                user_input(tensor("p")), user_input(tensor("x")), user_input(tensor("y")))
            draft.tensors(p=meta(dtype=12), x=meta(2), y=meta(2), **{name: meta(2) for name in names})
            node = cond(version, 2, count)
            if since(version, "5.3"):  # what releases wrote from then on
                node["outputs"] = [tensor(name) for name in names]
            draft.node(node)
            put(suite, "subgraph-%d" % count, version,
                draft.give(*[user_output(tensor(name)) for name in names]),
                "A tuple that an operator returns of its subgraphs.", ["5.2.3"])
    for version in ("8.7", "8.8", LATEST):
        for label, single in (("tuple", False), ("tensor", True)):
            inner = body(1, 1)
            inner["is_single_tensor_return"] = single
            node = call("higher_order.wrap_with_set_grad_enabled", unnamed(
                {"as_bool": False}, as_graph("body_0", inner), tensor("x")), [tensor("c")],
                is_hop_single_tensor_return=single)
            draft = Draft(header=header(version)).take(user_input(tensor("x")))
            draft.tensors(x=meta(2), c=meta(2)).node(node)
            put(suite, "subgraph-" + label, version, draft.give(user_output(tensor("c"))),
                "One tensor, in a tuple or by itself.", ["5.2.3"])


# ---- signature -----------------------------------------------------------------------


def old_joint():
    """A loss and two gradients in version 1, which names them beside the outputs."""
    draft = Draft().take(parameter("p_w", "w"), user_input(tensor("x")), user_input(tensor("y")))
    draft.tensors(**{name: meta(2) for name in ("p_w", "x", "y", "t", "u")}, s=meta())
    draft.node(add("x", "p_w", "s"), add("s", "s", "t"), add("s", "t", "u"))
    draft.give(user_output(tensor("s")))
    draft.data["graph"]["outputs"] += [tensor("t"), tensor("u")]
    draft.data["backward"] = BACKWARD
    return draft


def signatures(suite):
    for version in ("1",) + tuple(each for each in FORMS if each not in ("1",)):
        draft = signature_base()
        draft.data["header"] = header(version)
        put(suite, "signature", version, draft, "Parameters, buffers and their mutations.",
            ["5.3.1"])
    joint = old_joint()
    joint.data["header"] = header("1")
    put(suite, "gradients", "1", joint, "A loss and its gradients, in dicts.", ["5.3.10"],
        in_spec=positional(2), out_spec=leaves(1))
    for version in FORMS:
        if has(version, "InputToBufferSpec", "persistent"):
            draft = Draft(header=header(version)).take(
                buffer("b_a", "a"), {"buffer": {**buffer("b_n", "n")["buffer"],
                                                "persistent": False}},
                buffer("b_c", "c"), spec("tensor_constant", "k", tensor_constant_name="const"),
                user_input(tensor("x")))
            draft.tensors(**{name: meta(2) for name in ("b_a", "b_n", "b_c", "k", "x", "r")})
            draft.node(call("mylib.f.default", {"a": tensor("x"), "b": tensor("b_n")}, tensor("r")))
            put(suite, "buffers", version, draft.give(user_output(tensor("r"))),
                "A buffer that is not kept, between two that are.", ["5.3.1"])
        if has(version, "UserInputMutationSpec"):
            draft = Draft(header=header(version)).take(user_input(tensor("x")),
                                                       user_input(tensor("y")))
            draft.tensors(x=meta(2), y=meta(2), s=meta(2), r=meta(2))
            draft.node(call("mylib.f.default", {"a": tensor("x"), "b": tensor("y")},
                            [tensor("s"), tensor("r")]))
            draft.give({"user_input_mutation": {"arg": {"name": "s"}, "user_input_name": "y"}},
                       user_output(tensor("r")))
            put(suite, "mutation-input", version, draft, "A user's input that is changed.",
                ["5.3.6"])
        if has(version, "ParameterMutationSpec"):
            draft = Draft(header=header(version)).take(parameter("p", "w"), user_input(tensor("x")))
            draft.tensors(p=meta(2), x=meta(2), s=meta(2), r=meta(2))
            draft.node(call("mylib.f.default", {"a": tensor("x"), "b": tensor("p")},
                            [tensor("s"), tensor("r")]))
            draft.give(spec("parameter_mutation", "s", parameter_name="w"),
                       user_output(tensor("r")))
            put(suite, "mutation-parameter", version, draft, "A parameter that is changed.",
                ["5.3.6"])
        if since(version, "2"):
            draft = Draft(header=header(version)).take(parameter("p", "w"), user_input(tensor("x")))
            draft.tensors(p=meta(2), x=meta(2), s=meta(), t=meta(2), u=meta(2), r=meta(2))
            draft.node(call("mylib.f.default", {"a": tensor("x"), "b": tensor("p")},
                            [tensor("s"), tensor("r"), tensor("t"), tensor("u")]))
            draft.give(spec("loss_output", "s"), user_output(tensor("r")),
                       spec("gradient_to_parameter", "t", parameter_name="w"),
                       spec("gradient_to_user_input", "u", user_input_name="x"))
            put(suite, "gradients", version, draft, "A loss and its gradients.", ["5.3.10"])
        if has(version, "TokenArgument"):
            draft = Draft(header=header(version)).take(spec("token", "token"),
                                                       user_input(tensor("x")))
            draft.tensors(token=meta(), token_1=meta(), x=meta(2), s=meta(2))
            draft.node(call("mylib.e.default", {"t": tensor("token"), "x": tensor("x")},
                            [tensor("token_1"), tensor("s")]))
            put(suite, "tokens", version, draft.give(spec("token", "token_1"),
                                                     user_output(tensor("s"))),
                "A token that goes through.", ["5.3.12"])
        if has(version, "CustomObjArgument", "class_fqn") and since(version, "5.3"):
            draft = Draft(header=header(version)).take(
                {"custom_obj": {"arg": custom_obj("o")["as_custom_obj"], "custom_obj_name": "obj"}},
                user_input(tensor("x")))
            draft.tensors(x=meta(2), s=meta(2))
            draft.table("custom_obj_values", o=custom_obj("o")["as_custom_obj"])
            draft.node(call("mylib.e.default", {"o": custom_obj("o"), "x": tensor("x")},
                            tensor("s")))
            put(suite, "objects", version, draft.give(user_output(tensor("s"))), "A custom object.",
                ["5.3.1"])
        for label, value in (("int", {"as_int": 3}), ("float", {"as_float": 0.5}),
                             ("string", {"as_string": "a"}), ("bool", {"as_bool": True}),
                             ("none", {"as_none": True})):
            if not has(version, "InputToConstantInputSpec"):
                continue
            draft = plain(version)
            draft.take({"constant_input": {"name": "k", "value": value}})
            put(suite, "constant-" + label, version, draft, "An input that is a constant.",
                ["5.3.1"])


# ---- calls ---------------------------------------------------------------------------


def calls(suite):
    pair = [tensor("y"), tensor("x")]
    for version in FORMS:
        names = has(version, "ModuleCallSignature", "forward_arg_names")
        first = arguments_of([LEAF])
        out = treespec(LEAF)
        rows = [("usual", {"forward_arg_names": ["x"]} if names else {}),
                ("names", {"forward_arg_names": ["other"]} if names else {}),
                ("out-list", {"out_spec": treespec(tree("builtins.list", "null", [LEAF]))}),
                ("out-dict", {"out_spec": treespec(tree("builtins.dict", '["a"]', [LEAF]))}),
                ("out-tuple", {"out_spec": treespec(tree("builtins.tuple", "null", [LEAF]))}),
                ("out-type", {"out_spec": treespec(tree("mine.Batch", "null", [LEAF]))}),
                ("in-list", {"in_spec": arguments_of([tree("builtins.list", "null", [LEAF])])
                             if version != "1" else treespec(tree("builtins.tuple", "null", [
                                 tree("builtins.list", "null", [LEAF])]))}),
                ("keyword", {"in_spec": arguments_of([], ["k"]), "out_spec": out})]
        for label, root in rows:
            put(suite, "call-" + label, version, plain(version), "How the program is called.",
                ["4.2.1"], **root)
        if since(version, "2"):
            draft = plain(version)
            draft.data["modules"] += [
                entry("sub", [tensor("x")], pair, in_spec=first, out_spec=leaves(2)),
                entry("sub.a"), entry("sub.b", [], [tensor("y")], in_spec=arguments_of([]))]
            put(suite, "modules", version, draft, "Modules, of which one says nothing of its call.",
                ["5.5.1"])
    for version in ("2", LATEST):
        draft = plain(version)
        draft.give(user_output(tensor("x")), user_output(tensor("y")))
        put(suite, "call-three", version, draft, "Three outputs.", ["4.2.1"])
        put(suite, "call-nothing", version, Draft(header=header(version)),
            "No input and no output.", ["4.2.1"])


def arguments_of(positional_trees, keywords=()):
    return treespec(tree("builtins.tuple", "null", [
        tree("builtins.tuple", "null", positional_trees),
        tree("builtins.dict", json.dumps(list(keywords)), [LEAF] * len(keywords))]))


def refused(suite):
    """What is no program is not built again."""
    for version in ("2", "5.3", LATEST):
        draft = plain(version)
        draft.data["graph"]["nodes"][0]["inputs"][0]["arg"] = tensor("nobody")
        text, offset, pointer = place_of(draft.written(VERSIONS[version]),
                                         NODES + "0/inputs/0/arg/as_tensor/name")
        base = "build/plain/" + version
        suite.invalid("build/refused/" + version, base, change_between(suite.bytes[base], text),
                      "EP_VALUE_UNDEFINED", (offset, pointer), "A value that is none.",
                      provenance="hand")


def vectors(suite):
    headers(suite)
    refused(suite)
    tensor_values(suite)
    expressions(suite)
    ranges(suite)
    other_symbols(suite)
    arguments(suite)
    nodes(suite)
    beside(suite)
    subgraphs(suite)
    signatures(suite)
    calls(suite)
