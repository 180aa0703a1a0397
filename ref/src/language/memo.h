/*
 * language/memo.h - memoised parse results. The same text occurs many times in a
 * program; it is parsed once for each language that it is read in. Metadata has no
 * result, and only its latest texts are kept.
 */
#ifndef EP_MEMO_H
#define EP_MEMO_H

#include "base/map.h"
#include "base/stack.h"

typedef enum ep_language {
    EP_LANGUAGE_EXPRESSION_INT,   /* ep_expression */
    EP_LANGUAGE_EXPRESSION_FLOAT, /* ep_expression */
    EP_LANGUAGE_EXPRESSION_BOOL,  /* ep_expression */
    EP_LANGUAGE_TREESPEC,         /* ep_treespec */
    EP_LANGUAGE_TARGET,           /* ep_target */
    EP_LANGUAGE_GUARD,            /* ep_guard */
    EP_LANGUAGE_DEVICE,           /* nothing */
    EP_LANGUAGE_METADATA          /* nothing: from here on the keys of metadata.h */
} ep_language;

/* What is known of a text. */
typedef struct ep_memo_entry {
    const void *result;     /* of the parser */
    const void *conclusion; /* what rules make of it in this program; NULL: nothing yet */
} ep_memo_entry;

EP_STACK_OF(ep_memo_entries, ep_memo_entry);

/* A text that was found lately, in its place by a sample of its bytes. */
typedef struct ep_memo_recent {
    ep_bytes raw; /* its data is NULL in a free place */
    uint32_t language;
    uint32_t number; /* of its entry, where the language has any */
} ep_memo_recent;

enum { EP_MEMO_RECENT_BITS = 6 };

typedef struct ep_memo {
    ep_map texts[EP_LANGUAGE_METADATA];
    ep_memo_entries entries[EP_LANGUAGE_METADATA]; /* by the map's numbers */
    ep_memo_recent recent[1 << EP_MEMO_RECENT_BITS];
} ep_memo;

void ep_memo_init(ep_memo *memo, ep_arena *arena);
void ep_memo_free(ep_memo *memo);

/* Keeps the result, which may be NULL, for the text between the quotes of a string. The
 * text has to outlive the memo. False for want of memory. */
bool ep_memo_put(ep_memo *memo, ep_language language, ep_bytes raw, const void *result);

/* Whether a text was put; of metadata, whether it was lately. */
bool ep_memo_has(ep_memo *memo, ep_language language, ep_bytes raw);

/* The entry of a text, until the next one is put; NULL if there is none. Not of
 * metadata. */
ep_memo_entry *ep_memo_find(ep_memo *memo, ep_language language, ep_bytes raw);

#endif
