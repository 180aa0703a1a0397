/*
 * test_diff.c - two programs compared, as callers in C have it: options, limits, what is not
 * told, provenance, refusals. What differs the conformance suite asks.
 */
#include "diff/diff.h"
#include "epref_builder.h"
#include "opened.h"

#include <stdlib.h>

/* -------------------------------------------------------------------- programs */

/* What is other in a program than in the usual one; NULL: nothing. */
typedef struct wish {
    const char *dtype;         /* "FLOAT" */
    const char *torch_version; /* "2.13.0" */
    const char *node_name;
    const char *stack_trace;
    bool invalid; /* an operator gets what it does not take */
} wish;

static const char *or_else(const char *text, const char *usual) {
    return text != NULL ? text : usual;
}

static const ep_built_arg *tensor(ep_builder *b, const wish *w, const char *name) {
    static const ep_dim sizes[] = {{4, NULL}, {3, NULL}};
    ep_tensor_info info = {.dtype = or_else(w->dtype, "FLOAT"), .sizes = sizes, .rank = 2};
    return ep_arg_value(b, ep_build_tensor(b, ep_build_root(b), name, &info));
}

/* x goes through sigmoids, each with a value of its own. */
static void build(ep_builder *b, const wish *w) {
    static const char *const names[] = {"k", "l", "m", "n", "o", "p", "q", "r"};
    const ep_built_arg *x = tensor(b, w, "x");
    ep_build_input(b, EP_INPUT_USER, x, NULL);
    for (size_t i = 0; i < EP_COUNT_OF(names); i++) {
        char name[16];
        snprintf(name, sizeof name, "%s%zu", or_else(w->node_name, ""), i);
        const ep_named_arg self = {w->invalid ? "nonsense" : "self", x, false};
        x = tensor(b, w, names[i]);
        ep_node_info info = {.target = "torch.ops.aten.sigmoid.default",
                             .name = w->node_name != NULL ? name : NULL,
                             .inputs = &self,
                             .input_count = 1,
                             .outputs = &x,
                             .output_count = 1,
                             .stack_trace = test_bytes(or_else(w->stack_trace, ""))};
        ep_build_node(b, ep_build_root(b), &info);
    }
    ep_build_output(b, EP_OUTPUT_USER, x, NULL);
    ep_build_torch_version(b, or_else(w->torch_version, "2.13.0"));
}

static bool open_source(test_built *s, const wish *w) {
    ep_arena scratch;
    ep_error error;
    *s = (test_built){.heap = {0}};
    test_arena(&s->arena, &s->heap, 0);
    test_arena(&scratch, &s->heap, 0);
    ep_builder *b = ep_builder_open(&scratch, ep_version_find("latest"), &error);
    build(b, w);
    ep_build_goal goal = w->invalid ? EP_BUILD_PROGRAM : EP_BUILD_CHECKED;
    bool ok = ep_builder_finish(b, &s->arena, goal, &s->built, &error);
    ep_arena_free(&scratch);
    if (!ok) {
        fprintf(stderr, "%s: %s at %s\n", ep_code_name(error.code), error.detail, error.pointer);
    }
    return CHECK(ok);
}

/* Two programs, both of which are to be closed. */
static bool open_both(test_built sources[2], const wish *a, const wish *b) {
    bool ok = open_source(&sources[0], a);
    return open_source(&sources[1], b) && ok;
}

static void close_both(test_built sources[2]) {
    test_close_built(&sources[0]);
    test_close_built(&sources[1]);
}

/* ------------------------------------------------------------------- comparing */

enum { HEARD_MAX = 64, VALUES = 9 };

typedef struct heard {
    size_t count;
    size_t parts; /* that correspond */
    size_t apart; /* differences that were told by their parts */
    ep_difference items[HEARD_MAX];
} heard;

static void hear(void *context, const ep_difference *difference) {
    heard *h = context;
    if (CHECK(h->count < HEARD_MAX)) {
        h->items[h->count++] = *difference;
    }
}

static void hear_parts(void *context, const size_t parts[2], const ep_diff_group *differ) {
    heard *h = context;
    h->parts += differ == NULL;
    h->apart += differ != NULL;
    CHECK(parts[0] > 0 && parts[1] > 0);
}

static bool diff(const test_built sources[2], ep_diff_options *options, heard *h,
                 ep_diff_result *result) {
    const ep_program *programs[2] = {sources[0].built.program, sources[1].built.program};
    test_heap heap = {0};
    ep_arena scratch;
    ep_error error;
    memset(&error, 0xEE, sizeof error);
    *h = (heard){0};
    options->hear = hear;
    options->hear_context = h;
    test_arena(&scratch, &heap, 0);
    bool ok = ep_diff(programs, &scratch, options, result, &error);
    ep_arena_free(&scratch);
    CHECK_EQ_INT(heap.bytes, 0);
    CHECK_EQ_INT(ok, error.code == EP_OK);
    CHECK_EQ_INT(h->count, result->told);
    return ok;
}

