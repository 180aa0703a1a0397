/*
 * hunks.c - see hunks.h. A line is a row of the listing, however long it is.
 */
#include "hunks.h"

#include "cli/print.h"
#include "cli/show/line.h"
#include "common/macros.h"
#include "common/memory.h"

enum { CELL_GAP = 2, NOTE_INDENT = 4 };

/* ------------------------------------------------------------------------- steps */

/* What a row of the two programs comes to. */
typedef struct step {
    uint32_t row[2]; /* none: the program does not have it, or not there */
    bool apart;      /* its lines are others */
    bool folded;     /* only values that it gives are others */
    bool shown;      /* it is apart, or has notes */
} step;

/* The rows of a section of both. */
typedef struct steps {
    step *items;
    size_t count;
} steps;

/* The row of one of the programs; NULL: it has none. */
static const listing_row *row_of(const hunks *h, const step *s, size_t side) {
    return s->row[side] == LISTING_NONE ? NULL : &h->of->sides[side].rows[s->row[side]];
}

static void add_step(const hunks *h, steps *s, uint32_t one, uint32_t other) {
    const comparison *t = h->of;
    step made = {.row = {one, other}, .apart = one == LISTING_NONE || other == LISTING_NONE};
    if (!made.apart) {
        unsigned state = t->sides[0].rows[one].state | t->sides[1].rows[other].state;
        bool retyped = (state & ROW_RETYPED) != 0 && !comparison_same_types(t, made.row);
        made.apart =
            ((state & ROW_CHANGED) != 0 || (h->full && retyped)) &&
            bytes_compare(listing_line(&t->sides[0], one), listing_line(&t->sides[1], other)) != 0;
        made.folded = retyped && !made.apart;
        made.shown = t->sides[1].rows[other].notes.first != LISTING_NONE ||
                     t->sides[0].rows[one].notes.first != LISTING_NONE;
    } else if (one == LISTING_NONE && !comparison_alone(t, 1, other)) {
        made.apart = false; /* migration made the other, or the form leaves it out */
    }
    made.shown = made.shown || made.apart;
    s->items[s->count++] = made;
}

/* The rows from one on that only the first program has. */
static void add_deleted(const hunks *h, steps *s, show_part part, size_t from) {
    const comparison *t = h->of;
    size_t end = t->sides[0].parts[part + 1];
    for (size_t row = from; row < end && t->sides[0].rows[row].partner == LISTING_NONE; row++) {
        if (comparison_alone(t, 0, (uint32_t)row)) {
            add_step(h, s, (uint32_t)row, LISTING_NONE);
        }
    }
}

/* In the order of the second program; what only the first has follows what it follows there. */
static bool make_steps(const hunks *h, show_part part, steps *s) {
    const comparison *t = h->of;
    const listing *const sides[2] = {&t->sides[0], &t->sides[1]};
    size_t most = sides[0]->parts[part + 1] - sides[0]->parts[part] + sides[1]->parts[part + 1] -
                  sides[1]->parts[part];
    *s = (steps){.items = memory_resize(NULL, (most + 1) * sizeof *s->items)};
    TRY(s->items != NULL);
    add_deleted(h, s, part, sides[0]->parts[part]);
    for (size_t row = sides[1]->parts[part]; row < sides[1]->parts[part + 1]; row++) {
        uint32_t other = t->sides[1].rows[row].partner;
        add_step(h, s, other, (uint32_t)row);
        if (other != LISTING_NONE) {
            add_deleted(h, s, part, (size_t)other + 1);
        }
    }
    return true;
}

/* Calls each for the sections that lines are of. False for want of memory. */
typedef void each_part(const hunks *h, show_part part, const steps *s, void *context);

static bool go_parts(const hunks *h, each_part *each, void *context) {
    static const show_part parts[] = {SHOW_INPUTS, SHOW_OUTPUTS, SHOW_GRAPH};
    for (size_t i = 0; i < 3 && h->of->open; i++) {
        steps s;
        TRY(make_steps(h, parts[i], &s));
        each(h, parts[i], &s, context);
        memory_free(s.items);
    }
    return true;
}

