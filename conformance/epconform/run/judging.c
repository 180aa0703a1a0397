/*
 * run/judging.c - see judging.h. What binds, and in which order it is looked at: the
 * verdict; of a refusal code and clause, then the place, as far as the testee
 * reports them; of an accepted document the version, the product, the warnings.
 */
#include "run/judging.h"

#include "run/likeness.h"
#include "text/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MESSAGE_MAX = 400,
    KEPT_MAX = 1024,
    WINDOW = 80,
    WINDOW_BEFORE = 40,
    TOLD = 56,
    TOLD_BEFORE = 16,
    SHOWN_MAX = 160
};

/* --------------------------------------------------------------------- task */

/* The second document: bytes, or the document of the vector that is named; of an operation that
 * can do without, there need be none. */
static bool make_other(task *t, const vector *v) {
    const cJSON *said = cJSON_GetObjectItemCaseSensitive(v->line, "other");
    const vector other = {.line = said, .list = v->list};
    const vector *of =
        cJSON_IsString(said) ? vector_find(v->list->index, said->valuestring) : &other;
    if (said == NULL && !operation_needs_other(v->operation)) {
        return true;
    }
    if (of == NULL || of->line == NULL) {
        fprintf(stderr, "%s: its other document is not there\n", v->id);
        return false;
    }
    return vector_bytes_of(of->list, of->line, &t->other);
}

bool task_make(task *t, const vector *v) {
    const cJSON *product = cJSON_GetObjectItemCaseSensitive(v->line, "product");
    t->vector = v;
    t->operation = v->operation;
    t->wanted = (vector_bytes){NULL, 0};
    t->other = (vector_bytes){NULL, 0};
    t->has_wanted = product != NULL;
    t->hash = vector_text(product, "sha256");
    if (!vector_bytes_of(v->list, v->line, &t->document) ||
        (operation_has_other(v->operation) && !make_other(t, v))) {
        return false;
    }
    return product == NULL || cJSON_IsString(product) || t->hash != NULL ||
           vector_bytes_of(v->list, product, &t->wanted);
}

/* The product that is wanted; "same" is the document. */
static vector_bytes wanted_product(const task *t) {
    return t->wanted.data != NULL ? t->wanted : t->document;
}

void task_free(task *t) {
    vector_bytes_free(&t->document);
    vector_bytes_free(&t->other);
    vector_bytes_free(&t->wanted);
}

/* A limit of the user's may be reached by writing alone: that is no wrong. */
static bool has_limit(const vector *v) {
    const cJSON *options = cJSON_GetObjectItemCaseSensitive(v->line, "options");
    return cJSON_HasObjectItem(options, "memory") || cJSON_HasObjectItem(options, "limits");
}

bool task_ask_reading(task *t, const traits *has, const answer *a) {
    const char *reading = operation_reading(t->operation);
    if (a->verdict != VERDICT_INVALID || reading == NULL || has_limit(t->vector) ||
        !traits_have(has, reading, t->vector)) {
        return false;
    }
    t->operation = reading;
    return true;
}

bool task_ask_writing(task *t, const traits *has, const result *r) {
    bool reads = strcmp(t->operation, "decode") == 0 || strcmp(t->operation, "check") == 0;
    if (r->outcome != OUTCOME_ACCEPTED || !reads || has_limit(t->vector) ||
        !traits_have(has, "encode", t->vector)) {
        return false;
    }
    t->operation = "encode";
    return true;
}

/* ------------------------------------------------------------------- finding */

/* The first complaint counts. */
static bool complain(result *r, outcome o, char *detail) {
    if (r->outcome == OUTCOME_PASS) {
        r->outcome = o;
        r->detail = detail;
    } else {
        free(detail);
    }
    return false;
}

static char *shown(const char *text) {
    strbuf b = {NULL, 0, 0};
    size_t size = text != NULL ? strlen(text) : 0;
    strbuf_clean(&b, text != NULL ? text : "none",
                 text == NULL       ? 4
                 : size < SHOWN_MAX ? size
                                    : SHOWN_MAX);
    return strbuf_take(&b);
}

