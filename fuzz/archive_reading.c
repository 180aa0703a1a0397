/*
 * archive_reading.c - what holds of zipfile_open, archive_open and archive_read: they
 * take exactly what breaks no rule of SPEC 8.1 (zip_rules.c), refuse the rest for the
 * first rule that is broken, and give the members and bytes that the rules and a second
 * reader find.
 */
#include "archive_laws.h"

#include <string.h>

/* ------------------------------------------------------------------------- names */

const zip_entry *laws_find(const zip_reading *r, ep_bytes name) {
    for (size_t i = 0; i < r->count; i++) {
        if (fuzz_same(r->entries[i].head.name, name)) {
            return &r->entries[i];
        }
    }
    return NULL;
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

/* SPEC 8.1 says in which order the rules are judged: of 8.1.5 and 8.1.6 together, where
 * what lies in the file is gone over. zip_rules.c says the first of them for the entries,
 * and the second for what lies in the file. */
static bool is_told_alike(ep_code told, ep_code broken) {
    return told == broken || (broken == EP_ARCHIVE_SPACE && told == EP_ARCHIVE_HEADER);
}

/* ----------------------------------------------------------------------- opening */

/* The members, in the order of the directory. */
static void law_of_members(const subject *s, const zipfile *zip) {
    const zip_rules *r = &s->rules;
    FUZZ_PROPERTY(zip->count == r->count && zip->count == s->reading.count, "count");
    for (size_t i = 0; i < zip->count; i++) {
        const zipfile_member *m = &zip->members[i];
        const zip_ruled *said = &r->members[i];
        const zip_head *read = &s->reading.entries[i].head;
        FUZZ_PROPERTY(fuzz_same(m->name, said->name) && fuzz_same(m->name, read->name), "name");
        FUZZ_PROPERTY(m->size == said->size && m->size == read->size, "size");
        FUZZ_PROPERTY(m->packed == said->packed && m->packed == read->packed_size, "packed");
        FUZZ_PROPERTY(m->crc == said->crc && m->crc == read->crc, "crc");
        FUZZ_PROPERTY(m->header == said->header && m->method == said->method, "place");
        FUZZ_PROPERTY(s->reading.entries[i].found, "found");
    }
}

/* What the second reader thinks of the end, in its own terms. SPEC 8.1.1 */
static void law_of_structure(const subject *s) {
    const zip_reading *r = &s->reading;
    FUZZ_PROPERTY(s->readable, "has-an-end");
    FUZZ_PROPERTY(r->agrees, "end-records-agree");
    FUZZ_PROPERTY(r->disks == 0 && r->counts[0] == r->counts[1], "one-disk");
    FUZZ_PROPERTY(r->whole, "directory-is-whole");
    FUZZ_PROPERTY(r->directory + r->directory_size == r->records, "directory-before-its-end");
}

void laws_of_opening(const subject *s, const zipfile *zip, const failure *what) {
    FUZZ_PROPERTY_OF((zip != NULL) == (what->error.code == EP_OK), "told", &what->error);
    if (zip == NULL) {
        laws_of_refusal(what);
        FUZZ_PROPERTY_OF(s->broken != EP_OK, "takes-what-keeps-the-rules", &what->error);
        FUZZ_PROPERTY_OF(is_told_alike(what->error.code, s->broken), "first-rule", &what->error);
        return;
    }
    FUZZ_PROPERTY(s->broken == EP_OK, "takes-what-breaks-a-rule");
    law_of_structure(s);
    law_of_members(s, zip);
}

/* ------------------------------------------------------------------ the program */

void laws_of_choice(const subject *s, const archive *taken, const failure *what) {
    const zip_ruled *program;
    ep_code broken = zip_rules_layout(&s->rules, s->model, &program);
    FUZZ_PROPERTY_OF((taken != NULL) == (what->error.code == EP_OK), "chosen-told", &what->error);
    if (taken == NULL) {
        bool either = broken == EP_ARCHIVE_PROGRAM || broken == EP_ARCHIVE_LAYOUT;
        laws_of_refusal(what);
        FUZZ_PROPERTY_OF(broken != EP_OK, "takes-what-has-one-program", &what->error);
        FUZZ_PROPERTY_OF(what->error.code == broken ||
                             (either && (what->error.code == EP_ARCHIVE_PROGRAM ||
                                         what->error.code == EP_ARCHIVE_LAYOUT)),
                         "first-rule-of-layouts", &what->error);
        return;
    }
    FUZZ_PROPERTY(broken == EP_OK, "takes-what-breaks-a-layout");
    FUZZ_SAME(taken->program->name, program->name, "member");
    FUZZ_PROPERTY(taken->root.size == 0 || taken->root.size == zip_rules_folder(&s->rules), "root");
    FUZZ_PROPERTY((taken->root.size == 0) ==
                      (memchr(program->name.data, '/', program->name.size) == NULL),
                  "layout");
}

bool laws_of_reading(const subject *s, const archive *taken, buffer *program) {
    zip_content content;
    failure what = {0};
    const zip_entry *e = laws_find(&s->reading, taken->program->name);
    bool ok = archive_read(taken, ARCHIVE_LIMIT, program, &what);
    FUZZ_PROPERTY_OF(ok == (what.error.code == EP_OK), "read-told", &what.error);
    FUZZ_PROPERTY(!ok || program->size <= ARCHIVE_LIMIT + 1, "limit");
    if (ok && program->size > ARCHIVE_LIMIT) { /* the first bytes, and one */
        bool part = e->head.method != ZIP_STORED ||
                    memcmp(e->packed.data, program->data, program->size) == 0;
        FUZZ_PROPERTY(part, "first-bytes");
        return true;
    }
    bool readable = zip_reader_unpack(e, ARCHIVE_LIMIT, &content);
    FUZZ_PROPERTY_OF(ok == readable, "program-unpacks", &what.error);
    FUZZ_SAME_UNLESS(!ok, content.bytes, buffer_bytes(program), "program-bytes");
    if (!ok) {
        laws_of_refusal(&what);
        FUZZ_PROPERTY_OF(what.error.code == EP_ARCHIVE_MEMBER, "read-code", &what.error);
    }
    zip_content_free(&content);
    return ok;
}

bool laws_is_sound(const zip_reading *r, const zip_entry *except, size_t limit) {
    uint64_t room = r->file.size + limit;
    for (size_t i = 0; i < r->count; i++) {
        zip_content content;
        const zip_entry *e = &r->entries[i];
        bool ok = e->head.size <= room &&
                  (e == except || zip_reader_unpack(e, (size_t)e->head.size, &content));
        TRY(ok);
        room -= e->head.size;
        if (e != except) {
            zip_content_free(&content);
        }
    }
    return true;
}