/* ------------------------------------------------------------------------- lines */

/* Puts a line that begins with a sign, in its colour: '-', '+', ' ', '~' or '@'. */
static void begin_line(const hunks *h, char sign) {
    style_put(h->out, h->color && sign != ' ',
              sign == '-'   ? STYLE_REMOVED
              : sign == '+' ? STYLE_ADDED
              : sign == '@' ? STYLE_HUNK
                            : STYLE_DIM);
    if (sign != '@') {
        buffer_byte(h->out, sign);
    }
}

static void end_line(const hunks *h, char sign) {
    style_put(h->out, h->color && sign != ' ', STYLE_PLAIN);
    buffer_byte(h->out, '\n');
}

/* A row with a gap for the cells that end in it. */
static void put_row_text(buffer *out, ep_bytes line, size_t gap) {
    line_piece piece = {.in = STYLE_PLAIN};
    size_t from = out->size;
    size_t owed = 0;
    while (line_next(&line, &piece)) {
        if (piece.cell || piece.space) {
            owed = out->size == from ? 0 : piece.cell ? gap : 1;
        } else {
            buffer_spaces(out, owed);
            buffer_put(out, piece.text.data, piece.text.size);
            owed = 0;
        }
    }
}

typedef struct hunk_line {
    char sign;
    size_t indent;
    ep_bytes text;
    size_t number; /* of epref show; 0: it is a field */
} hunk_line;

/* lines: of JSON, those so far. */
static void put_line(const hunks *h, const hunk_line *line, json *lines) {
    if (h->json) {
        bool numbered = line->number > 0;
        json_append(lines, json_make("sign:t text:t line:?n field:?b", (ep_bytes){&line->sign, 1},
                                     line->text, numbered, line->number, !numbered, true));
        return;
    }
    begin_line(h, line->sign);
    buffer_spaces(h->out, line->indent);
    buffer_put(h->out, line->text.data, line->text.size);
    end_line(h, line->sign);
}

static void put_row(const hunks *h, char sign, size_t side, uint32_t row, json *lines) {
    const listing *l = &h->of->sides[side];
    const listing_row *each = &l->rows[row];
    buffer text = {0};
    put_row_text(&text, listing_line(l, row), h->json ? 1 : CELL_GAP);
    put_line(h, &(hunk_line){sign, each->indent, buffer_bytes(&text), each->number}, lines);
    h->out->failed = h->out->failed || text.failed;
    buffer_free(&text);
}

static void put_note(const hunks *h, const comparison_note *note, size_t indent, json *lines) {
    for (size_t side = 0; side < 2; side++) {
        ep_bytes said = comparison_text(h->of, note, side);
        if (said.size > 0) { /* else it is not there */
            put_line(h, &(hunk_line){side == 0 ? '-' : '+', indent, said, 0}, lines);
        }
    }
}

static void put_step(const hunks *h, const step *s, json *lines) {
    const comparison *t = h->of;
    if (!s->apart) {
        put_row(h, s->folded ? '~' : ' ', 1, s->row[1], lines);
    }
    for (size_t side = 0; side < 2 && s->apart; side++) {
        if (s->row[side] != LISTING_NONE) {
            put_row(h, side == 0 ? '-' : '+', side, s->row[side], lines);
        }
    }
    for (size_t side = 0; side < 2; side++) {
        const listing_row *row = row_of(h, s, side);
        uint32_t i = row != NULL ? row->notes.first : LISTING_NONE;
        for (; i != LISTING_NONE; i = t->notes[i].next) {
            put_note(h, &t->notes[i], row->indent + NOTE_INDENT, lines);
        }
    }
}

/* ------------------------------------------------------------------------- hunks */

/* The first line of a hunk in what epref show prints, and the number of lines; the line before,
 * where there are none. */
typedef struct range {
    size_t line;
    size_t count;
} range;

/* "-12,7" */
static void put_range(const hunks *h, char sign, range of) {
    print(h->out, of.count != 1 ? " %c%i,%i" : " %c%i", sign, (int64_t)of.line, (int64_t)of.count);
}

