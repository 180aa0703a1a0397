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

/* Converts an item of a list for its place in an array. */
typedef bool to_item(const building *c, PyObject *item, void *to);

/* An array of as many items as a tuple has, each of a size; PyMem_Free takes it. What it points
 * into is the tuple's. NULL: an exception is set. */
void *array_of(const building *c, PyObject *tuple, size_t size, to_item *convert, size_t *count);

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

/* Text, or NULL for None. False: an exception is set. */
bool optional_text(PyObject *object, const char **text);

extern PyMethodDef BUILDER_METHODS[];
extern PyMethodDef BUILDER_ARGUMENT_METHODS[];
extern PyMethodDef BUILDER_PROGRAM_METHODS[];

#endif
