/*
 * testee.c - the reference implementation as a testee of the conformance
 * suite: speaks the protocol of conformance/PROTOCOL.md on standard input and
 * output. What it cannot read as a request ends it with status 2.
 */
#include "archives.h"
#include "guarded.h"
#include "operations.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 65536 };

/* ------------------------------------------------------------------ requests */

static const cJSON *member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_of(const cJSON *object, const char *name) {
    return cJSON_GetStringValue(member(object, name));
}

static size_t size_of(const cJSON *object, const char *name, size_t fallback) {
    const cJSON *item = member(object, name);
    return cJSON_IsNumber(item) && item->valuedouble >= 0 ? (size_t)item->valuedouble : fallback;
}

static const operation *find_operation(const char *name) {
    for (const operation *o = OPERATIONS; name != NULL && o->name != NULL; o++) {
        if (strcmp(o->name, name) == 0) {
            return o;
        }
    }
    return NULL;
}

/* The form that is asked for, and the names for PyTorch's. */
static bool read_form(const cJSON *options, request *r) {
    const char *form = text_of(options, "form");
    const cJSON *item;
    r->canon = (ep_canon_options){.form = EP_CANON_EPREF, .constants = r->constants};
    cJSON_ArrayForEach(item, member(options, "constants")) {
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

static void read_limits(const cJSON *limits, ep_limits *l) {
    l->bytes = size_of(limits, "bytes", l->bytes);
    l->depth = size_of(limits, "depth", l->depth);
    l->values = size_of(limits, "values", l->values);
    l->string = size_of(limits, "string", l->string);
}

static ep_bytes bytes_of_text(const char *text) {
    return bytes_of(text != NULL ? text : "");
}

/* Extra files without bytes, whose names are the numbers from 0 on. */
static bool count_extras(request *r, size_t count) {
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
        buffer_number(&r->names, (int64_t)i);
        buffer_byte(&r->names, '\n');
    }
    for (size_t i = 0; !r->names.failed && i < count; i++) {
        const char *name = r->names.data + begin;
        size_t size = (size_t)((const char *)memchr(name, '\n', r->names.size - begin) - name);
        r->extras[i] = (ep_archive_extra){{name, size}, {"", 0}};
        begin += size + 1;
    }
    return !r->names.failed;
}

static bool read_extras(const cJSON *said, request *r) {
    bool counted = cJSON_IsNumber(said) && said->valuedouble >= 0;
    const cJSON *item;
    size_t i = 0;
    r->extra_count = counted ? (size_t)said->valuedouble : (size_t)cJSON_GetArraySize(said);
    r->extras = calloc(r->extra_count + 1, sizeof *r->extras);
    if (r->extras == NULL) {
        return false;
    }
    if (counted) {
        return count_extras(r, r->extra_count);
    }
    cJSON_ArrayForEach(item, said) {
        r->extras[i++] =
            (ep_archive_extra){bytes_of_text(item->string), bytes_of_text(item->valuestring)};
    }
    return true;
}

/* What is asked of an archive, or of one that is made. */
static bool read_archive_options(const cJSON *options, request *r) {
    const char *as = text_of(options, "as");
    r->raw = cJSON_IsTrue(member(options, "raw"));
    r->all = cJSON_IsTrue(member(options, "all"));
    r->weights = text_of(options, "part") != NULL;
    r->tensor = text_of(options, "tensor");
    r->member = text_of(options, "member");
    r->folder = text_of(options, "folder");
    r->inputs = bytes_of_text(text_of(options, "inputs"));
    r->as = as == NULL               ? EP_ARCHIVE_SAFETENSORS
            : strcmp(as, "npy") == 0 ? EP_ARCHIVE_NPY
                                     : EP_ARCHIVE_RAW;
    return read_extras(member(options, "extras"), r);
}

static bool needs_target(const operation *o) {
    return strncmp(o->name, "migrate", strlen("migrate")) == 0 || strcmp(o->name, "report") == 0;
}

static bool read_options(const cJSON *options, const operation *o, request *r) {
    const char *schema = text_of(options, "schema");
    const char *to = text_of(options, "to");
    r->options = ep_decode_options_default();
    read_limits(member(options, "limits"), &r->options.limits);
    r->options.forward = o->forward;
    r->options.warn = note_warning;
    r->options.version = schema != NULL ? ep_version_find(schema) : NULL;
    r->memory = size_of(options, "memory", 0);
    r->to = to != NULL ? ep_version_find(to) : NULL;
    r->model = text_of(options, "model");
    r->provenance = cJSON_IsTrue(member(options, "provenance"));
    return read_form(options, r) && read_archive_options(options, r) &&
           (schema == NULL || r->options.version != NULL) && (r->to != NULL) == needs_target(o);
}

/* ------------------------------------------------------------------- answers */

static bool print_line(cJSON *json) {
    char *text = cJSON_PrintUnformatted(json);
    bool ok = text != NULL && printf("%s\n", text) > 0;
    cJSON_free(text);
    cJSON_Delete(json);
    return ok;
}

static cJSON *strings(const char *const *words) {
    cJSON *array = cJSON_CreateArray();
    for (; *words != NULL; words++) {
        cJSON_AddItemToArray(array, cJSON_CreateString(*words));
    }
    return array;
}

static cJSON *operation_names(void) {
    cJSON *array = cJSON_CreateArray();
    for (const operation *o = OPERATIONS; o->name != NULL; o++) {
        cJSON_AddItemToArray(array, cJSON_CreateString(o->name));
    }
    return array;
}

static bool answer_hello(void) {
    static const char *const options[] = {"schema",    "limits", "memory",     "form",
                                          "constants", "model",  "provenance", NULL};
    static const char *const reports[] = {"code",    "clause", "offset",   "position",
                                          "pointer", "schema", "warnings", NULL};
    cJSON *json = cJSON_CreateObject();
    cJSON *forms = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "type", "hello");
    cJSON_AddNumberToObject(json, "protocol", 1);
    cJSON_AddStringToObject(json, "name", "epref");
    cJSON_AddStringToObject(json, "version", ep_library_version());
    cJSON_AddItemToObject(json, "operations", operation_names());
    cJSON_AddItemToObject(json, "options", strings(options));
    cJSON_AddItemToObject(json, "reports", strings(reports));
    cJSON_AddNullToObject(forms, "epref");
    cJSON_AddNullToObject(forms, "torch");
    cJSON_AddItemToObject(json, "forms", forms);
    cJSON_AddStringToObject(json, "profile", "epref");
    return print_line(json);
}

