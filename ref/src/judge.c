/*
 * judge.c - layer 5: see judge.h.
 */
#include "judge.h"

/* ------------------------------------------------------------------- faults */

/* SPEC 1.5.1: clauses rise with the codes of the level. */
static bool comes_first(const ep_fault *fault, const ep_fault *kept) {
    if (kept->code == EP_OK || fault->code != kept->code) {
        return kept->code == EP_OK || fault->code < kept->code;
    }
    return fault->offset < kept->offset;
}

void ep_judge_fault(ep_judge *judge, const ep_fault *fault) {
    if (fault->code == EP_MEMORY) {
        judge->out_of_memory = true;
    } else if (comes_first(fault, &judge->fault)) {
        judge->fault = *fault;
    }
}

static void fault_at(ep_judge *judge, ep_fault fault, ep_bytes name) {
    fault.name = name;
    ep_judge_fault(judge, &fault);
}

void ep_judge_node(ep_judge *judge, ep_code code, const ep_node *node, const char *expected) {
    ep_fault fault = {.code = code, .offset = node->offset, .expected = expected};
    fault_at(judge, fault, EP_TEXT(""));
}

/* The quote before the text. */
static size_t quote_of(ep_ref ref) {
    return ep_ref_offset(ref) - 1;
}

void ep_judge_string(ep_judge *judge, ep_code code, ep_ref at, const char *expected) {
    ep_fault fault = {.code = code, .offset = quote_of(at), .expected = expected};
    fault_at(judge, fault, ep_ref_raw(judge->input.data, at));
}

void ep_judge_key(ep_judge *judge, ep_code code, ep_ref key, const char *expected) {
    ep_fault fault = {
        .code = code, .offset = quote_of(key), .place = EP_PLACE_KEY, .expected = expected};
    fault_at(judge, fault, ep_ref_raw(judge->input.data, key));
}

void ep_judge_note(ep_judge *judge, ep_code code, ep_ref at) {
    ep_fault fault = {
        .code = code, .offset = quote_of(at), .name = ep_ref_raw(judge->input.data, at)};
    ep_tell(&judge->notes, judge->input, &fault);
}

/* -------------------------------------------------------------------- names */

const ep_definition *ep_judge_find(ep_judge *judge, const ep_scope *scope, ep_ref name) {
    ep_bytes text;
    ep_arena_mark mark = ep_arena_now(judge->arena);
    if (!ep_ref_text(judge->arena, judge->input, name, &text)) {
        judge->out_of_memory = true;
        return NULL;
    }
    uint32_t number = ep_map_find(&scope->names, text);
    ep_arena_rewind(judge->arena, mark);
    return number == EP_MAP_NONE ? NULL : &ep_scope_definitions(scope)[number];
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool ep_is_identifier(ep_bytes text) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (!is_letter(c) && (i == 0 || !ep_is_digit(c))) {
            return false;
        }
    }
    return text.size > 0;
}

void ep_distinct_init(ep_distinct *distinct, ep_judge *judge) {
    distinct->judge = judge;
    ep_map_init(&distinct->texts, judge->arena);
}

void ep_distinct_free(ep_distinct *distinct) {
    ep_map_free(&distinct->texts);
}

bool ep_distinct_add(ep_distinct *distinct, ep_ref ref) {
    ep_judge *judge = distinct->judge;
    ep_bytes text;
    uint32_t number;
    bool fresh = true;
    if (!ep_ref_text(judge->arena, judge->input, ref, &text) ||
        !ep_map_put(&distinct->texts, text, &number, &fresh)) {
        judge->out_of_memory = true;
        return true;
    }
    return fresh;
}

bool ep_distinct_has(const ep_distinct *distinct, ep_ref ref) {
    ep_judge *judge = distinct->judge;
    ep_arena_mark mark = ep_arena_now(judge->arena);
    ep_bytes text;
    if (!ep_ref_text(judge->arena, judge->input, ref, &text)) {
        judge->out_of_memory = true;
        return true;
    }
    bool has = ep_map_find(&distinct->texts, text) != EP_MAP_NONE;
    ep_arena_rewind(judge->arena, mark);
    return has;
}

/* --------------------------------------------------------------------- uses */

/* How what a tag holds names values. */
typedef enum use_form {
    FORM_NONE,
    FORM_STRUCT,   /* a struct with a name */
    FORM_UNION,    /* a union that may have the tag as_name, or as_tensor */
    FORM_ARGUMENTS /* a dict of Arguments */
} use_form;

typedef struct use_row {
    uint8_t field; /* a tag of Argument */
    uint8_t form;  /* use_form */
    uint8_t lists; /* that it stands in */
    uint8_t holds; /* ep_holds */
    uint8_t name;  /* the field, or tag, that holds the name */
} use_row;

