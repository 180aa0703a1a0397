/*
 * migrate_expression.c - layer 6: symbolic expressions from the infix form to
 * srepr and back (SPEC 7.5.1). The text of the other form is written piece by
 * piece from a stack of what is still to come: terms, and texts around them.
 */
#include "migrate.h"

#include "expression_reader.h"

/* How tightly a piece of infix text binds. */
enum { LEVEL_RELATION, LEVEL_ADD, LEVEL_MUL, LEVEL_POWER, LEVEL_ATOM };

/* A term still to be written, or a text. */
typedef struct piece {
    const ep_term *term; /* NULL: the text */
    const char *text;
    uint8_t level; /* that its place asks for */
    bool minus;    /* the term times -1 */
} piece;

typedef struct rewriting {
    ep_migration *m;
    const ep_expression *expression;
    ep_growing text;
    ep_stack pieces;
    bool sayable;
} rewriting;

static bool put(rewriting *r, ep_bytes text) {
    return ep_growing_put(&r->text, text) || ep_migrate_no_memory(r->m);
}

static bool put_literal(rewriting *r, const char *text) {
    return put(r, ep_text_of(text));
}

enum { PIECE_WORDS = 3 };

/* Puts a piece before all that is still to come. */
static bool push(rewriting *r, piece p) {
    bool ok = ep_stack_push(&r->pieces, ep_pointer_bits(p.term)) &&
              ep_stack_push(&r->pieces, ep_pointer_bits(p.text)) &&
              ep_stack_push(&r->pieces, (uint64_t)p.level << 1 | p.minus);
    return ok || ep_migrate_no_memory(r->m);
}

static bool push_text(rewriting *r, const char *text) {
    return push(r, (piece){.text = text});
}

static bool push_term(rewriting *r, const ep_term *term, uint8_t level, bool minus) {
    return push(r, (piece){.term = term, .level = level, .minus = minus});
}

static piece pop(rewriting *r) {
    const uint64_t *words = r->pieces.words + (r->pieces.count -= PIECE_WORDS);
    return (piece){(const ep_term *)(uintptr_t)words[0], (const char *)(uintptr_t)words[1],
                   (uint8_t)(words[2] >> 1), (words[2] & 1) != 0};
}

static bool cannot_say(rewriting *r) {
    r->sayable = false;
    return true;
}

/* Arguments with a text between each two, from the i-th on, last to first. */
static bool push_arguments(rewriting *r, const ep_term *term, size_t from, const char *between,
                           uint8_t level) {
    for (size_t i = term->number; i-- > from;) {
        TRY(push_term(r, term->arguments[i], level, false));
        TRY(i == from || push_text(r, between));
    }
    return true;
}

static bool is_call_of(const ep_term *term, unsigned function) {
    return term->kind == EP_TERM_CALL && term->function == function;
}

/* ------------------------------------------------------------------- to srepr */

/* What PyTorch assumes of a symbol, by the name that it gave it: a size (s0) is
 * positive, an unbacked one (u0, i0) is an integer, one of floats (zf0, zuf0)
 * neither. */
static const char *assumptions_of(ep_bytes name) {
    if (name.size > 0 && (name.data[0] == 'z' || name.data[0] == 'f')) {
        return "')";
    }
    return name.size > 0 && name.data[0] == 's' ? "', positive=True, integer=True)"
                                                : "', integer=True)";
}

static bool write_number(rewriting *r, ep_bytes digits, bool minus) {
    return put_literal(r, minus ? "Integer(-" : "Integer(") && put(r, digits) &&
           put_literal(r, ")");
}

/* Infix has zeros up to the fifteenth digit; srepr has none at the end. */
static bool write_float(rewriting *r, ep_bytes text, bool minus) {
    size_t end = 0;
    while (end < text.size && text.data[end] != 'e') {
        end++;
    }
    ep_bytes exponent = {text.data + end, text.size - end};
    while (end > 2 && text.data[end - 1] == '0' && text.data[end - 2] != '.') {
        end--;
    }
    return put_literal(r, minus ? "Float('-" : "Float('") && put(r, (ep_bytes){text.data, end}) &&
           put(r, exponent) && put_literal(r, "', precision=53)");
}

