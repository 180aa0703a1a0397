/*
 * tree/signature.h - the inputs and outputs of a program as PyTorch's
 * ExportGraphSignature has them, whether the version writes specs or, as
 * version 1 does, dictionaries.
 */
#ifndef EP_SIGNATURE_H
#define EP_SIGNATURE_H

#include "base/arena.h"
#include "schema/fields.h"

/* One input or output. */
typedef struct ep_spec {
    int kind;            /* ep_input_kind or ep_output_kind */
    bool named;          /* value is the name of a tensor, token or object */
    ep_field holds;      /* of a named one: the tag that the graph has for it */
    ep_ref value;        /* the value's name; 0: see argument */
    ep_ref target;       /* the parameter's, buffer's ... name; 0: none */
    const ep_node *spec; /* where it stands; of version 1: the signature */
    ep_node *argument;   /* the Argument of a user input or output, or the ConstantValue; to
                            be written to only in a tree that was copied */
} ep_spec;

/* All of them; in the arena that they were read into. */
typedef struct ep_specs {
    const ep_node *node; /* the GraphSignature */
    ep_spec *inputs;
    ep_spec *outputs;
    size_t input_count;
    size_t output_count;
} ep_specs;

/* Reads the signature; false for want of memory. Version 1 has its inputs in
 * the order of its dictionaries: parameters, buffers, user inputs; its outputs:
 * buffers, user outputs, gradients. Linear in the signature. */
bool ep_specs_read(ep_specs *specs, ep_arena *arena, const ep_fields *fields,
                   const ep_node *signature);

/* By what inputs or outputs of one row are put in order. */
typedef enum ep_spec_by {
    EP_SPEC_BY_PLACE, /* they stay as they stand */
    EP_SPEC_BY_TARGET,
    EP_SPEC_BY_INPUT /* the place of the input that the target names */
} ep_spec_by;

/* The order of kinds in a canonical form: by rows, then within a row. */
typedef struct ep_spec_order {
    uint8_t row;
    uint8_t by; /* ep_spec_by */
} ep_spec_order;

/* SPEC 6.5.1 and 6.5.2 for EP_CANON_EPREF, 6.9.5 for EP_CANON_TORCH. */
ep_spec_order ep_input_order(int kind, ep_canon_form form);
ep_spec_order ep_output_order(int kind, ep_canon_form form);

/* The name in an argument of version 1's graph or signature; 0 for a constant. */
ep_ref ep_argument_name(const ep_fields *fields, const ep_node *argument);

/* The inputs, or the outputs, of a signature and of its graph. */
typedef struct ep_specs_side {
    const ep_spec *specs;
    uint64_t arguments; /* a list of as many */
} ep_specs_side;

/*
 * The number of the spec of each of a graph's inputs, or outputs. Later versions: the
 * spec at the same place. Version 1: of several of one name the first spec of that name,
 * the second, and so on. The array is as long as the specs. False for want of memory.
 * Linear.
 */
bool ep_specs_place(ep_arena *arena, const ep_fields *fields, ep_bytes input, ep_specs_side side,
                    uint32_t *numbers);

#endif