/* The lines of some steps. before: the last line before them, which moves behind them. */
static range range_of(const hunks *h, const steps *some, size_t side, size_t *before) {
    range of = {.line = *before};
    for (size_t i = 0; i < some->count; i++) {
        const listing_row *row = row_of(h, &some->items[i], side);
        if (row != NULL) {
            *before = row->number;
            of.line = of.count++ == 0 ? *before : of.line;
        }
    }
    return of;
}

static void put_hunk(const hunks *h, show_part part, const steps *some, const range of[2]) {
    json *lines = h->json ? json_array() : NULL;
    if (!h->json) {
        begin_line(h, '@');
        buffer_text(h->out, "@@");
        put_range(h, '-', of[0]);
        put_range(h, '+', of[1]);
        print(h->out, " @@ %s", show_part_name(part));
        end_line(h, '@');
    }
    for (size_t i = 0; i < some->count; i++) {
        put_step(h, &some->items[i], lines);
    }
    if (h->json) {
        json_put(h->out, json_make("section:s a{line:n count:n} b{line:n count:n} lines:j",
                                   show_part_name(part), of[0].line, of[0].count, of[1].line,
                                   of[1].count, lines));
    }
}

/* The end of the hunk around a step that is shown: where the context of the last one ends that is
 * near enough to be of it. */
static size_t end_of_hunk(const steps *s, size_t from, size_t context) {
    size_t last = from;
    for (size_t i = from; i < s->count && (i - last) / 2 <= context; i++) {
        last = s->items[i].shown ? i : last;
    }
    return s->count - last - 1 < context ? s->count : last + 1 + context;
}

static void put_part(const hunks *h, show_part part, const steps *s, void *context) {
    size_t before[2];
    size_t end = 0;
    (void)context;
    for (size_t side = 0; side < 2; side++) {
        const listing *l = &h->of->sides[side];
        size_t first = l->parts[part];
        before[side] = first < l->count ? l->rows[first].number - 1 : 0;
    }
    for (size_t i = 0; i < s->count; i++) {
        if (i >= end && s->items[i].shown) {
            size_t from = i - end < h->context ? end : i - h->context;
            steps passed = {s->items + end, from - end};
            end = end_of_hunk(s, i, h->context);
            steps some = {s->items + from, end - from};
            range of[2];
            for (size_t side = 0; side < 2; side++) {
                range_of(h, &passed, side, &before[side]);
                of[side] = range_of(h, &some, side, &before[side]);
            }
            put_hunk(h, part, &some, of);
        }
    }
}

/* ------------------------------------------------------------------------- names */

/* Two lines of one part, up to what a node calls. */
typedef struct giving {
    ep_bytes left[2];
    line_piece pieces[2];
    ep_bytes names[2]; /* the last ones */
} giving;

static giving giving_of(const hunks *h, const step *s) {
    giving g = {.pieces = {{.in = STYLE_PLAIN}, {.in = STYLE_PLAIN}}};
    for (size_t side = 0; side < 2; side++) {
        bool there = s->row[side] != LISTING_NONE;
        g.left[side] = there ? listing_line(&h->of->sides[side], s->row[side]) : (ep_bytes){"", 0};
    }
    return g;
}

static bool next_of_side(giving *g, size_t side) {
    line_piece *piece = &g->pieces[side];
    while (line_next(&g->left[side], piece) && piece->in != STYLE_OPERATOR) {
        bool name = piece->in == STYLE_VALUE || piece->in == STYLE_GRAPH;
        g->names[side] = name ? piece->text : g->names[side];
        if (name || piece->in == STYLE_TYPE) {
            return true;
        }
    }
    return false;
}

/* The next names, or types, that are not the same. False if there are none. */
static bool next_given(giving *g, bool types) {
    while (next_of_side(g, 0) && next_of_side(g, 1)) {
        bool wanted =
            (g->pieces[0].in == STYLE_TYPE) == types && (g->pieces[1].in == STYLE_TYPE) == types;
        if (wanted && bytes_compare(g->pieces[0].text, g->pieces[1].text) != 0) {
            return true;
        }
    }
    return false;
}

