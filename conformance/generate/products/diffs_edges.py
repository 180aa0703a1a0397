"""Differences at the edges: programs without white space, places in files of other lengths, the
last argument of a node, dicts that have as many keys and other ones, inputs of subgraphs.
"""

import copy

from format.document import Style
from generate.products.diffs import (F, LATEST, NODES, SIGNATURE, Pairs, Side, listed, program, row)
from generate.suite import change_between
from generate.whole import (Draft, call, custom_obj, meta, parameter, spec, sym_int, tensor,
                            user_input, user_output)

TOLD = 20  # differences, one by one
HEADER = {"verifiers": [""], "torch_version": "2.13.0"}


class Tight(Style):
    """No white space at all."""

    label = "-tight"
    comma, colon = ",", ":"


def spelled(suite):
    data = program()
    base = Side(data, style=Tight())
    name = "diff/tight/" + LATEST
    suite.valid(name, "diff", LATEST, base.text, ["6.1.1", "2.2.1"], "Two spellings of a program.",
                provenance="hand", other="diff/base/" + LATEST, flags=["foreign-spelling"],
                file="whole/8.20-diff-tight.json", product={"text": "[]"})
    value = NODES + "0/inputs/4/arg/as_int"

    def opset(data):
        data["header"]["opset_version"] = {"aten": 12345}

    def more(data):
        data["header"]["opset_version"] = {"aten": 10, "mylib": 1}

    def number(data):
        data["graph"]["nodes"][0]["inputs"][4]["arg"] = {"as_int": 7}

    def numbers(data):
        data["graph"]["nodes"][0]["inputs"][5]["arg"] = {"as_ints": [1, 2, 7]}
    third = NODES + "0/inputs/5/arg/as_ints/2"
    aten, mylib = ("opset_version", "aten"), ("opset_version", "mylib")
    header = ("header", "ExportedProgram", "opset_version")
    for label, change, told in (
            ("opset", opset, [row(*header, aten, aten)]),
            ("opset-more", more, [row(*header, None, mylib)]),
            ("int", number, [row("argument", "Argument", "as_int", value, value, target=F,
                                 argument="int")]),
            ("ints", numbers, [row("argument", "Argument", "as_ints", third, third, target=F,
                                   argument="ints")])):
        other = copy.deepcopy(data)
        change(other)
        side = Side(other, style=Tight())
        names = ["diff/tight-%s%s/%s" % (label, end, LATEST) for end in ("", "-back")]
        suite.valid_edit(names[0], name, None, ["6.1.1"], "No white space around it.",
                         provenance="hand", other=names[1], product=listed((base, side), told))
        suite.valid_edit(names[1], name, change_between(base.text, side.text), ["6.1.1"],
                         "No white space around it. The other way round.", provenance="hand",
                         other=names[0], product=listed((base, side), told, True))


def shifted(suite):
    """Two differences: the first makes one file longer than the other."""
    pairs = Pairs(suite, "shifted", program())
    first = 4
    inputs = NODES + "0/inputs/%d/arg/"
    for label, i, arg, path, kind, member, said in (
            ("ints", 5, {"as_ints": [1, 5, 3]}, "as_ints/1", "Argument", "as_ints", "ints"),
            ("bools", 9, {"as_bools": [False, False]}, "as_bools/0", "Argument", "as_bools",
             "bools"),
            ("lists", 18, {"as_int_lists": [[1, 2], [4]]}, "as_int_lists/1/0", "Argument",
             "as_int_lists", "lists")):
        def change(data, i=i, arg=arg):
            made = data["graph"]["nodes"][0]["inputs"]
            made[first]["arg"] = {"as_int": 1234567890123}
            made[i]["arg"] = arg
        long, where = inputs % first + "as_int", inputs % i + path
        pairs.pair(label, change, [
            row("argument", "Argument", "as_int", long, long, target=F, argument="int"),
            row("argument", kind, member, where, where, target=F, argument=said)],
            "Behind a number that is longer in one file.")


def last_kind(suite):
    """By position or by name, of each argument of a node."""
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x"))).tensors(
        x=meta(2), y=meta(2))
    draft.node(call("mylib.f.default", {"a": tensor("x"), "b": {"as_int": 1}, "c": {"as_int": 2}},
                    tensor("y")))
    pairs = Pairs(suite, "provenance-kinds", draft.give(user_output(tensor("y"))).data,
                  options={"provenance": True})
    for i in range(3):
        where = NODES + "0/inputs/%d/kind" % i

        def change(data, i=i):
            data["graph"]["nodes"][0]["inputs"][i]["kind"] = 2
        pairs.pair("%d" % i, change, [row("provenance", "NamedArgument", "kind", where, where)],
                   "The argument %d of three." % i)


