/*
 * fuzz.c - see fuzz.h.
 */
#include "fuzz.h"

#include "base/utf8.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A locale whose decimal point is a comma, where there is one: nothing may be
 * different under it. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        setlocale(LC_ALL, "");
    }
    return 0;
}

/* Where the claim stands in the tree, whatever folder that is built in. */
static const char *place_of(const char *file) {
    const char *found = strstr(file, "/fuzz/");
    for (const char *next = found; next != NULL; next = strstr(next + 1, "/fuzz/")) {
        found = next;
    }
    return found == NULL ? file : found + 1;
}

static void say(const fuzz_claim *claim) {
    fprintf(stderr, "fuzz: property broken: %s\n", claim->property);
    fprintf(stderr, "fuzz: %s:%d: this does not hold: %s\n", place_of(claim->file), claim->line,
            claim->words);
}

void fuzz_broken(const fuzz_claim *claim, const ep_error *error) {
    say(claim);
    if (error != NULL && error->code != EP_OK) {
        fprintf(stderr, "fuzz: %s at byte %zu, %s: %s\n", ep_code_name(error->code), error->offset,
                error->pointer, error->detail);
    }
    abort();
}

void fuzz_expect_agreement(const char *target, const test_text *reply) {
    char property[64];
    if (reply->size > 0) {
        const char *end = memchr(reply->data, '\n', reply->size);
        int size = (int)(end == NULL ? reply->size : (size_t)(end - reply->data));
        snprintf(property, sizeof property, "%s.%.*s", target, size, reply->data);
        fprintf(stderr, "fuzz: %.*s\n", (int)reply->size, reply->data);
        fuzz_broken(&(const fuzz_claim){property, "the oracle agrees", __FILE__, __LINE__}, NULL);
    }
}

/* A text around a place, on a line of its own. */
static void say_around(const char *which, ep_bytes text, size_t place) {
    enum { BEFORE = 40, BEHIND = 60 };
    size_t begin = place > BEFORE ? place - BEFORE : 0;
    size_t end = text.size - place > BEHIND ? place + BEHIND : text.size;
    fprintf(stderr, "fuzz:   %-10s %6zu bytes: %s", which, text.size, begin > 0 ? "..." : "");
    for (size_t i = begin; i < end; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        fprintf(stderr, byte >= ' ' && byte < 0x7F ? "%c" : "\\x%02X", byte);
    }
    fprintf(stderr, "%s\n", end < text.size ? "..." : "");
}

void fuzz_check_same(const fuzz_claim *claim, const ep_bytes texts[2]) {
    size_t size = texts[0].size < texts[1].size ? texts[0].size : texts[1].size;
    size_t place = 0;
    if (fuzz_same(texts[0], texts[1])) {
        return;
    }
    while (place < size && texts[0].data[place] == texts[1].data[place]) {
        place++;
    }
    say(claim);
    fprintf(stderr, "fuzz: they differ from byte %zu on:\n", place);
    say_around("the first", texts[0], place); /* of the two in the claim's words */
    say_around("the second", texts[1], place);
    abort();
}

/* --------------------------------------------------------------------- inputs */

fuzz_input fuzz_split(const uint8_t *data, size_t size) {
    fuzz_input input = {.text = fuzz_bytes(data, size)};
    const uint8_t *zero = size == 0 ? NULL : memchr(data, 0, size);
    if (zero != NULL) {
        input.text.size = (size_t)(zero - data);
        for (const uint8_t *p = zero + 1; p < data + size; p++) {
            input.state = (input.state ^ *p) * UINT64_C(1099511628211);
        }
    }
    return input;
}

uint64_t fuzz_draw(fuzz_input *input) {
    return test_draw(&input->state);
}

size_t fuzz_below(fuzz_input *input, size_t n) {
    return test_draw_below(&input->state, n);
}

bool fuzz_same(ep_bytes a, ep_bytes b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

bool fuzz_is_utf8(ep_bytes text) {
    const char *end = text.data + text.size;
    for (const char *p = text.data; p < end;) {
        uint32_t scalar;
        size_t size = ep_utf8_read(p, end, &scalar);
        TRY(size != 0);
        p += size;
    }
    return true;
}

uint64_t fuzz_hash(ep_bytes text) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < text.size; i++) {
        h = (h ^ (unsigned char)text.data[i]) * UINT64_C(1099511628211);
    }
    return h;
}

/* --------------------------------------------------------------------- memory */

void fuzz_begin(fuzz_work *work) {
    memset(work, 0, sizeof *work);
    test_arena(&work->arena, &work->heap, FUZZ_CAP);
}

void fuzz_end(fuzz_work *work) {
    ep_arena_free(&work->arena);
    if (work->heap.bytes != 0 || work->heap.blocks != 0) {
        fuzz_broken(FUZZ_CLAIM("nothing is left in the heap", "leak"), NULL);
    }
}

/* Counted anew. */
bool fuzz_place_holds(const ep_error *error, ep_bytes text) {
    size_t line = 1;
    size_t begin = 0;
    if (error->line == 0) {
        return error->offset == 0 && error->column == 0;
    }
    TRY(error->offset <= text.size);
    for (size_t i = 0; i < error->offset; i++) {
        if (text.data[i] == '\n') {
            line++;
            begin = i + 1;
        }
    }
    return error->line == line && error->column == error->offset - begin + 1;
}

