/*
 * showing.c - the command `epconform show`: the story of a vector, and its
 * bytes.
 */
#include "epconform.h"
#include "run/judging.h"
#include "text/arguments.h"
#include "text/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE = 48, AFTER = 80, LABEL = 12 };

/* ------------------------------------------------------------------- windows */

/* Bytes around a place, and a caret below it. */
static void print_window(const char *label, vector_bytes bytes, size_t at) {
    strbuf b = {NULL, 0, 0};
    size_t from = at > BEFORE ? at - BEFORE : 0;
    size_t caret = 0;
    strbuf_text(&b, from > 0 ? "..." : "");
    for (size_t i = from; i < bytes.size && i < at + AFTER; i++) {
        caret = i == at ? b.size : caret;
        strbuf_ascii(&b, bytes.data + i, 1);
    }
    if (at >= bytes.size) {
        caret = b.size;
    }
    strbuf_text(&b, at + AFTER < bytes.size ? "..." : "");
    printf("%-*s%s\n%*s^ byte %zu of %zu\n", LABEL, label, strbuf_string(&b), (int)(LABEL + caret),
           "", at, bytes.size);
    strbuf_free(&b);
}

static void print_head(const char *label, vector_bytes bytes) {
    strbuf b = {NULL, 0, 0};
    size_t size = bytes.size < BEFORE + AFTER ? bytes.size : BEFORE + AFTER;
    strbuf_ascii(&b, bytes.data, size);
    printf("%-*s%s%s (%zu bytes)\n", LABEL, label, strbuf_string(&b),
           size < bytes.size ? "..." : "", bytes.size);
    strbuf_free(&b);
}

/* --------------------------------------------------------------------- story */

static void print_field(const char *label, const cJSON *item) {
    if (item == NULL) {
        return;
    }
    char *text =
        cJSON_IsString(item) ? memory_text(item->valuestring) : cJSON_PrintUnformatted(item);
    printf("%-*s%s\n", LABEL, label, text);
    if (cJSON_IsString(item)) {
        free(text);
    } else {
        cJSON_free(text);
    }
}

static void print_story(const vector *v) {
    static const char *const keys[] = {
        "why",        "operation", "options", "schema",   "verdict", "profiles", "code",
        "clause",     "pointer",   "offset",  "warnings", "flags",   "same_as",  "different_from",
        "provenance", "twin",      "base",    "other",    "file"};
    printf("%s\n\n", v->id);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        print_field(keys[i], cJSON_GetObjectItemCaseSensitive(v->line, keys[i]));
    }
}

/* The document at the byte that is wrong, and the twin where they part. */
static bool print_bytes(const task *t) {
    const cJSON *line = t->vector->line;
    const char *base = vector_base(line);
    const vector *other = base != NULL ? vector_find(t->vector->list->index, base) : NULL;
    const char *label = vector_text(line, "twin") != NULL ? "its twin" : "its base";
    vector_bytes twin = {NULL, 0};
    puts("");
    if (other != NULL && !vector_bytes_of(other->list, other->line, &twin)) {
        return false;
    }
    size_t parts = vector_bytes_part(t->document, twin);
    if (cJSON_HasObjectItem(line, "offset")) {
        print_window("document", t->document, vector_size(line, "offset", 0));
    } else if (other != NULL && parts < t->document.size) {
        print_window("document", t->document, parts);
    } else {
        print_head("document", t->document);
    }
    if (other != NULL && (parts < twin.size || parts < t->document.size)) {
        print_window(label, twin, parts);
    }
    vector_bytes_free(&twin);
    return true;
}

static bool write_bytes(vector_bytes bytes) {
    return fwrite(bytes.data, 1, bytes.size, stdout) == bytes.size && fflush(stdout) == 0;
}

static bool show(const task *t, bool bytes, bool product) {
    if (product && !t->has_wanted) {
        fprintf(stderr, "epconform: %s has no product\n", t->vector->id);
        return false;
    }
    if (product && t->hash != NULL) {
        fprintf(stderr, "epconform: of the product of %s only the SHA-256 is known\n",
                t->vector->id);
        return false;
    }
    if (bytes || product) {
        return write_bytes(product && t->wanted.data != NULL ? t->wanted : t->document);
    }
    print_story(t->vector);
    if (!print_bytes(t)) {
        return false;
    }
    if (t->hash != NULL) {
        printf("%-*s%s (SHA-256)\n", LABEL, "product", t->hash);
    } else if (t->has_wanted && t->wanted.data == NULL) {
        puts("product     the document itself");
    } else if (t->has_wanted) {
        print_window("product", t->wanted, vector_bytes_part(t->document, t->wanted));
    }
    return fflush(stdout) == 0;
}

static bool find_and_show(const places *p, const char *id, bool bytes, bool product) {
    suite s;
    task t = {0};
    bool ok = suite_read(p, &s);
    const vector *v = ok ? suite_find(&s, id) : NULL;
    if (ok && v == NULL) {
        fprintf(stderr, "epconform: no vector %s; epconform list names them\n", id);
    }
    ok = v != NULL && task_make(&t, v) && show(&t, bytes, product);
    task_free(&t);
    suite_free(&s);
    return ok;
}

int show_main(char **argv) {
    places p = places_default();
    word_list rest = {NULL, 0};
    bool bytes = false;
    bool product = false;
    const argument known[] = {
        {.name = "--bytes", .flag = &bytes},
        {.name = "--product", .flag = &product},
        PLACES_ARGUMENTS(p),
        {.name = NULL},
    };
    int status = STATUS_USAGE;
    if (arguments_read(argv, known, &rest) && rest.count == 1 && !(bytes && product)) {
        status = find_and_show(&p, rest.words[0], bytes, product) ? STATUS_GOOD : STATUS_TROUBLE;
    } else {
        fputs("epconform: show needs the id of one vector; see epconform show --help\n", stderr);
    }
    words_free(&rest);
    places_free(&p);
    return status;
}
