"""Each two kinds of input specs, and of output specs, with one name in one place of two programs.
They are two specs, of which each program has one; only what a user gives and a constant, and what
a user gets and the loss, are one that changed. What a list of differences says binds the reference
alone (diffs.py).
"""

import copy
import itertools

from generate.products.diffs import LATEST, NODES, SIGNATURE, listed, row
from generate.products.diffs_more import HEADER, at_text, cut
from generate.products.diffs_places import Shown
from generate.whole import (MODULES, Draft, buffer, call, custom_obj, meta, parameter, spec, tensor,
                            user_input, user_output)

NAME = "w"
OBJECT = custom_obj("v")["as_custom_obj"]
USERS = (("user_input", "constant_input"), ("user_output", "loss_output"))
GIVEN = {  # input specs of the value v
    "token": spec("token", "v"), "parameter": parameter("v", NAME), "buffer": buffer("v", NAME),
    "tensor_constant": spec("tensor_constant", "v", tensor_constant_name=NAME),
    "custom_obj": {"custom_obj": {"arg": OBJECT, "custom_obj_name": NAME}},
    "user_input": user_input(tensor("v")),
    "constant_input": {"constant_input": {"name": NAME, "value": {"as_int": 5}}},
}
MADE = {  # output specs of the value y
    "token": spec("token", "y"), "buffer_mutation": spec("buffer_mutation", "y", buffer_name=NAME),
    "parameter_mutation": spec("parameter_mutation", "y", parameter_name=NAME),
    "user_input_mutation": spec("user_input_mutation", "y", user_input_name=NAME),
    "user_output": user_output(tensor("y")), "loss_output": spec("loss_output", "y"),
    "gradient_to_parameter": spec("gradient_to_parameter", "y", parameter_name=NAME),
    "gradient_to_user_input": spec("gradient_to_user_input", "y", user_input_name=NAME),
}


def drafted():
    return Draft(header=copy.deepcopy(HEADER))


def of_input(kind):
    """A program with one such input beside the user's x."""
    draft = drafted()
    specs = [GIVEN[kind], user_input(tensor("x"))]
    draft.take(*(specs[::-1] if kind in USERS[0] else specs)).tensors(x=meta(2), y=meta(2))
    if kind == "custom_obj":
        draft.table("custom_obj_values", v=OBJECT)
    elif kind != "constant_input":
        draft.tensors(v=meta(2))
    outputs = [tensor("y")]
    if kind == "token":
        outputs.append(tensor("k"))
        draft.tensors(k=meta(2)).give(spec("token", "k"))
    draft.node(call("mylib.f.default", {"x": tensor("x")}, outputs))
    return draft.give(user_output(tensor("y"))).data


def of_output(kind):
    """A program with one such output beside l, which is the loss where there can be one."""
    draft = drafted()
    if kind == "token":
        draft.take(spec("token", "k")).tensors(k=meta(2))
    held = buffer("p", NAME) if kind == "buffer_mutation" else parameter("p", NAME)
    draft.take(held, user_input(tensor(NAME)))
    draft.tensors(**{name: meta(2) for name in ("p", NAME, "y")}, l=meta())
    draft.node(call("mylib.f.default", {"x": tensor(NAME)}, [tensor("y"), tensor("l")]))
    other = user_output(tensor("l")) if kind == "loss_output" else spec("loss_output", "l")
    first = kind == "token" or kind.endswith("mutation")
    return draft.give(*((MADE[kind], other) if first else (other, MADE[kind]))).data


def key_of(each, before):
    """What a spec is matched by: its kind, and the name in it or its number of the kind."""
    (tag, value), = each.items()
    kind = next((kinds[0] for kinds in USERS if tag in kinds), tag)
    name = next((value[key] for key in value if key.endswith("_name") and key != "user_input_name"),
                None)
    same = [other for other in before if kind == key_of(other, ())[0]]
    return (kind, len(same) if name is None else name)


def rows_of(one, other, list_name):
    """What becomes of the specs of two programs, in the order of the first."""
    lists = [data[list_name] for data in (one, other)]
    keys = [[key_of(each, specs[:i]) for i, each in enumerate(specs)] for specs in lists]
    kind = "InputSpec" if list_name == "input_specs" else "OutputSpec"
    where = SIGNATURE + list_name + "/%d"
    for i, key in enumerate(keys[0]):
        if key not in keys[1]:
            yield row("signature", kind, None, where % i, None)
        elif set(lists[0][i]) != set(lists[1][keys[1].index(key)]):
            yield row("signature", kind, None, where % i, where % keys[1].index(key))
    for i, key in enumerate(keys[1]):
        if key not in keys[0]:
            yield row("signature", kind, None, None, where % i)


def root_rows(sides):
    """Tree specs that tell of other numbers of inputs or outputs."""
    for key in ("in_spec", "out_spec"):
        where = "%s0/signature/%s" % (MODULES, key)
        texts = [at_text(side, where) for side in sides]
        if texts[0] != texts[1]:
            for side, part in zip(sides, cut(texts)):
                side.cuts[where] = part
            yield row("tree spec", "ModuleCallSignature", key, where, where)


def node_rows(one, other):
    """A value that only the node of the first defines: the token that it gives."""
    if len(one["graph"]["nodes"][0]["outputs"]) > len(other["graph"]["nodes"][0]["outputs"]):
        yield row("node", "Argument", None, NODES + "0/outputs/1", None,
                  target="torch.ops.mylib.f.default")


def pairs(suite, label, data):
    """Each program beside each other one."""
    names = {kind: "%s-%s" % (label, kind.replace("_", "-")) for kind in data}
    for kind, name in names.items():
        own = "diff/%s/%s" % (name, LATEST)
        suite.valid(own, "diff", LATEST, Shown(data[kind]).text, ["6.1.1"],
                    "A program is one with itself.", provenance="hand", other=own,
                    file="whole/8.20-diff-%s.json" % name, product={"text": "[]"})
    for first, second in itertools.combinations(data, 2):
        one, other = data[first], data[second]
        sides = Shown(one), Shown(other)
        for side in sides:
            side.cuts = {}
        told = [*rows_of(one, other, "input_specs"), *rows_of(one, other, "output_specs"),
                *node_rows(one, other), *root_rows(sides)]
        suite.valid_edit("diff/%s-%s/%s" % (names[first], second.replace("_", "-"), LATEST),
                         "diff/%s/%s" % (names[first], LATEST), None, ["6.1.1"],
                         "A %s in the place of a %s." % (second, first), provenance="hand",
                         other="diff/%s/%s" % (names[second], LATEST),
                         product=listed(sides, told))


def vectors(suite):
    pairs(suite, "given", {kind: of_input(kind) for kind in GIVEN})
    pairs(suite, "made", {kind: of_output(kind) for kind in MADE})
