/*
 * json/keys.h - whether the keys of one object are all different
 * (SPEC 2.5.1), in n log n whatever they are.
 */
#ifndef EP_KEYS_H
#define EP_KEYS_H

#include "base/arena.h"
#include "base/text.h"

/*
 * Compares n keys in document order. *second is the first that repeats an earlier one,
 * n if there is none. scratch, which does not hold the keys, is used above its count.
 * False for want of memory.
 */
bool ep_keys_find_repeat(const char *input, const ep_ref *refs, size_t n, ep_stack *scratch,
                         size_t *second);

#endif
