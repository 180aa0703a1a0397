"""References in the text of SPEC.md, and what they are links to.

A number in a text may be that of a clause (3.5.1), of a section (3.5), of a schema
version (8.2) or of a release of PyTorch (2.4.1), and some are two of these. What is
linked is what can be one thing only, and else what the words around it say:

- behind SPEC, "clause", "section", "part" and "appendix", and in a column of that head,
  whatever there is of that number;
- a clause's number, but one that is a release's too only behind one of BEFORE_CLAUSE or
  before the letter of an item, "(a)";
- a section's number behind one of BEFORE_SECTION or before one of VERBS; one that is a
  version's too, behind one of BEFORE_VERSION; one that is a release's too, alone in
  parentheses, but not in part 9 and appendix C, which name releases so.

Numbers in a row, "6.2 to 6.8", are of one kind: of clauses and sections if one of them
surely is, and of none if one is that of neither.
"""

import html
import re

ONE = r"(?:\d+(?:\.\d+){0,2}|[A-G](?:\.\d+)?|D-\d+)(?!\w|\.\d|-\w)"
BETWEEN = r"(?: \([a-z]\))?(?:, and |, or |, | and | or | to )"
WORD = r"SPEC|[Pp]arts?|[Aa]ppendi(?:x|ces)|[Cc]lauses?|[Ss]ections?"
ROW = re.compile(r"(?<![\w.\-/<>=])(?:(?P<word>%s)\s)?(?P<row>%s(?:%s%s)*)" % (WORD, ONE, BETWEEN, ONE))
MEMBER = re.compile(r"(?<![\w.\-])" + ONE)
CODE = re.compile(r"\bEP_[A-Z0-9_]+\b")
NO_CODE = "EP_CODE"  # stands for any
BEFORE_CLAUSE = ("(", "under ", "by ", "as ", "what ", "see ")
BEFORE_VERSION = ("(", "by ", "By ", "of ", "for ", "under ", "what ", "see ", "needs ")
BEFORE_SECTION = BEFORE_VERSION + ("as ", "in ")
RELEASES_IN_PARENTHESES = ("part-9.html", "appendix-c.html")
ITEM = re.compile(r" \([a-z]\)")
VERBS = re.compile(r" (?:says?|asks?|has|gives?|knows?|leaves?|takes?|tells?|describes?|are the"
                   r"|is the)\b")
COLUMNS = {"part": "part", "clause": "clause", "clauses": "clause", "section": "section",
           "where": "clause"}


class Targets:
    """What can be linked to: an id, the page that it is on. An id is there once."""

    def __init__(self):
        self.pages = {}
        self.versions, self.releases = set(), set()

    def add(self, name, page):
        if name in self.pages:
            raise ValueError("two places have the id %s" % name)
        self.pages[name] = page

    def href(self, name, page):
        """From a page to an id."""
        there = self.pages[name]
        return ("" if there == page else there) + "#" + name

    def named(self, word, number):
        """The id of a number behind a word; None if there is none."""
        if len(number) == 1 and word.lower().startswith(("part", "appendi", "spec")):
            number = ("part-" if number.isdigit() else "appendix-") + number.lower()
        return number if number in self.pages else None

    def released(self, number):
        """Whether a number is that of a release, or of a minor one."""
        return any(each == number or each.startswith(number + ".") for each in self.releases)

    def sure(self, number, before, after, alone):
        """Whether a number without a word is that of a clause or section, and of nothing else.
        alone: it is all that parentheses hold, where these do not hold a release."""
        if number.count(".") == 2:
            return (not self.released(number) or before.endswith(BEFORE_CLAUSE)
                    or bool(ITEM.match(after)))
        cues = BEFORE_VERSION if number in self.versions else BEFORE_SECTION
        if self.released(number):
            return alone
        return bool(before.endswith(cues) or VERBS.match(after))

    def plain(self, row, before, after, page):
        """Whether the numbers of a row without a word are links."""
        alone = len(row) == 1 and before.endswith("(") and after.startswith(")") \
            and page not in RELEASES_IN_PARENTHESES
        if all(len(number) > 1 and number[0].isalpha() and number in self.pages for number in row):
            return True
        known = all("." in number and number in self.pages for number in row)
        return known and any(self.sure(number, before, after, alone) for number in row)


class Links:
    """Makes links of the references in the texts of one page."""

    def __init__(self, targets, page):
        self.targets, self.page = targets, page

    def link(self, name, shown, kind="ref"):
        return '<a class="%s" href="%s">%s</a>' % (
            kind, html.escape(self.targets.href(name, self.page)), shown)

    def row(self, found, text):
        """A row of numbers, some of which are links; one number with its word."""
        word, members = found["word"], MEMBER.findall(found["row"])
        plain = not word and self.targets.plain(
            members, text[:found.start()], text[found.end():], self.page)
        parts, end = [], found.start()
        for each in MEMBER.finditer(text, *found.span("row")):
            name = self.targets.named(word, each[0]) if word else plain and each[0]
            between = html.escape(text[end:each.start()], quote=False)
            if name and not parts and word and len(members) == 1:
                parts.append(self.link(name, between + each[0]))
            else:
                parts += [between, self.link(name, each[0]) if name else each[0]]
            end = each.end()
        return "".join(parts) + html.escape(text[end:found.end()], quote=False)

    def numbers(self, text):
        """A text without codes, as HTML."""
        parts, end = [], 0
        for found in ROW.finditer(text):
            parts.append(html.escape(text[end:found.start()], quote=False))
            parts.append(self.row(found, text))
            end = found.end()
        return "".join(parts) + html.escape(text[end:], quote=False)

    def codes(self, text, others):
        """A text as HTML: codes as links, what is between them as `others` makes it."""
        parts, end = [], 0
        for found in CODE.finditer(text):
            parts.append(others(text[end:found.start()]))
            parts.append(found[0] if found[0] == NO_CODE else self.link(found[0], found[0], "code"))
            end = found.end()
        return "".join(parts) + others(text[end:])

    def prose(self, text):
        return self.codes(text, self.numbers)

    def span(self, text):
        """A text in code font, where only SPEC and a number is a reference."""
        if text.startswith("SPEC "):
            return self.numbers(text)
        return self.codes(text, lambda piece: html.escape(piece, quote=False))

    def cell(self, text, head):
        """The text of a cell in a column whose head says what its numbers are of."""
        def one(found):
            name = self.targets.named(COLUMNS[head], found[0])
            return self.link(name, found[0]) if name else found[0]
        return self.codes(text, lambda piece: MEMBER.sub(one, html.escape(piece, quote=False)))
