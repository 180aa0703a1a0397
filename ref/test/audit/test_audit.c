/*
 * test_audit.c - what loading a program would do: each kind of finding, its
 * place and its text, in versions old and new; and that what exporters write is
 * none.
 */
#include "audit/audit.h"
#include "check.h"
#include "epref.h"
#include "support.h"

#include <stdlib.h>

enum { HEARD_MAX = 64 };

typedef struct heard {
    size_t count;
    ep_audit_id ids[HEARD_MAX];
    size_t offsets[HEARD_MAX];
    size_t more[HEARD_MAX];
    char pointer[EP_POINTER_SIZE];
    char text[200];
} heard;

static void hear(void *context, const ep_finding *finding) {
    heard *h = context;
    if (CHECK(h->count < HEARD_MAX)) {
        h->ids[h->count] = finding->id;
        h->offsets[h->count] = finding->place.offset;
        h->more[h->count] = finding->more;
        memcpy(h->pointer, finding->place.pointer, sizeof h->pointer);
        size_t size = finding->text.size < sizeof h->text ? finding->text.size : sizeof h->text - 1;
        if (size > 0) {
            memcpy(h->text, finding->text.data, size);
        }
        h->text[size] = '\0';
        h->count++;
    }
    CHECK(finding->why != NULL && finding->place.code == EP_OK);
}

/* Audits a document; every block comes back. */
static heard audit(ep_bytes input) {
    heard h = {.count = 0};
    test_heap heap = {.calls = 0};
    ep_arena arena;
    ep_arena scratch;
    const ep_program *program;
    ep_error error;
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, 0);
    if (CHECK_NOTE(ep_decode(&arena, input, NULL, &program, &error), error.pointer)) {
        CHECK(ep_audit(program, &scratch, hear, &h, &error));
        CHECK_EQ_INT(error.code, EP_OK);
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    return h;
}

/* ------------------------------------------------------------------------ rows */

typedef struct row {
    const char *version;
    const char *field;
    const char *text; /* '@': where the finding is */
    ep_audit_id id;   /* EP_AUDIT_NONE: no finding */
} row;

#define SPEC_OF(text)                                                                              \
    "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "                           \
    "\"in_spec\": " text ", \"out_spec\": \"[1, {\\\"type\\\": null, "                             \
    "\\\"context\\\": null, \\\"children_spec\\\": []}]\", "                                       \
    "\"forward_arg_names\": null}}]"
#define NODE_OF(target, inputs, metadata)                                                          \
    "[{\"target\": " target ", \"inputs\": [" inputs                                               \
    "], \"outputs\": [], \"metadata\": {" metadata                                                 \
    "}, \"is_hop_single_tensor_return\": null, \"name\": null}]"
#define OLD_NODE_OF(target, metadata)                                                              \
    "[{\"target\": " target ", \"inputs\": [], \"outputs\": [], \"metadata\": {" metadata "}}]"
#define SYM_OF(text) "{\"s\": {\"as_expr\": {\"expr_str\": " text ", \"hint\": null}}}"
#define TREE(type, context, children)                                                              \
    "{\\\"type\\\": \\\"" type "\\\", \\\"context\\\": " context                                   \
    ", \\\"children_spec\\\": [" children "]}"
#define TAKING(target, text)                                                                       \
    NODE_OF("\"" target "\"",                                                                      \
            "{\"name\": \"\", \"arg\": {\"as_string\": " text "}, \"kind\": 1}", "")
#define PRINT "torch.ops.higher_order.print"
#define CALLED "torch.export.custom_ops._call_custom_autograd_function_in_pre_dispatch"
#define LEAF "{\\\"type\\\": null, \\\"context\\\": null, \\\"children_spec\\\": []}"

