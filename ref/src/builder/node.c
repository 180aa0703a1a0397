/*
 * builder/node.c - nodes that are being built: named arguments, outputs, and metadata
 * as each release writes it.
 */
#include "builder/builder.h"

#include "language/metadata.h"

/* -------------------------------------------------------------------- inputs */

/* How an argument was given, which the version may not record. */
static void set_kind(ep_builder *b, ep_node *named, bool keyword) {
    ep_field field = keyword ? EP_F_ArgumentKind_KEYWORD : EP_F_ArgumentKind_POSITIONAL;
    if (ep_maker_has(&b->maker, EP_F_NamedArgument_kind)) {
        const ep_type *type = ep_maker_type(&b->maker, EP_SHAPE_ArgumentKind);
        int64_t kind = type->members[b->maker.fields.slot[field]].row->id;
        ep_maker_set(&b->maker, named, EP_F_NamedArgument_kind, (uint64_t)kind);
    }
}

static bool push_input(ep_builder *b, ep_stack *inputs, const ep_named_arg *input) {
    TRY(ep_builder_given(b, input->arg));
    ep_node *named = ep_maker_struct(&b->maker, EP_SHAPE_NamedArgument);
    TRY(named != NULL && ep_builder_set_string(b, named, EP_F_NamedArgument_name, input->name));
    ep_maker_set(&b->maker, named, EP_F_NamedArgument_arg, ep_pointer_bits(input->arg));
    set_kind(b, named, input->keyword);
    return ep_builder_push(b, inputs, ep_pointer_bits(named));
}

static bool set_inputs(ep_builder *b, ep_node *node, const ep_node_info *info) {
    ep_stack inputs;
    uint64_t bits = 0;
    bool ok = ep_builder_given_array(b, info->inputs, info->input_count);
    ep_stack_init(&inputs, b->arena);
    for (size_t i = 0; ok && i < info->input_count; i++) {
        ok = push_input(b, &inputs, &info->inputs[i]);
    }
    ok = ok && ep_builder_list(b, &inputs, &bits);
    ep_stack_free(&inputs);
    ep_maker_set(&b->maker, node, EP_F_Node_inputs, bits);
    return ok;
}

/* ------------------------------------------------------------------- outputs */

/* The form of a tuple of tensors that a higher-order operator returns: one tensor is
 * written itself or as a list, several as outputs or as one list. SPEC 7.4.4 */
typedef struct tuple_row {
    uint8_t until; /* and since the row before */
    bool one_as_list;
    bool several_as_list;
} tuple_row;

static const tuple_row tuple_rows[] = {
    {EP_V5_1, true, true},
    {EP_V8_5_a, true, false},
    {EP_FUTURE, false, false},
};

static const tuple_row *tuple_row_of(const ep_builder *b) {
    const tuple_row *row = tuple_rows;
    while (!ep_builder_between(b, EP_V1_2023_08, (ep_version_number)row->until)) {
        row++;
    }
    return row;
}

static bool all_tensors(const ep_builder *b, const ep_node_info *info) {
    uint8_t tensor = b->maker.fields.slot[EP_F_Argument_as_tensor];
    for (size_t i = 0; i < info->output_count; i++) {
        if (ep_argument_node(info->outputs[i])->tag != tensor) {
            return false;
        }
    }
    return info->output_count > 0;
}

/* Outputs, one at least, as one list: of what the arguments hold. */
static bool gather(ep_builder *b, ep_stack *outputs) {
    uint64_t bits;
    for (size_t i = 0; i < outputs->count; i++) {
        outputs->words[i] = ep_node_at(outputs->words[i])->slots[0];
    }
    TRY(ep_builder_list(b, outputs, &bits));
    const ep_built_arg *list = ep_builder_argument(b, EP_F_Argument_as_tensors, bits);
    outputs->words[0] = ep_pointer_bits(list);
    outputs->count = 1;
    return list != NULL;
}

