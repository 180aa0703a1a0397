/*
 * builder/expression.c - symbolic expressions (SPEC 4.1), built as text in the form
 * that the version's releases write, with the hint that they would have.
 */
#include "builder/builder.h"

#include "json/number.h"

/* The infix form is of sympy's str, the other of its srepr. */
static bool is_srepr(const ep_builder *b) {
    return ep_builder_between(b, EP_V8_2, EP_FUTURE);
}

/* The precedence of infix operators. */
enum { LEVEL_RELATION, LEVEL_ADD, LEVEL_MUL, LEVEL_ATOM };

/* The names of an operation: in srepr; in infix the texts before, between and after the
 * operands. A function is an atom. */
typedef struct op_row {
    ep_sym_op op;
    const char *srepr;
    const char *open;
    const char *between;
    const char *close;
    uint8_t level;
} op_row;

static const op_row op_rows[] = {
    {EP_SYM_ADD, "Add", "", " + ", "", LEVEL_ADD},
    {EP_SYM_SUB, "Add", "", " - ", "", LEVEL_ADD},
    {EP_SYM_MUL, "Mul", "", "*", "", LEVEL_MUL},
    {EP_SYM_FLOORDIV, "FloorDiv", "(", "//", ")", LEVEL_ATOM},
    {EP_SYM_MOD, "Mod", "Mod(", ", ", ")", LEVEL_ATOM},
    {EP_SYM_MAX, "Max", "Max(", ", ", ")", LEVEL_ATOM},
    {EP_SYM_MIN, "Min", "Min(", ", ", ")", LEVEL_ATOM},
    {EP_SYM_TRUEDIV, "IntTrueDiv", "IntTrueDiv(", ", ", ")", LEVEL_ATOM},
    {EP_SYM_TO_FLOAT, "ToFloat", "ToFloat(", "", ")", LEVEL_ATOM},
    {EP_SYM_EQ, "Equality", "Eq(", ", ", ")", LEVEL_ATOM},
    {EP_SYM_NE, "Unequality", "Ne(", ", ", ")", LEVEL_ATOM},
    {EP_SYM_LT, "StrictLessThan", "", " < ", "", LEVEL_RELATION},
    {EP_SYM_LE, "LessThan", "", " <= ", "", LEVEL_RELATION},
    {EP_SYM_GT, "StrictGreaterThan", "", " > ", "", LEVEL_RELATION},
    {EP_SYM_GE, "GreaterThan", "", " >= ", "", LEVEL_RELATION},
};

static const op_row *op_row_of(ep_sym_op op) {
    for (size_t i = 0; i < EP_COUNT_OF(op_rows); i++) {
        if (op_rows[i].op == op) {
            return &op_rows[i];
        }
    }
    return NULL;
}

static ep_built_expr *make_expr(ep_builder *b, ep_kind kind) {
    ep_built_expr *expr = ep_builder_alloc(b, sizeof *expr);
    if (expr != NULL) {
        *expr = (ep_built_expr){.kind = (uint8_t)kind, .level = LEVEL_ATOM, .op = EP_NO_OP};
    }
    return expr;
}

/* -------------------------------------------------------------------- leaves */

static ep_bytes number_text(int64_t value, char *text) {
    return (ep_bytes){text, ep_number_print_int(value, text)};
}

EP_API const ep_built_expr *ep_expr_int(ep_builder *b, int64_t value) {
    char digits[EP_FLOAT_SIZE];
    ep_built_expr *expr = ep_builder_goes_on(b) ? make_expr(b, EP_KIND_INT) : NULL;
    if (expr == NULL) {
        return NULL;
    }
    bool srepr = is_srepr(b);
    ep_bytes parts[] = {srepr ? EP_TEXT("Integer(") : EP_TEXT(""), number_text(value, digits),
                        srepr ? EP_TEXT(")") : EP_TEXT("")};
    expr->hinted = true;
    expr->constant = true;
    expr->hint = value;
    return ep_builder_join(b, parts, 3, &expr->text) ? expr : NULL;
}

/* An expression with a text that is UTF-8. */
static ep_built_expr *make_given(ep_builder *b, ep_kind kind, const char *text) {
    uint64_t bits;
    if (!ep_builder_goes_on(b) || !ep_builder_string(b, text, &bits)) {
        return NULL;
    }
    return make_expr(b, kind);
}