static const row rows[] = {
    /* SPEC 9.2.1 */
    {"8.20", "Graph.sym_int_values", SYM_OF("\"Integer(3)\""), EP_AUDIT_NONE},
    {"8.20", "Graph.sym_int_values", SYM_OF("\"2*s0 + 1\""), EP_AUDIT_NONE},
    {"5.1", "Graph.sym_int_values",
     SYM_OF("\"Add(Integer(1), Symbol('s0', positive=True, integer=True))\""), EP_AUDIT_NONE},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"len('')\""), EP_AUDIT_EXPR},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"Symbol('a b')\""), EP_AUDIT_EXPR},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"\""), EP_AUDIT_EXPR},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"\\u0061.b\""), EP_AUDIT_EXPR},
    {"8.20", "Graph.sym_bool_values", SYM_OF("@\"(lambda: 1)()\""), EP_AUDIT_EXPR},
    {"1", "Graph.sym_bool_values", "{\"s\": {\"as_expr\": @\"f()\", \"as_bool\": null}}",
     EP_AUDIT_EXPR},
    /* SPEC 9.2.2 */
    {"8.20", "Graph.sym_int_values", SYM_OF("\"Pow(Integer(10), Integer(9999))\""), EP_AUDIT_NONE},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"Pow(Integer(10), Integer(10000))\""),
     EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"2**(2**99)\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"LShift(1, 100000)\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"s0**100000\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("\"s0**999\""), EP_AUDIT_NONE},
    {"8.20", "Graph.sym_int_values", SYM_OF("\"2**s0\""), EP_AUDIT_NONE},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"(9**9999)**9999\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"((s0 + 1)**14)*2\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("\"(s0 + 1)**13\""), EP_AUDIT_NONE},
    {"8.20", "Graph.sym_int_values", SYM_OF("\"(1 + 2)**17\""), EP_AUDIT_NONE},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"2**(99999999 + s0 - s0)\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"Pow(Integer(2), Rational(199999999998, 7))\""),
     EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"RShift(1, 100000)\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"2**floor(1.0e+20)\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"2**floor(1/1.0e-20)\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"floor(exp(99999999))\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("\"s0**0.5\""), EP_AUDIT_NONE},
    {"8.20", "ExportedProgram.range_constraints",
     "{\"u999999\": {\"min_val\": 0, \"max_val\": 1}}", EP_AUDIT_NONE},
    {"8.20", "ExportedProgram.range_constraints",
     "{\"u0 + 12345678\": {\"min_val\": 0, \"max_val\": 1}}", EP_AUDIT_NONE},
    {"8.20", "ExportedProgram.range_constraints",
     "{\"s1234567\": {\"min_val\": 0, \"max_val\": 1}}", EP_AUDIT_NONE},
    {"8.20", "ExportedProgram.range_constraints",
     "{@\"u1234567\": {\"min_val\": 0, \"max_val\": 1}}", EP_AUDIT_EXPR_COST},
    {"8.20", "ExportedProgram.range_constraints",
     "{@\"zuf +1_234_567 \": {\"min_val\": 0, \"max_val\": 1}}", EP_AUDIT_EXPR_COST},
    {"8.20", "ExportedProgram.range_constraints",
     "{@\"\\u0075\\uff11\\uff11\\uff11\": {\"min_val\": 0, \"max_val\": 1}}", EP_AUDIT_EXPR_COST},
    {"8.20", "ExportedProgram.guards_code", "[@\"9 ** 9 ** 9 ** 9 == 1\"]", EP_AUDIT_EXPR_COST},
    {"8.20", "ExportedProgram.guards_code", "[@\"(9 ** 9999) ** 9999 == 1\"]", EP_AUDIT_EXPR_COST},
    {"8.20", "ExportedProgram.guards_code", "[@\"9 ** 99999 == 1\"]", EP_AUDIT_EXPR_COST},
    {"8.20", "ExportedProgram.guards_code", "[@\"9 ** (9 + 1) == 1\"]", EP_AUDIT_EXPR_COST},
    {"8.20", "ExportedProgram.guards_code", "[@\"round(L['x'].size()[0], 99999) == 1\"]",
     EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"s0 + 2*3**100000\""), EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"PowByNatural(Integer(2), Integer(99999))\""),
     EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("@\"FloatPow(Integer(2), Integer(99999))\""),
     EP_AUDIT_EXPR_COST},
    {"8.20", "Graph.sym_int_values", SYM_OF("\"Pow(Integer(2), Max(Integer(1), Integer(2)))\""),
     EP_AUDIT_NONE},
    {"8.20", "Graph.sym_int_values", SYM_OF("\"Pow(Integer(2), Rational(1, 2))\""), EP_AUDIT_NONE},
    /* SPEC 9.2.3 */
    {"8.20", "Graph.inputs", "[{\"as_tensor\": {\"name\": \"arg0_1\"}}]", EP_AUDIT_NONE},
    {"8.20", "Graph.inputs", "[{\"as_tensor\": {\"name\": \"\\u00e9t\xC3\xA9\"}}]", EP_AUDIT_NONE},
    {"8.20", "Graph.inputs", "[{\"as_tensor\": {\"name\": @\"a b\"}}]", EP_AUDIT_NAME},
    {"8.20", "Graph.inputs", "[{\"as_tensor\": {\"name\": @\"a\\u003db\"}}]", EP_AUDIT_NAME},
    {"8.20", "Graph.inputs", "[{\"as_sym_int\": {\"as_name\": @\"a,\"}}]", EP_AUDIT_NAME},
    {"1", "GraphSignature.user_inputs", "[\"a\", @\"a:\"]", EP_AUDIT_NAME},
    {"5.1", "GraphSignature.input_specs",
     "[{\"parameter\": {\"arg\": {\"name\": \"p\"}, \"parameter_name\": \"a.0-b\"}}]",
     EP_AUDIT_NONE},
    {"5.1", "GraphSignature.input_specs",
     "[{\"parameter\": {\"arg\": {\"name\": \"p\"}, \"parameter_name\": @\"a\\\"b\"}}]",
     EP_AUDIT_NAME},
    {"5.1", "GraphSignature.input_specs",
     "[{\"parameter\": {\"arg\": {\"name\": \"p\"}, \"parameter_name\": @\"a\\nb\"}}]",
     EP_AUDIT_NAME},
    {"5.1", "GraphSignature.input_specs",
     "[{\"parameter\": {\"arg\": {\"name\": \"p\"}, \"parameter_name\": @\"a\\u007f\"}}]",
     EP_AUDIT_NAME},
    {"8.20", "GraphModule.module_call_graph",
     SPEC_OF("@\"[1, " TREE("builtins.tuple", "\\\"null\\\"",
                            TREE("builtins.tuple", "\\\"null\\\"", "") ", " TREE(
                                "builtins.dict", "\\\"[\\\\\\\"a b\\\\\\\"]\\\"", LEAF)) "]\""),
     EP_AUDIT_NAME},
    {"5.1", "GraphSignature.input_specs",
     "[{\"parameter\": {\"arg\": {\"name\": \"p\"}, \"parameter_name\": @\"a.__b\"}}]",
     EP_AUDIT_METADATA},
    {"5.1", "GraphSignature.input_specs",
     "[{\"parameter\": {\"arg\": {\"name\": \"p\"}, \"parameter_name\": \"_A__b\"}}]",
     EP_AUDIT_NONE},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "",
             "\"nn_module_stack\": \"L__self__,,a.B;k,L['self'].layers.0,a.C\""),
     EP_AUDIT_NONE},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "", "\"nn_module_stack\": @\"k,a\\\"b,a.B\""),
     EP_AUDIT_NAME},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "",
             "\"nn_modul\\u0065_stack\": @\"k,a\\u0022b,a.B\""),
     EP_AUDIT_NAME},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "",
             "\"nn_module_stack\": @\"k,,__main__.A;l,a.__b,a.B\""),
     EP_AUDIT_METADATA},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "",
             "\"nn_module_stack\": \"__k,a[1,__b]._c__,__main__.A;__l,,__main__.B\""),
     EP_AUDIT_NONE},
    {"1", "Graph.nodes",
     OLD_NODE_OF("\"torch.ops.aten.relu.default\"", "\"nn_module_stack\": @\"k:(a.__b,a.B)\""),
     EP_AUDIT_METADATA},
    /* SPEC 9.2.4 */
    {"8.20", "Graph.inputs", "[{\"as_string\": \"nearest\"}]", EP_AUDIT_NONE},
    {"8.20", "Graph.inputs", "[{\"as_int\": 3}, {\"as_ints\": [3]}]", EP_AUDIT_NONE},
    {"8.20", "Graph.inputs", "[{\"as_string\": @\"it's\"}]", EP_AUDIT_GUARD},
    {"8.20", "Graph.inputs", "[{\"as_string\": @\"a\\u0022\"}]", EP_AUDIT_GUARD},
    {"8.20", "Graph.inputs", "[{\"as_strings\": [\"a\", @\"a\\\\\"]}]", EP_AUDIT_GUARD},
    {"8.20", "GraphSignature.input_specs",
     "[{\"constant_input\": {\"name\": \"c\", \"value\": {\"as_string\": @\"a\\nb\"}}}]",
     EP_AUDIT_GUARD},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"",
             "{\"name\": \"m\", \"arg\": {\"as_string\": \"it's \\\"\"}, \"kind\": 1}", ""),
     EP_AUDIT_NONE},
    {"8.20", "GraphModule.module_call_graph",
     SPEC_OF("@\"[1, " TREE("builtins.tuple", "\\\"null\\\"",
                            TREE("builtins.dict", "\\\"[\\\\\\\"a'b\\\\\\\"]\\\"", LEAF)) "]\""),
     EP_AUDIT_GUARD},
    {"8.20", "ExportedProgram.guards_code", "[@\"f()\"]", EP_AUDIT_GUARD},
    {"8.20", "ExportedProgram.guards_code", "[@\"L['x'].size()[0] <= 100\"]", EP_AUDIT_GUARDED},
    {"8.20", "ExportedProgram.guards_code", "[@\"L[\\\"it's\\\"].size()[0] <= 100\"]",
     EP_AUDIT_GUARD},
    /* SPEC 9.3.1 */
    {"8.20", "Graph.nodes", NODE_OF("\"torch.ops.aten.relu.default\"", "", ""), EP_AUDIT_NONE},
    {"8.20", "Graph.nodes", NODE_OF("\"torch.ops.aten.__and__.Tensor\"", "", ""), EP_AUDIT_NONE},
    {"8.20", "Graph.nodes", NODE_OF("\"_operator.add\"", "", ""), EP_AUDIT_NONE},
    {"8.20", "Graph.nodes", NODE_OF("\"torch.ops.higher_order.cond\"", "", ""), EP_AUDIT_NONE},
    {"8.20", "Graph.nodes", NODE_OF("\"aten::relu\"", "", ""), EP_AUDIT_NONE},
    {"8.20", "Graph.nodes", NODE_OF("@\"torch.nn.functional.relu\"", "", ""), EP_AUDIT_TARGET},
    {"8.20", "Graph.nodes", NODE_OF("@\"torchx.y\"", "", ""), EP_AUDIT_TARGET},
    {"8.20", "Graph.nodes", NODE_OF("@\"torch.ops.higher_order.mine\"", "", ""), EP_AUDIT_TARGET},
    {"8.20", "Graph.nodes", NODE_OF("@\"_operator.getitem\"", "", ""), EP_AUDIT_TARGET},
    {"8.20", "Graph.nodes", NODE_OF("@\"math.foo\"", "", ""), EP_AUDIT_TARGET},
    {"8.20", "Graph.nodes", NODE_OF("@\"torch.ops.load_library.a.b\"", "", ""), EP_AUDIT_TARGET},
    {"8.20", "Graph.nodes", NODE_OF("@\"torch.ops.__a.b.c\"", "", ""), EP_AUDIT_TARGET},
    {"8.20", "Graph.nodes", NODE_OF("@\"torch.ops.aten.__a__.c\"", "", ""), EP_AUDIT_TARGET},
    {"8.20", "Graph.nodes", NODE_OF("@\"torch.ops.aten.add.__c\"", "", ""), EP_AUDIT_TARGET},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"",
             "{\"name\": \"f\", \"arg\": {\"as_operator\": @\"torch.a\"}, \"kind\": 1}", ""),
     EP_AUDIT_TARGET},
    /* SPEC 9.3.2 to 9.3.5 */
    {"8.20", "Graph.nodes",
     NODE_OF("@\"torch.ops.higher_order.triton_kernel_wrapper_functional\"", "", ""),
     EP_AUDIT_CARRIER},
    {"8.20", "Graph.nodes", NODE_OF("@\"torch.ops.aten.from_file.default\"", "", ""),
     EP_AUDIT_OPENS},
    {"8.20", "Graph.nodes", NODE_OF("@\"#lib:op\"", "", ""), EP_AUDIT_EXTENSION},
    {"8.20", "Graph.nodes", NODE_OF("@\"$lib:op\"", "", ""), EP_AUDIT_EXTENSION},
    {"8.20", "Graph.nodes", NODE_OF("@\"torch.ops.mylib.op.default\"", "", ""), EP_AUDIT_LIBRARY},
    {"8.20", "Graph.nodes", NODE_OF("@\"torch.ops.prim.rpc_sync.default\"", "", ""),
     EP_AUDIT_OPENS},
    {"8.20", "Graph.nodes", TAKING(PRINT, "\"{{a.b}} {} {x!r:>10.3f} {0}\""), EP_AUDIT_NONE},
    {"8.20", "Graph.nodes", TAKING(PRINT, "@\"{x.y}\""), EP_AUDIT_CARRIER},
    {"8.20", "Graph.nodes", TAKING(PRINT, "@\"{\\u0030[y]}\""), EP_AUDIT_CARRIER},
    {"8.20", "Graph.nodes", TAKING(PRINT, "@\"{:{x}}\""), EP_AUDIT_CARRIER},
    {"8.20", "Graph.nodes", TAKING(PRINT, "@\"{:99999}\""), EP_AUDIT_CARRIER},
    {"8.20", "Graph.nodes", TAKING(PRINT, "@\"{\""), EP_AUDIT_CARRIER},
    {"8.20", "Graph.nodes", TAKING("torch.ops.higher_order.call_torchbind", "\"add\""),
     EP_AUDIT_NONE},
    {"8.20", "Graph.nodes", TAKING("torch.ops.higher_order.call_torchbind", "@\"__init__\""),
     EP_AUDIT_CARRIER},
    {"8.20", "Graph.nodes",
     TAKING("torch.ops.export.access_subclass_inner_tensor.default", "@\"a.b\""),
     EP_AUDIT_CARRIER},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.higher_order.with_effects\"",
             "{\"name\": \"\", \"arg\": {\"as_operator\": \"" PRINT "\"}, \"kind\": 1}, "
             "{\"name\": \"\", \"arg\": {\"as_string\": @\"{.a}\"}, \"kind\": 1}",
             ""),
     EP_AUDIT_CARRIER},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "", "\"custom\": \"{\\\"a\\\": 1}\""),
     EP_AUDIT_NONE},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "",
             "\"custom\": @\"{\\\"compile_with_inductor\\\": {}}\""),
     EP_AUDIT_CARRIER},
    /* SPEC 9.3.6 */
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "",
             "\"source_fn_stack\": \"l,torch.nn.modules.linear.Linear;m,torch.nn.relu\", "
             "\"nn_module_stack\": \"a,b,torch.__c__\", \"custom\": \"torch.__c__\""),
     EP_AUDIT_NONE},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "",
             "\"source_fn_stack\": @\"l,torch.nn.relu;m,torch.__c__\""),
     EP_AUDIT_METADATA},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "", "\"source_fn_stack\": @\"l,a;;m,torch.__c__\""),
     EP_AUDIT_METADATA},
    {"8.20", "Graph.nodes",
     NODE_OF("\"torch.ops.aten.relu.default\"", "", "\"source_fn_stack\": @\"l,#a:b\""),
     EP_AUDIT_EXTENSION},
    {"1", "Graph.nodes",
     OLD_NODE_OF("\"torch.ops.aten.relu.default\"", "\"nn_module_stack\": @\"k:(a,torch.__c__)\""),
     EP_AUDIT_METADATA},
    {"1", "Graph.nodes",
     OLD_NODE_OF("\"torch.ops.aten.relu.default\"", "\"source_fn\": @\"l,_operator.__c__\""),
     EP_AUDIT_METADATA},
    /* SPEC 9.3.7 */
    {"8.20", "ExportedProgram.verifiers", "[\"ATEN\", \"TRAINING\"]", EP_AUDIT_NONE},
    {"8.20", "ExportedProgram.verifiers", "[@\"MINE\"]", EP_AUDIT_VERIFIER},
    {"5.1", "ExportedProgram.dialect", "@\"MINE\"", EP_AUDIT_VERIFIER},
    /* SPEC 9.4 */
    {"8.20", "GraphModule.module_call_graph",
     SPEC_OF("\"[1, " TREE("collections.defaultdict",
                           "{\\\"default_factory_module\\\": \\\"builtins\\\", "
                           "\\\"default_factory_name\\\": \\\"list\\\", "
                           "\\\"dict_context\\\": [\\\"k\\\"]}",
                           LEAF) "]\""),
     EP_AUDIT_NONE},
    {"8.20", "GraphModule.module_call_graph",
     SPEC_OF("@\"[1, " TREE("collections.defaultdict",
                            "{\\\"default_factory_module\\\": \\\"mine\\\", "
                            "\\\"default_factory_name\\\": \\\"list\\\", "
                            "\\\"dict_context\\\": [\\\"k\\\"]}",
                            LEAF) "]\""),
     EP_AUDIT_IMPORT},
    {"8.20", "GraphModule.module_call_graph",
     SPEC_OF("@\"[1, " TREE("builtins.dict",
                            "\\\"[{\\\\\\\"__enum__\\\\\\\": true, \\\\\\\"fqn\\\\\\\": "
                            "\\\\\\\"mine:Color\\\\\\\", \\\\\\\"name\\\\\\\": "
                            "\\\\\\\"RED\\\\\\\"}]\\\"",
                            LEAF) "]\""),
     EP_AUDIT_IMPORT},
    {"8.20", "GraphModule.module_call_graph", SPEC_OF("@\"[1, {}]\""), EP_AUDIT_TREESPEC},
    {"8.20", "GraphModule.module_call_graph", SPEC_OF("@\"[1, {\\\"__enum__\\\": 1}]\""),
     EP_AUDIT_IMPORT},
    {"8.20", "GraphModule.module_call_graph", SPEC_OF("@\"[1, {\\\"\\\\u005f_enum__\\\": 1}]\""),
     EP_AUDIT_IMPORT},
    {"8.20", "GraphModule.module_call_graph",
     SPEC_OF("@\"[1, " TREE("mine.Batch", "\\\"null\\\"", LEAF) "]\""), EP_AUDIT_TYPE},
    {"8.20", "GraphModule.module_call_graph",
     SPEC_OF("@\"[1, " TREE("collections.namedtuple", "\\\"models.Pair\\\"", LEAF) "]\""),
     EP_AUDIT_TYPE},
    {"8.20", "GraphModule.module_call_graph",
     SPEC_OF("@\"[1, " TREE("collections.defaultdict",
                            "{\\\"default_factory_module\\\": \\\"m\\\", "
                            "\\\"default_factory_name\\\": \\\"f\\\", \\\"dict_context\\\": []}",
                            "") "]\""),
     EP_AUDIT_IMPORT},
    {"8.20", "GraphModule.module_call_graph",
     SPEC_OF("\"[1, " TREE("builtins.tuple", "\\\"null\\\"",
                           TREE("builtins.tuple", "\\\"null\\\"",
                                "") ", " TREE("builtins.dict", "\\\"[1]\\\"", LEAF)) "]\""),
     EP_AUDIT_NONE},
    {"1", "CallSpec.in_spec", "@\"[1, {}]\"", EP_AUDIT_TREESPEC},
    {"1", "CallSpec.in_spec", "@\"[1, {\\\"\\\\u001f\\\": 1}]\"", EP_AUDIT_TREESPEC},
    {"1", "CallSpec.in_spec", "@\"[1, {\\\"\\\\u0080\\\": 1}]\"", EP_AUDIT_TREESPEC},
    {"8.20", "Graph.nodes", TAKING(CALLED, "@\"os.C\""), EP_AUDIT_IMPORT},
    {"8.20", "Graph.nodes", NODE_OF("@\"" CALLED "\"", "", ""), EP_AUDIT_IMPORT},
    /* SPEC 9.5 */
    {"8.20", "Graph.inputs", "[{\"as_custom_obj\": {\"name\": \"a\", \"class_fqn\": @\"c\"}}]",
     EP_AUDIT_OBJECT},
    {"1", "Graph.constants", "{\"c\": @\"AAAA\"}", EP_AUDIT_EMBEDDED},
};

