/*
 * signature.c - see signature.h.
 */
#include "signature.h"

#include <string.h>

#include "cli/words.h"
#include "graphs.h"

/* What people call the tags of InputSpec and OutputSpec. */
static const char *kind_of_tag(const char *tag) {
    static const char *const kinds[][2] = {
        {"user_input", "user"},
        {"parameter", "parameter"},
        {"buffer", "buffer"},
        {"tensor_constant", "tensor constant"},
        {"custom_obj", "custom object"},
        {"token", "token"},
        {"constant_input", "constant"},
        {"user_output", "user"},
        {"loss_output", "loss"},
        {"buffer_mutation", "buffer mutation"},
        {"parameter_mutation", "parameter mutation"},
        {"user_input_mutation", "input mutation"},
        {"gradient_to_parameter", "parameter gradient"},
        {"gradient_to_user_input", "input gradient"},
        {NULL, NULL},
    };
    return word_for(kinds, tag, tag != NULL ? tag : "unknown");
}

/* --------------------------------------------------------------------- specs */

/* A spec has an argument, the name of what it stands for, or both. */
static void row_of_spec(signature *s, ep_value spec, signature_row *row) {
    const char *tag = ep_value_name(spec, 0);
    ep_value held = ep_value_item(spec, 0);
    bool constant = word_is(tag, "constant_input");
    *row = (signature_row){.kind = kind_of_tag(tag)};
    for (size_t i = 0; i < ep_value_count(held); i++) {
        const char *field = ep_value_name(held, i);
        ep_value value = ep_value_item(held, i);
        if (word_is(field, "arg value")) {
            row->value = value;
        } else if (ep_value_kind(value) == EP_KIND_STR) {
            *(constant ? &row->name : &row->target) = text_of(value, s->arena, &s->failed);
        } else if (strcmp(field, "persistent") == 0) {
            row->transient = ep_value_int(value) == 0;
        }
    }
}

/* ----------------------------------------------------------------- version 1 */

/* What each stands for, unescaped once: values may have one name. */
static void say_targets(signature *s, name_list *roles) {
    for (size_t i = 0; !roles->failed && i < roles->count; i++) {
        ep_arena scratch;
        arena_open(&scratch, 0);
        ep_bytes target = text_of(roles->items[i].value, &scratch, &s->failed);
        names_say(roles, &roles->items[i], NAMES_TARGET, target);
        ep_arena_free(&scratch);
    }
}

static void read_roles(signature *s, ep_value said) {
    ep_value backward = ep_value_field(said, "backward_signature");
    ep_value loss = ep_value_field(backward, "loss_output");
    name_list *in = &s->roles[SIGNATURE_INPUTS];
    name_list *out = &s->roles[SIGNATURE_OUTPUTS];
    names_add_dict(in, ep_value_field(said, "inputs_to_parameters"), "parameter", s->arena);
    names_add_dict(in, ep_value_field(said, "inputs_to_buffers"), "buffer", s->arena);
    names_add_dict(out, ep_value_field(said, "buffers_to_mutate"), "buffer mutation", s->arena);
    names_add_dict(out, ep_value_field(backward, "gradients_to_parameters"), "parameter gradient",
                   s->arena);
    names_add_dict(out, ep_value_field(backward, "gradients_to_user_inputs"), "input gradient",
                   s->arena);
    if (ep_value_kind(loss) == EP_KIND_STR) {
        names_add(out, (name_item){.name = text_of(loss, s->arena, &s->failed), .kind = "loss"});
    }
    names_sort(in);
    names_sort(out);
    say_targets(s, in);
    say_targets(s, out);
}

/* The name of the value that an argument is; empty if it is none. */
static ep_bytes name_of(signature *s, ep_value argument) {
    const char *tag;
    ep_value held = unwrap(argument, &tag);
    ep_value name = ep_value_kind(held) == EP_KIND_STRUCT ? ep_value_field(held, "name") : held;
    return text_of(name, s->arena, &s->failed);
}

static void row_of_argument(signature *s, const name_list *roles, ep_value argument,
                            signature_row *row) {
    const name_item *role = names_find(roles, name_of(s, argument));
    *row = (signature_row){.kind = "user", .value = argument};
    if (role != NULL) {
        row->kind = role->kind;
        row->target = names_said(roles, role, NAMES_TARGET);
    }
}

/* ---------------------------------------------------------------------- both */

void signature_open(signature *s, const ep_program *program, ep_arena *arena) {
    ep_value module = ep_value_field(ep_program_root(program), "graph_module");
    ep_value said = ep_value_field(module, "signature");
    *s = (signature){.arena = arena};
    s->rows[SIGNATURE_INPUTS] = ep_value_field(said, "input_specs");
    s->rows[SIGNATURE_OUTPUTS] = ep_value_field(said, "output_specs");
    s->by_dicts = ep_value_kind(s->rows[SIGNATURE_INPUTS]) == EP_KIND_NULL;
    if (s->by_dicts) {
        ep_value graph = graphs_main(program);
        s->rows[SIGNATURE_INPUTS] = ep_value_field(graph, "inputs");
        s->rows[SIGNATURE_OUTPUTS] = ep_value_field(graph, "outputs");
        read_roles(s, said);
    }
    s->failed =
        s->failed || s->roles[SIGNATURE_INPUTS].failed || s->roles[SIGNATURE_OUTPUTS].failed;
}

bool signature_at(signature *s, signature_side side, size_t i, signature_row *row) {
    if (i >= ep_value_count(s->rows[side])) {
        return false;
    }
    ep_value item = ep_value_item(s->rows[side], i);
    if (s->by_dicts) {
        row_of_argument(s, &s->roles[side], item, row);
    } else {
        row_of_spec(s, item, row);
    }
    return true;
}

void signature_close(signature *s) {
    names_free(&s->roles[SIGNATURE_INPUTS]);
    names_free(&s->roles[SIGNATURE_OUTPUTS]);
}
