/*
 * tree/leaves.c - see leaves.h. The table has a row for each tag that names anything.
 */
#include "tree/leaves.h"

/* How the content of a tag names values. */
typedef enum leaf_form {
    FORM_NOTHING,
    FORM_STRUCT,   /* a struct with a name */
    FORM_UNION,    /* a union that may have the tag as_name, or as_tensor */
    FORM_ARGUMENTS /* a dict of Arguments */
} leaf_form;

typedef struct leaf_row {
    uint8_t lists; /* that it stands in */
    uint8_t holds; /* ep_holds */
    uint8_t form;  /* leaf_form */
    uint8_t name;  /* the field, or tag, that holds the name */
} leaf_row;

/* In the order of the tags of Argument; rows of zeros are of those that name nothing. */
#define ROW(tag, form, lists, holds, name)                                                         \
    [EP_F_Argument_##tag -                                                                         \
        EP_F_Argument_as_none] = {lists, EP_HOLDS_##holds, FORM_##form, EP_F_##name}
static const leaf_row leaf_rows[] = {
    ROW(as_tensor, STRUCT, 0, TENSOR, TensorArgument_name),
    ROW(as_tensors, STRUCT, 1, TENSOR, TensorArgument_name),
    ROW(as_nested_tensors, STRUCT, 2, TENSOR, TensorArgument_name),
    ROW(as_sym_int, UNION, 0, SYM_INT, SymIntArgument_as_name),
    ROW(as_sym_ints, UNION, 1, SYM_INT, SymIntArgument_as_name),
    ROW(as_sym_bool, UNION, 0, SYM_BOOL, SymBoolArgument_as_name),
    ROW(as_sym_bools, UNION, 1, SYM_BOOL, SymBoolArgument_as_name),
    ROW(as_sym_float, UNION, 0, SYM_FLOAT, SymFloatArgument_as_name),
    ROW(as_sym_floats, UNION, 1, SYM_FLOAT, SymFloatArgument_as_name),
    ROW(as_optional_tensor, UNION, 0, TENSOR, OptionalTensorArgument_as_tensor),
    ROW(as_optional_tensors, UNION, 1, TENSOR, OptionalTensorArgument_as_tensor),
    ROW(as_custom_obj, STRUCT, 0, CUSTOM_OBJ, CustomObjArgument_name),
    ROW(as_graph, STRUCT, 0, GRAPH, GraphArgument_name),
    ROW(as_string_to_argument, ARGUMENTS, 0, NOTHING, none),
};
#undef ROW

/* NULL for a tag that names nothing. */
static const leaf_row *leaf_row_of(ep_field tag) {
    size_t at = (size_t)tag - EP_F_Argument_as_none;
    bool names = at < EP_COUNT_OF(leaf_rows) && leaf_rows[at].form != FORM_NOTHING;
    return names ? &leaf_rows[at] : NULL;
}

typedef struct leaf_walk {
    const ep_fields *fields;
    ep_leaf_visitor *visit;
    void *context;
    ep_stack waiting; /* Arguments of dicts that are still to be visited */
} leaf_walk;

/* The slot of a field that a node has; NULL if the version has none. */
static uint64_t *slot_of(const leaf_walk *walk, ep_node *node, ep_field field) {
    uint8_t slot = walk->fields->slot[field];
    return slot == EP_NO_MEMBER ? NULL : &node->slots[slot];
}

/* A union that names a value: by a string, or by a TensorArgument in the
 * versions that have OptionalTensorArgument so. */
static uint64_t *slot_in_union(const leaf_walk *walk, ep_node *node) {
    const ep_type *type = walk->fields->schema->types[node->type];
    if (type->members[node->tag].shape->op != EP_OP_STRUCT) {
        return &node->slots[0];
    }
    return slot_of(walk, ep_node_mutable(node->slots[0]), EP_F_TensorArgument_name);
}

static bool tell(const leaf_walk *walk, const leaf_row *row, ep_node *node) {
    ep_leaf leaf = {.holds = (ep_holds)row->holds, .listed = row->lists > 0, .node = node};
    if (row->form == FORM_UNION) {
        bool named = ep_tag(walk->fields, node) == (ep_field)row->name;
        leaf.name = named ? slot_in_union(walk, node) : NULL;
    } else {
        leaf.name = slot_of(walk, node, (ep_field)row->name); /* an object of version 1 has none */
    }
    return walk->visit(walk->context, &leaf);
}

static bool tell_list(const leaf_walk *walk, const leaf_row *row, uint64_t list, unsigned lists) {
    for (size_t i = 0; i < ep_list_count(list); i++) {
        uint64_t item = ep_list_at(list)->items[i];
        if (lists == 1) {
            TRY(tell(walk, row, ep_node_mutable(item)));
            continue;
        }
        for (size_t j = 0; j < ep_list_count(item); j++) {
            TRY(tell(walk, row, ep_node_mutable(ep_list_at(item)->items[j])));
        }
    }
    return true;
}

/* Of a tag that names something. Arguments of a dict wait. */
static bool tell_argument(leaf_walk *walk, const leaf_row *row, const ep_node *argument) {
    uint64_t value = argument->slots[0];
    if (row->form == FORM_ARGUMENTS) {
        for (size_t i = ep_list_count(value); i-- > 0;) { /* the first is taken first */
            TRY(ep_stack_push(&walk->waiting, ep_dict_value(value, i)));
        }
        return true;
    }
    return row->lists > 0 ? tell_list(walk, row, value, row->lists)
                          : tell(walk, row, ep_node_mutable(value));
}

static bool tell_waiting(leaf_walk *walk) {
    while (walk->waiting.count > 0) {
        const ep_node *argument = ep_node_at(walk->waiting.words[--walk->waiting.count]);
        const leaf_row *row = leaf_row_of(ep_tag(walk->fields, argument));
        TRY(row == NULL || tell_argument(walk, row, argument));
    }
    return true;
}

static EP_NOINLINE bool tell_all(ep_arena *arena, const ep_fields *fields, const ep_node *argument,
                                 ep_leaf_visitor *visit, void *context) {
    const leaf_row *row = leaf_row_of(ep_tag(fields, argument));
    leaf_walk walk = {.fields = fields, .visit = visit, .context = context};
    ep_stack_init(&walk.waiting, arena);
    bool ok = tell_argument(&walk, row, argument) && tell_waiting(&walk);
    if (EP_UNLIKELY(walk.waiting.words != NULL)) {
        ep_stack_free(&walk.waiting);
    }
    return ok;
}

bool ep_leaves(ep_arena *arena, const ep_fields *fields, const ep_node *argument,
               ep_leaf_visitor *visit, void *context) {
    return leaf_row_of(ep_tag(fields, argument)) == NULL ||
           tell_all(arena, fields, argument, visit, context);
}
