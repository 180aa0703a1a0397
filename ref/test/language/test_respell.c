/*
 * test_respell.c - symbolic expressions in the other form (SPEC 7.5.1): pairs
 * written by hand; of every sample what must hold of both ways; and terms that
 * are drawn, whose value must stay what it is.
 */
#include "language/respell.h"

#include "check.h"
#include "expressions.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------------- respelling */

/* The text in the other form. False: it has none. */
static bool respell(ep_arena *arena, ep_expression_form form, ep_bytes text, ep_bytes *other) {
    const ep_expression *expression;
    bool sayable = false;
    if (CHECK_NOTE(parse_any(arena, form, text, &expression), text.data)) {
        CHECK(ep_respell(expression, arena, &sayable, other));
    }
    return sayable;
}

/* Without memory from any time on there is no other form, and nothing leaks. */
static void test_no_memory(ep_expression_form form, const char *text) {
    bool done = false;
    for (size_t n = 1; !done; n++) {
        test_heap own = {0};
        ep_arena parsed, arena;
        test_heap heap = {.fail_at = n, .fail_on = true, .apart = &arena};
        const ep_expression *expression;
        bool sayable;
        ep_bytes other;
        test_arena(&parsed, &own, 0);
        test_arena(&arena, &heap, 0);
        if (CHECK(parse_any(&parsed, form, test_bytes(text), &expression))) {
            done = ep_respell(expression, &arena, &sayable, &other);
            CHECK(done == (heap.calls < n));
        }
        ep_arena_free(&parsed);
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
    }
}

