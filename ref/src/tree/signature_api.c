/*
 * tree/signature_api.c - the signature as callers of the library have it,
 * after torch.export.graph_signature.ExportGraphSignature.
 */
#include "base/error.h"
#include "tree/signature.h"

struct ep_signature {
    ep_signature_entry *inputs;
    ep_signature_entry *outputs;
    size_t input_count;
    size_t output_count;
};

/* The state of one call of ep_signature_open. */
typedef struct opening {
    const ep_program *program;
    ep_arena *arena;
    ep_fields fields;
} opening;

/* The value's name in an Argument; 0 when that, or a ConstantValue, holds a
 * constant. */
static ep_ref name_in(const opening *o, const ep_node *argument) {
    static const ep_field names[][2] = {
        {EP_F_Argument_as_tensor, EP_F_TensorArgument_name},
        {EP_F_Argument_as_custom_obj, EP_F_CustomObjArgument_name},
        {EP_F_Argument_as_sym_int, EP_F_SymIntArgument_as_name},
        {EP_F_Argument_as_sym_float, EP_F_SymFloatArgument_as_name},
        {EP_F_Argument_as_sym_bool, EP_F_SymBoolArgument_as_name},
    };
    ep_field tag = ep_tag(&o->fields, argument);
    for (size_t i = 0; i < EP_COUNT_OF(names); i++) {
        const ep_node *inner = names[i][0] == tag ? ep_tag_node(argument) : NULL;
        if (inner == NULL) {
            continue;
        }
        if (o->fields.schema->types[inner->type]->kind == EP_KIND_STRUCT) {
            return ep_field_bits(&o->fields, inner, names[i][1]);
        }
        return ep_tag(&o->fields, inner) == names[i][1] ? inner->slots[0] : 0;
    }
    return 0;
}

/* A union as a value: its own is what is under the tag. */
static ep_value value_of(const opening *o, const ep_node *node) {
    return (ep_value){o->program, &o->fields.schema->shapes[EP_SHAPE_FIRST_TYPE + node->type],
                      ep_pointer_bits(node)};
}

static bool text_of(const opening *o, ep_ref ref, ep_bytes *text) {
    *text = EP_TEXT("");
    return ref == 0 || ep_ref_text(o->arena, o->program->input, ref, text);
}

static bool read_entry(const opening *o, const ep_spec *spec, ep_signature_entry *entry) {
    ep_ref name = spec->named ? spec->value : name_in(o, spec->argument);
    *entry = (ep_signature_entry){.kind = spec->kind};
    TRY(text_of(o, name, &entry->name) && text_of(o, spec->target, &entry->target));
    bool constant = name == 0;
    if (constant && EP_ALWAYS(spec->argument != NULL)) { /* in version 1 all have names */
        entry->constant = value_of(o, spec->argument);
    }
    return true;
}

static bool read_entries(const opening *o, const ep_spec *specs, size_t count,
                         ep_signature_entry **entries) {
    *entries = ep_arena_array(o->arena, 0, count, sizeof **entries);
    TRY(*entries != NULL);
    for (size_t i = 0; i < count; i++) {
        TRY(read_entry(o, &specs[i], &(*entries)[i]));
    }
    return true;
}

/* The loss of version 1 is a user output that is named again. */
static bool mark_loss(const opening *o, const ep_node *node, ep_signature *signature) {
    const ep_node *backward =
        ep_field_node(&o->fields, node, EP_F_GraphSignature_backward_signature);
    ep_bytes loss;
    if (backward == NULL) {
        return true;
    }
    TRY(text_of(o, ep_field_bits(&o->fields, backward, EP_F_BackwardSignature_loss_output), &loss));
    for (size_t i = 0; i < signature->output_count; i++) {
        ep_signature_entry *entry = &signature->outputs[i];
        if (entry->kind == EP_OUTPUT_USER && ep_text_equal(entry->name, loss)) {
            entry->kind = EP_OUTPUT_LOSS;
        }
    }
    return true;
}

static bool read_signature(const opening *o, ep_signature *signature) {
    const ep_node *module =
        ep_field_node(&o->fields, o->program->root, EP_F_ExportedProgram_graph_module);
    const ep_node *node = ep_field_node(&o->fields, module, EP_F_GraphModule_signature);
    ep_specs specs;
    TRY(ep_specs_read(&specs, o->arena, &o->fields, node));
    signature->input_count = specs.input_count;
    signature->output_count = specs.output_count;
    return read_entries(o, specs.inputs, specs.input_count, &signature->inputs) &&
           read_entries(o, specs.outputs, specs.output_count, &signature->outputs) &&
           mark_loss(o, node, signature);
}

EP_API bool ep_signature_open(const ep_program *program, ep_arena *arena, ep_signature **signature,
                              ep_error *error) {
    if (signature != NULL) {
        *signature = NULL;
    }
    bool given = program != NULL && arena != NULL && signature != NULL;
    if (!given || program->partial) { /* SPEC 3.10.3 */
        return ep_error_unusable(error, given);
    }
    opening o = {.program = program, .arena = arena};
    ep_arena_mark mark = ep_arena_now(arena);
    ep_fields_open(&o.fields, program->schema);
    *signature = ep_arena_alloc(arena, sizeof **signature);
    if (*signature == NULL || !read_signature(&o, *signature)) {
        ep_arena_rewind(arena, mark);
        *signature = NULL;
        return ep_error_plain(error, EP_MEMORY);
    }
    ep_error_clear(error);
    return true;
}

