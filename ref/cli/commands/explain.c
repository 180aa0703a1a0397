/*
 * explain.c - epref explain: what a code or a finding means, from error.def and audit.def by
 * way of the library and from explanations.h.
 */
#include <string.h>

#include "cli/diag.h"
#include "cli/explain/explanations.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/style.h"
#include "cli/words.h"
#include "command.h"
#include "findings.h"

/* A code, or a finding. */
typedef struct topic {
    const char *name;
    const char *title;
    const char *clause;
    const char *grade; /* the level of a code, NULL: it has none; of a finding the severity */
    explanation said;  /* of a finding for EP_OK, and without snippets */
} topic;

/* Codes first. False: there are no more. */
static bool topic_at(size_t i, topic *t) {
    ep_code code = ep_code_at(i);
    size_t codes = 0;
    if (code != EP_OK) {
        *t = (topic){ep_code_name(code), ep_code_message(code), ep_code_clause(code),
                     diag_level(code), *explanation_of(code)};
        return true;
    }
    while (ep_code_at(codes) != EP_OK) {
        codes++;
    }
    ep_audit_id id = (ep_audit_id)(i - codes + 1);
    if (id < EP_AUDIT_COUNT) {
        *t = (topic){ep_audit_name(id),
                     ep_audit_title(id),
                     ep_audit_clause(id),
                     findings_severity(ep_audit_severity(id)),
                     {.meaning = explanation_of_finding(id)}};
    }
    return id < EP_AUDIT_COUNT;
}

/* --------------------------------------------------------------------- text */

static void put_lines(buffer *b, const char *text) {
    while (*text != '\0') {
        size_t size = strcspn(text, "\n");
        print(b, "  %t\n", (ep_bytes){text, size});
        text += size + (text[size] == '\n');
    }
}

static void put_topic(buffer *b, const topic *t, bool color) {
    const explanation *e = &t->said;
    print(b, "%z%s%Z: %s\nSPEC %s", color, STYLE_HEADING, t->name, t->title, t->clause);
    print(b,
          t->grade == NULL   ? "\n\n"
          : e->code != EP_OK ? ", %s level\n\n"
                             : ", severity %s\n\n",
          t->grade);
    put_lines(b, e->meaning);
    if (e->where != NULL) {
        print(b, "\nIn %s, %zbad%Z:\n\n", e->where, color, STYLE_ERROR);
        put_lines(b, e->bad);
        print(b, "%z\ngood%Z:\n\n", color, STYLE_TYPE);
        put_lines(b, e->good);
    }
}

static void put_row(buffer *b, bool color, const topic *t) {
    enum { LEVEL = 24, CLAUSE = 33, MESSAGE = 41 };
    style_put(b, color, STYLE_HEADING);
    print(b, "%s%p%s%p%s%p%s\n%z", t->name, LEVEL, t->grade != NULL ? t->grade : "-", CLAUSE,
          t->clause, MESSAGE, t->title, color, STYLE_PLAIN);
}

static json *topic_object(const topic *t) {
    const explanation *e = &t->said;
    bool coded = e->code != EP_OK;
    return json_make("code:s number:?n clause:s level:?s severity:?s message:s meaning:j where:?s "
                     "bad:?s good:?s",
                     t->name, coded, (size_t)e->code, t->clause, coded, t->grade, !coded, t->grade,
                     t->title, json_unbroken(e->meaning), coded, e->where, coded, e->bad, coded,
                     e->good);
}

/* ------------------------------------------------------------------- command */

static void put_all(const options *o, buffer *b) {
    static const topic head = {"CODE", "MESSAGE", "CLAUSE", "LEVEL", {.code = EP_OK}};
    topic t;
    json *list = o->json ? json_array() : NULL;
    if (!o->json) {
        put_row(b, style_on_output(o), &head);
    }
    for (size_t i = 0; topic_at(i, &t); i++) {
        if (o->json) {
            json_append(list, topic_object(&t));
        } else {
            put_row(b, false, &t);
        }
    }
    if (o->json) {
        json_put(b, list);
    }
}

status cmd_explain(const options *o) {
    buffer product = {0};
    buffer reason = {0};
    const char *word = o->operand_count > 0 ? o->operands[0] : NULL;
    topic t;
    size_t i = 0;
    bool known = word == NULL;
    while (!known && topic_at(i++, &t)) {
        known = is_named(t.name, word);
    }
    if (!known) {
        buffer_text(&reason, "no such code");
        codes_put_nearest(&reason, word, true);
        return diag_fail_word(o, word, &reason);
    }
    if (word == NULL) {
        put_all(o, &product);
    } else if (o->json) {
        json_put(&product, topic_object(&t));
    } else {
        put_topic(&product, &t, style_on_output(o));
    }
    return command_finish(o, &product, STATUS_DONE);
}
