/*
 * mutator/mutate_zip.c - mutations of archives; see mutate.h. An archive is taken apart
 * by its directory, its members are changed, renamed, added and dropped, and it
 * is written again: right, or, once in four times, with one fault. What rules of SPEC
 * 8.1 are about is mended before, five times of six. Archives that
 * are members of one, as torch.save makes them, are mutated likewise.
 */
#include "mutator/mutate_zip.h"
#include "mutator/mutate_work.h"

#include <stdlib.h>
#include <string.h>

enum { CONTENT_MAX = 1 << 20 };

/* ------------------------------------------------------------------------- pool */

char *zip_reserve(zip_work *w, size_t size) {
    if (size > w->room - w->used) {
        return NULL;
    }
    w->used += size;
    return w->pool + w->used - size;
}

/* Two texts in one; no data when the pool is full. */
ep_bytes zip_join(zip_work *w, ep_bytes a, ep_bytes b) {
    char *at = zip_reserve(w, a.size + b.size);
    if (at == NULL) {
        return (ep_bytes){NULL, 0};
    }
    if (a.size > 0) {
        memcpy(at, a.data, a.size);
    }
    if (b.size > 0) {
        memcpy(at + a.size, b.data, b.size);
    }
    return (ep_bytes){at, a.size + b.size};
}

size_t zip_root(ep_bytes name) {
    const char *slash = name.size == 0 ? NULL : memchr(name.data, '/', name.size);
    return slash == NULL ? 0 : (size_t)(slash + 1 - name.data);
}

ep_bytes zip_splice(zip_work *w, ep_bytes text, size_t begin, size_t end, ep_bytes with) {
    ep_bytes first = {NULL, 0};
    if (with.data != NULL) {
        first = zip_join(w, (ep_bytes){text.data, begin}, with);
    }
    return first.data == NULL ? first
                              : zip_join(w, first, (ep_bytes){text.data + end, text.size - end});
}

ep_bytes zip_keep(zip_work *w, ep_bytes bytes) {
    return zip_join(w, bytes, (ep_bytes){"", 0});
}

zip_part *zip_draw_part(zip_work *w) {
    return &w->model.parts[mutate_below(&w->r, w->model.count)];
}

/* ---------------------------------------------------------------------- reading */

/* Fields of zip64 are made anew from the forms. */
static ep_bytes without_zip64(zip_work *w, ep_bytes fields) {
    ep_bytes kept = {"", 0};
    while (fields.size >= 4) {
        size_t size = 4 + (size_t)zip_get(fields.data + 2, 2);
        size = size < fields.size ? size : fields.size;
        if (zip_get(fields.data, 2) != 1) {
            kept = zip_join(w, kept, (ep_bytes){fields.data, size});
        }
        fields = (ep_bytes){fields.data + size, fields.size - size};
    }
    return zip_join(w, kept, fields);
}

/* In which forms a member says what it says, as far as they are seen. */
static unsigned forms_of(const zip_entry *e) {
    bool later = (e->head.flags & ZIP_FLAG_DESCRIPTOR) != 0;
    bool kept = later && e->local.crc == e->head.crc && e->head.crc != 0;
    return kept ? ZIP_FORM_KEPT : 0;
}

static bool take_part(zip_work *w, const zip_entry *e) {
    zip_content content;
    zip_part *part = &w->model.parts[w->model.count];
    *part = (zip_part){.name = e->head.name,
                       .local_extra = e->local.extra,
                       .extra = e->head.extra,
                       .comment = e->comment,
                       .crc = e->head.crc,
                       .size = e->head.size,
                       .flags = e->head.flags,
                       .method = e->head.method,
                       .stamp = e->head.stamp,
                       .made_by = e->made_by,
                       .needed = e->head.needed,
                       .inside = e->inside,
                       .outside = e->outside};
    part->forms = forms_of(e);
    part->packed = !zip_reader_unpack(e, CONTENT_MAX, &content);
    part->data = zip_keep(w, part->packed ? e->packed : content.bytes);
    if (!part->packed) {
        zip_content_free(&content);
    }
    part->name = zip_keep(w, part->name);
    part->extra = without_zip64(w, part->extra);
    part->comment = zip_keep(w, part->comment);
    part->local_extra = without_zip64(w, part->local_extra);
    return part->data.data != NULL && part->name.data != NULL && part->extra.data != NULL &&
           part->comment.data != NULL && part->local_extra.data != NULL;
}

