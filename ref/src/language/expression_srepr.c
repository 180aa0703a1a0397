/*
 * language/expression_srepr.c - the SREPR form (SPEC 4.1.7): nested function calls and
 * constructors of literals. A predictive parser with a stack of open calls.
 */
#include "language/expression_reader.h"

enum { FLOAT_PRECISION = 53, PRECISION_DIGITS = 4 };

/* ----------------------------------------------------------------- numbers */

/* An integer at the cursor; negative ones and zero where they may be. */
static bool read_digits(ep_expression_reader *r, bool minus, bool zero) {
    const char *begin = r->p;
    const char *digits = begin + (minus && begin != r->end && *begin == '-');
    const char *end = ep_expression_digits_end(digits, r->end);
    bool wrong_zero = end != digits && *digits == '0' && (!zero || digits != begin);
    if (end == digits || wrong_zero) {
        return ep_expression_fail(r, EP_EXPR, digits, "an integer");
    }
    r->p = end;
    return true;
}

static bool push_digits(ep_expression_reader *r, const char *at, const char *digits) {
    return ep_expression_leaf(r, &(ep_term){
                                     .kind = EP_TERM_INTEGER,
                                     .sorts = EP_CAN_INT,
                                     .at = at,
                                     .lead = (uint8_t)(digits - at),
                                     .size = (size_t)(r->p - digits),
                                 });
}

static bool read_integer(ep_expression_reader *r, const char *at) {
    const char *digits = r->p;
    return read_digits(r, true, true) && push_digits(r, at, digits) &&
           ep_expression_literal(r, EP_TEXT(")"));
}

/* Rational(1, 2): a fraction that is no integer. */
static bool read_rational(ep_expression_reader *r, const char *at) {
    size_t base = r->terms.count;
    const char *digits = r->p;
    TRY(read_digits(r, true, false) && push_digits(r, digits, digits));
    TRY(ep_expression_literal(r, EP_TEXT(", ")));
    digits = r->p;
    TRY(read_digits(r, false, false) && push_digits(r, digits, digits));
    if (r->p - digits == 1 && *digits == '1') {
        return ep_expression_fail(r, EP_EXPR, digits, "a denominator above 1");
    }
    ep_term model = {.kind = EP_TERM_RATIONAL, .sorts = EP_CAN_FLOAT, .at = at};
    return ep_expression_wrap(r, &model, base) && ep_expression_literal(r, EP_TEXT(")"));
}

/* The significant digits that sympy writes for a precision in bits: 17 for 53,
 * and for more bits the decimal digits that they are worth, and three. */
static size_t digits_of_precision(ep_bytes text) {
    uint64_t bits = 0; /* whose product is beyond 32 bits */
    for (size_t i = 0; i < text.size; i++) {
        bits = bits * 10 + (uint64_t)(text.data[i] - '0');
    }
    size_t decimals = (size_t)((bits * 10000000 + 16609640) / 33219281) - 1;
    return decimals == 15 ? 17 : decimals + 3;
}

static bool read_precision(ep_expression_reader *r, size_t *significant) {
    const char *digits = r->p;
    TRY(read_digits(r, false, false));
    ep_bytes text = {digits, (size_t)(r->p - digits)};
    bool less = text.size < 2 || (text.size == 2 && memcmp(digits, "53", 2) < 0);
    if (less || text.size > PRECISION_DIGITS) {
        return ep_expression_fail(r, EP_EXPR, digits, "53 or more bits");
    }
    *significant = digits_of_precision(text);
    return push_digits(r, digits, digits);
}

/* Where the quoted text of a float ends; what is in it is judged by precision,
 * which comes after it. */
static const char *quote_end(const ep_expression_reader *r) {
    const char *p = r->p;
    while (p != r->end && (ep_is_digit(*p) || *p == '.' || *p == 'e' || *p == '+' || *p == '-')) {
        p++;
    }
    return p;
}

static bool judge_float(ep_expression_reader *r, ep_bytes text, size_t digits) {
    bool minus = text.size != 0 && text.data[0] == '-';
    ep_bytes rest = {text.data + minus, text.size - minus};
    const char *wrong = NULL;
    const char *end = ep_expression_float_end(rest, digits, false, &wrong);
    if (end != NULL && end != rest.data + rest.size) {
        wrong = end;
    } else if (minus && ep_text_equal(rest, EP_TEXT("0.0"))) {
        wrong = text.data; /* zero has no sign */
    }
    return wrong == NULL || ep_expression_fail(r, EP_EXPR, wrong, "a float");
}

static bool read_float(ep_expression_reader *r, const char *at) {
    TRY(ep_expression_literal(r, EP_TEXT("'")));
    ep_term model = {.kind = EP_TERM_FLOAT, .sorts = EP_CAN_FLOAT, .at = at};
    ep_bytes text = {r->p, (size_t)(quote_end(r) - r->p)};
    size_t base = r->terms.count;
    size_t digits = 0;
    model.lead = (uint8_t)(r->p - at);
    model.size = text.size;
    TRY(judge_float(r, text, 0));
    r->p += text.size;
    TRY(ep_expression_literal(r, EP_TEXT("', precision=")) && read_precision(r, &digits));
    TRY(judge_float(r, text, digits));
    return ep_expression_wrap(r, &model, base) && ep_expression_literal(r, EP_TEXT(")"));
}

/* ----------------------------------------------------------------- symbols */

/* In the order in which PyTorch gives them to sympy. */
static const struct {
    ep_bytes name;
    unsigned bit;
} assumption_rows[] = {
    {{"positive", 8}, EP_ASSUME_POSITIVE},
    {{"integer", 7}, EP_ASSUME_INTEGER},
    {{"real", 4}, EP_ASSUME_REAL},
};

