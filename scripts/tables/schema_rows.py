"""A new schema version against the tables: what differs, and the rows that say it."""

from collections import namedtuple

import schema_tables
from schema_tables import (DEFAULTS, FUTURE, MACROS, MEMBERS, SCALARS, Unsupported, member_id,
                           member_key, with_until)

UNIONS = {"all_fields_with_nulls": "ALL_FIELDS", "type_value_pair": "TYPE_VALUE",
          "single_key_dict": "SINGLE_KEY"}
INDENT = "    "
# row: the member in the new version, or None; kind: of its type
Change = namedtuple("Change", "sign place text row kind")


def longest_common(one, other):
    """The pairs (i, j) of a longest common subsequence of two lists."""
    size = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            size[i][j] = size[i + 1][j + 1] + 1 if one[i] == other[j] \
                else max(size[i + 1][j], size[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif size[i + 1][j] >= size[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def parts_of(text):
    """The types between the outermost brackets of a type."""
    parts, depth = [""], 0
    for letter in text[text.index("<") + 1:-1]:
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def fallback_of(field):
    if field["required"]:
        return "REQUIRED"
    for token, value in DEFAULTS.items():
        if type(value) is type(field["default"]) and value == field["default"]:
            return token
    raise Unsupported(f"{field['name']}: no EP_FALLBACK in ref/src/schema/schema.h "
                      f"for the default {field['default']!r}")


def fields_of(row):
    """The members of a type of the catalogue: (name, value) or a field."""
    return list(row["values"].items()) if row["kind"] == "enum" else row["fields"]


def has_ids(types):
    return any("field_id" in field for row in types.values() for field in row.get("fields", ()))


class Step:
    """From the tables' latest version to the next one."""

    def __init__(self, tables, types, symbol):
        self.tables, self.new, self.symbol = tables, types, symbol
        self.last = len(tables.versions) - 1
        self.ids = has_ids(types)
        self.by_text = {tables.shape_text(name): name for name in tables.shapes
                        if tables.shapes[name][0] != "OPEN_END"}
        self.lines, self.after, self.new_shapes = list(tables.lines), {}, []

    # ------------------------------------------------------------ shapes

    def shape(self, text):
        """The name of a type of the catalogue; makes the shape if it is new."""
        if text in SCALARS or "<" not in text:
            return text
        if text not in self.by_text:
            self.by_text[text] = self.make_shape(text)
        return self.by_text[text]

    def make_shape(self, text):
        form, parts = text.split("<", 1)[0], parts_of(text)
        parts = [self.shape(part) for part in (parts[1:] if form == "dict" else parts)]
        if len(parts) > 2:
            raise Unsupported(f"{text}: a shape has two parts at most")
        name = "_".join([form, *parts])
        self.new_shapes.append([name, form.upper(), parts[0], (parts + ["none"])[1]])
        return name

    # ------------------------------------------------------------ members

    def items(self, type_name, kind, field):
        """A member of the new version, as the items of its row."""
        if kind == "ENUM":
            return [type_name, field[0], str(field[1]), self.symbol, FUTURE]
        number = str(field.get("field_id", 0))
        shape = self.shape(field["type"])
        if kind == "UNION":
            return [type_name, field["name"], shape, number, self.symbol, FUTURE]
        return [type_name, field["name"], shape, fallback_of(field), number, self.symbol, FUTURE]

    def has_number(self, row):
        """Did a version with field ids have the row? Then its id stands."""
        since = self.tables.number[row.items[-2]]
        return any(version.ids == "IDS" for version in self.tables.versions[since:])

    def key(self, row, numbers):
        """What of a row has to be as it was, for the row to go on."""
        key = member_key(row)
        if row.macro == "ENUMERATOR":
            return key
        key = (key[0], self.tables.shape_text(key[1]), *key[2:])
        if not self.ids:
            return key
        return key + (member_id(row) if self.has_number(row) else numbers.get(row.items[1]),)

    def new_key(self, kind, items):
        row = schema_tables.Row(None, MACROS[kind], items)
        key = member_key(row)
        if kind == "ENUM":
            return key
        texts = {name: text for text, name in self.by_text.items()}
        return (key[0], texts.get(key[1], key[1]), *key[2:]) + \
            ((member_id(row),) if self.ids else ())

    def put_after(self, line, text):
        self.after.setdefault(line, []).append(text)

    def close(self, row):
        """A row ends where the version begins."""
        self.lines[row.line] = with_until(self.lines[row.line], self.symbol)

    def number_row(self, row, items):
        """The first version with field ids gives a row its own."""
        if not self.ids or row.macro == "ENUMERATOR" or items[-3] == row.items[-3]:
            return
        begin = self.lines[row.line].index(row.items[-2], self.lines[row.line].index("("))
        head, tail = self.lines[row.line][:begin], self.lines[row.line][begin:]
        cut = head.rindex(row.items[-3] + ",")
        self.lines[row.line] = f"{head[:cut]}{items[-3] + ',':{len(head) - cut}}{tail}"

    def block(self, name):
        """Every row of the members of a type, those that ended too."""
        return [row for row in self.tables.of(*MEMBERS) if row.items[0] == name]

    def place(self, name, previous, kept):
        """The line after which a new member comes: behind those that ended there."""
        line = previous
        for row in self.block(name):
            if row.line > line:
                if row.line in kept:
                    break
                line = row.line
        return line

    def change_members(self, name):
        kind = self.new[name]["kind"].upper()
        old = self.tables.members(name, self.last)
        new = [self.items(name, kind, field) for field in fields_of(self.new[name])]
        numbers = {items[1]: int(items[-3]) for items in new if kind != "ENUM"}
        pairs = longest_common([self.key(row, numbers) for row in old],
                               [self.new_key(kind, items) for items in new])
        kept = {j: old[i] for i, j in pairs}
        lines = {row.line for row in kept.values()}
        for row in old:
            if row.line not in lines:
                self.close(row)
        previous = max(row.line for row in self.tables.of("TYPE") if row.items[0] == name)
        for j, items in enumerate(new):
            if j in kept:
                previous = kept[j].line
                self.number_row(kept[j], items)
            else:
                self.put_after(self.place(name, previous, lines), self.text(name, kind, items))

    def text(self, name, kind, items, beside=()):
        """A row, in the columns of its type."""
        rows = [row.items for row in self.block(name)] + list(beside) + [items]
        return INDENT + in_columns(MACROS[kind], items, rows)

    # ------------------------------------------------------------ types

    def new_type(self, name, previous):
        """The lines of a type that never was, and its name."""
        kind = self.new[name]["kind"].upper()
        clause = 1 + max(int(row.items[2].strip('"').split(".")[1])
                         for row in self.tables.of("TYPE")) + self.count("TYPE(")
        rows = [self.items(name, kind, field) for field in fields_of(self.new[name])]
        lines = ["", f'TYPE({name}, {kind}, "A.{clause}", {self.symbol}, {FUTURE})']
        lines += [self.text(name, kind, items, rows) for items in rows]
        self.put_after(self.end_of(previous), "\n".join(lines))
        names = {row.items[0]: row.line for row in self.tables.of("NAME")}
        self.put_after(names[previous], f"NAME({name})")

    def count(self, start):
        return sum(line.startswith(start) for texts in self.after.values()
                   for text in texts for line in text.split("\n"))

    def end_of(self, name):
        return max(row.line for row in self.tables.of("TYPE", *MEMBERS) if row.items[0] == name)

    def back(self, name):
        """A type that was there before: another span, and members anew."""
        row = [row for row in self.tables.of("TYPE") if row.items[0] == name][-1]
        kind = row.items[1]
        if kind != self.new[name]["kind"].upper():
            raise Unsupported(f"{name}: was a {kind}; a type has one kind")
        items = [*row.items[:3], self.symbol, FUTURE]
        self.put_after(row.line, f"TYPE({', '.join(items)})")
        for field in fields_of(self.new[name]):
            made = self.items(name, kind, field)
            self.put_after(self.end_of(name), self.text(name, kind, made))

    def change_types(self):
        old = {row.items[0]: row for row in self.tables.type_rows(self.last)}
        ever = set(self.tables.types())
        for name, row in old.items():
            if name not in self.new:
                for each in [row, *self.tables.members(name, self.last)]:
                    self.close(each)
            elif row.items[1] != self.new[name]["kind"].upper():
                raise Unsupported(f"{name}: another kind; a type has one kind")
        anchor = next(iter(old))
        for name in self.new:
            if name in old:
                self.change_members(name)
            elif name in ever:
                self.back(name)
            else:
                self.new_type(name, anchor)
                continue  # the next new one comes behind it, at the same line
            anchor = name

    # ------------------------------------------------------------ the result

    def put_shapes(self):
        rows = [row for row in self.tables.of("SHAPE") if row.items[1] != "OPEN_END"]
        for items in self.new_shapes:
            self.put_after(rows[-1].line,
                           in_columns("SHAPE", items, [row.items for row in rows] + [items]))

    def result(self):
        """schema.def with the version."""
        self.change_types()
        self.put_shapes()
        made = []
        for i, line in enumerate(self.lines):
            made += [line, *self.after.get(i, ())]
        return "\n".join(aligned("\n".join(made).split("\n"), self.symbol))


def in_columns(macro, items, rows):
    widths = [max(len(row[i]) for row in rows) + 1 for i in range(len(items))]
    cells = [f"{item + ',':{width}}" for item, width in zip(items[:-1], widths)]
    return f"{macro}({' '.join([*cells, items[-1]])})"


def column(line):
    """Where the version begins that a row is since."""
    return line.rindex(",", 0, line.rindex(","))


def aligned(lines, symbol):
    """The lines, with the types put in columns anew that a new row is too wide for."""
    blocks = {}
    for i, line in enumerate(lines):
        found = schema_tables.ROW.match(line)
        if found and found[2] in MEMBERS:
            items = schema_tables.items_of(found[3])
            blocks.setdefault(items[0], []).append((i, found[2], items))
    for block in blocks.values():
        new, old = ([column(lines[i]) for i, _, items in block if (items[-2] == symbol) == is_new]
                    for is_new in (True, False))
        if new and old and max(new) > max(old):
            for i, macro, items in block:
                lines[i] = INDENT + in_columns(macro, items, [each[2] for each in block])
    return lines


# ---- version.def ------------------------------------------------------------


def quoted(text):
    return f'"{text}"' if text else "NULL"


def version_numbers(number):
    """(major, minor, last minor), -1 where there is none."""
    possible = number.get("minor_one_of") or [number["minor"]]
    first, last = (-1 if minor is None else minor for minor in (possible[0], possible[-1]))
    return number["major"], first, last


def version_row(tables, schema, given):
    """The lines of a version; given: name, sibling, marker, nulls, nonfinite, releases, note."""
    last, (major, minor, end) = tables.versions[-1], version_numbers(schema["schema_version"])
    cells = [(schema_tables.symbol_of(given["name"]), 14), (f'"{given["name"]}"', 15),
             (str(major), 3), (str(minor), 4), (str(end), 4),
             ("SIBLING" if given["sibling"] else "OWNER", 9),
             (UNIONS[next(iter(schema["union_encoding"]))], 12),
             (given["nulls"] or last.nulls, 9), (given["nonfinite"] or last.nonfinite, 17),
             ("IDS" if has_ids(schema["types"]) else "NO_IDS", 8),
             (str(schema["treespec_version"] or 0), 3)]
    head = "".join(f"{text + ',':{width}}" for text, width in cells)
    return (f"VERSION({head}{quoted(given['marker'])},\n        "
            f"{quoted(' '.join(given['releases']))},\n        {quoted(given['note'])})\n")


# ---- what differs -----------------------------------------------------------


def member_text(field):
    if isinstance(field, tuple):
        return str(field[1])
    default = "" if field["required"] else f" = {field['default']!r}"
    number = f", id {field['field_id']}" if "field_id" in field else ""
    return f"{field['type']}{default}{number}"


def by_name(row):
    return {field[0] if isinstance(field, tuple) else field["name"]: field
            for field in fields_of(row)}


def member_changes(name, old, new):
    before, after, kind = by_name(old), by_name(new), new["kind"]
    for each in before:
        if each not in after:
            yield Change("-", f"{name}.{each}", member_text(before[each]), None, kind)
    for each in after:
        if each not in before:
            yield Change("+", f"{name}.{each}", member_text(after[each]), after[each], kind)
        elif before[each] != after[each]:
            yield Change("~", f"{name}.{each}", f"{member_text(before[each])} -> "
                         f"{member_text(after[each])}", after[each], kind)
    common = [[each for each in names if each in before and each in after]
              for names in (before, after)]
    if common[0] != common[1]:
        yield Change("~", name, "order: " + ", ".join(common[1]), None, kind)


def changes(old, new):
    """What is gone, new and changed between two "types" of the catalogue."""
    for name in old:
        if name not in new:
            yield Change("-", name, old[name]["kind"], None, None)
    for name, row in new.items():
        if name not in old:
            yield Change("+", name, row["kind"], None, None)
            for each, field in by_name(row).items():
                yield Change("+", f"{name}.{each}", member_text(field), field, None)
        else:
            yield from member_changes(name, old[name], row)


def plain(types):
    """The types of the catalogue, less what no table says."""
    return {name: {key: value for key, value in row.items() if key in ("kind", "fields", "values")}
            for name, row in types.items()}
