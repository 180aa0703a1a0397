"""Programs that have every field, tag and enumerator that a version has, each with two values
that no default is and no neighbour has (SPEC 3, 7.1.2): written again, migrated to the
next version and to the last, up and down, and in our form.
"""

import json

from format.history import ORDER, VERSIONS
from format.programs import nonfinite
from generate.canon.forms import NEAR, Forms
from generate.migrate.migrations import LATEST, Migrations, written
from generate.suite import change_between
from generate.language.texts import S0, since
from generate.whole import (LEAF, Draft, arguments, buffer, call, custom_obj, entry, graph, leaves,
                            meta, parameter, spec, sym_bool, sym_int, tensor, tensors, tree,
                            treespec, user_input, user_output)

S1 = "Symbol('s1', positive=True, integer=True)"
LONG = "1-2023-12"   # the first version of specs
STRIDED = 7
GRADIENTS = ("HALF", "FLOAT", "DOUBLE", "BFLOAT16")


def fields_of(version, kind):
    return {member.name for member in version.types[kind].members}


class Both:
    """What two versions have under the same name, or one."""

    def __init__(self, *versions):
        self.versions = [VERSIONS[name] for name in versions]
        self.names = versions

    def has(self, kind, member):
        return all(kind in each.types and member in fields_of(each, kind)
                   for each in self.versions)

    def enumerators(self, kind):
        """The numbers that are the same thing in both, but for the first, which is none."""
        first, *more = [each.types[kind].values for each in self.versions if kind in each.types]
        return sorted(number for name, number in first.items()
                      if number != 0 and all(each.get(name) == number for each in more))

    def dialect(self):
        """None beside verifiers that another version says alone (7.4.3)."""
        fields = [fields_of(each, "ExportedProgram") for each in self.versions]
        return "" if {"dialect", "verifiers"} <= fields[0] and not all(
            "dialect" in each for each in fields) else "ATEN"

    def since(self, first):
        return all(since(each, first) for each in self.names)


# ---- arguments ----------------------------------------------------------------------------


def constants(both):
    """Two values of each tag that names nothing."""
    rows = {
        "as_int": (3, -9223372036854775808), "as_ints": ([4, -5, 4], [0]),
        "as_float": (0.25, -1e+300), "as_floats": ([1.5, -0.125], [2.5]),
        "as_string": ("a\u00e9\n", "\""), "as_strings": (["b", "", "b"], ["c"]),
        "as_bool": (True, False), "as_bools": ([True, False, False], [False, True]),
        "as_device": ({"type": "cuda", "index": 3}, {"type": "cpu", "index": None}),
        "as_operator": ("torch.ops.mylib.f.default", "torch.ops.mylib.g.default"),
        "as_complex": ({"real": 0.5, "imag": -1.5}, {"real": -2.0, "imag": 0.0}),
        "as_int_lists": ([[1, -2], [], [3]], [[4]]), "as_float_lists": ([[0.5], []], [[1.5, 2.5]]),
        "as_scalar_type": both.enumerators("ScalarType"), "as_layout": both.enumerators("Layout"),
        "as_memory_format": both.enumerators("MemoryFormat"),
        "as_none": (True,),
    }
    for text in nonfinite_of(both):
        rows["as_float"] += (text,)
        rows["as_floats"] += ([text, 0.5, text],)
    return {tag: values for tag, values in rows.items() if both.has("Argument", tag)}


def nonfinite_of(both):
    """The floats that are not finite and that all have a spelling for, as the first has it."""
    texts = [json.loads(text) for text in nonfinite(both.versions[0])]
    counts = [len(nonfinite(version)) for version in both.versions]
    return texts[:min(counts)]


def optional(name):
    return {"as_none": True} if name is None else {"as_tensor": {"name": name}}


