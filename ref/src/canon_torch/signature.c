/*
 * canon_torch/signature.c - the torch form of the signature: inputs and outputs are
 * sorted with their specs, and the names in the specs become those that the graph has
 * after renaming. SPEC 6.9.5, 6.9.13. The signature of version 1 is made of
 * dictionaries, and PyTorch never brought it into this form: SPEC 6.9.14
 */
#include "canon_torch/canon_torch.h"

/* The inputs or the outputs of the signature. */
typedef struct side {
    const ep_spec *specs;
    size_t count;    /* of them */
    uint64_t values; /* the graph's list */
    uint64_t list;   /* the signature's; 0 in version 1 */
    bool inputs;
} side;

static bool has_specs(const ep_torch *t) {
    return t->fields.slot[EP_F_GraphSignature_input_specs] != EP_NO_MEMBER;
}

/* -------------------------------------------------------------------- order */

/* The sort key of a spec: its kind, and the name in it for the kinds where it counts.
 * Kinds that a version does not have do not change the order of the others. SPEC 6.9.5 */
static bool key_of(ep_torch *t, const side *s, const ep_spec *spec, ep_torch_key *key) {
    ep_spec_order order = s->inputs ? ep_input_order(spec->kind, EP_CANON_TORCH)
                                    : ep_output_order(spec->kind, EP_CANON_TORCH);
    key->rank = order.row;
    if (order.by == EP_SPEC_BY_TARGET &&
        !ep_ref_text(t->arena, t->input, spec->target, &key->text)) {
        return ep_torch_no_memory(t);
    }
    return true;
}

/* --------------------------------------------------------------- version 1 */

static bool keep_first(void *context, const ep_leaf *leaf) {
    ep_ref *name = context;
    *name = leaf->name == NULL ? 0 : *leaf->name;
    return false;
}

/* Maps the names of values to specs. Of several specs for one value it takes the first
 * that is not the spec of a user input or output. */
static bool index_specs(ep_torch *t, const side *s, ep_map *names, const ep_spec **by_name) {
    for (size_t i = 0; i < s->count; i++) {
        int user = s->inputs ? (int)EP_INPUT_USER : (int)EP_OUTPUT_USER;
        ep_bytes text;
        uint32_t number;
        bool fresh;
        if (s->specs[i].kind == user) {
            continue;
        }
        if (!ep_ref_text(t->arena, t->input, s->specs[i].value, &text) ||
            !ep_map_put(names, text, &number, &fresh)) {
            return ep_torch_no_memory(t);
        }
        if (fresh) {
            by_name[number] = &s->specs[i];
        }
    }
    return true;
}

/* Finds the number in a map of the name of an input or output; of one without a name the
 * number stays as it is. */
static bool find_value(ep_torch *t, const ep_node *argument, const ep_map *names,
                       uint32_t *number) {
    ep_ref name = 0;
    ep_bytes text;
    /* Arguments of version 1 do not nest, so that this cannot run out of memory. */
    ep_leaves(t->arena, &t->fields, argument, keep_first, &name);
    if (name == 0) {
        return true;
    }
    if (!ep_ref_text(t->arena, t->input, name, &text)) {
        return ep_torch_no_memory(t);
    }
    *number = ep_map_find(names, text);
    return true;
}

static bool old_keys_by(ep_torch *t, const side *s, ep_map *names, const ep_spec **by_name,
                        ep_torch_key *keys) {
    ep_spec user = {.kind = s->inputs ? (int)EP_INPUT_USER : (int)EP_OUTPUT_USER};
    TRY(index_specs(t, s, names, by_name));
    for (size_t i = 0; i < ep_list_count(s->values); i++) {
        uint32_t number = EP_MAP_NONE;
        TRY(find_value(t, ep_item_node(s->values, i), names, &number));
        TRY(key_of(t, s, number == EP_MAP_NONE ? &user : by_name[number], &keys[i]));
    }
    return true;
}

static bool old_keys(ep_torch *t, const side *s, ep_torch_key *keys) {
    ep_map names;
    const ep_spec **by_name = ep_arena_array(t->arena, 0, s->count, sizeof(ep_spec *));
    ep_map_init(&names, t->arena);
    bool ok = by_name != NULL ? old_keys_by(t, s, &names, by_name, keys) : ep_torch_no_memory(t);
    ep_map_free(&names);
    return ok;
}

/* ------------------------------------------------------------------- sorting */

static bool spec_keys(ep_torch *t, const side *s, ep_torch_key *keys) {
    for (size_t i = 0; i < s->count; i++) {
        TRY(key_of(t, s, &s->specs[i], &keys[i]));
    }
    return true;
}

