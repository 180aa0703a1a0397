/*
 * diff_state.c - see diff_state.h. Tensors are paired by their names, and compared element
 * by element as they are read.
 */
#include "diff_state.h"

#include <stdio.h>
#include <string.h>

#include "archive/state/numbers.h"
#include "archive/state/saved.h"
#include "cli/json.h"
#include "cli/style.h"
#include "common/refusal.h"
#include "common/safe.h"

enum { SIDES = 2 };

/* One of the two archives. */
typedef struct side {
    source *s;
    tensors t;
    name_list rows;    /* tensors by name: count is which row */
    name_list extras;  /* extra files by name: count is which member */
    name_list others;  /* members that have no tensors of their own, in the same way */
    name_list pickles; /* members that hold tensors, and what is no tensor */
    holding holding;
    uint64_t room; /* how many bytes its tensors may still come to */
} side;

typedef struct comparing {
    const options *o;
    side sides[SIDES];
    buffer *out;
    state_diff *d;
    failure *what;
    bool has_objects; /* both have something whose value is not known */
} comparing;

/* Values that are not the same. */
typedef struct values {
    uint64_t count;
    uint64_t of;
    bool measured; /* two finite numbers were among them */
    double largest;
} values;

/* ---------------------------------------------------------------------------------- telling */

const char *diff_state_group(state_group group) {
    static const char *const names[] = {[STATE_WEIGHTS] = "weights",
                                        [STATE_CONSTANTS] = "constants",
                                        [STATE_EXTRA_FILES] = "extra file",
                                        [STATE_MEMBERS] = "member"};
    return names[group];
}

/* Whether a difference is to be told, which counts. */
static bool tells(comparing *c, state_group group) {
    c->d->count++;
    c->d->counts[group]++;
    if (c->d->told >= c->o->limit || c->o->stat) {
        return false;
    }
    c->d->told++;
    return true;
}

static void put_number(buffer *b, double number) {
    char text[32];
    snprintf(text, sizeof text, "%.9g", number);
    buffer_text(b, text);
}

static void put_type(buffer *b, const side *s, const tensor_row *row) {
    static const char *const forms[] = {[TENSOR_STRIDED] = "",
                                        [TENSOR_META] = "without a storage: ",
                                        [TENSOR_SPARSE] = "a sparse tensor",
                                        [TENSOR_OBJECT] = "no tensor"};
    buffer_text(b, row->is_fake ? "fake: " : forms[row->form]);
    if (row->form == TENSOR_STRIDED || row->form == TENSOR_META) {
        buffer_text(b, row->dtype->torch);
        buffer_byte(b, '[');
        for (size_t i = 0; i < row->rank; i++) {
            buffer_text(b, i > 0 ? ", " : "");
            buffer_number(b, tensors_numbers(&s->t, row->sizes)[i]);
        }
        buffer_byte(b, ']');
    }
}

static void put_heading(comparing *c, state_group group, ep_bytes name, const char *what) {
    style_text(c->out, style_on_output(c->o), STYLE_HEADING, diff_state_group(group));
    buffer_text(c->out, ": ");
    safe_text(c->out, name);
    buffer_text(c->out, ": ");
    buffer_text(c->out, what);
}

/* "-  float32[2, 3]"; nothing for what is not there. */
static void put_line(comparing *c, size_t number, const buffer *text) {
    bool color = style_on_output(c->o);
    if (text != NULL) {
        style_put(c->out, color, number == 0 ? STYLE_REMOVED : STYLE_ADDED);
        buffer_text(c->out, number == 0 ? "-  " : "+  ");
        buffer_put(c->out, text->data, text->size);
        style_put(c->out, color, STYLE_PLAIN);
        buffer_byte(c->out, '\n');
    }
}

/* "< a.pt2: float32[2, 3]"; a text that is NULL: it is not there. */
static void put_field(comparing *c, size_t number, const buffer *text) {
    style_text(c->out, style_on_output(c->o), number == 0 ? STYLE_ERROR : STYLE_LITERAL,
               number == 0 ? "< " : "> ");
    safe_text(c->out, (ep_bytes){c->sides[number].s->label.data, c->sides[number].s->path_size});
    buffer_text(c->out, ": ");
    if (text == NULL) {
        buffer_text(c->out, "not there");
    } else {
        buffer_put(c->out, text->data, text->size);
    }
    buffer_byte(c->out, '\n');
}

static void put_side(comparing *c, size_t number, const buffer *text) {
    if (c->o->fields) {
        put_field(c, number, text);
    } else {
        put_line(c, number, text);
    }
    c->out->failed = c->out->failed || (text != NULL && text->failed);
}

