/*
 * auditing.h - the operations whose product is a list: what an audit finds, and where two
 * programs differ.
 */
#ifndef EPREF_TESTEE_AUDITING_H
#define EPREF_TESTEE_AUDITING_H

#include "operations.h"

void run_audit(const request *r, ep_arena *arena, ep_bytes input, finding *out);
void run_diff(const request *r, ep_arena *arena, ep_bytes input, finding *out);

#endif
