"""The documents of the repository as pages of the site: README.md, and every Markdown file
that it leads to by links; and documents that are made.
"""

import html
import os
import posixpath
import re
from urllib.parse import unquote

from markdown_it import MarkdownIt

from site_frame import Page, SPEC_PAGE
from spec_pages_text import slug

OUTSIDE = re.compile(r"[a-z][a-z+.-]*:", re.IGNORECASE)
PLAIN = re.compile(r"</?(?:sub|sup|br)>|<a id=\"[\w.-]+\">|</a>")


def place_of(path):
    """Where the page of a Markdown file stands in the site."""
    folder, name = posixpath.split(path)
    name = "index" if name == "README.md" else name[:-len(".md")].lower()
    return posixpath.join(folder, name + ".html")


def relative(to, here):
    return posixpath.relpath(to, posixpath.dirname(here) or ".")


class Docs:
    """All documents, from README.md on, in the order in which they are met."""

    def __init__(self, root, made):
        self.root, self.made = root, made
        self.markdown = MarkdownIt("commonmark").enable("table")
        self.markdown.renderer.rules.update(
            table_open=lambda *_: '<div class="box" tabindex="0"><table>\n',
            table_close=lambda *_: "</table></div>\n", fence=self.fence, code_block=self.fence,
            html_block=self.raw, html_inline=self.raw)
        self.known, todo = {}, ["README.md", *made]
        while todo:
            path = todo.pop(0)
            if path not in self.known:
                self.known[path], linked = self.page(path)
                todo += linked

    def pages(self):
        return list(self.known.values())

    def page(self, path):
        """The page of a file, and the documents that it links to."""
        with open(self.made.get(path, os.path.join(self.root, path)), encoding="utf-8") as file:
            tokens = self.markdown.parse(file.read())
        linked, title, used = [], path, set()
        for token, inline in zip(tokens, [*tokens[1:], None]):
            if token.type == "heading_open":
                text = "".join(each.content for each in inline.children)
                title = text if token.tag == "h1" and title == path else title
                token.attrs["id"] = self.anchor(slug(text), used)
            for each in token.children or ():
                if each.type == "link_open":
                    linked += self.link(each, path)
        body = self.markdown.renderer.render(tokens, self.markdown.options, {})
        return Page(place_of(path), title, body, path), linked

    @staticmethod
    def anchor(name, used):
        found, count = name, 0
        while found in used:
            count += 1
            found = "%s-%d" % (name, count)
        used.add(found)
        return found

    def link(self, token, path):
        """Turns the link of a document into one of its page; the documents it asks for."""
        where, _, anchor = token.attrs["href"].partition("#")
        if OUTSIDE.match(where) or not where:
            return []
        to = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(where)))
        if not os.path.exists(os.path.join(self.root, to)):
            raise ValueError("%s: a link to %s, which is not there" % (path, to))
        if os.path.isdir(os.path.join(self.root, to)):
            inside = posixpath.join(to, "README.md")
            to = inside if os.path.exists(os.path.join(self.root, inside)) else to
        here, behind = place_of(path), "#" + anchor if anchor else ""
        if to == "SPEC.md":
            token.attrs["href"] = relative(SPEC_PAGE, here)
        elif to.endswith(".md"):
            token.attrs["href"] = relative(place_of(to), here) + behind
            return [to]
        else:  # nowhere to go to: the words stay
            token.attrs = {"title": to}
        return []

    @staticmethod
    def fence(tokens, at, *_):
        return '<pre class="box" tabindex="0"><code>%s</code></pre>\n' % html.escape(
            tokens[at].content, quote=False)

    @staticmethod
    def raw(tokens, at, *_):
        """HTML in a document is text, but for what has no attributes and no script."""
        text = tokens[at].content
        if text.lstrip().startswith("<!--"):
            return ""
        return text if PLAIN.fullmatch(text) else html.escape(text, quote=False)
