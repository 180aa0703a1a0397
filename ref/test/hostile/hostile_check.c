/*
 * hostile_check.c - programs made to hurt ep_check: many names, names that
 * collide, many graphs, long and deep texts of the languages in strings. usage:
 *
 *     hostile_check [SHARE]
 *
 * Each gets the one right answer, and takes at most so many bytes of memory for
 * each of its own. That the work is linear too, CTest's time limit guards: with
 * work that grows as the square each would take minutes. SHARE makes them
 * smaller by that factor, which a sanitizer does too.
 */
#include "check.h"
#include "colliding_keys.h"
#include "whole.h"

#include <stdlib.h>
#include <time.h>

enum { MILLION = 1000 * 1000, MANY = 100 * 1000, PER_BYTE = 20, BASE = 1 << 20, MEBI = 1 << 20 };

#if defined(__SANITIZE_ADDRESS__)
enum { SLOWER = 8 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SLOWER = 8 };
#else
enum { SLOWER = 1 };
#endif
#else
enum { SLOWER = 1 };
#endif

static size_t share = SLOWER;
static size_t worst_tenths; /* memory for each byte of input, in tenths */
static const char *worst;

/* ---------------------------------------------------------------- the verdict */

typedef struct hostile {
    const char *about;
    ep_code code;
    size_t depth;   /* the limit; 0: the default */
    size_t inputs;  /* that the user passes, for the tree specs */
    size_t outputs; /* and gets */
    ep_warn *note;
    void *note_context;
} hostile;

static void check_peak(const hostile *h, const ep_arena *scratch, size_t size) {
    size_t peak = ep_arena_peak(scratch);
    size_t tenths = size > MEBI ? peak * 10 / size : 0;
    if (!CHECK(peak <= (size_t)PER_BYTE * size + BASE)) {
        fprintf(stderr, "    %s: %zu bytes of memory for %zu\n", h->about, peak, size);
    }
    if (tenths > worst_tenths) {
        worst_tenths = tenths;
        worst = h->about;
    }
}

