/*
 * lexical.c - see lexical.h.
 */
#include "lexical.h"

#include "common/buffer.h"
#include "common/macros.h"
#include "common/safe.h"

/* ED A0 80 to ED BF BF: no other character has such bytes, and none has them within. */
static bool is_surrogate(const char *p, size_t left) {
    return left >= 3 && (unsigned char)p[0] == 0xED && (unsigned char)p[1] >= 0xA0 &&
           (unsigned char)p[1] <= 0xBF && (unsigned char)p[2] >= 0x80 &&
           (unsigned char)p[2] <= 0xBF;
}

bool lexical_is_text(ep_bytes text, bool surrogates) {
    size_t from = 0;
    for (size_t i = 0; surrogates && i < text.size; i++) {
        if (is_surrogate(text.data + i, text.size - i)) {
            TRY(safe_is_utf8((ep_bytes){text.data + from, i - from}));
            from = i + 3;
        }
    }
    return safe_is_utf8((ep_bytes){text.data + from, text.size - from});
}

static size_t count_digits(ep_bytes text, size_t at) {
    size_t end = at;
    while (end < text.size && text.data[end] >= '0' && text.data[end] <= '9') {
        end++;
    }
    return end - at;
}

bool lexical_is_digits(ep_bytes text) {
    return text.size > 0 && count_digits(text, 0) == text.size;
}

static bool is_at(ep_bytes text, size_t at, char c) {
    return at < text.size && text.data[at] == c;
}

bool lexical_is_float(ep_bytes text) {
    size_t at = is_at(text, 0, '-') ? 1 : 0;
    ep_bytes rest = {text.data + at, text.size - at};
    if (bytes_equal(rest, "inf") || bytes_equal(rest, "nan")) {
        return true;
    }
    size_t digits = count_digits(text, at);
    at += digits;
    if (is_at(text, at, '.')) {
        size_t more = count_digits(text, at + 1);
        digits = more > 0 ? digits : 0; /* on both sides */
        at += 1 + more;
    }
    if (digits > 0 && is_at(text, at, 'e')) {
        at += is_at(text, at + 1, '-') || is_at(text, at + 1, '+') ? 2 : 1;
        size_t exponent = count_digits(text, at);
        digits = exponent > 0 ? digits : 0;
        at += exponent;
    }
    return digits > 0 && at == text.size;
}
