/*
 * serial.h - the serialization id of an archive of the layout PT2, which readers do not
 * check: 40 digits, of the names of its members and of their checksums. It is what
 * PyTorchFileWriter computes where size_t has 64 bits and the C++ library is libstdc++,
 * whose std::hash and std::unordered_set it depends on: PyTorch's packages for Linux.
 */
#ifndef ARCHIVE_SERIAL_H
#define ARCHIVE_SERIAL_H

#include "container.h"

/*
 * The id of the members before one, which were written; root: the bytes of their names that
 * are the folder of all. False for want of memory. Linear in the names.
 */
bool serial_id(const zipwrite *zip, size_t count, size_t root, char id[CONTAINER_ID_SIZE]);

/* The member of an id. */
typedef struct serial {
    const zipwrite *zip;
    size_t root;
    char id[CONTAINER_ID_SIZE];
} serial;

/* Plans the member, of the id of those that are planned before it. It has to live as long as
 * the zip, which tells of want of memory. */
void serial_plan(serial *s, zipwrite *zip, ep_bytes name, size_t root);

#endif
