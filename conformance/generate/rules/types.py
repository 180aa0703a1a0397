"""What the tables say of values: dtypes, sizes, strides, hints, and the symbols
and ranges of a program.
"""

import math

from format.document import Foreign
from format.history import VERSIONS as VERSIONS_OF
from generate.language.texts import has, is_srepr, since, within
from generate.whole import (GRAPH, NODES, Draft, Whole, call, meta, sym_bool, sym_float, sym_int,
                            tensor, user_input, user_output)

VERSIONS = ("1", "1-2023-12", "2", "4.2", "5.1", "5.3-2024-03", "5.3", "7.3", "8.2", "8.20")
SHOWN = ("1", "2", "7.3", "8.20")  # versions of what does not change
CLAUSES = ["5.4.%d" % i for i in range(1, 16)]
RANGES = {"s0": {"min_val": 2, "max_val": 100}, "u0": {"min_val": 0, "max_val": 9},
          "f0": {"min_val": 0, "max_val": 9}}
GREATEST = 9223372036854775807
WHOLE_DTYPES = ("BYTE", "CHAR", "SHORT", "INT", "LONG", "BOOL", "UINT16", "UINT32", "UINT64",
                "UNSIGNED_SHORT")


def symbol(version, name):
    """A symbol as an expression."""
    if not is_srepr(version):
        return name
    kind = "positive=True, integer=True" if name[0] == "s" else "integer=True"
    return "Symbol('%s', %s)" % (name, kind if name[0] in "sui" else "real=True")


def double(version, name):
    said = symbol(version, name)
    return "Mul(Integer(2), %s)" % said if is_srepr(version) else "2*" + said


def relation(version, name):
    said = symbol(version, name)
    return "StrictLessThan(%s, Integer(9))" % said if is_srepr(version) else said + " < 9"


