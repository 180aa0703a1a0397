/*
 * test_terms.c - the normal form of expressions (canon/terms.c, SPEC 6.7.2)
 * against pairs written by hand: each rule, the order of terms place by place,
 * both forms; that every sample's normal form is its own; and expressions as deep
 * and as wide as stacks do not like them.
 */
#include "canon/terms.h"

#include "check.h"
#include "expressions.h"
#include "language/respell.h"
#include "support.h"

#include <stdlib.h>

#define S(name) "Symbol('" name "', positive=True, integer=True)"
#define S1 S("s1")
#define U0 "Symbol('u0', integer=True)"
#define U2 "Symbol('u2', integer=True)"
#define I(digits) "Integer(" digits ")"

/* ------------------------------------------------------------------------ making */

/* What symbols are called: u0 and u1 have one colour, u2 a greater one, all other u a
 * longer one, and no name; the rest have theirs. */
static ep_canon_symbol symbol_of(ep_bytes name) {
    ep_canon_symbol symbol = {.name = name, .old = name};
    if (name.data[0] == 'u') {
        char digit = name.data[1];
        symbol.name = (ep_bytes){NULL, 0};
        symbol.color = test_bytes(digit == '2' ? "up[,]" : digit < '2' ? "un[,]" : "un[2,9]");
    }
    return symbol;
}

static ep_canon_symbol **symbols_of(ep_arena *arena, const ep_expression *expression) {
    size_t count = expression->symbol_count;
    ep_canon_symbol **symbols = ep_arena_alloc(arena, (count + 1) * sizeof *symbols);
    for (size_t i = 0; symbols != NULL && i < count; i++) {
        symbols[i] = ep_arena_alloc(arena, sizeof *symbols[i]);
        if (symbols[i] == NULL) {
            return NULL;
        }
        *symbols[i] = symbol_of(expression->symbols[i].name);
    }
    return symbols;
}

/* The normal form, in srepr. */
static bool normal(ep_arena *arena, const ep_expression *expression, ep_bytes *text) {
    ep_expression made = *expression;
    ep_canon_symbol **symbols = symbols_of(arena, expression);
    made.root = symbols == NULL ? NULL : ep_canon_normal(arena, expression, symbols, NULL);
    return made.root != NULL && ep_expression_print(&made, arena, text);
}

static bool in_srepr(ep_arena *arena, ep_expression_form form, ep_bytes text, ep_bytes *srepr) {
    const ep_expression *expression;
    bool sayable;
    *srepr = text;
    return form == SREPR || (parse_any(arena, form, text, &expression) &&
                             ep_respell(expression, arena, &sayable, srepr) && sayable);
}

/* The normal form of a text, in the form that it is in. */
static bool normal_text(ep_arena *arena, ep_expression_form form, ep_bytes text, ep_bytes *made) {
    const ep_expression *expression;
    ep_bytes srepr;
    bool sayable = true;
    bool ok = in_srepr(arena, form, text, &srepr) && parse_any(arena, SREPR, srepr, &expression) &&
              normal(arena, expression, made);
    if (ok && form == INFIX) {
        ok = parse_any(arena, SREPR, *made, &expression) &&
             ep_respell(expression, arena, &sayable, made);
    }
    return ok && sayable;
}

