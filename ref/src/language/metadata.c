/*
 * language/metadata.c - see metadata.h. Most bytes of a program are lists of modules
 * and functions, so one table-driven scanner splits both. from_node is read by a loop
 * with a counter of the nesting: every source contains exactly one list, so that no
 * stack is needed.
 */
#include "language/metadata.h"

#include "base/plain.h"
#include "schema/wire.h"
#include "json/lexer.h"
#include "json/number.h"

/*
 * SPEC 4.3. The forms of modules and functions changed at 1-2023-12, which no release
 * wrote, so that nobody can say which of both a file of it has. Each reader and writer
 * does there what it can answer for:
 *
 *   rules        hold no text to a form
 *   a builder    has to choose, and writes the form of all versions from then on
 *   a migration  leaves the text as it is: it turns one only between two forms that
 *                versions are held to
 */
static const ep_metadata_form forms[] = {
#define EVER EP_V1_2023_08, EP_V1_2023_08, EP_FUTURE
#define EARLY EP_V1_2023_08, EP_V1_2023_08, EP_V1_2023_12
#define LATER EP_V1_2023_12, EP_V2, EP_FUTURE
#define SINCE(version) EP_##version, EP_##version, EP_FUTURE
#define ROW(name, key, range, like, ...)                                                           \
    {                                                                                              \
        name, sizeof(name) - 1, EP_METADATA_##key, range, EP_METADATA_##like, {                    \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
    ROW("stack_trace", STACK_TRACE, EVER, OTHER, NULL),
    ROW("nn_module_stack", NN_MODULES_2_1, EARLY, NN_MODULE_STACK, ":(", ",", ")"),
    ROW("nn_module_stack", NN_MODULE_STACK, LATER, NN_MODULES_2_1, ",", ",", ""),
    ROW("source_fn", SOURCE_FN, EARLY, SOURCE_FN_STACK, "", ",", ""),
    ROW("source_fn_stack", SOURCE_FN_STACK, LATER, SOURCE_FN, "", ",", ""),
    ROW("torch_fn", TORCH_FN_KEY, SINCE(V5_3), OTHER, "", ";", ""),
    ROW("custom", CUSTOM_KEY, SINCE(V7_3), OTHER, NULL),
    ROW("from_node", FROM_NODE_KEY, SINCE(V8_17), OTHER, NULL),
#undef ROW
#undef EVER
#undef EARLY
#undef LATER
#undef SINCE
};

static bool is_read(const ep_metadata_form *form, ep_version_number version) {
    return version >= form->since && version < form->until;
}

ep_metadata_key ep_metadata_key_of(ep_bytes key, ep_version_number version) {
    for (size_t i = 0; i < EP_COUNT_OF(forms); i++) {
        const ep_metadata_form *form = &forms[i];
        if (form->name_size == key.size && is_read(form, version) &&
            memcmp(form->name, key.data, key.size) == 0) {
            return (ep_metadata_key)form->key;
        }
    }
    return EP_METADATA_OTHER;
}

const ep_metadata_form *ep_metadata_form_of(ep_metadata_key key) {
    size_t i = 0;
    while (forms[i].key != key && EP_ALWAYS(i + 1 < EP_COUNT_OF(forms))) {
        i++;
    }
    return &forms[i];
}

bool ep_metadata_is_written(const ep_metadata_form *form, ep_version_number version) {
    return version >= form->written && version < form->until;
}

const ep_metadata_form *ep_metadata_turned(ep_metadata_key key, ep_version_number version) {
    for (size_t i = 0; i < EP_COUNT_OF(forms); i++) {
        if (forms[i].like == key && key != EP_METADATA_OTHER && is_read(&forms[i], version)) {
            return &forms[i];
        }
    }
    return NULL;
}

bool ep_metadata_turns(ep_version_number since, ep_version_number until) {
    for (size_t i = 0; i < EP_COUNT_OF(forms); i++) {
        if (is_read(&forms[i], since) &&
            ep_metadata_turned((ep_metadata_key)forms[i].key, until) != NULL) {
            return true;
        }
    }
    return false;
}

/* --------------------------------------------------------- lists of entries */

enum { ENTRY_PARTS = 3 };

/* The bytes that the readers of a language react to. */
typedef enum sign { PLAIN, OPEN, CLOSE, COMMA, SEMICOLON } sign;

static const uint8_t signs_of_modules[256] = {
    ['('] = OPEN, ['['] = OPEN, [')'] = CLOSE, [']'] = CLOSE, [','] = COMMA, [';'] = SEMICOLON,
};

/* As in the readers of PyTorch until 2.1, only round brackets count. */
static const uint8_t signs_2_1[256] = {
    ['('] = OPEN,
    [')'] = CLOSE,
    [','] = COMMA,
    [';'] = SEMICOLON,
};

/* The texts of functions have no brackets that count. Where a text has one function
 * only, the semicolon is no separator, or it separates the two parts as the comma does
 * elsewhere. */
static const uint8_t signs_of_functions[256] = {[','] = COMMA, [';'] = SEMICOLON};
static const uint8_t signs_of_one[256] = {[','] = COMMA};
static const uint8_t signs_of_torch_fn[256] = {[';'] = COMMA};

typedef struct language {
    ep_code code;
    const uint8_t *signs;
    uint8_t parts;    /* of an entry */
    const char *form; /* in messages */
} language;

static const language languages[] = {
    [EP_METADATA_NN_MODULES_2_1] = {EP_METADATA_MODULES, signs_2_1, 2, "key:(path,type)"},
    [EP_METADATA_NN_MODULE_STACK] = {EP_METADATA_MODULES, signs_of_modules, 3, "key,path,type"},
    [EP_METADATA_SOURCE_FN] = {EP_METADATA_SOURCE, signs_of_one, 2, "name,function"},
    [EP_METADATA_SOURCE_FN_STACK] = {EP_METADATA_SOURCE, signs_of_functions, 2, "name,function"},
    [EP_METADATA_TORCH_FN_KEY] = {EP_METADATA_TORCH_FN, signs_of_torch_fn, 2, "name;function"},
};

/* One pass over the text. It counts the entries, or writes them as well. */
typedef struct scan {
    const ep_metadata_reader *reader;
    const language *language;
    ep_metadata_entry *entries; /* NULL: only count */
    size_t count;
    ep_fault *fault;
} scan;

static bool scan_fail(const scan *s, const char *at) {
    return ep_passage_fail(s->reader->passage, s->fault, s->language->code, at, s->language->form);
}

#ifdef EP_PLAIN_SSE2
/* Bits of the bytes that some language reacts to. */
EP_INLINE unsigned signs_16(const char *p) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i round = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(1)), _mm_set1_epi8(')'));
    __m128i open = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('['));
    __m128i close = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(']'));
    __m128i comma = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(','));
    __m128i semicolon = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(';'));
    __m128i square = _mm_or_si128(open, close);
    __m128i other = _mm_or_si128(comma, semicolon);
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(round, _mm_or_si128(square, other)));
}
#endif

