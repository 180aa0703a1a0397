/*
 * samples.c - see samples.h. Each program is x -> x + 2.5, with something of
 * its version that no other has.
 */
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define META_1                                                                                     \
    "{\"dtype\": 7, \"sizes\": [{\"as_expr\": null, \"as_int\": 2}, {\"as_expr\": {\"expr_str\": " \
    "\"s0\", \"hint\": 3}, \"as_int\": null}], \"requires_grad\": false, \"device\": {\"type\": "  \
    "\"cpu\", \"index\": null}, \"strides\": [], \"storage_offset\": 0, \"layout\": 7}"

/* An Argument of version 1: every variant, and the one that is there. */
#define ARG_1(none, tensor, floating)                                                              \
    "{\"as_none\": " none ", \"as_tensor\": " tensor ", \"as_tensors\": null, \"as_int\": null, "  \
    "\"as_ints\": null, \"as_float\": " floating ", \"as_floats\": null, \"as_string\": null, "    \
    "\"as_strings\": null, \"as_sym_int\": null, \"as_sym_ints\": null, \"as_scalar_type\": "      \
    "null, "                                                                                       \
    "\"as_memory_format\": null, \"as_layout\": null, \"as_device\": null, \"as_bool\": null, "    \
    "\"as_bools\": null, \"as_sym_bool\": null, \"as_sym_bools\": null, \"as_graph\": null, "      \
    "\"as_optional_tensors\": null, \"as_custom_obj\": null}"

#define TENSOR_1 ARG_1("null", "{\"name\": \"x\"}", "null")
#define NONE_1 ARG_1("[]", "null", "null")
#define INFINITE_1 ARG_1("null", "null", "-Infinity")

#define NODE_1                                                                                     \
    "{\"target\": \"torch.ops.aten.add.Tensor\", \"inputs\": [{\"name\": \"self\", "               \
    "\"arg\": " TENSOR_1 "}, {\"name\": \"other\", \"arg\": " INFINITE_1                           \
    "}], \"outputs\": [], \"metadata\": "                                                          \
    "{\"k\": \"\\u00e9\"}}"

#define GRAPH_1                                                                                    \
    "{\"inputs\": [" TENSOR_1 "], \"outputs\": [" NONE_1 "], \"nodes\": [" NODE_1                  \
    "], \"tensor_values\": {\"x\": {\"meta\": " META_1 "}}, \"sym_int_values\": {}, "              \
    "\"sym_bool_values\": {\"b\": {\"as_expr\": \"s0 > 1\", \"as_bool\": null}}, "                 \
    "\"is_single_tensor_return\": true, \"constants\": {\"c\": \"AAEC\"}}"

#define SAMPLE_1                                                                                   \
    "{\"graph_module\": {\"graph\": " GRAPH_1 ", \"signature\": {\"inputs_to_parameters\": {}, "   \
    "\"inputs_to_buffers\": {}, \"user_inputs\": [\"x\"], \"user_outputs\": [], "                  \
    "\"buffers_to_mutate\": {}, \"backward_signature\": null}, \"call_spec\": {\"in_spec\": "      \
    "\"\", \"out_spec\": \"\"}, \"module_call_graph\": [{\"fqn\": \"\", \"signature\": null}]}, "  \
    "\"opset_version\": {\"aten\": 10}, \"range_constraints\": {\"s0\": {\"min_val\": 2, "         \
    "\"max_val\": 9223372036854775806}}, \"equality_constraints\": [[[\"x\", 0], [\"y\", 1]]], "   \
    "\"schema_version\": 1, \"example_inputs\": null}"

