/*
 * run/testee.c - see testee.h: the testees of conformance/testees and those of
 * command lines.
 */
#include "run/testee.h"

#include "text/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_MAX = 1000000 }; /* seconds */

void testee_free(testee *t) {
    free(t->id);
    free(t->name);
    free(t->description);
    free(t->link);
    free(t->expected);
    words_free(&t->words);
    cJSON_Delete(t->hello);
    *t = (testee){0};
}

/* ------------------------------------------------------------ command lines */

/* The testee runs in another folder: what names a file here is made absolute. */
static void make_absolute(word_list *words) {
    for (size_t i = 0; i < words->count; i++) {
        char *word = words->words[i];
        bool is_path = i > 0 || strchr(word, '/') != NULL;
        if (is_path && word[0] != '/' && word[0] != '-' && access(word, F_OK) == 0) {
            char *whole = realpath(word, NULL);
            if (whole != NULL) {
                free(word);
                words->words[i] = whole;
            }
        }
    }
}

static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return memory_text(slash != NULL ? slash + 1 : path);
}

bool testee_of_words(testee *t, const char *line, bool is_command) {
    *t = (testee){.is_command = is_command};
    if (!words_of_command(&t->words, line)) {
        fprintf(stderr, "epconform: no command in '%s', or a quote that stays open\n", line);
        return false;
    }
    t->id = name_of(t->words.words[0]);
    make_absolute(&t->words);
    return true;
}

/* ------------------------------------------------------------------ folders */

/* Where the {words} of a testee.json point. */
typedef struct folders {
    char *here;
    char *home;
    char *bin;
} folders;

static folders folders_of(const places *p, const char *name) {
    folders f;
    char *path = strchr(name, '/') != NULL ? memory_text(name)
                                           : memory_format("%s/testees/%s", p->home, name);
    char *whole = realpath(path, NULL);
    f.here = whole != NULL ? whole : memory_text(path);
    char *base = name_of(f.here);
    char *home = memory_format("%s/%s", p->testees, base);
    f.home = home[0] == '/' ? home : realpath(home, NULL);
    if (f.home == NULL) {
        f.home = home;
    } else if (f.home != home) {
        free(home);
    }
    f.bin = places_of_program();
    free(base);
    free(path);
    return f;
}

static void folders_free(folders *f) {
    free(f->here);
    free(f->home);
    free(f->bin);
}

static char *fill(const folders *f, const cJSON *text) {
    const char *const pairs[][2] = {
        {"{here}", f->here}, {"{home}", f->home}, {"{bin}", f->bin}, {NULL, NULL}};
    return words_fill(cJSON_IsString(text) ? text->valuestring : "", pairs);
}

static cJSON *read_folder(const folders *f) {
    char *path = memory_format("%s/testee.json", f->here);
    bool is_there = access(path, F_OK) == 0;
    cJSON *json = is_there ? vector_json_read(path) : NULL;
    if (!is_there) {
        fprintf(stderr, "epconform: no testee in %s; `epconform list --testees` names them\n",
                f->here);
    } else if (json != NULL && !cJSON_IsArray(cJSON_GetObjectItem(json, "proc"))) {
        fprintf(stderr, "%s: no \"proc\"\n", path);
        cJSON_Delete(json);
        json = NULL;
    }
    free(path);
    return json;
}

/* The first file that has to be there and is not; NULL: all are. */
static char *missing_file(const folders *f, const cJSON *json) {
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "requires")) {
        char *path = fill(f, item);
        if (access(path, F_OK) != 0) {
            return path;
        }
        free(path);
    }
    return NULL;
}

static char *copy_text(const cJSON *json, const char *key) {
    const char *text = vector_text(json, key);
    return text != NULL ? memory_text(text) : NULL;
}

static void take_folder(testee *t, const folders *f, const cJSON *json) {
    const cJSON *item;
    const cJSON *timeout = cJSON_GetObjectItemCaseSensitive(json, "timeout");
    t->id = name_of(f->here);
    t->name = copy_text(json, "name");
    t->description = copy_text(json, "description");
    t->link = copy_text(json, "link");
    t->timeout = cJSON_IsNumber(timeout) ? timeout->valuedouble : 0;
    t->timeout = t->timeout < TIMEOUT_MAX ? t->timeout : TIMEOUT_MAX;
    t->expected = memory_format("%s/expected.jsonl", f->here);
    if (access(t->expected, F_OK) != 0) {
        free(t->expected);
        t->expected = NULL;
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "proc")) {
        char *word = fill(f, item);
        words_add(&t->words, word);
        free(word);
    }
}

finding testee_find(const places *p, const char *name, testee *t) {
    folders f = folders_of(p, name);
    cJSON *json = read_folder(&f);
    char *missing = json != NULL ? missing_file(&f, json) : NULL;
    finding result = json == NULL      ? FOUND_BROKEN
                     : missing != NULL ? FOUND_NOT_INSTALLED
                                       : FOUND_YES;
    *t = (testee){0};
    if (json != NULL) {
        take_folder(t, &f, json);
        if (t->words.count == 0) {
            fprintf(stderr, "%s/testee.json: \"proc\" is empty\n", f.here);
            result = FOUND_BROKEN;
        }
    }
    if (result == FOUND_NOT_INSTALLED) {
        fprintf(stderr, "%s: not run: %s is not there; `scripts/testees %s` installs it\n", t->id,
                missing, t->id);
    }
    free(missing);
    cJSON_Delete(json);
    folders_free(&f);
    return result;
}

/* --------------------------------------------------------------------- list */

bool testee_names(const char *folder, word_list *names) {
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return false;
    }
    for (const struct dirent *each; (each = readdir(directory)) != NULL;) {
        char *path = memory_format("%s/%s/testee.json", folder, each->d_name);
        if (each->d_name[0] != '.' && access(path, F_OK) == 0) {
            words_add(names, each->d_name);
        }
        free(path);
    }
    closedir(directory);
    words_sort(names);
    return true;
}

static void list_one(const places *p, const char *name) {
    folders f = folders_of(p, name);
    cJSON *json = read_folder(&f);
    char *missing = json != NULL ? missing_file(&f, json) : NULL;
    const char *description = vector_text(json, "description");
    printf("%-16s %-14s %s\n", name,
           json == NULL      ? "broken"
           : missing != NULL ? "not installed"
                             : "installed",
           description != NULL ? description : "");
    free(missing);
    cJSON_Delete(json);
    folders_free(&f);
}

bool testee_list(const places *p) {
    char *folder = memory_format("%s/testees", p->home);
    word_list names = {NULL, 0};
    bool ok = testee_names(folder, &names);
    if (!ok && errno == ENOENT) {
        ok = printf("no testees are kept in %s\n", folder) > 0;
    } else if (!ok) {
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
    }
    for (size_t i = 0; i < names.count; i++) {
        list_one(p, names.words[i]);
    }
    words_free(&names);
    free(folder);
    return ok;
}