/* A text in its normal form, whose normal form is itself. */
static void expect(ep_expression_form form, const char *text, const char *expected) {
    test_heap heap = {0};
    ep_arena arena;
    ep_bytes made;
    test_arena(&arena, &heap, 0);
    if (CHECK_NOTE(normal_text(&arena, form, test_bytes(text), &made), text)) {
        CHECK_EQ_STR(made.data, made.size, expected);
    }
    if (CHECK_NOTE(normal_text(&arena, form, test_bytes(expected), &made), expected)) {
        CHECK_EQ_STR(made.data, made.size, expected);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

/* --------------------------------------------------------------------- products */

static void test_ones(void) {
    expect(SREPR, "Mul(Integer(1), " S0 ")", S0);
    expect(SREPR, "Mul(Integer(1), Integer(1))", I("1"));
    expect(SREPR, "Mul(Integer(-1), Integer(-1))", I("1"));
    expect(SREPR, "Mul(Integer(1), Integer(-1))", I("-1"));
    expect(SREPR, "Mul(Integer(-1), " S0 ")", "Mul(Integer(-1), " S0 ")");
    expect(SREPR, "Mul(" S0 ", Integer(-1), Integer(-1))", S0);
    expect(SREPR, "Mul(" S0 ", " S1 ", Integer(1))", "Mul(" S0 ", " S1 ")");
    expect(SREPR, "Add(" S0 ", Mul(Integer(1), Integer(1)))", "Add(Integer(1), " S0 ")");
}

/* The first number takes the sign, which zero has not. */
static void test_signs(void) {
    expect(SREPR, "Mul(Integer(-1), Integer(2))", I("-2"));
    expect(SREPR, "Mul(Integer(-2), Integer(-1))", I("2"));
    expect(SREPR, "Mul(Integer(0), Integer(-1))", I("0"));
    expect(SREPR, "Mul(Integer(-1), " S0 ", Integer(3))", "Mul(Integer(-3), " S0 ")");
    expect(SREPR, "Mul(Integer(-1), " S0 ", Integer(-3))", "Mul(Integer(3), " S0 ")");
    expect(SREPR, "Mul(Integer(-1), " HALF ")", MINUS_HALF);
    expect(SREPR, "Mul(Integer(-1), " MINUS_HALF ")", HALF);
    expect(SREPR, "Mul(Integer(-1), Float('0.0', precision=53))", "Float('0.0', precision=53)");
    expect(SREPR, "Mul(Integer(-1), Rational(1, 2))", "Rational(-1, 2)");
    expect(SREPR, "Mul(" S0 ", Rational(-2, 3), Integer(-1))", "Mul(Rational(2, 3), " S0 ")");
    /* ... and is sorted by what it is then. */
    expect(SREPR, "Mul(Integer(-1), Integer(3), Integer(5))", "Mul(Integer(5), Integer(-3))");
    expect(SREPR, "Mul(" HALF ", Integer(-1), Integer(3))", "Mul(Integer(-3), " HALF ")");
    expect(SREPR, "Mul(" HALF ", Integer(-1), Rational(1, 3))", "Mul(Rational(-1, 3), " HALF ")");
}

/* Products inside products; but not those inside other terms. */
static void test_spread(void) {
    expect(SREPR, "Mul(Mul(" S0 ", " S1 "), Integer(2))", "Mul(Integer(2), " S0 ", " S1 ")");
    expect(SREPR, "Mul(Integer(2), Mul(" S1 ", Mul(" S0 ", Integer(-1))))",
           "Mul(Integer(-2), " S0 ", " S1 ")");
    expect(SREPR, "Mul(Mul(Integer(-1), " S0 "), Mul(Integer(-1), " S1 "))", "Mul(" S0 ", " S1 ")");
    expect(SREPR, "Mul(Mul(Integer(1), Integer(1)), Mul(Integer(-1), Integer(-1)))", I("1"));
    expect(SREPR, "Mul(Add(Mul(" S0 ", Integer(2)), Integer(1)), " S1 ")",
           "Mul(" S1 ", Add(Integer(1), Mul(Integer(2), " S0 ")))");
    expect(SREPR, "Add(Add(" S1 ", " S0 "), Integer(1))", "Add(Integer(1), Add(" S0 ", " S1 "))");
}

static void test_parts(void) {
    expect(SREPR, "Pow(Integer(2), Integer(-1))", "Rational(1, 2)");
    expect(SREPR, "Mul(" S0 ", Pow(Integer(10), Integer(-1)))", "Mul(Rational(1, 10), " S0 ")");
    expect(SREPR, "Mul(Integer(-1), Pow(Integer(2), Integer(-1)))", "Rational(-1, 2)");
    expect(SREPR, "Pow(Mul(Integer(2), Integer(1)), Integer(-1))", "Rational(1, 2)");
    static const char *const kept[] = {
        "Pow(Integer(1), Integer(-1))",  "Pow(Integer(0), Integer(1))",
        "Pow(Integer(-2), Integer(-1))", "Pow(Integer(2), Integer(-2))",
        "Pow(Integer(2), Integer(1))",   "Pow(" S0 ", Integer(-1))",
        "Pow(" HALF ", Integer(-1))",    "FloorDiv(Integer(2), Integer(-1))"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        expect(SREPR, kept[i], kept[i]);
    }
}

/* ------------------------------------------------------------------------- order */

/* Two arguments in and out of order, of a function whose arguments have none. */
static void check_pair(const char *function, const char *first, const char *second) {
    test_text right = {0};
    test_text wrong = {0};
    const char *parts[] = {function, "(", first, ", ", second, ")"};
    for (size_t i = 0; i < 6; i++) {
        test_add_str(&right, parts[i]);
        test_add_str(&wrong, i == 2 ? second : i == 4 ? first : parts[i]);
    }
    test_add(&right, "", 1);
    test_add(&wrong, "", 1);
    expect(SREPR, right.data, right.data);
    expect(SREPR, wrong.data, right.data);
    test_text_free(&right);
    test_text_free(&wrong);
}

static void check_rising(const char *function, const char *const *terms, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            check_pair(function, terms[i], terms[j]);
        }
    }
}

