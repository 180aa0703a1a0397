"""Expressions going out (SPEC 4.1, 7.5.1): every function and operator of E.1 with as many
arguments as it takes, and every operator in every place of another, in both forms:
read, migrated up and down, and in both canonical forms.

A term is (kind, text) of a leaf, or (NAME, [terms]) by the name in srepr. It is written
in both forms by the tables of 7.5.1; a text is no input of the other.
"""

from format.annexes import rows
from generate.canon.forms import Forms
from generate.canon.torch import torched
from generate.migrate.migrations import LATEST, Migrations, written
from generate.migrate.texts import speaking
from generate.suite import change_between
from generate.whole import sym_bool

RELATION, SUM, PRODUCT, POWER, ATOM = range(5)  # how tight a text of infix binds (4.1.8)
RELATIONS = {"LessThan": "<=", "StrictLessThan": "<", "GreaterThan": ">=",
             "StrictGreaterThan": ">"}
JOINTS = {"And": " & ", "Or": " | "}
ASSUMED = {"s": ", positive=True, integer=True", "z": "", "f": ""}
NAMES = {row["srepr"]: row["infix"] for row in rows("expressions") if row["form"] == "function"}
FORMS = ("7.3", LATEST)  # a version of the infix form, and one of the srepr form


def integer(number):
    return ("Integer", str(number))


def symbol(name):
    return ("Symbol", name)


S0, S1, U0, FREE = symbol("s0"), symbol("s1"), symbol("u0"), symbol("_dim")
HALF = ("Float", "0.5")
TRUE, FALSE = ("true", "True"), ("false", "False")


def srepr(term):
    kind, rest = term
    if kind == "Symbol":
        return "Symbol('%s'%s)" % (rest, ASSUMED.get(rest[0], ", integer=True"))
    if kind == "Integer":
        return "Integer(%s)" % rest
    if kind == "Float":
        return "Float('%s', precision=53)" % rest
    if isinstance(rest, str):
        return kind
    return "%s(%s)" % (kind, ", ".join(srepr(each) for each in rest))


def is_minus(term):
    """Whether a text begins with a minus sign that a sum takes for its own."""
    kind, rest = term
    if kind == "Mul" and rest[0][0] == "Integer":
        return is_minus(rest[0])
    return kind in ("Integer", "Float") and rest.startswith("-")


def is_inverse(term):
    return term[0] == "Pow" and term[1][1] == integer(-1)


def level(term):
    kind = term[0]
    if is_minus(term) or kind == "Add":
        return SUM
    if kind == "Mul" or is_inverse(term):
        return PRODUCT
    if kind == "Pow":
        return POWER
    return RELATION if kind in RELATIONS or kind in JOINTS or kind == "Not" else ATOM


def within(term, least):
    """The text of a term at a place that asks for a level."""
    text = infix(term)
    return "(%s)" % text if level(term) < least else text


def added(terms):
    text = within(terms[0], SUM if is_minus(terms[0]) else PRODUCT)
    for each in terms[1:]:
        text += " - " + infix(each)[1:] if is_minus(each) else " + " + within(each, PRODUCT)
    return text


def multiplied(factors):
    text = ""
    if factors[0] == integer(-1):
        text, factors = "-", factors[1:]
    for i, each in enumerate(factors):
        if is_inverse(each):
            base = each[1][0]
            text += "1/" if i == 0 else "/"
            text += "(%s)" % infix(base) if base[0] == "Integer" else within(base, POWER)
        else:
            text += "*" if i > 0 else ""
            text += infix(each) if i == 0 and each[0] == "Integer" else within(each, POWER)
    return text


def infix(term):
    kind, rest = term
    if isinstance(rest, str):
        return rest
    if kind == "Add":
        return added(rest)
    if kind == "Mul" or is_inverse(term):
        return multiplied(rest if kind == "Mul" else [term])
    if kind == "Pow":
        return "**".join(within(each, ATOM) for each in rest)
    if kind == "FloorDiv":
        return "(%s)" % "//".join(within(each, POWER) for each in rest)
    if kind in RELATIONS:
        return (" %s " % RELATIONS[kind]).join(within(each, SUM) for each in rest)
    if kind in JOINTS:
        return JOINTS[kind].join(within(each, ATOM) for each in rest)
    if kind == "Not":
        return "~" + within(rest[0], ATOM)
    name = "" if kind == "ExprCondPair" else NAMES[kind]
    return "%s(%s)" % (name, ", ".join(infix(each) for each in rest))


# ---- what is written ------------------------------------------------------------------

