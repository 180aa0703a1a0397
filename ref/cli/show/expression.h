/*
 * expression.h - symbolic expressions for people. PyTorch from 2.6 on writes
 * them as calls, Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(1));
 * people write 2*s0 + 1, as did PyTorch before.
 */
#ifndef CLI_SHOW_EXPRESSION_H
#define CLI_SHOW_EXPRESSION_H

#include "common/buffer.h"

/* Puts an expression in the form that people write; one that is not made of
 * such calls is put as it is. Linear in the text; nothing is evaluated. */
void expression_put(buffer *b, ep_bytes text);

#endif
