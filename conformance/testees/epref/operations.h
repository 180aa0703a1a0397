/*
 * operations.h - what the reference does with a document, by the name of the
 * operation.
 */
#ifndef EPREF_TESTEE_OPERATIONS_H
#define EPREF_TESTEE_OPERATIONS_H

#include "archive/layout/archive.h"
#include "epref_archive.h"

enum { WARNINGS_MAX = 128, CONSTANTS_MAX = 64 };

typedef struct extra_name {
    char text[24];
} extra_name;

/* What a request asks for beside the document. */
typedef struct request {
    ep_decode_options options;
    size_t memory;        /* the arena's cap, 0: none */
    const ep_version *to; /* to migrate to */
    ep_canon_options canon;
    ep_bytes constants[CONSTANTS_MAX];
    const char *model;  /* of an archive, NULL: the only one */
    ep_bytes other;     /* the second document */
    bool provenance;    /* to compare what the canonical form leaves out, too */
    bool raw;           /* to make members of bytes of pickled tensors */
    bool all;           /* the digest of all contents */
    bool weights;       /* of what strip makes the archive with the tensors */
    const char *tensor; /* to extract; NULL: all of them */
    const char *member; /* or a member */
    ep_archive_file as;
    ep_archive_extra *extras; /* to pack */
    size_t extra_count;
    extra_name *names; /* of extras that are only counted */
    ep_bytes inputs;
    const char *folder;
} request;

/* What became of it. */
typedef struct finding {
    bool valid;
    ep_error error;
    const char *fault;   /* the library contradicts itself: how; NULL: it does not */
    const char *unsaid;  /* what the interface has no words for; NULL: it has for all */
    const char *version; /* that the document was decoded as; NULL at the wire level */
    buffer product;
    ep_error warnings[WARNINGS_MAX];
    size_t warning_count;
} finding;

/* What is done with a document, or with an archive once it is open. */
typedef void run_document(const request *r, ep_arena *arena, ep_bytes input, finding *out);
typedef bool run_opened(const request *r, ep_archive *a, finding *out, ep_error *error);

typedef struct operation {
    const char *name;
    bool has_product;
    bool forward;       /* reads forward (SPEC 3.10) */
    run_document *run;  /* NULL: */
    run_opened *opened; /* this is */
} operation;

/* All of them; the last one has no name. */
extern const operation OPERATIONS[];

/* An ep_warn whose context is a finding. */
void note_warning(void *context, const ep_error *error);

/* Takes bytes into a product, which is the context. */
bool append_product(void *context, const char *data, size_t size);

/* The program of a document; NULL when it was refused, or is one of a fault. */
const ep_program *decode(const request *r, ep_arena *arena, ep_bytes input, finding *out);

/* An archive of one program. */
typedef struct packed {
    io_data data;
    archive archive;
    bool is_open;
    buffer program;
} packed;

/* Opens it, reads the program, and compares what is beside it with its checksums. False: it is
 * refused. It is to be closed in any case. */
bool read_archive(const request *r, ep_bytes input, packed *one, finding *out);
void close_archive(packed *one);

/* SPEC 8.1 */
bool is_archive(ep_bytes input);

#endif