/* What is told of the smallest program of a version, whose strings are empty. */
static size_t count_without(const char *version) {
    test_text text = {0};
    test_program_with(&text, version, NULL, NULL);
    size_t count = audit(test_text_exact(&text)).count;
    test_text_free(&text);
    return count;
}

static void check_row(const row *r) {
    test_text text = {0};
    test_program_with(&text, r->version, r->field, r->text);
    size_t mark = test_take_mark(&text);
    size_t others = count_without(r->version);
    heard h = audit(test_text_exact(&text));
    bool found = false;
    CHECK_EQ_INT(mark == SIZE_MAX, r->id == EP_AUDIT_NONE);
    for (size_t i = 0; i < h.count; i++) {
        found = found || (h.ids[i] == r->id && h.offsets[i] == mark);
    }
    CHECK_NOTE(found == (r->id != EP_AUDIT_NONE), r->text);
    CHECK_NOTE(h.count <= others + (r->id != EP_AUDIT_NONE ? 1 : 0), r->text);
    test_text_free(&text);
}

static void test_rows(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_row(&rows[i]);
    }
}

/* Every id has its words; those of archives have no row above. */
static void test_ids(void) {
    bool found[EP_AUDIT_COUNT] = {false};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        found[rows[i].id] = true;
    }
    for (int id = EP_AUDIT_NONE + 1; id < EP_AUDIT_COUNT; id++) {
        ep_audit_id each = (ep_audit_id)id;
        CHECK(ep_audit_name(each) != NULL && strncmp(ep_audit_name(each), "AUDIT_", 6) == 0);
        CHECK(ep_audit_clause(each) != NULL && ep_audit_clause(each)[0] == '9');
        CHECK(ep_audit_title(each) != NULL);
        CHECK(ep_audit_severity(each) > EP_SEVERITY_NONE);
        CHECK_NOTE(found[id] == (id < EP_AUDIT_GLOBAL), ep_audit_name(each));
    }
    CHECK(ep_audit_name(EP_AUDIT_NONE) == NULL && ep_audit_name(EP_AUDIT_COUNT) == NULL);
    CHECK_EQ_INT(ep_audit_severity(EP_AUDIT_COUNT), EP_SEVERITY_NONE);
}