EP_API size_t ep_signature_input_count(const ep_signature *signature) {
    return signature == NULL ? 0 : signature->input_count;
}

EP_API size_t ep_signature_output_count(const ep_signature *signature) {
    return signature == NULL ? 0 : signature->output_count;
}

EP_API bool ep_signature_input(const ep_signature *signature, size_t i, ep_signature_entry *entry) {
    TRY(entry != NULL && i < ep_signature_input_count(signature));
    *entry = signature->inputs[i];
    return true;
}

EP_API bool ep_signature_output(const ep_signature *signature, size_t i,
                                ep_signature_entry *entry) {
    TRY(entry != NULL && i < ep_signature_output_count(signature));
    *entry = signature->outputs[i];
    return true;
}

/* ---------------------------------------------------------------------- parts */

/* Which entries a part has: those of a kind, or of either of two. */
typedef struct part_row {
    bool outputs;
    uint8_t kind;
    uint8_t other;
    bool backward; /* nothing without a loss, as backward_signature */
} part_row;

static const part_row part_rows[] = {
    [EP_PART_PARAMETERS] = {false, EP_INPUT_PARAMETER, EP_INPUT_PARAMETER, false},
    [EP_PART_BUFFERS] = {false, EP_INPUT_BUFFER, EP_INPUT_BUFFER_NOT_PERSISTENT, false},
    [EP_PART_NON_PERSISTENT_BUFFERS] = {false, EP_INPUT_BUFFER_NOT_PERSISTENT,
                                        EP_INPUT_BUFFER_NOT_PERSISTENT, false},
    [EP_PART_LIFTED_TENSOR_CONSTANTS] = {false, EP_INPUT_TENSOR_CONSTANT, EP_INPUT_TENSOR_CONSTANT,
                                         false},
    [EP_PART_LIFTED_CUSTOM_OBJS] = {false, EP_INPUT_CUSTOM_OBJ, EP_INPUT_CUSTOM_OBJ, false},
    [EP_PART_USER_INPUTS] = {false, EP_INPUT_USER, EP_INPUT_CONSTANT, false},
    [EP_PART_USER_OUTPUTS] = {true, EP_OUTPUT_USER, EP_OUTPUT_USER, false},
    [EP_PART_INPUT_TOKENS] = {false, EP_INPUT_TOKEN, EP_INPUT_TOKEN, false},
    [EP_PART_OUTPUT_TOKENS] = {true, EP_OUTPUT_TOKEN, EP_OUTPUT_TOKEN, false},
    [EP_PART_BUFFERS_TO_MUTATE] = {true, EP_OUTPUT_BUFFER_MUTATION, EP_OUTPUT_BUFFER_MUTATION,
                                   false},
    [EP_PART_PARAMETERS_TO_MUTATE] = {true, EP_OUTPUT_PARAMETER_MUTATION,
                                      EP_OUTPUT_PARAMETER_MUTATION, false},
    [EP_PART_USER_INPUTS_TO_MUTATE] = {true, EP_OUTPUT_USER_INPUT_MUTATION,
                                       EP_OUTPUT_USER_INPUT_MUTATION, false},
    [EP_PART_GRADIENTS_TO_PARAMETERS] = {true, EP_OUTPUT_GRADIENT_TO_PARAMETER,
                                         EP_OUTPUT_GRADIENT_TO_PARAMETER, true},
    [EP_PART_GRADIENTS_TO_USER_INPUTS] = {true, EP_OUTPUT_GRADIENT_TO_USER_INPUT,
                                          EP_OUTPUT_GRADIENT_TO_USER_INPUT, true},
    [EP_PART_LOSS_OUTPUT] = {true, EP_OUTPUT_LOSS, EP_OUTPUT_LOSS, false},
};

static bool has_loss(const ep_signature *signature) {
    for (size_t i = 0; i < signature->output_count; i++) {
        if (signature->outputs[i].kind == EP_OUTPUT_LOSS) {
            return true;
        }
    }
    return false;
}

EP_API size_t ep_signature_part_of(const ep_signature *signature, ep_signature_part part,
                                   ep_signature_entry *entries, size_t capacity) {
    bool nowhere = entries == NULL && capacity > 0;
    if (signature == NULL || nowhere || (size_t)part >= EP_COUNT_OF(part_rows)) {
        return 0;
    }
    const part_row *row = &part_rows[part];
    const ep_signature_entry *all = row->outputs ? signature->outputs : signature->inputs;
    size_t count = row->outputs ? signature->output_count : signature->input_count;
    size_t found = 0;
    if (row->backward && !has_loss(signature)) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (all[i].kind != row->kind && all[i].kind != row->other) {
            continue;
        }
        if (found < capacity) {
            entries[found] = all[i];
        }
        found++;
    }
    return found;
}

static size_t rename_in(ep_signature_entry *entries, size_t count, ep_bytes old_name,
                        ep_bytes new_name) {
    size_t renamed = 0;
    for (size_t i = 0; i < count; i++) {
        if (ep_text_equal(entries[i].name, old_name)) {
            entries[i].name = new_name;
            renamed++;
        }
    }
    return renamed;
}

EP_API size_t ep_signature_replace_all_uses(ep_signature *signature, ep_bytes old_name,
                                            ep_bytes new_name) {
    bool given = signature != NULL && old_name.size > 0 && ep_text_is_there(old_name) &&
                 new_name.size > 0 && ep_text_is_there(new_name);
    return !given ? 0
                  : rename_in(signature->inputs, signature->input_count, old_name, new_name) +
                        rename_in(signature->outputs, signature->output_count, old_name, new_name);
}
