/*
 * fuzz_cjson.c - against cJSON: what the strict lexer accepts, cJSON accepts. The input is
 * the document, all of it. What it reads in it, the target roundtrip asks another reader. Where
 * cJSON 1.7 reads strict JSON otherwise:
 *
 *   depth     it gives up at 1000 levels
 *   number    it takes 63 bytes of a number at most
 *   infinite  it has no word for it
 */
#include "fuzz.h"

#include "json/lexer.h"

#include <cjson/cJSON.h>
#include <string.h>

enum { DEPTH = 1000, NUMBER_SIZE = 63 };

/* What a document has that cJSON reads otherwise. */
typedef struct oddities {
    size_t depth;  /* the deepest level */
    size_t number; /* the longest number */
    bool bare;     /* Infinity or NaN */
} oddities;

static void skip_string(ep_lexer *lexer) {
    ep_ref ref;
    FUZZ_PROPERTY(ep_lex_string(lexer, &ref), "string");
}

static void look_at_scalar(ep_lexer *lexer, oddities *found) {
    ep_number number;
    ep_word word;
    if (ep_lex_is_number(lexer)) {
        FUZZ_PROPERTY(ep_lex_number(lexer, &number), "number");
        found->number = number.size > found->number ? number.size : found->number;
    } else {
        FUZZ_PROPERTY(ep_lex_word(lexer, &word), "word");
        found->bare = found->bare || word >= EP_WORD_INFINITY;
    }
}

/* Goes over a document that the wire level accepts, token by token. */
static oddities look_over(ep_lexer lexer) {
    oddities found = {0, 0, false};
    size_t depth = 0;
    for (;;) {
        ep_lex_space(&lexer);
        if (lexer.p == lexer.end) {
            return found;
        }
        char c = *lexer.p;
        if (c == '"') {
            skip_string(&lexer);
        } else if (strchr("[]{},:", c) != NULL) {
            depth += c == '[' || c == '{';
            depth -= c == ']' || c == '}';
            found.depth = depth > found.depth ? depth : found.depth;
            lexer.p++;
        } else {
            look_at_scalar(&lexer, &found);
        }
    }
}

static ep_lexer lexer_of(ep_bytes text, ep_fault *fault) {
    return (ep_lexer){.begin = text.data,
                      .p = text.data,
                      .end = text.data + text.size,
                      .string_limit = ep_limits_default().string,
                      .fault = fault};
}

static void check_accepted(ep_bytes text) {
    ep_fault fault;
    oddities found = look_over(lexer_of(text, &fault));
    if (found.depth >= DEPTH || found.number > NUMBER_SIZE || found.bare) {
        return;
    }
    cJSON *root = cJSON_ParseWithLength(text.data, text.size);
    FUZZ_PROPERTY(root != NULL, "accepts");
    cJSON_Delete(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ep_bytes text = fuzz_bytes(data, size);
    fuzz_work work;
    fuzz_begin(&work);
    if (ep_check_wire(&work.arena, text, NULL, &work.error)) {
        check_accepted(text);
    }
    fuzz_end(&work);
    return 0;
}
