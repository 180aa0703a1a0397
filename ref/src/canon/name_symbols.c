/*
 * canon/name_symbols.c - symbols are renamed by where they occur, and the expressions
 * and keys that contain them are rewritten (SPEC 6.7.4, 6.7.5).
 */
#include "base/sort.h"
#include "canon/symbols.h"

/* --------------------------------------------------------------------- sequence */

static bool put_symbolic(ep_canonizer *c, const ep_node *node) {
    ep_ref expression = ep_canon_expression_in(c, node);
    if (expression == 0) {
        return true;
    }
    uint32_t number = ep_map_find(&c->symbols->first_refs, ep_canon_ref_bytes(&expression));
    TRY(EP_ALWAYS(number != EP_MAP_NONE)); /* it has been read before */
    return ep_canon_expressions_push(&c->symbols->sequence, c->symbols->first.items[number]) ||
           ep_canon_fail(c, EP_MEMORY);
}

static bool put_tensor(ep_canonizer *c, const ep_node *meta) {
    static const ep_field dims[] = {EP_F_TensorMeta_sizes, EP_F_TensorMeta_strides};
    for (size_t i = 0; i < EP_COUNT_OF(dims); i++) {
        uint64_t list = ep_field_bits(&c->fields, meta, dims[i]);
        for (size_t j = 0; j < ep_list_count(list); j++) {
            TRY(put_symbolic(c, ep_item_node(list, j)));
        }
    }
    return put_symbolic(c, ep_field_node(&c->fields, meta, EP_F_TensorMeta_storage_offset));
}

static bool put_value(ep_canonizer *c, const ep_canon_value *value) {
    const ep_node *entry = ep_node_at(value->entry);
    if (entry == NULL || value->holds == EP_HOLDS_CUSTOM_OBJ) {
        return true;
    }
    return value->holds == EP_HOLDS_TENSOR ? put_tensor(c, entry) : put_symbolic(c, entry);
}

/* Visits the values of all graphs, in the order of the graphs. */
static bool put_all(ep_canonizer *c) {
    for (size_t i = 0; i < c->graph_order.count; i++) {
        const ep_canon_graph *graph = c->graph_order.items[i];
        for (size_t j = 0; j < graph->named_count; j++) {
            TRY(put_value(c, &graph->values.items[graph->named[j]]));
        }
    }
    return true;
}

/* ------------------------------------------------------------------------ names */

static bool is_named(const ep_canon_symbol *s) {
    return s->name.size > 0;
}

/* SPEC 6.7.4, step 1 */
static bool name_single(ep_canonizer *c, ep_canon_expression *e) {
    ep_canon_symbol *single = NULL;
    for (size_t i = 0; i < e->srepr->symbol_count; i++) {
        if (!is_named(e->symbols[i])) {
            if (single != NULL) {
                return true;
            }
            single = e->symbols[i];
        }
    }
    return single == NULL || ep_canon_name_symbol(c, single);
}

static bool needs_names(const ep_canon_expression *e) {
    for (size_t i = 0; i < e->srepr->symbol_count; i++) {
        if (!is_named(e->symbols[i])) {
            return true;
        }
    }
    return false;
}

/* Names the symbols of a term from left to right, with an explicit stack. */
static bool name_terms(ep_canonizer *c, const ep_canon_expression *e, const ep_term *root) {
    ep_terms open;
    ep_terms_init(&open, c->arena);
    bool pushed = ep_terms_push(&open, root);
    bool ok = true;
    while (pushed && ok && open.count > 0) {
        const ep_term *term = ep_terms_pop(&open);
        if (term->kind == EP_TERM_SYMBOL && !is_named(e->symbols[term->number])) {
            ok = ep_canon_name_symbol(c, e->symbols[term->number]);
        }
        for (uint32_t i = term->kind == EP_TERM_CALL ? term->number : 0; pushed && i-- > 0;) {
            pushed = ep_terms_push(&open, term->arguments[i]);
        }
    }
    ep_terms_free(&open);
    if (!pushed) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return ok;
}

/* SPEC 6.7.4, step 2. The expression keeps the order in which its symbols were named.
 * Sorting it again by the new names could change the order, and the form would not be
 * idempotent. */
static bool name_several(ep_canonizer *c, ep_canon_expression *e) {
    if (!needs_names(e)) {
        return true;
    }
    e->root = ep_canon_normal(c->arena, e->srepr, e->symbols, &c->undecided);
    return e->root == NULL ? ep_canon_fail(c, EP_MEMORY) : name_terms(c, e, e->root);
}

