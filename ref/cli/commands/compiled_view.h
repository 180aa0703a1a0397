/*
 * compiled_view.h - how `epref list` and `epref inspect` show the models of AOTInductor in an
 * archive.
 */
#ifndef CLI_COMMANDS_COMPILED_VIEW_H
#define CLI_COMMANDS_COMPILED_VIEW_H

#include "archive/state/compiled.h"
#include "cli/json.h"

/* A table for each model, and one of its constants and objects. */
void compiled_put_tables(buffer *out, bool color, const compiled *c);

/* ", AOTInductor model m for cpu, linux x86_64, AVX2" for each. */
void compiled_put_line(buffer *out, const compiled *c);

json *compiled_json(const compiled *c);

#endif
