"""inspect and inspect_many: one record of all that is known of a file, as `epref inspect
--format=json` prints it (format 2)."""

from __future__ import annotations

import json
import os
import re
from collections import deque
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Annotated, Any, Callable, Iterable, Iterator, NamedTuple, Optional, TypeVar

from . import _epref
from ._archive import Archive, CompiledConstant, CompiledModel
from ._differences import SEVERITIES, Finding
from ._errors import PACKAGE, Diagnostic, Error, refusal
from ._graph import Entry, Size, Symbolic, Tensor
from ._options import Limits, options_of
from ._program import Program, decode
from ._source import Readable, Source
from ._tables import find_version

FORMAT = 2
INTEGER_MAX = (1 << 63) - 1  # where counts stop
# Findings that say again what the error of the record does.
REFUSED = ("AUDIT_INVALID", "AUDIT_UNREADABLE")
# How members are named in archives without a folder around them (SPEC 8.1.2, 8.9.1).
FLAT = ("serialized_exported_program.json", "data/aotinductor/")
AMOUNTS = {"parameter": "parameter", "buffer": "buffer", "buffer_not_persistent": "buffer",
           "tensor_constant": "constant"}
DTYPES = {"float8e8m0fnu": "float8_e8m0fnu"}  # beside those of Tensor
OTHERS = (("sym_int_values", "int"), ("sym_float_values", "float"), ("sym_bool_values", "bool"),
          ("custom_obj_values", "object"))
ROOM = 4096  # for texts of small programs


class RecordError(NamedTuple):
    """Why a file is not valid, or could not be read."""

    file: Annotated[str, 'the file; of an archive "FILE!MEMBER"']
    severity: Annotated[str, '"error"']
    code: Annotated[Optional[str], '"EP_TYPE"; None: the file could not be opened']
    clause: Annotated[Optional[str], "of SPEC.md"]
    level: Annotated[Optional[str], '"wire", "schema", "strings", "program", "archive"']
    offset: Annotated[Optional[int], "of the first wrong byte, from 0"]
    line: Annotated[Optional[int], "from 1"]
    column: Annotated[Optional[int], "from 1, in bytes"]
    pointer: Annotated[Optional[str], "a JSON pointer"]
    message: str


class ValueRecord(NamedTuple):
    """An input or output of a program, as its caller passes or gets it."""

    name: Optional[str]
    kind: Annotated[str, '"tensor", "int", "float", "bool", "object", "constant", "cut"']
    dtype: Annotated[Optional[str], 'of a tensor: "float32"']
    shape: Annotated[Optional[tuple[str, ...]], 'of a tensor: ("s0", "3")']
    sizes: Annotated[Optional[tuple[Optional[int], ...]], "the same as numbers; None: symbolic"]
    device: Annotated[Optional[str], 'of a tensor: "cuda:0"']
    class_: Annotated[Optional[str], "of an object"]
    expression: Annotated[Optional[str], 'of an int, float or bool: "s0 + 1"']
    value: Annotated[Optional[str], "of a constant: its JSON text"]


class SymbolRange(NamedTuple):
    """A symbol, and what it can be; None is an open end."""

    name: str
    min: Optional[int]
    max: Optional[int]


class Amount(NamedTuple):
    """Tensors of one kind, as the program describes them."""

    count: int  # type: ignore[assignment]  # not tuple's method
    values: Annotated[int, "elements"]
    bytes: int


class DtypeCount(NamedTuple):
    """Tensors of the state with a dtype."""

    dtype: str
    tensors: int


class OperatorCount(NamedTuple):
    """Nodes that call a target, subgraphs included."""

    target: str
    count: int  # type: ignore[assignment]  # not tuple's method


class ProgramRecord(NamedTuple):
    """A program of the file."""

    member: Annotated[Optional[str], "of the archive"]
    bytes: int
    schema_version: Annotated[str, '"8.20"']
    torch_version: Annotated[Optional[str], "as the program states it"]
    releases: Annotated[tuple[str, ...], "of PyTorch, that write this schema version"]
    digest: Annotated[Optional[str], "of the canonical form; None: the file is not valid"]
    undecided: Annotated[bool, "the order of the file decided in the canonical form"]
    inputs: tuple[ValueRecord, ...]
    outputs: tuple[ValueRecord, ...]
    symbols: tuple[SymbolRange, ...]
    parameters: Amount
    buffers: Amount
    constants: Amount
    dtypes: Annotated[tuple[DtypeCount, ...], "by name"]
    nodes: int
    subgraphs: int
    operators: Annotated[tuple[OperatorCount, ...], "the most frequent first"]


