/*
 * notes.c - see notes.h. Rows that were paired are gone over once. Of what ep_diff tells, the
 * row is looked for that shows it. That takes time in the rows for each difference, as does
 * locating it, which ep_diff bounds: it tells of no more than it can locate in time linear in
 * the files.
 */
#include "notes.h"

#include <string.h>

#include "cli/place.h"
#include "cli/show/line.h"
#include "common/memory.h"
#include "common/safe.h"

/* ------------------------------------------------------------------------ adding */

/* Where a note goes; a row that is none: to the program. */
typedef struct spot {
    size_t side;
    uint32_t row;
} spot;

static const spot of_program = {0, LISTING_NONE};

static void append(notes *n, uint32_t *first, uint32_t *last, const note *added) {
    if (n->failed || !memory_room(&n->items, n->count, &n->capacity, sizeof *added)) {
        n->failed = true;
        return;
    }
    n->items[n->count] = *added;
    n->items[n->count].next = LISTING_NONE;
    if (*first == LISTING_NONE) {
        *first = (uint32_t)n->count;
    } else {
        n->items[*last].next = (uint32_t)n->count;
    }
    *last = (uint32_t)n->count++;
}

static void add_note(notes *n, spot where, const note *added) {
    bool own = where.row == LISTING_NONE;
    append(n, own ? &n->program_first : &n->first[where.side][where.row],
           own ? &n->program_last : &n->last[where.side][where.row], added);
}

/* Keeps what a line shows, for the case that it turns out that none does. */
enum { SPARE_MAX = 20 };

static void add_spare(notes *n, const note *added) {
    append(n, &n->spare_first, &n->spare_last, added);
    n->spare++;
}

static bool look_same(const notes *n, const note *made) {
    return bytes_compare(notes_text(n, made, 0), notes_text(n, made, 1)) == 0;
}

/* ------------------------------------------------------------- lines that look the same */

static bool lines_look_same(const pairing *p, const uint32_t rows[2]) {
    const listing *one = p->sides[0];
    const listing *other = p->sides[1];
    return bytes_compare(listing_line(one, &one->rows[rows[0]]),
                         listing_line(other, &other->rows[rows[1]])) == 0;
}

/* "%x: what b calls %y" */
static void put_other_name(notes *n, size_t side, const listing_token *token) {
    const listing *l = n->pairs->sides[1 - side];
    uint32_t other = n->pairs->name[side][token->name];
    safe_text(&n->texts, listing_word(n->pairs->sides[side], token));
    buffer_text(&n->texts, side == 0 ? ": what b " : ": what a ");
    if (other == LISTING_NONE) {
        buffer_text(&n->texts, "does not have");
    } else {
        buffer_text(&n->texts, "calls ");
        safe_text(&n->texts, listing_word(l, &l->tokens[l->names[other].token]));
    }
}

static void explain_names(notes *n, const uint32_t rows[2]) {
    const listing *const *sides = n->pairs->sides;
    const listing_row *one = &sides[0]->rows[rows[0]];
    const listing_row *other = &sides[1]->rows[rows[1]];
    for (size_t i = 0; i < one->count && i < other->count; i++) {
        const listing_token *tokens[2] = {&sides[0]->tokens[one->first + i],
                                          &sides[1]->tokens[other->first + i]};
        note made = {.next = LISTING_NONE};
        if (pairing_same_tokens(n->pairs, tokens[0], tokens[1])) {
            continue;
        }
        for (size_t side = 0; side < 2; side++) {
            made.at[side] = n->texts.size;
            put_other_name(n, side, tokens[side]);
            made.size[side] = n->texts.size - made.at[side];
        }
        add_note(n, (spot){0, rows[0]}, &made);
    }
}

static void note_row(notes *n, pairing *pairs, uint32_t row) {
    uint32_t rows[2] = {row, pairs->row[0][row]};
    if (rows[1] == LISTING_NONE) {
        return;
    }
    if (pairs->state[row] == ROW_CHANGED && lines_look_same(pairs, rows)) {
        explain_names(n, rows);
        pairs->state[row] = ROW_SAME; /* the notes say what differs */
    }
}

static bool open(notes *n) {
    for (size_t side = 0; side < 2; side++) {
        size_t size = (n->pairs->sides[side]->row_count + 1) * sizeof *n->first[side];
        n->first[side] = memory_resize(NULL, size);
        n->last[side] = memory_resize(NULL, size);
        if (n->first[side] == NULL || n->last[side] == NULL) {
            return false;
        }
        memset(n->first[side], 0xFF, size);
    }
    return true;
}

