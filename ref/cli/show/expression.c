/*
 * expression.c - see expression.h. One pass over the calls with a stack of
 * those that are open: an operator's sign is put where its commas are, and
 * parentheses where the operator around it binds tighter.
 */
#include "expression.h"

#include <string.h>

#include "common/macros.h"
#include "common/memory.h"
#include "common/safe.h"

/* How tight an operator binds. */
enum {
    LOOSE = 0, /* what stands alone, or in parentheses */
    OR = 1,
    AND = 2,
    RELATION = 3,
    BITS = 4,
    SUM = 5,
    PRODUCT = 6,
    POWER = 7,
    ATOM = 8
};

typedef struct operator_row {
    const char *name;
    const char *opening; /* of a function, NULL for an operator */
    const char *between;
    int binding;
    int left;  /* what the first operand has to bind at least */
    int right; /* the others */
} operator_row;

static const operator_row operators[] = {
    {"Add", NULL, " + ", SUM, SUM, SUM},
    {"Mul", NULL, "*", PRODUCT, PRODUCT, POWER},
    {"FloorDiv", NULL, "//", PRODUCT, PRODUCT, POWER},
    {"CleanDiv", NULL, "//", PRODUCT, PRODUCT, POWER},
    {"IntTrueDiv", NULL, "/", PRODUCT, PRODUCT, POWER},
    {"FloatTrueDiv", NULL, "/", PRODUCT, PRODUCT, POWER},
    {"Mod", NULL, " % ", PRODUCT, PRODUCT, POWER},
    {"PythonMod", NULL, " % ", PRODUCT, PRODUCT, POWER},
    {"Pow", NULL, "**", POWER, ATOM, ATOM},
    {"PowByNatural", NULL, "**", POWER, ATOM, ATOM},
    {"FloatPow", NULL, "**", POWER, ATOM, ATOM},
    {"LShift", NULL, " << ", BITS, ATOM, ATOM},
    {"RShift", NULL, " >> ", BITS, ATOM, ATOM},
    {"BitwiseFn_bitwise_and", NULL, " & ", BITS, ATOM, ATOM},
    {"BitwiseFn_bitwise_or", NULL, " | ", BITS, ATOM, ATOM},
    {"BitwiseFn_bitwise_xor", NULL, " ^ ", BITS, ATOM, ATOM},
    {"Equality", NULL, " == ", RELATION, BITS, BITS},
    {"Unequality", NULL, " != ", RELATION, BITS, BITS},
    {"LessThan", NULL, " <= ", RELATION, BITS, BITS},
    {"StrictLessThan", NULL, " < ", RELATION, BITS, BITS},
    {"GreaterThan", NULL, " >= ", RELATION, BITS, BITS},
    {"StrictGreaterThan", NULL, " > ", RELATION, BITS, BITS},
    {"And", NULL, " and ", AND, RELATION, RELATION},
    {"Or", NULL, " or ", OR, AND, AND},
    {"Max", "max(", ", ", ATOM, LOOSE, LOOSE},
    {"Min", "min(", ", ", ATOM, LOOSE, LOOSE},
    {"Not", "not(", ", ", ATOM, LOOSE, LOOSE},
    {"ToFloat", "float(", ", ", ATOM, LOOSE, LOOSE},
    {"TruncToInt", "trunc(", ", ", ATOM, LOOSE, LOOSE},
    {"OpaqueUnaryFn_sqrt", "sqrt(", ", ", ATOM, LOOSE, LOOSE},
    {"ExprCondPair", "(", ", ", ATOM, LOOSE, LOOSE},
};

static const operator_row other_function = {NULL, NULL, ", ", ATOM, LOOSE, LOOSE};

/* An operator or function whose operands are being read. */
typedef struct call {
    const operator_row *row;
    size_t operands;
    bool closes; /* puts a parenthesis at its end */
    bool silent; /* no sign before the next operand: the factor -1 was said */
} call;

typedef struct reader {
    const char *p;
    const char *end;
    buffer *out;
    call *calls;
    size_t depth;
    size_t capacity;
    bool negated; /* a minus was put: the next integer goes without its own */
} reader;

/* -------------------------------------------------------------------- tokens */

static bool at(const reader *r, char c) {
    return r->p < r->end && *r->p == c;
}

static bool take(reader *r, char c) {
    bool there = at(r, c);
    r->p += there;
    return there;
}

static void skip_spaces(reader *r) {
    while (take(r, ' ')) {
    }
}

static bool is_letter(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return '0' <= c && c <= '9';
}

static ep_bytes take_name(reader *r) {
    const char *start = r->p;
    while (r->p < r->end && (is_letter(*r->p) || (r->p > start && is_digit(*r->p)))) {
        r->p++;
    }
    return (ep_bytes){start, (size_t)(r->p - start)};
}

static ep_bytes take_integer(reader *r) {
    const char *start = r->p;
    r->p += at(r, '-');
    const char *digits = r->p;
    while (r->p < r->end && is_digit(*r->p)) {
        r->p++;
    }
    return (ep_bytes){start, r->p == digits ? 0 : (size_t)(r->p - start)};
}

/* What is between quotes; there are no escapes in what PyTorch writes. */
static bool take_quoted(reader *r, ep_bytes *text) {
    char quote = at(r, '"') ? '"' : '\'';
    TRY(take(r, quote));
    const char *start = r->p;
    while (r->p < r->end && *r->p != quote && *r->p != '\\') {
        r->p++;
    }
    *text = (ep_bytes){start, (size_t)(r->p - start)};
    return take(r, quote);
}

