"""Canonical forms of programs in which a write alone, a dead node or an order is what counts;
of symbols that no size names; and of what only the first versions can say.
"""

import itertools
import re

from generate.canon.effects import NEW, clone, cond, neg, own, rand, relu, rows, write
from generate.canon.forms import LATEST, SHOWN, Forms, argument, numbered, op, program, text_of
from generate.canon.symbols import sized
from generate.whole import call, graph, meta, tensor, tensors

# ---- 6.3: effects -------------------------------------------------------------------------


def foreach(*values):
    """In place, and of no result."""
    return op("aten._foreach_add_.Scalar", "", ("self", argument(list(values))), ("scalar", 1))


def ones(output):
    return op("aten.ones.default", output, ("size", {"as_ints": [2, 3]}))


def escaping(one):
    """A function that sets a mode, and is given a tensor."""
    return op("torch._functorch.predispatch._remove_batch_dim", "", ("", argument(one)),
              ("", {"as_int": 1}), ("", {"as_int": 2}), ("", {"as_int": 0}))


ROWS = (  # as those of effects.py
    ("extension", SHOWN, "x", [op("#mylib:f", "a", x="x"), rand("b")], (1, 0), "a b", False, "6.3.1",
     "Of an extension nothing is known."),
    ("extension-dead", SHOWN, "x", [rand("b"), op("#mylib:f", "a", x="x")], (1, 0), "b", False,
     "6.3.1", "Nothing uses what it returns, and it may do anything."),
    ("inputs-no-values", SHOWN, "x y", [foreach("x"), foreach("y")], (1, 0), "x y", False, "6.3.2",
     "No node defines anything; the inputs may share memory."),
    ("inputs-last", SHOWN, "x y z", [foreach("z"), foreach("x")], (1, 0), "x y z", False, "6.3.2",
     "The last of the inputs, and the first."),
    ("no-result", SHOWN, "x", [clone("x", "c"), foreach("c"), rand("b")], (2, 0, 1), "b", True,
     "6.3.1", "It returns nothing and writes what nobody sees: it is known, and draws nothing."),
    ("no-result-read", SHOWN, "x", [clone("x", "c"), foreach("c"), relu("c", "b")], (0, 2, 1), "b",
     False, "6.3.3", "It returns nothing, and what it writes is read."),
    ("no-result-input", SHOWN, "x", [foreach("x"), relu("x", "b")], (1, 0), "b", False, "6.3.3",
     "It returns nothing, and writes an input."),
    ("dead-before-writer", SHOWN, "x", [op("aten.aminmax.default", "a e", self="x"), neg("e", "d"),
                                        write("a", "c")], (0, 2, 1), "a", True, "6.4.1",
     "The node that is found last defines what another writes, which makes that one live."),
    ("dead-before-out", SHOWN, "x", [
        op("aten.aminmax.default", "a e", self="x"), neg("e", "d"),
        op("aten.add.out", "c", self="x", other="x", out="a")], (0, 2, 1), "a", True, "6.4.1",
     "The same of a writer that takes others first."),
    ("mode-takes", NEW, "x", [neg("x", "a"), relu("x", "b"), own("b", ""), escaping("a")],
     (1, 0, 2, 3), "x", True, "6.4.1", "What sets a mode is looked at before what is unknown."),
)


def found(to):
    """Programs of which the order follows from the rules alone."""
    view = (("t", "x", "aten.tan.default"), ("s", "y", "aten.abs.default"))
    dead = [cond(target, "%s1" % name, "b", operand)[0] for name, operand, target in view]
    for i, each in enumerate(dead[0]["inputs"][1:3]):  # the first has the greater names
        each["arg"]["as_graph"]["name"] = "h%d" % i
    table = {"tensor_values": {"b": meta(dtype=12)}}
    written = [ones("a"), write("a", "b"), ones("c"), rand("r")]
    lonely = [ones("a"), write("a", "b"), rand("r")]
    cases = (
        ("dead-written", "", [written, [written[i] for i in (3, 0, 1, 2)]], "r", {}, "6.4.4",
         "Two that say the same, of which one is written: they stay two."),
        ("dead-written-last", "", [[written[i] for i in (2, 0, 1, 3)]], "r", {}, "6.4.4",
         "The same in another order."),
        ("dead-writer", "", [lonely, [lonely[i] for i in (2, 0, 1)], [lonely[i] for i in (0, 2, 1)]],
         "r", {}, "6.4.1", "A graph without inputs; the first value is written, and nobody sees it."),
        ("dead-subgraphs", "b x y", [[*dead, relu("x", "r")], [*dead[::-1], relu("x", "r")]], "r",
         table, "6.4.4", "Subgraphs are no part of the text of a dead node."),
    )
    for label, inputs, orders, outputs, tables, clause, why in cases:
        drafts = [numbered(program(inputs, nodes, outputs, {"verifiers": [], "dialect": ""}, **tables))
                  for nodes in orders]
        for version in (LATEST, "7.3"):
            to.found(label, version, drafts, [clause, "6.4.3"], why)


