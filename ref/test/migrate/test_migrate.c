/*
 * test_migrate.c - one program at another version: there and back, what is told
 * of it, where a refusal is, how long the result lives, how often it repeats a name,
 * want of memory.
 * migrate_properties.c has the laws over what PyTorch wrote, conformance the bytes.
 */
#include "opened.h"
#include "whole.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------------- programs */

/* What is other in a program than in the usual one. */
typedef struct wish {
    const char *expr;  /* of a symbolic int; NULL: as the version spells s0 + 1 */
    const char *guard; /* NULL: none */
    bool nan;          /* an argument that is none */
    bool open;         /* the symbol has no maximum */
} wish;

static const ep_built_value *tensor(ep_builder *b, const char *name, bool symbolic) {
    int64_t hint = 4;
    ep_dim sizes[] = {{2, symbolic ? ep_expr_symbol(b, "s0", &hint) : NULL}, {3, NULL}};
    ep_tensor_info info = {.dtype = "FLOAT", .sizes = sizes, .rank = 2};
    return ep_build_tensor(b, ep_build_root(b), name, &info);
}

static const ep_built_arg *add_node(ep_builder *b, const ep_node_info *named,
                                    const ep_built_value *value) {
    const ep_built_arg *output = ep_arg_value(b, value);
    ep_node_info info = *named;
    info.outputs = &output;
    info.output_count = 1;
    info.source_name = "add";
    info.source_function = "_operator.add";
    ep_build_node(b, ep_build_root(b), &info);
    return output;
}

static const ep_built_expr *one_more(ep_builder *b, const wish *w) {
    int64_t hint = 4;
    return w->expr != NULL
               ? ep_expr_text(b, EP_KIND_INT, w->expr)
               : ep_expr_apply(b, EP_SYM_ADD, ep_expr_symbol(b, "s0", &hint), ep_expr_int(b, 1));
}

/* A parameter, a buffer that is changed, an input, a size that is computed. */
static void build(ep_builder *b, const wish *w) {
    int64_t hint = 4;
    const ep_built_arg *p = ep_arg_value(b, tensor(b, "p", false));
    const ep_built_arg *a = ep_arg_value(b, tensor(b, "a", false));
    const ep_built_arg *x = ep_arg_value(b, tensor(b, "x", true));
    const ep_named_arg sum[] = {{"self", a, false}, {"other", p, false}};
    const ep_named_arg scaled[] = {{"self", x, false},
                                   {"other", ep_arg_float(b, w->nan ? (double)NAN : 0.5), false}};
    const ep_named_arg size[] = {{"x", x, false}};
    const ep_node_info add = {
        .target = "torch.ops.aten.add.Tensor", .name = "t", .inputs = sum, .input_count = 2};
    const ep_node_info mul = {
        .target = "torch.ops.aten.mul.Scalar", .name = "r", .inputs = scaled, .input_count = 2};
    const ep_node_info count = {
        .target = "torch.ops.mylib.size.default", .name = "n", .inputs = size, .input_count = 1};
    ep_build_input(b, EP_INPUT_PARAMETER, p, "w");
    ep_build_input(b, EP_INPUT_BUFFER, a, "state");
    ep_build_input(b, EP_INPUT_USER, x, NULL);
    const ep_built_arg *t = add_node(b, &add, tensor(b, "t", false));
    const ep_built_arg *r = add_node(b, &mul, tensor(b, "r", true));
    add_node(b, &count, ep_build_symbolic(b, ep_build_root(b), "n", one_more(b, w)));
    ep_build_output(b, EP_OUTPUT_BUFFER_MUTATION, t, "state");
    ep_build_output(b, EP_OUTPUT_USER, r, NULL);
    ep_build_range(b, ep_expr_symbol(b, "s0", &hint), 2, w->open ? INT64_MAX : 100);
    ep_build_verifier(b, "ATEN");
    if (ep_builder_has(b, "ExportedProgram", "torch_version")) {
        ep_build_torch_version(b, "<=2.4");
    }
    if (w->guard != NULL) {
        ep_build_guard(b, test_bytes(w->guard));
    }
}