/* The next byte that is no plain one, or the end. */
EP_INLINE const char *pass_plain(const uint8_t *signs, const char *p, const char *end) {
#ifdef EP_PLAIN_SSE2
    while (end - p >= 16) {
        unsigned found = signs_16(p);
        p += found == 0 ? 16 : __builtin_ctz(found);
        if (found != 0 && signs[(unsigned char)*p++] != PLAIN) {
            return p - 1;
        }
    }
#endif
    while (p < end && signs[(unsigned char)*p] == PLAIN) {
        p++;
    }
    return p;
}

/*
 * Reads an entry from p: its parts, split at the commas outside of brackets, and its
 * end. The level of brackets is counted as in PyTorch's readers: a comma counts only at
 * level 0, and too many closing brackets make a level below 0.
 */
static bool cut_entry(const scan *s, const char **at, ep_bytes parts[ENTRY_PARTS]) {
    ep_bytes text = s->reader->passage->text;
    const uint8_t *signs = s->language->signs;
    const char *end = text.data + text.size;
    const char *begin = *at;
    const char *p = pass_plain(signs, begin, end);
    size_t found = 0;
    int64_t level = 0;
    for (; p < end; p = pass_plain(signs, p + 1, end)) {
        sign is = (sign)signs[(unsigned char)*p];
        if (is == SEMICOLON) {
            break;
        }
        if (is == COMMA && level == 0) {
            if (found + 1 == s->language->parts) {
                return scan_fail(s, p);
            }
            parts[found++] = (ep_bytes){begin, (size_t)(p - begin)};
            begin = p + 1;
        }
        level += is == OPEN ? 1 : is == CLOSE ? -1 : 0;
    }
    if (found + 1 != s->language->parts) {
        return scan_fail(s, p);
    }
    parts[found] = (ep_bytes){begin, (size_t)(p - begin)};
    *at = p;
    return true;
}