/* SPEC 4.1.5: each once, in order, and true. */
static bool read_assumption(ep_expression_reader *r, unsigned *assumptions) {
    const char *at = r->p;
    ep_bytes name = {at, (size_t)(ep_identifier_end(r->p, r->end) - at)};
    size_t i = 0;
    while (i < EP_COUNT_OF(assumption_rows) && (!ep_text_equal(assumption_rows[i].name, name) ||
                                                assumption_rows[i].bit <= *assumptions)) {
        i++;
    }
    if (i == EP_COUNT_OF(assumption_rows)) {
        return ep_expression_fail(r, EP_EXPR_SYMBOL, at, "positive, integer or real");
    }
    *assumptions |= assumption_rows[i].bit;
    r->p += name.size;
    TRY(ep_expression_literal(r, EP_TEXT("=")));
    at = r->p;
    ep_bytes value = {at, (size_t)(ep_identifier_end(r->p, r->end) - at)};
    if (!ep_text_equal(value, EP_TEXT("True"))) {
        return ep_expression_fail(r, EP_EXPR_SYMBOL, at, "True");
    }
    r->p += value.size;
    return true;
}

static bool read_symbol(ep_expression_reader *r, const char *at) {
    TRY(ep_expression_literal(r, EP_TEXT("'")));
    const char *end = ep_identifier_end(r->p, r->end);
    ep_term model = {.at = at, .lead = (uint8_t)(r->p - at), .size = (size_t)(end - r->p)};
    unsigned assumptions = 0;
    if (model.size == 0 || (end != r->end && *end != '\'')) {
        return ep_expression_fail(r, EP_EXPR_SYMBOL, end, "an identifier");
    }
    r->p = end;
    TRY(ep_expression_literal(r, EP_TEXT("'")));
    while (r->p != r->end && *r->p == ',') {
        TRY(ep_expression_literal(r, EP_TEXT(", ")) && read_assumption(r, &assumptions));
    }
    TRY(ep_expression_literal(r, EP_TEXT(")")));
    model.sorts = (assumptions & EP_ASSUME_INTEGER) != 0 ? EP_CAN_INT : EP_CAN_FLOAT;
    return ep_expression_symbol(r, &model, assumptions);
}

/* ------------------------------------------------------------------- terms */

typedef struct literal_row {
    ep_bytes name;
    bool (*read)(ep_expression_reader *r, const char *at);
} literal_row;

static const literal_row literals[] = {
    {{"Symbol", 6}, read_symbol},
    {{"Integer", 7}, read_integer},
    {{"Float", 5}, read_float},
    {{"Rational", 8}, read_rational},
};

static bool read_boolean(ep_expression_reader *r, ep_bytes name) {
    bool is_true = ep_text_equal(name, EP_TEXT("true"));
    r->operand = false;
    return ep_expression_leaf(r, &(ep_term){
                                     .kind = is_true ? EP_TERM_TRUE : EP_TERM_FALSE,
                                     .sorts = EP_CAN_BOOL,
                                     .at = name.data,
                                 });
}

/* What a name that opens a parenthesis begins. */
static bool read_call(ep_expression_reader *r, ep_bytes name) {
    for (size_t i = 0; i < EP_COUNT_OF(literals); i++) {
        if (ep_text_equal(literals[i].name, name)) {
            r->operand = false;
            return ep_expression_literal(r, EP_TEXT("(")) && literals[i].read(r, name.data);
        }
    }
    unsigned function = ep_function_find(EP_EXPRESSION_SREPR, name);
    bool open = r->p != r->end && *r->p == '(';
    if (function == EP_FUNCTION_COUNT) { /* SPEC 4.1.2 */
        return ep_expression_fail(r, open ? EP_EXPR_FUNCTION : EP_EXPR, name.data, "a function");
    }
    TRY(ep_expression_literal(r, EP_TEXT("(")));
    r->operand = r->p == r->end || *r->p != ')'; /* none at all: its number is judged */
    return ep_expression_open(r, EP_TERM_CALL, function, name.data);
}

static bool read_term(ep_expression_reader *r) {
    ep_bytes name = {r->p, (size_t)(ep_identifier_end(r->p, r->end) - r->p)};
    if (name.size == 0) {
        return ep_expression_fail(r, EP_EXPR, r->p, "a function");
    }
    r->p += name.size;
    bool called = r->p != r->end && *r->p == '('; /* then it is a function's (SPEC 4.1.2) */
    if (!called &&
        (ep_text_equal(name, EP_TEXT("true")) || ep_text_equal(name, EP_TEXT("false")))) {
        return read_boolean(r, name);
    }
    return read_call(r, name);
}

static bool read_after_term(ep_expression_reader *r) {
    if (r->frame->outer == NULL) {
        r->frame = NULL;
        return r->p == r->end || ep_expression_fail(r, EP_EXPR, r->p, "the end");
    }
    if (r->p != r->end && *r->p == ',') {
        r->operand = true;
        return ep_expression_literal(r, EP_TEXT(", "));
    }
    TRY(ep_expression_literal(r, EP_TEXT(")")));
    ep_expression_frame frame = ep_expression_close(r);
    return ep_expression_call(r, frame.function, frame.at, frame.base);
}

bool ep_expression_read_srepr(ep_expression_reader *r) {
    TRY(ep_expression_open(r, EP_TERM_GROUP, EP_FUNCTION_COUNT, r->p));
    while (r->frame != NULL) {
        TRY(r->operand ? read_term(r) : read_after_term(r));
    }
    return true;
}