static bool want_text(result *r, outcome o, const char *key, const char *wanted) {
    const char *got = vector_text(r->got, key);
    if (wanted == NULL || (got != NULL && strcmp(wanted, got) == 0)) {
        return true;
    }
    char *left = shown(wanted);
    char *right = shown(got);
    complain(r, o, memory_format("%s: expected %s, got %s", key, left, right));
    free(left);
    free(right);
    return false;
}

static bool want_number(result *r, outcome o, const char *key, size_t wanted) {
    const cJSON *got = cJSON_GetObjectItemCaseSensitive(r->got, key);
    if (got != NULL && got->valuedouble == (double)wanted) {
        return true;
    }
    return complain(r, o,
                    got != NULL
                        ? memory_format("%s: expected %zu, got %.0f", key, wanted, got->valuedouble)
                        : memory_format("%s: expected %zu, got none", key, wanted));
}

static bool has_flag(const cJSON *line, const char *flag) {
    return vector_has_text(cJSON_GetObjectItemCaseSensitive(line, "flags"), flag);
}

/* A pointer that is long or holds a zero may be cut between two segments. */
static void want_pointer(result *r, const cJSON *line) {
    const char *wanted = vector_text(line, "pointer");
    const char *got = vector_text(r->got, "pointer");
    size_t size = got != NULL ? strlen(got) : 0;
    bool cut = wanted != NULL && got != NULL && has_flag(line, "pointer-cut") &&
               strncmp(wanted, got, size) == 0 && wanted[size] == '/';
    if (!cut) {
        want_text(r, OUTCOME_PLACE, "pointer", wanted);
    }
}

/* Lines and columns are counted here again, from the offset. SPEC 1.5.3. What has no place
 * has neither. */
static void want_position(result *r, vector_bytes bytes, size_t offset, bool nowhere) {
    size_t line = nowhere ? 0 : 1;
    size_t column = line;
    for (size_t i = 0; i < offset && i < bytes.size; i++, column++) {
        if (bytes.data[i] == '\n') {
            line++;
            column = 0;
        }
    }
    want_number(r, OUTCOME_PLACE, "line", line);
    want_number(r, OUTCOME_PLACE, "column", column);
}

/* ------------------------------------------------------------------- product */

static char *window(vector_bytes bytes, size_t from, size_t most) {
    strbuf b = {NULL, 0, 0};
    size_t size = from < bytes.size ? bytes.size - from : 0;
    if (size > 0) {
        strbuf_ascii(&b, bytes.data + from, size < most ? size : most);
    }
    return strbuf_take(&b);
}

static size_t before(size_t at) {
    return at > WINDOW_BEFORE ? at - WINDOW_BEFORE : 0;
}

/* What a result keeps of a product that is not the wanted one. Without a
 * difference in a value the bytes part at the same place on both sides. */
static void keep_product(result *r, vector_bytes wanted, vector_bytes got, const difference *d) {
    cJSON *parts = cJSON_AddObjectToObject(r->got, "product");
    char *left = window(got, before(d->got_at), WINDOW);
    char *right = window(wanted, before(d->wanted_at), WINDOW);
    cJSON_AddNumberToObject(parts, "size", (double)got.size);
    cJSON_AddNumberToObject(parts, "at", (double)d->got_at);
    if (d->pointer != NULL) {
        cJSON_AddNumberToObject(parts, "wanted_at", (double)d->wanted_at);
        cJSON_AddStringToObject(parts, "pointer", d->pointer);
    }
    cJSON_AddStringToObject(parts, "got", left);
    cJSON_AddStringToObject(parts, "wanted", right);
    free(left);
    free(right);
}

static char *tell_bytes(vector_bytes wanted, vector_bytes got, size_t at, const char *what) {
    size_t from = at > TOLD_BEFORE ? at - TOLD_BEFORE : 0;
    const char *cut = from > 0 ? "..." : "";
    char *left = window(wanted, from, TOLD);
    char *right = window(got, from, TOLD);
    char *detail = memory_format("product: %sexpected %zu bytes, got %zu; at byte %zu: "
                                 "expected '%s%s', got '%s%s'",
                                 what, wanted.size, got.size, at, cut, left, cut, right);
    free(left);
    free(right);
    return detail;
}