/* ------------------------------------------------------------- what is repeated */

/* SPEC 9.1.5 */
static void test_once(void) {
    test_text text = {0};
    test_program_with(&text, "8.20", "ExportedProgram.verifiers", "[\"A\", \"B\", \"A\", \"B\"]");
    heard h = audit(test_text_exact(&text));
    CHECK_EQ_INT(h.count, 2);
    CHECK_EQ_STR(h.text, strlen(h.text), "B");
    CHECK_EQ_STR(h.pointer, strlen(h.pointer), "/verifiers/1");
    test_text_free(&text);
}

static void test_many(void) {
    test_text list = {0};
    test_text text = {0};
    test_add_str(&list, "[");
    for (int i = 0; i < 50; i++) {
        test_add_str(&list, i > 0 ? ", \"V" : "\"V");
        test_add_int(&list, i);
        test_add_str(&list, "\"");
    }
    test_add(&list, "]", 2);
    test_program_with(&text, "8.20", "ExportedProgram.verifiers", list.data);
    heard h = audit(test_text_exact(&text));
    CHECK_EQ_INT(h.count, 21);
    CHECK_EQ_INT(h.more[19], 0);
    CHECK_EQ_INT(h.more[20], 30);
    CHECK_EQ_INT(h.ids[20], EP_AUDIT_VERIFIER);
    test_text_free(&list);
    test_text_free(&text);
}