#define SAMPLE_2                                                                                   \
    "{\"graph_module\": {\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [], "             \
    "\"tensor_values\": {}, \"sym_int_values\": {\"s\": {\"as_expr\": {\"expr_str\": \"s0\", "     \
    "\"hint\": {\"as_int\": 3, \"as_float\": null, \"as_bool\": null}}, \"as_int\": null}}, "      \
    "\"sym_bool_values\": {}, \"is_single_tensor_return\": false}, \"signature\": "                \
    "{\"input_specs\": [], \"output_specs\": []}, \"module_call_graph\": []}, "                    \
    "\"opset_version\": {\"aten\": 10}, \"range_constraints\": {\"s0\": {\"min_val\": -Infinity, " \
    "\"max_val\": Infinity}}, \"schema_version\": 2, \"dialect\": \"ATEN\"}"

#define SAMPLE_3_1                                                                                 \
    "{\"graph_module\": {\"graph\": {\"inputs\": [{\"$type\": \"as_tensor\", \"$value\": "         \
    "{\"name\": \"x\"}}], \"outputs\": [{\"$type\": \"as_none\", \"$value\": []}], \"nodes\": "    \
    "[{\"target\": \"torch.ops.aten.add.Tensor\", \"inputs\": [{\"name\": \"self\", \"arg\": "     \
    "{\"$type\": \"as_tensor\", \"$value\": {\"name\": \"x\"}}}, {\"name\": \"other\", \"arg\": "  \
    "{\"$type\": \"as_float\", \"$value\": 2.5}}], \"outputs\": [], \"metadata\": {}}], "          \
    "\"tensor_values\": {}, \"sym_int_values\": {\"s\": {\"$type\": \"as_expr\", \"$value\": "     \
    "{\"expr_str\": \"s0\"}}}, \"sym_bool_values\": {}, \"is_single_tensor_return\": false, "      \
    "\"custom_obj_values\": {}}, \"signature\": {\"input_specs\": [{\"$type\": \"user_input\", "   \
    "\"$value\": {\"arg\": {\"$type\": \"as_tensor\", \"$value\": {\"name\": \"x\"}}}}], "         \
    "\"output_specs\": []}, \"module_call_graph\": [{\"fqn\": \"\"}]}, \"opset_version\": {}, "    \
    "\"range_constraints\": {}, \"schema_version\": {\"major\": 3, \"minor\": 1}, \"dialect\": "   \
    "\"ATEN\"}"

#define SAMPLE_5_1                                                                                 \
    "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"x\"}}], "           \
    "\"outputs\": [{\"as_none\": []}], \"nodes\": [{\"target\": \"torch.ops.aten.add.Tensor\", "   \
    "\"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}}, {\"name\": "  \
    "\"other\", \"arg\": {\"as_float\": NaN}}], \"outputs\": [], \"metadata\": {}}], "             \
    "\"tensor_values\": {\"x\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 2}], \"requires_grad\": "  \
    "false, \"device\": {\"type\": \"cpu\"}, \"strides\": [{\"as_int\": 1}], "                     \
    "\"storage_offset\": {\"as_int\": 0}, \"layout\": 7}}, \"sym_int_values\": {}, "               \
    "\"sym_bool_values\": {}, \"is_single_tensor_return\": false, \"custom_obj_values\": {}}, "    \
    "\"signature\": {\"input_specs\": [{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": "     \
    "\"x\"}}}}], \"output_specs\": []}, \"module_call_graph\": [{\"fqn\": \"\"}]}, "               \
    "\"opset_version\": {\"aten\": 10}, \"range_constraints\": {\"s0\": {\"min_val\": 2, "         \
    "\"max_val\": Infinity}}, \"schema_version\": {\"major\": 5, \"minor\": 1}, \"dialect\": "     \
    "\"ATEN\"}"