static bool collect_outputs(ep_builder *b, const ep_node_info *info, ep_stack *outputs) {
    TRY(ep_builder_given_array(b, info->outputs, info->output_count));
    for (size_t i = 0; i < info->output_count; i++) {
        TRY(ep_builder_given(b, info->outputs[i]) &&
            ep_builder_push(b, outputs, ep_pointer_bits(info->outputs[i])));
    }
    const tuple_row *row = tuple_row_of(b);
    bool list = info->output_count == 1 ? row->one_as_list : row->several_as_list;
    bool tuple = info->returns == EP_RETURNS_TUPLE && all_tensors(b, info);
    return !tuple || !list || gather(b, outputs);
}

static bool set_outputs(ep_builder *b, ep_node *node, const ep_node_info *info) {
    ep_stack outputs;
    uint64_t bits = 0;
    ep_stack_init(&outputs, b->arena);
    bool ok = collect_outputs(b, info, &outputs) && ep_builder_list(b, &outputs, &bits);
    ep_stack_free(&outputs);
    ep_maker_set(&b->maker, node, EP_F_Node_outputs, bits);
    return ok;
}

/* Marks the subgraphs as returning one tensor without a tuple. */
static void mark_single(ep_builder *b, const ep_node_info *info) {
    const ep_maker *m = &b->maker;
    for (size_t i = 0; i < info->input_count; i++) {
        const ep_node *argument = ep_argument_node(info->inputs[i].arg);
        if (argument->tag == m->fields.slot[EP_F_Argument_as_graph]) {
            const ep_node *held = ep_tag_node(argument);
            uint64_t bits = ep_field_bits(&m->fields, held, EP_F_GraphArgument_graph);
            ep_node *graph = ep_node_mutable(bits);
            ep_maker_set(m, graph, EP_F_Graph_is_single_tensor_return, 1);
        }
    }
}

static void set_returns(ep_builder *b, ep_node *node, const ep_node_info *info) {
    if (info->returns == EP_RETURNS_AS_DECLARED) {
        return;
    }
    bool single = info->returns == EP_RETURNS_TENSOR;
    ep_maker_set(&b->maker, node, EP_F_Node_is_hop_single_tensor_return, single);
    if (single) {
        mark_single(b, info);
    }
}

/* ------------------------------------------------------------------- metadata */

static bool put(ep_builder *b, const char *text) {
    return ep_growing_put(&b->scratch, ep_text_of(text)) || ep_maker_fail(&b->maker, EP_MEMORY);
}

static bool add_text(ep_builder *b, ep_growing_dict *metadata, const char *key, ep_bytes text) {
    uint64_t name;
    uint64_t bits;
    TRY(ep_builder_string(b, key, &name) && ep_builder_given_array(b, text.data, text.size));
    if (!ep_maker_text(&b->maker, text, &bits)) {
        return ep_builder_refuse(b, "not UTF-8", key);
    }
    return ep_builder_add(b, metadata, name, bits);
}

/* What a version writes of two forms. SPEC 4.3 */
static const ep_metadata_form *written_of(const ep_builder *b, ep_metadata_key early,
                                          ep_metadata_key later) {
    const ep_metadata_form *form = ep_metadata_form_of(early);
    return ep_metadata_is_written(form, b->number) ? form : ep_metadata_form_of(later);
}

/* SPEC 4.3.1 */
static bool put_frame(ep_builder *b, const ep_metadata_form *form, const ep_module_frame *frame) {
    TRY(ep_builder_given(b, frame->key) && ep_builder_given(b, frame->path) &&
        ep_builder_given(b, frame->type));
    const char *const parts[] = {frame->key,       form->between[0], frame->path,
                                 form->between[1], frame->type,      form->between[2]};
    for (size_t part = 0; part < EP_COUNT_OF(parts); part++) {
        TRY(put(b, parts[part]));
    }
    return true;
}

