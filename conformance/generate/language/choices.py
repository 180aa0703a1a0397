"""Choices in guards (SPEC 4.4): without each of their parts, with one of them twice, of values of
two kinds, and with a number for a condition, in each place where a choice may stand.
"""

import itertools

from generate.language.languages import X, Y
from generate.language.texts import Texts
from generate.migrate.migrations import LATEST
from generate.whole import MARK as M

NUMBERS = ("1", X, "abs(" + X + ")", "(1 + 2)", X + " + 1", "(1 if True else 2)")
CONDITIONS = ("True", "1 < 2", X + " > 0", "not (True)", "(1 < 2)", "True and 1 < 2",
              "(True if 1 < 2 else False)")
PLACES = {  # where a number may be, and where a condition may
    False: ("%s == 1", "1 == %s", "abs(%s) == 1", "max(1, %s) == 1", "(%s) == 1", "1 + %s == 1",
            "(%s if True else 2) == 1", "(1 if True else %s) == 1", "not (%s == 1)"),
    True: ("%s", "not (%s)", "(%s)", "((%s))", "True and %s", "%s or 1 < 2",
           "(%s if True else False)", "(True if %s else False)", "(1 if %s else 2) == 1",
           "(True if True else %s)"),
}


def wrong(value, condition):
    """(label, text, why): a choice that lacks something, or has it twice."""
    yield "no-else", "(%s if %s%s)" % (value, condition, M), "It has no else."
    yield "no-if", "(%s%s else %s)" % (value, M, value), "It has no if."
    yield "no-condition", "(%s if %s else %s)" % (value, M, value), "It has no condition."
    yield "no-value", "(%s if %s else %s)" % (value, condition, M), "It has no second value."
    yield "two-ifs", "(%s if %s%s if %s else %s)" % (value, condition, M, condition, value), \
        "It has two conditions."
    yield "two-elses", "(%s if %s else %s%s else %s)" % (value, condition, value, M, value), \
        "It has three values."


def missing(texts):
    """Each value and each condition; each place for each that lacks its else or a value."""
    for is_condition, values in ((False, NUMBERS), (True, CONDITIONS)):
        place = PLACES[is_condition][0]
        for i, value in enumerate(values):
            condition = CONDITIONS[(i + 1) % len(CONDITIONS)]
            for label, text, why in wrong(value, condition):
                texts.bad("choice-%s-%d-%d" % (label, is_condition, i), texts.guard(place % text),
                          "EP_GUARD", None, why, also=["4.4.3"])
        for i, place in enumerate(PLACES[is_condition][1:]):
            value, condition = values[i % len(values)], (Y + " > 0", "True")[i % 2]
            for label, text, why in list(wrong(value, condition))[:1]:
                texts.bad("choice-%s-place-%d-%d" % (label, is_condition, i),
                          texts.guard(place % text), "EP_GUARD", None, why, also=["4.4.3"])


def kinds(texts):
    """Values of one kind and of two; a number where the condition is due."""
    for i, (number, condition) in enumerate(itertools.zip_longest(NUMBERS, CONDITIONS,
                                                                  fillvalue="2.5")):
        rows = (("number-first", "(%s if True else %s%s) == 1" % (number, condition, M)),
                ("condition-first", "(%s if True else %s%s)" % (condition, number, M)),
                ("number-asked", "(1 if %s%s else 2) == 1" % (number, M)))
        for label, text in rows:
            texts.bad("choice-%s-%d" % (label, i), texts.guard(text), "EP_GUARD", None,
                      "A number and a condition.", also=["4.4.3"])
    for is_condition, values in ((False, NUMBERS), (True, CONDITIONS)):
        for i, place in enumerate(PLACES[is_condition]):
            one, other = values[i % len(values)], values[(i + 1) % len(values)]
            text = "(%s if %s else %s)" % (one, CONDITIONS[i % len(CONDITIONS)], other)
            texts.good("choice-place-%d-%d" % (is_condition, i), texts.guard(place % text), "4.4.3",
                       "A choice in each place.")


def vectors(suite):
    texts = Texts(suite, LATEST, "guard")
    missing(texts)
    kinds(texts)
