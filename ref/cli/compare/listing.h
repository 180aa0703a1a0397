/*
 * listing.h - a program as epref show prints it, line by line, taken apart for who
 * compares it: texts, types, and names of values, subgraphs and symbols, each name with
 * a number in place of its text.
 */
#ifndef CLI_COMPARE_LISTING_H
#define CLI_COMPARE_LISTING_H

#include "cli/show/show.h"

#define LISTING_NONE UINT32_MAX

typedef enum listing_token_kind {
    TOKEN_TEXT,
    TOKEN_VALUE, /* %x */
    TOKEN_GRAPH, /* @true_graph_0 */
    TOKEN_SYMBOL /* s0 */
} listing_token_kind;

typedef struct listing_token {
    uint64_t hash;  /* of the text, of a name with its graph */
    size_t at;      /* in the listing's words */
    uint32_t size;  /* of the text */
    uint32_t graph; /* in which the name is looked up: a number; 0: the main one */
    uint32_t name;  /* the number of the name */
    uint8_t kind;   /* listing_token_kind */
    bool in_type;
    bool defines; /* a value: here it gets its value */
} listing_token;

/* What has to be equal for two lines to be matched. Types never have to. */
typedef enum listing_key {
    KEY_EXACT,  /* all of it */
    KEY_SHAPE,  /* all but names */
    KEY_SUBJECT /* what it is about: the operator, the parameter */
} listing_key;

enum { LISTING_KEYS = KEY_SUBJECT + 1 };

typedef struct listing_row {
    size_t at; /* its line in the listing's text, with marks */
    size_t size;
    size_t first; /* of its tokens */
    size_t count;
    size_t number; /* the line of epref show, were lines not broken; from 1 */
    size_t offset; /* of its node in the file, or of the last node before it; 0: there is none */
    uint64_t keys[LISTING_KEYS];
    uint32_t owner; /* the row of the node that has the subgraph it is in, or none */
    uint16_t indent;
    uint8_t part; /* show_part */
    uint8_t kind; /* show_kind */
} listing_row;

/* A value, a subgraph or a symbol. */
typedef struct listing_name {
    uint32_t token;    /* that defines it, or mentions it first */
    uint32_t row;      /* that the token is in */
    size_t type;       /* of a value: the first token of its type, ... */
    size_t type_count; /* ... and how many there are */
} listing_name;

typedef struct listing {
    const ep_program *program;
    buffer text;
    buffer words; /* the texts of tokens */
    listing_token *tokens;
    size_t token_count;
    size_t token_capacity;
    listing_row *rows;
    size_t row_count;
    size_t row_capacity;
    listing_name *names;
    size_t name_count;
    size_t parts[SHOW_PARTS + 1]; /* the first row of each section */
    bool failed;                  /* for want of memory; sticks */
} listing;

ep_bytes listing_line(const listing *l, const listing_row *row);
ep_bytes listing_word(const listing *l, const listing_token *token);

/* The row of the innermost node of the listing that a JSON pointer leads into, or none. */
uint32_t listing_row_at(const listing *l, const char *pointer);

/* What a JSON pointer of so many bytes leads to; the null value, if to nothing. */
ep_value listing_value_at(const listing *l, ep_bytes pointer, ep_arena *scratch);

void listing_free(listing *l);

#endif
