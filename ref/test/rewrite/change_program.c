/*
 * change_program.c - changes of what a program says: constants, targets, what values
 * are, ranges and guards, the signature, tree specs and modules.
 */
#include "language/expression_reader.h"
#include "rewriter.h"

static uint64_t *word_at(uint64_t bits) {
    return (uint64_t *)(uintptr_t)bits;
}

/* Puts another text for a string, with something behind it. */
static bool set_longer(ep_rewriter *rewriter, uint64_t *slot, const char *tail) {
    ep_bytes text;
    ep_growing made;
    uint64_t bits;
    TRY(ep_rewriter_text(rewriter, *slot, &text));
    ep_growing_init(&made, rewriter->c.arena);
    bool ok = (ep_growing_put(&made, text) && ep_growing_put(&made, ep_text_of(tail))) ||
              ep_canon_fail(&rewriter->c, EP_MEMORY);
    ok = ok && ep_rewriter_put(rewriter, (ep_bytes){made.data, made.size}, &bits) &&
         ep_rewriter_set(rewriter, slot, bits);
    ep_growing_free(&made);
    return ok;
}

static bool visit_all(ep_rewriter *rewriter, ep_rewriter_visitor *visit) {
    return ep_rewriter_visit(rewriter, rewriter->c.root, true, visit, rewriter);
}

static ep_node *module_of(const ep_rewriter *rewriter) {
    return ep_field_mutable(&rewriter->c.fields, rewriter->c.root,
                            EP_F_ExportedProgram_graph_module);
}

/* ------------------------------------------------------------------------ fields */

/* Fields of which another value is another program; of enumerations, two numbers that
 * stand for each other in all versions. */
typedef struct changed_field {
    ep_change_kind kind;
    ep_field field;
    uint64_t one;
    uint64_t other;
} changed_field;

static const changed_field changed_fields[] = {
    {EP_CHANGE_DTYPE, EP_F_TensorMeta_dtype, 7, 8}, /* FLOAT, DOUBLE */
    {EP_CHANGE_SIZE, EP_F_TensorMeta_sizes, 0, 0},
    {EP_CHANGE_LAYOUT, EP_F_TensorMeta_strides, 0, 0},
    {EP_CHANGE_LAYOUT, EP_F_TensorMeta_storage_offset, 0, 0},
    {EP_CHANGE_LAYOUT, EP_F_TensorMeta_layout, 6, 1}, /* MKLDNN, SPARSE_COO */
    {EP_CHANGE_DEVICE, EP_F_TensorMeta_requires_grad, 0, 0},
    {EP_CHANGE_DEVICE, EP_F_Device_type, 0, 0},
    {EP_CHANGE_DEVICE, EP_F_Device_index, 0, 0},
    {EP_CHANGE_SPEC, EP_F_InputToParameterSpec_parameter_name, 0, 0},
    {EP_CHANGE_SPEC, EP_F_InputToBufferSpec_buffer_name, 0, 0},
    {EP_CHANGE_SPEC, EP_F_InputToTensorConstantSpec_tensor_constant_name, 0, 0},
    {EP_CHANGE_SPEC, EP_F_InputToCustomObjSpec_custom_obj_name, 0, 0},
    {EP_CHANGE_SPEC, EP_F_BufferMutationSpec_buffer_name, 0, 0},
    {EP_CHANGE_SPEC, EP_F_InputToBufferSpec_persistent, 0, 0},
    {EP_CHANGE_SPEC, EP_F_GraphSignature_inputs_to_parameters, 0, 0},
    {EP_CHANGE_SPEC, EP_F_GraphSignature_inputs_to_buffers, 0, 0},
};

/* A scalar, or the number of a SymInt. */
static bool put_scalar(ep_rewriter *rewriter, const ep_shape *shape, uint64_t *bits, size_t row) {
    if (shape->op != EP_OP_UNION) {
        return ep_rewriter_place(rewriter, ep_pointer_bits(bits), (uint64_t)shape->op, row);
    }
    ep_node *number = ep_node_mutable(*bits);
    return ep_tag(&rewriter->c.fields, number) != EP_F_SymInt_as_int ||
           ep_rewriter_place(rewriter, ep_pointer_bits(&number->slots[0]), EP_OP_INT, row);
}

