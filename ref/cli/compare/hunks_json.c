/*
 * hunks_json.c - see hunks_json.h.
 */
#include "hunks_json.h"

#include "cli/json.h"
#include "cli/show/line.h"

/* ------------------------------------------------------------------------- names */

static ep_bytes name_text(const listing *l, uint32_t name) {
    return listing_word(l, &l->tokens[l->names[name].token]);
}

static json *renaming(const pairing *p, uint32_t name) {
    json *pair = json_array();
    json_append(pair, json_text(name_text(p->sides[0], name)));
    json_append(pair, json_text(name_text(p->sides[1], p->name[0][name])));
    return pair;
}

void hunks_json_put_renamed(const hunks *h) {
    const pairing *p = h->pairs;
    const listing *l = p->sides[0];
    json *pairs = json_array();
    size_t count = 0;
    for (size_t i = 0; i < l->token_count; i++) {
        uint32_t name = l->tokens[i].name;
        bool first = l->tokens[i].kind != TOKEN_TEXT && l->names[name].token == i;
        if (first && pairing_is_renamed(p, name)) {
            json_append(pairs, renaming(p, name));
            count++;
        }
    }
    if (count == 0) {
        json_free(pairs);
        return;
    }
    json *object = json_object();
    json_add(object, "renamed", pairs);
    json_put(h->out, object, false);
}

/* ------------------------------------------------------------------------- lines */

static json *line_object(const char *sign, buffer *text) {
    json *object = json_object();
    json_add_string(object, "sign", sign);
    json_add(object, "text", json_buffer(text));
    return object;
}

static void add_row(const hunks *h, json *lines, const char *sign, size_t side, uint32_t row) {
    const listing *l = h->pairs->sides[side];
    ep_bytes line = listing_line(l, &l->rows[row]);
    line_piece piece = {.in = STYLE_PLAIN};
    buffer text = {0};
    size_t owed = 0;
    while (line_next(&line, &piece)) {
        bool gap = piece.cell || piece.space;
        owed += gap && text.size > 0;
        if (!gap) {
            buffer_spaces(&text, owed > 0 ? 1 : 0);
            buffer_put(&text, piece.text.data, piece.text.size);
            owed = 0;
        }
    }
    json *object = line_object(sign, &text);
    json_add_number(object, "line", l->rows[row].number);
    json_append(lines, object);
}

static void add_notes(const hunks *h, json *lines, uint32_t first) {
    for (uint32_t i = first; i != LISTING_NONE; i = h->notes->items[i].next) {
        for (size_t side = 0; side < 2; side++) {
            ep_bytes said = notes_text(h->notes, &h->notes->items[i], side);
            buffer text = {0};
            if (said.size > 0) {
                buffer_put(&text, said.data, said.size);
                json *object = line_object(side == 0 ? "-" : "+", &text);
                json_add_bool(object, "field", true);
                json_append(lines, object);
            }
        }
    }
}

static void add_step(const hunks *h, json *lines, const hunk_step *step) {
    static const char *const signs[] = {"-", "+"};
    bool both = step->row[0] != LISTING_NONE && step->row[1] != LISTING_NONE;
    bool same = both && h->pairs->state[step->row[0]] == ROW_SAME;
    for (size_t side = same ? 1 : 0; side < 2; side++) {
        if (step->row[side] != LISTING_NONE) {
            add_row(h, lines, same ? " " : signs[side], side, step->row[side]);
        }
    }
    for (size_t side = 0; side < 2; side++) {
        if (step->row[side] != LISTING_NONE) {
            add_notes(h, lines, h->notes->first[side][step->row[side]]);
        }
    }
}

static json *range_object(hunk_range range) {
    json *object = json_object();
    json_add_number(object, "line", range.line);
    json_add_number(object, "count", range.count);
    return object;
}

static void put_hunk(const hunks *h, void *context, const hunk *one) {
    json *object = json_object();
    json *lines = json_array();
    (void)context;
    for (size_t i = 0; i < one->steps.count; i++) {
        add_step(h, lines, &one->steps.items[i]);
    }
    json_add_string(object, "section", show_part_name(one->part));
    json_add(object, "a", range_object(hunks_range(h, one, 0)));
    json_add(object, "b", range_object(hunks_range(h, one, 1)));
    json_add(object, "lines", lines);
    json_put(h->out, object, false);
}

bool hunks_json_put(const hunks *h) {
    return hunks_each(h, put_hunk, NULL);
}

void hunks_json_put_notes(const hunks *h) {
    json *object = json_object();
    json *lines = json_array();
    if (h->notes->program_first == LISTING_NONE) {
        json_free(object);
        json_free(lines);
        return;
    }
    add_notes(h, lines, h->notes->program_first);
    json_add(object, "section", json_null());
    json_add(object, "lines", lines);
    json_put(h->out, object, false);
}
