/*
 * digest.h - the digest of a program's canonical form, "ep1:" and the SHA-256
 * of its bytes, and the lines of a list of digests:
 *
 *     ep1:0123...cdef  model.pt2
 *
 * As in the lists of sha256sum, a line whose name holds a backslash or a line
 * end begins with a backslash, and the name has \\, \n and \r for them; and \x1b
 * for each byte of other characters that are not fit to be seen (safe.h).
 */
#ifndef COMMON_DIGEST_H
#define COMMON_DIGEST_H

#include "buffer.h"

enum { DIGEST_HEX_SIZE = 64, DIGEST_SIZE = 4 + DIGEST_HEX_SIZE };

/* "ep1:" and 64 digits, ended by a zero. */
typedef struct digest {
    char text[DIGEST_SIZE + 1];
    bool undecided; /* of a program: the order of the document decided (SPEC 6.1) */
} digest;

/* The SHA-256 of pieces, one behind the other, in lower case and ended by a
 * zero. False when libcrypto refuses: errno is ENOMEM if it is short of memory;
 * else it is set up without SHA-256. */
bool digest_sha256(const ep_bytes *pieces, size_t count, char hex[DIGEST_HEX_SIZE + 1]);

/* The digest of a canonical form. False as above. */
bool digest_of(ep_bytes form, digest *d);

/* Puts the line of a file. */
void digest_put_line(buffer *b, const digest *d, const char *name);

/* Reads a line, given without its line feed; the name goes to a buffer, in place
 * of what it held. False: it is none. */
bool digest_read_line(ep_bytes line, digest *d, buffer *name);

#endif
