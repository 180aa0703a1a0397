/*
 * run/summary.c - see terminal.h.
 */
#include "run/terminal.h"

#include "run/twins.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKING_SHOWN = 10, GROUPS_SHOWN = 30, CHANGES_SHOWN = 10 };

const char *terminal_paint(const terminal *t, const char *color) {
    return t->color ? color : "";
}

/* ------------------------------------------------------------------ blocking */

static void print_one_blocking(const terminal *t, const blocking *each) {
    const result *one = each->result;
    fprintf(t->out, "%6s hidden: %s (%s): %s", with_commas(each->hidden), one->vector->id,
            one->vector->operation, one->detail != NULL ? one->detail : outcome_name(one->outcome));
    if (one->message != NULL && one->message[0] != '\0') {
        fprintf(t->out, " -- %s", one->message);
    }
    fputs("\n", t->out);
}

/* What is often meant well: one function that judges everything. */
static void print_hint(const terminal *t, const blocking_list *list) {
    bool has_decode = false;
    for (size_t i = 0; i < list->count; i++) {
        const result *one = list->items[i].result;
        has_decode = has_decode || (one->outcome == OUTCOME_REFUSED &&
                                    strcmp(one->vector->operation, "decode") == 0);
    }
    if (has_decode) {
        fputs("       decode is about the types of the schema alone, SPEC part 3. A reader that "
              "judges whole programs names check, not decode: twins of check are valid at every "
              "level\n",
              t->out);
    }
}

/* What an author mends first. */
static void print_blocking(const terminal *t, const run *r) {
    blocking_list list = run_find_blocking(r);
    if (list.hidden > 0) {
        fprintf(
            t->out,
            "%sBLOCKED%s: %s refusal%s nothing: the valid twin of the document is refused, too. "
            "Mend these first:\n",
            terminal_paint(t, RED), terminal_paint(t, PLAIN), with_commas(list.hidden),
            list.hidden == 1 ? " shows" : "s show");
        for (size_t i = 0; i < list.count && i < BLOCKING_SHOWN; i++) {
            print_one_blocking(t, &list.items[i]);
        }
        if (list.count > BLOCKING_SHOWN) {
            fprintf(t->out, "%6s more such documents\n", with_commas(list.count - BLOCKING_SHOWN));
        }
        print_hint(t, &list);
    }
    free(list.items);
}

/* -------------------------------------------------------------------- groups */

static void print_skipped(const terminal *t, const run *r) {
    size_t why[SKIP_COUNT];
    run_count_skips(r, why);
    for (int i = SKIP_NONE + 1; i < SKIP_COUNT; i++) {
        if (why[i] > 0) {
            fprintf(t->out, "%s: %s of %s\n", skip_words((skip)i), with_commas(why[i]),
                    with_commas(r->count));
        }
    }
}

/* A cause, and the failures by it. */
typedef struct cause_count {
    const cause *cause;
    size_t place; /* in its file */
    size_t count;
} cause_count;

static int compare_causes(const void *left, const void *right) {
    const cause_count *a = left;
    const cause_count *b = right;
    int by_count = (a->count < b->count) - (a->count > b->count);
    return by_count != 0 ? by_count : (a->place > b->place) - (a->place < b->place);
}

/* The causes that took any, the largest first; their number in *count. */
static cause_count *count_causes(const run *r, size_t *count) {
    const expected *e = r->expected;
    cause_count *all = memory_take(e->cause_count, sizeof *all);
    *count = 0;
    for (size_t i = 0; i < e->cause_count; i++) {
        cause_count one = {e->causes[i], i, 0};
        for (size_t k = 0; k < r->count; k++) {
            one.count += r->results[k].cause == one.cause;
        }
        if (one.count > 0) {
            all[(*count)++] = one;
        }
    }
    if (*count > 0) {
        qsort(all, *count, sizeof *all, compare_causes);
    }
    return all;
}

static void print_rest(const terminal *t, size_t failures, const char *what, size_t groups) {
    if (failures > 0) {
        fprintf(t->out, "%6s %s, in %zu more groups (--verbose)\n", with_commas(failures), what,
                groups);
    }
}

static void print_causes(const terminal *t, const run *r) {
    size_t count;
    size_t rest = 0;
    cause_count *all = count_causes(r, &count);
    size_t shown = t->verbose || count <= GROUPS_SHOWN ? count : GROUPS_SHOWN;
    for (size_t i = 0; i < count; i++) {
        const cause *c = all[i].cause;
        if (i < shown) {
            fprintf(t->out, "%6s expected, %s: %s: %s\n", with_commas(all[i].count),
                    outcome_name(c->outcome), c->name, c->reason);
        } else {
            rest += all[i].count;
        }
    }
    print_rest(t, rest, "expected", count - shown);
    free(all);
}

static void print_group(const terminal *t, const tally_group *g) {
    fprintf(t->out, "%6s %sunexpected%s, %s", with_commas(g->count), terminal_paint(t, RED),
            terminal_paint(t, PLAIN), outcome_name(g->outcome));
    if (g->code[0] != '\0' || g->clause[0] != '\0') {
        bool both = g->code[0] != '\0' && g->clause[0] != '\0';
        fprintf(t->out, ": %s%s%s", g->code,
                both                   ? ", SPEC "
                : g->clause[0] != '\0' ? "SPEC "
                                       : "",
                g->clause);
    }
    if (g->said[0] != '\0') {
        strbuf b = {NULL, 0, 0};
        size_t size = strlen(g->said);
        strbuf_clean(&b, g->said, size < TALLY_SAID ? size : TALLY_SAID);
        fprintf(t->out, ": %s%s", strbuf_string(&b), size > TALLY_SAID ? "..." : "");
        strbuf_free(&b);
    }
    fprintf(t->out, ", such as %s\n", g->first->id);
}

