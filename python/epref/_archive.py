"""Archives: .pt2 files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _epref
from ._errors import PACKAGE, Diagnostic, Error, diagnostic_of, refusal, safe
from ._options import Limits, options_of
from ._program import Program, Step
from ._source import BYTES, PathLike, Readable, Source, written

if TYPE_CHECKING:
    import mmap

    import numpy as np

    from ._differences import Finding

ROLES = ("unnamed", "parameter", "buffer", "buffer_not_persistent", "constant", "custom_object",
         "sample_input")
FORMS = ("strided", "meta", "sparse", "object")
FILES = ("safetensors", "npy", "raw")  # ep_archive_file
STATE = ROLES[:6]
COMPILED = "it is one of AOTInductor, with compiled models alone"
# dtypes of torch that numpy has not, and those that have as many bits.
BITS = {"bfloat16": "uint16", "complex32": "uint32", "float8_e4m3fn": "uint8",
        "float8_e5m2": "uint8", "float8_e4m3fnuz": "uint8", "float8_e5m2fnuz": "uint8",
        "float8_e8m0fnu": "uint8"}


class Member(NamedTuple):
    """A member of an archive."""

    name: str
    place: int  # of its bytes in the archive
    packed: int  # how many those are
    size: int  # how many come out
    crc32: int
    is_stored: bool  # as it is; else deflated
    is_program: bool


class StoredTensor:
    """A tensor in an archive. Its elements are not read before they are asked for."""

    __slots__ = ("_archive", "_number", "_storage", "_inside", "_conjugate", "_negative", "model",
                 "role", "form", "name", "object", "dtype", "itemsize", "shape", "strides", "offset",
                 "device", "requires_grad", "is_parameter", "nbytes", "fault")

    def __init__(self, archive: Archive, number: int, told: _epref.StoredTuple,
                 storages: list[_epref.StorageTuple]) -> None:
        self._archive = archive
        self._number = number
        (program, role, form, self.name, self.object, dtype, self.itemsize, sizes, strides,
         self.offset, storage, self.device, self.requires_grad, self.is_parameter,
         self._conjugate, self._negative, self.nbytes, self.fault,
         inside) = told
        self._storage = storages[storage] if storage >= 0 else None
        self._inside = inside
        self.model = archive.models[program]
        self.role = ROLES[role]  # "parameter", "buffer", "constant", "sample_input", ...
        self.form = FORMS[form]  # "strided", "meta", "sparse", "object"
        self.dtype = dtype or ""  # as torch calls it: "float32"
        self.shape = tuple(sizes)
        self.strides = tuple(strides)  # in elements

    def tobytes(self) -> bytes:
        """The elements, one behind the other, little-endian, as numpy and safetensors have
        them. Raises Error where they cannot be read; `fault` says why."""
        self._archive._afford(self.nbytes, self.name)
        return _epref.archive_read_tensor(self._archive._handle, self._number)

    @property
    def inside(self) -> StoredTensor | None:
        """The tensor of a class, or with attributes, that it is a part of."""
        return self._archive.stored()[self._inside] if self._inside >= 0 else None

    @property
    def is_shared(self) -> bool:
        """Whether numpy() gives a view of the archive, not a copy."""
        storage = self._storage
        return (storage is not None and storage[4] and not storage[5] and not self.fault and
                self.form == "strided" and not (self._conjugate or self._negative))

    def numpy(self, bits: bool = False) -> np.ndarray[Any, Any]:
        """The tensor as an array of numpy, without a copy where the archive lets it be.

        It is a view of the file, which must not change while the array is in use; what is
        written into the array does not get into the file. Of an archive in bytes the view
        cannot be written to. bits: where numpy has no such dtype (bfloat16), an array of
        unsigned integers of as many bits.
        """
        import numpy as np
        name = BITS.get(self.dtype, self.dtype)
        if name != self.dtype and not bits:
            raise TypeError(f"numpy has no {self.dtype}; numpy(bits=True) gives its bits as {name}")
        if not self.is_shared:
            data = bytearray(self.tobytes())  # also says what is wrong
            copied: np.ndarray[Any, Any] = np.frombuffer(data, little(name)).reshape(self.shape)
            return copied
        assert self._storage is not None
        shared: np.ndarray[Any, Any] = np.ndarray(
            self.shape, little(name), self._archive._view(),
            self._storage[1] + self.offset * self.itemsize,
            tuple(stride * self.itemsize for stride in self.strides))
        return shared

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        array: np.ndarray[Any, Any] = self.numpy()
        if copy or (dtype is not None and array.dtype != dtype):
            self._archive._afford(self.nbytes, self.name)
        if dtype is not None and array.dtype != dtype:
            array = array.astype(dtype)
        return array.copy() if copy else array

    def __repr__(self) -> str:
        what = self.object if self.form == "object" else \
            f"{self.dtype}[{', '.join(map(str, self.shape))}]"
        return safe(f"<epref.StoredTensor {self.role} {self.name}: {what}>")


class CompiledConstant(NamedTuple):
    """A constant of a compiled model that is not in its library."""

    name: str
    member: str  # of data/weights
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # in elements
    offset: int


class CompiledModel(NamedTuple):
    """A model of AOTInductor in an archive: native code, and what the JSON beside it says."""

    name: str  # "" is that of a package of 2.5
    members: int
    nbytes: int  # of the members
    metadata: dict[str, str]  # "AOTI_DEVICE_KEY": "cpu", and what its maker put there
    constants: list[CompiledConstant]
    objects: dict[str, str]  # name: member of data/constants
    fault: str  # why a part of this is not known; ""

    @property
    def device(self) -> str:
        return self.metadata.get("AOTI_DEVICE_KEY", "")

    @property
    def isa(self) -> str:
        return self.metadata.get("AOTI_CPU_ISA", "")

    def __str__(self) -> str:
        said = " ".join(filter(None, (self.device, self.isa))) or "an unknown device"
        return safe(f"{self.name or 'a model without a name'}, compiled for {said}")


def compiled_of(told: _epref.CompiledTuple) -> CompiledModel:
    name, members, size, fault, rows = told
    return CompiledModel(
        name, members, size, {key: value for kind, key, value, *_ in rows if kind == 0},
        [CompiledConstant(key, value, tuple(sizes), tuple(strides), offset)
         for kind, key, value, sizes, strides, offset in rows if kind == 1],
        {key: value for kind, key, value, *_ in rows if kind == 2}, fault or "")


def little(name: str) -> str:
    """numpy's name of a dtype whose bytes are little-endian."""
    sizes = {"float16": "<f2", "float32": "<f4", "float64": "<f8", "complex64": "<c8",
             "complex128": "<c16", "int16": "<i2", "int32": "<i4", "int64": "<i8",
             "uint16": "<u2", "uint32": "<u4", "uint64": "<u8", "int8": "i1", "uint8": "u1",
             "bool": "?"}
    if name not in sizes:
        raise TypeError(f"numpy has no {name or 'dtype for an object'}")
    return sizes[name]


