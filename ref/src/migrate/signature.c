/*
 * migrate/signature.c - the signature: dictionaries in version 1, specs in later
 * versions (SPEC 7.4.1).
 */
#include "migrate/migrate.h"

/* ------------------------------------------------------------------ up: specs */

/* How a spec of a kind is made. */
typedef struct spec_row {
    uint8_t kind;
    uint8_t type;   /* of the struct, a shape's number */
    uint8_t tag;    /* of the union */
    uint8_t arg;    /* the field */
    uint8_t target; /* the field, or none */
} spec_row;

static const spec_row input_rows[] = {
    {EP_INPUT_PARAMETER, EP_SHAPE_InputToParameterSpec, EP_F_InputSpec_parameter,
     EP_F_InputToParameterSpec_arg, EP_F_InputToParameterSpec_parameter_name},
    {EP_INPUT_BUFFER, EP_SHAPE_InputToBufferSpec, EP_F_InputSpec_buffer, EP_F_InputToBufferSpec_arg,
     EP_F_InputToBufferSpec_buffer_name},
    {EP_INPUT_USER, EP_SHAPE_UserInputSpec, EP_F_InputSpec_user_input, EP_F_UserInputSpec_arg,
     EP_F_none},
};

static const spec_row output_rows[] = {
    {EP_OUTPUT_BUFFER_MUTATION, EP_SHAPE_BufferMutationSpec, EP_F_OutputSpec_buffer_mutation,
     EP_F_BufferMutationSpec_arg, EP_F_BufferMutationSpec_buffer_name},
    {EP_OUTPUT_USER, EP_SHAPE_UserOutputSpec, EP_F_OutputSpec_user_output, EP_F_UserOutputSpec_arg,
     EP_F_none},
    {EP_OUTPUT_LOSS, EP_SHAPE_LossOutputSpec, EP_F_OutputSpec_loss_output, EP_F_LossOutputSpec_arg,
     EP_F_none},
    {EP_OUTPUT_GRADIENT_TO_PARAMETER, EP_SHAPE_GradientToParameterSpec,
     EP_F_OutputSpec_gradient_to_parameter, EP_F_GradientToParameterSpec_arg,
     EP_F_GradientToParameterSpec_parameter_name},
    {EP_OUTPUT_GRADIENT_TO_USER_INPUT, EP_SHAPE_GradientToUserInputSpec,
     EP_F_OutputSpec_gradient_to_user_input, EP_F_GradientToUserInputSpec_arg,
     EP_F_GradientToUserInputSpec_user_input_name},
};

typedef struct row_list {
    const spec_row *rows;
    size_t count;
    ep_shape_number type; /* InputSpec or OutputSpec */
} row_list;

static const spec_row *migrated_row_of(const row_list *list, int kind) {
    for (size_t i = 0; EP_ALWAYS(i < list->count); i++) { /* each kind has a row */
        if (list->rows[i].kind == kind) {
            return &list->rows[i];
        }
    }
    return NULL;
}

/* A struct with one name, TensorArgument. */
static ep_node *tensor_argument(ep_migration *m, ep_ref name) {
    ep_node *node = ep_maker_struct(&m->maker, EP_SHAPE_TensorArgument);
    if (node != NULL) {
        ep_maker_set(&m->maker, node, EP_F_TensorArgument_name, name);
    }
    return node;
}

/* The spec of one argument of the graph. */
static bool make_spec(ep_migration *m, const row_list *list, const ep_spec *spec,
                      const ep_node *argument, uint64_t *bits) {
    const spec_row *row = migrated_row_of(list, spec->kind);
    ep_node *made = ep_maker_struct(&m->maker, (ep_shape_number)row->type);
    ep_node *in = made == NULL ? NULL
                               : ep_maker_union(&m->maker, list->type, (ep_field)row->tag,
                                                ep_pointer_bits(made));
    if (in == NULL) {
        return ep_migrate_no_memory(m);
    }
    made->offset = in->offset = argument->offset;
    *bits = ep_pointer_bits(in);
    const ep_shape *from = &m->from.schema->shapes[EP_SHAPE_Argument];
    const ep_shape *to = ep_maker_shape(&m->maker, (ep_shape_number)row->type, (ep_field)row->arg);
    ep_maker_set(&m->maker, made, (ep_field)row->arg, 0);
    if (row->target != EP_F_none) {
        ep_maker_set(&m->maker, made, (ep_field)row->target, spec->target);
    }
    if (row->tag == EP_F_InputSpec_buffer) { /* SPEC 7.3.1 */
        ep_maker_set(&m->maker, made, EP_F_InputToBufferSpec_persistent, 1);
    }
    uint64_t *slot = &made->slots[m->maker.fields.slot[row->arg]];
    if (to->type->number == from->type->number) {
        return ep_migrate_value(m, from, to, ep_pointer_bits(argument), slot);
    }
    ep_node *tensor = tensor_argument(m, ep_argument_name(&m->from, argument));
    *slot = ep_pointer_bits(tensor);
    return tensor != NULL || ep_migrate_no_memory(m);
}

