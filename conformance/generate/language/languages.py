"""The languages inside strings, production by production (SPEC 4.2 to 4.4): each operator of
a guard before and behind each other one, each function with fewer and more arguments than it
takes, each escape; each key of a tree spec at the ends of its range; and what a migration
makes of them (7.5.3, 7.5.4).
"""

import json

from format.annexes import rows
from generate.migrate.migrations import LATEST, Migrations, changed, kinds, plain, put
from generate.language.texts import Texts
from generate.whole import LEAF, MARK, MODULES, entry, tensor, tree, treespec

M = MARK
X, Y = "L['x'].size()[0]", "L['y'].size()[1]"

# ---- 4.4: guards --------------------------------------------------------------------------

ARITHMETIC = {"sum": " + ", "product": "*", "quotient": " / ", "floor": " // ", "modulo": " % ",
              "power": " ** ", "and": " & ", "or": " | ", "xor": " ^ "}
UNSIGNED = ("sum", "product", "quotient", "floor", "modulo", "power")  # no minus behind it
RELATIONS = {"equal": " == ", "unequal": " != ", "at-most": " <= ", "at-least": " >= ",
             "less": " < ", "more": " > "}
OPERANDS = {"integer": "12", "minus": "-12", "float": "2.5", "minus-float": "-1e-05",
            "fraction": "1/2", "minus-fraction": "-3/40", "infinity": "math.inf",
            "minus-infinity": "-math.inf", "nan": "math.nan", "size": X, "group": "(1 + 2)",
            "call": "abs(1)", "choice": "(1 if True else 2)", "stride": "L['x'].stride()[12]",
            "offset": "L['x'].storage_offset()", "item": "L['a']['b'][-1][False].c.item()"}
FUNCTIONS = {  # fewest and most arguments
    **dict.fromkeys(("abs", "math.acos", "math.asin", "math.atan", "math.ceil", "math.cos",
                     "math.cosh", "math.floor", "math.log2", "math.sin", "math.sinh", "math.sqrt",
                     "math.tan", "math.tanh", "math.trunc", "torch._sym_sqrt", "torch.sym_float",
                     "cast_symbool_to_symint_guardless"), (1, 1)),
    "torch.sym_max": (2, 2), "torch.sym_min": (2, 2), "round": (1, 2),
    "IsNonOverlappingAndDenseIndicator": (1, None), "max": (2, None), "min": (2, None),
}
ESCAPES = ("\\\\", "\\'\"", "\\n", "\\r", "\\t", "\\x00", "\\xff", "\\x1f", "\\u0000", "\\uffff",
           "\\ud800", "\\U00000000", "\\U0010ffff", "\\u20ac", "\\xa0\\xe9")
WRONG_STRINGS = (
    ("hex-none", "\\x" + M + "'"), ("hex-one", "\\x4" + M + "'"), ("hex-letter", "\\x4" + M + "g'"),
    ("hex-large", "\\u00" + M + "E9'"), ("four-three", "\\u20a" + M + "'"),
    ("eight-seven", "\\U0010fff" + M + "'"), ("bell", M + "\\a'"), ("null", M + "\\0'"),
    ("double", M + "\\\"'"), ("large", M + "\\X41'"), ("line", M + "\\N{DASH}'"),
    ("nul", M + "\u0000'"), ("unit", M + "\u001f'"), ("delete", M + "\u007f'"),
)
WRONG = (
    ("slash-none", "1/" + M), ("minus-alone", M + "- 1 == 1"), ("minus-none", "1 == " + M + "-"),
    ("not-number", "1 + " + M + "not (True) == 1"), ("index-minus", "L['x'][" + M + "-] == 1"),
    ("index-open", "L['x'][0" + M + " == 1"), ("index-cut", "L['x'][" + M),
    ("index-word", "L['x'][" + M + "None] == 1"), ("name-none", "L['x']." + M),
    ("name-digit", "L['x']." + M + "1 == 1"), ("name-blank", "L['x']." + M + " == 1"),
    ("size-open", "L['x'].size()[0" + M + " == 1"), ("true-small", M + "true"),
    ("true-long", M + "Truex"), ("false-short", M + "Fals"), ("none", M + "None"),
    ("choice-else", "(1 if True" + M + " els"),
    ("choice-values", "(1 if True else True" + M + ") == 1"),
)


