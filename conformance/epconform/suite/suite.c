/*
 * suite/suite.c - see suite.h. The suite is a list of manifests (suite.jsonl); a
 * manifest's files are in the folder that its line names, and {corpora} there
 * is the folder of the unpacked corpora.
 */
#include "suite/suite.h"

#include "text/memory.h"

#include <limits.h>
#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *from_environment(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

char *places_of_program(void) {
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    path[size > 0 ? size : 0] = '\0';
    char *slash = strrchr(path, '/');
    return slash != NULL ? memory_part(path, (size_t)(slash - path)) : memory_text(".");
}

/* The folder of what is installed with this program, from the program on: what is
 * installed may have been moved. */
static char *installed_part(const char *name) {
    char *bin = places_of_program();
    char *whole = memory_format("%s/" EPCONFORM_SHARE "/%s", bin, name);
    free(bin);
    return whole;
}

places places_default(void) {
    places p = {.installed = installed_part("conformance"),
                .installed_corpora = installed_part("corpora")};
    char *suite_there = memory_format("%s/suite.jsonl", p.installed);
    bool is_installed = access(suite_there, F_OK) == 0;
    free(suite_there);
    p.home = from_environment("EPREF_CONFORMANCE", is_installed ? p.installed : EPCONFORM_HOME);
    p.corpora =
        from_environment("EPREF_CORPORA", is_installed ? p.installed_corpora : EPCONFORM_CORPORA);
    p.testees = from_environment("EPREF_TESTEES", EPCONFORM_TESTEES);
    return p;
}

void places_free(places *p) {
    words_free(&p->manifests);
    free(p->installed);
    free(p->installed_corpora);
    *p = (places){0};
}

/* ------------------------------------------------------------------- lines */

bool suite_each_line(const char *path, suite_line *take, void *context) {
    vector_bytes text;
    vector_list list;
    if (!vector_file_read(path, &text)) {
        return false;
    }
    bool ok = vector_lines_parse(path, text, &list);
    for (size_t i = 0; ok && i < list.count; i++) {
        strbuf why = {NULL, 0, 0};
        ok = take(context, list.lines[i], &why);
        if (!ok) {
            fprintf(stderr, "%s:%zu: %s\n", path, i + 1, strbuf_string(&why));
        }
        strbuf_free(&why);
    }
    vector_list_free(&list);
    vector_bytes_free(&text);
    return ok;
}

/* --------------------------------------------------------------- manifests */

/* What is known while the manifests are read. */
typedef struct reading {
    const places *places;
    char *folder; /* of suite.jsonl */
    suite *suite;
    EVP_MD_CTX *hash;
} reading;

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? memory_part(path, (size_t)(slash - path)) : memory_text(".");
}

static bool add_manifest(reading *r, const char *path, const char *folder) {
    suite *s = r->suite;
    vector_bytes text;
    s->lists = memory_resize(s->lists, s->list_count + 1, sizeof *s->lists);
    if (!vector_file_read(path, &text)) {
        return false;
    }
    bool ok = EVP_DigestUpdate(r->hash, text.data, text.size) == 1;
    ok = vector_list_parse(path, text, folder, &s->lists[s->list_count++]) && ok;
    vector_bytes_free(&text);
    return ok;
}

/* A path of suite.jsonl, from its folder. */
static char *resolve(const reading *r, const char *path) {
    const char *const pairs[][2] = {{"{corpora}", r->places->corpora}, {NULL, NULL}};
    char *filled = words_fill(path, pairs);
    char *whole = filled[0] == '/' || strncmp(path, "{corpora}", 9) == 0
                      ? memory_text(filled)
                      : memory_format("%s/%s", r->folder, filled);
    free(filled);
    return whole;
}

static bool take_suite_line(void *context, const cJSON *line, strbuf *why) {
    reading *r = context;
    const char *manifest = vector_text(line, "manifest");
    const char *files = vector_text(line, "files");
    if (manifest == NULL || files == NULL) {
        strbuf_format(why, "\"%s\": a path is wanted", manifest == NULL ? "manifest" : "files");
        return false;
    }
    char *path = resolve(r, manifest);
    char *folder = resolve(r, files);
    bool ok = add_manifest(r, path, folder);
    if (!ok) {
        strbuf_format(why, "%s: not read", manifest);
    }
    free(path);
    free(folder);
    return ok;
}

static bool read_chosen(reading *r, const word_list *manifests) {
    bool ok = true;
    for (size_t i = 0; ok && i < manifests->count; i++) {
        char *folder = folder_of(manifests->words[i]);
        ok = add_manifest(r, manifests->words[i], folder);
        free(folder);
    }
    return ok;
}

static bool read_manifests(reading *r) {
    const places *p = r->places;
    if (p->manifests.count > 0) {
        return read_chosen(r, &p->manifests);
    }
    char *path =
        p->suite != NULL ? memory_text(p->suite) : memory_format("%s/suite.jsonl", p->home);
    r->folder = folder_of(path);
    bool ok = suite_each_line(path, take_suite_line, r);
    free(path);
    free(r->folder);
    return ok;
}