/* Reads key:(path,type) from p: the key up to the opening bracket, then path and type
 * up to the bracket at the end of the entry. */
static bool cut_entry_2_1(const scan *s, const char **at, ep_bytes parts[ENTRY_PARTS]) {
    ep_bytes text = s->reader->passage->text;
    const char *end = text.data + text.size;
    const char *p = *at;
    while (p < end && *p != ':' && *p != ';') {
        p++;
    }
    if (p == end || *p != ':') {
        return scan_fail(s, p);
    }
    ep_bytes key = {*at, (size_t)(p - *at)};
    const char *bracket = p + 1;
    if (bracket == end || *bracket != '(') {
        return scan_fail(s, bracket);
    }
    *at = bracket + 1;
    TRY(cut_entry(s, at, parts));
    if (parts[1].size == 0 || parts[1].data[parts[1].size - 1] != ')') {
        return scan_fail(s, *at);
    }
    parts[2] = (ep_bytes){parts[1].data, parts[1].size - 1};
    parts[1] = parts[0];
    parts[0] = key;
    return true;
}

/* SPEC 4.3.1, 4.3.2, 4.3.3 */
static bool cut_any(const scan *s, const char **at, ep_metadata_entry *entry) {
    ep_bytes parts[ENTRY_PARTS] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    const char *begin = *at;
    if (s->reader->key == EP_METADATA_NN_MODULES_2_1) {
        TRY(cut_entry_2_1(s, at, parts));
    } else {
        TRY(cut_entry(s, at, parts));
    }
    bool function = s->reader->key > EP_METADATA_NN_MODULE_STACK;
    *entry = (ep_metadata_entry){parts[0], function ? parts[2] : parts[1],
                                 function ? parts[1] : parts[2]};
    if (entry->key.size == 0) {
        return scan_fail(s, begin);
    }
    return entry->type.size != 0 || scan_fail(s, entry->type.data);
}

static bool scan_entries(scan *s) {
    ep_bytes text = s->reader->passage->text;
    const char *end = text.data + text.size;
    ep_metadata_entry entry;
    const char *p = text.data;
    for (s->count = 0;; p++) {
        TRY(cut_any(s, &p, s->entries == NULL ? &entry : &s->entries[s->count]));
        s->count++;
        if (p == end) {
            return true;
        }
    }
}

/* Counts and validates first, so that memory is never allocated by a number that the
 * text claims. */
static bool parse_entries(const ep_metadata_reader *reader, ep_metadata *metadata,
                          ep_fault *fault) {
    scan s = {reader, &languages[reader->key], NULL, 0, fault};
    TRY(scan_entries(&s));
    if (metadata == NULL) {
        return true;
    }
    s.entries = ep_arena_array(reader->arena, 0, s.count, sizeof *s.entries);
    if (s.entries == NULL) {
        return ep_passage_fail(reader->passage, fault, EP_MEMORY, reader->passage->text.data, NULL);
    }
    TRY(EP_ALWAYS(scan_entries(&s))); /* it has succeeded once */
    metadata->entries = s.entries;
    metadata->count = s.count;
    return true;
}

/* ------------------------------------------------------------------- custom */

/* A fault of an inner text, placed in the passage. */
static bool inner_fail(const ep_metadata_reader *reader, ep_code code, const ep_fault *inner,
                       ep_fault *fault) {
    const char *at = reader->passage->text.data + inner->offset;
    bool limit = inner->code >= EP_LIMIT_BYTES;
    return ep_passage_fail(reader->passage, fault, limit ? inner->code : code, at, NULL);
}

/* SPEC 4.3.4: any JSON object, bare infinities included, as json.dumps writes them. */
static bool parse_custom(const ep_metadata_reader *reader, ep_fault *fault) {
    ep_bytes text = reader->passage->text;
    ep_fault inner = {.code = EP_OK};
    ep_lexer lexer = {text.data, text.data, text.data + text.size, reader->limits.string, &inner};
    ep_lex_space(&lexer);
    if (lexer.p == lexer.end || *lexer.p != '{') {
        return ep_passage_fail(reader->passage, fault, EP_METADATA_CUSTOM, lexer.p,
                               "a JSON object");
    }
    ep_wire wire;
    ep_wire_init(&wire, reader->arena, &lexer, &reader->limits);
    bool ok = ep_wire_document(&wire);
    ep_wire_free(&wire);
    return ok || inner_fail(reader, EP_METADATA_CUSTOM, &inner, fault);
}

