"""Read, check, compare, migrate and write the programs that torch.export.save writes, without
PyTorch.

    import epref
    program = epref.load("model.pt2")
    print(program)

Files are judged strictly: what is not valid raises epref.Error with its code, the clause of SPEC.md
that it breaks, and the place. Nothing is executed or unpickled.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ._archive import Archive, Arrays, CompiledConstant, CompiledModel, Member, StoredTensor
from ._builder import LEAF, Builder, BuiltArgument, BuiltGraph, BuiltValue, Expression, TreeNode
from ._differences import Difference, Differences, Finding, Side
from ._epref import library_version as _library_version
from ._errors import (ChangedError, CommandError, Diagnostic, Error, NoRangesError,
                      OutOfMemoryError, RemoteError, RemoteTimeoutError)
from ._graph import Argument, Entry, Graph, Node, Nodes, Signature, Symbolic, Tensor, Tensors
from ._options import Limits
from ._packing import pack
from ._program import Program, Range, Stats, Step
from ._reading import Checked, Checks, check, check_many, check_wire, load
from ._tables import Code, Version, codes, find_version, versions
from ._value import Value

if _TYPE_CHECKING:
    from ._command import Call, CallArgument, Loading, loads_in, repair
    from ._inspect import Record, inspect, inspect_many

__version__ = _library_version()

__all__ = [
    "Archive", "Argument", "Arrays", "Builder", "BuiltArgument", "BuiltGraph", "BuiltValue",
    "Call", "CallArgument", "ChangedError", "Checked", "Checks", "Code", "CommandError",
    "CompiledConstant", "CompiledModel", "Diagnostic", "Difference", "Differences", "Entry",
    "Error", "Expression", "Finding", "Graph", "LEAF", "Limits", "Loading", "Member",
    "NoRangesError", "Node", "Nodes", "OutOfMemoryError", "Program", "Range", "Record",
    "RemoteError", "RemoteTimeoutError", "Side", "Signature", "Stats", "Step", "StoredTensor",
    "Symbolic", "Tensor", "Tensors", "TreeNode", "Value", "Version", "check", "check_many",
    "check_wire", "codes", "find_version", "inspect", "inspect_many", "load", "loads_in", "pack",
    "repair", "versions",
]

_LATER = {
    "Call": "._command", "CallArgument": "._command", "Loading": "._command",
    "loads_in": "._command", "repair": "._command", "Record": "._inspect",
    "inspect": "._inspect", "inspect_many": "._inspect",
}


def __getattr__(name: str) -> _Any:
    """What takes time to import, and few need."""
    from importlib import import_module
    place = _LATER.get(name)
    if place is None:
        raise AttributeError(f"module 'epref' has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(place, __name__), name)
    return found


# What people see of them is epref.Program, wherever it stands.
_name = ""
for _name in __all__:
    if isinstance(globals().get(_name), type):
        globals()[_name].__module__ = __name__
del _name
