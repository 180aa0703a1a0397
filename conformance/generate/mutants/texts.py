"""Texts of small languages and of JSON that come near to what is right: exponents,
places of arguments, separators.  conformance/scripts/mutate found that they were missing.
"""

from format.document import Document
from format.history import VERSIONS
from generate.migrate.migrations import Migrations, changed, plain, put
from format.programs import Rich, carrier
from generate.language.texts import SPEC, Texts
from generate.language.treespecs import context
from generate.suite import change_between
from generate.whole import (LEAF, MARK as M, MODULES, arguments, entry, leaves, place_of, tensor,
                            tree, treespec)

# label, sort, the text with a mark where the error is, code, why
EXPONENTS = (
    ("leading-zero", "1.0e+" + M + "020", "Exponents have no leading zero."),
    ("zero", "1.0e+" + M + "0", "No exponent is zero."), ("none", "1.0e+" + M, "No digits."),
    ("none-negative", "1.0e-" + M, "No digits."),
    ("negative-zero", "1.0e-" + M + "06", "Exponents have no leading zero."),
    ("signs", "1.0e+" + M + "+20", "Two signs."), ("letter", "1.0e+" + M + "x", "No digit."),
    ("fraction", "1.0e+" + M + ".5", "No digit."), ("capital", "1.0" + M + "E+20",
                                                    "The letter is a small one."),
)
SREPR_BAD = tuple(
    ("exponent-" + label, "float", "Float('%s', precision=53)" % text, "EP_EXPR", why)
    for label, text, why in EXPONENTS)
INFIX_BAD = (
    ("floordiv-not", "bool", "~" + M + "(s0//2)", "EP_EXPR_TYPE", "The argument is a division."),
    ("floordiv-bool", "bool", M + "(s0//2)", "EP_EXPR_TYPE", "The whole is a division."),
    ("floordiv-and", "bool", "(s0 <= 2) & " + M + "((s0//2))", "EP_EXPR_TYPE",
     "A division, in parentheses."),
    ("floordiv-arm", "int", "Piecewise((s0, " + M + "(s0//2)))", "EP_EXPR_TYPE",
     "The condition is a division."),
)


def expressions(suite):
    texts = Texts(suite, "8.20", "expression")
    for label, sort, text, code, why in SREPR_BAD:
        texts.bad("bad-" + label, texts.sorted_text(sort, text), code, None, why,
                  also=["4.1.7", "4.1.6"])
    texts = Texts(suite, "7.3", "expression")
    for label, sort, text, code, why in INFIX_BAD:
        texts.bad("bad-" + label, texts.sorted_text(sort, text), code, None, why, also=["4.1.8"])


# ---- separators ---------------------------------------------------------------------

# What stands in a list of two items.
LISTS = (("as_ints", "1, 2"), ("as_floats", "0.5, 1.5"), ("as_bools", "true, false"),
         ("as_strings", '"a", "b"'), ("as_tensors", '{"name": "a"}, {"name": "b"}'),
         ("as_sym_ints", '{"as_int": 1}, {"as_name": "a"}'))
# label, what the items become and where in that the error is, of which item, why
SPOILED = (("empty-item", lambda items: (", ", 0), "", "Nothing before a comma."),
           ("empty-items", lambda items: (", , ", 0), "", "Commas alone."),
           ("comma-first", lambda items: (", " + items, 0), "", "A comma first."),
           ("comma-twice", lambda items: (items.replace(", ", ", , ", 1),
                                          items.index(", ") + 2), "/1", "Two commas."),
           ("comma-last", lambda items: (items + ", ", len(items) + 2), "/2", "A comma last."),
           ("comma-lacking", lambda items: (items.replace(", ", "  ", 1), items.index(", ") + 2),
            "", "No comma."),
           ("semicolon", lambda items: (items.replace(", ", "; ", 1), items.index(", ")), None,
            "Another sign."))


def lists(suite):
    for tag, items in LISTS:
        root, node = carrier(VERSIONS["8.20"], tag, "[%s]" % items)
        document = Document(root)
        twin = suite.whole("inside/items-%s/8.20" % tag, "decode", "8.20", document.text, "2.1.2",
                           "Two items.")
        for label, spoil, item, why in SPOILED:
            text, at = spoil(items)
            if item is None:  # right behind a number or a word, it is said of that
                item = "" if items[0] in '"{' else "/0"
            suite.invalid("inside/%s-%s/8.20" % (label, tag), twin,
                          (node.start + 1, len(items), text), "EP_SYNTAX",
                          (node.start + 1 + at, node.pointer + item), why, provenance="hand")


def members(suite):
    """Another byte in the place of a space between a comma and a key."""
    for name in ("8.20", "7.3", "3.1", "1"):
        document = Document(Rich(VERSIONS[name]).program())
        twin = "program/rich/" + name
        owner = next(node for node in document.nodes() if node.kind == "struct"
                     and len(node.members) > 3 and node.type == "TensorMeta")
        key = owner.members[1][0]
        at = owner.keys[owner.index(key)] - 1
        for label, byte in (("exclamation", "!"), ("letter", "x"), ("comma", ","), ("digit", "1"),
                            ("no-break", "\u00a0"), ("quote", "'")):
            suite.invalid("inside/between-%s/%s" % (label, name), twin, (at, 1, byte), "EP_SYNTAX",
                          (at, owner.pointer), "A byte that is no white space before a key.",
                          provenance="hand")


