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
    mutation_of *of; /* or this one, of a value */
    value_filter *fits;
    value_filter *other;
    unsigned once;
} mutation_row;

#define MUTATION(name, weight) {weight, .function = mutation_##name},
#define MUTATION_OF(name, weight, fits, other, once)                                               \
    {weight, NULL, mutation_##name, filter_##fits, filter_##other, once},
static const mutation_row rows[] = {
#include "mutator/mutate.def"
};
#undef MUTATION
#undef MUTATION_OF

/* ------------------------------------------------------------------- memory */

fuzz_mutator *fuzz_mutator_open(mutate_layout layout) {
    fuzz_mutator *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    arena_open(&m->arena, 0);
    m->layout = layout;
    m->table.items = malloc((VALUES_MAX + 1) * sizeof(value));
    m->donor.items = malloc((VALUES_MAX + 1) * sizeof(value));
    while (m->versions < VERSIONS_MAX && ep_version_at(m->versions) != NULL) {
        m->versions++;
    }
    if (m->table.items == NULL || m->donor.items == NULL) {
        fuzz_mutator_close(m);
        return NULL;
    }
    return m;
}

void fuzz_mutator_close(fuzz_mutator *m) {
    if (m == NULL) {
        return;
    }
    ep_arena_free(&m->arena);
    free(m->table.items);
    free(m->donor.items);
    buffer_free(&m->with);
    buffer_free(&m->spare);
    free(m);
}

mutate_layout mutate_layout_of(const char *name) {
    static const char *const names[] = {
        [MUTATE_LAYOUT_PROGRAM] = "program", [MUTATE_LAYOUT_TAIL] = "program+tail",
        [MUTATE_LAYOUT_STRINGS] = "strings", [MUTATE_LAYOUT_CALLS] = "calls",
        [MUTATE_LAYOUT_ARCHIVE] = "archive", [MUTATE_LAYOUT_STATE] = "state"};
    for (size_t i = 0; name != NULL && i < COUNT_OF(names); i++) {
        if (strcmp(name, names[i]) == 0) {
            return (mutate_layout)i;
        }
    }
    return MUTATE_LAYOUT_CALLS;
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
    const value *v = t->items;
    while (v < t->items + t->count && !filter_version(t, v)) {
        v++;
    }
    size_t end = v == t->items + t->count ? 0 : v->end;
    for (size_t at = end == 0 ? 0 : v->begin; at < end && count < 2; at++) {
        bool digit = t->text[at] >= '0' && t->text[at] <= '9';
        if (digit && numbers[count] < 9999) {
            numbers[count] = (numbers[count] < 0 ? 0 : numbers[count] * 10) + (t->text[at] - '0');
        } else if (!digit && numbers[count] >= 0) {
            count++;
        }
    }
    const ep_version *version = ep_version_of_number(numbers[0], numbers[1], true);
    return version == NULL ? draw(m, m->versions) : (size_t)ep_version_number_of(version);
}

static bool look_at(fuzz_mutator *m, value_table *t, const char *text, size_t size) {
    mutate_read(t, text, size);
    const ep_schema *schema =
        mutate_schema(m, mutate_is_config(t) ? m->versions - 1 : mutate_version_of(m, t));
    if (schema != NULL) {
        mutate_type(t, schema);
    }
    return schema != NULL;
}

bool mutate_look(fuzz_mutator *m) {
    return look_at(m, &m->table, m->text, m->size);
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
    for (size_t tries = 0; t->count > 0 && tries < 12; tries++) {
        const value *v = &t->items[draw(m, t->count)];
        if (fits(t, v)) {
            return v;
        }
    }
    size_t first = draw(m, t->count);
    for (size_t i = 0; i < t->count; i++) {
        const value *v = &t->items[(first + i) % t->count];
        if (fits(t, v)) {
            return v;
        }
    }
    return NULL;
}

const value *mutate_part(const value_table *t, const value *v, size_t i) {
    size_t at = number_of(t, v) + 1;
    while (i > 0) {
        at = t->items[at].next;
        i--;
    }
    return &t->items[at];
}

/* ------------------------------------------------------------------- choice */

static const mutation_row *draw_row(fuzz_mutator *m) {
    size_t sum = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        sum += rows[i].weight;
    }
    size_t at = draw(m, sum);
    size_t i = 0;
    while (at >= rows[i].weight) {
        at -= rows[i].weight;
        i++;
    }
    return &rows[i];
}

