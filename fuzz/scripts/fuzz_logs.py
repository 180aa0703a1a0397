"""What the engines say, as numbers: libFuzzer's lines, those of its fork mode
and of its merge, and AFL++'s fuzzer_stats. Pure functions over text.
"""

import dataclasses
import re

LINE = re.compile(r"^#(\d+):?\s", re.MULTILINE)
PAIR = {
    "edges": re.compile(r"\bcov: (\d+)"),
    "features": re.compile(r"\bft: (\d+)"),
    "corpus": re.compile(r"\bcorp: (\d+)"),
}
FORK = re.compile(r"^#\d+: .*oom/timeout/crash: (\d+)/(\d+)/(\d+) time: (\d+)s", re.MULTILINE)
STAT = re.compile(r"^stat::(\w+):\s+(\d+)", re.MULTILINE)
DONE = re.compile(r"^Done (\d+) runs in (\d+) second", re.MULTILINE)
MERGED = re.compile(r"MERGE-OUTER: (\d+) new files with (\d+) new features added"
                    r"(?:; (\d+) new coverage edges)?")
ARTIFACT = re.compile(r"Test unit written to (\S+)")


@dataclasses.dataclass
class Numbers:
    """What one run of an engine has done so far."""

    executions: int = 0
    edges: int = 0
    features: int = 0
    corpus: int = 0
    crashes: int = 0
    rss: int = 0


def last(pattern, text):
    """The number of a pattern's last match, or 0."""
    found = pattern.findall(text)
    return int(found[-1]) if found else 0


def libfuzzer(text):
    """The figures of a log of libFuzzer, whole or cut off."""
    stats = {key: int(value) for key, value in STAT.findall(text)}
    executions = max(last(LINE, text), stats.get("number_of_executed_units", 0))
    if not executions and DONE.search(text):
        executions = int(DONE.findall(text)[-1][0])
    fork = FORK.findall(text)
    crashes = sum(int(each) for each in fork[-1][:3]) if fork else len(ARTIFACT.findall(text))
    return Numbers(executions, *(last(PAIR[key], text) for key in PAIR),
                   crashes=crashes, rss=stats.get("peak_rss_mb", 0))


@dataclasses.dataclass
class Merge:
    """What a merge has added to a corpus, and the edges of all of it."""

    files: int = 0
    features: int = 0
    new_edges: int = 0
    edges: int = 0
    whole: bool = False


def merge(text):
    """The outcome of -merge=1; `whole` is false where it did not end."""
    found = MERGED.findall(text)
    edges = max([int(each) for each in PAIR["edges"].findall(text)], default=0)
    if not found:
        return Merge(edges=edges)
    files, features, new = found[-1]
    return Merge(int(files), int(features), int(new or 0), edges, True)


def afl_stats(text):
    """fuzzer_stats as a dictionary of text."""
    rows = (line.partition(":") for line in text.splitlines())
    return {key.strip(): value.strip() for key, colon, value in rows if colon}


def whole(rows, key):
    """A number of fuzzer_stats, 0 where it is missing or none."""
    text = rows.get(key, "0").split(".")[0]
    return int(text) if text.isdigit() else 0


def afl(text):
    """The figures of a fuzzer_stats file, since the instance's first start."""
    rows = afl_stats(text)
    return Numbers(whole(rows, "execs_done"), whole(rows, "edges_found"), 0,
                   whole(rows, "corpus_count") or whole(rows, "paths_total"),
                   whole(rows, "saved_crashes") + whole(rows, "saved_hangs"),
                   whole(rows, "peak_rss_mb"))


def since(now, before):
    """Executions of a run that resumed: the counter goes on, or starts anew."""
    return now - before if now >= before else now
