/*
 * canon/lists.c - the members that the canonical form leaves out (SPEC 6.2), and the
 * lists and dicts that have an order of their own (6.8).
 */
#include "canon/canon.h"

#include "base/sort.h"
#include "tree/copy.h"

/* ------------------------------------------------------------------- leaving out */

enum { EMPTIED = EP_WALK_TELL, NULLED, OLD_TORCH, EXPRESSION };

typedef struct left_row {
    uint8_t field;
    uint8_t how;
} left_row;

/* SPEC 6.2.1; and where expressions are */
static const left_row left_rows[] = {
    {EP_F_Node_metadata, EMPTIED},
    {EP_F_Node_name, NULLED},
    {EP_F_SymExpr_hint, NULLED},
    {EP_F_ModuleCallSignature_forward_arg_names, NULLED},
    {EP_F_ExportedProgram_torch_version, OLD_TORCH},
    {EP_F_SymExpr_expr_str, EXPRESSION},
};

static void set_absent(ep_node *node, uint8_t slot) {
    node->slots[slot] = 0;
    node->present = (uint16_t)(node->present & ~(1u << slot));
}

/* Clears a member of the copy, or gives it its fixed value; notes where an expression is. */
static bool leave_member(void *context, ep_node *node, uint8_t member, uint8_t ask) {
    ep_canonizer *c = context;
    uint64_t *slot = &node->slots[member];
    switch (ask) {
    case OLD_TORCH:
        return ep_maker_text(c->maker, EP_TEXT("<=2.4"), slot) || ep_canon_fail(c, c->maker->code);
    case EXPRESSION:
        return ep_stack_push(&c->expression_slots, ep_pointer_bits(slot)) ||
               ep_canon_fail(c, EP_MEMORY);
    case NULLED:
        set_absent(node, member);
        return true;
    default:
        *slot = 0;
        return true;
    }
}

/* The signature of the root in the module call graph of a tree. */
static const ep_node *root_signature(const ep_canonizer *c, const ep_node *root) {
    const ep_fields *fields = &c->fields;
    const ep_node *module = ep_field_node(fields, root, EP_F_ExportedProgram_graph_module);
    uint64_t entries = ep_field_bits(fields, module, EP_F_GraphModule_module_call_graph);
    /* in a program that was checked, the root has an entry */
    if (EP_NEVER(ep_list_count(entries) == 0)) {
        return NULL;
    }
    return ep_field_node(fields, ep_item_node(entries, 0), EP_F_ModuleCallEntry_signature);
}

/* Guards refer to the names of inputs, which are then kept. The original has them still; the
 * copy shares the list, which is not changed. SPEC 6.2.3 */
static void keep_names(const ep_canonizer *c) {
    uint8_t slot = c->fields.slot[EP_F_ModuleCallSignature_forward_arg_names];
    const ep_node *original = root_signature(c, c->program->root);
    if (original != NULL) {
        ep_node *copy = ep_node_mutable(ep_pointer_bits(root_signature(c, c->root)));
        copy->slots[slot] = original->slots[slot];
        copy->present = original->present;
    }
}

bool ep_canon_copy(ep_canonizer *c) {
    ep_walk walk;
    ep_walk_init(&walk, c->arena, c->fields.schema);
    for (size_t i = 0; i < EP_COUNT_OF(left_rows); i++) {
        ep_walk_ask(&walk, &c->fields, (ep_field)left_rows[i].field, left_rows[i].how);
    }
    c->root = ep_copy_visited(&walk, c->program->root, leave_member, c);
    if (c->root == NULL) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    if (ep_list_count(ep_field_bits(&c->fields, c->root, EP_F_ExportedProgram_guards_code)) > 0) {
        keep_names(c);
    }
    return true;
}

/* SPEC 6.2.2 */
static void leave_kinds(const ep_canonizer *c, const ep_node *node, const ep_target *target) {
    const ep_fields *fields = &c->fields;
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    uint8_t slot = fields->slot[EP_F_NamedArgument_kind];
    const ep_type *kinds = fields->schema->types[EP_SHAPE_ArgumentKind - EP_SHAPE_FIRST_TYPE];
    bool needed = target->kind == EP_TARGET_HIGHER_ORDER ||
                  (target->kind == EP_TARGET_FUNCTION && target->row->arguments == NULL);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        ep_node *named = ep_item_mutable(inputs, i);
        uint8_t positional = fields->slot[EP_F_ArgumentKind_POSITIONAL];
        bool is_positional = (named->present >> slot & 1) != 0 &&
                             (int64_t)named->slots[slot] == kinds->members[positional].row->id;
        bool unnamed = ep_ref_size(ep_field_bits(fields, named, EP_F_NamedArgument_name)) == 0;
        if (!needed || unnamed || !is_positional) {
            set_absent(named, slot);
        }
    }
}

