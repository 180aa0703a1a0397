/*
 * rules/names.c - SPEC 5.1: the names of values and nodes.
 */
#include "rules/operator_rules.h"
#include "rules/rules.h"

/* SPEC 5.1.1 */
void ep_rule_value_twice(ep_judge *judge, const ep_subject *subject) {
    ep_ref second = subject->definition->definitions.second;
    if (second == 0) {
        return;
    }
    if (second == subject->definition->constant) {
        ep_judge_key(judge, EP_VALUE_TWICE, second, NULL);
    } else {
        ep_judge_string(judge, EP_VALUE_TWICE, second, NULL);
    }
}

static bool is_defined(const ep_definition *definition) {
    return definition != NULL && definition->order != 0;
}

/* SPEC 5.1.2: a custom object that a node takes and that is no value is the name of a
 * constant beside the program. */
void ep_rule_value_undefined(ep_judge *judge, const ep_subject *subject) {
    bool constant = subject->use.holds == EP_HOLDS_CUSTOM_OBJ && subject->node != NULL;
    if (!is_defined(subject->definition) && !constant) {
        ep_judge_string(judge, EP_VALUE_UNDEFINED, subject->use.name, NULL);
    }
}

/* SPEC 5.1.3 */
void ep_rule_value_early(ep_judge *judge, const ep_subject *subject) {
    if (is_defined(subject->definition) && subject->definition->order >= subject->order) {
        ep_judge_string(judge, EP_VALUE_EARLY, subject->use.name, NULL);
    }
}

/* Whether the version has a table for a kind of value. */
static bool has_table(const ep_judge *judge, uint8_t holds) {
    for (size_t i = 0; EP_ALWAYS(i < EP_TABLE_COUNT); i++) { /* each kind has a table */
        if (ep_tables[i].holds == (ep_holds)holds) {
            return judge->fields.slot[ep_tables[i].field] != EP_NO_MEMBER;
        }
    }
    return false;
}

/* SPEC 5.1.4 */
void ep_rule_value_unlisted(ep_judge *judge, const ep_subject *subject) {
    const ep_definition *definition = subject->definition;
    if (is_defined(definition) && definition->order != EP_ORDER_CONSTANT &&
        definition->listed == EP_HOLDS_NOTHING && has_table(judge, definition->defined)) {
        ep_judge_string(judge, EP_VALUE_UNLISTED, definition->defined_at, NULL);
    }
}

/* SPEC 5.1.5 */
void ep_rule_value_listed_twice(ep_judge *judge, const ep_subject *subject) {
    if (subject->definition->listings.second != 0) {
        ep_judge_key(judge, EP_VALUE_LISTED_TWICE, subject->definition->listings.second, NULL);
    }
}

/* SPEC 5.1.6 */
void ep_rule_value_extra(ep_judge *judge, const ep_subject *subject) {
    if (!is_defined(subject->definition)) {
        ep_judge_key(judge, EP_VALUE_EXTRA, subject->definition->listed_at, NULL);
    }
}

static const char *name_of(uint8_t holds) {
    static const char *const names[] = {"",
                                        "a tensor",
                                        "a symbolic int",
                                        "a symbolic float",
                                        "a symbolic bool",
                                        "a custom object",
                                        "a graph"};
    return names[holds];
}

/* SPEC 5.1.7: the items of a list of tensors may be of any kind, unless a signature
 * demands tensors. */
void ep_rule_value_kind(ep_judge *judge, const ep_subject *subject) {
    const ep_use *use = &subject->use;
    if (!is_defined(subject->definition) || subject->definition->defined == (uint8_t)use->holds) {
        return;
    }
    bool list = use->listed && use->holds == EP_HOLDS_TENSOR && subject->node != NULL;
    if (!list || ep_takes_tensors(judge, subject)) {
        ep_judge_string(judge, EP_VALUE_KIND, subject->use.name,
                        name_of((uint8_t)subject->use.holds));
    }
}

/* SPEC 5.1.7: the kind of the table that lists the value. */
void ep_rule_listed_kind(ep_judge *judge, const ep_subject *subject) {
    const ep_definition *definition = subject->definition;
    if (is_defined(definition) && definition->listed != EP_HOLDS_NOTHING &&
        definition->listed != definition->defined) {
        ep_judge_key(judge, EP_VALUE_KIND, definition->listed_at, name_of(definition->defined));
    }
}

/* A tag and what it may be. */
typedef struct tag_row {
    uint8_t tag;
    bool input;  /* of a graph */
    bool output; /* of a node */
} tag_row;

