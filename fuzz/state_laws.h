/*
 * state_laws.h - what the files of the targets "state" and "pack" share: an archive with the
 * list of its tensors, what a second reader sees in it, and the laws.
 */
#ifndef FUZZ_STATE_LAWS_H
#define FUZZ_STATE_LAWS_H

#include "archive/judge/whole.h"
#include "archive/state/elements.h"
#include "fuzz.h"
#include "oracles/zip_reader.h"

enum {
    STATE_LIMIT = 1 << 18,        /* of what is taken out of an archive */
    STATE_ELEMENTS = 1 << 15,     /* bytes of a tensor that is read, */
    STATE_ELEMENTS_ALL = 1 << 19, /* and of all of them */
};

/* An archive that is open. */
typedef struct state {
    io_data data;
    archive archive;
    zip_reading reading; /* by the second reader */
    tensors list;
    fuzz_input input; /* what is drawn from */
} state;

/* Opens it with all its programs; false where it is none. With a list only where there is
 * one: state.list is empty otherwise. */
bool state_open(state *s, ep_bytes file);
void state_close(state *s);

/* Judges it, and says by what. */
typedef struct state_verdict {
    bool whole;
    failure what;
    ep_bytes member;
} state_verdict;

state_verdict state_judge(const archive *a, bool no_data);

/* What the second reader has for a member that the first one found. */
const zip_entry *state_entry(const state *s, const zipfile_member *m);

/* The name of a member without the folder of the archive. */
ep_bytes state_inner(const state *s, ep_bytes name);

/* --------------------------------------------------------------------------- tensors */

/* How many bytes the elements are, and how many a storage must have for them: counted here.
 * The greatest number where they are more. */
uint64_t state_size(const tensors *t, const tensor_row *row);
uint64_t state_reach(const tensors *t, const tensor_row *row);

/* The elements of a tensor that fits, index by index, out of the bytes that the second
 * reader has. False: it has none. */
bool state_gather(const state *s, const tensor_row *row, test_text *made);

/* Whether the elements can be had at all: of what is deflated in an archive in a member they
 * cannot. */
bool state_can_be_had(const state *s, const tensor_row *row);

/* A zipfile_take into a test_text. */
bool state_keep(void *context, ep_bytes piece, failure *what);

/* ------------------------------------------------------------------------------ laws */

/* A refusal that is whole, at a member that there is. */
void laws_of_refusal(const state *s, const failure *what, ep_bytes member);

/* elements_fault, elements_size, elements_read; the places of storages. */
void laws_of_elements(state *s);

/* tensorfile_plan, tensorfile_verify, tensorfile_write. */
void laws_of_files(state *s);

/* What whole_check takes. SPEC 8.2 to 8.5 */
void laws_of_whole(const state *s, bool no_data);

/* Whether two lists have the same tensors, of one program each or of all. */
bool state_same_list(const state *a, const state *b);

/* Of an archive that is whole: its tensors as a file of safetensors, and an archive of its
 * program and that. SPEC 8.2 to 8.4 */
void laws_of_assembling(const state *s);

#endif
