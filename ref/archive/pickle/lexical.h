/*
 * lexical.h - how a pickle writes numbers and texts, where Python's unpicklers take less than
 * any bytes. SPEC 8.5.2
 */
#ifndef ARCHIVE_LEXICAL_H
#define ARCHIVE_LEXICAL_H

#include "epref.h"

/* UTF-8; surrogates, as texts in Unicode may hold them, are of three bytes each. */
bool lexical_is_text(ep_bytes text, bool surrogates);

/* Digits, one at least. */
bool lexical_is_digits(ep_bytes text);

/* A number with a point or an exponent, as Python's repr has it: 1.5, -2e-05, inf, nan. */
bool lexical_is_float(ep_bytes text);

#endif
