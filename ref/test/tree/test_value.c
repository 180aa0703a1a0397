/*
 * test_value.c - reading decoded programs and the types of a version through
 * the public functions alone, on the samples.
 */
#include "check.h"
#include "epref.h"
#include "samples.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

typedef struct opened {
    test_heap heap;
    ep_arena arena;
    test_text text;
    const ep_program *program;
    ep_value root;
} opened;

static void open_sample(opened *o, const char *version) {
    *o = (opened){.program = NULL};
    test_add_str(&o->text, test_sample_of(version));
    test_arena(&o->arena, &o->heap, 0);
    if (!CHECK(ep_decode(&o->arena, test_text_exact(&o->text), NULL, &o->program, NULL))) {
        exit(EXIT_FAILURE);
    }
    o->root = ep_program_root(o->program);
    CHECK_EQ_STR(ep_program_version(o->program)->name, strlen(version), version);
}

static void close_sample(opened *o) {
    ep_arena_free(&o->arena);
    CHECK_EQ_INT(o->heap.bytes, 0);
    test_text_free(&o->text);
}

/* Goes down a path of names and indices: "graph_module/graph/nodes/0". */
static ep_value at(ep_value value, const char *path) {
    while (*path != '\0') {
        char name[64] = {0};
        size_t size = strcspn(path, "/");
        memcpy(name, path, size < 63 ? size : 63);
        path += size;
        path += *path == '/';
        bool index = name[0] >= '0' && name[0] <= '9';
        value = index ? ep_value_item(value, (size_t)atoi(name)) : ep_value_field(value, name);
    }
    return value;
}

static void check_name(const char *actual, const char *expected) {
    if (CHECK(actual != NULL)) {
        CHECK_EQ_STR(actual, strlen(actual), expected);
    }
}

static void check_text(opened *o, const char *path, const char *expected) {
    ep_bytes text = {NULL, 1};
    ep_value value = at(o->root, path);
    if (CHECK_NOTE(ep_value_text(value, &o->arena, &text), path)) {
        CHECK_EQ_STR(text.data, text.size, expected);
        CHECK_EQ_INT(o->text.data[ep_value_offset(value)], '"');
    }
}

static void check_kind(opened *o, const char *path, ep_kind kind) {
    if (!CHECK_EQ_INT(ep_value_kind(at(o->root, path)), kind)) {
        fprintf(stderr, "    at %s\n", path);
    }
}

static void expect_int(opened *o, const char *path, int64_t expected) {
    CHECK_EQ_INT(ep_value_int(at(o->root, path)), expected);
}

/* What every function says of a value that is not there. */
static void check_nothing(ep_value value) {
    ep_bytes text = {NULL, 1};
    CHECK_EQ_INT(ep_value_kind(value), EP_KIND_NULL);
    CHECK(ep_value_type(value) == NULL);
    CHECK_EQ_INT(ep_value_count(value), 0);
    CHECK_EQ_INT(ep_value_kind(ep_value_item(value, 0)), EP_KIND_NULL);
    CHECK_EQ_INT(ep_value_kind(ep_value_field(value, "name")), EP_KIND_NULL);
    CHECK(ep_value_name(value, 0) == NULL);
    CHECK_EQ_INT(ep_value_int(value), 0);
    CHECK(ep_value_float(value) == 0);
    CHECK(!ep_value_text(value, NULL, &text) && text.size == 0);
    CHECK(!ep_value_key(value, 0, NULL, &text) && text.size == 0);
    CHECK_EQ_INT(ep_value_offset(value), 0);
}

