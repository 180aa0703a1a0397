/*
 * signature.c - defects of the signature (SPEC 5.3), as specs or, in
 * version 1, as dictionaries. Many are made of a spec that becomes one of
 * another kind, as no program need have the kind that is due.
 */
#include "edit.h"

#include <string.h>

/* --------------------------------------------------------------------- specs */

static bool is_old(const defect *d) {
    return within(d, NULL, "1-2023-12");
}

static bool is_input_spec(const place *p) {
    return p->nest == 1 && is_member(p, "GraphSignature", "input_specs");
}

static bool is_output_spec(const place *p) {
    return p->nest == 1 && is_member(p, "GraphSignature", "output_specs");
}

static bool has_any_tag(const place *p, const char *const *tags, size_t count) {
    for (size_t i = 0; p != NULL && i < count; i++) {
        if (has_tag(p, tags[i])) {
            return true;
        }
    }
    return false;
}

static const char *const lifted[] = {"parameter", "buffer", "tensor_constant"};
static const char *const passed[] = {"user_input", "constant_input"};
static const char *const returned[] = {"user_output", "loss_output"};
static const char *const gradients[] = {"gradient_to_parameter", "gradient_to_user_input"};
#define HAS_ANY(p, tags) has_any_tag(p, tags, COUNT_OF(tags))

/* The name of the tensor that a spec is of; NULL for what is no tensor. */
static const place *tensor_of(const defect *d, const place *spec) {
    const place *arg = part_of(d, tagged(d, spec), "arg");
    if (arg != NULL && arg->kind == EP_KIND_UNION) {
        arg = has_tag(arg, "as_tensor") ? tagged(d, arg) : NULL;
    }
    bool tensor = arg != NULL && (is_of(arg, "TensorArgument") || is_of(arg, "TokenArgument"));
    return tensor ? part_of(d, arg, "name") : NULL;
}

static bool is_user_tensor(const defect *d, const place *p) {
    return (has_tag(p, "user_input") || has_tag(p, "user_output")) && tensor_of(d, p) != NULL;
}

/* Puts a spec of a tensor: of a kind whose arg is a TensorArgument and which
 * has, or has not, another name. What is put then is that name. */
static void put_spec(defect *d, const char *type, const char *tag, const char *field,
                     ep_bytes tensor) {
    put_union(d, type, tag);
    put(d, "{\"arg\": {\"name\": ");
    put_quoted(d, tensor);
    put(d, "}");
    if (field != NULL) {
        put(d, ", \"");
        put(d, field);
        put(d, "\": \"");
    }
}

static void put_spec_end(defect *d, const char *type, const char *tag, bool named) {
    put(d, named ? "\"}" : "}");
    put_union_end(d, type, tag);
}

/* A spec of a tensor that the user passes or gets. */
static void put_user_spec(defect *d, const char *type, const char *tag, ep_bytes tensor) {
    put_union(d, type, tag);
    put(d, "{\"arg\": ");
    put_value(d, "as_tensor", tensor);
    put(d, "}");
    put_union_end(d, type, tag);
}

/* Makes a spec another kind's, with a new name or another spec's. */
static bool become(defect *d, const place *spec, const char *tag, const char *field,
                   const place *name) {
    ep_bytes tensor = text_at(d, tensor_of(d, spec));
    const char *type = ep_value_type(spec->value);
    replace(d, spec, "");
    put_spec(d, type, tag, field, tensor);
    if (field != NULL && name != NULL) {
        put_bytes(d, text_at(d, name));
    } else if (field != NULL) {
        put_fresh(d, "no_such_");
    }
    put_spec_end(d, type, tag, field != NULL);
    return true;
}

/* ----------------------------------------------------- 5.3.1, 5.3.3: as many */

/* The lists and dictionaries of version 1. */
static const member_row old_inputs[] = {{"GraphSignature", "user_inputs"},
                                        {"GraphSignature", "inputs_to_parameters"},
                                        {"GraphSignature", "inputs_to_buffers"},
                                        {NULL, NULL}};
static const member_row old_outputs[] = {
    {"GraphSignature", "user_outputs"}, {"GraphSignature", "buffers_to_mutate"}, {NULL, NULL}};
static const member_row new_inputs[] = {{"GraphSignature", "input_specs"}, {NULL, NULL}};
static const member_row new_outputs[] = {{"GraphSignature", "output_specs"}, {NULL, NULL}};

static bool is_entry(const defect *d, const place *p, const void *context) {
    (void)d;
    return p->nest == 1 && is_any_member(p, context);
}

