/*
 * building_calls.c - tree specs, and the module call graph with them; see building.h. The
 * usual call of a program is left to the builder.
 */
#include "building.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------- tree specs */

static const ep_built_tree *build_tree(rebuild *r, const cJSON *node, size_t depth);

/* The keys of a dict, when all of them are texts. */
static const char **keys_of(rebuild *r, const char *context, size_t count) {
    cJSON *keys = cJSON_Parse(context);
    const char **texts = rebuild_alloc(r, count, sizeof *texts);
    bool ok = texts != NULL && cJSON_IsArray(keys) && cJSON_GetArraySize(keys) == (int)count;
    for (size_t i = 0; ok && i < count; i++) {
        const char *text = cJSON_GetStringValue(cJSON_GetArrayItem(keys, (int)i));
        ok = text != NULL;
        texts[i] = ok ? rebuild_part(r, text, strlen(text)) : NULL;
    }
    cJSON_Delete(keys);
    return ok ? texts : NULL;
}

static const ep_built_tree *build_inner(rebuild *r, const cJSON *node, const char *type,
                                        size_t depth) {
    const cJSON *parts = cJSON_GetObjectItem(node, "children_spec");
    const char *context = cJSON_GetStringValue(cJSON_GetObjectItem(node, "context"));
    size_t count = (size_t)cJSON_GetArraySize(parts);
    const ep_built_tree **children = rebuild_alloc(r, count, sizeof *children);
    for (size_t i = 0; children != NULL && i < count; i++) {
        children[i] = build_tree(r, cJSON_GetArrayItem(parts, (int)i), depth + 1);
    }
    bool dict = context != NULL && strcmp(type, "builtins.dict") == 0;
    const char **keys = dict ? keys_of(r, context, count) : NULL;
    if (keys != NULL) {
        return ep_tree_dict(r->b, keys, children, count);
    }
    return strcmp(type, "builtins.tuple") == 0 ? ep_tree_tuple(r->b, children, count)
           : strcmp(type, "builtins.list") == 0
               ? ep_tree_list(r->b, children, count)
               : ep_tree_node(r->b, type, context, children, count);
}

static const ep_built_tree *build_tree(rebuild *r, const cJSON *node, size_t depth) {
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(node, "type"));
    if (depth > TREE_DEPTH_MAX) {
        return NULL;
    }
    return type == NULL ? ep_tree_leaf(r->b) : build_inner(r, node, type, depth);
}

/* The tree of a spec, behind its protocol. */
static cJSON *read_spec(rebuild *r, ep_value spec, const cJSON **root) {
    const char *text = rebuild_text(r, spec);
    cJSON *whole = text == NULL ? NULL : cJSON_Parse(text);
    *root = cJSON_GetArrayItem(whole, 1);
    return whole;
}

/* ---------------------------------------------------------------------- calls */

static bool is_type(const cJSON *node, const char *type) {
    const char *said = cJSON_GetStringValue(cJSON_GetObjectItem(node, "type"));
    return said != NULL && strcmp(said, type) == 0;
}

/* The arguments, and the keyword arguments unless there are none. */
static void read_in_spec(rebuild *r, ep_value spec, ep_call_info *info) {
    const cJSON *root;
    cJSON *whole = read_spec(r, spec, &root);
    const cJSON *parts = cJSON_GetObjectItem(root, "children_spec");
    const cJSON *args = cJSON_GetArrayItem(parts, 0);
    const cJSON *kwargs = cJSON_GetArrayItem(parts, 1);
    bool pair = cJSON_GetArraySize(parts) == 2 && is_type(args, "builtins.tuple") &&
                is_type(kwargs, "builtins.dict");
    info->args = build_tree(r, pair ? args : root, 0);
    bool some = pair && cJSON_GetArraySize(cJSON_GetObjectItem(kwargs, "children_spec")) > 0;
    info->kwargs = some ? build_tree(r, kwargs, 0) : NULL;
    cJSON_Delete(whole);
}

static const ep_built_arg **read_args(rebuild *r, ep_value list, size_t *count) {
    *count = ep_value_count(list);
    const ep_built_arg **items = rebuild_alloc(r, *count, sizeof *items);
    for (size_t i = 0; items != NULL && i < *count; i++) {
        items[i] = rebuild_arg(r, ep_build_root(r->b), ep_value_item(list, i));
    }
    return items;
}

static void read_names(rebuild *r, ep_value names, ep_call_info *info) {
    size_t count = ep_value_count(names);
    const char **texts = rebuild_alloc(r, count, sizeof *texts);
    for (size_t i = 0; texts != NULL && i < count; i++) {
        texts[i] = rebuild_text(r, ep_value_item(names, i));
    }
    bool said = ep_value_kind(names) == EP_KIND_LIST;
    info->arg_names = said ? texts : NULL;
    info->arg_name_count = said ? count : 0;
}

