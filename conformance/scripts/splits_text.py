"""SPLITS.md as text: what splits_find.py has found, in Markdown."""

import os

import splits_names
from splits_find import AS_SAID, NOT_ASKED, NOT_KNOWN
from splits_suite import NoBytes, anchor, edit_of, table

# What a testee does, and the same in a few words for headings.
DOES = {
    "accepted": "accepts",
    "changed": "accepts, and writes other values",
    "refused": "refuses",
    "unwritable": "reads, and does not write",
    "reason": "refuses, for another reason",
    "place": "refuses, at another place",
    "schema": "takes it as another version",
    "product": "writes other values",
    "spelling": "writes the same values otherwise",
    "warnings": "warns of something else",
    "crash": "ends without an answer",
    "timeout": "does not answer in time",
    "flood": "answers with more than is taken",
    "protocol": "answers with something else",
    "error": "fails without a judgement",
}
MARGIN = 36                         # bytes that are shown on both sides of a change
LONGEST = 96                        # of the change itself

# What stands in the table of all splits for those who have no cause in one.
BRIEF = {AS_SAID: "=", NOT_ASKED: "not asked", NOT_KNOWN: "?"}

HEAD = """# Splits

Where implementations of the format part from SPEC.md, or from each other. `conformance/scripts/pages` makes this page from the vectors and from what each implementation is expected to fail, `testees/NAME/expected.jsonl`; each run of the suite holds those against the implementation, so what stands here was observed. Where readings part, SPEC.md takes one, so that no two readers find two programs in one document; its appendix C says where that is not how PyTorch reads. SPEC.md, the vectors and epref have the same authors, so that epref does what SPEC.md says in all of this. What is told of the others is that they read or write otherwise, no more: where nobody had said how to, that was nobody's fault.

A split is named after what the document is or holds. Its evidence is, of the vectors that are about it, the smallest on which most of the implementations part: `epconform show ID` shows the whole of it, and

    epconform run --testee=NAME --filter=ID

what an implementation says to it. In windows, a byte that is no printable ASCII is `\u27e80A\u27e9`, and `...` stands for what is left out.

## Implementations

A vector is asked when the implementation has the operation, the version and the options that it needs.

{testees}

## Where they differ

Vectors on which an implementation differs from SPEC.md, and in how many splits they are.

{overview}

What each does on them. = is what SPEC.md says; "other reasons", that it differs on some of them under other splits alone; "not asked", that it was shown none of them, for want of the operation, the version or an option, or that it refuses their valid twins, too, so that its refusals show nothing.

{matrix}
"""

ENTRY = """### {mark}{title}

`{name}`, {count}.

SPEC.md [{clause}](../SPEC.md{link}): {text}{known}

Evidence: `{id}`, operation `{operation}`{options}, {verdict}. {why}

```text
{windows}
```

{table}
"""

LEFT = """## Left to the implementation

Here SPEC.md allows both verdicts. The last column is what is known of implementations.

{table}
"""


def cell(text):
    """Text within a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def count(number, noun):
    return "{:,} {}{}".format(number, noun, "" if number == 1 else "s")


def mark(name):
    """Where the page links to for a split."""
    return '<a id="split-%s"></a>' % name


# ---- bytes ------------------------------------------------------------------


def shown(data):
    """Bytes as text."""
    return "".join(chr(byte) if 32 <= byte < 127 else "\u27e8%02X\u27e9" % byte for byte in data)


def middle(data):
    """Bytes, those in the middle left out when they are many."""
    if len(data) <= LONGEST:
        return shown(data)
    return "%s ... (%s in all)" % (shown(data[:LONGEST // 2]), count(len(data), "byte"))


def window(data, at, length):
    """The bytes at a place, with some on both sides."""
    left, right = max(0, at - MARGIN), at + length + MARGIN
    return "%s%s%s%s%s" % ("..." if left else "", shown(data[left:at]),
                           middle(data[at:at + length]), shown(data[at + length:right]),
                           "..." if right < len(data) else "")


def windows(suite, vector):
    """Lines that show a vector, below the one that it is made from."""
    parent = suite.parent(vector)
    try:
        data = suite.bytes_of(vector)
        if parent is None or "edit" not in vector:
            return [window(data, 0, min(len(data), LONGEST))]
        before = suite.bytes_of(parent)
    except NoBytes as error:
        return ["(the document is %s)" % error]
    at, old, new = change(before, vector)
    return ["valid:  " + window(before, at, old), "vector: " + window(data, at, new)]


def change(before, vector):
    """Where a vector's change is, how many bytes go and how many come."""
    at, length, new = edit_of(vector)
    old = before[at:at + length]
    head = len(os.path.commonprefix([old, new]))
    tail = len(os.path.commonprefix([old[head:][::-1], new[head:][::-1]]))
    return at + head, length - head - tail, len(new) - head - tail


def wanted(suite, vector):
    """Lines that show what a vector wants to be written."""
    product = vector.get("product")
    if product is None:
        return []
    if product == "same":
        return ["wanted: the same bytes"]
    try:
        data = suite.bytes_of(dict(product, id=vector["id"]))
    except NoBytes as error:
        return ["(what is wanted is %s)" % error]
    at, _, new = edit_of(product) if "edit" in product else (0, 0, data[:LONGEST])
    return ["wanted: " + window(data, at, len(new))]


def options_of(vector):
    """The options of a vector as words, with a blank before them."""
    options = vector.get("options")
    if not options:
        return ""
    return " with " + ", ".join("%s `%s`" % item for item in sorted(options.items()))