bool fuzz_told(const fuzz_work *work, bool ok, ep_bytes text) {
    const ep_error *error = &work->error;
    FUZZ_PROPERTY_OF(ok == (error->code == EP_OK), "error-is-told", error);
    FUZZ_PROPERTY_OF(error->code != EP_INTERNAL, "internal", error);
    if (!ok) {
        FUZZ_PROPERTY_OF(ep_code_name(error->code) != NULL, "error-code", error);
        FUZZ_PROPERTY_OF(memchr(error->pointer, 0, EP_POINTER_SIZE) != NULL, "error-pointer",
                         error);
        FUZZ_PROPERTY_OF(memchr(error->detail, 0, EP_DETAIL_SIZE) != NULL, "error-detail", error);
        FUZZ_PROPERTY_OF(fuzz_place_holds(error, text), "error-place", error);
    }
    return ok;
}

bool fuzz_is_of_version(ep_code code) {
    return (EP_MIGRATE_FIELD <= code && code <= EP_MIGRATE_ARCHIVE) || code == EP_LIMIT_GROWTH ||
           ep_code_level(code) == EP_LEVEL_STRINGS || ep_code_level(code) == EP_LEVEL_PROGRAM;
}

/* ------------------------------------------------------------------- programs */

bool fuzz_decode(fuzz_work *work, ep_bytes text, const ep_program **program) {
    return fuzz_told(work, ep_decode(&work->arena, text, NULL, program, &work->error), text);
}

bool fuzz_decode_as(fuzz_work *work, ep_bytes text, const ep_version *version,
                    const ep_program **program) {
    ep_decode_options options = ep_decode_options_default();
    options.version = version->owns_number ? NULL : version;
    bool ok = ep_decode(&work->arena, text, &options, program, &work->error);
    return fuzz_told(work, ok, text) && ep_program_version(*program) == version;
}

bool fuzz_encode(fuzz_work *work, const ep_program *program, test_text *text) {
    return ep_encode(program, &work->arena, test_sink, text, &work->error);
}

void fuzz_encodes_as(const ep_program *program, ep_bytes text) {
    fuzz_work work;
    test_text encoded = {0};
    fuzz_begin(&work);
    FUZZ_PROPERTY_OF(fuzz_encode(&work, program, &encoded), "encodes", &work.error);
    FUZZ_SAME(test_text_bytes(&encoded), text, "encoded-same");
    test_text_free(&encoded);
    fuzz_end(&work);
}

const ep_program *fuzz_anew(fuzz_work *work, const ep_program *program, test_text *text) {
    const ep_program *again;
    FUZZ_PROPERTY_OF(fuzz_encode(work, program, text), "encodes", &work->error);
    bool ok = fuzz_decode_as(work, test_text_bytes(text), ep_program_version(program), &again);
    FUZZ_PROPERTY_OF(ok, "encoded-is-decoded", &work->error);
    return again;
}

bool fuzz_canon(fuzz_work *work, const ep_program *program, ep_canon_form form, ep_bytes *text) {
    ep_canon_options options = {.form = form, .constant = test_no_type};
    ep_built built = {{NULL, 0}, NULL};
    bool ok = ep_canon(program, &work->arena, &options, &built, &work->error);
    *text = built.text;
    return ok;
}

void fuzz_canon_again(const ep_program *from, ep_bytes form) {
    fuzz_work work;
    const ep_program *program;
    ep_bytes again;
    ep_built there;
    const ep_migrate_options to = {.version = ep_version_find("8.20")};
    fuzz_begin(&work);
    FUZZ_PROPERTY_OF(fuzz_decode_as(&work, form, to.version, &program), "form-is-decoded",
                     &work.error);
    bool ok = ep_check(program, &work.arena, NULL, &work.error) &&
              fuzz_canon(&work, program, EP_CANON_EPREF, &again);
    FUZZ_PROPERTY_OF(ok || !ep_migrate(from, &work.arena, &to, &there, NULL), "form-has-form",
                     &work.error);
    FUZZ_SAME_UNLESS(!ok, again, form, "again");
    fuzz_end(&work);
}

void fuzz_walk(ep_value value, fuzz_visit *visit, void *context) {
    size_t count = 1;
    size_t capacity = 64;
    ep_value *open = malloc(capacity * sizeof *open);
    if (open == NULL) {
        return;
    }
    open[0] = value;
    while (count > 0) {
        value = open[--count];
        visit(context, value);
        size_t parts = ep_value_count(value);
        if (parts > capacity - count) {
            capacity = 2 * (count + parts);
            ep_value *more = realloc(open, capacity * sizeof *open);
            if (more == NULL) {
                break;
            }
            open = more;
        }
        for (size_t i = 0; i < parts; i++) {
            open[count++] = ep_value_item(value, i);
        }
    }
    free(open);
}

const ep_version *fuzz_draw_version(fuzz_input *input) {
    return ep_version_at(fuzz_below(input, test_version_count()));
}
