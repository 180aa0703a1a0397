"""Programs of the harvest about views, strides, and dynamic shapes of all kinds.

view/NAME     each view of each kind of input: contiguous or not, static or dynamic
dynamic/NAME  dimensions that depend on each other, have bounds, or come from data
symbol/NAME   arithmetic of symbols
"""

import math

import torch
from torch.export import Dim

from harvest_table import Table, made

# ---------------------------------------------------------------- views

# Of an input of 6 by 8.
VIEWS = {
    "slice_first": lambda x: x[3:],
    "slice_last": lambda x: x[:, :-2],
    "slice_step": lambda x: x[::2, 1::3],
    "slice_both": lambda x: x[1:4, 2:6],
    "slice_negative": lambda x: x[-3:-1],
    "select": lambda x: x[2],
    "select_last": lambda x: x[..., -1],
    "none_index": lambda x: x[None, :, None],
    "narrow": lambda x: x.narrow(1, 2, 3),
    "transpose": lambda x: x.t(),
    "swap": lambda x: x.transpose(0, 1)[2:],
    "permute": lambda x: x.unsqueeze(0).permute(2, 0, 1),
    "reshape": lambda x: x.reshape(-1),
    "reshape_two": lambda x: x.reshape(x.shape[0], 2, -1),
    "flatten": lambda x: x.flatten(),
    "unflatten": lambda x: x.unflatten(1, (2, -1)),
    "expand": lambda x: x.unsqueeze(0).expand(3, -1, -1),
    "expand_as": lambda x: x[:1].expand_as(x),
    "broadcast_to": lambda x: x[0].broadcast_to(4, x.shape[1]),
    "diagonal": lambda x: x.diagonal(),
    "diagonal_offset": lambda x: x.diagonal(offset=1),
    "unfold": lambda x: x.unfold(1, 3, 2),
    "split": lambda x: x.split(2, 0),
    "split_sizes": lambda x: x.split([2, 6], 1),
    "chunk": lambda x: x.chunk(2, 1),
    "tensor_split": lambda x: x.tensor_split(3, 0),
    "unbind": lambda x: x.unbind(1),
    "hsplit": lambda x: x.hsplit(2),
    "squeeze": lambda x: x.unsqueeze(1).squeeze(1),
    "squeeze_any": lambda x: x[:, :1].squeeze(),
    "movedim": lambda x: x.unsqueeze(0).movedim(0, -1),
    "as_strided": lambda x: x.as_strided((2, 3), (3, 1), 1),
    "as_strided_shape": lambda x: x.as_strided((x.size(0), 2), (x.size(1), 1), 1),
    "view_dtype": lambda x: x.contiguous().view(torch.int32),
    "view_real": lambda x: torch.view_as_real(torch.complex(x, x)),
    "view_complex": lambda x: torch.view_as_complex(x.contiguous().unflatten(1, (-1, 2))),
    "real": lambda x: torch.complex(x, x).real,
    "detach": lambda x: x.detach(),
    "alias": lambda x: torch.ops.aten.alias(x),
    "flip": lambda x: x.flip(0),
    "roll": lambda x: x.roll(1, 1),
    "rot90": lambda x: x.rot90(),
    "repeat": lambda x: x.repeat(2, 1),
    "tile": lambda x: x.tile(2),
    "index_list": lambda x: x[[0, 2]],
    "index_tensor": lambda x: x[:, torch.tensor([1, 3])],
    "index_mask": lambda x: x[x > 0],
    "index_put": lambda x: x.clone().index_put_((torch.tensor([0]),), x[1]),
    "write_slice": lambda x: x.clone().fill_(1.0)[1:].add_(2.0),
    "write_view": lambda x: x[2:].mul_(2.0),
    "copy_into": lambda x: x[:2].copy_(x[2:4]),
    "pad": lambda x: torch.nn.functional.pad(x, (1, 2)),
    "stack": lambda x: torch.stack([x, x[:]]),
    "cat_views": lambda x: torch.cat([x[:2], x[2:]]),
    "meshgrid": lambda x: torch.meshgrid(x[0], x[:, 0], indexing="ij"),
    "contiguous": lambda x: x.contiguous(),
    "clone_format": lambda x: x.clone(memory_format=torch.contiguous_format),
    "empty_like": lambda x: torch.zeros_like(x),
    "new_shape": lambda x: x.new_zeros(x.shape[1], x.shape[0]),
    "arange": lambda x: torch.arange(x.shape[0]),
    "linspace": lambda x: torch.linspace(0, 1, x.shape[1]),
    "tril": lambda x: torch.tril(x),
    "window": lambda x: x[max(x.shape[0] - 2, 0):],
}

