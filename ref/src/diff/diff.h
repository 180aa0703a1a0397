/*
 * diff/diff.h - where two programs part. Both are brought to one version and
 * into their canonical form, in which nodes still know the byte of the file that
 * they come from. The two trees are then gone through side by side. Names are not
 * compared as they stand: when a node was put in, all names behind it are
 * others. Nodes are matched first, and what they define with them; a name is the
 * same as the name of the value that its own was matched with.
 */
#ifndef EP_DIFF_H
#define EP_DIFF_H

#include "base/stack.h"
#include "canon/canon.h"
#include "migrate/migrate.h"

#define EP_DIFF_NONE UINT32_MAX
#define EP_DIFF_NO_VALUE (UINT32_MAX - 1)

enum { EP_DIFF_STEPS = 3 }; /* of lists in lists, at most */

/* What a string is. */
typedef enum ep_diff_role {
    EP_DIFF_PLAIN,
    EP_DIFF_VALUE_NAME,
    EP_DIFF_GRAPH_NAME, /* says nothing that the place of the subgraph does not */
    EP_DIFF_EXPRESSION,
    EP_DIFF_RELEASE, /* torch_version, whose default is a text of its own */
    EP_DIFF_GRAPH    /* no string: a subgraph, which waits for its turn */
} ep_diff_role;

/* A place in one of the trees. */
typedef struct ep_diff_spot {
    const ep_node *node;         /* the struct or union that it is, or is in */
    const ep_node *placed;       /* the node, or the nearest around it that came from the
                                    file; NULL: none is known */
    uint8_t member;              /* of the node; EP_NO_MEMBER: it is the node */
    uint8_t depth;               /* of steps */
    bool absent;                 /* this program has no such thing */
    size_t steps[EP_DIFF_STEPS]; /* the items of lists on the way from the member */
    ep_ref key;                  /* of the dict that it is under; 0: none */
} ep_diff_spot;

/* Two values that are compared, and where they are. */
typedef struct ep_diff_pair {
    const ep_shape *shape;
    uint64_t bits[2];
    ep_diff_spot at[2];
} ep_diff_pair;

/* Texts, or other things, by which parts of the two programs are matched. */
typedef struct ep_diff_keys {
    size_t count;
    ep_bytes *texts;
    uint32_t *match; /* the other's part that has the same, or none */
} ep_diff_keys;

/* Two graphs of which each is where the other is. */
typedef struct ep_diff_scope {
    const ep_node *graph[2];
    size_t value_count[2]; /* numbers of values are below it */
    uint32_t *value[2];    /* the other's number for a value, or none; NO_VALUE where the
                              graph has no value of the number */
    uint64_t *mark[2];     /* of an input: a hash of what it is; 0: of a node's value */
    size_t node_count[2];
    uint32_t *node[2]; /* the other's number for a node, or none */
} ep_diff_scope;

/* One of the two programs. */
typedef struct ep_diff_half {
    const ep_program *given;
    ep_program current; /* the same at the version of comparing */
    ep_migration migration;
    bool migrated; /* the migration has to be closed */
    ep_maker maker;
    ep_bytes input; /* of the canonical tree; begins as the given program's */
    const ep_node *root;
    ep_map symbols;
    ep_stack partners;  /* the other's number for a symbol, or none */
    ep_map sources;     /* nodes of the current program, by their offsets ... */
    ep_stack originals; /* ... and themselves */
} ep_diff_half;

/* Two containers that are gone through side by side. */
typedef struct ep_diff_frame {
    const ep_shape *shape;
    uint64_t bits[2];
    size_t at; /* the part that is next, then the one that is looked at */
    uint8_t role;
} ep_diff_frame;

/* A value of one tree that is still to be gone through. */
typedef struct ep_diff_part {
    const ep_shape *shape;
    uint64_t bits;
    uint8_t role;
} ep_diff_part;

/* Two nodes of which each is the other's match: structs of the trees. */
typedef struct ep_diff_match_of {
    const ep_node *node[2];
} ep_diff_match_of;

EP_STACK_OF(ep_diff_frames, ep_diff_frame);
EP_STACK_OF(ep_diff_parts, ep_diff_part);
EP_STACK_OF(ep_diff_matches, ep_diff_match_of);

typedef struct ep_differ {
    ep_arena *arena;
    const ep_diff_options *options;
    ep_diff_result *result;
    ep_fields fields; /* of the version of comparing */
    ep_diff_half half[2];
    uint8_t role[EP_TYPE_COUNT][EP_MEMBERS_MAX]; /* ep_diff_role */
    ep_diff_frames frames;
    ep_diff_parts waiting;
    ep_diff_matches graphs;  /* subgraphs that wait for their turn */
    ep_diff_matches matched; /* for what is compared of them at the end */
    ep_bytes target;         /* of the node that is compared, and the name ... */
    ep_bytes argument;       /* ... of its argument */
    size_t walked;           /* bytes gone over to locate what was told */
} ep_differ;

