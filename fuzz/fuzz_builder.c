/*
 * fuzz_builder.c - calls of the builder, drawn from the input: its first byte is
 * the version, the second whether they make a valid program, the third a call of the
 * allocator that is refused, and then come the calls. Each program is built twice, the second time
 * with no call behind one that failed, and by a builder that checks it; both have to say the same,
 * and what was asked for. Calls of which one failed are made again up to that one.
 */
#include "builder_play.h"
#include "fuzz.h"

#include <string.h>

enum { HEAD = 3, VALID = 192 };

/* What came of the calls. */
typedef struct outcome {
    test_heap heap;
    ep_arena scratch; /* the builder's */
    ep_arena arena;
    ep_built built;
    ep_error error;
    play_asked asked;
    bool ok;
    bool failed;  /* a call said so ... */
    bool unstuck; /* ... and one after it did not */
    bool empty;   /* there was no builder */
    bool valid;   /* it is meant to be */
    size_t good;  /* calls before one failed */
} outcome;

/* How the calls are made, and which call of the allocator is refused. */
typedef struct manner {
    size_t most; /* calls that are made */
    bool stops;
    ep_build_goal goal;
    size_t fail_at;
    bool fail_on; /* ... and every one after it */
} manner;

/* ------------------------------------------------------------------- building */

static void play_calls(outcome *o, const uint8_t *data, size_t size, const manner *m) {
    const ep_version *version = ep_version_at(data[0] % test_version_count());
    play p = {.data = data + HEAD, .size = size - HEAD, .most = m->most, .stops = m->stops};
    p.b = ep_builder_open(&o->scratch, version, &o->error);
    o->empty = p.b == NULL;
    if (o->empty) {
        return;
    }
    p.graphs[p.graph_count++] = ep_build_root(p.b);
    p.asked.specs = ep_builder_has(p.b, "GraphSignature", "input_specs");
    p.asked.persistent = ep_builder_has(p.b, "InputToBufferSpec", "persistent");
    if (data[1] >= VALID) {
        play_valid(&p, data[1]);
    } else {
        play_begin_with(&p);
    }
    while (play_goes_on(&p) && !play_ended(&p)) {
        play_any_call(&p);
    }
    o->ok = ep_builder_finish(p.b, &o->arena, m->goal, &o->built, &o->error);
    o->asked = p.asked;
    o->valid = data[1] >= VALID;
    o->failed = p.failed;
    o->good = p.good;
    o->unstuck = p.unstuck;
    FUZZ_PROPERTY(!ep_build_verifier(p.b, "ATEN"), "finished-is-finished");
}

static void build(outcome *o, const uint8_t *data, size_t size, const manner *m) {
    memset(o, 0, sizeof *o);
    o->heap.fail_at = m->fail_at;
    o->heap.fail_on = m->fail_on;
    test_arena(&o->scratch, &o->heap, FUZZ_CAP);
    test_arena(&o->arena, &o->heap, FUZZ_CAP);
    play_calls(o, data, size, m);
}

static void end(outcome *o) {
    ep_arena_free(&o->scratch);
    ep_arena_free(&o->arena);
    FUZZ_PROPERTY(o->heap.bytes == 0 && o->heap.blocks == 0, "leak");
}

/* ----------------------------------------------------------------- properties */

static bool same_error(const ep_error *a, const ep_error *b) {
    return a->code == b->code && a->offset == b->offset && strcmp(a->pointer, b->pointer) == 0 &&
           strcmp(a->detail, b->detail) == 0;
}

/* What holds of each program, however it was built. */
static void expect_told(const outcome *o) {
    const ep_error *error = &o->error;
    FUZZ_PROPERTY_OF(o->ok == (error->code == EP_OK), "error-is-told", error);
    FUZZ_PROPERTY_OF(error->code != EP_INTERNAL, "internal", error);
    FUZZ_PROPERTY_OF(!o->unstuck, "first-failure-sticks", error);
    FUZZ_PROPERTY_OF(!(o->ok && o->failed), "failure-is-reported", error);
    FUZZ_PROPERTY_OF(error->code != EP_ARGUMENT || error->detail[0] != '\0', "detail", error);
    FUZZ_PROPERTY_OF(memchr(error->pointer, 0, EP_POINTER_SIZE) != NULL &&
                         memchr(error->detail, 0, EP_DETAIL_SIZE) != NULL,
                     "error-text", error);
    FUZZ_PROPERTY_OF(error->offset <= o->built.text.size, "error-place", error);
}

/* A builder fails by itself only for what it was given, or for want of memory. */
static void expect_refused(const outcome *first, const outcome *second) {
    ep_code code = first->error.code;
    FUZZ_PROPERTY_OF(code == EP_ARGUMENT, "refusal-code", &first->error);
    FUZZ_PROPERTY_OF(first->built.text.size == 0, "refused-has-no-text", &first->error);
    FUZZ_PROPERTY_OF(!second->ok && same_error(&first->error, &second->error), "first-failure",
                     &second->error);
}

