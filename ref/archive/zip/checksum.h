/*
 * checksum.h - the checksum of zip, CRC-32.
 */
#ifndef ARCHIVE_CHECKSUM_H
#define ARCHIVE_CHECKSUM_H

#include "common/buffer.h"

/* That of what is behind bytes of another, which is 0 of none. */
uint32_t checksum(uint32_t before, ep_bytes bytes);

#endif
