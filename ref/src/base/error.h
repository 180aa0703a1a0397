/*
 * base/error.h - failures. Inside the library a failure is a fault: a code, a byte and
 * a few static names, cheap to make and to discard. The public ep_error, with line,
 * column, pointer and detail, is made of it once, where the library returns to its
 * caller.
 */
#ifndef EP_ERROR_H
#define EP_ERROR_H

#include "base/locate.h"

typedef struct ep_fault {
    ep_code code;
    size_t offset;
    ep_place place;       /* what the offset is of */
    const char *type;     /* where: "TensorMeta" ... */
    const char *member;   /* ... ".dtype" */
    const char *expected; /* what should have been there */
    ep_bytes name;        /* the object of the fault, as bytes of the input */
    const char *since;    /* the versions that have it: from this one ... */
    const char *until;    /* ... to before this one; NULL: no such end */
} ep_fault;

/* What is wrong where an argument is NULL. */
#define EP_NULL_GIVEN "a NULL where none may be"

/* Records the fault; always false, so that it can be returned. */
bool ep_fault_set(ep_fault *fault, ep_code code, size_t offset);

/* Fills a caller's error from a fault in an input; error may be NULL. */
void ep_error_fill(ep_error *error, ep_bytes input, const ep_fault *fault);

/* The receiver of warnings and notes, which refuse nothing. Each has to be located,
 * which takes time; their number is therefore bounded. */
typedef struct ep_listener {
    ep_warn *warn; /* may be NULL */
    void *context;
    size_t told;
    size_t walked; /* bytes gone over to locate them */
} ep_listener;

void ep_tell(ep_listener *listener, ep_bytes input, const ep_fault *fault);

/* Fills a caller's error that has no place in an input. Always false. */
bool ep_error_plain(ep_error *error, ep_code code);

/* The same of EP_ARGUMENT, with what is wrong. Always false. */
bool ep_error_argument(ep_error *error, const char *what);

/* For a call that takes a whole program: something is NULL, unless all was given, and the
 * program is one that forward reading left something out of. Always false. */
bool ep_error_unusable(ep_error *error, bool given);

/* Zeroes a caller's error, which means success. */
void ep_error_clear(ep_error *error);

#endif