def sources(suite):
    """A list of sources that is not there takes back no error."""
    for version in ("8.20", "7.3"):
        texts = Texts(suite, version, "metadata")

        def change(data):
            for node in data["graph"]["nodes"][:1]:
                node["metadata"]["nn_module_stack"] = "m" + M
                node["metadata"]["from_node"] = "null"
        texts.bad("modules-before-null", change, "EP_METADATA_MODULES", None,
                  "What is wrong stands before a null that is not.")


# ---- more than a byte can count ------------------------------------------------------


BEYOND = "1.797693134862316e+308"  # of 2^1024 the digits that repr would write


def guards(suite):
    texts = Texts(suite, "8.20", "guard")
    for count in (255, 256, 257, 513):
        text = "max(%s) == 1" % ", ".join(["1"] * count)
        texts.good("max-%d" % count, texts.guard(text), ["4.4.4", "4.4.1"],
                   "Two arguments or more: %d." % count, flags=["large"])
    for label, text, why in (("longest", "-2.2250738585072014e-308", "As long as they get."),
                             ("least", "5e-324", "The least."),
                             ("greatest", "1.7976931348623157e+308", "The greatest.")):
        texts.good("float-" + label, texts.guard("L['x'].size()[0] > " + text),
                   ["4.4.3", "4.4.1"], why)
    texts.bad("bad-float-beyond", texts.guard("L['x'].size()[0] > " + M + BEYOND), "EP_GUARD", None,
              "Python reads infinity, and writes it otherwise.")


# ---- names in tree specs ---------------------------------------------------------------


def spec_names(suite):
    """Names of enums and of registered types that are nearly such; a float that is nearly one."""
    texts = Texts(suite, "8.20", "treespec")
    texts.bad("bad-key-float-beyond", texts.in_spec(
        context("builtins.dict", "[1, " + M + BEYOND + "]")), "EP_TREESPEC_CONTEXT", None,
        "Python reads infinity, and writes it otherwise.")
    for label, name in (("class", "m:"), ("module", ":E"), ("digit", "m:1E"), ("digits", "1m:E"),
                        ("colons", "m:E:F"), ("dot", "m.:E"), ("space", "m: E"), ("alone", ":")):
        key = '[{"__enum__": true, "fqn": ' + M + '"%s", "name": "ON"}, "b"]' % name
        texts.bad("bad-key-enum-name-" + label, texts.in_spec(context("builtins.dict", key)),
                  "EP_TREESPEC_CONTEXT", None, "%s names no enum." % name)
    for label, name in (("open", "m.<locals.B"), ("open-last", "m.<a"), ("open-end", "m.<"),
                        ("empty", "m.<>.B"), ("close", "m.a>.B"), ("twice", "m.<<a>>.B"),
                        ("behind", "m.<a>b.B"), ("digit", "m.<1>.B"), ("slash", "m.<a/.B")):
        text = SPEC.replace('"builtins.tuple"', M + '"%s"' % name, 1)
        texts.bad("bad-type-angles-" + label, texts.in_spec(text), "EP_TREESPEC_TYPE", None,
                  "%s is made of no identifiers." % name)


LIMIT = 15


def deep_contexts(suite):
    """The context of a node nests from where the node stands."""
    texts = Texts(suite, "8.20", "depth")
    options = {"limits": {"depth": LIMIT}}

    def spec(levels, mark):
        context = "[" * (levels - 1) + mark + "[" + "]" * levels
        node = '{"type": "mylib.T", "context": %s, "children_spec": [%s, %s]}' % (
            context, LEAF, LEAF)
        for _ in range(2):
            node = tree("builtins.tuple", "null", [node])
        return texts.changed(texts.in_spec(treespec(node)))
    free = LIMIT - 6  # a list, and for each of the nodes around an object and a list
    at = spec(free, "").text
    twin = suite.valid_edit(texts.id("context"), texts.twin,
                            change_between(suite.bytes[texts.twin], at), ["4.2.4", "1.4.2"],
                            "As deep as the limit.", provenance="hand", options=options)
    text, offset, pointer = place_of(spec(free + 1, M), None)
    suite.invalid(texts.id("context-above"), twin, change_between(at, text), "EP_LIMIT_DEPTH",
                  (offset, pointer), "One list more.", provenance="hand", also=["4.2.4"])


# ---- calls of a module with two arguments -------------------------------------------


def calls(suite):
    """A module that is called three times takes two values each time, gives two."""
    def of(*entries):
        modules = [entry(name, [tensor(value) for value in taken],
                         [tensor(value) for value in given], in_spec=arguments(2),
                         out_spec=leaves(2)) for name, taken, given in entries]
        return changed(plain(), put("modules", modules))
    to = Migrations(suite)
    for low, high in (("7.4", "8.1-a"), ("2", "8.20")):
        once = of(("sub", "xtttxt", "ttxtxx"), ("other", "xt", "tt"))
        each = of(("sub", "xt", "tt"), ("sub@1", "tt", "xt"), ("sub@2", "xt", "xx"),
                  ("other", "xt", "tt"))
        name = to.pair("calls-of-two", low, high, (once, each), ["7.4.5"],
                       "A module of two arguments, three times.")[0]
        uneven = of(("sub", "xtttxt", "ttxt"), ("other", "xt", "tt"))
        to.refused("calls-of-two-uneven", name, uneven, "EP_MIGRATE_VALUE", MODULES + "1",
                   "Three calls, the results of two.", also=["7.4.5"])


def vectors(suite):
    sources(suite)
    spec_names(suite)
    guards(suite)
    deep_contexts(suite)
    calls(suite)
    expressions(suite)
    lists(suite)
    members(suite)
