/*
 * migrate/shapes.c - a value of one shape into one of another (SPEC 7.2). A node or a
 * list is deferred: it becomes a task on a stack, so that nothing recurses.
 */
#include "migrate/migrate.h"

typedef ep_migrate_task task;

static bool defer(ep_migration *m, task t) {
    return ep_migrate_tasks_push(&m->tasks, t) || ep_migrate_no_memory(m);
}

typedef bool turn(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                  uint64_t *slot);

static bool is_sym_expr(const ep_shape *shape) {
    return shape->type->number == EP_SHAPE_SymExpr - EP_SHAPE_FIRST_TYPE;
}

/* The step that a wrapper belongs to. SPEC 7.2.4, 7.2.5 */
static ep_step_number step_of(const ep_shape *wrapper) {
    return wrapper->type->number == EP_SHAPE_SymExprHint - EP_SHAPE_FIRST_TYPE ? EP_STEP_HINT
                                                                               : EP_STEP_BARE;
}

/* Converts the content of a wrapper, which has the same kind in both versions: a struct
 * becomes a task, any other value keeps its bits. */
static bool move_inner(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                       uint64_t *slot) {
    *slot = bits;
    return from->op != EP_OP_STRUCT || defer(m, (task){from, to, bits, slot});
}

/* Wraps a value that is bare in the program's version: in the other it is the first
 * member of a struct, or under a tag. SPEC 7.2.4, 7.2.5 */
static bool wrap(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                 uint64_t *slot) {
    ep_node *node = ep_migrate_new_node(m, to->type, m->at->offset);
    TRY(node != NULL);
    m->steps[step_of(to)]++;
    *slot = ep_pointer_bits(node);
    if (is_sym_expr(to)) {
        TRY(ep_migrate_expression(m, bits, &bits));
    }
    uint8_t member = 0;
    if (to->type->kind == EP_KIND_UNION) {
        member = ep_type_find(to->type, "as_int", 6);
        node->tag = member;
    } else {
        node->present = 1;
    }
    uint64_t *inner = &node->slots[0];
    return move_inner(m, from, to->type->members[member].shape, bits, inner);
}

/* The reverse of wrap. All other members of the struct have to be absent. SPEC 7.6.4 */
static bool unwrap(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                   uint64_t *slot) {
    const ep_node *node = ep_node_at(bits);
    const ep_type *type = from->type;
    uint8_t member = type->kind == EP_KIND_UNION ? node->tag : 0;
    if (type->kind == EP_KIND_UNION ? type->members[member].shape->op != to->op
                                    : (node->present & ~1u) != 0) {
        m->at = node;
        return ep_migrate_fail(m, EP_MIGRATE_VALUE, type->members[member].row->name);
    }
    m->steps[step_of(from)]++;
    bits = node->slots[0];
    if (is_sym_expr(from)) {
        m->at = node; /* SPEC 7.6.5 */
        TRY(ep_migrate_expression(m, bits, &bits));
    }
    return move_inner(m, type->members[member].shape, to, bits, slot);
}

/* SPEC 7.2.2 */
static bool none_of(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                    uint64_t *slot) {
    (void)from;
    (void)bits;
    m->steps[EP_STEP_NONE]++;
    *slot = to->op == EP_OP_NONE_BOOL;
    return true;
}

static bool same_bits(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                      uint64_t *slot) {
    (void)m;
    (void)from;
    (void)to;
    *slot = bits;
    return true;
}

enum { ANY_TYPE = EP_TYPE_COUNT };

typedef struct turn_row {
    uint8_t from; /* ep_op */
    uint8_t to;
    turn *turn;
} turn_row;

static const turn_row turn_rows[] = {
    {EP_OP_UNIT, EP_OP_NONE_BOOL, none_of}, {EP_OP_NONE_BOOL, EP_OP_UNIT, none_of},
    {EP_OP_OPEN_END, EP_OP_INT, same_bits}, {EP_OP_INT, EP_OP_OPEN_END, same_bits},
    {EP_OP_STR, EP_OP_STRUCT, wrap},        {EP_OP_STRUCT, EP_OP_STR, unwrap},
    {EP_OP_INT, EP_OP_UNION, wrap},         {EP_OP_UNION, EP_OP_INT, unwrap},
};

static bool turn_other(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                       uint64_t *slot) {
    for (size_t i = 0; i < EP_COUNT_OF(turn_rows); i++) {
        if (turn_rows[i].from == from->op && turn_rows[i].to == to->op) {
            return turn_rows[i].turn(m, from, to, bits, slot);
        }
    }
    /* only a blob has no row: a text in 1-2023-08, bytes in 1 */
    return ep_migrate_fail(m, EP_MIGRATE_VALUE, "blob");
}

/* An enumerator keeps its name, not its number. SPEC 7.2.3, 7.6.3 */
static bool turn_enum(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                      uint64_t *slot) {
    uint8_t member = ep_type_find_value(from->type, (int64_t)bits);
    const ep_row *row = from->type->members[member].row;
    uint8_t made = ep_enumerator_find(to->type, row);
    if (made == EP_NO_MEMBER) {
        return ep_migrate_fail(m, EP_MIGRATE_ENUM, row->name);
    }
    *slot = (uint64_t)(int64_t)to->type->members[made].row->id;
    m->steps[EP_STEP_ENUM] += *slot != bits;
    return true;
}

static bool is_nan(uint64_t bits) {
    double value = ep_float_of(bits);
    return value != value;
}

/* TensorValue is a TensorMeta in a struct of its own. */
static bool is_wrapper(const ep_shape *a, const ep_shape *b) {
    return a->type->number == EP_SHAPE_TensorValue - EP_SHAPE_FIRST_TYPE &&
           b->type->number != a->type->number;
}

/* SPEC 7.2.1 */
bool ep_migrate_value(ep_migration *m, const ep_shape *from, const ep_shape *to, uint64_t bits,
                      uint64_t *slot) {
    if (from->op != to->op) {
        return turn_other(m, from, to, bits, slot);
    }
    switch ((ep_op)from->op) {
    case EP_OP_ENUM:
        return turn_enum(m, from, to, bits, slot);
    case EP_OP_STRUCT:
        if (is_wrapper(from, to)) {
            return unwrap(m, from, to, bits, slot);
        }
        if (is_wrapper(to, from)) {
            return wrap(m, from, to, bits, slot);
        }
        return defer(m, (task){from, to, bits, slot});
    case EP_OP_UNION:
    case EP_OP_LIST:
    case EP_OP_DICT:
    case EP_OP_TUPLE:
        *slot = 0;
        return bits == 0 || defer(m, (task){from, to, bits, slot});
    case EP_OP_FLOAT:
        if (is_nan(bits) && m->maker.fields.schema->version->nonfinite ==
                                EP_NONFINITE_QUOTED_INFINITY) { /* SPEC 3.9.6 */
            return ep_migrate_fail(m, EP_MIGRATE_VALUE, "NaN");
        }
        break;
    case EP_OP_STR:
    case EP_OP_INT:
    case EP_OP_BOOL:
    case EP_OP_UNIT:
    case EP_OP_NONE_BOOL:
    case EP_OP_BYTES:
    case EP_OP_OPEN_END:
        break;
    }
    *slot = bits;
    return true;
}
