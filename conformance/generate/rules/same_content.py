"""Arguments that differ in their tag alone, where two are compared: in subgraphs of one name
(SPEC 5.2.2), and in a spec and the graph (5.3.2, 5.3.4), under one name or with one value.
"""

import copy
import itertools

from format.history import VERSIONS
from generate.migrate.migrations import LATEST
from generate.rules.argument_lists import empty_of
from generate.rules.kinds import MAKERS, TABLES, kinds_of, list_in, ordered, tags_of
from generate.rules.subgraphs import as_graph, body
from generate.whole import (NODES, SIGNATURE, Draft, Whole, call, meta, tensor, user_input,
                            user_output)

OPERATOR = "torch.ops.mylib.f.default"


def has(version, tag):
    return any(member.name == tag for member in VERSIONS[version].types["Argument"].members)


# ---- 5.2.2 ------------------------------------------------------------------------------------


def groups(version):
    """Arguments with one content: (label, {tag: argument})."""
    empty = [empty_of(member) for member in VERSIONS[version].types["Argument"].members]
    rows = (
        ("none", [each for each in empty if each] + [{"as_string_to_argument": {}}]),
        ("nested", [{tag: [[]]} for tag in ("as_int_lists", "as_float_lists",
                                            "as_nested_tensors")]),
        ("number", [{tag: 1} for tag in ("as_int", "as_scalar_type", "as_layout",
                                         "as_memory_format")] + [{"as_float": 1.0}]),
        ("text", [{"as_string": OPERATOR}, {"as_operator": OPERATOR}]),
        ("truth", [{tag: True} for tag in ("as_none", "as_bool")]),
        ("texts", [{"as_ints": [1]}, {"as_floats": [1.0]}, {"as_bools": [True]}]),
        ("symbols", [{"as_sym_ints": [{"as_int": 1}]}, {"as_sym_floats": [{"as_float": 1.0}]},
                     {"as_sym_bools": [{"as_bool": True}]}]),
        ("optional", [{"as_none": True}, {"as_optional_tensor": {"as_none": True}}]),
    )
    for label, values in rows:
        yield label, [each for each in values if has(version, next(iter(each)))]


def subgraphs(suite, version):
    """Two graphs of one name whose nodes have an argument under two tags."""
    for label, values in groups(version):
        for i, value in enumerate(values[:-1]):
            (tag, _), = value.items()
            made = body(1, 1)
            made["nodes"].append(call("mylib.f.default", {"v": value}, []))
            draft = Draft(header={"dialect": ""}).take(user_input(tensor("x"))).tensors(x=meta(2))
            draft.node(*[call("mylib.g.default", {"g": as_graph("same", copy.deepcopy(made))}, [])
                         for _ in range(2)])
            whole = Whole(suite, "subgraph/content-%s-%s" % (label, tag),
                          draft.give(user_output(tensor("x"))), version, ["5.2.2"],
                          "Two graphs with %s." % tag)
            for other in values[i + 1:]:
                (name, _), = other.items()

                def change(data, other=other):
                    inner = data["graph"]["nodes"][1]["inputs"][0]["arg"]["as_graph"]["graph"]
                    inner["nodes"][1]["inputs"][0]["arg"] = other
                whole.bad("content-%s-%s-%s" % (label, tag, name), change, "EP_SUBGRAPH_TWICE",
                          NODES + "1/inputs/0/arg/as_graph/name", "%s and %s." % (tag, name))


BYTES = ("AAEC", "AAED", "AAEC" * 2, "")


def objects(made, text):
    made["nodes"].append(call("mylib.f.default", {"o": {"as_custom_obj": {"blob": text}}}, []))


def tensors_inside(made, text):
    made["constants"] = {"k": text}


