/*
 * builder/graph.c - graphs that are being built: their values with types, and their
 * nodes.
 */
#include "builder/builder.h"

/* -------------------------------------------------------------------- graphs */

EP_API ep_built_graph *ep_build_root(ep_builder *b) {
    return b == NULL ? NULL : b->root;
}

EP_API ep_built_graph *ep_build_subgraph(ep_builder *b) {
    ep_built_graph *graph = ep_builder_goes_on(b) ? ep_builder_alloc(b, sizeof *graph) : NULL;
    if (graph == NULL) {
        return NULL;
    }
    memset(graph, 0, sizeof *graph);
    ep_stack *stacks[] = {&graph->inputs, &graph->outputs, &graph->nodes};
    ep_growing_dict *dicts[] = {&graph->tensors, &graph->sym_ints, &graph->sym_bools,
                                &graph->sym_floats, &graph->objects};
    for (size_t i = 0; i < EP_COUNT_OF(stacks); i++) {
        ep_stack_init(stacks[i], b->arena);
    }
    for (size_t i = 0; i < EP_COUNT_OF(dicts); i++) {
        ep_growing_dict_init(dicts[i], b->arena);
    }
    graph->node = ep_maker_struct(&b->maker, EP_SHAPE_Graph);
    graph->next = b->graphs;
    b->graphs = graph;
    return graph->node == NULL ? NULL : graph;
}

/* Whether a graph can be added to. */
static bool is_open(ep_builder *b, ep_built_graph *graph) {
    TRY(ep_builder_goes_on(b) && ep_builder_given(b, graph));
    return !graph->closed || ep_builder_refuse(b, "the graph is closed", NULL);
}

void ep_builder_free_graph(ep_built_graph *graph) {
    ep_stack_free(&graph->inputs);
    ep_stack_free(&graph->outputs);
    ep_stack_free(&graph->nodes);
    ep_growing_dict_free(&graph->tensors);
    ep_growing_dict_free(&graph->sym_ints);
    ep_growing_dict_free(&graph->sym_bools);
    ep_growing_dict_free(&graph->sym_floats);
    ep_growing_dict_free(&graph->objects);
}

bool ep_builder_close_graph(ep_builder *b, ep_built_graph *graph) {
    const struct {
        ep_field field;
        const ep_stack *items;
    } lists[] = {
        {EP_F_Graph_inputs, &graph->inputs},
        {EP_F_Graph_outputs, &graph->outputs},
        {EP_F_Graph_nodes, &graph->nodes},
    };
    const struct {
        ep_field field;
        const ep_growing_dict *dict;
    } dicts[] = {
        {EP_F_Graph_tensor_values, &graph->tensors},
        {EP_F_Graph_sym_int_values, &graph->sym_ints},
        {EP_F_Graph_sym_bool_values, &graph->sym_bools},
        {EP_F_Graph_sym_float_values, &graph->sym_floats},
        {EP_F_Graph_custom_obj_values, &graph->objects},
    };
    bool ok = true;
    uint64_t bits = 0;
    for (size_t i = 0; ok && !graph->closed && i < EP_COUNT_OF(lists); i++) {
        ok = ep_builder_list(b, lists[i].items, &bits);
        ep_maker_set(&b->maker, graph->node, lists[i].field, bits);
    }
    for (size_t i = 0; ok && !graph->closed && i < EP_COUNT_OF(dicts); i++) {
        ok = ep_builder_dict(b, dicts[i].dict, &bits);
        ep_maker_set(&b->maker, graph->node, dicts[i].field, bits);
    }
    graph->closed = true;
    ep_builder_free_graph(graph);
    return ok;
}

EP_API bool ep_build_graph_input(ep_builder *b, ep_built_graph *graph, const ep_built_arg *arg) {
    return is_open(b, graph) && ep_builder_given(b, arg) &&
           ep_builder_push(b, &graph->inputs, ep_pointer_bits(arg));
}

EP_API bool ep_build_graph_output(ep_builder *b, ep_built_graph *graph, const ep_built_arg *arg) {
    return is_open(b, graph) && ep_builder_given(b, arg) &&
           ep_builder_push(b, &graph->outputs, ep_pointer_bits(arg));
}

/* -------------------------------------------------------------------- values */

static ep_built_value *make_value(ep_builder *b, ep_built_graph *graph, const char *name,
                                  ep_field kind) {
    ep_built_value *value = is_open(b, graph) ? ep_builder_alloc(b, sizeof *value) : NULL;
    if (value == NULL) {
        return NULL;
    }
    *value = (ep_built_value){.kind = (uint8_t)kind, .graph = graph};
    return ep_builder_string(b, name, &value->name) ? value : NULL;
}

