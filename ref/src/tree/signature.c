/*
 * tree/signature.c - see signature.h. The functions for callers of the library are in
 * signature_api.c.
 */
#include "tree/signature.h"

#include "base/error.h"
#include "base/map.h"

/* ------------------------------------------------------------ versions 2 on */

/* What the argument of a spec is. */
typedef enum spec_form {
    FORM_ARGUMENT, /* an Argument */
    FORM_NAMED,    /* a struct with a name */
    FORM_CONSTANT  /* a name of its own and a ConstantValue */
} spec_form;

typedef struct spec_row {
    uint8_t tag;
    uint8_t kind;
    uint8_t form;
    uint8_t argument; /* the field */
    uint8_t name;     /* the field of the argument that is the value's name */
    uint8_t holds;    /* the tag that the graph has for the value */
    uint8_t target;   /* the field; EP_F_none: there is no target */
} spec_row;

#define INPUT(tag, kind, type, name, holds, target)                                                \
    {                                                                                              \
        EP_F_InputSpec_##tag, EP_INPUT_##kind, FORM_NAMED, EP_F_##type##_arg, EP_F_##name##_name,  \
            EP_F_Argument_##holds, EP_F_##target                                                   \
    }
#define OUTPUT(tag, kind, type, target)                                                            \
    {                                                                                              \
        EP_F_OutputSpec_##tag, EP_OUTPUT_##kind, FORM_NAMED, EP_F_##type##_arg,                    \
            EP_F_TensorArgument_name, EP_F_Argument_as_tensor, EP_F_##target                       \
    }

static const spec_row input_rows[] = {
    {EP_F_InputSpec_user_input, EP_INPUT_USER, FORM_ARGUMENT, EP_F_UserInputSpec_arg, EP_F_none,
     EP_F_none, EP_F_none},
    {EP_F_InputSpec_constant_input, EP_INPUT_CONSTANT, FORM_CONSTANT,
     EP_F_InputToConstantInputSpec_value, EP_F_none, EP_F_none, EP_F_InputToConstantInputSpec_name},
    INPUT(parameter, PARAMETER, InputToParameterSpec, TensorArgument, as_tensor,
          InputToParameterSpec_parameter_name),
    INPUT(buffer, BUFFER, InputToBufferSpec, TensorArgument, as_tensor,
          InputToBufferSpec_buffer_name),
    INPUT(tensor_constant, TENSOR_CONSTANT, InputToTensorConstantSpec, TensorArgument, as_tensor,
          InputToTensorConstantSpec_tensor_constant_name),
    INPUT(custom_obj, CUSTOM_OBJ, InputToCustomObjSpec, CustomObjArgument, as_custom_obj,
          InputToCustomObjSpec_custom_obj_name),
    INPUT(token, TOKEN, InputTokenSpec, TokenArgument, as_tensor, none),
};

static const spec_row output_rows[] = {
    {EP_F_OutputSpec_user_output, EP_OUTPUT_USER, FORM_ARGUMENT, EP_F_UserOutputSpec_arg, EP_F_none,
     EP_F_none, EP_F_none},
    OUTPUT(loss_output, LOSS, LossOutputSpec, none),
    OUTPUT(buffer_mutation, BUFFER_MUTATION, BufferMutationSpec, BufferMutationSpec_buffer_name),
    OUTPUT(parameter_mutation, PARAMETER_MUTATION, ParameterMutationSpec,
           ParameterMutationSpec_parameter_name),
    OUTPUT(gradient_to_parameter, GRADIENT_TO_PARAMETER, GradientToParameterSpec,
           GradientToParameterSpec_parameter_name),
    OUTPUT(gradient_to_user_input, GRADIENT_TO_USER_INPUT, GradientToUserInputSpec,
           GradientToUserInputSpec_user_input_name),
    OUTPUT(user_input_mutation, USER_INPUT_MUTATION, UserInputMutationSpec,
           UserInputMutationSpec_user_input_name),
    {EP_F_OutputSpec_token, EP_OUTPUT_TOKEN, FORM_NAMED, EP_F_OutputTokenSpec_arg,
     EP_F_TokenArgument_name, EP_F_Argument_as_tensor, EP_F_none},
};

