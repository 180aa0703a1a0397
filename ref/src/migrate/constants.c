/*
 * migrate/constants.c - the tensors that version 1 keeps in the program itself, pickled
 * (SPEC 7.6.6, 7.7.5). The caller may know their types and extract them. A constant
 * then becomes an input of the program, like the tensors that later versions lift.
 */
#include "migrate/migrate.h"

static bool is_root_graph(const ep_migration *m, const ep_node *node) {
    const ep_node *module =
        ep_field_node(&m->from, m->program->root, EP_F_ExportedProgram_graph_module);
    return ep_field_node(&m->from, module, EP_F_GraphModule_graph) == node;
}

bool ep_migrate_takes_constants(const ep_migration *m, const ep_node *node) {
    return m->options->constant != NULL && is_root_graph(m, node) &&
           ep_maker_has(&m->maker, EP_F_InputSpec_tensor_constant);
}

/* ------------------------------------------------------------------ their types */

static bool make_int(ep_migration *m, int64_t number, uint64_t *bits) {
    ep_node *made =
        ep_maker_union(&m->maker, EP_SHAPE_SymInt, EP_F_SymInt_as_int, (uint64_t)number);
    *bits = ep_pointer_bits(made);
    return made != NULL || ep_migrate_no_memory(m);
}

static bool set_ints(ep_migration *m, ep_node *meta, ep_field field, const ep_dim *dims,
                     size_t rank) {
    ep_stack items;
    uint64_t bits;
    bool ok = true;
    ep_stack_init(&items, m->arena);
    for (size_t i = 0; ok && i < rank; i++) {
        ok = make_int(m, dims[i].number, &bits) && ep_migrate_push(m, &items, bits);
    }
    ok = ok && ep_migrate_list(m, &items, &bits);
    ep_stack_free(&items);
    if (ok) {
        ep_maker_set(&m->maker, meta, field, bits);
    }
    return ok;
}

static bool set_device(ep_migration *m, ep_node *meta) {
    ep_node *device = ep_maker_struct(&m->maker, EP_SHAPE_Device);
    uint64_t type;
    if (device == NULL || !ep_maker_text(&m->maker, EP_TEXT("cpu"), &type)) {
        return ep_migrate_no_memory(m);
    }
    ep_maker_set(&m->maker, device, EP_F_Device_type, type);
    ep_maker_set(&m->maker, meta, EP_F_TensorMeta_device, ep_pointer_bits(device));
    return true;
}

/* A TensorMeta on the CPU, strided. */
static bool make_meta(ep_migration *m, const ep_tensor_info *info, uint64_t *bits) {
    const ep_field offset_field = EP_F_TensorMeta_storage_offset;
    ep_node *meta = ep_maker_struct(&m->maker, EP_SHAPE_TensorMeta);
    uint64_t dtype;
    uint64_t layout;
    uint64_t offset = (uint64_t)info->storage_offset.number;
    if (meta == NULL) {
        return ep_migrate_no_memory(m);
    }
    if (!ep_maker_enum(&m->maker, EP_SHAPE_ScalarType, ep_text_of(info->dtype), &dtype) ||
        /* every version has this layout */
        EP_NEVER(!ep_maker_enum(&m->maker, EP_SHAPE_Layout, EP_TEXT("Strided"), &layout))) {
        return ep_migrate_fail(m, EP_MIGRATE_CONSTANT, "dtype");
    }
    TRY(ep_maker_shape(&m->maker, EP_SHAPE_TensorMeta, offset_field)->op != EP_OP_UNION ||
        make_int(m, info->storage_offset.number, &offset));
    ep_maker_set(&m->maker, meta, EP_F_TensorMeta_dtype, dtype);
    ep_maker_set(&m->maker, meta, EP_F_TensorMeta_layout, layout);
    ep_maker_set(&m->maker, meta, offset_field, offset);
    ep_maker_set(&m->maker, meta, EP_F_TensorMeta_requires_grad, info->requires_grad);
    *bits = ep_pointer_bits(meta);
    return set_device(m, meta) &&
           set_ints(m, meta, EP_F_TensorMeta_sizes, info->sizes, info->rank) &&
           set_ints(m, meta, EP_F_TensorMeta_strides, info->strides, info->rank);
}