static const ep_built_expr *make_symbol(ep_builder *b, ep_kind kind, const char *name,
                                        ep_bytes assumptions) {
    ep_built_expr *expr = make_given(b, kind, name);
    if (expr == NULL) {
        return NULL;
    }
    ep_bytes spelled = ep_text_of(name);
    if (!ep_is_identifier(spelled)) { /* SPEC 4.1.5: any other would be more than a symbol */
        ep_builder_refuse(b, "a symbol's name is an identifier", name);
        return NULL;
    }
    ep_bytes parts[] = {EP_TEXT("Symbol('"), spelled, EP_TEXT("'"), assumptions, EP_TEXT(")")};
    bool ok = ep_builder_join(b, &spelled, 1, &expr->symbol);
    expr->text = expr->symbol;
    if (is_srepr(b)) {
        ok = ok && ep_builder_join(b, parts, 5, &expr->text);
    }
    return ok ? expr : NULL;
}

EP_API const ep_built_expr *ep_expr_symbol(ep_builder *b, const char *name, const int64_t *hint) {
    ep_bytes assumptions =
        hint != NULL ? EP_TEXT(", positive=True, integer=True") : EP_TEXT(", integer=True");
    const ep_built_expr *made = make_symbol(b, EP_KIND_INT, name, assumptions);
    if (made == NULL || hint == NULL) {
        return made;
    }
    ep_built_expr *expr = make_expr(b, EP_KIND_INT);
    if (expr != NULL) {
        *expr = *made;
        expr->hinted = true;
        expr->hint = *hint;
    }
    return expr;
}

EP_API const ep_built_expr *ep_expr_float_symbol(ep_builder *b, const char *name) {
    return make_symbol(b, EP_KIND_FLOAT, name, EP_TEXT(""));
}

EP_API const ep_built_expr *ep_expr_text(ep_builder *b, ep_kind kind, const char *text) {
    bool known = kind == EP_KIND_INT || kind == EP_KIND_FLOAT || kind == EP_KIND_BOOL;
    if (!known) {
        ep_builder_refuse(b, "an expression is an int, a float or a bool", NULL);
        return NULL;
    }
    ep_built_expr *expr = make_given(b, kind, text);
    if (expr == NULL) {
        return NULL;
    }
    ep_bytes given = ep_text_of(text);
    if (!ep_builder_join(b, &given, 1, &expr->text)) {
        return NULL;
    }
    expr->level = LEVEL_RELATION; /* who knows */
    return expr;
}

/* --------------------------------------------------------------------- hints */

static bool add(int64_t a, int64_t b, int64_t *result) {
    TRY(b >= 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b);
    *result = a + b;
    return true;
}

static bool multiply(int64_t a, int64_t b, int64_t *result) {
    const int64_t most = INT64_C(1) << 31; /* beyond it is no hint worth having */
    TRY(-most <= a && a <= most && -most <= b && b <= most);
    *result = a * b;
    return true;
}

/* Python's // and %. */
static bool divide(int64_t a, int64_t b, int64_t *quotient, int64_t *remainder) {
    TRY(b != 0 && !(b == -1 && a == INT64_MIN));
    *quotient = a / b;
    *remainder = a % b;
    if (*remainder != 0 && (*remainder < 0) != (b < 0)) {
        *quotient -= 1;
        *remainder += b;
    }
    return true;
}

/* The hint of an operation on integers; false if there is none. */
static bool hint_of(ep_sym_op op, int64_t a, int64_t b, int64_t *hint) {
    int64_t other;
    switch (op) {
    case EP_SYM_ADD:
        return add(a, b, hint);
    case EP_SYM_SUB:
        return b != INT64_MIN && add(a, -b, hint);
    case EP_SYM_MUL:
        return multiply(a, b, hint);
    case EP_SYM_FLOORDIV:
        return divide(a, b, hint, &other);
    case EP_SYM_MOD:
        return divide(a, b, &other, hint);
    case EP_SYM_MAX:
        *hint = a > b ? a : b;
        return true;
    case EP_SYM_MIN:
        *hint = a < b ? a : b;
        return true;
    case EP_SYM_TRUEDIV:
    case EP_SYM_TO_FLOAT:
    case EP_SYM_EQ:
    case EP_SYM_NE:
    case EP_SYM_LT:
    case EP_SYM_LE:
    case EP_SYM_GT:
    case EP_SYM_GE:
        break;
    }
    return false;
}

