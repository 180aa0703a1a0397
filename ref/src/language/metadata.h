/*
 * language/metadata.h - the small languages of Node.metadata (SPEC 4.3). The value of
 * each key that serialize.py writes is parsed into its parts, and printed again from
 * them. The value of a key that the version does not know is opaque text.
 */
#ifndef EP_METADATA_H
#define EP_METADATA_H

#include "schema/schema.h"
#include "json/passage.h"

typedef enum ep_metadata_key {
    EP_METADATA_OTHER,           /* any text */
    EP_METADATA_STACK_TRACE,     /* any text */
    EP_METADATA_NN_MODULES_2_1,  /* nn_module_stack until 2.1: key:(path,type);... */
    EP_METADATA_NN_MODULE_STACK, /* key,path,type;... */
    EP_METADATA_SOURCE_FN,       /* name,function */
    EP_METADATA_SOURCE_FN_STACK, /* name,function;... */
    EP_METADATA_TORCH_FN_KEY,    /* name;function */
    EP_METADATA_CUSTOM_KEY,      /* a JSON object */
    EP_METADATA_FROM_NODE_KEY    /* a JSON list of node sources, or null */
} ep_metadata_key;

/* An entry: the text between two semicolons. */
typedef struct ep_metadata_entry {
    ep_bytes key;  /* of a module; the name of a function */
    ep_bytes path; /* of a module */
    ep_bytes type; /* of a module; the function */
} ep_metadata_entry;

/* One source of from_node. The sources that it came from follow it, one level deeper.
 * Texts are those between the quotes. */
typedef struct ep_node_source {
    ep_bytes name;
    ep_bytes target;
    ep_bytes graph_id;
    ep_bytes pass_name;
    ep_bytes action;
    uint64_t level; /* from 0 */
} ep_node_source;

typedef struct ep_metadata {
    ep_metadata_key key;
    ep_bytes text; /* of a value that is not parsed; of from_node, when it is null */
    size_t count;
    const ep_metadata_entry *entries; /* of modules and functions */
    const ep_node_source *sources;    /* of from_node */
} ep_metadata;

typedef struct ep_metadata_reader {
    ep_arena *arena;
    const ep_passage *passage;
    ep_metadata_key key;
    ep_limits limits; /* of JSON inside */
} ep_metadata_reader;

/* What a version has under a key of a dict, and from when to when. */
typedef struct ep_metadata_form {
    const char *name;
    uint8_t name_size;
    uint8_t key;
    uint8_t written; /* the first version that it is written in */
    uint8_t since;   /* the first version whose texts are held to it */
    uint8_t until;
    uint8_t like;           /* what says the same in other versions; EP_METADATA_OTHER: nothing */
    const char *between[3]; /* what stands behind key, path and type of an entry */
} ep_metadata_form;

/* What a key means in a version. */
ep_metadata_key ep_metadata_key_of(ep_bytes key, ep_version_number version);

/* The row of a key that is not EP_METADATA_OTHER. */
const ep_metadata_form *ep_metadata_form_of(ep_metadata_key key);

bool ep_metadata_is_written(const ep_metadata_form *form, ep_version_number version);

/* What a version is held to that says what the key says in others; NULL: nothing. */
const ep_metadata_form *ep_metadata_turned(ep_metadata_key key, ep_version_number version);

/* Whether there is such a key of a version in another. */
bool ep_metadata_turns(ep_version_number since, ep_version_number until);

/*
 * Reads a value. Errors: EP_METADATA_..., EP_LIMIT_..., EP_MEMORY. With result NULL the
 * value is only validated, and neither modules nor functions allocate memory. The
 * result points into the passage. Linear.
 */
bool ep_metadata_parse(const ep_metadata_reader *reader, const ep_metadata **result,
                       ep_fault *fault);

/* Prints the parts as the text that was parsed. False for want of memory. */
bool ep_metadata_print(const ep_metadata *metadata, ep_arena *arena, ep_bytes *text);

#endif
