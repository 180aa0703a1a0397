/*
 * audit/audit.c - what loading the program would make PyTorch evaluate, import or call
 * (SPEC part 9). One traversal of the tree; each string that a loader processes further
 * is passed to audit/strings.c. An audit refuses nothing: a valid program can have
 * findings.
 */
#include "audit/audit.h"

#define LOOK(type, member, look) [EP_F_##type##_##member] = EP_LOOK_##look,
static const uint8_t looks[EP_FIELD_COUNT + 1] = {
#include "audit/audit.def"
};

/* A value that is being visited. */
typedef struct visit {
    const ep_shape *shape;
    uint64_t bits;
    size_t next; /* the part to visit next */
    ep_look look;
} visit;

EP_STACK_OF(visits, visit);

/* The visit on top of the stack, which is moved to its next part. */
static visit step(visits *stack) {
    visit v = *visits_top(stack);
    visits_top(stack)->next++;
    return v;
}

/* The next part of a value; false when there is none. A shape of NULL is an absent
 * part. */
static bool part_of(const ep_auditor *auditor, const visit *v, visit *part) {
    const ep_node *node = ep_node_at(v->bits);
    ep_op op = (ep_op)v->shape->op;
    *part = (visit){.look = v->look};
    if (op == EP_OP_STRUCT || op == EP_OP_UNION) {
        bool united = op == EP_OP_UNION;
        bool more = united ? v->next == 0 : v->next < v->shape->type->count;
        TRY(more);
        size_t member = united ? node->tag : v->next;
        part->look = (ep_look)looks[auditor->fields.field[node->type][member]];
        if (united && part->look == EP_LOOK_NONE) {
            part->look = v->look;
        }
        if (united || (node->present >> v->next & 1) != 0) {
            part->shape = v->shape->type->members[member].shape;
            part->bits = node->slots[v->next];
        }
        return true;
    }
    TRY(v->next < ep_list_count(v->bits));
    part->shape = op == EP_OP_TUPLE && v->next == 1 ? v->shape->second : v->shape->of;
    part->bits =
        op == EP_OP_DICT ? ep_dict_value(v->bits, v->next) : ep_list_at(v->bits)->items[v->next];
    return true;
}

/* Whether the value can contain strings to audit. */
static bool is_worth(const visit *v) {
    ep_op op = (ep_op)v->shape->op;
    bool scalars = op >= EP_OP_LIST && (ep_op)v->shape->of->op < EP_OP_STRUCT;
    return op >= EP_OP_STRUCT && !(scalars && v->look == EP_LOOK_NONE);
}

static bool is_node(const visit *v) {
    return v->shape->op == EP_OP_STRUCT &&
           ep_node_at(v->bits)->type == ep_field_type(EP_F_Node_target);
}

static bool visit_part(ep_auditor *auditor, visits *stack, const visit *whole, visit part) {
    if (part.shape == NULL) {
        return true;
    }
    if (whole->look == EP_LOOK_COUNTER && whole->shape->op == EP_OP_DICT) {
        ep_ref key = ep_dict_key(whole->bits, whole->next);
        TRY(ep_audit_string(auditor, EP_LOOK_COUNTER, key));
    }
    if (is_node(&part)) {
        TRY(ep_audit_node(auditor, ep_node_at(part.bits)));
    }
    if (is_worth(&part)) {
        return visits_push(stack, part);
    }
    ep_op op = (ep_op)part.shape->op;
    if (part.look == EP_LOOK_NONE) {
        return true;
    }
    if (op != EP_OP_STR && op != EP_OP_BYTES) { /* the value of an input */
        return true;
    }
    if (part.look == EP_LOOK_METADATA) {
        return ep_audit_metadata(auditor, ep_dict_key(whole->bits, whole->next), part.bits);
    }
    if (part.look == EP_LOOK_IN_SPEC) {
        TRY(ep_audit_string(auditor, EP_LOOK_TREESPEC, part.bits));
    }
    return ep_audit_string(auditor, part.look, part.bits);
}

static bool walk(ep_auditor *auditor, visits *stack) {
    const ep_program *program = auditor->program;
    visit root = {&program->schema->shapes[EP_SHAPE_ExportedProgram],
                  ep_pointer_bits(program->root), 0, EP_LOOK_NONE};
    TRY(visits_push(stack, root));
    while (stack->count > 0) {
        visit part;
        visit v = step(stack);
        if (part_of(auditor, &v, &part)) {
            TRY(visit_part(auditor, stack, &v, part));
        } else {
            stack->count--;
        }
    }
    return true;
}

EP_API bool ep_audit(const ep_program *program, ep_arena *scratch, ep_hear *hear, void *context,
                     ep_error *error) {
    bool given = program != NULL && scratch != NULL && hear != NULL;
    if (!given || program->partial) { /* SPEC 3.10.3 */
        return ep_error_unusable(error, given);
    }
    ep_auditor auditor = {.program = program, .input = program->input, .arena = scratch};
    visits stack;
    auditor.hear = hear;
    auditor.context = context;
    auditor.version = ep_version_number_of(program->schema->version);
    ep_fields_open(&auditor.fields, program->schema);
    for (size_t i = 0; i < EP_LOOK_COUNT; i++) {
        ep_map_init(&auditor.seen[i], scratch);
    }
    visits_init(&stack, scratch);
    bool ok = walk(&auditor, &stack);
    visits_free(&stack);
    for (size_t i = 0; i < EP_LOOK_COUNT; i++) {
        ep_map_free(&auditor.seen[i]);
    }
    if (!ok) {
        return ep_error_plain(error, EP_MEMORY);
    }
    ep_audit_tell_rest(&auditor);
    ep_error_clear(error);
    return true;
}
