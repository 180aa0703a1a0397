/*
 * migrate/migrate.c - the engine of a migration, see migrate.h. Nodes and lists that
 * are still to be converted are tasks on a stack, so that nothing recurses.
 */
#include "migrate/migrate.h"

/* ------------------------------------------------------------------- faults */

bool ep_migrate_fail(ep_migration *m, ep_code code, const char *member) {
    ep_fault_set(&m->fault, code, m->at->offset);
    m->fault.type = m->from.schema->types[m->at->type]->name;
    m->fault.member = member;
    return false;
}

bool ep_migrate_no_memory(ep_migration *m) {
    return ep_fault_set(&m->fault, EP_MEMORY, 0);
}

/* SPEC 7.1.7: without a bound, the product would be the square of the program. */
bool ep_migrate_repeat(ep_migration *m, ep_ref text) {
    enum { MOST = 8 };
    m->repeated += ep_ref_size(text);
    return m->repeated <= (uint64_t)m->input.size * MOST ||
           ep_migrate_fail(m, EP_LIMIT_GROWTH, NULL);
}

bool ep_migrate_push(ep_migration *m, ep_stack *stack, uint64_t bits) {
    if (!ep_stack_push(stack, bits)) {
        return ep_migrate_no_memory(m);
    }
    return true;
}

bool ep_migrate_list(ep_migration *m, const ep_stack *items, uint64_t *bits) {
    if (!ep_maker_list(&m->maker, items->words, items->count, bits)) {
        return ep_migrate_no_memory(m);
    }
    return true;
}

/* -------------------------------------------------------------------- tasks */

typedef ep_migrate_task task;

static bool defer(ep_migration *m, task t) {
    if (!ep_migrate_tasks_push(&m->tasks, t)) {
        return ep_migrate_no_memory(m);
    }
    return true;
}

static ep_node *new_node(ep_migration *m, const ep_type *type, uint32_t offset) {
    ep_node *node =
        ep_maker_struct(&m->maker, (ep_shape_number)(EP_SHAPE_FIRST_TYPE + type->number));
    if (node == NULL) {
        ep_migrate_no_memory(m);
        return NULL;
    }
    node->offset = offset;
    return node;
}

/* -------------------------------------------------------- one shape to another */

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
    ep_node *node = new_node(m, to->type, m->at->offset);
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
    for (size_t i = 0; EP_ALWAYS(i < EP_COUNT_OF(turn_rows)); i++) { /* one row fits */
        if (turn_rows[i].from == from->op && turn_rows[i].to == to->op) {
            return turn_rows[i].turn(m, from, to, bits, slot);
        }
    }
    return ep_migrate_fail(m, EP_MIGRATE_VALUE, NULL); /* no field turns otherwise */
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

/* ------------------------------------------------------------------ members */

/* Translates a string member whose language differs by version; *done is false for any
 * other member. */
static bool turn_text(ep_migration *m, ep_field field, uint64_t bits, uint64_t *slot, bool *done) {
    *done = true;
    switch ((int)field) {
    case EP_F_SymExpr_expr_str:
        return ep_migrate_expression(m, bits, slot);
    case EP_F_Node_target:
    case EP_F_Argument_as_operator:
        return ep_migrate_target(m, bits, slot);
    case EP_F_Node_metadata:
        return ep_migrate_metadata(m, bits, slot);
    case EP_F_ModuleCallSignature_in_spec:
    case EP_F_ModuleCallSignature_out_spec:
        return ep_migrate_treespec(m, bits, slot);
    default:
        *done = false;
        return true;
    }
}

bool ep_migrate_member(ep_migration *m, const ep_node *node, uint8_t member, ep_node *made,
                       uint8_t slot) {
    const ep_type *from = m->from.schema->types[node->type];
    const ep_type *to = m->maker.fields.schema->types[made->type];
    bool in_union = from->kind == EP_KIND_UNION;
    ep_field field = (ep_field)m->from.field[node->type][member];
    uint64_t bits = node->slots[in_union ? 0 : member];
    uint64_t *place = &made->slots[in_union ? 0 : slot];
    bool done;
    m->at = node;
    TRY(turn_text(m, field, bits, place, &done));
    return done ||
           ep_migrate_value(m, from->members[member].shape, to->members[slot].shape, bits, place);
}

