/*
 * sweep_oom.c - out of memory everywhere: each call is made with allocation n
 * refused, and with n and all after it refused, for every n until it succeeds;
 * and under every cap. It then fails with EP_MEMORY, or says what it says with
 * all the memory there is; it never leaks, and never takes more than its cap.
 */
#include "check.h"
#include "epref.h"
#include "samples.h"
#include "whole.h"

#include <stdlib.h>

typedef enum call {
    CALL_WIRE,
    CALL_DECODE,
    CALL_ENCODE,
    CALL_CHECK,
    CALL_SIGNATURE,
    CALL_CANON_TORCH,
    CALL_CANON,
    CALL_OPEN,
    CALLS
} call;

typedef struct subject {
    const char *about;
    test_text text;
    ep_decode_options options;
    call call;
    ep_code code; /* with all the memory there is */
} subject;

typedef struct outcome {
    ep_code code;
    size_t calls; /* of the allocator */
    size_t peak;
} outcome;

/* The one call that is watched. The program that it is about is made with
 * memory that is never refused. */
static bool run(const subject *s, ep_arena *arena, const ep_program *program, ep_error *error) {
    ep_bytes input = {s->text.data, s->text.size};
    const ep_program *decoded;
    const ep_schema *schema;
    ep_signature *signature;
    ep_built built;
    ep_canon_options form = {.form = EP_CANON_TORCH};
    test_text out = {0};
    bool ok = false;
    switch (s->call) {
    case CALL_WIRE:
        return ep_check_wire(arena, input, &s->options, error);
    case CALL_DECODE:
        ok = ep_decode(arena, input, &s->options, &decoded, error);
        CHECK_EQ_INT(decoded != NULL, ok);
        return ok;
    case CALL_ENCODE:
        ok = ep_encode(program, arena, test_sink, &out, error);
        CHECK(!ok || (out.size == input.size && memcmp(out.data, input.data, out.size) == 0));
        test_text_free(&out);
        return ok;
    case CALL_CHECK:
        return ep_check(program, arena, NULL, error);
    case CALL_SIGNATURE:
        ok = ep_signature_open(program, arena, &signature, error);
        CHECK_EQ_INT(signature != NULL, ok);
        return ok;
    case CALL_CANON:
        form.form = EP_CANON_EPREF;
        /* fall through */
    case CALL_CANON_TORCH:
        ok = ep_canon(program, arena, &form, &built, error);
        CHECK_EQ_INT(built.text.data != NULL, ok);
        return ok;
    case CALL_OPEN:
        ok = ep_schema_open(arena, s->options.version, &schema, error);
        CHECK_EQ_INT(schema != NULL, ok);
        return ok;
    case CALLS:
        break;
    }
    return ok;
}

static outcome watch(const subject *s, const ep_program *program, test_heap heap, size_t cap) {
    ep_arena arena;
    ep_error error;
    memset(&error, 0xEE, sizeof error);
    test_arena(&arena, &heap, cap);
    bool ok = run(s, &arena, program, &error);
    CHECK_EQ_INT(ok, error.code == EP_OK);
    CHECK(error.offset <= s->text.size);
    CHECK(memchr(error.pointer, 0, sizeof error.pointer) != NULL);
    CHECK(cap == 0 || ep_arena_peak(&arena) <= cap);
    if (s->call == CALL_DECODE && !ok) {
        CHECK_EQ_INT(heap.bytes, 0); /* a refusal keeps nothing */
    }
    outcome o = {error.code, heap.calls, ep_arena_peak(&arena)};
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    CHECK_EQ_INT(heap.blocks, 0);
    return o;
}

static void expect(const subject *s, ep_code code, const char *how, size_t n) {
    if (!CHECK(code == EP_MEMORY || code == s->code)) {
        fprintf(stderr, "    %s: %s with %s %zu\n", s->about, ep_code_name(code), how, n);
    }
}

