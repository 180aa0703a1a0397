/*
 * planted.c - see planted.h. The table is written from the text of SPEC 9.2 to 9.5.
 */
#include "planted.h"

#include <string.h>

/* Where a text is put, and what has to be told of it. */
typedef struct plant {
    const char *type;
    const char *member;
    ep_audit_id id;
    const char *text; /* needs no escape but the quote's and backslash's */
} plant;

#define NAME(type, member)                                                                         \
    {type, member, EP_AUDIT_NAME, "a; import os"}, {type, member, EP_AUDIT_NAME, "a("}, {          \
        type, member, EP_AUDIT_NAME, "a b"                                                         \
    }
#define QUOTED(type, member)                                                                       \
    {type, member, EP_AUDIT_NAME, "a\"b"}, {type, member, EP_AUDIT_NAME, "a\\b"}, {                \
        type, member, EP_AUDIT_NAME, "a\x7F"                                                       \
    }
#define TARGET(id, text)                                                                           \
    {"Node", "target", id, text}, {                                                                \
        "Argument", "as_operator", id, text                                                        \
    }
#define CARRIER(name) TARGET(EP_AUDIT_CARRIER, "torch.ops.higher_order." name)
#define OPERATOR(id, name) TARGET(id, "torch.ops." name)
#define EXPRESSION(id, text)                                                                       \
    {"SymExpr", "expr_str", id, text}, {                                                           \
        "SymBool", "as_expr", id, text                                                             \
    }
#define TREE(id, text)                                                                             \
    {"ModuleCallSignature", "in_spec", id, text}, {"ModuleCallSignature", "out_spec", id, text},   \
        {"CallSpec", "in_spec", id, text}, {                                                       \
        "CallSpec", "out_spec", id, text                                                           \
    }

static const plant plants[] = {
    EXPRESSION(EP_AUDIT_EXPR, "import os"),
    EXPRESSION(EP_AUDIT_EXPR, "__import__('os')"),
    EXPRESSION(EP_AUDIT_EXPR_COST, "2**100000"),
    EXPRESSION(EP_AUDIT_EXPR_COST, "Pow(Integer(2), Integer(10000))"),
    EXPRESSION(EP_AUDIT_EXPR_COST, "LShift(Integer(1), Integer(1000000000))"),
    EXPRESSION(EP_AUDIT_EXPR_COST, "PowByNatural(Integer(3), Integer(12345))"),
    EXPRESSION(EP_AUDIT_EXPR_COST, "((9**9999)**9999)**9999"),
    EXPRESSION(EP_AUDIT_EXPR_COST, "2**(99999999 + s0 - s0)"),
    EXPRESSION(EP_AUDIT_EXPR_COST, "Pow(Integer(2), Rational(199999999998, 7))"),

    NAME("TensorArgument", "name"),
    NAME("TokenArgument", "name"),
    NAME("SymIntArgument", "as_name"),
    NAME("SymFloatArgument", "as_name"),
    NAME("SymBoolArgument", "as_name"),
    NAME("CustomObjArgument", "name"),
    NAME("GraphArgument", "name"),
    NAME("InputToConstantInputSpec", "name"),
    NAME("ConstantInputSpec", "name"),
    NAME("ModuleCallSignature", "forward_arg_names"),
    QUOTED("InputToParameterSpec", "parameter_name"),
    QUOTED("InputToBufferSpec", "buffer_name"),
    QUOTED("InputToTensorConstantSpec", "tensor_constant_name"),
    QUOTED("InputToCustomObjSpec", "custom_obj_name"),
    QUOTED("BufferMutationSpec", "buffer_name"),
    QUOTED("ModuleCallEntry", "fqn"),
    {"ExportedProgram", "guards_code", EP_AUDIT_GUARD, "__import__('os').system('x')"},
    {"ExportedProgram", "guards_code", EP_AUDIT_GUARD, "x\""},
    {"ExportedProgram", "guards_code", EP_AUDIT_EXPR_COST, "9 ** 9 ** 9 ** 9 == 1"},
    {"ConstantValue", "as_string", EP_AUDIT_GUARD, "it's"},
    {"ConstantValue", "as_string", EP_AUDIT_GUARD, "a\"b"},
    {"InputToParameterSpec", "parameter_name", EP_AUDIT_METADATA, "w.__class__"},
    {"InputToBufferSpec", "buffer_name", EP_AUDIT_METADATA, "__dict__"},

    OPERATOR(EP_AUDIT_TARGET, "import_module.x.default"),
    OPERATOR(EP_AUDIT_TARGET, "load_library.x.default"),
    OPERATOR(EP_AUDIT_TARGET, "loaded_libraries.x.default"),
    OPERATOR(EP_AUDIT_TARGET, "__x__.x.default"),
    OPERATOR(EP_AUDIT_TARGET, "aten.__init__.default"),
    OPERATOR(EP_AUDIT_TARGET, "aten.add.__class__"),
    TARGET(EP_AUDIT_TARGET, "torch.hub.load"),
    TARGET(EP_AUDIT_TARGET, "math.nan.real"),
    TARGET(EP_AUDIT_TARGET, "_operator.call.x"),
    CARRIER("aoti_call_delegate"),
    CARRIER("executorch_call_delegate"),
    CARRIER("inductor_compiled_code"),
    CARRIER("inline_asm_elementwise"),
    CARRIER("invoke_leaf_function"),
    CARRIER("register_hook"),
    CARRIER("triton_kernel_wrapper_functional"),
    CARRIER("triton_kernel_wrapper_mutation"),
    OPERATOR(EP_AUDIT_OPENS, "aten.from_file.default"),
    OPERATOR(EP_AUDIT_OPENS, "debugprims.load_tensor.default"),
    TARGET(EP_AUDIT_EXTENSION, "#extension.x"),
    OPERATOR(EP_AUDIT_LIBRARY, "someones.x.default"),
    {"ExportedProgram", "verifiers", EP_AUDIT_VERIFIER, "SOMEONES"},
    {"ExportedProgram", "dialect", EP_AUDIT_VERIFIER, "SOMEONES"},

    TREE(EP_AUDIT_IMPORT, "x __enum__"),
    TREE(EP_AUDIT_IMPORT, "x default_factory_module"),
    TREE(EP_AUDIT_TREESPEC, "no tree spec"),
    {"CustomObjArgument", "class_fqn", EP_AUDIT_OBJECT, "__torch__.someones.Class"},
};

