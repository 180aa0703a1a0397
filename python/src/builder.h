/*
 * builder.h - what the files about builders share. A builder is a capsule, and so is each
 * graph, value, expression, argument and tree that it made: each keeps the builder, and is of
 * use with that one alone. The first refusal ends a builder, and is raised by the call that
 * met with it.
 */
#ifndef EPREF_PYTHON_BUILDER_H
#define EPREF_PYTHON_BUILDER_H

#include "epref_builder.h"
#include "module.h"

typedef struct builder_handle {
    ep_arena arena;
    ep_builder *builder; /* NULL: it has ended */
} builder_handle;

/* A builder in a call. */
typedef struct building {
    PyObject *capsule;
    builder_handle *handle;
    ep_builder *b;
} building;

/* Converter for PyArg_ParseTuple, "O&": a builder that has not ended. */
int to_building(PyObject *capsule, void *building);

typedef enum part_kind { PART_GRAPH, PART_VALUE, PART_EXPR, PART_ARG, PART_TREE } part_kind;

/* What a capsule of a kind holds; NULL, with an exception, if it is another thing or another
 * builder's. */
void *part_of(const building *c, part_kind kind, PyObject *capsule);

/* The result of a call: a capsule, or None; where the builder refused, its error. */
PyObject *made(const building *c, part_kind kind, const void *what);
PyObject *said(const building *c, bool ok);

/* What a converter of a part takes for PyArg_ParseTuple, "O&", behind the builder: .c; .is is left
 * there. to_optional_expr and to_optional_tree leave NULL for None. */
typedef struct part {
    const building *c;
    void *is;
} part;

int to_built_graph(PyObject *object, void *part);
int to_built_value(PyObject *object, void *part);
int to_expr(PyObject *object, void *part);
int to_arg(PyObject *object, void *part);
int to_tree(PyObject *object, void *part);
int to_optional_expr(PyObject *object, void *part);
int to_optional_tree(PyObject *object, void *part);

/* Likewise of an int or None. */
typedef struct optional_int {
    bool is_given;
    int64_t number;
} optional_int;

int to_optional_int(PyObject *object, void *optional);

/* Converts an item of a list for its place in an array. */
typedef bool to_item(const building *c, PyObject *item, void *to);

/* Likewise of a tuple: .c, .size and .convert of its items; .items is left as an array, which
 * `release` takes, and .count. What it points into is the tuple's. Of None to_optional_array leaves
 * none. */
typedef struct array {
    const building *c;
    size_t size;
    to_item *convert;
    void *items;
    size_t count;
} array;

int to_array(PyObject *tuple, void *array);
int to_optional_array(PyObject *tuple, void *array);
void release(const void *items);

/* Two arrays of one number of items. False: ValueError is set. */
bool same_number(const array *a, const array *b, const char *what);

to_item item_int;
to_item item_float;
to_item item_bool;
to_item item_text;  /* const char *, which the item keeps */
to_item item_bytes; /* ep_bytes, likewise */
to_item item_dim;   /* ep_dim: an int or an expression */
to_item item_value;
to_item item_value_or_none;
to_item item_arg;
to_item item_tree;

extern PyMethodDef BUILDER_METHODS[];
extern PyMethodDef BUILDER_ARGUMENT_METHODS[];
extern PyMethodDef BUILDER_PROGRAM_METHODS[];

#endif
