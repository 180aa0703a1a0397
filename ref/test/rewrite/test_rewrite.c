/*
 * test_rewrite.c - equivalent programs and changes of ref/test/rewrite, on one program that has a
 * place for each of them: effects of all kinds, dead nodes, subgraphs, symbols,
 * guards, modules. usage:
 *
 *     test_rewrite PROGRAM
 */
#include "check.h"
#include "rewrite.h"
#include "support.h"

enum { SEEDS = 40 };

/* The program, and its form. */
typedef struct sample {
    const ep_program *program;
    ep_bytes text; /* as an encoder writes it */
    ep_bytes form;
    uint64_t number;
} sample;

static bool same_text(ep_bytes a, ep_bytes b) {
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static bool make_form(const ep_program *program, ep_arena *arena, ep_bytes *form) {
    ep_canon_options options = {.form = EP_CANON_EPREF};
    ep_built built;
    bool ok = ep_canon(program, arena, &options, &built, NULL);
    *form = built.text;
    return ok;
}

/* ------------------------------------------------------ equivalent programs */

/* One rewriting; says whether it changed anything. */
static bool try_equivalent(const sample *s, unsigned what, uint64_t seed) {
    test_heap heap = {0};
    ep_arena arena;
    ep_rewrite_choice wish = {seed, what};
    ep_built built;
    ep_built again;
    ep_error error;
    ep_bytes form;
    uint64_t number;
    bool changed = false;
    test_arena(&arena, &heap, 0);
    if (CHECK(ep_rewrite_equivalent(s->program, &arena, &wish, &built, &error)) &&
        CHECK(ep_rewrite_equivalent(s->program, &arena, &wish, &again, &error))) {
        changed = !same_text(built.text, s->text);
        CHECK(same_text(built.text, again.text));
        CHECK_NOTE(ep_check(built.program, &arena, NULL, &error), error.detail);
        CHECK(make_form(built.program, &arena, &form) && same_text(form, s->form));
        CHECK(ep_rewrite_invariant(built.program, &arena, &number) && number == s->number);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    return changed;
}

static void test_equivalent(const sample *s) {
    for (unsigned bit = 0; bit < EP_REWRITE_RULES; bit++) {
        size_t changed = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            changed += try_equivalent(s, 1u << bit, seed);
        }
        CHECK_NOTE(changed > SEEDS / 4, ep_rewrite_rule_name(1u << bit));
    }
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        CHECK(try_equivalent(s, EP_REWRITE_ALL, seed));
    }
}

/* ---------------------------------------------------------------------- changes */

static void try_change(const sample *s, unsigned kind, uint64_t seed) {
    test_heap heap = {0};
    ep_arena arena;
    ep_rewrite_choice wish = {seed, kind};
    ep_built built;
    ep_error error;
    ep_bytes form;
    const char *name = ep_change_kind_name((ep_change_kind)kind);
    test_arena(&arena, &heap, 0);
    if (CHECK(ep_rewrite_changed(s->program, &arena, &wish, &built, &error)) &&
        CHECK_NOTE(built.program != NULL, name)) {
        CHECK_NOTE(ep_check(built.program, &arena, NULL, NULL), name);
        CHECK_NOTE(make_form(built.program, &arena, &form), name);
        CHECK_NOTE(!same_text(form, s->form), name);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

static void test_changes(const sample *s) {
    for (unsigned kind = 0; kind < EP_CHANGE_KINDS; kind++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            try_change(s, kind, seed);
        }
    }
}

/* ----------------------------------------------------------------------- names */

static void test_names(void) {
    CHECK(strcmp(ep_rewrite_rule_name(EP_REWRITE_MODULES), "modules") == 0);
    CHECK(ep_rewrite_rule_name(0) == NULL);
    CHECK(ep_rewrite_rule_name(EP_REWRITE_ALL) == NULL);
    CHECK(strcmp(ep_change_kind_name(EP_CHANGE_DROP), "dropped node") == 0);
    CHECK(ep_change_kind_name(EP_CHANGE_KINDS) == NULL);
}

/* ---------------------------------------------------------------------- memory */

/* An equivalent program when rules are chosen, else a change of a kind. */
typedef struct call {
    bool equivalent;
    ep_rewrite_choice wish;
} call;

static bool make(const sample *s, const call *c, ep_arena *arena, ep_error *error) {
    ep_built built;
    return c->equivalent ? ep_rewrite_equivalent(s->program, arena, &c->wish, &built, error)
                         : ep_rewrite_changed(s->program, arena, &c->wish, &built, error);
}

/* Every allocation is refused once, and once it and all behind it. */
static void refuse_all(const sample *s, const call *c) {
    bool ok = false;
    for (size_t n = 1; !ok && n < 10000; n++) {
        for (int on = 0; on < 2; on++) {
            test_heap heap = {.fail_at = n, .fail_on = on != 0};
            ep_arena arena;
            ep_error error = {.code = EP_OK};
            test_arena(&arena, &heap, 0);
            ok = make(s, c, &arena, &error);
            CHECK(ok || error.code == EP_MEMORY);
            ep_arena_free(&arena);
            CHECK_EQ_INT(heap.bytes, 0);
        }
    }
    CHECK(ok);
}

static void test_memory(const sample *s) {
    for (unsigned bit = 0; bit <= EP_REWRITE_RULES; bit++) {
        unsigned what = bit == EP_REWRITE_RULES ? EP_REWRITE_ALL : 1u << bit;
        refuse_all(s, &(call){true, {1, what}});
    }
    for (unsigned kind = 0; kind < EP_CHANGE_KINDS; kind++) {
        refuse_all(s, &(call){false, {1, kind}});
    }
}

/* --------------------------------------------------------------------- the run */

static void run(test_text *text) {
    test_heap heap = {0};
    ep_arena arena;
    ep_rewrite_choice nothing = {0, 0};
    ep_built built;
    ep_error error;
    sample s;
    test_arena(&arena, &heap, 0);
    if (CHECK(ep_decode(&arena, test_text_exact(text), NULL, &s.program, &error)) &&
        CHECK_NOTE(ep_check(s.program, &arena, NULL, &error), error.detail) &&
        CHECK(ep_rewrite_equivalent(s.program, &arena, &nothing, &built, &error)) &&
        CHECK(make_form(s.program, &arena, &s.form)) &&
        CHECK(ep_rewrite_invariant(s.program, &arena, &s.number))) {
        s.text = built.text;
        test_equivalent(&s);
        test_changes(&s);
        test_memory(&s);
    }
    ep_arena_free(&arena);
}

int main(int argc, char **argv) {
    test_text text = {0};
    if (argc != 2 || !test_read_file(argv[1], &text)) {
        fputs("usage: test_rewrite PROGRAM\n", stderr);
        return 2;
    }
    test_names();
    run(&text);
    test_text_free(&text);
    return check_report();
}
