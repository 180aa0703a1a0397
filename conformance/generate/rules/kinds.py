"""Every pair of kinds that a rule of SPEC part 5 compares, equal and unequal: what is passed to
a graph and what it returns (5.2.4, 5.2.5), how a value is defined, used and listed (5.1.7), what
a spec and the graph say (5.3.2, 5.3.4), the order and the names of specs (5.3.5, 5.3.7), and
each part of two subgraphs of one name (5.2.2).
"""

import copy

from generate.migrate.migrations import LATEST
from generate.rules.subgraphs import as_graph, since
from generate.whole import (NODES, SIGNATURE, Draft, Whole, call, custom_obj, graph, meta, spec,
                            sym_bool, sym_float, sym_int, tensor, tensors, user_input, user_output)

VERSIONS = ("7.3", LATEST)
MAKERS = {"tensor": tensor, "int": sym_int, "float": sym_float, "bool": sym_bool,
          "object": custom_obj}
TABLES = {"tensor": "tensor_values", "int": "sym_int_values", "float": "sym_float_values",
          "bool": "sym_bool_values", "object": "custom_obj_values"}
ENTRIES = {"int": 4, "float": 1.5, "bool": True}
CONSTANTS = {"int": {"as_int": 4}, "float": {"as_float": 1.5}, "bool": {"as_bool": True},
             "string": {"as_string": "a"}, "none": {"as_none": True}}
SORTS = ("int", "float", "bool")
ARGUMENT = NODES + "1/inputs/0/arg/as_graph/graph"


def kinds_of(version):
    """Version 7.3 has no symbolic float."""
    return [kind for kind in MAKERS if kind != "float" or since(version, "8.2")]


def entry_of(kind, name):
    if kind == "tensor":
        return meta(2)
    return custom_obj(name)["as_custom_obj"] if kind == "object" else ENTRIES[kind]


def list_in(tables, kind, name):
    tables.setdefault(TABLES[kind], {})[name] = entry_of(kind, name)


def part(inputs, outputs):
    """A graph of (kind, name) each, or constants, which makes what it does not take."""
    def said(each):
        return MAKERS[each[0]](each[1]) if isinstance(each, tuple) else each
    fresh = [each for each in outputs if isinstance(each, tuple) and each not in inputs]
    made = graph([said(each) for each in inputs], [call("mylib.make.default", {}, [
        said(each) for each in fresh])] if fresh else [], [said(each) for each in outputs])
    for each in [*inputs, *fresh]:
        if isinstance(each, tuple):
            list_in(made, *each)
    return made


def program(version, *nodes, tables=None):
    """A value of each kind, and nodes behind the one that makes them."""
    draft = Draft().take(user_input(tensor("x"))).tensors(x=meta(2))
    draft.node(call("mylib.make.default", {}, [MAKERS[kind]("v_" + kind)
                                               for kind in kinds_of(version)]), *nodes)
    for kind in kinds_of(version):
        list_in(draft.data["graph"], kind, "v_" + kind)
    for kind, name in tables or ():
        list_in(draft.data["graph"], kind, name)
    return draft.give(user_output(tensor("x")))


def node_of(inputs, outputs, operands, results):
    """An operator of one graph."""
    return call("higher_order.strict_mode", [("", as_graph("g_0", part(inputs, outputs))),
                                             *[("", each) for each in operands]], results)


def graph_in(data):
    return data["graph"]["nodes"][1]["inputs"][0]["arg"]["as_graph"]


# ---- 5.2.4, 5.2.5 -------------------------------------------------------------------------


def passed(suite, version):
    for kind in kinds_of(version):
        operand = MAKERS[kind]("v_" + kind)
        node = node_of([(kind, "a")], [("tensor", "r")], [operand], [tensor("y")])
        whole = Whole(suite, "subgraph/passed-" + kind, program(version, node, tables=[
            ("tensor", "y")]), version, ["5.2.4"], "A %s is passed." % kind)
        for other in kinds_of(version):
            if other == kind:
                continue

            def change(data, other=other):
                graph_in(data)["graph"] = part([(other, "a")], [("tensor", "r")])
            whole.bad("passed-%s-as-%s" % (kind, other), change, "EP_SUBGRAPH_INPUTS",
                      ARGUMENT + "/inputs/0", "The graph takes a %s for a %s." % (other, kind))
        for name, value in CONSTANTS.items():
            def constant(data, value=value):
                graph_in(data)["graph"] = part([value], [("tensor", "r")])
            whole.bad("passed-%s-as-constant-%s" % (kind, name), constant, "EP_SUBGRAPH_INPUTS",
                      ARGUMENT + "/inputs/0", "The graph takes the constant %s for a %s." % (
                          name, kind))


