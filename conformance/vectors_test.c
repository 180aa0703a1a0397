/*
 * vectors_test.c - runs the conformance vectors on libepref:
 *
 *     vectors_test MANIFEST                the vectors of a manifest
 *     vectors_test --verdicts FILE FOLDER  the verdicts on the files of a folder
 *
 * A failure is a line: the vector, what it wants, what there was. The last
 * line is a count. Exit status: 0 when all vectors hold, and there are any.
 */
#include "digest.h"
#include "vector_bytes.h"

#include <epref.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_SIZE = 1024, WARNINGS_MAX = 128, CONSTANTS_MAX = 16 };

/* ------------------------------------------------------------ what is there */

/* What became of a document. */
typedef struct outcome {
    bool valid;
    ep_error error;
    const char *version; /* that it was decoded as; NULL at the wire level */
    vector_bytes product;
    bool has_product;
    ep_error warnings[WARNINGS_MAX];
    size_t warning_count;
} outcome;

static void *take_block(void *context, size_t size) {
    (void)context;
    return malloc(size);
}

static void give_block(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}

static const ep_allocator allocator = {take_block, give_block, NULL};

static void note_warning(void *context, const ep_error *error) {
    outcome *out = context;
    if (out->warning_count < WARNINGS_MAX) {
        out->warnings[out->warning_count] = *error;
    }
    out->warning_count++;
}

static bool append_product(void *context, const char *data, size_t size) {
    vector_bytes *product = context;
    char *grown = realloc(product->data, product->size + size + 1);
    if (grown == NULL) {
        return false;
    }
    memcpy(grown + product->size, data, size);
    product->data = grown;
    product->size += size;
    return true;
}

/* ---------------------------------------------------------------- running it */

/* What a vector asks for beside the document. */
typedef struct request {
    const char *operation;
    ep_decode_options options;
    size_t memory;        /* the arena's cap, 0: none */
    const ep_version *to; /* to migrate to */
    ep_canon_options canon;
    ep_bytes constants[CONSTANTS_MAX];
} request;

/* The form that is asked for, and the names for PyTorch's. */
static bool read_form(const cJSON *options, request *r) {
    const char *form = vector_text(options, "form");
    const cJSON *item;
    r->canon = (ep_canon_options){.form = EP_CANON_EPREF, .constants = r->constants};
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(options, "constants")) {
        if (!cJSON_IsString(item) || r->canon.constant_count == CONSTANTS_MAX) {
            return false;
        }
        r->constants[r->canon.constant_count++] =
            (ep_bytes){item->valuestring, strlen(item->valuestring)};
    }
    if (form != NULL) {
        r->canon.form = EP_CANON_TORCH;
    }
    return form == NULL || strcmp(form, "torch") == 0;
}

static bool read_request(const cJSON *vector, outcome *out, request *r) {
    const cJSON *options = cJSON_GetObjectItemCaseSensitive(vector, "options");
    const cJSON *limits = cJSON_GetObjectItemCaseSensitive(options, "limits");
    const char *schema = vector_text(options, "schema");
    const char *operation = vector_text(vector, "operation");
    r->operation = operation != NULL ? operation : "decode";
    r->options = ep_decode_options_default();
    ep_limits *l = &r->options.limits;
    l->bytes = vector_size(limits, "bytes", l->bytes);
    l->depth = vector_size(limits, "depth", l->depth);
    l->values = vector_size(limits, "values", l->values);
    l->string = vector_size(limits, "string", l->string);
    r->memory = vector_size(options, "memory", 0);
    r->options.forward = strncmp(r->operation, "forward", 7) == 0;
    r->options.warn = note_warning;
    r->options.warn_context = out;
    r->options.version = schema != NULL ? ep_version_find(schema) : NULL;
    const char *to = vector_text(options, "to");
    r->to = to != NULL ? ep_version_find(to) : NULL;
    return read_form(options, r) && (schema == NULL || r->options.version != NULL) &&
           (r->to != NULL) == (strcmp(r->operation, "migrate") == 0);
}

static bool is_encoded(const char *operation) {
    return strcmp(operation, "encode") == 0 || strcmp(operation, "forward-encode") == 0;
}

static bool is_strings_code(ep_code code) {
    return code == EP_OK || code == EP_LIMIT_DEPTH || ep_code_level(code) == EP_LEVEL_STRINGS;
}

/* Both levels above the types; then the strings level alone, which has to say
 * the same, as far as it goes. */
