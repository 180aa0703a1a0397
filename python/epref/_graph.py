"""Graphs: their nodes and tensors; and signatures."""

from __future__ import annotations

import re
from typing import Any, Iterator, NamedTuple, Sequence, TypeVar, Union, overload

from . import _epref
from ._errors import safe
from ._value import Value

INPUT_KINDS = ("token", "parameter", "buffer", "buffer_not_persistent", "tensor_constant",
               "custom_obj", "user", "constant")
OUTPUT_KINDS = ("token", "buffer_mutation", "parameter_mutation", "user_input_mutation", "user",
                "loss", "gradient_to_parameter", "gradient_to_user_input")
# What releases wrap the names of symbols in.
SYMBOL = re.compile(r"(?:Symbol|Dummy)\('(\w+)'[^)]*\)")
# Enumerators of ScalarType, as torch calls its dtypes.
DTYPES = {
    "BYTE": "uint8", "CHAR": "int8", "SHORT": "int16", "INT": "int32", "LONG": "int64",
    "HALF": "float16", "FLOAT": "float32", "DOUBLE": "float64", "COMPLEXHALF": "complex32",
    "COMPLEXFLOAT": "complex64", "COMPLEXDOUBLE": "complex128", "BOOL": "bool",
    "BFLOAT16": "bfloat16", "UINT16": "uint16", "FLOAT8E4M3FN": "float8_e4m3fn",
    "FLOAT8E5M2": "float8_e5m2", "FLOAT8E4M3FNUZ": "float8_e4m3fnuz",
    "FLOAT8E5M2FNUZ": "float8_e5m2fnuz",
}


class Symbolic(NamedTuple):
    """A size, stride or offset that is an expression, as the schema version spells it."""

    expr: str
    hint: Union[int, None]

    def __str__(self) -> str:
        return safe(SYMBOL.sub(lambda found: found[1], self.expr))


Size = Union[int, Symbolic]


def size_of(size: _epref.SymbolicInt) -> Size:
    return size if isinstance(size, int) else Symbolic(*size)


class Tensor(NamedTuple):
    """What a graph says of one of its tensors."""

    name: str
    dtype: str  # as torch calls it: "float32"
    shape: tuple[Size, ...]
    strides: tuple[Size, ...]
    storage_offset: Size
    device: str  # "cpu", "cuda:1"
    layout: str  # "Strided"
    requires_grad: bool

    def __str__(self) -> str:
        sizes = ", ".join(str(size) for size in self.shape)
        device = "" if self.device == "cpu" else f" on {self.device}"
        return safe(f"{self.name}: {self.dtype}[{sizes}]{device}")


def tensor_of(told: _epref.TensorTuple) -> Tensor:
    name, dtype, layout, sizes, strides, offset, device, index, requires_grad, _ = told
    return Tensor(name, DTYPES.get(dtype, dtype.lower()), tuple(map(size_of, sizes)),
                  tuple(map(size_of, strides)), size_of(offset),
                  device if index is None else f"{device}:{index}", layout, requires_grad)


class Argument:
    """An input or output of a node."""

    __slots__ = ("name", "tag", "value_name", "is_keyword", "_value")

    def __init__(self, told: _epref.ArgumentTuple) -> None:
        self.name = told[0]  # of the operator's parameter; "" for an output
        self.tag = told[1]  # "as_tensor", "as_ints"
        self.value_name = told[2]  # of the one value of the graph that it is; else ""
        self.is_keyword = told[4]
        self._value = told[3]

    @property
    def value(self) -> Any:
        """What is under the tag, as plain Python (Value.plain); of a subgraph the Graph."""
        if self.tag == "as_graph":
            return self.graph
        return _epref.value_plain(self._value)

    @property
    def place(self) -> Value:
        """What is under the tag, as a place in the tree."""
        return Value(self._value)

    @property
    def graph(self) -> Graph | None:
        """The subgraph that it is."""
        if self.tag != "as_graph":
            return None
        return Graph(_epref.value_field(self._value, "graph"),
                     _epref.value_plain(_epref.value_field(self._value, "name")))

    @property
    def names(self) -> list[str]:
        """The names of the values of the graph that it is, or that are in it."""
        if self.value_name or self.tag == "as_graph":
            return [self.value_name] if self.value_name else []
        found: list[str] = []
        waiting = [self.value]
        while waiting:
            item = waiting.pop()
            if isinstance(item, list):
                waiting += reversed(item)
            elif isinstance(item, dict):
                for tag, part in item.items():
                    if tag in ("name", "as_name") and isinstance(part, str):
                        found.append(part)
                    elif tag != "as_graph":
                        waiting.append(part)
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Argument):
            return NotImplemented
        return ((self.name, self.tag, self.is_keyword, _epref.value_plain(self._value)) ==
                (other.name, other.tag, other.is_keyword, _epref.value_plain(other._value)))

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        if self.value_name:
            return safe(f"%{self.value_name}")
        return repr(short(self.tag, self.value))

    def __repr__(self) -> str:
        name = f"{self.name}=" if self.name else ""
        return safe(f"<epref.Argument {name}{self}>")


