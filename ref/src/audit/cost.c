/*
 * audit/cost.c - numbers that take long to compute (SPEC 9.2.2): the size of the value
 * of an expression, bounded from its leaves up, and the powers of a guard. A symbol
 * counts as 1: whatever cancels, the constants that are left are then no larger.
 */
#include "audit/audit.h"

#include "language/expression.h"
#include "language/guard.h"

/* The largest exponent, of a constant and of what has a symbol, which may be divided as
 * a polynomial; the most bits of a number that is computed; and the most terms of a sum
 * that is multiplied out. */
enum { EXPONENT_MAX = 9999, DEGREE_MAX = 999, BITS_MAX = 1000000, TERMS_MAX = 10000 };

/* Where all arithmetic here ends: the product of two is no overflow. */
static const uint64_t most = (uint64_t)1 << 31;

static uint64_t sum_of(uint64_t a, uint64_t b) {
    return a + b < most ? a + b : most;
}

static uint64_t product_of(uint64_t a, uint64_t b) {
    return a * b < most ? a * b : most;
}

static uint64_t power_of(uint64_t base, uint64_t exponent) {
    uint64_t power = 1;
    for (uint64_t i = 0; base > 1 && i < exponent && power < most; i++) {
        power = product_of(power, base);
    }
    return power;
}

/* What is known of the value of a term: none of these is 0. */
typedef struct weight {
    uint64_t size;  /* it and its reciprocal are no larger */
    uint64_t bits;  /* in which it can be written down */
    uint64_t terms; /* when it is multiplied out */
    bool symbolic;
} weight;

static const weight weightless = {1, 1, 1, false};

/* -------------------------------------------------------------------- leaves */

static uint64_t value_of(ep_bytes digits) {
    uint64_t value = 0;
    for (size_t i = 0; i < digits.size; i++) {
        if (ep_is_digit(digits.data[i])) {
            value = sum_of(product_of(value, 10), (uint64_t)(digits.data[i] - '0'));
        }
    }
    return value;
}

static weight integer_weight(ep_bytes digits) {
    uint64_t value = value_of(digits);
    uint64_t bits = digits.size < most ? product_of(digits.size, 4) : most;
    return (weight){value > 0 ? value : 1, bits, 1, false};
}

/* Of a float: 0.003 is as large as its reciprocal, 1e-05 as 1e+05. */
static weight float_weight(ep_bytes text) {
    size_t point = 0;
    while (point < text.size && (ep_is_digit(text.data[point]) || text.data[point] == '-')) {
        point++;
    }
    size_t at = point + (point < text.size && text.data[point] == '.' ? 1 : 0);
    size_t zeros = at;
    while (zeros < text.size && text.data[zeros] == '0') {
        zeros++;
    }
    size_t end = zeros;
    while (end < text.size && text.data[end] != 'e') {
        end++;
    }
    ep_bytes whole = {text.data, point};
    uint64_t exponent = value_of((ep_bytes){text.data + end, text.size - end});
    uint64_t shift = sum_of(exponent, value_of(whole) > 0 ? 0 : zeros - at + 1);
    weight w = integer_weight(whole);
    w.size = product_of(w.size, power_of(10, shift));
    w.bits = sum_of(w.bits, product_of(shift, 4));
    return w;
}

static weight leaf_weight(const ep_term *term) {
    if (term->kind == EP_TERM_INTEGER) {
        return integer_weight(ep_term_text(term));
    }
    weight one = {1, 1, 1, term->kind == EP_TERM_SYMBOL};
    return term->kind == EP_TERM_FLOAT ? float_weight(ep_term_text(term)) : one;
}

/* --------------------------------------------------------------- expressions */

/* A term that is being visited. */
typedef struct costing {
    const ep_term *term;
    size_t next;      /* argument */
    weight weight;    /* of the arguments before it together */
    uint64_t largest; /* number of bits among them */
    weight first;     /* argument */
    weight last;
} costing;

EP_STACK_OF(costings, costing);

typedef enum growth { PRODUCT, SUM, POWER, SHIFT, EXPONENTIAL, DECIMAL } growth;

#define GROWS(function, growth) [EP_FUNCTION_##function] = growth,
static const uint8_t growths[EP_FUNCTION_COUNT] = {
#include "audit/audit.def"
};

static growth growth_of(const ep_term *term) {
    return term->kind == EP_TERM_CALL ? (growth)growths[term->function] : PRODUCT;
}

/* Of two arguments together. */
static weight added(weight a, weight b) {
    weight w = {sum_of(a.size, b.size), sum_of(a.bits, b.bits), 1, a.symbolic || b.symbolic};
    w.terms = w.symbolic ? sum_of(a.terms, b.terms) : 1;
    return w;
}

