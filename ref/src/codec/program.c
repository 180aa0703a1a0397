/*
 * codec/program.c - the public entry points. A file names its version near its end. The
 * version is guessed from there, the document is decoded once, and the guess is
 * confirmed. Only when that fails is the file read again: first its wire level, then
 * its version, then the types of that version and of shapes that once had the same
 * number. The fault of the first level that does not hold is reported (SPEC 1.2,
 * 1.5.1).
 */
#include "base/locate.h"
#include "codec/decode.h"
#include "schema/wire.h"
#include "json/lexer.h"
#include "json/number.h"

EP_API const char *ep_library_version(void) {
    return EPREF_VERSION_STRING;
}

EP_API ep_limits ep_limits_default(void) {
    return (ep_limits){
        .bytes = (size_t)1 << 30,
        .depth = 1000,
        .values = 500 * 1000 * 1000,
        .string = (size_t)256 << 20,
    };
}

EP_API ep_decode_options ep_decode_options_default(void) {
    return (ep_decode_options){.limits = ep_limits_default()};
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* What the caller asked for, within what the tree can hold. */
static ep_decode_options effective_options(const ep_decode_options *options) {
    ep_decode_options all = options != NULL ? *options : ep_decode_options_default();
    all.limits.bytes = smaller(all.limits.bytes, EP_REF_OFFSET_MAX);
    all.limits.depth = smaller(all.limits.depth, EP_DEPTH_MAX);
    all.limits.string = smaller(all.limits.string, EP_REF_SIZE_MAX);
    return all;
}

/* No bytes at all may come without an address. */
static ep_bytes with_address(ep_bytes input) {
    return input.size > 0 ? input : EP_TEXT("");
}

/* ------------------------------------------------------------ version header */

typedef struct header {
    int32_t major;
    int32_t minor; /* -1 for a bare integer */
} header;

/* An integer of the header: not negative, and of 31 bits. SPEC 3.1.2 */
static bool read_part(ep_lexer *lexer, int32_t *part) {
    const char *start = lexer->p;
    ep_number number;
    int64_t value = -1;
    char c;
    TRY(ep_lex_peek(lexer, &c));
    start = lexer->p;
    if (ep_is_digit(c)) {
        TRY(ep_lex_number(lexer, &number));
        if (!number.integer || !ep_number_read_int(number.text, number.size, &value)) {
            value = -1;
        }
    }
    if (value < 0 || value > INT32_MAX) {
        return ep_lex_fail(lexer, EP_VERSION_MALFORMED, start);
    }
    *part = (int32_t)value;
    return true;
}

/* One member of the header; others than major and minor are left for the
 * decoder to judge. */
static bool read_header_member(ep_lexer *lexer, ep_wire *wire, header *found) {
    ep_ref key;
    char c;
    TRY(ep_lex_peek(lexer, &c));
    if (c != '"') {
        return ep_lex_unexpected(lexer);
    }
    TRY(ep_lex_string(lexer, &key) && ep_lex_byte(lexer, ':'));
    if (ep_text_is(lexer->begin, key, EP_TEXT("major"))) {
        return read_part(lexer, &found->major);
    }
    if (ep_text_is(lexer->begin, key, EP_TEXT("minor"))) {
        return read_part(lexer, &found->minor);
    }
    return ep_wire_value(wire);
}

/* The value of schema_version; the lexer stands before it. SPEC 3.1.2 */
static bool read_header(ep_lexer *lexer, ep_wire *wire, header *found) {
    char c;
    *found = (header){-1, -1};
    TRY(ep_lex_peek(lexer, &c));
    const char *start = lexer->p;
    if (c != '{') {
        return read_part(lexer, &found->major);
    }
    for (bool first = true;; first = false) {
        if (first) {
            lexer->p++;
        }
        TRY(ep_lex_peek(lexer, &c));
        if (c == '}') {
            break;
        }
        if (!first) {
            TRY(ep_lex_byte(lexer, ','));
        }
        TRY(read_header_member(lexer, wire, found));
    }
    if (found->major < 0 || found->minor < 0) {
        return ep_lex_fail(lexer, EP_VERSION_MALFORMED, start);
    }
    return true;
}

/* ------------------------------------------------------------------- a reading */

/* The state of one call of ep_decode. */
typedef struct reading {
    ep_attempt attempt;
    ep_decode_options options;
    ep_arena_mark mark; /* the arena before any attempt */
    const ep_version *tried;
    const ep_node *root;
    const char *version_at; /* where the file says its version */
    header header;
} reading;

static ep_lexer lexer_of(reading *r, ep_fault *fault) {
    ep_bytes input = r->attempt.input;
    return (ep_lexer){
        .begin = input.data,
        .p = input.data,
        .end = input.data + input.size,
        .string_limit = r->options.limits.string,
        .fault = fault,
    };
}

/* The number at the end of the input, as PyTorch writes it there; the latest
 * version when it is not found. No more than a guess. */
static const ep_version *guess_version(reading *r) {
    enum { TAIL = 4096 };
    static const char key[] = "\"schema_version\": ";
    ep_fault fault;
    ep_wire wire;
    ep_lexer lexer = lexer_of(r, &fault);
    const ep_version *found = NULL;
    ep_wire_init(&wire, r->attempt.arena, &lexer, &r->options.limits);
    size_t size = r->attempt.input.size;
    size_t first = size > TAIL ? size - TAIL : 0;
    for (size_t at = size; at-- > first;) {
        if (size - at > sizeof key && lexer.begin[at] == '"' &&
            memcmp(lexer.begin + at, key, sizeof key - 1) == 0) {
            header guess;
            lexer.p = lexer.begin + at + sizeof key - 1;
            if (read_header(&lexer, &wire, &guess)) {
                found = ep_version_of_number(guess.major, guess.minor, r->options.forward);
            }
            break; /* one try: others would be read again and again */
        }
    }
    ep_wire_free(&wire);
    return found != NULL ? found : ep_version_find("latest");
}

/* Reads the document as a version; memory of an earlier attempt is freed. */
static bool attempt_version(reading *r, const ep_version *version, bool forward) {
    ep_arena_rewind(r->attempt.arena, r->mark);
    r->tried = version;
    r->attempt.forward = forward;
    r->attempt.passed_over = false;
    r->attempt.schema = ep_schema_make(r->attempt.arena, version);
    if (r->attempt.schema == NULL) {
        return ep_fault_set(&r->attempt.fault, EP_MEMORY, 0);
    }
    return ep_decode_as(&r->attempt, &r->root);
}

/* Whether the number in the decoded program is one that the version has. */
static bool has_number(const reading *r) {
    const ep_version *v = r->tried;
    const ep_type *type = r->attempt.schema->root;
    uint64_t bits = r->root->slots[ep_type_find(type, "schema_version", 14)];
    if (v->minor < 0) {
        return (int64_t)bits == v->major;
    }
    const ep_node *node = ep_node_at(bits);
    int64_t minor = (int64_t)node->slots[1];
    return (int64_t)node->slots[0] == v->major && v->minor <= minor && minor <= v->minor_last;
}

/* The version's number, where the scan of the wire found it. */
static bool judge_header(reading *r, ep_wire *wire, ep_fault *fault) {
    ep_lexer *lexer = wire->lexer;
    r->header = (header){-1, -1};
    if (r->version_at == NULL) {
        return true;
    }
    ep_fault *whole = lexer->fault;
    lexer->fault = fault;
    lexer->p = r->version_at;
    wire->values = 0; /* they have been counted */
    bool ok = read_header(lexer, wire, &r->header);
    lexer->fault = whole;
    if (!ok) {
        r->header = (header){-1, -1};
    }
    return ok;
}

/* Validates the whole wire level, and finds the version on the way. */
static bool judge_wire(reading *r, ep_wire *wire) {
    ep_fault fault;
    TRY(ep_wire_document(wire));
    r->version_at = wire->version;
    bool ok = judge_header(r, wire, &fault);
    const ep_version *version = ep_version_of_number(r->header.major, r->header.minor, true);
    bool bare = version != NULL && version->nonfinite == EP_NONFINITE_BARE;
    if (wire->nonfinite != NULL && !bare) { /* SPEC 2.7.1 */
        return ep_lex_fail(wire->lexer, EP_NONFINITE, wire->nonfinite);
    }
    if (!ok) {
        r->attempt.fault = fault;
    }
    return ok;
}

static bool is_of_wire(ep_code code) {
    return ep_code_level(code) == EP_LEVEL_WIRE;
}

/* ------------------------------------------------------------ second thoughts */

/* The last byte that is no white space: the end of the outermost value. */
static size_t last_byte(ep_bytes input) {
    size_t at = input.size;
    /* LCOV_EXCL_START it holds a bracket */
    while (at > 1 && (unsigned char)input.data[at - 1] <= ' ') {
        /* LCOV_EXCL_STOP */
        at--;
    }
    return at - 1;
}

static bool fail_at_version(reading *r, ep_code code) {
    return ep_fault_set(&r->attempt.fault, code, (size_t)(r->version_at - r->attempt.input.data));
}

/* The version to decode as, from the file's number and the caller's demand. */
static bool choose_version(reading *r, const ep_version **version, bool *forward) {
    ep_bytes input = r->attempt.input;
    const ep_version *wanted = r->options.version;
    if (r->version_at == NULL) { /* SPEC 3.1.1 */
        return ep_fault_set(&r->attempt.fault, EP_VERSION_MISSING, last_byte(input));
    }
    const ep_version *exact = ep_version_of_number(r->header.major, r->header.minor, false);
    if (wanted != NULL) {
        bool form = (wanted->minor < 0) == (r->header.minor < 0);
        bool major = form && wanted->major == r->header.major;
        bool same =
            major && wanted->minor <= r->header.minor && r->header.minor <= wanted->minor_last;
        *version = wanted;
        *forward = r->options.forward && major && wanted->minor_last < r->header.minor;
        if (!same && !*forward) {
            return fail_at_version(r, EP_VERSION_MISMATCH); /* SPEC 3.1.4 */
        }
        return true;
    }
    *version = exact;
    *forward = false;
    if (exact == NULL && r->options.forward) { /* SPEC 3.10.1 */
        *version = ep_version_of_number(r->header.major, r->header.minor, true);
        *forward = true;
    }
    if (*version == NULL) {
        return fail_at_version(r, EP_VERSION_UNKNOWN); /* SPEC 3.1.3 */
    }
    return true;
}

/* Whether a key of this name begins at a byte, spelled without escapes. */
static bool is_key_at(ep_bytes input, size_t at, ep_bytes name) {
    size_t colon = at + name.size + 2;
    if (colon >= input.size || memcmp(input.data + at + 1, name.data, name.size) != 0 ||
        input.data[colon - 1] != '"') {
        return false;
    }
    /* LCOV_EXCL_START a brace follows */
    while (colon < input.size && (unsigned char)input.data[colon] <= ' ') {
        /* LCOV_EXCL_STOP */
        colon++;
    }
    return colon < input.size && input.data[colon] == ':'; /* LCOV_EXCL_BR_LINE a brace follows */
}

/* SPEC 3.1.5: the document holds the sibling's marker as a key, or does not
 * when the marker says "-". */
static bool is_marked(ep_bytes input, const ep_version *sibling) {
    if (sibling->marker == NULL) {
        return false;
    }
    bool wanted = sibling->marker[0] != '-';
    ep_bytes name = ep_text_of(sibling->marker + !wanted);
    for (size_t at = 0; at < input.size; at++) {
        if (input.data[at] == '"' && is_key_at(input, at, name)) {
            return wanted;
        }
    }
    return !wanted;
}

/* Tries the shapes that once had the same number; if none fits, the fault of the
 * number's owner is kept. SPEC 3.1.5 */
static bool try_siblings(reading *r, const ep_version *owner) {
    ep_fault fault = r->attempt.fault;
    for (size_t i = 0; ep_version_at(i) != NULL; i++) {
        const ep_version *v = ep_version_at(i);
        if (v->major != owner->major || v->minor != owner->minor ||
            !is_marked(r->attempt.input, v)) { /* no owner has a mark */
            continue;
        }
        if (attempt_version(r, v, false)) {
            return true;
        }
        if (r->attempt.fault.code == EP_MEMORY) { /* not the document's fault */
            return false;
        }
    }
    r->attempt.fault = fault;
    return false;
}

/* SPEC 3.4.1: without an object there is no version to look for. */
static bool check_root(reading *r) {
    size_t root = 0;
    while ((unsigned char)r->attempt.input.data[root] <= ' ') {
        root++;
    }
    if (r->attempt.input.data[root] == '{') {
        return true;
    }
    ep_fault_set(&r->attempt.fault, EP_TYPE, root);
    r->attempt.fault.expected = "an ExportedProgram, which is an object";
    return false;
}

/* After a first attempt that failed, or was of the wrong version. */
static bool reconsider(reading *r, bool decoded) {
    ep_wire wire;
    ep_lexer lexer = lexer_of(r, &r->attempt.fault);
    ep_fault fault = r->attempt.fault;
    const ep_version *tried = r->tried;
    const ep_version *version = NULL;
    bool forward = false;
    if (!decoded && fault.code == EP_MEMORY) {
        return false;
    }
    ep_arena_rewind(r->attempt.arena, r->mark);
    ep_wire_init(&wire, r->attempt.arena, &lexer, &r->options.limits);
    bool ok = judge_wire(r, &wire);
    ep_wire_free(&wire);
    TRY(ok);
    TRY(check_root(r) && choose_version(r, &version, &forward));
    bool again = decoded || version != tried || forward;
    r->attempt.fault = fault;
    if (again && attempt_version(r, version, forward)) {
        return true;
    }
    if (r->attempt.fault.code == EP_MEMORY) { /* not the document's fault */
        return false;
    }
    /* LCOV_EXCL_START the two readers of the wire agree */
    if (is_of_wire(r->attempt.fault.code) && r->attempt.fault.code != EP_NONFINITE) {
        r->attempt.fault.code = EP_INTERNAL; /* the two readers of the wire disagree */
        return false;
    }
    /* LCOV_EXCL_STOP */
    return r->options.version == NULL && !forward && try_siblings(r, version);
}

static bool finish(reading *r, const ep_program **program) {
    ep_program *made = ep_arena_alloc(r->attempt.arena, sizeof *made);
    if (made == NULL) {
        return ep_fault_set(&r->attempt.fault, EP_MEMORY, 0);
    }
    *made = (ep_program){
        .schema = r->attempt.schema,
        .input = r->attempt.input,
        .root = r->root,
        .partial = r->attempt.passed_over,
    };
    *program = made;
    return true;
}

EP_API bool ep_decode(ep_arena *arena, ep_bytes input, const ep_decode_options *options,
                      const ep_program **program, ep_error *error) {
    if (program != NULL) {
        *program = NULL;
    }
    if (arena == NULL || program == NULL || !ep_text_is_there(input)) {
        return ep_error_argument(error, EP_NULL_GIVEN);
    }
    input = with_address(input);
    reading r = {
        .attempt = {.arena = arena, .input = input},
        .options = effective_options(options),
        .mark = ep_arena_now(arena),
    };
    r.attempt.options = &r.options;
    bool too_long = input.size > r.options.limits.bytes;
    const ep_version *wanted = r.options.version;
    bool decoded = !too_long && attempt_version(&r, wanted ? wanted : guess_version(&r), false);
    bool ok = (decoded && has_number(&r)) || reconsider(&r, decoded);
    ok = ok && finish(&r, program);
    if (!ok) {
        ep_arena_rewind(arena, r.mark); /* SPEC 1.5.5 */
        ep_error_fill(error, input, &r.attempt.fault);
        return false;
    }
    ep_error_clear(error);
    return true;
}

/* The shape of the struct of a name; NULL when the version has none. */
static const ep_shape *struct_shape(const ep_schema *schema, const char *name) {
    ep_bytes wanted = ep_text_of(name);
    for (size_t i = 0; i < EP_SHAPE_COUNT; i++) {
        const ep_shape *shape = &schema->shapes[i];
        if (shape->op == EP_OP_STRUCT && shape->type != NULL &&
            ep_text_equal(ep_text_of(shape->type->name), wanted)) {
            return shape;
        }
    }
    return NULL;
}

/* No struct but a program may hold bare NaN. SPEC 2.7.1 */
static bool judge_wire_alone(reading *r) {
    ep_wire wire;
    ep_lexer lexer = lexer_of(r, &r->attempt.fault);
    ep_wire_init(&wire, r->attempt.arena, &lexer, &r->options.limits);
    bool ok = ep_wire_document(&wire);
    if (ok && wire.nonfinite != NULL) {
        ok = ep_lex_fail(&lexer, EP_NONFINITE, wire.nonfinite);
    }
    ep_wire_free(&wire);
    return ok;
}

/* The wire level, with the limits, is validated first, so that its faults are reported
 * first. */
static bool decode_struct(reading *r, const char *type, const ep_program **made) {
    TRY(judge_wire_alone(r));
    r->attempt.schema = ep_schema_make(r->attempt.arena, r->options.version);
    if (r->attempt.schema == NULL) {
        return ep_fault_set(&r->attempt.fault, EP_MEMORY, 0);
    }
    r->attempt.shape = struct_shape(r->attempt.schema, type);
    if (r->attempt.shape == NULL) {
        return ep_fault_set(&r->attempt.fault, EP_ARGUMENT, 0);
    }
    return ep_decode_as(&r->attempt, &r->root) && finish(r, made);
}

EP_API ep_value ep_decode_struct(ep_arena *arena, ep_bytes input, const ep_decode_options *options,
                                 const char *type, ep_error *error) {
    if (arena == NULL || options == NULL || options->version == NULL || type == NULL ||
        !ep_text_is_there(input)) {
        ep_error_argument(error, EP_NULL_GIVEN);
        return (ep_value){NULL, NULL, 0};
    }
    input = with_address(input);
    reading r = {
        .attempt = {.arena = arena, .input = input},
        .options = effective_options(options),
        .mark = ep_arena_now(arena),
    };
    const ep_program *made = NULL;
    r.attempt.options = &r.options;
    if (!decode_struct(&r, type, &made)) {
        ep_arena_rewind(arena, r.mark); /* SPEC 1.5.5 */
        ep_error_fill(error, input, &r.attempt.fault);
        return (ep_value){NULL, NULL, 0};
    }
    ep_error_clear(error);
    return (ep_value){made, r.attempt.shape, ep_pointer_bits(r.root)};
}

EP_API bool ep_check_wire(ep_arena *arena, ep_bytes input, const ep_decode_options *options,
                          ep_error *error) {
    if (arena == NULL || !ep_text_is_there(input)) {
        return ep_error_argument(error, EP_NULL_GIVEN);
    }
    input = with_address(input);
    reading r = {.attempt = {.arena = arena, .input = input},
                 .options = effective_options(options)};
    ep_wire wire;
    ep_lexer lexer = lexer_of(&r, &r.attempt.fault);
    ep_wire_init(&wire, arena, &lexer, &r.options.limits);
    bool ok = judge_wire(&r, &wire) || !(is_of_wire(r.attempt.fault.code) ||
                                         ep_code_level(r.attempt.fault.code) == EP_LEVEL_NONE);
    ep_wire_free(&wire);
    if (!ok) {
        ep_error_fill(error, input, &r.attempt.fault);
        return false;
    }
    ep_error_clear(error);
    return true;
}

EP_API const ep_version *ep_program_version(const ep_program *program) {
    return program == NULL ? NULL : program->schema->version;
}
