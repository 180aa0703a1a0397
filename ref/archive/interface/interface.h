/*
 * interface.h - what the files of this folder share: an open archive, and how a failure
 * inside becomes an error of epref_archive.h.
 */
#ifndef ARCHIVE_INTERFACE_H
#define ARCHIVE_INTERFACE_H

#include "archive/state/compiled.h"
#include "archive/state/elements.h"
#include "common/memory.h"
#include "epref_archive.h"

/* What changes of an archive that is const, too. */
typedef struct interface_held {
    memory_share share; /* what its functions count their memory in, between memory_enter and
                           memory_leave */
    holding holding;    /* storages that several tensors show */
    bool busy;          /* a sink may ask for another tensor meanwhile */
} interface_held;

struct ep_archive {
    io_data data;
    ep_archive_source source;
    ep_archive_options options;
    interface_held *held;
    char *model; /* a copy; NULL: all */
    archive archive;
    size_t *programs; /* their members */
    buffer *texts;    /* of those that were read */
    size_t program_count;
    tensors tensors;
    compiled compiled;
    bool is_listed;
};

/* Each sets *error, unless that is NULL, and returns what it is told to. */

bool interface_ok(ep_error *error);

/* Of a member or a tensor, or of the archive where the name is empty. False. */
bool interface_fail(ep_error *error, ep_bytes about, const failure *what);

/* An error of the core's. False. */
bool interface_fail_error(ep_error *error, ep_bytes about, const ep_error *own);

/* A mistake of the caller's. False. */
bool interface_fail_argument(ep_error *error, const char *why);

/* What reading an archive came to: as the two above, but where its file was changed. */
bool interface_settle(const ep_archive *a, bool ok, ep_bytes about, failure *what, ep_error *error);

/* Refuses a package of compiled models, for what is made of programs. SPEC 8.9 */
bool interface_need_program(const ep_archive *a, ep_error *error);

/* The storages that are held, until they are given back; NULL: somebody has them. */
holding *interface_take_holding(const ep_archive *a);
void interface_give_back(const ep_archive *a, const holding *taken);

/* Every checksum; marks, members and tensors: what ep_archive_check asks beside the programs. */
bool interface_verify(const ep_archive *a, bool no_data, ep_error *error);
bool interface_check_whole(const ep_archive *a, bool no_data, ep_error *error);

/* The most bytes of what is held whole. */
size_t interface_limit(const ep_archive *a);

/* Where a zipfile_taker gives its pieces: a sink of the caller's. */
typedef struct interface_sink {
    ep_sink *sink;
    void *context;
} interface_sink;

bool interface_take(void *context, ep_bytes piece, failure *what);

#endif
