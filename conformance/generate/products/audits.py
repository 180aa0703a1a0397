"""What an audit finds (SPEC part 9): in every text of a program that a loader processes,
and in none of the others; what each kind of text may say, and the nearest that it may not.
The verdicts on texts are the tables below; their severities are those of SPEC.md.
"""

import json
import os
import re

from format.document import Document, replace
from format.history import ORDER, ROOT, VERSIONS
from format.programs import Rich
from generate.suite import change_between
from generate.language.texts import S0, draft, since
from generate.whole import (LEAF, at, call, entry, meta, parameter, sym_int, tensor, tree,
                            treespec, user_input)

LATEST = "8.20"
FINDING = re.compile(r"^\| (9\.\d\.\d+) \| (AUDIT_\w+) \| (\w+) \|", re.MULTILINE)
TOLD = 20  # of an id, one by one


def read_findings():
    """Id to (severity, clause), in the order of the clauses."""
    with open(os.path.join(ROOT, "SPEC.md"), encoding="utf-8") as file:
        found = {name: (severity, clause) for clause, name, severity in FINDING.findall(file.read())}
    assert len(found) == 35, "%d findings in SPEC.md" % len(found)
    return found


FINDINGS = read_findings()

OPS, HOP = "torch.ops.", "torch.ops.higher_order."

# ---- which texts are looked at, and how ----------------------------------------------

EXPRESSION, NAME, ATTRIBUTE, GUARD = "expression", "name", "attribute", "guard"
TARGET, PATHS, TREESPEC, VERIFIER = "target", "paths", "treespec", "verifier"
BLOB, CLASS, VALUE, STACK, CUSTOM = "blob", "class", "value", "stack", "custom"
COUNTER, FORMAT, METHOD, CALLED = "counter", "format", "method", "called"

LOOKED_AT = {
    EXPRESSION: ("SymExpr.expr_str", "SymBool.as_expr"),
    NAME: ("TensorArgument.name", "TokenArgument.name", "SymIntArgument.as_name",
           "SymFloatArgument.as_name", "SymBoolArgument.as_name",
           "OptionalTensorArgument.as_tensor", "GraphArgument.name", "CustomObjArgument.name",
           "NamedArgument.name", "Node.name", "InputToConstantInputSpec.name",
           "ConstantInputSpec.name", "GraphSignature.user_inputs", "GraphSignature.user_outputs",
           "ModuleCallSignature.forward_arg_names"),
    ATTRIBUTE: ("InputToParameterSpec.parameter_name", "InputToBufferSpec.buffer_name",
                "InputToTensorConstantSpec.tensor_constant_name",
                "InputToCustomObjSpec.custom_obj_name", "BufferMutationSpec.buffer_name",
                "ParameterMutationSpec.parameter_name", "GraphSignature.inputs_to_parameters",
                "GraphSignature.inputs_to_buffers", "GraphSignature.buffers_to_mutate",
                "GradientToParameterSpec.parameter_name",
                "GradientToUserInputSpec.user_input_name",
                "UserInputMutationSpec.user_input_name", "ModuleCallEntry.fqn"),
    VALUE: ("ConstantValue.as_string",),
    GUARD: ("ExportedProgram.guards_code",),
    TARGET: ("Node.target", "Argument.as_operator"),
    PATHS: ("Node.metadata",),
    TREESPEC: ("CallSpec.in_spec", "CallSpec.out_spec", "ModuleCallSignature.in_spec",
               "ModuleCallSignature.out_spec"),
    VERIFIER: ("ExportedProgram.verifiers", "ExportedProgram.dialect"),
    BLOB: ("ExportedProgram.example_inputs", "Graph.constants", "CustomObjArgument.blob"),
    CLASS: ("CustomObjArgument.class_fqn",),
}
ROLES = {tuple(place.split(".")): role for role, places in LOOKED_AT.items() for place in places}


def has_paths(key, version):
    """Whether the loaders of a version walk the paths under a key of metadata. SPEC 9.3.6"""
    old = not since(version, "1-2023-12")
    return key in ("source_fn", "source_fn_stack") or (key == "nn_module_stack" and old)


VALUES = re.compile(r"/graph/inputs/\d+/(as_string|as_strings/\d+)$|/user_input/arg/as_strings?")
KEPT = {"nn_module_stack": STACK, "custom": CUSTOM}
INPUT = re.compile(r"(/nodes/\d+/inputs/)\d+/arg/as_string$")


def role_of(node, version):
    if VALUES.search(node.pointer):
        return VALUE
    role = ROLES.get(node.place)
    if role == PATHS and not has_paths(node.pointer.split("/")[-1], version):
        return None
    return role


def roles_of(node, version, takes):
    """The role of a text, and those that it has besides. takes: the inputs of nodes whose
    strings are more than strings, with what they are."""
    role = role_of(node, version)
    key = node.pointer.split("/")[-1]
    also = KEPT if node.place == ("Node", "metadata") else {}
    taken = INPUT.search(node.pointer)
    taken = takes.get(node.pointer[:taken.end(1)], ()) if taken else ()
    return [each for each in (also.get(key), role, *taken) if each]


TAKES = {OPS + "higher_order.print": FORMAT, OPS + "higher_order.call_torchbind": METHOD,
         OPS + "export.access_subclass_inner_tensor.default": METHOD,
         "torch.export.custom_ops._call_custom_autograd_function_in_pre_dispatch": CALLED}


def taking(document):
    """The inputs of nodes that call what takes a string for more, by their pointer."""
    found = {}
    for node in document.nodes():
        called = re.search(r"^(.*/nodes/\d+)/(target|inputs/\d+/arg/as_operator)$",
                           node.pointer or "")
        if called and is_text(node) and json.loads(node.text) in TAKES:
            found.setdefault(called.group(1) + "/inputs/", set()).add(
                TAKES[json.loads(node.text)])
    return found


