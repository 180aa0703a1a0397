"""What stands around each page of the site: the side bar and the style, which is that of the
pages of SPEC.md. And whether all links of the site lead somewhere.
"""

import html
import os
import posixpath
import shutil
from collections import namedtuple
from html.parser import HTMLParser
from urllib.parse import unquote

from spec_pages_frame import PAGE, STYLE, STYLE_SOURCE

# A page: where it stands in the site, its title, its text as HTML, the file it is of.
Page = namedtuple("Page", "place title body source")

APP = "app"
SPEC_PAGE = "spec/index.html"
REPORT = "conformance/report.html"


class Parts:
    """What the side bar leads to: single pages, and groups of them."""

    def __init__(self, app, docs, manual):
        home, *others = docs.pages()
        self.single = [(home.place, home.title)]
        if app:
            self.single.append((APP + "/index.html", "Look at a file"))
        self.single += [(SPEC_PAGE, "Specification"), (REPORT, "Conformance report")]
        documents = [(page.place, page.title) for page in others]
        commands = [(page.place, page.title) for page in manual]
        self.groups = [("Documents", documents), ("Manual", commands)]

    def bar(self, here):
        for place, title in self.single:
            yield '<p class="leaf">%s</p>\n' % self.link(place, title, here)
        for name, members in self.groups:
            if members:
                is_open = " open" if any(place == here for place, _ in members) else ""
                yield "<details%s><summary>%s</summary>\n<ul>\n" % (is_open, name)
                for place, title in members:
                    yield "<li>%s</li>\n" % self.link(place, title, here)
                yield "</ul>\n</details>\n"

    @staticmethod
    def link(place, title, here):
        current = ' aria-current="page"' if place == here else ""
        return '<a href="%s"%s>%s</a>' % (
            posixpath.relpath(place, posixpath.dirname(here) or "."), current, html.escape(title))


def write(parts, page, out):
    path = os.path.join(out, page.place)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    style = posixpath.relpath(STYLE, posixpath.dirname(page.place) or ".")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(PAGE % {"title": html.escape(page.title), "style": style, "body": page.body,
                           "bar": "".join(parts.bar(page.place)), "marks": "", "turn": ""})
    shutil.copyfile(STYLE_SOURCE, os.path.join(out, STYLE))


# ---- links ------------------------------------------------------------------


class Anchors(HTMLParser):
    """The ids of a page, and where its links go."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = {"text"}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.ids.update(known[name] for name in ("id", "name") if known.get(name))
        if tag in ("a", "link") and "href" in known:
            self.links.append(known["href"])


def check_links(out):
    """A link within the site leads to a file and, where it says so, to a place in it. Two
    pages make their places when they are shown: the report, and that for a visitor's files."""
    pages = {}
    for folder, _, files in os.walk(out):
        for name in files:
            path = os.path.join(folder, name)
            place = os.path.relpath(path, out)
            if name.endswith(".html") and place != REPORT and not place.startswith(APP + os.sep):
                with open(path, encoding="utf-8") as file:
                    pages[path] = Anchors(file.read())
    for path, page in sorted(pages.items()):
        for link in page.links:
            where, _, anchor = link.partition("#")
            if ":" in where:
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), unquote(where))) \
                if where else path
            known = pages.get(to)
            if not os.path.exists(to) or known and anchor and unquote(anchor) not in known.ids:
                raise ValueError("%s: a link to %s, which is not there" % (
                    os.path.relpath(path, out), link))