static void count_heard(void *context, const ep_finding *finding) {
    size_t *told = context;
    CHECK_EQ_INT(finding->place.offset, 0);
    ++*told;
}

/* When many bytes have been walked, only the first of each kind is told; what has
 * no place is told at the beginning. */
static void test_walked(void) {
    for (size_t walked = EP_AUDIT_WALK_MAX - 1; walked <= EP_AUDIT_WALK_MAX; walked++) {
        size_t told = 0;
        ep_auditor auditor = {.input = EP_TEXT("[1]"), .hear = count_heard, .context = &told};
        auditor.walked = walked;
        for (size_t i = 1; i <= 3; i++) {
            ep_audit_tell(&auditor, EP_AUDIT_NAME, ep_ref_make(0, 0, 0), EP_TEXT(""), "a test");
            CHECK_EQ_INT(auditor.found[EP_AUDIT_NAME], i);
            CHECK_EQ_INT(told, walked < EP_AUDIT_WALK_MAX ? i : 1);
        }
        ep_audit_tell(&auditor, EP_AUDIT_GUARD, ep_ref_make(1, 0, 0), EP_TEXT(""), "a test");
        CHECK_EQ_INT(auditor.told[EP_AUDIT_GUARD], 1);
    }
}

/* ----------------------------------------------------------------------- memory */

