/*
 * agree.h - the rules between a program, what holds its state, and the bytes of that
 * (SPEC 8.3.2 to 8.5.3), for archives that are judged and not only listed.
 */
#ifndef ARCHIVE_AGREE_H
#define ARCHIVE_AGREE_H

#include "payload.h"
#include "saved.h"
#include "tensors_parts.h"

/* Each returns false for the first rule that is broken, with what->error, or for want of
 * memory. All are linear in what they look at, times the logarithm of the names. */

/* An entry of a config by itself, before its member is read. SPEC 8.3.2 */
bool agree_entry(tensors_reading *r, const payload *p, const zipfile_member *m);

/* The entries of a config, whose rows are the last of the list, from `first` on. SPEC 8.3.3
 * to 8.4.3 */
bool agree_config(tensors_reading *r, ep_value entries, ep_arena *arena, size_t first);

/* Whether the raw tensors of these entries fit their members. SPEC 8.3.4 */
bool agree_bytes(tensors_reading *r, ep_value entries, size_t first);

/* The pickle of a state, of constants, of a tensor or of an object. SPEC 8.5.1, 8.5.2 */
bool agree_pickle(tensors_reading *r, const zipfile_member *m, const saved *s);

/* Whether a pickled tensor fits its storage. SPEC 8.5.3 */
bool agree_fit(tensors_reading *r, const zipfile_member *m, const tensor_row *row);

/* The same of all tensors that a pickle makes, those inside of others, too. SPEC 8.5.3 */
bool agree_all_fit(tensors_reading *r, const zipfile_member *m, const unpickled *u);

/* The rows of a pickled state or of pickled constants. SPEC 8.4.2, 8.4.3 */
bool agree_rows(tensors_reading *r, const zipfile_member *m, size_t first);

/* The pickle of sample inputs, whose rows are the last of the list. SPEC 8.5.2, 8.5.3 */
bool agree_inputs(tensors_reading *r, const zipfile_member *m, const unpickled *u, size_t first);

/* What the part of the program that was read should have had. SPEC 8.4.1 */
bool agree_whole_part(tensors_reading *r);

#endif