static bool is_open_end(const ep_shape *shape) {
    return shape->op == EP_OP_OPEN_END;
}

static bool is_plain_int(const ep_shape *shape) {
    return shape->op == EP_OP_INT && !shape->nullable;
}

/* Whether a member is the number that means no maximum, while the other version has a
 * form of its own for that. */
static bool is_open_number(const ep_migration *m, const ep_node *node, uint8_t member,
                           const ep_shape *to) {
    return m->from.field[node->type][member] == EP_F_RangeConstraint_max_val &&
           is_plain_int(m->from.schema->types[node->type]->members[member].shape) &&
           !is_plain_int(to) && node->slots[member] == EP_INT_OO;
}

/* Members without a counterpart of the same name that are not refused: those that a
 * step converts, and those that are dropped and counted, because their content follows
 * from other members or is of no use to the other release. SPEC 7.3.2 */
typedef struct leftover_row {
    uint8_t field;
    bool step;
} leftover_row;

static const leftover_row leftover_rows[] = {
    {EP_F_GraphModule_call_spec, true},
    {EP_F_ExportedProgram_dialect, true},
    {EP_F_ExportedProgram_verifiers, true},
    {EP_F_GraphSignature_input_specs, true},
    {EP_F_GraphSignature_output_specs, true},
    {EP_F_GraphSignature_user_inputs, true},
    {EP_F_GraphSignature_user_outputs, true},
    {EP_F_GraphSignature_inputs_to_parameters, true},
    {EP_F_GraphSignature_inputs_to_buffers, true},
    {EP_F_GraphSignature_buffers_to_mutate, true},
    {EP_F_GraphSignature_backward_signature, true},
    {EP_F_Node_is_hop_single_tensor_return, true},
    {EP_F_Node_name, false},
    {EP_F_NamedArgument_kind, false},
    {EP_F_ModuleCallSignature_forward_arg_names, false},
    {EP_F_ExportedProgram_torch_version, false},
};

static bool is_made_by_step(ep_field field) {
    for (size_t i = 0; i < EP_COUNT_OF(leftover_rows); i++) {
        if ((ep_field)leftover_rows[i].field == field) {
            return leftover_rows[i].step;
        }
    }
    return false;
}

/* The neutral value of a required member that the program's version does not have: 0,
 * except for these. SPEC 7.3.1 */
static uint64_t neutral_bits(ep_field field) {
    return field == EP_F_InputToBufferSpec_persistent;
}

static bool set_neutral(ep_migration *m, ep_node *made, uint8_t slot) {
    const ep_type *to = m->maker.fields.schema->types[made->type];
    const ep_member *member = &to->members[slot];
    ep_field field = (ep_field)m->maker.fields.field[made->type][slot];
    if (member->row->fallback != EP_FALLBACK_REQUIRED) {
        return true;
    }
    uint64_t bits = neutral_bits(field);
    if (member->shape->op == EP_OP_STR && !ep_maker_text(&m->maker, EP_TEXT(""), &bits)) {
        return ep_migrate_no_memory(m);
    }
    made->slots[slot] = bits;
    if (!member->shape->nullable) {
        made->present = (uint16_t)(made->present | 1u << slot);
    }
    m->steps[EP_STEP_DEFAULT] += !is_made_by_step(field);
    return true;
}

/* Converts an absent member: null, left out, or an open end. A version without a form
 * for an open upper end has a number for it. SPEC 7.2.6 */
static bool turn_absent(ep_migration *m, const ep_node *node, uint8_t member, ep_node *made,
                        uint8_t slot) {
    const ep_type *from = m->from.schema->types[node->type];
    const ep_type *to = m->maker.fields.schema->types[made->type];
    if (is_open_end(to->members[slot].shape)) {
        bool low = to->members[slot].row->name[1] == 'i'; /* min_val, max_val */
        bool signed_already = is_open_end(from->members[member].shape);
        made->slots[slot] = signed_already ? node->slots[member] : (uint64_t)(low ? -1 : 1);
        m->steps[EP_STEP_OPEN_END] += !signed_already;
        return true;
    }
    m->steps[EP_STEP_OPEN_END] += is_open_end(from->members[member].shape) ||
                                  is_plain_int(from->members[member].shape) ||
                                  is_plain_int(to->members[slot].shape);
    if (!is_plain_int(to->members[slot].shape)) {
        /* no text became required, which takes memory */
        return to->members[slot].shape->nullable || EP_ALWAYS(set_neutral(m, made, slot));
    }
    if (to->members[slot].row->name[1] == 'i') {
        return ep_migrate_fail(m, EP_MIGRATE_VALUE, to->members[slot].row->name);
    }
    made->slots[slot] = EP_INT_OO;
    made->present = (uint16_t)(made->present | 1u << slot);
    return true;
}

