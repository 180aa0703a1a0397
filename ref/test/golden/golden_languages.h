/*
 * golden_languages.h - every string of a program that speaks a language, parsed
 * and printed again to the same bytes, and counted.
 */
#ifndef EP_TEST_GOLDEN_LANGUAGES_H
#define EP_TEST_GOLDEN_LANGUAGES_H

#include "epref.h"

/* Checks and counts the strings of a program. */
void golden_languages_add(const ep_program *program);

/* Prints the counts, checks that no language went without a string, and gives
 * the memory back. */
void golden_languages_report(bool all);

/* How many checks were made, and how many failed, since the last time. */
void golden_languages_checks(size_t *count, size_t *failures);

#endif
