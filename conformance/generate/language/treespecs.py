"""Tree specs: containers and their contexts, and what can be wrong with the
text, with the JSON in it, and with the JSON in the strings in that.
"""

import json

from generate.language.texts import Texts, within
from generate.whole import LEAF, MARK, tree, treespec

M = MARK
TWO = [LEAF, LEAF]
ENUM = {"__enum__": True, "fqn": "models:Mode", "name": "ON"}
FACTORY = {"default_factory_module": "builtins", "default_factory_name": "list",
           "dict_context": ["a", "b"]}
POINT = "models.Point"
FIELDS = {"class_name": POINT, "fields": ["a", "b"]}
DESCRIBED = {"treespec_namedtuple_fields": {POINT: {"field_names": ["a", "b"]}}}


def node(type_text, context_text, children):
    """A node of texts, which need not be what a tree spec has."""
    return '{"type": %s, "context": %s, "children_spec": [%s]}' % (
        type_text, context_text, ", ".join(children))


def named(context, children=2):
    return treespec(tree("collections.namedtuple", context, [LEAF] * children))


def keys(type_name, *names):
    return treespec(tree(type_name, json.dumps(list(names)), TWO))


def context(type_name, text, children=2):
    """A tree of a type with a context that is a text."""
    return treespec(tree(type_name, text, [LEAF] * children))


def raw(type_name, context_text, children=2):
    return treespec(node(json.dumps(type_name), context_text, [LEAF] * children))


