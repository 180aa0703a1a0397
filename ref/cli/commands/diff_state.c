/*
 * diff_state.c - see diff_state.h. Tensors are paired by their names, and compared element
 * by element as they are read; what is more than a plain tensor, by the hash of its value.
 */
#include "diff_state.h"

#include <stdio.h>
#include <string.h>

#include "archive/layout/constants.h"
#include "archive/state/contents.h"
#include "archive/state/numbers.h"
#include "archive/state/values.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/style.h"
#include "common/memory.h"
#include "common/names.h"
#include "common/refusal.h"
#include "common/safe.h"

/* One of the two archives. */
typedef struct side {
    source *s;
    tensors t;
    name_list rows; /* tensors by name: count is which row */
    contents members;
    buffer values; /* of each row the hash of its value, if it has one */
    bool *told;    /* of each row, whether something differs in it */
    holding holding;
    uint64_t room; /* how many bytes its tensors may still come to */
} side;

typedef struct comparing {
    const options *o;
    side sides[SIDES];
    buffer *out;
    state_diff *d;
    failure *what;
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
        buffer_numbers(b, tensors_numbers(&s->t, row->sizes), row->rank);
    }
}

static void put_heading(comparing *c, state_group group, ep_bytes name, const char *what) {
    print(c->out, "%z%s%Z: %t: %s", style_on_output(c->o), STYLE_HEADING, diff_state_group(group),
          name, what);
}

/* "-  float32[2, 3]", nothing for what is not there; as a field "< a.pt2: float32[2, 3]". */
static void put_side(comparing *c, size_t number, const buffer *text) {
    static const style looks[2][2] = {{STYLE_REMOVED, STYLE_ADDED}, {STYLE_ERROR, STYLE_LITERAL}};
    static const char *const signs[2][2] = {{"-  ", "+  "}, {"< ", "> "}};
    const source *s = c->sides[number].s;
    bool color = style_on_output(c->o);
    bool field = c->o->fields;
    if (field) {
        print(c->out, "%z%s%Z%t: %s%r\n", color, looks[field][number], signs[field][number],
              (ep_bytes){s->label.data, s->path_size}, text->size == 0 ? "not there" : "",
              text->data, text->size);
    } else if (text->size > 0) {
        print(c->out, "%z%s%r%Z\n", color, looks[field][number], signs[field][number], text->data,
              text->size);
    }
}

/* What the two sides are; an empty text: one does not have it. The texts are freed. */
static void put_sides(comparing *c, state_group group, ep_bytes name, buffer texts[SIDES]) {
    bool both = texts[0].size > 0 && texts[1].size > 0;
    bool told = tells(c, group);
    if (told && c->o->json) {
        json_put(c->out, json_make("group:s name:t a:u b:u", diff_state_group(group), name,
                                   buffer_bytes(&texts[0]), buffer_bytes(&texts[1])));
    } else if (told) {
        put_heading(c, group, name, both ? "another\n" : "in one only\n");
        put_side(c, 0, &texts[0]);
        put_side(c, 1, &texts[1]);
    }
    c->out->failed = c->out->failed || (told && (texts[0].failed || texts[1].failed));
    buffer_free(&texts[0]);
    buffer_free(&texts[1]);
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
        json_members(object, "group:s name:t differ:i of:i", diff_state_group(group), name,
                     (int64_t)v->count, (int64_t)v->of);
        json_add(object, "largest",
                 json_finished(bytes_of(v->measured ? buffer_string(&largest) : "null")));
        buffer_free(&largest);
        json_put(c->out, object);
        return;
    }
    put_heading(c, group, name, "");
    print(c->out, "%i of %i%s", (int64_t)v->count, (int64_t)v->of,
          v->of == 1 ? " value differs" : " values differ");
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
    for (size_t i = 0; i < SIDES; i++) {
        if (rows[i] != NULL) {
            put_type(&texts[i], &c->sides[i], rows[i]);
        }
    }
    put_sides(c, group_of(rows[0] != NULL ? rows[0] : rows[1]), name, texts);
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

