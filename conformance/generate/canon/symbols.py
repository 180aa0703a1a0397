"""Canonical forms: symbols and expressions (SPEC 6.7).  An expression is given in
both forms; `a` and `b` in it stand for two symbols that the sizes of an input
name first, and `u` for one that only the expression has.
"""

import re

from generate.canon.forms import LATEST, Forms, op, program, text_of
from format.history import ORDER
from generate.whole import meta, sym_bool, sym_int

INFIX, SREPR = ("7.3",), (LATEST,)
ASSUMED = {"s": ", positive=True, integer=True", "u": ", integer=True", "i": ", integer=True",
           "z": "", "f": "", "x": ", integer=True"}


def symbol(name, assumed=None):
    return "Symbol('%s'%s)" % (name, ASSUMED.get(name[0], ASSUMED["x"])
                               if assumed is None else assumed)


def is_srepr(version):
    return ORDER.index(version) >= ORDER.index("8.2")


def spelled(version, name):
    return symbol(name) if is_srepr(version) else name


def filled(text, version):
    """An expression's text with symbols for {s0}."""
    return re.sub(r"\{(\w+)\}", lambda found: spelled(version, found.group(1)), text)


def ranges(*names, **more):
    return {"range_constraints": {name: {"min_val": 2, "max_val": 9} for name in sorted(names)},
            **more}


# ---- 6.7.2: normal form -------------------------------------------------------------

