/*
 * listing.c - see listing.h. Parts are printed in the order of the file, so that in each
 * section their offsets ascend.
 */
#include "listing.h"

#include "common/memory.h"

typedef struct lister {
    listing *l;
    uint32_t inside; /* the first line of the subgraph at hand, or none */
    size_t line;     /* the last line of epref show */
    show_part part;
} lister;

/* A section has an empty line and a heading; inputs and outputs a line even where there are
 * none. */
static void begin_part(lister *s, show_part part) {
    enum { HEADING = 2, NONE = 1 };
    for (; s->part < part; s->part++) {
        show_part next = (show_part)(s->part + 1);
        bool always = next == SHOW_INPUTS || next == SHOW_OUTPUTS;
        s->line += next == part ? HEADING : always ? HEADING + NONE : 0;
        s->l->parts[next] = s->l->count;
    }
}

/* The node of a subgraph that begins: the row before, or that of the subgraph that ended there. */
static uint32_t owner_of_graph(const listing *l) {
    uint32_t before = (uint32_t)(l->count - 2);
    return l->rows[before].kind == SHOW_NODE ? before : l->rows[l->rows[before].owner].owner;
}

static void place_row(lister *s, listing_row *row, ep_value of) {
    listing *l = s->l;
    bool first = l->count - 1 == l->parts[row->part];
    row->owner = s->inside;
    row->offset = row->kind != SHOW_END ? ep_value_offset(of) : first ? 0 : row[-1].offset;
    if (row->kind == SHOW_BEGIN) {
        row->owner = owner_of_graph(l);
        s->inside = (uint32_t)(l->count - 1);
    } else if (row->kind == SHOW_END && s->inside != LISTING_NONE) {
        l->rows[s->inside].end = (uint32_t)(l->count - 1);
        s->inside = l->rows[l->rows[s->inside].owner].owner;
    }
}

static void take_row(void *context, const show_row *shown) {
    lister *s = context;
    listing *l = s->l;
    begin_part(s, shown->part);
    bool room = memory_room(&l->rows, l->count, &l->capacity, sizeof *l->rows);
    l->failed = l->failed || !room || l->count >= LISTING_NONE;
    if (l->failed) {
        return;
    }
    listing_row *row = &l->rows[l->count++];
    *row = (listing_row){.at = l->text.size,
                         .size = shown->line.size,
                         .number = ++s->line,
                         .indent = (uint16_t)shown->indent,
                         .part = (uint8_t)shown->part,
                         .kind = (uint8_t)shown->kind};
    place_row(s, row, shown->of);
    buffer_put(&l->text, shown->line.data, shown->line.size);
    l->failed = l->text.failed;
}

bool listing_make(listing *l, const ep_program *program, ep_arena *arena, bool full) {
    enum { HEAD_LINES = 3 };
    lister s = {.l = l, .inside = LISTING_NONE, .line = HEAD_LINES};
    show shown = {.program = program, .arena = arena, .take = take_row, .take_context = &s};
    *l = (listing){0};
    printer_open(&shown.printer);
    shown.printer.full = full;
    show_program(&shown, NULL);
    begin_part(&s, SHOW_PARTS);
    l->failed = l->failed || shown.failed || shown.printer.failed;
    printer_close(&shown.printer);
    buffer_free(&shown.last_source);
    return !l->failed;
}

ep_bytes listing_line(const listing *l, uint32_t row) {
    const listing_row *each = &l->rows[row];
    return each->size == 0 ? (ep_bytes){"", 0} : (ep_bytes){l->text.data + each->at, each->size};
}

static uint32_t find_in(const listing *l, show_part part, size_t offset) {
    size_t low = l->parts[part];
    size_t high = l->parts[part + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->rows[middle].offset < offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < l->parts[part + 1] && l->rows[low].offset == offset;
    return found ? (uint32_t)low : LISTING_NONE;
}

uint32_t listing_find(const listing *l, size_t offset) {
    static const show_part parts[] = {SHOW_GRAPH, SHOW_INPUTS, SHOW_OUTPUTS};
    uint32_t found = LISTING_NONE;
    for (size_t i = 0; i < 3 && offset > 0 && found == LISTING_NONE; i++) {
        found = find_in(l, parts[i], offset);
    }
    return found;
}

void listing_free(listing *l) {
    buffer_free(&l->text);
    memory_free(l->rows);
    *l = (listing){0};
}