static void sweep_allocations(const subject *s, const ep_program *program, size_t calls) {
    for (size_t n = 1; n <= calls + 1; n++) {
        outcome one = watch(s, program, (test_heap){.fail_at = n}, 0);
        expect(s, one.code, "one refused, call", n);
        outcome rest = watch(s, program, (test_heap){.fail_at = n, .fail_on = true}, 0);
        expect(s, rest.code, "all refused from call", n);
        if (n <= calls && !CHECK_EQ_INT(rest.code, EP_MEMORY)) {
            fprintf(stderr, "    %s from call %zu of %zu on\n", s->about, n, calls);
        }
        if (n > calls) {
            CHECK_EQ_INT(rest.code, s->code);
        }
    }
}

/* Every cap to begin with, then in steps, up to what it takes without one. */
static void sweep_caps(const subject *s, const ep_program *program, size_t peak) {
    for (size_t cap = 1; cap <= peak + 64; cap += cap < 512 ? 1 : cap < 8192 ? 8 : 64) {
        outcome o = watch(s, program, (test_heap){0}, cap);
        expect(s, o.code, "a cap of", cap);
    }
    outcome o = watch(s, program, (test_heap){0}, peak);
    CHECK_EQ_INT(o.code, s->code);
}

static size_t sweeps;
static size_t allocations;

static void sweep_call(subject *s, call which) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_program *program = NULL;
    test_arena(&arena, &heap, 0);
    s->call = which;
    bool of_program = which == CALL_ENCODE || which == CALL_CHECK || which == CALL_SIGNATURE ||
                      which == CALL_CANON_TORCH || which == CALL_CANON;
    if (of_program &&
        !ep_decode(&arena, (ep_bytes){s->text.data, s->text.size}, &s->options, &program, NULL)) {
        ep_arena_free(&arena);
        return;
    }
    outcome whole = watch(s, program, (test_heap){0}, 0);
    s->code = whole.code;
    sweep_allocations(s, program, whole.calls);
    sweep_caps(s, program, whole.peak);
    sweeps++;
    allocations += whole.calls;
    ep_arena_free(&arena);
}

static void sweep(const char *about, const char *json, const ep_decode_options *options) {
    subject s = {.about = about, .options = *options};
    test_add_str(&s.text, json);
    test_text_exact(&s.text);
    sweep_call(&s, CALL_WIRE);
    sweep_call(&s, CALL_DECODE);
    sweep_call(&s, CALL_CHECK);
    sweep_call(&s, CALL_SIGNATURE);
    sweep_call(&s, CALL_CANON_TORCH);
    sweep_call(&s, CALL_CANON);
    test_text_free(&s.text);
}

/* What is decoded and encoded again to the same bytes. */
static void sweep_whole(const char *about, const char *json) {
    ep_decode_options options = ep_decode_options_default();
    subject s = {.about = about, .options = options};
    sweep(about, json, &options);
    test_add_str(&s.text, json);
    test_text_exact(&s.text);
    sweep_call(&s, CALL_ENCODE);
    test_text_free(&s.text);
}

static void sweep_field(const char *about, const char *version, const char *field,
                        const char *hole) {
    ep_decode_options options = ep_decode_options_default();
    test_text text = {0};
    test_program_with(&text, version, field, hole);
    test_add(&text, "", 1);
    sweep(about, text.data, &options);
    test_text_free(&text);
}

static void test_samples_oom(void) {
    for (size_t i = 0; i < TEST_SAMPLES; i++) {
        sweep_whole(test_samples[i].version, test_samples[i].json);
    }
}

static void test_siblings_oom(void) {
    sweep_field("a sibling of 1", "1-2023-12", NULL, NULL);
    sweep_field("an older sibling of 1", "1-2023-08", NULL, NULL);
    sweep_field("a sibling of 5.3", "5.3-2024-03", NULL, NULL);
    sweep_field("a sibling of 8.2", "8.2-ast", "Graph.sym_int_values",
                "{\"s\": {\"as_expr\": {\"expr_str\": \"\", \"expr_ast\": {\"args\": [{}]}}}}");
}

