"""Rules of whole programs in the oldest version, and inside dicts of arguments.
conformance/scripts/mutate found that they were missing.
"""


from generate.rules import modules, names, operators, types
from format.annexes import rows
from format.history import ORDER, before
from generate.language.texts import Texts
from generate.whole import LEAF, Whole, arguments, tree, treespec

OLDEST = "1-2023-08"


def oldest(suite):
    """What holds from the first version on holds there."""
    there = names.Names(suite, OLDEST)
    for each in (names.twice, names.undefined, names.early, names.unlisted, names.listed,
                 names.kinds, names.arguments, names.results, names.valid):
        each(there)
    there = types.Types(suite, OLDEST)
    for each in (types.kinds, types.keys, types.hint_ranges, types.sizes, types.hints,
                 types.symbols):
        each(there)
    there = modules.Modules(suite, OLDEST)
    for each in (modules.roots, modules.module_arguments, modules.specs):
        each(there)
    there = operators.Operators(suite, OLDEST)
    for each in (operators.arguments, operators.types):
        each(there)


def nested(suite):
    """Arguments in a dict of arguments, and in a dict in that."""
    there = names.Names(suite, "8.20")
    for label, argument, code in (("dtype", {"as_scalar_type": 0}, "EP_DTYPE"),
                                  ("layout", {"as_layout": 0}, "EP_LAYOUT"),
                                  ("memory-format", {"as_memory_format": 0}, "EP_MEMORY_FORMAT")):
        inside = {"as_string_to_argument": {"j": {"as_int": 1}, "k": argument}}
        there.use("in-dict-" + label, inside, "as_string_to_argument/k", "In a dict.", code)
        there.use("in-dicts-" + label, {"as_string_to_argument": {"d": inside}},
                  "as_string_to_argument/d/as_string_to_argument/k", "In a dict in a dict.", code)


def shapes(suite):
    """Calls whose in_spec only looks like one of arguments and keywords: the names
    are not judged."""
    some = tree("builtins.tuple", "null", [LEAF])
    keys = tree("builtins.dict", '["k"]', [LEAF])
    none = tree("builtins.tuple", "null", [])
    for version in ("8.2", "8.20"):
        draft = modules.base()
        draft.data["root"].update(in_spec=arguments(1, "k"), forward_arg_names=["x", "k"])
        whole = Whole(suite, "module/names", draft, version, "5.5.7", "Two arguments by name.")
        for label, root, why in (
                ("list", tree("builtins.list", "null", [some, keys]), "A list."),
                ("three", tree("builtins.tuple", "null", [some, keys, none]), "Three."),
                ("first", tree("builtins.tuple", "null", [
                    tree("builtins.list", "null", [LEAF]), keys]), "A list of arguments."),
                ("turned", tree("builtins.tuple", "null", [keys, some]), "Keywords first.")):
            def change(data, root=root):
                data["root"].update(in_spec=treespec(root), forward_arg_names=["x"])
            whole.good("names-shape-" + label, change, "5.5.7", why)


# ---- targets ------------------------------------------------------------------------

def last_of(row):
    """The last version that a row holds in."""
    return before(row["until"]).name if row["until"] else ORDER[-1]


def targets(suite):
    """Every higher-order operator, and every function that takes anything, in the
    last version that has it; and the versions that begin and end it."""
    for row in rows("targets"):
        if not row["target"].startswith("torch.ops.higher_order."):
            continue
        texts = Texts(suite, last_of(row), "target")

        def change(data, target=row["target"]):
            data["graph"]["nodes"][3]["inputs"][0]["arg"] = {"as_operator": target}
        texts.good("lasts-" + row["target"].split(".")[-1], change, "4.5.2", "As an argument.")
    for row in rows("targets"):
        if row["kind"] != "unnamed":
            continue
        target, name = row["target"], row["target"].split(".")[-1]
        for label, version in (("first", row["since"]), ("last", last_of(row))):
            texts = Texts(suite, version, "target")
            texts.good("%s-%s" % (label, name), texts.node(3, "target", target), "4.5.2",
                       "It takes anything.")
        texts = Texts(suite, before(row["since"]).name, "target")
        texts.bad("early-" + name, texts.node(3, "target", "`" + target), "EP_TARGET_UNKNOWN",
                  None, "From %s on." % row["since"])


def vectors(suite):
    targets(suite)
    shapes(suite)
    oldest(suite)
    nested(suite)
