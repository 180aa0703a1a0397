/*
 * schema/wire.c - see wire.h. A pushdown automaton: one loop and a stack of frames. A
 * frame is one word, because a container has to remember only where its keys begin.
 */
#include "schema/wire.h"

#include "json/keys.h"

enum { IN_ARRAY = 0, IN_OBJECT = 1 };

void ep_wire_init(ep_wire *wire, ep_arena *arena, ep_lexer *lexer, const ep_limits *limits) {
    *wire = (ep_wire){.lexer = lexer, .limits = *limits};
    ep_stack_init(&wire->frames, arena);
    ep_stack_init(&wire->keys, arena);
}

void ep_wire_free(ep_wire *wire) {
    ep_stack_free(&wire->frames);
    ep_stack_free(&wire->keys);
}

static bool no_memory(const ep_wire *wire) {
    return ep_lex_fail(wire->lexer, EP_MEMORY, wire->lexer->p);
}

static bool push_frame(ep_wire *wire, uint64_t kind) {
    const ep_lexer *lexer = wire->lexer;
    if (wire->frames.count >= wire->limits.depth) {
        return ep_lex_fail(wire->lexer, EP_LIMIT_DEPTH, lexer->p); /* SPEC 1.4.2 */
    }
    if (!ep_stack_push(&wire->frames, (uint64_t)wire->keys.count << 1 | kind)) {
        return no_memory(wire);
    }
    wire->lexer->p++;
    return true;
}

static uint64_t top_frame(const ep_wire *wire) {
    return wire->frames.words[wire->frames.count - 1];
}

/* SPEC 2.5.1 */
static bool check_keys(ep_wire *wire, size_t base) {
    const char *input = wire->lexer->begin;
    size_t n = wire->keys.count - base;
    size_t second;
    if (n <= 1) {
        wire->keys.count = base;
        return true;
    }
    const ep_ref *refs = wire->keys.words + base;
    if (!ep_keys_find_repeat(input, refs, n, &wire->frames, &second)) {
        return no_memory(wire);
    }
    if (second < n) {
        ep_lex_fail(wire->lexer, EP_DUPLICATE_KEY, input + ep_ref_offset(refs[second]) - 1);
        wire->lexer->fault->place = EP_PLACE_KEY;
        return false;
    }
    wire->keys.count = base;
    return true;
}

static bool pop_frame(ep_wire *wire) {
    uint64_t frame = top_frame(wire);
    if ((frame & 1) == IN_OBJECT) {
        TRY(check_keys(wire, (size_t)(frame >> 1)));
    }
    wire->frames.count--;
    wire->lexer->p++;
    return true;
}

static bool pass_scalar(ep_wire *wire, char c) {
    ep_lexer *lexer = wire->lexer;
    const char *start = lexer->p;
    ep_ref ref;
    ep_number number;
    ep_word word;
    if (c == '"') {
        return ep_lex_string(lexer, &ref);
    }
    if (ep_lex_is_number(lexer)) {
        return ep_lex_number(lexer, &number);
    }
    TRY(ep_lex_word(lexer, &word));
    if (word >= EP_WORD_INFINITY && wire->nonfinite == NULL) {
        wire->nonfinite = start; /* whether it may be there depends on the version */
    }
    return true;
}

static bool begins_value(char c) {
    static const bool begins[128] = {
        ['{'] = true, ['['] = true, ['"'] = true, ['-'] = true, ['t'] = true,
        ['f'] = true, ['n'] = true, ['I'] = true, ['N'] = true, ['0'] = true,
        ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true,
        ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true};
    return (unsigned char)c < sizeof begins && begins[(unsigned char)c];
}

/* A value's first token: a scalar whole, a container's bracket. */
static bool begin_value(ep_wire *wire) {
    char c;
    TRY(ep_lex_peek(wire->lexer, &c));
    if (!begins_value(c)) {
        return ep_lex_unexpected(wire->lexer); /* SPEC 2.1.2 */
    }
    if (++wire->values > wire->limits.values) {
        return ep_lex_fail(wire->lexer, EP_LIMIT_VALUES, wire->lexer->p); /* SPEC 1.4.3 */
    }
    if (c == '{' || c == '[') {
        return push_frame(wire, c == '{' ? IN_OBJECT : IN_ARRAY);
    }
    return pass_scalar(wire, c);
}

static void note_version(ep_wire *wire, ep_ref key) {
    bool outermost = wire->frames.count == 1;
    if (outermost && ep_text_is(wire->lexer->begin, key, EP_TEXT("schema_version"))) {
        ep_lex_space(wire->lexer);
        wire->version = wire->lexer->p;
    }
}

/* A key and its colon. */
static bool pass_key(ep_wire *wire) {
    ep_lexer *lexer = wire->lexer;
    ep_ref key;
    char c;
    TRY(ep_lex_peek(lexer, &c));
    if (c != '"') {
        return ep_lex_unexpected(lexer);
    }
    TRY(ep_lex_string(lexer, &key));
    if (!ep_stack_push(&wire->keys, key)) {
        return no_memory(wire);
    }
    TRY(ep_lex_byte(lexer, ':'));
    note_version(wire, key);
    return true;
}

/* Inside a container: up to the next value's first token, or its end. fresh:
 * the bracket was just passed. */
static bool next_part(ep_wire *wire, bool fresh) {
    uint64_t kind = top_frame(wire) & 1;
    char c;
    TRY(ep_lex_peek(wire->lexer, &c));
    if (c == (kind == IN_OBJECT ? '}' : ']')) {
        return pop_frame(wire);
    }
    if (!fresh) {
        TRY(ep_lex_byte(wire->lexer, ','));
    }
    if (kind == IN_OBJECT) {
        TRY(pass_key(wire));
    }
    return begin_value(wire);
}

bool ep_wire_value(ep_wire *wire) {
    size_t bottom = wire->frames.count;
    TRY(begin_value(wire));
    for (size_t before = bottom; wire->frames.count > bottom;) {
        bool fresh = wire->frames.count > before;
        before = wire->frames.count;
        TRY(next_part(wire, fresh));
    }
    return true;
}

bool ep_wire_document(ep_wire *wire) {
    TRY(ep_lex_start(wire->lexer, wire->limits.bytes));
    TRY(ep_wire_value(wire));
    return ep_lex_finish(wire->lexer);
}
