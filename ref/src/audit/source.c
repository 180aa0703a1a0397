/*
 * audit/source.c - strings that become Python source: expressions, names and guards
 * (SPEC 9.2). A text that is well-formed in a closed language can do only what the
 * language allows. For any other text the worst possible effect is reported.
 */
#include "audit/audit.h"

#include "language/expression.h"
#include "language/guard.h"

/* The depth of what stands inside a string, as of a document. */
enum { DEPTH_MAX = 1000 };

/* ---------------------------------------------------------------- expressions */

static bool parse_expression(ep_auditor *auditor, const ep_passage *passage, bool srepr,
                             const ep_expression **expression, ep_fault *fault) {
    ep_expression_options options = {
        .form = srepr ? EP_EXPRESSION_SREPR : EP_EXPRESSION_INFIX,
        .any_sort = true,
        .depth = DEPTH_MAX,
    };
    return ep_expression_parse(auditor->arena, passage, &options, expression, fault);
}

/* SPEC 9.2.1. Every reader takes both forms, whatever its release writes. */
bool ep_audit_expression(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
    const ep_expression *expression = NULL;
    ep_fault fault = {.code = EP_OK};
    bool costly = false;
    bool srepr = auditor->version >= EP_V8_2;
    if (!parse_expression(auditor, passage, srepr, &expression, &fault)) {
        TRY(fault.code != EP_MEMORY);
        if (!parse_expression(auditor, passage, !srepr, &expression, &fault)) {
            TRY(fault.code != EP_MEMORY);
            ep_audit_tell(auditor, EP_AUDIT_EXPR, ref, passage->text,
                          "sympy.sympify evaluates what is no symbolic expression");
            return true;
        }
    }
    TRY(ep_audit_find_cost(auditor->arena, expression, &costly));
    if (costly) { /* SPEC 9.2.2 */
        ep_audit_tell(auditor, EP_AUDIT_EXPR_COST, ref, passage->text,
                      "sympy computes a power, or multiplies a sum out, when it reads it");
    }
    return true;
}

/* ---------------------------------------------------------------------- names */

/* The bytes of a Python identifier. In source, a byte beyond ASCII is part of an
 * identifier or an error, and can do nothing else. */
static bool is_name(ep_bytes text) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        if (!letter && !ep_is_digit((char)c) && c != '_' && c < 0x80) {
            return false;
        }
    }
    return true;
}

/* Whether a text cannot leave its double quotes. */
static bool is_quotable(ep_bytes text) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < ' ' || c == '"' || c == '\\' || c == 0x7F) {
            return false;
        }
    }
    return true;
}

/* Whether a part of a dotted name is one of Python's own attributes. */
static bool has_own_attribute(ep_bytes text) {
    for (size_t i = 0; i + 1 < text.size; i++) {
        bool begins = i == 0 || text.data[i - 1] == '.';
        if (begins && text.data[i] == '_' && text.data[i + 1] == '_') {
            return true;
        }
    }
    return false;
}

bool ep_audit_name_is_plain(ep_look look, ep_bytes text) {
    return look == EP_LOOK_NAME ? is_name(text) : is_quotable(text) && !has_own_attribute(text);
}

/* SPEC 9.2.3, 9.3.6 */
void ep_audit_name_text(ep_auditor *auditor, ep_look look, ep_ref ref, ep_bytes text) {
    if (ep_audit_name_is_plain(look, text)) {
        return;
    }
    if (look == EP_LOOK_NAME) {
        ep_audit_tell(auditor, EP_AUDIT_NAME, ref, text,
                      "torch.fx writes it into the source of forward, which is executed");
    } else if (is_quotable(text)) {
        ep_audit_tell(auditor, EP_AUDIT_METADATA, ref, text,
                      "the module is walked to there, past its own attributes");
    } else {
        ep_audit_tell(auditor, EP_AUDIT_NAME, ref, text,
                      "torch.fx writes it into source between quotes that it can close");
    }
}

/* Whether a path in a stack of modules has one: the second of three fields with commas
 * between, outside of brackets, in entries with semicolons between; to release 2.1 the
 * first in the parentheses. */
static bool is_walked_past(ep_bytes text, bool old) {
    size_t start = 0;
    size_t field = 0;
    ptrdiff_t depth = 0;
    for (size_t i = 0; i <= text.size; i++) {
        char c = i < text.size ? text.data[i] : ';';
        bool opens = old && field == 0 && c == '(';
        if (c == ';' || opens || (c == ',' && (old || depth == 0))) {
            if (field == 1 && has_own_attribute((ep_bytes){text.data + start, i - start})) {
                return true;
            }
            field = c == ';' ? 0 : field + 1;
            start = i + 1;
        }
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        depth = c == ';' ? 0 : depth;
    }
    return false;
}

/* SPEC 9.2.3, 9.3.6: a stack of modules, whose paths become such names when the module is
 * unflattened. */
void ep_audit_stack(ep_auditor *auditor, ep_ref ref, ep_bytes text) {
    if (!is_quotable(text)) {
        ep_audit_tell(auditor, EP_AUDIT_NAME, ref, text,
                      "torch.export.unflatten writes its paths into source between quotes");
    } else if (is_walked_past(text, auditor->version <= EP_V1)) {
        ep_audit_tell(auditor, EP_AUDIT_METADATA, ref, text,
                      "torch.export.unflatten walks its paths from the module");
    }
}

/* SPEC 9.2.4: a value that is written into a guard between single quotes, and the guard
 * into its message between double ones. */
void ep_audit_guarded_text(ep_auditor *auditor, ep_ref ref, ep_bytes text) {
    bool plain = is_quotable(text);
    for (size_t i = 0; plain && i < text.size; i++) {
        plain = text.data[i] != '\'';
    }
    if (!plain) {
        ep_audit_tell(auditor, EP_AUDIT_GUARD, ref, text,
                      "ExportedProgram.module writes it into a guard between quotes");
    }
}

/* SPEC 9.2.2, 9.2.4, 9.2.5 */
bool ep_audit_guard(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
    const ep_guard *guard;
    ep_fault fault = {.code = EP_OK};
    bool judged = ep_guard_parse(auditor->arena, passage, DEPTH_MAX, &guard, &fault);
    TRY(judged || fault.code != EP_MEMORY);
    if (!judged || !is_quotable(passage->text)) { /* its message stands between quotes */
        ep_audit_tell(auditor, EP_AUDIT_GUARD, ref, passage->text,
                      "ExportedProgram.module executes what is no guard");
    } else if (ep_audit_guard_is_costly(guard)) {
        ep_audit_tell(auditor, EP_AUDIT_EXPR_COST, ref, passage->text,
                      "the guard computes a power before the program runs");
    } else if (auditor->told[EP_AUDIT_GUARDED] == 0) {
        ep_audit_tell(auditor, EP_AUDIT_GUARDED, ref, passage->text,
                      "ExportedProgram.module makes a function of them");
    }
    return true;
}
