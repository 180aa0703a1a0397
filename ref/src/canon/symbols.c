/*
 * canon/symbols.c - the symbols of a program with their new names, and its expressions
 * in their normal form (SPEC 6.7). Each text is parsed once.
 */
#include "canon/symbols.h"

#include "language/expression_reader.h"
#include "json/number.h"

/* ---------------------------------------------------------------------- symbols */

static const char *const prefixes[] = {"s", "u", "i", "f", "zf", "zuf", "sx", "z", "x"};

enum { NUMBERED_PREFIXES = 6, OTHER_S = 6, OTHER_Z, OTHER };

static bool is_numbered(ep_bytes name, ep_bytes prefix) {
    TRY(name.size > prefix.size && memcmp(name.data, prefix.data, prefix.size) == 0);
    for (size_t i = prefix.size; i < name.size; i++) {
        TRY(ep_is_digit(name.data[i]));
    }
    return true;
}

/* SPEC 6.7.1 */
static size_t prefix_of(ep_bytes name) {
    for (size_t i = 0; i < NUMBERED_PREFIXES; i++) {
        if (is_numbered(name, ep_text_of(prefixes[i]))) {
            return i;
        }
    }
    switch (name.data[0]) {
    case 's':
        return OTHER_S;
    case 'z':
    case 'f':
        return OTHER_Z;
    default:
        return OTHER;
    }
}

bool ep_canon_symbol_of(ep_canonizer *c, ep_bytes name, ep_canon_symbol **found) {
    struct ep_canon_symbol_table *all = c->symbols;
    uint32_t number;
    bool fresh;
    if (!ep_map_put(&all->names, name, &number, &fresh)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    if (fresh) {
        *found = ep_canon_array(c, 1, sizeof **found);
        TRY(*found != NULL);
        (*found)->old = name;
        return ep_canon_symbol_stack_push(&all->symbols, *found) || ep_canon_fail(c, EP_MEMORY);
    }
    *found = all->symbols.items[number];
    return true;
}

/* Gives a symbol the next name of its prefix. */
bool ep_canon_name_symbol(ep_canonizer *c, ep_canon_symbol *s) {
    size_t prefix = prefix_of(s->old);
    char text[8 + EP_INT_TEXT_SIZE];
    ep_bytes start = ep_text_of(prefixes[prefix]);
    ep_bytes made = {text, 0};
    memcpy(text, start.data, start.size);
    uint64_t next = c->symbols->counters.words[prefix]++;
    made.size = start.size + ep_number_print_int((int64_t)next, text + start.size);
    char *name = ep_canon_array(c, 1, made.size);
    TRY(name != NULL);
    memcpy(name, text, made.size);
    s->name = (ep_bytes){name, made.size};
    return true;
}

/* ------------------------------------------------------------------------- keys */

/* The end of a word or a number. The letter of an exponent belongs to the number. */
static size_t word_end(ep_bytes key, size_t at) {
    while (at < key.size && (ep_is_word(key.data[at]) || key.data[at] == '.')) {
        at++;
    }
    return at;
}

bool ep_canon_key_next(ep_bytes key, ep_canon_key_part *part) {
    size_t at = part->next;
    size_t begin = at;
    while (at < key.size) {
        if (!ep_is_word(key.data[at])) {
            at++;
            continue;
        }
        size_t end = word_end(key, at);
        ep_bytes word = {key.data + at, end - at};
        bool symbol = ep_is_word_start(word.data[0]) && (end == key.size || key.data[end] != '(') &&
                      !ep_text_equal(word, EP_TEXT("True")) &&
                      !ep_text_equal(word, EP_TEXT("False"));
        if (symbol && at > begin) {
            break;
        }
        at = end;
        if (symbol) {
            *part = (ep_canon_key_part){word, end, true};
            return true;
        }
    }
    *part = (ep_canon_key_part){{key.data + begin, at - begin}, at, false};
    return at > begin;
}

/* ----------------------------------------------------------------------- ranges */

/* A bound of a range in digits; empty if the range is open there. */
static size_t print_end(ep_canonizer *c, const ep_node *range, ep_field field, char *text) {
    const ep_fields *fields = &c->fields;
    if (range == NULL || !ep_field_present(fields, range, field)) {
        return 0;
    }
    return ep_number_print_int((int64_t)ep_field_bits(fields, range, field), text);
}

/* "[2,9]" */
static bool put_range(ep_canonizer *c, const ep_node *range, ep_growing *text) {
    char digits[EP_INT_TEXT_SIZE];
    bool ok = ep_growing_put(text, EP_TEXT("["));
    size_t size = print_end(c, range, EP_F_RangeConstraint_min_val, digits);
    ok = ok && ep_growing_put(text, (ep_bytes){digits, size}) && ep_growing_put(text, EP_TEXT(","));
    size = print_end(c, range, EP_F_RangeConstraint_max_val, digits);
    return ok && ep_growing_put(text, (ep_bytes){digits, size}) &&
           ep_growing_put(text, EP_TEXT("]"));
}

/* SPEC 6.7.3 */
static bool color(ep_canonizer *c, ep_canon_symbol *s, const ep_node *range) {
    ep_growing text;
    ep_growing_init(&text, c->arena);
    bool ok = ep_growing_put(&text, ep_text_of(prefixes[prefix_of(s->old)]));
    static const struct {
        unsigned bit;
        const char *letter;
    } letters[] = {{EP_ASSUME_POSITIVE, "p"}, {EP_ASSUME_INTEGER, "n"}, {EP_ASSUME_REAL, "r"}};
    for (size_t i = 0; ok && i < EP_COUNT_OF(letters); i++) {
        ok = (s->assumptions & letters[i].bit) == 0 ||
             ep_growing_put(&text, ep_text_of(letters[i].letter));
    }
    ok = ok && put_range(c, range, &text) && ep_growing_keep(&text, c->arena, &s->color);
    ep_growing_free(&text);
    return ok || ep_canon_fail(c, EP_MEMORY);
}

/* Colours the symbols that have a range. */
static bool color_all(ep_canonizer *c) {
    struct ep_canon_symbol_table *all = c->symbols;
    uint64_t dict = ep_field_bits(&c->fields, c->root, EP_F_ExportedProgram_range_constraints);
    const ep_node **ranges = ep_canon_array(c, all->names.count, sizeof *ranges);
    TRY(ranges != NULL);
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_bytes key;
        TRY(ep_canon_text(c, ep_dict_key(dict, i), &key));
        uint32_t number = ep_map_find(&all->names, key);
        if (number != EP_MAP_NONE) {
            ranges[number] = ep_node_at(ep_dict_value(dict, i));
            all->symbols.items[number]->has_range = true;
        }
    }
    for (size_t i = 0; i < all->names.count; i++) {
        TRY(color(c, all->symbols.items[i], ranges[i]));
    }
    return true;
}

