/*
 * archive_audited.c - what holds of members_audit: it fails for want of memory
 * only, reads no more than it may, and says whole things of members that there are. Of an
 * archive as a whole, what is refused is reported.
 */
#include "archive/judge/members.h"
#include "archive_laws.h"
#include "epref_archive.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(EP_AUDIT_COUNT <= 64, "an id is a bit");

enum { AUDIT_LIMIT = 4 * ARCHIVE_LIMIT };

typedef struct heard {
    const subject *subject;
    uint64_t *said; /* of each member, a bit for each id */
    uint64_t sum;   /* of all texts, so that a sanitizer sees them read */
} heard;

static void hear(void *context, ep_bytes member, const ep_finding *finding) {
    heard *h = context;
    FUZZ_PROPERTY(EP_AUDIT_GLOBAL <= finding->id && finding->id < EP_AUDIT_COUNT, "finding-id");
    FUZZ_PROPERTY(finding->why != NULL && finding->why[0] != '\0', "finding-why");
    FUZZ_PROPERTY(finding->more == 0 && finding->place.code == EP_OK, "finding-place");
    const zip_entry *entry = laws_find(&h->subject->reading, member);
    FUZZ_PROPERTY(entry != NULL, "finding-member");
    if (finding->id != EP_AUDIT_CONFIG || finding->text.size == 0) {
        h->said[entry - h->subject->reading.entries] |= (uint64_t)1 << finding->id;
    }
    h->sum ^= fuzz_hash(finding->text);
}

/* --------------------------------------------------------------------------- members */

void laws_of_audit(const subject *s, const zipfile *zip) {
    size_t left = AUDIT_LIMIT;
    failure what = {0};
    heard h = {.subject = s, .said = calloc(s->reading.count + 1, sizeof *h.said)};
    if (h.said == NULL) {
        return;
    }
    members_ear ear = {hear, &h, &left, &what};
    FUZZ_PROPERTY_OF(members_audit(zip, &ear), "audit-fails", &what.error);
    FUZZ_PROPERTY_OF(what.error.code == EP_OK && what.reason == NULL, "audit-told", &what.error);
    FUZZ_PROPERTY(left <= AUDIT_LIMIT, "audit-limit");
    if (!s->reading.failed) {
        laws_of_loaders(s, h.said);
    }
    free(h.said);
}

/* ------------------------------------------------------------------------ refusals */

/* What an audit of a whole archive said: bits as above, of its program there. */
typedef struct refusals {
    uint64_t said;
    size_t unreadable; /* programs */
    size_t last;       /* of these */
} refusals;

static void hear_refusal(void *context, size_t program, ep_bytes member,
                         const ep_finding *finding) {
    refusals *r = context;
    (void)member;
    r->said |= (uint64_t)1 << finding->id;
    if (finding->id == EP_AUDIT_UNREADABLE) {
        FUZZ_PROPERTY(r->unreadable == 0 || r->last < program, "unreadable-once");
        r->unreadable++;
        r->last = program;
    }
}

/* How many programs no strict reader reads. */
static size_t count_unreadable(ep_archive *a, const ep_decode_options *options) {
    size_t count = 0;
    for (size_t i = 0; i < ep_archive_program_count(a); i++) {
        ep_bytes text;
        ep_error error;
        ep_error cause;
        const ep_program *program;
        ep_arena arena;
        ep_arena_init(&arena, ep_heap(), 0);
        bool read = ep_archive_program_text(a, i, &text, &error) &&
                    ep_decode(&arena, text, options, &program, &cause);
        count += read ? 0 : 1;
        ep_arena_free(&arena);
    }
    return count;
}

/* SPEC 9.8 */
void laws_of_refusals(const subject *s) {
    ep_archive_options options = ep_archive_options_default();
    ep_error error;
    refusals r = {0};
    options.decoding.limits.bytes = ARCHIVE_LIMIT;
    ep_bytes file = {s->data.data, s->data.size};
    ep_archive *a = ep_archive_open_bytes(file, &options, &error);
    if (a != NULL && ep_archive_audit(a, hear_refusal, &r, &error)) {
        uint64_t refused = (uint64_t)1 << EP_AUDIT_UNREADABLE | (uint64_t)1 << EP_AUDIT_INVALID;
        bool valid = ep_archive_check(a, NULL, &error);
        FUZZ_PROPERTY(r.unreadable == count_unreadable(a, &options.decoding), "unreadable-told");
        FUZZ_PROPERTY(valid == ((r.said & refused) == 0), "refusal-told");
    }
    ep_archive_close(a);
}