/* Likewise, or each of a list, or of the values of a dict. */
static bool put_scalars(ep_rewriter *rewriter, const ep_rewriter_slot *slot, size_t row) {
    bool many = slot->shape->op == EP_OP_LIST || slot->shape->op == EP_OP_DICT;
    ep_list *list = many ? ep_list_mutable(*slot->bits) : NULL;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        size_t at = i + (slot->shape->op == EP_OP_DICT ? (size_t)list->count : 0);
        TRY(put_scalar(rewriter, slot->shape->of, &list->items[at], row));
    }
    return many || put_scalar(rewriter, slot->shape, slot->bits, row);
}

static bool find_field(void *context, const ep_rewriter_slot *slot) {
    ep_rewriter *rewriter = context;
    for (size_t i = 0; i < EP_COUNT_OF(changed_fields); i++) {
        if (slot->field == changed_fields[i].field && rewriter->kind == changed_fields[i].kind) {
            return put_scalars(rewriter, slot, i);
        }
    }
    return true;
}

bool ep_change_find_fields(ep_rewriter *rewriter) {
    return visit_all(rewriter, find_field);
}

/* --------------------------------------------------------------------- constants */

static bool is_name(ep_field field) {
    return field == EP_F_GraphArgument_name || field == EP_F_TensorArgument_name ||
           field == EP_F_SymIntArgument_as_name || field == EP_F_SymFloatArgument_as_name ||
           field == EP_F_SymBoolArgument_as_name || field == EP_F_CustomObjArgument_name ||
           field == EP_F_CustomObjArgument_class_fqn || field == EP_F_CustomObjArgument_blob ||
           field == EP_F_Argument_as_operator || field == EP_F_OptionalTensorArgument_as_tensor;
}

static bool find_scalar(void *context, const ep_rewriter_slot *slot) {
    int op = slot->shape->op;
    bool scalar = op == EP_OP_INT || op == EP_OP_FLOAT || op == EP_OP_BOOL || op == EP_OP_STR;
    return !scalar || is_name(slot->field) ||
           ep_rewriter_place(context, ep_pointer_bits(slot->bits), (uint64_t)op, 0);
}

/* Whether a node is a check, whose texts are not identity (SPEC 6.2.1). */
static bool is_check(ep_rewriter *rewriter, const ep_node *node, bool *check) {
    const size_t before = sizeof "torch.ops." - 1;
    ep_bytes text;
    TRY(ep_rewriter_text(rewriter, ep_field_bits(&rewriter->c.fields, node, EP_F_Node_target),
                         &text));
    *check =
        text.size > before && ep_canon_is_check((ep_bytes){text.data + before, text.size - before});
    return true;
}

bool ep_change_find_constant(ep_rewriter *rewriter) {
    const ep_fields *fields = &rewriter->c.fields;
    for (const ep_canon_graph *g = rewriter->c.graphs; g != NULL; g = g->next) {
        for (size_t i = 0; i < g->node_count; i++) {
            uint64_t inputs = ep_field_bits(fields, g->nodes[i].node, EP_F_Node_inputs);
            bool check;
            TRY(is_check(rewriter, g->nodes[i].node, &check));
            for (size_t j = 0; !check && j < ep_list_count(inputs); j++) {
                ep_node *argument =
                    ep_field_mutable(fields, ep_item_node(inputs, j), EP_F_NamedArgument_arg);
                TRY(ep_rewriter_visit(rewriter, argument, false, find_scalar, rewriter));
            }
        }
    }
    return true;
}

