/*
 * quoted.h - for the tests of the languages inside strings: a file that holds
 * one string, opened for the parser of what stands in it.
 */
#ifndef EP_TEST_QUOTED_H
#define EP_TEST_QUOTED_H

#include "check.h"
#include "support.h"
#include "json/lexer.h"
#include "json/passage.h"

/* Where the text of the string begins, and how many bytes follow it. */
enum { QUOTED_BEFORE = 7, QUOTED_AFTER = 2 };

typedef struct quoted {
    test_text file;
    test_heap heap;
    ep_arena arena;
    ep_passage passage;
    ep_fault fault;
} quoted;

/* Writes the file: {"s": "TEXT"}, quotes, backslashes and white space but blanks escaped. */
static inline void quoted_add(quoted *s, ep_bytes text) {
    test_add_str(&s->file, "{\"s\": \"");
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        const char *letter = c == '\n' ? "n" : c == '\r' ? "r" : c == '\t' ? "t" : NULL;
        if (c == '"' || c == '\\' || letter != NULL) {
            test_add_str(&s->file, "\\");
        }
        test_add(&s->file, letter != NULL ? letter : &c, 1);
    }
    test_add_str(&s->file, "\"}");
}

/* Opens the string of the file. False when the heap gives too little memory. */
static inline bool quoted_open(quoted *s) {
    ep_bytes input = test_text_exact(&s->file);
    ep_lexer lexer = {input.data, input.data + QUOTED_BEFORE - 1, input.data + input.size,
                      EP_REF_SIZE_MAX, &s->fault};
    ep_ref ref = 0;
    test_arena(&s->arena, &s->heap, 0);
    CHECK_NOTE(ep_lex_string(&lexer, &ref), input.data);
    return ep_passage_open(&s->passage, &s->arena, input, ref);
}

static inline bool quoted_text(quoted *s, ep_bytes text) {
    quoted_add(s, text);
    return quoted_open(s);
}

static inline void quoted_close(quoted *s) {
    ep_arena_free(&s->arena);
    CHECK_EQ_INT(s->heap.bytes, 0);
    CHECK_EQ_INT(s->heap.blocks, 0);
    test_text_free(&s->file);
}

#endif
