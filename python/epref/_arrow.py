"""Records as rows of Arrow, of one schema. Needs pyarrow."""

from __future__ import annotations

import functools
from typing import Annotated, Any, Iterable, Iterator, Union, get_args, get_origin, get_type_hints

import pyarrow as pa

from ._inspect import ProgramRecord, Record

TYPES = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
VERDICT = ("verdict", str, '"valid", "invalid", "compiled" (a package of compiled models alone), '
           '"not judged" (a limit, or it could not be read)')


@functools.lru_cache(maxsize=None)
def fields(record: type) -> list[tuple[str, Any, str]]:
    """The fields of a record: name, type and what it says."""
    found = []
    for name, kind in get_type_hints(record, include_extras=True).items():
        said = record.__doc__ or ""
        if get_origin(kind) is Annotated:
            kind, said = get_args(kind)
        if get_origin(kind) is Union:  # or None
            kind = get_args(kind)[0]
        found.append((name, kind, said))
    return found


def is_record(kind: Any) -> bool:
    return hasattr(kind, "_fields")


def arrow_type(kind: Any) -> pa.DataType:
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is tuple:
        return pa.list_(arrow_type(get_args(kind)[0]))
    if get_origin(kind) is Union:
        return arrow_type(get_args(kind)[0])
    if is_record(kind):
        return pa.struct([arrow_field(*each) for each in fields(kind)])
    return TYPES[kind]


def arrow_field(name: str, kind: Any, said: str) -> pa.Field:
    return pa.field(name.rstrip("_"), arrow_type(kind), metadata={"description": said})


def columns(record: type, prefix: str = "") -> Iterator[tuple[str, Any, str]]:
    """The columns of a record, of one within it as "error_code"."""
    for name, kind, said in fields(record):
        if is_record(kind):
            yield from columns(kind, f"{prefix}{name}_")
        else:
            yield prefix + name, kind, said


def all_columns() -> Iterator[tuple[str, Any, str]]:
    for name, kind, said in columns(Record):
        if name == "valid":
            yield VERDICT
        elif name == "programs":
            yield "program_count", int, "that were decoded"
            for inner, *rest in columns(ProgramRecord):
                yield ("program_bytes" if inner == "bytes" else inner, *rest)
            yield ("other_programs", tuple[ProgramRecord, ...],
                   "behind the first, which member to operators are of")
        elif name != "format":
            yield name, kind, said


schema = pa.schema([arrow_field(*each) for each in all_columns()],
                   metadata={"epref.format": "2"})


def verdict(record: Record) -> str:
    if record.valid is not None:
        return "valid" if record.valid else "invalid"
    return "compiled" if record.error is None else "not judged"


def flat(said: dict[str, Any], record: type, prefix: str = "") -> dict[str, Any]:
    """The columns of a record that is a dict."""
    row: dict[str, Any] = {}
    for name, kind, _ in fields(record):
        value = said.get(name)
        if is_record(kind):
            row.update(flat(value or {}, kind, f"{prefix}{name}_"))
        else:
            row[prefix + name] = value
    return row


def name_text(name: str) -> str:
    """The name of a file, which need not be UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode()


def row_of(record: Record) -> dict[str, Any]:
    row = flat(record.to_dict(), Record)
    for name in ("file", "error_file"):
        row[name] = row[name] and name_text(row[name])
    programs = row.pop("programs")
    first = flat(programs[0] if programs else {}, ProgramRecord)
    first["program_bytes"] = first.pop("bytes")
    return {**row, **first, "verdict": verdict(record), "program_count": len(programs),
            "other_programs": programs[1:]}


def to_arrow(records: Iterable[Record]) -> pa.RecordBatch:
    """The records as a batch of `schema`, a row each."""
    return pa.RecordBatch.from_pylist([row_of(each) for each in records], schema=schema)
