/*
 * building_text.c - texts and lists of what is read; see building.h.
 */
#include "building.h"

#include "common/memory.h"

#include <string.h>

void *rebuild_alloc(rebuild *r, size_t count, size_t size) {
    rebuild_block *block = memory_resize(NULL, sizeof *block + count * size);
    if (block == NULL) {
        r->failed = true;
        return NULL;
    }
    memset(block, 0, sizeof *block + count * size);
    block->next = r->blocks;
    r->blocks = block;
    return block + 1;
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

const char *rebuild_key(rebuild *r, ep_value dict, size_t i) {
    ep_bytes key = {"", 0};
    r->failed = !ep_value_key(dict, i, r->arena, &key) || r->failed;
    return rebuild_part(r, key.data, key.size);
}

ep_bytes rebuild_bytes(rebuild *r, ep_value text) {
    ep_bytes said = {"", 0};
    r->failed = !ep_value_text(text, r->arena, &said) || r->failed;
    return said;
}

ep_value rebuild_at(ep_value value, const char *one, const char *other) {
    return ep_value_field(ep_value_field(value, one), other);
}

bool rebuild_has_text(ep_value value, rebuild *r, const char *text) {
    ep_bytes said;
    return ep_value_text(value, r->arena, &said) && bytes_equal(said, text);
}
