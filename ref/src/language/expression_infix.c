/*
 * language/expression_infix.c - the INFIX form (SPEC 4.1.8). One argument is
 *
 *     argument: sum | sum relation sum | sum (" & " sum)+ | sum (" | " sum)+
 *     sum:      ["-"] product ((" + " | " - ") product)*
 *     product:  power (("*" | "/") power)*
 *     power:    operand ["**" operand]
 *     operand:  number | symbol | boolean | ["~"] function(arguments) | (argument)
 *             | "(" power "//" power ")"
 *
 * The parser is an operator-precedence parser without recursion: a complete operand is
 * shifted onto a stack, and an operator reduces what binds tighter than itself.
 */
#include "language/expression_reader.h"

enum { FLOAT_DIGITS = 15 };

/* ----------------------------------------------------------------- operands */

/* A whole operand, begun at base, is on the stack: a tilde or a base that
 * waited for it takes it. */
static bool take_operand(ep_expression_reader *r) {
    ep_expression_frame *frame = r->frame;
    const char *negation = frame->negation;
    r->operand = false;
    frame->powered = frame->power;
    if (negation != NULL) {
        frame->negation = NULL;
        TRY(ep_expression_call(r, EP_FUNCTION_Not, negation, r->terms.count - 1));
    }
    if (frame->power) {
        size_t base = r->terms.count - 2;
        const ep_term *first = r->terms.items[base];
        frame->power = false;
        TRY(ep_expression_call(r, EP_FUNCTION_Pow, first->at, base));
    }
    return true;
}

static bool read_number(ep_expression_reader *r) {
    ep_bytes rest = {r->p, (size_t)(r->end - r->p)};
    ep_term model = {.kind = EP_TERM_INTEGER, .sorts = EP_CAN_INT, .at = r->p};
    const char *wrong;
    const char *end = ep_expression_digits_end(r->p, r->end);
    if (end != r->end && *end == '.') {
        model.kind = EP_TERM_FLOAT;
        model.sorts = EP_CAN_FLOAT;
        end = ep_expression_float_end(rest, FLOAT_DIGITS, true, &wrong);
        if (end == NULL) {
            return ep_expression_fail(r, EP_EXPR, wrong, "a float");
        }
    }
    model.size = (size_t)(end - r->p);
    r->p = end;
    return ep_expression_leaf(r, &model) && take_operand(r);
}

/* PyTorch's prefixes of symbols; any other name may be of either sort. */
static const struct {
    ep_bytes prefix;
    unsigned sorts;
} prefix_rows[] = {
    {{"s", 1}, EP_CAN_INT},   {{"u", 1}, EP_CAN_INT},    {{"i", 1}, EP_CAN_INT},
    {{"f", 1}, EP_CAN_FLOAT}, {{"zf", 2}, EP_CAN_FLOAT}, {{"zuf", 3}, EP_CAN_FLOAT},
};

/* A name begins with no digit. */
static unsigned sorts_of_name(ep_bytes name) {
    size_t letters = name.size;
    while (ep_is_digit(name.data[letters - 1])) {
        letters--;
    }
    for (size_t i = 0; i < EP_COUNT_OF(prefix_rows) && letters < name.size; i++) {
        if (ep_text_equal(prefix_rows[i].prefix, (ep_bytes){name.data, letters})) {
            return prefix_rows[i].sorts;
        }
    }
    return EP_CAN_NUMBER;
}

/* Names that mean a number to sympy, so that no symbol has them. */
static const ep_bytes constants[] = {
    {"oo", 2}, {"zoo", 3}, {"nan", 3}, {"pi", 2}, {"E", 1}, {"I", 1}, {"int_oo", 6},
};

static bool is_taken(ep_bytes name) {
    for (size_t i = 0; i < EP_COUNT_OF(constants); i++) {
        if (ep_text_equal(constants[i], name)) {
            return true;
        }
    }
    return ep_function_find(EP_EXPRESSION_INFIX, name) != EP_FUNCTION_COUNT;
}

