/*
 * sweep_mutate.c - golden programs that were cut or damaged. usage:
 *
 *     sweep_mutate FOLDER [--files N] [--seed S] [--rounds R]
 *
 * A cut program is refused, with EP_END at the cut. A damaged one is refused
 * with an error that makes sense, and the wire level alone, and the same text
 * with other white space, say the same; or it is accepted, and then what is
 * encoded says what the damaged text says, and encodes to itself; and ep_check
 * says the same of it however it is spelled. No answer is EP_INTERNAL. What
 * ep_check accepts is migrated to a version that is drawn, to the same bytes
 * however it is spelled: it is refused with an error that makes sense, or becomes
 * a program of that version, which comes back and goes the same way again.
 */
#include "base/utf8.h"
#include "check.h"
#include "corpus.h"
#include "dom.h"
#include "schema/schema.h"
#include "support.h"

#include <stdlib.h>

enum { SMALL = 8192, CUTS = 200 };

typedef struct counts {
    size_t cuts;
    size_t damaged;
    size_t accepted;
    size_t refused_wire;
    size_t refused_schema;
    size_t refused_strings;
    size_t refused_program;
    size_t migrated;
    size_t refused_migration;
    size_t returned;
} counts;

static counts total;
static const char *current; /* what is being damaged, for messages */

/* ------------------------------------------------------------------- errors */

/* Whether a text is a JSON pointer in UTF-8. */
static bool is_pointer(const char *text) {
    const char *end = text + strlen(text);
    if (text != end && *text != '/') {
        return false;
    }
    while (text < end) {
        uint32_t scalar;
        size_t size = ep_utf8_read(text, end, &scalar);
        if (size == 0 || (scalar == '~' && text[1] != '0' && text[1] != '1')) {
            return false;
        }
        text += size;
    }
    return true;
}

static bool check_error(const ep_error *error, ep_bytes input) {
    bool ok = CHECK(ep_code_name(error->code) != NULL) && CHECK(error->code != EP_INTERNAL);
    ok = CHECK(error->offset <= input.size) && ok;
    ok = CHECK(is_pointer(error->pointer)) && ok;
    size_t line = 1;
    size_t column = 1;
    for (size_t i = 0; i < error->offset && i < input.size; i++) {
        line += input.data[i] == '\n';
        column = input.data[i] == '\n' ? 1 : column + 1;
    }
    return CHECK(error->line == line && error->column == column) && ok;
}

/* --------------------------------------------------------------- the verdict */

static bool encode(const ep_program *program, test_text *out) {
    test_heap heap = {0};
    ep_arena scratch;
    test_arena(&scratch, &heap, 0);
    bool ok = ep_encode(program, &scratch, test_sink, out, NULL);
    ep_arena_free(&scratch);
    return ok;
}

/* What was encoded decodes as the same version and encodes to itself. */
static bool check_fixed_point(const ep_program *program, ep_bytes input) {
    test_heap heap = {0};
    ep_arena arena;
    test_text once = {0};
    test_text twice = {0};
    const ep_program *again;
    test_arena(&arena, &heap, 0);
    bool ok = CHECK(encode(program, &once));
    ep_bytes encoded = test_text_exact(&once);
    ok = ok && CHECK(dom_same(input, encoded));
    if (CHECK(ep_decode(&arena, encoded, NULL, &again, NULL))) {
        ok = CHECK(ep_program_version(again) == ep_program_version(program)) && ok;
        ok = CHECK(encode(again, &twice)) && ok;
        ok = CHECK(twice.size == once.size && memcmp(twice.data, once.data, once.size) == 0) && ok;
    } else {
        ok = false;
    }
    ep_arena_free(&arena);
    test_text_free(&once);
    test_text_free(&twice);
    return ok;
}

/* The wire level alone agrees with the decoder. */
static bool check_wire(ep_bytes input, const ep_error *error) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error wire;
    test_arena(&arena, &heap, 0);
    ep_check_wire(&arena, input, NULL, &wire);
    ep_arena_free(&arena);
    bool of_wire = ep_code_level(error->code) == EP_LEVEL_WIRE;
    /* where a bare NaN may stand, only the types say: SPEC 2.7.1 */
    bool typed = error->code == EP_NONFINITE && wire.code == EP_OK;
    if (!of_wire || typed) {
        return CHECK_EQ_INT(wire.code, EP_OK);
    }
    return CHECK_EQ_INT(wire.code, error->code) && CHECK_EQ_INT(wire.offset, error->offset) &&
           CHECK(strcmp(wire.pointer, error->pointer) == 0);
}

