"""The annexes of SPEC.md: the files of annex/, and the tables of appendix F that say
what their columns are.
"""

from collections import namedtuple

from spec_rows import Unusable, rows_named, rows_of

FOLDER = "annex"
NOTHING = "-"  # a cell without a value

Annex = namedtuple("Annex", "name about columns rows")  # columns: (name, what it holds)

SPAN = [
    ("since", "the first version in which the row holds (F.1)"),
    ("until", "the first version in which it holds no longer; `-`: it still holds"),
]


def span_of(history, since, until):
    since, until = history.span(since, until)
    return [history.since_text(since), version_or_nothing(history, until)]


def version_or_nothing(history, version):
    return NOTHING if version == len(history.versions) else history.versions[version].name


# ---- versions and types ------------------------------------------------------

VERSIONS = [
    ("name", "the name of the version"),
    ("major", "the `major` of `schema_version`, or the whole of it where it is an integer"),
    ("minor", "the `minor`; `-` where `schema_version` is an integer"),
    ("last_minor", "the last `minor` of the version, which has all from `minor` to this one"),
    ("role", "`owner` or `sibling` (3.1.5)"),
    ("marker", "the key that a document of a sibling has; with a `-` before it, the key that it"
               " lacks; `-` alone: none, and a sibling without one is taken only on demand"),
    ("releases", "the releases of PyTorch that write the version, with blanks between"),
    ("schema_version", "`integer` or `object` (3.1)"),
    ("unions", "`all-fields`, `$type` or `single-key` (3.6.1)"),
    ("as_none", "its value: `[]` or `true` (3.6.7)"),
    ("open_end", "what a range has where it has no bound: `null`, `Infinity`, or `none` where it"
                 " has always a number"),
    ("null_defaults", "`written` or `omitted` (3.9.7)"),
    ("non_finite", "`bare`, `quoted-infinity` (no NaN) or `quoted` (2.7.1, 3.3.3, 3.9.6)"),
    ("tree_spec", "the protocol number in tree specs (4.2); `-`: none is written"),
    ("ids", "`yes` where the fields of PyTorch's types have numbers, else `no`"),
    ("note", "where the version was, for information"),
]
UNIONS = {"ALL_FIELDS": "all-fields", "TYPE_VALUE": "$type", "SINGLE_KEY": "single-key"}
NON_FINITE = {"BARE": "bare", "QUOTED_INFINITY": "quoted-infinity", "QUOTED": "quoted"}
OPEN_END = {"optional<int>": "null", "int": "none", "int or infinite": "Infinity"}


def version_row(history, i):
    version = history.versions[i]

    def shape_of(name, field):
        member, = (m for m in history.members_at(name, i) if m.name == field)
        return history.shape_text(member.shape)

    bare = version.minor == "-1"
    return [
        version.name, version.major, NOTHING if bare else version.minor,
        NOTHING if bare else version.last, version.owner.lower(), version.marker,
        version.releases,
        "integer" if shape_of("ExportedProgram", "schema_version") == "int" else "object",
        UNIONS[version.unions], "[]" if shape_of("Argument", "as_none") == "unit" else "true",
        OPEN_END[shape_of("RangeConstraint", "min_val")], version.nulls.lower(),
        NON_FINITE[version.nonfinite], None if version.treespec == "0" else version.treespec,
        "yes" if version.ids == "IDS" else "no", version.note,
    ]


TYPES = [
    ("type", "the name of the type"),
    ("kind", "`struct`, `union` or `enum`"),
    ("clause", "where the type stands in appendix A"),
    ("in_program", "`yes` where an ExportedProgram of some version can hold it, else `no`"),
] + SPAN


def type_rows(history):
    reachable = history.reachable()
    for found in history.types.values():
        for since, until in found.spans:
            yield [found.name, found.kind.lower(), found.clause,
                   "yes" if found.name in reachable else "no",
                   history.versions[since].name, version_or_nothing(history, until)]


MEMBERS = [
    ("type", "the type that has the member"),
    ("member", "the field of a struct, the tag of a union, or the enumerator of an enum"),
    ("value", "the type of the value (3.4), without blanks in it; `int_or_infinite` is 2.7.1 (b),"
              " `true` the value of `as_none` from 8.2 on; `-` for an enumerator"),
    ("default", "of a field: `required`, or the JSON text of its default (3.5.4); else `-`"),
    ("number", "of an enumerator: the number that stands for it (3.7.1); else `-`"),
    ("id", "PyTorch's number for a field or tag, for information; `-`: none is known"),
] + SPAN
DEFAULTS = {
    "REQUIRED": "required", "NONE": "null", "FALSE": "false", "EMPTY_LIST": "[]",
    "EMPTY_DICT": "{}", "EMPTY_STR": '""', "OLD_TORCH": '"<=2.4"',
}


