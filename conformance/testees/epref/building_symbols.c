/*
 * building_symbols.c - symbolic expressions, which are taken apart into the operations that
 * a caller of the builder has, in both forms that releases write (SPEC 4.1). A text that is
 * of none of these operations is given to the builder as it stands.
 */
#include "building.h"

#include "common/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------- hints */

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The name of the symbol that a whole text is; empty if it is none. */
static ep_bytes symbol_of(const char *text) {
    static const char open[] = "Symbol('";
    bool srepr = strncmp(text, open, sizeof open - 1) == 0;
    const char *start = srepr ? text + sizeof open - 1 : text;
    size_t size = 0;
    while (is_word(start[size])) {
        size++;
    }
    bool whole = srepr ? start[size] == '\'' && strchr(start, ')') == start + strlen(start) - 1
                       : start[size] == '\0';
    bool number = start[0] >= '0' && start[0] <= '9';
    return whole && !number ? (ep_bytes){start, size} : (ep_bytes){start, 0};
}

/* The integer of a hint, which once was a number. */
static bool hint_number(ep_value hint, int64_t *number) {
    ep_value held = ep_value_kind(hint) == EP_KIND_UNION ? ep_value_field(hint, "as_int") : hint;
    *number = ep_value_int(held);
    return ep_value_kind(held) == EP_KIND_INT;
}

static void keep_hint(rebuild *r, ep_value expr) {
    int64_t number;
    const char *text = rebuild_text(r, ep_value_field(expr, "expr_str"));
    ep_bytes name = text == NULL ? (ep_bytes){"", 0} : symbol_of(text);
    if (name.size == 0 || !hint_number(ep_value_field(expr, "hint"), &number)) {
        return;
    }
    if (memory_room(&r->hints, r->hint_count, &r->hint_room, sizeof *r->hints)) {
        r->hints[r->hint_count++] = (known_hint){name, number};
    } else {
        r->failed = true;
    }
}

void rebuild_hints(rebuild *r, ep_value value) {
    const char *type = ep_value_type(value);
    if (type != NULL && strcmp(type, "SymExpr") == 0) {
        keep_hint(r, value);
        return;
    }
    for (size_t i = 0; i < ep_value_count(value); i++) {
        rebuild_hints(r, ep_value_item(value, i));
    }
}

const ep_built_expr *rebuild_symbol(rebuild *r, const char *name, bool hinted) {
    for (size_t i = 0; hinted && i < r->hint_count; i++) {
        if (bytes_equal(r->hints[i].name, name)) {
            return ep_expr_symbol(r->b, name, &r->hints[i].hint);
        }
    }
    return ep_expr_symbol(r->b, name, NULL);
}

/* -------------------------------------------------------------------- parsing */

/* A text that is read; an expression of NULL: it is of no operation. */
typedef struct reader {
    rebuild *r;
    const char *at;
} reader;

static bool take(reader *p, const char *text) {
    size_t size = strlen(text);
    bool here = strncmp(p->at, text, size) == 0;
    p->at += here ? size : 0;
    return here;
}

static const ep_built_expr *apply(reader *p, ep_sym_op op, const ep_built_expr *a,
                                  const ep_built_expr *b) {
    bool unary = op == EP_SYM_TO_FLOAT;
    return a == NULL || (b == NULL) != unary ? NULL : ep_expr_apply(p->r->b, op, a, b);
}

static const ep_built_expr *read_number(reader *p) {
    char *end;
    long long number = strtoll(p->at, &end, 10);
    if (end == p->at) {
        return NULL;
    }
    p->at = end;
    return ep_expr_int(p->r->b, number);
}

/* The functions of both forms, of which some are there in one form alone. */
static const struct {
    const char *name;
    ep_sym_op op;
} functions[] = {
    {"Add(", EP_SYM_ADD},
    {"Mul(", EP_SYM_MUL},
    {"FloorDiv(", EP_SYM_FLOORDIV},
    {"Mod(", EP_SYM_MOD},
    {"Max(", EP_SYM_MAX},
    {"Min(", EP_SYM_MIN},
    {"IntTrueDiv(", EP_SYM_TRUEDIV},
    {"ToFloat(", EP_SYM_TO_FLOAT},
    {"Eq(", EP_SYM_EQ},
    {"Equality(", EP_SYM_EQ},
    {"Ne(", EP_SYM_NE},
    {"Unequality(", EP_SYM_NE},
    {"StrictLessThan(", EP_SYM_LT},
    {"LessThan(", EP_SYM_LE},
    {"StrictGreaterThan(", EP_SYM_GT},
    {"GreaterThan(", EP_SYM_GE},
};

static const ep_built_expr *read_whole(reader *p);