static bool make_specs(ep_migration *m, const row_list *list, const ep_spec *specs,
                       uint64_t arguments, uint64_t *made) {
    size_t count = ep_list_count(arguments);
    uint32_t *numbers = ep_arena_array(m->arena, 0, count, sizeof *numbers);
    ep_stack items;
    ep_stack_init(&items, m->arena);
    ep_specs_side side = {specs, arguments};
    bool ok = numbers != NULL && ep_specs_place(m->arena, &m->from, m->input, side, numbers);
    if (!ok) {
        ep_migrate_no_memory(m);
    }
    for (size_t i = 0; ok && i < count; i++) {
        uint64_t bits = 0;
        ok = make_spec(m, list, &specs[numbers[i]], ep_item_node(arguments, i), &bits) &&
             ep_migrate_push(m, &items, bits);
    }
    ok = ok && ep_migrate_list(m, &items, made);
    ep_stack_free(&items);
    return ok;
}

/* SPEC 7.4.1: the loss of version 1 is named among the outputs. */
static void mark_loss(ep_migration *m, const ep_node *node) {
    const ep_node *backward = ep_field_node(&m->from, node, EP_F_GraphSignature_backward_signature);
    if (backward == NULL) {
        return;
    }
    ep_ref loss = ep_field_bits(&m->from, backward, EP_F_BackwardSignature_loss_output);
    for (size_t i = 0; EP_ALWAYS(i < m->specs.output_count); i++) { /* it is one of them */
        ep_spec *spec = &m->specs.outputs[i];
        if (spec->kind == EP_OUTPUT_USER &&
            ep_text_compare(m->input.data, spec->value, loss) == 0) {
            spec->kind = EP_OUTPUT_LOSS;
            return;
        }
    }
}

static bool signature_up(ep_migration *m, const ep_node *node, ep_node *made) {
    static const row_list inputs = {input_rows, EP_COUNT_OF(input_rows), EP_SHAPE_InputSpec};
    static const row_list outputs = {output_rows, EP_COUNT_OF(output_rows), EP_SHAPE_OutputSpec};
    const ep_node *module =
        ep_field_node(&m->from, m->program->root, EP_F_ExportedProgram_graph_module);
    const ep_node *graph = ep_field_node(&m->from, module, EP_F_GraphModule_graph);
    uint64_t bits;
    mark_loss(m, node);
    TRY(make_specs(m, &inputs, m->specs.inputs, ep_field_bits(&m->from, graph, EP_F_Graph_inputs),
                   &bits));
    ep_maker_set(&m->maker, made, EP_F_GraphSignature_input_specs, bits);
    TRY(make_specs(m, &outputs, m->specs.outputs,
                   ep_field_bits(&m->from, graph, EP_F_Graph_outputs), &bits));
    ep_maker_set(&m->maker, made, EP_F_GraphSignature_output_specs, bits);
    return true;
}

/* ----------------------------------------------------------- down: dictionaries */

/* A dictionary in the making, or a list when it has no values. */
typedef struct dictionary {
    ep_field field;
    ep_stack keys;
    ep_stack values;
    ep_map known; /* the keys, of which none may stand twice */
} dictionary;

enum {
    PARAMETERS,
    BUFFERS,
    USER_INPUTS,
    USER_OUTPUTS,
    MUTATIONS,
    PARAMETER_GRADIENTS,
    INPUT_GRADIENTS,
    PARTS
};

/* The dictionary that a spec belongs to. PARTS: version 1 has none for it. */
static int part_of(int kind, bool output) {
    if (!output) {
        return kind == EP_INPUT_PARAMETER ? PARAMETERS
               : kind == EP_INPUT_BUFFER  ? BUFFERS
               : kind == EP_INPUT_USER    ? USER_INPUTS
                                          : PARTS;
    }
    switch ((ep_output_kind)kind) {
    case EP_OUTPUT_USER:
    case EP_OUTPUT_LOSS:
        return USER_OUTPUTS;
    case EP_OUTPUT_BUFFER_MUTATION:
        return MUTATIONS;
    case EP_OUTPUT_GRADIENT_TO_PARAMETER:
        return PARAMETER_GRADIENTS;
    case EP_OUTPUT_GRADIENT_TO_USER_INPUT:
        return INPUT_GRADIENTS;
    case EP_OUTPUT_TOKEN:
    case EP_OUTPUT_PARAMETER_MUTATION:
    case EP_OUTPUT_USER_INPUT_MUTATION:
        break;
    }
    return PARTS;
}

