/*
 * migrate/expression.c - symbolic expressions, translated into the form of the other
 * version (SPEC 7.5.1), and the ranges that their symbols need (7.4.6).
 */
#include "migrate/migrate.h"

#include "base/sort.h"
#include "language/respell.h"

static bool convert(ep_migration *m, const ep_expression *expression, uint64_t *bits) {
    bool sayable;
    ep_bytes text;
    if (!ep_respell(expression, m->arena, &sayable, &text)) {
        return ep_migrate_no_memory(m);
    }
    if (!sayable) {
        return ep_migrate_fail(m, EP_MIGRATE_TEXT, "expr_str");
    }
    m->steps[EP_STEP_EXPRESSION]++;
    return ep_maker_text(&m->maker, text, bits) || ep_migrate_no_memory(m);
}

/* The symbols that will need a range. */
static bool note_symbols(ep_migration *m, const ep_expression *expression) {
    for (size_t i = 0; ep_migrate_up(m, EP_V5_3) && i < expression->symbol_count; i++) {
        uint32_t number;
        bool fresh;
        if (!ep_map_put(&m->symbols, expression->symbols[i].name, &number, &fresh)) {
            return ep_migrate_no_memory(m);
        }
    }
    return true;
}

/* SPEC 4.1 */
static bool has_either(const ep_migration *m) {
    return EP_V8_1_a <= m->since && m->since < EP_V8_2;
}

/* The form that a text has; of versions that have either, the one that is valid in its
 * place, of both the later (SPEC 4.1). */
static bool parse(ep_migration *m, const ep_passage *passage, const ep_expression **expression) {
    ep_expression_options options = {
        .form = EP_EXPRESSION_SREPR, .sort = m->sort, .depth = SIZE_MAX};
    if (has_either(m)) {
        if (ep_expression_parse(m->arena, passage, &options, expression, &m->fault)) {
            return true;
        }
        TRY(m->fault.code != EP_MEMORY);
    }
    options.any_sort = true;
    options.form = m->since < EP_V8_2 ? EP_EXPRESSION_INFIX : EP_EXPRESSION_SREPR;
    return ep_expression_parse(m->arena, passage, &options, expression, &m->fault);
}

/* *bits stays what it is where the text does. */
static bool translate(ep_migration *m, ep_ref text, uint64_t *bits) {
    bool up = ep_migrate_up(m, EP_V8_2);
    bool down = ep_migrate_down(m, EP_V8_2) || (has_either(m) && m->until < EP_V8_1_a);
    const ep_expression *expression;
    ep_passage passage;
    if (!ep_passage_open(&passage, m->arena, m->input, text)) {
        return ep_migrate_no_memory(m);
    }
    if (!parse(m, &passage, &expression)) {
        return m->for_form && m->fault.code != EP_MEMORY; /* beside a tree it can be anything */
    }
    bool turns = expression->form == EP_EXPRESSION_SREPR ? down : up;
    return note_symbols(m, expression) && (!turns || convert(m, expression, bits));
}

/* Translates each text once, but where its form depends on its place. */
bool ep_migrate_expression(ep_migration *m, ep_ref text, uint64_t *bits) {
    const bool turns = ep_migrate_up(m, EP_V8_2) || ep_migrate_down(m, EP_V8_2) ||
                       (has_either(m) && m->until < EP_V8_1_a);
    uint32_t number;
    bool fresh;
    *bits = text;
    if ((!turns && !ep_migrate_up(m, EP_V5_3)) || ep_ref_size(text) == 0) {
        return true;
    }
    if (has_either(m)) {
        return translate(m, text, bits);
    }
    if (!ep_map_put(&m->texts->expressions, ep_ref_raw(m->input.data, text), &number, &fresh)) {
        return ep_migrate_no_memory(m);
    }
    if (fresh) {
        uint64_t made = 0;
        TRY(translate(m, text, &made));
        if (!ep_stack_push(&m->texts->translated, made)) {
            return ep_migrate_no_memory(m);
        }
    } else {
        m->steps[EP_STEP_EXPRESSION] += m->texts->translated.words[number] != 0;
    }
    *bits = m->texts->translated.words[number] == 0 ? text : m->texts->translated.words[number];
    return true;
}

/* ------------------------------------------------------------------------ ranges */

