/*
 * print_program.c - a whole program: the head, the signature, what is known of the
 * symbols, then the graph. An input or output is a row: what it is, its name, its type, what it
 * stands for, and what is unusual about it.
 */
#include "call.h"
#include "cli/print.h"
#include "cli/words.h"
#include "common/safe.h"
#include "deviations.h"
#include "graphs.h"
#include "line.h"
#include "show.h"
#include "signature.h"
#include "table.h"

/* "8.20"; "1" in versions that say it so. */
static void put_number(buffer *b, ep_value version) {
    bool whole = ep_value_kind(version) == EP_KIND_INT;
    print(b, whole ? "%i" : "%i.%i",
          ep_value_int(whole ? version : ep_value_field(version, "major")),
          ep_value_int(ep_value_field(version, "minor")));
}

static void put_text(show *s, ep_value value) {
    safe_text(&s->printer.line, text_of(value, &s->printer.scratch, &s->failed));
}

/* ", verifier TRAINING"; older versions call it dialect. */
static void put_verifiers(show *s, ep_value root) {
    buffer *line = &s->printer.line;
    ep_value verifiers = ep_value_field(root, "verifiers");
    ep_value dialect = ep_value_field(root, "dialect");
    for (size_t i = 0; i < ep_value_count(verifiers); i++) {
        buffer_text(line, i > 0 ? " " : ", verifier ");
        put_text(s, ep_value_item(verifiers, i));
    }
    if (ep_value_kind(dialect) == EP_KIND_STR) {
        buffer_text(line, ", dialect ");
        put_text(s, dialect);
    }
}

static void put_opsets(show *s, ep_value root) {
    buffer *line = &s->printer.line;
    ep_value opsets = ep_value_field(root, "opset_version");
    for (size_t i = 0; i < ep_value_count(opsets); i++) {
        ep_bytes name = dict_key(opsets, i, &s->printer.scratch, &s->failed);
        print(line, "%s%t %i", i > 0 ? " " : ", opset ", name,
              ep_value_int(ep_value_item(opsets, i)));
    }
}

/* "schema 8.20, torch 2.13.0" */
void show_put_versions(show *s) {
    buffer *line = &s->printer.line;
    ep_value root = ep_program_root(s->program);
    ep_value torch = ep_value_field(root, "torch_version");
    buffer_text(line, "schema ");
    put_number(line, ep_value_field(root, "schema_version"));
    if (ep_value_kind(torch) == EP_KIND_STR) {
        buffer_text(line, ", torch ");
        put_text(s, torch);
    }
}

/* The name of the file, and what a reader of it has to know. */
static void put_head(show *s, const ep_bytes *label) {
    buffer *line = &s->printer.line;
    ep_value root = ep_program_root(s->program);
    if (label != NULL) {
        print(line, "%m%t%M", STYLE_HEADING, *label);
        show_line(s, 0);
    }
    show_put_versions(s);
    put_opsets(s, root);
    put_verifiers(s, root);
    show_line(s, 2);
}

static void put_counts(show *s) {
    buffer *line = &s->printer.line;
    graphs_counts c;
    size_t main_nodes = ep_value_count(ep_value_field(graphs_main(s->program), "nodes"));
    s->failed = !graphs_count(s->program, NULL, &c) || s->failed;
    print(line, "%i node%s", (int64_t)main_nodes, main_nodes == 1 ? "" : "s");
    if (c.subgraphs > 0) {
        size_t inner = c.nodes - main_nodes;
        print(line, ", and %i node%s in %i subgraph%s", (int64_t)inner, inner == 1 ? "" : "s",
              (int64_t)c.subgraphs, c.subgraphs == 1 ? "" : "s");
    }
    show_line(s, 2);
}

/* "PyTorch 2.13 does not load it: a kernel of Triton [D-47]" */
static void put_deviations(show *s) {
    ep_value found[DEVIATION_COUNT];
    s->failed = !deviations_find(s->program, s->arena, found) || s->failed;
    for (int i = 0; i < DEVIATION_COUNT; i++) {
        if (ep_value_kind(found[i]) != EP_KIND_NULL) {
            print(&s->printer.line, "%s [%s]", deviation_rows[i].message, deviation_rows[i].id);
            show_line(s, 2);
        }
    }
}