# ---- what is said of a text that is no finding in every version ----------------------

PROBE = 'torch.__x__ "'  # a finding wherever anything is looked at
BLANK = "a b"  # one as a name, and none between quotes
VERDICTS = {  # what the programs that the vectors start from have: (id, what it is about)
    EXPRESSION: {PROBE: ("AUDIT_EXPR", PROBE)},
    NAME: {PROBE: ("AUDIT_NAME", PROBE), BLANK: ("AUDIT_NAME", BLANK)},
    ATTRIBUTE: {PROBE: ("AUDIT_NAME", PROBE)},
    GUARD: {PROBE: ("AUDIT_GUARD", PROBE), "": ("AUDIT_GUARD", ""),
            "L['x'].size()[0] >= 2": ("AUDIT_GUARDED", "L['x'].size()[0] >= 2")},
    TARGET: {PROBE: ("AUDIT_TARGET", PROBE), "#ns:op": ("AUDIT_EXTENSION", "#ns:op"),
             "torch.ops.mylib.nope.default": ("AUDIT_LIBRARY", "torch.ops.mylib.nope.default")},
    PATHS: {PROBE: ("AUDIT_METADATA", PROBE)},
    TREESPEC: {PROBE: ("AUDIT_TREESPEC", PROBE), "[1, null]": ("AUDIT_TREESPEC", "[1, null]")},
    VERIFIER: {PROBE: ("AUDIT_VERIFIER", PROBE)},
    VALUE: {PROBE: ("AUDIT_GUARD", PROBE)},
    STACK: {PROBE: ("AUDIT_NAME", PROBE)},
    CUSTOM: {}, FORMAT: {}, COUNTER: {},
    METHOD: {PROBE: ("AUDIT_CARRIER", PROBE), "": None},
}
WHATEVER = {CALLED: "AUDIT_IMPORT", CLASS: "AUDIT_OBJECT",  # whatever it says
            BLOB: "AUDIT_EMBEDDED"}


def is_text(node):
    return node.kind == "scalar" and node.place is not None and node.text.startswith('"')


def placed(document):
    """The nodes, each item with the place of its list."""
    for node in document.nodes():
        if node.kind in ("list", "dict", "tuple"):
            for part in node.items + [value for _, value in node.members]:
                part.place = part.place or node.place
        yield node


class Judged:
    """A document, and what is said of texts of a role beyond VERDICTS: {(role, text):
    [(id, about)]}."""

    def __init__(self, document, version, said=None):
        self.document, self.version, self.said = document, version, said or {}
        self.found, self.once = [], set()
        takes = taking(document)
        for node in placed(document):
            if is_text(node):
                for role in roles_of(node, version, takes):
                    self.look(node, role, json.loads(node.text))

    def look(self, node, role, text):
        """Each text once, where it first stands. SPEC 9.1.5"""
        if role is None or (role, text) in self.once:
            return
        self.once.add((role, text))
        for name, about in self.verdicts(role, text):
            again = (name, about) if name in ("AUDIT_TYPE", "AUDIT_GUARDED") else None
            again = name if name == "AUDIT_GUARDED" else again
            if again is None or again not in self.once:
                self.once.add(again)
                self.found.append((node.start, name, about, node.pointer))

    def verdicts(self, role, text):
        if (role, text) in self.said:
            return self.said[role, text]
        if role in WHATEVER:
            return [(WHATEVER[role], text)]
        if role == VERIFIER and text == "TRAINING" and not since(self.version, "5.4"):
            return [("AUDIT_VERIFIER", text)]
        found = VERDICTS[role].get(text)
        return [found] if found else []

    def product(self):
        return listed(self.found)


def listed(found, members=()):
    """The list of (offset, id, about, pointer), and of (member, id, about), as the
    operation wants it: of each id the first ones, and how many there are beyond."""
    order = list(FINDINGS)
    found = sorted(found, key=lambda each: (each[0], order.index(each[1]),
                                            each[2].encode("utf-8")))
    lines, counts = [], {}
    for offset, name, about, pointer in found:
        counts[name] = counts.get(name, 0) + 1
        if counts[name] <= TOLD:
            lines.append({**head(name), "offset": offset, "pointer": pointer,
                          **({"text": about} if about else {})})
    for member, name, about in sorted(members, key=lambda each: (
            each[0].encode("utf-8"), order.index(each[1]), each[2].encode("utf-8"))):
        lines.append({**head(name), "member": member, **({"text": about} if about else {})})
    for name in order:
        if counts.get(name, 0) > TOLD:
            lines.append({**head(name), "more": counts[name] - TOLD})
    return {"text": json.dumps([{key: value for key, value in line.items() if value != ""
                                 or key == "pointer"} for line in lines])}


def head(name):
    severity, clause = FINDINGS[name]
    return {"id": name, "severity": severity, "clause": clause}


# ---- every text of every version -----------------------------------------------------


