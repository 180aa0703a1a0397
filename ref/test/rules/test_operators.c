/*
 * test_operators.c - the tables of operators: every row found and read back,
 * which versions they judge; and the rules of SPEC 5.6, each with a node that
 * breaks it, the byte of that, and a node that does not.
 */
#include "language/languages.h"
#include "rules/operator_rules.h"

#include "check.h"
#include "operator_text.h"
#include "support.h"

#include <stdlib.h>

/* ------------------------------------------------------------------- tables */

typedef struct table_row {
    uint8_t since;
    uint8_t until;
    const char *target;
    const char *arguments;
    const char *returns;
} table_row;

#define TABLE(symbol, release)
#define OPERATOR(since, until, tags, target, arguments, returns)                                   \
    {EP_OPERATORS_##since, EP_OPERATORS_##until, target, arguments, returns},
static const table_row table[] = {
#include "rules/operators.def"
};

/* That the row of a table is what the search finds for its target. */
static void check_row(ep_arena *arena, const table_row *row) {
    const ep_operator *op;
    test_text text = {0};
    if (!CHECK_NOTE(ep_operator_find(arena, ep_text_of(row->target), 1u << row->since, &op) &&
                        op != NULL,
                    row->target)) {
        return;
    }
    CHECK(op->older == NULL && op->since == row->since && op->until == row->until);
    for (size_t i = 0; i < op->argument_count; i++) {
        CHECK_EQ_INT(op->required >> i & 1, !op->arguments[i].has_default);
    }
    test_add_arguments(&text, op);
    CHECK_EQ_BYTES(text.data, text.size, row->arguments, strlen(row->arguments));
    text.size = 0;
    test_add_returns(&text, op);
    CHECK_EQ_BYTES(text.data, text.size, row->returns, strlen(row->returns));
    test_text_free(&text);
}

static void test_rows(void) {
    test_heap heap = {0};
    for (size_t i = 0; i < EP_COUNT_OF(table); i++) {
        ep_arena arena;
        test_arena(&arena, &heap, 0);
        check_row(&arena, &table[i]);
        ep_arena_free(&arena);
        if (i > 0) { /* SPEC 5.6.1: a search by halves needs the order */
            int order = strcmp(table[i - 1].target, table[i].target);
            CHECK_NOTE(order < 0 || (order == 0 && table[i - 1].until <= table[i].since),
                       table[i].target);
        }
    }
    CHECK_EQ_INT(heap.bytes, 0);
}

enum { ALL_TABLES = (1 << EP_OPERATORS_END) - 1 };

static void test_absent(void) {
    static const char *const absent[] = {
        "",
        "aten",
        "aten.add",
        "aten.add.",
        "aten.add.Tenso",
        "aten.add.Tensor2",
        "zzz.a.b",
        "torch.ops.aten.add.Tensor",
        "AAA.a.b",
        "\xFF",
    };
    test_heap heap = {0};
    ep_arena arena;
    const ep_operator *op;
    test_arena(&arena, &heap, 0);
    for (size_t i = 0; i < EP_COUNT_OF(absent); i++) {
        CHECK(ep_operator_find(&arena, ep_text_of(absent[i]), ALL_TABLES, &op));
        CHECK_NOTE(op == NULL, absent[i]);
    }
    ep_arena_free(&arena);
}

static void test_details(void) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_operator *op;
    test_arena(&arena, &heap, 0);
    ep_bytes add = EP_TEXT("aten.add_.Tensor");
    if (CHECK(ep_operator_find(&arena, add, ALL_TABLES, &op) && op != NULL)) {
        CHECK(op->mutates && op->takes_numbers);
        CHECK_EQ_INT(op->arguments[0].type, EP_OPERATOR_TENSOR);
        CHECK_EQ_INT(op->arguments[2].type, EP_OPERATOR_NUMBER);
    }
    ep_bytes view = EP_TEXT("aten.view.default");
    if (CHECK(ep_operator_find(&arena, view, ALL_TABLES, &op) && op != NULL)) {
        CHECK(!op->mutates && !op->takes_numbers);
        CHECK(op->arguments[1].list && op->arguments[1].type == EP_OPERATOR_INTS);
    }
    ep_bytes dropout = EP_TEXT("aten.dropout.default");
    if (CHECK(ep_operator_find(&arena, dropout, ALL_TABLES, &op) && op != NULL)) {
        CHECK_EQ_INT(op->tags & EP_OPERATOR_SEEDED, EP_OPERATOR_SEEDED);
    }
    ep_bytes index = EP_TEXT("aten.index_put.default");
    if (CHECK(ep_operator_find(&arena, index, ALL_TABLES, &op) && op != NULL)) {
        CHECK_EQ_INT(op->arguments[1].type, EP_OPERATOR_OPTIONAL_TENSORS);
        CHECK_EQ_INT(op->tags, 0);
    }
    ep_bytes conv = EP_TEXT("quantized.conv2d.new");
    if (CHECK(ep_operator_find(&arena, conv, ALL_TABLES, &op) && op != NULL)) {
        CHECK_EQ_INT(op->arguments[1].type, EP_OPERATOR_CLASS);
    }
    ep_arena_free(&arena);
}