/* ---------------------------------------------------------------- leftovers */

static bool is_nothing(const ep_member *member, ep_field field, bool present, uint64_t bits) {
    if (!present || neutral_bits(field) != 0) {
        return !present || bits == neutral_bits(field);
    }
    return member->shape->op == EP_OP_STR ? ep_ref_size(bits) == 0 : bits == 0;
}

/* Leaves out a member that the version does not have. Going up, a member with content
 * is dropped and counted; going down, it is refused. SPEC 7.1.3, 7.6.1, 7.6.6 */
static bool leave_out(ep_migration *m, const ep_node *node, uint8_t member) {
    const ep_type *from = m->from.schema->types[node->type];
    ep_field field = (ep_field)m->from.field[node->type][member];
    bool present = (node->present >> member & 1) != 0;
    if (is_nothing(&from->members[member], field, present, node->slots[member])) {
        return true;
    }
    for (size_t i = 0; i < EP_COUNT_OF(leftover_rows); i++) {
        if ((ep_field)leftover_rows[i].field == field) {
            m->steps[EP_STEP_DROPPED] += !leftover_rows[i].step;
            return true;
        }
    }
    if (field == EP_F_Graph_constants) {
        if (!ep_migrate_takes_constants(m, node)) {
            return ep_migrate_fail(m, EP_MIGRATE_CONSTANT, from->members[member].row->name);
        }
        return true;
    }
    if (m->until < m->since || field == EP_F_SymExpr_expr_ast) {
        return ep_migrate_fail(m, EP_MIGRATE_FIELD, from->members[member].row->name);
    }
    m->steps[EP_STEP_DROPPED]++;
    return true;
}

/* ------------------------------------------------------------ structs, unions */

static uint8_t find_in(const ep_type *type, const ep_row *row) {
    return ep_type_find(type, row->name, row->name_size);
}

/* Whether the step of its struct converts a member. */
static bool is_of_step(const ep_migration *m, const ep_node *node, ep_field field) {
    if (field == EP_F_Node_outputs) {
        return ep_migrate_turns_outputs(m, node);
    }
    if (field == EP_F_Node_inputs) {
        return ep_migrate_turns_inputs(m, node);
    }
    if (field == EP_F_ExportedProgram_schema_version) {
        return true;
    }
    return field == EP_F_GraphModule_module_call_graph;
}

/* SPEC 7.1.2 */
static bool copy_members(ep_migration *m, const ep_node *node, ep_node *made) {
    const ep_type *from = m->from.schema->types[node->type];
    const ep_type *to = m->maker.fields.schema->types[made->type];
    for (uint8_t i = 0; i < to->count; i++) {
        uint8_t member = find_in(from, to->members[i].row);
        if (is_of_step(m, node, (ep_field)m->maker.fields.field[made->type][i])) {
            continue;
        }
        if (member == EP_NO_MEMBER) {
            TRY(set_neutral(m, made, i));
        } else if ((node->present >> member & 1) != 0 &&
                   !is_open_number(m, node, member, to->members[i].shape)) {
            TRY(ep_migrate_member(m, node, member, made, i));
            made->present = (uint16_t)(made->present | 1u << i);
        } else {
            m->at = node;
            TRY(turn_absent(m, node, member, made, i));
        }
    }
    for (uint8_t i = 0; i < from->count; i++) {
        m->at = node;
        if (find_in(to, from->members[i].row) == EP_NO_MEMBER) {
            TRY(leave_out(m, node, i));
        }
    }
    return true;
}

typedef bool step(ep_migration *m, const ep_node *node, ep_node *made);

typedef struct step_row {
    uint8_t type;
    step *step; /* after the members were copied */
} step_row;

