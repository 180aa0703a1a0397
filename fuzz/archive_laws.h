/*
 * archive_laws.h - what the files of the target "archive" share: the archive that
 * is looked at, with what the second reader sees in it, and the laws.
 */
#ifndef FUZZ_ARCHIVE_LAWS_H
#define FUZZ_ARCHIVE_LAWS_H

#include "archive.h"
#include "fuzz.h"
#include "zip_reader.h"

/* How much may be taken out of an archive: little enough for a deflated input
 * to go beyond it, so that the limit is tried, too. */
enum { ARCHIVE_LIMIT = 1 << 18 };

typedef struct subject {
    io_data data; /* as the command line has it */
    zip_reading reading;
    bool readable;     /* by the second reader */
    const char *model; /* that is asked for, or NULL */
    fuzz_input input;  /* what is drawn from */
} subject;

void subject_open(subject *s, ep_bytes file);
void subject_close(subject *s);

/* -------------------------------------------------- what the second reader says */

/* Whether a member is a program. SPEC 8.1.2 */
bool laws_is_program(ep_bytes name, const char *model);

/* The one program; NULL when there is none, or a second. */
const zip_entry *laws_program(const subject *s);

/* An archive as a writer of zip files makes it that does nothing unusual: every
 * member can be read, nothing is said twice in different words, nothing lies
 * between. Any reader takes it. */
bool laws_is_plain(const zip_reading *r);

bool laws_is_ascii(ep_bytes name);
const zip_entry *laws_find(const zip_reading *r, ep_bytes name);
bool laws_starts(ep_bytes name, const char *start);

/* ------------------------------------------------------------------------- laws */

/* A refusal that is whole. */
void laws_of_refusal(const failure *what);

/* What archive_read took, or why it refused. */
void laws_of_reading(const subject *s, const archive_taken *taken, const failure *what);

/* members_audit, for an archive that can be opened. SPEC 9.6 */
void laws_of_audit(const subject *s);

/* archive_repack around the valid program that was taken out. SPEC 7.7 */
void laws_of_repacking(subject *s, archive_taken *taken, const ep_program *program);

#endif