/* An operator of two signatures has the newest first. */
static void test_newest_first(void) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_operator *op;
    size_t several = 0;
    test_arena(&arena, &heap, 0);
    for (size_t i = 1; i < EP_COUNT_OF(table); i++) {
        if (strcmp(table[i - 1].target, table[i].target) != 0) {
            continue;
        }
        several++;
        CHECK(ep_operator_find(&arena, ep_text_of(table[i].target), ALL_TABLES, &op));
        for (; op != NULL && op->older != NULL; op = op->older) {
            CHECK(op->older->until <= op->since);
        }
    }
    CHECK(several > 0);
    ep_arena_free(&arena);
}

/* The minor number in "2.13.0". */
static unsigned long minor_of(const char *release) {
    return strtoul(strchr(release, '.') + 1, NULL, 10);
}

/* The tables of releases as version.def lists them: "2.4.0 2.4.1". */
static unsigned tables_of(const char *releases) {
#define TABLE(symbol, release) release,
#define OPERATOR(since, until, tags, target, arguments, returns)
    static const char *const tables[] = {
#include "rules/operators.def"
    };
    unsigned found = 0;
    for (; releases != NULL; releases = strchr(releases, ' ')) {
        releases += *releases == ' ';
        for (size_t i = 0; i < EP_COUNT_OF(tables); i++) {
            found |= (unsigned)(minor_of(tables[i]) == minor_of(releases)) << i;
        }
    }
    return found;
}

static unsigned highest_bit(unsigned bits) {
    while ((bits & (bits - 1)) != 0) {
        bits &= bits - 1;
    }
    return bits;
}

/* SPEC 5.6: the tables of the releases that write a version; where none does,
 * of the last one before it and the first after it. */
static void test_versions(void) {
#define VERSION(symbol, name, major, minor, last, number, unions, nulls, floats, ids, treespec,    \
                marker, releases, note)                                                            \
    releases,
    static const char *const written[EP_FUTURE] = {
#include "schema/version.def"
    };
    unsigned before = 0;
    for (int version = 0; version < EP_FUTURE; version++) {
        unsigned expected = tables_of(written[version]);
        if (expected != 0) {
            before = highest_bit(expected);
        } else {
            int next = version;
            while (written[next] == NULL) {
                next++;
            }
            unsigned after = tables_of(written[next]);
            expected = before | (after & (~after + 1));
        }
        CHECK_EQ_INT(ep_operator_tables((ep_version_number)version), expected);
        CHECK(expected != 0);
    }
    CHECK_EQ_INT(ep_operator_tables(EP_V8_18), 1 << EP_OPERATORS_2_11 | 1 << EP_OPERATORS_2_12);
    CHECK(ep_operator_namespace_closed(EP_TEXT("aten")));
    CHECK(!ep_operator_namespace_closed(EP_TEXT("c10d")));
    CHECK(!ep_operator_namespace_closed(EP_TEXT("ate")));
}

/* -------------------------------------------------------------------- rules */

typedef struct judged {
    test_heap heap;
    ep_arena arena;
    test_text text;
    ep_memo memo;
    ep_judge judge;
    size_t notes;
} judged;

static void count_note(void *context, const ep_error *error) {
    judged *j = context;
    j->notes++;
    CHECK_EQ_INT(error->code, EP_NAMESPACE);
}