static void test_version_1(void) {
    opened o;
    open_sample(&o, "1");
    check_name(ep_value_type(o.root), "ExportedProgram");
    CHECK_EQ_INT(ep_value_count(o.root), 6);
    check_name(ep_value_name(o.root, 0), "graph_module");
    check_name(ep_value_name(o.root, 5), "example_inputs");
    CHECK(ep_value_name(o.root, 6) == NULL);
    expect_int(&o, "schema_version", 1);
    check_kind(&o, "example_inputs", EP_KIND_NULL);
    check_kind(&o, "graph_module/graph/inputs/0", EP_KIND_UNION);
    ep_value input = at(o.root, "graph_module/graph/inputs/0");
    CHECK_EQ_INT(ep_value_count(input), 1);
    check_name(ep_value_name(input, 0), "as_tensor");
    CHECK(ep_value_name(input, 1) == NULL);
    check_text(&o, "graph_module/graph/inputs/0/as_tensor/name", "x");
    check_kind(&o, "graph_module/graph/outputs/0/as_none", EP_KIND_UNIT);
    ep_value infinite = at(o.root, "graph_module/graph/nodes/0/inputs/1/arg/as_float");
    CHECK_EQ_INT(ep_value_kind(infinite), EP_KIND_FLOAT);
    CHECK(isinf(ep_value_float(infinite)) && ep_value_float(infinite) < 0);
    check_text(&o, "graph_module/graph/nodes/0/metadata/0", "\xC3\xA9");
    check_kind(&o, "graph_module/graph/constants/0", EP_KIND_BYTES);
    check_text(&o, "graph_module/graph/constants/0", "AAEC");
    check_kind(&o, "equality_constraints/0", EP_KIND_TUPLE);
    CHECK_EQ_INT(ep_value_count(at(o.root, "equality_constraints/0")), 2);
    check_text(&o, "equality_constraints/0/1/0", "y");
    expect_int(&o, "equality_constraints/0/1/1", 1);
    expect_int(&o, "range_constraints/0/max_val", 9223372036854775806);
    check_text(&o, "graph_module/graph/sym_bool_values/0/as_expr", "s0 > 1");
    expect_int(&o, "graph_module/graph/tensor_values/0/meta/sizes/0/as_int", 2);
    expect_int(&o, "graph_module/graph/tensor_values/0/meta/sizes/1/as_expr/hint", 3);
    expect_int(&o, "graph_module/graph/is_single_tensor_return", 1);
    close_sample(&o);
}

static void test_open_ends(void) {
    opened o;
    open_sample(&o, "2");
    check_kind(&o, "range_constraints/0/min_val", EP_KIND_INFINITE);
    check_kind(&o, "range_constraints/0/max_val", EP_KIND_INFINITE);
    expect_int(&o, "range_constraints/0/min_val", -1);
    expect_int(&o, "range_constraints/0/max_val", 1);
    check_text(&o, "dialect", "ATEN");
    close_sample(&o);
    open_sample(&o, "5.1");
    check_kind(&o, "range_constraints/0/min_val", EP_KIND_INT);
    expect_int(&o, "range_constraints/0/min_val", 2);
    check_kind(&o, "range_constraints/0/max_val", EP_KIND_INFINITE);
    CHECK(isnan(ep_value_float(at(o.root, "graph_module/graph/nodes/0/inputs/1/arg/as_float"))));
    check_nothing(at(o.root, "graph_module/graph/tensor_values/0/device/index"));
    close_sample(&o);
    open_sample(&o, "8.2");
    expect_int(&o, "range_constraints/0/min_val", 2);
    check_nothing(at(o.root, "range_constraints/0/max_val"));
    static const double small = 1e-05; /* a constant may be more precise than its type */
    CHECK(ep_value_float(at(o.root, "graph_module/graph/sym_float_values/0/as_float")) == small);
    check_kind(&o, "graph_module/module_call_graph/0/signature", EP_KIND_STRUCT);
    check_nothing(at(o.root, "graph_module/module_call_graph/0/signature/forward_arg_names"));
    close_sample(&o);
}

