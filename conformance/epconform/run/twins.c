/*
 * run/twins.c - see twins.h.
 */
#include "run/twins.h"

#include "text/memory.h"

#include <string.h>

const vector *twin_of(const suite *s, const vector *v) {
    const char *twin = vector_text(v->line, "twin");
    bool is_invalid = strcmp(vector_text(v->line, "verdict"), "invalid") == 0;
    return is_invalid && twin != NULL ? suite_find(s, twin) : NULL;
}

/* Whether this became of a twin that was shown and not accepted. */
static bool is_refused(const result *r) {
    outcome o = r->outcome;
    return r->done && (o == OUTCOME_REFUSED || o == OUTCOME_CRASH || o == OUTCOME_TIMEOUT ||
                       o == OUTCOME_FLOOD || o == OUTCOME_PROTOCOL || o == OUTCOME_ERROR ||
                       (o == OUTCOME_SKIPPED && r->skip == SKIP_UNSUPPORTED));
}

void run_leave_void(run *r) {
    for (size_t i = 0; i < r->count; i++) {
        result *one = &r->results[i];
        if (one->done && one->outcome == OUTCOME_PASS && !cJSON_HasObjectItem(one->got, "code")) {
            const vector *twin = twin_of(r->suite, one->vector);
            const result *of_twin = twin != NULL ? run_find_twin(r, twin) : NULL;
            if (of_twin != NULL && is_refused(of_twin)) {
                one->outcome = OUTCOME_SKIPPED;
                one->skip = SKIP_TWIN;
                one->detail = memory_format("refused, as its valid twin is: %s", twin->id);
            }
        }
    }
}