/* What a builder cannot know before the text is read: it keeps no list of keys. */
static bool may_be_undecodable(ep_code code) {
    return code == EP_DUPLICATE_KEY;
}

static bool decode_as(fuzz_work *work, ep_bytes text, const ep_version *version,
                      const ep_program **program) {
    ep_decode_options options = ep_decode_options_default();
    options.version = version;
    options.limits = (ep_limits){SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    bool ok = ep_decode(&work->arena, text, &options, program, &work->error);
    return fuzz_told(work, ok, text);
}

/* The canonical form of what the builder's own check accepts. */
static void expect_canon(const ep_program *program) {
    fuzz_work work;
    ep_bytes form;
    fuzz_begin(&work);
    FUZZ_PROPERTY_OF(fuzz_canon(&work, program, EP_CANON_EPREF, &form), "canon", &work.error);
    fuzz_canon_again(program, form);
    fuzz_end(&work);
}

/* Reads what the builder wrote, and judges it as the checking one did. */
static void expect_judged(const outcome *first, const outcome *second, const ep_version *version) {
    fuzz_work work;
    const ep_program *program = NULL;
    fuzz_begin(&work);
    bool decoded = decode_as(&work, first->built.text, version, &program);
    FUZZ_PROPERTY_OF(decoded || may_be_undecodable(work.error.code), "decodes", &work.error);
    FUZZ_PROPERTY((second->built.program != NULL) == decoded, "decodes-alike");
    bool ok = decoded && ep_check(program, &work.arena, NULL, &work.error);
    FUZZ_PROPERTY_OF(ok || !first->valid, "valid-is-valid", &work.error);
    FUZZ_PROPERTY_OF(ok == second->ok, "checks-alike", &second->error);
    FUZZ_PROPERTY_OF(same_error(&work.error, &second->error), "checks-the-same", &second->error);
    if (decoded) {
        FUZZ_PROPERTY(ep_program_version(program) == version, "version");
        fuzz_encodes_as(program, first->built.text);
        play_expect_asked(&first->asked, program);
    }
    if (ok) {
        expect_canon(program);
    }
    fuzz_end(&work);
}

/* The allocator refuses, once or from then on: that is told, or it made no
 * difference, as when an arena asks again for less. */
static void expect_memory(const outcome *first, const uint8_t *data, size_t size) {
    outcome refused;
    const manner m = {PLAY_CALLS, false, EP_BUILD_TEXT, data[2] / 2, data[2] % 2 != 0};
    build(&refused, data, size, &m);
    expect_told(&refused);
    if (m.fail_on && refused.heap.calls >= m.fail_at) {
        FUZZ_PROPERTY_OF(!refused.ok, "memory-is-missed", &first->error);
    }
    if (refused.error.code != EP_MEMORY) {
        FUZZ_PROPERTY_OF(!refused.empty && refused.ok == first->ok &&
                             same_error(&refused.error, &first->error) &&
                             fuzz_same(refused.built.text, first->built.text),
                         "memory", &refused.error);
    }
    end(&refused);
}

/* A builder takes a text exactly when it is UTF-8. */
static void expect_utf8(const uint8_t *data, size_t size) {
    enum { TEXT = 24 };
    fuzz_work work;
    ep_built built;
    ep_bytes text = fuzz_bytes(data, size < TEXT ? size : TEXT);
    fuzz_begin(&work);
    ep_builder *b = ep_builder_open(&work.arena, ep_version_find("latest"), &work.error);
    FUZZ_PROPERTY((ep_arg_string(b, text) != NULL) == fuzz_is_utf8(text), "utf-8");
    ep_builder_finish(b, &work.arena, EP_BUILD_TEXT, &built, &work.error);
    fuzz_end(&work);
}

/* Makes at most so many calls, and says how many came before one that failed. */
static size_t make_calls(const uint8_t *data, size_t size, size_t most) {
    const manner manners[] = {{most, false, EP_BUILD_TEXT, 0, false},
                              {most, true, EP_BUILD_CHECKED, 0, false}};
    outcome first;
    outcome second;
    build(&first, data, size, &manners[0]);
    build(&second, data, size, &manners[1]);
    expect_told(&first);
    expect_told(&second);
    if (first.ok) {
        FUZZ_SAME(first.built.text, second.built.text, "twice-the-same");
        expect_judged(&first, &second, ep_version_at(data[0] % test_version_count()));
    } else {
        expect_refused(&first, &second);
    }
    if (data[2] >= 2 && most == PLAY_CALLS) {
        expect_memory(&first, data, size);
    }
    end(&first);
    end(&second);
    return first.failed ? first.good : most;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEAD) {
        return 0;
    }
    size_t good = make_calls(data, size, PLAY_CALLS);
    if (good < PLAY_CALLS) { /* what was well until then is a program */
        make_calls(data, size, good);
    }
    expect_utf8(data + HEAD, size - HEAD);
    return 0;
}
