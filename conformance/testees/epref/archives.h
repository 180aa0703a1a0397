/*
 * archives.h - the operations that make something of a whole archive, or an archive of a
 * program.
 */
#ifndef EPREF_TESTEE_ARCHIVES_H
#define EPREF_TESTEE_ARCHIVES_H

#include "operations.h"

run_document run_pack;
run_document run_strip;
run_document run_join;
run_document run_report;
run_opened migrate_archive;
run_opened list_archive;
run_opened extract_tensors;
run_opened digest_state;
run_opened compare_archives;

/* Opens the archive, and notes the version of its first program. */
void run_on_archive(const request *r, ep_arena *arena, ep_bytes input, finding *out,
                    run_opened *run);

#endif
