/*
 * diag.h - diagnostics: the line of text, or the JSON object, that says why a
 * file was not taken. On standard error, but for the JSON report of check.
 *
 *     FILE:LINE:COL: error: MESSAGE: DETAIL [EP_CODE, SPEC 3.2.1] at /pointer
 */
#ifndef CLI_DIAG_H
#define CLI_DIAG_H

#include "common/status.h"
#include "json.h"
#include "options.h"

/* A place in a file, as all reports say it: that of an ep_error. NULL, or line 0, is none, of
 * which nothing is put. */
static inline bool place_known(const ep_error *place) {
    return place != NULL && place->line > 0;
}

/* ":LINE:COL" */
void place_put(buffer *b, const ep_error *place);

/* " at /pointer" */
void place_put_pointer(buffer *b, const ep_error *place);

/* The members offset, line, column and pointer, which are null where there is no place. */
void place_add(json *object, const ep_error *place);

/* Tells of a failure with a file, by the name that people know it by, and
 * returns its status. */
status diag_fail(const options *o, ep_bytes file, const failure *what);

/* The same with a name that was put together, and is freed. */
status diag_fail_at(const options *o, buffer *file, const failure *what);

/* Refuses a word of the command line, for a reason that was put together, and is freed. */
status diag_fail_word(const options *o, const char *word, buffer *reason);

/* Tells of what was put together, which is freed. */
void diag_tell(const options *o, buffer *b);

/* The same of any severity: "error", "warning" for what --forward let pass, "note". */
void diag_say(const options *o, const char *severity, ep_bytes file, const failure *what);

/* Puts what is said so, to be told of later. */
void diag_put(buffer *b, const options *o, const char *severity, ep_bytes file,
              const failure *what);

/* Tells that the order of the document decided in a canonical form (SPEC 6.1). */
void diag_undecided(const options *o, ep_bytes file);

/* Tells of what is left out of a product, for a reason that has no code. */
void diag_note_reason(const options *o, ep_bytes file, const char *reason);

/* Tells of a failure to write the product, and returns its status. */
status diag_output(const options *o, const failure *what);

/* Whether a severity ("error", "warning", "note") is that of a refusal. */
bool diag_is_error(const char *severity);

/* The object of a failure, or NULL for want of memory. In a record the keys are always the
 * same. */
json *diag_object(ep_bytes file, const char *severity, const failure *what);
json *diag_record(ep_bytes file, const char *severity, const failure *what);

/* Parts of such a line: "FILE:LINE:COL: ", and "MESSAGE: DETAIL [EP_CODE, SPEC 3.2.1] at ...". */
void diag_put_place(buffer *b, ep_bytes file, const failure *what);
void diag_put_failure(buffer *b, const failure *what);
void diag_put_message(buffer *b, const failure *what); /* "MESSAGE: DETAIL" */

/* The name of the level that a code belongs to, "wire"; NULL: to none. */
const char *diag_level(ep_code code);

#endif
