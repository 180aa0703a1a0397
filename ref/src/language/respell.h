/*
 * language/respell.h - translates a symbolic expression into the other of its two forms
 * (SPEC 7.5.1): from infix to srepr, and back.
 */
#ifndef EP_RESPELL_H
#define EP_RESPELL_H

#include "language/expression.h"

/*
 * Prints an expression in the form that it was not read in. *sayable is false when that
 * form cannot express it; the text must then not be used. False for want of memory. The
 * text lives in the arena. Linear in the expression.
 */
bool ep_respell(const ep_expression *expression, ep_arena *arena, bool *sayable, ep_bytes *text);

#endif
