/*
 * language/expression_print.c - an expression as the text that it was read
 * from. Walks the tree twice, first to count the bytes, with a stack of its
 * own.
 */
#include "language/expression_reader.h"

typedef struct printer {
    const ep_expression *expression;
    ep_stack stack; /* a term and the number of its next argument, in turn */
    char *out;      /* NULL: only count */
    size_t size;
} printer;

static void put(printer *p, ep_bytes text) {
    if (p->out != NULL && text.size != 0) {
        memcpy(p->out + p->size, text.data, text.size);
    }
    p->size += text.size;
}

/* ------------------------------------------------------------------ leaves */

static void put_symbol(printer *p, const ep_term *term) {
    unsigned assumptions = p->expression->symbols[term->number].assumptions;
    put(p, EP_TEXT("Symbol('"));
    put(p, p->expression->symbols[term->number].name);
    put(p, EP_TEXT("'"));
    if ((assumptions & EP_ASSUME_POSITIVE) != 0) {
        put(p, EP_TEXT(", positive=True"));
    }
    if ((assumptions & EP_ASSUME_INTEGER) != 0) {
        put(p, EP_TEXT(", integer=True"));
    }
    if ((assumptions & EP_ASSUME_REAL) != 0) {
        put(p, EP_TEXT(", real=True"));
    }
    put(p, EP_TEXT(")"));
}

static void put_three(printer *p, ep_bytes before, ep_bytes text, ep_bytes behind) {
    put(p, before);
    put(p, text);
    put(p, behind);
}

static void put_srepr_leaf(printer *p, const ep_term *term) {
    switch ((ep_term_kind)term->kind) {
    case EP_TERM_INTEGER:
        put_three(p, EP_TEXT("Integer("), ep_term_text(term), EP_TEXT(")"));
        break;
    case EP_TERM_RATIONAL:
        put_three(p, EP_TEXT("Rational("), ep_term_text(term->arguments[0]), EP_TEXT(", "));
        put(p, ep_term_text(term->arguments[1]));
        put(p, EP_TEXT(")"));
        break;
    case EP_TERM_FLOAT:
        put_three(p, EP_TEXT("Float('"), ep_term_text(term), EP_TEXT("', precision="));
        put(p, ep_term_text(term->arguments[0]));
        put(p, EP_TEXT(")"));
        break;
    case EP_TERM_SYMBOL:
        put_symbol(p, term);
        break;
    case EP_TERM_TRUE:
        put(p, EP_TEXT("true"));
        break;
    case EP_TERM_FALSE:
        put(p, EP_TEXT("false"));
        break;
    case EP_TERM_CALL:
    case EP_TERM_GROUP:
    case EP_TERM_NEGATIVE:
    case EP_TERM_QUOTIENT:
        EP_UNREACHABLE(); /* no leaves */
        break;
    }
}

static void put_leaf(printer *p, const ep_term *term) {
    if (p->expression->form == EP_EXPRESSION_SREPR) {
        put_srepr_leaf(p, term);
    } else if (term->kind == EP_TERM_TRUE) {
        put(p, EP_TEXT("True"));
    } else if (term->kind == EP_TERM_FALSE) {
        put(p, EP_TEXT("False"));
    } else if (term->kind == EP_TERM_SYMBOL) {
        put(p, p->expression->symbols[term->number].name);
    } else {
        put(p, ep_term_text(term));
    }
}

/* ------------------------------------------------------------------- nodes */

/* Around and between the arguments; open is behind the name. */
typedef struct spelling {
    ep_bytes name;
    ep_bytes open;
    ep_bytes between;
    ep_bytes close;
} spelling;

static spelling spelling_of(const printer *p, const ep_term *term) {
    spelling none = {{"", 0}, {"", 0}, {"", 0}, {"", 0}};
    spelling call = {{"", 0}, EP_TEXT("("), EP_TEXT(", "), EP_TEXT(")")};
    if (term->kind == EP_TERM_GROUP) {
        return call;
    }
    if (term->kind != EP_TERM_CALL) {
        none.open = EP_TEXT("-"); /* a slash is never first: put_between writes it */
        return none;
    }
    const ep_function_row *row = ep_function_row_of(term->function);
    call.name = p->expression->form == EP_EXPRESSION_SREPR ? row->srepr : row->infix;
    if (call.name.size != 0) {
        return call;
    }
    return (spelling){none.name, row->open, row->between, row->close};
}

/* What stands before an argument that is not the first. A minus sign takes the
 * place of a plus, and a slash that of a star. */
static const ep_term *put_between(printer *p, const spelling *s, const ep_term *argument) {
    if (argument->kind == EP_TERM_NEGATIVE && ep_text_equal(s->between, EP_TEXT(" + "))) {
        put(p, EP_TEXT(" - "));
        return argument->arguments[0];
    }
    if (argument->kind == EP_TERM_QUOTIENT) {
        put(p, EP_TEXT("/"));
        return argument->arguments[0];
    }
    put(p, s->between);
    return argument;
}

static bool is_leaf(const ep_term *term) {
    return term->kind < EP_TERM_CALL;
}

static bool push(printer *p, const ep_term *term) {
    return ep_stack_push(&p->stack, (uint64_t)(uintptr_t)term) && ep_stack_push(&p->stack, 0);
}

/* The next argument of the term on top, or its end. */
static bool step(printer *p, const ep_term *term) {
    spelling s = spelling_of(p, term);
    uint64_t i = p->stack.words[p->stack.count - 1]++;
    if (i == term->number) {
        put(p, s.close);
        p->stack.count -= 2;
        return true;
    }
    const ep_term *argument = term->arguments[i];
    if (i == 0) {
        put(p, s.name);
        put(p, s.open);
    } else {
        argument = put_between(p, &s, argument);
    }
    return push(p, argument);
}

static bool print(printer *p) {
    p->size = 0;
    TRY(push(p, p->expression->root));
    while (p->stack.count != 0) {
        const ep_term *term = (const ep_term *)(uintptr_t)p->stack.words[p->stack.count - 2];
        if (is_leaf(term)) {
            put_leaf(p, term);
            p->stack.count -= 2;
        } else {
            TRY(step(p, term));
        }
    }
    return true;
}

bool ep_expression_print(const ep_expression *expression, ep_arena *arena, ep_bytes *text) {
    printer p = {.expression = expression};
    ep_stack_init(&p.stack, arena);
    bool ok = print(&p);
    if (ok) {
        p.out = ep_arena_alloc(arena, p.size);
        ok = p.out != NULL && EP_ALWAYS(print(&p)); /* the stack is as large as it was */
    }
    ep_stack_free(&p.stack);
    *text = (ep_bytes){p.out, ok ? p.size : 0};
    return ok;
}