/* ---------------------------------------------------------------- operations */

/* The kind of an operation's result, from the kinds of its operands; EP_KIND_NULL: it
 * does not take them. */
static ep_kind kind_of(ep_sym_op op, const ep_built_expr *a, const ep_built_expr *b) {
    bool ints = a->kind == EP_KIND_INT && (b == NULL || b->kind == EP_KIND_INT);
    bool numbers = a->kind != EP_KIND_BOOL && (b == NULL || b->kind != EP_KIND_BOOL);
    bool bools = a->kind == EP_KIND_BOOL && b != NULL && b->kind == EP_KIND_BOOL;
    bool taken = numbers || (bools && (op == EP_SYM_EQ || op == EP_SYM_NE));
    if ((b == NULL) != (op == EP_SYM_TO_FLOAT) || !taken) {
        return EP_KIND_NULL;
    }
    if (op >= EP_SYM_EQ) {
        return EP_KIND_BOOL;
    }
    if (op == EP_SYM_TRUEDIV || op == EP_SYM_TO_FLOAT) {
        return ints ? EP_KIND_FLOAT : EP_KIND_NULL;
    }
    return ints ? EP_KIND_INT : EP_KIND_FLOAT;
}

/* Prints an operand between infix operators, in parentheses if its precedence is lower
 * than its place demands, or if it begins with a minus sign where none may stand: a sum
 * begins with one, no later part of it and no factor behind the first. Returns the number
 * of parts. */
static size_t put_operand(ep_bytes *parts, const ep_built_expr *operand, uint8_t level,
                          bool begins) {
    bool minus = operand->text.size > 0 && operand->text.data[0] == '-';
    bool bare = operand->level >= level && !(minus && (!begins || level == LEVEL_ATOM));
    if (bare) {
        parts[0] = operand->text;
        return 1;
    }
    parts[0] = EP_TEXT("(");
    parts[1] = operand->text;
    parts[2] = EP_TEXT(")");
    return 3;
}

static bool join_infix(ep_builder *b, const op_row *row, const ep_built_expr *left,
                       const ep_built_expr *right, ep_built_expr *made) {
    ep_bytes parts[9] = {ep_text_of(row->open)};
    bool function = row->level == LEVEL_ATOM && row->op != EP_SYM_FLOORDIV;
    uint8_t level = function ? LEVEL_RELATION : row->level;
    uint8_t tighter = (uint8_t)(level < LEVEL_ATOM && !function ? level + 1 : level);
    size_t n = 1;
    /* a chain of the same operator needs no parentheses, but on the right of - */
    uint8_t chain = row->op == EP_SYM_ADD || row->op == EP_SYM_MUL ? level : tighter;
    n += put_operand(parts + n, left, row->op == EP_SYM_SUB ? level : chain, true);
    if (right != NULL) {
        parts[n++] = ep_text_of(row->between);
        n += put_operand(parts + n, right, chain, function || level == LEVEL_RELATION);
    }
    parts[n++] = ep_text_of(row->close);
    made->level = row->level;
    return ep_builder_join(b, parts, n, &made->text);
}

/* The arguments that an operand adds: all of its own in a chain of one sum or
 * product, else itself. */
static ep_bytes srepr_arguments(const op_row *row, const ep_built_expr *operand) {
    bool chain = row->op == EP_SYM_ADD || row->op == EP_SYM_SUB || row->op == EP_SYM_MUL;
    bool same = operand->op != EP_NO_OP && op_row_of((ep_sym_op)operand->op)->srepr == row->srepr;
    return chain && same ? operand->arguments : operand->text;
}

