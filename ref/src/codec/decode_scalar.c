/*
 * codec/decode_scalar.c - strings, numbers, booleans, enumerators, and the special
 * cases: as_none, bytes, the open ends of ranges. SPEC 2.7, 3.2 to 3.4, 3.6.7, 3.7,
 * 3.8.
 */
#include "codec/decoder.h"
#include "json/number.h"

/* What should be where a value of this op is awaited: "an integer". */
static const char *expected(uint8_t op) {
    static const char *const texts[] = {
        [EP_OP_STR] = "a string",
        [EP_OP_INT] = "an integer",
        [EP_OP_FLOAT] = "a number",
        [EP_OP_BOOL] = "true or false",
        [EP_OP_UNIT] = "[]",
        [EP_OP_NONE_BOOL] = "true",
        [EP_OP_BYTES] = "base64 text",
        [EP_OP_OPEN_END] = "an integer, Infinity or -Infinity",
        [EP_OP_ENUM] = "an enumerator's number",
        [EP_OP_STRUCT] = "an object",
        [EP_OP_UNION] = "an object",
        [EP_OP_LIST] = "an array",
        [EP_OP_DICT] = "an object",
        [EP_OP_TUPLE] = "an array",
    };
    return texts[op];
}

static bool wrong_type(ep_decoder *d, uint8_t op) { /* SPEC 3.4.1 */
    return ep_decode_fail(d, EP_TYPE, d->lexer.p, expected(op));
}

/* Refuses a value that the op does not take. Bare Infinity and NaN have a clause of
 * their own (SPEC 2.7.1). */
static bool wrong_token(ep_decoder *d, uint8_t op, char c) {
    const char *start = d->lexer.p;
    if (c != '"' && c != '{' && c != '[' && !ep_lex_is_number(&d->lexer)) {
        ep_word word;
        TRY(ep_lex_word(&d->lexer, &word));
        d->lexer.p = start;
        if (word >= EP_WORD_INFINITY) {
            return ep_decode_fail(d, EP_NONFINITE, start, expected(op));
        }
    }
    return wrong_type(d, op);
}

/* ---------------------------------------------------------------- integers */

static bool read_number(ep_decoder *d, int64_t *value) {
    const char *start = d->lexer.p;
    ep_number number;
    TRY(ep_lex_number(&d->lexer, &number));
    bool minus_zero = number.size == 2 && start[0] == '-' && start[1] == '0';
    if (!number.integer || minus_zero) { /* SPEC 3.2.1 */
        return ep_decode_fail(d, EP_INT_FORM, start, expected(EP_OP_INT));
    }
    if (!ep_number_read_int(number.text, number.size, value)) { /* SPEC 3.2.2 */
        return ep_decode_fail(d, EP_INT_RANGE, start, NULL);
    }
    return true;
}

static bool read_int(ep_decoder *d, uint8_t op, char c, int64_t *value) {
    return ep_lex_is_number(&d->lexer) ? read_number(d, value) : wrong_token(d, op, c);
}

/* SPEC 2.7.1: int, or the bare infinity of an open end, whose sign is kept. */
static bool read_open_end(ep_decoder *d, char c, uint64_t *bits, bool *present) {
    ep_word word;
    int64_t value = 0;
    if (ep_lex_is_number(&d->lexer) || c == '"' || c == '{' || c == '[') {
        TRY(read_int(d, EP_OP_OPEN_END, c, &value));
        *bits = (uint64_t)value;
        return true;
    }
    const char *start = d->lexer.p;
    TRY(ep_lex_word(&d->lexer, &word));
    if (word != EP_WORD_INFINITY && word != EP_WORD_MINUS_INFINITY) {
        d->lexer.p = start;
        return wrong_token(d, EP_OP_OPEN_END, c);
    }
    *bits = word == EP_WORD_INFINITY ? 1 : (uint64_t)-1;
    *present = false;
    return true;
}

static bool read_enum(ep_decoder *d, const ep_type *type, char c, uint64_t *bits) {
    const char *start = d->lexer.p;
    int64_t value;
    TRY(read_int(d, EP_OP_ENUM, c, &value));
    *bits = (uint64_t)value;
    if (EP_LIKELY(ep_type_find_value(type, value) != EP_NO_MEMBER)) {
        return true;
    }
    ep_range range = ep_history_of_value(type, value); /* SPEC 3.7.1, 3.7.2 */
    bool other = range.since != EP_FUTURE;
    ep_decode_fail(d, other ? EP_ENUM_VERSION : EP_UNKNOWN_ENUM, start, NULL);
    ep_decode_note_history(d, range);
    return ep_decode_let_pass(d);
}

/* ------------------------------------------------------------------ floats */

static double infinity_of(bool negative) {
    return ep_float_of((uint64_t)(negative ? 0xFFF : 0x7FF) << 52);
}

static double not_a_number(void) {
    return ep_float_of((uint64_t)0x7FF8 << 48);
}

/* SPEC 3.3.3 */
static bool read_quoted_float(ep_decoder *d, double *value) {
    const char *start = d->lexer.p;
    ep_nonfinite_form form = d->schema->version->nonfinite;
    ep_ref ref;
    TRY(ep_lex_string(&d->lexer, &ref));
    const char *input = d->lexer.begin;
    bool quoted = form != EP_NONFINITE_BARE;
    if (quoted && ep_text_is(input, ref, EP_TEXT("Infinity"))) {
        *value = infinity_of(false);
    } else if (quoted && ep_text_is(input, ref, EP_TEXT("-Infinity"))) {
        *value = infinity_of(true);
    } else if (form == EP_NONFINITE_QUOTED && ep_text_is(input, ref, EP_TEXT("NaN"))) {
        *value = not_a_number();
    } else {
        return ep_decode_fail(d, EP_FLOAT_STRING, start, expected(EP_OP_FLOAT));
    }
    return true;
}

