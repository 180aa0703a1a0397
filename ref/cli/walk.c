/*
 * walk.c - see walk.h.
 */
#include "walk.h"

#include "common/memory.h"

walk_level *walk_in(const walk *w) {
    return w->depth > 0 ? &w->levels[w->depth - 1] : NULL;
}

static bool is_mark(char c) {
    return c == '"' || c == '{' || c == '}' || c == '[' || c == ']' || c == ',';
}

static void take_string(walk *w) {
    walk_level *in = walk_in(w);
    while (w->end < w->text.size && w->text.data[w->end] != '"') {
        w->end += w->text.data[w->end] == '\\' ? 2 : 1;
    }
    w->is_key = in != NULL && in->wants_key;
    if (w->is_key) {
        in->key = (ep_bytes){w->text.data + w->at + 1, w->end - w->at - 1};
        in->begin = w->at;
        in->wants_key = false;
    }
    w->end++;
}

static void open_level(walk *w, bool is_object) {
    if (memory_room(&w->levels, w->depth, &w->capacity, sizeof *w->levels)) {
        w->levels[w->depth++] = (walk_level){.is_object = is_object, .wants_key = is_object};
    } else {
        w->failed = true;
    }
}

static void take_mark(walk *w, char mark) {
    walk_level *in = walk_in(w);
    if (mark == '"') {
        take_string(w);
    } else if (mark == '{' || mark == '[') {
        open_level(w, mark == '{');
    } else if (in != NULL && mark != ',') {
        w->depth--;
    } else if (in != NULL) {
        in->wants_key = in->is_object;
        in->comma = w->at;
        in->items++;
    }
}

bool walk_next(walk *w) {
    for (w->at = w->end; w->at < w->text.size && !is_mark(w->text.data[w->at]); w->at++) {
        if (w->text.data[w->at] == '\n') {
            w->line++;
            w->start = w->at + 1;
        }
    }
    if (w->at >= w->text.size || w->failed) {
        return false;
    }
    w->end = w->at + 1;
    w->is_key = false;
    take_mark(w, w->text.data[w->at]);
    return !w->failed;
}

void walk_close(walk *w) {
    memory_free(w->levels);
}
