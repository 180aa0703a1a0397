"""Programs of the harvest about what goes in and out, what is kept, and custom operators.

pytree/NAME    arguments and results of all kinds
state/NAME     parameters, buffers and constants of all kinds
library/NAME   operators registered by torch.library
object/NAME    ScriptObjects, of the library that PyTorch's own tests come with, and
               opaque objects of Python
"""

import collections
import dataclasses
import typing

import torch
import torch.utils._pytree as pytree
from torch._library.opaque_object import OpaqueBase, get_opaque_type_name, register_opaque_type

from harvest_table import Table, made

USUAL = ("static", "strict", "auto", "functional", "core", "preserve", "fake", "opset")

# ---------------------------------------------------------------- arguments and results

Pair = collections.namedtuple("Pair", "first second")


class Typed(typing.NamedTuple):
    one: torch.Tensor
    two: typing.Any


@dataclasses.dataclass
class Record:
    tensor: torch.Tensor
    number: typing.Any = None
    inner: typing.Any = None


class Bag:
    def __init__(self, things, label):
        self.things, self.label = things, label


pytree._register_namedtuple(Pair, serialized_type_name="harvest.Pair")
pytree._register_namedtuple(Typed, serialized_type_name="harvest.Typed")
torch.export.register_dataclass(Record, serialized_type_name="harvest.Record")
pytree.register_pytree_node(
    Bag, lambda bag: (list(bag.things), bag.label), lambda things, label: Bag(things, label),
    serialized_type_name="harvest.Bag", to_dumpable_context=lambda label: {"label": label},
    from_dumpable_context=lambda context: context["label"])


def tensor():
    return torch.randn(4, 3)


def defaults():
    made_ = collections.defaultdict(list)
    made_["a"] = [tensor()]
    made_["b"] = [tensor(), tensor()]
    return made_


CONTAINERS = {
    "tensor": tensor, "tuple": lambda: (tensor(), tensor()), "list": lambda: [tensor()] * 2,
    "one_tuple": lambda: (tensor(),), "empty_tuple": lambda: ((), tensor()),
    "empty_list": lambda: ([], tensor()), "empty_dict": lambda: ({}, tensor()),
    "dict": lambda: {"b": tensor(), "a": tensor()}, "int_keys": lambda: {3: tensor(), 1: tensor()},
    "odd_keys": lambda: {"a.b": tensor(), "é\"\\": tensor(), "": tensor()},
    "ordered": lambda: collections.OrderedDict([("z", tensor()), ("a", tensor())]),
    "defaults": defaults, "deque": lambda: collections.deque([tensor(), tensor()], maxlen=5),
    "deque_open": lambda: collections.deque([tensor()]),
    "pair": lambda: Pair(tensor(), tensor()), "typed": lambda: Typed(tensor(), (tensor(),)),
    "record": lambda: Record(tensor(), 3, [tensor()]), "record_part": lambda: Record(tensor()),
    "bag": lambda: Bag([tensor(), tensor()], "a label"),
    "deep": lambda: {"a": [(Pair(tensor(), {"b": (tensor(),)}), [[tensor()]])]},
    "mixed": lambda: [tensor(), 1, 2.5, True, "text", None, {"n": None}],
    "slices": lambda: (tensor(), slice(1, 2)), "size": lambda: (tensor(), torch.Size([2, 3])),
    "immutable": lambda: torch.fx.immutable_collections.immutable_list([tensor(), tensor()]),
}
SCALARS = {
    "int": 3, "negative": -7, "large": 2 ** 62, "zero": 0, "float": 2.5, "nan": float("nan"),
    "infinity": float("inf"), "minus_infinity": float("-inf"), "tiny": 5e-324, "whole": 3.0,
    "true": True, "false": False, "text": "a text", "empty": "", "unicode": "é\u2028\U0001f600",
    "escapes": "\"\\\n\t\x01\x7f", "none": None, "complex": 1 + 2j,
    "dtype": torch.float64, "device": torch.device("cpu"), "layout": torch.strided,
    "format": torch.channels_last,
}


def first_tensor(value):
    return next(leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor))


def doubled(value):
    return pytree.tree_map(lambda leaf: leaf * 2 if isinstance(leaf, torch.Tensor) else leaf,
                           value)


