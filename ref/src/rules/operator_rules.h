/*
 * rules/operator_rules.h - calls of operators against the signatures of PyTorch's
 * operators (SPEC 5.6).
 */
#ifndef EP_OPERATOR_RULES_H
#define EP_OPERATOR_RULES_H

#include "rules/rules.h"

/* Whether all signatures of what a node calls take tensors in the lists of an
 * argument, both of a use; false where no signature is known, or a list
 * of numbers is taken, which PyTorch writes so when it is one of symbolic values of
 * several kinds. */
bool ep_takes_tensors(ep_judge *judge, const ep_subject *subject);

/* Whether one of the program's verifiers forbids operators that write to their
 * arguments; the judge has the answer in functional. */
bool ep_verifiers_functional(const ep_judge *judge);

#endif
