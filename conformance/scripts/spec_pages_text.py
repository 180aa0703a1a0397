"""SPEC.md as a row of pages: what is on each, and its text as HTML.

CommonMark with tables is what the sites that show SPEC.md take it for, so the
library that reads it here is markdown-it-py, which keeps to that, too, and gives
tokens with their lines. Of HTML, <sub> and <sup> pass; a comment is left out; anything
else, such as `optional<int>` outside a code span, is text.
"""

import html
import os
import re

from markdown_it import MarkdownIt

from folders import ROOT
from spec_fences import fences
from spec_pages_links import CODE, COLUMNS, Links, Targets

TITLE = re.compile(r"(Part|Appendix) (\w): (.+)")
TYPE = re.compile(r"A\.\d+ (\w+)")
SECTION = re.compile(r"([0-9A-Z]\.\d+|D-\d+) (.+)")
CLAUSE = re.compile(r"\d+\.\d+\.\d+")
RELEASE = re.compile(r"(?<![\w.])\d+\.\d+\.\d+(?![\w.])")
ANNEX = re.compile(r"(?:annex/)?(\w+\.tsv)")
SUB_OR_SUP = re.compile(r"</?su[bp]>")
INDEX = "index.html"
CODES = "appendix-d.html"
TYPES = "appendix-a.html"
SHORT = 24  # characters of a cell that is not broken into lines
PROGRAM = "program-"  # the id of a program that has a name
RELEASES = "releases"  # the head of a column in appendix B


class Page:
    """A part, an appendix, or what stands before them all."""

    def __init__(self, file, name, title):
        self.file, self.name, self.title = file, name, title
        self.tokens, self.sections = [], []  # of sections: (id, title, clauses)
        self.body = ""


def slug(text):
    """An anchor as the sites that show Markdown make it of a heading."""
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")


def plain(inline):
    """The text of an inline token, without its marks."""
    return "".join(each.content for each in inline.children if each.type in ("text", "code_inline"))


def clause_of(inline):
    """The number that a paragraph begins with, in bold; None if it is none."""
    first = [each for each in inline.children if each.type != "text" or each.content][:2]
    if len(first) == 2 and first[0].type == "strong_open" and CLAUSE.fullmatch(first[1].content):
        return first[1].content
    return None


def rows(tokens):
    """Yield (table number, heads, column, row's first token, inline) for each cell of a body."""
    heads, column, row, in_head = [], 0, None, False
    for token in tokens:
        if token.type == "table_open":
            heads = []
        elif token.type in ("thead_open", "thead_close"):
            in_head = token.type == "thead_open"
        elif token.type == "tr_open":
            row, column = token, 0
        elif token.type == "inline" and row is not None:
            if in_head:
                heads.append(plain(token))
            else:
                yield heads, column, row, token
        elif token.type in ("th_close", "td_close"):
            column += 1
        elif token.type == "tr_close":
            row = None


class Book:
    """All pages, and what can be linked to."""

    def __init__(self, text):
        self.targets, self.slugs, self.types = Targets(), {}, {}
        self.annexes = set()  # files that the text names, and that the pages link to
        self.markdown = MarkdownIt("commonmark").enable("table")
        self.fences = {each.line: each for each in fences(text)}
        self.pages = [Page(INDEX, "index", "")]
        self.split(self.markdown.parse(text))
        for page in self.pages:
            self.collect(page)

    def split(self, tokens):
        """A page begins at each heading of a part or an appendix."""
        for i, token in enumerate(tokens):
            if token.type == "heading_open" and token.tag == "h2":
                found = TITLE.fullmatch(plain(tokens[i + 1]))
                if found:
                    name = "%s-%s" % (found[1].lower(), found[2].lower())
                    self.pages.append(Page(name + ".html", name, found[0]))
            elif token.type == "heading_open" and token.tag == "h1":
                self.pages[0].title = plain(tokens[i + 1])
            self.pages[-1].tokens.append(token)

    def anchor(self, page, token, name):
        token.attrs["id"] = name
        self.targets.add(name, page.file)

    def collect(self, page):
        """Give each heading, clause and code its id."""
        for token, inline in zip(page.tokens, page.tokens[1:]):
            if token.type == "heading_open":
                self.heading(page, token, inline)
            elif token.type == "paragraph_open" and clause_of(inline):
                number = clause_of(inline)
                self.anchor(page, token, number)
                token.attrs["class"] = "clause"
                if page.sections:
                    page.sections[-1][2].append(number)
        for token in page.tokens:
            found = self.fences.get(token.map[0] + 1) if token.type == "fence" else None
            if found and found.name:
                self.targets.add(PROGRAM + found.name, page.file)
        for heads, column, row, inline in rows(page.tokens):
            text = plain(inline)
            head = heads[column] if column < len(heads) else ""
            if page.file == CODES and head == "code" and CODE.fullmatch(text):
                self.anchor(page, row, text)
            elif head == RELEASES:
                self.targets.releases.update(RELEASE.findall(text))
            elif heads[:1] == ["version"] and RELEASES in heads and column == 0:
                self.targets.versions.add(text)

    def heading(self, page, token, inline):
        text = plain(inline)
        found = SECTION.fullmatch(text)
        if token.tag == "h3":
            name = found[1] if found else slug(text)
            page.sections.append((name, text, []))
            if TYPE.fullmatch(text):
                self.types[TYPE.fullmatch(text)[1]] = name
        else:
            name = page.name
        self.anchor(page, token, name)
        self.slugs[slug(text)] = name

    def render(self, figures):
        """Make the body of every page; `figures` makes the HTML of a fence with a mark."""
        for page in self.pages:
            page.body = Writer(self, page, figures).body()