/* ---------------------------------------------------------------- from_node */

/* The words of a source, while sources are collected on a stack. */
enum { NAME, TARGET, GRAPH_ID, PASS_NAME, ACTION, LEVEL, SOURCE_WORDS };

typedef struct sources {
    const ep_metadata_reader *reader;
    ep_lexer lexer;
    ep_fault inner;
    ep_stack words; /* SOURCE_WORDS for each, refs and the level */
    uint64_t level;
    bool keep;
} sources;

static bool is_next(const sources *s, ep_bytes text) {
    return (size_t)(s->lexer.end - s->lexer.p) >= text.size &&
           memcmp(s->lexer.p, text.data, text.size) == 0;
}

/* Passes exactly this text; a fault is at the first byte that differs. */
static bool take(sources *s, ep_bytes text) {
    for (size_t i = 0; i < text.size; i++, s->lexer.p++) {
        if (s->lexer.p == s->lexer.end || *s->lexer.p != text.data[i]) {
            return ep_lex_unexpected(&s->lexer);
        }
    }
    return true;
}

/* A string as json.dumps spells it. */
static bool take_string(sources *s, ep_bytes before, ep_ref *ref) {
    TRY(take(s, before));
    if (s->lexer.p == s->lexer.end || *s->lexer.p != '"') {
        return ep_lex_unexpected(&s->lexer);
    }
    const char *begin = s->lexer.p;
    TRY(ep_lex_string(&s->lexer, ref));
    return (ep_ref_flags(*ref) & EP_REF_FOREIGN) == 0 || ep_lex_fail(&s->lexer, EP_SYNTAX, begin);
}

/* An integer of 64 bits, as Python writes it. */
static bool take_integer(sources *s, ep_bytes before, ep_ref *ref) {
    TRY(take(s, before));
    const char *begin = s->lexer.p;
    if (begin == s->lexer.end) {
        return ep_lex_unexpected(&s->lexer);
    }
    ep_number number;
    int64_t value;
    TRY(ep_lex_number(&s->lexer, &number));
    bool zero = number.size == 2 && begin[0] == '-' && begin[1] == '0';
    if (!number.integer || zero || !ep_number_read_int(begin, number.size, &value)) {
        return ep_lex_fail(&s->lexer, EP_NUMBER, begin);
    }
    *ref = ep_ref_make((size_t)(begin - s->lexer.begin), number.size, 0);
    return true;
}

/* Passes actions with a plus between them, or none. */
static bool take_action(sources *s, ep_bytes before, ep_ref *ref) {
    static const char *const actions[] = {"create", "replace"};
    TRY(take(s, before));
    const char *begin = s->lexer.p;
    TRY(take_string(s, EP_TEXT(""), ref));
    const char *end = s->lexer.p - 1;
    const char *p = begin + 1;
    for (bool due = p < end; due;) {
        size_t size = 0;
        for (size_t i = 0; i < EP_COUNT_OF(actions); i++) {
            ep_bytes action = ep_text_of(actions[i]);
            bool there =
                (size_t)(end - p) >= action.size && memcmp(p, action.data, action.size) == 0;
            size = there ? action.size : size;
        }
        p += size;
        due = p < end && *p == '+';
        if (size == 0 || (p < end && !due)) {
            return ep_lex_fail(&s->lexer, EP_SYNTAX, p);
        }
        p += due ? 1 : 0;
    }
    return true;
}

static bool fits_depth(sources *s, uint64_t nested) {
    if (nested > s->reader->limits.depth) {
        return ep_lex_fail(&s->lexer, EP_LIMIT_DEPTH, s->lexer.p); /* SPEC 1.4.2 */
    }
    return true;
}

