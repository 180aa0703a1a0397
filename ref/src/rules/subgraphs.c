/*
 * rules/subgraphs.c - SPEC 5.2: the graphs that operators take as arguments, and the
 * further rules of these operators.
 */
#include "language/target.h"
#include "rules/rules.h"
#include "tree/same.h"

/* ------------------------------------------------------------------- names */

/* Python's keywords: an attribute of such a name cannot be written. */
static bool is_keyword(ep_bytes text) {
    static const char *const keywords[] = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    return EP_TEXT_AMONG(text, keywords);
}

/* SPEC 5.2.1 */
void ep_rule_subgraph_name(ep_judge *judge, const ep_subject *subject) {
    if (subject->scope->argument == NULL) {
        return;
    }
    ep_ref name = ep_field_bits(&judge->fields, subject->scope->argument, EP_F_GraphArgument_name);
    ep_arena_mark mark = ep_arena_now(judge->arena);
    ep_bytes text;
    if (!ep_ref_text(judge->arena, judge->input, name, &text)) {
        judge->out_of_memory = true;
        return;
    }
    if (!ep_is_identifier(text) || is_keyword(text)) {
        ep_judge_string(judge, EP_SUBGRAPH_NAME, name, NULL);
    }
    ep_arena_rewind(judge->arena, mark);
}

/* The subgraphs of one graph, so far. */
typedef struct naming {
    const ep_scope *scope;
    ep_map names;
    ep_stack first; /* the first GraphArgument of each name, by the map's numbers */
} naming;

static ep_value graph_argument(const ep_judge *judge, uint64_t bits) {
    const ep_shape *shape = &judge->fields.schema->shapes[EP_SHAPE_GraphArgument];
    return (ep_value){judge->program, shape, bits};
}

/* Whether a subgraph's name is new, or belongs to an equal subgraph. False for want of
 * memory. */
static bool take_subgraph(ep_judge *judge, naming *all, const ep_use *use, bool *good) {
    ep_bytes text;
    uint32_t number;
    bool fresh;
    uint64_t bits = ep_pointer_bits(use->node);
    TRY(ep_ref_text(judge->arena, judge->input, use->name, &text) &&
        ep_map_put(&all->names, text, &number, &fresh));
    if (fresh) {
        *good = true;
        return ep_stack_push(&all->first, bits);
    }
    return ep_same_values(judge->arena, graph_argument(judge, all->first.words[number]),
                          graph_argument(judge, bits), good);
}

static void visit_name(ep_judge *judge, void *context, const ep_use *use) {
    naming *all = context;
    bool good = true;
    if (judge->out_of_memory || use->holds != EP_HOLDS_GRAPH) {
        return; /* a name may have a number and no graph once memory was refused */
    }
    if (!take_subgraph(judge, all, use, &good)) {
        judge->out_of_memory = true;
    } else if (!good || ep_judge_find(judge, all->scope, use->name) != NULL) {
        ep_judge_string(judge, EP_SUBGRAPH_TWICE, use->name, NULL);
    }
}

/* The class of an argument of a node. */
static const ep_node *argument_at(const ep_judge *judge, uint64_t inputs, size_t i) {
    return ep_field_node(&judge->fields, ep_item_node(inputs, i), EP_F_NamedArgument_arg);
}

/* SPEC 5.2.2 */
void ep_rule_subgraph_twice(ep_judge *judge, const ep_subject *subject) {
    if (!subject->scope->holds_subgraphs) {
        return;
    }
    uint64_t nodes = ep_field_bits(&judge->fields, subject->scope->graph, EP_F_Graph_nodes);
    naming all = {.scope = subject->scope};
    ep_map_init(&all.names, judge->arena);
    ep_stack_init(&all.first, judge->arena);
    for (size_t i = 0; i < ep_list_count(nodes); i++) {
        uint64_t inputs = ep_field_bits(&judge->fields, ep_item_node(nodes, i), EP_F_Node_inputs);
        for (size_t j = 0; j < ep_list_count(inputs); j++) {
            if (ep_judge_holds_graphs(judge, argument_at(judge, inputs, j))) {
                ep_judge_uses(judge, argument_at(judge, inputs, j), visit_name, &all);
            }
        }
    }
    ep_stack_free(&all.first);
    ep_map_free(&all.names);
}

