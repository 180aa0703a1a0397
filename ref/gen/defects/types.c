/*
 * types.c - defects of what the tables say of values, of symbols and
 * their ranges (SPEC 5.4).
 */
#include "edit.h"

#include <string.h>

/* -------------------------------------------------------------- tensor metas */

/* Enumerator 0, which is unknown, in one of the places that have one. */
static bool make_unknown(defect *d, const member_row *rows, const char *why) {
    const place *p = draw_of(d, rows);
    return p != NULL ? replace(d, p, "0") : no_place(d, why);
}

bool defect_dtype(defect *d) {
    static const member_row rows[] = {
        {"TensorMeta", "dtype"}, {"Argument", "as_scalar_type"}, {NULL, NULL}};
    return make_unknown(d, rows, "it has no dtypes");
}

bool defect_layout(defect *d) {
    static const member_row rows[] = {
        {"TensorMeta", "layout"}, {"Argument", "as_layout"}, {NULL, NULL}};
    return make_unknown(d, rows, "it has no layouts");
}

/* A constant that an operator of PyTorch takes. */
static bool is_constant(const defect *d, const place *p, const void *context) {
    static const char *const tags[] = {"as_int",  "as_float", "as_bool",
                                       "as_none", "as_ints",  "as_scalar_type"};
    (void)context;
    for (size_t i = 0; is_member(p, "NamedArgument", "arg") && i < COUNT_OF(tags); i++) {
        if (has_tag(p, tags[i])) {
            return find_bytes(text_at(d, part_of(d, owner(d, p, "Node"), "target")), 0,
                              "torch.ops.aten.") == 0;
        }
    }
    return false;
}

static bool other_format(defect *d) {
    static const member_row rows[] = {{"Argument", "as_memory_format"}, {NULL, NULL}};
    return make_unknown(d, rows, "it has no memory formats");
}

static bool new_format(defect *d) {
    const place *p = draw_place(d, is_constant, NULL);
    if (p == NULL) {
        return no_place(d, "no operator takes a constant");
    }
    replace(d, p, "");
    put_variant(d, "Argument", "as_memory_format", "0");
    return true;
}

bool defect_memory_format(defect *d) {
    static defect_function *const ways[] = {other_format, new_format};
    return TRY_WAYS(d, ways);
}

/* A number in a SymInt that is a member of a TensorMeta, or an item of it. */
static bool is_number_of(const defect *d, const place *p, const void *context) {
    return is_member(p, "SymInt", "as_int") && p->kind == EP_KIND_INT &&
           is_member(outer(d, p), "TensorMeta", context);
}

static bool make_negative(defect *d, const place *p, const char *why) {
    if (p == NULL) {
        return no_place(d, why);
    }
    replace(d, p, draw(d, 8) == 0 ? "-922337203685477580" : "-");
    put_number(d, 1 + (int64_t)draw(d, 8));
    return true;
}

bool defect_size(defect *d) {
    return make_negative(d, draw_place(d, is_number_of, "sizes"), "it has no sizes");
}

bool defect_stride(defect *d) {
    return make_negative(d, draw_place(d, is_number_of, "strides"), "it has no strides");
}

static bool is_offset(const defect *d, const place *p, const void *context) {
    (void)context;
    return (is_member(p, "TensorMeta", "storage_offset") && p->kind == EP_KIND_INT) ||
           is_number_of(d, p, "storage_offset");
}

bool defect_storage_offset(defect *d) {
    return make_negative(d, draw_place(d, is_offset, NULL), "it has no storage offsets");
}

static bool is_strided(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_of(p, "TensorMeta") &&
           strcmp(ep_value_name(ep_value_field(p->value, "layout"), 0), "Strided") == 0 &&
           p->next <= d->places.count;
}

bool defect_strides(defect *d) {
    const place *p = draw_place(d, is_strided, NULL);
    if (p == NULL) {
        return no_place(d, "it has no strided tensors");
    }
    const place *list = part_of(d, p, draw(d, 2) == 0 ? "sizes" : "strides");
    if (list->count > 0 && draw(d, 2) == 0) {
        return remove_part(d, first_in(d, list));
    }
    insert_into(d, list);
    put_variant(d, "SymInt", "as_int", "1");
    return true;
}

static bool is_device(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return is_of(p, "Device");
}

bool defect_device_index(defect *d) {
    static const char *const high[] = {"128", "255", "256", "2147483648", "9223372036854775807"};
    const place *p = draw_place(d, is_device, NULL);
    if (p == NULL) {
        return no_place(d, "it has no devices");
    }
    for (const place *in = first_in(d, p); in != NULL; in = next_of(d, in)) {
        if (strcmp(in->member, "index") == 0) {
            return draw(d, 2) == 0 ? make_negative(d, in, NULL)
                                   : replace(d, in, DRAW_FROM(d, high));
        }
    }
    insert_member(d, p, "index");
    put_number(d, -1 - (int64_t)draw(d, 9));
    return true;
}

