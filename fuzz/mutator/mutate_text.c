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

static const char *const metadata_words[] = {METADATA_WORDS};

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

static const char *const guard_words[] = {GUARD_WORDS};

static const char *const devices[] = {"cpu", "cuda", "meta", "xla", "cuda:0",       "mps",
                                      "",    "_x1",  "9a",   "é",   "privateuseone"};

static const char *const infix_samples[] = {INFIX_SAMPLES};
static const char *const srepr_samples[] = {SREPR_SAMPLES};
static const char *const treespec_samples[] = {TREESPEC_SAMPLES};
static const char *const metadata_samples[] = {METADATA_SAMPLES};
static const char *const guard_samples[] = {GUARD_SAMPLES};

typedef struct word_list {
    const char *const *words;
    size_t count;
} word_list;

/* Of each language the words, and whole texts. */
#define WORDS(array)                                                                               \
    { array, COUNT_OF(array) }
static const word_list vocabularies[LANGUAGES][2] = {
    [LANGUAGE_NONE] = {WORDS(devices), WORDS(devices)},
    [LANGUAGE_EXPRESSION] = {WORDS(expression_words), WORDS(infix_samples)},
    [LANGUAGE_TREESPEC] = {WORDS(treespec_words), WORDS(treespec_samples)},
    [LANGUAGE_METADATA] = {WORDS(metadata_words), WORDS(metadata_samples)},
    [LANGUAGE_TARGET] = {WORDS(targets), WORDS(targets)},
    [LANGUAGE_GUARD] = {WORDS(guard_words), WORDS(guard_samples)},
    [LANGUAGE_DEVICE] = {WORDS(devices), WORDS(devices)},
};

static const char *draw_word(fuzz_mutator *m, word_list list) {
    return list.words[draw(m, list.count)];
}

void mutate_make_text(fuzz_mutator *m, buffer *b, language which) {
    bool srepr = m->table.schema != NULL && m->table.schema->version->major >= 8;
    if (which == LANGUAGE_EXPRESSION && srepr == !once_in(m, 8)) {
        buffer_text(b, DRAW_FROM(m, srepr_samples));
    } else if (which == LANGUAGE_TARGET && !once_in(m, 3)) {
        buffer_text(b, "torch.ops.");
        buffer_text(b, DRAW_FROM(m, operators));
    } else {
        buffer_text(b, draw_word(m, vocabularies[which][1]));
    }
}

/* -------------------------------------------------------------------- tokens */

typedef enum token_kind {
    TOKEN_WORD,
    TOKEN_NUMBER,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_MARK
} token_kind;

typedef struct token {
    size_t begin;
    size_t end;
    token_kind kind;
} token;

enum { TOKENS_MAX = 192 };

typedef struct token_list {
    ep_bytes text;
    language which;
    size_t count;
    token items[TOKENS_MAX];
} token_list;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}

static bool in_word(char c) {
    return is_letter(c) || is_digit(c) || c == '.';
}

static token_kind kind_of(char c) {
    if (is_letter(c)) {
        return TOKEN_WORD;
    }
    if (is_digit(c)) {
        return TOKEN_NUMBER;
    }
    if (c == '(' || c == '[' || c == '{') {
        return TOKEN_OPEN;
    }
    return c == ')' || c == ']' || c == '}' ? TOKEN_CLOSE : TOKEN_MARK;
}

/* Behind the token that begins at a place. An escape is one, and so is a run of
 * the backslashes of an escape within an escape. */
static size_t token_end(ep_bytes text, size_t at, token_kind kind) {
    size_t end = at + 1;
    while (text.data[at] == '\\' && end < text.size && text.data[end] == '\\') {
        end++;
    }
    if (text.data[at] == '\\') {
        return end < text.size ? end + 1 : end;
    }
    while ((kind == TOKEN_WORD || kind == TOKEN_NUMBER) && end < text.size &&
           in_word(text.data[end])) {
        end++;
    }
    return end;
}

/* The tokens of a text; of a long one those from a drawn place on. */
static void read_tokens(fuzz_mutator *m, token_list *list) {
    ep_bytes text = list->text;
    size_t at = text.size > 1024 ? draw(m, text.size - 512) : 0;
    while (at < text.size && list->count < TOKENS_MAX) {
        token_kind kind = kind_of(text.data[at]);
        size_t end = token_end(text, at, kind);
        if (text.data[at] != ' ') {
            list->items[list->count++] = (token){at, end, kind};
        }
        at = end;
    }
}

/* A run of tokens: from the first to before the last. */
typedef struct token_run {
    size_t first;
    size_t last;
} token_run;

/* What belongs together with a token: up to the bracket that closes it, with
 * the name before that; or itself alone. */
static token_run run_at(const token_list *list, size_t first) {
    size_t at = first;
    if (at + 1 < list->count && list->items[at].kind == TOKEN_WORD &&
        list->items[at + 1].kind == TOKEN_OPEN) {
        at++;
    }
    size_t depth = 0;
    for (size_t i = at; i < list->count; i++) {
        depth += list->items[i].kind == TOKEN_OPEN;
        depth -= depth > 0 && list->items[i].kind == TOKEN_CLOSE;
        if (depth == 0) {
            return (token_run){first, i + 1};
        }
    }
    return (token_run){first, first + 1};
}

