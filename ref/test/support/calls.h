/*
 * calls.h - what the commands of epref ask of the library, call by call, each
 * told in one way: the verdict, the error, a sum over all that it gave. Tests
 * that refuse memory, count work or measure the stack make the same calls.
 */
#ifndef EP_TEST_CALLS_H
#define EP_TEST_CALLS_H

#include "epref.h"
#include "support.h"

typedef enum call_id {
    CALL_WIRE,        /* check --level=wire */
    CALL_DECODE,      /* every command that reads */
    CALL_FORWARD,     /* --forward, with somebody who hears the warnings */
    CALL_CHECK,       /* check, with notes */
    CALL_STRINGS,     /* check --level=strings */
    CALL_AUDIT,       /* audit */
    CALL_ENCODE,      /* encode */
    CALL_SIGNATURE,   /* show, canon: each part of it, and each text */
    CALL_GRAPH,       /* the program's own graph: each node and tensor */
    CALL_SCHEMA,      /* schema: every type of the program's version */
    CALL_MIGRATE,     /* migrate --to the version that is asked for */
    CALL_CANON,       /* canon, digest */
    CALL_CANON_TORCH, /* canon --form=torch */
    CALL_DIFF,        /* diff with the other program */
    CALL_DIFF_ITSELF, /* diff --provenance with itself */
    CALLS
} call_id;

/* "check"; static storage. */
const char *call_name(call_id id);

/* Whether a call is about a decoded program, not about a text. */
bool call_needs_program(call_id id);

typedef struct call_input {
    ep_bytes text;
    const ep_program *program; /* of calls that need one */
    const ep_program *other;   /* of CALL_DIFF, and its text */
    ep_bytes other_text;
    const ep_version *to; /* of CALL_MIGRATE */
    size_t depth;         /* the limit; 0: the default */
} call_input;

/* What a call gave. The sum is over the product and all that was heard on the
 * way; it says nothing of addresses. */
typedef struct call_result {
    bool ok;
    ep_error error;
    uint64_t sum;
    size_t written;   /* bytes that the sink took */
    size_t told;      /* bytes of texts that were told of findings and differences */
    bool prefix;      /* they are those that the text begins with */
    bool about_other; /* the error is in the text of the other program */
    ep_bytes made;    /* the text that was built, in the arena */
} call_result;

/* A program and what it lives in. */
typedef struct held_program {
    test_heap heap;
    ep_arena arena;
    test_text text;
    const ep_program *program;
} held_program;

/* Decodes the text that is there; false, and program NULL, when it cannot be. */
bool held_decode(held_program *held);

/* Gives everything back, and empties it. Returns whether nothing was left. */
bool held_release(held_program *held);

/* Makes the call with nothing but memory of the arena. */
void call_run(call_id id, const call_input *input, ep_arena *arena, call_result *result);

/* Whether an error is whole: a code that is known, texts that end and are
 * UTF-8, and a place inside the text that it is about. Zeroed, if ok. */
bool call_error_is_whole(const call_input *input, const call_result *result);

#endif