def uses(both):
    """Two values of each tag that names values."""
    rows = {
        "as_tensor": ({"name": "x"}, {"name": "y"}),
        "as_tensors": ([{"name": "y"}, {"name": "x"}, {"name": "y"}], [], [{"name": "t"}]),
        "as_sym_int": ({"as_name": "n"}, {"as_name": "m"}, {"as_int": -6}),
        "as_sym_ints": ([{"as_name": "m"}, {"as_int": 7}, {"as_name": "n"}], [{"as_int": 8}]),
        "as_sym_bool": ({"as_name": "c"}, {"as_name": "d"}, {"as_bool": True}, {"as_bool": False}),
        "as_sym_bools": ([{"as_name": "d"}, {"as_bool": True}, {"as_name": "c"}],
                         [{"as_bool": False}]),
        "as_sym_float": ({"as_name": "g"}, {"as_name": "h"}, {"as_float": 0.75}),
        "as_sym_floats": ([{"as_name": "h"}, {"as_float": -0.5}, {"as_name": "g"}],
                          [{"as_float": 1.25}]),
        "as_optional_tensor": (optional("y"), optional("x"), optional(None)),
        "as_optional_tensors": ([optional("y"), optional(None), optional("x")], [optional(None)]),
        "as_nested_tensors": ([[{"name": "x"}, {"name": "y"}], [], [{"name": "y"}]], []),
        "as_string_to_argument": ({"a": tensor("y"), "b": {"as_int": 5}, "": tensor("x")},
                                  {"c": {"as_string": "d"}}),
    }
    return {tag: values for tag, values in rows.items() if both.has("Argument", tag)}


def body(name, value, size):
    """A graph with a table of each kind."""
    result = "r" + value
    return {"as_graph": {"name": name, "graph": graph(
        [tensor(value)], [call("mylib.f.default", {"q": tensor(value), "k": {"as_int": size}},
                               tensor(result))], [tensor(result), {"as_int": size}],
        tensor_values={value: meta(size), result: meta(size, 1)})}}


def arguments_of(both):
    """A node of an operator of somebody's own for every tag and every value."""
    nodes = []
    for tag, values in {**constants(both), **uses(both)}.items():
        for i, value in enumerate(values):
            nodes.append(call("mylib.%s.default" % "gf"[i % 2], [
                ("first", {tag: value}), ("", {"as_int": len(nodes)})], [],
                metadata={"stack_trace": "at %d" % len(nodes), "own": tag}))
    nodes.append(call("mylib.h.default", [("one", body("sub_0", "a", 2)),
                                          ("two", body("sub_1", "b", 3))], []))
    return nodes


# ---- the program --------------------------------------------------------------------------


def expression(both, version, term):
    """In the form of the version, where both have a form of their own."""
    return (S0, S1)[term] if since(version, "8.2") else ("s0", "s1")[term]


def tensor_metas(both, version):
    """Tensors that differ in everything."""
    rows = {
        "x": meta(2, 3, dtype=6, device={"type": "cuda", "index": 1}, strides=[5, 1],
                  requires_grad=True, storage_offset=4),
        "y": meta(4, 5, dtype=5, device={"type": "cuda", "index": 0}, strides=[1, 6],
                  storage_offset=9),
        "t": meta(dtype=12, layout=1, strides=[]),
    }
    if "8.2-ast" not in both.names:
        rows["x"]["sizes"] = [(expression(both, version, 0), 6), 3]
        rows["y"]["sizes"] = [expression(both, version, 1), (expression(both, version, 0), 7)]
        rows["y"]["strides"] = [1, (expression(both, version, 1), 11)]
        if since(both.names[0], "4.2") and since(both.names[1], "4.2"):
            rows["y"]["storage_offset"] = expression(both, version, 0)
    for i, number in enumerate(both.enumerators("ScalarType")):
        rows["e%d" % i] = meta(i, dtype=number)
    for i, number in enumerate(both.enumerators("Layout")):
        rows["l%d" % i] = meta(i, 2, layout=number)
    return rows