# (label, since, until, text, clauses, why); None: the first version, or no end.
GOOD = (
    ("tuple", None, None, context("builtins.tuple", "null"), ["4.2.4", "4.2.2"], "A tuple."),
    ("list", None, None, context("builtins.list", "null"), "4.2.4", "A list."),
    ("size", None, None, context("torch.Size", "null"), "4.2.3", "A size."),
    ("immutable-list", None, None,
     context("torch.fx.immutable_collections.immutable_list", "null"), "4.2.3", "One of torch.fx."),
    ("immutable-dict", None, None, keys("torch.fx.immutable_collections.immutable_dict", "a", "b"),
     "4.2.3", "One of torch.fx."),
    ("nested", None, None, treespec(tree("builtins.list", "null", [
        tree("builtins.tuple", "null", []), tree("builtins.dict", '["k"]', [
            tree("builtins.tuple", "null", TWO)])])), "4.2.1", "Containers in each other."),
    ("dict", None, None, keys("builtins.dict", "a", "b"), "4.2.4", "Keys."),
    ("dict-order", None, None, keys("builtins.dict", "b", "a"), "4.2.4", "In any order."),
    ("ordered", None, None, keys("collections.OrderedDict", "z", "a"), "4.2.4", "In their order."),
    ("key-int", None, None, keys("builtins.dict", 1, -2), "4.2.4", "Numbers are keys."),
    ("key-float", None, None, keys("builtins.dict", 0.5, 1e+20), "4.2.4", "Floats are keys."),
    ("key-bool", None, None, keys("builtins.dict", True, False), "4.2.4", "Bools are keys."),
    ("key-null", None, None, keys("builtins.dict", None, "null"), "4.2.4", "None is a key."),
    ("key-string-number", None, None, keys("builtins.dict", 1, "1"), "4.2.4",
     "A string is no number."),
    ("key-empty", None, None, keys("builtins.dict", "", " "), "4.2.4", "Any string."),
    ("key-unicode", None, None, keys("builtins.dict", "k\u00e9y", "\U0001f600"), ["4.2.4", "4.2.1"],
     "Escapes in strings in strings."),
    ("key-quotes", None, None, keys("builtins.dict", 'a"b', "a\\b\n"), ["4.2.4", "4.2.1"],
     "Escapes in strings in strings."),
    ("key-enum", "7.4", None, keys("builtins.dict", ENUM, "b"), "4.2.4", "An enum's value."),
    ("deque", "1-2023-12", None, context("collections.deque", "null"), "4.2.4", "Any length."),
    ("deque-maxlen", "1-2023-12", None, context("collections.deque", "3"), "4.2.5",
     "As long, or shorter."),
    ("deque-full", "1-2023-12", None, context("collections.deque", "2"), "4.2.5", "As long."),
    ("defaultdict", "1-2023-12", None, context("collections.defaultdict", FACTORY), "4.2.4",
     "An object."),
    ("namedtuple-fields", None, "5.3-2024-03", named(FIELDS), "4.2.4", "With its fields."),
    ("namedtuple", "2.1", "8.5", named(POINT), ["4.2.4", "4.2.6"], "Its name alone."),
    ("namedtuple", "8.6", "8.7", named(POINT), ["4.2.4", "4.2.6"], "8.6 describes none."),
    ("namedtuple", "8.5", "8.6", named(POINT), ["4.2.6", "4.2.5"], "It is described."),
    ("namedtuple", "8.7", None, named(POINT), ["4.2.6", "4.2.5"], "It is described."),
    ("registered", None, None, context("models.Batch", "anything"), "4.2.3",
     "A type that somebody registered."),
    ("registered-context", None, None, raw("models.Batch", '["models.Batch", ["a"], {"b": 1.5}]'),
     "4.2.4", "Any JSON value."),
    ("registered-null", None, None, raw("models.Batch", "null"), "4.2.4", "Any JSON value."),
    ("registered-local", None, None, context("models.f.<locals>.Batch", "x"), "4.2.3",
     "Of a function."),
    ("registered-unicode", None, None, context("mod\u00e8les.B\u00e4tch", "x"), "4.2.3",
     "Letters beyond ASCII."),
    ("registered-continued", "2", "5.4", context("mod\u00c0les.\u0400\u4000tch", "x"), "4.2.3",
     "Identifiers whose last bytes are the least that continue a character."),
    ("registered-underscore", "2", "5.4", context("_my_models._Batch_2", "x"), "4.2.3",
     "Underscores, and a digit behind one."),
    ("registered-short", None, None, context("Batch", "x"), "4.2.3", "No module."),
)
POINTLESS = "8.6"  # the version without descriptions between two that have them
BAD = (
    ("empty", None, None, M, "EP_TREESPEC", "No JSON."),
    ("object", None, None, M + "{}", "EP_TREESPEC", "It is an array."),
    ("not-json", None, None, M + "tuple", "EP_TREESPEC", "No JSON."),
    ("tight", None, None, "[1," + M + LEAF + "]", "EP_TREESPEC", "A blank is due."),
    ("wide", None, None, "[1, " + M + " " + LEAF + "]", "EP_TREESPEC", "One blank."),
    ("space-before", None, None, M + " " + treespec(LEAF), "EP_TREESPEC", "White space."),
    ("space-after", None, None, treespec(LEAF) + M + " ", "EP_TREESPEC", "White space."),
    ("newline", None, None, treespec(LEAF) + M + "\n", "EP_TREESPEC", "White space."),
    ("trailing", None, None, treespec(LEAF) + M + "]", "EP_TREESPEC", "Behind the end."),
    ("cut", None, None, treespec(LEAF)[:-1] + M, "EP_TREESPEC", "It ends early."),
    ("cut-node", None, None, "[1, " + LEAF[:-1] + M, "EP_TREESPEC", "It ends early."),
    ("protocol-alone", None, None, "[1" + M + "]", "EP_TREESPEC", "The node is missing."),
    ("node-alone", None, None, "[" + M + LEAF + "]", "EP_TREESPEC", "The protocol is missing."),
    ("protocol-string", None, None, "[" + M + '"1", ' + LEAF + "]", "EP_TREESPEC",
     "It is a number."),
    ("protocol-float", None, None, "[" + M + "1.0, " + LEAF + "]", "EP_TREESPEC",
     "It is an integer."),
    ("second-node", None, None, "[1, " + LEAF + M + ", " + LEAF + "]", "EP_TREESPEC", "One node."),
    ("no-type", None, None, '[1, {"' + M + 'context": null, "children_spec": []}]', "EP_TREESPEC",
     "The type is missing."),
    ("no-context", None, None, '[1, {"type": null, "c' + M + 'hildren_spec": []}]', "EP_TREESPEC",
     "The context is missing."),
    ("no-children", None, None, '[1, {"type": null, "context": null' + M + "}]", "EP_TREESPEC",
     "The children are missing."),
    ("order", None, None, '[1, {"' + M + 'context": null, "type": null, "children_spec": []}]',
     "EP_TREESPEC", "The type comes first."),
    ("extra-key", None, None, '[1, {"type": null, "context": null, "children_spec": []' + M +
     ', "x": 1}]', "EP_TREESPEC", "No other member."),
    ("key-escape", None, None, '[1, {"' + M + '\\u0074ype": null, "context": null, '
     '"children_spec": []}]', "EP_TREESPEC", "Another spelling of a key."),
    ("type-number", None, None, treespec(node(M + "1", "null", [])), "EP_TREESPEC",
     "A string, or null."),
    ("child-null", None, None, treespec(node('"builtins.tuple"', '"null"', [M + "null"])),
     "EP_TREESPEC", "A child is a node."),
    ("children-tight", None, None, treespec(node('"builtins.tuple"', '"null"', [LEAF])).replace(
        LEAF, LEAF + "," + M + LEAF), "EP_TREESPEC", "A blank is due."),
    ("children-comma", None, None, treespec(node('"builtins.tuple"', '"null"', [LEAF, M])),
     "EP_TREESPEC", "Nothing follows."),
    ("python-none", None, None, treespec(node(M + "None", "null", [])), "EP_TREESPEC",
     "JSON's word."),
    ("raw-unicode", None, None, treespec(node(M + '"mod\u00e8les.Batch"', '"x"', TWO)),
     "EP_TREESPEC", "An escape is due."),
    ("escape-upper", None, None, treespec(node(M + '"mod\\u00E8les.Batch"', '"x"', TWO)),
     "EP_TREESPEC", "Hexadecimal digits are small."),
    ("escape-needless", None, None, treespec(node(M + '"\\u006dodels.Batch"', '"x"', TWO)),
     "EP_TREESPEC", "A needless escape."),
    ("escape-unknown", None, None, treespec(node('"models.' + M + '\\q"', '"x"', TWO)),
     "EP_TREESPEC", "No such escape."),
    ("protocol-0", None, None, "[" + M + "0, " + LEAF + "]", "EP_TREESPEC_PROTOCOL",
     "No release wrote it."),
    ("protocol-2", None, None, "[" + M + "2, " + LEAF + "]", "EP_TREESPEC_PROTOCOL",
     "None has it yet."),
    ("protocol-negative", None, None, "[" + M + "-1, " + LEAF + "]", "EP_TREESPEC_PROTOCOL",
     "No protocol."),
    ("protocol-99", None, None, "[" + M + "99, " + LEAF + "]", "EP_TREESPEC_PROTOCOL",
     "No protocol."),
    ("type-set", None, None, treespec(node(M + '"builtins.set"', '"null"', [])), "EP_TREESPEC_TYPE",
     "No container of pytrees."),
    ("type-counter", None, None, treespec(node(M + '"collections.Counter"', '"null"', [])),
     "EP_TREESPEC_TYPE", "No container of pytrees."),
    ("type-empty", None, None, treespec(node(M + '""', '"null"', [])), "EP_TREESPEC_TYPE",
     "No name."),
    ("type-dot", None, None, treespec(node(M + '"models."', '"null"', TWO)), "EP_TREESPEC_TYPE",
     "A part is missing."),
    ("type-space", None, None, treespec(node(M + '"models. Batch"', '"null"', TWO)),
     "EP_TREESPEC_TYPE", "No identifier."),
    ("type-digit", None, None, treespec(node(M + '"models.2d"', '"null"', TWO)),
     "EP_TREESPEC_TYPE", "No identifier."),
    ("type-angle", None, None, treespec(node(M + '"f.<locals.Batch"', '"null"', TWO)),
     "EP_TREESPEC_TYPE", "Angles come in pairs."),
    ("type-colon", None, None, treespec(node(M + '"models:Batch"', '"null"', TWO)),
     "EP_TREESPEC_TYPE", "Dots, not colons."),
    ("type-deque", None, "1-2023-12", treespec(node(M + '"collections.deque"', '"null"', TWO)),
     "EP_TREESPEC_TYPE", "Of a later version."),
    ("type-defaultdict", None, "1-2023-12",
     treespec(node(M + '"collections.defaultdict"', json.dumps(FACTORY), TWO)),
     "EP_TREESPEC_TYPE", "Of a later version."),
    ("leaf-context", None, None, treespec(node("null", M + '"null"', [])), "EP_TREESPEC_CONTEXT",
     "A leaf has none."),
    ("tuple-null", None, None, treespec(node('"builtins.tuple"', M + "null", TWO)),
     "EP_TREESPEC_CONTEXT", "It is a string."),
    ("tuple-other", None, None, context("builtins.tuple", M + "[]"), "EP_TREESPEC_CONTEXT",
     "Null in the string."),
    ("tuple-empty", None, None, context("builtins.tuple", M), "EP_TREESPEC_CONTEXT",
     "Null in the string."),
    ("tuple-more", None, None, context("builtins.tuple", "null" + M + " "), "EP_TREESPEC_CONTEXT",
     "Behind its end."),
    ("dict-null", None, None, context("builtins.dict", M + "null"), "EP_TREESPEC_CONTEXT",
     "It has keys."),
    ("dict-bare", None, None, treespec(node('"builtins.dict"', M + '["a", "b"]', TWO)),
     "EP_TREESPEC_CONTEXT", "They stand in a string."),
    ("dict-object", None, None, context("builtins.dict", M + '{"a": 1}'), "EP_TREESPEC_CONTEXT",
     "An array."),
    ("dict-tight", None, None, context("builtins.dict", '["a",' + M + '"b"]'),
     "EP_TREESPEC_CONTEXT", "A blank is due."),
    ("dict-cut", None, None, context("builtins.dict", '["a", "b"' + M), "EP_TREESPEC_CONTEXT",
     "It ends early."),
    ("dict-behind", None, None, context("builtins.dict", '["a", "b"]' + M + "x"),
     "EP_TREESPEC_CONTEXT", "Behind its end."),
    ("key-list", None, None, context("builtins.dict", '["a", ' + M + '["b"]]'),
     "EP_TREESPEC_CONTEXT", "No key of a dict."),
    ("key-twice", None, None, context("builtins.dict", '["a", ' + M + '"a"]'),
     "EP_TREESPEC_CONTEXT", "The same again."),
    ("key-same-int", None, None, context("builtins.dict", "[1, " + M + "1.0]"),
     "EP_TREESPEC_CONTEXT", "One key for Python."),
    ("key-same-bool", None, None, context("builtins.dict", "[1, " + M + "true]"),
     "EP_TREESPEC_CONTEXT", "One key for Python."),
    ("key-same-zero", None, None, context("builtins.dict", "[false, " + M + "0.0]"),
     "EP_TREESPEC_CONTEXT", "One key for Python."),
    ("key-number-form", None, None, context("builtins.dict", "[1, 0" + M + "2]"),
     "EP_TREESPEC_CONTEXT", "A leading zero."),
    ("key-float-cut", None, None, context("builtins.dict", "[1, 2." + M + "]"),
     "EP_TREESPEC_CONTEXT", "A digit behind the point is due."),
    ("key-float-form", None, None, context("builtins.dict", "[1, " + M + "2.50]"),
     "EP_TREESPEC_CONTEXT", "Not as Python prints it."),
    ("key-single-quotes", None, None, context("builtins.dict", "[" + M + "'a', 'b']"),
     "EP_TREESPEC_CONTEXT", "JSON's quotes."),
    ("key-raw-unicode", None, None, context("builtins.dict", '[' + M + '"a\u00e9", "b"]'),
     "EP_TREESPEC_CONTEXT", "An escape is due."),
    ("key-behind-escapes", None, None,
     context("builtins.dict", '["\\u00e9\\"\\\\", ' + M + "b]"), "EP_TREESPEC_CONTEXT",
     "A place behind escapes of escapes."),
    ("key-twice-escaped", None, None, context("builtins.dict", '["\\u00e9", ' + M + '"\\u00e9"]'),
     "EP_TREESPEC_CONTEXT", "The same again."),
    ("key-enum-early", None, "7.4", context("builtins.dict", "[" + M + json.dumps(ENUM) + ', "b"]'),
     "EP_TREESPEC_CONTEXT", "Of a later version."),
    ("key-enum-false", "7.4", None,
     context("builtins.dict", '[{"__enum__": ' + M + 'false, "fqn": "m:E", "name": "ON"}, "b"]'),
     "EP_TREESPEC_CONTEXT", "It is true."),
    ("key-enum-fqn", "7.4", None,
     context("builtins.dict", '[{"__enum__": true, "fqn": ' + M + '"m.E", "name": "ON"}, "b"]'),
     "EP_TREESPEC_CONTEXT", "A colon is due."),
    ("key-enum-name", "7.4", None,
     context("builtins.dict", '[{"__enum__": true, "fqn": "m:E", "name": ' + M + '"1"}, "b"]'),
     "EP_TREESPEC_CONTEXT", "A name."),
    ("deque-negative", "1-2023-12", None, context("collections.deque", M + "-1"),
     "EP_TREESPEC_CONTEXT", "No length."),
    ("deque-float", "1-2023-12", None, context("collections.deque", M + "3.0"),
     "EP_TREESPEC_CONTEXT", "No length."),
    ("deque-string", "1-2023-12", None, context("collections.deque", M + '"3"'),
     "EP_TREESPEC_CONTEXT", "A number."),
    ("defaultdict-string", "1-2023-12", None,
     treespec(node('"collections.defaultdict"', M + json.dumps(json.dumps(FACTORY)), TWO)),
     "EP_TREESPEC_CONTEXT", "No string."),
    ("defaultdict-key", "1-2023-12", None, treespec(node(
        '"collections.defaultdict"', json.dumps(FACTORY).replace("dict_context", M + "keys"),
        TWO)), "EP_TREESPEC_CONTEXT", "No such member."),
    ("defaultdict-factory", "1-2023-12", None, treespec(node(
        '"collections.defaultdict"', json.dumps(FACTORY).replace('"list"', M + '"list()"'), TWO)),
     "EP_TREESPEC_CONTEXT", "A name."),
    ("namedtuple-object", "5.3-2024-03", None, treespec(node(
        '"collections.namedtuple"', M + json.dumps(FIELDS), TWO)), "EP_TREESPEC_CONTEXT",
     "Of an earlier version."),
    ("namedtuple-early", None, "2.1", treespec(node(
        '"collections.namedtuple"', M + '"models.Point"', TWO)), "EP_TREESPEC_CONTEXT",
     "Of a later version."),
    ("namedtuple-fields-twice", None, "5.3-2024-03", treespec(node(
        '"collections.namedtuple"', json.dumps(FIELDS).replace('"b"', M + '"a"'), TWO)),
     "EP_TREESPEC_CONTEXT", "Two of a name."),
    ("namedtuple-class-name", None, "5.3-2024-03", treespec(node(
        '"collections.namedtuple"', json.dumps(FIELDS).replace('"%s"' % POINT, M + '"models."'),
        TWO)), "EP_TREESPEC_CONTEXT", "A name."),
    ("namedtuple-number", "2.1", None, treespec(node('"collections.namedtuple"', M + "1", TWO)),
     "EP_TREESPEC_CONTEXT", "A name."),
    ("leaf-child", None, None, treespec(node("null", "null", [M + LEAF])), "EP_TREESPEC_CHILDREN",
     "A leaf has none."),
    ("dict-few", None, None, context("builtins.dict", '["a", "b", "c"]')[:-3] + M + "]}]",
     "EP_TREESPEC_CHILDREN", "Three keys."),
    ("dict-many", None, None, treespec(tree("builtins.dict", '["a"]', [LEAF, M + LEAF])),
     "EP_TREESPEC_CHILDREN", "One key."),
    ("dict-none", None, None, context("builtins.dict", '["a"]', 0)[:-3] + M + "]}]",
     "EP_TREESPEC_CHILDREN", "One key."),
    ("deque-many", "1-2023-12", None, treespec(tree("collections.deque", "1", [LEAF, M + LEAF])),
     "EP_TREESPEC_CHILDREN", "Longer than it may be."),
    ("deque-zero", "1-2023-12", None, treespec(tree("collections.deque", "0", [M + LEAF, LEAF])),
     "EP_TREESPEC_CHILDREN", "It holds nothing."),
    ("defaultdict-few", "1-2023-12", None,
     treespec(tree("collections.defaultdict", FACTORY, [LEAF]))[:-3] + M + "]}]",
     "EP_TREESPEC_CHILDREN", "Two keys."),
    ("namedtuple-few", "8.5", POINTLESS, named(POINT, 1)[:-3] + M + "]}]", "EP_TREESPEC_CHILDREN",
     "Two fields."),
    ("namedtuple-few", "8.7", None, named(POINT, 1)[:-3] + M + "]}]", "EP_TREESPEC_CHILDREN",
     "Two fields."),
    ("namedtuple-many", "8.7", None, treespec(tree("collections.namedtuple", POINT,
                                                   [LEAF, LEAF, M + LEAF])),
     "EP_TREESPEC_CHILDREN", "Two fields."),
    ("fields-few", None, "5.1", named(FIELDS, 1)[:-3] + M + "]}]", "EP_TREESPEC_CHILDREN",
     "Two fields."),
    ("namedtuple-unknown", "8.5", POINTLESS,
     treespec(node('"collections.namedtuple"', M + '"models.Other"', TWO)),
     "EP_TREESPEC_NAMEDTUPLE", "Another one is described."),
    ("namedtuple-unknown", "8.7", None,
     treespec(node('"collections.namedtuple"', M + '"models.Other"', TWO)),
     "EP_TREESPEC_NAMEDTUPLE", "Another one is described."),
    ("namedtuple-case", "8.7", None,
     treespec(node('"collections.namedtuple"', M + '"models.point"', TWO)),
     "EP_TREESPEC_NAMEDTUPLE", "Case counts."),
)
SHOWN = ("empty", "cut", "protocol-2", "type-set", "dict-null", "dict-few", "dict-many",
         "leaf-child", "type-deque", "type-defaultdict")