/* A value beside the one that is there, by its type; of an enumerator, by the row of its field. */
bool ep_change_make_scalar(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    uint64_t *slot = word_at(place[0]);
    const changed_field *row = &changed_fields[place[2]];
    *made = true;
    switch ((int)place[1]) {
    case EP_OP_ENUM:
        return ep_rewriter_set(rewriter, slot, *slot == row->one ? row->other : row->one);
    case EP_OP_INT:
        return ep_rewriter_set(rewriter, slot, (int64_t)*slot < INT64_MAX ? *slot + 1 : 0);
    case EP_OP_FLOAT:
        return ep_rewriter_set(rewriter, slot,
                               ep_float_bits(ep_float_of(*slot) == 0.5 ? 0.25 : 0.5));
    case EP_OP_BOOL:
        return ep_rewriter_set(rewriter, slot, *slot == 0);
    default:
        return set_longer(rewriter, slot, "x");
    }
}

/* ---------------------------------------------------------------------- operators */

enum { BY_PAIR, BY_NAMESPACE };

bool ep_change_find_operator(ep_rewriter *rewriter) {
    for (const ep_canon_graph *g = rewriter->c.graphs; g != NULL; g = g->next) {
        for (size_t i = 0; i < g->node_count; i++) {
            TRY(ep_rewriter_place(rewriter, ep_pointer_bits(g->nodes[i].node), BY_PAIR, 0) &&
                ep_rewriter_place(rewriter, ep_pointer_bits(g->nodes[i].node), BY_NAMESPACE, 0));
        }
    }
    return true;
}

/* Operators that take and give the same: each becomes the next one. */
static const char *const pairs[][4] = {
    {"torch.ops.aten.relu.default", "torch.ops.aten.sigmoid.default", "torch.ops.aten.tanh.default",
     "torch.ops.aten.relu.default"},
    {"torch.ops.aten.neg.default", "torch.ops.aten.sin.default", "torch.ops.aten.cos.default",
     "torch.ops.aten.neg.default"},
    {"torch.ops.aten.add.Tensor", "torch.ops.aten.sub.Tensor", NULL, "torch.ops.aten.add.Tensor"},
    {"torch.ops.aten.mul.Tensor", "torch.ops.aten.maximum.default", NULL,
     "torch.ops.aten.mul.Tensor"},
    {"torch.ops.aten.add_.Tensor", "torch.ops.aten.sub_.Tensor", NULL,
     "torch.ops.aten.add_.Tensor"},
    {"_operator.add", "_operator.sub", "_operator.mul", "_operator.add"},
    {"_operator.lt", "_operator.le", "_operator.ge", "_operator.lt"},
};

static const char *paired(ep_bytes target) {
    for (size_t i = 0; i < EP_COUNT_OF(pairs); i++) {
        for (size_t j = 0; j < 3; j++) {
            if (pairs[i][j] != NULL && ep_text_equal(target, ep_text_of(pairs[i][j]))) {
                return pairs[i][j + 1] == NULL ? pairs[i][3] : pairs[i][j + 1];
            }
        }
    }
    return NULL;
}

/* The same operator of a namespace that nobody knows; NULL data for what is none. */
static bool in_namespace(ep_rewriter *rewriter, ep_bytes target, ep_bytes *made) {
    const ep_bytes start = EP_TEXT("torch.ops.");
    const ep_bytes other = EP_TEXT("torch.ops.other_");
    size_t dots = 0;
    for (size_t i = 0; i < target.size; i++) {
        dots += target.data[i] == '.';
    }
    *made = (ep_bytes){NULL, 0};
    if (dots != 4 || memcmp(target.data, start.data, start.size) != 0) {
        return true;
    }
    size_t rest = target.size - start.size;
    char *text = ep_canon_array(&rewriter->c, 1, other.size + rest);
    TRY(text != NULL);
    memcpy(text, other.data, other.size);
    memcpy(text + other.size, target.data + start.size, rest);
    *made = (ep_bytes){text, other.size + rest};
    return true;
}

bool ep_change_make_operator(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    ep_node *node = ep_node_mutable(place[0]);
    uint64_t *slot = &node->slots[rewriter->c.fields.slot[EP_F_Node_target]];
    ep_bytes target;
    ep_bytes other = {NULL, 0};
    uint64_t bits;
    TRY(ep_rewriter_text(rewriter, *slot, &target));
    if (place[1] == BY_PAIR) {
        const char *pair = paired(target);
        other = pair == NULL ? other : ep_text_of(pair);
    } else {
        TRY(in_namespace(rewriter, target, &other));
    }
    *made = other.data != NULL;
    return !*made ||
           (ep_rewriter_put(rewriter, other, &bits) && ep_rewriter_set(rewriter, slot, bits));
}