def trees():
    table = Table("pytree")
    for name, build in CONTAINERS.items():
        table.put(name, "in", lambda b=build: made(
            lambda self, v: first_tensor(v) + 1, b()), USUAL)
        table.put(name, "out", lambda b=build: made(
            lambda self, x: [x, doubled(b())], tensor()), ("static", "strict", "functional"))
        table.put(name, "through", lambda b=build: made(lambda self, v: doubled(v), b()), USUAL)
        table.put(name, "same", lambda b=build: made(lambda self, v: v, b()),
                  ("static", "strict", "core"))
        table.put(name, "keyword", lambda b=build: made(
            lambda self, x, *, v: (x + first_tensor(v), v), tensor(), v=b()),
            ("static", "auto", "core", "preserve"))
    for name, value in SCALARS.items():
        table.put(name, "in", lambda v=value: made(lambda self, x, v: x + 1, tensor(), v), USUAL)
        table.put(name, "out", lambda v=value: made(lambda self, x: (x + 1, v), tensor()), USUAL)
        table.put(name, "through", lambda v=value: made(
            lambda self, x, v: {"x": x, "v": [v, v]}, tensor(), v), USUAL)
        table.put(name, "keyword", lambda v=value: made(
            lambda self, x, *, v: (x, v), tensor(), v=v), ("static", "strict", "core"))
    return {**table.source(), **FORMS.source()}


FORMS = Table("pytree")


@FORMS.model(*USUAL)
def variadic():
    class Many(torch.nn.Module):
        def forward(self, *values, **named):
            return values[0] + named["k"], values[1:]
    return made(Many(), tensor(), tensor(), k=tensor())


@FORMS.model("static", "strict", "functional", "core", "preserve", "opset")
def keyword_order():
    return made(lambda self, x, *, b, a, c=None: (x + b, a), tensor(), b=tensor(), a=tensor())


@FORMS.model(*USUAL)
def nothing_in():
    return made(lambda self: torch.ones(3))


@FORMS.model(*USUAL)
def nothing_out():
    return made(lambda self, x: None, tensor())


@FORMS.model(*USUAL)
def nothing_used():
    return made(lambda self, x, y, z: y + 1, tensor(), tensor(), [tensor()])


@FORMS.model(*USUAL)
def one_input_twice():
    same = tensor()
    return made(lambda self, x, y: (x + 1, y * 2, x, x), same, same)


@FORMS.model(*USUAL)
def written_inputs():
    def forward(self, x, y, d):
        x.add_(1)
        y[0].mul_(2)
        d["a"].copy_(x[0])
        return x.sum(), y[0]
    return made(forward, tensor(), [tensor()], {"a": torch.randn(3)})


@FORMS.model(*USUAL)
def unused_single_result():
    def forward(self, x):
        x.dim(), x.size(), torch.ops.aten.sym_size.int(x, 0)
        torch.ops.aten.dim(x)
        torch.ops.aten.is_complex(x)
        x.sum().max(0)
        return x + 1
    return made(forward, tensor())


@FORMS.model("static", "auto", "functional", "core")
def unused_item():
    def forward(self, x):
        x.sum().to(torch.int64).item()
        x.topk(2)
        return torch.ops.aten.sort(x)[1]
    return made(forward, tensor())


# ---------------------------------------------------------------- what is kept

