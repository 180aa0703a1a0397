/*
 * paths.c - see paths.h.
 */
#include "paths.h"

#include <string.h>

#include "common/memory.h"
#include "common/refusal.h"

enum { PART_MOST = 200, PATH_MOST = 1000 }; /* of what a file system and a system take */

static bool is_plain(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
           (c != '\0' && strchr("._-", c) != NULL);
}

static const char digits[] = "0123456789ABCDEF";

void paths_spell(buffer *b, ep_bytes name) {
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        if (is_plain(c) && (i > 0 || c != '.')) {
            buffer_byte(b, c);
        } else {
            buffer_byte(b, '%');
            buffer_byte(b, digits[(unsigned char)c >> 4]);
            buffer_byte(b, digits[(unsigned char)c & 15]);
        }
    }
}

static const char *digit_at(ep_bytes text, size_t i) {
    return i < text.size && text.data[i] != '\0' ? strchr(digits, text.data[i]) : NULL;
}

bool paths_read(buffer *b, ep_bytes spelled) {
    for (size_t i = 0; i < spelled.size; i++) {
        if (spelled.data[i] != '%') {
            buffer_byte(b, spelled.data[i]);
            continue;
        }
        const char *high = digit_at(spelled, ++i);
        const char *low = digit_at(spelled, ++i);
        TRY(high != NULL && low != NULL);
        buffer_byte(b, (char)((high - digits) << 4 | (low - digits)));
    }
    return true;
}

/* The part of a path that begins it, without the slash behind it. */
static ep_bytes first_part(ep_bytes path) {
    const char *slash = path.size == 0 ? NULL : memchr(path.data, '/', path.size);
    return (ep_bytes){path.data, slash == NULL ? path.size : (size_t)(slash - path.data)};
}

/* Goes behind a part and its slash; false where it was the last. */
static bool leave_part(ep_bytes *path, ep_bytes part) {
    bool more = part.size < path->size;
    size_t size = part.size + (more ? 1 : 0);
    *path = (ep_bytes){path->data + size, path->size - size};
    return more;
}

/* Whether it is short enough. */
static bool put_path(buffer *text, ep_bytes name) {
    size_t from = text->size;
    bool fits = true;
    bool more = true;
    while (more) {
        ep_bytes part = first_part(name);
        size_t at = text->size;
        paths_spell(text, part);
        buffer_text(text, part.size == 0 ? "%" : "");
        fits = fits && text->size - at <= PART_MOST;
        more = leave_part(&name, part);
        buffer_text(text, more ? "/" : "");
    }
    fits = fits && text->size - from <= PATH_MOST;
    buffer_byte(text, '\0');
    return fits;
}

/* In place of what was put for a member. */
static void put_number(paths *p, size_t member) {
    p->starts[member] = p->text.size;
    buffer_text(&p->text, "%-");
    buffer_number(&p->text, (int64_t)member + 1);
    buffer_byte(&p->text, '\0');
}

/* ------------------------------------------------------------------------- one file each */

/* A path by which twins stand together, and what is in a folder right behind that. */
static void put_key(buffer *keys, const char *path) {
    for (; *path != '\0'; path++) {
        bool upper = 'A' <= *path && *path <= 'Z';
        buffer_byte(keys, upper ? (char)(*path - 'A' + 'a') : *path == '/' ? '\x01' : *path);
    }
    buffer_byte(keys, '\0');
}

/* Whether a key is that of the same file, or of one in a folder of its name. */
static bool is_taken(ep_bytes taken, ep_bytes key) {
    return key.size >= taken.size && memcmp(key.data, taken.data, taken.size) == 0 &&
           (key.size == taken.size || key.data[taken.size] == '\x01');
}

/* keys: the reserved one, then that of each member, each with a zero behind it. */
static bool rename_twins(const zipfile *z, paths *p, buffer *keys) {
    name_list sorted = {0};
    const char *at = buffer_string(keys);
    for (size_t i = 0; !keys->failed && i <= z->count; i++) {
        names_add(&sorted, (name_item){.name = bytes_of(at), .count = i});
        at += strlen(at) + 1;
    }
    names_sort(&sorted);
    for (size_t i = 1, last = 0; !sorted.failed && i < sorted.count; i++) {
        if (is_taken(sorted.items[last].name, sorted.items[i].name)) {
            put_number(p, sorted.items[i].count - 1);
        } else {
            last = i;
        }
    }
    bool ok = !sorted.failed && !keys->failed && !p->text.failed;
    names_free(&sorted);
    return ok;
}

bool paths_make(const zipfile *z, const char *reserved, paths *p, failure *what) {
    buffer keys = {0};
    *p = (paths){.starts = memory_zeros(z->count, sizeof *p->starts)};
    put_key(&keys, reserved);
    for (size_t i = 0; p->starts != NULL && !p->text.failed && i < z->count; i++) {
        p->starts[i] = p->text.size;
        if (!put_path(&p->text, z->members[i].name)) {
            put_number(p, i);
        }
        if (!p->text.failed) {
            put_key(&keys, paths_at(p, i));
        }
    }
    bool ok = p->starts != NULL && !p->text.failed && rename_twins(z, p, &keys);
    buffer_free(&keys);
    return ok || refuse_plainly(what, EP_MEMORY);
}

void paths_free(paths *p) {
    buffer_free(&p->text);
    memory_free(p->starts);
    *p = (paths){0};
}

bool paths_is_below(ep_bytes path) {
    bool more = true;
    while (more) {
        ep_bytes part = first_part(path);
        if (part.size == 0 || bytes_equal(part, ".") || bytes_equal(part, "..") ||
            memchr(part.data, '\0', part.size) != NULL) {
            return false;
        }
        more = leave_part(&path, part);
    }
    return true;
}