/* Whether a text stands here, spaces aside. */
static bool follows(const reader *r, const char *text) {
    const char *p = r->p;
    while (p < r->end && *p == ' ') {
        p++;
    }
    size_t size = strlen(text);
    return (size_t)(r->end - p) >= size && memcmp(p, text, size) == 0;
}

/* -------------------------------------------------------------------- operands */

static call *top(const reader *r) {
    return r->depth > 0 ? &r->calls[r->depth - 1] : NULL;
}

/* How tight an operand has to bind where the reader is. */
static int needed(const reader *r) {
    const call *c = top(r);
    return c == NULL ? LOOSE : c->operands == 0 ? c->row->left : c->row->right;
}

/* What stands between the operands of a call. */
static void put_between(reader *r) {
    call *c = top(r);
    if (c == NULL || c->operands == 0) {
        return;
    }
    if (c->silent) {
        c->silent = false;
        return;
    }
    bool sum = c->row->binding == SUM;
    r->negated = sum && (follows(r, "Integer(-") || follows(r, "Mul(Integer(-"));
    buffer_text(r->out, r->negated ? " - " : c->row->between);
}

/* The factor -1, alone before the other factors, is a minus sign. */
static bool is_bare_minus(const reader *r, ep_bytes digits) {
    const call *c = top(r);
    bool factor = c != NULL && c->row->name != NULL && strcmp(c->row->name, "Mul") == 0;
    return factor && c->operands == 0 && bytes_equal(digits, "-1") && follows(r, "),");
}

static bool put_integer(reader *r) {
    ep_bytes digits = take_integer(r);
    bool negative = digits.size > 0 && digits.data[0] == '-';
    TRY(digits.size != 0);
    if (is_bare_minus(r, digits)) {
        buffer_text(r->out, r->negated ? "" : "-");
        top(r)->silent = true;
    } else {
        bool first = top(r) == NULL || top(r)->operands == 0;
        bool bare = r->negated || !negative || needed(r) <= (first ? PRODUCT : SUM);
        size_t skipped = r->negated && negative ? 1 : 0;
        buffer_text(r->out, bare ? "" : "(");
        buffer_put(r->out, digits.data + skipped, digits.size - skipped);
        buffer_text(r->out, bare ? "" : ")");
    }
    r->negated = false;
    return take(r, ')');
}

/* Symbol('s0', integer=True), Float('0.5', precision=53): the quoted part. */
static bool put_named(reader *r) {
    ep_bytes text;
    TRY(take_quoted(r, &text));
    safe_text(r->out, text);
    while (r->p < r->end && *r->p != ')' && *r->p != '(') {
        r->p++;
    }
    return take(r, ')');
}

static const operator_row *row_of(ep_bytes name) {
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (bytes_equal(name, operators[i].name)) {
            return &operators[i];
        }
    }
    return &other_function;
}

static bool push(reader *r, call opened) {
    if (!memory_room(&r->calls, r->depth, &r->capacity, sizeof opened)) {
        r->out->failed = true;
        return false;
    }
    r->calls[r->depth++] = opened;
    return true;
}

/* Opens a call, behind its "(". */
static bool open_call(reader *r, ep_bytes name) {
    call opened = {.row = row_of(name)};
    bool function = opened.row->binding == ATOM;
    opened.closes = function || opened.row->binding < needed(r);
    if (opened.row->opening != NULL) {
        buffer_text(r->out, opened.row->opening);
    } else if (function) {
        buffer_put(r->out, name.data, name.size);
    }
    if (opened.closes && opened.row->opening == NULL) {
        buffer_byte(r->out, '(');
    }
    return push(r, opened);
}

/* One operand: an atom, or the beginning of a call. *open: it is the latter. */
static bool read_operand(reader *r, bool *open) {
    *open = false;
    put_between(r);
    skip_spaces(r);
    ep_bytes name = take_name(r);
    if (name.size == 0) {
        ep_bytes digits = take_integer(r);
        buffer_put(r->out, digits.data, digits.size);
        return digits.size > 0;
    }
    if (!take(r, '(')) {
        buffer_put(r->out, name.data, name.size); /* true, oo, nan */
        return true;
    }
    if (bytes_equal(name, "Integer")) {
        return put_integer(r);
    }
    if (bytes_equal(name, "Symbol") || bytes_equal(name, "Float")) {
        return put_named(r);
    }
    *open = true;
    return open_call(r, name);
}

/* After an operand: closes calls until one goes on, or all are closed. */
static bool read_end(reader *r) {
    while (r->depth > 0) {
        top(r)->operands++;
        skip_spaces(r);
        if (take(r, ',')) {
            return true;
        }
        if (!take(r, ')')) {
            return false;
        }
        buffer_text(r->out, top(r)->closes ? ")" : "");
        r->depth--;
    }
    return true;
}

static bool read_all(reader *r) {
    bool open;
    do {
        if (!read_operand(r, &open) || (!open && !read_end(r))) {
            return false;
        }
    } while (r->depth > 0);
    return r->p == r->end;
}

void expression_put(buffer *b, ep_bytes text) {
    size_t before = b->size;
    reader r = {.p = text.data, .end = text.data + text.size, .out = b};
    if (!read_all(&r)) {
        b->size = before;
        safe_text(b, text);
    }
    memory_free(r.calls);
}