static bool open_source(test_built *s, const char *version, const wish *w) {
    ep_arena scratch;
    ep_error error;
    *s = (test_built){.heap = {0}};
    test_arena(&s->arena, &s->heap, 0);
    test_arena(&scratch, &s->heap, 0);
    ep_builder *b = ep_builder_open(&scratch, ep_version_find(version), &error);
    build(b, w);
    bool ok = ep_builder_finish(b, &s->arena, EP_BUILD_CHECKED, &s->built, &error);
    ep_arena_free(&scratch);
    return CHECK_NOTE(ok, ep_code_name(error.code));
}

static bool migrate(const ep_program *program, const char *to, ep_arena *arena, ep_built *built,
                    ep_error *error) {
    ep_migrate_options options = {.version = ep_version_find(to)};
    memset(built, 0xEE, sizeof *built);
    memset(error, 0xEE, sizeof *error);
    bool ok = ep_migrate(program, arena, &options, built, error);
    CHECK_EQ_INT(ok, error->code == EP_OK);
    CHECK_EQ_INT(ok, built->program != NULL);
    CHECK(ok || built->text.data == NULL);
    return ok;
}

/* --------------------------------------------------------------- there and back */

static const char *const versions[] = {"1",   "1-2023-12", "2",   "3.1",  "5.1",
                                       "5.3", "7.3",       "8.2", "8.14", "latest"};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

static void test_back(void) {
    for (size_t i = 0; i + 1 < VERSIONS; i++) {
        test_built s;
        if (open_source(&s, versions[i], &(wish){.open = false})) {
            for (size_t k = i; k < VERSIONS; k++) {
                ep_built there;
                ep_built back;
                ep_error error;
                if (CHECK_NOTE(migrate(s.built.program, versions[k], &s.arena, &there, &error),
                               error.detail) &&
                    CHECK_NOTE(migrate(there.program, versions[i], &s.arena, &back, &error),
                               error.detail)) {
                    CHECK_EQ_BYTES(back.text.data, back.text.size, s.built.text.data,
                                   s.built.text.size);
                }
            }
        }
        test_close_built(&s);
    }
}

/* How a document is spelled has no meaning (SPEC 1.3): neither has it here. */
static void test_spelling(void) {
    static const char plain[] = "\"torch.ops.aten.mul.Scalar\"";
    static const char odd[] = "\"\\u0074orch.ops.aten\\u002emul.Scalar\"";
    test_built s;
    ep_built one;
    ep_built other;
    ep_error error;
    const ep_program *program;
    test_text text = {0};
    open_source(&s, "2", &(wish){.open = false});
    const char *at = strstr(s.built.text.data, plain);
    if (CHECK(at != NULL)) {
        size_t before = (size_t)(at - s.built.text.data);
        size_t after = before + sizeof plain - 1;
        test_add(&text, s.built.text.data, before);
        test_add_str(&text, odd);
        test_add(&text, s.built.text.data + after, s.built.text.size - after);
        CHECK(ep_decode(&s.arena, test_text_exact(&text), NULL, &program, &error));
        CHECK(migrate(s.built.program, "latest", &s.arena, &one, &error));
        CHECK(migrate(program, "latest", &s.arena, &other, &error));
        CHECK_EQ_BYTES(other.text.data, other.text.size, one.text.data, one.text.size);
    }
    test_text_free(&text);
    test_close_built(&s);
}

/* ----------------------------------------------------------------- what is told */

static void note_clause(void *context, const char *clause, const char *about, size_t times) {
    test_text *told = context;
    CHECK(about[0] != '\0' && times > 0);
    test_add_str(told, clause);
    test_add_str(told, "*");
    test_add_int(told, (int64_t)times);
    test_add_str(told, " ");
}

static void test_report(const char *from, const char *to, const char *expected) {
    test_built s;
    ep_built built;
    test_text told = {0};
    ep_migrate_options options = {
        .version = ep_version_find(to), .report = note_clause, .report_context = &told};
    open_source(&s, from, &(wish){.open = true});
    CHECK(ep_migrate(s.built.program, &s.arena, &options, &built, NULL));
    CHECK_EQ_STR(told.data, told.size, expected);
    test_text_free(&told);
    test_close_built(&s);
}

