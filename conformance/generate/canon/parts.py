"""Canonical forms: what is left out, the signature, names, dicts and lists
(SPEC 6.1, 6.2, 6.5, 6.6, 6.8).
"""

import copy
import json

from generate.canon.forms import (LATEST, OLD, SHOWN, Forms, argument, body, both, op, program,
                                  put, renumbered, replaced, shuffled, subgraph, text_of)
from format.history import ORDER
from generate.migrate.migrations import S0, S1, changed, kinds, put as drafted, written
from generate.whole import (GRAPH, NODES, buffer, call, custom_obj, entry, leaves, meta, parameter,
                            spec, sym_bool, sym_int, tensor, tensors, user_input, user_output)

SPECS = (LATEST, "7.3")
SIGNATURE = "graph_module/signature/"
MODULES = "graph_module/module_call_graph"


def add(one, other, output):
    return op("aten.add.Tensor", output, self=one, other=other)


def rectifier(**header):
    return program("v0", [op("aten.relu.default", "v1", self="v0")], "v1", header=header)


# ---- 6.1, 6.2 ---------------------------------------------------------------------

NOTED = {"stack_trace": "File \"m.py\", line 1", "own": "x"}


def everywhere(to):
    """The smallest program in every version."""
    for version in ORDER:
        dialect = "" if version in ("6.1-a", "6.1") else "ATEN"
        form = to.form("plain", version, rectifier(dialect=dialect), ["6.6.1"],
                       "The smallest program that does something.")
        if version in SHOWN + OLD:
            text = to.suite.bytes[form].decode("utf-8")
            to.case(form, "names", replaced(text, {"v0": "x", "v1": "relu"}), ["6.6.1"],
                    "Names as an exporter gives them.")


def left_out(to):
    node = "graph/nodes/0/"
    changes = [
        ("metadata", node + "metadata", NOTED, "Metadata of a node."),
        ("node-name", node + "name", "relu", "The name of a node."),
        ("torch-version", "header/torch_version", "2.13.0+cpu", "What wrote the file."),
        ("file-info", "graph/co_fileinfo_ordered_list", [
            {"file_name": "m.py", "line_info_map": {"0": {"name": "f", "line": "1"}}}],
         "Where it was written."),
        ("kind-positional", node + "inputs/0/kind", 1, "The kind of an argument."),
        ("kind-keyword", node + "inputs/0/kind", 2, "The kind of an argument."),
        ("forward-names", "root/forward_arg_names", ["x"], "Names of a signature."),
    ]
    cases = [(name, changed(rectifier(), drafted(path, value)), ["6.2.1"], why)
             for name, path, value, why in changes]
    whole = rectifier()
    for _, path, value, _ in changes:
        whole = changed(whole, drafted(path, value))
    cases.append(("all", whole, ["6.2.1"], "All at once."))
    cases.append(("example-inputs", put("example_inputs", [["AAEC"], {"k": ""}]), ["6.2.1"],
                  "Inputs to try."))
    cases.append(("equal", put("equality_constraints", [[["v0", 0], ["v0", 1]]]), ["6.1.1"],
                  "Migration drops these."))
    types = (LATEST, "1", "5.3-2024-03", "7.3")
    to.group("left-out", types, rectifier(), ["6.2.1"],
             "A program that says nothing of where it comes from.", cases)


def messages(to):
    """What a check prints, and what is as much a string and is none of that."""
    def checked(text):
        return program("v0 v1", [
            op("aten._assert_async.msg", "", ("self", argument("v1")), ("assert_msg", {
                "as_string": text})), op("aten.relu.default", "v2", self="v0")], "v2",
            tensor_values={"v1": meta(dtype=12)})

    def divided(text):
        return program("v0", [op("aten.div.Tensor_mode", "v1", ("self", argument("v0")), (
            "other", argument("v0")), ("rounding_mode", {"as_string": text}))], "v1")
    to.group("message", (LATEST, "7.3", "2"), checked(""), ["6.2.1"], "A check prints nothing.", [
        ("text", checked("Expected x > 0"), ["6.2.1"], "It prints a text."),
        ("nasty", checked("\u00e9\n\"v0\""), ["6.2.1"], "Another one.")])
    form = to.form("message-not", LATEST, divided("floor"), ["6.2.1"],
                   "A string that no check prints stays.")
    def compared(device):
        return program("v0", [op("aten._assert_tensor_metadata.default", "", ("a", argument("v0")), (
            "device", {"as_device": {"type": device, "index": None}})), op(
                "aten.relu.default", "v1", self="v0")], "v1")
    asked = to.form("message-not-asked", LATEST, compared("cpu"), ["6.2.1"],
                    "What a check compares stays.")
    to.form("message-not-asked-other", LATEST, compared("meta"), ["6.2.1"], "Another device.",
            different_from=asked)
    to.form("message-not-other", LATEST, divided("trunc"), ["6.2.1"], "Another is another program.",
            different_from=form)


