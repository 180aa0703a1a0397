/*
 * archive_laws.h - what the files of the target "archive" share: the archive that
 * is looked at, with what the second reader sees in it, and the laws.
 */
#ifndef FUZZ_ARCHIVE_LAWS_H
#define FUZZ_ARCHIVE_LAWS_H

#include "archive/layout/archive.h"
#include "fuzz.h"
#include "oracles/zip_reader.h"
#include "oracles/zip_rules.h"

/* How much may be taken out of an archive: little enough for a deflated input
 * to go beyond it, so that the limit is tried, too. */
enum { ARCHIVE_LIMIT = 1 << 18 };

typedef struct subject {
    io_data data; /* as the command line has it */
    zip_reading reading;
    bool readable;     /* by the second reader */
    zip_rules rules;   /* by the rules of SPEC 8.1, */
    ep_code broken;    /* and the first that is broken, whatever the layout */
    const char *model; /* that is asked for, or NULL */
    fuzz_input input;  /* what is drawn from */
} subject;

void subject_open(subject *s, ep_bytes file);
void subject_close(subject *s);

/* -------------------------------------------------- what the second reader says */

/* The member of a name; NULL if there is none. */
const zip_entry *laws_find(const zip_reading *r, ep_bytes name);

/* Whether every member but one, or NULL, can be read, and all are so long that an
 * archive may hold them with a limit. SPEC 8.1.3 */
bool laws_is_sound(const zip_reading *r, const zip_entry *except, size_t limit);

/* ------------------------------------------------------------------------- laws */

/* A refusal that is whole. */
void laws_of_refusal(const failure *what);

/* What zipfile_open took, or why it refused. */
void laws_of_opening(const subject *s, const zipfile *zip, const failure *what);

/* Likewise archive_open, of what zipfile_open takes. */
void laws_of_choice(const subject *s, const archive *taken, const failure *what);

/* The bytes of its program, as archive_read puts them into `program`. False: they
 * cannot be read. */
bool laws_of_reading(const subject *s, const archive *taken, buffer *program);

/* members_audit, for an archive that can be opened. SPEC 9.6 */
void laws_of_audit(const subject *s, const zipfile *zip);

/* ep_archive_audit of the whole: what is refused is reported. SPEC 9.8 */
void laws_of_refusals(const subject *s);

/* What PyTorch would unpickle, import or link is reported. Of each member of the reading, `said`
 * has the bit 1 << id of every finding, but of findings about one entry of a config. */
void laws_of_loaders(const subject *s, const uint64_t *said);

/* archive_repack around the valid program that was taken out. SPEC 7.7 */
void laws_of_repacking(subject *s, const archive *taken, ep_bytes text, const ep_program *program);

#endif