static bool read_symbol(ep_expression_reader *r, ep_bytes name) {
    ep_term model = {.at = name.data, .size = name.size};
    bool is_true = ep_text_equal(name, EP_TEXT("True"));
    if (is_true || ep_text_equal(name, EP_TEXT("False"))) {
        model.kind = is_true ? EP_TERM_TRUE : EP_TERM_FALSE;
        model.sorts = EP_CAN_BOOL;
        return ep_expression_leaf(r, &model) && take_operand(r);
    }
    if (is_taken(name)) { /* SPEC 4.1.5 */
        return ep_expression_fail(r, EP_EXPR_SYMBOL, name.data, "a name that sympy does not use");
    }
    model.sorts = (uint8_t)sorts_of_name(name);
    return ep_expression_symbol(r, &model, 0) && take_operand(r);
}

static bool read_name(ep_expression_reader *r) {
    ep_bytes name = {r->p, (size_t)(ep_identifier_end(r->p, r->end) - r->p)};
    r->p += name.size;
    if (r->p == r->end || *r->p != '(') {
        return read_symbol(r, name);
    }
    unsigned function = ep_function_find(EP_EXPRESSION_INFIX, name);
    if (function == EP_FUNCTION_COUNT) { /* SPEC 4.1.2 */
        return ep_expression_fail(r, EP_EXPR_FUNCTION, name.data, "a function");
    }
    r->p++;
    r->operand = r->p == r->end || *r->p != ')'; /* none at all: its number is judged */
    return ep_expression_open(r, EP_TERM_CALL, function, name.data);
}

static bool in_piecewise(const ep_expression_frame *frame) {
    return frame->kind == EP_TERM_CALL && frame->function == EP_FUNCTION_Piecewise;
}

/* A minus sign stands before a whole product only. */
static bool may_have_sign(const ep_expression_reader *r) {
    const ep_expression_frame *frame = r->frame;
    return r->terms.count == frame->product && frame->sum == frame->product &&
           frame->sign == NULL && frame->negation == NULL && frame->joint != EP_FUNCTION_FloorDiv;
}

static bool read_prefix(ep_expression_reader *r, char c) {
    ep_expression_frame *frame = r->frame;
    if (c == '-' && may_have_sign(r)) {
        frame->sign = r->p++;
        return true;
    }
    if (c == '~' && frame->negation == NULL) {
        frame->negation = r->p++;
        return true;
    }
    return ep_expression_fail(r, EP_EXPR, r->p, "an operand");
}

static bool read_operand(ep_expression_reader *r) {
    char c = r->p == r->end ? '\0' : *r->p;
    if (in_piecewise(r->frame)) {
        TRY(ep_expression_literal(r, EP_TEXT("(")));
        return ep_expression_open(r, EP_TERM_CALL, EP_FUNCTION_ExprCondPair, r->p - 1);
    }
    if (c == '(') {
        r->p++;
        return ep_expression_open(r, EP_TERM_GROUP, EP_FUNCTION_COUNT, r->p - 1);
    }
    if (ep_is_digit(c)) {
        return read_number(r);
    }
    return ep_is_word_start(c) ? read_name(r) : read_prefix(r, c);
}

/* ---------------------------------------------------------------- gathering */

/* A sign or slash takes the term on top. */
static bool take_mark(ep_expression_reader *r, ep_term_kind kind, const char *at) {
    const ep_term *inner = ep_expression_top(r);
    bool first = kind == EP_TERM_NEGATIVE && r->frame->sum + 1 == r->terms.count;
    /* no mark is read beside an arm */
    bool number = (inner->sorts & EP_CAN_NUMBER) != 0 && EP_ALWAYS(inner->sorts < EP_CAN_PAIR);
    if (!number && first) {
        return ep_expression_fail(r, EP_EXPR_TYPE, inner->at, "a number"); /* SPEC 4.1.4 */
    }
    /* another operand is refused with the product or sum, whose operands come from the left */
    ep_term model = {.kind = (uint8_t)kind, .at = number ? at : inner->at};
    model.sorts = number && kind == EP_TERM_QUOTIENT ? EP_CAN_FLOAT : inner->sorts;
    return ep_expression_wrap(r, &model, r->terms.count - 1);
}

static bool end_factor(ep_expression_reader *r) {
    const char *slash = r->frame->slash;
    r->frame->slash = NULL;
    return slash == NULL || take_mark(r, EP_TERM_QUOTIENT, slash);
}

/* Reduces the terms from a place on to the arguments of an operator, if it has any. */
static bool gather(ep_expression_reader *r, unsigned function, size_t base) {
    const ep_term *first = r->terms.items[base];
    return r->terms.count - base < 2 || ep_expression_call(r, function, first->at, base);
}

