"""Programs that are built again, on both sides of where a builder does something else: each
version that writes a list of nothing, a tuple, an open end or a header in another way, sizes
of zero among symbols, and operands of every sign.
"""

import copy
import itertools

from format.history import VERSIONS
from generate.language.texts import is_srepr, since
from generate.products.builds import (ALL, LATEST, has, header, infinite, plain, positional, put,
                                      symbol, symbolic)
from generate.rules.subgraphs import cond
from generate.whole import (Draft, arguments, call, meta, parameter, spec, sym_bool, sym_int,
                            tensor, user_input, user_output)

S0, S1 = 8, 3  # the hints of the two symbols

# ---- lists of nothing -------------------------------------------------------------------

TYPED = "5.3"  # from here on a list of nothing has the tag of its type
EMPTY = ("as_ints", "as_floats", "as_bools", "as_strings", "as_tensors")


def empties(suite):
    for version in ALL:
        tags = EMPTY if since(version, TYPED) else ("as_bools",)
        for tag in tags:
            draft = plain(version).tensors(r=meta(2))
            draft.node(call("mylib.f.default", {"v": {tag: []}, "w": {tag: []}}, tensor("r")))
            put(suite, "edge-empty-" + tag[3:], version, draft, "Lists of nothing.", ["3.6.1"])


# ---- tuples -----------------------------------------------------------------------------

LISTED, SINGLE = "5.1", "8.5-a"  # the columns of 7.4.4 begin


def tuples(suite):
    """What an operator returns of its subgraphs: one tensor, or several, in a tuple."""
    for version in ALL:
        if not since(version, "2"):
            continue
        for count in (1, 2, 3):
            names = ["c%d" % i for i in range(count)]
            draft = Draft(header=header(version)).take(
                user_input(tensor("p")), user_input(tensor("x")), user_input(tensor("y")))
            draft.tensors(p=meta(dtype=12), **{name: meta(2) for name in ["x", "y", *names]})
            node = cond(version, 2, count)
            if since(version, SINGLE if count == 1 else LISTED):
                node["outputs"] = [tensor(name) for name in names]
            draft.node(node)
            put(suite, "edge-tuple-%d" % count, version,
                draft.give(*[user_output(tensor(name)) for name in names]),
                "A tuple that an operator returns of its subgraphs.", ["5.2.3", "7.4.4"])


# ---- ranges -------------------------------------------------------------------------------


def ranges(suite):
    """Closed and open ends in every version."""
    for version in ALL:
        opened = since(version, "8.1-a") or version not in ("1", "5.3")
        low = None if since(version, "8.1-a") else -infinite()
        high = None if since(version, "8.1-a") else infinite() if opened else (1 << 63) - 2
        ends = [("closed", -5, 7), ("open-high", -5, high), ("zero", 0, 0),
                ("least", -(1 << 63) + 1, 0), ("greatest", 0, (1 << 63) - 3)]
        ends += [("open-low", low, 7), ("open", low, high)] if opened else []
        for label, first, last in ends:
            draft = plain(version, range_constraints={"u0": {"min_val": first, "max_val": last}})
            draft.node(call("mylib.item.default", {"a": tensor("y")}, sym_int("u")))
            draft.table("sym_int_values", u=symbol(version, "u0", False))
            put(suite, "edge-range-" + label, version, draft, "An end of a range.", ["3.3.3"])


# ---- headers ------------------------------------------------------------------------------


def headers(suite):
    """The verifiers that a release names, and others, in every version."""
    for version in ALL:
        if version == "1":
            continue
        listed = has(version, "ExportedProgram", "verifiers")
        both = listed and has(version, "ExportedProgram", "dialect")
        rows = [("aten", ["ATEN"]), ("training", ["TRAINING"])]
        rows += [("both", ["ATEN", "TRAINING"]), ("turned", ["TRAINING", "ATEN"])] * listed
        for label, names in rows:
            put(suite, "edge-verifiers-" + label, version,
                plain(version, dialect="" if both else names[0], verifiers=names),
                "Its verifiers.", ["5.7.2"])


# ---- sizes of zero, and of symbols ----------------------------------------------------------


def times(version, number):
    """A number times the first symbol, and the hint."""
    if number == 1:
        return symbol(version), S0
    text = "Mul(Integer(%d), %s)" if is_srepr(version) else "%d*%s"
    return text % (number, symbol(version)), number * S0


