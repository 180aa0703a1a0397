"""What stands between the parts of a text: each byte of it left out, each type of a tree with a
context of another form, each operator before an operand with a sign.
"""

import json
import re

from format.annexes import rows
from format.history import ORDER
from generate.language.depths import LIMIT
from generate.language.metadata import source
from generate.language.texts import Texts
from generate.suite import change_between
from generate.whole import LEAF, MARK, place_of

M = MARK
LATEST = "8.20"

# ---- 4.3.5: the nodes that a node comes from ---------------------------------------------------

KEYS = r'"(?:name|target|graph_id|pass_name|action|from_node)": '


def fixed(text):
    """The places of what is the same in every such text: keys, brackets and what parts them."""
    found = set()
    for match in re.finditer(KEYS, text):
        found.update(range(*match.span()))
    for match in re.finditer(r"[][{}]|, (?=[{\"])", text):
        found.update(range(*match.span()))
    return sorted(found)


def without(text, place):
    """A byte less, with a mark at the first byte that differs."""
    cut = text[:place] + text[place + 1:]
    while place < len(cut) and cut[place] == text[place]:
        place += 1
    return cut[:place] + M + cut[place:]


def sources(suite):
    texts = Texts(suite, LATEST, "metadata")
    text = "[%s, %s]" % (source("a", "b", 3, "c"), source("d", "e", -4, "f", "replace",
                                                          source("g", "h", 0, "i")))
    texts.good("from_node-edges", texts.metadata("from_node", text), "4.3.5", "Three sources.")
    for place in fixed(text):
        texts.bad("from_node-gap-%03d" % place, texts.metadata("from_node", without(text, place)),
                  "EP_METADATA_FROM_NODE", None, "It lacks its byte %d." % place)
    for i, number in enumerate(("-0", "1.5", "1e2", "0x1", "00", "-", "+1", '"1"', "null", "-01")):
        wrong = text.replace('"graph_id": -4', '"graph_id": ' + M + number)
        if number in ("0x1", "00", "-", "-01"):
            at = {"0x1": 1, "00": 1, "-": 1, "-01": 2}[number]
            wrong = text.replace("-4", number[:at] + M + number[at:])
        texts.bad("from_node-number-%d" % i, texts.metadata("from_node", wrong),
                  "EP_METADATA_FROM_NODE", None, "%s is no number of a graph." % number)


