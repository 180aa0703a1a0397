/*
 * properties.c - see properties.h.
 */
#include "properties.h"

#include "corpus.h"
#include "schema/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- the corpus */

static void try_text(const char *name, ep_bytes text, properties_try *try, void *context) {
    test_heap heap = {0};
    ep_arena arena;
    properties_program p = {.name = name, .text = text};
    test_arena(&arena, &heap, 0);
    if (ep_decode(&arena, text, NULL, &p.program, NULL) &&
        ep_check(p.program, &arena, NULL, NULL)) {
        p.version = ep_version_number_of(ep_program_version(p.program));
        try(context, &p);
    }
    ep_arena_free(&arena);
}

static bool try_entries(const corpus *c, size_t step, properties_try *try, void *context) {
    bool ok = true;
    for (size_t i = 0; ok && i < c->n; i += step) {
        char name[PROPERTIES_NAME_SIZE];
        test_text text = {0};
        snprintf(name, sizeof name, "%s/%s", c->entries[i].release, c->entries[i].model);
        ok = corpus_read(c, i, "program.json", &text);
        if (ok) {
            try_text(name, test_text_exact(&text), try, context);
        } else {
            fprintf(stderr, "%s: cannot be read\n", name);
        }
        test_text_free(&text);
    }
    return ok;
}

int properties_run(int argc, char **argv, properties_try *try, void *context) {
    corpus c;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s FOLDER [STEP]\n", argv[0]);
        return 2;
    }
    size_t step = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1;
    if (test_version_count() > PROPERTIES_VERSIONS_MAX || !corpus_open(&c, argv[1])) {
        return 1;
    }
    bool ok = try_entries(&c, step == 0 ? 1 : step, try, context);
    corpus_close(&c);
    return ok ? 0 : 1;
}

bool properties_decode(ep_arena *arena, ep_bytes text, size_t version, const ep_program **program,
                       ep_error *error) {
    ep_decode_options options = ep_decode_options_default();
    const ep_version *named = ep_version_at(version);
    options.version = named->owns_number ? NULL : named;
    return ep_decode(arena, text, &options, program, error) &&
           ep_check(*program, arena, NULL, error);
}

/* ------------------------------------------------------------------ results */

static void begin(properties_result *r) {
    memset(r, 0, sizeof *r);
    test_arena(&r->arena, &r->heap, 0);
}

static void note_step(void *context, const char *clause, const char *about, size_t times) {
    properties_result *r = context;
    if (times > 0 && about[0] != '\0' && r->step_count < PROPERTIES_STEPS_MAX) {
        r->steps[r->step_count++] = clause;
    }
}

bool properties_migrate(const ep_program *program, size_t to, properties_result *r) {
    begin(r);
    ep_migrate_options options = {
        .version = ep_version_at(to), .report = note_step, .report_context = r};
    bool ok = ep_migrate(program, &r->arena, &options, &r->built, &r->error);
    return ok && r->built.program != NULL;
}

bool properties_canon(const ep_program *program, properties_result *r) {
    begin(r);
    ep_canon_options options = {
        .form = EP_CANON_EPREF, .undecided = &r->undecided, .constant = test_no_type};
    return ep_canon(program, &r->arena, &options, &r->built, &r->error);
}

bool properties_took(const properties_result *r, const char *clause) {
    for (size_t i = 0; i < r->step_count; i++) {
        if (strcmp(r->steps[i], clause) == 0) {
            return true;
        }
    }
    return false;
}

bool properties_end(properties_result *r) {
    bool meant = (r->error.code == EP_OK) == (r->built.text.data != NULL);
    ep_arena_free(&r->arena);
    return meant && r->heap.bytes == 0;
}

bool properties_same(ep_bytes a, ep_bytes b) {
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

#define NO_MAXIMUM "9223372036854775806"

/* Versions without open ends. */
static bool is_closed(size_t version) {
    const char *name = ep_version_at(version)->name;
    return strcmp(name, "1-2023-08") == 0 || strcmp(name, "1") == 0 || strcmp(name, "5.3") == 0;
}

bool properties_ends_in_number(const properties_program *p, size_t version) {
    return !is_closed(p->version) && is_closed(version) && test_holds(p->text, NO_MAXIMUM);
}

/* ----------------------------------------------------------------- refusals */

bool properties_refuse(properties_refusals *t, const properties_program *p, size_t to,
                       const ep_error *error) {
    const char *code = ep_code_name(error->code);
    t->count++;
    for (size_t i = 0; i < t->row_count; i++) {
        properties_refusal *r = &t->rows[i];
        if (r->from == p->version && strcmp(r->code, code) == 0) {
            r->first = to < r->first ? to : r->first;
            r->last = to > r->last ? to : r->last;
            r->count++;
            return true;
        }
    }
    if (t->row_count == PROPERTIES_REFUSALS_MAX) {
        return false;
    }
    properties_refusal *r = &t->rows[t->row_count++];
    *r =
        (properties_refusal){.code = code, .from = p->version, .first = to, .last = to, .count = 1};
    snprintf(r->example, sizeof r->example, "%s to %s, %s, %s", p->name, ep_version_at(to)->name,
             error->pointer, error->detail);
    return true;
}

void properties_print_refusals(const properties_refusals *t) {
    for (size_t i = 0; i < t->row_count; i++) {
        const properties_refusal *r = &t->rows[i];
        printf("%6zu  %-22s from %-5s to %s ... %s, as %s\n", r->count, r->code,
               ep_version_at(r->from)->name, ep_version_at(r->first)->name,
               ep_version_at(r->last)->name, r->example);
    }
}
