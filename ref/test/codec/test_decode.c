/*
 * test_decode.c - the schema level: rows of a version, a field of an otherwise
 * empty program, what stands there with an @ before the offending byte, the
 * code, and the pointer below that field. SPEC part 3, 1.5.
 */
#include "check.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct decode_row {
    const char *version;
    const char *field; /* "Graph.inputs"; NULL: text is the whole document */
    const char *text;
    ep_code code;
    const char *pointer; /* after the field's own */
} decode_row;

static const decode_row scalars[] = {
    {"8.20", "Graph.inputs", "[{\"as_int\": 1}, {\"as_int\": -9223372036854775808}]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_int\": 9223372036854775807}]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_int\": @9223372036854775808}]", EP_INT_RANGE, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @-9223372036854775809}]", EP_INT_RANGE, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @1.0}]", EP_INT_FORM, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @1e3}]", EP_INT_FORM, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @1E3}]", EP_INT_FORM, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @-0}]", EP_INT_FORM, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @-0.0}]", EP_INT_FORM, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": 0@1}]", EP_NUMBER, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": -@}]", EP_NUMBER, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_ints\": [1, 2.@]}]", EP_NUMBER, "/0/as_ints/1"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @true}]", EP_TYPE, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @\"1\"}]", EP_TYPE, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @[1]}]", EP_TYPE, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @{}}]", EP_TYPE, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @null}]", EP_NULL, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": @NaN}]", EP_NONFINITE, "/0/as_int"},
    {"7.3", "Graph.inputs", "[{\"as_int\": @NaN}]", EP_NONFINITE, "/0/as_int"},
    {"7.3", "Graph.inputs", "[{\"as_int\": @-Infinity}]", EP_NONFINITE, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": 1234}, {\"as_int\": 12345}, {\"as_int\": 0}]", EP_OK,
     ""},
    {"8.20", "Graph.inputs", "[{\"as_ints\": [1, 22, 333, 4444, 55555, -6]}]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_ints\": [1, @2.5]}]", EP_INT_FORM, "/0/as_ints/1"},
    {"8.20", "Graph.inputs", "[{\"as_ints\": [1, @null]}]", EP_NULL, "/0/as_ints/1"},

    {"8.20", "Graph.inputs", "[{\"as_float\": 1}, {\"as_float\": -0}, {\"as_float\": 1e308}]",
     EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_float\": @1e309}]", EP_FLOAT_RANGE, "/0/as_float"},
    {"8.20", "Graph.inputs", "[{\"as_float\": @-1e400}]", EP_FLOAT_RANGE, "/0/as_float"},
    {"8.20", "Graph.inputs", "[{\"as_float\": 1e-400}]", EP_OK, ""},
    {"8.20", "Graph.inputs",
     "[{\"as_float\": \"Infinity\"}, {\"as_float\": \"-Infinity\"}, {\"as_float\": \"NaN\"}]",
     EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_float\": \"\\u004eaN\"}]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_float\": @\"-NaN\"}]", EP_FLOAT_STRING, "/0/as_float"},
    {"8.20", "Graph.inputs", "[{\"as_float\": @\"inf\"}]", EP_FLOAT_STRING, "/0/as_float"},
    {"8.20", "Graph.inputs", "[{\"as_float\": @\"1.0\"}]", EP_FLOAT_STRING, "/0/as_float"},
    {"8.20", "Graph.inputs", "[{\"as_float\": @Infinity}]", EP_NONFINITE, "/0/as_float"},
    {"8.20", "Graph.inputs", "[{\"as_float\": @true}]", EP_TYPE, "/0/as_float"},
    {"8.20", "Graph.inputs", "[{\"as_float\": @{}}]", EP_TYPE, "/0/as_float"},
    {"8.8", "Graph.inputs", "[{\"as_float\": \"Infinity\"}, {\"as_float\": \"-Infinity\"}]", EP_OK,
     ""},
    {"8.8", "Graph.inputs", "[{\"as_float\": @\"NaN\"}]", EP_FLOAT_STRING, "/0/as_float"},
    {"8.2", "Graph.inputs", "[{\"as_floats\": [Infinity, -Infinity, NaN]}]", EP_OK, ""},
    {"8.2", "Graph.inputs", "[{\"as_float\": @\"Infinity\"}]", EP_FLOAT_STRING, "/0/as_float"},
    {"8.2", "Graph.inputs", "[{\"as_float\": @true}]", EP_TYPE, "/0/as_float"},
    {"8.2", "Graph.inputs", "[{\"as_float\": @null}]", EP_NULL, "/0/as_float"},
    {"8.2", "Graph.inputs", "[{\"as_float\": @[]}]", EP_TYPE, "/0/as_float"},
    {"8.2", "Graph.inputs", "[{\"as_float\": nul@}]", EP_SYNTAX, "/0/as_float"},

    {"8.20", "Graph.inputs", "[{\"as_bool\": true}, {\"as_bool\": false}]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_bool\": @1}]", EP_TYPE, "/0/as_bool"},
    {"8.20", "Graph.inputs", "[{\"as_bool\": @\"true\"}]", EP_TYPE, "/0/as_bool"},
    {"8.20", "Graph.inputs", "[{\"as_bool\": @NaN}]", EP_NONFINITE, "/0/as_bool"},
    {"8.20", "Graph.inputs", "[{\"as_bool\": @True}]", EP_SYNTAX, "/0/as_bool"},
    {"8.20", "Graph.inputs", "[{\"as_bool\": @null}]", EP_NULL, "/0/as_bool"},

    {"8.20", "Graph.inputs", "[{\"as_string\": \"\\u0000\\ud83d\\ude00\"}]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_string\": @1}]", EP_TYPE, "/0/as_string"},
    {"8.20", "Graph.inputs", "[{\"as_string\": \"@\\ud800\"}]", EP_SURROGATE, "/0/as_string"},
    {"8.20", "Graph.inputs", "[{\"as_string\": \"@\xFF\"}]", EP_UTF8, "/0/as_string"},

    {"8.20", "Graph.inputs", "[{\"as_none\": true}]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_none\": @false}]", EP_UNIT, "/0/as_none"},
    {"8.20", "Graph.inputs", "[{\"as_none\": @[]}]", EP_TYPE, "/0/as_none"},
    {"8.20", "Graph.inputs", "[{\"as_none\": @null}]", EP_NULL, "/0/as_none"},
    {"7.3", "Graph.inputs", "[{\"as_none\": []}, {\"as_none\": [ \n ]}]", EP_OK, ""},
    {"7.3", "Graph.inputs", "[{\"as_none\": @[1]}]", EP_UNIT, "/0/as_none"},
    {"7.3", "Graph.inputs", "[{\"as_none\": @true}]", EP_TYPE, "/0/as_none"},
    {"7.3", "Graph.inputs", "[{\"as_none\": @{}}]", EP_TYPE, "/0/as_none"},

    {"8.20", "Graph.inputs", "[{\"as_scalar_type\": 35}, {\"as_memory_format\": 4}]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_scalar_type\": @36}]", EP_UNKNOWN_ENUM, "/0/as_scalar_type"},
    {"8.20", "Graph.inputs", "[{\"as_scalar_type\": @-1}]", EP_UNKNOWN_ENUM, "/0/as_scalar_type"},
    {"8.20", "Graph.inputs", "[{\"as_scalar_type\": @14}]", EP_ENUM_VERSION, "/0/as_scalar_type"},
    {"8.19", "Graph.inputs", "[{\"as_scalar_type\": @35}]", EP_ENUM_VERSION, "/0/as_scalar_type"},
    {"8.20", "Graph.inputs", "[{\"as_scalar_type\": @7.0}]", EP_INT_FORM, "/0/as_scalar_type"},
    {"8.20", "Graph.inputs", "[{\"as_scalar_type\": @\"FLOAT\"}]", EP_TYPE, "/0/as_scalar_type"},
    {"8.20", "Graph.inputs", "[{\"as_layout\": @8}]", EP_UNKNOWN_ENUM, "/0/as_layout"},

    {"1", "Graph.constants", "{\"a\": \"\", \"b\": \"AA==\", \"c\": \"AAA=\", \"d\": \"+/09\"}",
     EP_OK, ""},
    {"1", "Graph.constants", "{\"a\": \"\\u0041\\u0041==\"}", EP_OK, ""},
    {"1", "Graph.constants", "{\"a\": @\"A\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"AA\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"AB==\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"AAB=\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"A===\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"====\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"=AAA\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"AA==AAAA\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"AA A\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"AA-_\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @\"AAA\\u00e9\"}", EP_BASE64, "/a"},
    {"1", "Graph.constants", "{\"a\": @5}", EP_TYPE, "/a"},
};

