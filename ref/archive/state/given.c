/*
 * given.c - see given.h.
 */
#include "given.h"

#include "common/macros.h"
#include "common/memory.h"

bool given_add(given *g, const given_tensor *t, const int64_t *sizes) {
    TRY(memory_room(&g->items, g->count, &g->room, sizeof *t));
    size_t first = g->number_count;
    for (size_t i = 0; i < t->rank; i++) {
        TRY(memory_room(&g->numbers, g->number_count, &g->number_room, sizeof *sizes));
        g->numbers[g->number_count++] = sizes[i];
    }
    g->items[g->count] = *t;
    g->items[g->count++].sizes = first;
    return true;
}

bool given_merge(given *g, const given *more, uint64_t begin) {
    bool ok = true;
    for (size_t i = 0; ok && i < more->count; i++) {
        given_tensor t = more->items[i];
        ep_bytes name = given_name(more, &t);
        t.name = g->texts.size;
        t.place += begin;
        buffer_put(&g->texts, name.data, name.size);
        ok = !g->texts.failed && given_add(g, &t, given_numbers(more, more->items[i].sizes));
    }
    return ok;
}

bool given_index(given *g, const given_tensor **again) {
    *again = NULL;
    for (size_t i = 0; i < g->count; i++) {
        names_add(&g->names, (name_item){.name = given_name(g, &g->items[i]), .count = i});
    }
    names_sort(&g->names);
    for (size_t i = 1; !g->names.failed && i < g->names.count; i++) {
        if (bytes_compare(g->names.items[i - 1].name, g->names.items[i].name) == 0) {
            *again = &g->items[g->names.items[i].count];
        }
    }
    return !g->names.failed;
}

const given_tensor *given_find(const given *g, ep_bytes name) {
    const name_item *found = names_find(&g->names, name);
    return found == NULL ? NULL : &g->items[found->count];
}

void given_free(given *g) {
    memory_free(g->items);
    memory_free(g->numbers);
    buffer_free(&g->texts);
    names_free(&g->names);
    *g = (given){0};
}

bool given_size(const dtype_row *dtype, const int64_t *sizes, size_t rank, uint64_t *size) {
    *size = dtype->size;
    for (size_t i = 0; i < rank; i++) {
        uint64_t factor = (uint64_t)sizes[i];
        if (factor != 0 && *size > UINT64_MAX / factor) {
            return false;
        }
        *size *= factor;
    }
    return true;
}
