/*
 * builder/program.c - the beginning and the end of building, and the ExportedProgram
 * around the graph: versions, opsets, verifiers, ranges, guards.
 */
#include "builder/builder.h"

/* ------------------------------------------------------------------- beginning */

static ep_builder *make_builder(ep_arena *arena, const ep_version *version) {
    ep_builder *b = ep_arena_alloc(arena, sizeof *b);
    const ep_schema *schema = b == NULL ? NULL : ep_schema_make(arena, version);
    if (schema == NULL) {
        return NULL;
    }
    memset(b, 0, sizeof *b);
    b->arena = arena;
    b->version = version;
    b->number = ep_version_number_of(version);
    return ep_maker_open(&b->maker, arena, schema) ? b : NULL; /* then it holds nothing */
}

/* Initialises the stacks; without an arena it frees them. */
static void reset_stacks(ep_builder *b, ep_arena *arena) {
    ep_stack *stacks[] = {&b->input_specs, &b->output_specs, &b->input_names, &b->equal_dims,
                          &b->verifiers,   &b->guards,       &b->modules};
    ep_growing_dict *dicts[] = {
        &b->parameters,      &b->buffers, &b->mutations, &b->parameter_gradients,
        &b->input_gradients, &b->ranges,  &b->opsets};
    for (size_t i = 0; i < EP_COUNT_OF(stacks); i++) {
        if (arena != NULL) {
            ep_stack_init(stacks[i], arena);
        } else {
            ep_stack_free(stacks[i]);
        }
    }
    for (size_t i = 0; i < EP_COUNT_OF(dicts); i++) {
        if (arena != NULL) {
            ep_growing_dict_init(dicts[i], arena);
        } else {
            ep_growing_dict_free(dicts[i]);
        }
    }
}

/* Gives back all that is not kept by the arena. */
static void free_builder(ep_builder *b) {
    for (ep_built_graph *graph = b->graphs; graph != NULL; graph = graph->next) {
        ep_builder_free_graph(graph);
    }
    reset_stacks(b, NULL);
    ep_growing_free(&b->scratch);
    ep_maker_free(&b->maker);
}

EP_API ep_builder *ep_builder_open(ep_arena *arena, const ep_version *version, ep_error *error) {
    if (arena == NULL || version == NULL) {
        ep_error_argument(error, arena == NULL ? EP_NULL_GIVEN : "no schema version");
        return NULL;
    }
    ep_builder *b = make_builder(arena, version);
    if (b != NULL) {
        reset_stacks(b, arena);
        ep_growing_init(&b->scratch, arena);
        b->root = ep_build_subgraph(b);
    }
    if (b == NULL || b->root == NULL) {
        if (b != NULL) {
            free_builder(b);
        }
        ep_error_plain(error, EP_MEMORY);
        return NULL;
    }
    ep_error_clear(error);
    return b;
}

/* ----------------------------------------------------------------- what is said */

EP_API bool ep_build_opset(ep_builder *b, const char *name, int64_t version) {
    uint64_t key;
    return ep_builder_goes_on(b) && ep_builder_string(b, name, &key) &&
           ep_builder_add(b, &b->opsets, key, (uint64_t)version);
}

EP_API bool ep_build_verifier(ep_builder *b, const char *name) {
    uint64_t bits;
    return ep_builder_goes_on(b) && ep_builder_string(b, name, &bits) &&
           ep_builder_push(b, &b->verifiers, bits);
}

EP_API bool ep_build_torch_version(ep_builder *b, const char *text) {
    TRY(ep_builder_goes_on(b) && ep_builder_string(b, text, &b->torch_version));
    b->has_torch_version = true;
    return true;
}

EP_API bool ep_build_guard(ep_builder *b, ep_bytes code) {
    uint64_t bits;
    TRY(ep_builder_goes_on(b) && ep_builder_needs(b, EP_F_ExportedProgram_guards_code, "a guard"));
    TRY(ep_builder_given_array(b, code.data, code.size));
    if (!ep_maker_text(&b->maker, code, &bits)) {
        return ep_builder_refuse(b, "not UTF-8", NULL);
    }
    return ep_builder_push(b, &b->guards, bits);
}

/* -------------------------------------------------------------- equal dimensions */