static void open_nodes(judged *j, const char *version, const char *nodes, const char *verifier,
                       size_t *mark) {
    bool by_dialect = strcmp(version, "3.1") == 0;
    char text[64];
    snprintf(text, sizeof text, by_dialect ? "\"%s\"" : "[\"%s\"]", verifier);
    test_hole holes[] = {
        {"Graph.nodes", nodes},
        {by_dialect ? "ExportedProgram.dialect" : "ExportedProgram.verifiers", text},
        {NULL, NULL},
    };
    *j = (judged){.notes = 0};
    test_program(&j->text, version, holes);
    *mark = test_take_mark(&j->text);
    test_arena(&j->arena, &j->heap, 0);
    const ep_program *program;
    ep_error error;
    ep_bytes input = test_text_exact(&j->text);
    if (!ep_decode(&j->arena, input, NULL, &program, &error)) {
        fprintf(stderr, "%s\n%s: %s\n", nodes, error.pointer, error.detail);
        exit(EXIT_FAILURE);
    }
    ep_memo_init(&j->memo, &j->arena);
    j->judge = (ep_judge){
        .program = program,
        .input = input,
        .version = ep_version_number_of(ep_program_version(program)),
        .arena = &j->arena,
        .memo = &j->memo,
        .notes = {.warn = count_note, .context = j},
    };
    ep_fields_open(&j->judge.fields, program->schema);
    j->judge.functional = ep_verifiers_functional(&j->judge);
    ep_strings strings = {
        .program = program,
        .fields = &j->judge.fields,
        .arena = &j->arena,
        .memo = &j->memo,
        .limits = ep_limits_default(),
        .version = j->judge.version,
    };
    CHECK(ep_strings_judge(&strings)); /* targets are read before the rules */
}

static void run_rule(judged *j) {
    const ep_fields *fields = &j->judge.fields;
    const ep_node *module =
        ep_field_node(fields, j->judge.program->root, EP_F_ExportedProgram_graph_module);
    const ep_node *graph = ep_field_node(fields, module, EP_F_GraphModule_graph);
    uint64_t nodes = ep_field_bits(fields, graph, EP_F_Graph_nodes);
    ep_scope scope = {.graph = graph};
    for (size_t i = 0; i < ep_list_count(nodes); i++) {
        ep_rule_operator(&j->judge, &scope, ep_item_node(nodes, i));
    }
}

static void close_nodes(judged *j) {
    ep_memo_free(&j->memo);
    ep_arena_free(&j->arena);
    CHECK_EQ_INT(j->heap.bytes, 0);
    test_text_free(&j->text);
}

/* Nodes, the code that they break, with an @ before the byte of it. */
typedef struct rule_case {
    const char *version;
    const char *nodes;
    ep_code code;
    size_t notes;
    const char *verifier; /* NULL: TRAINING */
} rule_case;

#define NODE(target, inputs, outputs)                                                              \
    "{\"target\": " target ", \"inputs\": [" inputs "], \"outputs\": [" outputs                    \
    "], \"metadata\": {}}"
#define ONE(target, inputs, outputs) "[" NODE("\"" target "\"", inputs, outputs) "]"
#define ARG(name, arg) "{\"name\": " name ", \"arg\": " arg "}"
#define KIND(name, arg, kind) "{\"name\": " name ", \"arg\": " arg ", \"kind\": " kind "}"
#define SELF "\"self\""
#define OTHER "\"other\""
#define T "{\"as_tensor\": {\"name\": \"x\"}}"
#define TS "{\"as_tensors\": [{\"name\": \"x\"}]}"
#define I "{\"as_int\": 1}"
#define F "{\"as_float\": 1.5}"
#define S "{\"as_string\": \"a\"}"
#define NONE "{\"as_none\": true}"
#define SYM "{\"as_sym_int\": {\"as_name\": \"s\"}}"
#define SYM_BOOL "{\"as_sym_bool\": {\"as_name\": \"b\"}}"
#define RELU "torch.ops.aten.relu.default"
#define ADD "torch.ops.aten.add.Tensor"
#define FULL "torch.ops.aten.full.default"
#define ADD_SELF ADD, ARG(SELF, T)
#define VIEW(arg) ONE("torch.ops.aten.view.default", ARG(SELF, T) ", " ARG("\"size\"", arg), T)
#define SUM(symbols) ONE("_operator.add", symbols, SYM)
#define AB(a, b) ARG("\"a\"", a) ", " ARG("\"b\"", b)
#define TYPE_VALUE(tag, value) "{\"$type\": \"" tag "\", \"$value\": " value "}"
#define TV_T TYPE_VALUE("as_tensor", "{\"name\": \"x\"}")
#define TV_I TYPE_VALUE("as_sym_int", TYPE_VALUE("as_name", "\"s\""))
#define FLASH(outputs)                                                                             \
    ONE("torch.ops.aten._scaled_dot_product_flash_attention.default",                              \
        ARG("\"query\"", TV_T) ", " ARG("\"key\"", TV_T) ", " ARG("\"value\"", TV_T), outputs)