def fewer_kinds(suite):
    """Many arguments, and one: kinds are compared of those that both have."""
    names, where = ["a%d" % i for i in range(60)], NODES + "0/inputs/%d"
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x"))).tensors(
        x=meta(2), y=meta(2))
    draft.node(call("mylib.f.default", {name: {"as_int": 1} for name in names}, tensor("y")))
    pairs = Pairs(suite, "provenance-fewer", draft.give(user_output(tensor("y"))).data,
                  options={"provenance": True})

    def change(data):
        del data["graph"]["nodes"][0]["inputs"][1:]
    rows = [row("argument", "NamedArgument", None, where % i, None, target=F, argument=names[i])
            for i in range(1, 1 + TOLD)]
    pairs.pair("one", change, rows, "Arguments that only one has.", more=len(names) - 1 - TOLD)


def keys(suite):
    """Dicts of as many entries, of which the keys differ, or what is under them."""
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x"))).tensors(
        x=meta(2), y=meta(2))
    said = {"as_string_to_argument": {"k": {"as_int": 1}, "l": {"as_int": 1}}}
    draft.node(call("mylib.f.default", {"a": tensor("x"), "d": said}, tensor("y")))
    pairs = Pairs(suite, "keys", draft.give(user_output(tensor("y"))).data)
    whole = NODES + "0/inputs/1/arg/as_string_to_argument"
    for label, other in (("first", {"j": {"as_int": 1}, "l": {"as_int": 1}}),
                         ("last", {"k": {"as_int": 1}, "m": {"as_int": 1}}),
                         ("both", {"a": {"as_int": 1}, "b": {"as_int": 1}}),
                         ("fewer", {"k": {"as_int": 1}})):
        def change(data, other=other):
            data["graph"]["nodes"][0]["inputs"][1]["arg"] = {"as_string_to_argument": other}
        pairs.pair(label, change, [row("argument", "Argument", "as_string_to_argument", whole, whole,
                                       target=F, argument="d")], "Other keys, the same values.")


def tokens(suite):
    """A token in both programs, among the specs that are compared by their kinds."""
    draft = Draft(header=copy.deepcopy(HEADER)).take(
        spec("token", "tok"), parameter("p", "w"), user_input(tensor("x")))
    draft.tensors(**{name: meta(2) for name in ("tok", "tok_1", "p", "x", "y")})
    draft.node(call("mylib.e.default", {"t": tensor("tok"), "x": tensor("x"), "w": tensor("p")},
                    [tensor("tok_1"), tensor("y")]))
    draft.give(spec("token", "tok_1"), user_output(tensor("y")))
    pairs = Pairs(suite, "tokens", draft.data)
    inputs = SIGNATURE + "input_specs/%d"

    def renamed(data):
        data["input_specs"][1]["parameter"]["parameter_name"] = "v"
    value = NODES + "0/inputs/2/arg/as_tensor/name"
    rows = [row("signature", "InputSpec", None, inputs % 1, None),
            row("signature", "InputSpec", None, None, inputs % 1),
            row("argument", "TensorArgument", "name", value, value,
                target="torch.ops.mylib.e.default", argument="w")]
    pairs.pair("parameter", renamed, rows, "Another parameter behind a token.",
               back=[rows[1], rows[0], rows[2]])


def numbered(suite):
    """Constants beside the program that are named like its values in the form, or nearly so: with
    zeros before the number, which is then none."""
    names = ("v0", "v00", "v000", "v1", "v01", "v001", "v2", "v02", "v", "w00")
    where = NODES + "0/inputs/1/arg/as_custom_obj/name"
    for first in names:
        draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x"))).tensors(
            x=meta(2), y=meta(2))
        draft.node(call("mylib.f.default", {"a": tensor("x"), "o": custom_obj(first)}, tensor("y")))
        pairs = Pairs(suite, "numbered-" + first, draft.give(user_output(tensor("y"))).data)
        for other in names:
            def change(data, other=other):
                data["graph"]["nodes"][0]["inputs"][1]["arg"] = custom_obj(other)
            if first < other:
                pairs.pair(other, change, [row("argument", "CustomObjArgument", "name", where,
                                               where, target=F, argument="o")], "Two constants.")
    for first in ("v01", "v1"):
        draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x"))).tensors(
            x=meta(2), y=meta(2))
        draft.node(call("mylib.f.default", {"a": tensor("x"), "o": custom_obj(first)}, tensor("y")))
        draft.take(user_input(custom_obj("p"))).table(
            "custom_obj_values", p=custom_obj("p")["as_custom_obj"])
        pairs = Pairs(suite, "numbered-given-" + first, draft.give(user_output(tensor("y"))).data)

        def given(data):
            data["graph"]["nodes"][0]["inputs"][1]["arg"] = custom_obj("p")
        pairs.pair("p", given, [row("argument", "CustomObjArgument", "name", where, where,
                                    target=F, argument="o")],
                   "A constant, and a value that the form names alike or nearly so.")


