/*
 * language/memo.h - memoised parse results. The same text occurs many times in a
 * program; it is parsed once for each language that it is read in.
 */
#ifndef EP_MEMO_H
#define EP_MEMO_H

#include "base/map.h"

typedef enum ep_language {
    EP_LANGUAGE_EXPRESSION_INT,   /* ep_expression */
    EP_LANGUAGE_EXPRESSION_FLOAT, /* ep_expression */
    EP_LANGUAGE_EXPRESSION_BOOL,  /* ep_expression */
    EP_LANGUAGE_TREESPEC,         /* ep_treespec */
    EP_LANGUAGE_METADATA,         /* nothing: from here on the keys of metadata.h */
    EP_LANGUAGE_TARGET = EP_LANGUAGE_METADATA + 16, /* ep_target */
    EP_LANGUAGE_GUARD,                              /* ep_guard */
    EP_LANGUAGE_DEVICE,                             /* nothing */
    EP_LANGUAGE_OPERATOR, /* what operators.h knows of a target; filled by rules */
    EP_LANGUAGE_COUNT
} ep_language;

typedef struct ep_memo {
    ep_map texts[EP_LANGUAGE_COUNT];
    ep_stack results[EP_LANGUAGE_COUNT]; /* pointers, by the map's numbers */
} ep_memo;

void ep_memo_init(ep_memo *memo, ep_arena *arena);
void ep_memo_free(ep_memo *memo);

/* Keeps the result, which may be NULL, for the text between the quotes of a string. The
 * text has to outlive the memo. False for want of memory. */
bool ep_memo_put(ep_memo *memo, ep_language language, ep_bytes raw, const void *result);

/* Whether there is a result for a text, and the result. */
bool ep_memo_find(const ep_memo *memo, ep_language language, ep_bytes raw, const void **result);

#endif
