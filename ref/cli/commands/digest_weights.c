/*
 * digest_weights.c - see digest_weights.h.
 */
#include "digest_weights.h"

#include "archive/state/elements.h"
#include "common/refusal.h"

/* A digest that is being made. */
typedef struct hashing {
    const options *o;
    source *s;
    tensors t;
    name_list rows; /* by name: count is which one */
    buffer text;    /* a line of each tensor */
    digest_hash hash;
    failure *what;
} hashing;

/* At a tensor. */
static bool refuse(hashing *h, const tensor_row *row, const char *why) {
    *h->what = (failure){.status = STATUS_INVALID, .reason = why};
    source_blame(h->s, tensors_text(&h->t, row->name), h->what);
    return false;
}

/* ------------------------------------------------------------------------------- tensors */

static bool take_piece(void *context, ep_bytes piece, failure *what) {
    hashing *h = context;
    return digest_add(&h->hash, piece) || digest_refuse(what);
}

static void put_line(hashing *h, const tensor_row *row, const char *hex) {
    ep_bytes name = tensors_text(&h->t, row->name);
    buffer_number(&h->text, (int64_t)name.size);
    buffer_byte(&h->text, ':');
    buffer_put(&h->text, name.data, name.size);
    buffer_byte(&h->text, ' ');
    buffer_text(&h->text, row->dtype->name);
    for (size_t i = 0; i < row->rank; i++) {
        buffer_byte(&h->text, i == 0 ? ' ' : ',');
        buffer_number(&h->text, tensors_numbers(&h->t, row->sizes)[i]);
    }
    buffer_byte(&h->text, ' ');
    buffer_text(&h->text, hex);
    buffer_byte(&h->text, '\n');
}

/* SPEC 8.6.1 */
static bool hash_tensor(hashing *h, const tensor_row *row, uint64_t *room) {
    char hex[DIGEST_HEX_SIZE + 1];
    elements e = {
        .archive = &h->s->archive, .tensors = &h->t, .row = row, .limit = h->o->limits.bytes};
    const char *why = elements_fault(&h->t, row);
    if (why != NULL) {
        return refuse(h, row, why);
    }
    if (!elements_take(&h->t, row, room, h->what) ||
        !elements_read(&e, (zipfile_taker){take_piece, h}, h->what)) {
        return false;
    }
    if (!digest_finish(&h->hash, hex)) {
        return digest_refuse(h->what);
    }
    put_line(h, row, hex);
    return true;
}

/* Those that the signature names, by their names. */
static bool sort_rows(hashing *h) {
    for (size_t i = 0; i < h->t.row_count; i++) {
        const tensor_row *row = &h->t.rows[i];
        if (row->part != TENSOR_INPUTS && row->role != TENSOR_UNNAMED) {
            names_add(&h->rows, (name_item){.name = tensors_text(&h->t, row->name), .count = i});
        }
    }
    names_sort(&h->rows);
    return !h->rows.failed || refuse_plainly(h->what, EP_MEMORY);
}

static bool hash_tensors(hashing *h) {
    uint64_t room = elements_room(&h->s->archive, h->o->limits.bytes);
    bool ok = sort_rows(h) && (digest_begin(&h->hash) || digest_refuse(h->what));
    for (size_t i = 0; ok && i < h->rows.count; i++) {
        ok = hash_tensor(h, &h->t.rows[h->rows.items[i].count], &room);
    }
    return ok && (!h->text.failed || refuse_plainly(h->what, EP_MEMORY));
}

/* ------------------------------------------------------------------------------- archive */

static bool read_tensors(hashing *h) {
    if (!source_tensors(h->s, h->o, &h->t, h->what)) {
        return false;
    }
    return h->t.program_count == 1 || refuse_named(h->what, EP_ARCHIVE_PROGRAM, (ep_bytes){"", 0},
                                                   "--model=NAME takes one of them");
}

/* Version 1 has tensors in the program. */
static bool check_constants(hashing *h) {
    for (size_t i = 0; i < h->t.program_count; i++) {
        if (h->t.programs[i].has_constants) {
            *h->what = (failure){.status = STATUS_INVALID,
                                 .reason = "its program has tensors in itself: migrate it first"};
            return false;
        }
    }
    return true;
}

/* A digest of state that is not whole would say nothing. */
bool digest_weights(const options *o, source *s, digest *d, failure *what) {
    hashing h = {.o = o, .s = s, .what = what};
    bool ok = source_verify_all(s, o, what);
    if (ok) {
        ok = source_check_whole(s, o, what) && read_tensors(&h) && check_constants(&h) &&
             hash_tensors(&h);
        ok = io_settle(&s->file, ok, what);
    }
    ok = ok && (digest_of(DIGEST_WEIGHTS, buffer_bytes(&h.text), d) || digest_refuse(what));
    digest_free(&h.hash);
    tensors_free(&h.t);
    names_free(&h.rows);
    buffer_free(&h.text);
    return ok;
}

bool digest_both(const digest *program, const digest *weights, digest *d) {
    char text[2 * (DIGEST_SIZE + 1)];
    for (size_t i = 0; i < DIGEST_SIZE; i++) {
        text[i] = program->text[i];
        text[DIGEST_SIZE + 1 + i] = weights->text[i];
    }
    text[DIGEST_SIZE] = text[2 * DIGEST_SIZE + 1] = '\n';
    d->undecided = program->undecided;
    return digest_of(DIGEST_ARCHIVE, (ep_bytes){text, sizeof text}, d);
}
