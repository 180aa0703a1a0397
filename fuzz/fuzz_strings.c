/*
 * fuzz_strings.c - the languages inside strings (SPEC part 4): what is parsed is
 * printed as the text that it was read from; an expression that the other form
 * can say comes back from there, and comes to the same number. The input is a byte for the
 * language, and for a depth that is less than the default; one for the version; and the text.
 */
#include "expression_value.h"
#include "fuzz.h"

#include "language/embedded.h"
#include "language/expression.h"
#include "language/guard.h"
#include "language/metadata.h"
#include "language/respell.h"
#include "language/target.h"
#include "language/treespec.h"
#include "json/number.h"

/* A text in a language, of a version. */
typedef struct speech {
    fuzz_work *work;
    ep_passage passage;
    ep_version_number version;
    size_t depth; /* that the parser may take */
    ep_fault fault;
} speech;

/* A refusal is at a byte of the text; what is printed is the text. */
static void check_printed(const speech *s, bool printed, ep_bytes text) {
    FUZZ_PROPERTY(printed, "prints");
    FUZZ_SAME(text, s->passage.text, "printed");
}

static bool told(const speech *s, bool ok) {
    FUZZ_PROPERTY(ok == (s->fault.code == EP_OK), "fault-is-told");
    FUZZ_PROPERTY(s->fault.offset <= s->passage.text.size, "fault-place");
    return ok;
}

/* ---------------------------------------------------------------- expressions */

static ep_expression_options expression_options(ep_expression_form form, ep_sort sort) {
    return (ep_expression_options){.form = form, .sort = sort, .depth = ep_limits_default().depth};
}

/* An expression in the form that it is not in. False when that cannot say it, has
 * another type for it, since of a symbol's name it makes its own assumptions
 * (7.5.1), or takes that name for a word of its own (4.1.5). */
static bool respell(const speech *s, const ep_expression *from, const ep_expression **to,
                    ep_passage *passage) {
    ep_expression_form other =
        from->form == EP_EXPRESSION_INFIX ? EP_EXPRESSION_SREPR : EP_EXPRESSION_INFIX;
    ep_expression_options options = expression_options(other, from->sort);
    ep_fault fault = {.code = EP_OK};
    bool sayable;
    *passage = (ep_passage){.offset = 0};
    FUZZ_PROPERTY(ep_respell(from, &s->work->arena, &sayable, &passage->text), "respells");
    passage->raw = passage->text;
    if (!sayable || ep_expression_parse(&s->work->arena, passage, &options, to, &fault)) {
        return sayable;
    }
    FUZZ_PROPERTY(fault.code == EP_EXPR_TYPE || fault.code == EP_EXPR_SYMBOL ||
                      fault.code == EP_LIMIT_DEPTH,
                  "respelled");
    return false;
}

/* What it comes to, whatever stands for its symbols. */
static void check_value(const speech *s, ep_bytes text) {
    fuzz_value before = fuzz_value_of(s->passage.text, &fuzz_any_symbols);
    fuzz_value after = fuzz_value_of(text, &fuzz_any_symbols);
    FUZZ_PROPERTY(fuzz_values_agree(before, after), "respelled-value");
}

/* There, back, and there again: the second time is as the first. */
static void check_respelled(const speech *s, const ep_expression *expression) {
    const ep_expression *there;
    const ep_expression *back;
    const ep_expression *again;
    ep_passage texts[3];
    bool there_is = respell(s, expression, &there, &texts[0]);
    if (there_is) {
        check_value(s, texts[0].text);
    }
    if (there_is && respell(s, there, &back, &texts[1]) && respell(s, back, &again, &texts[2])) {
        FUZZ_SAME(texts[0].text, texts[2].text, "respelled-there-and-back");
    }
}

/* The parentheses that are open at a time. */
static size_t depth_of(ep_bytes text) {
    size_t open = 0;
    size_t most = 0;
    for (size_t i = 0; i < text.size; i++) {
        open += text.data[i] == '(';
        open -= text.data[i] == ')';
        most = open > most ? open : most;
    }
    return most;
}

