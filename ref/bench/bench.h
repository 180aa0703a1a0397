/*
 * bench.h - what the benchmark's programs share.
 *
 * Each program measures one peer: it fills a bench_peer with the peer's own
 * calls and hands it to bench_main, which reads the file, repeats the
 * operation, measures it and prints one line of JSON. Neither the reading of
 * the file nor the freeing of the result is part of an operation.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero bytes that follow every input: simdjson reads beyond the end, and
 * RapidJSON is fastest on a text that ends in a zero. */
enum { BENCH_PADDING = 64 };

typedef struct bench_text {
    const char *data;
    size_t size; /* bytes, without the padding */
} bench_text;

/* What an encoder made; owner is whatever the peer needs to free it. */
typedef struct bench_output {
    void *owner;
    const char *data;
    size_t size; /* bytes */
} bench_output;

typedef struct bench_peer {
    const char *name;
    const char *version;

    /* From text to a tree of its own memory; NULL when it is refused. */
    void *(*decode)(bench_text input);
    void (*drop_tree)(void *tree);

    /* From the tree to text. room is the input's size, for a peer that wants
     * to be told how much to expect. NULL: the peer has no encoder. */
    bool (*encode)(void *tree, size_t room, bench_output *output);
    void (*drop_output)(bench_output *output);

    /* Judges the tree above its types. NULL: the peer has no such thing. */
    bool (*check)(void *tree);

    /* Puts the tree into its canonical form. NULL: the peer has no such thing. */
    bool (*canon)(void *tree);

    /* The most bytes that the last operation's arena held, as the peer itself
     * counts; NULL where there is no such thing. */
    size_t (*arena_peak)(void);

    /* The encoder promises the input's own bytes; any others are a failure. */
    bool same_bytes;
} bench_peer;

/* Does what the command line asks for; returns the exit status. */
int bench_main(int argc, char **argv, const bench_peer *peer);

/*
 * Heap accounting (bench_heap.c). From start to stop, every block that the
 * process takes or gives back counts, with the size that the allocator really
 * gave. stop returns the highest sum, or BENCH_HEAP_UNKNOWN where the C library
 * offers no way to count.
 */
#define BENCH_HEAP_UNKNOWN ((size_t)-1)
void bench_heap_start(void);
size_t bench_heap_stop(void);

/* Makes the allocator keep what it has: no repetition after the first pays the
 * kernel for fresh pages, and every peer finds the same warm heap. */
void bench_heap_keep(void);

#ifdef __cplusplus
}
#endif

#endif