/* ------------------------------------------------------------- ranges and guards */

/* A symbol that is looked for in all expressions. */
typedef struct searching {
    ep_rewriter *rewriter;
    ep_bytes name;
    bool found;
} searching;

static bool is_word(char c) {
    return ep_is_word_start(c) || ep_is_digit(c);
}

static bool find_symbol(void *context, const ep_rewriter_slot *slot) {
    searching *s = context;
    ep_bytes text;
    if (slot->shape->op != EP_OP_STR ||
        (slot->field != EP_F_SymExpr_expr_str && slot->field != EP_F_SymBool_as_expr)) {
        return true;
    }
    TRY(ep_rewriter_text(s->rewriter, *slot->bits, &text));
    for (size_t i = 0; !s->found && i + s->name.size <= text.size; i++) {
        size_t end = i + s->name.size;
        s->found = memcmp(text.data + i, s->name.data, s->name.size) == 0 &&
                   (i == 0 || !is_word(text.data[i - 1])) &&
                   (end == text.size || !is_word(text.data[end]));
    }
    return true;
}

static bool find_end(void *context, const ep_rewriter_slot *slot) {
    bool min = slot->field == EP_F_RangeConstraint_min_val;
    return (!min && slot->field != EP_F_RangeConstraint_max_val) ||
           ep_rewriter_place(context, ep_pointer_bits(slot->bits), min, 0);
}

/* The ends of ranges of single symbols that some expression has: others are not
 * identity (SPEC 6.2.5). */
bool ep_change_find_constraint(ep_rewriter *rewriter) {
    const ep_fields *fields = &rewriter->c.fields;
    uint64_t dict = ep_field_bits(fields, rewriter->c.root, EP_F_ExportedProgram_range_constraints);
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        searching s = {.rewriter = rewriter};
        TRY(ep_rewriter_text(rewriter, ep_dict_key(dict, i), &s.name));
        TRY(ep_rewriter_visit(rewriter, rewriter->c.root, true, find_symbol, &s));
        TRY(!s.found || ep_rewriter_visit(rewriter, ep_node_mutable(ep_dict_value(dict, i)), true,
                                          find_end, rewriter));
    }
    return true;
}

/* Downwards; what stands for an open end, to some number. */
bool ep_change_make_constraint(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    uint64_t *slot = word_at(place[0]);
    int64_t end = (int64_t)*slot;
    *made = end > INT64_MIN;
    if (place[1] == 0) {
        end = end > INT64_MAX / 2 ? INT64_MAX / 2 : end + 1;
        *made = true;
    } else {
        end = *made ? end - 1 : end;
    }
    return !*made || ep_rewriter_set(rewriter, slot, (uint64_t)end);
}

static bool put_items(ep_rewriter *rewriter, const ep_node *node, ep_field field) {
    size_t count = ep_list_count(ep_field_bits(&rewriter->c.fields, node, field));
    for (size_t i = 0; i < count; i++) {
        TRY(ep_rewriter_place(rewriter,
                              ep_pointer_bits(&node->slots[rewriter->c.fields.slot[field]]), i, 0));
    }
    return true;
}

bool ep_change_find_guard(ep_rewriter *rewriter) {
    return put_items(rewriter, rewriter->c.root, EP_F_ExportedProgram_guards_code);
}

/* One less. */
bool ep_change_make_guard(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    uint64_t *slot = word_at(place[0]);
    ep_list *list = ep_list_mutable(*slot);
    uint64_t last = list->items[list->count - 1];
    *made = true;
    return ep_rewriter_set(rewriter, &list->items[place[1]], last) &&
           ep_rewriter_set(rewriter, &list->count, list->count - 1) &&
           (list->count > 0 || ep_rewriter_set(rewriter, slot, 0));
}

/* --------------------------------------------------------------- calls and modules */

/* Types of containers that one may stand for the other of. */
static const char *const containers[] = {"builtins.tuple", "builtins.list", "builtins.dict",
                                         "collections.OrderedDict"};

