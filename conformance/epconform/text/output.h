/*
 * text/output.h - files that are whole or not there: written under another name
 * beside theirs, and renamed. "-" is standard output.
 */
#ifndef EPCONFORM_OUTPUT_H
#define EPCONFORM_OUTPUT_H

#include "text/strbuf.h"

#include <sys/types.h>

/* False, and said, when the file cannot be written. */
bool output_write(const char *path, const strbuf *text);

/* Makes a file that is not there yet. False: errno says why. */
bool output_new(const char *path, const char *data, size_t size, mode_t mode);

/* Whether it could be, before there is anything to write; false, and said, when
 * not. A path of NULL is no file. */
bool output_try(const char *path);

#endif
