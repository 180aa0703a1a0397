/*
 * oracle_texts.c - see oracle_texts.h. The texts are those that the strings level keeps of
 * a program; the mutator changes them as inputs of the target strings.
 */
#include "oracle_texts.h"

#include "language/expression.h"
#include "language/guard.h"
#include "language/languages.h"
#include "language/metadata.h"
#include "language/target.h"
#include "language/treespec.h"
#include "mutator/mutate.h"
#include "oracles/oracle_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXTS = 16,
    INFIX_TEXTS = 8,
    CHANGES = 3,
    HEAD = 2,
    TEXT_MAX = 2048,
    ROOM = HEAD + 2 * TEXT_MAX
};

/* The mutator keeps the types of all versions, which take their time to make. */
static fuzz_mutator *mutator;

/* A text in a language of a version. */
typedef struct saying {
    fuzz_work *work;
    ep_passage passage;
    ep_language language;
    ep_version_number version;
    ep_fault fault;
} saying;

/* Named tuples that a program may have said: spec_oracle knows them, too. */
static bool named_tuple(void *context, ep_bytes name, size_t *fields) {
    (void)context;
    *fields = 2;
    return name.size % 2 == 0;
}

/* Whether the version says what named tuples have: treespec_namedtuple_fields. */
static bool describes(const saying *s) {
    const ep_schema *schema;
    ep_fields fields;
    ep_error error;
    TRY(ep_schema_open(&s->work->arena, ep_version_at(s->version), &schema, &error));
    ep_fields_open(&fields, schema);
    return fields.slot[EP_F_GraphModule_treespec_namedtuple_fields] != EP_NO_MEMBER;
}

static void say_expression(saying *s, ep_sort sort) {
    const ep_expression *expression;
    ep_expression_options options = {.sort = sort, .depth = ep_limits_default().depth};
    for (int form = 1; form >= 0; form--) {
        bool reads = form == EP_EXPRESSION_SREPR ? s->version >= EP_V8_1_a : s->version < EP_V8_2;
        options.form = (ep_expression_form)form;
        if (reads &&
            ep_expression_parse(&s->work->arena, &s->passage, &options, &expression, &s->fault)) {
            s->fault.code = EP_OK;
            return;
        }
    }
}

static void say_treespec(saying *s) {
    const ep_treespec *spec;
    ep_treespec_options options = {.depth = ep_limits_default().depth,
                                   .version = s->version,
                                   .find = describes(s) ? named_tuple : NULL};
    ep_treespec_parse(&s->work->arena, &s->passage, &options, &spec, &s->fault);
}

static void say_metadata(saying *s) {
    ep_metadata_reader reader = {.arena = &s->work->arena,
                                 .passage = &s->passage,
                                 .key = (ep_metadata_key)(s->language - EP_LANGUAGE_METADATA),
                                 .limits = ep_limits_default()};
    ep_metadata_parse(&reader, NULL, &s->fault);
}

static void say(saying *s) {
    const ep_guard *guard;
    ep_target target;
    switch (s->language) { /* keys of metadata have numbers of their own */
    case EP_LANGUAGE_EXPRESSION_INT:
    case EP_LANGUAGE_EXPRESSION_FLOAT:
    case EP_LANGUAGE_EXPRESSION_BOOL:
        say_expression(s, (ep_sort)(EP_SORT_INT + (s->language - EP_LANGUAGE_EXPRESSION_INT)));
        return;
    case EP_LANGUAGE_TREESPEC:
        say_treespec(s);
        return;
    case EP_LANGUAGE_TARGET:
        ep_target_parse(&s->passage, s->version, &target, &s->fault);
        return;
    case EP_LANGUAGE_GUARD:
        ep_guard_parse(&s->work->arena, &s->passage, ep_limits_default().depth, &guard, &s->fault);
        return;
    case EP_LANGUAGE_DEVICE:
    case EP_LANGUAGE_METADATA:
        return;
    }
    say_metadata(s);
}

/* What spec_oracle calls a language, and its sort; and the number that fuzz_strings.c has for it,
 * whose words the mutator takes. */
typedef struct naming {
    const char *language;
    const char *sort;
    uint8_t number;
} naming;

static const naming names[] = {
    [EP_LANGUAGE_EXPRESSION_INT] = {"expression", "int", 0},
    [EP_LANGUAGE_EXPRESSION_FLOAT] = {"expression", "float", 0},
    [EP_LANGUAGE_EXPRESSION_BOOL] = {"expression", "bool", 0},
    [EP_LANGUAGE_TREESPEC] = {"treespec", "", 6},
    [EP_LANGUAGE_TARGET] = {"target", "", 9},
    [EP_LANGUAGE_GUARD] = {"guard", "", 8},
    [EP_LANGUAGE_METADATA] = {"metadata", NULL, 15}, /* by its key */
};

static const naming *naming_of(ep_language language) {
    return &names[language < EP_LANGUAGE_METADATA ? language : EP_LANGUAGE_METADATA];
}

static void add_names(const saying *s, test_text *request) {
    const naming *n = naming_of(s->language);
    ep_metadata_key key = (ep_metadata_key)(s->language - EP_LANGUAGE_METADATA);
    oracle_add_frame(request, test_bytes(n->language));
    oracle_add_frame(request,
                     test_bytes(n->sort != NULL ? n->sort : ep_metadata_form_of(key)->name));
}