static bool fewer_specs(defect *d, const member_row *rows) {
    const place *p = draw_place(d, is_entry, rows);
    return p != NULL ? remove_part(d, p) : no_place(d, "its signature is empty");
}

static bool more_specs(defect *d, const member_row *rows) {
    const place *p = draw_place(d, is_entry, rows);
    const place *list = is_old(d) ? draw_of(d, rows) : p;
    if (list == NULL) {
        return no_place(d, "its signature is empty");
    }
    if (!is_old(d)) {
        insert_into(d, outer(d, p));
        put_bytes(d, bytes_at(d, p));
        return true;
    }
    insert_into(d, list);
    put(d, "\"");
    put_fresh(d, "more_");
    put(d, list->kind == EP_KIND_DICT ? "\": \"more\"" : "\"");
    return true;
}

/* A graph's own list gets another. */
static bool more_arguments(defect *d, const char *list) {
    static const char *const constants[][2] = {
        {"as_int", "3"}, {"as_string", "\"a\""}, {"as_bool", "true"}, {"as_float", "0.5"}};
    const char *const *constant = DRAW_FROM(d, constants);
    insert_into(d, part_of(d, root_graph(d), list));
    put_variant(d, "Argument", constant[0], constant[1]);
    return true;
}

static bool change_count(defect *d, const member_row *rows, const char *list) {
    switch (draw(d, 3)) {
    case 0:
        return more_arguments(d, list);
    case 1:
        return fewer_specs(d, rows);
    default:
        return more_specs(d, rows);
    }
}

bool defect_signature_inputs(defect *d) {
    return change_count(d, is_old(d) ? old_inputs : new_inputs, "inputs");
}

bool defect_signature_outputs(defect *d) {
    return change_count(d, is_old(d) ? old_outputs : new_outputs, "outputs");
}

/* ------------------------------------------------- 5.3.2, 5.3.4: place by place */

/* A name in a spec that is the graph's, too. */
static bool is_spec_name(const defect *d, const place *p, const void *context) {
    static const member_row names[] = {{"TensorArgument", "name"},
                                       {"TokenArgument", "name"},
                                       {"SymIntArgument", "as_name"},
                                       {"CustomObjArgument", "name"},
                                       {NULL, NULL}};
    if (p->kind != EP_KIND_STR || !is_any_member(p, names)) {
        return false;
    }
    while (p != NULL && !is_any_member(p, context)) {
        p = outer(d, p);
    }
    return p != NULL;
}

static bool other_spec_name(defect *d, const member_row *rows) {
    const place *p = draw_place(d, is_old(d) ? is_entry : is_spec_name, rows);
    if (p == NULL) {
        return no_place(d, "its signature names no values");
    }
    size_t begin = p->key != 0 && is_old(d) ? p->key + 1 : p->begin + 1;
    size_t size = p->key != 0 && is_old(d) ? key_at(d, p).size : text_at(d, p).size;
    replace_bytes(d, begin, begin + size, "");
    put_fresh(d, "other_");
    return true;
}

bool defect_signature_input(defect *d) {
    return other_spec_name(d, is_old(d) ? old_inputs : new_inputs);
}

bool defect_signature_output(defect *d) {
    return other_spec_name(d, is_old(d) ? old_outputs : new_outputs);
}

/* --------------------------------------------------------------- 5.3.5: order */

static bool is_lifted_before_lifted(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_input_spec(p) && HAS_ANY(p, lifted) && HAS_ANY(next_of(d, p), lifted);
}

static bool lifted_as_passed(defect *d) {
    const place *p = draw_place(d, is_lifted_before_lifted, NULL);
    if (p == NULL) {
        return no_place(d, "it has no two parameters or buffers");
    }
    ep_bytes tensor = text_at(d, tensor_of(d, p));
    replace(d, p, "");
    put_user_spec(d, "InputSpec", "user_input", tensor);
    return true;
}

static bool is_passed_behind_passed(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_input_spec(p) && is_user_tensor(d, p) && HAS_ANY(previous_of(d, p), passed);
}

static bool passed_as_lifted(defect *d) {
    const place *p = draw_place(d, is_passed_behind_passed, NULL);
    return p != NULL ? become(d, p, "parameter", "parameter_name", NULL)
                     : no_place(d, "it has no two inputs that are tensors");
}

static bool is_returned_behind_returned(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_output_spec(p) && is_user_tensor(d, p) && HAS_ANY(previous_of(d, p), returned);
}

static bool returned_as_mutation(defect *d) {
    const place *p = draw_place(d, is_returned_behind_returned, NULL);
    return p != NULL ? become(d, p, "buffer_mutation", "buffer_name", NULL)
                     : no_place(d, "it has no two outputs that are tensors");
}