class Richest:
    """The program that holds everything that a version has."""

    def __init__(self, suite, version):
        self.suite, self.version = suite, version
        self.document = Document(Rich(VERSIONS[version]).program())
        self.name = "audit/rich/" + version
        if self.name not in suite.vectors:
            suite.valid_edit(
                self.name, "program/rich/" + version, None, ["9.1.2", "9.1.3"],
                "Every field, variant and enumerator.", operation="audit", provenance="hand",
                product=Judged(self.document, version).product())

    def probe(self, node):
        """One text is the probe; a name is one with a blank, too."""
        self.change("text", node, "AAED" if ROLES.get(node.place) == BLOB else PROBE)
        if ROLES.get(node.place) in (NAME, ATTRIBUTE):
            self.change("blank", node, BLANK)

    def change(self, label, node, probe):
        text, node.text = node.text, json.dumps(probe)
        document = Document(self.document.root)
        product = Judged(document, self.version).product()
        self.suite.valid_edit(
            "audit/%s-%s.%s/%s" % (label, *node.place, self.version), self.name,
            change_between(self.suite.bytes[self.name], document.text), CLAUSES[
                role_of(node, self.version)],
            "A text of %s.%s that tells by itself what it is taken for." % node.place,
            provenance="hand",
            product=product)
        node.text = text
        Document(self.document.root)


CLAUSES = {EXPRESSION: ["9.2.1"], NAME: ["9.2.3"], ATTRIBUTE: ["9.2.3"], GUARD: ["9.2.4"],
           TARGET: ["9.3.1"], PATHS: ["9.3.6"], TREESPEC: ["9.4.2"], VERIFIER: ["9.3.7"],
           BLOB: ["9.5.1"], CLASS: ["9.5.2"], VALUE: ["9.2.4"], None: ["9.1.2"]}


def texts_of(document):
    """Place to the first text that stands there, and every key of metadata apart."""
    found = {}
    for node in placed(document):
        if is_text(node):
            found.setdefault(node.place, node)
    return found


def places(suite):
    """In the first and the last version that has the text."""
    first, last = {}, {}
    for version in ORDER:
        document = Document(Rich(VERSIONS[version]).program())
        for place in texts_of(document):
            first.setdefault(place, version)
            last[place] = version
    for version in ORDER:
        wanted = [place for place in first if version in (first[place], last[place])]
        if wanted:
            rich = Richest(suite, version)
            for place in sorted(wanted):
                rich.probe(texts_of(rich.document)[place])


# ---- what each kind of text may say --------------------------------------------------

EXPR, COST = "AUDIT_EXPR", "AUDIT_EXPR_COST"
S1 = "Symbol('s0', positive=True, integer=True)"
EXPRESSIONS = (  # (label, text, finding)
    ("integer", "3", None), ("symbol", "s0", None), ("sum", "2*s0 + 1", None),
    ("integer-srepr", "Integer(3)", None),
    ("sum-srepr", "Add(%s, Integer(1))" % S1, None),
    ("symbol-power", "s0**100000", COST), ("power-4", "2**9999", None),
    ("power-4-srepr", "Pow(Integer(10), Integer(9999))", None),
    ("power-symbol", "2**s0", None), ("power-symbols", "2**(s0 + 1)", None),
    ("base-symbols", "(s0 + 1)**100000", COST),
    ("symbol-power-srepr", "Pow(%s, Integer(100000))" % S1, COST),
    ("power-symbol-srepr", "Pow(Integer(2), Add(%s, Integer(1)))" % S1, None),
    ("root", "Pow(Integer(2), Rational(1, 2))", None),
    ("power-4-below", "Pow(Integer(2), Integer(-9999))", None),
    ("shift-4", "LShift(1, 9999)", None), ("long", "s0 + 100000", None),
    ("product", "2*100000", None), ("maximum", "Max(2, 100000)", None),
    ("right-shift", "RShift(1, 100000)", COST), ("right-shift-4", "RShift(1, 9999)", None),
    ("power-4-group", "2**(9999)", None), ("power-4-negative", "2**(-9999)", None),
    ("power-5", "2**10000", COST), ("power-5-most", "2**99999", COST),
    ("power-6", "2**100000", COST), ("power-5-srepr", "Pow(Integer(10), Integer(10000))", COST),
    ("power-5-below", "Pow(Integer(2), Integer(-10000))", COST),
    ("power-5-group", "2**(10000)", COST), ("power-5-negative", "2**(-10000)", COST),
    ("power-power", "2**(2**99)", COST), ("power-call", "2**Max(1, 2)", None),
    ("power-call-srepr", "Pow(Integer(2), Max(Integer(1), Integer(2)))", None),
    ("shift", "LShift(1, 100000)", COST),
    ("by-natural", "PowByNatural(Integer(2), Integer(99999))", COST),
    ("float-power", "FloatPow(Integer(2), Integer(99999))", COST),
    ("inside", "s0 + 2*3**100000", COST), ("inside-first", "3**100000 + s0", COST),
    ("inside-call", "Max(s0, 2**99999)", COST), ("inside-call-first", "Max(2**99999, s0)", COST),
    ("inside-exponent", "s0**(2**99999)", COST), ("inside-base", "(2**99999)**s0", COST),
    ("inside-group", "s0*(1 + 2**99999)", COST), ("negative", "-2**99999", COST),
    ("quotient-by-power", "s0/3**99999", COST), ("quotient-of-power", "3**99999/s0", COST),
    ("sum-power", "(1 + 2)**99999", COST), ("quotient", "s0 + 2**99999/3", COST),
    ("sum-srepr-power", "Add(%s, Pow(Integer(2), Integer(99999)))" % S1, COST),
    ("empty", "", EXPR), ("call", "f()", EXPR), ("attribute", "s0.x", EXPR),
    ("symbol-bad", "Symbol('a b')", EXPR), ("import", "__import__('os')", EXPR),
    ("cut", "s0 +", EXPR), ("list", "[1]", EXPR), ("two", "s0; s1", EXPR),
    ("lambda", "(lambda: 1)()", EXPR), ("string", "'s0'", EXPR),
    ("form-both", "Integer(1) + 1", EXPR), ("cost-and-bad", "f(2**99999)", EXPR),
    ("space", "s0 ", EXPR), ("long-bad", "s0 + " * 30, EXPR),
)
GUARDS = (
    ("other", "L['x'].size()[0] <= 100", "AUDIT_GUARDED"), ("call", "f()", "AUDIT_GUARD"),
    ("never", "1 == 2", "AUDIT_GUARDED"), ("cut", "L['x'].size()[0] <", "AUDIT_GUARD"),
    ("quote", "L[\"it's\"].size()[0] <= 100", "AUDIT_GUARD"),
    ("backslash", "L['\\n'].size()[0] <= 100", "AUDIT_GUARD"),
    ("print", "print(1) == 2", "AUDIT_GUARD"), ("newline", "1 == 2\n", "AUDIT_GUARD"),
    ("letter", "L['\u00e9'].size()[0] <= 100", "AUDIT_GUARDED"),
    ("power", "L['x'].size()[0] ** 999 == 2", "AUDIT_GUARDED"),
    ("power-4", "9 ** 9999 == 1", "AUDIT_GUARDED"),
    ("power-5", "9 ** 10000 == 1", "AUDIT_EXPR_COST"),
    ("power-power", "9 ** 9 ** 9 ** 9 == 1", "AUDIT_EXPR_COST"),
    ("power-group", "9 ** (9 + 9) == 1", "AUDIT_EXPR_COST"),
    ("power-twice", "(9 ** 99) ** 99 == 1", "AUDIT_GUARDED"),
    ("power-twice-more", "(9 ** 999) ** 999 == 1", "AUDIT_EXPR_COST"),
    ("round", "round(L['x'].size()[0], 9999) == 1", "AUDIT_GUARDED"),
    ("round-5", "round(L['x'].size()[0], 10000) == 1", "AUDIT_EXPR_COST"),
    ("round-none", "max(L['x'].size()[0], 10000) == 1", "AUDIT_GUARDED"),
)
T, CARRIER, OPENS = "AUDIT_TARGET", "AUDIT_CARRIER", "AUDIT_OPENS"
EXTENSION, LIBRARY = "AUDIT_EXTENSION", "AUDIT_LIBRARY"
CARRIERS = ("aoti_call_delegate", "executorch_call_delegate", "inductor_compiled_code",
            "inline_asm_elementwise", "invoke_leaf_function", "register_hook",
            "triton_kernel_wrapper_functional", "triton_kernel_wrapper_mutation")
