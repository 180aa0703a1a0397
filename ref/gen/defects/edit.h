/*
 * edit.h - what the defects share. A row of defect.def says where a program is damaged
 * (a pattern, and a filter for what no pattern says), by which edit, and the texts that
 * the edit puts, of which one is drawn.
 *
 * A pattern is words with a blank between, each of them
 *
 *   *                  any value
 *   .                  the whole document
 *   Node               a value of a type
 *   Node.inputs        a member that is not null
 *   Node.inputs[]      an item of it
 *   A.b>C.d            C.d of what stands in A.b, or of an item of that
 *   Node.name:str      of a kind, which may stand alone
 *   Node/name          a Node, of which the edit `member` sets `name`
 *
 * In a text stand OLD, for what was there; FRESH, a number that the program has nowhere;
 * OTHER, for another text that the edit has found; UNION, a union as its version spells it.
 */
#ifndef GEN_DEFECTS_EDIT_H
#define GEN_DEFECTS_EDIT_H

#include "gen/gen.h"
#include "place.h"

#define OLD "%"
#define FRESH "\1"
#define OTHER "\2"
#define UNION(tag, value) "\3" tag "\4" value "\5"
#define CHANGE(what, with) what "\6" with /* for the edit `found` */

typedef struct defect {
    place_list places;
    random_source random;
    const ep_version *version;
    size_t begin; /* what is replaced */
    size_t end;
    buffer with;
    ep_bytes key;   /* of the member that the pattern names */
    ep_bytes other; /* what OTHER stands for */
    bool foreign;   /* a tag was put that the version does not have */
} defect;

typedef bool defect_filter(const defect *d, const place *p);

/* False where the place will not do. */
typedef bool defect_edit(defect *d, const place *p, const char *text);

#define DEFECT(code, versions, where, fits, edit, ...)                                             \
    defect_filter fits_##fits;                                                                     \
    defect_edit edit_##edit;
#include "defect.def"
#undef DEFECT

/* A filter, an edit, and a relation, where one expression says it. */
#define FITS(name, holds)                                                                          \
    bool fits_##name(const defect *d, const place *p) {                                            \
        (void)d, (void)p;                                                                          \
        return holds;                                                                              \
    }
#define EDIT(name, done)                                                                           \
    bool edit_##name(defect *d, const place *p, const char *text) {                                \
        (void)d, (void)p, (void)text;                                                              \
        return done;                                                                               \
    }
#define RELATION(name, holds)                                                                      \
    static bool is_##name(const defect *d, const place *p, const place *to) {                      \
        (void)d, (void)p, (void)to;                                                                \
        return holds;                                                                              \
    }

/* ------------------------------------------------------------------- drawing */

static inline size_t draw(defect *d, size_t n) {
    return random_below(&d->random, n);
}

#define DRAW_FROM(d, array) ((array)[draw(d, COUNT_OF(array))])

/* One of the places of a pattern that fit, each as likely; NULL if none does. */
const place *draw_place(defect *d, const char *where, defect_filter *fits);

/* Likewise of those that are something to a place. */
typedef bool defect_relation(const defect *d, const place *p, const place *to);
const place *draw_related(defect *d, defect_relation *is, const place *to);

/* ------------------------------------------------------------------- looking */

bool is_member(const place *p, const char *type, const char *member);

/* Whether its value is of a type: a Node. */
bool is_of(const place *p, const char *type);

/* Whether it is of a pattern. */
bool is_at(const defect *d, const place *p, const char *where);

/* A member, or an entry, by name; NULL if it is not written, or is null. */
const place *part_of(const defect *d, const place *in, const char *name);

/* What is right in a place, one by one; NULL after the last. */
const place *first_in(const defect *d, const place *in);
const place *next_of(const defect *d, const place *p);
const place *previous_of(const defect *d, const place *p);

/* What it stands in; NULL for the whole. The nearest such of a type. */
const place *outer(const defect *d, const place *p);
const place *owner(const defect *d, const place *p, const char *type);

/* Whether a text is one of some words, which have blanks between. */
bool is_one_of(ep_bytes text, const char *words);

/* The place of the one value of a union; NULL for none. Whether the tag is one of some words. */
const place *tagged(const defect *d, const place *p);
bool has_tag(const place *p, const char *tags);

/* The bytes of a value; what stands between its quotes; a key between its. */
ep_bytes bytes_at(const defect *d, const place *p);
ep_bytes text_at(const defect *d, const place *p);
ep_bytes key_at(const defect *d, const place *p);

bool same_bytes(ep_bytes a, ep_bytes b);

/* ------------------------------------------------------------------ versions */

/* Whether the program's version is one of [since, until) by name; NULL is open. */
bool version_within(const ep_version *version, const char *since, const char *until);

/* The number of a type by name, which holds for nothing if the version has none. */
size_t schema_type(const ep_schema *schema, ep_bytes type);

/* A member of a type of a version; false if there is none. */
bool find_member(const ep_schema *schema, size_t type, ep_bytes name, ep_member_info *info,
                 size_t *number);

/* ------------------------------------------------------------------- editing */

/* Puts a text for bytes; `old` is what OLD stands for. True. */
bool replace(defect *d, size_t begin, size_t end, const char *text, ep_bytes old);

/* For the text between quotes; for a key between its. */
bool replace_text(defect *d, const place *p, const char *text, ep_bytes old);
bool replace_key(defect *d, const place *p, const char *text);

/* Puts the text of a drawn place that is something to this one, as OTHER; false without any. */
bool rename_to(defect *d, const place *p, const char *text, defect_relation *is);

/* More of what is put. */
void put(defect *d, const char *text);
void put_bytes(defect *d, ep_bytes bytes);
void put_text(defect *d, const char *text, ep_bytes old);

#endif
