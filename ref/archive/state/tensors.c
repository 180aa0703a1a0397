/*
 * tensors.c - see tensors.h. Which members hold the state of which program is a matter of
 * their names; what they say is read in tensors_raw.c and tensors_pickled.c.
 */
#include "agree.h"
#include "tensors_parts.h"

#include <string.h>

#include "common/memory.h"
#include "common/refusal.h"

/* The member "R/folder/NAMEend"; NULL where there is none, or memory is short. */
static const zipfile_member *find_part(tensors_reading *r, const char *folder, const char *end) {
    return tensors_find(r, folder, r->t->programs[r->program].name, end);
}

/* The member of the flat layout that the version of the program has, from a major number
 * on: `.json`, and pickled from 5 on. SPEC 8.2.2 */
static const zipfile_member *find_judged(tensors_reading *r, const char *start, int since) {
    const char *end = r->version->major < 5 ? "json" : "pt";
    return r->version->major < since ? NULL : tensors_find(r, start, (ep_bytes){"", 0}, end);
}

/* Whether a loader finds the part under a name: `.pt` behind the start, or `.json` where
 * versions before 5 have the part. */
static bool is_flat_part(ep_bytes name, const char *start, int since) {
    TRY(bytes_start(name, start));
    ep_bytes end = {name.data + strlen(start), name.size - strlen(start)};
    return bytes_equal(end, "pt") || (since < 5 && bytes_equal(end, "json"));
}

/* The last member of the flat layout that has the part: loaders take that. An archive that
 * is judged has no other than its version. */
static const zipfile_member *find_flat(tensors_reading *r, const char *start, int since) {
    const zipfile_member *found = NULL;
    if (r->wish->read != NULL) {
        return find_judged(r, start, since);
    }
    for (size_t i = 0; i < r->a->zip.count; i++) {
        const zipfile_member *m = &r->a->zip.members[i];
        found = is_flat_part(m->name, start, since) ? m : found;
    }
    return found;
}

/* ------------------------------------------------------------------------------ program */

static bool read_part(tensors_reading *r, tensor_part part, const zipfile_member *pickle,
                      const zipfile_member *config) {
    r->part = part;
    if (r->t->texts.failed) {
        return tensors_refuse_memory(r);
    }
    /* a pickle wins over a config */
    bool ok = pickle != NULL   ? tensors_read_pickle(r, pickle)
              : config != NULL ? tensors_read_config(r, config)
                               : true;
    return ok && (r->wish->read == NULL || agree_whole_part(r));
}

static bool read_parts(tensors_reading *r) {
    if (r->a->root.size == 0) {
        return read_part(r, TENSOR_WEIGHTS, find_flat(r, "serialized_state_dict.", 1), NULL) &&
               read_part(r, TENSOR_CONSTANTS, find_flat(r, "serialized_constants.", 2), NULL) &&
               read_part(r, TENSOR_INPUTS, find_flat(r, "serialized_example_inputs.", 5), NULL);
    }
    return read_part(r, TENSOR_WEIGHTS, find_part(r, "data/weights/", ".pt"),
                     find_part(r, "data/weights/", "_weights_config.json")) &&
           read_part(r, TENSOR_CONSTANTS, find_part(r, "data/constants/", ".pt"),
                     find_part(r, "data/constants/", "_constants_config.json")) &&
           read_part(r, TENSOR_INPUTS, find_part(r, "data/sample_inputs/", ".pt"), NULL);
}

static bool read_program(tensors_reading *r) {
    const zipfile_member *m = r->t->programs[r->program].member;
    const ep_program *program = r->wish->decoded.program;
    bool decoded = r->wish->decoded.member == m;
    buffer text = {0};
    ep_arena arena;
    arena_open(&arena, 0);
    r->t->blamed = m;
    bool ok = decoded || tensors_load(r, m, &text);
    if (ok && !decoded) {
        ok = ep_decode(&arena, buffer_bytes(&text), r->wish->decoding, &program, &r->what->error);
        r->what->status = status_of_code(r->what->error.code);
    }
    ok = ok && tensors_open_program(r, program, &arena) && read_parts(r);
    tensors_close_program(r);
    ep_arena_free(&arena);
    buffer_free(&text);
    return ok;
}

/* ------------------------------------------------------------------------------ archive */

static bool find_programs(tensors_reading *r) {
    ep_bytes name;
    if (r->a->program == NULL) {
        return true; /* SPEC 8.9 */
    }
    if (r->a->root.size == 0) {
        return tensors_add_program(r, r->a->program, (ep_bytes){"", 0});
    }
    for (size_t i = 0; i < r->a->zip.count; i++) {
        const zipfile_member *m = &r->a->zip.members[i];
        bool wanted = archive_is_program(m->name, &name) &&
                      (r->wish->model == NULL || bytes_equal(name, r->wish->model));
        TRY(!wanted || tensors_add_program(r, m, name));
    }
    return true;
}

static bool prepare(tensors_reading *r) {
    size_t count = r->a->zip.count;
    r->raw = tensors_make_places(count);
    r->first = tensors_make_places(count);
    bool open = lookup_open(&r->by_name, r->a);
    return (open && r->raw != NULL && r->first != NULL) || tensors_refuse_memory(r);
}

/* SPEC 8.7.1 */
static bool check_not_stripped(tensors_reading *r) {
    const zipfile_member *m = archive_stripped(r->a);
    return m == NULL || tensors_refuse(r, EP_ARCHIVE_PART, m, archive_why_stripped);
}

bool tensors_read(const archive *a, const tensors_wish *wish, tensors *t, failure *what) {
    tensors_reading r = {.a = a, .wish = wish, .t = t, .what = what};
    *t = (tensors){.blamed = NULL};
    bool ok = check_not_stripped(&r) && prepare(&r) && find_programs(&r);
    for (r.program = 0; ok && r.program < t->program_count; r.program++) {
        ok = read_program(&r);
    }
    lookup_close(&r.by_name);
    memory_free(r.raw);
    memory_free(r.first);
    return ok;
}