static bool end_product(ep_expression_reader *r) {
    ep_expression_frame *frame = r->frame;
    const char *sign = frame->sign;
    TRY(end_factor(r) && gather(r, EP_FUNCTION_Mul, frame->product));
    frame->sign = NULL;
    frame->product = r->terms.count;
    return sign == NULL || take_mark(r, EP_TERM_NEGATIVE, sign);
}

static bool end_sum(ep_expression_reader *r) {
    ep_expression_frame *frame = r->frame;
    TRY(end_product(r) && gather(r, EP_FUNCTION_Add, frame->sum));
    frame->sum = r->terms.count;
    frame->product = r->terms.count;
    return true;
}

/* What the parentheses of a FloorDiv hold is one term only by the operator. */
static bool end_argument(ep_expression_reader *r) {
    ep_expression_frame *frame = r->frame;
    TRY(end_sum(r));
    if (frame->joint != EP_FUNCTION_COUNT) {
        const char *at = r->terms.items[frame->item]->at;
        at = frame->joint == EP_FUNCTION_FloorDiv ? frame->at : at;
        TRY(ep_expression_call(r, frame->joint, at, frame->item));
    }
    return true;
}

/* ---------------------------------------------------------------- operators */

typedef enum sign {
    SIGN_COMMA,
    SIGN_CLOSE,
    SIGN_POWER,
    SIGN_TIMES,
    SIGN_OVER,
    SIGN_PLUS,
    SIGN_MINUS,
    SIGN_FLOOR,
    SIGN_RELATION,
    SIGN_LOGIC
} sign;

typedef struct sign_row {
    ep_bytes text;
    uint8_t sign;
    uint8_t function;
} sign_row;

/* Of two that begin alike the longer is first. */
static const sign_row signs[] = {
    {{", ", 2}, SIGN_COMMA, EP_FUNCTION_COUNT},
    {{")", 1}, SIGN_CLOSE, EP_FUNCTION_COUNT},
    {{"**", 2}, SIGN_POWER, EP_FUNCTION_Pow},
    {{"*", 1}, SIGN_TIMES, EP_FUNCTION_Mul},
    {{"//", 2}, SIGN_FLOOR, EP_FUNCTION_FloorDiv},
    {{"/", 1}, SIGN_OVER, EP_FUNCTION_Mul},
    {{" + ", 3}, SIGN_PLUS, EP_FUNCTION_Add},
    {{" - ", 3}, SIGN_MINUS, EP_FUNCTION_Add},
    {{" <= ", 4}, SIGN_RELATION, EP_FUNCTION_LessThan},
    {{" < ", 3}, SIGN_RELATION, EP_FUNCTION_StrictLessThan},
    {{" >= ", 4}, SIGN_RELATION, EP_FUNCTION_GreaterThan},
    {{" > ", 3}, SIGN_RELATION, EP_FUNCTION_StrictGreaterThan},
    {{" & ", 3}, SIGN_LOGIC, EP_FUNCTION_And},
    {{" | ", 3}, SIGN_LOGIC, EP_FUNCTION_Or},
};

/* The operator at the cursor; else NULL and a fault at the byte up to which
 * there could have been one. */
static const sign_row *find_sign(ep_expression_reader *r) {
    size_t left = (size_t)(r->end - r->p);
    size_t longest = 0;
    for (size_t i = 0; i < EP_COUNT_OF(signs); i++) {
        size_t n = 0;
        while (n < signs[i].text.size && n < left && r->p[n] == signs[i].text.data[n]) {
            n++;
        }
        if (n == signs[i].text.size) {
            return &signs[i];
        }
        longest = n > longest ? n : longest;
    }
    ep_expression_fail(r, EP_EXPR, r->p + longest, "an operator");
    return NULL;
}

static bool misplaced(ep_expression_reader *r) {
    return ep_expression_fail(r, EP_EXPR, r->p, "another operator"); /* SPEC 4.1.1 */
}

static bool is_pair(const ep_expression_frame *frame) {
    return frame->kind == EP_TERM_CALL && frame->function == EP_FUNCTION_ExprCondPair;
}

