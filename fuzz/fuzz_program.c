/*
 * fuzz_program.c - what ep_check accepts, every later stage accepts: it is
 * encoded, canonicalized, migrated, audited and compared with itself without an
 * error. What it refuses, it refuses as well when the program was written anew; and
 * an expression that it accepts is one by itself, of the sort of its place. Its audit finds
 * what is planted into it.
 * The input is a program with a tail, from which a version is drawn.
 */
#include "calls.h"
#include "fuzz.h"
#include "language/expression.h"
#include "planted.h"

#include <string.h>

/* Whether a call may refuse a valid program: another version has a rule that this has not, or
 * the form is too large (SPEC 7.1.7). */
static bool is_excused(call_id id, const call_input *input, ep_code code) {
    bool other = id == CALL_MIGRATE && input->to != ep_program_version(input->program);
    return (id == CALL_CANON && code == EP_LIMIT_GROWTH) ||
           ((other || id == CALL_DIFF_ITSELF) && fuzz_is_of_version(code));
}

static void check_call(call_id id, const call_input *input) {
    fuzz_work work;
    call_result result;
    fuzz_begin(&work);
    call_run(id, input, &work.arena, &result);
    FUZZ_PROPERTY_OF(result.ok || is_excused(id, input, result.error.code), "is-taken",
                     &result.error);
    fuzz_end(&work);
}

static void check_valid(const ep_program *program, fuzz_input *input) {
    call_input calls = {.text = input->text, .program = program};
    calls.to = ep_program_version(program);
    check_call(CALL_CANON, &calls);
    check_call(CALL_DIFF_ITSELF, &calls);
    check_call(CALL_MIGRATE, &calls);
    calls.to = fuzz_draw_version(input);
    check_call(CALL_MIGRATE, &calls);
}

/* What is done with every program that is decoded. */
static void check_decoded(const ep_program *program, ep_bytes text) {
    const call_input calls = {.text = text, .program = program};
    check_call(CALL_AUDIT, &calls);
    check_call(CALL_SIGNATURE, &calls);
}

/* One character, or one escape; a pair of surrogates is one. */
static const char *behind_character(const char *p) {
    if (*p != '\\') {
        for (p++; ((unsigned char)*p & 0xC0) == 0x80; p++) {
        }
        return p;
    }
    bool high = p[1] == 'u' && (p[2] | 0x20) == 'd' && memchr("89abAB", p[3], 6) != NULL;
    return p + (high ? 12 : p[1] == 'u' ? 6 : 2);
}

/* Of a byte in a string of a document: how many characters stand before it there, however
 * they are spelled. False where it is in no string. */
static bool place_in_string(ep_bytes text, size_t offset, size_t *index) {
    const char *place = text.data + offset;
    for (const char *p = text.data; p < place;) {
        const char *behind = p + 1;
        for (*index = 0; *p == '"' && *behind != '"'; *index += behind <= place) {
            behind = behind_character(behind);
        }
        if (*p == '"' && place <= behind) {
            return true;
        }
        p = *p == '"' ? behind + 1 : behind;
    }
    return false;
}

/* Of one wrong string the same character is told, however its text is spelled. */
static void check_character(const ep_error *one, ep_bytes text, const ep_error *other,
                            ep_bytes anew) {
    size_t places[2];
    if (one->code == other->code && strcmp(one->pointer, other->pointer) == 0 &&
        !one->pointer_cut && place_in_string(text, one->offset, &places[0]) &&
        place_in_string(anew, other->offset, &places[1])) {
        FUZZ_PROPERTY_OF(places[0] == places[1], "place-anew", one);
    }
}

/* The verdict is that of the program, not of how its text is spelled; but of two
 * wrong strings the first is told, and members may then stand in another order. */
