/*
 * language/respell.h - a symbolic expression in the other of its two forms
 * (SPEC 7.5.1): from infix to srepr, and back.
 */
#ifndef EP_RESPELL_H
#define EP_RESPELL_H

#include "language/expression.h"

/*
 * Writes an expression in the form that it was not read in. *sayable is false
 * when that form cannot say it; the text is then of no use. False for want of
 * memory. The text lives in the arena. Linear in the expression.
 */
bool ep_respell(const ep_expression *expression, ep_arena *arena, bool *sayable, ep_bytes *text);

#endif