def kept(to):
    """Kinds that a loader needs."""
    def with_kinds(target, *kinds_of):
        draft = program("v0", [call(target, {"a": tensor("v0"), "b": {"as_int": 2}},
                                    tensor("v1"))], "v1")
        for item, kind in zip(draft.data["graph"]["nodes"][0]["inputs"], kinds_of):
            item["kind"] = kind
        return draft
    operator = "higher_order.auto_functionalized"
    for target, label, versions in (
            (operator, "operator", (LATEST, "8.5-a")),
            ("torch._functorch.predispatch._make_dual", "mode", (LATEST, "8.18"))):
        for version in versions:
            positional = 0 if version == "8.5-a" else 1
            form = to.form("kind-" + label, version, with_kinds(target, positional, positional),
                           ["6.2.2"], "Arguments by place, that have names.")
            mixed = to.form("kind-%s-mixed" % label, version, with_kinds(target, positional, None),
                            ["6.2.2"], "One of them by place.", different_from=form)
            to.case(mixed, "keyword", with_kinds(
                target, positional, positional + 1), ["6.2.2", "6.2.1"], "KEYWORD is left out.")
    for target, label in (("_operator.add", "function"), ("#ns:op", "extension"),
                          ("mylib.f.default", "overload")):
        nodes = [op(target, sym_int("v1"), ("a", {"as_int": 2}), ("b", {"as_int": 3})),
                 op("aten.select.int", "v2", ("self", "v0"), ("dim", {"as_int": 0}),
                    ("index", sym_int("v1")))]
        for version in (LATEST, "8.5"):
            draft = program("v0", nodes, "v2", sym_int_values={"v1": 5})
            form = to.form("kind-" + label, version, draft, ["6.2.1", "6.2.2"],
                           "Another target: no kind.")
            to.case(form, "positional", kinds(copy.deepcopy(draft), 1), ["6.2.1", "6.2.2"],
                    "POSITIONAL.")
    inner = body("g0", "aten.neg.default")
    for version in (LATEST, "8.5"):
        nodes = [call("higher_order.strict_mode", [("", inner), ("", tensors("v0"))],
                      tensors("v1"))]
        draft = program("v0", nodes, "v1")
        form = to.form("kind-unnamed", version, draft, ["6.2.2", "6.2.1"],
                       "Arguments without names have no kind.")
        to.case(form, "positional", kinds(copy.deepcopy(draft), 1), ["6.2.2", "6.2.1"],
                "POSITIONAL, without a name.")


def returned(to):
    """is_hop_single_tensor_return."""
    place, inner = "graph/nodes/0/is_hop_single_tensor_return", body()
    strict = program("v0", [call("higher_order.strict_mode", [("", inner), ("", tensors("v0"))],
                                 tensor("v1"))], "v1")
    to.group("returns-tensor", (LATEST, "8.5-a"), strict, ["6.2.4"],
             "An operator that returns a tensor.", [
                 ("null", changed(strict, drafted(place, None)), ["6.2.4"], "Not said.")])
    to.group("returns-tuple", (LATEST, "8.5-a"), changed(strict, drafted(place, False)),
             ["6.2.4"], "A tuple of one tensor.", [
                 ("names", lambda text: replaced(text, {"v0": "x"}), ["6.6.1"],
                  "By another name.")], different_from="returns-tensor")
    pair = subgraph("g0", "v0", [op("aten.relu.default", "v1", self="v0")], "v0 v1")
    two = program("v0", [call("higher_order.strict_mode", [("", pair), ("", tensors("v0"))],
                              [tensor("v1"), tensor("v2")])], "v1 v2")
    to.group("returns-two", (LATEST, "8.5-a"), two, ["6.2.4"],
             "Two tensors: nobody looks at it.", [
                 ("false", changed(two, drafted(place, False)), ["6.2.4"], "False."),
                 ("true", changed(two, drafted(place, True)), ["6.2.4"], "True.")])
    to.group("returns-plain", (LATEST, "8.5-a"), rectifier(), ["6.2.4"],
             "No higher-order operator: nobody looks at it.", [
                 ("false", changed(rectifier(), drafted(place, False)), ["6.2.4"], "False."),
                 ("true", changed(rectifier(), drafted(place, True)), ["6.2.4"], "True.")])
    one = changed(changed(strict, drafted(place, None)),
                  drafted("graph/nodes/0/outputs", [tensors("v1")]))
    to.group("returns-list", (LATEST, "8.5-a"), one, ["6.2.4"], "A list of one, and not said.", [
        ("names", lambda text: replaced(text, {"v0": "x"}), ["6.6.1"], "By another name.")])


GUARD = "L['x'].size()[0] >= 2"


