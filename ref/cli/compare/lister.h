/*
 * lister.h - makes the listing of a program.
 */
#ifndef CLI_COMPARE_LISTER_H
#define CLI_COMPARE_LISTER_H

#include "listing.h"

/* Lists a program. full: nothing is cut. False for want of memory; listing_free in any case. */
bool listing_make(listing *l, const ep_program *program, ep_arena *arena, bool full);

#endif