/* Whether a tensor's elements are integers or bools. */
static bool is_whole(const place *meta) {
    static const char *const dtypes[] = {"BYTE", "CHAR", "SHORT", "INT", "LONG", "BOOL"};
    const char *dtype = ep_value_name(ep_value_field(meta->value, "dtype"), 0);
    for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
        if (strcmp(dtype, dtypes[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A TensorMeta that is one edit away from a gradient of integers. */
static bool is_gradient(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return is_of(p, "TensorMeta") &&
           (is_whole(p) || ep_value_int(ep_value_field(p->value, "requires_grad")) != 0);
}

bool defect_requires_grad(defect *d) {
    const place *p = draw_place(d, is_gradient, NULL);
    if (p == NULL) {
        return no_place(d, "it has no integers, and nothing that requires gradients");
    }
    return is_whole(p) ? replace(d, part_of(d, p, "requires_grad"), "true")
                       : replace(d, part_of(d, p, "dtype"), "5");
}

/* A list of two sizes or more, all numbers. */
static bool is_sizes(const defect *d, const place *p, const void *context) {
    (void)context;
    if (!is_member(p, "TensorMeta", "sizes") || p->nest != 0 || p->count < 2) {
        return false;
    }
    for (const place *in = first_in(d, p); in != NULL; in = next_of(d, in)) {
        if (!has_tag(in, "as_int")) {
            return false;
        }
    }
    return true;
}

bool defect_numel(defect *d) {
    static const char *const sizes[] = {"4294967296", "9223372036854775807", "2147483648"};
    const place *p = draw_place(d, is_sizes, NULL);
    if (p == NULL) {
        return no_place(d, "it has no tensor of two sizes that are numbers");
    }
    replace(d, p, "[");
    for (size_t i = 0; i < p->count; i++) {
        put(d, i > 0 ? ", " : "");
        put_variant(d, "SymInt", "as_int", i > 0 ? "4294967296" : DRAW_FROM(d, sizes));
    }
    put(d, "]");
    return true;
}

/* -------------------------------------------------------------------- symbols */

static bool is_expression(const defect *d, const place *p, const void *context) {
    (void)d;
    (void)context;
    return is_of(p, "SymExpr");
}

/* The hint, which may be null or not written. */
static const place *hint_of(const defect *d, const place *expr) {
    const place *p = first_in(d, expr);
    while (p != NULL && strcmp(p->member, "hint") != 0) {
        p = next_of(d, p);
    }
    return p;
}

bool defect_hint(defect *d) {
    static const struct hint_row {
        const char *type;
        const char *tag;
        const char *value;
    } rows[] = {
        {"SymInt", "as_int", "4"}, {"SymFloat", "as_float", "2.5"}, {"SymBool", "as_bool", "true"}};
    const place *p = draw_place(d, is_expression, NULL);
    if (p == NULL) {
        return no_place(d, "it has no expressions");
    }
    const struct hint_row *row;
    do {
        row = &DRAW_FROM(d, rows);
    } while (strcmp(p->type, row->type) == 0);
    const place *hint = hint_of(d, p);
    if (hint != NULL) {
        replace(d, hint, "");
    } else {
        insert_member(d, p, "hint");
    }
    put_variant(d, "SymExprHint", row->tag, row->value);
    return true;
}

static ep_bytes lone_symbol(ep_bytes text);

/* An expression that does not bind the symbols that it has: no stride and no
 * offset, and no symbol alone. */
static bool is_user(const defect *d, const place *p, const void *context) {
    (void)context;
    const place *sym = is_member(p, "SymExpr", "expr_str") ? outer(d, outer(d, p)) : NULL;
    return sym != NULL &&
           ((is_member(sym, "TensorMeta", "sizes") && lone_symbol(text_at(d, p)).size == 0) ||
            is_member(sym, "Graph", "sym_int_values"));
}

static bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The next symbol from a place on: s, u or i and digits, in quotes or not. */
static size_t find_symbol(ep_bytes text, size_t from, size_t *size) {
    for (size_t at = from; at < text.size; at++) {
        bool begins =
            strchr("sui", text.data[at]) != NULL && (at == 0 || !is_word_byte(text.data[at - 1]));
        size_t end = at + 1;
        while (end < text.size && text.data[end] >= '0' && text.data[end] <= '9') {
            end++;
        }
        if (begins && end > at + 1 && (end == text.size || !is_word_byte(text.data[end]))) {
            *size = end - at;
            return at;
        }
    }
    return text.size;
}

bool defect_symbol(defect *d) {
    const place *p = draw_place(d, is_user, NULL);
    if (p == NULL) {
        return no_place(d, "it has no symbols");
    }
    ep_bytes text = text_at(d, p);
    size_t size = 0, count = 0;
    for (size_t at = find_symbol(text, 0, &size); at < text.size;
         at = find_symbol(text, at + size, &size)) {
        count++;
    }
    if (count == 0) {
        return no_place(d, "an expression has no symbol");
    }
    size_t at = find_symbol(text, 0, &size);
    for (size_t left = draw(d, count); left > 0; left--) {
        at = find_symbol(text, at + size, &size);
    }
    size_t begin = p->begin + 1 + at;
    replace_bytes(d, begin, begin + size, "");
    put_fresh(d, "s");
    return true;
}

/* --------------------------------------------------------------------- ranges */

/* A new range, of a symbol that nothing uses, or of what is none. */
static void add_range(defect *d, const char *key, int64_t low, int64_t high) {
    insert_into(d, draw_member(d, "ExportedProgram", "range_constraints"));
    put(d, "\"");
    if (key == NULL) {
        put_fresh(d, "s");
    } else {
        put(d, key);
    }
    put(d, "\": {\"min_val\": ");
    put_number(d, low);
    put(d, ", \"max_val\": ");
    put_number(d, high);
    put(d, "}");
}

static bool added_range(defect *d) {
    int64_t low = (int64_t)draw(d, 1000);
    add_range(d, NULL, low, low - 1 - (int64_t)draw(d, 100));
    return true;
}

static bool is_int_end(const place *p) {
    return p != NULL && p->kind == EP_KIND_INT;
}

static bool is_closed_range(const defect *d, const place *p, const void *context) {
    (void)context;
    return is_of(p, "RangeConstraint") && is_int_end(part_of(d, p, "min_val"));
}

static bool turned_range(defect *d) {
    const place *p = draw_place(d, is_closed_range, NULL);
    if (p == NULL) {
        return no_place(d, "it has no ranges");
    }
    int64_t low = ep_value_int(part_of(d, p, "min_val")->value);
    for (const place *in = first_in(d, p); in != NULL; in = next_of(d, in)) {
        if (strcmp(in->member, "max_val") == 0 && low > INT64_MIN / 2) {
            replace(d, in, "");
            put_number(d, low - 1 - (int64_t)draw(d, 100));
            return true;
        }
    }
    return no_place(d, "a range has no end that can be moved");
}

bool defect_range(defect *d) {
    static defect_function *const ways[] = {added_range, turned_range};
    return TRY_WAYS(d, ways);
}

bool defect_range_symbol(defect *d) {
    static const char *const keys[] = {"",       "2",      "s9000 ", "(s9000", "s9000 +",
                                       "1 + 1",  "s9 000", "9s",     "True",   "oo",
                                       "s9000;", "-",      "nan",    "s9000.0"};
    add_range(d, DRAW_FROM(d, keys), 2, 9);
    return true;
}

/* The symbol that an expression is, in either form; nothing if it is more. */
static ep_bytes lone_symbol(ep_bytes text) {
    static const char srepr[] = "Symbol('";
    size_t size = 0;
    size_t at = find_symbol(text, 0, &size);
    bool alone = at == 0 && size == text.size;
    if (at == sizeof srepr - 1 && find_bytes(text, 0, srepr) == 0) {
        alone = find_bytes(text, 0, ")") == text.size - 1;
    }
    return alone ? (ep_bytes){text.data + at, size} : (ep_bytes){text.data, 0};
}

/* The hint's number; NULL if it has none. */
static const place *int_hint(const defect *d, const place *expr) {
    const place *hint = part_of(d, expr, "hint");
    if (hint != NULL && hint->kind == EP_KIND_UNION) {
        hint = has_tag(hint, "as_int") ? tagged(d, hint) : NULL;
    }
    return hint;
}

/* The range of a symbol. */
static const place *range_of(const defect *d, ep_bytes symbol) {
    const place *ranges = part_of(d, d->places.items, "range_constraints");
    const place *p = first_in(d, ranges);
    while (p != NULL && !same_bytes(key_at(d, p), symbol)) {
        p = next_of(d, p);
    }
    return p;
}

/* What is beyond one of the ends of a range; false if it has none. */
static bool number_beyond(defect *d, const place *range, int64_t *number) {
    const place *low = part_of(d, range, "min_val");
    const place *high = part_of(d, range, "max_val");
    int64_t by = 1 + (int64_t)draw(d, 2);
    if (is_int_end(high) && ep_value_int(high->value) < INT64_MAX / 2) {
        *number = ep_value_int(high->value) + by;
        return true;
    }
    if (is_int_end(low) && ep_value_int(low->value) >= by) { /* a size has no hint below 0 */
        *number = ep_value_int(low->value) - by;
        return true;
    }
    return false;
}

static bool is_hinted_symbol(const defect *d, const place *p, const void *context) {
    (void)context;
    if (!is_of(p, "SymExpr") || int_hint(d, p) == NULL) {
        return false;
    }
    ep_bytes symbol = lone_symbol(text_at(d, part_of(d, p, "expr_str")));
    return symbol.size > 0 && range_of(d, symbol) != NULL;
}

bool defect_hint_range(defect *d) {
    const place *p = draw_place(d, is_hinted_symbol, NULL);
    int64_t number;
    if (p == NULL) {
        return no_place(d, "it has no symbol with a hint and a range");
    }
    ep_bytes symbol = lone_symbol(text_at(d, part_of(d, p, "expr_str")));
    if (!number_beyond(d, range_of(d, symbol), &number)) {
        return no_place(d, "a symbol's range has no end");
    }
    replace(d, int_hint(d, p), "");
    put_number(d, number);
    return true;
}