# What is viewed: x has 6 by 8 numbers each time.
INPUTS = {
    "plain": lambda: torch.randn(6, 8),
    "transposed": lambda: torch.randn(8, 6).t(),
    "expanded": lambda: torch.randn(1, 8).expand(6, 8),
    "all_one": lambda: torch.randn(()).expand(6, 8),
    "narrowed": lambda: torch.randn(9, 11)[2:8, 1:9],
    "stepped": lambda: torch.randn(12, 16)[::2, 1::2],
    "offset": lambda: torch.randn(100)[7:55].view(6, 8),
    "strided": lambda: torch.randn(100).as_strided((6, 8), (9, 1), 3),
    "overlapping": lambda: torch.randn(30).as_strided((6, 8), (2, 1), 1),
    "selected": lambda: torch.randn(3, 6, 8)[1],
}


def viewed(view):
    return lambda self, x: view(x)


def views():
    table = Table("view")
    for name, view in VIEWS.items():
        for kind, given in INPUTS.items():
            ways = ("static", "auto", "fake")
            if kind in ("plain", "offset"):
                ways += ("deferred", "functional", "core_auto", "strict_auto", "fake_symbols")
            table.put(name, kind, lambda v=view, g=given: made(viewed(v), g()), ways)
        table.put(name, "buffer", lambda v=view: made(Buffered(v), torch.randn(2)),
                  ("static", "functional"))
        table.put(name, "pair", lambda v=view: made(
            lambda self, x, y: (v(x), x + y, y.sum()), torch.randn(6, 8), torch.randn(6, 8)),
            ("auto", "deferred"))
    return table.source()


class Buffered(torch.nn.Module):
    """A view of a buffer, and one of a parameter, that share memory."""

    def __init__(self, view):
        super().__init__()
        self.view = view
        self.register_buffer("whole", torch.randn(8, 8))
        self.register_buffer("part", self.whole[2:])
        self.weight = torch.nn.Parameter(torch.randn(8, 6).t())

    def forward(self, x):
        return self.view(self.part), self.view(self.weight.clone()), x + 1


# ---------------------------------------------------------------- dynamic dimensions

DYNAMIC = Table("dynamic")
TRIED = ("static", "strict", "functional", "core", "twice", "inference", "fake", "preserve")


@DYNAMIC.model(*TRIED)
def derived_sum():
    batch = Dim("batch")
    return made(lambda self, x, y: x[1:] + y, torch.randn(5, 3), torch.randn(4, 3),
                dynamic={"x": {0: batch + 1}, "y": {0: batch}})


@DYNAMIC.model(*TRIED)
def derived_product():
    half = Dim("half", min=2, max=40)
    return made(lambda self, x: x.view(-1, 2), torch.randn(8), dynamic={"x": {0: 2 * half}})


@DYNAMIC.model(*TRIED)
def derived_both():
    size = Dim("size", min=2)
    return made(lambda self, x, y: torch.cat([x, y]), torch.randn(9), torch.randn(4),
                dynamic={"x": {0: 2 * size + 1}, "y": {0: size}})


@DYNAMIC.model(*TRIED)
def derived_minus():
    size = Dim("size", min=4, max=100)
    return made(lambda self, x, y: (x[:-2], y), torch.randn(8), torch.randn(6),
                dynamic={"x": {0: size}, "y": {0: size - 2}})


@DYNAMIC.model(*TRIED)
def bounds():
    return made(lambda self, x: x * 2, torch.randn(5, 6),
                dynamic={"x": {0: Dim("rows", min=2, max=64), 1: Dim("columns", min=1)}})


@DYNAMIC.model(*TRIED)
def shared():
    size = Dim("size")
    return made(lambda self, x, y: x @ y, torch.randn(4, 5), torch.randn(5, 4),
                dynamic={"x": {0: size}, "y": {1: size}})


@DYNAMIC.model(*TRIED)
def automatic_bounds():
    return made(lambda self, x: x.sum(0), torch.randn(5, 6),
                dynamic={"x": {0: Dim.AUTO(min=3, max=9), 1: Dim.STATIC}})


@DYNAMIC.model(*TRIED)
def dynamic_kind():
    return made(lambda self, x: x.relu(), torch.randn(5, 6),
                dynamic={"x": (Dim.DYNAMIC, Dim.DYNAMIC(max=100))})


@DYNAMIC.model(*TRIED)
def integer_input():
    return made(lambda self, x, n: x[:n] + n, torch.randn(9), 3,
                dynamic={"x": (Dim.AUTO,), "n": Dim.DYNAMIC})