bool defect_signature_order(defect *d) {
    static defect_function *const ways[] = {lifted_as_passed, passed_as_lifted,
                                            returned_as_mutation};
    return TRY_WAYS(d, ways);
}

/* ----------------------------------------------------------- 5.3.6, 5.3.7: names */

static bool is_weight_name(const defect *d, const place *p, const void *context) {
    static const member_row rows[] = {{"InputToParameterSpec", "parameter_name"},
                                      {"InputToBufferSpec", "buffer_name"},
                                      {"InputToTensorConstantSpec", "tensor_constant_name"},
                                      {"InputToCustomObjSpec", "custom_obj_name"},
                                      {NULL, NULL}};
    (void)context;
    return is_old(d) ? is_entry(d, p, old_inputs) && p->key != 0 : is_any_member(p, rows);
}

bool defect_spec_name(defect *d) {
    const place *p = draw_place(d, is_weight_name, NULL);
    return p != NULL ? replace_text(d, p, "") : no_place(d, "it has no parameters or buffers");
}

/* Another one, that may not have the same name: in some versions two
 * parameters may. */
static bool is_other_weight(const defect *d, const place *p, const void *context) {
    const place *than = context;
    bool parameters = strcmp(p->type != NULL ? p->type : "", "InputToParameterSpec") == 0 &&
                      strcmp(than->type, "InputToParameterSpec") == 0;
    return p != than && is_weight_name(d, p, NULL) && !(parameters && within(d, "5.4", "8.8")) &&
           !same_bytes(text_at(d, p), text_at(d, than));
}

bool defect_spec_twice(defect *d) {
    const place *p = draw_place(d, is_weight_name, NULL);
    const place *other = p == NULL ? NULL : draw_place(d, is_other_weight, p);
    if (other == NULL) {
        return no_place(d, "it has no two parameters or buffers");
    }
    replace_text(d, p, "");
    put_bytes(d, text_at(d, other));
    return true;
}

/* -------------------------------------------------------- 5.3.8, 5.3.9: mutations */

static const struct mutation_row {
    const char *tag;
    const char *type;
    const char *field;
} mutations[] = {{"buffer_mutation", "BufferMutationSpec", "buffer_name"},
                 {"parameter_mutation", "ParameterMutationSpec", "parameter_name"},
                 {"user_input_mutation", "UserInputMutationSpec", "user_input_name"}};

static const struct mutation_row *mutation_of(const place *spec) {
    for (size_t i = 0; spec != NULL && i < COUNT_OF(mutations); i++) {
        if (has_tag(spec, mutations[i].tag)) {
            return &mutations[i];
        }
    }
    return NULL;
}

static bool is_mutated(const defect *d, const place *p, const void *context) {
    (void)context;
    for (size_t i = 0; i < COUNT_OF(mutations); i++) {
        if (is_member(p, mutations[i].type, mutations[i].field)) {
            return true;
        }
    }
    return is_entry(d, p, old_outputs) && p->key != 0;
}

static bool renamed_target(defect *d) {
    const place *p = draw_place(d, is_mutated, NULL);
    if (p == NULL) {
        return no_place(d, "it has no mutations");
    }
    replace_text(d, p, "");
    put_fresh(d, "no_such_");
    return true;
}

/* The first output that the user gets: before it are mutations and tokens. */
static bool is_first_returned(const defect *d, const place *p, const void *context) {
    const place *before = is_output_spec(p) ? previous_of(d, p) : NULL;
    (void)context;
    return is_output_spec(p) && is_user_tensor(d, p) &&
           (before == NULL || has_tag(before, "token") || mutation_of(before) != NULL);
}

static bool mutation_of_nothing(defect *d) {
    const place *p = draw_place(d, is_first_returned, NULL);
    const struct mutation_row *row = &DRAW_FROM(d, mutations);
    if (p == NULL || !version_has(d, "OutputSpec", row->tag)) {
        return no_place(d, "its first output is no tensor");
    }
    return become(d, p, row->tag, row->field, NULL);
}

bool defect_mutation_target(defect *d) {
    static defect_function *const ways[] = {renamed_target, mutation_of_nothing};
    return TRY_WAYS(d, ways);
}

static bool is_other_mutated(const defect *d, const place *p, const void *context) {
    const place *than = context;
    return p != than && is_mutated(d, p, NULL) && strcmp(p->type, than->type) == 0;
}