def contiguous(version, sizes):
    """The strides of these sizes, of which one may be the symbol, None. Without: a product
    of more than two factors."""
    number, symbolic_too, strides = 1, False, []
    for size in reversed(sizes):
        strides.insert(0, times(version, number) if symbolic_too else number)
        if size is None:
            symbolic_too = True
        elif size > 1 and symbolic_too and number > 1:
            return None
        else:
            number *= max(size, 1)
    return strides


def shapes(suite):
    """Tensors of sizes 0, 1, 2 and a symbol, in each order."""
    for version in ("1", "2", "5.1", "5.3", "7.3", "8.2", "8.20"):
        for rank in (1, 2, 3, 4):
            values = {}
            for sizes in itertools.product((0, 1, 2, None), repeat=rank):
                strides = contiguous(version, sizes) if sizes.count(None) < 2 else None
                if strides is not None:
                    said = [(symbol(version), S0) if size is None else size for size in sizes]
                    values["t%d" % len(values)] = meta(*said, strides=strides)
            draft = symbolic(version).tensors(**values)
            draft.node(call("mylib.make.default", {"a": sym_int("n")},
                            [tensor(name) for name in values]))
            put(suite, "edge-shapes-%d" % rank, version, draft,
                "Contiguous tensors: a size of 0 counts as 1 in their strides.")


# ---- operands of every sign -----------------------------------------------------------------

NUMBERS = (1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 8, -8, 9, -9)


def operands(version):
    """(text, value): symbols, and these with a minus sign."""
    for name, value in (("s0", S0), ("s1", S1)):
        one = symbol(version, name)
        yield one, value
        yield ("Mul(Integer(-1), %s)" if is_srepr(version) else "-1*%s") % one, -value


def number(version, value):
    return "Integer(%d)" % value if is_srepr(version) else str(value)


def floordiv(version, one, other):
    if is_srepr(version):
        return "FloorDiv(%s, %s)" % (one, other)
    return "(%s//%s)" % tuple(each if each[0] == "s" or each.isdigit() else "(%s)" % each
                              for each in (one, other))


def function(name):
    return lambda version, one, other: "%s(%s, %s)" % (name, one, other)


