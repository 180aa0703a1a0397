/*
 * json/lexer.c - see lexer.h. Strings are validated whole here, so that no later stage
 * has to: UTF-8, escapes, surrogates, control characters. Clauses of SPEC parts 2.1 to
 * 2.7.
 */
#include "json/lexer.h"

#include "base/plain.h"
#include "base/utf8.h"

bool ep_lex_fail(ep_lexer *lexer, ep_code code, const char *at) {
    return ep_fault_set(lexer->fault, code, (size_t)(at - lexer->begin));
}

bool ep_lex_unexpected(ep_lexer *lexer) {
    bool ended = lexer->p == lexer->end; /* SPEC 2.1.1, 2.1.2 */
    return ep_lex_fail(lexer, ended ? EP_END : EP_SYNTAX, lexer->p);
}

void ep_lex_space(ep_lexer *lexer) { /* SPEC 2.3.1 */
    const char *p = lexer->p;
    while (p < lexer->end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) {
        p++;
    }
    lexer->p = p;
}

bool ep_lex_byte(ep_lexer *lexer, char c) {
    if (EP_UNLIKELY(lexer->p == lexer->end || *lexer->p != c)) {
        ep_lex_space(lexer);
        if (lexer->p == lexer->end || *lexer->p != c) {
            return ep_lex_unexpected(lexer);
        }
    }
    lexer->p++;
    return true;
}

/* ---------------------------------------------------------------- strings */

/* Reads four hexadecimal digits at p; false, with a fault, if they are missing. lower:
 * no digit is a capital, which is how Python writes them. */
static bool lex_hex4(ep_lexer *lexer, const char *escape, uint32_t *unit, bool *lower) {
    const char *p = escape + 2;
    *unit = 0;
    for (int i = 0; i < 4; i++, p++) {
        if (p == lexer->end) {
            return ep_lex_fail(lexer, EP_END, p);
        }
        int digit = ep_hex_value(*p);
        if (digit < 0) {
            return ep_lex_fail(lexer, EP_ESCAPE, escape); /* SPEC 2.4.2 */
        }
        *lower = *lower && !(*p >= 'A' && *p <= 'F');
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return true;
}

/* The second half of a pair; the cursor stays on the first. */
static bool lex_low_surrogate(ep_lexer *lexer, bool *lower) {
    const char *low = lexer->p + 6;
    for (int i = 0; i < 2; i++) {
        if (low + i == lexer->end) {
            return ep_lex_fail(lexer, EP_END, low + i);
        }
        if (low[i] != "\\u"[i]) {
            return ep_lex_fail(lexer, EP_SURROGATE, lexer->p); /* SPEC 2.4.3 */
        }
    }
    uint32_t unit;
    TRY(lex_hex4(lexer, low, &unit, lower));
    if (unit < 0xDC00 || unit > 0xDFFF) {
        return ep_lex_fail(lexer, EP_SURROGATE, lexer->p);
    }
    return true;
}

/* Whether Python's ensure_ascii writes this code unit as \uXXXX. */
static bool is_written_as_hex(uint32_t unit) {
    bool short_form = unit == '\b' || unit == '\t' || unit == '\n' || unit == '\f' || unit == '\r';
    return unit > 0x7E || (unit < ' ' && !short_form);
}

static bool lex_unicode_escape(ep_lexer *lexer, unsigned *flags) {
    uint32_t unit;
    bool lower = true;
    TRY(lex_hex4(lexer, lexer->p, &unit, &lower));
    if (unit >= 0xDC00 && unit <= 0xDFFF) {
        return ep_lex_fail(lexer, EP_SURROGATE, lexer->p); /* SPEC 2.4.3 */
    }
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        TRY(lex_low_surrogate(lexer, &lower));
        lexer->p += 6;
    }
    lexer->p += 6;
    if (!lower || !is_written_as_hex(unit)) {
        *flags |= EP_REF_FOREIGN;
    }
    return true;
}

/* The cursor is on a backslash. */
static bool lex_escape(ep_lexer *lexer, unsigned *flags) {
    *flags |= EP_REF_ESCAPED;
    if (lexer->end - lexer->p < 2) {
        return ep_lex_fail(lexer, EP_END, lexer->end);
    }
    switch (lexer->p[1]) {
    case '/':
        *flags |= EP_REF_FOREIGN;
        break;
    case '"':
    case '\\':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        break;
    case 'u':
        return lex_unicode_escape(lexer, flags);
    default:
        return ep_lex_fail(lexer, EP_ESCAPE, lexer->p); /* SPEC 2.4.2 */
    }
    lexer->p += 2;
    return true;
}

/* Whether the bytes from the cursor to the end could begin a scalar value: then the
 * input was cut, and is not wrong so far. */
static bool is_cut_utf8(const ep_lexer *lexer) {
    char whole[4];
    size_t left = (size_t)(lexer->end - lexer->p);
    if (left >= sizeof whole) {
        return false;
    }
    memcpy(whole, lexer->p, left);
    for (size_t size = left + 1; size <= sizeof whole; size++) {
        uint32_t scalar;
        for (int fill = 0x80; fill < 0xC0; fill += 0x10) { /* one of each range of RFC 3629 */
            memset(whole + left, fill, size - left);
            if (ep_utf8_read(whole, whole + size, &scalar) == size) {
                return true;
            }
        }
    }
    return false;
}

