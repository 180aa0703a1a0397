"""How deep texts may nest: as deep as documents, counted from their beginning."""

from generate.language.texts import Texts
from generate.whole import LEAF, MARK, place_of, tree, treespec
from generate.suite import change_between

LIMIT = 16  # more than the documents themselves nest
ACCEPTED = 256  # what every decoder accepts


def nested_spec(levels, mark):
    """A tree spec of so many arrays and objects inside each other: an array, and
    for each node an object and an array."""
    root = LEAF
    for i in range((levels - 3) // 2):
        root = tree("builtins.tuple", "null", [root, LEAF] if i == 0 else [root])
    return treespec(root).replace('{"type": null', mark + '{"type": null', 1)


def texts_of(version, levels, mark=""):
    """(label, change, clause) of texts with so many levels; the last is marked."""
    inner = "(" * (levels - 1) + mark + "("
    found = []
    if version == "7.3":
        found.append(("expression", Texts.sorted_text(None, "int", inner + "s0" + ")" * levels),
                      "4.1.8"))
    else:
        found.append(("guard", Texts.guard(inner + "1 == 1" + ")" * levels), "4.4.1"))
        text = '{"a": ' + "[" * (levels - 2) + mark + "[" + "]" * (levels - 1) + "}"
        found.append(("custom", Texts.metadata("custom", text), "4.3.4"))
    return found


def limits(suite, version):
    """At a limit that is asked for, and one level beyond."""
    texts = Texts(suite, version, "depth")
    options = {"limits": {"depth": LIMIT}}
    for (label, change, clause), (_, above, _) in zip(texts_of(version, LIMIT),
                                                     texts_of(version, LIMIT + 1, MARK)):
        at = texts.changed(change).text
        twin = suite.valid_edit(texts.id(label), texts.twin,
                                change_between(suite.bytes[texts.twin], at), [clause, "1.4.2"],
                                "As deep as the limit.", provenance="hand", options=options)
        text, offset, pointer = place_of(texts.changed(above), None)
        suite.invalid(texts.id(label + "-above"), twin, change_between(at, text), "EP_LIMIT_DEPTH",
                      (offset, pointer), "One level more.", provenance="hand", also=[clause])
    for label, change, clause in texts_of(version, ACCEPTED):
        texts.good(label + "-256", change, [clause, "1.4.2"], "Every decoder goes so deep.",
                   flags=["large"])


def specs(suite):
    """Of a tree spec, levels come in pairs."""
    texts = Texts(suite, "8.20", "depth")
    options = {"limits": {"depth": LIMIT - 1}}
    at = texts.changed(texts.in_spec(nested_spec(LIMIT - 1, ""))).text
    twin = suite.valid_edit(texts.id("treespec"), texts.twin,
                            change_between(suite.bytes[texts.twin], at), ["4.2.1", "1.4.2"],
                            "As deep as the limit.", provenance="hand", options=options)
    text, offset, pointer = place_of(texts.changed(texts.in_spec(nested_spec(LIMIT + 1, MARK))),
                                     None)
    suite.invalid(texts.id("treespec-above"), twin, change_between(at, text), "EP_LIMIT_DEPTH",
                  (offset, pointer), "One node more.", provenance="hand", also=["4.2.1"])


def keys(suite):
    """A key of range_constraints is a text too. One that is too deep may be an expression:
    whatever else is wrong is told before it."""
    texts = Texts(suite, "8.20", "depth")
    options = {"limits": {"depth": LIMIT}}

    def key(levels, low=2):
        name = "(" * levels + "s0" + ")" * levels

        def change(data):
            data["header"]["range_constraints"][name] = {"min_val": low, "max_val": 9}
        return name, change
    at = texts.changed(key(LIMIT)[1]).text
    twin = suite.valid_edit(texts.id("range-key"), texts.twin,
                            change_between(suite.bytes[texts.twin], at), ["5.4.12", "1.4.2"],
                            "As deep as the limit.", provenance="hand", options=options)
    name, change = key(LIMIT + 1)
    text, offset, pointer = place_of(texts.changed(change), ("range_constraints", name))
    suite.invalid(texts.id("range-key-above"), twin, change_between(at, text), "EP_LIMIT_DEPTH",
                  (offset, pointer), "One level more.", provenance="hand", also=["5.4.12"])
    name, change = key(LIMIT + 1, 10)
    text, offset, pointer = place_of(texts.changed(change), "range_constraints/" + name)
    suite.invalid(texts.id("range-key-above-range"), twin, change_between(at, text), "EP_RANGE",
                  (offset, pointer), "Its range is wrong, whatever the key is.", provenance="hand",
                  also=["1.5.1", "1.4.2"])


def vectors(suite):
    keys(suite)
    limits(suite, "7.3")
    limits(suite, "8.20")
    specs(suite)
