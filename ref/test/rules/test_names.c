/*
 * test_names.c - lists of names: which kinds of values may be in one, as the signature
 * of the operator that takes it decides (SPEC 5.1.7, 5.6.6).
 */
#include "check.h"
#include "whole.h"

#define GIVEN(name, arg) "{\"name\": \"" name "\", \"arg\": " arg "}"
#define CALL(target, inputs, outputs)                                                              \
    "{\"target\": \"" target "\", \"inputs\": [" inputs "], \"outputs\": [" outputs                \
    "], \"metadata\": {}}"
#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define LISTED(name) "{\"as_tensors\": [{\"name\": \"" name "\"}]}"
#define NONE "{\"as_none\": true}"
#define TEXT(text) "{\"as_string\": \"" text "\"}"

/* An integer n, a float q and a tensor t. */
#define VALUES                                                                                     \
    CALL("torch.ops.my.values.default", "",                                                        \
         "{\"as_sym_int\": {\"as_name\": \"n\"}}, {\"as_sym_float\": {\"as_name\": \"q\"}}, "      \
         "" TENSOR("t"))

#define CAT(name, list) CALL("torch.ops.aten.cat.default", GIVEN(name, list), NONE)
#define SCALARS(list)                                                                              \
    CALL("torch.ops.aten._foreach_add_.ScalarList",                                                \
         GIVEN("self", "{\"as_tensors\": []}") ", " GIVEN("scalars", list), "")
#define LINEAR(list)                                                                               \
    CALL("torch.ops.mkldnn._linear_pointwise.default",                                             \
         GIVEN("X", TENSOR("t")) ", " GIVEN("W", TENSOR("t")) ", " GIVEN("B", NONE) ", " GIVEN(    \
             "attr", TEXT("none")) ", " GIVEN("scalars", list) ", " GIVEN("algorithm", NONE),      \
         NONE)
#define REDUCE(group)                                                                              \
    CALL("torch.ops._c10d_functional.all_reduce.default",                                          \
         GIVEN("input", TENSOR("t")) ", " GIVEN("reduce_op", TEXT("sum")) ", " GIVEN("group_name", \
                                                                                     group),       \
         NONE)

typedef struct row {
    const char *node; /* behind the one that makes the values */
    ep_code code;
} row;

static const row rows[] = {
    {CAT("tensors", LISTED("t")), EP_OK},
    {CAT("tensors", LISTED("n")), EP_VALUE_KIND},
    {CAT("tensors", LISTED("u")), EP_VALUE_UNDEFINED},
    /* an argument that the operator has not */
    {CAT("nothing", LISTED("t")), EP_OPERATOR_ARGUMENT},
    {CAT("nothing", LISTED("n")), EP_VALUE_KIND},
    /* an operator without a signature, and one that there is not */
    {CALL("torch.ops.my.f.default", GIVEN("x", LISTED("n")), ""), EP_OK},
    {CALL("torch.ops.aten.nothing.default", GIVEN("x", LISTED("n")), ""), EP_OPERATOR},
    /* List[number] */
    {SCALARS(LISTED("n")), EP_OK},
    {SCALARS(LISTED("q")), EP_OK},
    {SCALARS(LISTED("t")), EP_OPERATOR_TYPE},
    {SCALARS(LISTED("u")), EP_VALUE_UNDEFINED},
    /* List[Optional[number]] */
    {LINEAR(LISTED("n")), EP_OK},
    {LINEAR(LISTED("t")), EP_OPERATOR_TYPE},
    /* Any */
    {REDUCE(LISTED("n")), EP_OK},
    {REDUCE(LISTED("t")), EP_OK},
};

static ep_code check_with(const char *node, const char *outputs, ep_error *error) {
    test_text nodes = {0};
    test_text text = {0};
    test_add_str(&nodes, "[" VALUES ", ");
    test_add_str(&nodes, node);
    test_add(&nodes, "]", 2);
    const test_hole holes[] = {{"Graph.nodes", nodes.data},
                               {"Graph.outputs", outputs},
                               {"Graph.tensor_values", "{\"t\": " META_OF("2") "}"},
                               {"Graph.sym_int_values", "{\"n\": {\"as_int\": 1}}"},
                               {"Graph.sym_float_values", "{\"q\": {\"as_float\": 1.0}}"},
                               {NULL, NULL}};
    test_whole(&text, "8.20", 0, 0, holes);
    ep_code code = test_check(test_text_exact(&text), NULL, error);
    test_text_free(&text);
    test_text_free(&nodes);
    return code;
}

static void test_arguments(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ep_error error;
        if (!CHECK_EQ_INT(check_with(rows[i].node, "[]", &error), rows[i].code)) {
            fprintf(stderr, "    %s: %s at %s\n", rows[i].node, ep_code_name(error.code),
                    error.pointer);
        }
    }
}

/* No operator takes what a graph returns: a list of tensors has tensors. */
static void test_outputs(void) {
    ep_error error;
    CHECK_EQ_INT(check_with(CAT("tensors", LISTED("t")), "[" LISTED("n") "]", &error),
                 EP_VALUE_KIND);
}

int main(void) {
    test_arguments();
    test_outputs();
    return check_report();
}
