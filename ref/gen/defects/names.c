/*
 * names.c - defects of names and subgraphs (SPEC 5.1, 5.2). Of several
 * faults the lowest clause is reported: what an edit breaks besides has to be of
 * a higher one.
 */
#include "edit.h"

#include <string.h>

/* --------------------------------------------------------------------- roles */

/* What a name is there for. */
typedef enum role {
    ROLE_NONE, /* no name, or one of the signature or a module */
    ROLE_INPUT,
    ROLE_OUTPUT, /* of a node: these two define */
    ROLE_USE,    /* by a node */
    ROLE_RESULT  /* used by an output of the graph */
} role;

static bool is_name(const place *p) {
    static const member_row rows[] = {{"TensorArgument", "name"},
                                      {"SymIntArgument", "as_name"},
                                      {"SymFloatArgument", "as_name"},
                                      {"SymBoolArgument", "as_name"},
                                      {"CustomObjArgument", "name"},
                                      {"OptionalTensorArgument", "as_tensor"},
                                      {NULL, NULL}};
    return p->kind == EP_KIND_STR && is_any_member(p, rows);
}

/* By the nearest list of Arguments that it stands in. */
static role role_of(const defect *d, const place *p) {
    static const struct {
        member_row list;
        role role;
    } rows[] = {{{"Graph", "inputs"}, ROLE_INPUT},
                {{"Node", "outputs"}, ROLE_OUTPUT},
                {{"Node", "inputs"}, ROLE_USE},
                {{"Graph", "outputs"}, ROLE_RESULT}};
    if (!is_name(p)) {
        return ROLE_NONE;
    }
    for (; p != NULL; p = outer(d, p)) {
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            if (is_member(p, rows[i].list.type, rows[i].list.member)) {
                return rows[i].role;
            }
        }
    }
    return ROLE_NONE;
}

static bool is_definition(const defect *d, const place *p, const void *context) {
    role own = role_of(d, p);
    (void)context;
    return own == ROLE_INPUT || own == ROLE_OUTPUT;
}

static bool is_use(const defect *d, const place *p, const void *context) {
    role own = role_of(d, p);
    (void)context;
    return own == ROLE_USE || own == ROLE_RESULT;
}

static bool is_node_use(const defect *d, const place *p, const void *context) {
    (void)context;
    return role_of(d, p) == ROLE_USE;
}

/* Another definition of the graph that a name is in: its name is another. */
static bool is_other_definition(const defect *d, const place *p, const void *context) {
    const place *than = context;
    return is_definition(d, p, NULL) && owner(d, p, "Graph") == owner(d, than, "Graph") &&
           !same_bytes(text_at(d, p), text_at(d, than));
}

/* One that comes too late for a use: of the same node, or a later one. */
static bool is_late_definition(const defect *d, const place *p, const void *context) {
    const place *use = context;
    return role_of(d, p) == ROLE_OUTPUT && owner(d, p, "Graph") == owner(d, use, "Graph") &&
           owner(d, p, "Node") >= owner(d, use, "Node");
}

static bool rename_to(defect *d, const place *p, const place *other) {
    replace_text(d, p, "");
    put_bytes(d, text_at(d, other));
    return true;
}

/* ----------------------------------------------------------- 5.1: definitions */

enum { TRIES = 8 };

bool defect_value_twice(defect *d) {
    for (size_t i = 0; i < TRIES; i++) {
        const place *p = draw_place(d, is_definition, NULL);
        const place *other = p == NULL ? NULL : draw_place(d, is_other_definition, p);
        if (other != NULL) {
            return rename_to(d, p, other);
        }
    }
    return no_place(d, "no graph defines two values");
}

bool defect_value_undefined(defect *d) {
    const place *p = draw_place(d, is_use, NULL);
    if (p == NULL) {
        return no_place(d, "it uses no values");
    }
    replace_text(d, p, "");
    put_fresh(d, "undefined_");
    return true;
}

bool defect_value_early(defect *d) {
    for (size_t i = 0; i < TRIES; i++) {
        const place *p = draw_place(d, is_node_use, NULL);
        const place *late = p == NULL ? NULL : draw_place(d, is_late_definition, p);
        if (late != NULL) {
            return rename_to(d, p, late);
        }
    }
    return no_place(d, "no node uses a value and defines one");
}

/* ---------------------------------------------------------------- 5.1: tables */

static const member_row tables[] = {{"Graph", "tensor_values"},     {"Graph", "sym_int_values"},
                                    {"Graph", "sym_bool_values"},   {"Graph", "sym_float_values"},
                                    {"Graph", "custom_obj_values"}, {NULL, NULL}};