static bool is_divisor(const ep_term *term) {
    return term->kind == EP_TERM_QUOTIENT;
}

static bool is_integer_divisor(const ep_term *term) {
    return is_divisor(term) && term->arguments[0]->kind == EP_TERM_INTEGER;
}

/* What the factors of an infix product come to: the integer that they are
 * divided by, if any, goes to the front as a rational. */
typedef struct product {
    const ep_term *over; /* a leading integer, that is not only there for a slash */
    const ep_term *under;
    size_t first; /* factor behind the leading integer */
    size_t rest;  /* factors that are neither */
    bool sayable;
} product;

static bool is_one(ep_bytes digits) {
    return digits.size == 1 && digits.data[0] == '1';
}

static product product_of(const ep_term *term, bool minus) {
    product p = {.sayable = true};
    p.over = term->arguments[0]->kind == EP_TERM_INTEGER ? term->arguments[0] : NULL;
    p.first = p.over != NULL;
    for (size_t i = p.first; i < term->number; i++) {
        if (is_integer_divisor(term->arguments[i])) {
            p.sayable = p.sayable && p.under == NULL;
            p.under = term->arguments[i]->arguments[0];
        } else {
            p.rest++;
        }
    }
    bool only_there = p.over != NULL && p.under == NULL && !minus && term->number > 1 &&
                      is_divisor(term->arguments[1]) && is_one(ep_term_text(p.over));
    p.over = only_there ? NULL : p.over;
    return p;
}

/* The factors behind the leading number, last to first. */
static bool push_factors(rewriting *r, const ep_term *term, const product *p, bool leads) {
    for (size_t i = term->number; i-- > p->first;) {
        const ep_term *factor = term->arguments[i];
        if (is_integer_divisor(factor)) {
            continue;
        }
        if (is_divisor(factor)) {
            TRY(push_text(r, ", Integer(-1))") && push_term(r, factor->arguments[0], 0, false) &&
                push_text(r, "Pow("));
        } else {
            TRY(push_term(r, factor, 0, false));
        }
        TRY((i == p->first && !leads) || push_text(r, ", "));
    }
    return true;
}

/* A Mul, or what is left of it when there is one factor. */
static bool write_product(rewriting *r, const ep_term *term, bool minus) {
    product p = product_of(term, minus);
    bool leads = p.over != NULL || p.under != NULL || minus;
    ep_bytes digits = p.over == NULL ? EP_TEXT("1") : ep_term_text(p.over);
    bool alone = p.rest + leads == 1;
    if (!p.sayable) {
        return cannot_say(r);
    }
    TRY(alone || push_text(r, ")"));
    TRY(push_factors(r, term, &p, leads));
    TRY(alone || put_literal(r, "Mul("));
    if (p.under != NULL) {
        return put_literal(r, minus ? "Rational(-" : "Rational(") && put(r, digits) &&
               put_literal(r, ", ") && put(r, ep_term_text(p.under)) && put_literal(r, ")");
    }
    return !leads || write_number(r, digits, minus);
}

/* sympy's own functions, which PyTorch 2.1 to 2.3 used, have a class of
 * PyTorch's from then on. */
static bool write_old_function(rewriting *r, const ep_function_row *row) {
    static const struct {
        const char *old, *name;
    } names[] = {{"Trunc", "TruncToInt("}, {"Round", "RoundToInt("}};
    for (size_t i = 0; i < EP_COUNT_OF(names); i++) {
        if (ep_text_equal(row->infix, ep_text_of(names[i].old))) {
            return put_literal(r, names[i].name);
        }
    }
    return put_literal(r, "OpaqueUnaryFn_") && put(r, row->infix) && put_literal(r, "(");
}

static bool write_call(rewriting *r, const ep_term *term) {
    const ep_function_row *row = ep_function_row_of(term->function);
    TRY(push_text(r, ")") && push_arguments(r, term, 0, ", ", 0));
    if (row->srepr.size == 0) {
        return write_old_function(r, row);
    }
    return put(r, row->srepr) && put_literal(r, "(");
}

