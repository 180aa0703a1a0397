/*
 * migrate/migrate.c - the engine of a migration, see migrate.h: it makes the tasks on the
 * stack until none is left, and has the steps make what copying by name does not.
 */
#include "migrate/migrate.h"

typedef ep_migrate_task task;

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

/* A union has one member, which is converted next. */
static void note_sort(ep_migration *m, ep_field field) {
    m->sort = field == EP_F_SymInt_as_expr     ? EP_SORT_INT
              : field == EP_F_SymFloat_as_expr ? EP_SORT_FLOAT
              : field == EP_F_SymBool_as_expr  ? EP_SORT_BOOL
                                               : m->sort;
}

static bool convert_member(ep_migration *m, const ep_node *node, uint8_t member, ep_node *made,
                           uint8_t slot) {
    const ep_type *from = m->from.schema->types[node->type];
    const ep_type *to = m->maker.fields.schema->types[made->type];
    bool in_union = from->kind == EP_KIND_UNION;
    ep_field field = (ep_field)m->from.field[node->type][member];
    uint64_t bits = node->slots[in_union ? 0 : member];
    uint64_t *place = &made->slots[in_union ? 0 : slot];
    bool done;
    note_sort(m, field);
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
    bool low = m->from.field[node->type][member] == EP_F_RangeConstraint_min_val;
    if (is_open_end(to->members[slot].shape)) {
        bool signed_already = is_open_end(from->members[member].shape);
        made->slots[slot] = signed_already ? node->slots[member] : (uint64_t)(low ? -1 : 1);
        m->steps[EP_STEP_OPEN_END] += !signed_already;
        return true;
    }
    m->steps[EP_STEP_OPEN_END] += is_open_end(from->members[member].shape) ||
                                  is_plain_int(from->members[member].shape) ||
                                  is_plain_int(to->members[slot].shape);
    if (!is_plain_int(to->members[slot].shape)) {
        return to->members[slot].shape->nullable || set_neutral(m, made, slot);
    }
    if (low) {
        return ep_migrate_fail(m, EP_MIGRATE_VALUE, to->members[slot].row->name);
    }
    made->slots[slot] = EP_INT_OO;
    made->present = (uint16_t)(made->present | 1u << slot);
    return true;
}

/* ---------------------------------------------------------------- leftovers */

/* A member that is absent has the bits 0, and none of them another neutral value. */
static bool is_nothing(const ep_member *member, ep_field field, uint64_t bits) {
    return member->shape->op == EP_OP_STR ? ep_ref_size(bits) == 0 : bits == neutral_bits(field);
}

/* Leaves out a member that the version does not have. Going up, a member with content
 * is dropped and counted; going down, it is refused. SPEC 7.1.3, 7.6.1, 7.6.6 */
static bool leave_out(ep_migration *m, const ep_node *node, ep_node *made, uint8_t member) {
    const ep_type *from = m->from.schema->types[node->type];
    ep_field field = (ep_field)m->from.field[node->type][member];
    if (is_nothing(&from->members[member], field, node->slots[member])) {
        return true;
    }
    for (size_t i = 0; i < EP_COUNT_OF(leftover_rows); i++) {
        if ((ep_field)leftover_rows[i].field == field) {
            m->steps[EP_STEP_DROPPED] += !leftover_rows[i].step;
            return true;
        }
    }
    if (field == EP_F_Graph_constants) {
        bool known = m->for_form && m->options->constant != NULL; /* of a subgraph */
        return known || ep_migrate_takes_constants(m, node) ||
               ep_migrate_fail(m, EP_MIGRATE_CONSTANT, from->members[member].row->name);
    }
    bool blob = field == EP_F_CustomObjArgument_blob;
    if (blob && m->for_form) {
        ep_maker_set(&m->maker, made, EP_F_CustomObjArgument_class_fqn, node->slots[member]);
    }
    if (blob || m->until < m->since || field == EP_F_SymExpr_expr_ast) {
        TRY(ep_migrate_refuse(m, EP_MIGRATE_FIELD, from->members[member].row->name));
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
            TRY(convert_member(m, node, member, made, i));
            made->present = (uint16_t)(made->present | 1u << i);
        } else {
            TRY(turn_absent(m, node, member, made, i));
        }
    }
    for (uint8_t i = 0; i < from->count; i++) {
        if (find_in(to, from->members[i].row) == EP_NO_MEMBER) {
            TRY(leave_out(m, node, made, i));
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
    ep_node *made = ep_migrate_new_node(m, t->to->type, node->offset);
    TRY(made != NULL);
    *t->slot = ep_pointer_bits(made);
    m->at = node;
    TRY(copy_members(m, node, made));
    for (size_t i = 0; i < EP_COUNT_OF(step_rows); i++) {
        if (step_rows[i].type == node->type) {
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
    return convert_member(m, node, node->tag, made, tag);
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
    TRY(ep_migrate_open_texts(m));
    TRY(ep_migrate_value(m, from, to, ep_pointer_bits(m->program->root), &made));
    while (m->tasks.count > 0) {
        task t = ep_migrate_tasks_pop(&m->tasks);
        TRY(run_task(m, &t));
    }
    *root = ep_node_at(made);
    return ep_migrate_constants(m, *root) && ep_migrate_dialect(m, ep_node_mutable(made)) &&
           ep_migrate_ranges(m, ep_node_mutable(made));
}