static const tag_row tag_rows[] = {
    {EP_F_Argument_as_none, true, true},
    {EP_F_Argument_as_tensor, true, true},
    {EP_F_Argument_as_tensors, false, true},
    {EP_F_Argument_as_nested_tensors, false, true},
    {EP_F_Argument_as_sym_int, true, true},
    {EP_F_Argument_as_sym_float, true, true},
    {EP_F_Argument_as_sym_bool, true, true},
    {EP_F_Argument_as_custom_obj, true, true},
    {EP_F_Argument_as_int, true, false},
    {EP_F_Argument_as_float, true, false},
    {EP_F_Argument_as_bool, true, false},
    {EP_F_Argument_as_string, true, false},
    {EP_F_Argument_as_optional_tensor, false, true},
    {EP_F_Argument_as_optional_tensors, false, true},
};

static const tag_row *tag_row_of(const ep_judge *judge, const ep_node *argument) {
    static const tag_row other = {EP_F_none, false, false};
    ep_field tag = ep_tag(&judge->fields, argument);
    for (size_t i = 0; i < EP_COUNT_OF(tag_rows); i++) {
        if (tag_rows[i].tag == tag) {
            return &tag_rows[i];
        }
    }
    return &other;
}

/* SPEC 5.1.8 */
void ep_rule_input_kind(ep_judge *judge, const ep_subject *subject) {
    if (!tag_row_of(judge, subject->node)->input || ep_judge_is_number(judge, subject->node)) {
        ep_judge_node(judge, EP_INPUT_KIND, subject->node, NULL);
    }
}

/* SPEC 5.1.9 */
void ep_rule_output_kind(ep_judge *judge, const ep_subject *subject) {
    if (!tag_row_of(judge, subject->node)->output || ep_judge_is_number(judge, subject->node)) {
        ep_judge_node(judge, EP_OUTPUT_KIND, subject->node, NULL);
    }
}

/* SPEC 5.1.9: an output of a graph is a single value, as an input is. */
void ep_rule_result_kind(ep_judge *judge, const ep_subject *subject) {
    if (!tag_row_of(judge, subject->node)->input || ep_judge_is_number(judge, subject->node)) {
        ep_judge_node(judge, EP_OUTPUT_KIND, subject->node, NULL);
    }
}

/* SPEC 5.1.10, of nodes: those that are named as some value are noted there. */
void ep_rule_node_names(ep_judge *judge, const ep_subject *subject) {
    const ep_stack *all = &subject->scope->node_names;
    ep_distinct names;
    ep_distinct_init(&names, judge);
    for (size_t i = 0; i < all->count; i++) {
        ep_definition *value = ep_judge_find(judge, subject->scope, all->words[i]);
        if (value != NULL) {
            ep_judge_place(&value->nodes, all->words[i]);
        } else if (!ep_distinct_add(&names, all->words[i])) {
            ep_judge_string(judge, EP_NODE_NAME, all->words[i], NULL);
        }
    }
    ep_distinct_free(&names);
}

/* SPEC 5.1.10, of nodes that are named as a value: after ep_rule_node_names. */
void ep_rule_node_twice(ep_judge *judge, const ep_subject *subject) {
    ep_ref second = subject->definition->nodes.second;
    if (second != 0) {
        ep_judge_string(judge, EP_NODE_NAME, second, NULL);
    }
}

/* Whether a node has exactly one value, whose name it then takes. */
static bool is_its_value(const ep_judge *judge, const ep_node *node) {
    const ep_fields *fields = &judge->fields;
    uint64_t outputs = ep_field_bits(fields, node, EP_F_Node_outputs);
    if (ep_list_count(outputs) != 1) {
        return false;
    }
    ep_field tag = ep_tag(fields, ep_item_node(outputs, 0));
    return tag == EP_F_Argument_as_tensor || tag == EP_F_Argument_as_sym_int ||
           tag == EP_F_Argument_as_sym_float || tag == EP_F_Argument_as_sym_bool;
}

/* SPEC 5.1.10, of values. */
void ep_rule_node_name(ep_judge *judge, const ep_subject *subject) {
    const ep_fields *fields = &judge->fields;
    if (!ep_field_present(fields, subject->node, EP_F_Node_name) ||
        is_its_value(judge, subject->node)) {
        return;
    }
    ep_ref name = ep_field_bits(fields, subject->node, EP_F_Node_name);
    const ep_definition *value = ep_judge_find(judge, subject->scope, name);
    if (is_defined(value)) {
        ep_judge_string(judge, EP_NODE_NAME, name, NULL);
    }
}
