/*
 * builder/argument.c - the arguments of nodes: one function for each tag of Argument;
 * and the values that they name.
 */
#include "builder/builder.h"

const ep_built_arg *ep_builder_argument(ep_builder *b, ep_field tag, uint64_t bits) {
    const ep_node *node = NULL;
    if (ep_builder_needs(b, tag, "an argument of this kind")) {
        node = ep_maker_union(&b->maker, EP_SHAPE_Argument, tag, bits);
    }
    return (const ep_built_arg *)(const void *)node;
}

/* ------------------------------------------------------------------- scalars */

EP_API const ep_built_arg *ep_arg_none(ep_builder *b) {
    return ep_builder_goes_on(b) ? ep_builder_argument(b, EP_F_Argument_as_none, 1) : NULL;
}

EP_API const ep_built_arg *ep_arg_int(ep_builder *b, int64_t value) {
    return ep_builder_goes_on(b) ? ep_builder_argument(b, EP_F_Argument_as_int, (uint64_t)value)
                                 : NULL;
}

/* Refuses floats that the version's releases do not write: NaN, while only the
 * infinities had a form (SPEC 3.3.3). */
static bool can_write(ep_builder *b, double value) {
    bool nan = value != value && b->version->nonfinite == EP_NONFINITE_QUOTED_INFINITY;
    return !nan || ep_builder_refuse(b, "the schema version cannot say this", "NaN");
}

EP_API const ep_built_arg *ep_arg_float(ep_builder *b, double value) {
    return ep_builder_goes_on(b) && can_write(b, value)
               ? ep_builder_argument(b, EP_F_Argument_as_float, ep_float_bits(value))
               : NULL;
}

EP_API const ep_built_arg *ep_arg_bool(ep_builder *b, bool value) {
    return ep_builder_goes_on(b) ? ep_builder_argument(b, EP_F_Argument_as_bool, value) : NULL;
}

EP_API const ep_built_arg *ep_arg_complex(ep_builder *b, double real, double imag) {
    if (!ep_builder_goes_on(b) || !can_write(b, real) || !can_write(b, imag) ||
        !ep_builder_needs(b, EP_F_Argument_as_complex, "a complex number")) {
        return NULL;
    }
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_ComplexValue);
    if (node == NULL) {
        return NULL;
    }
    node->slots[0] = ep_float_bits(real);
    node->slots[1] = ep_float_bits(imag);
    node->present = 3;
    return ep_builder_argument(b, EP_F_Argument_as_complex, ep_pointer_bits(node));
}

static const ep_built_arg *text_argument(ep_builder *b, ep_field tag, ep_bytes text) {
    uint64_t bits;
    if (!ep_builder_goes_on(b) || !ep_builder_given_array(b, text.data, text.size)) {
        return NULL;
    }
    if (!ep_maker_text(&b->maker, text, &bits)) {
        ep_builder_refuse(b, "not UTF-8", NULL);
        return NULL;
    }
    return ep_builder_argument(b, tag, bits);
}

EP_API const ep_built_arg *ep_arg_string(ep_builder *b, ep_bytes text) {
    return text_argument(b, EP_F_Argument_as_string, text);
}

EP_API const ep_built_arg *ep_arg_operator(ep_builder *b, const char *target) {
    return ep_builder_given(b, target)
               ? text_argument(b, EP_F_Argument_as_operator, ep_text_of(target))
               : NULL;
}

EP_API const ep_built_arg *ep_arg_device(ep_builder *b, const char *type, const int64_t *index) {
    ep_node *node = ep_builder_goes_on(b) ? ep_maker_struct(&b->maker, EP_SHAPE_Device) : NULL;
    if (node == NULL || !ep_builder_set_string(b, node, EP_F_Device_type, type)) {
        return NULL;
    }
    if (index != NULL) {
        ep_maker_set(&b->maker, node, EP_F_Device_index, (uint64_t)*index);
    }
    return ep_builder_argument(b, EP_F_Argument_as_device, ep_pointer_bits(node));
}

static const ep_built_arg *enum_argument(ep_builder *b, ep_field tag, ep_shape_number type,
                                         const char *name) {
    uint64_t bits;
    if (!ep_builder_goes_on(b) || !ep_builder_given(b, name)) {
        return NULL;
    }
    if (!ep_maker_enum(&b->maker, type, ep_text_of(name), &bits)) {
        ep_builder_refuse(b, "the schema version has no such enumerator", name);
        return NULL;
    }
    return ep_builder_argument(b, tag, bits);
}

