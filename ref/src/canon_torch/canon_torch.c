/*
 * canon_torch/canon_torch.c - the torch form of a whole program: the parts around the
 * graph, the graphs one after the other, and the text of the result. SPEC 6.9
 */
#include "canon_torch/canon_torch.h"

#include "tree/copy.h"

/* ------------------------------------------------------------------ program */

static void clear(const ep_torch *t, ep_node *node, ep_field field) {
    if (t->fields.slot[field] != EP_NO_MEMBER) {
        *ep_torch_slot(t, node, field) = 0;
    }
}

/* Sorts the parts around the graph. SPEC 6.9.1 */
static bool sort_program(ep_torch *t, const ep_node *root, ep_node *module) {
    const ep_fields *f = &t->fields;
    clear(t, module, EP_F_GraphModule_metadata);
    clear(t, module, EP_F_GraphModule_treespec_namedtuple_fields);
    return ep_torch_sort_dict(t, ep_field_bits(f, root, EP_F_ExportedProgram_opset_version)) &&
           ep_torch_sort_dict(t, ep_field_bits(f, root, EP_F_ExportedProgram_range_constraints)) &&
           ep_torch_sort_list(t, ep_field_bits(f, module, EP_F_GraphModule_module_call_graph),
                              EP_F_ModuleCallEntry_fqn) &&
           ep_torch_sort_list(t, ep_field_bits(f, root, EP_F_ExportedProgram_guards_code),
                              EP_F_none);
}

/* 2.3 and 2.4 store the pair that canonicalizing a graph returns: the graph and its
 * names. SPEC 6.9.12 */
static bool store_pair(ep_torch *t, const ep_torch_scope *scope, ep_node *argument) {
    uint64_t *slot = ep_torch_slot(t, argument, EP_F_GraphArgument_graph);
    ep_list *pair = ep_list_make(t->arena, 2, 2);
    if (pair == NULL) {
        return ep_torch_no_memory(t);
    }
    pair->items[0] = *slot;
    TRY(ep_torch_renamed(t, scope, &pair->items[1]));
    *slot = ep_pointer_bits(pair);
    return true;
}

static bool do_subgraph(ep_torch *t, ep_node *argument) {
    ep_torch_scope scope;
    ep_torch_scope_init(t, &scope);
    bool ok = ep_torch_graph(t, &scope,
                             ep_field_mutable(&t->fields, argument, EP_F_GraphArgument_graph)) &&
              (!ep_torch_has(t, EP_TORCH_PAIRS) || store_pair(t, &scope, argument));
    ep_torch_scope_free(&scope);
    return ok;
}

static bool do_program(ep_torch *t, const ep_node *root) {
    ep_node *module = ep_field_mutable(&t->fields, root, EP_F_ExportedProgram_graph_module);
    TRY(sort_program(t, root, module) && ep_torch_sort_signature(t, module) &&
        ep_torch_graph(t, &t->scope, ep_field_mutable(&t->fields, module, EP_F_GraphModule_graph)));
    while (t->subgraphs.count > 0) {
        TRY(do_subgraph(t, ep_torch_subgraphs_pop(&t->subgraphs)));
    }
    return ep_torch_rename_signature(t, module);
}

/* ------------------------------------------------------------------- result */

/* A copy of a type in which one member has another shape. */
static const ep_shape *with_member(ep_torch *t, const ep_shape *of, ep_field field,
                                   const ep_shape *member) {
    ep_shape *shape = ep_arena_alloc(t->arena, sizeof *shape);
    ep_type *type = ep_arena_alloc(t->arena, sizeof *type);
    ep_member *members = ep_arena_array(t->arena, 0, of->type->count, sizeof *members);
    if (shape == NULL || type == NULL || members == NULL || member == NULL) {
        return NULL;
    }
    memcpy(members, of->type->members, of->type->count * sizeof *members);
    members[t->fields.slot[field]].shape = member;
    *type = *of->type;
    type->members = members;
    *shape = *of;
    shape->type = type;
    return shape;
}

/* Gives one member of a type another shape, wherever the type occurs. The schema is a
 * copy that was made for this. */
static bool set_member(ep_torch *t, ep_schema *schema, ep_shape_number number, ep_field field,
                       const ep_shape *member) {
    const ep_type *type = schema->shapes[number].type;
    const ep_shape *changed = with_member(t, &schema->shapes[number], field, member);
    TRY(changed != NULL);
    for (size_t i = 0; i < EP_SHAPE_COUNT; i++) {
        if (schema->shapes[i].type == type) {
            schema->shapes[i].type = changed->type;
        }
    }
    schema->types[type->number] = changed->type;
    return true;
}

/* The program's types, except that the graph of a GraphArgument is a pair if the
 * GraphArgument is the argument of a node. Subgraphs elsewhere, and all that they
 * contain, keep the types of the program. */
