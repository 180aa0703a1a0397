/*
 * edit.h - what the defects share: drawing a place, finding others
 * around it, and the one edit. A defect is a function of defect.def in one of
 * the files beside: it chooses bytes and puts others for them, or says why it cannot.
 */
#ifndef GEN_DEFECTS_EDIT_H
#define GEN_DEFECTS_EDIT_H

#include "gen/gen.h"
#include "place.h"

typedef struct defect {
    place_list places;
    gen_random random;
    const ep_version *version;
    const ep_schema *schema;
    size_t begin; /* what is replaced */
    size_t end;
    buffer with;
    const char *after; /* put behind `with`, too; NULL: nothing */
    const char *why;   /* there is no place for it */
} defect;

typedef bool defect_function(defect *d);

#define DEFECT(code, function, since, until) defect_function function;
#include "defect.def"
#undef DEFECT

/* ------------------------------------------------------------------- drawing */

static inline size_t draw(defect *d, size_t n) {
    return gen_below(&d->random, n);
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* One of some texts, or numbers. */
#define DRAW_FROM(d, array) ((array)[draw(d, COUNT_OF(array))])

/* Says that there is no place for the defect. */
bool no_place(defect *d, const char *why);

/* Tries some ways to do it, beginning with any of them. */
bool try_ways(defect *d, defect_function *const *ways, size_t count);
#define TRY_WAYS(d, ways) try_ways(d, ways, COUNT_OF(ways))

typedef bool place_filter(const defect *d, const place *p, const void *context);

/* One of the places that fit, each as likely; NULL if none does. */
const place *draw_place(defect *d, place_filter *fits, const void *context);

/* A member by its type and name: its value, that is no null; an item of it. */
const place *draw_member(defect *d, const char *type, const char *member);
const place *draw_item(defect *d, const char *type, const char *member);

/* The same of any of some members; rows end with a NULL type. */
typedef struct member_row {
    const char *type;
    const char *member;
} member_row;

const place *draw_of(defect *d, const member_row *rows);

/* ------------------------------------------------------------------- looking */

bool is_member(const place *p, const char *type, const char *member);
bool is_any_member(const place *p, const member_row *rows);

/* Whether its value is of a type: a Node. */
bool is_of(const place *p, const char *type);

/* A member, or an entry, by name; NULL if it is not written, or is null. */
const place *part_of(const defect *d, const place *in, const char *name);

/* What is right in a place, one by one; NULL after the last. */
const place *first_in(const defect *d, const place *in);
const place *next_of(const defect *d, const place *p);
const place *previous_of(const defect *d, const place *p);

/* What it stands in; NULL for the whole. The nearest such of a type. */
const place *outer(const defect *d, const place *p);
const place *owner(const defect *d, const place *p, const char *type);

/* The place of the one value of a union; NULL for none. */
const place *tagged(const defect *d, const place *p);
bool has_tag(const place *p, const char *tag);

/* The bytes of a value; what stands between its quotes; a key between its. */
ep_bytes bytes_at(const defect *d, const place *p);
ep_bytes text_at(const defect *d, const place *p);
ep_bytes key_at(const defect *d, const place *p);

bool same_bytes(ep_bytes a, ep_bytes b);

/* Where a text begins in another, from a place on; the size if nowhere. */
size_t find_bytes(ep_bytes in, size_t from, const char *what);

/* The program's own graph. */
const place *root_graph(const defect *d);

/* ------------------------------------------------------------------ versions */

/* Whether the program's version is one of [since, until) by name; NULL is open. */
bool version_within(const ep_version *version, const char *since, const char *until);
bool within(const defect *d, const char *since, const char *until);

/* Whether the program's version has a member of a type. */
bool version_has(const defect *d, const char *type, const char *member);

/* The types of the program's version: the number of one by name, which holds
 * for nothing if there is none; and whether a member is optional. */
size_t schema_type(const ep_schema *schema, const char *type);
bool is_optional(const defect *d, const char *type, const char *member);

/* ------------------------------------------------------------------- editing */

/* Puts what comes for bytes, for a value, for a text between its quotes. */
bool replace_bytes(defect *d, size_t begin, size_t end, const char *with);
bool replace(defect *d, const place *p, const char *with);
bool replace_text(defect *d, const place *p, const char *with);

/* One of the occurrences of a text within a value; false if there is none. */
bool replace_found(defect *d, const place *p, const char *what, const char *with);

/* Inserts into a list, dict or object, somewhere; what is put then is the item,
 * or the member with its key. */
bool insert_into(defect *d, const place *list);
bool insert_behind(defect *d, const place *list);
bool insert_member(defect *d, const place *object, const char *key);

/* Takes an item or a member away, with its comma. */
bool remove_part(defect *d, const place *p);

void put(defect *d, const char *text);
void put_bytes(defect *d, ep_bytes bytes);
void put_quoted(defect *d, ep_bytes text);
void put_number(defect *d, int64_t number);

/* A template with the bytes where it has '%'. */
void put_template(defect *d, const char *template, ep_bytes bytes);

/* A name that stands nowhere in the program: letters and a number. */
void put_fresh(defect *d, const char *letters);

/* A union as its version writes it, around the value that is put between. */
void put_union(defect *d, const char *type, const char *tag);
void put_union_end(defect *d, const char *type, const char *tag);

/* The same with a value at once. */
void put_variant(defect *d, const char *type, const char *tag, const char *value);

/* An Argument that names a value. */
void put_value(defect *d, const char *tag, ep_bytes name);

#endif
