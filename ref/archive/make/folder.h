/*
 * folder.h - an archive as a folder of files: a file for each member, and archive.txt, which
 * says what else there is to an archive: its style, the order of its members, their names
 * and, in the flat style, their dates.
 *
 *     epref archive 1 flat
 *     2026-01-31 12:00:58 version version
 *     2026-01-31 12:00:58 extra_files/note extra_files/note
 *
 * A line says the file, then the name of the member; without a date in the style PT2. Behind
 * "pt2" may stand "keep-id": the member .data/serialization_id is no hash of what the archive
 * holds, and is not made again.
 */
#ifndef ARCHIVE_FOLDER_H
#define ARCHIVE_FOLDER_H

#include "archive/zip/zipwrite.h"
#include "container.h"
#include "lines.h"
#include "paths.h"

extern const char folder_list[]; /* "archive.txt" */

/*
 * Puts the list of an archive whose members go to these files. An archive of no style is put
 * down as one of the style that the releases of its layout write. False: *what says why.
 */
bool folder_put_list(const zipfile *z, container style, const paths *files, buffer *list,
                     failure *what);

/* An archive that is made of a folder. */
typedef struct folder {
    const char *path;
    zipwrite zip;
    buffer files; /* each ended by a zero; a source's number is where its file begins */
    bool keeps_id;
    char id[CONTAINER_ID_SIZE]; /* that was made */
    io_data reading;
    size_t line;        /* of the list, that a failure is about; 0: of none */
    const char *blamed; /* the file there, or NULL */
} folder;

/*
 * Plans the archive of a folder, and reads all files once. A list may be as long as the
 * limit. False: *what says why, f->line and f->blamed where. folder_free frees it in any
 * case. Memory is linear in the list.
 */
bool folder_plan(const char *path, size_t limit, folder *f, failure *what);

/* Writes what was planned; an output_make, the context being a folder. A file that is
 * another by now is refused. */
bool folder_write(void *context, zipfile_take *put, void *sink, failure *what);

void folder_free(folder *f);

#endif
