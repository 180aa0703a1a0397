"""Each type of an operator's argument, and of what it returns, with each tag: what E.4 lists
is taken, all else is refused (5.6.6, 5.6.7). The functions on symbols have all of their
arguments and results gone through.
"""

import re
from collections import OrderedDict

from format.annexes import rows
from generate.language.texts import since
from generate.rules.operators import FLAG, N, NONE, X, Y, Operators, integer
from generate.whole import (KEYWORD, NODES, POSITIONAL, call, custom_obj, meta, sym_bool, sym_float,
                            sym_int, tensor, tensors)

LATEST = "8.20"
DEVICE = {"type": "cpu", "index": None}
VALUES = OrderedDict((  # tag to an argument that has it
    ("as_none", NONE), ("as_tensor", X), ("as_tensors", tensors("x", "y")),
    ("as_optional_tensor", {"as_optional_tensor": {"as_tensor": {"name": "x"}}}),
    ("as_optional_tensors", {"as_optional_tensors": [{"as_tensor": {"name": "x"}},
                                                     {"as_none": True}]}),
    ("as_nested_tensors", {"as_nested_tensors": [[{"name": "x"}], [{"name": "y"}]]}),
    ("as_int", integer(3)), ("as_ints", {"as_ints": [3, 4]}),
    ("as_int_lists", {"as_int_lists": [[3], [4]]}), ("as_float", {"as_float": 0.5}),
    ("as_floats", {"as_floats": [0.5]}), ("as_float_lists", {"as_float_lists": [[0.5]]}),
    ("as_bool", {"as_bool": True}), ("as_bools", {"as_bools": [True, False]}),
    ("as_string", {"as_string": "a"}), ("as_strings", {"as_strings": ["a", "b"]}),
    ("as_sym_int", N), ("as_sym_ints", {"as_sym_ints": [{"as_name": "n"}, {"as_int": 2}]}),
    ("as_sym_float", sym_float("f")), ("as_sym_floats", {"as_sym_floats": [{"as_float": 0.5}]}),
    ("as_sym_bool", FLAG), ("as_sym_bools", {"as_sym_bools": [{"as_bool": True}]}),
    ("as_scalar_type", {"as_scalar_type": 7}), ("as_layout", {"as_layout": 7}),
    ("as_memory_format", {"as_memory_format": 1}), ("as_device", {"as_device": DEVICE}),
    ("as_complex", {"as_complex": {"real": 1.0, "imag": 2.0}}),
    ("as_custom_obj", custom_obj("g")),
))
RESULTS = OrderedDict((  # tag to an output, and the table of its values
    ("as_none", (NONE, None, {})), ("as_tensor", (tensor("q"), "tensor_values", {"q": meta()})),
    ("as_tensors", (tensors("q", "r"), "tensor_values", {"q": meta(), "r": meta(2)})),
    ("as_nested_tensors", ({"as_nested_tensors": [[{"name": "q"}]]}, "tensor_values",
                           {"q": meta()})),
    ("as_optional_tensor", ({"as_optional_tensor": {"as_tensor": {"name": "q"}}},
                            "tensor_values", {"q": meta()})),
    ("as_optional_tensors", ({"as_optional_tensors": [{"as_tensor": {"name": "q"}}]},
                             "tensor_values", {"q": meta()})),
    ("as_sym_int", (sym_int("q"), "sym_int_values", {"q": 4})),
    ("as_sym_float", (sym_float("q"), "sym_float_values", {"q": 4.5})),
    ("as_sym_bool", (sym_bool("q"), "sym_bool_values", {"q": True})),
    ("as_custom_obj", (custom_obj("q"), "custom_obj_values",
                       {"q": {"class_fqn": "__torch__.torch.classes.mylib.Q"}})),
))
DUE = ("as_tensor", "as_int", "as_ints", "as_tensors", "as_string", "as_bool")
FILLED = ("Tensor", "int", "float", "bool", "List[int]", "str", "List[Tensor]")  # what is due
OLD_TAGS = ("as_sym_float",)  # from 8.2 on


class Types:
    """E.4: what a type takes and gives."""

    def __init__(self):
        self.rows = {row["type"]: row for row in rows("operator_types")}

    def row(self, name):
        inner = re.fullmatch(r"Optional\[(.*)\]", name)
        if name in self.rows:
            return self.rows[name]
        if name.startswith("__torch__"):
            return self.rows["__torch__"]
        return self.row(inner.group(1)) if inner else self.rows["Any"]

    def has(self, column, name, tag):
        said = self.row(name)[column]
        return said == "any" or tag in said.split() or \
            (tag == "as_none" and name.startswith("Optional["))


def parsed(text):
    """(type, name, whether it is due, whether it is keyword-only) of a row's arguments."""
    keyword, found = False, []
    for part in (text or "").split(", "):
        if part == "*":
            keyword = True
        elif part:
            kind, _, name = part.rpartition(" ")
            found.append((re.sub(r"\([^)]*\)", "", kind), name.rstrip("="),
                          not name.endswith("="), keyword))
    return found


