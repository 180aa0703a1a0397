"""The faults that conformance/scripts/mutate can put into tables, the .def files: a row goes,
two rows change places, a cell becomes another.  A row is NAME(cell, cell, ...)
that begins a line; strings are left alone.
"""

import re
from collections import namedtuple

import mutate_lexer
from mutate_c import Change, others

Cell = namedtuple("Cell", "tokens")
Row = namedtuple("Row", "name start end cells line")
VERSION = re.compile(r"(?:V\d\w*|FUTURE)\Z")
VERSION_ROW = re.compile(r"^VERSION\((V\d\w*)", re.MULTILINE)


def versions(text):
    """The symbols of schema/version.def in their order."""
    return VERSION_ROW.findall(text) + ["FUTURE"]


def rows(text):
    """The rows of a table."""
    tokens = mutate_lexer.tokens(text)
    pairs = mutate_lexer.partners(tokens)
    found, index = [], 0
    while index + 1 < len(tokens):
        if tokens[index].kind == "word" and tokens[index + 1].text == "(":
            last = pairs[index + 1]
            cells = split(tokens[index + 2:last])
            found.append(Row(tokens[index].text, tokens[index].start, tokens[last].end, cells,
                             text.count("\n", 0, tokens[index].start)))
            index = last
        index += 1
    return found


def split(tokens):
    """The cells of a row, each a list of tokens."""
    cells, depth = [[]], 0
    for token in tokens:
        if token.text == "," and depth == 0:
            cells.append([])
            continue
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        cells[-1].append(token)
    return cells


class Table:
    """A .def file, and what can be done to it."""

    def __init__(self, text, order):
        self.text, self.order, self.rows = text, order, rows(text)
        self.columns = {}
        for row in self.rows:
            for place, cell in enumerate(row.cells):
                if len(cell) == 1 and cell[0].kind == "word":
                    column = self.columns.setdefault((row.name, place), [])
                    if cell[0].text not in column:
                        column.append(cell[0].text)

    def changes(self):
        found = []
        for row, after in zip(self.rows, self.rows[1:] + [None]):
            found.append(Change("row", row.start, row.end, "", row.name))
            if after is not None and after.name == row.name and self.near(row, after):
                middle = self.text[row.end:after.start]
                swapped = self.text[after.start:after.end] + middle + \
                    self.text[row.start:row.end]
                found.append(Change("swap", row.start, after.end, swapped, row.name))
            for place, cell in enumerate(row.cells):
                found += self.of_cell(row, place, cell)
        return found

    def near(self, row, after):
        """Whether only white space is between two rows."""
        return self.text[row.end:after.start].strip() == ""

    def of_cell(self, row, place, cell):
        for text in self.instead(row, place, cell):
            yield Change("cell", cell[0].start, cell[-1].end, text, row.name)

    def instead(self, row, place, cell):
        """What a cell becomes: the version before or after, a number one off, the
        next of the names that stand in its column, one of several tags less."""
        if not cell:
            return []
        last = cell[-1]
        if len(cell) == 1 and VERSION.match(last.text) and last.text in self.order:
            at = self.order.index(last.text)
            return self.order[at + 1:at + 2] + self.order[max(at - 1, 0):at]
        if last.kind == "number" and len(cell) <= 2:
            sign = "-" if len(cell) == 2 else ""
            return [sign + text for text in others(last)]
        if len(cell) > 1 and cell[1].text == "|":
            return [self.text[cell[2].start:last.end]]
        if len(cell) == 1 and last.kind == "word" and place > 0:
            names = self.columns[row.name, place]
            if 1 < len(names) <= 24:  # else the column names things, and has no choices
                return [names[(names.index(last.text) + 1) % len(names)]]
        return []