DUNDERS = ("and", "iand", "ilshift", "ior", "irshift", "ixor", "lshift", "or", "rshift", "xor")
TARGETS = (
    ("hop", HOP + "cond", None), ("hop-unknown", HOP + "mine", T),
    ("hop-overload", HOP + "cond.default", T), ("hop-map", "torch.ops.map_impl", None),
    ("hop-near", HOP + "register_hook_", T), ("hop-nothing", HOP, T),
    ("operator", "_operator.add", None), ("operator-unknown", "_operator.getitem", T),
    ("operator-word", "_operator", T), ("operator-longer", "_operators.add", T),
    ("operator-shorter", "_operato.add", None), ("operator-builtin", "operator.getitem", None),
    ("math", "math.trunc", None), ("math-unknown", "math.foo", T), ("math-word", "maths", T),
    ("mat", "mat.foo", None), ("symbol", "torch.sym_max", None),
    ("torch", "torch", T), ("torch-longer", "torchx.y", T), ("torc", "torc.y", None),
    ("function", "torch.nn.functional.relu", T), ("system", "torch.os.system", T),
    ("operator-cut", OPS + "aten.add", T), ("operator-four", OPS + "aten.add.Tensor.x", T),
    ("schema-name", "aten::relu", None), ("empty", "", None), ("blank", " torch.x", None),
    ("capital", "Torch.x", None), ("letters", OPS + "aten.\u00e9.default", T),
    ("load", OPS + "load_library.a.b", T), ("loaded", OPS + "loaded_libraries.a.b", T),
    ("import", OPS + "import_module.a.b", T), ("load-longer", OPS + "load_library2.a.b", LIBRARY),
    ("load-name", OPS + "aten.load_library.b", None),
    ("namespace-under", OPS + "__a.b.c", T), ("namespace-one", OPS + "_a.b.c", LIBRARY),
    ("overload-under", OPS + "aten.add.__c", T), ("overload-one", OPS + "aten.add._c", None),
    ("overload-dunder", OPS + "aten.__and__.__and__", T),
    ("name-under", OPS + "aten.__a__.c", T), ("name-one", OPS + "aten._a_.c", None),
    ("name-cut", OPS + "aten.__and_.c", T), ("name-longer", OPS + "aten.__and___.c", T),
    ("opens", OPS + "aten.from_file.default", OPENS), ("opens-out", OPS + "aten.from_file.out", OPENS),
    ("opens-save", OPS + "aten.save.default", OPENS),
    ("opens-rpc", OPS + "prim.rpc_sync.default", OPENS),
    ("opens-rpc-async", OPS + "prim.rpc_async.default", OPENS),
    ("opens-rpc-remote", OPS + "prim.rpc_remote.default", OPENS),
    ("opens-python", OPS + "prim.PythonOp.default", OPENS),
    ("opens-python-ignored", OPS + "prim.IgnoredPythonOp.default", OPENS),
    ("opens-debug", OPS + "debugprims.load_tensor.default", OPENS),
    ("opens-crossed", OPS + "debugprims.from_file.default", None),
    ("opens-crossed-too", OPS + "aten.load_tensor.default", None),
    ("opens-longer", OPS + "aten.from_files.default", None),
    ("opens-elsewhere", OPS + "mylib.from_file.default", LIBRARY),
    ("extension", "#lib:op", EXTENSION), ("extension-old", "$lib:op", EXTENSION),
    ("extension-alone", "#", EXTENSION), ("extension-inside", "a#lib:op", None),
    ("extension-torch", "#torch.x", EXTENSION),
    ("library", OPS + "mylib.op.default", LIBRARY), ("library-cut", OPS + "aten_.op.default", LIBRARY),
    ("library-near", OPS + "ate.op.default", LIBRARY), ("library-case", OPS + "Aten.op.default", LIBRARY),
)
PATH_ROWS = (  # (label, key, text, finding, what it is about)
    ("plain", "source_fn_stack", "l,torch.nn.modules.linear.Linear;m,torch.nn.relu", None, ""),
    ("under", "source_fn_stack", "l,torch.__c__", "AUDIT_METADATA", "torch.__c__"),
    ("under-second", "source_fn_stack", "l,torch.nn.relu;m,torch.__c__", "AUDIT_METADATA",
     "torch.__c__"),
    ("under-first", "source_fn_stack", "l,torch.__c__;m,torch.nn.relu", "AUDIT_METADATA",
     "torch.__c__"),
    ("under-empty", "source_fn_stack", "l,a;;m,torch.__c__", "AUDIT_METADATA", "torch.__c__"),
    ("under-deep", "source_fn_stack", "l,torch.nn.a.b.__c", "AUDIT_METADATA", "torch.nn.a.b.__c"),
    ("under-end", "source_fn_stack", "l,torch.__", "AUDIT_METADATA", "torch.__"),
    ("under-one", "source_fn_stack", "l,torch._c__", None, ""),
    ("under-no-dot", "source_fn_stack", "l,torch__c", None, ""),
    ("under-operator", "source_fn_stack", "l,_operator.__c", "AUDIT_METADATA", "_operator.__c"),
    ("under-math", "source_fn_stack", "l,math.__c", "AUDIT_METADATA", "math.__c"),
    ("under-elsewhere", "source_fn_stack", "l,os.__c", None, ""),
    ("under-name", "source_fn_stack", "torch.__n,torch.c", None, ""),
    ("under-alone", "source_fn_stack", "torch.__n", "AUDIT_METADATA", "torch.__n"),
    ("under-middle", "source_fn_stack", "l,torch.__n,torch.c", None, ""),
    ("under-closed", "source_fn_stack", "(l,torch.__n)", "AUDIT_METADATA", "torch.__n"),
    ("empty", "source_fn_stack", "", None, ""), ("separators", "source_fn_stack", ";,;", None, ""),
    ("comma-first", "source_fn_stack", ",torch.__c__", "AUDIT_METADATA", "torch.__c__"),
    ("comma-first-long", "source_fn_stack", ",torch.nn.__class__;l,torch.nn.relu", "AUDIT_METADATA",
     "torch.nn.__class__"),
    ("semicolon-first", "source_fn_stack", ";torch.__c__", "AUDIT_METADATA", "torch.__c__"),
    ("closed-empty", "source_fn_stack", ");)", None, ""),
    ("extension", "source_fn_stack", "l,#a:b", EXTENSION, "#a:b"),
    ("extension-second", "source_fn_stack", "l,a.b;m,#a:b", EXTENSION, "#a:b"),
    ("extension-name", "source_fn_stack", "#a,b", None, ""),
    ("extension-dollar", "source_fn_stack", "l,$a:b", None, ""),
    ("source", "source_fn", "l,torch.__c__", "AUDIT_METADATA", "torch.__c__"),
    ("torch-fn", "torch_fn", "l,torch.__c__", None, ""),
    ("custom", "custom", "torch.__c__", None, ""),
    ("trace", "stack_trace", "torch.__c__", None, ""),
    ("modules", "nn_module_stack", "k:(a,torch.__c__)", None, ""),
    ("near", "source_fn_stack_", "l,torch.__c__", None, ""),
    ("near-cut", "source_f", "l,torch.__c__", None, ""),
)
OLD_PATHS = (
    ("modules-old", "nn_module_stack", "k:(a,torch.__c__)", "AUDIT_METADATA", "torch.__c__"),
    ("modules-old-two", "nn_module_stack", "k:(a,torch.b);l:(a,torch.nn.__c)", "AUDIT_METADATA",
     "torch.nn.__c"),
    ("modules-old-plain", "nn_module_stack", "k:(a,torch.c__)", None, ""),
    ("source-old", "source_fn", "l,_operator.__c__", "AUDIT_METADATA", "_operator.__c__"),
)
VERIFIERS = (("own", "ATEN", None, None), ("edge", "EDGE", None, None),
             ("training", "TRAINING", "5.4", None), ("empty", "", "5.4", None),
             ("other", "MINE", None, "AUDIT_VERIFIER"), ("case", "aten", None, "AUDIT_VERIFIER"),
             ("longer", "ATEN2", None, "AUDIT_VERIFIER"))


