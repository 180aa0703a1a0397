/*
 * migrate/nodes.c - higher-order operators whose calls differ by version: their returns
 * (SPEC 7.4.4) and their arguments (7.4.7). Arguments are made in the form of the
 * program's own version, before they are converted.
 */
#include "migrate/migrate.h"

#include "language/target.h"

/* ------------------------------------------------------------------- returns */

bool ep_migrate_open_texts(ep_migration *m) {
    const ep_target_row *row;
    uint32_t number;
    bool fresh;
    m->texts = ep_arena_alloc(m->arena, sizeof *m->texts);
    if (m->texts == NULL) {
        return ep_migrate_no_memory(m);
    }
    ep_map_init(&m->texts->expressions, m->arena);
    ep_stack_init(&m->texts->translated, m->arena);
    ep_map_init(&m->texts->higher_order, m->arena);
    for (size_t i = 0; (row = ep_target_row_at(i)) != NULL; i++) {
        const ep_bytes path = {row->text, row->size};
        if (row->kind == EP_TARGET_HIGHER_ORDER &&
            !ep_map_put(&m->texts->higher_order, path, &number, &fresh)) {
            return ep_migrate_no_memory(m);
        }
    }
    return true;
}

/* Whether a node calls a higher-order operator, under whichever of its paths. */
static bool is_higher_order(const ep_migration *m, const ep_node *node) {
    ep_ref target = ep_field_bits(&m->from, node, EP_F_Node_target);
    if ((ep_ref_flags(target) & EP_REF_ESCAPED) == 0) {
        return ep_map_find(&m->texts->higher_order, ep_ref_raw(m->input.data, target)) !=
               EP_MAP_NONE;
    }
    for (size_t i = 0; i < m->texts->higher_order.count; i++) {
        if (ep_text_is(m->input.data, target, m->texts->higher_order.keys[i].text)) {
            return true;
        }
    }
    return false;
}

/* The form in which the tensors that a higher-order operator returns are written. One
 * tensor is written itself, or as the only item of a tuple; several are one list, or an
 * output each. SPEC 7.4.4 */
typedef enum returns {
    RETURNS_OTHERS,
    RETURNS_TENSOR,
    RETURNS_TUPLE_OF_ONE,
    RETURNS_LIST,   /* which the other version writes apart */
    RETURNS_TENSORS /* which the other version writes as a list */
} returns;

/* The outputs are tensors, an output each, and more than one. */
static bool are_tensors(const ep_migration *m, uint64_t outputs) {
    size_t count = ep_list_count(outputs);
    for (size_t i = 0; i < count; i++) {
        if (ep_tag(&m->from, ep_item_node(outputs, i)) != EP_F_Argument_as_tensor) {
            return false;
        }
    }
    return count > 1;
}

static returns returns_of(const ep_migration *m, const ep_node *node) {
    uint64_t outputs = ep_field_bits(&m->from, node, EP_F_Node_outputs);
    if (!is_higher_order(m, node) || ep_list_count(outputs) == 0) {
        return RETURNS_OTHERS;
    }
    if (ep_list_count(outputs) > 1) {
        bool joins = ep_migrate_down(m, EP_V5_1) && are_tensors(m, outputs);
        return joins ? RETURNS_TENSORS : RETURNS_OTHERS;
    }
    const ep_node *output = ep_item_node(outputs, 0);
    ep_field tag = ep_tag(&m->from, output);
    if (tag == EP_F_Argument_as_tensors && ep_list_count(output->slots[0]) > 1) {
        return ep_migrate_up(m, EP_V5_1) ? RETURNS_LIST : RETURNS_OTHERS;
    }
    if (tag == EP_F_Argument_as_tensors && ep_list_count(output->slots[0]) == 1 &&
        m->from.slot[EP_F_Node_is_hop_single_tensor_return] == EP_NO_MEMBER) {
        return RETURNS_TUPLE_OF_ONE;
    }
    if (tag != EP_F_Argument_as_tensor) {
        return RETURNS_OTHERS;
    }
    return ep_field_present(&m->from, node, EP_F_Node_is_hop_single_tensor_return) &&
                   ep_field_bits(&m->from, node, EP_F_Node_is_hop_single_tensor_return) == 0
               ? RETURNS_TUPLE_OF_ONE
               : RETURNS_TENSOR;
}