static void read_spec(const ep_fields *fields, const spec_row *row, const ep_node *node,
                      ep_spec *spec) {
    const ep_node *inner = ep_tag_node(node);
    ep_field value = (ep_field)row->argument;
    ep_field target = (ep_field)row->target;
    if (row->form == FORM_CONSTANT && fields->slot[value] == EP_NO_MEMBER) {
        value = EP_F_ConstantInputSpec_value; /* the type's name before 8.1-c */
        target = EP_F_ConstantInputSpec_name;
    }
    *spec = (ep_spec){.kind = row->kind,
                      .named = row->form == FORM_NAMED,
                      .spec = node,
                      .argument = ep_field_mutable(fields, inner, value)};
    if (row->form == FORM_NAMED) {
        spec->holds = (ep_field)row->holds;
        spec->value = ep_field_bits(fields, spec->argument, (ep_field)row->name);
    }
    if (target != EP_F_none) {
        spec->target = ep_field_bits(fields, inner, target);
    }
    if (spec->kind == EP_INPUT_BUFFER && row->tag == EP_F_InputSpec_buffer &&
        fields->slot[EP_F_InputToBufferSpec_persistent] != EP_NO_MEMBER &&
        ep_field_bits(fields, inner, EP_F_InputToBufferSpec_persistent) == 0) {
        spec->kind = EP_INPUT_BUFFER_NOT_PERSISTENT;
    }
}

/* Rows of a table, and how many. */
typedef struct row_list {
    const spec_row *rows;
    size_t count;
} row_list;

static bool read_list(const ep_fields *fields, ep_arena *arena, uint64_t list, row_list known,
                      ep_spec **specs) {
    size_t count = ep_list_count(list);
    *specs = ep_arena_array(arena, 0, count, sizeof **specs);
    TRY(*specs != NULL);
    for (size_t i = 0; i < count; i++) {
        const ep_node *node = ep_item_node(list, i);
        for (size_t j = 0; j < known.count; j++) {
            if ((ep_field)known.rows[j].tag == ep_tag(fields, node)) {
                read_spec(fields, &known.rows[j], node, &(*specs)[i]);
            }
        }
    }
    return true;
}

/* -------------------------------------------------------------- version 1 */

/* A dictionary of version 1: value to target, or a list of values. */
typedef struct part_row {
    uint8_t field;
    uint8_t kind;
    bool dict;
    bool backward; /* of the BackwardSignature */
} part_row;

static const part_row old_inputs[] = {
    {EP_F_GraphSignature_inputs_to_parameters, EP_INPUT_PARAMETER, true, false},
    {EP_F_GraphSignature_inputs_to_buffers, EP_INPUT_BUFFER, true, false},
    {EP_F_GraphSignature_user_inputs, EP_INPUT_USER, false, false},
};

static const part_row old_outputs[] = {
    {EP_F_GraphSignature_buffers_to_mutate, EP_OUTPUT_BUFFER_MUTATION, true, false},
    {EP_F_GraphSignature_user_outputs, EP_OUTPUT_USER, false, false},
    {EP_F_BackwardSignature_gradients_to_parameters, EP_OUTPUT_GRADIENT_TO_PARAMETER, true, true},
    {EP_F_BackwardSignature_gradients_to_user_inputs, EP_OUTPUT_GRADIENT_TO_USER_INPUT, true, true},
};

static uint64_t part_bits(const ep_fields *fields, const ep_node *signature, const part_row *row) {
    if (row->backward) {
        signature = ep_field_node(fields, signature, EP_F_GraphSignature_backward_signature);
    }
    return signature == NULL ? 0 : ep_field_bits(fields, signature, (ep_field)row->field);
}

typedef struct part_list {
    const part_row *rows;
    size_t count;
} part_list;

static size_t parts_count(const ep_fields *fields, const ep_node *signature, part_list parts) {
    size_t total = 0;
    for (size_t i = 0; i < parts.count; i++) {
        total += ep_list_count(part_bits(fields, signature, &parts.rows[i]));
    }
    return total;
}

static void read_part(const part_row *row, const ep_node *signature, uint64_t bits, ep_spec *spec) {
    for (size_t i = 0; i < ep_list_count(bits); i++) {
        spec[i] = (ep_spec){.kind = row->kind,
                            .named = true,
                            .holds = EP_F_none,
                            .spec = signature,
                            .value = ep_dict_key(bits, i)};
        spec[i].target = row->dict ? ep_dict_value(bits, i) : 0;
    }
}