class MetadataRecord(NamedTuple):
    """A key of a compiled model's metadata."""

    key: str
    value: str


class ObjectRecord(NamedTuple):
    """An object of a compiled model."""

    name: str
    member: str


class CompiledRecord(NamedTuple):
    """A compiled model of AOTInductor; "" is what its metadata does not say."""

    name: str
    members: int
    bytes: int
    device: str
    platform: str
    machine: str
    isa: str
    compute_capability: str
    fault: Annotated[Optional[str], "why a part of this is not known"]
    metadata: tuple[MetadataRecord, ...]
    constants: tuple[CompiledConstant, ...]
    objects: tuple[ObjectRecord, ...]


class FindingCount(NamedTuple):
    """Findings of one identifier."""

    id: Annotated[str, '"AUDIT_UNPICKLED"']
    count: int  # type: ignore[assignment]  # not tuple's method


class AuditRecord(NamedTuple):
    """What loading the file makes PyTorch do: counts by severity."""

    worst: Annotated[str, '"none", "info", "low", "medium", "high"']
    high: int
    medium: int
    low: int
    info: int
    findings: tuple[FindingCount, ...]


class WeightsRecord(NamedTuple):
    """The stored parameters, buffers and constants."""

    stored: Annotated[str, '"none", "raw", "pickled", "mixed"']
    tensors: int
    objects: Annotated[int, "that are no tensors"]
    classes: Annotated[int, "tensors of a class of their own"]
    bytes: Annotated[int, "of the storages"]


class Record(NamedTuple):
    """What `epref inspect --format=json` prints about a file."""

    format: int
    file: str
    valid: Annotated[
        Optional[bool], "None: undecided, or a package of compiled models (SPEC 8.9.3)"]
    error: Optional[RecordError]
    layout: Annotated[Optional[str], '"pt2", "flat" (an archive of 2.1 to 2.7), "program" (JSON)']
    bytes: Annotated[Optional[int], "of the file"]
    data_read: Annotated[bool, "checksums were compared"]
    warnings: int
    notes: Annotated[
        int, "of what cannot be judged, such as operators of other libraries; 0 if not valid"]
    programs: Annotated[tuple[ProgramRecord, ...], "that were decoded"]
    compiled: tuple[CompiledRecord, ...]
    audit: Optional[AuditRecord]
    weights: Optional[WeightsRecord]


    def to_dict(self) -> dict[str, Any]:
        """The object that the command prints, of dicts, lists, str, int, bool and None."""
        made: dict[str, Any] = plain(self)
        return made


def plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name.rstrip("_"): plain(each) for name, each in value._asdict().items()}
    return [plain(each) for each in value] if isinstance(value, tuple) else value


# ---- programs


def size_text(size: Size) -> str:
    return _epref.expression_text(size.expr) if isinstance(size, Symbolic) else str(size)


def scalar(said: Any) -> Any:
    """What is under the tag of a constant."""
    while isinstance(said, dict) and len(said) == 1 and next(iter(said)).startswith("as_"):
        said = None if "as_none" in said else next(iter(said.values()))
    return said


def number_text(said: Any) -> str:
    """A SymInt, SymFloat or SymBool as plain Python."""
    while isinstance(said, dict):
        said = said["expr_str"] if "expr_str" in said else next(iter(said.values()))
    return _epref.expression_text(said) if isinstance(said, str) else json.dumps(said)


