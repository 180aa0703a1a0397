/*
 * expression_value.c - see expression_value.h. A recursive descent over the grammars of SPEC
 * 4.1.7 and 4.1.8. Numbers are doubles: an integer above 2^53, and what has lost its digits
 * to a difference, is unknown, and so is all that depends on it.
 */
#include "expression_value.h"

#include <math.h>
#include <string.h>

typedef struct reader {
    const char *p;
    const char *end;
    const fuzz_symbols *symbols;
    bool failed;
} reader;

static const fuzz_value unknown = {0, false, false};

static fuzz_value number_of(double number, bool exact) {
    static const double most = 9007199254740992.0; /* 2^53 */
    bool whole = exact && fabs(number) < most;
    return (fuzz_value){number, whole, isfinite(number) && (whole || !exact)};
}

static fuzz_value truth(bool holds) {
    return (fuzz_value){holds ? 1 : 0, true, true};
}

/* ------------------------------------------------------------------------ symbols */

static fuzz_value any_symbol(void *context, ep_bytes name) {
    (void)context;
    return number_of((double)(2 + fuzz_hash(name) % 7), true);
}

const fuzz_symbols fuzz_any_symbols = {any_symbol, NULL};

/* --------------------------------------------------------------------- arithmetic */

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

static fuzz_value add(fuzz_value a, fuzz_value b) {
    double sum = a.number + b.number;
    bool exact = a.exact && b.exact;
    if (!a.known || !b.known || (!exact && near(a.number, -b.number))) {
        return unknown;
    }
    return number_of(sum, exact);
}

static fuzz_value multiply(fuzz_value a, fuzz_value b) {
    return a.known && b.known ? number_of(a.number * b.number, a.exact && b.exact) : unknown;
}

static fuzz_value power(fuzz_value a, fuzz_value b) {
    if (!a.known || !b.known || (a.number == 0 && b.number < 0)) {
        return unknown;
    }
    return number_of(pow(a.number, b.number), a.exact && b.exact && b.number >= 0);
}

static fuzz_value divide_down(fuzz_value a, fuzz_value b) {
    if (!a.known || !b.known || b.number == 0) {
        return unknown;
    }
    double quotient = a.number / b.number;
    double down = floor(quotient);
    bool exact = a.exact && b.exact;
    if (!exact && near(quotient, nearbyint(quotient))) {
        return unknown;
    }
    if (exact && fabs(quotient) > 1e12) {
        return unknown; /* the quotient may have been rounded up */
    }
    return number_of(down, true);
}

/* Python's, with the sign of the divisor. */
static fuzz_value remainder_of(fuzz_value a, fuzz_value b) {
    fuzz_value down = divide_down(a, b);
    return add(a, multiply(multiply(down, b), number_of(-1, true)));
}

/* ---------------------------------------------------------------------- functions */

enum { ARGUMENTS = 16 };

typedef struct call {
    ep_bytes name;
    fuzz_value arguments[ARGUMENTS];
    size_t count;
} call;

static bool is_named(ep_bytes name, const char *text) {
    return name.size == strlen(text) && memcmp(name.data, text, name.size) == 0;
}

/* Relations, by their names and as they are written between two: whether they hold of what is
 * less, equal, greater. */
typedef struct relation {
    const char *name;
    const char *word; /* NULL: none */
    bool holds[3];
} relation;

static const relation relations[] = {
    {"LessThan", " <= ", {true, true, false}},
    {"GreaterThan", " >= ", {false, true, true}},
    {"StrictLessThan", " < ", {true, false, false}},
    {"StrictGreaterThan", " > ", {false, false, true}},
    {"Equality", NULL, {false, true, false}},
    {"Eq", NULL, {false, true, false}},
    {"Unequality", NULL, {true, false, true}},
    {"Ne", NULL, {true, false, true}},
};

/* Unless they are so near that rounding may decide. */
static fuzz_value compare(fuzz_value a, fuzz_value b, const relation *r) {
    bool exact = a.exact && b.exact;
    if (!a.known || !b.known || (!exact && near(a.number, b.number))) {
        return unknown;
    }
    return truth(r->holds[1 + (a.number > b.number) - (a.number < b.number)]);
}

static fuzz_value negated(fuzz_value a) {
    return a.known ? truth(a.number == 0) : unknown;
}

typedef fuzz_value fold(fuzz_value a, fuzz_value b);

static fuzz_value both(fuzz_value a, fuzz_value b) {
    return a.known && b.known ? truth(a.number != 0 && b.number != 0) : unknown;
}

static fuzz_value either(fuzz_value a, fuzz_value b) {
    return negated(both(negated(a), negated(b)));
}

static fuzz_value larger(fuzz_value a, fuzz_value b) {
    return !a.known || !b.known ? unknown : a.number > b.number ? a : b;
}

static fuzz_value smaller(fuzz_value a, fuzz_value b) {
    return !a.known || !b.known ? unknown : a.number < b.number ? a : b;
}

