/*
 * rules/operator_rules.h - whether a node calls its operator as PyTorch's
 * operators are called (SPEC 5.6).
 */
#ifndef EP_OPERATOR_RULES_H
#define EP_OPERATOR_RULES_H

#include "rules/judge.h"
#include "rules/operators.h"

/*
 * Judges a Node by the signature of what it calls: an operator that a table of
 * the program's version has, or a function on symbols. What has no signature
 * is not judged: a higher-order operator, an extension, an operator of
 * somebody else's. Of the latter the note is told, once for each target.
 * A few hundred instructions and some more for each argument.
 */
void ep_rule_operator(ep_judge *judge, const ep_scope *scope, const ep_node *node);

/* Whether all signatures of what a node calls take tensors in the lists of an
 * argument; false where no signature is known, or a list of numbers is taken, which
 * PyTorch writes so when it is one of symbolic values of several kinds. */
bool ep_takes_tensors(ep_judge *judge, const ep_node *node, const ep_node *named);

/* Whether one of the program's verifiers forbids operators that write to their
 * arguments; the judge has the answer in functional. */
bool ep_verifiers_functional(const ep_judge *judge);

#endif
