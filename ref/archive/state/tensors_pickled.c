/*
 * tensors_pickled.c - the tensors in an archive of torch.save: those of a dict by their
 * names, those of sample inputs as they come.
 */
#include "tensors_parts.h"

#include "agree.h"
#include "archive/pickle/inner.h"
#include "common/memory.h"
#include "common/refusal.h"

/* A member whose archive is open. */
typedef struct pickled_part {
    tensors_reading *r;
    const zipfile_member *member;
    saved *saved;
    size_t *storages; /* of each member of it, the storage that it is, or TENSORS_NONE */
    size_t *numbers;  /* of each value, where its numbers are in the list, or TENSORS_NONE */
    inner inner;
    size_t outer; /* the row whose inner tensors are listed */
} pickled_part;

static bool refuse(const pickled_part *p, ep_code code, const char *why) {
    return tensors_refuse(p->r, code, p->member, why);
}

/* The storage that a pickle names by its key, told once. */
static bool find_storage(pickled_part *p, const pickled_storage *said, size_t *number) {
    const zipfile_member *m = saved_storage(p->saved, said->key);
    if (m == NULL) {
        return refuse(p, EP_ARCHIVE_BYTES, "its pickle names a storage that is not there");
    }
    size_t *known = &p->storages[m - p->saved->zip.members];
    if (*known == TENSORS_NONE) {
        tensor_storage s = {.member = p->member,
                            .key = tensors_keep(p->r->t, said->key),
                            .place = p->member->place + m->place,
                            .size = m->size,
                            .is_stored = m->method == ZIPFILE_STORED,
                            .big_endian = p->saved->big_endian};
        TRY(tensors_add_storage(p->r, s, known));
    }
    *number = *known;
    return true;
}

/* The numbers of a tuple, which are put into the list once. */
static bool add_numbers(pickled_part *p, uint32_t tuple, size_t *rank, size_t *first) {
    int64_t numbers[PICKLED_RANK_MAX];
    size_t *known = &p->numbers[tuple];
    *rank = unpickled_numbers(&p->saved->values, tuple, numbers);
    TRY(*known != TENSORS_NONE || tensors_add_numbers(p->r, numbers, *rank, known));
    *first = *known;
    return true;
}

/* What is known of a tensor, or of what one of a class shows itself as. */
static bool describe(pickled_part *p, const pickled_tensor *said, tensor_row *described) {
    static const tensor_form forms[] = {[PICKLED_STRIDED] = TENSOR_STRIDED,
                                        [PICKLED_META] = TENSOR_META,
                                        [PICKLED_SPARSE] = TENSOR_SPARSE,
                                        [PICKLED_WRAPPER] = TENSOR_OBJECT};
    tensor_row row = {.form = forms[said->form],
                      .dtype = said->dtype,
                      .offset = said->offset,
                      .storage = TENSORS_NONE,
                      .is_pickled = true,
                      .requires_grad = said->requires_grad,
                      .is_parameter = said->is_parameter,
                      .is_conjugate = said->conjugate,
                      .is_negative = said->negative};
    if (said->form != PICKLED_SPARSE && !(add_numbers(p, said->sizes, &row.rank, &row.sizes) &&
                                          add_numbers(p, said->strides, &row.rank, &row.strides))) {
        return false;
    }
    TRY(said->form != PICKLED_STRIDED ||
        find_storage(p, &p->saved->values.storages[said->storage], &row.storage));
    row.device = tensors_keep(p->r->t, said->form == PICKLED_STRIDED
                                           ? p->saved->values.storages[said->storage].location
                                       : said->form == PICKLED_META ? bytes_of("meta")
                                                                    : (ep_bytes){"", 0});
    *described = row;
    return true;
}

static bool add_tensor(pickled_part *p, ep_bytes name, const pickled_tensor *said) {
    tensor_row row;
    return describe(p, said, &row) && tensors_add(p->r, name, row);
}

/* The class of an object, if it is known. */
static tensor_text keep_class(tensors *t, const unpickled *u, uint32_t value) {
    ep_bytes module;
    ep_bytes class;
    if (!unpickled_name(u, value, &module, &class)) {
        return (tensor_text){0, 0};
    }
    tensor_text kept = tensors_keep(t, module);
    buffer_byte(&t->texts, '.');
    tensors_keep(t, class);
    kept.size += 1 + class.size;
    return t->texts.failed ? (tensor_text){0, 0} : kept;
}

/* storage: of an object, the member that it is, or none. */
static bool add_object(pickled_part *p, ep_bytes name, uint32_t value, size_t storage) {
    const unpickled *u = &p->saved->values;
    tensor_row row = {.form = TENSOR_OBJECT, .storage = storage, .is_pickled = true};
    unpickled_subclass parts;
    bool subclass = unpickled_inner(u, value, &parts);
    TRY(!subclass || parts.base == PICKLED_NOTHING ||
        describe(p, &u->tensors[unpickled_at(u, parts.base)->is.position], &row));
    row.is_subclass = subclass;
    row.storage = row.form == TENSOR_OBJECT ? storage : row.storage;
    if (unpickled_at(u, value)->kind == PICKLED_OBJECT) { /* a class is no object of it */
        row.class = keep_class(p->r->t, u, value);
        row.is_fake = tensors_is_stand_in(tensors_text(p->r->t, row.class));
    }
    return tensors_add(p->r, name, row);
}

