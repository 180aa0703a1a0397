/*
 * mutator/mutate_text.c - texts of the languages of strings (SPEC part 4): some of each,
 * and changes of one by its tokens. A text within JSON is taken with its
 * escapes, so that what was escaped remains so.
 */
#include "mutator/mutate_texts.def"
#include "mutator/mutate_work.h"

#include <string.h>

/* --------------------------------------------------------------------- words */

#define FUNCTION(symbol, srepr, infix, least, most, step, arguments, result) srepr, infix,
#define OPERATOR(symbol, srepr, open, between, close, least, most, arguments, result)              \
    srepr, between,
static const char *const expression_words[] = {
#include "language/expression.def"
    "Symbol", "Integer", "Float",    "Rational", "true",        "false",     "oo",
    "-oo",    "zoo",     "nan",      "I",        "s0",          "s77",       "u0",
    "z1",     "zuf0",    "positive", "integer",  "nonnegative", "precision", "pi",
    "True",   "False",   "0",        "-",        "~",           "(0)"};
#undef FUNCTION
#undef OPERATOR

#define TREESPEC_TYPE(name, form, since, until) name,
static const char *const treespec_words[] = {
#include "language/treespec_types.def"
    TREESPEC_WORDS};
#undef TREESPEC_TYPE

#define OPERATOR(target, since, until, tags, arguments, returns) target,
static const char *const operators[] = {
#include "rules/operators.inc"
};

#define HIGHER_ORDER(name, since, until) "torch.ops.higher_order." #name,
#define LEGACY(module, name, since, until) module "." #name,
#define FUNCTION(module, name, arguments, takes, gives, since, until) module "." #name,
static const char *const targets[] = {
#include "language/target.def"
    "torch.ops.aten.add.Tensor", "torch.ops.mylib.foo.default", "_operator.add", "math.ceil"};

static const char *const devices[] = {"cpu", "cuda", "meta", "xla", "cuda:0",       "mps",
                                      "",    "_x1",  "9a",   "é",   "privateuseone"};

static const char *const srepr_samples[] = {SREPR_SAMPLES};

/* Of each language the words, and whole texts. */
#define WORDS(array)                                                                               \
    { array, COUNT_OF(array) }
#define TEXTS(...) WORDS(((const char *const[]){__VA_ARGS__}))
static const struct {
    const char *const *words;
    size_t count;
} vocabularies[LANGUAGES][2] = {
    [LANGUAGE_NONE] = {WORDS(devices), WORDS(devices)},
    [LANGUAGE_EXPRESSION] = {WORDS(expression_words), TEXTS(INFIX_SAMPLES)},
    [LANGUAGE_TREESPEC] = {WORDS(treespec_words), TEXTS(TREESPEC_SAMPLES)},
    [LANGUAGE_METADATA] = {TEXTS(METADATA_WORDS), TEXTS(METADATA_SAMPLES)},
    [LANGUAGE_TARGET] = {WORDS(targets), WORDS(targets)},
    [LANGUAGE_GUARD] = {TEXTS(GUARD_WORDS), TEXTS(GUARD_SAMPLES)},
    [LANGUAGE_DEVICE] = {WORDS(devices), WORDS(devices)},
};

static void put_drawn(fuzz_mutator *m, buffer *b, language which, bool whole) {
    size_t i = draw(m, vocabularies[which][whole].count);
    buffer_text(b, vocabularies[which][whole].words[i]);
}

void mutate_make_text(fuzz_mutator *m, buffer *b, language which) {
    bool srepr = m->table.schema != NULL && m->table.schema->version->major >= 8;
    if (which == LANGUAGE_EXPRESSION && srepr == !once_in(m, 8)) {
        buffer_text(b, DRAW_FROM(m, srepr_samples));
    } else if (which == LANGUAGE_TARGET && !once_in(m, 3)) {
        buffer_text(b, "torch.ops.");
        buffer_text(b, DRAW_FROM(m, operators));
    } else {
        put_drawn(m, b, which, true);
    }
}

/* -------------------------------------------------------------------- tokens */

typedef struct span {
    size_t begin;
    size_t end;
} span;

enum { TOKENS_MAX = 192 };

typedef struct token_list {
    ep_bytes text;
    language which;
    size_t count;
    span items[TOKENS_MAX];
} token_list;

enum { WORD = 'a', NUMBER = '0', OPEN = '(', CLOSE = ')', MARK = '+' };

static char kind_of(char c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 128;
    return letter || c == '_'                 ? WORD
           : c >= '0' && c <= '9'             ? NUMBER
           : c == '(' || c == '[' || c == '{' ? OPEN
           : c == ')' || c == ']' || c == '}' ? CLOSE
                                              : MARK;
}

static bool in_word(char c) {
    return kind_of(c) == WORD || kind_of(c) == NUMBER || c == '.';
}

static char kind_at(const token_list *list, size_t i) {
    return i < list->count ? kind_of(list->text.data[list->items[i].begin]) : MARK;
}

/* Behind the token that begins at a place. An escape is one, and so is a run of
 * the backslashes of an escape within an escape. */
