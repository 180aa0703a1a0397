/*
 * canon/terms.c - see canon/terms.h. Terms are made anew from the
 * inside out, with stacks instead of recursion. To compare two terms takes no
 * longer than the smaller one is large, so that sorting stays within n log n:
 * of siblings all but the largest are small.
 */
#include "canon/terms.h"

#include "base/sort.h"

typedef struct normalizing {
    ep_arena *arena;
    const ep_expression *expression;
    ep_canon_symbol *const *symbols;
    ep_stack open;      /* a term of the expression, and its next argument */
    ep_stack made;      /* the arguments that have been made */
    ep_stack pairs;     /* terms that are being compared */
    bool out_of_memory; /* found while comparing */
    bool alike;         /* what is being compared has other symbols that compare equal */
    bool tied;          /* and nothing else told some apart */
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
    int order = compare_texts(a->color, b->color);
    return order != 0 ? order : compare_sizes(a->look, b->look);
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

/* All but the arguments. */
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

/* Both or neither: what is compared without memory for all pairs pops pairs. */
static bool push_pair(normalizing *n, const ep_term *a, const ep_term *b) {
    TRY(ep_stack_reserve(&n->pairs, 2));
    n->pairs.words[n->pairs.count++] = ep_pointer_bits(a);
    n->pairs.words[n->pairs.count++] = ep_pointer_bits(b);
    return true;
}

static const ep_term *pop(ep_stack *stack) {
    return (const ep_term *)(uintptr_t)stack->words[--stack->count];
}

/* Without memory for a pair, anything: it is told afterwards. */
static int compare_terms(normalizing *n, const ep_term *a, const ep_term *b) {
    int order = 0;
    n->pairs.count = 0;
    n->alike = false;
    n->out_of_memory |= !push_pair(n, a, b);
    while (order == 0 && n->pairs.count > 0) {
        b = pop(&n->pairs);
        a = pop(&n->pairs);
        order = compare_heads(n, a, b);
        for (uint32_t i = a->number; order == 0 && !is_leaf(a) && i-- > 0;) {
            n->out_of_memory |= !push_pair(n, a->arguments[i], b->arguments[i]);
        }
    }
    n->tied = n->tied || (order == 0 && n->alike);
    return order;
}

/* What sorting is told of: terms by their places in a stack. */
typedef struct siblings {
    normalizing *n;
    const uint64_t *terms;
} siblings;

static int compare_siblings(const void *context, uint32_t a, uint32_t b) {
    const siblings *s = context;
    return compare_terms(s->n, (const ep_term *)(uintptr_t)s->terms[a],
                         (const ep_term *)(uintptr_t)s->terms[b]);
}

/* Puts the terms that were made last in order. */
static bool sort_last(normalizing *n, size_t base) {
    size_t count = n->made.count - base;
    uint64_t *terms = n->made.words + base;
    ep_arena_mark mark = ep_arena_now(n->arena);
    siblings s = {n, terms};
    const uint32_t *order = ep_sort_order(n->arena, count, compare_siblings, &s);
    uint64_t *scratch = ep_arena_array(n->arena, 0, count, sizeof *scratch);
    TRY(order != NULL && scratch != NULL && !n->out_of_memory);
    ep_sort_apply(order, terms, count, scratch);
    ep_arena_rewind(n->arena, mark);
    return true;
}

/* ------------------------------------------------------------------- products */

static bool push_made(normalizing *n, const ep_term *term) {
    return term != NULL && ep_stack_push(&n->made, ep_pointer_bits(term));
}

static const ep_term *made_at(const normalizing *n, size_t i) {
    return (const ep_term *)(uintptr_t)n->made.words[i];
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

/* Zero has no sign. */
static bool is_zero(ep_bytes number) {
    for (size_t i = 0; i < number.size; i++) {
        TRY(number.data[i] == '0' || number.data[i] == '.');
    }
    return true;
}

/* The text of a number times -1. */
static bool negate(normalizing *n, ep_bytes *number) {
    if (number->data[0] == '-' || is_zero(*number)) {
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

/* An integer or float times -1. */
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

/* Of what is made here, over may have had no memory. */
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

/* Takes the ones out of the factors from base on; whether they were an odd number
 * of times negative. */
static bool take_ones(normalizing *n, size_t base) {
    bool negative = false;
    size_t kept = base;
    for (size_t i = base; i < n->made.count; i++) {
        const ep_term *factor = made_at(n, i);
        bool minus = is_integer(factor, "-1");
        negative ^= minus;
        if (!minus && !is_integer(factor, "1")) {
            n->made.words[kept++] = n->made.words[i];
        }
    }
    n->made.count = kept;
    return negative;
}

/* The first number takes the sign, or there is a -1. */
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
        n->made.words[i] = ep_pointer_bits(turned);
        return turned != NULL;
    }
    return push_made(n, new_integer(n, EP_TEXT("-1")));
}

/* SPEC 6.7.2, step 1; the factors of products inside are there already. */
static bool make_factors(normalizing *n, size_t base) {
    bool negative = take_ones(n, base);
    TRY(sort_last(n, base) && (!negative || put_sign(n, base)));
    return n->made.count > base || push_made(n, new_integer(n, EP_TEXT("1")));
}

/* ---------------------------------------------------------------------- terms */

bool ep_canon_commutes(unsigned function) {
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

/* The greater side first: PyTorch looks for a symbol on the left. */
static void turn_last_two(normalizing *n) {
    uint64_t *sides = n->made.words + n->made.count - 2;
    const ep_term *first = made_at(n, n->made.count - 2);
    const ep_term *second = made_at(n, n->made.count - 1);
    if (compare_terms(n, first, second) != 0) {
        sides[0] = ep_pointer_bits(second);
        sides[1] = ep_pointer_bits(first);
    }
}

/* The terms from base on become one. */
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

/* Pow(Integer(n), Integer(-1)), with n above 1. */
static bool is_part(const normalizing *n, const ep_term *term, size_t base) {
    const ep_term *of = made_at(n, base);
    return term->function == EP_FUNCTION_Pow && of->kind == EP_TERM_INTEGER &&
           is_integer(made_at(n, base + 1), "-1") && ep_term_text(of).data[0] != '-' &&
           !is_integer(of, "0") && !is_integer(of, "1");
}

/* All arguments of a call are made, from base on. */
static bool close_call(normalizing *n, const ep_term *term, size_t base) {
    if (is_part(n, term, base)) {
        const ep_term *of = made_at(n, base);
        n->made.count = base;
        return push_made(n, rational(n, new_integer(n, EP_TEXT("1")), of));
    }
    if (term->function == EP_FUNCTION_Mul) {
        TRY(make_factors(n, base));
        if (n->made.count == base + 1) { /* it stands for the product */
            return true;
        }
    }
    TRY(!ep_canon_commutes(term->function) || sort_last(n, base));
    if (is_equation(term->function)) {
        turn_last_two(n);
    }
    return make_call(n, term, base);
}

/* A term that is open, in three words of the stack: which, its next argument, and
 * where what it is made of begins. */
enum { OPEN_WORDS = 3 };

static bool open_term(normalizing *n, const ep_term *term) {
    if (is_leaf(term)) {
        return push_made(n, term);
    }
    return ep_stack_push(&n->open, ep_pointer_bits(term)) && ep_stack_push(&n->open, 0) &&
           ep_stack_push(&n->open, n->made.count);
}

/* Whether the term on top is a factor of a product: its factors are this one's.
 * What is open is a call. */
static bool is_spread(const normalizing *n, const ep_term *term) {
    if (term->function != EP_FUNCTION_Mul || n->open.count < 2 * OPEN_WORDS) {
        return false;
    }
    uint64_t outer = n->open.words[n->open.count - 2 * OPEN_WORDS];
    return ((const ep_term *)(uintptr_t)outer)->function == EP_FUNCTION_Mul;
}

static bool make_terms(normalizing *n) {
    TRY(open_term(n, n->expression->root));
    while (n->open.count > 0) {
        uint64_t *top = n->open.words + n->open.count - OPEN_WORDS;
        const ep_term *term = (const ep_term *)(uintptr_t)top[0];
        uint64_t i = top[1]++;
        size_t base = (size_t)top[2];
        if (i < term->number) {
            TRY(open_term(n, term->arguments[i]));
            continue;
        }
        bool spread = is_spread(n, term);
        n->open.count -= OPEN_WORDS;
        TRY(spread || close_call(n, term, base));
    }
    return true;
}

const ep_term *ep_canon_normal(ep_arena *arena, const ep_expression *expression,
                               ep_canon_symbol *const *symbols, bool *tied) {
    normalizing n = {.arena = arena, .expression = expression, .symbols = symbols};
    ep_stack_init(&n.open, arena);
    ep_stack_init(&n.made, arena);
    ep_stack_init(&n.pairs, arena);
    bool ok = make_terms(&n);
    const ep_term *root = ok ? made_at(&n, 0) : NULL;
    if (tied != NULL) {
        *tied = *tied || n.tied;
    }
    ep_stack_free(&n.open);
    ep_stack_free(&n.made);
    ep_stack_free(&n.pairs);
    return root;
}
