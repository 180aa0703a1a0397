"""Programs of the harvest that are built like the networks that people export.

vision/NAME    convolutions, pooling, detection
language/NAME  attention, caches, recurrence, routing
quant/NAME     quantized and fake-quantized layers
"""

import math

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401 (registers quantized_decomposed)
from torch import nn
from torch.nn import functional as F

from harvest_table import Table, made

TRIED = ("static", "strict", "auto", "deferred", "functional", "core", "joint", "preserve",
         "modules", "inference", "opset")
TRAINED = ("static", "auto", "core", "joint")

# ---------------------------------------------------------------- vision

VISION = Table("vision")


def image(*size):
    return torch.randn(2, *(size or (3, 16, 16)))


def both(table, name, build, args, ways=TRIED, trained=TRAINED):
    """In training and in evaluation."""
    table.put(name, "eval", lambda: made(build().eval(), *args()), ways)
    table.put(name, "train", lambda: made(build().train(), *args()), trained)


def convolution(inside, outside, size=3, **options):
    return nn.Sequential(nn.Conv2d(inside, outside, size, bias=False, **options),
                         nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class Residual(nn.Module):
    def __init__(self, stride=1):
        super().__init__()
        self.first = convolution(3, 8, stride=stride, padding=1)
        self.second = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8))
        self.short = nn.Conv2d(3, 8, 1, stride=stride)

    def forward(self, x):
        y = self.second(self.first(x))
        y += self.short(x)
        return F.relu(y, inplace=True)


class SqueezeExcite(nn.Module):
    def __init__(self):
        super().__init__()
        self.depthwise = convolution(8, 8, groups=8, padding=1)
        self.squeeze, self.excite = nn.Conv2d(8, 2, 1), nn.Conv2d(2, 8, 1)

    def forward(self, x):
        x = self.depthwise(x)
        scale = F.adaptive_avg_pool2d(x, 1)
        return x * F.hardsigmoid(self.excite(F.silu(self.squeeze(scale))))


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.middle = convolution(3, 8, padding=1), convolution(8, 16, padding=1)
        self.up, self.head = nn.ConvTranspose2d(16, 8, 2, stride=2), nn.Conv2d(16, 2, 1)

    def forward(self, x):
        skip = self.down(x)
        y = self.up(self.middle(F.max_pool2d(skip, 2)))
        y = F.interpolate(y, size=skip.shape[-2:], mode="bilinear", align_corners=False)
        return self.head(torch.cat([skip, y], dim=1))


class Heads(nn.Module):
    """Boxes and classes at two scales, and anchors made of the sizes of the maps."""

    def __init__(self):
        super().__init__()
        self.maps = nn.ModuleList([nn.Conv2d(3, 8, 3, stride=2, padding=1),
                                   nn.Conv2d(8, 8, 3, stride=2, padding=1)])
        self.boxes = nn.ModuleList(nn.Conv2d(8, 8, 3, padding=1) for _ in range(2))
        self.classes = nn.ModuleDict({"a": nn.Conv2d(8, 6, 1), "b": nn.Conv2d(8, 6, 1)})

    def forward(self, x):
        boxes, classes, anchors = [], [], []
        for step, box, kind in zip(self.maps, self.boxes, self.classes.values()):
            x = F.relu6(step(x))
            boxes.append(box(x).permute(0, 2, 3, 1).reshape(x.shape[0], -1, 4))
            classes.append(kind(x).permute(0, 2, 3, 1).flatten(1, 2).softmax(-1))
            grid = torch.meshgrid(torch.arange(x.shape[2]), torch.arange(x.shape[3]),
                                  indexing="ij")
            anchors.append(torch.stack(grid, -1).reshape(-1, 2))
        return {"boxes": torch.cat(boxes, 1), "classes": classes, "anchors": torch.cat(anchors)}


class Suppressed(nn.Module):
    """Boxes chosen by their scores: how many is known from data only."""

    def forward(self, boxes, scores):
        keep = torch.where(scores > 0.3)[0]
        chosen = boxes[keep].clamp(0, 1)
        order = scores[keep].argsort(descending=True)
        return chosen[order], keep.numel()


class Patches(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Conv2d(3, 16, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, 16))
        self.place = nn.Parameter(torch.randn(1, 17, 16))
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, norm_first=True)

    def forward(self, x):
        x = self.project(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1) + self.place
        return self.layer(x)[:, 0]


class Normalized(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding="same", padding_mode="reflect"), nn.GroupNorm(2, 8),
            nn.PReLU(), nn.Dropout2d(0.2), nn.InstanceNorm2d(8, affine=True), nn.Hardswish(),
            nn.PixelShuffle(2), nn.AvgPool2d(2, ceil_mode=True), nn.UpsamplingNearest2d(9))

    def forward(self, x):
        return self.parts(x)