/* A difference as one line: "value: TensorMeta.dtype: 7 (FLOAT) | 8 (DOUBLE)" */
static void describe(const ep_difference *d, char *line, size_t size) {
    size_t n = (size_t)snprintf(line, size, "%s: %s%s%s:", ep_diff_group_name(d->group), d->type,
                                d->member != NULL ? "." : "", or_else(d->member, ""));
    for (size_t i = 0; i < 2 && n < size; i++) {
        const ep_diff_side *side = &d->sides[i];
        n += (size_t)snprintf(line + n, size - n, "%s %s%.*s%s%s%s", i > 0 ? " |" : "",
                              side->there ? "" : "-", (int)side->text.size,
                              or_else(side->text.data, ""), side->enumerator != NULL ? " (" : "",
                              or_else(side->enumerator, ""), side->enumerator != NULL ? ")" : "");
    }
}

/* -------------------------------------------------------------------- the options */

/* Without options, and without anybody who hears. */
static void test_no_options(void) {
    test_built sources[2];
    if (open_both(sources, &(wish){0}, &(wish){.dtype = "DOUBLE"})) {
        const ep_program *programs[2] = {sources[0].built.program, sources[1].built.program};
        ep_diff_options options = ep_diff_options_default();
        for (size_t i = 0; i < 2; i++) {
            test_heap heap = {0};
            ep_diff_result result;
            ep_arena scratch;
            test_arena(&scratch, &heap, 0);
            CHECK(ep_diff(programs, &scratch, i == 0 ? NULL : &options, &result, NULL));
            CHECK(result.count == VALUES && result.told == 0);
            ep_arena_free(&scratch);
        }
    }
    close_both(sources);
    CHECK(ep_diff_group_name((ep_diff_group)-1) == NULL);
}

/* In large files not all that may be told is told: only what is cheap to locate. */
static void test_walked(void) {
    enum { LONG = 6 << 20 };
    char *trace = malloc(LONG);
    test_built sources[2];
    ep_diff_result result;
    heard h;
    if (CHECK(trace != NULL)) {
        memset(trace, 'x', LONG - 1);
        trace[LONG - 1] = '\0';
        if (open_both(sources, &(wish){.stack_trace = trace},
                      &(wish){.stack_trace = trace, .dtype = "DOUBLE"})) {
            ep_diff_options options = ep_diff_options_default();
            CHECK(diff(sources, &options, &h, &result));
            CHECK(result.count == VALUES && result.told == VALUES - 1);
        }
        close_both(sources);
    }
    free(trace);
}

static void test_limit(void) {
    test_built sources[2];
    ep_diff_result result;
    heard h;
    if (open_both(sources, &(wish){0}, &(wish){.dtype = "DOUBLE"})) {
        for (size_t limit = 0; limit <= VALUES + 1; limit++) {
            ep_diff_options options = {
                .limit = limit, .hear_parts = hear_parts, .parts_context = &h};
            if (CHECK(diff(sources, &options, &h, &result))) {
                CHECK_EQ_INT(result.count, VALUES);
                CHECK_EQ_INT(result.told, limit < VALUES ? limit : VALUES);
                CHECK(h.apart == VALUES && h.parts > VALUES);
                CHECK(limit == 0 || (h.items[0].sides[0].part > 0 && h.items[0].sides[1].part > 0));
            }
        }
    }
    close_both(sources);
}

static void test_provenance(void) {
    const wish other = {.torch_version = "2.14.1", .node_name = "node", .stack_trace = "here"};
    test_built sources[2];
    ep_diff_result result;
    heard h;
    char line[512];
    if (open_both(sources, &(wish){0}, &other)) {
        ep_diff_options options = {.limit = HEARD_MAX, .provenance = true};
        if (CHECK(diff(sources, &options, &h, &result)) && CHECK(h.count == 17)) {
            describe(&h.items[0], line, sizeof line);
            CHECK_EQ_STR(line, strlen(line),
                         "provenance: ExportedProgram.torch_version: \"2.13.0\" | \"2.14.1\"");
            describe(&h.items[1], line, sizeof line);
            CHECK_EQ_STR(line, 35, "provenance: Node.name: null | \"node");
            describe(&h.items[2], line, sizeof line);
            CHECK_EQ_STR(line, strlen(line), "provenance: Node.metadata: - | \"here\"");
        }
        options.provenance = false;
        CHECK(diff(sources, &options, &h, &result) && result.count == 0);
    }
    close_both(sources);
}

/* Which of the two is refused, and why. */
static void test_refusal(void) {
    for (size_t bad = 0; bad < 2; bad++) {
        test_built sources[2];
        ep_diff_result result;
        heard h;
        const wish wishes[] = {{.invalid = bad == 0}, {.invalid = bad == 1}};
        if (open_both(sources, &wishes[0], &wishes[1])) {
            ep_diff_options options = ep_diff_options_default();
            CHECK(!diff(sources, &options, &h, &result));
            CHECK_EQ_INT(result.refused, bad);
        }
        close_both(sources);
    }
}

int main(void) {
    test_no_options();
    test_walked();
    test_limit();
    test_provenance();
    test_refusal();
    return check_report();
}
