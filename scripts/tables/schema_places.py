"""The places besides the tables that a new schema version touches, and what to do there.

The list is that of CONTRIBUTING.md, "Adding a schema version", less what the version
at hand cannot touch. Where a place depends on what came, the place says which.
"""

import os
import re

SEARCHED = ("ref/src", "ref/archive", "ref/gen", "ref/cli", "scripts", "conformance")
TEXTS = (".c", ".h", ".def", ".py", "")
TABLES = ("ref/src/schema/schema.def", "ref/src/schema/version.def")
LISTED = 6  # members named in one line

MEMBER_PLACES = {  # what came: (place, what to do)
    "Argument": [
        ("ref/src/schema/fields.def", "a MEMBER row, where code has to name the tag"),
        ("ref/src/rules/operator_rules.c", "which arguments of operators are written under the tag"),
        ("ref/src/builder/argument.c", "what the builder makes of such a value"),
        ("ref/src/canon_torch/names.c", "whether PyTorch's canonicalize looks into it for names"),
        ("ref/gen/special.c", "a program that has it"),
    ],
    "ScalarType": [
        ("ref/cli/show/printer.c", "how `epref show` writes the type"),
        ("ref/gen/signature.c", "the type in generated programs"),
    ],
    "InputSpec": [("ref/src/rules/signature.c", "what the input is and what it has to name")],
    "OutputSpec": [("ref/src/rules/signature.c", "what the output is and what it has to name")],
    "Node": [("ref/src/language/metadata.c", "if it tells what metadata told before")],
}


def texts_in(root):
    for folder in SEARCHED:
        for base, folders, names in os.walk(os.path.join(root, folder)):
            folders[:] = [name for name in folders if name not in ("vectors", "__pycache__")]
            for name in names:
                if os.path.splitext(name)[1] in TEXTS:
                    yield os.path.join(base, name)


def holding(root, pattern):
    """The files that hold a text, as paths in the repository."""
    found = []
    for path in texts_in(root):
        try:
            with open(path, encoding="utf-8") as file:
                held = re.search(pattern, file.read())
        except (OSError, UnicodeDecodeError):
            continue
        if held:
            found.append(os.path.relpath(path, root).replace(os.sep, "/"))
    return sorted(set(found) - set(TABLES))


def in_folders(paths):
    """The paths; where a folder has many, the folder."""
    folders = {}
    for path in paths:
        folders.setdefault(os.path.dirname(path), []).append(path)
    return ", ".join(f"{folder}/ ({len(held)} files)" if len(held) > LISTED else ", ".join(held)
                     for folder, held in folders.items())


def names(changes):
    told = [change.place for change in changes]
    more = f" and {len(told) - LISTED} more" if len(told) > LISTED else ""
    return ", ".join(told[:LISTED]) + more


def is_text(change):
    """Is it a field or a variant whose value is made of strings alone?"""
    return isinstance(change.row, dict) and re.fullmatch(r"(\w+<)*(str,)?str>*",
                                                         change.row["type"])


def of_members(changes):
    """What the members that came ask for."""
    came = [change for change in changes if change.sign == "+" and change.row is not None]
    for type_name, places in MEMBER_PLACES.items():
        mine = [change for change in came if change.place.split(".")[0] == type_name]
        if mine:
            yield from ((place, f"{what}: {names(mine)}") for place, what in places)
    texts = [change for change in came if is_text(change)]
    if texts:
        yield ("ref/src/language/languages.def",
               f"a SPEAKS row, if it holds an expression, a target or the like: {names(texts)}")


def of_migration(changes):
    needed = [change for change in changes if change.sign == "+" and change.kind == "struct"
              and change.row["required"]]
    parted = [change for change in changes if change.sign == "~" and change.row is not None]
    gone = [change for change in changes if change.sign == "-"]
    for found, what in ((parted, "another type or number: does an old value still fit"),
                        (needed, "no default: what an older program says there"),
                        (gone, "what a program that has it becomes")):
        if found:
            yield "ref/src/migrate/migrate.def", f"a step, if one is needed; {what}: {names(found)}"
    yield ("SPEC.md", "part 7: a clause for each new step; parts 1 to 5: what the version's "
                      "rules and texts say anew. Then scripts/tables/spec_tables writes the appendices")


def of_release(releases):
    if not releases:
        return
    yield ("corpora/operators/releases.tar.xz", f"the signatures of {releases[-1]}, by "
                                                "scripts/tables/import_operators --dump")
    yield "ref/src/rules/operators.def", "the same of all releases, by scripts/tables/import_operators"
    yield "ref/src/rules/release.def", "which of these tables judge the version"
    yield ("ref/archive/make/layout.def", "a row, if torch.export.save lays its archive out anew")
    yield ("corpora/golden", f"the programs of {releases[-1]}: scripts/golden/README.md")


def of_latest(root, tables):
    """Who names the version or the release that was the last one."""
    last = tables.versions[-1]
    name = re.escape(last.name.strip('"'))
    found = holding(root, rf'"{name}"|\b{last.symbol}\b')
    if found:
        yield in_folders(found), f"hold {last.name.strip(chr(34))}: does the latest belong there"
    if last.releases != "NULL":
        release = last.releases.strip('"').split()[-1]
        found = holding(root, rf'"{re.escape(release)}"')
        if found:
            yield in_folders(found), f"hold {release}: does the new release belong there"


def places(root, tables, changes, releases):
    """[(place, what to do)], in the order in which to do it."""
    found = [
        ("ref/src/schema/version.def", "the wire rules of the row (nulls, non-finite floats) are those "
                                "of the version before: compare with the release's serialize.py"),
        ("ref/test/cli/schema_views, corpora/README.md, corpora/schemas/README.md",
         "the number of files in corpora/schemas"),
        ("ref/src/language/expression.def, ref/src/language/treespec_types.def, ref/src/language/target.def",
         "what its expressions, tree specs and targets may say that older ones may not"),
        ("ref/src/rules/rules.def", "which rules it has, and a new rule its clause"),
    ]
    found += [*of_members(changes), *of_migration(changes), *of_release(releases)]
    found.append(("conformance/vectors", "rows that show its fields, at this version; "
                                         "a new rule gets some by hand"))
    return found + list(of_latest(root, tables)) + [("CHANGELOG.md", "a line")]
