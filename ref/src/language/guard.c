/*
 * language/guard.c - see guard.h. A pushdown automaton: a loop reads an operand, then
 * what may follow one; open brackets are frames on a stack. Two sorts are
 * distinguished, number and boolean, so that the fault of a line of Python that is no
 * condition is at the byte where it cannot be one any more.
 */
#include "language/guard.h"

#include "base/stack.h"
#include "json/number.h"

/* ------------------------------------------------------------------ the lists */

/* A negative number is in brackets only behind an arithmetic sign. */
typedef enum operator_kind { ARITHMETIC, BITWISE, RELATION, LOGIC, IF, ELSE } operator_kind;

typedef struct operator_row {
    const char *text; /* with its blanks */
    operator_kind kind;
} operator_row;

/* SPEC 4.4.3 */
static const operator_row operators[] = {
    {" + ", ARITHMETIC}, {"*", ARITHMETIC},    {" // ", ARITHMETIC}, {" / ", ARITHMETIC},
    {" % ", ARITHMETIC}, {" ** ", ARITHMETIC}, {" & ", BITWISE},     {" | ", BITWISE},
    {" ^ ", BITWISE},    {" == ", RELATION},   {" != ", RELATION},   {" <= ", RELATION},
    {" >= ", RELATION},  {" < ", RELATION},    {" > ", RELATION},    {" and ", LOGIC},
    {" or ", LOGIC},     {" if ", IF},         {" else ", ELSE},
};

typedef struct function_row {
    const char *name;
    uint8_t least; /* arguments */
    uint8_t most;
} function_row;

enum { MANY = UINT8_MAX };

/* SPEC 4.4.4: functions of numbers. */
static const function_row functions[] = {
    {"IsNonOverlappingAndDenseIndicator", 1, MANY},
    {"abs", 1, 1},
    {"cast_symbool_to_symint_guardless", 1, 1},
    {"math.acos", 1, 1},
    {"math.asin", 1, 1},
    {"math.atan", 1, 1},
    {"math.ceil", 1, 1},
    {"math.cos", 1, 1},
    {"math.cosh", 1, 1},
    {"math.floor", 1, 1},
    {"math.log2", 1, 1},
    {"math.sin", 1, 1},
    {"math.sinh", 1, 1},
    {"math.sqrt", 1, 1},
    {"math.tan", 1, 1},
    {"math.tanh", 1, 1},
    {"math.trunc", 1, 1},
    {"max", 2, MANY},
    {"min", 2, MANY},
    {"round", 1, 2},
    {"torch._sym_sqrt", 1, 1},
    {"torch.sym_float", 1, 1},
    {"torch.sym_max", 2, 2},
    {"torch.sym_min", 2, 2},
};

typedef struct constant_row {
    const char *name;
    bool boolean;
} constant_row;

static const constant_row constants[] = {
    {"False", true},
    {"True", true},
    {"math.inf", false},
    {"math.nan", false},
};

typedef struct method_row {
    const char *name;
    bool indexed; /* what it returns is, by a number */
} method_row;

/* SPEC 4.4.2: the properties of a tensor. */
static const method_row methods[] = {
    {"item", false}, {"size", true}, {"storage_offset", false}, {"stride", true}};

/* ----------------------------------------------------------------- the parser */

typedef enum sort { NOTHING, NUMBER, BOOLEAN } sort;

typedef enum frame_kind { WHOLE, BRACKET, NEGATION, CALL } frame_kind;

/* A frame: an open bracket, and the state of its content so far. */
typedef struct frame {
    uint8_t kind;      /* frame_kind */
    uint8_t function;  /* of a CALL */
    uint8_t arguments; /* before this one; MANY is the most that is counted */
    uint8_t sort;      /* of the operand before the cursor */
    uint8_t chosen;    /* the sort before " if " */
    bool number;       /* the next operand has to be one */
    bool signless;     /* ... and has no sign of its own */
    bool states : 1;   /* a relation since the last word */
    bool joined : 1;   /* by a word: and, or */
    bool asks : 1;     /* between " if " and " else " */
} frame;

EP_STACK_OF(frames, frame);
EP_STACK_OF(tokens, ep_guard_token);

typedef struct parser {
    const ep_passage *passage;
    const char *p;
    const char *end;
    size_t depth;
    frame top;
    frames below; /* the top */
    tokens made;
    ep_fault *fault;
} parser;