def value_text(history, member):
    if member.shape is None:
        return NOTHING
    text = history.shape_text(member.shape).replace(", ", ",").replace(" ", "_")
    return "true" if (member.name, text) == ("as_none", "bool") else text


def member_rows(history):
    for found in history.types.values():
        for m in found.members:
            enum = found.kind == "ENUM"
            yield [found.name, m.name, value_text(history, m),
                   DEFAULTS[m.default] if found.kind == "STRUCT" else NOTHING,
                   str(m.id) if enum else NOTHING, NOTHING if enum or m.id == 0 else str(m.id),
                   history.versions[m.since].name, version_or_nothing(history, m.until)]


ERRORS = [
    ("code", "the code"),
    ("number", "its number, never used again"),
    ("level", "`wire`, `schema`, `strings`, `program` or `archive` (1.2); `-`: no judgement of"
              " the document"),
    ("clause", "the clause of the error (1.5.4)"),
    ("message", "a sentence for people, for information"),
]


def error_rows(errors):
    for e in errors:
        level = NOTHING if e.level == "NONE" else e.level.lower()
        yield [e.code, str(e.number), level, e.clause, e.message]


# ---- operators ----------------------------------------------------------------

OPERATORS = [
    ("target", "the overload, as a target has it behind `torch.ops.`"),
    ("since", "the first release whose table has the row (F.1)"),
    ("until", "the first release whose table has it no longer; `-`: the last table has it"),
    ("tags", "`SEEDED` (5.6), or `-`"),
    ("arguments", "the arguments (F.1), in the order of the signature; `-`: none"),
    ("returns", "what is returned (F.1); `-`: nothing"),
]


def operator_rows():
    tables = dict(rows_named("ref/src/rules/operators.def", "TABLE"))
    for since, until, tags, target, arguments, returns in rows_named(
            "ref/src/rules/operators.def", "OPERATOR"):
        seeded = "SEEDED" in [tag.strip() for tag in tags.split("|")]
        yield [target, tables[since], NOTHING if until == "END" else tables[until],
               "SEEDED" if seeded else NOTHING, arguments, returns]


RELEASES = [
    ("release", "a release, of which operators.tsv has a table"),
    ("since", "the first version that its table judges"),
    ("until", "the first version that it judges no longer; `-`: it judges the last one"),
]


def release_rows(history):
    tables = dict(rows_named("ref/src/rules/operators.def", "TABLE"))
    for table, since, until in rows_named("ref/src/rules/release.def", "JUDGED"):
        yield [tables[table]] + span_of(history, since, until)


FACTS = [
    ("fact", "`CLOSED` (5.6.1), `NUMBERS` and `UNTYPED_EMPTY` (5.6.6), `INTS_LEFT_OUT` (5.6.7) or"
             " `FUNCTIONAL` (5.6.8)"),
    ("name", "of CLOSED a namespace; of NUMBERS a namespace, for all operators in it, or a"
             " namespace, a dot and an operator, for all its overloads; of FUNCTIONAL a verifier;"
             " else `-`"),
    ("since", "of UNTYPED_EMPTY and INTS_LEFT_OUT the first version that has it; else `-`"),
    ("until", "of these the first version that has it no longer; else `-`"),
]


def fact_rows(history):
    for fact, items in rows_of("ref/src/rules/release.def"):
        if fact in ("CLOSED", "FUNCTIONAL"):
            yield [fact, items[0], NOTHING, NOTHING]
        elif fact == "NUMBERS":
            yield [fact, ".".join(filter(None, items)), NOTHING, NOTHING]
        elif fact in ("INTS_LEFT_OUT", "UNTYPED_EMPTY"):
            yield [fact, NOTHING] + span_of(history, *items)
        elif fact != "JUDGED":
            raise Unusable("release.def: no annex has %s" % fact)