def deep(suite):
    """A list of no sources is as deep as one of some."""
    texts = Texts(suite, LATEST, "depth")
    options = {"limits": {"depth": LIMIT}}
    above = M
    for _ in range(LIMIT // 2):
        above = source(inner=above)
    at = texts.changed(texts.metadata("from_node", "[%s]" % source())).text
    twin = suite.valid_edit(texts.id("from_node"), texts.twin,
                            change_between(suite.bytes[texts.twin], at), ["4.3.5", "1.4.2"],
                            "Far from the limit.", provenance="hand", options=options)
    wrong = "[%s]" % above.replace("[" + M + "]", M + "[]")
    text, offset, pointer = place_of(texts.changed(texts.metadata("from_node", wrong)), None)
    suite.invalid(texts.id("from_node-above"), twin, change_between(at, text), "EP_LIMIT_DEPTH",
                  (offset, pointer), "The last list is one level too deep, and has nothing in it.",
                  provenance="hand", also=["4.3.5"], flags=["large"])


# ---- 4.4: guards --------------------------------------------------------------------------------

X = "L['x'].size()[0]"
SIGNED = (
    "1 + 2 == -1", "max(%s + 2, -1) == 1" % X, "(1 + 2 if True else -2) == 1",
    "(-1 if %s + 2 == 3 else -2) == -3" % X, "(1 + 2 == 3) and (-1 == 1 + 2)",
    "1 + 2 == 3 and -1 == 3", "%s + 12.5 == 10.25" % X, "1.5 == 19.0", "11.0 < 100.25", "not (1 + 2 == -1)", "min(1*2, -3, 1 + 2, -4) == -5",
)
OPEN = ("L['x'].size(" + M + "0) == 1", "L['x'].size(" + M, "L['x'].stride(" + M + " )[0] == 1",
        "L['x'].size()" + M + "(0) == 1", "L['x']" + M + ".sizes()[0] == 1",
        "L['x'].size()" + M + ".a == 1", "L['x'].storage_offset()" + M + "[0] == 1",
        "(1" + M + " and 2) == 1", "(True and 1" + M + ") == 1", "max(" + M + "True and 1, 2) == 1",
        "1" + M + " and 2")


def guards(suite):
    texts = Texts(suite, LATEST, "guard")
    for i, text in enumerate(SIGNED):
        texts.good("signed-%d" % i, texts.guard(text), "4.4.3",
                   "A sign where one may stand, behind operators where none may.")
    for i, text in enumerate(OPEN):
        texts.bad("open-%d" % i, texts.guard(text), "EP_GUARD", None, "It does not fit.")


# ---- 4.2.4: tree specs --------------------------------------------------------------------------

FORMS = {"null": "null", "keys": '["a"]', "maxlen": "7", "factory": {
    "default_factory_module": "builtins", "default_factory_name": "list", "dict_context": ["a"]},
    "name": "m.P", "fields": {"class_name": "m.P", "fields": ["a"]}}
WRONG = {  # form to contexts as JSON, with a mark
    "null": ('"' + M + 'x"', '"n' + M + 'one"', M + "null", M + "1", '"null' + M + ' "',
             '"' + M + '"', M + "{}"),
    "keys": ('"' + M + 'null"', '"' + M + '{}"', M + "null", M + '["a"]', '"[\\"a\\"]' + M + ' "',
             '"' + M + '"', '"' + M + '1"'),
    "maxlen": ('"' + M + 'x"', M + "7", M + "null", '"' + M + '[]"', '"' + M + '"',
               '"7' + M + ' "'),
    "factory": (M + '"null"', M + "null", M + "1", M + "[]", M + '"x"'),
    "fields": (M + '"x"', M + "null", M + "1", M + "[]"),
    "name": (M + "null", M + "1", M + "{}", M + "[]", M + '""', M + '" m"'),
}


def trees(suite):
    for row in rows("tree_specs"):
        last = ORDER[ORDER.index(row["until"]) - 1] if row["until"] else LATEST
        both = {"fields": row["since"], "name": last}  # some versions have a type in two forms
        for version in dict.fromkeys((both.get(row["form"], row["since"]),
                                      both.get(row["form"], last))):
            texts = Texts(suite, version, "treespec")
            label = "form-" + row["type"].split(".")[-1].lower().replace("_", "-") + "-" + \
                row["form"]
            for i, context in enumerate(WRONG[row["form"]]):
                node = '{"type": %s, "context": %s, "children_spec": [%s]}' % (
                    json.dumps(row["type"]), context, LEAF)
                texts.bad("%s-%d" % (label, i), texts.in_spec("[1, %s]" % node),
                          "EP_TREESPEC_CONTEXT", None, "%s has no such context." % row["type"])
    for version in ("1-2023-08", "1", "1-2023-12", "2", "5.3", LATEST):
        texts = Texts(suite, version, "treespec")
        for i, context in enumerate(('"x"', "null", "1", "[]", '{"a": [1, "b"]}')):
            node = '{"type": "models.Batch", "context": %s, "children_spec": [%s, %s]}' % (
                context, LEAF, LEAF)
            texts.good("own-%d" % i, texts.in_spec("[1, %s]" % node), ["4.2.3", "4.2.4"],
                       "A type of nobody knows whom.")


# ---- 4.1.4: powers ------------------------------------------------------------------------------


def powers(suite):
    """What a power is depends on what is raised, and on the exponent."""
    texts = Texts(suite, LATEST, "expression")
    integer, real = "Symbol('s0', positive=True, integer=True)", "Symbol('zf1', real=True)"
    rows_ = (("float-int", "Pow(%s, Integer(2))" % real, "float"),
             ("int-float", "Pow(%s, Float('0.5', precision=53))" % integer, "float"),
             ("float-float", "Pow(%s, %s)" % (real, real), "float"),
             ("int-int", "Pow(%s, Integer(2))" % integer, "int"),
             ("int-symbol", "Pow(%s, %s)" % (integer, integer), "int"),
             ("int-negative", "Pow(%s, Integer(-2))" % integer, "float"))
    for label, text, sort in rows_:
        texts.good("power-%s" % label, texts.sorted_text(sort, text), "4.1.4",
                   "A power that is of the sort %s." % sort)


def vectors(suite):
    sources(suite)
    deep(suite)
    guards(suite)
    trees(suite)
    powers(suite)