/* ------------------------------------------------------------------ expressions */

/* Beside an expr_ast, which migration leaves out, a text need not be an expression: it
 * stays then, and has no symbols. SPEC 6.1.3 */
static bool read_expression(ep_canonizer *c, const ep_passage *passage, ep_canon_expression *e) {
    static const ep_expression none = {.symbol_count = 0};
    ep_expression_options options = {
        .form = EP_EXPRESSION_SREPR, .any_sort = true, .depth = SIZE_MAX};
    ep_fault fault = {.code = EP_OK};
    if (ep_expression_parse(c->arena, passage, &options, &e->srepr, &fault)) {
        return true;
    }
    e->srepr = &none;
    e->text = passage->text;
    return fault.code != EP_MEMORY || ep_canon_fail(c, EP_MEMORY);
}

static bool note_symbols(ep_canonizer *c, ep_canon_expression *e) {
    e->symbols = ep_canon_array(c, e->srepr->symbol_count, sizeof *e->symbols);
    TRY(e->symbols != NULL);
    for (size_t i = 0; i < e->srepr->symbol_count; i++) {
        ep_canon_symbol *s = NULL;
        TRY(ep_canon_symbol_of(c, e->srepr->symbols[i].name, &s));
        s->assumptions |= e->srepr->symbols[i].assumptions;
        e->symbols[i] = s;
    }
    return true;
}