/* SPEC 6.2.4 */
static void leave_return(const ep_canonizer *c, ep_node *node, const ep_target *target) {
    const ep_fields *fields = &c->fields;
    uint64_t outputs = ep_field_bits(fields, node, EP_F_Node_outputs);
    uint8_t slot = fields->slot[EP_F_Node_is_hop_single_tensor_return];
    if (target->kind != EP_TARGET_HIGHER_ORDER || ep_list_count(outputs) != 1) {
        set_absent(node, slot);
    } else if ((node->present >> slot & 1) == 0 &&
               ep_tag(fields, ep_item_node(outputs, 0)) == EP_F_Argument_as_tensor) {
        node->slots[slot] = 1;
        node->present = (uint16_t)(node->present | 1u << slot);
    }
}

/* Empties what a check prints. SPEC 6.2.1 */
static bool leave_messages(ep_canonizer *c, const ep_node *node) {
    const ep_fields *fields = &c->fields;
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        const ep_node *named = ep_item_node(inputs, i);
        ep_node *argument = ep_field_mutable(fields, named, EP_F_NamedArgument_arg);
        ep_bytes name;
        TRY(ep_canon_text(c, ep_field_bits(fields, named, EP_F_NamedArgument_name), &name));
        bool printed =
            ep_text_equal(name, EP_TEXT("assert_msg")) || ep_text_equal(name, EP_TEXT("api_name"));
        if (printed && ep_tag(fields, argument) == EP_F_Argument_as_string &&
            !ep_maker_text(c->maker, EP_TEXT(""), &argument->slots[0])) {
            return ep_canon_fail(c, c->maker->code);
        }
    }
    return true;
}

static bool leave_of_node(ep_canonizer *c, const ep_canon_node *node) {
    leave_kinds(c, node->node, &node->target->target);
    leave_return(c, node->node, &node->target->target);
    return !node->target->is_check || leave_messages(c, node->node);
}

bool ep_canon_leave_out(ep_canonizer *c) {
    for (const ep_canon_graph *graph = c->graphs; graph != NULL; graph = graph->next) {
        for (size_t i = 0; i < graph->node_count; i++) {
            TRY(leave_of_node(c, &graph->nodes[i]));
        }
    }
    return true;
}

/* ------------------------------------------------------------------------- sorting */

/* What is sorted by a text, and by a number where the texts are equal. */
typedef struct sorting {
    ep_bytes *texts;
    uint64_t *numbers;
    uint64_t *words; /* scratch space of the permutation */
} sorting;

static int compare(const void *context, uint32_t a, uint32_t b) {
    const sorting *s = context;
    int order = ep_sort_texts(s->texts[a], s->texts[b]);
    return order != 0 ? order : (s->numbers[a] > s->numbers[b]) - (s->numbers[a] < s->numbers[b]);
}

static bool open_sorting(ep_canonizer *c, sorting *s, size_t count) {
    s->texts = ep_canon_array(c, count, sizeof *s->texts);
    s->numbers = ep_canon_array(c, count, sizeof *s->numbers);
    s->words = ep_canon_array(c, count, sizeof *s->words);
    return s->texts != NULL && s->numbers != NULL && s->words != NULL;
}

/* Sorts a list; of a dict, the values with their keys. */
static bool put_in_order(ep_canonizer *c, const sorting *s, uint64_t bits, bool dict) {
    size_t count = ep_list_count(bits);
    const uint32_t *order = ep_sort_order(c->arena, count, compare, s);
    if (order == NULL) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    for (size_t half = 0; count > 0 && half < (dict ? 2 : 1); half++) {
        ep_sort_apply(order, ep_list_mutable(bits)->items + half * count, count, s->words);
    }
    return true;
}

/* Sorts strings; or the keys of a dict, with their values. */
static bool sort_texts(ep_canonizer *c, uint64_t bits, bool dict) {
    size_t count = ep_list_count(bits);
    sorting s;
    if (count < 2) {
        return true;
    }
    TRY(open_sorting(c, &s, count));
    for (size_t i = 0; i < count; i++) {
        TRY(ep_canon_text(c, ep_list_at(bits)->items[i], &s.texts[i]));
    }
    return put_in_order(c, &s, bits, dict);
}

/* -------------------------------------------------------------------------- dicts */

