/*
 * test_expression.c - symbolic expressions in both forms: what is valid prints
 * as the bytes it was read from, what is not has its code at its byte, and
 * nothing hurts.
 */
#include "language/expression_reader.h"

#include "check.h"
#include "expressions.h"
#include "support.h"

#include <stdlib.h>

enum { DEPTH = 100 };

/* ------------------------------------------------------------------- reading */

typedef struct subject {
    ep_expression_options options;
    ep_bytes text;
} subject;

static subject subject_of(ep_expression_form form, int sort, ep_bytes text) {
    subject s = {{.form = form, .any_sort = sort == ANY, .depth = DEPTH}, text};
    s.options.sort = sort == ANY || sort == EITHER ? EP_SORT_INT : (ep_sort)sort;
    return s;
}

static bool parse(const subject *s, ep_arena *arena, const ep_expression **e, ep_fault *fault) {
    ep_passage passage = {.text = s->text, .raw = s->text};
    *fault = (ep_fault){.code = EP_OK};
    return ep_expression_parse(arena, &passage, &s->options, e, fault);
}

/* Parses and prints; the fault of a refusal, EP_OK when it prints the same. */
static ep_fault round_trip(const subject *s) {
    test_heap heap = {0};
    ep_arena arena;
    ep_fault fault;
    const ep_expression *e;
    test_arena(&arena, &heap, 0);
    if (parse(s, &arena, &e, &fault)) {
        ep_bytes text = {NULL, 0};
        CHECK(ep_expression_print(e, &arena, &text));
        CHECK_EQ_BYTES(text.data, text.size, s->text.data, s->text.size);
    } else {
        CHECK(fault.code != EP_OK && fault.offset <= s->text.size);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    return fault;
}

static void expect(const subject *s, ep_code code, size_t offset) {
    ep_fault fault = round_trip(s);
    if (!CHECK(fault.code == code && (code == EP_OK || fault.offset == offset))) {
        fprintf(stderr, "    %.*s: code %d at %zu, not %d at %zu\n", (int)s->text.size,
                s->text.data, (int)fault.code, fault.offset, (int)code, offset);
    }
}

static void check_symbols(const ep_expression *e, const subject *s, const char *expected) {
    test_text names = {0};
    for (size_t i = 0; i < e->symbol_count; i++) {
        test_add(&names, e->symbols[i].name.data, e->symbols[i].name.size);
        test_add_str(&names, " ");
        const char *at = e->symbols[i].name.data;
        CHECK(at >= s->text.data && at < s->text.data + s->text.size);
        CHECK(i == 0 || at > e->symbols[i - 1].name.data);
    }
    CHECK_EQ_STR(names.data, names.size, expected);
    test_text_free(&names);
}

static void test_samples(void) {
    for (size_t i = 0; i < EP_COUNT_OF(samples); i++) {
        const sample *row = &samples[i];
        subject s = subject_of(row->form, ANY, ep_text_of(row->text));
        test_heap heap = {0};
        ep_arena arena;
        ep_fault fault;
        const ep_expression *e;
        test_arena(&arena, &heap, 0);
        expect(&s, EP_OK, 0);
        if (parse(&s, &arena, &e, &fault)) {
            CHECK_EQ_INT(e->form, row->form);
            CHECK_EQ_INT(e->sort, row->sort == EITHER ? INT : row->sort);
            check_symbols(e, &s, row->symbols);
        }
        ep_arena_free(&arena);
    }
}

/* Its own sort is the only one that may be demanded of an expression. */
static void test_demanded_sorts(void) {
    for (size_t i = 0; i < EP_COUNT_OF(samples); i++) {
        for (int sort = INT; sort <= BOOL; sort++) {
            const sample *row = &samples[i];
            subject s = subject_of(row->form, sort, ep_text_of(row->text));
            bool fits = row->sort == sort || (row->sort == EITHER && sort != BOOL);
            expect(&s, fits ? EP_OK : EP_EXPR_TYPE, 0);
        }
    }
}

static void test_assumptions(void) {
    const char *text = "Add(" S0 ", Mul(" Z1 ", " Z0 "), " U1 ", " S0 ")";
    static const unsigned expected[] = {EP_ASSUME_POSITIVE | EP_ASSUME_INTEGER,
                                        EP_ASSUME_POSITIVE | EP_ASSUME_REAL, 0, EP_ASSUME_INTEGER};
    subject s = subject_of(SREPR, FLOAT, ep_text_of(text));
    test_heap heap = {0};
    ep_arena arena;
    ep_fault fault;
    const ep_expression *e;
    test_arena(&arena, &heap, 0);
    if (CHECK(parse(&s, &arena, &e, &fault)) && CHECK_EQ_INT(e->symbol_count, 4)) {
        for (size_t i = 0; i < 4; i++) {
            CHECK_EQ_INT(e->symbols[i].assumptions, expected[i]);
        }
        CHECK_EQ_INT(e->root->number, 4);
        CHECK_EQ_INT(e->root->arguments[3]->number, 0);
    }
    ep_arena_free(&arena);
}

/* ------------------------------------------------------------------ refusals */

typedef struct refusal {
    ep_expression_form form;
    int sort;
    ep_code code;
    const char *text; /* '@' before its first wrong byte */
} refusal;

static const refusal refusals[] = {
    {INFIX, ANY, EP_EXPR, "@"},
    {INFIX, ANY, EP_EXPR, "@ s0"},
    {INFIX, ANY, EP_EXPR, "s0 @"},
    {INFIX, ANY, EP_EXPR, "s0 +@"},
    {INFIX, ANY, EP_EXPR, "s0 + @"},
    {INFIX, ANY, EP_EXPR, "s0 @ + 1"},
    {INFIX, ANY, EP_EXPR, "s0 + @ 1"},
    {INFIX, ANY, EP_EXPR, "s0@+1"},
    {INFIX, ANY, EP_EXPR, "s0 @* 2"},
    {INFIX, ANY, EP_EXPR, "s0*@-2"},
    {INFIX, ANY, EP_EXPR, "s0 - @-2"},
    {INFIX, ANY, EP_EXPR, "s0 + @-2"},
    {INFIX, ANY, EP_EXPR, "-@-s0"},
    {INFIX, ANY, EP_EXPR, "@+s0"},
    {INFIX, ANY, EP_EXPR, "~@~(s0 > 1)"},
    {INFIX, ANY, EP_EXPR, "~@-s0"},
    {INFIX, ANY, EP_EXPR, "(s0@"},
    {INFIX, ANY, EP_EXPR, "s0@)"},
    {INFIX, ANY, EP_EXPR, "(@)"},
    {INFIX, ANY, EP_EXPR, "s0@, s1"},
    {INFIX, ANY, EP_EXPR, "(s0@, s1)"},
    {INFIX, ANY, EP_EXPR, "Max(s0,@s1)"},
    {INFIX, ANY, EP_EXPR, "Max(s0, @)"},
    {INFIX, ANY, EP_EXPR, "Max(s0, s1@"},
    {INFIX, ANY, EP_EXPR, "s0**s1@**s2"},
    {INFIX, ANY, EP_EXPR, "s0@//2"},
    {INFIX, ANY, EP_EXPR, "(s0 + s1@//2)"},
    {INFIX, ANY, EP_EXPR, "(2*s0@//2)"},
    {INFIX, ANY, EP_EXPR, "(-s0@//2)"},
    {INFIX, ANY, EP_EXPR, "(s0//@-2)"},
    {INFIX, ANY, EP_EXPR, "(s0//2@//2)"},
    {INFIX, ANY, EP_EXPR, "(s0//2@ + 1)"},
    {INFIX, ANY, EP_EXPR, "(s0//2@*s1)"},
    {INFIX, ANY, EP_EXPR, "(s0 > s1@//2)"},
    {INFIX, ANY, EP_EXPR, "Max(s0@//2, 1)"},
    {INFIX, ANY, EP_EXPR, "s0 > 1@ > 0"},
    {INFIX, ANY, EP_EXPR, "s0 > 1@ & (s1 > 0)"},
    {INFIX, ANY, EP_EXPR, "(s0 > 1) & (s1 > 0)@ | (s2 > 0)"},
    {INFIX, ANY, EP_EXPR, "(s0 > 1) & (s1 > 0)@ > 2"},
    {INFIX, ANY, EP_EXPR, "s0 @% 2"},
    {INFIX, ANY, EP_EXPR, "s0 <=@2"},
    {INFIX, ANY, EP_EXPR, "s0 @== 2"},
    {INFIX, ANY, EP_EXPR, "0@1"},
    {INFIX, ANY, EP_EXPR, "1@e5"},
    {INFIX, ANY, EP_EXPR, "2@s0"},
    {INFIX, ANY, EP_EXPR, "@.5"},
    {INFIX, ANY, EP_EXPR, "@1."},
    {INFIX, ANY, EP_EXPR, "@1.50"},
    {INFIX, ANY, EP_EXPR, "@0.00001"},
    {INFIX, ANY, EP_EXPR, "@0.0e+20"},
    {INFIX, ANY, EP_EXPR, "@1.0e+14"},
    {INFIX, ANY, EP_EXPR, "1.0e@20"},
    {INFIX, ANY, EP_EXPR, "1.0e+@0"},
    {INFIX, ANY, EP_EXPR, "1.0e+123456@7"},
    {INFIX, ANY, EP_EXPR, "@0.1234567890123456"},
    {INFIX, ANY, EP_EXPR, "@1234567890123456.0"},
    {INFIX, ANY, EP_EXPR, "s0@[0]"},
    {INFIX, ANY, EP_EXPR, "s0@.x"},
    {INFIX, ANY, EP_EXPR, "@'s0'"},
    {INFIX, ANY, EP_EXPR, "s0@\n"},
    {INFIX, ANY, EP_EXPR, "s0@\xC3\xA9"},
    {INFIX, ANY, EP_EXPR, "Piecewise(@s0, (s1, True))"},
    {INFIX, ANY, EP_EXPR_TYPE, "2**@True"},
    {INFIX, ANY, EP_EXPR_TYPE, "2*@True - 1"},
    {INFIX, ANY, EP_EXPR, "Piecewise(@-(s1, True))"},
    {INFIX, ANY, EP_EXPR, "Piecewise((s1, True@, 1))"},
    {INFIX, ANY, EP_EXPR, "Piecewise((s0@))"},
    {INFIX, ANY, EP_EXPR, "Piecewise((1 + True@), (s1, True))"},
    {INFIX, ANY, EP_EXPR, "Piecewise((@))"},
    {INFIX, ANY, EP_EXPR, "Piecewise((s1, True)@*1)"},
    {INFIX, ANY, EP_EXPR, "Piecewise((s1, True)@*(s2, True))"},
    {INFIX, ANY, EP_EXPR, "Piecewise((s1, True)@/(s2, True))"},
    {INFIX, ANY, EP_EXPR, "Piecewise((s1, True)@ + (s2, True))"},
    {INFIX, ANY, EP_EXPR, "Piecewise((s1, True)@**2)"},
    {INFIX, ANY, EP_EXPR, "1 + True@)"},
    {INFIX, ANY, EP_EXPR, "True*2@x"},
    {INFIX, ANY, EP_EXPR, "(1 + True@//2)"},
    {INFIX, ANY, EP_EXPR_FUNCTION, "@NoSuchFn(s0)"},
    {INFIX, ANY, EP_EXPR_FUNCTION, "s0 + @Add(s0, 1)"},
    {INFIX, ANY, EP_EXPR_FUNCTION, "@Symbol('s0')"},
    {INFIX, ANY, EP_EXPR_FUNCTION, "@BitwiseFn_bitwise_and(s0, 1)"},
    {INFIX, ANY, EP_EXPR_FUNCTION, "@True(s0)"},
    {INFIX, ANY, EP_EXPR, "(s0)@(s1)"},
    {INFIX, ANY, EP_EXPR_ARGUMENTS, "@Max()"},
    {INFIX, ANY, EP_EXPR_ARGUMENTS, "1 + @Mod(s0)"},
    {INFIX, ANY, EP_EXPR_ARGUMENTS, "@Mod(s0, s1, s2)"},
    {INFIX, ANY, EP_EXPR_ARGUMENTS, "@Piecewise()"},
    {INFIX, ANY, EP_EXPR_ARGUMENTS, "@IsNonOverlappingAndDenseIndicator(s0, s1, 1)"},
    {INFIX, ANY, EP_EXPR_ARGUMENTS, "@Abs(s0 > 1, 2)"},
    {INFIX, ANY, EP_EXPR_TYPE, "@True + 1"},
    {INFIX, ANY, EP_EXPR_TYPE, "s0*@(s1 > 1)"},
    {INFIX, ANY, EP_EXPR_TYPE, "-@True"},
    {INFIX, ANY, EP_EXPR_TYPE, "s0/@True"},
    {INFIX, ANY, EP_EXPR_TYPE, "s0 + 2*s1 - @True + 1"},
    {INFIX, ANY, EP_EXPR_TYPE, "~@s0"},
    {INFIX, ANY, EP_EXPR_TYPE, "(s0 > 1) & @s1"},
    {INFIX, ANY, EP_EXPR_TYPE, "@s0 & (s1 > 0)"},
    {INFIX, ANY, EP_EXPR_TYPE, "Eq(s0, @s1 > 2)"},
    {INFIX, ANY, EP_EXPR_TYPE, "Eq(s1 > 2, @s0)"},
    {INFIX, ANY, EP_EXPR_TYPE, "Where(@s0, s1, s2)"},
    {INFIX, ANY, EP_EXPR_TYPE, "ModularIndexing(s0, @0.5, 2)"},
    {INFIX, ANY, EP_EXPR_TYPE, "Piecewise((s0, @s1))"},
    {INFIX, ANY, EP_EXPR_TYPE, "Piecewise((s0, True), @(s0 > 1, True))"},
    {INFIX, ANY, EP_EXPR_TYPE, "(@True//2)"},
    {INFIX, ANY, EP_EXPR_TYPE, "@True**2"},
    {INFIX, INT, EP_EXPR_TYPE, "@True"},
    {INFIX, INT, EP_EXPR_TYPE, "@2.5"},
    {INFIX, INT, EP_EXPR_TYPE, "@s0 > 2"},
    {INFIX, INT, EP_EXPR_ZERO, "1/@0"},
    {INFIX, FLOAT, EP_EXPR_TYPE, "@s0"},
    {INFIX, ANY, EP_EXPR_SYMBOL, "@Max"},
    {INFIX, ANY, EP_EXPR_SYMBOL, "s0 + @sqrt + 1"},
    {INFIX, ANY, EP_EXPR_SYMBOL, "Max(1, @oo)"},
    {INFIX, ANY, EP_EXPR_SYMBOL, "-@int_oo"},
    {INFIX, ANY, EP_EXPR_SYMBOL, "@nan"},

    {SREPR, ANY, EP_EXPR, "@"},
    {SREPR, ANY, EP_EXPR, "@s0"},
    {SREPR, ANY, EP_EXPR, "@True"},
    {SREPR, ANY, EP_EXPR, "@1/0"},
    {SREPR, ANY, EP_EXPR, "@2.5"},
    {SREPR, ANY, EP_EXPR, "@(" S0 ")"},
    {SREPR, ANY, EP_EXPR, "@ " S0},
    {SREPR, ANY, EP_EXPR, S0 "@ "},
    {SREPR, ANY, EP_EXPR, S0 "@ + 1"},
    {SREPR, ANY, EP_EXPR, S0 "@)"},
    {SREPR, ANY, EP_EXPR, "Add@"},
    {SREPR, ANY, EP_EXPR, "Add(@"},
    {SREPR, ANY, EP_EXPR, "Add(@, " S0 ")"},
    {SREPR, ANY, EP_EXPR, "Add(" S0 ",@" S0 ")"},
    {SREPR, ANY, EP_EXPR, "Add(" S0 ", @)"},
    {SREPR, ANY, EP_EXPR, "Add(" S0 ", " S0 "@"},
    {SREPR, ANY, EP_EXPR, "Add(" S0 "@;"},
    {SREPR, ANY, EP_EXPR, "Add@ (" S0 ", " S0 ")"},
    {SREPR, ANY, EP_EXPR, "true@ ()"},
    {SREPR, ANY, EP_EXPR, "@truex"},
    {SREPR, ANY, EP_EXPR_FUNCTION, "@true()"},
    {SREPR, ANY, EP_EXPR_FUNCTION, "Not(@false(true))"},
    {SREPR, ANY, EP_EXPR, "Integer(@)"},
    {SREPR, ANY, EP_EXPR, "Integer@"},
    {SREPR, ANY, EP_EXPR, "Integer(0@1)"},
    {SREPR, ANY, EP_EXPR, "Integer(-@0)"},
    {SREPR, ANY, EP_EXPR, "Integer(@+1)"},
    {SREPR, ANY, EP_EXPR, "Integer(1@.0)"},
    {SREPR, ANY, EP_EXPR, "Integer(1@, 2)"},
    {SREPR, ANY, EP_EXPR, "Rational(@0, 2)"},
    {SREPR, ANY, EP_EXPR, "Rational(1, @0)"},
    {SREPR, ANY, EP_EXPR, "Rational(1, @1)"},
    {SREPR, ANY, EP_EXPR, "Rational(1, @-2)"},
    {SREPR, ANY, EP_EXPR, "Rational(1@)"},
    {SREPR, ANY, EP_EXPR, "Float(@0.5, precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('@', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('@inf', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('1@', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('@1.', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('@0.50', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('@-0.0', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('0.5@-', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('@0.00001', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('@1.0e+16', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('@100000000000000000.0', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('@0.123456789012345678', precision=53)"},
    {SREPR, ANY, EP_EXPR, "Float('0.5'@)"},
    {SREPR, ANY, EP_EXPR, "Float('0.5', precision=@52)"},
    {SREPR, ANY, EP_EXPR, "Float('0.5', precision=@9)"},
    {SREPR, ANY, EP_EXPR, "Float('0.5', precision=@12345)"},
    {SREPR, ANY, EP_EXPR, "Float('0.5', precision=@053)"},
    {SREPR, ANY, EP_EXPR, "Float('0.5@\", precision=53)"},
    {SREPR, ANY, EP_EXPR, "Symbol(@\"s0\", integer=True)"},
    {SREPR, ANY, EP_EXPR, "Symbol('s0@"},
    {SREPR, ANY, EP_EXPR, "Symbol('s0'@"},
    {SREPR, ANY, EP_EXPR, "Symbol('s0',@integer=True)"},
    {SREPR, ANY, EP_EXPR, "Symbol('s0', integer@)"},
    {SREPR, ANY, EP_EXPR, "Symbol('s0', integer@ = True)"},
    {SREPR, ANY, EP_EXPR, "Symbol('s0', integer=True,@)"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('@')"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('@0s')"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('s@ 0')"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('s@\xC3\xA9')"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('s0', @prime=True)"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('s0', @)"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('s0', integer=@False)"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('s0', integer=@1)"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('s0', integer=True, @integer=True)"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Symbol('s0', integer=True, @positive=True)"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Add(" S0 ", @Symbol('s0', integer=True))"},
    {SREPR, ANY, EP_EXPR_SYMBOL, "Add(" U1 ", @Symbol('u1'))"},
    {SREPR, ANY, EP_EXPR_FUNCTION, "@NoSuchFn(s0)"},
    {SREPR, ANY, EP_EXPR_FUNCTION, "Add(" S0 ", @Eq(" S0 ", true))"},
    {SREPR, ANY, EP_EXPR_FUNCTION, "@add(" S0 ", " S0 ")"},
    {SREPR, ANY, EP_EXPR_FUNCTION, "@__import__('os')"},
    {SREPR, ANY, EP_EXPR_FUNCTION, "@sqrt(" S0 ")"},
    {SREPR, ANY, EP_EXPR_ARGUMENTS, "@Add()"},
    {SREPR, ANY, EP_EXPR_ARGUMENTS, "@Add(" S0 ")"},
    {SREPR, ANY, EP_EXPR_ARGUMENTS, "Add(@Pow(true), true)"},
    {SREPR, ANY, EP_EXPR_ARGUMENTS, "@Not(true, true)"},
    {SREPR, ANY, EP_EXPR_TYPE, "Add(" S0 ", @true)"},
    {SREPR, ANY, EP_EXPR_TYPE, "Not(@" S0 ")"},
    {SREPR, ANY, EP_EXPR_TYPE, "ToFloat(@" Z0 ")"},
    {SREPR, ANY, EP_EXPR_TYPE, "PythonMod(Integer(1), @Rational(1, 2))"},
    {SREPR, ANY, EP_EXPR_TYPE, "Piecewise(@" S0 ")"},
    {SREPR, ANY, EP_EXPR_TYPE, "@ExprCondPair(" S0 ", true)"},
    {SREPR, ANY, EP_EXPR_TYPE, "Add(" S0 ", @ExprCondPair(" S0 ", true))"},
    {SREPR, ANY, EP_EXPR_TYPE, "Identity(@ExprCondPair(" S0 ", true))"},
    {SREPR, ANY, EP_EXPR_TYPE, "Equality(" S0 ", @true)"},
    {SREPR, INT, EP_EXPR_TYPE, "@Float('2.5', precision=53)"},
    {SREPR, FLOAT, EP_EXPR_TYPE, "@Integer(2)"},
};

static void test_refusals(void) {
    for (size_t i = 0; i < EP_COUNT_OF(refusals); i++) {
        const refusal *row = &refusals[i];
        test_text text = {0};
        test_add_str(&text, row->text);
        size_t at = test_take_mark(&text);
        subject s = subject_of(row->form, row->sort, test_text_exact(&text));
        if (CHECK(at != SIZE_MAX)) {
            expect(&s, row->code, at);
        }
        test_text_free(&text);
    }
}

/* Several faults: the first in the text, but what is inside before what is
 * judged at the closing parenthesis. */
static void test_first_fault(void) {
    subject s = subject_of(SREPR, ANY, EP_TEXT("Not(Integer(1), Integer(2), NoSuch("));
    expect(&s, EP_EXPR_FUNCTION, 28);
    s.text = EP_TEXT("Pow(true, Not(false, true))");
    expect(&s, EP_EXPR_ARGUMENTS, 10);
    s = subject_of(INFIX, INT, EP_TEXT("Eq(s0, 1) + "));
    expect(&s, EP_EXPR, 12);
    s.text = EP_TEXT("Eq(s0, 1) + 1 @");
    expect(&s, EP_EXPR, 14);
}

/* ------------------------------------------------------------------ functions */

static const char *argument_of(ep_expression_form form, char letter) {
    bool infix = form == EP_EXPRESSION_INFIX;
    switch (letter) {
    case 'B':
        return infix ? "Eq(s0, 1)" : "true";
    case 'P':
    case 'Q':
        return infix ? "(s0, True)" : "ExprCondPair(Integer(1), true)";
    default:
        return infix ? "s0" : U1;
    }
}

static const char *wrong_argument(ep_expression_form form, char letter) {
    bool boolean = letter == 'B' || letter == 'P' || letter == 'Q';
    return argument_of(form, boolean ? 'I' : 'B');
}

/* A call by its row; one argument may be of the wrong sort. Returns where that
 * one begins. */
static size_t write_call(test_text *text, ep_expression_form form, unsigned function, size_t n,
                         size_t wrong) {
    const ep_function_row *row = ep_function_row_of(function);
    ep_bytes name = form == EP_EXPRESSION_INFIX ? row->infix : row->srepr;
    const char *letter = row->arguments;
    size_t at = 0;
    test_add(text, name.data, name.size);
    for (size_t i = 0; i < n; i++) {
        test_add_str(text, i == 0 ? "(" : ", ");
        at = i == wrong ? text->size : at;
        test_add_str(text, i == wrong ? wrong_argument(form, *letter) : argument_of(form, *letter));
        letter += letter[1] != '\0';
    }
    test_add_str(text, n == 0 ? "()" : ")");
    return at;
}

static void expect_call(ep_expression_form form, unsigned function, size_t n, size_t wrong,
                        ep_code code) {
    test_text text = {0};
    size_t at = write_call(&text, form, function, n, wrong);
    subject s = subject_of(form, ANY, test_text_exact(&text));
    expect(&s, code, code == EP_EXPR_TYPE ? at : 0);
    test_text_free(&text);
}

/* Every row in every form that has its name: as few and as many arguments as
 * may be, one fewer, one more, and each of the wrong sort. */
static void check_row(ep_expression_form form, unsigned function) {
    const ep_function_row *row = ep_function_row_of(function);
    size_t most = row->most == 0 ? (size_t)row->least + 2 : row->most;
    bool pair = row->result == 'P'; /* no whole expression */
    bool unsorted = *row->arguments == 'A';
    bool arms = form == EP_EXPRESSION_INFIX && *row->arguments == 'P';
    expect_call(form, function, row->least, SIZE_MAX, pair ? EP_EXPR_TYPE : EP_OK);
    expect_call(form, function, most, SIZE_MAX, pair ? EP_EXPR_TYPE : EP_OK);
    expect_call(form, function, (size_t)row->least - 1, SIZE_MAX, EP_EXPR_ARGUMENTS);
    if (row->most != 0) {
        expect_call(form, function, most + 1, SIZE_MAX, EP_EXPR_ARGUMENTS);
    }
    for (size_t i = unsorted ? 1 : 0; i < row->least && !arms; i++) {
        expect_call(form, function, row->least, i, EP_EXPR_TYPE);
    }
}

static void test_functions(void) {
    size_t seen[2] = {0, 0};
    for (unsigned i = 0; i < EP_FUNCTION_COUNT; i++) {
        const ep_function_row *row = ep_function_row_of(i);
        if (row->srepr.size != 0) {
            check_row(EP_EXPRESSION_SREPR, i);
            seen[EP_EXPRESSION_SREPR]++;
        }
        if (row->infix.size != 0) {
            check_row(EP_EXPRESSION_INFIX, i);
            seen[EP_EXPRESSION_INFIX]++;
        }
        CHECK_EQ_INT(ep_function_find(EP_EXPRESSION_SREPR, row->srepr) == i, row->srepr.size != 0);
    }
    CHECK_EQ_INT(seen[EP_EXPRESSION_SREPR], 58);
    CHECK_EQ_INT(seen[EP_EXPRESSION_INFIX], 57);
}

/* ------------------------------------------------------------------- sweeps */

/* Every cut, and every byte replaced, removed or doubled. */
static void sweep_sample(const sample *row) {
    static const char bytes[] = "s09aT_ ()+-*/.,'=<>&|~%e\"\\\n\x80";
    size_t size = strlen(row->text);
    for (size_t at = 0; at < size; at++) {
        for (size_t b = 0; b < sizeof bytes + 2; b++) {
            test_text text = {0};
            test_add(&text, row->text, at);
            if (b < sizeof bytes) { /* the closing zero too */
                test_add(&text, &bytes[b], 1);
            } else if (b == sizeof bytes) {
                test_add(&text, row->text + at, 1);
                test_add(&text, row->text + at, 1);
            }
            test_add(&text, row->text + at + 1, size - at - 1);
            subject s = subject_of(row->form, ANY, test_text_exact(&text));
            round_trip(&s);
            s.text.size = at;
            round_trip(&s);
            test_text_free(&text);
        }
    }
}

static void test_sweep(void) {
    for (size_t i = 0; i < EP_COUNT_OF(samples); i++) {
        sweep_sample(&samples[i]);
    }
}

/* Allocation number n is refused, and with all also every one after it. */
static bool refuse(const subject *s, size_t n, bool all, size_t *calls) {
    test_heap heap = {.fail_at = n, .fail_on = all};
    ep_arena arena;
    ep_fault fault;
    const ep_expression *e;
    ep_bytes text;
    test_arena(&arena, &heap, 0);
    bool parsed = parse(s, &arena, &e, &fault);
    CHECK(parsed || (fault.code == EP_MEMORY && heap.bytes == 0));
    bool printed = parsed && ep_expression_print(e, &arena, &text);
    CHECK(!printed || ep_text_equal(text, s->text));
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    *calls = heap.calls;
    return printed;
}

static void sweep_allocations(ep_expression_form form, ep_bytes text) {
    subject s = subject_of(form, ANY, text);
    size_t calls;
    size_t ignored;
    CHECK(refuse(&s, 0, false, &calls));
    for (size_t n = 1; n <= calls; n++) {
        refuse(&s, n, false, &ignored);
        CHECK(!refuse(&s, n, true, &ignored));
    }
}

static void test_memory(void) {
    for (size_t i = 0; i < EP_COUNT_OF(samples); i++) {
        sweep_allocations(samples[i].form, ep_text_of(samples[i].text));
    }
    sweep_allocations(INFIX, EP_TEXT("~True"));
    sweep_allocations(INFIX, EP_TEXT("2*s0 - 1"));
    test_text text = {0};
    test_add_str(&text, "s0");
    for (int i = 1; i < 2000; i++) {
        test_add_str(&text, i % 10 == 0 ? " - (x" : " + (x");
        test_add_int(&text, i);
        test_add_str(&text, ")");
    }
    sweep_allocations(INFIX, test_text_exact(&text));
    test_text_free(&text);
    test_add_repeat(&text, "(", DEPTH);
    test_add_str(&text, "s0");
    test_add_repeat(&text, ")", DEPTH);
    sweep_allocations(INFIX, test_text_exact(&text));
    test_text_free(&text);
}

/* ------------------------------------------------------------------ hostile */

enum { MANY = 200 * 1000, MEGA = 1000 * 1000, PER_BYTE = 96, BASE = 16 * 1024 };

typedef struct hostile {
    ep_expression_form form;
    size_t depth;
    ep_code code;
    size_t offset;
} hostile;

static void expect_hostile(const char *about, const hostile *h, test_text *text) {
    subject s = subject_of(h->form, ANY, test_text_exact(text));
    test_heap heap = {0};
    ep_arena arena;
    ep_fault fault;
    const ep_expression *e;
    ep_bytes out;
    s.options.depth = h->depth;
    test_arena(&arena, &heap, 0);
    bool ok = parse(&s, &arena, &e, &fault);
    CHECK_NOTE(fault.code == h->code && fault.offset == h->offset, about);
    CHECK_NOTE(!ok || (ep_expression_print(e, &arena, &out) && ep_text_equal(out, s.text)), about);
    if (!CHECK_NOTE(ep_arena_peak(&arena) <= PER_BYTE * s.text.size + BASE, about)) {
        fprintf(stderr, "    %zu bytes for %zu\n", ep_arena_peak(&arena), s.text.size);
    }
    ep_arena_free(&arena);
    test_text_free(text);
}

static void repeat(const char *text, size_t times, const char *close, hostile h) {
    test_text all = {0};
    test_add_repeat(&all, text, times);
    test_add_str(&all, close);
    expect_hostile(text, &h, &all);
}

static void test_hostile(void) {
    const size_t free_depth = SIZE_MAX;
    repeat("(", MEGA, "", (hostile){INFIX, DEPTH, EP_LIMIT_DEPTH, DEPTH});
    repeat("(", MEGA, "", (hostile){INFIX, free_depth, EP_EXPR, MEGA});
    repeat("-", MEGA, "", (hostile){INFIX, DEPTH, EP_EXPR, 1});
    repeat("~", MEGA, "", (hostile){INFIX, DEPTH, EP_EXPR, 1});
    repeat("-(", MEGA, "", (hostile){INFIX, free_depth, EP_EXPR, 2 * MEGA});
    repeat("~(", MEGA, "", (hostile){INFIX, DEPTH, EP_LIMIT_DEPTH, 2 * DEPTH + 1});
    repeat("2**(", MEGA, "", (hostile){INFIX, free_depth, EP_EXPR, 4 * MEGA});
    repeat("Max(", MEGA, "", (hostile){INFIX, free_depth, EP_EXPR, 4 * MEGA});
    repeat("Piecewise((", MANY, "", (hostile){INFIX, free_depth, EP_EXPR, 11 * MANY});
    repeat("1", MEGA, "", (hostile){INFIX, DEPTH, EP_OK, 0});
    repeat("s", MEGA, "", (hostile){INFIX, DEPTH, EP_OK, 0});
    repeat("s0 + ", MANY, "1", (hostile){INFIX, DEPTH, EP_OK, 0});
    repeat("s0 - ", MANY, "1", (hostile){INFIX, DEPTH, EP_OK, 0});
    repeat("s0/", MANY, "2", (hostile){INFIX, DEPTH, EP_OK, 0});
    repeat("~(s0 > 1) | ", MANY, "True", (hostile){INFIX, DEPTH, EP_OK, 0});
    repeat("Add(", MEGA / 4, "", (hostile){SREPR, free_depth, EP_EXPR, MEGA});
    repeat("Add(", MEGA / 4, "", (hostile){SREPR, DEPTH, EP_LIMIT_DEPTH, 4 * DEPTH});
    repeat("a", MEGA, "", (hostile){SREPR, DEPTH, EP_EXPR, 0});
}

static void test_hostile_balanced(void) {
    test_text text = {0};
    test_add_repeat(&text, "(", MANY);
    test_add_str(&text, "s0");
    test_add_repeat(&text, ")", MANY);
    expect_hostile("parentheses", &(hostile){INFIX, SIZE_MAX, EP_OK, 0}, &text);
    text = (test_text){0};
    test_add_repeat(&text, "Abs(", MANY);
    test_add_str(&text, "Integer(1)");
    test_add_repeat(&text, ")", MANY);
    expect_hostile("calls", &(hostile){SREPR, SIZE_MAX, EP_OK, 0}, &text);
    text = (test_text){0};
    test_add_str(&text, "Add(");
    test_add_repeat(&text, "Integer(1), ", MANY);
    test_add_str(&text, "Integer(1))");
    expect_hostile("terms", &(hostile){SREPR, DEPTH, EP_OK, 0}, &text);
}

static void test_hostile_symbols(void) {
    test_text text = {0};
    test_add_str(&text, "Mul(Integer(1)");
    for (int i = 0; i < MANY; i++) {
        test_add_str(&text, ", Symbol('x");
        test_add_int(&text, i);
        test_add_str(&text, "', integer=True)");
    }
    test_add_str(&text, ")");
    expect_hostile("symbols", &(hostile){SREPR, DEPTH, EP_OK, 0}, &text);
}

int main(void) {
    test_samples();
    test_demanded_sorts();
    test_assumptions();
    test_refusals();
    test_first_fault();
    test_functions();
    test_sweep();
    test_memory();
    test_hostile();
    test_hostile_balanced();
    test_hostile_symbols();
    return check_report();
}
