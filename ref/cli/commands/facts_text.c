/*
 * facts_text.c - the facts of a program as a part of a line. What there can be many of is
 * told as far as fits one.
 */
#include <string.h>

#include "cli/print.h"
#include "cli/show/line.h"
#include "common/safe.h"
#include "facts.h"

enum { VALUES_TOLD = 6, SYMBOLS_TOLD = 6, OPERATORS_TOLD = 4, DIGITS_TOLD = 12 };

/* Moves what the printer has into the text, without its marks. */
static void take_line(facts *f, buffer *b) {
    line_plain(b, buffer_bytes(&f->shown.printer.line));
    f->failed = f->failed || f->shown.printer.line.failed;
    buffer_clear(&f->shown.printer.line);
}

static void put_number(buffer *b, uint64_t number) {
    buffer_number(b, number > INT64_MAX ? INT64_MAX : (int64_t)number);
}

/* "12", "3456789" as "3.4M", of thousands from a hundred of them on */
static void put_scaled(buffer *b, uint64_t number, const char *units) {
    enum { PLAIN = 100000, STEP = 1000, TENTHS = 10 };
    uint64_t scaled = number;
    size_t unit = 0;
    while (number >= PLAIN && (scaled >= (uint64_t)STEP * TENTHS || unit == 0) &&
           units[unit] != 0) {
        scaled /= unit == 0 ? STEP / TENTHS : STEP;
        unit++;
    }
    put_number(b, unit == 0 ? number : scaled / TENTHS);
    if (unit > 0) {
        buffer_byte(b, '.');
        put_number(b, scaled % TENTHS);
        buffer_byte(b, units[unit - 1]);
    }
}

void facts_put_bytes(buffer *b, uint64_t bytes) {
    enum { PLAIN = 100000 };
    if (bytes < PLAIN) {
        put_number(b, bytes);
        buffer_text(b, bytes == 1 ? " byte" : " bytes");
        return;
    }
    size_t from = b->size;
    put_scaled(b, bytes, "kMGTPE");
    if (!b->failed && b->size > from) { /* "3.4M" as "3.4 MB" */
        char unit = b->data[--b->size];
        print(b, " %cB", unit);
    }
}

static void put_rest(buffer *b, size_t count, size_t told) {
    if (count > told) {
        print(b, "%s%i more", told > 0 ? ", and " : "and ", (int64_t)(count - told));
    }
}

/* "x: f32[s0, 3]", or the value of a constant */
static void put_value(facts *f, buffer *b, const signature_row *row) {
    ep_bytes name = row->name.size > 0 ? row->name : show_value_name(&f->shown, row->value);
    printer *p = &f->shown.printer;
    print(b, "%t%s", name, name.size > 0 ? ": " : "");
    if (row->name.size > 0 || !printer_put_type(p, name)) {
        printer_put(p, row->value);
        printer_cut(p, 0);
    }
    take_line(f, b);
    printer_end_line(p);
}

static void put_values(facts *f, buffer *b, signature_side side) {
    signature *said = &f->signature;
    signature_row row;
    size_t count = 0;
    buffer_byte(b, '(');
    for (size_t i = 0; signature_at(said, side, i, &row); i++) {
        if (facts_is_interface(&row) && count++ < VALUES_TOLD) {
            buffer_text(b, count > 1 ? ", " : "");
            put_value(f, b, &row);
        }
    }
    put_rest(b, count, VALUES_TOLD);
    buffer_byte(b, ')');
}

/* ", 2 <= s0 <= 128" */
static void put_symbols(facts *f, buffer *b) {
    ep_value ranges = ep_value_field(ep_program_root(f->program), "range_constraints");
    size_t count = ep_value_count(ranges);
    for (size_t i = 0; i < count && i < SYMBOLS_TOLD; i++) {
        buffer_text(b, ", ");
        show_put_range(&f->shown, i);
        take_line(f, b);
        printer_end_line(&f->shown.printer);
    }
    if (count > SYMBOLS_TOLD) {
        put_rest(b, count, SYMBOLS_TOLD);
        buffer_text(b, " symbols");
    }
}

/* ", 2 parameters (25 values, 100 bytes)" */
static void put_amount(buffer *b, const amount *a, const char *thing) {
    if (a->count == 0) {
        return;
    }
    buffer_text(b, ", ");
    put_number(b, a->count);
    print(b, " %s%s", thing, a->count == 1 ? " (" : "s (");
    put_scaled(b, a->elements, "kMGTPE");
    buffer_text(b, a->elements == 1 ? " value, " : " values, ");
    facts_put_bytes(b, a->bytes);
    buffer_byte(b, ')');
}

/* " of float16 and float32" */
static void put_dtypes(const facts *f, buffer *b) {
    for (size_t i = 0; i < f->dtypes.count; i++) {
        print(b, "%s%r",
              i == 0                    ? " of "
              : i + 1 < f->dtypes.count ? ", "
                                        : " and ",
              f->dtypes.items[i].name.data, f->dtypes.items[i].name.size);
    }
}

/* ", 3 nodes (aten.linear 2, aten.relu 1)" */
static void put_nodes(facts *f, buffer *b) {
    const name_list *list = &f->operators;
    buffer_text(b, ", ");
    put_number(b, f->nodes);
    buffer_text(b, f->nodes == 1 ? " node" : " nodes");
    if (f->subgraphs > 0) {
        buffer_text(b, " in ");
        put_number(b, f->subgraphs + 1);
        buffer_text(b, " graphs");
    }
    buffer_text(b, list->count > 0 ? " (" : "");
    for (size_t i = 0; i < list->count && i < OPERATORS_TOLD; i++) {
        buffer_text(b, i > 0 ? ", " : "");
        printer_put_operator(&f->shown.printer, list->items[i].name);
        printer_cut(&f->shown.printer, 0);
        take_line(f, b);
        buffer_byte(b, ' ');
        put_number(b, list->items[i].count);
    }
    put_rest(b, list->count, OPERATORS_TOLD);
    buffer_text(b, list->count > 0 ? ")" : "");
}

/* Which release wrote it; where it does not say, those that write its version. */
static void put_release(facts *f, buffer *b) {
    ep_bytes release = facts_release(f);
    const char *some = ep_program_version(f->program)->releases;
    const char *last = some == NULL ? NULL : strrchr(some, ' ');
    if (release.size > 0) {
        print(b, ", torch %t", release);
    } else if (some != NULL) {
        print(b, " of torch %r%s%s", some, strcspn(some, " "), last == NULL ? "" : " to",
              last == NULL ? "" : last);
    }
}

void facts_put_text(facts *f, buffer *b) {
    print(b, ", schema %s", ep_program_version(f->program)->name);
    put_release(f, b);
    print(b, ", %r, ", f->digest == NULL ? "no digest" : f->digest->text,
          (size_t)(f->digest == NULL ? 9 : 4 + DIGITS_TOLD));
    put_values(f, b, SIGNATURE_INPUTS);
    buffer_text(b, " -> ");
    put_values(f, b, SIGNATURE_OUTPUTS);
    put_symbols(f, b);
    put_amount(b, &f->parameters, "parameter");
    put_amount(b, &f->buffers, "buffer");
    put_amount(b, &f->constants, "constant");
    put_dtypes(f, b);
    put_nodes(f, b);
    b->failed =
        b->failed || f->failed || f->shown.failed || f->shown.printer.failed || f->signature.failed;
}
