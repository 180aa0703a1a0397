/*
 * run/records_text.c - see records.h: JUnit XML. Entries of the expected failures
 * that are none are tests of their own, and fail.
 */
#include "run/records.h"

#include <string.h>

static void put_xml(strbuf *b, const char *said) {
    strbuf clean = {NULL, 0, 0};
    strbuf_clean(&clean, said, strlen(said));
    for (const char *text = strbuf_string(&clean); *text != '\0'; text++) {
        const char *name = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if (name != NULL) {
            strbuf_text(b, name);
        } else {
            strbuf_put(b, text, 1);
        }
    }
    strbuf_free(&clean);
}

static void put_attribute(strbuf *b, const char *name, const char *text) {
    strbuf_format(b, " %s=\"", name);
    put_xml(b, text);
    strbuf_text(b, "\"");
}

static void put_complaint(strbuf *b, const result *one) {
    bool error = outcome_is_own(one->outcome);
    strbuf_text(b, error ? "<error" : "<failure");
    put_attribute(b, "type", outcome_name(one->outcome));
    put_attribute(b, "message", one->detail != NULL ? one->detail : "");
    strbuf_text(b, ">");
    put_xml(b, one->message != NULL ? one->message : "");
    strbuf_text(b, error ? "</error>" : "</failure>");
}

static void put_case(strbuf *b, const char *class, const char *name, double ms) {
    strbuf_text(b, "<testcase");
    put_attribute(b, "classname", class);
    put_attribute(b, "name", name);
    strbuf_format(b, " time=\"%.4f\">", ms / 1000);
}

static void put_skipped(strbuf *b, const result *one) {
    strbuf_text(b, "<skipped message=\"");
    if (one->cause != NULL) {
        strbuf_format(b, "expected failure, %s: ", outcome_name(one->outcome));
        put_xml(b, one->cause->name);
        strbuf_text(b, ": ");
        put_xml(b, one->cause->reason);
    } else {
        strbuf_text(b, skip_words(one->skip));
    }
    strbuf_text(b, "\"/>");
}

static void put_junit_result(strbuf *b, const result *one) {
    put_case(b, one->vector->operation, one->vector->id, one->ms);
    if (result_is_unexpected(one)) {
        put_complaint(b, one);
    } else if (one->outcome != OUTCOME_PASS) {
        put_skipped(b, one);
    }
    strbuf_text(b, "</testcase>\n");
}

static void put_junit_stale(strbuf *b, const run *r) {
    for (size_t i = 0; i < r->expected->count; i++) {
        const entry *e = &r->expected->entries[i];
        if (e->stale != NULL) {
            put_case(b, "expected failures", e->id, 0);
            strbuf_text(b, "<failure type=\"stale\"");
            put_attribute(b, "message", e->stale);
            strbuf_text(b, "/></testcase>\n");
        }
    }
}

/* What the testee was not asked is no test: how much of it there is, and why, stands in
 * properties. */
static bool is_asked(skip why) {
    return why == SKIP_NONE || why == SKIP_TWIN || why == SKIP_UNSUPPORTED;
}

static void put_junit_left_out(strbuf *b, const size_t why[SKIP_COUNT]) {
    strbuf_text(b, "<properties>\n");
    for (int i = 0; i < SKIP_COUNT; i++) {
        if (why[i] > 0 && !is_asked((skip)i)) {
            strbuf_format(b, "<property name=\"%s\" value=\"%zu\"/>\n", skip_words((skip)i),
                          why[i]);
        }
    }
    strbuf_text(b, "</properties>\n");
}

static size_t count_errors(const run *r) {
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        count += result_is_unexpected(&r->results[i]) && outcome_is_own(r->results[i].outcome);
    }
    return count;
}

void records_junit(const run *r, strbuf *b) {
    counts c = run_count(r);
    size_t why[SKIP_COUNT];
    run_count_skips(r, why);
    size_t errors = count_errors(r);
    size_t skipped = why[SKIP_TWIN] + why[SKIP_UNSUPPORTED] + c.expected;
    size_t tests = c.passed + c.unexpected + skipped + c.stale + !r->complete;
    strbuf_text(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite");
    put_attribute(b, "name", r->testee->id);
    strbuf_format(
        b, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", tests,
        c.unexpected - errors + c.stale, errors + !r->complete, skipped, r->seconds);
    put_junit_left_out(b, why);
    for (size_t i = 0; i < r->count; i++) {
        if (r->results[i].done && is_asked(r->results[i].skip)) {
            put_junit_result(b, &r->results[i]);
        }
    }
    put_junit_stale(b, r);
    if (!r->complete) {
        put_case(b, "epconform", "complete", 0);
        strbuf_format(
            b, "<error type=\"incomplete\" message=\"%zu vectors have no result\"/></testcase>\n",
            c.missing);
    }
    strbuf_text(b, "</testsuite>\n</testsuites>\n");
}
