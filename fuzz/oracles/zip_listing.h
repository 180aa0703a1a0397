/*
 * oracles/zip_listing.h - what a reader finds in a zip archive: the members by their names, with
 * their sizes and digests of what they hold; and whether two readers find the same.
 */
#ifndef FUZZ_ZIP_LISTING_H
#define FUZZ_ZIP_LISTING_H

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
    uint32_t sums[2]; /* CRC-32 and Adler-32 of what it holds */
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

#endif
