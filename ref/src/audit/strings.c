/*
 * audit/strings.c - what a loader does with each kind of string (SPEC 9.2, 9.3, 9.5). A
 * text that is well-formed in a closed language can do only what the language allows.
 * For any other text the worst possible effect is reported.
 */
#include "audit/audit.h"

#include "language/expression.h"
#include "language/guard.h"
#include "language/target.h"

/* The depth of what stands inside a string, as of a document. */
enum { DEPTH_MAX = 1000 };

static bool starts_with(ep_bytes text, const char *prefix) {
    ep_bytes start = ep_text_of(prefix);
    return text.size >= start.size && memcmp(text.data, prefix, start.size) == 0;
}

static bool is_any_of(ep_bytes text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (ep_text_equal(text, ep_text_of(words[i]))) {
            return true;
        }
    }
    return false;
}

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

/* Whether an exponent makes a number of more than some hundred thousand bits
 * likely: one of five digits, or one that has to be computed itself. */
static bool is_large(const ep_term *exponent) {
    enum { DIGITS = 4 };
    return exponent->kind == EP_TERM_CALL || exponent->kind == EP_TERM_GROUP ||
           (exponent->kind == EP_TERM_INTEGER && exponent->size > DIGITS);
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
static bool audit_expression(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
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

/* SPEC 9.2.3 */
void ep_audit_name_text(ep_auditor *auditor, ep_look look, ep_ref ref, ep_bytes text) {
    if (look == EP_LOOK_NAME && !is_name(text)) {
        ep_audit_tell(auditor, EP_AUDIT_NAME, ref, text,
                      "torch.fx writes it into the source of forward, which is executed");
    }
    if (look == EP_LOOK_ATTRIBUTE && !is_quotable(text)) {
        ep_audit_tell(auditor, EP_AUDIT_NAME, ref, text,
                      "torch.fx writes it into source between quotes that it can close");
    }
}

/* SPEC 9.2.4, 9.2.5 */
static bool audit_guard(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
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

/* -------------------------------------------------------------------- targets */

#define OWN(ns) #ns,
static const char *const own[] = {
#include "audit/audit.def"
};
#define NO_NAMESPACE(name) #name,
static const char *const no_namespaces[] = {
#include "audit/audit.def"
};
#define DUNDER(name) #name,
static const char *const dunders[] = {
#include "audit/audit.def"
};
#define CARRIER(name) #name,
static const char *const carriers[] = {
#include "audit/audit.def"
};
#define OPENS(ns, name) {#ns, #name},
static const char *const openers[][2] = {
#include "audit/audit.def"
};

/* Whether the loader begins to resolve a text, which it decides by the beginning of the
 * text. */
static bool is_resolved(ep_bytes text) {
    return starts_with(text, "torch") || starts_with(text, "_operator") ||
           starts_with(text, "math");
}

/* Whether the parts of an overload's target differ from the names of Python's own
 * attributes of torch.ops. */
static bool is_plain(const ep_target *target) {
    return !is_any_of(target->ns, no_namespaces, EP_COUNT_OF(no_namespaces)) &&
           !starts_with(target->ns, "__") && !starts_with(target->overload, "__") &&
           (!starts_with(target->name, "__") ||
            is_any_of(target->name, dunders, EP_COUNT_OF(dunders)));
}

static bool opens_file(const ep_target *target) {
    for (size_t i = 0; i < EP_COUNT_OF(openers); i++) {
        if (ep_text_equal(target->ns, ep_text_of(openers[i][0])) &&
            ep_text_equal(target->name, ep_text_of(openers[i][1]))) {
            return true;
        }
    }
    return false;
}

/* An operator that is one. SPEC 9.3.2, 9.3.3, 9.3.5 */
static void audit_operator(ep_auditor *auditor, ep_ref ref, ep_bytes text,
                           const ep_target *target) {
    if (target->kind == EP_TARGET_HIGHER_ORDER &&
        is_any_of(target->name, carriers, EP_COUNT_OF(carriers))) {
        ep_audit_tell(auditor, EP_AUDIT_CARRIER, ref, text,
                      "a kernel or a compiled part that the reading process has runs with it");
    }
    if (target->kind != EP_TARGET_OVERLOAD) {
        return;
    }
    if (opens_file(target)) {
        ep_audit_tell(auditor, EP_AUDIT_OPENS, ref, text, "an argument names the file");
    } else if (!is_any_of(target->ns, own, EP_COUNT_OF(own))) {
        ep_audit_tell(auditor, EP_AUDIT_LIBRARY, ref, text,
                      "the library that registers it has to be loaded");
    }
}

/* Whether a row of any version has this target. */
static bool is_listed(ep_bytes text, ep_target *target) {
    const ep_target_row *row;
    for (size_t i = 0; (row = ep_target_row_at(i)) != NULL; i++) {
        if (ep_text_equal(text, (ep_bytes){row->text, row->size})) {
            *target = (ep_target){.kind = (ep_target_kind)row->kind, .row = row};
            size_t start = (size_t)row->module_size + 1;
            target->name = (ep_bytes){row->text + start, row->size - start};
            return true;
        }
    }
    return false;
}

/* SPEC 9.3.1, 9.3.4 */
static bool audit_target(ep_auditor *auditor, ep_ref ref, const ep_passage *passage) {
    ep_bytes text = passage->text;
    ep_target target;
    ep_fault fault = {.code = EP_OK};
    if (starts_with(text, "#") || starts_with(text, "$")) {
        ep_audit_tell(auditor, EP_AUDIT_EXTENSION, ref, text,
                      "a registered handler makes an operator of the rest");
        return true;
    }
    bool known = is_listed(text, &target);
    if (!known && ep_target_parse(passage, auditor->version, &target, &fault)) {
        known = EP_NEVER(target.kind != EP_TARGET_OVERLOAD) || /* others are listed */
                is_plain(&target);
    }
    if (known) {
        audit_operator(auditor, ref, text, &target);
    } else if (is_resolved(text)) {
        ep_audit_tell(auditor, EP_AUDIT_TARGET, ref, text,
                      "the loader walks there by getattr, and makes a node that calls it");
    }
    return true;
}

/* ------------------------------------------------------------------- metadata */

/* A path to a function or class. SPEC 9.3.4, 9.3.6 */
static void audit_path(ep_auditor *auditor, ep_ref ref, ep_bytes path) {
    if (starts_with(path, "#")) {
        ep_audit_tell(auditor, EP_AUDIT_EXTENSION, ref, path,
                      "a registered handler makes an operator of the rest");
        return;
    }
    for (size_t i = 0; is_resolved(path) && i + 2 < path.size; i++) {
        if (memcmp(path.data + i, ".__", 3) == 0) {
            ep_audit_tell(auditor, EP_AUDIT_METADATA, ref, path,
                          "the loader walks there by getattr, and keeps what it finds");
            return;
        }
    }
}

/* Entries with semicolons between, each ending in a path after its last comma
 * and perhaps a closing parenthesis. */
static void audit_entries(ep_auditor *auditor, ep_ref ref, ep_bytes text) {
    size_t start = 0;
    for (size_t i = 0; i <= text.size; i++) {
        char c = i < text.size ? text.data[i] : ';';
        if (c == ',' || c == ';') {
            size_t end = c == ';' && i > start && text.data[i - 1] == ')' ? i - 1 : i;
            if (c == ';') {
                audit_path(auditor, ref, (ep_bytes){text.data + start, end - start});
            }
            start = i + 1;
        }
    }
}

/* SPEC 9.3.6. The class in nn_module_stack is text but to release 2.1. */
bool ep_audit_metadata(ep_auditor *auditor, ep_ref key, ep_ref value) {
    const char *input = auditor->input.data;
    bool resolved =
        ep_text_is(input, key, EP_TEXT("source_fn_stack")) ||
        ep_text_is(input, key, EP_TEXT("source_fn")) ||
        (auditor->version <= EP_V1 && ep_text_is(input, key, EP_TEXT("nn_module_stack")));
    return !resolved || ep_audit_string(auditor, EP_LOOK_METADATA, value);
}

/* -------------------------------------------------------------------- strings */

static bool audit_passage(ep_auditor *auditor, ep_look look, ep_ref ref,
                          const ep_passage *passage) {
    ep_bytes text = passage->text;
    switch (look) {
    case EP_LOOK_EXPRESSION:
        return audit_expression(auditor, ref, passage);
    case EP_LOOK_NAME:
    case EP_LOOK_ATTRIBUTE:
        ep_audit_name_text(auditor, look, ref, text);
        break;
    case EP_LOOK_GUARD:
        return audit_guard(auditor, ref, passage);
    case EP_LOOK_TARGET:
        return audit_target(auditor, ref, passage);
    case EP_LOOK_METADATA:
        audit_entries(auditor, ref, text);
        break;
    case EP_LOOK_TREESPEC:
        return ep_audit_treespec(auditor, ref, passage);
    case EP_LOOK_VERIFIER: /* SPEC 9.3.7 */
        if (!ep_verifier_known(text, auditor->version)) {
            ep_audit_tell(auditor, EP_AUDIT_VERIFIER, ref, text,
                          "the library that registers it has to be loaded");
        }
        break;
    case EP_LOOK_BLOB: /* SPEC 9.5.1 */
        ep_audit_tell(auditor, EP_AUDIT_EMBEDDED, ref, text, "the loader unpickles it");
        break;
    case EP_LOOK_CLASS: /* SPEC 9.5.2 */
        ep_audit_tell(auditor, EP_AUDIT_OBJECT, ref, text,
                      "the library that registers its class has to be loaded");
        break;
    case EP_LOOK_NONE:
    case EP_LOOK_COUNT:
        EP_UNREACHABLE(); /* who asks has something to look for */
        break;
    }
    return true;
}

/* Whether a text is audited for the first time. Names are not remembered, because
 * auditing one is faster. */
static bool is_fresh(ep_auditor *auditor, ep_look look, ep_bytes raw, bool *fresh) {
    uint32_t number;
    *fresh = true;
    bool plain =
        (look == EP_LOOK_NAME && is_name(raw)) || (look == EP_LOOK_ATTRIBUTE && is_quotable(raw));
    if (plain || look == EP_LOOK_BLOB) {
        *fresh = look == EP_LOOK_BLOB;
        return true;
    }
    return ep_map_put(&auditor->seen[look], raw, &number, fresh);
}

bool ep_audit_string(ep_auditor *auditor, ep_look look, ep_ref ref) {
    bool fresh;
    ep_passage passage;
    TRY(is_fresh(auditor, look, ep_ref_raw(auditor->input.data, ref), &fresh));
    if (!fresh) {
        return true;
    }
    ep_arena_mark mark = ep_arena_now(auditor->arena);
    bool ok = ep_passage_open(&passage, auditor->arena, auditor->input, ref) &&
              audit_passage(auditor, look, ref, &passage);
    if (look != EP_LOOK_TREESPEC) { /* whose names are remembered */
        ep_arena_rewind(auditor->arena, mark);
    }
    return ok;
}
