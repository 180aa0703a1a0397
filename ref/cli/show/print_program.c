/*
 * print_program.c - a whole program: the head, the signature, what is known of the
 * symbols, then the graph.
 */
#include "cli/print.h"
#include "common/safe.h"
#include "deviations.h"
#include "graphs.h"
#include "line.h"
#include "show.h"

/* "8.20"; "1" in versions that say it so. */
static void put_number(buffer *b, ep_value version) {
    if (ep_value_kind(version) == EP_KIND_INT) {
        buffer_number(b, ep_value_int(version));
        return;
    }
    print(b, "%i.%i", ep_value_int(ep_value_field(version, "major")),
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
        line_style(line, STYLE_HEADING);
        safe_text(line, *label);
        line_style(line, STYLE_PLAIN);
        show_line(s, 0);
    }
    show_put_versions(s);
    put_opsets(s, root);
    put_verifiers(s, root);
    show_line(s, 2);
}

static void put_count(buffer *b, size_t count, const char *thing) {
    print(b, "%i %s%s", (int64_t)count, thing, count == 1 ? "" : "s");
}

static void put_counts(show *s) {
    buffer *line = &s->printer.line;
    graphs_counts c;
    size_t main_nodes = ep_value_count(ep_value_field(graphs_main(s->program), "nodes"));
    s->failed = !graphs_count(s->program, NULL, &c) || s->failed;
    put_count(line, main_nodes, "node");
    if (c.subgraphs > 0) {
        buffer_text(line, ", and ");
        put_count(line, c.nodes - main_nodes, "node");
        buffer_text(line, " in ");
        put_count(line, c.subgraphs, "subgraph");
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
    show_signature(s);
    put_ranges(s);
    put_guards(s);
    show_graph(s);
}
