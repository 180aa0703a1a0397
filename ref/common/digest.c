/*
 * digest.c - see digest.h. Who has the SHA-256 itself is another file's matter.
 */
#include "digest.h"

#include <string.h>

#include "safe.h"

enum { SCHEME_SIZE = 4, SPACES = 2 };
static const char *const schemes[] = {[DIGEST_PROGRAM] = "ep1:",
                                      [DIGEST_WEIGHTS] = "ew1:",
                                      [DIGEST_ARCHIVE] = "ea1:",
                                      [DIGEST_CONTENTS] = "ec1:"};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

static void to_hex(const unsigned char hash[DIGEST_RAW_SIZE], char hex[DIGEST_HEX_SIZE]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < DIGEST_RAW_SIZE; i++) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
}

void digest_finish(digest_hash *h, char hex[DIGEST_HEX_SIZE + 1]) {
    unsigned char result[DIGEST_RAW_SIZE];
    digest_finish_raw(h, result);
    to_hex(result, hex);
    hex[DIGEST_HEX_SIZE] = '\0';
}

void digest_put_hex(buffer *b, const unsigned char hash[DIGEST_RAW_SIZE]) {
    char hex[DIGEST_HEX_SIZE];
    to_hex(hash, hex);
    buffer_put(b, hex, sizeof hex);
}

void digest_put_sized(buffer *b, ep_bytes text) {
    buffer_number(b, (int64_t)text.size);
    buffer_byte(b, ':');
    buffer_put(b, text.data, text.size);
}

void digest_sha256(const ep_bytes *pieces, size_t count, char hex[DIGEST_HEX_SIZE + 1]) {
    digest_hash h;
    digest_begin(&h);
    for (size_t i = 0; i < count; i++) {
        digest_add(&h, pieces[i]);
    }
    digest_finish(&h, hex);
}

void digest_of(digest_scheme scheme, ep_bytes text, digest *d) {
    memcpy(d->text, schemes[scheme], SCHEME_SIZE);
    digest_sha256(&text, 1, d->text + SCHEME_SIZE);
}

/* SCHEMES for a text that begins as none. */
static size_t find_scheme(const char *text) {
    size_t scheme = 0;
    while (scheme < SCHEMES && memcmp(text, schemes[scheme], SCHEME_SIZE) != 0) {
        scheme++;
    }
    return scheme;
}

digest_scheme digest_scheme_of(const digest *d) {
    return (digest_scheme)find_scheme(d->text);
}

/* --------------------------------------------------------------------- lines */

void digest_put_line(buffer *b, const digest *d, const char *name) {
    buffer shown = {0};
    bool escaped = safe_spell(&shown, bytes_of(name));
    buffer_text(b, escaped ? "\\" : "");
    buffer_text(b, d->text);
    buffer_text(b, "  ");
    buffer_put(b, shown.data, shown.size);
    buffer_byte(b, '\n');
    b->failed = b->failed || shown.failed;
    buffer_free(&shown);
}

static bool read_name(ep_bytes text, bool escaped, buffer *name) {
    buffer_clear(name);
    if (escaped) {
        return text.size > 0 && safe_read(name, text);
    }
    buffer_put(name, text.data, text.size);
    return text.size > 0 && memchr(text.data, '\0', text.size) == NULL;
}

static bool read_hex(const char *text, char *hex) {
    for (size_t i = 0; i < DIGEST_HEX_SIZE; i++) {
        char c = text[i];
        bool upper = 'A' <= c && c <= 'F';
        if (!upper && !('0' <= c && c <= '9') && !('a' <= c && c <= 'f')) {
            return false;
        }
        hex[i] = upper ? (char)(c - 'A' + 'a') : c;
    }
    hex[DIGEST_HEX_SIZE] = '\0';
    return true;
}

bool digest_read_line(ep_bytes line, digest *d, buffer *name) {
    bool escaped = line.size > 0 && line.data[0] == '\\';
    const char *p = line.data + (escaped ? 1 : 0);
    size_t left = line.size - (escaped ? 1 : 0);
    if (left > 0 && p[left - 1] == '\r') { /* of a list that came through Windows */
        left--;
    }
    if (left < DIGEST_SIZE + SPACES || find_scheme(p) == SCHEMES ||
        memcmp(p + DIGEST_SIZE, "  ", SPACES) != 0) {
        return false;
    }
    memcpy(d->text, p, SCHEME_SIZE);
    ep_bytes rest = {p + DIGEST_SIZE + SPACES, left - DIGEST_SIZE - SPACES};
    return read_hex(p + SCHEME_SIZE, d->text + SCHEME_SIZE) && read_name(rest, escaped, name);
}