static const step_row step_rows[] = {
    {EP_SHAPE_ExportedProgram - EP_SHAPE_FIRST_TYPE, ep_migrate_header},
    {EP_SHAPE_GraphModule - EP_SHAPE_FIRST_TYPE, ep_migrate_modules},
    {EP_SHAPE_GraphSignature - EP_SHAPE_FIRST_TYPE, ep_migrate_signature},
    {EP_SHAPE_Node - EP_SHAPE_FIRST_TYPE, ep_migrate_node},
};

static bool make_struct(ep_migration *m, const task *t) {
    const ep_node *node = ep_node_at(t->bits);
    ep_node *made = new_node(m, t->to->type, node->offset);
    TRY(made != NULL);
    *t->slot = ep_pointer_bits(made);
    TRY(copy_members(m, node, made));
    for (size_t i = 0; i < EP_COUNT_OF(step_rows); i++) {
        if (step_rows[i].type == node->type) {
            m->at = node;
            TRY(step_rows[i].step(m, node, made));
        }
    }
    return true;
}

/* SPEC 7.6.2 */
static bool make_union(ep_migration *m, const task *t) {
    const ep_node *node = ep_node_at(t->bits);
    const ep_row *row = m->from.schema->types[node->type]->members[node->tag].row;
    uint8_t tag = find_in(t->to->type, row);
    m->at = node;
    if (tag == EP_NO_MEMBER) {
        return ep_migrate_fail(m, EP_MIGRATE_TAG, row->name);
    }
    ep_node *made = ep_arena_alloc(m->arena, sizeof *made + sizeof(uint64_t));
    if (made == NULL) {
        return ep_migrate_no_memory(m);
    }
    *made = (ep_node){.type = t->to->type->number, .tag = tag, .offset = node->offset};
    made->slots[0] = 0;
    *t->slot = ep_pointer_bits(made);
    return ep_migrate_member(m, node, node->tag, made, tag);
}

/* --------------------------------------------------------------- lists, dicts */

static const ep_shape *item_shape(const ep_shape *shape, size_t i) {
    return shape->op == EP_OP_TUPLE && i == 1 ? shape->second : shape->of;
}

/* Of a list that has items: one without is no task. */
static bool make_list(ep_migration *m, const task *t) {
    size_t count = ep_list_count(t->bits);
    size_t keys = t->from->op == EP_OP_DICT ? count : 0;
    *t->slot = 0;
    const ep_list *list = ep_list_at(t->bits);
    ep_list *made = ep_list_make(m->arena, count, count + keys);
    if (made == NULL) {
        return ep_migrate_no_memory(m);
    }
    memcpy(made->items, list->items, (count + keys) * sizeof(uint64_t));
    *t->slot = ep_pointer_bits(made);
    for (size_t i = 0; i < count; i++) {
        TRY(ep_migrate_value(m, item_shape(t->from, i), item_shape(t->to, i), list->items[keys + i],
                             &made->items[keys + i]));
    }
    return true;
}

static bool run_task(ep_migration *m, const task *t) {
    switch ((int)t->from->op) {
    case EP_OP_STRUCT:
        return make_struct(m, t);
    case EP_OP_UNION:
        return make_union(m, t);
    default:
        return make_list(m, t);
    }
}

/* ------------------------------------------------------------------- the whole */

bool ep_migrate_tree(ep_migration *m, const ep_node **root) {
    const ep_shape *from = &m->from.schema->shapes[EP_SHAPE_ExportedProgram];
    const ep_shape *to = &m->maker.fields.schema->shapes[EP_SHAPE_ExportedProgram];
    const ep_node *module =
        ep_field_node(&m->from, m->program->root, EP_F_ExportedProgram_graph_module);
    uint64_t made = 0;
    m->at = m->program->root;
    if (!ep_specs_read(&m->specs, m->arena, &m->from,
                       ep_field_node(&m->from, module, EP_F_GraphModule_signature))) {
        return ep_migrate_no_memory(m);
    }
    TRY(ep_migrate_value(m, from, to, ep_pointer_bits(m->program->root), &made));
    while (m->tasks.count > 0) {
        task t = ep_migrate_tasks_pop(&m->tasks);
        TRY(run_task(m, &t));
    }
    *root = ep_node_at(made);
    return ep_migrate_constants(m, *root) && ep_migrate_ranges(m, ep_node_mutable(made));
}