/* An entry that has to be there: what version 1 has as a constant has not. */
static bool is_entry(const defect *d, const place *p, const void *context) {
    (void)context;
    if (p->nest != 1 || !is_any_member(p, tables)) {
        return false;
    }
    const place *constants = part_of(d, owner(d, p, "Graph"), "constants");
    for (const place *c = constants == NULL ? NULL : first_in(d, constants); c != NULL;
         c = next_of(d, c)) {
        if (same_bytes(key_at(d, c), key_at(d, p))) {
            return false;
        }
    }
    return true;
}

static const place *entry_place(defect *d) {
    const place *p = draw_place(d, is_entry, NULL);
    d->why = p == NULL ? "its tables have no entries" : NULL;
    return p;
}

bool defect_value_unlisted(defect *d) {
    const place *p = entry_place(d);
    if (p == NULL) {
        return false;
    }
    if (draw(d, 2) == 0) {
        return remove_part(d, p);
    }
    replace_bytes(d, p->key + 1, p->key + 1 + key_at(d, p).size, "");
    put_fresh(d, "unlisted_");
    return true;
}

/* Adds an entry of a name to one of the tables of symbolic values; NULL: of a
 * new name. False if that table is the one that the name is in. */
static bool add_entry(defect *d, const place *graph, const place *of) {
    static const struct {
        const char *table;
        const char *type;
        const char *tag;
        const char *value;
    } rows[] = {{"sym_int_values", "SymInt", "as_int", "7"},
                {"sym_bool_values", "SymBool", "as_bool", "true"},
                {"sym_float_values", "SymFloat", "as_float", "2.5"}};
    size_t i = draw(d, COUNT_OF(rows));
    const place *table = part_of(d, graph, rows[i].table);
    if (table == NULL || (of != NULL && strcmp(of->member, rows[i].table) == 0)) {
        return false;
    }
    insert_into(d, table);
    put(d, "\"");
    if (of != NULL) {
        put_bytes(d, key_at(d, of));
    } else {
        put_fresh(d, "extra_");
    }
    put(d, "\": ");
    put_variant(d, rows[i].type, rows[i].tag, rows[i].value);
    return true;
}

bool defect_value_listed_twice(defect *d) {
    const place *p = entry_place(d);
    while (p != NULL && !add_entry(d, owner(d, p, "Graph"), p)) {
    }
    return p != NULL;
}

static bool is_graph(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return is_of(p, "Graph");
}

/* A copy of an entry of a tensor, under a new name. */
static bool copied_entry(defect *d) {
    const place *p = draw_item(d, "Graph", "tensor_values");
    if (p == NULL) {
        return no_place(d, "it has no tensors");
    }
    insert_into(d, outer(d, p));
    put(d, "\"");
    put_fresh(d, "extra_");
    put(d, "\": ");
    put_bytes(d, bytes_at(d, p));
    return true;
}

static bool new_entry(defect *d) {
    const place *graph = draw_place(d, is_graph, NULL);
    while (!add_entry(d, graph, NULL)) {
    }
    return true;
}

bool defect_value_extra(defect *d) {
    static defect_function *const ways[] = {copied_entry, new_entry};
    return TRY_WAYS(d, ways);
}

/* --------------------------------------------------------- 5.1: kinds, nodes */

static const char *const value_tags[] = {"as_tensor", "as_sym_int", "as_sym_bool"};

/* An Argument that is one value, used by a node or as an output of a graph. */
static bool is_value_used(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    bool used = is_member(p, "NamedArgument", "arg") || is_member(p, "Graph", "outputs");
    bool value = false;
    for (size_t i = 0; i < COUNT_OF(value_tags); i++) {
        value = value || has_tag(p, value_tags[i]);
    }
    return used && value;
}

/* The name in an Argument that is one value; NULL if it is a number. */
static const place *name_in(const defect *d, const place *p) {
    for (const place *in = p; in != NULL && in < d->places.items + p->next; in++) {
        if (is_name(in)) {
            return in;
        }
    }
    return NULL;
}

bool defect_value_kind(defect *d) {
    const place *p = draw_place(d, is_value_used, NULL);
    const place *name = p == NULL ? NULL : name_in(d, p);
    if (name == NULL) {
        return no_place(d, "it uses no values");
    }
    const char *tag;
    do {
        tag = DRAW_FROM(d, value_tags);
    } while (has_tag(p, tag));
    replace(d, p, "");
    put_value(d, tag, text_at(d, name));
    return true;
}

