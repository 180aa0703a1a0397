/*
 * operator_text.h - for tests: the signature of an operator, printed again as its row has
 * it.
 */
#ifndef EP_TEST_OPERATOR_TEXT_H
#define EP_TEST_OPERATOR_TEXT_H

#include "rules/operators.h"

#include "support.h"

/* "Tensor(a!) self, *, int dim=" */
void test_add_arguments(test_text *text, const ep_operator *op);

/* "Tensor(a), int" */
void test_add_returns(test_text *text, const ep_operator *op);

#endif