/* ----------------------------------------------------------------------- walks */

void ep_diff_roles(ep_differ *d);

/*
 * Goes down to the first place where two values part. *differs: whether there is
 * one, and the pair is then what stands there. Without a scope names count as
 * they stand, and subgraphs are gone into. False for want of memory.
 */
bool ep_diff_first(ep_differ *d, const ep_diff_scope *scope, ep_diff_pair *pair, bool *differs);

/* Told of what stands in a value: a scalar, or a subgraph. False for want of memory. */
typedef bool ep_diff_visitor(void *context, uint8_t role, const ep_shape *shape, uint64_t bits);

/* Goes through a value of one of the trees, though not into subgraphs, in an
 * order that depends on its shape alone. False for want of memory. */
bool ep_diff_scan(ep_differ *d, const ep_shape *shape, uint64_t bits, ep_diff_visitor *visit,
                  void *context);

/* Whether a struct or union says anything in a member: what is absent and has a
 * default says that. */
bool ep_diff_has_member(const ep_node *node, const ep_type *type, uint8_t member);

/* Whether two texts of the two trees are the same. */
bool ep_diff_same_text(const ep_differ *d, const ep_ref refs[2]);

/* Whether two expressions are, symbols counting by what they were matched with.
 * False in *same, too, for want of memory, which is the result. */
bool ep_diff_same_expression(ep_differ *d, const ep_ref refs[2], bool *same);

/* The key of a range in the other program's symbols. */
bool ep_diff_translate(ep_differ *d, ep_bytes key, ep_bytes *translated);

/* The number in a value's name; none for another name. */
uint32_t ep_diff_number(ep_bytes input, ep_ref name);

/* -------------------------------------------------------------------- matching */

/* Room for the keys of a half. False for want of memory. */
bool ep_diff_keys_open(ep_differ *d, ep_diff_keys *keys, size_t count);

/* Matches keys with equal ones, the first with the first. */
bool ep_diff_match(ep_differ *d, ep_diff_keys keys[2]);

/* Matches the inputs of two graphs, then their nodes, and all values with them. */
bool ep_diff_align(ep_differ *d, ep_diff_scope *scope);

/* --------------------------------------------------------------------- telling */

/* Tells of two values that differ. */
void ep_diff_tell(ep_differ *d, ep_diff_group group, const ep_diff_pair *pair);

/* Compares two values, and tells of the first difference. */
bool ep_diff_compare(ep_differ *d, const ep_diff_scope *scope, ep_diff_group group,
                     const ep_diff_pair *pair);

/* The spot of a node inside another spot; around may be NULL. */
ep_diff_spot ep_diff_spot_of(const ep_differ *d, const ep_node *node, const ep_diff_spot *around);

/* A member of two structs of one type. */
ep_diff_pair ep_diff_member(const ep_differ *d, const ep_node *const nodes[2], ep_field field);
ep_diff_pair ep_diff_member_at(const ep_differ *d, const ep_node *const nodes[2], uint8_t member);

/* Compares a member, and tells when only one has it; or all members. */
bool ep_diff_compare_member(ep_differ *d, const ep_diff_scope *scope, ep_diff_group group,
                            const ep_node *const nodes[2], uint8_t member);
bool ep_diff_members(ep_differ *d, const ep_diff_scope *scope, ep_diff_group group,
                     const ep_node *const nodes[2]);

/* Items of the lists or dicts of a pair, by their numbers; none: one has no such item. */
ep_diff_pair ep_diff_items(const ep_differ *d, const ep_diff_pair *lists, const uint32_t items[2]);

/* What the steps below have to do with each item: the items' numbers, one of them
 * perhaps none. */
typedef bool ep_diff_each(ep_differ *d, void *context, const uint32_t items[2]);

/* Goes through matched keys in the first program's order, then through what only
 * the second has. */
bool ep_diff_go(ep_differ *d, const ep_diff_keys keys[2], ep_diff_each *each, void *context);

/* ---------------------------------------------------------------------- groups */

/* Two dicts, by their keys. */
bool ep_diff_dicts(ep_differ *d, ep_diff_group group, const ep_diff_pair *dicts);

bool ep_diff_match_specs(ep_differ *d, ep_field list, ep_diff_keys keys[2]);
bool ep_diff_graph(ep_differ *d, const ep_diff_scope *scope);
bool ep_diff_modules(ep_differ *d, const ep_diff_scope *scope);
bool ep_diff_header(ep_differ *d);
bool ep_diff_constraints(ep_differ *d);
bool ep_diff_provenance(ep_differ *d);

#endif
