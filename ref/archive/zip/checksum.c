/*
 * checksum.c - see checksum.h. libdeflate counts by carry-less multiplication, a word of many
 * bytes at once; where it is not there, zlib does it by tables. libdeflate does not inflate: it
 * takes streams that zlib refuses, such as those with an incomplete code of code lengths.
 */
#include "checksum.h"

#ifdef EPREF_LIBDEFLATE
#include <libdeflate.h>

uint32_t checksum(uint32_t before, ep_bytes bytes) {
    return bytes.size == 0 ? before : libdeflate_crc32(before, bytes.data, bytes.size);
}

#else
#include <zlib.h>

/* zlib counts no more at once than an unsigned holds. */
uint32_t checksum(uint32_t before, ep_bytes bytes) {
    enum { MOST = 1 << 30 };
    uLong crc = before;
    for (size_t at = 0; at < bytes.size;) {
        size_t size = bytes.size - at < MOST ? bytes.size - at : MOST;
        crc = crc32(crc, (const unsigned char *)bytes.data + at, (uInt)size);
        at += size;
    }
    return (uint32_t)crc;
}

#endif
