/*
 * place.h - where things stand in the text of a program: every JSON
 * value with its bytes, and with what it was decoded as.
 */
#ifndef GEN_DEFECTS_PLACE_H
#define GEN_DEFECTS_PLACE_H

#include "common/buffer.h"

/* A value of the document. A member's items, and theirs, have its type and
 * member, too, and say by nest how deep below it they are. */
typedef struct place {
    size_t begin; /* of the value */
    size_t end;
    size_t key;         /* the quote of its key; 0: it has none */
    size_t parent;      /* by number */
    size_t next;        /* the first place that is not in it */
    size_t count;       /* of what is right in it */
    const char *type;   /* "Node"; NULL: the document itself */
    const char *member; /* "inputs"; NULL: a variant that has no value */
    unsigned nest;
    ep_kind kind; /* EP_KIND_NULL for null */
    ep_value value;
} place;

/* All of them in the order of the document, the first being the whole. */
typedef struct place_list {
    ep_bytes text;
    place *items;
    size_t count;
    size_t capacity;
} place_list;

/* False for want of memory. To be freed in any case. */
bool places_read(place_list *list, ep_bytes text, const ep_program *program);

void places_free(place_list *list);

#endif
