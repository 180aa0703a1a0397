/*
 * archives.h - the operations that make something of a whole archive, or an archive of a
 * program.
 */
#ifndef EPREF_TESTEE_ARCHIVES_H
#define EPREF_TESTEE_ARCHIVES_H

#include "operations.h"

void run_pack(const request *r, ep_arena *arena, ep_bytes input, finding *out);
void run_strip(const request *r, ep_arena *arena, ep_bytes input, finding *out);
void run_join(const request *r, ep_arena *arena, ep_bytes input, finding *out);
void run_migrate_archive(const request *r, ep_arena *arena, ep_bytes input, finding *out);
void run_list(const request *r, ep_arena *arena, ep_bytes input, finding *out);
void run_extract(const request *r, ep_arena *arena, ep_bytes input, finding *out);
void run_weights(const request *r, ep_arena *arena, ep_bytes input, finding *out);
void run_compare(const request *r, ep_arena *arena, ep_bytes input, finding *out);
void run_report(const request *r, ep_arena *arena, ep_bytes input, finding *out);

#endif
