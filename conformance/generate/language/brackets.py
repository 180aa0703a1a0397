"""Brackets in the texts of node metadata: too few, too many and of two kinds, at each place of
each part, before and behind each comma, colon and semicolon.
"""

from generate.language.texts import Texts
from generate.whole import MARK as M

BRACKETS = (")", "]", "(", "[", "()", "[]", ")(", "](", "(]", "[)", "(()", "())", "))((", "[(])",
            "(,)", "[,]", ")(,)", ")],", "),", "(,", ",(", ",)", ")[,]", "((,),)", "[(,],)", "()()",
            "(,)(,)", "))((,", "(x)", "])(x", ":", "(:)", ";", "(;)")
ENTRIES = {"new": "%s,%s,%s", "functions": "%s,%s", "old": "%s:(%s,%s)"}
PARTS = {"new": ("k", "p", "m.C"), "functions": ("f", "g.h"), "old": ("k", "p", "m.C")}


def new(entry):
    """Where an entry of 4.3.1 is wrong, from 2 on; None, it holds."""
    level, begins = 0, [0]
    for i, letter in enumerate(entry):
        level += (letter in "([") - (letter in ")]")
        if letter == "," and level == 0:
            if len(begins) == 3:
                return i
            begins.append(i + 1)
    if len(begins) < 3:
        return len(entry)
    if begins[1] == 1:
        return 0
    return len(entry) if begins[2] == len(entry) else None


def functions(entry):
    if entry.count(",") > 1:
        return entry.index(",", entry.index(",") + 1)
    if "," not in entry:
        return len(entry)
    at = entry.index(",")
    return 0 if at == 0 else len(entry) if at + 1 == len(entry) else None


def old(entry):
    """The same before 1-2023-12; False: what comes first is not said."""
    colon = entry.find(":")
    if colon < 0:
        return len(entry)
    if colon + 1 == len(entry) or entry[colon + 1] != "(":
        return colon + 1 if colon else False
    if colon == 0:
        return False
    level, commas, closed = 0, [], entry.endswith(")") and len(entry) > colon + 2
    inner = entry[colon + 2:-1] if closed else entry[colon + 2:]
    for i, letter in enumerate(inner):
        level += (letter == "(") - (letter == ")")
        if letter == "," and level == 0:
            commas.append(colon + 2 + i)
    if len(commas) > 1:
        return commas[1] if closed else False
    if not commas or not closed:
        return len(entry)
    return False if commas[0] + 1 == len(entry) - 1 else None


JUDGES = {"new": new, "functions": functions, "old": old}


def whole(kind, text):
    """Where the first entry that does not hold is wrong."""
    at = 0
    for entry in text.split(";"):
        wrong = JUDGES[kind](entry)
        if wrong is not None:
            return wrong if wrong is False else at + wrong
        at += len(entry) + 1
    return None


def places(kind):
    """An entry with something in each part of it, at the begin, the end, or instead."""
    parts = PARTS[kind]
    for i, part in enumerate(parts):
        for label, form in (("begin", "%s" + part), ("end", part + "%s"), ("alone", "%s")):
            said = list(parts)
            said[i] = form
            yield "%d-%s" % (i, label), ENTRIES[kind] % tuple(said)


def vectors(suite):
    for version, key, kind, clause, code in (
            ("8.20", "nn_module_stack", "new", "4.3.1", "EP_METADATA_MODULES"),
            ("2", "nn_module_stack", "new", "4.3.1", "EP_METADATA_MODULES"),
            ("8.20", "source_fn_stack", "functions", "4.3.2", "EP_METADATA_SOURCE"),
            ("1", "nn_module_stack", "old", "4.3.1", "EP_METADATA_MODULES")):
        texts = Texts(suite, version, "metadata")
        plain = ENTRIES[kind] % PARTS[kind]
        held = []
        for label, form in places(kind):
            for number, brackets in enumerate(BRACKETS):
                if version == "2" and number % 5:
                    continue
                entry = form % brackets
                for end, text in (("first", entry), ("second", plain + ";" + entry),
                                  ("before", entry + ";" + plain)):
                    if end != "first" and (number + len(label)) % 4:
                        continue
                    at = whole(kind, text)
                    if at is None:
                        held.append(text)
                    elif at is not False:
                        texts.bad("brackets-%s-%s-%d-%s" % (kind, label, number, end),
                                  texts.metadata(key, text[:at] + M + text[at:]), code, None,
                                  "Brackets and separators.")
        for number in range(0, len(held), 12):
            texts.good("brackets-%s-%d" % (kind, number // 12),
                       texts.metadata(key, ";".join(held[number:number + 12])), clause,
                       "Brackets that hold.", flags=["large"])
