"""Canonical forms: which nodes may change places (SPEC 6.3).  A row is a program
whose nodes do not use each other's values, and another order of them; either
both are one program, or each is its own.
"""

from generate.canon.forms import (LATEST, SHOWN, Forms, argument, body, numbered, op, program,
                                  reordered, subgraph)
from generate.whole import buffer, call, meta, sym_int, tensor, tensors

NEW = ("8.18", LATEST)


def relu(one, output):
    return op("aten.relu.default", output, self=one)


def neg(one, output):
    return op("aten.neg.default", output, self=one)


def clone(one, output):
    return op("aten.clone.default", output, self=one)


def write(one, output):
    """In place."""
    return op("aten.add_.Scalar", output, self=one, other=1)


def view(one, output):
    return op("aten.view.default", output, ("self", one), ("size", {"as_ints": [3, 2]}))


def own(one, output):
    """An operator that nobody knows."""
    return op("mylib.f.default", output, x=one)


def rand(output):
    return op("aten.rand.default", output, ("size", {"as_ints": [2, 3]}))


def uniform(one, output):
    return op("aten._no_grad_uniform_.default", output, ("tensor", argument(one)), (
        "a", {"as_float": 0.0}), ("b", {"as_float": 1.0}))


def mode(value):
    return op("torch._C._set_grad_enabled", "", ("", {"as_bool": value}))


def grad(value):
    return op("aten.set_grad_enabled.default", "", ("val", {"as_bool": value}))


def cond(target, output, pred="b", operand="x", write_to=None):
    inner = "v0"
    nodes = [op(target, "v1", self="v0")]
    if write_to:
        nodes[0]["inputs"] += write_to
    return [call("higher_order.cond", [
        ("", tensor(pred)), ("", subgraph("g0", inner, nodes, "v1")),
        ("", subgraph("g1", inner, [neg("v0", "v1")], "v1")), ("", tensors(operand))],
        tensors(output))]