static bool make_pair(ep_builder *b, uint64_t first, uint64_t second, uint64_t *bits) {
    uint64_t items[] = {first, second};
    return ep_maker_list(&b->maker, items, 2, bits);
}

EP_API bool ep_build_equal_dims(ep_builder *b, const ep_built_value *x, int64_t x_dim,
                                const ep_built_value *y, int64_t y_dim) {
    uint64_t left;
    uint64_t right;
    uint64_t both;
    TRY(ep_builder_goes_on(b) && ep_builder_given(b, x) && ep_builder_given(b, y));
    if (!ep_maker_has(&b->maker, EP_F_ExportedProgram_equality_constraints)) {
        return true; /* in later versions the symbol alone expresses it */
    }
    return make_pair(b, x->name, (uint64_t)x_dim, &left) &&
           make_pair(b, y->name, (uint64_t)y_dim, &right) && make_pair(b, left, right, &both) &&
           ep_builder_push(b, &b->equal_dims, both);
}

/* ------------------------------------------------------------------------ defaults */

static bool default_opset(ep_builder *b) {
    return b->opsets.keys.count > 0 || ep_build_opset(b, "aten", 10); /* SPEC 5.7.1 */
}

/* What a fresh export names. SPEC 5.7.2 */
static const struct {
    uint8_t since;
    uint8_t until;
    const char *name;
} verifier_rows[] = {
    {EP_V1_2023_12, EP_V8_2, "ATEN"},
    {EP_V8_2, EP_FUTURE, "TRAINING"},
};

static bool default_verifier(ep_builder *b) {
    for (size_t i = 0; b->verifiers.count == 0 && i < EP_COUNT_OF(verifier_rows); i++) {
        if (ep_builder_between(b, (ep_version_number)verifier_rows[i].since,
                               (ep_version_number)verifier_rows[i].until)) {
            return ep_build_verifier(b, verifier_rows[i].name);
        }
    }
    return true;
}

/* The first release of the version, or of the last one before it that has any. */
static bool default_torch_version(ep_builder *b) {
    size_t i = b->number;
    while (i > 0 && ep_version_at(i)->releases == NULL) {
        i--;
    }
    const char *releases = ep_version_at(i)->releases;
    ep_bytes first = {releases, 0};
    if (b->has_torch_version || releases == NULL) {
        return true;
    }
    while (releases[first.size] != '\0' && releases[first.size] != ' ') {
        first.size++;
    }
    b->has_torch_version = true;
    return ep_maker_text(&b->maker, first, &b->torch_version);
}

/* ----------------------------------------------------------------------------- parts */

static void set_verifiers(ep_builder *b, ep_node *root, uint64_t list) {
    if (ep_maker_has(&b->maker, EP_F_ExportedProgram_verifiers)) {
        ep_maker_set(&b->maker, root, EP_F_ExportedProgram_verifiers, list);
    } else if (b->verifiers.count > 0) {
        ep_maker_set(&b->maker, root, EP_F_ExportedProgram_dialect, b->verifiers.words[0]);
    }
}

static bool set_version(ep_builder *b, ep_node *root) {
    uint64_t bits = (uint64_t)(int64_t)b->version->major;
    if (b->version->minor >= 0) {
        ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_SchemaVersion);
        TRY(node != NULL);
        ep_maker_set(&b->maker, node, EP_F_SchemaVersion_major, bits);
        ep_maker_set(&b->maker, node, EP_F_SchemaVersion_minor,
                     (uint64_t)(int64_t)b->version->minor);
        bits = ep_pointer_bits(node);
    }
    ep_maker_set(&b->maker, root, EP_F_ExportedProgram_schema_version, bits);
    return true;
}

static ep_node *make_graph_module(ep_builder *b) {
    uint64_t signature;
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_GraphModule);
    if (node == NULL || !ep_builder_close_graph(b, b->root) ||
        !ep_builder_signature(b, &signature) || !ep_builder_calls(b, node)) {
        return NULL;
    }
    ep_maker_set(&b->maker, node, EP_F_GraphModule_graph, ep_pointer_bits(b->root->node));
    ep_maker_set(&b->maker, node, EP_F_GraphModule_signature, signature);
    ep_maker_set(&b->maker, node, EP_F_GraphModule_metadata, 0);
    return node;
}

