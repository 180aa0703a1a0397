"""What the harvest exports, and in which ways: models of the tables of PyTorch's own tests.

op/NAME       operators, from sample inputs: op_db
hop/NAME      higher-order operators: hop_db
custom/NAME   operators registered by torch.library: custom_op_db
autograd/NAME functions with a backward of their own: autograd_function_db
nn/NAME       the modules of torch.nn: module_db
db/NAME       what torch.export documents as supported or not: torch._export.db
written/NAME  some that none of these has

A Model is a name and a function that makes what is exported, anew for each way, since an
export can change its module. Sample inputs are drawn at random, so each group of models
begins by setting the seed.
"""

import dataclasses
import importlib
import itertools
import random
import sys
import types
import typing
import unittest

import torch
import torch.utils._pytree as pytree
from torch.export import Dim

# PyTorch's tables import a package for its own tests, of which they use nothing.
sys.modules.setdefault("expecttest", types.ModuleType("expecttest"))
if not hasattr(sys.modules["expecttest"], "TestCase"):
    sys.modules["expecttest"].TestCase = unittest.TestCase

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


def automatically(made, **options):
    return export(made, dynamic_shapes=automatic_shapes(made), **options)


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


def preserve(made):
    """With the signature of every module kept."""
    names = tuple(name for name, _ in made.module.named_modules() if name)
    return export(dataclasses.replace(made, preserve=names))


def oblivious(made):
    """Sizes of 0 and 1 are not special."""
    from torch.fx.experimental import _config
    with _config.patch(backed_size_oblivious=True):
        return automatically(made)


WAYS = {
    "static": export,
    "strict": lambda made: export(made, strict=True),
    "auto": automatically,
    # guards become assertions in the graph
    "deferred": lambda made: automatically(made, prefer_deferred_runtime_asserts_over_guards=True),
    "strict_auto": lambda made: automatically(made, strict=True),
    "functional": lambda made: export(made).run_decompositions({}),  # and nothing decomposed
    "core": lambda made: export(made).run_decompositions(),
    "core_auto": lambda made: automatically(made).run_decompositions(),
    "twice": twice, "joint": joint, "inference": inference, "fake": fake, "preserve": preserve,
    "oblivious": oblivious,
}


# ---------------------------------------------------------------- PyTorch's tables

FEW, MANY = 2, 4  # samples of a dtype, of the first dtype
DRAWN = 40  # samples that are drawn to choose from: some operators have thousands
LARGEST = 1 << 16  # numbers in a sample's tensors

# One dtype of each kind is tried, the first that the operator takes.
KINDS = [
    (torch.float32, torch.float64),
    (torch.int64, torch.int32, torch.uint8),
    (torch.complex64, torch.complex128),
    (torch.bool, torch.bfloat16, torch.float16),
    (torch.float16, torch.bfloat16, torch.int16, torch.int8),
]

# The first sample of the first dtype, the first of another, and the rest. What is slow
# is tried with some operators only.
FIRST = ("static", "auto", "functional")
SOME = ("core", "strict", "joint", "deferred", "inference", "fake", "core_auto", "oblivious",
        "strict_auto")
OTHER = REST = ("static", "auto")
BUILT = ("static", "strict", "auto", "functional", "core", "preserve", "joint", "fake")
TRAINED = ("static", "core")  # modules in training


def dtypes_of(op):
    """One dtype of each kind."""
    supported, found = op.supported_dtypes("cpu"), []
    for kind in KINDS:
        dtype = next((dtype for dtype in kind if dtype in supported), None)
        if dtype is not None and dtype not in found:
            found.append(dtype)
    return found


def small(sample):
    leaves = torch.utils._pytree.tree_leaves((sample.input, sample.args, sample.kwargs))
    return sum(leaf.numel() for leaf in leaves if isinstance(leaf, torch.Tensor)) <= LARGEST


def samples(op, dtype, count, **options):
    """The first sample, and others of the operator chosen at random."""
    try:
        drawn = list(itertools.islice(op.sample_inputs("cpu", dtype, **options), DRAWN))
    except Exception:  # the table has operators that this build cannot run
        return []
    drawn = [sample for sample in drawn if small(sample)]
    return drawn[:1] + random.Random(op.name).sample(drawn[1:], min(len(drawn), count) - 1) \
        if drawn else []


def leaves_of(function, sample):
    """A function that is called with a sample, of which the tensors are inputs."""
    module = Leaves(function, (sample.input, *sample.args), sample.kwargs)
    return Made(module, module.tensors)


def whole_of(function, sample):
    """The same, with all arguments as inputs."""
    return Made(Call(function), (sample.input, *sample.args), dict(sample.kwargs))


