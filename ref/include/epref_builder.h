/*
 * epref_builder.h - the part of libepref's public interface that makes programs from C, at
 * any schema version.
 *
 * What is said here is said in the terms of the latest version, and written as the builder's
 * version has it: specs become the dictionaries of version 1, expressions are spelled as its
 * releases spell them, unions, hints and open ends take their form. What only records where
 * something came from, and the version has no place for, is left out; anything else that it
 * cannot say is EP_ARGUMENT.
 *
 * The first failure sticks. Calls then return false or NULL, NULL handles are
 * passed over in silence, and ep_builder_finish tells of it; so a caller may
 * look only there. Texts are copied, and have to be UTF-8. Handles and the
 * builder live as long as its arena. Each call costs time and memory linear in
 * what it is given, unless it says otherwise.
 *
 * ep_builder_finish is called once for each builder, also when nothing is to
 * come of it: it gives back memory that the arena does not.
 *
 * Memory, errors, threads, NULL and compatibility are as in epref.h.
 */
#ifndef EPREF_BUILDER_H
#define EPREF_BUILDER_H

#include "epref.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------- programs */

typedef struct ep_builder ep_builder;
typedef struct ep_built_graph ep_built_graph; /* a graph or subgraph */
typedef struct ep_built_value ep_built_value; /* a value of one graph */
typedef struct ep_built_arg ep_built_arg;     /* an Argument */
typedef struct ep_built_tree ep_built_tree;   /* a tree spec, or a part of one */

/*
 * A builder whose memory comes from the arena, which is not used for anything
 * else until ep_builder_finish. Returns NULL and sets error for want of memory:
 * EP_MEMORY.
 */
EP_API ep_builder *ep_builder_open(ep_arena *arena, const ep_version *version, ep_error *error);

/* Whether the builder's version has a type, and a member of it; member may be
 * NULL. ep_builder_has(b, "OutputSpec", "token") */
EP_API bool ep_builder_has(const ep_builder *builder, const char *type, const char *member);

/* How far ep_builder_finish goes, each in addition to those before it. */
typedef enum ep_build_goal {
    EP_BUILD_TEXT,    /* write the text */
    EP_BUILD_PROGRAM, /* decode it */
    EP_BUILD_CHECKED  /* judge it with ep_check */
} ep_build_goal;

/*
 * Ends a program and writes it into another arena, which may be the builder's
 * own; what is built lives as long as that arena. Nothing may be built after
 * it. False: what failed first while building, with what was wrong in
 * error->detail; EP_MEMORY; or the judgement of ep_decode or ep_check, with
 * its place in built->text, which is then there. Linear in the text.
 */
EP_API bool ep_builder_finish(ep_builder *builder, ep_arena *arena, ep_build_goal goal,
                              ep_built *built, ep_error *error);

/* -------------------------------------------------------------- expressions */

/*
 * They come out folded a little, in the order of sympy's terms where that is easy to tell:
 * s0 + 1, 2*s0.
 */

/* What is done with one or two expressions. */
typedef enum ep_sym_op {
    EP_SYM_ADD,
    EP_SYM_SUB,
    EP_SYM_MUL,
    EP_SYM_FLOORDIV,
    EP_SYM_MOD,
    EP_SYM_MAX,
    EP_SYM_MIN,
    EP_SYM_TRUEDIV,  /* of two integers; a float */
    EP_SYM_TO_FLOAT, /* of one */
    EP_SYM_EQ,       /* from here on: a bool */
    EP_SYM_NE,
    EP_SYM_LT,
    EP_SYM_LE,
    EP_SYM_GT,
    EP_SYM_GE
} ep_sym_op;

/* An integer. */
EP_API const ep_built_expr *ep_expr_int(ep_builder *builder, int64_t value);

/* A symbol that stands for an integer: with a hint it is one of the inputs'
 * sizes (s0), and positive; without (hint NULL) one that is known only when the
 * program runs (u0). Its name is an identifier. */
EP_API const ep_built_expr *ep_expr_symbol(ep_builder *builder, const char *name,
                                           const int64_t *hint);

/* A symbol that stands for a float (zuf0). */
EP_API const ep_built_expr *ep_expr_float_symbol(ep_builder *builder, const char *name);

/* An operation; b is NULL for EP_SYM_TO_FLOAT, and for no other. Linear in the text it makes. */
EP_API const ep_built_expr *ep_expr_apply(ep_builder *builder, ep_sym_op op, const ep_built_expr *a,
                                          const ep_built_expr *b);

/* An expression as the version spells it, of EP_KIND_INT, EP_KIND_FLOAT or
 * EP_KIND_BOOL; without a hint. */
EP_API const ep_built_expr *ep_expr_text(ep_builder *builder, ep_kind kind, const char *text);

/* The range of a symbol; INT64_MIN and INT64_MAX are open ends. */
EP_API bool ep_build_range(ep_builder *builder, const ep_built_expr *symbol, int64_t min,
                           int64_t max);

/* ------------------------------------------------------------------- graphs */