def base(version):
    size = (symbol(version, "s0"), 4)
    draft = Draft(header={"range_constraints": {key: RANGES[key] for key in RANGES if key != "f0"
                                                or since(version, "8.2")}})
    draft.take(user_input(tensor("x"))).tensors(
        x=meta(size, 3, dtype=7), y=meta(2, (double(version, "s0"), 8), dtype=7))
    draft.node(
        call("aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}}, sym_int("n")),
        call("_operator.lt", {"a": sym_int("n"), "b": {"as_int": 9}}, sym_bool("flag")),
        call("mylib.any.default", {
            "self": tensor("x"), "dtype": {"as_scalar_type": 7}, "layout": {"as_layout": 7},
            "memory_format": {"as_memory_format": 1},
            "device": {"as_device": {"type": "cuda", "index": 0}}}, tensor("y")))
    draft.table("sym_int_values", n=size)
    draft.table("sym_bool_values", flag=expression(version, relation(version, "s0")))
    if since(version, "8.2"):
        draft.node(call("torch.sym_float", {"a": sym_int("n")}, sym_float("f")))
        draft.table("sym_float_values", f=(symbol(version, "f0"), 4.0))
    return draft.give(user_output(tensor("y")))


def expression(version, text, hint=None):
    return {"as_expr": {"expr_str": text, "hint": hint}}


class Types(Whole):
    def __init__(self, suite, version, style=None):
        super().__init__(suite, "type/base", base(version), version, CLAUSES,
                         "Sizes, symbols and ranges.", style)
        self.name = version
        wrapped = has(version, "TensorValue", "meta")
        self.x = GRAPH + "tensor_values/x" + ("/meta" if wrapped else "")
        self.y = self.x.replace("/x", "/y")

    def value(self, label, where, code, why, name="x", **changed):
        """Something else in the TensorMeta of x."""
        def change(data):
            data["graph"]["tensor_values"][name].update(changed)
        if code is None:
            return self.good(label, change, where, why)
        return self.bad(label, change, code, where, why)

    def argument(self, label, i, argument, code, where, why):
        def change(data):
            data["graph"]["nodes"][2]["inputs"][i]["arg"] = argument
        return self.bad(label, change, code, "%s2/inputs/%d/arg%s" % (NODES, i, where), why)

    def ranges(self, label, name, said, code, why, clause=None, where=None):
        """Another range, or one more."""
        def change(data):
            data["header"]["range_constraints"][name] = said
        if code is None:
            return self.good(label, change, clause, why)
        return self.bad(label, change, code, where or "range_constraints/" + name, why)

    def key(self, label, name, code, why):
        def change(data):
            data["header"]["range_constraints"][name] = {"min_val": 0, "max_val": 9}
        if code is None:
            return self.good(label, change, "5.4.12", why)
        return self.bad(label, change, code, ("range_constraints", name), why)


def kinds(types):
    """Dtypes, layouts, memory formats, devices."""
    types.value("dtype", types.x, "EP_DTYPE", "Nobody knows it.", dtype=0)
    types.argument("dtype-argument", 1, {"as_scalar_type": 0}, "EP_DTYPE", "", "Nobody knows it.")
    types.value("layout", types.x, "EP_LAYOUT", "Nobody knows it.", layout=0)
    types.argument("layout-argument", 2, {"as_layout": 0}, "EP_LAYOUT", "", "Nobody knows it.")
    types.argument("memory-format", 3, {"as_memory_format": 0}, "EP_MEMORY_FORMAT", "",
                   "Nobody knows it.")
    types.value("device", types.x + "/device", "EP_DEVICE_INDEX", "No index.",
                device={"type": "cuda", "index": -1})
    types.argument("device-argument", 4, {"as_device": {"type": "cuda", "index": -2}},
                   "EP_DEVICE_INDEX", "/as_device", "No index.")
    types.value("device-least", types.y + "/device", "EP_DEVICE_INDEX", "As low as can be.",
                name="y", device={"type": "cpu", "index": -GREATEST - 1})
    types.value("device-index", "5.4.8", None, "A high one.", device={"type": "cuda", "index": 77})
    types.value("device-greatest", "5.4.8", None, "As high as can be.",
                device={"type": "cuda", "index": 127})
    types.value("device-beyond", types.x + "/device", "EP_DEVICE_INDEX", "A byte more.",
                device={"type": "cuda", "index": 128})
    types.argument("device-argument-beyond", 4, {"as_device": {"type": "cuda", "index": GREATEST}},
                   "EP_DEVICE_INDEX", "/as_device", "As high as no index can be.")
    gradients(types)


def gradients(types):
    """requires_grad, of every dtype that the version has."""
    for name, number in VERSIONS_OF[types.name].types["ScalarType"].values.items():
        label = "gradient-" + name.lower()
        if name in WHOLE_DTYPES:
            types.value(label, types.x, "EP_REQUIRES_GRAD", "No dtype of gradients.",
                        dtype=number, requires_grad=True)
        elif name != "UNKNOWN":
            types.value(label, "5.4.14", None, "A dtype of gradients.", dtype=number,
                        requires_grad=True)


def sizes(types):
    types.value("size", types.x + "/sizes/1", "EP_SIZE", "Below zero.", sizes=[(symbol(
        types.name, "s0"), 4), -1])
    types.value("size-least", types.y + "/sizes/0", "EP_SIZE", "As low as can be.", name="y",
                sizes=[-GREATEST - 1, (double(types.name, "s0"), 8)])
    if since(types.name, "1-2023-12"):
        types.value("size-hint", types.x + "/sizes/1", "EP_SIZE", "The hint is below zero.",
                    sizes=[(symbol(types.name, "s0"), 4), (double(types.name, "s0"), -2)])
        types.value("size-hint-zero", "5.4.4", None, "The hint of an empty one.",
                    sizes=[(symbol(types.name, "s0"), 4), (double(types.name, "s0"), 0)])
        types.value("stride-hint", "5.4.6", None, "Of a stride nothing is said.",
                    strides=[(double(types.name, "s0"), -2), 1])
    types.value("size-zero", "5.4.4", None, "Empty tensors are.", name="y",
                sizes=[0, (double(types.name, "s0"), 8)])
    half = 1 << 32
    for label, said in (("numel", [GREATEST]), ("numel-factors", [1 << 31, 1 << 31]),
                        ("numel-zero", [half, 0, half]), ("numel-expression", [half, half, double(
                            types.name, "s0")])):
        types.value(label, "5.4.15", None, "As many as can be, or none, or nobody knows.", sizes=said,
                    strides=[1] * len(said))
    for label, said in (("numel-beyond", [1 << 31, half]), ("numel-far", [half, half, half]),
                        ("numel-one", [GREATEST, 1, 2])):
        types.value(label, types.x, "EP_NUMEL", "More than an integer counts.", sizes=said,
                    strides=[1] * len(said))
    types.value("strides-few", types.x, "EP_STRIDES", "One for two.", strides=[3])
    types.value("strides-many", types.x, "EP_STRIDES", "Three for two.", strides=[3, 1, 1])
    types.value("strides-none", types.x, "EP_STRIDES", "None for two.", strides=[])
    types.value("stride", types.x + "/strides/0", "EP_STRIDE", "Below zero.", strides=[-3, 1])
    types.value("stride-least", types.y + "/strides/1", "EP_STRIDE", "As low as can be.", name="y",
                strides=[3, -GREATEST - 1])
    types.value("stride-zero", "5.4.6", None, "Expanded.", strides=[0, 0])
    offset = types.x + ("/storage_offset" if since(types.name, "4.2") else "")
    types.value("storage-offset", offset, "EP_STORAGE_OFFSET", "Below zero.", storage_offset=-1)
    types.value("storage-offset-least", offset.replace("/x", "/y"), "EP_STORAGE_OFFSET",
                "As low as can be.", name="y", storage_offset=-GREATEST - 1)
    types.value("storage-offset-great", "5.4.7", None, "A part of another.",
                storage_offset=GREATEST)

    def sparse(data):
        data["graph"]["tensor_values"]["y"].update(layout=1, strides=[])
    types.good("strides-sparse", sparse, "5.4.5", "Not of a sparse one.")


def hints(types):
    """From 1-2023-12 on a hint has a type."""
    def size(text, hint):
        def change(data):
            data["graph"]["sym_int_values"]["n"] = (text, hint)
        return change
    place = GRAPH + "sym_int_values/n/as_expr/hint"
    types.good("hint-none", size(symbol(types.name, "s0"), None), "5.4.9", "There need be none.")
    if not since(types.name, "1-2023-12"):
        return
    types.bad("hint-float", size(symbol(types.name, "s0"), 4.0), "EP_HINT", place,
              "A float of an int.")
    types.bad("hint-bool", size(symbol(types.name, "s0"), True), "EP_HINT", place,
              "A bool of an int.")

    def flag(data):
        data["graph"]["sym_bool_values"]["flag"] = expression(
            types.name, relation(types.name, "s0"), 1)
    types.bad("hint-bool-int", flag, "EP_HINT", GRAPH + "sym_bool_values/flag/as_expr/hint",
              "An int of a bool.")

    def right(data):
        data["graph"]["sym_bool_values"]["flag"] = expression(
            types.name, relation(types.name, "s0"), True)
    types.good("hint-right", right, "5.4.9", "A bool of a bool.")
    if since(types.name, "8.2"):
        def number(data):
            data["graph"]["sym_float_values"]["f"] = (symbol(types.name, "f0"), 4)
        types.bad("hint-float-int", number, "EP_HINT", GRAPH + "sym_float_values/f/as_expr/hint",
                  "An int of a float.")


def set_in(table, name, value):
    def change(data):
        data["graph"][table][name] = value
    return change


def unknown_symbols(types):
    """(label, change, where, why) of symbols that have no range."""
    version = types.name
    place = GRAPH + "sym_int_values/n/as_expr"
    ints = [("symbol", symbol(version, "s9"), "No range."),
            ("symbol-inside", double(version, "s9"), "No range, within an expression."),
            ("symbol-case", symbol(version, "s00"), "Another name."),
            ("symbol-name", symbol(version, "u"), "Unbacked ones have digits.")]
    if since(version, "5.3"):
        ints.append(("symbol-unbacked", symbol(version, "u9"), "An unbacked one."))
    for label, text, why in ints:
        yield label, set_in("sym_int_values", "n", text), place, why
    value = expression(version, relation(version, "s9"))
    old = has(version, "GraphModule", "call_spec")  # the text stands in the union itself
    yield ("symbol-bool", set_in("sym_bool_values", "flag", value),
           GRAPH + "sym_bool_values/flag" + ("" if old else "/as_expr"), "Of a bool.")
    for label, name, part, changed, why in (
            ("symbol-size", "y", "sizes/0", {"sizes": [symbol(version, "s9"), (double(
                version, "s0"), 8)]}, "Of a size."),
            ("symbol-stride-inside", "x", "strides/0", {"strides": [double(version, "s7"), 1]},
             "A stride binds a symbol that is alone."),
            ("symbol-stride-inner", "y", "strides/0", {"strides": [symbol(version, "s7"), 1]},
             "The stride of an input binds it."),
            ("symbol-size-inside", "x", "sizes/1", {"sizes": [(symbol(version, "s0"), 4), double(
                version, "s7")]}, "A size binds a symbol that is alone."),
            ("symbol-offset-inside", "x", "storage_offset", {"storage_offset": double(
                version, "s7")}, "An offset binds a symbol that is alone."),
            ("symbol-offset-inner", "y", "storage_offset", {"storage_offset": symbol(
                version, "s7")}, "The offset of an input binds it.")):
        if part == "storage_offset" and not since(version, "4.2"):
            continue

        def change(data, name=name, changed=changed):
            data["graph"]["tensor_values"][name].update(changed)
        yield label, change, "%s/%s/as_expr" % (types.x if name == "x" else types.y, part), why

    def gone(data):
        del data["header"]["range_constraints"]["s0"]
        data["graph"]["tensor_values"]["x"]["sizes"][0] = 2
    first = types.y + "/sizes/1/as_expr", GRAPH + "sym_int_values/n/as_expr"
    yield "symbol-gone", gone, min(first, key=lambda place: "sym" in place), "Its range is missing."
    if since(version, "8.2"):
        yield ("symbol-float", set_in("sym_float_values", "f", symbol(version, "f9")),
               GRAPH + "sym_float_values/f/as_expr", "Of a float.")


def symbols(types):
    for label, change, where, why in unknown_symbols(types):
        types.bad(label, change, "EP_SYMBOL", where, why)
    if not since(types.name, "5.3"):
        for label, text in (("symbol-unbacked", "u9"), ("symbol-unbacked-i", "i12"),
                            ("symbol-unbacked-two", "2*u9 + i1")):
            types.good(label, set_in("sym_int_values", "n", text), "5.4.10",
                       "Before 5.3 unbacked ones need no range.")
    types.value("symbol-stride", "5.4.10", None, "The stride of an input binds it.",
                strides=[symbol(types.name, "s7"), symbol(types.name, "s8")])
    if since(types.name, "4.2"):
        types.value("symbol-offset", "5.4.10", None, "The offset of an input binds it.",
                    storage_offset=symbol(types.name, "s7"))

    def bound(data):
        del data["header"]["range_constraints"]["s0"]
    types.good("symbol-bound", bound, "5.4.10", "The size of an input binds it.")


def bound(suite, version):
    """A tensor that binds a symbol, at each place among the tables of a program without ranges."""
    for place in range(3):
        names = ["t", "u"]
        names.insert(place, "x")
        draft = Draft().take(user_input(tensor("x")))
        draft.tensors(**{name: meta((symbol(version, "s0"), 4)) for name in names})
        draft.node(call("aten.relu.default", {"self": tensor("x")}, tensor("t")),
                   call("aten.relu.default", {"self": tensor("t")}, tensor("u")))
        Whole(suite, "type/bound-%d" % place, draft.give(user_output(tensor("u"))), version,
              ["5.4.10"], "An input that binds the symbol, at the place %d of the table." % place)


def trees(types):
    """The text beside a tree is ignored, and binds nothing."""
    def tree(text):
        return {"as_expr": {"expr_str": text, "expr_ast": {
            "args": [], "target": None, "base": {"as_symbol": "s9"}}}}

    def beside(text, other=None):
        def change(data):
            data["graph"]["tensor_values"]["x"]["sizes"] = [tree(text), 2]
            if other is not None:
                data["graph"]["sym_int_values"]["n"] = symbol(types.name, other)
        return change
    for label, text in (("symbol", "s9"), ("nothing", ""), ("wrong", "s9 +")):
        types.good("tree-" + label, beside(text), "5.4.10", "The text beside a tree is ignored.")
    types.bad("tree-binds", beside("s9", "s9"), "EP_SYMBOL", GRAPH + "sym_int_values/n/as_expr",
              "The text beside the tree in a size of an input is that of the symbol.")


def ranges(types):
    version = types.name
    types.ranges("range", "u0", {"min_val": 9, "max_val": 8}, "EP_RANGE", "Empty.")
    types.ranges("range-negative", "u0", {"min_val": 0, "max_val": -1}, "EP_RANGE", "Empty.")
    types.ranges("range-extreme", "u0", {"min_val": GREATEST, "max_val": -GREATEST - 1},
                 "EP_RANGE", "As empty as can be.")
    types.ranges("range-one", "u0", {"min_val": 9, "max_val": 9}, None, "One number.", "5.4.11")
    types.ranges("range-whole", "u0", {"min_val": -GREATEST - 1, "max_val": GREATEST}, None,
                 "All of them.", "5.4.11")
    if since(version, "8.1-a"):
        for label, said in (("low", {"min_val": None, "max_val": 3}),
                            ("high", {"min_val": 3, "max_val": None}),
                            ("both", {"min_val": None, "max_val": None})):
            types.ranges("range-open-" + label, "u0", said, None, "Open to a side.", "5.4.11")
        for label, said in (("low", {"min_val": None, "max_val": -5}),
                            ("high", {"min_val": -9, "max_val": None})):
            types.ranges("range-open-%s-negative" % label, "u0", said, None,
                         "Below zero, and open to a side.", "5.4.11")
    elif within(version, "1-2023-12", None) and version not in ("5.3",):
        low, high = {"min_val": -math.inf}, {"max_val": math.inf}
        types.ranges("range-open-both", "u0", {**low, **high}, None, "Open to both sides.",
                     "5.4.11")
        types.ranges("range-open-high", "u0", {"min_val": 3, **high}, None, "Open to a side.",
                     "5.4.11")
        types.ranges("range-open-low-negative", "u0", {**low, "max_val": -5}, None,
                     "Below zero, and open to a side.", "5.4.11")
        types.ranges("range-infinite-low", "u0", {"min_val": math.inf, **high}, "EP_RANGE",
                     "No number is so great.")
        types.ranges("range-infinite-high", "u0", {**low, "max_val": -math.inf}, "EP_RANGE",
                     "No number is so small.")


NO_KEYS = (("empty", "", "No expression."), ("space", "s 1", "Two words."),
           ("digit", "1s", "No identifier."), ("hyphen", "s-1", "Blanks are due."),
           ("unicode", "s\u00e9", "Letters are of ASCII."), ("oo", "oo", "A number to sympy."),
           ("function", "floor", "A function."), ("open", "2*s0 + ", "It ends early."),
           ("srepr", "Symbol('s1', integer=True)", "Infix in every version."),
           ("number", "4", "No symbol."), ("numbers", "2*3 + 1", "No symbol."),
           ("relation", "s0 < 2", "A bool."), ("unknown", "nope(s0)", "No function."))
KEYS = ("_s", "height", "2*s0", "s0 + 1", "(s0//2)", "2*s0 - u0", "s0/2", "3*s9", "Mod(s0, 2)")


def keys(types):
    for label, name, why in NO_KEYS:
        types.key("key-" + label, name, "EP_RANGE_SYMBOL", why)
    for i, name in enumerate(KEYS):
        types.key("key-valid-%d" % i, name, None, "A symbol, or of symbols: %s." % name)


def hint_ranges(types):
    version = types.name

    def of(text, hint):
        def change(data):
            data["graph"]["sym_int_values"]["n"] = (text, hint)
        return change
    place = GRAPH + "sym_int_values/n/as_expr"
    alone = symbol(version, "s0")
    for label, hint in (("low", 1), ("high", 101), ("negative", -5)):
        types.bad("hint-range-" + label, of(alone, hint), "EP_HINT_RANGE", place,
                  "Out of the range.")
    for label, hint in (("least", 2), ("greatest", 100)):
        types.good("hint-range-" + label, of(alone, hint), "5.4.13", "Within the range.")
    types.good("hint-range-inside", of(double(version, "s0"), 1), "5.4.13",
               "Of an expression nothing is asked.")


def inner(suite):
    """The clauses are for every graph."""
    for version in ("2", "8.20"):
        draft = base(version)
        made = {"inputs": [tensor("x")], "outputs": [], "nodes": [],
                "tensor_values": {"x": meta(2, 3)}}
        draft.node(call("mylib.any.default", {"g": {"as_graph": {"name": "g_0", "graph": made}}},
                        {"as_none": True}))
        whole = Whole(suite, "type/inner", draft, version, CLAUSES, "A graph further in.")
        count = len(draft.data["graph"]["nodes"]) - 1
        place = "%s%d/inputs/0/arg/as_graph/graph/tensor_values/x" % (NODES, count)
        for label, changed, code, where in (
                ("dtype", {"dtype": 0}, "EP_DTYPE", ""), ("layout", {"layout": 0}, "EP_LAYOUT", ""),
                ("storage-offset", {"storage_offset": -1}, "EP_STORAGE_OFFSET",
                 "/storage_offset" if since(version, "4.2") else ""),
                ("device", {"device": {"type": "cpu", "index": -1}}, "EP_DEVICE_INDEX", "/device"),
                ("size", {"sizes": [2, -3]}, "EP_SIZE",
                                                          "/sizes/1"),
                ("strides", {"strides": [1]}, "EP_STRIDES", ""),
                ("stride", {"strides": [-3, 1]}, "EP_STRIDE", "/strides/0"),
                ("symbol", {"sizes": [2, symbol(version, "s9")]}, "EP_SYMBOL", "/sizes/1/as_expr"),
                ("stride-symbol", {"strides": [symbol(version, "s9"), 1]}, "EP_SYMBOL",
                 "/strides/0/as_expr")):
            def change(data, changed=changed):
                node = data["graph"]["nodes"][count]
                node["inputs"][0]["arg"]["as_graph"]["graph"]["tensor_values"]["x"].update(changed)
            whole.bad("inner-" + label, change, code, place + where, "In a graph further in.")

        def argument(data):
            made = data["graph"]["nodes"][count]["inputs"][0]["arg"]["as_graph"]["graph"]
            made["nodes"].append(call("mylib.any.default", {
                "format": {"as_memory_format": 0}}, {"as_none": True}))
        whole.bad("inner-memory-format", argument, "EP_MEMORY_FORMAT", place.replace(
            "tensor_values/x", "nodes/0/inputs/0/arg"), "In a graph further in.")


def vectors(suite):
    for version in VERSIONS:
        bound(suite, version)
        types = Types(suite, version)
        if version in SHOWN:
            kinds(types)
            keys(types)
            hint_ranges(types)
        for each in (sizes, hints, symbols, ranges) if version in SHOWN else (hints, symbols):
            each(types)
    for version in ("1-2023-08", "1-2023-12", "4.2", "5.4", "7.4", "8.1-a", "8.1"):
        ranges(Types(suite, version))
    trees(Types(suite, "8.2-ast"))
    foreign = Types(suite, "8.20", Foreign())
    for each in (kinds, ranges, hints):
        each(foreign)
    inner(suite)
