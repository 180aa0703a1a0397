/*
 * facts.h - what epref inspect says of a program: its interface, state and operators, as text,
 * as JSON and as cells of a row.
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

enum { PARAMETERS, BUFFERS, CONSTANTS, AMOUNTS };

typedef struct facts {
    const ep_program *program;
    ep_bytes member;      /* of the archive; empty where there is none */
    size_t size;          /* bytes of the program */
    const digest *digest; /* NULL: it has none */
    show shown;
    name_list values; /* of the main graph */
    name_list dtypes; /* of the state: count of tensors */
    signature signature;
    amount amounts[AMOUNTS];
    graphs_counts graphs;
    bool failed; /* for want of memory; sticks */
} facts;

/* Reads them of a program, which was decoded from so many bytes; into members from program on.
 * Linear in the program, times the logarithm of its values. */
void facts_read(facts *f, const ep_program *program, size_t size, ep_arena *arena);

/* Whether memory was short while they were read or put. */
bool facts_failed(const facts *f);

/* "123 bytes", "4.7 GB" */
void facts_put_bytes(buffer *b, uint64_t bytes);

/* ", schema 8.20, torch 2.13.0+cpu, ..." */
void facts_put_text(facts *f, buffer *b);

/* So many cells, from schema_version to constants. */
enum { FACTS_CELLS = 11 };
void facts_put_cells(facts *f, buffer *b);

json *facts_object(facts *f);

void facts_free(facts *f);

#endif
