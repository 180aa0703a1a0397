/*
 * values.c - see values.h. A value's hash is that of a text with the hashes of the values in it,
 * so that it does not depend on how often the pickle has what it has more than once.
 */
#include "values.h"

#include <string.h>

#include "common/memory.h"
#include "common/refusal.h"
#include "tensors_parts.h"

typedef unsigned char raw_hash[DIGEST_RAW_SIZE];

typedef enum progress { UNSEEN, BEGUN, DONE } progress;

/* A pickle whose values are hashed. */
typedef struct hashing {
    const values_of *of;
    const zipfile_member *member;
    saved saved;
    tensors tensors; /* of the pickle, by their positions */
    holding holding;
    raw_hash *hashes; /* of each value, */
    uint8_t *states;  /* and how far that is: UNSEEN, 0, at first */
    uint32_t *stack;
    size_t depth;
    size_t room_of_stack;
    buffer text;
    digest_hash sha;
    raw_hash bytes;  /* of the member, */
    bool has_bytes;  /* if it was asked for */
    bool is_pickle;  /* else: it is bytes */
    bool is_endless; /* a value holds itself */
    failure *what;
} hashing;

/* ------------------------------------------------------------------------------ children */

typedef bool take_child(hashing *h, uint32_t value, pickled_use use);

static bool take_items(hashing *h, pickled_items items, size_t skipped, take_child *take) {
    const unpickled *u = &h->saved.values;
    uint32_t at = items.first;
    for (size_t i = 0; i < items.count; i++) {
        pickled_use use = (pickled_use)u->links[at].use;
        uint32_t value = unpickled_next(u, &at);
        TRY(i < skipped || take(h, value, use));
    }
    return items.attributes == 0 || take(h, items.attributes - 1, PICKLED_STATE);
}

/* Where the tensor that the function makes has elements, it stands for the arguments. */
static bool take_subclass(hashing *h, uint32_t value, const unpickled_subclass *parts,
                          take_child *take) {
    enum { OWN = 3 };
    const unpickled *u = &h->saved.values;
    bool made = parts->base != PICKLED_NOTHING &&
                u->tensors[unpickled_at(u, parts->base)->is.position].form != PICKLED_WRAPPER;
    return take(h, parts->class, PICKLED_CALLED) && take(h, parts->function, PICKLED_PART) &&
           take(h, made ? parts->base : parts->arguments, PICKLED_PART) &&
           take(h, parts->state, PICKLED_STATE) &&
           take_items(h, unpickled_items(u, value), OWN, take);
}

static bool take_attributes(hashing *h, const pickled_tensor *t, take_child *take) {
    return (t->hooks == PICKLED_NOTHING || take(h, t->hooks, PICKLED_PART)) &&
           (t->state == PICKLED_NOTHING || take(h, t->state, PICKLED_STATE));
}

/* The values that a value is made of. */
static bool take_children(hashing *h, uint32_t value, take_child *take) {
    const unpickled *u = &h->saved.values;
    const pickled_value *v = unpickled_at(u, value);
    unpickled_subclass parts;
    if (v->kind == PICKLED_TENSOR) {
        const pickled_tensor *t = &u->tensors[v->is.position];
        return (t->form != PICKLED_SPARSE ||
                (take(h, t->layout, PICKLED_PART) && take(h, t->parts, PICKLED_PART))) &&
               take_attributes(h, t, take);
    }
    return unpickled_inner(u, value, &parts) ? take_subclass(h, value, &parts, take)
                                             : take_items(h, unpickled_items(u, value), 0, take);
}

/* ---------------------------------------------------------------------------------- texts */

static void put_word(hashing *h, const char *word) {
    buffer_text(&h->text, word);
    buffer_byte(&h->text, ' ');
}

