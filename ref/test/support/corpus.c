/*
 * corpus.c - see corpus.h. Folders are POSIX's, which is asked for by name.
 */
#define _POSIX_C_SOURCE 200809L
#include "corpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text) {
    char *made = malloc(strlen(text) + 1);
    if (made == NULL) {
        exit(EXIT_FAILURE);
    }
    return strcpy(made, text);
}

static void path_of(const corpus *c, const char *release, const char *model, const char *name,
                    test_text *path) {
    path->size = 0;
    test_add_str(path, c->root);
    test_add_str(path, "/");
    test_add_str(path, release);
    test_add_str(path, "/");
    test_add_str(path, model);
    test_add_str(path, "/");
    test_add_str(path, name);
    test_add(path, "", 1);
}

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

static void add_entry(corpus *c, const char *release, const char *model) {
    if ((c->n & (c->n - 1)) == 0) {
        size_t capacity = c->n == 0 ? 1 : c->n * 2;
        c->entries = realloc(c->entries, capacity * sizeof *c->entries);
        if (c->entries == NULL) {
            exit(EXIT_FAILURE);
        }
    }
    c->entries[c->n++] = (corpus_entry){copy(release), copy(model)};
}

static void add_release(corpus *c, const char *release) {
    test_text path = {0};
    path_of(c, release, ".", ".", &path);
    DIR *folder = opendir(path.data);
    if (folder != NULL) {
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            path_of(c, release, entry->d_name, "program.json", &path);
            if (entry->d_name[0] != '.' && exists(path.data)) {
                add_entry(c, release, entry->d_name);
            }
        }
        closedir(folder);
    }
    test_text_free(&path);
}

/* "2.9.1" before "2.10.0": runs of digits compare as numbers. */
static int compare_releases(const char *a, const char *b) {
    while (*a != '\0' && *b != '\0') {
        char *a_end;
        char *b_end;
        unsigned long x = strtoul(a, &a_end, 10);
        unsigned long y = strtoul(b, &b_end, 10);
        if (a_end == a || b_end == b || x != y) {
            return x == y ? strcmp(a, b) : x < y ? -1 : 1;
        }
        a = a_end + (*a_end == '.');
        b = b_end + (*b_end == '.');
    }
    return (*a != '\0') - (*b != '\0');
}

static int compare_entries(const void *a, const void *b) {
    const corpus_entry *x = a;
    const corpus_entry *y = b;
    int order = compare_releases(x->release, y->release);
    return order != 0 ? order : strcmp(x->model, y->model);
}

bool corpus_open(corpus *c, const char *root) {
    *c = (corpus){.root = root};
    DIR *folder = opendir(root);
    if (folder != NULL) {
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            if (entry->d_name[0] != '.') {
                add_release(c, entry->d_name);
            }
        }
        closedir(folder);
    }
    if (c->n == 0) {
        fprintf(stderr, "no programs in %s\n", root);
        return false;
    }
    qsort(c->entries, c->n, sizeof *c->entries, compare_entries);
    return true;
}

void corpus_close(corpus *c) {
    for (size_t i = 0; i < c->n; i++) {
        free(c->entries[i].release);
        free(c->entries[i].model);
    }
    free(c->entries);
    *c = (corpus){NULL, NULL, 0};
}

bool corpus_read(const corpus *c, size_t i, const char *name, test_text *text) {
    test_text path = {0};
    path_of(c, c->entries[i].release, c->entries[i].model, name, &path);
    bool ok = exists(path.data) && test_read_file(path.data, text);
    test_text_free(&path);
    return ok;
}
