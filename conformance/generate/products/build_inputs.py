"""Programs that are built again whose user gives values and constants of each kind, in each
order, with the call that follows from them and with another (SPEC 5.5.5, 5.5.7).
"""

import itertools

from generate.language.texts import is_srepr, since
from generate.products.builds import LATEST, header, put, symbol
from generate.rules.kinds import MAKERS, TABLES
from generate.whole import (LEAF, Draft, arguments, call, custom_obj, meta, tensor, tree, treespec,
                            user_input, user_output)

VERSIONS = ("7.3", "8.1-c", LATEST)
CONSTANTS = {"constant-int": {"as_int": 3}, "constant-float": {"as_float": 0.5},
             "constant-bool": {"as_bool": False}, "constant-string": {"as_string": "a"},
             "constant-none": {"as_none": True}}
CONSTANT, NAMED = "8.1-c", "8.1-a"  # the first version of constant_input; of forward_arg_names


def kinds_of(version):
    yield from ("tensor", "int", "bool")
    if since(version, "8.2"):
        yield "float"
    if since(version, CONSTANT):
        yield from CONSTANTS


def value_of(version, kind):
    """What a table says of a value: a symbol with a hint, or of one without."""
    one, other = (symbol(version), 4), symbol(version, "u0", False)
    less = "StrictLessThan(%s, Integer(3))" if is_srepr(version) else "%s < 3"
    return {"tensor": meta(one, 3), "int": one, "float": "ToFloat(%s)" % other,
            "bool": less % other}[kind]


def taking(version, kinds):
    """A program that takes these, and the names that a caller says."""
    ranges = {name: {"min_val": 2, "max_val": 9} for name in ("s0", "u0")}
    draft = Draft(header=header(version, range_constraints=ranges))
    said = []
    for i, kind in enumerate(kinds):
        name = "x%d" % i
        said.append(name)
        if kind in CONSTANTS:
            draft.take({"constant_input": {"name": name, "value": CONSTANTS[kind]}})
            continue
        draft.take(user_input(MAKERS[kind](name)))
        draft.table(TABLES[kind], **{name: value_of(version, kind)})
    draft.node(call("mylib.f.default", {}, tensor("y"))).tensors(y=meta(2))
    return draft.give(user_output(tensor("y"))), said


def calls_of(version, names):
    """(label, what the root says): the call that follows, and others of as many leaves."""
    listed = treespec(tree("builtins.tuple", "null", [
        tree("builtins.tuple", "null", [tree("builtins.list", "null", [LEAF] * len(names))]),
        tree("builtins.dict", "[]", [])]))
    if not since(version, NAMED):
        return [("usual", {}), ("list", {"in_spec": listed})]
    return [("usual", {"forward_arg_names": names}), ("unnamed", {}),
            ("other", {"forward_arg_names": names[:-1] + ["other"]}),
            ("keyword", {"in_spec": arguments(len(names) - 1, names[-1]),
                         "forward_arg_names": names})]


def objects(suite):
    """Objects that the user gives, with the call that follows."""
    for version in (CONSTANT, LATEST):
        for row in (("o",), ("x", "o", "y"), ("o", "p", "x")):
            draft = Draft(header=header(version)).tensors(r=meta(2))
            for name in row:
                if name in "op":
                    draft.take(user_input(custom_obj(name)))
                    draft.table("custom_obj_values", **{name: custom_obj(name)["as_custom_obj"]})
                else:
                    draft.take(user_input(tensor(name))).tensors(**{name: meta(2)})
            draft.node(call("mylib.f.default", {}, tensor("r"))).give(user_output(tensor("r")))
            put(suite, "inputs-object-" + "".join(row), version, draft,
                "Objects among what the user gives.", ["5.5.5", "5.5.7"],
                forward_arg_names=list(row))


def empty(suite):
    """An empty name in the place of one of the values that the user gives."""
    kinds = [kind for kind in kinds_of(LATEST) if kind not in CONSTANTS]
    for row in [(kind,) for kind in kinds] + [("tensor", kind) for kind in kinds]:
        draft, names = taking(LATEST, row)
        put(suite, "inputs-%s-empty" % "-".join(row), LATEST, draft,
            "The name that the last is called by is empty.", ["5.5.7"],
            forward_arg_names=names[:-1] + [""])


def vectors(suite):
    objects(suite)
    empty(suite)
    for version in VERSIONS:
        kinds = list(kinds_of(version))
        rows = [(kind,) for kind in kinds]
        rows += [("tensor", kind, "tensor") for kind in kinds[1:]]
        if since(version, CONSTANT):
            rows += list(itertools.product(("tensor", "constant-int"), repeat=3))[1:]
        for row in dict.fromkeys(rows):
            draft, names = taking(version, row)
            for label, root in calls_of(version, names):
                if label != "usual" and (len(row) > 1 or version == CONSTANT):
                    continue
                put(suite, "inputs-%s-%s" % ("-".join(row), label), version, draft,
                    "What the user gives, and how the program is called.", ["5.5.5", "5.5.7"],
                    **root)