# sort, infix, its form, srepr, its form, why. Where one has no word, None.
NORMAL = (
    ("int", "{b} + {a}", "{a} + {b}", "Add({b}, {a})", "Add({a}, {b})", "A sum, by names."),
    ("int", "{a} + 1", "1 + {a}", "Add({a}, Integer(1))", "Add(Integer(1), {a})",
     "Numbers before symbols."),
    ("int", "{a} - 1", "-1 + {a}", "Add({a}, Integer(-1))", "Add(Integer(-1), {a})",
     "A number with a sign."),
    ("int", "2*{a} + {b}", "{b} + 2*{a}", "Add(Mul(Integer(2), {a}), {b})",
     "Add({b}, Mul(Integer(2), {a}))", "The lower before the higher."),
    ("int", "10 + 9 + {a}", "9 + 10 + {a}", "Add(Integer(10), Integer(9), {a})",
     "Add(Integer(9), Integer(10), {a})", "The shorter number first; nothing is added up."),
    ("int", "{a} + 2 - 3", "2 - 3 + {a}", "Add({a}, Integer(2), Integer(-3))",
     "Add(Integer(2), Integer(-3), {a})", "A sign is a character."),
    ("int", "21 + 12", "12 + 21", "Add(Integer(21), Integer(12))", "Add(Integer(12), Integer(21))",
     "Numbers of one length."),
    ("int", "{b}*{a}", "{a}*{b}", "Mul({b}, {a})", "Mul({a}, {b})", "A product."),
    ("int", "{a}*2", "2*{a}", "Mul({a}, Integer(2))", "Mul(Integer(2), {a})", "A factor."),
    ("int", "{a}*({b}*3)", "3*{a}*{b}", "Mul({a}, Mul({b}, Integer(3)))",
     "Mul(Integer(3), {a}, {b})", "A product in a product."),
    ("int", "({a}*({a}*({b}*{a})))*2", "2*{a}*{a}*{a}*{b}",
     "Mul(Mul({a}, Mul({a}, Mul({b}, {a}))), Integer(2))", "Mul(Integer(2), {a}, {a}, {a}, {b})",
     "Products in products."),
    ("int", "1*{a}", "{a}", "Mul(Integer(1), {a})", "{a}", "A factor of one."),
    ("int", "{a}*1*{b}", "{a}*{b}", "Mul({a}, Integer(1), {b})", "Mul({a}, {b})",
     "A factor of one in between."),
    ("int", "1*1", "1", "Mul(Integer(1), Integer(1))", "Integer(1)", "Nothing but ones."),
    ("int", "-({a}*{b})", "-{a}*{b}", "Mul(Integer(-1), Mul({b}, {a}))",
     "Mul(Integer(-1), {a}, {b})", "A sign."),
    ("int", "-(-{a})", "{a}", "Mul(Integer(-1), Mul(Integer(-1), {a}))", "{a}", "Two signs."),
    ("int", "-(-(-{a}))", "-{a}", "Mul(Integer(-1), Mul(Integer(-1), Mul(Integer(-1), {a})))",
     "Mul(Integer(-1), {a})", "Three signs."),
    ("int", "-({a}*2)", "-2*{a}", "Mul(Integer(-1), Mul({a}, Integer(2)))", "Mul(Integer(-2), {a})",
     "A sign and a number."),
    ("int", "-(-2*{a})", "2*{a}", "Mul(Integer(-1), Integer(-2), {a})", "Mul(Integer(2), {a})",
     "A sign and a number with a sign."),
    ("int", "(-1)*(-1)", "1", "Mul(Integer(-1), Integer(-1))", "Integer(1)", "Minus ones."),
    ("int", "(-1)*{b}*{a}", "-{a}*{b}", "Mul({b}, Integer(-1), {a})", "Mul(Integer(-1), {a}, {b})",
     "A minus one as a factor."),
    ("int", "-(0*{a})", "0*{a}", "Mul(Integer(-1), Integer(0), {a})", "Mul(Integer(0), {a})",
     "Zero has no sign."),
    ("int", "Max({b}, {a})", "Max({a}, {b})", "Max({b}, {a})", "Max({a}, {b})", "Max."),
    ("int", "Min({a}, 3, {b})", "Min(3, {a}, {b})", "Min({a}, Integer(3), {b})",
     "Min(Integer(3), {a}, {b})", "Min."),
    ("int", "Mod({b}, {a})", "Mod({b}, {a})", "Mod({b}, {a})", "Mod({b}, {a})",
     "The sides of Mod are not the same."),
    ("int", "({b}//{a})", "({b}//{a})", "FloorDiv({b}, {a})", "FloorDiv({b}, {a})",
     "Nor those of a division."),
    ("int", "{b}**2", "{b}**2", "Pow({b}, Integer(2))", "Pow({b}, Integer(2))", "Nor of a power."),
    ("int", "Max({a}, {b}) + Min({a}, {b})", "Max({a}, {b}) + Min({a}, {b})",
     "Add(Max({a}, {b}), Min({a}, {b}))", "Add(Max({a}, {b}), Min({a}, {b}))",
     "Functions by their names."),
    ("int", "Mod({a}, {b}) + ({a}//{b})", "Mod({a}, {b}) + ({a}//{b})",
     "Add(FloorDiv({a}, {b}), Mod({a}, {b}))", "Add(Mod({a}, {b}), FloorDiv({a}, {b}))",
     "The shorter name first."),
    ("int", "Max({a}, {b}, 2) + Max({b}, {a})", "Max({a}, {b}) + Max(2, {a}, {b})",
     "Add(Max({a}, {b}, Integer(2)), Max({b}, {a}))",
     "Add(Max({a}, {b}), Max(Integer(2), {a}, {b}))",
     "Fewer arguments first."),
    ("int", "Max({b}, 2) + Max({a}, 3)", "Max(2, {b}) + Max(3, {a})",
     "Add(Max({a}, Integer(3)), Max({b}, Integer(2)))",
     "Add(Max(Integer(2), {b}), Max(Integer(3), {a}))",
     "Then the arguments, one by one."),
    ("int", "({a} + 1) + ({a} + 1)", "(1 + {a}) + (1 + {a})",
     "Add(Add({a}, Integer(1)), Add({a}, Integer(1)))",
     "Add(Add(Integer(1), {a}), Add(Integer(1), {a}))", "What is equal; a sum in a sum stays."),
    ("int", "floor({a}/2)", "floor({a}/2)", "floor(Mul(Pow(Integer(2), Integer(-1)), {a}))",
     "floor(Mul(Rational(1, 2), {a}))", "A half, as a power."),
    ("int", "floor(1/2)", "floor(1/2)", "floor(Pow(Integer(2), Integer(-1)))",
     "floor(Rational(1, 2))", "A half alone."),
    ("int", "floor(1/{a})", "floor(1/{a})", "floor(Pow({a}, Integer(-1)))",
     "floor(Pow({a}, Integer(-1)))", "A power that is no number."),
    ("int", "floor(-({a}/2))", "floor(-{a}/2)", "floor(Mul(Integer(-1), {a}, Rational(1, 2)))",
     "floor(Mul(Rational(-1, 2), {a}))", "A sign and a half."),
    ("int", "floor({a}*0.5)", "floor(0.5*{a})", "floor(Mul({a}, Float('0.5', precision=53)))",
     "floor(Mul(Float('0.5', precision=53), {a}))", "A float."),
    ("int", "floor({a} + 0.5 + 1)", "floor(1 + 0.5 + {a})",
     "floor(Add({a}, Float('0.5', precision=53), Integer(1)))",
     "floor(Add(Integer(1), Float('0.5', precision=53), {a}))", "Integers before floats."),
    ("int", None, None, "floor(Add(Float('0.5', precision=53), Rational(1, 3), Integer(7), "
     "Rational(1, 2), {a}))", "floor(Add(Integer(7), Rational(1, 2), Rational(1, 3), "
     "Float('0.5', precision=53), {a}))", "Numbers by their kinds, then their texts."),
    ("int", None, None, "floor(Mul(Integer(-1), {a}, Float('0.5', precision=53)))",
     "floor(Mul(Float('-0.5', precision=53), {a}))", "The sign of a float."),
    ("int", None, None, "floor(Mul(Integer(-1), {a}, Float('0.0', precision=53)))",
     "floor(Mul(Float('0.0', precision=53), {a}))", "A zero has none."),
    ("int", None, None, "floor(Mul(Float('0.5', precision=53), Integer(-1), Rational(1, 3), {a}))",
     "floor(Mul(Rational(-1, 3), Float('0.5', precision=53), {a}))",
     "The first number gets the sign."),
    ("int", None, None, "floor(Add(Float('0.5', precision=60), Float('0.5', precision=53), {a}))",
     "floor(Add(Float('0.5', precision=53), Float('0.5', precision=60), {a}))",
     "A precision is a text of its own."),
    ("int", None, None, "Max({b}, TruncToInt(Float('1.5', precision=53)), {a})",
     "Max({a}, {b}, TruncToInt(Float('1.5', precision=53)))", "The height again."),
    ("bool", "Eq({a}, 2)", "Eq({a}, 2)", "Equality(Integer(2), {a})", "Equality({a}, Integer(2))",
     "An equality has its greater side first."),
    ("bool", "Eq({a}, {b})", "Eq({b}, {a})", "Equality({a}, {b})", "Equality({b}, {a})",
     "Of two symbols the later one."),
    ("bool", "Ne(1, {a})", "Ne({a}, 1)", "Unequality(Integer(1), {a})",
     "Unequality({a}, Integer(1))", "So has an inequality."),
    ("bool", "Eq(3, {a} + {b})", "Eq({a} + {b}, 3)", "Equality(Integer(3), Add({b}, {a}))",
     "Equality(Add({a}, {b}), Integer(3))", "A sum on the left."),
    ("bool", "{b} < {a}", "{b} < {a}", "StrictLessThan({b}, {a})", "StrictLessThan({b}, {a})",
     "The sides of a relation stay."),
    ("bool", "({b} <= 3) & ({a} <= 3)", "({a} <= 3) & ({b} <= 3)",
     "And(LessThan({b}, Integer(3)), LessThan({a}, Integer(3)))",
     "And(LessThan({a}, Integer(3)), LessThan({b}, Integer(3)))", "And."),
    ("bool", "Eq({b}, 3) | ({a} < 3)", "Eq({b}, 3) | ({a} < 3)",
     "Or(StrictLessThan({a}, Integer(3)), Equality({b}, Integer(3)))",
     "Or(Equality({b}, Integer(3)), StrictLessThan({a}, Integer(3)))", "Or, by names."),
    ("bool", "({a} < 3) | Eq({b}, 3)", "Eq({b}, 3) | ({a} < 3)",
     "Or(StrictLessThan({a}, Integer(3)), Equality(Integer(3), {b}))",
     "Or(Equality({b}, Integer(3)), StrictLessThan({a}, Integer(3)))", "Or, from inside out."),
    ("bool", "(~Eq({a}, 3)) & ({b} < 2)", "({b} < 2) & (~Eq({a}, 3))",
     "And(Not(Equality({a}, Integer(3))), StrictLessThan({b}, Integer(2)))",
     "And(StrictLessThan({b}, Integer(2)), Not(Equality({a}, Integer(3))))", "Not is higher."),
    ("bool", None, None, "Or(false, LessThan({a}, {b}), true)",
     "Or(true, false, LessThan({a}, {b}))", "true before false."),
    ("int", "Piecewise(({b} + {a}, {b} < 2), (1, True))",
     "Piecewise(({a} + {b}, {b} < 2), (1, True))",
     "Piecewise(ExprCondPair(Add({b}, {a}), StrictLessThan({b}, Integer(2))), "
     "ExprCondPair(Integer(1), true))", "Piecewise(ExprCondPair(Add({a}, {b}), StrictLessThan({b}, "
     "Integer(2))), ExprCondPair(Integer(1), true))", "Arms stay, what is in them does not."),
) + tuple(
    ("int", "-({a}*%s)" % number, "-%s*{a}" % number, "Mul(Integer(-1), {a}, Integer(%s))" % number,
     "Mul(Integer(-%s), {a})" % number, "A sign before %d digits." % len(number))
    for number in ("1234567", "12345678", "123456789", "123456789123456", "1234567891234567",
                   "12345678912345678")
) + tuple(
    ("bool", None, None, "%s(%s(%s), %s(%s))" % (both, equal, ", ".join(words), equal, "{a}, {b}"),
     "%s(%s({b}, {a}), %s(%s))" % (both, equal, equal, ", ".join(words[::-1])),
     "A symbol before a word.")
    for both in ("And", "Or") for equal in ("Equality", "Unequality")
    for words in (("true", "true"), ("true", "false"), ("false", "false"))
) + (
    ("int", "(-1)*3", "-3", "Mul(Integer(-1), Integer(3))", "Integer(-3)",
     "The first number that is left is the last factor."),
    ("int", "-{b} - {a}", "-{a} - {b}", "Add(Mul(Integer(-1), {b}), Mul(Integer(-1), {a}))",
     "Add(Mul(Integer(-1), {a}), Mul(Integer(-1), {b}))", "The same sign was put into both."),
)


