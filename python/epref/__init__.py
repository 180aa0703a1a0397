"""Read, check, compare, migrate and write the programs that torch.export.save writes, without
PyTorch.

    import epref
    program = epref.load("model.pt2")
    print(program)

Files are judged strictly: what is not valid raises epref.Error with its code, the clause of SPEC.md
that it breaks, and the place. Nothing is executed or unpickled.
"""

from ._archive import Archive, CompiledConstant, CompiledModel, Member, StoredTensor, pack
from ._builder import LEAF, Builder, BuiltArgument, BuiltGraph, BuiltValue, Expression, TreeNode
from ._differences import Difference, Differences, Finding, Side
from ._epref import library_version as _library_version
from ._errors import CommandError, Diagnostic, Error, OutOfMemoryError
from ._graph import Argument, Entry, Graph, Node, Nodes, Signature, Symbolic, Tensor, Tensors
from ._options import Limits
from ._program import Program, Range, Stats, Step
from ._reading import Checked, Checks, check, check_many, check_wire, load
from ._tables import Code, Version, codes, find_version, versions
from ._value import Value

__version__ = _library_version()

__all__ = [
    "Archive", "Argument", "Builder", "BuiltArgument", "BuiltGraph", "BuiltValue", "Checked",
    "Checks", "Code", "CommandError", "CompiledConstant", "CompiledModel", "Diagnostic", "Difference", "Differences", "Entry",
    "Error", "Expression", "Finding", "Graph", "LEAF", "Limits", "Member", "Node", "Nodes",
    "OutOfMemoryError", "Program", "Range", "Side", "Signature", "Stats", "Step",
    "StoredTensor", "Symbolic", "Tensor", "Tensors", "TreeNode", "Value", "Version", "check",
    "check_many", "check_wire", "codes", "find_version", "load", "pack", "versions",
]

# What people see of them is epref.Program, wherever it stands.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