static const decode_row ranges[] = {
    {"7.3", "ExportedProgram.range_constraints",
     "{\"s0\": {\"min_val\": -Infinity, \"max_val\": Infinity}}", EP_OK, ""},
    {"7.3", "ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": 2, \"max_val\": 10}}",
     EP_OK, ""},
    {"7.3", "ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": @NaN, \"max_val\": 10}}",
     EP_NONFINITE, "/s0/min_val"},
    {"7.3", "ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": @null, \"max_val\": 1}}",
     EP_NULL, "/s0/min_val"},
    {"7.3", "ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": @true, \"max_val\": 1}}",
     EP_TYPE, "/s0/min_val"},
    {"7.3", "ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": @\"1\", \"max_val\": 1}}",
     EP_TYPE, "/s0/min_val"},
    {"7.3", "ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": @1.0, \"max_val\": 1}}",
     EP_INT_FORM, "/s0/min_val"},
    {"7.3", "ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": @{}, \"max_val\": 1}}",
     EP_TYPE, "/s0/min_val"},
    {"5.3", "ExportedProgram.range_constraints",
     "{\"s0\": {\"min_val\": 0, \"max_val\": @Infinity}}", EP_NONFINITE, "/s0/max_val"},
    {"8.2", "ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": null, \"max_val\": 5}}",
     EP_OK, ""},
    {"8.2", "ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": 1@}}", EP_MISSING_FIELD,
     "/s0"},
};

