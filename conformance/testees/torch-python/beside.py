"""What PyTorch needs beside a document to make its program, made up from the document.

An archive holds weights, constants and objects; whoever loads it has registered the
custom operators and the types of its tree specs. For the first stand empty tensors of
the names that the signature wants; for the second operators with the arguments that
the nodes give them, of libraries that PyTorch does not have itself; for the third
classes that are told by their names alone, and named tuples of the fields that the
program lists. So what is refused is refused for the document, and not for what it
came without.
"""

import collections
import contextlib
import json
import re

import torch
from torch.utils import _pytree as pytree

TARGET = re.compile(r"torch\.ops\.(\w+)\.(\w+)\.(\w+)", re.ASCII)
OWN = {"higher_order", "prim"}
OWN.update(name.split("::")[0] for name in torch._C._dispatch_get_all_op_names())


def parameter():
    return torch.nn.Parameter(torch.empty(0))


def weights_of_maps(signature):
    """Of 2.1, whose signature is made of maps from inputs to names."""
    state_dict = {name: parameter() for name in signature.inputs_to_parameters.values()}
    state_dict.update((name, torch.empty(0)) for name in signature.inputs_to_buffers.values())
    return state_dict


def artifacts(program):
    """(state_dict, constants) of the names that the signature wants."""
    signature = program.graph_module.signature
    if not hasattr(signature, "input_specs"):
        return weights_of_maps(signature), {}
    state_dict, constants = {}, {}
    for spec in signature.input_specs:
        kind = str(spec.type)
        if kind == "parameter":
            state_dict[spec.parameter.parameter_name] = parameter()
        elif kind == "buffer":
            held = state_dict if getattr(spec.buffer, "persistent", True) else constants
            held[spec.buffer.buffer_name] = torch.empty(0)
        elif kind == "tensor_constant":
            constants[spec.tensor_constant.tensor_constant_name] = torch.empty(0)
        elif kind == "custom_obj":
            constants[spec.custom_obj.custom_obj_name] = object()
        elif kind == "user_input" and str(spec.user_input.arg.type) == "as_custom_obj":
            constants[spec.user_input.arg.as_custom_obj.name] = object()
    return state_dict, constants


def nodes_of(graph):
    """The nodes of a graph and of the graphs in it, however deep."""
    graphs = [graph]
    while graphs:
        for node in graphs.pop().nodes:
            yield node
            graphs += [item.arg.as_graph.graph for item in node.inputs
                       if str(item.arg.type) == "as_graph"]


def custom_nodes(program):
    """The nodes of each operator of a library that is not PyTorch's."""
    found = {}
    for node in nodes_of(program.graph_module.graph):
        target = isinstance(node.target, str) and TARGET.fullmatch(node.target)
        if target and target[1] not in OWN:
            found.setdefault(target.groups(), []).append(node)
    return found


def arguments_of(nodes):
    """Those that each of the nodes has, and as optional ones those that some have."""
    names = {item.name: None for node in nodes for item in node.inputs}
    needed = [name for name in names
              if all(any(item.name == name for item in node.inputs) for node in nodes)]
    optional = [name for name in names if name not in needed]
    return ", ".join([f"Any {name}" for name in needed] +
                     [f"Any? {name}=None" for name in optional])


def results_of(nodes):
    """What the nodes have as outputs: of one type where all of them have it."""
    types = {"as_tensor": "Tensor", "as_tensors": "Tensor[]"}
    tags = [[str(output.type) for output in node.outputs] for node in nodes]
    if tags[0] in ([], ["as_none"]) and tags.count(tags[0]) == len(tags):
        return "()"
    return "(" + ", ".join(types.get(tag, "Any") if all(other[i:i + 1] == [tag] for other in tags)
                           else "Any" for i, tag in enumerate(tags[0] or ["as_none"])) + ")"


@contextlib.contextmanager
def operators(program):
    """The custom operators of a program, registered while it is read."""
    libraries = []
    try:
        for (space, name, overload), nodes in custom_nodes(program).items():
            library = torch.library.Library(space, "FRAGMENT")
            libraries.append(library)
            spelled = name if overload == "default" else f"{name}.{overload}"
            with contextlib.suppress(RuntimeError):  # no name to PyTorch: it will say so itself
                library.define(f"{spelled}({arguments_of(nodes)}) -> {results_of(nodes)}")
        yield
    finally:
        for library in libraries:
            if hasattr(library, "_destroy"):
                library._destroy()


def is_class(name):
    """Whether a class that somebody registers could be called so."""
    return (isinstance(name, str) and not name.startswith(("builtins.", "collections."))
            and all(part == "<locals>" or part.isidentifier() for part in name.split(".")))


def types_of(program):
    """The names of types in the tree specs of a program that is JSON enough to find them."""
    found = {}
    for entry in program.graph_module.module_call_graph:
        for text in (entry.signature.in_spec, entry.signature.out_spec) if entry.signature else ():
            with contextlib.suppress(ValueError, TypeError, LookupError, AttributeError):
                todo = [json.loads(text)[1]]
                while todo:
                    node = todo.pop()
                    todo += node["children_spec"]
                    found[node["type"]] = None
    return [name for name in found if is_class(name)]


def named_tuples_of(program):
    """Named tuples by the names and fields that the program lists."""
    listed = getattr(program.graph_module, "treespec_namedtuple_fields", None) or {}
    return {name: collections.namedtuple("Made", said.field_names, rename=True)
            for name, said in listed.items()}


def register(program):
    """Registers what is not registered, and returns its classes."""
    made = []
    for name in types_of(program):
        if name not in pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE:
            made.append(type("Made", (), {}))
            pytree._private_register_pytree_node(
                made[-1], lambda it: ([], None), lambda values, context: None,
                serialized_type_name=name, to_dumpable_context=lambda context: context,
                from_dumpable_context=lambda context: context)
    for name, made_class in named_tuples_of(program).items():
        if name not in pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE:
            made.append(made_class)
            pytree._register_namedtuple(made_class, serialized_type_name=name)
    return made


@contextlib.contextmanager
def types(program):
    """The types in a program's tree specs, from the release on that can forget them again."""
    if not hasattr(pytree, "_deregister_pytree_node"):
        yield
        return
    made = register(program)
    try:
        yield
    finally:
        for made_class in made:
            pytree._deregister_pytree_node(made_class)


@contextlib.contextmanager
def registered(program):
    """Both; nothing where there is no program."""
    with contextlib.ExitStack() as stack:
        if program:
            stack.enter_context(operators(program))
            stack.enter_context(types(program))
        yield
