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
        return zip_nothing;
    }
    memcpy(at, text.data, begin);
    memcpy(at + begin, with.data, with.size);
    memcpy(at + begin + with.size, text.data + end, text.size - end);
    return (ep_bytes){at, size};
}

ep_bytes zip_join(zip_work *w, ep_bytes a, ep_bytes b) {
    return zip_splice(w, a, a.size, a.size, b);
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

static bool take_part(zip_work *w, const zip_entry *e, zip_part *part) {
    zip_content content = {{"", 0}, NULL};
    const zip_head *head = &e->head;
    bool kept =
        (head->flags & ZIP_FLAG_DESCRIPTOR) != 0 && head->crc != 0 && e->local.crc == head->crc;
    const uint64_t forms = kept ? ZIP_FORM_KEPT : 0;
    *part = (zip_part){.values = {.of = {['c' - 'a'] = head->crc,
                                         ['u' - 'a'] = head->size,
                                         ['f' - 'a'] = head->flags,
                                         ['m' - 'a'] = head->method,
                                         ['t' - 'a'] = head->stamp,
                                         ['b' - 'a'] = e->made_by,
                                         ['i' - 'a'] = e->inside,
                                         ['n' - 'a'] = head->needed,
                                         ['w' - 'a'] = e->outside,
                                         ['g' - 'a'] = forms}},
                       .name = head->name,
                       .local_extra = e->local.extra,
                       .extra = head->extra,
                       .comment = e->comment,
                       .packed = !zip_reader_unpack(e, CONTENT_MAX, &content)};
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
    zip_model *model = &w->model;
    bool ok = zip_reader_open(file, &reading);
    model->count = model->turned = 0;
    model->backwards = false;
    model->zip64 = ok && reading.zip64;
    model->comment = ok ? reading.comment : zip_nothing;
    for (size_t i = 0; ok && i < reading.count && model->count < ZIP_PARTS_MAX; i++) {
        model->count += take_part(w, &reading.entries[i], &model->parts[model->count]);
    }
    zip_reader_close(&reading);
    return model->count > 0;
}

/* ------------------------------------------------------------------- changes */

/* A member in the place of one that has its name, or beside them. Programs are crossed as
 * programs. */
static bool cross_part(zip_work *w, const zip_part *from) {
    for (zip_part *part = w->model.parts; part < w->model.parts + w->model.count; part++) {
        bool programs = bytes_start(part->data, "{") && bytes_start(from->data, "{");
        if (programs && !random_one_in(&w->r, 4)) {
            return zip_mutate_part(w, part, from->data);
        }
        if (bytes_compare(part->name, from->name) == 0) {
            *part = *from;
            return true;
        }
    }
    return zip_insert(w, *from);
}

/* A few edits, each drawn until one can be done. */
static bool change_some(zip_work *w) {
    size_t done = 0;
    size_t wanted = 1 + random_below(&w->r, 3);
    for (size_t tries = 0; done < wanted && tries < wanted + 6; tries++) {
        done += zip_mutate_once(w);
    }
    return done > 0;
}

/* ------------------------------------------------------------------- one archive */

/* Once in four times one, in archives that members are, once in sixteen. What both headers
 * say, as checksums, is judged last of a state: it is wrong once in eight times. */
static zip_fault draw_fault(zip_work *w) {
    static const uint8_t faults[] = {ZIP_FAULT_FIELD,   ZIP_FAULT_FIELD,   ZIP_FAULT_FIELD,
                                     ZIP_FAULT_FIELD,   ZIP_FAULT_INSERT,  ZIP_FAULT_INSERT,
                                     ZIP_FAULT_INSERT,  ZIP_FAULT_BOTH,    ZIP_FAULT_BOTH,
                                     ZIP_FAULT_OVERLAP, ZIP_FAULT_OVERLAP, ZIP_FAULT_END_INSIDE,
                                     ZIP_FAULT_UNSET,   ZIP_FAULT_CUT};
    if (w->state && random_one_in(&w->r, 8)) {
        return ZIP_FAULT_BOTH;
    }
    return random_one_in(&w->r, w->depth > 1 ? 16 : 4) ? (zip_fault)ZIP_DRAW(w, faults)
                                                       : ZIP_FAULT_NONE;
}

static bool keeps_rules(ep_bytes made) {
    zip_rules rules;
    bool ok = zip_rules_open(made, &rules) == EP_OK;
    zip_rules_free(&rules);
    return ok;
}

/* Takes the file apart, changes it and writes it, until that is as wanted. */
static size_t remake(zip_work *w, ep_bytes file, const zip_part *donor, char *to, size_t room) {
    size_t used = w->used;
    size_t size = 0;
    for (size_t tries = 0; tries < TRIES; tries++) {
        w->used = used;
        if (take_apart(w, file) && (donor != NULL ? cross_part(w, donor) : change_some(w))) {
            zip_fault fault = draw_fault(w);
            size = zip_write(w, fault, to, room);
            if (size > 0 && (fault != ZIP_FAULT_NONE || random_one_in(&w->r, 6) ||
                             keeps_rules((ep_bytes){to, size}))) {
                break;
            }
        }
    }
    return size;
}

/* Aside, so that nothing is changed in vain. Of an archive in another the outer one's
 * parts are put away. */
size_t zip_mutate(zip_work *w, const mutate_job *job) {
    const zip_model outer = w->model;
    char *aside = zip_reserve(w, job->max);
    zip_part donor;
    bool crossed = job->donor.data != NULL;
    if (aside == NULL || (crossed && !take_apart(w, job->donor))) {
        return 0;
    }
    if (crossed) {
        donor = *zip_draw_part(w);
    }
    w->depth++;
    size_t made = remake(w, (ep_bytes){(const char *)job->data, job->size}, crossed ? &donor : NULL,
                         aside, job->max);
    w->depth--;
    memcpy(job->data, aside, made);
    w->model = outer;
    return made;
}

size_t fuzz_mutate_zip(fuzz_mutator *m, const mutate_job *job) {
    zip_work *w = calloc(1, sizeof *w);
    size_t made = 0;
    if (w != NULL) {
        w->m = m;
        w->state = m->layout == MUTATE_LAYOUT_STATE;
        w->r.state = job->seed;
        w->room = 9 * job->max + job->donor.size + (1 << 16);
        w->pool = malloc(w->room);
        made = w->pool == NULL ? 0 : zip_mutate(w, job);
        free(w->pool);
    }
    free(w);
    return made;
}