class Writer:
    """Makes the body of one page."""

    def __init__(self, book, page, figures):
        self.book, self.page, self.figures = book, page, figures
        self.links = Links(book.targets, page.file)
        self.rules = book.markdown.renderer.rules

    def body(self):
        columns = {id(inline): heads[column] for heads, column, _, inline in rows(self.page.tokens)
                   if column < len(heads)}
        rules = {"fence": self.fence, "html_block": self.html_block, "html_inline": self.html_inline,
                 "table_open": lambda *_: '<div class="box" tabindex="0"><table>\n',
                 "table_close": lambda *_: "</table></div>\n"}
        self.rules.update(rules)
        for i, token in enumerate(self.page.tokens):
            if token.type == "inline":
                self.inline(token, columns.get(id(token)), self.page.tokens[i - 1])
            elif token.tag in ("h2", "h3"):
                token.tag = {"h2": "h1", "h3": "h2"}[token.tag]
        return self.book.markdown.renderer.render(self.page.tokens, self.book.markdown.options, {})

    def inline(self, token, head, opened):
        """Make links in an inline token. What it opens is told by the token before it."""
        heading, inside = opened.type == "heading_open", 0
        name = opened.attrs.get("id")
        if opened.type in ("th_open", "td_open"):
            opened.attrs["class"] = "short" if len(plain(token)) <= SHORT else "long"
        for i, each in enumerate(token.children):
            if each.type == "link_open":
                self.link(each)
            inside += {"link_open": 1, "link_close": -1}.get(each.type, 0)
            if each.type not in ("text", "code_inline") or inside:
                continue
            made = self.piece(each, head, heading or each.content == name)
            if name and each.content.startswith(name):
                own = '<a class="self" href="#%s">%s</a>' % (name, name)
                made, name = own + made[len(name):], None
            each.type, each.content, each.meta = "html_inline", made, {"made": True}

    def piece(self, token, head, alone):
        """A text or a code span as HTML. A heading, and a clause's own number, stay as they are."""
        if token.type == "code_inline":
            text = html.escape(token.content, quote=False) if alone else self.links.span(token.content)
            return "<code>%s</code>" % (self.annex(token.content) or text)
        if alone:
            return html.escape(token.content, quote=False)
        if head == "type" and self.page.file == TYPES:
            return self.type_name(token.content)
        if head in COLUMNS:
            return self.links.cell(token.content, head)
        return self.links.prose(token.content)

    def annex(self, text):
        """A link to an annex, where a text is the path or name of one."""
        found = ANNEX.fullmatch(text)
        path = "annex/" + found[1] if found else None
        if path is None or not os.path.isfile(os.path.join(ROOT, path)):
            return None
        self.book.annexes.add(path)
        return '<a href="%s">%s</a>' % (path, text)

    def type_name(self, text):
        """A text in which the names of types are links."""
        return "".join(self.links.link(self.book.types[each], each) if each in self.book.types
                       else html.escape(each, quote=False) for each in re.split(r"(\w+)", text))

    def link(self, token):
        """A link of the text: to a heading by its slug, or out of the pages."""
        where = token.attrs["href"]
        if where.startswith("#"):
            token.attrs["href"] = self.book.targets.href(self.book.slugs[where[1:]], self.page.file)

    def fence(self, tokens, at, *_):
        """A block of code: a figure where it holds examples."""
        token = tokens[at]
        found = self.book.fences.get(token.map[0] + 1)
        if found is not None:
            return self.figures(found, self.links)
        text = "".join(map(self.grammar, token.content.splitlines(keepends=True)))
        return '<pre class="box" tabindex="0"><code>%s</code></pre>\n' % text

    def grammar(self, line):
        """A line of a grammar, in which what is behind a semicolon is text."""
        rule, mark, remark = line.rpartition(" ; ")
        return html.escape(rule + mark, quote=False) + (
            self.links.prose(remark) if mark else self.links.span(remark))

    @staticmethod
    def html_block(tokens, at, *_):
        text = tokens[at].content
        return "" if text.lstrip().startswith("<!--") else html.escape(text, quote=False)

    @staticmethod
    def html_inline(tokens, at, *_):
        token = tokens[at]
        passes = token.meta.get("made") or SUB_OR_SUP.fullmatch(token.content)
        return token.content if passes else html.escape(token.content, quote=False)