NUMBERS = (S0, S1, U0, FREE, integer(5), integer(7))
TRUTHS = tuple(("StrictLessThan", [each, integer(3)]) for each in NUMBERS[:4])
ARMS = (("ExprCondPair", [S0, ("StrictLessThan", [S1, integer(2)])]),
        ("ExprCondPair", [U0, ("GreaterThan", [FREE, integer(4)])]),
        ("ExprCondPair", [integer(6), TRUE]))


def argument(sorts, i):
    """The i-th argument of a function, which no other argument of it is."""
    sort = sorts[min(i, len(sorts) - 1)]
    if sort == "bool":
        return TRUTHS[i]
    return ARMS[i] if sort.endswith("arm") else NUMBERS[i]


def functions():
    """(label, term, sort): each row of E.1 that both forms have, with the fewest arguments
    that it takes and, where it takes more, with two and four more."""
    for row in rows("expressions"):
        if row["srepr"] is None or row["infix"] is None or row["result"] == "arm":
            continue
        least, step = int(row["least"]), int(row["step"])
        most = int(row["most"]) if row["most"] else least + 2 * step
        sorts = row["sorts"].split()
        for count in range(least, min(most, 3 if row["result"] == "arms" else 6) + 1, step):
            term = (row["srepr"], [argument(sorts, i) for i in range(count)])
            result = {"power": "int", "argument": "int", "arms": "int", "number": "int",
                      "others": "int"}.get(row["result"], row["result"])
            yield "%s-%d" % (row["srepr"], count), term, result


def minus(*factors):
    return ("Mul", [integer(-1), *factors])


INNER = (
    ("symbol", U0), ("number", integer(3)), ("negative", integer(-3)),
    ("sum", ("Add", [U0, integer(5)])), ("difference", ("Add", [U0, integer(-5)])),
    ("less", ("Add", [U0, minus(FREE)])), ("product", ("Mul", [U0, FREE])),
    ("multiple", ("Mul", [integer(2), U0])), ("opposite", minus(U0)),
    ("minus-multiple", ("Mul", [integer(-2), U0])), ("power", ("Pow", [U0, integer(2)])),
    ("division", ("FloorDiv", [U0, integer(3)])), ("call", ("Max", [integer(3), U0])),
    ("remainder", ("Mod", [U0, integer(3)])),
)
OUTER = (
    ("sum-first", lambda x: ("Add", [x, S0])), ("sum-last", lambda x: ("Add", [S0, x])),
    ("sum-between", lambda x: ("Add", [S1, x, S0])),
    ("product-first", lambda x: ("Mul", [x, S0])), ("product-last", lambda x: ("Mul", [S0, x])),
    ("product-between", lambda x: ("Mul", [S1, x, S0])),
    ("minus", lambda x: minus(S0, x)), ("base", lambda x: ("Pow", [x, integer(2)])),
    ("exponent", lambda x: ("Pow", [S0, x])), ("dividend", lambda x: ("FloorDiv", [x, S1])),
    ("divisor", lambda x: ("FloorDiv", [S1, x])), ("argument", lambda x: ("Mod", [x, S1])),
    ("under", lambda x: ("TruncToInt", [("Mul", [S0, ("Pow", [x, integer(-1)])])])),
    ("inverse", lambda x: ("TruncToInt", [("Pow", [x, integer(-1)])])),
    ("between-slashes", lambda x: ("TruncToInt", [("Mul", [
        S0, ("Pow", [x, integer(-1)]), S1, ("Pow", [FREE, integer(-1)])])])),
)
TRUTH = (
    ("relation", ("LessThan", [U0, integer(4)])), ("equal", ("Equality", [U0, integer(4)])),
    ("unequal", ("Unequality", [U0, integer(4)])), ("true", TRUE), ("false", FALSE),
    ("both", ("And", [TRUTHS[0], TRUTHS[1]])), ("either", ("Or", [TRUTHS[0], TRUTHS[1]])),
    ("not", ("Not", [TRUTHS[1]])),
)
OF_TRUTH = (
    ("and-first", lambda x: ("And", [x, TRUTHS[2]])),
    ("and-last", lambda x: ("And", [TRUTHS[2], x])),
    ("or-first", lambda x: ("Or", [x, TRUTHS[2]])), ("or-last", lambda x: ("Or", [TRUTHS[2], x])),
    ("not", lambda x: ("Not", [x])), ("alone", lambda x: x),
    ("equality", lambda x: ("Equality", [x, TRUTHS[2]])),
)