STATE = Table("state")
KEPT = {
    "plain": lambda: torch.randn(3), "scalar": lambda: torch.tensor(2.5),
    "empty": lambda: torch.empty(0, 3), "transposed": lambda: torch.randn(4, 3).t(),
    "part": lambda: torch.randn(10)[3:6], "expanded": lambda: torch.randn(1).expand(3),
    "integer": lambda: torch.arange(3), "byte": lambda: torch.arange(3, dtype=torch.uint8),
    "boolean": lambda: torch.tensor([True, False, True]), "half": lambda: torch.randn(3).half(),
    "brain": lambda: torch.randn(3).bfloat16(), "double": lambda: torch.randn(3).double(),
    "complex": lambda: torch.randn(3, dtype=torch.complex64),
    "complex_half": lambda: torch.randn(3).to(torch.complex32),
    "conjugate": lambda: torch.randn(3, dtype=torch.complex64).conj(),
    "negative": lambda: torch.randn(3, dtype=torch.complex64).conj().imag,
    "unsigned": lambda: torch.tensor([1, 2, 3], dtype=torch.uint16),
    "unsigned_long": lambda: torch.tensor([1, 2, 3], dtype=torch.uint64),
    "float8": lambda: torch.randn(3).to(torch.float8_e4m3fn),
    "float8_e5m2": lambda: torch.randn(3).to(torch.float8_e5m2),
    "channels_last": lambda: torch.randn(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
    "sparse": lambda: torch.eye(3).to_sparse(), "sparse_rows": lambda: torch.eye(3).to_sparse_csr(),
    "quantized": lambda: torch.quantize_per_tensor(torch.randn(3), 0.1, 2, torch.qint8),
    "quantized_channels": lambda: torch.quantize_per_channel(
        torch.randn(3, 2), torch.ones(3), torch.zeros(3), 0, torch.quint8),
    "meta": lambda: torch.empty(3, device="meta"),
    "mkldnn": lambda: torch.randn(3).to_mkldnn(),
    "large": lambda: torch.randn(64, 64),
}


class Keeper(torch.nn.Module):
    """Holds a tensor in one way or another, and uses it or not."""

    def __init__(self, value, how, use):
        super().__init__()
        self.how, self.use = how, use
        if how == "parameter":
            self.value = torch.nn.Parameter(value, requires_grad=value.is_floating_point())
        elif how in ("buffer", "hidden"):
            self.register_buffer("value", value, persistent=how == "buffer")
        else:
            self.value = value

    def forward(self, x):
        if self.use == "given":
            return x, self.value
        if self.use == "shape":
            return x + self.value.numel()
        return x + 1, torch.ops.aten.clone(self.value)


def kept():
    for name, build in KEPT.items():
        for how in ("parameter", "buffer", "hidden", "constant"):
            for use in ("given", "cloned", "shape"):
                STATE.put(name, f"{how}_{use}", lambda b=build, h=how, u=use: made(
                    Keeper(b(), h, u), tensor()), ("static", "functional", "strict"))
        STATE.put(name, "input", lambda b=build: made(
            lambda self, x, y: (x.clone(), y), b(), tensor()), ("static", "functional", "fake"))


kept()


@STATE.model(*USUAL)
def tied():
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)
            self.second.weight = self.first.weight
            self.again = self.first

        def forward(self, x):
            return self.again(self.second(self.first(x)))
    return made(Tied(), tensor())


@STATE.model(*USUAL)
def lists_of_parameters():
    class Lists(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.list = torch.nn.ParameterList([torch.randn(3), torch.randn(3)])
            self.named = torch.nn.ParameterDict({"a": torch.randn(3), "b.c".replace(".", "_"):
                                                 torch.randn(3)})

        def forward(self, x):
            return x + self.list[0] * self.named["a"] + self.named["b_c"]
    return made(Lists(), tensor())


@STATE.model(*USUAL)
def written_buffers():
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.zeros((), dtype=torch.int64))
            self.register_buffer("seen", torch.zeros(3), persistent=False)

        def forward(self, x):
            self.count += 1
            self.seen.copy_(x.mean(0))
            return x + self.count + self.seen
    return made(Counter(), tensor())


@STATE.model(*USUAL)
def gradient_inputs():
    return made(lambda self, x, y: (x * y, x.detach()),
                torch.randn(3, requires_grad=True), torch.randn(3))


