"""Operator targets, and types of devices."""

from format.document import Foreign
from format.history import before
from generate.language.texts import Texts, within
from generate.whole import MARK, custom_obj, tensor

M = MARK
OPS = "torch.ops."

# (label, since, until, target, why): the target of a node of a tensor, which
# gives one, and whose arguments nobody judges.
GOOD = (
    ("overload", None, None, OPS + "mylib.nope.default", "Whether it exists is not judged."),
    ("underscores", None, None, OPS + "_my_lib._op_2.a_b", "Identifiers."),
    ("digits", None, None, OPS + "lib2.op3.x4", "Identifiers."),
    ("functorch", None, "7.3", "torch._higher_order_ops.wrap.wrap", "By its module."),
    ("call-delegate", None, "2", OPS + "executorch_call_delegate", "Without its namespace."),
    ("wrap", "5.4", None, OPS + "higher_order.wrap", "A higher-order operator."),
    ("print", "8.15-a", None, OPS + "higher_order.print", "A higher-order operator."),
    ("control-deps", "8.15-a", None, OPS + "higher_order.control_deps", "One of recent versions."),
    ("triton", "5.4", None, OPS + "higher_order.triton_kernel_wrapper_functional", "One."),
    ("predispatch", "8.18", None, "torch._functorch.predispatch._add_batch_dim",
     "A function whose arguments are not judged."),
    ("extension", "5.4", None, "#ns:op", "What a program registers."),
    ("extension-any", "5.4", None, "#my.ns-2:a/b.c@1", "Any characters but a few."),
    ("extension-dollar", "5.3-2024-03", "7.3", "$ns:op", "The earlier mark."),
    ("extension-unicode", "5.4", None, "#\u00e9:\U0001f600", "Beyond ASCII."),
)
BAD = (
    ("empty", None, None, M, "EP_TARGET", "No target."),
    ("colons", None, None, "aten" + M + "::relu", "EP_TARGET", "C++'s way."),
    ("space-before", None, None, M + " " + OPS + "aten.relu.default", "EP_TARGET", "White space."),
    ("space-after", None, None, OPS + "aten.relu.default" + M + " ", "EP_TARGET", "White space."),
    ("namespace-alone", None, None, OPS + "aten" + M, "EP_TARGET", "Parts are missing."),
    ("no-overload", None, None, OPS + "aten.relu" + M, "EP_TARGET", "The overload is missing."),
    ("trailing-dot", None, None, OPS + "aten.relu.default." + M, "EP_TARGET",
     "A part is missing."),
    ("four-parts", None, None, OPS + "aten.relu.default" + M + ".out", "EP_TARGET",
     "A dot too many."),
    ("double-dot", None, None, OPS + "aten." + M + ".default", "EP_TARGET", "The name is missing."),
    ("leading-dot", None, None, M + "." + OPS + "aten.relu.default", "EP_TARGET",
     "Nothing before it."),
    ("digit", None, None, OPS + "aten." + M + "2d.default", "EP_TARGET", "No identifier."),
    ("hyphen", None, None, OPS + "my" + M + "-lib.op.default", "EP_TARGET", "No identifier."),
    ("unicode", None, None, OPS + "aten.rel" + M + "\u00fc.default", "EP_TARGET",
     "Identifiers are of ASCII."),
    ("parenthesis", None, None, OPS + "aten.relu.default" + M + "()", "EP_TARGET", "No call."),
    ("brackets", None, None, "<built-in function add>".replace("<", M + "<"), "EP_TARGET",
     "Python's repr."),
    ("newline", None, None, OPS + "aten.relu.default" + M + "\n", "EP_TARGET", "White space."),
    ("extension-dollar-late", "7.3", None, M + "$ns:op", "EP_TARGET", "An earlier mark."),
    ("extension-early", None, "5.4", M + "#ns:op", "EP_TARGET", "A later mark."),
    ("extension-dollar-early", None, "5.3-2024-03", M + "$ns:op", "EP_TARGET", "A later mark."),
    ("extension-no-colon", "5.4", None, "#ns" + M, "EP_TARGET", "A colon is due."),
    ("extension-no-namespace", "5.4", None, "#" + M + ":op", "EP_TARGET", "A label is empty."),
    ("extension-no-name", "5.4", None, "#ns:" + M, "EP_TARGET", "A label is empty."),
    ("extension-two-colons", "5.4", None, "#ns:op" + M + ":x", "EP_TARGET", "One colon."),
    ("extension-blank", "5.4", None, "#ns:o" + M + " p", "EP_TARGET", "No blanks."),
    ("extension-control", "5.4", None, "#ns:o" + M + "\x01p", "EP_TARGET", "No controls."),
    ("functional", None, None, M + "torch.nn.functional.relu", "EP_TARGET_UNKNOWN",
     "No operator."),
    ("getitem", None, None, M + "_operator.getitem", "EP_TARGET_UNKNOWN", "Not one of a graph."),
    ("placeholder", None, None, M + "placeholder", "EP_TARGET_UNKNOWN", "Not one of a graph."),
    ("function", None, None, M + "math.foo", "EP_TARGET_UNKNOWN", "No function."),
    ("eval", None, None, M + "builtins.eval", "EP_TARGET_UNKNOWN", "No operator."),
    ("case", None, None, M + "torch.Ops.aten.relu.default", "EP_TARGET_UNKNOWN", "Case counts."),
    ("prefix", None, None, M + "aten.relu.default", "EP_TARGET_UNKNOWN", "Not under torch.ops."),
    ("higher-order-alone", None, None, OPS + "higher_order" + M, "EP_TARGET", "A name is due."),
    ("higher-order", None, None, M + OPS + "higher_order.nope", "EP_TARGET_UNKNOWN",
     "No higher-order operator."),
    ("higher-order-overload", None, None, M + OPS + "higher_order.cond.default",
     "EP_TARGET_UNKNOWN", "They have no overloads."),
    ("map-early", "2", None, M + OPS + "map_impl", "EP_TARGET_UNKNOWN", "Of earlier versions."),
    ("map-late", None, "1-2023-12", M + OPS + "higher_order.map_impl", "EP_TARGET_UNKNOWN",
     "Of later versions."),
    ("wrap-late", "7.3", None, M + "torch._higher_order_ops.wrap.wrap", "EP_TARGET_UNKNOWN",
     "Of earlier versions."),
    ("wrap-early", None, "5.4", M + OPS + "higher_order.wrap", "EP_TARGET_UNKNOWN",
     "Of later versions."),
    ("strict-mode", None, "2.1", M + OPS + "higher_order.strict_mode", "EP_TARGET_UNKNOWN",
     "Of later versions."),
    ("while-loop", None, "2.1", M + OPS + "higher_order.while_loop", "EP_TARGET_UNKNOWN",
     "Of later versions."),
    ("scan", None, "7.4", M + OPS + "higher_order.scan", "EP_TARGET_UNKNOWN", "Of later versions."),
    ("print-early", None, "8.15-a", M + OPS + "higher_order.print", "EP_TARGET_UNKNOWN",
     "Of later versions."),
    ("sym-max", None, "2.1", M + "torch.sym_max", "EP_TARGET_UNKNOWN", "Of later versions."),
    ("trunc", None, "8.3", M + "math.trunc", "EP_TARGET_UNKNOWN", "Of later versions."),
    ("truediv", None, "7.4", M + "_operator.truediv", "EP_TARGET_UNKNOWN", "Of later versions."),
    ("and", None, "8.3", M + "_operator.and_", "EP_TARGET_UNKNOWN", "Of later versions."),
    ("or", None, "8.8", M + "_operator.or_", "EP_TARGET_UNKNOWN", "Of later versions."),
    ("lshift", None, "8.16", M + "_operator.lshift", "EP_TARGET_UNKNOWN", "Of later versions."),
    ("predispatch", None, "8.18", M + "torch._functorch.predispatch._add_batch_dim",
     "EP_TARGET_UNKNOWN", "Of later versions."),
)
SHOWN = ("empty", "overload", "getitem", "no-overload", "colons")