/* Arguments that are constants. */
typedef struct constant {
    const char *tag;
    const char *value;
} constant;

static void put_constant(defect *d, const constant *c) {
    put_variant(d, "Argument", c->tag, c->value);
}

/* What is no single value or constant, of a kind that a graph takes and gives. */
static bool odd_part(defect *d, const char *list) {
    static const constant odd[] = {{"as_ints", "[1, 2]"},   {"as_strings", "[\"a\"]"},
                                   {"as_bools", "[true]"},  {"as_floats", "[0.5]"},
                                   {"as_scalar_type", "7"}, {"as_layout", "7"},
                                   {"as_tensors", "[]"},    {"as_memory_format", "1"}};
    insert_into(d, part_of(d, draw_place(d, is_graph, NULL), list));
    put_constant(d, &DRAW_FROM(d, odd));
    return true;
}

bool defect_input_kind(defect *d) {
    return odd_part(d, "inputs");
}

static bool odd_result(defect *d) {
    return odd_part(d, "outputs");
}

static bool odd_output(defect *d) {
    static const constant odd[] = {
        {"as_int", "3"},    {"as_string", "\"a\""},  {"as_bool", "true"}, {"as_float", "0.5"},
        {"as_ints", "[1]"}, {"as_scalar_type", "7"}, {"as_layout", "7"},  {"as_strings", "[]"}};
    const place *p = draw_member(d, "Node", "outputs");
    if (p == NULL) {
        return no_place(d, "it has no nodes");
    }
    insert_into(d, p);
    put_constant(d, &DRAW_FROM(d, odd));
    return true;
}

bool defect_output_kind(defect *d) {
    static defect_function *const ways[] = {odd_output, odd_result};
    return TRY_WAYS(d, ways);
}

static bool is_other_node_name(const defect *d, const place *p, const void *context) {
    const place *than = context;
    return is_member(p, "Node", "name") && p->kind == EP_KIND_STR && p != than &&
           owner(d, p, "Graph") == owner(d, than, "Graph");
}

bool defect_node_name(defect *d) {
    for (size_t i = 0; i < TRIES; i++) {
        const place *p = draw_member(d, "Node", "name");
        const place *other = p == NULL ? NULL : draw_place(d, is_other_node_name, p);
        if (other != NULL) {
            return rename_to(d, p, other);
        }
    }
    return no_place(d, "no graph has two nodes with names");
}

/* --------------------------------------------------------------- 5.2: subgraphs */

bool defect_subgraph_name(defect *d) {
    static const char *const wrong[] = {"",         "%.0", "0%",  "% ",  "a-b",
                                        "%\\u00e9", "a b", "%()", "%[0]"};
    const place *p = draw_member(d, "GraphArgument", "name");
    if (p == NULL) {
        return no_place(d, "it has no subgraphs");
    }
    replace_text(d, p, "");
    put_template(d, DRAW_FROM(d, wrong), text_at(d, p));
    return true;
}

/* A subgraph's or value's name of the graph that a subgraph is used in; it has
 * to be an identifier. */
static bool is_taken_name(const defect *d, const place *p, const void *context) {
    const place *than = context;
    bool named = is_member(p, "GraphArgument", "name") || is_definition(d, p, NULL);
    if (!named || p == than || owner(d, owner(d, than, "Node"), "Graph") == NULL) {
        return false;
    }
    bool of_graph = is_member(p, "GraphArgument", "name");
    const place *graph = owner(d, of_graph ? owner(d, p, "Node") : p, "Graph");
    ep_bytes name = text_at(d, p);
    return graph == owner(d, owner(d, than, "Node"), "Graph") && name.size > 0 &&
           find_bytes(name, 0, ".") == name.size && find_bytes(name, 0, "\\") == name.size;
}

bool defect_subgraph_twice(defect *d) {
    const place *p = draw_member(d, "GraphArgument", "name");
    const place *other = p == NULL ? NULL : draw_place(d, is_taken_name, p);
    return other != NULL ? rename_to(d, p, other) : no_place(d, "it has no subgraphs");
}

