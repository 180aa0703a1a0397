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

/* A term that is being visited. */
typedef struct costing {
    const ep_term *term;
    size_t next;   /* argument */
    bool symbolic; /* a symbol stands in an argument before it */
} costing;

EP_STACK_OF(costings, costing);

static bool is_power(const ep_term *term) {
    ep_function function = (ep_function)term->function;
    return term->kind == EP_TERM_CALL &&
           (function == EP_FUNCTION_Pow || function == EP_FUNCTION_PowByNatural ||
            function == EP_FUNCTION_FloatPow || function == EP_FUNCTION_LShift);
}

static size_t arguments_of(const ep_term *term) {
    bool inner = term->kind == EP_TERM_CALL || term->kind == EP_TERM_GROUP ||
                 term->kind == EP_TERM_NEGATIVE || term->kind == EP_TERM_QUOTIENT;
    return inner ? term->number : 0;
}

/* Whether an exponent makes a number of more than some hundred thousand bits likely: one
 * of five digits, or one that has to be computed itself. Neither a sign nor parentheses
 * around an integer are. */
static bool is_large(const ep_term *exponent) {
    enum { DIGITS = 4 };
    while (exponent->kind == EP_TERM_GROUP || exponent->kind == EP_TERM_NEGATIVE) {
        exponent = exponent->arguments[0];
    }
    if (exponent->kind != EP_TERM_INTEGER) {
        return exponent->kind == EP_TERM_CALL;
    }
    ep_bytes digits = ep_term_text(exponent);
    return digits.size - (digits.data[0] == '-' ? 1 : 0) > DIGITS;
}

/* SPEC 9.2.2: whether the expression contains a power of constants alone, which sympy
 * computes on reading. */
static bool find_cost(costings *stack, const ep_term *root, bool *costly) {
    *costly = false;
    TRY(costings_push(stack, (costing){.term = root}));
    while (stack->count > 0 && !*costly) {
        costing *top = costings_top(stack);
        const ep_term *term = top->term;
        if (top->next < arguments_of(term)) {
            TRY(costings_push(stack, (costing){.term = term->arguments[top->next++]}));
            continue;
        }
        bool symbolic = top->symbolic || term->kind == EP_TERM_SYMBOL;
        *costly = !symbolic && is_power(term) && is_large(term->arguments[1]);
        stack->count--;
        if (stack->count > 0 && symbolic) {
            costings_top(stack)->symbolic = true;
        }
    }
    return true;
}

/* SPEC 9.2.1. Every reader takes both forms, whatever its release writes. */
bool ep_audit_expression(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
    const ep_expression *expression = NULL;
    ep_fault fault = {.code = EP_OK};
    bool costly = false;
    costings stack;
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
    costings_init(&stack, auditor->arena);
    bool ok = find_cost(&stack, expression->root, &costly);
    costings_free(&stack);
    if (costly) {
        ep_audit_tell(auditor, EP_AUDIT_EXPR_COST, ref, passage->text,
                      "sympy computes a power of constants when it reads it");
    }
    return ok;
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

bool ep_audit_name_is_plain(ep_look look, ep_bytes text) {
    return look == EP_LOOK_NAME ? is_name(text) : is_quotable(text);
}

/* SPEC 9.2.3 */
void ep_audit_name_text(ep_auditor *auditor, ep_look look, ep_ref ref, ep_bytes text) {
    if (!ep_audit_name_is_plain(look, text)) {
        ep_audit_tell(auditor, EP_AUDIT_NAME, ref, text,
                      look == EP_LOOK_NAME
                          ? "torch.fx writes it into the source of forward, which is executed"
                          : "torch.fx writes it into source between quotes that it can close");
    }
}

/* SPEC 9.2.4, 9.2.5 */
bool ep_audit_guard(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
    const ep_guard *guard;
    ep_fault fault = {.code = EP_OK};
    bool judged = ep_guard_parse(auditor->arena, passage, DEPTH_MAX, &guard, &fault);
    TRY(judged || fault.code != EP_MEMORY);
    if (!judged || !is_quotable(passage->text)) { /* its message stands between quotes */
        ep_audit_tell(auditor, EP_AUDIT_GUARD, ref, passage->text,
                      "ExportedProgram.module executes what is no guard");
    } else if (auditor->told[EP_AUDIT_GUARDED] == 0) {
        ep_audit_tell(auditor, EP_AUDIT_GUARDED, ref, passage->text,
                      "ExportedProgram.module makes a function of them");
    }
    return true;
}
