/*
 * rules/rules.c - visits the parts of a program and calls, for each, the rules of its
 * unit that the version has.
 */
#include "rules/rules.h"

typedef struct rule_row {
    ep_rule *rule;
    uint8_t unit;
    uint8_t since;
    uint8_t until;
} rule_row;

#define RULE(code, function, unit, since, until) {function, EP_UNIT_##unit, EP_##since, EP_##until},
static const rule_row rows[] = {
#include "rules/rules.def"
};
#undef RULE

/* The rules of the version, by unit. */
typedef struct rule_list {
    ep_rule *rules[EP_COUNT_OF(rows)];
    size_t count;
} rule_list;

typedef struct runner {
    ep_judge *judge;
    rule_list units[EP_UNIT_COUNT];
} runner;

static void choose(runner *r) {
    for (size_t i = 0; i < EP_COUNT_OF(rows); i++) {
        rule_list *list = &r->units[rows[i].unit];
        ep_version_number version = r->judge->version;
        if (rows[i].since <= version && version < rows[i].until) {
            list->rules[list->count++] = rows[i].rule;
        }
    }
}

static void show(const runner *r, ep_unit unit, const ep_subject *subject) {
    const rule_list *list = &r->units[unit];
    for (size_t i = 0; i < list->count; i++) {
        list->rules[i](r->judge, subject);
    }
}

/* ----------------------------------------------------------------- one graph */

/* The context of a use: the user, as the rules see it. */
typedef struct using {
    const runner *r;
    ep_subject *subject;
}
using;

/* Whether a value is defined before its user, as what it is used as. */
static bool is_usable(const ep_definition *definition, const ep_subject *subject) {
    return definition != NULL && definition->order != 0 && definition->order < subject->order &&
           definition->defined == (uint8_t)subject->use.holds;
}

static void visit_use(ep_judge *judge, void *context, const ep_use *use) {
    const using *from = context;
    ep_subject *subject = from->subject;
    if (use->holds == EP_HOLDS_GRAPH) {
        return;
    }
    subject->use = *use;
    subject->definition = ep_judge_find(judge, subject->scope, use->name);
    if (!is_usable(subject->definition, subject)) {
        show(from->r, EP_UNIT_USE, subject);
    }
}

_Static_assert(EP_F_Argument_as_device - EP_F_Argument_as_scalar_type == 3,
               "the constants that rules look at are together");

/* Whether an argument of the tag is an enumerator or a device. */
static bool is_constant(ep_field tag) {
    return tag >= EP_F_Argument_as_scalar_type && tag <= EP_F_Argument_as_device;
}

/* The arguments in a dict of arguments, and in those of these. */
static void run_nested(const runner *r, const ep_node *dict_argument) {
    ep_judge *judge = r->judge;
    ep_stack waiting;
    ep_stack_init(&waiting, judge->arena);
    bool ok = ep_stack_push(&waiting, ep_pointer_bits(dict_argument));
    while (ok && waiting.count > 0) {
        const ep_node *argument = ep_node_at(waiting.words[--waiting.count]);
        ep_field tag = ep_tag(&judge->fields, argument);
        if (is_constant(tag)) {
            show(r, EP_UNIT_CONSTANT, &(ep_subject){.node = argument});
        }
        bool nested = tag == EP_F_Argument_as_string_to_argument;
        uint64_t dict = nested ? argument->slots[0] : 0;
        for (size_t i = 0; ok && i < ep_list_count(dict); i++) {
            ok = ep_stack_push(&waiting, ep_dict_value(dict, i));
        }
    }
    judge->out_of_memory = judge->out_of_memory || !ok;
    ep_stack_free(&waiting);
}

/* Visits an argument of a node, or an output of a graph; who is the user. */
static void run_argument(const runner *r, ep_subject *who, const ep_node *argument) {
    ep_field tag = ep_tag(&r->judge->fields, argument);
    using from = {r, who};
    if (tag == EP_F_Argument_as_string_to_argument) {
        run_nested(r, argument);
    } else if (is_constant(tag)) {
        show(r, EP_UNIT_CONSTANT, &(ep_subject){.node = argument});
    }
    ep_judge_uses(r->judge, argument, visit_use, &from);
}

static void run_node(const runner *r, const ep_scope *scope, const ep_node *node, uint32_t order) {
    const ep_fields *fields = &r->judge->fields;
    uint64_t inputs = ep_field_bits(fields, node, EP_F_Node_inputs);
    uint64_t outputs = ep_field_bits(fields, node, EP_F_Node_outputs);
    ep_subject subject = {.scope = scope, .node = node, .order = order};
    ep_ref target = ep_field_bits(fields, node, EP_F_Node_target);
    subject.called =
        ep_memo_find(r->judge->memo, EP_LANGUAGE_TARGET, ep_ref_raw(r->judge->input.data, target));
    /* the targets of a program are read before its rules */
    if (EP_NEVER(subject.called == NULL)) {
        return;
    }
    subject.target = subject.called->result;
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        subject.named = ep_item_node(inputs, i);
        run_argument(r, &subject, ep_field_node(fields, subject.named, EP_F_NamedArgument_arg));
    }
    show(r, EP_UNIT_NODE, &subject);
    if (subject.target->kind == EP_TARGET_HIGHER_ORDER) {
        show(r, EP_UNIT_HIGHER_ORDER, &subject);
    }
    for (size_t i = 0; i < ep_list_count(outputs); i++) {
        subject.node = ep_item_node(outputs, i);
        show(r, EP_UNIT_OUTPUT, &subject);
    }
}