def op_models(op, ways=(FIRST, OTHER, REST)):
    """One operator: a model for each sample."""
    function = op.op
    for i, dtype in enumerate(dtypes_of(op)):
        label = str(dtype).removeprefix("torch.")
        for j, sample in enumerate(samples(op, dtype, FEW if i else MANY)):
            tried = ways[2 if j else 1 if i else 0]
            if i == j == 0:
                tried += tuple(random.Random(op.full_name).sample(SOME, 2))
            yield Model(f"{label}-{j}", lambda s=sample: leaves_of(function, s), tried)
            if i == j == 0:
                yield Model(f"{label}-{j}-whole", lambda s=sample: whole_of(function, s))
    first = dtypes_of(op)[:1]
    for dtype in first:
        yield from written(op, dtype)
        if dtype.is_floating_point and op.supports_autograd:
            for sample in samples(op, dtype, 1, requires_grad=True):
                yield Model("grad", lambda s=sample: leaves_of(function, s))


def written(op, dtype):
    """The variant of an operator that writes to its input."""
    if op.inplace_variant is None:
        return
    for j, sample in enumerate(samples(op, dtype, 1)):
        if not getattr(sample, "broadcasts_input", False):
            yield Model(f"inplace-{j}", lambda s=sample: leaves_of(op.inplace_variant, s),
                        ("static", "functional"))


# A higher-order operator takes a graph, which only a whole export makes of it.
WHOLE = (("static", "strict", "auto", "functional", "core", "inference", "joint"),) * 3


def table(kind, module, name, *ways):
    """The models of one of PyTorch's tables of operators, made when they are asked for."""
    rows = getattr(importlib.import_module("torch.testing._internal." + module), name)
    return {f"{kind}/{op.full_name}": lambda op=op: op_models(op, *ways) for op in rows}


# ---------------------------------------------------------------- modules


def built(info, entry, training):
    """A module of the table, with what it is called with."""
    module = info.module_cls(*entry.constructor_input.args, **entry.constructor_input.kwargs)
    module.train(training)
    given, named = tuple(entry.forward_input.args), dict(entry.forward_input.kwargs)
    if any(torch.nn.parameter.is_lazy(value) for value in module.parameters()):
        module(*given, **named)  # which gives its parameters their shapes
    return Made(module, given, named)


def module_models(info):
    for training in (False, True):
        try:
            entries = list(itertools.islice(info.module_inputs_func(
                info, device="cpu", dtype=torch.float32, requires_grad=False,
                training=training), DRAWN))
        except Exception:  # not of this build
            continue
        entries = [entry for entry in entries if entry.forward_input is not None]
        for j, entry in enumerate(entries[:FEW]):
            ways = REST if j else TRAINED if training else BUILT
            yield Model(f"{'train' if training else 'eval'}-{j}",
                        lambda e=entry, t=training: built(info, e, t), ways)


def modules():
    from torch.testing._internal.common_modules import module_db
    return {f"nn/{info.name}": lambda info=info: module_models(info) for info in module_db}


# ---------------------------------------------------------------- what is documented


def example_made(example):
    return Made(example.model, tuple(example.example_args), dict(example.example_kwargs),
                example.dynamic_shapes)


def example_models(example):
    yield Model("example", lambda: example_made(example),
                ("static", "strict", "functional", "core", "twice", "inference", "auto",
                 "preserve", "fake"))


def examples():
    from torch._export.db.examples import all_examples
    return {f"db/{name}": lambda e=example: example_models(e)
            for name, example in sorted(all_examples().items())}


# ---------------------------------------------------------------- what none of them has


class Buffers(torch.nn.Module):
    """One value, written to two buffers."""

    def __init__(self):
        super().__init__()
        self.register_buffer("one", torch.zeros(3))
        self.register_buffer("two", torch.zeros(3))

    def forward(self, x):
        value = x.sum(0) * 2
        self.one.copy_(value)
        self.two.copy_(value)
        return x + 1


def unsigned(x, y):
    return x + (2 ** 64 - 1), torch.full((2,), 2 ** 63, dtype=torch.uint64) + y


def others():
    one = torch.tensor([1], dtype=torch.uint64)
    made = {"one_value_in_two_buffers": lambda: Made(Buffers(), (torch.ones(2, 3),)),
            "integers_beyond_64_bits": lambda: Made(Call(unsigned), (one, one)),
            "offset": lambda: Made(Call(torch.relu), (torch.ones(100)[7:55].view(6, 8),))}
    return {f"written/{name}": lambda name=name, make=make: [
        Model("model", make, ("static", "auto", "functional", "core"))]
            for name, make in made.items()}


SOURCES = {
    "op": lambda: table("op", "common_methods_invocations", "op_db"),
    "hop": lambda: table("hop", "hop_db", "hop_db", WHOLE),
    "custom": lambda: table("custom", "custom_op_db", "custom_op_db"),
    "autograd": lambda: table("autograd", "autograd_function_db", "autograd_function_db"),
    "nn": modules, "db": examples, "written": others,
}