def guarded(to):
    versions = (LATEST, "8.14")
    named = changed(rectifier(guards_code=[GUARD]), drafted("root/forward_arg_names", ["x"]))
    to.group("guarded", versions, named, ["6.2.3"], "Guards speak of x.", [
        ("torch-version", put("torch_version", "2.14.1"), ["6.2.1"], "All else is left out."),
        ("metadata", put(NODES + "0/metadata", NOTED), ["6.2.1"], "All else is left out."),
    ])
    other = changed(rectifier(guards_code=[GUARD]), drafted("root/forward_arg_names", ["y"]))
    to.group("guarded-other", versions, other, ["6.2.3"], "The guard speaks of another thing.", [],
             different_from="guarded")
    none = rectifier(guards_code=[GUARD])
    to.group("guarded-null", versions, none, ["6.2.3"], "Names that are not said.", [],
             different_from="guarded")
    module = entry("sub", [tensor("v0")], [tensor("v1")])
    inner = changed(named, drafted("modules", [module]))
    to.group("guarded-module", versions, inner, ["6.2.3", "6.2.1"],
             "The root's names stay, those of a module do not.", [
                 ("names", put(MODULES + "/1/signature/forward_arg_names", ["x"]), ["6.2.3"],
                  "Names of another module.")])


def refused(to):
    for version in ("1", "5.3", "7.3", LATEST):
        form = to.name("plain", "form", version)
        draft = changed(rectifier(), drafted("graph/nodes/0/inputs/0/arg", tensor("nobody")))
        to.invalid("undefined", form, draft, "EP_VALUE_UNDEFINED",
                   NODES + "0/inputs/0/arg/as_tensor/name", "No program has no form.", ["6.1.1"])


# ---- 6.5: the signature -----------------------------------------------------------


def exchanged(side, *order):
    """What puts inputs or outputs, and their specs, in another order."""
    def change(text):
        root = json.loads(text)
        module = root["graph_module"]
        for owner, key in ((module["graph"], side + "s"), (module["signature"], side + "_specs")):
            if key in owner:
                owner[key] = [owner[key][i] for i in order]
        return json.dumps(root)
    return change


def holder():
    """Parameters, buffers, constants, an object, and two of the user's."""
    obj = {**custom_obj("v5")["as_custom_obj"]}
    takes = [parameter("v0", "a"), parameter("v1", "b"), buffer("v2", "A"), buffer("v3", "B.c"),
             spec("tensor_constant", "v4", tensor_constant_name="0"),
             {"custom_obj": {"arg": obj, "custom_obj_name": "_"}}, "v6", "v7"]
    nodes = [add("v0", "v1", "v8"), add("v8", "v2", "v9"), add("v9", "v3", "v10"),
             add("v10", "v4", "v11"), add("v11", "v6", "v12"), add("v12", "v7", "v13")]
    return program(takes, nodes, "v13", custom_obj_values={"v5": obj})


def inputs(to):
    clause = ["6.5.1", "6.6.1"]
    to.group("inputs", SPECS + ("3.1",), holder(), clause,
             "Parameters, buffers, constants, objects, each by name, then the user's.", [
                 ("names-turned", exchanged("input", 1, 0, 3, 2, 4, 5, 6, 7), clause,
                  "Parameters and buffers the other way round."),
                 ("rows-turned", exchanged("input", 5, 4, 3, 2, 1, 0, 6, 7), clause,
                  "Everything the other way round but the user's."),
                 ("rows-mixed", exchanged("input", 2, 0, 5, 1, 4, 3, 6, 7), clause, "Mixed.")])
    form = to.name("inputs", "form", LATEST)
    text = exchanged("input", 0, 1, 2, 3, 4, 5, 7, 6)(to.suite.bytes[form].decode("utf-8"))
    other = to.form("inputs-user", LATEST, renumbered(text, {"v6": "v7", "v7": "v6"}), clause,
                    "Inputs of the user the other way round: what a caller gives first.",
                    different_from=form)
    to.case(other, "names", text, clause, "By other names.")
    named = program([parameter("v0", "b"), parameter("v1", "ab"), parameter("v2", "a.b"),
                     parameter("v3", "\u00e9"), parameter("v4", "\U0001f600"), "v5"],
                    [add("v0", "v1", "v6"), add("v6", "v2", "v7"), add("v7", "v3", "v8"),
                     add("v8", "v4", "v9"), add("v9", "v5", "v10")], "v10")
    order = sorted(range(5), key=lambda i: ["b", "ab", "a.b", "\u00e9", "\U0001f600"][i])
    made = renumbered(exchanged("input", *order, 5)(text_of(LATEST, named)), {
        "v%d" % i: "v%d" % place for place, i in enumerate(order)})
    form = to.form("inputs-letters", LATEST, made, clause, "Names by their code points.")
    to.case(form, "turned", exchanged("input", 4, 3, 2, 1, 0, 5)(made), clause,
            "The other way round.")


