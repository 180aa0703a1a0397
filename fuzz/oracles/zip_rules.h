/*
 * oracles/zip_rules.h - SPEC 8.1.1 to 8.1.7 once more, from their text: which of them an
 * archive breaks first. The reader of ref/archive (zipfile.c) accepts
 * exactly what breaks none. It is meant for short files, and takes its time.
 */
#ifndef FUZZ_ZIP_RULES_H
#define FUZZ_ZIP_RULES_H

#include "epref.h"

/* A member that keeps the rules. */
typedef struct zip_ruled {
    ep_bytes name;
    const char *entry; /* its record in the directory */
    uint16_t flags;
    uint16_t method;
    uint32_t crc;
    uint64_t size;
    uint64_t packed;
    uint64_t header; /* where the local header is */
} zip_ruled;

typedef struct zip_rules {
    ep_bytes file;
    uint64_t directory;
    zip_ruled *members;
    size_t count;
    bool failed; /* for want of memory: nothing was judged */
} zip_rules;

/* The code of the first rule that is broken, of 8.1.1, 8.1.4 but for the PT2 layout,
 * 8.1.5 and 8.1.6; EP_OK for none. zip_rules_free frees in any case. */
ep_code zip_rules_open(ep_bytes file, zip_rules *r);
void zip_rules_free(zip_rules *r);

/* Whether two names are the same, or, folded, but for the case of letters of ASCII. */
bool zip_rules_same_name(ep_bytes a, ep_bytes b, bool folded);

/* What 8.1.4 says of the PT2 layout: EP_ARCHIVE_NAME, or EP_OK. */
ep_code zip_rules_folded(const zip_rules *r);

/* 8.1.2, 8.1.7, and in the PT2 layout zip_rules_folded. model: that is asked for, or
 * NULL. *program is the one of EP_OK. */
ep_code zip_rules_layout(const zip_rules *r, const char *model, const zip_ruled **program);

/* The length of the name of the folder that all members are in, with its slash; 0 where
 * they are not in one. */
size_t zip_rules_folder(const zip_rules *r);

#endif
