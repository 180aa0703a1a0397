/*
 * explanations.c - see explanations.h.
 */
#include "explanations.h"

#include <stddef.h>

#define EXPLAIN(code, meaning, where, bad, good) {code, meaning, where, bad, good},
static const explanation explanations[] = {
#include "canon.def"
#include "explain.def"
#include "migrate.def"
#include "program.def"
#include "strings.def"
};
#undef EXPLAIN

#define FINDING(id, meaning) [id] = (meaning),
static const char *const findings[EP_AUDIT_COUNT] = {
#include "audit.def"
};
#undef FINDING

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