def counted(name, count):
    return "%s(%s)" % (name, ", ".join(str(i + 1) for i in range(count)))


def operators(texts):
    for one, first in ARITHMETIC.items():
        for other, second in ARITHMETIC.items():
            texts.good("operators-%s-%s" % (one, other),
                       texts.guard("%s%s2%s3 == 4" % (X, first, second)), "4.4.3",
                       "%s, then %s." % (first.strip(), second.strip()))
        for label, text in OPERANDS.items():
            text = "%s%s%s == 4" % (X, first, text)
            if label.startswith("minus") and one in UNSIGNED:
                at = len(X + first)
                texts.bad("operand-%s-%s" % (one, label), texts.guard(text[:at] + M + text[at:]),
                          "EP_GUARD", None, "No minus sign behind %s." % first.strip(),
                          also=["4.4.3"])
            else:
                texts.good("operand-%s-%s" % (one, label), texts.guard(text), "4.4.3",
                           "%s behind %s." % (label, first.strip()))
    for one, sign in RELATIONS.items():
        for label, text in OPERANDS.items():
            texts.good("related-%s-%s" % (one, label), texts.guard(text + sign + text), "4.4.3",
                       "%s on both sides of %s." % (label, sign.strip()))
        for other, second in RELATIONS.items():
            texts.bad("chain-%s-%s" % (one, other),
                      texts.guard("1%s2%s%s3" % (sign, M, second)), "EP_GUARD", None,
                      "%s, then %s." % (sign.strip(), second.strip()), also=["4.4.3"])


def functions(texts):
    for name, (least, most) in FUNCTIONS.items():
        label = name.replace(".", "-")
        for count in range(least, (most or least + 2) + 1):
            texts.good("arguments-%s-%d" % (label, count), texts.guard(
                counted(name, count) + " == 1"), "4.4.4", "%s of %d." % (name, count))
        few = counted(name, least - 1)
        texts.bad("few-" + label, texts.guard(few[:-1] + M + ") == 1"), "EP_GUARD", None,
                  "%s of %d." % (name, least - 1), also=["4.4.4"])
        if most is not None:
            texts.bad("many-" + label, texts.guard(counted(name, most)[:-1] + M + ", 9) == 1"),
                      "EP_GUARD", None, "%s of %d." % (name, most + 1), also=["4.4.4"])
        if name[:-1] not in FUNCTIONS:
            texts.bad("short-" + label, texts.guard(M + name[:-1] + "(1, 2) == 1"), "EP_GUARD",
                      None, "A letter less than %s." % name, also=["4.4.4"])
        texts.bad("bare-" + label, texts.guard(M + name + " == 1"), "EP_GUARD", None,
                  "%s without a parenthesis." % name, also=["4.4.4"])


def guards(suite):
    texts = Texts(suite, LATEST, "guard")
    operators(texts)
    functions(texts)
    for i, text in enumerate(ESCAPES):
        texts.good("escape-%02d" % i, texts.guard("L['%s'] == 1" % text), "4.4.2", "An escape.")
    for label, text in WRONG_STRINGS:
        texts.bad("string-" + label, texts.guard("L['a" + text + "] == 1"), "EP_GUARD", None,
                  "No such string.", also=["4.4.2"])
    for label, text in WRONG:
        texts.bad("wrong-" + label, texts.guard(text), "EP_GUARD", None, "It does not fit.")


# ---- 4.2: keys of tree specs ----------------------------------------------------------------

EDGES = (9223372036854775807, -9223372036854775808, 9223372036854775806, 0, -1, 1e+20, -1e+20,
         9007199254740993, 0.5, 1e-07, "9223372036854775808", True, None)
BEYOND = ("9223372036854775808", "-9223372036854775809", "18446744073709551616",
          "100000000000000000000000000000", "-0", "01", "1.50", "1e5", "1E+20", "NaN", "Infinity",
          "-Infinity", "nul", "True", "[1]", "{}")