/* --------------------------------------------------------------- what is passed */

/* How a higher-order operator uses its graphs. */
typedef struct subgraph_row {
    const char *name;
    uint8_t graphs;
    bool condition;   /* its first graph returns one value, a condition; the others
                         return what the operator does */
    bool first_twice; /* its first list of operands is passed twice */
} subgraph_row;

static const subgraph_row subgraph_rows[] = {
    {"cond", 2, false, false},
    {"while_loop", 2, true, false},
    {"map_impl", 1, false, false},
    {"scan", 1, false, false},
    {"associative_scan", 1, false, true},
    {"strict_mode", 1, false, false},
    {"hints_wrapper", 1, false, false},
    {"wrap_with_set_grad_enabled", 1, false, false},
    {"wrap_with_autocast", 1, false, false},
};

/* The row of a node's operator, under whatever path the release gave it; NULL when it
 * takes no graphs, or is unknown. */
static const subgraph_row *subgraph_row_of(const ep_subject *subject) {
    for (size_t i = 0; i < EP_COUNT_OF(subgraph_rows); i++) {
        if (ep_text_equal(subject->target->name, ep_text_of(subgraph_rows[i].name))) {
            return &subgraph_rows[i];
        }
    }
    return NULL;
}

/* SPEC 5.2.3 */
void ep_rule_subgraph_count(ep_judge *judge, const ep_subject *subject) {
    const subgraph_row *row = subgraph_row_of(subject);
    if (row == NULL) {
        return;
    }
    uint64_t inputs = ep_field_bits(&judge->fields, subject->node, EP_F_Node_inputs);
    size_t graphs = 0;
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        graphs += ep_tag(&judge->fields, argument_at(judge, inputs, i)) == EP_F_Argument_as_graph;
    }
    if (graphs != row->graphs) {
        ep_judge_node(judge, EP_SUBGRAPH_COUNT, subject->node, NULL);
    }
}

/* The graph under an argument; NULL if it is none. */
static const ep_node *graph_of(const ep_judge *judge, const ep_node *argument) {
    return ep_tag(&judge->fields, argument) != EP_F_Argument_as_graph
               ? NULL
               : ep_field_node(&judge->fields, ep_tag_node(argument), EP_F_GraphArgument_graph);
}

/* The operands of an operator and the inputs of its graph, visited in parallel. */
typedef struct passing {
    const ep_scope *scope; /* of the operator */
    uint64_t inputs;       /* of the subgraph */
    size_t next;
} passing;

/* The tag that a graph's input has for a value of a kind. */
static ep_field tag_of(ep_holds holds) {
    switch (holds) {
    case EP_HOLDS_TENSOR:
        return EP_F_Argument_as_tensor;
    case EP_HOLDS_SYM_INT:
        return EP_F_Argument_as_sym_int;
    case EP_HOLDS_SYM_FLOAT:
        return EP_F_Argument_as_sym_float;
    case EP_HOLDS_SYM_BOOL:
        return EP_F_Argument_as_sym_bool;
    case EP_HOLDS_CUSTOM_OBJ:
        return EP_F_Argument_as_custom_obj;
    case EP_HOLDS_GRAPH: /* an output of a node; no value is one */
        return EP_F_none;
    case EP_HOLDS_NOTHING:
    default:
        EP_UNREACHABLE(); /* every leaf is something */
        return EP_F_none;
    }
}

/* The kind of an operand: that of the value. For a constant beside the program, or a
 * name that 5.1.2 refuses, the kind that it is used as. */
static ep_holds kind_of(ep_judge *judge, const ep_scope *scope, const ep_use *use) {
    const ep_definition *definition = ep_judge_find(judge, scope, use->name);
    return definition == NULL || definition->order == 0 ? use->holds
                                                        : (ep_holds)definition->defined;
}

/* SPEC 5.2.4: of the kind that is passed; how many there are is seen at the end. A graph
 * in an as_string_to_argument is no operand (5.2.3). */