static const rule_case cases[] = {
    {"8.20", ONE(RELU, ARG(SELF, T), T), EP_OK, 0, NULL},
    {"8.20", ONE(RELU, ARG("\"s\\u0065lf\"", T), T), EP_OK, 0, NULL},
    {"8.20", ONE("torch.ops.aten.r\\u0065lu.default", ARG(SELF, T), T), EP_OK, 0, NULL},

    /* SPEC 5.6.1, 5.6.9 */
    {"8.20", "[" NODE("@\"torch.ops.aten.nope.default\"", "", "") "]", EP_OPERATOR, 0, NULL},
    {"8.20", "[" NODE("@\"torch.ops.aten.relu.nope\"", "", "") "]", EP_OPERATOR, 0, NULL},
    {"7.3", "[" NODE("@\"torch.ops.prims.nope.default\"", "", "") "]", EP_OPERATOR, 0, NULL},
    {"8.14", "[" NODE("@\"torch.ops.aten.nope.default\"", "", "") "]", EP_OPERATOR, 0, NULL},
    {"8.18", "[" NODE("@\"torch.ops.aten.__class__.default\"", "", "") "]", EP_OPERATOR, 0, NULL},
    {"8.14", ONE("torch.ops.c10d.nope.default", "", ""), EP_OK, 1, NULL},
    {"8.14",
     ONE("torch.ops.prims.fma.default", ARG("\"a\"", T) ", " ARG("\"b\"", T) ", " ARG("\"c\"", T),
         T),
     EP_OK, 0, NULL},
    {"7.3",
     ONE("torch.ops.prims.slice_in_dim.default",
         ARG("\"a\"", T) ", " ARG("\"start_index\"", I) ", " ARG("\"limit_index\"", I), T),
     EP_OK, 0, NULL},
    {"8.2", "[" NODE("@\"torch.ops.prims.slice_in_dim.default\"", "", "") "]", EP_OPERATOR, 0,
     NULL},
    {"8.20", ONE("torch.ops.mine.nope.default", ARG("\"any\"", S), ""), EP_OK, 1, NULL},
    {"8.20", ONE("torch.ops.c10d.nope.default", "", ""), EP_OK, 1, NULL},
    {"8.20",
     "[" NODE("\"torch.ops.mine.nope.default\"", "",
              "") ", " NODE("\"torch.ops.mine.nope.default\"", "", "") "]",
     EP_OK, 1, NULL},
    {"8.20", ONE("torch.ops.higher_order.cond", ARG("\"\"", S), ""), EP_OK, 0, NULL},
    {"7.3", ONE("#mine:op", ARG("\"\"", S), ""), EP_OK, 0, NULL},

    /* SPEC 5.6.2 */
    {"8.20", ONE(RELU, ARG(SELF, T) ", " ARG("@\"zz\"", T), T), EP_OPERATOR_ARGUMENT, 0, NULL},
    {"8.20", ONE(RELU, ARG(SELF, T) ", " ARG("@\"\"", T), T), EP_OPERATOR_ARGUMENT, 0, NULL},

    /* SPEC 5.6.3 */
    {"8.20", ONE(RELU, ARG(SELF, T) ", " ARG("@" SELF, T), T), EP_OPERATOR_TWICE, 0, NULL},

    /* SPEC 5.6.4 */
    {"8.20", "[@" NODE("\"" RELU "\"", "", T) "]", EP_OPERATOR_MISSING, 0, NULL},
    {"8.20", "[@" NODE("\"" ADD "\"", ARG(OTHER, T), T) "]", EP_OPERATOR_MISSING, 0, NULL},

    /* SPEC 5.6.5 */
    {"8.20", ONE(ADD, KIND(SELF, T, "1") ", " KIND(OTHER, T, "1"), T), EP_OK, 0, NULL},
    {"8.20", ONE(ADD, KIND(SELF, T, "1") ", " KIND(OTHER, T, "2"), T), EP_OK, 0, NULL},
    {"8.20", ONE(ADD, KIND(OTHER, T, "2") ", " KIND(SELF, T, "2"), T), EP_OK, 0, NULL},
    {"8.20", ONE(ADD, ARG(SELF, T) ", " KIND(OTHER, T, "1"), T), EP_OK, 0, NULL},
    {"8.20", ONE(ADD, ARG(OTHER, T) ", " ARG(SELF, T), T), EP_OK, 0, NULL},
    {"5.1", ONE(ADD, ARG(OTHER, "{\"as_tensor\": {\"name\": \"x\"}}") ", " ARG(SELF, T), T), EP_OK,
     0, NULL},
    {"8.20", ONE(ADD, KIND("@" OTHER, T, "1") ", " KIND(SELF, T, "1"), T), EP_OPERATOR_ORDER, 0,
     NULL},
    {"8.20", ONE(ADD, KIND(SELF, T, "2") ", " KIND("@" OTHER, T, "1"), T), EP_OPERATOR_ORDER, 0,
     NULL},
    {"8.20",
     ONE(ADD, KIND(SELF, T, "1") ", " KIND(OTHER, T, "1") ", " KIND("@\"alpha\"", I, "1"), T),
     EP_OPERATOR_ORDER, 0, NULL},
    {"8.20", ONE(ADD, KIND(OTHER, T, "2") ", " KIND("@" SELF, T, "1"), T), EP_OPERATOR_ORDER, 0,
     NULL},

    /* SPEC 5.6.6 */
    {"8.20", ONE(RELU, ARG(SELF, "@" I), T), EP_OPERATOR_TYPE, 0, NULL},
    {"8.20", ONE(RELU, ARG(SELF, "@" NONE), T), EP_OPERATOR_TYPE, 0, NULL},
    {"8.20", ONE(ADD, ARG(SELF, T) ", " ARG(OTHER, F), T), EP_OK, 0, NULL},
    {"8.20", ONE(ADD, ARG(SELF, T) ", " ARG(OTHER, SYM), T), EP_OK, 0, NULL},
    {"8.20", ONE(ADD, ARG(SELF, T) ", " ARG(OTHER, "@" S), T), EP_OPERATOR_TYPE, 0, NULL},
    {"8.20", VIEW("{\"as_ints\": [1]}"), EP_OK, 0, NULL},
    {"8.20", VIEW("{\"as_sym_ints\": [{\"as_name\": \"s\"}, {\"as_int\": 2}]}"), EP_OK, 0, NULL},
    {"8.20", VIEW("@" F), EP_OPERATOR_TYPE, 0, NULL},
    {"8.20", VIEW("@{\"as_floats\": [1.5]}"), EP_OPERATOR_TYPE, 0, NULL},
    {"8.20", VIEW("@{\"as_strings\": []}"), EP_OPERATOR_TYPE, 0, NULL},
    {"5.1", VIEW("{\"as_strings\": []}"), EP_OK, 0, NULL},
    {"5.1", VIEW("@{\"as_strings\": [\"a\"]}"), EP_OPERATOR_TYPE, 0, NULL},
    {"5.1", ONE(RELU, ARG(SELF, "@{\"as_bools\": []}"), T), EP_OPERATOR_TYPE, 0, NULL},
    {"8.20",
     ONE(FULL,
         ARG("\"size\"", "{\"as_ints\": []}") ", " ARG("\"fill_value\"", F) ", " ARG(
             "\"dtype\"", "{\"as_scalar_type\": 7}") ", " ARG("\"layout\"", NONE),
         T),
     EP_OK, 0, NULL},
    {"8.20",
     ONE(FULL,
         ARG("\"size\"", "{\"as_ints\": []}") ", " ARG("\"fill_value\"", F) ", " ARG("\"dtype\"",
                                                                                     "@" S),
         T),
     EP_OPERATOR_TYPE, 0, NULL},

    /* SPEC 5.6.7 */
    {"8.20", "[@" NODE("\"" RELU "\"", ARG(SELF, T), "") "]", EP_OPERATOR_OUTPUTS, 0, NULL},
    {"8.20", "[@" NODE("\"" RELU "\"", ARG(SELF, T), T ", " T) "]", EP_OPERATOR_OUTPUTS, 0, NULL},
    {"8.20", ONE(RELU, ARG(SELF, T), "@" TS), EP_OPERATOR_OUTPUTS, 0, NULL},
    {"8.20", ONE(RELU, ARG(SELF, T), NONE), EP_OK, 0, NULL},
    {"8.20", ONE("torch.ops.aten.max.dim", ARG(SELF, T) ", " ARG("\"dim\"", I), T ", " NONE), EP_OK,
     0, NULL},
    {"8.20", ONE("torch.ops.aten.sym_size.int", ARG(SELF, T) ", " ARG("\"dim\"", I), SYM), EP_OK, 0,
     NULL},
    {"8.20", ONE("torch.ops.aten.sym_size.int", ARG(SELF, T) ", " ARG("\"dim\"", I), "@" T),
     EP_OPERATOR_OUTPUTS, 0, NULL},
    {"3.1", FLASH(TV_T ", " TV_T ", " TV_T ", " TV_T ", " TV_T ", " TV_T ", " TV_T), EP_OK, 0,
     NULL},
    {"3.1",
     FLASH(TV_T ", " TV_T ", " TV_T ", " TV_T ", " TV_I ", " TV_I ", " TV_T ", " TV_T ", " TV_T),
     EP_OK, 0, NULL},
    {"3.1", FLASH(TV_T ", " TV_T ", " TV_T ", " TV_T ", @" TV_I ", " TV_T ", " TV_T),
     EP_OPERATOR_OUTPUTS, 0, NULL},
    {"3.1",
     "[@" NODE("\"torch.ops.aten.sym_size.int\"",
               ARG(SELF, TV_T) ", " ARG("\"dim\"", TYPE_VALUE("as_int", "0")), "") "]",
     EP_OPERATOR_OUTPUTS, 0, NULL},

    /* SPEC 5.6.8 */
    {"8.20", ONE("torch.ops.aten.relu_.default", ARG(SELF, T), T), EP_OK, 0, "TRAINING"},
    {"8.20", ONE("torch.ops.aten.relu_.default", ARG(SELF, T), T), EP_OK, 0, ""},
    {"8.20", "[" NODE("@\"torch.ops.aten.relu_.default\"", ARG(SELF, T), T) "]",
     EP_OPERATOR_VERIFIER, 0, "ATEN"},
    {"3.1", "[" NODE("@\"torch.ops.aten.relu_.default\"", ARG(SELF, TV_T), TV_T) "]",
     EP_OPERATOR_VERIFIER, 0, "ATEN"},
    {"8.20", ONE(RELU, ARG(SELF, T), T), EP_OK, 0, "ATEN"},

    /* the functions on symbols */
    {"8.20", SUM(AB(SYM, I)), EP_OK, 0, NULL},
    {"8.20", SUM(AB(SYM, "@" T)), EP_OPERATOR_TYPE, 0, NULL},
    {"8.20", SUM(AB(SYM, "@" SYM_BOOL)), EP_OPERATOR_TYPE, 0, NULL},
    {"8.20", SUM(AB(SYM, I) ", " ARG("@\"c\"", I)), EP_OPERATOR_ARGUMENT, 0, NULL},
    {"8.20", "[@" NODE("\"_operator.add\"", ARG("\"a\"", SYM), SYM) "]", EP_OPERATOR_MISSING, 0,
     NULL},
    {"8.20", ONE("_operator.le", AB(SYM, I), SYM_BOOL), EP_OK, 0, NULL},
    {"8.20", ONE("_operator.le", AB(SYM, I), "@" SYM), EP_OPERATOR_OUTPUTS, 0, NULL},
    {"8.20",
     ONE("torch.sym_ite", ARG("\"b\"", SYM_BOOL) ", " ARG("\"t\"", SYM) ", " ARG("\"f\"", I), SYM),
     EP_OK, 0, NULL},
    {"8.20",
     ONE("torch.sym_ite", ARG("\"b\"", "@" SYM) ", " ARG("\"t\"", SYM) ", " ARG("\"f\"", I), SYM),
     EP_OPERATOR_TYPE, 0, NULL},

    /* of several faults the lowest clause, of one clause the first */
    {"8.20", ONE(RELU, ARG(SELF, I) ", " ARG("@\"zz\"", I), TS), EP_OPERATOR_ARGUMENT, 0, NULL},
    {"8.20",
     "[" NODE("\"" RELU "\"", ARG(SELF, "@" I), T) ", " NODE("\"" RELU "\"", ARG(SELF, S), T) "]",
     EP_OPERATOR_TYPE, 0, NULL},
};

