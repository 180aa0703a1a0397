/*
 * codec/decoder.c - what the parts of the decoder share: faults with what is known of
 * their place, and lists that move into the tree.
 */
#include "codec/decoder.h"

bool ep_decode_no_memory(ep_decoder *d) {
    return ep_lex_fail(&d->lexer, EP_MEMORY, d->lexer.p); /* SPEC 1.4.5 */
}

/* The innermost struct or union whose member is being read; NULL at the root. */
static const ep_frame *innermost_type(const ep_decoder *d) {
    for (size_t i = d->depth; i > 0; i--) {
        if (d->frames[i - 1].type != NULL) {
            return &d->frames[i - 1];
        }
    }
    return NULL;
}

bool ep_decode_fail(ep_decoder *d, ep_code code, const char *at, const char *expected) {
    ep_lex_fail(&d->lexer, code, at);
    ep_fault *fault = d->lexer.fault;
    const ep_frame *frame = innermost_type(d);
    fault->expected = expected;
    if (frame != NULL) {
        fault->type = frame->type->name;
        fault->member = frame->member < frame->type->count
                            ? frame->type->members[frame->member].row->name
                            : NULL;
    }
    return false;
}

bool ep_decode_fail_type(ep_decoder *d, ep_code code, const char *at, uint8_t member) {
    ep_top(d)->member = member;
    return ep_decode_fail(d, code, at, NULL);
}

bool ep_decode_fail_key(ep_decoder *d, ep_code code, const char *at) {
    ep_decode_fail_type(d, code, at, EP_NO_MEMBER);
    d->lexer.fault->place = EP_PLACE_KEY;
    return false;
}

void ep_decode_note_history(ep_decoder *d, ep_range range) {
    const ep_version *since = ep_version_at(range.since);
    const ep_version *until = ep_version_at(range.until);
    d->lexer.fault->since = since == NULL ? NULL : since->name;
    d->lexer.fault->until = since == NULL || until == NULL ? NULL : until->name;
}

/* SPEC 3.10.2 */
bool ep_decode_let_pass(ep_decoder *d) {
    TRY(d->attempt->forward);
    ep_tell(&d->told, d->attempt->input, d->lexer.fault);
    d->attempt->passed_over = true;
    return true;
}

bool ep_decode_list(ep_decoder *d, size_t base, uint64_t *bits) {
    size_t n = d->values.count - base;
    *bits = 0;
    if (n == 0) {
        return true;
    }
    ep_list *list = ep_list_make(d->attempt->arena, n, n);
    TRY(list != NULL);
    memcpy(list->items, d->values.words + base, n * sizeof(uint64_t));
    d->values.count = base;
    *bits = ep_pointer_bits(list);
    return true;
}