class Carrier:
    """The program of generate/texts.py, and what is found when texts of it are others."""

    options = None  # of what is made, where it has other ones than the program

    def __init__(self, suite, version):
        self.suite, self.version = suite, version
        self.draft = draft(version)
        document = self.draft.written(VERSIONS[version])
        self.base = suite.valid(
            "audit/base/" + version, "audit", version, document.text, ["9.1.2", "9.1.3"],
            "Texts that are well-formed, and a few that are told.", provenance="hand",
            file="whole/%s-audit-base.json" % version, options=VERSIONS[version].options,
            product=Judged(document, version).product())

    def id(self, label):
        return "audit/%s/%s" % (label, self.version)

    def put(self, label, document, said, clause, why):
        change = change_between(self.suite.bytes[self.base], document.text)
        return self.suite.valid_edit(
            self.id(label), self.base, change, clause, why, provenance="hand",
            flags=["large"] if len(change[2]) > 300 else None,
            options=self.options or VERSIONS[self.version].options,
            product=Judged(document, self.version, said).product())

    def text(self, label, path, text, said, clause, why="What a text says."):
        """One text is another. said: its findings, [(id, about)], by its role."""
        document = self.draft.written(VERSIONS[self.version])
        list(placed(document))
        node = at(document, path)
        role = role_of(node, self.version)
        node.text = json.dumps(text)
        return self.put(label, Document(document.root), {(role, text): said}, clause, why)

    def changed(self, label, change, said, clause, why):
        program = draft(self.version)
        change(program.data)
        return self.put(label, program.written(VERSIONS[self.version]), said, clause, why)