/* A text with a line feed after every separator and opening bracket that is
 * outside its strings: no object is spelled as PyTorch spells it. */
static void spread(ep_bytes input, test_text *out) {
    bool string = false;
    for (size_t i = 0; i < input.size; i++) {
        char c = input.data[i];
        test_add(out, &c, 1);
        if (string && c == '\\' && i + 1 < input.size) {
            test_add(out, &input.data[++i], 1);
        } else if (c == '"') {
            string = !string;
        } else if (!string && (c == ',' || c == ':' || c == '{' || c == '[')) {
            test_add_str(out, "\n");
        }
    }
}

/* A text whose strings all have an escape where they had none: of their first
 * letter or digit. */
static void escape(ep_bytes input, test_text *out) {
    bool string = false;
    bool due = false;
    for (size_t i = 0; i < input.size; i++) {
        char c = input.data[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (string && due && plain) {
            char hex[8];
            snprintf(hex, sizeof hex, "\\u%04x", (unsigned)(unsigned char)c);
            test_add_str(out, hex);
            due = false;
            continue;
        }
        test_add(out, &c, 1);
        if (string && c == '\\' && i + 1 < input.size) {
            test_add(out, &input.data[++i], 1);
            due = false; /* the letters of an escape are not to be touched */
        } else if (c == '"') {
            string = !string;
            due = string;
        }
    }
}

/* Decodes and checks; the error of whatever refuses it. */
static void answer(ep_bytes input, ep_error *error) {
    test_heap heap = {0};
    ep_arena arena, scratch;
    const ep_program *program;
    test_arena(&arena, &heap, 0);
    test_arena(&scratch, &heap, 0);
    if (ep_decode(&arena, input, NULL, &program, error)) {
        bool ok = ep_check(program, &scratch, NULL, error);
        CHECK_EQ_INT(ok, error->code == EP_OK);
    }
    ep_arena_free(&scratch);
    ep_arena_free(&arena);
    CHECK_EQ_INT(heap.bytes, 0);
}

static bool check_same(const ep_error *error, const ep_error *other) {
    return CHECK_EQ_INT(other->code, error->code) &&
           CHECK(strcmp(other->pointer, error->pointer) == 0);
}

/* The decoder's quick way, which only takes PyTorch's spelling, and its
 * thorough way say the same; and so does ep_check. */
static bool check_spelling(ep_bytes input, const ep_error *error) {
    test_text text = {0};
    ep_error other;
    spread(input, &text);
    answer(test_text_exact(&text), &other);
    test_text_free(&text);
    return check_same(error, &other);
}

/* What is decoded says the same with escapes. */
static bool check_escaped(ep_bytes input, const ep_error *error) {
    test_text text = {0};
    ep_error other;
    escape(input, &text);
    answer(test_text_exact(&text), &other);
    test_text_free(&text);
    return check_same(error, &other);
}

static void show(ep_bytes input, const ep_error *error, const char *what) {
    size_t from = error->offset > 40 ? error->offset - 40 : 0;
    size_t size = input.size - from < 80 ? input.size - from : 80;
    fprintf(stderr, "    %s %s: %s at %zu, %s: ...", current, what,
            error->code == EP_OK ? "accepted" : ep_code_name(error->code), error->offset,
            error->pointer);
    check_show(input.data + from, size);
    fputc('\n', stderr);
}

static ep_code judge(ep_bytes input, ep_error *error, const char *what) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error of_all;
    const ep_program *program;
    test_arena(&arena, &heap, 0);
    bool ok = ep_decode(&arena, input, NULL, &program, error);
    bool held = CHECK_EQ_INT(ok, error->code == EP_OK);
    held = (ok ? check_fixed_point(program, input) : check_error(error, input)) && held;
    held = check_wire(input, error) && held;
    answer(input, &of_all);
    held = (ok || check_same(error, &of_all)) && held;
    held = (of_all.code == EP_OK || check_error(&of_all, input)) && held;
    held = check_spelling(input, &of_all) && held;
    held = (!ok || check_escaped(input, &of_all)) && held;
    ep_arena_free(&arena);
    held = CHECK_EQ_INT(heap.bytes, 0) && held;
    *error = of_all;
    if (!held) {
        show(input, error, what);
    }
    return error->code;
}