static size_t token_end(ep_bytes text, size_t at) {
    size_t end = at + 1;
    bool escape = text.data[at] == '\\';
    bool word = in_word(text.data[at]) && text.data[at] != '.';
    while (end < text.size && (escape ? text.data[end] == '\\' : word && in_word(text.data[end]))) {
        end++;
    }
    return escape && end < text.size ? end + 1 : end;
}

/* The tokens of a text; of a long one those from a drawn place on. */
static void read_tokens(fuzz_mutator *m, token_list *list) {
    ep_bytes text = list->text;
    size_t at = text.size > 1024 ? draw(m, text.size - 512) : 0;
    while (at < text.size && list->count < TOKENS_MAX) {
        size_t end = token_end(text, at);
        list->items[list->count] = (span){at, end};
        list->count += text.data[at] != ' ';
        at = end;
    }
}

/* What belongs together with a token: up to the bracket that closes it, with
 * the name before that; or itself alone. */
static span draw_run(fuzz_mutator *m, const token_list *list) {
    size_t first = draw(m, list->count);
    size_t depth = 0;
    bool called = kind_at(list, first) == WORD && kind_at(list, first + 1) == OPEN;
    for (size_t i = first + called; i < list->count; i++) {
        depth += kind_at(list, i) == OPEN;
        depth -= depth > 0 && kind_at(list, i) == CLOSE;
        if (depth == 0) {
            return (span){list->items[first].begin, list->items[i].end};
        }
    }
    return list->items[first];
}

/* ------------------------------------------------------------------- changes */

/* Each puts what comes for the span that it returns. */

static void put_span(fuzz_mutator *m, const token_list *list, span s) {
    buffer_put(&m->spare, list->text.data + s.begin, s.end - s.begin);
}

/* A token of a kind; any, where a few draws give none. */
static size_t draw_token(fuzz_mutator *m, const token_list *list, char kind) {
    size_t at = draw(m, list->count);
    for (size_t tries = 0; tries < 24 && kind_at(list, at) != kind; tries++) {
        at = draw(m, list->count);
    }
    return at;
}

/* For a number or a mark another one, for a word one of the language or of the text. */
static span change_token(fuzz_mutator *m, const token_list *list) {
    static const char *const numbers[] = {TEXT_NUMBERS};
    static const char *const marks[] = {TEXT_MARKS};
    static const char kinds[] = {NUMBER, NUMBER, WORD, WORD, MARK};
    size_t at = draw_token(m, list, DRAW_FROM(m, kinds));
    char kind = kind_at(list, at);
    if (kind == NUMBER) {
        buffer_text(&m->spare, DRAW_FROM(m, numbers));
    } else if (kind != WORD) {
        buffer_text(&m->spare, DRAW_FROM(m, marks));
    } else if (once_in(m, 2)) {
        put_span(m, list, list->items[draw_token(m, list, WORD)]);
    } else {
        put_drawn(m, &m->spare, list->which, false);
    }
    return list->items[at];
}

/* A run goes, or comes several times; or a word and it, a call or bracket around it, or
 * another one come for it. */
static span change_run(fuzz_mutator *m, const token_list *list) {
    span run = draw_run(m, list);
    size_t times = once_in(m, 8) ? 2 + draw(m, 32) : 2;
    bool square = list->which == LANGUAGE_TREESPEC || once_in(m, 8);
    size_t way = draw(m, 6);
    for (size_t i = 1; i < times && way == 1; i++) {
        if (!square) {
            put_drawn(m, &m->spare, list->which, false);
        }
        buffer_text(&m->spare, square ? "[" : "(");
    }
    for (size_t i = 1; i < times && way == 2; i++) {
        const char *comma = list->which == LANGUAGE_METADATA ? ";" : ", ";
        put_span(m, list, run);
        buffer_text(&m->spare, once_in(m, 4) ? "" : comma);
    }
    if (way == 3) {
        put_drawn(m, &m->spare, list->which, false);
    }
    if (way > 0) {
        put_span(m, list, way < 4 ? run : draw_run(m, list));
    }
    for (size_t i = 1; i < times && way == 1; i++) {
        buffer_text(&m->spare, square ? "]" : once_in(m, 4) ? ", 2)" : ")");
    }
    return run;
}

/* A byte of the text for another, or once more. */
static span change_byte(fuzz_mutator *m, const token_list *list) {
    static const char *const bytes[] = {TEXT_BYTES};
    size_t at = draw(m, list->text.size);
    bool twice = once_in(m, 2) && in_word(list->text.data[at]);
    buffer_put(&m->spare, list->text.data + at, twice);
    buffer_text(&m->spare, twice ? "" : DRAW_FROM(m, bytes));
    return (span){at, twice ? at : at + 1};
}

bool mutate_change_text(fuzz_mutator *m, ep_bytes text, language which) {
    token_list list = {.text = text, .which = which};
    read_tokens(m, &list);
    if (list.count == 0 || once_in(m, 8)) {
        mutate_make_text(m, &m->with, which);
        return true;
    }
    size_t drawn = draw(m, 12);
    buffer_clear(&m->spare);
    span s = drawn == 0  ? change_byte(m, &list)
             : drawn < 6 ? change_token(m, &list)
                         : change_run(m, &list);
    buffer_put(&m->with, text.data, s.begin);
    buffer_put(&m->with, m->spare.data, m->spare.size);
    buffer_put(&m->with, text.data + s.end, text.size - s.end);
    return true;
}