GRAPH = "graph_module/graph/"


def one(finding, text):
    return [(finding, text)] if finding else []


def expressions(here, rows=EXPRESSIONS):
    path = GRAPH + "sym_int_values/m/as_expr/expr_str"
    for label, text, finding in rows:
        here.text("expression-" + label, path, text, one(finding, text),
                  [FINDINGS[finding or EXPR][1], "9.1.4"])


def guards(here):
    for label, text, finding in GUARDS:
        here.text("guard-" + label, "guards_code/0", text, one(finding, text),
                  [FINDINGS[finding or "AUDIT_GUARD"][1]])

    def several(data):
        data["header"]["guards_code"] += ["1 == 2", "f()", "2 == 1", "f()"]

    here.changed("guard-several", several, {
        (GUARD, "1 == 2"): one("AUDIT_GUARDED", "1 == 2"), (GUARD, "f()"): one("AUDIT_GUARD", "f()"),
        (GUARD, "2 == 1"): one("AUDIT_GUARDED", "2 == 1")}, ["9.2.5", "9.1.5"],
        "All that are well-formed are told once.")


def annexed():
    """The namespaces that PyTorch's own operators are in, from the annex."""
    with open(os.path.join(ROOT, "annex", "operators.tsv"), encoding="utf-8") as file:
        return sorted({line.split("\t")[0].replace("torch.ops.", "").split(".")[0] for line in
                       list(file)[1:]})


def targets(here):
    path = GRAPH + "nodes/0/target"
    rows = TARGETS + tuple(("carrier-" + each.replace("_", "-"), HOP + each, CARRIER)
                           for each in CARRIERS)
    rows += tuple(("dunder-" + each, OPS + "aten.__%s__.Tensor" % each, None) for each in DUNDERS)
    for label, text, finding in rows:
        here.text("target-" + label, path, text, one(finding, text),
                  [FINDINGS[finding or T][1]])

    def argument(data):
        data["graph"]["nodes"][0]["inputs"].append(
            {"name": "f", "arg": {"as_operator": "torch.a"}, "kind": 1})

    here.changed("target-argument", argument, {(TARGET, "torch.a"): one(T, "torch.a")}, ["9.3.1"],
                 "A value is walked to as a node's target is.")


def paths(here, rows):
    for label, key, text, finding, about in rows:
        def change(data, key=key, text=text):
            data["graph"]["nodes"][0]["metadata"] = {key: text}

        here.changed("path-" + label, change, {(PATHS, text): one(finding, about)},
                     [FINDINGS[finding or "AUDIT_METADATA"][1]], "What metadata says under %s." % key)


def verifiers(here):
    field = "verifiers/0" if since(here.version, "6.1-a") else "dialect"
    for label, text, first, finding in VERIFIERS:
        known = first is None or since(here.version, first) or (text == "" and field == "dialect")
        here.text("verifier-" + label, field, text,
                  one(finding or (None if known else "AUDIT_VERIFIER"), text), ["9.3.7"])


def names(here):
    """Every character of ASCII, in a name and between quotes."""
    every = [chr(each) for each in range(128)]
    word = [each for each in every if each.isalnum() or each == "_"]
    quoted = [each for each in every if each < " " or each in "\"\\\x7f"]
    rows = (("name", NAME, [each for each in every if each not in word], word + ["\u00e9", "\x80"]),
            ("attribute", ATTRIBUTE, quoted, [each for each in every if each not in quoted]
             + ["\u00e9", "\x80"]))
    for label, role, bad, good in rows:
        for i in range(0, len(bad), TOLD - 3):
            texts = ["a%sb" % each for each in bad[i:i + TOLD - 3]]
            said = {(role, text): one("AUDIT_NAME", text) for text in texts}
            here.changed("%s-bad-%d" % (label, i), naming(role, texts), said, ["9.2.3"],
                         "Characters that a %s cannot have in source." % label)
        here.changed(label + "-good", naming(role, ["a%sb" % each for each in good]), {}, ["9.2.3"],
                     "Characters that do nothing in the source of a %s." % label)
        ends = ["", bad[1], bad[1] + "a", "a" + bad[1]]
        here.changed(label + "-ends", naming(role, ends),
                     {(role, each): one("AUDIT_NAME", each) for each in ends[1:]}, ["9.2.3"],
                     "At the beginning and the end; and the empty text.")


def naming(role, texts):
    def change(data):
        if role == NAME:
            data["root"]["forward_arg_names"] = texts
        else:
            data["modules"] += [entry(each) for each in texts]
    return change


IMPORT, TYPE, UNJUDGED = "AUDIT_IMPORT", "AUDIT_TYPE", "AUDIT_TREESPEC"
FACTORIES = {"builtins": "bool dict float int list set str tuple",
             "collections": "Counter OrderedDict deque"}