/* SPEC 6.8.1: the dicts other than tables, ranges and those in arguments. */
static bool sort_dicts(ep_canonizer *c) {
    const ep_fields *fields = &c->fields;
    const ep_node *module = ep_field_node(fields, c->root, EP_F_ExportedProgram_graph_module);
    uint64_t opsets = ep_field_bits(fields, c->root, EP_F_ExportedProgram_opset_version);
    uint64_t names = ep_field_bits(fields, module, EP_F_GraphModule_treespec_namedtuple_fields);
    return sort_texts(c, opsets, true) && sort_texts(c, names, true) &&
           sort_texts(c, ep_field_bits(fields, module, EP_F_GraphModule_metadata), true);
}

/* Sorts the dicts in arguments. They nest: an inner dict is pushed and sorted later. */
static bool sort_waiting(ep_canonizer *c, ep_stack *waiting) {
    while (waiting->count > 0) {
        const ep_node *argument = ep_node_at(waiting->words[--waiting->count]);
        if (ep_tag(&c->fields, argument) != EP_F_Argument_as_string_to_argument) {
            continue;
        }
        uint64_t dict = argument->slots[0];
        TRY(sort_texts(c, dict, true));
        for (size_t i = 0; i < ep_list_count(dict); i++) {
            if (!ep_stack_push(waiting, ep_dict_value(dict, i))) {
                return ep_canon_fail(c, EP_MEMORY);
            }
        }
    }
    return true;
}

bool ep_canon_sort_argument(ep_canonizer *c, const ep_node *argument) {
    if (ep_tag(&c->fields, argument) != EP_F_Argument_as_string_to_argument) {
        return true;
    }
    ep_stack waiting;
    ep_stack_init(&waiting, c->arena);
    bool ok = ep_stack_push(&waiting, ep_pointer_bits(argument));
    if (!ok) {
        ep_canon_fail(c, EP_MEMORY);
    }
    ok = ok && sort_waiting(c, &waiting);
    ep_stack_free(&waiting);
    return ok;
}

static bool sort_arguments(ep_canonizer *c, const ep_node *signature, ep_field field) {
    uint64_t arguments = ep_field_bits(&c->fields, signature, field);
    for (size_t i = 0; i < ep_list_count(arguments); i++) {
        TRY(ep_canon_sort_argument(c, ep_item_node(arguments, i)));
    }
    return true;
}

/* ------------------------------------------------------------------------ modules */

/* Splits a name that ends in "@" and digits into what precedes the "@", and one plus
 * the number. The name without a number has 0, so that it comes first. */
static void cut_call(ep_bytes *name, uint64_t *number) {
    size_t at = name->size;
    while (at > 0 && ep_is_digit(name->data[at - 1])) {
        at--;
    }
    *number = 0;
    if (at == 0 || at == name->size || name->data[at - 1] != '@') {
        return;
    }
    for (size_t i = at; i < name->size; i++) { /* all numbers beyond 64 bits are equal */
        uint64_t digit = (uint64_t)(name->data[i] - '0');
        *number = *number > (UINT64_MAX - 1 - digit) / 10 ? UINT64_MAX - 1 : *number * 10 + digit;
    }
    *number += 1;
    name->size = at - 1;
}

/* SPEC 6.8.2 */
static bool sort_modules(ep_canonizer *c) {
    const ep_fields *fields = &c->fields;
    const ep_node *module = ep_field_node(fields, c->root, EP_F_ExportedProgram_graph_module);
    uint64_t entries = ep_field_bits(fields, module, EP_F_GraphModule_module_call_graph);
    size_t count = ep_list_count(entries);
    sorting s;
    TRY(open_sorting(c, &s, count));
    for (size_t i = 0; i < count; i++) {
        const ep_node *entry = ep_item_node(entries, i);
        const ep_node *signature = ep_field_node(fields, entry, EP_F_ModuleCallEntry_signature);
        TRY(ep_canon_text(c, ep_field_bits(fields, entry, EP_F_ModuleCallEntry_fqn), &s.texts[i]));
        cut_call(&s.texts[i], &s.numbers[i]);
        TRY(signature == NULL || (sort_arguments(c, signature, EP_F_ModuleCallSignature_inputs) &&
                                  sort_arguments(c, signature, EP_F_ModuleCallSignature_outputs)));
    }
    return put_in_order(c, &s, entries, false);
}

bool ep_canon_lists(ep_canonizer *c) {
    uint64_t guards = ep_field_bits(&c->fields, c->root, EP_F_ExportedProgram_guards_code);
    return sort_dicts(c) && sort_modules(c) && sort_texts(c, guards, false);
}
