/*
 * diff/diff.h - where two programs differ. Both are migrated to one version and brought
 * into their canonical form, whose nodes still have the offset in the file that they
 * come from. The two trees are then compared in parallel. Names are not compared as they
 * stand, because one inserted node changes all names behind it. Nodes are matched first,
 * and with them the values that they define. Two names are equal if their values were
 * matched with each other.
 */
#ifndef EP_DIFF_H
#define EP_DIFF_H

#include "base/stack.h"
#include "canon/canon.h"
#include "migrate/migrate.h"

#define EP_DIFF_NONE UINT32_MAX
#define EP_DIFF_NO_VALUE (UINT32_MAX - 1)

enum { EP_DIFF_STEPS = 2 }; /* a list of lists: in EP_CANON_VERSION none nests deeper */

/* What a string stands for. A list or a dict of strings stands for nothing else. */
typedef enum ep_diff_role {
    EP_DIFF_PLAIN,
    EP_DIFF_VALUE_NAME,
    EP_DIFF_FREE_NAME, /* of a subgraph or a constant input: it adds nothing to its place */
    EP_DIFF_EXPRESSION,
    EP_DIFF_RELEASE, /* torch_version, whose default is a text of its own */
    EP_DIFF_GRAPH    /* no string: a subgraph, which is compared later */
} ep_diff_role;

/* A place in one of the trees. */
typedef struct ep_diff_spot {
    const ep_node *node;         /* the struct or union that it is, or is in */
    const ep_node *placed;       /* the nearest node in the file, from node outwards; NULL: none */
    uint8_t member;              /* a member of node; EP_NO_MEMBER: node itself */
    uint8_t depth;               /* of steps */
    bool absent;                 /* this program does not have it */
    size_t steps[EP_DIFF_STEPS]; /* indices in nested lists, from the member on */
    ep_ref key;                  /* the key of the dict entry that it is in; 0: none */
} ep_diff_spot;

/* Two values to compare, and their places. */
typedef struct ep_diff_pair {
    const ep_shape *shape;
    uint64_t bits[2];
    ep_diff_spot at[2];
} ep_diff_pair;

/* The keys by which parts of the two programs are matched: texts or other bytes. */
typedef struct ep_diff_keys {
    size_t count;
    ep_bytes *texts;
    uint32_t *match; /* the other program's part of equal key, or none */
} ep_diff_keys;

/* Two graphs that correspond to each other. */
typedef struct ep_diff_scope {
    const ep_node *graph[2];
    size_t value_count[2]; /* all numbers of values are below it */
    uint32_t *value[2];    /* the other's number for a value, or none; NO_VALUE where the
                              graph has no value of the number */
    size_t *giver[2];      /* of each value: the offset of the part that gives it */
    uint64_t *mark[2];     /* of an input's value: a hash of the input; else all bits set */
    size_t node_count[2];
    uint32_t *node[2]; /* the other's number for a node, or none */
} ep_diff_scope;

/* One of the two programs. */
typedef struct ep_diff_half {
    const ep_program *given;
    ep_program current; /* migrated to the version of comparing */
    ep_migration migration;
    bool migrated; /* the migration has to be closed */
    ep_maker maker;
    ep_bytes input; /* the text of the canonical tree; at first the given program's */
    const ep_node *root;
    ep_map symbols;
    ep_stack partners;  /* the other's number for a symbol, or none */
    ep_map sources;     /* nodes of the current program, by their offsets ... */
    ep_stack originals; /* ... and themselves */
} ep_diff_half;

/* Two containers that are compared in parallel. */
typedef struct ep_diff_frame {
    const ep_shape *shape;
    uint64_t bits[2];
    size_t at; /* the next part, and then the current one */
} ep_diff_frame;

/* A pending value of one tree. */
typedef struct ep_diff_part {
    const ep_shape *shape;
    uint64_t bits;
    uint8_t role;
} ep_diff_part;

/* Two matched nodes: structs of the trees. */
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
    ep_diff_matches graphs;  /* subgraphs that are still to be compared */
    ep_diff_matches matched; /* for the provenance, which is compared at the end */
    ep_bytes target;         /* of the node that is compared, and the name ... */
    ep_bytes argument;       /* ... of its argument */
    size_t part[2];          /* the offsets of the parts that are compared (ep_diff_side) */
    size_t walked;           /* bytes scanned to locate what was reported */
} ep_differ;

/* ----------------------------------------------------------------------- walks */

void ep_diff_roles(ep_differ *d);

/*
 * Finds the first place where two values differ, in depth-first order. *differs: whether
 * there is one, and *pair is then the values at that place. Without a scope, names are
 * compared as they stand, and subgraphs are entered. False for want of memory.
 */