@STATE.model(*USUAL)
def one_value_in_two_buffers():
    class Two(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("one", torch.zeros(3))
            self.register_buffer("two", torch.zeros(3))

        def forward(self, x):
            value = x.sum(0) * 2
            self.one.copy_(value)
            self.two.copy_(value)
            return x + 1
    return made(Two(), tensor())


@STATE.model(*USUAL)
def generators():
    generator = torch.Generator().manual_seed(1)

    def forward(self, x):
        return torch.rand(3, generator=generator) + x, torch.randperm(4, generator=generator)
    return made(forward, tensor())


@STATE.model(*USUAL)
def integers_beyond_64_bits():
    def forward(self, x, y):
        return x + (2 ** 64 - 1), torch.full((2,), 2 ** 63, dtype=torch.uint64) + y
    return made(forward, torch.tensor([1], dtype=torch.uint64),
                torch.tensor([1], dtype=torch.uint64))


@STATE.model(*USUAL)
def constants_inside():
    def forward(self, x):
        y = torch.tensor([1, 2, 3]) + torch.tensor(4) + torch.tensor(2.5)
        return x + y + torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor(True), torch.tensor([])
    return made(forward, tensor())


# ---------------------------------------------------------------- custom operators

LIBRARY = Table("library")
DEFINED = [
    "plain(Tensor x) -> Tensor", "numbers(Tensor x, int i, float f, bool b) -> Tensor",
    "text(Tensor x, str s) -> Tensor", "optional(Tensor x, Tensor? y, int? i=None) -> Tensor",
    "lists(Tensor[] xs, int[] i, float[] f, bool[] b) -> Tensor",
    "optionals(Tensor?[] xs, float[]? f) -> Tensor", "sizes(Tensor x, SymInt[] s) -> Tensor",
    "size(Tensor x, SymInt s, *, SymInt? t=None) -> Tensor", "many(Tensor x) -> Tensor[]",
    "pair(Tensor x) -> (Tensor, Tensor)", "nothing(Tensor x) -> ()", "maybe(Tensor x) -> Tensor?",
    "number(Tensor x) -> int", "flag(Tensor x) -> bool", "real(Tensor x) -> float",
    "mixed(Tensor x) -> (Tensor, int, Tensor[])",
    "kinds(Tensor x, *, ScalarType? dtype=None, Device? device=None, Layout? layout=None, "
    "MemoryFormat? format=None) -> Tensor", "scalar(Tensor x, Scalar s) -> Tensor",
    "scalars(Tensor x, Scalar[] s) -> Tensor", "texts(Tensor x, str[] s) -> Tensor",
    "write_(Tensor(a!) x) -> ()", "write_both(Tensor(a!) x, Tensor(b!)? y, int n) -> Tensor",
    "write_list(Tensor(a!)[] xs) -> ()", "named.over(Tensor x, int n=2) -> Tensor",
    "symbols(Tensor x) -> (Tensor, SymInt)",
]


def result(text, args):
    """What an operator gives back, by its schema."""
    returns = text.split("-> ")[1]
    first = next(leaf for leaf in pytree.tree_leaves(args) if isinstance(leaf, torch.Tensor))
    given = {"Tensor": first.clone, "Tensor?": first.clone, "()": lambda: None,
             "Tensor[]": lambda: [first.clone(), first + 1], "int": lambda: 3,
             "bool": lambda: True, "float": lambda: 2.5, "SymInt": lambda: first.shape[0]}
    if returns in given:
        return given[returns]()
    return tuple(given[kind]() for kind in returns.strip("()").split(", "))


def define():
    """Registers them once; the operators."""
    held = torch.library.Library("harvest", "FRAGMENT")
    for text in DEFINED:
        held.define(text, tags=(torch.Tag.pt2_compliant_tag,))
        name = text.split("(")[0]

        def run(*args, text=text, **kwargs):
            return result(text, args)
        held.impl(name, run, "CompositeExplicitAutograd")
        torch.library.register_fake(f"harvest::{name}", run, lib=held)
    return held, torch.ops.harvest


HELD, OPS = define()
CALLS = {
    "plain": lambda x: OPS.plain(x), "numbers": lambda x: OPS.numbers(x, 3, float("inf"), True),
    "text": lambda x: OPS.text(x, "é\"\n"), "optional": lambda x: OPS.optional(x, None, 4),
    "optional_given": lambda x: OPS.optional(x, x), "lists": lambda x: OPS.lists(
        [x, x + 1], [1, 2], [1.0, 2.5], [True, False]),
    "lists_empty": lambda x: OPS.lists([x], [], [], []),
    "optionals": lambda x: OPS.optionals([x, None], None),
    "sizes": lambda x: OPS.sizes(x, [x.shape[0], 3]), "size": lambda x: OPS.size(
        x, x.shape[0] + 1, t=x.shape[1]),
    "many": lambda x: OPS.many(x)[1], "many_none": lambda x: (OPS.many(x), x)[1],
    "pair": lambda x: OPS.pair(x)[1], "nothing": lambda x: (OPS.nothing(x), x + 1)[1],
    "maybe": lambda x: OPS.maybe(x), "number": lambda x: x + OPS.number(x),
    "flag": lambda x: (OPS.flag(x), x), "real": lambda x: x * OPS.real(x),
    "mixed": lambda x: OPS.mixed(x)[2], "kinds": lambda x: OPS.kinds(
        x, dtype=torch.bfloat16, device="cpu", layout=torch.strided,
        format=torch.channels_last),
    "scalar": lambda x: OPS.scalar(x, 2), "scalar_float": lambda x: OPS.scalar(x, 2.0),
    "scalar_bool": lambda x: OPS.scalar(x, True), "scalar_complex": lambda x: OPS.scalar(x, 1j),
    "scalars": lambda x: OPS.scalars(x, [1, 2.5, True]),
    "texts": lambda x: OPS.texts(x, ["a", ""]), "write": lambda x: (OPS.write_(x), x + 1)[1],
    "write_both": lambda x: OPS.write_both(x, x.clone(), 2),
    "write_none": lambda x: OPS.write_both(x, None, 2),
    "write_list": lambda x: (OPS.write_list([x, y := x * 2]), x + y)[1],
    "write_view": lambda x: (OPS.write_(x[1:]), x + 1)[1],
    "overload": lambda x: OPS.named.over(x), "symbols": lambda x: OPS.symbols(x),
    "unused": lambda x: (OPS.number(x), OPS.symbols(x), OPS.mixed(x), x + 1)[3],
}


def libraries():
    for name, call in CALLS.items():
        LIBRARY.put(name, "model", lambda c=call: made(lambda self, x: c(x), tensor()),
                    USUAL + ("deferred", "core_auto"))
        LIBRARY.put(name, "clone", lambda c=call: made(
            lambda self, x: (c(x.clone()), x), tensor()), ("static", "functional", "auto"))
        LIBRARY.put(name, "cond", lambda c=call: made(lambda self, x: torch.cond(
            x.sum() > 0, lambda a: (c(a.clone()), a + 1)[1], lambda a: a - 1, (x,)), tensor()),
            ("static", "functional"))
    return LIBRARY.source()


# ---------------------------------------------------------------- objects

OBJECTS = Table("object")


def testing():
    """The classes of PyTorch's own tests."""
    from torch.testing._internal import torchbind_impls
    torchbind_impls.init_torchbind_implementations()
    return torch.classes._TorchScriptTesting, torch.ops._TorchScriptTesting


class Holder(torch.nn.Module):
    def __init__(self, held, function):
        super().__init__()
        self.held, self.function = held, function

    def forward(self, x):
        return self.function(self.held, x)


def queue():
    classes, _ = testing()
    return classes._TensorQueue(torch.empty(0).fill_(-1))


def foo():
    classes, _ = testing()
    return classes._Foo(10, 20)


def pushed(held, x):
    ops = torch.ops._TorchScriptTesting
    ops.queue_push(held, x.cos())
    ops.queue_push(held, x.sin())
    return ops.queue_pop(held), ops.queue_size(held), x


USES = {
    "method": (foo, lambda held, x: x + held.add_tensor(x)),
    "operator": (foo, lambda held, x: torch.ops._TorchScriptTesting.takes_foo(held, x)),
    "python": (foo, lambda held, x: torch.ops._TorchScriptTesting.takes_foo_python_meta(held, x)),
    "list": (foo, lambda held, x: torch.ops._TorchScriptTesting.takes_foo_list_return(held, x)),
    "tuple": (foo, lambda held, x: torch.ops._TorchScriptTesting.takes_foo_tuple_return(held, x)),
    "queue": (queue, pushed),
    "queue_methods": (queue, lambda held, x: (held.push(x), held.size(), held.pop())[2]),
}


class Factor(OpaqueBase):
    """An object that only its operator knows."""

    def __init__(self, number):
        self.number = number


def opaque():
    """Registers the class and its operators; the operators."""
    register_opaque_type(Factor, typ="reference")
    held, kind = torch.library.Library("harvest_opaque", "FRAGMENT"), get_opaque_type_name(Factor)
    for name, function, fake in (
            ("scale", lambda factor, x: x * factor.number, lambda factor, x: x.clone()),
            ("number", lambda factor, x: factor.number, lambda factor, x: 3)):
        held.define(f"{name}({kind} factor, Tensor x) -> {'Tensor' if name == 'scale' else 'int'}")
        held.impl(name, function, "CompositeExplicitAutograd")
        torch.library.register_fake(f"harvest_opaque::{name}", fake, lib=held)
    return held, torch.ops.harvest_opaque


OPAQUE, FACTORS = opaque()
OPAQUE_USES = {
    "opaque": lambda held, x: FACTORS.scale(held, x),
    "opaque_twice": lambda held, x: FACTORS.scale(held, FACTORS.scale(held, x)),
    "opaque_number": lambda held, x: x + FACTORS.number(held, x),
    "opaque_cond": lambda held, x: torch.cond(
        x.sum() > 0, lambda a: FACTORS.scale(held, a), lambda a: a + 1, (x,)),
}


def objects():
    for name, function in OPAQUE_USES.items():
        OBJECTS.put(name, "held", lambda f=function: made(Holder(Factor(3), f), tensor()),
                    ("static", "auto", "strict", "functional", "core", "preserve"))
    for name, (build, function) in USES.items():
        OBJECTS.put(name, "held", lambda b=build, f=function: made(Holder(b(), f), tensor()),
                    ("static", "strict", "auto", "functional", "core", "preserve", "inference"))
        OBJECTS.put(name, "given", lambda b=build, f=function: made(
            lambda self, held, x: f(held, x), b(), tensor()),
            ("static", "strict", "functional", "core"))
        OBJECTS.put(name, "unused", lambda b=build: made(
            lambda self, held, x: x + 1, b(), tensor()), ("static", "functional"))
    return OBJECTS.source()


SOURCES = {"pytree": trees, "state": STATE.source, "library": libraries, "object": objects}
