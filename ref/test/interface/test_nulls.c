/*
 * test_nulls.c - NULL for every pointer that a function of epref.h takes (nulls.def),
 * and for those in the structs and arrays that it takes: where it may be NULL the
 * function does what it does, else it says no, with EP_ARGUMENT where it has a place
 * for that, and does nothing else. Extreme numbers, texts and values for all other
 * arguments: whatever the function makes of them, it says one thing and ends well.
 */
#include "base/span.h"
#include "check.h"
#include "epref_builder.h"
#include "support.h"
#include "turns.h"

#include <stdlib.h>

/* What functions are called with. */
typedef struct world {
    turns turns;
    ep_value values[TURN_VALUES];
    test_heap heap;
    ep_arena arena;
    ep_arena other;
    ep_error error;
    ep_builder *builder;
    bool finished;
    const ep_version *version;
    const ep_schema *schema;
    ep_type_info type;
    ep_member_info member;
    size_t struct_number;
    char text[EP_FLOAT_SIZE];
    ep_bytes input;
    ep_bytes config;
    ep_bytes name;
    ep_bytes value_name;
    ep_bytes digits;
    ep_bytes got;
    ep_decode_options decoding;
    ep_decode_options configuring;
    ep_check_options checking;
    ep_migrate_options migrating;
    ep_canon_options canon;
    ep_diff_options comparing;
    ep_diff_result result;
    ep_built built;
    const ep_program *program;
    const ep_program *again;
    const ep_program *both[2];
    ep_value root;
    ep_value string;
    ep_value dict;
    ep_value number_value;
    ep_signature *signature;
    ep_signature *opened;
    ep_signature_entry entry;
    ep_graph *read;
    ep_graph *reread;
    ep_graph_node read_node;
    ep_graph_node got_node;
    ep_tensor got_tensor;
    ep_built_graph *graph;
    ep_built_graph *subgraph;
    ep_dim dim;
    ep_tensor_info tensor;
    const ep_built_expr *expr;
    const ep_built_value *value;
    const ep_built_arg *argument;
    const ep_built_arg *symbolic;
    const ep_built_arg *ints;
    const ep_built_tree *leaf;
    ep_named_arg named;
    ep_node_info node;
    ep_call_info call;
    const char *key;
    int64_t number;
    double real;
    bool flag;
} world;

static void hear(void *context, const ep_finding *finding) {
    (void)context;
    (void)finding;
}

static bool sink(void *context, const char *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return true;
}

static bool open_other(world *w, ep_builder *builder) {
    return builder != NULL &&
           (ep_builder_finish(builder, &w->arena, EP_BUILD_TEXT, &w->built, NULL), true);
}

static bool finish(world *w, bool ok) {
    w->finished = w->turns.name == NULL || strcmp(w->turns.name, "builder") != 0;
    return ok;
}

/* ---------------------------------------------------------------------- the world */

static const ep_dim dims[] = {{2, NULL}};
static const ep_tensor_info vector = {.dtype = "FLOAT", .sizes = dims, .rank = 1};