# label, versions, inputs, nodes, the other order, outputs, free, clause, why
ROWS = (
    # 6.3.1: classes
    ("pure", SHOWN, "x", [relu("x", "a"), neg("x", "b")], (1, 0), "a b", True, "6.3.1",
     "Two that only read."),
    ("mode-function", NEW, "x", [relu("x", "a"), mode(False)], (1, 0), "a", False, "6.3.1",
     "What stands behind a mode is another thing."),
    ("mode-overload", ("8.2", LATEST), "x", [relu("x", "a"), grad(False)], (1, 0), "a", False,
     "6.3.1", "The same, as an overload."),
    ("mode-two", NEW, "x", [mode(False), mode(True), relu("x", "a")], (1, 0, 2), "a", False,
     "6.3.3", "Two modes: the last one counts."),
    ("mode-function-known", NEW, "x", [
        op("_operator.add", sym_int("n"), a=1, b=2), mode(False), relu("x", "a"),
        op("aten.select.int", "c", ("self", "a"), ("dim", {"as_int": 0}),
           ("index", sym_int("n")))], (1, 2, 0, 3), "c", False, "6.3.4",
     "Functions read the mode, too."),
    ("function", SHOWN, "x", [
        write("x", "a"), op("_operator.add", sym_int("n"), a=1, b=2),
        op("aten.select.int", "c", ("self", "a"), ("dim", {"as_int": 0}),
           ("index", sym_int("n")))], (1, 0, 2), "c", True, "6.3.1",
     "A function of numbers touches no tensor."),
    ("function-random", SHOWN, "", [
        rand("a"), op("_operator.add", sym_int("n"), a=1, b=2),
        op("aten.select.int", "c", ("self", "a"), ("dim", {"as_int": 0}),
           ("index", sym_int("n"))), rand("b")], (1, 0, 3, 2), "c b", True, "6.3.1",
     "Nor draws it a random number."),
    ("unknown", SHOWN, "x y", [own("x", "a"), own("y", "b")], (1, 0), "a b", False, "6.3.1",
     "Two that nobody knows."),
    ("unknown-known", SHOWN, "x", [clone("x", "c"), own("x", "a"), relu("c", "b")], (0, 2, 1),
     "a b", True, "6.3.3", "What an unknown one does not touch."),
    ("unknown-random", SHOWN, "x", [own("x", "a"), rand("b")], (1, 0), "a b", False, "6.3.3",
     "It may draw a random number."),
    ("unknown-reads", SHOWN, "x", [own("x", "a"), relu("x", "b")], (1, 0), "a b", False, "6.3.3",
     "It may write what it is given."),
    ("print", ("8.2", LATEST, "7.3"), "x", [
        relu("x", "c"), op("aten._print.default", "", ("s", {"as_string": "a"})),
        op("aten._print.default", "", ("s", {"as_string": "b"}))], (0, 2, 1), "c",
     False, "6.3.1", "Returns nothing, writes nothing, is not listed: what it does is an effect."),
    ("check", SHOWN, "x b", [
        op("aten._assert_async.default", "", self="b"), rand("a")], (1, 0), "a", True, "6.3.1",
     "Listed as CHECK: it only looks."),
    ("check-two", ("8.2", LATEST, "7.3"), "x b", [
        op("aten._assert_async.default", "", self="b"),
        op("aten._assert_async.msg", "", ("self", argument("b")), (
            "assert_msg", {"as_string": ""})), relu("x", "c")], (2, 1, 0), "c", True, "6.4.3",
     "Two of them, in whatever order."),
    ("ordered", SHOWN, "x", [
        clone("x", "c"), uniform("c", "a"), clone("x", "d"), uniform("d", "e")], (0, 2, 3, 1),
     "a e", False, "6.3.1", "Listed as ORDERED: a random number, without the tag for it."),
    ("random", SHOWN, "", [
        op("aten.rand.default", "a", ("size", {"as_ints": [2, 3]})),
        op("aten.randn.default", "b", ("size", {"as_ints": [2, 3]}))], (1, 0), "a b", False,
     "6.3.3", "Two random numbers."),
    ("random-pure", SHOWN, "x", [rand("a"), relu("x", "b")], (1, 0), "a b", True, "6.3.3",
     "One random number, and what draws none."),
    ("prims", ("8.2", LATEST, "7.3"), "x", [
        op("prims.sin.default", "a", self="x"), op("prims.cos.default", "b", self="x")], (1, 0),
     "a b", True, "6.3.1", "prims are known, too."),
    # 6.3.1: quiet
    ("quiet", ("4.2", "7.3", LATEST), "b x", cond("aten.relu.default", "r") + [rand("a")], (1, 0),
     "r a", True, "6.3.1", "Branches that only read, and a random number."),
    ("quiet-read", ("4.2", "7.3", LATEST), "b x", cond("aten.relu.default", "r") + [
        write("x", "a")], (1, 0), "r a", False, "6.3.4", "It reads what another one writes."),
    ("quiet-random", ("4.2", "7.3", LATEST), "b x", cond("aten.rand_like.default", "r") + [
        rand("a")], (1, 0), "r a", False, "6.3.1", "A branch that draws a random number."),
    ("quiet-writes", ("4.2", "7.3", LATEST), "b x y", cond("aten.relu_.default", "r") + [
        own("y", "a")], (1, 0), "r a", False, "6.3.1", "A branch that writes: it is unknown."),
    ("other-operator", ("7.3", LATEST), "x", [
        call("higher_order.wrap", [("", body()), ("", tensor("x"))], tensors("r")),
        rand("a")], (1, 0), "r a", False, "6.3.1",
     "A higher-order operator that is not listed is unknown, whatever its graph does."),
    # 6.3.2: sharing
    ("inputs", SHOWN, "x y", [write("x", "a"), relu("y", "b")], (1, 0), "a b", False, "6.3.2",
     "A caller may pass one tensor twice."),
    ("fresh", SHOWN, "x", [
        clone("x", "c"), write("c", "a"), relu("x", "b")], (0, 2, 1), "a b", True, "6.3.2",
     "A copy has memory of its own."),
    ("fresh-two", SHOWN, "x", [
        clone("x", "c"), write("c", "a"), clone("x", "d"), write("d", "b")], (2, 0, 3, 1),
     "a b", True, "6.3.2", "Two copies, each written."),
    ("view", SHOWN, "x", [
        clone("x", "c"), view("c", "d"), write("c", "a"), relu("d", "b")], (0, 1, 3, 2), "a b",
     False, "6.3.2", "A view of what is written."),
    ("view-written", SHOWN, "x", [
        clone("x", "c"), view("c", "d"), write("d", "a"), relu("c", "b")], (0, 1, 3, 2), "a b",
     False, "6.3.2", "A view is written."),
    ("views", SHOWN, "x", [
        clone("x", "c"), view("c", "d"), view("c", "e"), write("d", "a"), relu("e", "b")],
     (0, 1, 2, 4, 3), "a b", False, "6.3.2", "Two views of one."),
    ("views-of-views", SHOWN, "x", [
        clone("x", "c"), view("c", "d"), view("d", "e"), write("e", "a"), relu("c", "b")],
     (0, 1, 2, 4, 3), "a b", False, "6.3.2", "A view of a view."),
    ("views-input", SHOWN, "x", [
        view("x", "d"), write("d", "a"), relu("x", "b")], (0, 2, 1), "a b", False, "6.3.2",
     "A view of an input is written."),
    ("view-later", SHOWN, "x", [
        clone("x", "c"), write("c", "a"), relu("c", "b")], (0, 2, 1), "a b", False, "6.3.4",
     "Read behind the write, or before it."),
    ("split", SHOWN, "x", [
        clone("x", "c"), op("aten.split.Tensor", argument(["d", "e"]), self="c", split_size=1),
        write("d", "a"), relu("e", "b")], (0, 1, 3, 2), "a b", False, "6.3.2",
     "Parts of one are one group."),
    ("reshape", SHOWN, "x", [
        clone("x", "c"), op("aten.reshape.default", "d", ("self", argument("c")), (
            "shape", {"as_ints": [3, 2]})), write("d", "a"), relu("c", "b")], (0, 1, 3, 2), "a b",
     False, "6.3.2", "It may return a view."),
    ("aliases", SHOWN, "x", [
        clone("x", "c"), op("aten.atleast_1d.default", "d", self="c"), write("d", "a"),
        relu("c", "b")], (0, 1, 3, 2), "a b", False, "6.3.2",
     "Listed as ALIASES: no alias set says so."),
    ("aliases-reads", SHOWN, "x y", [
        clone("y", "e"), write("e", "a"), clone("x", "c"),
        op("aten.atleast_1d.default", "d", self="c"), relu("d", "b")], (2, 3, 4, 0, 1), "a b",
     True, "6.3.3",
     "It does not write."),
    ("unknown-returns", SHOWN, "x", [
        clone("x", "c"), own("c", "d"), write("d", "a"), relu("c", "b")], (0, 1, 3, 2), "a b",
     False, "6.3.2", "What an unknown one returns may be what it is given."),
    ("quiet-returns", ("4.2", "7.3", LATEST), "b x", [clone("x", "c")] + cond(
        "aten.relu.default", "d", operand="c") + [write("d", "a"), relu("c", "e")],
     (0, 1, 3, 2), "a e", False, "6.3.2", "So it is with a quiet one."),
    # 6.3.3: writing
    ("write-other", SHOWN, "x y", [
        clone("x", "c"), clone("x", "d"), op("aten.add_.Tensor", "a", self="c", other="d"),
        relu("d", "b")], (0, 1, 3, 2), "a b", True, "6.3.3", "The other argument is only read."),
    ("out", SHOWN, "x", [
        clone("x", "c"), op("aten.neg.out", "a", self="x", out="c"), relu("c", "b")], (0, 2, 1),
     "a b", False, "6.3.3", "out is written."),
    ("out-self", SHOWN, "x", [
        clone("x", "d"), clone("x", "c"), op("aten.neg.out", "a", self="d", out="c"),
        relu("d", "b")], (1, 0, 3, 2), "a b", True, "6.3.3", "self is not."),
    ("list", SHOWN, "x", [
        clone("x", "d"), clone("x", "c"), op("aten._foreach_neg_.default", "", (
            "self", argument(["c", "d"]))), relu("d", "b")], (0, 3, 1, 2), "b c", False, "6.3.3",
     "Every tensor of a list."),
    ("batch-norm", SHOWN, "x", [
        clone("x", "m"), clone("x", "v"),
        op("aten.native_batch_norm.default", "a s t", ("input", argument("x")), (
            "weight", {"as_none": True}), ("bias", {"as_none": True}), ("running_mean", argument(
                "m")), ("running_var", argument("v")), ("training", {"as_bool": True}), (
                    "momentum", {"as_float": 0.5}), ("eps", {"as_float": 0.5})),
        relu("m", "b")], (0, 1, 3, 2), "a b", False, "6.3.3",
     "Listed as WRITES: it keeps statistics."),
    ("buffer", SHOWN, "buffer x", [write("s", "a"), relu("s", "b")], (1, 0), "a b", False,
     "6.3.2", "A buffer is an input."),
    ("outputs", SHOWN, "x", [
        op("aten.sort.default", "c d", self="x"), write("c", "a"), relu("d", "b")], (0, 2, 1),
     "a b", True, "6.3.2", "Two outputs of a known operator whose signature has no alias sets."),
    ("outputs-last", SHOWN, "x", [
        op("aten.sort.default", "c d", self="x"), write("d", "a"), relu("c", "b")], (0, 2, 1),
     "a b", True, "6.3.2", "The other one is written."),
    ("outputs-many", SHOWN, "x", [
        op("aten.var_mean.default", "c d", self="x"), write("c", "a"), relu("d", "b"),
        op("aten.frexp.Tensor", "e f", self="x"), write("f", "g"), relu("e", "h")],
     (3, 5, 0, 2, 4, 1), "a b g h", True, "6.3.2",
     "Outputs of two."),
    ("outputs-list", SHOWN, "x", [
        op("aten.unsafe_split_with_sizes.default", argument(["d", "e"]), ("self", argument("x")), (
            "split_sizes", {"as_ints": [1, 1]})), write("d", "a"), relu("e", "b")], (0, 2, 1),
     "a b", False, "6.3.2", "One of ALIASES joins its outputs."),
    ("ordered-seed", SHOWN, "x", [
        op("aten.seed.default", sym_int("n"), ("self", {"as_none": True})), rand("b")], (1, 0),
     "b", False, "6.3.1", "Listed as ORDERED; of the type of its argument nothing is known."),
    ("ordered-initial-seed", SHOWN, "x", [
        op("aten.initial_seed.default", sym_int("n"), ("self", {"as_none": True})), rand("b")],
     (1, 0), "b", False, "6.3.1", "Another one of these."),
)


