/*
 * main.c - a target without an engine: every file that is named, and every one
 * in the folders that are named, is an input once. usage: fuzz_NAME PATH...
 * Prints how many there were. Status: 0; 2 for want of an argument; 3 when a
 * file cannot be read; a broken property aborts, after the name of its file.
 */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct replay {
    size_t count;
    bool ok;
} replay;

static void replay_path(replay *r, const char *path);

static void fail(replay *r, const char *path) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    r->ok = false;
}

static void replay_file(replay *r, const char *path) {
    test_text text = {0};
    if (!test_read_file(path, &text)) {
        r->ok = false;
        return;
    }
    /* What is left over here is the name of the file that broke a property. */
    fprintf(stderr, "%s\r", path);
    ep_bytes input = test_text_exact(&text);
    LLVMFuzzerTestOneInput((const uint8_t *)input.data, input.size);
    r->count++;
    test_text_free(&text);
}

static void replay_folder(replay *r, const char *path) {
    struct dirent **names;
    int count = scandir(path, &names, NULL, alphasort);
    if (count < 0) {
        fail(r, path);
        return;
    }
    for (int i = 0; i < count; i++) {
        char inner[PATH_MAX];
        int size = snprintf(inner, sizeof inner, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.' && size > 0 && (size_t)size < sizeof inner) {
            replay_path(r, inner);
        }
        free(names[i]);
    }
    free(names);
}

static void replay_path(replay *r, const char *path) {
    struct stat about;
    if (stat(path, &about) != 0) {
        fail(r, path);
    } else if (S_ISDIR(about.st_mode)) {
        replay_folder(r, path);
    } else {
        replay_file(r, path);
    }
}

int main(int argc, char **argv) {
    replay r = {0, true};
    if (argc < 2) {
        fprintf(stderr, "usage: %s PATH...\n", argv[0]);
        return 2;
    }
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        replay_path(&r, argv[i]);
    }
    printf("%zu inputs\n", r.count);
    return r.ok ? 0 : 3;
}
