/*
 * gen.h - a synthetic program: what epref gen writes. A generator draws inputs
 * and then nodes, one operator at a time, from the tensors that are there, and
 * knows of each its shape, so that PyTorch can run what it
 * makes. The same numbers give the same program on every machine.
 */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include "common/macros.h"
#include "common/random.h"
#include "epref_builder.h"

typedef struct gen_options {
    const ep_version *version;
    uint64_t seed;
    size_t nodes;
    bool plain; /* only what PyTorch can be asked to run: tensors in, tensors out */
} gen_options;

/*
 * Builds a program with all of its memory from scratch, and its text into
 * another arena. False: *error says why; anything but want of memory and the
 * limits is a bug.
 */
bool gen_program(const gen_options *options, ep_arena *scratch, ep_arena *arena, ep_bytes *text,
                 ep_error *error);

/* -------------------------------------------------------------------- shapes */

enum { GEN_RANK_MAX = 4, GEN_SYMBOLS = 2 };

/* a * symbol + b; a constant while a is 0. */
typedef struct gen_dim {
    int64_t a;
    int64_t b;
    uint8_t symbol;
} gen_dim;

typedef enum gen_dtype {
    GEN_FLOAT,
    GEN_DOUBLE,
    GEN_LONG,
    GEN_BOOL,
    GEN_COMPLEX,
    GEN_DTYPES
} gen_dtype;

typedef struct gen_shape {
    gen_dtype dtype;
    size_t rank;
    gen_dim dims[GEN_RANK_MAX];
    int64_t limit; /* of integers that are indices: all are below; 0: who knows */
} gen_shape;

typedef struct gen_tensor {
    gen_shape shape;
    const ep_built_value *value; /* NULL: none */
    bool used;
} gen_tensor;

typedef struct gen_sym {
    const ep_built_value *value;
    gen_dim dim;
} gen_sym;

static inline gen_dim gen_constant(int64_t number) {
    return (gen_dim){0, number, 0};
}

bool gen_dim_equal(gen_dim x, gen_dim y);
const char *gen_dtype_name(gen_dtype dtype);

gen_dim gen_dim_times(gen_dim x, int64_t factor);

/* A product of which not both are symbolic; false if they are. */
bool gen_dim_product(gen_dim x, gen_dim y, gen_dim *product);

/* The strides of a contiguous tensor; false if a product of symbols is among them. */
bool gen_shape_strides(const gen_shape *shape, gen_dim *strides);

bool gen_shape_equal(const gen_shape *x, const gen_shape *y); /* dtype and sizes */

/* Takes a dimension away. */
void gen_shape_drop(gen_shape *shape, size_t dim);

/* Whether it has few enough elements to go on with. */
bool gen_shape_small(const gen_shape *shape);

/* ----------------------------------------------------------------- generator */

enum { GEN_RECENT = 48, GEN_FIXED = 32, GEN_SYMS = 16, GEN_NAME_SIZE = 256, GEN_INPUTS = 8 };

/* A symbol of the inputs' sizes. */
typedef struct gen_symbol {
    const ep_built_expr *expr; /* NULL: not used */
    int64_t hint;
    bool dynamic;
} gen_symbol;

/* A parameter, buffer or constant. */
typedef struct gen_weight {
    gen_tensor tensor;
    char name[GEN_NAME_SIZE];
    ep_input_kind kind;
} gen_weight;

typedef struct generator {
    gen_options options;
    ep_builder *builder;
    ep_built_graph *graph; /* the one that grows: the program's, or a subgraph */
    random_source random;
    gen_symbol symbols[GEN_SYMBOLS];
    int64_t width;
    bool functional; /* the verifier is ATEN: nothing is written in place */
    gen_weight weights[GEN_FIXED];
    size_t weight_count;
    gen_tensor inputs[GEN_INPUTS];
    char input_names[GEN_INPUTS][GEN_NAME_SIZE];
    size_t input_count;
    gen_tensor recent[GEN_RECENT]; /* a ring */
    size_t recent_count;           /* that were ever put */
    gen_sym syms[GEN_SYMS];        /* a ring */
    size_t sym_count;
    const ep_built_value *token;       /* the last effect token; NULL: none */
    const ep_built_value *first_token; /* the input */
    gen_tensor mutated;                /* what a buffer or input becomes */
    ep_output_kind mutation;
    const char *mutation_target;
    const ep_built_arg *module_input; /* of a node that stands for a module's call */
    const ep_built_arg *module_output;
    const ep_built_value *object; /* an input of a class that is not there; NULL: none */
    const ep_built_value *truth;  /* a SymBool that nothing asserts yet; NULL: none */
    const ep_built_value *real;   /* a SymFloat that nothing takes yet; NULL: none */
    size_t *counters;             /* of names, by operator */
    size_t getitems;
    size_t subgraphs;
    size_t nodes; /* in the program's own graph, so far */
    size_t line;  /* of the source that there would be */
} generator;

/* A value of the graph with a tensor's shape; NULL when building failed. A parameter requires
 * a gradient, in the versions whose releases say so. */
const ep_built_value *gen_make_tensor(generator *g, const char *name, const gen_shape *shape,
                                      bool parameter);

const ep_built_expr *gen_expr(generator *g, gen_dim dim);

/* What the generator goes on from. */
void gen_put(generator *g, gen_tensor tensor);
void gen_put_sym(generator *g, gen_sym sym);

/* How many of the recent tensors are held. */
size_t gen_held(const generator *g);

/* Draws a tensor that a function takes, of a context; NULL if few would do. */
typedef bool gen_wanted(const gen_shape *shape, const void *context);
gen_tensor *gen_pick(generator *g, gen_wanted *wanted, const void *context);

/* As printf, into GEN_NAME_SIZE bytes. */
void gen_print(char *text, const char *format, ...);

/* "add", "add_1" for a base, counted by operator. The name. */
const char *gen_name(char *name, const char *base, size_t count);

/* Adds a node of a drawn row of gen.def to the program's graph (operator.c). */
void gen_operator(generator *g);

/* Adds a node with this target's metadata. */
void gen_node(generator *g, ep_node_info *info, const char *base, size_t count);

/* The same with one output. */
void gen_node_of(generator *g, ep_node_info *info, const char *base, const ep_built_value *value);

/* Inputs, and at the end outputs and the signature (signature.c). */
void gen_inputs(generator *g);
void gen_outputs(generator *g);

#endif
