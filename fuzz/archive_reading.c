/*
 * archive_reading.c - what holds of archive_read: it takes only what SPEC 8.1
 * says is an archive with one program, gives the bytes that a second reader
 * finds, and refuses nothing that is plain.
 */
#include "archive_laws.h"

#include <string.h>

/* ------------------------------------------------------------------------- names */

bool laws_starts(ep_bytes name, const char *start) {
    size_t size = strlen(start);
    return name.size >= size && memcmp(name.data, start, size) == 0;
}

static bool ends(ep_bytes name, const char *end) {
    size_t size = strlen(end);
    return name.size >= size && memcmp(name.data + name.size - size, end, size) == 0;
}

bool laws_is_ascii(ep_bytes name) {
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] < ' ' || name.data[i] > '~') {
            return false;
        }
    }
    return true;
}

bool laws_is_program(ep_bytes name, const char *model) {
    static const char flat[] = "serialized_exported_program.json";
    const char *slash = name.size == 0 ? NULL : memchr(name.data, '/', name.size);
    if (slash == NULL) {
        return fuzz_same(name, (ep_bytes){flat, sizeof flat - 1});
    }
    size_t root = (size_t)(slash - name.data);
    ep_bytes rest = {slash, name.size - root};
    size_t around = strlen("/models/.json");
    if (root == 0 || !laws_starts(rest, "/models/") || !ends(rest, ".json") ||
        rest.size <= around) {
        return false;
    }
    ep_bytes own = {rest.data + strlen("/models/"), rest.size - around};
    return memchr(own.data, '/', own.size) == NULL &&
           (model == NULL || fuzz_same(own, (ep_bytes){model, strlen(model)}));
}

const zip_entry *laws_program(const subject *s) {
    const zip_entry *program = NULL;
    for (size_t i = 0; i < s->reading.count; i++) {
        const zip_entry *e = &s->reading.entries[i];
        if (laws_is_program(e->head.name, s->model)) {
            if (program != NULL) {
                return NULL;
            }
            program = e;
        }
    }
    return program;
}

const zip_entry *laws_find(const zip_reading *r, ep_bytes name) {
    for (size_t i = 0; i < r->count; i++) {
        if (fuzz_same(r->entries[i].head.name, name)) {
            return &r->entries[i];
        }
    }
    return NULL;
}

