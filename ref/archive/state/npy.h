/*
 * npy.h - a file of numpy's .npy, read: the array that is in it.
 */
#ifndef ARCHIVE_NPY_H
#define ARCHIVE_NPY_H

#include "given.h"

/* Reads the header of a file that is open, which must not be longer than the limit, and adds
 * the array under the name that is the last of g->texts, from t->name on. False: what->error
 * or what->reason. Linear in the header. */
bool npy_open(const io_data *from, size_t limit, given *g, given_tensor t, failure *what);

#endif