static void put_more(buffer *b, size_t count) {
    print(b, count > 0 ? " and %i more" : "", (int64_t)count);
}

typedef struct renaming {
    size_t count;
    buffer text; /* of the first ones, or of all */
    json *pairs; /* of JSON */
} renaming;

enum { RENAMED_TOLD = 6 };

static void rename_part(const hunks *h, show_part part, const steps *s, void *context) {
    renaming *r = context;
    for (size_t i = 0; part != SHOW_OUTPUTS && i < s->count; i++) {
        giving g = giving_of(h, &s->items[i]);
        while (next_given(&g, false)) {
            const ep_bytes *names = g.names;
            if (r->pairs != NULL) {
                json_members(r->pairs, "[:t :t]", names[0], names[1]);
            } else if (h->full || r->count < RENAMED_TOLD) {
                print(&r->text, "%s%r -> %r", r->count > 0 ? ", " : "", names[0].data,
                      names[0].size, names[1].data, names[1].size);
            }
            r->count++;
        }
    }
}

/* "renamed: %add -> %add_1", or {"renamed": [["%add", "%add_1"]]}; nothing where there are none. */
static bool put_renamed(const hunks *h) {
    renaming r = {.pairs = h->json ? json_array() : NULL};
    bool ok = go_parts(h, rename_part, &r);
    if (h->json && r.count > 0) {
        json_put(h->out, json_make("renamed:j", r.pairs));
    } else if (r.count > 0) {
        begin_line(h, '@');
        print(h->out, "renamed: %r", r.text.data, r.text.size);
        put_more(h->out, h->full || r.count < RENAMED_TOLD ? 0 : r.count - RENAMED_TOLD);
        end_line(h, '@');
    } else {
        json_free(r.pairs);
    }
    ok = ok && !r.text.failed;
    buffer_free(&r.text);
    return ok;
}

/* -------------------------------------------------------------------------- types */

enum { CHANGES_MAX = 8 };

/* Values whose types changed alike. */
typedef struct type_change {
    ep_bytes types[2];
    ep_bytes name; /* the first */
    size_t count;
} type_change;

typedef struct type_changes {
    type_change items[CHANGES_MAX];
    size_t count;
    size_t others; /* values of further changes */
    size_t total;
} type_changes;

static void add_change(type_changes *c, const ep_bytes types[2], ep_bytes name) {
    c->total++;
    for (size_t i = 0; i < c->count; i++) {
        type_change *each = &c->items[i];
        if (bytes_compare(each->types[0], types[0]) == 0 &&
            bytes_compare(each->types[1], types[1]) == 0) {
            each->count++;
            return;
        }
    }
    if (c->count == CHANGES_MAX) {
        c->others++;
    } else {
        c->items[c->count++] = (type_change){{types[0], types[1]}, name, 1};
    }
}

static void retype_part(const hunks *h, show_part part, const steps *s, void *context) {
    (void)part;
    for (size_t i = 0; i < s->count; i++) {
        giving g = giving_of(h, &s->items[i]);
        while (s->items[i].folded && next_given(&g, true)) {
            add_change(context, (ep_bytes[2]){g.pieces[0].text, g.pieces[1].text}, g.names[1]);
        }
    }
}

/* "~ types of 4 values:", "~   f32[4] -> f32[8]: %relu and 3 more" */
static bool put_retyped(const hunks *h) {
    type_changes c = {.count = 0};
    bool ok = go_parts(h, retype_part, &c);
    for (size_t i = 0; c.total > 0 && i <= c.count; i++) {
        const type_change *each = i > 0 ? &c.items[i - 1] : NULL;
        begin_line(h, '~');
        if (each == NULL) {
            print(h->out, " types of %i%s", (int64_t)c.total,
                  c.total == 1 ? " value:" : " values:");
        } else {
            print(h->out, "   %r -> %r: %r", each->types[0].data, each->types[0].size,
                  each->types[1].data, each->types[1].size, each->name.data, each->name.size);
            put_more(h->out, each->count - 1 + (i == c.count ? c.others : 0));
        }
        end_line(h, '~');
    }
    return ok;
}

/* ------------------------------------------------------------------------- whole */

