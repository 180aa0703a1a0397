"""Both sides of a boundary that a reader can miss by one: each unused bit of base64, each
default that is written or left out, escapes at each place of a key, and floats whose
exponent changes the notation.
"""

import json

from format.document import Document, replace
from format.history import ALL_FIELDS, TYPE_VALUE, VERSIONS
from format.programs import Rich, quoted
from generate.language.texts import Texts, is_srepr
from generate.migrate.migrations import Migrations
from generate.migrate.texts import speaking
from generate.rules.subgraphs import cond, program
from generate.suite import change_between
from generate.whole import MARK as M, NODES

LATEST = "8.20"

# ---- the unused bits of base64 --------------------------------------------------------

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def unused_bits(suite):
    """Every last character before one or two signs of padding; those that say more than
    bytes have room for are refused."""
    twin = "program/rich/1"
    node = next(each for each in Document(Rich(VERSIONS["1"]).program()).nodes()
                if each.shape is not None and each.shape.kind == "bytes")
    for padding, first in (("=", "Az"), ("==", "/")):
        bits = 2 * len(padding)
        for before in ("", "AbC9"):
            for number, letter in enumerate(ALPHABET):
                unused = number % (1 << bits)
                used = number >> bits
                text = before + first + letter + padding
                name = "bytes/unused-%d-%d-%d-%d/1" % (len(padding), used, unused, len(before))
                if not unused:
                    suite.valid_edit(name, twin, replace(node, quoted(text)), "3.8.1",
                                     "No unused bit is set.")
                elif not before or used == 1:
                    suite.invalid(name, twin, replace(node, quoted(text)), "EP_BASE64",
                                  (node.start, node.pointer),
                                  "Of %d unused bits these are set: %d." % (bits, unused))


# ---- defaults that are written or left out ----------------------------------------------

HINT = "SymExprHint"  # the union of this name, which a version writes in its way
# The fields with a default below a GraphArgument: (label, a key that its struct has beside
# it, key, default, another value; None, no other value is valid there). The last: of which
# struct, where several have the keys.
DEFAULTS = (
    ("return", "tensor_values", "is_single_tensor_return", False, True),
    ("constants", "tensor_values", "constants", {}, {"k": "AA=="}),
    ("objects", "tensor_values", "custom_obj_values", {}, None),
    ("floats", "tensor_values", "sym_float_values", {}, None),
    ("fileinfo", "tensor_values", "co_fileinfo_ordered_list", [], None),
    ("index", "type", "index", None, 0),
    ("hint", "expr_str", "hint", None, HINT),
    ("ast", "expr_str", "expr_ast", None, None),
    ("single", "target", "is_hop_single_tensor_return", None, True),
    ("name", "target", "name", None, "n"),
    ("kind", "arg", "kind", None, 1),
)
FIRST_OF = ("1", "1-2023-12", "3.1", "4.2", "5.3-2024-03", "5.3", "8.1", "8.2-ast", "8.2", "8.5-a",
            "8.16", LATEST)
TYPES = {"tensor_values": "Graph", "type": "Device", "expr_str": "SymExpr", "target": "Node",
         "arg": "NamedArgument"}


def owners(value, beside):
    """The objects below a value that have a key."""
    todo, found = [value], []
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            found += [value] if beside in value else []
            todo += value.values()
        elif isinstance(value, list):
            todo += value
    return found


def said(graph, beside, key, values):
    """The field in all its structs below a subgraph; values: none, it is left out."""
    for owner in owners(graph, beside):
        owner.pop(key, None)
        owner.update({key: value for value in values})


def twice(version):
    """cond with the same subgraph in both branches, of a symbolic size."""
    size = "Symbol('s0', positive=True, integer=True)" if is_srepr(version) else "s0"
    node = cond(version, 1, 1)
    for each in node["inputs"][1:3]:
        each["arg"]["as_graph"]["name"] = "g"
        for value in each["arg"]["as_graph"]["graph"]["tensor_values"].values():
            value.update(sizes=[size])
    draft = program(node, ["c0"])
    draft.data["graph"]["tensor_values"]["x"].update(sizes=[size])
    draft.data["header"]["range_constraints"] = {"s0": {"min_val": 2, "max_val": 8}}
    return draft.written(VERSIONS[version]).text


def graphs_of(root):
    """The subgraphs of both branches, as JSON has them."""
    inputs = root["graph_module"]["graph"]["nodes"][0]["inputs"]
    arguments = [each["arg"] for each in inputs[1:3]]
    return [each.get("as_graph") or each["$value"] for each in arguments]