static bool read_and_hash(reading *r) {
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (r->hash == NULL || EVP_DigestInit_ex(r->hash, EVP_sha256(), NULL) != 1 ||
        !read_manifests(r) || EVP_DigestFinal_ex(r->hash, sum, &size) != 1 || size != 32) {
        return false;
    }
    vector_hex(sum, r->suite->sha256);
    return true;
}

/* ----------------------------------------------------------------- vectors */

static int compare_vectors(const void *left, const void *right) {
    const vector *const *a = left;
    const vector *const *b = right;
    return strcmp((*a)->id, (*b)->id);
}

static bool add_vectors(suite *s, vector_list *list) {
    list->index = &s->index;
    for (size_t i = 0; i < list->count; i++) {
        const cJSON *line = list->lines[i];
        vector *v = &s->vectors[s->count++];
        *v = (vector){vector_text(line, "id"), vector_text(line, "operation"), line, list};
        if (v->operation == NULL || vector_text(line, "verdict") == NULL) {
            fprintf(stderr, "%s: a vector without operation or verdict\n", v->id);
            return false;
        }
    }
    return true;
}

static bool sort_vectors(suite *s) {
    const vector **sorted = s->index.sorted = memory_take(s->count, sizeof *sorted);
    s->index.count = s->count;
    for (size_t i = 0; i < s->count; i++) {
        sorted[i] = &s->vectors[i];
    }
    qsort(sorted, s->count, sizeof *sorted, compare_vectors);
    for (size_t i = 1; i < s->count; i++) {
        if (strcmp(sorted[i - 1]->id, sorted[i]->id) == 0) {
            fprintf(stderr, "%s: two vectors of this id\n", sorted[i]->id);
            return false;
        }
    }
    return true;
}

static bool collect(suite *s) {
    size_t total = 0;
    for (size_t i = 0; i < s->list_count; i++) {
        total += s->lists[i].count;
    }
    s->vectors = memory_take(total, sizeof *s->vectors);
    for (size_t i = 0; i < s->list_count; i++) {
        if (!add_vectors(s, &s->lists[i])) {
            return false;
        }
    }
    if (s->count == 0) {
        fputs("epconform: the suite holds no vectors\n", stderr);
    }
    return sort_vectors(s) && s->count > 0;
}

bool suite_read(const places *p, suite *s) {
    *s = (suite){.whole = p->manifests.count == 0};
    reading r = {p, NULL, s, EVP_MD_CTX_new()};
    bool ok = read_and_hash(&r);
    EVP_MD_CTX_free(r.hash);
    return ok && collect(s);
}

void suite_free(suite *s) {
    for (size_t i = 0; i < s->list_count; i++) {
        vector_list_free(&s->lists[i]);
    }
    free(s->lists);
    free(s->vectors);
    free(s->index.sorted);
    *s = (suite){0};
}

const vector *suite_find(const suite *s, const char *id) {
    return vector_find(&s->index, id);
}

/* --------------------------------------------------------------- selection */

/* FNV-1a: a shard is the same on every machine. */
static uint64_t hash_of(const char *text) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
    }
    return hash ^ hash >> 32;
}

bool selection_takes(const selection *s, const char *id) {
    bool fits = s->filters.count == 0;
    for (size_t i = 0; !fits && i < s->filters.count; i++) {
        fits = glob_fits(s->filters.words[i], id);
    }
    return fits && (s->shards <= 1 || hash_of(id) % s->shards == s->shard - 1);
}

bool selection_has(const selection *s, const vector *v) {
    const char *verdict = vector_text(v->line, "verdict");
    bool wanted = s->verdict == NULL || strcmp(verdict, s->verdict) == 0;
    return wanted && selection_takes(s, v->id);
}

const char *selection_verdict(void *into, const char *text) {
    static const char *const words[][2] = {
        {"valid", "valid"}, {"invalid", "invalid"}, {"either", "implementation-defined"}};
    selection *s = into;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i][0], text) == 0) {
            s->verdict = words[i][1];
            return NULL;
        }
    }
    return "valid, invalid or either is wanted";
}

const char *selection_shard(void *into, const char *text) {
    selection *s = into;
    char *end;
    s->shard = strtoul(text, &end, 10);
    bool good = text[0] >= '0' && text[0] <= '9' && *end == '/' && end[1] >= '0' && end[1] <= '9';
    s->shards = good ? strtoul(end + 1, &end, 10) : 0;
    good = good && *end == '\0' && s->shard >= 1 && s->shard <= s->shards && s->shards <= 1000000;
    return good ? NULL : "k/n is wanted, with 1 <= k <= n";
}

bool glob_fits(const char *glob, const char *text) {
    const char *star = NULL; /* the last star, and how far it reaches */
    const char *reached = text;
    while (*text != '\0') {
        if (*glob == '*') {
            star = glob++;
            reached = text;
        } else if (*glob == *text) {
            glob++;
            text++;
        } else if (star != NULL) {
            glob = star + 1;
            text = ++reached;
        } else {
            return false;
        }
    }
    while (*glob == '*') {
        glob++;
    }
    return *glob == '\0';
}
