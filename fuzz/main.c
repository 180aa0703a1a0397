/*
 * main.c - a target without an engine: every file that is named, and every one
 * in the folders that are named, is an input once. usage:
 *
 *     fuzz_NAME [--every=N] [--tails=T] PATH...
 *
 * Folders are gone through by name, so that the order is the same everywhere; of
 * all inputs, every N-th is run, from the first on. Each is run
 * T times, as it is and with other tails, which are for inputs that have none.
 * Inputs run in a process of their own, all of them in one, so that the name of
 * the one that ended it can be told. Prints how many were run. Status: 0; 1, or
 * that of a sanitizer, when an input broke something; 2 for arguments that say
 * nothing; 3 when a file cannot be read, a folder holds no input, or none was run.
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
#include <sys/wait.h>
#include <unistd.h>

typedef struct replay {
    size_t every;
    size_t tails;
    size_t seen; /* inputs */
    size_t count;
    int names; /* where the name of each goes that is run, before it is */
    bool ok;
} replay;

enum { DONE = 0, BROKEN = 1, USAGE = 2, UNREAD = 3 };

static void replay_path(replay *r, const char *path);

static void fail(replay *r, const char *path) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    r->ok = false;
}

static bool tell(const replay *r, const char *text) {
    return write(r->names, text, strlen(text)) == (ssize_t)strlen(text);
}

static void replay_file(replay *r, const char *path) {
    test_text text = {0};
    if (r->seen++ % r->every != 0) {
        return;
    }
    if (!test_read_file(path, &text)) {
        r->ok = false;
        return;
    }
    if (!tell(r, path) || !tell(r, "\n")) {
        fail(r, path);
    }
    ep_bytes input = test_text_exact(&text);
    LLVMFuzzerTestOneInput((const uint8_t *)input.data, input.size);
    for (size_t i = 1; i < r->tails; i++) {
        const char tail[] = {'\0', (char)i};
        text.size = input.size;
        test_add(&text, tail, sizeof tail);
        LLVMFuzzerTestOneInput((const uint8_t *)text.data, text.size);
    }
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

/* What is named on the command line: it has to hold something. */
static void replay_named(replay *r, const char *path) {
    size_t before = r->seen;
    bool was_ok = r->ok;
    r->ok = true;
    replay_path(r, path);
    if (r->ok && r->seen == before) {
        fprintf(stderr, "%s: no input\n", path);
        r->ok = false;
    }
    r->ok = r->ok && was_ok;
}

/* The number behind a word such as "--every="; false for another argument. */
static bool option(const char *argument, const char *word, size_t *number) {
    size_t size = strlen(word);
    char *end;
    if (strncmp(argument, word, size) != 0 || argument[size] < '0' || argument[size] > '9') {
        return false;
    }
    *number = strtoul(argument + size, &end, 10);
    return *end == '\0';
}

/* All inputs, in the process that they may end. */
static int run(replay *r, int argc, char **argv) {
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 0; i < argc; i++) {
        replay_named(r, argv[i]);
    }
    printf("%zu inputs\n", r->count);
    return r->ok && r->count > 0 ? DONE : UNREAD;
}

/* Waits for that process, and tells at which input it ended before its time. */
static int watch(pid_t child, int names) {
    char name[PATH_MAX + 1] = "";
    char next[PATH_MAX + 1];
    int status;
    FILE *file = fdopen(names, "r");
    while (file != NULL && fgets(next, sizeof next, file) != NULL) {
        memcpy(name, next, sizeof name);
    }
    if (file == NULL || waitpid(child, &status, 0) != child) {
        perror("fuzz");
        return BROKEN;
    }
    fclose(file);
    if (WIFEXITED(status) && (WEXITSTATUS(status) == DONE || WEXITSTATUS(status) == UNREAD)) {
        return WEXITSTATUS(status);
    }
    fprintf(stderr, "fuzz: broken by %s", name);
    return WIFEXITED(status) ? WEXITSTATUS(status) : BROKEN;
}

static int replay_apart(replay *r, int argc, char **argv) {
    int names[2];
    pid_t child = pipe(names) == 0 ? fork() : -1;
    if (child < 0) {
        perror("fuzz");
        return BROKEN;
    }
    if (child > 0) {
        close(names[1]);
        return watch(child, names[0]);
    }
    close(names[0]);
    r->names = names[1];
    return run(r, argc, argv);
}

int main(int argc, char **argv) {
    replay r = {.every = 1, .ok = true};
    int i = 1;
    while (i < argc &&
           (option(argv[i], "--every=", &r.every) || option(argv[i], "--tails=", &r.tails))) {
        i++;
    }
    if (i == argc || argv[i][0] == '-' || r.every == 0) {
        fprintf(stderr, "usage: %s [--every=N] [--tails=T] PATH...\n", argv[0]);
        return USAGE;
    }
    return replay_apart(&r, argc - i, argv + i);
}
