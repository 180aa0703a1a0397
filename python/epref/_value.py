"""A place in the tree of a decoded program."""

from __future__ import annotations

from typing import Any, Iterator, Union

from . import _epref

KINDS = ("null", "str", "int", "float", "bool", "unit", "bytes", "enum", "struct", "union",
         "list", "dict", "tuple", "infinite")


class Value:
    """A place in the tree of a decoded program, whatever the schema version.

    Nothing is read before it is asked for. A field that the file leaves out reads as its
    default; what is not there is a value of the kind "null".
    """

    __slots__ = ("_handle",)

    def __init__(self, handle: _epref.ValueHandle) -> None:
        self._handle = handle

    @property
    def kind(self) -> str:
        """What it is: "str", "int", "struct", "union", "list", ... (ep_kind of epref.h)."""
        return KINDS[_epref.value_kind(self._handle)[0]]

    @property
    def type(self) -> str | None:
        """The name of a struct's, union's or enum's type."""
        return _epref.value_kind(self._handle)[1]

    def plain(self) -> Any:
        """The value and all that is in it, as dicts, lists, str, int, float, bool and None.

        A union is a dict of one key, its tag; an enumerator its name; an open end of a range
        an infinite float.
        """
        return _epref.value_plain(self._handle)

    def keys(self) -> list[str]:
        """The fields of a struct, the tag of a union, the keys of a dict."""
        parts = _epref.value_parts(self._handle)
        return list(parts) if isinstance(parts, dict) else []

    def __getitem__(self, key: Union[str, int]) -> Value:
        parts = _epref.value_parts(self._handle)
        if isinstance(parts, dict) and isinstance(key, str):
            return Value(parts[key])
        if isinstance(parts, list) and isinstance(key, int):
            return Value(parts[key])
        raise TypeError(f"a value of the kind {self.kind} has no part {key!r}")

    def __len__(self) -> int:
        parts = _epref.value_parts(self._handle)
        return len(parts) if isinstance(parts, (dict, list)) else 0

    def __bool__(self) -> bool:
        return self.kind != "null"

    def __iter__(self) -> Iterator[Value]:
        """The parts: fields, a union's value, items, a dict's values."""
        parts = _epref.value_parts(self._handle)
        if isinstance(parts, dict):
            parts = list(parts.values())
        return (Value(part) for part in (parts if isinstance(parts, list) else ()))

    @property
    def offset(self) -> int:
        """Of a string, struct or union: where it begins in the text, in bytes."""
        return _epref.value_place(self._handle)[5]

    @property
    def line(self) -> int:
        return _epref.value_place(self._handle)[6]

    @property
    def column(self) -> int:
        return _epref.value_place(self._handle)[7]

    @property
    def pointer(self) -> str:
        """Of a string, struct or union: its JSON pointer."""
        return _epref.value_place(self._handle)[8]

    def __eq__(self, other: object) -> bool:
        return self.plain() == other.plain() if isinstance(other, Value) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        text = repr(self.plain())
        short = text if len(text) < 80 else text[:76] + "..."
        return f"<epref.Value {self.type or self.kind}: {short}>"
