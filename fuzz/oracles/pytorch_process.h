/*
 * oracles/pytorch_process.h - the PyTorch that the target pytorch asks: a process with two
 * ends of one socket as its standard input and output, which speaks in frames, a
 * length of four bytes, the least first, and so many bytes.
 */
#ifndef FUZZ_PYTORCH_PROCESS_H
#define FUZZ_PYTORCH_PROCESS_H

#include "support.h"

#include <sys/types.h>

typedef struct pytorch_process {
    pid_t pid; /* 0: none runs */
    int socket;
} pytorch_process;

typedef enum pytorch_end {
    PYTORCH_ANSWERED,
    PYTORCH_DIED, /* or closed its end */
    PYTORCH_LATE  /* said nothing for too long */
} pytorch_end;

/* Starts a Python with a script. False: errno says why. */
bool pytorch_start(pytorch_process *process, const char *python, const char *script);

/* Sends a frame. */
pytorch_end pytorch_send(const pytorch_process *process, ep_bytes frame);

/* Takes the next frame into an empty text, for which it has so many seconds. */
pytorch_end pytorch_take(const pytorch_process *process, test_text *frame, int seconds);

/* Ends the process, if one runs, and waits for it. */
void pytorch_stop(pytorch_process *process);

/* Appends a frame to a text, as a part of another one. */
void pytorch_add_frame(test_text *text, ep_bytes frame);

#endif
