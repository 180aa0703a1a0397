/*
 * canon/terms.c - see canon/terms.h. Terms are rebuilt bottom-up, with explicit stacks.
 * A comparison of two terms costs no more than the smaller one, so that sorting stays
 * within n log n (small-to-large): of siblings, all but the largest are small.
 */
#include "canon/terms.h"

#include "base/sort.h"

/* Two terms whose comparison is pending. */
typedef struct pair {
    const ep_term *a;
    const ep_term *b;
} pair;

/* A call whose arguments are being made. */
typedef struct opened {
    const ep_term *call;
    uint32_t next; /* the next argument to make */
    size_t base;   /* where its arguments begin in made */
} opened;

EP_STACK_OF(pairs, pair);
EP_STACK_OF(opened_stack, opened);

typedef struct normalizing {
    ep_arena *arena;
    const ep_expression *expression;
    ep_canon_symbol *const *symbols;
    opened_stack open;  /* of the expression */
    ep_terms made;      /* the arguments that have been made */
    pairs compared;     /* pending comparisons */
    bool out_of_memory; /* during a comparison */
    bool alike;         /* the comparison met different symbols that compare equal */
    bool tied;          /* some comparison was alike and found no difference */
} normalizing;

/* --------------------------------------------------------------------- order */

/* Kinds in the order of SPEC 6.7.2. */
static int rank_of(const ep_term *term) {
    static const uint8_t ranks[] = {
        [EP_TERM_INTEGER] = 0,  [EP_TERM_RATIONAL] = 1, [EP_TERM_FLOAT] = 2, [EP_TERM_SYMBOL] = 3,
        [EP_TERM_TRUE] = 4,     [EP_TERM_FALSE] = 5,    [EP_TERM_CALL] = 6,  [EP_TERM_GROUP] = 7,
        [EP_TERM_NEGATIVE] = 8, [EP_TERM_QUOTIENT] = 9,
    };
    return ranks[term->kind];
}