static bool dim_bits(ep_builder *b, const ep_dim *dim, uint64_t *bits) {
    if (dim->expr == NULL) {
        return ep_builder_union(b, EP_SHAPE_SymInt, EP_F_SymInt_as_int, (uint64_t)dim->number,
                                bits);
    }
    return (dim->expr->kind == EP_KIND_INT && ep_builder_symbolic(b, dim->expr, bits)) ||
           ep_builder_refuse(b, "a size that is no integer", NULL);
}

static bool set_dims(ep_builder *b, ep_node *meta, ep_field field, const ep_dim *dims,
                     size_t rank) {
    ep_stack items;
    uint64_t bits = 0;
    bool ok = true;
    ep_stack_init(&items, b->arena);
    for (size_t i = 0; ok && i < rank; i++) {
        ok = dim_bits(b, &dims[i], &bits) && ep_builder_push(b, &items, bits);
    }
    ok = ok && ep_builder_list(b, &items, &bits);
    ep_stack_free(&items);
    ep_maker_set(&b->maker, meta, field, bits);
    return ok;
}

/* The stride of the next dimension: a size, or 1 if that is 0, times a stride. */
static bool multiply_dim(ep_builder *b, const ep_dim *size, const ep_dim *by, ep_dim *result) {
    if (size->expr == NULL && by->expr == NULL) {
        int64_t number = size->number > 1 ? size->number : 1;
        bool fits = by->number <= INT64_MAX / number;
        *result = (ep_dim){fits ? number * by->number : 0, NULL};
        return fits || ep_builder_refuse(b, "sizes that are too large", NULL);
    }
    const ep_built_expr *left =
        size->expr != NULL ? size->expr : ep_expr_int(b, size->number > 1 ? size->number : 1);
    const ep_built_expr *right = by->expr != NULL ? by->expr : ep_expr_int(b, by->number);
    *result = (ep_dim){0, ep_expr_apply(b, EP_SYM_MUL, left, right)};
    return result->expr != NULL;
}

static bool set_strides(ep_builder *b, ep_node *meta, const ep_tensor_info *info) {
    if (info->strides != NULL || info->rank == 0) {
        return set_dims(b, meta, EP_F_TensorMeta_strides, info->strides, info->rank);
    }
    ep_dim *strides = ep_builder_alloc(b, info->rank * sizeof *strides);
    TRY(strides != NULL);
    strides[info->rank - 1] = (ep_dim){1, NULL};
    for (size_t i = info->rank - 1; i > 0; i--) {
        TRY(multiply_dim(b, &info->sizes[i], &strides[i], &strides[i - 1]));
    }
    return set_dims(b, meta, EP_F_TensorMeta_strides, strides, info->rank);
}

static bool set_device(ep_builder *b, ep_node *meta, const ep_tensor_info *info) {
    ep_node *device = ep_maker_struct(&b->maker, EP_SHAPE_Device);
    const char *type = info->device == NULL ? "cpu" : info->device;
    TRY(device != NULL && ep_builder_set_string(b, device, EP_F_Device_type, type));
    if (info->has_device_index) {
        ep_maker_set(&b->maker, device, EP_F_Device_index, (uint64_t)info->device_index);
    }
    ep_maker_set(&b->maker, meta, EP_F_TensorMeta_device, ep_pointer_bits(device));
    return true;
}

/* Enumerators that some versions had under another name. */
static const struct {
    const char *name;
    const char *once;
} dtype_aliases[] = {
    {"UINT16", "UNSIGNED_SHORT"},
    {"FLOAT8E4M3FN", "FLOAT8_E4M3FN"},
    {"FLOAT8E5M2", "FLOAT8_E5M2"},
};

static const char *dtype_name(const ep_builder *b, const char *name) {
    for (size_t i = 0; i < EP_COUNT_OF(dtype_aliases); i++) {
        if (ep_text_equal(ep_text_of(name), ep_text_of(dtype_aliases[i].name)) &&
            !ep_builder_has(b, "ScalarType", name)) {
            return dtype_aliases[i].once;
        }
    }
    return name;
}

static bool set_enum(ep_builder *b, ep_node *meta, ep_field field, ep_shape_number type,
                     const char *name) {
    uint64_t bits;
    if (!ep_maker_enum(&b->maker, type, ep_text_of(name), &bits)) {
        return ep_builder_refuse(b, "the schema version has no such enumerator", name);
    }
    ep_maker_set(&b->maker, meta, field, bits);
    return true;
}

