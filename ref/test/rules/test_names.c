/*
 * test_names.c - lists of names: which kinds of values may be in one, as the signature
 * of the operator that takes it decides (SPEC 5.1.7, 5.6.6); and inputs that are constants
 * or names of numbers, and what the signature says of them (SPEC 5.3).
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

#define SYM_NAME(name) "{\"as_sym_int\": {\"as_name\": \"" name "\"}}"
#define SYM_NUMBER(n) "{\"as_sym_int\": {\"as_int\": " n "}}"
#define USER(arg) "{\"user_input\": {\"arg\": " arg "}}"
#define PARAMETER(name)                                                                            \
    "{\"parameter\": {\"arg\": {\"name\": \"" name "\"}, \"parameter_name\": \"w\"}}"
#define INT(n) "{\"as_int\": " n "}"

/* The lowest code is that of the place, and the rules before it find nothing. */
static void test_specs(void) {
    static const struct {
        const char *input, *spec;
        ep_code code;
    } specs[] = {
        {INT("3"), USER(INT("3")), EP_OK},
        {INT("3"), USER(INT("4")), EP_SIGNATURE_INPUT},
        {INT("3"), USER(TENSOR("x")), EP_SIGNATURE_INPUT},
        {INT("3"), PARAMETER("x"), EP_SIGNATURE_INPUT},
        {SYM_NUMBER("3"), USER(SYM_NUMBER("3")), EP_INPUT_KIND},
        {SYM_NUMBER("3"), USER(SYM_NAME("n")), EP_INPUT_KIND},
        {"{\"as_ints\": [3]}", USER("{\"as_ints\": [3]}"), EP_INPUT_KIND},
        {SYM_NAME("n"), USER(SYM_NUMBER("3")), EP_SIGNATURE_INPUT},
        {SYM_NAME("n"), PARAMETER("n"), EP_SIGNATURE_INPUT},
        {SYM_NAME("n"), "{\"constant_input\": {\"name\": \"n\", \"value\": " INT("3") "}}",
         EP_SIGNATURE_INPUT},
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        bool symbol = strstr(specs[i].input, "as_name") != NULL;
        char list[2][256], spec[256];
        test_text text = {0};
        ep_error error;
        snprintf(list[0], sizeof list[0], "[%s]", specs[i].input);
        snprintf(list[1], sizeof list[1], "[{\"user_output\": {\"arg\": %s}}]", specs[i].input);
        snprintf(spec, sizeof spec, "[%s]", specs[i].spec);
        const test_hole holes[] = {
            {"Graph.inputs", list[0]},
            {"Graph.outputs", list[0]},
            {"Graph.sym_int_values", symbol ? "{\"n\": {\"as_int\": 3}}" : "{}"},
            {"GraphSignature.input_specs", spec},
            {"GraphSignature.output_specs", list[1]},
            {NULL, NULL}};
        test_whole(&text, "8.20", 1, 1, holes);
        if (!CHECK_EQ_INT(test_check(test_text_exact(&text), NULL, &error), specs[i].code)) {
            fprintf(stderr, "    %s: %s\n", specs[i].spec, ep_code_name(error.code));
        }
        test_text_free(&text);
    }
}

int main(void) {
    test_arguments();
    test_outputs();
    test_specs();
    return check_report();
}
