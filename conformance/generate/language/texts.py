"""The program that the vectors of the strings level are made from: every string
with a language of its own stands in it once, and may be changed alone.
"""

import json

from format.document import Foreign
from format.history import ORDER, VERSIONS
from generate.whole import (MARK, Draft, Whole, call, entry, leaves, meta, sym_bool, sym_float,
                            sym_int, tensor, user_input, user_output)

SREPR = "8.2"  # the first version of the srepr form
SYMBOLS = ("s0", "s1", "u0", "i0", "f0", "zf1", "zuf2", "x", "y_2", "_n")

S0 = "Symbol('s0', positive=True, integer=True)"
SPEC = leaves(2)
METADATA = (  # key, since, until, text
    ("nn_module_stack", None, "1-2023-12", "fn:(L['fn'],torch.nn.modules.linear.Linear)"),
    ("nn_module_stack", "2", None, "L__self__,,models.MLP;L__self___sub,sub,models.Sub@1"),
    ("source_fn", None, "1-2023-12", "add,_operator.add"),
    ("source_fn_stack", "2", None, "cond,cond;add_15,_operator.add"),
    ("torch_fn", "5.3", None, "relu_1;function.relu"),
    ("custom", "7.3", None, '{"a": 1}'),
    ("from_node", "8.17", None, '[{"name": "x", "target": "x", "graph_id": 140, "pass_name": "", '
                                '"action": "create", "from_node": []}]'),
)


def since(version, first):
    """Whether a version is not before another."""
    return ORDER.index(version) >= ORDER.index(first)


def within(version, first, last):
    """Whether a version has what holds from the first on and before the last."""
    return (first is None or since(version, first)) and (last is None or not since(version, last))


def is_srepr(version):
    return since(version, SREPR)


def has(version, kind, member):
    found = VERSIONS[version].types.get(kind)
    return found is not None and any(each.name == member for each in found.members)


def metadata_of(version):
    texts = {key: text for key, first, last, text in METADATA if within(version, first, last)}
    return {"stack_trace": "  File \"m.py\", line 1\n", **texts}


def draft(version):
    new = is_srepr(version)
    texts = Draft(header={"range_constraints": {name: {"min_val": 0, "max_val": 100}
                                                for name in SYMBOLS},
                          "guards_code": ["L['x'].size()[0] >= 2"]},
                  modules=[entry("sub", [tensor("x"), tensor("x")], [tensor("y"), tensor("y")],
                                 in_spec=SPEC)])
    texts.take(user_input(tensor("x"))).tensors(x=meta(2, 3), y=meta(2, 3))
    texts.node(call("aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}}, sym_int("n"),
                    metadata=metadata_of(version)),
               call("_operator.add", {"a": sym_int("n"), "b": {"as_int": 1}}, sym_int("m")),
               call("_operator.gt", {"a": sym_int("n"), "b": {"as_int": 2}}, sym_bool("flag")),
               call("mylib.nope.default", {"self": tensor("x")}, tensor("y")))
    texts.table("sym_int_values", n=S0 if new else "s0",
                m="Add(%s, Integer(1))" % S0 if new else "s0 + 1")
    bool_text = "StrictGreaterThan(%s, Integer(2))" % S0 if new else "s0 > 2"
    texts.table("sym_bool_values", flag={"as_expr": {"expr_str": bool_text}})
    if new:
        texts.node(call("torch.sym_float", {"a": sym_int("n")}, sym_float("f")))
        texts.table("sym_float_values", f="ToFloat(%s)" % S0)
    return texts.give(user_output(tensor("y")))


CLAUSES = ("4.1.1", "4.2.1", "4.2.2", "4.3.1", "4.5.1", "4.6.1")


class Texts(Whole):
    """That program, and what becomes of it when one text is another."""

    def __init__(self, suite, version, area, style=None):
        super().__init__(suite, "text/base", draft(version), version, CLAUSES,
                         "A text of each language.", style)
        self.area = area
        self.name = version

    def sorted_text(self, sort, text):
        """The change that puts an expression of a sort in."""
        table, name = {"int": ("sym_int_values", "m"), "float": ("sym_float_values", "f"),
                       "bool": ("sym_bool_values", "flag")}[sort]
        value = {"as_expr": {"expr_str": text}}

        def change(data):
            data["graph"][table][name] = value
        return change

    @staticmethod
    def in_spec(text):
        def change(data):
            data["modules"][0]["signature"]["in_spec"] = text
        return change

    @staticmethod
    def node(index, key, value):
        def change(data):
            data["graph"]["nodes"][index][key] = value
        return change

    @staticmethod
    def metadata(key, text):
        def change(data):
            data["graph"]["nodes"][0]["metadata"][key] = text
        return change

    @staticmethod
    def guard(text):
        def change(data):
            data["header"]["guards_code"] = [text]
        return change

    @staticmethod
    def device(text):
        def change(data):
            data["graph"]["tensor_values"]["x"]["device"]["type"] = text
        return change


# ---- other spellings of documents -------------------------------------------------

M = MARK
FOREIGN = (  # area, label, what is changed, how, code
    ("treespec", "second-key", "in_spec",
     SPEC.replace('"context": "null"', '"' + M + 'x": "null"', 1), "EP_TREESPEC"),
    ("treespec", "context", "in_spec", SPEC.replace('"null"', '"nul' + M + '"', 1),
     "EP_TREESPEC_CONTEXT"),
    ("treespec", "type", "in_spec", SPEC.replace('"builtins.tuple"', M + '"builtins.set"', 1),
     "EP_TREESPEC_TYPE"),
    ("metadata", "modules", "nn_module_stack", "\u00e9,p" + M, "EP_METADATA_MODULES"),
    ("metadata", "custom", "custom", '{"\u00e9": ' + M + "x}", "EP_METADATA_CUSTOM"),
    ("metadata", "from-node", "from_node", "[" + M + "1]", "EP_METADATA_FROM_NODE"),
    ("guard", "relation", "guard", "L['\u00e9'].size()[0]" + M + "<=2", "EP_GUARD"),
    ("target", "colons", "target", "aten" + M + "::relu", "EP_TARGET"),
)


class Escaped(Foreign):
    """Odd white space and order, and every character of a text as an escape."""

    label = "-respelled"

    def scalar(self, text):
        if not text.startswith('"'):
            return text
        return '"%s"' % "".join(letter if letter == MARK else escape_of(letter)
                                for letter in json.loads(text))


def escape_of(letter):
    units = letter.encode("utf-16-be")
    return "".join("\\u%02x%02x" % pair for pair in zip(units[::2], units[1::2]))


def vectors(suite):
    for style in (Foreign(), Escaped()):
        for area, label, what, text, code in FOREIGN:
            texts = Texts(suite, "8.20", area, style)
            change = {"in_spec": texts.in_spec, "guard": texts.guard,
                      "target": lambda said: texts.node(3, "target", said)}.get(
                          what, lambda said, key=what: texts.metadata(key, said))
            texts.bad("spelled-" + label, change(text), code, None, "In another spelling.")
