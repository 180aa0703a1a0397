/*
 * rules/operator_rules.h - calls of operators against the signatures of PyTorch's
 * operators (SPEC 5.6).
 */
#ifndef EP_OPERATOR_RULES_H
#define EP_OPERATOR_RULES_H

#include "language/target.h"
#include "rules/judge.h"
#include "rules/operators.h"

/* What the target of a Node says, which was read before the rules. */
const ep_target *ep_target_of(const ep_judge *judge, const ep_node *node);

/*
 * Checks a Node against the signature of its target: an operator that a table of the
 * program's version has, or a function on symbols. A target without a signature is not
 * checked: a higher-order operator, an extension, an operator from outside PyTorch. The
 * latter causes a note, once for each target. A few hundred instructions and some more
 * for each argument.
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
