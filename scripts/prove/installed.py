"""What the proofs by an installed PyTorch share: to find it, and to load its archives; and the
table that they print.
"""

import collections
import contextlib
import importlib.util
import io
import logging
import pathlib
import sys
import warnings

WANTED = (2, 13)
MODELS = pathlib.Path(__file__).resolve().parents[2] / "corpora" / "golden" / "models.py"


class Failed(Exception):
    """A step did not work; says why."""


def first_line(error):
    """An exception in one line."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    # What comes with a traceback in its text says last what it is about.
    text = lines[-1] if any(line.startswith("Traceback") for line in lines) else "".join(lines[:1])
    return f"{type(error).__name__}: {text.strip()[:160]}" if lines else type(error).__name__


def print_table(columns, counts, head="release"):
    """Prints counts by name, and their sums, which it returns."""
    print(f"\n{head:8} " + " ".join(f"{column:>{max(8, len(column))}}" for column in columns))
    total = sum(counts.values(), collections.Counter())
    for release, count in [*counts.items(), ("all", total)]:
        print(f"{release:8} " + " ".join(f"{count[column]:{max(8, len(column))}}"
                                         for column in columns))
    return total


def find_torch():
    """PyTorch 2.13, or None if there is none that can be asked."""
    try:
        import torch
    except ImportError:
        return None
    numbers = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    return torch if numbers == WANTED else None


def prepare(torch):
    """One way to compute everything, and no advice meanwhile."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    # Memory that nobody wrote is filled, and so is the same in each run.
    torch.use_deterministic_algorithms(True, warn_only=True)


def load_models():
    """The golden models: their classes, their custom operators and pytree nodes."""
    spec = importlib.util.spec_from_file_location("models", MODELS)
    models = importlib.util.module_from_spec(spec)
    sys.modules["models"] = models
    spec.loader.exec_module(models)
    import torch.ao.quantization.fx._decomposed  # noqa: F401 (registers quantized_decomposed)
    models._custom_lib()
    models._register_dataclass()
    return models


def load(torch, path):
    """What torch.export.load says."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            return torch.export.load(path)
    except Exception as error:  # whatever PyTorch raises
        raise Failed(first_line(error)) from error
