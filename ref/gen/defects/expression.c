/*
 * expression.c - defects of symbolic expressions (SPEC 4.1): an
 * expression inside another text, or with a part of it changed. Both forms are
 * here, infix and srepr; which one it is, its text tells.
 */
#include "edit.h"

#include <string.h>

/* ------------------------------------------------------------------- places */

static bool is_expression(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    bool text = is_member(p, "SymExpr", "expr_str") ||
                (is_member(p, "SymBool", "as_expr") && p->kind == EP_KIND_STR);
    return text && p->end - p->begin > 2;
}

/* One in a SymInt. */
static bool is_int_expression(const defect *d, const place *p, const void *context) {
    return is_expression(d, p, context) && is_member(p, "SymExpr", "expr_str") &&
           is_member(outer(d, p), "SymInt", "as_expr");
}

static bool is_srepr(const defect *d, const place *p) {
    ep_bytes text = text_at(d, p);
    return find_bytes(text, 0, "Symbol(") < text.size ||
           find_bytes(text, 0, "Integer(") < text.size;
}

static const place *expression_place(defect *d, place_filter *fits) {
    const place *p = draw_place(d, fits, NULL);
    d->why = p == NULL ? "it has no such expressions" : NULL;
    return p;
}

/* Puts a text around the expression. */
static bool wrap(defect *d, const place *p, const char *template) {
    replace_text(d, p, "");
    put_template(d, template, text_at(d, p));
    return true;
}

/* ------------------------------------------------------------------- defects */

bool defect_expr(defect *d) {
    static const char *const srepr[] = {"",    "% ",  " %",           "%)",       "(%)",
                                        "%, ", "+ %", "Add(%, %",     "Max(%,%)", "Mod( %, %)",
                                        "%;",  "[%]", "Integer(1.0)", "Add(%, )"};
    static const char *const infix[] = {"",         "% ", " %",  "%)",         "(%",
                                        "% +",      "%;", "+%",  "[%]",        "% +  1",
                                        "Max(%,%)", "*%", "% -", "Mod( %, %)", "(%) / 2"};
    const place *p = expression_place(d, is_expression);
    if (p == NULL) {
        return false;
    }
    return wrap(d, p, is_srepr(d, p) ? DRAW_FROM(d, srepr) : DRAW_FROM(d, infix));
}

bool defect_expr_function(defect *d) {
    static const char *const names[] = {"eval(%)",     "exec(%)",   "__import__(%)", "print(%, %)",
                                        "NoSuchFn(%)", "add(%, %)", "Symbol2(%)",    "open()",
                                        "lambdify(%)", "max(%, %)", "sympify(%)"};
    const place *p = expression_place(d, is_expression);
    return p != NULL && wrap(d, p, DRAW_FROM(d, names));
}

bool defect_expr_arguments(defect *d) {
    static const char *const srepr[] = {"Add(%)",       "Add()",          "FloorDiv(%)",
                                        "Mod(%, %, %)", "Mod()",          "floor(%, %)",
                                        "Abs()",        "Max(%)",         "ModularIndexing(%, %)",
                                        "Equality(%)",  "CeilToInt(%, %)"};
    static const char *const infix[] = {
        "Mod(%)", "Mod(%, %, %)", "floor(%, %)", "Abs()",      "Max(%)",
        "Min()",  "Eq(%)",        "Ne(%, %, %)", "CeilDiv(%)", "ModularIndexing(%, %)"};
    const place *p = expression_place(d, is_int_expression);
    if (p == NULL) {
        return false;
    }
    return wrap(d, p, is_srepr(d, p) ? DRAW_FROM(d, srepr) : DRAW_FROM(d, infix));
}

bool defect_expr_type(defect *d) {
    static const char *const srepr[] = {
        "Float('2.5', precision=53)", "Rational(1, 2)", "true",  "LessThan(%, %)", "ToFloat(%)",
        "Equality(%, Integer(3))",    "Add(%, true)",   "Not(%)"};
    static const char *const infix[] = {"True", "(%)/2",    "Eq(%, 3)", "ToFloat(%)",
                                        "~(%)", "(%) <= 4", "Ne(%, %)", "sqrt(%)"};
    const place *p = expression_place(d, is_int_expression);
    if (p == NULL) {
        return false;
    }
    return wrap(d, p, is_srepr(d, p) ? DRAW_FROM(d, srepr) : DRAW_FROM(d, infix));
}

/* What a symbol of srepr can have wrong. */
static bool spoil_symbol(defect *d, const place *p) {
    static const char *const changes[][2] = {
        {"Symbol('", "Symbol('1"},
        {"Symbol('", "Symbol(' "},
        {"Symbol('", "Symbol('a-"},
        {"integer=True", "integer=False"},
        {"integer=True", "even=True"},
        {"integer=True", "integer=True, integer=True"},
        {"positive=True, integer=True", "integer=True, positive=True"},
    };
    size_t first = draw(d, COUNT_OF(changes));
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        const char *const *change = changes[(first + i) % COUNT_OF(changes)];
        if (replace_found(d, p, change[0], change[1])) {
            return true;
        }
    }
    return no_place(d, "an expression has no symbol");
}

bool defect_expr_symbol(defect *d) {
    static const char *const infix[] = {"oo", "zoo",    "nan", "pi",   "E",
                                        "I",  "int_oo", "Mod", "floor"};
    const place *p = expression_place(d, is_int_expression);
    if (p == NULL) {
        return false;
    }
    return is_srepr(d, p) ? spoil_symbol(d, p) : replace_text(d, p, DRAW_FROM(d, infix));
}

bool defect_expr_zero(defect *d) {
    static const char *const srepr[] = {"FloorDiv(%, Integer(0))",
                                        "PythonMod(Integer(3), Integer(0))",
                                        "FloorDiv(%, Mul(Integer(2), Integer(0)))",
                                        "Add(Integer(1), CeilDiv(%, Integer(0)))",
                                        "ModularIndexing(%, Integer(0), Integer(2))",
                                        "ModularIndexing(%, Integer(2), Integer(0))",
                                        "floor(Pow(Integer(0), Integer(-1)))"};
    static const char *const infix[] = {"(4//0)",
                                        "PythonMod(%, 0)",
                                        "floor(1/0)",
                                        "CeilDiv(%, 0)",
                                        "CleanDiv(%, -0)",
                                        "Mod(%, 2*0)",
                                        "ModularIndexing(%, 2, 0)",
                                        "floor(0**(-1))"};
    const place *p = expression_place(d, is_int_expression);
    if (p == NULL) {
        return false;
    }
    return wrap(d, p, is_srepr(d, p) ? DRAW_FROM(d, srepr) : DRAW_FROM(d, infix));
}
