/*
 * show.c - epref show: a program as a person reads it.
 */
#include "cli/show/show.h"
#include "cli/source.h"
#include "cli/style.h"
#include "cli/terminal.h"
#include "command.h"

enum { WIDTH = 100, LEAST_WIDTH = 40 };

static size_t width_of(const options *o) {
    size_t terminal = o->output == NULL ? terminal_columns() : 0;
    size_t width = o->width > 0 ? o->width : terminal > 0 ? terminal : WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

static status put_program(const options *o, const source *s, const ep_program *program,
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
        ep_bytes label = buffer_bytes(&s->label);
        show_program(&shown, o->no_name ? NULL : &label);
    }
    product->failed = product->failed || shown.failed || shown.printer.failed;
    printer_close(&shown.printer);
    buffer_free(&shown.last_source);
    return STATUS_DONE;
}

status cmd_show(const options *o) {
    return command_make(o, NULL, put_program);
}
