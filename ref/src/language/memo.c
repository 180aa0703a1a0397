/*
 * language/memo.c - see memo.h.
 */
#include "language/memo.h"

void ep_memo_init(ep_memo *memo, ep_arena *arena) {
    for (size_t i = 0; i < EP_LANGUAGE_METADATA; i++) {
        ep_map_init(&memo->texts[i], arena);
        ep_memo_entries_init(&memo->entries[i], arena);
    }
    memset(memo->recent, 0, sizeof memo->recent);
}

void ep_memo_free(ep_memo *memo) {
    for (size_t i = 0; i < EP_LANGUAGE_METADATA; i++) {
        ep_map_free(&memo->texts[i]);
        ep_memo_entries_free(&memo->entries[i]);
    }
}

bool ep_memo_recall(ep_memo *memo, ep_memo_recent *place, ep_language language, ep_bytes raw) {
    TRY(language < EP_LANGUAGE_METADATA);
    uint32_t number = ep_map_find(&memo->texts[language], raw);
    TRY(number != EP_MAP_NONE);
    *place = (ep_memo_recent){raw.data, ep_memo_key(language, raw), number};
    return true;
}

bool ep_memo_put(ep_memo *memo, ep_language language, ep_bytes raw, const void *result) {
    uint64_t key = ep_memo_key(language, raw);
    uint32_t number = 0;
    if (language < EP_LANGUAGE_METADATA) {
        ep_memo_entries *entries = &memo->entries[language];
        bool fresh;
        TRY(ep_memo_entries_reserve(entries, 1) &&
            ep_map_put(&memo->texts[language], raw, &number, &fresh));
        entries->items[number] = (ep_memo_entry){result, NULL};
        entries->count += fresh;
    }
    *ep_memo_place(memo, key, raw) = (ep_memo_recent){raw.data, key, number};
    return true;
}
