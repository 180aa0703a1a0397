/*
 * sweep_builder.c - programs of the generator, and what it does not say to a builder, with
 * each allocation refused in turn, and after a failure; what is no handle, name or number
 * that a builder takes. The first failure sticks, is reported at the end, and nothing leaks.
 */
#include "check.h"
#include "gen/gen.h"
#include "support.h"

/* A sequence of calls on a builder. */
typedef void piece(ep_builder *b);

typedef struct outcome {
    ep_code code;
    size_t size;  /* of the text */
    size_t calls; /* of the allocator */
} outcome;

/* What is built: by calls, or the generator's program of a seed. */
typedef struct wish {
    const char *version;
    piece *calls; /* NULL: by the generator */
    uint64_t seed;
} wish;

static bool build(const wish *w, ep_arena *scratch, ep_arena *arena, ep_bytes *text,
                  ep_error *error) {
    const ep_version *version = ep_version_find(w->version);
    if (w->calls == NULL) {
        const gen_options options = {.version = version, .seed = w->seed, .nodes = 12};
        return gen_program(&options, scratch, arena, text, error);
    }
    ep_built built = {{NULL, 0}, NULL};
    ep_builder *b = ep_builder_open(scratch, version, error);
    if (b == NULL) {
        return false;
    }
    w->calls(b);
    bool ok = ep_builder_finish(b, arena, EP_BUILD_PROGRAM, &built, error);
    *text = built.text;
    return ok;
}

/* The result, with allocation n of the builder's arena refused, or all from it on. */
static outcome run_builder(const wish *w, size_t n, bool all) {
    ep_arena scratch;
    ep_arena arena;
    test_heap heap = {.fail_at = n, .fail_on = all, .apart = &scratch};
    test_heap other = {.apart = &arena};
    ep_bytes text = {NULL, 0};
    ep_error error = {.code = EP_OK};
    test_arena(&scratch, &heap, 0);
    test_arena(&arena, &other, 0);
    bool ok = build(w, &scratch, &arena, &text, &error);
    CHECK_EQ_INT(ok, error.code == EP_OK);
    CHECK(error.code != EP_ARGUMENT || error.detail[0] != '\0');
    outcome o = {.code = error.code, .size = text.size, .calls = heap.calls};
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK(heap.bytes == 0 && other.bytes == 0);
    return o;
}

/* ------------------------------------------------------------------------ pieces */

static const ep_built_value *tensor(ep_builder *b, const char *name) {
    ep_dim sizes[] = {{2, NULL}};
    ep_tensor_info info = {.dtype = "FLOAT", .sizes = sizes, .rank = 1};
    return ep_build_tensor(b, ep_build_root(b), name, &info);
}

/* A node with so many arguments and a tensor that comes out. */
static void use(ep_builder *b, const ep_built_arg *const *args, size_t count) {
    ep_named_arg inputs[16];
    const ep_built_arg *output = ep_arg_value(b, tensor(b, "out"));
    for (size_t i = 0; i < count; i++) {
        inputs[i] = (ep_named_arg){"x", args[i], i == 1};
    }
    ep_node_info info = {.target = "zoo",
                         .name = "n",
                         .inputs = inputs,
                         .input_count = count,
                         .outputs = &output,
                         .output_count = 1};
    ep_build_node(b, ep_build_root(b), &info);
}

static void later_symbolic(ep_builder *b) {
    ep_built_graph *root = ep_build_root(b);
    const ep_built_expr *less =
        ep_expr_apply(b, EP_SYM_LT, ep_expr_symbol(b, "u0", NULL), ep_expr_int(b, 4));
    const ep_built_expr *half = ep_expr_text(b, EP_KIND_FLOAT, "zf0");
    const ep_built_arg *c = ep_arg_value(b, ep_build_symbolic(b, root, "c", less));
    const ep_built_arg *z =
        ep_arg_value(b, ep_build_symbolic(b, root, "z", ep_expr_float_symbol(b, "zuf0")));
    const ep_built_arg *f = ep_arg_value(b, ep_build_symbolic(b, root, "f", half));
    const ep_built_arg *floats[] = {z, ep_arg_float(b, 0.5), f};
    const ep_built_arg *bools[] = {c, ep_arg_bool(b, false)};
    const ep_built_arg *args[] = {ep_arg_symbolic_list(b, floats, 3),
                                  ep_arg_symbolic_list(b, bools, 2)};
    use(b, args, 2);
}

static void floats(ep_builder *b) {
    const ep_built_expr *z = ep_expr_float_symbol(b, "zf0");
    const ep_built_expr *s = ep_expr_symbol(b, "u0", NULL);
    const ep_built_expr *f = ep_expr_apply(b, EP_SYM_TO_FLOAT, s, NULL);
    ep_expr_apply(b, EP_SYM_MUL, f, z);
    ep_expr_apply(b, EP_SYM_ADD, z, f);
    ep_expr_apply(b, EP_SYM_LT, z, s);
    ep_expr_apply(b, EP_SYM_EQ, s, z);
    ep_build_symbolic(b, ep_build_root(b), "q", ep_expr_apply(b, EP_SYM_TRUEDIV, s, s));
}

static void header(ep_builder *b) {
    ep_build_opset(b, "aten", 10);
    ep_build_opset(b, "mine", 1);
    ep_build_verifier(b, "ATEN");
    ep_build_equal_dims(b, tensor(b, "x"), 0, tensor(b, "y"), 0);
    if (ep_builder_has(b, "ExportedProgram", "torch_version")) {
        ep_build_torch_version(b, "2.9.0");
    }
    if (ep_builder_has(b, "ExportedProgram", "guards_code")) {
        ep_build_guard(b, test_bytes("L['x'].size()[0] >= 2"));
    }
}

