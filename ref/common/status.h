/*
 * status.h - how a run of epref ends. The numbers are the exit statuses of
 * epref(1).
 */
#ifndef COMMON_STATUS_H
#define COMMON_STATUS_H

#include "epref.h"

typedef enum status {
    STATUS_DONE = 0,
    STATUS_INVALID = 1,
    STATUS_USAGE = 2,
    STATUS_IO = 3,
    STATUS_LIMIT = 4,
    STATUS_INTERNAL = 70
} status;

/* The numbers are in the order of gravity: of many files the worst counts. */
static inline status status_worse(status a, status b) {
    return a > b ? a : b;
}

/* The status that a refusal of the library stands for: what is not the
 * document's failure (SPEC 1.5.6) is not told as one. */
static inline status status_of_code(ep_code code) {
    if (code == EP_OK) {
        return STATUS_DONE;
    }
    if (code == EP_INTERNAL) {
        return STATUS_INTERNAL;
    }
    if (code == EP_OUTPUT || code == EP_INPUT) {
        return STATUS_IO;
    }
    bool refused = EP_MIGRATE_FIELD <= code && code <= EP_TORCH_CYCLE;
    bool judged = ep_code_level(code) != EP_LEVEL_NONE || code == EP_ARGUMENT || refused;
    return judged ? STATUS_INVALID : STATUS_LIMIT;
}

/*
 * Why a file was not taken: an error of the library, or a reason of the
 * system's. reason is static or belongs to the C library; NULL where error
 * says it.
 */
typedef struct failure {
    status status;
    ep_error error;
    const char *reason;
    const char *deviation; /* "D-47": what reason says is in appendix C, and error has its place; or
                              NULL. Static */
    const char *version;   /* the schema version that has the rule, where it is not the file's; or
                              NULL. Static */
} failure;

#endif