NUMBER_TAGS = "as_int as_float as_bool as_complex as_sym_int as_sym_float as_sym_bool"
LIST_TAGS = "as_ints as_floats as_bools as_sym_ints as_sym_floats as_sym_bools"
TAG_SETS = {"NUMBERS": NUMBER_TAGS.split(), "NUMBER_LISTS": LIST_TAGS.split()}

OPERATOR_TYPES = [
    ("type", "the type, as signatures spell it; 5.6 says which row is that of a type"),
    ("takes", "the tags that an Argument of the type may have, with blanks between; `any`: all"),
    ("gives", "the tags that an output of the type may have, likewise"),
]


def operator_type_rows():
    def tags_of(tags):
        if tags == "ANYTHING":
            return "any"
        names = [name.strip() for name in tags.split("|")]
        return " ".join(tag for name in names for tag in TAG_SETS.get(name, [name]))

    for _, text, takes, gives in rows_named("ref/src/rules/operator_types.def", "TYPE"):
        yield [text, tags_of(takes), tags_of(gives)]


EFFECTS = [
    ("class", "`MODE`, `CHECK`, `WRITES`, `ALIASES`, `ORDERED` or `QUIET` (6.3)"),
    ("target", "an overload, spelled as in operators.tsv; of QUIET the last name of the target of"
               " a higher-order operator"),
]


def effect_rows():
    for name, items in rows_of("ref/src/canon/effects.def"):
        yield [name] + items


# ---- names in strings ----------------------------------------------------------

EXPRESSIONS = [
    ("srepr", "the name in srepr; `-`: it does not stand there"),
    ("infix", "the name in infix, or an operator between its arguments x and y; `-`: it does not"
              " stand there"),
    ("form", "`function`, or `operator` where infix has it between, before or around its"
             " arguments"),
    ("least", "the least number of arguments"),
    ("most", "the largest number of arguments; `-`: no limit"),
    ("step", "the number of arguments is a multiple of it"),
    ("sorts", "the sorts of the arguments, with blanks between, the last one for all the rest:"
              " `int`; `bool`; `number`, an int or a float; `any`, one of these three;"
              " `nonzero-int` and `nonzero-number`, which are not the number 0; `same`, a number"
              " where the first is a number, else a bool; `arm`, what `ExprCondPair` gives;"
              " `same-arm`, likewise with a value that is a number where that of the first is one,"
              " else a bool"),
    ("result", "`int`, `float`, `bool` or `arm`; `argument`, the sort of the argument; `number`,"
               " int when all arguments are, else float; `others`, the same of all but the first;"
               " `arms`, bool when all values of arms are, else likewise of these; `power` (4.1.4)"),
]
SORTS = {
    "I": "int", "B": "bool", "N": "number", "D": "nonzero-number", "J": "nonzero-int", "A": "any",
    "S": "same", "P": "arm", "Q": "same-arm",
}
RESULTS = {
    "I": "int", "F": "float", "B": "bool", "N": "number", "C": "others", "A": "argument",
    "P": "arm", "E": "power",
}


def expression_rows():
    for macro, items in rows_of("ref/src/language/expression.def"):
        if macro == "FUNCTION":
            _, srepr, infix, least, most, step, letters, result = items
        else:
            _, srepr, opening, between, close, least, most, letters, result = items
            infix, step = opening + between.join(["x", "y"][: int(most) or 2]) + close, "1"
        result = "arms" if letters == "PQ" else RESULTS[result.strip("'")]
        yield [srepr, infix, macro.lower(), least, None if most == "0" else most, step,
               " ".join(SORTS[letter] for letter in letters), result]


TREE_SPECS = [
    ("type", "the type in a tree spec"),
    ("form", "the form of its context (4.2.4): `null`, `keys`, `fields`, `name`, `factory` or"
             " `maxlen`"),
] + SPAN


def tree_spec_rows(history):
    path = "ref/src/language/treespec_types.def"
    for name, form, since, until in rows_named(path, "TREESPEC_TYPE"):
        yield [name, "null" if form is None else form.lower()] + span_of(history, since, until)


TARGETS = [
    ("target", "the whole target"),
    ("kind", "`higher-order`, an operator; `function`, of symbols, whose arguments have names;"
             " `unnamed`, a function whose arguments have none and are not judged"),
    ("arguments", "of a function: its arguments (F.1); else `-`"),
    ("returns", "of a function: what it returns (F.1); else `-`"),
] + SPAN
TAKES = {"NUMBERS": "<number>", "BOOLS": "<bool>", "SYMBOLS": "<symbol>", "CHOICE": "<symbol>"}
GIVES = {
    "NUMBER": "<number>", "INT": "<int>", "FLOAT": "<float>", "BOOL": "<bool>",
    "SAME": "<symbol>",
}