def signatures():
    """The operators of aten that have one signature, which holds to this day, and write to
    nothing; those with few arguments first."""
    said = {}
    for row in rows("operators"):
        said.setdefault(row["target"], []).append(row)
    found = [each[0] for target, each in said.items() if len(each) == 1
             and target.startswith("aten.") and each[0]["until"] is None
             and "!" not in (each[0]["arguments"] or "") and not each[0]["tags"]]
    return sorted(found, key=lambda row: (len(parsed(row["arguments"])), row["target"]))


def filled(types, arguments, chosen, value):
    """The arguments of a node that has a value for the chosen one; None: another is due that
    nothing is known for."""
    inputs = []
    for kind, name, due, _ in arguments:
        if name == chosen:
            inputs.append((name, value))
        elif due:
            tag = next((tag for tag in DUE if kind in FILLED and types.has("takes", kind, tag)), None)
            if tag is None:
                return None
            inputs.append((name, VALUES[tag]))
    return inputs


def in_order(arguments, inputs):
    """The kinds of these arguments: by place as long as none is left out."""
    kinds, open_places = [], True
    names = [name for name, _ in inputs]
    for i, name in enumerate(names):
        place = next(j for j, each in enumerate(arguments) if each[1] == name)
        open_places = open_places and place == i and not arguments[place][3]
        kinds.append(POSITIONAL if open_places else KEYWORD)
    return kinds


def arguments_of(suite):
    types, operators = Types(), Operators(suite, LATEST)
    numbers = {row["name"] for row in rows("operator_facts") if row["fact"] == "NUMBERS"}
    known = set()
    for row in signatures():
        if row["returns"] != "Tensor" or row["target"].rpartition(".")[0] in numbers:
            continue
        said = parsed(row["arguments"])
        for kind, name, _, _ in said:
            if kind in known or filled(types, said, name, NONE) is None:
                continue
            known.add(kind)
            label = re.sub(r"[^a-z0-9]+", "-", kind.lower()).strip("-")
            for tag, value in VALUES.items():
                inputs = filled(types, said, name, value)
                place = [one for one, _ in inputs].index(name)
                fits = types.has("takes", kind, tag)
                added(operators, "kind-%s-%s" % (label, tag),
                      node_of(row["target"], inputs, tensor("q"), in_order(said, inputs)),
                      None if fits else "/inputs/%d/arg" % place,
                      ("EP_OPERATOR_TYPE", "5.6.6", "%s for %s." % (tag, kind)))


def results_of(suite):
    types, operators = Types(), Operators(suite, LATEST)
    known = set()
    for row in signatures():
        kind = re.sub(r"\([^)]*\)", "", row["returns"] or "-")
        said = parsed(row["arguments"])
        made = filled(types, said, None, None)
        if kind in known or kind == "-" or ", " in kind or made is None:
            continue
        known.add(kind)
        label = re.sub(r"[^a-z0-9]+", "-", kind.lower()).strip("-")
        for tag, (output, _, _) in RESULTS.items():
            fits = tag == "as_none" or types.has("gives", kind, tag)
            added(operators, "result-%s-%s" % (label, tag),
                  node_of(row["target"], made, output, in_order(said, made)),
                  None if fits else "/outputs/0",
                  ("EP_OPERATOR_OUTPUTS", "5.6.7", "%s of what returns %s." % (tag, kind)))


# ---- types that no operator of aten shows ----------------------------------------------------

LISTS, GROUP = "c10d.allgather_.default", "__torch__.torch.classes.c10d.ProcessGroup"
PACKED = "__torch__.torch.classes.quantized.LinearPackedParamsBase"
BESIDE, OBJECT = custom_obj("h"), {"h": {"class_fqn": "__torch__.torch.classes.mylib.H"}}
GATHERED = {"output_tensors": VALUES["as_nested_tensors"], "input_tensors": VALUES["as_tensors"],
            "process_group": VALUES["as_custom_obj"]}
TAKEN = (  # a target, its arguments, one of them, its type, tags
    ("cuda._exchange_device.default", {"index": integer()}, "index", "int64_t",
     ("as_int", "as_bool", "as_sym_int", "as_scalar_type", "as_string", "as_none")),
    (LISTS, GATHERED, "output_tensors", "List[List[Tensor]]", ("as_nested_tensors", "as_tensors")),
    (LISTS, GATHERED, "process_group", GROUP, ("as_custom_obj", "as_int", "as_string")))
