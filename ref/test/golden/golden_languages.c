/*
 * golden_languages.c - see golden_languages.h.
 */
#include "golden_languages.h"

#include "base/map.h"
#include "check.h"
#include "language/expression.h"
#include "language/guard.h"
#include "language/metadata.h"
#include "language/target.h"
#include "language/treespec.h"
#include "support.h"
#include "tree/walk.h"

enum { INT = EP_WALK_TELL, FLOAT, BOOL, TREESPEC, METADATA, TARGET, GUARD, DEVICE };

/* What is counted apart. */
typedef enum language {
    L_INT,
    L_FLOAT,
    L_BOOL,
    L_TREESPEC,
    L_MODULES,
    L_SOURCES,
    L_TORCH_FN,
    L_CUSTOM,
    L_FROM_NODE,
    L_TARGET,
    L_GUARD,
    L_DEVICE,
    LANGUAGES
} language;

static const char *const names[LANGUAGES] = {
    "integer expressions",
    "float expressions",
    "boolean expressions",
    "tree specs",
    "nn_module_stack",
    "source_fn(_stack)",
    "torch_fn",
    "custom",
    "from_node",
    "targets",
    "guards",
    "device types",
};

static const language language_of[] = {
    [INT] = L_INT,           [FLOAT] = L_FLOAT,   [BOOL] = L_BOOL,   [TREESPEC] = L_TREESPEC,
    [METADATA] = L_TORCH_FN, [TARGET] = L_TARGET, [GUARD] = L_GUARD, [DEVICE] = L_DEVICE,
};

static const language language_of_key[] = {
    [EP_METADATA_OTHER] = LANGUAGES,           [EP_METADATA_STACK_TRACE] = LANGUAGES,
    [EP_METADATA_NN_MODULES_2_1] = L_MODULES,  [EP_METADATA_NN_MODULE_STACK] = L_MODULES,
    [EP_METADATA_SOURCE_FN] = L_SOURCES,       [EP_METADATA_SOURCE_FN_STACK] = L_SOURCES,
    [EP_METADATA_TORCH_FN_KEY] = L_TORCH_FN,   [EP_METADATA_CUSTOM_KEY] = L_CUSTOM,
    [EP_METADATA_FROM_NODE_KEY] = L_FROM_NODE,
};

typedef struct counts {
    size_t all;
    size_t exact;
    ep_map distinct;
} counts;

static counts counted[LANGUAGES];
static test_heap heap;
static ep_arena kept; /* one copy of each text */
static bool opened;

static void open_counts(void) {
    if (!opened) {
        test_arena(&kept, &heap, 0);
        for (size_t i = 0; i < LANGUAGES; i++) {
            ep_map_init(&counted[i].distinct, &kept);
        }
        opened = true;
    }
}

static void count(language l, ep_bytes text, bool exact) {
    uint32_t number;
    bool fresh;
    counted[l].all++;
    counted[l].exact += exact;
    if (ep_map_find(&counted[l].distinct, text) == EP_MAP_NONE) {
        char *copy = ep_arena_alloc(&kept, text.size);
        if (CHECK(copy != NULL)) {
            memcpy(copy, text.data, text.size);
            CHECK(ep_map_put(&counted[l].distinct, (ep_bytes){copy, text.size}, &number, &fresh));
        }
    }
}

/* ------------------------------------------------------------------ one string */

typedef struct strings {
    const ep_program *program;
    ep_fields fields;
    ep_version_number version;
    ep_arena arena; /* of one string */
} strings;

static bool same(bool ok, ep_bytes printed, const ep_passage *passage) {
    return ok && ep_text_equal(printed, passage->text);
}

static bool expression_is_exact(strings *s, const ep_passage *passage, ep_sort sort) {
    ep_expression_options options = {.sort = sort, .depth = ep_limits_default().depth};
    const ep_expression *expression;
    ep_fault fault = {.code = EP_OK};
    ep_bytes text;
    options.form = s->version < EP_V8_1_a ? EP_EXPRESSION_INFIX : EP_EXPRESSION_SREPR;
    return ep_expression_parse(&s->arena, passage, &options, &expression, &fault) &&
           same(ep_expression_print(expression, &s->arena, &text), text, passage);
}