def normals(to):
    for i, (sort, infix, form, srepr, wanted, why) in enumerate(NORMAL):
        for version in SREPR + INFIX:
            before, after = (srepr, wanted) if is_srepr(version) else (infix, form)
            if before is None:
                continue
            label = "normal-%02d" % i
            if version == LATEST:
                to.form(label, version, saying(version, after, sort), ["6.7.2", "6.7.5"], why)
            if before != after or version != LATEST:
                to.other(label, "written", version, text_of(version, saying(version, before, sort)),
                         ["6.1.1", "6.7.2", "6.7.5"], why)


def saying(version, text, sort):
    """A program that names s0 and s1 first, and then says the text."""
    value = {"int": sym_int, "bool": sym_bool}[sort]("v2")
    text = text.replace("{a}", "{s0}").replace("{b}", "{s1}")
    sizes = meta(filled("{s0}", version), filled("{s1}", version), strides=[1, 1])
    return program("v0", [op("aten.relu.default", "v1", self="v0"),
                          op("mylib.f.default", value, x="v0")], "v1", ranges("s0", "s1"),
                   tensor_values={"v0": sizes, "v1": meta(2, 3)},
                   **{"sym_%s_values" % sort: {"v2": filled(text, version)}})


# ---- 6.7.1, 6.7.3, 6.7.4: names --------------------------------------------------------------


