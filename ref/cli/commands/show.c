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
        ep_bytes label = buffer_bytes(&s->label);
        show_program(&shown, o->no_name ? NULL : &label);
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
