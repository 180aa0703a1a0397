"""The examples of SPEC.md: its fences, as SPEC 1.1 says how to read them, and the
document that each example stands for.

A fence begins with a mark: `json` or `text`, a verdict, and where it stands.

    json valid|invalid CODE|warning CODE             a document, judged by part 2 alone
    ...           TYPE@VERSION [as NAME]             a value in a program of that version
    ...           change NAME@VERSION                changes of the program of that name
    text valid|invalid CODE KIND@VERSION             the text of a string
    json migrated NAME@VERSION                       the program of that name, migrated
    text turned KIND@VERSION to VERSION              "A => B": what a migration makes of A
    json canonical NAME@VERSION                      the epref form of that program
    text digest NAME@VERSION                         its digest
    text node NAME@VERSION                           the text of a node, as that form has it
    json same|other change NAME@VERSION              changes that leave the form, or do not
    text written expression@VERSION                  "A => B": what the form has for A
    hex valid|invalid CODE                           a document's bytes; two blanks end them
"""

import copy
import json
import re
from collections import namedtuple

FENCE = re.compile(
    r"(?P<form>json|text|hex) (?:(?P<verdict>valid|migrated|turned|canonical|"
    r"digest|node|same|other|written)|(?P<bad>invalid|warning) "
    r"(?P<code>EP_[A-Z0-9_]+))(?: (?P<change>change )?(?P<where>[^@]*[^@ ])@(?P<version>[^ @]+)"
    r"(?: as (?P<name>\w+))?(?: to (?P<target>[^ @]+))?)?")
HEADING = re.compile(r"## (?:Part (\d+)|Appendix ([A-Z]))\b")
CHANGE = re.compile(r"([=+]) (/\S*)\s+(.*)|(-) (/\S*)", re.DOTALL)
HERE = "<here>"
LEVELS = {"1": "schema", "2": "schema", "3": "schema", "4": "strings"}  # else program

Fence = namedtuple("Fence",
                   "line part form verdict code change where version name target examples")
Example = namedtuple("Example", "line text")


class Malformed(Exception):
    """A fence that says nothing, or that cannot be put into a program."""


# ---- fences -----------------------------------------------------------------


def examples(lines, number):
    """The examples of a fence: a line that begins with white space goes on."""
    found = []
    for at, line in enumerate(lines, number):
        if line.startswith((" ", "\t")) and found:
            found[-1] = Example(found[-1].line, found[-1].text + "\n" + line)
        else:
            found.append(Example(at, line))
    return found


def holds_examples(mark):
    """Whether a mark is that of examples; a bare "text" is that of a grammar."""
    return mark.split(" ")[0] in ("json", "hex") or mark.startswith("text ")


def fence(mark, lines, number, part):
    said = FENCE.fullmatch(mark)
    if not said:
        raise Malformed("%d: a mark that means nothing: %s" % (number, mark))
    return Fence(number, part, said["form"], said["verdict"] or said["bad"], said["code"],
                 bool(said["change"]), said["where"], said["version"], said["name"], said["target"],
                 examples(lines, number + 1))


def fences(text):
    """Yield the fences of SPEC.md that hold examples, in order."""
    mark, lines, begun, part = None, [], 0, None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("```"):
            lines.append(line)
            heading = HEADING.match(line) if mark is None else None
            part = (heading[1] or heading[2]) if heading else part
        elif mark is None:
            mark, lines, begun = line[3:].strip(), [], number
        else:
            if holds_examples(mark):
                yield fence(mark, lines, begun, part)
            mark = None


def level(found):
    """The level up to which the examples of a fence are judged."""
    return "wire" if found.where is None else LEVELS.get(found.part, "program")


# ---- changes ----------------------------------------------------------------


