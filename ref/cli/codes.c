/*
 * codes.c - see codes.h.
 */
#include "codes.h"

#include <string.h>

#include "nearest.h"

/* Whether a name is a word, in any case. */
static bool same_name(const char *name, const char *word) {
    for (; *name != '\0' && *word != '\0'; name++, word++) {
        char c = 'a' <= *word && *word <= 'z' ? (char)(*word - 'a' + 'A') : *word;
        if (c != *name) {
            return false;
        }
    }
    return *name == *word;
}

ep_code code_named(const char *word) {
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        const char *name = ep_code_name(ep_code_at(i));
        if (same_name(name, word) || same_name(name + strlen("EP_"), word)) {
            return ep_code_at(i);
        }
    }
    return EP_OK;
}

ep_audit_id audit_named(const char *word) {
    for (int id = EP_AUDIT_NONE + 1; id < EP_AUDIT_COUNT; id++) {
        const char *name = ep_audit_name((ep_audit_id)id);
        if (same_name(name, word) || same_name(name + strlen("AUDIT_"), word)) {
            return (ep_audit_id)id;
        }
    }
    return EP_AUDIT_NONE;
}

/* By the whole name, or by the part that tells it from others. */
static void try_name(nearest *n, const char *name, const char *start) {
    size_t before = n->distance;
    nearest_try(n, bytes_of(name));
    nearest_try(n, bytes_of(name + strlen(start)));
    if (n->distance < before) {
        n->best = bytes_of(name);
    }
}

void codes_put_nearest(buffer *b, const char *word, bool findings) {
    nearest n = nearest_to(bytes_of(word));
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        try_name(&n, ep_code_name(ep_code_at(i)), "EP_");
    }
    for (int id = EP_AUDIT_NONE + 1; findings && id < EP_AUDIT_COUNT; id++) {
        try_name(&n, ep_audit_name((ep_audit_id)id), "AUDIT_");
    }
    nearest_put(b, &n);
    buffer_text(b, " (`epref explain` lists them)");
}