def returned(suite, version):
    for kind in [*kinds_of(version), "none"]:
        result = MAKERS[kind]("y") if kind in MAKERS else {"as_none": True}
        twin = [(kind, "r")] if kind in MAKERS else [("tensor", "r")]
        node = node_of([("tensor", "a")], twin, [tensor("x")], [result])
        whole = Whole(suite, "subgraph/returned-" + kind, program(
            version, node, tables=[(kind, "y")] if kind in MAKERS else ()), version, ["5.2.5"],
            "A %s is returned." % kind)
        rows = [(other, (other, "r"), other == kind) for other in kinds_of(version)]
        rows += [("constant-" + name, value, kind == name and name in SORTS)
                 for name, value in CONSTANTS.items()]
        for other, output, same in rows:
            def change(data, output=output):
                graph_in(data)["graph"] = part([("tensor", "a")], [output])
            label = "returned-%s-as-%s" % (kind, other)
            if same or kind == "none":
                if [output] != twin:
                    whole.good(label, change, "5.2.5", "A %s goes with a %s." % (other, kind))
            else:
                whole.bad(label, change, "EP_SUBGRAPH_OUTPUTS", ARGUMENT,
                          "The graph returns a %s, the node a %s." % (other, kind))


def conditions(suite, version):
    """The first graph of a loop says whether to go on."""
    carried = [("tensor", "a")]
    node = call("higher_order.while_loop", [
        ("", as_graph("c_0", part(carried, [("bool", "r")]))),
        ("", as_graph("b_0", part(carried, carried))), ("", tensors("x")), ("", tensors())],
        [tensor("y")])
    whole = Whole(suite, "subgraph/condition", program(version, node, tables=[("tensor", "y")]),
                  version, ["5.2.5"], "A condition that is a bool.")
    rows = [(kind, (kind, "r"), kind in ("tensor", "bool")) for kind in kinds_of(version)]
    rows += [("constant-" + name, value, name == "bool") for name, value in CONSTANTS.items()]
    for label, output, fits in rows:
        def change(data, output=output):
            graph_in(data)["graph"] = part(carried, [output])
        if label == "bool":
            continue
        if fits:
            whole.good("condition-of-" + label, change, "5.2.5",
                       "A condition that is a %s." % label)
        else:
            whole.bad("condition-of-" + label, change, "EP_SUBGRAPH_OUTPUTS", ARGUMENT,
                      "A %s is no condition." % label)


# ---- 5.1.7 ----------------------------------------------------------------------------------


def used(suite, version):
    """A value as the kind that it is defined as, and as another; and in the table of another."""
    for kind in kinds_of(version):
        node = call("mylib.f.default", {"a": MAKERS[kind]("v_" + kind)}, [])
        whole = Whole(suite, "value/used-" + kind, program(version, node), version, ["5.1.7"],
                      "A %s is used as one." % kind)
        for other in kinds_of(version):
            if other == kind:
                continue

            def change(data, other=other, kind=kind):
                value = MAKERS[other]("v_" + kind)
                data["graph"]["nodes"][1]["inputs"][0]["arg"] = value
            place = NODES + "1/inputs/0/arg/as_%s/%s" % {
                "tensor": ("tensor", "name"), "object": ("custom_obj", "name")}.get(
                    other, ("sym_" + other, "as_name"))
            whole.bad("used-%s-as-%s" % (kind, other), change, "EP_VALUE_KIND", place,
                      "A %s is used as a %s." % (kind, other))

            def listed(data, other=other, kind=kind):
                del data["graph"][TABLES[kind]]["v_" + kind]
                list_in(data["graph"], other, "v_" + kind)
            whole.bad("listed-%s-as-%s" % (kind, other), listed, "EP_VALUE_KIND",
                      ("graph_module/graph/" + TABLES[other], "v_" + kind),
                      "A %s is listed as a %s." % (kind, other))


