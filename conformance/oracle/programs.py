"""What arguments name, and what is where in a program as plain Python."""

TABLES = ("tensor_values", "sym_int_values", "sym_float_values", "sym_bool_values",
          "custom_obj_values")
OPTIONAL_TENSORS = ("as_optional_tensor", "as_optional_tensors")


def flat(value):
    """The items of a list, and of the lists in it."""
    return [each for item in value for each in flat(item)] if isinstance(value, list) else [value]


def single(argument):
    """The Arguments that are in an Argument, those of a dict in the order of its keys."""
    (tag, value), = argument.items()
    if tag == "as_string_to_argument":
        return [each for key in sorted(value) for each in single(value[key])]
    return [argument]


def references(argument):
    """The names of values in an Argument, in order (SPEC 6.4): (whether it is of a
    tensor, the object that holds it, the key)."""
    found = []
    for each in single(argument):
        (tag, value), = each.items()
        items = [] if tag == "as_graph" else flat(value)
        for item in [item.get("as_tensor") if tag in OPTIONAL_TENSORS else item for item in items]:
            if isinstance(item, dict):
                found += [("tensor" in tag, item, key) for key in ("name", "as_name")
                          if key in item]
    return found


def named(argument):
    return [holder[key] for _, holder, key in references(argument)]


def subgraphs(argument):
    """The GraphArguments in an Argument, in order."""
    return [each["as_graph"] for each in single(argument) if "as_graph" in each]


def follow(argument, new):
    for _, holder, key in references(argument):
        holder[key] = new.get(holder[key], holder[key])  # of a constant beside it stays


def entry(graph, name):
    """The table that has a value, and its entry."""
    return next(((table, graph[table][name]) for table in TABLES if name in graph[table]), None)


def sym_exprs(graph, names):
    """The SymExprs of values, in order (SPEC 6.7.4)."""
    found = []
    for table, value in filter(None, (entry(graph, name) for name in names)):
        if table == "tensor_values":
            found += [*value["sizes"], *value["strides"], value["storage_offset"]]
        elif table != "custom_obj_values":
            found.append(value)
    return [each["as_expr"] for each in found if "as_expr" in each]
