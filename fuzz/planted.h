/*
 * planted.h - texts that an audit has to find, put into a program where SPEC part 9 says
 * that they do something.
 */
#ifndef FUZZ_PLANTED_H
#define FUZZ_PLANTED_H

#include "fuzz.h"

/* Puts one such text, which is drawn, into a document that was decoded as the program.
 * Properties: what comes of it is decoded, and its audit tells the text. */
void fuzz_plant(fuzz_input *input, const ep_program *program);

#endif