# ---- 5.3.2, 5.3.4 ---------------------------------------------------------------------------

UNLIKE = {"int": {"as_int": 5}, "float": {"as_float": 0.25}, "bool": {"as_bool": False},
          "string": {"as_string": "b"}}


def terms_of(version, names):
    """What an input of a program may be, in two values: (label, one, another)."""
    for kind in kinds_of(version):
        yield kind, MAKERS[kind](names[0] + kind), MAKERS[kind](names[1] + kind)
    for name, value in CONSTANTS.items():
        yield "constant-" + name, value, UNLIKE.get(name)


def signatures(suite, version):
    """The spec of an input, or an output, that is another's."""
    values = {side: [(kind, side + kind) for kind in kinds_of(version)] for side in "pq"}
    for side, tag, code in (("input", "user_input", "EP_SIGNATURE_INPUT"),
                            ("output", "user_output", "EP_SIGNATURE_OUTPUT")):
        clause = "5.3.2" if side == "input" else "5.3.4"
        for label, one, _ in terms_of(version, "pq"):
            draft = Draft()
            others = values["p"] + values["q"]
            if side == "input":  # both of each kind are inputs, and this one first
                draft.take({tag: {"arg": one}})
                rest = [MAKERS[kind](name) for kind, name in others]
                draft.take(*[user_input(each) for each in rest if each != one])
                draft.give(user_output({"as_int": 1}))
            else:
                draft.node(call("mylib.make.default", {}, [MAKERS[kind](name)
                                                           for kind, name in others]))
                draft.give({tag: {"arg": one}})
            for kind, name in others:
                list_in(draft.data["graph"], kind, name)
            whole = Whole(suite, "signature/%s-is-%s" % (side, label), draft, version, [clause],
                          "The %s is a %s." % (side, label))
            for other, first, second in terms_of(version, "pq"):
                for number, wrong in enumerate((first, second)):
                    if wrong is None or wrong == one:
                        continue

                    def change(data, wrong=wrong, side=side, tag=tag):
                        data[side + "_specs"][0] = {tag: {"arg": copy.deepcopy(wrong)}}
                    whole.bad("%s-is-%s-not-%s-%d" % (side, label, other, number), change, code,
                              SIGNATURE + side + "_specs/0",
                              "A %s, where the graph has a %s: %d." % (other, label, number))


# ---- 5.3.5, 5.3.7 ---------------------------------------------------------------------------


def spec_of(tag, name):
    """A spec of a value of that name."""
    if tag in ("user_input", "user_output"):
        return {tag: {"arg": tensor(name)}}
    if tag == "constant_input":
        return {tag: {"name": "c" + name, "value": {"as_int": 2}}}
    if tag == "custom_obj":
        return {tag: {"arg": custom_obj(name)["as_custom_obj"], "custom_obj_name": "n" + name}}
    keys = {"parameter": "parameter_name", "buffer": "buffer_name",
            "tensor_constant": "tensor_constant_name", "buffer_mutation": "buffer_name",
            "parameter_mutation": "parameter_name", "user_input_mutation": "user_input_name",
            "gradient_to_parameter": "parameter_name", "gradient_to_user_input": "user_input_name"}
    made = spec(tag, name, **({keys[tag]: "n" + name} if tag in keys else {}))
    if tag == "buffer":
        made[tag]["persistent"] = True
    return made


RANKS = {  # 5.3.5
    "input": {"token": 1, "parameter": 2, "buffer": 2, "tensor_constant": 2, "custom_obj": 2,
              "user_input": 3, "constant_input": 3},
    "output": {"token": 1, "buffer_mutation": 2, "parameter_mutation": 2, "user_input_mutation": 2,
               "user_output": 3, "loss_output": 3, "gradient_to_parameter": 4,
               "gradient_to_user_input": 4},
}


def tags_of(version, side):
    return [tag for tag in RANKS[side]
            if tag != "parameter_mutation" or since(version, "8.17")]


