/*
 * defect.h - damage to a valid program: one edit, such that a check refuses it
 * with one code that was asked for. Where and how it is damaged is drawn.
 */
#ifndef GEN_DEFECTS_DEFECT_H
#define GEN_DEFECTS_DEFECT_H

#include "common/buffer.h"
#include "common/status.h"

/* Whether there is a defect of the code, in any version. */
bool defect_known(ep_code code);

/*
 * Whether the version can show the code: it has the rule, and something that
 * can break it. That one program has a place for it is not said.
 */
bool defect_possible(ep_code code, const ep_version *version);

/* What is to be damaged, and how. */
typedef struct defect_options {
    ep_code code;
    uint64_t seed;
    ep_bytes text;           /* of a valid program, spelled as PyTorch spells it */
    const ep_program *valid; /* the text, decoded */
} defect_options;

/*
 * Writes the text with one run of bytes replaced. The result has to be checked
 * as valid's version, demanded by name where that needs to be; but for
 * EP_VERSION_UNKNOWN no version may be demanded. False: *what says why; the
 * reason that this program has no place for the defect is what->reason with
 * STATUS_INVALID, and then another program may have one. The same numbers give
 * the same defect. Linear in the text.
 */
bool defect_apply(const defect_options *options, buffer *out, failure *what);

#endif