static void run_check(const request *r, ep_arena *arena, const ep_program *program, outcome *out) {
    ep_check_options options = ep_check_options_default();
    ep_error alone;
    options.limits = r->options.limits;
    options.note = note_warning;
    options.note_context = out;
    out->valid = ep_check(program, arena, &options, &out->error);
    options.level = EP_LEVEL_STRINGS;
    options.note = NULL;
    ep_check(program, arena, &options, &alone);
    ep_code wanted = is_strings_code(out->error.code) ? out->error.code : EP_OK;
    if (alone.code != wanted || (wanted != EP_OK && alone.offset != out->error.offset)) {
        out->error.code = EP_INTERNAL; /* the levels are not of one mind */
        out->valid = false;
    }
}

/* The result's text; its program has to be one of the version (SPEC 7.1.1). */
static void run_migrate(const request *r, ep_arena *arena, const ep_program *program,
                        outcome *out) {
    ep_migrate_options options = {.version = r->to};
    ep_built built;
    out->valid = ep_migrate(program, arena, &options, &built, &out->error);
    if (out->valid && (ep_program_version(built.program) != r->to ||
                       !append_product(&out->product, built.text.data, built.text.size))) {
        out->error.code = EP_INTERNAL;
        out->valid = false;
    }
    out->has_product = out->valid;
}

/* Whether a canonical form is one of its own. SPEC 6.1.2 */
static bool is_own_form(const request *r, ep_arena *arena, ep_bytes form) {
    ep_decode_options options = r->options;
    const ep_program *program;
    ep_built built;
    return r->canon.form != EP_CANON_EPREF ||
           (ep_decode(arena, form, &options, &program, NULL) &&
            ep_canon(program, arena, &r->canon, &built, NULL) && built.text.size == form.size &&
            memcmp(built.text.data, form.data, form.size) == 0);
}

/* SPEC 6.1.1 */
static void run_canon(const request *r, ep_arena *arena, const ep_program *program, outcome *out) {
    ep_built built;
    out->valid = ep_canon(program, arena, &r->canon, &built, &out->error);
    if (out->valid && (!is_own_form(r, arena, built.text) ||
                       !append_product(&out->product, built.text.data, built.text.size))) {
        out->error.code = EP_INTERNAL;
        out->valid = false;
    }
    out->has_product = out->valid;
}

/* SPEC 6.10.1, 6.10.2 */
static void run_digest(ep_arena *arena, const ep_program *program, outcome *out) {
    ep_migrate_options migrating = {.version = ep_version_find("8.20")};
    ep_canon_options canonizing = {.form = EP_CANON_EPREF};
    ep_built migrated;
    ep_built form;
    digest d;
    out->valid = ep_migrate(program, arena, &migrating, &migrated, &out->error) &&
                 ep_canon(migrated.program, arena, &canonizing, &form, &out->error);
    if (out->valid &&
        (!digest_of(form.text, &d) || !append_product(&out->product, d.text, DIGEST_SIZE))) {
        out->error.code = EP_INTERNAL;
        out->valid = false;
    }
    out->has_product = out->valid;
}

static void run_decode(const request *r, ep_arena *arena, ep_bytes input, outcome *out) {
    const ep_program *program = NULL;
    out->valid = ep_decode(arena, input, &r->options, &program, &out->error);
    if (out->valid != (program != NULL)) {
        out->error.code = EP_INTERNAL; /* a program of a refused document, or none of a valid one */
        out->valid = false;
    }
    if (!out->valid) {
        return;
    }
    out->version = ep_program_version(program)->name;
    if (strcmp(r->operation, "check") == 0) {
        run_check(r, arena, program, out);
    } else if (strcmp(r->operation, "canon") == 0) {
        run_canon(r, arena, program, out);
    } else if (strcmp(r->operation, "digest") == 0) {
        run_digest(arena, program, out);
    } else if (r->to != NULL) {
        run_migrate(r, arena, program, out);
    } else if (is_encoded(r->operation)) {
        out->valid = ep_encode(program, arena, append_product, &out->product, &out->error);
        out->has_product = out->valid;
    }
}

static void run(const request *r, vector_bytes bytes, outcome *out) {
    ep_arena arena;
    ep_bytes input = {bytes.data, bytes.size};
    ep_arena_init(&arena, &allocator, r->memory);
    if (strcmp(r->operation, "wire") == 0) {
        out->valid = ep_check_wire(&arena, input, &r->options, &out->error);
    } else {
        run_decode(r, &arena, input, out);
    }
    ep_arena_free(&arena);
}

