/*
 * output.c - see output.h. A file is replaced by writing a new one beside it and
 * renaming that; the new one has the permissions of the old.
 */
#define _DEFAULT_SOURCE /* fileno, realpath */

#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_NAMES = 100 };

static bool fail_memory(failure *what) {
    *what = (failure){.status = STATUS_LIMIT, .error = {.code = EP_MEMORY}};
    return false;
}

static bool fail_errno(failure *what) {
    if (errno == ENOMEM) {
        return fail_memory(what);
    }
    *what = (failure){.status = STATUS_IO, .reason = strerror(errno)};
    return false;
}

/* Where a product comes from. */
typedef struct origin {
    output_pull *pull;
    void *context;
} origin;

static bool put_all(FILE *file, origin product) {
    ep_bytes piece;
    do {
        if (!product.pull(product.context, &piece)) {
            errno = ENOMEM;
            return false;
        }
        if (piece.size > 0 && fwrite(piece.data, 1, piece.size, file) != piece.size) {
            return false;
        }
    } while (piece.size > 0);
    return fflush(file) == 0;
}

/* Closes a file; says why that, or what was done before, failed. */
static bool close_file(FILE *file, bool ok, failure *what) {
    int reason = errno;
    if (fclose(file) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    errno = reason;
    return ok || fail_errno(what);
}

/* Opens a new file beside the one at path, whose name goes to name. That is short,
 * however long the name at path is. */
static FILE *open_beside(const char *path, buffer *name) {
    const char *slash = strrchr(path, '/');
    for (int i = 0; i < TEMPORARY_NAMES; i++) {
        buffer_clear(name);
        buffer_put(name, path, slash == NULL ? 0 : (size_t)(slash - path) + 1);
        buffer_text(name, ".epref-");
        buffer_number(name, (int64_t)getpid());
        buffer_byte(name, '-');
        buffer_number(name, i);
        const char *text = buffer_string(name);
        FILE *file = name->failed ? NULL : fopen(text, "wbx");
        if (file != NULL || errno != EEXIST) {
            return file;
        }
    }
    return NULL;
}

/* mode: of the file that is replaced, or 0. */
static bool replace(const char *path, origin product, mode_t mode, failure *what) {
    buffer name = {0};
    FILE *file = open_beside(path, &name);
    if (file == NULL) {
        bool short_of_memory = name.failed;
        buffer_free(&name);
        return short_of_memory ? fail_memory(what) : fail_errno(what);
    }
    bool ok = put_all(file, product) && fsync(fileno(file)) == 0 &&
              (mode == 0 || fchmod(fileno(file), mode) == 0);
    ok = close_file(file, ok, what);
    if (ok && rename(buffer_string(&name), path) != 0) {
        ok = fail_errno(what);
    }
    if (!ok) {
        remove(buffer_string(&name));
    }
    buffer_free(&name);
    return ok;
}

static bool write_in_place(const char *path, origin product, failure *what) {
    FILE *file = fopen(path, "wb");
    return file == NULL ? fail_errno(what) : close_file(file, put_all(file, product), what);
}

/* A symbolic link is followed, so that it is its target that is replaced. */
static bool write_file(const char *path, origin product, failure *what) {
    struct stat about;
    if (stat(path, &about) != 0) {
        bool absent = errno == ENOENT && lstat(path, &about) != 0; /* and no broken link */
        return absent ? replace(path, product, 0, what) : fail_errno(what);
    }
    if (!S_ISREG(about.st_mode)) {
        return write_in_place(path, product, what);
    }
    char *target = realpath(path, NULL);
    if (target == NULL) {
        return fail_errno(what);
    }
    bool ok = replace(target, product, about.st_mode & 07777, what);
    free(target);
    return ok;
}

bool output_write_pieces(const char *path, output_pull *pull, void *context, failure *what) {
    origin product = {pull, context};
    if (path != NULL) {
        return write_file(path, product, what);
    }
    return put_all(stdout, product) || fail_errno(what);
}

/* All of it, then nothing. */
static bool pull_once(void *context, ep_bytes *piece) {
    ep_bytes *left = context;
    *piece = *left;
    *left = (ep_bytes){NULL, 0};
    return true;
}

bool output_write(const char *path, ep_bytes product, failure *what) {
    return output_write_pieces(path, pull_once, &product, what);
}