static void test_latest(void) {
    opened o;
    ep_bytes key;
    open_sample(&o, "8.20");
    check_kind(&o, "graph_module/graph/inputs/0", EP_KIND_UNION);
    check_name(ep_value_type(at(o.root, "graph_module/graph/inputs/0")), "Argument");
    check_kind(&o, "graph_module/graph/outputs/0/as_none", EP_KIND_BOOL);
    expect_int(&o, "graph_module/graph/outputs/0/as_none", 1);
    ep_value kind = at(o.root, "graph_module/graph/nodes/0/inputs/0/kind");
    CHECK_EQ_INT(ep_value_kind(kind), EP_KIND_ENUM);
    check_name(ep_value_type(kind), "ArgumentKind");
    check_name(ep_value_name(kind, 0), "POSITIONAL");
    CHECK(ep_value_name(kind, 1) == NULL);
    CHECK_EQ_INT(ep_value_int(kind), 1);
    check_nothing(at(o.root, "graph_module/graph/nodes/0/inputs/2/kind"));
    check_name(ep_value_name(at(o.root, "graph_module/graph/tensor_values/0/dtype"), 0), "UINT64");
    CHECK(isnan(ep_value_float(at(o.root, "graph_module/graph/nodes/0/inputs/1/arg/as_float"))));
    ep_value imag = at(o.root, "graph_module/graph/nodes/0/inputs/2/arg/as_complex/imag");
    CHECK(ep_value_float(imag) == 0 && signbit(ep_value_float(imag)));
    check_text(&o, "graph_module/graph/nodes/0/outputs/0/as_nested_tensors/0/0/name", "a");
    check_kind(&o, "graph_module/graph/nodes/0/outputs/0/as_nested_tensors/1", EP_KIND_LIST);
    check_text(&o, "graph_module/graph/nodes/0/metadata/0", "\xF0\x9F\x98\x80\n");
    CHECK(ep_value_key(at(o.root, "graph_module/graph/nodes/0/metadata"), 0, &o.arena, &key));
    CHECK_EQ_STR(key.data, key.size, "stack_trace");
    CHECK(!ep_value_key(at(o.root, "graph_module/graph/nodes/0/metadata"), 1, &o.arena, &key));
    CHECK(!ep_value_key(o.root, 0, &o.arena, &key));
    check_text(&o, "graph_module/treespec_namedtuple_fields/0/field_names/1", "b");
    check_kind(&o, "graph_module/graph/sym_int_values", EP_KIND_DICT);
    CHECK_EQ_INT(ep_value_count(at(o.root, "graph_module/graph/sym_int_values")), 0);
    check_nothing(at(o.root, "graph_module/graph/nodes/1"));
    check_nothing(at(o.root, "no_such_field"));
    check_nothing(at(o.root, "graph_module/graph/nodes/0/name/x/0"));
    check_nothing((ep_value){NULL, NULL, 0});
    close_sample(&o);
}

/* A field that the file leaves out reads as its default. SPEC 3.5.4 */
static void test_defaults(void) {
    static const char json[] =
        "{\"graph_module\": {\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [], "
        "\"tensor_values\": {}, \"sym_int_values\": {}, \"sym_bool_values\": {}}, \"signature\": "
        "{\"input_specs\": [], \"output_specs\": []}, \"module_call_graph\": []}, "
        "\"opset_version\": {}, \"range_constraints\": {}, \"schema_version\": {\"major\": 7, "
        "\"minor\": 3}}";
    opened o = {.program = NULL};
    ep_bytes text;
    test_arena(&o.arena, &o.heap, 0);
    CHECK(ep_decode(&o.arena, (ep_bytes){json, sizeof json - 1}, NULL, &o.program, NULL));
    o.root = ep_program_root(o.program);
    ep_value version = at(o.root, "torch_version");
    CHECK(ep_value_text(version, &o.arena, &text));
    CHECK_EQ_STR(text.data, text.size, "<=2.4");
    CHECK_EQ_INT(ep_value_offset(version), 0);
    check_kind(&o, "verifiers", EP_KIND_LIST);
    CHECK_EQ_INT(ep_value_count(at(o.root, "verifiers")), 0);
    check_kind(&o, "graph_module/metadata", EP_KIND_DICT);
    CHECK_EQ_INT(ep_value_count(at(o.root, "graph_module/metadata")), 0);
    check_kind(&o, "graph_module/graph/is_single_tensor_return", EP_KIND_BOOL);
    expect_int(&o, "graph_module/graph/is_single_tensor_return", 0);
    ep_arena_free(&o.arena);
    CHECK_EQ_INT(o.heap.bytes, 0);
}

