/*
 * show.c - epref show: a program as a person reads it. The head, the
 * signature, what is known of the symbols, then the graph.
 */
#include "cli/show/show.h"
#include "cli/show/graphs.h"
#include "cli/show/line.h"
#include "cli/source.h"
#include "cli/style.h"
#include "cli/terminal.h"
#include "command.h"
#include "common/safe.h"

enum { WIDTH = 100, LEAST_WIDTH = 40 };

/* "8.20"; "1" in versions that say it so. */
static void put_number(buffer *b, ep_value version) {
    if (ep_value_kind(version) == EP_KIND_INT) {
        buffer_number(b, ep_value_int(version));
        return;
    }
    buffer_number(b, ep_value_int(ep_value_field(version, "major")));
    buffer_byte(b, '.');
    buffer_number(b, ep_value_int(ep_value_field(version, "minor")));
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
        ep_bytes name;
        s->failed = !ep_value_key(opsets, i, &s->printer.scratch, &name) || s->failed;
        buffer_text(line, i > 0 ? " " : ", opset ");
        safe_text(line, name);
        buffer_byte(line, ' ');
        buffer_number(line, ep_value_int(ep_value_item(opsets, i)));
    }
}

static void put_head(show *s, ep_bytes label) {
    buffer *line = &s->printer.line;
    ep_value root = ep_program_root(s->program);
    ep_value torch = ep_value_field(root, "torch_version");
    line_style(line, STYLE_HEADING);
    safe_text(line, label);
    line_style(line, STYLE_PLAIN);
    show_line(s, 0);
    buffer_text(line, "schema ");
    put_number(line, ep_value_field(root, "schema_version"));
    if (ep_value_kind(torch) == EP_KIND_STR) {
        buffer_text(line, ", torch ");
        put_text(s, torch);
    }
    put_opsets(s, root);
    put_verifiers(s, root);
    show_line(s, 2);
}

typedef struct counts {
    size_t graphs;
    size_t nodes;
} counts;

static void count_graph(void *context, ep_value graph) {
    counts *c = context;
    c->graphs++;
    c->nodes += ep_value_count(ep_value_field(graph, "nodes"));
}

static void put_count(buffer *b, size_t count, const char *thing) {
    buffer_number(b, (int64_t)count);
    buffer_byte(b, ' ');
    buffer_text(b, thing);
    buffer_text(b, count == 1 ? "" : "s");
}

static void put_counts(show *s) {
    buffer *line = &s->printer.line;
    counts c = {0};
    size_t main_nodes = ep_value_count(ep_value_field(graphs_main(s->program), "nodes"));
    s->failed = !graphs_visit(s->program, count_graph, &c) || s->failed;
    put_count(line, main_nodes, "node");
    if (c.graphs > 1) {
        buffer_text(line, ", and ");
        put_count(line, c.nodes - main_nodes, "node");
        buffer_text(line, " in ");
        put_count(line, c.graphs - 1, "subgraph");
    }
    show_line(s, 2);
}

/* --------------------------------------------------------------------- sections */

static void put_ranges(show *s) {
    ep_value ranges = ep_value_field(ep_program_root(s->program), "range_constraints");
    size_t count = ep_value_count(ranges);
    if (count > 0) {
        show_heading(s, "symbols");
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
        show_heading(s, "guards");
    }
    for (size_t i = 0; i < count; i++) {
        put_text(s, ep_value_item(guards, i));
        show_line(s, 2);
    }
}

static void put_sections(show *s, ep_bytes label) {
    put_head(s, label);
    put_counts(s);
    show_signature(s);
    put_ranges(s);
    put_guards(s);
    show_graph(s);
}

/* ---------------------------------------------------------------------- command */

static size_t width_of(const options *o) {
    size_t terminal = o->output == NULL ? terminal_columns() : 0;
    size_t width = o->width > 0 ? o->width : terminal > 0 ? terminal : WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

/* False for want of memory. */
static bool put_program(const options *o, const source *s, const ep_program *program,
                        ep_arena *arena, buffer *product) {
    show shown = {.program = program, .arena = arena, .out = product};
    shown.left = show_room(s->input.size);
    shown.width = width_of(o);
    shown.color = style_on_output(o);
    shown.source = o->source;
    printer_open(&shown.printer);
    shown.printer.full = o->full;
    if (o->json) {
        show_put_json(&shown, buffer_bytes(&s->label));
    } else {
        put_sections(&shown, buffer_bytes(&s->label));
    }
    bool ok = !shown.failed && !shown.printer.failed;
    printer_close(&shown.printer);
    buffer_free(&shown.last_source);
    return ok;
}

status cmd_show(const options *o) {
    source s = {0};
    ep_arena arena;
    buffer product = {0};
    const ep_program *program;
    size_t warnings = 0;
    status result = source_load(&s, o, &arena, &program, &warnings);
    if (result == STATUS_DONE && !put_program(o, &s, program, &arena, &product)) {
        product.failed = true;
    }
    ep_arena_free(&arena);
    source_free(&s);
    return result == STATUS_DONE ? command_finish(o, &product, result) : result;
}
