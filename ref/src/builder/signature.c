/*
 * builder/signature.c - the inputs and outputs of a program with their purposes: specs,
 * or in version 1 lists and dicts of names.
 */
#include "builder/builder.h"

static bool has_specs(const ep_builder *b) {
    return ep_maker_has(&b->maker, EP_F_GraphSignature_input_specs);
}

/* ------------------------------------------------------------------ arguments */

/* The content of an argument under a tag; an argument with another tag is refused. */
static bool held_as(ep_builder *b, const ep_built_arg *arg, ep_field tag, uint64_t *bits) {
    const ep_node *node = ep_argument_node(arg);
    if (node->tag != b->maker.fields.slot[tag]) {
        return ep_builder_refuse(b, "an argument of another kind than its spec", NULL);
    }
    *bits = node->slots[0];
    return true;
}

/* The name that an argument passes, of a tensor or symbolic value. */
static bool name_of(ep_builder *b, const ep_built_arg *arg, uint64_t *name) {
    static const ep_field by_name[] = {EP_F_SymIntArgument_as_name, EP_F_SymFloatArgument_as_name,
                                       EP_F_SymBoolArgument_as_name};
    static const ep_field tags[] = {EP_F_Argument_as_sym_int, EP_F_Argument_as_sym_float,
                                    EP_F_Argument_as_sym_bool};
    const ep_fields *fields = &b->maker.fields;
    const ep_node *node = ep_argument_node(arg);
    if (node->tag == fields->slot[EP_F_Argument_as_tensor]) {
        *name = ep_field_bits(fields, ep_tag_node(node), EP_F_TensorArgument_name);
        return true;
    }
    for (size_t i = 0; i < EP_COUNT_OF(tags); i++) {
        if (node->tag == fields->slot[tags[i]]) {
            const ep_node *held = ep_tag_node(node);
            *name = held->slots[0];
            return held->tag == fields->slot[by_name[i]];
        }
    }
    return ep_builder_refuse(b, "the schema version cannot say this", "an argument without a name");
}

/* ---------------------------------------------------------------------- specs */

/* The form of a spec's arg: the whole Argument, its content, or a token. */
typedef enum arg_form { FORM_ARGUMENT, FORM_TENSOR, FORM_OBJECT, FORM_TOKEN } arg_form;

typedef struct spec_row {
    uint8_t kind; /* ep_input_kind or ep_output_kind */
    uint8_t form; /* arg_form */
    uint8_t tag;  /* ep_field of InputSpec or OutputSpec */
    uint8_t type; /* ep_shape_number */
    uint8_t arg;  /* ep_field */
    uint8_t name; /* ep_field, EP_F_none if the spec has none */
    const char *what;
} spec_row;

#define SPEC(kind, form, tag, type, name, what)                                                    \
    { kind, form, EP_F_##tag, EP_SHAPE_##type, EP_F_##type##_arg, EP_F_##name, what }
static const spec_row input_rows[] = {
    SPEC(EP_INPUT_TOKEN, FORM_TOKEN, InputSpec_token, InputTokenSpec, none, "a token"),
    SPEC(EP_INPUT_PARAMETER, FORM_TENSOR, InputSpec_parameter, InputToParameterSpec,
         InputToParameterSpec_parameter_name, "a parameter"),
    SPEC(EP_INPUT_BUFFER, FORM_TENSOR, InputSpec_buffer, InputToBufferSpec,
         InputToBufferSpec_buffer_name, "a buffer"),
    SPEC(EP_INPUT_BUFFER_NOT_PERSISTENT, FORM_TENSOR, InputSpec_buffer, InputToBufferSpec,
         InputToBufferSpec_buffer_name, "a buffer"),
    SPEC(EP_INPUT_TENSOR_CONSTANT, FORM_TENSOR, InputSpec_tensor_constant,
         InputToTensorConstantSpec, InputToTensorConstantSpec_tensor_constant_name,
         "a tensor constant"),
    SPEC(EP_INPUT_CUSTOM_OBJ, FORM_OBJECT, InputSpec_custom_obj, InputToCustomObjSpec,
         InputToCustomObjSpec_custom_obj_name, "a custom object"),
    SPEC(EP_INPUT_USER, FORM_ARGUMENT, InputSpec_user_input, UserInputSpec, none, "a user input"),
};

static const spec_row output_rows[] = {
    SPEC(EP_OUTPUT_TOKEN, FORM_TOKEN, OutputSpec_token, OutputTokenSpec, none, "a token"),
    SPEC(EP_OUTPUT_BUFFER_MUTATION, FORM_TENSOR, OutputSpec_buffer_mutation, BufferMutationSpec,
         BufferMutationSpec_buffer_name, "a mutation of a buffer"),
    SPEC(EP_OUTPUT_PARAMETER_MUTATION, FORM_TENSOR, OutputSpec_parameter_mutation,
         ParameterMutationSpec, ParameterMutationSpec_parameter_name, "a mutation of a parameter"),
    SPEC(EP_OUTPUT_USER_INPUT_MUTATION, FORM_TENSOR, OutputSpec_user_input_mutation,
         UserInputMutationSpec, UserInputMutationSpec_user_input_name,
         "a mutation of a user input"),
    SPEC(EP_OUTPUT_USER, FORM_ARGUMENT, OutputSpec_user_output, UserOutputSpec, none,
         "a user output"),
    SPEC(EP_OUTPUT_LOSS, FORM_TENSOR, OutputSpec_loss_output, LossOutputSpec, none, "a loss"),
    SPEC(EP_OUTPUT_GRADIENT_TO_PARAMETER, FORM_TENSOR, OutputSpec_gradient_to_parameter,
         GradientToParameterSpec, GradientToParameterSpec_parameter_name, "a gradient"),
    SPEC(EP_OUTPUT_GRADIENT_TO_USER_INPUT, FORM_TENSOR, OutputSpec_gradient_to_user_input,
         GradientToUserInputSpec, GradientToUserInputSpec_user_input_name, "a gradient"),
};
#undef SPEC

static const spec_row *built_row_of(const spec_row *rows, size_t count, unsigned kind) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i].kind == kind) {
            return &rows[i];
        }
    }
    return NULL;
}

