/*
 * builder/module.c - tree specs (SPEC 4.2) and the module call graph;
 * in version 1 the call spec.
 */
#include "builder/builder.h"

/* ----------------------------------------------------------------- tree specs */

static bool put(ep_builder *b, ep_bytes text) {
    return ep_growing_put(&b->scratch, text) || ep_maker_fail(&b->maker, EP_MEMORY);
}

/* A JSON string: quoted, and escaped as PyTorch does. */
static bool put_string(ep_builder *b, ep_bytes text) {
    ep_code code = EP_OK;
    TRY(put(b, EP_TEXT("\"")));
    if (!ep_growing_put_escaped(&b->scratch, text, &code)) {
        return code == EP_MEMORY ? ep_maker_fail(&b->maker, code)
                                 : ep_builder_refuse(b, "not UTF-8", NULL);
    }
    return put(b, EP_TEXT("\""));
}

/* The tree that is being printed into scratch. */
static const ep_built_tree *make_tree(ep_builder *b) {
    ep_built_tree *tree = ep_builder_alloc(b, sizeof *tree);
    ep_bytes text = {b->scratch.data, b->scratch.size};
    if (tree == NULL || !ep_builder_join(b, &text, 1, &tree->text)) {
        return NULL;
    }
    return tree;
}

EP_API const ep_built_tree *ep_tree_leaf(ep_builder *b) {
    if (!ep_builder_goes_on(b)) {
        return NULL;
    }
    b->scratch.size = 0;
    bool ok = put(b, EP_TEXT("{\"type\": null, \"context\": null, \"children_spec\": []}"));
    return ok ? make_tree(b) : NULL;
}

static bool put_children(ep_builder *b, const ep_built_tree *const *children, size_t count) {
    TRY(ep_builder_given_array(b, children, count));
    TRY(put(b, EP_TEXT(", \"children_spec\": [")));
    for (size_t i = 0; i < count; i++) {
        TRY(ep_builder_given(b, children[i]));
        TRY((i == 0 || put(b, EP_TEXT(", "))) && put(b, children[i]->text));
    }
    return put(b, EP_TEXT("]}"));
}

static const ep_built_tree *tree_of(ep_builder *b, const char *type, ep_bytes context,
                                    const ep_built_tree *const *children, size_t count) {
    b->scratch.size = 0;
    bool ok = put(b, EP_TEXT("{\"type\": ")) && put_string(b, ep_text_of(type)) &&
              put(b, EP_TEXT(", \"context\": ")) && put_string(b, context) &&
              put_children(b, children, count);
    return ok ? make_tree(b) : NULL;
}

EP_API const ep_built_tree *ep_tree_node(ep_builder *b, const char *type, const char *context,
                                         const ep_built_tree *const *children, size_t count) {
    if (!ep_builder_goes_on(b) || !ep_builder_given(b, type) || !ep_builder_given(b, context)) {
        return NULL;
    }
    return tree_of(b, type, ep_text_of(context), children, count);
}

EP_API const ep_built_tree *ep_tree_tuple(ep_builder *b, const ep_built_tree *const *children,
                                          size_t count) {
    return ep_tree_node(b, "builtins.tuple", "null", children, count);
}

EP_API const ep_built_tree *ep_tree_list(ep_builder *b, const ep_built_tree *const *children,
                                         size_t count) {
    return ep_tree_node(b, "builtins.list", "null", children, count);
}

/* ["a", "b"] */
static bool join_keys(ep_builder *b, const char *const *keys, size_t count, ep_bytes *context) {
    b->scratch.size = 0;
    TRY(ep_builder_given_array(b, keys, count) && put(b, EP_TEXT("[")));
    for (size_t i = 0; i < count; i++) {
        TRY(ep_builder_given(b, keys[i]) && (i == 0 || put(b, EP_TEXT(", "))) &&
            put_string(b, ep_text_of(keys[i])));
    }
    TRY(put(b, EP_TEXT("]")));
    ep_bytes text = {b->scratch.data, b->scratch.size};
    return ep_builder_join(b, &text, 1, context);
}

