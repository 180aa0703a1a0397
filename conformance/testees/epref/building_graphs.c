/*
 * building_graphs.c - graphs and their nodes; see building.h.
 */
#include "building.h"

#include <string.h>

/* ------------------------------------------------------------------- metadata */

/* What of a node's metadata the builder has members for, in the order in which it writes
 * them; the rest is given to it as it stands. */
typedef enum stage {
    STAGE_NONE,
    STAGE_TRACE,
    STAGE_MODULES,
    STAGE_SOURCE,
    STAGE_FN,
    STAGE_REST
} stage;

/* Whether the program's version is this one or a later one. */
static bool is_since(const rebuild *r, const char *first) {
    const char *own = ep_program_version(r->program)->name;
    bool reached = false;
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const char *name = ep_version_at(i)->name;
        reached = reached || strcmp(name, first) == 0;
        if (strcmp(name, own) == 0) {
            break;
        }
    }
    return reached;
}

/* Where the builder has written metadata in another form since this version. */
#define LATER "1-2023-12"

static stage stage_of(const rebuild *r, const char *key) {
    bool later = is_since(r, LATER);
    const struct {
        const char *key;
        bool written; /* in the program's version */
        stage at;
    } rows[] = {{"stack_trace", true, STAGE_TRACE},
                {"nn_module_stack", true, STAGE_MODULES},
                {"source_fn", !later, STAGE_SOURCE},
                {"source_fn_stack", later, STAGE_SOURCE},
                {"torch_fn", is_since(r, "5.3"), STAGE_FN}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(key, rows[i].key) == 0 && rows[i].written) {
            return rows[i].at;
        }
    }
    return STAGE_REST;
}

static const char *last_of(const char *from, const char *to, char c) {
    while (to > from && to[-1] != c) {
        to--;
    }
    return to > from ? to - 1 : NULL;
}

/* "key,path,type", or before LATER "key:(path,type)". False: it is not. */
static bool read_frame(rebuild *r, const char *text, size_t size, ep_module_frame *frame) {
    const char *end = text + size;
    bool old = !is_since(r, LATER);
    const char *colon = old ? strstr(text, ":(") : memchr(text, ',', size);
    const char *path = colon == NULL ? NULL : colon + (old ? 2 : 1);
    const char *comma = path == NULL || path > end ? NULL : last_of(path, end, ',');
    if (comma == NULL || (old && end[-1] != ')')) {
        return false;
    }
    frame->key = rebuild_part(r, text, (size_t)(colon - text));
    frame->path = rebuild_part(r, path, (size_t)(comma - path));
    frame->type = rebuild_part(r, comma + 1, (size_t)(end - comma) - (old ? 2 : 1));
    return true;
}

static bool read_frames(rebuild *r, const char *text, ep_node_info *info) {
    size_t count = 1;
    for (const char *p = text; *p != '\0'; p++) {
        count += *p == ';';
    }
    ep_module_frame *frames = rebuild_alloc(r, count, sizeof *frames);
    bool ok = frames != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        size_t size = strcspn(text, ";");
        ok = read_frame(r, text, size, &frames[i]);
        text += size + 1;
    }
    info->modules = frames;
    info->module_count = ok ? count : 0;
    return ok;
}

/* Two names around one character, which stands there once. */
static bool read_pair(rebuild *r, const char *text, char between, const char *pair[2]) {
    const char *at = strchr(text, between);
    if (at == NULL || strchr(text, ';') != (between == ';' ? at : NULL)) {
        return false;
    }
    pair[0] = rebuild_part(r, text, (size_t)(at - text));
    pair[1] = rebuild_part(r, at + 1, strlen(at + 1));
    return true;
}

static bool read_known(rebuild *r, stage at, const char *text, ep_node_info *info) {
    const char *pair[2] = {NULL, NULL};
    bool ok = true;
    switch (at) {
    case STAGE_TRACE:
        info->stack_trace = bytes_of(text);
        return text[0] != '\0';
    case STAGE_MODULES:
        return read_frames(r, text, info);
    case STAGE_SOURCE:
        ok = read_pair(r, text, ',', pair);
        info->source_name = pair[0];
        info->source_function = pair[1];
        return ok;
    case STAGE_FN:
        ok = read_pair(r, text, ';', pair);
        info->torch_fn_name = pair[0];
        info->torch_fn = pair[1];
        return ok;
    case STAGE_NONE:
    case STAGE_REST:
        break;
    }
    return false;
}

static void read_metadata(rebuild *r, ep_value metadata, ep_node_info *info) {
    size_t count = ep_value_count(metadata);
    ep_metadata_item *items = rebuild_alloc(r, count, sizeof *items);
    stage reached = STAGE_NONE;
    for (size_t i = 0; items != NULL && i < count; i++) {
        const char *text = rebuild_text(r, ep_value_item(metadata, i));
        const char *name = rebuild_key(r, metadata, i);
        if (name == NULL || text == NULL) {
            r->failed = true;
            return;
        }
        stage at = stage_of(r, name);
        if (at > reached && at < STAGE_REST && read_known(r, at, text, info)) {
            reached = at;
        } else {
            reached = STAGE_REST;
            items[info->metadata_count++] = (ep_metadata_item){name, bytes_of(text)};
        }
    }
    info->metadata = items;
}