static token_run draw_run(fuzz_mutator *m, const token_list *list) {
    return run_at(list, draw(m, list->count));
}

/* ------------------------------------------------------------------- changes */

/* Each puts what comes for the tokens that it returns. */

static void put_run(fuzz_mutator *m, const token_list *list, token_run run) {
    size_t begin = list->items[run.first].begin;
    buffer_put(&m->spare, list->text.data + begin, list->items[run.last - 1].end - begin);
}

static void put_word(fuzz_mutator *m, const token_list *list) {
    buffer_text(&m->spare, draw_word(m, vocabularies[list->which][0]));
}

/* A token of a kind; the count of all when there is none. */
static size_t draw_token(fuzz_mutator *m, const token_list *list, token_kind kind) {
    size_t first = draw(m, list->count);
    for (size_t i = 0; i < list->count; i++) {
        size_t at = (first + i) % list->count;
        if (list->items[at].kind == kind) {
            return at;
        }
    }
    return list->count;
}

/* For a number or a mark another one, for a word one of the language or of the text. */
static token_run change_token(fuzz_mutator *m, const token_list *list) {
    static const char *const numbers[] = {TEXT_NUMBERS};
    static const char *const marks[] = {TEXT_MARKS};
    static const token_kind kinds[] = {TOKEN_NUMBER, TOKEN_NUMBER, TOKEN_WORD, TOKEN_WORD,
                                       TOKEN_MARK};
    token_kind kind = DRAW_FROM(m, kinds);
    size_t at = draw_token(m, list, kind);
    if (at == list->count) {
        return (token_run){0, 0};
    }
    if (kind != TOKEN_WORD) {
        buffer_text(&m->spare, kind == TOKEN_NUMBER ? DRAW_FROM(m, numbers) : DRAW_FROM(m, marks));
    } else if (once_in(m, 2)) {
        size_t other = draw_token(m, list, kind);
        put_run(m, list, (token_run){other, other + 1});
    } else {
        put_word(m, list);
    }
    return (token_run){at, at + 1};
}

/* A run goes, or another one, a word and it, or many of it come for it. */
static token_run change_run(fuzz_mutator *m, const token_list *list) {
    token_run run = draw_run(m, list);
    size_t times = once_in(m, 8) ? 2 + draw(m, 32) : 2;
    switch (draw(m, 5)) {
    case 0:
        break;
    case 1:
        put_word(m, list);
        put_run(m, list, run);
        break;
    case 2:
        for (size_t i = 0; i < times; i++) {
            const char *comma = list->which == LANGUAGE_METADATA ? ";" : ", ";
            buffer_text(&m->spare, i == 0 || once_in(m, 4) ? "" : comma);
            put_run(m, list, run);
        }
        break;
    default:
        put_run(m, list, draw_run(m, list));
    }
    return run;
}

/* A call, or a bracket, around something. */
static token_run wrap_run(fuzz_mutator *m, const token_list *list) {
    token_run run = draw_run(m, list);
    bool square = list->which == LANGUAGE_TREESPEC || once_in(m, 8);
    size_t times = once_in(m, 16) ? 1 + draw(m, 64) : 1;
    for (size_t i = 0; i < times; i++) {
        if (!square) {
            put_word(m, list);
        }
        buffer_text(&m->spare, square ? "[" : "(");
    }
    put_run(m, list, run);
    for (size_t i = 0; i < times; i++) {
        buffer_text(&m->spare, square ? "]" : once_in(m, 4) ? ", 2)" : ")");
    }
    return run;
}

/* A byte of the text for another, or once more. */
static bool change_byte(fuzz_mutator *m, ep_bytes text) {
    static const char *const bytes[] = {TEXT_BYTES};
    size_t at = draw(m, text.size);
    bool twice = once_in(m, 2) && in_word(text.data[at]);
    size_t behind = twice ? at : at + 1;
    buffer_put(&m->with, text.data, twice ? at + 1 : at);
    buffer_text(&m->with, twice ? "" : DRAW_FROM(m, bytes));
    buffer_put(&m->with, text.data + behind, text.size - behind);
    return true;
}

bool mutate_change_text(fuzz_mutator *m, ep_bytes text, language which) {
    token_list list = {.text = text, .which = which};
    read_tokens(m, &list);
    if (list.count == 0 || once_in(m, 8)) {
        mutate_make_text(m, &m->with, which);
        return true;
    }
    size_t drawn = draw(m, 12);
    if (drawn == 0) {
        return change_byte(m, text);
    }
    buffer_clear(&m->spare);
    token_run run = drawn == 1  ? wrap_run(m, &list)
                    : drawn < 7 ? change_token(m, &list)
                                : change_run(m, &list);
    run = run.last > 0 ? run : change_run(m, &list);
    size_t end = list.items[run.last - 1].end;
    buffer_put(&m->with, text.data, list.items[run.first].begin);
    buffer_put(&m->with, m->spare.data, m->spare.size);
    buffer_put(&m->with, text.data + end, text.size - end);
    return true;
}
