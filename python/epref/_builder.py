"""Programs that are made, not read."""

from __future__ import annotations

from operator import index
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence, Union

from . import _epref
from ._errors import Error, diagnostic_of
from ._graph import DTYPES, INPUT_KINDS, OUTPUT_KINDS
from ._program import Program

ENUMERATORS = {name: enumerator for enumerator, name in DTYPES.items()}
OPERATIONS = ("add", "sub", "mul", "floordiv", "mod", "max", "min", "truediv", "to_float", "eq",
              "ne", "lt", "le", "gt", "ge")  # ep_sym_op
EXPRESSIONS = {"int": 2, "float": 3, "bool": 4}  # ep_kind
RETURNS = ("declared", "tuple", "tensor")  # ep_node_returns
OPEN_MIN, OPEN_MAX = -2**63, 2**63 - 1  # of ranges


def _of(name: str, is_right: bool = False) -> Callable[[Expression, Term], Expression]:
    """The method of an operation; is_right: its expression is the second term."""
    def method(self: Expression, other: Term) -> Expression:
        return self._apply(name, *((other, self) if is_right else (self, other)))
    return method


class Expression:
    """A symbolic expression, which a builder made: an integer, a float or a condition.

    `+`, `-`, `*`, `//`, `%` and `/` (of integers, a float) make others. Comparing is by methods,
    since `==` of Python asks whether two objects are one: `s0.eq(4)`.
    """

    __slots__ = ("_builder", "_handle")

    def __init__(self, builder: Builder, handle: _epref.ExprHandle) -> None:
        self._builder = builder
        self._handle = handle

    def _apply(self, name: str, *terms: Term) -> Expression:
        handles = [self._builder._expr(term) for term in terms]
        return Expression(self._builder, _epref.builder_expr_apply(
            self._builder._handle, OPERATIONS.index(name), handles[0],
            handles[1] if len(handles) > 1 else None))

    __add__, __radd__ = _of("add"), _of("add", True)
    __sub__, __rsub__ = _of("sub"), _of("sub", True)
    __mul__, __rmul__ = _of("mul"), _of("mul", True)
    __floordiv__, __rfloordiv__ = _of("floordiv"), _of("floordiv", True)
    __mod__, __rmod__ = _of("mod"), _of("mod", True)
    __truediv__, __rtruediv__ = _of("truediv"), _of("truediv", True)
    max, min = _of("max"), _of("min")
    eq, ne, lt, le, gt, ge = (_of("eq"), _of("ne"), _of("lt"), _of("le"), _of("gt"), _of("ge"))

    def to_float(self) -> Expression:
        return self._apply("to_float", self)


Term = Union[int, Expression]


class BuiltValue:
    """A value of a graph that is being built: a tensor, a symbolic number, a custom object."""

    __slots__ = ("name", "kind", "_handle")

    def __init__(self, name: str, kind: str, handle: _epref.BuiltHandle) -> None:
        self.name = name
        self.kind = kind  # "tensor", "symbolic", "custom_obj"
        self._handle = handle

    def __repr__(self) -> str:
        return f"<epref.BuiltValue {self.kind} %{self.name}>"


class BuiltArgument:
    """An Argument that Builder.arg made."""

    __slots__ = ("tag", "_handle")

    def __init__(self, tag: str, handle: _epref.ArgHandle) -> None:
        self.tag = tag
        self._handle = handle


