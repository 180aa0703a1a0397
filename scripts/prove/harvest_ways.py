"""The ways in which the harvest makes a program of a model, and what a model is.

A Model is a name and a function that makes what is exported: a module, its arguments,
and what torch.export.export is told besides. Each way is another path through
PyTorch's exporter; the same model comes out as another program by most of them.
"""

import dataclasses
import typing

import torch
import torch.utils._pytree as pytree
from torch.export import Dim


@dataclasses.dataclass
class Made:
    """What is exported: made anew for each way, since an export can change its module."""
    module: torch.nn.Module
    args: tuple = ()
    kwargs: dict = dataclasses.field(default_factory=dict)
    dynamic: typing.Any = None  # dynamic_shapes
    preserve: tuple = ()  # preserve_module_call_signature


@dataclasses.dataclass
class Model:
    """A name, what makes it, and the ways in which it is to be exported."""
    name: str
    make: typing.Callable
    ways: tuple = ("static",)


class Call(torch.nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args, **kwargs):
        return plain(self.function(*args, **kwargs))


class Leaves(torch.nn.Module):
    """A function of which only the tensors are inputs; all else is fixed."""

    def __init__(self, function, args, kwargs):
        super().__init__()
        self.function = function
        flat, self.spec = pytree.tree_flatten((tuple(args), dict(kwargs)))
        self.places = [i for i, leaf in enumerate(flat) if isinstance(leaf, torch.Tensor)]
        self.tensors = tuple(flat[i] for i in self.places)
        self.fixed = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in flat]

    def forward(self, *leaves):
        flat = list(self.fixed)
        for place, leaf in zip(self.places, leaves):
            flat[place] = leaf
        args, kwargs = pytree.tree_unflatten(flat, self.spec)
        return plain(self.function(*args, **kwargs))


class Summed(torch.nn.Module):
    """A module whose one output is a loss: the sum of all that can have a gradient."""

    def __init__(self, module):
        super().__init__()
        self.module = module
        self.weight = torch.nn.Parameter(torch.ones(()))

    def forward(self, *args, **kwargs):
        leaves = pytree.tree_leaves(self.module(*args, **kwargs))
        return sum((leaf * self.weight).sum() for leaf in leaves
                   if isinstance(leaf, torch.Tensor) and leaf.is_floating_point())


def plain(result):
    """Results with names of PyTorch's own as tuples: those cannot be saved."""
    if isinstance(result, tuple) and hasattr(result, "n_sequence_fields"):
        return tuple(result)
    return result


def automatic(value):
    """Dim.AUTO for every dimension of every tensor, in the shape of the arguments."""
    return pytree.tree_map(
        lambda leaf: (Dim.AUTO,) * leaf.dim() if isinstance(leaf, torch.Tensor) else None, value)


def automatic_shapes(made):
    """dynamic_shapes of all arguments of a module."""
    shapes = automatic(made.args)
    if isinstance(made.module, (Call, Leaves, Summed)):
        shapes = (shapes,)
        return {"args": shapes[0], "kwargs": automatic(made.kwargs)} if made.kwargs else shapes
    if made.kwargs:
        names = list(made.module.forward.__code__.co_varnames[1:])
        return {**dict(zip(names, shapes)), **automatic(made.kwargs)}
    return shapes


# ---------------------------------------------------------------- exports


def export(made, **options):
    options = {"strict": False, "dynamic_shapes": made.dynamic, **options}
    if made.preserve:
        options["preserve_module_call_signature"] = tuple(made.preserve)
    return torch.export.export(made.module, tuple(made.args), made.kwargs or None, **options)


def static(made):
    return export(made)


def strict(made):
    return export(made, strict=True)


def auto(made):
    return export(made, dynamic_shapes=automatic_shapes(made))


def deferred(made):
    """Guards become assertions in the graph."""
    return export(made, dynamic_shapes=automatic_shapes(made),
                  prefer_deferred_runtime_asserts_over_guards=True)


def strict_auto(made):
    return export(made, dynamic_shapes=automatic_shapes(made), strict=True)


def functional(made):
    """Functionalized, and nothing decomposed."""
    return export(made).run_decompositions({})


def core(made):
    """Decomposed to the core operators."""
    return export(made).run_decompositions()


def core_auto(made):
    return auto(made).run_decompositions()


def twice(made):
    """Decomposed, decomposed again, and exported again as a module."""
    program = export(made).run_decompositions({}).run_decompositions()
    return torch.export.export(program.module(), tuple(made.args), made.kwargs or None,
                               strict=False)


def joint(made):
    """Forward and backward in one graph."""
    from torch.export import experimental
    summed = dataclasses.replace(made, module=Summed(made.module), dynamic=None)
    return experimental._export_forward_backward(export(summed))


def inference(made):
    """Traced below autograd and autocast."""
    from torch.export._trace import _export
    return _export(made.module, tuple(made.args), made.kwargs or None, strict=False,
                   dynamic_shapes=made.dynamic, pre_dispatch=False)


def fake(made):
    """Of tensors without data."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    args, kwargs = pytree.tree_map(
        lambda leaf: mode.from_tensor(leaf) if isinstance(leaf, torch.Tensor) else leaf,
        (tuple(made.args), made.kwargs))
    return export(dataclasses.replace(made, args=args, kwargs=kwargs))


def fake_symbols(made):
    """Of tensors without data, that come with symbols of their own for sizes."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import ShapeEnv
    mode = FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv())
    args = pytree.tree_map(
        lambda leaf: mode.from_tensor(leaf, static_shapes=False)
        if isinstance(leaf, torch.Tensor) else leaf, tuple(made.args))
    return export(dataclasses.replace(made, args=args), dynamic_shapes=automatic_shapes(made))


def preserve(made):
    """With the signature of every module kept."""
    names = tuple(name for name, _ in made.module.named_modules() if name)
    return export(dataclasses.replace(made, preserve=names))


def modules(made):
    """From a program that was flattened out into modules and exported again."""
    names = tuple(name for name, _ in made.module.named_modules() if name)
    program = export(dataclasses.replace(made, preserve=names))
    return torch.export.export(torch.export.unflatten(program), tuple(made.args),
                               made.kwargs or None, strict=False)


def oblivious(made):
    """Sizes of 0 and 1 are not special."""
    from torch.fx.experimental import _config
    with _config.patch(backed_size_oblivious=True):
        return auto(made)


def no_grad(made):
    with torch.no_grad():
        return export(made)


def draft(made):
    return torch.export.draft_export(made.module, tuple(made.args), made.kwargs or None,
                                     dynamic_shapes=automatic_shapes(made), strict=False)


def opset(made):
    """Saved with an opset of the user's own: see SAVED."""
    return export(made)


WAYS = {name: globals()[name] for name in (
    "static", "strict", "auto", "deferred", "strict_auto", "functional", "core", "core_auto",
    "twice", "joint", "inference", "fake", "fake_symbols", "preserve", "modules", "oblivious",
    "no_grad", "draft", "opset")}
SAVED = {"opset": {"opset_version": {"aten": 3, "mine": 1}}}  # options of torch.export.save