static void check_case(const rule_case *c) {
    judged j;
    size_t mark;
    open_nodes(&j, c->version, c->nodes, c->verifier == NULL ? "TRAINING" : c->verifier, &mark);
    run_rule(&j);
    CHECK(!j.judge.out_of_memory);
    bool holds = CHECK_EQ_INT(j.judge.fault.code, c->code);
    holds &= CHECK_EQ_INT(j.notes, c->notes);
    holds &= c->code == EP_OK || CHECK_EQ_INT(j.judge.fault.offset, mark);
    if (!holds) {
        fprintf(stderr, "  %s: %s\n", c->version, c->nodes);
    }
    close_nodes(&j);
}

static void test_rules(void) {
    for (size_t i = 0; i < EP_COUNT_OF(cases); i++) {
        check_case(&cases[i]);
    }
}

/* Any signature of a version's tables will do; where none does, the newest
 * says what is wrong: the first argument had another name before 2.15. */
static void test_two_signatures(void) {
#define PDIST(first, last)                                                                         \
    ONE("torch.ops.aten._pdist_backward.default",                                                  \
        ARG(first, T) ", " ARG(SELF, T) ", " ARG("\"p\"", F) ", " ARG("\"pdist\"", last), T)
    static const rule_case both[] = {
        {"8.20", PDIST("\"grad\"", T), EP_OK, 0, NULL},
        {"8.20", PDIST("\"grad_output\"", T), EP_OK, 0, NULL},
        {"8.19", PDIST("@\"grad_output\"", T), EP_OPERATOR_ARGUMENT, 0, NULL},
        {"8.20", PDIST("@\"grad\"", F), EP_OPERATOR_ARGUMENT, 0, NULL},
        {"8.20", PDIST("\"grad_output\"", "@" F), EP_OPERATOR_TYPE, 0, NULL},
    };
    for (size_t i = 0; i < EP_COUNT_OF(both); i++) {
        check_case(&both[i]);
    }
}