/* A program whose one output is its one input, with a node, and its parts. */
static void make_program(world *w) {
    ep_builder *b = ep_builder_open(&w->arena, w->version, NULL);
    const ep_built_value *x = ep_build_tensor(b, ep_build_root(b), "x", &vector);
    const ep_built_value *y = ep_build_tensor(b, ep_build_root(b), "y", &vector);
    const ep_built_arg *arg = ep_arg_value(b, x);
    const ep_built_arg *result = ep_arg_value(b, y);
    const ep_named_arg self = {"self", arg, false};
    const ep_metadata_item item = {"key", EP_TEXT("text")};
    const ep_node_info relu = {.target = "torch.ops.aten.relu.default",
                               .inputs = &self,
                               .input_count = 1,
                               .outputs = &result,
                               .output_count = 1,
                               .metadata = &item,
                               .metadata_count = 1};
    ep_build_input(b, EP_INPUT_USER, arg, NULL);
    ep_build_node(b, ep_build_root(b), &relu);
    ep_build_output(b, EP_OUTPUT_USER, arg, NULL);
    CHECK(ep_builder_finish(b, &w->arena, EP_BUILD_CHECKED, &w->built, &w->error));
    w->input = w->built.text;
    w->program = w->built.program;
    w->both[0] = w->both[1] = w->program;
    w->root = ep_program_root(w->program);
    w->string = ep_value_field(w->root, "torch_version");
    w->dict = ep_value_field(w->root, "opset_version");
    w->number_value = ep_value_item(w->dict, 0);
    ep_value graph = ep_program_graph(w->program);
    ep_value nodes = ep_value_field(graph, "nodes");
    ep_value inputs = ep_value_field(graph, "inputs");
    const ep_value values[TURN_VALUES] = {{NULL, NULL, 0}, {w->program, NULL, 0},   w->string,
                                          w->dict,         w->number_value,         nodes,
                                          graph,           ep_value_item(inputs, 0)};
    memcpy(w->values, values, sizeof values);
    CHECK(ep_signature_open(w->program, &w->arena, &w->signature, NULL));
    CHECK(ep_graph_open(ep_program_graph(w->program), &w->arena, &w->read, NULL));
    CHECK(ep_graph_node_at(w->read, 0, &w->read_node));
    CHECK(ep_schema_open(&w->arena, w->version, &w->schema, NULL));
    while (ep_schema_type(w->schema, w->struct_number, &w->type) &&
           w->type.kind != EP_KIND_STRUCT) {
        w->struct_number++;
    }
}

/* A program in the making, and its parts. */
static void begin_program(world *w) {
    ep_builder *b = ep_builder_open(&w->arena, w->version, NULL);
    w->builder = b;
    w->graph = ep_build_root(b);
    w->subgraph = ep_build_subgraph(b);
    w->expr = ep_expr_symbol(b, "s0", &w->number);
    w->value = ep_build_tensor(b, w->graph, "x", &vector);
    w->argument = ep_arg_value(b, w->value);
    w->symbolic = ep_arg_value(b, ep_build_symbolic(b, w->graph, "i", w->expr));
    w->ints = ep_arg_ints(b, &w->number, 1);
    w->leaf = ep_tree_leaf(b);
    w->dim = dims[0];
    w->tensor = vector;
    w->tensor.sizes = &w->dim;
    w->tensor.has_device_index = true;
    w->named = (ep_named_arg){"self", w->argument, false};
    w->node = (ep_node_info){.target = "torch.ops.aten.relu.default",
                             .inputs = &w->named,
                             .input_count = 1,
                             .outputs = &w->argument,
                             .output_count = 1};
    w->call = (ep_call_info){.args = ep_tree_tuple(b, &w->leaf, 1), .out = w->leaf};
}

/* With a parameter NULL, or at one of its extremes, or neither. */
static void open_world(world *w, void *given, const char *name, size_t extreme) {
    (void)given;
    *w = (world){.turns = {.name = NULL}};
    test_arena(&w->arena, &w->heap, 0);
    test_arena(&w->other, &w->heap, 0);
    w->version = ep_version_find("8.20");
    w->number = 4;
    w->key = "key";
    w->name = EP_TEXT("name");
    w->value_name = EP_TEXT("x");
    w->digits = EP_TEXT("1.5");
    w->decoding = ep_decode_options_default();
    w->config = (ep_bytes){"{\"config\": {}}", 14};
    w->configuring = ep_decode_options_default();
    w->configuring.version = ep_version_find("latest");
    w->checking = ep_check_options_default();
    w->comparing = ep_diff_options_default();
    w->migrating = (ep_migrate_options){.version = w->version};
    make_program(w);
    begin_program(w);
    memset(&w->error, 0xEE, sizeof w->error);
    w->turns.name = name;
    w->turns.extreme = extreme;
}