static void test_refused_oom(void) {
    sweep_field("a wrong type", "8.20", "Graph.inputs", "[{\"as_int\": 1}, 5]");
    sweep_field("bad UTF-8", "8.20", "Graph.inputs", "[{\"as_string\": \"\xFF\"}]");
    sweep_field("a repeated key", "8.20", "GraphModule.metadata",
                "{\"0\": \"\", \"1\": \"\", \"2\": \"\", \"3\": \"\", \"4\": \"\", \"5\": \"\", "
                "\"6\": \"\", \"7\": \"\", \"8\": \"\", \"9\": \"\", \"0\": \"\"}");
    sweep_field("an unknown field", "3.1", "GraphModule.module_call_graph",
                "[], \"x\": {\"y\": 1}");
    sweep_field("a header of two parts and more", "8.20", "ExportedProgram.schema_version",
                "{\"x\": [[], {\"y\": 1}], \"major\": 8, \"minor\": 20}");
    ep_decode_options options = ep_decode_options_default();
    sweep("no document", "", &options);
    sweep("no version", "{\"a\": [1, {\"b\": 2}]}", &options);
    sweep("an old version at the start",
          "{\"schema_version\": 1, \"graph_module\": {\"graph\": {}}}", &options);
    options.version = ep_version_find("8.20");
    sweep("another version than demanded", test_sample_of("2"), &options);
}

static void test_forward_oom(void) {
    ep_decode_options options = ep_decode_options_default();
    test_text text = {0};
    options.forward = true;
    test_program_with(&text, "8.20", "Graph.inputs",
                      "[{\"as_new\": [{\"a\": {\"b\": []}}]}, {\"as_layout\": 77}]");
    test_add(&text, "", 1);
    char *minor = strstr(text.data, "\"minor\": 20");
    if (CHECK(minor != NULL)) {
        memcpy(minor, "\"minor\": 99", 11);
        sweep("a newer minor", text.data, &options);
    }
    test_text_free(&text);
}

/* Lists, keys and depth beyond what the stacks hold at first. */
static void test_large_oom(void) {
    test_text hole = {0};
    test_text text = {0};
    test_add_str(&hole, "[{\"as_ints\": [1");
    test_add_repeat(&hole, ", 2", 1000);
    test_add_str(&hole, "]}, ");
    test_add_repeat(&hole, "{\"as_string_to_argument\": {\"k\": ", 50);
    test_add_str(&hole, "{\"as_none\": true}");
    test_add_repeat(&hole, "}}", 50);
    test_add_str(&hole, ", {\"as_string_to_argument\": {");
    for (int i = 0; i < 400; i++) {
        test_add_str(&hole, i == 0 ? "\"" : ", \"");
        test_add_int(&hole, i);
        test_add_str(&hole, "\": {\"as_int\": 1}");
    }
    test_add_str(&hole, "}}]");
    test_add(&hole, "", 1);
    test_program_with(&text, "8.20", "Graph.inputs", hole.data);
    test_add(&text, "", 1);
    sweep_whole("a large program", text.data);
    test_text_free(&hole);
    test_text_free(&text);
}

/* More keys than the stack of values has room for twice. */
static void test_keys_oom(void) {
    test_text hole = {0};
    test_add_str(&hole, "{");
    for (int i = 0; i < 300; i++) {
        test_add_str(&hole, i == 0 ? "\"" : ", \"");
        test_add_int(&hole, i);
        test_add_str(&hole, "\": 10");
    }
    test_add_str(&hole, "}");
    test_add(&hole, "", 1);
    sweep_field("many keys", "8.20", "ExportedProgram.opset_version", hole.data);
    test_text_free(&hole);
}

/* Trees of every size about that of a block: for one of them the last
 * allocation is the program itself. */