static void test_reports(void) {
    test_report("latest", "latest", "");
    test_report("1", "2", "7.1.1*1 7.2.4*3 7.2.5*5 7.2.6*1 7.4.1*1 7.4.2*1 7.4.3*1 7.5.3*3 ");
    test_report("2", "1",
                "7.1.1*1 7.2.4*3 7.2.5*5 7.2.6*1 7.3.1*2 7.4.1*1 7.4.2*1 7.4.3*1 7.5.3*3 ");
    test_report("7.3", "8.2", "7.1.1*1 7.2.6*1 7.5.1*3 ");
    test_report("8.2", "7.3", "7.1.1*1 7.2.6*1 7.3.2*1 7.5.1*3 ");
}

/* -------------------------------------------------------------------- refusals */

static void test_refusal(const char *from, const char *to, const wish *w, ep_code code,
                         const char *pointer) {
    test_built s;
    ep_built built;
    ep_error error;
    open_source(&s, from, w);
    if (CHECK_NOTE(!migrate(s.built.program, to, &s.arena, &built, &error), to)) {
        CHECK_EQ_INT(error.code, code);
        CHECK_EQ_STR(error.pointer, strlen(error.pointer), pointer);
        CHECK(error.offset < s.built.text.size && s.built.text.data[error.offset] == '{');
        CHECK_EQ_INT(error.line, 1);
        CHECK_EQ_INT(error.column, error.offset + 1);
        CHECK(error.detail[0] != '\0');
    }
    test_close_built(&s);
}

static void test_refusals(void) {
    const char *s0 = "Symbol('s0', positive=True, integer=True)";
    char bitwise[128];
    snprintf(bitwise, sizeof bitwise, "BitwiseFn_bitwise_and(%s, Integer(1))", s0);
    test_refusal("latest", "8.10", &(wish){.guard = "L['x'].size()[0] >= 2"}, EP_MIGRATE_FIELD, "");
    test_refusal("latest", "8.7", &(wish){.nan = true}, EP_MIGRATE_VALUE,
                 "/graph_module/graph/nodes/1/inputs/1/arg");
    test_refusal("latest", "7.3", &(wish){.expr = bitwise}, EP_MIGRATE_TEXT,
                 "/graph_module/graph/sym_int_values/n/as_expr");
}

/* A program that is none, or of which forward reading left something out. */
static void test_unfit(void) {
    static const char minor[] = "\"minor\": 20";
    test_built s;
    ep_built built;
    ep_error error;
    const ep_program *program;
    test_text empty = {0};
    test_text later = {0};
    ep_decode_options options = ep_decode_options_default();
    open_source(&s, "8.20", &(wish){.open = false});
    test_program_with(&empty, "8.20", NULL, NULL);
    CHECK(ep_decode(&s.arena, test_text_exact(&empty), NULL, &program, &error));
    CHECK(!migrate(program, "8.19", &s.arena, &built, &error));
    CHECK_EQ_INT(ep_code_level(error.code), EP_LEVEL_PROGRAM);
    test_add(&later, s.built.text.data, s.built.text.size - 1); /* without the closing brace */
    test_add_str(&later, ", \"later\": 1}");
    test_add(&later, "", 1);
    char *at = strstr(later.data, minor);
    later.size--;
    options.forward = true;
    if (CHECK(at != NULL)) {
        memcpy(at + sizeof minor - 3, "99", 2);
        CHECK(ep_decode(&s.arena, test_text_exact(&later), &options, &program, &error));
        CHECK(!migrate(program, "8.19", &s.arena, &built, &error));
        CHECK_EQ_INT(error.code, EP_ARGUMENT);
    }
    test_text_free(&empty);
    test_text_free(&later);
    test_close_built(&s);
}

/* ---------------------------------------------------------------------- memory */

