/*
 * linting.c - the command `epconform lint`: what a run relies on, said of all
 * vectors before any is run.
 */
#include "epconform.h"
#include "run/judging.h"
#include "text/arguments.h"

#include <stdio.h>
#include <string.h>

static size_t complain(const vector *v, const char *what) {
    printf("%s: %s\n", v->id, what);
    return 1;
}

static bool is_verdict(const char *text) {
    return strcmp(text, "valid") == 0 || strcmp(text, "invalid") == 0 ||
           strcmp(text, "implementation-defined") == 0;
}

/* A product belongs to a valid vector of an operation that makes one. */
static size_t lint_product(const vector *v) {
    bool valid = strcmp(vector_text(v->line, "verdict"), "valid") == 0;
    bool wanted = valid && operation_has_product(v->operation);
    bool has = cJSON_HasObjectItem(v->line, "product");
    if (wanted == has) {
        return 0;
    }
    return complain(v, wanted ? "a product is missing" : "a product where none belongs");
}

static size_t lint_words(const vector *v) {
    const char *said = vector_text(v->line, "verdict");
    size_t count = 0;
    if (!operation_known(v->operation)) {
        count += complain(v, "an operation that nobody knows");
    }
    if (!is_verdict(said)) {
        count += complain(v, "a verdict that is none");
    }
    if (strcmp(said, "valid") != 0 && vector_text(v->line, "code") == NULL) {
        count += complain(v, "no code");
    }
    if (vector_clause(v->line) == NULL) {
        count += complain(v, "no clause");
    }
    return count + lint_product(v);
}

/* The bytes: references lead somewhere, changes are within bounds, files there;
 * and the place that is named is in the document. */
static size_t lint_bytes(const vector *v) {
    task t = {0};
    size_t count = 0;
    if (!task_make(&t, v)) {
        count += complain(v, "its bytes cannot be made");
    } else if (vector_size(v->line, "offset", 0) > t.document.size) {
        count += complain(v, "an offset behind the document's end");
    }
    task_free(&t);
    return count;
}

static size_t lint_links(const suite *s, const vector *v) {
    static const char *const keys[] = {"twin", "base", "other", "same_as", "different_from"};
    size_t count = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *id = vector_text(v->line, keys[i]);
        if (id != NULL && suite_find(s, id) == NULL) {
            printf("%s: %s: there is no %s\n", v->id, keys[i], id);
            count++;
        }
    }
    return count;
}

static int lint(const places *p) {
    suite s;
    size_t count = 0;
    bool ok = suite_read(p, &s);
    for (size_t i = 0; ok && i < s.count; i++) {
        const vector *v = &s.vectors[i];
        count += lint_words(v) + lint_links(&s, v) + lint_bytes(v);
    }
    if (ok) {
        printf("%zu vectors, %zu findings\n", s.count, count);
    }
    suite_free(&s);
    return !ok ? STATUS_TROUBLE : count > 0 ? STATUS_FAILURES : STATUS_GOOD;
}

int lint_main(char **argv) {
    places p = places_default();
    const argument known[] = {PLACES_ARGUMENTS(p), {.name = NULL}};
    int status = arguments_alone(argv, known) ? lint(&p) : STATUS_USAGE;
    places_free(&p);
    return status;
}
