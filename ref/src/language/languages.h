/*
 * language/languages.h - the strings level (SPEC part 4): parses every string of a
 * program that is a text of some language.
 */
#ifndef EP_LANGUAGES_H
#define EP_LANGUAGES_H

#include "base/error.h"
#include "language/memo.h"
#include "language/metadata.h"
#include "schema/fields.h"

/* The state that the parsers of a program's strings share. */
typedef struct ep_strings {
    const ep_program *program;
    const ep_fields *fields;
    ep_arena *arena;
    ep_memo *memo;
    ep_limits limits; /* of what stands inside strings */
    ep_version_number version;
    ep_map named_tuples;          /* classes of treespec_namedtuple_fields */
    const ep_node **descriptions; /* NamedTupleDef, by the map's numbers */
    struct {
        ep_bytes text;
        ep_metadata_key meaning;
    } keys[4];     /* of metadata, those met last, by their places in it */
    ep_pass *pass; /* told of metadata that is passed over; NULL: it is refused */
    void *pass_context;
    ep_fault fault; /* the first in the file; EP_OK: none */
} ep_strings;

/* Parses every string and keeps the results in the memo. False with the first fault of
 * the file, or EP_MEMORY. Linear in the program; the keys of embedded objects take n
 * log n. */
bool ep_strings_judge(ep_strings *strings);

#endif
