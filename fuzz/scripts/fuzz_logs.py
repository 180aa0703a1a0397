"""What the engines say, as numbers: libFuzzer's lines, also of its fork mode and of a
merge, and AFL++'s fuzzer_stats. Pure functions over text.
"""

import dataclasses
import re

RUN = re.compile(r"^#(\d+):?\s", re.MULTILINE)
STAT = re.compile(r"^stat::number_of_executed_units:\s+(\d+)|^Done (\d+) runs", re.MULTILINE)
EDGES = re.compile(r"\bcov: (\d+)")


@dataclasses.dataclass
class Numbers:
    """What one run of an engine has done."""

    executions: int = 0
    edges: int = 0
    crashes: int = 0


def libfuzzer(text):
    """The figures of a log of libFuzzer, whole or cut off."""
    counts = [int(one or other) for one, other in STAT.findall(text)]
    counts += [int(each) for each in RUN.findall(text)[-1:]]
    return Numbers(max(counts, default=0), max(map(int, EDGES.findall(text)), default=0),
                   text.count("Test unit written to "))


def afl(text):
    """The figures of a fuzzer_stats file."""
    rows = {key.strip(): value.strip() for key, _, value in
            (line.partition(":") for line in text.splitlines())}

    def number(key):
        return int(rows.get(key, "0").split(".")[0] or 0)

    return Numbers(number("execs_done"), number("edges_found"),
                   number("saved_crashes") + number("saved_hangs"))


def text_of(path, most=4 << 20):
    """The end of a log; "" where there is none."""
    try:
        with open(path, "rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - most))
            return file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