static bool set_offset(ep_builder *b, ep_node *meta, const ep_dim *offset) {
    uint64_t bits = (uint64_t)offset->number;
    const ep_field field = EP_F_TensorMeta_storage_offset;
    if (ep_maker_shape(&b->maker, EP_SHAPE_TensorMeta, field)->op == EP_OP_UNION) {
        TRY(dim_bits(b, offset, &bits));
    } else if (offset->expr != NULL) {
        return ep_builder_refuse(b, "the schema version cannot say this", "a symbolic offset");
    }
    ep_maker_set(&b->maker, meta, field, bits);
    return true;
}

static ep_node *make_meta(ep_builder *b, const ep_tensor_info *info) {
    ep_node *meta = ep_maker_struct(&b->maker, EP_SHAPE_TensorMeta);
    if (meta == NULL || !ep_builder_given(b, info) || !ep_builder_given(b, info->dtype) ||
        !ep_builder_given_array(b, info->sizes, info->rank)) {
        return NULL;
    }
    const char *layout = info->layout == NULL ? "Strided" : info->layout;
    ep_maker_set(&b->maker, meta, EP_F_TensorMeta_requires_grad, info->requires_grad);
    bool ok =
        set_enum(b, meta, EP_F_TensorMeta_dtype, EP_SHAPE_ScalarType, dtype_name(b, info->dtype)) &&
        set_dims(b, meta, EP_F_TensorMeta_sizes, info->sizes, info->rank) &&
        set_device(b, meta, info) && set_strides(b, meta, info) &&
        set_offset(b, meta, &info->storage_offset) &&
        set_enum(b, meta, EP_F_TensorMeta_layout, EP_SHAPE_Layout, layout);
    return ok ? meta : NULL;
}

/* Version 1 keeps the meta in a TensorValue. */
static ep_node *wrap_meta(ep_builder *b, ep_node *meta) {
    if (meta == NULL || ep_maker_type(&b->maker, EP_SHAPE_TensorValue) == NULL) {
        return meta;
    }
    ep_node *value = ep_maker_struct(&b->maker, EP_SHAPE_TensorValue);
    if (value != NULL) {
        ep_maker_set(&b->maker, value, EP_F_TensorValue_meta, ep_pointer_bits(meta));
    }
    return value;
}

EP_API const ep_built_value *ep_build_tensor(ep_builder *b, ep_built_graph *graph, const char *name,
                                             const ep_tensor_info *info) {
    ep_built_value *value = make_value(b, graph, name, EP_F_Argument_as_tensor);
    if (value == NULL) {
        return NULL;
    }
    const ep_node *meta = wrap_meta(b, make_meta(b, info));
    bool ok =
        meta != NULL && ep_builder_add(b, &graph->tensors, value->name, ep_pointer_bits(meta));
    return ok ? value : NULL;
}

EP_API const ep_built_value *ep_build_symbolic(ep_builder *b, ep_built_graph *graph,
                                               const char *name, const ep_built_expr *expr) {
    uint64_t bits;
    if (!is_open(b, graph) || !ep_builder_given(b, expr)) {
        return NULL;
    }
    ep_growing_dict *dict = expr->kind == EP_KIND_INT     ? &graph->sym_ints
                            : expr->kind == EP_KIND_FLOAT ? &graph->sym_floats
                                                          : &graph->sym_bools;
    ep_field kind = expr->kind == EP_KIND_INT     ? EP_F_Argument_as_sym_int
                    : expr->kind == EP_KIND_FLOAT ? EP_F_Argument_as_sym_float
                                                  : EP_F_Argument_as_sym_bool;
    ep_built_value *value = make_value(b, graph, name, kind);
    bool ok = value != NULL && ep_builder_symbolic(b, expr, &bits) &&
              ep_builder_add(b, dict, value->name, bits);
    return ok ? value : NULL;
}

EP_API const ep_built_value *ep_build_custom_obj(ep_builder *b, ep_built_graph *graph,
                                                 const char *name, const char *class_fqn) {
    ep_built_value *value = make_value(b, graph, name, EP_F_Argument_as_custom_obj);
    if (value == NULL || !ep_builder_needs(b, EP_F_CustomObjArgument_name, "a custom object")) {
        return NULL;
    }
    ep_node *object = ep_maker_struct(&b->maker, EP_SHAPE_CustomObjArgument);
    if (object == NULL ||
        !ep_builder_set_string(b, object, EP_F_CustomObjArgument_class_fqn, class_fqn)) {
        return NULL;
    }
    ep_maker_set(&b->maker, object, EP_F_CustomObjArgument_name, value->name);
    value->object = object;
    bool ok = ep_builder_add(b, &graph->objects, value->name, ep_pointer_bits(object));
    return ok ? value : NULL;
}
