/*
 * print.h - pieces of text put together in one call.
 */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "style.h"

/*
 * Puts a text in which there stand, in the order of the arguments:
 *   %s  a text of this program's own (const char *)
 *   %t  a text of a file, fit to be seen (ep_bytes)
 *   %q  the same between quotes (ep_bytes)
 *   %r  bytes as they are (const char *, size_t)
 *   %i  a number (int64_t)
 *   %c  a character (int)
 *   %z  a style from here on, if there are to be colours (bool, style); up to %Z
 *   %m  likewise in a line of show (style); up to %M
 *   %p  spaces to a column, from where the text begins (int)
 */
void print(buffer *b, const char *format, ...);

#endif
