/*
 * text/output.h - files that are whole or not there: written under another name
 * beside theirs, and renamed. "-" is standard output.
 */
#ifndef EPCONFORM_OUTPUT_H
#define EPCONFORM_OUTPUT_H

#include "text/strbuf.h"

/* False, and said, when the file cannot be written. */
bool output_write(const char *path, const strbuf *text);

/* Whether it could be, before there is anything to write; false, and said, when
 * not. A path of NULL is no file. */
bool output_try(const char *path);

#endif
