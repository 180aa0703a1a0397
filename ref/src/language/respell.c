/*
 * language/respell.c - see respell.h. Depth-first printing with an explicit stack of
 * pieces: terms that are still to be printed, and the texts around them.
 */
#include "language/respell.h"

#include "language/expression_reader.h"
#include "tree/maker.h"
#include "json/number.h"

/* The precedence of a piece of infix text. */
enum { LEVEL_RELATION, LEVEL_ADD, LEVEL_MUL, LEVEL_POWER, LEVEL_ATOM };

/* A piece of the output: a term that is still to be printed, or a text. */
typedef struct piece {
    const ep_term *term; /* NULL: the text */
    const char *text;
    uint8_t level; /* the least that its place demands */
    bool minus;    /* the term times -1 */
} piece;

EP_STACK_OF(piece_stack, piece);

typedef struct rewriting {
    const ep_expression *expression;
    ep_growing text;
    piece_stack pieces; /* the next one on top */
    bool sayable;
} rewriting;

static bool put(rewriting *r, ep_bytes text) {
    return ep_growing_put(&r->text, text);
}

static bool put_literal(rewriting *r, const char *text) {
    return put(r, ep_text_of(text));
}

/* Pushes a piece; it is printed before all others on the stack. */
static bool push_text(rewriting *r, const char *text) {
    return piece_stack_push(&r->pieces, (piece){.text = text});
}

static bool push_term(rewriting *r, const ep_term *term, uint8_t level, bool minus) {
    return piece_stack_push(&r->pieces, (piece){.term = term, .level = level, .minus = minus});
}

static bool cannot_say(rewriting *r) {
    r->sayable = false;
    return true;
}

/* Pushes the arguments from the i-th on, last to first, with a text between each two. */
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

/* The assumptions of a symbol follow from the name that PyTorch gave it: a size (s0)
 * is positive, an unbacked one (u0, i0) is an integer, one for floats (zf0, zuf0)
 * neither. */
static const char *assumptions_of(ep_bytes name) {
    if (name.data[0] == 'z' || name.data[0] == 'f') {
        return "')";
    }
    return name.data[0] == 's' ? "', positive=True, integer=True)" : "', integer=True)";
}

static bool is_one(ep_bytes digits) {
    return digits.size == 1 && digits.data[0] == '1';
}

/* Zero has no sign. */
static bool write_number(rewriting *r, ep_bytes digits, bool minus) {
    minus = minus && !ep_digits_are_zero(digits);
    return put_literal(r, minus ? "Integer(-" : "Integer(") && put(r, digits) &&
           put_literal(r, ")");
}

/* A float as significant digits, with the point behind the first, and a decimal
 * exponent. Zero has no digits. */
typedef struct decimal {
    char digits[40];
    size_t count;
    int exponent;
} decimal;

/* The exponent behind an e. */
static int exponent_of(ep_bytes text) {
    size_t at = 0;
    int exponent = 0;
    while (at < text.size && text.data[at] != 'e') {
        at++;
    }
    bool minus = at + 1 < text.size && text.data[at + 1] == '-';
    for (size_t i = at + 2; i < text.size; i++) { /* six digits at most: SPEC 4.1.6 */
        exponent = exponent * 10 + (text.data[i] - '0');
    }
    return minus ? -exponent : exponent;
}

/* A float without a sign, of 53 bits: it has 17 digits at most (SPEC 4.1.6). */
static void read_decimal(ep_bytes text, decimal *d) {
    int before = 0;   /* the digits before the point, or less the zeros behind it */
    size_t taken = 0; /* digits, of which those up to the last that is no zero count */
    bool point = false;
    *d = (decimal){.count = 0};
    for (size_t i = 0; i < text.size && text.data[i] != 'e'; i++) {
        bool leads = taken == 0 && text.data[i] == '0';
        if (text.data[i] == '.') {
            point = true;
            continue;
        }
        before += point ? -(int)leads : !leads;
        if (!leads) {
            d->digits[taken++] = text.data[i];
            d->count = text.data[i] != '0' ? taken : d->count;
        }
    }
    d->exponent = before - 1 + exponent_of(text);
}

static bool put_zeros(rewriting *r, int count) {
    for (int i = 0; i < count; i++) {
        TRY(put_literal(r, "0"));
    }
    return true;
}

/* At least one of them. */
static bool put_digits(rewriting *r, const decimal *d, size_t from, size_t to) {
    to = to < d->count ? to : d->count;
    return put(r, (ep_bytes){d->digits + from, to - from});
}

