/*
 * test_migrate.c - one program at another version: what is reported of it, what cannot be
 * migrated, how long the result lives, want of memory.
 * fuzz_migrate.c has the laws, conformance the bytes.
 */
#include "epref_builder.h"
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

int main(void) {
    test_reports();
    test_unfit();
    test_lifetime();
    test_no_memory("1", "latest");
    test_no_memory("latest", "1");
    test_no_memory("7.3", "8.2");
    test_deep();
    return check_report();
}