class BuiltGraph:
    """The graph of a program that is being built, or a subgraph.

    A value is of the graph from when it is made; an input, or the output of a node, then
    defines it. name: of a subgraph, as the argument has it that holds the graph.
    """

    __slots__ = ("name", "_builder", "_handle")

    def __init__(self, builder: Builder, name: str, handle: _epref.BuiltGraphHandle) -> None:
        self.name = name
        self._builder = builder
        self._handle = handle

    def __eq__(self, other: object) -> bool:
        return self._handle is other._handle if isinstance(other, BuiltGraph) else NotImplemented

    def __hash__(self) -> int:
        return id(self._handle)

    # ---- values

    def tensor(self, name: str, dtype: str, shape: Sequence[Term],
               strides: Sequence[Term] | None = None, *, storage_offset: Term = 0,
               device: str = "cpu", layout: str = "Strided",
               requires_grad: bool = False) -> BuiltValue:
        """A tensor. dtype is torch's name ("float32") or the schema's ("FLOAT"); without strides
        it is contiguous. Releases before 2.9 wrote 0 for any offset."""
        builder = self._builder
        kind, _, number = device.partition(":")
        handle = _epref.builder_tensor(
            builder._handle, self._handle, name, ENUMERATORS.get(dtype, dtype),
            tuple(map(builder._dim, shape)),
            None if strides is None else tuple(map(builder._dim, strides)),
            builder._dim(storage_offset), None if kind == "cpu" else kind,
            int(number) if number else None, bool(requires_grad),
            None if layout == "Strided" else layout)
        return BuiltValue(name, "tensor", handle)

    def symbolic(self, name: str, expression: Term) -> BuiltValue:
        """A SymInt, SymFloat or SymBool, as the expression is."""
        builder = self._builder
        return BuiltValue(name, "symbolic", _epref.builder_symbolic(
            builder._handle, self._handle, name, builder._expr(expression)))

    def custom_obj(self, name: str, class_fqn: str) -> BuiltValue:
        """A custom object of a class."""
        return BuiltValue(name, "custom_obj", _epref.builder_custom_obj(
            self._builder._handle, self._handle, name, class_fqn))

    # ---- nodes

    def node(self, target: str, inputs: Inputs = (), outputs: Sequence[Any] = (), *,
             kwargs: Mapping[str, Any] | None = None, name: str | None = None,
             returns: str = "declared", stack_trace: str = "",
             modules: Iterable[tuple[str, str, str]] = (), source: tuple[str, str] | None = None,
             torch_fn: tuple[str, str] | None = None,
             metadata: Mapping[str, str] | None = None) -> None:
        """The next node. Arguments are what Builder.arg takes.

        inputs: a mapping of the operator's parameters, or tuples (name, argument) or
        (name, argument, is_keyword); those of kwargs follow, as keywords. Operators of higher
        order have no names: "". returns: what an operator of higher order returns, "tuple" or
        "tensor". modules: (key, path, type), from the outermost in. source: ("add",
        "_operator.add"). torch_fn: ("add_1", "method_descriptor.add").
        """
        builder = self._builder
        given = [(each[0], each[1], len(each) > 2 and bool(each[2])) for each in
                 (inputs.items() if isinstance(inputs, Mapping) else inputs)]
        given += [(each, argument, True) for each, argument in (kwargs or {}).items()]
        _epref.builder_node(
            builder._handle, self._handle, target, name,
            tuple((each, builder.arg(argument)._handle, keyword)
                  for each, argument, keyword in given),
            builder._args(outputs), one_of(RETURNS, returns), stack_trace,
            tuple((key, path, kind) for key, path, kind in modules), pair_of(source),
            pair_of(torch_fn), tuple((metadata or {}).items()))

    # ---- what a subgraph takes and gives

    def input(self, argument: Any) -> None:
        """The next input of a subgraph. Those of the program: Builder.input."""
        _epref.builder_graph_input(self._builder._handle, self._handle,
                                   self._builder.arg(argument)._handle)

    def output(self, argument: Any) -> None:
        """The next output of a subgraph."""
        _epref.builder_graph_output(self._builder._handle, self._handle,
                                    self._builder.arg(argument)._handle)


Inputs = Union[Mapping[str, Any], Sequence[Union[tuple[str, Any], tuple[str, Any, bool]]]]