static void mark_told(comparing *c, const tensor_row *const rows[SIDES]) {
    for (size_t i = 0; i < SIDES; i++) {
        side *s = &c->sides[i];
        if (rows[i] != NULL) {
            s->told[rows[i] - s->t.rows] = true;
            s->told[rows[i]->is_inner ? rows[i]->outer : (size_t)(rows[i] - s->t.rows)] = true;
        }
    }
}

static bool compare_tensor(comparing *c, ep_bytes name, const tensor_row *const rows[SIDES]) {
    values v = {.count = 0};
    if (rows[0] == NULL || rows[1] == NULL || !same_type(c, rows)) {
        mark_told(c, rows);
        return put_types(c, name, rows);
    }
    if (rows[0]->form != TENSOR_STRIDED || rows[0]->is_fake) {
        return true; /* of one without data its type is all there is */
    }
    if (!check_readable(c, name, rows) || !compare_values(c, rows, &v)) {
        return false;
    }
    if (v.count > 0) {
        mark_told(c, rows);
    }
    if (v.count > 0 && tells(c, group_of(rows[0]))) {
        put_values(c, group_of(rows[0]), name, &v);
    }
    return true;
}

static const unsigned char *hash_of(const side *s, const tensor_row *row) {
    return (const unsigned char *)s->values.data + (size_t)(row - s->t.rows) * DIGEST_RAW_SIZE;
}

static void put_hash(comparing *c, ep_bytes name, const tensor_row *const rows[SIDES]) {
    buffer texts[SIDES] = {{0}, {0}};
    for (size_t i = 0; i < SIDES; i++) {
        ep_bytes class = tensors_text(&c->sides[i].t, rows[i]->class);
        bool plain = rows[i]->has_attributes && !rows[i]->is_subclass;
        print(&texts[i], "%t%s", plain ? bytes_of("attributes") : class,
              plain || class.size > 0 ? ", value " : "value ");
        digest_put_hex(&texts[i], hash_of(&c->sides[i], rows[i]));
    }
    put_sides(c, group_of(rows[0]), name, texts);
}

/* A tensor of a class, an object, attributes: what was not found in the tensors inside. */
static bool compare_object(comparing *c, ep_bytes name, const tensor_row *const rows[SIDES]) {
    for (size_t i = 0; i < SIDES; i++) {
        if (rows[i] == NULL || c->sides[i].told[rows[i] - c->sides[i].t.rows]) {
            return true;
        }
    }
    if (memcmp(hash_of(&c->sides[0], rows[0]), hash_of(&c->sides[1], rows[1]), DIGEST_RAW_SIZE) !=
        0) {
        put_hash(c, name, rows);
    }
    return true;
}

/* Two lists in the order of their names. */
typedef struct pairing {
    const name_list *lists[SIDES];
    size_t at[SIDES];
    const name_item *items[SIDES]; /* of one name; NULL: the list has none of it */
    ep_bytes name;
} pairing;

static bool next_pair(pairing *p) {
    for (size_t i = 0; i < SIDES; i++) {
        bool more = p->at[i] < p->lists[i]->count;
        p->items[i] = more ? &p->lists[i]->items[p->at[i]] : NULL;
    }
    if (p->items[0] == NULL && p->items[1] == NULL) {
        return false;
    }
    int order = p->items[0] == NULL   ? 1
                : p->items[1] == NULL ? -1
                                      : bytes_compare(p->items[0]->name, p->items[1]->name);
    p->name = p->items[order > 0]->name;
    for (size_t i = 0; i < SIDES; i++) {
        bool taken = order == 0 || (order < 0) == (i == 0);
        p->items[i] = taken ? p->items[i] : NULL;
        p->at[i] += taken ? 1 : 0;
    }
    return true;
}

typedef bool compare_rows(comparing *c, ep_bytes name, const tensor_row *const rows[SIDES]);

