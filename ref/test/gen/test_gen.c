/*
 * test_gen.c - what epref gen writes: valid programs of every version and size,
 * programs with one defect, each refused with the code that was asked for, and
 * the laws of migration (SPEC 7.1) over programs that no golden one is like.
 *
 *     test_gen valid [COUNT]
 *     test_gen invalid
 *     test_gen laws [COUNT]
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

/* ----------------------------------------------------------------------- laws */

enum { PROPERTY_NODES_MOST = 60, PROPERTY_TARGETS = 6 };

/* Why a program that went up may come back another (SPEC 7.1.4), of what gen
 * writes: the clause that says so, and what stands in such a program. */
typedef struct excuse {
    const char *clause;
    const char *evidence;
} excuse;

static const excuse excuses[] = {
    {"7.3.2", "\"equality_constraints\": [["},
    {"7.5.2", "\"torch._higher_order_ops."},
};
enum { EXCUSES = sizeof excuses / sizeof *excuses };

/* What keeps a program of gen from an earlier version. From a later one nothing
 * does: gen writes none of what SPEC 7.6 has there. */
typedef struct reason {
    ep_code code;
    const char *clause;
    bool common; /* in any large sample */
} reason;

static const reason reasons[] = {
    {EP_MIGRATE_FIELD, "7.6.1", true}, {EP_MIGRATE_TAG, "7.6.2", true},
    {EP_MIGRATE_ENUM, "7.6.3", true},  {EP_MIGRATE_TEXT, "7.6.5", true},
    {EP_OPERATOR, "7.6.7", false},     {EP_METADATA_MODULES, "7.6.7", false},
};
enum { REASONS = sizeof reasons / sizeof *reasons };

/* A program at another version, with the memory that it lives in. */
typedef struct migrated {
    ep_arena arena;
    ep_built built;
    ep_error error;
    bool told[EXCUSES]; /* their clauses, in the report */
} migrated;

/* Programs that a code keeps from a version, and the smallest of them. */
typedef struct refusals {
    size_t count;
    size_t smallest; /* bytes */
    char example[256];
} refusals;

typedef struct law_tallies {
    size_t programs;
    size_t up;
    size_t down;
    size_t returned; /* from a later version */
    size_t excused[EXCUSES];
    size_t stepwise;
    refusals refused[REASONS];
} law_tallies;

/* A program, where it goes, and what is said of it when a law does not hold. */
typedef struct journey {
    law_tallies *t;
    const gen_options *options;
    const sample *s;
    size_t from;
    size_t to;
} journey;

static bool law(const journey *j, const char *which, bool holds, const ep_error *error) {
    char note[160];
    char whole[256];
    static const ep_error none = {.code = EP_OK};
    note_of(note, j->options->version, j->options->seed, j->options->nodes,
            error == NULL ? &none : error);
    snprintf(whole, sizeof whole, "%s: to %s%s: %s %.60s", which, ep_version_at(j->to)->name,
             j->options->plain ? " --plain" : "", note, error == NULL ? "" : error->detail);
    return CHECK_NOTE(holds, whole);
}

static void note_step(void *context, const char *clause, const char *about, size_t times) {
    migrated *m = context;
    CHECK(times > 0 && about[0] != '\0');
    for (size_t i = 0; i < EXCUSES; i++) {
        m->told[i] = m->told[i] || strcmp(clause, excuses[i].clause) == 0;
    }
}

static bool migrate(const ep_program *program, size_t to, migrated *m) {
    *m = (migrated){.built = {.program = NULL}};
    arena_open(&m->arena, 0);
    ep_migrate_options options = {
        .version = ep_version_at(to), .report = note_step, .report_context = m};
    return ep_migrate(program, &m->arena, &options, &m->built, &m->error);
}

static void end(migrated *m) {
    ep_arena_free(&m->arena);
}