def ordered(version, side, one, other):
    """A program whose specs of a side begin with two, if they may."""
    draft = Draft()
    names = {"input": ("p0", "p1"), "output": ("q0", "q1")}[side]
    first = [spec_of(one, names[0]), spec_of(other, names[1])]
    if side == "output":
        tokens = [tag for tag in (one, other) if tag == "token"]
        draft.take(*[spec("token", "k%d" % i) for i, _ in enumerate(tokens)])
        draft.take(*[{"parameter": {"arg": {"name": "w%d" % i}, "parameter_name": "nq%d" % i}}
                     for i in range(2) if "parameter" in (one, other)[i]])
        draft.take(*[{"buffer": {"arg": {"name": "b%d" % i}, "buffer_name": "nq%d" % i,
                                 "persistent": True}}
                     for i in range(2) if (one, other)[i] == "buffer_mutation"])
        draft.take(user_input(tensor("nq0")), user_input(tensor("nq1")))
        draft.node(call("mylib.make.default", {}, [tensor("q0"), tensor("q1"), tensor("q2")]))
        draft.give(*first)
        if any(tag.startswith("gradient") for tag in (one, other)) and "loss_output" not in (
                one, other):  # in front of the gradients
            loss = spec("loss_output", "q2")
            at = next(i for i, tag in enumerate((one, other)) if tag.startswith("gradient"))
            draft.data["output_specs"].insert(at, loss)
            draft.data["graph"]["outputs"].insert(at, tensor("q2"))
        else:
            draft.give(*[user_output(tensor("q2"))] if max(
                RANKS[side][one], RANKS[side][other]) <= 3 else [])
    else:
        draft.take(*first)
        draft.node(call("mylib.make.default", {}, [tensor("q%d" % i) for i in range(3)]))
        draft.give(*[spec("token", "q%d" % i) for i, tag in enumerate((one, other))
                     if tag == "token"])
        draft.give(user_output(tensor("q2")))
    for each in [*draft.data["graph"]["inputs"], *[tensor("q%d" % i) for i in range(3)]]:
        if "as_tensor" in each:
            list_in(draft.data["graph"], "tensor", each["as_tensor"]["name"])
        if "as_custom_obj" in each:
            list_in(draft.data["graph"], "object", each["as_custom_obj"]["name"])
    return draft


def turned(side):
    """The change that exchanges the first two specs of a side, with what they stand for."""
    def change(data):
        for items in (data[side + "_specs"], data["graph"][side + "s"]):
            items[0], items[1] = items[1], items[0]
    return change


def orders(suite, version):
    for side in ("input", "output"):
        tags = tags_of(version, side)
        for i, one in enumerate(tags):
            for other in tags[i:]:
                low, high = sorted((one, other), key=RANKS[side].get)
                if "loss_output" in (low, high) and RANKS[side][high] == 4:
                    continue  # a gradient in front of its loss is another fault
                if low == high == "loss_output":
                    continue
                draft = ordered(version, side, low, high)
                whole = Whole(suite, "signature/%s-order-%s-%s" % (side, low, high), draft, version,
                              ["5.3.5"], "%s, then %s." % (low, high))
                specs = draft.data[side + "_specs"]
                ranks = [RANKS[side][next(iter(each))] for each in specs[:2]]
                label = "%s-order-%s-behind-%s" % (side, low, high)
                if ranks[0] == ranks[1]:
                    if low != high:
                        whole.good(label, turned(side), "5.3.5", "%s and %s may be mixed." % (
                            high, low))
                else:
                    whole.bad(label, turned(side), "EP_SIGNATURE_ORDER",
                              SIGNATURE + side + "_specs/1", "%s, then %s." % (high, low))


NAMED = ("parameter", "buffer", "tensor_constant", "custom_obj")


def twice(suite, version):
    """One name for two of each pair of kinds."""
    for one in NAMED:
        for other in NAMED:
            draft = ordered(version, "input", one, other)
            whole = Whole(suite, "signature/input-order-%s-%s" % (one, other), draft, version,
                          ["5.3.5", "5.3.7"], "%s, then %s." % (one, other))

            def change(data, one=one, other=other):
                name = data["input_specs"][0][one][one + "_name"]
                data["input_specs"][1][other][other + "_name"] = name
            if one == other == "parameter" and version == "7.3":
                whole.good("twice-%s-%s" % (one, other), change, "5.3.7", "One name for two.")
            else:
                whole.bad("twice-%s-%s" % (one, other), change, "EP_SPEC_TWICE",
                          SIGNATURE + "input_specs/1/%s/%s_name" % (other, other),
                          "One name for a %s and a %s." % (one, other))


