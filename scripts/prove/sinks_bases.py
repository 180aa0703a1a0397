"""Archives that markers are planted in: those that PyTorch makes here of small models, one
for each operator that takes a string, and the golden ones.
"""

import collections
import http
import io
import json

from sinks_places import documents, read_archive

RELEASES = ("2.13.0", "2.15.0", "2.14.1", "2.12.1", "2.11.0", "2.10.0", "2.9.1", "2.8.0")
Point = collections.namedtuple("Point", ["first", "second"])


def models(torch):
    """(name, model, arguments, keyword arguments, what export is told) of each model."""
    x = torch.ones(2, 3)
    auto = {0: torch.export.Dim.AUTO}

    def model(function, **parts):
        made = type("Model", (torch.nn.Module,), {"forward": function})()
        for name, part in parts.items():
            made.add_module(name, part)
        return made

    yield "string", model(lambda self, x, k: x + 1), (x, "text"), {}, {}
    yield "keywords", model(lambda self, x, *, mode, table: x + table["key"]), (x,), \
        {"mode": "text", "table": {"key": x}}, {}
    yield "nested", model(lambda self, d: d["outer"]["inner"] + 1), \
        ({"outer": {"inner": x}},), {}, {"dynamic_shapes": ({"outer": {"inner": auto}},)}
    yield "sizes", model(lambda self, x, y: x[1:] + y.sum()), (x, x), {}, \
        {"dynamic_shapes": (auto, auto)}
    yield "enumeration", model(lambda self, d: d[http.HTTPStatus.OK] + 1), \
        ({http.HTTPStatus.OK: x},), {}, {}
    yield "tuple", model(lambda self, p: Point(p.first + 1, p.second)), (Point(x, x),), {}, {}
    yield "submodule", model(lambda self, x: self.part(x) + 1, part=model(lambda self, x: x * 2)), \
        (x,), {}, {}
    inner = model(lambda self, x, scale: {"out": self.last(x) * scale}, last=torch.nn.Linear(3, 3))
    outer = model(lambda self, x: self.part(x, scale=x)["out"] + self.part(x, scale=x)["out"],
                  part=inner)
    yield "modules", outer, (x,), {}, {"preserve_module_call_signature": ("part", "part.last")}


def saved(torch, program):
    file = io.BytesIO()
    torch.export.save(program, file)
    return read_archive(file)


def exported(torch):
    """(name, members) of the models; the first has metadata of its graph module, too."""
    from torch.utils import _pytree
    _pytree._register_namedtuple(Point, serialized_type_name="sinks.Point")
    for name, model, args, kwargs, told in models(torch):
        members = saved(torch, torch.export.export(model, args, kwargs, **told))
        if name == "string":
            members = edited(members, lambda tree: tree["graph_module"].update(
                metadata={"key": "value"}))
        yield name, members


def edited(members, change):
    """The members with a change of the program."""
    for member, kind, tree in documents(members):
        if kind == "ExportedProgram":
            change(tree)
            members = {**members, member: json.dumps(tree).encode("utf-8")}
    return members


# ---------------------------------------------------------------- operators


def argument_for(kind):
    """An Argument for a type of an operator's schema; None if it may be left out."""
    plain = {"str": {"as_string": "said"}, "Tensor": {"as_tensor": {"name": "x"}},
             "int": {"as_int": 1}, "float": {"as_float": 1.0}, "bool": {"as_bool": True},
             "number": {"as_int": 1}, "Device": {"as_device": {"type": "cpu", "index": None}}}
    if kind.startswith("Optional["):
        return argument_for(kind[9:-1]) if "str" in kind else None
    if kind.startswith("List["):
        return {"as_strings": ["said"]} if "str" in kind else {"as_ints": [1]}
    return plain.get(kind, {"as_none": True})


def operators(torch):
    """(target, arguments) of what takes a string: by its schema, or because it may."""
    for schema in torch._C._jit_get_all_schemas():
        kinds = [(one.name, str(one.type)) for one in schema.arguments]
        if "::" in schema.name and any("str" in kind for _, kind in kinds):
            name = ".".join(schema.name.split("::"))
            overload = schema.overload_name or "default"
            if hasattr(getattr(torch.ops, name.split(".")[0]), name.split(".")[1]):
                yield f"torch.ops.{name}.{overload}", [
                    (name, argument_for(kind)) for name, kind in kinds if argument_for(kind)]
    text, tensor = ("", {"as_string": "said"}), ("x", {"as_tensor": {"name": "x"}})
    names = [f"torch.ops.higher_order.{name}" for name in torch._ops._higher_order_ops]
    names.append("torch.export.custom_ops._call_custom_autograd_function_in_pre_dispatch")
    for name in names:
        yield name, [text, tensor]


def node(target, arguments, keyword):
    inputs = [{"name": name, "arg": arg, "kind": 2 if keyword and i else 1}
              for i, (name, arg) in enumerate(arguments)]
    return {"target": target, "inputs": inputs, "outputs": [{"as_none": True}], "metadata": {},
            "is_hop_single_tensor_return": None, "name": "added"}


def with_operators(torch, members):
    """(target, members) of programs that call one of the operators besides."""
    for target, arguments in operators(torch):
        made = node(target, arguments, "higher_order" in target)
        yield target, edited(members, lambda tree, made=made:
                             tree["graph_module"]["graph"]["nodes"].append(made))


def goldens(corpora):
    """(name, members) of golden archives, of each release the smallest first."""
    for release in RELEASES:
        found = list((corpora / "golden" / release).glob("*/model.pt2"))
        for path in sorted(found, key=lambda path: (path.stat().st_size, path)):
            yield f"golden/{release}/{path.parent.name}", read_archive(path)
