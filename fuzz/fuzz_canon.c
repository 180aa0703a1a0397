/*
 * fuzz_canon.c - canonical forms (SPEC part 6). The epref form of the form is the
 * form; an equivalent program has the same one, and one that was changed has
 * another; PyTorch's form is the same twice, of any program that is decoded. The
 * input is a program with a tail, from which rewriting and change are drawn.
 */
#include "fuzz.h"
#include "rewrite.h"

/* Whether the form of a program of another version would be too large (SPEC 7.1.7). */
static bool grows(const fuzz_work *work) {
    return work->error.code == EP_LIMIT_GROWTH;
}

/* Everything at once, or one thing. */
static unsigned draw_rules(fuzz_input *input) {
    size_t drawn = fuzz_below(input, EP_REWRITE_RULES + 1);
    return drawn == 0 ? EP_REWRITE_ALL : 1u << (drawn - 1);
}

/* The same form, but where the order of the document has decided (SPEC 6.1). */
static void check_equivalent(const ep_program *program, fuzz_input *input, ep_bytes form,
                             bool undecided) {
    fuzz_work work;
    ep_built built;
    ep_bytes other;
    ep_rewrite_choice wish = {.what = draw_rules(input), .seed = fuzz_draw(input)};
    fuzz_begin(&work);
    bool ok = ep_rewrite_equivalent(program, &work.arena, &wish, &built, &work.error);
    FUZZ_PROPERTY_OF(ok, "guise-is-made", &work.error);
    ok = fuzz_canon(&work, built.program, EP_CANON_EPREF, &other);
    FUZZ_PROPERTY_OF(ok || grows(&work), "guise-has-form", &work.error);
    FUZZ_SAME_UNLESS(!ok || undecided, other, form, "guise");
    fuzz_end(&work);
}

static void check_change(const ep_program *program, fuzz_input *input, ep_bytes form) {
    fuzz_work work;
    ep_built built;
    ep_bytes other;
    ep_rewrite_choice wish = {.what = EP_CHANGE_IDENTITY, .seed = fuzz_draw(input)};
    fuzz_begin(&work);
    bool ok = ep_rewrite_changed(program, &work.arena, &wish, &built, &work.error);
    FUZZ_PROPERTY_OF(ok, "change-is-made", &work.error);
    if (built.program != NULL) {
        ok = fuzz_canon(&work, built.program, EP_CANON_EPREF, &other);
        FUZZ_PROPERTY_OF(ok || grows(&work), "change-has-form", &work.error);
        FUZZ_PROPERTY(!ok || !fuzz_same(other, form), "change");
    }
    fuzz_end(&work);
}

/* PyTorch's form, with its refusals, of this program and of what it is encoded to. */
static void check_torch(const ep_program *program, ep_bytes input) {
    fuzz_work works[2];
    ep_bytes forms[2];
    test_text text = {0};
    fuzz_begin(&works[0]);
    fuzz_begin(&works[1]);
    bool ok = fuzz_canon(&works[0], program, EP_CANON_TORCH, &forms[0]);
    fuzz_told(&works[0], ok, input);
    const ep_program *again = fuzz_anew(&works[1], program, &text);
    bool twice = fuzz_canon(&works[1], again, EP_CANON_TORCH, &forms[1]);
    FUZZ_PROPERTY_OF(ok == twice, "torch-twice", &works[1].error);
    FUZZ_PROPERTY_OF(works[0].error.code == works[1].error.code, "torch-error", &works[1].error);
    FUZZ_SAME_UNLESS(!ok, forms[0], forms[1], "torch-again");
    test_text_free(&text);
    fuzz_end(&works[0]);
    fuzz_end(&works[1]);
}

static const ep_program *rewritten(fuzz_work *work, const ep_program *program,
                                   const ep_rewrite_choice *wish) {
    ep_built built;
    bool ok = ep_rewrite_equivalent(program, &work->arena, wish, &built, &work->error);
    FUZZ_PROPERTY_OF(ok, "torch-guise-is-made", &work->error);
    return built.program;
}

/* The torch form sorts guards, entries of modules and of some dicts (SPEC 6.9): it is the
 * same for another order of guards or modules. */
static void check_torch_guise(const ep_program *program, fuzz_input *input) {
    static const unsigned rules[] = {0, EP_REWRITE_GUARDS, EP_REWRITE_MODULES};
    uint64_t seed = fuzz_draw(input);
    fuzz_work works[3];
    ep_bytes forms[3];
    bool ok[3];
    for (size_t i = 0; i < 3; i++) {
        ep_rewrite_choice wish = {.what = rules[i], .seed = seed};
        fuzz_begin(&works[i]);
        ok[i] =
            fuzz_canon(&works[i], rewritten(&works[i], program, &wish), EP_CANON_TORCH, &forms[i]);
        FUZZ_PROPERTY_OF(ok[i] == ok[0], "torch-guise-has-form", &works[i].error);
        FUZZ_SAME_UNLESS(!ok[i], forms[i], forms[0], "torch-guise");
    }
    for (size_t i = 0; i < 3; i++) {
        fuzz_end(&works[i]);
    }
}

static void check_epref(const ep_program *program, fuzz_input *input) {
    fuzz_work work;
    ep_built form;
    bool undecided;
    const ep_canon_options options = {
        .form = EP_CANON_EPREF, .undecided = &undecided, .constant = test_no_type};
    fuzz_begin(&work);
    bool ok = ep_canon(program, &work.arena, &options, &form, &work.error);
    FUZZ_PROPERTY_OF(ok || grows(&work), "has-form", &work.error);
    if (ok) {
        fuzz_canon_again(program, form.text);
        check_equivalent(program, input, form.text, undecided);
        check_change(program, input, form.text);
    }
    fuzz_end(&work);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = fuzz_split(data, size);
    fuzz_work work;
    const ep_program *program;
    fuzz_begin(&work);
    if (fuzz_decode(&work, input.text, &program)) {
        check_torch(program, input.text);
        if (ep_check(program, &work.arena, NULL, &work.error)) {
            check_epref(program, &input);
            if (test_holds(input.text, "guards_code")) { /* before, other things are sorted */
                check_torch_guise(program, &input);
            }
        }
    }
    fuzz_end(&work);
    return 0;
}