/* A range that is open at both ends. */
static bool open_range(ep_migration *m, uint64_t *bits) {
    ep_node *range = ep_maker_struct(&m->maker, EP_SHAPE_RangeConstraint);
    if (range == NULL) {
        return ep_migrate_no_memory(m);
    }
    const ep_shape *shape =
        ep_maker_shape(&m->maker, EP_SHAPE_RangeConstraint, EP_F_RangeConstraint_min_val);
    *bits = ep_pointer_bits(range);
    if (shape->op == EP_OP_INT && !shape->nullable) {
        return ep_migrate_fail(m, EP_MIGRATE_VALUE, "range_constraints");
    }
    if (shape->op == EP_OP_OPEN_END) {
        range->slots[m->maker.fields.slot[EP_F_RangeConstraint_min_val]] = (uint64_t)-1;
        range->slots[m->maker.fields.slot[EP_F_RangeConstraint_max_val]] = 1;
    }
    return true;
}

static bool add_ranges(ep_migration *m, const ep_map *ranged, ep_stack *keys, ep_stack *values) {
    for (size_t i = 0; i < m->symbols.count; i++) {
        ep_bytes name = m->symbols.keys[i].text;
        uint64_t key;
        uint64_t range = 0;
        if (ep_map_find(ranged, name) != EP_MAP_NONE) {
            continue;
        }
        TRY(open_range(m, &range));
        if (!ep_maker_text(&m->maker, name, &key) || !ep_stack_push(keys, key) ||
            !ep_stack_push(values, range)) {
            return ep_migrate_no_memory(m);
        }
        m->steps[EP_STEP_RANGE]++;
    }
    return true;
}

static int compare_keys(const void *context, uint32_t a, uint32_t b) {
    const ep_bytes *texts = context;
    return ep_sort_texts(texts[a], texts[b]);
}

/* Sorts all ranges by their keys when some were added: the added ones have no order of
 * their own. SPEC 7.4.6 */
static bool sort_ranges(ep_migration *m, ep_stack *keys, ep_stack *values) {
    size_t count = keys->count;
    ep_bytes all = {m->maker.text.data, m->maker.text.size};
    ep_bytes *texts = ep_arena_array(m->arena, 0, count, sizeof *texts);
    uint64_t *scratch = ep_arena_array(m->arena, 0, count, sizeof *scratch);
    bool ok = texts != NULL && scratch != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        ok = ep_ref_text(m->arena, all, keys->words[i], &texts[i]);
    }
    const uint32_t *order = ok ? ep_sort_order(m->arena, count, compare_keys, texts) : NULL;
    if (order == NULL) {
        return ep_migrate_no_memory(m);
    }
    ep_sort_apply(order, keys->words, count, scratch);
    ep_sort_apply(order, values->words, count, scratch);
    return true;
}

/* The ranges that the program has, and their names. */
static bool take_ranges(ep_migration *m, uint64_t dict, ep_map *ranged, ep_stack *keys,
                        ep_stack *values) {
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_bytes name;
        uint32_t number;
        bool fresh;
        if (!ep_ref_text(m->arena, m->input, ep_dict_key(dict, i), &name) ||
            !ep_map_put(ranged, name, &number, &fresh) ||
            !ep_stack_push(keys, ep_dict_key(dict, i)) ||
            !ep_stack_push(values, ep_dict_value(dict, i))) {
            return ep_migrate_no_memory(m);
        }
    }
    return true;
}

/* SPEC 7.4.6: from 5.3 on every symbol has a range. */
bool ep_migrate_ranges(ep_migration *m, ep_node *root) {
    ep_map ranged;
    ep_stack keys, values;
    uint64_t dict = ep_field_bits(&m->maker.fields, root, EP_F_ExportedProgram_range_constraints);
    if (m->symbols.count == 0) {
        return true;
    }
    m->at = m->program->root;
    ep_map_init(&ranged, m->arena);
    ep_stack_init(&keys, m->arena);
    ep_stack_init(&values, m->arena);
    bool ok =
        take_ranges(m, dict, &ranged, &keys, &values) && add_ranges(m, &ranged, &keys, &values);
    ok = ok && (m->steps[EP_STEP_RANGE] == 0 || sort_ranges(m, &keys, &values));
    if (ok && !ep_maker_dict(&m->maker, &keys, &values, &dict)) {
        ok = ep_migrate_no_memory(m);
    }
    ep_maker_set(&m->maker, root, EP_F_ExportedProgram_range_constraints, dict);
    ep_map_free(&ranged);
    ep_stack_free(&keys);
    ep_stack_free(&values);
    return ok;
}
