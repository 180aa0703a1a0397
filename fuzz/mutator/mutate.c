/*
 * mutator/mutate.c - the mutator: its memory, the table of mutations, and which are
 * done. mutate_read.c knows where things are, mutate_make.c and mutate_text.c
 * make new ones, and the mutations themselves are in mutate_tree.c (by types),
 * mutate_scalar.c, mutate_wire.c (the text) and mutate_whole.c.
 */
#include "mutator/mutate_work.h"

#include <stdlib.h>
#include <string.h>

typedef struct mutation_row {
    unsigned weight;
    mutation *function;
    value_filter *fits;
    value_filter *other;
    unsigned once;
} mutation_row;

#define MUTATION(name, weight, fits, other, once)                                                  \
    {weight, mutation_##name, filter_##fits, filter_##other, once},
static const mutation_row rows[] = {
#include "mutator/mutate.def"
};
#undef MUTATION

/* ------------------------------------------------------------------- memory */

fuzz_mutator *fuzz_mutator_open(mutate_layout layout) {
    fuzz_mutator *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    arena_open(&m->arena, 0);
    m->layout = layout;
    while (m->versions < VERSIONS_MAX && ep_version_at(m->versions) != NULL) {
        m->versions++;
    }
    return m;
}

void fuzz_mutator_close(fuzz_mutator *m) {
    if (m == NULL) {
        return;
    }
    ep_arena_free(&m->arena);
    places_free(&m->table);
    places_free(&m->donor);
    buffer_free(&m->with);
    buffer_free(&m->spare);
    free(m);
}

mutate_layout mutate_layout_of(const char *name) {
    static const char *const names[] = {"program", "program+tail", "strings",
                                        "calls",   "archive",      "state"};
    size_t i = 0;
    while (i < COUNT_OF(names) && (name == NULL || strcmp(name, names[i]) != 0)) {
        i++;
    }
    return i < COUNT_OF(names) ? (mutate_layout)i : MUTATE_LAYOUT_CALLS;
}

fuzz_mutator *fuzz_mutator_of_environment(const char *layout) {
    const char *kind = getenv("EPREF_FUZZ_MUTATOR");
    const char *named = getenv("EPREF_FUZZ_LAYOUT");
    bool bytes = kind != NULL && strcmp(kind, "bytes") == 0;
    return bytes ? NULL : fuzz_mutator_open(mutate_layout_of(named != NULL ? named : layout));
}

bool fuzz_mutator_has_archives(const fuzz_mutator *m) {
    return m->layout == MUTATE_LAYOUT_ARCHIVE || m->layout == MUTATE_LAYOUT_STATE;
}

const ep_schema *mutate_schema(fuzz_mutator *m, size_t version) {
    if (m->schemas[version] == NULL) {
        m->schemas[version] = ep_schema_make(&m->arena, ep_version_at(version));
    }
    return m->schemas[version];
}

/* ----------------------------------------------------------------- versions */

/* By the first two numbers behind its key, or one. */
size_t mutate_version_of(fuzz_mutator *m, const value_table *t) {
    int32_t numbers[] = {-1, -1};
    size_t count = 0;
    size_t i = 0;
    while (i < t->count && !filter_version(t, &t->items[i])) {
        i++;
    }
    for (size_t at = i < t->count ? t->items[i].begin : t->text.size;
         at < t->text.size && count < 2; at++) {
        char c = t->text.data[at];
        if (c >= '0' && c <= '9' && numbers[count] < 9999) {
            numbers[count] = (numbers[count] < 0 ? 0 : numbers[count] * 10) + (c - '0');
        } else {
            count += numbers[count] >= 0;
        }
        at = at + 1 == t->items[i].end ? t->text.size : at;
    }
    const ep_version *version = ep_version_of_number(numbers[0], numbers[1], true);
    return version == NULL ? draw(m, m->versions) : (size_t)ep_version_number_of(version);
}

static bool look_at(fuzz_mutator *m, value_table *t, ep_bytes text) {
    TRY(places_read(t, text, VALUES_MAX));
    const ep_schema *schema =
        mutate_schema(m, mutate_is_config(t) ? m->versions - 1 : mutate_version_of(m, t));
    if (schema != NULL) {
        mutate_type(t, schema);
    }
    return schema != NULL;
}

bool mutate_look(fuzz_mutator *m) {
    return look_at(m, &m->table, (ep_bytes){m->text, m->size});
}

/* ------------------------------------------------------------------ editing */

bool mutate_put(fuzz_mutator *m, size_t begin, size_t end) {
    size_t kept = m->size - (end - begin);
    size_t more = m->with.size;
    bool same =
        more == end - begin && (more == 0 || memcmp(m->text + begin, m->with.data, more) == 0);
    TRY(!m->with.failed && !same && kept + more != 0 && kept + more <= m->max);
    memmove(m->text + begin + more, m->text + end, m->size - end);
    if (more > 0) {
        memcpy(m->text + begin, m->with.data, more);
    }
    m->size = kept + more;
    return true;
}

/* A few draws, then the first that fits from a drawn one on. */
const value *mutate_pick(fuzz_mutator *m, const value_table *t, value_filter *fits) {
    enum { DRAWS = 12 };
    size_t at = 0;
    for (size_t tries = 0; tries < t->count + DRAWS; tries++) {
        at = tries <= DRAWS ? draw(m, t->count) : at + 1 < t->count ? at + 1 : 0;
        if (t->count > 0 && fits(t, &t->items[at])) {
            return &t->items[at];
        }
    }
    return NULL;
}

const value *mutate_part(const value_table *t, const value *v, size_t i) {
    size_t at = place_number(t, v) + 1;
    while (i > 0) {
        at = t->items[at].next;
        i--;
    }
    return &t->items[at];
}

/* ------------------------------------------------------------------- choice */

static void begin(fuzz_mutator *m, const mutate_job *job) {
    m->random.state = job->seed;
    m->fresh = true;
    m->text = (char *)job->data;
    m->size = job->size;
    m->max = job->max;
}

static const mutation_row *draw_row(fuzz_mutator *m) {
    enum { WEIGHT_MAX = 18 };
    const mutation_row *row;
    do {
        row = &DRAW_FROM(m, rows);
    } while (draw(m, WEIGHT_MAX) >= row->weight);
    return row;
}

static bool run(fuzz_mutator *m, const mutation_row *row) {
    buffer_clear(&m->with);
    buffer_clear(&m->spare);
    TRY(mutate_look(m));
    if (m->table.count == 0) {
        return mutation_make_program(m, NULL);
    }
    bool other = row->once > 0 && once_in(m, row->once);
    const value *v = mutate_pick(m, &m->table, other ? row->other : row->fits);
    return v != NULL && row->function(m, v);
}

/* Some mutations, each tried until one can be done. */
static bool run_some(fuzz_mutator *m) {
    static const uint8_t stacked[] = {1, 1, 1, 1, 2, 2, 3, 4};
    size_t wanted = DRAW_FROM(m, stacked);
    size_t done = 0;
    for (size_t tries = 0; done < wanted && tries < wanted + 4; tries++) {
        done += run(m, draw_row(m));
        m->fresh = done == 0;
    }
    return done > 0;
}

/* ------------------------------------------------------------ text and tail */

enum { TAIL_MAX = 16 };

static size_t text_size(const void *data, size_t size) {
    const char *zero = size == 0 ? NULL : memchr(data, 0, size);
    return zero == NULL ? size : (size_t)(zero - (const char *)data);
}

/* The donor is read as far as its tail. */
static bool cross(fuzz_mutator *m, ep_bytes donor) {
    bool done = false;
    donor.size = text_size(donor.data, donor.size);
    TRY(mutate_look(m) && look_at(m, &m->donor, donor));
    for (size_t tries = 0; !done && tries < 4; tries++) {
        buffer_clear(&m->with);
        done = mutate_splice(m, &m->donor, mutate_pick(m, &m->table, filter_typed));
    }
    return done;
}

/* The tail of "program+tail" is put aside, while the text before it changes: it is kept
 * mostly as it was, and sometimes drawn anew, so that a text meets other choices. A layout that
 * has one gets it where the input has none. */
size_t fuzz_mutate_program(fuzz_mutator *m, const mutate_job *job) {
    uint8_t tail[TAIL_MAX + 1] = {0}; /* the zero first */
    begin(m, job);
    m->size = text_size(job->data, job->size);
    size_t size = job->size - m->size < sizeof tail ? job->size - m->size : sizeof tail;
    memcpy(tail, job->data + m->size, size);
    m->max = job->max > size ? job->max - size : 0;
    TRY(m->size <= m->max && (job->donor.data != NULL ? cross(m, job->donor) : run_some(m)));
    size_t more = 2 + draw(m, TAIL_MAX);
    if (m->layout == MUTATE_LAYOUT_TAIL && size == 0 && m->max - m->size >= more && once_in(m, 4)) {
        size = more;
    }
    for (size_t i = 1; size > 1 && once_in(m, 4) && i < size; i++) {
        tail[1 + draw(m, size - 1)] = (uint8_t)draw(m, 256);
    }
    memcpy(job->data + m->size, tail, size);
    return m->size + size;
}

/* ------------------------------------------------------------------- layouts */

/* The language of a text, by the numbers of fuzz_strings.c, of which the others are metadata;
 * once in four another one. */
static language language_drawn(fuzz_mutator *m, uint8_t number) {
    static const uint8_t languages[21] = {
        LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION,
        LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION, LANGUAGE_TREESPEC,   LANGUAGE_TREESPEC,
        LANGUAGE_GUARD,      LANGUAGE_TARGET,     LANGUAGE_DEVICE,     LANGUAGE_METADATA,
        LANGUAGE_EXPRESSION};
    language which = (language)languages[number % sizeof languages];
    which = which == LANGUAGE_NONE ? LANGUAGE_METADATA : which;
    return once_in(m, 4) ? (language)(1 + draw(m, LANGUAGES - 1)) : which;
}

/* "strings": two bytes, then a text. */
static size_t mutate_strings(fuzz_mutator *m, const mutate_job *job) {
    TRY(job->size >= 2 && job->donor.data == NULL);
    begin(m, job);
    bool done = once_in(m, 8);
    if (done) { /* another language, depth or version */
        job->data[draw(m, 2)] = (uint8_t)draw(m, 256);
    }
    for (size_t left = 1 + draw(m, 3); left > 0; left--) {
        language which = language_drawn(m, job->data[0]);
        buffer_clear(&m->with);
        done |= mutate_change_text(m, (ep_bytes){m->text + 2, m->size - 2}, which) &&
                mutate_put(m, 2, m->size);
    }
    return done ? m->size : 0;
}

size_t fuzz_mutate(fuzz_mutator *m, const mutate_job *job) {
    TRY(job->size <= job->max);
    switch (m->layout) {
    case MUTATE_LAYOUT_PROGRAM:
    case MUTATE_LAYOUT_TAIL:
        return fuzz_mutate_program(m, job);
    case MUTATE_LAYOUT_STRINGS:
        return mutate_strings(m, job);
    case MUTATE_LAYOUT_ARCHIVE:
    case MUTATE_LAYOUT_STATE:
        return fuzz_mutate_zip(m, job);
    case MUTATE_LAYOUT_CALLS:
        break;
    }
    return 0;
}