/* One term in srepr. The level above all others asks for bare digits. */
static bool write_srepr(rewriting *r, const piece *p) {
    const ep_term *term = p->term;
    ep_bytes text = ep_term_text(term);
    bool is_product = is_call_of(term, EP_FUNCTION_Mul);
    if (p->level > LEVEL_ATOM) {
        return put(r, text);
    }
    if (p->minus && !is_product && term->kind != EP_TERM_INTEGER &&
        term->kind != EP_TERM_NEGATIVE && term->kind != EP_TERM_FLOAT &&
        term->kind != EP_TERM_GROUP) {
        return put_literal(r, "Mul(Integer(-1), ") && push_text(r, ")") &&
               push_term(r, term, 0, false);
    }
    switch ((ep_term_kind)term->kind) {
    case EP_TERM_INTEGER:
        return write_number(r, text, p->minus);
    case EP_TERM_FLOAT:
        return write_float(r, text, p->minus);
    case EP_TERM_SYMBOL:
        text = r->expression->symbols[term->number].name;
        return put_literal(r, "Symbol('") && put(r, text) && put_literal(r, assumptions_of(text));
    case EP_TERM_TRUE:
        return put_literal(r, "true");
    case EP_TERM_FALSE:
        return put_literal(r, "false");
    case EP_TERM_GROUP:
        return push_term(r, term->arguments[0], 0, p->minus);
    case EP_TERM_NEGATIVE:
        return push_term(r, term->arguments[0], 0, !p->minus);
    case EP_TERM_CALL:
        return is_product ? write_product(r, term, p->minus) : write_call(r, term);
    case EP_TERM_RATIONAL:
    case EP_TERM_QUOTIENT:
        break;
    }
    return cannot_say(r);
}

/* ------------------------------------------------------------------- to infix */

static bool is_minus(ep_bytes digits) {
    return digits.size > 0 && digits.data[0] == '-';
}

static ep_bytes without_minus(ep_bytes digits) {
    return is_minus(digits) ? (ep_bytes){digits.data + 1, digits.size - 1} : digits;
}

/* Pow(x, Integer(-1)), which infix has under a slash. */
static bool is_inverse(const ep_term *term) {
    if (!is_call_of(term, EP_FUNCTION_Pow) || term->arguments[1]->kind != EP_TERM_INTEGER) {
        return false;
    }
    ep_bytes digits = ep_term_text(term->arguments[1]);
    return is_minus(digits) && is_one(without_minus(digits));
}

/* Whether a term begins with a minus sign, which its place may take over. */
static bool leads_with_minus(const ep_term *term) {
    if (is_call_of(term, EP_FUNCTION_Mul)) {
        term = term->arguments[0];
    }
    if (term->kind == EP_TERM_RATIONAL) {
        term = term->arguments[0];
    }
    return (term->kind == EP_TERM_INTEGER || term->kind == EP_TERM_FLOAT) &&
           is_minus(ep_term_text(term));
}

static uint8_t level_of(const ep_term *term, bool minus) {
    bool negative = leads_with_minus(term) != minus;
    switch ((int)term->kind) {
    case EP_TERM_INTEGER:
    case EP_TERM_FLOAT:
        return negative ? LEVEL_ADD : LEVEL_ATOM;
    case EP_TERM_RATIONAL:
        return negative ? LEVEL_ADD : LEVEL_MUL;
    case EP_TERM_CALL:
        break;
    default:
        return LEVEL_ATOM;
    }
    switch (term->function) {
    case EP_FUNCTION_Add:
        return LEVEL_ADD;
    case EP_FUNCTION_Mul:
        return negative ? LEVEL_ADD : LEVEL_MUL;
    case EP_FUNCTION_Pow:
        return is_inverse(term) ? LEVEL_MUL : LEVEL_POWER;
    case EP_FUNCTION_LessThan:
    case EP_FUNCTION_StrictLessThan:
    case EP_FUNCTION_GreaterThan:
    case EP_FUNCTION_StrictGreaterThan:
    case EP_FUNCTION_And:
    case EP_FUNCTION_Or:
    case EP_FUNCTION_Not:
        return LEVEL_RELATION;
    default:
        return LEVEL_ATOM;
    }
}

/* A number, its sign turned if the place took it over. */
static bool write_digits(rewriting *r, ep_bytes digits, bool minus) {
    bool negative = is_minus(digits) != minus;
    return (!negative || put_literal(r, "-")) && put(r, without_minus(digits));
}