/* ------------------------------------------------------------- comparing it */

/* One vector's complaint; the first one counts. */
typedef struct note {
    char text[NOTE_SIZE];
    bool set;
} note;

static void want(note *n, const char *what, const char *wanted, const char *found) {
    if (!n->set) {
        snprintf(n->text, sizeof n->text, "%s: expected %.400s, got %.400s", what, wanted, found);
        n->set = true;
    }
}

static void want_text(note *n, const char *what, const char *wanted, const char *found) {
    if (wanted != NULL && (found == NULL || strcmp(wanted, found) != 0)) {
        want(n, what, wanted, found != NULL ? found : "none");
    }
}

static void want_size(note *n, const char *what, size_t wanted, size_t found) {
    if (wanted != found) {
        char left[32];
        char right[32];
        snprintf(left, sizeof left, "%zu", wanted);
        snprintf(right, sizeof right, "%zu", found);
        want(n, what, left, right);
    }
}

static bool has_flag(const cJSON *vector, const char *flag) {
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(vector, "flags")) {
        if (cJSON_IsString(item) && strcmp(item->valuestring, flag) == 0) {
            return true;
        }
    }
    return false;
}

/* A pointer that does not fit, or holds a zero, is cut between two segments. */
static void want_pointer(note *n, const cJSON *vector, const ep_error *error) {
    const char *wanted = vector_text(vector, "pointer");
    bool cut = has_flag(vector, "pointer-cut");
    size_t size = strlen(error->pointer);
    if (wanted == NULL) {
        return;
    }
    if (cut != error->pointer_cut) {
        want(n, "pointer", cut ? "a cut one" : "a whole one", error->pointer);
    } else if (!cut || strncmp(wanted, error->pointer, size) != 0 || wanted[size] != '/') {
        want_text(n, "pointer", wanted, error->pointer);
    }
}

/* Line and column are counted here again from the offset. */
static void want_position(note *n, vector_bytes bytes, const ep_error *error) {
    size_t line = 1;
    size_t column = 1;
    for (size_t i = 0; i < error->offset && i < bytes.size; i++, column++) {
        if (bytes.data[i] == '\n') {
            line++;
            column = 0;
        }
    }
    want_size(n, "line", line, error->line);
    want_size(n, "column", column, error->column);
}

/* The error that a line, or a warning in it, wants. */
static void want_error(note *n, const cJSON *wanted, const ep_error *error) {
    const cJSON *clauses = cJSON_GetObjectItemCaseSensitive(wanted, "clause");
    const cJSON *clause = cJSON_IsArray(clauses) ? cJSON_GetArrayItem(clauses, 0) : clauses;
    want_text(n, "code", vector_text(wanted, "code"), ep_code_name(error->code));
    if (cJSON_IsString(clause)) {
        want_text(n, "clause", clause->valuestring, ep_code_clause(error->code));
    }
    if (cJSON_HasObjectItem(wanted, "offset")) {
        want_size(n, "offset", vector_size(wanted, "offset", 0), error->offset);
    }
    want_pointer(n, wanted, error);
}

static void want_product(note *n, vector_bytes wanted, const outcome *out) {
    size_t at = 0;
    while (at < wanted.size && at < out->product.size && wanted.data[at] == out->product.data[at]) {
        at++;
    }
    if (at < wanted.size || at < out->product.size) {
        char left[64];
        char right[64];
        snprintf(left, sizeof left, "%.*s", (int)(wanted.size - at < 40 ? wanted.size - at : 40),
                 wanted.data + at);
        snprintf(right, sizeof right, "%.*s",
                 (int)(out->product.size - at < 40 ? out->product.size - at : 40),
                 out->product.size > 0 ? out->product.data + at : "");
        want(n, "product", left, right);
    }
}

static void check_product(const vector_list *list, const cJSON *vector, vector_bytes input,
                          const outcome *out, note *n) {
    const cJSON *product = cJSON_GetObjectItemCaseSensitive(vector, "product");
    vector_bytes wanted;
    if (product == NULL) {
        return;
    }
    if (!out->has_product) {
        want(n, "product", "one", "none");
    } else if (cJSON_IsString(product)) { /* "same" */
        want_product(n, input, out);
    } else if (vector_bytes_of(list, product, &wanted)) {
        want_product(n, wanted, out);
        vector_bytes_free(&wanted);
    } else {
        want(n, "product", "one that can be made", "none");
    }
}

