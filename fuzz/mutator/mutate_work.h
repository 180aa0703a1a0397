/*
 * mutator/mutate_work.h - what the parts of the mutator share: the table of a text's
 * values with their types, the one edit, and making text. All of it is judged
 * by nobody: what comes out may be as broken as it likes, as long as it fits.
 */
#ifndef FUZZ_MUTATE_WORK_H
#define FUZZ_MUTATE_WORK_H

#include "gen/defects/place.h"
#include "mutator/mutate.h"
#include "schema/schema.h"

/* ---------------------------------------------------------------- the table */

enum { VALUES_MAX = 1 << 14 };

/* A JSON value of a text, typed by a schema. Its parts follow it. */
typedef place value;
typedef place_list value_table;

/* The languages that strings are in. */
typedef enum language {
    LANGUAGE_NONE,
    LANGUAGE_EXPRESSION,
    LANGUAGE_TREESPEC,
    LANGUAGE_METADATA,
    LANGUAGE_TARGET,
    LANGUAGE_GUARD,
    LANGUAGE_DEVICE,
    LANGUAGES
} language;

/* Whether a text is a payload config, and no program. */
bool mutate_is_config(const value_table *table);

/* Gives the values the types of a schema. */
void mutate_type(value_table *table, const ep_schema *schema);

language mutate_language(const value *v);

static inline bool has_op(const value *v, ep_op op) {
    return v->shape != NULL && v->shape->op == op;
}

/* ------------------------------------------------------------- the mutator */

enum { VERSIONS_MAX = 64 };

struct fuzz_mutator {
    mutate_layout layout;
    ep_arena arena; /* of the schemas, for as long as the mutator lives */
    const ep_schema *schemas[VERSIONS_MAX];
    size_t versions;
    value_table table; /* of the text at hand */
    value_table donor; /* of another one, for a crossover */
    random_source random;
    char *text;
    size_t size;
    size_t max;
    bool fresh;   /* nothing has been done to it yet */
    buffer with;  /* what is put for something */
    buffer spare; /* room for one more text */
};

static inline size_t draw(fuzz_mutator *m, size_t n) {
    return random_below(&m->random, n);
}

static inline bool once_in(fuzz_mutator *m, size_t n) {
    return random_one_in(&m->random, n);
}

#define DRAW_FROM(m, array) ((array)[draw(m, COUNT_OF(array))])

/* The view of the i-th version; NULL for want of memory. */
const ep_schema *mutate_schema(fuzz_mutator *m, size_t version);

/* The version that a text says it is of, or one that is drawn. */
size_t mutate_version_of(fuzz_mutator *m, const value_table *table);

/* Reads the text at hand again, and types it. False for want of memory. */
bool mutate_look(fuzz_mutator *m);

/* Puts m->with for some bytes of the text; false, and nothing done, where the
 * result is too long, or empty, or the same. */
bool mutate_put(fuzz_mutator *m, size_t begin, size_t end);

/* Likewise for a value. */
static inline bool mutate_put_value(fuzz_mutator *m, const value *v) {
    return mutate_put(m, v->begin, v->end);
}

/* Writes the number of a version for that of the text; false if it has none. */
bool mutate_renumber(fuzz_mutator *m, const ep_version *version);

/* ------------------------------------------------------------------ drawing */

typedef bool value_filter(const value_table *t, const value *v);

/* A filter that one expression says: FILTER(bool filter_NAME, ...). */
#define FILTER(declared, holds)                                                                    \
    declared(const value_table *t, const value *v) {                                               \
        (void)t;                                                                                   \
        return holds;                                                                              \
    }

/* One of the values of the text that fit; NULL if none does. */
const value *mutate_pick(fuzz_mutator *m, const value_table *t, value_filter *fits);

/* The i-th part of a value. */
const value *mutate_part(const value_table *t, const value *v, size_t i);

/* ------------------------------------------------------------------- making */

/* What is to be made, and how deep it stands in what is being made. */
typedef struct making {
    const ep_schema *schema;
    const ep_shape *shape;
    const ep_row *row;
    unsigned depth;
} making;

/* Puts a small value of a type, with drawn contents. */
void mutate_make(fuzz_mutator *m, buffer *b, making wish);

/* Puts the key of a member, with its colon. */
static inline void mutate_make_key(buffer *b, const ep_row *row) {
    buffer_put(b, row->literal, row->literal_size);
}

/* Puts a string that is a name: one of those in the text, or another. */
void mutate_make_name(fuzz_mutator *m, buffer *b);

/* Puts any JSON value, of no type. */
void mutate_make_any(fuzz_mutator *m, buffer *b);

/* Puts a text of a language, as it stands in JSON between quotes. */
void mutate_make_text(fuzz_mutator *m, buffer *b, language which);

/* Changes a text of a language into m->with; false where it has nothing to
 * change. The text may be one of JSON, with its escapes, or a bare one. */
bool mutate_change_text(fuzz_mutator *m, ep_bytes text, language which);

/* ---------------------------------------------------------------- mutations */

/* A value of a table for one of its type in the text; false, and NULL is none to change, where
 * there is none. */
bool mutate_splice(fuzz_mutator *m, const value_table *t, const value *v);

typedef bool mutation(fuzz_mutator *m, const value *v);

#define MUTATION(name, weight, fits, other, once)                                                  \
    mutation mutation_##name;                                                                      \
    value_filter filter_##fits, filter_##other;
#include "mutator/mutate.def"
#undef MUTATION

#endif
