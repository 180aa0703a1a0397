/*
 * digests.c - epref_archive.h: the digests of a program, and of the weights of an archive.
 */
#include "interface.h"

#include <string.h>

#include "archive/state/contents.h"
#include "archive/state/program_digest.h"
#include "common/refusal.h"

_Static_assert(EP_ARCHIVE_DIGEST_SIZE == DIGEST_SIZE + 1, "a digest and its zero");
_Static_assert(EP_DIGEST_SIZE == DIGEST_SIZE + 1, "a digest and its zero");

/* A failure as an error of the core's: they differ by the name that it is about. */
static bool fail(ep_error *error, const failure *what) {
    ep_error own;
    interface_fail(&own, (ep_bytes){"", 0}, what);
    if (error != NULL) {
        *error = own;
    }
    return false;
}

bool ep_digest(const ep_program *program, ep_arena *scratch, char digest_text[EP_DIGEST_SIZE],
               bool *undecided, ep_error *error) {
    failure what = {.status = STATUS_DONE};
    digest made = {.undecided = false};
    bool given = program != NULL && scratch != NULL && digest_text != NULL;
    bool ok = given && program_digest(program, scratch, ep_limits_default().bytes, &made, &what);
    if (!given) {
        what.error.code = EP_ARGUMENT;
    }
    if (digest_text != NULL) {
        memcpy(digest_text, ok ? made.text : "", ok ? sizeof made.text : 1);
    }
    if (undecided != NULL) {
        *undecided = ok && made.undecided;
    }
    if (ok && error != NULL) {
        *error = (ep_error){.code = EP_OK};
    }
    return ok || fail(error, &what);
}

static bool make(ep_archive *a, bool all, char digest_text[EP_ARCHIVE_DIGEST_SIZE],
                 ep_error *error) {
    failure what = {.status = STATUS_DONE};
    digest made;
    if (a == NULL || digest_text == NULL) {
        return interface_fail_argument(error, a == NULL ? "no archive" : "no digest");
    }
    digest_text[0] = '\0';
    /* A package has a contents digest (SPEC 8.6.5), and no other. */
    if ((!all && !interface_need_program(a, error)) || !ep_archive_list(a, error)) {
        return false;
    }
    memory_share *before = memory_enter(&a->held->share);
    weights_of w = {.archive = &a->archive, .tensors = &a->tensors, .limit = interface_limit(a)};
    bool ok = all ? contents_digest(&w, &a->options.decoding, &made, &what)
                  : weights_digest(&w, &made, &what);
    ok = interface_settle(a, ok, w.blamed, &what, error);
    memory_leave(before);
    memcpy(digest_text, ok ? made.text : "", ok ? sizeof made.text : 1);
    return ok;
}

bool ep_archive_digest_weights(ep_archive *a, char digest_text[EP_ARCHIVE_DIGEST_SIZE],
                               ep_error *error) {
    return make(a, false, digest_text, error);
}

bool ep_archive_digest_contents(ep_archive *a, char digest_text[EP_ARCHIVE_DIGEST_SIZE],
                                ep_error *error) {
    return make(a, true, digest_text, error);
}
