"""Archives: .pt2 files."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, NamedTuple, Union

from . import _epref
from ._errors import PACKAGE, Diagnostic, Error, about, diagnostic_of, refusal, safe
from ._options import Limits, options_of
from ._program import Program, Step
from ._source import BYTES, PathLike, Readable, Source, written

if TYPE_CHECKING:
    import mmap

    import numpy as np

    from ._differences import Differences, Finding

ROLES = ("unnamed", "parameter", "buffer", "buffer_not_persistent", "constant", "custom_object",
         "sample_input")
FORMS = ("strided", "meta", "sparse", "object")
NATIVE = {"float16": "<f2", "float32": "<f4", "float64": "<f8", "complex64": "<c8",
          "complex128": "<c16", "int16": "<i2", "int32": "<i4", "int64": "<i8", "uint16": "<u2",
          "uint32": "<u4", "uint64": "<u8", "int8": "i1", "uint8": "u1", "bool": "?"}
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
        with self._archive._using() as handle:
            return _epref.archive_read_tensor(handle, self._number)

    @property
    def inside(self) -> StoredTensor | None:
        """The tensor of a class, or with attributes, that it is a part of."""
        return self._archive.stored()[self._inside] if self._inside >= 0 else None

    @property
    def is_shared(self) -> bool:
        """Whether numpy() gives a view of the archive, not a copy."""
        storage = self._storage
        return (self._archive._source.ranges is None and storage is not None and storage[4] and not storage[5] and not self.fault and
                self.form == "strided" and not (self._conjugate or self._negative))

    def numpy(self, bits: bool = False) -> np.ndarray[Any, Any]:
        """The tensor as an array of numpy, without a copy where the archive lets it be.

        It is a view of the file, which must not change while the array is in use; what is
        written into the array does not get into the file. Of an archive in bytes the view
        cannot be written to. Of what numpy lacks, the package ml_dtypes has bfloat16 and float8.
        bits: where numpy has no such dtype, an array of unsigned integers of as many bits.
        """
        import numpy as np
        dtype = dtype_of(self.dtype, bits)
        if not self.is_shared:
            data = bytearray(self.tobytes())  # also says what is wrong
            copied: np.ndarray[Any, Any] = np.frombuffer(data, dtype).reshape(self.shape)
            return copied
        assert self._storage is not None
        shared: np.ndarray[Any, Any] = np.ndarray(
            self.shape, dtype, self._archive._view(),
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


def dtype_of(name: str, bits: bool) -> np.dtype[Any]:
    """numpy's dtype of little-endian elements that torch calls so."""
    import numpy as np
    if name in NATIVE or (bits and name in BITS):
        return np.dtype(NATIVE[BITS.get(name, name)])
    if name in BITS:
        with contextlib.suppress(ImportError):
            import ml_dtypes
            if hasattr(ml_dtypes, name):
                found: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
                return found
        raise TypeError(f"numpy has no {name} (ml_dtypes has most such); numpy(bits=True) gives "
                        f"its bits as {BITS[name]}")
    raise TypeError(f"numpy has no {name or 'dtype for an object'}")


