/*
 * language/expression.c - the reading of a whole expression, in either form.
 */
#include "language/expression_reader.h"

/* SPEC 4.1.4: the sort of the whole is the one that its place demands. */
static bool settle(ep_expression_reader *r, ep_expression *expression) {
    static const char *const names[] = {"an integer", "a float", "a boolean"};
    unsigned sorts = expression->root->sorts;
    ep_sort sort = r->options->sort;
    if (r->options->any_sort) {
        sort = (sorts & EP_CAN_INT) != 0     ? EP_SORT_INT
               : (sorts & EP_CAN_FLOAT) != 0 ? EP_SORT_FLOAT
                                             : EP_SORT_BOOL;
    }
    if ((sorts & EP_CAN_PAIR) != 0 || (sorts >> sort & 1) == 0) {
        return ep_expression_fail(r, EP_EXPR_TYPE, expression->root->at, names[sort]);
    }
    expression->sort = sort;
    return true;
}

static bool list_symbols(ep_expression_reader *r, ep_expression *expression) {
    size_t n = r->symbols.count;
    ep_symbol *symbols = ep_arena_array(r->arena, 0, n, sizeof *symbols);
    if (symbols == NULL) {
        return ep_expression_no_memory(r);
    }
    if (n > 0) {
        memcpy(symbols, r->symbols.items, n * sizeof *symbols);
    }
    expression->symbols = symbols;
    expression->symbol_count = n;
    return true;
}

static bool read_whole(ep_expression_reader *r, const ep_expression **result) {
    ep_expression *expression = ep_arena_alloc(r->arena, sizeof *expression);
    if (expression == NULL) {
        return ep_expression_no_memory(r);
    }
    TRY(r->options->form == EP_EXPRESSION_SREPR ? ep_expression_read_srepr(r)
                                                : ep_expression_read_infix(r));
    expression->form = r->options->form;
    expression->root = ep_expression_top(r);
    *result = expression;
    return settle(r, expression) && list_symbols(r, expression);
}

bool ep_expression_parse(ep_arena *arena, const ep_passage *passage,
                         const ep_expression_options *options, const ep_expression **expression,
                         ep_fault *fault) {
    ep_arena_mark mark = ep_arena_now(arena);
    ep_expression_reader r = {
        .arena = arena,
        .passage = passage,
        .options = options,
        .fault = fault,
        .p = passage->text.data,
        .end = passage->text.data + passage->text.size,
        .operand = true,
    };
    ep_terms_init(&r.terms, arena);
    ep_symbol_stack_init(&r.symbols, arena);
    ep_map_init(&r.names, arena);
    bool ok = read_whole(&r, expression);
    ep_map_free(&r.names);
    ep_symbol_stack_free(&r.symbols);
    ep_terms_free(&r.terms);
    if (!ok) {
        ep_arena_rewind(arena, mark);
    }
    return ok;
}
