/*
 * source.h - a file that a command reads: its bytes, the program in it if it
 * is an archive, and that program decoded.
 */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "archive/state/compiled.h"
#include "common/io.h"
#include "common/status.h"
#include "options.h"

typedef struct source {
    const char *path; /* that source_load reads; NULL: the first operand, or standard input */
    io_data file;
    archive archive;         /* open if file.is_zip and it was taken */
    buffer program;          /* out of it */
    buffer label;            /* "model.pt2!model/models/model.json" */
    size_t path_size;        /* of the label: the part before the member */
    ep_bytes input;          /* the program; empty for a package, which only some commands take */
    archive_decoded decoded; /* as source_decoding has it, while it is there */
    bool takes_compiled;
    ep_bytes known_input;    /* of a program that was decoded without a warning: ... */
    const ep_program *known; /* ... source_load does not decode equal bytes again; or NULL */
} source;

/* Forgets the file that was read, and gives the source the label of another, of which
 * nothing is known. */
void source_name(source *s, const char *path);

/* Reads a file, "-" being standard input, and takes the program out of an
 * archive. A source can be read into again. The label is right either way. */
bool source_read(source *s, const options *o, const char *path, failure *what);

/* Opens an archive of any number of programs from one on, and takes none of them out. */
bool source_open(source *s, const options *o, const char *path, failure *what);

/* Reads a file; of an archive the zip is opened, and nothing else of it. known: its members are
 * known by their hashes. */
bool source_find_zip(source *s, const options *o, const char *path, bool known, failure *what);

/* Reads a file; an archive of any number of programs, or of compiled models alone
 * (source_is_compiled), is opened, and none taken out. */
bool source_find(source *s, const options *o, const char *path, failure *what);

/* Refuses a file that is no archive. */
bool source_need_archive(const source *s, failure *what);

/* Takes a program out of an archive that is open; the one before is forgotten. */
bool source_take(source *s, const options *o, const zipfile_member *program, failure *what);

static inline bool source_is_archive(const source *s) {
    return s->file.is_zip;
}

/* An archive of compiled models, without a program. SPEC 8.9 */
static inline bool source_is_compiled(const source *s) {
    return source_is_archive(s) && s->archive.zip.members != NULL && s->archive.program == NULL;
}

/* Lists the tensors of an archive that is open, of the model that the options name or of all.
 * False: *what, with the label of the member that is to blame. tensors_free frees them in any
 * case. */
bool source_tensors(source *s, const options *o, tensors *t, failure *what);

/* Lists the models of AOTInductor of an archive that is open. compiled_free frees them in any
 * case. SPEC 8.9 */
bool source_models(source *s, const options *o, compiled *c, failure *what);

/* The label of what is wrong with a member or a tensor; with the archive, where it has no
 * name. False: *what, for want of memory; else *what stays as it is. */
bool source_blame(source *s, ep_bytes member, failure *what);

/* Reads every member of an archive that is open. SPEC 8.1.3 */
bool source_verify_all(source *s, const options *o, failure *what);

/* Holds an archive that is open to the rules beyond its zip and its programs, all of them. False:
 * *what, with the label of the member that is to blame. SPEC 8.2 to 8.5 */
bool source_check_whole(source *s, const options *o, failure *what);

/* Reads what else is in an archive that was read: whether all of it is whole. SPEC
 * 8.1.3 */
bool source_verify(source *s, const options *o, failure *what);

/* Reads a file that is no program, whatever it looks like. */
bool source_read_text(source *s, const options *o, const char *path, failure *what);

/* Whether a program is valid, within the limits of the options. False: *what. */
bool source_check(const options *o, const ep_program *program, failure *what);

/* What the options say of decoding. */
ep_decode_options source_decoding(const options *o);

/*
 * For commands with one file: reads it and decodes it. Tells of failures and warnings. partial:
 * why the program is refused when there are some, for what writes it again; or NULL. The program
 * lives as long as the source and the arena, which the caller frees in any case.
 */
status source_load(source *s, const options *o, ep_arena *arena, const ep_program **program,
                   const char *partial);

/* Tells of a failure at the label, and returns its status. */
status source_fail(const source *s, const options *o, const failure *what);

void source_free(source *s);

#endif
