"""The annexes of SPEC.md: the files of annex/. Appendix F says which there are, and what their
columns are.
"""

import re
from collections import namedtuple

from spec_rows import errors, read, rows_named, rows_of

FOLDER = "annex"
NOTHING = "-"  # a cell without a value

Annex = namedtuple("Annex", "name columns rows")

def span_of(history, since, until):
    since, until = history.span(since, until)
    return [history.versions[since].name, version_or_nothing(history, until)]


def version_or_nothing(history, version):
    return NOTHING if version == len(history.versions) else history.versions[version].name


# ---- versions and types ------------------------------------------------------

UNIONS = {"ALL_FIELDS": "all-fields", "TYPE_VALUE": "$type", "SINGLE_KEY": "single-key"}
NON_FINITE = {"BARE": "bare", "QUOTED_INFINITY": "quoted-infinity", "QUOTED": "quoted"}
OPEN_END = {"optional<int>": "null", "int": "none", "int or infinite": "Infinity"}


def version_rows(history):
    for i in range(len(history.versions)):
        yield version_row(history, i)


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


def type_rows(history):
    reachable = history.reachable()
    for found in history.types.values():
        for since, until in found.spans:
            yield [found.name, found.kind.lower(), found.clause,
                   "yes" if found.name in reachable else "no",
                   history.versions[since].name, version_or_nothing(history, until)]


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


def error_rows(_):
    for e in errors():
        level = NOTHING if e.level == "NONE" else e.level.lower()
        yield [e.code, str(e.number), level, e.clause, e.message]


# ---- operators ----------------------------------------------------------------

def operator_rows(_):
    """The one annex that is a source: import_operators makes it, and the code is made of it."""
    for line in read("annex/operators.tsv").splitlines()[1:]:
        yield line.split("\t")


def release_rows(history):
    tables = dict(rows_named("ref/src/rules/release.def", "TABLE"))
    for table, since, until in rows_named("ref/src/rules/release.def", "JUDGED"):
        yield [tables[table]] + span_of(history, since, until)


def fact_rows(history):
    for fact, items in rows_of("ref/src/rules/release.def"):
        if fact in ("CLOSED", "FUNCTIONAL"):
            yield [fact, items[0], NOTHING, NOTHING]
        elif fact == "NUMBERS":
            yield [fact, ".".join(filter(None, items)), NOTHING, NOTHING]
        elif fact in ("INTS_LEFT_OUT", "UNTYPED_EMPTY"):
            yield [fact, NOTHING] + span_of(history, *items)
        elif fact not in ("TABLE", "JUDGED"):
            raise ValueError("release.def: no annex has %s" % fact)


NUMBER_TAGS = "as_int as_float as_bool as_complex as_sym_int as_sym_float as_sym_bool"
LIST_TAGS = "as_ints as_floats as_bools as_sym_ints as_sym_floats as_sym_bools"
TAG_SETS = {"NUMBERS": NUMBER_TAGS.split(), "NUMBER_LISTS": LIST_TAGS.split()}

def operator_type_rows(_):
    def tags_of(tags):
        if tags == "ANYTHING":
            return "any"
        names = [name.strip() for name in tags.split("|")]
        return " ".join(tag for name in names for tag in TAG_SETS.get(name, [name]))

    for _, text, takes, gives in rows_named("ref/src/rules/operator_types.def", "TYPE"):
        yield [text, tags_of(takes), tags_of(gives)]


def effect_rows(_):
    for name, items in rows_of("ref/src/canon/effects.def"):
        yield [name] + items


# ---- names in strings ----------------------------------------------------------

SORTS = {
    "I": "int", "B": "bool", "N": "number", "D": "nonzero-number", "J": "nonzero-int", "A": "any",
    "S": "same", "P": "arm", "Q": "same-arm",
}
RESULTS = {
    "I": "int", "F": "float", "B": "bool", "N": "number", "C": "others", "A": "argument",
    "P": "arm", "E": "power",
}


def expression_rows(_):
    for macro, items in rows_of("ref/src/language/expression.def"):
        if macro == "FUNCTION":
            _, srepr, infix, least, most, step, letters, result = items
        else:
            _, srepr, opening, between, close, least, most, letters, result = items
            infix, step = opening + between.join(["x", "y"][: int(most) or 2]) + close, "1"
        result = "arms" if letters == "PQ" else RESULTS[result.strip("'")]
        yield [srepr, infix, macro.lower(), least, None if most == "0" else most, step,
               " ".join(SORTS[letter] for letter in letters), result]


def tree_spec_rows(history):
    path = "ref/src/language/treespec_types.def"
    for name, form, since, until in rows_named(path, "TREESPEC_TYPE"):
        yield [name, "null" if form is None else form.lower()] + span_of(history, since, until)


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


ROWS = {"versions": version_rows, "types": type_rows, "members": member_rows, "errors": error_rows,
        "expressions": expression_rows, "tree_specs": tree_spec_rows, "targets": target_rows,
        "operators": operator_rows, "releases": release_rows, "operator_types": operator_type_rows,
        "operator_facts": fact_rows, "effects": effect_rows}
LISTED = re.compile(r"^\| `(\w+)\.tsv` \| ([\d,]+) \|", re.MULTILINE)  # a row of F.2
SECTION = re.compile(r"^### F\.\d+ `%s/(\w+)\.tsv`\n(.*?)(?=^#|\Z)" % FOLDER, re.MULTILINE | re.DOTALL)
COLUMN = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


def annexes(history, spec):
    """All annexes, in the order of appendix F of a text."""
    columns = {name: COLUMN.findall(text) for name, text in SECTION.findall(spec)}
    listed = [name for name, _ in LISTED.findall(spec)]
    if not listed == list(columns) == list(ROWS):
        raise ValueError("SPEC.md: F.2 and what follows have not the annexes %s" % " ".join(ROWS))
    return [Annex(name, columns[name], list(rows(history))) for name, rows in ROWS.items()]


def line_of(annex, cells):
    cells = [NOTHING if cell in (None, "") else cell for cell in cells]
    if len(cells) != len(annex.columns) or any("\t" in c or "\n" in c or "\\" in c for c in cells):
        raise ValueError("annex %s: no row of it: %r" % (annex.name, cells))
    return "\t".join(cells) + "\n"


def path_of(annex):
    return "%s/%s.tsv" % (FOLDER, annex.name)


def file_text(annex):
    return "".join(line_of(annex, cells) for cells in [annex.columns] + annex.rows)


def counted(made, spec):
    """The text with the numbers of rows in F.2."""
    counts = {annex.name: format(len(annex.rows), ",") for annex in made}
    return LISTED.sub(lambda row: "| `%s.tsv` | %s |" % (row[1], counts[row[1]]), spec)


def summary(spec):
    """The list of files, F.2, as lines of a page."""
    return ["| file | rows | what its rows are |", "| --- | --- | --- |"] + [
        line for line in spec.splitlines() if LISTED.match(line)]