/* Every allocation refused in turn: EP_MEMORY, and all blocks come back. */
static void test_refusals(void) {
    test_text text = {0};
    test_program_with(&text, "8.20", "Graph.sym_int_values",
                      SYM_OF("\"Max(2, 3**100000) + s\\u0030\""));
    ep_bytes input = test_text_exact(&text);
    for (size_t fail_at = 1; fail_at < 100; fail_at++) {
        heard h = {.count = 0};
        test_heap heap = {.calls = 0};
        test_heap small = {.fail_at = fail_at};
        ep_arena arena;
        ep_arena scratch;
        const ep_program *program = NULL;
        ep_error error;
        test_arena(&arena, &heap, 0);
        test_arena(&scratch, &small, 0);
        bool done = CHECK(ep_decode(&arena, input, NULL, &program, NULL)) &&
                    ep_audit(program, &scratch, hear, &h, &error);
        CHECK_EQ_INT(error.code, done ? EP_OK : EP_MEMORY);
        ep_arena_free(&scratch);
        ep_arena_free(&arena);
        CHECK_EQ_INT(small.bytes, 0);
        if (done) {
            CHECK_EQ_INT(h.count, 1);
            CHECK(fail_at > 1);
            break;
        }
    }
    test_text_free(&text);
}

/* What forward reading left something out of is not all there. */
static void test_partial(void) {
    test_text text = {0};
    test_heap heap = {.calls = 0};
    ep_arena arena;
    ep_arena scratch;
    const ep_program *program;
    ep_error error;
    ep_decode_options options = ep_decode_options_default();
    options.forward = true;
    static const test_hole holes[] = {
        {"Graph.inputs", "[{\"as_new\": 1}]"},
        {"ExportedProgram.schema_version", "{\"major\": 8, \"minor\": 21}"},
        {NULL, NULL}};
    test_program(&text, "8.20", holes);
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, 0);
    if (CHECK(ep_decode(&arena, test_text_exact(&text), &options, &program, &error))) {
        CHECK(!ep_audit(program, &scratch, hear, NULL, &error));
        CHECK_EQ_INT(error.code, EP_ARGUMENT);
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    test_text_free(&text);
}

int main(void) {
    test_rows();
    test_ids();
    test_once();
    test_many();
    test_walked();
    test_refusals();
    test_partial();
    return check_report();
}
