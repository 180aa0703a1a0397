/*
 * run/process.h - one process of a testee: the leader of a process group of its
 * own, in a folder of its own, with three pipes. Nothing here waits.
 */
#ifndef EPCONFORM_PROCESS_H
#define EPCONFORM_PROCESS_H

#include "text/strbuf.h"
#include "text/words.h"

#include <stdint.h>
#include <sys/types.h>

enum { TAIL_SIZE = 4096 };

/* How processes are started. */
typedef struct launch {
    word_list words;  /* the command line */
    const char *root; /* the folder that theirs are made in */
    size_t memory;    /* the most address space in bytes; 0: no limit */
} launch;

typedef struct process {
    pid_t pid;    /* 0: there is none */
    int in;       /* its standard input, to write to; -1: closed */
    int out;      /* its standard output, to read from; -1: closed */
    int err;      /* its standard error; -1: closed */
    char *folder; /* where it runs */
    strbuf tail;  /* the end of what it wrote to standard error */
    strbuf first; /* its first line there, as far as it has come */
} process;

/* Makes a folder for a process that is still to be started. */
bool process_prepare(process *p, const launch *l);

/* Starts it. False: the reason is the tail, and there is no process. */
bool process_start(process *p, const launch *l, const word_list *words);

/* Keeps the end of what is there to be read on standard error. */
void process_drain(process *p);

/* Whether it has ended, and with what status (of waitpid). It is taken away
 * only by process_finish. */
bool process_ended(const process *p, int *status);

/* Kills what is left of its group, closes the pipes and removes the folder;
 * the tail stays until the next start. */
void process_finish(process *p);

void process_close_input(process *p);

/* The end of what it said on standard error, fit to be shown; the caller frees it. */
char *process_said(const process *p);

/* What a read or write came to. */
typedef enum traffic { TRAFFIC_SOME, TRAFFIC_NOTHING_YET, TRAFFIC_END } traffic;

/* Reads what is there, up to a number of bytes. */
traffic process_read(process *p, strbuf *into, size_t most);
traffic process_write(process *p, const char *data, size_t size, size_t *written);

/* "ended with status 3", "ended by signal 11". */
void process_describe(int status, strbuf *b);

/* Makes the folder for the folders of processes, under TMPDIR; NULL, and said,
 * when that fails. */
char *folder_make(void);

/* Removes a folder with all that is in it. */
void folder_remove(const char *path);

/* Before anything else: standard descriptors are open, no others are passed on
 * to testees, a closed pipe is an error and no signal. */
void process_setup(void);

/* From here on interrupts wait until somebody asks for them. */
void process_hold_interrupts(void);

/* The interrupt that has come (SIGINT, SIGTERM), 0 if none. */
int process_interrupted(void);

#endif