static bool write_sum(rewriting *r, const ep_term *term) {
    for (size_t i = term->number; i-- > 0;) {
        bool minus = i > 0 && leads_with_minus(term->arguments[i]);
        TRY(push_term(r, term->arguments[i], i > 0 ? LEVEL_MUL : LEVEL_ADD, minus));
        TRY(i == 0 || push_text(r, minus ? " - " : " + "));
    }
    return true;
}

/* Factors from the i-th on, last to first, each behind its sign. */
static bool push_operands(rewriting *r, const ep_term *term, size_t from) {
    for (size_t i = term->number; i-- > from;) {
        const ep_term *factor = term->arguments[i];
        bool inverse = is_inverse(factor);
        TRY(push_term(r, inverse ? factor->arguments[0] : factor, LEVEL_POWER, false));
        TRY((i == from && !inverse) || push_text(r, inverse ? "/" : "*"));
        TRY(i != from || from > 0 || !inverse || push_text(r, "1"));
    }
    return true;
}

/* A Mul: -1*x is -x, and a rational goes around the factors. */
static bool write_factors(rewriting *r, const ep_term *term, bool minus) {
    const ep_term *first = term->arguments[0];
    bool rational = first->kind == EP_TERM_RATIONAL;
    const ep_term *number = rational ? first->arguments[0] : first;
    ep_bytes digits = ep_term_text(number);
    if (number->kind != EP_TERM_INTEGER) {
        return push_operands(r, term, 0);
    }
    bool negative = is_minus(digits) != minus;
    bool inverse = is_inverse(term->arguments[1]);
    bool left_out = is_one(without_minus(digits)) && !inverse;
    if (rational) {
        TRY(push_term(r, first->arguments[1], LEVEL_ATOM, false) && push_text(r, "/"));
    }
    TRY(push_operands(r, term, 1));
    return (!negative || put_literal(r, "-")) &&
           (left_out || (put(r, without_minus(digits)) && (inverse || put_literal(r, "*"))));
}

static bool write_power(rewriting *r, const ep_term *term) {
    if (is_inverse(term)) {
        return push_term(r, term->arguments[0], LEVEL_POWER, false) && put_literal(r, "1/");
    }
    return push_arguments(r, term, 0, "**", LEVEL_ATOM);
}

static bool write_operator(rewriting *r, const ep_term *term, bool minus) {
    const ep_function_row *row = ep_function_row_of(term->function);
    switch (term->function) {
    case EP_FUNCTION_Add:
        return write_sum(r, term);
    case EP_FUNCTION_Mul:
        return write_factors(r, term, minus);
    case EP_FUNCTION_Pow:
        return write_power(r, term);
    case EP_FUNCTION_FloorDiv:
        return push_text(r, ")") && push_arguments(r, term, 0, "//", LEVEL_POWER) &&
               put_literal(r, "(");
    case EP_FUNCTION_ExprCondPair:
        return push_text(r, ")") && push_arguments(r, term, 0, ", ", 0) && put_literal(r, "(");
    case EP_FUNCTION_And:
    case EP_FUNCTION_Or:
    case EP_FUNCTION_Not:
        TRY(push_arguments(r, term, 0, term->function == EP_FUNCTION_And ? " & " : " | ",
                           LEVEL_ATOM));
        return put(r, row->open);
    case EP_FUNCTION_LessThan:
        return push_arguments(r, term, 0, " <= ", LEVEL_ADD);
    case EP_FUNCTION_StrictLessThan:
        return push_arguments(r, term, 0, " < ", LEVEL_ADD);
    case EP_FUNCTION_GreaterThan:
        return push_arguments(r, term, 0, " >= ", LEVEL_ADD);
    case EP_FUNCTION_StrictGreaterThan:
        return push_arguments(r, term, 0, " > ", LEVEL_ADD);
    default:
        break;
    }
    if (row->infix.size == 0) {
        return cannot_say(r);
    }
    return push_text(r, ")") && push_arguments(r, term, 0, ", ", 0) && put(r, row->infix) &&
           put_literal(r, "(");
}