static bool fail_at(parser *g, const char *at, const char *expected) {
    return ep_passage_fail(g->passage, g->fault, EP_GUARD, at, expected);
}

static bool fail(parser *g, const char *expected) {
    return fail_at(g, g->p, expected);
}

static bool limit(parser *g, ep_code code) {
    return ep_passage_fail(g->passage, g->fault, code, g->p, NULL);
}

static bool is_next(const parser *g, ep_bytes text) {
    return (size_t)(g->end - g->p) >= text.size && memcmp(g->p, text.data, text.size) == 0;
}

static bool is_byte(const parser *g, char c) {
    return g->p < g->end && *g->p == c;
}

/* Letters, digits, underscores and all that is not ASCII. */
static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || ep_is_digit(c) ||
           (unsigned char)c >= 0x80;
}

/* Keeps the text from begin to the cursor as a token. No string is so long that 32 bits
 * do not count its bytes (base/text.h). */
static bool token(parser *g, ep_guard_kind kind, const char *begin) {
    uint32_t offset = (uint32_t)(begin - g->passage->text.data);
    ep_guard_token made = {offset, (uint32_t)(g->p - begin), (uint8_t)kind};
    return tokens_push(&g->made, made) || limit(g, EP_MEMORY);
}

/* Over a text that is next, which becomes a token. */
static bool pass(parser *g, ep_guard_kind kind, size_t size) {
    const char *begin = g->p;
    g->p += size;
    return token(g, kind, begin);
}

/* -------------------------------------------------------------------- sources */

/* As repr writes it. */
static bool is_hex(char c) {
    return ep_is_digit(c) || (c >= 'a' && c <= 'f');
}

/* An escape of a quoted text; the cursor is on the backslash. The first digit after
 * which no character can have the number is wrong. */
static bool pass_escape(parser *g) {
    static const char marks[] = "xuU";
    static const uint8_t digits[] = {2, 4, 8};
    const char *begin = g->p;
    uint64_t number = 0;
    size_t n = 0;
    if (++g->p == g->end) {
        return fail(g, NULL);
    }
    for (size_t i = 0; i < sizeof marks - 1; i++) {
        n = *g->p == marks[i] ? digits[i] : n;
    }
    if (n == 0 && *g->p != '\\' && *g->p != '\'' && *g->p != 'n' && *g->p != 'r' && *g->p != 't') {
        return fail_at(g, begin, NULL);
    }
    for (g->p++; n > 0; n--, g->p++) {
        if (g->p == g->end || !is_hex(*g->p)) {
            return fail(g, NULL);
        }
        number = number * 16 + (unsigned)ep_hex_value(*g->p);
        if (number << 4 * (n - 1) > 0x10FFFF) {
            return fail(g, NULL);
        }
    }
    return true;
}

/* A text as Python's repr quotes it: in double quotes if it holds a single one
 * and none of the other kind, else in single ones. */
static bool pass_quoted(parser *g) {
    if (!is_byte(g, '\'') && !is_byte(g, '"')) {
        return fail(g, "a quoted name");
    }
    char quote = *g->p++;
    bool has_single = false;
    bool has_double = false;
    while (g->p < g->end && *g->p != quote) {
        has_double = has_double || *g->p == '"';
        has_single = has_single || *g->p == '\'' || is_next(g, EP_TEXT("\\'"));
        if ((unsigned char)*g->p < ' ' || *g->p == '\x7F' || is_next(g, EP_TEXT("\\\"")) ||
            (quote == '"' && is_next(g, EP_TEXT("\\'")))) {
            return fail(g, "a name as Python quotes it");
        }
        if (*g->p == '\\') {
            TRY(pass_escape(g));
        } else {
            g->p++;
        }
    }
    if (g->p == g->end || (quote == '"' ? !has_single : has_single && !has_double)) {
        return fail(g, "a name as Python quotes it");
    }
    g->p++;
    return true;
}

/* A sign and digits; returns where these begin. */
static const char *pass_digits(parser *g) {
    g->p += is_byte(g, '-') ? 1 : 0;
    const char *first = g->p;
    while (g->p < g->end && ep_is_digit(*g->p)) {
        g->p++;
    }
    return first;
}

/* An integer from begin to the cursor is written as Python writes it: neither
 * 01 nor -0. */
