/*
 * oracle_texts.h - more texts of the languages of strings for fuzz_oracle than its input
 * has: those of a program, each changed by its tokens, and what the library says of them.
 */
#ifndef FUZZ_ORACLE_TEXTS_H
#define FUZZ_ORACLE_TEXTS_H

#include "fuzz.h"

/*
 * Adds frames to a request, five a text: its language; of an expression the sort, of
 * metadata the key, else nothing; the version; the text; the code, and the byte of the text
 * that it is reported at. Which texts and changes is drawn from a number. A limit is left
 * out. Linear in the program.
 */
void oracle_add_texts(fuzz_work *work, const ep_program *program, uint64_t number,
                      test_text *request);

#endif