class Ref(str):
    """The name of a value, which is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return safe(f"%{str(self)}")


def short(tag: str, value: Any) -> Any:
    """An argument for people: names of values in lists as they are in nodes."""
    if isinstance(value, list):
        return [short(tag, item) for item in value]
    if isinstance(value, dict) and tag in ("as_tensors", "as_optional_tensors", "as_sym_ints"):
        found = value
        while isinstance(found, dict) and len(found) == 1:
            found = next(iter(found.values()))
        return Ref(found) if isinstance(found, str) else found
    return value


class Node:
    """A node: what is called, with what, and what comes out."""

    __slots__ = ("target", "name", "inputs", "outputs", "_metadata", "_value", "_nodes")

    def __init__(self, told: _epref.NodeTuple, nodes: Nodes) -> None:
        self.target = told[0]  # "torch.ops.aten.relu.default"
        self.name = told[1]  # "": the file says none
        self.inputs = tuple(map(Argument, told[2]))
        self.outputs = tuple(map(Argument, told[3]))
        self._metadata = told[4]
        self._value = told[5]
        self._nodes = nodes

    @property
    def metadata(self) -> dict[str, str]:
        """Its metadata as the file has it: "stack_trace", "nn_module_stack", ..."""
        metadata: dict[str, str] = _epref.value_plain(self._metadata)
        return metadata

    @property
    def value(self) -> Value:
        """The Node of the file, as a place in the tree."""
        return Value(self._value)

    @property
    def subgraphs(self) -> list[Graph]:
        return [graph for graph in (argument.graph for argument in self.inputs) if graph]

    @property
    def users(self) -> list[Node]:
        """The nodes of its graph that have an output of it among their inputs, in order."""
        found = {i for output in self.outputs for name in output.names
                 for i in self._nodes.uses().get(name, ())}
        return [self._nodes[i] for i in sorted(found)]

    def __getitem__(self, name: str) -> Argument:
        """The input for a parameter of the operator."""
        for argument in self.inputs:
            if argument.name == name:
                return argument
        raise KeyError(name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return (self.target, self.inputs, self.outputs) == (other.target, other.inputs,
                                                            other.outputs)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        outputs = ", ".join(str(output) for output in self.outputs)
        inputs = ", ".join(f"{given.name}={given}" if given.is_keyword else str(given)
                           for given in self.inputs)
        return safe(f"{outputs} = {self.target}({inputs})")

    def __repr__(self) -> str:
        return f"<epref.Node {self}>"


Item = TypeVar("Item", Node, Tensor)


class Lazy(Sequence[Item]):
    """A sequence whose items are made when they are asked for."""

    __slots__ = ("_graph",)

    def __init__(self, graph: _epref.GraphHandle) -> None:
        self._graph = graph

    def _at(self, i: int) -> Item | None:
        raise NotImplementedError

    @overload
    def __getitem__(self, i: int) -> Item: ...

    @overload
    def __getitem__(self, i: slice) -> list[Item]: ...

    def __getitem__(self, i: int | slice) -> Item | list[Item]:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        item = self._at(i + len(self) if i < 0 else i)
        if item is None:
            raise IndexError(i)
        return item

    def __iter__(self) -> Iterator[Item]:
        for i in range(len(self)):
            yield self[i]

    def __repr__(self) -> str:
        return f"<{len(self)} of epref.{type(self).__name__}>"


class Nodes(Lazy[Node]):
    """The nodes of a graph, in the order of execution."""

    __slots__ = ("_uses", "_makers")

    def __init__(self, graph: _epref.GraphHandle) -> None:
        super().__init__(graph)
        self._uses: dict[str, list[int]] | None = None
        self._makers: dict[str, int] = {}

    def _at(self, i: int) -> Node | None:
        told = _epref.graph_node(self._graph, i)
        return None if told is None else Node(told, self)

    def __len__(self) -> int:
        return _epref.graph_counts(self._graph)[0]

    def uses(self) -> dict[str, list[int]]:
        """The numbers of the nodes that use a value, by its name."""
        if self._uses is None:
            uses: dict[str, list[int]] = {}
            for i, node in enumerate(self):
                for name in {name for given in node.inputs for name in given.names}:
                    uses.setdefault(name, []).append(i)
                for name in (name for made in node.outputs for name in made.names):
                    self._makers[name] = i
                if node.name:
                    self._makers.setdefault(node.name, i)
            self._uses = uses
        return self._uses

    def get(self, name: str) -> Node | None:
        """The node that makes the value of a name, or is called so; None: there is none."""
        self.uses()
        return self[self._makers[name]] if name in self._makers else None


class Tensors(Lazy[Tensor]):
    """The tensors of a graph, by number or by name."""

    __slots__ = ()

    def _at(self, i: int) -> Tensor | None:
        told = _epref.graph_tensor(self._graph, i)
        return None if told is None else tensor_of(told)

    def __len__(self) -> int:
        return _epref.graph_counts(self._graph)[1]

    @overload
    def __getitem__(self, i: int | str) -> Tensor: ...

    @overload
    def __getitem__(self, i: slice) -> list[Tensor]: ...

    def __getitem__(self, i: int | str | slice) -> Tensor | list[Tensor]:
        if not isinstance(i, str):
            return super().__getitem__(i)
        found = self.get(i)
        if found is None:
            raise KeyError(i)
        return found

    def __contains__(self, item: object) -> bool:
        return self.get(item) is not None if isinstance(item, str) else super().__contains__(item)

    def get(self, name: str) -> Tensor | None:
        """The tensor of a name; None: no tensor has it."""
        told = _epref.graph_tensor_named(self._graph, name)
        return None if told is None else tensor_of(told)


class Graph:
    """A program's own graph, or a subgraph."""

    __slots__ = ("name", "nodes", "_graph", "_value")

    def __init__(self, value: _epref.ValueHandle, name: str = "") -> None:
        self.name = name  # of a subgraph
        self._value = value
        self._graph = _epref.graph_open(value)
        self.nodes = Nodes(self._graph)

    @property
    def tensors(self) -> Tensors:
        return Tensors(self._graph)

    @property
    def value(self) -> Value:
        """The Graph of the file, as a place in the tree."""
        return Value(self._value)

    def __getitem__(self, name: str) -> Node | Tensor:
        """The node that makes a value, or is called so; of an input the tensor."""
        found = self.nodes.get(name)
        return self.tensors[name] if found is None else found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (self.nodes.get(name) or self.tensors.get(name)) is not None

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def subgraphs(self) -> Iterator[Graph]:
        """The subgraphs of its nodes, and those of these."""
        waiting: list[Graph] = [self]
        while waiting:
            found = [graph for node in waiting.pop().nodes for graph in node.subgraphs]
            yield from found
            waiting += reversed(found)

    def __str__(self) -> str:
        return "\n".join(str(node) for node in self.nodes)

    def __repr__(self) -> str:
        return f"<epref.Graph {self.name or 'of the program'}: {len(self.nodes)} nodes>"