static bool same_target(defect *d) {
    const place *p = draw_place(d, is_mutated, NULL);
    const place *other = p == NULL ? NULL : draw_place(d, is_other_mutated, p);
    if (other == NULL) {
        return no_place(d, "it has no two mutations of a kind");
    }
    replace_text(d, p, "");
    put_bytes(d, text_at(d, other));
    return true;
}

static bool second_mutation(defect *d) {
    const place *p = draw_place(d, is_first_returned, NULL);
    const place *before = p == NULL ? NULL : previous_of(d, p);
    const struct mutation_row *row = mutation_of(before);
    if (row == NULL) {
        return no_place(d, "it has no mutation before an output that is a tensor");
    }
    return become(d, p, row->tag, row->field, part_of(d, tagged(d, before), row->field));
}

/* In version 1: one of the user's outputs moves to the buffers that change. */
static bool moved_output(defect *d) {
    const place *output = draw_item(d, "GraphSignature", "user_outputs");
    const place *mutation = draw_item(d, "GraphSignature", "buffers_to_mutate");
    if (mutation == NULL || output == NULL) {
        return no_place(d, "it has no mutation, or no output");
    }
    const place *list = outer(d, mutation);
    remove_part(d, output);
    size_t end = d->end;
    put_bytes(d, (ep_bytes){d->places.text.data + end, list->end - 1 - end});
    put(d, ", ");
    put_bytes(d, bytes_at(d, output));
    put(d, ": ");
    put_bytes(d, bytes_at(d, mutation));
    d->end = list->end - 1;
    return true;
}

bool defect_mutation_twice(defect *d) {
    static defect_function *const ways[] = {same_target, second_mutation, moved_output};
    return TRY_WAYS(d, ways);
}

/* --------------------------------------------------- 5.3.10, 5.3.11: gradients */

static const member_row gradient_targets[] = {{"GradientToParameterSpec", "parameter_name"},
                                              {"GradientToUserInputSpec", "user_input_name"},
                                              {NULL, NULL}};
static const member_row old_gradients[] = {{"BackwardSignature", "gradients_to_parameters"},
                                           {"BackwardSignature", "gradients_to_user_inputs"},
                                           {NULL, NULL}};

static bool renamed_gradient(defect *d) {
    const place *p =
        is_old(d) ? draw_place(d, is_entry, old_gradients) : draw_of(d, gradient_targets);
    if (p == NULL) {
        return no_place(d, "it has no gradients");
    }
    replace_text(d, p, "");
    put_fresh(d, "no_such_");
    return true;
}

/* The last output, that may become a gradient; those behind it are. */
static bool is_last_returned(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_output_spec(p) && is_user_tensor(d, p) &&
           (next_of(d, p) == NULL || HAS_ANY(next_of(d, p), gradients));
}

static bool gradient_of_nothing(defect *d) {
    const place *p = draw_place(d, is_last_returned, NULL);
    bool parameter = draw(d, 2) == 0;
    if (p == NULL) {
        return no_place(d, "its last output is no tensor");
    }
    return become(d, p, gradients[parameter ? 0 : 1],
                  parameter ? "parameter_name" : "user_input_name", NULL);
}

/* Puts a backward_signature: with a gradient of the one output, or with none and
 * a loss that is no output. */
static void put_backward(defect *d, const place *output, bool gradient) {
    bool parameter = draw(d, 2) == 0;
    put(d, parameter ? "{\"gradients_to_parameters\": {" : "{\"gradients_to_user_inputs\": {");
    if (gradient) {
        put_bytes(d, bytes_at(d, output));
        put(d, ": \"");
        put_fresh(d, "no_such_");
        put(d, "\"");
    }
    put(d, parameter ? "}, \"gradients_to_user_inputs\"" : "}, \"gradients_to_parameters\"");
    put(d, ": {}, \"loss_output\": ");
    if (gradient) {
        put_bytes(d, bytes_at(d, output));
    } else {
        put(d, "\"");
        put_fresh(d, "no_such_");
        put(d, "\"");
    }
    put(d, "}");
}

/* The backward_signature of a program that has none. */
static const place *no_backward(defect *d) {
    const place *p = first_in(d, draw_member(d, "GraphModule", "signature"));
    while (p != NULL && strcmp(p->member, "backward_signature") != 0) {
        p = next_of(d, p);
    }
    return p != NULL && p->kind == EP_KIND_NULL ? p : NULL;
}