static bool make_token(ep_builder *b, const ep_built_arg *arg, uint64_t *bits) {
    uint64_t name;
    ep_node *token = ep_maker_struct(&b->maker, EP_SHAPE_TokenArgument);
    TRY(token != NULL && name_of(b, arg, &name));
    ep_maker_set(&b->maker, token, EP_F_TokenArgument_name, name);
    *bits = ep_pointer_bits(token);
    return true;
}

static bool arg_bits(ep_builder *b, arg_form form, const ep_built_arg *arg, uint64_t *bits) {
    switch (form) {
    case FORM_TENSOR:
        return held_as(b, arg, EP_F_Argument_as_tensor, bits);
    case FORM_OBJECT:
        return held_as(b, arg, EP_F_Argument_as_custom_obj, bits);
    case FORM_TOKEN:
        return make_token(b, arg, bits);
    case FORM_ARGUMENT:
        break;
    }
    *bits = ep_pointer_bits(arg);
    return true;
}

/* A spec with its union, onto a list of specs. */
static bool push_spec(ep_builder *b, ep_stack *specs, const spec_row *row, const ep_built_arg *arg,
                      const char *name) {
    uint64_t bits;
    bool input = specs == &b->input_specs;
    ep_shape_number type = input ? EP_SHAPE_InputSpec : EP_SHAPE_OutputSpec;
    TRY(ep_builder_needs(b, (ep_field)row->tag, row->what));
    ep_node *spec = ep_maker_struct(&b->maker, (ep_shape_number)row->type);
    TRY(spec != NULL && arg_bits(b, (arg_form)row->form, arg, &bits));
    ep_maker_set(&b->maker, spec, (ep_field)row->arg, bits);
    if (row->name != EP_F_none) {
        TRY(ep_builder_set_string(b, spec, (ep_field)row->name, name));
    }
    if (input && row->tag == EP_F_InputSpec_buffer) {
        bool persistent = row->kind == EP_INPUT_BUFFER;
        ep_maker_set(&b->maker, spec, EP_F_InputToBufferSpec_persistent, persistent);
    }
    return ep_builder_union(b, type, (ep_field)row->tag, ep_pointer_bits(spec), &bits) &&
           ep_builder_push(b, specs, bits);
}

/* ------------------------------------------------------------------- constants */

static const struct {
    ep_field argument;
    ep_field value;
} constant_tags[] = {
    {EP_F_Argument_as_none, EP_F_ConstantValue_as_none},
    {EP_F_Argument_as_int, EP_F_ConstantValue_as_int},
    {EP_F_Argument_as_float, EP_F_ConstantValue_as_float},
    {EP_F_Argument_as_string, EP_F_ConstantValue_as_string},
    {EP_F_Argument_as_bool, EP_F_ConstantValue_as_bool},
};