static bool check_integer(parser *g, const char *begin) {
    size_t size = (size_t)(g->p - begin);
    bool zero = begin[*begin == '-' ? 1 : 0] == '0';
    if (zero && size != 1) {
        return fail_at(g, begin, "a number as Python writes it");
    }
    return true;
}

static bool pass_integer(parser *g) {
    const char *begin = g->p;
    if (pass_digits(g) == g->p) {
        return fail_at(g, begin, "a digit");
    }
    return check_integer(g, begin);
}

/* [3], [-1], ['key'], [True] */
static bool pass_index(parser *g, bool number) {
    const char *begin = g->p;
    if (!is_byte(g, '[')) {
        return fail(g, "an index");
    }
    g->p++;
    bool digit = g->p < g->end && (ep_is_digit(*g->p) || *g->p == '-');
    if (digit || number) {
        TRY(pass_integer(g));
    } else if (is_next(g, EP_TEXT("True")) || is_next(g, EP_TEXT("False"))) {
        const char *word = g->p;
        g->p += *g->p == 'T' ? 4 : 5;
        if (g->p < g->end && (in_name(*g->p) || *g->p == '.')) {
            return fail_at(g, word, "an index"); /* another word */
        }
    } else {
        TRY(pass_quoted(g));
    }
    if (!is_byte(g, ']')) {
        return fail(g, NULL);
    }
    g->p++;
    return token(g, EP_GUARD_INDEX, begin);
}

/* .attribute or .method(); last: nothing more follows of the source. */
static bool pass_member(parser *g, bool *last) {
    const char *begin = g->p++;
    if (g->p == g->end || !in_name(*g->p) || ep_is_digit(*g->p)) {
        return fail(g, "an attribute");
    }
    while (g->p < g->end && in_name(*g->p)) {
        g->p++;
    }
    if (!is_byte(g, '(')) {
        return token(g, EP_GUARD_ATTRIBUTE, begin);
    }
    ep_bytes name = {begin + 1, (size_t)(g->p - begin - 1)};
    for (size_t i = 0; i < EP_COUNT_OF(methods); i++) {
        if (ep_text_equal(name, ep_text_of(methods[i].name))) {
            g->p++;
            if (!is_byte(g, ')')) {
                return fail(g, NULL);
            }
            g->p++;
            *last = true;
            TRY(token(g, EP_GUARD_METHOD, begin));
            return !methods[i].indexed || pass_index(g, true);
        }
    }
    return fail_at(g, begin, "a property of a tensor");
}

/* SPEC 4.4.2: L['x'], and what is reached from there. */
static bool pass_source(parser *g) {
    const char *begin = g->p;
    bool last = false;
    g->p += 2;
    TRY(pass_quoted(g));
    if (!is_byte(g, ']')) {
        return fail(g, NULL);
    }
    g->p++;
    TRY(token(g, EP_GUARD_LOCAL, begin));
    while (!last && g->p < g->end && (*g->p == '[' || *g->p == '.')) {
        if (*g->p == '[') {
            TRY(pass_index(g, false));
        } else {
            TRY(pass_member(g, &last));
        }
    }
    return true;
}

/* ------------------------------------------------------------------- operands */

/* An operand ends before the cursor. */
static bool take_operand(parser *g, const char *at, sort of) {
    if (g->top.number && of != NUMBER) {
        return fail_at(g, at, "a number");
    }
    g->top.sort = (uint8_t)of;
    g->top.number = false;
    g->top.signless = false;
    return true;
}

/* What follows the digits of a float. */
static bool is_float_byte(char c) {
    return ep_is_digit(c) || c == '.' || c == 'e' || c == '+' || c == '-';
}

/* The rest of a float, whose digits before the point are passed. */
static bool pass_float(parser *g, const char *begin) {
    char text[EP_FLOAT_TEXT_SIZE];
    while (g->p < g->end && is_float_byte(*g->p)) {
        g->p++;
    }
    ep_bytes written = {begin, (size_t)(g->p - begin)};
    if (written.size <= sizeof text && ep_number_is_json(begin, written.size)) {
        double value = ep_number_read_float(begin, written.size);
        if (ep_text_equal(written, (ep_bytes){text, ep_number_print_float(value, text)})) {
            return true;
        }
    }
    return fail_at(g, begin, "a number as Python writes it");
}

