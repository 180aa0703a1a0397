/*
 * canon_properties.c - the properties of the epref form (SPEC 6.1), over every golden
 * program. usage:
 *
 *     canon_properties FOLDER [STEP [SEEDS [SEED]]]
 *
 * FOLDER is that of golden.c; STEP takes every STEP-th program only. Each program
 * is rewritten into equivalent ones (ref/test/rewrite): by each rule alone, and by all at
 * once, SEEDS times, with numbers drawn from SEED on; and CHANGES times that often one
 * value that is identity becomes another. Printed are, for each rule, the cases,
 * how many could not be made, and the failures, which have to be none:
 *
 *   again      the form of the form is the form
 *   equivalent an equivalent program has the same form, byte for byte
 *   change     a program that was changed has another form
 *
 * A rewriting that changes nothing, as when there is no symbol to be renamed,
 * counts as one that cannot be made. Printed is, too, how many golden programs of one
 * release have a form in common.
 */
#include "check.h"
#include "corpus.h"
#include "rewrite.h"
#include "support.h"

#include <stdlib.h>

enum { NAME_SIZE = 192, REWRITINGS = EP_REWRITE_RULES + 1, CHANGES = 12 };

/* -------------------------------------------------------------------- tallies */

typedef struct tally {
    size_t cases;
    size_t cannot; /* be made */
    size_t failures;
} tally;

/* A form that was seen. */
typedef struct form {
    uint64_t hashes[2];
    size_t program; /* of the corpus */
} form;

typedef struct forms {
    form *items;
    size_t count;
    size_t capacity;
} forms;

typedef struct tallies {
    tally again;
    tally equivalent[REWRITINGS];
    tally changes;
    size_t refused; /* programs that are not valid */
    forms golden;   /* of all others */
} tallies;

static uint64_t hash_of(ep_bytes text, uint64_t h) {
    for (size_t i = 0; i < text.size; i++) {
        h = (h ^ (unsigned char)text.data[i]) * UINT64_C(1099511628211);
        h ^= h >> 29;
    }
    return h;
}

static bool same_form(const form *a, const form *b) {
    return a->hashes[0] == b->hashes[0] && a->hashes[1] == b->hashes[1];
}

/* Adds a form; false for want of memory. */
static bool add_form(forms *all, form f) {
    if (all->count == all->capacity) {
        all->capacity = all->capacity == 0 ? 256 : 2 * all->capacity;
        form *items = realloc(all->items, all->capacity * sizeof *items);
        if (items == NULL) {
            return false;
        }
        all->items = items;
    }
    all->items[all->count++] = f;
    return true;
}

/* -------------------------------------------------------------------- programs */

/* A program with the memory that it lives in, and its form. */
typedef struct rewritten {
    test_heap heap;
    ep_arena arena;
    ep_built built;
    ep_bytes form;
    ep_error error;
} rewritten;

static void begin(rewritten *p) {
    memset(p, 0, sizeof *p);
    test_arena(&p->arena, &p->heap, 0);
}

static void end(rewritten *p) {
    ep_arena_free(&p->arena);
    CHECK_EQ_INT(p->heap.bytes, 0);
}

static bool make_form(const ep_program *program, rewritten *p) {
    ep_canon_options options = {.form = EP_CANON_EPREF, .constant = test_no_type};
    ep_built built;
    bool ok = ep_canon(program, &p->arena, &options, &built, &p->error);
    p->form = built.text;
    return ok;
}

static form form_of(const rewritten *p, size_t program) {
    return (form){.hashes = {hash_of(p->form, 1), hash_of(p->form, 2)}, .program = program};
}