for name_, build_, args_ in (
        ("residual", Residual, lambda: (image(),)),
        ("residual_stride", lambda: Residual(2), lambda: (image(),)),
        ("squeeze_excite", SqueezeExcite, lambda: (image(8, 8, 8),)),
        ("unet", Unet, lambda: (image(),)), ("heads", Heads, lambda: (image(),)),
        ("suppressed", Suppressed, lambda: (torch.rand(9, 4), torch.rand(9))),
        ("patches", Patches, lambda: (image(),)), ("normalized", Normalized, lambda: (image(),)),
        ("shared", lambda: nn.Sequential(*[nn.Conv2d(3, 3, 1)] * 3), lambda: (image(),))):
    both(VISION, name_, build_, args_)

# ---------------------------------------------------------------- language

LANGUAGE = Table("language")


class Attention(nn.Module):
    """With rotary places and a mask, and a cache that it writes to."""

    def __init__(self, cached=False):
        super().__init__()
        self.qkv, self.out = nn.Linear(16, 48), nn.Linear(16, 16)
        self.cached = cached
        self.register_buffer("keys", torch.zeros(2, 2, 12, 8), persistent=False)
        self.register_buffer("values", torch.zeros(2, 2, 12, 8))

    def rotate(self, x):
        places = torch.arange(x.shape[2], device=x.device, dtype=x.dtype)
        angles = torch.outer(places, 10000.0 ** (-torch.arange(0, 4, dtype=x.dtype) / 4))
        one, two = x.chunk(2, -1)
        return torch.cat([one * angles.cos() - two * angles.sin(),
                          one * angles.sin() + two * angles.cos()], -1)

    def forward(self, x, mask=None):
        q, k, v = (part.view(x.shape[0], -1, 2, 8).transpose(1, 2)
                   for part in self.qkv(x).split(16, -1))
        q, k = self.rotate(q), self.rotate(k)
        if self.cached:
            self.keys[:, :, :k.shape[2]] = k
            self.values.narrow(2, 0, v.shape[2]).copy_(v)
            k, v = self.keys[:, :, :k.shape[2]], self.values[:, :, :v.shape[2]]
        scores = q @ k.transpose(-1, -2) / math.sqrt(8)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class Fused(nn.Module):
    def __init__(self, causal):
        super().__init__()
        self.causal = causal

    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=self.causal, dropout_p=0.0)


class At(nn.Module):
    """A cache that is written where an input says."""

    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(1, 8, 4))

    def forward(self, x, place):
        self.cache.index_copy_(1, place, x)
        self.cache[:, place] += 1
        return self.cache.sum(1), self.cache[:, : place[-1].item() + 1].shape[0]


class Routed(nn.Module):
    """Tokens go to the experts that a router picks."""

    def __init__(self, dense):
        super().__init__()
        self.router = nn.Linear(8, 3)
        self.experts = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))
        self.dense = dense

    def forward(self, x):
        weights, picked = self.router(x).softmax(-1).topk(2)
        result = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            if self.dense:
                weight = (weights * (picked == i)).sum(-1, keepdim=True)
                result = result + expert(x) * weight
            else:
                rows, places = torch.where(picked == i)
                result.index_add_(0, rows, expert(x[rows]) * weights[rows, places, None])
        return result


class Embedded(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 16, padding_idx=0)
        self.norm, self.out = nn.LayerNorm(16), nn.Linear(16, 20, bias=False)
        self.out.weight = self.words.weight
        self.feed = nn.Sequential(nn.Linear(16, 32), nn.GELU("tanh"), nn.Dropout(0.1),
                                  nn.Linear(32, 16))

    def forward(self, tokens):
        x = self.words(tokens)
        x = x + self.feed(self.norm(x))
        return F.log_softmax(self.out(x), -1)


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Embedded()

    def forward(self, tokens, wanted):
        return F.cross_entropy(self.model(tokens).flatten(0, 1), wanted.flatten(),
                               ignore_index=-100, label_smoothing=0.1)


class Generated(nn.Module):
    """The same step again and again."""

    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.GRUCell(8, 8), nn.Linear(8, 5)

    def forward(self, x):
        state, tokens = torch.zeros_like(x), []
        for _ in range(3):
            state = self.cell(x, state)
            tokens.append(self.out(state).argmax(-1))
        return torch.stack(tokens, 1), state


def tokens_():
    return torch.randint(1, 20, (2, 6))


def words(*size):
    return torch.randn(2, *(size or (6, 16)))