/* Every byte is given back. Returns what building said in the end. */
static ep_code close_world(world *w) {
    ep_error error = {.code = EP_OK};
    ep_built built;
    if (!w->finished) {
        ep_builder_finish(w->builder, &w->arena, EP_BUILD_TEXT, &built, &error);
    }
    ep_arena_free(&w->arena);
    ep_arena_free(&w->other);
    CHECK_EQ_INT(w->heap.bytes, 0);
    return error.code;
}

/* --------------------------------------------------------------------- parameters */

#define TURN_ROWS "../interface/nulls.def"
#include "turn_rows.h"

static ep_code code_of(const char *function, const world *w) {
    (void)function;
    return w->error.code;
}

/* A refused NULL is told in words; a builder that was refused NULL is stuck. */
static bool close_turn(const turn_row *row, world *w) {
    const turns *t = &w->turns;
    bool building = turn_takes(t, "builder") && strcmp(row->function, "ep_builder_has") != 0;
    bool stuck = building && t->name != NULL && t->extreme == 0 &&
                 strcmp(t->name, "builder") != 0 && !turn_is_in(row->allowed, t->name);
    bool told = CHECK(t->extreme > 0 || w->error.code != EP_ARGUMENT || w->error.detail[0] != '\0');
    ep_code code = close_world(w);
    return (stuck && !w->finished ? CHECK_EQ_INT(code, EP_ARGUMENT)
                                  : CHECK(is_decided(code == EP_OK, code))) &&
           told;
}

/* ------------------------------------------------------------ extremes in structs */

#define NUMBERS                                                                                    \
    NUMBER(ep_check_wire, decoding.limits.bytes, size_t)                                           \
    NUMBER(ep_check_wire, decoding.limits.depth, size_t)                                           \
    NUMBER(ep_check_wire, decoding.limits.values, size_t)                                          \
    NUMBER(ep_check_wire, decoding.limits.string, size_t)                                          \
    NUMBER(ep_decode, decoding.limits.bytes, size_t)                                               \
    NUMBER(ep_decode, decoding.limits.depth, size_t)                                               \
    NUMBER(ep_decode, decoding.limits.values, size_t)                                              \
    NUMBER(ep_decode, decoding.limits.string, size_t)                                              \
    NUMBER(ep_decode_struct, configuring.limits.depth, size_t)                                     \
    NUMBER(ep_check, checking.level, ep_level)                                                     \
    NUMBER(ep_check, checking.limits.depth, size_t)                                                \
    NUMBER(ep_canon, canon.form, ep_canon_form)                                                    \
    NUMBER(ep_diff, comparing.limit, size_t)                                                       \
    NUMBER(ep_expr_symbol, number, int64_t)                                                        \
    NUMBER(ep_arg_device, number, int64_t)                                                         \
    NUMBER(ep_arg_ints, number, int64_t)                                                           \
    NUMBER(ep_build_node, node.returns, ep_node_returns)                                           \
    NUMBER(ep_build_tensor, dim.number, int64_t)                                                   \
    NUMBER(ep_build_tensor, tensor.device_index, int64_t)                                          \
    NUMBER(ep_build_tensor, tensor.storage_offset.number, int64_t)

typedef struct number_row {
    const char *function;
    const char *member;
} number_row;

#define NUMBER(function, member, type) {#function, #member},
static const number_row number_rows[] = {NUMBERS};
#undef NUMBER

static void set_number(world *w, size_t which, int64_t number) {
    size_t at = 0;
#define NUMBER(function, member, type)                                                             \
    if (at++ == which) {                                                                           \
        w->member = (type)number;                                                                  \
    }
    NUMBERS
#undef NUMBER
}

static const turn_row *row_of(const char *function) {
    size_t i = 0;
    while (strcmp(rows[i].function, function) != 0) {
        i++;
    }
    return &rows[i];
}

