/*
 * oracles/zip_readers.h - the readers that the target "zip" holds against ours.
 */
#ifndef FUZZ_ZIP_READERS_H
#define FUZZ_ZIP_READERS_H

#include "oracles/zip_listing.h"

/* An archive, and what is to be read of it. */
typedef struct zip_question {
    ep_bytes file;
    bool contents; /* of members, too: they are not long */
    ep_bytes root; /* "R/", of an archive that PyTorch's reader takes; else empty */
} zip_question;

/* libzip, which checks what it can, with names as they are and as it guesses them. */
void zip_ask_libzip(const zip_question *q, bool raw, zip_listing *l);

/* Python's zipfile, and PyTorch's reader in C++, where they are installed: EPREF_FUZZ_PYTHON
 * is the Python, or else python3. What is not there leaves its listing absent, and is told
 * once. */
void zip_ask_python(const zip_question *q, zip_listing *zipfile, zip_listing *torch);

/* How often PyTorch's reader has answered. */
size_t zip_torch_answers(void);

#endif
