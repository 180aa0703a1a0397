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
#include "common/safe.h"
#include "findings.h"

static const char *level_text(ep_code code) {
    const char *level = diag_level(code);
    return level != NULL ? level : "-";
}

/* --------------------------------------------------------------------- text */

static void put_lines(buffer *b, const char *text) {
    while (*text != '\0') {
        size_t size = strcspn(text, "\n");
        print(b, "  %t\n", (ep_bytes){text, size});
        text += size + (text[size] == '\n');
    }
}

static void put_explanation(buffer *b, const explanation *e, bool color) {
    print(b, "%z%s%Z: %s\nSPEC %s", color, STYLE_HEADING, ep_code_name(e->code),
          ep_code_message(e->code), ep_code_clause(e->code));
    if (ep_code_level(e->code) != EP_LEVEL_NONE) {
        print(b, ", %s level", level_text(e->code));
    }
    buffer_text(b, "\n\n");
    put_lines(b, e->meaning);
    if (e->where == NULL) {
        return;
    }
    print(b, "\nIn %s, %zbad%Z:\n\n", e->where, color, STYLE_ERROR);
    put_lines(b, e->bad);
    print(b, "%z\ngood%Z:\n\n", color, STYLE_TYPE);
    put_lines(b, e->good);
}

static void put_finding(buffer *b, ep_audit_id id, bool color) {
    print(b, "%z%s%Z: %s\nSPEC %s, severity %s\n\n", color, STYLE_HEADING, ep_audit_name(id),
          ep_audit_title(id), ep_audit_clause(id), findings_severity(ep_audit_severity(id)));
    put_lines(b, explanation_of_finding(id));
}

static void put_row(buffer *b, const char *name, const char *level, const char *clause,
                    const char *message) {
    enum { LEVEL = 24, CLAUSE = 33, MESSAGE = 41 };
    print(b, "%s%p%s%p%s%p%s\n", name, LEVEL, level, CLAUSE, clause, MESSAGE, message);
}

static void put_table(buffer *b, bool color) {
    style_put(b, color, STYLE_HEADING);
    put_row(b, "CODE", "LEVEL", "CLAUSE", "MESSAGE");
    style_put(b, color, STYLE_PLAIN);
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        ep_code code = ep_code_at(i);
        put_row(b, ep_code_name(code), level_text(code), ep_code_clause(code),
                ep_code_message(code));
    }
    for (int i = EP_AUDIT_NONE + 1; i < EP_AUDIT_COUNT; i++) {
        ep_audit_id id = (ep_audit_id)i;
        put_row(b, ep_audit_name(id), findings_severity(ep_audit_severity(id)), ep_audit_clause(id),
                ep_audit_title(id));
    }
}

/* --------------------------------------------------------------------- JSON */

static json *explanation_object(ep_code code) {
    const explanation *e = explanation_of(code);
    json *object = json_make("code:s number:n clause:s level:s message:s", ep_code_name(code),
                             (size_t)code, ep_code_clause(code),
                             ep_code_level(code) ? level_text(code) : NULL, ep_code_message(code));
    if (e != NULL) {
        json_members(object, "meaning:j where:s bad:s good:s", json_unbroken(e->meaning), e->where,
                     e->bad, e->good);
    }
    return object;
}

static json *finding_object(ep_audit_id id) {
    return json_make("code:s clause:s severity:s message:s meaning:j", ep_audit_name(id),
                     ep_audit_clause(id), findings_severity(ep_audit_severity(id)),
                     ep_audit_title(id), json_unbroken(explanation_of_finding(id)));
}

static json *all_objects(void) {
    json *list = json_array();
    for (size_t i = 0; ep_code_at(i) != EP_OK; i++) {
        json_append(list, explanation_object(ep_code_at(i)));
    }
    for (int i = EP_AUDIT_NONE + 1; i < EP_AUDIT_COUNT; i++) {
        json_append(list, finding_object((ep_audit_id)i));
    }
    return list;
}

/* ------------------------------------------------------------------- command */

/* Without a word all codes and findings. False: the word is none of them. */
static bool put_answer(const options *o, const char *word, buffer *b) {
    bool color = style_on_output(o);
    ep_code code = word == NULL ? EP_OK : code_named(word);
    ep_audit_id finding = word == NULL ? EP_AUDIT_NONE : audit_named(word);
    if (o->json && (word == NULL || code != EP_OK || finding != EP_AUDIT_NONE)) {
        json_put(b, word == NULL    ? all_objects()
                    : code != EP_OK ? explanation_object(code)
                                    : finding_object(finding));
    } else if (word == NULL) {
        put_table(b, color);
    } else if (code != EP_OK) {
        put_explanation(b, explanation_of(code), color);
    } else if (finding != EP_AUDIT_NONE) {
        put_finding(b, finding, color);
    }
    return word == NULL || code != EP_OK || finding != EP_AUDIT_NONE;
}

status cmd_explain(const options *o) {
    buffer product = {0};
    buffer reason = {0};
    const char *word = o->operand_count > 0 ? o->operands[0] : NULL;
    if (put_answer(o, word, &product)) {
        return command_finish(o, &product, STATUS_DONE);
    }
    buffer_text(&reason, "no such code");
    codes_put_nearest(&reason, word, true);
    return diag_fail_word(o, word, &reason);
}