static bool sort_side(ep_torch *t, const side *s) {
    size_t count = ep_list_count(s->values);
    ep_torch_key *keys = ep_arena_array(t->arena, 0, count, sizeof *keys);
    uint64_t *scratch = ep_arena_array(t->arena, 0, count, sizeof *scratch);
    if (keys == NULL || scratch == NULL) {
        return ep_torch_no_memory(t);
    }
    memset(keys, 0, count * sizeof *keys); /* empty texts */
    TRY(has_specs(t) ? spec_keys(t, s, keys) : old_keys(t, s, keys));
    const uint32_t *order = ep_torch_order(t, keys, count);
    TRY(order != NULL);
    if (s->values != 0) {
        ep_sort_apply(order, ep_torch_items(s->values), count, scratch);
    }
    if (s->list != 0) {
        ep_sort_apply(order, ep_torch_items(s->list), count, scratch);
    }
    return true;
}

/* There have to be as many specs as values, and at least one output. SPEC 6.9.5 */
static bool check_side(ep_torch *t, const side *s, const ep_node *graph, const ep_node *signature) {
    size_t count = ep_list_count(s->values);
    bool needed = !s->inputs || ep_torch_has(t, EP_TORCH_NEEDS_INPUT);
    if (has_specs(t) && s->count != count) {
        return ep_torch_fail(t, EP_TORCH_SPEC, signature,
                             s->inputs ? "a spec for each input" : "a spec for each output");
    }
    if (count == 0 && needed) {
        return ep_torch_fail(t, EP_TORCH_SPEC, graph, s->inputs ? "an input" : "an output");
    }
    return true;
}

bool ep_torch_sort_signature(ep_torch *t, const ep_node *module) {
    const ep_fields *f = &t->fields;
    const ep_node *graph = ep_field_node(f, module, EP_F_GraphModule_graph);
    const ep_node *signature = ep_field_node(f, module, EP_F_GraphModule_signature);
    ep_specs specs;
    if (!ep_specs_read(&specs, t->arena, f, signature)) {
        return ep_torch_no_memory(t);
    }
    side inputs = {specs.inputs, specs.input_count, ep_field_bits(f, graph, EP_F_Graph_inputs),
                   ep_field_bits(f, signature, EP_F_GraphSignature_input_specs), true};
    side outputs = {specs.outputs, specs.output_count, ep_field_bits(f, graph, EP_F_Graph_outputs),
                    ep_field_bits(f, signature, EP_F_GraphSignature_output_specs), false};
    return check_side(t, &inputs, graph, signature) && check_side(t, &outputs, graph, signature) &&
           sort_side(t, &inputs) && sort_side(t, &outputs);
}

/* ------------------------------------------------------------------ renaming */

/* Renames a name, which must have a new one. */
static bool rename_slot(ep_torch *t, uint64_t *slot) {
    ep_ref fresh;
    TRY(ep_torch_find(t, &t->scope, *slot, &fresh));
    if (fresh == 0) {
        return ep_torch_fail_name(t, EP_TORCH_NAME, *slot, "a value that the graph defines");
    }
    *slot = fresh;
    return true;
}

/* Renames the Argument of a user input or output. SPEC 6.9.13 */
static bool rename_user(ep_torch *t, const ep_spec *spec, bool input) {
    const ep_node *argument = spec->argument;
    ep_node *inner = ep_node_mutable(argument->slots[0]);
    ep_field tag = ep_tag(&t->fields, argument);
    if (tag == EP_F_Argument_as_tensor) {
        return rename_slot(t, ep_torch_slot(t, inner, EP_F_TensorArgument_name));
    }
    if (tag == EP_F_Argument_as_sym_int || tag == EP_F_Argument_as_sym_float) {
        ep_field said = ep_tag(&t->fields, inner);
        bool named = said == EP_F_SymIntArgument_as_name || said == EP_F_SymFloatArgument_as_name;
        return !named || rename_slot(t, &inner->slots[0]);
    }
    bool passes = tag == EP_F_Argument_as_none || tag == EP_F_Argument_as_int ||
                  tag == EP_F_Argument_as_float || tag == EP_F_Argument_as_string ||
                  (tag == EP_F_Argument_as_custom_obj && input) ||
                  (tag == EP_F_Argument_as_bool &&
                   ep_torch_has(t, input ? EP_TORCH_BOOL_INPUT : EP_TORCH_BOOL_OUTPUT));
    return passes || ep_torch_fail(t, EP_TORCH_SPEC, argument,
                                   input ? "a user input that canonicalize knows"
                                         : "a user output that canonicalize knows");
}