/* ------------------------------------------------------------------ migration */

/* From one version to another. */
typedef struct way {
    const ep_version *from;
    const ep_version *to;
} way;

/* What became of a program. */
typedef struct moved {
    ep_bytes product; /* empty when it was refused */
    bool ranged;      /* with a range added (SPEC 7.4.6) */
    ep_error error;
} moved;

static void note_step(void *context, const char *clause, const char *about, size_t times) {
    moved *m = context;
    m->ranged = m->ranged || strcmp(clause, "7.4.6") == 0;
    CHECK(times > 0 && about[0] != '\0');
}

static bool migrate(ep_arena *arena, ep_bytes input, way w, moved *m) {
    const ep_program *program;
    ep_built built;
    ep_decode_options decoding = ep_decode_options_default();
    ep_migrate_options options = {.version = w.to, .report = note_step, .report_context = m};
    decoding.version = w.from;
    *m = (moved){.product = {NULL, 0}};
    bool ok = CHECK(ep_decode(arena, input, &decoding, &program, &m->error)) &&
              ep_migrate(program, arena, &options, &built, &m->error);
    CHECK_EQ_INT(ok, m->error.code == EP_OK);
    if (ok) {
        m->product = built.text;
    }
    return ok;
}

static bool check_same_bytes(ep_bytes a, ep_bytes b) {
    return CHECK(a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0));
}

/* What was made is, by its bytes alone, a program of the version. */
static bool check_product(ep_bytes product, const ep_version *version) {
    test_heap heap = {0};
    ep_arena arena;
    ep_error error;
    const ep_program *program;
    ep_decode_options options = ep_decode_options_default();
    options.version = version->owns_number ? NULL : version;
    test_arena(&arena, &heap, 0);
    bool ok = CHECK(ep_decode(&arena, product, &options, &program, &error)) &&
              CHECK(ep_program_version(program) == version) &&
              CHECK(ep_check(program, &arena, NULL, &error));
    ep_arena_free(&arena);
    return ok;
}

/* A refusal is as those of the levels are; what a step wrote has no place, and
 * then the rule that it breaks is not one of part 7 (SPEC 7.6.7). */
static bool check_refusal(const ep_error *error, ep_bytes input) {
    if (error->line > 0) {
        return check_error(error, input);
    }
    ep_level level = ep_code_level(error->code);
    return CHECK(level == EP_LEVEL_STRINGS || level == EP_LEVEL_PROGRAM) &&
           CHECK(ep_code_name(error->code) != NULL &&
                 strncmp(ep_code_clause(error->code), "7.", 2) != 0) &&
           CHECK(error->offset == 0 && error->column == 0 && error->pointer[0] == '\0');
}

/* What went up comes back; what came back, with no range added, goes the same
 * way again: SPEC 7.1.4. */
static bool check_return(ep_arena *arena, ep_bytes product, way w) {
    moved back;
    moved again;
    if (!migrate(arena, product, (way){w.to, w.from}, &back)) {
        return CHECK_NOTE(ep_version_number_of(w.to) < ep_version_number_of(w.from),
                          ep_code_name(back.error.code)) &&
               check_refusal(&back.error, product);
    }
    total.returned++;
    return back.ranged ||
           (CHECK_NOTE(migrate(arena, back.product, w, &again), ep_code_name(again.error.code)) &&
            check_same_bytes(again.product, product));
}

/* The same program with escapes becomes the same, or is refused for the same. */
static bool check_migrated_escaped(ep_bytes input, way w, const moved *m) {
    test_heap heap = {0};
    ep_arena arena;
    test_text text = {0};
    moved other;
    escape(input, &text);
    test_arena(&arena, &heap, 0);
    migrate(&arena, test_text_exact(&text), w, &other);
    bool ok = check_same(&m->error, &other.error) && check_same_bytes(m->product, other.product);
    ep_arena_free(&arena);
    test_text_free(&text);
    return CHECK_EQ_INT(heap.bytes, 0) && ok;
}