def ties(to):
    """Parameters with one name, which the latest version has not: the form is not valid."""
    clause, two = ["6.5.1", "6.1.3"], [parameter("v0", "w"), parameter("v1", "w")]
    three = two + [parameter("v2", "w")]
    rows = (
        ("used", two + ["v2"], [add("v2", "v0", "v3"), op(
            "aten.mul.Tensor", "v4", self="v3", other="v1")], "v4", (1, 0, 2),
         "One name twice: the one that is looked at first is the first."),
        ("first", two + ["v2"], [op("aten.mul.Tensor", "v3", self="v1", other="v2"), op(
            "aten.div.Tensor", "v4", self="v0", other="v3")], "v4", (1, 0, 2),
         "A node's own first argument is looked at before the uses of its second."),
        ("node", two + ["v2"], [op("aten.sub.Tensor", "v3", self="v0", other="v1")], "v3",
         (1, 0, 2), "In one node the earlier use."),
        ("output", two + ["v2"], [op("aten.relu.default", "v3", self="v1")], "v0 v3", (1, 0, 2),
         "An output before what a later output needs."),
        ("outputs", three + ["v3"], [], "v0 v1 v3", (2, 1, 0, 3),
         "An output before no use at all."),
        ("written", two + ["v2"], [op("aten.relu.default", "v3", self="v0"), op(
            "aten.add_.Tensor", "v4", self="v2", other="v1")], "v3", (1, 0, 2),
         "What outputs need before what writers need."),
        ("outputs-alone", three, [], "v0 v1 v2", (1, 0, 2),
         "Nothing but such inputs, of which the last in the document is met last."),
    )
    for i, (label, takes, nodes, outputs, turn, why) in enumerate(rows):
        draft, label = program(takes, nodes, outputs, {"verifiers": [], "dialect": ""}), "ties-" + label
        to.unsaid(label, text_of(LATEST, draft))
        for version in ("5.4", "7.3", "8.7")[i % 3:i % 3 + 1]:
            to.other(label, "form", version, text_of(version, draft), clause, why)
            to.other(label, "turned", version, exchanged("input", *turn)(text_of(version, draft)),
                     clause, "The other one first in the document.")


def beside(to):
    """Custom objects that are no values: constants beside the program."""
    def draft(one, other):
        def taking(value, name):
            given = {"as_custom_obj": {"name": name, "class_fqn": "__torch__.C"}}
            return call("mylib.f.default", {"x": tensor("v1"), "o": given}, tensor(value))
        return program("v1", [taking("v3", one), taking("v4", other)], "v3 v4")
    for version in (LATEST, "3.1"):
        form = to.form("beside", version, draft("v0", "v2"), ["6.6.1", "6.6.3"],
                       "v0 and v2 are names of constants: they are passed over.")
        to.form("beside-other", version, draft("v2", "v0"), ["6.6.1", "6.6.3"],
                "Each takes the object of the other.", different_from=form)
        to.case(form, "names", replaced(text_of(version, draft("v0", "v2")), {
            "v1": "a", "v3": "v1", "v4": "c"}), ["6.6.1"], "Values by other names.")


def constant_inputs(to):
    takes = [{"constant_input": {"name": "v0", "value": {"as_int": 3}}}, "v1",
             {"constant_input": {"name": "v2", "value": {"as_string": "b"}}},
             {"constant_input": {"name": "v3", "value": {"as_none": True}}}, "v4"]
    draft = program(takes, [add("v1", "v4", "v5")], "v5")
    to.group("constant-input", ("5.3", "7.3", LATEST), draft, ["6.5.1", "6.6.1"],
             "Constants are counted, and stay where they are.", [
                 ("names", lambda text: replaced(text, {
                     "v0": "n", "v1": "x", "v2": "s", "v3": "none", "v4": "y", "v5": "add"}),
                  ["6.6.1"], "By other names."),
                 ("numbers", lambda text: replaced(text, {
                     "v0": "v5", "v1": "v0", "v5": "v1", "v2": "", "v3": "v3"}), ["6.6.1"],
                  "By names of others.")])
    user = program([user_input({"as_int": 3}), "v0"], [op("aten.relu.default", "v1", self="v0")],
                   "v1")
    to.group("constant-user", ("5.3", LATEST), user, ["6.6.1"],
             "A constant that is the user's has no name, and is not counted.", [
                 ("names", lambda text: replaced(text, {"v0": "x", "v1": "y"}), ["6.6.1"],
                  "By other names.")])


def outputs_of():
    """Mutations of all kinds, and two outputs."""
    takes = [parameter("v0", "p"), parameter("v1", "q"), buffer("v2", "a"), buffer("v3", "b"),
             "v4", "v5"]
    nodes = [add("v2", "v4", "v6"), add("v3", "v4", "v7"), add("v0", "v4", "v8"),
             add("v1", "v4", "v9"), add("v4", "v5", "v10"), add("v5", "v5", "v11"),
             op("aten.relu.default", "v12", self="v4"), op("aten.neg.default", "v13", self="v5")]
    gives = [spec("buffer_mutation", "v6", buffer_name="a"),
             spec("buffer_mutation", "v7", buffer_name="b"),
             spec("parameter_mutation", "v8", parameter_name="p"),
             spec("parameter_mutation", "v9", parameter_name="q"),
             spec("user_input_mutation", "v10", user_input_name="v4"),
             spec("user_input_mutation", "v11", user_input_name="v5"),
             user_output(tensor("v12")), user_output(tensor("v13"))]
    return takes, nodes, gives