#define CHECK_RISING(function, terms) check_rising(function, terms, sizeof terms / sizeof terms[0])

/* Each term is before the ones behind it. */
static void test_order(void) {
    static const char *const terms[] = {
        I("0"), I("2"), I("9"), I("-1"), I("10"), I("-10"), I("100"), "Rational(1, 2)",
        "Rational(1, 3)", "Rational(1, 10)", "Rational(2, 3)", "Rational(-1, 3)",
        "Float('0.5', precision=53)", "Float('0.25', precision=53)",
        "Float('1152921504606846977.0', precision=66)", S0, S1, S("s10"), U0, U2,
        "Symbol('u3', integer=True)",
        /* height 1: the name, shorter first; the number of arguments; these */
        "Add(" S0 ", " S1 ")", "Add(" S0 ", " S("s10") ")", "Add(" S1 ", " U0 ")",
        "Add(Integer(5), " S0 ", " S1 ")", "Mod(" S0 ", " S1 ")", "Mod(" S1 ", " S0 ")",
        "Mul(Integer(3), " S0 ")", "Pow(" S0 ", Integer(2))", "FloorDiv(Integer(1), " S0 ")",
        "FloorDiv(" S0 ", Integer(1))", "ModularIndexing(" S0 ", Integer(1), Integer(2))",
        /* height 2 */
        "Add(Integer(1), Mod(" S0 ", Integer(2)))", "Add(" S0 ", Mod(" S0 ", Integer(2)))",
        "FloorDiv(Mod(" S0 ", Integer(2)), Integer(1))",
        /* height 3, however few */
        "floor(floor(floor(Rational(1, 2))))"};
    CHECK_RISING("Max", terms);
    CHECK_RISING("Min", terms);
}

static void test_booleans(void) {
    static const char *const terms[] = {"true",
                                        "false",
                                        "LessThan(" S0 ", " S1 ")",
                                        "StrictLessThan(" S0 ", " S1 ")",
                                        "Not(Not(true))",
                                        "Not(Not(false))"};
    CHECK_RISING("And", terms);
    CHECK_RISING("Or", terms);
    expect(SREPR, "And(true, true)", "And(true, true)");
    expect(SREPR, "Or(false, true, false)", "Or(true, false, false)");
}

/* What compares equal stays; sides of equations stand the other way round. */
static void test_ties(void) {
    expect(SREPR, "Add(" U0 ", " U1 ")", "Add(" U0 ", " U1 ")");
    expect(SREPR, "Add(" U1 ", " U0 ")", "Add(" U1 ", " U0 ")");
    expect(SREPR, "Add(" U2 ", " U1 ", " U0 ")", "Add(" U1 ", " U0 ", " U2 ")");
    expect(SREPR, "Equality(" U1 ", " U0 ")", "Equality(" U1 ", " U0 ")");
    expect(SREPR, "Equality(" U0 ", " U1 ")", "Equality(" U0 ", " U1 ")");
    expect(SREPR, "Equality(Integer(2), " S0 ")", "Equality(" S0 ", Integer(2))");
    expect(SREPR, "Unequality(" S0 ", " U0 ")", "Unequality(" U0 ", " S0 ")");
    expect(SREPR, "Equality(Add(" S1 ", " S0 "), " S0 ")", "Equality(Add(" S0 ", " S1 "), " S0 ")");
}