/* Of a damaged program that is accepted. */
static void check_migration(ep_bytes input, const ep_version *from, uint64_t *state) {
    test_heap heap = {0};
    ep_arena arena;
    moved m;
    bool held;
    way w = {from, ep_version_at(test_draw_below(state, test_version_count()))};
    test_arena(&arena, &heap, 0);
    if (migrate(&arena, input, w, &m)) {
        total.migrated++;
        held = check_product(m.product, w.to) && check_return(&arena, m.product, w);
    } else {
        total.refused_migration++;
        held = CHECK(w.from != w.to) && check_refusal(&m.error, input);
    }
    held = check_migrated_escaped(input, w, &m) && held;
    ep_arena_free(&arena);
    if (!CHECK_EQ_INT(heap.bytes, 0) || !held) {
        show(input, &m.error, w.to->name);
    }
}

/* The version of a program that can be decoded. */
static const ep_version *version_of(ep_bytes input) {
    test_heap heap = {0};
    ep_arena arena;
    const ep_program *program;
    test_arena(&arena, &heap, 0);
    bool ok = ep_decode(&arena, input, NULL, &program, NULL);
    const ep_version *version = ok ? ep_program_version(program) : NULL;
    ep_arena_free(&arena);
    return version;
}

/* ------------------------------------------------------------------ the cuts */

static void check_cut(const test_text *whole, size_t cut) {
    test_text text = {0};
    ep_error error;
    test_add(&text, whole->data, cut);
    ep_bytes input = test_text_exact(&text);
    ep_code code = judge(input, &error, "cut");
    if (!CHECK(code == EP_END && error.offset == cut)) {
        show(input, &error, "cut");
    }
    total.cuts++;
    test_text_free(&text);
}

static void sweep_cuts(const test_text *whole, uint64_t *state) {
    bool small = whole->size < SMALL;
    for (size_t i = 0; i < (small ? whole->size : CUTS); i++) {
        check_cut(whole, small ? i : test_draw_below(state, whole->size));
    }
    check_cut(whole, whole->size - 1);
}

/* ---------------------------------------------------------------- the damage */

/* Where the token around a place ends: a string, or a run of anything else. */
static size_t token_end(const test_text *text, size_t at) {
    if (text->data[at] != '"') {
        do {
            at++;
        } while (at < text->size && strchr("{}[],:\" \n", text->data[at]) == NULL);
        return at;
    }
    for (at++; at < text->size && text->data[at] != '"'; at++) {
        at += text->data[at] == '\\';
    }
    return at < text->size ? at + 1 : text->size;
}

static size_t token_start(const test_text *text, uint64_t *state) {
    size_t at = test_draw_below(state, text->size);
    while (at > 0 && strchr("{}[],:\"", text->data[at]) == NULL) {
        at--;
    }
    return at;
}

/* Replaces a part of a text by other bytes. */
static void splice(test_text *text, size_t from, size_t to, const char *bytes, size_t size) {
    test_text made = {0};
    test_add(&made, text->data, from);
    test_add(&made, bytes, size);
    test_add(&made, text->data + to, text->size - to);
    test_text_free(text);
    *text = made;
}

static void swap_tokens(test_text *text, uint64_t *state) {
    size_t a = token_start(text, state);
    size_t b = token_start(text, state);
    size_t first = a < b ? a : b;
    size_t second = a < b ? b : a;
    size_t first_end = token_end(text, first);
    size_t second_end = token_end(text, second);
    if (first_end > second) {
        return;
    }
    test_text made = {0};
    test_add(&made, text->data, first);
    test_add(&made, text->data + second, second_end - second);
    test_add(&made, text->data + first_end, second - first_end);
    test_add(&made, text->data + first, first_end - first);
    test_add(&made, text->data + second_end, text->size - second_end);
    test_text_free(text);
    *text = made;
}

static void replace_token(test_text *text, uint64_t *state) {
    static const char *const tokens[] = {"null",
                                         "true",
                                         "false",
                                         "0",
                                         "1",
                                         "-1",
                                         "2.5",
                                         "1e400",
                                         "NaN",
                                         "[]",
                                         "{}",
                                         "\"\"",
                                         "[1]",
                                         "Infinity",
                                         "{\"as_int\": 1}",
                                         "{\"as_none\": true}",
                                         "\"\\u0061\"",
                                         "-0",
                                         "99",
                                         "9223372036854775808",
                                         "\"\xC3\xA9\"",
                                         " ",
                                         ",",
                                         ":"};
    size_t from = token_start(text, state);
    const char *token = tokens[test_draw_below(state, sizeof tokens / sizeof tokens[0])];
    splice(text, from, token_end(text, from), token, strlen(token));
}