static bool read_comma(ep_expression_reader *r) {
    ep_expression_frame *frame = r->frame;
    bool second_of_pair = is_pair(frame) && frame->item != frame->base;
    if (frame->kind == EP_TERM_GROUP || second_of_pair) {
        return misplaced(r);
    }
    TRY(end_argument(r));
    frame->joint = EP_FUNCTION_COUNT;
    frame->item = r->terms.count;
    frame->sum = r->terms.count;
    frame->product = r->terms.count;
    return true;
}

/* The parentheses of a FloorDiv are its own; an arm has two parts. */
static bool read_close(ep_expression_reader *r) {
    const ep_expression_frame *frame = r->frame;
    bool first_of_pair = is_pair(frame) && frame->item == frame->base;
    if (frame->outer == NULL || first_of_pair) {
        return misplaced(r);
    }
    if (frame->item != r->terms.count) { /* not f() */
        TRY(end_argument(r));
    }
    ep_expression_frame closed = ep_expression_close(r);
    if (closed.kind == EP_TERM_CALL) {
        TRY(ep_expression_call(r, closed.function, closed.at, closed.base));
    } else if (closed.joint != EP_FUNCTION_FloorDiv) {
        ep_term model = {.kind = EP_TERM_GROUP, .at = closed.at};
        model.sorts = ep_expression_top(r)->sorts;
        TRY(ep_expression_wrap(r, &model, closed.base));
    }
    return take_operand(r);
}

/* Both sides of // are powers, and nothing else is in its parentheses. */
static bool begin_floor(ep_expression_reader *r) {
    ep_expression_frame *frame = r->frame;
    if (frame->kind != EP_TERM_GROUP || frame->outer == NULL || frame->joint != EP_FUNCTION_COUNT ||
        r->terms.count - frame->base != 1 || frame->sign != NULL) {
        return misplaced(r);
    }
    frame->joint = EP_FUNCTION_FloorDiv;
    return end_sum(r);
}

/* One relation, or operators of one kind, to an argument. */
static bool begin_joint(ep_expression_reader *r, const sign_row *row) {
    ep_expression_frame *frame = r->frame;
    bool again = row->sign == SIGN_LOGIC && frame->joint == row->function;
    if (frame->joint != EP_FUNCTION_COUNT && !again) {
        return misplaced(r);
    }
    TRY(end_sum(r));
    frame->joint = row->function;
    return true;
}

static bool begin_power(ep_expression_reader *r) {
    if (r->frame->powered) {
        return misplaced(r);
    }
    r->frame->power = true;
    return true;
}

/* What an operator does to the operands before it; the cursor is still on it. */
static bool apply(ep_expression_reader *r, const sign_row *row) {
    ep_expression_frame *frame = r->frame;
    bool in_floor = frame->joint == EP_FUNCTION_FloorDiv;
    if (in_floor && row->sign != SIGN_POWER && row->sign != SIGN_CLOSE) {
        return misplaced(r);
    }
    if (in_piecewise(frame) && row->sign != SIGN_COMMA && row->sign != SIGN_CLOSE) {
        return misplaced(r); /* nothing but arms */
    }
    switch ((sign)row->sign) {
    case SIGN_COMMA:
        return read_comma(r);
    case SIGN_CLOSE:
        return read_close(r);
    case SIGN_POWER:
        return begin_power(r);
    case SIGN_TIMES:
        return end_factor(r);
    case SIGN_OVER:
        TRY(end_factor(r));
        frame->slash = r->p;
        return true;
    case SIGN_PLUS:
        return end_product(r);
    case SIGN_MINUS:
        TRY(end_product(r));
        frame->sign = r->p + 1;
        return true;
    case SIGN_FLOOR:
        return begin_floor(r);
    case SIGN_RELATION:
    case SIGN_LOGIC:
        break;
    }
    return begin_joint(r, row);
}

static bool read_operator(ep_expression_reader *r) {
    if (r->p == r->end && r->frame->outer == NULL) {
        TRY(end_argument(r));
        r->frame = NULL;
        return true;
    }
    const sign_row *row = find_sign(r);
    TRY(row != NULL);
    r->operand = true; /* unless it closes */
    TRY(apply(r, row));
    r->p += row->text.size;
    return true;
}

bool ep_expression_read_infix(ep_expression_reader *r) {
    TRY(ep_expression_open(r, EP_TERM_GROUP, EP_FUNCTION_COUNT, r->p));
    while (r->frame != NULL) {
        TRY(r->operand ? read_operand(r) : read_operator(r));
    }
    return true;
}
