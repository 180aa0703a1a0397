/*
 * language/expression_reader.c - see expression_reader.h: the rows of
 * expression.def, what a term of them may hold, and the stacks of terms, symbols
 * and frames that reading an expression takes in either form.
 */
#include "language/expression_reader.h"

/* ------------------------------------------------------------------- rows */

#define LITERAL(text)                                                                              \
    { (text), sizeof(text) - 1 }
#define FUNCTION(symbol, srepr, infix, least, most, step, arguments, result)                       \
    {LITERAL(srepr), LITERAL(infix), LITERAL(""), LITERAL(""), LITERAL(""),                        \
     least,          most,           step,        result,      arguments},
#define OPERATOR(symbol, srepr, open, between, close, least, most, arguments, result)              \
    {LITERAL(srepr), LITERAL(""), LITERAL(open), LITERAL(between), LITERAL(close), least,          \
     most,           1,           result,        arguments},
static const ep_function_row rows[] = {
#include "language/expression.def"
};
#undef FUNCTION
#undef OPERATOR

const ep_function_row *ep_function_row_of(unsigned function) {
    return &rows[function];
}

ep_bytes ep_function_srepr(unsigned function) {
    return ep_function_row_of(function)->srepr;
}

unsigned ep_function_find(ep_expression_form form, ep_bytes name) {
    unsigned i = name.size == 0 ? EP_FUNCTION_COUNT : 0;
    while (i < EP_FUNCTION_COUNT &&
           !ep_text_equal(form == EP_EXPRESSION_SREPR ? rows[i].srepr : rows[i].infix, name)) {
        i++;
    }
    return i;
}

/* ------------------------------------------------------------------ faults */

bool ep_expression_fail(ep_expression_reader *r, ep_code code, const char *at,
                        const char *expected) {
    return ep_passage_fail(r->passage, r->fault, code, at, expected);
}

bool ep_expression_no_memory(ep_expression_reader *r) {
    return ep_expression_fail(r, EP_MEMORY, r->p, NULL); /* SPEC 1.4.5 */
}

bool ep_expression_literal(ep_expression_reader *r, ep_bytes text) {
    for (size_t i = 0; i < text.size; i++, r->p++) {
        if (r->p == r->end || *r->p != text.data[i]) {
            return ep_expression_fail(r, EP_EXPR, r->p, text.data); /* SPEC 4.1.1 */
        }
    }
    return true;
}

/* ------------------------------------------------------------------- sorts */

/* An integer when every part can be one; a float when any can; a boolean when
 * all are. Starts from EP_CAN_INT | EP_CAN_BOOL. */
static unsigned join(unsigned sum, unsigned sorts) {
    return (sum & sorts & (EP_CAN_INT | EP_CAN_BOOL)) | ((sum | sorts) & EP_CAN_FLOAT);
}

static unsigned join_all(const ep_term *term, size_t first) {
    unsigned sum = EP_CAN_INT | EP_CAN_BOOL;
    for (size_t i = first; i < term->number; i++) {
        sum = join(sum, term->arguments[i]->sorts);
    }
    return sum;
}

/* Whether an exponent makes a fraction of an integer. */
static bool is_negative_integer(const ep_term *term) {
    return term->sign == EP_SIGN_NEGATIVE && (term->sorts & EP_CAN_INT) != 0;
}

static unsigned power_sorts(const ep_term *power) {
    return is_negative_integer(power->arguments[1]) ? EP_CAN_FLOAT : join_all(power, 0);
}

static unsigned result_of(char letter, const ep_term *call) {
    switch (letter) {
    case 'I':
        return EP_CAN_INT;
    case 'F':
        return EP_CAN_FLOAT;
    case 'B':
        return EP_CAN_BOOL;
    case 'A':
        return call->arguments[0]->sorts;
    case 'P':
        return EP_CAN_PAIR | call->arguments[0]->sorts;
    case 'C':
        return join_all(call, 1);
    case 'E':
        return power_sorts(call);
    default: /* 'N' */
        return join_all(call, 0);
    }
}

/* What an argument may be, by its letter in a row. */
static unsigned allowed(char letter, const ep_term *call) {
    bool boolean = (call->arguments[0]->sorts & EP_CAN_BOOL) != 0;
    unsigned alike = boolean ? EP_CAN_BOOL : EP_CAN_NUMBER;
    switch (letter) {
    case 'I':
    case 'J':
        return EP_CAN_INT;
    case 'B':
        return EP_CAN_BOOL;
    case 'N':
    case 'D':
        return EP_CAN_NUMBER;
    case 'P':
        return EP_CAN_PAIR;
    case 'S':
        return alike;
    case 'Q':
        return EP_CAN_PAIR | alike;
    default: /* 'A' */
        return EP_CAN_NUMBER | EP_CAN_BOOL;
    }
}