EP_API const ep_built_arg *ep_arg_scalar_type(ep_builder *b, const char *name) {
    return enum_argument(b, EP_F_Argument_as_scalar_type, EP_SHAPE_ScalarType, name);
}

EP_API const ep_built_arg *ep_arg_layout(ep_builder *b, const char *name) {
    return enum_argument(b, EP_F_Argument_as_layout, EP_SHAPE_Layout, name);
}

EP_API const ep_built_arg *ep_arg_memory_format(ep_builder *b, const char *name) {
    return enum_argument(b, EP_F_Argument_as_memory_format, EP_SHAPE_MemoryFormat, name);
}

/* --------------------------------------------------------------------- lists */

/* Until torch 2.4 an empty list was one of bools, whatever it was of. */
static ep_field list_tag(const ep_builder *b, ep_field tag, size_t count) {
    bool bools = count == 0 && ep_builder_between(b, EP_V1_2023_08, EP_V5_3_2024_03);
    return bools ? EP_F_Argument_as_bools : tag;
}

/* A list under a tag, of items that a function gives one after the other. */
typedef bool item_function(ep_builder *b, const void *items, size_t i, uint64_t *bits);

typedef struct item_list {
    ep_field tag;
    item_function *item;
    const void *items;
    size_t count;
} item_list;

static const ep_built_arg *list_argument(ep_builder *b, const item_list *list) {
    ep_stack words;
    uint64_t bits = 0;
    if (!ep_builder_goes_on(b) || !ep_builder_given_array(b, list->items, list->count) ||
        !ep_builder_needs(b, list->tag, "an argument of this kind")) {
        return NULL;
    }
    ep_stack_init(&words, b->arena);
    bool ok = true;
    for (size_t i = 0; ok && i < list->count; i++) {
        ok = list->item(b, list->items, i, &bits) && ep_builder_push(b, &words, bits);
    }
    ok = ok && ep_builder_list(b, &words, &bits);
    ep_stack_free(&words);
    return ok ? ep_builder_argument(b, list_tag(b, list->tag, list->count), bits) : NULL;
}

static bool int_item(ep_builder *b, const void *items, size_t i, uint64_t *bits) {
    (void)b;
    *bits = (uint64_t)((const int64_t *)items)[i];
    return true;
}

static bool float_item(ep_builder *b, const void *items, size_t i, uint64_t *bits) {
    double value = ((const double *)items)[i];
    *bits = ep_float_bits(value);
    return can_write(b, value);
}

static bool bool_item(ep_builder *b, const void *items, size_t i, uint64_t *bits) {
    (void)b;
    *bits = ((const bool *)items)[i];
    return true;
}

static bool string_item(ep_builder *b, const void *items, size_t i, uint64_t *bits) {
    ep_bytes text = ((const ep_bytes *)items)[i];
    TRY(ep_builder_given_array(b, text.data, text.size));
    return ep_maker_text(&b->maker, text, bits) || ep_builder_refuse(b, "not UTF-8", NULL);
}

EP_API const ep_built_arg *ep_arg_ints(ep_builder *b, const int64_t *items, size_t count) {
    return list_argument(b, &(item_list){EP_F_Argument_as_ints, int_item, items, count});
}

EP_API const ep_built_arg *ep_arg_floats(ep_builder *b, const double *items, size_t count) {
    return list_argument(b, &(item_list){EP_F_Argument_as_floats, float_item, items, count});
}

EP_API const ep_built_arg *ep_arg_bools(ep_builder *b, const bool *items, size_t count) {
    return list_argument(b, &(item_list){EP_F_Argument_as_bools, bool_item, items, count});
}

EP_API const ep_built_arg *ep_arg_strings(ep_builder *b, const ep_bytes *items, size_t count) {
    return list_argument(b, &(item_list){EP_F_Argument_as_strings, string_item, items, count});
}

/* -------------------------------------------------------------------- values */

/* A value where a tensor is due. */
static bool is_tensor(ep_builder *b, const ep_built_value *value) {
    TRY(ep_builder_given(b, value));
    return value->kind == EP_F_Argument_as_tensor ||
           ep_builder_refuse(b, "a value that is no tensor", NULL);
}

static bool tensor_argument(ep_builder *b, ep_ref name, uint64_t *bits) {
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_TensorArgument);
    TRY(node != NULL);
    ep_maker_set(&b->maker, node, EP_F_TensorArgument_name, name);
    *bits = ep_pointer_bits(node);
    return true;
}

