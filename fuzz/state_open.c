/*
 * state_open.c - an archive that is open, for the targets "state" and "pack", and what holds
 * of its refusals.
 */
#include "state_laws.h"

#include <string.h>
#include <zlib.h>

/* ---------------------------------------------------------------------------- opening */

bool state_open(state *s, ep_bytes file) {
    failure what = {0};
    archive_wish wish = {.limit = STATE_LIMIT, .several = true};
    *s = (state){.list = {.blamed = NULL}};
    /* Nobody writes to it. */
    s->data = (io_data){.data = (char *)(uintptr_t)file.data, .size = file.size, .is_zip = true};
    s->input.state = crc32(0, (const Bytef *)file.data, (uInt)file.size);
    TRY(archive_open(&s->data, wish, &s->archive, &what));
    FUZZ_PROPERTY(zip_reader_open(file, &s->reading), "second-reader");
    FUZZ_PROPERTY(s->reading.count == s->archive.zip.count, "members");
    tensors_wish listing = {.limit = STATE_LIMIT};
    if (!tensors_read(&s->archive, &listing, &s->list, &what)) {
        ep_bytes member = s->list.blamed == NULL ? (ep_bytes){"", 0} : s->list.blamed->name;
        laws_of_refusal(s, &what, member);
        tensors_free(&s->list);
    }
    return true;
}

void state_close(state *s) {
    tensors_free(&s->list);
    zip_reader_close(&s->reading);
    archive_close(&s->archive);
}

const zip_entry *state_entry(const state *s, const zipfile_member *m) {
    return &s->reading.entries[m - s->archive.zip.members];
}

ep_bytes state_inner(const state *s, ep_bytes name) {
    return (ep_bytes){name.data + s->archive.root.size, name.size - s->archive.root.size};
}

bool state_keep(void *context, ep_bytes piece, failure *what) {
    (void)what;
    test_add(context, piece.data, piece.size);
    return true;
}

/* --------------------------------------------------------------------------- verdicts */

state_verdict state_judge(const archive *a, bool no_data) {
    state_verdict v = {.whole = false};
    whole_wish wish = {.limit = STATE_LIMIT, .no_data = no_data};
    v.whole = whole_check(a, &wish, &v.member, &v.what);
    FUZZ_PROPERTY_OF(v.whole == (v.what.error.code == EP_OK), "told", &v.what.error);
    return v;
}

static bool is_limit(ep_code code) {
    return EP_LIMIT_BYTES <= code && code <= EP_LIMIT_GROWTH;
}

void laws_of_refusal(const state *s, const failure *what, ep_bytes member) {
    const ep_error *error = &what->error;
    const zip_entry *found = NULL;
    zip_content content;
    FUZZ_PROPERTY(what->reason == NULL, "no-world-to-blame");
    FUZZ_PROPERTY_OF(ep_code_level(error->code) != EP_LEVEL_NONE || is_limit(error->code), "code",
                     error);
    FUZZ_PROPERTY_OF(what->status == status_of_code(error->code), "status", error);
    FUZZ_PROPERTY_OF(memchr(error->detail, 0, EP_DETAIL_SIZE) != NULL, "detail-ends", error);
    for (size_t i = 0; i < s->reading.count && member.size > 0; i++) {
        found = fuzz_same(s->reading.entries[i].head.name, member) ? &s->reading.entries[i] : found;
    }
    FUZZ_PROPERTY_OF(member.size == 0 || found != NULL, "member", error);
    if (found == NULL) {
        FUZZ_PROPERTY_OF(error->line == 0 && error->pointer[0] == 0, "no-place", error);
    } else if (error->line > 0 && zip_reader_unpack(found, STATE_LIMIT, &content)) {
        FUZZ_PROPERTY_OF(fuzz_place_holds(error, content.bytes), "place", error);
        zip_content_free(&content);
    }
}