/*
 * A value stands in its graph's tables from when it is made; a graph's input or a node's
 * output then defines it.
 */

/* The program's own graph. */
EP_API ep_built_graph *ep_build_root(ep_builder *builder);

/* Another graph, for ep_arg_graph. */
EP_API ep_built_graph *ep_build_subgraph(ep_builder *builder);

/* A tensor of the graph, by its name there. */
EP_API const ep_built_value *ep_build_tensor(ep_builder *builder, ep_built_graph *graph,
                                             const char *name, const ep_tensor_info *info);

/* A SymInt, SymFloat or SymBool, as the expression is. */
EP_API const ep_built_value *ep_build_symbolic(ep_builder *builder, ep_built_graph *graph,
                                               const char *name, const ep_built_expr *expr);

/* A custom object; class_fqn is that of its class. */
EP_API const ep_built_value *ep_build_custom_obj(ep_builder *builder, ep_built_graph *graph,
                                                 const char *name, const char *class_fqn);

/* ---------------------------------------------------------------- arguments */

/* A handle may be used in several places. */

/* as_none, as_int, as_float, as_bool, as_complex, as_string; as_operator, of an
 * operator's target; as_device, whose index is NULL if it has none. A NaN is
 * EP_ARGUMENT in the versions that have no form for it. */
EP_API const ep_built_arg *ep_arg_none(ep_builder *builder);
EP_API const ep_built_arg *ep_arg_int(ep_builder *builder, int64_t value);
EP_API const ep_built_arg *ep_arg_float(ep_builder *builder, double value);
EP_API const ep_built_arg *ep_arg_bool(ep_builder *builder, bool value);
EP_API const ep_built_arg *ep_arg_complex(ep_builder *builder, double real, double imag);
EP_API const ep_built_arg *ep_arg_string(ep_builder *builder, ep_bytes text);
EP_API const ep_built_arg *ep_arg_operator(ep_builder *builder, const char *target);
EP_API const ep_built_arg *ep_arg_device(ep_builder *builder, const char *type,
                                         const int64_t *index);

/* An enumerator by its name: as_scalar_type, as_layout, as_memory_format. */
EP_API const ep_built_arg *ep_arg_scalar_type(ep_builder *builder, const char *name);
EP_API const ep_built_arg *ep_arg_layout(ep_builder *builder, const char *name);
EP_API const ep_built_arg *ep_arg_memory_format(ep_builder *builder, const char *name);

/* Lists. An empty one is written with the tag that the releases wrote. */
EP_API const ep_built_arg *ep_arg_ints(ep_builder *builder, const int64_t *items, size_t count);
EP_API const ep_built_arg *ep_arg_floats(ep_builder *builder, const double *items, size_t count);
EP_API const ep_built_arg *ep_arg_bools(ep_builder *builder, const bool *items, size_t count);
EP_API const ep_built_arg *ep_arg_strings(ep_builder *builder, const ep_bytes *items, size_t count);

/* A value: as_tensor, as_sym_int, as_sym_float, as_sym_bool or as_custom_obj,
 * as it is. */
EP_API const ep_built_arg *ep_arg_value(ep_builder *builder, const ep_built_value *value);

/* Tensors; and tensors of which some (NULL) are not there. */
EP_API const ep_built_arg *ep_arg_tensors(ep_builder *builder, const ep_built_value *const *items,
                                          size_t count);
EP_API const ep_built_arg *
ep_arg_optional_tensors(ep_builder *builder, const ep_built_value *const *items, size_t count);

/* as_optional_tensor: a tensor, or none (NULL). */
EP_API const ep_built_arg *ep_arg_optional_tensor(ep_builder *builder, const ep_built_value *value);

/* as_sym_ints, as_sym_floats or as_sym_bools: of arguments that are such values
 * or numbers, at least one of them a value. */
EP_API const ep_built_arg *ep_arg_symbolic_list(ep_builder *builder,
                                                const ep_built_arg *const *items, size_t count);

/* as_int_lists, as_float_lists or as_nested_tensors: of lists; of none, as_int_lists. */
EP_API const ep_built_arg *ep_arg_lists(ep_builder *builder, const ep_built_arg *const *items,
                                        size_t count);

/* as_string_to_argument: keys and as many arguments. */
EP_API const ep_built_arg *ep_arg_dict(ep_builder *builder, const char *const *keys,
                                       const ep_built_arg *const *items, size_t count);

/* A subgraph. Nothing may be added to it after this. */
EP_API const ep_built_arg *ep_arg_graph(ep_builder *builder, const char *name,
                                        ep_built_graph *graph);

/* -------------------------------------------------------------------- nodes */

typedef struct ep_named_arg {
    const char *name; /* of the operator's parameter; "" for those of higher order */
    const ep_built_arg *arg;
    bool keyword; /* not by its position */
} ep_named_arg;

/* A module of nn_module_stack: "L__self__", "", "models.Net". */
typedef struct ep_module_frame {
    const char *key;
    const char *path;
    const char *type;
} ep_module_frame;

