/*
 * language/memo.c - see memo.h. A text is first compared with the one in its place among
 * the recent ones, which costs less than its hash.
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

/* The place of a text: by its length and, of a longer one, by the bytes in which texts
 * of programs differ. */
static ep_memo_recent *place_of(ep_memo *memo, ep_language language, ep_bytes raw) {
    uint64_t sample = raw.size + (uint64_t)language;
    if (raw.size >= 16) {
        sample ^= ep_load64(raw.data + 8) ^ ep_load64(raw.data + raw.size - 8) << 1 ^
                  ep_load64(raw.data + raw.size / 2) << 2;
    }
    return &memo->recent[sample * 0x9E3779B97F4A7C15u >> (64 - EP_MEMO_RECENT_BITS)];
}

static bool holds(const ep_memo_recent *place, ep_language language, ep_bytes raw) {
    return place->raw.data != NULL && place->language == (uint32_t)language &&
           ep_text_equal(place->raw, raw);
}

/* Whether a text is among the recent ones, or is now, because it is known. */
static bool recall(ep_memo *memo, ep_memo_recent *place, ep_language language, ep_bytes raw) {
    if (EP_LIKELY(holds(place, language, raw))) {
        return true;
    }
    uint32_t number =
        language < EP_LANGUAGE_METADATA ? ep_map_find(&memo->texts[language], raw) : EP_MAP_NONE;
    TRY(number != EP_MAP_NONE);
    *place = (ep_memo_recent){raw, (uint32_t)language, number};
    return true;
}

bool ep_memo_put(ep_memo *memo, ep_language language, ep_bytes raw, const void *result) {
    uint32_t number = 0;
    if (language < EP_LANGUAGE_METADATA) {
        ep_memo_entries *entries = &memo->entries[language];
        bool fresh;
        TRY(ep_memo_entries_reserve(entries, 1) &&
            ep_map_put(&memo->texts[language], raw, &number, &fresh));
        entries->items[number] = (ep_memo_entry){result, NULL};
        entries->count += fresh;
    }
    *place_of(memo, language, raw) = (ep_memo_recent){raw, (uint32_t)language, number};
    return true;
}

bool ep_memo_has(ep_memo *memo, ep_language language, ep_bytes raw) {
    return recall(memo, place_of(memo, language, raw), language, raw);
}

ep_memo_entry *ep_memo_find(ep_memo *memo, ep_language language, ep_bytes raw) {
    ep_memo_recent *place = place_of(memo, language, raw);
    bool found = recall(memo, place, language, raw);
    return found ? &memo->entries[language].items[place->number] : NULL;
}
