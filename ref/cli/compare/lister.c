/*
 * lister.c - see lister.h. Lines are taken as they are printed.
 */
#include "lister.h"

#include "common/memory.h"
#include "numbering.h"
#include "tokens.h"

/* ------------------------------------------------------------------------ graphs */

/* A graph whose lines are being taken. */
typedef struct graph_level {
    uint32_t graph; /* its number */
    uint32_t owner; /* the row of the node that it is below, or none */
    uint32_t node;  /* the row of its last node, or none */
} graph_level;

typedef struct lister {
    listing *l;
    graph_level *levels;
    size_t depth; /* of the levels, less one: the main graph is always there */
    size_t capacity;
    uint32_t graphs;
    size_t line; /* the last line of epref show */
    show_part part;
} lister;

static void push_level(lister *s, graph_level level) {
    if (!memory_room(&s->levels, s->depth + 1, &s->capacity, sizeof level)) {
        s->l->failed = true;
        return;
    }
    s->levels[++s->depth] = level;
}

static void begin_graph(lister *s) {
    uint32_t owner = s->levels[s->depth].node;
    push_level(s, (graph_level){++s->graphs, owner, LISTING_NONE});
}

/* -------------------------------------------------------------------------- rows */

/* A section has an empty line and a heading; inputs and outputs a line even where there are
 * none. */
static void begin_part(lister *s, show_part part) {
    enum { HEADING = 2, NONE = 1 };
    for (; s->part < part; s->part++) {
        show_part next = (show_part)(s->part + 1);
        bool always = next == SHOW_INPUTS || next == SHOW_OUTPUTS;
        s->line += next == part ? HEADING : always ? HEADING + NONE : 0;
        s->l->parts[next] = s->l->row_count;
    }
}

static listing_row *add_row(lister *s, const show_row *shown) {
    enum { HEAD_LINE = 2 };
    listing *l = s->l;
    bool room = memory_room(&l->rows, l->row_count, &l->row_capacity, sizeof *l->rows);
    l->failed = l->failed || !room || l->row_count >= LISTING_NONE;
    if (l->failed) {
        return NULL;
    }
    listing_row *row = &l->rows[l->row_count++];
    *row = (listing_row){.at = l->text.size,
                         .size = shown->line.size,
                         .first = l->token_count,
                         .number = shown->part == SHOW_HEAD ? HEAD_LINE : ++s->line,
                         .owner = s->levels[s->depth].owner,
                         .indent = (uint16_t)shown->indent,
                         .part = (uint8_t)shown->part,
                         .kind = (uint8_t)shown->kind};
    buffer_put(&l->text, shown->line.data, shown->line.size);
    l->failed = l->text.failed;
    return l->failed ? NULL : row;
}

static void take_row(void *context, const show_row *shown) {
    lister *s = context;
    begin_part(s, shown->part);
    if (shown->kind == SHOW_BEGIN) {
        begin_graph(s);
    }
    listing_row *row = s->l->failed ? NULL : add_row(s, shown);
    if (row == NULL) {
        return;
    }
    uint32_t graph = s->levels[s->depth].graph;
    uint32_t outer = shown->kind == SHOW_BEGIN ? s->levels[s->depth - 1].graph : graph;
    tokens_take(s->l, row, (tokens_graphs){graph, outer});
    if (shown->part == SHOW_GRAPH && shown->kind != SHOW_NODE) {
        row->offset = s->l->row_count > 1 ? row[-1].offset : 0;
    }
    if (shown->kind == SHOW_NODE) {
        row->offset = ep_value_offset(shown->node);
        s->levels[s->depth].node = (uint32_t)(s->l->row_count - 1);
    } else if (shown->kind == SHOW_END && s->depth > 0) {
        s->depth--;
    }
}

/* ------------------------------------------------------------------------- whole */

static void list_rows(lister *s, ep_arena *arena, bool full) {
    show shown = {.program = s->l->program,
                  .arena = arena,
                  .take = take_row,
                  .take_context = s,
                  .part = SHOW_HEAD};
    printer_open(&shown.printer);
    shown.printer.full = full;
    show_program(&shown, NULL);
    begin_part(s, SHOW_PARTS);
    s->l->failed = s->l->failed || s->l->text.failed || s->l->words.failed || shown.failed ||
                   shown.printer.failed;
    printer_close(&shown.printer);
    buffer_free(&shown.last_source);
}

bool listing_make(listing *l, const ep_program *program, ep_arena *arena, bool full) {
    enum { HEAD_LINES = 3 };
    graph_level level = {0, LISTING_NONE, LISTING_NONE};
    lister s = {.l = l, .line = HEAD_LINES};
    *l = (listing){.program = program};
    l->failed = !memory_room(&s.levels, 0, &s.capacity, sizeof level);
    if (!l->failed) {
        s.levels[0] = level;
        list_rows(&s, arena, full);
    }
    l->failed = l->failed || !numbering_run(l);
    memory_free(s.levels);
    return !l->failed;
}