static void visit_passed(ep_judge *judge, void *context, const ep_use *use) {
    passing *to = context;
    if (use->holds == EP_HOLDS_GRAPH) {
        return;
    }
    size_t i = to->next++;
    if (i < ep_list_count(to->inputs)) {
        const ep_node *input = ep_item_node(to->inputs, i);
        if (ep_tag(&judge->fields, input) != tag_of(kind_of(judge, to->scope, use))) {
            ep_judge_node(judge, EP_SUBGRAPH_INPUTS, input, NULL);
        }
    }
}

/* Where the operands begin: after the last graph. */
static size_t first_operand(const ep_judge *judge, uint64_t inputs) {
    size_t first = 0;
    for (size_t i = 0; i < ep_list_count(inputs); i++) {
        if (graph_of(judge, argument_at(judge, inputs, i)) != NULL) {
            first = i + 1;
        }
    }
    return first;
}

static void check_passed(ep_judge *judge, const ep_subject *subject, const subgraph_row *row,
                         const ep_node *graph) {
    uint64_t inputs = ep_field_bits(&judge->fields, subject->node, EP_F_Node_inputs);
    passing to = {subject->scope, ep_field_bits(&judge->fields, graph, EP_F_Graph_inputs), 0};
    size_t first = first_operand(judge, inputs);
    for (size_t i = first; i < ep_list_count(inputs); i++) {
        const ep_node *argument = argument_at(judge, inputs, i);
        for (int n = 0; n <= (i == first && row->first_twice); n++) {
            ep_judge_uses(judge, argument, visit_passed, &to);
        }
    }
    if (to.next != ep_list_count(to.inputs)) {
        ep_judge_node(judge, EP_SUBGRAPH_INPUTS, graph, NULL);
    }
}

/* SPEC 5.2.4: of all its graphs. Where they are too many, 5.2.3 is broken before. */
void ep_rule_subgraph_inputs(ep_judge *judge, const ep_subject *subject) {
    const subgraph_row *row = subgraph_row_of(subject);
    uint64_t inputs = ep_field_bits(&judge->fields, subject->node, EP_F_Node_inputs);
    for (size_t i = 0; row != NULL && i < ep_list_count(inputs); i++) {
        const ep_node *graph = graph_of(judge, argument_at(judge, inputs, i));
        if (graph != NULL) {
            check_passed(judge, subject, row, graph);
        }
    }
}

/* ------------------------------------------------------------- what is returned */

/* The values of a node's outputs and the outputs of its graph, visited in parallel. */
typedef struct returning {
    const ep_judge *judge;
    uint64_t outputs; /* of the subgraph */
    size_t next;
    bool same;
} returning;

/* Whether an output of a graph is a value of a kind, or, of a symbol, a constant
 * of its type. */
static bool returns(const ep_judge *judge, const ep_node *output, ep_holds holds) {
    ep_field tag = ep_tag(&judge->fields, output);
    if (tag == tag_of(holds)) {
        return true;
    }
    switch (holds) {
    case EP_HOLDS_SYM_INT:
        return tag == EP_F_Argument_as_int;
    case EP_HOLDS_SYM_FLOAT:
        return tag == EP_F_Argument_as_float;
    case EP_HOLDS_SYM_BOOL:
        return tag == EP_F_Argument_as_bool;
    case EP_HOLDS_TENSOR:
    case EP_HOLDS_CUSTOM_OBJ:
    case EP_HOLDS_GRAPH:
    case EP_HOLDS_NOTHING:
        break;
    }
    return false;
}

static bool visit_returned(void *context, const ep_leaf *leaf) {
    returning *from = context;
    size_t i = from->next++;
    from->same =
        from->same && i < ep_list_count(from->outputs) &&
        (leaf->name == NULL || returns(from->judge, ep_item_node(from->outputs, i), leaf->holds));
    return true;
}

/* Whether a graph returns the kinds that its operator returns; an output that is none,
 * or an item of a list that is, matches any kind. */
static bool same_outputs(ep_judge *judge, uint64_t outputs, uint64_t own) {
    returning from = {judge, own, 0, true};
    for (size_t i = 0; i < ep_list_count(outputs); i++) {
        const ep_node *output = ep_item_node(outputs, i);
        from.next += ep_tag(&judge->fields, output) == EP_F_Argument_as_none;
        if (!ep_leaves(judge->arena, &judge->fields, output, visit_returned, &from)) {
            judge->out_of_memory = true;
        }
    }
    return from.same && from.next == ep_list_count(own);
}