def signature(draft, both):
    """Two specs of each kind."""
    inputs = "InputSpec"
    tokens = both.has(inputs, "token")
    if tokens:
        draft.take(spec("token", "k0"), spec("token", "k1"))
    draft.take(parameter("p1", "w.b"), parameter("p0", "w.a"), buffer("b1", "s.b"),
               buffer("b0", "s.a"))
    if both.has("InputToBufferSpec", "persistent"):
        draft.data["input_specs"][-1]["buffer"]["persistent"] = False
    if both.has(inputs, "tensor_constant"):
        draft.take(spec("tensor_constant", "c1", tensor_constant_name="one"),
                   spec("tensor_constant", "c0", tensor_constant_name="two"))
    if both.has(inputs, "custom_obj") and both.since("3.1"):
        for name in ("o1", "o0"):
            value = dict(custom_obj(name)["as_custom_obj"], class_fqn="__torch__.C" + name)
            draft.take({"custom_obj": {"arg": value, "custom_obj_name": "obj." + name}})
            draft.table("custom_obj_values", **{name: value})
    if both.has(inputs, "constant_input"):
        for name, value in (("i", {"as_int": -4}), ("f", {"as_float": 2.5}), ("s", {
                "as_string": "z"}), ("b", {"as_bool": True}), ("", {"as_none": True})):
            draft.take({"constant_input": {"name": name, "value": value}})
    draft.take(user_input(tensor("y")), user_input(tensor("x")))
    outputs = "OutputSpec"
    if tokens:
        draft.give(spec("token", "k1"), spec("token", "k0"))
    draft.give(spec("buffer_mutation", "e0", buffer_name="s.a"),
               spec("buffer_mutation", "e1", buffer_name="s.b"))
    if both.has(outputs, "parameter_mutation"):
        draft.give(spec("parameter_mutation", "e2", parameter_name="w.b"),
                   spec("parameter_mutation", "e3", parameter_name="w.a"))
    if both.has(outputs, "user_input_mutation"):
        draft.give(spec("user_input_mutation", "e4", user_input_name="x"),
                   spec("user_input_mutation", "e5", user_input_name="y"))
    draft.give(user_output(tensor("e6")), user_output(tensor("e7")))
    if both.since(LONG):
        draft.give(user_output({"as_int": 8}))
        draft.give(spec("loss_output", "l0"), spec("gradient_to_parameter", "l1",
                                                   parameter_name="w.a"),
                   spec("gradient_to_user_input", "l2", user_input_name="y"),
                   spec("gradient_to_parameter", "l3", parameter_name="w.b"),
                   spec("gradient_to_user_input", "l4", user_input_name="x"))


def symbols(draft, both, version):
    """The tables of symbols: expressions, with a hint or not, and numbers."""
    first = second = None
    if "8.2-ast" not in both.names:
        first, second = expression(both, version, 0), expression(both, version, 1)
    plain = first is None
    draft.table("sym_int_values", n=13 if plain else (first, 6), m=17 if plain else second)
    less = ("StrictLessThan(%s, Integer(3))" if since(version, "8.2") else "%s < 3")
    draft.table("sym_bool_values", c=True if plain else less % first, d=False)
    if both.has("Argument", "as_sym_float"):
        draft.table("sym_float_values", g="ToFloat(%s)" % (first or "x"), h=-3.5)
    made = [tensor("t"), sym_int("n"), sym_int("m"), sym_bool("c"), sym_bool("d")]
    if both.has("Argument", "as_sym_float"):
        made += [{"as_sym_float": {"as_name": name}} for name in "gh"]
    return call("mylib.make.default", {}, made)


def header(both):
    said = {"torch_version": "<=2.4", "dialect": both.dialect(),
            "opset_version": {"mylib": 3, "aten": 11},
            "range_constraints": {"s1": {"min_val": 3, "max_val": 30},
                                  "s0": {"min_val": 2, "max_val": 20},
                                  "2*s0": {"min_val": 4, "max_val": 40}}}
    if both.has("ExportedProgram", "torch_version"):
        said["torch_version"] = "2.9.1+own"
    if both.has("ExportedProgram", "guards_code"):
        said["guards_code"] = ["L['y'].size()[0] <= 9", "L['x'].size()[0] >= 2"]
    return said


def module(both):
    said = {}
    if both.has("GraphModule", "metadata"):
        said["metadata"] = {"m2": "second", "m1": "first"}
    if both.has("GraphModule", "treespec_namedtuple_fields"):
        said["treespec_namedtuple_fields"] = {"Q": {"field_names": ["a", "b"]},
                                              "P": {"field_names": ["c"]}}
    return said


def everything(version, *others):
    """All that the versions have, as the first of them writes it."""
    both = Both(version, *others)
    draft = Draft(header=header(both), module=module(both))
    signature(draft, both)
    metas = tensor_metas(both, version)
    draft.node(symbols(draft, both, version))
    draft.node(call("mylib.many.default", {}, [tensors(*[name for name in metas
                                                         if name[0] in "el"])]))
    draft.node(*arguments_of(both))
    named = sorted({name for each in draft.data["input_specs"]
                    for name in [next(iter(each.values())).get("arg", {}).get("name")]
                    if name and name[0] in "kpbc"})
    draft.tensors(**{name: meta(i + 2) for i, name in enumerate(named)}, **metas)
    users = sum(tag in ("user_input", "constant_input") for each in draft.data["input_specs"]
                for tag in each)
    draft.data["modules"] = modules(both)
    kinds_of(draft, both)
    if both.has("ModuleCallSignature", "forward_arg_names"):
        draft.data["root"]["forward_arg_names"] = ["a%d" % i for i in range(users)]
    if "call_spec" in fields_of(VERSIONS[version], "GraphModule"):  # a root that says the same
        draft.data["module"]["module_call_graph"] = [
            {"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": arguments(users),
                                      "out_spec": leaves(2)}}, *draft.data["modules"]]
    if both.has("Node", "name"):
        for i, node in enumerate(draft.data["graph"]["nodes"]):
            node["name"] = "node_%d" % i if i % 3 else None
    return draft