def parent(value, pointer):
    """What holds the value that a JSON Pointer names, and its key there."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    for step in steps[:-1]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value, steps[-1]


def change(value, said):
    """Carry out one change: "= POINTER VALUE", "+ POINTER VALUE" or "- POINTER"."""
    match = CHANGE.fullmatch(said)
    if not match:
        raise Malformed("no change: %s" % said)
    holder, key = parent(value, match[2] or match[5])
    what = match[1] or match[4]
    if isinstance(holder, list):
        key = len(holder) if key == "-" else int(key)
    if what == "-":
        del holder[key]
    elif what == "+" and isinstance(holder, list):
        holder.insert(key, json.loads(match[3]))
    elif what == "+" and key in holder or what == "=" and isinstance(holder, dict) \
            and key not in holder:
        raise Malformed("%s of a member that is%s there: %s" % (what, " not" * (what == "="), said))
    else:
        holder[key] = json.loads(match[3])


def changed(program, text):
    """The program with all changes of one example."""
    product = copy.deepcopy(program)
    for said in re.split(r"\n\s+(?=[=+-] /)", text):
        change(product, said)
    return json.dumps(product)


# ---- places -----------------------------------------------------------------


def argument(like, tag, value):
    """An Argument with one value, in the form that another one has."""
    if "$type" in like:
        return {"$type": tag, "$value": value}
    if len(like) > 1:
        return {**dict.fromkeys(like), tag: value}
    return {tag: value}


def meta(program):
    """The TensorMeta of the program's only input."""
    entry = next(iter(program["graph_module"]["graph"]["tensor_values"].values()))
    return entry.get("meta", entry)


def set_argument(program, tag, value):
    named = program["graph_module"]["graph"]["nodes"][0]["inputs"][0]
    named["arg"] = argument(named["arg"], tag, value) if tag else value


def set_size(program, value):
    meta(program)["sizes"] = [value]


def set_metadata(program, key, text):
    program["graph_module"]["graph"]["nodes"][0]["metadata"] = {key: text}


def set_expression(program, text):
    """Two more symbols may stand in it, of the same range as the program's own."""
    ranges = program["range_constraints"]
    ranges.update({name: ranges["s0"] for name in ("a", "b")})
    set_size(program, {"as_expr": {"expr_str": text}})


def expression(**members):
    return {"as_expr": {"expr_str": "Symbol('s0', positive=True, integer=True)", **members}}


PLACES = {  # each puts the value of its type, or the text of its kind, into a program
    "schema_version": lambda p, v: p.update(schema_version=v),
    "SymInt": set_size,
    "SymExpr": lambda p, v: set_size(p, {"as_expr": v}),
    "SymExprHint": lambda p, v: set_size(p, expression(hint=v)),
    "list<SymInt>": lambda p, v: meta(p).update(sizes=v),
    "TensorMeta": lambda p, v: p["graph_module"]["graph"]["tensor_values"].update(x=v),
    "Device": lambda p, v: meta(p).update(device=v),
    "Argument": lambda p, v: set_argument(p, None, v),
    "TensorArgument": lambda p, v: set_argument(p, "as_tensor", v),
    "OptionalTensorArgument": lambda p, v: set_argument(p, "as_optional_tensors", [v]),
    "CustomObjArgument": lambda p, v: set_argument(p, "as_custom_obj", v),
    "RangeConstraint": lambda p, v: p.update(range_constraints={"s0": v}),
    "ModuleCallEntry": lambda p, v: p["graph_module"].update(module_call_graph=[v]),
    "GraphModule": lambda p, v: p.update(graph_module=v),
    "bytes": lambda p, v: p["graph_module"]["graph"].update(constants={"c": v}),
    "tuple<str, int>": lambda p, v: p.update(equality_constraints=[[v, ["x", 0]]]),
    "expression": set_expression,
    "tree_spec": lambda p, v: p["graph_module"]["module_call_graph"][0]["signature"].update(
        in_spec=v),
    "nn_module_stack": lambda p, v: set_metadata(p, "nn_module_stack", v),
    "source_fn_stack": lambda p, v: set_metadata(p, "source_fn_stack", v),
    "torch_fn": lambda p, v: set_metadata(p, "torch_fn", v),
    "custom": lambda p, v: set_metadata(p, "custom", v),
    "from_node": lambda p, v: set_metadata(p, "from_node", v),
    "guard": lambda p, v: p.update(guards_code=[v]),
    "target": lambda p, v: p["graph_module"]["graph"]["nodes"][0].update(target=v),
}


def placed(program, kind, text, form):
    """A document with the text in the place of its type, spelled as it stands."""
    if kind == "ExportedProgram":
        return text
    if kind not in PLACES:
        raise Malformed("no place for %s" % kind)
    whole = copy.deepcopy(program)
    PLACES[kind](whole, HERE)
    return json.dumps(whole).replace(json.dumps(HERE), text if form == "json" else json.dumps(text))
