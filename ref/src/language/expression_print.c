/*
 * language/expression_print.c - prints an expression as the text that it was read from.
 * Two depth-first traversals with an explicit stack; the first one counts the bytes.
 */
#include "language/expression_reader.h"

/* A term of which a part is printed. */
typedef struct begun {
    const ep_term *term;
    uint32_t next; /* argument */
} begun;

EP_STACK_OF(begun_stack, begun);

typedef struct printer {
    const ep_expression *expression;
    begun_stack stack;
    char *out; /* NULL: only count */
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

/* Prints the separator before an argument that is not the first. A minus sign replaces
 * a plus, and a slash replaces a star. */
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
    return begun_stack_push(&p->stack, (begun){term, 0});
}

/* The next argument of the term on top, or its end. */
static bool step(printer *p, const ep_term *term) {
    spelling s = spelling_of(p, term);
    uint32_t i = begun_stack_top(&p->stack)->next++;
    if (i == term->number) {
        put(p, s.close);
        p->stack.count--;
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
        const ep_term *term = begun_stack_top(&p->stack)->term;
        if (is_leaf(term)) {
            put_leaf(p, term);
            p->stack.count--;
        } else {
            TRY(step(p, term));
        }
    }
    return true;
}

bool ep_expression_print(const ep_expression *expression, ep_arena *arena, ep_bytes *text) {
    printer p = {.expression = expression};
    begun_stack_init(&p.stack, arena);
    bool ok = print(&p);
    if (ok) {
        p.out = ep_arena_alloc(arena, p.size);
        ok = p.out != NULL && EP_ALWAYS(print(&p)); /* the stack is as large as it was */
    }
    begun_stack_free(&p.stack);
    *text = (ep_bytes){p.out, ok ? p.size : 0};
    return ok;
}