def defaults(suite):
    """A subgraph twice, in one of them a default that the other leaves out."""
    for version in FIRST_OF:
        found = VERSIONS[version]
        text, options = twice(version), found.options
        base = suite.valid("subgraph/defaults/" + version, "check", version, text, ["5.2.2"],
                           "A subgraph in two places.", provenance="hand", options=options,
                           file="whole/%s-subgraph-defaults.json" % version)
        for label, beside, key, default, other in DEFAULTS:
            struct = found.types.get(TYPES[beside])
            member = next((each for each in struct.members if each.name == key), None)
            if member is None or member.required:
                continue
            writable = default is not None or found.nulls or "optional" in member.shape.kind
            for end, sides in (("first", ([default], [])), ("second", ([], [default])),
                               ("neither", ([], []))):
                if not writable and end != "neither":
                    continue
                root = json.loads(text)
                for graph, values in zip(graphs_of(root), sides):
                    said(graph, beside, key, values)
                name = "subgraph/default-%s-%s/%s" % (label, end, version)
                suite.valid_edit(name, base, change_between(text, json.dumps(root)),
                                 ["5.2.2", "3.5.2"], "A default, and the same left out.",
                                 provenance="hand", flags=["large"])
            if other is None:
                continue
            other = hint_of(found) if other == HINT else other
            for end, sides in (("first", ([other], [])), ("second", ([], [other]))):
                unlike(suite, (version, base, text), "%s-%s" % (label, end),
                       (beside, key, sides))


def hint_of(version):
    """The number 4 as a hint."""
    if version.unions == TYPE_VALUE:
        return {"$type": "as_int", "$value": 4}
    tags = [member.name for member in version.types[HINT].members]
    every = version.unions == ALL_FIELDS
    return {tag: 4 if tag == "as_int" else None for tag in tags if every or tag == "as_int"}


def unlike(suite, whole, label, change):
    """In one of the two subgraphs something else than the default."""
    version, base, text = whole
    beside, key, sides = change
    root = json.loads(text)
    for graph, values in zip(graphs_of(root), sides):
        said(graph, beside, key, values)
    graphs_of(root)[1]["name"] = M + "g"
    made, offset, pointer = marked(json.dumps(root), text)
    suite.invalid("subgraph/no-default-%s/%s" % (label, version), base,
                  change_between(text, made), "EP_SUBGRAPH_TWICE", (offset, pointer),
                  "The %s says another value than the default, which the other leaves out."
                  % label.rsplit("-", 1)[1],
                  provenance="hand", flags=["large"])


def marked(text, before):
    """The text without its mark; where the string begins that had it, and its pointer."""
    at = text.index(M)
    tag = "$value" if '"$value"' in before else "as_graph"
    return (text.replace(M, ""), at - 1,
            "/" + NODES + "0/inputs/2/arg/%s/name" % tag)


# ---- escapes at each place of a key ----------------------------------------------------

LETTERS = ("e", "\u00e9", "\u20ac", "\U0001f600")  # of one byte to four
LONGEST = 24


def escape_of(letter):
    units = letter.encode("utf-16-be")
    return "".join("\\u%02x%02x" % pair for pair in zip(units[::2], units[1::2]))


def escapes(suite):
    """A key of each length, once as it is, once with an escape at each place; among few
    and among many."""
    for count in (1, 30):
        others = ['"o%d": 0' % i for i in range(count)]
        for length in range(1, LONGEST + 1):
            for place in range(length):
                letter = LETTERS[(length + place) % len(LETTERS)]
                if count == 1 and place not in (0, length - 1):
                    continue
                key = ("abcdfghijklmnopqrstuvwxyz"[:place] + letter
                       + "ABCDFGHIJKLMNOPQRSTUVWXYZ"[:length - place - 1])
                plain = '"%s": 1' % key
                escaped = '"%s": 2' % key.replace(letter, escape_of(letter))
                again(suite, "%d-%d-%d" % (count, length, place), others,
                      (plain, escaped) if (length + place) % 3 else (escaped, plain), key)


def again(suite, label, others, both, key):
    """An object with both members, one first and one last."""
    text = "{%s}" % ", ".join(both[:1] + tuple(others))
    twin = suite.whole("keys/escape-%s" % label, "wire", None, text, "2.5.1", "A key among others.")
    at = len(text.encode("utf-8")) - 1
    suite.invalid("keys/escape-%s-again" % label, twin, (at, 0, ", " + both[1]),
                  "EP_DUPLICATE_KEY", (at + 2, "/" + key), "The same key in another spelling.",
                  provenance="hand")


# ---- floats at the boundaries of a notation ---------------------------------------------

INFIX = (15, 5)  # n and m of 4.1.6


