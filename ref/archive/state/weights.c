/*
 * weights.c - see weights.h.
 */
#include "weights.h"

#include "common/refusal.h"
#include "values.h"

/* A digest that is being made. */
typedef struct hashing {
    weights_of *of;
    name_list rows; /* by name: count is which one */
    buffer values;  /* of each row the hash of its value, if it has one */
    buffer text;    /* a line of each tensor */
    digest_hash hash;
    holding holding;
    bool all; /* that a comparison looks at */
    failure *what;
} hashing;

/* At a tensor. */
static bool refuse(hashing *h, const tensor_row *row, const char *why) {
    h->of->blamed = tensors_text(h->of->tensors, row->name);
    return elements_refuse(row, (ep_bytes){"", 0}, why, h->what);
}

/* ------------------------------------------------------------------------------- tensors */

static void put_name(hashing *h, const tensor_row *row) {
    digest_put_sized(&h->text, tensors_text(h->of->tensors, row->name));
    buffer_byte(&h->text, ' ');
}

/* SPEC 8.6.4 */
static void put_value(hashing *h, const tensor_row *row, const char *word) {
    size_t at = (size_t)(row - h->of->tensors->rows) * DIGEST_RAW_SIZE;
    put_name(h, row);
    buffer_text(&h->text, word);
    digest_put_hex(&h->text, (const unsigned char *)h->values.data + at);
    buffer_byte(&h->text, '\n');
}

static void put_sizes(hashing *h, const tensor_row *row) {
    for (size_t i = 0; i < row->rank; i++) {
        buffer_byte(&h->text, i == 0 ? ' ' : ',');
        buffer_number(&h->text, tensors_numbers(h->of->tensors, row->sizes)[i]);
    }
}

/* Of a tensor without data. */
static void put_type(hashing *h, const tensor_row *row) {
    put_name(h, row);
    buffer_text(&h->text, row->is_fake ? "fake " : "meta ");
    buffer_text(&h->text, row->dtype->name);
    put_sizes(h, row);
    buffer_byte(&h->text, '\n');
}

static void put_line(hashing *h, const tensor_row *row, const char *hex) {
    put_name(h, row);
    buffer_text(&h->text, row->dtype->name);
    put_sizes(h, row);
    buffer_byte(&h->text, ' ');
    buffer_text(&h->text, hex);
    buffer_byte(&h->text, '\n');
}

/* SPEC 8.6.1 */
static bool hash_plain(hashing *h, const tensor_row *row, uint64_t *room) {
    char hex[DIGEST_HEX_SIZE + 1];
    const weights_of *w = h->of;
    elements e = {.archive = w->archive,
                  .tensors = w->tensors,
                  .row = row,
                  .limit = w->limit,
                  .holding = &h->holding};
    const zipfile_member *m = w->tensors->storages[row->storage].member;
    zipfile_taker taker = {digest_take, &h->hash};
    TRY(elements_take(w->tensors, row, room, h->what) &&
        (elements_are_member(&e) ? zipfile_read(&w->archive->zip, m, m->size, taker, h->what)
                                 : elements_read(&e, taker, h->what)));
    digest_finish(&h->hash, hex);
    put_line(h, row, hex);
    return true;
}

static bool hash_tensor(hashing *h, const tensor_row *row, uint64_t *room) {
    bool plain = row->form == TENSOR_STRIDED && !row->is_subclass;
    const char *why = elements_fault(h->of->tensors, row);
    bool lacks = row->is_fake || row->form == TENSOR_META;
    if (why != NULL && (plain || lacks) && !(h->all && lacks)) {
        return refuse(h, row, why);
    }
    if (row->is_inner) { /* a part of a value */
        return true;
    }
    if (!plain && (row->form != TENSOR_META || row->is_subclass)) {
        put_value(h, row, "value ");
        return true;
    }
    bool ok = true;
    if (lacks) {
        put_type(h, row);
    } else {
        ok = hash_plain(h, row, room);
    }
    if (h->all && row->has_attributes) {
        put_value(h, row, "attributes ");
    }
    return ok;
}