/* ---------------------------------------------------------------------- inputs */

/* The parts that all constants together add to the program. */
typedef struct lifted {
    ep_stack inputs;
    ep_stack specs;
    ep_stack names;
    ep_stack metas;
} lifted;

static ep_node *make_tensor(ep_migration *m, uint64_t name) {
    ep_node *tensor = ep_maker_struct(&m->maker, EP_SHAPE_TensorArgument);
    if (tensor != NULL) {
        ep_maker_set(&m->maker, tensor, EP_F_TensorArgument_name, name);
    }
    return tensor;
}

static bool make_spec(ep_migration *m, uint64_t name, uint64_t *bits) {
    ep_node *tensor = make_tensor(m, name);
    ep_node *spec = ep_maker_struct(&m->maker, EP_SHAPE_InputToTensorConstantSpec);
    if (tensor == NULL || spec == NULL) {
        return ep_migrate_no_memory(m);
    }
    ep_maker_set(&m->maker, spec, EP_F_InputToTensorConstantSpec_arg, ep_pointer_bits(tensor));
    ep_maker_set(&m->maker, spec, EP_F_InputToTensorConstantSpec_tensor_constant_name, name);
    ep_node *made = ep_maker_union(&m->maker, EP_SHAPE_InputSpec, EP_F_InputSpec_tensor_constant,
                                   ep_pointer_bits(spec));
    *bits = ep_pointer_bits(made);
    return made != NULL || ep_migrate_no_memory(m);
}

static bool make_input(ep_migration *m, uint64_t name, uint64_t *bits) {
    ep_node *tensor = make_tensor(m, name);
    ep_node *made = tensor == NULL
                        ? NULL
                        : ep_maker_union(&m->maker, EP_SHAPE_Argument, EP_F_Argument_as_tensor,
                                         ep_pointer_bits(tensor));
    *bits = ep_pointer_bits(made);
    return made != NULL || ep_migrate_no_memory(m);
}

static bool lift(ep_migration *m, lifted *all, ep_ref name, ep_ref pickled) {
    ep_tensor_info info = {.dtype = NULL};
    ep_bytes name_text;
    ep_bytes text;
    uint64_t input = 0;
    uint64_t spec = 0;
    uint64_t meta = 0;
    if (!ep_ref_text(m->arena, m->input, name, &name_text) ||
        !ep_ref_text(m->arena, m->input, pickled, &text)) {
        return ep_migrate_no_memory(m);
    }
    bool known = m->options->constant(m->options->constant_context, name_text, text, &info);
    known = known && info.dtype != NULL &&
            (info.rank == 0 || (info.sizes != NULL && info.strides != NULL));
    TRY(known ? make_meta(m, &info, &meta)
              : ep_migrate_refuse(m, EP_MIGRATE_CONSTANT, "constants"));
    TRY(make_input(m, name, &input) && make_spec(m, name, &spec));
    bool ok = (!known || (ep_stack_push(&all->names, name) && ep_stack_push(&all->metas, meta))) &&
              ep_stack_push(&all->inputs, input) && ep_stack_push(&all->specs, spec);
    m->steps[EP_STEP_CONSTANTS]++;
    return ok || ep_migrate_no_memory(m);
}

/* ------------------------------------------------------------------- the program */

/* Inserts items into a list of the new tree. */
static bool insert(ep_migration *m, ep_node *node, ep_field field, size_t at,
                   const ep_stack *fresh) {
    uint64_t old = ep_field_bits(&m->maker.fields, node, field);
    size_t count = ep_list_count(old);
    ep_stack items;
    uint64_t list;
    bool ok = true;
    ep_stack_init(&items, m->arena);
    for (size_t i = 0; ok && i < count + fresh->count; i++) {
        bool is_fresh = i >= at && i - at < fresh->count;
        size_t k = i < at ? i : i - fresh->count;
        ok = ep_stack_push(&items, is_fresh ? fresh->words[i - at] : ep_list_at(old)->items[k]);
    }
    ok = ok && ep_maker_list(&m->maker, items.words, items.count, &list);
    ep_stack_free(&items);
    if (ok) {
        ep_maker_set(&m->maker, node, field, list);
    }
    return ok || ep_migrate_no_memory(m);
}

