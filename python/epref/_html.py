"""Programs and archives as a notebook shows them."""

from __future__ import annotations

from html import escape as escape_tags
from typing import TYPE_CHECKING, Iterable

if TYPE_CHECKING:
    from ._archive import Archive
    from ._program import Program

from ._errors import Error, safe

MOST = 200  # nodes, members or tensors that are shown


def escape(text: str) -> str:
    return escape_tags(safe(text))


def row(cells: Iterable[object]) -> str:
    return "<tr>" + "".join(f'<td style="text-align:left">{escape(str(cell))}</td>'
                            for cell in cells) + "</tr>"


def table(title: str, rows: Iterable[str]) -> str:
    body = "".join(rows)
    return f"<details open><summary>{escape(title)}</summary><table>{body}</table></details>" \
        if body else ""


def counted(count: int, what: str) -> str:
    return f"{count} {what}" + (f", of which the first {MOST}" if count > MOST else "")


def page(program: Program) -> str:
    """What comes from the file becomes text, never HTML."""
    signature, nodes, tensors = program.signature, program.nodes, program.tensors
    entries = [(way, entry, tensors.get(entry.name) if entry.name else None)
               for way, side in (("in", signature.inputs), ("out", signature.outputs))
               for entry in side]
    return "".join([
        f"<div><b>epref.Program</b> schema {escape(program.schema_version)} ",
        escape(program.torch_version), "</div>",
        table("inputs and outputs",
              (row((way, entry, tensor or "")) for way, entry, tensor in entries)),
        table("symbols", (row((said.of(symbol),)) for symbol, said in program.ranges.items())),
        table(counted(len(nodes), "nodes"),
              (row((", ".join(map(str, node.outputs)), node.target,
                    ", ".join(map(str, node.inputs)))) for node in nodes[:MOST])),
    ])


def archive_page(archive: Archive) -> str:
    head = f"<div>{escape(repr(archive))}</div>"
    if archive.is_closed:
        return head
    try:
        tensors, fault = archive.stored(), ""
    except Error as error:
        tensors, fault = [], f"<div>{escape(str(error))}</div>"
    members = archive.members
    return "".join([
        head, fault,
        table(counted(len(tensors), "tensors"),
              (row((each.role, each.name, each.object if each.form == "object" else each.dtype,
                    list(each.shape), each.fault or "")) for each in tensors[:MOST])),
        table(counted(len(members), "members"),
              (row((each.name, each.size)) for each in members[:MOST])),
    ])
