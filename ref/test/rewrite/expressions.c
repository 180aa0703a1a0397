/*
 * expressions.c - other names for symbols, and other orders of arguments
 * inside expressions.
 */
#include "rewriter.h"

#include "language/expression.h"
#include "language/respell.h"

/* Symbols with their new names; texts that were written anew. */
typedef struct respelling {
    ep_rewriter *rewriter;
    unsigned what;
    size_t style;
    ep_map symbols;
    ep_stack renamed; /* an ep_bytes for each symbol */
    ep_map taken;
} respelling;

/* ----------------------------------------------------------------------- symbols */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* What has a meaning in a name: the letters of the exporter's own names, and else
 * the first letter. SPEC 6.7.1 */
static ep_bytes prefix_of(ep_bytes name) {
    static const char *const numbered[] = {"s", "u", "i", "f", "zf", "zuf"};
    size_t digits = name.size;
    while (digits > 0 && ep_is_digit(name.data[digits - 1])) {
        digits--;
    }
    for (size_t i = 0; digits < name.size && i < EP_COUNT_OF(numbered); i++) {
        if (ep_text_equal((ep_bytes){name.data, digits}, ep_text_of(numbered[i]))) {
            return ep_text_of(numbered[i]);
        }
    }
    switch (name.data[0]) {
    case 's':
        return EP_TEXT("sx");
    case 'z':
    case 'f':
        return EP_TEXT("z_");
    default:
        return EP_TEXT("Dim_");
    }
}

static bool new_name(respelling *r, ep_bytes name, ep_bytes *made) {
    ep_rewriter *rewriter = r->rewriter;
    size_t most = r->style == 0 ? 8 : r->style == 1 ? 100 : 1u << 31;
    return ep_rewriter_numbered(rewriter, prefix_of(name), ep_rewriter_below(rewriter, most),
                                made) &&
           ep_rewriter_take(rewriter, &r->taken, *made, made);
}

static bool note_symbol(respelling *r, ep_bytes name, ep_bytes *now) {
    uint32_t number;
    bool fresh;
    *now = name;
    if ((r->what & EP_REWRITE_SYMBOLS) == 0) {
        return true;
    }
    TRY(ep_map_put(&r->symbols, name, &number, &fresh) ||
        ep_canon_fail(&r->rewriter->c, EP_MEMORY));
    if (fresh) {
        ep_bytes *made = ep_canon_array(&r->rewriter->c, 1, sizeof *made);
        TRY(made != NULL && new_name(r, name, made));
        TRY(ep_stack_push(&r->renamed, ep_pointer_bits(made)) ||
            ep_canon_fail(&r->rewriter->c, EP_MEMORY));
    }
    *now = *(const ep_bytes *)(uintptr_t)r->renamed.words[number];
    return true;
}

/* In srepr a name stands between quotes behind "Symbol("; in infix it is a word
 * that no parenthesis follows. Where the next one is; at the end, the size. */
static size_t find_symbol(ep_bytes text, size_t at, size_t *size) {
    static const char mark[] = "Symbol('";
    const size_t marked = sizeof mark - 1;
    bool srepr = text.size > marked && memchr(text.data, '\'', text.size) != NULL;
    for (; at < text.size; at++) {
        size_t end = at;
        if (srepr) {
            if (at + marked < text.size && memcmp(text.data + at, mark, marked) == 0) {
                for (end = at += marked; text.data[end] != '\''; end++) {
                }
            }
        } else {
            while (end < text.size && (is_letter(text.data[end]) || ep_is_digit(text.data[end]))) {
                end++;
            }
        }
        bool called = end < text.size && text.data[end] == '(';
        if (end > at && is_letter(text.data[at]) && !called) {
            *size = end - at;
            return at;
        }
        at = end > at ? end - 1 : at;
    }
    return text.size;
}

/* Whether a name that stands alone is a bool. In versions of both forms a srepr text can
 * be `true`; a symbol of that name keeps it (SPEC 4.1). */