static int compare_sizes(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* The shorter text first. */
static int compare_texts(ep_bytes a, ep_bytes b) {
    int order = compare_sizes(a.size, b.size);
    return order != 0 ? order : ep_sort_texts(a, b);
}

static int compare_symbols(const ep_canon_symbol *a, const ep_canon_symbol *b) {
    if ((a->name.size == 0) != (b->name.size == 0)) {
        return a->name.size == 0 ? 1 : -1;
    }
    if (a->name.size > 0) {
        return compare_texts(a->name, b->name);
    }
    return compare_texts(a->color, b->color);
}

static bool is_leaf(const ep_term *term) {
    return term->kind != EP_TERM_CALL;
}

/* The texts of two numbers of one kind, one by one. */
static int compare_numbers(const ep_term *a, const ep_term *b) {
    int order = 0;
    if (a->kind != EP_TERM_RATIONAL) {
        order = compare_texts(ep_term_text(a), ep_term_text(b));
    }
    for (uint32_t i = 0; order == 0 && i < a->number; i++) {
        order = compare_texts(ep_term_text(a->arguments[i]), ep_term_text(b->arguments[i]));
    }
    return order;
}

/* Compares all but the arguments. */
static int compare_heads(normalizing *n, const ep_term *a, const ep_term *b) {
    int order = compare_sizes(a->height, b->height);
    order = order != 0 ? order : rank_of(a) - rank_of(b);
    if (order != 0) {
        return order;
    }
    switch ((ep_term_kind)a->kind) {
    case EP_TERM_INTEGER:
    case EP_TERM_RATIONAL:
    case EP_TERM_FLOAT:
        return compare_numbers(a, b);
    case EP_TERM_SYMBOL:
        order = compare_symbols(n->symbols[a->number], n->symbols[b->number]);
        n->alike = n->alike || (order == 0 && a->number != b->number);
        return order;
    case EP_TERM_CALL:
        order = compare_texts(ep_function_srepr(a->function), ep_function_srepr(b->function));
        return order != 0 ? order : compare_sizes(a->number, b->number);
    case EP_TERM_TRUE:
    case EP_TERM_FALSE:
    case EP_TERM_GROUP:
    case EP_TERM_NEGATIVE:
    case EP_TERM_QUOTIENT:
        break;
    }
    return 0;
}

/* Compares two terms. For want of memory the result is arbitrary, and the failure is
 * reported afterwards. */
static int compare_terms(normalizing *n, const ep_term *a, const ep_term *b) {
    int order = 0;
    n->compared.count = 0;
    n->alike = false;
    n->out_of_memory |= !pairs_push(&n->compared, (pair){a, b});
    while (order == 0 && n->compared.count > 0) {
        pair p = pairs_pop(&n->compared);
        order = compare_heads(n, p.a, p.b);
        for (uint32_t i = p.a->number; order == 0 && !is_leaf(p.a) && i-- > 0;) {
            pair arguments = {p.a->arguments[i], p.b->arguments[i]};
            n->out_of_memory |= !pairs_push(&n->compared, arguments);
        }
    }
    n->tied = n->tied || (order == 0 && n->alike);
    return order;
}

/* The context of sorting: terms by their indices in a stack. */
typedef struct siblings {
    normalizing *n;
    const ep_term *const *terms;
} siblings;

static int compare_siblings(const void *context, uint32_t a, uint32_t b) {
    const siblings *s = context;
    return compare_terms(s->n, s->terms[a], s->terms[b]);
}

/* Sorts the terms that were made last, from base on. */
static bool sort_last(normalizing *n, size_t base) {
    size_t count = n->made.count - base;
    const ep_term **terms = n->made.items + base;
    ep_arena_mark mark = ep_arena_now(n->arena);
    siblings s = {n, terms};
    const uint32_t *order = ep_sort_order(n->arena, count, compare_siblings, &s);
    const ep_term **scratch = ep_arena_array(n->arena, 0, count, sizeof *scratch);
    TRY(order != NULL && scratch != NULL && !n->out_of_memory);
    for (size_t i = 0; i < count; i++) {
        scratch[i] = terms[order[i]];
    }
    if (count > 0) {
        memcpy(terms, scratch, count * sizeof *terms);
    }
    ep_arena_rewind(n->arena, mark);
    return true;
}

/* ------------------------------------------------------------------- products */

static bool push_made(normalizing *n, const ep_term *term) {
    return term != NULL && ep_terms_push(&n->made, term);
}

static const ep_term *made_at(const normalizing *n, size_t i) {
    return n->made.items[i];
}

static ep_term *new_term(normalizing *n, const ep_term *model, size_t count) {
    ep_term *term = ep_arena_array(n->arena, sizeof *term, count, sizeof(ep_term *));
    if (term != NULL) {
        *term = *model;
        term->number = (uint32_t)count;
    }
    return term;
}

static ep_term *new_integer(normalizing *n, ep_bytes digits) {
    ep_term model = {.kind = EP_TERM_INTEGER, .at = digits.data, .size = digits.size};
    return new_term(n, &model, 0);
}

static bool is_integer(const ep_term *term, const char *digits) {
    return term->kind == EP_TERM_INTEGER && ep_text_equal(ep_term_text(term), ep_text_of(digits));
}

/* Multiplies the text of a number by -1. Zero has no sign. */
static bool negate(normalizing *n, ep_bytes *number) {
    if (number->data[0] == '-' || ep_digits_are_zero(*number)) {
        size_t sign = number->data[0] == '-';
        *number = (ep_bytes){number->data + sign, number->size - sign};
        return true;
    }
    char *text = ep_arena_alloc(n->arena, number->size + 1);
    TRY(text != NULL);
    text[0] = '-';
    memcpy(text + 1, number->data, number->size);
    *number = (ep_bytes){text, number->size + 1};
    return true;
}

/* An integer or float, multiplied by -1. */
static ep_term *negated(normalizing *n, const ep_term *number) {
    ep_bytes text = ep_term_text(number);
    if (!negate(n, &text)) {
        return NULL;
    }
    ep_term *term = new_term(n, number, number->number);
    if (term != NULL) {
        term->at = text.data;
        term->lead = 0;
        term->size = text.size;
        memcpy(term->arguments, number->arguments, number->number * sizeof(ep_term *));
    }
    return term;
}

/* A rational. over is NULL if making it failed for want of memory. */
static const ep_term *rational(normalizing *n, const ep_term *over, const ep_term *under) {
    ep_term model = {.kind = EP_TERM_RATIONAL};
    ep_term *term = new_term(n, &model, 2);
    if (term == NULL || over == NULL) {
        return NULL;
    }
    term->arguments[0] = over;
    term->arguments[1] = under;
    return term;
}

/* Removes the factors 1 and -1 from base on. Whether the number of factors -1 was odd. */
static bool take_ones(normalizing *n, size_t base) {
    bool negative = false;
    size_t kept = base;
    for (size_t i = base; i < n->made.count; i++) {
        const ep_term *factor = made_at(n, i);
        bool minus = is_integer(factor, "-1");
        negative ^= minus;
        if (!minus && !is_integer(factor, "1")) {
            n->made.items[kept++] = factor;
        }
    }
    n->made.count = kept;
    return negative;
}

/* Negates the first number among the factors, or adds a factor -1 if there is none. */
static bool put_sign(normalizing *n, size_t base) {
    for (size_t i = base; i < n->made.count; i++) {
        const ep_term *factor = made_at(n, i);
        if (factor->kind != EP_TERM_INTEGER && factor->kind != EP_TERM_RATIONAL &&
            factor->kind != EP_TERM_FLOAT) {
            continue;
        }
        const ep_term *turned =
            factor->kind != EP_TERM_RATIONAL
                ? negated(n, factor)
                : rational(n, negated(n, factor->arguments[0]), factor->arguments[1]);
        n->made.items[i] = turned;
        return turned != NULL;
    }
    return push_made(n, new_integer(n, EP_TEXT("-1")));
}

/* SPEC 6.7.2, step 1. The factors of nested products are already among them. */
static bool make_factors(normalizing *n, size_t base) {
    bool negative = take_ones(n, base);
    TRY(sort_last(n, base) && (!negative || put_sign(n, base)));
    return n->made.count > base || push_made(n, new_integer(n, EP_TEXT("1")));
}

/* ---------------------------------------------------------------------- terms */

/* Whether a function is commutative. */
static bool commutes(unsigned function) {
    static const uint8_t functions[] = {
        EP_FUNCTION_Add, EP_FUNCTION_Mul, EP_FUNCTION_Max,      EP_FUNCTION_Min,
        EP_FUNCTION_And, EP_FUNCTION_Or,  EP_FUNCTION_Equality, EP_FUNCTION_Unequality};
    for (size_t i = 0; i < EP_COUNT_OF(functions); i++) {
        if (functions[i] == function) {
            return true;
        }
    }
    return false;
}

static bool is_equation(unsigned function) {
    return function == EP_FUNCTION_Equality || function == EP_FUNCTION_Unequality;
}

/* Puts the greater side first: PyTorch looks for a symbol on the left. */
static void turn_last_two(normalizing *n) {
    const ep_term **sides = n->made.items + n->made.count - 2;
    const ep_term *first = sides[0];
    const ep_term *second = sides[1];
    if (compare_terms(n, first, second) != 0) {
        sides[0] = second;
        sides[1] = first;
    }
}

/* Replaces the terms from base on by one call of them. */
static bool make_call(normalizing *n, const ep_term *model, size_t base) {
    size_t count = n->made.count - base;
    ep_term *term = new_term(n, model, count);
    TRY(term != NULL);
    term->height = 0;
    for (size_t i = 0; i < count; i++) {
        const ep_term *argument = made_at(n, base + i);
        term->arguments[i] = argument;
        term->height = argument->height >= term->height ? argument->height + 1 : term->height;
    }
    n->made.count = base;
    return push_made(n, term);
}

/* Whether a term is Pow(Integer(n), Integer(-1)), with n above 1. */
static bool is_part(const normalizing *n, const ep_term *term, size_t base) {
    const ep_term *of = made_at(n, base);
    return term->function == EP_FUNCTION_Pow && of->kind == EP_TERM_INTEGER &&
           is_integer(made_at(n, base + 1), "-1") && ep_term_text(of).data[0] != '-' &&
           !is_integer(of, "0") && !is_integer(of, "1");
}

/* Closes a call all of whose arguments are made, from base on. */
static bool close_call(normalizing *n, const ep_term *term, size_t base) {
    if (is_part(n, term, base)) {
        const ep_term *of = made_at(n, base);
        n->made.count = base;
        return push_made(n, rational(n, new_integer(n, EP_TEXT("1")), of));
    }
    if (term->function == EP_FUNCTION_Mul) {
        TRY(make_factors(n, base));
        if (n->made.count == base + 1) { /* the one factor stands for the product */
            return true;
        }
    }
    TRY(!commutes(term->function) || sort_last(n, base));
    if (is_equation(term->function)) {
        turn_last_two(n);
    }
    return make_call(n, term, base);
}

static bool open_term(normalizing *n, const ep_term *term) {
    if (is_leaf(term)) {
        return push_made(n, term);
    }
    return opened_stack_push(&n->open, (opened){term, 0, n->made.count});
}

/* Whether a product is a factor of another product, which then gets its factors. All
 * open terms are calls. */
static bool is_spread(const normalizing *n, const ep_term *term) {
    return term->function == EP_FUNCTION_Mul && n->open.count > 1 &&
           n->open.items[n->open.count - 2].call->function == EP_FUNCTION_Mul;
}

static bool make_terms(normalizing *n) {
    TRY(open_term(n, n->expression->root));
    while (n->open.count > 0) {
        opened *top = opened_stack_top(&n->open);
        const ep_term *call = top->call;
        if (top->next < call->number) {
            TRY(open_term(n, call->arguments[top->next++]));
            continue;
        }
        size_t base = top->base;
        bool spread = is_spread(n, call);
        n->open.count--;
        TRY(spread || close_call(n, call, base));
    }
    return true;
}

const ep_term *ep_canon_normal(ep_arena *arena, const ep_expression *expression,
                               ep_canon_symbol *const *symbols, bool *tied) {
    normalizing n = {.arena = arena, .expression = expression, .symbols = symbols};
    opened_stack_init(&n.open, arena);
    ep_terms_init(&n.made, arena);
    pairs_init(&n.compared, arena);
    bool ok = make_terms(&n);
    const ep_term *root = ok ? made_at(&n, 0) : NULL;
    if (tied != NULL) {
        *tied = *tied || n.tied;
    }
    opened_stack_free(&n.open);
    ep_terms_free(&n.made);
    pairs_free(&n.compared);
    return root;
}
