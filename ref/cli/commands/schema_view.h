/*
 * schema_view.h - the types of one schema version, as JSON in the form of the
 * files in corpora/schemas, which were read from PyTorch's own.
 */
#ifndef CLI_COMMANDS_SCHEMA_VIEW_H
#define CLI_COMMANDS_SCHEMA_VIEW_H

#include "cli/json.h"
#include "epref.h"

/* A member of a type, with its type as text. */
typedef struct schema_view_member {
    ep_member_info info;
    bool enumerator;
    bool optional; /* a field with a default */
    char type[64];
} schema_view_member;

/* False past the end. */
bool schema_view_member_at(const ep_schema *schema, size_t type, size_t member,
                           schema_view_member *m);

/* "struct", "union" or "enum" */
const char *schema_view_kind(ep_kind kind);

/* {"major": 8, "minor": 20} */
json *schema_view_number(const ep_version *v);

json *schema_view(const ep_schema *schema, const ep_version *v);

#endif
