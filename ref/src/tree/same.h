/*
 * tree/same.h - structural equality of two parts of one program.
 */
#ifndef EP_SAME_H
#define EP_SAME_H

#include "base/arena.h"
#include "schema/tree.h"

/*
 * Compares two values by their meaning: the entries of a dict in any order, a string
 * whatever is escaped in it, an absent field as its default (SPEC 3.5.4). Floats are
 * equal when their bits are. False for want of memory. Linear in the smaller value; a
 * dict in another order takes a map of its keys.
 */
bool ep_same_values(ep_arena *arena, ep_value a, ep_value b, bool *same);

#endif