bool notes_make(notes *n, pairing *pairs) {
    *n = (notes){.pairs = pairs, .program_first = LISTING_NONE, .spare_first = LISTING_NONE};
    n->failed = !open(n);
    for (size_t row = 0; row < pairs->sides[0]->row_count && !n->failed; row++) {
        note_row(n, pairs, (uint32_t)row);
    }
    n->of_pairs = n->count;
    n->failed = n->failed || n->texts.failed;
    return !n->failed;
}

/* ------------------------------------------------------------------- what was told */

/* Whether a row says in its line, or in a note of the pairing's, that it is another. */
static bool is_shown(const notes *n, size_t side, uint32_t row) {
    const pairing *p = n->pairs;
    uint32_t other = p->row[side][row];
    uint32_t first = side == 0 ? row : other;
    return other == LISTING_NONE || p->state[first] != ROW_SAME ||
           (n->first[0][first] != LISTING_NONE && n->first[0][first] < n->of_pairs);
}

/* The same but for its types. */
static bool is_shown_itself(const notes *n, size_t side, uint32_t row) {
    uint32_t first = side == 0 ? row : n->pairs->row[side][row];
    return is_shown(n, side, row) &&
           (first == LISTING_NONE || n->pairs->state[first] != ROW_FOLLOWS);
}

/* Whether any row of some, from one to another, is shown to be different. */
static bool any_is_shown(const notes *n, size_t side, size_t from, size_t to) {
    for (size_t row = from; row < to; row++) {
        if (is_shown(n, side, (uint32_t)row)) {
            return true;
        }
    }
    return false;
}

static bool part_is_shown(const notes *n, size_t side, show_part part) {
    const listing *l = n->pairs->sides[side];
    return any_is_shown(n, side, l->parts[part], l->parts[part + 1]);
}

/* The row that defines a value of a graph, and the value's token; none where there is no such
 * value. */
static uint32_t find_value(const listing *l, uint32_t owner, ep_bytes name,
                           const listing_token **found) {
    size_t from = owner == LISTING_NONE ? 0 : owner;
    for (size_t row = from; row < l->row_count; row++) {
        const listing_row *each = &l->rows[row];
        for (size_t i = 0; each->owner == owner && i < each->count; i++) {
            const listing_token *token = &l->tokens[each->first + i];
            ep_bytes word = listing_word(l, token);
            if (token->defines && word.size == name.size + 1 &&
                memcmp(word.data + 1, name.data, name.size) == 0) {
                *found = token;
                return (uint32_t)row;
            }
        }
    }
    return LISTING_NONE;
}

/* The step of a pointer behind one of a name; empty if it has none. The last counts. */
static ep_bytes step_behind(const char *pointer, const char *step) {
    const char *found = NULL;
    for (const char *at = strstr(pointer, step); at != NULL; at = strstr(at + 1, step)) {
        found = at + strlen(step);
    }
    return found == NULL ? (ep_bytes){"", 0} : (ep_bytes){found, strcspn(found, "/")};
}

static uint32_t row_of_value(const listing *l, const char *pointer, const listing_token **found) {
    static const char *const tables[] = {"/tensor_values/", "/sym_int_values/",
                                         "/sym_float_values/", "/sym_bool_values/",
                                         "/custom_obj_values/"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        ep_bytes name = step_behind(pointer, tables[i]);
        if (name.size > 0) {
            return find_value(l, listing_row_at(l, pointer), name, found);
        }
    }
    return LISTING_NONE;
}

/* The row of an input or output by its spec; none where the version has no specs. */
static uint32_t row_of_spec(const listing *l, const char *pointer) {
    static const char *const lists[] = {"/input_specs/", "/output_specs/"};
    for (size_t i = 0; i < 2; i++) {
        ep_bytes step = step_behind(pointer, lists[i]);
        size_t row = l->parts[SHOW_INPUTS + i];
        size_t number = 0;
        for (size_t at = 0; at < step.size; at++) {
            number = number * 10 + (size_t)(step.data[at] - '0');
        }
        if (step.size > 0 && number < l->parts[SHOW_INPUTS + i + 1] - row) {
            return (uint32_t)(row + number);
        }
    }
    return LISTING_NONE;
}

/* What a difference is about, and whether a line shows it. */
typedef struct sight {
    spot where;
    bool seen;
} sight;

static sight see_row(const notes *n, size_t side, uint32_t row, bool otherwise) {
    bool seen = row == LISTING_NONE ? otherwise : is_shown(n, side, row);
    return (sight){{side, row}, seen};
}

/* Of what a table says of a value the lines of inputs show all, other lines its type; and with
 * its sizes its strides are others. */
static sight see_value(const notes *n, size_t side, const ep_difference *d) {
    const pairing *p = n->pairs;
    const listing_token *tokens[2] = {NULL, NULL};
    uint32_t rows[2];
    for (size_t i = 0; i < 2; i++) {
        rows[i] = row_of_value(p->sides[i], d->sides[i].place.pointer, &tokens[i]);
    }
    bool partners =
        tokens[0] != NULL && tokens[1] != NULL && p->name[0][tokens[0]->name] == tokens[1]->name;
    if (!partners || p->sides[side]->rows[rows[side]].part == SHOW_INPUTS) {
        return see_row(n, side, rows[side], false);
    }
    return (sight){{side, rows[side]}, p->retyped[tokens[0]->name] == TYPE_OTHER};
}