def factory(module, name):
    return ('{"default_factory_module": "%s", "default_factory_name": "%s", '
            '"dict_context": ["k"]}' % (module, name))


def typed(type_name, context, children=1):
    """A tree spec of one node; its context is JSON already."""
    return treespec('{"type": %s, "context": %s, "children_spec": [%s]}' % (
        json.dumps(type_name), context, ", ".join([LEAF] * children)))


COLOR = '{"__enum__": true, "fqn": "mine:Color", "name": "RED"}'
DICT, LIST = "builtins.dict", "builtins.list"
NOT_SPECS = (  # (label, text, finding)
    ("empty", "", UNJUDGED), ("node", "[1, {}]", UNJUDGED), ("word", "__enum__", IMPORT),
    ("word-key", '[1, {"__enum__": 1}]', IMPORT), ("word-cut", "[__enum_]", UNJUDGED),
    ("word-cut-first", "[_enum__]", UNJUDGED), ("word-end", "x__enum__", IMPORT),
    ("word-first", "__enum__x", IMPORT),
    ("factory", "default_factory_module", IMPORT), ("factory-key", '{"default_factory_module": 1}',
                                                    IMPORT),
    ("factory-cut", "default_factory_modul", UNJUDGED), ("factory-name", "default_factory_name",
                                                         UNJUDGED),
    ("escape-1", "[\\u001f]", UNJUDGED), ("escape-8", "[\\u0080]", UNJUDGED),
    ("escape-cut", "\\u00", UNJUDGED), ("escape-high", "[\\u0120]", UNJUDGED),
    ("escape-last", "\\u002", IMPORT),
    ("blank", '[1,  {"type": null, "context": null, "children_spec": []}]', UNJUDGED),
    ("protocol", '[2, {}]', UNJUDGED),
) + tuple(("escape-%d" % digit, "[\\u00%d0]" % digit, IMPORT) for digit in range(2, 8))


def tree_specs(here):
    rows = [(label, text, one(finding, text)) for label, text, finding in NOT_SPECS]
    rows += [("factory-%s-%s" % (module, name),
              typed("collections.defaultdict", factory(module, name)), [])
             for module, names_of in FACTORIES.items() for name in names_of.split()]
    for module, name in (("mine", "list"), ("builtins", "object"), ("collections", "list"),
                         ("builtins", "Counter"), ("builtins", "list2"), ("builtins2", "list"),
                         ("builtins", "lis"), ("builtin", "list")):
        rows.append(("factory-not-%s-%s" % (module, name),
                     typed("collections.defaultdict", factory(module, name)),
                     [(IMPORT, factory(module, name))]))
    enum = json.dumps("[%s]" % COLOR)
    rows += [
        ("leaf", treespec(LEAF), []), ("list", typed(LIST, '"null"'), []),
        ("keys", typed(DICT, json.dumps('["a"]')), []),
        ("type", typed("mine.Batch", '"null"'), [(TYPE, "mine.Batch")]),
        ("type-context", typed("mine.Batch", '{"a": [1]}'), [(TYPE, "mine.Batch")]),
        ("type-twice", treespec(tree("builtins.tuple", "null", [
            tree("mine.A", "null", [LEAF]), tree("mine.B", "null", [tree("mine.A", "null", [])])])),
         [(TYPE, "mine.A"), (TYPE, "mine.B")]),
        ("type-inside", treespec(tree("builtins.tuple", "null", [
            LEAF, tree(LIST, "null", [LEAF, tree("mine.C", "null", [])]), LEAF,
            tree("mine.D", "null", [])])), [(TYPE, "mine.C"), (TYPE, "mine.D")]),
        ("type-import", typed("mine.Batch", COLOR),
         [(IMPORT, COLOR), (TYPE, "mine.Batch")]),
        ("type-enum-value", typed("mine.Batch", '"__enum__"'),
         [(IMPORT, '"__enum__"'), (TYPE, "mine.Batch")]),
        ("enum", typed(DICT, enum), [(IMPORT, enum)]),
        ("enum-near", typed(DICT, json.dumps('["__enum_"]')), []),
    ]
    path = "graph_module/module_call_graph/0/signature/in_spec"
    for label, text, said in rows:
        here.text("tree-" + label, path, text, said,
                  [FINDINGS[said[0][0] if said else UNJUDGED][1]])


def spec(keys, first=0, children=2):
    """The tree spec of a call with these keyword arguments."""
    parts = [tree("builtins.tuple", "null", [LEAF] * first),
             tree(DICT, json.dumps(keys), [LEAF] * len(keys)), tree(LIST, "null", [])]
    return treespec(tree("builtins.tuple", "null", parts[:children]))


def spec_of(keys):
    """The tree spec of a call with a dict of these keys."""
    return treespec(tree("builtins.tuple", "null", [
        tree("builtins.tuple", "null", [tree(DICT, keys, [LEAF] * len(json.loads(keys)))]),
        tree(DICT, "[]", [])]))


def call_spec(here):
    """The same in the call_spec of version 1."""
    for label, key, said in (("in", "a b", [("AUDIT_NAME", "a b")]), ("out", "a b", [])):
        here.text("keyword-call-%s" % label, "graph_module/call_spec/%s_spec" % label, spec([key]),
                  said, ["9.2.3"], "The keys of what is given alone are parameters.")


