/*
 * digest.h - digests, "ep1:" and a SHA-256, and the lines of a list of digests:
 *
 *     ep1:0123...cdef  model.pt2
 *
 * The letters before the colon are the scheme: ep1 is a program's, of its canonical form,
 * ew1 that of an archive's weights, ea1 of both, ec1 of all that diff compares.
 *
 * As in the lists of sha256sum, a line whose name holds a backslash or a line
 * end begins with a backslash, and the name has \\, \n and \r for them; and \x1b
 * for each byte of other characters that are not fit to be seen (safe.h).
 */
#ifndef COMMON_DIGEST_H
#define COMMON_DIGEST_H

#include "buffer.h"
#include "status.h"

enum {
    DIGEST_RAW_SIZE = 32,
    DIGEST_HEX_SIZE = 2 * DIGEST_RAW_SIZE,
    DIGEST_SIZE = 4 + DIGEST_HEX_SIZE,
    DIGEST_STATE_SIZE = 208 /* room for the largest, which is libmd's */
};

typedef enum digest_scheme {
    DIGEST_PROGRAM,
    DIGEST_WEIGHTS,
    DIGEST_ARCHIVE,
    DIGEST_CONTENTS
} digest_scheme;

/* "ep1:" and 64 digits, ended by a zero. */
typedef struct digest {
    char text[DIGEST_SIZE + 1];
    bool undecided; /* of a program: the order of the document decided (SPEC 6.1) */
} digest;

/* The SHA-256 of pieces, one behind the other, in lower case and ended by a zero. */
void digest_sha256(const ep_bytes *pieces, size_t count, char hex[DIGEST_HEX_SIZE + 1]);

/* The SHA-256 of pieces that come one by one. A hash that was finished is of nothing again.
 * All but digest_finish are of the file that has SHA-256, as is what the state holds. */
typedef struct digest_hash {
    unsigned char state[DIGEST_STATE_SIZE];
} digest_hash;
void digest_begin(digest_hash *h);
void digest_add(digest_hash *h, ep_bytes piece);
void digest_finish_raw(digest_hash *h, unsigned char result[DIGEST_RAW_SIZE]);
void digest_finish(digest_hash *h, char hex[DIGEST_HEX_SIZE + 1]);

/* digest_add, as what takes the pieces of a member. hash: a digest_hash. */
static inline bool digest_take(void *hash, ep_bytes piece, failure *what) {
    (void)what;
    digest_add(hash, piece);
    return true;
}

/* Puts 64 digits of lower case. */
void digest_put_hex(buffer *b, const unsigned char hash[DIGEST_RAW_SIZE]);

/* Puts "SIZE:" and a text, so that none can be taken for another with what follows it. */
void digest_put_sized(buffer *b, ep_bytes text);

/* The digest of a text that a scheme makes: of a program its canonical form. */
void digest_of(digest_scheme scheme, ep_bytes text, digest *d);

/* The scheme of a digest that was made or read. */
digest_scheme digest_scheme_of(const digest *d);

/* Puts the line of a file. */
void digest_put_line(buffer *b, const digest *d, const char *name);

/* Reads a line, given without its line feed; the name goes to a buffer, in place
 * of what it held. False: it is none. */
bool digest_read_line(ep_bytes line, digest *d, buffer *name);

#endif
