/*
 * twins.c - see twins.h.
 */
#include "twins.h"

#include "memory.h"

#include <string.h>

bool twins_matter(const vector *v, outcome o, const cJSON *got) {
    const char *verdict = vector_text(v->line, "verdict");
    return o == OUTCOME_PASS && verdict != NULL && strcmp(verdict, "invalid") == 0 &&
           !cJSON_HasObjectItem(got, "code") && cJSON_HasObjectItem(v->line, "twin");
}

bool twins_void(outcome of_twin) {
    return of_twin == OUTCOME_REFUSED || of_twin == OUTCOME_CRASH || of_twin == OUTCOME_TIMEOUT ||
           of_twin == OUTCOME_FLOOD || of_twin == OUTCOME_PROTOCOL || of_twin == OUTCOME_ERROR;
}

char *twins_detail(const char *twin) {
    return memory_format("refused, as its valid twin is: %s", twin);
}

static void leave(result *one, const char *twin) {
    one->outcome = OUTCOME_SKIPPED;
    one->skip = SKIP_TWIN;
    one->detail = twins_detail(twin);
}

void run_leave_void(run *r) {
    for (size_t i = 0; i < r->count; i++) {
        result *one = &r->results[i];
        if (one->done && twins_matter(one->vector, one->outcome, one->got)) {
            const char *twin = vector_text(one->vector->line, "twin");
            const result *of_twin = run_find(r, suite_find(r->suite, twin));
            if (of_twin != NULL && of_twin->done && twins_void(of_twin->outcome)) {
                leave(one, twin);
            }
        }
    }
}