/* By all their names. */
static const struct {
    const char *name;
    fold *fold;
} folds[] = {
    {"Add", add},          {"Mul", multiply},
    {"Pow", power},        {"FloorDiv", divide_down},
    {"Mod", remainder_of}, {"PythonMod", remainder_of},
    {"Max", larger},       {"Min", smaller},
    {"And", both},         {"Or", either},
};

/* Functions whose infix name is another than in srepr (SPEC 7.5.1). */
static ep_bytes common_name(ep_bytes name) {
    static const char prefix[] = "OpaqueUnaryFn_";
    static const char *const pairs[][2] = {{"Trunc", "TruncToInt"}, {"Round", "RoundToInt"}};
    size_t size = sizeof prefix - 1;
    if (name.size > size && memcmp(name.data, prefix, size) == 0) {
        return (ep_bytes){name.data + size, name.size - size};
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (is_named(name, pairs[i][0])) {
            return (ep_bytes){pairs[i][1], strlen(pairs[i][1])};
        }
    }
    return name;
}

/* A number between 1 and 100 that every argument moves a little, the more the later it is:
 * what is off by rounding stays so. */
static fuzz_value stand_in(const call *c) {
    double sum = 1 + (double)(fuzz_hash(common_name(c->name)) % 97);
    for (size_t i = 0; i < c->count; i++) {
        double x = c->arguments[i].number;
        if (!c->arguments[i].known) {
            return unknown;
        }
        sum += (double)(i + 1) / 17 * (x / (1 + fabs(x)));
    }
    return (fuzz_value){sum, false, true};
}

static fuzz_value apply(const call *c) {
    if (c->count == 1 && is_named(c->name, "Not")) {
        return negated(c->arguments[0]);
    }
    for (size_t i = 0; i < COUNT_OF(relations); i++) {
        if (c->count == 2 && is_named(c->name, relations[i].name)) {
            return compare(c->arguments[0], c->arguments[1], &relations[i]);
        }
    }
    for (size_t i = 0; i < COUNT_OF(folds); i++) {
        if (c->count > 0 && is_named(c->name, folds[i].name)) {
            fuzz_value result = c->arguments[0];
            for (size_t j = 1; j < c->count; j++) {
                result = folds[i].fold(result, c->arguments[j]);
            }
            return result;
        }
    }
    return stand_in(c);
}

/* ---------------------------------------------------------------------- reading */

static char peek(const reader *r) {
    return r->p < r->end ? *r->p : '\0';
}

static bool takes(reader *r, const char *word) {
    size_t size = strlen(word);
    if ((size_t)(r->end - r->p) < size || memcmp(r->p, word, size) != 0) {
        return false;
    }
    r->p += size;
    return true;
}