static bool constant_value(ep_builder *b, const ep_built_arg *arg, uint64_t *bits) {
    const ep_node *node = ep_argument_node(arg);
    for (size_t i = 0; i < EP_COUNT_OF(constant_tags); i++) {
        if (node->tag == b->maker.fields.slot[constant_tags[i].argument]) {
            return ep_builder_union(b, EP_SHAPE_ConstantValue, constant_tags[i].value,
                                    node->slots[0], bits);
        }
    }
    return ep_builder_refuse(b, "a constant input that is no constant", NULL);
}

/* The spec of a constant has had two names. */
static bool push_constant(ep_builder *b, const ep_built_arg *arg, const char *name) {
    uint64_t bits;
    bool old = ep_maker_type(&b->maker, EP_SHAPE_ConstantInputSpec) != NULL;
    ep_node *spec = ep_maker_struct(&b->maker, old ? EP_SHAPE_ConstantInputSpec
                                                   : EP_SHAPE_InputToConstantInputSpec);
    ep_field name_field = old ? EP_F_ConstantInputSpec_name : EP_F_InputToConstantInputSpec_name;
    ep_field value_field = old ? EP_F_ConstantInputSpec_value : EP_F_InputToConstantInputSpec_value;
    TRY(spec != NULL && constant_value(b, arg, &bits));
    ep_maker_set(&b->maker, spec, value_field, bits);
    return ep_builder_set_string(b, spec, name_field, name) &&
           ep_builder_union(b, EP_SHAPE_InputSpec, EP_F_InputSpec_constant_input,
                            ep_pointer_bits(spec), &bits) &&
           ep_builder_push(b, &b->input_specs, bits);
}

/* -------------------------------------------------------------------- version 1 */

static bool add_named(ep_builder *b, ep_growing_dict *dict, const ep_built_arg *arg,
                      const char *name) {
    uint64_t key;
    uint64_t value;
    return name_of(b, arg, &key) && ep_builder_string(b, name, &value) &&
           ep_builder_add(b, dict, key, value);
}

static bool push_name(ep_builder *b, ep_stack *names, const ep_built_arg *arg) {
    uint64_t name;
    return name_of(b, arg, &name) && ep_builder_push(b, names, name);
}

static bool add_input_name(ep_builder *b, ep_input_kind kind, const ep_built_arg *arg,
                           const char *name) {
    switch (kind) {
    case EP_INPUT_PARAMETER:
        return add_named(b, &b->parameters, arg, name);
    case EP_INPUT_BUFFER:
    case EP_INPUT_BUFFER_NOT_PERSISTENT:
        return add_named(b, &b->buffers, arg, name);
    case EP_INPUT_USER:
        return push_name(b, &b->input_specs, arg);
    case EP_INPUT_TOKEN:
    case EP_INPUT_TENSOR_CONSTANT:
    case EP_INPUT_CUSTOM_OBJ:
    case EP_INPUT_CONSTANT:
        break;
    }
    return ep_builder_refuse(b, "the schema version cannot say this", "an input of this kind");
}

/* The loss is one of the user's outputs. */
static bool add_loss(ep_builder *b, const ep_built_arg *arg) {
    b->has_loss = true;
    return name_of(b, arg, &b->loss) && ep_builder_push(b, &b->output_specs, b->loss);
}

static bool add_output_name(ep_builder *b, ep_output_kind kind, const ep_built_arg *arg,
                            const char *name) {
    switch (kind) {
    case EP_OUTPUT_BUFFER_MUTATION:
        return add_named(b, &b->mutations, arg, name);
    case EP_OUTPUT_USER:
        return push_name(b, &b->output_specs, arg);
    case EP_OUTPUT_LOSS:
        return add_loss(b, arg);
    case EP_OUTPUT_GRADIENT_TO_PARAMETER:
        return add_named(b, &b->parameter_gradients, arg, name);
    case EP_OUTPUT_GRADIENT_TO_USER_INPUT:
        return add_named(b, &b->input_gradients, arg, name);
    case EP_OUTPUT_TOKEN:
    case EP_OUTPUT_PARAMETER_MUTATION:
    case EP_OUTPUT_USER_INPUT_MUTATION:
        break;
    }
    return ep_builder_refuse(b, "the schema version cannot say this", "an output of this kind");
}

/* ------------------------------------------------------------------------ calls */

/* The parameter of forward that an input is, for forward_arg_names. */
static bool note_input(ep_builder *b, ep_input_kind kind, const ep_built_arg *arg,
                       const char *name) {
    uint64_t bits;
    if (kind == EP_INPUT_CONSTANT) {
        TRY(ep_builder_string(b, name, &bits));
    } else if (kind != EP_INPUT_USER) {
        return true;
    } else if (ep_argument_node(arg)->tag == b->maker.fields.slot[EP_F_Argument_as_custom_obj]) {
        const ep_node *object = ep_tag_node(ep_argument_node(arg));
        bits = ep_field_bits(&b->maker.fields, object, EP_F_CustomObjArgument_name);
    } else {
        TRY(name_of(b, arg, &bits));
    }
    b->user_inputs++;
    return ep_builder_push(b, &b->input_names, bits);
}

