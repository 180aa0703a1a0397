/*
 * safetensors.h - a file of safetensors, read: which tensors it has and where their bytes
 * are. It is held to all that the library of that name checks: one index of each name, and
 * bytes that fill the file without overlap or gap.
 */
#ifndef ARCHIVE_SAFETENSORS_H
#define ARCHIVE_SAFETENSORS_H

#include "given.h"

/* Reads the index of a file that is open, which must not be longer than the limit. False:
 * what->error or what->reason. given_free frees it in any case. n tensors, and bytes of the
 * index: O(n log n). */
bool safetensors_open(const io_data *from, size_t limit, given *g, failure *what);

#endif