/* A key of Node.metadata and its text. */
typedef struct ep_metadata_item {
    const char *key;
    ep_bytes text;
} ep_metadata_item;

/* What a higher-order operator returns, which releases write in ways of their
 * own. */
typedef enum ep_node_returns {
    EP_RETURNS_AS_DECLARED, /* of an operator that is not of higher order */
    EP_RETURNS_TUPLE,       /* the outputs are the items of a tuple */
    EP_RETURNS_TENSOR       /* the one output is the result itself */
} ep_node_returns;

/* What is absent is NULL and 0. */
typedef struct ep_node_info {
    const char *target;
    const char *name; /* Node.name */
    const ep_named_arg *inputs;
    size_t input_count;
    const ep_built_arg *const *outputs;
    size_t output_count;
    ep_node_returns returns;
    ep_bytes stack_trace;
    const ep_module_frame *modules; /* from the outermost in */
    size_t module_count;
    const char *source_name; /* "add", and the function: "_operator.add" */
    const char *source_function;
    const char *torch_fn_name; /* "add_1", and the function: "method_descriptor.add" */
    const char *torch_fn;
    const ep_metadata_item *metadata; /* further ones, as they are written */
    size_t metadata_count;
} ep_node_info;

/* The next node of the graph. */
EP_API bool ep_build_node(ep_builder *builder, ep_built_graph *graph, const ep_node_info *info);

/* The next input or output of a subgraph. */
EP_API bool ep_build_graph_input(ep_builder *builder, ep_built_graph *graph,
                                 const ep_built_arg *arg);
EP_API bool ep_build_graph_output(ep_builder *builder, ep_built_graph *graph,
                                  const ep_built_arg *arg);

/* ---------------------------------------------------------------- signature */

/* Inputs and outputs of the program, each with its spec. */

/*
 * The next input. name is that of the parameter, buffer, constant or object,
 * or of the constant's parameter of forward; NULL for the other kinds.
 */
EP_API bool ep_build_input(ep_builder *builder, ep_input_kind kind, const ep_built_arg *arg,
                           const char *name);

/* The next output. name is that of the buffer, parameter or user input that
 * it is for; NULL for the other kinds. */
EP_API bool ep_build_output(ep_builder *builder, ep_output_kind kind, const ep_built_arg *arg,
                            const char *name);

/* ------------------------------------------------------------------ modules */

/* A leaf; a node of a registered type ("builtins.tuple") with its context as
 * JSON text ("null"); a tuple, a list, a dict with its keys. */
EP_API const ep_built_tree *ep_tree_leaf(ep_builder *builder);
EP_API const ep_built_tree *ep_tree_node(ep_builder *builder, const char *type, const char *context,
                                         const ep_built_tree *const *children, size_t count);
EP_API const ep_built_tree *ep_tree_tuple(ep_builder *builder, const ep_built_tree *const *children,
                                          size_t count);
EP_API const ep_built_tree *ep_tree_list(ep_builder *builder, const ep_built_tree *const *children,
                                         size_t count);
EP_API const ep_built_tree *ep_tree_dict(ep_builder *builder, const char *const *keys,
                                         const ep_built_tree *const *children, size_t count);

/* How a module is called. The program itself lists inputs and outputs where some are given,
 * and its version has a place for them; as a rule it lists none. */
typedef struct ep_call_info {
    const ep_built_tree *args;   /* a tuple */
    const ep_built_tree *kwargs; /* a dict; NULL: none */
    const ep_built_tree *out;
    const char *const *arg_names; /* forward_arg_names; NULL: not said */
    size_t arg_name_count;
    const ep_built_arg *const *inputs;
    size_t input_count;
    const ep_built_arg *const *outputs;
    size_t output_count;
} ep_call_info;

/* How the program is called. When it is not said, the user's inputs are
 * positional, and its outputs a tuple if there are several. */
EP_API bool ep_build_call(ep_builder *builder, const ep_call_info *info);

/* The next module of the module call graph; info may be NULL, when its signature is
 * not kept. */
EP_API bool ep_build_module(ep_builder *builder, const char *fqn, const ep_call_info *info);

/* ------------------------------------------------------------------- header */

/* What is not said is as the version's release writes it: the opset "aten" 10,
 * the verifier (or dialect) of a fresh export, the release, no guards. A guard
 * is a line of Python over the inputs. */
EP_API bool ep_build_opset(ep_builder *builder, const char *name, int64_t version);
EP_API bool ep_build_verifier(ep_builder *builder, const char *name);
EP_API bool ep_build_torch_version(ep_builder *builder, const char *text);
EP_API bool ep_build_guard(ep_builder *builder, ep_bytes code);

/* Two dimensions that are equal, which version 1 says apart. */
EP_API bool ep_build_equal_dims(ep_builder *builder, const ep_built_value *a, int64_t a_dim,
                                const ep_built_value *b, int64_t b_dim);

#ifdef __cplusplus
}
#endif

#endif
