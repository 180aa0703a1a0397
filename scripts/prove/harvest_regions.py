"""Programs of the harvest about higher-order operators, alone and nested in each other.

region/OUTER   each region that holds an operation, or another region
closed/NAME    regions that use symbols, constants, parameters and buffers from outside
"""

import torch
from torch._higher_order_ops import associative_scan, scan, while_loop
from torch._higher_order_ops.hints_wrap import hints_wrapper
from torch._higher_order_ops.strict_mode import strict_mode
from torch.utils.checkpoint import checkpoint

from harvest_table import Table, made

nested_region = torch.compiler.nested_compile_region


# ---------------------------------------------------------------- what stands in a region


def sine(x):
    return x.sin() + 1.0


def matrix(x):
    return (x @ x.transpose(-1, -2) @ x).relu()


def viewing(x):
    return x[..., 1:].sum(-1, keepdim=True) + x


def normal(x):
    return torch.nn.functional.layer_norm(x, (x.shape[-1],))


def constant(x):
    return x + torch.tensor([2.0])


def sized(x):
    return x * x.shape[0]


LEAVES = {"sine": sine, "matrix": matrix, "viewing": viewing, "normal": normal,
          "constant": constant, "sized": sized}


# ---------------------------------------------------------------- regions: function to function


def cond_of(inner):
    return lambda x: torch.cond(x.sum() > 0, lambda a: inner(a), lambda a: a.cos(), (x,))


def cond_size(inner):
    return lambda x: torch.cond(x.shape[0] > 3, lambda a: inner(a), lambda a: a - 1.0, (x,))


def cond_two(inner):
    """Both branches hold it, and give back two tensors."""
    def region(x):
        one, two = torch.cond(x.mean() > 0, lambda a: (inner(a), a + 1.0),
                              lambda a: (a * 2.0, inner(a)), (x,))
        return one + two
    return region


def while_of(inner):
    def region(x):
        return while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, inner(a)),
                          (torch.tensor(0), x))[1]
    return region


def while_integer(inner):
    """The counter is an integer of the program."""
    def region(x):
        return while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, inner(a).clone()), (0, x))[1]
    return region


def map_of(inner):
    from torch._higher_order_ops.map import map
    return lambda x: map(lambda row, y: inner(row.unsqueeze(0)).squeeze(0) + y, x, x[0])


def scan_of(inner):
    def region(x):
        last, all_of_them = scan(lambda carry, row: (carry + row, inner(row[None])[0] * carry),
                                 x[0].clone(), x, dim=0)
        return all_of_them + last
    return region


def associative_of(inner):
    return lambda x: inner(associative_scan(lambda a, b: a + b, x, dim=0, combine_mode="generic"))


def checkpoint_of(inner):
    return lambda x: checkpoint(inner, x, use_reentrant=False)


def no_grad_of(inner):
    def region(x):
        with torch.no_grad():
            y = inner(x)
        return y + x
    return region


def enable_grad_of(inner):
    def region(x):
        with torch.no_grad():
            y = x.sin()
            with torch.enable_grad():
                z = inner(y)
        return z + y
    return region


