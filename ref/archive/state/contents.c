/*
 * contents.c - see contents.h.
 */
#include "contents.h"

#include <string.h>

#include "common/refusal.h"
#include "member_hash.h"
#include "program_digest.h"
#include "values.h"

/* ------------------------------------------------------------------------------- members */

/* The name of an extra file without its folder; false for another member. */
static bool is_extra(const archive *a, ep_bytes name, ep_bytes *extra) {
    const char *folder = a->root.size == 0 ? "extra_files/" : "extra/";
    ep_bytes inner = {name.data + a->root.size, name.size - a->root.size};
    size_t size = strlen(folder);
    *extra = (ep_bytes){inner.data + size, inner.size - size};
    return inner.size > size && bytes_start(inner, folder) && !bytes_end(inner, "/");
}

/* Where the tensors of programs are. A package has none. */
static bool is_state(const archive *a, ep_bytes name) {
    static const char *const starts[] = {"data/weights/", "data/constants/",
                                         "serialized_state_dict.", "serialized_constants."};
    for (size_t i = 0; a->program != NULL && i < sizeof starts / sizeof starts[0]; i++) {
        if (bytes_start(name, starts[i])) {
            return true;
        }
    }
    return false;
}

/* What says how the archive is written. */
static bool is_mark(ep_bytes name) {
    static const char *const marks[] = {"archive_format", "archive_version",        ".data/version",
                                        "byteorder",      ".data/serialization_id", "version"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (bytes_equal(name, marks[i])) {
            return true;
        }
    }
    return bytes_end(name, "/");
}

static name_list *list_of(contents *c, const archive *a, const zipfile_member *m, ep_bytes *name) {
    static const char inputs[] = "data/sample_inputs/model.pt";
    if (is_extra(a, m->name, name)) {
        return &c->extras;
    }
    bool rooted = m->name.size >= a->root.size &&
                  bytes_compare((ep_bytes){m->name.data, a->root.size}, a->root) == 0;
    size_t skipped = rooted ? a->root.size : 0;
    *name = (ep_bytes){m->name.data + skipped, m->name.size - skipped};
    if (archive_has_program(a, m) || is_state(a, *name) || is_mark(*name)) {
        return NULL;
    }
    if (bytes_start(*name, "serialized_example_inputs.")) { /* of the flat layout */
        *name = (ep_bytes){inputs, sizeof inputs - 1};
    }
    return bytes_start(*name, "data/sample_inputs/") ? &c->inputs : &c->others;
}

bool contents_sort(const archive *a, contents *c) {
    *c = (contents){{0}, {0}, {0}};
    for (size_t i = 0; i < a->zip.count; i++) {
        ep_bytes name;
        name_list *list = list_of(c, a, &a->zip.members[i], &name);
        if (list != NULL) {
            names_add(list, (name_item){.name = name, .count = i});
        }
    }
    names_sort(&c->extras);
    names_sort(&c->inputs);
    names_sort(&c->others);
    return !c->extras.failed && !c->inputs.failed && !c->others.failed;
}

void contents_free(contents *c) {
    names_free(&c->extras);
    names_free(&c->inputs);
    names_free(&c->others);
}

/* -------------------------------------------------------------------------------- digest */

typedef struct hashing {
    weights_of *of;
    const ep_decode_options *decoding;
    buffer text;
    bool undecided;
    failure *what;
} hashing;

/* "member 3:a.b " */
static void put_name(hashing *h, const char *word, ep_bytes name) {
    buffer_text(&h->text, word);
    digest_put_sized(&h->text, name);
    buffer_byte(&h->text, ' ');
}

static bool put_program(hashing *h, const zipfile_member *m, ep_bytes name) {
    const ep_program *program;
    digest made = {.undecided = false};
    buffer text = {0};
    ep_arena arena;
    arena_open(&arena, 0);
    bool ok = zipfile_read_whole(&h->of->archive->zip, m, h->of->limit, &text, h->what);
    if (ok) {
        ok = ep_decode(&arena, buffer_bytes(&text), h->decoding, &program, &h->what->error) &&
             program_digest(program, &arena, h->of->limit, &made, h->what);
        bool plain = !ok && h->what->reason == NULL;
        h->what->status = plain ? status_of_code(h->what->error.code) : h->what->status;
    }
    h->undecided = h->undecided || made.undecided;
    put_name(h, "program ", name);
    buffer_text(&h->text, made.text);
    buffer_byte(&h->text, '\n');
    ep_arena_free(&arena);
    buffer_free(&text);
    return ok;
}

static bool put_programs(hashing *h) {
    const tensors *t = h->of->tensors;
    name_list names = {0};
    for (size_t i = 0; i < t->program_count; i++) {
        names_add(&names, (name_item){.name = t->programs[i].name, .count = i});
    }
    names_sort(&names);
    bool ok = !names.failed || refuse_plainly(h->what, EP_MEMORY);
    for (size_t i = 0; ok && i < names.count; i++) {
        const tensor_program *p = &t->programs[names.items[i].count];
        h->of->blamed = p->member->name;
        ok = put_program(h, p->member, p->name);
    }
    names_free(&names);
    return ok;
}

typedef bool put_hash(hashing *h, const zipfile_member *m);

/* A put_hash of what comes out of a member. */
static bool put_bytes(hashing *h, const zipfile_member *m) {
    char hex[DIGEST_HEX_SIZE + 1];
    bool ok = member_hash(&h->of->archive->zip, m, hex, h->what);
    buffer_text(&h->text, ok ? hex : "");
    return ok;
}

/* A put_hash of its value. */
static bool put_value(hashing *h, const zipfile_member *m) {
    unsigned char hash[DIGEST_RAW_SIZE];
    uint64_t room = elements_room(h->of->archive, h->of->limit);
    values_of v = {.archive = h->of->archive, .limit = h->of->limit, .room = &room};
    TRY(values_hash_member(&v, m, hash, h->what));
    digest_put_hex(&h->text, hash);
    return true;
}

static bool put_members(hashing *h, const char *word, const name_list *list, put_hash *put) {
    for (size_t i = 0; i < list->count; i++) {
        const zipfile_member *m = &h->of->archive->zip.members[list->items[i].count];
        h->of->blamed = m->name;
        put_name(h, word, list->items[i].name);
        TRY(put(h, m));
        buffer_byte(&h->text, '\n');
    }
    return true;
}

static bool put_all(hashing *h, const contents *c) {
    bool ok = put_programs(h);
    h->of->blamed = (ep_bytes){"", 0};
    return ok && weights_put_all(h->of, &h->text, h->what) &&
           put_members(h, "extra ", &c->extras, put_bytes) &&
           put_members(h, "inputs ", &c->inputs, put_value) &&
           put_members(h, "member ", &c->others, put_bytes);
}

bool contents_digest(weights_of *w, const ep_decode_options *decoding, digest *d, failure *what) {
    hashing h = {.of = w, .decoding = decoding, .what = what};
    contents c;
    bool sorted = contents_sort(w->archive, &c) || refuse_plainly(what, EP_MEMORY);
    bool ok = sorted && put_all(&h, &c) && (!h.text.failed || refuse_plainly(what, EP_MEMORY));
    digest_of(DIGEST_CONTENTS, buffer_bytes(&h.text), d);
    d->undecided = h.undecided;
    contents_free(&c);
    buffer_free(&h.text);
    return ok;
}