static bool add_one(pickled_part *p, ep_bytes name, uint32_t value, size_t storage) {
    const unpickled *u = &p->saved->values;
    const pickled_value *v = unpickled_at(u, value);
    bool tensor = v->kind == PICKLED_TENSOR;
    bool ok = tensor ? add_tensor(p, name, &u->tensors[v->is.position])
                     : add_object(p, name, value, storage);
    if (ok) {
        tensor_row *row = &p->r->t->rows[p->r->t->row_count - 1];
        row->pickle = p->member;
        row->value = value;
        row->has_attributes = tensor && (u->tensors[v->is.position].state != PICKLED_NOTHING ||
                                         u->tensors[v->is.position].hooks != PICKLED_NOTHING);
    }
    return ok;
}

/* An inner_take. */
static bool add_inner(void *context, ep_bytes name, uint32_t value) {
    pickled_part *p = context;
    TRY(add_one(p, name, value, TENSORS_NONE));
    tensor_row *row = &p->r->t->rows[p->r->t->row_count - 1];
    row->is_inner = true;
    row->outer = p->outer;
    row->role = p->r->t->rows[p->outer].role;
    return true;
}

/* A tensor of the state, or an object, and the tensors inside of it. */
static bool add_value(pickled_part *p, ep_bytes name, uint32_t value, size_t storage) {
    bool judged = p->r->wish->read != NULL;
    p->outer = p->r->t->row_count;
    if (!add_one(p, name, value, storage) || judged || p->r->part == TENSOR_INPUTS) {
        return p->r->t->row_count > p->outer;
    }
    if (p->r->t->rows[p->outer].form == TENSOR_OBJECT &&
        !p->r->t->rows[p->outer].is_subclass) { /* nothing of it is a tensor of the state */
        return true;
    }
    inner_result result = inner_walk(&p->inner, value, name);
    return result == INNER_LIMIT    ? tensors_refuse(p->r, EP_LIMIT_BYTES, p->member,
                                                     "the names of the tensors in it are too long")
           : result == INNER_MEMORY ? tensors_refuse_memory(p->r)
                                    : result == INNER_DONE;
}

/* --------------------------------------------------------------------- state, constants */

static bool check_names(pickled_part *p, pickled_items items) {
    name_list names = {0};
    bool ok = true;
    uint32_t at = items.first;
    for (uint32_t i = 0; i < items.count; i += 2) {
        uint32_t key = unpickled_next(&p->saved->values, &at);
        unpickled_next(&p->saved->values, &at);
        ok = ok && unpickled_at(&p->saved->values, key)->kind == PICKLED_TEXT;
        names_add(&names, (name_item){.name = unpickled_text(&p->saved->values, key)});
    }
    names_sort(&names);
    if (names.failed) {
        ok = tensors_refuse_memory(p->r);
    } else if (!ok) {
        ok = refuse(p, EP_ARCHIVE_PICKLE, "a key of its dict is no text");
    }
    for (size_t i = 1; ok && i < names.count; i++) {
        if (bytes_compare(names.items[i - 1].name, names.items[i].name) == 0) {
            ok = refuse(p, EP_ARCHIVE_PICKLE, "its dict has two entries of one name");
        }
    }
    names_free(&names);
    return ok;
}

static bool add_dict(pickled_part *p) {
    const unpickled *u = &p->saved->values;
    pickled_items items = unpickled_items(u, u->root);
    uint32_t at = items.first;
    if (unpickled_at(u, u->root)->kind != PICKLED_DICT) {
        return refuse(p, EP_ARCHIVE_PICKLE, "its pickle is no dict");
    }
    TRY(check_names(p, items));
    for (uint32_t i = 0; i < items.count; i += 2) {
        ep_bytes name = unpickled_text(u, unpickled_next(u, &at));
        TRY(add_value(p, name, unpickled_next(u, &at), TENSORS_NONE));
    }
    return true;
}

/* ------------------------------------------------------------------------ sample inputs */

/* Items that are still to be gone through. */
typedef struct frame {
    uint32_t link;
    uint32_t left;
} frame;

/* A walk over all values that a value holds, each once. */
typedef struct walk {
    pickled_part *p;
    frame *frames; /* no more than there are values */
    size_t depth;
    bool *seen;
    size_t found; /* tensors */
} walk;

static bool visit(walk *w, uint32_t value) {
    const unpickled *u = &w->p->saved->values;
    buffer name = {0};
    if (w->seen[value]) {
        return true;
    }
    w->seen[value] = true;
    pickled_items items = unpickled_items(u, value);
    if (items.count > 0) {
        w->frames[w->depth++] = (frame){items.first, items.count};
    }
    if (unpickled_at(u, value)->kind != PICKLED_TENSOR) {
        return true;
    }
    buffer_number(&name, (int64_t)w->found++);
    bool ok = name.failed ? tensors_refuse_memory(w->p->r)
                          : add_one(w->p, buffer_bytes(&name), value, TENSORS_NONE);
    buffer_free(&name);
    return ok;
}