static const decode_row objects[] = {
    {"8.20", "GraphModule.metadata", "@[]", EP_TYPE, ""},
    {"8.20", "GraphModule.metadata", "@null", EP_NULL, ""},
    {"8.20", "GraphModule.metadata", "@\"\"", EP_TYPE, ""},
    {"8.20", "GraphModule.metadata", "{\"a\": \"1\", @\"a\": \"2\"}", EP_DUPLICATE_KEY, "/a"},
    {"8.20", "GraphModule.metadata", "{\"a\": \"1\", \"b\": \"\", @\"\\u0061\": \"2\"}",
     EP_DUPLICATE_KEY, "/a"},
    {"8.20", "GraphModule.metadata", "{\"a\": @1}", EP_TYPE, "/a"},
    {"8.20", "GraphModule.metadata", "{\"a\": @null}", EP_NULL, "/a"},
    {"8.20", "GraphModule.metadata", "{\"a\": \"\",@}", EP_SYNTAX, ""},
    {"8.20", "GraphModule.metadata", "{\"a\": \"\" @\"b\": \"\"}", EP_SYNTAX, ""},
    {"8.20", "GraphModule.metadata", "{\"a\" @\"\"}", EP_SYNTAX, "/a"},
    {"8.20", "GraphModule.metadata", "{@a: \"\"}", EP_SYNTAX, ""},
    {"8.20", "Graph.nodes", "@{}", EP_TYPE, ""},
    {"8.20", "Graph.nodes", "[@1]", EP_TYPE, "/0"},
    {"8.20", "Graph.nodes", "[@[]]", EP_TYPE, "/0"},
    {"8.20", "Graph.nodes", "[@null]", EP_NULL, "/0"},
    {"8.20", "Graph.nodes", "[@,]", EP_SYNTAX, ""},
    {"8.20", "Graph.nodes", "[{@}]", EP_MISSING_FIELD, "/0"},
    {"8.20", "Graph.nodes",
     "[{\"target\": \"a\", \"inputs\": [], \"outputs\": [], \"metadata\": {}}]", EP_OK, ""},
    {"8.20", "Graph.nodes",
     "[{\"metadata\": {}, \"outputs\": [], \"target\": \"a\", \"inputs\": []}]", EP_OK, ""},
    {"8.20", "Graph.nodes",
     "[ { \"metadata\" : { } , \"outputs\" : [ ] , \"target\" : \"a\" , \"inputs\" : [ ] } ]",
     EP_OK, ""},
    {"8.20", "Graph.nodes",
     "[{\"t\\u0061rget\": \"a\", \"inputs\": [], \"outputs\": [], \"metadata\": {}}]", EP_OK, ""},
    {"8.20", "Graph.nodes",
     "[{\"target\": \"a\", \"inputs\": [], \"outputs\": [], \"metadata\": {}, \"name\": null, "
     "\"is_hop_single_tensor_return\": null}]",
     EP_OK, ""},
    {"8.20", "Graph.nodes", "[{\"target\": \"a\", \"inputs\": [], \"outputs\": []@}]",
     EP_MISSING_FIELD, "/0"},
    {"8.20", "Graph.nodes",
     "[{\"target\": \"a\", \"inputs\": [], \"outputs\": [], @\"metadatum\": {}}]", EP_UNKNOWN_FIELD,
     "/0/metadatum"},
    {"8.15", "Graph.nodes",
     "[{\"target\": \"a\", \"inputs\": [], \"outputs\": [], \"metadata\": {}, @\"name\": null}]",
     EP_FIELD_VERSION, "/0/name"},
    {"8.20", "Graph.nodes",
     "[{\"target\": \"a\", @\"target\": \"a\", \"inputs\": [], \"outputs\": []}]", EP_DUPLICATE_KEY,
     "/0/target"},
    {"8.20", "Graph.nodes", "[{\"target\": \"a\", @\"targ\\u0065t\": \"a\"}]", EP_DUPLICATE_KEY,
     "/0/target"},
    {"8.20", "Graph.nodes", "[{\"target\": \"a\",@}]", EP_SYNTAX, "/0"},
    {"8.20", "Graph.nodes", "[{@1: 2}]", EP_SYNTAX, "/0"},
    {"8.20", "Graph.nodes",
     "[{@\"a-name-that-is-longer-than-any-name-that-any-version-has-ever-had-and-that-does-not-"
     "fit-into-a-buffer-even-when-every-character-of-it-would-be-escaped-and-so-on-and-so-on-"
     "and-so-on-and-so-on-and-so-on-until-two-hundred-and-forty-bytes-are-full\": 1}]",
     EP_UNKNOWN_FIELD, ""},
    {"8.20", "Graph.nodes",
     "[{@\"\\u0061-name-that-is-longer-than-any-name-that-any-version-has-ever-had-and-that-does-"
     "not-fit-into-a-buffer-even-when-every-character-of-it-would-be-escaped-and-so-on-and-so-on-"
     "and-so-on-and-so-on-and-so-on-until-two-hundred-and-forty-bytes-are-full\": 1}]",
     EP_UNKNOWN_FIELD, ""},
    {"8.20", "Graph.tensor_values", "{\"x\": {\"dtype\": 7, @\"d\": 1}}", EP_UNKNOWN_FIELD, "/x/d"},
    {"8.20", "ExportedProgram.verifiers", "[\"a\", @1]", EP_TYPE, "/1"},
    {"8.20", "Graph.is_single_tensor_return", "@null", EP_NULL, ""},
};

