/*
 * explanations.c - see explanations.h.
 */
#include "explanations.h"

#include <stddef.h>

/* Each text has a line feed before it. */
#define EXPLAIN(code, where, meaning, bad, good)                                                   \
    {code, &(meaning)[1], where, &(bad)[1], &(good)[1]},
#define EXPLAIN_ALONE(code, meaning) {code, &(meaning)[1], NULL, NULL, NULL},
static const explanation explanations[] = {
#include "explain/canon.inc"
#include "explain/explain.inc"
#include "explain/migrate.inc"
#include "explain/program.inc"
#include "explain/strings.inc"
};
#undef EXPLAIN
#undef EXPLAIN_ALONE

#define EXPLAIN_ALONE(id, meaning) [id] = &(meaning)[1],
static const char *const findings[EP_AUDIT_COUNT] = {
#include "explain/audit.inc"
};
#undef EXPLAIN_ALONE

enum { COUNT = sizeof explanations / sizeof explanations[0] };

const explanation *explanation_of(ep_code code) {
    for (size_t i = 0; i < COUNT; i++) {
        if (explanations[i].code == code) {
            return &explanations[i];
        }
    }
    return NULL;
}

const char *explanation_of_finding(ep_audit_id id) {
    return findings[id];
}