GIVEN_ELSEWHERE = (  # a target, its arguments, what it returns, tags
    ("aten.list.default", {"t": VALUES["as_string"]}, ("List[str]",), ("as_custom_obj",)),
    ("inductor.accumulate_grad_.default", {"variable": X, "variable_grad": X, "new_grad": Y},
     ("Optional[Tensor]",), ("as_tensor", "as_optional_tensor", "as_tensors")),
    (LISTS, GATHERED, ("List[List[Tensor]]", GROUP), ("as_nested_tensors", "as_tensors",
                                                       "as_sym_bool")),
    ("quantized.linear_prepack.default", {"W": X, "B": NONE}, (PACKED,),
     ("as_custom_obj", "as_tensor", "as_sym_int")))


def elsewhere(suite):
    types, operators = Types(), Operators(suite, LATEST)
    for target, inputs, name, kind, tags in TAKEN:
        place, several = list(inputs).index(name), target is LISTS
        outputs = [RESULTS["as_nested_tensors"][0], BESIDE] if several else [NONE]
        for tag in tags:
            node = call(target, {**inputs, name: VALUES[tag]}, outputs)
            added(operators, "elsewhere-%s-%s" % (name.replace("_", "-"), tag), node,
                  None if types.has("takes", kind, tag) else "/inputs/%d/arg" % place,
                  ("EP_OPERATOR_TYPE", "5.6.6", "%s for %s." % (tag, kind)),
                  OBJECT if several else None)
    for target, inputs, kinds, tags in GIVEN_ELSEWHERE:
        for tag in tags:
            several = len(kinds) > 1
            node = call(target, inputs, [RESULTS[tag][0], *([BESIDE] if several else [])])
            added(operators, "elsewhere-%s-gives-%s" % (target.split(".")[1].strip("_"), tag), node,
                  None if types.has("gives", kinds[0], tag) else "/outputs/0",
                  ("EP_OPERATOR_OUTPUTS", "5.6.7", "%s of what returns %s." % (tag, kinds[0])),
                  OBJECT if several else None)


def node_of(target, inputs, output, kinds=()):
    node = call(target, inputs, [output])
    for named, kind in zip(node["inputs"], kinds):
        named["kind"] = kind
    return node


def added(operators, name, node, where, told, listed=None):
    """One more node at the end, which defines q; where it is wrong; a code, a clause and why;
    the objects that it defines beside."""
    tag = next(iter(node["outputs"][0]))
    _, table, entries = RESULTS[tag]
    count = len(operators.draft.data["graph"]["nodes"])
    code, clause, why = told

    def change(data):
        data["graph"]["nodes"].append(node)
        if table:
            data["graph"].setdefault(table, {}).update(entries)
        if listed:
            data["graph"].setdefault("custom_obj_values", {}).update(listed)
    if where is None:
        operators.good(name, change, [clause], why)
    else:
        operators.bad(name, change, code, "%s%d%s" % (NODES, count, where), why)


# ---- functions on symbols ------------------------------------------------------------------

GIVEN = {"<number>": N, "<int>": N, "<float>": sym_float("f"), "<bool>": FLAG, "<symbol>": N}
SHOWN = ("as_none", "as_tensor", "as_int", "as_float", "as_bool", "as_string", "as_sym_int",
         "as_sym_float", "as_sym_bool")


def functions(suite):
    for row in rows("targets"):
        if row["kind"] != "function" or row["arguments"] is None:
            continue
        for version in dict.fromkeys((row["since"], LATEST)):
            function(Operators(suite, version), row, version)


def function(operators, row, version):
    types = Types()
    said = [part.rpartition(" ")[::2] for part in row["arguments"].split(", ")]
    label = row["target"].strip("_").replace(".", "-").replace("_", "")
    result = {"<int>": sym_int, "<number>": sym_int, "<symbol>": sym_int, "<bool>": sym_bool,
              "<float>": sym_float}[row["returns"]]
    if result is sym_float and not since(version, "8.2"):
        return
    for place, (kind, name) in enumerate(said):
        for tag in SHOWN:
            if tag in OLD_TAGS and not since(version, "8.2"):
                continue
            inputs = [(one, GIVEN[other]) for other, one in said]
            inputs[place] = (name, VALUES[tag])
            where = None if types.has("takes", kind, tag) else "/inputs/%d/arg" % place
            added(operators, "function-%s-%s-%s" % (label, name, tag),
                  node_of(row["target"], inputs, result("q")), where,
                  ("EP_OPERATOR_TYPE", "5.6.6", "%s for %s of %s." % (tag, name, row["target"])))
    inputs = [(one, GIVEN[other]) for other, one in said]
    for tag in ("as_tensor", "as_sym_int", "as_sym_float", "as_sym_bool"):
        if tag in OLD_TAGS and not since(version, "8.2"):
            continue
        where = None if types.has("gives", row["returns"], tag) else "/outputs/0"
        added(operators, "function-%s-gives-%s" % (label, tag),
              node_of(row["target"], inputs, RESULTS[tag][0]), where,
              ("EP_OPERATOR_OUTPUTS", "5.6.7", "%s of %s." % (tag, row["target"])))


def vectors(suite):
    arguments_of(suite)
    results_of(suite)
    functions(suite)
    elsewhere(suite)