static bool read_parts(const ep_fields *fields, ep_arena *arena, const ep_node *signature,
                       part_list parts, ep_spec **specs) {
    size_t total = parts_count(fields, signature, parts);
    *specs = ep_arena_array(arena, 0, total, sizeof **specs);
    TRY(*specs != NULL);
    ep_spec *spec = *specs;
    for (size_t i = 0; i < parts.count; i++) {
        uint64_t bits = part_bits(fields, signature, &parts.rows[i]);
        read_part(&parts.rows[i], signature, bits, spec);
        spec += ep_list_count(bits);
    }
    return true;
}

/* Gradients of version 1 name outputs that are user outputs already. */
static bool read_old(ep_specs *specs, ep_arena *arena, const ep_fields *fields) {
    part_list inputs = {old_inputs, EP_COUNT_OF(old_inputs)};
    part_list outputs = {old_outputs, EP_COUNT_OF(old_outputs)};
    specs->input_count = parts_count(fields, specs->node, inputs);
    specs->output_count = parts_count(fields, specs->node, outputs);
    return read_parts(fields, arena, specs->node, inputs, &specs->inputs) &&
           read_parts(fields, arena, specs->node, outputs, &specs->outputs);
}

bool ep_specs_read(ep_specs *specs, ep_arena *arena, const ep_fields *fields,
                   const ep_node *signature) {
    *specs = (ep_specs){.node = signature};
    if (fields->slot[EP_F_GraphSignature_input_specs] == EP_NO_MEMBER) {
        return read_old(specs, arena, fields);
    }
    uint64_t inputs = ep_field_bits(fields, signature, EP_F_GraphSignature_input_specs);
    uint64_t outputs = ep_field_bits(fields, signature, EP_F_GraphSignature_output_specs);
    row_list known_inputs = {input_rows, EP_COUNT_OF(input_rows)};
    row_list known_outputs = {output_rows, EP_COUNT_OF(output_rows)};
    specs->input_count = ep_list_count(inputs);
    specs->output_count = ep_list_count(outputs);
    return read_list(fields, arena, inputs, known_inputs, &specs->inputs) &&
           read_list(fields, arena, outputs, known_outputs, &specs->outputs);
}

/* ------------------------------------------------------------------- placing */

/* The name in an argument of a graph of version 1; 0 for a constant. */
ep_ref ep_argument_name(const ep_fields *fields, const ep_node *argument) {
    const ep_node *inner = ep_tag_node(argument);
    switch ((int)ep_tag(fields, argument)) {
    case EP_F_Argument_as_tensor:
        return ep_field_bits(fields, inner, EP_F_TensorArgument_name);
    case EP_F_Argument_as_sym_int:
        /* LCOV_EXCL_START in a program that was checked, no number goes in or out so */
        return ep_tag(fields, inner) == EP_F_SymIntArgument_as_name ? inner->slots[0] : 0;
    case EP_F_Argument_as_sym_bool:
        return ep_tag(fields, inner) == EP_F_SymBoolArgument_as_name ? inner->slots[0] : 0;
        /* LCOV_EXCL_STOP */
    default:
        return 0;
    }
}

/* The specs of each value, in their order. */
typedef struct index {
    ep_arena *arena;
    ep_bytes input;
    ep_map names;
    ep_stack numbers; /* of each name, the spec that is due */
    uint32_t *next;   /* of each spec, the next one of its name; EP_MAP_NONE: there is none */
} index;

static bool index_specs(index *names, const ep_spec *specs, size_t count) {
    names->next = ep_arena_array(names->arena, 0, count, sizeof *names->next);
    TRY(names->next != NULL);
    for (size_t i = count; i-- > 0;) {
        ep_bytes text;
        uint32_t number;
        bool fresh;
        TRY(ep_ref_text(names->arena, names->input, specs[i].value, &text) &&
            ep_map_put(&names->names, text, &number, &fresh));
        names->next[i] = fresh ? EP_MAP_NONE : (uint32_t)names->numbers.words[number];
        if (fresh) {
            TRY(ep_stack_push(&names->numbers, i));
        } else {
            names->numbers.words[number] = i;
        }
    }
    return true;
}

/* The spec of an argument: the one of its name that is due. */
static bool place_spec(const index *names, ep_ref name, uint32_t *number) {
    ep_bytes text;
    TRY(ep_ref_text(names->arena, names->input, name, &text));
    uint32_t found = ep_map_find(&names->names, text);
    if (EP_ALWAYS(found != EP_MAP_NONE)) { /* a program that was checked has one for each */
        uint64_t *due = &names->numbers.words[found];
        *number = (uint32_t)*due;
        *due = names->next[*number];
    }
    return true;
}

