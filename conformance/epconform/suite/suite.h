/*
 * suite/suite.h - the suite: the vectors of its manifests, which of them are chosen,
 * and where everything is.
 */
#ifndef EPCONFORM_SUITE_H
#define EPCONFORM_SUITE_H

#include "suite/vector_bytes.h"
#include "text/arguments.h"
#include "text/strbuf.h"

/* Where things are. Options come first, then the environment, then what is installed with
 * this program, then the tree that it was built from. */
typedef struct places {
    const char *suite;   /* suite.jsonl; NULL: that of home */
    const char *corpora; /* the unpacked corpora; NULL: the default */
    const char *home;    /* the folder conformance/ */
    const char *testees; /* the parent folder of installed testees */
    word_list manifests; /* instead of the suite, unless empty */
    char *installed;     /* what two of these point to, where it is installed */
    char *installed_corpora;
} places;

/* What the environment says (EPREF_CORPORA, EPREF_CONFORMANCE, EPREF_TESTEES), else what
 * is there. */
places places_default(void);
void places_free(places *p);

/* The folder of this program. */
char *places_of_program(void);

typedef struct suite {
    vector_list *lists;
    size_t list_count;
    vector *vectors; /* in the order of the manifests */
    size_t count;
    vector_index index;
    char sha256[65]; /* of the manifests, one after the other */
    bool whole;      /* not manifests that somebody chose */
} suite;

/* Reads the suite; false, and said on standard error, when it cannot be, or
 * holds no vector, or two of one id. */
bool suite_read(const places *p, suite *s);
void suite_free(suite *s);

/* The vector of an id; NULL if there is none. */
const vector *suite_find(const suite *s, const char *id);

/* A line of JSON Lines to a reader of lines; false, and why, if it is wrong. */
typedef bool suite_line(void *context, const cJSON *line, strbuf *why);

/* Hands the lines of a file over; false, and said, when it cannot be read. */
bool suite_each_line(const char *path, suite_line *take, void *context);

/* Which vectors: those that fit any of the filters, if there are any, that are of
 * the shard, and that want the verdict. */
typedef struct selection {
    word_list filters; /* globs */
    size_t shard;      /* 1 .. shards */
    size_t shards;
    const char *verdict; /* as manifests say it; NULL: any */
} selection;

/* By the id alone, which need not be one of the suite. */
bool selection_takes(const selection *s, const char *id);

/* By all that it says. */
bool selection_has(const selection *s, const vector *v);

/* "valid", "invalid" or "either" to the verdict of a selection, and "2/8" to its shard and
 * shards. NULL, or what is wanted. */
argument_take selection_verdict;
argument_take selection_shard;

/* The options of commands that read a suite. */
#define PLACES_ARGUMENTS(p)                                                                        \
    {.name = "--suite", .value = &(p).suite}, {.name = "--corpora", .value = &(p).corpora}, {      \
        .name = "--manifest", .list = &(p).manifests                                               \
    }

/* Whether a text fits a glob, in which * stands for any characters. */
bool glob_fits(const char *glob, const char *text);

#endif