@DYNAMIC.model(*TRIED)
def integer_two():
    return made(lambda self, x, n, m: x.new_zeros(n, m + n), torch.randn(2), 3, 4,
                dynamic={"x": None, "n": Dim.DYNAMIC, "m": Dim.DYNAMIC})


@DYNAMIC.model(*TRIED)
def integer_only():
    return made(lambda self, n: torch.ones(n), 4, dynamic={"n": Dim.DYNAMIC})


@DYNAMIC.model(*TRIED)
def nested_shapes():
    size = Dim("size")
    return made(lambda self, d, t: d["a"] + t[0][0], {"a": torch.randn(4)}, ([torch.randn(4)],),
                dynamic={"d": {"a": {0: size}}, "t": ([{0: size}],)})


@DYNAMIC.model(*TRIED)
def checked_equal():
    def forward(self, x, y):
        torch._check(x.shape[0] == y.shape[0])
        return x + y
    return made(forward, torch.randn(4), torch.randn(4), dynamic={"x": (Dim.AUTO,),
                                                                  "y": (Dim.AUTO,)})


@DYNAMIC.model(*TRIED)
def divisible():
    def forward(self, x):
        torch._check(x.shape[0] % 2 == 0)
        return x.view(2, -1)
    return made(forward, torch.randn(8), dynamic={"x": (Dim.AUTO,)})


@DYNAMIC.model(*TRIED)
def guarded():
    return made(lambda self, x: x + 1 if x.shape[0] > 3 else x - 1, torch.randn(8),
                dynamic={"x": (Dim.AUTO,)})


# What comes from data: unbacked symbols.

def take_items(self, x):
    n = x.item()
    torch._check(n >= 0)
    torch._check(n < 50)
    return torch.zeros(n + 1)


def branch_item(self, x):
    n = x.item()
    torch._check(n > 4)
    return x + 1 if n > 2 else x


def lists(self, x):
    a, b = x.tolist()
    torch._check(a >= 0)
    torch._check(b >= 0)
    return torch.ones(a), torch.ones(a + b, 2), a * b


def sized(self, x, y):
    n = x.item()
    torch._check_is_size(n)
    torch._check(n <= y.shape[0])
    return y[:n], y.narrow(0, 0, n)


def matched(self, x, y):
    n = x.nonzero().shape[0]
    torch._check(n == y.shape[0])
    return x.nonzero()[:, 0] + y


def from_data(self, x):
    return x.nonzero(), x[x > 0], torch.masked_select(x, x > 1), x.unique()


def unbacked_views(self, x):
    n = x.sum().item()
    torch._check(n > 2)
    torch._check(n < 100)
    y = torch.arange(n * 2).view(n, 2)
    return y[1:], y.t(), y.reshape(-1), y.unsqueeze(0).expand(3, n, 2), y[:, ::2]


def unbacked_offset(self, x, y):
    n = x.item()
    torch._check(n >= 0)
    torch._check(n + 2 < y.shape[0])
    return y[n], y[n:], y.narrow(0, n, 2)


def repeat_data(self, x):
    return torch.repeat_interleave(x, x.abs() + 1), torch.bincount(x.abs())


def float_item(self, x):
    f = x.float().mean().item()
    return x * f, f, math.sqrt(f * f + 1.0)


def bool_item(self, x):
    b = (x.sum() > 0).item()
    return torch.where(torch.tensor(True), x, x + 1), b


def assertions(self, x):
    torch._assert_async(x.sum() > -1000)
    torch._check(x.shape[0] > 1, lambda: "too short")
    torch._assert_async(torch.tensor(True), "a message")
    return x + 1


def constrained(self, x):
    n = x.item()
    torch._constrain_as_size(n, min=2, max=20)
    return torch.ones(n)


INTEGERS = torch.tensor([3, 5])
FROM_DATA = {
    "take_items": (take_items, lambda: (torch.tensor(3),)),
    "branch_item": (branch_item, lambda: (torch.tensor(6),)),
    "lists": (lists, lambda: (INTEGERS.clone(),)),
    "sized": (sized, lambda: (torch.tensor(2), torch.randn(6))),
    "matched": (matched, lambda: (torch.tensor([1, 0, 2]), torch.tensor([4, 5]))),
    "from_data": (from_data, lambda: (torch.randn(4, 5),)),
    "unbacked_views": (unbacked_views, lambda: (INTEGERS.clone(),)),
    "unbacked_offset": (unbacked_offset, lambda: (torch.tensor(1), torch.randn(6, 4))),
    "repeat_data": (repeat_data, lambda: (INTEGERS.clone(),)),
    "float_item": (float_item, lambda: (INTEGERS.clone(),)),
    "bool_item": (bool_item, lambda: (INTEGERS.clone(),)),
    "assertions": (assertions, lambda: (INTEGERS.clone(),)),
    "constrained": (constrained, lambda: (torch.tensor(3),)),
}


