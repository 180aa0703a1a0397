/*
 * hunks.c - see hunks.h. A line is a row of the listing, however long it is.
 */
#include "hunks.h"

#include "cli/show/line.h"
#include "common/memory.h"

enum { CELLS = 5, WIDEST = 44, GAP = 2, NOTE_INDENT = 4 };

/* ------------------------------------------------------------------------- steps */

static pairing_state state_of(const hunks *h, uint32_t first) {
    return (pairing_state)h->pairs->state[first];
}

static bool is_apart(const hunks *h, uint32_t first) {
    pairing_state state = state_of(h, first);
    return state == ROW_CHANGED || (state == ROW_FOLLOWS && h->full) ||
           notes_of(h->notes, 0, first);
}

/* Rows that only one has come before the next row that both have, those of the first first. */
bool hunks_steps(const hunks *h, show_part part, hunk_steps *steps) {
    const listing *const *sides = h->pairs->sides;
    size_t at[2] = {sides[0]->parts[part], sides[1]->parts[part]};
    size_t end[2] = {sides[0]->parts[part + 1], sides[1]->parts[part + 1]};
    size_t most = end[0] - at[0] + end[1] - at[1];
    *steps = (hunk_steps){.items = memory_resize(NULL, (most + 1) * sizeof *steps->items)};
    if (steps->items == NULL) {
        return false;
    }
    while (at[0] < end[0] || at[1] < end[1]) {
        hunk_step step = {{LISTING_NONE, LISTING_NONE}, true};
        if (at[0] < end[0] && h->pairs->row[0][at[0]] == LISTING_NONE) {
            step.row[0] = (uint32_t)at[0]++;
        } else if (at[1] < end[1] && h->pairs->row[1][at[1]] == LISTING_NONE) {
            step.row[1] = (uint32_t)at[1]++;
        } else {
            step = (hunk_step){{(uint32_t)at[0], (uint32_t)at[1]}, is_apart(h, (uint32_t)at[0])};
            at[0]++;
            at[1]++;
        }
        steps->items[steps->count++] = step;
    }
    return true;
}

/* ------------------------------------------------------------------------- lines */

void hunks_begin_line(const hunks *h, char sign) {
    style_put(h->out, h->color && sign != ' ',
              sign == '-'   ? STYLE_REMOVED
              : sign == '+' ? STYLE_ADDED
              : sign == '@' ? STYLE_HUNK
                            : STYLE_DIM);
    if (sign != '@') {
        buffer_byte(h->out, sign);
    }
}

void hunks_end_line(const hunks *h, char sign) {
    style_put(h->out, h->color && sign != ' ', STYLE_PLAIN);
    buffer_byte(h->out, '\n');
}

/* How wide the cells are of the rows of a hunk. */
typedef struct widths {
    size_t of[CELLS];
} widths;

static void measure(const listing *l, uint32_t row, widths *w) {
    ep_bytes line = listing_line(l, &l->rows[row]);
    line_piece piece = {.in = STYLE_PLAIN};
    size_t cell = 0;
    size_t columns = 0;
    while (line_next(&line, &piece) && cell < CELLS) {
        columns += bytes_columns(piece.text) + piece.space;
        if (piece.cell) {
            w->of[cell] = columns > w->of[cell] && columns <= WIDEST ? columns : w->of[cell];
            cell++;
            columns = 0;
        }
    }
}

/* A row of a table, without spaces at its end. */
static void put_cells(buffer *out, ep_bytes line, const widths *w) {
    line_piece piece = {.in = STYLE_PLAIN};
    size_t cell = 0;
    size_t columns = 0;
    size_t owed = 0;
    while (line_next(&line, &piece)) {
        if (piece.cell && cell < CELLS) {
            bool empty = w->of[cell] == 0 && columns == 0;
            owed += (columns < w->of[cell] ? w->of[cell] - columns : 0) + (empty ? 0 : GAP);
            cell++;
            columns = 0;
            continue;
        }
        buffer_spaces(out, owed);
        owed = 0;
        columns += bytes_columns(piece.text) + piece.space;
        if (piece.space) {
            buffer_byte(out, ' ');
        }
        buffer_put(out, piece.text.data, piece.text.size);
    }
}

static void put_row(const hunks *h, char sign, size_t side, uint32_t row, const widths *w) {
    const listing *l = h->pairs->sides[side];
    hunks_begin_line(h, sign);
    buffer_spaces(h->out, l->rows[row].indent);
    if (l->rows[row].part == SHOW_INPUTS || l->rows[row].part == SHOW_OUTPUTS) {
        put_cells(h->out, listing_line(l, &l->rows[row]), w);
    } else {
        line_plain(h->out, listing_line(l, &l->rows[row]));
    }
    hunks_end_line(h, sign);
}

static void put_notes(const hunks *h, uint32_t first, size_t indent) {
    for (uint32_t i = first; i != LISTING_NONE; i = h->notes->items[i].next) {
        for (size_t side = 0; side < 2; side++) {
            ep_bytes text = notes_text(h->notes, &h->notes->items[i], side);
            if (text.size == 0) {
                continue; /* it is not there */
            }
            hunks_begin_line(h, side == 0 ? '-' : '+');
            buffer_spaces(h->out, indent);
            buffer_put(h->out, text.data, text.size);
            hunks_end_line(h, side == 0 ? '-' : '+');
        }
    }
}

