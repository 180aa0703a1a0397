/*
 * diff/diff.c - the comparison of two programs and its public functions; see diff.h.
 */
#include "diff/diff.h"

static const char *const group_names[] = {
    [EP_DIFF_SIGNATURE] = "signature",   [EP_DIFF_NODE] = "node",
    [EP_DIFF_ARGUMENT] = "argument",     [EP_DIFF_VALUE] = "value",
    [EP_DIFF_SUBGRAPH] = "subgraph",     [EP_DIFF_CONSTRAINT] = "constraint",
    [EP_DIFF_MODULE] = "module",         [EP_DIFF_TREESPEC] = "tree spec",
    [EP_DIFF_HEADER] = "header",         [EP_DIFF_ORDER] = "order",
    [EP_DIFF_PROVENANCE] = "provenance",
};

EP_API const char *ep_diff_group_name(ep_diff_group group) {
    return (size_t)group < EP_COUNT_OF(group_names) ? group_names[group] : NULL;
}

/* ------------------------------------------------------------------ the halves */

/* Rewrites a program at the version of canonical forms. SPEC 6.1.3 */
static bool migrate(ep_differ *d, ep_diff_half *half, const ep_migrate_options *options,
                    ep_error *error) {
    const ep_node *root;
    if (half->given->schema->version == options->version) {
        half->current = *half->given;
        return ep_check(half->given, d->arena, NULL, error);
    }
    half->migration = (ep_migration){
        .program = half->given, .options = options, .for_form = true, .arena = d->arena};
    half->migrated = true;
    TRY(ep_migration_run(&half->migration, &root, error));
    half->current = ep_maker_program(&half->migration.maker, root);
    return true;
}

static bool open_half(ep_differ *d, ep_diff_half *half, const ep_migrate_options *options,
                      ep_error *error) {
    ep_canon_made made;
    ep_map_init(&half->symbols, d->arena);
    ep_map_init(&half->sources, d->arena);
    ep_stack_init(&half->partners, d->arena);
    ep_stack_init(&half->originals, d->arena);
    TRY(migrate(d, half, options, error));
    TRY(ep_canon_make(&half->current, d->arena, &half->maker, &made, error));
    half->root = made.root;
    half->input = (ep_bytes){half->maker.text.data, half->maker.text.size};
    return true;
}

static void close_half(ep_diff_half *half) {
    ep_canon_close(&half->maker);
    if (half->migrated) {
        ep_migration_close(&half->migration);
    }
    ep_map_free(&half->symbols);
    ep_map_free(&half->sources);
    ep_stack_free(&half->partners);
    ep_stack_free(&half->originals);
}

/* -------------------------------------------------------------------- the whole */

/* Compares the graphs of the programs, and the subgraphs that are found in them. */
static bool compare_graphs(ep_differ *d, ep_diff_scope *root) {
    for (size_t half = 0; half < 2; half++) {
        const ep_node *module =
            ep_field_node(&d->fields, d->half[half].root, EP_F_ExportedProgram_graph_module);
        root->graph[half] = ep_field_node(&d->fields, module, EP_F_GraphModule_graph);
    }
    TRY(ep_diff_align(d, root) && ep_diff_graph(d, root));
    for (size_t i = 0; i < d->graphs.count; i++) {
        const ep_diff_match_of *graphs = &d->graphs.items[i];
        ep_diff_scope scope = {.graph = {graphs->node[0], graphs->node[1]}};
        TRY(ep_diff_align(d, &scope) && ep_diff_graph(d, &scope));
    }
    return true;
}

static bool compare_roots(ep_differ *d, bool *differs, ep_diff_pair *pair) {
    *pair = (ep_diff_pair){.shape = &d->fields.schema->shapes[EP_SHAPE_ExportedProgram]};
    for (size_t half = 0; half < 2; half++) {
        pair->bits[half] = ep_pointer_bits(d->half[half].root);
        pair->at[half] = ep_diff_spot_of(d, d->half[half].root, NULL);
    }
    return ep_diff_first(d, NULL, pair, differs);
}

/* Two programs are equal exactly when their canonical forms are, whatever differences
 * are found to report. */
static bool compare(ep_differ *d) {
    ep_diff_scope root = {.graph = {NULL}};
    ep_diff_pair first;
    bool differs;
    TRY(compare_roots(d, &differs, &first));
    if (differs || d->options->provenance) {
        TRY(compare_graphs(d, &root) && ep_diff_constraints(d) && ep_diff_modules(d, &root) &&
            ep_diff_header(d));
    }
    if (differs && d->result->count == 0) {
        ep_diff_tell(d, EP_DIFF_ORDER, &first);
    }
    return !d->options->provenance || ep_diff_provenance(d);
}

/* Equal bytes are one program; what callers have was decoded from its bytes. */
static bool is_one(const ep_program *a, const ep_program *b) {
    return a == b || (a->schema->version == b->schema->version && a->partial == b->partial &&
                      ep_text_equal(a->input, b->input));
}

static bool run(ep_differ *d, const ep_migrate_options *migrating, ep_error *error) {
    if (!d->options->provenance && is_one(d->half[0].given, d->half[1].given)) {
        return migrate(d, &d->half[0], migrating, error); /* whether it has a form at all */
    }
    for (size_t half = 0; half < 2; half++) {
        d->result->refused = half;
        TRY(open_half(d, &d->half[half], migrating, error));
    }
    d->fields = d->half[0].maker.fields;
    ep_diff_roles(d);
    if (!compare(d)) {
        return ep_error_plain(error, EP_MEMORY);
    }
    return true;
}

EP_API ep_diff_options ep_diff_options_default(void) {
    enum { LIMIT = 20 };
    return (ep_diff_options){.limit = LIMIT};
}

EP_API bool ep_diff(const ep_program *const programs[2], ep_arena *scratch,
                    const ep_diff_options *options, ep_diff_result *result, ep_error *error) {
    ep_diff_options defaults = ep_diff_options_default();
    ep_differ d = {.arena = scratch, .options = options != NULL ? options : &defaults};
    ep_migrate_options migrating = {.version = ep_version_find(EP_CANON_VERSION),
                                    .constant = d.options->constant,
                                    .constant_context = d.options->constant_context};
    if (result != NULL) {
        *result = (ep_diff_result){0};
    }
    if (programs == NULL || programs[0] == NULL || programs[1] == NULL || scratch == NULL ||
        result == NULL) {
        return ep_error_argument(error, EP_NULL_GIVEN);
    }
    ep_error_clear(error);
    d.result = result;
    d.half[0].given = programs[0];
    d.half[1].given = programs[1];
    ep_diff_frames_init(&d.frames, scratch);
    ep_diff_parts_init(&d.waiting, scratch);
    ep_diff_matches_init(&d.graphs, scratch);
    ep_diff_matches_init(&d.matched, scratch);
    bool ok = run(&d, &migrating, error);
    ep_diff_frames_free(&d.frames);
    ep_diff_parts_free(&d.waiting);
    ep_diff_matches_free(&d.graphs);
    ep_diff_matches_free(&d.matched);
    close_half(&d.half[0]);
    close_half(&d.half[1]);
    return ok;
}
