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
    char first = name.data[0];
    return first == 's'                   ? EP_TEXT("sx")
           : first == 'z' || first == 'f' ? EP_TEXT("z_")
                                          : EP_TEXT("Dim_");
}

static bool new_name(respelling *r, ep_bytes name, ep_bytes *made) {
    ep_rewriter *rewriter = r->rewriter;
    size_t most = r->style == 0 ? 8 : r->style == 1 ? 100 : 1u << 31;
    return ep_rewriter_numbered(rewriter, prefix_of(name), ep_rewriter_below(rewriter, most),
                                made) &&
           ep_rewriter_take(rewriter, &r->taken, *made, made);
}

/* The new name of a symbol, which it has in all expressions. */
static bool name_symbol(respelling *r, ep_bytes *name) {
    ep_canonizer *c = &r->rewriter->c;
    uint32_t number;
    bool fresh;
    TRY(ep_map_put(&r->symbols, *name, &number, &fresh) || ep_canon_fail(c, EP_MEMORY));
    if (fresh) {
        ep_bytes *made = ep_canon_array(c, 1, sizeof *made);
        TRY(made != NULL && new_name(r, *name, made));
        TRY(ep_stack_push(&r->renamed, ep_pointer_bits(made)) || ep_canon_fail(c, EP_MEMORY));
    }
    *name = *(const ep_bytes *)(uintptr_t)r->renamed.words[number];
    return true;
}

/* The expression is the caller's own: nobody else has read it. */
static bool rename_symbols(respelling *r, const ep_expression *expression) {
    ep_symbol *symbols = (ep_symbol *)(uintptr_t)expression->symbols;
    bool wanted = (r->what & EP_REWRITE_SYMBOLS) != 0;
    for (size_t i = 0; wanted && i < expression->symbol_count; i++) {
        TRY(name_symbol(r, &symbols[i].name));
    }
    return true;
}

/* ------------------------------------------------------------------------- terms */

static bool commutes(const ep_term *term) {
    static const uint8_t functions[] = {
        EP_FUNCTION_Add, EP_FUNCTION_Mul, EP_FUNCTION_Max,      EP_FUNCTION_Min,
        EP_FUNCTION_And, EP_FUNCTION_Or,  EP_FUNCTION_Equality, EP_FUNCTION_Unequality,
    };
    return memchr(functions, term->function, sizeof functions) != NULL;
}

static void shuffle_arguments(ep_rewriter *rewriter, ep_term *term) {
    for (size_t i = term->number; i > 1; i--) {
        size_t j = ep_rewriter_below(rewriter, i);
        const ep_term *argument = term->arguments[i - 1];
        term->arguments[i - 1] = term->arguments[j];
        term->arguments[j] = argument;
    }
}

static bool shuffle_terms(ep_rewriter *rewriter, const ep_term *root) {
    ep_stack open;
    ep_stack_init(&open, rewriter->c.arena);
    bool ok = ep_stack_push(&open, ep_pointer_bits(root));
    while (ok && open.count > 0) {
        ep_term *term = (ep_term *)(uintptr_t)open.words[--open.count];
        bool call = term->kind == EP_TERM_CALL;
        if (call && commutes(term)) {
            shuffle_arguments(rewriter, term);
        }
        for (size_t i = 0; ok && call && i < term->number; i++) {
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

/* In the form that it is in: srepr first, where the version has that. SPEC 4.1.1 */
static bool read_either(ep_rewriter *rewriter, ep_bytes text, bool key,
                        const ep_expression **read) {
    bool srepr = ep_version_number_of(rewriter->c.fields.schema->version) >= EP_V8_1_a && !key;
    *read = NULL;
    TRY(!srepr || parse(rewriter, text, EP_EXPRESSION_SREPR, read));
    TRY(*read != NULL || parse(rewriter, text, EP_EXPRESSION_INFIX, read));
    return *read != NULL || ep_canon_fail(&rewriter->c, EP_INTERNAL);
}

/* ----------------------------------------------------------------- all expressions */

/* Arguments of infix texts are put in another order by way of srepr; those of the keys of
 * ranges, which name dimensions, stay as they are. */
static bool respell_slot(respelling *r, uint64_t *slot, bool key) {
    ep_rewriter *rewriter = r->rewriter;
    const ep_expression *read;
    ep_bytes text;
    TRY(ep_rewriter_text(rewriter, *slot, &text) && read_either(rewriter, text, key, &read));
    bool shuffled = (r->what & EP_REWRITE_TERMS) != 0 && !key;
    bool turned = shuffled && read->form == EP_EXPRESSION_INFIX;
    if (turned) {
        TRY(respell(rewriter, read, &text) && parse(rewriter, text, EP_EXPRESSION_SREPR, &read));
        TRY(read != NULL || ep_canon_fail(&rewriter->c, EP_INTERNAL));
    }
    TRY(!shuffled || shuffle_terms(rewriter, read->root));
    TRY(rename_symbols(r, read));
    TRY(turned ? respell(rewriter, read, &text)
               : ep_expression_print(read, rewriter->c.arena, &text) ||
                     ep_canon_fail(&rewriter->c, EP_MEMORY));
    return ep_rewriter_put(rewriter, text, slot);
}

static bool respell_keys(respelling *r, uint64_t dict) {
    for (size_t i = 0; i < ep_list_count(dict); i++) {
        TRY(respell_slot(r, &ep_list_mutable(dict)->items[i], true));
    }
    return true;
}

static bool respell_place(void *context, const ep_rewriter_slot *slot) {
    respelling *r = context;
    switch ((int)slot->field) {
    case EP_F_SymExpr_expr_str:
        return respell_slot(r, slot->bits, false);
    case EP_F_SymBool_as_expr:
        return slot->shape->op != EP_OP_STR || respell_slot(r, slot->bits, false);
    case EP_F_ExportedProgram_range_constraints:
        return respell_keys(r, *slot->bits);
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