static const decode_row unions[] = {
    {"8.20", "Graph.inputs", "[@5]", EP_TYPE, "/0"},
    {"8.20", "Graph.inputs", "[{@}]", EP_NO_TAG, "/0"},
    {"8.20", "Graph.inputs", "[{ @}]", EP_NO_TAG, "/0"},
    {"8.20", "Graph.inputs", "[{@\"as_nothing\": 1}]", EP_UNKNOWN_TAG, "/0/as_nothing"},
    {"8.18", "Graph.inputs", "[{@\"as_float_lists\": []}]", EP_TAG_VERSION, "/0/as_float_lists"},
    {"8.20", "Graph.inputs", "[{\"as_int\": 1, @\"as_bool\": true}]", EP_SECOND_TAG, "/0/as_bool"},
    {"8.20", "Graph.inputs", "[{\"as_int\": 1, @\"nonsense\": true}]", EP_SECOND_TAG,
     "/0/nonsense"},
    {"8.20", "Graph.inputs", "[{\"as_int\": 1, @\"as_int\": 2}]", EP_DUPLICATE_KEY, "/0/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int\": 1,@}]", EP_SYNTAX, "/0"},
    {"8.20", "Graph.inputs", "[{ \"as_int\" : 1 }, {\"\\u0061s_int\": 2}]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_tensor\": {\"name\": \"x\"} }]", EP_OK, ""},
    {"8.20", "Graph.inputs", "[{\"as_optional_tensors\": [{\"as_none\": true}, {@}]}]", EP_NO_TAG,
     "/0/as_optional_tensors/1"},
    {"8.20", "Graph.inputs", "[{\"as_string_to_argument\": {\"k\": {\"as_int\": @null}}}]", EP_NULL,
     "/0/as_string_to_argument/k/as_int"},
    {"8.20", "Graph.inputs", "[{\"as_int_lists\": [[1], [], [2, @\"3\"]]}]", EP_TYPE,
     "/0/as_int_lists/2/1"},

    {"3.1", "Graph.inputs", "[{\"$type\": \"as_int\", \"$value\": 1}]", EP_OK, ""},
    {"3.1", "Graph.inputs", "[ { \"\\u0024type\" : \"as_int\" , \"$value\" : 1 } ]", EP_OK, ""},
    {"3.1", "Graph.inputs", "[{@}]", EP_NO_TAG, "/0"},
    {"3.1", "Graph.inputs", "[{\"$type\": \"as_int\"@}]", EP_NO_TAG, "/0"},
    {"3.1", "Graph.inputs", "[{\"$type\": \"as_int\", @\"value\": 1}]", EP_UNKNOWN_TAG, "/0/value"},
    {"3.1", "Graph.inputs", "[{@\"$value\": 1, \"$type\": \"as_int\"}]", EP_UNKNOWN_TAG,
     "/0/$value"},
    {"3.1", "Graph.inputs", "[{@\"as_int\": 1}]", EP_UNKNOWN_TAG, "/0/as_int"},
    {"3.1", "Graph.inputs", "[{\"$type\": @\"as_nothing\", \"$value\": 1}]", EP_UNKNOWN_TAG,
     "/0/$type"},
    {"3.1", "Graph.inputs", "[{\"$type\": @\"as_operator\", \"$value\": \"x\"}]", EP_TAG_VERSION,
     "/0/$type"},
    {"3.1", "Graph.inputs", "[{\"$type\": @5, \"$value\": \"x\"}]", EP_TYPE, "/0/$type"},
    {"3.1", "Graph.inputs", "[{\"$type\": \"as_int\", \"$value\": @null}]", EP_NULL, "/0/$value"},
    {"3.1", "Graph.inputs", "[{\"$type\": \"as_int\", \"$value\": @\"1\"}]", EP_TYPE, "/0/$value"},
    {"3.1", "Graph.inputs", "[{\"$type\": \"as_int\", \"$value\": 1, @\"x\": 2}]", EP_SECOND_TAG,
     "/0/x"},
    {"3.1", "Graph.inputs", "[{\"$type\": \"as_int\", \"$value\": 1,@}]", EP_SYNTAX, "/0"},
    {"3.1", "Graph.inputs", "[{@1}]", EP_SYNTAX, "/0"},
    {"3.1", "Graph.inputs", "[{\"$type\" @1}]", EP_SYNTAX, "/0/$type"},

    {"1", "Graph.sym_int_values", "{\"s\": {\"as_expr\": null, \"as_int\": 1}}", EP_OK, ""},
    {"1", "Graph.sym_int_values", "{\"s\": {\"as_int\": 1, \"as_expr\": null}}", EP_OK, ""},
    {"1", "Graph.sym_int_values", "{\"s\": {\"as_expr\": null, \"as_int\": null@}}", EP_NO_TAG,
     "/s"},
    {"1", "Graph.sym_int_values", "{\"s\": {\"as_int\": 1@}}", EP_MISSING_FIELD, "/s"},
    {"1", "Graph.sym_int_values", "{\"s\": {@}}", EP_MISSING_FIELD, "/s"},
    {"1", "Graph.sym_int_values",
     "{\"s\": {\"as_expr\": {\"expr_str\": \"\", \"hint\": null}, \"as_int\": @1}}", EP_SECOND_TAG,
     "/s/as_int"},
    {"1", "Graph.sym_int_values", "{\"s\": {\"as_expr\": null, @\"as_bool\": null}}",
     EP_UNKNOWN_TAG, "/s/as_bool"},
    {"1", "Graph.sym_int_values", "{\"s\": {\"as_expr\": n@il, \"as_int\": 1}}", EP_SYNTAX,
     "/s/as_expr"},
    {"1", "Graph.sym_int_values", "{\"s\": {\"as_expr\": null, @\"as_expr\": null}}",
     EP_DUPLICATE_KEY, "/s/as_expr"},
    {"1", "GraphSignature.backward_signature",
     "{\"gradients_to_parameters\": {}, \"gradients_to_user_inputs\": {}, \"loss_output\": \"l\"}",
     EP_OK, ""},

    {"1", "ExportedProgram.equality_constraints", "[[[\"a\", 1], [\"b\", 2]]]", EP_OK, ""},
    {"1", "ExportedProgram.equality_constraints", "[[@]]", EP_TUPLE_LENGTH, "/0"},
    {"1", "ExportedProgram.equality_constraints", "[[[\"a\", 1]@]]", EP_TUPLE_LENGTH, "/0"},
    {"1", "ExportedProgram.equality_constraints", "[[[\"a\", 1], [\"b\", 2], @[\"c\", 3]]]",
     EP_TUPLE_LENGTH, "/0/2"},
    {"1", "ExportedProgram.equality_constraints", "[[[\"a\",1],[\"b\",2] ,   @[\"c\", 3]]]",
     EP_TUPLE_LENGTH, "/0/2"},
    {"1", "ExportedProgram.equality_constraints", "[[[\"a\", @\"1\"], [\"b\", 2]]]", EP_TYPE,
     "/0/0/1"},
    {"1", "ExportedProgram.equality_constraints", "[[[@1, \"a\"], [\"b\", 2]]]", EP_TYPE, "/0/0/0"},
    {"1", "ExportedProgram.equality_constraints", "[[@{}, [\"b\", 2]]]", EP_TYPE, "/0/0"},
    {"1", "ExportedProgram.equality_constraints", "[[@null, [\"b\", 2]]]", EP_NULL, "/0/0"},
    {"1", "ExportedProgram.example_inputs", "[[\"AA==\"], {\"k\": \"\"}]", EP_OK, ""},
    {"1", "ExportedProgram.example_inputs", "[[@\"AA\"], {}]", EP_BASE64, "/0/0"},
};

