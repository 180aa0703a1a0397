/*
 * oracles/zip_readers.h - what a reader finds in a zip archive: the members by their names, with
 * their sizes and digests of what they hold; whether two readers find the same (zip_listing.c);
 * and the readers that the target "zip" holds against ours.
 */
#ifndef FUZZ_ZIP_READERS_H
#define FUZZ_ZIP_READERS_H

#include "fuzz.h"

typedef enum zip_content_state {
    ZIP_UNREAD, /* nobody asked for it */
    ZIP_READ,
    ZIP_DAMAGED,  /* the reader does not give it */
    ZIP_TWO_CASES /* it gives another member's for its name in other case */
} zip_content_state;

#define ZIP_SIZE_UNKNOWN UINT64_MAX

typedef struct zip_listed {
    ep_bytes name; /* owned by the listing */
    uint64_t size;
    zip_content_state state;
    uint32_t sum; /* Adler-32 of what it holds: headers have its CRC-32 */
} zip_listed;

typedef struct zip_listing {
    const char *reader;
    bool absent;   /* nobody was asked */
    bool refused;  /* the archive as a whole */
    test_text why; /* if so */
    zip_listed *members;
    size_t count;
    size_t capacity;
} zip_listing;

/* One more member, of a name that is copied. */
zip_listed *zip_listing_add(zip_listing *l, ep_bytes first, ep_bytes rest);
void zip_listing_free(zip_listing *l);

/* Notes what was read of a member. */
void zip_listed_read(zip_listed *m, ep_bytes content);

/* Properties: a reader lists the members that the first one lists, with the sizes and
 * contents that the first one reads. Sorts both. */
void zip_listing_compare(zip_listing *ours, zip_listing *other);

/* ----------------------------------------------------------------------- readers */

/* An archive, and what is to be read of it. */
typedef struct zip_question {
    ep_bytes file;
    bool contents; /* of members, too: they are not long */
    ep_bytes root; /* "R/", of an archive that PyTorch's reader takes; else empty */
} zip_question;

/* libzip, which checks what it can, with names as they are and as it guesses them. */
void zip_ask_libzip(const zip_question *q, bool raw, zip_listing *l);

/* Python's zipfile, and PyTorch's reader in C++, where they are installed: EPREF_FUZZ_PYTHON
 * is the Python, or else python3. What is not there leaves its listing absent, and is told
 * once. */
void zip_ask_python(const zip_question *q, zip_listing *zipfile, zip_listing *torch);

/* How often PyTorch's reader has answered. */
size_t zip_torch_answers(void);

#endif