/* Of products that are not the same bytes: whether they are the same values. */
static void tell_apart(result *r, vector_bytes wanted, vector_bytes got, size_t at) {
    difference d = {NULL, NULL, at, at};
    const char *operation = r->vector->operation;
    likeness alike =
        operation_has_values(operation) ? likeness_of(wanted, got, &d) : LIKENESS_UNKNOWN;
    if (alike == LIKENESS_SAME && operation_has_list(operation)) {
        return;
    }
    if (alike == LIKENESS_OTHER) {
        complain(r, OUTCOME_PRODUCT,
                 memory_format("product: at '%s': %s; expected %zu bytes, got %zu", d.pointer,
                               d.what, wanted.size, got.size));
    } else {
        d.wanted_at = d.got_at = at;
        bool is_spelling = alike == LIKENESS_SAME;
        complain(r, is_spelling ? OUTCOME_SPELLING : OUTCOME_PRODUCT,
                 tell_bytes(wanted, got, at, is_spelling ? "the same values, but " : ""));
    }
    keep_product(r, wanted, got, &d);
    difference_free(&d);
}

/* Of a product whose bytes are not said: its size and its hash. */
static void want_hash(result *r, const cJSON *wanted, vector_bytes got) {
    const char *hash = vector_text(wanted, "sha256");
    size_t size = vector_size(wanted, "size", 0);
    char found[65] = "none";
    if (got.size != size || !vector_sha256(got, found) || strcmp(found, hash) != 0) {
        complain(r, OUTCOME_PRODUCT,
                 memory_format("product: expected %zu bytes of SHA-256 %s, got %zu of %s", size,
                               hash, got.size, found));
    }
}

static void want_product(result *r, vector_bytes wanted, vector_bytes got) {
    size_t at = vector_bytes_part(wanted, got);
    if (at < wanted.size || at < got.size) {
        tell_apart(r, wanted, got, at);
    }
}

/* ------------------------------------------------------------------ verdicts */

static void want_warnings(result *r, const cJSON *line, const cJSON *said) {
    const cJSON *wanted = cJSON_GetObjectItemCaseSensitive(line, "warnings");
    if (wanted == NULL || r->outcome != OUTCOME_PASS) {
        return;
    }
    int count = cJSON_GetArraySize(wanted);
    if (count != cJSON_GetArraySize(said)) {
        complain(r, OUTCOME_WARNINGS,
                 memory_format("warnings: expected %d, got %d", count, cJSON_GetArraySize(said)));
    }
    for (int i = 0; i < count && r->outcome == OUTCOME_PASS; i++) {
        result one = {.got = cJSON_Duplicate(cJSON_GetArrayItem(said, i), 1)};
        const cJSON *each = cJSON_GetArrayItem(wanted, i);
        want_text(&one, OUTCOME_WARNINGS, "code", vector_text(each, "code"));
        want_number(&one, OUTCOME_WARNINGS, "offset", vector_size(each, "offset", 0));
        want_pointer(&one, each);
        if (one.outcome != OUTCOME_PASS) {
            complain(r, OUTCOME_WARNINGS, memory_format("warning %d: %s", i + 1, one.detail));
        }
        result_free(&one);
    }
}

static void judge_valid(const traits *t, const task *given, const answer *a, vector_bytes product,
                        result *r) {
    if ((t->reports & REPORTS_SCHEMA) != 0) {
        want_text(r, OUTCOME_SCHEMA, "schema", vector_text(given->vector->line, "schema"));
    }
    if (given->hash != NULL) {
        want_hash(r, cJSON_GetObjectItemCaseSensitive(given->vector->line, "product"), product);
    } else if (given->has_wanted) {
        want_product(r, wanted_product(given), product);
    }
    if ((t->reports & REPORTS_WARNINGS) != 0) {
        want_warnings(r, given->vector->line,
                      cJSON_GetObjectItemCaseSensitive(a->json, "warnings"));
    }
}

