"""What the lists of 6.3.1 add to signatures, operator by operator: an operator of WRITES writes
to all tensors that it is given, also beside those that its signature marks, and one of WRITES
or ALIASES joins all that it is given with what it returns; one of ORDERED keeps its place.
"""

from format.annexes import rows
from generate.canon.forms import LATEST, Forms
from generate.mutants.canon import Calls, fresh
from generate.rules.operator_kinds import parsed
from generate.whole import tensor, tensors

PLAIN = {"int": {"as_int": 1}, "float": {"as_float": 0.5}, "bool": {"as_bool": False},
         "List[int]": {"as_ints": [1]}, "str": {"as_string": "ij"}, "number": {"as_int": 1},
         "Layout": {"as_layout": 7}, "Device": {"as_device": {"type": "cpu", "index": None}}}


def of_class(kind):
    """The operators of a list, each with its newest row of annex/operators.tsv."""
    newest = {row["target"]: row for row in rows("operators")}
    return [newest[row["target"]] for row in rows("effects")
            if row["class"] == kind and row["target"] in newest]


def written_of(row):
    """The names of the arguments that a signature marks."""
    return {part.rpartition(" ")[2].rstrip("=") for part in row["arguments"].split(", ")
            if "!" in part}


def given_of(row, value, other):
    """Arguments: this tensor, and another one where the signature says that it writes; None:
    something else is due."""
    found = []
    marked = written_of(row)
    for kind, name, due, _ in parsed(row["arguments"]):
        name_of = other if name in marked else value
        if kind in ("Tensor", "Optional[Tensor]") and (due or kind == "Tensor"):
            found.append((name, tensor(name_of)))
        elif kind == "List[Tensor]" or (kind.startswith("List[__torch__") and due):
            found.append((name, tensors(name_of)))
        elif due and kind in PLAIN:
            found.append((name, PLAIN[kind]))
        elif due:
            return None
    return found


def returns_of(row):
    said = [part.partition("(")[0] for part in (row["returns"] or "").split(", ") if part]
    return said if said and said[0] == "Tensor" and set(said) <= {"Tensor", "int"} else None


def written(to):
    """What an operator of WRITES is given and does not mark is written all the same."""
    calls = Calls()
    for i, row in enumerate(of_class("WRITES")):
        value, other = fresh(calls, i), calls.add(
            "aten.clone.default", [("self", tensor("x"))], "d%d" % i, shown=False)
        given, returns = given_of(row, value, other), returns_of(row)
        if given and returns:
            calls.add("aten.neg.default", [("self", tensor(value))], "r%d" % i)
            calls.add(row["target"], given, "w%d" % i, returns)
            calls.add("aten.sin.default", [("self", tensor(value))], "s%d" % i)
    to.found("order-writes-unmarked", LATEST, [calls.program()], ["6.3.1", "6.3.3"],
             "Every operator of WRITES, also where its signature marks another argument.")


def joined(to):
    """What is returned and what was given are one group: a write to that is one to this."""
    for kind in ("WRITES", "ALIASES"):
        calls = Calls()
        for i, row in enumerate(of_class(kind)):
            value, other = fresh(calls, i), calls.add(
                "aten.clone.default", [("self", tensor("x"))], "d%d" % i, shown=False)
            given, returns = given_of(row, value, other), returns_of(row)
            if not given or not returns:
                continue
            made = calls.add(row["target"], given, "w%d" % i, returns, shown=False)
            calls.add("aten.relu_.default", [("self", tensor(made))], "a%d" % i)
            calls.add("aten.sin.default", [("self", tensor(value))], "s%d" % i)
            calls.add("aten.neg.default", [("self", tensor(other))], "t%d" % i)
        to.found("order-%s-joined" % kind.lower(), LATEST, [calls.program()], ["6.3.2"],
                 "Every operator of %s joins what it is given with what it returns." % kind)


def ordered(to):
    """An operator of ORDERED is known by nobody: it keeps its place, whatever it is given."""
    calls = Calls()
    for i, row in enumerate(of_class("ORDERED")):
        value = fresh(calls, i)
        given, returns = given_of(row, value, value), returns_of(row)
        if given is not None and returns:
            calls.add(row["target"], given, "o%d" % i, returns)
            calls.add("aten.rand.default", [("size", {"as_ints": [2]})], "r%d" % i)
    to.found("order-ordered-given", LATEST, [calls.program()], ["6.3.1", "6.3.3"],
             "Every operator of ORDERED that can be called keeps its place.")


def vectors(suite):
    to = Forms(suite)
    written(to)
    joined(to)
    ordered(to)