static bool add_spec(ep_migration *m, dictionary *parts, const ep_spec *spec, bool output) {
    int part = part_of(spec->kind, output);
    ep_ref name = spec->named ? spec->value : ep_argument_name(&m->from, spec->argument);
    m->at = spec->spec;
    if (part == PARTS || name == 0) {
        return ep_migrate_fail(m, EP_MIGRATE_TAG, NULL);
    }
    ep_bytes text;
    uint32_t number;
    bool fresh;
    bool ok = ep_ref_text(m->arena, m->input, name, &text) &&
              ep_map_put(&parts[part].known, text, &number, &fresh) &&
              ep_stack_push(&parts[part].keys, name) &&
              ep_stack_push(&parts[part].values, spec->target);
    if (ok && !fresh && part != USER_OUTPUTS) {
        return ep_migrate_fail(m, EP_MIGRATE_VALUE, NULL);
    }
    return ok || ep_migrate_no_memory(m);
}

static bool set_part(ep_migration *m, ep_node *made, const dictionary *part, bool list) {
    uint64_t bits;
    bool ok = list ? ep_maker_list(&m->maker, part->keys.words, part->keys.count, &bits)
                   : ep_maker_dict(&m->maker, &part->keys, &part->values, &bits);
    if (!ok) {
        return ep_migrate_no_memory(m);
    }
    ep_maker_set(&m->maker, made, part->field, bits);
    return true;
}

static bool set_backward(ep_migration *m, ep_node *made, const dictionary *parts) {
    const ep_spec *loss = NULL;
    for (size_t i = 0; i < m->specs.output_count; i++) {
        loss = m->specs.outputs[i].kind == EP_OUTPUT_LOSS ? &m->specs.outputs[i] : loss;
    }
    if (loss == NULL) {
        return true;
    }
    ep_node *backward = ep_maker_struct(&m->maker, EP_SHAPE_BackwardSignature);
    if (backward == NULL) {
        return ep_migrate_no_memory(m);
    }
    ep_maker_set(&m->maker, backward, EP_F_BackwardSignature_loss_output, loss->value);
    ep_maker_set(&m->maker, made, EP_F_GraphSignature_backward_signature,
                 ep_pointer_bits(backward));
    return set_part(m, backward, &parts[PARAMETER_GRADIENTS], false) &&
           set_part(m, backward, &parts[INPUT_GRADIENTS], false);
}

static bool fill_parts(ep_migration *m, dictionary *parts) {
    for (size_t i = 0; i < m->specs.input_count; i++) {
        TRY(add_spec(m, parts, &m->specs.inputs[i], false));
    }
    for (size_t i = 0; i < m->specs.output_count; i++) {
        TRY(add_spec(m, parts, &m->specs.outputs[i], true));
    }
    return true;
}

static bool signature_down(ep_migration *m, ep_node *made) {
    static const ep_field fields[PARTS] = {
        EP_F_GraphSignature_inputs_to_parameters,
        EP_F_GraphSignature_inputs_to_buffers,
        EP_F_GraphSignature_user_inputs,
        EP_F_GraphSignature_user_outputs,
        EP_F_GraphSignature_buffers_to_mutate,
        EP_F_BackwardSignature_gradients_to_parameters,
        EP_F_BackwardSignature_gradients_to_user_inputs,
    };
    dictionary parts[PARTS];
    for (size_t i = 0; i < PARTS; i++) {
        parts[i].field = fields[i];
        ep_stack_init(&parts[i].keys, m->arena);
        ep_stack_init(&parts[i].values, m->arena);
        ep_map_init(&parts[i].known, m->arena);
    }
    bool ok = fill_parts(m, parts);
    for (size_t i = 0; ok && i <= MUTATIONS; i++) {
        ok = set_part(m, made, &parts[i], i == USER_INPUTS || i == USER_OUTPUTS);
    }
    ok = ok && set_backward(m, made, parts);
    for (size_t i = 0; i < PARTS; i++) {
        ep_stack_free(&parts[i].keys);
        ep_stack_free(&parts[i].values);
        ep_map_free(&parts[i].known);
    }
    return ok;
}

bool ep_migrate_signature(ep_migration *m, const ep_node *node, ep_node *made) {
    bool had = m->from.slot[EP_F_GraphSignature_input_specs] != EP_NO_MEMBER;
    bool has = ep_maker_has(&m->maker, EP_F_GraphSignature_input_specs);
    if (had == has) {
        return true;
    }
    m->steps[EP_STEP_SIGNATURE]++;
    return has ? signature_up(m, node, made) : signature_down(m, made);
}