static void test_last_allocation(void) {
    for (size_t n = 0; n < 700; n++) {
        test_text hole = {0};
        subject s = {
            .about = "a list", .options = ep_decode_options_default(), .call = CALL_DECODE};
        test_add_str(&hole, "[{\"as_ints\": [1");
        test_add_repeat(&hole, ", 1", n);
        test_add_str(&hole, "]}]");
        test_add(&hole, "", 1);
        test_program_with(&s.text, "8.20", "Graph.inputs", hole.data);
        outcome whole = watch(&s, NULL, (test_heap){0}, 0);
        outcome cut = watch(&s, NULL, (test_heap){.fail_at = whole.calls, .fail_on = true}, 0);
        CHECK_EQ_INT(whole.code, EP_OK);
        CHECK_EQ_INT(cut.code, EP_MEMORY);
        test_text_free(&hole);
        test_text_free(&s.text);
    }
}

/* ------------------------------------------------------- the levels above types */

#define NAMED(name, arg) "{\"name\": \"" name "\", \"arg\": " arg "}"
#define TENSOR(name) "{\"as_tensor\": {\"name\": \"" name "\"}}"
#define SIZED(size)                                                                                \
    "{\"dtype\": 7, \"sizes\": [" size "], \"requires_grad\": false, \"device\": {\"type\": "      \
    "\"cpu\"}, \"strides\": [{\"as_int\": 1}], \"storage_offset\": {\"as_int\": 0}, \"layout\": "  \
    "7}"
#define S0                                                                                         \
    "{\"as_expr\": {\"expr_str\": \"Mul(Integer(2), Symbol('s0', positive=True, "                  \
    "integer=True))\", "                                                                           \
    "\"hint\": {\"as_int\": 4}}}"
#define BRANCH(name)                                                                               \
    "{\"as_graph\": {\"name\": \"" name "\", \"graph\": {\"inputs\": [" TENSOR(                    \
        "\\u0061") "], "                                                                           \
                   "\"outputs\": [" TENSOR("a") "], \"nodes\": [], \"tensor_values\": "            \
                                                "{\"a\": " SIZED(S0) "}, "                         \
                                                                     "\"sym_int_values\": {}, "    \
                                                                     "\"sym_bool_values\": {}}}}"

/* A program with every language and a subgraph in it, names with escapes, a
 * parameter that is mutated, and an operator that nobody knows. */
static const test_hole rich[] = {
    {"Graph.inputs", "[" TENSOR("p") ", " TENSOR("x") ", " TENSOR("c") "]"},
    {"Graph.outputs", "[" TENSOR("q") ", " TENSOR("y") "]"},
    {"Graph.nodes",
     "[{\"target\": \"torch.ops.aten.add.Tensor\", \"inputs\": [" NAMED("self", TENSOR("\\u0070")) ", " NAMED("other", TENSOR("x")) "], \"outputs\": [" TENSOR(
         "q") "], \"metadata\": {\"nn_module_stack\": \"L__self__,,a.B;L__self___c,c,a.C\", "
              "\"torch_fn\": \"add_1;method.add\", \"source_fn_stack\": \"add,add\", \"custom\": "
              "\"{\\\"k\\\": [1, 2.5]}\", \"from_node\": \"[]\"}}, {\"target\": "
              "\"torch.ops.higher_order.cond\", \"inputs\": [" NAMED("", TENSOR("c")) ", " NAMED("", BRANCH("true_graph_0")) ", " NAMED(
                  "",
                  BRANCH(
                      "false_graph_0")) ", " NAMED("",
                                                   "{\"as_tensors\": [{\"name\": "
                                                   "\"x\"}]}") "], \"outputs\": "
                                                               "[" TENSOR(
                                                                   "y") "], "
                                                                        "\"metada"
                                                                        "ta\": "
                                                                        "{}, "
                                                                        "\"is_"
                                                                        "hop_"
                                                                        "single_"
                                                                        "tensor_"
                                                                        "return\""
                                                                        ": "
                                                                        "true}, "
                                                                        "{\"targe"
                                                                        "t\": "
                                                                        "\"torch."
                                                                        "ops."
                                                                        "mine.f."
                                                                        "default"
                                                                        "\", "
                                                                        "\"inputs"
                                                                        "\": "
                                                                        "[" NAMED(
                                                                            "d",
                                                                            "{\"a"
                                                                            "s_"
                                                                            "stri"
                                                                            "ng_"
                                                                            "to_"
                                                                            "argu"
                                                                            "ment"
                                                                            "\": "
                                                                            "{\"k"
                                                                            "\":"
                                                                            " " TENSOR(
                                                                                "x") ", \"l\": "
                                                                                     "{\"as_int\": "
                                                                                     "1}}}") "], "
                                                                                             "\"out"
                                                                                             "puts"
                                                                                             "\": "
                                                                                             "[], "
                                                                                             "\"met"
                                                                                             "adata"
                                                                                             "\": "
                                                                                             "{}}"
                                                                                             "]"},
    {"Graph.tensor_values", "{\"p\": " SIZED(S0) ", \"x\": " SIZED(S0) ", \"c\": " SIZED(
                                S0) ", \"q\": " SIZED(S0) ", \"\\u0079\": " SIZED(S0) "}"},
    {"GraphSignature.input_specs",
     "[{\"parameter\": {\"arg\": {\"name\": \"p\"}, \"parameter_name\": \"w\\u0077\"}}, "
     "{\"user_input\": {\"arg\": " TENSOR("x") "}}, {\"user_input\": {\"arg\": " TENSOR("c") "}}]"},
    {"GraphSignature.output_specs",
     "[{\"parameter_mutation\": {\"arg\": {\"name\": \"q\"}, \"parameter_name\": \"ww\"}}, "
     "{\"user_output\": {\"arg\": " TENSOR("y") "}}]"},
    {"ExportedProgram.range_constraints", "{\"s0\": {\"min_val\": 2, \"max_val\": null}}"},
    {"ExportedProgram.guards_code", "[\"L['x'].size()[0] >= 2\"]"},
    {NULL, NULL},
};

