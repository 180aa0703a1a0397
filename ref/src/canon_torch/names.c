/*
 * canon_torch/names.c - what the parts of the torch form share: sorted lists and dicts,
 * the leaves of an argument as PyTorch sees them, the names in scope, and new names.
 * SPEC 6.9.1 to 6.9.4
 */
#include "canon_torch/canon_torch.h"
#include "json/number.h"

/* ---------------------------------------------------------------- releases */

/* A fact holds for the versions [since, until). A version that no release wrote counts
 * as the release before it. SPEC 6.9.2 */
bool ep_torch_has(const ep_torch *t, ep_torch_fact fact) {
    static const struct {
        uint8_t since;
        uint8_t until;
    } facts[] = {
        [EP_TORCH_PAIRS] = {0, EP_V7_3},
        [EP_TORCH_NEEDS_INPUT] = {0, EP_V7_3},
        [EP_TORCH_BOOL_INPUT] = {EP_V5_3, EP_FUTURE},
        [EP_TORCH_BOOL_OUTPUT] = {EP_V8_7, EP_FUTURE},
        [EP_TORCH_OBJECTS] = {EP_V8_7, EP_FUTURE},
        [EP_TORCH_CONSTANTS] = {EP_V8_7, EP_FUTURE},
    };
    return facts[fact].since <= t->version && t->version < facts[fact].until;
}

/* ---------------------------------------------------------------- failures */

bool ep_torch_fail(ep_torch *t, ep_code code, const ep_node *node, const char *expected) {
    ep_fault_set(&t->fault, code, node->offset);
    t->fault.expected = expected;
    return false;
}

bool ep_torch_fail_name(ep_torch *t, ep_code code, ep_ref name, const char *expected) {
    ep_fault_set(&t->fault, code, ep_ref_offset(name) - 1);
    t->fault.name = ep_ref_raw(t->input.data, name);
    t->fault.expected = expected;
    return false;
}

bool ep_torch_no_memory(ep_torch *t) {
    return ep_fault_set(&t->fault, EP_MEMORY, 0);
}

/* -------------------------------------------------------------------- order */

static int compare_keys(const void *context, uint32_t a, uint32_t b) {
    const ep_torch_key *keys = context;
    if (keys[a].rank != keys[b].rank) {
        return keys[a].rank < keys[b].rank ? -1 : 1;
    }
    return ep_sort_texts(keys[a].text, keys[b].text);
}

uint32_t *ep_torch_order(ep_torch *t, const ep_torch_key *keys, size_t count) {
    uint32_t *order = ep_sort_order(t->arena, count, compare_keys, keys);
    if (order == NULL) {
        ep_torch_no_memory(t);
    }
    return order;
}

/* Sorts items by their texts, and companions in the same way. */
static bool permute(ep_torch *t, uint64_t *items, uint64_t *companions, const ep_torch_key *keys,
                    size_t count) {
    uint64_t *scratch = ep_arena_array(t->arena, 0, count, sizeof *scratch);
    if (scratch == NULL) {
        return ep_torch_no_memory(t);
    }
    const uint32_t *order = ep_torch_order(t, keys, count);
    TRY(order != NULL);
    ep_sort_apply(order, items, count, scratch);
    ep_sort_apply(order, companions, count, scratch);
    return true;
}

/* The sort keys of strings. NULL for want of memory. */
static const ep_torch_key *keys_of(ep_torch *t, const uint64_t *refs, size_t count) {
    ep_torch_key *keys = ep_arena_array(t->arena, 0, count, sizeof *keys);
    for (size_t i = 0; keys != NULL && i < count; i++) {
        keys[i].rank = 0;
        if (!ep_ref_text(t->arena, t->input, refs[i], &keys[i].text)) {
            keys = NULL;
        }
    }
    if (keys == NULL) {
        ep_torch_no_memory(t);
    }
    return keys;
}

static bool sort_dict_by(ep_torch *t, uint64_t dict, bool by_value) {
    size_t count = ep_list_count(dict);
    if (count < 2) {
        return true;
    }
    uint64_t *items = ep_torch_items(dict);
    const ep_torch_key *keys = keys_of(t, items + (by_value ? count : 0), count);
    return keys != NULL && permute(t, items, items + count, keys, count);
}

bool ep_torch_sort_dict(ep_torch *t, uint64_t dict) {
    return sort_dict_by(t, dict, false);
}

bool ep_torch_sort_dict_by_value(ep_torch *t, uint64_t dict) {
    return sort_dict_by(t, dict, true);
}

bool ep_torch_sort_list(ep_torch *t, uint64_t list, ep_field field) {
    size_t count = ep_list_count(list);
    if (count < 2) {
        return true;
    }
    uint64_t *items = ep_torch_items(list);
    uint64_t *refs = ep_arena_array(t->arena, 0, count, sizeof *refs);
    if (refs == NULL) {
        return ep_torch_no_memory(t);
    }
    for (size_t i = 0; i < count; i++) {
        refs[i] =
            field == EP_F_none ? items[i] : ep_field_bits(&t->fields, ep_node_at(items[i]), field);
    }
    const ep_torch_key *keys = keys_of(t, refs, count);
    return keys != NULL && permute(t, items, refs, keys, count);
}

/* ------------------------------------------------------------------ leaves */

