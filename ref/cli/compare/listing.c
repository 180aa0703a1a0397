/*
 * listing.c - see listing.h.
 */
#include "listing.h"

#include <string.h>

#include "common/memory.h"

void listing_free(listing *l) {
    buffer_free(&l->text);
    buffer_free(&l->words);
    memory_free(l->tokens);
    memory_free(l->rows);
    memory_free(l->names);
    *l = (listing){0};
}

ep_bytes listing_line(const listing *l, const listing_row *row) {
    return row->size == 0 ? (ep_bytes){"", 0} : (ep_bytes){l->text.data + row->at, row->size};
}

ep_bytes listing_word(const listing *l, const listing_token *token) {
    return token->size == 0 ? (ep_bytes){"", 0}
                            : (ep_bytes){l->words.data + token->at, token->size};
}

/* ---------------------------------------------------------------------- pointers */

static ep_value entry_of(ep_value dict, ep_bytes key, ep_arena *scratch) {
    ep_bytes name;
    for (size_t i = 0; i < ep_value_count(dict); i++) {
        if (ep_value_key(dict, i, scratch, &name) && bytes_compare(name, key) == 0) {
            return ep_value_item(dict, i);
        }
    }
    return (ep_value){0};
}

/* The part of a value that the next step of a pointer leads to; of a dict, with an arena. */
static ep_value follow(ep_value value, ep_bytes step, ep_arena *scratch) {
    char name[64];
    ep_kind kind = ep_value_kind(value);
    if (kind == EP_KIND_DICT && scratch != NULL) {
        return entry_of(value, step, scratch);
    }
    if (step.size >= sizeof name ||
        (kind != EP_KIND_STRUCT && kind != EP_KIND_UNION && kind != EP_KIND_LIST)) {
        return (ep_value){0};
    }
    memcpy(name, step.data, step.size);
    name[step.size] = '\0';
    if (kind != EP_KIND_LIST) {
        return ep_value_field(value, name);
    }
    size_t index = 0;
    for (size_t i = 0; i < step.size; i++) {
        index = index * 10 + (size_t)(name[i] - '0'); /* a wrong one is none that is there */
    }
    return ep_value_item(value, index);
}

/* *offset: that of the last node on the way. */
static ep_value walk(const listing *l, ep_bytes pointer, ep_arena *scratch, size_t *offset) {
    ep_value value = ep_program_root(l->program);
    while (pointer.size > 0 && *pointer.data == '/' && ep_value_kind(value) != EP_KIND_NULL) {
        const char *end = memchr(pointer.data + 1, '/', pointer.size - 1);
        size_t size = end == NULL ? pointer.size : (size_t)(end - pointer.data);
        value = follow(value, (ep_bytes){pointer.data + 1, size - 1}, scratch);
        *offset = value_is(value, "Node") ? ep_value_offset(value) : *offset;
        pointer = (ep_bytes){pointer.data + size, pointer.size - size};
    }
    return value;
}

ep_value listing_value_at(const listing *l, ep_bytes pointer, ep_arena *scratch) {
    size_t offset = 0;
    return walk(l, pointer, scratch, &offset);
}

/* Nodes are printed in the order of the file, subgraphs included, so that their offsets
 * ascend. */
uint32_t listing_row_at(const listing *l, const char *pointer) {
    size_t offset = 0;
    walk(l, bytes_of(pointer), NULL, &offset);
    size_t low = l->parts[SHOW_GRAPH];
    size_t high = l->row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->rows[middle].offset < offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = offset > 0 && low < l->row_count && l->rows[low].offset == offset;
    return found ? (uint32_t)low : LISTING_NONE;
}
