/*
 * container.h - how an archive was written: in which of the two styles of zipwrite.h, if in
 * one of them. An archive of a style is a function of it, of the names of its members, their
 * bytes and, in the flat style, dates: it can be made again from these, byte for byte.
 */
#ifndef ARCHIVE_CONTAINER_H
#define ARCHIVE_CONTAINER_H

#include "archive/zip/zipwrite.h"

typedef enum container { CONTAINER_FLAT, CONTAINER_PT2, CONTAINER_OTHER } container;

/* Writes the archive again in each style, and compares. Of the members' bytes nothing is
 * read. False: the file cannot be read, or memory is short. */
bool container_of(const zipfile *z, container *style, failure *what);

/* Hashes in the order of the file, as PyTorchFileWriter counts them for a half of its member
 * .data/serialization_id: of names (serial.h) or of checksums. */
typedef struct container_id {
    uint64_t hash;
} container_id;

enum { CONTAINER_ID_SIZE = 40, CONTAINER_ID_HALF = 20, CONTAINER_ID_START = 8 };

/* c10::hash_combine: a number more. */
void container_id_combine(container_id *id, uint64_t number);

/* Counts a member; start: its first bytes, as many as CONTAINER_ID_START where there are. */
void container_id_add(container_id *id, uint64_t size, uint32_t crc, ep_bytes start);

/* Whether a member is one of PT2 archives that holds an id, "R/.data/serialization_id". */
bool container_is_id(ep_bytes name, uint64_t size);

/* Puts a half in place of what stands there. */
void container_id_put(const container_id *id, char half[CONTAINER_ID_HALF]);

#endif