def sized(version, sizes, limits, strides=None, offset=0, **header):
    """A program whose input has these sizes; limits: of symbols, (least, greatest)."""
    limits = {name: {"min_val": low, "max_val": high} for name, (low, high) in sorted(
        limits.items())}
    shape = meta(*[filled(size, version) if isinstance(size, str) else size for size in sizes],
                 strides=strides or [1] * len(sizes), storage_offset=offset)
    return program("v0", [op("aten.relu.default", "v1", self="v0")], "v1", {
        "range_constraints": limits, **header}, tensor_values={"v0": shape, "v1": meta(2)})


def prefixes(to):
    rows = (("s", "s77"), ("u", "u12"), ("i", "i5"), ("sx", "seq_len"), ("sx", "s"),
            ("sx", "s1a"), ("x", "_dim"), ("x", "batch"), ("x", "u1_"), ("x", "ii"),
            ("zf", "zf9"), ("zuf", "zuf3"), ("f", "f2"),
            ("z", "zfoo"), ("z", "fx"), ("z", "zz7"))
    for version in (LATEST, "7.3"):
        for prefix, name in rows:
            # floats stand in a function that makes an int of them
            text = "floor({%s})" if prefix[0] in "zf" else "{%s}"

            def draft(one):
                return sized(version, [text % one, 3], {one: (2, 9)})
            form = to.name("prefix-" + prefix, "form", version)
            if form not in to.suite.vectors:
                to.form("prefix-" + prefix, version, draft(prefix + "0"), ["6.7.1", "6.7.4"],
                        "A symbol keeps the prefix %s." % prefix)
            if version != LATEST and prefix + "0" == name:
                continue
            to.case(form, "from-" + name.replace("_", "-"), draft(name), ["6.7.1"],
                    "%s has the prefix %s." % (name, prefix))


