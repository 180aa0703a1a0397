/*
 * golden.c - what PyTorch wrote, decoded and encoded again to the same bytes, and
 * valid up to the program level. usage:
 *
 *     golden FOLDER EXCEPTIONS [STEP]
 *
 * FOLDER holds <release>/<model>/program.json and canonical.json. EXCEPTIONS
 * is a file of lines `release/model/file CODE pointer`: those are refused with
 * that code at that pointer, and nothing else is refused. STEP takes every
 * STEP-th program only.
 */
#include "check.h"
#include "corpus.h"

#include <stdlib.h>

typedef struct tally {
    size_t files;
    size_t accepted;
    size_t exact;
    size_t valid;
} tally;

typedef struct release_tally {
    const char *release;
    tally programs;
    tally forms;
} release_tally;

/* ---------------------------------------------------------------- exceptions */

enum { EXCEPTIONS_MAX = 400 };

typedef struct exception {
    char name[160];
    char code[40];
    char pointer[EP_POINTER_SIZE];
} exception;

static exception exceptions[EXCEPTIONS_MAX];
static size_t exception_count;

static bool read_exceptions(const char *path) {
    char line[512];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot open %s\n", path);
        return false;
    }
    bool ok = true;
    while (ok && fgets(line, sizeof line, file) != NULL) {
        exception e;
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        ok = exception_count < EXCEPTIONS_MAX &&
             sscanf(line, "%159s %39s %255s", e.name, e.code, e.pointer) == 3;
        if (ok) {
            exceptions[exception_count++] = e;
        } else {
            fprintf(stderr, "%s: not an exception: %s", path, line);
        }
    }
    fclose(file);
    return ok;
}

static const exception *exception_of(const char *name) {
    for (size_t i = 0; i < exception_count; i++) {
        if (strcmp(exceptions[i].name, name) == 0) {
            return &exceptions[i];
        }
    }
    return NULL;
}

/* --------------------------------------------------------------------- files */

static void say_difference(const char *name, const test_text *a, const test_text *b) {
    size_t at = 0;
    while (at < a->size && at < b->size && a->data[at] == b->data[at]) {
        at++;
    }
    fprintf(stderr, "    %s: %zu bytes, encoded %zu, first different at %zu\n", name, a->size,
            b->size, at);
}

static void check_refusal(const char *name, const exception *e, const ep_error *error) {
    const char *code = ep_code_name(error->code);
    if (!CHECK(e != NULL && code != NULL && strcmp(code, e->code) == 0 &&
               strcmp(error->pointer, e->pointer) == 0)) {
        fprintf(stderr, "    %s %s %s at byte %zu: %s\n", name, code, error->pointer, error->offset,
                error->detail);
    }
}

static void check_exact(const char *name, const ep_program *program, const test_text *text,
                        tally *t) {
    test_heap heap = {0};
    ep_arena scratch;
    test_text out = {0};
    test_arena(&scratch, &heap, 0);
    CHECK(ep_encode(program, &scratch, test_sink, &out, NULL));
    bool exact = out.size == text->size && memcmp(out.data, text->data, out.size) == 0;
    if (!CHECK(exact)) {
        say_difference(name, text, &out);
    }
    t->exact += exact;
    ep_arena_free(&scratch);
    test_text_free(&out);
}

/* Both levels above the types; an exception that passes both is none. */
static void check_valid(const char *name, const ep_program *program, tally *t) {
    test_heap heap = {0};
    ep_arena scratch;
    ep_error error;
    const exception *e = exception_of(name);
    test_arena(&scratch, &heap, 0);
    if (ep_check(program, &scratch, NULL, &error)) {
        t->valid++;
        CHECK_NOTE(e == NULL, name);
    } else {
        check_refusal(name, e, &error);
    }
    ep_arena_free(&scratch);
    CHECK_EQ_INT(heap.bytes, 0);
}

static void check_file(const char *name, test_text *text, tally *t) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    test_arena(&arena, &heap, 0);
    t->files++;
    if (ep_decode(&arena, test_text_exact(text), NULL, &program, &error)) {
        t->accepted++;
        check_exact(name, program, text, t);
        check_valid(name, program, t);
    } else {
        check_refusal(name, exception_of(name), &error);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

static void check_entry(const corpus *c, size_t i, release_tally *t) {
    static const char *const files[] = {"program.json", "canonical.json"};
    for (size_t f = 0; f < 2; f++) {
        char name[192];
        test_text text = {0};
        snprintf(name, sizeof name, "%s/%s/%s", c->entries[i].release, c->entries[i].model,
                 files[f]);
        if (corpus_read(c, i, files[f], &text)) {
            check_file(name, &text, f == 0 ? &t->programs : &t->forms);
        }
        test_text_free(&text);
    }
}

/* -------------------------------------------------------------------- report */

static void add_tally(tally *sum, const tally *t) {
    sum->files += t->files;
    sum->accepted += t->accepted;
    sum->exact += t->exact;
    sum->valid += t->valid;
}

static void print_tally(const release_tally *t) {
    printf("%-9s %9zu %9zu %9zu %9zu %16zu %9zu %9zu %9zu\n", t->release, t->programs.files,
           t->programs.accepted, t->programs.exact, t->programs.valid, t->forms.files,
           t->forms.accepted, t->forms.exact, t->forms.valid);
}

static void check_all(const corpus *c, size_t step) {
    release_tally total = {.release = "total"};
    release_tally t = {.release = c->entries[0].release};
    printf("%-9s %9s %9s %9s %9s %16s %9s %9s %9s\n", "release", "programs", "decoded", "exact",
           "valid", "canonical forms", "decoded", "exact", "valid");
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->entries[i].release, t.release) != 0) {
            print_tally(&t);
            t = (release_tally){.release = c->entries[i].release};
        }
        if (i % step != 0) {
            continue;
        }
        release_tally one = {.release = t.release};
        check_entry(c, i, &one);
        add_tally(&t.programs, &one.programs);
        add_tally(&t.forms, &one.forms);
        add_tally(&total.programs, &one.programs);
        add_tally(&total.forms, &one.forms);
    }
    print_tally(&t);
    print_tally(&total);
}

int main(int argc, char **argv) {
    corpus c;
    if (argc < 3 || argc > 4) {
        fputs("usage: golden FOLDER EXCEPTIONS [STEP]\n", stderr);
        return 2;
    }
    test_use_locale();
    if (!read_exceptions(argv[2]) || !corpus_open(&c, argv[1])) {
        return 1;
    }
    size_t step = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 1;
    check_all(&c, step == 0 ? 1 : step);
    corpus_close(&c);
    return check_report();
}
