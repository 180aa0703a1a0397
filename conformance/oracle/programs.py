"""What arguments name, and what is where in a program as plain Python."""

TABLES = ("tensor_values", "sym_int_values", "sym_float_values", "sym_bool_values",
          "custom_obj_values")
OPTIONAL_TENSORS = ("as_optional_tensor", "as_optional_tensors")



def flat(value):
    """The items of a list, and of the lists in it."""
    return [each for item in value for each in flat(item)] if isinstance(value, list) else [value]


def references(argument):
    """The names of values in an Argument, in order (SPEC 6.4): (whether it is of a
    tensor, the object that holds it, the key)."""
    (tag, value), = argument.items()
    if tag == "as_string_to_argument":
        return [each for key in sorted(value) for each in references(value[key])]
    if tag == "as_graph":
        return []
    items = [item.get("as_tensor") if tag in OPTIONAL_TENSORS else item for item in flat(value)]
    return [("tensor" in tag, item, key) for item in items if isinstance(item, dict)
            for key in ("name", "as_name") if key in item]


def named(argument):
    return [holder[key] for _, holder, key in references(argument)]


def subgraphs(argument):
    """The GraphArguments in an Argument, in order."""
    (tag, value), = argument.items()
    if tag == "as_string_to_argument":
        return [each for key in sorted(value) for each in subgraphs(value[key])]
    return [value] if tag == "as_graph" else []


def follow(argument, new):
    for _, holder, key in references(argument):
        holder[key] = new.get(holder[key], holder[key])  # of a constant beside it stays


def symbolic(graph, name):
    """The sizes, strides and offset of a tensor; a symbolic value."""
    for table in TABLES[:-1]:
        if name in graph.get(table, ()):
            entry = graph[table][name]
            return [*entry["sizes"], *entry["strides"], entry["storage_offset"]] \
                if table == "tensor_values" else [entry]
    return []


def sym_exprs(graph, values):
    """The SymExprs of values, in order."""
    found = [each for name in values for each in symbolic(graph, name)]
    return [each["as_expr"] for each in found if isinstance(each, dict) and "as_expr" in each]