def in_bytes(suite):
    """Two graphs of one name with bytes, which the first versions have."""
    for version, label, put in (("1-2023-08", "object", objects), ("1", "object", objects),
                                ("1", "tensor", tensors_inside)):
        for i, text in enumerate(BYTES):
            draft = Draft(header={"dialect": ""}).take(user_input(tensor("x"))).tensors(x=meta(2))
            for _ in range(2):
                made = body(1, 1)
                put(made, text)
                draft.node(call("mylib.g.default", {"g": as_graph("same", made)}, []))
            whole = Whole(suite, "subgraph/bytes-%s-%d" % (label, i),
                          draft.give(user_output(tensor("x"))), version, ["5.2.2"],
                          "Two graphs with the same bytes.")
            for j, other in enumerate(BYTES[i + 1:], i + 1):
                def change(data, other=other):
                    made = body(1, 1)
                    put(made, other)
                    data["graph"]["nodes"][1]["inputs"][0]["arg"] = as_graph("same", made)
                whole.bad("bytes-%s-%d-%d" % (label, i, j), change, "EP_SUBGRAPH_TWICE",
                          NODES + "1/inputs/0/arg/as_graph/name", "Other bytes.")


KEYS = ("p", "q", "r", "s")


def keyed(suite, version):
    """Two graphs of one name with a dict of several keys, in each order of these; and with one
    other key, or with one content at another key."""
    draft = Draft(header={"dialect": ""}).take(user_input(tensor("x"))).tensors(x=meta(2))
    for _ in range(2):
        made = body(1, 1)
        made["nodes"][0]["metadata"] = {key: "of " + key for key in KEYS}
        draft.node(call("mylib.g.default", {"g": as_graph("same", made)}, []))
    whole = Whole(suite, "subgraph/keys", draft.give(user_output(tensor("x"))), version,
                  ["5.2.2"], "Two equal graphs with dicts.")

    def changed(made):
        def change(data):
            graph = data["graph"]["nodes"][1]["inputs"][0]["arg"]["as_graph"]["graph"]
            graph["nodes"][0]["metadata"] = made
        return change
    for order in list(itertools.permutations(KEYS))[1:]:
        whole.good("keys-order-" + "".join(order),
                   changed({key: "of " + key for key in order}), "5.2.2", "Keys in another order.")
    place = NODES + "1/inputs/0/arg/as_graph/name"
    for i, key in enumerate(KEYS):
        whole.bad("keys-other-" + key, changed({each.replace(key, "t"): "of " + each
                                                for each in KEYS}),
                  "EP_SUBGRAPH_TWICE", place, "One other key.")
        after = KEYS[(i + 1) % len(KEYS)]
        whole.bad("keys-content-" + key, changed({
            each: "of " + {key: after, after: key}.get(each, each) for each in KEYS}),
                  "EP_SUBGRAPH_TWICE", place, "What two keys have is exchanged.")


NESTED = 48  # one graph in another


def nested(suite, version):
    """Two equal graphs that nest: to compare them takes as long as they are large."""
    made = body(1, 1)
    for level in range(NESTED):
        holder = body(1, 1)
        holder["nodes"].append(call("mylib.h.default", {"g": as_graph("g%d" % level, made)}, []))
        made = holder
    draft = Draft(header={"dialect": ""}).take(user_input(tensor("x"))).tensors(x=meta(2))
    for _ in range(2):
        draft.node(call("mylib.g.default", {"g": as_graph("same", copy.deepcopy(made))}, []))
    whole = Whole(suite, "subgraph/nested", draft.give(user_output(tensor("x"))), version,
                  ["5.2.2"], "Two equal graphs, with graphs in graphs.")

    def change(data):
        graph = data["graph"]["nodes"][1]["inputs"][0]["arg"]["as_graph"]["graph"]
        for _ in range(NESTED):
            graph = graph["nodes"][1]["inputs"][0]["arg"]["as_graph"]["graph"]
        graph["nodes"][0]["metadata"] = {"own": "text"}
    whole.bad("nested-inmost", change, "EP_SUBGRAPH_TWICE",
              NODES + "1/inputs/0/arg/as_graph/name", "The inmost of one has metadata.")


# ---- 5.3.2, 5.3.4 -----------------------------------------------------------------------------

USERS = {"input": "user_input", "output": "user_output"}
CODES = {"input": "EP_SIGNATURE_INPUT", "output": "EP_SIGNATURE_OUTPUT"}
VALUES = {"input": "p0", "output": "q0"}


