/*
 * test_annex_operators.c - the annexes about operators: each row is what the library
 * finds for its target, and the library has no more; which releases judge a version; what
 * a type takes and gives; facts and effects.
 *
 *     test_annex_operators FOLDER
 */
#include "annex_file.h"

#include "operator_text.h"
#include "rules/operators.h"

static const char *folder;

/* --------------------------------------------------------------- signatures */

#define TABLE(symbol, release) release,
#define OPERATOR(since, until, tags, target, arguments, returns)
static const char *const releases[] = {
#include "rules/operators.def"
};

#define TABLE(symbol, release)
#define OPERATOR(since, until, tags, target, arguments, returns) target,
static const char *const targets[] = {
#include "rules/operators.def"
};

static const char *release_name(size_t table) {
    return table == EP_OPERATORS_END ? NULL : releases[table];
}

static unsigned release_number(const char *name) {
    unsigned i = 0;
    while (i < EP_OPERATORS_END && strcmp(releases[i], name) != 0) {
        i++;
    }
    CHECK_NOTE(i < EP_OPERATORS_END || strcmp(name, "-") == 0, name);
    return i;
}

static void expect_operator(const annex *file, size_t row, const ep_operator *op) {
    test_text arguments = {0};
    test_text returns = {0};
    test_add_arguments(&arguments, op);
    test_add(&arguments, "", 1);
    test_add_returns(&returns, op);
    test_add(&returns, "", 1);
    const char *cells[] = {
        targets[row],
        release_name(op->since),
        release_name(op->until),
        (op->tags & EP_OPERATOR_SEEDED) != 0 ? "SEEDED" : NULL,
        arguments.data,
        returns.data,
    };
    annex_expect(file, row, cells);
    test_text_free(&arguments);
    test_text_free(&returns);
}

/* Whether operator_facts.tsv says that an operator takes numbers for tensors. */
static bool takes_numbers(const annex *facts, const char *target) {
    const char *dot = strchr(target, '.');
    size_t name = (size_t)(strchr(dot + 1, '.') - target);
    for (size_t i = 0; i < facts->rows; i++) {
        const char *cell = annex_cell(facts, i, 1);
        size_t size = strlen(cell);
        bool named = size == (size_t)(dot - target) || size == name;
        if (named && strcmp(annex_cell(facts, i, 0), "NUMBERS") == 0 &&
            memcmp(cell, target, size) == 0) {
            return true;
        }
    }
    return false;
}

/* The rows from first to before end are all signatures of one target. */
static void check_target(const annex *file, const annex *facts, size_t first, size_t end) {
    ep_arena arena;
    test_heap heap = {0};
    const ep_operator *op = NULL;
    unsigned all = (1u << EP_OPERATORS_END) - 1;
    test_arena(&arena, &heap, 0);
    CHECK(ep_operator_find(&arena, ep_text_of(annex_cell(file, first, 0)), all, &op));
    for (size_t i = end; i-- > first;) { /* the newest first */
        if (CHECK_NOTE(op != NULL, annex_cell(file, i, 0))) {
            expect_operator(file, i, op);
            CHECK_NOTE(op->takes_numbers == takes_numbers(facts, targets[i]), targets[i]);
            op = op->older;
        }
    }
    CHECK_NOTE(op == NULL, annex_cell(file, first, 0));
    ep_arena_free(&arena);
}

static void test_signatures(const annex *facts) {
    annex file;
    annex_open(&file, folder, "operators", "target since until tags arguments returns");
    bool counted = CHECK_EQ_INT(file.rows, EP_COUNT_OF(targets));
    for (size_t i = 0; counted && i < file.rows;) {
        size_t end = i;
        while (end < file.rows && strcmp(annex_cell(&file, end, 0), annex_cell(&file, i, 0)) == 0) {
            end++;
        }
        check_target(&file, facts, i, end);
        i = end;
    }
    annex_close(&file);
}

static void test_releases(void) {
    annex file;
    annex_open(&file, folder, "releases", "release since until");
    CHECK_EQ_INT(file.rows, EP_OPERATORS_END);
    for (size_t version = 0; version < test_version_count(); version++) {
        unsigned tables = 0;
        for (size_t i = 0; i < file.rows; i++) {
            bool holds = annex_version_number(annex_cell(&file, i, 1)) <= version &&
                         version < annex_version_number(annex_cell(&file, i, 2));
            CHECK_EQ_INT(release_number(annex_cell(&file, i, 0)), i);
            tables |= (unsigned)holds << i;
        }
        CHECK_EQ_INT(tables, ep_operator_tables((ep_version_number)version));
    }
    annex_close(&file);
}

/* -------------------------------------------------------------------- types */