bool ep_migrate_turns_outputs(const ep_migration *m, const ep_node *node) {
    returns r = returns_of(m, node);
    bool has = ep_maker_has(&m->maker, EP_F_Node_is_hop_single_tensor_return);
    bool had = m->from.slot[EP_F_Node_is_hop_single_tensor_return] != EP_NO_MEMBER;
    return r == RETURNS_LIST || r == RETURNS_TENSORS || (r == RETURNS_TUPLE_OF_ONE && has != had);
}

/* The tensors that a node returns, as TensorArguments of the other version. */
static bool take_tensors(ep_migration *m, uint64_t outputs, ep_stack *tensors) {
    const ep_node *first = ep_item_node(outputs, 0);
    bool listed = ep_tag(&m->from, first) == EP_F_Argument_as_tensors;
    size_t count = ep_list_count(listed ? first->slots[0] : outputs);
    for (size_t i = 0; i < count; i++) {
        const ep_node *named =
            listed ? ep_item_node(first->slots[0], i) : ep_tag_node(ep_item_node(outputs, i));
        ep_node *tensor = ep_maker_struct(&m->maker, EP_SHAPE_TensorArgument);
        if (tensor == NULL || !ep_stack_push(tensors, ep_pointer_bits(tensor))) {
            return ep_migrate_no_memory(m);
        }
        ep_maker_set(&m->maker, tensor, EP_F_TensorArgument_name,
                     ep_field_bits(&m->from, named, EP_F_TensorArgument_name));
    }
    return true;
}

/* Each tensor becomes an output; or their list the only one. */
static bool put_tensors(ep_migration *m, ep_stack *tensors, bool list, uint64_t *outputs) {
    uint64_t bits;
    ep_field tag = list ? EP_F_Argument_as_tensors : EP_F_Argument_as_tensor;
    if (list) {
        TRY(ep_migrate_list(m, tensors, &bits));
        tensors->words[0] = bits; /* there is one tensor, or several */
        tensors->count = 1;
    }
    for (size_t i = 0; i < tensors->count; i++) {
        ep_node *output = ep_maker_union(&m->maker, EP_SHAPE_Argument, tag, tensors->words[i]);
        if (output == NULL) {
            return ep_migrate_no_memory(m);
        }
        tensors->words[i] = ep_pointer_bits(output);
    }
    return ep_migrate_list(m, tensors, outputs);
}

static bool set_outputs(ep_migration *m, const ep_node *node, ep_node *made, bool list) {
    ep_stack tensors;
    uint64_t outputs;
    ep_stack_init(&tensors, m->arena);
    bool ok = take_tensors(m, ep_field_bits(&m->from, node, EP_F_Node_outputs), &tensors) &&
              put_tensors(m, &tensors, list, &outputs);
    if (ok) {
        ep_maker_set(&m->maker, made, EP_F_Node_outputs, outputs);
    }
    ep_stack_free(&tensors);
    return ok;
}

/* Whether a node has the field for the form of its one output, and the output is no
 * tensor: versions without the field have no form for that. SPEC 7.4.4 */
static bool says_of_other(const ep_migration *m, const ep_node *node) {
    uint64_t outputs = ep_field_bits(&m->from, node, EP_F_Node_outputs);
    return ep_field_present(&m->from, node, EP_F_Node_is_hop_single_tensor_return) &&
           !ep_maker_has(&m->maker, EP_F_Node_is_hop_single_tensor_return) &&
           ep_list_count(outputs) == 1 &&
           ep_tag(&m->from, ep_item_node(outputs, 0)) != EP_F_Argument_as_tensor &&
           is_higher_order(m, node);
}

static bool set_returns(ep_migration *m, const ep_node *node, ep_node *made) {
    returns r = returns_of(m, node);
    if (says_of_other(m, node)) {
        m->at = node;
        return ep_migrate_fail(m, EP_MIGRATE_FIELD, "is_hop_single_tensor_return");
    }
    bool has = ep_maker_has(&m->maker, EP_F_Node_is_hop_single_tensor_return);
    bool had = m->from.slot[EP_F_Node_is_hop_single_tensor_return] != EP_NO_MEMBER;
    bool one = r == RETURNS_TENSOR || r == RETURNS_TUPLE_OF_ONE;
    if (r == RETURNS_OTHERS || (one && has == had)) {
        return true;
    }
    m->steps[EP_STEP_RETURNS]++;
    if (has && one) {
        ep_maker_set(&m->maker, made, EP_F_Node_is_hop_single_tensor_return, r == RETURNS_TENSOR);
    }
    bool list = r == RETURNS_TENSORS || (r == RETURNS_TUPLE_OF_ONE && !has);
    return r == RETURNS_TENSOR || set_outputs(m, node, made, list);
}