static piece *const pieces[] = {later_symbolic, floats, header};
enum { PIECES = sizeof pieces / sizeof pieces[0] };

static const char *const versions[] = {"1", "1-2023-12", "2", "5.1", "7.3", "8.2", "8.8", "8.20"};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

/* --------------------------------------------------------------------- refusals */

#define REFUSED(which, ...)                                                                        \
    static void which(ep_builder *b) {                                                             \
        ep_built_graph *root = ep_build_root(b);                                                   \
        const ep_built_value *x = tensor(b, "x");                                                  \
        const ep_built_arg *arg = ep_arg_value(b, x);                                              \
        const ep_built_expr *u = ep_expr_symbol(b, "u0", NULL);                                    \
        const ep_built_value *k = ep_build_symbolic(b, root, "k", u);                              \
        const ep_built_value *values[] = {x, k, NULL};                                             \
        const ep_built_arg *args[] = {arg, ep_arg_ints(b, NULL, 0), ep_arg_value(b, k), NULL};     \
        const ep_built_tree *trees_of[] = {ep_tree_leaf(b), NULL};                                 \
        const char *words[] = {"a", "\xFF", NULL};                                                 \
        ep_dim dims[] = {{INT64_MAX, NULL}, {INT64_MAX, NULL}, {2, NULL}};                         \
        ep_tensor_info info = {.dtype = "FLOAT", .sizes = dims};                                   \
        ep_node_info node = {.target = "t", .name = "n"};                                          \
        ep_call_info how = {.args = trees_of[0], .out = trees_of[0]};                              \
        (void)values, (void)args, (void)words, (void)info, (void)node, (void)how;                  \
        __VA_ARGS__;                                                                               \
    }

static const ep_built_expr *a_bool(ep_builder *b, const ep_built_expr *u) {
    return ep_expr_apply(b, EP_SYM_EQ, u, u);
}

#include "refusals.def"
#undef REFUSED

#define REFUSED(which, ...) which,
static piece *const refused[] = {
#include "refusals.def"
};
enum { REFUSALS = sizeof refused / sizeof refused[0] };

static void loss_missing(ep_builder *b) {
    ep_build_output(b, EP_OUTPUT_GRADIENT_TO_PARAMETER, ep_arg_value(b, tensor(b, "g")), "w");
}

/* ----------------------------------------------------------------------- sweeps */

static void sweep(const wish *w) {
    outcome whole = run_builder(w, 0, false);
    bool last = strcmp(w->version, versions[VERSIONS - 1]) == 0;
    bool held = CHECK(whole.code == EP_OK || (w->calls != NULL && !last));
    for (size_t n = 1; n <= whole.calls; n++) {
        outcome o = run_builder(w, n, n % 2 == 0);
        bool same = o.code == whole.code && o.size == whole.size;
        held = CHECK(o.code == EP_MEMORY || same) && held;
    }
    if (!held) {
        fprintf(stderr, "    at %s, seed %d\n", w->version, (int)w->seed);
    }
}

/* Each piece can be said at the latest version. */
static void test_sweeps(void) {
    enum { SEEDS = 3 };
    for (size_t v = 0; v < VERSIONS; v++) {
        for (size_t i = 0; i < PIECES + SEEDS; i++) {
            wish w = {.version = versions[v], .seed = v * SEEDS + i};
            w.calls = i < PIECES ? pieces[i] : NULL;
            sweep(&w);
        }
    }
}

/* At the latest version all of them are mistakes; at others some calls are one for
 * another reason, or say nothing. */
static void test_refused(void) {
    for (size_t v = 0; v < VERSIONS; v++) {
        for (size_t i = 0; i < REFUSALS; i++) {
            outcome o = run_builder(&(wish){versions[v], refused[i], 0}, 0, false);
            bool last = v + 1 == VERSIONS;
            if (!CHECK(o.code == EP_ARGUMENT || (!last && o.code == EP_OK))) {
                fprintf(stderr, "    refusal %zu at %s\n", i, versions[v]);
            }
        }
    }
    CHECK_EQ_INT(run_builder(&(wish){"1", loss_missing, 0}, 0, false).code, EP_ARGUMENT);
    CHECK_EQ_INT(run_builder(&(wish){"8.20", loss_missing, 0}, 0, false).code, EP_OK);
}

/* Whatever is said after a failure says nothing. */
static void test_after(void) {
    for (size_t i = 0; i < 2 * PIECES; i++) {
        test_heap heap = {0};
        ep_arena arena;
        ep_built built;
        ep_error error;
        test_arena(&arena, &heap, 0);
        ep_builder *b = ep_builder_open(&arena, ep_version_find("8.20"), &error);
        if (CHECK(b != NULL)) {
            ep_arg_scalar_type(b, "NOPE");
            size_t calls = heap.calls;
            pieces[i / 2](b);
            CHECK_EQ_INT(heap.calls, calls);
            CHECK(!ep_builder_finish(b, &arena, EP_BUILD_TEXT, &built, &error));
            CHECK_EQ_INT(error.code, EP_ARGUMENT);
        }
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
    }
}

int main(void) {
    test_sweeps();
    test_refused();
    test_after();
    return check_report();
}