EP_API const ep_built_tree *ep_tree_dict(ep_builder *b, const char *const *keys,
                                         const ep_built_tree *const *children, size_t count) {
    ep_bytes context;
    if (!ep_builder_goes_on(b) || !join_keys(b, keys, count, &context)) {
        return NULL;
    }
    return tree_of(b, "builtins.dict", context, children, count);
}

/* Sets a field to the whole text of a tree spec, with its protocol. */
static bool set_spec(ep_builder *b, ep_node *node, ep_field field, const ep_built_tree *tree) {
    ep_bytes text;
    uint64_t bits;
    TRY(ep_builder_given(b, tree));
    const ep_bytes parts[] = {EP_TEXT("[1, "), tree->text, EP_TEXT("]")};
    TRY(ep_builder_join(b, parts, EP_COUNT_OF(parts), &text));
    TRY(ep_maker_text(&b->maker, text, &bits));
    ep_maker_set(&b->maker, node, field, bits);
    return true;
}

/* ----------------------------------------------------------------------- calls */

static bool set_arguments(ep_builder *b, ep_node *node, ep_field field,
                          const ep_built_arg *const *args, size_t count) {
    ep_stack items;
    uint64_t bits = 0;
    bool ok = ep_builder_given_array(b, args, count);
    ep_stack_init(&items, b->arena);
    for (size_t i = 0; ok && i < count; i++) {
        ok = ep_builder_given(b, args[i]) && ep_builder_push(b, &items, ep_pointer_bits(args[i]));
    }
    ok = ok && ep_builder_list(b, &items, &bits);
    ep_stack_free(&items);
    ep_maker_set(&b->maker, node, field, bits);
    return ok;
}

static bool set_arg_names(ep_builder *b, ep_node *node, const ep_call_info *info) {
    const ep_field field = EP_F_ModuleCallSignature_forward_arg_names;
    ep_stack items;
    uint64_t bits = 0;
    bool ok = true;
    if (info->arg_names == NULL || !ep_maker_has(&b->maker, field)) {
        return true;
    }
    ep_stack_init(&items, b->arena);
    for (size_t i = 0; ok && i < info->arg_name_count; i++) {
        ok = ep_builder_string(b, info->arg_names[i], &bits) && ep_builder_push(b, &items, bits);
    }
    ok = ok && ep_builder_list(b, &items, &bits);
    ep_stack_free(&items);
    ep_maker_set(&b->maker, node, field, bits);
    return ok;
}

/* (args, kwargs) */
static const ep_built_tree *whole_input(ep_builder *b, const ep_call_info *info) {
    const ep_built_tree *pair[] = {info->args, info->kwargs};
    if (pair[1] == NULL) {
        pair[1] = ep_tree_dict(b, NULL, NULL, 0);
    }
    return ep_tree_tuple(b, pair, 2);
}

static ep_node *make_signature(ep_builder *b, const ep_call_info *info) {
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_ModuleCallSignature);
    bool ok =
        node != NULL &&
        set_arguments(b, node, EP_F_ModuleCallSignature_inputs, info->inputs, info->input_count) &&
        set_arguments(b, node, EP_F_ModuleCallSignature_outputs, info->outputs,
                      info->output_count) &&
        set_spec(b, node, EP_F_ModuleCallSignature_in_spec, whole_input(b, info)) &&
        set_spec(b, node, EP_F_ModuleCallSignature_out_spec, info->out) &&
        set_arg_names(b, node, info);
    return ok ? node : NULL;
}

static bool has_call_spec(const ep_builder *b) {
    return ep_maker_has(&b->maker, EP_F_GraphModule_call_spec);
}