static bool is_bool(const respelling *r, ep_bytes word) {
    static const char *const bools[] = {"True", "False", "true", "false"};
    bool either = ep_version_number_of(r->rewriter->c.fields.schema->version) >= EP_V8_1_a;
    for (size_t i = 0; i < (either ? 4 : 2); i++) {
        if (ep_text_equal(word, ep_text_of(bools[i]))) {
            return true;
        }
    }
    return false;
}

/* The text with its symbols' new names. */
static bool rename_symbols(respelling *r, ep_bytes text, uint64_t *slot) {
    ep_growing made;
    size_t from = 0;
    size_t size = 0;
    bool ok = true;
    ep_growing_init(&made, r->rewriter->c.arena);
    for (size_t at = find_symbol(text, 0, &size); ok && at < text.size;
         at = find_symbol(text, from, &size)) {
        ep_bytes name = {text.data + at, size};
        ep_bytes now = name;
        ok = (is_bool(r, name) || note_symbol(r, name, &now)) &&
             ((ep_growing_put(&made, (ep_bytes){text.data + from, at - from}) &&
               ep_growing_put(&made, now)) ||
              ep_canon_fail(&r->rewriter->c, EP_MEMORY));
        from = at + size;
    }
    ok = ok && (ep_growing_put(&made, (ep_bytes){text.data + from, text.size - from}) ||
                ep_canon_fail(&r->rewriter->c, EP_MEMORY));
    ok = ok && ep_rewriter_put(r->rewriter, (ep_bytes){made.data, made.size}, slot);
    ep_growing_free(&made);
    return ok;
}

/* ------------------------------------------------------------------------- terms */

static bool commutes(const ep_term *term) {
    static const uint8_t functions[] = {
        EP_FUNCTION_Add, EP_FUNCTION_Mul, EP_FUNCTION_Max,      EP_FUNCTION_Min,
        EP_FUNCTION_And, EP_FUNCTION_Or,  EP_FUNCTION_Equality, EP_FUNCTION_Unequality,
    };
    for (size_t i = 0; i < EP_COUNT_OF(functions); i++) {
        if (term->function == functions[i]) {
            return true;
        }
    }
    return false;
}

static void shuffle_arguments(ep_rewriter *rewriter, ep_term *term) {
    for (size_t i = term->number; i > 1; i--) {
        size_t j = ep_rewriter_below(rewriter, i);
        const ep_term *argument = term->arguments[i - 1];
        term->arguments[i - 1] = term->arguments[j];
        term->arguments[j] = argument;
    }
}

/* The terms are the caller's own: nobody else has read them. */
static bool shuffle_terms(ep_rewriter *rewriter, const ep_term *root) {
    ep_stack open;
    ep_stack_init(&open, rewriter->c.arena);
    bool ok = ep_stack_push(&open, ep_pointer_bits(root));
    while (ok && open.count > 0) {
        ep_term *term = (ep_term *)(uintptr_t)open.words[--open.count];
        if (term->kind != EP_TERM_CALL) {
            continue;
        }
        if (commutes(term)) {
            shuffle_arguments(rewriter, term);
        }
        for (size_t i = 0; ok && i < term->number; i++) {
            ok = ep_stack_push(&open, ep_pointer_bits(term->arguments[i]));
        }
    }
    ep_stack_free(&open);
    return ok || ep_canon_fail(&rewriter->c, EP_MEMORY);
}

static bool parse(ep_rewriter *rewriter, ep_bytes text, ep_expression_form form,
                  const ep_expression **read) {
    ep_expression_options options = {.form = form, .any_sort = true, .depth = SIZE_MAX};
    ep_passage passage = {.text = text, .raw = text};
    ep_fault fault = {.code = EP_OK};
    *read = NULL;
    return ep_expression_parse(rewriter->c.arena, &passage, &options, read, &fault) ||
           fault.code != EP_MEMORY || ep_canon_fail(&rewriter->c, EP_MEMORY);
}