def other_kind(suite):
    """What a node gives is a tensor in one and a number in the other: no table has both."""
    draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x"))).tensors(
        x=meta(2), r=meta(5))
    draft.node(call("mylib.f.default", {"a": tensor("x")}, tensor("r")))
    pairs = Pairs(suite, "other-kind", draft.give(user_output(tensor("x"))).data)

    def change(data):
        data["graph"]["nodes"][0]["outputs"] = [sym_int("r")]
        del data["graph"]["tensor_values"]["r"]
        data["graph"]["sym_int_values"] = {"r": 3}
    where = NODES + "0/outputs/0"
    pairs.pair("number", change, [row("node", "Argument", None, where, where, target=F)],
               "A tensor, and a symbolic integer.")


def number_of(name):
    """What a name comes to for who takes each character behind the first for a digit."""
    number = 0
    for letter in name[1:]:
        number = 10 * number + ord(letter) - ord("0")
    return number


def lettered(suite):
    """Constants beside the program whose names have no digits, and would all be one number."""
    names, where = ("v.D", "v-N", "v+b"), NODES + "0/inputs/1/arg/as_custom_obj/name"
    told = [row("argument", "CustomObjArgument", "name", where, where, target=F, argument="o")]
    assert [number_of(name) for name in (*names, "v.E")] == [0, 0, 0, 1]

    def base(name):
        draft = Draft(header=copy.deepcopy(HEADER)).take(user_input(tensor("x"))).tensors(
            x=meta(2), y=meta(2))
        draft.node(call("mylib.f.default", {"a": tensor("x"), "o": custom_obj(name)}, tensor("y")))
        return draft.give(user_output(tensor("y")))
    for i, first in enumerate(names):
        pairs = Pairs(suite, "lettered-%d" % i, base(first).data)
        for j, other in enumerate(names[i + 1:]):
            def change(data, other=other):
                data["graph"]["nodes"][0]["inputs"][1]["arg"] = custom_obj(other)
            pairs.pair("%d" % j, change, told, "Two constants.")
    draft = base("v.E").take(user_input(custom_obj("p"))).table(
        "custom_obj_values", p=custom_obj("p")["as_custom_obj"])

    def given(data):
        data["graph"]["nodes"][0]["inputs"][1]["arg"] = custom_obj("p")
    Pairs(suite, "lettered-given", draft.data).pair(
        "p", given, told, "A constant, and a value that the form gives the number v1.")


def tied(suite):
    """Two parameters of one name: nodes that nothing but their order tells apart."""
    for name in ("w", "abcdefg", "abcdefgh", "abcdefghi"):
        draft = Draft(header={"torch_version": "<=2.4"}).take(
            parameter("pa", name), parameter("pb", name), user_input(tensor("x")))
        draft.tensors(**{each: meta(2) for each in ("pa", "pb", "x", "a", "b", "c", "y")})
        draft.node(call("mylib.g.default", {"self": tensor("pa")}, tensor("a")),
                   call("mylib.f.default", {"self": tensor("pa")}, tensor("b")),
                   call("mylib.f.default", {"self": tensor("pb")}, tensor("c")),
                   call("mylib.h.default", {"self": tensor("x")}, tensor("y")))
        for node in draft.data["graph"]["nodes"]:
            node["inputs"][0]["kind"] = None
        pairs = Pairs(suite, "tied-%d" % len(name), draft.give(user_output(tensor("y"))).data,
                      version="7.4")
        where = NODES + "%d/inputs/0/arg/as_tensor/name"

        def change(data):
            data["graph"]["nodes"][1]["inputs"][0]["arg"] = tensor("pb")
            data["graph"]["nodes"][2]["inputs"][0]["arg"] = tensor("pa")
        pairs.pair("turned", change, [
            row("argument", "TensorArgument", "name", where % i, where % i, target=F,
                argument="self") for i in (1, 2)], "Each takes the other parameter.")


def vectors(suite):
    tied(suite)
    spelled(suite)
    shifted(suite)
    last_kind(suite)
    fewer_kinds(suite)
    keys(suite)
    tokens(suite)
    numbered(suite)
    lettered(suite)
    other_kind(suite)