/* The name in a TensorArgument, TokenArgument or CustomObjArgument, which is the first member
 * of each. */
static uint64_t *name_slot(ep_node *argument) {
    return &argument->slots[0];
}

static bool rename_input(ep_torch *t, const ep_spec *spec) {
    if (spec->kind == EP_INPUT_USER) {
        return rename_user(t, spec, true);
    }
    bool stays = spec->kind == EP_INPUT_CONSTANT ||
                 (spec->kind == EP_INPUT_CUSTOM_OBJ && !ep_torch_has(t, EP_TORCH_OBJECTS));
    return stays || rename_slot(t, name_slot(spec->argument));
}

static bool rename_output(ep_torch *t, const ep_spec *spec) {
    if (spec->kind == EP_OUTPUT_USER) {
        return rename_user(t, spec, false);
    }
    ep_node *inner = ep_node_mutable(spec->spec->slots[0]);
    TRY(rename_slot(t, name_slot(spec->argument)));
    if (spec->kind == EP_OUTPUT_USER_INPUT_MUTATION) {
        return rename_slot(t, ep_torch_slot(t, inner, EP_F_UserInputMutationSpec_user_input_name));
    }
    if (spec->kind == EP_OUTPUT_GRADIENT_TO_USER_INPUT) {
        return rename_slot(t,
                           ep_torch_slot(t, inner, EP_F_GradientToUserInputSpec_user_input_name));
    }
    return true;
}

/* ------------------------------------------------------- renaming, version 1 */

/* Renames a name. One that nothing defines stays. */
static bool rename_item(ep_torch *t, uint64_t *item) {
    ep_ref fresh;
    TRY(ep_torch_find(t, &t->scope, *item, &fresh));
    *item = fresh == 0 ? *item : fresh;
    return true;
}

static bool rename_items(ep_torch *t, uint64_t *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        TRY(rename_item(t, &items[i]));
    }
    return true;
}

/* Renames a dict from values to targets, or a list of values. */
static bool rename_part(ep_torch *t, const ep_node *node, ep_field field, bool dict) {
    uint64_t bits = ep_field_bits(&t->fields, node, field);
    return rename_items(t, ep_torch_items(bits), ep_list_count(bits)) &&
           (!dict || ep_torch_sort_dict_by_value(t, bits));
}

static bool rename_backward(ep_torch *t, ep_node *backward) {
    uint64_t users =
        ep_field_bits(&t->fields, backward, EP_F_BackwardSignature_gradients_to_user_inputs);
    uint64_t *targets = users == 0 ? NULL : ep_torch_items(users) + ep_list_count(users);
    return rename_part(t, backward, EP_F_BackwardSignature_gradients_to_parameters, true) &&
           rename_part(t, backward, EP_F_BackwardSignature_gradients_to_user_inputs, false) &&
           rename_items(t, targets, ep_list_count(users)) &&
           rename_item(t, ep_torch_slot(t, backward, EP_F_BackwardSignature_loss_output));
}

static bool rename_old(ep_torch *t, const ep_node *signature) {
    ep_node *backward =
        ep_field_mutable(&t->fields, signature, EP_F_GraphSignature_backward_signature);
    return rename_part(t, signature, EP_F_GraphSignature_inputs_to_parameters, true) &&
           rename_part(t, signature, EP_F_GraphSignature_inputs_to_buffers, true) &&
           rename_part(t, signature, EP_F_GraphSignature_buffers_to_mutate, true) &&
           rename_part(t, signature, EP_F_GraphSignature_user_inputs, false) &&
           rename_part(t, signature, EP_F_GraphSignature_user_outputs, false) &&
           (backward == NULL || rename_backward(t, backward));
}

bool ep_torch_rename_signature(ep_torch *t, const ep_node *module) {
    const ep_node *signature = ep_field_node(&t->fields, module, EP_F_GraphModule_signature);
    ep_specs specs;
    if (!has_specs(t)) {
        return rename_old(t, signature);
    }
    if (!ep_specs_read(&specs, t->arena, &t->fields, signature)) {
        return ep_torch_no_memory(t);
    }
    for (size_t i = 0; i < specs.input_count; i++) {
        TRY(rename_input(t, &specs.inputs[i]));
    }
    for (size_t i = 0; i < specs.output_count; i++) {
        TRY(rename_output(t, &specs.outputs[i]));
    }
    return true;
}