/* What the directory lists, as far as there is room. */
static bool take_apart(zip_work *w, ep_bytes file) {
    zip_reading reading;
    bool ok = zip_reader_open(file, &reading);
    w->model.count = 0;
    w->model.turned = 0;
    w->model.backwards = false;
    if (ok) {
        w->model.zip64 = reading.zip64;
        w->model.comment = zip_keep(w, reading.comment);
        for (size_t i = 0; i < reading.count && w->model.count < ZIP_PARTS_MAX; i++) {
            w->model.count += take_part(w, &reading.entries[i]) ? 1 : 0;
        }
    }
    zip_reader_close(&reading);
    return ok && w->model.count > 0;
}

/* ------------------------------------------------------------------- one archive */

/* Once in four times one, in archives that members are, once in sixteen. Checksums are
 * what is judged last of a state: they are wrong once in eight times. */
static zip_fault draw_fault(zip_work *w) {
    static const zip_fault_kind kinds[] = {
        ZIP_FAULT_FIELD,  ZIP_FAULT_FIELD,   ZIP_FAULT_FIELD,      ZIP_FAULT_FIELD,
        ZIP_FAULT_INSERT, ZIP_FAULT_INSERT,  ZIP_FAULT_INSERT,     ZIP_FAULT_BOTH,
        ZIP_FAULT_BOTH,   ZIP_FAULT_OVERLAP, ZIP_FAULT_WIDE_TWICE, ZIP_FAULT_END_INSIDE,
        ZIP_FAULT_UNSET,  ZIP_FAULT_CUT};
    zip_fault fault = {.kind = ZIP_FAULT_NONE,
                       .part = mutate_below(&w->r, w->model.count),
                       .place = (size_t)(mutate_draw(&w->r) >> 33),
                       .number = mutate_draw(&w->r)};
    if (w->state && mutate_one_in(&w->r, 8)) {
        fault.kind = ZIP_FAULT_BOTH;
        fault.number &= 0xFF; /* ZIP_SAID_CRC */
    } else if (mutate_one_in(&w->r, w->depth > 1 ? 16 : 4)) {
        fault.kind = ZIP_DRAW(w, kinds);
    }
    return fault;
}

/* Writes the parts; where there is no room, without the longest of the others. */
static size_t write_parts(zip_work *w, mutate_room out) {
    zip_fault fault = draw_fault(w);
    size_t size = zip_write(&w->model, &fault, out);
    for (int tries = 0; size == 0 && tries < 4; tries++) {
        zip_part *longest = NULL;
        for (size_t i = 0; i < w->model.count; i++) {
            zip_part *part = &w->model.parts[i];
            bool program = bytes_start(part->data, "{");
            longest = !program && (longest == NULL || part->data.size > longest->data.size)
                          ? part
                          : longest;
        }
        if (longest == NULL) {
            return 0;
        }
        longest->data.size /= 4;
        size = zip_write(&w->model, &fault, out);
    }
    return size;
}

/* Works aside, so that nothing is changed in vain. */
static size_t write_back(zip_work *w, uint8_t *data, size_t max_size) {
    uint8_t *aside = malloc(max_size + 1);
    if (aside == NULL) {
        return 0;
    }
    size_t size = write_parts(w, (mutate_room){aside, max_size});
    if (size > 0) {
        memcpy(data, aside, size);
    }
    free(aside);
    return size;
}