/* The result lives as long as its own arena, whatever becomes of the program. */
static void test_lifetime(void) {
    test_built s;
    test_heap heap = {0};
    ep_arena arena;
    ep_built built;
    ep_error error;
    test_text out = {0};
    test_arena(&arena, &heap, 0);
    open_source(&s, "1", &(wish){.open = true});
    CHECK(migrate(s.built.program, "latest", &arena, &built, &error));
    test_close_built(&s);
    CHECK(ep_check(built.program, &arena, NULL, NULL));
    CHECK(ep_encode(built.program, &arena, test_sink, &out, NULL));
    CHECK_EQ_BYTES(out.data, out.size, built.text.data, built.text.size);
    test_text_free(&out);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

/* Every allocation refused in turn: an error, no product, nothing left. */
static void test_no_memory(const char *from, const char *to) {
    test_built s;
    open_source(&s, from, &(wish){.open = true});
    bool done = false;
    for (size_t n = 1; !done; n++) {
        for (int rest = 0; rest < 3; rest++) { /* the third time nobody is told why */
            test_heap heap = {.fail_at = n, .fail_on = rest > 0};
            ep_arena arena;
            ep_built built;
            ep_error error;
            test_arena(&arena, &heap, 0);
            ep_migrate_options options = {.version = ep_version_find(to)};
            bool ok = rest == 2 ? ep_migrate(s.built.program, &arena, &options, &built, NULL)
                                : migrate(s.built.program, to, &arena, &built, &error);
            done = heap.calls < n;
            CHECK(ok || rest == 2 || error.code == EP_MEMORY);
            CHECK(ok == done || rest == 0);
            ep_arena_free(&arena);
            CHECK_EQ_INT(heap.bytes, 0);
            CHECK_EQ_INT(heap.blocks, 0);
        }
    }
    test_close_built(&s);
}

/* Parentheses as deep as a decoder takes them: nothing recurs. */
static void test_deep(void) {
    enum { DEPTH = 900 };
    test_text text = {0};
    test_built s;
    ep_built built;
    ep_error error;
    test_add_repeat(&text, "(", DEPTH);
    test_add_str(&text, "s0");
    test_add_repeat(&text, " + 1)", DEPTH);
    test_add(&text, "", 1);
    open_source(&s, "7.3", &(wish){.expr = text.data});
    CHECK(migrate(s.built.program, "latest", &s.arena, &built, &error));
    test_text_free(&text);
    test_close_built(&s);
}

/* ----------------------------------------------------------------- later calls */

static void add_call(test_text *entries, size_t number) {
    test_add_str(entries, ", {\"fqn\": \"sub");
    if (number > 0) {
        test_add_str(entries, "@");
        test_add_int(entries, (int64_t)number);
    }
    test_add_str(entries, "\", \"signature\": {\"inputs\": [{\"as_int\": ");
    test_add_int(entries, (int64_t)number);
    test_add_str(entries, "}], \"outputs\": [], \"in_spec\": ");
    test_add_spec(entries, true, 1);
    test_add_str(entries, ", \"out_spec\": ");
    test_add_spec(entries, false, 0);
    test_add_str(entries, ", \"forward_arg_names\": null}}");
}

/* A program without nodes, whose module is called so often; the last call first. */
static void add_calls(test_text *program, size_t calls) {
    test_text entries = {0};
    test_add_str(&entries, "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "
                           "\"in_spec\": ");
    test_add_spec(&entries, true, 0);
    test_add_str(&entries, ", \"out_spec\": ");
    test_add_spec(&entries, false, 0);
    test_add_str(&entries, ", \"forward_arg_names\": null}}");
    for (size_t i = calls; i-- > 0;) {
        add_call(&entries, i);
    }
    test_add(&entries, "]", 2);
    const test_hole holes[] = {{"GraphModule.module_call_graph", entries.data},
                               {"ExportedProgram.opset_version", "{\"aten\": 10}"},
                               {NULL, NULL}};
    test_program(program, "latest", holes);
    test_text_free(&entries);
}

/* The memory that joining the calls takes; they stand in order then. */
static size_t join_calls(size_t calls) {
    test_heap heap = {0};
    ep_arena arena;
    ep_built built;
    ep_error error;
    const ep_program *program;
    test_text text = {0};
    test_text inputs = {0};
    size_t peak = 0;
    test_arena(&arena, &heap, 0);
    add_calls(&text, calls);
    test_add_str(&inputs, "\"fqn\": \"sub\", \"signature\": {\"inputs\": [");
    for (size_t i = 0; i < calls; i++) {
        test_add_str(&inputs, i == 0 ? "{\"as_int\": " : ", {\"as_int\": ");
        test_add_int(&inputs, (int64_t)i);
        test_add_str(&inputs, "}");
    }
    test_add(&inputs, "]", 2);
    if (CHECK(ep_decode(&arena, test_text_exact(&text), NULL, &program, &error)) &&
        CHECK_NOTE(migrate(program, "7.4", &arena, &built, &error), error.detail)) {
        CHECK(test_holds(built.text, inputs.data));
        peak = ep_arena_peak(&arena);
    }
    test_text_free(&text);
    test_text_free(&inputs);
    ep_arena_free(&arena);
    return peak;
}

/* Twice the calls, twice the memory. */
static void test_many_calls(void) {
    enum { CALLS = 2000 };
    size_t once = join_calls(CALLS);
    size_t twice = join_calls(2 * CALLS);
    CHECK(once > 0 && twice < 3 * once);
}

/* ------------------------------------------------------------- programs by hand */

/* What becomes of a program; the part is somewhere in the product, unless it is NULL. */
static ep_code migrate_text(ep_bytes input, const char *to, const char *part) {
    test_heap heap = {0};
    ep_arena arena;
    ep_built built;
    ep_error error;
    const ep_program *program;
    test_arena(&arena, &heap, 0);
    bool ok = CHECK_NOTE(ep_decode(&arena, input, NULL, &program, &error), error.pointer) &&
              migrate(program, to, &arena, &built, &error);
    CHECK_NOTE(!ok || part == NULL || test_holds(built.text, part), part);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    return error.code;
}

#define X "{\"as_tensor\": {\"name\": \"x\"}}"
#define X_TO_X                                                                                     \
    {"Graph.inputs", "[" X "]"}, {"Graph.outputs", "[" X "]"},                                     \
        {"Graph.tensor_values", "{\"x\": " META_OF("2") "}"},                                      \
        {"GraphSignature.input_specs", "[{\"user_input\": {\"arg\": " X "}}]"}, {                  \
        "GraphSignature.output_specs", "[{\"user_output\": {\"arg\": " X "}}]"                     \
    }

/* A root that lists what goes in or comes out says more than a call_spec, and stays.
 * SPEC 7.4.2 */
static void test_root(void) {
    static const struct {
        const char *inputs;
        const char *outputs;
        const char *part; /* of the product */
    } rows[] = {
        {"", "", "\"module_call_graph\": []"},
        {X, "", "\"module_call_graph\": [{"},
        {"", X, "\"module_call_graph\": [{"},
        {X, X, "\"module_call_graph\": [{"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_text entry = {0};
        test_text text = {0};
        test_add_str(&entry, "[{\"fqn\": \"\", \"signature\": {\"inputs\": [");
        test_add_str(&entry, rows[i].inputs);
        test_add_str(&entry, "], \"outputs\": [");
        test_add_str(&entry, rows[i].outputs);
        test_add_str(&entry, "], \"in_spec\": ");
        test_add_spec(&entry, true, 1);
        test_add_str(&entry, ", \"out_spec\": ");
        test_add_spec(&entry, false, 1);
        test_add_str(&entry, ", \"forward_arg_names\": null}}]");
        test_add(&entry, "", 1);
        test_whole(&text, "8.20", 1, 1,
                   (test_hole[]){X_TO_X,
                                 {"ExportedProgram.verifiers", "[\"ATEN\"]"},
                                 {"GraphModule.module_call_graph", entry.data},
                                 {NULL, NULL}});
        CHECK_EQ_INT(migrate_text(test_text_exact(&text), "1", rows[i].part), EP_OK);
        test_text_free(&text);
        test_text_free(&entry);
    }
}

static void add_sub(test_text *entries, const char *calls) {
    test_add_str(entries, ", {\"fqn\": \"sub@1\", \"signature\": null}, {\"fqn\": \"sub\", "
                          "\"signature\": {\"inputs\": [");
    test_add_str(entries, calls);
    test_add_str(entries, "], \"outputs\": [");
    test_add_str(entries, calls);
    test_add_str(entries, "], \"in_spec\": ");
    test_add_spec(entries, true, 1);
    test_add_str(entries, ", \"out_spec\": ");
    test_add_spec(entries, false, 1);
    test_add_str(entries, "}}]");
    test_add(entries, "", 1);
}

/* A fault in a text that a step made has no place, though it is the first of them and
 * would begin where the input ends. SPEC 7.6.7 */
static void test_no_place(void) {
    test_heap heap = {0};
    ep_arena arena;
    ep_built built;
    ep_error error = {0};
    const ep_program *program;
    test_text entries = {0};
    test_text text = {0};
    test_add_str(&entries, "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "
                           "\"in_spec\": ");
    test_add_spec(&entries, true, 1);
    test_add_str(&entries, ", \"out_spec\": ");
    test_add_spec(&entries, false, 1);
    test_add_str(&entries, "}}");
    add_sub(&entries, X ", " X);
    test_whole(
        &text, "7.4", 1, 1,
        (test_hole[]){X_TO_X, {"GraphModule.module_call_graph", entries.data}, {NULL, NULL}});
    test_arena(&arena, &heap, 0);
    if (CHECK_NOTE(ep_decode(&arena, test_text_exact(&text), NULL, &program, &error),
                   error.pointer) &&
        CHECK(!migrate(program, "8.20", &arena, &built, &error))) {
        CHECK_EQ_INT(error.code, EP_MODULE_FQN);
        CHECK_EQ_INT(error.line, 0);
        CHECK_EQ_INT(error.offset, 0);
    }
    ep_arena_free(&arena);
    test_text_free(&text);
    test_text_free(&entries);
}

/* Versions before 8.5-a have no field for the form of an output. It says something of
 * higher-order operators only. SPEC 7.4.4 */
static void test_other_output(void) {
#define GIVES_SIZE(target, rest)                                                                   \
    "[{\"target\": \"" target "\", \"inputs\": [], \"outputs\": [{\"as_sym_int\": {\"as_name\": "  \
    "\"n\"}}], \"metadata\": {}" rest "}]"
#define FORM ", \"is_hop_single_tensor_return\": false"
    static const struct {
        const char *nodes;
        ep_code code;
    } rows[] = {
        {GIVES_SIZE("torch.ops.higher_order.run_and_save_rng_state", ""), EP_OK},
        {GIVES_SIZE("torch.ops.higher_order.run_and_save_rng_state", FORM), EP_MIGRATE_FIELD},
        {GIVES_SIZE("torch.ops.my.f.default", FORM), EP_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_text text = {0};
        test_whole(&text, "8.20", 0, 0,
                   (test_hole[]){{"Graph.nodes", rows[i].nodes},
                                 {"Graph.sym_int_values", "{\"n\": {\"as_int\": 1}}"},
                                 {NULL, NULL}});
        CHECK_EQ_INT(migrate_text(test_text_exact(&text), "7.4", NULL), rows[i].code);
        test_text_free(&text);
    }
}

/* ------------------------------------------------------------------------ growth */

enum { LONG_NAME = 100000 };

/* A module that is called many times: its name, and the key of what it is given. SPEC
 * 7.1.7, 7.4.5 */
static void test_long_module(size_t name, size_t key, ep_code code) {
    enum { CALLS = 30 };
#define TYPED(type, context)                                                                       \
    "{\\\"type\\\": \\\"builtins." type "\\\", \\\"context\\\": \\\"" context "\\\", "             \
    "\\\"children_spec\\\": ["
    test_text entries = {0};
    test_text text = {0};
    test_add_str(&entries, "[{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "
                           "\"in_spec\": ");
    test_add_spec(&entries, true, 0);
    test_add_str(&entries, ", \"out_spec\": ");
    test_add_spec(&entries, false, 0);
    test_add_str(&entries, "}}, {\"fqn\": \"");
    test_add_repeat(&entries, "m", name);
    test_add_str(&entries, "\", \"signature\": {\"inputs\": [{\"as_int\": 0}");
    test_add_repeat(&entries, ", {\"as_int\": 0}", CALLS - 1);
    test_add_str(&entries, "], \"outputs\": [], \"in_spec\": \"[1, " TYPED("tuple", "null")
                               TYPED("tuple", "null") "]}, {\\\"type\\\": "
                                                      "\\\"builtins.dict\\\", \\\"context\\\": "
                                                      "\\\"[\\\\\\\"");
    test_add_repeat(&entries, "k", key);
    test_add_str(&entries, "\\\\\\\"]\\\", \\\"children_spec\\\": [{\\\"type\\\": null, "
                           "\\\"context\\\": null, \\\"children_spec\\\": []}]}]}]\", "
                           "\"out_spec\": ");
    test_add_spec(&entries, false, 0);
    test_add_str(&entries, "}}]");
    test_add(&entries, "", 1);
    test_whole(&text, "7.4", 0, 0,
               (test_hole[]){{"GraphModule.module_call_graph", entries.data}, {NULL, NULL}});
    CHECK_EQ_INT(migrate_text(test_text_exact(&text), "8.20", NULL), code);
    test_text_free(&text);
    test_text_free(&entries);
}

#define META_OF_1                                                                                  \
    "{\"meta\": {\"dtype\": 7, \"sizes\": [], \"requires_grad\": false, \"device\": {\"type\": "   \
    "\"cpu\", \"index\": null}, \"strides\": [], \"storage_offset\": 0, \"layout\": 7}}"

static void add_tensor_of_1(test_text *text, const char *name) {
    char value[32];
    snprintf(value, sizeof value, "{\"name\": \"%s\"}", name);
    test_add_union(text, "1", "Argument", "as_tensor", value);
}

/* The name of a buffer whose new value is returned many times, and has one entry: each
 * makes a spec of the buffer, which has its place before those of the user. SPEC 7.1.7,
 * 7.4.1 */
static void test_long_buffer(size_t size, ep_code code) {
    enum { TIMES = 30 };
    test_text inputs = {0}, outputs = {0}, buffers = {0}, users = {0}, text = {0};
    test_add_str(&inputs, "[");
    add_tensor_of_1(&inputs, "s");
    test_add_str(&inputs, ", ");
    add_tensor_of_1(&inputs, "x");
    test_add(&inputs, "]", 2);
    test_add_str(&buffers, "{\"s\": \"");
    test_add_repeat(&buffers, "b", size);
    test_add(&buffers, "\"}", 3);
    test_add_str(&users, "[\"x\"");
    for (size_t i = 0; i < TIMES; i++) {
        test_add_str(&outputs, i == 0 ? "[" : ", ");
        add_tensor_of_1(&outputs, "x");
        test_add_str(&outputs, ", ");
        add_tensor_of_1(&outputs, "s");
        test_add_str(&users, i == 0 ? "" : ", \"x\", \"x\"");
    }
    test_add(&outputs, "]", 2);
    test_add(&users, "]", 2);
    test_whole(
        &text, "1", 1, 2 * TIMES - 1,
        (test_hole[]){{"Graph.inputs", inputs.data},
                      {"Graph.outputs", outputs.data},
                      {"Graph.tensor_values", "{\"s\": " META_OF_1 ", \"x\": " META_OF_1 "}"},
                      {"GraphSignature.inputs_to_buffers", buffers.data},
                      {"GraphSignature.user_inputs", "[\"x\"]"},
                      {"GraphSignature.buffers_to_mutate", buffers.data},
                      {"GraphSignature.user_outputs", users.data},
                      {NULL, NULL}});
    CHECK_EQ_INT(migrate_text(test_text_exact(&text), "8.20", NULL), code);
    test_text_free(&text);
    test_text_free(&inputs);
    test_text_free(&outputs);
    test_text_free(&buffers);
    test_text_free(&users);
}

int main(void) {
    test_back();
    test_spelling();
    test_reports();
    test_refusals();
    test_unfit();
    test_lifetime();
    test_no_memory("1", "latest");
    test_no_memory("latest", "1");
    test_no_memory("7.3", "8.2");
    test_deep();
    test_many_calls();
    test_root();
    test_no_place();
    test_other_output();
    test_long_module(10, 10, EP_OK);
    test_long_module(LONG_NAME, 10, EP_LIMIT_GROWTH);
    test_long_module(10, LONG_NAME, EP_LIMIT_GROWTH);
    test_long_buffer(10, EP_SIGNATURE_ORDER);
    test_long_buffer(LONG_NAME, EP_LIMIT_GROWTH);
    return check_report();
}
