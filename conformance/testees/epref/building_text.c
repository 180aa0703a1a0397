/*
 * building_text.c - texts and lists of what is read; see building.h.
 */
#include "building.h"

#include "common/memory.h"

#include <string.h>

void *rebuild_alloc(rebuild *r, size_t count, size_t size) {
    void *data = memory_resize(NULL, count * size + 1);
    if (data == NULL) {
        r->failed = true;
        return NULL;
    }
    memset(data, 0, count * size + 1);
    void **kept = memory_resize(r->blocks, (r->block_count + 1) * sizeof *kept);
    if (kept == NULL) {
        memory_free(data);
        r->failed = true;
        return NULL;
    }
    r->blocks = kept;
    r->blocks[r->block_count++] = data;
    return data;
}

const char *rebuild_part(rebuild *r, const char *data, size_t size) {
    char *text = rebuild_alloc(r, size + 1, 1);
    if (text != NULL && size > 0) {
        memcpy(text, data, size);
    }
    return text;
}

const char *rebuild_text(rebuild *r, ep_value value) {
    ep_bytes text;
    if (!ep_value_text(value, r->arena, &text)) {
        return NULL;
    }
    return rebuild_part(r, text.data, text.size);
}

ep_value rebuild_at(ep_value value, const char *one, const char *other) {
    ep_value inner = ep_value_field(value, one);
    return other == NULL ? inner : ep_value_field(inner, other);
}

bool rebuild_has_text(ep_value value, rebuild *r, const char *text) {
    ep_bytes said;
    return ep_value_text(value, r->arena, &said) && bytes_equal(said, text);
}