enum { PLANTS = sizeof plants / sizeof plants[0] };

/* ------------------------------------------------------------------------- places */

/* The texts of one row, of which one is drawn as they go by. */
typedef struct search {
    fuzz_input *input;
    const plant *plant;
    size_t found;
    size_t offset; /* of the one that was drawn */
} search;

static void offer(search *s, ep_value text) {
    size_t offset = ep_value_kind(text) == EP_KIND_STR ? ep_value_offset(text) : 0;
    if (offset != 0 && fuzz_below(s->input, ++s->found) == 0) {
        s->offset = offset;
    }
}

static void look(void *context, ep_value value) {
    search *s = context;
    const char *type = ep_value_type(value);
    if (type == NULL || strcmp(type, s->plant->type) != 0) {
        return;
    }
    ep_value member = ep_value_field(value, s->plant->member);
    offer(s, member);
    for (size_t i = 0; i < ep_value_count(member); i++) {
        offer(s, ep_value_item(member, i));
    }
}

/* -------------------------------------------------------------------------- texts */

static void add_escaped(test_text *out, const char *text) {
    test_add(out, "\"", 1);
    for (; *text != '\0'; text++) {
        test_add(out, "\\", *text == '"' || *text == '\\' ? 1 : 0);
        test_add(out, text, 1);
    }
    test_add(out, "\"", 1);
}

/* The document with another string at a place. */
static void put(ep_bytes text, size_t offset, const char *planted, test_text *out) {
    size_t behind = offset + 1;
    while (text.data[behind] != '"') {
        behind += text.data[behind] == '\\' ? 2 : 1;
    }
    test_add(out, text.data, offset);
    add_escaped(out, planted);
    test_add(out, text.data + behind + 1, text.size - behind - 1);
}

/* ------------------------------------------------------------------------- hearing */

typedef struct heard {
    const plant *plant;
    bool told;
    bool more; /* were found than are told */
} heard;

static void hear(void *context, const ep_finding *finding) {
    heard *h = context;
    ep_bytes text = {h->plant->text, strlen(h->plant->text)};
    h->told = h->told || (finding->id == h->plant->id && fuzz_same(finding->text, text));
    h->more = h->more || (finding->id == h->plant->id && finding->more != 0);
}

static void expect_told(ep_bytes text, const ep_version *version, const plant *planted) {
    fuzz_work work;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    heard h = {.plant = planted};
    options.version = version;
    fuzz_begin(&work);
    bool ok = ep_decode(&work.arena, text, &options, &program, &work.error);
    FUZZ_PROPERTY_OF(ok || ep_code_level(work.error.code) == EP_LEVEL_NONE, "planted-decodes",
                     &work.error);
    if (ok) {
        FUZZ_PROPERTY_OF(ep_audit(program, &work.arena, hear, &h, &work.error), "planted-audits",
                         &work.error);
        FUZZ_PROPERTY(h.told || h.more, "planted-is-found");
    }
    fuzz_end(&work);
}

void fuzz_plant(fuzz_input *input, const ep_program *program) {
    enum { TRIES = 8 };
    search s = {.input = input};
    for (int i = 0; i < TRIES && s.found == 0; i++) {
        s.plant = &plants[fuzz_below(input, PLANTS)];
        fuzz_walk(ep_program_root(program), look, &s);
    }
    if (s.found > 0) {
        test_text text = {0};
        put(input->text, s.offset, s.plant->text, &text);
        expect_told(test_text_bytes(&text), ep_program_version(program), s.plant);
        test_text_free(&text);
    }
}
