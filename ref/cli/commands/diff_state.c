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
    ep_arena arena; /* of what is pickled inside of programs */
    ep_bytes base64[SIDES];
} comparing;

/* What both sides have under a name, or one of them. */
typedef struct pair {
    state_group group;
    ep_bytes name;
    const name_item *items[SIDES]; /* NULL: it has none */
} pair;

/* False: *c->what. */
typedef bool compare_pair(comparing *c, const pair *p);

/* Puts what a side has of a pair. */
typedef void put_one(comparing *c, const pair *p, size_t number, buffer *b);

/* Values that are not the same. */
typedef struct values {
    uint64_t count;
    uint64_t of;
    bool measured; /* two finite numbers were among them */
    double largest;
} values;

/* ---------------------------------------------------------------------------------- telling */

const char *const diff_state_groups[STATE_GROUPS] = {[STATE_WEIGHTS] = "weights",
                                                     [STATE_CONSTANTS] = "constants",
                                                     [STATE_EXTRA_FILES] = "extra file",
                                                     [STATE_MEMBERS] = "member"};

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

static void put_heading(comparing *c, const pair *p, const char *what) {
    print(c->out, "%z%s%Z: %t: %s", style_on_output(c->o), STYLE_HEADING,
          diff_state_groups[p->group], p->name, what);
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

/* What the two sides are. */
static void put_sides(comparing *c, const pair *p, put_one *put) {
    buffer texts[SIDES] = {{0}, {0}};
    bool both = p->items[0] != NULL && p->items[1] != NULL;
    bool told = tells(c, p->group);
    for (size_t i = 0; told && i < SIDES; i++) {
        if (p->items[i] != NULL) {
            put(c, p, i, &texts[i]);
        }
        c->out->failed = c->out->failed || texts[i].failed;
    }
    if (told && c->o->json) {
        json_put(c->out, json_make("group:s name:t a:u b:u", diff_state_groups[p->group], p->name,
                                   buffer_bytes(&texts[0]), buffer_bytes(&texts[1])));
    } else if (told) {
        put_heading(c, p, both ? "another\n" : "in one only\n");
        put_side(c, 0, &texts[0]);
        put_side(c, 1, &texts[1]);
    }
    buffer_free(&texts[0]);
    buffer_free(&texts[1]);
}

/* The pairs of two lists in the order of their names. */
static bool compare_lists(comparing *c, state_group group, const name_list *const lists[SIDES],
                          compare_pair *compare) {
    size_t at[SIDES] = {0, 0};
    bool ok = true;
    while (ok && (at[0] < lists[0]->count || at[1] < lists[1]->count)) {
        pair p = {.group = group};
        bool ended[SIDES] = {at[0] == lists[0]->count, at[1] == lists[1]->count};
        int order = ended[0] ? 1
                    : ended[1]
                        ? -1
                        : bytes_compare(lists[0]->items[at[0]].name, lists[1]->items[at[1]].name);
        for (size_t i = 0; i < SIDES; i++) {
            if (order == 0 || (order < 0) == (i == 0)) {
                p.items[i] = &lists[i]->items[at[i]++];
                p.name = p.items[i]->name;
            }
        }
        ok = compare(c, &p);
    }
    return ok;
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
        TRY(elements_next(&walks[i], &pieces[i], c->what));
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
        TRY(elements_open(&walks[i], &e, c->what));
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

static void put_values(comparing *c, const pair *p, const values *v) {
    char largest[32] = "null";
    if (v->measured) {
        snprintf(largest, sizeof largest, "%.9g", v->largest);
    }
    if (c->o->json) {
        json_put(c->out, json_make("group:s name:t differ:i of:i largest:j",
                                   diff_state_groups[p->group], p->name, (int64_t)v->count,
                                   (int64_t)v->of, json_finished(bytes_of(largest))));
        return;
    }
    put_heading(c, p, "");
    print(c->out, "%i of %i%s", (int64_t)v->count, (int64_t)v->of,
          v->of == 1 ? " value differs" : " values differ");
    print(c->out, v->measured ? ", by %s%s\n" : "\n", largest, v->count > 1 ? " at most" : "");
}

/* ---------------------------------------------------------------------------------- tensors */

static const tensor_row *row_of(const comparing *c, const pair *p, size_t number) {
    const name_item *item = p->items[number];
    return item == NULL ? NULL : &c->sides[number].t.rows[item->count];
}

/* The group is that of the first row. */
static pair in_group(const comparing *c, const pair *p) {
    pair found = *p;
    const tensor_row *row = row_of(c, p, p->items[0] == NULL);
    found.group = row->part == TENSOR_WEIGHTS ? STATE_WEIGHTS : STATE_CONSTANTS;
    return found;
}

static void put_type(comparing *c, const pair *p, size_t number, buffer *b) {
    static const char *const forms[] = {[TENSOR_STRIDED] = "",
                                        [TENSOR_META] = "without a storage: ",
                                        [TENSOR_SPARSE] = "a sparse tensor",
                                        [TENSOR_OBJECT] = "no tensor"};
    const tensor_row *row = row_of(c, p, number);
    buffer_text(b, row->is_fake ? "fake: " : forms[row->form]);
    if (row->form == TENSOR_STRIDED || row->form == TENSOR_META) {
        buffer_text(b, row->dtype->torch);
        buffer_numbers(b, tensors_numbers(&c->sides[number].t, row->sizes), row->rank);
    }
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
            refuse_invalid(c->what, why);
            source_blame(c->sides[i].s, name, c->what);
            return false;
        }
        TRY(elements_take(&c->sides[i].t, rows[i], &c->sides[i].room, c->what));
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

static bool compare_tensor(comparing *c, const pair *found) {
    values v = {.count = 0};
    pair p = in_group(c, found);
    const tensor_row *rows[SIDES] = {row_of(c, &p, 0), row_of(c, &p, 1)};
    if (rows[0] == NULL || rows[1] == NULL || !same_type(c, rows)) {
        mark_told(c, rows);
        put_sides(c, &p, put_type);
        return true;
    }
    if (rows[0]->form != TENSOR_STRIDED || rows[0]->is_fake) {
        return true; /* of one without data its type is all there is */
    }
    TRY(check_readable(c, p.name, rows) && compare_values(c, rows, &v));
    if (v.count > 0) {
        mark_told(c, rows);
    }
    if (v.count > 0 && tells(c, p.group)) {
        put_values(c, &p, &v);
    }
    return true;
}

static const unsigned char *hash_of(const comparing *c, const pair *p, size_t number) {
    const unsigned char *hashes = (const unsigned char *)c->sides[number].values.data;
    return hashes + p->items[number]->count * DIGEST_RAW_SIZE;
}

static void put_hash(comparing *c, const pair *p, size_t number, buffer *b) {
    const tensor_row *row = row_of(c, p, number);
    ep_bytes class = tensors_text(&c->sides[number].t, row->class);
    bool plain = row->has_attributes && !row->is_subclass;
    print(b, "%t%s", plain ? bytes_of("attributes") : class,
          plain || class.size > 0 ? ", value " : "value ");
    digest_put_hex(b, hash_of(c, p, number));
}

/* A tensor of a class, an object, attributes: what was not found in the tensors inside. */
static bool compare_object(comparing *c, const pair *found) {
    pair p = in_group(c, found);
    for (size_t i = 0; i < SIDES; i++) {
        if (p.items[i] == NULL || c->sides[i].told[p.items[i]->count]) {
            return true;
        }
    }
    if (memcmp(hash_of(c, &p, 0), hash_of(c, &p, 1), DIGEST_RAW_SIZE) != 0) {
        put_sides(c, &p, put_hash);
    }
    return true;
}

/* ------------------------------------------------------------------------------ extra files */

static const zipfile_member *member_of(const comparing *c, const pair *p, size_t number) {
    return &c->sides[number].s->archive.zip.members[p->items[number]->count];
}

static void put_size(comparing *c, const pair *p, size_t number, buffer *b) {
    print(b, "%i bytes", (int64_t)member_of(c, p, number)->size);
}

/* Extra files are texts; they are held. */
static bool compare_bytes(comparing *c, const pair *p) {
    buffer held[SIDES] = {{0}, {0}};
    bool ok = true;
    bool same = p->items[0] != NULL && p->items[1] != NULL &&
                member_of(c, p, 0)->size == member_of(c, p, 1)->size;
    for (size_t i = 0; ok && same && i < SIDES; i++) {
        c->d->refused = i;
        ok = zipfile_read_whole(&c->sides[i].s->archive.zip, member_of(c, p, i), c->o->limits.bytes,
                                &held[i], c->what);
    }
    if (ok && (!same || bytes_compare(buffer_bytes(&held[0]), buffer_bytes(&held[1])) != 0)) {
        put_sides(c, p, put_size);
    }
    buffer_free(&held[0]);
    buffer_free(&held[1]);
    return ok;
}

/* By the value that torch.save put in them: releases write other marks beside it. */
static bool compare_inputs(comparing *c, const pair *p) {
    unsigned char hashes[SIDES][DIGEST_RAW_SIZE];
    bool both = p->items[0] != NULL && p->items[1] != NULL;
    for (size_t i = 0; both && i < SIDES; i++) {
        side *s = &c->sides[i];
        values_of v = {.archive = &s->s->archive, .limit = c->o->limits.bytes, .room = &s->room};
        c->d->refused = i;
        TRY(values_hash_member(&v, member_of(c, p, i), hashes[i], c->what));
    }
    if (!both || memcmp(hashes[0], hashes[1], DIGEST_RAW_SIZE) != 0) {
        put_sides(c, p, put_size);
    }
    return true;
}

/* Tensors, then all other members but programs. */
static bool compare_all(comparing *c) {
    const name_list *rows[SIDES] = {&c->sides[0].rows, &c->sides[1].rows};
    const contents *a = &c->sides[0].members;
    const contents *b = &c->sides[1].members;
    const name_list *extras[SIDES] = {&a->extras, &b->extras};
    const name_list *inputs[SIDES] = {&a->inputs, &b->inputs};
    const name_list *others[SIDES] = {&a->others, &b->others};
    return compare_lists(c, STATE_WEIGHTS, rows, compare_tensor) &&
           compare_lists(c, STATE_WEIGHTS, rows, compare_object) &&
           compare_lists(c, STATE_EXTRA_FILES, extras, compare_bytes) &&
           compare_lists(c, STATE_MEMBERS, inputs, compare_inputs) &&
           compare_lists(c, STATE_MEMBERS, others, compare_bytes);
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
    s->told = memory_zeros(s->t.row_count, sizeof *s->told);
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
    TRY(source_verify_all(s->s, c->o, c->what) && source_tensors(s->s, c->o, &s->t, c->what));
    sort_side(s);
    s->room = elements_room(&s->s->archive, c->o->limits.bytes);
    bool sorted = contents_sort(&s->s->archive, &s->members) && !s->rows.failed;
    return (sorted || refuse_plainly(c->what, EP_MEMORY)) && hash_values(c, s);
}

/* What check refuses is never equal to anything. */
static bool check_equal(comparing *c) {
    for (size_t i = 0; i < SIDES && c->d->count == 0; i++) {
        c->d->refused = i;
        TRY(source_check_whole(c->sides[i].s, c->o, c->what));
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
    bool ok = read_side(&c, 0) && read_side(&c, 1) && compare_all(&c) && check_equal(&c);
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

static void put_constant(comparing *c, const pair *p, size_t number, buffer *b) {
    (void)p;
    print(b, "a tensor pickled in the program, %i bytes of base64",
          (int64_t)c->base64[number].size);
}

static bool compare_constant(comparing *c, const pair *p) {
    constants taken = {.limit = c->o->limits.bytes};
    ep_tensor_info info;
    bool failed = false;
    if (p->items[0] == NULL || p->items[1] == NULL) {
        return true;
    }
    for (size_t i = 0; i < SIDES; i++) {
        c->base64[i] = text_of(p->items[i]->value, &c->arena, &failed);
    }
    bool known = bytes_compare(c->base64[0], c->base64[1]) == 0;
    bool same =
        known || (constants_take(&taken, p->name, c->base64[0], &info) &&
                  constants_take(&taken, p->name, c->base64[1], &info) && same_tensors(&taken));
    if (!same) {
        put_sides(c, p, put_constant);
    }
    bool ok = (!failed && !taken.failed) || refuse_plainly(c->what, EP_MEMORY);
    constants_free(&taken);
    return ok;
}

static ep_value constants_of(const ep_program *program) {
    ep_value module = ep_value_field(ep_program_root(program), "graph_module");
    return ep_value_field(ep_value_field(module, "graph"), "constants");
}

bool diff_constants(state_diff *d, const ep_program *const programs[2], failure *what) {
    comparing c = comparing_of(d, what);
    name_list lists[SIDES] = {{0}, {0}};
    arena_open(&c.arena, d->o->max_memory);
    for (size_t i = 0; i < SIDES; i++) {
        names_add_dict(&lists[i], constants_of(programs[i]), "", &c.arena);
        names_sort(&lists[i]);
    }
    const name_list *both[SIDES] = {&lists[0], &lists[1]};
    bool ok = lists[0].failed || lists[1].failed
                  ? refuse_plainly(what, EP_MEMORY)
                  : compare_lists(&c, STATE_CONSTANTS, both, compare_constant);
    names_free(&lists[0]);
    names_free(&lists[1]);
    ep_arena_free(&c.arena);
    return ok;
}
