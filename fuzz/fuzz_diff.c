/*
 * fuzz_diff.c - two programs: the input, and what is made of it, rewritten,
 * with any value another, or at another version. ep_diff finds no difference
 * exactly where the forms that digests are taken of are one; what it tells lies in the texts, and
 * is as much as it says. The input is a program with a tail, from which the other program is drawn,
 * and how many differences are told.
 */
#include "fuzz.h"
#include "rewrite.h"

#include <string.h>

/* What is told of a comparison, and of which texts. */
typedef struct heard {
    ep_bytes texts[2];
    size_t count;
    uint64_t sum; /* of all that is shown, so that a sanitizer sees it read */
} heard;

/* Whether a part lies in a text, or is nothing. */
static bool lies_in(ep_bytes part, ep_bytes text) {
    return part.size == 0 || (part.data >= text.data && part.size <= text.size &&
                              (size_t)(part.data - text.data) <= text.size - part.size);
}

static void hear_side(heard *h, const ep_diff_side *side, ep_bytes text) {
    FUZZ_PROPERTY_OF(side->place.code == EP_OK, "place-code", &side->place);
    FUZZ_PROPERTY_OF(fuzz_place_holds(&side->place, text), "place", &side->place);
    FUZZ_PROPERTY_OF(lies_in(side->text, text), "text", &side->place);
    FUZZ_PROPERTY_OF(side->there || side->text.size == 0, "text-of-nothing", &side->place);
    h->sum ^= fuzz_hash(side->text);
}

static void hear(void *context, const ep_difference *difference) {
    heard *h = context;
    h->count++;
    FUZZ_PROPERTY(ep_diff_group_name(difference->group) != NULL, "group");
    FUZZ_PROPERTY(difference->type != NULL, "type");
    FUZZ_PROPERTY(difference->sides[0].there || difference->sides[1].there, "is-somewhere");
    h->sum ^= fuzz_hash(difference->target) ^ fuzz_hash(difference->argument);
    for (size_t i = 0; i < 2; i++) {
        hear_side(h, &difference->sides[i], h->texts[i]);
    }
}

/* What ep_diff says of two programs; false when one has no form for digests. */
static bool compare(const ep_program *const programs[2], heard *h, size_t limit, bool provenance,
                    size_t *count) {
    fuzz_work work;
    ep_diff_result result;
    ep_diff_options options = ep_diff_options_default();
    options.constant = test_no_type;
    options.limit = limit;
    options.provenance = provenance;
    options.hear = hear;
    options.hear_context = h;
    h->count = 0;
    fuzz_begin(&work);
    bool ok = ep_diff(programs, &work.arena, &options, &result, &work.error);
    FUZZ_PROPERTY_OF(ok || fuzz_is_of_version(work.error.code), "compares", &work.error);
    FUZZ_PROPERTY(ok || result.refused < 2, "refused");
    if (ok) {
        FUZZ_PROPERTY(result.told == h->count && result.told <= result.count, "told");
        FUZZ_PROPERTY(result.told <= limit, "limit");
        *count = result.count;
    }
    fuzz_end(&work);
    return ok;
}

/* The form that a digest is taken of. SPEC 6.10.1 */
static bool digest_form(fuzz_work *work, const ep_program *program, ep_bytes *form) {
    return fuzz_canon(work, program, EP_CANON_EPREF, form);
}

/* Both ways; with all that is told, and with what the forms leave out. */
static void check_pair(const ep_program *const programs[2], const ep_bytes texts[2],
                       fuzz_input *input) {
    const ep_program *const turned[2] = {programs[1], programs[0]};
    heard h = {.texts = {texts[0], texts[1]}};
    heard other = {.texts = {texts[1], texts[0]}};
    fuzz_work work;
    ep_bytes forms[2];
    size_t limit = fuzz_below(input, 24);
    size_t count = 0;
    size_t back = 0;
    fuzz_begin(&work);
    bool formed =
        digest_form(&work, programs[0], &forms[0]) && digest_form(&work, programs[1], &forms[1]);
    bool ok = compare(programs, &h, limit, false, &count);
    FUZZ_PROPERTY(ok == formed, "compares-what-has-a-form");
    if (ok) {
        FUZZ_SAME_UNLESS(count > 0, forms[0], forms[1], "same-form");
        FUZZ_PROPERTY(count == 0 || !fuzz_same(forms[0], forms[1]), "same-form");
        FUZZ_PROPERTY(compare(turned, &other, limit, false, &back), "turned");
        FUZZ_PROPERTY((back == 0) == (count == 0), "turned-same");
        FUZZ_PROPERTY(compare(programs, &h, SIZE_MAX, true, &back) && back >= count, "provenance");
    }
    fuzz_end(&work);
}

/* The other program; NULL where there is none. */
static const ep_program *make_other(fuzz_work *work, const ep_program *program, fuzz_input *input,
                                    ep_bytes *text) {
    ep_built built = {{NULL, 0}, NULL};
    ep_rewrite_choice wish = {.seed = fuzz_draw(input)};
    ep_migrate_options to = {.version = fuzz_draw_version(input)};
    bool ok;
    switch (fuzz_below(input, 6)) {
    case 0:
        wish.what = EP_REWRITE_ALL;
        ok = ep_rewrite_equivalent(program, &work->arena, &wish, &built, &work->error);
        break;
    case 1:
        ok = ep_migrate(program, &work->arena, &to, &built, &work->error);
        break;
    default:
        wish.what = EP_CHANGE_ANY;
        ok = ep_rewrite_changed(program, &work->arena, &wish, &built, &work->error);
        break;
    }
    *text = built.text;
    return ok ? built.program : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_split(data, size);
    fuzz_work work;
    const ep_program *programs[2];
    ep_bytes texts[2] = {input.text, {NULL, 0}};
    fuzz_begin(&work);
    if (fuzz_decode(&work, input.text, &programs[0]) &&
        ep_check(programs[0], &work.arena, NULL, &work.error)) {
        programs[1] = make_other(&work, programs[0], &input, &texts[1]);
        if (programs[1] != NULL) {
            check_pair(programs, texts, &input);
        }
    }
    fuzz_end(&work);
    return 0;
}