def from_data_models():
    for name, (function, args) in FROM_DATA.items():
        DYNAMIC.put(name, "model", lambda f=function, a=args: made(f, *a()),
                    TRIED + ("auto", "deferred", "core_auto", "strict_auto", "oblivious",
                             "fake_symbols", "draft"))


from_data_models()

# ---------------------------------------------------------------- arithmetic

# Of s and t, the sizes of an input of 6 by 8.
ARITHMETIC = {
    "add": lambda s, t: s + t, "sub": lambda s, t: t - s, "mul": lambda s, t: s * t,
    "neg": lambda s, t: -s, "abs": lambda s, t: abs(s - t), "pow": lambda s, t: s ** 2,
    "pow_half": lambda s, t: s ** 0.5, "floordiv": lambda s, t: s // 2,
    "floordiv_both": lambda s, t: (s * 3) // t, "mod": lambda s, t: s % 3,
    "mod_both": lambda s, t: t % s, "truediv": lambda s, t: s / t,
    "int_of": lambda s, t: int(s / 2), "round": lambda s, t: round(s / 4),
    "round_digits": lambda s, t: round(s / 3, 1),
    "floor": lambda s, t: math.floor(s / 3), "ceil": lambda s, t: math.ceil(s / 3),
    "trunc": lambda s, t: math.trunc(s / 3), "sqrt": lambda s, t: torch.sym_sqrt(s),
    "max": lambda s, t: torch.sym_max(s, t), "min": lambda s, t: torch.sym_min(s, t),
    "max_python": lambda s, t: max(s, t), "min_constant": lambda s, t: torch.sym_min(s, 7),
    "max_float": lambda s, t: torch.sym_max(s / 2, 1.5), "float": lambda s, t: torch.sym_float(s),
    "int": lambda s, t: torch.sym_int(s / 2), "not": lambda s, t: torch.sym_not(s < t),
    "lt": lambda s, t: s < t, "le": lambda s, t: s <= t, "eq": lambda s, t: s == t,
    "ne": lambda s, t: s != t, "ge_float": lambda s, t: s / 2 >= 1.0,
    "ite": lambda s, t: torch.sym_ite(s < t, s, t), "sum": lambda s, t: torch.sym_sum([s, t, 3]),
    "shift": lambda s, t: s << 2, "shift_right": lambda s, t: s >> 1,
    "and": lambda s, t: (s > 1) & (t > 2), "or": lambda s, t: (s > 9) | (t > 2),
    "bit_and": lambda s, t: s & 3, "bit_or": lambda s, t: s | t, "bit_xor": lambda s, t: s ^ 1,
    "log2": lambda s, t: torch._sym_log2(s), "sin": lambda s, t: torch._sym_sin(s / 2),
    "nested": lambda s, t: (s + 2 * t) // (s - 3) + t % 5, "float_add": lambda s, t: s / 2 + t / 4,
    "float_mul": lambda s, t: (s / 2) * 0.5, "float_floordiv": lambda s, t: (s / 2) // 1.5,
    "is_integer": lambda s, t: (s / 2).is_integer(), "product": lambda s, t: s * t * 10 ** 6,
}


def scaled(function):
    return lambda self, x: x * torch.sym_float(function(*x.shape))


def returned(function):
    def forward(self, x):
        return x.sum(), function(*x.shape)
    return forward


def as_size(function):
    return lambda self, x: x.new_empty(function(*x.shape) + 1).fill_(1)


def of_data(function):
    def forward(self, x, n):
        m = n.item()
        torch._check(m >= 4)
        torch._check(m < 100)
        return x * torch.sym_float(function(x.shape[0], m))
    return forward


def as_condition(function):
    def forward(self, x):
        value = function(*x.shape)
        holds = value if isinstance(value, (bool, torch.SymBool)) else value > 2
        return torch.cond(holds, lambda a: a + 1, lambda a: a - 1, (x,))
    return forward


USES = {"scaled": scaled, "returned": returned, "as_size": as_size,
        "as_condition": as_condition}


def symbols():
    table = Table("symbol")
    ways = ("auto", "deferred", "core_auto", "strict_auto")
    for name, function in ARITHMETIC.items():
        for use, wrap in USES.items():
            table.put(name, use, lambda f=function, w=wrap: made(w(f), torch.randn(6, 8)), ways)
        table.put(name, "of_data",
                  lambda f=function: made(of_data(f), torch.randn(6), torch.tensor(5)),
                  ("static", "auto", "core", "strict"))
    return table.source()


SOURCES = {"view": views, "dynamic": DYNAMIC.source, "symbol": symbols}