/* What the tag of a value holds. */
static bool value_bits(ep_builder *b, const ep_built_value *value, uint64_t *bits) {
    switch (value->kind) {
    case EP_F_Argument_as_tensor:
        return tensor_argument(b, value->name, bits);
    case EP_F_Argument_as_sym_int:
        return ep_builder_union(b, EP_SHAPE_SymIntArgument, EP_F_SymIntArgument_as_name,
                                value->name, bits);
    case EP_F_Argument_as_sym_float:
        return ep_builder_union(b, EP_SHAPE_SymFloatArgument, EP_F_SymFloatArgument_as_name,
                                value->name, bits);
    case EP_F_Argument_as_sym_bool:
        return ep_builder_union(b, EP_SHAPE_SymBoolArgument, EP_F_SymBoolArgument_as_name,
                                value->name, bits);
    default: /* no other kind is made */
        *bits = ep_pointer_bits(value->object);
        return true;
    }
}

EP_API const ep_built_arg *ep_arg_value(ep_builder *b, const ep_built_value *value) {
    uint64_t bits;
    if (!ep_builder_goes_on(b) || !ep_builder_given(b, value) || !value_bits(b, value, &bits)) {
        return NULL;
    }
    return ep_builder_argument(b, (ep_field)value->kind, bits);
}

static bool tensor_item(ep_builder *b, const void *items, size_t i, uint64_t *bits) {
    const ep_built_value *value = ((const ep_built_value *const *)items)[i];
    return is_tensor(b, value) && tensor_argument(b, value->name, bits);
}

EP_API const ep_built_arg *ep_arg_tensors(ep_builder *b, const ep_built_value *const *items,
                                          size_t count) {
    return list_argument(b, &(item_list){EP_F_Argument_as_tensors, tensor_item, items, count});
}

/* In the first versions as_tensor is the name itself. */
static bool optional_item(ep_builder *b, const void *items, size_t i, uint64_t *bits) {
    const ep_built_value *value = ((const ep_built_value *const *)items)[i];
    const ep_shape_number type = EP_SHAPE_OptionalTensorArgument;
    if (value == NULL) {
        return ep_builder_union(b, type, EP_F_OptionalTensorArgument_as_none, 1, bits);
    }
    uint64_t held = value->name;
    TRY(is_tensor(b, value));
    if (ep_maker_shape(&b->maker, type, EP_F_OptionalTensorArgument_as_tensor)->op != EP_OP_STR) {
        TRY(tensor_argument(b, value->name, &held));
    }
    return ep_builder_union(b, type, EP_F_OptionalTensorArgument_as_tensor, held, bits);
}

EP_API const ep_built_arg *
ep_arg_optional_tensors(ep_builder *b, const ep_built_value *const *items, size_t count) {
    return list_argument(
        b, &(item_list){EP_F_Argument_as_optional_tensors, optional_item, items, count});
}

EP_API const ep_built_arg *ep_arg_optional_tensor(ep_builder *b, const ep_built_value *value) {
    uint64_t bits;
    if (!ep_builder_goes_on(b) ||
        !ep_builder_needs(b, EP_F_Argument_as_optional_tensor, "an optional tensor") ||
        !optional_item(b, &value, 0, &bits)) {
        return NULL;
    }
    return ep_builder_argument(b, EP_F_Argument_as_optional_tensor, bits);
}

/* ------------------------------------------------------------- lists of arguments */

static bool has_tag(const ep_builder *b, const ep_built_arg *arg, ep_field tag) {
    return ep_maker_has(&b->maker, tag) && ep_argument_node(arg)->tag == b->maker.fields.slot[tag];
}

/* A list of symbolic values and numbers. */
typedef struct sym_row {
    ep_field value;  /* the tag of an item that is a value ... */
    ep_field number; /* ... and of one that is not */
    ep_field list;
    ep_shape_number type; /* of an item */
    ep_field constant;
} sym_row;

static const sym_row sym_rows[] = {
    {EP_F_Argument_as_sym_int, EP_F_Argument_as_int, EP_F_Argument_as_sym_ints,
     EP_SHAPE_SymIntArgument, EP_F_SymIntArgument_as_int},
    {EP_F_Argument_as_sym_float, EP_F_Argument_as_float, EP_F_Argument_as_sym_floats,
     EP_SHAPE_SymFloatArgument, EP_F_SymFloatArgument_as_float},
    {EP_F_Argument_as_sym_bool, EP_F_Argument_as_bool, EP_F_Argument_as_sym_bools,
     EP_SHAPE_SymBoolArgument, EP_F_SymBoolArgument_as_bool},
};

typedef struct sym_list {
    const sym_row *row;
    const ep_built_arg *const *items;
} sym_list;