def autocast_of(inner):
    def region(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = inner(x)
        return y.float() + x
    return region


def autocast_off(inner):
    def region(x):
        with torch.autocast("cpu", enabled=False):
            return inner(x) + 1.0
    return region


def subgraph_of(inner):
    return nested_region(lambda x: inner(x))


def subgraph_twice(inner):
    """Two calls of one region: one subgraph under one name."""
    region = nested_region(lambda x: inner(x))
    return lambda x: region(region(x) + 1.0)


def subgraph_sizes(inner):
    """Two calls with other sizes: two subgraphs."""
    region = nested_region(lambda x: inner(x))
    return lambda x: region(torch.cat([x, x]))[:x.shape[0]] + region(x)


def hints_of(inner):
    return lambda x: hints_wrapper(lambda a: inner(a), (x,), {}, hints={"a": 1, "name": True})


def strict_of(inner):
    return lambda x: strict_mode(lambda a: (inner(a),), (x,))[0]


def effect_of(inner):
    def region(x):
        torch.ops.aten._print("begun")
        y = inner(x)
        torch.ops.higher_order.print("value {x}", x=3)
        return y
    return region


def vmap_of(inner):
    return lambda x: torch.vmap(lambda row: inner(row[None])[0])(x)


REGIONS = {
    "cond": cond_of, "cond_size": cond_size, "cond_two": cond_two, "while": while_of,
    "while_integer": while_integer, "map": map_of, "scan": scan_of,
    "associative_scan": associative_of, "checkpoint": checkpoint_of, "no_grad": no_grad_of,
    "enable_grad": enable_grad_of, "autocast": autocast_of, "autocast_off": autocast_off,
    "subgraph": subgraph_of, "subgraph_twice": subgraph_twice, "subgraph_sizes": subgraph_sizes,
    "hints": hints_of, "strict_mode": strict_of, "effect": effect_of, "vmap": vmap_of,
}
TRIED = ("static", "auto", "functional", "core", "strict", "strict_auto", "inference", "twice")


def nested(function):
    return lambda self, x: function(x)


def regions():
    table = Table("region")
    for name, region in REGIONS.items():
        for leaf, inside in LEAVES.items():
            table.put(name, leaf, lambda r=region, i=inside: made(
                nested(r(i)), torch.randn(5, 4)), TRIED if leaf == "sine" else TRIED[:3])
        table.put(name, "gradient", lambda r=region: made(
            nested(r(sine)), torch.randn(5, 4, requires_grad=True)), ("static", "core", "joint"))
        for other, second in REGIONS.items():
            table.put(name, f"of_{other}", lambda r=region, s=second: made(
                nested(r(s(sine))), torch.randn(5, 4)), ("static", "auto"))
    return table.source()


# ---------------------------------------------------------------- what comes from outside

CLOSED = Table("closed")


class Outside(torch.nn.Module):
    """Regions that use parameters, buffers and constants of a module."""

    def __init__(self, region, function):
        super().__init__()
        self.region, self.function = region, function
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("scale", torch.rand(4))
        self.register_buffer("hidden", torch.rand(4), persistent=False)
        self.constant = torch.rand(4)

    def forward(self, x):
        return self.region(lambda a: self.function(self, a))(x)


def by_linear(self, x):
    return self.linear(x)


def by_buffer(self, x):
    return x * self.scale + self.hidden


def by_constant(self, x):
    return x * self.constant + torch.tensor(3.0)


def by_write(self, x):
    self.scale.add_(1.0)
    return x * self.scale


def closures():
    for name, region in REGIONS.items():
        for function in (by_linear, by_buffer, by_constant, by_write):
            CLOSED.put(name, function.__name__, lambda r=region, f=function: made(
                Outside(r, f), torch.randn(5, 4)), ("static", "auto", "functional"))
        CLOSED.put(name, "symbol", lambda r=region: made(
            lambda self, x, y: r(lambda a: a * y.shape[0] + y.sum())(x),
            torch.randn(5, 4), torch.randn(7)), ("auto", "strict_auto", "core_auto", "deferred"))
        CLOSED.put(name, "data", lambda r=region: made(
            by_item(r), torch.randn(5, 4), torch.tensor(3)),
            ("static", "auto", "strict", "functional"))


def by_item(region):
    def forward(self, x, n):
        size = n.item()
        torch._check(size > 1)
        torch._check(size < 40)
        return region(lambda a: a * size + torch.ones(size).sum())(x)
    return forward


closures()
USUAL = ("static", "auto", "functional", "core", "strict", "strict_auto", "deferred")


@CLOSED.model(*USUAL)
def operand_symbol():
    """An operand that is a symbol, among tensors."""
    def forward(self, x, y):
        return torch.cond(x.sum() > 0, lambda a, n: a + n, lambda a, n: a - n, (x, y.shape[0]))
    return made(forward, torch.randn(5), torch.randn(7))


@CLOSED.model(*USUAL)
def operand_constants():
    def forward(self, x):
        return torch.cond(x.shape[0] > 2, lambda a, i, f: a * i + f, lambda a, i, f: a - i,
                          (x, 3, 2.5))
    return made(forward, torch.randn(5))


@CLOSED.model(*USUAL)
def operand_trees():
    def forward(self, x, y):
        return torch.cond(x.sum() > 0, lambda d, t: {"r": d["a"] + t[0]},
                          lambda d, t: {"r": d["a"] - t[0]}, ({"a": x}, (y,)))
    return made(forward, torch.randn(5), torch.randn(5))


@CLOSED.model(*USUAL)
def other_sizes():
    """Branches whose results have other sizes."""
    return made(lambda self, x: torch.cond(
        x.sum() > 0, lambda a: a[:2], lambda a: a[:3], (x,)), torch.randn(5))


@CLOSED.model(*USUAL)
def integers_given_back():
    return made(lambda self, x: torch.cond(
        x.sum() > 0, lambda a: (a + 1, 2), lambda a: (a, 3), (x,)), torch.randn(5))


@CLOSED.model(*USUAL)
def loop_of_symbols():
    def forward(self, x):
        def body(i, n, a):
            return i + 1, n, a + n
        return while_loop(lambda i, n, a: i < n, body, (0, x.shape[0], x))
    return made(forward, torch.randn(5))


@CLOSED.model(*USUAL)
def loop_of_data():
    def forward(self, x, n):
        return while_loop(lambda i, a: i > 0, lambda i, a: (i - 1, a * 2), (n, x))
    return made(forward, torch.randn(5), torch.tensor(3))


@CLOSED.model(*USUAL)
def scan_of_trees():
    def forward(self, x, y):
        def step(carry, row):
            return {"s": carry["s"] + row[0]}, (row[0] * row[1], carry["s"].clone())
        return scan(step, {"s": torch.zeros(4)}, (x, y), dim=0, reverse=True)
    return made(forward, torch.randn(5, 4), torch.randn(5, 4))


@CLOSED.model(*USUAL)
def map_of_trees():
    from torch._higher_order_ops.map import map
    return made(lambda self, x, y: map(
        lambda pair, n: [pair[0] + pair[1], pair[0] * n], (x, x * 2), y),
        torch.randn(5, 4), torch.randn(4))


@CLOSED.model(*USUAL)
def two_regions_of_one_function():
    region = nested_region(lambda x, y: x.sin() + y)
    return made(lambda self, x, y: region(x, y) + region(y, x), torch.randn(4), torch.randn(4))


@CLOSED.model(*USUAL)
def region_of_layers():
    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        @nested_region
        def forward(self, x):
            return self.linear(x).relu()
    return made(torch.nn.Sequential(*(Block() for _ in range(3))), torch.randn(5, 4))


@CLOSED.model("static", "strict", "functional", "auto")
def flex():
    from torch.nn.attention.flex_attention import flex_attention
    query = [torch.randn(1, 2, 128, 16) for _ in range(3)]
    return made(lambda self, q, k, v: flex_attention(q, k, v), *query)


@CLOSED.model("static", "strict", "functional")
def flex_score():
    from torch.nn.attention.flex_attention import flex_attention
    query = [torch.randn(1, 2, 128, 16) for _ in range(3)]

    def forward(self, q, k, v, bias):
        return flex_attention(q, k, v, lambda s, b, h, i, j: s + bias[h] * (i - j))
    return made(forward, *query, torch.randn(2))


@CLOSED.model("static", "strict", "functional")
def flex_mask():
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
    mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, 128, 128, device="cpu")
    query = [torch.randn(1, 2, 128, 16) for _ in range(3)]
    return made(lambda self, q, k, v: flex_attention(q, k, v, block_mask=mask), *query)


@CLOSED.model(*USUAL)
def grad_inside_autocast():
    def forward(self, x, w):
        with torch.autocast("cpu", dtype=torch.float16):
            with torch.no_grad():
                y = x @ w
            with torch.autocast("cpu", enabled=False):
                z = y.float().exp()
        return y + z.half(), z
    return made(forward, torch.randn(4, 4), torch.randn(4, 4))


@CLOSED.model(*USUAL)
def grad_set_many():
    def forward(self, x):
        a = x + 1
        torch._C._set_grad_enabled(False)
        b, c = a.sin(), a.split(2)
        torch._C._set_grad_enabled(True)
        d = b * c[0].sum()
        torch._C._set_grad_enabled(False)
        return d + 1, c
    return made(forward, torch.randn(4, 4))


SOURCES = {"region": regions, "closed": CLOSED.source}