/* One output: a tensor, or a symbolic bool. */
static bool is_condition(const ep_judge *judge, uint64_t own) {
    return ep_list_count(own) == 1 && (returns(judge, ep_item_node(own, 0), EP_HOLDS_TENSOR) ||
                                       returns(judge, ep_item_node(own, 0), EP_HOLDS_SYM_BOOL));
}

/* SPEC 5.2.5 */
void ep_rule_subgraph_outputs(ep_judge *judge, const ep_subject *subject) {
    const subgraph_row *row = subgraph_row_of(subject);
    uint64_t inputs = ep_field_bits(&judge->fields, subject->node, EP_F_Node_inputs);
    uint64_t outputs = ep_field_bits(&judge->fields, subject->node, EP_F_Node_outputs);
    bool first = true;
    for (size_t i = 0; row != NULL && i < ep_list_count(inputs); i++) {
        const ep_node *graph = graph_of(judge, argument_at(judge, inputs, i));
        if (graph == NULL) {
            continue;
        }
        uint64_t own = ep_field_bits(&judge->fields, graph, EP_F_Graph_outputs);
        bool condition = first && row->condition;
        if (!(condition ? is_condition(judge, own) : same_outputs(judge, outputs, own))) {
            ep_judge_node(judge, EP_SUBGRAPH_OUTPUTS, graph, NULL);
        }
        first = false;
    }
}

/* ---------------------------------------------------------- what the node says */

/* Whether a node has the name of its output. */
static bool is_named_as(ep_judge *judge, const ep_node *node, const ep_node *output) {
    const ep_fields *fields = &judge->fields;
    if (!ep_field_present(fields, node, EP_F_Node_name)) {
        return false;
    }
    ep_ref name = ep_field_bits(fields, ep_tag_node(output), EP_F_TensorArgument_name);
    return ep_text_compare(judge->input.data, name, ep_field_bits(fields, node, EP_F_Node_name)) ==
           0;
}

/* SPEC 5.2.6: one tensor by itself, or a tuple of one. A tensor by itself has the
 * name of the node. The tensor of a tuple is the result of a getitem, and has
 * another name. */
void ep_rule_hop_return(ep_judge *judge, const ep_subject *subject) {
    const ep_fields *fields = &judge->fields;
    const ep_node *node = subject->node;
    if (!ep_field_present(fields, node, EP_F_Node_is_hop_single_tensor_return)) {
        return;
    }
    uint64_t outputs = ep_field_bits(fields, node, EP_F_Node_outputs);
    if (ep_list_count(outputs) != 1) {
        return;
    }
    const ep_node *output = ep_item_node(outputs, 0);
    ep_field tag = ep_tag(fields, output);
    bool single = ep_field_bits(fields, node, EP_F_Node_is_hop_single_tensor_return) != 0;
    if (single && tag != EP_F_Argument_as_tensor && tag != EP_F_Argument_as_tensors) {
        ep_judge_node(judge, EP_HOP_RETURN, node, NULL);
    } else if (!single && tag == EP_F_Argument_as_tensor && is_named_as(judge, node, output)) {
        ep_judge_node(judge, EP_HOP_RETURN, node, NULL);
    }
}

/* Whether an argument is the name of a value, rather than a constant. */
static bool is_value(ep_field tag) {
    return tag == EP_F_Argument_as_tensor || tag == EP_F_Argument_as_sym_int ||
           tag == EP_F_Argument_as_sym_float || tag == EP_F_Argument_as_sym_bool ||
           tag == EP_F_Argument_as_custom_obj;
}

/* SPEC 5.2.7 */
void ep_rule_graph_return(ep_judge *judge, const ep_subject *subject) {
    const ep_fields *fields = &judge->fields;
    const ep_node *graph = subject->scope->graph;
    if (ep_field_bits(fields, graph, EP_F_Graph_is_single_tensor_return) == 0) {
        return;
    }
    uint64_t outputs = ep_field_bits(fields, graph, EP_F_Graph_outputs);
    bool one = ep_list_count(outputs) == 1 && is_value(ep_tag(fields, ep_item_node(outputs, 0)));
    if (!one || subject->scope->outer == NULL) {
        ep_judge_node(judge, EP_GRAPH_RETURN, graph, NULL);
    }
}
