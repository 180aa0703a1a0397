/*
 * whole.h - whether an archive is whole, beyond its zip and its programs: its marks, the
 * members that have to be there and those that nobody reads, and what its tensors are
 * (SPEC 8.2 to 8.5).
 */
#ifndef ARCHIVE_WHOLE_H
#define ARCHIVE_WHOLE_H

#include "archive/state/tensors.h"

typedef struct whole_wish {
    const ep_decode_options *decoding;
    archive_decoded decoded; /* by that */
    size_t limit;            /* of a program, a config, a pickle */
    bool no_data;            /* extra files, and storages in pickles, are not read */
} whole_wish;

/*
 * Holds an archive to the rules. Each of its programs has to be one that decodes. That its
 * members agree with their checksums is zipfile_verify's; those of archives in members are
 * compared here.
 * False: *what is the first rule that is broken, and *member where; its name is empty for
 * a rule of the whole archive. Linear in what is read, times the logarithm of the number
 * of members and names.
 */
bool whole_check(const archive *a, const whole_wish *wish, ep_bytes *member, failure *what);

#endif