/* The fields of a named tuple that the program describes. */
static bool find_named_tuple(void *context, ep_bytes name, size_t *fields) {
    strings *s = context;
    ep_value module = ep_value_field(ep_program_root(s->program), "graph_module");
    ep_value all = ep_value_field(module, "treespec_namedtuple_fields");
    for (size_t i = 0; i < ep_value_count(all); i++) {
        ep_bytes key;
        if (ep_value_key(all, i, &s->arena, &key) && ep_text_equal(key, name)) {
            *fields = ep_value_count(ep_value_field(ep_value_item(all, i), "field_names"));
            return true;
        }
    }
    return false;
}

static bool treespec_is_exact(strings *s, const ep_passage *passage) {
    bool described = s->fields.slot[EP_F_GraphModule_treespec_namedtuple_fields] != EP_NO_MEMBER;
    ep_treespec_options options = {.depth = ep_limits_default().depth,
                                   .version = s->version,
                                   .find = described ? find_named_tuple : NULL,
                                   .find_context = s};
    const ep_treespec *spec;
    ep_fault fault = {.code = EP_OK};
    ep_bytes text;
    return ep_treespec_parse(&s->arena, passage, &options, &spec, &fault) &&
           same(ep_treespec_print(spec, &s->arena, &text), text, passage);
}

static bool metadata_is_exact(strings *s, const ep_passage *passage, ep_metadata_key key) {
    ep_metadata_reader reader = {
        .arena = &s->arena, .passage = passage, .key = key, .limits = ep_limits_default()};
    const ep_metadata *metadata;
    ep_fault fault = {.code = EP_OK};
    ep_bytes text;
    return ep_metadata_parse(&reader, &metadata, &fault) &&
           same(ep_metadata_print(metadata, &s->arena, &text), text, passage);
}

static bool guard_is_exact(strings *s, const ep_passage *passage) {
    const ep_guard *guard;
    ep_fault fault = {.code = EP_OK};
    ep_bytes text;
    return ep_guard_parse(&s->arena, passage, ep_limits_default().depth, &guard, &fault) &&
           same(ep_guard_print(guard, &s->arena, &text), text, passage);
}

static void add_part(test_text *text, const char *before, ep_bytes part) {
    test_add_str(text, before);
    test_add(text, part.data, part.size);
}

/* A target has no printer: its parts say what it was. */
static bool target_is_exact(strings *s, const ep_passage *passage) {
    ep_target target;
    ep_fault fault = {.code = EP_OK};
    test_text text = {0};
    if (!ep_target_parse(passage, s->version, &target, &fault)) {
        return false;
    }
    switch (target.kind) {
    case EP_TARGET_OVERLOAD:
        add_part(&text, "torch.ops.", target.ns);
        add_part(&text, ".", target.name);
        add_part(&text, ".", target.overload);
        break;
    case EP_TARGET_EXTENSION:
        add_part(&text, "#", target.ns);
        add_part(&text, ":", target.name);
        break;
    case EP_TARGET_FUNCTION:
        add_part(&text, "", target.ns);
        add_part(&text, ".", target.name);
        break;
    case EP_TARGET_HIGHER_ORDER:
        test_add_str(&text, target.row != NULL ? target.row->text : "torch.ops.higher_order.");
        add_part(&text, "", target.row != NULL ? EP_TEXT("") : target.name);
        break;
    }
    bool exact = ep_text_equal((ep_bytes){text.data, text.size}, passage->text);
    test_text_free(&text);
    return exact;
}

static bool is_exact(strings *s, const ep_passage *passage, uint8_t ask, ep_metadata_key key) {
    switch (ask) {
    case INT:
        return expression_is_exact(s, passage, EP_SORT_INT);
    case FLOAT:
        return expression_is_exact(s, passage, EP_SORT_FLOAT);
    case BOOL:
        return expression_is_exact(s, passage, EP_SORT_BOOL);
    case TREESPEC:
        return treespec_is_exact(s, passage);
    case METADATA:
        return metadata_is_exact(s, passage, key);
    case TARGET:
        return target_is_exact(s, passage);
    case GUARD:
        return guard_is_exact(s, passage);
    default:
        return ep_device_type_valid(passage->text);
    }
}

