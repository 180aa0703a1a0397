/*
 * text/output.c - see output.h.
 */
#include "text/output.h"

#include "text/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const char *path) {
    fprintf(stderr, "epconform: %s: %s\n", path, strerror(errno));
    return false;
}

static bool write_stream(FILE *file, const strbuf *text) {
    bool ok = text->size == 0 || fwrite(text->data, 1, text->size, file) == text->size;
    return fflush(file) == 0 && ok;
}

/* As other programs make files: mkstemp leaves out everybody else. */
static bool open_up(int fd) {
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(fd, (mode_t)(0666 & ~mask)) == 0;
}

/* A new file in the folder of another; its name is the caller's to free. */
static int make_beside(const char *path, char **name) {
    *name = memory_format("%s.XXXXXX", path);
    return mkstemp(*name);
}

static bool write_beside(const char *path, const char *beside, int fd, const strbuf *text) {
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL) {
        return complain(path);
    }
    bool ok = write_stream(file, text) && open_up(fd);
    ok = fclose(file) == 0 && ok;
    if (!ok || rename(beside, path) != 0) {
        complain(path);
        unlink(beside);
        return false;
    }
    return true;
}

bool output_write(const char *path, const strbuf *text) {
    struct stat info;
    if (strcmp(path, "-") == 0) {
        return write_stream(stdout, text) || complain("standard output");
    }
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) { /* /dev/stdout, a pipe */
        FILE *file = fopen(path, "wb");
        bool ok = file != NULL && write_stream(file, text);
        ok = file != NULL && fclose(file) == 0 && ok;
        return ok || complain(path);
    }
    char *beside;
    int fd = make_beside(path, &beside);
    bool ok = write_beside(path, beside, fd, text);
    free(beside);
    return ok;
}

bool output_new(const char *path, const char *data, size_t size, mode_t mode) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    bool ok = file != NULL && (size == 0 || fwrite(data, 1, size, file) == size);
    return file != NULL && fclose(file) == 0 && ok;
}

bool output_try(const char *path) {
    struct stat info;
    if (path == NULL || strcmp(path, "-") == 0) {
        return true;
    }
    bool is_there = stat(path, &info) == 0;
    if (is_there && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return complain(path);
    }
    if (is_there && !S_ISREG(info.st_mode)) {
        return access(path, W_OK) == 0 || complain(path);
    }
    char *beside;
    int fd = make_beside(path, &beside);
    bool ok = fd >= 0 || complain(path);
    if (fd >= 0) {
        close(fd);
        unlink(beside);
    }
    free(beside);
    return ok;
}