static void judge(const hostile *h, ep_bytes input, size_t offset) {
    test_heap heap = {0};
    ep_arena arena, scratch;
    ep_error error;
    const ep_program *program;
    ep_decode_options decode = ep_decode_options_default();
    ep_check_options options = ep_check_options_default();
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, 0);
    decode.limits.depth = SIZE_MAX;
    options.limits.depth = h->depth == 0 ? options.limits.depth : h->depth;
    options.note = h->note;
    options.note_context = h->note_context;
    if (CHECK_NOTE(ep_decode(&arena, input, &decode, &program, &error), error.pointer)) {
        clock_t start = clock();
        ep_check(program, &scratch, &options, &error);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (!CHECK_EQ_INT(error.code, h->code)) {
            fprintf(stderr, "    %s: %s at %zu, %s: %s\n", h->about, ep_code_name(error.code),
                    error.offset, error.pointer, error.detail);
        } else if (offset != SIZE_MAX && !CHECK_EQ_INT(error.offset, offset)) {
            fprintf(stderr, "    %s\n", h->about);
        }
        check_peak(h, &scratch, input.size);
        printf("%-48s %9zu bytes, %5.1f a byte, %5.0f ms: %s\n", h->about, input.size,
               (double)ep_arena_peak(&scratch) / (double)input.size, seconds * 1000,
               h->code == EP_OK ? "accepted" : ep_code_name(h->code));
        fflush(stdout);
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

/* A program of 8.20 with some fields' texts, which are freed. An @ marks the
 * error. */
typedef struct field {
    const char *name;
    test_text *text;
} field;

static void expect(const hostile *h, const field *fields) {
    test_hole holes[8];
    test_text text = {0};
    size_t n = 0;
    for (; fields[n].name != NULL; n++) {
        test_add(fields[n].text, "", 1);
        holes[n] = (test_hole){fields[n].name, fields[n].text->data};
    }
    holes[n] = (test_hole){NULL, NULL};
    test_whole(&text, "8.20", h->inputs, h->outputs, holes);
    for (size_t i = 0; i < n; i++) {
        test_text_free(fields[i].text);
    }
    size_t offset = h->code == EP_OK ? SIZE_MAX : test_take_mark(&text);
    judge(h, test_text_exact(&text), offset);
    test_text_free(&text);
}

static void expect_field(const hostile *h, const char *name, test_text *text) {
    expect(h, (field[]){{name, text}, {NULL, NULL}});
}

/* ---------------------------------------------------------------------- pieces */

/* A node of an operator that nobody knows: anything may be its argument. */
#define CALL "{\"target\":\"torch.ops.my.call.default\",\"inputs\":["
#define CALL_END "],\"outputs\":[],\"metadata\":{}}"

static void add_number(test_text *text, const char *before, size_t number, const char *after) {
    test_add_str(text, before);
    test_add_int(text, (int64_t)number);
    test_add_str(text, after);
}

/* before, a number, after: for each number below n, with commas. */
static void add_each(test_text *text, size_t n, const char *before, const char *after) {
    for (size_t i = 0; i < n; i++) {
        test_add_str(text, i == 0 ? "" : ", ");
        add_number(text, before, i, after);
    }
}

static void add_colliding(test_text *text, const colliding_keys *names, const char *after) {
    for (size_t i = 0; i < names->count; i++) {
        ep_bytes name = colliding_key(names, i);
        test_add_str(text, i == 0 ? "{\"" : ",\"");
        test_add(text, name.data, name.size);
        test_add_str(text, after);
    }
    test_add_str(text, "}");
}

/* ----------------------------------------------------------------------- names */

static void test_one_name(void) {
    hostile h = {.about = "one name a million times", .inputs = 1};
    test_text inputs = {0}, nodes = {0}, values = {0}, specs = {0};
    test_add_str(&inputs, "[{\"as_tensor\": {\"name\": \"x\"}}]");
    test_add_str(&values, "{\"x\": " META_OF("2") "}");
    test_add_str(&specs, "[{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}}]");
    test_add_str(&nodes, "[" CALL "{\"name\":\"a\",\"arg\":{\"as_tensors\":[{\"name\":\"x\"}");
    test_add_repeat(&nodes, ",{\"name\":\"x\"}", MILLION / share);
    test_add_str(&nodes, "]}}" CALL_END "]");
    expect(&h, (field[]){{"Graph.inputs", &inputs},
                         {"Graph.nodes", &nodes},
                         {"Graph.tensor_values", &values},
                         {"GraphSignature.input_specs", &specs},
                         {NULL, NULL}});
}

/* Spelled with an escape wherever it is used. */
static void test_escaped_name(void) {
    hostile h = {.about = "one undefined name with escapes", .code = EP_VALUE_UNDEFINED};
    test_text nodes = {0};
    test_add_str(&nodes, "[" CALL "{\"name\":\"a\",\"arg\":{\"as_tensors\":[");
    test_add_str(&nodes, "{\"name\":@\"\\u0078\"}");
    test_add_repeat(&nodes, ",{\"name\":\"\\u0078\"}", MILLION / share);
    test_add_str(&nodes, "]}}" CALL_END "]");
    expect_field(&h, "Graph.nodes", &nodes);
}

static void test_distinct_names(void) {
    hostile h = {.about = "half a million values"};
    size_t n = MILLION / 2 / share;
    test_text nodes = {0}, values = {0};
    test_add_str(&nodes, "[{\"target\":\"torch.ops.my.call.default\",\"inputs\":[],\"outputs\":[");
    add_each(&nodes, n, "{\"as_sym_int\":{\"as_name\":\"s", "\"}}");
    test_add_str(&nodes, "],\"metadata\":{}}]");
    test_add_str(&values, "{");
    add_each(&values, n, "\"s", "\":{\"as_int\":1}");
    test_add_str(&values, "}");
    expect(&h, (field[]){{"Graph.nodes", &nodes}, {"Graph.sym_int_values", &values}, {NULL, NULL}});
}

/* Names that the hash spreads over one row of slots, and one that is looked for
 * in vain from the row's beginning on. */
static void test_row_of_names(void) {
    hostile h = {.about = "a name looked for in vain", .code = EP_VALUE_UNDEFINED};
    colliding_keys names = colliding_row(1 << 17);
    ep_bytes absent = colliding_key(&names, names.count);
    test_text nodes = {0}, values = {0};
    add_colliding(&values, &names, "\":{\"as_int\":1}");
    test_add_str(&nodes, "[" CALL "{\"name\":\"a\",\"arg\":{\"as_tensors\":[");
    for (size_t i = 0; i < MILLION / share; i++) {
        test_add_str(&nodes, i == 0 ? "{\"name\":@\"" : ",{\"name\":\"");
        test_add(&nodes, absent.data, absent.size);
        test_add_str(&nodes, "\"}");
    }
    test_add_str(&nodes, "]}}" CALL_END "]");
    colliding_free(&names);
    expect(&h, (field[]){{"Graph.nodes", &nodes}, {"Graph.sym_int_values", &values}, {NULL, NULL}});
}

static void test_pile_of_names(void) {
    hostile h = {.about = "names that all collide", .code = EP_VALUE_EXTRA};
    colliding_keys names = colliding_pile((1 << 18) / share);
    test_text values = {0};
    add_colliding(&values, &names, "\":{\"as_int\":1}");
    colliding_free(&names);
    expect_field(&h, "Graph.sym_int_values", &values);
}

static void test_nodes(void) {
    hostile h = {.about = "a million nodes", .code = EP_OK};
    size_t n = MILLION / share;
    test_text nodes = {0};
    test_add_str(&nodes, "[" CALL CALL_END);
    test_add_repeat(&nodes, "," CALL CALL_END, n);
    test_add_str(&nodes, "]");
    expect_field(&h, "Graph.nodes", &nodes);
    h = (hostile){.about = "a great many nodes of one name", .code = EP_NODE_NAME};
    test_add_str(&nodes, "[" CALL "],\"outputs\":[],\"metadata\":{},\"name\":\"n\"}");
    test_add_str(&nodes, "," CALL "],\"outputs\":[],\"metadata\":{},\"name\":@\"n\"}");
    test_add_repeat(&nodes, "," CALL "],\"outputs\":[],\"metadata\":{},\"name\":\"n\"}", n / 2);
    test_add_str(&nodes, "]");
    expect_field(&h, "Graph.nodes", &nodes);
}

/* One operator that is known, and arguments without end. */
static void test_many_arguments(void) {
    hostile h = {.about = "a great many arguments that there are not",
                 .code = EP_OPERATOR_ARGUMENT};
    test_text nodes = {0};
    test_add_str(&nodes, "[{\"target\":\"torch.ops.aten.relu.default\",\"inputs\":[");
    test_add_str(&nodes, "{\"name\":@\"x\",\"arg\":{\"as_int\":1}}");
    test_add_repeat(&nodes, ",{\"name\":\"x\",\"arg\":{\"as_int\":1}}", MILLION / share);
    test_add_str(&nodes, "],\"outputs\":[],\"metadata\":{}}]");
    expect_field(&h, "Graph.nodes", &nodes);
}

/* ------------------------------------------------------------------- operators */

static void count_note(void *context, const ep_error *error) {
    size_t *n = context;
    *n += error->code == EP_NAMESPACE;
}

static void test_many_targets(void) {
    size_t notes = 0;
    hostile h = {.about = "operators of which each is new", .note = count_note};
    h.note_context = &notes;
    test_text nodes = {0};
    test_add_str(&nodes, "[");
    add_each(&nodes, MANY / share, "{\"target\":\"torch.ops.my.call",
             ".default\",\"inputs\":[],\"outputs\":[],\"metadata\":{}}");
    test_add_str(&nodes, "]");
    expect_field(&h, "Graph.nodes", &nodes);
    CHECK(notes > 0 && notes <= MANY);
}

static void test_known_targets(void) {
    hostile h = {.about = "operators that there are not", .code = EP_OPERATOR};
    test_text nodes = {0};
    test_add_str(&nodes, "[{\"target\":@\"torch.ops.aten.no.default\",\"inputs\":[],\"outputs\":"
                         "[],\"metadata\":{}},");
    add_each(&nodes, MANY / share, "{\"target\":\"torch.ops.aten.no",
             ".default\",\"inputs\":[],\"outputs\":[],\"metadata\":{}}");
    test_add_str(&nodes, "]");
    expect_field(&h, "Graph.nodes", &nodes);
}

/* ------------------------------------------------------------------- subgraphs */

#define GRAPH                                                                                      \
    "{\"inputs\":[],\"outputs\":[],\"nodes\":[],\"tensor_values\":{},\"sym_int_values\":{},"       \
    "\"sym_bool_values\":{}}"

#define UNLIKE                                                                                     \
    "{\"inputs\":[],\"outputs\":[{\"as_none\":true}],\"nodes\":[],\"tensor_values\":{},"           \
    "\"sym_int_values\":{},\"sym_bool_values\":{}}"

static void test_many_graphs(void) {
    hostile h = {.about = "a hundred thousand nodes of a subgraph each"};
    test_text nodes = {0};
    test_add_str(&nodes, "[");
    add_each(&nodes, MANY / share, CALL "{\"name\":\"\",\"arg\":{\"as_graph\":{\"name\":\"g",
             "\",\"graph\":" GRAPH "}}}" CALL_END);
    test_add_str(&nodes, "]");
    expect_field(&h, "Graph.nodes", &nodes);
    h = (hostile){.about = "a node of a hundred thousand subgraphs"};
    test_add_str(&nodes, "[" CALL);
    add_each(&nodes, MANY / share, "{\"name\":\"\",\"arg\":{\"as_graph\":{\"name\":\"g",
             "\",\"graph\":" GRAPH "}}}");
    test_add_str(&nodes, CALL_END "]");
    expect_field(&h, "Graph.nodes", &nodes);
    h = (hostile){.about = "subgraphs of one name", .code = EP_SUBGRAPH_TWICE};
    test_add_str(&nodes,
                 "[" CALL "{\"name\":\"\",\"arg\":{\"as_graph\":{\"name\":\"g\",\"graph\":" UNLIKE
                 "}}},{\"name\":\"\",\"arg\":{\"as_graph\":{\"name\":@\"g\","
                 "\"graph\":" GRAPH "}}}");
    test_add_repeat(&nodes,
                    ",{\"name\":\"\",\"arg\":{\"as_graph\":{\"name\":\"g\",\"graph\":" GRAPH "}}}",
                    MANY / share);
    test_add_str(&nodes, CALL_END "]");
    expect_field(&h, "Graph.nodes", &nodes);
}

/* Each with a value of its own. */
static void test_many_scopes(void) {
    hostile h = {.about = "a hundred thousand subgraphs with a name"};
    test_text nodes = {0};
    test_add_str(&nodes, "[");
    add_each(&nodes, MANY / share, CALL "{\"name\":\"\",\"arg\":{\"as_graph\":{\"name\":\"g",
             "\",\"graph\":{\"inputs\":[{\"as_sym_int\":{\"as_name\":\"x\"}}],\"outputs\":[],"
             "\"nodes\":[],\"tensor_values\":{},\"sym_int_values\":{\"x\":{\"as_int\":1}},"
             "\"sym_bool_values\":{}}}}}" CALL_END);
    test_add_str(&nodes, "]");
    expect_field(&h, "Graph.nodes", &nodes);
}

/* A graph up to its nodes, behind which "]}}}}" stands. */
#define GRAPH_OPEN                                                                                 \
    "{\"name\":\"\",\"arg\":{\"as_graph\":{\"name\":\"g\",\"graph\":{\"inputs\":[],\"outputs\":[]" \
    ","                                                                                            \
    "\"tensor_values\":{},\"sym_int_values\":{},\"sym_bool_values\":{},\"nodes\":["

/* A node with a graph twice, which has such a node with a smaller one. */
static void add_pairs(test_text *text, size_t deep) {
    test_add_str(text, CALL);
    for (int i = 0; i < 2; i++) {
        test_add_str(text, i == 0 ? GRAPH_OPEN : "," GRAPH_OPEN);
        if (deep > 1) {
            add_pairs(text, deep - 1);
        }
        test_add_str(text, "]}}}}");
    }
    test_add_str(text, CALL_END);
}

/* Graphs of graphs; and operands for an operator that passes them on. */
static void test_deep_graphs(void) {
    hostile h = {.about = "subgraphs nested five thousand deep"};
    test_text nodes = {0};
    size_t deep = 5000 / share;
    test_add_str(&nodes, "[");
    for (size_t i = 0; i < deep; i++) {
        test_add_str(&nodes, CALL GRAPH_OPEN);
    }
    test_add_repeat(&nodes, "]}}}}" CALL_END, deep);
    test_add_str(&nodes, "]");
    expect_field(&h, "Graph.nodes", &nodes);
    h = (hostile){.about = "equal graphs of equal graphs, fourteen deep"};
    test_add_str(&nodes, "[");
    add_pairs(&nodes, share > 1 ? 8 : 14);
    test_add_str(&nodes, "]");
    expect_field(&h, "Graph.nodes", &nodes);
    h = (hostile){.about = "a condition with a great many operands", .code = EP_VALUE_UNDEFINED};
    test_add_str(&nodes, "[{\"target\":\"torch.ops.higher_order.cond\",\"inputs\":[");
    for (int i = 0; i < 2; i++) {
        test_add_str(&nodes, "{\"name\":\"\",\"arg\":{\"as_graph\":{\"name\":\"");
        test_add_str(&nodes, i == 0 ? "f" : "g");
        test_add_str(&nodes, "\",\"graph\":" GRAPH "}}},");
    }
    test_add_str(&nodes, "{\"name\":\"\",\"arg\":{\"as_tensors\":[{\"name\":@\"x\"}");
    test_add_repeat(&nodes, ",{\"name\":\"x\"}", MILLION / share);
    test_add_str(&nodes, "]}}],\"outputs\":[],\"metadata\":{}}]");
    expect_field(&h, "Graph.nodes", &nodes);
}

/* ------------------------------------------------------------------- arguments */

static void test_deep_arguments(void) {
    hostile h = {.about = "arguments nested 15000 deep"};
    test_text nodes = {0};
    test_add_str(&nodes, "[" CALL "{\"name\":\"a\",\"arg\":");
    test_add_repeat(&nodes, "{\"as_string_to_argument\":{\"k\":", 15000);
    test_add_str(&nodes, "{\"as_none\":true}");
    test_add_repeat(&nodes, "}}", 15000);
    test_add_str(&nodes, "}" CALL_END "]");
    expect_field(&h, "Graph.nodes", &nodes);
    h = (hostile){.about = "one graph in a dict a hundred thousand times"};
    test_add_str(&nodes, "[" CALL "{\"name\":\"a\",\"arg\":{\"as_string_to_argument\":{");
    for (size_t i = 0; i < MANY / share; i++) {
        add_number(&nodes, i == 0 ? "\"" : ",\"", i, "\":{\"as_graph\":{\"name\":");
        test_add_str(&nodes, "\"g\",\"graph\":" GRAPH "}}");
    }
    test_add_str(&nodes, "}}}" CALL_END "]");
    expect_field(&h, "Graph.nodes", &nodes);
}

/* ------------------------------------------------------------------- signature */

static void add_metas(test_text *text, size_t n) {
    test_add_str(text, "{");
    add_each(text, n, "\"p", "\":" META_OF("2"));
    test_add_str(text, "}");
}

static void test_signature(void) {
    hostile h = {.about = "fifty thousand parameters, each mutated"};
    size_t n = MANY / 2 / share;
    test_text inputs = {0}, outputs = {0}, values = {0}, in = {0}, out = {0};
    test_add_str(&inputs, "[");
    add_each(&inputs, n, "{\"as_tensor\":{\"name\":\"p", "\"}}");
    test_add_str(&inputs, "]");
    test_add(&outputs, inputs.data, inputs.size);
    add_metas(&values, n);
    test_add_str(&in, "[");
    test_add_str(&out, "[");
    for (size_t i = 0; i < n; i++) {
        test_add_str(&in, i == 0 ? "" : ",");
        add_number(&in, "{\"parameter\":{\"arg\":{\"name\":\"p", i, "\"},\"parameter_name\":\"w");
        add_number(&in, "", i, "\"}}");
        test_add_str(&out, i == 0 ? "" : ",");
        add_number(&out, "{\"parameter_mutation\":{\"arg\":{\"name\":\"p", i,
                   "\"},\"parameter_name\":\"w");
        add_number(&out, "", i, "\"}}");
    }
    test_add_str(&in, "]");
    test_add_str(&out, "]");
    expect(&h, (field[]){{"Graph.inputs", &inputs},
                         {"Graph.outputs", &outputs},
                         {"Graph.tensor_values", &values},
                         {"GraphSignature.input_specs", &in},
                         {"GraphSignature.output_specs", &out},
                         {NULL, NULL}});
}

static void test_modules(void) {
    hostile h = {.about = "a hundred thousand modules"};
    test_text entries = {0};
    test_add_str(&entries, "[{\"fqn\":\"\",\"signature\":{\"inputs\":[],\"outputs\":[],"
                           "\"in_spec\":");
    test_add_spec(&entries, true, 0);
    test_add_str(&entries, ",\"out_spec\":");
    test_add_spec(&entries, false, 0);
    test_add_str(&entries, "}},");
    add_each(&entries, MANY / share, "{\"fqn\":\"m", "\",\"signature\":null}");
    test_add_str(&entries, "]");
    expect_field(&h, "GraphModule.module_call_graph", &entries);
}

/* ----------------------------------------------------------------- expressions */

/* {"s": {"as_expr": {"expr_str": text}}} in the table of symbolic ints. */
static void expect_expression(hostile *h, test_text *expression, size_t times) {
    test_text values = {0}, nodes = {0};
    test_add(expression, "", 1);
    test_add_str(&values, "{");
    for (size_t i = 0; i < times; i++) {
        add_number(&values, i == 0 ? "\"s" : ",\"s", i, "\":{\"as_expr\":{\"expr_str\":\"");
        test_add_str(&values, expression->data);
        test_add_str(&values, "\"}}");
    }
    test_add_str(&values, "}");
    test_text_free(expression);
    test_add_str(&nodes, "[{\"target\":\"torch.ops.my.call.default\",\"inputs\":[],\"outputs\":[");
    add_each(&nodes, times, "{\"as_sym_int\":{\"as_name\":\"s", "\"}}");
    test_add_str(&nodes, "],\"metadata\":{}}]");
    expect(h, (field[]){{"Graph.nodes", &nodes}, {"Graph.sym_int_values", &values}, {NULL, NULL}});
}

static void test_symbols(void) {
    hostile h = {.about = "an expression of many unbound symbols", .code = EP_SYMBOL};
    test_text text = {0};
    test_add_str(&text, "Add(");
    add_each(&text, MANY / share, "Symbol('s", "', positive=True, integer=True)");
    test_add_str(&text, ")");
    expect_expression(&h, &text, 4);
    h.about = "an expression of one symbol many times";
    test_add_str(&text, "Add(");
    test_add_repeat(&text, "Symbol('s', integer=True), ", MANY / share);
    test_add_str(&text, "Integer(1))");
    expect_expression(&h, &text, 4);
    h.about = "one short expression many times";
    test_add_str(&text, "Symbol('s', integer=True)");
    expect_expression(&h, &text, MILLION / 4 / share);
}

/* The other form, of versions that write a bare text. */
static void expect_infix(const char *about, ep_code code, const char *parts[3], size_t times) {
    hostile h = {.about = about, .code = code};
    test_text text = {0}, values = {0}, nodes = {0};
    test_add_str(&values, "{\"s\": {\"as_expr\": {\"expr_str\": \"");
    test_add_str(&values, parts[0]);
    test_add_repeat(&values, parts[1], times);
    test_add_str(&values, parts[2]);
    test_add_str(&values, "\"}}}");
    test_add(&values, "", 1);
    test_add_str(&nodes, "[{\"target\":\"torch.ops.my.call.default\",\"inputs\":[],\"outputs\":[{"
                         "\"as_sym_int\":{\"as_name\":\"s\"}}],\"metadata\":{}}]");
    test_add(&nodes, "", 1);
    test_whole(&text, "5.3", 0, 0,
               (test_hole[]){{"Graph.nodes", nodes.data},
                             {"Graph.sym_int_values", values.data},
                             {NULL, NULL}});
    test_text_free(&nodes);
    test_text_free(&values);
    judge(&h, test_text_exact(&text), SIZE_MAX);
    test_text_free(&text);
}

static void test_infix(void) {
    expect_infix("an infix sum of a million terms", EP_SYMBOL, (const char *[]){"s0", " + s0", ""},
                 MILLION / share);
    expect_infix("an infix product", EP_SYMBOL, (const char *[]){"s0", "*s0", ""}, MILLION / share);
    expect_infix("infix parentheses", EP_LIMIT_DEPTH, (const char *[]){"", "(", "s0"},
                 MILLION / share);
    expect_infix("infix powers", EP_EXPR, (const char *[]){"s0", "**s0", ""}, MILLION / share);
    expect_infix("infix minus signs", EP_EXPR, (const char *[]){"", "-", "s0"}, MILLION / share);
    expect_infix("an infix chain of relations", EP_EXPR, (const char *[]){"s0", " < s0", ""},
                 MILLION / share);
}

static void test_deep_expressions(void) {
    hostile h = {.about = "an expression nested beyond the limit", .code = EP_LIMIT_DEPTH};
    test_text text = {0};
    test_add_repeat(&text, "Max(Integer(1), ", MANY);
    test_add_str(&text, "Integer(2)");
    test_add_repeat(&text, ")", MANY);
    expect_expression(&h, &text, 1);
    h = (hostile){.about = "an expression nested 60000 deep", .depth = 65535};
    test_add_repeat(&text, "Max(Integer(1), ", 60 * 1000);
    test_add_str(&text, "Integer(2)");
    test_add_repeat(&text, ")", 60 * 1000);
    expect_expression(&h, &text, 1);
    h = (hostile){.about = "a number of a million digits in an expression"};
    test_add_str(&text, "Integer(1");
    test_add_repeat(&text, "0", MILLION);
    test_add_str(&text, ")");
    expect_expression(&h, &text, 1);
}

/* Each of them is wrong: each is parsed, and the first is told of. */
static void test_wrong_expressions(void) {
    hostile h = {.about = "a great many wrong expressions", .code = EP_EXPR};
    test_text text = {0};
    test_add_str(&text, "Add(Integer(1), @)");
    expect_expression(&h, &text, MANY / share);
}

/* -------------------------------------------------------------------- languages */

/* A root entry whose in_spec is a text; forward_arg_names are not said. */
static void expect_spec(const hostile *h, test_text *spec) {
    test_text entries = {0};
    test_add(spec, "", 1);
    test_add_str(&entries, "[{\"fqn\":\"\",\"signature\":{\"inputs\":[],\"outputs\":[],"
                           "\"in_spec\":\"");
    test_add_str(&entries, spec->data);
    test_add_str(&entries, "\",\"out_spec\":");
    test_add_spec(&entries, false, 0);
    test_add_str(&entries, "}}]");
    test_text_free(spec);
    expect_field(h, "GraphModule.module_call_graph", &entries);
}

#define NODE                                                                                       \
    "{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": \\\"null\\\", "                       \
    "\\\"children_spec\\\": ["
#define LEAF "{\\\"type\\\": null, \\\"context\\\": null, \\\"children_spec\\\": []}"

static void test_specs(void) {
    hostile h = {.about = "a tree spec nested too deep", .code = EP_LIMIT_DEPTH};
    test_text spec = {0};
    test_add_str(&spec, "[1, ");
    test_add_repeat(&spec, NODE, MANY / share);
    test_add_repeat(&spec, "]}", MANY / share);
    test_add_str(&spec, "]");
    expect_spec(&h, &spec);
    h = (hostile){.about = "a tree spec of many leaves", .code = EP_MODULE_IN_SPEC};
    test_add_str(&spec, "[1, " NODE LEAF);
    test_add_repeat(&spec, ", " LEAF, MANY / share);
    test_add_str(&spec, "]}]");
    expect_spec(&h, &spec);
    h = (hostile){.about = "a dict of many keys in a tree spec", .code = EP_MODULE_IN_SPEC};
    test_add_str(&spec, "[1, {\\\"type\\\": \\\"builtins.dict\\\", \\\"context\\\": \\\"[");
    add_each(&spec, MANY / share, "\\\\\\\"k", "\\\\\\\"");
    test_add_str(&spec, "]\\\", \\\"children_spec\\\": [" LEAF);
    test_add_repeat(&spec, ", " LEAF, MANY / share - 1);
    test_add_str(&spec, "]}]");
    expect_spec(&h, &spec);
    h = (hostile){.about = "a dict of one long key in a tree spec", .code = EP_MODULE_IN_SPEC};
    test_add_str(&spec, "[1, {\\\"type\\\": \\\"builtins.dict\\\", \\\"context\\\": \\\"[\\\\\\\"");
    test_add_repeat(&spec, "0123456789", MANY);
    test_add_str(&spec, "\\\\\\\"]\\\", \\\"children_spec\\\": [" LEAF "]}]");
    expect_spec(&h, &spec);
}

static void expect_metadata(const hostile *h, const char *key, test_text *value) {
    test_text nodes = {0};
    test_add(value, "", 1);
    test_add_str(&nodes, "[{\"target\":\"torch.ops.my.call.default\",\"inputs\":[],\"outputs\":[],"
                         "\"metadata\":{\"");
    test_add_str(&nodes, key);
    test_add_str(&nodes, "\":\"");
    test_add_str(&nodes, value->data);
    test_add_str(&nodes, "\"}}]");
    test_text_free(value);
    expect_field(h, "Graph.nodes", &nodes);
}

#define SOURCE                                                                                     \
    "{\\\"name\\\": \\\"a\\\", \\\"target\\\": \\\"b\\\", \\\"graph_id\\\": 1, "                   \
    "\\\"pass_name\\\": \\\"p\\\", \\\"action\\\": \\\"create\\\", \\\"from_node\\\": ["

static void test_metadata(void) {
    hostile h = {.about = "a hundred thousand modules of a node"};
    test_text value = {0};
    test_add_str(&value, "L__self__,,a.B");
    test_add_repeat(&value, ";L__self___a,a,a.B", MANY / share);
    expect_metadata(&h, "nn_module_stack", &value);
    h.about = "a hundred thousand sources of a node";
    test_add_str(&value, "[" SOURCE "]}");
    test_add_repeat(&value, ", " SOURCE "]}", MANY / share);
    test_add_str(&value, "]");
    expect_metadata(&h, "from_node", &value);
    h = (hostile){.about = "sources of sources of a node", .code = EP_LIMIT_DEPTH};
    test_add_str(&value, "[");
    test_add_repeat(&value, SOURCE, MANY / share);
    test_add_repeat(&value, "]}", MANY / share);
    test_add_str(&value, "]");
    expect_metadata(&h, "from_node", &value);
    h = (hostile){.about = "custom metadata of many keys"};
    test_add_str(&value, "{");
    add_each(&value, MANY / share, "\\\"k", "\\\": [1, 2.5, null]");
    test_add_str(&value, "}");
    expect_metadata(&h, "custom", &value);
}

static void test_guards(void) {
    hostile h = {.about = "a hundred thousand guards"};
    test_text guards = {0};
    test_add_str(&guards, "[");
    add_each(&guards, MANY / share, "\"L['x'].size()[0] == ", "\"");
    test_add_str(&guards, "]");
    expect_field(&h, "ExportedProgram.guards_code", &guards);
    h = (hostile){.about = "a guard nested too deep", .code = EP_LIMIT_DEPTH};
    test_add_str(&guards, "[\"");
    test_add_repeat(&guards, "(", MILLION);
    test_add_str(&guards, "L['x']");
    test_add_repeat(&guards, ")", MILLION);
    test_add_str(&guards, "\"]");
    expect_field(&h, "ExportedProgram.guards_code", &guards);
    h = (hostile){.about = "a guard of many sums"};
    test_add_str(&guards, "[\"L['x'].size()[0] == 1");
    test_add_repeat(&guards, " + 1", MILLION / share);
    test_add_str(&guards, "\"]");
    expect_field(&h, "ExportedProgram.guards_code", &guards);
}

static void test_ranges(void) {
    hostile h = {.about = "a hundred thousand ranges"};
    test_text ranges = {0};
    test_add_str(&ranges, "{");
    add_each(&ranges, MANY / share, "\"s", "\":{\"min_val\":1,\"max_val\":2}");
    test_add_str(&ranges, "}");
    expect_field(&h, "ExportedProgram.range_constraints", &ranges);
}

int main(int argc, char **argv) {
    share *= argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1;
    test_one_name();
    test_escaped_name();
    test_distinct_names();
    test_nodes();
    test_many_arguments();
    test_known_targets();
    test_many_graphs();
    test_many_scopes();
    test_deep_graphs();
    test_deep_arguments();
    test_signature();
    test_modules();
    test_symbols();
    test_infix();
    test_deep_expressions();
    test_wrong_expressions();
    test_specs();
    test_metadata();
    test_guards();
    test_ranges();
    test_many_targets();
    test_row_of_names();
    test_pile_of_names();
    printf("at most %zu.%zu bytes of memory for each of input: %s\n", worst_tenths / 10,
           worst_tenths % 10, worst == NULL ? "" : worst);
    return check_report();
}