/* A text in the other form; none: it has none. */
static void expect(ep_expression_form form, const char *text, const char *other) {
    test_heap heap = {0};
    ep_arena arena;
    ep_bytes made = {NULL, 0};
    test_arena(&arena, &heap, 0);
    bool sayable = respell(&arena, form, test_bytes(text), &made);
    if (CHECK_NOTE(sayable == (other != NULL), text) && sayable) {
        CHECK_EQ_STR(made.data, made.size, other);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_no_memory(form, text);
}

static void both(const char *infix, const char *srepr) {
    expect(INFIX, infix, srepr);
    expect(SREPR, srepr, infix);
}

/* ------------------------------------------------------------------------ signs */

static void test_signs(void) {
    both("-s0", "Mul(Integer(-1), " S0 ")");
    both("u1 - 2*s0", "Add(" U1 ", Mul(Integer(-2), " S0 "))");
    both("u1 - s0/2", "Add(" U1 ", Mul(Rational(-1, 2), " S0 "))");
    both("u1 - 1/2", "Add(" U1 ", Rational(-1, 2))");
    both("s0*(-1/2)", "Mul(" S0 ", Rational(-1, 2))");
    both("s0*(-2)", "Mul(" S0 ", Integer(-2))");
    both("(-2)**2", "Pow(Integer(-2), Integer(2))");
    both("-(s0 + u1)", "Mul(Integer(-1), Add(" S0 ", " U1 "))");
    both("s0 - (u1 - 1)", "Add(" S0 ", Mul(Integer(-1), Add(" U1 ", Integer(-1))))");
    expect(INFIX, "-0", "Integer(0)");
    expect(INFIX, "s0 - 0", "Add(" S0 ", Integer(0))");
    expect(INFIX, "-0.0", "Float('0.0', precision=53)");
    expect(INFIX, "-s0*u1/2", "Mul(Rational(-1, 2), " S0 ", " U1 ")");
}

/* A float with a minus sign is a term of its own: what begins with it does not
 * hand it on. */
static void test_floats(void) {
    both("s0 - 0.5", "Add(" S0 ", " MINUS_HALF ")");
    both("-0.5", MINUS_HALF);
    both("(-0.5)*s0", "Mul(" MINUS_HALF ", " S0 ")");
    both("s0 + (-0.5)*u1", "Add(" S0 ", Mul(" MINUS_HALF ", " U1 "))");
    both("(-0.5)*s0 + u1", "Add(Mul(" MINUS_HALF ", " S0 "), " U1 ")");
    both("s0 + (-0.5)*u1/s0", "Add(" S0 ", Mul(" MINUS_HALF ", " U1 ", Pow(" S0 ", Integer(-1))))");
    both("s0 - 0.5*u1", "Add(" S0 ", Mul(Integer(-1), " HALF ", " U1 "))");
    both("s0*(-0.5)", "Mul(" S0 ", " MINUS_HALF ")");
    both("-(-0.5)*s0", "Mul(Integer(-1), " MINUS_HALF ", " S0 ")");
    both("u1*(s0 + (-0.5)*u1)", "Mul(" U1 ", Add(" S0 ", Mul(" MINUS_HALF ", " U1 ")))");
    both("1.5e+16", "Float('15000000000000000.0', precision=53)");
    both("1.0e+17", "Float('1.0e+17', precision=53)");
    expect(INFIX, "0.500000000000000", HALF);
    expect(INFIX, "1.00000000000000e+15", "Float('1000000000000000.0', precision=53)");
    expect(INFIX, "123456789012345.", "Float('123456789012345.0', precision=53)");
    expect(SREPR, "Float('0.10000000000000001', precision=53)", NULL);
    expect(SREPR, "Float('0.5', precision=60)", NULL);
}

/* --------------------------------------------------------------------- divisors */

static void test_divisors(void) {
    both("s0/2", "Mul(Rational(1, 2), " S0 ")");
    both("3*s0/2", "Mul(Rational(3, 2), " S0 ")");
    both("1/s0", "Pow(" S0 ", Integer(-1))");
    both("s0/u1", "Mul(" S0 ", Pow(" U1 ", Integer(-1)))");
    both("s0*(1/2)/3", "Mul(Rational(1, 3), " S0 ", Rational(1, 2))");
    expect(INFIX, "s0/2/3", "Mul(Rational(1, 3), " S0 ", Rational(1, 2))");
    expect(INFIX, "s0/3/2", "Mul(Rational(1, 3), " S0 ", Rational(1, 2))");
    expect(INFIX, "s0/2/2", "Mul(Rational(1, 2), " S0 ", Rational(1, 2))");
    expect(INFIX, "s0/9/12/11", "Mul(Rational(1, 12), " S0 ", Rational(1, 9), Rational(1, 11))");
    expect(INFIX, "5/2/3", "Mul(Rational(5, 3), Rational(1, 2))");
    expect(INFIX, "0/2", "Mul(Integer(0), Rational(1, 2))");
    expect(INFIX, "0*s0/2", "Mul(Integer(0), " S0 ", Rational(1, 2))");
    expect(INFIX, "1/1/2", "Mul(Rational(1, 2), Pow(Integer(1), Integer(-1)))");
}

/* --------------------------------------------------------------------- numbers */

/* Products that sympy does not write: no number is lost in them. */
static void test_numbers(void) {
    both("1*s0", "Mul(Integer(1), " S0 ")");
    both("1*(1/s0)", "Mul(Integer(1), Pow(" S0 ", Integer(-1)))");
    both("1*(1/s0)/u1", "Mul(Integer(1), Pow(" S0 ", Integer(-1)), Pow(" U1 ", Integer(-1)))");
    both("-1/s0", "Mul(Integer(-1), Pow(" S0 ", Integer(-1)))");
    both("-1*3", "Mul(Integer(-1), Integer(3))");
    both("-1*3*s0", "Mul(Integer(-1), Integer(3), " S0 ")");
    both("-1*0.5", "Mul(Integer(-1), " HALF ")");
    both("-1*(-0.5)", "Mul(Integer(-1), " MINUS_HALF ")");
    both("-1*(1/2)", "Mul(Integer(-1), Rational(1, 2))");
    both("-1*(s0*u1)", "Mul(Integer(-1), Mul(" S0 ", " U1 "))");
    both("s0 - 1*(s0*u1)", "Add(" S0 ", Mul(Integer(-1), Mul(" S0 ", " U1 ")))");
    both("-(s0*u1)*u1", "Mul(Integer(-1), Mul(" S0 ", " U1 "), " U1 ")");
    both("1*3*s0/2", "Mul(Rational(1, 2), Integer(3), " S0 ")");
    both("-1*0/3", "Mul(Rational(-1, 3), Integer(0))");
    both("1/s0/2", "Mul(Rational(1, 2), Pow(" S0 ", Integer(-1)))");
    both("s0/(3)", "Mul(" S0 ", Pow(Integer(3), Integer(-1)))");
    both("1/(3)", "Pow(Integer(3), Integer(-1))");
    both("1/(-3)", "Pow(Integer(-3), Integer(-1))");
    both("s0/1", "Mul(" S0 ", Pow(Integer(1), Integer(-1)))");
    both("(s0 + 1) + u1", "Add(Add(" S0 ", Integer(1)), " U1 ")");
}

/* ------------------------------------------------------------------------ words */

static void test_words(void) {
    both("(s0//2)", "FloorDiv(" S0 ", Integer(2))");
    both("Max(1, s0)", "Max(Integer(1), " S0 ")");
    both("(s0 <= 2) & (~Eq(s0, 1))",
         "And(LessThan(" S0 ", Integer(2)), Not(Equality(" S0 ", Integer(1))))");
    both("True", "true");
    expect(INFIX, "Trunc(0.5*s0)", "TruncToInt(Mul(" HALF ", " S0 "))");
    expect(INFIX, "sqrt(s0)", "OpaqueUnaryFn_sqrt(" S0 ")");
    expect(SREPR, "BitwiseFn_bitwise_and(" S0 ", Integer(1))", NULL);
    expect(SREPR, "Symbol('s0', integer=True)", "s0");
}

/* ---------------------------------------------------------------------- samples */

/* There, back and there again is there; where it has to be, back is the text. */
static bool returns(ep_expression_form form, ep_bytes text, bool exact) {
    test_heap heap = {0};
    ep_arena arena;
    ep_bytes there, back, again;
    ep_expression_form other = form == INFIX ? SREPR : INFIX;
    test_arena(&arena, &heap, 0);
    bool sayable = respell(&arena, form, text, &there);
    if (sayable && CHECK_NOTE(respell(&arena, other, there, &back), text.data) &&
        CHECK_NOTE(respell(&arena, form, back, &again), text.data)) {
        CHECK_EQ_BYTES(again.data, again.size, there.data, there.size);
        CHECK(!exact || (back.size == text.size && memcmp(back.data, text.data, text.size) == 0));
    }
    ep_arena_free(&arena);
    return sayable;
}

static void test_samples(void) {
    size_t turned = 0;
    size_t count = sizeof samples / sizeof samples[0];
    for (size_t i = 0; i < count; i++) {
        turned += returns(samples[i].form, test_bytes(samples[i].text), false);
    }
    CHECK(turned > count * 3 / 4 && turned < count);
}

/* ------------------------------------------------------------------------ values */

static double value_of(const ep_term *term);

/* The text of a number is followed by anything. */
static double number_of(ep_bytes text) {
    char digits[64];
    snprintf(digits, sizeof digits, "%.*s", (int)text.size, text.data);
    return strtod(digits, NULL);
}

static double applied(const ep_term *term) {
    double value = value_of(term->arguments[0]);
    if (term->function == EP_FUNCTION_Pow) {
        return value_of(term->arguments[1]) < 0 ? 1 / value : value * value; /* -1 or 2 */
    }
    for (size_t i = 1; i < term->number; i++) {
        double next = value_of(term->arguments[i]);
        value = term->function == EP_FUNCTION_Add ? value + next : value * next;
    }
    return value;
}

/* Of a term as drawn: not deep. Symbols differ by the last letter of the name. */
static double value_of(const ep_term *term) {
    ep_bytes text = ep_term_text(term);
    switch ((int)term->kind) {
    case EP_TERM_INTEGER:
    case EP_TERM_FLOAT:
        return number_of(text);
    case EP_TERM_RATIONAL:
        return value_of(term->arguments[0]) / value_of(term->arguments[1]);
    case EP_TERM_SYMBOL:
        return 3.7 + 1.3 * (text.data[text.size - 1] - '0');
    case EP_TERM_GROUP:
        return value_of(term->arguments[0]);
    case EP_TERM_NEGATIVE:
        return -value_of(term->arguments[0]);
    case EP_TERM_QUOTIENT:
        return 1 / value_of(term->arguments[0]);
    default:
        return applied(term);
    }
}

static void draw_leaf(uint64_t *state, test_text *text) {
    static const char *const leaves[] = {S0,
                                         U1,
                                         "Symbol('zf2')",
                                         "Integer(1)",
                                         "Integer(-1)",
                                         "Integer(3)",
                                         "Integer(-2)",
                                         "Rational(1, 2)",
                                         "Rational(-3, 2)",
                                         "Rational(-1, 3)",
                                         HALF,
                                         MINUS_HALF,
                                         "Integer(0)"};
    test_add_str(text, leaves[test_draw_below(state, sizeof leaves / sizeof leaves[0])]);
}

static void draw_term(uint64_t *state, size_t depth, test_text *text) {
    size_t kind = depth == 0 ? 0 : test_draw_below(state, 6);
    if (kind == 0) {
        draw_leaf(state, text);
        return;
    }
    test_add_str(text, kind < 3 ? "Add(" : kind < 5 ? "Mul(" : "Pow(");
    draw_term(state, depth - 1, text);
    for (size_t i = kind == 5 ? 0 : 1 + test_draw_below(state, 3); i > 0; i--) {
        test_add_str(text, ", ");
        draw_term(state, depth - 1, text);
    }
    test_add_str(text, kind < 5                        ? ")"
                       : test_draw_below(state, 2) > 0 ? ", Integer(-1))"
                                                       : ", Integer(2))");
}

static void compare_values(ep_arena *arena, ep_bytes srepr, ep_bytes infix) {
    const ep_expression *one;
    const ep_expression *other;
    if (CHECK(parse_any(arena, SREPR, srepr, &one)) &&
        CHECK_NOTE(parse_any(arena, INFIX, infix, &other), srepr.data)) {
        double expected = value_of(one->root);
        double value = value_of(other->root);
        double off = fabs(expected - value);
        CHECK_NOTE(!isfinite(expected) || off <= 1e-9 * (1 + fabs(expected)), srepr.data);
    }
}

static void test_values(void) {
    enum { ROUNDS = 20000, DEPTH = 3, FEW = 100 };
    uint64_t state = 11;
    size_t turned = 0;
    size_t refused = 0; /* for a division by zero */
    for (size_t i = 0; i < ROUNDS; i++) {
        test_heap heap = {0};
        ep_arena arena;
        test_text text = {0};
        ep_bytes infix;
        draw_term(&state, DEPTH, &text);
        test_add(&text, "", 1);
        ep_bytes srepr = {text.data, text.size - 1};
        test_arena(&arena, &heap, 0);
        const ep_expression *drawn;
        if (!parse_any(&arena, SREPR, srepr, &drawn)) {
            refused++;
        } else if (respell(&arena, SREPR, srepr, &infix)) {
            turned++;
            compare_values(&arena, srepr, infix);
            returns(SREPR, srepr, true);
            if (i % FEW == 0 && text.size < 1000) {
                test_text copy = {0};
                test_add(&copy, infix.data, infix.size);
                test_add(&copy, "", 1);
                test_no_memory(SREPR, text.data);
                test_no_memory(INFIX, copy.data);
                test_text_free(&copy);
            }
        }
        ep_arena_free(&arena);
        test_text_free(&text);
    }
    CHECK_EQ_INT(turned + refused, ROUNDS);
    CHECK(0 < refused && refused < ROUNDS / 10);
}

int main(void) {
    test_signs();
    test_floats();
    test_divisors();
    test_numbers();
    test_words();
    test_samples();
    test_values();
    test_no_memory(INFIX, "(s0 + 1)*(-0.5) - u1/2/3");
    test_no_memory(SREPR, "Piecewise(ExprCondPair(" S0 ", true), ExprCondPair(" U1 ", false))");
    test_no_memory(SREPR, "Add(" S0 ", Mul(" MINUS_HALF ", Pow(" U1 ", Integer(-1))))");
    return check_report();
}