static weight multiplied(weight a, weight b) {
    return (weight){product_of(a.size, b.size), sum_of(a.bits, b.bits),
                    product_of(a.terms, b.terms), a.symbolic || b.symbolic};
}

static weight raised(weight base, weight exponent) {
    return (weight){power_of(base.size, exponent.size), product_of(base.bits, exponent.size),
                    power_of(base.terms, exponent.size), base.symbolic || exponent.symbolic};
}

/* What all arguments make, and the exponent if that is computed as a power. */
static weight made_of(const costing *top, weight *exponent) {
    static const weight bases[] = {[SHIFT] = {2, 2, 1, false},
                                   [EXPONENTIAL] = {3, 2, 1, false},
                                   [DECIMAL] = {10, 4, 1, false}};
    growth how = growth_of(top->term);
    if (how == PRODUCT || how == SUM) {
        weight w = top->weight;
        w.bits = how == SUM ? sum_of(top->largest, top->next) : w.bits; /* a carry of each */
        return w;
    }
    *exponent = top->last;
    weight power = raised(how == POWER ? top->first : bases[how], top->last);
    return how == SHIFT || how == DECIMAL ? multiplied(top->first, power) : power;
}

static size_t arguments_of(const ep_term *term) {
    bool inner = term->kind == EP_TERM_CALL || term->kind == EP_TERM_GROUP ||
                 term->kind == EP_TERM_NEGATIVE || term->kind == EP_TERM_QUOTIENT ||
                 term->kind == EP_TERM_RATIONAL;
    return inner ? term->number : 0;
}

static void take_argument(costing *top, weight w) {
    bool first = top->next == 1;
    bool sum = growth_of(top->term) == SUM;
    top->weight = first ? w : sum ? added(top->weight, w) : multiplied(top->weight, w);
    top->largest = w.bits > top->largest ? w.bits : top->largest;
    top->first = first ? w : top->first;
    top->last = w;
}

bool ep_audit_find_cost(ep_arena *arena, const ep_expression *expression, bool *costly) {
    costings stack;
    costings_init(&stack, arena);
    *costly = false;
    bool ok = costings_push(&stack, (costing){.term = expression->root});
    while (ok && stack.count > 0 && !*costly) {
        costing *top = costings_top(&stack);
        if (top->next < arguments_of(top->term)) {
            ok = costings_push(&stack, (costing){.term = top->term->arguments[top->next++]});
            continue;
        }
        weight exponent = weightless;
        weight w = top->next > 0 ? made_of(top, &exponent) : leaf_weight(top->term);
        bool grown = exponent.size > 1 && w.bits > BITS_MAX;
        bool high = exponent.size > (w.symbolic ? DEGREE_MAX : EXPONENT_MAX);
        bool expanded = w.terms > TERMS_MAX && growth_of(top->term) != SUM; /* not written so */
        *costly = high || grown || expanded;
        stack.count--;
        if (stack.count > 0) {
            take_argument(costings_top(&stack), w);
        }
    }
    costings_free(&stack);
    return ok;
}

/* -------------------------------------------------------------------- guards */

static bool is_power_at(const ep_guard *guard, size_t i) {
    return i < guard->count && ep_text_equal(ep_guard_text(guard, i), EP_TEXT(" ** "));
}

/* The bytes of all numbers bound each, and the exponents together what they make. One
 * that is no number, or the base of another power, has to be computed itself. */
bool ep_audit_guard_is_costly(const ep_guard *guard) {
    uint64_t bits = guard->text.size < BITS_MAX ? 4 * guard->text.size : BITS_MAX;
    uint64_t exponents = 1;
    bool rounds = false;
    for (size_t i = 0; i < guard->count; i++) {
        uint8_t kind = guard->tokens[i].kind;
        uint64_t value = kind == EP_GUARD_NUMBER ? value_of(ep_guard_text(guard, i)) : 0;
        rounds = rounds || (kind == EP_GUARD_FUNCTION &&
                            ep_text_equal(ep_guard_text(guard, i), EP_TEXT("round")));
        if (i > 0 && is_power_at(guard, i - 1)) {
            if (kind != EP_GUARD_NUMBER || is_power_at(guard, i + 1)) {
                return true;
            }
            exponents = product_of(exponents, value > 0 ? value : 1);
            if (value > EXPONENT_MAX || product_of(exponents, bits) > BITS_MAX) {
                return true;
            }
        }
        if (rounds && value > EXPONENT_MAX) { /* round(x, -99999) raises ten to it */
            return true;
        }
    }
    return false;
}
