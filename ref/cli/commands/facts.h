/*
 * facts.h - what `epref inspect` tells of a program, and how it says it, in a line and in
 * JSON.
 */
#ifndef CLI_COMMANDS_FACTS_H
#define CLI_COMMANDS_FACTS_H

#include "cli/json.h"
#include "cli/show/graphs.h"
#include "cli/show/show.h"
#include "cli/show/signature.h"
#include "common/digest.h"

/* Tensors of the state of one kind. */
typedef struct amount {
    size_t count;
    uint64_t elements; /* as their types say; at most UINT64_MAX, as bytes */
    uint64_t bytes;
} amount;

typedef struct facts {
    const ep_program *program;
    ep_bytes member;      /* of the archive; empty where there is none */
    size_t size;          /* bytes of the program */
    const digest *digest; /* NULL: it has none */
    show shown;
    name_list values; /* of the main graph */
    name_list dtypes; /* of the state: count of tensors */
    signature signature;
    amount parameters;
    amount buffers;
    amount constants;
    graphs_counts graphs;
    bool failed; /* for want of memory; sticks */
} facts;

/* Reads them of a program, which was decoded from so many bytes; into members from program
 * on. facts_free in any case. Linear in the program, times the logarithm of its values. */
void facts_read(facts *f, const ep_program *program, size_t size, ep_arena *arena);
void facts_free(facts *f);

/* ", schema 8.20, torch 2.13.0+cpu, ..." */
void facts_put_text(facts *f, buffer *b);

/* "123 bytes", "4.7 GB" */
void facts_put_bytes(buffer *b, uint64_t bytes);

/* An object; NULL for want of memory. */
json *facts_object(facts *f);

#endif