static void run_expression(const runner *r, const ep_node *sym) {
    ep_subject subject = {.node = sym, .symbols = ep_symbols_of(r->judge, sym)};
    show(r, EP_UNIT_SYM, &subject);
}

/* A SymInt, SymFloat or SymBool. Most are plain numbers, which contain no symbols. */
EP_INLINE void run_sym(const runner *r, const ep_node *sym) {
    if (ep_tag(&r->judge->fields, sym) != EP_F_SymInt_as_int) {
        run_expression(r, sym);
    }
}

static void run_syms(const runner *r, uint64_t list) {
    for (size_t i = 0; i < ep_list_count(list); i++) {
        run_sym(r, ep_item_node(list, i));
    }
}

/* A TensorMeta, and the numbers in it. */
static void run_meta(const runner *r, const ep_node *meta) {
    const ep_fields *fields = &r->judge->fields;
    ep_subject subject = {.node = meta};
    show(r, EP_UNIT_META, &subject);
    run_syms(r, ep_field_bits(fields, meta, EP_F_TensorMeta_sizes));
    run_syms(r, ep_field_bits(fields, meta, EP_F_TensorMeta_strides));
    uint8_t slot = fields->slot[EP_F_TensorMeta_storage_offset];
    if (fields->schema->types[meta->type]->members[slot].shape->op == EP_OP_UNION) {
        run_sym(r, ep_field_node(fields, meta, EP_F_TensorMeta_storage_offset));
    }
}

/* The type that a table gives for a value. */
static void run_value(const runner *r, const ep_definition *definition) {
    const ep_fields *fields = &r->judge->fields;
    const ep_node *value = ep_node_at(definition->value);
    switch ((ep_holds)definition->listed) {
    case EP_HOLDS_TENSOR:
        if (fields->slot[EP_F_TensorValue_meta] != EP_NO_MEMBER) {
            value = ep_field_node(fields, value, EP_F_TensorValue_meta);
        }
        run_meta(r, value);
        break;
    case EP_HOLDS_SYM_INT:
    case EP_HOLDS_SYM_FLOAT:
    case EP_HOLDS_SYM_BOOL:
        run_sym(r, value);
        break;
    case EP_HOLDS_NOTHING:
    case EP_HOLDS_CUSTOM_OBJ:
    case EP_HOLDS_GRAPH:
        break;
    }
}

/* Whether a value is listed once and defined once, as what it is listed as, and names one
 * node at most. */
static bool is_regular(const ep_definition *definition) {
    return definition->definitions.second == 0 && definition->listings.second == 0 &&
           definition->nodes.second == 0 && definition->order != 0 &&
           definition->listed == definition->defined;
}

static void run_names(const runner *r, const ep_scope *scope) {
    const ep_definition *all = scope->entries.items;
    for (size_t i = 0; i < scope->names.count; i++) {
        if (!is_regular(&all[i])) {
            ep_subject subject = {.scope = scope, .definition = &all[i]};
            show(r, EP_UNIT_DEFINITION, &subject);
        }
        run_value(r, &all[i]);
    }
}

static void run_scope(const runner *r, const ep_scope *scope) {
    const ep_fields *fields = &r->judge->fields;
    uint64_t inputs = ep_field_bits(fields, scope->graph, EP_F_Graph_inputs);
    uint64_t nodes = ep_field_bits(fields, scope->graph, EP_F_Graph_nodes);
    uint64_t outputs = ep_field_bits(fields, scope->graph, EP_F_Graph_outputs);
    ep_subject subject = {.scope = scope};
    ep_subject result = {.scope = scope, .order = UINT32_MAX};
    show(r, EP_UNIT_SCOPE, &subject);
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        subject.node = ep_item_node(inputs, i);
        show(r, EP_UNIT_INPUT, &subject);
    }
    for (size_t i = 0; i < ep_list_count(nodes); i++) {
        run_node(r, scope, ep_item_node(nodes, i), EP_ORDER_NODE + (uint32_t)i);
    }
    for (size_t i = 0; i < ep_list_count(outputs); i++) {
        subject.node = ep_item_node(outputs, i);
        show(r, EP_UNIT_RESULT, &subject);
        run_argument(r, &result, subject.node);
    }
    run_names(r, scope);
}

/* --------------------------------------------------------------- the program */

static void run_ranges(const runner *r) {
    const ep_judge *judge = r->judge;
    uint64_t ranges =
        ep_field_bits(&judge->fields, judge->program->root, EP_F_ExportedProgram_range_constraints);
    for (size_t i = 0; i < ep_list_count(ranges); i++) {
        ep_subject subject = {.node = ep_node_at(ep_dict_value(ranges, i)),
                              .key = ep_dict_key(ranges, i)};
        show(r, EP_UNIT_RANGE, &subject);
    }
}

static void run_entries(const runner *r) {
    const ep_fields *fields = &r->judge->fields;
    const ep_node *module =
        ep_field_node(fields, r->judge->program->root, EP_F_ExportedProgram_graph_module);
    uint64_t entries = ep_field_bits(fields, module, EP_F_GraphModule_module_call_graph);
    for (size_t i = 0; i < ep_list_count(entries); i++) {
        ep_subject subject = {.node = ep_item_node(entries, i), .index = i};
        show(r, EP_UNIT_ENTRY, &subject);
    }
}

void ep_rules_run(ep_judge *judge) {
    runner r = {.judge = judge};
    ep_subject program = {.node = judge->program->root};
    choose(&r);
    for (const ep_scope *scope = judge->scopes; scope != NULL; scope = scope->next) {
        run_scope(&r, scope);
    }
    run_ranges(&r);
    run_entries(&r);
    show(&r, EP_UNIT_PROGRAM, &program);
}