static bool compare_tensors(comparing *c, compare_rows *compare) {
    pairing p = {.lists = {&c->sides[0].rows, &c->sides[1].rows}};
    bool ok = true;
    while (ok && next_pair(&p)) {
        const tensor_row *rows[SIDES] = {row_at(&c->sides[0], p.items[0]),
                                         row_at(&c->sides[1], p.items[1])};
        ok = compare(c, p.name, rows);
    }
    return ok;
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
static bool same_bytes(comparing *c, const zipfile_member *const members[SIDES], bool *same) {
    buffer held[SIDES] = {{0}, {0}};
    bool ok = true;
    *same = members[0]->size == members[1]->size;
    for (size_t i = 0; ok && *same && i < SIDES; i++) {
        c->d->refused = i;
        ok = members[i]->size <= c->o->limits.bytes || refuse_plainly(c->what, EP_LIMIT_BYTES);
        ok = ok && zipfile_read(&c->sides[i].s->archive.zip, members[i], members[i]->size,
                                (zipfile_taker){take_extra, &held[i]}, c->what);
        ok = ok && (!held[i].failed || refuse_plainly(c->what, EP_MEMORY));
    }
    *same = ok && *same && bytes_compare(buffer_bytes(&held[0]), buffer_bytes(&held[1])) == 0;
    buffer_free(&held[0]);
    buffer_free(&held[1]);
    return ok;
}

/* By the value that torch.save put in them: releases write other marks beside it. */
static bool same_inputs(comparing *c, const zipfile_member *const members[SIDES], bool *same) {
    unsigned char hashes[SIDES][DIGEST_RAW_SIZE];
    for (size_t i = 0; i < SIDES; i++) {
        side *s = &c->sides[i];
        values_of v = {.archive = &s->s->archive, .limit = c->o->limits.bytes, .room = &s->room};
        c->d->refused = i;
        if (!values_hash_member(&v, members[i], hashes[i], c->what)) {
            return false;
        }
    }
    *same = memcmp(hashes[0], hashes[1], DIGEST_RAW_SIZE) == 0;
    return true;
}

static void put_member(comparing *c, state_group group, ep_bytes name,
                       const zipfile_member *const members[SIDES]) {
    buffer texts[SIDES] = {{0}, {0}};
    for (size_t i = 0; i < SIDES; i++) {
        if (members[i] != NULL) {
            print(&texts[i], "%i bytes", (int64_t)members[i]->size);
        }
    }
    put_sides(c, group, name, texts);
}

typedef bool compare_pair(comparing *c, const zipfile_member *const members[SIDES], bool *same);

static bool compare_members(comparing *c, state_group group, const name_list *a, const name_list *b,
                            compare_pair *compare) {
    pairing p = {.lists = {a, b}};
    bool ok = true;
    while (ok && next_pair(&p)) {
        const zipfile_member *members[SIDES] = {member_at(&c->sides[0], p.items[0]),
                                                member_at(&c->sides[1], p.items[1])};
        bool same = false;
        ok = members[0] == NULL || members[1] == NULL || compare(c, members, &same);
        if (ok && !same) {
            put_member(c, group, p.name, members);
        }
    }
    return ok;
}

static bool compare_files(comparing *c) {
    const contents *a = &c->sides[0].members;
    const contents *b = &c->sides[1].members;
    return compare_members(c, STATE_EXTRA_FILES, &a->extras, &b->extras, same_bytes) &&
           compare_members(c, STATE_MEMBERS, &a->inputs, &b->inputs, same_inputs) &&
           compare_members(c, STATE_MEMBERS, &a->others, &b->others, same_bytes);
}

/* ------------------------------------------------------------------------------------ sides */

static void sort_side(side *s) {
    for (size_t i = 0; i < s->t.row_count; i++) {
        const tensor_row *row = &s->t.rows[i];
        if (row->part != TENSOR_INPUTS) {
            names_add(&s->rows, (name_item){.name = tensors_text(&s->t, row->name), .count = i});
        }
    }
    names_sort(&s->rows);
}

static bool hash_values(comparing *c, side *s) {
    values_of v = {
        .archive = &s->s->archive, .tensors = &s->t, .limit = c->o->limits.bytes, .room = &s->room};
    s->told = memory_resize(NULL, s->t.row_count + 1);
    for (size_t i = 0; s->told != NULL && i < s->t.row_count; i++) {
        s->told[i] = false;
    }
    bool ok =
        s->told != NULL ? values_hash(&v, &s->values, c->what) : refuse_plainly(c->what, EP_MEMORY);
    if (!ok) {
        source_blame(s->s, v.blamed, c->what);
    }
    s->room = elements_room(&s->s->archive, c->o->limits.bytes);
    return ok;
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
    bool sorted = contents_sort(&s->s->archive, &s->members) && !s->rows.failed;
    return (sorted || refuse_plainly(c->what, EP_MEMORY)) && hash_values(c, s);
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

static comparing comparing_of(state_diff *d, failure *what) {
    comparing c = {.o = d->o, .out = d->product, .d = d, .what = what};
    c.sides[0].s = d->sides[0];
    c.sides[1].s = d->sides[1];
    return c;
}

bool diff_state(state_diff *d, failure *what) {
    comparing c = comparing_of(d, what);
    bool ok = read_side(&c, 0) && read_side(&c, 1) && compare_tensors(&c, compare_tensor) &&
              compare_tensors(&c, compare_object) && compare_files(&c) && check_equal(&c);
    for (size_t i = 0; i < SIDES; i++) {
        bool settled = io_settle(&d->sides[i]->file, ok, what);
        d->refused = ok && !settled ? i : d->refused;
        ok = settled;
        holding_free(&c.sides[i].holding);
        tensors_free(&c.sides[i].t);
        names_free(&c.sides[i].rows);
        contents_free(&c.sides[i].members);
        buffer_free(&c.sides[i].values);
        memory_free(c.sides[i].told);
    }
    return ok;
}

/* -------------------------------------------------------- tensors inside of programs */

static bool same_dims(const constant *a, const constant *b) {
    bool same = a->info.rank == b->info.rank;
    for (size_t i = 0; same && i < a->info.rank; i++) {
        same = a->sizes[i].number == b->sizes[i].number &&
               a->strides[i].number == b->strides[i].number;
    }
    return same;
}

/* Two pickles of other bytes can be of one tensor. */
static bool same_tensors(const constants *taken) {
    const constant *a = taken->items[0];
    const constant *b = taken->items[1];
    return a->dtype == b->dtype && same_dims(a, b) &&
           a->info.storage_offset.number == b->info.storage_offset.number &&
           bytes_compare(buffer_bytes(&a->bytes), buffer_bytes(&b->bytes)) == 0;
}

static bool compare_constant(state_diff *d, ep_bytes name, const ep_bytes base64[SIDES],
                             failure *what) {
    constants taken = {.limit = d->o->limits.bytes};
    ep_tensor_info info;
    buffer texts[SIDES] = {{0}, {0}};
    bool known = bytes_compare(base64[0], base64[1]) == 0;
    bool same = known || (constants_take(&taken, name, base64[0], &info) &&
                          constants_take(&taken, name, base64[1], &info) && same_tensors(&taken));
    for (size_t i = 0; !same && i < SIDES; i++) {
        print(&texts[i], "a tensor pickled in the program, %i bytes of base64",
              (int64_t)base64[i].size);
    }
    if (!same) {
        comparing c = comparing_of(d, what);
        put_sides(&c, STATE_CONSTANTS, name, texts);
    }
    bool ok = !taken.failed || refuse_plainly(what, EP_MEMORY);
    constants_free(&taken);
    return ok;
}

static ep_value constants_of(const ep_program *program) {
    ep_value module = ep_value_field(ep_program_root(program), "graph_module");
    return ep_value_field(ep_value_field(module, "graph"), "constants");
}

bool diff_constants(state_diff *d, const ep_program *const programs[2], failure *what) {
    name_list lists[SIDES] = {{0}, {0}};
    ep_arena arena;
    bool failed = false;
    arena_open(&arena, d->o->max_memory);
    for (size_t i = 0; i < SIDES; i++) {
        names_add_dict(&lists[i], constants_of(programs[i]), "", &arena);
        names_sort(&lists[i]);
        failed = failed || lists[i].failed;
    }
    bool ok = !failed || refuse_plainly(what, EP_MEMORY);
    for (size_t i = 0; ok && i < lists[0].count; i++) {
        const name_item *a = &lists[0].items[i];
        const name_item *b = names_find(&lists[1], a->name);
        if (b != NULL) {
            ep_bytes texts[SIDES] = {text_of(a->value, &arena, &failed),
                                     text_of(b->value, &arena, &failed)};
            ok = failed ? refuse_plainly(what, EP_MEMORY)
                        : compare_constant(d, a->name, texts, what);
        }
    }
    names_free(&lists[0]);
    names_free(&lists[1]);
    ep_arena_free(&arena);
    return ok;
}
