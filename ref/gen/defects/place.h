/*
 * place.h - where things stand in the text of a program: every JSON
 * value with its bytes, and with what it was decoded as.
 */
#ifndef GEN_DEFECTS_PLACE_H
#define GEN_DEFECTS_PLACE_H

#include "common/buffer.h"

typedef enum place_form { FORM_OBJECT, FORM_ARRAY, FORM_STRING, FORM_WORD } place_form;

#define NO_PLACE SIZE_MAX

/* A value of the document. */
typedef struct place {
    size_t begin; /* of the value */
    size_t end;
    size_t key; /* the quote of its key; 0: it has none */
    size_t key_end;
    size_t parent; /* by number; NO_PLACE: it stands in nothing */
    size_t index;  /* among what is right in that */
    size_t next;   /* the first place that is not in it */
    size_t count;  /* of what is right in it */
    place_form form;
    bool whole; /* it ends where it should */
    union {
        /* As a program was decoded from it. A member's items, and theirs, have its type and
         * member, too, and say by nest how deep below it they are. */
        struct {
            const char *type;   /* "Node"; NULL: the document itself */
            const char *member; /* "inputs"; NULL: a variant that has no value */
            unsigned nest;
            ep_kind kind; /* EP_KIND_NULL for null */
            ep_value value;
        };
        /* By a schema, which only those say who see it. */
        struct {
            const struct ep_row *row;     /* the member that it, or what it stands in, is of */
            const struct ep_shape *shape; /* NULL: not known */
            uint8_t tag;                  /* of a union: the member that "$type" names */
        };
    };
} place;

/* All of them in the order of the document, the first being the whole. */
typedef struct place_list {
    ep_bytes text;
    const ep_schema *schema; /* of the types */
    place *items;
    size_t count;
    size_t capacity;
} place_list;

/*
 * Reads the first places of a text, at most so many, in place of those that the list has. The
 * text may be broken in any way: then as much is seen as can be. False for want of memory.
 * Linear, without recursion.
 */
bool places_read(place_list *list, ep_bytes text, size_t most);

/* Says of each place what it was decoded as, where the text is that of the program. */
void places_decode(place_list *list, const ep_program *program);

void places_free(place_list *list);

static inline size_t place_number(const place_list *list, const place *p) {
    return (size_t)(p - list->items);
}

/* Where it begins, its key included. */
static inline size_t place_start(const place *p) {
    return p->key != 0 ? p->key : p->begin;
}

/* Whether a place has a key that is so spelled. */
bool place_key_is(const place_list *list, const place *p, const char *name);

#endif