def spec_with(keys, count):
    """The types that have keys, each with these, as texts."""
    context = "[%s]" % ", ".join(keys)
    for label, type_name in (("dict", "builtins.dict"), ("ordered", "collections.OrderedDict"),
                             ("immutable", "torch.fx.immutable_collections.immutable_dict")):
        yield label, '{"type": "%s", "context": %s, "children_spec": [%s]}' % (
            type_name, quoted(context), ", ".join([LEAF] * count))
    yield "factory", ('{"type": "collections.defaultdict", "context": {"default_factory_module": '
                      '"builtins", "default_factory_name": "list", "dict_context": %s}, '
                      '"children_spec": [%s]}' % (context, ", ".join([LEAF] * count)))


def quoted(text):
    """In a string of JSON; the mark stays."""
    return json.dumps(text)


def tree_keys(suite):
    texts = Texts(suite, LATEST, "treespec")
    pairs = [(json.dumps(edge), json.dumps("other")) for edge in EDGES]
    for i, keys in enumerate(pairs):
        for label, text in spec_with(keys, 2):
            texts.good("edge-%s-%02d" % (label, i), texts.in_spec("[1, %s]" % text), "4.2.4",
                       "The key %s." % keys[0])
    for i, wrong in enumerate(BEYOND):
        for label, text in spec_with((M + wrong, '"other"'), 2):
            if wrong in ("nul", "True", "[1]", "{}") or (
                    label == "factory" and wrong in ("01", "NaN", "Infinity", "-Infinity")):
                continue  # where these are wrong depends on what they might have been
            code = "EP_TREESPEC_CONTEXT"
            if label == "factory" and wrong in ("-0", "1.50", "1e5", "1E+20"):
                code = "EP_TREESPEC"
            if wrong == "01":
                text = text.replace(M + "01", "0" + M + "1")
            texts.bad("beyond-%s-%02d" % (label, i), texts.in_spec("[1, %s]" % text), code,
                      None, "%s is no key." % wrong)


WORDS = ("NaN", "Infinity", "-Infinity")
AROUND = (("alone", "%s"), ("array", "[1, %s]"), ("object", '{"a": %s}'),
          ("deep", '{"a": [{"b": [0, %s]}], "c": 1}'))


def contexts(suite):
    """Python's words for floats, which no context has; as a string they are one."""
    texts = Texts(suite, LATEST, "treespec")
    for label, type_name in (("own", "models.Batch"), ("tuple", "builtins.tuple"),
                             ("factory", "collections.defaultdict")):
        for word in WORDS:
            for place, around in AROUND:
                text = '[1, {"type": "%s", "context": %s, "children_spec": []}]' % (
                    type_name, around % (M + word))
                texts.bad("word-%s-%s-%s" % (label, place, word.lower()), texts.in_spec(text),
                          "EP_TREESPEC", None, "%s is no JSON." % word)
    for word in WORDS:
        for place, around in AROUND:
            context = around % json.dumps(word)
            texts.good("word-string-%s-%s" % (place, word.lower()), texts.in_spec(
                '[1, {"type": "models.Batch", "context": %s, "children_spec": [%s, %s]}]' % (
                    context, LEAF, LEAF)), "4.2.4", "A string.")


# ---- 7.5.3: metadata ------------------------------------------------------------------------

MODULE_TEXTS = (  # the key, path and type of each
    (("fn", "L['fn']", "torch.nn.Linear"),),
    (("a", "", "m.A"), ("b", "L['self'].b", "m.B@1")),
    (("a", "x", "m.A"), ("b", "getattr(L['self'].l, '0')", "m.B"), ("c", "", "m.C")),
    (("k e y", "p(1, 2)", "t"), ("\u00e9", "\u00e8", "\u00fc")),
    (("k", "((a, x), y)", "b"),), (("k", "f(a)(b)", "c(d, e)"),),
)
FUNCTION_TEXTS = ("add,_operator.add", "f,<function f at 0x7f>", " , ", "\u00e9,\u00e8")


def noted(**texts):
    return changed(plain(), put("graph/nodes/0/metadata", texts))