for name_, build_, args_ in (
        ("attention", Attention, lambda: (words(),)),
        ("attention_mask", Attention, lambda: (words(), torch.ones(6, 6).tril())),
        ("attention_cached", lambda: Attention(True), lambda: (words(),)),
        ("fused", lambda: Fused(False), lambda: [words(2, 6, 8)] * 3),
        ("fused_causal", lambda: Fused(True), lambda: [words(2, 6, 8) for _ in range(3)]),
        ("at", At, lambda: (torch.randn(1, 2, 4), torch.tensor([1, 2]))),
        ("routed", lambda: Routed(False), lambda: (torch.randn(7, 8),)),
        ("routed_dense", lambda: Routed(True), lambda: (torch.randn(7, 8),)),
        ("embedded", Embedded, lambda: (tokens_(),)),
        ("loss", Loss, lambda: (tokens_(), tokens_())),
        ("generated", Generated, lambda: (torch.randn(3, 8),)),
        ("lstm", lambda: nn.LSTM(16, 8, 2, batch_first=True), lambda: (words(),)),
        ("lstm_both", lambda: nn.LSTM(16, 8, bidirectional=True, proj_size=4),
         lambda: (words(),)),
        ("gru", lambda: nn.GRU(16, 8, dropout=0.1, num_layers=2), lambda: (words(),)),
        ("rnn", lambda: nn.RNN(16, 8, nonlinearity="relu"), lambda: (words(),)),
        ("multihead", lambda: nn.MultiheadAttention(16, 2, batch_first=True),
         lambda: [words()] * 3),
        ("decoder", lambda: nn.TransformerDecoderLayer(16, 2, 16, batch_first=True),
         lambda: (words(), words()))):
    both(LANGUAGE, name_, build_, args_)

# ---------------------------------------------------------------- quantized

QUANT = Table("quant")
Q = torch.ops.quantized_decomposed


def per_tensor(self, x):
    q = Q.quantize_per_tensor(x, 0.05, 3, -128, 127, torch.int8)
    return Q.dequantize_per_tensor(q, 0.05, 3, -128, 127, torch.int8, out_dtype=torch.float32)


def per_channel(self, x, scale, zero):
    q = Q.quantize_per_channel(x, scale, zero, 0, 0, 255, torch.uint8)
    return Q.dequantize_per_channel(q, scale, zero, 0, 0, 255, torch.uint8)


def chosen(self, x):
    scale, zero = Q.choose_qparams(x, -128, 127, 1e-5, torch.int8)
    q = Q.quantize_per_tensor.tensor(x, scale, zero, -128, 127, torch.int8)
    return Q.dequantize_per_tensor.tensor(q, scale, zero, -128, 127, torch.int8)


def per_token(self, x):
    scale, zero = Q.choose_qparams_per_token(x, torch.int8)
    return Q.quantize_per_token(x, scale, zero, -128, 127, torch.int8)


def fake_tensor(self, x):
    return torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127)


def fake_channel(self, x, scale, zero):
    return torch.fake_quantize_per_channel_affine(x, scale, zero.to(torch.int32), 0, -128, 127)


def integer_product(self, x, w):
    q = Q.quantize_per_tensor(x, 0.05, 0, -128, 127, torch.int8)
    return torch._int_mm(q, w).to(torch.float32) * 0.05


def rows():
    return torch.randn(32, 16)


def channels():
    return torch.randn(4, 6), torch.rand(4) + 0.1, torch.zeros(4, dtype=torch.int64)


for function_, args_ in (
        (per_tensor, lambda: (rows(),)), (per_channel, channels), (chosen, lambda: (rows(),)),
        (per_token, lambda: (rows(),)), (fake_tensor, lambda: (rows(),)),
        (fake_channel, channels),
        (integer_product, lambda: (rows(), torch.randint(-9, 9, (16, 8), dtype=torch.int8)))):
    QUANT.put(function_.__name__, "model", lambda f=function_, a=args_: made(f, *a()), TRIED)


class Faked(nn.Module):
    def __init__(self):
        super().__init__()
        from torch.ao.quantization import FakeQuantize, MinMaxObserver
        self.fake = FakeQuantize(observer=MinMaxObserver, quant_min=0, quant_max=255)
        self.linear = nn.Linear(16, 4)

    def forward(self, x):
        return self.linear(self.fake(x))


def dynamic_linear():
    return torch.ao.quantization.quantize_dynamic(
        nn.Sequential(nn.Linear(16, 4), nn.ReLU()), {nn.Linear}, dtype=torch.qint8)


both(QUANT, "fake_module", Faked, lambda: (rows(),))
both(QUANT, "dynamic_linear", dynamic_linear, lambda: (rows(),), ("static", "auto", "strict"), ())

SOURCES = {"vision": VISION.source, "language": LANGUAGE.source, "quant": QUANT.source}