/* What no line has, by sections. */
static void put_own_notes(const hunks *h, show_part section) {
    const comparison *t = h->of;
    const char *name = section < SHOW_PARTS ? show_part_name(section) : NULL;
    json *lines = h->json ? json_array() : NULL;
    bool any = false;
    for (uint32_t i = t->own.first; i != LISTING_NONE; i = t->notes[i].next) {
        if (t->notes[i].section != section) {
            continue;
        }
        if (!any && !h->json) {
            begin_line(h, '@');
            print(h->out, "@@ %s @@", name != NULL ? name : "fields");
            end_line(h, '@');
        }
        put_note(h, &t->notes[i], CELL_GAP, lines);
        any = true;
    }
    if (any && h->json) {
        json_put(h->out, json_make("section:s lines:j", name, lines));
    } else {
        json_free(lines);
    }
}

bool hunks_put(const hunks *h) {
    bool ok = put_renamed(h) && go_parts(h, put_part, NULL) && put_retyped(h);
    for (size_t part = 0; h->of->open && part <= SHOW_PARTS; part++) {
        put_own_notes(h, (show_part)part);
    }
    return ok;
}

/* ------------------------------------------------------------------------ figures */

enum { DELETED, INSERTED, CHANGED, FOLLOWED, FIELDS, FIGURES };

typedef struct figures {
    size_t of[SHOW_PARTS + 1][FIGURES];
} figures;

/* part: SHOW_PARTS, where it is of each. */
static void count_notes(const comparison *t, uint32_t first, figures *f, show_part part) {
    for (uint32_t i = first; i != LISTING_NONE; i = t->notes[i].next) {
        f->of[part < SHOW_PARTS ? part : t->notes[i].section][FIELDS]++;
    }
}

static void count_part(const hunks *h, show_part part, const steps *s, void *context) {
    figures *f = context;
    size_t *of = f->of[part];
    for (size_t i = 0; i < s->count; i++) {
        const step *each = &s->items[i];
        bool both = each->row[0] != LISTING_NONE && each->row[1] != LISTING_NONE;
        of[each->row[1] == LISTING_NONE ? DELETED : both ? CHANGED : INSERTED] += each->apart;
        of[FOLLOWED] += each->folded;
        for (size_t side = 0; side < 2; side++) {
            const listing_row *row = row_of(h, each, side);
            count_notes(h->of, row != NULL ? row->notes.first : LISTING_NONE, f, part);
        }
    }
}

static void put_figures(buffer *b, const char *name, const char *const *words, const size_t *of,
                        size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (of[i] > 0) {
            print(b, "%s%s%i %s", any ? ", " : name, any ? "" : ": ", (int64_t)of[i], words[i]);
            any = true;
        }
    }
    buffer_text(b, any ? "\n" : "");
}

bool hunks_put_stat(const hunks *h, json *object) {
    static const char *const words[] = {"deleted", "inserted", "changed", "with other types",
                                        "in fields that are not shown"};
    static const char *const renamed[] = {"renamed"};
    figures f = {{{0}}};
    renaming r = {.count = 0};
    bool ok = go_parts(h, count_part, &f) && go_parts(h, rename_part, &r);
    count_notes(h->of, h->of->open ? h->of->own.first : LISTING_NONE, &f, SHOW_PARTS);
    for (size_t part = 0; part < SHOW_PARTS; part++) {
        const size_t *of = f.of[part];
        const char *name = show_part_name((show_part)part);
        if (h->json) {
            json_add(object, name,
                     json_make("deleted:n inserted:n changed:n followed:n fields:n", of[DELETED],
                               of[INSERTED], of[CHANGED], of[FOLLOWED], of[FIELDS]));
        } else {
            put_figures(h->out, name, words, of, FIGURES);
        }
    }
    if (h->json) {
        json_members(object, "program_fields:n renamed:n", f.of[SHOW_PARTS][FIELDS], r.count);
    } else {
        put_figures(h->out, "program", words, f.of[SHOW_PARTS], FIGURES);
        put_figures(h->out, "names", renamed, &r.count, 1);
    }
    buffer_free(&r.text);
    return ok;
}