def metadata(to):
    for low, high in (("1-2023-08", "2"), ("1", LATEST)):
        for i, modules in enumerate(MODULE_TEXTS):
            old = ";".join("%s:(%s,%s)" % each for each in modules)
            new = ";".join("%s,%s,%s" % each for each in modules)
            to.pair("noted-modules-%d" % i, low, high, (noted(nn_module_stack=old, before="a"),
                                                        noted(nn_module_stack=new, before="a")),
                    ["7.5.3", "4.3.1"], "%d modules." % len(modules))
        for i, text in enumerate(FUNCTION_TEXTS):
            drafts = (noted(first="x", source_fn=text, last="y"),
                      noted(first="x", source_fn_stack=text, last="y"))
            to.pair("noted-source-%d" % i, low, high, drafts, ["7.5.3", "4.3.2"],
                    "One function, between other texts.")
    kept = {"nn_module_stack": "a,,m.A;b,p(1, 2),m.B", "source_fn_stack": "f,g;h,i",
            "stack_trace": "s", "own": "o"}
    later = (("torch_fn", "r;f", "5.3"), ("custom", '{ "a":[NaN, 1] }', "7.3"), (
        "from_node", '[{"name": "n", "target": "t", "graph_id": 1, "pass_name": "p", "action": '
        '"create+replace", "from_node": []}]', "8.17"))
    for low, high in (("2", "5.3"), ("7.3", "8.2"), ("8.17", LATEST), ("2", LATEST)):
        texts = {**kept, **{key: text for key, text, first in later}}
        to.pair("noted-kept", low, high, noted(**texts), ["7.5.3"], "All texts stay.")


# ---- 7.5.4: tree specs ----------------------------------------------------------------------

CONTEXTS = {"null": "null", "keys": '["a", 2, null, true, 0.5]', "maxlen": "7", "factory": {
    "default_factory_module": "builtins", "default_factory_name": "list", "dict_context": ["a", 1]},
    "name": "m.P"}
COUNTS = {"null": 3, "keys": 5, "maxlen": 4, "factory": 2, "name": 1}


def tree_of_type(row):
    """A tree of a type of E.2, with two in it."""
    return treespec(tree("builtins.tuple", "null", [LEAF, tree(
        row["type"], CONTEXTS[row["form"]], [LEAF] * COUNTS[row["form"]])]))


def with_tree(place, row):
    text, count = tree_of_type(row), COUNTS[row["form"]] + 1
    draft = changed(plain(), lambda data: data["graph"])
    if place.startswith("root"):
        side = {"root-in": "in_spec", "root-out": "out_spec"}[place]
        draft.data["root"].update({side: text, "inputs": [tensor("x")] * (
            count if side == "in_spec" else 1), "outputs": [tensor("t")] * (
                count if side == "out_spec" else 1)})
    else:
        draft.data["modules"] = [entry("sub", [tensor("x")] * count, [tensor("t")] * count,
                                       in_spec=text, out_spec=text)]
    return kinds(draft, None)


def trees(to):
    """Each type, from the first version that has it; where it is gone, or not there yet."""
    for row in rows("tree_specs"):
        if row["form"] in ("fields", "name"):
            continue  # the later versions want a description, which no earlier one has
        first = "2" if row["since"] in ("1-2023-08", "1-2023-12") else row["since"]
        label = "tree-" + row["type"].split(".")[-1].lower().replace("_", "-")
        for place in ("root-out", "entry"):
            for low, high in ((first, "5.3"), ("7.3", LATEST)):
                to.pair("%s-%s" % (label, place), low, high, with_tree(place, row), ["7.5.4"],
                        "A tree of %s." % row["type"])
        if row["since"] == "1-2023-12":
            for place, where in (("entry", MODULES + "1/signature"),):
                name = to.name("plain", LATEST, "1")
                to.refused("%s-%s-gone" % (label, place), name, with_tree(place, row),
                           "EP_MIGRATE_TEXT", where, "No such type there.", also=["7.5.4"])


def enums(to):
    """A key that came later."""
    value = json.dumps({"__enum__": True, "fqn": "m:C", "name": "D"})
    text = treespec(tree("builtins.dict", '["a", %s]' % value, [LEAF] * 2))
    draft = changed(plain(), put("modules", [entry("sub", [tensor("x")] * 2, [tensor("t")],
                                                   in_spec=text)]))
    to.pair("tree-enum", "7.4", LATEST, draft, ["7.5.4"], "An enum's value as a key.")
    to.refused("tree-enum-gone", to.name("plain", LATEST, "7.3"), draft, "EP_MIGRATE_TEXT",
               MODULES + "1/signature", "No such key there.", also=["7.5.4"])


def vectors(suite):
    guards(suite)
    tree_keys(suite)
    contexts(suite)
    to = Migrations(suite)
    for part in (metadata, trees, enums):
        part(to)