class Arrays(Dict[str, "np.ndarray[Any, Any]"]):
    """Arrays by the names of tensors."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped: dict[str, str] = {}  # names of the tensors that are left out, and why


def opened(given: Source, *wish: Any) -> _epref.ArchiveHandle:
    if given.data is not None:
        return _epref.archive_from_bytes(given.data, *wish)
    if given.ranges is not None:
        return _epref.archive_from_file(given.ranges.read, -1, given.size, *wish)
    assert given.file is not None
    return _epref.archive_from_file(given.file, given.file.number, given.size, *wish)


class Archive(Mapping[str, bytes]):
    """A .pt2 archive: a path, URL, file object or bytes. It is read in place and in pieces. It maps
    the names of members to their bytes.

    model: of several programs only the one of this name. one_program: refuse an archive of
    several, unless model says which, and one of none. A package of compiled models of AOTInductor
    has no program: what asks for one raises Error with EP_ARCHIVE_PROGRAM.

    Two archives are equal when their digests are; both raise Error as digest() does.

    The file must not change while the archive or its arrays are in use: of a URL or file object
    check() and digest() see it (ChangedError). Any number of threads may use it, one after the
    other. close(), or the end of `with`, closes the file; programs and arrays stay.
    """

    __slots__ = ("_opened", "_source", "_wish", "_options", "_limits", "_map", "_tensors",
                 "_models", "_digest", "_compiled", "_members")

    def __init__(self, source: Readable, *, model: str | None = None, one_program: bool = False,
                 schema: str | None = None, forward: bool = False,
                 limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._options = options_of(schema, forward, limits)
        self._wish = (model, one_program, schema, forward, limits)
        self._source = source if isinstance(source, Source) else Source(source, self._limits.bytes)
        if self._source.is_cut:
            raise refusal("EP_LIMIT_BYTES")
        self._map: mmap.mmap | None = None
        self._tensors: list[StoredTensor] | None = None
        self._models: list[str] | None = None
        self._digest: str | None = None
        self._compiled: list[CompiledModel] = []
        self._members: dict[str, tuple[int, Member]] | None = None
        with about(self._source.name):
            self._opened: _epref.ArchiveHandle | None = opened(self._source, self._options, model,
                                                               one_program)

    @contextlib.contextmanager
    def _using(self, whole: bool = False) -> Iterator[_epref.ArchiveHandle]:
        """For calls that read. whole: much of the file."""
        handle = self._opened
        try:
            if handle is not None:
                with about(self._source.name), \
                        self._source.whole() if whole else contextlib.nullcontext():
                    yield handle
                return
        except Error:
            if self._opened is not None:  # no other thread has closed it
                raise
        raise ValueError("the archive is closed")

    def close(self) -> None:
        """Closes the file; what is left of the archive is not to be used."""
        if self._opened is not None:
            opened, self._opened = self._opened, None
            _epref.archive_close(opened)
            self._source.close()

    @property
    def is_closed(self) -> bool:
        return self._opened is None

    def __enter__(self) -> Archive:
        with self._using():
            return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- members and programs

    def _named(self) -> dict[str, tuple[int, Member]]:
        if self._members is None:
            with self._using() as handle:
                self._members = {told[0]: (number, Member(*told))
                                 for number, told in enumerate(_epref.archive_members(handle))}
        return self._members

    @property
    def members(self) -> list[Member]:
        """In the order of the archive's directory."""
        return [member for _, member in self._named().values()]

    def __getitem__(self, name: str) -> bytes:
        """The bytes of a member, whose checksum is compared."""
        number, member = self._named()[name]
        self._afford(member.size, name)
        with self._using() as handle:
            return _epref.archive_read_member(handle, number)

    read = __getitem__

    def __iter__(self) -> Iterator[str]:
        return iter(self._named())

    def __len__(self) -> int:
        return len(self._named())

    def __contains__(self, name: object) -> bool:
        return name in self._named()

    @property
    def models(self) -> list[str]:
        """The names of the programs; "" is that of an archive of 2.1 to 2.8."""
        if self._models is None:
            with self._using() as handle:
                self._models = [name for name, _ in _epref.archive_programs(handle)]
        return self._models

    def program(self, model: str | None = None, check: bool = True) -> Program:
        """The program of a name; without a name the only one there is. Raises Error."""
        number = self._number(model)
        with self._using() as archive:
            handle, warnings = _epref.decode_archived(archive, number, self._options)
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
        with self._using(whole=True) as handle:
            notes = [diagnostic_of(place, "note")
                     for place in _epref.archive_check(handle, not data)]
        return notes if self.models else [*notes, PACKAGE]

    # ---- tensors

    def stored(self) -> list[StoredTensor]:
        """All tensors, sample inputs too, in the order of the archive."""
        if self._tensors is None:
            with self._using() as handle:
                tensors, storages, compiled = _epref.archive_tensors(handle)
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

    def arrays(self, model: str | None = None, bits: bool = False, skip: bool = True) -> Arrays:
        """The same as arrays of numpy. What there is no array of is left out, and `skipped` of the
        result says why: dtypes that neither numpy nor ml_dtypes has, unless bits or not skip;
        objects; tensors without data ("meta"); and those of a class whose elements are in tensors
        inside of them, which are there as "a.weight.qdata"."""
        arrays = Arrays()
        tensors = self.tensors(model)
        for name, each in tensors.items():
            try:
                if each.form == "strided":
                    dtype_of(each.dtype, bits)
                else:
                    arrays.skipped[name] = f"no elements of its own: {each.form}"
            except TypeError as error:
                if not skip:
                    raise
                arrays.skipped[name] = str(error)
        wanted = {name: each for name, each in tensors.items() if name not in arrays.skipped}
        self._afford(sum(each.nbytes for each in wanted.values() if not each.is_shared))
        arrays.update((name, each.numpy(bits)) for name, each in wanted.items())
        return arrays

    def _afford(self, size: int, about: str = "") -> None:
        """Refuses what would give more bytes than the archive is long and the limit of an input;
        and what takes more than the limit of memory, which holds them twice."""
        if size > max(self._source.size, self._limits.bytes or BYTES):
            raise refusal("EP_LIMIT_BYTES", member=about)
        if 0 < self._limits.memory < 2 * size:
            raise refusal("EP_MEMORY", member=about)

    def _view(self) -> Union[bytes, mmap.mmap]:
        if self._opened is None:
            raise ValueError("the archive is closed")
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
        with self._using(whole=True) as handle:
            return _epref.archive_digest(handle, False)

    def digest(self) -> str:
        """The digest of all that `epref diff` compares of archives (SPEC 8.6.5): "ec1:" and a
        SHA-256. Raises Error for an archive that check() refuses, and where something cannot be
        compared."""
        if self._digest is None:
            self.check()
            with self._using(whole=True) as handle:
                self._digest = _epref.archive_digest(handle, True)
        return self._digest

    def audit(self, data: bool = True) -> list[Finding]:
        """What loading the archive makes PyTorch evaluate, import, unpickle, call or link: its
        programs first, then its members. Nothing of it is executed. data: an archive that check()
        refuses is a finding, too, for which all of it is read."""
        from ._differences import finding_of
        with self._using(whole=data) as handle:
            return [finding_of(told) for told in _epref.archive_audit(handle, not data)]

    def diff(self, other: Archive, model: str | None = None, limit: int = 20,
             provenance: bool = False) -> Differences:
        """Where the programs of two archives part, as Program.diff() says it. What else parts two
        archives only their digests say."""
        return self.program(model, False).diff(other.program(model, False), limit, provenance)

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
        with self._using(whole=True) as handle, written(to) as descriptor:
            _epref.archive_write_tensors(handle, descriptor, FILES.index(form), number)

    def _number_of(self, name: str) -> int:
        """The number of a tensor of the state. Several programs can have one of its name."""
        numbers = [each._number for each in self.stored()
                   if each.name == name and each.role != "sample_input"]
        if len(numbers) > 1 and len(self.models) > 1:
            raise self._several("a tensor of this name is in several programs")
        if len(numbers) != 1:
            raise KeyError(name)
        return numbers[0]

    def migrate(self, output: PathLike, to: str = "latest", *, raw: bool = False,
                pickle: bool = False, devices: Mapping[str, str] | None = None) -> list[Step]:
        """Writes the archive as another release would have saved it: "torch-2.6". Returns what
        was done for it. raw: pickled tensors become members of bytes where the release has such.
        pickle: members of bytes are pickled, for 2.8 and older. devices: {"cuda:0": "cpu"} puts one
        in place of another, "cuda" being that of any index. For these two the command does it, and
        what it refuses is a CommandError.
        """
        self._number(None)
        if pickle or devices:
            return self._migrate_by_command(output, to, raw, pickle, devices or {})
        with self._using(whole=True) as handle, written(output) as descriptor:
            return [Step(*step)
                    for step in _epref.archive_migrate(handle, descriptor, to, raw)]

    def _migrate_by_command(self, output: PathLike, to: str, raw: bool, pickle: bool,
                            devices: Mapping[str, str]) -> list[Step]:
        from ._command import report
        pairs = ",".join(f"{one}={other}" for one, other in devices.items())
        words = ["migrate", f"--to={to}", "--report", *["--raw"] * raw, *["--pickle"] * pickle,
                 *[f"--device={pairs}"] * bool(devices)]
        with self._using():
            said = report([*words, self._operand()], self._bytes(), output, self._limits)
        return [Step(**step) for each in said for step in each.get("steps", ())]

    def _operand(self) -> str:
        return os.path.abspath(self._source.name) if self._source.file is not None else "-"

    def _bytes(self) -> bytes | None:
        return None if self._source.file is not None else self._source.read()

    def extract_all(self, to: PathLike) -> None:
        """Writes every member into a folder, and the list by which pack() puts them together. The
        command does it, and what it refuses is a CommandError."""
        from ._command import run
        with self._using():
            run(["extract", "--all", *self._limits.words(), f"--to-dir={os.fsdecode(to)}",
                 self._operand()], self._bytes())

    # ---- as an object

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Archive):
            return NotImplemented
        return self.digest() == other.digest()

    def __hash__(self) -> int:
        return hash(self.digest())

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the archive is opened again."""
        given = self._source.given
        if hasattr(given, "read") and not hasattr(given, "madvise"):
            raise TypeError("an archive of a file object cannot be pickled; one of a path, URL or "
                            "bytes can")
        return reopened, (given if isinstance(given, (str, os.PathLike)) or hasattr(given, "fs")
                          else self._source.data, *self._wish)

    def __repr__(self) -> str:
        if self._opened is None:
            return "<epref.Archive, closed>"
        name = f"{self._source.name!r}: " if self._source.name else ""
        return safe(f"<epref.Archive {name}{self.models}, {len(self.members)} members>")

    def _repr_html_(self) -> str:
        from ._html import archive_page
        return archive_page(self)


def reopened(source: Readable, model: str | None, one_program: bool, schema: str | None,
             forward: bool, limits: Limits | None) -> Archive:
    return Archive(source, model=model, one_program=one_program, schema=schema, forward=forward,
                   limits=limits)