/* The expression of a string. It is parsed when it is first asked for. */
static bool expression_of(ep_canonizer *c, ep_ref ref, ep_canon_expression **found) {
    struct ep_canon_symbol_table *all = c->symbols;
    ep_passage passage;
    uint32_t number;
    bool fresh;
    if (!ep_map_put(&all->texts, ep_ref_raw(c->input.data, ref), &number, &fresh)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    if (!fresh) {
        *found = all->expressions.items[number];
        return true;
    }
    *found = ep_canon_array(c, 1, sizeof **found);
    TRY(*found != NULL);
    (*found)->ref = ref;
    if (!ep_canon_expressions_push(&all->expressions, *found) ||
        !ep_passage_open(&passage, c->arena, c->input, ref)) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    return read_expression(c, &passage, *found) && note_symbols(c, *found);
}

bool ep_canon_print(ep_canonizer *c, const ep_canon_expression *e, ep_bytes *text) {
    if (e->srepr->root == NULL) {
        *text = e->text;
        return true;
    }
    ep_symbol *symbols = ep_canon_array(c, e->srepr->symbol_count, sizeof *symbols);
    TRY(symbols != NULL);
    ep_expression normal = *e->srepr;
    normal.symbols = symbols;
    normal.root = e->root != NULL ? e->root : ep_canon_normal(c->arena, e->srepr, e->symbols, NULL);
    for (size_t i = 0; i < normal.symbol_count; i++) {
        symbols[i] = e->srepr->symbols[i];
        symbols[i].name = e->symbols[i]->name;
    }
    return (normal.root != NULL && ep_expression_print(&normal, c->arena, text)) ||
           ep_canon_fail(c, EP_MEMORY);
}

ep_ref ep_canon_expression_in(const ep_canonizer *c, const ep_node *symbolic) {
    const ep_member *member = &c->fields.schema->types[symbolic->type]->members[symbolic->tag];
    return member->shape->op != EP_OP_STRUCT
               ? 0
               : ep_field_bits(&c->fields, ep_tag_node(symbolic), EP_F_SymExpr_expr_str);
}

/* -------------------------------------------------------------- all expressions */

/* The normal form with the names of the document. SPEC 6.7.4 */
static bool print_old(ep_canonizer *c, const ep_canon_expression *e, ep_bytes *text) {
    for (size_t i = 0; i < e->srepr->symbol_count; i++) {
        e->symbols[i]->name = e->symbols[i]->old;
    }
    bool ok = ep_canon_print(c, e, text);
    for (size_t i = 0; i < e->srepr->symbol_count; i++) {
        e->symbols[i]->name = (ep_bytes){NULL, 0};
    }
    return ok;
}

/* Finds the first expression that an expression is equal to. */
static bool find_first(ep_canonizer *c, ep_canon_expression *e) {
    struct ep_canon_symbol_table *all = c->symbols;
    ep_bytes text;
    uint32_t number;
    bool fresh;
    TRY(print_old(c, e, &text));
    if (!ep_map_put(&all->normal, text, &number, &fresh) ||
        (fresh && !(ep_canon_expressions_push(&all->first, e) &&
                    ep_map_put(&all->first_refs, ep_canon_ref_bytes(&e->ref), &number, &fresh)))) {
        return ep_canon_fail(c, EP_MEMORY);
    }
    e->first = all->first.items[number];
    return true;
}

/* Reads all expressions. Those that differ only in the order of operands, where that means
 * nothing, get the text of the first of them. */
static bool read_all(ep_canonizer *c) {
    for (size_t i = 0; i < c->expression_slots.count; i++) {
        uint64_t *slot = ep_canon_expression_slot(c, i);
        ep_canon_expression *e = NULL;
        TRY(expression_of(c, *slot, &e) && (e->first != NULL || find_first(c, e)));
        if (!ep_canon_expressions_push(&c->symbols->at, e->first)) {
            return ep_canon_fail(c, EP_MEMORY);
        }
        *slot = e->first->ref;
    }
    return true;
}

/* Whether the program has all symbols that a key names. */
static bool has_symbols(const ep_canonizer *c, ep_bytes key) {
    ep_canon_key_part part = {.next = 0};
    while (ep_canon_key_next(key, &part)) {
        if (part.is_symbol && ep_map_find(&c->symbols->names, part.text) == EP_MAP_NONE) {
            return false;
        }
    }
    return true;
}

/* SPEC 6.2.5 */
static bool leave_ranges(ep_canonizer *c) {
    uint64_t dict = ep_field_bits(&c->fields, c->root, EP_F_ExportedProgram_range_constraints);
    size_t count = ep_list_count(dict);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        ep_bytes key;
        TRY(ep_canon_text(c, ep_dict_key(dict, i), &key));
        if (has_symbols(c, key)) {
            uint64_t *items = ep_list_mutable(dict)->items;
            items[kept] = items[i];
            items[count + kept++] = items[count + i];
        }
    }
    if (count > 0) {
        ep_list *list = ep_list_mutable(dict);
        memmove(list->items + kept, list->items + count, kept * sizeof list->items[0]);
        list->count = kept;
    }
    return true;
}

bool ep_canon_symbols_open(ep_canonizer *c) {
    c->symbols = ep_canon_array(c, 1, sizeof *c->symbols);
    TRY(c->symbols != NULL);
    ep_map_init(&c->symbols->texts, c->arena);
    ep_map_init(&c->symbols->names, c->arena);
    ep_map_init(&c->symbols->normal, c->arena);
    ep_map_init(&c->symbols->first_refs, c->arena);
    ep_canon_expressions_init(&c->symbols->first, c->arena);
    ep_canon_expressions_init(&c->symbols->at, c->arena);
    ep_canon_expressions_init(&c->symbols->expressions, c->arena);
    ep_canon_symbol_stack_init(&c->symbols->symbols, c->arena);
    ep_canon_expressions_init(&c->symbols->sequence, c->arena);
    ep_stack_init(&c->symbols->counters, c->arena);
    for (size_t i = 0; i < EP_COUNT_OF(prefixes); i++) {
        if (!ep_stack_push(&c->symbols->counters, 0)) {
            return ep_canon_fail(c, EP_MEMORY);
        }
    }
    return read_all(c) && leave_ranges(c) && color_all(c);
}

void ep_canon_symbols_free(ep_canonizer *c) {
    if (c->symbols == NULL) {
        return;
    }
    ep_map_free(&c->symbols->texts);
    ep_map_free(&c->symbols->names);
    ep_map_free(&c->symbols->normal);
    ep_map_free(&c->symbols->first_refs);
    ep_canon_expressions_free(&c->symbols->first);
    ep_canon_expressions_free(&c->symbols->at);
    ep_canon_expressions_free(&c->symbols->expressions);
    ep_canon_symbol_stack_free(&c->symbols->symbols);
    ep_canon_expressions_free(&c->symbols->sequence);
    ep_stack_free(&c->symbols->counters);
}