static void check_number(size_t which) {
    const number_row *number = &number_rows[which];
    const turn_row *row = row_of(number->function);
    for (size_t i = 0; i < EP_COUNT_OF(turn_numbers); i++) {
        world w;
        open_world(&w, NULL, NULL, 0);
        set_number(&w, which, turn_numbers[i]);
        w.turns.extreme = i + 1;
        check_turn(row, &w, number->member);
    }
}

/* -------------------------------------------------------------- what is in structs */

static bool node_with(const world *w, ep_node_info node) {
    node.target = "a.b";
    return ep_build_node(w->builder, w->graph, &node);
}

static bool tensor_with(const world *w, ep_tensor_info info) {
    return ep_build_tensor(w->builder, w->graph, "t", &info) != NULL;
}

/* The world's call, changed. */
static const ep_call_info *call_with(world *w, ep_call_info more) {
    w->call.arg_names = more.arg_names;
    w->call.arg_name_count = more.arg_name_count;
    w->call.input_count = more.input_count;
    w->call.output_count = more.output_count;
    return &w->call;
}

static const char *const no_name;
static const ep_bytes no_bytes = {NULL, 3};
static const ep_built_arg *const no_arg;
static const ep_built_value *const no_value;
static const ep_built_tree *const no_tree;

#define NODE(...) node_with(w, (ep_node_info){__VA_ARGS__})
#define INPUT(name, arg) NODE(.inputs = &(ep_named_arg){name, arg, false}, .input_count = 1)
#define ITEM(...) NODE(.metadata = &(ep_metadata_item){__VA_ARGS__}, .metadata_count = 1)

/* Calls with something NULL in what they are given: each says so. */
#define MEMBERS                                                                                    \
    MEMBER(target, ep_build_node(w->builder, w->graph, &(ep_node_info){.target = NULL}))           \
    MEMBER(inputs, NODE(.input_count = 1))                                                         \
    MEMBER(input_name, INPUT(NULL, w->argument))                                                   \
    MEMBER(input_arg, INPUT("self", NULL))                                                         \
    MEMBER(outputs, NODE(.output_count = 1))                                                       \
    MEMBER(output, NODE(.outputs = &no_arg, .output_count = 1))                                    \
    MEMBER(modules, NODE(.module_count = 1))                                                       \
    MEMBER(module, NODE(.modules = &(ep_module_frame){"a", NULL, "b"}, .module_count = 1))         \
    MEMBER(metadata, NODE(.metadata_count = 1))                                                    \
    MEMBER(metadata_key, ITEM(NULL, EP_TEXT("a")))                                                 \
    MEMBER(metadata_text, ITEM("key", {NULL, 3}))                                                  \
    MEMBER(stack_trace, NODE(.stack_trace = {NULL, 3}))                                            \
    MEMBER(dtype, tensor_with(w, (ep_tensor_info){.dtype = NULL}))                                 \
    MEMBER(sizes, tensor_with(w, (ep_tensor_info){.dtype = "FLOAT", .rank = 1}))                   \
    MEMBER(args, ep_build_call(w->builder, &(ep_call_info){.out = w->leaf}))                       \
    MEMBER(out, ep_build_call(w->builder, &(ep_call_info){.args = w->call.args}))                  \
    MEMBER(arg_name, ep_build_call(w->builder, call_with(w, (ep_call_info){.arg_names = &no_name,  \
                                                                           .arg_name_count = 1}))) \
    MEMBER(module_in,                                                                              \
           ep_build_module(w->builder, "sub", call_with(w, (ep_call_info){.input_count = 1})))     \
    MEMBER(module_out,                                                                             \
           ep_build_module(w->builder, "sub", call_with(w, (ep_call_info){.output_count = 1})))    \
    MEMBER(string, ep_arg_string(w->builder, no_bytes) != NULL)                                    \
    MEMBER(strings, ep_arg_strings(w->builder, &no_bytes, 1) != NULL)                              \
    MEMBER(guard, ep_build_guard(w->builder, no_bytes))                                            \
    MEMBER(tensors, ep_arg_tensors(w->builder, &no_value, 1) != NULL)                              \
    MEMBER(symbolic, ep_arg_symbolic_list(w->builder, &no_arg, 1) != NULL)                         \
    MEMBER(lists, ep_arg_lists(w->builder, &no_arg, 1) != NULL)                                    \
    MEMBER(dict_key, ep_arg_dict(w->builder, &no_name, &w->ints, 1) != NULL)                       \
    MEMBER(dict_item, ep_arg_dict(w->builder, &w->key, &no_arg, 1) != NULL)                        \
    MEMBER(tree_key, ep_tree_dict(w->builder, &no_name, &w->leaf, 1) != NULL)                      \
    MEMBER(tree_child, ep_tree_tuple(w->builder, &no_tree, 1) != NULL)

