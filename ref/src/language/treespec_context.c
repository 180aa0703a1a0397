/*
 * language/treespec_context.c - see treespec_context.h. A context is JSON in the text
 * of the tree spec, or JSON in a string in it. Either way the reader places a fault at
 * the byte of the file.
 */
#include "language/treespec_context.h"

#include "json/keys.h"
#include "json/number.h"

#define TREESPEC_TYPE(name, form, since, until)                                                    \
    {{name, sizeof(name) - 1}, EP_TREESPEC_FORM_##form, EP_##since, EP_##until},
static const ep_treespec_type types[] = {
#include "language/treespec_types.def"
};
#undef TREESPEC_TYPE

#define TREESPEC_MODULE(module) {module, sizeof(module) - 1},
static const ep_bytes closed_modules[] = {
#include "language/treespec_types.def"
};
#undef TREESPEC_MODULE

static const ep_treespec_type registered = {
    {"", 0}, EP_TREESPEC_FORM_ANY, EP_V1_2023_08, EP_FUTURE};

typedef struct key_range {
    uint8_t since;
    uint8_t until;
} key_range;

#define TREESPEC_KEY(kind, since, until) [EP_TREESPEC_KEY_##kind] = {EP_##since, EP_##until},
static const key_range key_ranges[] = {
#include "language/treespec_types.def"
};
#undef TREESPEC_KEY

/* ------------------------------------------------------------------- names */

static bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

/* Past an identifier; where it stood if there is none. */
static const char *pass_identifier(const char *p, const char *end) {
    const char *begin = p;
    while (p < end && (is_word_byte(*p) || (p > begin && ep_is_digit(*p)))) {
        p++;
    }
    return p;
}

/* Past an identifier or one in angles, as in f.<locals>.<lambda>; NULL if there
 * is neither. */
static const char *pass_part(const char *p, const char *end) {
    bool angles = p < end && *p == '<';
    const char *begin = p + angles;
    p = pass_identifier(begin, end);
    if (p == begin || (angles && (p == end || *p != '>'))) {
        return NULL;
    }
    return p + angles;
}

/* A module's or a type's name, with its module or without. */
static bool is_name(ep_bytes name) {
    const char *p = name.data;
    const char *end = name.data + name.size;
    for (;; p++) {
        p = pass_part(p, end);
        if (p == NULL) {
            return false;
        }
        if (p == end || *p != '.') {
            return p == end;
        }
    }
}

static bool is_of_closed_module(ep_bytes name) {
    for (size_t i = 0; i < EP_COUNT_OF(closed_modules); i++) {
        ep_bytes module = closed_modules[i];
        if (name.size >= module.size && memcmp(name.data, module.data, module.size) == 0) {
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------- types */

static bool is_in(uint8_t since, uint8_t until, ep_version_number version) {
    return since <= (unsigned)version && (unsigned)version < until;
}

/* A row of a name: of the version, or any if the version has none. */
static const ep_treespec_type *type_row_of(ep_bytes name, ep_version_number version) {
    const ep_treespec_type *other = NULL;
    for (size_t i = 0; i < EP_COUNT_OF(types); i++) {
        if (ep_text_equal(types[i].name, name)) {
            if (is_in(types[i].since, types[i].until, version)) {
                return &types[i];
            }
            other = &types[i];
        }
    }
    return other;
}

static bool fail_version(const ep_embedded *reader, const ep_treespec_type *type, const char *at) {
    const ep_version *until = ep_version_at(type->until);
    ep_embedded_fail_with(reader, EP_TREESPEC_TYPE, at);
    reader->fault->since = ep_version_at(type->since)->name;
    /* what is gone has a row after it, so that this is one that is not there yet */
    reader->fault->until = EP_ALWAYS(until == NULL) ? NULL : until->name;
    return false;
}

bool ep_treespec_type_find(const ep_embedded *reader, const ep_treespec_options *options,
                           ep_treespec_node *node, const char *at) {
    node->type = type_row_of(node->name, options->version);
    if (node->type != NULL) {
        return is_in(node->type->since, node->type->until, options->version) ||
               fail_version(reader, node->type, at);
    }
    node->type = &registered;
    if (!is_name(node->name) || is_of_closed_module(node->name)) {
        return ep_embedded_fail_with(reader, EP_TREESPEC_TYPE, at); /* SPEC 4.2.3 */
    }
    return true;
}

/* -------------------------------------------------------------------- keys */

/* A context being read. Keys are gathered as pairs of words: where, and kind. */
typedef struct reading {
    ep_embedded reader;
    const ep_treespec_options *options;
    ep_treespec_node *node;
    ep_stack found;
} reading;

static ep_treespec_key_kind kind_of(char c) {
    switch (c) {
    case '"':
        return EP_TREESPEC_KEY_STRING;
    case 'n':
        return EP_TREESPEC_KEY_NULL;
    case 't':
    case 'f':
        return EP_TREESPEC_KEY_BOOL;
    case '{':
        return EP_TREESPEC_KEY_ENUM;
    default:
        return EP_TREESPEC_KEY_INT;
    }
}

/* "module:Class" of an enum */
static bool is_enum_name(ep_bytes name) {
    size_t colon = 0;
    while (colon < name.size && name.data[colon] != ':') {
        colon++;
    }
    return colon < name.size && is_name((ep_bytes){name.data, colon}) &&
           is_name((ep_bytes){name.data + colon + 1, name.size - colon - 1});
}

/* A string whose text a rule checks. */
static bool read_text(reading *c, ep_bytes *text, const char **at) {
    ep_passage inner;
    ep_ref ref;
    *at = c->reader.lexer.p;
    TRY(ep_embedded_string(&c->reader, &ref));
    if (!ep_passage_open_inner(&inner, c->reader.arena, c->reader.passage, ref)) {
        return ep_embedded_fail_with(&c->reader, EP_MEMORY, *at);
    }
    *text = inner.text;
    return true;
}

static bool read_name(reading *c, bool (*holds)(ep_bytes), const char *expected) {
    ep_bytes text;
    const char *at;
    TRY(read_text(c, &text, &at));
    return holds(text) || ep_embedded_fail(&c->reader, at, expected);
}

static bool read_enum(reading *c) {
    TRY(ep_embedded_expect(&c->reader, EP_TEXT("{\"__enum__\": true, \"fqn\": ")));
    TRY(read_name(c, is_enum_name, "module:Class"));
    TRY(ep_embedded_expect(&c->reader, EP_TEXT(", \"name\": ")));
    TRY(read_name(c, is_name, "a name"));
    return ep_embedded_expect(&c->reader, EP_TEXT("}"));
}

/* SPEC 4.2.4: an integer of 64 bits, or a float. */
static bool read_number(reading *c, ep_treespec_key_kind *kind) {
    const char *at = c->reader.lexer.p;
    ep_number number;
    int64_t value;
    TRY(ep_embedded_number(&c->reader, &number));
    *kind = number.integer ? EP_TREESPEC_KEY_INT : EP_TREESPEC_KEY_FLOAT;
    if (number.integer && !ep_number_read_int(number.text, number.size, &value)) {
        return ep_embedded_fail(&c->reader, at, "an integer of 64 bits");
    }
    return true;
}

/* Skips the rest of a key after its first byte. */
static bool read_key(reading *c, ep_treespec_key_kind *kind, unsigned *flags) {
    ep_embedded *in = &c->reader;
    ep_ref ref;
    switch (*kind) {
    case EP_TREESPEC_KEY_STRING:
        TRY(ep_embedded_string(in, &ref));
        *flags = ep_ref_flags(ref);
        return true;
    case EP_TREESPEC_KEY_NULL:
        return ep_embedded_expect(in, EP_TEXT("null"));
    case EP_TREESPEC_KEY_BOOL:
        return ep_embedded_expect(in, ep_embedded_at(in, 't') ? EP_TEXT("true") : EP_TEXT("false"));
    case EP_TREESPEC_KEY_ENUM:
        return read_enum(c);
    case EP_TREESPEC_KEY_INT:
    case EP_TREESPEC_KEY_FLOAT:
        break;
    }
    return read_number(c, kind);
}

/* One key, onto the stack. */
static bool gather_key(reading *c, bool only_strings) {
    ep_lexer *lexer = &c->reader.lexer;
    const char *at = lexer->p;
    unsigned flags = 0;
    ep_treespec_key_kind kind =
        at == lexer->end || only_strings ? EP_TREESPEC_KEY_STRING : kind_of(*at);
    TRY(read_key(c, &kind, &flags));
    if (!is_in(key_ranges[kind].since, key_ranges[kind].until, c->options->version)) {
        return ep_embedded_fail(&c->reader, at, "a key of this version");
    }
    size_t quotes = kind == EP_TREESPEC_KEY_STRING;
    ep_ref ref = ep_ref_make((size_t)(at - lexer->begin) + quotes,
                             (size_t)(lexer->p - at) - 2 * quotes, flags);
    return (ep_stack_push(&c->found, ref) && ep_stack_push(&c->found, kind)) ||
           ep_embedded_fail_with(&c->reader, EP_MEMORY, at);
}

/* Writes a text that is the same for keys that Python takes for one key of a dict, as
 * 1, 1.0 and true are. Beyond 64 bits no integer equals a float. */
static size_t write_identity(const ep_treespec_key *key, char *text) {
    char *p = text;
    bool string = key->kind == EP_TREESPEC_KEY_STRING;
    *p++ = string ? '"' : ' ';
    if (key->kind == EP_TREESPEC_KEY_BOOL) {
        *p++ = key->text.data[0] == 't' ? '1' : '0';
        return 2;
    }
    if (key->kind == EP_TREESPEC_KEY_FLOAT) {
        double value = ep_number_read_float(key->text.data, key->text.size);
        bool fits = value >= -9223372036854775808.0 && value < 9223372036854775808.0;
        if (fits && (double)(int64_t)value == value) {
            return 1 + ep_number_print_int((int64_t)value, p);
        }
    }
    memcpy(p, key->text.data, key->text.size);
    return 1 + key->text.size;
}

/* The first key that repeats an earlier one, the count if there is none; false
 * for want of memory. */
static bool find_repeat(reading *c, const ep_treespec_key *keys, size_t n, size_t *second) {
    ep_arena *arena = c->reader.arena;
    ep_arena_mark mark = ep_arena_now(arena);
    size_t size = 0;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) { /* in all no more than some times the text */
        size += keys[i].text.size + 1 + EP_INT_TEXT_SIZE;
    }
    char *buffer = ep_arena_alloc(arena, size);
    ep_ref *refs = ep_arena_array(arena, 0, n, sizeof(ep_ref));
    TRY(buffer != NULL && refs != NULL);
    for (size_t i = 0; i < n; i++) {
        size_t length = write_identity(&keys[i], buffer + at);
        refs[i] = ep_ref_make(at, length, 0);
        at += length;
    }
    TRY(ep_keys_find_repeat(buffer, refs, n, &c->found, second));
    ep_arena_rewind(arena, mark);
    return true;
}

/* Makes the keys of what is on the stack; false for want of memory. */
static bool make_keys(reading *c, ep_treespec_key *keys, size_t n) {
    const ep_passage *passage = c->reader.passage;
    for (size_t i = 0; i < n; i++) {
        ep_ref ref = c->found.words[2 * i];
        ep_passage inner;
        TRY(ep_passage_open_inner(&inner, c->reader.arena, passage, ref));
        keys[i].kind = (ep_treespec_key_kind)c->found.words[2 * i + 1];
        keys[i].text = keys[i].kind == EP_TREESPEC_KEY_STRING ? inner.text
                                                              : ep_ref_raw(passage->text.data, ref);
    }
    return true;
}

/* The keys of the node, all different (SPEC 4.2.4). */
static bool take_keys(reading *c) {
    const char *at = c->reader.lexer.p;
    size_t n = c->found.count / 2;
    size_t second = n;
    ep_treespec_key *keys = ep_arena_array(c->reader.arena, 0, n, sizeof(ep_treespec_key));
    if (keys == NULL || !make_keys(c, keys, n) || !find_repeat(c, keys, n, &second)) {
        return ep_embedded_fail_with(&c->reader, EP_MEMORY, at);
    }
    if (second < n) {
        at = c->reader.lexer.begin + ep_ref_offset(c->found.words[2 * second]);
        at -= keys[second].kind == EP_TREESPEC_KEY_STRING;
        return ep_embedded_fail(&c->reader, at, "another key");
    }
    c->node->keys = keys;
    c->node->key_count = n;
    return true;
}

static bool gather_keys(reading *c, bool only_strings) {
    TRY(ep_embedded_expect(&c->reader, EP_TEXT("[")));
    while (!ep_embedded_at(&c->reader, ']')) {
        TRY(c->found.count == 0 || ep_embedded_expect(&c->reader, EP_TEXT(", ")));
        TRY(gather_key(c, only_strings));
    }
    return ep_embedded_expect(&c->reader, EP_TEXT("]"));
}

/* A list of keys, or of strings only. */
static bool read_keys(reading *c, bool only_strings) {
    ep_stack_init(&c->found, c->reader.arena);
    bool ok = gather_keys(c, only_strings) && take_keys(c);
    ep_stack_free(&c->found);
    return ok;
}

/* ---------------------------------------------------------------- contexts */

static bool read_null(reading *c, ep_treespec_arity *arity) {
    (void)arity;
    return ep_embedded_expect(&c->reader, EP_TEXT("null"));
}

static bool read_dict(reading *c, ep_treespec_arity *arity) {
    TRY(read_keys(c, false));
    arity->least = arity->most = c->node->key_count;
    return true;
}

static bool read_maxlen(reading *c, ep_treespec_arity *arity) {
    const char *at = c->reader.lexer.p;
    ep_number number;
    int64_t value;
    if (ep_embedded_at(&c->reader, 'n')) {
        return read_null(c, arity);
    }
    TRY(ep_embedded_number(&c->reader, &number));
    if (!number.integer || !ep_number_read_int(number.text, number.size, &value) || value < 0) {
        return ep_embedded_fail(&c->reader, at, "a length");
    }
    /* LCOV_EXCL_START no integer of 64 bits is too large */
    arity->most = (uint64_t)value < SIZE_MAX ? (size_t)value : SIZE_MAX;
    /* LCOV_EXCL_STOP */
    return true;
}

static bool read_factory(reading *c, ep_treespec_arity *arity) {
    TRY(ep_embedded_expect(&c->reader, EP_TEXT("{\"default_factory_module\": ")));
    TRY(read_name(c, is_name, "a module"));
    TRY(ep_embedded_expect(&c->reader, EP_TEXT(", \"default_factory_name\": ")));
    TRY(read_name(c, is_name, "a name"));
    TRY(ep_embedded_expect(&c->reader, EP_TEXT(", \"dict_context\": ")));
    TRY(read_dict(c, arity));
    return ep_embedded_expect(&c->reader, EP_TEXT("}"));
}

static bool read_fields(reading *c, ep_treespec_arity *arity) {
    TRY(ep_embedded_expect(&c->reader, EP_TEXT("{\"class_name\": ")));
    TRY(read_name(c, is_name, "a name"));
    TRY(ep_embedded_expect(&c->reader, EP_TEXT(", \"fields\": ")));
    TRY(read_keys(c, true));
    arity->least = arity->most = c->node->key_count;
    return ep_embedded_expect(&c->reader, EP_TEXT("}"));
}

/* Takes the number of fields from the program; false if it has no such name. */
static bool find_fields(const reading *c, ep_bytes name, ep_treespec_arity *arity) {
    size_t fields;
    const ep_treespec_options *options = c->options;
    TRY(options->find != NULL && options->find(options->find_context, name, &fields));
    arity->least = arity->most = fields;
    return true;
}

static bool read_registered_name(reading *c, ep_treespec_arity *arity) {
    ep_bytes name;
    const char *at;
    TRY(read_text(c, &name, &at));
    if (!is_name(name)) {
        return ep_embedded_fail(&c->reader, at, "a type's name");
    }
    if (!find_fields(c, name, arity) && c->options->find != NULL) {
        return ep_embedded_fail_with(&c->reader, EP_TREESPEC_NAMEDTUPLE, at); /* SPEC 4.2.6 */
    }
    return true;
}

/* A type that a user registered. Its context has a meaning only to those who registered
 * it; but the class of a named tuple may have its own name here. */
static bool read_any(reading *c, ep_treespec_arity *arity) {
    c->reader.lexer.p += c->node->context.size;
    find_fields(c, c->node->name, arity);
    return true;
}

static bool read_form(reading *c, ep_treespec_arity *arity) {
    switch ((ep_treespec_form)c->node->type->form) {
    case EP_TREESPEC_FORM_NULL:
        return read_null(c, arity);
    case EP_TREESPEC_FORM_KEYS:
        return read_dict(c, arity);
    case EP_TREESPEC_FORM_MAXLEN:
        return read_maxlen(c, arity);
    case EP_TREESPEC_FORM_FACTORY:
        return read_factory(c, arity);
    case EP_TREESPEC_FORM_FIELDS:
        return read_fields(c, arity);
    case EP_TREESPEC_FORM_NAME:
        return read_registered_name(c, arity);
    case EP_TREESPEC_FORM_ANY:
        break;
    }
    return read_any(c, arity);
}

/* Whether the context of a form is JSON in a string. */
static bool is_inner(uint8_t form) {
    return form == EP_TREESPEC_FORM_NULL || form == EP_TREESPEC_FORM_KEYS ||
           form == EP_TREESPEC_FORM_MAXLEN;
}

/* Of the rows of a name that the version has, the one whose context is an object
 * when this one is. */
static void settle_type(ep_treespec_node *node, ep_version_number version) {
    bool object = node->context.data[0] == '{';
    for (size_t i = 0; i < EP_COUNT_OF(types); i++) {
        bool fits = is_in(types[i].since, types[i].until, version) &&
                    ep_text_equal(types[i].name, node->name) &&
                    (types[i].form == EP_TREESPEC_FORM_FIELDS) == object;
        if (fits) {
            node->type = &types[i];
        }
    }
}

/* Sets the reader before the JSON of the context, which ends with its text. */
static bool open_context(reading *c, const ep_embedded *reader, ep_passage *inner) {
    ep_fault *fault = reader->fault;
    ep_bytes context = c->node->context;
    ep_ref ref;
    ep_embedded_begin(&c->reader, reader->arena, reader->passage, EP_TREESPEC_CONTEXT, fault);
    c->reader.lexer.p = context.data;
    c->reader.lexer.end = context.data + context.size;
    if (!is_inner(c->node->type->form)) {
        return true;
    }
    TRY(ep_embedded_string(&c->reader, &ref));
    if (!ep_passage_open_inner(inner, reader->arena, reader->passage, ref)) {
        return ep_embedded_fail_with(reader, EP_MEMORY, context.data);
    }
    ep_embedded_begin(&c->reader, reader->arena, inner, EP_TREESPEC_CONTEXT, fault);
    return true;
}

bool ep_treespec_context_read(const ep_embedded *reader, const ep_treespec_options *options,
                              ep_treespec_node *node, ep_treespec_arity *arity) {
    reading c = {.options = options, .node = node};
    ep_passage inner;
    *arity = (ep_treespec_arity){0, SIZE_MAX};
    settle_type(node, options->version);
    TRY(open_context(&c, reader, &inner));
    TRY(read_form(&c, arity));
    return ep_embedded_end(&c.reader); /* SPEC 4.2.4 */
}
