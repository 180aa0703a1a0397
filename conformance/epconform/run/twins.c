/*
 * run/twins.c - see twins.h.
 */
#include "run/twins.h"

#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

const vector *twin_of(const suite *s, const vector *v) {
    const char *twin = vector_text(v->line, "twin");
    bool is_invalid = strcmp(vector_text(v->line, "verdict"), "invalid") == 0;
    return is_invalid && twin != NULL ? suite_find(s, twin) : NULL;
}

/* Whether this became of a twin that was shown and not accepted. */
static bool is_refused(const result *r) {
    outcome o = r->outcome;
    return r->done && (o == OUTCOME_REFUSED || outcome_is_own(o) ||
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

/* ----------------------------------------------------------------- blocking */

/* The valid twin, if it was refused with the code that the document has got, and that
 * is not the one that it should have: both may be refused for one reason. */
static const result *twin_of_one_code(const run *r, const result *one) {
    const vector *twin = one->outcome == OUTCOME_REASON ? twin_of(r->suite, one->vector) : NULL;
    const result *of_twin = twin != NULL ? run_find_twin(r, twin) : NULL;
    const char *code = vector_text(one->got, "code");
    const char *other = of_twin != NULL ? vector_text(of_twin->got, "code") : NULL;
    bool is_one = code != NULL && other != NULL && strcmp(code, other) == 0;
    return is_one && is_refused(of_twin) ? of_twin : NULL;
}

/* The document that one result is hidden by; NULL: there is none. */
static const result *hidden_by(const run *r, const result *one) {
    return one->outcome == OUTCOME_SKIPPED && one->skip == SKIP_TWIN
               ? run_find_twin(r, twin_of(r->suite, one->vector))
               : twin_of_one_code(r, one);
}

static int compare_blocking(const void *left, const void *right) {
    const blocking *a = left;
    const blocking *b = right;
    return a->hidden != b->hidden ? (a->hidden < b->hidden ? 1 : -1)
                                  : (a->result > b->result) - (a->result < b->result);
}

blocking_list run_find_blocking(const run *r) {
    size_t all = r->count + r->beside;
    blocking_list list = {memory_take(all, sizeof *list.items), 0, 0};
    for (size_t i = 0; i < r->count; i++) {
        const result *by = r->results[i].done ? hidden_by(r, &r->results[i]) : NULL;
        if (by != NULL) {
            list.items[by - r->results].hidden++;
            list.hidden++;
        }
    }
    for (size_t i = 0; i < all; i++) {
        if (list.items[i].hidden > 0) {
            list.items[list.count++] = (blocking){&r->results[i], list.items[i].hidden};
        }
    }
    if (list.count > 0) {
        qsort(list.items, list.count, sizeof *list.items, compare_blocking);
    }
    return list;
}