#define MEMBER(name, call)                                                                         \
    static bool member_##name(world *w) {                                                          \
        return (call);                                                                             \
    }
MEMBERS
#undef MEMBER

#define MEMBER(name, call) {#name, member_##name},
static const struct {
    const char *name;
    bool (*call)(world *w);
} built_cases[] = {MEMBERS};
#undef MEMBER

static void test_built(void) {
    for (size_t i = 0; i < EP_COUNT_OF(built_cases); i++) {
        world w;
        open_world(&w, NULL, NULL, 0);
        bool held = CHECK(!built_cases[i].call(&w));
        held = CHECK_EQ_INT(close_world(&w), EP_ARGUMENT) && held;
        if (!held) {
            fprintf(stderr, "    %s NULL\n", built_cases[i].name);
        }
    }
}

/* No builder, and something else that is refused. */
static void test_no_builder(void) {
    CHECK(ep_arg_operator(NULL, NULL) == NULL);
    CHECK(ep_expr_text(NULL, EP_KIND_STR, "s0") == NULL);
}

/* A number that is none of an enum's, as an option has it: an error, and what it says. */
static void test_enums(void) {
    static const int strangers[] = {-1, 99};
    for (size_t i = 0; i < EP_COUNT_OF(strangers); i++) {
        world w;
        open_world(&w, NULL, NULL, 0);
        w.checking.level = (ep_level)strangers[i];
        CHECK(!ep_check(w.program, &w.arena, &w.checking, &w.error));
        CHECK(w.error.code == EP_ARGUMENT && w.error.detail[0] != '\0');
        w.canon.form = (ep_canon_form)strangers[i];
        CHECK(!ep_canon(w.program, &w.arena, &w.canon, &w.built, &w.error));
        CHECK(w.error.code == EP_ARGUMENT && w.error.detail[0] != '\0');
        w.node.returns = (ep_node_returns)strangers[i];
        CHECK(!ep_build_node(w.builder, w.graph, &w.node));
        CHECK_EQ_INT(close_world(&w), EP_ARGUMENT);
        open_world(&w, NULL, NULL, 0);
        CHECK(!ep_builder_finish(w.builder, &w.arena, (ep_build_goal)strangers[i], &w.built,
                                 &w.error));
        w.finished = true;
        CHECK(w.error.code == EP_ARGUMENT && w.built.text.size == 0);
        close_world(&w);
    }
}

/* A version that was not found is told as that. */
static void test_not_found(void) {
    world w;
    open_world(&w, NULL, NULL, 0);
    CHECK(ep_builder_open(&w.other, ep_version_find("9.99"), &w.error) == NULL);
    CHECK_EQ_INT(w.error.code, EP_ARGUMENT);
    CHECK_EQ_STR(w.error.detail, strlen(w.error.detail), "no schema version");
    ep_value none = ep_value_field(ep_value_field(w.root, "no such field"), "nor this");
    CHECK(ep_value_kind(none) == EP_KIND_NULL && ep_value_count(none) == 0);
    CHECK(!ep_graph_open(none, &w.arena, &w.reread, &w.error) && w.reread == NULL);
    CHECK(w.error.code == EP_ARGUMENT && w.error.detail[0] != '\0');
    CHECK_EQ_INT(close_world(&w), EP_OK);
}