def outputs(to):
    takes, nodes, gives = outputs_of()
    to.group("outputs", (LATEST, "8.19"), program(takes, nodes, gives), ["6.5.2", "6.4.1"],
             "Mutations of buffers, of parameters, of the user's, then outputs.", [
                 ("turned", exchanged("output", 5, 4, 3, 2, 1, 0, 6, 7), ["6.5.2"],
                  "The mutations the other way round."),
                 ("mixed", exchanged("output", 2, 4, 0, 5, 3, 1, 6, 7), ["6.5.2"], "Mixed.")])
    takes = [buffer("v0", "a"), buffer("v1", "b"), "v2", "v3"]
    nodes = [add("v0", "v2", "v4"), add("v1", "v2", "v5"), add("v2", "v3", "v6"),
             add("v3", "v3", "v7"), op("aten.relu.default", "v8", self="v2")]
    gives = [spec("buffer_mutation", "v4", buffer_name="a"),
             spec("buffer_mutation", "v5", buffer_name="b"),
             spec("user_input_mutation", "v6", user_input_name="v2"),
             spec("user_input_mutation", "v7", user_input_name="v3"), user_output(tensor("v8"))]
    to.group("outputs-old", (LATEST, "5.3"), program(takes, nodes, gives),
             ["6.5.2", "6.4.1"], "The same, where parameters are not changed.", [
                 ("turned", exchanged("output", 3, 2, 1, 0, 4), ["6.5.2"],
                  "The mutations the other way round."),
                 ("mixed", exchanged("output", 2, 1, 3, 0, 4), ["6.5.2"], "Mixed.")])
    for version in SHOWN:
        one, two = (program("v0", [op("aten.relu.default", "v1", self="v0"),
                                   op("aten.neg.default", "v2", self="v0")], "v1 v2"),
                    program("v0", [op("aten.neg.default", "v1", self="v0"),
                                   op("aten.relu.default", "v2", self="v0")], "v1 v2"))
        form = to.form("outputs-user", version, one, ["6.5.2"], "Two outputs of the user.")
        to.form("outputs-user-turned", version, two, ["6.5.2"],
                "The other way round: what a caller gets first.", different_from=form)
        form = to.form("outputs-twice", version, program("v0", [
            op("aten.relu.default", "v1", self="v0")], "v1 v1 v0"), ["6.5.2"],
            "A value that is two outputs, and an input that is one.")
        to.case(form, "names", replaced(to.suite.bytes[form].decode("utf-8"), {
            "v0": "v1", "v1": "v0"}), ["6.6.1"], "By each other's names.")


def gradients():
    takes = [parameter("v0", "p"), parameter("v1", "q"), "v2", "v3"]
    nodes = [add("v0", "v2", "v4"), add("v4", "v1", "v5"), add("v5", "v2", "v6"),
             add("v6", "v3", "v7"), add("v7", "v0", "v8")]
    gives = [spec("loss_output", "v4"), spec("gradient_to_parameter", "v5", parameter_name="p"),
             spec("gradient_to_parameter", "v6", parameter_name="q"),
             spec("gradient_to_user_input", "v7", user_input_name="v2"),
             spec("gradient_to_user_input", "v8", user_input_name="v3")]
    return program(takes, nodes, gives)


def losses(to):
    to.group("gradients", (LATEST, "2", "7.3"), gradients(), ["6.5.2"],
             "A loss, gradients to parameters by name, to inputs by place.", [
                 ("turned", exchanged("output", 0, 4, 3, 2, 1), ["6.5.2"], "The other way round."),
                 ("mixed", exchanged("output", 0, 3, 2, 4, 1), ["6.5.2"], "Mixed.")])


def tokens(to):
    takes = [spec("token", "v0"), spec("token", "v1"), buffer("v2", "a"), "v3"]
    nodes = [call("mylib.effect.default", {"t": tensor("v0"), "x": tensor("v3")},
                  [tensor("v4"), tensor("v5")]),
             call("mylib.effect.default", {"t": tensor("v1"), "x": tensor("v2")},
                  [tensor("v6"), tensor("v7")])]
    gives = [spec("token", "v4"), spec("token", "v6"), user_output(tensor("v5")),
             user_output(tensor("v7"))]
    draft = program(takes, nodes, gives)
    to.form("tokens", "7.3", draft, ["6.5.1", "6.5.2"], "Two tokens that go through.")
    form = to.name("tokens", "form", LATEST)
    text = to.suite.bytes[form].decode("utf-8")
    turned = renumbered(exchanged("input", 1, 0, 2, 3)(text), {"v0": "v1", "v1": "v0"})
    to.form("tokens-inputs", LATEST, turned, ["6.5.1"],
            "Tokens stay as they come: the other one first.", different_from=form)


# ---- the signature of version 1 ---------------------------------------------------------


