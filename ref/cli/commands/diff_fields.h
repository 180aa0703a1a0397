/*
 * diff_fields.h - what differs between two programs, field by field: what each says there,
 * and where in its file. The form is an interface: scripts read it.
 */
#ifndef CLI_COMMANDS_DIFF_FIELDS_H
#define CLI_COMMANDS_DIFF_FIELDS_H

#include "cli/options.h"

typedef struct fields_diff {
    const options *o;
    ep_bytes files[2]; /* as they are called */
    buffer *product;
} fields_diff;

/* An ep_diff_hear: puts the difference into the product of the fields_diff. */
void diff_fields_hear(void *context, const ep_difference *difference);

#endif
