/*
 * plain_portable.c - plain.h as machines without SSE2 compile it.
 */
#define EP_PORTABLE
#include "base/plain.h"

#include "plain_portable.h"

#ifdef EP_PLAIN_SSE2
#error "this file is here to be compiled without the wide path"
#endif

const char *portable_plain_end(const char *p, const char *end) {
    return ep_plain_end(p, end);
}
