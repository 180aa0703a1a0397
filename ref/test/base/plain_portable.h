/*
 * plain_portable.h - the portable half of plain.h, from a file of its own that
 * is compiled without the wide one.
 */
#ifndef EP_TEST_PLAIN_PORTABLE_H
#define EP_TEST_PLAIN_PORTABLE_H

const char *portable_plain_end(const char *p, const char *end);

#endif
