"""Programs of the harvest that come from the tables of PyTorch's own tests.

op/NAME       operators, from sample inputs: op_db
hop/NAME      higher-order operators: hop_db
custom/NAME   operators registered by torch.library: custom_op_db
autograd/NAME functions with a backward of their own: autograd_function_db
nn/NAME       the modules of torch.nn: module_db
db/NAME       what torch.export documents as supported or not: torch._export.db

Sample inputs are drawn at random, so each group of models begins by setting the seed.
"""

import itertools
import random

import torch

from harvest_ways import Call, Leaves, Made, Model

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


def ops():
    from torch.testing._internal.common_methods_invocations import op_db
    return {f"op/{op.full_name}": lambda op=op: op_models(op) for op in op_db}


def hops():
    from torch.testing._internal.hop_db import hop_db
    # A higher-order operator takes a graph, which only a whole export makes of it.
    ways = (("static", "strict", "auto", "functional", "core", "inference", "joint"),) * 3
    return {f"hop/{op.full_name}": lambda op=op: op_models(op, ways) for op in hop_db}


def customs():
    from torch.testing._internal.custom_op_db import custom_op_db
    return {f"custom/{op.full_name}": lambda op=op: op_models(op) for op in custom_op_db}


def autograds():
    from torch.testing._internal.autograd_function_db import autograd_function_db
    return {f"autograd/{op.full_name}": lambda op=op: op_models(op)
            for op in autograd_function_db}


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
                 "preserve", "fake", "opset"))


def examples():
    from torch._export.db.examples import all_examples
    return {f"db/{name}": lambda e=example: example_models(e)
            for name, example in sorted(all_examples().items())}


SOURCES = {"op": ops, "hop": hops, "custom": customs, "autograd": autograds, "nn": modules,
           "db": examples}