static const decode_row versions[] = {
    {NULL, NULL, "@[]", EP_TYPE, ""},
    {NULL, NULL, " @1 ", EP_TYPE, ""},
    {NULL, NULL, "@null", EP_TYPE, ""},
    {NULL, NULL, "@NaN", EP_NONFINITE, ""},
    {NULL, NULL, "{@}", EP_VERSION_MISSING, ""},
    {NULL, NULL, " {\"a\": {\"schema_version\": 1} @}\n ", EP_VERSION_MISSING, ""},
    {NULL, NULL, "{\"schema_version\": @null}", EP_VERSION_MALFORMED, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @\"1\"}", EP_VERSION_MALFORMED, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @[8, 2]}", EP_VERSION_MALFORMED, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @-1}", EP_VERSION_MALFORMED, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @1.0}", EP_VERSION_MALFORMED, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @4294967297}", EP_VERSION_MALFORMED, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @99999999999999999999}", EP_VERSION_MALFORMED,
     "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @{}}", EP_VERSION_MALFORMED, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @{\"major\": 8}}", EP_VERSION_MALFORMED, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": {\"major\": @\"8\", \"minor\": 2}}", EP_VERSION_MALFORMED,
     "/schema_version/major"},
    {NULL, NULL, "{\"schema_version\": {\"major\": 8, \"minor\": @-2}}", EP_VERSION_MALFORMED,
     "/schema_version/minor"},
    {NULL, NULL, "{\"schema_version\": @0}", EP_VERSION_UNKNOWN, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @8}", EP_VERSION_UNKNOWN, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @2147483647}", EP_VERSION_UNKNOWN, "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @{\"major\": 9, \"minor\": 1}}", EP_VERSION_UNKNOWN,
     "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @{\"minor\": 4, \"major\": 8}}", EP_VERSION_UNKNOWN,
     "/schema_version"},
    {NULL, NULL, "{\"schema_version\": @{\"major\": 8, \"minor\": 21}}", EP_VERSION_UNKNOWN,
     "/schema_version"},
    {NULL, NULL, "{\"schema_versio\\u006e\": @{\"major\": 9, \"minor\": 1}}", EP_VERSION_UNKNOWN,
     "/schema_version"},
    {NULL, NULL, "{\"schema_version\": {\"major\": 8, \"minor\": 20}@}", EP_MISSING_FIELD, ""},
    {NULL, NULL, "{\"schema_version\": 1@}", EP_MISSING_FIELD, ""},
    {NULL, NULL, "{\"schema_version\": 1, @\"schema_version\": 1}", EP_DUPLICATE_KEY,
     "/schema_version"},
    {"8.20", "ExportedProgram.schema_version", "{\"minor\": 20, \"major\": 8}", EP_OK, ""},
    {"8.20", "ExportedProgram.schema_version", "{\"major\": 8, \"minor\": 20, @\"patch\": 1}",
     EP_UNKNOWN_FIELD, "/patch"},
    {"8.20", "ExportedProgram.schema_version",
     "{\"major\": 8, @\"x\": {\"schema_version\": [1, {}]}, \"minor\": 20}", EP_UNKNOWN_FIELD,
     "/x"},
    {"8.20", "ExportedProgram.schema_version", "@20", EP_VERSION_UNKNOWN, ""},
    {"2", "ExportedProgram.schema_version", "@{\"major\": 2, \"minor\": 0}", EP_VERSION_UNKNOWN,
     ""},
};