static void put_step(const hunks *h, const hunk_step *step, const widths *w) {
    bool both = step->row[0] != LISTING_NONE && step->row[1] != LISTING_NONE;
    pairing_state state = both ? state_of(h, step->row[0]) : ROW_ALONE;
    bool folded = state == ROW_FOLLOWS && !h->full;
    if (state == ROW_SAME || folded) {
        put_row(h, folded ? '~' : ' ', 1, step->row[1], w);
    }
    for (size_t side = 0; side < 2 && state != ROW_SAME && !folded; side++) {
        if (step->row[side] != LISTING_NONE) {
            put_row(h, side == 0 ? '-' : '+', side, step->row[side], w);
        }
    }
    for (size_t side = 0; side < 2; side++) {
        if (step->row[side] != LISTING_NONE) {
            const listing_row *row = &h->pairs->sides[side]->rows[step->row[side]];
            put_notes(h, h->notes->first[side][step->row[side]], row->indent + NOTE_INDENT);
        }
    }
}

/* ------------------------------------------------------------------------- hunks */

static size_t count_rows(const hunk_steps *steps, size_t side) {
    size_t count = 0;
    for (size_t i = 0; i < steps->count; i++) {
        count += steps->items[i].row[side] != LISTING_NONE;
    }
    return count;
}

hunk_range hunks_range(const hunks *h, const hunk *one, size_t side) {
    const listing *l = h->pairs->sides[side];
    size_t row = one->next[side];
    hunk_range range = {.count = count_rows(&one->steps, side)};
    if (row < l->parts[one->part + 1]) {
        range.line = l->rows[row].number - (range.count == 0);
    } else {
        range.line = row > 0 ? l->rows[row - 1].number : 0;
    }
    return range;
}

/* "-12,7" */
static void put_range(const hunks *h, char sign, hunk_range range) {
    buffer_byte(h->out, ' ');
    buffer_byte(h->out, sign);
    buffer_number(h->out, (int64_t)range.line);
    if (range.count != 1) {
        buffer_byte(h->out, ',');
        buffer_number(h->out, (int64_t)range.count);
    }
}

static void put_hunk(const hunks *h, void *context, const hunk *one) {
    widths w = {{0}};
    (void)context;
    const hunk_steps *steps = &one->steps;
    hunks_begin_line(h, '@');
    buffer_text(h->out, "@@");
    put_range(h, '-', hunks_range(h, one, 0));
    put_range(h, '+', hunks_range(h, one, 1));
    buffer_text(h->out, " @@ ");
    buffer_text(h->out, show_part_name(one->part));
    hunks_end_line(h, '@');
    for (size_t i = 0; i < steps->count; i++) {
        for (size_t side = 0; side < 2; side++) {
            if (steps->items[i].row[side] != LISTING_NONE) {
                measure(h->pairs->sides[side], steps->items[i].row[side], &w);
            }
        }
    }
    for (size_t i = 0; i < steps->count; i++) {
        put_step(h, &steps->items[i], &w);
    }
}

/* The end of the hunk around a step that differs: where the context of the last one ends that is
 * near enough to be of it. */
static size_t end_of_hunk(const hunk_steps *steps, size_t from, size_t context) {
    size_t last = from;
    for (size_t i = from; i < steps->count && (i - last) / 2 <= context; i++) {
        last = steps->items[i].apart ? i : last;
    }
    return steps->count - last - 1 < context ? steps->count : last + 1 + context;
}

/* Moves to some steps further on, past the rows of those before. */
static void move_hunk(hunk *one, const hunk_steps *steps, size_t from, size_t count) {
    hunk_steps passed = {one->steps.items, (size_t)(steps->items + from - one->steps.items)};
    for (size_t side = 0; side < 2; side++) {
        one->next[side] += count_rows(&passed, side);
    }
    one->steps = (hunk_steps){steps->items + from, count};
}

/* The hunks of a section. */
static void take_part(const hunks *h, show_part part, const hunk_steps *steps, hunk_take *take,
                      void *context) {
    const listing *const *sides = h->pairs->sides;
    hunk one = {part, *steps, {sides[0]->parts[part], sides[1]->parts[part]}};
    size_t end = 0;
    for (size_t i = 0; i < steps->count; i++) {
        if (i >= end && steps->items[i].apart) {
            size_t from = i - end < h->context ? end : i - h->context;
            end = end_of_hunk(steps, i, h->context);
            move_hunk(&one, steps, from, end - from);
            take(h, context, &one);
        }
    }
}

bool hunks_each(const hunks *h, hunk_take *take, void *context) {
    for (size_t part = 0; part < SHOW_PARTS; part++) {
        hunk_steps steps;
        if (!hunks_steps(h, (show_part)part, &steps)) {
            return false;
        }
        take_part(h, (show_part)part, &steps, take, context);
        memory_free(steps.items);
    }
    return true;
}

bool hunks_put(const hunks *h) {
    return hunks_each(h, put_hunk, NULL);
}

void hunks_put_notes(const hunks *h) {
    if (h->notes->program_first != LISTING_NONE) {
        hunks_begin_line(h, '@');
        buffer_text(h->out, "@@ fields @@");
        hunks_end_line(h, '@');
        put_notes(h, h->notes->program_first, GAP);
    }
}