/* What the two sides are; NULL: one does not have it. */
static void put_sides(comparing *c, state_group group, ep_bytes name, buffer *texts[SIDES]) {
    bool both = texts[0] != NULL && texts[1] != NULL;
    if (!c->o->json) {
        put_heading(c, group, name, both ? "another\n" : "in one only\n");
        put_side(c, 0, texts[0]);
        put_side(c, 1, texts[1]);
        return;
    }
    json *object = json_object();
    json_add_string(object, "group", diff_state_group(group));
    json_add_text(object, "name", name);
    for (size_t i = 0; i < SIDES; i++) {
        const char *key = i == 0 ? "a" : "b";
        if (texts[i] == NULL) {
            json_add_null(object, key);
        } else {
            json_add_text(object, key, buffer_bytes(texts[i]));
        }
    }
    json_put(c->out, object, false);
}

/* ----------------------------------------------------------------------------------- values */

static void compare_piece(const tensor_row *row, const buffer pieces[SIDES], values *v) {
    size_t size = row->dtype->size;
    for (size_t i = 0; i + size <= pieces[0].size; i += size) {
        const char *a = pieces[0].data + i;
        const char *b = pieces[1].data + i;
        double distance;
        v->of++;
        if (memcmp(a, b, size) == 0) {
            continue;
        }
        v->count++;
        if (numbers_distance(row->dtype, a, b, &distance)) {
            v->largest = v->measured && v->largest > distance ? v->largest : distance;
            v->measured = true;
        }
    }
}

static bool read_pieces(elements_walk walks[SIDES], buffer pieces[SIDES], comparing *c) {
    for (size_t i = 0; i < SIDES; i++) {
        c->d->refused = i;
        if (!elements_next(&walks[i], &pieces[i], c->what)) {
            return false;
        }
    }
    return true;
}

static bool open_walks(elements_walk walks[SIDES], const tensor_row *const rows[SIDES],
                       comparing *c) {
    for (size_t i = 0; i < SIDES; i++) {
        side *s = &c->sides[i];
        elements e = {.archive = &s->s->archive,
                      .tensors = &s->t,
                      .row = rows[i],
                      .limit = c->o->limits.bytes,
                      .holding = &s->holding};
        c->d->refused = i;
        if (!elements_open(&walks[i], &e, c->what)) {
            return false;
        }
    }
    return true;
}

/* Two tensors of one dtype and size. */
static bool compare_values(comparing *c, const tensor_row *const rows[SIDES], values *v) {
    elements_walk walks[SIDES] = {{.left = 0}, {.left = 0}};
    buffer pieces[SIDES] = {{0}, {0}};
    bool ok = open_walks(walks, rows, c) && read_pieces(walks, pieces, c);
    while (ok && pieces[0].size > 0) {
        compare_piece(rows[0], pieces, v);
        ok = read_pieces(walks, pieces, c);
    }
    for (size_t i = 0; i < SIDES; i++) {
        elements_close(&walks[i]);
        buffer_free(&pieces[i]);
    }
    return ok;
}

static void put_values(comparing *c, state_group group, ep_bytes name, const values *v) {
    if (c->o->json) {
        json *object = json_object();
        buffer largest = {0};
        put_number(&largest, v->largest);
        json_add_string(object, "group", diff_state_group(group));
        json_add_text(object, "name", name);
        json_add_integer(object, "differ", (int64_t)v->count);
        json_add_integer(object, "of", (int64_t)v->of);
        json_add_finished(object, "largest", v->measured ? buffer_string(&largest) : "null");
        buffer_free(&largest);
        json_put(c->out, object, false);
        return;
    }
    put_heading(c, group, name, "");
    buffer_number(c->out, (int64_t)v->count);
    buffer_text(c->out, " of ");
    buffer_number(c->out, (int64_t)v->of);
    buffer_text(c->out, v->of == 1 ? " value differs" : " values differ");
    if (v->measured) {
        buffer_text(c->out, ", by ");
        put_number(c->out, v->largest);
        buffer_text(c->out, v->count > 1 ? " at most" : "");
    }
    buffer_byte(c->out, '\n');
}

/* ---------------------------------------------------------------------------------- tensors */

static const tensor_row *row_at(const side *s, const name_item *item) {
    return item == NULL ? NULL : &s->t.rows[item->count];
}

static state_group group_of(const tensor_row *row) {
    return row->part == TENSOR_WEIGHTS ? STATE_WEIGHTS : STATE_CONSTANTS;
}

