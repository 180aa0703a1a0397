/*
 * json/passage.c - see passage.h.
 */
#include "json/passage.h"

#include "base/utf8.h"

static bool open_raw(ep_passage *passage, ep_arena *arena, const char *base, ep_ref ref) {
    passage->raw = ep_ref_raw(base, ref);
    passage->offset = ep_ref_offset(ref);
    passage->text = passage->raw;
    if ((ep_ref_flags(ref) & EP_REF_ESCAPED) != 0) {
        char *text = ep_arena_alloc(arena, passage->raw.size);
        if (text == NULL) {
            return false;
        }
        passage->text = (ep_bytes){text, ep_text_decode(base, ref, text)};
    }
    return true;
}

bool ep_passage_open(ep_passage *passage, ep_arena *arena, ep_bytes input, ep_ref ref) {
    passage->outer = NULL;
    return open_raw(passage, arena, input.data, ref);
}

bool ep_passage_open_inner(ep_passage *passage, ep_arena *arena, const ep_passage *outer,
                           ep_ref ref) {
    passage->outer = outer;
    return open_raw(passage, arena, outer->text.data, ref);
}

/* Where in raw the scalar value begins that a byte of the text comes from. */
static size_t raw_place(const ep_passage *passage, size_t at) {
    if (passage->text.data == passage->raw.data) {
        return at;
    }
    ep_text_cursor cursor = {passage->raw.data, passage->raw.data + passage->raw.size};
    const char *begin = cursor.p;
    char utf8[4];
    uint32_t scalar;
    for (size_t made = 0; made <= at; made += ep_utf8_write(scalar, utf8)) {
        begin = cursor.p;
        if (!ep_text_next(&cursor, &scalar)) {
            break;
        }
    }
    return (size_t)(begin - passage->raw.data);
}

size_t ep_passage_offset(const ep_passage *passage, const char *at) {
    size_t place = passage->offset + raw_place(passage, (size_t)(at - passage->text.data));
    for (const ep_passage *outer = passage->outer; outer != NULL; outer = outer->outer) {
        place = outer->offset + raw_place(outer, place);
    }
    return place;
}

bool ep_passage_fail(const ep_passage *passage, ep_fault *fault, ep_code code, const char *at,
                     const char *expected) {
    ep_fault_set(fault, code, ep_passage_offset(passage, at));
    fault->place = EP_PLACE_TOKEN;
    fault->expected = expected;
    return false;
}