static void put_numbers(hashing *h, size_t first, size_t rank) {
    buffer_byte(&h->text, '(');
    for (size_t i = 0; i < rank; i++) {
        buffer_text(&h->text, i == 0 ? "" : ",");
        buffer_number(&h->text, tensors_numbers(&h->tensors, first)[i]);
    }
    buffer_text(&h->text, ") ");
}

/* True, for what comes after reading. */
static bool put_finished(hashing *h) {
    raw_hash hash;
    digest_finish_raw(&h->sha, hash);
    digest_put_hex(&h->text, hash);
    return true;
}

static bool put_elements(hashing *h, const tensor_row *row) {
    elements e = {.archive = h->of->archive,
                  .tensors = &h->tensors,
                  .row = row,
                  .limit = h->of->limit,
                  .holding = &h->holding};
    const char *why = elements_fault(&h->tensors, row);
    return (why == NULL || elements_refuse(row, h->member->name, why, h->what)) &&
           elements_take(&h->tensors, row, h->of->room, h->what) &&
           elements_read(&e, (zipfile_taker){digest_take, &h->sha}, h->what) && put_finished(h);
}

static bool put_tensor(hashing *h, const pickled_value *v) {
    static const char *const words[] = {[TENSOR_STRIDED] = "tensor",
                                        [TENSOR_META] = "meta",
                                        [TENSOR_SPARSE] = "sparse",
                                        [TENSOR_OBJECT] = "wrapper"};
    const tensor_row *row = &h->tensors.rows[v->is.position];
    put_word(h, words[row->form]);
    put_word(h, row->is_parameter ? "parameter" : "-");
    put_word(h, row->requires_grad ? "gradient" : "-");
    if (row->form == TENSOR_SPARSE) {
        return true;
    }
    put_word(h, row->dtype == NULL ? "-" : row->dtype->name);
    put_numbers(h, row->sizes, row->rank);
    put_numbers(h, row->strides, row->rank);
    digest_put_sized(&h->text, tensors_text(&h->tensors, row->device));
    buffer_byte(&h->text, ' ');
    return row->form != TENSOR_STRIDED || put_elements(h, row);
}

static bool put_storage(hashing *h, const pickled_value *v) {
    const pickled_storage *s = &h->saved.values.storages[v->is.position];
    const zipfile_member *m = saved_storage(&h->saved, s->key);
    if (m == NULL) {
        return refuse_named(h->what, EP_ARCHIVE_BYTES, h->member->name,
                            "its pickle names a storage that is not there");
    }
    put_word(h, h->saved.big_endian ? "turned storage" : "storage");
    put_word(h, s->dtype == NULL ? "-" : s->dtype->name);
    digest_put_sized(&h->text, s->location);
    buffer_byte(&h->text, ' ');
    if (m->size > *h->of->room) {
        return refuse_plainly(h->what, EP_LIMIT_BYTES);
    }
    *h->of->room -= m->size;
    return saved_read(&h->saved, m, (zipfile_taker){digest_take, &h->sha}, h->what) &&
           put_finished(h);
}

