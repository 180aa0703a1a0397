"""Programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, NamedTuple, Union

from . import _epref
from ._errors import Diagnostic, diagnostic_of, safe
from ._graph import Entry, Graph, Nodes, Signature, Tensors, signature_of
from ._value import Value

if TYPE_CHECKING:
    from ._command import Call
    from ._differences import Differences, Finding

STRINGS, PROGRAM = 3, 4  # ep_level
FORMS = {"epref": 0, "torch": 1}


class Range(NamedTuple):
    """What a symbol can be; None is an open end."""

    min: Union[int, None]
    max: Union[int, None]

    def of(self, symbol: str) -> str:
        """For people: "0 <= s17"."""
        low = "" if self.min is None else f"{self.min} <= "
        return low + symbol + ("" if self.max is None else f" <= {self.max}")


class Step(NamedTuple):
    """Something that a migration did."""

    clause: str  # of SPEC.md, part 7
    about: str
    times: int


class Stats(NamedTuple):
    """Counts of a program, its subgraphs included."""

    nodes: int
    subgraphs: int
    tensors: int
    operators: dict[str, int]  # by target, the most frequent first
    inputs: dict[str, int]  # by kind
    outputs: dict[str, int]


class Program:
    """A decoded program. It does not change.

    Two programs are equal when their canonical forms are the same (SPEC part 6), and the
    elements of tensors that both keep in themselves, as version 1 does: names of
    values, the order of independent nodes, example sizes and the release that saved them
    make no difference. Their hash is of the digest. Both raise Error for a program that is
    not valid.
    """

    __slots__ = ("_handle", "_digest", "warnings", "steps", "__weakref__")

    def __init__(self, handle: _epref.ProgramHandle, warnings: Iterable[Diagnostic] = (),
                 steps: Iterable[Step] = ()) -> None:
        self._handle = handle
        self._digest: tuple[str, bool] | None = None
        self.warnings = tuple(warnings)  # what forward reading let pass
        self.steps = tuple(steps)  # of a migrated program: what was done

    # ---- the whole

    def check(self, level: str = "program") -> list[Diagnostic]:
        """Judges the program up to a level, "strings" or "program"; raises Error.

        Returns notes: what cannot be judged, such as operators of other libraries.
        """
        if level not in ("strings", "program"):
            raise ValueError(f"no level that a program is checked at: {level!r}")
        places = _epref.program_check(self._handle, STRINGS if level == "strings" else PROGRAM)
        return [diagnostic_of(place, "note") for place in places]

    def encode(self) -> bytes:
        """The program as the PyTorch release of its schema version writes it."""
        return _epref.program_encode(self._handle)

    def canon(self, form: str = "epref", constants: Iterable[str] = ()) -> bytes:
        """The canonical form: epref's own, a document of schema 8.20, or PyTorch's ("torch").

        constants are the names of what the archive keeps beside the program, which PyTorch's
        form needs.
        """
        if form not in FORMS:
            raise ValueError(f"no canonical form of this name: {form!r}")
        names = tuple(name.encode("utf-8") for name in constants)
        return _epref.program_canon(self._handle, FORMS[form], names)[0]

    def digest(self) -> str:
        """The digest of the canonical form: "ep1:" and a SHA-256."""
        return self._digested()[0]

    @property
    def is_undecided(self) -> bool:
        """Whether the order of the file decided somewhere in the canonical form, so that the
        same program in another order may have another digest (SPEC 6.1)."""
        return self._digested()[1]

    def _digested(self) -> tuple[str, bool]:
        if self._digest is None:
            self._digest = _epref.program_digest(self._handle)
        return self._digest

    @property
    def call(self) -> Call | None:
        """How the program is called: its arguments by position and keyword, as containers, and what
        it returns. The command says it."""
        from ._command import call_of
        return call_of(self.encode())

    def migrate(self, to: str = "latest") -> Program:
        """The same program at another schema version: "8.20", "torch-2.6", "latest".

        Raises Error where that version cannot say it. `steps` of the result is what was done.
        """
        handle, steps = _epref.program_migrate(self._handle, to)
        return Program(handle, steps=(Step(*step) for step in steps))

    def diff(self, other: Program, limit: int = 20, provenance: bool = False) -> Differences:
        """Where the two part, in the terms of each; empty when they are one program.

        provenance: compare what the canonical form leaves out, too.
        """
        from ._differences import diff
        return diff(self._handle, other._handle, limit, provenance)

    def audit(self) -> list[Finding]:
        """What loading the program makes PyTorch evaluate, import, unpickle or call."""
        from ._differences import audit
        return audit(self._handle)

    def stats(self) -> Stats:
        """Counts of nodes, operators, tensors, inputs and outputs."""
        graphs = [self.graph, *self.graph.subgraphs()]
        operators: dict[str, int] = {}
        for graph in graphs:
            for node in graph.nodes:
                operators[node.target] = operators.get(node.target, 0) + 1
        ordered = dict(sorted(operators.items(), key=lambda each: (-each[1], each[0])))
        return Stats(sum(operators.values()), len(graphs) - 1,
                     sum(len(graph.tensors) for graph in graphs), ordered,
                     counted(self.signature.inputs), counted(self.signature.outputs))

    # ---- parts

    @property
    def value(self) -> Value:
        """The ExportedProgram, as a place in the tree."""
        return Value(_epref.program_root(self._handle, False))

    @property
    def graph(self) -> Graph:
        return Graph(_epref.program_root(self._handle, True))

    @property
    def nodes(self) -> Nodes:
        return self.graph.nodes

    @property
    def tensors(self) -> Tensors:
        return self.graph.tensors

    @property
    def signature(self) -> Signature:
        return signature_of(self._handle)

    # ---- facts

    def _field(self, name: str) -> Any:
        root = _epref.program_root(self._handle, False)
        return _epref.value_plain(_epref.value_field(root, name))

    @property
    def schema_version(self) -> str:
        """The schema version, as SPEC.md calls it: "8.20"."""
        return _epref.program_version(self._handle)

    @property
    def torch_version(self) -> str:
        """The release that saved it; "" where the version does not say."""
        return self._field("torch_version") or ""

    @property
    def opset_version(self) -> dict[str, int]:
        return self._field("opset_version") or {}

    @property
    def verifiers(self) -> list[str]:
        """Its verifiers; of an old version, its one dialect."""
        dialect = self._field("dialect")
        return self._field("verifiers") or ([dialect] if dialect else [])

    @property
    def guards(self) -> list[str]:
        """Lines of Python over the inputs."""
        return self._field("guards_code") or []

    @property
    def ranges(self) -> dict[str, Range]:
        """The symbols, and what each of them can be."""
        found = self._field("range_constraints") or {}
        return {symbol: Range(end_of(said.get("min_val")), end_of(said.get("max_val")))
                for symbol, said in found.items()}

    @property
    def symbols(self) -> list[str]:
        """The symbols that have a range."""
        return list(self.ranges)

    # ---- as an object

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Program):
            return NotImplemented
        return self is other or (self.digest() == other.digest() and
                                 self._has_constants_of(other))

    def _constants(self) -> dict[str, str]:
        """What version 1 keeps in the program, by name: pickled tensors in base64."""
        value = _epref.program_root(self._handle, False)
        for name in ("graph_module", "graph", "constants"):
            value = _epref.value_field(value, name)
        return _epref.value_plain(value) or {}

    def _has_constants_of(self, other: Program) -> bool:
        mine, others = self._constants(), other._constants()
        return all(mine[name] == others[name] or
                   _epref.constants_same(mine[name].encode(), others[name].encode())
                   for name in mine.keys() & others.keys())

    def __hash__(self) -> int:
        return hash(self.digest())

    def __reduce__(self) -> tuple[Any, ...]:
        return decode_exactly, (self.encode(), self.schema_version)

    def __str__(self) -> str:
        """The program for people: inputs, nodes, outputs."""
        head = f"schema {self.schema_version}"
        if self.torch_version:
            head += f", torch {self.torch_version}"
        lines = [head, *(f"  {said.of(symbol)}" for symbol, said in self.ranges.items())]
        lines += [f"  in   {self._told(entry)}" for entry in self.signature.inputs]
        lines += [f"    {node}" for node in self.nodes]
        lines += [f"  out  {self._told(entry)}" for entry in self.signature.outputs]
        return "\n".join(map(safe, lines))

    def _told(self, entry: Entry) -> str:
        tensor = self.tensors.get(entry.name) if entry.name else None
        return f"{entry} {str(tensor).partition(': ')[2]}" if tensor else str(entry)

    def __repr__(self) -> str:
        signature = self.signature
        inputs = ", ".join(self._short(entry) for entry in signature.user_inputs)
        outputs = ", ".join(self._short(entry) for entry in signature.user_outputs)
        return safe(f"<epref.Program {self.schema_version}: ({inputs}) -> ({outputs}), "
                    f"{len(self.nodes)} nodes>")

    def _short(self, entry: Entry) -> str:
        tensor = self.tensors.get(entry.name) if entry.name else None
        return str(tensor) if tensor else entry.name or repr(entry.constant)

    def _repr_html_(self) -> str:
        from ._html import page
        return page(self)


def decode_exactly(text: bytes, schema: str) -> Program:
    """For pickle: the program of what encode wrote."""
    return decode(text, (schema, False, 0, 0, 0, 0, 0))


def decode(text: bytes, options: _epref.Options) -> Program:
    handle, warnings = _epref.decode(text, options)
    return Program(handle, [diagnostic_of(place, "warning") for place in warnings])


def counted(entries: Iterable[Entry]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry.kind] = counts.get(entry.kind, 0) + 1
    return counts


def end_of(said: Any) -> int | None:
    """The end of a range, which versions say as a number, an infinity or not at all."""
    return said if isinstance(said, int) and not isinstance(said, bool) else None