# Functions of two numbers that give an int here.
FUNCTIONS = (("_operator.add", None), ("_operator.sub", None), ("_operator.mul", None),
             ("_operator.floordiv", None), ("_operator.mod", None), ("_operator.pow", "5.4"),
             ("torch.sym_max", "2.1"), ("torch.sym_min", "2.1"), ("_operator.lshift", "8.16"),
             ("_operator.rshift", "8.16"), ("_operator.and_", "8.3"), ("_operator.or_", "8.8"))
RELATIONS = ("_operator.eq", "_operator.ne", "_operator.le", "_operator.lt", "_operator.ge")

# Higher-order operators and functions, by the versions in which each begins to
# stand and no longer does (SPEC appendix E.3); those that 5.2 asks graphs of are
# valid in other vectors.
LISTED = (
    ("associative_scan", "5.3-2024-03"), ("auto_functionalized", "5.4"),
    ("auto_functionalized_v2", "5.4"), ("autograd_function_apply", "5.4"),
    ("aoti_call_delegate", "8.3"), ("call_torchbind", "2.1"), ("control_deps", "8.15-a"),
    ("custom_function_call", "5.4"), ("dynamo_bypassing_wrapper", "8.8"),
    ("executorch_call_delegate", "1-2023-12"), ("flat_apply", "8.3"),
    ("flex_attention", "5.3-2024-03"), ("flex_attention_backward", "5.3-2024-03"),
    ("flex_gemm", "8.18"), ("foreach_map", "8.3"), ("graphsafe_run_with_rng_state", "8.3"),
    ("hints_wrapper", "5.4"), ("inductor_compiled_code", "8.15-a"),
    ("inline_asm_elementwise", "8.18"), ("invoke_leaf_function", "8.16"), ("invoke_quant", "8.3"),
    ("invoke_quant_packed", "8.3"), ("invoke_subgraph", "7.4"), ("local_map_hop", "8.15-a"),
    ("map", "5.4"), ("register_hook", "8.18"), ("run_const_graph", "5.4"),
    ("run_dtensor_rng_op", "8.18"), ("switch", "8.18"), ("tag_activation_checkpoint", "5.4"),
    ("trace_wrapped", "1-2023-12"), ("triton_kernel_wrapper_functional", "5.4"),
    ("triton_kernel_wrapper_mutation", "5.4"), ("while_loop_stack_output", "8.10"),
    ("with_effects", "5.4"), ("wrap_activation_checkpoint", "5.4"), ("wrap_with_autocast", "5.4"),
    ("wrap_with_set_grad_enabled", "5.4"))
