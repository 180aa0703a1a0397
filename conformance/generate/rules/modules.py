"""The module call graph, and what it says of inputs and outputs."""

import copy

from format.document import Foreign
from generate.language.texts import since
from generate.whole import (LEAF, MODULES, Draft, Whole, arguments, call, entry, leaves, meta,
                            sym_int, tensor, tree, treespec, user_input, user_output)

VERSIONS = ("1", "1-2023-12", "2", "5.3", "7.3", "8.2", "8.20")
CLAUSES = ["5.5.%d" % i for i in range(1, 7)]
CALL_SPEC = "graph_module/call_spec/"


def base():
    """A program of two inputs and two outputs, with two modules."""
    draft = Draft(modules=[
        entry("sub", [tensor("x"), tensor("y")], [tensor("s")]), entry("sub.lin"),
        entry("other", [tensor("s"), sym_int("n"), {"as_int": 3}], [tensor("r"), {"as_none": True}],
              out_spec=leaves(2))])
    draft.take(user_input(tensor("x")), user_input(tensor("y")))
    draft.tensors(**{name: meta(2) for name in ("x", "y", "s", "r")})
    draft.node(call("aten.add.Tensor", {"self": tensor("x"), "other": tensor("y")}, tensor("s")),
               call("aten.relu.default", {"self": tensor("s")}, tensor("r")),
               call("aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}}, sym_int("n")))
    draft.table("sym_int_values", n=2)
    return draft.give(user_output(tensor("r")), user_output(tensor("s")))


def is_old(version):
    return not since(version, "1-2023-12")


class Modules(Whole):
    def __init__(self, suite, version, style=None):
        super().__init__(suite, "module/base", base(), version, CLAUSES, "Two modules.", style)
        self.name = version

    def whole_list(self, data):
        """The entries with the root, to be changed as a list."""
        old = is_old(self.name)
        first = {"fqn": "", "signature": None if old else {
            "inputs": [], "outputs": [], "in_spec": arguments(2), "out_spec": leaves(2),
            "forward_arg_names": None}}
        data["module"]["module_call_graph"] = [first] + data["modules"]
        return data["module"]["module_call_graph"]

    def signature(self, label, i, changed, code, where, why, clause=None):
        """Something else in an entry's signature; i counts from the root."""
        def change(data):
            data["modules"][i - 1]["signature"].update(changed)
        if code is None:
            return self.good(label, change, clause, why)
        return self.bad(label, change, code, "%s%d/signature%s" % (MODULES, i, where), why)


def roots(modules):
    def gone(data):
        modules.whole_list(data).pop(0)
    modules.bad("root-none", gone, "EP_MODULE_ROOT", MODULES + "0", "No root.")

    def named(data):
        modules.whole_list(data)[0]["fqn"] = "main"
    modules.bad("root-named", named, "EP_MODULE_ROOT", MODULES + "0", "It has a name.")

    def second(data):
        modules.whole_list(data)[1]["fqn"] = ""
    modules.bad("root-second", second, "EP_MODULE_FQN", MODULES + "1/fqn", "Two roots.")

    def same(data):
        modules.whole_list(data)[3]["fqn"] = "sub"
    modules.bad("fqn", same, "EP_MODULE_FQN", MODULES + "3/fqn", "A module twice.")

    def again(data):
        modules.whole_list(data)[3]["fqn"] = "sub@1"
    modules.good("fqn-call", again, "5.5.2", "The second call of a module.")

    def case(data):
        modules.whole_list(data)[3]["fqn"] = "Sub"
    modules.good("fqn-case", case, "5.5.2", "Another name.")
    if is_old(modules.name):
        def none(data):
            data["modules"].clear()
        modules.good("root-nothing", none, "5.5.1", "There may be no entries.")
        return

    def unsigned(data):
        modules.whole_list(data)[0]["signature"] = None
    modules.bad("root-unsigned", unsigned, "EP_MODULE_SIGNATURE", MODULES + "0",
                "How is it called?", flags=["large"])

    def alone(data):
        del modules.whole_list(data)[1:]
        data["module"]["module_call_graph"][0]["signature"] = None
    modules.bad("root-unsigned-alone", alone, "EP_MODULE_SIGNATURE", MODULES + "0",
                "There is no other entry.")

    def empty(data):
        modules.whole_list(data).clear()
    modules.bad("root-nothing", empty, "EP_MODULE_ROOT", "graph_module", "No entries.",
                flags=["large"])


def module_arguments(modules):
    code = "EP_MODULE_ARGUMENT"
    modules.signature("argument-input", 1, {"inputs": [tensor("x"), tensor("nobody")]}, code,
                      "/inputs/1/as_tensor/name", "No value of the graph.")
    modules.signature("argument-output", 1, {"outputs": [tensor("nobody")]}, code,
                      "/outputs/0/as_tensor/name", "No value of the graph.")
    modules.signature("argument-sym-int", 3, {"inputs": [tensor("s"), sym_int("m"), {"as_int": 3}]},
                      code, "/inputs/1/as_sym_int/as_name", "No value of the graph.")
    modules.signature("argument-empty", 1, {"outputs": [tensor("")]}, code,
                      "/outputs/0/as_tensor/name", "No value of the graph.")
    modules.signature("argument-number", 3, {"inputs": [tensor("s"), {"as_sym_int": {
        "as_int": 3}}, {"as_int": 3}]}, code, "/inputs/1", "A symbolic one has a name.")
    if modules.version.name == "8.20":
        held = {"as_string_to_argument": {"k": {"as_sym_int": {"as_int": 3}}}}
        modules.signature("argument-number-held", 1, {"outputs": [held]}, None, None,
                          "A number in a dict of arguments is a constant.", "5.5.4")
    modules.signature("argument-constant", 1, {"outputs": [{"as_string": "x"}]}, None, None,
                      "A constant.", "5.5.4")
    modules.signature("argument-any", 1, {"outputs": [tensor("y")]}, None, None, "Any value.",
                      "5.5.4")


def specs(modules):
    """The numbers of leaves."""
    def root(key, text):
        def change(data):
            data["root"][key] = text
        return change
    place = CALL_SPEC if is_old(modules.name) else MODULES + "0/signature/"
    for label, text, why in (("few", arguments(1), "One leaf for two."),
                             ("many", arguments(3), "Three leaves for two."),
                             ("multiple", arguments(1), "The root is called once."),
                             ("none", arguments(0), "No leaf for two.")):
        modules.bad("in-spec-" + label, root("in_spec", text), "EP_MODULE_IN_SPEC",
                    place + "in_spec", why)
    modules.good("in-spec-keywords", root("in_spec", arguments(1, "k")), "5.5.5", "A keyword.")
    modules.good("in-spec-nested", root("in_spec", treespec(tree("builtins.tuple", "null", [
        tree("builtins.tuple", "null", [tree("builtins.list", "null", [LEAF, LEAF])]),
        tree("builtins.dict", "[]", [])]))), "5.5.5", "Leaves are counted at any depth.")
    for label, text, why in (("few", leaves(1), "One leaf for two."),
                             ("many", leaves(3), "Three leaves for two."),
                             ("none", leaves(0), "No leaf for two.")):
        modules.bad("out-spec-" + label, root("out_spec", text), "EP_MODULE_OUT_SPEC",
                    place + "out_spec", why)
    if not is_old(modules.name):
        more(modules)


def more(modules):
    """Entries other than the root list their own inputs."""
    several = not since(modules.name, "8.1-a")
    modules.signature("entry-in-many", 1, {"in_spec": arguments(3)}, "EP_MODULE_IN_SPEC",
                      "/in_spec", "Three leaves for two.")
    modules.signature("entry-in-none", 1, {"in_spec": arguments(0)}, "EP_MODULE_IN_SPEC",
                      "/in_spec", "No leaf for two.")
    modules.signature("entry-inputs-none", 1, {"inputs": []}, "EP_MODULE_IN_SPEC", "/in_spec",
                      "Two leaves for none.")
    modules.signature("entry-inputs-odd", 1, {"inputs": [tensor("x")] * 3}, "EP_MODULE_IN_SPEC",
                      "/in_spec", "Two leaves for three.")
    for label, i, changed, clause, code, where in (
            ("entry-in-calls", 1, {"in_spec": arguments(1)}, "5.5.5", "EP_MODULE_IN_SPEC",
             "/in_spec"),
            ("entry-inputs-calls", 1, {"inputs": [tensor("x")] * 4}, "5.5.5", "EP_MODULE_IN_SPEC",
             "/in_spec"),
            ("entry-out-calls", 3, {"out_spec": leaves(1)}, "5.5.6", "EP_MODULE_OUT_SPEC",
             "/out_spec")):
        why = "The arguments of two calls." if several else "Each call has an entry."
        modules.signature(label, i, changed, None if several else code, where, why, clause)
    modules.signature("entry-out-many", 1, {"out_spec": leaves(2)}, "EP_MODULE_OUT_SPEC",
                      "/out_spec", "Two leaves for one.")
    modules.signature("entry-out-none", 1, {"out_spec": leaves(0)}, "EP_MODULE_OUT_SPEC",
                      "/out_spec", "No leaf for one.")


NAMES = "/forward_arg_names"


def names(suite):
    for version in ("8.1-a", "8.2", "8.20"):
        draft = base()
        draft.data["root"].update(in_spec=arguments(1, "k"), forward_arg_names=["x", "k"])
        whole = Whole(suite, "module/names", draft, version, "5.5.7", "Two arguments by name.")
        place = MODULES + "0/signature"
        for label, said, where, why in (
                ("few", ["x"], "", "One for two."), ("many", ["x", "k", "z"], "", "Three for two."),
                ("none", [], "", "None for two."),
                ("key", ["x", "y"], NAMES + "/1", "Another keyword."),
                ("order", ["k", "x"], NAMES + "/1", "Keywords stand last."),
                ("case", ["x", "K"], NAMES + "/1", "Case counts.")):
            def change(data, said=said):
                data["root"]["forward_arg_names"] = said
            whole.bad("names-" + label, change, "EP_MODULE_NAMES", place + where, why)
        for label, said, why in (("null", None, "There need be none."),
                                 ("any", ["any", "k"], "A positional one has any name.")):
            def accept(data, said=said):
                data["root"]["forward_arg_names"] = said
            whole.good("names-" + label, accept, "5.5.7", why)

        def number(data):
            data["root"].update(in_spec=arguments(1, 1), forward_arg_names=["x", "1"])
        whole.bad("names-number", number, "EP_MODULE_NAMES", place + NAMES + "/1",
                  "A key that is no string is no name.")

        def other(data):
            data["root"].update(in_spec=leaves(2), forward_arg_names=["x"])
        whole.good("names-shape", other, "5.5.7", "An in_spec of another shape is not judged.")


def losses(suite):
    """A loss is an output of the user's."""
    for version in ("7.3", "8.20"):
        draft = copy.deepcopy(base())
        draft.data["output_specs"][1] = {"loss_output": {"arg": {"name": "s"}}}
        whole = Whole(suite, "module/loss", draft, version, "5.5.6", "A loss is a leaf, too.")

        def change(data):
            data["root"]["out_spec"] = leaves(1)
        whole.bad("loss-leaf", change, "EP_MODULE_OUT_SPEC", MODULES + "0/signature/out_spec",
                  "One leaf for an output and a loss.")


def vectors(suite):
    for version in VERSIONS:
        modules = Modules(suite, version)
        for each in (roots, module_arguments, specs):
            each(modules)
    for version in ("7.4", "8.1-a"):
        specs(Modules(suite, version))
    foreign = Modules(suite, "8.20", Foreign())
    for each in (roots, module_arguments):
        each(foreign)
    names(suite)
    losses(suite)