static const ep_schema *schema_of_pairs(ep_torch *t) {
    const ep_schema *own = t->program->schema;
    ep_schema *schema = ep_schema_make(t->arena, own->version);
    ep_shape *pair = ep_arena_alloc(t->arena, sizeof *pair);
    if (schema == NULL || pair == NULL) {
        return NULL;
    }
    *pair = (ep_shape){.op = EP_OP_TUPLE,
                       .of = &schema->shapes[EP_SHAPE_Graph],
                       .second = &schema->shapes[EP_SHAPE_dict_str]};
    const ep_shape *holder =
        with_member(t, &schema->shapes[EP_SHAPE_GraphArgument], EP_F_GraphArgument_graph, pair);
    const ep_shape *argument =
        with_member(t, &schema->shapes[EP_SHAPE_Argument], EP_F_Argument_as_graph, holder);
    bool ok = argument != NULL &&
              set_member(t, schema, EP_SHAPE_NamedArgument, EP_F_NamedArgument_arg, argument) &&
              set_member(t, schema, EP_SHAPE_GraphArgument, EP_F_GraphArgument_graph,
                         &own->shapes[EP_SHAPE_Graph]);
    return ok ? schema : NULL;
}

/* Joins the input and the new names: the strings of the tree refer to this text. */
static bool join_texts(ep_torch *t, ep_bytes *text) {
    char *all = ep_arena_alloc(t->arena, t->input.size + t->fresh.size);
    if (all == NULL) {
        return ep_torch_no_memory(t);
    }
    memcpy(all, t->input.data, t->input.size);
    if (t->fresh.size > 0) {
        memcpy(all + t->input.size, t->fresh.data, t->fresh.size);
    }
    *text = (ep_bytes){all, t->input.size + t->fresh.size};
    return true;
}

/* SPEC 6.9.15 */
static bool write_text(ep_torch *t, const ep_node *root, ep_bytes *result) {
    ep_program program = {.schema = t->program->schema, .root = root};
    if (ep_torch_has(t, EP_TORCH_PAIRS)) {
        program.schema = schema_of_pairs(t);
    }
    if (program.schema == NULL) {
        return ep_torch_no_memory(t);
    }
    TRY(join_texts(t, &program.input));
    return ep_maker_encode(&program, t->arena, result) || ep_torch_no_memory(t);
}

/* --------------------------------------------------------------------- entry */

static void open_torch(ep_torch *t, const ep_program *program, ep_arena *arena) {
    *t = (ep_torch){.program = program,
                    .input = program->input,
                    .version = ep_version_number_of(program->schema->version),
                    .arena = arena,
                    .values = {.prefix = "_"},
                    .graphs = {.prefix = "_g"}};
    ep_fields_open(&t->fields, program->schema);
    ep_map_init(&t->constants, arena);
    ep_torch_name_stack_init(&t->values.all, arena);
    ep_torch_name_stack_init(&t->graphs.all, arena);
    ep_growing_init(&t->fresh, arena);
    ep_torch_scope_init(t, &t->scope);
    ep_torch_subgraphs_init(&t->subgraphs, arena);
}

static void close_torch(ep_torch *t) {
    ep_map_free(&t->constants);
    ep_torch_name_stack_free(&t->values.all);
    ep_torch_name_stack_free(&t->graphs.all);
    ep_growing_free(&t->fresh);
    ep_torch_scope_free(&t->scope);
    ep_torch_subgraphs_free(&t->subgraphs);
}

/* PyTorch accepts the names of constants from 2.7 on. SPEC 6.9.2 */
static bool take_constants(ep_torch *t, const ep_canon_options *options) {
    size_t count = ep_torch_has(t, EP_TORCH_CONSTANTS) ? options->constant_count : 0;
    uint32_t number;
    bool fresh;
    for (size_t i = 0; i < count; i++) {
        if (!ep_map_put(&t->constants, options->constants[i], &number, &fresh)) {
            return ep_torch_no_memory(t);
        }
    }
    return true;
}

/* Whether the options hold as many names of constants as they count. */
static bool constants_are_there(const ep_canon_options *options) {
    TRY(options->constants != NULL || options->constant_count == 0);
    for (size_t i = 0; i < options->constant_count; i++) {
        TRY(ep_text_is_there(options->constants[i]));
    }
    return true;
}

bool ep_canon_torch(const ep_program *program, ep_arena *arena, const ep_canon_options *options,
                    ep_built *built, ep_error *error) {
    ep_torch t;
    *built = (ep_built){{NULL, 0}, NULL};
    bool given = constants_are_there(options);
    if (!given || program->partial) { /* SPEC 3.10.3 */
        return ep_error_unusable(error, given);
    }
    open_torch(&t, program, arena);
    const ep_node *root = ep_copy_tree(arena, program->schema, program->root);
    bool ok = root != NULL;
    if (!ok) {
        ep_torch_no_memory(&t);
    }
    ok = ok && take_constants(&t, options) && do_program(&t, root) &&
         write_text(&t, root, &built->text);
    close_torch(&t);
    if (ok) {
        ep_error_clear(error);
    } else if (t.fault.code == EP_MEMORY ||
               t.fault.code == EP_LIMIT_BYTES) { /* LCOV_EXCL_BR_LINE see ep_torch_fresh */
        ep_error_plain(error, t.fault.code);
    } else {
        ep_error_fill(error, program->input, &t.fault);
    }
    return ok;
}
