/*
 * migrate/migrate.h - a program at another schema version (SPEC part 7). A new tree is
 * made, type by type. A member that both versions have is copied by name. A member
 * whose shape differs is converted by shapes.c. Content that the other version keeps
 * elsewhere, or in another language, is converted by a step.
 */
#ifndef EP_MIGRATE_H
#define EP_MIGRATE_H

#include "base/error.h"
#include "base/stack.h"
#include "language/expression.h"
#include "tree/maker.h"
#include "tree/signature.h"

/* What a migration did, for its report; one for each row. */
#define STEP(symbol, clause, text) EP_STEP_##symbol,
typedef enum ep_step_number {
#include "migrate/migrate.def"
    EP_STEP_COUNT
} ep_step_number;
#undef STEP

/* A node or list that is still to be made, and the slot that it is for. */
typedef struct ep_migrate_task {
    const ep_shape *from;
    const ep_shape *to;
    uint64_t bits;
    uint64_t *slot;
} ep_migrate_task;

EP_STACK_OF(ep_migrate_tasks, ep_migrate_task);

/* What is known of texts. */
typedef struct ep_migrate_texts {
    ep_map expressions;  /* texts that were translated ... */
    ep_stack translated; /* ... into these, by the map's numbers; 0: they stay */
    ep_map higher_order; /* the paths of higher-order operators, of any version */
} ep_migrate_texts;

typedef struct ep_migration {
    const ep_program *program;
    const ep_migrate_options *options;
    bool for_form; /* the caller's: rewrites for the epref form (SPEC 6.1.3) */
    ep_bytes input;
    ep_fields from;          /* the program's own version; the other's are the maker's */
    ep_version_number since; /* the program's own version */
    ep_version_number until; /* the version to migrate to */
    ep_arena *arena;
    ep_maker maker;
    ep_migrate_tasks tasks;
    ep_specs specs;          /* the program's signature */
    ep_map symbols;          /* of all expressions, when they need ranges */
    ep_migrate_texts *texts; /* NULL: not open */
    size_t steps[EP_STEP_COUNT];
    uint64_t repeated; /* bytes of texts that steps repeated */
    const ep_node *at; /* what is being converted: the place of a fault */
    ep_sort sort;      /* of the expression that comes next */
    ep_fault fault;
} ep_migration;

/*
 * Migrates the program of m. Its options, arena and for_form are set, all else is zero.
 * The tree has been checked, and lives as long as m->maker. Its texts begin with the
 * program's input, and its nodes have the offsets of the nodes that they are made of. m
 * has to be closed in any case. Errors: as ep_migrate.
 *
 * With for_form the tree is not checked, and what the other version cannot say stays as
 * it stands or is written as SPEC 6.1.3 has it. Errors are then those of ep_check,
 * EP_LIMIT_GROWTH and EP_MEMORY. Only the way to the form's version is made so.
 */
bool ep_migration_run(ep_migration *m, const ep_node **root, ep_error *error);
void ep_migration_close(ep_migration *m);

/* The tree of the other version. */
bool ep_migrate_tree(ep_migration *m, const ep_node **root);

/* Records a fault at the node that is being converted. Always false. */
bool ep_migrate_fail(ep_migration *m, ep_code code, const char *member);

/* The same for what the other version cannot say; true when it stays as it stands. */
bool ep_migrate_refuse(ep_migration *m, ep_code code, const char *member);
bool ep_migrate_no_memory(ep_migration *m);

/* Counts a text of the program that a step is about to repeat. False, with the fault
 * recorded, when repeated texts make the product too large for the program. */
bool ep_migrate_repeat(ep_migration *m, ep_ref text);

/* One more word on a stack; a list of all of them. False with the fault recorded. */
bool ep_migrate_push(ep_migration *m, ep_stack *stack, uint64_t bits);
bool ep_migrate_list(ep_migration *m, const ep_stack *items, uint64_t *bits);

/* A struct of the other version, at an offset of the program. NULL with the fault
 * recorded. */
ep_node *ep_migrate_new_node(ep_migration *m, const ep_type *type, uint32_t offset);

/* Whether a boundary lies between the two versions, going up or down. */
static inline bool ep_migrate_up(const ep_migration *m, ep_version_number boundary) {
    return m->since < boundary && boundary <= m->until;
}

static inline bool ep_migrate_down(const ep_migration *m, ep_version_number boundary) {
    return m->until < boundary && boundary <= m->since;
}

/* Converts a value of one shape into one of another, into a slot: at once, or as a task
 * if it is a node or a list. False with the fault recorded. */
bool ep_migrate_value(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                      uint64_t *slot);

/* The steps: conversions that are no copying by name. */
bool ep_migrate_signature(ep_migration *m, const ep_node *node, ep_node *made);
bool ep_migrate_modules(ep_migration *m, const ep_node *node, ep_node *made);
bool ep_migrate_header(ep_migration *m, const ep_node *node, ep_node *made);
bool ep_migrate_node(ep_migration *m, const ep_node *node, ep_node *made);

/* At the end, for a form: the verifiers where two fields say them. */
bool ep_migrate_dialect(ep_migration *m, ep_node *root);

/* The entries of the module call graph, split or joined call by call. */
bool ep_migrate_calls(ep_migration *m, uint64_t entries, uint64_t *turned);

/* Whether the constants of a Graph are taken out; at the end, makes them inputs. */
bool ep_migrate_takes_constants(const ep_migration *m, const ep_node *node);
bool ep_migrate_constants(ep_migration *m, const ep_node *root);

/* Adds the symbols of an expression to those that need a range; at the end, the
 * ranges. */
bool ep_migrate_ranges(ep_migration *m, ep_node *root);

/* Opens m->texts, with the paths of higher-order operators. */
bool ep_migrate_open_texts(ep_migration *m);

/* Whether the step of a Node makes its outputs, or its inputs. */
bool ep_migrate_turns_outputs(const ep_migration *m, const ep_node *node);
bool ep_migrate_turns_inputs(const ep_migration *m, const ep_node *node);

/* Translates a string from its language in the program's version to that of the other. */
bool ep_migrate_expression(ep_migration *m, ep_ref text, uint64_t *bits);
bool ep_migrate_target(ep_migration *m, ep_ref text, uint64_t *bits);
bool ep_migrate_metadata(ep_migration *m, uint64_t dict, uint64_t *bits);
bool ep_migrate_treespec(ep_migration *m, ep_ref text, uint64_t *bits);

#endif