/* ------------------------------------------------------------------- memory */

/* Every allocation refused in turn: the judge says so, and nothing is lost. */
/* Has the memo keep what is found of operators in an arena, and forget what it kept. */
static void keep_operators_in(ep_memo *memo, ep_arena *arena) {
    ep_map *texts = &memo->texts[EP_LANGUAGE_OPERATOR];
    ep_results *results = &memo->results[EP_LANGUAGE_OPERATOR];
    ep_map_free(texts);
    ep_results_free(results);
    ep_map_init(texts, arena);
    ep_results_init(results, arena);
}

static void test_memory(void) {
    static const char nodes[] =
        "[" NODE("\"torch.ops.aten.r\\u0065lu_.default\"", ARG(SELF, I), T) ", " NODE(
            "\"_operator.add\"", "", "") ", " NODE("\"torch.ops.mine.a.b\"", "", "") "]";
    bool done = false;
    for (size_t refuse = 1; !done; refuse++) {
        judged j;
        size_t mark;
        open_nodes(&j, "8.20", nodes, "ATEN", &mark);
        test_heap heap = {.fail_at = refuse, .fail_on = true};
        ep_arena arena;
        test_arena(&arena, &heap, 0);
        keep_operators_in(&j.memo, &arena);
        j.judge.arena = &arena;
        run_rule(&j);
        done = heap.calls < refuse;
        CHECK_EQ_INT(j.judge.out_of_memory, !done);
        keep_operators_in(&j.memo, &j.arena);
        ep_arena_free(&arena);
        CHECK_EQ_INT(heap.bytes, 0);
        close_nodes(&j);
        CHECK(refuse < 100);
    }
}

int main(void) {
    test_rows();
    test_absent();
    test_details();
    test_newest_first();
    test_versions();
    test_rules();
    test_two_signatures();
    test_memory();
    return check_report();
}