class Values:
    """The values of a program's graph by name; those that are no tensors are read once. A file may
    mention one many times: the text of all of them together is bounded by its size."""

    def __init__(self, program: Program, size: int) -> None:
        self._tensors = program.tensors
        self._graph = program.graph.value
        self._others: Optional[dict[str, tuple[str, Any]]] = None
        self._amounts: dict[str, tuple[str, int, int]] = {}
        self._left = size + ROOM  # of texts

    def other(self, name: str) -> Optional[tuple[str, Any]]:
        """The kind of a value that is no tensor, and what the graph says of it."""
        if self._others is None:
            self._others = {each: (kind, said) for field, kind in OTHERS
                            for each, said in (self._field(field) or {}).items()}
        return self._others.get(name)

    def _field(self, name: str) -> Any:
        return _epref.value_plain(_epref.value_field(self._graph._handle, name))

    def amount(self, name: str) -> tuple[str, int, int]:
        """The dtype, elements and bytes of a value; a size that is no number is taken for 1."""
        if name not in self._amounts:
            tensor = self._tensors.get(name)
            elements = 1 if tensor else 0
            for size in tensor.shape if tensor else ():
                elements *= size if isinstance(size, int) and size >= 0 else 1
                elements = min(elements, INTEGER_MAX)
            dtype = dtype_of(tensor) if tensor else "unknown" if self.other(name) else ""
            self._amounts[name] = dtype, elements, elements * element_size(dtype)
        return self._amounts[name]

    def record(self, entry: Entry) -> ValueRecord:
        none = ValueRecord(entry.name or None, "cut", None, None, None, None, None, None, None)
        if self._left <= 0:
            return none
        tensor = self._tensors.get(entry.name) if entry.name else None
        other = self.other(entry.name) if entry.name and not tensor else None
        if tensor:
            made = none._replace(
                kind="tensor", dtype=dtype_of(tensor), shape=tuple(map(size_text, tensor.shape)),
                sizes=tuple(size if isinstance(size, int) else None for size in tensor.shape),
                device=tensor.device)
        elif other and other[0] == "object":
            made = none._replace(kind="object", class_=other[1]["class_fqn"])
        elif other:
            made = none._replace(kind=other[0], expression=number_text(other[1]))
        else:
            value = f"%{entry.name}" if entry.name else scalar(entry.constant)
            return none._replace(name=entry.name or entry.target or None, kind="constant",
                                 value=json.dumps(value, ensure_ascii=False))
        self._left -= sum(len(each) + 1 for each in
                          (*(made.shape or ()), made.device, made.class_, made.expression) if each)
        return made


def interface(values: Values, entries: Iterable[Entry]) -> tuple[ValueRecord, ...]:
    return tuple(values.record(each) for each in entries
                 if each.kind in ("user", "constant", "loss"))


def dtype_of(tensor: Tensor) -> str:
    return DTYPES.get(tensor.dtype, tensor.dtype)


def element_size(dtype: str) -> int:
    bits = re.search(r"\d+", dtype)
    return int(bits[0]) // 8 if bits else int(dtype == "bool")


def state(values: Values, entries: Iterable[Entry]) -> tuple[dict[str, Amount], dict[str, int]]:
    """The amounts of parameters, buffers and constants, and how many tensors have which dtype."""
    amounts = dict.fromkeys(AMOUNTS.values(), Amount(0, 0, 0))
    dtypes: dict[str, int] = {}
    for entry in entries:
        if entry.kind in AMOUNTS:
            kind = AMOUNTS[entry.kind]
            dtype, elements, size = values.amount(entry.name)
            if dtype:
                dtypes[dtype] = dtypes.get(dtype, 0) + 1
            before = amounts[kind]
            amounts[kind] = Amount(before.count + 1, min(before.values + elements, INTEGER_MAX),
                                   min(before.bytes + size, INTEGER_MAX))
    return amounts, dtypes


def counts(program: Program) -> tuple[int, int, dict[str, int]]:
    """Nodes, subgraphs, and nodes by target."""
    operators: dict[str, int] = {}
    waiting = [_epref.graph_open(_epref.program_root(program._handle, True))]
    graphs = 0
    while waiting:
        graph = waiting.pop()
        graphs += 1
        for i in range(_epref.graph_counts(graph)[0]):
            node = _epref.graph_node(graph, i)
            assert node is not None
            operators[node[0]] = operators.get(node[0], 0) + 1
            waiting += [_epref.graph_open(_epref.value_field(argument[3], "graph"))
                        for argument in node[2] if argument[1] == "as_graph"]
    return sum(operators.values()), graphs - 1, operators