def steps(to):
    one = (2, 9)
    for version in (LATEST, "7.3"):
        def draft(sizes, limits, names=None, **more):
            names = names or {}
            said = [re.sub(r"\{(\w+)\}", lambda found: "{%s}" % names.get(
                found.group(1), found.group(1)), size) if isinstance(size, str) else size
                for size in sizes]
            return sized(version, said, {names.get(key, key): value
                                         for key, value in limits.items()}, **more)

        def add(*parts):
            return ("Add(%s)" % ", ".join(parts)) if is_srepr(version) else " + ".join(parts)
        # 1: alone, in the order of the expressions
        form = to.form("symbols-alone", version, draft(["{s0}", "{s1}", "{u0}", "{s0}"], {
            "s0": one, "s1": one, "u0": one}), ["6.7.4", "6.7.5", "6.8.1"],
            "In the order in which they stand alone, each prefix by itself.")
        for case, names in (("numbers", {"s0": "s7", "s1": "s3", "u0": "u0"}),
                            ("exchanged", {"s0": "s1", "s1": "s0", "u0": "u5"})):
            to.case(form, case, draft(["{s0}", "{s1}", "{u0}", "{s0}"], {
                "s0": one, "s1": one, "u0": one}, names), ["6.7.4"], "By other names.")
        # one unknown at a time
        form = to.form("symbols-one-left", version, draft([
            add("{s0}", "{s1}"), "{s0}", add("{s0}", "{s1}"), "{s2}"], {
                "s0": one, "s1": one, "s2": one}), ["6.7.4"],
            "s0 alone, then the one that is left beside it.")
        to.case(form, "exchanged", draft([
            add("{s1}", "{s0}"), "{s0}", add("{s0}", "{s1}"), "{s2}"], {
                "s0": one, "s1": one, "s2": one}, {"s0": "s2", "s1": "s0", "s2": "s1"}),
            ["6.7.4"], "By other names.")
        # 2: never alone: by colour
        form = to.form("symbols-colour", version, draft([add("{s0}", "{s1}"), 3], {
            "s0": (2, 9), "s1": (3, 9)}), ["6.7.3", "6.7.4"],
            "Never alone: the colours tell, which have the ranges.")
        to.case(form, "exchanged", draft([add("{s0}", "{s1}"), 3], {
            "s0": (2, 9), "s1": (3, 9)}, {"s0": "s1", "s1": "s0"}), ["6.7.3", "6.7.4"],
            "By each other's names.")
        form = to.form("symbols-lengths", version, draft([add("{s0}", "{s1}"), 3], {
            "s0": (3, 9), "s1": (2, 10)}), ["6.7.3", "6.7.4"],
            "A shorter colour comes first.")
        to.case(form, "exchanged", draft([add("{s0}", "{s1}"), 3], {
            "s0": (3, 9), "s1": (2, 10)}, {"s0": "s1", "s1": "s0"}), ["6.7.3", "6.7.4"],
            "By each other's names.")
        # twins
        form = to.form("symbols-twins", version, draft([add("{s0}", "{s1}"), 3], {
            "s0": one, "s1": one}), ["6.7.4"], "Two that nothing tells apart.")
        to.case(form, "exchanged", draft([add("{s1}", "{s0}"), 3], {
            "s0": one, "s1": one}), ["6.7.4"], "Either first is the same.")
        # a named one is before the others
        form = to.form("symbols-named-first", version, draft([
            "{s0}", add("{s0}", "{s1}", "{s2}")], {"s0": (5, 9), "s1": (2, 9), "s2": (3, 9)}),
            ["6.7.4"], "One with a name is before those without.")
        to.case(form, "exchanged", draft(["{s0}", add("{s2}", "{s1}", "{s0}")], {
            "s0": (5, 9), "s1": (2, 9), "s2": (3, 9)}, {"s0": "s2", "s2": "s0"}), ["6.7.4"],
            "By other names.")