static bool name_sequence(ep_canonizer *c,
                          bool (*name)(ep_canonizer *c, ep_canon_expression *expression)) {
    const ep_canon_expressions *sequence = &c->symbols->sequence;
    for (size_t i = 0; i < sequence->count; i++) {
        TRY(name(c, sequence->items[i]));
    }
    return true;
}

/* ------------------------------------------------------------------------ keys */

/* A key with the new names of its symbols. SPEC 6.7.5 */
static bool write_key(ep_canonizer *c, ep_bytes key, ep_bytes *written) {
    ep_canon_key_part part = {.next = 0};
    ep_growing text;
    ep_growing_init(&text, c->arena);
    bool ok = true;
    while (ok && ep_canon_key_next(key, &part)) {
        ep_canon_symbol *s = NULL;
        ok = !part.is_symbol ||
             EP_ALWAYS(ep_canon_symbol_of(c, part.text, &s)); /* others are left out, SPEC 6.2.5 */
        ok = ok && ep_growing_put(&text, s == NULL ? part.text : s->name);
    }
    ok = ok && ep_growing_keep(&text, c->arena, written);
    ep_growing_free(&text);
    return ok || ep_canon_fail(c, EP_MEMORY);
}

static int compare_keys(const void *context, uint32_t a, uint32_t b) {
    const ep_bytes *keys = context;
    return ep_sort_texts(keys[a], keys[b]);
}

/* The ranges with their new keys. */
typedef struct ranges {
    ep_bytes *keys;
    uint64_t *values;
    size_t count;
} ranges;

/* The range of a symbol that has none: open at both ends. SPEC 6.2.5 */
static bool add_open_range(ep_canonizer *c, const ep_canon_symbol *s, ranges *r) {
    ep_node *range = ep_maker_struct(c->maker, EP_SHAPE_RangeConstraint);
    if (range == NULL) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    r->keys[r->count] = s->name;
    r->values[r->count++] = ep_pointer_bits(range);
    return true;
}

static bool read_ranges(ep_canonizer *c, uint64_t dict, ranges *r) {
    const ep_canon_symbol_stack *symbols = &c->symbols->symbols;
    size_t most = ep_list_count(dict) + symbols->count;
    r->keys = ep_canon_array(c, most, sizeof *r->keys);
    r->values = ep_canon_array(c, most, sizeof *r->values);
    TRY(r->keys != NULL && r->values != NULL);
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_bytes key;
        TRY(ep_canon_text(c, ep_dict_key(dict, i), &key) && write_key(c, key, &r->keys[i]));
        r->values[r->count++] = ep_dict_value(dict, i);
    }
    for (size_t i = 0; i < symbols->count; i++) {
        TRY(symbols->items[i]->has_range || add_open_range(c, symbols->items[i], r));
    }
    return true;
}

/* SPEC 6.7.5, 6.8.1 */
static bool rewrite_ranges(ep_canonizer *c) {
    uint8_t slot = c->fields.slot[EP_F_ExportedProgram_range_constraints];
    ranges r = {.count = 0};
    TRY(read_ranges(c, c->root->slots[slot], &r));
    const uint32_t *order = ep_sort_order(c->arena, r.count, compare_keys, r.keys);
    ep_list *list = ep_list_make(c->arena, r.count, 2 * r.count);
    if (order == NULL || list == NULL) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    for (size_t i = 0; i < r.count; i++) {
        list->items[r.count + i] = r.values[order[i]];
        if (!ep_maker_text(c->maker, r.keys[order[i]], &list->items[i])) {
            return ep_canon_fail(c, c->maker->code);
        }
    }
    c->root->slots[slot] = r.count == 0 ? 0 : ep_pointer_bits(list);
    return true;
}

/* ----------------------------------------------------------------------- the whole */

static bool rewrite(ep_canonizer *c, ep_canon_expression *e) {
    ep_bytes text;
    TRY(ep_canon_print(c, e, &text));
    return ep_maker_text(c->maker, text, &e->rewritten) || ep_canon_fail(c, c->maker->code);
}

static bool rewrite_all(ep_canonizer *c) {
    for (size_t i = 0; i < c->expression_slots.count; i++) {
        ep_canon_expression *e = c->symbols->at.items[i];
        TRY(e->rewritten != 0 || rewrite(c, e));
        *ep_canon_expression_slot(c, i) = e->rewritten;
    }
    return true;
}

bool ep_canon_symbols(ep_canonizer *c) {
    return put_all(c) && name_sequence(c, name_single) && name_sequence(c, name_several) &&
           rewrite_all(c) && rewrite_ranges(c);
}