/* A wire error anywhere wins over a schema error before it. */
static const decode_row levels[] = {
    {"8.20", "Graph.inputs", "[5, @x]", EP_SYNTAX, "/1"},
    {"8.20", "Graph.inputs", "[{\"as_int\": 1.5}, {\"as_string\": \"@\\q\"}]", EP_ESCAPE,
     "/1/as_string"},
    {"8.20", "Graph.inputs", "[5, @NaN]", EP_NONFINITE, "/1"},
    {"8.2", "Graph.inputs", "[@5, NaN]", EP_TYPE, "/0"},
    {"8.2", "Graph.inputs", "[@NaN]", EP_NONFINITE, "/0"},
    {"8.20", "Graph.inputs", "[5, {\"a\": 1, @\"a\": 1}]", EP_DUPLICATE_KEY, "/1/a"},
    {NULL, NULL, "{\"graph_module\": 5, \"schema_version\": 1} @x", EP_TRAILING, ""},
    {NULL, NULL, "{\"graph_module\": 5@", EP_END, "/graph_module"},
    {NULL, NULL, "@\xEF\xBB\xBF{}", EP_BOM, ""},
    {NULL, NULL, "@", EP_END, ""},
};

/* Where an empty program has the field, as a pointer. */
static const char *pointer_of(const char *field) {
    static const struct {
        const char *type;
        const char *pointer;
    } roots[] = {{"ExportedProgram.", "/"},
                 {"GraphModule.", "/graph_module/"},
                 {"GraphSignature.", "/graph_module/signature/"},
                 {"Graph.", "/graph_module/graph/"}};
    for (size_t i = 0; field != NULL && i < COUNT(roots); i++) {
        if (strncmp(field, roots[i].type, strlen(roots[i].type)) == 0) {
            return roots[i].pointer;
        }
    }
    return "";
}

