/*
 * refusal.c - see refusal.h.
 */
#include "refusal.h"

#include <errno.h>
#include <string.h>

#include "safe.h"

bool refuse_with(failure *what, ep_code code, buffer *detail) {
    *what = (failure){.error = {.code = detail->failed ? EP_MEMORY : code}};
    size_t size = detail->size < EP_DETAIL_SIZE ? detail->size : EP_DETAIL_SIZE - 1;
    while (size < detail->size && size > 0 && (detail->data[size] & 0xC0) == 0x80) {
        size--; /* no part of a character */
    }
    if (size > 0) {
        memcpy(what->error.detail, detail->data, size);
    }
    what->status = status_of_code(what->error.code);
    buffer_free(detail);
    return false;
}

bool refuse_named(failure *what, ep_code code, ep_bytes name, const char *why) {
    buffer detail = {0};
    buffer_text(&detail, why);
    if (name.size > 0) {
        buffer_text(&detail, ": ");
        safe_quoted(&detail, name);
    }
    return refuse_with(what, code, &detail);
}

bool refuse_plainly(failure *what, ep_code code) {
    return refuse_with(what, code, &(buffer){0});
}

bool refuse_invalid(failure *what, const char *reason) {
    *what = (failure){.status = STATUS_INVALID, .reason = reason};
    return false;
}

bool refuse_io(failure *what, const char *reason) {
    *what = (failure){.status = STATUS_IO, .reason = reason};
    return false;
}

bool refuse_errno(failure *what) {
    return errno == ENOMEM ? refuse_plainly(what, EP_MEMORY) : refuse_io(what, strerror(errno));
}