static bool names_differ(const zip_reading *r) {
    for (size_t i = 0; i < r->count; i++) {
        if (laws_find(r, r->entries[i].head.name) != &r->entries[i]) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------- plain */

/* Fields that fill their place, and none that changes what is read. */
static bool extra_is_plain(ep_bytes extra) {
    size_t at = 0;
    while (extra.size - at >= 4) {
        size_t id = (size_t)zip_get(extra.data + at, 2);
        size_t size = (size_t)zip_get(extra.data + at + 2, 2);
        bool padding = id == 0x4246;
        if (!padding || size > extra.size - at - 4) {
            return false;
        }
        at += 4 + size;
    }
    return at == extra.size;
}

static bool head_is_plain(const zip_head *head) {
    return (head->flags & ZIP_FLAGS_MEANT) == 0 && head->name.size > 0 &&
           (head->method == ZIP_STORED || head->method == ZIP_DEFLATED) &&
           laws_is_ascii(head->name) && extra_is_plain(head->extra) && head->size < UINT32_MAX &&
           head->packed_size < UINT32_MAX;
}

static bool heads_agree(const zip_head *a, const zip_head *b) {
    return a->needed == b->needed && a->flags == b->flags && a->method == b->method &&
           a->stamp == b->stamp && a->crc == b->crc && a->packed_size == b->packed_size &&
           a->size == b->size && fuzz_same(a->name, b->name);
}

/* One that begins here; *at is left behind it. */
static bool entry_is_plain(const zip_entry *e, uint64_t *at) {
    zip_content content;
    bool ok = e->found && e->offset == *at && e->head.needed <= 20 && laws_is_ascii(e->comment) &&
              head_is_plain(&e->head) && head_is_plain(&e->local) &&
              heads_agree(&e->head, &e->local) && zip_reader_unpack(e, 4 * ARCHIVE_LIMIT, &content);
    if (ok) {
        zip_content_free(&content);
        *at += ZIP_LOCAL_SIZE + e->local.name.size + e->local.extra.size + e->packed.size;
    }
    return ok;
}

bool laws_is_plain(const zip_reading *r) {
    uint64_t at = 0;
    if (!r->whole || r->zip64 || r->disks != 0 || r->counts[0] != r->counts[1] || r->count == 0 ||
        r->comment.size > 0 || r->directory + r->directory_size != r->end) {
        return false;
    }
    for (size_t i = 0; i < r->count; i++) {
        if (!entry_is_plain(&r->entries[i], &at)) {
            return false;
        }
    }
    return at == r->directory && names_differ(r);
}

/* ---------------------------------------------------------------------- refusals */

void laws_of_refusal(const failure *what) {
    const ep_error *error = &what->error;
    FUZZ_PROPERTY_OF(what->reason == NULL, "no-world-to-blame", error);
    FUZZ_PROPERTY_OF(what->status == status_of_code(error->code), "status", error);
    FUZZ_PROPERTY_OF(error->code == EP_LIMIT_BYTES || error->code == EP_MIGRATE_ARCHIVE ||
                         ep_code_level(error->code) == EP_LEVEL_ARCHIVE,
                     "code", error);
    FUZZ_PROPERTY_OF(error->line == 0 && error->offset == 0 && error->pointer[0] == '\0',
                     "no-place", error);
    FUZZ_PROPERTY_OF(memchr(error->detail, 0, EP_DETAIL_SIZE) != NULL, "detail-ends", error);
    FUZZ_PROPERTY_OF(error->code == EP_LIMIT_BYTES || error->detail[0] != '\0', "detail", error);
}

/* ----------------------------------------------------------------------- reading */

/* The bytes, for what the second reader can unpack; of more than the limit, the
 * first of them and one. */
static void law_of_content(const zip_entry *e, ep_bytes program) {
    zip_content content;
    if (e->head.method != ZIP_STORED && e->head.method != ZIP_DEFLATED) {
        return;
    }
    FUZZ_PROPERTY(e->found, "program-is-there");
    if (program.size > ARCHIVE_LIMIT) {
        bool part = e->head.method != ZIP_STORED ||
                    (e->packed.size >= program.size &&
                     memcmp(e->packed.data, program.data, program.size) == 0);
        FUZZ_PROPERTY(part, "first-bytes");
        return;
    }
    FUZZ_PROPERTY(zip_reader_unpack(e, ARCHIVE_LIMIT, &content), "program-unpacks");
    FUZZ_PROPERTY(fuzz_same(content.bytes, program), "program-bytes");
    zip_content_free(&content);
}

/* SPEC 8.1.1 */
static void law_of_structure(const subject *s) {
    const zip_reading *r = &s->reading;
    FUZZ_PROPERTY(s->readable, "has-an-end");
    FUZZ_PROPERTY(r->agrees, "end-records-agree");
    FUZZ_PROPERTY(r->disks == 0 && r->counts[0] == r->counts[1], "one-disk");
    FUZZ_PROPERTY(r->whole, "directory-is-whole");
    FUZZ_PROPERTY(r->directory + r->directory_size <= r->records, "directory-before-its-end");
    FUZZ_PROPERTY(names_differ(r), "names-differ");
}

static void laws_of_taking(const subject *s, const archive_taken *taken) {
    ep_bytes program = {taken->program.data, taken->program.size};
    ep_bytes member = {taken->member.data, taken->member.size};
    FUZZ_PROPERTY(program.size <= ARCHIVE_LIMIT + 1, "limit");
    law_of_structure(s);
    const zip_entry *e = laws_program(s);
    FUZZ_PROPERTY(e != NULL, "one-program");
    FUZZ_PROPERTY(!laws_is_ascii(e->head.name) || fuzz_same(e->head.name, member), "member");
    law_of_content(e, program);
}

void laws_of_reading(const subject *s, const archive_taken *taken, const failure *what) {
    if (what->status == STATUS_DONE) {
        laws_of_taking(s, taken);
        return;
    }
    laws_of_refusal(what);
    bool plain = s->readable && laws_is_plain(&s->reading);
    FUZZ_PROPERTY_OF(!plain || what->error.code == EP_ARCHIVE_PROGRAM, "takes-what-is-plain",
                     &what->error);
    FUZZ_PROPERTY_OF(!plain || laws_program(s) == NULL, "takes-what-has-one-program", &what->error);
}