static bool run(fuzz_mutator *m, const mutation_row *row) {
    buffer_clear(&m->with);
    buffer_clear(&m->spare);
    TRY(mutate_look(m));
    if (m->table.count == 0 || row->of == NULL) {
        return m->table.count == 0 ? mutation_make_program(m) : row->function(m);
    }
    bool other = row->once > 0 && once_in(m, row->once);
    const value *v = mutate_pick(m, &m->table, other ? row->other : row->fits);
    return v != NULL && row->of(m, v);
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

/* The tail of "program+tail", kept while the text before it changes. */
typedef struct text_tail {
    uint8_t bytes[TAIL_MAX + 1]; /* the zero first */
    size_t size;
} text_tail;

static void open_text(fuzz_mutator *m, uint8_t *data, size_t size, size_t max_size,
                      text_tail *tail) {
    const uint8_t *zero = size == 0 ? NULL : memchr(data, 0, size);
    m->text = (char *)data;
    m->size = zero == NULL ? size : (size_t)(zero - data);
    tail->size = size - m->size;
    tail->size = tail->size <= sizeof tail->bytes ? tail->size : sizeof tail->bytes;
    if (tail->size > 0) {
        memcpy(tail->bytes, data + m->size, tail->size);
    }
    m->max = max_size > tail->size ? max_size - tail->size : 0;
}

/* A tail where a layout has one and the input none. */
static void add_tail(fuzz_mutator *m, text_tail *tail) {
    size_t size = 1 + draw(m, TAIL_MAX);
    if (m->layout == MUTATE_LAYOUT_TAIL && tail->size == 0 && m->max - m->size > size &&
        once_in(m, 4)) {
        tail->size = size + 1;
        memset(tail->bytes, 0, sizeof tail->bytes);
    }
}

/* Mostly as it was; sometimes drawn anew, so that a text meets other choices. */
static size_t close_text(fuzz_mutator *m, text_tail *tail) {
    add_tail(m, tail);
    for (size_t i = 1; tail->size > 1 && once_in(m, 4) && i < tail->size; i++) {
        tail->bytes[1 + draw(m, tail->size - 1)] = (uint8_t)draw(m, 256);
    }
    if (tail->size > 0) {
        memcpy(m->text + m->size, tail->bytes, tail->size);
    }
    return m->size + tail->size;
}

static void begin(fuzz_mutator *m, uint32_t seed) {
    m->random.state = seed;
    m->fresh = true;
    buffer_clear(&m->with);
    buffer_clear(&m->spare);
}

size_t fuzz_mutate_program(fuzz_mutator *m, uint8_t *data, size_t size, size_t max_size,
                           uint32_t seed) {
    text_tail tail;
    begin(m, seed);
    open_text(m, data, size, max_size, &tail);
    if (m->size > m->max || !run_some(m)) {
        return 0;
    }
    return close_text(m, &tail);
}

/* ----------------------------------------------------------------- crossover */

size_t fuzz_cross_program(fuzz_mutator *m, mutate_input a, mutate_input b, mutate_room out,
                          uint32_t seed) {
    text_tail tail;
    if (a.size == 0 || a.size > out.size) {
        return 0;
    }
    begin(m, seed);
    memcpy(out.data, a.data, a.size);
    open_text(m, out.data, a.size, out.size, &tail);
    const uint8_t *zero = b.size == 0 ? NULL : memchr(b.data, 0, b.size);
    size_t size = zero == NULL ? b.size : (size_t)(zero - b.data);
    buffer_clear(&m->with);
    bool done =
        mutate_look(m) && look_at(m, &m->donor, (const char *)b.data, size) && mutation_cross(m);
    return done ? close_text(m, &tail) : 0;
}

/* ------------------------------------------------------------------- layouts */

/* The language of a text, by the numbers of fuzz_strings.c; once in four another one. */
static language language_drawn(fuzz_mutator *m, uint8_t number) {
    static const uint8_t languages[] = {
        LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION,
        LANGUAGE_EXPRESSION, LANGUAGE_EXPRESSION, LANGUAGE_TREESPEC,   LANGUAGE_TREESPEC,
        LANGUAGE_GUARD,      LANGUAGE_TARGET,     LANGUAGE_DEVICE,     LANGUAGE_METADATA,
        LANGUAGE_EXPRESSION, LANGUAGE_METADATA,   LANGUAGE_METADATA,   LANGUAGE_METADATA,
        LANGUAGE_METADATA,   LANGUAGE_METADATA,   LANGUAGE_METADATA,   LANGUAGE_METADATA,
        LANGUAGE_METADATA};
    return once_in(m, 4) ? (language)(1 + draw(m, LANGUAGES - 1))
                         : (language)languages[number % sizeof languages];
}

/* "strings": two bytes, then a text. */
static size_t mutate_strings(fuzz_mutator *m, uint8_t *data, size_t size, size_t max_size,
                             uint32_t seed) {
    if (size < 2 || max_size < size) {
        return 0;
    }
    begin(m, seed);
    m->text = (char *)data;
    m->size = size;
    m->max = max_size;
    bool done = once_in(m, 8);
    if (done) { /* another language, depth or version */
        data[draw(m, 2)] = (uint8_t)draw(m, 256);
    }
    for (size_t left = 1 + draw(m, 3); left > 0; left--) {
        language which = language_drawn(m, data[0]);
        buffer_clear(&m->with);
        done |= mutate_change_text(m, (ep_bytes){m->text + 2, m->size - 2}, which) &&
                mutate_put(m, 2, m->size);
    }
    return done ? m->size : 0;
}

size_t fuzz_mutate(fuzz_mutator *m, uint8_t *data, size_t size, size_t max_size, uint32_t seed) {
    switch (m->layout) {
    case MUTATE_LAYOUT_PROGRAM:
    case MUTATE_LAYOUT_TAIL:
        return fuzz_mutate_program(m, data, size, max_size, seed);
    case MUTATE_LAYOUT_STRINGS:
        return mutate_strings(m, data, size, max_size, seed);
    case MUTATE_LAYOUT_ARCHIVE:
    case MUTATE_LAYOUT_STATE:
        return fuzz_mutate_zip(m, data, size, max_size, seed);
    case MUTATE_LAYOUT_CALLS:
        break;
    }
    return 0;
}

size_t fuzz_cross(fuzz_mutator *m, mutate_input a, mutate_input b, mutate_room out, uint32_t seed) {
    bool program = m->layout == MUTATE_LAYOUT_PROGRAM || m->layout == MUTATE_LAYOUT_TAIL;
    bool archive = m->layout == MUTATE_LAYOUT_ARCHIVE || m->layout == MUTATE_LAYOUT_STATE;
    return program   ? fuzz_cross_program(m, a, b, out, seed)
           : archive ? fuzz_cross_zip(m, a, b, out, seed)
                     : 0;
}