static bool same_text(ep_bytes a, ep_bytes b) {
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* What is at hand. */
typedef struct trial {
    tallies *t;
    const char *name;
    size_t place; /* in the corpus */
    const ep_program *program;
    ep_bytes text; /* of the program, as an encoder writes it */
    ep_bytes form;
    uint64_t seed;
    size_t seeds;
} trial;

static bool holds_for(const trial *at, tally *count, const char *which, bool holds,
                      const ep_error *e) {
    char note[3 * NAME_SIZE];
    count->failures += !holds;
    snprintf(note, sizeof note, "%s: %s, seed %llu: %s %s %s", which, at->name,
             (unsigned long long)at->seed, e == NULL ? "" : ep_code_name(e->code),
             e == NULL ? "" : e->pointer, e == NULL ? "" : e->detail);
    return CHECK_NOTE(holds, note);
}

/* --------------------------------------------------------------- properties */

/* Whether the program can be migrated to the version of the form. */
static bool can_migrate(const trial *at) {
    ep_migrate_options options = {.version = ep_version_find("8.20")};
    rewritten p;
    begin(&p);
    bool ok = ep_migrate(at->program, &p.arena, &options, &p.built, NULL);
    end(&p);
    return ok;
}

static void check_again(const trial *at) {
    tally *count = &at->t->again;
    rewritten p;
    begin(&p);
    count->cases++;
    bool ok = ep_decode(&p.arena, at->form, NULL, &p.built.program, &p.error);
    if (ok && !ep_check(p.built.program, &p.arena, NULL, NULL) && !can_migrate(at)) {
        count->cannot++; /* SPEC 6.1.3 */
        end(&p);
        return;
    }
    ok = ok && make_form(p.built.program, &p);
    if (holds_for(at, count, "again", ok, &p.error)) {
        holds_for(at, count, "again", same_text(p.form, at->form), NULL);
    }
    end(&p);
}

static void check_equivalent(const trial *at, unsigned what, tally *count) {
    const char *which = what == EP_REWRITE_ALL ? "all" : ep_rewrite_rule_name(what);
    ep_rewrite_choice wish = {at->seed, what};
    rewritten p;
    begin(&p);
    count->cases++;
    bool ok = ep_rewrite_equivalent(at->program, &p.arena, &wish, &p.built, &p.error);
    if (holds_for(at, count, which, ok, &p.error)) {
        if (same_text(p.built.text, at->text)) {
            count->cannot++;
        } else if (holds_for(at, count, which, make_form(p.built.program, &p), &p.error)) {
            holds_for(at, count, which, same_text(p.form, at->form), NULL);
        }
    }
    end(&p);
}

static void check_change(const trial *at, uint64_t seed) {
    tally *count = &at->t->changes;
    ep_rewrite_choice wish = {seed, EP_CHANGE_IDENTITY};
    rewritten p;
    begin(&p);
    count->cases++;
    bool ok = ep_rewrite_changed(at->program, &p.arena, &wish, &p.built, &p.error);
    if (holds_for(at, count, "change", ok, &p.error)) {
        if (p.built.program == NULL) {
            count->cannot++;
        } else if (holds_for(at, count, "change", make_form(p.built.program, &p), &p.error)) {
            holds_for(at, count, "change", !same_text(p.form, at->form), NULL);
        }
    }
    end(&p);
}

/* --------------------------------------------------------------------- the run */

static void check_program(trial *at, uint64_t *state) {
    check_again(at);
    for (size_t round = 0; round < at->seeds; round++) {
        at->seed = test_draw(state);
        for (unsigned bit = 0; bit < EP_REWRITE_RULES; bit++) {
            check_equivalent(at, 1u << bit, &at->t->equivalent[bit]);
        }
        check_equivalent(at, EP_REWRITE_ALL, &at->t->equivalent[EP_REWRITE_RULES]);
        for (uint64_t i = 0; i < CHANGES; i++) {
            check_change(at, at->seed + i);
        }
    }
}

/* The program as an encoder writes it, which the file need not be. */
static bool encode(const ep_program *program, rewritten *p) {
    ep_rewrite_choice nothing = {0, 0};
    return ep_rewrite_equivalent(program, &p->arena, &nothing, &p->built, &p->error);
}

static void try_program(trial *at, test_text *text, uint64_t *state) {
    rewritten p;
    begin(&p);
    if (ep_decode(&p.arena, test_text_exact(text), NULL, &at->program, NULL) &&
        ep_check(at->program, &p.arena, NULL, NULL)) {
        bool ok = encode(at->program, &p) && make_form(at->program, &p);
        if (holds_for(at, &at->t->again, "form", ok, &p.error)) {
            at->text = p.built.text;
            at->form = p.form;
            CHECK(add_form(&at->t->golden, form_of(&p, at->place)));
            check_program(at, state);
        }
    } else {
        at->t->refused++;
    }
    end(&p);
}

/* -------------------------------------------------------------------- printing */

static size_t print_row(const char *name, const tally *t) {
    printf("%-24s %8zu %8zu %8zu\n", name, t->cases, t->cannot, t->failures);
    return t->failures;
}

static int compare_forms(const void *a, const void *b) {
    const form *first = a;
    const form *second = b;
    for (int i = 0; i < 2; i++) {
        if (first->hashes[i] != second->hashes[i]) {
            return first->hashes[i] < second->hashes[i] ? -1 : 1;
        }
    }
    return (first->program > second->program) - (first->program < second->program);
}

/* How many programs of a release have the form of another one. */
static void print_shared(const corpus *c, forms *golden) {
    size_t programs = 0;
    size_t shared = 0;
    qsort(golden->items, golden->count, sizeof *golden->items, compare_forms);
    for (size_t i = 0; i < golden->count;) {
        const form *first = &golden->items[i];
        size_t same = 1;
        while (i + same < golden->count && same_form(first, first + same) &&
               strcmp(c->entries[first->program].release,
                      c->entries[first[same].program].release) == 0) {
            same++;
        }
        programs += same > 1 ? same : 0;
        shared += same > 1;
        i += same;
    }
    printf("%zu programs; %zu of them share %zu forms within their release\n", golden->count,
           programs, shared);
}

static void print_all(const tallies *t) {
    printf("%-24s %8s %8s %8s\n", "", "cases", "cannot", "failures");
    print_row("form of the form", &t->again);
    printf("\nequivalent programs\n");
    for (unsigned bit = 0; bit < EP_REWRITE_RULES; bit++) {
        print_row(ep_rewrite_rule_name(1u << bit), &t->equivalent[bit]);
    }
    print_row("all at once", &t->equivalent[EP_REWRITE_RULES]);
    print_row("one value changed", &t->changes);
    putchar('\n');
    printf("%zu programs are not valid and were passed over\n", t->refused);
}

static void run(const corpus *c, size_t step, trial *at, uint64_t state) {
    for (size_t i = 0; i < c->n; i += step) {
        char name[NAME_SIZE];
        test_text text = {0};
        snprintf(name, sizeof name, "%s/%s", c->entries[i].release, c->entries[i].model);
        at->name = name;
        at->place = i;
        if (CHECK(corpus_read(c, i, "program.json", &text))) {
            try_program(at, &text, &state);
        }
        test_text_free(&text);
    }
}

int main(int argc, char **argv) {
    corpus c;
    if (argc < 2 || argc > 5) {
        fputs("usage: canon_properties FOLDER [STEP [SEEDS [SEED]]]\n", stderr);
        return 2;
    }
    size_t step = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1;
    tallies *t = calloc(1, sizeof *t);
    trial at = {.t = t, .seeds = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 1};
    if (t == NULL || !corpus_open(&c, argv[1])) {
        free(t);
        return 1;
    }
    run(&c, step == 0 ? 1 : step, &at, argc > 4 ? strtoull(argv[4], NULL, 10) : 7);
    print_all(t);
    print_shared(&c, &t->golden);
    free(t->golden.items);
    free(t);
    corpus_close(&c);
    return check_report();
}
