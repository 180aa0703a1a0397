/*
 * inner.c - see inner.h.
 */
#include "inner.h"

#include "common/memory.h"

/* What is still to be gone through of a value. */
struct inner_frame {
    uint32_t link;
    uint32_t left;
    uint32_t position;
    size_t name_size; /* of the value's own name */
    bool pairs;       /* keys and values */
    bool plain;       /* a dict or a tuple in it is no step of its own */
};

bool inner_open(inner *w, const unpickled *u, size_t pickle_size) {
    enum { LEAST = 1 << 16, TIMES = 16 };
    *w = (inner){.u = u, .room = LEAST + (uint64_t)pickle_size * TIMES};
    w->seen = memory_zeros(u->value_count, sizeof *w->seen);
    return w->seen != NULL;
}

void inner_close(inner *w) {
    memory_free(w->seen);
    memory_free(w->frames);
    buffer_free(&w->name);
    *w = (inner){.u = NULL};
}

static bool spend(inner *w, uint64_t count) {
    bool ok = count <= w->room;
    w->room -= ok ? count : 0;
    return ok;
}

/* ------------------------------------------------------------------------------- frames */

static inner_result push(inner *w, pickled_items items, uint32_t skipped, inner_frame frame) {
    if (items.count <= skipped) {
        return INNER_DONE;
    }
    if (!memory_room(&w->frames, w->depth, &w->room_of_frames, sizeof *w->frames)) {
        return INNER_MEMORY;
    }
    frame.link = items.first;
    frame.left = items.count - skipped;
    frame.name_size = w->name.size;
    while (skipped-- > 0) {
        unpickled_next(w->u, &frame.link);
    }
    w->frames[w->depth++] = frame;
    return INNER_DONE;
}

/* Whether a value in a frame has the name of the frame. A class with slots has a pair of dicts
 * for its state. */
static bool is_same_name(const inner *w, const inner_frame *frame, uint32_t value) {
    pickled_kind kind = unpickled_at(w->u, value)->kind;
    return frame->plain && (kind == PICKLED_DICT || kind == PICKLED_TUPLE);
}

static inner_result enter(inner *w, uint32_t value, bool plain) {
    const pickled_value *v = unpickled_at(w->u, value);
    pickled_items items = unpickled_items(w->u, value);
    bool object = v->kind == PICKLED_OBJECT;
    bool pair = plain && v->kind == PICKLED_TUPLE && items.count == 2;
    return push(w, items, object ? 1 : 0,
                (inner_frame){.pairs = v->kind == PICKLED_DICT, .plain = object || pair});
}

/* --------------------------------------------------------------------------------- values */

/* The state of a tensor of a class is gone through first, then, where it is not known what the
 * function makes of its arguments, these. */
static inner_result enter_subclass(inner *w, uint32_t value, const unpickled_subclass *parts) {
    enum { OWN = 3, ARGUMENTS = 2, STATE = 3 };
    pickled_items items = unpickled_items(w->u, value);
    uint32_t at = items.first;
    unpickled_next(w->u, &at);
    pickled_items call = unpickled_items(w->u, unpickled_next(w->u, &at));
    inner_result result = push(w, items, OWN, (inner_frame){.plain = true});
    return result != INNER_DONE ? result
                                : push(w, call, parts->base == PICKLED_NOTHING ? ARGUMENTS : STATE,
                                       (inner_frame){.plain = true});
}

/* What is in a value, of which the name is known. */
static inner_result look_into(inner *w, uint32_t value, bool plain) {
    unpickled_subclass parts;
    const pickled_value *v = unpickled_at(w->u, value);
    if (unpickled_inner(w->u, value, &parts)) {
        return enter_subclass(w, value, &parts);
    }
    if (v->kind != PICKLED_TENSOR) {
        return enter(w, value, plain);
    }
    uint32_t state = w->u->tensors[v->is.position].state;
    if (state == PICKLED_NOTHING || w->seen[state] == w->walk) {
        return INNER_DONE;
    }
    w->seen[state] = w->walk;
    return enter(w, state, true);
}

static inner_result visit(inner *w, uint32_t value, bool plain) {
    unpickled_subclass parts;
    if (w->seen[value] == w->walk) {
        return INNER_DONE;
    }
    w->seen[value] = w->walk;
    if (unpickled_at(w->u, value)->kind == PICKLED_TENSOR || unpickled_inner(w->u, value, &parts)) {
        if (!spend(w, w->name.size)) {
            return INNER_LIMIT;
        }
        if (!w->take(w->context, buffer_bytes(&w->name), value)) {
            return INNER_STOPPED;
        }
    }
    return look_into(w, value, plain);
}

/* ".qdata", ".0" */
static bool put_step(inner *w, const inner_frame *frame, uint32_t key) {
    const pickled_value *v = frame->pairs ? unpickled_at(w->u, key) : NULL;
    ep_bytes text = v == NULL ? (ep_bytes){"", 0} : unpickled_text(w->u, key);
    size_t before = w->name.size;
    buffer_byte(&w->name, '.');
    if (v != NULL && v->kind == PICKLED_TEXT) {
        buffer_put(&w->name, text.data, text.size);
    } else {
        bool number = v != NULL && v->kind == PICKLED_INT;
        buffer_number(&w->name, number ? v->is.integer : (int64_t)frame->position);
    }
    return spend(w, w->name.size - before);
}

static inner_result step(inner *w) {
    inner_frame *frame = &w->frames[w->depth - 1];
    w->name.size = frame->name_size;
    if (frame->left == 0) {
        w->depth--;
        return INNER_DONE;
    }
    uint32_t key = unpickled_next(w->u, &frame->link);
    bool pair = frame->pairs && frame->left > 1;
    uint32_t value = pair ? unpickled_next(w->u, &frame->link) : key;
    bool same = is_same_name(w, frame, value);
    frame->left -= pair ? 2 : 1;
    if (!spend(w, 1) || (!same && !put_step(w, frame, key))) {
        return INNER_LIMIT;
    }
    frame->position++;
    return w->name.failed ? INNER_MEMORY : visit(w, value, same);
}

inner_result inner_walk(inner *w, uint32_t value, ep_bytes name) {
    w->walk++;
    w->depth = 0;
    buffer_clear(&w->name);
    buffer_put(&w->name, name.data, name.size);
    w->seen[value] = w->walk;
    inner_result result = w->name.failed ? INNER_MEMORY : look_into(w, value, false);
    while (result == INNER_DONE && w->depth > 0) {
        result = step(w);
    }
    return result;
}
