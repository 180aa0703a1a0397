/*
 * show.c - what the sections of epref show have in common: names, headings, lines.
 */
#include "show.h"

#include "cli/print.h"
#include "cli/style.h"
#include "cli/words.h"
#include "common/safe.h"
#include "line.h"

size_t show_room(size_t bytes) {
    enum { LEAST = 1 << 12 };
    return bytes < SIZE_MAX - LEAST ? bytes + LEAST : SIZE_MAX;
}

void show_names(show *s, ep_value graph, name_list *found) {
    static const char *const fields[] = {"tensor_values", "sym_int_values", "sym_float_values",
                                         "sym_bool_values", "custom_obj_values"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        names_add_dict(found, ep_value_field(graph, fields[i]), NULL, s->arena);
    }
    names_sort(found);
    s->failed = s->failed || found->failed;
}

const char *show_part_name(show_part part) {
    static const char *const names[] = {
        [SHOW_HEAD] = "head",       [SHOW_INPUTS] = "inputs", [SHOW_OUTPUTS] = "outputs",
        [SHOW_SYMBOLS] = "symbols", [SHOW_GUARDS] = "guards", [SHOW_GRAPH] = "graph"};
    return names[part];
}

void show_heading(show *s, show_part part) {
    s->part = part;
    if (s->take == NULL) {
        print(s->out, "\n%z%s%Z\n", s->color, STYLE_HEADING, show_part_name(part));
    }
}

void show_part_line(show *s, size_t indent, show_kind kind, ep_value of) {
    ep_bytes text = buffer_bytes(&s->printer.line);
    line_layout layout = {.indent = indent, .width = s->width, .color = s->color};
    if (s->take != NULL) {
        s->take(s->take_context, &(show_row){s->part, kind, indent, text, of});
    } else {
        line_put(s->out, &layout, text);
    }
    printer_end_line(&s->printer);
}

void show_line(show *s, size_t indent) {
    show_part_line(s, indent, SHOW_ROW, (ep_value){0});
}

ep_bytes show_value_name(show *s, ep_value argument) {
    const char *tag;
    ep_value held = unwrap(argument, &tag);
    bool named = ep_value_kind(held) == EP_KIND_STRUCT;
    bool symbol = word_is(tag, "as_name");
    ep_value name = named ? ep_value_field(held, "name") : symbol ? held : (ep_value){0};
    return text_of(name, s->arena, &s->failed);
}

/* "2 <= s0 <= 128" */
void show_put_range(show *s, size_t i) {
    buffer *line = &s->printer.line;
    ep_value ranges = ep_value_field(ep_program_root(s->program), "range_constraints");
    ep_value low = ep_value_field(ep_value_item(ranges, i), "min_val");
    ep_value high = ep_value_field(ep_value_item(ranges, i), "max_val");
    bool from = ep_value_kind(low) == EP_KIND_INT;
    bool to = ep_value_kind(high) == EP_KIND_INT;
    print(line, from ? "%i <= " : "", ep_value_int(low));
    print(line, "%m%t%M", STYLE_TYPE, dict_key(ranges, i, &s->printer.scratch, &s->failed));
    print(line, to ? " <= %i" : from ? "" : " is any integer", ep_value_int(high));
}