/* Adds what the library says of a text. */
static void add_said(saying *s, ep_bytes changed, test_text *request) {
    char verdict[96];
    s->passage = (ep_passage){.text = changed, .raw = changed};
    s->fault = (ep_fault){.code = EP_OK};
    say(s);
    if (s->fault.code != EP_OK && ep_code_level(s->fault.code) == EP_LEVEL_NONE) {
        return; /* a limit */
    }
    snprintf(verdict, sizeof verdict, "%s %zu",
             s->fault.code == EP_OK ? "EP_OK" : ep_code_name(s->fault.code),
             s->fault.code == EP_OK ? 0 : s->fault.offset);
    add_names(s, request);
    oracle_add_frame(request, test_bytes(ep_version_at(s->version)->name));
    oracle_add_frame(request, changed);
    oracle_add_frame(request, test_bytes(verdict));
}

/* Changes a text, and what comes of that again, so that more than one thing is wrong. */
static void add_changed(saying *s, ep_bytes text, fuzz_input *draws, test_text *request) {
    static uint8_t room[ROOM];
    size_t size = HEAD + text.size;
    memcpy(room + HEAD, text.data, text.size);
    for (int i = 0; i < CHANGES; i++) {
        room[0] = naming_of(s->language)->number;
        mutate_job job = {room, size, sizeof room, {NULL, 0}, (uint32_t)fuzz_draw(draws)};
        size = fuzz_mutate(mutator, &job);
        ep_bytes changed = fuzz_bytes(room + HEAD, size < HEAD ? 0 : size - HEAD);
        if (size < HEAD || changed.size > TEXT_MAX || !fuzz_is_utf8(changed)) {
            return;
        }
        add_said(s, changed, request);
    }
}

/* The version that a text is judged as: that of the program, or once in four, where the
 * language is one in all versions, another. */
static ep_version_number version_drawn(const saying *s, ep_version_number own, fuzz_input *draws) {
    bool same = s->language > EP_LANGUAGE_TREESPEC && s->language != EP_LANGUAGE_TARGET;
    return same || fuzz_below(draws, 4) > 0
               ? own
               : (ep_version_number)fuzz_below(draws, test_version_count());
}

/* Infix expressions, which few programs have: a quotient, a truth, a float with an exponent
 * and each other part of SPEC 4.1.8. */
static void add_infix(saying *s, fuzz_input *draws, test_text *request) {
    static const char *const texts[] = {
        "floor(Where(True, s0/2, s1/3))",        "floor(1.0e+20*s0/2)",
        "Max(s0 - 2*s1, ((s0 + 1)//2), 4)",      "Piecewise((s0/2, True), (2**s0, s1 < 4 & False))",
        "Mod(s0**(-1*2), 3) - ceiling(0.5*zf1)", "Eq(s0, 3) | ~Ne(u0, 4) | (s0 >= 2)",
    };
    s->language = (ep_language)fuzz_below(draws, EP_LANGUAGE_EXPRESSION_BOOL + 1);
    s->version = (ep_version_number)fuzz_below(draws, EP_V8_2);
    add_changed(s, test_bytes(texts[fuzz_below(draws, sizeof texts / sizeof *texts)]), draws,
                request);
}

static ep_language language_in(const ep_memo_recent *recent) {
    return (ep_language)((recent->key & 0xFF) - 1);
}

/* Whether a place of the memo has a text in a language that is changed here. */
static bool is_text(const ep_memo_recent *recent) {
    return recent->key != 0 && language_in(recent) != EP_LANGUAGE_DEVICE;
}

/* One of the latest texts of the program, from a place that is drawn; false where there
 * is none. */
static bool draw_text(saying *s, const ep_memo *memo, const ep_program *program, fuzz_input *draws,
                      ep_bytes *text) {
    size_t count = sizeof memo->recent / sizeof *memo->recent;
    size_t at = fuzz_below(draws, count);
    size_t tried = 0;
    while (tried < count && !is_text(&memo->recent[(at + tried) % count])) {
        tried++;
    }
    TRY(tried < count);
    const ep_memo_recent *drawn = &memo->recent[(at + tried) % count];
    s->language = language_in(drawn);
    ep_ref ref = ep_ref_make((size_t)(drawn->data - program->input.data), (size_t)(drawn->key >> 8),
                             EP_REF_ESCAPED);
    return ep_ref_text(&s->work->arena, program->input, ref, text) && text->size <= TEXT_MAX;
}

static void close_mutator(void) {
    fuzz_mutator_close(mutator);
}

static void open_mutator(void) {
    mutator = fuzz_mutator_open(MUTATE_LAYOUT_STRINGS);
    atexit(close_mutator);
}

void oracle_add_texts(fuzz_work *work, const ep_program *program, uint64_t number,
                      test_text *request) {
    ep_memo memo;
    ep_fields fields;
    fuzz_input draws = {.state = number};
    ep_version_number own = ep_version_number_of(program->schema->version);
    saying s = {.work = work};
    ep_bytes text;
    if (mutator == NULL) {
        open_mutator();
    }
    ep_memo_init(&memo, &work->arena);
    ep_fields_open(&fields, program->schema);
    ep_strings strings = {.program = program,
                          .fields = &fields,
                          .arena = &work->arena,
                          .memo = &memo,
                          .limits = ep_limits_default(),
                          .version = own};
    ep_strings_judge(&strings);
    for (int i = 0; i < TEXTS && mutator != NULL; i++) {
        if (draw_text(&s, &memo, program, &draws, &text)) {
            s.version = version_drawn(&s, own, &draws);
            add_changed(&s, text, &draws, request);
        }
    }
    for (int i = 0; i < INFIX_TEXTS && mutator != NULL; i++) {
        add_infix(&s, &draws, request);
    }
    ep_memo_free(&memo);
}