static bool same_text(ep_bytes a, ep_bytes b) {
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static bool holds_text(ep_bytes text, const char *part) {
    size_t size = strlen(part);
    for (size_t i = 0; i + size <= text.size; i++) {
        if (memcmp(text.data + i, part, size) == 0) {
            return true;
        }
    }
    return false;
}

/* The first excuse of a program; EXCUSES: none. */
static size_t excuse_of(const journey *j, const migrated *there) {
    for (size_t i = 0; i < EXCUSES; i++) {
        if (there->told[i] && holds_text(j->s->text, excuses[i].evidence)) {
            return i;
        }
    }
    return EXCUSES;
}

/* By its bytes alone, a program that a decoder takes as that version. */
static void check_product(const journey *j, const migrated *there) {
    const ep_version *version = ep_version_at(j->to);
    const ep_program *program;
    ep_arena arena;
    ep_error error;
    ep_decode_options options = ep_decode_options_default();
    options.version = version->owns_number ? NULL : version;
    arena_open(&arena, 0);
    if (law(j, "valid", ep_decode(&arena, there->built.text, &options, &program, &error), &error)) {
        law(j, "valid", ep_program_version(program) == version, NULL);
        law(j, "valid", ep_check(program, &arena, NULL, &error), &error);
    }
    ep_arena_free(&arena);
}

/* What came back, migrated again, is what it was the first time. */
static void check_forth(const journey *j, const migrated *there, const migrated *back) {
    migrated again;
    if (law(j, "again", migrate(back->built.program, j->to, &again), &again.error)) {
        law(j, "again", same_text(again.built.text, there->built.text), NULL);
    }
    end(&again);
}

/* What went up comes back as it was; what went down comes back as something. */
static void check_back(const journey *j, const migrated *there) {
    migrated back;
    if (law(j, "back", migrate(there->built.program, j->from, &back), &back.error)) {
        bool same = same_text(back.built.text, j->s->text);
        if (j->to > j->from && !same) {
            size_t why = excuse_of(j, there);
            j->t->excused[why % EXCUSES] += why < EXCUSES;
            law(j, "back", why < EXCUSES, NULL);
        }
        law(j, "same", same || j->to != j->from, NULL);
        j->t->returned += j->to > j->from;
        check_forth(j, there, &back);
    }
    end(&back);
}

/* By way of a version between, which owns its number and can say the program. */
static void check_stepwise(const journey *j, const migrated *there, size_t between) {
    migrated half;
    migrated whole;
    char which[64];
    snprintf(which, sizeof which, "by way of %s", ep_version_at(between)->name);
    if (migrate(j->s->program, between, &half)) {
        if (law(j, which, migrate(half.built.program, j->to, &whole), &whole.error)) {
            law(j, which, same_text(whole.built.text, there->built.text), NULL);
            j->t->stepwise++;
        }
        end(&whole);
    } else {
        law(j, which, j->to < j->from, &half.error);
    }
    end(&half);
}

static void add_refusal(const journey *j, const ep_error *error) {
    size_t i = 0;
    while (i < REASONS && reasons[i].code != error->code) {
        i++;
    }
    if (!law(j, "refused", i < REASONS && j->to < j->from, error)) {
        return;
    }
    refusals *r = &j->t->refused[i];
    if (r->count++ == 0 || j->s->text.size < r->smallest) {
        r->smallest = j->s->text.size;
        snprintf(r->example, sizeof r->example,
                 "--schema=%s --seed=%" PRIu64 " --nodes=%zu%s to %s, %.60s %.60s",
                 j->options->version->name, j->options->seed, j->options->nodes,
                 j->options->plain ? " --plain" : "", ep_version_at(j->to)->name, error->pointer,
                 error->detail);
    }
}

static void test_journey(const journey *j, gen_random *random) {
    migrated there;
    size_t low = j->from < j->to ? j->from : j->to;
    size_t high = j->from < j->to ? j->to : j->from;
    j->t->up += j->to > j->from;
    j->t->down += j->to < j->from;
    if (migrate(j->s->program, j->to, &there)) {
        check_product(j, &there);
        check_back(j, &there);
        size_t between = high - low < 2 ? low : low + 1 + gen_below(random, high - low - 1);
        if (between != low && ep_version_at(between)->owns_number) {
            check_stepwise(j, &there, between);
        }
    } else {
        add_refusal(j, &there.error);
    }
    end(&there);
}

static void test_laws_of(uint64_t seed, law_tallies *t) {
    ep_arena arena;
    ep_error error;
    sample s = {.program = NULL};
    char note[160];
    gen_random random = {seed};
    gen_options options = {.version = ep_version_at(seed % test_version_count()),
                           .seed = seed,
                           .nodes = seed / test_version_count() * 7 % (PROPERTY_NODES_MOST + 1),
                           .plain = seed % 5 == 0};
    journey j = {.t = t, .options = &options, .s = &s, .from = seed % test_version_count()};
    arena_open(&arena, 0);
    bool ok = make_sample(&arena, &options, &s, &error);
    if (CHECK_NOTE(ok, note_of(note, options.version, seed, options.nodes, &error))) {
        t->programs++;
        for (size_t i = 0; i < PROPERTY_TARGETS; i++) {
            j.to = gen_below(&random, test_version_count());
            test_journey(&j, &random);
        }
    }
    ep_arena_free(&arena);
}

static void print_laws(const law_tallies *t) {
    printf("%zu programs of %zu versions, 0 to %d nodes: %zu migrations up, %zu down\n",
           t->programs, test_version_count(), PROPERTY_NODES_MOST, t->up, t->down);
    printf("by way of a version between: %zu\nback from a later version: %zu", t->stepwise,
           t->returned);
    for (size_t i = 0; i < EXCUSES; i++) {
        printf("%s %zu by SPEC %s", i == 0 ? ", not as they were:" : ",", t->excused[i],
               excuses[i].clause);
    }
    printf("\nrefused on the way down:\n");
    for (size_t i = 0; i < REASONS; i++) {
        printf("%6zu  %-20s SPEC %s  %s\n", t->refused[i].count, ep_code_name(reasons[i].code),
               reasons[i].clause, t->refused[i].example);
    }
}

static void test_all_laws(size_t count) {
    law_tallies *t = calloc(1, sizeof *t);
    if (CHECK(t != NULL)) {
        for (size_t i = 0; i < count; i++) {
            test_laws_of(i, t);
        }
        print_laws(t);
        CHECK(t->returned > 0 && t->stepwise > 0);
        for (size_t i = 0; i < REASONS; i++) {
            CHECK_NOTE(t->refused[i].count > 0 || !reasons[i].common, reasons[i].clause);
        }
    }
    free(t);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "invalid") == 0) {
        test_all_invalid(argc > 2 ? (size_t)atol(argv[2]) : 3);
    } else if (argc > 1 && strcmp(argv[1], "laws") == 0) {
        test_all_laws(argc > 2 ? (size_t)atol(argv[2]) : 2520);
    } else {
        test_all_valid(argc > 2 ? (size_t)atol(argv[2]) : 10000);
    }
    return check_report();
}