static bool join_srepr(ep_builder *b, const op_row *row, const ep_built_expr *left,
                       const ep_built_expr *right, ep_built_expr *made) {
    ep_bytes inner[4] = {srepr_arguments(row, left)};
    size_t n = 1;
    if (right != NULL) {
        inner[n++] = EP_TEXT(", ");
        bool minus = row->op == EP_SYM_SUB;
        inner[n++] = minus ? EP_TEXT("Mul(Integer(-1), ") : srepr_arguments(row, right);
        if (minus) {
            bool product = right->op == EP_SYM_MUL;
            ep_bytes parts[] = {inner[2], product ? right->arguments : right->text, EP_TEXT(")")};
            TRY(ep_builder_join(b, parts, 3, &inner[2]));
        }
    }
    TRY(ep_builder_join(b, inner, n, &made->arguments));
    ep_bytes whole[] = {ep_text_of(row->srepr), EP_TEXT("("), made->arguments, EP_TEXT(")")};
    return ep_builder_join(b, whole, 4, &made->text);
}

/* x + (-1) is spelled x - 1 in infix. */
static bool join_minus(ep_builder *b, const ep_built_expr *left, const ep_built_expr *right,
                       ep_built_expr *made) {
    char digits[EP_FLOAT_SIZE];
    ep_bytes parts[5];
    size_t n = put_operand(parts, left, LEVEL_ADD, true);
    ep_bytes number = number_text(right->hint, digits);
    parts[n++] = EP_TEXT(" - ");
    parts[n++] = (ep_bytes){number.data + 1, number.size - 1};
    made->level = LEVEL_ADD;
    return ep_builder_join(b, parts, n, &made->text);
}

static bool join(ep_builder *b, ep_sym_op op, const ep_built_expr *left, const ep_built_expr *right,
                 ep_built_expr *made) {
    const op_row *row = op_row_of(op);
    if (is_srepr(b)) {
        return join_srepr(b, row, left, right, made);
    }
    if (op == EP_SYM_ADD && right->constant && right->hint < 0) {
        return join_minus(b, left, right, made);
    }
    return join_infix(b, row, left, right, made);
}

/* The operand that is the result, when the other is a neutral element. */
static const ep_built_expr *neutral(ep_sym_op op, const ep_built_expr *left,
                                    const ep_built_expr *right) {
    if (op == EP_SYM_ADD && right->constant && right->hint == 0) {
        return left;
    }
    return op == EP_SYM_MUL && left->constant && left->hint == 1 ? right : NULL;
}

static const ep_built_expr *combine(ep_builder *b, ep_sym_op op, const ep_built_expr *left,
                                    const ep_built_expr *right) {
    const ep_built_expr *same = neutral(op, left, right);
    if (same != NULL) {
        return same;
    }
    ep_built_expr *made = make_expr(b, kind_of(op, left, right));
    if (made == NULL || !join(b, op, left, right, made)) {
        return NULL;
    }
    made->op = (uint8_t)op;
    made->hinted = right != NULL && left->hinted && right->hinted && made->kind == EP_KIND_INT &&
                   hint_of(op, left->hint, right->hint, &made->hint);
    return made;
}

EP_API const ep_built_expr *ep_expr_apply(ep_builder *builder, ep_sym_op op, const ep_built_expr *a,
                                          const ep_built_expr *b) {
    int64_t value;
    if (!ep_builder_goes_on(builder) || !ep_builder_given(builder, a)) {
        return NULL;
    }
    if (op_row_of(op) == NULL || kind_of(op, a, b) == EP_KIND_NULL) {
        ep_builder_refuse(builder, "operands that the operation does not take", NULL);
        return NULL;
    }
    if (b == NULL) {
        return combine(builder, op, a, NULL);
    }
    if (a->constant && b->constant && hint_of(op, a->hint, b->hint, &value)) {
        return ep_expr_int(builder, value);
    }
    if (op == EP_SYM_SUB && b->constant && b->hint != INT64_MIN) {
        op = EP_SYM_ADD;
        b = ep_expr_int(builder, -b->hint);
    }
    if (b == NULL) {
        return NULL;
    }
    bool swap = (op == EP_SYM_ADD && a->constant) || (op == EP_SYM_MUL && b->constant);
    return combine(builder, op, swap ? b : a, swap ? a : b);
}

/* -------------------------------------------------------------------- values */