static void speak_expression(speech *s, unsigned kind) {
    ep_expression_options options =
        expression_options((ep_expression_form)(kind % 2), (ep_sort)(kind / 2));
    options.depth = s->depth;
    const ep_expression *expression;
    ep_bytes text;
    bool ok = ep_expression_parse(&s->work->arena, &s->passage, &options, &expression, &s->fault);
    if (told(s, ok)) {
        FUZZ_PROPERTY(depth_of(s->passage.text) <= s->depth + 1, "depth"); /* 1: a literal's */
        check_printed(s, ep_expression_print(expression, &s->work->arena, &text), text);
        check_respelled(s, expression);
    }
}

/* --------------------------------------------------------------- other languages */

static bool no_named_tuple(void *context, ep_bytes name, size_t *fields) {
    (void)context;
    *fields = 2;
    return name.size % 2 == 0;
}

/* Passes a part of the text of a tree spec. */
static void pass(ep_bytes *left, ep_bytes part) {
    FUZZ_PROPERTY(left->size >= part.size && memcmp(left->data, part.data, part.size) == 0,
                  "tree-spec-text");
    *left = (ep_bytes){left->data + part.size, left->size - part.size};
}

/* What was read, written again, is the text (SPEC 4.2.2). */
static void check_nodes(ep_bytes *left, const ep_treespec_node *node) {
    pass(left, EP_TEXT("{\"type\": "));
    pass(left, node->type_text);
    pass(left, EP_TEXT(", \"context\": "));
    pass(left, node->context);
    pass(left, EP_TEXT(", \"children_spec\": ["));
    for (const ep_treespec_node *child = node->first; child != NULL; child = child->next) {
        check_nodes(left, child);
        pass(left, child->next != NULL ? EP_TEXT(", ") : EP_TEXT(""));
    }
    pass(left, EP_TEXT("]}"));
}

static void check_treespec(ep_bytes text, const ep_treespec *spec) {
    char protocol[EP_INT_TEXT_SIZE];
    pass(&text, EP_TEXT("["));
    pass(&text, (ep_bytes){protocol, ep_number_print_int(spec->protocol, protocol)});
    pass(&text, EP_TEXT(", "));
    check_nodes(&text, spec->root);
    FUZZ_PROPERTY(text.size == 1 && text.data[0] == ']', "tree-spec-end");
}

static void speak_treespec(speech *s, unsigned kind) {
    ep_treespec_options options = {.depth = ep_limits_default().depth,
                                   .version = s->version,
                                   .find = kind == 0 ? NULL : no_named_tuple};
    const ep_treespec *spec;
    bool ok = ep_treespec_parse(&s->work->arena, &s->passage, &options, &spec, &s->fault);
    if (told(s, ok)) {
        check_treespec(s->passage.text, spec);
    }
}

static void speak_metadata(speech *s, unsigned kind) {
    ep_metadata_reader reader = {.arena = &s->work->arena,
                                 .passage = &s->passage,
                                 .key = (ep_metadata_key)kind,
                                 .limits = ep_limits_default()};
    const ep_metadata *metadata;
    ep_bytes text;
    ep_fault judged = {.code = EP_OK};
    bool ok = ep_metadata_parse(&reader, &metadata, &s->fault);
    FUZZ_PROPERTY(ep_metadata_parse(&reader, NULL, &judged) == ok, "judged-as-read");
    FUZZ_PROPERTY(judged.code == s->fault.code && judged.offset == s->fault.offset, "judged-at");
    if (told(s, ok)) {
        check_printed(s, ep_metadata_print(metadata, &s->work->arena, &text), text);
    }
}

