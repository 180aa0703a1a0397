"""What gcov counted in one or more builds, merged, and the marks in the sources."""

import collections
import glob
import json
import os
import re
import subprocess

MARK = re.compile(r"LCOV_EXCL_(BR_LINE|LINE|START|STOP)\b[ :]*([^*]*)")
NEVER = re.compile(r"^\s*EP_UNREACHABLE\(\);")
LABEL = re.compile(r"^\s*(case\b.*|default):\s*(/\*.*\*/)?$")
SWITCH = re.compile(r"\bswitch \(.*\) \{")
REASON = re.compile(r"\w+\W+\w+")  # two words at least
AT_ONCE = 40  # notes that gcov is given


# ---- marks


class Mark:
    """A mark, and the lines that it is about."""

    def __init__(self, name, line, kind, reason):
        self.name, self.kind, self.reason = name, kind, reason
        self.first = self.last = line

    def place(self):
        lines = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.name}:{lines}"

    def covers(self, line, branch):
        return self.first <= line <= self.last and (branch or self.kind != "BR_LINE")


def marks_of(name, text):
    """The marks of a file, and what is wrong with them."""
    marks, faults, started = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        found = MARK.search(line)
        if not found:
            continue
        kind, reason = found.group(1), found.group(2).strip()
        if kind == "STOP":
            if started is None:
                faults.append(f"{name}:{number}: STOP without START")
            else:
                started.last, started = number, None
            continue
        mark = Mark(name, number, kind, reason)
        marks.append(mark)
        if not REASON.search(reason):
            faults.append(f"{name}:{number}: a mark without a reason")
        if kind == "START":
            started = mark
    if started is not None:
        faults.append(f"{started.place()}: START without STOP")
    return marks, faults


def sources(folder):
    return sorted(glob.glob(os.path.join(folder, "*", "*.[ch]")))


def marks(folder):
    """Those of all files of a folder."""
    every, faults = [], []
    for path in sources(folder):
        with open(path, encoding="utf-8") as file:
            found, wrong = marks_of(os.path.basename(path), file.read())
        every += found
        faults += wrong
    return every, faults


# ---- what cannot happen


def never_lines(text):
    """The lines of EP_UNREACHABLE(), and those of the labels that lead there only."""
    lines = set()
    for number, line in enumerate(text, 1):
        if NEVER.search(line):
            lines.add(number)
            while LABEL.search(text[number - 2]):
                number -= 1
                lines.add(number)
    return lines


def closed_switches(text, never):
    """The lines of switches that always take one of their cases: they have no default,
    and -Wswitch-enum lets none be missing, or one that is never taken. gcc's last branch
    is the one that takes none."""
    lines = set()
    for number, line in enumerate(text, 1):
        if not SWITCH.search(line):
            continue
        pad = line[:len(line) - len(line.lstrip())]
        end = text.index(pad + "}", number)
        defaults = [i for i in range(number, end) if text[i].startswith(pad + "default:")]
        if all(i + 1 in never for i in defaults):
            lines.add(number)
    return lines


# ---- counts


class File:
    """One source: how often its lines, functions and branches were reached."""

    def __init__(self, path, marked):
        self.name = os.path.basename(path)
        self.folder = os.path.basename(os.path.dirname(path))
        self.marked = [mark for mark in marked if mark.name == self.name]
        self.lines = collections.Counter()
        self.functions = collections.Counter()
        self.branches = {}
        with open(path, encoding="utf-8") as file:
            self.text = file.read().splitlines()
        self.never = never_lines(self.text)
        self.closed = closed_switches(self.text, self.never)

    def add(self, counted):
        for function in counted["functions"]:
            self.functions[function["name"]] += function["execution_count"]
        for line in counted["lines"]:
            number = line["line_number"]
            self.lines[number] += line["count"]
            counts = [branch["count"] for branch in line["branches"]]
            if counts:
                key = (number, line.get("function_name"))
                before = self.branches.get(key, [0] * len(counts))
                self.branches[key] = [a + b for a, b in zip(before, counts)]

    def is_marked(self, line, branch):
        return line in self.never or any(mark.covers(line, branch) for mark in self.marked)

    def wanted_lines(self):
        return {number: count for number, count in self.lines.items()
                if not self.is_marked(number, False)}

    def wanted_branches(self):
        return {key: counts[:-1] if key[0] in self.closed and counts[-1] == 0 else counts
                for key, counts in self.branches.items() if not self.is_marked(key[0], True)}

    def figures(self):
        """Reached and all: of lines, functions, branches."""
        lines = self.wanted_lines().values()
        branches = [count for counts in self.wanted_branches().values() for count in counts]
        functions = self.functions.values()
        return [number for all_of in (lines, functions, branches)
                for number in (sum(count > 0 for count in all_of), len(all_of))]

    def missed(self):
        """(line, what, text): + and - are the branches of a line, in gcc's order."""
        found = [(number, "never run") for number, count in self.wanted_lines().items()
                 if count <= 0]
        for (number, _), counts in self.wanted_branches().items():
            if min(counts) <= 0:  # less when threads have lost counts
                found.append((number, "".join("+" if count > 0 else "-" for count in counts)))
        return [(number, what, self.text[number - 1].strip()) for number, what in sorted(found)]


def counted_files(notes):
    """What gcov says of some notes, a file of a source each time."""
    for i in range(0, len(notes), AT_ONCE):
        done = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout",
                               *notes[i:i + AT_ONCE]], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise OSError(f"gcov: {done.stderr.strip()}")
        for line in done.stdout.splitlines():
            if line.startswith("{"):
                unit = json.loads(line)
                for file in unit["files"]:
                    yield os.path.join(unit["current_working_directory"], file["file"]), file


def read(folders, source, marked):
    """The files of a source folder as build folders ran them, by name."""
    files = {}
    source = os.path.realpath(source)
    for folder in folders:
        notes = [note for target in ("core", "static") for note in glob.glob(
            os.path.join(folder, "CMakeFiles", f"epref_{target}.dir", "**", "*.gcno"),
            recursive=True)]
        for path, counted in counted_files([os.path.abspath(note) for note in sorted(notes)]):
            path = os.path.realpath(path)
            if os.path.dirname(os.path.dirname(path)) == source:
                files.setdefault(path, File(path, marked)).add(counted)
    return [files[path] for path in sorted(files)]


# ---- the table


def share(reached, whole):
    return f"{reached}/{whole}"


def table(files):
    """By file, the worst first; the sum last."""
    rows = [(file.name, file.figures()) for file in files]
    rows.sort(key=lambda row: (row[1][4] - row[1][5], row[1][0] - row[1][1], row[0]))
    rows.append(("all of ref/src", [sum(column) for column in zip(*(row[1] for row in rows))]))
    text = f"{'file':28}{'lines':>14}{'functions':>12}{'branches':>14}{'missed':>8}\n"
    for name, (lines, of_lines, functions, of_functions, branches, of_branches) in rows:
        text += (f"{name:28}{share(lines, of_lines):>14}{share(functions, of_functions):>12}"
                 f"{share(branches, of_branches):>14}{of_branches - branches:>8}\n")
    return text