/* -------------------------------------------------------------------- signature */

/* Moves the printer's line, a row, into the cells of a table. */
static void end_row(show *s, table *t, ep_value of) {
    ep_bytes line = buffer_bytes(&s->printer.line);
    if (s->take != NULL) {
        show_part_line(s, 2, SHOW_ROW, of);
        return;
    }
    line_piece piece = {.in = STYLE_PLAIN};
    while (line_next(&line, &piece)) {
        buffer_put(&t->text, piece.text.data, piece.text.size);
        if (piece.space) {
            buffer_byte(&t->text, ' ');
        }
        if (piece.cell) {
            table_end_cell(t);
        }
    }
    printer_end_line(&s->printer);
}

/* ---------------------------------------------------------------------- remarks */

/* Behind what was put since `from`. */
static void put_remark(buffer *b, size_t from, const char *remark) {
    print(b, "%s%s", b->size > from ? ", " : "", remark);
}

/* Whether strides are those of a tensor without gaps, or cannot be told. */
static bool is_contiguous(ep_value sizes, ep_value strides) {
    uint64_t expected = 1;
    bool same = true;
    size_t count = ep_value_count(sizes);
    if (count != ep_value_count(strides)) {
        return true;
    }
    for (size_t i = count; i-- > 0;) {
        const char *tag;
        ep_value size = unwrap(ep_value_item(sizes, i), &tag);
        ep_value stride = unwrap(ep_value_item(strides, i), &tag);
        bool known = ep_value_kind(size) == EP_KIND_INT && ep_value_kind(stride) == EP_KIND_INT;
        uint64_t n = (uint64_t)ep_value_int(size);
        if (!known || n == 0) {
            return true;
        }
        same = same && (n == 1 || (uint64_t)ep_value_int(stride) == expected);
        expected *= n;
    }
    return same;
}

/* "strides (1, 4)", or nothing where they are as usual; kept, for several inputs may
 * have one name. */
static void say_strides(show *s, name_item *item, ep_value meta) {
    printer *p = &s->printer;
    ep_value strides = ep_value_field(meta, "strides");
    size_t from = p->line.size;
    const char *layout = ep_value_name(ep_value_field(meta, "layout"), 0);
    if (word_is(layout, "Strided") && !is_contiguous(ep_value_field(meta, "sizes"), strides)) {
        buffer_text(&p->line, "strides (");
        printer_put_sizes(p, strides);
        buffer_byte(&p->line, ')');
        printer_cut(p, from);
    }
    if (!p->line.failed) {
        names_say(p->values, item, NAMES_STRIDES,
                  (ep_bytes){p->line.data + from, p->line.size - from});
        p->line.size = from;
    }
    s->failed = s->failed || p->values->failed;
}

static void put_strides(show *s, name_item *item, ep_value meta, size_t start) {
    if (!item->said[NAMES_STRIDES].known) {
        say_strides(s, item, meta);
    }
    ep_bytes strides = names_said(s->printer.values, item, NAMES_STRIDES);
    if (strides.size > 0) {
        put_remark(&s->printer.line, start, "");
        buffer_put(&s->printer.line, strides.data, strides.size);
    }
}

static void put_tensor_remarks(show *s, name_item *item, size_t start, bool parameter) {
    buffer *line = &s->printer.line;
    ep_value meta = printer_meta(item->value);
    const char *tag;
    ep_value offset = unwrap(ep_value_field(meta, "storage_offset"), &tag);
    bool grad = ep_value_int(ep_value_field(meta, "requires_grad")) != 0;
    if (grad != parameter) {
        put_remark(line, start, grad ? "requires grad" : "no grad");
    }
    put_strides(s, item, meta, start);
    if (ep_value_int(offset) != 0) {
        put_remark(line, start, "offset ");
        buffer_number(line, ep_value_int(offset));
    }
}

/* ------------------------------------------------------------------------- rows */

