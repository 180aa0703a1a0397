/*
 * types.c - filters and edits of the rows about strings that hold a language, types of
 * values, symbols and their ranges, and the module call graph (SPEC parts 4, 5.4, 5.5).
 */
#include "edit.h"

#include <string.h>

/* ---------------------------------------------------------------- expressions */

bool fits_srepr(const defect *d, const place *p) {
    ep_bytes text = text_at(d, p);
    return bytes_find(text, 0, bytes_of("Symbol(")) < text.size ||
           bytes_find(text, 0, bytes_of("Integer(")) < text.size;
}

FITS(infix, p->end - p->begin > 2 && !fits_srepr(d, p))

/* An expression that does not bind the symbols that it has. */
FITS(user, is_member(outer(d, outer(d, p)), "Graph", "sym_int_values"))

/* Whether an expression begins with a symbol, in either form. */
static bool begins_with(ep_bytes text, ep_bytes symbol) {
    static const char srepr[] = "Symbol('";
    size_t at = bytes_start(text, srepr) ? sizeof srepr - 1 : 0;
    return text.size - at >= symbol.size && memcmp(text.data + at, symbol.data, symbol.size) == 0;
}

RELATION(of_symbol,
         is_member(p, "SymExpr", "expr_str") && begins_with(text_at(d, p), key_at(d, to)))

/* The end of a range whose symbol stands somewhere, with the hint of a size. */
EDIT(end_of_used, draw_related(d, is_of_symbol, p) != NULL && edit_member(d, p, text))

/* -------------------------------------------------------------- tensor metas */

static bool has_enumerator(const place *meta, const char *member, const char *names) {
    const char *own = ep_value_name(ep_value_field(meta->value, member), 0);
    return own != NULL && is_one_of(bytes_of(own), names);
}

/* Of integers or bools. */
FITS(whole, has_enumerator(p, "dtype", "BYTE CHAR SHORT INT LONG BOOL"))

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

FITS(root, previous_of(d, p) == NULL)

/* The program's own tree specs: of the root, or the call_spec. Other entries may list
 * several calls in some versions. */
FITS(program_spec, is_of(outer(d, p), "CallSpec") || fits_root(d, outer(d, outer(d, p))))
