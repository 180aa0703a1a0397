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

/* The part of a struct, union or list that the next step of a pointer leads to. */
static ep_value follow(ep_value value, ep_bytes step) {
    char name[64];
    ep_kind kind = ep_value_kind(value);
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

static size_t offset_at(const listing *l, const char *pointer) {
    ep_value value = ep_program_root(l->program);
    size_t offset = 0;
    while (*pointer == '/' && ep_value_kind(value) != EP_KIND_NULL) {
        size_t size = strcspn(pointer + 1, "/");
        value = follow(value, (ep_bytes){pointer + 1, size});
        offset = value_is(value, "Node") ? ep_value_offset(value) : offset;
        pointer += 1 + size;
    }
    return offset;
}

/* Nodes are printed in the order of the file, subgraphs included, so that their offsets
 * ascend. */
uint32_t listing_row_at(const listing *l, const char *pointer) {
    size_t offset = offset_at(l, pointer);
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