OPERATIONS = (("division", floordiv, lambda a, b: a // b),
              ("modulo", function("Mod"), lambda a, b: a % b),
              ("maximum", function("Max"), max), ("minimum", function("Min"), min))


def signs(suite):
    """Both operands of each sign, with the hints that follow."""
    for version in ("2", "7.3", "8.2", "8.20"):
        for label, spelled, hint in OPERATIONS:
            draft, values = symbolic(version), {}
            rights = [(number(version, value), value) for value in NUMBERS]
            pairs = list(itertools.product(operands(version), rights + list(operands(version))))
            pairs += [(right, left) for left, right in itertools.product(operands(version), rights)]
            for (one, left), (other, right) in pairs:
                values["m%d" % len(values)] = (spelled(version, one, other), hint(left, right))
            draft.node(call("mylib.n.default", {"a": sym_int("n")},
                            [sym_int(name) for name in values]))
            draft.table("sym_int_values", **values)
            put(suite, "edge-signs-" + label, version, draft,
                "Operands of both signs, and what comes of them.", ["4.1.6"])


def relations(suite):
    """Numbers below and above zero in conditions and sums."""
    for version in ("2", "7.3", "8.2", "8.20"):
        draft, sums, conditions = symbolic(version), {}, {}
        one = symbol(version)
        for value in (-(1 << 62), -2, -1, 1, 2, 1 << 62):
            text = "Add(%s, Integer(%d))" % (one, value) if is_srepr(version) else (
                "%s %s %d" % (one, "-" if value < 0 else "+", abs(value)))
            sums["m%d" % len(sums)] = (text, S0 + value)
        for value in (-2, -1, 0, 1, 2):
            for infix, srepr in (("<", "StrictLessThan"), ("<=", "LessThan"),
                                 (">", "StrictGreaterThan"), (">=", "GreaterThan")):
                text = "%s(%s, Integer(%d))" % (srepr, one, value) if is_srepr(version) else (
                    "%s %s %d" % (one, infix, value))
                conditions["c%d" % len(conditions)] = text
        draft.node(call("mylib.n.default", {"a": sym_int("n")},
                        [sym_int(name) for name in sums] + [sym_bool(name) for name in conditions]))
        draft.table("sym_int_values", **sums).table("sym_bool_values", **conditions)
        put(suite, "edge-relations", version, copy.deepcopy(draft), "Numbers of both signs.",
            ["4.1.6"])


# ---- gradients ------------------------------------------------------------------------------


def lossless(suite):
    """Gradients without a loss, which versions before 8.1-a allow: an interface that has them as
    parts of a backward signature has none of that then."""
    kinds = (("parameter", "gradient_to_parameter", "parameter_name", "w"),
             ("input", "gradient_to_user_input", "user_input_name", "x"))
    for version in ALL:
        if not since(version, "2") or since(version, "8.1-a"):
            continue
        for label, some in (("parameter", kinds[:1]), ("input", kinds[1:]), ("both", kinds),
                            ("turned", kinds[::-1])):
            draft = Draft(header=header(version)).take(parameter("p", "w"), user_input(tensor("x")))
            names = ["g%d" % i for i in range(len(some))]
            draft.tensors(**{name: meta(2) for name in ["p", "x", "r", *names]})
            draft.node(call("mylib.f.default", {"a": tensor("x"), "b": tensor("p")},
                            [tensor(name) for name in ["r", *names]]))
            draft.give(user_output(tensor("r")), *[
                spec(tag, name, **{member: target})
                for name, (_, tag, member, target) in zip(names, some)])
            put(suite, "edge-gradients-without-loss-" + label, version, draft,
                "Gradients, and no loss.", ["5.3.10", "5.3.11"])


def first_version(suite):
    """The first version of all, which no release wrote."""
    put(suite, "plain", "1-2023-08", plain("1-2023-08"), "A program of the first version.",
        in_spec=positional(1))


# ---- calls, letters, the greatest size, depth --------------------------------------------------


def calls(suite):
    """Names of several arguments, and a root that lists what it takes, what it gives, or both."""
    for version in ("8.1-a", LATEST):
        draft = plain(version)
        for name in ("u", "v"):
            draft.take(user_input(tensor(name))).tensors(**{name: meta(2)})
        put(suite, "edge-call-names", version, draft, "Names of several arguments.", ["5.5.7"],
            in_spec=arguments(3), forward_arg_names=["first", "second", "third"])
    lists = {"inputs": {"inputs": [tensor("x")]}, "outputs": {"outputs": [tensor("y")]}}
    lists["both"] = {**lists["inputs"], **lists["outputs"]}
    for version in ("5.3", LATEST):
        for label, said in lists.items():
            put(suite, "edge-call-" + label, version, plain(version),
                "A root that lists what it takes or gives.", ["5.5.4", "5.5.5"], **said)


def ends(suite):
    """A symbol whose name is one letter, and the greatest size that a number has."""
    for version in ("7.3", LATEST):
        text = "Symbol('s', positive=True, integer=True)" if is_srepr(version) else "s"
        limits = {"s": {"min_val": 2, "max_val": 9}}
        draft = plain(version, range_constraints=limits).tensors(z=meta((text, S0)))
        put(suite, "edge-letter", version, draft.take(user_input(tensor("z"))),
            "A symbol of one letter, and its range.", ["3.3.3", "4.1.6"])
        draft = plain(version)
        draft.data["graph"]["tensor_values"]["y"] = meta(1, (1 << 63) - 1)
        put(suite, "edge-greatest-size", version, draft, "The greatest size.", ["3.2.2", "5.4.15"])


def deep(suite):
    """Dicts in dicts, deeper than a reader goes that was not told of another limit."""
    value, depth = {"as_int": 1}, 600
    for _ in range(depth):
        value = {"as_string_to_argument": {"k": value}}
    draft = plain(LATEST).tensors(r=meta(2))
    draft.node(call("mylib.f.default", {"v": value}, tensor("r")))
    suite.valid("build/edge-deep/" + LATEST, "build", LATEST,
                draft.written(VERSIONS[LATEST]).text, ["3.9.1", "1.4.2"], "Dicts in dicts.",
                provenance="hand", product="same", file="whole/8.20-build-edge-deep.json",
                options={**(VERSIONS[LATEST].options or {}), "limits": {"depth": 2000}})


def vectors(suite):
    for part in (first_version, empties, tuples, ranges, headers, shapes, signs, relations, lossless,
                 calls, ends, deep):
        part(suite)