static void add_error(cJSON *json, const ep_error *error) {
    cJSON_AddStringToObject(json, "code", ep_code_name(error->code));
    cJSON_AddNumberToObject(json, "offset", (double)error->offset);
    cJSON_AddStringToObject(json, "pointer", error->pointer);
}

static void add_refusal(cJSON *json, const ep_error *error) {
    add_error(json, error);
    cJSON_AddStringToObject(json, "clause", ep_code_clause(error->code));
    cJSON_AddNumberToObject(json, "line", (double)error->line);
    cJSON_AddNumberToObject(json, "column", (double)error->column);
    cJSON_AddStringToObject(json, "message", error->detail);
}

/* A warning beyond what was kept is told without its place. */
static void add_warnings(cJSON *json, const finding *out) {
    cJSON *array = cJSON_AddArrayToObject(json, "warnings");
    for (size_t i = 0; i < out->warning_count && i < WARNINGS_MAX; i++) {
        cJSON *one = cJSON_CreateObject();
        add_error(one, &out->warnings[i]);
        cJSON_AddItemToArray(array, one);
    }
}

static void add_acceptance(cJSON *json, const operation *o, const finding *out) {
    if (o->has_product) {
        cJSON_AddNumberToObject(json, "size", (double)out->product.size);
    }
    if (out->version != NULL) {
        cJSON_AddStringToObject(json, "schema", out->version);
    }
    if (out->warning_count > 0) {
        add_warnings(json, out);
    }
}

