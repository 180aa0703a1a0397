/*
 * hunks.c - see hunks.h. A line is a row of the listing, however long it is.
 */
#include "hunks.h"

#include "cli/json.h"
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

/* How wide the cells are of the rows of a hunk; of JSON, the lines so far. */
typedef struct widths {
    size_t of[CELLS];
    json *lines;
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

static json *line_object(char sign, buffer *text) {
    json *object = json_object();
    json_add_text(object, "sign", (ep_bytes){&sign, 1});
    json_add(object, "text", json_buffer(text));
    return object;
}

/* A row with a space for the gaps within. */
static void add_row(json *lines, char sign, const listing *l, uint32_t row) {
    ep_bytes line = listing_line(l, &l->rows[row]);
    line_piece piece = {.in = STYLE_PLAIN};
    buffer text = {0};
    bool owed = false;
    while (line_next(&line, &piece)) {
        if (piece.cell || piece.space) {
            owed = text.size > 0;
        } else {
            buffer_spaces(&text, owed ? 1 : 0);
            buffer_put(&text, piece.text.data, piece.text.size);
            owed = false;
        }
    }
    json *object = line_object(sign, &text);
    json_add_number(object, "line", l->rows[row].number);
    json_append(lines, object);
}

static void put_row(const hunks *h, char sign, size_t side, uint32_t row, const widths *w) {
    const listing *l = h->pairs->sides[side];
    if (h->json) {
        add_row(w->lines, sign, l, row);
        return;
    }
    hunks_begin_line(h, sign);
    buffer_spaces(h->out, l->rows[row].indent);
    if (l->rows[row].part == SHOW_INPUTS || l->rows[row].part == SHOW_OUTPUTS) {
        put_cells(h->out, listing_line(l, &l->rows[row]), w);
    } else {
        line_plain(h->out, listing_line(l, &l->rows[row]));
    }
    hunks_end_line(h, sign);
}

static void put_note(const hunks *h, char sign, ep_bytes said, size_t indent, const widths *w) {
    buffer text = {0};
    if (h->json) {
        buffer_put(&text, said.data, said.size);
        json *object = line_object(sign, &text);
        json_add_bool(object, "field", true);
        json_append(w->lines, object);
        return;
    }
    hunks_begin_line(h, sign);
    buffer_spaces(h->out, indent);
    buffer_put(h->out, said.data, said.size);
    hunks_end_line(h, sign);
}

static void put_notes(const hunks *h, uint32_t first, size_t indent, const widths *w) {
    for (uint32_t i = first; i != LISTING_NONE; i = h->notes->items[i].next) {
        for (size_t side = 0; side < 2; side++) {
            ep_bytes text = notes_text(h->notes, &h->notes->items[i], side);
            if (text.size > 0) { /* else it is not there */
                put_note(h, side == 0 ? '-' : '+', text, indent, w);
            }
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
            put_notes(h, h->notes->first[side][step->row[side]], row->indent + NOTE_INDENT, w);
        }
    }
}

/* ------------------------------------------------------------------------- hunks */

/* Some rows of a section, around what differs. */
typedef struct hunk {
    show_part part;
    hunk_steps steps;
    size_t next[2]; /* of each listing, the first row that is not before the hunk */
} hunk;

/* The first line of a hunk in what epref show prints, and the number of lines; the line before,
 * where there are none. */
typedef struct hunk_range {
    size_t line;
    size_t count;
} hunk_range;

static size_t count_rows(const hunk_steps *steps, size_t side) {
    size_t count = 0;
    for (size_t i = 0; i < steps->count; i++) {
        count += steps->items[i].row[side] != LISTING_NONE;
    }
    return count;
}

static hunk_range range_of(const hunks *h, const hunk *one, size_t side) {
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

static void put_heading(const hunks *h, const hunk *one) {
    hunks_begin_line(h, '@');
    buffer_text(h->out, "@@");
    put_range(h, '-', range_of(h, one, 0));
    put_range(h, '+', range_of(h, one, 1));
    buffer_text(h->out, " @@ ");
    buffer_text(h->out, show_part_name(one->part));
    hunks_end_line(h, '@');
}

static json *range_object(hunk_range range) {
    json *object = json_object();
    json_add_number(object, "line", range.line);
    json_add_number(object, "count", range.count);
    return object;
}

static void put_hunk(const hunks *h, const hunk *one) {
    widths w = {.lines = h->json ? json_array() : NULL};
    json *object = h->json ? json_object() : NULL;
    const hunk_steps *steps = &one->steps;
    for (size_t i = 0; i < 2 * steps->count && !h->json; i++) {
        uint32_t row = steps->items[i / 2].row[i % 2];
        if (row != LISTING_NONE) {
            measure(h->pairs->sides[i % 2], row, &w);
        }
    }
    if (!h->json) {
        put_heading(h, one);
    }
    for (size_t i = 0; i < steps->count; i++) {
        put_step(h, &steps->items[i], &w);
    }
    if (h->json) {
        json_add_string(object, "section", show_part_name(one->part));
        json_add(object, "a", range_object(range_of(h, one, 0)));
        json_add(object, "b", range_object(range_of(h, one, 1)));
        json_add(object, "lines", w.lines);
        json_put(h->out, object, false);
    }
}

void hunks_put_notes(const hunks *h) {
    uint32_t first = h->notes->program_first;
    if (first == LISTING_NONE) {
        return;
    }
    if (h->json) {
        json *object = json_object();
        widths w = {.lines = json_array()};
        put_notes(h, first, GAP, &w);
        json_add(object, "section", json_null());
        json_add(object, "lines", w.lines);
        json_put(h->out, object, false);
        return;
    }
    hunks_begin_line(h, '@');
    buffer_text(h->out, "@@ fields @@");
    hunks_end_line(h, '@');
    put_notes(h, first, GAP, NULL);
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
static void put_part(const hunks *h, show_part part, const hunk_steps *steps) {
    const listing *const *sides = h->pairs->sides;
    hunk one = {part, *steps, {sides[0]->parts[part], sides[1]->parts[part]}};
    size_t end = 0;
    for (size_t i = 0; i < steps->count; i++) {
        if (i >= end && steps->items[i].apart) {
            size_t from = i - end < h->context ? end : i - h->context;
            end = end_of_hunk(steps, i, h->context);
            move_hunk(&one, steps, from, end - from);
            put_hunk(h, &one);
        }
    }
}

bool hunks_put(const hunks *h) {
    for (size_t part = 0; part < SHOW_PARTS; part++) {
        hunk_steps steps;
        if (!hunks_steps(h, (show_part)part, &steps)) {
            return false;
        }
        put_part(h, (show_part)part, &steps);
        memory_free(steps.items);
    }
    return true;
}