/* Functions whose arguments have an order, with arguments that have none. */
static void test_kept(void) {
    static const char *const kept[] = {"FloorDiv(" S1 ", " S0 ")",
                                       "Mod(" S1 ", " S0 ")",
                                       "Pow(" S1 ", " S0 ")",
                                       "LessThan(" S1 ", " S0 ")",
                                       "StrictGreaterThan(" S1 ", " S0 ")",
                                       "ModularIndexing(" S1 ", Integer(3), " S0 ")",
                                       "CeilDiv(" S1 ", " S0 ")",
                                       "LShift(" S1 ", " S0 ")",
                                       "BitwiseFn_bitwise_and(" S1 ", " S0 ")",
                                       "Piecewise(ExprCondPair(" S1 ", Equality(" S1 ", " S0
                                       ")), ExprCondPair(" S0 ", true))"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        expect(SREPR, kept[i], kept[i]);
    }
    expect(SREPR, "FloorDiv(Add(" S1 ", " S0 "), Max(" S1 ", Integer(2)))",
           "FloorDiv(Add(" S0 ", " S1 "), Max(Integer(2), " S1 "))");
}

/* ------------------------------------------------------------------------- infix */

static void test_infix(void) {
    expect(INFIX, "s0", "s0");
    expect(INFIX, "s1*s0", "s0*s1");
    expect(INFIX, "s1 + 1", "1 + s1");
    expect(INFIX, "s1 - s0", "s1 - s0");
    expect(INFIX, "-s0 + s1", "s1 - s0");
    expect(INFIX, "-(-s0)", "s0");
    expect(INFIX, "-2*s0 + s1", "s1 - 2*s0");
    expect(INFIX, "s0*(-2)", "-2*s0");
    expect(INFIX, "s0/2", "s0/2");
    expect(INFIX, "s0*s1/2", "s0*s1/2");
    expect(INFIX, "1/s0", "1/s0");
    expect(INFIX, "Max(s1, s0, 2)", "Max(2, s0, s1)");
    expect(INFIX, "Eq(2, s0)", "Eq(s0, 2)");
    expect(INFIX, "(s1//s0)", "(s1//s0)");
    expect(INFIX, "(s1 < s0) & (s0 < s1)", "(s0 < s1) & (s1 < s0)");
}

/* ------------------------------------------------------------------ every sample */

/* Of whatever has a normal form, it is its own; and it is no longer than what
 * Rational needs more than Pow. */
static void test_samples(void) {
    size_t count = 0;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        test_heap heap = {0};
        ep_arena arena;
        ep_bytes once;
        ep_bytes twice;
        test_arena(&arena, &heap, 0);
        if (normal_text(&arena, samples[i].form, test_bytes(samples[i].text), &once)) {
            CHECK_NOTE(normal_text(&arena, samples[i].form, once, &twice), samples[i].text);
            CHECK_EQ_BYTES(twice.data, twice.size, once.data, once.size);
            count++;
        }
        ep_arena_free(&arena);
    }
    CHECK(count > sizeof samples / sizeof samples[0] / 2);
}

/* ---------------------------------------------------------------- deep and wide */

enum { MANY = 100000 };

static void add_numbered(test_text *text, size_t number) {
    test_add_str(text, "Integer(");
    test_add_int(text, (int64_t)number);
    test_add_str(text, ")");
}

/* The normal form of a large text; the same as another, unless that is empty. */
static void check_large(test_text *text, const test_text *expected) {
    test_heap heap = {0};
    ep_arena arena;
    ep_bytes made;
    test_arena(&arena, &heap, 0);
    if (CHECK(normal_text(&arena, SREPR, (ep_bytes){text->data, text->size}, &made))) {
        CHECK_EQ_INT(made.size, expected->size);
        CHECK(made.size == expected->size && memcmp(made.data, expected->data, made.size) == 0);
    }
    CHECK(heap.bytes < 400 * text->size);
    ep_arena_free(&arena);
}

/* f(f(f(... x, 1), 1), 1), or with the arguments the other way round. */
static void add_deep(test_text *text, const char *function, bool left) {
    for (size_t i = 0; i < MANY; i++) {
        test_add_str(text, function);
        test_add_str(text, left ? "(" : "(Integer(7), ");
    }
    test_add_str(text, S0);
    test_add_repeat(text, left ? ", Integer(7))" : ")", MANY);
}

static void test_deep(void) {
    static const char *const functions[] = {"FloorDiv", "Add", "Max"};
    for (size_t i = 0; i < 3; i++) {
        test_text left = {0};
        test_text right = {0};
        add_deep(&left, functions[i], true);
        add_deep(&right, functions[i], false);
        check_large(&left, i == 0 ? &left : &right);
        check_large(&right, &right);
        test_text_free(&left);
        test_text_free(&right);
    }
}