/* Where a container is named, from a byte on. */
static size_t find_container(ep_bytes text, size_t at, size_t *which) {
    for (; at < text.size; at++) {
        for (*which = 0; *which < EP_COUNT_OF(containers); ++*which) {
            ep_bytes name = ep_text_of(containers[*which]);
            if (name.size <= text.size - at && memcmp(text.data + at, name.data, name.size) == 0) {
                return at;
            }
        }
    }
    return at;
}

/* Whether the program's call_spec counts: not beside a root that has a signature. SPEC 7.4.2 */
static bool call_spec_counts(ep_rewriter *rewriter) {
    const ep_fields *fields = &rewriter->c.fields;
    uint64_t entries =
        ep_field_bits(fields, module_of(rewriter), EP_F_GraphModule_module_call_graph);
    for (size_t i = 0; i < ep_list_count(entries); i++) {
        const ep_node *entry = ep_item_node(entries, i);
        ep_bytes name = {NULL, 1};
        if (ep_field_node(fields, entry, EP_F_ModuleCallEntry_signature) != NULL &&
            ep_rewriter_text(rewriter, ep_field_bits(fields, entry, EP_F_ModuleCallEntry_fqn),
                             &name) &&
            name.size == 0) {
            return false;
        }
    }
    return true;
}

static bool find_treespec(void *context, const ep_rewriter_slot *slot) {
    ep_rewriter *rewriter = context;
    ep_bytes text;
    size_t which;
    bool call = slot->field == EP_F_CallSpec_in_spec || slot->field == EP_F_CallSpec_out_spec;
    if (call ? !call_spec_counts(rewriter)
             : slot->field != EP_F_ModuleCallSignature_in_spec &&
                   slot->field != EP_F_ModuleCallSignature_out_spec) {
        return true;
    }
    TRY(ep_rewriter_text(rewriter, *slot->bits, &text));
    for (size_t at = find_container(text, 0, &which); at < text.size;
         at = find_container(text, at + 1, &which)) {
        TRY(ep_rewriter_place(rewriter, ep_pointer_bits(slot->bits), at, which));
    }
    return true;
}

bool ep_change_find_treespec(ep_rewriter *rewriter) {
    return visit_all(rewriter, find_treespec);
}

/* A tuple for a list, an ordered dict for a dict, and back. */
bool ep_change_make_treespec(ep_rewriter *rewriter, const uint64_t *place, bool *made) {
    uint64_t *slot = word_at(place[0]);
    ep_bytes text;
    ep_bytes old = ep_text_of(containers[place[2]]);
    ep_bytes now = ep_text_of(containers[place[2] ^ 1]);
    ep_growing all;
    uint64_t bits;
    TRY(ep_rewriter_text(rewriter, *slot, &text));
    size_t end = (size_t)place[1] + old.size;
    ep_growing_init(&all, rewriter->c.arena);
    bool ok = (ep_growing_put(&all, (ep_bytes){text.data, (size_t)place[1]}) &&
               ep_growing_put(&all, now) &&
               ep_growing_put(&all, (ep_bytes){text.data + end, text.size - end})) ||
              ep_canon_fail(&rewriter->c, EP_MEMORY);
    ok = ok && ep_rewriter_put(rewriter, (ep_bytes){all.data, all.size}, &bits) &&
         ep_rewriter_set(rewriter, slot, bits);
    ep_growing_free(&all);
    *made = true;
    return ok;
}

bool ep_change_find_module(ep_rewriter *rewriter) {
    const ep_fields *fields = &rewriter->c.fields;
    uint64_t entries =
        ep_field_bits(fields, module_of(rewriter), EP_F_GraphModule_module_call_graph);
    for (size_t i = 1; i < ep_list_count(entries); i++) {
        ep_node *entry = ep_item_mutable(entries, i);
        uint64_t *slot = &entry->slots[fields->slot[EP_F_ModuleCallEntry_fqn]];
        TRY(ep_rewriter_place(rewriter, ep_pointer_bits(slot), EP_OP_STR, 0));
    }
    return true;
}