/* Text with escapes takes memory, and only that. */
static void test_no_memory(void) {
    opened o;
    ep_bytes text;
    open_sample(&o, "8.20");
    test_heap heap = {.fail_at = 1, .fail_on = true};
    ep_arena none;
    test_arena(&none, &heap, 0);
    ep_value escaped = at(o.root, "graph_module/graph/nodes/0/metadata/0");
    CHECK(!ep_value_text(o.root, &o.arena, &text) && text.size == 0); /* no text at all */
    CHECK(!ep_value_text(escaped, &none, &text));
    CHECK(ep_value_text(at(o.root, "graph_module/graph/nodes/0/target"), &none, &text));
    CHECK(text.data > o.text.data && text.data < o.text.data + o.text.size);
    CHECK(ep_value_key(at(o.root, "opset_version"), 0, &none, &text));
    CHECK_EQ_STR(text.data, text.size, "aten");
    close_sample(&o);
}

/* Structs and unions begin at a brace; every value of the tree is visited. */
static size_t visit(opened *o, ep_value value, size_t depth) {
    size_t n = 1;
    ep_kind kind = ep_value_kind(value);
    size_t offset = ep_value_offset(value);
    if (kind == EP_KIND_STRUCT || kind == EP_KIND_UNION) {
        CHECK_EQ_INT(o->text.data[offset], '{');
    }
    CHECK(depth < 40);
    for (size_t i = 0; i < ep_value_count(value); i++) {
        ep_value item = ep_value_item(value, i);
        const char *name = ep_value_name(value, i);
        if (name != NULL) {
            ep_value field = ep_value_field(value, name);
            CHECK(field.bits == item.bits && field.shape == item.shape);
        }
        n += visit(o, item, depth + 1);
    }
    return n;
}

static void test_visit(void) {
    for (size_t i = 0; i < TEST_SAMPLES; i++) {
        opened o;
        open_sample(&o, test_samples[i].version);
        CHECK(visit(&o, o.root, 0) > 20);
        close_sample(&o);
    }
}

/* The text of a type that is longer than there is room for is cut, and its size told. */
static void test_schema_text(void) {
    test_heap heap = {0};
    ep_arena arena;
    ep_type_info info = {.name = ""};
    const ep_schema *schema;
    char text[8];
    size_t root = 0;
    test_arena(&arena, &heap, 0);
    CHECK(ep_schema_open(&arena, ep_version_find("1"), &schema, NULL));
    while (ep_schema_type(schema, root, &info) && strcmp(info.name, "ExportedProgram") != 0) {
        root++;
    }
    CHECK_EQ_INT(ep_schema_member_type(schema, root, 3, text, sizeof text), 42);
    CHECK_EQ_STR(text, strlen(text), "list<tu");
    CHECK_EQ_INT(ep_schema_member_type(schema, root, 3, NULL, 0), 42);
    CHECK_EQ_INT(ep_schema_member_type(schema, root, 100, text, sizeof text), 0);
    ep_arena_free(&arena);
}

int main(void) {
    test_use_locale();
    test_version_1();
    test_open_ends();
    test_latest();
    test_defaults();
    test_no_memory();
    test_visit();
    test_schema_text();
    return check_report();
}