class Leaf:
    """A leaf of a tree spec: epref.LEAF."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "epref.LEAF"


LEAF = Leaf()


class TreeNode(NamedTuple):
    """A node of a tree spec whose type is none of tuple, list and dict."""

    type: str  # "collections.OrderedDict"
    context: str  # JSON
    children: tuple[Any, ...]


# What a tree spec is made of: LEAF, tuples, lists and dicts of str, and TreeNode.
Tree = Union[Leaf, TreeNode, "tuple[Any, ...]", "list[Any]", "dict[str, Any]"]


class Builder:
    """A program in the making, at any schema version: "8.20", "torch-2.6", "latest".

    What is said is said in the terms of the latest version, and written as the version has it;
    what only records where something came from, and the version has no place for, is left out.
    What the version cannot say, and what is no program, raises Error at the call that says it;
    the builder has ended then. A builder belongs to one thread at a time.
    """

    __slots__ = ("text", "_handle", "_root", "__weakref__")

    def __init__(self, version: str = "latest") -> None:
        self._handle = _epref.builder_open(version)
        self._root = _epref.builder_root(self._handle)
        self.text = b""  # what was built, also where it is refused

    @property
    def graph(self) -> BuiltGraph:
        """The program's own graph."""
        return BuiltGraph(self, "", self._root)

    def has(self, type: str, member: str | None = None) -> bool:
        """Whether the version has a type, and a member of it: has("OutputSpec", "token")."""
        return _epref.builder_has(self._handle, type, member)

    def build(self, check: bool = True) -> Program:
        """Ends the program. check: judge it, too. Where it is refused, the places of the Error
        are in `text`."""
        self.text, program, place = _epref.builder_finish(self._handle, bool(check))
        if program is None:
            assert place is not None
            raise Error(diagnostic_of(place, "error"))
        return Program(program)

    # ---- expressions

    def symbol(self, name: str, hint: int | None = None) -> Expression:
        """An integer that is not known: with a hint one of the sizes of inputs (s0), else one
        that is known only when the program runs (u0)."""
        return Expression(self, _epref.builder_expr_symbol(self._handle, name, hint))

    def number(self, value: int) -> Expression:
        """An integer that is known."""
        return Expression(self, _epref.builder_expr_int(self._handle, index(value)))

    def float_symbol(self, name: str) -> Expression:
        """A float that is not known (zuf0)."""
        return Expression(self, _epref.builder_expr_float_symbol(self._handle, name))

    def expression(self, text: str, kind: str = "int") -> Expression:
        """An expression as the version spells it, of the kind "int", "float" or "bool"."""
        if kind not in EXPRESSIONS:
            raise ValueError(f"no kind of an expression: {kind!r}")
        return Expression(self, _epref.builder_expr_text(self._handle, EXPRESSIONS[kind], text))

    def range(self, symbol: Expression, min: int | None = None, max: int | None = None) -> None:
        """What a symbol can be; None is an open end."""
        _epref.builder_range(self._handle, symbol._handle, OPEN_MIN if min is None else min,
                             OPEN_MAX if max is None else max)

    def _expr(self, term: Term) -> _epref.ExprHandle:
        return (term if isinstance(term, Expression) else self.number(term))._handle

    def _dim(self, term: Term) -> int | _epref.ExprHandle:
        return term._handle if isinstance(term, Expression) else index(term)

    # ---- arguments

    def arg(self, value: Any, tag: str | None = None) -> BuiltArgument:
        """An argument, by what it is in Python: None, bool, int, float, complex, str, a value
        of the graph, a subgraph, a mapping, or a list of any of these but the last two.

        tag: what the schema calls it, where Python does not tell: "as_device" of "cuda:1",
        "as_scalar_type" of a dtype, "as_layout", "as_memory_format", "as_operator",
        "as_optional_tensor", "as_floats" of no floats. A list of nothing is one of ints.
        """
        if isinstance(value, BuiltArgument):
            return value
        tag = tag or tag_of(value)
        return BuiltArgument(tag, _epref.builder_arg(self._handle, tag, self._plain(tag, value)))

    def _args(self, values: Iterable[Any]) -> tuple[_epref.ArgHandle, ...]:
        return tuple(self.arg(value)._handle for value in values)

    def _plain(self, tag: str, value: Any) -> Any:
        """What the extension module makes an argument of a tag of."""
        if tag in ("as_int_lists", "as_float_lists", "as_nested_tensors", "as_sym_ints",
                   "as_sym_floats", "as_sym_bools"):
            return self._args(value)
        if tag == "as_string_to_argument":
            return tuple(value), self._args(value.values())
        if tag in ("as_tensors", "as_optional_tensors"):
            return tuple(handle_of(each) for each in value)
        if tag in ("as_ints", "as_floats", "as_bools", "as_strings"):
            return tuple(value)
        if tag == "as_device":
            kind, _, number = value.partition(":")
            return kind, int(number) if number else None
        if tag == "as_scalar_type":
            return ENUMERATORS.get(value, value)
        if tag == "as_graph":
            return value.name, value._handle
        return handle_of(value)

    def subgraph(self, name: str) -> BuiltGraph:
        """Another graph. As an argument it is complete: nothing may be added to it after that."""
        return BuiltGraph(self, name, _epref.builder_subgraph(self._handle))

    # ---- the signature

    def input(self, argument: Any, kind: str = "user", name: str | None = None) -> None:
        """The next input of the program. kind: as Signature has it, "user", "parameter",
        "buffer", "constant", ... name: of the parameter, buffer, constant or object."""
        _epref.builder_input(self._handle, one_of(INPUT_KINDS, kind), self.arg(argument)._handle,
                             name)

    def output(self, argument: Any, kind: str = "user", name: str | None = None) -> None:
        """The next output of the program. name: of the buffer, parameter or user input that it
        is for."""
        _epref.builder_output(self._handle, one_of(OUTPUT_KINDS, kind),
                              self.arg(argument)._handle, name)

    # ---- tree specs and the module call graph

    def call(self, args: Tree, out: Tree, *, kwargs: Tree | None = None,
             names: Sequence[str] | None = None, inputs: Iterable[Any] = (),
             outputs: Iterable[Any] = ()) -> None:
        """How the program is called: its arguments are a tuple, and keyword arguments a dict, of
        LEAF, tuples, lists, dicts and TreeNode. names: of the parameters of forward. inputs,
        outputs: arguments of the graph, which PyTorch lists for modules alone. When it is not
        said, inputs are positional, and outputs a tuple if there are several."""
        _epref.builder_call(self._handle, self._call(args, out, kwargs, names, inputs, outputs))

    def module(self, fqn: str, args: Tree | None = None, out: Tree = LEAF, *,
               kwargs: Tree | None = None, names: Sequence[str] | None = None,
               inputs: Iterable[Any] = (), outputs: Iterable[Any] = ()) -> None:
        """The next module of the module call graph; with args, how it is called, and by which
        arguments of the graph."""
        call = None if args is None else self._call(args, out, kwargs, names, inputs, outputs)
        _epref.builder_module(self._handle, fqn, call)

    def _call(self, args: Tree, out: Tree, kwargs: Tree | None, names: Sequence[str] | None,
              inputs: Iterable[Any], outputs: Iterable[Any]) -> _epref.CallTuple:
        return (self._tree(args), None if kwargs is None else self._tree(kwargs), self._tree(out),
                None if names is None else tuple(names), self._args(inputs), self._args(outputs))

    def _tree(self, tree: Tree) -> _epref.TreeHandle:
        if isinstance(tree, Leaf):
            return _epref.builder_tree_leaf(self._handle)
        if isinstance(tree, dict):
            return _epref.builder_tree_dict(self._handle, tuple(tree),
                                            tuple(map(self._tree, tree.values())))
        if isinstance(tree, TreeNode):
            return _epref.builder_tree_node(self._handle, tree.type, tree.context,
                                            tuple(map(self._tree, tree.children)))
        if isinstance(tree, list):
            return _epref.builder_tree_list(self._handle, tuple(map(self._tree, tree)))
        if isinstance(tree, tuple):
            return _epref.builder_tree_tuple(self._handle, tuple(map(self._tree, tree)))
        raise TypeError(f"no part of a tree spec: {tree!r}")

    # ---- the program as a whole

    def opset(self, name: str, version: int) -> None:
        """An opset beside "aten" 10, or another version of that."""
        _epref.builder_opset(self._handle, name, version)

    def verifier(self, name: str) -> None:
        """A verifier in place of that of a fresh export."""
        _epref.builder_verifier(self._handle, name)

    def torch_version(self, text: str) -> None:
        """The release that the program says it is of, in place of the first of the version."""
        _epref.builder_torch_version(self._handle, text)

    def guard(self, code: str) -> None:
        """A line of Python over the inputs."""
        _epref.builder_guard(self._handle, code)

    def equal_dims(self, a: BuiltValue, a_dim: int, b: BuiltValue, b_dim: int) -> None:
        """Two dimensions that are equal, which version 1 says apart."""
        _epref.builder_equal_dims(self._handle, a._handle, a_dim, b._handle, b_dim)