static void check_anew(const ep_program *program, const ep_error *error, ep_bytes input) {
    ep_code code = error->code;
    fuzz_work work;
    test_text text = {0};
    fuzz_begin(&work);
    const ep_program *again = fuzz_anew(&work, program, &text);
    bool ok = ep_check(again, &work.arena, NULL, &work.error);
    fuzz_told(&work, ok, test_text_bytes(&text));
    FUZZ_PROPERTY_OF(ep_code_level(work.error.code) == ep_code_level(code), "verdict-anew",
                     &work.error);
    FUZZ_PROPERTY_OF(work.error.code == code || ep_code_level(code) == EP_LEVEL_STRINGS,
                     "code-anew", &work.error);
    check_character(error, input, &work.error, test_text_bytes(&text));
    test_text_free(&text);
    fuzz_end(&work);
}

/* The sort that an expression has in a value; false if there is none. */
static bool sort_in(ep_value value, ep_sort *sort) {
    static const char *const types[] = {
        [EP_SORT_INT] = "SymInt", [EP_SORT_FLOAT] = "SymFloat", [EP_SORT_BOOL] = "SymBool"};
    const char *type = ep_value_type(value);
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i]) == 0) {
            *sort = (ep_sort)i;
            return true;
        }
    }
    return false;
}

/* In one of its two forms. */
static bool is_expression(fuzz_work *work, ep_bytes text, ep_sort sort) {
    ep_passage passage = {.text = text, .raw = text};
    ep_expression_options options = {.sort = sort, .depth = ep_limits_default().depth};
    const ep_expression *expression;
    bool ok = false;
    for (int form = EP_EXPRESSION_INFIX; form <= EP_EXPRESSION_SREPR && !ok; form++) {
        ep_fault fault = {.code = EP_OK};
        options.form = (ep_expression_form)form;
        ok = ep_expression_parse(&work->arena, &passage, &options, &expression, &fault);
    }
    return ok;
}

/* Beside an expr_ast, an expr_str is any text (SPEC 4). */
static void read_alone(void *context, ep_value value) {
    fuzz_work *work = context;
    ep_bytes text;
    ep_sort sort;
    if (!sort_in(value, &sort)) {
        return;
    }
    ep_value said = ep_value_field(value, "as_expr");
    ep_value inner = ep_value_field(said, "expr_str");
    bool beside = ep_value_kind(ep_value_field(said, "expr_ast")) != EP_KIND_NULL;
    if (!beside &&
        ep_value_text(ep_value_kind(inner) == EP_KIND_NULL ? said : inner, &work->arena, &text)) {
        FUZZ_PROPERTY(is_expression(work, text, sort), "expression-alone");
    }
}

static void check_expressions(const ep_program *program) {
    fuzz_work work;
    fuzz_begin(&work);
    fuzz_walk(ep_program_root(program), read_alone, &work);
    fuzz_end(&work);
}

/* The strings level comes first, and alone says the same. */
static void check_strings(fuzz_work *work, const ep_program *program, ep_bytes text) {
    ep_error whole = work->error;
    ep_check_options options = ep_check_options_default();
    options.level = EP_LEVEL_STRINGS;
    bool ok = fuzz_told(work, ep_check(program, &work->arena, &options, &work->error), text);
    bool expected = ep_code_level(whole.code) != EP_LEVEL_STRINGS;
    FUZZ_PROPERTY_OF(ok == expected || whole.code == work->error.code, "strings-alone",
                     &work->error);
    if (ok) {
        check_expressions(program);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_split(data, size);
    fuzz_work work;
    const ep_program *program;
    fuzz_begin(&work);
    if (fuzz_decode(&work, input.text, &program)) {
        bool ok = ep_check(program, &work.arena, NULL, &work.error);
        fuzz_told(&work, ok, input.text);
        check_decoded(program, input.text);
        check_anew(program, &work.error, input.text);
        if (ok) {
            check_valid(program, &input);
        }
        check_strings(&work, program, input.text);
        fuzz_plant(&input, program);
    }
    fuzz_end(&work);
    return 0;
}