static bool put_types(comparing *c, ep_bytes name, const tensor_row *const rows[SIDES]) {
    buffer texts[SIDES] = {{0}, {0}};
    buffer *given[SIDES] = {NULL, NULL};
    for (size_t i = 0; i < SIDES; i++) {
        if (rows[i] != NULL) {
            put_type(&texts[i], &c->sides[i], rows[i]);
            given[i] = &texts[i];
        }
    }
    state_group group = group_of(rows[0] != NULL ? rows[0] : rows[1]);
    if (tells(c, group)) {
        put_sides(c, group, name, given);
    }
    buffer_free(&texts[0]);
    buffer_free(&texts[1]);
    return true;
}

static bool same_type(const comparing *c, const tensor_row *const rows[SIDES]) {
    size_t rank = rows[0]->rank;
    return rows[0]->form == rows[1]->form && rows[0]->is_fake == rows[1]->is_fake &&
           rows[0]->is_subclass == rows[1]->is_subclass && rows[0]->dtype == rows[1]->dtype &&
           rank == rows[1]->rank &&
           (rank == 0 ||
            memcmp(tensors_numbers(&c->sides[0].t, rows[0]->sizes),
                   tensors_numbers(&c->sides[1].t, rows[1]->sizes), rank * sizeof(int64_t)) == 0);
}

static bool check_readable(comparing *c, ep_bytes name, const tensor_row *const rows[SIDES]) {
    for (size_t i = 0; i < SIDES; i++) {
        const char *why = elements_fault(&c->sides[i].t, rows[i]);
        c->d->refused = i;
        if (why != NULL) {
            *c->what = (failure){.status = STATUS_INVALID, .reason = why};
            source_blame(c->sides[i].s, name, c->what);
            return false;
        }
        if (!elements_take(&c->sides[i].t, rows[i], &c->sides[i].room, c->what)) {
            return false;
        }
    }
    return true;
}

/* Of what is no tensor the members are compared, by their bytes. */
static bool compare_tensor(comparing *c, ep_bytes name, const tensor_row *const rows[SIDES]) {
    values v = {.count = 0};
    if (rows[0] == NULL || rows[1] == NULL || !same_type(c, rows)) {
        return put_types(c, name, rows);
    }
    bool known = rows[0]->form == TENSOR_STRIDED || rows[0]->form == TENSOR_META;
    c->has_objects = c->has_objects || !known || rows[0]->is_subclass;
    if (rows[0]->form != TENSOR_STRIDED || rows[0]->is_fake) {
        return true; /* of one without data its type is all there is */
    }
    if (!check_readable(c, name, rows) || !compare_values(c, rows, &v)) {
        return false;
    }
    if (v.count > 0 && tells(c, group_of(rows[0]))) {
        put_values(c, group_of(rows[0]), name, &v);
    }
    return true;
}

/* The next item of each list, where both have the name; the other is NULL. */
static ep_bytes next_of(const name_list *lists[SIDES], size_t at[SIDES],
                        const name_item *items[SIDES]) {
    for (size_t i = 0; i < SIDES; i++) {
        items[i] = at[i] < lists[i]->count ? &lists[i]->items[at[i]] : NULL;
    }
    int order = items[0] == NULL   ? 1
                : items[1] == NULL ? -1
                                   : bytes_compare(items[0]->name, items[1]->name);
    for (size_t i = 0; i < SIDES; i++) {
        bool taken = order == 0 || (order < 0) == (i == 0);
        items[i] = taken ? items[i] : NULL;
        at[i] += taken ? 1 : 0;
    }
    return items[0] != NULL ? items[0]->name : items[1]->name;
}

