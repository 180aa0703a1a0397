/*
 * pack_laws.h - what the files of the target "pack" share.
 */
#ifndef FUZZ_PACK_LAWS_H
#define FUZZ_PACK_LAWS_H

#include "state_laws.h"

/* Of an archive that is whole: its tensors as a file of safetensors, and an archive of its
 * program and that. SPEC 8.2 to 8.4 */
void laws_of_assembling(const state *s);

#endif