static void expected_pointer(const decode_row *row, test_text *pointer) {
    test_add_str(pointer, pointer_of(row->field));
    test_add_str(pointer, row->field == NULL ? "" : strchr(row->field, '.') + 1);
    test_add_str(pointer, row->pointer);
}

static bool holds_place(const decode_row *row, const ep_error *error, ep_bytes input, size_t mark) {
    test_text pointer = {0};
    expected_pointer(row, &pointer);
    bool held = CHECK_EQ_INT(error->offset, mark);
    bool too_long = strlen(row->text) > 250 && row->code == EP_UNKNOWN_FIELD;
    held = (too_long ||
            CHECK_EQ_BYTES(error->pointer, strlen(error->pointer), pointer.data, pointer.size)) &&
           held;
    CHECK_EQ_INT(error->pointer_cut, too_long);
    size_t line = 1;
    size_t column = 1;
    for (size_t i = 0; i < mark && i < input.size; i++) {
        line += input.data[i] == '\n';
        column = input.data[i] == '\n' ? 1 : column + 1;
    }
    held = CHECK_EQ_INT(error->line, line) && CHECK_EQ_INT(error->column, column) && held;
    test_text_free(&pointer);
    return held;
}

static void check_row(const decode_row *row) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    test_text text = {0};
    const ep_program *program = (const ep_program *)&heap;
    if (row->version == NULL) {
        test_add_str(&text, row->text);
    } else {
        test_program_with(&text, row->version, row->field, row->text);
    }
    size_t mark = test_take_mark(&text);
    ep_bytes input = test_text_exact(&text);
    memset(&error, 0xEE, sizeof error);
    test_arena(&arena, &heap, 0);
    bool ok = ep_decode(&arena, input, NULL, &program, &error);
    bool held = CHECK_EQ_INT(error.code, row->code) && CHECK_EQ_INT(ok, row->code == EP_OK);
    if (row->code != EP_OK) {
        held = CHECK(program == NULL) && held;
        held = CHECK_EQ_INT(arena.held, 0) && held;
        held = holds_place(row, &error, input, mark) && held;
    } else if (ok && row->version != NULL) {
        const char *name = ep_program_version(program)->name;
        held = CHECK_EQ_STR(name, strlen(name), row->version) && held;
    }
    if (!held) {
        fprintf(stderr, "    in %s %s %s\n", row->version != NULL ? row->version : "document",
                row->field != NULL ? row->field : "", row->text);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    test_text_free(&text);
}

