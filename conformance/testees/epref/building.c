/*
 * building.c - a program taken apart and built again; see building.h. It has to be one that
 * ep_check accepts.
 */
#include "building.h"

#include "common/memory.h"

#include <string.h>

/* --------------------------------------------------------------------- header */

/* An end of a range: open, or a number; 2.2 and others wrote the largest one for it. */
static int64_t end_of(ep_value end, int64_t open) {
    const int64_t open_number = INT64_MAX - 1;
    int64_t number = ep_value_int(end);
    return ep_value_kind(end) != EP_KIND_INT || number == open_number ? open : number;
}

static void build_ranges(rebuild *r, ep_value ranges) {
    for (size_t i = 0; i < ep_value_count(ranges); i++) {
        ep_value range = ep_value_item(ranges, i);
        const char *name = rebuild_key(r, ranges, i);
        bool floating = name != NULL && name[0] == 'z';
        const ep_built_expr *symbol =
            floating ? ep_expr_float_symbol(r->b, name) : rebuild_symbol(r, name, false);
        ep_build_range(r->b, symbol, end_of(ep_value_field(range, "min_val"), INT64_MIN),
                       end_of(ep_value_field(range, "max_val"), INT64_MAX));
    }
}

static void build_opsets(rebuild *r, ep_value opsets) {
    bool usual = ep_value_count(opsets) == 1 &&
                 ep_value_int(ep_value_item(opsets, 0)) == 10; /* SPEC 5.7.1 */
    for (size_t i = 0; i < ep_value_count(opsets); i++) {
        const char *key = rebuild_key(r, opsets, i);
        if (!usual || (key != NULL && strcmp(key, "aten") != 0)) {
            ep_build_opset(r->b, key, ep_value_int(ep_value_item(opsets, i)));
        }
    }
}

/* What a fresh export of the version names. */
static const char *usual_verifier(const ep_version *version) {
    bool late = version->major > 8 || (version->major == 8 && version->minor >= 2);
    return late ? "TRAINING" : "ATEN";
}

static void build_verifiers(rebuild *r, ep_value root) {
    ep_value list = ep_value_field(root, "verifiers");
    ep_value dialect = ep_value_field(root, "dialect");
    const char *usual = usual_verifier(ep_program_version(r->program));
    size_t count = ep_value_count(list);
    bool named = ep_builder_has(r->b, "ExportedProgram", "verifiers");
    if (!named && ep_value_kind(dialect) == EP_KIND_STR && !rebuild_has_text(dialect, r, usual)) {
        ep_build_verifier(r->b, rebuild_text(r, dialect));
    }
    if (count == 1 && rebuild_has_text(ep_value_item(list, 0), r, usual)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        ep_build_verifier(r->b, rebuild_text(r, ep_value_item(list, i)));
    }
}

static void build_equal_dims(rebuild *r, ep_value pairs) {
    ep_built_graph *root = ep_build_root(r->b);
    for (size_t i = 0; i < ep_value_count(pairs); i++) {
        const ep_built_value *values[2] = {NULL, NULL};
        int64_t dims[2] = {0, 0};
        for (size_t side = 0; side < 2; side++) {
            ep_value pair = ep_value_item(ep_value_item(pairs, i), side);
            values[side] = rebuild_value(r, root, rebuild_bytes(r, ep_value_item(pair, 0)));
            dims[side] = ep_value_int(ep_value_item(pair, 1));
        }
        ep_build_equal_dims(r->b, values[0], dims[0], values[1], dims[1]);
    }
}

/* The release, unless it is the first of the version. */
static void build_release(rebuild *r, ep_value release) {
    const char *releases = ep_program_version(r->program)->releases;
    const char *text = ep_value_kind(release) == EP_KIND_STR ? rebuild_text(r, release) : NULL;
    size_t size = releases == NULL ? 0 : strcspn(releases, " ");
    bool usual =
        text != NULL && size > 0 && strlen(text) == size && strncmp(text, releases, size) == 0;
    if (text != NULL && !usual) {
        ep_build_torch_version(r->b, text);
    }
}

/* What is wrong with what was read; NULL: nothing is. */
static const char *build_program(rebuild *r) {
    ep_value root = ep_program_root(r->program);
    ep_value module = ep_value_field(root, "graph_module");
    ep_value guards = ep_value_field(root, "guards_code");
    rebuild_hints(r, module);
    rebuild_graph(r, ep_value_field(module, "graph"), ep_build_root(r->b));
    const char *fault = rebuild_signature(r, module);
    rebuild_calls(r, module);
    build_opsets(r, ep_value_field(root, "opset_version"));
    build_ranges(r, ep_value_field(root, "range_constraints"));
    build_equal_dims(r, ep_value_field(root, "equality_constraints"));
    build_verifiers(r, root);
    build_release(r, ep_value_field(root, "torch_version"));
    for (size_t i = 0; i < ep_value_count(guards); i++) {
        ep_build_guard(r->b, rebuild_bytes(r, ep_value_item(guards, i)));
    }
    return fault;
}

/* ------------------------------------------------------------------------ run */

static void free_rebuild(rebuild *r) {
    for (rebuild_block *block; (block = r->blocks) != NULL;) {
        r->blocks = block->next;
        memory_free(block);
    }
    memory_free(r->values);
    memory_free(r->hints);
}

static void rebuild_program(rebuild *r, ep_arena *arena, finding *out) {
    const ep_version *version = ep_program_version(r->program);
    ep_arena scratch;
    ep_built built;
    arena_open(&scratch, 0);
    r->b = ep_builder_open(&scratch, version, &out->error);
    out->valid = r->b != NULL;
    if (r->b != NULL) {
        out->fault = build_program(r);
        out->valid = ep_builder_finish(r->b, arena, EP_BUILD_CHECKED, &built, &out->error);
    }
    if (out->valid && ep_program_version(built.program) != version) {
        out->fault = "the built program is of another version";
    } else if (out->valid) {
        buffer_put(&out->product, built.text.data, built.text.size);
    } else if (out->error.code == EP_ARGUMENT) {
        out->fault = out->error.detail; /* the builder refuses what was read */
    }
    ep_arena_free(&scratch);
}

void run_build(const request *r, ep_arena *arena, ep_bytes input, finding *out) {
    rebuild made = {.program = decode(r, arena, input, out), .arena = arena};
    out->valid = made.program != NULL && ep_check(made.program, arena, NULL, &out->error);
    if (out->valid) {
        rebuild_program(&made, arena, out);
        out->product.failed = out->product.failed || made.failed;
        out->unsaid = made.unsaid;
    }
    free_rebuild(&made);
}