#define SAMPLE_8_2                                                                                 \
    "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"x\"}}], "           \
    "\"outputs\": [{\"as_none\": true}], \"nodes\": [{\"target\": \"torch.ops.aten.add.Tensor\", " \
    "\"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}}, {\"name\": "  \
    "\"other\", \"arg\": {\"as_float\": Infinity}}], \"outputs\": [], \"metadata\": {}}], "        \
    "\"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": {}, "                     \
    "\"is_single_tensor_return\": false, \"custom_obj_values\": {}, \"sym_float_values\": "        \
    "{\"f\": "                                                                                     \
    "{\"as_float\": 1e-05}}}, \"signature\": {\"input_specs\": [], \"output_specs\": []}, "        \
    "\"module_call_graph\": [{\"fqn\": \"\", \"signature\": {\"inputs\": [], \"outputs\": [], "    \
    "\"in_spec\": \"\", \"out_spec\": \"\"}}], \"metadata\": {}}, \"opset_version\": {}, "         \
    "\"range_constraints\": {\"s0\": {\"min_val\": 2, \"max_val\": null}}, \"schema_version\": "   \
    "{\"major\": 8, \"minor\": 2}, \"verifiers\": [\"TRAINING\"], \"torch_version\": "             \
    "\"2.6.0+cu124\"}"

#define SAMPLE_8_20                                                                                \
    "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"x\"}}], "           \
    "\"outputs\": [{\"as_none\": true}], \"nodes\": [{\"target\": \"torch.ops.aten.add.Tensor\", " \
    "\"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}, \"kind\": "    \
    "1}, "                                                                                         \
    "{\"name\": \"other\", \"arg\": {\"as_float\": \"NaN\"}, \"kind\": 2}, {\"name\": \"\", "      \
    "\"arg\": {\"as_complex\": {\"real\": \"-Infinity\", \"imag\": -0.0}}, \"kind\": null}], "     \
    "\"outputs\": [{\"as_nested_tensors\": [[{\"name\": \"a\"}], []]}], \"metadata\": "            \
    "{\"stack_trace\": \"\\ud83d\\ude00\\n\"}, \"is_hop_single_tensor_return\": null, \"name\": "  \
    "\"add\"}], \"tensor_values\": {\"x\": {\"dtype\": 35, \"sizes\": [{\"as_expr\": "             \
    "{\"expr_str\": \"s77\", \"hint\": {\"as_int\": 3}}}, {\"as_expr\": {\"expr_str\": \"u0\", "   \
    "\"hint\": null}}], \"requires_grad\": true, \"device\": {\"type\": \"cuda\", \"index\": 0}, " \
    "\"strides\": [], \"storage_offset\": {\"as_int\": 4}, \"layout\": 7}}, \"sym_int_values\": "  \
    "{}, \"sym_bool_values\": {}, \"is_single_tensor_return\": false, \"custom_obj_values\": {}, " \
    "\"sym_float_values\": {}}, \"signature\": {\"input_specs\": [{\"constant_input\": "           \
    "{\"name\": "                                                                                  \
    "\"c\", \"value\": {\"as_none\": true}}}], \"output_specs\": []}, \"module_call_graph\": "     \
    "[{\"fqn\": \"\", \"signature\": null}], \"metadata\": {}, \"treespec_namedtuple_fields\": "   \
    "{\"T\": {\"field_names\": [\"a\", \"b\"]}}}, \"opset_version\": {\"aten\": 10}, "             \
    "\"range_constraints\": {}, \"schema_version\": {\"major\": 8, \"minor\": 20}, "               \
    "\"verifiers\": [\"TRAINING\"], \"torch_version\": \"2.13.0\", \"guards_code\": [\"a\"]}"

const test_sample test_samples[TEST_SAMPLES] = {
    {"1", SAMPLE_1},     {"2", SAMPLE_2},     {"3.1", SAMPLE_3_1},
    {"5.1", SAMPLE_5_1}, {"8.2", SAMPLE_8_2}, {"8.20", SAMPLE_8_20},
};

const char *test_sample_of(const char *version) {
    for (size_t i = 0; i < TEST_SAMPLES; i++) {
        if (strcmp(test_samples[i].version, version) == 0) {
            return test_samples[i].json;
        }
    }
    fprintf(stderr, "no sample of %s\n", version);
    exit(EXIT_FAILURE);
}