/* 12, -1, 0.5, 1e-05, 1/2 */
static bool pass_number(parser *g) {
    const char *begin = g->p;
    pass_digits(g);
    if (g->p < g->end && (*g->p == '.' || *g->p == 'e')) {
        TRY(pass_float(g, begin));
    } else {
        TRY(check_integer(g, begin));
        if (is_byte(g, '/')) {
            g->p++;
            if (g->p == g->end || !ep_is_digit(*g->p) || *g->p == '0') {
                return fail(g, "a denominator");
            }
            pass_digits(g);
        }
    }
    TRY(token(g, EP_GUARD_NUMBER, begin));
    return take_operand(g, begin, NUMBER);
}

/* Opens a frame behind a bracket, which is a token. */
static bool open_frame(parser *g, frame_kind kind, size_t function) {
    if (g->below.count >= g->depth) {
        return limit(g, EP_LIMIT_DEPTH);
    }
    if (!frames_push(&g->below, g->top)) {
        return limit(g, EP_MEMORY);
    }
    TRY(pass(g, EP_GUARD_OPEN, 1));
    g->top = (frame){.kind = (uint8_t)kind, .function = (uint8_t)function};
    g->top.number = kind == CALL;
    return true;
}

/* A name with dots: a constant, or a function up to its first argument. */
static bool pass_word(parser *g) {
    const char *begin = g->p;
    g->p += is_byte(g, '-') ? 1 : 0;
    const char *name_begin = g->p;
    while (g->p < g->end && (in_name(*g->p) || *g->p == '.')) {
        g->p++;
    }
    ep_bytes name = {name_begin, (size_t)(g->p - name_begin)};
    for (size_t i = 0; i < EP_COUNT_OF(constants); i++) {
        bool fits = name_begin == begin || ep_text_equal(name, EP_TEXT("math.inf"));
        if (fits && ep_text_equal(name, ep_text_of(constants[i].name))) {
            TRY(token(g, EP_GUARD_CONSTANT, begin));
            return take_operand(g, begin, constants[i].boolean ? BOOLEAN : NUMBER);
        }
    }
    for (size_t i = 0; i < EP_COUNT_OF(functions) && name_begin == begin && is_byte(g, '('); i++) {
        if (ep_text_equal(name, ep_text_of(functions[i].name))) {
            TRY(token(g, EP_GUARD_FUNCTION, begin));
            return open_frame(g, CALL, i);
        }
    }
    return fail_at(g, begin, "an operand");
}

/* One operand, or one bracket before it. */
static bool pass_operand(parser *g) {
    const char *begin = g->p;
    if (is_next(g, EP_TEXT("L["))) {
        TRY(pass_source(g));
        return take_operand(g, begin, NUMBER);
    }
    if (is_byte(g, '(')) {
        return open_frame(g, BRACKET, 0);
    }
    if (is_next(g, EP_TEXT("not (")) && !g->top.number) {
        TRY(pass(g, EP_GUARD_OPERATOR, 4));
        return open_frame(g, NEGATION, 0);
    }
    bool minus = is_byte(g, '-');
    if (minus && g->top.signless) {
        return fail(g, "an operand without a sign");
    }
    const char *first = g->p + minus;
    return first < g->end && ep_is_digit(*first) ? pass_number(g) : pass_word(g);
}

/* ------------------------------------------------------- what follows operands */

/* The sort of what the frame holds so far; false when a word joins a number. */
static bool sum_up(parser *g, sort *of) {
    *of = g->top.states ? BOOLEAN : (sort)g->top.sort;
    if (g->top.joined && *of != BOOLEAN) {
        return fail(g, "a condition");
    }
    return true;
}

/* A new condition or choice begins in the same frame. */
static void begin_again(frame *top) {
    top->states = false;
    top->joined = false;
    top->sort = NOTHING;
}

/* Behind a word, which ends a condition. */
static bool apply_word(parser *g, operator_kind kind) {
    frame *top = &g->top;
    sort of;
    bool fits = true;
    TRY(sum_up(g, &of));
    begin_again(top);
    if (kind == LOGIC) {
        fits = of == BOOLEAN;
        top->joined = true;
    } else if (kind == IF) {
        fits = top->kind == BRACKET && top->chosen == NOTHING;
        top->chosen = (uint8_t)of;
        top->asks = true;
    } else {
        fits = top->asks && of == BOOLEAN;
        top->asks = false;
    }
    return fits || fail(g, NULL);
}