/* The call that a call spec, or a module's signature, says. */
static ep_call_info read_call(rebuild *r, ep_value call) {
    ep_call_info info = {.args = NULL};
    const cJSON *root;
    read_in_spec(r, ep_value_field(call, "in_spec"), &info);
    cJSON *whole = read_spec(r, ep_value_field(call, "out_spec"), &root);
    info.out = build_tree(r, root, 0);
    cJSON_Delete(whole);
    info.inputs = read_args(r, ep_value_field(call, "inputs"), &info.input_count);
    info.outputs = read_args(r, ep_value_field(call, "outputs"), &info.output_count);
    read_names(r, ep_value_field(call, "forward_arg_names"), &info);
    return info;
}

/* ---------------------------------------------------------- what need not be said */

#define LEAF "{\"type\": null, \"context\": null, \"children_spec\": []}"
#define TUPLE "{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": ["
#define NO_KEYWORDS ", {\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []}]}"

static void put_leaves(buffer *b, size_t count) {
    buffer_text(b, TUPLE);
    for (size_t i = 0; i < count; i++) {
        buffer_text(b, i > 0 ? ", " LEAF : LEAF);
    }
    buffer_text(b, "]}");
}

/* Whether the specs are of positional arguments, and of a tuple or of one output. */
static bool is_usual(rebuild *r, ep_value call, const size_t counts[2], bool pair) {
    buffer in = {0};
    buffer out = {0};
    buffer_text(&in, pair ? "[1, " TUPLE : "[1, ");
    put_leaves(&in, counts[0]);
    buffer_text(&in, pair ? NO_KEYWORDS "]" : "]");
    buffer_text(&out, "[1, ");
    if (counts[1] == 1) {
        buffer_text(&out, LEAF);
    } else {
        put_leaves(&out, counts[1]);
    }
    buffer_text(&out, "]");
    bool usual = rebuild_has_text(ep_value_field(call, "in_spec"), r, buffer_string(&in)) &&
                 rebuild_has_text(ep_value_field(call, "out_spec"), r, buffer_string(&out));
    buffer_free(&in);
    buffer_free(&out);
    return usual;
}

/* What a builder calls an input of the user, or a constant; NULL for another input. */
static const char *input_name(rebuild *r, const ep_signature_entry *entry, ep_value spec) {
    return entry->kind == EP_INPUT_USER ? rebuild_part(r, entry->name.data, entry->name.size)
           : entry->kind == EP_INPUT_CONSTANT
               ? rebuild_text(r, rebuild_at(spec, "constant_input", "name"))
               : NULL;
}

/* Whether the arguments' names are those of the inputs. */
static bool are_input_names(rebuild *r, ep_value names, const ep_signature *signature,
                            ep_value specs) {
    size_t at = 0;
    ep_signature_entry entry;
    for (size_t i = 0; ep_signature_input(signature, i, &entry); i++) {
        const char *name = input_name(r, &entry, ep_value_item(specs, i));
        if (name != NULL && !rebuild_has_text(ep_value_item(names, at++), r, name)) {
            return false;
        }
    }
    return ep_value_kind(names) == EP_KIND_LIST && at == ep_value_count(names);
}

static bool needs_no_call(rebuild *r, ep_value graph_module, ep_value call, bool pair) {
    ep_signature *signature;
    if (!ep_signature_open(r->program, r->arena, &signature, NULL)) {
        r->failed = true;
        return false;
    }
    size_t counts[] = {ep_signature_part_of(signature, EP_PART_USER_INPUTS, NULL, 0),
                       ep_signature_part_of(signature, EP_PART_USER_OUTPUTS, NULL, 0) +
                           ep_signature_part_of(signature, EP_PART_LOSS_OUTPUT, NULL, 0)};
    bool lists = ep_value_count(ep_value_field(call, "inputs")) > 0 ||
                 ep_value_count(ep_value_field(call, "outputs")) > 0;
    ep_value names = ep_value_field(call, "forward_arg_names");
    bool has_names = ep_builder_has(r->b, "ModuleCallSignature", "forward_arg_names");
    ep_value specs = rebuild_at(graph_module, "signature", "input_specs");
    bool same = !has_names || are_input_names(r, names, signature, specs);
    return same && !lists && is_usual(r, call, counts, pair);
}

static void build_call(rebuild *r, ep_value graph_module, ep_value call, bool pair) {
    if (!needs_no_call(r, graph_module, call, pair)) {
        ep_call_info info = read_call(r, call);
        ep_build_call(r->b, &info);
    }
}

void rebuild_calls(rebuild *r, ep_value graph_module) {
    ep_value spec = ep_value_field(graph_module, "call_spec");
    ep_value entries = ep_value_field(graph_module, "module_call_graph");
    bool old = ep_value_kind(spec) == EP_KIND_STRUCT; /* then no entry is the program's */
    if (old) {
        build_call(r, graph_module, spec, false);
    }
    for (size_t i = 0; i < ep_value_count(entries); i++) {
        ep_value entry = ep_value_item(entries, i);
        ep_value call = ep_value_field(entry, "signature");
        bool signed_ = ep_value_kind(call) == EP_KIND_STRUCT;
        if (i == 0 && !old) {
            build_call(r, graph_module, call, true);
        } else {
            ep_call_info info = {.args = NULL};
            info = signed_ ? read_call(r, call) : info;
            ep_build_module(r->b, rebuild_text(r, ep_value_field(entry, "fqn")),
                            signed_ ? &info : NULL);
        }
    }
}