def limits_of(precision):
    """n and m of a precision in srepr."""
    digits = round(precision / 3.3219280948873626) - 1
    most = 17 if digits == 15 else digits + 3
    return most, max(most // 3, 5)


def plainly(digits, exponent):
    """Without an exponent."""
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    return "%s.%s" % (digits[:exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1:] or "0")


def shortly(digits, exponent):
    """With an exponent."""
    return "%s.%se%+d" % (digits[0], digits[1:] or "0", exponent)


def notations(limits, digits, exponent):
    """The right text of a float, and the wrong one."""
    most, least = limits
    both = plainly(digits, exponent), shortly(digits, exponent)
    return both[::-1] if exponent >= most or exponent <= -least else both


def named(exponent):
    """An exponent in the name of a file."""
    return "minus-%d" % -exponent if exponent < 0 else str(exponent)


def digits_of(count):
    return ("123456789" * count)[:count]


def boundaries(limits):
    most, least = limits
    return (-least - 1, -least, -least + 1, most - 2, most - 1, most, most + 1)


def floats(suite):
    texts = Texts(suite, LATEST, "expression")
    for precision in (53, 54, 56, 57, 60, 64, 113, 237, 1000):
        limits = limits_of(precision)
        every = precision in (53, 57, 113)

        def srepr(text, precision=precision):
            return "Float('%s', precision=%d)" % (text, precision)
        judge(texts, "srepr-%d" % precision, limits, (srepr, "float", every))
    texts = Texts(suite, "7.3", "expression")
    judge(texts, "infix", INFIX, (lambda text: text, "int", True))
    fifteen(texts)


def judge(texts, label, limits, spelling):
    """All boundaries of a notation, of both signs; spelling: how a number is written,
    of which sort the whole is, and whether with each number of digits."""
    spelled, sort, every = spelling
    counts = (1, 2, limits[0]) if every else (1,)
    for name, sign in (("", ""), ("-negative", "-")):
        good = []
        for exponent in boundaries(limits) + (-1, 0, 1):
            for count in counts:
                right, wrong = notations(limits, digits_of(count), exponent)
                good.append(spelled(sign + right))
                if exponent in (0, 1) or len(wrong) > 300:
                    continue
                texts.bad("float-%s%s-%s-%d" % (label, name, named(exponent), count),
                          texts.sorted_text(sort, whole(sort, spelled(sign + M + wrong))),
                          "EP_EXPR", None, "The other notation.", also=["4.1.6"])
        texts.good("float-%s%s" % (label, name),
                   texts.sorted_text(sort, whole(sort, "Max(%s)" % ", ".join(good))),
                   ["4.1.6", "4.1.1"], "Floats on both sides of each boundary.", flags=["large"])
        long = digits_of(limits[0] + 1)
        for exponent in (-1, limits[0]):
            right, _ = notations(limits, long, exponent)
            texts.bad("float-%s%s-long-%d" % (label, name, exponent),
                      texts.sorted_text(sort, whole(sort, spelled(sign + M + right))), "EP_EXPR",
                      None, "A digit more than are written.", also=["4.1.6"])


def whole(sort, text):
    return text if sort == "float" else "floor(%s)" % text


def fifteen(texts):
    """The other spelling of infix: fifteen digits, zeros among them."""
    zeros = "1" + "0" * 14
    for name, sign in (("", ""), ("-negative", "-")):
        good = []
        for exponent in boundaries(INFIX) + (-1, 0, 1):
            right, wrong = (text[:-1] if exponent == 14 and text.endswith(".0") else text
                            for text in notations(INFIX, zeros, exponent))
            good.append(sign + right)
            if exponent in (0, 1):
                continue
            texts.bad("float-fifteen%s-%s" % (name, named(exponent)),
                      texts.sorted_text("int", "floor(%s)" % (sign + M + wrong)), "EP_EXPR", None,
                      "The other notation.", also=["4.1.6"])
        texts.good("float-fifteen" + name,
                   texts.sorted_text("int", "floor(Max(%s))" % ", ".join(good)),
                   ["4.1.6", "4.1.1"], "Fifteen digits on both sides of each boundary.",
                   flags=["large"])


def rewritten(suite):
    """Floats of every exponent near a boundary of either form, in and out."""
    to, wide = Migrations(suite), limits_of(53)
    for exponent in (*range(-7, -2), -1, 0, 1, *range(13, 19)):
        for name, sign in (("", ""), ("-negative", "-")):
            infix, srepr = [], []
            for count in (1, 2, 3, 14, 15):
                digits = digits_of(count)
                infix.append(sign + notations(INFIX, digits, exponent)[0])
                srepr.append("Float('%s%s', precision=53)" % (
                    sign, notations(wide, digits, exponent)[0]))
            for low, high in (("8.1", "8.2"), ("5.1", LATEST)):
                to.pair("float-exponent-%s%s" % (named(exponent), name), low, high,
                        (speaking("floor(Max(%s))" % ", ".join(infix)),
                         speaking("floor(Max(%s))" % ", ".join(srepr))), ["7.5.1", "4.1.6"],
                        "Floats of one exponent, in both forms.")
            zeros = "1" + "0" * 14
            given = notations(INFIX, zeros, exponent)[0]
            given = given[:-1] if exponent == 14 else given
            to.way("float-fifteen-%s%s" % (named(exponent), name), "5.1", LATEST, (
                speaking("floor(%s)" % (sign + given)),
                speaking("floor(Float('%s%s', precision=53))" % (
                    sign, notations(wide, "1", exponent)[0]))), ["7.5.1", "4.1.6"],
                "Fifteen digits, of which most are zeros.")


def vectors(suite):
    unused_bits(suite)
    defaults(suite)
    escapes(suite)
    floats(suite)
    rewritten(suite)