static const char *fault_of(const finding *out) {
    if (out->fault != NULL) {
        return out->fault;
    }
    if (out->valid != (out->error.code == EP_OK)) {
        return "a code of a valid document, or none of a refused one";
    }
    if (out->error.code == EP_INTERNAL) {
        return "EP_INTERNAL";
    }
    return out->product.failed || out->warning_count > WARNINGS_MAX
               ? "no room for the product or the warnings"
               : NULL;
}

static bool answer_run(double id, const operation *o, const finding *out) {
    cJSON *json = cJSON_CreateObject();
    const char *fault = fault_of(out);
    bool has_product = fault == NULL && out->unsaid == NULL && out->valid && o->has_product;
    cJSON_AddNumberToObject(json, "id", id);
    if (out->unsaid != NULL) {
        cJSON_AddStringToObject(json, "verdict", "unsupported");
        cJSON_AddStringToObject(json, "message", out->unsaid);
    } else if (fault != NULL) {
        cJSON_AddStringToObject(json, "verdict", "error");
        cJSON_AddStringToObject(json, "message", fault);
    } else if (out->valid) {
        cJSON_AddStringToObject(json, "verdict", "valid");
        add_acceptance(json, o, out);
    } else {
        cJSON_AddStringToObject(json, "verdict", "invalid");
        add_refusal(json, &out->error);
    }
    return print_line(json) && (!has_product || fwrite(out->product.data, 1, out->product.size,
                                                       stdout) == out->product.size);
}

/* ------------------------------------------------------------------- running */

static void run_operation(const operation *o, request *r, ep_bytes input, finding *out) {
    ep_arena arena;
    r->options.warn_context = out;
    arena_open(&arena, r->memory);
    if (o->run != NULL) {
        o->run(r, &arena, input, out);
    } else {
        run_on_archive(r, &arena, input, out, o->opened);
    }
    ep_arena_free(&arena);
}

static bool answer_document(const cJSON *json, ep_bytes input, ep_bytes other) {
    const operation *o = find_operation(text_of(json, "operation"));
    const cJSON *id = member(json, "id");
    request *r = calloc(1, sizeof *r);
    finding *out = calloc(1, sizeof *out);
    bool ok = r != NULL && out != NULL && o != NULL && cJSON_IsNumber(id) &&
              read_options(member(json, "options"), o, r);
    if (ok) {
        r->other = other;
        run_operation(o, r, input, out);
        ok = answer_run(id->valuedouble, o, out);
    }
    if (out != NULL) {
        buffer_free(&out->product);
    }
    if (r != NULL) {
        free(r->extras);
        buffer_free(&r->names);
    }
    free(r);
    free(out);
    return ok;
}

/* False: it did not come. */
static bool read_document(guarded *document, size_t size) {
    if (!guarded_open(document, size)) {
        return false;
    }
    if (fread(document->data, 1, size, stdin) != size) {
        guarded_close(document);
        return false;
    }
    return true;
}

static bool answer_request(const cJSON *json) {
    guarded document;
    guarded other;
    bool ok = false;
    if (!read_document(&document, size_of(json, "size", 0))) {
        return false;
    }
    if (read_document(&other, size_of(json, "other", 0))) {
        ok = answer_document(json, (ep_bytes){document.data, document.size},
                             (ep_bytes){other.data, other.size});
        guarded_close(&other);
    }
    guarded_close(&document);
    return ok;
}

static bool answer_line(const char *line) {
    cJSON *json = cJSON_Parse(line);
    const char *type = text_of(json, "type");
    bool ok = type != NULL && (strcmp(type, "hello") == 0 ? answer_hello()
                               : strcmp(type, "run") == 0 ? answer_request(json)
                                                          : false);
    cJSON_Delete(json);
    return ok && fflush(stdout) == 0;
}

int main(void) {
    char line[LINE_SIZE + 2];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strchr(line, '\n') == NULL || !answer_line(line)) {
            fputs("epref-testee: a request that cannot be answered\n", stderr);
            return 2;
        }
    }
    return ferror(stdin) ? 2 : 0;
}