/* Whether infix, which has 15 significant digits, has all of a float's. */
static bool is_usual_float(const ep_term *term) {
    ep_bytes text = ep_term_text(term);
    size_t digits = 0;
    for (size_t i = 0; i < text.size && text.data[i] != 'e'; i++) {
        digits += ep_is_digit(text.data[i]) && (digits > 0 || text.data[i] != '0');
    }
    return digits <= 15 && ep_text_equal(ep_term_text(term->arguments[0]), EP_TEXT("53"));
}

static bool write_infix(rewriting *r, const piece *p) {
    const ep_term *term = p->term;
    if (level_of(term, p->minus) < p->level) {
        return push_text(r, ")") && push_term(r, term, 0, p->minus) && put_literal(r, "(");
    }
    switch ((ep_term_kind)term->kind) {
    case EP_TERM_INTEGER:
        return write_digits(r, ep_term_text(term), p->minus);
    case EP_TERM_FLOAT:
        return is_usual_float(term) ? write_digits(r, ep_term_text(term), p->minus) : cannot_say(r);
    case EP_TERM_RATIONAL:
        return push_term(r, term->arguments[1], LEVEL_ATOM, false) && push_text(r, "/") &&
               push_term(r, term->arguments[0], LEVEL_ADD, p->minus);
    case EP_TERM_SYMBOL:
        return put(r, r->expression->symbols[term->number].name);
    case EP_TERM_TRUE:
        return put_literal(r, "True");
    case EP_TERM_FALSE:
        return put_literal(r, "False");
    case EP_TERM_CALL:
        return write_operator(r, term, p->minus);
    case EP_TERM_GROUP:
    case EP_TERM_NEGATIVE:
    case EP_TERM_QUOTIENT:
        break;
    }
    return cannot_say(r);
}

/* ------------------------------------------------------------------ the whole */

static bool rewrite(rewriting *r) {
    bool to_srepr = r->expression->form == EP_EXPRESSION_INFIX;
    TRY(push_term(r, r->expression->root, 0, false));
    while (r->sayable && r->pieces.count > 0) {
        piece p = pop(r);
        if (p.term == NULL) {
            TRY(put_literal(r, p.text));
        } else {
            TRY(to_srepr ? write_srepr(r, &p) : write_infix(r, &p));
        }
    }
    return true;
}

static bool convert(ep_migration *m, const ep_expression *expression, uint64_t *bits) {
    rewriting r = {.m = m, .expression = expression, .sayable = true};
    ep_growing_init(&r.text, m->arena);
    ep_stack_init(&r.pieces, m->arena);
    bool ok = rewrite(&r);
    if (ok && r.sayable) {
        m->steps[EP_STEP_EXPRESSION]++;
        ok = ep_maker_text(&m->maker, (ep_bytes){r.text.data, r.text.size}, bits) ||
             ep_migrate_no_memory(m);
    } else if (ok) {
        ok = ep_migrate_fail(m, EP_MIGRATE_TEXT, "expr_str");
    }
    ep_growing_free(&r.text);
    ep_stack_free(&r.pieces);
    return ok;
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

bool ep_migrate_expression(ep_migration *m, ep_ref text, uint64_t *bits) {
    bool up = ep_migrate_up(m, EP_V8_2);
    ep_expression_options options = {.any_sort = true, .depth = SIZE_MAX};
    const ep_expression *expression;
    ep_passage passage;
    bool turns = up || ep_migrate_down(m, EP_V8_2);
    *bits = text;
    if ((!turns && !ep_migrate_up(m, EP_V5_3)) || ep_ref_size(text) == 0) {
        return true;
    }
    if (!ep_passage_open(&passage, m->arena, m->input, text)) {
        return ep_migrate_no_memory(m);
    }
    options.form = m->since < EP_V8_2 ? EP_EXPRESSION_INFIX : EP_EXPRESSION_SREPR;
    TRY(ep_expression_parse(m->arena, &passage, &options, &expression, &m->fault));
    return note_symbols(m, expression) && (!turns || convert(m, expression, bits));
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
    if (ok && !ep_maker_dict(&m->maker, &keys, &values, &dict)) {
        ok = ep_migrate_no_memory(m);
    }
    ep_maker_set(&m->maker, root, EP_F_ExportedProgram_range_constraints, dict);
    ep_map_free(&ranged);
    ep_stack_free(&keys);
    ep_stack_free(&values);
    return ok;
}