def program_record(program: Program, member: Optional[str], size: int, valid: bool
                   ) -> ProgramRecord:
    signature, values = program.signature, Values(program, size)
    amounts, dtypes = state(values, signature.inputs)
    nodes, subgraphs, operators = counts(program)
    version = program.schema_version
    return ProgramRecord(
        member, size, version, program.torch_version or None, find_version(version).releases,
        program.digest() if valid else None, valid and program.is_undecided,
        interface(values, signature.inputs), interface(values, signature.outputs),
        tuple(SymbolRange(name, *ends) for name, ends in program.ranges.items()),
        amounts["parameter"], amounts["buffer"], amounts["constant"],
        tuple(DtypeCount(*each) for each in sorted(dtypes.items())), nodes, subgraphs,
        tuple(OperatorCount(*each)
              for each in sorted(operators.items(), key=lambda each: (-each[1], each[0]))))


# ---- archives


def compiled_record(model: CompiledModel) -> CompiledRecord:
    def said(key: str) -> str:
        return model.metadata.get(f"AOTI_{key}", "")

    return CompiledRecord(
        model.name, model.members, model.nbytes, said("DEVICE_KEY"), said("PLATFORM"),
        said("MACHINE"), said("CPU_ISA"), said("COMPUTE_CAPABILITY"), model.fault or None,
        tuple(MetadataRecord(*each) for each in model.metadata.items()),
        tuple(model.constants),
        tuple(ObjectRecord(*each) for each in model.objects.items()))


def weights_record(archive: Archive) -> WeightsRecord:
    places = {number: member.place for number, member in enumerate(archive.members)}
    seen: set[tuple[int, int, int]] = set()
    tensors = pickled = objects = classes = size = 0
    stored = archive.stored()
    outer = {each._inside for each in stored}
    for number, each in enumerate(stored):
        storage = each._storage
        place = storage and storage[:3]
        first = place is not None and place not in seen
        if place:
            seen.add(place)
        if each.role == "sample_input":
            continue
        is_class = bool(each.object) and (each.form != "object" or number in outer)
        if each._inside < 0:
            tensors += 1
            pickled += storage is None or storage[1] != places[storage[0]] or \
                each.form == "object"
            objects += each.form == "object"
            classes += is_class
        if place and first and not (each.form == "object" and is_class):
            size += place[2]
    kind = "none" if not tensors else "raw" if not pickled else \
        "pickled" if pickled == tensors else "mixed"
    return WeightsRecord(kind, tensors, objects, classes, size)


def audit_record(findings: Iterable[Finding]) -> AuditRecord:
    severities = dict.fromkeys(SEVERITIES, 0)
    found: dict[str, int] = {}
    for each in sorted(findings, key=lambda each: [int(part) for part in each.clause.split(".")]):
        severities[each.severity] += each.more or 1
        found[each.id] = found.get(each.id, 0) + (each.more or 1)
    worst = max((name for name, count in severities.items() if count), default="none",
                key=SEVERITIES.index)
    return AuditRecord(worst, severities["high"], severities["medium"], severities["low"],
                       severities["info"], tuple(FindingCount(*each) for each in found.items()))


# ---- files


def error_record(file: str, said: Diagnostic) -> RecordError:
    detail = f": {said.detail}" if said.detail else ""
    record = RecordError(f"{file}!{said.member}" if said.member else file, said.severity, said.code,
                         said.clause or None, said.level if said.level != "none" else None, None,
                         None, None, None, said.message + detail)
    return record if not said.line else record._replace(
        offset=said.offset, line=said.line, column=said.column, pointer=said.pointer)


def with_error(record: Record, said: Diagnostic) -> Record:
    """Of a file that a limit or the system did not let read nothing is decided."""
    return record._replace(valid=None if said.level == "none" else False,
                           error=error_record(record.file, said))