static void need(reader *r, const char *word) {
    r->failed = !takes(r, word) || r->failed;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_byte(char c) {
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

static ep_bytes read_name(reader *r) {
    const char *begin = r->p;
    while (r->p < r->end && is_name_byte(*r->p)) {
        r->p++;
    }
    return (ep_bytes){begin, (size_t)(r->p - begin)};
}

/* Digits, a point, an exponent; no sign. */
static fuzz_value read_number(reader *r) {
    double number = 0;
    int shift = 0;
    bool exact = true;
    for (; is_digit(peek(r)) || (exact && peek(r) == '.'); r->p++) {
        shift -= !exact;
        exact = exact && *r->p != '.';
        number = *r->p == '.' ? number : 10 * number + (*r->p - '0');
    }
    if (takes(r, "e")) {
        int exponent = 0;
        bool below = !takes(r, "+") && takes(r, "-");
        for (exact = false; is_digit(peek(r)); r->p++) {
            exponent = exponent > 9999 ? exponent : 10 * exponent + (*r->p - '0');
        }
        shift += below ? -exponent : exponent;
    }
    return exact ? number_of(number, true) : number_of(number * pow(10, shift), false);
}

static fuzz_value read_signed(reader *r) {
    bool below = takes(r, "-");
    fuzz_value value = read_number(r);
    value.number = below ? 0 - value.number : value.number;
    return value;
}

static fuzz_value find_symbol(reader *r, ep_bytes name) {
    return r->symbols->find(r->symbols->context, name);
}

/* One more; of more than there is room for, nothing is known. */
static void add_argument(call *c, fuzz_value value) {
    if (c->count < ARGUMENTS) {
        c->arguments[c->count++] = value;
    } else {
        c->arguments[0] = unknown;
    }
}

/* -------------------------------------------------------------------------- srepr */

static fuzz_value read_term(reader *r);

static fuzz_value read_symbol(reader *r) {
    need(r, "'");
    fuzz_value value = find_symbol(r, read_name(r));
    while (r->p < r->end && *r->p != ')') {
        r->p++;
    }
    need(r, ")");
    return value;
}

static fuzz_value read_rational(reader *r) {
    fuzz_value above = read_signed(r);
    need(r, ", ");
    fuzz_value below = read_number(r);
    need(r, ")");
    above.exact = false;
    return multiply(above, power(below, number_of(-1, true)));
}

static fuzz_value read_float(reader *r) {
    need(r, "'");
    fuzz_value value = read_signed(r);
    value.exact = false;
    while (r->p < r->end && *r->p != ')') {
        r->p++;
    }
    need(r, ")");
    return value;
}

static fuzz_value read_call(reader *r, ep_bytes name, fuzz_value (*read)(reader *r)) {
    call c = {.name = name};
    while (!r->failed && !takes(r, ")")) {
        if (c.count > 0) {
            need(r, ", ");
        }
        add_argument(&c, read(r));
    }
    return r->failed ? unknown : apply(&c);
}

static fuzz_value read_term(reader *r) {
    ep_bytes name = read_name(r);
    if (is_named(name, "true") || is_named(name, "false")) {
        return truth(is_named(name, "true"));
    }
    need(r, "(");
    if (r->failed || is_named(name, "Symbol")) {
        return r->failed ? unknown : read_symbol(r);
    }
    if (is_named(name, "Integer")) {
        fuzz_value value = read_signed(r);
        need(r, ")");
        return value;
    }
    if (is_named(name, "Rational")) {
        return read_rational(r);
    }
    return is_named(name, "Float") ? read_float(r) : read_call(r, name, read_term);
}

/* -------------------------------------------------------------------------- infix */

static fuzz_value read_argument(reader *r);

/* A group, a quotient rounded down, or an arm of Piecewise. */
static fuzz_value read_group(reader *r) {
    call c = {.name = {"ExprCondPair", 12}};
    add_argument(&c, read_argument(r));
    if (takes(r, "//")) {
        c.arguments[0] = divide_down(c.arguments[0], read_argument(r));
    } else if (takes(r, ", ")) {
        add_argument(&c, read_argument(r));
    }
    need(r, ")");
    return c.count > 1 ? apply(&c) : c.arguments[0];
}

static fuzz_value read_operand(reader *r) {
    if (takes(r, "~")) {
        return negated(read_operand(r));
    }
    if (takes(r, "(")) {
        return read_group(r);
    }
    if (is_digit(peek(r))) {
        return read_number(r);
    }
    ep_bytes name = read_name(r);
    r->failed = r->failed || name.size == 0;
    if (is_named(name, "True") || is_named(name, "False")) {
        return truth(is_named(name, "True"));
    }
    if (r->failed) {
        return unknown;
    }
    return takes(r, "(") ? read_call(r, name, read_argument) : find_symbol(r, name);
}

static fuzz_value read_power(reader *r) {
    fuzz_value base = read_operand(r);
    return takes(r, "**") ? power(base, read_operand(r)) : base;
}

/* One that is not the first of two. */
static bool is_slash(const reader *r) {
    return peek(r) == '/' && !(r->end - r->p > 1 && r->p[1] == '/');
}

static fuzz_value read_product(reader *r) {
    fuzz_value product = read_power(r);
    while (!r->failed && (peek(r) == '*' || is_slash(r))) {
        bool over = *r->p++ == '/';
        fuzz_value factor = read_power(r);
        product = multiply(product, over ? power(factor, number_of(-1, true)) : factor);
    }
    return product;
}

static fuzz_value read_sum(reader *r) {
    static const fuzz_value minus = {-1, true, true};
    bool negative = takes(r, "-");
    fuzz_value sum = read_product(r);
    sum = negative ? multiply(minus, sum) : sum;
    while (!r->failed) {
        if (takes(r, " + ")) {
            sum = add(sum, read_product(r));
        } else if (takes(r, " - ")) {
            sum = add(sum, multiply(minus, read_product(r)));
        } else {
            break;
        }
    }
    return sum;
}

static fuzz_value read_argument(reader *r) {
    fuzz_value value = read_sum(r);
    for (size_t i = 0; i < COUNT_OF(relations) && !r->failed; i++) {
        if (relations[i].word != NULL && takes(r, relations[i].word)) {
            value = compare(value, read_sum(r), &relations[i]);
        }
    }
    while (!r->failed && takes(r, " & ")) {
        value = both(value, read_sum(r));
    }
    while (!r->failed && takes(r, " | ")) {
        value = either(value, read_sum(r));
    }
    return value;
}

/* ------------------------------------------------------------------------- either */

static fuzz_value read_all(ep_bytes text, const fuzz_symbols *symbols,
                           fuzz_value (*read)(reader *r), bool *whole) {
    reader r = {text.data, text.data + text.size, symbols, false};
    fuzz_value value = read(&r);
    *whole = !r.failed && r.p == r.end;
    return *whole ? value : unknown;
}

/* A text may be in both forms: "true" is a symbol in one of them. */
fuzz_value fuzz_value_of(ep_bytes text, const fuzz_symbols *symbols) {
    bool srepr;
    bool infix;
    fuzz_value one = read_all(text, symbols, read_term, &srepr);
    fuzz_value other = read_all(text, symbols, read_argument, &infix);
    bool same = srepr && infix && fuzz_values_agree(one, other);
    return srepr == infix && !same ? unknown : srepr ? one : other;
}

bool fuzz_values_agree(fuzz_value a, fuzz_value b) {
    bool exact = a.exact && b.exact;
    return !a.known || !b.known || (exact ? a.number == b.number : near(a.number, b.number));
}