static bool sym_item(ep_builder *b, const void *items, size_t i, uint64_t *bits) {
    const sym_list *list = items;
    const ep_built_arg *arg = list->items[i];
    uint64_t held = ep_argument_node(arg)->slots[0];
    *bits = held;
    if (has_tag(b, arg, list->row->number)) {
        return ep_builder_union(b, list->row->type, list->row->constant, held, bits);
    }
    return has_tag(b, arg, list->row->value) ||
           ep_builder_refuse(b, "items of more than one kind in a list", NULL);
}

/* Whether arguments are there at all. */
static bool all_given(ep_builder *b, const ep_built_arg *const *items, size_t count) {
    TRY(ep_builder_goes_on(b) && ep_builder_given_array(b, items, count));
    for (size_t i = 0; i < count; i++) {
        TRY(ep_builder_given(b, items[i]));
    }
    return true;
}

EP_API const ep_built_arg *ep_arg_symbolic_list(ep_builder *b, const ep_built_arg *const *items,
                                                size_t count) {
    sym_list list = {NULL, items};
    if (!all_given(b, items, count)) {
        return NULL;
    }
    for (size_t i = 0; i < count * EP_COUNT_OF(sym_rows); i++) {
        const sym_row *row = &sym_rows[i % EP_COUNT_OF(sym_rows)];
        if (has_tag(b, items[i / EP_COUNT_OF(sym_rows)], row->value)) {
            list.row = row;
        }
    }
    if (list.row == NULL) {
        ep_builder_refuse(b, "a symbolic list without a symbolic value", NULL);
        return NULL;
    }
    return list_argument(b, &(item_list){list.row->list, sym_item, &list, count});
}

/* A list of lists. What is of no list has the tag of the first row. */
static const struct list_row {
    ep_field item;
    ep_field list;
} list_rows[] = {
    {EP_F_Argument_as_ints, EP_F_Argument_as_int_lists},
    {EP_F_Argument_as_floats, EP_F_Argument_as_float_lists},
    {EP_F_Argument_as_tensors, EP_F_Argument_as_nested_tensors},
};

static bool held_item(ep_builder *b, const void *items, size_t i, uint64_t *bits) {
    const ep_built_arg *const *args = items;
    const ep_node *node = ep_argument_node(args[i]);
    *bits = node->slots[0];
    return node->tag == ep_argument_node(args[0])->tag ||
           ep_builder_refuse(b, "items of more than one kind in a list", NULL);
}

EP_API const ep_built_arg *ep_arg_lists(ep_builder *b, const ep_built_arg *const *items,
                                        size_t count) {
    if (!all_given(b, items, count)) {
        return NULL;
    }
    for (size_t i = 0; i < EP_COUNT_OF(list_rows); i++) {
        if (count == 0 || has_tag(b, items[0], list_rows[i].item)) {
            return list_argument(b, &(item_list){list_rows[i].list, held_item, items, count});
        }
    }
    ep_builder_refuse(b, "no lists in a list of lists", NULL);
    return NULL;
}

/* --------------------------------------------------------- dicts and subgraphs */

EP_API const ep_built_arg *ep_arg_dict(ep_builder *b, const char *const *keys,
                                       const ep_built_arg *const *items, size_t count) {
    ep_growing_dict dict;
    uint64_t bits = 0;
    if (!ep_builder_goes_on(b) || !ep_builder_given_array(b, keys, count) ||
        !ep_builder_given_array(b, items, count)) {
        return NULL;
    }
    ep_growing_dict_init(&dict, b->arena);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = ep_builder_given(b, items[i]) && ep_builder_string(b, keys[i], &bits) &&
             ep_builder_add(b, &dict, bits, ep_pointer_bits(items[i]));
    }
    ok = ok && ep_builder_dict(b, &dict, &bits);
    ep_growing_dict_free(&dict);
    return ok ? ep_builder_argument(b, EP_F_Argument_as_string_to_argument, bits) : NULL;
}

EP_API const ep_built_arg *ep_arg_graph(ep_builder *b, const char *name, ep_built_graph *graph) {
    if (!ep_builder_goes_on(b) || !ep_builder_given(b, graph)) {
        return NULL;
    }
    if (graph == b->root) {
        ep_builder_refuse(b, "the program's own graph as a subgraph", NULL);
        return NULL;
    }
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_GraphArgument);
    if (node == NULL || !ep_builder_set_string(b, node, EP_F_GraphArgument_name, name) ||
        !ep_builder_close_graph(b, graph)) {
        return NULL;
    }
    ep_maker_set(&b->maker, node, EP_F_GraphArgument_graph, ep_pointer_bits(graph->node));
    return ep_builder_argument(b, EP_F_Argument_as_graph, ep_pointer_bits(node));
}