/* The place of the new inputs: behind parameters and buffers, as in PyTorch. */
static size_t place_of(const ep_migration *m, const ep_node *signature) {
    uint64_t specs = ep_field_bits(&m->maker.fields, signature, EP_F_GraphSignature_input_specs);
    size_t place = 0;
    for (; place < ep_list_count(specs); place++) {
        ep_field tag = ep_tag(&m->maker.fields, ep_item_node(specs, place));
        if (tag != EP_F_InputSpec_parameter && tag != EP_F_InputSpec_buffer) {
            break;
        }
    }
    return place;
}

static bool put_types(ep_migration *m, ep_node *graph, const lifted *all) {
    uint64_t dict = ep_field_bits(&m->maker.fields, graph, EP_F_Graph_tensor_values);
    ep_stack keys;
    ep_stack values;
    bool ok = true;
    ep_stack_init(&keys, m->arena);
    ep_stack_init(&values, m->arena);
    for (size_t i = 0; ok && i < ep_list_count(dict); i++) {
        ok = ep_stack_push(&keys, ep_dict_key(dict, i)) &&
             ep_stack_push(&values, ep_dict_value(dict, i));
    }
    for (size_t i = 0; ok && i < all->names.count; i++) {
        ok = ep_stack_push(&keys, all->names.words[i]) &&
             ep_stack_push(&values, all->metas.words[i]);
    }
    ok = ok && ep_maker_dict(&m->maker, &keys, &values, &dict);
    ep_stack_free(&keys);
    ep_stack_free(&values);
    if (ok) {
        ep_maker_set(&m->maker, graph, EP_F_Graph_tensor_values, dict);
    }
    return ok || ep_migrate_no_memory(m);
}

static ep_node *part_of(const ep_migration *m, const ep_node *node, ep_field field) {
    return ep_field_mutable(&m->maker.fields, node, field);
}

static bool put_lifted(ep_migration *m, const ep_node *root, const lifted *all) {
    ep_node *module = part_of(m, root, EP_F_ExportedProgram_graph_module);
    ep_node *graph = part_of(m, module, EP_F_GraphModule_graph);
    ep_node *signature = part_of(m, module, EP_F_GraphModule_signature);
    size_t place = place_of(m, signature);
    return insert(m, graph, EP_F_Graph_inputs, place, &all->inputs) &&
           insert(m, signature, EP_F_GraphSignature_input_specs, place, &all->specs) &&
           put_types(m, graph, all);
}

bool ep_migrate_constants(ep_migration *m, const ep_node *root) {
    const ep_node *module =
        ep_field_node(&m->from, m->program->root, EP_F_ExportedProgram_graph_module);
    const ep_node *graph = ep_field_node(&m->from, module, EP_F_GraphModule_graph);
    uint64_t constants = ep_field_bits(&m->from, graph, EP_F_Graph_constants);
    lifted all;
    if (ep_list_count(constants) == 0 || !ep_migrate_takes_constants(m, graph)) {
        return true;
    }
    m->at = graph;
    ep_stack_init(&all.inputs, m->arena);
    ep_stack_init(&all.specs, m->arena);
    ep_stack_init(&all.names, m->arena);
    ep_stack_init(&all.metas, m->arena);
    bool ok = true;
    for (size_t i = 0; ok && i < ep_list_count(constants); i++) {
        ok = lift(m, &all, ep_dict_key(constants, i), ep_dict_value(constants, i));
    }
    ok = ok && put_lifted(m, root, &all);
    ep_stack_free(&all.inputs);
    ep_stack_free(&all.specs);
    ep_stack_free(&all.names);
    ep_stack_free(&all.metas);
    return ok;
}
