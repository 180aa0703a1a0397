/*
 * show.c - what the sections of epref show have in common: names, headings, lines.
 */
#include "show.h"

#include "cli/style.h"
#include "line.h"

void show_names(show *s, ep_value graph, name_list *found) {
    static const char *const fields[] = {"tensor_values", "sym_int_values", "sym_float_values",
                                         "sym_bool_values", "custom_obj_values"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        ep_value dict = ep_value_field(graph, fields[i]);
        if (ep_value_kind(dict) == EP_KIND_DICT) {
            names_add_dict(found, dict, NULL, s->arena);
        }
    }
    names_sort(found);
    s->failed = s->failed || found->failed;
}

void show_heading(show *s, const char *heading) {
    buffer_byte(s->out, '\n');
    style_text(s->out, s->color, STYLE_HEADING, heading);
    buffer_byte(s->out, '\n');
}

void show_line(show *s, size_t indent) {
    line_layout layout = {.indent = indent, .width = s->width, .color = s->color};
    line_put(s->out, &layout, buffer_bytes(&s->printer.line));
    printer_end_line(&s->printer);
}