/* The others: an error at once. */
static void test_members(void) {
    const ep_bytes nowhere = {NULL, 3};
    world w;
    open_world(&w, NULL, NULL, 0);
    const ep_program *first[2] = {NULL, w.program};
    const ep_program *second[2] = {w.program, NULL};
    CHECK(!ep_decode(&w.arena, nowhere, NULL, &w.again, &w.error) && w.error.code == EP_ARGUMENT);
    CHECK(w.again == NULL);
    CHECK(!ep_check_wire(&w.arena, nowhere, NULL, &w.error) && w.error.code == EP_ARGUMENT);
    w.migrating.version = NULL;
    CHECK(!ep_migrate(w.program, &w.arena, &w.migrating, &w.built, &w.error));
    CHECK(w.error.code == EP_ARGUMENT && w.built.program == NULL);
    CHECK(!ep_diff(first, &w.arena, NULL, &w.result, &w.error) && w.error.code == EP_ARGUMENT);
    CHECK(!ep_diff(second, &w.arena, NULL, &w.result, &w.error) && w.error.code == EP_ARGUMENT);
    w.canon = (ep_canon_options){.form = EP_CANON_TORCH, .constant_count = 1};
    CHECK(!ep_canon(w.program, &w.arena, &w.canon, &w.built, &w.error));
    CHECK(w.error.code == EP_ARGUMENT);
    w.canon.constants = &nowhere;
    CHECK(!ep_canon(w.program, &w.arena, &w.canon, &w.built, &w.error));
    CHECK(w.error.code == EP_ARGUMENT);
    CHECK(!ep_float_read(nowhere, &w.real) && !ep_float_read((ep_bytes){NULL, 0}, &w.real));
    CHECK_EQ_INT(ep_signature_replace_all_uses(w.signature, (ep_bytes){NULL, 1}, w.name), 0);
    CHECK_EQ_INT(ep_signature_replace_all_uses(w.signature, w.value_name, nowhere), 0);
    CHECK_EQ_INT(ep_signature_replace_all_uses(w.signature, w.value_name, EP_TEXT("")), 0);
    CHECK_EQ_INT(ep_signature_part_of(w.signature, (ep_signature_part)99, NULL, 0), 0);
    CHECK_EQ_INT(ep_signature_part_of(w.signature, EP_PART_USER_INPUTS, NULL, 0), 1);
    CHECK(ep_schema_member_type(w.schema, w.struct_number, 0, NULL, 0) > 0);
    close_world(&w);
}

/* An arena that has nobody to ask gives nothing. */
static void test_arena_of_nobody(void) {
    const ep_allocator halves[] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}, {NULL, NULL, NULL}};
    ep_allocator some[EP_COUNT_OF(halves)];
    world w;
    open_world(&w, NULL, NULL, 0);
    memcpy(some, halves, sizeof some);
    some[1].allocate = w.arena.allocator.allocate;
    some[2].release = w.arena.allocator.release;
    for (size_t i = 0; i <= EP_COUNT_OF(some); i++) {
        ep_arena arena;
        ep_arena_init(&arena, i < EP_COUNT_OF(some) ? &some[i] : NULL, 0);
        CHECK(!ep_decode(&arena, w.input, NULL, &w.again, &w.error));
        CHECK_EQ_INT(w.error.code, EP_MEMORY);
        CHECK_EQ_INT(ep_arena_peak(&arena), 0);
        ep_arena_free(&arena);
    }
    close_world(&w);
}

int main(void) {
    check_rows(NULL);
    for (size_t i = 0; i < EP_COUNT_OF(number_rows); i++) {
        check_number(i);
    }
    test_built();
    test_no_builder();
    test_enums();
    test_not_found();
    test_members();
    test_arena_of_nobody();
    return check_report();
}