def moved(side, kind, was):
    """The change that makes the first value of a side one of another kind, in the graph."""
    name = VALUES[side]

    def change(data):
        argument = MAKERS[kind](name)
        data["graph"][side + "s"][0] = argument
        if side == "output":
            data["graph"]["nodes"][0]["outputs"][0] = copy.deepcopy(argument)
        del data["graph"][TABLES[was]][name]
        list_in(data["graph"], kind, name)
    return change


def specs(suite, version):
    """Each kind of spec, whose value is of another kind in the graph, under its name."""
    for side in ("input", "output"):
        for tag in tags_of(version, side):
            if tag in ("constant_input", USERS[side]):
                continue
            was = "object" if tag == "custom_obj" else "tensor"
            one, other = (tag, tag) if tag != "loss_output" else (tag, "user_output")
            draft = ordered(version, side, one, other)
            place = next(i for i, each in enumerate(draft.data[side + "_specs"]) if tag in each)
            if place:
                continue  # a gradient stands behind its loss
            whole = Whole(suite, "signature/%s-content-%s" % (side, tag), draft, version,
                          ["5.3.2" if side == "input" else "5.3.4"], "A %s." % tag)
            for kind in kinds_of(version):
                if kind != was:
                    whole.bad("%s-content-%s-%s" % (side, tag, kind), moved(side, kind, was),
                              CODES[side], SIGNATURE + side + "_specs/0",
                              "The %s of a %s is a %s in the graph." % (was, tag, kind))


CONSTANTS = (({"as_int": 1}, {"as_bool": True}), ({"as_int": 1}, {"as_float": 1.0}),
             ({"as_bool": True}, {"as_none": True}), ({"as_int": 0}, {"as_bool": False}),
             ({"as_int": 0}, {"as_float": 0.0}))


def users(suite, version):
    """What the user gives and gets: values of one name."""
    for side in USERS:
        for kind in kinds_of(version):
            name = VALUES[side]
            draft = Draft(header={"dialect": ""})
            if side == "input":
                draft.take(user_input(MAKERS[kind](name))).give(user_output({"as_int": 1}))
            else:
                draft.node(call("mylib.make.default", {}, MAKERS[kind](name)))
                draft.give(user_output(MAKERS[kind](name)))
            list_in(draft.data["graph"], kind, name)
            whole = Whole(suite, "signature/%s-user-%s" % (side, kind), draft, version,
                          ["5.3.2" if side == "input" else "5.3.4"], "A %s." % kind)
            for other in kinds_of(version):
                if other != kind:
                    whole.bad("%s-user-%s-%s" % (side, kind, other), moved(side, other, kind),
                              CODES[side], SIGNATURE + side + "_specs/0",
                              "A %s, in the graph a %s of the name." % (kind, other))


def named(value):
    (tag, content), = value.items()
    return "%s-%s" % (tag[3:], str(content).lower().replace(".", "-"))


FORMS = (  # of a constant in a spec, and a version that has it
    ("input", "user", "7.3", lambda value: {"user_input": {"arg": value}}),
    ("input", "constant", LATEST, lambda value: {"constant_input": {"name": "c", "value": value}}),
    ("output", "user", LATEST, lambda value: {"user_output": {"arg": value}}),
)


def constants(suite):
    """Constants of one content."""
    for (side, form, version, wrapped), values in itertools.product(FORMS, CONSTANTS):
        for one, other in itertools.permutations(values):
            label = "%s-%s-%s" % (side, form, named(one))
            draft = Draft(header={"dialect": ""})
            if side == "input":
                draft.take(wrapped(one)).give(user_output({"as_int": 2}))
            else:
                draft.give(wrapped(one))
            whole = Whole(suite, "signature/" + label, draft, version,
                          ["5.3.2" if side == "input" else "5.3.4"], "A constant.")

            def change(data, other=other):
                data["graph"][side + "s"][0] = other
            whole.bad("%s-not-%s" % (label, named(other)), change, CODES[side],
                      SIGNATURE + side + "_specs/0",
                      "A constant of another kind that looks alike.")


def vectors(suite):
    for part in (subgraphs, specs, users, nested):
        part(suite, LATEST)
    for version in ("1", "5.1", LATEST):
        keyed(suite, version)
    constants(suite)
    in_bytes(suite)