static void check_warnings(const cJSON *vector, const outcome *out, note *n) {
    const cJSON *wanted = cJSON_GetObjectItemCaseSensitive(vector, "warnings");
    if (wanted == NULL) {
        return;
    }
    size_t count = (size_t)cJSON_GetArraySize(wanted);
    want_size(n, "warnings", count, out->warning_count);
    for (size_t i = 0; i < count && i < out->warning_count && i < WARNINGS_MAX; i++) {
        want_error(n, cJSON_GetArrayItem(wanted, (int)i), &out->warnings[i]);
    }
}

/* Whether the vector wants the document valid; for one that leaves it to the
 * implementation, what this one has chosen. */
static const char *verdict_of(const cJSON *vector) {
    const char *verdict = vector_text(vector, "verdict");
    if (verdict != NULL && strcmp(verdict, "implementation-defined") == 0) {
        verdict = vector_text(cJSON_GetObjectItemCaseSensitive(vector, "profiles"), "epref");
    }
    return verdict;
}

/* The product of a vector without a file of its own is its input again. */
static void check_valid(const vector_list *list, const cJSON *vector, vector_bytes input,
                        const outcome *out, note *n) {
    want_text(n, "code", "none", out->error.code == EP_OK ? "none" : ep_code_name(out->error.code));
    if (out->version != NULL) {
        want_text(n, "version", vector_text(vector, "schema"), out->version);
    }
    check_product(list, vector, input, out, n);
    check_warnings(vector, out, n);
}

static void check_invalid(const cJSON *vector, vector_bytes input, const outcome *out, note *n) {
    want_error(n, vector, &out->error);
    if (cJSON_HasObjectItem(vector, "offset")) {
        want_position(n, input, &out->error);
    }
    if (out->product.size > 0) {
        want(n, "product", "none", "some");
    }
}

static void check(const vector_list *list, const cJSON *vector, vector_bytes input, note *n) {
    request r;
    outcome *out = calloc(1, sizeof *out);
    const char *verdict = verdict_of(vector);
    if (out == NULL || verdict == NULL || !read_request(vector, out, &r)) {
        want(n, "vector", "one that can be run", "another");
        free(out);
        return;
    }
    run(&r, input, out);
    bool valid = strcmp(verdict, "valid") == 0;
    if (valid != out->valid) {
        want(n, "verdict", verdict, out->valid ? "valid" : ep_code_name(out->error.code));
    } else if (valid) {
        check_valid(list, vector, input, out, n);
    } else {
        check_invalid(vector, input, out, n);
    }
    free(out->product.data);
    free(out);
}

/* -------------------------------------------------------------------- lists */

static bool report(const char *name, const note *n) {
    if (n->set) {
        printf("FAIL %s: %s\n", name != NULL ? name : "(no name)", n->text);
    }
    return n->set;
}

static bool fails_vector(const vector_list *list, const cJSON *vector) {
    vector_bytes input;
    note n = {.set = false};
    if (vector_bytes_of(list, vector, &input)) {
        check(list, vector, input, &n);
        vector_bytes_free(&input);
    } else {
        want(&n, "bytes", "some", "none");
    }
    return report(vector_text(vector, "id"), &n);
}

static bool fails_file(const vector_list *list, const cJSON *line, const char *folder) {
    const char *name = vector_text(line, "file");
    char path[4096];
    vector_bytes input;
    note n = {.set = false};
    snprintf(path, sizeof path, "%s/%s", folder, name != NULL ? name : "");
    if (vector_file_read(path, &input)) {
        check(list, line, input, &n);
        vector_bytes_free(&input);
    } else {
        want(&n, "bytes", "some", "none");
    }
    return report(name, &n);
}

static int run_all(const char *path, const char *folder) {
    vector_list list;
    size_t failed = 0;
    if (!vector_list_read(path, &list)) {
        return 1;
    }
    for (size_t i = 0; i < list.count; i++) {
        failed += folder != NULL ? fails_file(&list, list.lines[i], folder)
                                 : fails_vector(&list, list.lines[i]);
    }
    printf("%zu vectors, %zu failed\n", list.count, failed);
    bool ok = list.count > 0 && failed == 0;
    vector_list_free(&list);
    return ok ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc == 2) {
        return run_all(argv[1], NULL);
    }
    if (argc == 4 && strcmp(argv[1], "--verdicts") == 0) {
        return run_all(argv[2], argv[3]);
    }
    fprintf(stderr, "usage: vectors_test MANIFEST | --verdicts FILE FOLDER\n");
    return 2;
}