static bool walk_all(walk *w) {
    const unpickled *u = &w->p->saved->values;
    bool ok = visit(w, u->root);
    while (ok && w->depth > 0) {
        frame *top = &w->frames[w->depth - 1];
        if (top->left == 0) {
            w->depth--;
            continue;
        }
        top->left--;
        ok = visit(w, unpickled_next(u, &top->link));
    }
    return ok;
}

static bool add_inputs(pickled_part *p) {
    walk w = {.p = p};
    size_t count = p->saved->values.value_count;
    w.frames = memory_resize(NULL, count * sizeof *w.frames);
    w.seen = memory_zeros(count, sizeof *w.seen);
    bool ok = w.frames != NULL && w.seen != NULL ? walk_all(&w) : tensors_refuse_memory(p->r);
    memory_free(w.frames);
    memory_free(w.seen);
    return ok;
}

/* ------------------------------------------------------------------------------ archive */

static bool reserve_places(pickled_part *p) {
    p->storages = tensors_make_places(p->saved->zip.count);
    p->numbers = tensors_make_places(p->saved->values.value_count);
    bool ok = inner_open(&p->inner, &p->saved->values, p->saved->pickle.size);
    p->inner.take = add_inner;
    p->inner.context = p;
    return (ok && p->storages != NULL && p->numbers != NULL) || tensors_refuse_memory(p->r);
}

static void free_places(pickled_part *p) {
    memory_free(p->storages);
    memory_free(p->numbers);
    inner_close(&p->inner);
}

static void close_part(pickled_part *p) {
    free_places(p);
    saved_close(p->saved);
}

/* What a state, constants or sample inputs hold, and then whether they may. */
static bool read_part(pickled_part *p) {
    tensors_reading *r = p->r;
    size_t from = r->t->row_count;
    bool judged = r->wish->read != NULL;
    TRY(!judged || agree_pickle(r, p->member, p->saved));
    bool inputs = r->part == TENSOR_INPUTS;
    const unpickled *u = &p->saved->values;
    TRY(inputs ? add_inputs(p) : add_dict(p));
    return !judged ||
           ((inputs ? agree_inputs(r, p->member, u, from) : agree_rows(r, p->member, from)) &&
            agree_all_fit(r, p->member, u));
}

bool tensors_read_pickle(tensors_reading *r, const zipfile_member *m) {
    saved s;
    pickled_part p = {.r = r, .member = m, .saved = &s};
    r->t->blamed = m;
    tensors_mark_read(r, m);
    if (m->size == 0) { /* loaders take it for an empty dict */
        return true;
    }
    bool ok = saved_open(&r->a->zip, m, r->wish->limit, &s, r->what) && reserve_places(&p) &&
              read_part(&p);
    close_part(&p);
    return ok;
}

/* An opaque object is one bare pickle, of which nothing is told. */
static bool read_opaque(tensors_reading *r, const zipfile_member *m) {
    unpickled values = {0};
    buffer content = {0};
    bool ok = tensors_load(r, m, &content);
    if (ok && !unpickle(buffer_bytes(&content), &values)) {
        ok = values.why == NULL ? tensors_refuse_memory(r)
                                : tensors_refuse(r, EP_ARCHIVE_PICKLE, m, values.why);
    }
    unpickled_free(&values);
    buffer_free(&content);
    return ok;
}

bool tensors_read_object(tensors_reading *r, const zipfile_member *m, const payload *said,
                         size_t storage) {
    saved s;
    pickled_part p = {.r = r, .member = m, .saved = &s};
    tensor_row unknown = {.form = TENSOR_OBJECT, .storage = storage, .is_pickled = true};
    bool judged = r->wish->read != NULL;
    r->t->blamed = m;
    if (judged && bytes_start(said->path, "opaque_obj_")) {
        return read_opaque(r, m) && tensors_add(r, said->name, unknown);
    }
    if (!judged && r->first[m - r->a->zip.members] != r->t->row_count) { /* refused by 8.3.2 */
        return tensors_add(r, said->name, unknown);
    }
    bool ok = saved_open(&r->a->zip, m, r->wish->limit, &s, r->what);
    if (ok) {
        ok = (!judged || agree_pickle(r, m, &s)) && reserve_places(&p) &&
             add_value(&p, said->name, s.values.root, storage) &&
             (!judged || agree_all_fit(r, m, &s.values));
    } else if (!judged && saved_is_refused(r->what)) {
        *r->what = (failure){0};
        ok = tensors_add(r, said->name, unknown);
    }
    close_part(&p);
    return ok;
}

bool tensors_read_values(tensors_reading *r, const zipfile_member *m, saved *s) {
    pickled_part p = {.r = r, .member = m, .saved = s};
    bool ok = reserve_places(&p);
    for (size_t i = 0; ok && i < s->values.tensor_count; i++) {
        ok = add_tensor(&p, (ep_bytes){"", 0}, &s->values.tensors[i]);
    }
    free_places(&p);
    return ok;
}
