/*
 * digest.c - see digest.h. SHA-256 is libcrypto's.
 */
#include "digest.h"

#include <errno.h>
#include <openssl/evp.h>
#include <string.h>

static const char SCHEME[] = "ep1:";
enum { SCHEME_SIZE = sizeof SCHEME - 1, SHA256_SIZE = DIGEST_HEX_SIZE / 2, SPACES = 2 };

/* ------------------------------------------------------------------- SHA-256 */

static bool hash(EVP_MD_CTX *context, const ep_bytes *pieces, size_t count, unsigned char *result) {
    unsigned size = 0;
    bool ok = EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    for (size_t i = 0; ok && i < count; i++) {
        ok = EVP_DigestUpdate(context, pieces[i].data, pieces[i].size) == 1;
    }
    return ok && EVP_DigestFinal_ex(context, result, &size) == 1 && size == SHA256_SIZE;
}

bool digest_sha256(const ep_bytes *pieces, size_t count, char hex[DIGEST_HEX_SIZE + 1]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char result[EVP_MAX_MD_SIZE];
    errno = 0; /* a refusal is ENOMEM, or libcrypto's own */
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok = context != NULL && hash(context, pieces, count, result);
    EVP_MD_CTX_free(context);
    for (size_t i = 0; ok && i < SHA256_SIZE; i++) {
        hex[2 * i] = digits[result[i] >> 4];
        hex[2 * i + 1] = digits[result[i] & 15];
    }
    hex[ok ? DIGEST_HEX_SIZE : 0] = '\0';
    return ok;
}

bool digest_of(ep_bytes form, digest *d) {
    memcpy(d->text, SCHEME, SCHEME_SIZE);
    return digest_sha256(&form, 1, d->text + SCHEME_SIZE);
}

/* --------------------------------------------------------------------- lines */

/* The letter that stands for a byte behind a backslash; 0 if it needs none. */
static char escape_of(char c) {
    return c == '\\' ? '\\' : c == '\n' ? 'n' : c == '\r' ? 'r' : 0;
}

void digest_put_line(buffer *b, const digest *d, const char *name) {
    bool escaped = strpbrk(name, "\\\n\r") != NULL;
    buffer_text(b, escaped ? "\\" : "");
    buffer_text(b, d->text);
    buffer_text(b, "  ");
    for (const char *p = name; *p != '\0'; p++) {
        char letter = escape_of(*p);
        if (letter != 0) {
            buffer_byte(b, '\\');
        }
        buffer_byte(b, letter != 0 ? letter : *p);
    }
    buffer_byte(b, '\n');
}

/* The byte that a letter behind a backslash stands for; 0 if it is none. */
static char unescape(char letter) {
    return letter == '\\' ? '\\' : letter == 'n' ? '\n' : letter == 'r' ? '\r' : '\0';
}

static bool read_name(ep_bytes text, bool escaped, buffer *name) {
    buffer_clear(name);
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (escaped && c == '\\') {
            c = ++i < text.size ? unescape(text.data[i]) : '\0';
        }
        if (c == '\0') {
            return false;
        }
        buffer_byte(name, c);
    }
    return text.size > 0;
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
    if (left < DIGEST_SIZE + SPACES || memcmp(p, SCHEME, SCHEME_SIZE) != 0 ||
        memcmp(p + DIGEST_SIZE, "  ", SPACES) != 0) {
        return false;
    }
    memcpy(d->text, SCHEME, SCHEME_SIZE);
    ep_bytes rest = {p + DIGEST_SIZE + SPACES, left - DIGEST_SIZE - SPACES};
    return read_hex(p + SCHEME_SIZE, d->text + SCHEME_SIZE) && read_name(rest, escaped, name);
}
