/*
 * language/languages.c - see languages.h.
 */
#include "language/languages.h"

#include "language/expression.h"
#include "language/guard.h"
#include "language/target.h"
#include "language/treespec.h"
#include "tree/walk.h"

/* The language of a member, as a request to the walk. */
enum { INT = EP_WALK_TELL, FLOAT, BOOL, TREESPEC, METADATA, TARGET, GUARD, DEVICE, TENSORS };

typedef struct language_row {
    uint8_t field;
    uint8_t language;
} language_row;

#define SPEAKS(type, member, language) {EP_F_##type##_##member, language},
static const language_row rows[] = {
#include "language/languages.def"
};
#undef SPEAKS

/* -------------------------------------------------------------- one string */

/* Metadata that only says where a node comes from. */
static bool may_pass(ep_code code) {
    return code == EP_METADATA_MODULES || code == EP_METADATA_SOURCE ||
           code == EP_METADATA_TORCH_FN || code == EP_METADATA_FROM_NODE;
}

/* Keeps the first fault of the file; false only for want of memory. */
static bool keep_fault(ep_strings *s, const ep_fault *fault) {
    if (s->pass != NULL && may_pass(fault->code)) {
        s->pass(s->pass_context, fault->code, fault->offset);
        return true;
    }
    if (fault->code == EP_MEMORY) {
        s->fault = *fault;
        return false;
    }
    if (s->fault.code == EP_OK || fault->offset < s->fault.offset) {
        s->fault = *fault;
    }
    return true;
}

static bool no_memory(ep_strings *s) {
    return ep_fault_set(&s->fault, EP_MEMORY, 0);
}

/* The form of expressions that the releases of a version write; either one where that
 * is not known. SPEC 4.1.1 */
typedef struct form_row {
    uint8_t since;
    uint8_t until;
    uint8_t form;
} form_row;

static const form_row form_rows[] = {
    {EP_V8_1_a, EP_FUTURE, EP_EXPRESSION_SREPR},
    {EP_V1_2023_08, EP_V8_2, EP_EXPRESSION_INFIX},
};

/* When both readings fail, the fault is that of the infix form. SPEC 4.1 */
static bool parse_expression(ep_strings *s, const ep_passage *passage, ep_sort sort,
                             const void **result, ep_fault *fault) {
    ep_expression_options options = {.sort = sort, .depth = s->limits.depth};
    const ep_expression *expression = NULL;
    bool ok = false;
    for (size_t i = 0; i < EP_COUNT_OF(form_rows) && !ok && fault->code != EP_MEMORY; i++) {
        const form_row *row = &form_rows[i];
        if (s->version < row->since || row->until <= s->version) {
            continue;
        }
        options.form = (ep_expression_form)row->form;
        ok = ep_expression_parse(s->arena, passage, &options, &expression, fault);
    }
    *result = expression;
    return ok;
}

/* treespec_namedtuple_fields has the class. */
static bool find_named_tuple(void *context, ep_bytes name, size_t *fields) {
    const ep_strings *s = context;
    uint32_t number = ep_map_find(&s->named_tuples, name);
    if (number == EP_MAP_NONE) {
        return false;
    }
    uint64_t names =
        ep_field_bits(s->fields, s->descriptions[number], EP_F_NamedTupleDef_field_names);
    *fields = ep_list_count(names);
    return true;
}

static bool parse_treespec(ep_strings *s, const ep_passage *passage, const void **result,
                           ep_fault *fault) {
    bool described = s->fields->slot[EP_F_GraphModule_treespec_namedtuple_fields] != EP_NO_MEMBER;
    ep_treespec_options options = {.depth = s->limits.depth,
                                   .version = s->version,
                                   .find = described ? find_named_tuple : NULL,
                                   .find_context = s};
    const ep_treespec *spec = NULL;
    bool ok = ep_treespec_parse(s->arena, passage, &options, &spec, fault);
    *result = spec;
    return ok;
}

static bool parse_target(ep_strings *s, const ep_passage *passage, const void **result,
                         ep_fault *fault) {
    ep_target *target = ep_arena_alloc(s->arena, sizeof *target);
    *result = target;
    if (target == NULL) {
        return ep_fault_set(fault, EP_MEMORY, 0);
    }
    return ep_target_parse(passage, s->version, target, fault);
}

static bool parse_metadata(ep_strings *s, const ep_passage *passage, ep_language language,
                           ep_fault *fault) {
    ep_metadata_reader reader = {.arena = s->arena,
                                 .passage = passage,
                                 .key = (ep_metadata_key)(language - EP_LANGUAGE_METADATA),
                                 .limits = s->limits};
    return ep_metadata_parse(&reader, NULL, fault);
}

/* SPEC 4.6.1 */
static bool parse_device(const ep_passage *passage, ep_fault *fault) {
    return ep_device_type_valid(passage->text) ||
           ep_passage_fail(passage, fault, EP_DEVICE, passage->text.data, NULL);
}