/* The cursor is on a byte that is neither plain, nor a quote or backslash. */
static bool lex_foreign(ep_lexer *lexer, unsigned *flags) {
    uint32_t scalar;
    *flags |= EP_REF_FOREIGN;
    if ((unsigned char)*lexer->p < ' ') {
        return ep_lex_fail(lexer, EP_CONTROL, lexer->p); /* SPEC 2.4.1 */
    }
    size_t size = ep_utf8_read(lexer->p, lexer->end, &scalar);
    if (size == 0) {
        return is_cut_utf8(lexer) ? ep_lex_fail(lexer, EP_END, lexer->end)
                                  : ep_lex_fail(lexer, EP_UTF8, lexer->p); /* SPEC 2.2.2 */
    }
    lexer->p += size;
    return true;
}

/* What is left of a string after its first special byte. */
static EP_NOINLINE bool lex_special(ep_lexer *lexer, const char *start, ep_ref *ref) {
    unsigned flags = 0;
    for (;;) {
        lexer->p = ep_plain_end(lexer->p, lexer->end);
        if (lexer->p == lexer->end) {
            return ep_lex_fail(lexer, EP_END, lexer->end);
        }
        if (*lexer->p == '"') {
            break;
        }
        TRY(*lexer->p == '\\' ? lex_escape(lexer, &flags) : lex_foreign(lexer, &flags));
    }
    size_t size = (size_t)(lexer->p - start);
    if (size > lexer->string_limit) {
        return ep_lex_fail(lexer, EP_LIMIT_STRING, start - 1); /* SPEC 1.4.4 */
    }
    *ref = ep_ref_make((size_t)(start - lexer->begin), size, flags);
    lexer->p++;
    return true;
}

bool ep_lex_string(ep_lexer *lexer, ep_ref *ref) {
    const char *start = lexer->p + 1;
    lexer->p = ep_plain_end(start, lexer->end);
    size_t size = (size_t)(lexer->p - start);
    if (EP_UNLIKELY(lexer->p == lexer->end || *lexer->p != '"' || size > lexer->string_limit)) {
        return lex_special(lexer, start, ref);
    }
    *ref = ep_ref_make((size_t)(start - lexer->begin), size, 0);
    lexer->p++;
    return true;
}

/* ------------------------------------------------------- numbers and words */

/* Records a fault at the cursor, in the middle of a number or word. */
static bool fail_in_token(ep_lexer *lexer, ep_code code) {
    ep_lex_fail(lexer, lexer->p == lexer->end ? EP_END : code, lexer->p);
    lexer->fault->place = EP_PLACE_TOKEN;
    return false;
}

/* Past digits, at least one. */
static bool lex_digits(ep_lexer *lexer) {
    if (lexer->p == lexer->end || !ep_is_digit(*lexer->p)) {
        return fail_in_token(lexer, EP_NUMBER); /* SPEC 2.6.1 */
    }
    while (lexer->p < lexer->end && ep_is_digit(*lexer->p)) {
        lexer->p++;
    }
    return true;
}

static bool at_any(const ep_lexer *lexer, char a, char b) {
    return lexer->p < lexer->end && (*lexer->p == a || *lexer->p == b);
}

bool ep_lex_number(ep_lexer *lexer, ep_number *number) {
    *number = (ep_number){.text = lexer->p, .integer = true};
    lexer->p += *lexer->p == '-';
    bool zero = at_any(lexer, '0', '0');
    const char *digits = lexer->p;
    TRY(lex_digits(lexer));
    if (zero && lexer->p - digits > 1) {
        lexer->p = digits + 1;
        return fail_in_token(lexer, EP_NUMBER); /* SPEC 2.6.1 */
    }
    if (at_any(lexer, '.', '.')) {
        number->integer = false;
        lexer->p++;
        TRY(lex_digits(lexer));
    }
    if (at_any(lexer, 'e', 'E')) {
        number->integer = false;
        lexer->p++;
        lexer->p += at_any(lexer, '+', '-');
        TRY(lex_digits(lexer));
    }
    number->size = (size_t)(lexer->p - number->text);
    return true;
}

bool ep_lex_word(ep_lexer *lexer, ep_word *word) {
    static const ep_bytes words[] = {
        [EP_WORD_NULL] = {"null", 4},
        [EP_WORD_TRUE] = {"true", 4},
        [EP_WORD_FALSE] = {"false", 5},
        [EP_WORD_INFINITY] = {"Infinity", 8},
        [EP_WORD_MINUS_INFINITY] = {"-Infinity", 9},
        [EP_WORD_NAN] = {"NaN", 3},
    };
    size_t left = (size_t)(lexer->end - lexer->p);
    size_t longest = 0; /* of what any word has in common with the input */
    for (size_t i = 0; i < EP_COUNT_OF(words); i++) {
        size_t common = 0;
        while (common < words[i].size && common < left &&
               lexer->p[common] == words[i].data[common]) {
            common++;
        }
        if (common == words[i].size) {
            lexer->p += common;
            *word = (ep_word)i;
            return true;
        }
        longest = common > longest ? common : longest;
    }
    lexer->p += longest;
    return fail_in_token(lexer, EP_SYNTAX); /* SPEC 2.1.1, 2.1.2 */
}

/* --------------------------------------------------------------- document */

bool ep_lex_start(ep_lexer *lexer, size_t bytes_limit) {
    size_t size = (size_t)(lexer->end - lexer->begin);
    if (size > bytes_limit) {
        return ep_lex_fail(lexer, EP_LIMIT_BYTES, lexer->begin); /* SPEC 1.4.1 */
    }
    if (size >= 3 && memcmp(lexer->begin, "\xEF\xBB\xBF", 3) == 0) {
        return ep_lex_fail(lexer, EP_BOM, lexer->begin); /* SPEC 2.2.1 */
    }
    return true;
}

bool ep_lex_finish(ep_lexer *lexer) {
    ep_lex_space(lexer);
    if (lexer->p != lexer->end) {
        return ep_lex_fail(lexer, EP_TRAILING, lexer->p); /* SPEC 2.1.3 */
    }
    return true;
}