static const use_row use_rows[] = {
    {EP_F_Argument_as_tensor, FORM_STRUCT, 0, EP_HOLDS_TENSOR, EP_F_TensorArgument_name},
    {EP_F_Argument_as_tensors, FORM_STRUCT, 1, EP_HOLDS_TENSOR, EP_F_TensorArgument_name},
    {EP_F_Argument_as_nested_tensors, FORM_STRUCT, 2, EP_HOLDS_TENSOR, EP_F_TensorArgument_name},
    {EP_F_Argument_as_sym_int, FORM_UNION, 0, EP_HOLDS_SYM_INT, EP_F_SymIntArgument_as_name},
    {EP_F_Argument_as_sym_ints, FORM_UNION, 1, EP_HOLDS_SYM_INT, EP_F_SymIntArgument_as_name},
    {EP_F_Argument_as_sym_bool, FORM_UNION, 0, EP_HOLDS_SYM_BOOL, EP_F_SymBoolArgument_as_name},
    {EP_F_Argument_as_sym_bools, FORM_UNION, 1, EP_HOLDS_SYM_BOOL, EP_F_SymBoolArgument_as_name},
    {EP_F_Argument_as_sym_float, FORM_UNION, 0, EP_HOLDS_SYM_FLOAT, EP_F_SymFloatArgument_as_name},
    {EP_F_Argument_as_sym_floats, FORM_UNION, 1, EP_HOLDS_SYM_FLOAT, EP_F_SymFloatArgument_as_name},
    {EP_F_Argument_as_optional_tensor, FORM_UNION, 0, EP_HOLDS_TENSOR,
     EP_F_OptionalTensorArgument_as_tensor},
    {EP_F_Argument_as_optional_tensors, FORM_UNION, 1, EP_HOLDS_TENSOR,
     EP_F_OptionalTensorArgument_as_tensor},
    {EP_F_Argument_as_custom_obj, FORM_STRUCT, 0, EP_HOLDS_CUSTOM_OBJ, EP_F_CustomObjArgument_name},
    {EP_F_Argument_as_graph, FORM_STRUCT, 0, EP_HOLDS_GRAPH, EP_F_GraphArgument_name},
    {EP_F_Argument_as_string_to_argument, FORM_ARGUMENTS, 0, EP_HOLDS_NOTHING, EP_F_none},
};

static const use_row *use_row_of(ep_field tag) {
    for (size_t i = 0; i < EP_COUNT_OF(use_rows); i++) {
        if (use_rows[i].field == tag) {
            return &use_rows[i];
        }
    }
    return NULL;
}

typedef struct use_walk {
    ep_judge *judge;
    ep_use_visitor *visit;
    void *context;
    ep_stack waiting; /* Arguments of dicts, still to be gone through */
} use_walk;

/* A struct with a name, or a union with a tag that holds one: as a string, or
 * as a TensorArgument in the versions that have OptionalTensorArgument so. */
static void visit_one(use_walk *walk, const use_row *row, const ep_node *node) {
    const ep_fields *fields = &walk->judge->fields;
    ep_use use = {.holds = (ep_holds)row->holds, .node = node};
    if (row->form == FORM_UNION) {
        if (ep_tag(fields, node) != (ep_field)row->name) {
            return;
        }
        const ep_member *member = &fields->schema->types[node->type]->members[node->tag];
        if (member->shape->op == EP_OP_STRUCT) {
            node = ep_tag_node(node);
            use.name = ep_field_bits(fields, node, EP_F_TensorArgument_name);
        } else {
            use.name = node->slots[0];
        }
    } else if (fields->slot[row->name] == EP_NO_MEMBER) {
        return; /* an object of version 1, which has no name but is there itself */
    } else {
        use.name = ep_field_bits(fields, node, (ep_field)row->name);
    }
    walk->visit(walk->judge, walk->context, &use);
}

static void visit_list(use_walk *walk, const use_row *row, uint64_t list, unsigned lists) {
    for (size_t i = 0; i < ep_list_count(list); i++) {
        if (lists == 1) {
            visit_one(walk, row, ep_item_node(list, i));
            continue;
        }
        uint64_t inner = ep_list_at(list)->items[i];
        for (size_t j = 0; j < ep_list_count(inner); j++) {
            visit_one(walk, row, ep_item_node(inner, j));
        }
    }
}

static void visit_argument(use_walk *walk, const ep_node *argument) {
    const use_row *row = use_row_of(ep_tag(&walk->judge->fields, argument));
    if (row == NULL) {
        return;
    }
    uint64_t value = argument->slots[0];
    if (row->form == FORM_ARGUMENTS) {
        for (size_t i = ep_list_count(value); i-- > 0;) { /* the first is taken first */
            if (!ep_stack_push(&walk->waiting, ep_dict_value(value, i))) {
                walk->judge->out_of_memory = true;
                return;
            }
        }
    } else if (row->lists > 0) {
        visit_list(walk, row, value, row->lists);
    } else {
        visit_one(walk, row, ep_node_at(value));
    }
}

void ep_judge_uses(ep_judge *judge, const ep_node *argument, ep_use_visitor *visit, void *context) {
    use_walk walk = {.judge = judge, .visit = visit, .context = context};
    ep_stack_init(&walk.waiting, judge->arena);
    visit_argument(&walk, argument);
    while (walk.waiting.count > 0 && !judge->out_of_memory) {
        visit_argument(&walk, ep_node_at(walk.waiting.words[--walk.waiting.count]));
    }
    ep_stack_free(&walk.waiting);
}
