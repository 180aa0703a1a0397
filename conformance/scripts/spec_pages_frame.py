"""What stands around the text of a page: the side bar, and the figures of examples."""

import html
import os
import re
import shutil

from folders import ROOT
from spec_pages_text import PROGRAM

STYLE = "style.css"
STYLE_SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "spec_pages.css")
WARNING = "valid, with a warning"
KINDS = {"invalid": "bad", "warning": "warned"}  # of a verdict; any other is good
OF_PROGRAM = {"migrated": "%s, brought to version %s", "canonical": "form of %s at version %s",
              "digest": "of %s at version %s", "node": "of the form of %s at version %s"}

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%(title)s</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="%(style)s">
%(marks)s</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<details class="menu">
<summary>Contents</summary>
<nav aria-label="Contents">
%(bar)s</nav>
</details>
</header>
<main id="text">
%(body)s%(turn)s</main>
</body>
</html>
"""


def escape(text):
    return html.escape(text, quote=False)


# ---- the side bar -----------------------------------------------------------


def clauses(page, numbers):
    links = ('<a href="%s#%s">%s</a>' % (page, each, each) for each in numbers)
    return '<div class="clauses">%s</div>\n' % " ".join(links) if numbers else ""


def sections(page, here):
    """The sections of a page with their clauses; of the page itself, links within it."""
    file = "" if page is here else page.file
    for name, title, numbers in page.sections:
        yield '<li><a href="%s#%s">%s</a>%s</li>\n' % (
            file, name, escape(title), clauses(file, numbers))


def bar(pages, here):
    """All parts, that of this page open and marked."""
    for page in pages:
        current = ' aria-current="page"' if page is here else ""
        link = '<a href="%s"%s>%s</a>' % (page.file, current, escape(page.title))
        if page.sections:
            yield '<details%s><summary>%s</summary>\n<ul>\n%s</ul>\n</details>\n' % (
                " open" if current else "", link, "".join(sections(page, here)))
        else:
            yield '<p class="leaf">%s</p>\n' % link


def marks(page):
    """The rules that mark, in the side bar, the clause or section that is looked at."""
    names = [name for section in page.sections for name in (section[0], *section[2])]
    if not names:
        return ""
    chosen = ",\n".join('html:has([id="%s"]:target) nav a[href="#%s"]' % (name, name)
                        for name in names)
    return "<style>\n%s { background: var(--here); color: var(--ink); }\n</style>\n" % chosen


def turn(pages, here):
    """The pages before and after."""
    at = pages.index(here)
    near = [("prev", page) for page in pages[max(at - 1, 0):at]]
    near += [("next", page) for page in pages[at + 1:at + 2]]
    parts = ['<a rel="%s" href="%s">%s</a>' % (rel, page.file, escape(page.title))
             for rel, page in near]
    return '<nav class="turn" aria-label="Pages">%s</nav>\n' % " ".join(parts)


def whole(pages, page):
    """A page of the book as a file."""
    title = page.title if page is pages[0] else "%s \u2013 %s" % (page.title, pages[0].title)
    return PAGE % {"title": escape(title), "style": STYLE, "marks": marks(page),
                   "bar": "".join(bar(pages, page)), "body": page.body,
                   "turn": turn(pages, page)}


def write(book, out):
    """All pages, what they look like, and the annexes, into a folder."""
    os.makedirs(out, exist_ok=True)
    for page in book.pages:
        with open(os.path.join(out, page.file), "w", encoding="utf-8", newline="\n") as file:
            file.write(whole(book.pages, page))
    for path in sorted(book.annexes):
        os.makedirs(os.path.dirname(os.path.join(out, path)), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, path), os.path.join(out, path))
    shutil.copyfile(STYLE_SOURCE, os.path.join(out, STYLE))


# ---- examples ---------------------------------------------------------------


class Figures:
    """Makes figures of fences; `places` has, by the line of an example in SPEC.md, where
    its error is reported: a character of it, or a JSON Pointer."""

    def __init__(self, book, places):
        self.types, self.places = book.types, places

    def where(self, fence, links):
        """What the examples of a fence are."""
        if fence.where is None:
            return "a document" if len(fence.examples) == 1 else "documents"
        parts = re.split(r"(\w+)", fence.where)
        shown = "".join(links.link(self.types[each], each) if each in self.types else escape(each)
                        for each in parts)
        if fence.change or fence.verdict in OF_PROGRAM:
            shown = links.link(PROGRAM + fence.where, escape(fence.where))
        if fence.verdict in OF_PROGRAM:
            return OF_PROGRAM[fence.verdict] % (shown, escape(fence.version))
        if fence.verdict == "turned":
            return "%s at version %s, brought to version %s" % (
                shown, escape(fence.version), escape(fence.target))
        if fence.change:
            shown = "change of " + shown
        called = ", called " + escape(fence.name) if fence.name else ""
        return "%s at version %s%s" % (shown, escape(fence.version), called)

    def example(self, example, size):
        """The text of an example, and where its error is reported: so many characters."""
        place, text = self.places.get(example.line), example.text
        if place is None:
            return escape(text)
        if isinstance(place, str):
            return '%s\n<span class="at">reported at %s</span>' % (
                escape(text), escape(place or "the document"))
        here = text[place:place + size].strip("\n")
        return '%s<mark%s title="reported here">%s</mark>%s' % (
            escape(text[:place]), "" if here else ' class="end"', escape(here),
            escape(text[place + len(here):]))

    def __call__(self, fence, links):
        verdict = WARNING if fence.verdict == "warning" else fence.verdict
        if fence.code:
            verdict += " " + links.link(fence.code, fence.code, "code")
        name = ' id="%s%s"' % (PROGRAM, fence.name) if fence.name else ""
        size = 2 if fence.form == "hex" else 1
        examples = "\n".join(self.example(each, size) for each in fence.examples)
        return ('<figure class="fence %s" data-line="%d"%s>\n<figcaption><span class="verdict">%s'
                '</span> <span class="what">%s</span></figcaption>\n<pre class="box" tabindex="0">'
                "<code>%s\n</code></pre>\n</figure>\n") % (
                    KINDS.get(fence.verdict, "good"), fence.line, name, verdict,
                    self.where(fence, links), examples)
