/*
 * fuzz_cjson.c - against cJSON: what the strict lexer accepts, cJSON accepts, and
 * reads the same strings, numbers and words in it. The input is the document, all
 * of it. Where cJSON 1.7 reads strict JSON otherwise:
 *
 *   depth     it gives up at 1000 levels
 *   number    it takes 63 bytes of a number at most
 *   zero      a string ends at \u0000; it is compared up to there
 *   infinite  it refuses a number beyond binary64's largest only in part; only
 *             finite ones are compared
 */
#include "fuzz.h"

#include "json/lexer.h"
#include "json/number.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 1000, NUMBER_SIZE = 63 };

/* The strict lexer on its way, and cJSON's item that stands there. */
typedef struct comparison {
    ep_lexer lexer;
    ep_fault fault;
    ep_arena *arena;
    const cJSON *open[DEPTH + 1]; /* the next item of each level */
    size_t depth;
} comparison;

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

static void compare_text(comparison *c, ep_ref ref, const char *other) {
    char *text = malloc(ep_ref_size(ref) + 1);
    if (text == NULL) {
        return;
    }
    size_t size = ep_text_decode(c->lexer.begin, ref, text);
    text[size] = '\0';
    FUZZ_PROPERTY(other != NULL && strcmp(text, other) == 0, "text");
    free(text);
}

static void compare_number(comparison *c, const cJSON *item) {
    ep_number number;
    FUZZ_PROPERTY(ep_lex_number(&c->lexer, &number), "number");
    double value = ep_number_read_float(number.text, number.size);
    int64_t whole;
    if (number.integer && ep_number_read_int(number.text, number.size, &whole)) {
        FUZZ_PROPERTY((double)whole == item->valuedouble, "integer-value");
    }
    FUZZ_PROPERTY(cJSON_IsNumber(item), "is-number");
    FUZZ_PROPERTY(!isfinite(value) || memcmp(&value, &item->valuedouble, sizeof value) == 0,
                  "number-value");
}

static void compare_word(comparison *c, const cJSON *item) {
    ep_word word;
    FUZZ_PROPERTY(ep_lex_word(&c->lexer, &word), "word");
    FUZZ_PROPERTY(word == EP_WORD_NULL    ? cJSON_IsNull(item)
                  : word == EP_WORD_TRUE  ? cJSON_IsTrue(item)
                  : word == EP_WORD_FALSE ? cJSON_IsFalse(item)
                                          : false,
                  "word-value");
}

static void compare_string(comparison *c, const cJSON *item) {
    ep_ref ref;
    FUZZ_PROPERTY(ep_lex_string(&c->lexer, &ref), "string");
    FUZZ_PROPERTY(cJSON_IsString(item), "is-string");
    compare_text(c, ref, item->valuestring);
}

/* The key of a member, and the colon. */
static void compare_key(comparison *c, const cJSON *item) {
    ep_ref ref;
    ep_lex_space(&c->lexer);
    FUZZ_PROPERTY(ep_lex_string(&c->lexer, &ref), "key");
    compare_text(c, ref, item->string);
    FUZZ_PROPERTY(ep_lex_byte(&c->lexer, ':'), "colon");
}

/* Opens an array or object; compares a scalar. */
static void compare_value(comparison *c, const cJSON *item) {
    ep_lex_space(&c->lexer);
    char first = *c->lexer.p;
    if (first == '[' || first == '{') {
        FUZZ_PROPERTY(first == '[' ? cJSON_IsArray(item) : cJSON_IsObject(item), "is-container");
        c->lexer.p++;
        c->open[c->depth++] = item->child;
    } else if (first == '"') {
        compare_string(c, item);
    } else if (ep_lex_is_number(&c->lexer)) {
        compare_number(c, item);
    } else {
        compare_word(c, item);
    }
}

/* Goes on with the innermost that is open; false when the document is over. */
static bool compare_next(comparison *c) {
    if (c->depth == 0) {
        return false;
    }
    const cJSON *item = c->open[c->depth - 1];
    ep_lex_space(&c->lexer);
    char next = *c->lexer.p;
    if (next == ']' || next == '}') {
        FUZZ_PROPERTY(item == NULL, "count");
        c->lexer.p++;
        c->depth--;
        return true;
    }
    FUZZ_PROPERTY(item != NULL, "count");
    c->lexer.p += next == ',';
    c->open[c->depth - 1] = item->next;
    if (item->string != NULL) {
        compare_key(c, item);
    }
    compare_value(c, item);
    return true;
}

static ep_lexer lexer_of(ep_bytes text, ep_fault *fault) {
    return (ep_lexer){.begin = text.data,
                      .p = text.data,
                      .end = text.data + text.size,
                      .string_limit = ep_limits_default().string,
                      .fault = fault};
}

static void compare(ep_bytes text) {
    comparison c = {.depth = 0};
    c.lexer = lexer_of(text, &c.fault);
    oddities found = look_over(c.lexer);
    if (found.depth >= DEPTH || found.number > NUMBER_SIZE || found.bare) {
        return;
    }
    cJSON *root = cJSON_ParseWithLength(text.data, text.size);
    FUZZ_PROPERTY(root != NULL, "accepts");
    compare_value(&c, root);
    while (compare_next(&c)) {
    }
    cJSON_Delete(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ep_bytes text = fuzz_bytes(data, size);
    fuzz_work work;
    fuzz_begin(&work);
    if (ep_check_wire(&work.arena, text, NULL, &work.error)) {
        compare(text);
    }
    fuzz_end(&work);
    return 0;
}