static bool say_input(ep_builder *b, ep_input_kind kind, const ep_built_arg *arg,
                      const char *name) {
    bool constant = kind == EP_INPUT_CONSTANT;
    if (!has_specs(b)) {
        return add_input_name(b, kind, arg, name);
    }
    if (constant && ep_maker_has(&b->maker, EP_F_InputSpec_constant_input)) {
        return push_constant(b, arg, name);
    }
    const spec_row *row = built_row_of(input_rows, EP_COUNT_OF(input_rows),
                                       constant ? (unsigned)EP_INPUT_USER : (unsigned)kind);
    return row == NULL ? ep_builder_refuse(b, "no such kind of input", NULL)
                       : push_spec(b, &b->input_specs, row, arg, name);
}

EP_API bool ep_build_input(ep_builder *b, ep_input_kind kind, const ep_built_arg *arg,
                           const char *name) {
    return ep_builder_goes_on(b) && ep_builder_given(b, arg) && say_input(b, kind, arg, name) &&
           note_input(b, kind, arg, name) && ep_build_graph_input(b, b->root, arg);
}

EP_API bool ep_build_output(ep_builder *b, ep_output_kind kind, const ep_built_arg *arg,
                            const char *name) {
    TRY(ep_builder_goes_on(b) && ep_builder_given(b, arg));
    const spec_row *row = built_row_of(output_rows, EP_COUNT_OF(output_rows), (unsigned)kind);
    if (row == NULL) {
        return ep_builder_refuse(b, "no such kind of output", NULL);
    }
    b->user_outputs += kind == EP_OUTPUT_USER || kind == EP_OUTPUT_LOSS;
    TRY(has_specs(b) ? push_spec(b, &b->output_specs, row, arg, name)
                     : add_output_name(b, kind, arg, name));
    return ep_build_graph_output(b, b->root, arg);
}

/* -------------------------------------------------------------------------- end */

static bool set_dict(ep_builder *b, ep_node *node, ep_field field, const ep_growing_dict *dict) {
    uint64_t bits;
    TRY(ep_builder_dict(b, dict, &bits));
    ep_maker_set(&b->maker, node, field, bits);
    return true;
}

static bool set_list(ep_builder *b, ep_node *node, ep_field field, const ep_stack *items) {
    uint64_t bits;
    TRY(ep_builder_list(b, items, &bits));
    ep_maker_set(&b->maker, node, field, bits);
    return true;
}

static bool set_backward(ep_builder *b, ep_node *signature) {
    bool gradients = b->parameter_gradients.keys.count + b->input_gradients.keys.count > 0;
    if (!b->has_loss) {
        return !gradients || ep_builder_refuse(b, "gradients without a loss", NULL);
    }
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_BackwardSignature);
    TRY(node != NULL);
    ep_maker_set(&b->maker, node, EP_F_BackwardSignature_loss_output, b->loss);
    ep_maker_set(&b->maker, signature, EP_F_GraphSignature_backward_signature,
                 ep_pointer_bits(node));
    return set_dict(b, node, EP_F_BackwardSignature_gradients_to_parameters,
                    &b->parameter_gradients) &&
           set_dict(b, node, EP_F_BackwardSignature_gradients_to_user_inputs, &b->input_gradients);
}

static bool set_names(ep_builder *b, ep_node *node) {
    return set_dict(b, node, EP_F_GraphSignature_inputs_to_parameters, &b->parameters) &&
           set_dict(b, node, EP_F_GraphSignature_inputs_to_buffers, &b->buffers) &&
           set_list(b, node, EP_F_GraphSignature_user_inputs, &b->input_specs) &&
           set_list(b, node, EP_F_GraphSignature_user_outputs, &b->output_specs) &&
           set_dict(b, node, EP_F_GraphSignature_buffers_to_mutate, &b->mutations) &&
           set_backward(b, node);
}

bool ep_builder_signature(ep_builder *b, uint64_t *bits) {
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_GraphSignature);
    TRY(node != NULL);
    *bits = ep_pointer_bits(node);
    if (!has_specs(b)) {
        return set_names(b, node);
    }
    return set_list(b, node, EP_F_GraphSignature_input_specs, &b->input_specs) &&
           set_list(b, node, EP_F_GraphSignature_output_specs, &b->output_specs);
}
