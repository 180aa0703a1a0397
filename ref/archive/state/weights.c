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
    failure *what;
} hashing;

/* At a tensor. */
static bool refuse(hashing *h, const tensor_row *row, const char *why) {
    h->of->blamed = tensors_text(h->of->tensors, row->name);
    return elements_refuse(row, (ep_bytes){"", 0}, why, h->what);
}

/* ------------------------------------------------------------------------------- tensors */

static bool take_piece(void *context, ep_bytes piece, failure *what) {
    hashing *h = context;
    return digest_add(&h->hash, piece) || digest_refuse(what);
}

static void put_name(hashing *h, const tensor_row *row) {
    ep_bytes name = tensors_text(h->of->tensors, row->name);
    buffer_number(&h->text, (int64_t)name.size);
    buffer_byte(&h->text, ':');
    buffer_put(&h->text, name.data, name.size);
    buffer_byte(&h->text, ' ');
}

/* SPEC 8.6.4 */
static void put_value(hashing *h, const tensor_row *row) {
    size_t at = (size_t)(row - h->of->tensors->rows) * DIGEST_RAW_SIZE;
    put_name(h, row);
    buffer_text(&h->text, "value ");
    values_put_hash(&h->text, (const unsigned char *)h->values.data + at);
    buffer_byte(&h->text, '\n');
}

static void put_line(hashing *h, const tensor_row *row, const char *hex) {
    put_name(h, row);
    buffer_text(&h->text, row->dtype->name);
    for (size_t i = 0; i < row->rank; i++) {
        buffer_byte(&h->text, i == 0 ? ' ' : ',');
        buffer_number(&h->text, tensors_numbers(h->of->tensors, row->sizes)[i]);
    }
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
    if (!elements_take(w->tensors, row, room, h->what) ||
        !elements_read(&e, (zipfile_taker){take_piece, h}, h->what)) {
        return false;
    }
    if (!digest_finish(&h->hash, hex)) {
        return digest_refuse(h->what);
    }
    put_line(h, row, hex);
    return true;
}

static bool hash_tensor(hashing *h, const tensor_row *row, uint64_t *room) {
    bool plain = row->form == TENSOR_STRIDED && !row->is_subclass;
    const char *why = elements_fault(h->of->tensors, row);
    bool lacks = row->is_fake || row->form == TENSOR_META;
    if (why != NULL && (plain || lacks)) {
        return refuse(h, row, why);
    }
    if (row->is_inner) { /* a part of a value */
        return true;
    }
    if (plain) {
        return hash_plain(h, row, room);
    }
    put_value(h, row);
    return true;
}

static bool hash_values(hashing *h, uint64_t *room) {
    weights_of *w = h->of;
    values_of v = {.archive = w->archive, .tensors = w->tensors, .limit = w->limit, .room = room};
    bool ok = values_hash(&v, &h->values, h->what);
    w->blamed = ok ? w->blamed : v.blamed;
    return ok;
}

/* Those that the signature names, by their names. */
static bool sort_rows(hashing *h) {
    const tensors *t = h->of->tensors;
    for (size_t i = 0; i < t->row_count; i++) {
        const tensor_row *row = &t->rows[i];
        if (row->part != TENSOR_INPUTS && row->role != TENSOR_UNNAMED) {
            names_add(&h->rows, (name_item){.name = tensors_text(t, row->name), .count = i});
        }
    }
    names_sort(&h->rows);
    return !h->rows.failed || refuse_plainly(h->what, EP_MEMORY);
}

static bool hash_tensors(hashing *h) {
    uint64_t room = elements_room(h->of->archive, h->of->limit);
    bool ok =
        sort_rows(h) && (digest_begin(&h->hash) || digest_refuse(h->what)) && hash_values(h, &room);
    for (size_t i = 0; ok && i < h->rows.count; i++) {
        ok = hash_tensor(h, &h->of->tensors->rows[h->rows.items[i].count], &room);
    }
    return ok && (!h->text.failed || refuse_plainly(h->what, EP_MEMORY));
}

/* ------------------------------------------------------------------------------- archive */

static bool check_programs(const weights_of *w, failure *what) {
    const tensors *t = w->tensors;
    if (t->program_count != 1) {
        return refuse_named(what, EP_ARCHIVE_PROGRAM, (ep_bytes){"", 0},
                            "--model=NAME takes one of them");
    }
    if (t->programs[0].has_constants) { /* of version 1 */
        *what = (failure){.status = STATUS_INVALID,
                          .reason = "its program has tensors in itself: migrate it first"};
        return false;
    }
    return true;
}

bool weights_digest(weights_of *w, digest *d, failure *what) {
    hashing h = {.of = w, .what = what};
    bool ok = check_programs(w, what) && hash_tensors(&h) &&
              (digest_of(DIGEST_WEIGHTS, buffer_bytes(&h.text), d) || digest_refuse(what));
    digest_free(&h.hash);
    holding_free(&h.holding);
    names_free(&h.rows);
    buffer_free(&h.values);
    buffer_free(&h.text);
    return ok;
}

bool weights_digest_both(const digest *program, const digest *state, digest *d) {
    char text[2 * (DIGEST_SIZE + 1)];
    for (size_t i = 0; i < DIGEST_SIZE; i++) {
        text[i] = program->text[i];
        text[DIGEST_SIZE + 1 + i] = state->text[i];
    }
    text[DIGEST_SIZE] = text[2 * DIGEST_SIZE + 1] = '\n';
    d->undecided = program->undecided;
    return digest_of(DIGEST_ARCHIVE, (ep_bytes){text, sizeof text}, d);
}