/* Tags that count as one leaf without a name, whatever they hold. SPEC 6.9.3 */
static const uint8_t silent_tags[] = {
    EP_F_Argument_as_none,
    EP_F_Argument_as_int,
    EP_F_Argument_as_ints,
    EP_F_Argument_as_int_lists,
    EP_F_Argument_as_float,
    EP_F_Argument_as_floats,
    EP_F_Argument_as_float_lists,
    EP_F_Argument_as_string,
    EP_F_Argument_as_strings,
    EP_F_Argument_as_scalar_type,
    EP_F_Argument_as_memory_format,
    EP_F_Argument_as_layout,
    EP_F_Argument_as_device,
    EP_F_Argument_as_bool,
    EP_F_Argument_as_bools,
    EP_F_Argument_as_complex,
    EP_F_Argument_as_graph,
    EP_F_Argument_as_operator,
    EP_F_Argument_as_string_to_argument,
};

static bool is_silent(const ep_torch *t, ep_field tag) {
    for (size_t i = 0; i < EP_COUNT_OF(silent_tags); i++) {
        if ((ep_field)silent_tags[i] == tag) {
            return true;
        }
    }
    return tag == EP_F_Argument_as_custom_obj && !ep_torch_has(t, EP_TORCH_OBJECTS);
}

bool ep_torch_leaves(ep_torch *t, ep_node *argument, ep_leaf_visitor *visit, void *context) {
    ep_field tag = ep_tag(&t->fields, argument);
    if (is_silent(t, tag)) {
        ep_leaf leaf = {.holds = EP_HOLDS_NOTHING, .node = argument};
        return visit(context, &leaf);
    }
    if (tag == EP_F_Argument_as_optional_tensor) {
        return ep_torch_fail(t, EP_TORCH_LEAF, argument, "an argument that canonicalize knows");
    }
    /* Only a dict would take memory, and a dict is one leaf here: false is the
     * visitor's answer. */
    return ep_leaves(t->arena, &t->fields, argument, visit, context);
}

/* ------------------------------------------------------------------- scopes */

void ep_torch_scope_init(ep_torch *t, ep_torch_scope *scope) {
    ep_map_init(&scope->names, t->arena);
    ep_stack_init(&scope->old, t->arena);
    ep_stack_init(&scope->fresh, t->arena);
    ep_torch_values_init(&scope->values, t->arena);
}

void ep_torch_scope_free(ep_torch_scope *scope) {
    ep_map_free(&scope->names);
    ep_stack_free(&scope->old);
    ep_stack_free(&scope->fresh);
    ep_torch_values_free(&scope->values);
}

ep_torch_value *ep_torch_value_of(ep_torch *t, ep_torch_scope *scope, ep_ref name) {
    ep_bytes text;
    uint32_t number;
    bool fresh;
    if (!ep_ref_text(t->arena, t->input, name, &text) ||
        !ep_torch_values_reserve(&scope->values, 1) ||
        !ep_map_put(&scope->names, text, &number, &fresh)) {
        ep_torch_no_memory(t);
        return NULL;
    }
    ep_torch_value *value = &scope->values.items[number];
    if (fresh) {
        *value = (ep_torch_value){.constant = ep_map_find(&t->constants, text) != EP_MAP_NONE};
        scope->values.count++;
    }
    return value;
}

bool ep_torch_find(ep_torch *t, const ep_torch_scope *scope, ep_ref name, ep_ref *fresh) {
    ep_arena_mark mark = ep_arena_now(t->arena);
    ep_bytes text;
    *fresh = 0;
    if (!ep_ref_text(t->arena, t->input, name, &text)) {
        return ep_torch_no_memory(t);
    }
    uint32_t number = ep_map_find(&scope->names, text);
    ep_arena_rewind(t->arena, mark);
    *fresh = number == EP_MAP_NONE ? 0 : scope->values.items[number].fresh;
    return true;
}

bool ep_torch_renamed(ep_torch *t, const ep_torch_scope *scope, uint64_t *dict) {
    size_t count = scope->old.count;
    *dict = 0;
    if (count == 0) {
        return true;
    }
    ep_list *list = ep_list_make(t->arena, count, 2 * count);
    if (list == NULL) {
        return ep_torch_no_memory(t);
    }
    memcpy(list->items, scope->old.words, count * sizeof(uint64_t));
    memcpy(list->items + count, scope->fresh.words, count * sizeof(uint64_t));
    *dict = ep_pointer_bits(list);
    return true;
}

/* ---------------------------------------------------------------- new names */

/* Makes the next name of a prefix. */
static bool add_name(ep_torch *t, ep_torch_names *names, size_t k) {
    char digits[EP_INT_TEXT_SIZE];
    ep_bytes prefix = ep_text_of(names->prefix);
    ep_bytes number = {digits, ep_number_print_int((int64_t)k, digits)};
    size_t size = prefix.size + number.size;
    size_t offset = t->input.size + t->fresh.size;
    /* LCOV_EXCL_START so many names take many GB */
    if (offset + size > EP_REF_OFFSET_MAX) {
        return ep_fault_set(&t->fault, EP_LIMIT_BYTES, 0);
    }
    /* LCOV_EXCL_STOP */
    char *text = ep_arena_alloc(t->arena, size);
    if (text == NULL || !ep_torch_name_stack_reserve(&names->all, 1) ||
        !ep_growing_put(&t->fresh, prefix) || !ep_growing_put(&t->fresh, number)) {
        return ep_torch_no_memory(t);
    }
    memcpy(text, prefix.data, prefix.size);
    memcpy(text + prefix.size, number.data, number.size);
    ep_torch_name name = {ep_ref_make(offset, size, 0), {text, size}};
    names->all.items[names->all.count++] = name;
    return true;
}

bool ep_torch_fresh(ep_torch *t, ep_torch_names *names, size_t k, ep_torch_name *name) {
    if (k == names->all.count) {
        TRY(add_name(t, names, k));
    }
    *name = names->all.items[k];
    return true;
}