def operators():
    """(label, term, sort): each kind of term in each place of an operator."""
    for where, outer in OUTER:
        for what, inner in INNER:
            term = outer(inner)
            if where == "exponent" and what == "negative":  # it makes a float
                term = ("TruncToInt", [term])
            yield "%s-of-%s" % (where, what), term, "int"
    for name in RELATIONS:
        for what, inner in INNER:
            yield "%s-of-%s" % (name, what), (name, [inner, S0]), "bool"
            yield "%s-to-%s" % (name, what), (name, [S0, inner]), "bool"
    for where, outer in OF_TRUTH:
        for what, inner in TRUTH:
            yield "%s-of-%s" % (where, what), outer(inner), "bool"
    for what, inner in TRUTH:
        pairs = [("ExprCondPair", [S0, inner]), ("ExprCondPair", [integer(1), TRUE])]
        yield "arm-of-" + what, ("Piecewise", pairs), "int"
    for what, inner in INNER:
        pairs = [("ExprCondPair", [inner, TRUTHS[0]]), ("ExprCondPair", [S1, TRUE])]
        yield "value-of-" + what, ("Piecewise", pairs), "int"


def terms():
    """(label, term, sort, whether it is of functions), each once."""
    seen = set()
    for every, found in ((True, functions()), (False, operators())):
        for label, term, sort in found:
            if sort == "float":
                term, sort = ("TruncToInt", [term]), "int"
            if srepr(term) not in seen:
                seen.add(srepr(term))
                yield label.lower().replace("_", "-"), term, sort, every


# ---- vectors --------------------------------------------------------------------------


def draft_of(text, sort):
    if sort == "bool":
        return speaking(text, "sym_bool_values", sym_bool("n"))
    return speaking(text)


class Respelled:
    """The vectors of one term after the other, each as a change of the first."""

    def __init__(self, suite):
        self.suite, self.bases = suite, {}
        self.to, self.forms = Migrations(suite), Forms(suite)

    def said(self, name, operation, version, text, **more):
        """A vector; what is asked first is whole, and the base of the others."""
        asked = (operation, version)
        if asked not in self.bases:
            file = "%s/%s-respelled-base.json" % (operation, version)
            self.bases[asked] = self.suite.valid(
                name, operation, version, text, more.pop("clause"), more.pop("why"),
                file=file, provenance="hand", **more)
            return self.bases[asked]
        base = self.bases[asked]
        return self.suite.valid_edit(name, base, change_between(self.suite.bytes[base], text),
                                     more.pop("clause"), more.pop("why"), provenance="hand", **more)

    def read(self, label, texts, whole):
        for version in FORMS:
            self.said("text/spelled-%s/%s" % (label, version), "check", version, whole[version],
                      clause=["4.1.1", "4.1.4", "4.1.7" if version == LATEST else "4.1.8"],
                      why=why_of(texts[version]))

    def migrated(self, label, texts, whole):
        names = {}
        for version, other in zip(FORMS, FORMS[::-1]):
            there = self.suite.there("migrate", self.to.options(version, other), whole[version])
            names[version] = there or self.to.name("spelled-" + label, version, other)
        for version, other in zip(FORMS, FORMS[::-1]):
            if names[version] not in self.suite.vectors:
                self.said(names[version], "migrate", version, whole[version], clause=["7.5.1"],
                          why=why_of(texts[version]), product={"base": names[other]},
                          options=self.to.options(version, other))

    def canonical(self, label, drafts, whole):
        """In our form, as the oracle makes it; from the infix form, too."""
        label = "spelled-" + label
        clause, why = ["6.7.2"], "Terms in their order."
        self.forms.found(label, LATEST, [drafts[LATEST]], clause, why)
        self.forms.other(label, "infix", FORMS[0], whole[FORMS[0]], ["6.1.1", *clause],
                         "The same in the infix form.")

    def torch(self, label, drafts):
        for version in FORMS:
            header = drafts[version].data["header"]
            header["range_constraints"] = dict(sorted(header["range_constraints"].items()))
            self.said("canon-torch/spelled-%s/%s" % (label, version), "canon", version,
                      written(version, torched(drafts[version])), clause=["6.9.1"],
                      why="An expression stays as it is.", product="same",
                      options={"form": "torch"})

    def term(self, label, term, sort, every):
        """every: read alone and in the torch form, too. Whoever migrates has read, and the
        torch form looks into no expression."""
        texts = {FORMS[0]: infix(term), FORMS[1]: srepr(term)}
        drafts = {version: draft_of(text, sort) for version, text in texts.items()}
        whole = {version: written(version, draft) for version, draft in drafts.items()}
        self.migrated(label, texts, whole)
        self.canonical(label, drafts, whole)
        if every:
            self.read(label, texts, whole)
            self.torch(label, drafts)


def why_of(text):
    return text + "." if len(text) < 100 else text[:96] + " ..."


def vectors(suite):
    to = Respelled(suite)
    for label, term, sort, every in terms():
        to.term(label, term, sort, every)
