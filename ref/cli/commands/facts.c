/*
 * facts.c - see facts.h.
 */
#include "facts.h"

#include <string.h>

#include "archive/pickle/dtype.h"
#include "cli/print.h"
#include "cli/show/line.h"
#include "cli/show/types_json.h"
#include "cli/words.h"
#include "csv.h"

static const char *const amount_kinds[AMOUNTS] = {"parameter", "buffer", "tensor constant"};
static const char *const amount_names[AMOUNTS] = {"parameter", "buffer", "constant"};

static uint64_t add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b) {
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/* A size that is no number is taken for 1: state has none. */
static uint64_t elements_of(ep_value meta) {
    ep_value sizes = ep_value_field(meta, "sizes");
    uint64_t count = 1;
    for (size_t i = 0; i < ep_value_count(sizes); i++) {
        const char *tag;
        ep_value size = unwrap(ep_value_item(sizes, i), &tag);
        bool known = ep_value_kind(size) == EP_KIND_INT && ep_value_int(size) >= 0;
        count = times(count, known ? (uint64_t)ep_value_int(size) : 1);
    }
    return count;
}

/* What the tensor is that an input is: its dtype, elements and bytes. */
static void size_up(name_item *item) {
    ep_value meta = printer_meta(item->value);
    const dtype_row *dtype = dtype_of_number(ep_value_int(ep_value_field(meta, "dtype")));
    bool is_tensor = ep_value_kind(meta) != EP_KIND_NULL;
    uint64_t count = is_tensor ? elements_of(meta) : 0;
    item->kind = is_tensor && dtype != NULL ? dtype->torch : "unknown";
    item->count = (size_t)count;
    item->bytes = times(count, dtype == NULL ? 0 : dtype->size);
}

/* What is said of a value is looked at once, however many inputs are that value. */
static void count_state(facts *f, const signature_row *row) {
    size_t kind = 0;
    while (kind < AMOUNTS && strcmp(row->kind, amount_kinds[kind]) != 0) {
        kind++;
    }
    if (kind == AMOUNTS) {
        return;
    }
    amount *a = &f->amounts[kind];
    name_item *item = names_find(&f->values, show_value_name(&f->shown, row->value));
    a->count++;
    if (item == NULL) {
        return;
    }
    if (item->kind == NULL) {
        size_up(item);
    }
    names_add(&f->dtypes, (name_item){.name = bytes_of(item->kind), .count = 1});
    a->elements = add(a->elements, item->count);
    a->bytes = add(a->bytes, item->bytes);
}

static void count_inputs(facts *f) {
    signature_row row;
    for (size_t i = 0; signature_at(&f->signature, SIGNATURE_INPUTS, i, &row); i++) {
        count_state(f, &row);
    }
    names_sort(&f->dtypes);
    f->failed = f->failed || f->dtypes.failed;
    if (!f->failed) {
        names_collapse(&f->dtypes);
    }
}

void facts_read(facts *f, const ep_program *program, size_t size, ep_arena *arena) {
    f->program = program;
    f->size = size;
    f->shown = (show){.program = program, .arena = arena, .left = show_room(size)};
    printer_open(&f->shown.printer);
    show_names(&f->shown, graphs_main(program), &f->values);
    f->shown.printer.values = &f->values;
    signature_open(&f->signature, program, arena);
    count_inputs(f);
    f->failed = !graphs_count(program, arena, &f->graphs) || f->failed;
}

bool facts_failed(const facts *f) {
    return f->failed || f->shown.failed || f->shown.printer.failed || f->signature.failed;
}

void facts_free(facts *f) {
    signature_close(&f->signature);
    names_free(&f->values);
    names_free(&f->dtypes);
    names_free(&f->graphs.operators);
    printer_close(&f->shown.printer);
}

/* Whether a row of the signature is one of the program's interface: what its user passes or
 * gets. */
static bool is_interface(const signature_row *row) {
    return word_among("user constant loss", row->kind) >= 0;
}

/* The release that wrote the program: empty where it does not say. */
static ep_bytes release_of(facts *f) {
    ep_value said = ep_value_field(ep_program_root(f->program), "torch_version");
    return text_of(said, f->shown.arena, &f->failed);
}

/* ------------------------------------------------------------------------- text */

enum { VALUES_TOLD = 6, SYMBOLS_TOLD = 6, OPERATORS_TOLD = 4, DIGITS_TOLD = 12 };

/* Moves what the printer has into the text, without its marks. */
static void take_line(facts *f, buffer *b) {
    line_plain(b, buffer_bytes(&f->shown.printer.line));
    f->failed = f->failed || f->shown.printer.line.failed;
    buffer_clear(&f->shown.printer.line);
}

static int64_t number_of(uint64_t number) {
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
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
    bool plain = unit == 0;
    print(b, plain ? "%i" : "%i.%i%c", number_of(plain ? number : scaled / TENTHS),
          number_of(scaled % TENTHS), plain ? ' ' : units[unit - 1]);
}

void facts_put_bytes(buffer *b, uint64_t bytes) {
    enum { PLAIN = 100000 };
    if (bytes < PLAIN) {
        print(b, "%i byte%s", (int64_t)bytes, bytes == 1 ? "" : "s");
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
    print(b, count > told ? "%s%i more" : "", told > 0 ? ", and " : "and ",
          (int64_t)(count - told));
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

/* "x: f32[s0, 3], y: f32[2]", at most so many */
static void put_values(facts *f, buffer *b, signature_side side, size_t most) {
    signature_row row;
    size_t count = 0;
    for (size_t i = 0; signature_at(&f->signature, side, i, &row); i++) {
        if (is_interface(&row) && count++ < most) {
            buffer_text(b, count > 1 ? ", " : "");
            put_value(f, b, &row);
        }
    }
    put_rest(b, count, most);
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
    put_rest(b, count, SYMBOLS_TOLD);
    buffer_text(b, count > SYMBOLS_TOLD ? " symbols" : "");
}

/* ", 2 parameters (25 values, 100 bytes)" */
static void put_amount(buffer *b, const amount *a, const char *thing) {
    if (a->count == 0) {
        return;
    }
    print(b, ", %i %s%s", number_of(a->count), thing, a->count == 1 ? " (" : "s (");
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
    const name_list *list = &f->graphs.operators;
    print(b, ", %i node%s", (int64_t)f->graphs.nodes, f->graphs.nodes == 1 ? "" : "s");
    print(b, f->graphs.subgraphs > 0 ? " in %i graphs" : "", (int64_t)(f->graphs.subgraphs + 1));
    buffer_text(b, list->count > 0 ? " (" : "");
    for (size_t i = 0; i < list->count && i < OPERATORS_TOLD; i++) {
        buffer_text(b, i > 0 ? ", " : "");
        printer_put_operator(&f->shown.printer, list->items[i].name);
        printer_cut(&f->shown.printer, 0);
        take_line(f, b);
        print(b, " %i", (int64_t)list->items[i].count);
    }
    put_rest(b, list->count, OPERATORS_TOLD);
    buffer_text(b, list->count > 0 ? ")" : "");
}

/* Which release wrote it; where it does not say, those that write its version. */
static void put_release(facts *f, buffer *b) {
    ep_bytes release = release_of(f);
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
    print(b, ", %r, (", f->digest == NULL ? "no digest" : f->digest->text,
          (size_t)(f->digest == NULL ? 9 : 4 + DIGITS_TOLD));
    put_values(f, b, SIGNATURE_INPUTS, VALUES_TOLD);
    buffer_text(b, ") -> (");
    put_values(f, b, SIGNATURE_OUTPUTS, VALUES_TOLD);
    buffer_byte(b, ')');
    put_symbols(f, b);
    for (size_t i = 0; i < AMOUNTS; i++) {
        put_amount(b, &f->amounts[i], amount_names[i]);
    }
    put_dtypes(f, b);
    put_nodes(f, b);
}

/* -------------------------------------------------------------------------- CSV */

static void put_values_cell(facts *f, buffer *b, signature_side side) {
    buffer values = {0};
    put_values(f, &values, side, SIZE_MAX);
    csv_text(b, buffer_bytes(&values));
    b->failed = b->failed || values.failed;
    buffer_free(&values);
}

void facts_put_cells(facts *f, buffer *b) {
    const amount *a = f->amounts;
    csv_text(b, bytes_of(ep_program_version(f->program)->name));
    csv_text(b, release_of(f));
    csv_text(b, bytes_of(f->digest == NULL ? "" : f->digest->text));
    put_values_cell(f, b, SIGNATURE_INPUTS);
    put_values_cell(f, b, SIGNATURE_OUTPUTS);
    csv_number(b, true, f->graphs.nodes);
    csv_number(b, true, f->graphs.operators.count);
    csv_number(b, true, a[PARAMETERS].count);
    csv_number(b, true, a[PARAMETERS].bytes);
    csv_number(b, true, a[BUFFERS].count);
    csv_number(b, true, a[CONSTANTS].count);
}

/* ------------------------------------------------------------------------- JSON */

/* [{"dtype": "float32", "tensors": 2}] */
static json *count_list(const name_list *list, const char *name, const char *count) {
    json *all = json_array();
    for (size_t i = 0; i < list->count; i++) {
        json *each = json_object();
        json_add(each, name, json_text(list->items[i].name));
        json_add(each, count, json_integer((int64_t)list->items[i].count));
        json_append(all, each);
    }
    return all;
}

static json *interface_list(facts *f, signature_side side) {
    signature_row row;
    json *list = json_array();
    for (size_t i = 0; signature_at(&f->signature, side, i, &row); i++) {
        if (is_interface(&row)) {
            json_append(list, types_record(&f->shown, &row));
        }
    }
    return list;
}

static json *amount_object(const amount *a) {
    return json_make("count:n values:i bytes:i", a->count, number_of(a->elements),
                     number_of(a->bytes));
}

json *facts_object(facts *f) {
    f->shown.printer.full = true;
    json *inputs = interface_list(f, SIGNATURE_INPUTS);
    json *outputs = interface_list(f, SIGNATURE_OUTPUTS);
    json *object = json_make(
        "member:u bytes:n schema_version:s torch_version:u releases:j "
        "digest:s undecided:b inputs:j outputs:j symbols:j parameters:j buffers:j constants:j "
        "dtypes:j nodes:n subgraphs:n "
        "operators:j",
        f->member, f->size, ep_program_version(f->program)->name, release_of(f),
        json_words(ep_program_version(f->program)->releases),
        f->digest == NULL ? NULL : f->digest->text, f->digest != NULL && f->digest->undecided,
        inputs, outputs, types_symbols(&f->shown, true), amount_object(&f->amounts[PARAMETERS]),
        amount_object(&f->amounts[BUFFERS]), amount_object(&f->amounts[CONSTANTS]),
        count_list(&f->dtypes, "dtype", "tensors"), f->graphs.nodes, f->graphs.subgraphs,
        count_list(&f->graphs.operators, "target", "count"));
    return object;
}
