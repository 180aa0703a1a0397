"""What bench measures of whole processes: commands of epref beside others that read the same
bytes, taking turns. A figure is the minimum over the rounds; the median is beside it.
"""

import importlib.util
import json
import math
import os
import pathlib
import shutil
import statistics
import struct
import sys
import time

LARGE = 500_000_000  # elements of a tensor of 4 bytes
LEAST, MOST, SECONDS = 5, 200, 4  # rounds, and about how long they take in all

# A peer that is Python: the module it needs, and what it does with the file that is argv[1].
EACH = "f = open(sys.argv[1], 'rb', 0); c = 0\nwhile b := f.read(1 << 17): c = "
TYPED = pathlib.Path(__file__).resolve().parents[2] / "ref" / "bench" / "bench_msgspec.py"
PYTHON = {
    "python json": ("json", "import json; json.load(open(sys.argv[1], 'rb'))"),
    "orjson": ("orjson", "import orjson; orjson.loads(open(sys.argv[1], 'rb').read())"),
    "msgspec": ("msgspec", "import msgspec; msgspec.json.decode(open(sys.argv[1], 'rb').read())"),
    "msgspec typed": ("msgspec", "import runpy; runpy.run_path(sys.argv[3], run_name='__main__')"),
    "zlib crc32": ("zlib", "import zlib; " + EACH + "zlib.crc32(b, c)"),
    "libdeflate crc32": ("ctypes", "import ctypes; l = ctypes.CDLL('libdeflate.so.0'); "
                         + EACH + "l.libdeflate_crc32(c, b, ctypes.c_size_t(len(b)))"),
    "safetensors": ("safetensors", "from safetensors.torch import load_file; load_file(sys.argv[2])"),
    "torch": ("torch", "import torch; torch.export.load(sys.argv[1])"),
}

# Which peer of a case is not to take more than so many times the other's time: where one process
# is measured, that of processors, which others of the machine disturb less.
GOALS = (
    ("start", "epref --version", "cat", "processor", 1.3),
    ("start", "epref check", "cat", "processor", 1.3),
    ("large", "epref digest --archive", "openssl", "processor", 1.1),
    ("many", "epref check -j2", "cat", "seconds", 2.5),
    ("large", "epref check", "cat", "seconds", 1.3),
)


def large_archive(epref, must, into, program):
    """(An archive with a tensor of 2 GB, that tensor among others as safetensors): the first
    parameter of a program is made so large, and all are zeros."""
    document = json.loads(program.read_bytes())
    graph = document["graph_module"]["graph"]
    names = {spec["parameter"]["parameter_name"]: spec["parameter"]["arg"]["name"]
             for spec in document["graph_module"]["signature"]["input_specs"] if "parameter" in spec}
    meta = graph["tensor_values"][next(iter(names.values()))]
    meta["sizes"], meta["strides"] = [{"as_int": LARGE}], [{"as_int": 1}]
    header, at = {}, 0
    for name, value in names.items():
        shape = [size["as_int"] for size in graph["tensor_values"][value]["sizes"]]
        end = at + 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    made, tensors, archive = (into / f"large.{end}" for end in ("json", "safetensors", "pt2"))
    made.write_text(json.dumps(document))
    with tensors.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(file.tell() + at)
    must(epref, "pack", f"--tensors={tensors}", made, "-o", archive)
    return archive, tensors


def cases(epref, must, into, root):
    """{case: {peer: its command}}"""
    must(root / "scripts" / "unpack_corpora", into / "corpora")
    golden = into / "corpora" / "golden"
    small = next(golden.glob("*/linear/program.json"))
    program = into / "corpora" / "perf" / "enc24.json"
    types = root / "corpora" / "schemas" / "8.20.json"
    large, tensors = large_archive(epref, must, into, into / "corpora" / "perf" / "enc1.json")

    def python(name, *paths):
        return [sys.executable, "-c", f"import sys; {PYTHON[name][1]}", *paths]

    return {
        "start": {"epref --version": [epref, "--version"], "epref check": [epref, "check", small],
                  "cat": ["cat", small]},
        "many": {"epref check": [epref, "check", "-r", golden],
                 "epref check -j2": [epref, "check", "-j2", "-r", golden],
                 "cat": ["cat", *golden.glob("*/*/*.pt2")]},
        "program": {"epref check": [epref, "check", program],
                    **{name: python(name, program, types, TYPED)
                       for name in ("python json", "orjson", "msgspec", "msgspec typed")}},
        "large": {"epref check": [epref, "check", large],
                  "epref digest --archive": [epref, "digest", "--archive", large],
                  "cat": ["cat", large], "sha256sum": ["sha256sum", large],
                  "openssl": ["openssl", "dgst", "-sha256", large],
                  **{name: python(name, large, tensors) for name in
                     ("zlib crc32", "libdeflate crc32", "safetensors", "torch")}},
    }


def why_not(peer, command):
    """Why a peer cannot be run, or None."""
    module = PYTHON.get(peer, ("sys",))[0]
    if importlib.util.find_spec(module) is None:
        return f"no module {module}"
    return None if shutil.which(command[0]) else f"no {command[0]}"


def run(command):
    """(Seconds, seconds of processors) of a process, whose output nobody reads."""
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    begun = time.perf_counter()
    process = os.posix_spawn(shutil.which(command[0]), list(map(str, command)), os.environ,
                             file_actions=nowhere)
    usage = os.wait4(process, 0)[2]
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime


def measure(commands):
    """A line for each peer."""
    taken = {peer: [run(command)] for peer, command in commands.items()}
    rounds = int(SECONDS / sum(first[0] for [first] in taken.values()))
    for _ in range(max(LEAST, min(rounds, MOST)) - 1):
        for peer, command in commands.items():
            taken[peer].append(run(command))
    for peer, runs in taken.items():
        seconds, processor = zip(*runs)
        yield {"peer": peer, "seconds": min(seconds), "median": statistics.median(seconds),
               "processor": min(processor)}


def measured(epref, must, into, root):
    """(Lines, {peer: why it is not run})."""
    lines, not_run = [], {}
    for case, commands in cases(str(epref), must, into, root).items():
        missing = {peer: why for peer, command in commands.items()
                   if (why := why_not(peer, list(map(str, command))))}
        not_run.update(missing)
        kept = {peer: command for peer, command in commands.items() if peer not in missing}
        lines += [{"case": case, **line} for line in measure(kept)]
    return lines, not_run


def judged(operation, name, figure, most, value):
    """A goal with its verdict; what was not measured is not passed."""
    verdict = "not measured" if value is None else "pass" if value <= most else "fail"
    return {"operation": operation, "input": name, "figure": figure, "most": most,
            "value": value and round(value, 2), "verdict": verdict}


def goals(lines):
    """The goals of processes."""
    found = {(line["case"], line["peer"]): line for line in lines}
    for case, peer, other, figure, most in GOALS:
        one, two = found.get((case, peer)), found.get((case, other))
        value = one and two and one[figure] / two[figure]
        yield judged(peer, case, f"{figure} beside {other}", most, value)


def markdown(lines):
    yield "| processes | peer | seconds | median | of processors |"
    yield "|---|---|--:|--:|--:|"
    for line in lines:
        yield "| {case} | {peer} | {seconds:.4f} | {median:.4f} | {processor:.4f} |".format(**line)
    yield ""
