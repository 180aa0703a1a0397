/*
 * report.h - what check and audit found, in the form that other tools collect: SARIF 2.1.0, one
 * document about all files, made behind the last.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "json.h"
#include "options.h"

/* Something that was found in a file. */
typedef struct report_row {
    const char *severity; /* "error", "warning", "note"; of audit "high" and so on */
    const char *code;     /* these are static; NULL: it has none */
    const char *clause;
    const char *title;     /* of all that have the code */
    const char *meaning;   /* likewise, and what to do; NULL: nobody said */
    const ep_error *place; /* NULL, or line 0: none */
    buffer message;        /* report_add frees it */
    ep_bytes text;         /* of the file, that it is about, whole; empty: none */
    bool unread;           /* it says why nothing is known of the file */
    bool of_all;           /* it sums up files that are done with: the name is theirs */
} report_row;

enum { REPORT_CODES = 256 }; /* more than there are codes and findings */

typedef struct report {
    const char *path; /* of the file at hand, as it was given: the caller's */
    json *results;
    json *notices; /* of files that nothing is known of */
    json *rules;
    const char *codes[REPORT_CODES]; /* of the rules */
    size_t code_count;
    bool unread; /* nothing is known of a file */
    bool failed; /* for want of memory; sticks */
} report;

/* An empty one; report_put ends it. */
void report_open(report *r);

/* Adds what was found, in a file or a member of it by the name that people know it by:
 * "model.pt2!models/model.json". */
void report_add(report *r, ep_bytes label, report_row *row);

/* Puts the document and frees the report. Want of memory is the product's. */
void report_put(report *r, buffer *product);

#endif