bool ep_specs_place(ep_arena *arena, const ep_fields *fields, ep_bytes input, ep_specs_side side,
                    uint32_t *numbers) {
    size_t count = ep_list_count(side.arguments);
    bool old = fields->slot[EP_F_GraphSignature_input_specs] == EP_NO_MEMBER;
    index names = {.arena = arena, .input = input};
    ep_map_init(&names.names, arena);
    ep_stack_init(&names.numbers, arena);
    bool ok = !old || index_specs(&names, side.specs, count);
    for (size_t i = 0; ok && i < count; i++) {
        numbers[i] = (uint32_t)i;
        ok = !old || place_spec(&names, ep_argument_name(fields, ep_item_node(side.arguments, i)),
                                &numbers[i]);
    }
    ep_map_free(&names.names);
    ep_stack_free(&names.numbers);
    return ok;
}

/* ---------------------------------------------------------------------- order */

/* The orders of the epref form and of PyTorch's. Those that the user passes or gets
 * stay as they stand in both. */
typedef struct order_row {
    ep_spec_order epref;
    ep_spec_order torch;
} order_row;

static const order_row input_orders[] = {
    [EP_INPUT_TOKEN] = {{0, EP_SPEC_BY_PLACE}, {0, EP_SPEC_BY_PLACE}},
    [EP_INPUT_PARAMETER] = {{1, EP_SPEC_BY_TARGET}, {1, EP_SPEC_BY_TARGET}},
    [EP_INPUT_BUFFER] = {{2, EP_SPEC_BY_TARGET}, {2, EP_SPEC_BY_TARGET}},
    [EP_INPUT_BUFFER_NOT_PERSISTENT] = {{2, EP_SPEC_BY_TARGET}, {2, EP_SPEC_BY_TARGET}},
    [EP_INPUT_TENSOR_CONSTANT] = {{3, EP_SPEC_BY_TARGET}, {3, EP_SPEC_BY_TARGET}},
    [EP_INPUT_CUSTOM_OBJ] = {{4, EP_SPEC_BY_TARGET}, {4, EP_SPEC_BY_TARGET}},
    [EP_INPUT_USER] = {{5, EP_SPEC_BY_PLACE}, {5, EP_SPEC_BY_PLACE}},
    [EP_INPUT_CONSTANT] = {{5, EP_SPEC_BY_PLACE}, {6, EP_SPEC_BY_TARGET}},
};

static const order_row output_orders[] = {
    [EP_OUTPUT_TOKEN] = {{0, EP_SPEC_BY_PLACE}, {0, EP_SPEC_BY_PLACE}},
    [EP_OUTPUT_BUFFER_MUTATION] = {{1, EP_SPEC_BY_TARGET}, {2, EP_SPEC_BY_TARGET}},
    [EP_OUTPUT_PARAMETER_MUTATION] = {{2, EP_SPEC_BY_TARGET}, {1, EP_SPEC_BY_TARGET}},
    [EP_OUTPUT_USER_INPUT_MUTATION] = {{3, EP_SPEC_BY_INPUT}, {3, EP_SPEC_BY_PLACE}},
    [EP_OUTPUT_USER] = {{4, EP_SPEC_BY_PLACE}, {4, EP_SPEC_BY_PLACE}},
    [EP_OUTPUT_LOSS] = {{4, EP_SPEC_BY_PLACE}, {4, EP_SPEC_BY_PLACE}},
    [EP_OUTPUT_GRADIENT_TO_PARAMETER] = {{5, EP_SPEC_BY_TARGET}, {5, EP_SPEC_BY_TARGET}},
    [EP_OUTPUT_GRADIENT_TO_USER_INPUT] = {{6, EP_SPEC_BY_INPUT}, {6, EP_SPEC_BY_PLACE}},
};

ep_spec_order ep_input_order(int kind, ep_canon_form form) {
    const order_row *row = &input_orders[kind];
    return form == EP_CANON_TORCH ? row->torch : row->epref;
}

ep_spec_order ep_output_order(int kind, ep_canon_form form) {
    const order_row *row = &output_orders[kind];
    return form == EP_CANON_TORCH ? row->torch : row->epref;
}