static void sweep_rich(const char *about, const char *field, const char *text, ep_code code) {
    ep_decode_options options = ep_decode_options_default();
    test_text whole = {0};
    test_hole holes[10];
    ep_error error;
    size_t n = 0;
    for (; rich[n].field != NULL; n++) {
        bool other = field != NULL && strcmp(rich[n].field, field) == 0;
        holes[n] = (test_hole){rich[n].field, other ? text : rich[n].text};
    }
    holes[n] = (test_hole){NULL, NULL};
    test_whole(&whole, "8.20", 2, 1, holes);
    test_check(test_text_exact(&whole), NULL, &error);
    if (!CHECK_EQ_INT(error.code, code)) {
        fprintf(stderr, "    %s: %s %s %s\n", about, ep_code_name(error.code), error.pointer,
                error.detail);
    }
    test_add(&whole, "", 1);
    sweep(about, whole.data, &options);
    test_text_free(&whole);
}

/* With a subgraph, which 2.3 stores as a pair; and names with escapes. */
static void test_canon_torch_oom(void) {
    static const test_hole holes[] = {
        {"Graph.inputs", "[" TENSOR("x") "]"},
        {"Graph.outputs", "[" TENSOR("\\u0079") "]"},
        {"Graph.nodes",
         "[{\"target\": \"\\u00e9\", \"inputs\": [" NAMED("\\u0061", TENSOR("x")) ", " NAMED(
             "", BRANCH("g")) "], \"outputs\": [" TENSOR("y") "], \"metadata\": {}}]"},
        {"Graph.tensor_values",
         "{\"\\u0079\": " SIZED("{\"as_int\": 1}") ", \"x\": " SIZED("{\"as_int\": 2}") "}"},
        {"GraphSignature.input_specs", "[{\"user_input\": {\"arg\": " TENSOR("\\u0078") "}}]"},
        {"GraphSignature.output_specs", "[{\"user_output\": {\"arg\": " TENSOR("y") "}}]"},
        {"ExportedProgram.opset_version", "{\"b\": 1, \"\\u0061\": 2}"},
        {NULL, NULL},
    };
    static const char *const versions[] = {"5.1", "8.20"};
    for (size_t i = 0; i < 2; i++) {
        subject s = {.about = versions[i], .options = ep_decode_options_default()};
        test_program(&s.text, versions[i], holes);
        test_text_exact(&s.text);
        sweep_call(&s, CALL_CANON_TORCH);
        CHECK_EQ_INT(s.code, EP_OK);
        test_text_free(&s.text);
    }
}