static bool compare_tensors(comparing *c) {
    const name_list *lists[SIDES] = {&c->sides[0].rows, &c->sides[1].rows};
    size_t at[SIDES] = {0, 0};
    while (at[0] < lists[0]->count || at[1] < lists[1]->count) {
        const name_item *items[SIDES];
        ep_bytes name = next_of(lists, at, items);
        const tensor_row *rows[SIDES] = {row_at(&c->sides[0], items[0]),
                                         row_at(&c->sides[1], items[1])};
        if (!compare_tensor(c, name, rows)) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------ extra files */

static const zipfile_member *member_at(const side *s, const name_item *item) {
    return item == NULL ? NULL : &s->s->archive.zip.members[item->count];
}

static bool take_extra(void *context, ep_bytes piece, failure *what) {
    (void)what;
    buffer_put(context, piece.data, piece.size);
    return true;
}

/* Extra files are texts; they are held. */
static bool same_bytes(comparing *c, const zipfile *const zips[SIDES],
                       const zipfile_member *const members[SIDES], bool *same) {
    buffer contents[SIDES] = {{0}, {0}};
    bool ok = true;
    *same = members[0]->size == members[1]->size;
    for (size_t i = 0; ok && *same && i < SIDES; i++) {
        c->d->refused = i;
        ok = members[i]->size <= c->o->limits.bytes || refuse_plainly(c->what, EP_LIMIT_BYTES);
        ok = ok && zipfile_read(zips[i], members[i], members[i]->size,
                                (zipfile_taker){take_extra, &contents[i]}, c->what);
        ok = ok && (!contents[i].failed || refuse_plainly(c->what, EP_MEMORY));
    }
    *same =
        ok && *same && bytes_compare(buffer_bytes(&contents[0]), buffer_bytes(&contents[1])) == 0;
    buffer_free(&contents[0]);
    buffer_free(&contents[1]);
    return ok;
}

/* Two archives of torch.save: one pickle, and storages of the same names and bytes. */
static bool same_contents(comparing *c, const saved archives[SIDES], bool *same) {
    const zipfile *zips[SIDES] = {&archives[0].zip, &archives[1].zip};
    const name_list *keys[SIDES] = {&archives[0].storages, &archives[1].storages};
    *same =
        archives[0].big_endian == archives[1].big_endian && keys[0]->count == keys[1]->count &&
        bytes_compare(buffer_bytes(&archives[0].pickle), buffer_bytes(&archives[1].pickle)) == 0;
    for (size_t i = 0; *same && i < keys[0]->count; i++) {
        const name_item *a = &keys[0]->items[i];
        const name_item *b = &keys[1]->items[i];
        const zipfile_member *members[SIDES] = {&zips[0]->members[a->count],
                                                &zips[1]->members[b->count]};
        *same = bytes_compare(a->name, b->name) == 0;
        if (*same && !same_bytes(c, zips, members, same)) {
            return false;
        }
    }
    return true;
}

/* Members by their bytes, or by what torch.save put in them: releases write other marks beside
 * it. What is no archive of torch.save is not equal to other bytes. */
static bool same_members(comparing *c, const zipfile_member *const members[SIDES], bool *same) {
    const zipfile *zips[SIDES] = {&c->sides[0].s->archive.zip, &c->sides[1].s->archive.zip};
    saved archives[SIDES];
    failure quiet = {.status = STATUS_DONE};
    bool opened[SIDES];
    bool read = same_bytes(c, zips, members, same);
    if (!read || *same) {
        return read;
    }
    for (size_t i = 0; i < SIDES; i++) {
        opened[i] = saved_open(zips[i], members[i], c->o->limits.bytes, &archives[i], &quiet);
    }
    bool ok = !opened[0] || !opened[1] || same_contents(c, archives, same);
    saved_close(&archives[0]);
    saved_close(&archives[1]);
    if (quiet.error.code == EP_MEMORY) {
        *c->what = quiet;
        return false;
    }
    return ok;
}

static void put_member(comparing *c, state_group group, ep_bytes name,
                       const zipfile_member *const members[SIDES]) {
    buffer texts[SIDES] = {{0}, {0}};
    buffer *given[SIDES] = {NULL, NULL};
    for (size_t i = 0; i < SIDES; i++) {
        if (members[i] != NULL) {
            buffer_number(&texts[i], (int64_t)members[i]->size);
            buffer_text(&texts[i], " bytes");
            given[i] = &texts[i];
        }
    }
    if (tells(c, group)) {
        put_sides(c, group, name, given);
    }
    buffer_free(&texts[0]);
    buffer_free(&texts[1]);
}

static bool compare_members(comparing *c, state_group group, const name_list *lists[SIDES]) {
    size_t at[SIDES] = {0, 0};
    while (at[0] < lists[0]->count || at[1] < lists[1]->count) {
        const name_item *items[SIDES];
        ep_bytes name = next_of(lists, at, items);
        const zipfile_member *members[SIDES] = {member_at(&c->sides[0], items[0]),
                                                member_at(&c->sides[1], items[1])};
        bool same = false;
        if (members[0] != NULL && members[1] != NULL && !same_members(c, members, &same)) {
            return false;
        }
        if (!same) {
            put_member(c, group, name, members);
        }
    }
    return true;
}

/* Values of pickles are not known here: where they could differ, their bytes have to be equal. */
static bool compare_files(comparing *c) {
    const name_list *extras[SIDES] = {&c->sides[0].extras, &c->sides[1].extras};
    const name_list *others[SIDES] = {&c->sides[0].others, &c->sides[1].others};
    const name_list *pickles[SIDES] = {&c->sides[0].pickles, &c->sides[1].pickles};
    return compare_members(c, STATE_EXTRA_FILES, extras) &&
           compare_members(c, STATE_MEMBERS, others) &&
           (!c->has_objects || compare_members(c, STATE_MEMBERS, pickles));
}

/* ------------------------------------------------------------------------------------ sides */

/* The name of an extra file without its folder; false for another member. */
static bool is_extra(const archive *a, ep_bytes name, ep_bytes *extra) {
    const char *folder = a->root.size == 0 ? "extra_files/" : "extra/";
    ep_bytes inner = {name.data + a->root.size, name.size - a->root.size};
    size_t size = strlen(folder);
    *extra = (ep_bytes){inner.data + size, inner.size - size};
    return inner.size > size && bytes_start(inner, folder) && !bytes_end(inner, "/");
}

/* Members that are compared by their bytes: sample inputs and compiled models always, and the
 * pickles of weights and constants where something in them is no tensor. */
static name_list *list_of(side *s, ep_bytes *name) {
    static const char inputs[] = "data/sample_inputs/model.pt";
    *name = (ep_bytes){name->data + s->s->archive.root.size, name->size - s->s->archive.root.size};
    if (bytes_start(*name, "serialized_example_inputs.")) { /* of the flat layout */
        *name = (ep_bytes){inputs, sizeof inputs - 1};
    }
    if (bytes_end(*name, "/")) {
        return NULL;
    }
    if (bytes_start(*name, "data/sample_inputs/") || bytes_start(*name, "data/aotinductor/")) {
        return &s->others;
    }
    bool is_config = bytes_end(*name, ".json");
    bool is_state = bytes_start(*name, "data/weights/") || bytes_start(*name, "data/constants/") ||
                    bytes_start(*name, "serialized_state_dict.") ||
                    bytes_start(*name, "serialized_constants.");
    return is_state && !is_config ? &s->pickles : NULL;
}

static void sort_side(side *s) {
    for (size_t i = 0; i < s->t.row_count; i++) {
        const tensor_row *row = &s->t.rows[i];
        if (row->part != TENSOR_INPUTS) {
            names_add(&s->rows, (name_item){.name = tensors_text(&s->t, row->name), .count = i});
        }
    }
    for (size_t i = 0; i < s->s->archive.zip.count; i++) {
        ep_bytes name;
        ep_bytes whole = s->s->archive.zip.members[i].name;
        name_list *list = &s->extras;
        if (!is_extra(&s->s->archive, whole, &name)) {
            name = whole;
            list = list_of(s, &name);
        }
        if (list != NULL) {
            names_add(list, (name_item){.name = name, .count = i});
        }
    }
    names_sort(&s->rows);
    names_sort(&s->extras);
    names_sort(&s->others);
    names_sort(&s->pickles);
}

static bool read_side(comparing *c, size_t number) {
    side *s = &c->sides[number];
    c->d->refused = number;
    source_blame(s->s, (ep_bytes){"", 0}, c->what); /* no longer with the program */
    if (!source_verify_all(s->s, c->o, c->what) || !source_tensors(s->s, c->o, &s->t, c->what)) {
        return false;
    }
    sort_side(s);
    s->room = elements_room(&s->s->archive, c->o->limits.bytes);
    bool failed = s->rows.failed || s->extras.failed || s->others.failed || s->pickles.failed;
    return !failed || refuse_plainly(c->what, EP_MEMORY);
}

/* What check refuses is never equal to anything. */
static bool check_equal(comparing *c) {
    for (size_t i = 0; i < SIDES && c->d->count == 0; i++) {
        c->d->refused = i;
        if (!source_check_whole(c->sides[i].s, c->o, c->what)) {
            return false;
        }
    }
    return true;
}

bool diff_state(state_diff *d, failure *what) {
    comparing c = {.o = d->o, .out = d->product, .d = d, .what = what};
    c.sides[0].s = d->sides[0];
    c.sides[1].s = d->sides[1];
    bool ok = read_side(&c, 0) && read_side(&c, 1) && compare_tensors(&c) && compare_files(&c) &&
              check_equal(&c);
    for (size_t i = 0; i < SIDES; i++) {
        bool settled = io_settle(&d->sides[i]->file, ok, what);
        d->refused = ok && !settled ? i : d->refused;
        ok = settled;
        holding_free(&c.sides[i].holding);
        tensors_free(&c.sides[i].t);
        names_free(&c.sides[i].rows);
        names_free(&c.sides[i].extras);
        names_free(&c.sides[i].others);
        names_free(&c.sides[i].pickles);
    }
    return ok;
}
