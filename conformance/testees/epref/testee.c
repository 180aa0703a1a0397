/*
 * testee.c - the reference implementation as a testee of the conformance
 * suite: speaks the protocol of conformance/PROTOCOL.md on standard input and
 * output. What it cannot read as a request ends it with status 2.
 */
#include "archives.h"
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

static const char *string_of(const cJSON *object, const char *name) {
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
    const char *form = string_of(options, "form");
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

/* Files with their bytes; or a number of files without, whose names are the numbers from 0 on. */
static bool read_extras(const cJSON *said, request *r) {
    bool counted = cJSON_IsNumber(said) && said->valuedouble >= 0;
    const cJSON *item = said != NULL ? said->child : NULL;
    r->extra_count = counted ? (size_t)said->valuedouble : (size_t)cJSON_GetArraySize(said);
    r->extras = calloc(r->extra_count + 1, sizeof *r->extras);
    r->names = calloc(counted ? r->extra_count + 1 : 1, sizeof *r->names);
    for (size_t i = 0; r->extras != NULL && r->names != NULL && i < r->extra_count; i++) {
        if (counted) {
            snprintf(r->names[i].text, sizeof r->names[i].text, "%zu", i);
            r->extras[i] = (ep_archive_extra){bytes_of(r->names[i].text), {"", 0}};
        } else {
            r->extras[i] =
                (ep_archive_extra){bytes_of_text(item->string), bytes_of_text(item->valuestring)};
            item = item->next;
        }
    }
    return r->extras != NULL && r->names != NULL;
}

/* What is asked of an archive, or of one that is made. */
static bool read_archive_options(const cJSON *options, request *r) {
    const char *as = string_of(options, "as");
    r->raw = cJSON_IsTrue(member(options, "raw"));
    r->all = cJSON_IsTrue(member(options, "all"));
    r->weights = string_of(options, "part") != NULL;
    r->tensor = string_of(options, "tensor");
    r->member = string_of(options, "member");
    r->folder = string_of(options, "folder");
    r->inputs = bytes_of_text(string_of(options, "inputs"));
    r->as = as == NULL               ? EP_ARCHIVE_SAFETENSORS
            : strcmp(as, "npy") == 0 ? EP_ARCHIVE_NPY
                                     : EP_ARCHIVE_RAW;
    return read_extras(member(options, "extras"), r);
}

static bool needs_target(const operation *o) {
    return strncmp(o->name, "migrate", strlen("migrate")) == 0 || strcmp(o->name, "report") == 0;
}

static bool read_options(const cJSON *options, const operation *o, request *r) {
    const char *schema = string_of(options, "schema");
    const char *to = string_of(options, "to");
    r->options = ep_decode_options_default();
    read_limits(member(options, "limits"), &r->options.limits);
    r->options.forward = o->forward;
    r->options.warn = note_warning;
    r->options.version = schema != NULL ? ep_version_find(schema) : NULL;
    r->memory = size_of(options, "memory", 0);
    r->to = to != NULL ? ep_version_find(to) : NULL;
    r->model = string_of(options, "model");
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

#define HELLO                                                                                      \
    "{\"type\": \"hello\", \"protocol\": 1, \"name\": \"epref\", \"profile\": \"epref\", "         \
    "\"options\": [\"schema\", \"limits\", \"memory\", \"form\", \"constants\", \"model\", "       \
    "\"provenance\"], \"reports\": [\"code\", \"clause\", \"offset\", \"position\", \"pointer\", " \
    "\"schema\", \"warnings\"], \"forms\": {\"epref\": null, \"torch\": null}}"

static bool answer_hello(void) {
    cJSON *json = cJSON_Parse(HELLO);
    cJSON *operations = cJSON_AddArrayToObject(json, "operations");
    cJSON_AddStringToObject(json, "version", ep_library_version());
    for (const operation *o = OPERATIONS; o->name != NULL; o++) {
        cJSON_AddItemToArray(operations, cJSON_CreateString(o->name));
    }
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
    const operation *o = find_operation(string_of(json, "operation"));
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
        free(r->names);
    }
    free(r);
    free(out);
    return ok;
}

/* A document, in a block of exactly its size, so that a tool that watches memory sees who reads
 * beyond its end. NULL: it did not come. */
static char *read_document(size_t size) {
    char *document = malloc(size > 0 ? size : 1);
    if (document != NULL && fread(document, 1, size, stdin) != size) {
        free(document);
        document = NULL;
    }
    return document;
}

static bool answer_request(const cJSON *json) {
    size_t sizes[] = {size_of(json, "size", 0), size_of(json, "other", 0)};
    char *document = read_document(sizes[0]);
    char *other = document != NULL ? read_document(sizes[1]) : NULL;
    bool ok = other != NULL &&
              answer_document(json, (ep_bytes){document, sizes[0]}, (ep_bytes){other, sizes[1]});
    free(document);
    free(other);
    return ok;
}

static bool answer_line(const char *line) {
    cJSON *json = cJSON_Parse(line);
    const char *type = string_of(json, "type");
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
