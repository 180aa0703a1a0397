/*
 * views.c - see views.h. The bytes that a tensor shows are not listed, of which there can be any
 * number: known are the first and the last, and no more than how many lie between. Tensors whose
 * ranges overlap are taken together, as a range of all of them, and as a sum: what they show is
 * no more than the smaller. That is exact where a storage has one tensor, of steps that do not
 * meet, or several that are whole pieces.
 */
#include "views.h"

#include "common/memory.h"

/* --------------------------------------------------------------------------------- views */

static uint64_t times(uint64_t a, uint64_t b) {
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static bool is_empty(const views_tensor *t) {
    for (size_t i = 0; i < t->rank; i++) {
        if (t->sizes[i] == 0) {
            return true;
        }
    }
    return false;
}

static void measure(const views_tensor *t, views_view *view) {
    uint64_t last = t->offset;
    uint64_t distinct = 1;
    uint64_t count = 1;
    for (size_t i = 0; i < t->rank; i++) {
        uint64_t size = (uint64_t)t->sizes[i];
        uint64_t stride = (uint64_t)t->strides[i];
        last = plus(last, times(size - 1, stride));
        distinct = times(distinct, stride > 0 ? size : 1);
        count = times(count, size);
    }
    view->from = times(t->offset, t->item);
    view->to = times(plus(last, 1), t->item);
    view->shown = times(distinct, t->item);
    view->size = t->is_meta ? 0 : times(count, t->item);
}

void views_add(views *v, ep_bytes storage, const views_tensor *t) {
    size_t numbers = t->rank * sizeof *t->sizes;
    views_view view = {
        .name = v->bytes.size, .name_size = storage.size, .numbers_size = 2 * numbers};
    if (v->failed || !memory_room(&v->all, v->count, &v->room, sizeof view)) {
        v->failed = true;
        return;
    }
    if (!is_empty(t)) {
        measure(t, &view);
    }
    buffer_put(&v->bytes, storage.data, storage.size);
    buffer_put(&v->bytes, (const char *)t->sizes, numbers);
    buffer_put(&v->bytes, (const char *)t->strides, numbers);
    v->all[v->count++] = view;
}

/* By storage, then by place. */
static bool in_order(const name_item *a, const name_item *b) {
    int order = bytes_compare(a->name, b->name);
    return order != 0 ? order < 0 : a->place <= b->place;
}

bool views_close(views *v) {
    for (size_t i = 0; !v->bytes.failed && i < v->count; i++) {
        const views_view *view = &v->all[i];
        ep_bytes name = {view->name_size == 0 ? "" : v->bytes.data + view->name, view->name_size};
        names_add(&v->sorted, (name_item){.name = name, .count = i, .place = view->from});
    }
    names_sort_by(&v->sorted, in_order);
    v->failed = v->failed || v->bytes.failed || v->sorted.failed;
    return !v->failed;
}

void views_free(views *v) {
    memory_free(v->all);
    buffer_free(&v->bytes);
    names_free(&v->sorted);
    *v = (views){.count = 0};
}

/* -------------------------------------------------------------------------------- storages */

/* Views whose ranges overlap. */
typedef struct cluster {
    uint64_t from;
    uint64_t to;
    uint64_t sum; /* of what each of them shows */
} cluster;

static uint64_t shown_of(const cluster *c) {
    return c->to - c->from < c->sum ? c->to - c->from : c->sum;
}

static ep_bytes numbers_of(const views *v, const views_view *view) {
    bool none = view->numbers_size == 0;
    return (ep_bytes){none ? "" : v->bytes.data + view->name + view->name_size, view->numbers_size};
}

/* One name of a tensor and another, as of weights that are tied. */
static bool are_same(const views *v, const views_view *a, const views_view *b) {
    return a != NULL && a->from == b->from && a->to == b->to &&
           bytes_compare(numbers_of(v, a), numbers_of(v, b)) == 0;
}

/* One view after another, by their places. again: it is the same as the one before. */
static void take(cluster *c, const views_view *view, bool again, uint64_t *shown) {
    if (view->from >= c->to) {
        *shown += shown_of(c);
        *c = (cluster){view->from, view->to, view->shown};
        return;
    }
    c->to = c->to > view->to ? c->to : view->to;
    c->sum = plus(c->sum, again ? 0 : view->shown);
}

views_told views_of(const views *v, ep_bytes storage, uint64_t size) {
    views_told told = {.named = false};
    cluster c = {0, 0, 0};
    uint64_t shown = 0;
    const views_view *before = NULL;
    const name_item *item = names_find(&v->sorted, storage);
    const name_item *end = item == NULL ? NULL : v->sorted.items + v->sorted.count;
    bool beyond = false;
    for (; item != NULL && item < end && bytes_compare(item->name, storage) == 0; item++) {
        const views_view *view = &v->all[item->count];
        told.named = true;
        told.wanted = told.wanted > view->size ? told.wanted : view->size;
        beyond = beyond || view->to > size;
        if (!beyond) {
            take(&c, view, are_same(v, before, view), &shown);
        }
        before = view;
    }
    shown += shown_of(&c);
    told.hidden = beyond ? 0 : size - shown;
    return told;
}