/* Prints as sympy does with a limit on the digits. SPEC 4.1.6 */
static bool put_decimal(rewriting *r, const decimal *d, int most) {
    int e = d->exponent;
    char digits[EP_INT_TEXT_SIZE];
    if (d->count == 0) {
        return put_literal(r, "0.0");
    }
    if (e >= most || e <= -5) {
        size_t size = ep_number_print_int(e < 0 ? -(int64_t)e : e, digits);
        return put_digits(r, d, 0, 1) && put_literal(r, ".") &&
               (d->count > 1 ? put_digits(r, d, 1, d->count) : put_literal(r, "0")) &&
               put_literal(r, e < 0 ? "e-" : "e+") && put(r, (ep_bytes){digits, size});
    }
    if (e < 0) {
        return put_literal(r, "0.") && put_zeros(r, -e - 1) && put_digits(r, d, 0, d->count);
    }
    size_t before = (size_t)e + 1;
    return put_digits(r, d, 0, before) &&
           put_zeros(r, before > d->count ? (int)(before - d->count) : 0) && put_literal(r, ".") &&
           (d->count > before ? put_digits(r, d, before, d->count) : put_literal(r, "0"));
}

enum { INFIX_DIGITS = 15, SREPR_DIGITS = 17 };

static bool write_float(rewriting *r, ep_bytes text, bool minus) {
    decimal d;
    read_decimal(text, &d);
    return put_literal(r, minus && d.count > 0 ? "Float('-" : "Float('") &&
           put_decimal(r, &d, SREPR_DIGITS) && put_literal(r, "', precision=53)");
}

static bool is_divisor(const ep_term *term) {
    return term->kind == EP_TERM_QUOTIENT;
}

/* An integer above 1 after a slash: a possible denominator of a rational. */
static bool is_integer_divisor(const ep_term *term) {
    if (!is_divisor(term) || term->arguments[0]->kind != EP_TERM_INTEGER) {
        return false;
    }
    return !is_one(ep_term_text(term->arguments[0])); /* nor 0: SPEC 4.1.9 */
}

/* The factors of an infix product, classified. An integer that the product is divided
 * by moves to the front, as a rational. */
typedef struct product {
    const ep_term *over;  /* a leading integer, unless it is only the 1 before a slash */
    const ep_term *under; /* the greatest integer that it is divided by, unless over is 0 */
    size_t first;         /* factor behind the leading integer */
    size_t rest;          /* factors that are neither */
    size_t divisors;      /* that are integers */
} product;

/* The longer of two integers; of equally long ones the greater. */
static bool is_greater(const ep_term *a, const ep_term *b) {
    ep_bytes first = ep_term_text(a);
    ep_bytes second = ep_term_text(b);
    return first.size != second.size ? first.size > second.size
                                     : memcmp(first.data, second.data, first.size) > 0;
}

static product product_of(const ep_term *term, bool minus) {
    product p = {NULL, NULL, 0, 0, 0};
    p.over = term->arguments[0]->kind == EP_TERM_INTEGER ? term->arguments[0] : NULL;
    p.first = p.over != NULL;
    for (size_t i = p.first; i < term->number; i++) {
        if (!is_integer_divisor(term->arguments[i])) {
            p.rest++;
            continue;
        }
        const ep_term *divisor = term->arguments[i]->arguments[0];
        p.divisors++;
        p.under = p.under == NULL || is_greater(divisor, p.under) ? divisor : p.under;
    }
    bool only_there = p.over != NULL && p.under == NULL && !minus &&
                      is_divisor(term->arguments[1]) && is_one(ep_term_text(p.over));
    p.over = only_there ? NULL : p.over;
    if (p.over != NULL &&
        ep_digits_are_zero(ep_term_text(p.over))) { /* no rational begins with it */
        p.under = NULL;
    }
    return p;
}

/* Pushes the factors behind the leading number, last to first. */
static bool push_factors(rewriting *r, const ep_term *term, const product *p, bool leads) {
    for (size_t i = term->number; i-- > p->first;) {
        const ep_term *factor = term->arguments[i];
        if (is_integer_divisor(factor)) {
            if (factor->arguments[0] == p->under) {
                continue;
            }
            TRY(push_text(r, ")") && push_term(r, factor->arguments[0], LEVEL_ATOM + 1, false) &&
                push_text(r, "Rational(1, "));
        } else if (is_divisor(factor)) {
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
    bool alone = p.rest + p.divisors - (p.under != NULL) + leads == 1;
    TRY(alone || EP_ALWAYS(push_text(r, ")"))); /* the popped piece left room */
    TRY(push_factors(r, term, &p, leads));
    TRY(alone || put_literal(r, "Mul("));
    if (p.under != NULL) {
        return put_literal(r, minus ? "Rational(-" : "Rational(") && put(r, digits) &&
               put_literal(r, ", ") && put(r, ep_term_text(p.under)) && put_literal(r, ")");
    }
    return !leads || write_number(r, digits, minus);
}

/* Functions of sympy itself, which PyTorch 2.1 to 2.3 used; later versions have classes
 * of their own for them. */
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
    /* the popped piece left room */
    TRY(EP_ALWAYS(push_text(r, ")")) && push_arguments(r, term, 0, ", ", 0));
    if (row->srepr.size == 0) {
        return write_old_function(r, row);
    }
    return put(r, row->srepr) && put_literal(r, "(");
}

/* Prints one term in srepr. A place of the highest precedence demands bare digits. */
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
        /* the popped piece left room */
        return put_literal(r, "Mul(Integer(-1), ") && EP_ALWAYS(push_text(r, ")")) &&
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
    default:
        EP_UNREACHABLE(); /* infix has no rationals, and quotients only among factors */
        return cannot_say(r);
    }
}