GRAPHS = ("associative_scan", "hints_wrapper", "wrap_with_autocast", "wrap_with_set_grad_enabled")
GONE = (("torch.ops.higher_order.map", "8.8"),
        ("torch._functorch.autograd_function.autograd_function_apply", "7.3"),
        ("torch._functorch.autograd_function.custom_function_call", "7.3"),
        ("torch._higher_order_ops.auto_functionalize.auto_functionalized", "7.3"),
        ("torch._higher_order_ops.effects.with_effects", "7.3"),
        ("torch._higher_order_ops.map.map", "7.3"),
        ("torch._higher_order_ops.triton_kernel_wrap.triton_kernel_wrapper_functional", "7.3"),
        ("torch._higher_order_ops.triton_kernel_wrap.triton_kernel_wrapper_mutation", "7.3"),
        ("torch._higher_order_ops.wrap.tag_activation_checkpoint", "7.3"),
        ("torch._higher_order_ops.wrap.wrap_activation_checkpoint", "7.3"))

DEVICES = ("cuda", "meta", "my_npu", "privateuseone", "_", "mps")
NO_DEVICES = (
    ("empty", "", "No type."), ("upper", "CUDA", "Small letters."),
    ("index", "cuda:0", "The index is beside it."), ("digit", "cuda2", "No digits."),
    ("space", "cuda ", "White space."), ("hyphen", "my-npu", "No hyphen."),
    ("unicode", "\u00e9pu", "Of ASCII."), ("nul", "cpu\0", "A zero byte is a character."),
)


def applies(version, first, last, label, full):
    limited = first is not None or last is not None
    return within(version, first, last) and (full or limited or label in SHOWN)


def targets(suite, version, full):
    texts = Texts(suite, version, "target")
    for label, first, last, target, why in GOOD:
        if applies(version, first, last, label, full):
            texts.good(label, texts.node(3, "target", target), ["4.5.1", "4.5.2", "4.5.3"], why)
    for label, first, last, target, code, why in BAD:
        if applies(version, first, last, label, full):
            texts.bad("bad-" + label, texts.node(3, "target", target), code, None, why,
                      also=["4.5.3"] if label.startswith("extension") else [])
    for target, first in FUNCTIONS:
        if within(version, first, None) and target != "_operator.add":
            texts.good("function-" + target, texts.node(1, "target", target), "4.5.2",
                       "A function of numbers.")
    for target in RELATIONS:
        if full:
            texts.good("function-" + target, texts.node(2, "target", target), "4.5.2",
                       "A relation.")


