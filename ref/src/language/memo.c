/*
 * language/memo.c - see memo.h.
 */
#include "language/memo.h"

void ep_memo_init(ep_memo *memo, ep_arena *arena) {
    for (size_t i = 0; i < EP_LANGUAGE_COUNT; i++) {
        ep_map_init(&memo->texts[i], arena);
        ep_results_init(&memo->results[i], arena);
    }
}

void ep_memo_free(ep_memo *memo) {
    for (size_t i = 0; i < EP_LANGUAGE_COUNT; i++) {
        ep_map_free(&memo->texts[i]);
        ep_results_free(&memo->results[i]);
    }
}

bool ep_memo_put(ep_memo *memo, ep_language language, ep_bytes raw, const void *result) {
    ep_results *results = &memo->results[language];
    uint32_t number;
    bool fresh;
    TRY(ep_results_reserve(results, 1) && ep_map_put(&memo->texts[language], raw, &number, &fresh));
    results->items[number] = result;
    results->count += fresh;
    return true;
}

bool ep_memo_find(const ep_memo *memo, ep_language language, ep_bytes raw, const void **result) {
    uint32_t number = ep_map_find(&memo->texts[language], raw);
    *result = NULL;
    if (number == EP_MAP_NONE) {
        return false;
    }
    *result = memo->results[language].items[number];
    return true;
}