static bool fits(unsigned sorts, unsigned wanted) {
    if ((sorts & EP_CAN_PAIR) != (wanted & EP_CAN_PAIR)) {
        return false;
    }
    return wanted == EP_CAN_PAIR || (sorts & wanted & ~(unsigned)EP_CAN_PAIR) != 0;
}

static const char *name_of(unsigned wanted) {
    if ((wanted & EP_CAN_PAIR) != 0) {
        return "an arm of a Piecewise";
    }
    if (wanted == EP_CAN_BOOL) {
        return "a boolean";
    }
    return wanted == EP_CAN_INT ? "an integer" : "a number";
}

static bool fail_zero(ep_expression_reader *r, const ep_term *zero) {
    return ep_expression_fail(r, EP_EXPR_ZERO, zero->at, "a number other than 0");
}

/* SPEC 4.1.9 */
static bool judge_zeros(ep_expression_reader *r, const ep_term *call) {
    const ep_function_row *row = &rows[call->function];
    const char *letter = row->arguments;
    for (size_t i = 0; i < call->number; i++) {
        bool divisor = *letter == 'D' || *letter == 'J';
        if (divisor && call->arguments[i]->sign == EP_SIGN_ZERO) {
            return fail_zero(r, call->arguments[i]);
        }
        letter += letter[1] != '\0';
    }
    for (size_t i = 0; i < call->number; i++) {
        const ep_term *factor = call->arguments[i];
        if (factor->kind == EP_TERM_QUOTIENT && factor->sign == EP_SIGN_ZERO) {
            return fail_zero(r, factor->arguments[0]);
        }
    }
    bool inverse = row->result == 'E' && is_negative_integer(call->arguments[1]);
    if (inverse && call->arguments[0]->sign == EP_SIGN_ZERO) {
        return fail_zero(r, call->arguments[0]);
    }
    return true;
}

static bool judge(ep_expression_reader *r, ep_term *call) {
    const ep_function_row *row = &rows[call->function];
    bool many = row->most != 0 && call->number > row->most;
    if (call->number < row->least || many || call->number % row->step != 0) {
        return ep_expression_fail(r, EP_EXPR_ARGUMENTS, call->at, NULL); /* SPEC 4.1.3 */
    }
    const char *letter = row->arguments;
    for (size_t i = 0; i < call->number; i++) {
        unsigned wanted = allowed(*letter, call);
        if (!fits(call->arguments[i]->sorts, wanted)) { /* SPEC 4.1.4 */
            return ep_expression_fail(r, EP_EXPR_TYPE, call->arguments[i]->at, name_of(wanted));
        }
        letter += letter[1] != '\0';
    }
    call->sorts = (uint8_t)result_of(row->result, call);
    return judge_zeros(r, call);
}

/* ------------------------------------------------------------------- signs */

/* Of the text of an integer or a float. Zero has no exponent. */
static ep_term_sign sign_of_text(ep_bytes text) {
    bool minus = text.data[0] == '-';
    if (ep_digits_are_zero((ep_bytes){text.data + minus, text.size - minus})) {
        return EP_SIGN_ZERO;
    }
    return minus ? EP_SIGN_NEGATIVE : EP_SIGN_POSITIVE;
}

static ep_term_sign multiply(ep_term_sign a, ep_term_sign b) {
    if (a == EP_SIGN_ZERO || b == EP_SIGN_ZERO) {
        return EP_SIGN_ZERO;
    }
    if (a == EP_SIGN_UNKNOWN || b == EP_SIGN_UNKNOWN) {
        return EP_SIGN_UNKNOWN;
    }
    return a == b ? EP_SIGN_POSITIVE : EP_SIGN_NEGATIVE;
}

static ep_term_sign sign_of_product(const ep_term *product) {
    ep_term_sign sign = EP_SIGN_POSITIVE;
    for (size_t i = 0; i < product->number; i++) {
        sign = multiply(sign, (ep_term_sign)product->arguments[i]->sign);
    }
    return sign;
}

/* What the normal form of a term keeps of its sign, its product of ones included
 * (SPEC 6.7.2). */