static bool add_modules(ep_builder *b, ep_growing_dict *metadata, const ep_node_info *info) {
    b->scratch.size = 0;
    const ep_metadata_form *form =
        written_of(b, EP_METADATA_NN_MODULES_2_1, EP_METADATA_NN_MODULE_STACK);
    TRY(ep_builder_given_array(b, info->modules, info->module_count));
    for (size_t i = 0; i < info->module_count; i++) {
        TRY((i == 0 || put(b, ";")) && put_frame(b, form, &info->modules[i]));
    }
    ep_bytes text = {b->scratch.data, b->scratch.size};
    return info->module_count == 0 || add_text(b, metadata, form->name, text);
}

/* A function with its name. SPEC 4.3.2, 4.3.3 */
static bool add_pair(ep_builder *b, ep_growing_dict *metadata, const ep_metadata_form *form,
                     const char *name, const char *function) {
    if (name == NULL || function == NULL) {
        return true;
    }
    ep_bytes text;
    const ep_bytes parts[] = {ep_text_of(name), ep_text_of(form->between[1]), ep_text_of(function)};
    return ep_builder_join(b, parts, EP_COUNT_OF(parts), &text) &&
           add_text(b, metadata, form->name, text);
}

static bool collect_metadata(ep_builder *b, ep_growing_dict *metadata, const ep_node_info *info) {
    if (info->stack_trace.size > 0) {
        TRY(add_text(b, metadata, "stack_trace", info->stack_trace));
    }
    TRY(add_modules(b, metadata, info));
    const ep_metadata_form *source =
        written_of(b, EP_METADATA_SOURCE_FN, EP_METADATA_SOURCE_FN_STACK);
    TRY(add_pair(b, metadata, source, info->source_name, info->source_function));
    const ep_metadata_form *torch_fn = ep_metadata_form_of(EP_METADATA_TORCH_FN_KEY);
    if (ep_metadata_is_written(torch_fn, b->number)) {
        TRY(add_pair(b, metadata, torch_fn, info->torch_fn_name, info->torch_fn));
    }
    TRY(ep_builder_given_array(b, info->metadata, info->metadata_count));
    for (size_t i = 0; i < info->metadata_count; i++) {
        TRY(add_text(b, metadata, info->metadata[i].key, info->metadata[i].text));
    }
    return true;
}

static bool set_metadata(ep_builder *b, ep_node *node, const ep_node_info *info) {
    ep_growing_dict metadata;
    uint64_t bits = 0;
    ep_growing_dict_init(&metadata, b->arena);
    bool ok = collect_metadata(b, &metadata, info) && ep_builder_dict(b, &metadata, &bits);
    ep_growing_dict_free(&metadata);
    ep_maker_set(&b->maker, node, EP_F_Node_metadata, bits);
    return ok;
}

/* ---------------------------------------------------------------------- nodes */

static bool is_known(ep_builder *b, ep_node_returns returns) {
    bool known = returns == EP_RETURNS_AS_DECLARED || returns == EP_RETURNS_TUPLE ||
                 returns == EP_RETURNS_TENSOR;
    return known || ep_builder_refuse(b, "no such way of returning", NULL);
}

EP_API bool ep_build_node(ep_builder *b, ep_built_graph *graph, const ep_node_info *info) {
    TRY(ep_builder_goes_on(b) && ep_builder_given(b, graph) && ep_builder_given(b, info));
    if (graph->closed) {
        return ep_builder_refuse(b, "the graph is closed", info->target);
    }
    TRY(is_known(b, info->returns));
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_Node);
    TRY(node != NULL && ep_builder_set_string(b, node, EP_F_Node_target, info->target));
    TRY(set_inputs(b, node, info) && set_outputs(b, node, info) && set_metadata(b, node, info));
    set_returns(b, node, info);
    if (info->name != NULL && ep_maker_has(&b->maker, EP_F_Node_name)) {
        TRY(ep_builder_set_string(b, node, EP_F_Node_name, info->name));
    }
    return ep_builder_push(b, &graph->nodes, ep_pointer_bits(node));
}