/* The archive in data; of one in another, the outer one's parts are put away. */
size_t zip_mutate(zip_work *w, uint8_t *data, size_t size, size_t max_size) {
    zip_model *outer = malloc(sizeof *outer);
    size_t result = 0;
    if (outer == NULL) {
        return 0;
    }
    *outer = w->model;
    w->depth++;
    if (take_apart(w, (ep_bytes){(const char *)data, size})) {
        bool done = false;
        for (size_t left = 1 + mutate_below(&w->r, 3); left > 0; left--) {
            done = zip_mutate_once(w) || done;
        }
        if (w->state && w->depth == 1 && !w->marked && !mutate_one_in(&w->r, 6)) {
            zip_mend_state(w);
        }
        if (!mutate_one_in(&w->r, 6)) {
            zip_mend(w);
        }
        result = write_back(w, data, max_size);
    }
    w->depth--;
    w->model = *outer;
    free(outer);
    return result;
}

static zip_work *open_work(fuzz_mutator *m, size_t max_size, uint32_t seed) {
    zip_work *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->m = m;
    w->state = m->layout == MUTATE_LAYOUT_STATE;
    w->r.state = seed;
    w->max_size = max_size;
    w->room = 8 * max_size + (1 << 16);
    w->pool = malloc(w->room);
    if (w->pool == NULL) {
        free(w);
        return NULL;
    }
    return w;
}

static void close_work(zip_work *w) {
    free(w->pool);
    free(w);
}

size_t fuzz_mutate_zip(fuzz_mutator *m, uint8_t *data, size_t size, size_t max_size,
                       uint32_t seed) {
    zip_work *w = size > max_size ? NULL : open_work(m, max_size, seed);
    if (w == NULL) {
        return 0;
    }
    size_t result = zip_mutate(w, data, size, max_size);
    close_work(w);
    return result;
}

/* -------------------------------------------------------------------- crossover */

/* A member of b in the place of one of a that has its name, or is as it is; or
 * beside them. Programs are crossed as programs. */
static bool cross_part(zip_work *w, const zip_part *from) {
    for (size_t i = 0; i < w->model.count; i++) {
        zip_part *part = &w->model.parts[i];
        size_t room = part->data.size + from->data.size + 256;
        bool programs = bytes_start(part->data, "{") && bytes_start(from->data, "{");
        char *at = programs && !mutate_one_in(&w->r, 4) ? zip_reserve(w, room) : NULL;
        if (at != NULL) {
            mutate_input a = {(const uint8_t *)part->data.data, part->data.size};
            mutate_input b = {(const uint8_t *)from->data.data, from->data.size};
            size_t size = fuzz_cross_program(w->m, a, b, (mutate_room){(uint8_t *)at, room},
                                             (uint32_t)mutate_draw(&w->r));
            part->data = size > 0 ? (ep_bytes){at, size} : part->data;
            return size > 0;
        }
        if (part->name.size == from->name.size &&
            memcmp(part->name.data, from->name.data, from->name.size) == 0) {
            *part = *from;
            return true;
        }
    }
    return zip_insert(w, *from);
}

size_t fuzz_cross_zip(fuzz_mutator *m, mutate_input a, mutate_input b, mutate_room out,
                      uint32_t seed) {
    size_t most = a.size > b.size ? a.size : b.size;
    zip_work *w = open_work(m, out.size > most ? out.size : most, seed);
    size_t result = 0;
    if (w == NULL) {
        return 0;
    }
    if (take_apart(w, (ep_bytes){(const char *)b.data, b.size})) {
        zip_part from = *zip_draw_part(w);
        if (take_apart(w, (ep_bytes){(const char *)a.data, a.size}) && cross_part(w, &from)) {
            if (!mutate_one_in(&w->r, 6)) {
                zip_mend(w);
            }
            result = write_parts(w, out);
        }
    }
    close_work(w);
    return result;
}