def one_of(names: tuple[str, ...], name: str) -> int:
    if name not in names:
        raise ValueError(f"{name!r} is none of {', '.join(names)}")
    return names.index(name)


def pair_of(names: tuple[str, str] | None) -> tuple[str, str] | None:
    return None if names is None else (names[0], names[1])


def handle_of(value: Any) -> Any:
    return value._handle if isinstance(value, (BuiltValue, BuiltArgument)) else value


# The first that fits; a bool is an int of Python, too.
SCALARS = ((type(None), "as_none"), (bool, "as_bool"), (int, "as_int"), (float, "as_float"),
           (complex, "as_complex"), (str, "as_string"), (BuiltValue, "as_tensor"),
           (BuiltGraph, "as_graph"), (Mapping, "as_string_to_argument"))


def tag_of(value: Any) -> str:
    """The tag of what Python tells alone. Of a value any tag of values will do."""
    for kind, tag in SCALARS:
        if isinstance(value, kind):
            return tag
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return tag_of_list(value)
    raise TypeError(f"no argument: {value!r}")


def tag_of_list(items: Sequence[Any]) -> str:
    kinds = {"value" if isinstance(item, BuiltValue) and item.kind != "symbolic" else
             "symbol" if isinstance(item, BuiltValue) else
             type(item).__name__ if item is None or isinstance(item, (bool, int, float, str)) else
             "list" for item in items}
    for allowed, tag in (({"int"}, "as_ints"), ({"bool"}, "as_bools"),
                         ({"int", "float"}, "as_floats"), ({"str"}, "as_strings"),
                         ({"value"}, "as_tensors"), ({"value", "NoneType"}, "as_optional_tensors"),
                         ({"symbol", "int", "float", "bool"}, "as_sym_ints"),
                         ({"list"}, "as_int_lists")):
        if kinds <= allowed:
            return tag
    raise TypeError(f"no list of arguments: {items!r}")
