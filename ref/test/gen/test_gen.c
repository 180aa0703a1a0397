/*
 * test_gen.c - what epref gen writes: valid programs of every version and size, and
 * programs with one defect, each refused with the code that was asked for.
 *
 *     test_gen valid [COUNT]
 *     test_gen invalid [COUNT]
 */
#include "gen/defects/defect.h"
#include "gen/gen.h"

#include "check.h"
#include "support.h"

#include <stdlib.h>

/* ------------------------------------------------------------------- programs */

/* A program of a version in an arena: its text, decoded. */
typedef struct sample {
    ep_bytes text;
    const ep_program *program;
} sample;

static const char *note_of(char note[160], const ep_version *version, uint64_t seed, size_t nodes,
                           const ep_error *error) {
    snprintf(note, 160, "--schema=%s --seed=%" PRIu64 " --nodes=%zu: %s %.60s", version->name, seed,
             nodes, error->code == EP_OK ? "valid" : ep_code_name(error->code), error->pointer);
    return note;
}

/* The verdict on a text that is to be of a version; NULL: of what it says. */
static ep_code judge(ep_bytes text, const ep_version *version, ep_error *error) {
    ep_arena arena;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    options.version = version;
    arena_open(&arena, 0);
    if (ep_decode(&arena, text, &options, &program, error)) {
        ep_check(program, &arena, NULL, error);
    }
    ep_arena_free(&arena);
    return error->code;
}

static bool make_sample(ep_arena *arena, const gen_options *options, sample *s, ep_error *error) {
    ep_arena scratch;
    ep_decode_options demand = ep_decode_options_default();
    demand.version = options->version;
    arena_open(&scratch, 0);
    bool ok = gen_program(options, &scratch, arena, &s->text, error) &&
              ep_decode(arena, s->text, &demand, &s->program, error);
    ep_arena_free(&scratch);
    return ok;
}

/* ---------------------------------------------------------------------- valid */

enum { NODES_MOST = 200 };

static void test_valid(uint64_t seed, size_t *bytes) {
    ep_arena arena;
    ep_error error;
    sample s = {.program = NULL};
    char note[160];
    gen_options options = {.version = ep_version_at(seed % test_version_count()),
                           .seed = seed,
                           .nodes = seed / test_version_count() * 7 % (NODES_MOST + 1),
                           .plain = seed % 5 == 0};
    arena_open(&arena, 0);
    bool ok = make_sample(&arena, &options, &s, &error) &&
              judge(s.text, options.version, &error) == EP_OK;
    CHECK_NOTE(ok, note_of(note, options.version, seed, options.nodes, &error));
    *bytes += s.text.size;
    ep_arena_free(&arena);
}

static void test_all_valid(size_t count) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        test_valid(i, &bytes);
    }
    printf("%zu programs of %zu versions, 0 to %d nodes, %zu bytes\n", count, test_version_count(),
           NODES_MOST, bytes);
}

/* -------------------------------------------------------------------- invalid */

enum { PROGRAMS_LEAST = 20, TRIES_MOST = 120 };

/* How it went with a code. */
typedef struct tally {
    size_t each; /* programs that are due at a version, at least */
    size_t programs;
    size_t versions;
    size_t possible; /* versions */
    size_t tries;
} tally;

/* The same numbers have to give the same defect. */
static void check_again(const defect_options *wanted, const buffer *first) {
    buffer second = {0};
    failure what;
    if (CHECK(defect_apply(wanted, &second, &what))) {
        CHECK_EQ_BYTES(second.data, second.size, first->data, first->size);
    }
    buffer_free(&second);
}

/* One program with a defect of the code; false if it has no place for it. */
static bool test_defect(ep_code code, const gen_options *options, const sample *s) {
    buffer out = {0};
    failure what;
    ep_error error;
    char note[160];
    defect_options wanted = {code, options->seed, s->text, s->program};
    bool made = defect_apply(&wanted, &out, &what);
    if (made) {
        const ep_version *demand = code == EP_VERSION_UNKNOWN ? NULL : options->version;
        ep_code found = judge(buffer_bytes(&out), demand, &error);
        if (!CHECK_NOTE(found == code, ep_code_name(code))) {
            fprintf(stderr, "    %s\n",
                    note_of(note, options->version, options->seed, options->nodes, &error));
        }
        check_again(&wanted, &out);
    } else {
        CHECK_NOTE(what.reason != NULL && what.status == STATUS_INVALID, ep_code_name(code));
    }
    buffer_free(&out);
    return made;
}

/* As many as are due: where few versions have the code, more of each. */
static size_t due(const tally *t) {
    size_t share = t->possible == 0 ? 0 : (PROGRAMS_LEAST + t->possible - 1) / t->possible;
    return share > t->each ? share : t->each;
}

static void test_code_of(ep_code code, const ep_version *version, tally *t) {
    size_t made = 0;
    for (uint64_t i = 0; i < TRIES_MOST && made < due(t); i++) {
        ep_arena arena;
        ep_error error;
        sample s;
        gen_options options = {
            .version = version, .seed = (uint64_t)code * 1000 + i, .nodes = 10 + i * 13 % 50};
        arena_open(&arena, 0);
        if (CHECK(make_sample(&arena, &options, &s, &error))) {
            bool placed = test_defect(code, &options, &s);
            CHECK_EQ_INT(judge(s.text, version, &error), EP_OK);
            made += placed;
        }
        t->tries++;
        ep_arena_free(&arena);
    }
    t->programs += made;
    t->versions += made > 0;
}

static void test_code(ep_code code, size_t each) {
    tally t = {.each = each};
    for (size_t i = 0; i < test_version_count(); i++) {
        t.possible += defect_possible(code, ep_version_at(i));
    }
    for (size_t i = 0; i < test_version_count(); i++) {
        if (defect_possible(code, ep_version_at(i))) {
            test_code_of(code, ep_version_at(i), &t);
        }
    }
    printf("%-24s %6zu programs %4zu of %2zu versions %6zu tries\n", ep_code_name(code), t.programs,
           t.versions, t.possible, t.tries);
    CHECK_NOTE(t.programs >= PROGRAMS_LEAST, ep_code_name(code));
    CHECK_NOTE(t.versions == t.possible, ep_code_name(code));
}

/* The codes that check can say of a program that gen writes; of the others no
 * defect is known. */
static bool is_shown(ep_code code) {
    static const ep_code others[] = {EP_NAMESPACE, EP_OPSET, EP_VERIFIER, EP_CONSTANT_NAME};
    ep_level level = ep_code_level(code);
    bool judges = level != EP_LEVEL_NONE && level != EP_LEVEL_ARCHIVE;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        judges = judges && code != others[i];
    }
    return judges || code == EP_LIMIT_DEPTH;
}

static void test_all_invalid(size_t each) {
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        ep_code code = ep_code_at(i);
        CHECK_NOTE(defect_known(code) == is_shown(code), ep_code_name(code));
        if (defect_known(code)) {
            test_code(code, each);
        }
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "invalid") == 0) {
        test_all_invalid(argc > 2 ? (size_t)atol(argv[2]) : 3);
    } else {
        test_all_valid(argc > 2 ? (size_t)atol(argv[2]) : 10000);
    }
    return check_report();
}
