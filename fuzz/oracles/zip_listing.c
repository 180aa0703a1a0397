/*
 * oracles/zip_listing.c - see zip_readers.h.
 */
#include "oracles/zip_readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

_Noreturn static void fail_memory(void) {
    fprintf(stderr, "fuzz_zip: out of memory\n");
    exit(EXIT_FAILURE);
}

zip_listed *zip_listing_add(zip_listing *l, ep_bytes first, ep_bytes rest) {
    if (l->count == l->capacity) {
        l->capacity = l->capacity == 0 ? 16 : 2 * l->capacity;
        zip_listed *members = realloc(l->members, l->capacity * sizeof *members);
        if (members == NULL) {
            fail_memory();
        }
        l->members = members;
    }
    test_text name = {0};
    test_add(&name, first.data, first.size);
    test_add(&name, rest.data, rest.size);
    l->members[l->count] = (zip_listed){.name = test_text_bytes(&name)};
    return &l->members[l->count++];
}

void zip_listing_free(zip_listing *l) {
    for (size_t i = 0; i < l->count; i++) {
        free((char *)(uintptr_t)l->members[i].name.data);
    }
    free(l->members);
    test_text_free(&l->why);
    *l = (zip_listing){.reader = l->reader};
}

void zip_listed_read(zip_listed *m, ep_bytes content) {
    const Bytef *bytes = (const Bytef *)content.data;
    m->state = ZIP_READ;
    m->sum = (uint32_t)(content.size == 0 ? 1 : adler32(1, bytes, (uInt)content.size));
}

/* --------------------------------------------------------------------- comparing */

static int by_name(const void *a, const void *b) {
    ep_bytes x = ((const zip_listed *)a)->name;
    ep_bytes y = ((const zip_listed *)b)->name;
    size_t common = x.size < y.size ? x.size : y.size;
    int order = common == 0 ? 0 : memcmp(x.data, y.data, common);
    return order != 0 ? order : (x.size > y.size) - (x.size < y.size);
}

static void tell_name(ep_bytes name) {
    for (size_t i = 0; i < name.size; i++) {
        unsigned char c = (unsigned char)name.data[i];
        fprintf(stderr, c < ' ' || c > '~' ? "\\x%02x" : "%c", c);
    }
}

/* Ends the process. */
_Noreturn static void differ(const zip_listing *a, const zip_listing *b, const zip_listed *m,
                             const char *what) {
    char property[64];
    fprintf(stderr, "fuzz_zip: %s and %s: ", a->reader, b->reader);
    if (m != NULL) {
        fprintf(stderr, "member \"");
        tell_name(m->name);
        fprintf(stderr, "\": ");
    }
    fprintf(stderr, "%s\n", what);
    snprintf(property, sizeof property, "zip.%s", b->reader);
    fuzz_broken(&(fuzz_claim){property, "both readers find the same", __FILE__, __LINE__}, NULL);
}

static void sort(zip_listing *l) {
    if (l->count > 1) {
        qsort(l->members, l->count, sizeof *l->members, by_name);
    }
}

static void compare_member(const zip_listing *ours, const zip_listing *other, size_t i) {
    const zip_listed *a = &ours->members[i];
    const zip_listed *b = &other->members[i];
    if (a->size != b->size && b->size != ZIP_SIZE_UNKNOWN) {
        differ(ours, other, a, "its size is another");
    }
    if (b->state == ZIP_TWO_CASES) {
        differ(ours, other, a, "its name in other case is another member's");
    }
    if (a->state != ZIP_READ || b->state == ZIP_UNREAD) {
        return;
    }
    if (b->state == ZIP_DAMAGED) {
        differ(ours, other, a, "the second does not read it");
    }
    if (a->sum != b->sum) {
        differ(ours, other, a, "it holds something else");
    }
}

void zip_listing_compare(zip_listing *ours, zip_listing *other) {
    if (other->absent) {
        return;
    }
    if (other->refused) {
        test_add(&other->why, "", 1);
        fprintf(stderr, "fuzz_zip: %s: %s\n", other->reader, other->why.data);
        differ(ours, other, NULL, "the second refuses the archive");
    }
    sort(ours);
    sort(other);
    for (size_t i = 0; i < ours->count || i < other->count; i++) {
        bool both = i < ours->count && i < other->count;
        int order = both ? by_name(&ours->members[i], &other->members[i]) : 0;
        if (i >= other->count || order < 0) {
            differ(ours, other, &ours->members[i], "only the first lists it");
        }
        if (i >= ours->count || order > 0) {
            differ(ours, other, &other->members[i], "only the second lists it");
        }
        compare_member(ours, other, i);
    }
}