bool ep_diff_first(ep_differ *d, const ep_diff_scope *scope, ep_diff_pair *pair, bool *differs);

/* Called with each scalar and each subgraph in a value. False for want of memory. */
typedef bool ep_diff_visitor(void *context, uint8_t role, const ep_shape *shape, uint64_t bits);

/* Visits the parts of a value of one tree. It does not enter subgraphs. The order
 * depends on the shape of the value alone. False for want of memory. */
bool ep_diff_scan(ep_differ *d, const ep_shape *shape, uint64_t bits, ep_diff_visitor *visit,
                  void *context);

/* Whether a member of a struct or union has a value. An absent member with a default
 * has that value. */
bool ep_diff_has_member(const ep_node *node, const ep_type *type, uint8_t member);

/* Whether two strings of the two trees have equal texts. */
bool ep_diff_same_text(const ep_differ *d, const ep_ref refs[2]);

/* Whether two expressions are equal, each symbol being taken for its partner; texts that are
 * none, as texts. False for want of memory. */
bool ep_diff_same_expression(ep_differ *d, const ep_ref refs[2], bool *same);

/* The key of a range, with the symbols of the other program in the place of its own. */
bool ep_diff_translate(ep_differ *d, ep_bytes key, ep_bytes *translated);

/* The number in the name of a value; none for any other name. */
uint32_t ep_diff_number(ep_bytes input, ep_ref name);

/* -------------------------------------------------------------------- matching */

/* Allocates the keys of one program. False for want of memory. */
bool ep_diff_keys_open(ep_differ *d, ep_diff_keys *keys, size_t count);

/* Matches equal keys: the first with the first, and so on. */
bool ep_diff_match(ep_differ *d, ep_diff_keys keys[2]);

/* Whether two graphs are those of the programs. */
bool ep_diff_is_root(const ep_differ *d, const ep_diff_scope *scope);

/* Matches the inputs of two graphs and then their nodes, and with them all values. */
bool ep_diff_align(ep_differ *d, ep_diff_scope *scope);

/* ------------------------------------------------------------------- reporting */

/* The parts that are compared from here on, which correspond if both are there. */
void ep_diff_enter(ep_differ *d, size_t one, size_t other);

/* Reports two values that differ. */
void ep_diff_tell(ep_differ *d, ep_diff_group group, const ep_diff_pair *pair);

/* Compares two values, and reports the first difference. */
bool ep_diff_compare(ep_differ *d, const ep_diff_scope *scope, ep_diff_group group,
                     const ep_diff_pair *pair);

/* The place of a node inside another place. around may be NULL. */
ep_diff_spot ep_diff_spot_of(const ep_differ *d, const ep_node *node, const ep_diff_spot *around);

/* A member of two structs of one type. */
ep_diff_pair ep_diff_member(const ep_differ *d, const ep_node *const nodes[2], ep_field field);
ep_diff_pair ep_diff_member_at(const ep_differ *d, const ep_node *const nodes[2], uint8_t member);

/* Compares one member, or all members. A member that only one struct has is a
 * difference. */
bool ep_diff_compare_member(ep_differ *d, const ep_diff_scope *scope, ep_diff_group group,
                            const ep_node *const nodes[2], uint8_t member);
bool ep_diff_members(ep_differ *d, const ep_diff_scope *scope, ep_diff_group group,
                     const ep_node *const nodes[2]);

/* Two items of the lists or dicts of a pair, by their numbers. none: that one has no
 * such item. */
ep_diff_pair ep_diff_items(const ep_differ *d, const ep_diff_pair *lists, const uint32_t items[2]);

/* Called with each item: its number in both programs, of which one may be none. */
typedef bool ep_diff_each(ep_differ *d, void *context, const uint32_t items[2]);

/* Calls each for the keys of the first program in their order, with their matches, and
 * then for the keys that only the second has. */
bool ep_diff_go(ep_differ *d, const ep_diff_keys keys[2], ep_diff_each *each, void *context);

/* ---------------------------------------------------------------------- groups */

/* Compares two dicts by their keys. */
bool ep_diff_dicts(ep_differ *d, ep_diff_group group, const ep_diff_pair *dicts);

/* The specs of the programs' inputs or outputs. */
ep_diff_pair ep_diff_specs(const ep_differ *d, ep_field list);
bool ep_diff_match_specs(ep_differ *d, ep_field list, ep_diff_keys keys[2]);
bool ep_diff_graph(ep_differ *d, const ep_diff_scope *scope);
bool ep_diff_modules(ep_differ *d, const ep_diff_scope *scope);
bool ep_diff_header(ep_differ *d);
bool ep_diff_constraints(ep_differ *d);
bool ep_diff_provenance(ep_differ *d);

#endif