static void print_groups(const terminal *t, const run *r) {
    tally all = tally_of(r);
    size_t shown = t->verbose || all.count <= GROUPS_SHOWN ? all.count : GROUPS_SHOWN;
    size_t rest = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (i < shown) {
            print_group(t, &all.groups[i]);
        } else {
            rest += all.groups[i].count;
        }
    }
    print_rest(t, rest, "unexpected", all.count - shown);
    tally_free(&all);
}

/* ------------------------------------------------------------------- changes */

static const char *change_word(change c) {
    return c == CHANGE_FIXED ? "FIXED" : c == CHANGE_OTHER ? "CHANGED" : "GONE";
}

/* The entries of one cause and change: the first ones, and how many more. */
static void print_change(const terminal *t, const run *r, const cause *cause_of, change what) {
    size_t count = 0;
    const char *color = terminal_paint(t, what == CHANGE_FIXED ? GREEN : RED);
    const char *plain = terminal_paint(t, PLAIN);
    for (size_t i = 0; i < r->expected->count; i++) {
        const entry *e = &r->expected->entries[i];
        bool is_one = e->change == what && e->cause == cause_of;
        if (is_one && (count < CHANGES_SHOWN || t->verbose)) {
            fprintf(t->out, "%s%s%s: %s (%s): %s\n", color, change_word(what), plain, e->id,
                    cause_of->name, e->stale);
        }
        count += is_one;
    }
    if (count > CHANGES_SHOWN && !t->verbose) {
        fprintf(t->out, "%s%s%s: %zu more (%s)\n", color, change_word(what), plain,
                count - CHANGES_SHOWN, cause_of->name);
    }
}

static void print_changes(const terminal *t, const run *r) {
    static const change order[] = {CHANGE_FIXED, CHANGE_OTHER, CHANGE_GONE};
    counts c = run_count(r);
    for (size_t i = 0; c.stale > 0 && i < sizeof order / sizeof order[0]; i++) {
        for (size_t k = 0; k < r->expected->cause_count; k++) {
            print_change(t, r, r->expected->causes[k], order[i]);
        }
    }
    if (t->baseline != NULL && r->expected->count > 0) {
        fprintf(t->out, "against %s: %s new, %s fixed, %s changed, %s gone\n", t->baseline,
                with_commas(c.unexpected - c.changed), with_commas(c.fixed), with_commas(c.changed),
                with_commas(c.stale - c.fixed - c.changed));
    }
}

/* ------------------------------------------------------------------ verdicts */

/* What is to be accepted, refused, or either: three sums, as no one of them makes up
 * for another. */
static void print_verdict(const terminal *t, const run *r, const char *verdict, const char *words) {
    size_t shown = 0;
    size_t passed = 0;
    size_t hidden = 0;
    for (size_t i = 0; i < r->count; i++) {
        const result *one = &r->results[i];
        if (one->done && strcmp(vector_text(one->vector->line, "verdict"), verdict) == 0) {
            shown += one->outcome != OUTCOME_SKIPPED;
            passed += one->outcome == OUTCOME_PASS;
            hidden += one->outcome == OUTCOME_SKIPPED && one->skip == SKIP_TWIN;
        }
    }
    if (shown + hidden > 0) {
        fprintf(t->out, "%s%s of %s passed", words, with_commas(passed), with_commas(shown));
        if (hidden > 0) {
            fprintf(t->out, "; %s more show nothing", with_commas(hidden));
        }
        fputs("\n", t->out);
    }
}

/* "7 passed, 0 expected failures, 0 unexpected, 0 stale; 2 not run" */
static void print_total(const terminal *t, const run *r) {
    counts c = run_count(r);
    bool good = c.unexpected == 0 && c.stale == 0 && r->complete;
    fprintf(t->out, "%s%s: %s of %s vectors run: ", terminal_paint(t, good ? GREEN : RED),
            r->testee->id, with_commas(r->count - c.skipped + c.void_ones - c.missing),
            with_commas(r->count));
    fprintf(t->out, "%s passed, %s expected failure%s, %s unexpected, %s stale; %s not run",
            with_commas(c.passed), with_commas(c.expected), c.expected == 1 ? "" : "s",
            with_commas(c.unexpected), with_commas(c.stale), with_commas(c.skipped - c.void_ones));
    if (c.void_ones > 0) {
        fprintf(t->out, ", %s refused as their valid twins are", with_commas(c.void_ones));
    }
    if (c.missing > 0) {
        fprintf(t->out, "; incomplete, %s without a result", with_commas(c.missing));
    }
    fprintf(t->out, " (%.1f s)%s\n", r->seconds, terminal_paint(t, PLAIN));
}

void summary_print(const terminal *t, const run *r) {
    if (!t->quiet) {
        print_blocking(t, r);
        print_skipped(t, r);
        print_causes(t, r);
        print_groups(t, r);
        print_changes(t, r);
        print_verdict(t, r, "valid", "to be accepted: ");
        print_verdict(t, r, "invalid", "to be refused: ");
        print_verdict(t, r, "implementation-defined", "either way: ");
    }
    print_total(t, r);
    fflush(t->out);
}