class Archive:
    """A .pt2 archive: a path, os.PathLike or bytes. It is read in place and in pieces.

    model: of several programs only the one of this name. one_program: refuse an archive of
    several, unless model says which, and one of none. A package of compiled models of AOTInductor
    has no program: what asks for one raises Error with EP_ARCHIVE_PROGRAM.

    Two archives are equal when their digests are; both raise Error as digest() does.

    The file must not change while the archive, its programs or arrays are in use. Any number
    of threads may use it, one after the other.
    """

    __slots__ = ("_handle", "_source", "_options", "_limits", "_map", "_tensors", "_models",
                 "_digest", "_compiled")

    def __init__(self, source: Readable, *, model: str | None = None, one_program: bool = False,
                 schema: str | None = None, forward: bool = False,
                 limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._options = options_of(schema, forward, limits)
        self._source = source if isinstance(source, Source) else Source(source, self._limits.bytes)
        if self._source.is_cut:
            raise refusal("EP_LIMIT_BYTES")
        self._map: mmap.mmap | None = None
        self._tensors: list[StoredTensor] | None = None
        self._models: list[str] | None = None
        self._digest: str | None = None
        self._compiled: list[CompiledModel] = []
        if self._source.data is not None:
            self._handle = _epref.archive_from_bytes(self._source.data, self._options, model,
                                                     one_program)
        else:
            file = self._source.file
            assert file is not None
            self._handle = _epref.archive_from_file(file, file.number, self._source.size,
                                                    self._options, model, one_program)

    # ---- members and programs

    @property
    def members(self) -> list[Member]:
        """In the order of the archive's directory."""
        return [Member(*told) for told in _epref.archive_members(self._handle)]

    def read(self, name: str) -> bytes:
        """The bytes of a member, whose checksum is compared."""
        for number, member in enumerate(self.members):
            if member.name == name:
                self._afford(member.size, name)
                return _epref.archive_read_member(self._handle, number)
        raise KeyError(name)

    @property
    def models(self) -> list[str]:
        """The names of the programs; "" is that of an archive of 2.1 to 2.8."""
        if self._models is None:
            self._models = [name for name, _ in _epref.archive_programs(self._handle)]
        return self._models

    def program(self, model: str | None = None, check: bool = True) -> Program:
        """The program of a name; without a name the only one there is. Raises Error."""
        number = self._number(model)
        handle, warnings = _epref.decode_archived(self._handle, number, self._options)
        program = Program(handle, [diagnostic_of(place, "warning") for place in warnings])
        if check and not self._options[1]:
            program.check()
        return program

    def _several(self, why: str = "there are several") -> Error:
        names = ", ".join(map(repr, self.models[:20])) + (", ..." if self.models[20:] else "")
        return refusal("EP_ARCHIVE_PROGRAM", f"{why}, model=NAME takes one: {names}")

    def _number(self, model: str | None) -> int:
        if not self.models:
            raise refusal("EP_ARCHIVE_PROGRAM", COMPILED)
        if model is None and len(self.models) > 1:
            raise self._several()
        try:
            return 0 if model is None else self.models.index(model)
        except ValueError:
            raise KeyError(model) from None

    def check(self, data: bool = True) -> list[Diagnostic]:
        """Judges the archive whole; raises Error. data: compare checksums, too.

        Returns notes: what cannot be judged, which is all of a package of compiled models.
        """
        notes = [diagnostic_of(place, "note")
                 for place in _epref.archive_check(self._handle, not data)]
        return notes if self.models else [*notes, PACKAGE]

    # ---- tensors

    def stored(self) -> list[StoredTensor]:
        """All tensors, sample inputs too, in the order of the archive."""
        if self._tensors is None:
            tensors, storages, compiled = _epref.archive_tensors(self._handle)
            self._compiled = [compiled_of(told) for told in compiled]
            self._tensors = [StoredTensor(self, number, told, storages)
                             for number, told in enumerate(tensors)]
        return self._tensors

    @property
    def compiled(self) -> list[CompiledModel]:
        """The models of AOTInductor, by their names. Nothing of them is linked."""
        self.stored()
        return self._compiled

    def tensors(self, model: str | None = None) -> dict[str, StoredTensor]:
        """The parameters, buffers and constants of a program, by their names, and the tensors
        inside of those of a class."""
        wanted = self.models[self._number(model)]
        return {each.name: each for each in self.stored()
                if each.model == wanted and each.role in STATE}

    def arrays(self, model: str | None = None, bits: bool = False
               ) -> dict[str, np.ndarray[Any, Any]]:
        """The same as arrays of numpy. What has no elements of its own is left out: objects,
        tensors without data ("meta"), and those of a class whose elements are in tensors inside
        of them, which are there as "a.weight.qdata"."""
        strided = {name: each for name, each in self.tensors(model).items()
                   if each.form == "strided"}
        self._afford(sum(each.nbytes for each in strided.values() if not each.is_shared))
        return {name: each.numpy(bits) for name, each in strided.items()}

    def _afford(self, size: int, about: str = "") -> None:
        """Refuses what would give more bytes than the archive is long and the limit of an input;
        and what takes more than the limit of memory, which holds them twice."""
        if size > max(self._source.size, self._limits.bytes or BYTES):
            raise refusal("EP_LIMIT_BYTES", member=about)
        if 0 < self._limits.memory < 2 * size:
            raise refusal("EP_MEMORY", member=about)

    def _view(self) -> Union[bytes, mmap.mmap]:
        if self._source.data is not None:
            return self._source.data
        if self._map is None:
            import mmap
            assert self._source.file is not None
            self._map = mmap.mmap(self._source.file.number, self._source.size,
                                  access=mmap.ACCESS_COPY)
        return self._map

    def weights_digest(self) -> str:
        """The digest of parameters, buffers and constants, however they are stored: "ew1:" and
        a SHA-256. It is of archives of one program that check() takes."""
        self._number(None)
        return _epref.archive_digest(self._handle, False)

    def digest(self) -> str:
        """The digest of all that `epref diff` compares of archives (SPEC 8.6.5): "ec1:" and a
        SHA-256. Raises Error for an archive that check() refuses, and where something cannot be
        compared."""
        if self._digest is None:
            self.check()
            self._digest = _epref.archive_digest(self._handle, True)
        return self._digest

    def audit(self) -> list[Finding]:
        """What loading the archive makes PyTorch evaluate, import, unpickle, call or link: its
        programs first, then its members. Nothing of it is executed."""
        from ._differences import finding_of
        return [finding_of(told) for told in _epref.archive_audit(self._handle)]

    # ---- files

    def extract(self, to: PathLike, *, tensor: str | None = None,
                form: str = "safetensors") -> None:
        """Writes the weights and constants as one file of safetensors, or one tensor of them as
        "safetensors", "npy" or "raw". Objects, which are no tensors, are left out."""
        if form not in FILES:
            raise ValueError(f"no form of a file of tensors: {form!r}")
        number = -1 if tensor is None else self._number_of(tensor)
        if number < 0 and form != "safetensors":
            raise ValueError(f"{form} holds one tensor: tensor=NAME says which")
        names = [each.name for each in self.stored() if each.role != "sample_input"]
        if number < 0 and len(self.models) > 1 and len(set(names)) < len(names):
            raise self._several("tensors of several programs have one name")
        with written(to) as descriptor:
            _epref.archive_write_tensors(self._handle, descriptor, FILES.index(form), number)

    def _number_of(self, name: str) -> int:
        """The number of a tensor of the state. Several programs can have one of its name."""
        numbers = [each._number for each in self.stored()
                   if each.name == name and each.role != "sample_input"]
        if len(numbers) > 1 and len(self.models) > 1:
            raise self._several("a tensor of this name is in several programs")
        if len(numbers) != 1:
            raise KeyError(name)
        return numbers[0]

    def migrate(self, output: PathLike, to: str = "latest", *, raw: bool = False) -> list[Step]:
        """Writes the archive as another release would have saved it: "torch-2.6". Returns what
        was done for it. raw: pickled tensors become members of bytes where the release has such.
        """
        self._number(None)
        with written(output) as descriptor:
            return [Step(*step)
                    for step in _epref.archive_migrate(self._handle, descriptor, to, raw)]

    def extract_all(self, to: PathLike) -> None:
        """Writes every member into a folder, and the list by which pack() puts them together. The
        command does it, and what it refuses is a CommandError."""
        from ._command import run
        name = os.path.abspath(self._source.name) if self._source.file is not None else "-"
        run(["extract", "--all", *self._limits.words(), f"--to-dir={os.fsdecode(to)}", name],
            self._source.data)

    # ---- as an object

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Archive):
            return NotImplemented
        return self.digest() == other.digest()

    def __hash__(self) -> int:
        return hash(self.digest())

    def __repr__(self) -> str:
        name = f"{self._source.name!r}: " if self._source.name else ""
        return safe(f"<epref.Archive {name}{self.models}, {len(self.members)} members>")


def pack(output: PathLike, source: PathLike, *, tensors: PathLike | None = None,
         limits: Limits | None = None) -> None:
    """Writes an archive: of a folder that Archive.extract_all() wrote, or of a program, or an
    archive with one, and a file of safetensors (or a folder of .npy and .safetensors files), as
    the releases of the program's version write it. The folder of all members is called after
    the output."""
    if tensors is None or os.path.isdir(tensors):
        from ._command import run
        run(["pack", *(limits or Limits()).words(), f"--output={os.fsdecode(output)}",
             *([f"--tensors={os.fsdecode(tensors)}"] if tensors is not None else []),
             os.path.abspath(os.fsdecode(source))], None)
        return
    from ._reading import load
    program = load(source, check=False, limits=limits)  # which packing does
    given = Source(tensors)
    if given.file is None:
        raise ValueError("the tensors are no regular file")
    stem = os.path.splitext(os.path.basename(os.fsdecode(output)))[0]
    plain = stem.isprintable() and "\\" not in stem and stem not in ("", ".", "..")
    with written(output) as descriptor:
        _epref.archive_pack(program._handle, descriptor, given.file.number, given.size,
                            stem if plain else None)