/* The tokens partition the text. */
static void check_guard(ep_bytes text, const ep_guard *guard) {
    size_t at = 0;
    for (size_t i = 0; i < guard->count; i++) {
        FUZZ_PROPERTY(guard->tokens[i].offset == at &&
                          ep_guard_text(guard, i).data == text.data + at,
                      "guard-token");
        at += guard->tokens[i].size;
    }
    FUZZ_PROPERTY(at == text.size, "guard-tokens");
}

static void speak_guard(speech *s, unsigned kind) {
    const ep_guard *guard;
    (void)kind;
    if (told(s, ep_guard_parse(&s->work->arena, &s->passage, ep_limits_default().depth, &guard,
                               &s->fault))) {
        check_guard(s->passage.text, guard);
    }
}

static void speak_target(speech *s, unsigned kind) {
    ep_target target;
    (void)kind;
    if (told(s, ep_target_parse(&s->passage, s->version, &target, &s->fault))) {
        FUZZ_PROPERTY(target.name.size > 0 && target.ns.size > 0, "target-parts");
    }
}

/* Words that are only judged: any answer will do. */
static void speak_word(speech *s, unsigned kind) {
    ep_bytes text = s->passage.text;
    (void)kind;
    (void)ep_device_type_valid(text);
    (void)ep_verifier_known(text, s->version);
    (void)ep_torch_version_valid(text);
}

static void speak_embedded(speech *s, unsigned kind) {
    (void)kind;
    told(s, ep_embedded_check(&s->work->arena, &s->passage, ep_limits_default().depth,
                              EP_METADATA_CUSTOM, &s->fault));
}

/* A number is the nearest double, and the shortest text of that reads as it. */
static void speak_float(speech *s, unsigned kind) {
    double value;
    double again;
    char text[EP_FLOAT_SIZE];
    (void)kind;
    if (ep_float_read(s->passage.text, &value) && value - value == 0) {
        size_t size = ep_float_text(value, text);
        FUZZ_PROPERTY(size <= EP_FLOAT_SIZE, "float-size");
        FUZZ_PROPERTY(ep_float_read((ep_bytes){text, size}, &again), "float-is-read");
        FUZZ_PROPERTY(memcmp(&value, &again, sizeof value) == 0, "float-again");
    }
}

/* ------------------------------------------------------------------- languages */

typedef struct language {
    void (*speak)(speech *s, unsigned kind);
    unsigned kind;
} language;

static const language languages[] = {
    {speak_expression, 0},
    {speak_expression, 1},
    {speak_expression, 2},
    {speak_expression, 3},
    {speak_expression, 4},
    {speak_expression, 5},
    {speak_treespec, 0},
    {speak_treespec, 1},
    {speak_guard, 0},
    {speak_target, 0},
    {speak_word, 0},
    {speak_embedded, 0},
    {speak_float, 0},
    {speak_metadata, EP_METADATA_OTHER},
    {speak_metadata, EP_METADATA_NN_MODULES_2_1},
    {speak_metadata, EP_METADATA_NN_MODULE_STACK},
    {speak_metadata, EP_METADATA_SOURCE_FN},
    {speak_metadata, EP_METADATA_SOURCE_FN_STACK},
    {speak_metadata, EP_METADATA_TORCH_FN_KEY},
    {speak_metadata, EP_METADATA_CUSTOM_KEY},
    {speak_metadata, EP_METADATA_FROM_NODE_KEY},
};

enum { LANGUAGES = sizeof languages / sizeof *languages };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) {
        return 0;
    }
    const language *l = &languages[data[0] % LANGUAGES];
    size_t depth = data[0] / LANGUAGES;
    ep_bytes text = fuzz_bytes(data + 2, size - 2);
    fuzz_work work;
    fuzz_begin(&work);
    if (fuzz_is_utf8(text)) { /* as strings of a decoded program are */
        speech s = {.work = &work,
                    .passage = {.text = text, .raw = text},
                    .version = (ep_version_number)(data[1] % test_version_count()),
                    .depth = depth == 0 ? ep_limits_default().depth : depth};
        l->speak(&s, l->kind);
    }
    fuzz_end(&work);
    return 0;
}
