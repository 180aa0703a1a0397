/*
 * stripping.c - see stripping.h. Which members hold tensors is told by the names of pickles
 * and by payload configs; no pickle is looked into. SPEC 8.7.1
 */
#include "stripping.h"

#include "archive/layout/lookup.h"
#include "archive/state/member_hash.h"
#include "archive/state/payload.h"
#include "common/memory.h"
#include "common/refusal.h"

const char stripping_title[] = "epref stripped 1";

/* An archive whose members are sorted out. */
typedef struct sorting {
    const archive *a;
    lookup by_name;
    bool *out; /* of each member */
    size_t limit;
    stripping *s;
    failure *what;
} sorting;

static bool refuse_memory(const sorting *o) {
    return refuse_plainly(o->what, EP_MEMORY);
}

/* ------------------------------------------------------------------------- what is taken out */

static void take_out(sorting *o, const zipfile_member *m) {
    if (m != NULL) {
        o->out[m - o->a->zip.members] = true;
    }
}

/* The members of a config that are tensors: objects are none. */
static bool take_entries(sorting *o, const char *folder, ep_bytes config) {
    ep_value entries;
    ep_arena arena;
    payload p;
    bool constants = bytes_equal(bytes_of(folder), "data/constants/");
    arena_open(&arena, 0);
    bool ok = payload_open(&arena, config, &entries, o->what);
    for (size_t i = 0; ok && i < ep_value_count(entries); i++) {
        ok = payload_at(entries, i, &arena, &p) || refuse_memory(o);
        if (ok && (!constants || bytes_start(p.path, "tensor_"))) {
            take_out(o, lookup_find(&o->by_name, folder, p.path, ""));
            ok = !o->by_name.name.failed || refuse_memory(o);
        }
    }
    ep_arena_free(&arena);
    return ok;
}

static bool take_config(sorting *o, const char *folder, const zipfile_member *m) {
    buffer text = {0};
    o->s->blamed = m->name;
    bool ok = zipfile_read_whole(&o->a->zip, m, o->limit, &text, o->what) &&
              take_entries(o, folder, buffer_bytes(&text));
    buffer_free(&text);
    return ok;
}

/* The weights or the constants of a program. */
static bool take_part(sorting *o, const char *folder, ep_bytes program, const char *config) {
    take_out(o, lookup_find(&o->by_name, folder, program, ".pt"));
    const zipfile_member *m =
        o->by_name.name.failed ? NULL : lookup_find(&o->by_name, folder, program, config);
    return (!o->by_name.name.failed || refuse_memory(o)) &&
           (m == NULL || take_config(o, folder, m));
}

static bool take_member(sorting *o, const zipfile_member *m) {
    ep_bytes name;
    if (o->a->root.size > 0) {
        return !archive_is_program(m->name, &name) ||
               (take_part(o, "data/weights/", name, "_weights_config.json") &&
                take_part(o, "data/constants/", name, "_constants_config.json"));
    }
    if (bytes_start(m->name, "serialized_state_dict.") ||
        bytes_start(m->name, "serialized_constants.")) {
        take_out(o, m);
    }
    return true;
}

static bool take_all(sorting *o) {
    size_t count = o->a->zip.count;
    o->out = memory_zeros(count, sizeof *o->out);
    if (!lookup_open(&o->by_name, o->a) || o->out == NULL) {
        return refuse_memory(o);
    }
    for (size_t i = 0; i < count; i++) {
        TRY(take_member(o, &o->a->zip.members[i]));
    }
    return true;
}

/* ---------------------------------------------------------------------------------- the plan */

static void put_line(sorting *o, size_t position, const char *hex) {
    const zipfile_member *m = &o->a->zip.members[position];
    buffer *text = &o->s->text;
    lines_put_number(text, position);
    lines_put_number(text, m->size);
    lines_put_word(text, hex);
    if (!o->s->rest.pt2) {
        lines_put_date(text, m->date);
    }
    lines_put_name(text, m->name);
}

/* A member goes to one of the two. */
static bool plan_member(sorting *o, size_t i) {
    const zipfile_member *m = &o->a->zip.members[i];
    char hex[DIGEST_HEX_SIZE + 1];
    o->s->blamed = m->name;
    TRY(member_hash(&o->a->zip, m, hex, o->what));
    zipwrite_member *made = zipwrite_copy(o->out[i] ? &o->s->weights : &o->s->rest, m->name, m);
    if (made == NULL) {
        return refuse_memory(o);
    }
    made->date = m->date;
    if (o->out[i]) {
        put_line(o, i, hex);
    }
    return true;
}

static bool plan_all(sorting *o) {
    stripping *s = o->s;
    buffer_text(&s->text, stripping_title);
    buffer_byte(&s->text, '\n');
    for (size_t i = 0; i < o->a->zip.count; i++) {
        TRY(plan_member(o, i));
    }
    s->blamed = (ep_bytes){"", 0};
    archive_put_stripped(o->a, &s->name);
    return (!s->text.failed && !s->name.failed &&
            zipwrite_bytes(&s->rest, buffer_bytes(&s->name), buffer_bytes(&s->text)) != NULL &&
            zipwrite_bytes(&s->weights, buffer_bytes(&s->name), buffer_bytes(&s->text)) != NULL) ||
           refuse_memory(o);
}

bool stripping_plan(const archive *a, size_t limit, stripping *s, failure *what) {
    sorting o = {.a = a, .limit = limit, .s = s, .what = what};
    container style;
    *s = (stripping){.blamed = {"", 0}};
    if (archive_stripped(a) != NULL) {
        return refuse_invalid(what, "it is stripped already");
    }
    TRY(container_of(&a->zip, &style, what));
    if (style == CONTAINER_OTHER) {
        return refuse_invalid(
            what, "no release writes such a zip, and it could not be made again: extract "
                  "--all and pack bring it into the form of one");
    }
    s->rest = s->weights = (zipwrite){.pt2 = style == CONTAINER_PT2, .from = &a->zip};
    s->weights.is_known = true; /* by the hashes. SPEC 8.7.2 */
    bool ok = take_all(&o) && plan_all(&o);
    lookup_close(&o.by_name);
    memory_free(o.out);
    return ok;
}

void stripping_free(stripping *s) {
    zipwrite_free(&s->rest);
    zipwrite_free(&s->weights);
    buffer_free(&s->name);
    buffer_free(&s->text);
}