def function_cells(names, takes, gives):
    if names is None:
        return ["unnamed", NOTHING, NOTHING]
    types = [TAKES[takes]] * len(names.split())
    if takes == "CHOICE":
        types[0] = "<bool>"
    arguments = ", ".join(" ".join(pair) for pair in zip(types, names.split()))
    return ["function", arguments, GIVES[gives]]


def target_rows(history):
    path, operator = "ref/src/language/target.def", ["higher-order", NOTHING, NOTHING]
    for name, *span in rows_named(path, "HIGHER_ORDER"):
        yield ["torch.ops.higher_order." + name] + operator + span_of(history, *span)
    for module, name, *span in rows_named(path, "LEGACY"):
        yield ["%s.%s" % (module, name)] + operator + span_of(history, *span)
    for module, name, arguments, takes, gives, *span in rows_named(path, "FUNCTION"):
        cells = function_cells(arguments, takes, gives)
        yield ["%s.%s" % (module, name)] + cells + span_of(history, *span)


# ---- files ----------------------------------------------------------------------


def annexes(history, errors):
    """All annexes, in the order of appendix F."""
    versions = (version_row(history, i) for i in range(len(history.versions)))
    made = [
        Annex("versions", "The versions, in their order (B.1), with their wire rules (B.2)", VERSIONS, versions),
        Annex("types", "The types, a row for each span of versions that has one (appendix A)",
              TYPES, type_rows(history)),
        Annex("members", "The fields, tags and enumerators of types (appendix A). The rows of one"
              " type that hold in a version are in the order in which an encoder writes them", MEMBERS,
              member_rows(history)),
        Annex("errors", "The error codes (appendix D)", ERRORS, error_rows(errors)),
        Annex("expressions", "The functions and operators of expressions (4.1, E.1)", EXPRESSIONS,
              expression_rows()),
        Annex("tree_specs", "The types of tree specs (4.2, E.2)", TREE_SPECS,
              tree_spec_rows(history)),
        Annex("targets", "The targets that are no overloads (4.5, E.3)", TARGETS,
              target_rows(history)),
        Annex("operators", "The signatures of operators (5.6). The rows of one target are"
              " together, the oldest first; no two of them hold at one release", OPERATORS,
              operator_rows()),
        Annex("releases", "The releases, in their order, and the versions that each one's table"
              " judges (5.6)",
              RELEASES, release_rows(history)),
        Annex("operator_types", "The tags that arguments and outputs of a type may have (5.6.6, 5.6.7, E.4)",
              OPERATOR_TYPES, operator_type_rows()),
        Annex("operator_facts", "What rules of 5.6 know of operators beyond their signatures", FACTS,
              fact_rows(history)),
        Annex("effects", "What 6.3 knows of operators beyond their signatures (E.5)", EFFECTS, effect_rows()),
    ]
    return [annex._replace(rows=list(annex.rows)) for annex in made]


def line_of(annex, cells):
    cells = [NOTHING if cell in (None, "") else cell for cell in cells]
    if len(cells) != len(annex.columns) or any("\t" in c or "\n" in c or "\\" in c for c in cells):
        raise Unusable("annex %s: no row of it: %r" % (annex.name, cells))
    return "\t".join(cells) + "\n"


def path_of(annex):
    return "%s/%s.tsv" % (FOLDER, annex.name)


def file_text(annex):
    heads = [name for name, _ in annex.columns]
    return "".join(line_of(annex, cells) for cells in [heads] + annex.rows)


def summary(made, table):
    """The list of files, as lines of a page."""
    lines = [["`%s.tsv`" % a.name, format(len(a.rows), ","), a.about + "."] for a in made]
    return table(["file", "rows", "what its rows are"], lines)


def appendix(made, table):
    """What appendix F generates: the list of files, and the columns of each."""
    out = ["### F.2 Files", ""] + summary(made, table)
    for number, annex in enumerate(made, 3):
        out += ["", "### F.%d `%s`" % (number, path_of(annex)), ""]
        out += table(["column", "what it holds"],
                     [["`%s`" % name, about] for name, about in annex.columns])
    return out