def tied(to):
    """Symbols of one colour that first occur in one expression."""
    def draft(*texts, version=LATEST):
        return sized(version, texts, {"s%d" % i: (2, 9) for i in range(4)
                                      if "{s%d}" % i in "".join(texts)})
    clause = ["6.7.4", "6.7.5"]
    first = to.form("symbols-look", LATEST, draft("Max({s0}, {s1})", "Mod({s0}, {s1})"), clause,
                    "The document says which is which.")
    other = to.form("symbols-look-turned", LATEST, draft("Max({s0}, {s1})", "Mod({s1}, {s0})"),
                    clause, "The other way round.", different_from=first)
    to.case(other, "exchanged", draft("Max({s1}, {s0})", "Mod({s0}, {s1})"), clause,
            "By each other's names.")
    # s0 and s1 come first in the text, but 3*s2 is lower in order than Mod and higher than s3
    text = "Add(Mul({s0}, {s1}), Mul({s1}, {s2}), Mul({s0}, {s3}))"
    form = to.form("symbols-written", LATEST, draft(text, text, "Max({s0}, {s1}, {s2})"), clause,
                   "An expression stays in the order in which its symbols got names, and so does "
                   "each with its text.")
    names = {"s0": "s3", "s1": "s0", "s2": "s1", "s3": "s2"}

    def exchanged(text):
        return re.sub(r"\{(\w+)\}", lambda found: "{%s}" % names[found.group(1)], text)
    to.case(form, "names", draft(exchanged(text), exchanged(text), exchanged(
        "Max({s2}, {s0}, {s1})")), clause, "By other names.")
    form = to.form("symbols-sorted", LATEST, draft(
        "Add({s0}, {s1})", "Max({s0}, {s1})"), clause,
        "Names given by one expression order the others.")
    to.case(form, "exchanged", draft("Add({s1}, {s0})", "Max({s0}, {s1})"), clause,
            "The other has another text.")
    # pass 1 has all expressions before pass 2 has any
    form = to.form("symbols-passes", LATEST, draft(
        "Add({s0}, {s1})", "{s0}", "Max(Integer(1), {s1})"), clause, "What stands alone later is named first.")
    to.case(form, "exchanged", draft("Add({s1}, {s0})", "{s1}", "Max(Integer(1), {s0})"), clause,
            "By each other's names.")


def places(to):
    """Sizes, strides, the offset; values of nodes; subgraphs."""
    for version in (LATEST, "7.3"):
        def said(text):
            return filled(text, version)
        limits = {"s%d" % i: {"min_val": 2, "max_val": 9} for i in range(6)}

        def draft(order):
            name = ["{s%d}" % i for i in order]
            values = {"v0": meta(said(name[0]), said(name[1]), strides=[said(name[2]), 1],
                                 storage_offset=said(name[3])),
                      "v1": meta(2), "v3": meta(said(name[5]))}
            nodes = [op("aten.relu.default", "v1", self="v0"),
                     op("aten.sym_size.int", sym_int("v2"), self="v0", dim=0),
                     op("aten.select.int", "v3", ("self", {"as_tensor": {"name": "v1"}}), (
                         "dim", {"as_int": 0}), ("index", sym_int("v2")))]
            return program("v0", nodes, "v3", {"range_constraints": limits}, tensor_values=values,
                           sym_int_values={"v2": said(name[4])})
        form = to.form("symbols-places", version, draft(range(6)), ["6.7.4"],
                       "Sizes, strides, the offset, then the values of nodes.")
        for i, order in enumerate(((5, 4, 3, 2, 1, 0), (1, 0, 3, 2, 5, 4))):
            to.case(form, "names-%d" % i, draft(order), ["6.7.4"], "By other names.")