static void check_string(strings *s, uint8_t ask, ep_metadata_key key, ep_ref ref) {
    ep_arena_mark mark = ep_arena_now(&s->arena);
    ep_passage passage;
    language l = ask == METADATA ? language_of_key[key] : language_of[ask];
    if (CHECK(ep_passage_open(&passage, &s->arena, s->program->input, ref))) {
        bool exact = is_exact(s, &passage, ask, key);
        if (!CHECK(exact)) {
            fprintf(stderr, "    %s: %.*s\n", names[l], (int)passage.text.size, passage.text.data);
        }
        count(l, passage.text, exact);
    }
    ep_arena_rewind(&s->arena, mark);
}

/* ----------------------------------------------------------------- the program */

static void check_metadata(strings *s, uint64_t dict) {
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_bytes key;
        CHECK(ep_ref_text(&s->arena, s->program->input, ep_dict_key(dict, i), &key));
        ep_metadata_key meaning = ep_metadata_key_of(key, s->version);
        if (language_of_key[meaning] != LANGUAGES) {
            check_string(s, METADATA, meaning, ep_dict_value(dict, i));
        }
    }
}

static bool visit(void *context, const ep_node *node, uint8_t member, uint8_t ask) {
    strings *s = context;
    const ep_type *type = s->program->schema->types[node->type];
    uint64_t bits = node->slots[type->kind == EP_KIND_UNION ? 0 : member];
    bool expression = ask == INT || ask == FLOAT || ask == BOOL;
    if (ask == METADATA) {
        check_metadata(s, bits);
    } else if (ask == GUARD) {
        for (size_t i = 0; i < ep_list_count(bits); i++) {
            check_string(s, ask, EP_METADATA_OTHER, ep_list_at(bits)->items[i]);
        }
    } else if (expression && type->members[member].shape->op == EP_OP_STRUCT) {
        const ep_node *expr = ep_node_at(bits);
        check_string(s, ask, EP_METADATA_OTHER,
                     ep_field_bits(&s->fields, expr, EP_F_SymExpr_expr_str));
    } else {
        check_string(s, ask, EP_METADATA_OTHER, bits);
    }
    return true;
}

typedef struct row {
    ep_field field;
    uint8_t ask;
} row;

void golden_languages_add(const ep_program *program) {
#define SPEAKS(type, member, language) {EP_F_##type##_##member, language},
    static const row rows[] = {
#include "language/languages.def"
    };
#undef SPEAKS
    test_heap own = {0};
    strings s = {.program = program, .version = ep_version_number_of(program->schema->version)};
    ep_walk walk;
    bool out_of_memory;
    open_counts();
    test_arena(&s.arena, &own, 0);
    ep_fields_open(&s.fields, program->schema);
    ep_walk_init(&walk, &s.arena, program->schema);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ep_walk_ask(&walk, &s.fields, rows[i].field, rows[i].ask);
    }
    CHECK(ep_walk_run(&walk, program->root, visit, &s, &out_of_memory));
    ep_arena_free(&s.arena);
    CHECK_EQ_INT(own.bytes, 0);
}

void golden_languages_report(bool all) {
    open_counts();
    printf("\n%-20s %10s %10s %10s\n", "language", "strings", "distinct", "printed");
    for (size_t i = 0; i < LANGUAGES; i++) {
        printf("%-20s %10zu %10zu %10zu\n", names[i], counted[i].all, counted[i].distinct.count,
               counted[i].exact);
        CHECK_NOTE(!all || counted[i].all > 0, names[i]);
        ep_map_free(&counted[i].distinct);
    }
    ep_arena_free(&kept);
    CHECK_EQ_INT(heap.bytes, 0);
    opened = false;
}

void golden_languages_checks(size_t *count, size_t *failures) {
    *count = check_count;
    *failures = check_failures;
    check_count = check_failures = 0;
}