static void judge_invalid(const traits *t, const task *given, result *r) {
    const cJSON *line = given->vector->line;
    bool has_offset = cJSON_HasObjectItem(line, "offset");
    size_t offset = vector_size(line, "offset", 0);
    if ((t->reports & REPORTS_CODE) != 0) {
        want_text(r, OUTCOME_REASON, "code", vector_text(line, "code"));
    }
    if ((t->reports & REPORTS_CLAUSE) != 0) {
        want_text(r, OUTCOME_REASON, "clause", vector_clause(line));
    }
    if ((t->reports & REPORTS_OFFSET) != 0 && has_offset) {
        want_number(r, OUTCOME_PLACE, "offset", offset);
    }
    /* Of an archive the lines are those of a member, which is not read here. */
    vector_bytes document = given->document;
    bool zip = document.size >= 4 && memcmp(document.data, "PK\3\4", 4) == 0;
    if ((t->reports & REPORTS_POSITION) != 0 && has_offset && !zip) {
        want_position(r, document, offset, has_flag(line, "no-place"));
    }
    if ((t->reports & REPORTS_POINTER) != 0) {
        want_pointer(r, line);
    }
}

/* Of what was written of an invalid document, the value that is another one; else the
 * first byte that is, or where the defect is. */
static likeness keep_written(const task *given, vector_bytes product, result *r, difference *d) {
    likeness alike = likeness_of(given->document, product, d);
    if (alike != LIKENESS_OTHER) {
        size_t at = vector_bytes_part(given->document, product);
        bool same = at == product.size && at == given->document.size;
        d->wanted_at = d->got_at = same ? vector_size(given->vector->line, "offset", 0) : at;
    }
    keep_product(r, given->document, product, d);
    return alike;
}

/* An invalid document was taken. Where it was only to be written again, the product
 * shows what it was taken for. */
static void judge_taken(const task *given, vector_bytes product, result *r) {
    difference d = {NULL, NULL, 0, 0};
    const char *code = vector_text(given->vector->line, "code");
    if (operation_reading(given->operation) != NULL &&
        keep_written(given, product, r, &d) == LIKENESS_OTHER) {
        complain(r, OUTCOME_CHANGED,
                 memory_format("expected %s, got valid, and another value is written: at '%s': %s",
                               code, d.pointer, d.what));
    } else {
        complain(r, OUTCOME_ACCEPTED, memory_format("expected %s, got valid", code));
    }
    difference_free(&d);
}

static void judge_refused(const answer *a, result *r) {
    const char *code = vector_text(a->json, "code");
    char *name = code != NULL ? shown(code) : NULL;
    complain(r, OUTCOME_REFUSED,
             memory_format("expected valid, got %s%s%s", verdict_name(a->verdict),
                           name != NULL ? ", " : "", name != NULL ? name : ""));
    free(name);
}

/* What the vector wants, of a verdict that is the implementation's own: what
 * the profile says, and without one whatever it did. */
static verdict wanted_verdict(const traits *t, const vector *v, verdict given) {
    const char *said = vector_text(v->line, "verdict");
    if (strcmp(said, "implementation-defined") == 0) {
        const cJSON *profiles = cJSON_GetObjectItemCaseSensitive(v->line, "profiles");
        said = t->profile != NULL ? vector_text(profiles, t->profile) : NULL;
    }
    return said == NULL ? given : strcmp(said, "valid") == 0 ? VERDICT_VALID : VERDICT_INVALID;
}

static void judge_verdict(const traits *t, const task *given, const answer *a, vector_bytes product,
                          result *r) {
    verdict wanted = wanted_verdict(t, given->vector, a->verdict);
    if (a->verdict != wanted) {
        if (wanted == VERDICT_VALID) {
            judge_refused(a, r);
        } else {
            judge_taken(given, product, r);
        }
    } else if (wanted == VERDICT_VALID) {
        judge_valid(t, given, a, product, r);
    } else {
        judge_invalid(t, given, r);
    }
}