def colours(to):
    """Assumptions and open ends."""
    pair = "Add(Symbol('s0', positive=True, integer=True), Symbol('s1', integer=True))"
    turned = "Add(Symbol('s0', integer=True), Symbol('s1', positive=True, integer=True))"
    for version in (LATEST, "8.2"):
        def draft(text, version=version):
            made = sized(version, [3, 3], {"s0": (2, 9), "s1": (2, 9)})
            made.data["graph"]["tensor_values"]["v0"]["sizes"][0] = text
            return made
        # the shorter colour first: si[2,9] before spi[2,9]
        form = to.form("colour-assumptions", version, draft(turned), ["6.7.3", "6.7.4"],
                       "Fewer assumptions make a shorter colour.")
        to.case(form, "exchanged", draft(pair), ["6.7.3", "6.7.4"], "By each other's names.")
    ends = ((None, None), (2, None), (None, 5))
    for version in (LATEST, "8.2"):
        def draft(order, version=version):
            return sized(version, ["Add({u0}, {u1}, {u2})", 3], {
                "u%d" % i: end for i, end in zip(order, ends)})
        # un[,], un[,5], un[2,] as texts: the shorter first, then by code points
        form = to.form("colour-open", version, draft((0, 2, 1)), ["6.7.3"],
                       "Open ends are left out.")
        to.case(form, "exchanged", draft((2, 0, 1)), ["6.7.3"], "By other names.")
    # sxpn[,] before xn[2,100]; expressions are one by what names of one letter say
    for version in (LATEST, "8.2"):
        def draft(one, other, names=("s", "x"), version=version):
            return sized(version, [one, other], {names[0]: (None, None), names[1]: (2, 100)})
        form = to.form("names-of-a-letter", version, draft(
            "Add({sx0}, {x0})", "Add({sx0}, {x0})", ("sx0", "x0")), ["6.7.3", "6.7.4"],
            "One expression in two places.")
        to.case(form, "turned", draft("Add({s}, {x})", "Add({x}, {s})"), ["6.7.4"],
                "Names of one letter, in both orders.")
    # 9223372036854775806 stands for an open end in 5.3: u[2,] is shorter than u[2,100]
    def open_end(version, names, most):
        text = "Add({%s}, {%s})" if version == LATEST else "{%s} + {%s}"
        return sized(version, [text % names, 3], {names[0]: (2, most), names[1]: (2, 100)})
    to.form("colour-no-maximum", LATEST, open_end(LATEST, ("u0", "u1"), None), ["6.7.3"],
            "An end that is open, in the spelling of the version.")
    for version in ("5.3", "1"):
        form = to.form("colour-no-maximum", version, open_end(
            version, ("u0", "u1"), 9223372036854775806), ["6.7.3"], "As the version spells it.")
        to.case(form, "exchanged", open_end(version, ("u1", "u0"), 9223372036854775806),
                ["6.7.3"], "By each other's names.")


# ---- 6.2: ranges and hints ------------------------------------------------------------------


def limited(version, limits, sizes=("{s0}", 3)):
    """A program with these ranges, in the order of a dict."""
    made = sized(version, sizes, {})
    made.data["header"]["range_constraints"] = {
        key: {"min_val": low, "max_val": high} for key, (low, high) in limits.items()}
    return made


