/*
 * canon/name_symbols.c - symbols are renamed by where they occur, and the expressions
 * and keys that contain them are rewritten (SPEC 6.7.4, 6.7.5).
 */
#include "base/sort.h"
#include "canon/face.h"
#include "canon/symbols.h"

/* --------------------------------------------------------------------- sequence */

static bool put_text(ep_canonizer *c, ep_ref ref) {
    ep_canon_expression *e;
    TRY(EP_ALWAYS(ep_canon_expression_of(c, ref, &e))); /* it has been read before */
    if (!ep_canon_expressions_push(&c->symbols->sequence, e)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return true;
}

static bool put_symbolic(ep_canonizer *c, const ep_node *node) {
    ep_ref expression = ep_canon_expression_in(c, node);
    return expression == 0 || put_text(c, expression);
}

static bool put_dims(ep_canonizer *c, uint64_t dims) {
    for (size_t i = 0; i < ep_list_count(dims); i++) {
        TRY(put_symbolic(c, ep_item_node(dims, i)));
    }
    return true;
}

static bool put_tensor(ep_canonizer *c, const ep_node *entry) {
    ep_canon_tensor tensor = ep_canon_tensor_of(&c->fields, entry);
    return put_dims(c, tensor.dims[0]) && put_dims(c, tensor.dims[1]) &&
           (tensor.offset == NULL || put_symbolic(c, tensor.offset));
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
        for (size_t j = 0; j < graph->value_count; j++) {
            TRY(put_value(c, &graph->values[graph->by_number[j]]));
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

/* A term, and a hash of its path from the root. */
typedef struct way {
    const ep_term *term;
    uint64_t path;
} way;

EP_STACK_OF(ways, way);

/* Adds the occurrences of symbols in one expression to the looks of these symbols. */
static bool look_at_terms(const ep_canon_expression *e, size_t place, ways *open) {
    while (open->count > 0) {
        way to = ways_pop(open);
        const ep_term *term = to.term;
        if (term->kind == EP_TERM_SYMBOL) {
            e->symbols[term->number]->look +=
                ep_canon_hash_number(ep_canon_hash_int(EP_CANON_HASH, (int64_t)place), to.path);
        }
        for (uint32_t i = 0; term->kind == EP_TERM_CALL && i < term->number; i++) {
            uint64_t h = ep_canon_hash_number(EP_CANON_HASH, to.path);
            h = ep_canon_hash_text(h, ep_function_srepr(term->function));
            h = ep_canon_commutes(term->function) ? ep_canon_hash_text(h, EP_TEXT("-"))
                                                  : ep_canon_hash_int(h, i);
            TRY(ways_push(open, (way){term->arguments[i], h}));
        }
    }
    return true;
}

/* SPEC 6.7.4: a look is a hash over all occurrences of a symbol. It distinguishes
 * symbols of equal colour. */
static bool find_looks(ep_canonizer *c) {
    const ep_canon_expressions *sequence = &c->symbols->sequence;
    ways open;
    ways_init(&open, c->arena);
    bool ok = true;
    for (size_t i = 0; ok && i < sequence->count; i++) {
        const ep_canon_expression *e = sequence->items[i];
        if (!needs_names(e)) {
            continue;
        }
        const ep_term *root = ep_canon_normal(c->arena, e->srepr, e->symbols, NULL);
        ok = root != NULL && ways_push(&open, (way){root, EP_CANON_HASH}) &&
             look_at_terms(e, i, &open);
    }
    ways_free(&open);
    if (!ok) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return true;
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

/* Writes a key with the new names of its symbols. A symbol without a name is written
 * as its colour. SPEC 6.7.5 */
static bool write_key(ep_canonizer *c, ep_bytes key, ep_growing *text) {
    ep_canon_key_part part = {.next = 0};
    while (ep_canon_key_next(key, &part)) {
        ep_canon_symbol *s = NULL;
        if (part.is_symbol) {
            TRY(EP_ALWAYS(ep_canon_symbol_of(c, part.text, &s))); /* read before */
        }
        ep_bytes written = s == NULL ? part.text : is_named(s) ? s->name : s->color;
        if (!ep_growing_put(text, written)) {
            return ep_canon_fail(c, EP_MEMORY);
        }
    }
    return true;
}

/* The keys of ranges, and the texts by which they are sorted. */
typedef struct ranges {
    ep_canonizer *c;
    uint64_t dict;
    ep_bytes *keys;    /* as the program has them */
    ep_bytes *written; /* with new names or colours */
    ep_bytes *ends;
    const uint32_t *order;
} ranges;

static bool write_range(ranges *r, size_t i, bool ends) {
    ep_canonizer *c = r->c;
    ep_growing text;
    ep_growing_init(&text, c->arena);
    bool ok = write_key(c, r->keys[i], &text) && ep_growing_keep(&text, c->arena, &r->written[i]);
    text.size = 0;
    if (ok && ends) {
        ok = ep_canon_range_text(c, ep_node_at(ep_dict_value(r->dict, i)), &text) &&
             ep_growing_keep(&text, c->arena, &r->ends[i]);
    }
    ep_growing_free(&text);
    if (!ok) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return true;
}

static int compare_ranges(const void *context, uint32_t a, uint32_t b) {
    const ranges *r = context;
    int order = ep_sort_texts(r->written[a], r->written[b]);
    return order != 0 ? order : ep_sort_texts(r->ends[a], r->ends[b]);
}

static bool open_ranges(ranges *r) {
    size_t count = ep_list_count(r->dict);
    r->keys = ep_canon_array(r->c, count, sizeof *r->keys);
    r->written = ep_canon_array(r->c, count, sizeof *r->written);
    r->ends = ep_canon_array(r->c, count, sizeof *r->ends);
    TRY(r->keys != NULL && r->written != NULL && r->ends != NULL);
    for (size_t i = 0; i < count; i++) {
        TRY(ep_canon_text(r->c, ep_dict_key(r->dict, i), &r->keys[i]) && write_range(r, i, true));
    }
    return true;
}

static bool sort_ranges(ranges *r) {
    r->order = ep_sort_order(r->c->arena, ep_list_count(r->dict), compare_ranges, r);
    if (r->order == NULL) {
        return ep_canon_fail(r->c, EP_MEMORY);
    }
    for (size_t i = 1; i < ep_list_count(r->dict); i++) {
        bool tied = compare_ranges(r, r->order[i - 1], r->order[i]) == 0;
        r->c->undecided = r->c->undecided || tied;
    }
    return true;
}

/* SPEC 6.7.4, step 3. The symbols that occur elsewhere have their names by now. */
static bool name_keys(ranges *r) {
    for (size_t i = 0; i < ep_list_count(r->dict); i++) {
        ep_canon_key_part part = {.next = 0};
        while (ep_canon_key_next(r->keys[r->order[i]], &part)) {
            ep_canon_symbol *s = NULL;
            if (part.is_symbol) {
                TRY(EP_ALWAYS(ep_canon_symbol_of(r->c, part.text, &s))); /* read before */
            }
            TRY(s == NULL || is_named(s) || ep_canon_name_symbol(r->c, s));
        }
    }
    return true;
}

/* Rewrites the dict: its keys get their new names, and keep the order in which these
 * were given. */
static bool rewrite_ranges(ranges *r) {
    size_t count = ep_list_count(r->dict);
    ep_list *list = ep_list_mutable(r->dict);
    uint64_t *values = ep_canon_array(r->c, count, sizeof *values);
    TRY(values != NULL);
    for (size_t i = 0; i < count; i++) {
        TRY(write_range(r, i, false));
        values[i] = ep_dict_value(r->dict, i);
    }
    for (size_t i = 0; i < count; i++) {
        if (!ep_maker_text(r->c->maker, r->written[r->order[i]], &list->items[i])) {
            return ep_canon_fail(r->c, r->c->maker->code);
        }
        list->items[count + i] = values[r->order[i]];
    }
    return true;
}

/* ----------------------------------------------------------------------- the whole */

static bool rewrite_one(ep_canonizer *c, uint64_t *slot) {
    ep_canon_expression *e;
    ep_bytes text;
    TRY(EP_ALWAYS(ep_canon_expression_of(c, *slot, &e))); /* it has been read before */
    if (e->rewritten == 0) {
        TRY(ep_canon_print(c, e, false, &text));
        if (!ep_maker_text(c->maker, text, &e->rewritten)) {
            return ep_canon_fail(c, c->maker->code);
        }
    }
    *slot = e->rewritten;
    return true;
}

bool ep_canon_symbols(ep_canonizer *c) {
    ranges r = {.c = c};
    r.dict = ep_field_bits(&c->fields, c->root, EP_F_ExportedProgram_range_constraints);
    TRY(put_all(c) && name_sequence(c, name_single) && find_looks(c) &&
        name_sequence(c, name_several));
    TRY(open_ranges(&r) && sort_ranges(&r) && name_keys(&r));
    return ep_canon_visit_expressions(c, rewrite_one) && rewrite_ranges(&r);
}