static ep_term_sign sign_of(const ep_term *term) {
    switch ((ep_term_kind)term->kind) {
    case EP_TERM_INTEGER:
    case EP_TERM_FLOAT:
        return sign_of_text(ep_term_text(term));
    case EP_TERM_RATIONAL:
    case EP_TERM_GROUP:
    case EP_TERM_QUOTIENT:
        return (ep_term_sign)term->arguments[0]->sign;
    case EP_TERM_NEGATIVE:
        return multiply(EP_SIGN_NEGATIVE, (ep_term_sign)term->arguments[0]->sign);
    case EP_TERM_CALL:
        return term->function == EP_FUNCTION_Mul ? sign_of_product(term) : EP_SIGN_UNKNOWN;
    case EP_TERM_SYMBOL:
    case EP_TERM_TRUE:
    case EP_TERM_FALSE:
        break;
    }
    return EP_SIGN_UNKNOWN;
}

/* ------------------------------------------------------------------- terms */

static bool push(ep_expression_reader *r, const ep_term *term) {
    return ep_terms_push(&r->terms, term) || ep_expression_no_memory(r);
}

static ep_term *term_of(ep_expression_reader *r, const ep_term *model, size_t arguments) {
    ep_term *term = ep_arena_array(r->arena, sizeof *term, arguments, sizeof(ep_term *));
    if (term == NULL) {
        ep_expression_no_memory(r);
        return NULL;
    }
    memcpy(term, model, sizeof *term);
    return term;
}

bool ep_expression_leaf(ep_expression_reader *r, const ep_term *model) {
    ep_term *term = term_of(r, model, 0);
    TRY(term != NULL);
    term->sign = (uint8_t)sign_of(term);
    return push(r, term);
}

static ep_term *gather(ep_expression_reader *r, const ep_term *model, size_t base) {
    size_t n = r->terms.count - base;
    ep_term *term = term_of(r, model, n);
    if (term != NULL) {
        term->number = (uint32_t)n;
        for (size_t i = 0; i < n; i++) {
            term->arguments[i] = r->terms.items[base + i];
        }
        r->terms.count = base;
        term->sign = (uint8_t)sign_of(term);
    }
    return term;
}

bool ep_expression_wrap(ep_expression_reader *r, const ep_term *model, size_t base) {
    const ep_term *term = gather(r, model, base);
    return term != NULL && EP_ALWAYS(push(r, term)); /* what it has taken off left room */
}

bool ep_expression_call(ep_expression_reader *r, unsigned function, const char *at, size_t base) {
    ep_term model = {.kind = EP_TERM_CALL, .function = (uint8_t)function, .at = at};
    ep_term *term = gather(r, &model, base);
    /* its arguments left room */
    return term != NULL && judge(r, term) && EP_ALWAYS(push(r, term));
}

/* ----------------------------------------------------------------- symbols */

static bool note_symbol(ep_expression_reader *r, const ep_term *leaf, unsigned assumptions) {
    ep_symbol symbol = {ep_term_text(leaf), assumptions};
    return ep_symbol_stack_push(&r->symbols, symbol) || ep_expression_no_memory(r);
}

bool ep_expression_symbol(ep_expression_reader *r, ep_term *model, unsigned assumptions) {
    bool fresh;
    model->kind = EP_TERM_SYMBOL;
    if (!ep_map_put(&r->names, ep_term_text(model), &model->number, &fresh)) {
        return ep_expression_no_memory(r);
    }
    if (fresh) {
        TRY(note_symbol(r, model, assumptions));
    } else if (r->symbols.items[model->number].assumptions != assumptions) {
        return ep_expression_fail(r, EP_EXPR_SYMBOL, model->at,
                                  "the assumptions that it has above"); /* SPEC 4.1.5 */
    }
    return ep_expression_leaf(r, model);
}

/* ------------------------------------------------------------------ frames */

bool ep_expression_open(ep_expression_reader *r, ep_term_kind kind, unsigned function,
                        const char *at) {
    ep_expression_frame *frame = r->spare;
    if (r->depth > r->options->depth) { /* SPEC 1.4.2 */
        return ep_expression_fail(r, EP_LIMIT_DEPTH, at, NULL);
    }
    if (frame != NULL) {
        r->spare = frame->outer;
    } else if ((frame = ep_arena_alloc(r->arena, sizeof *frame)) == NULL) {
        return ep_expression_no_memory(r);
    }
    size_t n = r->terms.count;
    *frame = (ep_expression_frame){
        .outer = r->frame,
        .at = at,
        .base = n,
        .kind = (uint8_t)kind,
        .function = (uint8_t)function,
        .joint = EP_FUNCTION_COUNT,
        .item = n,
        .sum = n,
        .product = n,
    };
    r->frame = frame;
    r->depth++;
    return true;
}

ep_expression_frame ep_expression_close(ep_expression_reader *r) {
    ep_expression_frame *frame = r->frame;
    ep_expression_frame closed = *frame;
    r->frame = frame->outer;
    frame->outer = r->spare;
    r->spare = frame;
    r->depth--;
    return closed;
}
