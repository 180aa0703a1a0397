/*
 * golden_canon_torch.c - the torch form, byte for byte what the canonicalize of
 * PyTorch releases gave of made-up programs, a third of which it refuses. (Of golden
 * programs the conformance suite has it.) usage:
 *
 *     golden_canon_torch SYNTHETIC RELEASE...
 *
 * SYNTHETIC holds canonicalize-<release>.json: a list of {"id", "program", "constants",
 * "canonical", "raises"}, one of the last two null, in the spelling of json.dumps
 * but without blanks.
 */
#include "check.h"
#include "support.h"

#include <stdlib.h>

enum { NAME_SIZE = 192, CONSTANTS_MAX = 64 };

typedef struct tally {
    size_t programs;
    size_t exact;
    size_t refused; /* as PyTorch does */
} tally;

/* ------------------------------------------------------------- one program */

typedef struct vector {
    const char *name;
    ep_bytes program;
    ep_bytes canonical; /* data NULL: PyTorch raises */
    const ep_version *version;
    ep_bytes constants[CONSTANTS_MAX];
    size_t constant_count;
} vector;

static void say_difference(const char *name, ep_bytes expected, ep_bytes text) {
    size_t at = 0;
    while (at < expected.size && at < text.size && expected.data[at] == text.data[at]) {
        at++;
    }
    size_t from = at < 60 ? 0 : at - 60;
    int left = (int)(expected.size - from < 160 ? expected.size - from : 160);
    int right = (int)(text.size - from < 160 ? text.size - from : 160);
    fprintf(stderr, "    %s: first different at %zu\n    %.*s\n    %.*s\n", name, at, left,
            expected.data + from, right, text.data + from);
}

static void check_form(const vector *v, const ep_program *program, ep_arena *arena, tally *t) {
    ep_canon_options options = {
        .form = EP_CANON_TORCH, .constants = v->constants, .constant_count = v->constant_count};
    ep_built built;
    ep_error error;
    bool ok = ep_canon(program, arena, &options, &built, &error);
    CHECK(built.program == NULL && ok == (built.text.data != NULL) && ok == (error.code == EP_OK));
    if (v->canonical.data == NULL) {
        bool refused = !ok && error.code >= EP_TORCH_LEAF && error.code <= EP_TORCH_CYCLE;
        t->refused += CHECK_NOTE(refused, v->name);
        return;
    }
    if (!CHECK_NOTE(ok, v->name)) {
        fprintf(stderr, "    %s %s %s\n", ep_code_name(error.code), error.pointer, error.detail);
        return;
    }
    bool exact = built.text.size == v->canonical.size &&
                 memcmp(built.text.data, v->canonical.data, built.text.size) == 0;
    t->exact += exact;
    if (!CHECK(exact)) {
        say_difference(v->name, v->canonical, built.text);
    }
}

/* Whether the program could be decoded. */
static bool check_vector(const vector *v, tally *t) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    options.version = v->version;
    test_arena(&arena, &heap, 0);
    bool ok = ep_decode(&arena, v->program, &options, &program, &error);
    t->programs++;
    if (ok) {
        check_form(v, program, &arena, t);
    }
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
    return ok;
}

/* --------------------------------------------------------- made-up programs */

/* A value in a JSON text that is well-formed: the bytes of it, and past them. */
static ep_bytes take_value(const char **p) {
    const char *from = *p;
    size_t depth = 0;
    bool quoted = false;
    do {
        char c = *(*p)++;
        if (quoted) {
            *p += c == '\\';
            quoted = c != '"';
        } else {
            quoted = c == '"';
            depth += c == '{' || c == '[';
            depth -= c == '}' || c == ']';
        }
    } while (depth > 0 || quoted || strchr(",]}", **p) == NULL);
    return (ep_bytes){from, (size_t)(*p - from)};
}

static void skip_blank(const char **p) {
    *p += strspn(*p, " \n,:");
}

/* A list of strings without escapes. */
static void take_constants(ep_bytes list, vector *v) {
    const char *p = list.data + 1;
    if (list.data[0] != '[') {
        return; /* null: the release takes none */
    }
    for (skip_blank(&p); *p == '"'; skip_blank(&p)) {
        ep_bytes text = take_value(&p);
        CHECK(memchr(text.data, '\\', text.size) == NULL);
        if (CHECK(v->constant_count < CONSTANTS_MAX)) {
            v->constants[v->constant_count++] = (ep_bytes){text.data + 1, text.size - 2};
        }
    }
}

/* The text as PyTorch writes it: with a blank behind each comma and colon. */
static void add_spaced(test_text *text, ep_bytes compact) {
    bool quoted = false;
    for (size_t i = 0; i < compact.size; i++) {
        char c = compact.data[i];
        test_add(text, &c, 1);
        if (quoted && c == '\\') {
            test_add(text, &compact.data[++i], 1);
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == ',' || c == ':')) {
            test_add(text, " ", 1);
        }
    }
}

static bool is_null(ep_bytes value) {
    return value.size == 4 && memcmp(value.data, "null", 4) == 0;
}

static bool is_key(ep_bytes key, const char *name) {
    return key.size == strlen(name) && memcmp(key.data, name, key.size) == 0;
}

/* {"id": ..., "program": ...}: reads it, and goes past it. */
static void take_vector(const char **p, vector *v) {
    ep_bytes raises = {NULL, 0};
    (*p)++;
    for (skip_blank(p); **p == '"'; skip_blank(p)) {
        const char *quote = strchr(*p + 1, '"');
        ep_bytes key = {*p + 1, (size_t)(quote - *p - 1)};
        *p = quote + 1;
        skip_blank(p);
        ep_bytes value = take_value(p);
        if (is_key(key, "program")) {
            v->program = value;
        } else if (is_key(key, "canonical")) {
            v->canonical = value;
        } else if (is_key(key, "constants")) {
            take_constants(value, v);
        } else if (is_key(key, "raises")) {
            raises = value;
        }
    }
    (*p)++;
    CHECK(v->program.data != NULL && is_null(v->canonical) == !is_null(raises));
}

static void check_synthetic(const char *folder, const char *release, tally *t) {
    char path[1024];
    char name[NAME_SIZE];
    test_text all = {0};
    snprintf(path, sizeof path, "%s/canonicalize-%s.json", folder, release);
    if (!CHECK_NOTE(test_read_file(path, &all), path)) {
        return;
    }
    test_add(&all, "", 1);
    const char *p = all.data + 1;
    snprintf(name, sizeof name, "torch-%s", release);
    const ep_version *version = ep_version_find(name);
    for (skip_blank(&p); *p == '{'; skip_blank(&p)) {
        snprintf(name, sizeof name, "canonicalize-%s.json %zu", release, t->programs);
        vector v = {.name = name, .version = version};
        test_text form = {0};
        take_vector(&p, &v);
        if (is_null(v.canonical)) {
            v.canonical.data = NULL;
        } else {
            add_spaced(&form, v.canonical);
            v.canonical = test_text_exact(&form);
        }
        CHECK_NOTE(check_vector(&v, t), name);
        test_text_free(&form);
    }
    test_text_free(&all);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: golden_canon_torch SYNTHETIC RELEASE...\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        tally t = {0};
        check_synthetic(argv[1], argv[i], &t);
        printf("%-9s %zu programs, %zu exact, %zu refused\n", argv[i], t.programs, t.exact,
               t.refused);
        CHECK(t.refused > 0 && t.exact + t.refused == t.programs);
    }
    return check_report();
}