def applies(version, first, last, label, full):
    """All of a version that is gone through in full; of the others, what does
    not hold in every version, and what is shown."""
    limited = first is not None or last is not None
    return within(version, first, last) and (full or limited or label in SHOWN)


class Specs(Texts):
    """The base, which describes a named tuple where it can."""

    def changed(self, change):
        def both(data):
            data["module"].update(DESCRIBED)
            change(data)
        return super().changed(both)


def described(suite, version):
    """In versions that have descriptions, the base has one, too."""
    texts = Texts(suite, version, "treespec")
    has = within(version, "8.5", "8.6") or within(version, "8.7", None)
    if not has:
        return texts

    def change(data):
        data["module"].update(DESCRIBED)
    twin = texts.good("described", change, "4.2.6", "A named tuple that nothing names.")
    specs = Specs.__new__(Specs)
    specs.__dict__.update(texts.__dict__)
    specs.twin = twin
    return specs


def vectors(suite):
    for version, full in (("8.20", True), ("1", True), ("1-2023-08", False), ("1-2023-12", False),
                          ("2", False), ("2.1", False), ("4.2", False), ("5.1", False),
                          ("7.3", False), ("7.4", False), ("8.2", False), ("8.5", False),
                          ("8.6", False), ("8.7", False)):
        texts = described(suite, version)
        for label, first, last, text, clauses, why in GOOD:
            if applies(version, first, last, label, full):
                names = [clauses] if isinstance(clauses, str) else clauses
                texts.good(label, texts.in_spec(text), list(names) + ["4.2.1"], why)
        for label, first, last, text, code, why in BAD:
            if applies(version, first, last, label, full):
                texts.bad("bad-" + label, texts.in_spec(text), code, None, why)
    outs(suite)


def outs(suite):
    """The other place of tree specs."""
    for version in ("1", "8.20"):
        texts = Texts(suite, version, "treespec")
        for label, text, code in (("out-cut", treespec(LEAF)[:-1] + M, "EP_TREESPEC"),
                                  ("out-type", treespec(node(M + '"builtins.set"', '"null"', [])),
                                   "EP_TREESPEC_TYPE")):
            def change(data, text=text):
                data["root"]["out_spec"] = text
            texts.bad(label, change, code, None, "The tree of what the program returns.")