/* Reads a source up to the list inside it. */
static bool take_source(sources *s) {
    uint64_t words[SOURCE_WORDS] = {0};
    TRY(fits_depth(s, 2 * s->level + 2));
    TRY(take_string(s, EP_TEXT("{\"name\": "), &words[NAME]));
    TRY(take_string(s, EP_TEXT(", \"target\": "), &words[TARGET]));
    TRY(take_integer(s, EP_TEXT(", \"graph_id\": "), &words[GRAPH_ID]));
    TRY(take_string(s, EP_TEXT(", \"pass_name\": "), &words[PASS_NAME]));
    TRY(take_action(s, EP_TEXT(", \"action\": "), &words[ACTION]));
    TRY(take(s, EP_TEXT(", \"from_node\": ")));
    words[LEVEL] = s->level++;
    for (size_t i = 0; s->keep && i < SOURCE_WORDS; i++) {
        if (!ep_stack_push(&s->words, words[i])) {
            return ep_lex_fail(&s->lexer, EP_MEMORY, s->lexer.p);
        }
    }
    return true;
}

/* Passes the ends of lists and of the sources around them, until another source begins
 * or the text ends. */
static bool take_ends(sources *s, bool *more) {
    for (*more = false; !*more;) {
        TRY(take(s, EP_TEXT("]")));
        if (s->level == 0) {
            return s->lexer.p == s->lexer.end || ep_lex_fail(&s->lexer, EP_TRAILING, s->lexer.p);
        }
        s->level--;
        TRY(take(s, EP_TEXT("}")));
        *more = is_next(s, EP_TEXT(","));
    }
    return take(s, EP_TEXT(", "));
}

/* SPEC 4.3.5: nested lists of sources, as json.dumps writes NodeSource.to_dict. Each
 * round of the loop begins at a list. */
static bool take_sources(sources *s) {
    bool more;
    do {
        more = true;
        TRY(fits_depth(s, 2 * s->level + 1));
        TRY(take(s, EP_TEXT("[")));
        if (is_next(s, EP_TEXT("]"))) {
            TRY(take_ends(s, &more));
        }
        if (more) {
            TRY(take_source(s));
        }
    } while (more);
    return true;
}

static bool keep_sources(const sources *s, ep_metadata *metadata) {
    const char *base = s->lexer.begin;
    size_t count = s->words.count / SOURCE_WORDS;
    ep_node_source *kept = ep_arena_array(s->reader->arena, 0, count, sizeof *kept);
    TRY(kept != NULL);
    for (size_t i = 0; i < count; i++) {
        const uint64_t *words = s->words.words + i * SOURCE_WORDS;
        kept[i] =
            (ep_node_source){ep_ref_raw(base, words[NAME]),     ep_ref_raw(base, words[TARGET]),
                             ep_ref_raw(base, words[GRAPH_ID]), ep_ref_raw(base, words[PASS_NAME]),
                             ep_ref_raw(base, words[ACTION]),   words[LEVEL]};
    }
    metadata->sources = kept;
    metadata->count = count;
    return true;
}

static bool parse_from_node(const ep_metadata_reader *reader, ep_metadata *metadata,
                            ep_fault *fault) {
    ep_bytes text = reader->passage->text;
    if (ep_text_equal(text, EP_TEXT("null"))) {
        return true; /* null in the place of the list (SPEC 4.3.5) */
    }
    sources s = {.reader = reader, .keep = metadata != NULL};
    s.lexer =
        (ep_lexer){text.data, text.data, text.data + text.size, reader->limits.string, &s.inner};
    ep_stack_init(&s.words, reader->arena);
    bool ok = take_sources(&s);
    if (ok && metadata != NULL && !keep_sources(&s, metadata)) {
        ok = ep_lex_fail(&s.lexer, EP_MEMORY, s.lexer.end);
    }
    ep_stack_free(&s.words);
    if (ok && metadata != NULL) {
        metadata->text = (ep_bytes){NULL, 0};
    }
    return ok || inner_fail(reader, EP_METADATA_FROM_NODE, &s.inner, fault);
}

/* -------------------------------------------------------------------- parse */

static bool parse_key(const ep_metadata_reader *reader, ep_metadata *metadata, ep_fault *fault) {
    switch (reader->key) {
    case EP_METADATA_OTHER:
    case EP_METADATA_STACK_TRACE:
        return true;
    case EP_METADATA_CUSTOM_KEY:
        return parse_custom(reader, fault);
    case EP_METADATA_FROM_NODE_KEY:
        return parse_from_node(reader, metadata, fault);
    case EP_METADATA_NN_MODULES_2_1:
    case EP_METADATA_NN_MODULE_STACK:
    case EP_METADATA_SOURCE_FN:
    case EP_METADATA_SOURCE_FN_STACK:
    case EP_METADATA_TORCH_FN_KEY:
        break;
    }
    return parse_entries(reader, metadata, fault);
}

