/*
 * mutator/mutate_zip.c - mutations of archives; see mutate.h. An archive is taken apart
 * by its directory, its members are changed, renamed, added and dropped, and it
 * is written again: right, or, once in four times, with one fault. Where it then breaks
 * a rule of SPEC 8.1, other changes are drawn, five times of six. Archives that
 * are members of one, as torch.save makes them, are mutated likewise.
 */
#include "mutator/mutate_zip.h"
#include "mutator/mutate_work.h"
#include "oracles/zip_rules.h"

#include <stdlib.h>
#include <string.h>

enum { CONTENT_MAX = 1 << 20, TRIES = 4 };

/* ------------------------------------------------------------------------- pool */

char *zip_reserve(zip_work *w, size_t size) {
    if (size > w->room - w->used) {
        return NULL;
    }
    w->used += size;
    return w->pool + w->used - size;
}

ep_bytes zip_splice(zip_work *w, ep_bytes text, size_t begin, size_t end, ep_bytes with) {
    size_t size = text.size - (end - begin) + with.size;
    char *at = with.data == NULL || text.data == NULL ? NULL : zip_reserve(w, size);
    if (at == NULL) {
        return (ep_bytes){NULL, 0};
    }
    memcpy(at, text.data, begin);
    memcpy(at + begin, with.data, with.size);
    memcpy(at + begin + with.size, text.data + end, text.size - end);
    return (ep_bytes){at, size};
}

ep_bytes zip_join(zip_work *w, ep_bytes a, ep_bytes b) {
    return zip_splice(w, a, a.size, a.size, b);
}

size_t zip_root(ep_bytes name) {
    const char *slash = name.size == 0 ? NULL : memchr(name.data, '/', name.size);
    return slash == NULL ? 0 : (size_t)(slash + 1 - name.data);
}

zip_part *zip_draw_part(zip_work *w) {
    return &w->model.parts[random_below(&w->r, w->model.count)];
}

bool zip_insert(zip_work *w, zip_part part) {
    TRY(w->model.count != ZIP_PARTS_MAX && part.name.data != NULL && part.data.data != NULL);
    zip_part *at = &w->model.parts[random_below(&w->r, w->model.count + 1)];
    memmove(at + 1, at, (size_t)(w->model.parts + w->model.count++ - at) * sizeof *at);
    *at = part;
    return true;
}

/* ---------------------------------------------------------------------- reading */

static bool take_part(zip_work *w, const zip_entry *e) {
    zip_content content = {{"", 0}, NULL};
    zip_part *part = &w->model.parts[w->model.count];
    const zip_head *head = &e->head;
    bool kept =
        (head->flags & ZIP_FLAG_DESCRIPTOR) != 0 && head->crc != 0 && e->local.crc == head->crc;
    const uint64_t values[][2] = {{'c', head->crc},   {'u', head->size},
                                  {'f', head->flags}, {'m', head->method},
                                  {'t', head->stamp}, {'b', e->made_by},
                                  {'i', e->inside},   {'n', head->needed},
                                  {'w', e->outside},  {'g', kept ? ZIP_FORM_KEPT : 0}};
    *part = (zip_part){.name = head->name,
                       .local_extra = e->local.extra,
                       .extra = head->extra,
                       .comment = e->comment,
                       .packed = !zip_reader_unpack(e, CONTENT_MAX, &content)};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        ZIP_VALUE(&part->values, values[i][0]) = values[i][1];
    }
    ep_bytes data = part->packed ? e->packed : content.bytes;
    part->data = zip_join(w, bytes_of(""), data.size > 0 ? data : bytes_of(""));
    if (!part->packed) {
        zip_content_free(&content);
    }
    return part->data.data != NULL;
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
        w->model.comment = reading.comment;
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
        ZIP_FAULT_FIELD,   ZIP_FAULT_FIELD,      ZIP_FAULT_FIELD,  ZIP_FAULT_FIELD,
        ZIP_FAULT_INSERT,  ZIP_FAULT_INSERT,     ZIP_FAULT_INSERT, ZIP_FAULT_BOTH,
        ZIP_FAULT_BOTH,    ZIP_FAULT_OVERLAP,    ZIP_FAULT_UNSET,  ZIP_FAULT_CUT,
        ZIP_FAULT_OVERLAP, ZIP_FAULT_END_INSIDE,
    };
    zip_fault fault = {.kind = ZIP_FAULT_NONE,
                       .part = random_below(&w->r, w->model.count),
                       .place = (size_t)(random_draw(&w->r) >> 33),
                       .number = random_draw(&w->r)};
    if (w->state && random_one_in(&w->r, 8)) {
        fault.kind = ZIP_FAULT_BOTH;
        fault.number &= 0xFF; /* of a checksum */
    } else if (random_one_in(&w->r, w->depth > 1 ? 16 : 4)) {
        fault.kind = ZIP_DRAW(w, kinds);
    }
    return fault;
}