/* Products in products, MANY deep: one product of all. */
static void test_deep_products(void) {
    test_text text = {0};
    test_text expected = {0};
    test_add_repeat(&text, "Mul(Integer(-1), Integer(7), ", MANY);
    test_add_str(&text, S0);
    test_add_repeat(&text, ")", MANY);
    test_add_str(&expected, "Mul(Integer(7)");
    test_add_repeat(&expected, ", Integer(7)", MANY - 1);
    test_add_str(&expected, ", " S0 ")");
    check_large(&text, &expected);
    test_text_free(&text);
    test_text_free(&expected);
}

/* MANY arguments, falling. */
static void test_wide(void) {
    test_text text = {0};
    test_text expected = {0};
    for (size_t i = 0; i < MANY; i++) {
        test_add_str(&text, i == 0 ? "Max(" : ", ");
        test_add_str(&expected, i == 0 ? "Max(" : ", ");
        add_numbered(&text, MANY - i);
        add_numbered(&expected, i + 1);
    }
    test_add_str(&text, ")");
    test_add_str(&expected, ")");
    check_large(&text, &expected);
    test_text_free(&text);
    test_text_free(&expected);
}

/* Two equal sides at each of many levels: all are compared to the end. */
static void test_twins(void) {
    test_text text = {0};
    test_add_str(&text, "Mod(" S0 ", " S1 ")");
    for (size_t level = 0; level < 12; level++) {
        test_text twice = {0};
        test_add_str(&twice, "Max(");
        test_add(&twice, text.data, text.size);
        test_add_str(&twice, ", ");
        test_add(&twice, text.data, text.size);
        test_add_str(&twice, ")");
        test_text_free(&text);
        text = twice;
    }
    check_large(&text, &text);
    test_text_free(&text);
}

/* ----------------------------------------------------------------------- memory */

/* The terms of a text with allocation n refused, and with all also every one
 * after it; whether that many were asked for. */
static bool refuse(ep_bytes text, size_t n, bool all) {
    test_heap heap = {0};
    test_heap small = {.fail_at = n, .fail_on = all};
    ep_arena arena;
    ep_arena other;
    const ep_expression *expression;
    bool refused = false;
    test_arena(&arena, &heap, 0);
    test_arena(&other, &small, 0);
    if (CHECK(parse_any(&arena, SREPR, text, &expression))) {
        ep_canon_symbol **symbols = symbols_of(&arena, expression);
        const ep_term *root = ep_canon_normal(&other, expression, symbols, NULL);
        refused = small.calls >= n;
        CHECK(refused ? !all || root == NULL : root != NULL);
    }
    ep_arena_free(&other);
    CHECK_EQ_INT(small.bytes, 0);
    ep_arena_free(&arena);
    return refused;
}

/* Without memory from any time on there is no term. */
static size_t refuse_each(ep_bytes text) {
    size_t refused = 0;
    for (int all = 0; all < 2; all++) {
        for (size_t n = 1; refuse(text, n, all != 0); n++) {
            refused++;
        }
    }
    return refused;
}

static void test_refused(void) {
    CHECK(refuse_each(test_bytes("Max(Mul(Integer(-1), Mul(Rational(1, 2), Add(" S1 ", " S0
                                 "))), Pow(Integer(2), "
                                 "Integer(-1)), Mul(Integer(-1), " S0 "), Add(" S1 ", " S0
                                 ", Mod(" S0 ", " S1 ")))")) > 2);
}

/* Two calls are compared pair by pair of their arguments, all of which wait; the
 * room for them grows to odd numbers of words too. */
static void test_refused_pairs(void) {
    test_text call = {0};
    test_text text = {0};
    test_add_str(&call, "Max(" S0);
    test_add_repeat(&call, ", " S0, 7000);
    test_add_str(&call, ")");
    test_add_str(&text, "Add(");
    test_add(&text, call.data, call.size);
    test_add_str(&text, ", ");
    test_add(&text, call.data, call.size);
    test_add_str(&text, ")");
    CHECK(refuse_each(test_text_exact(&text)) > 20);
    test_text_free(&call);
    test_text_free(&text);
}

int main(void) {
    test_ones();
    test_signs();
    test_spread();
    test_parts();
    test_order();
    test_booleans();
    test_ties();
    test_kept();
    test_infix();
    test_samples();
    test_deep();
    test_deep_products();
    test_wide();
    test_twins();
    test_refused();
    test_refused_pairs();
    return check_report();
}
