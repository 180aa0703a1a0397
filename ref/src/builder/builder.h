/*
 * builder/builder.h - the state of a builder. The public calls of the section
 * "building" make nodes of the typed tree at once. Lists that are still growing are
 * stacks. The few nodes above them are made at the end. A difference between versions
 * is a row of a table here, or a member that the version lacks.
 */
#ifndef EP_BUILDER_H
#define EP_BUILDER_H

#include "base/error.h"
#include "epref_builder.h"
#include "tree/maker.h"

/* A dict that grows. */
typedef struct ep_growing_dict {
    ep_stack keys;
    ep_stack values;
} ep_growing_dict;

struct ep_built_expr {
    uint8_t kind;  /* ep_kind */
    uint8_t level; /* precedence in the infix form */
    uint8_t op;    /* ep_sym_op, or EP_NO_OP of a leaf */
    bool hinted;   /* hint is known; of a bool it is 0 or 1 */
    bool constant; /* an integer, its value is hint */
    int64_t hint;
    ep_bytes text;      /* as the version spells it */
    ep_bytes arguments; /* srepr: what stands between the parentheses */
    ep_bytes symbol;    /* the name, of a symbol alone */
};

enum { EP_NO_OP = 0xFF };

struct ep_built_value {
    uint8_t kind;          /* the tag of Argument that it is passed under: ep_field */
    ep_ref name;           /* in the maker's text */
    const ep_node *object; /* of a custom object: its CustomObjArgument */
    const struct ep_built_graph *graph;
};

struct ep_built_graph {
    ep_node *node; /* the Graph, complete only once it is closed */
    ep_stack inputs;
    ep_stack outputs;
    ep_stack nodes;
    ep_growing_dict tensors;
    ep_growing_dict sym_ints;
    ep_growing_dict sym_bools;
    ep_growing_dict sym_floats;
    ep_growing_dict objects;
    bool closed;
    struct ep_built_graph *next; /* of the builder's, to be freed */
};

struct ep_built_tree {
    ep_bytes text; /* without the protocol */
};

struct ep_builder {
    ep_arena *arena;
    ep_maker maker;
    const ep_version *version;
    ep_version_number number;
    ep_growing scratch; /* for texts that are put together */
    ep_built_graph *root;
    ep_built_graph *graphs; /* all of them */
    ep_stack input_specs;   /* InputSpec; of version 1 the names of user inputs */
    ep_stack output_specs;  /* likewise */
    ep_stack input_names;   /* for forward_arg_names, when they are not said */
    ep_growing_dict parameters;
    ep_growing_dict buffers;
    ep_growing_dict mutations;
    ep_growing_dict parameter_gradients;
    ep_growing_dict input_gradients;
    ep_growing_dict ranges;
    ep_growing_dict opsets;
    ep_stack equal_dims;
    ep_stack verifiers;
    ep_stack guards;
    ep_stack modules;
    ep_node *root_call; /* ModuleCallSignature, or CallSpec of version 1 */
    uint64_t loss;      /* of version 1 */
    uint64_t torch_version;
    bool has_loss;
    bool has_torch_version;
    size_t user_inputs;
    size_t user_outputs;
    bool finished;
    char detail[EP_DETAIL_SIZE]; /* of the first failure, which the maker keeps */
};

/* A row of a table whose rows hold in some versions. */
static inline bool ep_builder_between(const ep_builder *builder, ep_version_number since,
                                      ep_version_number until) {
    return since <= builder->number && builder->number < until;
}

/* Records a mistake of the caller, or something that the version cannot express: a
 * static text, and its object, which may be NULL. Always false. */
bool ep_builder_refuse(ep_builder *builder, const char *what, const char *about);

/* Whether building may go on: nothing has failed, and it is not finished. */
bool ep_builder_goes_on(ep_builder *builder);

/* Whether a handle is not NULL. A NULL that follows no failure is a mistake. */
bool ep_builder_given(ep_builder *builder, const void *handle);

/* Whether an array is valid; it may be NULL when it is empty. */
bool ep_builder_given_array(ep_builder *builder, const void *items, size_t count);

/* Refuses a member that the version does not have. */
bool ep_builder_needs(ep_builder *builder, ep_field field, const char *what);

void *ep_builder_alloc(ep_builder *builder, size_t size);
bool ep_builder_push(ep_builder *builder, ep_stack *stack, uint64_t word);
void ep_growing_dict_init(ep_growing_dict *dict, ep_arena *arena);
void ep_growing_dict_free(ep_growing_dict *dict);
bool ep_builder_add(ep_builder *builder, ep_growing_dict *dict, uint64_t key, uint64_t value);

/* A string of the tree; NULL is a mistake. */
bool ep_builder_string(ep_builder *builder, const char *text, uint64_t *bits);

/* A text put together from parts, in the arena. */
bool ep_builder_join(ep_builder *builder, const ep_bytes *parts, size_t count, ep_bytes *text);

/* Sets a field that is a string. */
bool ep_builder_set_string(ep_builder *builder, ep_node *node, ep_field field, const char *text);

/* The argument under a tag; NULL, and what failed recorded. */
const ep_built_arg *ep_builder_argument(ep_builder *builder, ep_field tag, uint64_t bits);

/* A list, dict, struct or union into bits. */
bool ep_builder_list(ep_builder *builder, const ep_stack *items, uint64_t *bits);
bool ep_builder_dict(ep_builder *builder, const ep_growing_dict *dict, uint64_t *bits);
bool ep_builder_union(ep_builder *builder, ep_shape_number type, ep_field tag, uint64_t value,
                      uint64_t *bits);

static inline const ep_node *ep_argument_node(const ep_built_arg *arg) {
    return (const ep_node *)(const void *)arg;
}

/* SymInt, SymFloat or SymBool of an expression (builder/expression.c). */
bool ep_builder_symbolic(ep_builder *builder, const ep_built_expr *expr, uint64_t *bits);

/* Makes the Graph's node whole; or only gives its lists back (builder/graph.c). */
bool ep_builder_close_graph(ep_builder *builder, ep_built_graph *graph);
void ep_builder_free_graph(ep_built_graph *graph);

/* The GraphSignature, and the call of the root (builder/signature.c,
 * builder/module.c). */
bool ep_builder_signature(ep_builder *builder, uint64_t *bits);
bool ep_builder_calls(ep_builder *builder, ep_node *graph_module);

#endif