/* The value of a hint: of an int, and none for the others. */
static bool set_hint(ep_builder *b, ep_node *node, const ep_built_expr *expr) {
    uint64_t bits = (uint64_t)expr->hint;
    if (!expr->hinted) {
        return true;
    }
    if (ep_maker_shape(&b->maker, EP_SHAPE_SymExpr, EP_F_SymExpr_hint)->op == EP_OP_UNION) {
        TRY(ep_builder_union(b, EP_SHAPE_SymExprHint, EP_F_SymExprHint_as_int, bits, &bits));
    }
    ep_maker_set(&b->maker, node, EP_F_SymExpr_hint, bits);
    return true;
}

static bool make_sym_expr(ep_builder *b, const ep_built_expr *expr, uint64_t *bits) {
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_SymExpr);
    uint64_t text;
    TRY(node != NULL && ep_maker_text(&b->maker, expr->text, &text));
    ep_maker_set(&b->maker, node, EP_F_SymExpr_expr_str, text);
    *bits = ep_pointer_bits(node);
    return set_hint(b, node, expr);
}

bool ep_builder_symbolic(ep_builder *b, const ep_built_expr *expr, uint64_t *bits) {
    static const struct {
        ep_kind kind;
        ep_shape_number type;
        ep_field tag;
    } unions[] = {
        {EP_KIND_INT, EP_SHAPE_SymInt, EP_F_SymInt_as_expr},
        {EP_KIND_FLOAT, EP_SHAPE_SymFloat, EP_F_SymFloat_as_expr},
        {EP_KIND_BOOL, EP_SHAPE_SymBool, EP_F_SymBool_as_expr},
    };
    uint64_t value = (uint64_t)expr->hint;
    if (expr->constant) {
        return ep_builder_union(b, EP_SHAPE_SymInt, EP_F_SymInt_as_int, value, bits);
    }
    size_t i = expr->kind == EP_KIND_INT ? 0 : expr->kind == EP_KIND_FLOAT ? 1 : 2;
    TRY(ep_builder_needs(b, unions[i].tag, "a symbolic value of this kind"));
    bool plain = ep_maker_shape(&b->maker, unions[i].type, unions[i].tag)->op == EP_OP_STR;
    TRY(plain ? ep_maker_text(&b->maker, expr->text, &value) : make_sym_expr(b, expr, &value));
    return ep_builder_union(b, unions[i].type, unions[i].tag, value, bits);
}

/* -------------------------------------------------------------------- ranges */

/* An end of a range. The form of an open one follows from the shape: a null, a bare
 * infinity, or the largest number that those releases wrote. SPEC 3.3.3 */
static void set_end(ep_builder *b, ep_node *node, ep_field field, int64_t end) {
    const int64_t open_number = INT64_MAX - 1;
    const ep_shape *shape = ep_maker_shape(&b->maker, EP_SHAPE_RangeConstraint, field);
    bool open = end == INT64_MIN || end == INT64_MAX;
    if (open && shape->op == EP_OP_OPEN_END) {
        uint8_t slot = b->maker.fields.slot[field];
        node->slots[slot] = (uint64_t)(end < 0 ? INT64_C(-1) : INT64_C(1));
    } else if (!open || !shape->nullable) {
        int64_t number = end == INT64_MAX ? open_number : end;
        ep_maker_set(&b->maker, node, field, (uint64_t)number);
    }
}

EP_API bool ep_build_range(ep_builder *b, const ep_built_expr *symbol, int64_t min, int64_t max) {
    uint64_t key;
    TRY(ep_builder_goes_on(b) && ep_builder_given(b, symbol));
    if (symbol->symbol.size == 0) {
        return ep_builder_refuse(b, "a range of what is no symbol", NULL);
    }
    ep_node *node = ep_maker_struct(&b->maker, EP_SHAPE_RangeConstraint);
    TRY(node != NULL);
    /* its name has been a text of the maker since it was made */
    TRY(EP_ALWAYS(ep_maker_text(&b->maker, symbol->symbol, &key)));
    set_end(b, node, EP_F_RangeConstraint_min_val, min);
    set_end(b, node, EP_F_RangeConstraint_max_val, max);
    return ep_builder_add(b, &b->ranges, key, ep_pointer_bits(node));
}