def keys(to):
    """Ranges that stay."""
    clause = ["6.7.5", "6.8.1"]
    for version in (LATEST, "7.3"):
        def draft(limits, sizes=("{s0}", 3), version=version):
            return limited(version, limits, sizes)
        form = to.form("keys-derived", version, draft({"2*s0": (4, 18), "s0": (2, 9)}), clause,
                       "A derived dimension names the symbol.")
        to.case(form, "names", draft({"2*s5": (4, 18), "s5": (2, 9)}, ("{s5}", 3)), clause,
                "By another name.")
        to.case(form, "order", draft({"s0": (2, 9), "2*s0": (4, 18)}), clause,
                "In another order.")
        form = to.form("keys-spelling", version, draft({
            "s0": (2, 9), "s0 + s1*2 + 1": (2, 5), "s1": (2, 9)}, ("{s0}", "{s1}")), clause,
            "A key keeps its spelling: it is no normal form.")
        to.case(form, "names", draft({"s3": (2, 9), "s3 + s2*2 + 1": (2, 5), "s2": (2, 9)},
                                     ("{s3}", "{s2}")), clause, "By other names.")
        form = to.form("keys-quotient", version, draft({
            "s0": (2, 9), "s0/s1": (1, 4), "s1": (2, 9)}, ("{s0}", "{s1}")), clause,
            "A slash between two symbols is a part of neither.")
        to.case(form, "names", draft({"s3": (2, 9), "s3/s2": (1, 4), "s2": (2, 9)},
                                     ("{s3}", "{s2}")), clause, "By other names.")
        form = to.form("keys-functions", version, draft({"Max(1, s0)": (1, 9), "s0": (2, 9)}),
                       clause, "A function is no symbol.")
        to.case(form, "names", draft({"Max(1, s2)": (1, 9), "s2": (2, 9)}, ("{s2}", 3)), clause,
                "By another name.")


def unused(to):
    """Ranges that name a symbol that nothing has."""
    clause, size = ["6.2.5"], ("{s0}", 4)
    for version in (LATEST, "7.3", "1"):
        def draft(limits, sizes=size, version=version):
            return limited(version, limits, sizes)
        form = to.form("unused-range", version, draft({"s0": (2, 9)}), clause,
                       "The range of a symbol that a size has.")
        for case, more, why in (
                ("symbol", {"s1": (2, 9)}, "Of one that nothing has."),
                ("two", {"s1": (2, 9), "u7": (0, 5)}, "Of two that nothing has."),
                ("derived", {"2*s1": (4, 18), "s1": (2, 9)}, "And what is derived from it."),
                ("mixed", {"s0 + s1": (4, 18), "s1": (2, 9)},
                 "And what is derived from it and one that a size has.")):
            to.case(form, case, draft({"s0": (2, 9), **more}), clause, why)
    none = to.form("unused-all", LATEST, limited(LATEST, {}, (2, 3)), clause, "No range.")
    to.case(none, "one", limited(LATEST, {"s0": (2, 9)}, (2, 3)), clause, "No size is a symbol.")
    used = to.form("unused-range", LATEST, limited(LATEST, {"s0": (2, 9)}, size), clause, "Its range.")
    to.form("unused-other", LATEST, limited(LATEST, {"s0": (2, 8)}, size), clause,
            "Another range of a symbol that a size has.", different_from=used)
    form = to.form("unused-not", LATEST, limited(LATEST, {"s0": (None, None)}, size), clause,
                   "A range that is open at both ends.", different_from=used)
    to.case(form, "none", limited(LATEST, {}, size), clause,
            "No range of a symbol that a size has.")


def hints(to):
    for version in (LATEST, "7.3", "1"):
        def draft(name, hint, version=version):
            made = sized(version, ["{%s}" % name, 5], {name: (2, 9)})
            if hint is not None:
                sizes = made.data["graph"]["tensor_values"]["v0"]["sizes"]
                sizes[0] = (sizes[0], hint)
            return made
        form = to.form("hints", version, draft("s0", None), ["6.2.1"], "No hint.")
        to.case(form, "hint", draft("s0", 4), ["6.2.1"], "A size of an example.")
        to.case(form, "other", draft("s9", 5), ["6.2.1", "6.7.5"], "Another, and another name.")
    node = op("mylib.f.default", sym_bool("v1"), x="v0")

    def truth(hint):
        text = filled("StrictLessThan({s0}, Integer(4))", LATEST)
        return program("v0", [node], [sym_bool("v1")], ranges("s0"), tensor_values={
            "v0": meta(filled("{s0}", LATEST), strides=[1])},
            sym_bool_values={"v1": text if hint is None else (text, hint)})
    form = to.form("hints-bool", LATEST, truth(None), ["6.2.1"], "A symbolic bool.")
    for hint in (True, False):
        to.case(form, str(hint).lower(), truth(hint), ["6.2.1"], "With a hint.")


def vectors(suite):
    to = Forms(suite)
    for part in (normals, prefixes, steps, tied, places, colours, keys, unused, hints):
        part(to)