/* ------------------------------------------------------------------- to infix */

static bool is_minus(ep_bytes digits) {
    return digits.data[0] == '-';
}

static ep_bytes without_minus(ep_bytes digits) {
    return is_minus(digits) ? (ep_bytes){digits.data + 1, digits.size - 1} : digits;
}

/* Pow(x, Integer(-1)), which infix writes after a slash. */
static bool is_inverse(const ep_term *term) {
    if (!is_call_of(term, EP_FUNCTION_Pow) || term->arguments[1]->kind != EP_TERM_INTEGER) {
        return false;
    }
    ep_bytes digits = ep_term_text(term->arguments[1]);
    return is_minus(digits) && is_one(without_minus(digits));
}

/* Whether a term begins with a minus sign that its place can merge with its own sign. */
static bool leads_with_minus(const ep_term *term) {
    if (is_call_of(term, EP_FUNCTION_Mul)) {
        term = term->arguments[0];
        if (term->kind == EP_TERM_FLOAT) { /* it stays in its parentheses */
            return false;
        }
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

/* A number, negated if its place has merged the sign. */
static bool write_digits(rewriting *r, ep_bytes digits, bool minus) {
    bool negative = is_minus(digits) != minus;
    return (!negative || put_literal(r, "-")) && put(r, without_minus(digits));
}

/* A sum in a sum stays a term of its own. */
static bool write_sum(rewriting *r, const ep_term *term) {
    for (size_t i = term->number; i-- > 0;) {
        const ep_term *argument = term->arguments[i];
        bool minus = i > 0 && leads_with_minus(argument);
        bool leads = i == 0 && !is_call_of(argument, EP_FUNCTION_Add);
        TRY(push_term(r, argument, leads ? LEVEL_ADD : LEVEL_MUL, minus));
        TRY(i == 0 || push_text(r, minus ? " - " : " + "));
    }
    return true;
}

/* A denominator. A bare integer there would become part of a rational. */
static bool push_divisor(rewriting *r, const ep_term *term) {
    ep_bytes digits = ep_term_text(term);
    bool bare = term->kind == EP_TERM_INTEGER && !is_minus(digits);
    if (bare && !is_one(digits)) {
        /* the popped piece left room */
        return EP_ALWAYS(push_text(r, ")")) && push_term(r, term, 0, false) && push_text(r, "(");
    }
    return push_term(r, term, LEVEL_POWER, false);
}

static bool is_plain_one(const ep_term *term) {
    return term->kind == EP_TERM_INTEGER && is_one(ep_term_text(term));
}

/* Pushes the factors from the i-th on, last to first, each behind its sign. After a
 * plain 1 an inverse is written as a factor, because 1/a means the inverse alone. */
static bool push_operands(rewriting *r, const ep_term *term, size_t from) {
    for (size_t i = term->number; i-- > from;) {
        const ep_term *factor = term->arguments[i];
        bool inverse = is_inverse(factor) && (i != 1 || !is_plain_one(term->arguments[0]));
        TRY(inverse ? push_divisor(r, factor->arguments[0])
                    : push_term(r, factor, LEVEL_POWER, false));
        TRY((i == from && !inverse) || push_text(r, inverse ? "/" : "*"));
        TRY(i != from || from > 0 || !inverse || push_text(r, "1"));
    }
    return true;
}

/* Whether a product that begins with -1 or 1/m can be written without the 1: the
 * next factor must not be a number or a product, which would absorb the sign or the
 * divisor. */
static bool is_one_implied(const ep_term *term, bool rational) {
    const ep_term *next = term->arguments[1];
    bool takes_sign = next->kind == EP_TERM_FLOAT || next->kind == EP_TERM_RATIONAL ||
                      is_call_of(next, EP_FUNCTION_Mul);
    if (next->kind == EP_TERM_INTEGER || is_inverse(next)) {
        return false;
    }
    return rational || term->number > 2 || !takes_sign;
}

/* A Mul: -1*x is -x, and a rational goes around the factors. */
static bool write_factors(rewriting *r, const ep_term *term, bool minus) {
    const ep_term *first = term->arguments[0];
    bool rational = first->kind == EP_TERM_RATIONAL;
    const ep_term *number = rational ? first->arguments[0] : first;
    ep_bytes digits = ep_term_text(number);
    if (number->kind != EP_TERM_INTEGER || is_plain_one(first)) {
        return push_operands(r, term, 0);
    }
    bool inverse = is_inverse(term->arguments[1]);
    bool left_out = is_one(without_minus(digits)) && is_one_implied(term, rational);
    if (rational) {
        /* the popped piece left room */
        TRY(EP_ALWAYS(push_term(r, first->arguments[1], LEVEL_ATOM, false)) && push_text(r, "/"));
    }
    TRY(push_operands(r, term, 1));
    return (is_minus(digits) == minus || put_literal(r, "-")) &&
           (left_out || (put(r, without_minus(digits)) && (inverse || put_literal(r, "*"))));
}

static bool write_power(rewriting *r, const ep_term *term) {
    if (is_inverse(term)) {
        return push_divisor(r, term->arguments[0]) && put_literal(r, "1/");
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
        /* the popped piece left room */
        return EP_ALWAYS(push_text(r, ")")) && push_arguments(r, term, 0, "//", LEVEL_POWER) &&
               put_literal(r, "(");
    case EP_FUNCTION_ExprCondPair:
        /* the popped piece left room */
        return EP_ALWAYS(push_text(r, ")")) && push_arguments(r, term, 0, ", ", 0) &&
               put_literal(r, "(");
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
    /* the popped piece left room */
    return EP_ALWAYS(push_text(r, ")")) && push_arguments(r, term, 0, ", ", 0) &&
           put(r, row->infix) && put_literal(r, "(");
}

/* Infix has 15 significant digits, and no notation for a precision. */
static bool write_usual_float(rewriting *r, const ep_term *term, bool minus) {
    ep_bytes text = ep_term_text(term);
    bool negative = is_minus(text) != minus;
    decimal d;
    if (!ep_text_equal(ep_term_text(term->arguments[0]), EP_TEXT("53"))) {
        return cannot_say(r);
    }
    read_decimal(without_minus(text), &d);
    if (d.count > INFIX_DIGITS) {
        return cannot_say(r);
    }
    return (!negative || put_literal(r, "-")) && put_decimal(r, &d, INFIX_DIGITS);
}

static bool write_infix(rewriting *r, const piece *p) {
    const ep_term *term = p->term;
    if (level_of(term, p->minus) < p->level) {
        /* the popped piece left room */
        return EP_ALWAYS(push_text(r, ")")) && push_term(r, term, 0, p->minus) &&
               put_literal(r, "(");
    }
    switch ((ep_term_kind)term->kind) {
    case EP_TERM_INTEGER:
        return write_digits(r, ep_term_text(term), p->minus);
    case EP_TERM_FLOAT:
        return write_usual_float(r, term, p->minus);
    case EP_TERM_RATIONAL:
        /* the popped piece left room */
        return EP_ALWAYS(push_term(r, term->arguments[1], LEVEL_ATOM, false)) &&
               push_text(r, "/") && push_term(r, term->arguments[0], LEVEL_ADD, p->minus);
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
    default:
        EP_UNREACHABLE(); /* srepr has none of these */
        return cannot_say(r);
    }
}

/* ------------------------------------------------------------------ the whole */

static bool rewrite(rewriting *r) {
    bool to_srepr = r->expression->form == EP_EXPRESSION_INFIX;
    TRY(push_term(r, r->expression->root, 0, false));
    while (r->sayable && r->pieces.count > 0) {
        piece p = piece_stack_pop(&r->pieces);
        if (p.term == NULL) {
            TRY(put_literal(r, p.text));
        } else {
            TRY(to_srepr ? write_srepr(r, &p) : write_infix(r, &p));
        }
    }
    return true;
}

bool ep_respell(const ep_expression *expression, ep_arena *arena, bool *sayable, ep_bytes *text) {
    rewriting r = {.expression = expression, .sayable = true};
    ep_growing_init(&r.text, arena);
    piece_stack_init(&r.pieces, arena);
    *text = (ep_bytes){NULL, 0};
    bool ok = rewrite(&r) && ep_growing_keep(&r.text, arena, text);
    *sayable = r.sayable;
    ep_growing_free(&r.text);
    piece_stack_free(&r.pieces);
    return ok;
}