/* A digit for a digit, or a letter for a letter: often still a program. */
static void nudge(test_text *text, uint64_t *state) {
    for (int tries = 0; tries < 50; tries++) {
        char *at = &text->data[test_draw_below(state, text->size)];
        if (*at >= '0' && *at <= '9') {
            *at = (char)('0' + test_draw_below(state, 10));
            return;
        }
    }
}

static const char *damage(test_text *text, uint64_t *state) {
    static const char bytes[] = "{}[],:\"\\0-eE.u \n\x80\xC3";
    size_t at = test_draw_below(state, text->size);
    char byte = bytes[test_draw_below(state, sizeof bytes)];
    switch (test_draw_below(state, 8)) {
    case 0:
        text->data[at] = (char)(text->data[at] ^ (1 << test_draw_below(state, 8)));
        return "with a bit flipped";
    case 1:
        text->data[at] = byte;
        return "with a byte replaced";
    case 2:
        splice(text, at, at + 1, "", 0);
        return "with a byte removed";
    case 3:
        splice(text, at, at, &byte, 1);
        return "with a byte added";
    case 4:
        swap_tokens(text, state);
        return "with two tokens swapped";
    case 5:
        replace_token(text, state);
        return "with a token replaced";
    case 6:
        nudge(text, state);
        return "with a digit changed";
    default: {
        size_t from = token_start(text, state);
        splice(text, from, token_end(text, from), "", 0);
        return "with a token removed";
    }
    }
}

static void sweep_damage(const test_text *whole, size_t rounds, uint64_t *state) {
    for (size_t i = 0; i < rounds; i++) {
        test_text text = {0};
        ep_error error;
        test_add(&text, whole->data, whole->size);
        const char *what = damage(&text, state);
        ep_level level = ep_code_level(judge(test_text_exact(&text), &error, what));
        total.damaged++;
        total.accepted += error.code == EP_OK;
        if (error.code == EP_OK) {
            check_migration(test_text_exact(&text), version_of(test_text_exact(&text)), state);
        }
        total.refused_wire += level == EP_LEVEL_WIRE;
        total.refused_schema += level == EP_LEVEL_SCHEMA;
        total.refused_strings += level == EP_LEVEL_STRINGS;
        total.refused_program += level == EP_LEVEL_PROGRAM;
        test_text_free(&text);
    }
}

/* ---------------------------------------------------------------------- main */

static size_t number_after(int argc, char **argv, const char *option, size_t otherwise) {
    for (int i = 2; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], option) == 0) {
            return (size_t)strtoul(argv[i + 1], NULL, 10);
        }
    }
    return otherwise;
}

int main(int argc, char **argv) {
    corpus c;
    if (argc < 2 || argc % 2 != 0) {
        fputs("usage: sweep_mutate FOLDER [--files N] [--seed S] [--rounds R]\n", stderr);
        return 2;
    }
    size_t files = number_after(argc, argv, "--files", 16);
    size_t rounds = number_after(argc, argv, "--rounds", 300);
    uint64_t state = number_after(argc, argv, "--seed", 1);
    if (!corpus_open(&c, argv[1])) {
        return 1;
    }
    for (size_t i = 0; i < files; i++) {
        test_text whole = {0};
        size_t n = test_draw_below(&state, c.n);
        char name[128];
        snprintf(name, sizeof name, "%s/%s", c.entries[n].release, c.entries[n].model);
        current = name;
        if (CHECK(corpus_read(&c, n, "program.json", &whole) && whole.size > 0)) {
            sweep_cuts(&whole, &state);
            sweep_damage(&whole, rounds, &state);
        }
        test_text_free(&whole);
    }
    printf("%zu files of %zu: %zu cuts, %zu damaged (%zu accepted, %zu refused on the wire, %zu "
           "by the schema, %zu for a string, %zu for the program)\n",
           files, c.n, total.cuts, total.damaged, total.accepted, total.refused_wire,
           total.refused_schema, total.refused_strings, total.refused_program);
    printf("of those accepted: %zu migrated, of which %zu back again; %zu refused\n",
           total.migrated, total.returned, total.refused_migration);
    CHECK(total.refused_strings + total.refused_program > 0);
    CHECK(total.migrated > 0 && total.returned > 0);
    corpus_close(&c);
    return check_report();
}