static bool parse_guard(ep_strings *s, const ep_passage *passage, const void **result,
                        ep_fault *fault) {
    const ep_guard *guard = NULL;
    bool ok = ep_guard_parse(s->arena, passage, s->limits.depth, &guard, fault);
    *result = guard;
    return ok;
}

static bool parse(ep_strings *s, const ep_passage *passage, ep_language language,
                  const void **result, ep_fault *fault) {
    *result = NULL;
    switch (language) { /* the keys of metadata have numbers of their own */
    case EP_LANGUAGE_EXPRESSION_INT:
        return parse_expression(s, passage, EP_SORT_INT, result, fault);
    case EP_LANGUAGE_EXPRESSION_FLOAT:
        return parse_expression(s, passage, EP_SORT_FLOAT, result, fault);
    case EP_LANGUAGE_EXPRESSION_BOOL:
        return parse_expression(s, passage, EP_SORT_BOOL, result, fault);
    case EP_LANGUAGE_TREESPEC:
        return parse_treespec(s, passage, result, fault);
    case EP_LANGUAGE_TARGET:
        return parse_target(s, passage, result, fault);
    case EP_LANGUAGE_GUARD:
        return parse_guard(s, passage, result, fault);
    case EP_LANGUAGE_DEVICE:
        return parse_device(passage, fault);
    case EP_LANGUAGE_METADATA:
        EP_UNREACHABLE(); /* nobody judges a string by it */
        break;
    }
    return parse_metadata(s, passage, language, fault);
}

/* Parses a string in its language. A valid text is parsed only once, while the memo has
 * it. An invalid one is parsed at each place, because a place earlier in the file can be
 * visited later. */
static EP_NOINLINE bool judge_new(ep_strings *s, ep_language language, ep_ref ref) {
    const void *result;
    ep_passage passage;
    ep_fault fault = {.code = EP_OK};
    if (!ep_passage_open(&passage, s->arena, s->program->input, ref)) {
        return no_memory(s);
    }
    if (!parse(s, &passage, language, &result, &fault)) {
        return keep_fault(s, &fault);
    }
    return ep_memo_put(s->memo, language, passage.raw, result) || no_memory(s);
}

EP_INLINE bool judge_string(ep_strings *s, ep_language language, ep_ref ref) {
    ep_bytes raw = ep_ref_raw(s->program->input.data, ref);
    return ep_memo_met(s->memo, language, raw) != NULL || judge_new(s, language, ref);
}

/* Looked at letter by letter, which is faster than the memo. */
static bool judge_device(ep_strings *s, ep_ref ref) {
    return ep_device_type_valid(ep_ref_raw(s->program->input.data, ref)) ||
           judge_string(s, EP_LANGUAGE_DEVICE, ref);
}

/* ------------------------------------------------------------ what a member holds */

/* The expression of a SymInt, SymFloat or SymBool: in a SymExpr, or bare. In the
 * version that has expressions as trees, the text beside a tree is ignored. */
static bool judge_expression(ep_strings *s, const ep_shape *shape, uint64_t bits,
                             ep_language language) {
    if (shape->op != EP_OP_STRUCT) {
        return judge_string(s, language, bits);
    }
    const ep_node *expr = ep_node_at(bits);
    return ep_field_present(s->fields, expr, EP_F_SymExpr_expr_ast) ||
           judge_string(s, language, ep_field_bits(s->fields, expr, EP_F_SymExpr_expr_str));
}

/* What a key means; the nodes of a program have the same ones in the same order. */
static ep_metadata_key meaning_of(ep_strings *s, ep_bytes key, size_t place) {
    place %= EP_COUNT_OF(s->keys);
    if (!ep_name_equal(s->keys[place].text, key)) {
        s->keys[place].text = key;
        s->keys[place].meaning = ep_metadata_key_of(key, s->version);
    }
    return s->keys[place].meaning;
}

_Static_assert((int)EP_METADATA_FROM_NODE_KEY < (int)EP_MEMO_METADATA,
               "the memo has a place for each key");

static bool judge_metadata(ep_strings *s, uint64_t dict) {
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_bytes key;
        if (!ep_ref_text(s->arena, s->program->input, ep_dict_key(dict, i), &key)) {
            return no_memory(s);
        }
        ep_metadata_key meaning = meaning_of(s, key, i);
        if (meaning != EP_METADATA_OTHER && meaning != EP_METADATA_STACK_TRACE) {
            TRY(judge_string(s, (ep_language)(EP_LANGUAGE_METADATA + (int)meaning),
                             ep_dict_value(dict, i)));
        }
    }
    return true;
}