/* The rest of a product, which is taken away. */
static const ep_built_expr *read_rest(reader *p, const ep_built_expr *first) {
    const ep_built_expr *made = first;
    while (made != NULL && take(p, ", ")) {
        made = apply(p, EP_SYM_MUL, made, read_whole(p));
    }
    return take(p, ")") ? made : NULL;
}

/* The arguments of a function, from the left; what is added below zero is taken away. */
static const ep_built_expr *read_arguments(reader *p, ep_sym_op op) {
    const ep_built_expr *made = read_whole(p);
    if (op == EP_SYM_TO_FLOAT) {
        return take(p, ")") ? apply(p, op, made, NULL) : NULL;
    }
    do {
        bool more = take(p, ", ");
        bool below = more && op == EP_SYM_ADD && take(p, "Integer(-");
        bool minus = more && op == EP_SYM_ADD && !below && take(p, "Mul(Integer(-1), ");
        const ep_built_expr *other = below   ? read_rest(p, read_number(p))
                                     : minus ? read_rest(p, read_whole(p))
                                     : more  ? read_whole(p)
                                             : NULL;
        made = apply(p, below || minus ? EP_SYM_SUB : op, made, other);
    } while (made != NULL && *p->at == ',');
    return take(p, ")") ? made : NULL;
}

static const char *read_name(reader *p) {
    const char *start = p->at;
    while (is_word(*p->at)) {
        p->at++;
    }
    return rebuild_part(p->r, start, (size_t)(p->at - start));
}

/* Behind "Symbol('". */
static const ep_built_expr *read_symbol(reader *p) {
    const char *name = read_name(p);
    bool floating = take(p, "')");
    bool positive = !floating && take(p, "', positive=True, integer=True)");
    if (name == NULL || (!floating && !positive && !take(p, "', integer=True)"))) {
        return NULL;
    }
    return floating ? ep_expr_float_symbol(p->r->b, name) : rebuild_symbol(p->r, name, positive);
}

/* A number, a symbol, a function, or what is in parentheses. */
static const ep_built_expr *read_atom(reader *p) {
    bool integer = take(p, "Integer(");
    if (integer || take(p, "(")) {
        const ep_built_expr *left = integer ? read_number(p) : read_whole(p);
        if (take(p, "//")) {
            left = apply(p, EP_SYM_FLOORDIV, left, read_atom(p));
        }
        return take(p, ")") ? left : NULL;
    }
    if (take(p, "Symbol('")) {
        return read_symbol(p);
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (take(p, functions[i].name)) {
            return read_arguments(p, functions[i].op);
        }
    }
    if ((*p->at >= '0' && *p->at <= '9') || *p->at == '-') {
        return read_number(p);
    }
    const char *name = read_name(p);
    if (name == NULL || name[0] == '\0' || *p->at == '(' || strcmp(name, "true") == 0 ||
        strcmp(name, "false") == 0) {
        return NULL;
    }
    return name[0] == 'z' ? ep_expr_float_symbol(p->r->b, name)
                          : rebuild_symbol(p->r, name, name[0] == 's');
}

static const ep_built_expr *read_product(reader *p) {
    const ep_built_expr *made = read_atom(p);
    while (made != NULL && take(p, "*")) {
        made = apply(p, EP_SYM_MUL, made, read_atom(p));
    }
    return made;
}

static const ep_built_expr *read_sum(reader *p) {
    const ep_built_expr *made = read_product(p);
    for (;;) {
        if (made != NULL && take(p, " + ")) {
            made = apply(p, EP_SYM_ADD, made, read_product(p));
        } else if (made != NULL && take(p, " - ")) {
            made = apply(p, EP_SYM_SUB, made, read_product(p));
        } else {
            return made;
        }
    }
}

static const ep_built_expr *read_whole(reader *p) {
    static const struct {
        const char *text;
        ep_sym_op op;
    } relations[] = {
        {" <= ", EP_SYM_LE}, {" < ", EP_SYM_LT}, {" >= ", EP_SYM_GE}, {" > ", EP_SYM_GT}};
    const ep_built_expr *made = read_sum(p);
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++) {
        if (made != NULL && take(p, relations[i].text)) {
            return apply(p, relations[i].op, made, read_sum(p));
        }
    }
    return made;
}

const ep_built_expr *rebuild_expr(rebuild *r, ep_kind kind, ep_value sym_expr) {
    bool plain = ep_value_kind(sym_expr) == EP_KIND_STR; /* a bool of version 1 */
    const char *text = rebuild_text(r, plain ? sym_expr : ep_value_field(sym_expr, "expr_str"));
    reader p = {r, text};
    const ep_built_expr *made = text == NULL ? NULL : read_whole(&p);
    return made != NULL && *p.at == '\0' ? made : ep_expr_text(r->b, kind, text);
}
