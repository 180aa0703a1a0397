/*
 * names.h - what stands under which name: the values of a graph, the entries of
 * a dict. Sorted once, then looked up in logarithmic time, whatever the names.
 */
#ifndef COMMON_NAMES_H
#define COMMON_NAMES_H

#include "buffer.h"

/* Texts that are made of an item once, however often it is looked up. */
enum { NAMES_TYPE, NAMES_STRIDES, NAMES_TARGET, NAMES_SAID };

typedef struct name_item {
    ep_bytes name;
    ep_value value;
    const char *kind; /* what the name is, for who wants it; may be NULL */
    size_t count;     /* these two are sums for names_collapse */
    uint64_t bytes;
    uint64_t place; /* in a file, which can be longer than memory */
    struct {
        size_t at, size; /* in the list's texts */
        bool known;
    } said[NAMES_SAID];
} name_item;

typedef struct name_list {
    name_item *items;
    size_t count;
    size_t capacity;
    buffer texts; /* what is said of the items */
    bool failed;  /* for want of memory; sticks */
} name_list;

void names_add(name_list *n, name_item item);

/* Every entry of a dict. Keys that are no part of the input are in the arena. */
void names_add_dict(name_list *n, ep_value dict, const char *kind, ep_arena *arena);

/* By name; of equal ones the one that was added first comes first. */
void names_sort(name_list *n);

/* Makes one of equal names, with the sums; only after names_sort. */
void names_collapse(name_list *n);

/* The order of names_sort. */
bool names_in_order(const name_item *a, const name_item *b);

/* Sorts by any order, stably: whether a may stand before b. */
void names_sort_by(name_list *n, bool (*in_order)(const name_item *a, const name_item *b));

/* The first of a name, NULL if there is none. Only after names_sort. */
name_item *names_find(const name_list *n, ep_bytes name);

/* Keeps a text for an item of the list; what was kept for it, or "", until
 * another is. */
void names_say(name_list *n, name_item *item, int what, ep_bytes text);
ep_bytes names_said(const name_list *n, const name_item *item, int what);

void names_free(name_list *n);

/* Of a program, a list of values that is also a stack. */
typedef struct value_list {
    ep_value *items;
    size_t count;
    size_t capacity;
    bool failed;
} value_list;

void values_push(value_list *v, ep_value value);
void values_free(value_list *v);

/* The text of a string value; "" and *failed for want of memory. */
ep_bytes text_of(ep_value value, ep_arena *arena, bool *failed);

/* The key of an entry of a dict; "" and *failed for want of memory. */
ep_bytes dict_key(ep_value dict, size_t i, ep_arena *arena, bool *failed);

/* Whether a value is of the type of this name. */
bool value_is(ep_value value, const char *type);

/* Through unions, to what they hold. *tag is the innermost union's, or NULL. */
ep_value unwrap(ep_value value, const char **tag);

#endif
