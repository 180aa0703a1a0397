"""Which requests of the suite reach which places of the library. Each statement of
each function, and each head of an if, a loop or a switch, gets a probe, a byte that
is set when control comes by; mutate_tap.py reads and clears them behind every
answer. A change inside a statement that a request does not reach cannot change its
answer.
"""

import bisect
from collections import namedtuple

import mutate_c
import mutate_lexer

HEADER = """#ifndef EP_PROBE
#define EP_PROBE(n) ((void)(ep_probes[n] = 1))
extern unsigned char *ep_probes;
#endif
"""
SOURCE = """#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
unsigned char *ep_probes;
__attribute__((constructor)) static void open_probes(void) {
    const char *path = getenv("EPREF_PROBES");
    int file = path != 0 ? open(path, O_RDWR) : -1;
    void *bytes = file < 0 ? MAP_FAILED
                           : mmap(0, PROBES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) {
        abort();
    }
    ep_probes = bytes;
}
"""
HEADS = ("if", "for", "while", "switch")

# Of the text [start, end); the probe goes in at `at`.
Unit = namedtuple("Unit", "start end at probe form")
STATEMENT, EXPRESSION = "EP_PROBE(%d); ", "EP_PROBE(%d), "


class Probes:
    """The probes of a tree, numbered from 0."""

    def __init__(self, tree):
        self.count, self.units, self.entries = 0, {}, {}
        for name, text in tree.texts.items():
            if not name.endswith(".def"):
                self.units[name] = sorted(self.of_file(name, mutate_c.File(text)))

    def next(self):
        self.count += 1
        return self.count - 1

    def of_file(self, name, file):
        for function in file.functions:
            at = file.tokens[function.first].end
            self.entries[name, function.name] = entry = self.next()
            yield Unit(at, at, at, entry, " " + STATEMENT)
            for first, last in units(file, function):
                at, form = place(file, first)
                yield Unit(file.tokens[first].start, file.tokens[last].end, at, self.next(), form)

    def text(self, name, text):
        """A file with its probes in it."""
        for unit in sorted(self.units[name], key=lambda unit: unit.at, reverse=True):
            text = text[:unit.at] + unit.form % unit.probe + text[unit.at:]
        return text

    def probe(self, mutant):
        """The probe of a change; None: it stands in no function."""
        entry = self.entries.get((mutant.file, mutant.function))
        if entry is None:
            return None
        units_of = self.units[mutant.file]
        index = bisect.bisect_right(units_of, mutant.change.start,
                                    key=lambda unit: unit.start) - 1
        unit = units_of[index]
        fits = unit.start <= mutant.change.start and mutant.change.end <= unit.end
        return unit.probe if fits and unit.start < unit.end else entry


def units(file, function):
    """First and last tokens of statements and of heads."""
    types = list(structures(file, function))
    for one in mutate_lexer.statements(file.tokens, file.pairs, function):
        is_type = any(first <= one.first <= last + 1 for first, last in types)
        if file.tokens[one.first].text not in (";", "else") and not is_type:
            yield one.first, one.last
    for index in range(function.first + 1, function.last):
        if file.tokens[index].text in HEADS and file.tokens[index + 1].text == "(":
            last = file.pairs[index + 1]
            if file.tokens[last + 1].text == "{":
                yield index, last


def structures(file, function):
    """The braces of the types that a function declares."""
    for index in range(function.first + 1, function.last):
        if file.tokens[index].text in ("struct", "union", "enum"):
            brace = index + 1 + (file.tokens[index + 1].kind == "word")
            if file.tokens[brace].text == "{":
                yield brace, file.pairs[brace]


def place(file, first):
    """Where a probe goes: before a statement, or into the parenthesis of an if, a
    while or a switch, which may stand behind an else or a body."""
    token = file.tokens[first]
    if token.text in ("if", "while", "switch"):
        return file.tokens[first + 1].end, EXPRESSION
    return token.start, STATEMENT
