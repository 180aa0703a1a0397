/*
 * listing.c - the command `epconform list`: vectors, a line each, and testees.
 */
#include "epconform.h"
#include "run/testee.h"
#include "text/arguments.h"

#include <stdio.h>
#include <string.h>

static const char *or_dash(const char *text) {
    return text != NULL ? text : "-";
}

static void print_plain(const vector *v) {
    printf("%s\t%s\t%s\t%s\t%s\t%s\n", v->id, v->operation, or_dash(vector_text(v->line, "schema")),
           vector_text(v->line, "verdict"), or_dash(vector_text(v->line, "code")),
           or_dash(vector_clause(v->line)));
}

static int list_vectors(const places *p, const selection *chosen) {
    suite s;
    size_t count = 0;
    bool ok = suite_read(p, &s);
    for (size_t i = 0; ok && i < s.count; i++) {
        if (selection_has(chosen, &s.vectors[i])) {
            print_plain(&s.vectors[i]);
            count++;
        }
    }
    suite_free(&s);
    if (ok && count == 0) {
        fputs("epconform: no vector is chosen\n", stderr);
    }
    return fflush(stdout) == 0 && count > 0 ? STATUS_GOOD : STATUS_TROUBLE;
}

int list_main(char **argv) {
    places p = places_default();
    selection chosen = {.shards = 1};
    bool testees = false;
    const argument known[] = {
        {.name = "--filter", .list = &chosen.filters},
        {.name = "--shard", .take = selection_shard, .into = &chosen},
        {.name = "--verdict", .take = selection_verdict, .into = &chosen},
        {.name = "--testees", .flag = &testees},
        PLACES_ARGUMENTS(p),
        {.name = NULL},
    };
    int status = STATUS_USAGE;
    if (arguments_alone(argv, known)) {
        status = !testees          ? list_vectors(&p, &chosen)
                 : testee_list(&p) ? STATUS_GOOD
                                   : STATUS_TROUBLE;
    }
    words_free(&chosen.filters);
    places_free(&p);
    return status;
}
