/*
 * storages.c - see storages.h. The tensors of raw members are those of payload configs, the
 * others those of pickles.
 */
#include "storages.h"

#include <string.h>

#include "archive/state/saved.h"
#include "common/refusal.h"

/* "76 of 80 bytes of data/0" */
static bool tell(const members_ear *ear, const zipfile_member *m, const ep_finding *kind,
                 buffer *text) {
    ep_finding finding = *kind;
    finding.text = buffer_bytes(text);
    bool ok = !text->failed || refuse_plainly(ear->what, EP_MEMORY);
    if (ok) {
        ear->hear(ear->context, m->name, &finding);
    }
    buffer_free(text);
    return ok;
}

/* SPEC 9.6.13. inner: the member of an archive in the member; or none. */
static bool tell_hidden(const members_ear *ear, const zipfile_member *m, ep_bytes inner,
                        const views_told *told, uint64_t size) {
    ep_finding kind = {.id = EP_AUDIT_HIDDEN,
                       .why = told->named ? "they lie in its storage beside what the tensors are"
                                          : "its pickle does not name them"};
    buffer text = {0};
    buffer_number(&text, (int64_t)told->hidden);
    buffer_text(&text, " of ");
    buffer_number(&text, (int64_t)size);
    buffer_text(&text, " bytes");
    if (inner.size > 0) {
        buffer_text(&text, " of ");
        buffer_put(&text, inner.data, inner.size);
    }
    return tell(ear, m, &kind, &text);
}

/* ------------------------------------------------------------------------------------- raw */

void storages_add_raw(views *v, ep_bytes member, const payload *p) {
    static const char meta[] = "meta";
    payload_tensor said;
    buffer device = {0};
    ep_arena arena;
    if (ep_value_kind(p->meta) == EP_KIND_NULL || payload_tensor_of(p->meta, &said) != NULL) {
        return;
    }
    arena_open(&arena, 0);
    payload_put_device(&device, ep_value_field(p->meta, "device"), &arena);
    views_tensor tensor = {.sizes = said.sizes,
                           .strides = said.strides,
                           .rank = said.rank,
                           .offset = (uint64_t)said.offset,
                           .item = said.dtype->size,
                           .is_meta = bytes_equal(buffer_bytes(&device), meta)};
    views_add(v, member, &tensor);
    v->failed = v->failed || device.failed;
    ep_arena_free(&arena);
    buffer_free(&device);
}

/* SPEC 9.6.14 */
static bool tell_zeros(const members_ear *ear, const zipfile_member *m, const views_told *told) {
    ep_finding kind = {.id = EP_AUDIT_ZEROS, .why = "the loader makes them of nothing"};
    buffer text = {0};
    buffer_number(&text, (int64_t)(told->wanted > INT64_MAX ? INT64_MAX : told->wanted));
    buffer_text(&text, " bytes");
    return tell(ear, m, &kind, &text);
}

bool storages_tell_raw(const views *v, ep_bytes name, const zipfile_member *m,
                       const members_ear *ear) {
    views_told told = views_of(v, name, m->size);
    if (m->size == 0 && told.wanted > 0) {
        return tell_zeros(ear, m, &told);
    }
    return !told.named || told.hidden == 0 ||
           tell_hidden(ear, m, (ep_bytes){"", 0}, &told, m->size);
}

/* --------------------------------------------------------------------------------- pickled */

static void add_pickled(views *v, const unpickled *u) {
    for (size_t i = 0; i < u->tensor_count; i++) {
        const pickled_tensor *t = &u->tensors[i];
        int64_t sizes[PICKLED_RANK_MAX];
        int64_t strides[PICKLED_RANK_MAX];
        if (t->form != PICKLED_STRIDED) {
            continue;
        }
        views_tensor tensor = {.sizes = sizes,
                               .strides = strides,
                               .rank = unpickled_numbers(u, t->sizes, sizes),
                               .offset = t->offset,
                               .item = t->dtype->size};
        unpickled_numbers(u, t->strides, strides);
        views_add(v, u->storages[t->storage].key, &tensor);
    }
}

/* A member whose archive is open. */
typedef struct pickled {
    saved saved;
    views views;
    name_list keys; /* of the storages that the pickle names */
    const zipfile_member *member;
    const members_ear *ear;
} pickled;

/* What torch.save writes beside the pickle and the storages. */
static bool is_frame(ep_bytes inner) {
    return bytes_equal(inner, "data.pkl") || bytes_equal(inner, "version") ||
           bytes_equal(inner, "byteorder") || bytes_start(inner, ".data/") ||
           bytes_equal(inner, ".format_version") || bytes_equal(inner, ".storage_alignment");
}

static bool audit_inner(const pickled *p, const zipfile_member *m) {
    const char *slash = memchr(m->name.data, '/', m->name.size); /* saved_open saw to it */
    size_t root = (size_t)(slash - m->name.data) + 1;
    ep_bytes inner = {m->name.data + root, m->name.size - root};
    ep_bytes key = bytes_start(inner, "data/") ? (ep_bytes){inner.data + 5, inner.size - 5} : inner;
    views_told told = views_of(&p->views, key, m->size);
    if (is_frame(inner)) {
        return true;
    }
    if (!told.named && names_find(&p->keys, key) != NULL) { /* of what is no plain tensor */
        return true;
    }
    told.hidden = told.named ? told.hidden : m->size;
    return told.hidden == 0 || tell_hidden(p->ear, p->member, inner, &told, m->size);
}

static bool audit_all(pickled *p) {
    const unpickled *u = &p->saved.values;
    add_pickled(&p->views, u);
    for (size_t i = 0; i < u->storage_count; i++) {
        names_add(&p->keys, (name_item){.name = u->storages[i].key});
    }
    names_sort(&p->keys);
    if (!views_close(&p->views) || p->keys.failed) {
        return refuse_plainly(p->ear->what, EP_MEMORY);
    }
    for (size_t i = 0; i < p->saved.zip.count; i++) {
        TRY(audit_inner(p, &p->saved.zip.members[i]));
    }
    return true;
}

bool storages_audit_saved(const zipfile *zip, const zipfile_member *m, const members_ear *ear) {
    pickled p = {.member = m, .ear = ear};
    failure *what = ear->what;
    bool ok = true;
    if (saved_open(zip, m, *ear->left, &p.saved, what)) {
        ok = audit_all(&p);
    } else {
        ok = what->reason == NULL && what->error.code != EP_MEMORY;
        *what = ok ? (failure){0} : *what;
    }
    saved_close(&p.saved);
    views_free(&p.views);
    names_free(&p.keys);
    return ok;
}