def of_text(record: Record, text: bytes, options: _epref.Options) -> Record:
    program = decode(text, options)
    try:
        record = record._replace(valid=True, notes=len(program.check()))
    except Error as error:
        record = with_error(record, error.diagnostic)
    return record._replace(
        layout="program", bytes=len(text), audit=audit_record(program.audit()),
        programs=(program_record(program, None, len(text), record.error is None),))


def programs_of(archive: Archive, is_valid: bool) -> Iterator[ProgramRecord]:
    """Of those up to the first that is not valid; not that, if it does not decode."""
    members = [member for member in archive.members if member.is_program]
    for model, member in zip(archive.models, members):
        try:
            program = archive.program(model, check=False)
        except Error:
            return
        own = is_valid
        if not is_valid:
            try:
                program.check()
                own = True
            except Error:
                pass
        yield program_record(program, member.name, member.size, own)
        if not own:
            return


def can_read(archive: Archive, name: str) -> bool:
    """Whether all bytes of a member are there, as its checksum says."""
    try:
        archive.read(name)
    except Error:
        return False
    except KeyError:  # it is about something else
        pass
    return True


def of_archive(record: Record, archive: Archive) -> Record:
    flat = any(member.name.startswith(FLAT) for member in archive.members)
    record = record._replace(layout="flat" if flat else "pt2", bytes=archive._source.size)
    try:
        notes = archive.check(record.data_read)
        record = record._replace(valid=None if PACKAGE in notes else True,
                                 notes=len(notes) - (PACKAGE in notes))
        is_read = True
    except Error as error:
        is_read = error.level != "none" and can_read(archive, error.member)
        record = with_error(record, error.diagnostic if is_read or not record.data_read
                            else error.diagnostic._replace(member=""))
    if is_read or not record.data_read:
        record = record._replace(programs=tuple(programs_of(archive, record.error is None)))
    if record.programs or not archive.models:
        record = record._replace(audit=audit_record(
            each for each in archive.audit(data=False) if each.id not in REFUSED))
    try:
        return record._replace(weights=weights_record(archive),
                               compiled=tuple(map(compiled_record, archive.compiled)))
    except Error as error:  # what cannot be listed is left out
        return record if error.level != "none" else with_error(record, error.diagnostic)


def name_of(source: Readable) -> str:
    return os.fsdecode(source) if isinstance(source, (str, os.PathLike)) else \
        str(getattr(source, "name", ""))


def inspect(source: Readable, *, data: bool = True, limits: Limits | None = None) -> Record:
    """Validates a file, a program or an archive whole, and tells all that is known of it. A file
    that is invalid or cannot be read has a record with its error.

    data: compare the checksums of weights, too.
    """
    options = options_of(None, False, limits)
    record = Record(FORMAT, name_of(source), None, None, None, None, data, 0, 0, (), (), None,
                    None)
    try:
        opened = Source(source, (limits or Limits()).bytes)
        if opened.is_archive:
            return of_archive(record, Archive(opened, limits=limits))
        return of_text(record, opened.read(), options)
    except Error as error:
        return with_error(record, error.diagnostic)
    except RecursionError:  # of a constant that is nested as deep as the limit allows
        return with_error(record, refusal("EP_LIMIT_DEPTH").diagnostic)
    except OSError as error:
        return record._replace(error=RecordError(
            record.file, "error", None, None, None, None, None, None, None,
            error.strerror or str(error)))


Item = TypeVar("Item")
Made = TypeVar("Made")


def in_order(pool: Executor, function: Callable[[Item], Made], items: Iterable[Item], most: int
             ) -> Iterator[Made]:
    """What a pool makes of items, in their order; of these no more than `most` are taken ahead."""
    waiting: deque[Future[Made]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) >= most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for each in waiting:
            each.cancel()


def inspect_many(sources: Iterable[Readable], jobs: int | None = None, *, data: bool = True,
                 limits: Limits | None = None) -> Iterator[Record]:
    """The records of files, in the order of `sources`, of which only a few are taken ahead.

    They are made in as many threads as jobs says (all processors).
    """
    jobs = os.cpu_count() or 1 if jobs is None else jobs
    options_of(None, False, limits)
    with ThreadPoolExecutor(jobs) as pool:
        yield from in_order(pool, lambda each: inspect(each, data=data, limits=limits), sources,
                            4 * jobs)
