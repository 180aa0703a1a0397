/*
 * oracles/oracle_process.h - a script in Python that a target asks: a process with two ends of
 * one socket as its standard input and output, which speaks in frames, a length of four bytes,
 * the least first, and so many bytes (oracles/frames.py). Its first frame is a greeting.
 *
 *     EPREF_FUZZ_PYTHON       the Python, else python3
 *     EPREF_FUZZ_PYTORCH_LOG  where inputs go on which the process died: FILE-HASH
 */
#ifndef FUZZ_ORACLE_PROCESS_H
#define FUZZ_ORACLE_PROCESS_H

#include "support.h"

#include <sys/types.h>

typedef struct oracle_process {
    pid_t pid; /* 0: none runs */
    int socket;
} oracle_process;

/* Starts a script, and takes its greeting into an empty text. */
bool oracle_start(oracle_process *process, const char *script, test_text *greeting);

/* Starts it, if it does not run; where it cannot, or greets otherwise, the target ends with
 * status 77. */
void oracle_require(oracle_process *process, const char *script, const char *greeting);

/* Sends a frame, and takes the answer into an empty text. False: the process died, or ended
 * itself because it took too long; the input is kept, and the next one starts it again. */
bool oracle_ask(oracle_process *process, const test_text *frame, ep_bytes input, test_text *answer);

/* Appends a frame to a text, as a part of another one. */
void oracle_add_frame(test_text *text, ep_bytes frame);

#endif