def keywords(here):
    """The keys of keyword arguments become names."""
    path = "graph_module/module_call_graph/0/signature/in_spec"
    name = "AUDIT_NAME"
    for label, text, said in (
            ("bad", spec(["a b"]), [(name, "a b")]), ("good", spec(["a_b", "\u00e9"]), []),
            ("two", spec(["a b", "c", "d="]), [(name, "a b"), (name, "d=")]),
            ("number", spec([1]), []), ("three", spec(["a b"], children=3), []),
            ("arguments", spec(["a:"], first=2), [(name, "a:")]),
            ("nested", spec_of('["a\'b", "a b"]'), [("AUDIT_GUARD", "a'b")]),
            ("nested-double", spec_of(json.dumps(['a"b'])), [("AUDIT_GUARD", 'a"b')]),
            ("nested-backslash", spec_of(json.dumps(["a\\b"])), [("AUDIT_GUARD", "a\\b")]),
            ("alone", treespec(tree("builtins.tuple", "null", [tree(DICT, '["a b"]', [LEAF])])), []),
            ("first", treespec(tree("builtins.tuple", "null", [
                tree(DICT, '["a b"]', [LEAF]), tree("builtins.tuple", "null", [])])), [])):
        here.text("keyword-" + label, path, text, said, ["9.2.3"])
    here.text("keyword-output", "graph_module/module_call_graph/0/signature/out_spec",
              spec(["a b"]), [], ["9.2.3"], "The keys of what is returned are no parameters.")


def repeated(here):
    """A text that stands there many times, and more findings than are told one by one."""
    def verifying(texts):
        def change(data):
            data["header"]["verifiers"] = texts
        return change

    def said(texts):
        return {(VERIFIER, text): one("AUDIT_VERIFIER", text) for text in texts}

    here.changed("once", verifying(["A", "B", "A", "B"]), said("AB"), ["9.1.5"],
                 "A text that stands there twice.")
    for count in (TOLD, TOLD + 1, 50):
        texts = ["V%d" % i for i in range(count)]
        here.changed("many-%d" % count, verifying(texts + texts[:3]), said(texts), ["9.1.5"],
                     "Findings beyond those that are told one by one.")
    document = here.draft.written(VERSIONS[here.version])
    list(placed(document))
    at(document, "verifiers/0").text = '"MINE"'
    first = Document(document.root)
    node = at(first, "verifiers/0")
    change = (node.end, 0, ', "\\u004dINE", "\\u004dIN\\u0045"')
    found = Judged(first, here.version, said(["MINE"])).found
    grown = len(change[2])
    found = [(offset + grown * (offset > node.end), name, about, pointer)
             for offset, name, about, pointer in found]
    text = first.text[:node.end] + change[2] + first.text[node.end:]
    here.suite.valid_edit(
        here.id("once-spelled"), here.base, change_between(here.suite.bytes[here.base], text),
        ["9.1.5"], "A text that stands there twice, in other spellings.", provenance="hand",
        flags=["foreign-spelling"], product=listed(found))

    def expressing(data):
        data["graph"]["sym_int_values"].update(n="f()", m="f()")

    here.changed("once-expression", expressing, {(EXPRESSION, "f()"): one(EXPR, "f()")},
                 ["9.1.5", "9.2.1"], "An expression that stands there twice.")


NAMESPACES = (  # without higher_order, whose operators have no overloads
    "_c10d_functional", "_c10d_functional_autograd", "_dtensor", "_inductor_test", "_native",
    "_native_aot", "_quantized", "_test", "aten", "c10d", "c10d_functional", "coor", "cuda",
    "debug_mode_ops", "debugprims", "export", "flex_gemm", "flex_lib", "fsdp",
    "inductor", "inductor_prims", "mempool", "mkl", "mkldnn", "mkldnn_prepacked", "onednn", "onnx",
    "onnx_symbolic", "prepacked", "prim", "prims", "profiler", "quantization", "quantized",
    "quantized_decomposed", "rngprims", "sparse", "static_runtime", "streams", "symm_mem")


def many_targets(here):
    """Every namespace that PyTorch has operators in (5.6), and every other that it registers."""
    path = GRAPH + "nodes/0/target"
    for each in NAMESPACES:
        here.text("target-own-" + each.replace("_", "-").lstrip("-") + "-under" * (each[0] == "_"),
                  path, OPS + each + ".x.default", [], ["9.3.5"], "PyTorch registers it.")
    for each in ("ns", "namespace"):
        text = OPS + each + ".x.default"
        here.text("target-own-no-" + each, path, text, one(LIBRARY, text), ["9.3.5"],
                  "A namespace like any other.")

    def change(data):
        node = data["graph"]["nodes"][0]
        data["graph"]["nodes"] = [{**node, "target": OPS + "%s.x.default" % each}
                                  for each in annexed()]

    here.changed("target-own", change, {}, ["9.3.5"],
                 "The namespaces of the operators that PyTorch registers itself.")


def blobs(suite):
    """Pickles inside a program of version 1: each text once."""
    rich = Richest(suite, "1")
    node = next(each for each in placed(rich.document) if each.place == ("Graph", "constants")
                and is_text(each))
    text, node.text = node.text, '"AAEC"'
    document = Document(rich.document.root)
    suite.valid_edit("audit/once-blob/1", rich.name,
                     change_between(suite.bytes[rich.name], document.text), ["9.1.5", "9.5.1"],
                     "The same pickle in two places.", provenance="hand",
                     product=Judged(document, "1").product())
    node.text = text


def vectors(suite):
    places(suite)
    blobs(suite)
    for version in ("1", "5.1", "7.3", LATEST):
        here = Carrier(suite, version)
        if version != "5.1":
            expressions(here)
        if version in ("5.1", LATEST):
            targets(here)
        if version == LATEST:
            guards(here)
            names(here)
            tree_specs(here)
            keywords(here)
            repeated(here)
            many_targets(here)
        paths(here, OLD_PATHS if version == "1" else PATH_ROWS if version == LATEST else ())
        if version == "1":
            call_spec(here)
        else:
            verifiers(here)