def dicts(to):
    takes = [parameter("v0", "a"), parameter("v1", "b"), buffer("v2", "A"), buffer("v3", "B"),
             "v4", "v5"]
    nodes = [add("v0", "v1", "v6"), add("v6", "v2", "v7"), add("v3", "v4", "v8"),
             add("v7", "v5", "v9")]
    gives = [spec("buffer_mutation", "v7", buffer_name="A"),
             spec("buffer_mutation", "v8", buffer_name="B"), user_output(tensor("v9")),
             user_output(tensor("v6"))]
    draft = program(takes, nodes, gives)
    turn = [shuffled(SIGNATURE + key) for key in ("inputs_to_parameters", "inputs_to_buffers",
                                                  "buffers_to_mutate")]
    cases = [("parameters", turn[0]), ("buffers", turn[1]), ("mutations", turn[2]),
             ("all", both(*turn)), ("inputs", exchanged("input", 4, 3, 1, 5, 2, 0)),
             ("inputs-dicts", both(turn[0], turn[1], exchanged("input", 1, 0, 3, 2, 4, 5))),
             ("outputs", exchanged("output", 2, 1, 0, 3))]
    to.group("dicts", ("1", "1-2023-08"), draft, ["6.5.1", "6.5.2"], "The dicts of version 1.",
             [(name, change, ["6.5.1", "6.5.2"], "In another order.") for name, change in cases])
    joint = gradients()
    joint.data["output_specs"] = [user_output(tensor("v4"))]
    joint.data["backward"] = {"gradients_to_parameters": {"v5": "p", "v6": "q"},
                              "gradients_to_user_inputs": {"v7": "v2", "v8": "v3"},
                              "loss_output": "v4"}
    joint.data["root"]["out_spec"] = leaves(1)
    back = SIGNATURE + "backward_signature/"
    for version in ("1", "1-2023-08"):
        form = to.form("gradients", version, joint, ["6.5.2"], "Gradients in dicts.")
        text = to.suite.bytes[form].decode("utf-8")
        to.case(form, "parameters", shuffled(back + "gradients_to_parameters")(text), ["6.5.2"],
                "Turned round.")
        to.case(form, "inputs", shuffled(back + "gradients_to_user_inputs")(text), ["6.5.2"],
                "Turned round.")
        to.case(form, "names", replaced(text, {
            "v2": "x", "v3": "y", "v4": "loss", "v5": "gp", "v6": "gq", "v7": "gx", "v8": "gy"}),
            ["6.6.3"], "By other names.")


# ---- 6.6: names -----------------------------------------------------------------------------

NASTY = {"v0": "v10", "v1": "_0", "v2": "v0", "v3": "a b\"\\", "v4": "\u00e9\U0001f600",
         "v5": "v01", "v6": "V6", "v7": "v6 ", "v8": "x", "v9": "xx", "v10": "v1", "v11": "v"}


def values(to):
    nodes = [op("aten.relu.default", "v1", self="v0"), add("v0", "v1", "v2")]
    nodes += [add("v%d" % (i - 1), "v%d" % (i - 2), "v%d" % i) for i in range(3, 12)]
    draft = program("v0", nodes, "v11 v9")
    to.group("names", SHOWN + ("1", "3.1"), draft, ["6.6.1", "6.6.3", "6.8.1"], "Twelve values.", [
        ("nasty", lambda text: replaced(text, NASTY), ["6.6.1"],
         "Names of others, and such as look like one."),
        ("table", shuffled(GRAPH + "tensor_values"), ["6.8.1"],
         "The table the other way round."),
        ("table-names", lambda text: shuffled(GRAPH + "tensor_values")(replaced(text, NASTY)),
         ["6.6.1", "6.8.1"], "Both."),
        ("underscores", lambda text: replaced(text, {
            "v%d" % i: "_%d" % (11 - i) for i in range(12)}), ["6.6.1"],
         "Names of PyTorch's own form.")])
    split = [op("aten.split.Tensor", argument(["v1", "v2"]), self="v0", split_size=1),
             op("aten.max.dim", "v3 v4", self="v1", dim=0), add("v3", "v2", "v5")]
    to.group("names-lists", SHOWN + ("1",), program("v0", split, "v5 v4"), ["6.6.1"],
             "Values in a list, and several of a node.", [
                 ("names", lambda text: replaced(text, {
                     "v1": "v2", "v2": "v1", "v3": "v4", "v4": "v3", "v5": "x"}), ["6.6.1"],
                  "By each other's names.")])
    modules = changed(program("v0", [op("aten.relu.default", "v1", self="v0")], "v1"),
                      drafted("modules", [entry("a", [tensor("v0")], [tensor("v1")]), entry("b")]))
    to.group("names-modules", SPECS + ("2",), modules, ["6.6.3"], "A module names values.", [
        ("names", lambda text: replaced(text, {"v0": "x", "v1": "v0"}), ["6.6.3"],
         "By other names.")])