/* Of a subgraph, its first and last line, of which the node is the owner. */
static sight see_subgraph(const notes *n, size_t side, uint32_t row) {
    const listing *l = n->pairs->sides[side];
    size_t end = row == LISTING_NONE ? 0 : row + 1;
    while (end < l->row_count && l->rows[end].indent > l->rows[row].indent) {
        end++;
    }
    return (sight){{side, row}, row != LISTING_NONE && any_is_shown(n, side, row, end)};
}

/* Whether it is the name of a value: lines show all of these, and which of them are partners is
 * decided here. */
static bool is_name(const ep_difference *d) {
    static const char *const types[] = {"TensorArgument",  "SymIntArgument",    "SymFloatArgument",
                                        "SymBoolArgument", "CustomObjArgument", "TokenArgument"};
    bool named =
        d->member != NULL && (strcmp(d->member, "name") == 0 || strcmp(d->member, "as_name") == 0);
    for (size_t i = 0; named && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(d->type, types[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The number of a value of the main graph by its name, as a JSON string has it; or none. */
static uint32_t value_named(const listing *l, ep_bytes quoted) {
    for (uint32_t i = 0; quoted.size > 2 && i < l->name_count; i++) {
        const listing_token *token = &l->tokens[l->names[i].token];
        ep_bytes word = listing_word(l, token);
        if (token->kind == TOKEN_VALUE && token->graph == 0 && word.size == quoted.size - 1 &&
            memcmp(word.data + 1, quoted.data + 1, word.size - 1) == 0) {
            return i;
        }
    }
    return LISTING_NONE;
}

/* Whether what modules take and give has the names of two values that are partners here. */
static bool are_partners(const notes *n, const ep_difference *d) {
    uint32_t one = value_named(n->pairs->sides[0], d->sides[0].text);
    uint32_t other = value_named(n->pairs->sides[1], d->sides[1].text);
    return one != LISTING_NONE && other != LISTING_NONE && n->pairs->name[0][one] == other;
}

/* Likewise an expression that is the same text: only its symbols may be others. */
static bool is_same_expression(const ep_difference *d) {
    bool expression = d->member != NULL && strcmp(d->member, "expr_str") == 0;
    return expression && bytes_compare(d->sides[0].text, d->sides[1].text) == 0;
}

static sight see(const notes *n, const ep_difference *d) {
    size_t side = d->sides[0].there && d->sides[0].place.line > 0 ? 0 : 1;
    const listing *l = n->pairs->sides[side];
    const char *pointer = d->sides[side].place.pointer;
    bool of_module = d->group == EP_DIFF_MODULE;
    if ((is_name(d) && (!of_module || are_partners(n, d))) || is_same_expression(d)) {
        return (sight){of_program, true};
    }
    switch (d->group) {
    case EP_DIFF_SIGNATURE: {
        bool any = part_is_shown(n, side, SHOW_INPUTS) || part_is_shown(n, side, SHOW_OUTPUTS);
        return see_row(n, side, row_of_spec(l, pointer), any);
    }
    case EP_DIFF_NODE:
    case EP_DIFF_ARGUMENT: {
        uint32_t row = listing_row_at(l, pointer);
        return (sight){{side, row}, row != LISTING_NONE && is_shown_itself(n, side, row)};
    }
    case EP_DIFF_VALUE:
        return see_value(n, side, d);
    case EP_DIFF_SUBGRAPH:
        return see_subgraph(n, side, listing_row_at(l, pointer));
    case EP_DIFF_CONSTRAINT: { /* all ranges are shown; what symbols are partners is decided here */
        static const char guards[] = "/guards_code";
        bool of_guards = strncmp(pointer, guards, sizeof guards - 1) == 0;
        return (sight){of_program, !of_guards || part_is_shown(n, side, SHOW_GUARDS)};
    }
    case EP_DIFF_HEADER:
        return (sight){of_program, part_is_shown(n, side, SHOW_HEAD)};
    case EP_DIFF_PROVENANCE:
        return (sight){{side, listing_row_at(l, pointer)}, false};
    case EP_DIFF_MODULE:
    case EP_DIFF_TREESPEC:
    case EP_DIFF_ORDER:
        break;
    }
    return (sight){of_program, false};
}

/* What a pointer says behind a table of values: the name of a value, and a field of its type. */
typedef struct told_field {
    const char *name;
    ep_bytes field; /* empty: none */
} told_field;

static told_field field_of(const char *pointer) {
    const char *table = strstr(pointer, "_values/");
    const char *name = table == NULL ? NULL : table + strlen("_values/");
    const char *field = name == NULL ? NULL : strchr(name, '/');
    if (field == NULL) {
        return (told_field){name, {"", 0}};
    }
    field += bytes_start(bytes_of(field), "/meta/") ? strlen("/meta/") : 1;
    return (told_field){name, {field, strcspn(field, "/")}};
}

/* "%x strides: [4, 1]", of a tensor, where one of the programs says so much. */
static bool put_layout(notes *n, const ep_difference *d, size_t side) {
    char field[64] = "";
    printer p;
    const char *pointer = d->sides[side].place.pointer;
    told_field told[2] = {field_of(d->sides[0].place.pointer), field_of(d->sides[1].place.pointer)};
    ep_bytes said = told[told[0].field.size > 0 ? 0 : 1].field;
    const char *name = told[side].name;
    if (name == NULL || said.size == 0 || said.size >= sizeof field) {
        return false;
    }
    size_t size = strcspn(name, "/");
    printer_open(&p);
    memcpy(field, said.data, said.size);
    ep_value type = listing_value_at(
        n->pairs->sides[side], (ep_bytes){pointer, (size_t)(name - pointer) + size}, &p.scratch);
    ep_value value = ep_value_field(printer_meta(type), field);
    bool there = ep_value_kind(value) != EP_KIND_NULL;
    if (there) {
        printer_put_name(&p, '%', (ep_bytes){name, size});
        buffer_byte(&p.line, ' ');
        buffer_text(&p.line, field);
        buffer_text(&p.line, ": ");
        printer_put(&p, value);
        line_plain(&n->texts, buffer_bytes(&p.line));
    }
    n->failed = n->failed || p.failed || p.line.failed;
    printer_close(&p);
    return there;
}

/* "Node.is_hop_single_tensor_return: " */
static void put_field(buffer *b, const ep_difference *d) {
    buffer_text(b, d->type);
    buffer_text(b, d->member != NULL ? "." : "");
    buffer_text(b, d->member != NULL ? d->member : "");
    buffer_text(b, ": ");
}

void notes_put_text(buffer *b, const ep_diff_side *side) {
    buffer_text(b, !side->there ? "not there" : side->place.line == 0 ? "made by migration" : "");
    buffer_text(b, side->cut_before ? "..." : "");
    safe_text(b, side->text);
    buffer_text(b, side->cut_behind ? "..." : "");
    if (side->enumerator != NULL) {
        buffer_text(b, " (");
        buffer_text(b, side->enumerator);
        buffer_byte(b, ')');
    }
}

static void put_side(notes *n, const ep_difference *d, size_t number, bool place) {
    const ep_diff_side *side = &d->sides[number];
    buffer *b = &n->texts;
    if (d->group == EP_DIFF_VALUE && put_layout(n, d, number)) {
        return;
    }
    put_field(b, d);
    notes_put_text(b, side);
    place_put_pointer(b, place ? &side->place : NULL);
}

void notes_hear(notes *n, const ep_difference *difference) {
    sight s = see(n, difference);
    note made = {.next = LISTING_NONE};
    if (s.seen && n->spare == SPARE_MAX) {
        return;
    }
    for (size_t side = 0; side < 2; side++) {
        made.at[side] = n->texts.size;
        if (difference->sides[side].there || difference->member != NULL) {
            put_side(n, difference, side, s.where.row == LISTING_NONE);
        }
        made.size[side] = n->texts.size - made.at[side];
    }
    if (look_same(n, &made)) {
        buffer_text(&n->texts, " (another of this name)");
        made.size[1] = n->texts.size - made.at[1];
    }
    if (s.seen) {
        add_spare(n, &made);
    } else {
        add_note(n, s.where, &made);
    }
}

void notes_settle(notes *n) {
    if (n->pairs->cost == 0 && n->count == n->spare) {
        n->program_first = n->spare_first;
    }
}

/* ------------------------------------------------------------------------ reading */

bool notes_of(const notes *n, size_t side, uint32_t row) {
    uint32_t other = n->pairs->row[side][row];
    return n->first[side][row] != LISTING_NONE ||
           (other != LISTING_NONE && n->first[1 - side][other] != LISTING_NONE);
}

ep_bytes notes_text(const notes *n, const note *item, size_t side) {
    return item->size[side] == 0 ? (ep_bytes){"", 0}
                                 : (ep_bytes){n->texts.data + item->at[side], item->size[side]};
}

void notes_free(notes *n) {
    buffer_free(&n->texts);
    memory_free(n->items);
    for (size_t side = 0; side < 2; side++) {
        memory_free(n->first[side]);
        memory_free(n->last[side]);
    }
    *n = (notes){0};
}