# ---- 5.2.2 ----------------------------------------------------------------------------------


def inner():
    """A graph with something of everything."""
    made = part([("tensor", "a"), ("int", "b")], [("tensor", "r"), ("bool", "c")])
    made["nodes"].append(call("mylib.f.default", [
        ("k", {"as_int": 3}), ("l", {"as_ints": [1, 2]}), ("s", {"as_string": "t"}),
        ("d", {"as_device": {"type": "cuda", "index": 1}}), ("f", {"as_float": 0.5})], [],
        metadata={"own": "text"}))
    made["tensor_values"]["a"] = meta(2, 3, storage_offset=1, device={"type": "cuda", "index": 2})
    return made


def parts_of(value, path=()):
    """(path, another value) of every scalar below."""
    if isinstance(value, dict):
        for key in value:
            yield from parts_of(value[key], (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from parts_of(item, (*path, i))
    elif path[-1] not in ("name", "as_name", "kind") and value is not None:
        if isinstance(value, bool):
            yield path, not value
        elif isinstance(value, str):
            yield path, value.replace("mylib.f", "mylib.g").replace("make", "made") if \
                "torch" in value else {"cpu": "cuda", "cuda": "cpu"}.get(value, value + "x")
        else:
            yield path, value + 1


def set_at(value, path, other):
    *steps, last = path
    for step in steps:
        value = value[step]
    value[last] = other


def alike(suite, version):
    """Two graphs of one name, equal but for one thing."""
    nodes = [call("mylib.g%d.default" % i, {"g": as_graph("same", inner())}, []) for i in range(2)]
    whole = Whole(suite, "subgraph/alike", program(version, *nodes), version, ["5.2.2"],
                  "One graph, in two places.")
    place = NODES + "2/inputs/0/arg/as_graph/name"
    rows = [(path, other) for path, other in parts_of(inner()) if "requires_grad" not in path]
    rows = [row for row in rows if row[0][-1] != "layout"]
    for path, other in rows:
        def change(data, path=path, other=other):
            set_at(data["graph"]["nodes"][2]["inputs"][0]["arg"]["as_graph"]["graph"], path, other)
        label = "-".join(str(step).replace("_", "-") for step in path)
        whole.bad("alike-but-" + label, change, "EP_SUBGRAPH_TWICE", place,
                  "Another %s." % "/".join(map(str, path)))

    def reordered(data):
        made = data["graph"]["nodes"][2]["inputs"][0]["arg"]["as_graph"]["graph"]
        made["tensor_values"] = dict(reversed(made["tensor_values"].items()))
    whole.good("alike-order", reordered, "5.2.2", "Keys in another order.")

    def lists(path, change, label, why):
        def changed(data):
            made = data["graph"]["nodes"][2]["inputs"][0]["arg"]["as_graph"]["graph"]
            for step in path:
                made = made[step]
            change(made)
        whole.bad("alike-but-" + label, changed, "EP_SUBGRAPH_TWICE", place, why)
    values = ("nodes", -1, "inputs", 1, "arg", "as_ints")
    lists(values, lambda items: items.append(3), "more", "One number more.")
    lists(values, lambda items: items.pop(), "less", "One number less.")
    lists(values, lambda items: items.reverse(), "turned", "The numbers in another order.")
    lists(("nodes", -1, "inputs"), lambda items: items[0].update(arg={"as_float": 3.0}), "tag",
          "A float for an int.")
    lists(("nodes", -1, "metadata"), lambda items: items.update(other="x"), "key", "A key more.")
    lists(("nodes", -1, "metadata"), lambda items: (items.clear(), items.update(owns="text")),
          "other-key", "Another key.")
    lists(("tensor_values", "a", "device"), lambda device: device.update(index=None), "none",
          "No index.")


def vectors(suite):
    for version in VERSIONS:
        for rule in (passed, returned, conditions, used, signatures, orders, twice, alike):
            rule(suite, version)
