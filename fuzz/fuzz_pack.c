/*
 * fuzz_pack.c - archives taken apart and put together:
 *
 *   joined      what strip took apart, join puts together, byte for byte
 *   incomplete  an archive from which something was taken is not whole
 *   otherwise   with other weights than those it puts nothing together
 *   assembled   a program and its tensors make an archive that is whole, and has them
 *   again       that archive's program and tensors make the very same one
 *
 * The input is a zip; others are passed over.
 */
#include "archive/make/joining.h"
#include "archive/make/stripping.h"
#include "archive/zip/checksum.h"
#include "state_laws.h"

#include <string.h>

/* What stripping makes, and views of it as archives. */
typedef struct halves {
    test_text texts[2]; /* what is left, and the weights */
    io_data data[2];
    archive rest;
    zipfile weights;
} halves;

static ep_bytes write_half(zipwrite *zip, test_text *to) {
    failure what = {0};
    bool ok = zipwrite_all(zip, state_keep, to, &what);
    FUZZ_PROPERTY_OF(ok, "half-is-written", &what.error);
    return test_text_exact(to);
}

/* Whether a failure says why: by a code, or a reason. */
static bool is_told(const failure *what) {
    return (what->reason != NULL) != (what->error.code != EP_OK);
}

static void open_halves(halves *h) {
    failure what = {0};
    archive_wish wish = {.limit = 4 * STATE_LIMIT, .several = true};
    bool ok = archive_open(&h->data[0], wish, &h->rest, &what);
    FUZZ_PROPERTY_OF(ok, "rest-opens", &what.error);
    ok = zipfile_open_known(&h->data[1], 4 * STATE_LIMIT, &h->weights, &what);
    FUZZ_PROPERTY_OF(ok, "weights-open", &what.error);
}

static bool strip(const state *s, halves *h, size_t *taken) {
    stripping plan;
    failure what = {0};
    bool ok = stripping_plan(&s->archive, STATE_LIMIT, &plan, &what);
    FUZZ_PROPERTY_OF(ok != is_told(&what), "strip-told", &what.error);
    if (ok) {
        *taken = plan.weights.count - 1; /* the text aside */
        io_view(write_half(&plan.rest, &h->texts[0]), &h->data[0]);
        io_view(write_half(&plan.weights, &h->texts[1]), &h->data[1]);
        open_halves(h);
    }
    stripping_free(&plan);
    return ok;
}

static void close_halves(halves *h) {
    archive_close(&h->rest);
    zipfile_close(&h->weights);
    test_text_free(&h->texts[0]);
    test_text_free(&h->texts[1]);
}

static void law_of_joining(const state *s, const halves *h) {
    joining plan;
    failure what = {0};
    test_text made = {0};
    bool ok = joining_plan(&h->rest, &h->weights, STATE_LIMIT, &plan, &what) &&
              zipwrite_all(&plan.zip, state_keep, &made, &what);
    FUZZ_PROPERTY_OF(ok, "joins", &what.error);
    FUZZ_SAME(test_text_bytes(&made), ((ep_bytes){s->data.data, s->data.size}), "joined");
    test_text_free(&made);
    joining_free(&plan);
}

/* One byte of the weights is another, and the checksum with it. */
static void law_of_other_weights(state *s, halves *h) {
    joining plan;
    failure what = {0};
    size_t i = fuzz_below(&s->input, h->weights.count);
    zipfile_member *m = &h->weights.members[i];
    ep_bytes inner = state_inner(s, m->name);
    bool is_text = bytes_end(inner, "stripped");
    if (m->packed == 0 || m->method != ZIPFILE_STORED || is_text) {
        return;
    }
    char *bytes = h->data[1].data + m->place;
    bytes[fuzz_below(&s->input, (size_t)m->packed)] ^= 1;
    m->crc = checksum(0, (ep_bytes){bytes, (size_t)m->packed});
    bool ok = joining_plan(&h->rest, &h->weights, STATE_LIMIT, &plan, &what);
    FUZZ_PROPERTY_OF(!ok && is_told(&what), "otherwise", &what.error);
    FUZZ_PROPERTY(plan.is_of_weights && plan.blamed.size > 0, "weight-to-blame");
    joining_free(&plan);
}

static void laws_of_stripping(state *s) {
    halves h = {.rest = {.root = {"", 0}}};
    size_t taken = 0;
    if (strip(s, &h, &taken)) {
        state_verdict v = state_judge(&h.rest, false);
        FUZZ_PROPERTY_OF(!v.whole || taken == 0, "incomplete", &v.what.error);
        law_of_joining(s, &h);
        law_of_other_weights(s, &h);
    }
    close_halves(&h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    state s;
    if (size < 4 || memcmp(data, "PK\3\4", 4) != 0) {
        return 0;
    }
    if (state_open(&s, fuzz_bytes(data, size))) {
        laws_of_stripping(&s);
        if (state_judge(&s.archive, false).whole) {
            laws_of_assembling(&s);
        }
        state_close(&s);
    }
    return 0;
}
