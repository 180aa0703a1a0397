/*
 * language/memo.h - memoised parse results. The same text occurs many times in a
 * program; it is parsed once for each language that it is read in. A text is first
 * compared with the one in its place among the recent ones, which costs less than its
 * hash. Metadata has no result, and only its recent texts are kept.
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
    const char *data;
    uint64_t key;    /* its size and its language; 0 in a free place */
    uint32_t number; /* of its entry, where the language has any */
} ep_memo_recent;

enum {
    EP_MEMO_RECENT_BITS = 6,
    EP_MEMO_RECENT = 1 << EP_MEMO_RECENT_BITS,
    EP_MEMO_METADATA = 16 /* places behind these, one for each key */
};

typedef struct ep_memo {
    ep_map texts[EP_LANGUAGE_METADATA];
    ep_memo_entries entries[EP_LANGUAGE_METADATA]; /* by the map's numbers */
    ep_memo_recent recent[EP_MEMO_RECENT + EP_MEMO_METADATA];
} ep_memo;

void ep_memo_init(ep_memo *memo, ep_arena *arena);
void ep_memo_free(ep_memo *memo);

/* Keeps the result, which may be NULL, for the text between the quotes of a string. The
 * text has to outlive the memo. False for want of memory. */
bool ep_memo_put(ep_memo *memo, ep_language language, ep_bytes raw, const void *result);

/* The key of a text, which also says its language and its size. */
static inline uint64_t ep_memo_key(ep_language language, ep_bytes raw) {
    return (uint64_t)raw.size << 8 | ((uint64_t)language + 1);
}

/* The place of a text: by its key and, of a longer one, by the bytes in which texts of
 * programs differ. Of metadata a node has mostly the text of the one before, or a new one. */
static inline ep_memo_recent *ep_memo_place(ep_memo *memo, uint64_t key, ep_bytes raw) {
    size_t language = (size_t)(key & 0xFF) - 1;
    if (language >= EP_LANGUAGE_METADATA) {
        return &memo->recent[EP_MEMO_RECENT + (language - EP_LANGUAGE_METADATA)];
    }
    if (raw.size >= 16) {
        key ^= ep_load64(raw.data + 8) ^ ep_load64(raw.data + raw.size - 8) << 1 ^
               ep_load64(raw.data + raw.size / 2) << 2;
    }
    return &memo->recent[key * 0x9E3779B97F4A7C15u >> (64 - EP_MEMO_RECENT_BITS)];
}

/* Looks a text up that is not in its place, and puts it there; false if it is not known. */
bool ep_memo_recall(ep_memo *memo, ep_memo_recent *place, ep_language language, ep_bytes raw);

/* The place of a text that was put, of metadata one that was lately; NULL if it was not. */
static inline const ep_memo_recent *ep_memo_met(ep_memo *memo, ep_language language, ep_bytes raw) {
    uint64_t key = ep_memo_key(language, raw);
    ep_memo_recent *place = ep_memo_place(memo, key, raw);
    bool known = (place->key == key && memcmp(place->data, raw.data, raw.size) == 0) ||
                 ep_memo_recall(memo, place, language, raw);
    return known ? place : NULL;
}

/* The entry of a text, until the next one is put; NULL if there is none. Not of
 * metadata. */
static inline ep_memo_entry *ep_memo_find(ep_memo *memo, ep_language language, ep_bytes raw) {
    const ep_memo_recent *place = ep_memo_met(memo, language, raw);
    return place == NULL ? NULL : &memo->entries[language].items[place->number];
}

#endif