/* ---------------------------------------------------------------- the answer */

/* The testee's words, fit to be shown. */
static void keep_message(const answer *a, result *r) {
    const char *message = vector_text(a->json, "message");
    if (message != NULL && message[0] != '\0') {
        strbuf b = {NULL, 0, 0};
        size_t size = text_size(message, strlen(message));
        strbuf_clean(&b, message, size < MESSAGE_MAX ? size : MESSAGE_MAX);
        free(r->message);
        r->message = strbuf_take(&b);
    }
}

/* What it does not say that it reports binds nobody, and shows nothing. */
static void keep_answer(const traits *t, const answer *a, result *r) {
    static const struct {
        const char *name;
        unsigned report; /* 0: always */
    } keys[] = {{"verdict", 0},
                {"code", REPORTS_CODE},
                {"clause", REPORTS_CLAUSE},
                {"offset", REPORTS_OFFSET},
                {"line", REPORTS_POSITION},
                {"column", REPORTS_POSITION},
                {"pointer", REPORTS_POINTER},
                {"schema", REPORTS_SCHEMA}};
    r->got = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(a->json, keys[i].name);
        if (item != NULL && (keys[i].report == 0 || (t->reports & keys[i].report) != 0)) {
            cJSON_AddItemToObject(r->got, keys[i].name, cJSON_Duplicate(item, 1));
        }
    }
}

/* Of texts as long as a testee likes the beginning is enough to be shown. */
static void cut_texts(cJSON *got) {
    cJSON *item;
    cJSON_ArrayForEach(item, got) {
        size_t size = cJSON_IsString(item) ? strlen(item->valuestring) : 0;
        if (size > KEPT_MAX) {
            for (size = KEPT_MAX; ((unsigned char)item->valuestring[size] & 0xC0) == 0x80;) {
                size--; /* not inside of a character */
            }
            item->valuestring[size] = '\0';
            item->valuestring = memory_resize(item->valuestring, size + 1, 1);
        }
    }
}

void judge(const traits *t, const task *given, const answer *a, vector_bytes product, result *r) {
    bool belongs = a->verdict == VERDICT_VALID && operation_has_product(given->operation);
    r->outcome = OUTCOME_PASS;
    keep_answer(t, a, r);
    keep_message(a, r);
    if (a->has_size != belongs) {
        complain(r, OUTCOME_PROTOCOL,
                 memory_text(belongs ? "a product is missing" : "a product where none belongs"));
    } else if (a->verdict == VERDICT_UNSUPPORTED) {
        r->outcome = OUTCOME_SKIPPED;
        r->skip = SKIP_UNSUPPORTED;
    } else if (a->verdict == VERDICT_ERROR) {
        complain(r, OUTCOME_ERROR, memory_text("the testee says that it failed"));
    } else {
        judge_verdict(t, given, a, product, r);
    }
    cut_texts(r->got);
}

void judge_reading(const answer *a, result *r) {
    if (a->verdict == VERDICT_VALID) {
        free(r->detail);
        r->outcome = OUTCOME_UNWRITABLE;
        r->detail = memory_text("it is read, and then not written");
    }
}

void judge_writing(const task *given, const answer *a, vector_bytes product, result *r) {
    static const char *const words[] = {[LIKENESS_SAME] = "the same values",
                                        [LIKENESS_OTHER] = "another value",
                                        [LIKENESS_UNKNOWN] = "other bytes"};
    difference d = {NULL, NULL, 0, 0};
    char *before = r->detail;
    if (a->verdict != VERDICT_VALID || !a->has_size) {
        r->detail = memory_format("%s; encode does not write it", before);
    } else {
        const char *what = words[keep_written(given, product, r, &d)];
        r->detail = d.pointer != NULL ? memory_format("%s; encode writes %s: at '%s': %s", before,
                                                      what, d.pointer, d.what)
                                      : memory_format("%s; encode writes %s", before, what);
    }
    free(before);
    difference_free(&d);
}