# ---- 6.7: symbols --------------------------------------------------------------------------


def symbols(to):
    """Symbols that have a name among others that have none yet, in every order."""
    limits = {"s%d" % i: (2 + i, 9) for i in range(4)}
    for function in ("Add", "Mul", "Max"):
        for count, first in ((3, 1), (4, 1), (4, 2)):
            used = ["{s%d}" % i for i in range(count)]
            texts = ["%s(%s)" % (function, ", ".join(order)) for order in
                     itertools.permutations(used)]
            drafts = [sized(LATEST, [*used[:first], text],
                            {name: limits[name] for name in list(limits)[:count]})
                      for text in texts]
            to.found("symbols-named-%s-%d-%d" % (function.lower(), first, count), LATEST, drafts,
                     ["6.7.2", "6.7.4"], "Names before colours, in every order of them.")
    parts = ["Mod({s%d}, Integer(%d))" % each for each in ((0, 5), (1, 3), (2, 4))]
    drafts = [sized(LATEST, ["{s0}", "Add(%s)" % ", ".join(order)],
                    {name: limits[name] for name in list(limits)[:3]})
              for order in itertools.permutations(parts)]
    to.found("symbols-named-inside", LATEST, drafts, ["6.7.2", "6.7.4"],
             "A name before a colour, whatever stands behind it.")
    pairs = (("real", "Symbol('zuf0')", "Symbol('zuf1', real=True)", "floor(Add(%s, %s))"),
             ("real-integer", "Symbol('u0', integer=True)", "Symbol('u1', integer=True, real=True)",
              "Add(%s, %s)"),
             ("integer", "Symbol('x0')", "Symbol('x1', integer=True)", "floor(Add(%s, %s))"),
             ("positive", "Symbol('s0', integer=True)",
              "Symbol('s1', positive=True, integer=True)", "Add(%s, %s)"))
    for label, one, other, text in pairs:
        names = re.findall("'(\\w+)'", one + other)
        drafts = [sized(LATEST, [text % each, 3], {name: (None, None) for name in names})
                  for each in ((one, other), (other, one))]
        to.found("symbols-assumed-" + label, LATEST, drafts, ["6.7.3"],
                 "Two symbols that one assumption tells apart.")


# ---- 6.1.3: what is rewritten ------------------------------------------------------------------


class Rewritten:
    """Programs of versions that say what 8.20 cannot."""

    def __init__(self, to):
        self.to = to

    def same(self, label, version, draft, latest, clause, why):
        """latest: another file of the program, as 8.20 would say it."""
        self.put(label, self.to.suite.oracle(text_of(LATEST, latest)))
        self.of(label, version, draft, clause, why)

    def put(self, label, form):
        """A form that is said by hand: it is not always a valid document."""
        name = "rewritten-" + label
        self.to.forms[name] = form, self.to.suite.spelled(form, "canon/%s-form.json" % name)

    def of(self, label, version, draft, clause, why):
        self.to.other("rewritten-" + label, "form", version, text_of(version, draft),
                      ["6.1.1", "6.1.3", clause], why)


def trees(on):
    """A tree beside what is no expression."""
    for label, text in (("call", "f(s0)"), ("empty", ""), ("words", "no expression")):
        one = {"as_expr": {"expr_str": text, "expr_ast": {
            "args": [], "target": None, "base": {"as_symbol": "s0"}}}}
        on.put("tree-" + label, text_of(LATEST, sized(
            LATEST, [{"as_expr": {"expr_str": text}}, 3], {})))
        on.of("tree-" + label, "8.2-ast", sized("8.2-ast", [one, 3], {}), "6.7.5",
              "The tree is left out, and the text stays as it is.")
    one = {"as_expr": {"expr_str": "True", "expr_ast": {
        "args": [], "target": None, "base": {"as_symbol": "s0"}}}}
    on.put("tree-sort", text_of(LATEST, sized(LATEST, [{"as_expr": {"expr_str": "true"}}, 3], {})))
    on.of("tree-sort", "8.2-ast", sized("8.2-ast", [one, 3], {}), "6.7.5",
          "The tree is left out; the text is an expression, of another sort than its place has.")