def source(inputs, nodes, outputs):
    takes = [buffer("s", "s") if each == "buffer" else each for each in inputs.split()]
    tables = {"tensor_values": {}}
    for name in inputs.split():
        if name == "b":
            tables["tensor_values"]["b"] = meta(dtype=12)
    symbolic = [output["as_sym_int"]["as_name"] for node in nodes for output in node["outputs"]
                if "as_sym_int" in output]
    if symbolic:
        tables["sym_int_values"] = {name: 3 for name in symbolic}
    return program(takes, nodes, outputs, {"verifiers": [], "dialect": ""}, **tables)


def rows(to, table=ROWS):
    for i, row in enumerate(table):
        label, versions, inputs, nodes, order, outputs, free, clause, why = row
        draft = source(inputs, nodes, outputs)
        turned = reordered(draft, *order)
        clauses = [clause, "6.3.5", "6.4.3"]
        older = [version for version in versions if version != LATEST]
        for version in (LATEST, older[i % len(older)]):
            form = to.form("order-" + label, version, numbered(draft), clauses, why)
            if free:
                to.case(form, "turned", numbered(turned), clauses + ["6.3.6"],
                        why + " The other order is the same.")
            else:
                to.form("order-%s-turned" % label, version, numbered(turned), clauses,
                        why + " The other order is another program.", different_from=form)


def vectors(suite):
    rows(Forms(suite))