/* A text in the other form. */
static bool respell(ep_rewriter *rewriter, const ep_expression *expression, ep_bytes *text) {
    bool sayable = true;
    TRY(ep_respell(expression, rewriter->c.arena, &sayable, text) ||
        ep_canon_fail(&rewriter->c, EP_MEMORY));
    return sayable || ep_canon_fail(&rewriter->c, EP_INTERNAL);
}

/* In whichever form it is; infix texts go by the other one. */
static bool reorder_text(ep_rewriter *rewriter, ep_bytes *text) {
    const ep_expression *infix = NULL;
    const ep_expression *srepr;
    TRY(parse(rewriter, *text, EP_EXPRESSION_SREPR, &srepr));
    if (srepr == NULL) {
        TRY(parse(rewriter, *text, EP_EXPRESSION_INFIX, &infix));
        TRY(infix != NULL || ep_canon_fail(&rewriter->c, EP_INTERNAL)); /* SPEC 4.1.1 */
        TRY(respell(rewriter, infix, text) && parse(rewriter, *text, EP_EXPRESSION_SREPR, &srepr));
    }
    TRY(srepr != NULL || ep_canon_fail(&rewriter->c, EP_INTERNAL));
    TRY(shuffle_terms(rewriter, srepr->root));
    return infix != NULL ? respell(rewriter, srepr, text)
                         : ep_expression_print(srepr, rewriter->c.arena, text) ||
                               ep_canon_fail(&rewriter->c, EP_MEMORY);
}

/* ----------------------------------------------------------------- all expressions */

static bool is_srepr(const ep_rewriter *rewriter) {
    return ep_version_number_of(rewriter->c.fields.schema->version) >= EP_V8_2;
}

static bool respell_slot(respelling *r, uint64_t *slot) {
    ep_bytes text;
    TRY(ep_rewriter_text(r->rewriter, *slot, &text));
    TRY((r->what & EP_REWRITE_TERMS) == 0 || reorder_text(r->rewriter, &text));
    if (is_srepr(r->rewriter) && memchr(text.data, '\'', text.size) == NULL) {
        return ep_rewriter_put(r->rewriter, text, slot); /* without a symbol; words are not infix */
    }
    return rename_symbols(r, text, slot);
}

/* Keys of ranges name dimensions: their arguments stay as they are. */
static bool rename_keys(respelling *r, uint64_t dict) {
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        ep_bytes text;
        TRY(ep_rewriter_text(r->rewriter, ep_dict_key(dict, i), &text) &&
            rename_symbols(r, text, &ep_list_mutable(dict)->items[i]));
    }
    return true;
}

static bool respell_place(void *context, const ep_rewriter_slot *slot) {
    respelling *r = context;
    switch ((int)slot->field) {
    case EP_F_SymExpr_expr_str:
        return respell_slot(r, slot->bits);
    case EP_F_SymBool_as_expr:
        return slot->shape->op != EP_OP_STR || respell_slot(r, slot->bits);
    case EP_F_ExportedProgram_range_constraints:
        return rename_keys(r, *slot->bits);
    default:
        break;
    }
    return true;
}

bool ep_rewriter_expressions(ep_rewriter *rewriter, unsigned what) {
    respelling r = {.rewriter = rewriter, .what = what, .style = ep_rewriter_below(rewriter, 3)};
    if (ep_version_number_of(rewriter->c.fields.schema->version) == EP_V8_2_ast) {
        return true; /* an expression may have a tree beside its text */
    }
    ep_map_init(&r.symbols, rewriter->c.arena);
    ep_map_init(&r.taken, rewriter->c.arena);
    ep_stack_init(&r.renamed, rewriter->c.arena);
    bool ok = ep_rewriter_visit(rewriter, rewriter->c.root, true, respell_place, &r);
    ep_map_free(&r.symbols);
    ep_map_free(&r.taken);
    ep_stack_free(&r.renamed);
    return ok;
}
