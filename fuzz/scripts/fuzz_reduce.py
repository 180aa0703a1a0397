"""Making an input that breaks something smaller: libFuzzer's minimiser, and plain
cutting, which asks after each cut whether it is still the same finding.
"""

import os
import shutil
import tempfile
import time

import fuzz_engine
import fuzz_process
import fuzz_project


def by_engine(out, build, target, path, seconds, same):
    """libFuzzer's minimiser; its result is taken only if it is the same finding."""
    with tempfile.TemporaryDirectory(prefix="fuzz-minimize-") as place:
        result = os.path.join(place, "smaller")
        fuzz_process.run(fuzz_engine.minimize(out, build, target, path, result, place,
                                              os.path.join(place, "log"), max(2, seconds)))
        if (os.path.isfile(result) and os.path.getsize(result) < os.path.getsize(path)
                and same(result)):
            shutil.copyfile(result, path)


def cuts(data, size):
    """Every input that lacks `size` bytes in one place, from the end on."""
    for start in range(max(0, len(data) - size), -1, -size):
        yield data[:start] + data[start + size:]


def by_cutting(path, seconds, same):
    """Leave out ever smaller pieces while the finding stays the same."""
    end, data = time.monotonic() + seconds, fuzz_project.read(path)
    size = max(1, len(data) // 2)
    with tempfile.TemporaryDirectory(prefix="fuzz-cut-") as place:
        trial = os.path.join(place, "input")
        while size:
            smaller = first_same(data, size, trial, same, end)
            if smaller is None:
                size //= 2
            else:
                data = smaller
                fuzz_project.write_atomically(path, data)
            if time.monotonic() > end:
                return


def first_same(data, size, trial, same, end):
    """The first cut that is the same finding, or None."""
    for shorter in cuts(data, size):
        if time.monotonic() > end:
            return None
        with open(trial, "wb") as file:
            file.write(shorter)
        if same(trial):
            return shorter
    return None