/* Version 1 writes the arguments alone when none is passed by keyword. */
static ep_node *make_call_spec(ep_builder *b, const ep_call_info *info) {
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_CallSpec);
    const ep_built_tree *in = info->kwargs == NULL ? info->args : whole_input(b, info);
    bool ok = node != NULL && set_spec(b, node, EP_F_CallSpec_in_spec, in) &&
              set_spec(b, node, EP_F_CallSpec_out_spec, info->out);
    return ok ? node : NULL;
}

EP_API bool ep_build_call(ep_builder *b, const ep_call_info *info) {
    TRY(ep_builder_goes_on(b) && ep_builder_given(b, info));
    b->root_call = has_call_spec(b) ? make_call_spec(b, info) : make_signature(b, info);
    return b->root_call != NULL;
}

static bool push_entry(ep_builder *b, ep_stack *entries, const char *fqn,
                       const ep_node *signature) {
    ep_node *entry = ep_maker_struct(&b->maker, EP_SHAPE_ModuleCallEntry);
    TRY(entry != NULL && ep_builder_set_string(b, entry, EP_F_ModuleCallEntry_fqn, fqn));
    if (signature != NULL) {
        ep_maker_set(&b->maker, entry, EP_F_ModuleCallEntry_signature, ep_pointer_bits(signature));
    }
    return ep_builder_push(b, entries, ep_pointer_bits(entry));
}

EP_API bool ep_build_module(ep_builder *b, const char *fqn, const ep_call_info *info) {
    TRY(ep_builder_goes_on(b));
    const ep_node *signature = info == NULL ? NULL : make_signature(b, info);
    return (info == NULL || signature != NULL) && push_entry(b, &b->modules, fqn, signature);
}

/* --------------------------------------------------------------------- defaults */

/* A tuple of so many leaves. */
static const ep_built_tree *flat_tuple(ep_builder *b, size_t count) {
    const ep_built_tree *leaf = ep_tree_leaf(b);
    if (leaf == NULL) {
        return NULL;
    }
    b->scratch.size = 0;
    bool ok = put(b, EP_TEXT("{\"type\": \"builtins.tuple\", \"context\": \"null\", "
                             "\"children_spec\": ["));
    for (size_t i = 0; ok && i < count; i++) {
        ok = (i == 0 || put(b, EP_TEXT(", "))) && put(b, leaf->text);
    }
    ok = ok && put(b, EP_TEXT("]}"));
    return ok ? make_tree(b) : NULL;
}

/* The default call of a program, from its inputs and outputs. */
static bool default_call(ep_builder *b) {
    ep_call_info info = {
        .args = flat_tuple(b, b->user_inputs),
        .out = b->user_outputs == 1 ? ep_tree_leaf(b) : flat_tuple(b, b->user_outputs),
    };
    const ep_field field = EP_F_ModuleCallSignature_forward_arg_names;
    TRY(info.args != NULL && info.out != NULL && ep_build_call(b, &info));
    if (!has_call_spec(b) && ep_maker_has(&b->maker, field)) {
        uint64_t bits;
        TRY(ep_builder_list(b, &b->input_names, &bits));
        ep_maker_set(&b->maker, b->root_call, field, bits);
    }
    return true;
}

bool ep_builder_calls(ep_builder *b, ep_node *graph_module) {
    ep_stack entries;
    uint64_t bits = 0;
    TRY(b->root_call != NULL || default_call(b));
    if (has_call_spec(b)) {
        ep_maker_set(&b->maker, graph_module, EP_F_GraphModule_call_spec,
                     ep_pointer_bits(b->root_call));
    }
    ep_stack_init(&entries, b->arena);
    bool ok = has_call_spec(b) || push_entry(b, &entries, "", b->root_call);
    for (size_t i = 0; ok && i < b->modules.count; i++) {
        ok = ep_builder_push(b, &entries, b->modules.words[i]);
    }
    ok = ok && ep_builder_list(b, &entries, &bits);
    ep_stack_free(&entries);
    ep_maker_set(&b->maker, graph_module, EP_F_GraphModule_module_call_graph, bits);
    return ok;
}
