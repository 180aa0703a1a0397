/*
 * types.c - filters and edits of the rows about strings that hold a language, types of
 * values, symbols and their ranges, and the module call graph (SPEC parts 4, 5.4, 5.5).
 */
#include "edit.h"

#include <string.h>

/* ---------------------------------------------------------------- expressions */

bool fits_srepr(const defect *d, const place *p) {
    ep_bytes text = text_at(d, p);
    return find_bytes(text, 0, "Symbol(") < text.size ||
           find_bytes(text, 0, "Integer(") < text.size;
}

FITS(infix, p->end - p->begin > 2 && !fits_srepr(d, p))

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

/* The symbol that an expression is, in either form; nothing if it is more. */
static ep_bytes lone_symbol(ep_bytes text) {
    static const char srepr[] = "Symbol('";
    size_t size = 0;
    size_t at = find_symbol(text, 0, &size);
    bool alone = at == 0 && size == text.size;
    if (at == sizeof srepr - 1 && bytes_start(text, srepr)) {
        alone = find_bytes(text, 0, ")") == text.size - 1;
    }
    return alone ? (ep_bytes){text.data + at, size} : (ep_bytes){text.data, 0};
}

/* An expression that does not bind the symbols that it has: no stride and no
 * offset, and no symbol alone. */
bool fits_user(const defect *d, const place *p) {
    const place *sym = outer(d, outer(d, p));
    return sym != NULL &&
           ((is_member(sym, "TensorMeta", "sizes") && lone_symbol(text_at(d, p)).size == 0) ||
            is_member(sym, "Graph", "sym_int_values"));
}

/* For one of its symbols. */
bool edit_symbol(defect *d, const place *p, const char *text) {
    ep_bytes in = text_at(d, p);
    size_t size = 0;
    size_t count = 0;
    size_t drawn = 0;
    size_t drawn_size = 0;
    for (size_t at = find_symbol(in, 0, &size); at < in.size;
         at = find_symbol(in, at + size, &size)) {
        if (draw(d, ++count) == 0) {
            drawn = p->begin + 1 + at;
            drawn_size = size;
        }
    }
    return count > 0 && replace(d, drawn, drawn + drawn_size, text, in);
}

/* --------------------------------------------------------------------- ranges */

bool fits_closed_range(const defect *d, const place *p) {
    const place *low = part_of(d, p, "min_val");
    return low != NULL && low->kind == EP_KIND_INT && ep_value_int(low->value) > INT64_MIN / 2;
}

/* The hint's number; NULL if it has none. */
static const place *int_hint(const defect *d, const place *expr) {
    const place *hint = part_of(d, expr, "hint");
    if (hint != NULL && hint->kind == EP_KIND_UNION) {
        hint = has_tag(hint, "as_int") ? tagged(d, hint) : NULL;
    }
    return hint;
}

/* The range of the symbol that an expression is; NULL if there is none. */
static const place *range_of(const defect *d, const place *expr) {
    ep_bytes symbol = lone_symbol(text_at(d, part_of(d, expr, "expr_str")));
    const place *p = first_in(d, part_of(d, d->places.items, "range_constraints"));
    while (p != NULL && (symbol.size == 0 || !same_bytes(key_at(d, p), symbol))) {
        p = next_of(d, p);
    }
    return p;
}

/* A number beyond one of the ends of its range. */
bool edit_beyond(defect *d, const place *p, const char *text) {
    const place *hint = int_hint(d, p);
    const place *range = hint == NULL ? NULL : range_of(d, p);
    const place *low = range == NULL ? NULL : part_of(d, range, "min_val");
    const place *high = range == NULL ? NULL : part_of(d, range, "max_val");
    bool above =
        high != NULL && high->kind == EP_KIND_INT && ep_value_int(high->value) < INT64_MAX / 2;
    bool below = low != NULL && low->kind == EP_KIND_INT && ep_value_int(low->value) >= 2;
    if (above || below) { /* a size has no hint below 0 */
        replace(d, hint->begin, hint->end, text, bytes_at(d, hint));
        put_number(d, above ? ep_value_int(high->value) + 1 : ep_value_int(low->value) - 1);
    }
    return above || below;
}

/* -------------------------------------------------------------- tensor metas */

static bool has_enumerator(const place *meta, const char *member, const char *names) {
    const char *own = ep_value_name(ep_value_field(meta->value, member), 0);
    return own != NULL && is_one_of(bytes_of(own), names);
}

FITS(of_strided, has_enumerator(owner(d, p, "TensorMeta"), "layout", "Strided"))

/* Of integers or bools. */
FITS(whole, has_enumerator(p, "dtype", "BYTE CHAR SHORT INT LONG BOOL"))

FITS(graded, !fits_whole(d, p) && ep_value_int(ep_value_field(p->value, "requires_grad")) != 0)

/* A list of two sizes or more, all numbers. */
bool fits_numbers(const defect *d, const place *p) {
    for (const place *in = first_in(d, p); in != NULL; in = next_of(d, in)) {
        TRY(has_tag(in, "as_int"));
    }
    return p->count >= 2;
}

/* As many as there are. */
bool edit_each(defect *d, const place *p, const char *text) {
    for (size_t i = 0; i < p->count; i++) {
        put(d, i > 0 ? ", " : "[");
        put_text(d, text, (ep_bytes){"", 0});
    }
    return replace(d, p->begin, p->end, "]", bytes_at(d, p));
}

/* --------------------------------------------------------------------- modules */

/* One of the brackets that close a text, and those behind it, are gone. */
bool edit_cut_text(defect *d, const place *p, const char *text) {
    size_t end = p->end - 1;
    return replace(d, end - 1 - draw(d, 3), end, text, text_at(d, p));
}

FITS(root, previous_of(d, p) == NULL)

FITS(of_root, fits_root(d, outer(d, p)))

FITS(empty, fits_any(d, p) && p->count == 0)

/* Behind the entry that it names. */
bool edit_entry_behind(defect *d, const place *p, const char *text) {
    const place *entry = outer(d, p);
    return replace(d, entry->end, entry->end, text, bytes_at(d, p));
}

/* Behind all entries: one with a tree spec that there is. */
bool edit_entry(defect *d, const place *p, const char *text) {
    const place *list = d->places.items;
    while (!is_member(list, "GraphModule", "module_call_graph")) {
        list++;
    }
    bool root = text[9] == '"';
    put(d, list->count > 0 ? ", " : "");
    return root == (list->count == 0) &&
           replace(d, list->end - 1, list->end - 1, text, bytes_at(d, p));
}

/* The program's own tree specs: of the root, or the call_spec. Other entries may list
 * several calls in some versions. */
FITS(program_spec, is_of(outer(d, p), "CallSpec") || fits_root(d, outer(d, outer(d, p))))

bool fits_leafless(const defect *d, const place *p) {
    ep_bytes text = text_at(d, p);
    return fits_program_spec(d, p) && find_bytes(text, 0, "\\\"type\\\": null") == text.size;
}