/* Writes the parts; where there is no room, without the longest of the others. */
static size_t write_parts(zip_work *w, const zip_fault *fault, mutate_room out) {
    size_t size = zip_write(&w->model, fault, out);
    for (int tries = 0; size == 0 && tries < 4; tries++) {
        zip_part *longest = NULL;
        for (zip_part *part = w->model.parts; part < w->model.parts + w->model.count; part++) {
            bool longer = longest == NULL || part->data.size > longest->data.size;
            longest = longer && !bytes_start(part->data, "{") ? part : longest;
        }
        if (longest == NULL) {
            return 0;
        }
        longest->data.size /= 4;
        size = zip_write(&w->model, fault, out);
    }
    return size;
}

static bool keeps_rules(mutate_room made, size_t size) {
    zip_rules rules;
    bool ok = zip_rules_open((ep_bytes){(const char *)made.data, size}, &rules) == EP_OK;
    zip_rules_free(&rules);
    return ok;
}

/* Takes a file apart, changes it and writes it, until that is as wanted. */
typedef bool change_model(zip_work *w, const void *context);

static size_t remake(zip_work *w, ep_bytes file, change_model *change, const void *context,
                     mutate_room out) {
    size_t used = w->used;
    size_t size = 0;
    for (size_t tries = 0; tries < TRIES; tries++) {
        w->used = used;
        if (!take_apart(w, file) || !change(w, context)) {
            continue;
        }
        zip_fault fault = draw_fault(w);
        size = write_parts(w, &fault, out);
        if (fault.kind != ZIP_FAULT_NONE || random_one_in(&w->r, 6) ||
            (size > 0 && keeps_rules(out, size))) {
            break;
        }
    }
    return size;
}

/* A few edits, each drawn until one can be done. */
static bool change_some(zip_work *w, const void *context) {
    size_t done = 0;
    size_t wanted = 1 + random_below(&w->r, 3);
    (void)context;
    for (size_t tries = 0; done < wanted && tries < wanted + 6; tries++) {
        done += zip_mutate_once(w);
    }
    return done > 0;
}

/* Aside, so that nothing is changed in vain. Of an archive in another the outer one's
 * parts are put away. */
size_t zip_mutate(zip_work *w, uint8_t *data, size_t size, size_t max_size) {
    zip_model *outer = malloc(sizeof *outer);
    mutate_room aside = {malloc(max_size + 1), max_size};
    size_t made = 0;
    if (outer != NULL && aside.data != NULL) {
        *outer = w->model;
        w->depth++;
        made = remake(w, (ep_bytes){(const char *)data, size}, change_some, NULL, aside);
        memcpy(data, aside.data, made);
        w->depth--;
        w->model = *outer;
    }
    free(aside.data);
    free(outer);
    return made;
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

/* A member in the place of one that has its name, or beside them. Programs are crossed as
 * programs. */
static bool cross_part(zip_work *w, const void *context) {
    const zip_part *from = context;
    for (zip_part *part = w->model.parts; part < w->model.parts + w->model.count; part++) {
        size_t room = part->data.size + from->data.size + 256;
        bool programs = bytes_start(part->data, "{") && bytes_start(from->data, "{");
        char *at = programs && !random_one_in(&w->r, 4) ? zip_reserve(w, room) : NULL;
        if (at != NULL) {
            mutate_input a = {(const uint8_t *)part->data.data, part->data.size};
            mutate_input b = {(const uint8_t *)from->data.data, from->data.size};
            size_t size = fuzz_cross_program(w->m, a, b, (mutate_room){(uint8_t *)at, room},
                                             (uint32_t)random_draw(&w->r));
            part->data = size > 0 ? (ep_bytes){at, size} : part->data;
            return size > 0;
        }
        if (bytes_compare(part->name, from->name) == 0) {
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
        result = remake(w, (ep_bytes){(const char *)a.data, a.size}, cross_part, &from, out);
    }
    close_work(w);
    return result;
}