/* ----------------------------------------------------------------- arguments */

/* How the arguments of an operator change at a version. */
typedef enum convention {
    CONVENTION_SAME,
    CONVENTION_MAP,  /* how many are mapped, and all of them; two lists */
    CONVENTION_WHILE /* no list of what is not carried; a list */
} convention;

typedef struct convention_row {
    const char *path;
    convention convention;
    ep_version_number since;
} convention_row;

/* SPEC 7.4.7 */
static const convention_row convention_rows[] = {
    {"torch.ops.higher_order.map_impl", CONVENTION_MAP, EP_V5_1},
    {"torch.ops.map_impl", CONVENTION_MAP, EP_V5_1},
    {"torch.ops.higher_order.while_loop", CONVENTION_WHILE, EP_V5_3},
};

static convention convention_of(const ep_migration *m, const ep_node *node) {
    ep_ref target = ep_field_bits(&m->from, node, EP_F_Node_target);
    for (size_t i = 0; i < EP_COUNT_OF(convention_rows); i++) {
        const convention_row *row = &convention_rows[i];
        if (ep_text_is(m->input.data, target, ep_text_of(row->path))) {
            bool changes = ep_migrate_up(m, row->since) || ep_migrate_down(m, row->since);
            return changes ? row->convention : CONVENTION_SAME;
        }
    }
    return CONVENTION_SAME;
}

static const ep_node *argument_at(const ep_migration *m, uint64_t inputs, size_t i) {
    return ep_field_node(&m->from, ep_item_node(inputs, i), EP_F_NamedArgument_arg);
}

/* Whether the i-th argument is there, and under this tag. */
static bool is_given(const ep_migration *m, uint64_t inputs, size_t i, ep_field tag) {
    return i < ep_list_count(inputs) && ep_tag(&m->from, argument_at(m, inputs, i)) == tag;
}

/* Whether the second argument says how many of the tensors behind it are mapped, and
 * there are only tensors behind it. */
static bool maps_up(const ep_migration *m, uint64_t inputs) {
    size_t count = ep_list_count(inputs);
    int64_t mapped = (int64_t)argument_at(m, inputs, 1)->slots[0];
    TRY(mapped >= 0 && (uint64_t)mapped <= count - 2);
    for (size_t i = 2; i < count; i++) {
        TRY(is_given(m, inputs, i, EP_F_Argument_as_tensor));
    }
    return true;
}

bool ep_migrate_turns_inputs(const ep_migration *m, const ep_node *node) {
    uint64_t inputs = ep_field_bits(&m->from, node, EP_F_Node_inputs);
    bool up = m->since < m->until;
    switch (convention_of(m, node)) {
    case CONVENTION_SAME:
        return false;
    case CONVENTION_MAP:
        return is_given(m, inputs, 1, up ? EP_F_Argument_as_int : EP_F_Argument_as_tensors) &&
               (!m->for_form || maps_up(m, inputs));
    case CONVENTION_WHILE:
        return ep_list_count(inputs) == (up ? 3 : 4);
    }
    EP_UNREACHABLE(); /* each has its case */
    return false;
}

/* An argument without a name, like one that the node has. */
static bool push_argument(ep_migration *m, const ep_node *like, ep_field tag, uint64_t bits,
                          ep_stack *inputs) {
    size_t size = sizeof *like + m->from.schema->types[like->type]->count * sizeof(uint64_t);
    ep_node *named = ep_arena_alloc(m->arena, size);
    ep_node *argument = ep_arena_alloc(m->arena, sizeof *argument + sizeof(uint64_t));
    if (named == NULL || argument == NULL) {
        return ep_migrate_no_memory(m);
    }
    TRY(ep_migrate_repeat(m, ep_field_bits(&m->from, like, EP_F_NamedArgument_name)));
    memcpy(named, like, size);
    const ep_node *old = ep_field_node(&m->from, like, EP_F_NamedArgument_arg);
    memcpy(argument, old, sizeof *argument);
    argument->tag = m->from.slot[tag];
    argument->slots[0] = bits;
    named->slots[m->from.slot[EP_F_NamedArgument_arg]] = ep_pointer_bits(argument);
    return ep_migrate_push(m, inputs, ep_pointer_bits(named));
}