/* Cut, for several inputs may stand for one. */
static void put_target(show *s, ep_bytes target) {
    printer *p = &s->printer;
    size_t from = p->line.size;
    enum { LOOKED_AT = 4096 }; /* no more can be shown, unless all is */
    if (!p->full && target.size > LOOKED_AT) {
        target.size = LOOKED_AT;
    }
    safe_text(&p->line, target);
    printer_cut(p, from);
}

/* What is unusual about it. */
static void put_remarks(show *s, const signature_row *row, name_item *found, bool input) {
    buffer *line = &s->printer.line;
    size_t start = line->size;
    ep_value meta = found != NULL ? printer_meta(found->value) : (ep_value){0};
    if (row->transient) {
        put_remark(line, start, "not in the state dict");
    }
    if (input && ep_value_kind(meta) != EP_KIND_NULL) {
        put_tensor_remarks(s, found, start, word_is(row->kind, "parameter"));
    }
}

static void put_row(show *s, table *t, const signature_row *row, bool input, ep_value of) {
    buffer *line = &s->printer.line;
    ep_bytes name = show_value_name(s, row->value);
    print(line, "%s%c", row->kind, LINE_CELL);
    if (row->name.size > 0) {
        print(line, "%t%c", row->name, LINE_CELL);
        printer_put(&s->printer, row->value);
    } else {
        printer_put(&s->printer, row->value);
        buffer_byte(line, LINE_CELL);
        printer_put_type(&s->printer, name);
    }
    buffer_byte(line, LINE_CELL);
    put_target(s, row->target);
    buffer_byte(line, LINE_CELL);
    put_remarks(s, row, name.size > 0 ? names_find(s->printer.values, name) : NULL, input);
    buffer_byte(line, LINE_CELL);
    end_row(s, t, of);
}

static void put_rows(show *s, signature *said, signature_side side) {
    bool inputs = side == SIGNATURE_INPUTS;
    table t = {.styles = {STYLE_PLAIN, STYLE_VALUE, STYLE_TYPE, STYLE_PLAIN, STYLE_DIM}};
    signature_row row;
    ep_value of = ep_value_field(graphs_main(s->program), inputs ? "inputs" : "outputs");
    show_heading(s, inputs ? SHOW_INPUTS : SHOW_OUTPUTS);
    for (size_t i = 0; signature_at(said, side, i, &row); i++) {
        put_row(s, &t, &row, inputs, ep_value_item(of, i));
    }
    if (t.cells == 0 && s->take == NULL) {
        buffer_text(s->out, "  none\n");
    }
    if (s->take == NULL) {
        table_put(s->out, &t, 2, s->color);
    }
}

static void put_signature(show *s) {
    signature said;
    name_list values = {0};
    show_names(s, graphs_main(s->program), &values);
    s->printer.values = &values;
    signature_open(&said, s->program, s->arena);
    put_rows(s, &said, SIGNATURE_INPUTS);
    put_rows(s, &said, SIGNATURE_OUTPUTS);
    s->failed = s->failed || said.failed;
    signature_close(&said);
    s->printer.values = NULL;
    names_free(&values);
}

/* --------------------------------------------------------------------- sections */

static void put_ranges(show *s) {
    ep_value ranges = ep_value_field(ep_program_root(s->program), "range_constraints");
    size_t count = ep_value_count(ranges);
    if (count > 0) {
        show_heading(s, SHOW_SYMBOLS);
    }
    for (size_t i = 0; i < count; i++) {
        show_put_range(s, i);
        show_line(s, 2);
    }
}

static void put_guards(show *s) {
    ep_value guards = ep_value_field(ep_program_root(s->program), "guards_code");
    size_t count = ep_value_count(guards);
    if (count > 0) {
        show_heading(s, SHOW_GUARDS);
    }
    for (size_t i = 0; i < count; i++) {
        put_text(s, ep_value_item(guards, i));
        show_line(s, 2);
    }
}

void show_program(show *s, const ep_bytes *label) {
    if (s->take == NULL) {
        put_head(s, label);
        put_counts(s);
        put_deviations(s);
    }
    put_signature(s);
    put_ranges(s);
    put_guards(s);
    show_graph(s);
    if (s->take == NULL) {
        call_put(s);
    }
}
