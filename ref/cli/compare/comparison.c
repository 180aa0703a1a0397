/*
 * comparison.c - see comparison.h. Programs without differences are never listed.
 */
#include "comparison.h"

#include <string.h>

#include "cli/diag.h"
#include "cli/print.h"
#include "cli/show/line.h"
#include "cli/words.h"
#include "common/memory.h"

/* ----------------------------------------------------------- the lines of epref show */

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
                         .partner = LISTING_NONE,
                         .notes = {LISTING_NONE, LISTING_NONE},
                         .indent = (uint16_t)shown->indent,
                         .part = (uint8_t)shown->part,
                         .kind = (uint8_t)shown->kind};
    place_row(s, row, shown->of);
    buffer_put(&l->text, shown->line.data, shown->line.size);
    l->failed = l->text.failed;
}

/* Lists a program. full: nothing is cut. False for want of memory; listing_free in any case. */
static bool listing_make(listing *l, const ep_program *program, ep_arena *arena, bool full) {
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

/* The row of the part at an offset, or none. */
static uint32_t listing_find(const listing *l, size_t offset) {
    static const show_part parts[] = {SHOW_GRAPH, SHOW_INPUTS, SHOW_OUTPUTS};
    uint32_t found = LISTING_NONE;
    for (size_t i = 0; i < 3 && offset > 0 && found == LISTING_NONE; i++) {
        found = find_in(l, parts[i], offset);
    }
    return found;
}

static void listing_free(listing *l) {
    buffer_free(&l->text);
    memory_free(l->rows);
    *l = (listing){0};
}

static bool is_open(comparison *t) {
    if (!t->open) {
        t->open = true;
        t->own = (note_list){LISTING_NONE, LISTING_NONE};
        t->failed = !listing_make(&t->sides[0], t->programs[0], t->arenas[0], t->full) ||
                    !listing_make(&t->sides[1], t->programs[1], t->arenas[1], t->full);
    }
    return !t->failed;
}

bool comparison_alone(const comparison *t, size_t side, uint32_t row) {
    const listing_row *each = &t->sides[side].rows[row];
    return (each->state & ROW_ALONE) != 0 && each->partner == LISTING_NONE;
}

/* ------------------------------------------------------------------------- parts */

static void pair(comparison *t, const uint32_t rows[2]) {
    listing_row *one = &t->sides[0].rows[rows[0]];
    listing_row *other = &t->sides[1].rows[rows[1]];
    if (one->partner == LISTING_NONE && other->partner == LISTING_NONE) {
        one->partner = rows[1];
        other->partner = rows[0];
    }
}

/* Which of the states a difference of a group makes of a row. */
static uint8_t state_of(ep_diff_group group, const listing_row *row, bool both) {
    if (group == EP_DIFF_VALUE && row->part == SHOW_GRAPH) {
        return ROW_RETYPED;
    }
    return group == EP_DIFF_PROVENANCE ? 0 : both ? ROW_CHANGED : ROW_ALONE;
}

void comparison_parts(void *context, const size_t parts[2], const ep_diff_group *differ) {
    comparison *t = context;
    uint32_t rows[2];
    if (!is_open(t)) {
        return;
    }
    for (size_t side = 0; side < 2; side++) {
        rows[side] = listing_find(&t->sides[side], parts[side]);
        if (rows[side] != LISTING_NONE && differ != NULL) {
            listing_row *row = &t->sides[side].rows[rows[side]];
            row->state |= state_of(*differ, row, parts[1 - side] != 0);
        }
    }
    if (differ == NULL && rows[0] != LISTING_NONE && rows[1] != LISTING_NONE) {
        pair(t, rows);
    }
}

/* The lines of a subgraph whose node has no partner, or whose graphs were not compared. */
static void end_row(comparison *t, size_t side, uint32_t row) {
    listing_row *each = &t->sides[side].rows[row];
    if (each->owner == LISTING_NONE) {
        return;
    }
    const listing_row *owner = &t->sides[side].rows[each->owner];
    bool alone = comparison_alone(t, side, each->owner) ||
                 (each->kind == SHOW_BEGIN && owner->partner != LISTING_NONE);
    each->state |= alone ? ROW_ALONE : 0;
    each->state |= each->kind == SHOW_END ? owner->state & ROW_CHANGED : 0;
}

/* The last lines of graphs are partners where the first are. */
static void pair_ends(comparison *t) {
    const listing *const sides[2] = {&t->sides[0], &t->sides[1]};
    uint32_t last[2] = {(uint32_t)(sides[0]->count - 1), (uint32_t)(sides[1]->count - 1)};
    pair(t, last);
    for (size_t row = sides[0]->parts[SHOW_GRAPH]; row < sides[0]->count; row++) {
        uint32_t other = t->sides[0].rows[row].partner;
        if (sides[0]->rows[row].kind == SHOW_BEGIN && other != LISTING_NONE) {
            pair(t, (uint32_t[2]){sides[0]->rows[row].end, sides[1]->rows[other].end});
        }
    }
}

void comparison_end(comparison *t) {
    if (!t->open || t->failed) {
        return;
    }
    pair_ends(t);
    for (size_t side = 0; side < 2; side++) {
        for (size_t row = t->sides[side].parts[SHOW_GRAPH]; row < t->sides[side].count; row++) {
            end_row(t, side, (uint32_t)row);
        }
    }
}

/* ----------------------------------------------------------------------- what is seen */

/* The next piece of a line that is a type, or that is neither a type nor a name. */
static bool next_piece(ep_bytes *line, line_piece *piece, bool types) {
    while (line_next(line, piece)) {
        bool name = piece->in == STYLE_VALUE || piece->in == STYLE_GRAPH;
        if ((piece->in == STYLE_TYPE) == types && !name) {
            return true;
        }
    }
    return false;
}

/* Whether two lines say the same types, or the same but for names and types. */
static bool same_pieces(const ep_bytes lines[2], bool types) {
    ep_bytes left[2] = {lines[0], lines[1]};
    line_piece pieces[2] = {{.in = STYLE_PLAIN}, {.in = STYLE_PLAIN}};
    for (;;) {
        bool more[2] = {next_piece(&left[0], &pieces[0], types),
                        next_piece(&left[1], &pieces[1], types)};
        if (!more[0] || !more[1]) {
            return more[0] == more[1];
        }
        if (bytes_compare(pieces[0].text, pieces[1].text) != 0) {
            return false;
        }
    }
}

bool comparison_same_types(const comparison *t, const uint32_t rows[2]) {
    return same_pieces(
        (ep_bytes[2]){listing_line(&t->sides[0], rows[0]), listing_line(&t->sides[1], rows[1])},
        true);
}

/* Whether the lines of a part show that it differs. */
static bool is_seen(const comparison *t, const uint32_t rows[2], const ep_difference *d) {
    if (rows[0] == LISTING_NONE || rows[1] == LISTING_NONE) {
        return rows[0] != rows[1] && d->sides[0].there != d->sides[1].there;
    }
    ep_bytes lines[2] = {listing_line(&t->sides[0], rows[0]), listing_line(&t->sides[1], rows[1])};
    if (bytes_compare(lines[0], lines[1]) == 0 || d->group == EP_DIFF_PROVENANCE) {
        return false;
    }
    bool remarks = t->sides[0].rows[rows[0]].part != SHOW_GRAPH;
    return d->group == EP_DIFF_VALUE
               ? !comparison_same_types(t, rows) || (remarks && !same_pieces(lines, false))
               : word_is(d->member, "name as_name") || !same_pieces(lines, false);
}

/* ------------------------------------------------------------------------- notes */

ep_bytes comparison_text(const comparison *t, const comparison_note *note, size_t side) {
    return note->size[side] == 0 ? (ep_bytes){"", 0}
                                 : (ep_bytes){t->texts.data + note->at[side], note->size[side]};
}

void comparison_put_side(buffer *b, const ep_diff_side *side) {
    print(b, "%s%s%t%s",
          !side->there            ? "not there"
          : side->place.line == 0 ? "made by migration"
                                  : "",
          side->cut_before ? "..." : "", side->text, side->cut_behind ? "..." : "");
    print(b, side->enumerator != NULL ? " (%s)" : "", side->enumerator);
}

/* "Node.is_hop_single_tensor_return: true at /graph_module/..." */
static void put_text(comparison *t, const ep_difference *d, size_t side, comparison_note *note) {
    buffer *b = &t->texts;
    note->at[side] = b->size;
    if (d->sides[side].there || d->member != NULL) {
        print(b, "%s%s%s: ", d->type, d->member != NULL ? "." : "",
              d->member != NULL ? d->member : "");
        comparison_put_side(b, &d->sides[side]);
        place_put_pointer(b, &d->sides[side].place);
    }
    note->size[side] = b->size - note->at[side];
}

static show_part section_of(const ep_difference *d) {
    static const char guards[] = "/guards_code";
    bool of_guards = bytes_start(bytes_of(d->sides[0].place.pointer), guards) ||
                     bytes_start(bytes_of(d->sides[1].place.pointer), guards);
    return d->group == EP_DIFF_HEADER       ? SHOW_HEAD
           : d->group != EP_DIFF_CONSTRAINT ? SHOW_PARTS
           : of_guards                      ? SHOW_GUARDS
                                            : SHOW_SYMBOLS;
}

static void add_note(comparison *t, const comparison_note *note, note_list *to) {
    if (!memory_room(&t->notes, t->count, &t->capacity, sizeof *note)) {
        t->failed = true;
        return;
    }
    t->notes[t->count] = *note;
    *(to->first == LISTING_NONE ? &to->first : &t->notes[to->last].next) = (uint32_t)t->count;
    to->last = (uint32_t)t->count++;
}

void comparison_take(void *context, const ep_difference *difference) {
    comparison *t = context;
    comparison_note note = {.next = LISTING_NONE, .section = section_of(difference)};
    uint32_t rows[2] = {LISTING_NONE, LISTING_NONE};
    for (size_t side = 0; is_open(t) && side < 2; side++) {
        rows[side] = listing_find(&t->sides[side], difference->sides[side].part);
    }
    if (t->failed || is_seen(t, rows, difference)) {
        return;
    }
    put_text(t, difference, 0, &note);
    put_text(t, difference, 1, &note);
    if (bytes_compare(comparison_text(t, &note, 0), comparison_text(t, &note, 1)) == 0) {
        buffer_text(&t->texts, " (another of this name)");
        note.size[1] = t->texts.size - note.at[1];
    }
    size_t side = rows[1] != LISTING_NONE ? 1 : 0;
    bool own = rows[side] == LISTING_NONE;
    add_note(t, &note, own ? &t->own : &t->sides[side].rows[rows[side]].notes);
    t->failed = t->failed || t->texts.failed;
}

void comparison_free(comparison *t) {
    listing_free(&t->sides[0]);
    listing_free(&t->sides[1]);
    buffer_free(&t->texts);
    memory_free(t->notes);
}