static bool hash_values(hashing *h, uint64_t *room) {
    weights_of *w = h->of;
    values_of v = {.archive = w->archive, .tensors = w->tensors, .limit = w->limit, .room = room};
    bool ok = values_hash(&v, &h->values, h->what);
    w->blamed = ok ? w->blamed : v.blamed;
    return ok;
}

/* Those of a program, by their names. */
static bool sort_rows(hashing *h, const name_item *program) {
    const tensors *t = h->of->tensors;
    h->rows.count = 0;
    for (size_t i = (size_t)program->place; i < t->row_count; i++) {
        const tensor_row *row = &t->rows[i];
        if (row->program != program->count) {
            break;
        }
        if (row->part != TENSOR_INPUTS && (h->all || row->role != TENSOR_UNNAMED)) {
            names_add(&h->rows, (name_item){.name = tensors_text(t, row->name), .count = i});
        }
    }
    names_sort(&h->rows);
    return !h->rows.failed || refuse_plainly(h->what, EP_MEMORY);
}

static bool hash_program(hashing *h, const name_item *program, uint64_t *room) {
    bool ok = sort_rows(h, program);
    for (size_t i = 0; ok && i < h->rows.count; i++) {
        ok = hash_tensor(h, &h->of->tensors->rows[h->rows.items[i].count], room);
    }
    return ok && (!h->text.failed || refuse_plainly(h->what, EP_MEMORY));
}

/* The programs by their names, each with its first row. */
static void sort_programs(const tensors *t, name_list *programs) {
    size_t row = 0;
    for (size_t i = 0; i < t->program_count; i++) {
        names_add(programs, (name_item){.name = t->programs[i].name, .count = i, .place = row});
        while (row < t->row_count && t->rows[row].program == i) {
            row++;
        }
    }
    names_sort(programs);
}

static bool hash_tensors(hashing *h) {
    name_list programs = {0};
    uint64_t room = elements_room(h->of->archive, h->of->limit);
    sort_programs(h->of->tensors, &programs);
    digest_begin(&h->hash);
    bool ok = (!programs.failed || refuse_plainly(h->what, EP_MEMORY)) && hash_values(h, &room);
    for (size_t i = 0; ok && i < programs.count; i++) {
        buffer_text(&h->text, h->all ? "tensors\n" : "");
        ok = hash_program(h, &programs.items[i], &room);
    }
    names_free(&programs);
    return ok;
}

/* ------------------------------------------------------------------------------- archive */

static bool check_constants(const weights_of *w, failure *what) {
    for (size_t i = 0; i < w->tensors->program_count; i++) {
        if (w->tensors->programs[i].has_constants) { /* of version 1 */
            return refuse_invalid(what, "its program has tensors in itself: migrate it first");
        }
    }
    return true;
}

static void free_hashing(hashing *h) {
    holding_free(&h->holding);
    names_free(&h->rows);
    buffer_free(&h->values);
    buffer_free(&h->text);
}

bool weights_put_all(weights_of *w, buffer *text, failure *what) {
    hashing h = {.of = w, .what = what, .all = true};
    bool ok = check_constants(w, what) && hash_tensors(&h);
    buffer_put(text, h.text.data, h.text.size);
    free_hashing(&h);
    return ok;
}

bool weights_digest(weights_of *w, digest *d, failure *what) {
    hashing h = {.of = w, .what = what};
    if (w->tensors->program_count != 1) {
        return refuse_named(what, EP_ARCHIVE_PROGRAM, (ep_bytes){"", 0},
                            "--model=NAME takes one of them");
    }
    bool ok = check_constants(w, what) && hash_tensors(&h);
    digest_of(DIGEST_WEIGHTS, buffer_bytes(&h.text), d);
    free_hashing(&h);
    return ok;
}

void weights_digest_both(const digest *program, const digest *state, digest *d) {
    char text[2 * (DIGEST_SIZE + 1)];
    for (size_t i = 0; i < DIGEST_SIZE; i++) {
        text[i] = program->text[i];
        text[DIGEST_SIZE + 1 + i] = state->text[i];
    }
    text[DIGEST_SIZE] = text[2 * DIGEST_SIZE + 1] = '\n';
    d->undecided = program->undecided;
    digest_of(DIGEST_ARCHIVE, (ep_bytes){text, sizeof text}, d);
}
