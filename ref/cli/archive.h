/*
 * archive.h - the program in a .pt2 archive: torch.export.save's flat zip
 * (serialized_exported_program.json) or its PT2 archive (R/models/NAME.json).
 * Nothing is extracted to a file.
 */
#ifndef CLI_ARCHIVE_H
#define CLI_ARCHIVE_H

#include "buffer.h"
#include "io.h"
#include "status.h"

struct zip; /* of libzip */
struct zip_error;
struct zip_file;

/* What is taken out of an archive. */
typedef struct archive_taken {
    buffer program; /* no more than one byte beyond the limit */
    buffer member;  /* the name of the member that it was */
} archive_taken;

/* Which program of several, NULL: the only one; and how long it may be. */
typedef struct archive_wish {
    const char *model;
    size_t limit;
} archive_wish;

/*
 * Takes the program out of an archive: the file at path if data->on_disk, else
 * the bytes. Whatever the archive says of its size, no more is read than the
 * limit and a byte. False: what->error (EP_ARCHIVE...), or what->reason where
 * the file cannot be read; the member may be known nevertheless.
 */
bool archive_read(const char *path, const io_data *data, archive_wish wish, archive_taken *taken,
                  failure *what);

/* Opens an archive for reading; its size in bytes goes to *size, unless that is
 * NULL. NULL: as archive_read. */
struct zip *archive_open(const char *path, const io_data *data, size_t *size, failure *what);

/* An archive that is a member of another, or stands in a program. NULL if it is
 * none, or memory is short, which sets *failed. */
struct zip *archive_open_bytes(ep_bytes data, bool *failed);

/* Whether libzip failed for want of memory, rather than that the archive is bad:
 * some of that it calls inconsistent. Asks errno, which an archive sets to 0 when
 * it is opened. */
bool archive_lacks_memory(struct zip_error *error);

/* Whether the directory says that a member, which was read whole, has this size.
 * libzip does not compare it, nor the checksum of one that takes no bytes. */
bool archive_says(struct zip *archive, uint64_t index, size_t size);

/* Opens a member. NULL: content->failed, or it cannot be opened. */
struct zip_file *archive_open_file(struct zip *archive, uint64_t index, buffer *content);

/* Reads an open member to its end, where libzip compares the checksum. False:
 * content->failed, or there is more than the limit, or it cannot be read. */
bool archive_read_file(struct zip_file *file, size_t limit, buffer *content);

/* Refuses an archive with a code and what is wrong, which is freed; or with
 * what libzip said, under that code. Return false. */
bool archive_refuse(failure *what, ep_code code, buffer *detail);
bool archive_refuse_zip(failure *what, ep_code code, struct zip_error *error);

#endif
