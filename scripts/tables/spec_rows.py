"""Rows of the .def files, read as text: MACRO(arguments), with comments and
preprocessor lines left out.
"""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))


class Unusable(Exception):
    """The rows, or a page that they go into, are not what the scripts read."""


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8", newline="") as file:
        return file.read()


ROW = re.compile(r"^\s*([A-Z_]+)\(", re.MULTILINE)
WORD = r'[^\s",()|]+'
ITEM = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(%s(?:\s*\|\s*%s)*))\s*([,)])' % (WORD, WORD))


def rows_of(path):
    """Yield (macro, arguments) for every row; a string loses its quotes, NULL is None."""
    text = re.sub(r"/\*.*?\*/", " ", read(path), flags=re.DOTALL)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    end = 0
    for match in ROW.finditer(text):
        if match.start() < end or text[end : match.start()].strip():
            raise Unusable("%s: %r is no row" % (path, text[end : match.end()].strip()))
        items, end = [], match.end()
        while True:
            item = ITEM.match(text, end)
            if item is None:
                raise Unusable("%s: cannot read %r" % (path, text[match.start() : end + 30]))
            word = item.group(2)
            items.append(item.group(1) if word is None else None if word == "NULL" else word)
            end = item.end()
            if item.group(3) == ")":
                break
        yield match.group(1), items
    if text[end:].strip():
        raise Unusable("%s: %r is no row" % (path, text[end:].strip()))


def rows_named(path, macro):
    return [items for name, items in rows_of(path) if name == macro]