def objects(on):
    """Objects that a subgraph of the first version takes, beside a tensor."""
    def draft(*objects_of):
        inputs = [{"as_custom_obj": each} for each in objects_of]
        made = graph([inputs[0], tensor("v0"), *inputs[1:]], [relu("v0", "v1")], [tensor("v1")],
                     tensor_values={"v0": meta(2, 3), "v1": meta(2, 3)})
        return program("v0", [call("mylib.f.default", {
            "g": {"as_graph": {"name": "g0", "graph": made}}, "x": tensor("v0")}, tensor("v1"))], "v1")
    for label, blobs in (("one", ["AAEC"]), ("two", ["AAEC", "AAED"])):
        said = [{"name": "", "class_fqn": each} for each in blobs]
        on.put("blob-input-" + label, text_of(LATEST, draft(*said)))
        on.of("blob-input-" + label, "1", draft(*[{"blob": each} for each in blobs]), "6.6.1",
              "An object without a name among the inputs of a subgraph.")


def constants(on):
    """A tensor inside of a subgraph, which the tables list."""
    def draft(inner):
        values = {"v": meta(2, 3), "w": meta(2, 3)}
        if inner:
            values["c"] = meta(2, 3)
        made = graph([tensor("v")], [op("aten.add.Tensor", "w", self="v", other="c")],
                     [tensor("w")], tensor_values=values, **inner)
        other = graph([tensor("v")], [relu("v", "w")], [tensor("w")], tensor_values={
            "v": meta(2, 3), "w": meta(2, 3)})
        node = call("higher_order.cond", [("", tensor("b"))] + [
            ("", {"as_graph": {"name": "g%d" % i, "graph": each}})
            for i, each in enumerate((made, other))] + [("", tensors("x"))], tensors("r"))
        return program("b x", [node], "r", tensor_values={"b": meta(dtype=12)})
    on.same("constants-inside", "1", draft({"constants": {"c": "AAEC"}}), draft({}),
            "6.6.1", "A tensor of a subgraph is a constant beside the program.")


def operators(on):
    """What a release says of an operator that the others say otherwise."""
    scaled = call("aten._scaled_mm.out", {"self": tensor("x"), "mat2": tensor("x"), "out": tensor(
        "c"), "out_amax": tensor("d")}, [tensor("a"), tensor("b")])
    nodes = [clone("x", "c"), clone("x", "d"), scaled, relu("d", "e")]
    for label, order in (("behind", (0, 1, 2, 3)), ("before", (0, 1, 3, 2))):
        draft = program("x", [nodes[i] for i in order], "a e")
        on.same("operator-writes-" + label, "1", draft, numbered(draft), "6.3.3",
                "An argument that 2.1 alone says is written.")


def paths(on):
    """An operator under a path that is of no version any more."""
    def node(target):
        return call(target, [("", {"as_bool": False}), ("", {"as_graph": {
            "name": "g0", "graph": graph([tensor("v")], [relu("v", "w")], [tensor("w")],
                                         tensor_values={"v": meta(2, 3), "w": meta(2, 3)})}}),
            ("", tensor("x"))], tensors("d"))
    old = "torch._higher_order_ops.wrap.wrap_with_set_grad_enabled"
    for order in ((0, 1, 2), (1, 0, 2), (2, 1, 0)):
        for version in ("2.1", "5.1", "7.2"):
            nodes = [node(old), rand("r"), relu("x", "y")]
            draft = program("x", [nodes[i] for i in order], "r y")
            latest = program("x", [[node("higher_order.wrap_with_set_grad_enabled"),
                                    *nodes[1:]][i] for i in order], "r y")
            on.same("path-%s-%s" % ("".join(map(str, order)), version), version, draft, latest,
                    "6.3.1", "It is quiet under whatever path.")


def vectors(suite):
    to = Forms(suite)
    rows(to, ROWS)
    found(to)
    symbols(to)
    on = Rewritten(to)
    for part in (trees, objects, constants, operators, paths):
        part(on)