/* An integer of a tensor, most of which are no expressions. */
EP_INLINE bool judge_sym_int(ep_strings *s, const ep_node *sym) {
    return ep_tag(s->fields, sym) != EP_F_SymInt_as_expr ||
           judge_expression(s, s->fields->schema->types[sym->type]->members[sym->tag].shape,
                            sym->slots[0], EP_LANGUAGE_EXPRESSION_INT);
}

static bool judge_sym_ints(ep_strings *s, uint64_t list) {
    for (size_t i = 0; i < ep_list_count(list); i++) {
        TRY(judge_sym_int(s, ep_item_node(list, i)));
    }
    return true;
}

/* The table of tensors, which is most of what a walk would enter. The offset is a bare
 * integer before 4.2. */
static bool judge_tensors(ep_strings *s, uint64_t dict) {
    const ep_fields *fields = s->fields;
    bool wrapped = fields->slot[EP_F_TensorValue_meta] != EP_NO_MEMBER;
    const ep_type *type = fields->schema->types[EP_SHAPE_TensorMeta - EP_SHAPE_FIRST_TYPE];
    uint8_t offset = fields->slot[EP_F_TensorMeta_storage_offset];
    bool symbolic = type->members[offset].shape->op == EP_OP_UNION;
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        const ep_node *meta = ep_node_at(ep_dict_value(dict, i));
        meta = wrapped ? ep_field_node(fields, meta, EP_F_TensorValue_meta) : meta;
        const ep_node *device = ep_field_node(fields, meta, EP_F_TensorMeta_device);
        TRY(judge_sym_ints(s, ep_field_bits(fields, meta, EP_F_TensorMeta_sizes)) &&
            judge_sym_ints(s, ep_field_bits(fields, meta, EP_F_TensorMeta_strides)) &&
            (!symbolic || judge_sym_int(s, ep_node_at(meta->slots[offset]))) &&
            judge_device(s, ep_field_bits(fields, device, EP_F_Device_type)));
    }
    return true;
}

static bool judge_strings(ep_strings *s, uint64_t list, ep_language language) {
    for (size_t i = 0; i < ep_list_count(list); i++) {
        TRY(judge_string(s, language, ep_list_at(list)->items[i]));
    }
    return true;
}

static bool visit(void *context, ep_node *node, uint8_t member, uint8_t ask) {
    ep_strings *s = context;
    const ep_type *type = s->fields->schema->types[node->type];
    const ep_shape *shape = type->members[member].shape;
    uint64_t bits = node->slots[type->kind == EP_KIND_UNION ? 0 : member];
    switch (ask) {
    case INT:
        return judge_expression(s, shape, bits, EP_LANGUAGE_EXPRESSION_INT);
    case FLOAT:
        return judge_expression(s, shape, bits, EP_LANGUAGE_EXPRESSION_FLOAT);
    case BOOL:
        return judge_expression(s, shape, bits, EP_LANGUAGE_EXPRESSION_BOOL);
    case TREESPEC:
        return judge_string(s, EP_LANGUAGE_TREESPEC, bits);
    case METADATA:
        return judge_metadata(s, bits);
    case TARGET:
        return judge_string(s, EP_LANGUAGE_TARGET, bits);
    case TENSORS:
        return judge_tensors(s, bits);
    case GUARD:
        return judge_strings(s, bits, EP_LANGUAGE_GUARD);
    default:
        return judge_device(s, bits);
    }
}

/* ---------------------------------------------------------------- the program */

/* The named tuples that the program describes. */
static bool read_named_tuples(ep_strings *s) {
    const ep_node *module =
        ep_field_node(s->fields, s->program->root, EP_F_ExportedProgram_graph_module);
    uint64_t dict = ep_field_bits(s->fields, module, EP_F_GraphModule_treespec_namedtuple_fields);
    size_t count = ep_list_count(dict);
    s->descriptions = ep_arena_array(s->arena, 0, count, sizeof *s->descriptions);
    TRY(s->descriptions != NULL);
    for (size_t i = 0; i < count; i++) {
        ep_bytes name;
        uint32_t number;
        bool fresh;
        TRY(ep_ref_text(s->arena, s->program->input, ep_dict_key(dict, i), &name) &&
            ep_map_put(&s->named_tuples, name, &number, &fresh));
        s->descriptions[number] = ep_node_at(ep_dict_value(dict, i));
    }
    return true;
}

bool ep_strings_judge(ep_strings *s) {
    ep_walk walk;
    bool out_of_memory = false;
    ep_map_init(&s->named_tuples, s->arena);
    ep_walk_init(&walk, s->arena, s->fields->schema);
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        ep_walk_ask(&walk, s->fields, (ep_field)rows[i].field, rows[i].language);
    }
    bool ok = read_named_tuples(s);
    out_of_memory = !ok;
    ok = ok && ep_walk_run(&walk, s->program->root, visit, s, &out_of_memory);
    if (out_of_memory) {
        no_memory(s);
    }
    ep_map_free(&s->named_tuples);
    return ok && s->fault.code == EP_OK;
}
