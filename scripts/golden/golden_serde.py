"""What the serializer of a PyTorch release offers, under one set of names.

The releases differ in what is there and in what it is called; each is asked for
what it has, none by its number.
"""

import dataclasses
import inspect
import json


def first_of(*places):
    """The first attribute that there is, of (holder, name) pairs; None without one."""
    for holder, name in places:
        if hasattr(holder, name):
            return getattr(holder, name)
    return None


def takes(function, name):
    return name in inspect.signature(function).parameters


class Serde:
    """The serializer of the release that is imported."""

    def __init__(self, torch):
        import torch._export.serde.schema as schema
        import torch._export.serde.serialize as serializer
        self.torch, self.schema, self.serializer = torch, schema, serializer
        self.canonicalize = getattr(serializer, "canonicalize", None)

    # ---- programs and their bytes

    def serialize(self, program, opset=None):
        """What the release's serialize gives: a tuple in 2.1, an artifact since."""
        if opset is None:
            return self.serializer.serialize(program)
        return self.serializer.serialize(program, opset)

    @staticmethod
    def text(artifact):
        return artifact[0] if isinstance(artifact, tuple) else artifact.exported_program

    # ---- the tree between them

    def decode(self, tree):
        """JSON as Python reads it, as the release's dataclasses."""
        return self.serializer._dict_to_dataclass(self.schema.ExportedProgram, tree)

    def encode(self, program):
        encoder = self.serializer.EnumEncoder
        if hasattr(self.serializer, "_to_json_bytes"):
            return self.serializer._to_json_bytes(program)
        to_dict = getattr(self.serializer, "_dataclass_to_dict", dataclasses.asdict)
        return json.dumps(to_dict(program), cls=encoder).encode("utf-8")

    def canonical(self, tree):
        """The canonical form of a program, as bytes."""
        return self.encode(self.canonicalize(self.decode(tree)))

    def versions(self):
        version = self.schema.SCHEMA_VERSION
        return (list(version) if isinstance(version, tuple) else version,
                getattr(self.schema, "TREESPEC_VERSION", None))


# ---- exporting --------------------------------------------------------------


def dims(torch):
    """What has Dim, for the models' dynamic shapes."""
    import torch._export
    for holder in (torch.export, torch._export):
        if hasattr(holder, "Dim"):
            return holder
    raise RuntimeError("this release has no Dim")


def exporter(torch, mode, dynamic):
    """The function that exports, for the mode of a model."""
    if mode == "training":
        import torch.export._trace as trace
        found = first_of((torch.export, "export_for_training"), (trace, "_export_for_training"))
        if found is None:
            raise RuntimeError("this release has no export for training")
        return found
    if dynamic and not takes(torch.export.export, "dynamic_shapes"):
        return torch._export.export__RC__
    return torch.export.export


def options(torch, function, case, strict):
    """The keyword arguments that the release knows, of those that the model asks for."""
    asked = {"strict": strict, "preserve_module_call_signature": case["preserve"] or None,
             "dynamic_shapes": case["dyn"](dims(torch)) if case["dyn"] else None}
    asked = {key: value for key, value in asked.items() if value is not None}
    if asked.get("strict") is True and not takes(function, "strict"):
        del asked["strict"]  # there is no other way in this release
    for key in asked:
        if not takes(function, key):
            raise RuntimeError(f"this release has no {key}")
    return asked


def strictness(function, strict):
    """Whether an export is strict: as asked, or as the release has it."""
    if strict is not None:
        return strict
    found = inspect.signature(function).parameters.get("strict")
    return True if found is None else found.default


def finish(torch, mode, program):
    """What comes after the export, in some modes."""
    if mode == "decomp":
        return program.run_decompositions()
    if mode == "joint":
        from torch.export import experimental
        return experimental._export_forward_backward(program)
    return program


def export(torch, case, mode, strict):
    """(the program, whether it was exported strictly)"""
    function = exporter(torch, mode, case["dyn"])
    known = options(torch, function, case, strict)
    program = function(case["mod"], case["args"], case["kwargs"] or None, **known)
    return finish(torch, mode, program), strictness(function, strict)