bool ep_metadata_parse(const ep_metadata_reader *reader, const ep_metadata **result,
                       ep_fault *fault) {
    if (result == NULL) {
        return parse_key(reader, NULL, fault);
    }
    *result = NULL;
    ep_metadata *metadata = ep_arena_alloc(reader->arena, sizeof *metadata);
    if (metadata == NULL) {
        return ep_passage_fail(reader->passage, fault, EP_MEMORY, reader->passage->text.data, NULL);
    }
    *metadata = (ep_metadata){.key = reader->key, .text = reader->passage->text};
    TRY(parse_key(reader, metadata, fault));
    *result = metadata;
    return true;
}

/* -------------------------------------------------------------------- print */

/* The output; without data it is only measured. */
typedef struct printer {
    char *data;
    size_t size;
} printer;

static void put(printer *out, ep_bytes text) {
    if (out->data != NULL && text.size > 0) {
        memcpy(out->data + out->size, text.data, text.size);
    }
    out->size += text.size;
}

static void put_entry(printer *out, ep_metadata_key key, const ep_metadata_entry *entry) {
    const ep_metadata_form *form = ep_metadata_form_of(key);
    put(out, entry->key);
    put(out, ep_text_of(form->between[0]));
    put(out, entry->path);
    put(out, ep_text_of(form->between[1]));
    put(out, entry->type);
    put(out, ep_text_of(form->between[2]));
}

static void put_entries(printer *out, const ep_metadata *metadata) {
    for (size_t i = 0; i < metadata->count; i++) {
        put(out, i == 0 ? EP_TEXT("") : EP_TEXT(";"));
        put_entry(out, metadata->key, &metadata->entries[i]);
    }
}

static void put_source(printer *out, const ep_node_source *source) {
    put(out, EP_TEXT("{\"name\": \""));
    put(out, source->name);
    put(out, EP_TEXT("\", \"target\": \""));
    put(out, source->target);
    put(out, EP_TEXT("\", \"graph_id\": "));
    put(out, source->graph_id);
    put(out, EP_TEXT(", \"pass_name\": \""));
    put(out, source->pass_name);
    put(out, EP_TEXT("\", \"action\": \""));
    put(out, source->action);
    put(out, EP_TEXT("\", \"from_node\": ["));
}

static void put_sources(printer *out, const ep_metadata *metadata) {
    uint64_t level = 0; /* of the source that may come next */
    put(out, EP_TEXT("["));
    for (size_t i = 0; i < metadata->count; i++) {
        const ep_node_source *source = &metadata->sources[i];
        bool first = level > source->level;
        for (; level > source->level; level--) {
            put(out, EP_TEXT("]}"));
        }
        put(out, first ? EP_TEXT(", ") : EP_TEXT(""));
        put_source(out, source);
        level++;
    }
    for (; level > 0; level--) {
        put(out, EP_TEXT("]}"));
    }
    put(out, EP_TEXT("]"));
}

static void put_metadata(printer *out, const ep_metadata *metadata) {
    switch (metadata->key) {
    case EP_METADATA_OTHER:
    case EP_METADATA_STACK_TRACE:
    case EP_METADATA_CUSTOM_KEY:
        put(out, metadata->text);
        return;
    case EP_METADATA_FROM_NODE_KEY:
        put(out, metadata->text);
        if (metadata->text.size == 0) {
            put_sources(out, metadata);
        }
        return;
    case EP_METADATA_NN_MODULES_2_1:
    case EP_METADATA_NN_MODULE_STACK:
    case EP_METADATA_SOURCE_FN:
    case EP_METADATA_SOURCE_FN_STACK:
    case EP_METADATA_TORCH_FN_KEY:
        break;
    }
    put_entries(out, metadata);
}

bool ep_metadata_print(const ep_metadata *metadata, ep_arena *arena, ep_bytes *text) {
    printer measure = {NULL, 0};
    put_metadata(&measure, metadata);
    printer out = {ep_arena_alloc(arena, measure.size), 0};
    TRY(out.data != NULL);
    put_metadata(&out, metadata);
    *text = (ep_bytes){out.data, out.size};
    return true;
}