static bool set_lists(ep_builder *b, ep_node *root) {
    uint64_t bits;
    TRY(ep_builder_dict(b, &b->opsets, &bits));
    ep_maker_set(&b->maker, root, EP_F_ExportedProgram_opset_version, bits);
    TRY(ep_builder_dict(b, &b->ranges, &bits));
    ep_maker_set(&b->maker, root, EP_F_ExportedProgram_range_constraints, bits);
    TRY(ep_builder_list(b, &b->equal_dims, &bits));
    ep_maker_set(&b->maker, root, EP_F_ExportedProgram_equality_constraints, bits);
    TRY(ep_builder_list(b, &b->guards, &bits));
    ep_maker_set(&b->maker, root, EP_F_ExportedProgram_guards_code, bits);
    TRY(ep_builder_list(b, &b->verifiers, &bits));
    set_verifiers(b, root, bits);
    return true;
}

static bool make_root(ep_builder *b, const ep_node **root) {
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_ExportedProgram);
    TRY(node != NULL && default_opset(b) && default_verifier(b) && default_torch_version(b));
    const ep_node *graph_module = make_graph_module(b);
    TRY(graph_module != NULL && set_lists(b, node) && set_version(b, node));
    ep_maker_set(&b->maker, node, EP_F_ExportedProgram_graph_module, ep_pointer_bits(graph_module));
    if (b->has_torch_version) {
        ep_maker_set(&b->maker, node, EP_F_ExportedProgram_torch_version, b->torch_version);
    }
    *root = node;
    return true;
}

/* ------------------------------------------------------------------------- end */

/* A sink that counts, and writes where there is room. */
typedef struct landing {
    char *data;
    size_t size;
} landing;

static bool land(void *context, const char *data, size_t size) {
    landing *to = context;
    if (to->data != NULL) {
        memcpy(to->data + to->size, data, size);
    }
    to->size += size;
    return true;
}

/* The text of a program in the arena. It is encoded twice, first to know its size and
 * then to write it, so that it is in memory once. */
static bool write_text(ep_builder *b, const ep_program *program, ep_arena *arena, ep_built *built,
                       ep_error *error) {
    landing to = {NULL, 0};
    TRY(ep_encode(program, b->arena, land, &to, error));
    to.data = ep_arena_alloc(arena, to.size);
    if (to.data == NULL) {
        return ep_error_plain(error, EP_MEMORY);
    }
    to.size = 0;
    TRY(ep_encode(program, b->arena, land, &to, error));
    built->text = (ep_bytes){to.data, to.size};
    return true;
}

static bool judge_text(ep_builder *b, ep_arena *arena, ep_build_goal goal, ep_built *built,
                       ep_error *error) {
    ep_decode_options options = ep_decode_options_default();
    options.version = b->version;
    options.limits = (ep_limits){SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    TRY(ep_decode(arena, built->text, &options, &built->program, error));
    return goal == EP_BUILD_PROGRAM || ep_check(built->program, arena, NULL, error);
}

static bool is_goal(ep_builder *b, ep_build_goal goal) {
    bool known = goal == EP_BUILD_TEXT || goal == EP_BUILD_PROGRAM || goal == EP_BUILD_CHECKED;
    return known || ep_builder_refuse(b, "no such goal", NULL);
}

static bool fail(ep_builder *b, ep_error *error) {
    ep_error_plain(error, b->maker.code);
    if (error != NULL) {
        memcpy(error->detail, b->detail, sizeof error->detail);
    }
    return false;
}

EP_API bool ep_builder_finish(ep_builder *b, ep_arena *arena, ep_build_goal goal, ep_built *built,
                              ep_error *error) {
    const ep_node *root = NULL;
    if (built != NULL) {
        *built = (ep_built){{NULL, 0}, NULL};
    }
    if (b == NULL) {
        return ep_error_argument(error, EP_NULL_GIVEN);
    }
    bool ok = ep_builder_goes_on(b) && ep_builder_given(b, arena) && ep_builder_given(b, built) &&
              is_goal(b, goal) && make_root(b, &root);
    if (!ok) {
        fail(b, error);
    } else {
        ep_program program = ep_maker_program(&b->maker, root);
        ok = write_text(b, &program, arena, built, error);
    }
    if (!b->finished) {
        free_builder(b);
        b->finished = true;
    }
    return ok && (goal == EP_BUILD_TEXT || judge_text(b, arena, goal, built, error));
}