/* SPEC 2.7.1 */
static bool read_bare_float(ep_decoder *d, char c, double *value) {
    const char *start = d->lexer.p;
    ep_word word;
    if (d->schema->version->nonfinite != EP_NONFINITE_BARE || c == '{' || c == '[') {
        return wrong_token(d, EP_OP_FLOAT, c);
    }
    TRY(ep_lex_word(&d->lexer, &word));
    if (word < EP_WORD_INFINITY) {
        d->lexer.p = start;
        return wrong_type(d, EP_OP_FLOAT);
    }
    *value = word == EP_WORD_NAN ? not_a_number() : infinity_of(word == EP_WORD_MINUS_INFINITY);
    return true;
}

static bool read_float(ep_decoder *d, char c, uint64_t *bits) {
    const char *start = d->lexer.p;
    double value = 0;
    if (ep_lex_is_number(&d->lexer)) {
        ep_number number;
        TRY(ep_lex_number(&d->lexer, &number));
        value = ep_number_read_float(number.text, number.size); /* SPEC 3.3.1 */
        if (value - value != 0) {                               /* SPEC 3.3.2 */
            return ep_decode_fail(d, EP_FLOAT_RANGE, start, NULL);
        }
    } else if (c == '"') {
        TRY(read_quoted_float(d, &value));
    } else {
        TRY(read_bare_float(d, c, &value));
    }
    *bits = ep_float_bits(value);
    return true;
}

/* ---------------------------------------------------------------- the rest */

static bool read_bool(ep_decoder *d, char c, uint64_t *bits) {
    const char *start = d->lexer.p;
    ep_word word = EP_WORD_NULL;
    if (c == 't' || c == 'f') {
        TRY(ep_lex_word(&d->lexer, &word));
    }
    if (word != EP_WORD_TRUE && word != EP_WORD_FALSE) {
        d->lexer.p = start;
        return wrong_token(d, EP_OP_BOOL, c);
    }
    *bits = word == EP_WORD_TRUE;
    return true;
}

/* SPEC 3.6.7: as_none is true */
static bool read_none_bool(ep_decoder *d, char c, uint64_t *bits) {
    const char *start = d->lexer.p;
    TRY(read_bool(d, c, bits));
    if (*bits != 1) {
        return ep_decode_fail(d, EP_UNIT, start, expected(EP_OP_NONE_BOOL));
    }
    return true;
}

/* SPEC 3.6.7: as_none is [] */
static bool read_unit(ep_decoder *d, char c) {
    if (c != '[') {
        return wrong_token(d, EP_OP_UNIT, c);
    }
    if (d->depth >= d->limits.depth) {
        return ep_decode_fail(d, EP_LIMIT_DEPTH, d->lexer.p, NULL); /* SPEC 1.4.2 */
    }
    const char *start = d->lexer.p++;
    TRY(ep_lex_peek(&d->lexer, &c));
    if (c != ']') {
        return ep_decode_fail(d, EP_UNIT, start, expected(EP_OP_UNIT));
    }
    d->lexer.p++;
    return true;
}

static int base64_value(uint32_t c) {
    if (c >= 'A' && c <= 'Z') {
        return (int)(c - 'A');
    }
    if (c >= 'a' && c <= 'z') {
        return (int)(c - 'a') + 26;
    }
    if (c >= '0' && c <= '9') {
        return (int)(c - '0') + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* SPEC 3.8.1: whole groups of four, padding only at the end, unused bits 0 */
static bool is_base64(const char *input, ep_ref ref) {
    ep_text_cursor cursor = ep_text_begin(input, ref);
    size_t count = 0;
    size_t padding = 0;
    int last = 0;
    uint32_t c;
    for (; ep_text_next(&cursor, &c); count++) {
        if (c == '=') {
            padding++;
            continue;
        }
        last = base64_value(c);
        if (last < 0 || padding > 0) {
            return false;
        }
    }
    int unused = padding == 1 ? last & 3 : padding == 2 ? last & 15 : 0;
    return count % 4 == 0 && padding <= 2 && unused == 0;
}

static bool read_bytes(ep_decoder *d, uint64_t *ref) {
    const char *start = d->lexer.p;
    TRY(ep_lex_string(&d->lexer, ref));
    if (!is_base64(d->lexer.begin, *ref)) {
        return ep_decode_fail(d, EP_BASE64, start, NULL);
    }
    return true;
}

bool ep_read_scalar(ep_decoder *d, const ep_shape *shape, char c, uint64_t *bits, bool *present) {
    int64_t value = 0;
    switch ((ep_op)shape->op) {
    case EP_OP_STR:
        return c == '"' ? ep_lex_string(&d->lexer, bits) : wrong_token(d, shape->op, c);
    case EP_OP_BYTES:
        return c == '"' ? read_bytes(d, bits) : wrong_token(d, shape->op, c);
    case EP_OP_INT:
        TRY(read_int(d, shape->op, c, &value));
        *bits = (uint64_t)value;
        return true;
    case EP_OP_OPEN_END:
        return read_open_end(d, c, bits, present);
    case EP_OP_ENUM:
        return read_enum(d, shape->type, c, bits);
    case EP_OP_FLOAT:
        return read_float(d, c, bits);
    case EP_OP_BOOL:
        return read_bool(d, c, bits);
    case EP_OP_NONE_BOOL:
        return read_none_bool(d, c, bits);
    case EP_OP_UNIT:
        return read_unit(d, c);
    case EP_OP_STRUCT:
    case EP_OP_UNION:
    case EP_OP_LIST:
    case EP_OP_DICT:
    case EP_OP_TUPLE:
        break;
    }
    return wrong_token(d, shape->op, c);
}
