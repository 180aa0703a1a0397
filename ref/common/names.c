/*
 * names.c - see names.h. A merge sort, since the order of the names is the
 * file's choice and the C library's sort may be quadratic.
 */
#include "names.h"

#include <string.h>

#include "memory.h"

void names_add(name_list *n, name_item item) {
    if (n->failed || !memory_room(&n->items, n->count, &n->capacity, sizeof item)) {
        n->failed = true;
        return;
    }
    n->items[n->count++] = item;
}

void names_add_dict(name_list *n, ep_value dict, const char *kind, ep_arena *arena) {
    size_t count = ep_value_count(dict);
    for (size_t i = 0; i < count; i++) {
        name_item item = {.value = ep_value_item(dict, i), .kind = kind};
        n->failed = !ep_value_key(dict, i, arena, &item.name) || n->failed;
        names_add(n, item);
    }
}

typedef bool order_of(const name_item *a, const name_item *b);

/* Merges the sorted halves [from, middle) and [middle, to). */
static void merge(const name_item **items, const name_item **merged, const size_t bounds[3],
                  order_of *in_order) {
    size_t left = bounds[0];
    size_t right = bounds[1];
    for (size_t i = bounds[0]; i < bounds[2]; i++) {
        bool from_left =
            left < bounds[1] && (right >= bounds[2] || in_order(items[left], items[right]));
        merged[i] = from_left ? items[left++] : items[right++];
    }
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Sorts pointers to the items; items and other change places. */
static const name_item **sort(const name_item **items, const name_item **other, size_t count,
                              order_of *in_order) {
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t from = 0; from < count; from += 2 * width) {
            size_t bounds[3] = {from, smaller(from + width, count),
                                smaller(from + 2 * width, count)};
            merge(items, other, bounds, in_order);
        }
        const name_item **sorted = other;
        other = items;
        items = sorted;
    }
    return items;
}

void names_sort_by(name_list *n, order_of *in_order) {
    if (n->failed || n->count < 2) {
        return;
    }
    name_item *sorted = memory_resize(NULL, n->count * sizeof *sorted);
    const name_item **pointers = memory_resize(NULL, 2 * n->count * sizeof *pointers);
    n->failed = sorted == NULL || pointers == NULL;
    if (!n->failed) {
        for (size_t i = 0; i < n->count; i++) {
            pointers[i] = &n->items[i];
        }
        const name_item **order = sort(pointers, pointers + n->count, n->count, in_order);
        for (size_t i = 0; i < n->count; i++) {
            sorted[i] = *order[i];
        }
        memcpy(n->items, sorted, n->count * sizeof *sorted);
    }
    memory_free(pointers);
    memory_free(sorted);
}

bool names_in_order(const name_item *a, const name_item *b) {
    return bytes_compare(a->name, b->name) <= 0;
}

void names_sort(name_list *n) {
    names_sort_by(n, names_in_order);
}

void names_collapse(name_list *n) {
    size_t kept = 0;
    for (size_t i = 0; i < n->count; i++) {
        name_item *last = kept > 0 ? &n->items[kept - 1] : NULL;
        if (last != NULL && bytes_compare(last->name, n->items[i].name) == 0) {
            last->count += n->items[i].count;
            last->bytes += n->items[i].bytes;
        } else {
            n->items[kept++] = n->items[i];
        }
    }
    n->count = kept;
}

name_item *names_find(const name_list *n, ep_bytes name) {
    size_t low = 0;
    size_t high = n->failed ? 0 : n->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bytes_compare(n->items[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < n->count && !n->failed && bytes_compare(n->items[low].name, name) == 0;
    return found ? &n->items[low] : NULL;
}

void names_say(name_list *n, name_item *item, int what, ep_bytes text) {
    item->said[what].at = n->texts.size;
    item->said[what].size = text.size;
    item->said[what].known = true;
    buffer_put(&n->texts, text.data, text.size);
    n->failed = n->failed || n->texts.failed;
}

ep_bytes names_said(const name_list *n, const name_item *item, int what) {
    bool there = !n->texts.failed && item->said[what].size > 0;
    return there ? (ep_bytes){n->texts.data + item->said[what].at, item->said[what].size}
                 : (ep_bytes){"", 0};
}

void names_free(name_list *n) {
    buffer_free(&n->texts);
    memory_free(n->items);
    *n = (name_list){0};
}

ep_bytes dict_key(ep_value dict, size_t i, ep_arena *arena, bool *failed) {
    ep_bytes key = {"", 0};
    *failed = !ep_value_key(dict, i, arena, &key) || *failed;
    return key;
}

bool value_is(ep_value value, const char *type) {
    const char *name = ep_value_type(value);
    return name != NULL && strcmp(name, type) == 0;
}

void values_push(value_list *v, ep_value value) {
    if (v->failed || !memory_room(&v->items, v->count, &v->capacity, sizeof value)) {
        v->failed = true;
        return;
    }
    v->items[v->count++] = value;
}

void values_free(value_list *v) {
    memory_free(v->items);
    *v = (value_list){0};
}

ep_bytes text_of(ep_value value, ep_arena *arena, bool *failed) {
    ep_bytes text = {"", 0};
    ep_kind kind = ep_value_kind(value);
    if ((kind == EP_KIND_STR || kind == EP_KIND_BYTES) && !ep_value_text(value, arena, &text)) {
        *failed = true;
    }
    return text;
}

ep_value unwrap(ep_value value, const char **tag) {
    *tag = NULL;
    while (ep_value_kind(value) == EP_KIND_UNION && ep_value_count(value) > 0) {
        *tag = ep_value_name(value, 0);
        value = ep_value_item(value, 0);
    }
    return value;
}
