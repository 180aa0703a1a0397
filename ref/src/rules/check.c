/*
 * rules/check.c - ep_check: a decoded program checked above its types, first at the
 * strings level, then at the program level.
 */
#include "language/expression.h"
#include "language/languages.h"
#include "rules/operator_rules.h"
#include "rules/rules.h"

EP_API ep_check_options ep_check_options_default(void) {
    return (ep_check_options){.level = EP_LEVEL_PROGRAM, .limits = ep_limits_default()};
}

/* The state of one call of ep_check. */
typedef struct checking {
    ep_fields fields;
    ep_memo memo;
    ep_strings strings;
    ep_judge judge;
} checking;

static bool run_strings(checking *c, const ep_program *program, ep_arena *arena,
                        const ep_check_options *options) {
    c->strings = (ep_strings){.program = program,
                              .fields = &c->fields,
                              .arena = arena,
                              .memo = &c->memo,
                              .limits = options->limits,
                              .pass = options->pass,
                              .pass_context = options->pass_context,
                              .version = ep_version_number_of(program->schema->version)};
    return ep_strings_judge(&c->strings);
}

/* The symbols that have a range; those that are bound otherwise come after. */
static bool read_ranges(ep_judge *judge) {
    uint64_t dict =
        ep_field_bits(&judge->fields, judge->program->root, EP_F_ExportedProgram_range_constraints);
    size_t count = ep_list_count(dict);
    judge->ranges = ep_arena_array(judge->arena, 0, count, sizeof *judge->ranges);
    TRY(judge->ranges != NULL);
    for (size_t i = 0; i < count; i++) {
        ep_bytes name;
        uint32_t number;
        bool fresh;
        TRY(ep_ref_text(judge->arena, judge->input, ep_dict_key(dict, i), &name) &&
            ep_map_put(&judge->symbols, name, &number, &fresh));
        judge->ranges[number] = ep_node_at(ep_dict_value(dict, i));
    }
    judge->range_count = judge->symbols.count;
    return true;
}

/* SPEC 5.4.10: a size that is a symbol alone binds the symbol, which is known from then
 * on. */
static bool bind_sym(ep_judge *judge, const ep_node *sym) {
    const ep_fields *fields = &judge->fields;
    if (ep_tag(fields, sym) != EP_F_SymInt_as_expr) {
        return true;
    }
    const ep_node *expr = ep_tag_node(sym);
    if (ep_field_present(fields, expr, EP_F_SymExpr_expr_ast)) {
        return true; /* the text beside a tree is ignored */
    }
    ep_ref text = ep_field_bits(fields, expr, EP_F_SymExpr_expr_str);
    const ep_memo_entry *entry =
        ep_memo_find(judge->memo, EP_LANGUAGE_EXPRESSION_INT, ep_ref_raw(judge->input.data, text));
    const ep_expression *expression = entry == NULL ? NULL : entry->result;
    uint32_t number;
    bool fresh;
    return expression == NULL || expression->root->kind != EP_TERM_SYMBOL ||
           ep_map_put(&judge->symbols, expression->symbols[0].name, &number, &fresh);
}

static bool bind_syms(ep_judge *judge, uint64_t list) {
    for (size_t i = 0; i < ep_list_count(list); i++) {
        TRY(bind_sym(judge, ep_item_node(list, i)));
    }
    return true;
}

/* The size, stride or storage offset of a tensor; the last is a bare integer
 * before 4.2. */
static bool bind_meta(ep_judge *judge, const ep_node *meta) {
    const ep_fields *fields = &judge->fields;
    uint8_t slot = fields->slot[EP_F_TensorMeta_storage_offset];
    const ep_shape *offset = fields->schema->types[meta->type]->members[slot].shape;
    return bind_syms(judge, ep_field_bits(fields, meta, EP_F_TensorMeta_sizes)) &&
           bind_syms(judge, ep_field_bits(fields, meta, EP_F_TensorMeta_strides)) &&
           (offset->op != EP_OP_UNION ||
            bind_sym(judge, ep_field_node(fields, meta, EP_F_TensorMeta_storage_offset)));
}

/* What the inputs of the program's graph bind. */
static bool bind_inputs(ep_judge *judge) {
    const ep_scope *scope = judge->scopes;
    const ep_definition *all = scope->entries.items;
    bool wrapped = judge->fields.slot[EP_F_TensorValue_meta] != EP_NO_MEMBER;
    for (size_t i = 0; i < scope->names.count; i++) {
        if (all[i].order != EP_ORDER_INPUT || all[i].listed != EP_HOLDS_TENSOR) {
            continue;
        }
        const ep_node *meta = ep_node_at(all[i].value);
        meta = wrapped ? ep_field_node(&judge->fields, meta, EP_F_TensorValue_meta) : meta;
        TRY(bind_meta(judge, meta));
    }
    return true;
}

static bool read_program(ep_judge *judge) {
    const ep_fields *fields = &judge->fields;
    const ep_node *module =
        ep_field_node(fields, judge->program->root, EP_F_ExportedProgram_graph_module);
    const ep_node *graph = ep_field_node(fields, module, EP_F_GraphModule_graph);
    const ep_node *signature = ep_field_node(fields, module, EP_F_GraphModule_signature);
    return read_ranges(judge) && ep_specs_read(&judge->specs, judge->arena, fields, signature) &&
           ep_scopes_open(judge, graph) && bind_inputs(judge);
}

static bool run_rules(checking *c, const ep_program *program, ep_arena *arena,
                      const ep_check_options *options) {
    c->judge = (ep_judge){.program = program,
                          .input = program->input,
                          .fields = c->fields,
                          .version = c->strings.version,
                          .arena = arena,
                          .memo = &c->memo,
                          .limits = options->limits,
                          .notes = {.warn = options->note, .context = options->note_context}};
    ep_map_init(&c->judge.symbols, arena);
    c->judge.functional = ep_verifiers_functional(&c->judge);
    bool ok = read_program(&c->judge);
    if (ok) {
        ep_rules_run(&c->judge);
    }
    ep_scopes_free(&c->judge);
    ep_map_free(&c->judge.symbols);
    if (!ok || c->judge.out_of_memory) {
        return ep_fault_set(&c->judge.fault, EP_MEMORY, 0);
    }
    return c->judge.fault.code == EP_OK;
}

EP_API bool ep_check(const ep_program *program, ep_arena *scratch, const ep_check_options *options,
                     ep_error *error) {
    ep_check_options all = options != NULL ? *options : ep_check_options_default();
    bool given = program != NULL && scratch != NULL;
    if (!given || program->partial) { /* SPEC 3.10.3 */
        return ep_error_unusable(error, given);
    }
    if (all.level != EP_LEVEL_STRINGS && all.level != EP_LEVEL_PROGRAM) {
        return ep_error_argument(error, "a level that is not that of strings or programs");
    }
    ep_arena_mark mark = ep_arena_now(scratch);
    checking c;
    ep_fields_open(&c.fields, program->schema);
    ep_memo_init(&c.memo, scratch);
    const ep_fault *fault = &c.strings.fault;
    bool ok = run_strings(&c, program, scratch, &all);
    if (ok && all.level != EP_LEVEL_STRINGS) {
        fault = &c.judge.fault;
        ok = run_rules(&c, program, scratch, &all);
    }
    ep_memo_free(&c.memo);
    if (ok) {
        ep_error_clear(error);
    } else {
        ep_error_fill(error, program->input, fault);
    }
    ep_arena_rewind(scratch, mark);
    return ok;
}