/* SPEC 4.4.3: numbers on both sides of a sign, conditions of a word; relations
 * do not follow each other. */
static bool apply(parser *g, operator_kind kind) {
    frame *top = &g->top;
    if (kind >= LOGIC) {
        return apply_word(g, kind);
    }
    if (top->sort != NUMBER || (kind == RELATION && top->states)) {
        return fail(g, NULL);
    }
    top->number = true;
    top->signless = kind == ARITHMETIC;
    top->states = top->states || kind == RELATION;
    return true;
}

/* An argument ends; the cursor is on what ends it. */
static bool end_argument(parser *g) {
    sort of;
    TRY(sum_up(g, &of));
    if (g->top.arguments < MANY) {
        g->top.arguments++;
    }
    return of == NUMBER || fail(g, NULL);
}

/* The cursor is on a comma, behind which another argument is due. */
static bool next_argument(parser *g) {
    uint8_t most = functions[g->top.function].most;
    TRY(end_argument(g));
    if (most != MANY && g->top.arguments >= most) {
        return fail(g, NULL);
    }
    begin_again(&g->top);
    g->top.number = true;
    return pass(g, EP_GUARD_COMMA, 2);
}

static bool close_call(parser *g) {
    TRY(end_argument(g));
    return g->top.arguments >= functions[g->top.function].least || fail(g, "another argument");
}

/* The cursor is on a closing bracket. */
static bool close_frame(parser *g) {
    sort of = NUMBER;
    bool fits = g->top.kind != WHOLE;
    if (g->top.kind == CALL) {
        TRY(close_call(g));
    } else {
        TRY(sum_up(g, &of));
        fits = fits && !g->top.asks && (g->top.kind != NEGATION || of == BOOLEAN) &&
               (g->top.chosen == NOTHING || g->top.chosen == of);
    }
    if (!fits) {
        return fail(g, NULL);
    }
    const char *at = g->p;
    TRY(pass(g, EP_GUARD_CLOSE, 1));
    g->top = frames_pop(&g->below);
    return take_operand(g, at, of);
}

/* An operator or a comma, behind which an operand is due. */
static bool pass_operator(parser *g) {
    if (g->top.kind == CALL && is_next(g, EP_TEXT(", "))) {
        return next_argument(g);
    }
    for (size_t i = 0; i < EP_COUNT_OF(operators); i++) {
        ep_bytes text = ep_text_of(operators[i].text);
        if (is_next(g, text)) {
            return apply(g, operators[i].kind) && pass(g, EP_GUARD_OPERATOR, text.size);
        }
    }
    return fail(g, NULL);
}

/* SPEC 4.4.1: a condition, from the first byte to the last. */
static bool pass_guard(parser *g) {
    sort of;
    for (;;) {
        do {
            TRY(pass_operand(g));
        } while (g->top.sort == NOTHING);
        while (is_byte(g, ')')) {
            TRY(close_frame(g));
        }
        if (g->p == g->end) {
            TRY(sum_up(g, &of));
            return (g->top.kind == WHOLE && of == BOOLEAN) || fail(g, NULL);
        }
        TRY(pass_operator(g));
    }
}

bool ep_guard_parse(ep_arena *arena, const ep_passage *passage, size_t depth,
                    const ep_guard **guard, ep_fault *fault) {
    ep_bytes text = passage->text;
    parser g = {.passage = passage, .p = text.data, .end = text.data + text.size};
    g.depth = depth;
    g.fault = fault;
    frames_init(&g.below, arena);
    tokens_init(&g.made, arena);
    bool ok = pass_guard(&g);
    frames_free(&g.below);
    size_t size = g.made.count * sizeof(ep_guard_token); /* as large as the stack is */
    ep_guard *made = ok ? ep_arena_alloc(arena, sizeof *made) : NULL;
    ep_guard_token *kept = made != NULL ? ep_arena_alloc(arena, size) : NULL;
    if (kept != NULL) {
        memcpy(kept, g.made.items, size);
        *made = (ep_guard){text, g.made.count, kept};
    } else if (ok) {
        ok = limit(&g, EP_MEMORY);
    }
    tokens_free(&g.made);
    *guard = ok ? made : NULL;
    return ok;
}