class Entry(NamedTuple):
    """An input or output of a program."""

    kind: str  # "user", "parameter", "buffer_mutation", ...
    name: str  # of the value in the graph; "" for a constant
    target: str  # the parameter, buffer or input that it is, changes, or is the gradient of
    constant: Any  # of a constant: its value

    def __str__(self) -> str:
        name = f"%{self.name}" if self.name else repr(self.constant)
        return f"{self.kind} {name}" + (f" of {self.target}" if self.target else "")


class Signature(NamedTuple):
    """The inputs and outputs of a program."""

    inputs: tuple[Entry, ...]
    outputs: tuple[Entry, ...]

    @property
    def user_inputs(self) -> tuple[Entry, ...]:
        return tuple(each for each in self.inputs if each.kind in ("user", "constant"))

    @property
    def user_outputs(self) -> tuple[Entry, ...]:
        return tuple(each for each in self.outputs if each.kind == "user")

    @property
    def parameters(self) -> dict[str, str]:
        """The names of parameters, and of their values in the graph."""
        return {each.target: each.name for each in self.inputs if each.kind == "parameter"}

    @property
    def buffers(self) -> dict[str, str]:
        """The names of buffers, and of their values in the graph."""
        return {each.target: each.name for each in self.inputs if each.kind.startswith("buffer")}


def signature_of(handle: _epref.ProgramHandle) -> Signature:
    inputs, outputs = _epref.program_signature(handle)
    return Signature(tuple(entry_of(INPUT_KINDS, told) for told in inputs),
                     tuple(entry_of(OUTPUT_KINDS, told) for told in outputs))


def entry_of(kinds: tuple[str, ...], told: _epref.EntryTuple) -> Entry:
    kind, name, target, constant = told
    return Entry(kinds[kind], name, target, _epref.value_plain(constant))
