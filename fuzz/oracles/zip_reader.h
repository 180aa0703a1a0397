/*
 * oracles/zip_reader.h - a second reader of zip archives, apart from that of the command line:
 * what the targets "archive" and "zip" compare with, and what the mutator of archives
 * takes one apart with. It trusts nothing: what lies outside of the archive is not there.
 */
#ifndef FUZZ_ZIP_READER_H
#define FUZZ_ZIP_READER_H

#include "epref.h"

enum {
    ZIP_END_SIZE = 22,       /* of the end record without its comment */
    ZIP_END64_SIZE = 56,     /* of the end record of zip64, */
    ZIP_LOCATOR_SIZE = 20,   /* and of what says where that is */
    ZIP_DIRECTORY_SIZE = 46, /* of an entry of the directory without its texts */
    ZIP_LOCAL_SIZE = 30      /* of a local header without its texts */
};

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };

/* Bits of a member's flags. */
enum {
    ZIP_FLAG_ENCRYPTED = 1 << 0,
    ZIP_FLAG_DESCRIPTOR = 1 << 3,
    ZIP_FLAG_UTF8 = 1 << 11,
    ZIP_FLAGS_MEANT = 0x2069 /* bits that change how a member or its headers are read */
};

/* What is said of a member in two places. */
typedef struct zip_head {
    uint16_t needed; /* version of zip */
    uint16_t flags;
    uint16_t method;
    uint32_t stamp; /* time and date */
    uint32_t crc;
    uint64_t packed_size;
    uint64_t size;
    ep_bytes name;
    ep_bytes extra;
} zip_head;

typedef struct zip_entry {
    zip_head head;  /* of the directory */
    zip_head local; /* of its own */
    uint16_t made_by;
    uint16_t inside; /* attributes */
    uint32_t outside;
    uint64_t offset; /* of the local header */
    ep_bytes comment;
    bool found;      /* there is a local header, and behind it */
    ep_bytes packed; /* so many bytes as the directory says */
} zip_entry;

/* An archive. Views are into the file. */
typedef struct zip_reading {
    ep_bytes file;
    size_t end;         /* where the end record is */
    size_t records;     /* where the records begin that end the archive */
    uint64_t counts[2]; /* of members: of this disk, in all */
    uint64_t disks;     /* the sum of all numbers of disks */
    uint64_t directory_size;
    uint64_t directory; /* its offset */
    bool zip64;
    bool agrees; /* the end record with that of zip64 */
    bool whole;  /* the directory has counts[1] entries and ends where it says */
    bool failed; /* for want of memory */
    ep_bytes comment;
    zip_entry *entries;
    size_t count;
} zip_reading;

/*
 * Reads a directory by the last end record that ends, with its comment, where
 * the file ends. False when there is none; otherwise what was read, as far as it
 * could be: zip_reader_close frees it in any case.
 */
bool zip_reader_open(ep_bytes file, zip_reading *r);
void zip_reader_close(zip_reading *r);

/* Content that is a view, or owned. */
typedef struct zip_content {
    ep_bytes bytes;
    char *owned;
} zip_content;

/* What a member holds. False when it is encrypted or of another method, is not
 * there, does not agree with its size or checksum, or is longer than the limit. */
bool zip_reader_unpack(const zip_entry *entry, size_t limit, zip_content *content);
void zip_content_free(zip_content *content);

/* Numbers, the lowest byte first. */
uint64_t zip_get(const char *at, size_t size);
void zip_put(char *at, size_t size, uint64_t number);

#endif