/* What a value has beside others. */
static bool put_own(hashing *h, uint32_t value) {
    static const char *const words[] = {
        [PICKLED_NONE] = "none",     [PICKLED_BOOL] = "bool",    [PICKLED_INT] = "int",
        [PICKLED_LONG] = "long",     [PICKLED_FLOAT] = "float",  [PICKLED_TEXT] = "text",
        [PICKLED_BYTES] = "bytes",   [PICKLED_LIST] = "list",    [PICKLED_TUPLE] = "tuple",
        [PICKLED_DICT] = "dict",     [PICKLED_SET] = "set",      [PICKLED_SIZE] = "size",
        [PICKLED_LAYOUT] = "layout", [PICKLED_DTYPE] = "global", [PICKLED_GLOBAL] = "global",
        [PICKLED_STORAGE] = NULL,    [PICKLED_TENSOR] = NULL,    [PICKLED_OBJECT] = "object"};
    const unpickled *u = &h->saved.values;
    const pickled_value *v = unpickled_at(u, value);
    if (words[v->kind] == NULL) {
        return v->kind == PICKLED_TENSOR ? put_tensor(h, v) : put_storage(h, v);
    }
    put_word(h, words[v->kind]);
    buffer_text(&h->text, v->variant ? "other " : "");
    if (v->kind == PICKLED_BOOL) {
        buffer_number(&h->text, v->is.truth ? 1 : 0);
    } else if (v->kind == PICKLED_INT) {
        buffer_number(&h->text, v->is.integer);
    } else if (v->kind == PICKLED_GLOBAL || v->kind == PICKLED_DTYPE) {
        digest_put_sized(&h->text, unpickled_text(u, v->is.global.module));
        digest_put_sized(&h->text, unpickled_text(u, v->is.global.name));
    } else if (v->kind == PICKLED_LONG || v->kind == PICKLED_FLOAT || v->kind == PICKLED_TEXT ||
               v->kind == PICKLED_BYTES || v->kind == PICKLED_LAYOUT) {
        digest_put_sized(&h->text, v->is.text);
    }
    return true;
}

/* --------------------------------------------------------------------------------- hashes */

static bool put_child(hashing *h, uint32_t value, pickled_use use) {
    static const char letters[] = {
        [PICKLED_PART] = ' ',    [PICKLED_CALLED] = 'c', [PICKLED_NEW] = 'n',
        [PICKLED_STARTED] = 'o', [PICKLED_STATE] = 's',  [PICKLED_APPENDED] = 'a',
        [PICKLED_PAIRED] = 'p',  [PICKLED_ADDED] = 'e'};
    buffer_byte(&h->text, letters[use]);
    digest_put_hex(&h->text, h->hashes[value]);
    return true;
}

/* Sets have no order, and a pickle has one that another process changes. */
static bool put_set(hashing *h, pickled_items items) {
    const unpickled *u = &h->saved.values;
    name_list sorted = {0};
    uint32_t at = items.first;
    for (size_t i = 0; i < items.count; i++) {
        const char *hash = (const char *)h->hashes[unpickled_next(u, &at)];
        names_add(&sorted, (name_item){.name = {hash, DIGEST_RAW_SIZE}});
    }
    names_sort(&sorted);
    for (size_t i = 0; i < sorted.count; i++) {
        buffer_byte(&h->text, ' ');
        digest_put_hex(&h->text, (const unsigned char *)sorted.items[i].name.data);
    }
    bool ok = !sorted.failed || refuse_plainly(h->what, EP_MEMORY);
    names_free(&sorted);
    return ok;
}

/* The values of a dict by its keys. Where one is set twice, the later one stays. */
static bool put_dict(hashing *h, pickled_items items) {
    const unpickled *u = &h->saved.values;
    name_list sorted = {0};
    uint32_t at = items.first;
    for (size_t i = 0; i + 1 < items.count; i += 2) {
        ep_bytes key = unpickled_text(u, unpickled_next(u, &at));
        names_add(&sorted, (name_item){.name = key, .count = unpickled_next(u, &at)});
    }
    names_sort(&sorted);
    for (size_t i = 0; i < sorted.count; i++) {
        const name_item *item = &sorted.items[i];
        if (i + 1 == sorted.count || bytes_compare(item->name, item[1].name) != 0) {
            digest_put_sized(&h->text, item->name);
            put_child(h, (uint32_t)item->count, PICKLED_PART);
        }
    }
    bool ok = !sorted.failed || refuse_plainly(h->what, EP_MEMORY);
    names_free(&sorted);
    return ok;
}

/* A dict of texts has no order to Python's ==, and attributes get another when they are loaded.
 * Other keys can be equal and not the same, such as 1 and True. */