static void check_rows(const decode_row *rows, size_t n) {
    for (size_t i = 0; i < n; i++) {
        check_row(&rows[i]);
    }
}

/* An empty program of every version that owns its number is that version. */
static void test_every_version(void) {
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        if (ep_version_at(i)->owns_number) {
            decode_row row = {ep_version_at(i)->name, NULL, "", EP_OK, ""};
            check_row(&row);
        }
    }
}

/* A marker is a key, whatever stands before its colon; in a value it is none. */
static void check_spaced_marker(void) {
    static const struct {
        const char *hole;
        const char *version; /* NULL: refused as the owner */
    } rows[] = {{"{}, \"co_fileinfo_ordered_list\" \n : []", "5.3-2024-03"},
                {"{\"co_fileinfo_ordered_list\": {\"name\": 5}}", NULL},
                {"{\"co_fileinfo_ordered_lists\": {\"name\": 5}}", NULL},
                {"{\"co_fileinfo_ordered_list\"", NULL}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        test_heap heap = {0};
        ep_arena arena;
        const ep_program *program;
        test_text text = {0};
        test_program_with(&text, "5.3", "Graph.custom_obj_values", rows[i].hole);
        test_arena(&arena, &heap, 0);
        bool ok = ep_decode(&arena, test_text_exact(&text), NULL, &program, NULL);
        CHECK_EQ_INT(ok, rows[i].version != NULL);
        if (ok) {
            const char *name = ep_program_version(program)->name;
            CHECK_EQ_STR(name, strlen(name), rows[i].version);
        }
        ep_arena_free(&arena);
        test_text_free(&text);
    }
}

/* Shapes that share a number are told apart by what only they have. */
static void test_siblings(void) {
    static const decode_row rows[] = {
        {"1-2023-12", NULL, "", EP_OK, ""},
        {"1-2023-08", NULL, "", EP_OK, ""},
        {"3.1-a", "Graph.inputs", "[{\"$type\": \"as_custom_obj\", \"$value\": {\"name\": \"b\"}}]",
         EP_OK, ""},
        {"3.1-c", "GraphSignature.input_specs",
         "[{\"$type\": \"buffer\", \"$value\": {\"arg\": {\"name\": \"a\"}, \"buffer_name\": "
         "\"b\", \"persistent\": true}}]",
         EP_OK, ""},
        {"5.3-2024-03", NULL, "", EP_OK, ""},
        {"8.2-ast", "Graph.sym_int_values",
         "{\"s\": {\"as_expr\": {\"expr_str\": \"\", \"expr_ast\": {\"args\": []}}}}", EP_OK, ""},
        /* marked, but neither: what the owner says stands */
        {"5.3-2024-03", "Graph.nodes", "[@5]", EP_TYPE, "/0"},
    };
    check_rows(rows, COUNT(rows) - 1);
    check_spaced_marker();
    const decode_row *last = &rows[COUNT(rows) - 1];
    test_text text = {0};
    ep_error error;
    const ep_program *program;
    test_heap heap = {0};
    ep_arena arena;
    test_program_with(&text, last->version, last->field, last->text);
    size_t mark = test_take_mark(&text);
    test_arena(&arena, &heap, 0);
    CHECK(!ep_decode(&arena, test_text_exact(&text), NULL, &program, &error));
    CHECK_EQ_INT(error.code, EP_TYPE);
    CHECK_EQ_INT(error.offset, mark);
    CHECK_EQ_INT(arena.held, 0);
    test_text_free(&text);
}

int main(void) {
    test_use_locale();
    check_rows(scalars, COUNT(scalars));
    check_rows(ranges, COUNT(ranges));
    check_rows(objects, COUNT(objects));
    check_rows(unions, COUNT(unions));
    check_rows(versions, COUNT(versions));
    check_rows(levels, COUNT(levels));
    test_every_version();
    test_siblings();
    return check_report();
}