typedef struct type_row {
    const char *text;
    const char *takes; /* with bars between */
    const char *gives;
} type_row;

/* What operator_types.def names together. */
#define NUMBERS as_int | as_float | as_bool | as_complex | as_sym_int | as_sym_float | as_sym_bool
#define NUMBER_LISTS as_ints | as_floats | as_bools | as_sym_ints | as_sym_floats | as_sym_bools
#define ANYTHING any
#define TEXT(tokens) #tokens
#define TYPE(symbol, text, takes, gives) {text, TEXT(takes), TEXT(gives)},
static const type_row type_rows[] = {
#include "rules/operator_types.def"
};
#undef NUMBERS
#undef NUMBER_LISTS
#undef ANYTHING
#undef TEXT

/* Blanks in place of bars, as the annex has it. */
static const char *without_bars(test_text *text, const char *tags) {
    text->size = 0;
    for (const char *at = tags; *at != '\0'; at++) {
        bool bar = *at == '|' || (*at == ' ' && at[1] == '|');
        test_add(text, at, bar ? 0 : 1);
    }
    test_add(text, "", 1);
    return text->data;
}

static void test_types(void) {
    annex file;
    annex_open(&file, folder, "operator_types", "type takes gives");
    CHECK_EQ_INT(file.rows, EP_COUNT_OF(type_rows));
    for (size_t i = 0; i < EP_COUNT_OF(type_rows); i++) {
        const type_row *row = &type_rows[i];
        test_text takes = {0};
        test_text gives = {0};
        const char *cells[] = {
            row->text,
            without_bars(&takes, row->takes),
            without_bars(&gives, row->gives),
        };
        annex_expect(&file, i, cells);
        test_text_free(&takes);
        test_text_free(&gives);
    }
    annex_close(&file);
}

/* -------------------------------------------------------- facts and effects */

typedef struct fact_row {
    const char *fact;
    const char *name;
    const char *more; /* an operator of the namespace */
    int since;        /* -1: no span */
    int until;
} fact_row;

#define CLOSED(ns) {"CLOSED", ns, "", -1, -1},
#define NUMBERS(ns, name) {"NUMBERS", ns, name, -1, -1},
#define INTS_LEFT_OUT(since, until) {"INTS_LEFT_OUT", "", "", EP_##since, EP_##until},
#define UNTYPED_EMPTY(since, until) {"UNTYPED_EMPTY", "", "", EP_##since, EP_##until},
#define FUNCTIONAL(verifier) {"FUNCTIONAL", verifier, "", -1, -1},
static const fact_row fact_rows[] = {
#include "rules/release.def"
};

static void test_facts(const annex *file) {
    CHECK_EQ_INT(file->rows, EP_COUNT_OF(fact_rows));
    for (size_t i = 0; i < EP_COUNT_OF(fact_rows); i++) {
        const fact_row *row = &fact_rows[i];
        test_text name = {0};
        test_add_str(&name, row->name);
        test_add_str(&name, *row->more == '\0' ? "" : ".");
        test_add(&name, row->more, strlen(row->more) + 1);
        const char *cells[] = {
            row->fact,
            name.data,
            row->since < 0 ? NULL : annex_version((size_t)row->since),
            row->until < 0 ? NULL : annex_version((size_t)row->until),
        };
        annex_expect(file, i, cells);
        CHECK(strcmp(row->fact, "CLOSED") != 0 ||
              ep_operator_namespace_closed(ep_text_of(row->name)));
        test_text_free(&name);
    }
}

/* effects.def names one of its rows as check.h does its macro. */
#pragma push_macro("CHECK")
#undef CHECK
#define MODE(target) {"MODE", target},
#define CHECK(target) {"CHECK", target},
#define WRITES(target) {"WRITES", target},
#define ALIASES(target) {"ALIASES", target},
#define ORDERED(target) {"ORDERED", target},
#define QUIET(name) {"QUIET", name},
static const char *const effect_rows[][2] = {
#include "canon/effects.def"
};
#pragma pop_macro("CHECK")

static void test_effects(void) {
    annex file;
    annex_open(&file, folder, "effects", "class target");
    CHECK_EQ_INT(file.rows, EP_COUNT_OF(effect_rows));
    for (size_t i = 0; i < EP_COUNT_OF(effect_rows); i++) {
        annex_expect(&file, i, effect_rows[i]);
    }
    annex_close(&file);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: test_annex_operators FOLDER\n");
        return 2;
    }
    folder = argv[1];
    annex facts;
    annex_open(&facts, folder, "operator_facts", "fact name since until");
    test_signatures(&facts);
    test_releases();
    test_types();
    test_facts(&facts);
    test_effects();
    annex_close(&facts);
    return check_report();
}