/* Whether a node is one whose subgraphs are held against it. */
static bool is_judged(const defect *d, const place *node) {
    static const char *const names[] = {"cond",
                                        "while_loop",
                                        "map_impl",
                                        "scan",
                                        "associative_scan",
                                        "strict_mode",
                                        "hints_wrapper",
                                        "wrap_with_set_grad_enabled",
                                        "wrap_with_autocast"};
    ep_bytes target = text_at(d, part_of(d, node, "target"));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        size_t size = strlen(names[i]);
        if (target.size > size && target.data[target.size - size - 1] == '.' &&
            memcmp(target.data + target.size - size, names[i], size) == 0) {
            return true;
        }
    }
    return false;
}

/* A NamedArgument that is a subgraph of such a node. */
static bool is_judged_argument(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_of(p, "NamedArgument") && has_tag(part_of(d, p, "arg"), "as_graph") &&
           is_judged(d, owner(d, p, "Node"));
}

static bool is_judged_graph(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_member(p, "GraphArgument", "graph") && is_judged(d, owner(d, p, "Node"));
}

bool defect_subgraph_count(defect *d) {
    const place *p = draw_place(d, is_judged_argument, NULL);
    if (p == NULL) {
        return no_place(d, "no operator of it takes subgraphs");
    }
    if (draw(d, 2) == 0) {
        return remove_part(d, p);
    }
    replace(d, part_of(d, p, "arg"), "");
    put_variant(d, "Argument", "as_int", "1");
    return true;
}

static const place *judged_graph(defect *d) {
    const place *p = draw_place(d, is_judged_graph, NULL);
    d->why = p == NULL ? "no operator of it takes subgraphs" : NULL;
    return p;
}

static bool more_inputs(defect *d) {
    static const constant more[] = {{"as_int", "1"}, {"as_string", "\"a\""}, {"as_bool", "false"}};
    const place *p = judged_graph(d);
    if (p == NULL) {
        return false;
    }
    insert_into(d, part_of(d, p, "inputs"));
    put_constant(d, &DRAW_FROM(d, more));
    return true;
}

/* A name that is passed: behind the last graph of a node. */
static bool is_operand(const defect *d, const place *p, const void *context) {
    (void)context;
    const place *named = owner(d, p, "NamedArgument");
    if (role_of(d, p) != ROLE_USE || !is_judged(d, owner(d, p, "Node"))) {
        return false;
    }
    for (const place *n = named; n != NULL; n = next_of(d, n)) {
        if (has_tag(part_of(d, n, "arg"), "as_graph")) {
            return false;
        }
    }
    return true;
}

static bool fewer_operands(defect *d) {
    const place *p = draw_place(d, is_operand, NULL);
    if (p == NULL) {
        return no_place(d, "no operator passes values to subgraphs");
    }
    while (!is_of(p, "NamedArgument") &&
           !(p->nest == 1 && p->type != NULL && strcmp(p->type, "Argument") == 0)) {
        p = outer(d, p);
    }
    return remove_part(d, p);
}

bool defect_subgraph_inputs(defect *d) {
    static defect_function *const ways[] = {more_inputs, fewer_operands};
    return TRY_WAYS(d, ways);
}

bool defect_subgraph_outputs(defect *d) {
    static const constant more[] = {{"as_int", "1"}, {"as_none", NULL}, {"as_bool", "false"}};
    const place *p = judged_graph(d);
    if (p == NULL) {
        return false;
    }
    const place *outputs = part_of(d, p, "outputs");
    if (outputs->count > 0 && draw(d, 2) == 0) {
        return remove_part(d, first_in(d, outputs));
    }
    insert_into(d, outputs);
    constant c = DRAW_FROM(d, more);
    if (c.value == NULL) {
        c.value = within(d, NULL, "8.2") ? "[]" : "true";
    }
    put_constant(d, &c);
    return true;
}

/* ------------------------------------------------------------ 5.2.6, 5.2.7: returns */

bool defect_hop_return(defect *d) {
    static const char *const targets[] = {"auto_functionalized", "run_const_graph", "wrap"};
    const place *nodes = draw_member(d, "Graph", "nodes");
    insert_into(d, nodes);
    put(d, "{\"target\": \"torch.ops.higher_order.");
    put(d, DRAW_FROM(d, targets));
    put(d, "\", \"inputs\": [], \"outputs\": [");
    put_variant(d, "Argument", "as_none", "true");
    put(d, "], \"metadata\": {}, \"is_hop_single_tensor_return\": true}");
    return true;
}

bool defect_graph_return(defect *d) {
    const place *graph = root_graph(d);
    const place *said = part_of(d, graph, "is_single_tensor_return");
    if (said != NULL) {
        return replace(d, said, "true");
    }
    insert_member(d, graph, "is_single_tensor_return");
    put(d, "true");
    return true;
}