/* Makes one argument, a list of tensors, of some of the arguments, which are tensors. */
static bool push_list(ep_migration *m, uint64_t old, size_t from, size_t until, ep_stack *inputs) {
    ep_stack tensors;
    uint64_t list;
    ep_stack_init(&tensors, m->arena);
    bool ok = true;
    for (size_t i = from; ok && i < until; i++) {
        ok = ep_migrate_push(m, &tensors, argument_at(m, old, i)->slots[0]);
    }
    ok = ok && ep_migrate_list(m, &tensors, &list);
    ok = ok && push_argument(m, ep_item_node(old, 0), EP_F_Argument_as_tensors, list, inputs);
    ep_stack_free(&tensors);
    return ok;
}

/* (f, 1, xs, y) is (f, [xs], [y]) later. */
static bool map_up(ep_migration *m, uint64_t old, ep_stack *inputs) {
    if (!maps_up(m, old)) {
        return ep_migrate_fail(m, EP_MIGRATE_VALUE, "inputs");
    }
    size_t split = 2 + (size_t)argument_at(m, old, 1)->slots[0];
    size_t count = ep_list_count(old);
    return push_list(m, old, 2, split, inputs) && push_list(m, old, split, count, inputs);
}

/* The reverse, which an argument that is no tensor forbids. */
static bool map_down(ep_migration *m, uint64_t old, ep_stack *inputs) {
    const ep_node *like = ep_item_node(old, 0);
    size_t mapped = ep_list_count(argument_at(m, old, 1)->slots[0]);
    TRY(push_argument(m, like, EP_F_Argument_as_int, mapped, inputs));
    for (size_t i = 1; i < ep_list_count(old); i++) {
        if (!is_given(m, old, i, EP_F_Argument_as_tensors)) {
            return ep_migrate_fail(m, EP_MIGRATE_VALUE, "inputs");
        }
        uint64_t tensors = argument_at(m, old, i)->slots[0];
        for (size_t k = 0; k < ep_list_count(tensors); k++) {
            TRY(push_argument(m, like, EP_F_Argument_as_tensor, ep_list_at(tensors)->items[k],
                              inputs));
        }
    }
    return true;
}

/* (cond, body, carried) is (cond, body, carried, []) later. */
static bool turn_while(ep_migration *m, uint64_t old, ep_stack *inputs) {
    bool up = m->since < m->until;
    for (size_t i = 1; i < 3; i++) {
        if (!ep_stack_push(inputs, ep_list_at(old)->items[i])) {
            return ep_migrate_no_memory(m);
        }
    }
    if (up) {
        return push_list(m, old, 0, 0, inputs);
    }
    bool empty = is_given(m, old, 3, EP_F_Argument_as_tensors) &&
                 ep_list_count(argument_at(m, old, 3)->slots[0]) == 0;
    return empty || ep_migrate_fail(m, EP_MIGRATE_VALUE, "inputs");
}

static bool turn_inputs(ep_migration *m, convention how, uint64_t old, ep_stack *inputs) {
    if (!ep_stack_push(inputs, ep_list_at(old)->items[0])) {
        return ep_migrate_no_memory(m);
    }
    if (how == CONVENTION_WHILE) {
        return turn_while(m, old, inputs);
    }
    return m->since < m->until ? map_up(m, old, inputs) : map_down(m, old, inputs);
}

static bool set_inputs(ep_migration *m, const ep_node *node, ep_node *made) {
    uint8_t from = m->from.slot[EP_F_Node_inputs];
    uint8_t to = m->maker.fields.slot[EP_F_Node_inputs];
    ep_stack inputs;
    uint64_t list;
    if (!ep_migrate_turns_inputs(m, node)) {
        return true;
    }
    m->steps[EP_STEP_ARGUMENTS]++;
    ep_stack_init(&inputs, m->arena);
    bool ok = turn_inputs(m, convention_of(m, node), node->slots[from], &inputs) &&
              ep_migrate_list(m, &inputs, &list);
    ep_stack_free(&inputs);
    TRY(ok);
    made->present = (uint16_t)(made->present | 1u << to);
    return ep_migrate_value(m, m->from.schema->types[node->type]->members[from].shape,
                            m->maker.fields.schema->types[made->type]->members[to].shape, list,
                            &made->slots[to]);
}

bool ep_migrate_node(ep_migration *m, const ep_node *node, ep_node *made) {
    return set_returns(m, node, made) && set_inputs(m, node, made);
}
