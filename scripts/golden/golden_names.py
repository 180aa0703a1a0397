"""Other spellings of a program that mean the same: what golden_laws asks PyTorch about.

Programs here are JSON as Python reads it. Nothing of PyTorch is needed.
"""

import copy
import json
import re

TABLES = ("tensor_values", "sym_int_values", "sym_bool_values", "sym_float_values",
          "custom_obj_values")
SYMBOL = re.compile(r"\b([a-z]+)(\d+)\b")
SHOWN = 12  # how many differences are told
LONG = 300  # how much of a value is told


def objects(tree):
    """Every object of a program, the outer ones first."""
    todo = [tree]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            yield item
            todo.extend(reversed(list(item.values())))
        elif isinstance(item, list):
            todo.extend(reversed(item))


def is_graph(item):
    return isinstance(item.get("nodes"), list) and "tensor_values" in item


def is_node(item):
    return isinstance(item.get("target"), str) and "inputs" in item


def is_value(item):
    """A tensor, a token or a custom object that is named: not a node, not an argument."""
    return isinstance(item.get("name"), str) and item.keys() <= {"name", "class_fqn"}


# ---- values -----------------------------------------------------------------


def value_names(program):
    """The names of all values, of all graphs together."""
    found = set()
    for item in objects(program):
        for table in TABLES:
            if isinstance(item.get(table), dict):
                found.update(item[table])
                found.update(value["name"] for value in item[table].values() if is_value(value))
        if isinstance(item.get("as_token"), dict):
            found.add(item["as_token"]["name"])
    return found


def new_value_names(program):
    """Old name to new; the order of the new is not that of the old."""
    names = sorted(value_names(program), reverse=True)
    return {name: f"n{i:04}" for i, name in enumerate(names, 1)}


def rename_in(item, new):
    if is_value(item):
        item["name"] = new.get(item["name"], item["name"])
    for key in ("as_name", "user_input_name", "as_tensor"):  # as_tensor: a text until 5.1
        if isinstance(item.get(key), str):
            item[key] = new.get(item[key], item[key])
    for key in TABLES:
        if isinstance(item.get(key), dict):
            item[key] = {new.get(name, name): value for name, value in item[key].items()}


def with_other_values(program):
    program, new = copy.deepcopy(program), new_value_names(program)
    for item in list(objects(program)):
        rename_in(item, new)
    return program


def with_other_values_and_nodes(program):
    """Nodes are named after what they give; those that give nothing get another name too."""
    new, program = new_value_names(program), with_other_values(program)
    for item in objects(program):
        if is_node(item) and isinstance(item.get("name"), str):
            item["name"] = new.get(item["name"], item["name"] + "_n")
    return program


# ---- other names ------------------------------------------------------------


def with_other_subgraphs(program):
    program = with_other_values(program)
    graphs = [item["as_graph"] for item in objects(program)
              if isinstance(item.get("as_graph"), dict)]
    names = sorted({each["name"] for each in graphs}, reverse=True)
    new = {name: f"g{i:04}" for i, name in enumerate(names, 1)}
    for each in graphs:
        each["name"] = new[each["name"]]
    return program


def with_other_constants(program):
    program = with_other_values(program)
    for item in objects(program):
        if isinstance(item.get("constant_input"), dict):
            item["constant_input"]["name"] += "_c"
    return program


def with_other_symbols(program):
    def rename(text):
        return SYMBOL.sub(lambda found: f"{found[1]}{int(found[2]) + 1000}", text)

    program = copy.deepcopy(program)
    for item in objects(program):
        if isinstance(item.get("expr_str"), str):
            item["expr_str"] = rename(item["expr_str"])
    ranges = program["range_constraints"]
    program["range_constraints"] = {rename(name): ranges[name] for name in ranges}
    return program


def has(program, key):
    return any(isinstance(item.get(key), (dict, str)) for item in objects(program))


# ---- the order of nodes -----------------------------------------------------


def names_in(tree):
    """The names of the values that occur anywhere in a part of a graph."""
    for item in objects(tree):
        if is_value(item):
            yield item["name"]
        for key in ("as_name", "as_tensor"):
            if isinstance(item.get(key), str):
                yield item[key]


def reordered(nodes):
    """The nodes as late as their values allow, from the back."""
    givers = {name: i for i, node in enumerate(nodes) for name in names_in(node["outputs"])}
    needed = [{givers[name] for name in names_in(node["inputs"]) if name in givers} - {i}
              for i, node in enumerate(nodes)]
    order, placed = [], set()
    while len(order) < len(nodes):
        ready = [i for i in range(len(nodes)) if i not in placed and needed[i] <= placed]
        if not ready:
            return nodes  # a name stands for two values; nothing may be moved
        placed.add(ready[-1])
        order.append(ready[-1])
    return [nodes[i] for i in order]


def with_other_order(program):
    program = copy.deepcopy(program)
    for item in objects(program):
        if is_graph(item):
            item["nodes"] = reordered(item["nodes"])
    return program


# ---- differences ------------------------------------------------------------


def told(value):
    return json.dumps(value, ensure_ascii=False)[:LONG]


def parts(one, other, path):
    """What to compare below; or, at a difference, its line."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            here, there = ([key for key in a if key not in b]
                           for a, b in ((one, other), (other, one)))
            yield [path, f"only here: {told(here)}", f"only here: {told(there)}"]
        yield from ((one[key], other[key], f"{path}.{key}") for key in one if key in other)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        yield from ((a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(one, other)))
    elif one != other or type(one) is not type(other):
        yield [path, *(each if isinstance(each, str) else told(each) for each in (one, other))]


def differences(one, other):
    """The first places where two programs part: [path, here, there]."""
    found, todo = [], [(one, other, "$")]
    while todo and len(found) < SHOWN:
        below = list(parts(*todo.pop()))
        found += [each for each in below if isinstance(each, list)]
        todo += [each for each in reversed(below) if isinstance(each, tuple)]
    return found[:SHOWN]


def without_stack_traces(program):
    program = copy.deepcopy(program)
    for item in objects(program):
        if isinstance(item.get("metadata"), dict):
            item["metadata"].pop("stack_trace", None)
    return program
