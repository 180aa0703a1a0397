"""Making archives."""

from __future__ import annotations

import contextlib
import os
from typing import IO, TYPE_CHECKING, Any, Iterator, Mapping, Union

from . import _epref
from ._archive import StoredTensor
from ._options import Limits
from ._program import Program
from ._source import PathLike, Readable, Source, is_url, written

if TYPE_CHECKING:
    import numpy as np

# Those of which safetensors has other names than the letter, the bits and the rest of torch's.
SAFETENSORS = {"bool": "BOOL", "bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3",
               "float8_e8m0fnu": "F8_E8M0"}
KINDS = {"uint": "U", "int": "I", "float": "F", "complex": "C"}


def pack(output: PathLike, source: Union[Program, Readable], *,
         tensors: Union[PathLike, Mapping[str, Any], None] = None,
         limits: Limits | None = None) -> None:
    """Writes an archive: of a folder that Archive.extract_all() wrote, or of a program and its
    tensors, as the releases of the program's version write it. The folder of all members is
    called after the output.

    source: the folder; or a Program, or what load() takes.
    tensors: a file of safetensors, a folder of .npy and .safetensors files, or a mapping of names
    to arrays of numpy, to what numpy makes arrays of, or to tensors of another archive.
    """
    path = os.fsdecode(source) if isinstance(source, (str, os.PathLike)) else ""
    path = os.path.abspath(path) if path and not is_url(path) else ""
    folder = os.fsdecode(tensors) if isinstance(tensors, (str, os.PathLike)) else ""
    if os.path.isdir(folder) or (tensors is None and path):
        from ._command import run
        run(["pack", *(limits or Limits()).words(), f"--output={os.fsdecode(output)}",
             *([f"--tensors={folder}"] if folder else []), path or "-"],
            None if path else opened(source, limits).encode())
        return
    program = opened(source, limits)
    stem = os.path.splitext(os.path.basename(os.fsdecode(output)))[0]
    plain = stem.isprintable() and "\\" not in stem and stem not in ("", ".", "..")
    with given(tensors) as (descriptor, size), written(output) as to:
        _epref.archive_pack(program._handle, to, descriptor, size, stem if plain else None)


def opened(source: Any, limits: Limits | None) -> Program:
    from ._reading import load
    if isinstance(source, Program):
        return source
    return load(source, check=False, limits=limits)  # which packing does


@contextlib.contextmanager
def given(tensors: Union[PathLike, Mapping[str, Any], None]) -> Iterator[tuple[int, int]]:
    """The descriptor of a file of safetensors, and its size; below zero: there are no tensors."""
    if tensors is None:
        yield -1, 0
    elif isinstance(tensors, Mapping):
        import tempfile
        with tempfile.TemporaryFile() as file:
            write(file, tensors)
            file.flush()
            yield file.fileno(), file.tell()
    else:
        source = Source(tensors)
        if source.file is None:
            raise ValueError("the tensors are no regular file")
        yield source.file.number, source.size


def write(file: IO[bytes], tensors: Mapping[str, Any]) -> None:
    """Writes a file of safetensors."""
    import json
    parts = {name: tensor if isinstance(tensor, StoredTensor) else array_of(tensor)
             for name, tensor in tensors.items()}
    head, end = {}, 0
    for name, part in parts.items():
        head[name] = {"dtype": name_of(str(part.dtype)), "shape": list(part.shape),
                      "data_offsets": [end, end + part.nbytes]}
        end += part.nbytes
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    file.write(len(text).to_bytes(8, "little") + text)
    for part in parts.values():
        file.write(part.tobytes())


def array_of(tensor: Any) -> np.ndarray[Any, Any]:
    """Little-endian."""
    import numpy as np
    array = np.asarray(tensor)
    return array.astype(array.dtype.newbyteorder("<")) if array.dtype.byteorder == ">" else array


def name_of(dtype: str) -> str:
    for kind, letter in KINDS.items():
        if dtype.startswith(kind):
            return SAFETENSORS.get(dtype, letter + dtype[len(kind):].upper())
    return SAFETENSORS.get(dtype, dtype)