def objects(to):
    obj = custom_obj("v0")["as_custom_obj"]
    draft = program([{"custom_obj": {"arg": obj, "custom_obj_name": "o"}}, "v1"], [
        call("higher_order.call_torchbind", [("", {"as_custom_obj": obj}), ("", {
            "as_string": "add_tensor"}), ("", tensor("v1"))], tensor("v2"))], "v2",
        custom_obj_values={"v0": obj})
    to.group("objects", (LATEST, "7.3"), draft, ["6.6.1", "6.6.3"],
             "A custom object, and what its entry calls it.", [
                 ("names", lambda text: replaced(text, {"v0": "obj_o", "v1": "x", "v2": "y"}),
                  ["6.6.3"], "By other names."),
                 ("entry", put(GRAPH + "custom_obj_values/v0/name", "anything"), ["6.6.3"],
                  "The entry has a name of its own."),
                 ("entry-empty", put(GRAPH + "custom_obj_values/v0/name", ""), ["6.6.3"],
                  "The entry has none.")])


def graphs(to):
    def conditional(one, two, first, second, pred="v1"):
        return call("higher_order.cond", [
            ("", tensor(pred)), ("", subgraph(first, "v0", [op(one, "v1", self="v0")], "v1")),
            ("", subgraph(second, "v0", [op(two, "v1", self="v0")], "v1")),
            ("", tensors("v0"))], tensors("v2" if pred == "v1" else "v3"))
    predicate = meta(dtype=12)
    one = [conditional("aten.relu.default", "aten.neg.default", "g0", "g1"),
           {**conditional("aten.sin.default", "aten.cos.default", "g2", "g3"),
            "outputs": [tensors("v3")]}, add("v2", "v3", "v4")]
    draft = program("v0 v1", one, "v4", tensor_values={"v1": predicate})
    versions = (LATEST, "4.2", "7.3")
    to.group("graphs", versions, draft, ["6.6.2"], "Subgraphs, in the order of the nodes.", [
        ("names", lambda text: replaced(text, {"g0": "true_graph_0", "g1": "false_graph_0", "g2":
                                               "g0", "g3": "g1"}), ["6.6.2"], "By other names."),
        ("nodes", lambda text: turned_nodes(text, 1, 0), ["6.6.2", "6.4.1"],
         "The nodes the other way round."),
        ("values", lambda text: replaced(text, {"v0": "x", "v1": "p", "v2": "a", "v3": "b",
                                                "v4": "c"}), ["6.6.1"], "By other names.")])
    inner = subgraph("g0", "v0", [conditional_in()], "v1")
    deep = program("v0", [call("higher_order.strict_mode", [("", inner), ("", tensors("v0"))],
                               tensors("v1"))], "v1")
    to.group("graphs-deep", (LATEST, "7.3"), deep, ["6.6.2", "6.6.1"],
             "A graph in a graph: each counts for itself.", [
                 ("names", lambda text: replaced(text, {"g0": "body", "v0": "a", "v1": "b"}),
                  ["6.6.2"], "By other names.")])


def conditional_in():
    return call("higher_order.strict_mode", [("", body("g0")), ("", tensors("v0"))],
                tensors("v1"))


def turned_nodes(text, *order):
    """With the first nodes of the graph in this order."""
    root = json.loads(text)
    nodes = root["graph_module"]["graph"]["nodes"]
    nodes[:len(order)] = [nodes[i] for i in order]
    return json.dumps(root)


# ---- 6.8: dicts and lists ---------------------------------------------------------------------


def tables(to):
    for version, texts in ((LATEST, (S0, S1)), ("7.3", ("s0", "s1"))):
        sizes = meta(*texts, strides=[texts[1], 1])
        rows = [op("aten.sym_size.int", sym_int("v%d" % (i + 1)), self="v0", dim=i)
                for i in range(2)]
        rows += [op("_operator.lt", sym_bool("v3"), a=sym_int("v1"), b=sym_int("v2")),
                 op("_operator.gt", sym_bool("v4"), a=sym_int("v1"), b=sym_int("v2"))]
        less, more = (("StrictLessThan(%s, %s)", "StrictGreaterThan(%s, %s)") if version == LATEST
                      else ("%s < %s", "%s > %s"))
        limits = {"s0": {"min_val": 2, "max_val": 9}, "s1": {"min_val": 3, "max_val": 9}}
        draft = program("v0", rows, [sym_bool("v3"), sym_bool("v4")], {"range_constraints": limits},
                        tensor_values={"v0": sizes},
                        sym_int_values={"v1": texts[0], "v2": texts[1]},
                        sym_bool_values={"v3": less % texts, "v4": more % texts})
        form = to.form("tables", version, draft, ["6.8.1", "6.6.1"], "Three tables.")
        text = to.suite.bytes[form].decode("utf-8")
        for key in ("sym_int_values", "sym_bool_values"):
            to.case(form, key.replace("_", "-"), shuffled(GRAPH + key)(text), ["6.8.1"],
                    "The table the other way round.")
        to.case(form, "ranges", shuffled("range_constraints")(text), ["6.8.1"],
                "Ranges the other way round.")
        to.case(form, "names", both(*[shuffled(GRAPH + key) for key in (
            "sym_int_values", "sym_bool_values")])(replaced(text, {
                "v1": "v2", "v2": "v1", "v3": "v4", "v4": "v3"})), ["6.8.1", "6.6.3"],
                "By each other's names.")