def listed(suite):
    """Names at the edges of the versions that have them."""
    for name, first in LISTED:
        target = OPS + "higher_order." + name
        early = Texts(suite, before(first).name, "target")
        early.bad("early-" + name, early.node(3, "target", M + target), "EP_TARGET_UNKNOWN", None,
                  "From %s on." % first)
        if name not in GRAPHS:
            right = Texts(suite, first, "target")
            right.good("first-" + name, right.node(3, "target", target), "4.5.2",
                       "From %s on." % first)
    for target, last in GONE:
        late, right = Texts(suite, last, "target"), Texts(suite, before(last).name, "target")
        label = target.rsplit(".", 1)[1]
        late.bad("late-" + label, late.node(3, "target", M + target), "EP_TARGET_UNKNOWN", None,
                 "Before %s only." % last)
        right.good("last-" + label, right.node(3, "target", target), "4.5.2",
                   "Before %s only." % last)


def operators(suite, version):
    """The other place of targets: as_operator."""
    texts = Texts(suite, version, "target")
    for label, target, code in (("operator-bad", "aten" + M + "::add", "EP_TARGET"),
                                ("operator-unknown", M + "torch.add", "EP_TARGET_UNKNOWN"),
                                ("operator", OPS + "aten.add.Tensor", None)):
        def change(data, target=target):
            data["graph"]["nodes"][3]["inputs"][0]["arg"] = {"as_operator": target}
        if code:
            texts.bad(label, change, code, None, "An operator as an argument.")
        else:
            texts.good(label, change, "4.5.1", "An operator as an argument.")


def devices(suite, version):
    texts = Texts(suite, version, "device")
    for device in DEVICES:
        texts.good("type-" + device, texts.device(device), "4.6.1", "The list is open.")
    for label, device, why in NO_DEVICES:
        texts.bad("bad-" + label, texts.device(M + device), "EP_DEVICE", None, why)

    def argument(data):
        data["graph"]["nodes"][3]["inputs"][0]["arg"] = {
            "as_device": {"type": M + "cuda:0", "index": None}}
    texts.bad("argument", argument, "EP_DEVICE", None, "A device as an argument.")


def several(suite):
    """Of errors in two texts the one at the lower byte is told."""
    texts = Texts(suite, "8.20", "target")

    def order(data):
        node = data["graph"]["nodes"][3]
        node["target"] = OPS + "mylib.nope" + M
        node["inputs"][0]["arg"] = {"as_operator": "no"}
    texts.bad("first-of-two", order, "EP_TARGET", None,
              "Of errors of the strings level the first one is told, whatever its clause.",
              also=["1.5.1"], flags=["precedence"])

    def program(data):
        node = data["graph"]["nodes"][3]
        node["inputs"][0]["arg"] = tensor("nothing")
        node["outputs"] = [custom_obj("z"), {"as_operator": M + "no"}]
    texts.bad("strings-then-program", program, "EP_TARGET_UNKNOWN", None,
              "The strings level comes before the program level.", also=["1.5.1"],
              flags=["precedence"])


def vectors(suite):
    for version, full in (("8.20", True), ("1-2023-08", False), ("1", True), ("1-2023-12", False),
                          ("2", False), ("2.1", False), ("5.1", False), ("5.3-2024-03", False),
                          ("5.3", False), ("5.4", False), ("7.2", False), ("7.3", False),
                          ("7.4", False), ("8.2", False), ("8.3", False), ("8.8", False),
                          ("8.15", False), ("8.16", False), ("8.17", False), ("8.18", False)):
        targets(suite, version, full)
    for version in ("4.2", "8.20"):
        operators(suite, version)
    for version in ("1", "2", "8.20"):
        devices(suite, version)
    texts = Texts(suite, "8.20", "target", Foreign())
    texts.bad("bad-colons", texts.node(3, "target", "aten" + M + "::relu"), "EP_TARGET", None,
              "In another spelling.")
    texts.bad("bad-space-after", texts.node(3, "target", OPS + "aten.relu.default" + M + " "),
              "EP_TARGET", None, "In another spelling.")
    listed(suite)
    several(suite)