def modules(both):
    """Calls of two modules, with other trees."""
    listed = treespec(tree("builtins.tuple", "null", [
        tree("builtins.list", "null", [LEAF]), tree("builtins.dict", '["k"]', [LEAF])]))
    made = [entry("sub.one", [tensor("y"), tensor("x")], [tensor("e1")], in_spec=listed),
            entry("sub", [tensor("x")], [tensor("e2"), {"as_int": 6}, {"as_none": True}]),
            entry("bare")]
    if both.has("ModuleCallSignature", "forward_arg_names"):
        made[1]["signature"]["forward_arg_names"] = ["only"]
    return made


def kinds_of(draft, both):
    """Positional and by keyword, in turn, where both have the same numbers for that."""
    said = both.has("NamedArgument", "kind") and both.since("8.5")
    for node in draft.data["graph"]["nodes"]:
        for i, each in enumerate(node["inputs"]):
            each["kind"] = (1, 2, 0, None)[(i + len(node["inputs"])) % 4] if said else None
            for one in each["arg"].get("as_graph", {}).get("graph", {}).get("nodes", ()):
                for inner in one["inputs"]:
                    inner["kind"] = 2 if said else None


# ---- vectors ------------------------------------------------------------------------------

FAR = ("1", "2", "5.3", "7.3", "8.7", "8.15")  # those that are shown beside the last


def pairs():
    """(label, low, high): each version and the next one; some, and the last."""
    for version, following in zip(ORDER, ORDER[1:]):
        yield "everything-next-" + version, version, following
        if version in FAR:
            yield "everything-" + version, version, LATEST


class Documents:
    """The vectors, as changes of a document of their version where these are short."""

    def __init__(self, suite):
        self.suite, self.whole = suite, {}

    def vector(self, name, operation, version, text, clause, why, **said):
        said = {"provenance": "hand", "options": {}, **said}
        for base in self.whole.setdefault(version, []):
            edit = change_between(self.suite.bytes[base], text)
            if len(edit[2]) < NEAR:
                change = edit if edit[1] or edit[2] else None
                return self.suite.valid_edit(name, base, change, clause, why, operation=operation,
                                             **said)
        self.whole[version].append(name)
        return self.suite.valid(name, operation, version, text, clause, why, **said,
                                file="whole/%s.json" % name.replace("/", "-"))

    def pair(self, label, low, high, texts, clause, why):
        names = [Migrations.name(None, label, *way) for way in ((low, high), (high, low))]
        for i, (version, target) in enumerate(((low, high), (high, low))):
            self.vector(names[i], "migrate", version, texts[i], clause, why,
                        product={"base": names[1 - i]},
                        options={"to": target, **VERSIONS[version].options})


def migrations(to, forms):
    for label, low, high in pairs():
        texts = tuple(written(*each) for each in ((low, everything(low, high)),
                                                  (high, everything(high, low))))
        to.pair(label, low, high, texts, ["7.1.2", "7.2.1", "7.2.3", "7.2.5"],
                "Two values of everything that both have.")
        if high == LATEST:
            clause, why = ["6.1.3", "6.2.1", "6.8.1"], "Two values of everything, in our form."
            forms.found(label, LATEST, [texts[1]], clause, why)
            forms.other(label, "old", low, texts[0], ["6.1.1", *clause], why)


def alone(to):
    """All of a version: read, written again, and migrated to itself."""
    for version, row in VERSIONS.items():
        text = written(version, everything(version, version))
        to.vector("encode/everything/" + version, "encode", version, text,
                  ["3.9.1", "3.9.2", "3.9.3"], "Two values of everything.", product="same",
                  options=row.options)
        to.vector("program/everything/" + version, "check", version, text, ["3.5.1", "3.5.2"],
                  "Two values of everything.", options=row.options)
        to.vector("migrate/everything/%s-to-%s" % (version, version), "migrate", version, text,
                  ["7.1.2"], "Nothing to do.", product="same",
                  options={"to": version, **row.options})


def vectors(suite):
    to = Documents(suite)
    migrations(to, Forms(suite))
    alone(to)
