/*
 * language/treespec.h - tree specs (SPEC 4.2): the texts in which torch.export keeps
 * the nesting of a module's arguments and results in tuples, dicts and registered
 * types.
 */
#ifndef EP_TREESPEC_H
#define EP_TREESPEC_H

#include "schema/schema.h"
#include "json/passage.h"

/* What a type's context is. */
typedef enum ep_treespec_form {
    EP_TREESPEC_FORM_NULL,    /* "null": JSON in a string, as the next two */
    EP_TREESPEC_FORM_KEYS,    /* "[\"a\", \"b\"]" */
    EP_TREESPEC_FORM_MAXLEN,  /* "3" or "null" */
    EP_TREESPEC_FORM_FACTORY, /* an object with a factory and keys */
    EP_TREESPEC_FORM_FIELDS,  /* an object with a class and field names */
    EP_TREESPEC_FORM_NAME,    /* a type's name */
    EP_TREESPEC_FORM_ANY      /* any value at all */
} ep_treespec_form;

typedef struct ep_treespec_type {
    ep_bytes name; /* empty: a type that the user registered */
    uint8_t form;  /* ep_treespec_form */
    uint8_t since; /* ep_version_number */
    uint8_t until;
} ep_treespec_type;

typedef enum ep_treespec_key_kind {
    EP_TREESPEC_KEY_STRING,
    EP_TREESPEC_KEY_INT,
    EP_TREESPEC_KEY_FLOAT,
    EP_TREESPEC_KEY_BOOL,
    EP_TREESPEC_KEY_NULL,
    EP_TREESPEC_KEY_ENUM
} ep_treespec_key_kind;

typedef struct ep_treespec_key {
    ep_bytes text; /* of a string: decoded; of any other key: its JSON */
    ep_treespec_key_kind kind;
} ep_treespec_key;

typedef struct ep_treespec_node {
    const ep_treespec_type *type; /* NULL: a leaf */
    ep_bytes name;                /* of the type, decoded; of a leaf: empty */
    ep_bytes type_text;           /* as it stands: "\"builtins.tuple\"", "null" */
    ep_bytes context;             /* likewise */
    size_t count;                 /* of children */
    size_t leaves;                /* in it; of a leaf: 1 */
    const struct ep_treespec_node *first;
    const struct ep_treespec_node *next; /* of the same parent */
    const struct ep_treespec_node *parent;
    const ep_treespec_key *keys; /* of a dict; the field names of an old named tuple */
    size_t key_count;
} ep_treespec_node;

typedef struct ep_treespec {
    int protocol;
    const ep_treespec_node *root;
    size_t leaves;
} ep_treespec;

/* Whether the program describes a named tuple (treespec_namedtuple_fields), and
 * how many fields it has. */
typedef bool ep_treespec_find(void *context, ep_bytes name, size_t *fields);

typedef struct ep_treespec_options {
    size_t depth; /* arrays and objects inside each other: two for each level and one */
    ep_version_number version;
    ep_treespec_find *find; /* NULL: the version does not describe named tuples */
    void *find_context;
} ep_treespec_options;

/* The result lives as long as the arena and the passage's text. */
bool ep_treespec_parse(ep_arena *arena, const ep_passage *passage,
                       const ep_treespec_options *options, const ep_treespec **spec,
                       ep_fault *fault);

/* The keys of a node in the order of its children; false when it is not of a
 * type that has keys (dict, OrderedDict, defaultdict, immutable_dict). */
bool ep_treespec_keys(const ep_treespec_node *node, const ep_treespec_key **keys, size_t *count);

/* Whether a node has the type of this name: EP_TEXT("builtins.tuple"). */
static inline bool ep_treespec_is(const ep_treespec_node *node, ep_bytes name) {
    return node->type != NULL && ep_text_equal(node->name, name);
}

#endif
