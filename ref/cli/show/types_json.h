/*
 * types_json.h - what values are, as JSON for scripts.
 */
#ifndef CLI_SHOW_TYPES_JSON_H
#define CLI_SHOW_TYPES_JSON_H

#include "cli/json.h"
#include "show.h"
#include "signature.h"

/* Adds the members that say a type: kind and, of a tensor, dtype, shape and device; of a
 * number its expression; of an object its class. Returns how long the texts of it are. */
size_t types_add(show *s, json *object, ep_value type);

/* The name of an input or output; and what is said of it: its type, or its value. */
ep_bytes types_name(show *s, const signature_row *row);
void types_add_row(show *s, json *object, const signature_row *row);

/* Adds what else is said of a tensor; nothing of others. */
void types_add_layout(show *s, json *object, ep_value type);

/* A size: a number, or the text of its expression. */
json *types_size(show *s, ep_value size);

/* A number, a bool, a text or null; of anything else what the printer says of it. */
json *types_scalar(show *s, ep_value value);

/* The same with keys that are always the same and have one type each: name, kind, dtype, shape,
 * sizes, device, class, expression and value, null where there is none. */
json *types_record(show *s, const signature_row *row);

/* {"s0": {"min": 2, "max": null}}, of all symbols of the program; or of a record
 * [{"name": "s0", "min": 2, "max": null}]. */
json *types_symbols(show *s, bool record);

#endif