static bool is_by_name(const hashing *h, const pickled_value *v) {
    const unpickled *u = &h->saved.values;
    uint32_t at = v->is.items.first;
    if (v->kind != PICKLED_DICT || v->variant || v->is.items.count % 2 != 0) {
        return false;
    }
    for (size_t i = 0; i < v->is.items.count; i += 2) {
        TRY(unpickled_at(u, unpickled_next(u, &at))->kind == PICKLED_TEXT);
        unpickled_next(u, &at);
    }
    return true;
}

static bool put_children(hashing *h, uint32_t value) {
    const pickled_value *v = unpickled_at(&h->saved.values, value);
    if (v->kind == PICKLED_SET) {
        return put_set(h, v->is.items);
    }
    if (is_by_name(h, v)) {
        buffer_text(&h->text, "by name ");
        return put_dict(h, v->is.items);
    }
    return take_children(h, value, put_child);
}

static bool hash_text(hashing *h, unsigned char *hash) {
    if (h->text.failed) {
        return refuse_plainly(h->what, EP_MEMORY);
    }
    digest_add(&h->sha, buffer_bytes(&h->text));
    digest_finish_raw(&h->sha, hash);
    return true;
}

static bool finish_value(hashing *h, uint32_t value) {
    buffer_clear(&h->text);
    h->states[value] = DONE;
    return put_own(h, value) && put_children(h, value) && hash_text(h, h->hashes[value]);
}

static bool push_child(hashing *h, uint32_t value, pickled_use use) {
    (void)use;
    h->is_endless = h->is_endless || h->states[value] == BEGUN;
    if (h->states[value] != UNSEEN) {
        return true;
    }
    if (!memory_room(&h->stack, h->depth, &h->room_of_stack, sizeof *h->stack)) {
        return refuse_plainly(h->what, EP_MEMORY);
    }
    h->stack[h->depth++] = value;
    return true;
}

/* Those in a value come before it. */
static bool hash_value(hashing *h, uint32_t value) {
    h->depth = 0;
    bool ok = push_child(h, value, PICKLED_PART);
    while (ok && h->depth > 0 && !h->is_endless) {
        uint32_t top = h->stack[h->depth - 1];
        if (h->states[top] == UNSEEN) {
            h->states[top] = BEGUN;
            ok = take_children(h, top, push_child);
            continue;
        }
        h->depth--;
        ok = h->states[top] == DONE || finish_value(h, top);
    }
    return ok;
}

/* -------------------------------------------------------------------------------- members */

static void close_member(hashing *h) {
    if (h->member != NULL) {
        tensors_free(&h->tensors);
        holding_free(&h->holding);
        saved_close(&h->saved);
        memory_free(h->hashes);
        memory_free(h->states);
        h->hashes = NULL;
        h->states = NULL;
        h->member = NULL;
    }
}

static bool read_values(hashing *h) {
    tensors_wish wish = {.limit = h->of->limit};
    tensors_reading r = {.a = h->of->archive,
                         .wish = &wish,
                         .t = &h->tensors,
                         .what = h->what,
                         .part = TENSOR_INPUTS};
    size_t count = h->saved.values.value_count;
    h->hashes = memory_resize(NULL, count * sizeof *h->hashes);
    h->states = memory_zeros(count, sizeof *h->states);
    if (h->hashes == NULL || h->states == NULL) {
        return refuse_plainly(h->what, EP_MEMORY);
    }
    return tensors_read_values(&r, h->member, &h->saved);
}

static bool open_member(hashing *h, const zipfile_member *m) {
    if (h->member == m) {
        return true;
    }
    close_member(h);
    h->member = m;
    h->is_endless = false;
    h->has_bytes = false;
    h->is_pickle = saved_open(&h->of->archive->zip, m, h->of->limit, &h->saved, h->what);
    if (h->is_pickle) {
        return read_values(h);
    }
    bool ok = saved_is_refused(h->what);
    *h->what = ok ? (failure){.status = STATUS_DONE} : *h->what;
    return ok;
}