#define ONE(target, from, to)                                                                      \
    "{\"target\": \"torch.ops.aten." target "\", \"inputs\": [" NAMED(                             \
        "\\u0073elf", TENSOR(from)) "], \"outputs\": [" TENSOR(to) "], \"metadata\": {}}"

/* The epref form where nodes have no use, write, and have names with escapes; with
 * symbols to be told apart, modules and keys to be sorted. */
static void test_canon_oom(void) {
    static const test_hole holes[] = {
        {"Graph.inputs", "[" TENSOR("x") "]"},
        {"Graph.outputs", "[" TENSOR("\\u0078") "]"},
        {"Graph.nodes", "[" ONE("sin.default", "x", "a") ", " ONE("cos.default", "a", "b") ", " ONE(
                            "cos.default", "\\u0061", "c") ", " ONE("relu_.default", "c", "d") "]"},
        {"Graph.tensor_values",
         "{\"x\": " SIZED(S0) ", \"\\u0061\": " SIZED(
             "{\"as_expr\": {\"expr_str\": \"Max(Symbol('s1', positive=True, "
             "integer=True), Symbol('s2', positive=True, integer=True))\", "
             "\"hint\": null}}") ", \"c\": " SIZED(S0) ", \"b\": " SIZED(S0) ", \"d\": " SIZED(S0) "}"},
        {"GraphSignature.input_specs", "[{\"user_input\": {\"arg\": " TENSOR("\\u0078") "}}]"},
        {"GraphSignature.output_specs", "[{\"user_output\": {\"arg\": " TENSOR("x") "}}]"},
        {"GraphModule.metadata", "{\"b\": \"\", \"\\u0061\": \"\"}"},
        {"ExportedProgram.range_constraints",
         "{\"s2\": {\"min_val\": 2, \"max_val\": null}, \"2*\\u00730\": {\"min_val\": 2, "
         "\"max_val\": 8}, \"s0\": {\"min_val\": 1, \"max_val\": 4}, \"s1\": {\"min_val\": 2, "
         "\"max_val\": null}, \"u5\": {\"min_val\": 0, \"max_val\": 9}}"},
        {NULL, NULL},
    };
    subject s = {.about = "the epref form", .options = ep_decode_options_default()};
    test_whole(&s.text, "8.20", 1, 1, holes);
    test_text_exact(&s.text);
    sweep_call(&s, CALL_CANON);
    CHECK_EQ_INT(s.code, EP_OK);
    test_text_free(&s.text);
}

static void test_check_oom(void) {
    sweep_rich("a valid program", NULL, NULL, EP_OK);
    sweep_rich("a wrong guard", "ExportedProgram.guards_code", "[\"L['x'].size()[0] >= \"]",
               EP_GUARD);
    sweep_rich("a symbol without a range", "ExportedProgram.range_constraints", "{}", EP_SYMBOL);
    sweep_rich("an undefined output", "Graph.outputs", "[" TENSOR("n") ", " TENSOR("y") "]",
               EP_VALUE_UNDEFINED);
}

static void test_views_oom(void) {
    for (size_t i = 0; ep_version_at(i) != NULL; i += 7) {
        subject s = {.about = ep_version_at(i)->name};
        s.options = ep_decode_options_default();
        s.options.version = ep_version_at(i);
        sweep_call(&s, CALL_OPEN);
    }
}

int main(void) {
    test_samples_oom();
    test_siblings_oom();
    test_refused_oom();
    test_forward_oom();
    test_large_oom();
    test_keys_oom();
    test_last_allocation();
    test_check_oom();
    test_canon_torch_oom();
    test_canon_oom();
    test_views_oom();
    printf("%zu calls swept, of %zu allocations in all\n", sweeps, allocations);
    return check_report();
}
