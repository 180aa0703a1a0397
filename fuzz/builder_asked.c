/*
 * builder_asked.c - whether a product of the builder has what the calls asked for, as the
 * functions that read programs say.
 */
#include "builder_play.h"
#include "expression_value.h"

#include <string.h>

typedef struct comparison {
    const play_asked *asked;
    fuzz_work work;
    fuzz_symbols symbols;
} comparison;

/* A double has no more digits than of integers below 2^53. */
static fuzz_value number(int64_t value) {
    static const int64_t most = INT64_C(1) << 53;
    return (fuzz_value){(double)value, -most < value && value < most, true};
}

/* What a symbol was said to stand for. */
static fuzz_value find_hint(void *context, ep_bytes name) {
    const play_asked *asked = context;
    for (size_t i = 0; i < asked->symbol_count; i++) {
        ep_bytes known = {asked->symbols[i].name, strlen(asked->symbols[i].name)};
        if (fuzz_same(known, name) && !asked->symbols[i].several) {
            return number(asked->symbols[i].hint);
        }
    }
    return (fuzz_value){0, false, false};
}

/* -------------------------------------------------------------------- expressions */

static bool text_of(comparison *c, ep_value said, ep_bytes *text) {
    ep_value inner = ep_value_field(said, "expr_str");
    return ep_value_text(ep_value_kind(inner) == EP_KIND_NULL ? said : inner, &c->work.arena, text);
}

/* A hint is what the expression comes to with those of its symbols. */
static void expect_hint(comparison *c, ep_value expression) {
    ep_value hint = ep_value_field(expression, "hint");
    ep_value whole = ep_value_field(hint, "as_int");
    ep_value truth = ep_value_field(hint, "as_bool");
    ep_bytes text;
    if (c->asked->incomplete || !text_of(c, expression, &text)) {
        return;
    }
    fuzz_value value = fuzz_value_of(text, &c->symbols);
    if (ep_value_kind(whole) == EP_KIND_INT) {
        FUZZ_PROPERTY(fuzz_values_agree(value, number(ep_value_int(whole))), "asked-hint");
    } else if (ep_value_kind(truth) == EP_KIND_BOOL) {
        FUZZ_PROPERTY(fuzz_values_agree(value, number(ep_value_int(truth))), "asked-truth");
    }
}

static void look(void *context, ep_value value) {
    comparison *c = context;
    const char *type = ep_value_type(value);
    if (type != NULL && strcmp(type, "SymExpr") == 0) {
        expect_hint(c, value);
    }
}

/* ------------------------------------------------------------------------- inputs */

static void expect_inputs(comparison *c, const ep_program *product) {
    const play_asked *asked = c->asked;
    ep_signature *signature;
    ep_signature_entry entry;
    if (!asked->specs || asked->incomplete ||
        !ep_signature_open(product, &c->work.arena, &signature, &c->work.error)) {
        return;
    }
    FUZZ_PROPERTY(ep_signature_input_count(signature) == asked->input_count, "asked-inputs");
    for (size_t i = 0; ep_signature_input(signature, i, &entry); i++) {
        ep_input_kind kind = asked->inputs[i].kind;
        ep_bytes name = {asked->inputs[i].name, strlen(asked->inputs[i].name)};
        if (kind == EP_INPUT_BUFFER_NOT_PERSISTENT && !asked->persistent) {
            kind = EP_INPUT_BUFFER;
        }
        bool user = kind == EP_INPUT_CONSTANT && entry.kind == EP_INPUT_USER; /* before 5.4 */
        FUZZ_PROPERTY(entry.kind == (int)kind || user, "asked-kind");
        FUZZ_PROPERTY(kind == EP_INPUT_USER || kind == EP_INPUT_TOKEN ||
                          kind == EP_INPUT_CONSTANT || fuzz_same(entry.target, name),
                      "asked-name");
    }
}

void play_expect_asked(const play_asked *asked, const ep_program *product) {
    comparison c = {.asked = asked};
    play_asked copy = *asked;
    c.symbols = (fuzz_symbols){find_hint, &copy};
    fuzz_begin(&c.work);
    fuzz_walk(ep_program_root(product), look, &c);
    expect_inputs(&c, product);
    fuzz_end(&c.work);
}
