/*
 * building.h - the operation that takes a program apart with the reading functions of
 * epref.h, and makes it again with the building ones.
 */
#ifndef EPREF_TESTEE_BUILDING_H
#define EPREF_TESTEE_BUILDING_H

#include "operations.h"

void run_build(const request *r, ep_arena *arena, ep_bytes input, finding *out);

#endif
