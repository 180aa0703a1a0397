/*
 * tree/same.h - whether two parts of one program say the same.
 */
#ifndef EP_SAME_H
#define EP_SAME_H

#include "base/arena.h"
#include "schema/tree.h"

/*
 * Compares two values by what they say: a dict's entries in any order, a string
 * whatever is escaped in it, an absent field with its default (SPEC 3.5.4). A
 * float is the same when its bits are. False for want of memory. Linear in the
 * smaller value but for dicts in another order, which take a map of their keys.
 */
bool ep_same_values(ep_arena *arena, ep_value a, ep_value b, bool *same);

#endif