static bool hash_bytes(hashing *h, unsigned char *hash) {
    const zipfile_member *m = h->member;
    if (!h->has_bytes) {
        buffer_clear(&h->text);
        put_word(h, "member");
        h->has_bytes = zipfile_read(&h->of->archive->zip, m, m->size,
                                    (zipfile_taker){digest_take, &h->sha}, h->what) &&
                       put_finished(h) && hash_text(h, h->bytes);
    }
    memcpy(hash, h->bytes, sizeof h->bytes);
    return h->has_bytes;
}

/* What a plain tensor has beside its elements. */
static bool hash_attributes(hashing *h, uint32_t value, unsigned char *hash) {
    const unpickled *u = &h->saved.values;
    const pickled_tensor *t = &u->tensors[unpickled_at(u, value)->is.position];
    bool ok = (t->hooks == PICKLED_NOTHING || hash_value(h, t->hooks)) &&
              (t->state == PICKLED_NOTHING || hash_value(h, t->state));
    buffer_clear(&h->text);
    put_word(h, "attributes");
    return ok && (h->is_endless || (take_attributes(h, t, put_child) && hash_text(h, hash)));
}

static bool hash_known(hashing *h, uint32_t value, bool attributes, unsigned char *hash) {
    if (attributes) {
        return hash_attributes(h, value, hash);
    }
    bool ok = hash_value(h, value);
    memcpy(hash, h->hashes[value], DIGEST_RAW_SIZE);
    return ok;
}

/* row: NULL: of the whole of a member. */
static bool hash_in(hashing *h, const zipfile_member *m, const tensor_row *row,
                    unsigned char *hash) {
    TRY(open_member(h, m));
    bool known = row != NULL && (row->form == TENSOR_STRIDED || row->form == TENSOR_META);
    uint32_t value = row != NULL ? row->value : h->saved.values.root;
    bool tried = h->is_pickle && !h->is_endless;
    TRY(!tried || hash_known(h, value, known && !row->is_subclass, hash));
    return (tried && !h->is_endless) || hash_bytes(h, hash);
}

static void close_hashing(hashing *h) {
    close_member(h);
    memory_free(h->stack);
    buffer_free(&h->text);
}

/* ----------------------------------------------------------------------------------- rows */

bool values_wanted(const tensor_row *row) {
    bool known = row->form == TENSOR_STRIDED || row->form == TENSOR_META;
    return row->part != TENSOR_INPUTS && !row->is_inner &&
           (!known || row->is_subclass || row->has_attributes) &&
           (row->pickle != NULL || row->storage != TENSORS_NONE);
}

static bool hash_row(hashing *h, const tensor_row *row, unsigned char *hash) {
    return row->pickle != NULL
               ? hash_in(h, row->pickle, row, hash)
               : hash_in(h, h->of->tensors->storages[row->storage].member, NULL, hash);
}

bool values_hash(values_of *v, buffer *hashes, failure *what) {
    hashing h = {.of = v, .what = what};
    const tensors *t = v->tensors;
    bool ok = true;
    digest_begin(&h.sha);
    for (size_t i = 0; ok && i < t->row_count; i++) {
        raw_hash hash = {0};
        ok = !values_wanted(&t->rows[i]) || hash_row(&h, &t->rows[i], hash);
        v->blamed = ok ? v->blamed : tensors_text(t, t->rows[i].name);
        buffer_put(hashes, (const char *)hash, sizeof hash);
    }
    close_hashing(&h);
    return ok && (!hashes->failed || refuse_plainly(what, EP_MEMORY));
}

bool values_hash_member(const values_of *v, const zipfile_member *m, unsigned char *hash,
                        failure *what) {
    hashing h = {.of = v, .what = what};
    digest_begin(&h.sha);
    bool ok = hash_in(&h, m, NULL, hash);
    close_hashing(&h);
    return ok;
}
