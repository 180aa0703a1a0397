/*
 * run/testee.h - what is run, and what it can do: its command line, its hello, and
 * whether a vector is for it. PROTOCOL.md says what the words mean.
 */
#ifndef EPCONFORM_TESTEE_H
#define EPCONFORM_TESTEE_H

#include "run/process.h"
#include "suite/suite.h"

/* What a testee says of a refusal or of a valid document, as bits. */
enum {
    REPORTS_CODE = 1,
    REPORTS_CLAUSE = 2,
    REPORTS_OFFSET = 4,
    REPORTS_POSITION = 8,
    REPORTS_POINTER = 16,
    REPORTS_SCHEMA = 32,
    REPORTS_WARNINGS = 64
};

/* What a hello says. */
typedef struct traits {
    cJSON *hello;
    const char *name;
    const char *version;
    const char *profile; /* NULL: none */
    unsigned reports;
    int level; /* the part of SPEC.md up to which its check judges */
} traits;

/* Takes a hello apart, which the traits own from then on. False: why. */
bool traits_read(traits *t, cJSON *hello, strbuf *why);
void traits_free(traits *t);

/* Why a vector is not run. */
typedef enum skip {
    SKIP_NONE,
    SKIP_OPERATION,
    SKIP_SCHEMA,
    SKIP_OPTION,
    SKIP_FORM,
    SKIP_LEVEL,
    SKIP_UNSUPPORTED,
    SKIP_TWIN, /* run, but its refusal shows nothing */
    SKIP_COUNT
} skip;

const char *skip_name(skip why);
const char *skip_words(skip why); /* for people */
skip traits_lack(const traits *t, const vector *v);

/* Whether the vector could be asked with this operation in the place of its own. */
bool traits_have(const traits *t, const char *operation, const vector *v);

/* The operation that only reads, where this one reads and writes the same program;
 * NULL for any other. */
const char *operation_reading(const char *name);

/* Whether an operation is known, and has a product; whether that is JSON, and then a list
 * whose spelling is free; and whether it may be, or has to be, asked of two
 * documents. */
bool operation_known(const char *name);
bool operation_has_product(const char *name);
bool operation_has_values(const char *name);
bool operation_has_list(const char *name);
bool operation_has_other(const char *name);
bool operation_needs_other(const char *name);

/* Whether a hello may have this word in its reports. */
bool report_known(const char *name);

/* A testee. */
typedef struct testee {
    char *id;          /* for reports; never NULL */
    char *name;        /* as its folder says; NULL: as its hello does */
    char *description; /* may be NULL, as the others */
    char *link;
    char *expected; /* the file of its expected failures */
    word_list words;
    bool is_command; /* --cmd: a process a document */
    cJSON *hello;    /* of a command: made of options */
    double timeout;  /* in seconds; 0: not said */
} testee;

/* What became of looking for a testee. */
typedef enum finding { FOUND_YES, FOUND_BROKEN, FOUND_NOT_INSTALLED } finding;

/* Reads the folder of a name (or of a path, with a slash) and says what is
 * wrong, or missing and how to install it, on standard error. */
finding testee_find(const places *p, const char *name, testee *t);

/* A testee of a command line. False, and said: there is none in it. */
bool testee_of_words(testee *t, const char *line, bool is_command);

/* Prints the testees and whether they are installed. */
bool testee_list(const places *p);

/* The names of those in a folder, in order. False: errno says why it cannot be read. */
bool testee_names(const char *folder, word_list *names);

void testee_free(testee *t);

#endif
