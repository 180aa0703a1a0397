/*
 * mending.h - a zip that was packed again by another program, made as PyTorch makes it: without
 * bytes behind its end, with the folder that all members have to be in, with stored members.
 */
#ifndef CLI_COMMANDS_MENDING_H
#define CLI_COMMANDS_MENDING_H

#include "cli/source.h"

/*
 * Reads a file whose zip no release wrote, and puts the one that it has to be, with a note for
 * each thing that was done. Nothing of a member is changed, and what is put is to be judged as any
 * other. False: *what, where there is no one way to do it. It holds the archive in memory, which
 * may be as long as the limit of bytes. Linear in the file.
 */
bool mending_put(const source *s, const options *o, buffer *made, buffer *notes, failure *what);

#endif
