/*
 * builder_play.h - a program in the making, as the target builder plays it: the
 * bytes that calls are drawn from, the handles that were made so far, and what
 * each call said. builder_calls.c makes any call with anything that its types
 * allow.
 */
#ifndef FUZZ_BUILDER_PLAY_H
#define FUZZ_BUILDER_PLAY_H

#include "epref_builder.h"

/* PLAY_WEIGHT bounds the text of a program: a handle may stand in several places,
 * and those that hold it again, so that few calls could say a text of any size. */
enum {
    PLAY_CALLS = 256,
    PLAY_POOL = 64,
    PLAY_GRAPHS = 16,
    PLAY_ITEMS = 8,
    PLAY_SLOTS = 32,
    PLAY_TEXT = 40,
    PLAY_HANDLE_WEIGHT = 256,
    PLAY_WEIGHT = 4096
};

/* Handles of one kind, the last ones of them, and how large each is. */
typedef struct play_pool {
    const void *items[PLAY_POOL];
    size_t weights[PLAY_POOL];
    size_t count; /* that were ever made */
} play_pool;

/* What calls asked for that a product has to have. */
typedef struct play_asked {
    struct {
        char name[PLAY_TEXT];
        int64_t hint;
        bool several; /* hints were given */
    } symbols[PLAY_POOL];
    size_t symbol_count;
    struct {
        ep_input_kind kind;
        char name[PLAY_TEXT];
    } inputs[PLAY_POOL];
    size_t input_count;
    bool incomplete; /* there was more than that */
    bool specs;      /* the version has input specs ... */
    bool persistent; /* ... and tells buffers apart */
} play_asked;

typedef struct play {
    ep_builder *b;
    play_asked asked;
    const uint8_t *data;
    size_t size;
    size_t at;
    bool stops;    /* makes no call after one that failed */
    bool failed;   /* a call said false or NULL */
    bool unstuck;  /* ... and a later one did not */
    size_t calls;  /* so far */
    size_t most;   /* calls that are made */
    size_t good;   /* calls before one failed */
    size_t weight; /* of what stands in the program */
    size_t names;  /* fresh ones, so far */
    play_pool exprs;
    play_pool values;
    play_pool args;
    play_pool trees;
    ep_built_graph *graphs[PLAY_GRAPHS];
    size_t graph_weights[PLAY_GRAPHS];
    size_t graph_count;
    char slots[PLAY_SLOTS][PLAY_TEXT]; /* texts of the call that is being made */
    size_t slot;
} play;

/* A handle that was drawn, NULL too. */
typedef struct play_pick {
    const void *item;
    size_t weight;
} play_pick;

/* The next byte; zero when there are no more. */
uint8_t play_byte(play *p);
size_t play_below(play *p, size_t n);
bool play_ended(const play *p);

int64_t play_int(play *p);
double play_float(play *p);

/* A text of the table or of the input; NULL, rarely. */
const char *play_text(play *p);

/* The same with its size, which may hold any byte but zero. */
ep_bytes play_bytes(play *p);

/* "t7": a text that no other call got. */
const char *play_fresh(play *p, char letter);

/* Whether another call may be made. */
bool play_goes_on(const play *p);

/* Notes what a call said, and says it. */
bool play_said(play *p, bool ok);

/* Notes a handle that a call gave, and keeps it to be drawn. Returns it. */
const void *play_made(play *p, play_pool *pool, const void *item, size_t weight);

/* One of the handles that are kept; NULL when there is none, and rarely else. */
play_pick play_draw(play *p, const play_pool *pool);

/* Whether a program has room for so much more, which is then in it. */
bool play_takes(play *p, size_t weight);

/* Makes a call of any kind, with anything. */
void play_any_call(play *p);

/* Makes a program that ep_check accepts: weights and a constant as what says, and expressions of
 * expressions. */
void play_valid(play *p, uint8_t what);

/* Notes the hint of a symbol, and what an input was said to be. */
void play_ask_symbol(play *p, const char *name, int64_t hint);
void play_ask_input(play *p, ep_input_kind kind, const char *name);

/* A few handles of each kind, to begin with. */
void play_begin_with(play *p);

/* Properties: a product has what was asked for: hints are what expressions come to, inputs
 * what they were said to be. */
void play_expect_asked(const play_asked *asked, const ep_program *product);

#endif