/* ---------------------------------------------------------------------- nodes */

static bool is_higher_order(const char *target) {
    static const char prefix[] = "torch.ops.higher_order.";
    return target != NULL && strncmp(target, prefix, sizeof prefix - 1) == 0;
}

/* Whether a subgraph of the node says that it returns a tensor and no tuple. */
static bool returns_tensor(ep_value inputs) {
    for (size_t i = 0; i < ep_value_count(inputs); i++) {
        ep_value held = rebuild_at(ep_value_item(inputs, i), "arg", "as_graph");
        if (ep_value_int(rebuild_at(held, "graph", "is_single_tensor_return")) != 0) {
            return true;
        }
    }
    return false;
}

/* What the node says of it, or what its form says where the version has no word. */
static ep_node_returns returns_of(rebuild *r, ep_value node, const char *target) {
    ep_value single = ep_value_field(node, "is_hop_single_tensor_return");
    if (ep_value_kind(single) == EP_KIND_BOOL) {
        return ep_value_int(single) != 0 ? EP_RETURNS_TENSOR : EP_RETURNS_TUPLE;
    }
    if (ep_builder_has(r->b, "Node", "is_hop_single_tensor_return") || !is_higher_order(target)) {
        return EP_RETURNS_AS_DECLARED;
    }
    const char *tag = ep_value_name(ep_value_item(ep_value_field(node, "outputs"), 0), 0);
    bool tensor = tag != NULL && strcmp(tag, "as_tensor") == 0;
    bool one = ep_value_count(ep_value_field(node, "outputs")) == 1;
    if (!tensor || !one) {
        return EP_RETURNS_TUPLE;
    }
    return returns_tensor(ep_value_field(node, "inputs")) ? EP_RETURNS_TENSOR
                                                          : EP_RETURNS_AS_DECLARED;
}

/* The outputs one by one, which releases wrote as one list for some operators. */
static void read_outputs(rebuild *r, const ep_built_graph *graph, ep_value outputs,
                         ep_node_info *info) {
    ep_value list = ep_value_field(ep_value_item(outputs, 0), "as_tensors");
    bool gathered = info->returns == EP_RETURNS_TUPLE && ep_value_kind(list) == EP_KIND_LIST;
    size_t count = ep_value_count(gathered ? list : outputs);
    const ep_built_arg **items = rebuild_alloc(r, count, sizeof *items);
    for (size_t i = 0; items != NULL && i < count; i++) {
        ep_value held = ep_value_field(ep_value_item(list, i), "name");
        items[i] = gathered ? ep_arg_value(r->b, rebuild_value(r, graph, rebuild_bytes(r, held)))
                            : rebuild_arg(r, graph, ep_value_item(outputs, i));
    }
    info->outputs = items;
    info->output_count = count;
}

static void read_inputs(rebuild *r, const ep_built_graph *graph, ep_value inputs,
                        ep_node_info *info) {
    size_t count = ep_value_count(inputs);
    ep_named_arg *items = rebuild_alloc(r, count, sizeof *items);
    for (size_t i = 0; items != NULL && i < count; i++) {
        ep_value named = ep_value_item(inputs, i);
        const char *kind = ep_value_name(ep_value_field(named, "kind"), 0);
        items[i] = (ep_named_arg){rebuild_text(r, ep_value_field(named, "name")),
                                  rebuild_arg(r, graph, ep_value_field(named, "arg")),
                                  kind != NULL && strcmp(kind, "KEYWORD") == 0};
    }
    info->inputs = items;
    info->input_count = count;
}

static void build_node(rebuild *r, ep_value node, ep_built_graph *into) {
    ep_value name = ep_value_field(node, "name");
    ep_node_info info = {.target = rebuild_text(r, ep_value_field(node, "target"))};
    info.name = ep_value_kind(name) == EP_KIND_STR ? rebuild_text(r, name) : NULL;
    info.returns = returns_of(r, node, info.target);
    read_inputs(r, into, ep_value_field(node, "inputs"), &info);
    read_outputs(r, into, ep_value_field(node, "outputs"), &info);
    read_metadata(r, ep_value_field(node, "metadata"), &info);
    ep_build_node(r->b, into, &info);
}

void rebuild_graph(rebuild *r, ep_value graph, ep_built_graph *into) {
    bool root = into == ep_build_root(r->b); /* whose inputs are those of the signature */
    ep_value inputs = ep_value_field(graph, "inputs");
    ep_value outputs = ep_value_field(graph, "outputs");
    ep_value nodes = ep_value_field(graph, "nodes");
    rebuild_values(r, graph, into);
    for (size_t i = 0; !root && i < ep_value_count(inputs); i++) {
        ep_build_graph_input(r->b, into, rebuild_arg(r, into, ep_value_item(inputs, i)));
    }
    for (size_t i = 0; i < ep_value_count(nodes); i++) {
        build_node(r, ep_value_item(nodes, i), into);
    }
    for (size_t i = 0; !root && i < ep_value_count(outputs); i++) {
        ep_build_graph_output(r->b, into, rebuild_arg(r, into, ep_value_item(outputs, i)));
    }
}
