/*
 * builder/builder.c - the beginning and the end of building, and the parts that all of
 * it uses: sticky failures, texts, lists.
 */
#include "builder/builder.h"

/* ------------------------------------------------------------------ failures */

static void append(char *detail, const char *text) {
    size_t at = ep_text_of(detail).size;
    for (; *text != '\0' && at < EP_DETAIL_SIZE - 1; at++, text++) {
        detail[at] = *text >= ' ' && *text < 0x7F ? *text : '?';
    }
    detail[at] = '\0';
}

bool ep_builder_refuse(ep_builder *b, const char *what, const char *about) {
    TRY(b != NULL);
    bool silent = b->maker.code == EP_ARGUMENT && b->detail[0] == '\0';
    if (b->maker.code == EP_OK || silent) {
        append(b->detail, what);
        append(b->detail, about == NULL ? "" : ": ");
        append(b->detail, about == NULL ? "" : about);
    }
    return ep_maker_fail(&b->maker, EP_ARGUMENT);
}

bool ep_builder_goes_on(ep_builder *b) {
    TRY(b != NULL);
    if (b->finished) {
        return ep_builder_refuse(b, "the program is finished", NULL);
    }
    return b->maker.code == EP_OK;
}

bool ep_builder_given(ep_builder *b, const void *handle) {
    if (handle == NULL) {
        return ep_builder_refuse(b, "a NULL where none may be", NULL);
    }
    return true;
}

bool ep_builder_needs(ep_builder *b, ep_field field, const char *what) {
    if (!ep_maker_has(&b->maker, field)) {
        return ep_builder_refuse(b, "the schema version cannot say this", what);
    }
    return true;
}

/* ------------------------------------------------------------ memory and texts */

void *ep_builder_alloc(ep_builder *b, size_t size) {
    void *memory = ep_arena_alloc(b->arena, size);
    if (memory == NULL) {
        ep_maker_fail(&b->maker, EP_MEMORY);
    }
    return memory;
}

bool ep_builder_push(ep_builder *b, ep_stack *stack, uint64_t word) {
    if (!ep_stack_push(stack, word)) {
        return ep_maker_fail(&b->maker, EP_MEMORY);
    }
    return true;
}

void ep_growing_dict_init(ep_growing_dict *dict, ep_arena *arena) {
    ep_stack_init(&dict->keys, arena);
    ep_stack_init(&dict->values, arena);
}

void ep_growing_dict_free(ep_growing_dict *dict) {
    ep_stack_free(&dict->keys);
    ep_stack_free(&dict->values);
}

bool ep_builder_add(ep_builder *b, ep_growing_dict *dict, uint64_t key, uint64_t value) {
    return ep_builder_push(b, &dict->keys, key) && ep_builder_push(b, &dict->values, value);
}

bool ep_builder_given_array(ep_builder *b, const void *items, size_t count) {
    return count == 0 || ep_builder_given(b, items);
}

bool ep_builder_string(ep_builder *b, const char *text, uint64_t *bits) {
    TRY(ep_builder_given(b, text));
    if (!ep_maker_text(&b->maker, ep_text_of(text), bits)) {
        return ep_builder_refuse(b, "not UTF-8", text);
    }
    return true;
}

bool ep_builder_join(ep_builder *b, const ep_bytes *parts, size_t count, ep_bytes *text) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        /* LCOV_EXCL_START only where addresses are short are texts in memory that large */
        if (!ep_size_of(size, 1, parts[i].size, &size)) {
            return ep_maker_fail(&b->maker, EP_MEMORY);
        }
        /* LCOV_EXCL_STOP */
    }
    char *data = ep_builder_alloc(b, size);
    TRY(data != NULL);
    *text = (ep_bytes){data, size};
    for (size_t i = 0; i < count; i++) {
        if (parts[i].size > 0) {
            memcpy(data, parts[i].data, parts[i].size);
        }
        data += parts[i].size;
    }
    return true;
}

/* ------------------------------------------------------------- parts of a tree */

bool ep_builder_set_string(ep_builder *b, ep_node *node, ep_field field, const char *text) {
    uint64_t bits;
    TRY(ep_builder_string(b, text, &bits));
    ep_maker_set(&b->maker, node, field, bits);
    return true;
}

bool ep_builder_list(ep_builder *b, const ep_stack *items, uint64_t *bits) {
    return ep_maker_list(&b->maker, items->words, items->count, bits);
}

bool ep_builder_dict(ep_builder *b, const ep_growing_dict *dict, uint64_t *bits) {
    return ep_maker_dict(&b->maker, &dict->keys, &dict->values, bits);
}

bool ep_builder_union(ep_builder *b, ep_shape_number type, ep_field tag, uint64_t value,
                      uint64_t *bits) {
    const ep_node *node = ep_maker_union(&b->maker, type, tag, value);
    *bits = ep_pointer_bits(node);
    return node != NULL;
}

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
        ep_error_plain(error, EP_ARGUMENT);
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

EP_API bool ep_builder_has(const ep_builder *b, const char *type, const char *member) {
    TRY(b != NULL && type != NULL);
    const ep_schema *schema = b->maker.fields.schema;
    for (size_t i = 0; i < EP_TYPE_COUNT; i++) {
        const ep_type *known = schema->types[i];
        if (known != NULL && ep_text_equal(ep_text_of(known->name), ep_text_of(type))) {
            return member == NULL ||
                   ep_type_find(known, member, ep_text_of(member).size) != EP_NO_MEMBER;
        }
    }
    return false;
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

static bool fail(ep_builder *b, ep_error *error) {
    ep_error_plain(error, b->maker.code);
    if (error != NULL) {
        append(error->detail, b->detail);
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
        return ep_error_plain(error, EP_ARGUMENT);
    }
    bool ok = ep_builder_goes_on(b) && ep_builder_given(b, arena) && ep_builder_given(b, built) &&
              ep_builder_root(b, &root);
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