# ---- tables -----------------------------------------------------------------

lines = "\n".join


def testees_table(testees):
    rows = []
    for testee in testees:
        asked = "{:,} of {:,}".format(*testee.run.asked_of) if testee.run else "not known"
        failed = sum(len(cause["ids"]) for cause in testee.causes)
        name = "[%s](%s)" % (testee.title, testee.link) if testee.link else testee.title
        rows.append([name, "`%s`" % testee.name, cell(testee.version), asked,
                     "{:,}".format(failed), "{:,}".format(len(testee.causes))])
    return table(["implementation", "testee", "version", "vectors asked", "parts on", "causes"],
                 rows)


def overview(testees, headings):
    """Heading by implementation: vectors, and in how many splits."""
    rows = []
    for heading, splits in headings.items():
        row = ["[%s](%s)" % (heading, anchor(heading))]
        for testee in testees:
            parts = [len(ids) for ids in (split.vectors_of(testee) for split in splits) if ids]
            row.append("{:,} in {:,}".format(sum(parts), len(parts)) if parts else "–")
        rows.append(row)
    return table([""] + [testee.title for testee in testees], rows)


def see(name):
    """A link to the entry of another split."""
    return "see [%s](#split-%s)" % (name, name)


def matrix(testees, headings, suite):
    """Split by implementation: what each does, in a word."""
    rows = []
    for split in (split for splits in headings.values() for split in splits):
        row = ["[%s](#split-%s)" % (splits_names.title_of(split.name), split.name),
               "{:,}".format(len(split.ids))]
        for testee in testees:
            outcomes = dict.fromkeys(DOES[cause["outcome"]] for cause in split.causes_of(testee))
            row.append("; ".join(outcomes) or (split.elsewhere(testee) and "other reasons")
                       or BRIEF[split.word(testee, suite)])
        rows.append(row)
    return table(["split", "vectors"] + [testee.title for testee in testees], rows)


def cause_row(split, testee, cause, suite):
    asked = split.asked(testee, suite)
    why = cause["reason"]
    if cause.get("link"):
        why += " [link](%s)" % cause["link"]
    number = "{:,}".format(len(cause["ids"]))
    if asked is not None:
        number += " of {:,}".format(asked)
    if cause["evidence"] != split.evidence:
        vector = suite.vectors[cause["evidence"]]
        number += ", such as `%s` (%s)" % (vector["id"], vector.get("code") or "valid")
    return [testee.title, DOES[cause["outcome"]], number, cell(why)]


def elsewhere_row(split, testee, suite):
    """Of a testee that parts on vectors of this split for what other splits tell."""
    found, asked = split.elsewhere(testee), split.asked(testee, suite)
    number = "{:,}".format(sum(found.values()))
    if asked is not None:
        number += " of {:,}".format(asked)
    return [testee.title, "parts for another reason", number, ", ".join(map(see, found))]


def split_rows(split, testees, suite):
    """A row for each cause, and for who has none; those who were not asked share one."""
    rows, rest = [], {NOT_ASKED: [], NOT_KNOWN: []}
    for testee in testees:
        parts = [cause_row(split, testee, cause, suite) for cause in split.causes_of(testee)]
        if split.elsewhere(testee):
            parts.append(elsewhere_row(split, testee, suite))
        word = split.word(testee, suite)
        if not parts and word in rest:
            rest[word].append(testee.title)
        elif not parts:
            parts.append([testee.title, word, "0 of {:,}".format(split.asked(testee, suite)), ""])
        rows += parts
    return rows + [[", ".join(names), word, "", ""] for word, names in rest.items() if names]


def entry(split, testees, suite, clauses):
    vector = suite.vectors[split.evidence]
    clause = vector["clause"][0]
    known = clauses.deviations.get(vector.get("code"))
    return ENTRY.format(
        mark=mark(split.name), title=splits_names.title_of(split.name), name=split.name,
        count=count(len(split.ids), "vector"), clause=clause, link=clauses.links[clause],
        text=clauses.texts[clause],
        known=" Of PyTorch, appendix C: %s." % ", ".join(known) if known else "",
        id=vector["id"], operation=vector["operation"], options=options_of(vector),
        verdict="is valid" if vector["verdict"] == "valid" else "is invalid: `%s`" % vector["code"],
        why=vector["why"], windows="\n".join(windows(suite, vector) + wanted(suite, vector)),
        table=lines(table(["implementation", "what it does", "vectors, of those asked", "why"],
                          split_rows(split, testees, suite))))


def left(suite):
    """Vectors whose verdict SPEC.md leaves to the implementation."""
    # How much memory is needed is asked at many sizes, and of nobody but the reference.
    vectors = [vector for vector in suite.vectors.values()
               if vector["verdict"] == "implementation-defined"
               and "memory" not in vector.get("options", {})]
    rows = [["`%s`" % vector["id"], cell(vector["why"]), vector["clause"][0], ", ".join(
        "%s: %s" % item for item in sorted(vector["profiles"].items()))] for vector in vectors]
    return LEFT.format(table=lines(table(["vector", "what it is", "clause", "profiles"], rows)))


def page(testees, headings, suite, clauses):
    """The whole page."""
    parts = [HEAD.format(testees=lines(testees_table(testees)),
                         overview=lines(overview(testees, headings)),
                         matrix=lines(matrix(testees, headings, suite)))]
    for heading, splits in headings.items():
        parts += ["## %s\n" % heading, *(entry(split, testees, suite, clauses) for split in splits)]
    return "\n".join([*parts, left(suite)])
