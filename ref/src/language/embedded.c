/*
 * language/embedded.c - see embedded.h. The wire level validates the JSON. Its spelling
 * is then checked token by token, whatever the nesting.
 */
#include "language/embedded.h"

#include "schema/wire.h"
#include "json/number.h"

void ep_embedded_begin(ep_embedded *reader, ep_arena *arena, const ep_passage *passage,
                       ep_code code, ep_fault *fault) {
    const char *begin = passage->text.data;
    *reader = (ep_embedded){.passage = passage, .arena = arena, .fault = fault, .code = code};
    reader->lexer = (ep_lexer){.begin = begin,
                               .p = begin,
                               .end = begin + passage->text.size,
                               .string_limit = EP_REF_SIZE_MAX,
                               .fault = &reader->inner};
}

bool ep_embedded_fail_with(const ep_embedded *reader, ep_code code, const char *at) {
    return ep_passage_fail(reader->passage, reader->fault, code, at, NULL);
}

bool ep_embedded_fail(const ep_embedded *reader, const char *at, const char *expected) {
    return ep_passage_fail(reader->passage, reader->fault, reader->code, at, expected);
}

/* Passes the lexer's fault on. */
static bool fail_inside(const ep_embedded *reader) {
    ep_code code = reader->inner.code;
    const char *at = reader->lexer.begin + reader->inner.offset;
    bool own = code != EP_MEMORY && code != EP_LIMIT_DEPTH;
    return ep_embedded_fail_with(reader, own ? reader->code : code, at);
}

bool ep_embedded_expect(ep_embedded *reader, ep_bytes text) {
    ep_lexer *lexer = &reader->lexer;
    size_t left = (size_t)(lexer->end - lexer->p);
    if (left >= text.size && memcmp(lexer->p, text.data, text.size) == 0) {
        lexer->p += text.size;
        return true;
    }
    size_t same = 0;
    while (same < left && lexer->p[same] == text.data[same]) {
        same++;
    }
    return ep_embedded_fail(reader, lexer->p + same, NULL);
}

bool ep_embedded_string(ep_embedded *reader, ep_ref *ref) {
    const char *at = reader->lexer.p;
    if (!ep_embedded_at(reader, '"')) {
        return ep_embedded_fail(reader, at, "a string");
    }
    if (!ep_lex_string(&reader->lexer, ref)) {
        return fail_inside(reader);
    }
    if ((ep_ref_flags(*ref) & EP_REF_FOREIGN) != 0) {
        return ep_embedded_fail(reader, at, "the spelling of json.dumps"); /* SPEC 4.2.1 */
    }
    return true;
}

/* Whether Python writes the number that it reads so. */
static bool is_repr(const ep_number *number) {
    ep_bytes text = {number->text, number->size};
    char repr[EP_FLOAT_TEXT_SIZE];
    if (number->integer) {
        return !ep_text_equal(text, EP_TEXT("-0"));
    }
    double value = ep_number_read_float(number->text, number->size);
    return ep_text_equal(text, (ep_bytes){repr, ep_number_print_float(value, repr)});
}

bool ep_embedded_number(ep_embedded *reader, ep_number *number) {
    const char *at = reader->lexer.p;
    if (at == reader->lexer.end || !ep_lex_is_number(&reader->lexer)) {
        return ep_embedded_fail(reader, at, "a number");
    }
    if (!ep_lex_number(&reader->lexer, number)) {
        return fail_inside(reader);
    }
    return is_repr(number) || ep_embedded_fail(reader, at, "the spelling of json.dumps");
}

bool ep_embedded_end(const ep_embedded *reader) {
    const char *at = reader->lexer.p;
    return at == reader->lexer.end || ep_embedded_fail(reader, at, "the end");
}

/* ------------------------------------------------------------- whole values */

/* One value, or all of the text, by the rules of the wire level. */
static bool pass_strictly(ep_embedded *reader, size_t depth, bool document) {
    ep_limits limits = {SIZE_MAX, depth, SIZE_MAX, EP_REF_SIZE_MAX};
    ep_wire wire;
    ep_wire_init(&wire, reader->arena, &reader->lexer, &limits);
    bool ok = document ? ep_wire_document(&wire) : ep_wire_value(&wire);
    ep_wire_free(&wire);
    if (!ok) {
        return fail_inside(reader);
    }
    return wire.nonfinite == NULL || ep_embedded_fail(reader, wire.nonfinite, "a finite number");
}

bool ep_embedded_check(ep_arena *arena, const ep_passage *passage, size_t depth, ep_code code,
                       ep_fault *fault) {
    ep_embedded reader;
    ep_embedded_begin(&reader, arena, passage, code, fault);
    return pass_strictly(&reader, depth, true);
}

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The next token of a valid text: json.dumps writes a space after each comma
 * and colon, and no other. */
static bool pass_spelled(ep_embedded *reader) {
    ep_lexer *lexer = &reader->lexer;
    ep_ref ref;
    ep_number number;
    char c = *lexer->p;
    if (c == '"') {
        return ep_embedded_string(reader, &ref);
    }
    if (ep_lex_is_number(lexer)) {
        return ep_embedded_number(reader, &number);
    }
    if (is_space(c)) {
        return ep_embedded_fail(reader, lexer->p, "the spelling of json.dumps");
    }
    lexer->p++;
    return (c != ',' && c != ':') || ep_embedded_expect(reader, EP_TEXT(" "));
}

bool ep_embedded_value(ep_embedded *reader, size_t depth) {
    ep_ref ref;
    if (ep_embedded_at(reader, '"')) {
        return ep_embedded_string(reader, &ref);
    }
    ep_lexer *lexer = &reader->lexer;
    const char *begin = lexer->p;
    const char *whole = lexer->end;
    if (begin < whole && is_space(*begin)) { /* SPEC 4.2.1 */
        return ep_embedded_fail(reader, begin, "the spelling of json.dumps");
    }
    TRY(pass_strictly(reader, depth, false));
    lexer->end = lexer->p;
    lexer->p = begin;
    bool ok = true;
    while (ok && lexer->p < lexer->end) {
        ok = pass_spelled(reader);
    }
    lexer->end = whole;
    return ok;
}