def headers(to):
    draft = rectifier()
    draft.data["module"]["metadata"] = {"A": "1", "a": "2", "a.b": "3"}
    to.group("module-metadata", (LATEST, "7.3"), draft, ["6.8.1", "6.8.4"],
             "Metadata of the module stays, and is sorted.", [
                 ("turned", shuffled("graph_module/metadata"), ["6.8.1"], "The other way round.")])
    guards = [GUARD, "L['x'].size()[0] <= 100", "L['x'].size()[1] == 3"]
    to.group("guards", (LATEST, "8.14"), rectifier(guards_code=sorted(guards)), ["6.8.3"],
             "Guards are sorted.", [
                 ("turned", shuffled("guards_code"), ["6.8.3"], "The other way round."),
                 ("mixed", put("guards_code", guards[1:] + guards[:1]), ["6.8.3"], "Mixed.")])
    twice = rectifier(guards_code=[GUARD, GUARD])
    to.group("guards-twice", (LATEST,), twice, ["6.8.3", "6.8.4"],
             "A guard that is said twice: nothing is merged.", [])
    for label, verifiers in (("one", ["EDGE"]), ("two", ["EDGE", "ATEN"])):
        to.group("verifiers-" + label, (LATEST, "7.1"), rectifier(verifiers=verifiers), ["6.8.4"],
                 "Verifiers stay, in their order.", [])
    to.group("dialect", ("2", "5.3"), rectifier(dialect="EDGE", verifiers=["EDGE"]), ["6.8.4"], "The dialect stays.",
             [])


def entries_at(*places):
    """What puts the entries of the module call graph behind the root into this order."""
    def change(text):
        root = json.loads(text)
        found = root["graph_module"]["module_call_graph"]
        root["graph_module"]["module_call_graph"] = found[:1] + [found[i] for i in places]
        return json.dumps(root)
    return change


def modules(to):
    # the calls of a stand behind it; else by code points
    listed = ["a", "a@0", "a@1", "a@2", "a@10", "a.b", "a@x", "b", "b10", "b2"]
    entries = [entry(each, [tensor("v0")], [tensor("v1")]) for each in listed]
    draft = changed(rectifier(), drafted("modules", entries))
    to.group("modules", (LATEST, "8.2"), draft, ["6.8.2"],
             "By name, and later calls behind the first by number.", [
                 ("turned", entries_at(10, 9, 8, 7, 6, 5, 4, 3, 2, 1), ["6.8.2"],
                  "The other way round."),
                 ("texts", entries_at(1, 6, 2, 3, 5, 4, 7, 8, 9, 10), ["6.8.2"], "As texts are sorted."),
                 ("behind", entries_at(1, 6, 7, 8, 9, 10, 2, 3, 4, 5), ["6.8.2"],
                  "Later calls behind all modules.")])
    alone = changed(rectifier(), drafted("modules", [
        entry("c@1"), entry("c@01"), entry("c@2"), entry("@3"), entry("d@")]))
    alone.data["modules"] = [alone.data["modules"][i] for i in (3, 0, 1, 2, 4)]
    to.group("modules-equal", (LATEST, "7.3"), alone, ["6.8.2"],
             "1 and 01 are equal, and stay in their order; @ without digits is a name.", [
                 ("turned", entries_at(5, 4, 2, 3, 1), ["6.8.2"], "The others the other way round.")])
    nameless = changed(rectifier(), drafted("modules", [
        entry(each) for each in ("@2", "@10", "a")]))
    to.group("modules-nameless", (LATEST, "8.2"), nameless, ["6.8.2"],
             "Nothing stands before the @: they are behind the root, by number.", [
                 ("turned", entries_at(3, 2, 1), ["6.8.2"], "The other way round.")])


def entries_of(to):
    """A dict in an argument."""
    hints = {"as_string_to_argument": {"B": {"as_int": 1}, "a": tensor("v1"), "b": {
        "as_string_to_argument": {"x": {"as_bool": True}, "y": {"as_string": "z"}}}}}
    node = call("mylib.f.default", {"x": tensor("v0"), "d": hints}, tensor("v2"))
    turned = copy.deepcopy(hints)
    inner = turned["as_string_to_argument"]
    turned["as_string_to_argument"] = dict(reversed(list(inner.items())))
    other = {**inner["b"]["as_string_to_argument"]}
    deep = copy.deepcopy(hints)
    deep["as_string_to_argument"]["b"]["as_string_to_argument"] = dict(
        reversed(list(other.items())))
    place = NODES + "0/inputs/1/arg"
    to.group("dict-argument", (LATEST, "8.15"), program("v0 v1", [node], "v2"),
             ["6.8.1", "6.4.1"], "A dict in an argument is sorted, too.", [
                 ("turned", put(place, turned), ["6.8.1"], "The other way round."),
                 ("deep", put(place, deep), ["6.8.1"], "A dict in it the other way round.")])


def vectors(suite):
    to = Forms(suite)
    for part in (everywhere, left_out, messages, kept, returned, guarded, refused, inputs, ties,
                 constant_inputs, beside, outputs, losses, tokens, dicts, values, objects, graphs,
                 tables, headers, modules, entries_of):
        part(to)