/* An output is the user's no more, but a gradient. */
static bool new_gradient(defect *d) {
    const place *backward = is_old(d) ? no_backward(d) : NULL;
    const place *output = draw_item(d, "GraphSignature", "user_outputs");
    if (backward == NULL || output == NULL) {
        return no_place(d, "it has a backward_signature, or no outputs");
    }
    remove_part(d, output);
    size_t end = d->end;
    put_bytes(d, (ep_bytes){d->places.text.data + end, backward->begin - end});
    put_backward(d, output, true);
    d->end = backward->end;
    return true;
}

bool defect_gradient(defect *d) {
    static defect_function *const ways[] = {renamed_gradient, gradient_of_nothing, new_gradient};
    return TRY_WAYS(d, ways);
}

static bool old_loss(defect *d) {
    const place *p = draw_member(d, "BackwardSignature", "loss_output");
    if (p != NULL) {
        replace_text(d, p, "");
        put_fresh(d, "no_such_");
        return true;
    }
    p = no_backward(d);
    if (p == NULL) {
        return no_place(d, "it has a backward_signature that is no object");
    }
    replace(d, p, "");
    put_backward(d, NULL, false);
    return true;
}

static bool is_loss(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return is_output_spec(p) && has_tag(p, "loss_output");
}

static bool is_gradient(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return is_output_spec(p) && HAS_ANY(p, gradients);
}

static bool no_loss(defect *d) {
    const place *p = draw_place(d, is_loss, NULL);
    if (p == NULL || draw_place(d, is_gradient, NULL) == NULL || !within(d, "8.1-a", NULL)) {
        return no_place(d, "it has no loss and gradients");
    }
    ep_bytes tensor = text_at(d, tensor_of(d, p));
    replace(d, p, "");
    put_user_spec(d, "OutputSpec", "user_output", tensor);
    return true;
}

/* A gradient where there is no loss: of a parameter that there is. */
static bool lone_gradient(defect *d) {
    const place *p = draw_place(d, is_last_returned, NULL);
    const place *parameter = draw_member(d, "InputToParameterSpec", "parameter_name");
    if (p == NULL || parameter == NULL || draw_place(d, is_loss, NULL) != NULL ||
        !within(d, "8.1-a", NULL)) {
        return no_place(d, "it has no parameter, or no output that is a tensor at the end");
    }
    return become(d, p, "gradient_to_parameter", "parameter_name", parameter);
}

static bool is_first_of_two(const defect *d, const place *p, const void *context) {
    const place *next = is_output_spec(p) ? next_of(d, p) : NULL;
    (void)context;
    return next != NULL && is_user_tensor(d, p) && is_user_tensor(d, next);
}

static bool two_losses(defect *d) {
    const place *p = draw_place(d, is_first_of_two, NULL);
    if (p == NULL) {
        return no_place(d, "it has no two outputs side by side that are tensors");
    }
    const place *next = next_of(d, p);
    become(d, p, "loss_output", NULL, NULL);
    put(d, ", ");
    put_spec(d, "OutputSpec", "loss_output", NULL, text_at(d, tensor_of(d, next)));
    put_spec_end(d, "OutputSpec", "loss_output", false);
    d->end = next->end;
    return true;
}

bool defect_loss(defect *d) {
    static defect_function *const ways[] = {no_loss, lone_gradient, two_losses};
    return is_old(d) ? old_loss(d) : TRY_WAYS(d, ways);
}

/* --------------------------------------------------------------- 5.3.12: tokens */

/* Whether an output speaks of an input, by its own name or by its target's. */
static bool is_spoken_of(const defect *d, ep_bytes name) {
    for (const place *p = d->places.items; p < d->places.items + d->places.count; p++) {
        if ((is_mutated(d, p, NULL) || is_any_member(p, gradient_targets)) &&
            same_bytes(text_at(d, p), name)) {
            return true;
        }
    }
    return false;
}

/* A spec of a tensor that tokens alone stand before, and that nothing needs. */
static bool may_be_token(const defect *d, const place *p, const void *context) {
    (void)context;
    if (!is_input_spec(p) && !is_output_spec(p)) {
        return false;
    }
    const place *before = previous_of(d, p);
    bool first = before == NULL || has_tag(before, "token");
    if (!first || (!HAS_ANY(p, lifted) && !is_user_tensor(d, p))) {
        return false;
    }
    for (const place *in = p; in < d->places.items + p->next; in++) {
        if (is_input_spec(p) && in->kind == EP_KIND_STR && is_spoken_of(d, text_at(d, in))) {
            return false;
        }
    }
    return true;
}

bool defect_tokens(defect *d) {
    const place *p = draw_place(d, may_be_token, NULL);
    return p != NULL ? become(d, p, "token", NULL, NULL)
                     : no_place(d, "none of its first inputs and outputs can be a token");
}
