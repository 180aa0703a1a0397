/*
 * io.c - see io.h. A file is replaced by writing a new one beside it and
 * renaming that; the new one has the permissions of the old.
 */
#define _DEFAULT_SOURCE        /* fileno, realpath, ioctl */
#define _FILE_OFFSET_BITS 64   /* archives are longer than 2 GiB on 32-bit systems, too */

#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "refusal.h"

#ifdef __APPLE__
#define CHANGED st_mtimespec
#else
#define CHANGED st_mtim
#endif

enum { FIRST_CAPACITY = 1 << 16, READ_MOST = 1 << 30, TEMPORARY_NAMES = 100 };

static bool fail_io(failure *what, const char *reason) {
    *what = (failure){.status = STATUS_IO, .reason = reason};
    return false;
}

static bool fail_memory(failure *what) {
    *what = (failure){.status = STATUS_LIMIT, .error = {.code = EP_MEMORY}};
    return false;
}

static bool fail_errno(failure *what) {
    return errno == ENOMEM ? fail_memory(what) : fail_io(what, strerror(errno));
}

/* ------------------------------------------------------------------ reading */

static bool grow(io_data *d, size_t capacity) {
    char *data = memory_resize(d->data, capacity);
    if (data == NULL) {
        return false;
    }
    d->data = data;
    d->capacity = capacity;
    return true;
}

/* Takes bytes until there are `wanted` or no more. */
static bool fill(int descriptor, size_t wanted, io_data *d, failure *what) {
    while (d->size < wanted) {
        if (d->size == d->capacity) {
            size_t capacity = d->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : d->capacity * 2;
            if (capacity < d->capacity || !grow(d, capacity)) {
                return fail_memory(what);
            }
        }
        size_t room = (d->capacity < wanted ? d->capacity : wanted) - d->size;
        ssize_t got = read(descriptor, d->data + d->size, room < READ_MOST ? room : READ_MOST);
        if (got < 0 && errno != EINTR) {
            return fail_errno(what);
        }
        if (got == 0) {
            return true;
        }
        d->size += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* SPEC 8.1: an archive is known by its first bytes, not by its name. */
static bool begins_as_zip(const io_data *d) {
    return d->size >= 4 && memcmp(d->data, "PK\x03\x04", 4) == 0;
}

/* What a file was like; false when it cannot be read in place, from its beginning. */
static bool look_at(int descriptor, io_data *d) {
    struct stat about;
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size < 0 ||
        lseek(descriptor, 0, SEEK_CUR) != (off_t)d->size) {
        return false;
    }
    d->length = (uint64_t)about.st_size;
    d->changed[0] = (int64_t)about.CHANGED.tv_sec;
    d->changed[1] = (int64_t)about.CHANGED.tv_nsec;
    return true;
}

static bool read_file(int descriptor, size_t limit, io_data *d, failure *what) {
    size_t wanted = limit < SIZE_MAX ? limit + 1 : limit;
    if (!fill(descriptor, 4, d, what)) {
        return false;
    }
    d->is_zip = begins_as_zip(d);
    d->on_disk = d->is_zip && look_at(descriptor, d);
    d->descriptor = descriptor;
    if (!d->on_disk && !fill(descriptor, wanted, d, what)) {
        return false;
    }
    return !d->is_zip || d->on_disk || d->size <= limit || refuse_plainly(what, EP_LIMIT_BYTES);
}

/* Closes what was read in place; standard input stays open. */
static void leave(io_data *d) {
    if (d->on_disk && d->descriptor != STDIN_FILENO) {
        close(d->descriptor);
    }
    d->size = 0;
    d->is_zip = false;
    d->on_disk = false;
}

bool io_read(const char *path, size_t limit, io_data *d, failure *what) {
    leave(d);
    if (strcmp(path, "-") == 0) {
        return read_file(STDIN_FILENO, limit, d, what);
    }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return fail_errno(what);
    }
    bool ok = read_file(descriptor, limit, d, what);
    if (!d->on_disk) {
        close(descriptor);
    }
    return ok;
}

void io_data_free(io_data *d) {
    leave(d);
    memory_free(d->data);
    *d = (io_data){0};
}

uint64_t io_length(const io_data *d) {
    return d->on_disk ? d->length : d->size;
}

static bool fail_changed(failure *what) {
    return fail_io(what, "the file changed while it was read");
}

bool io_read_at(const io_data *d, uint64_t place, void *to, size_t size, failure *what) {
    char *at = to;
    if (!d->on_disk) {
        memcpy(to, d->data + place, size);
        return true;
    }
    while (size > 0) {
        ssize_t got = pread(d->descriptor, at, size < READ_MOST ? size : READ_MOST, (off_t)place);
        if (got < 0 && errno != EINTR) {
            return fail_errno(what);
        }
        if (got == 0) {
            return fail_changed(what);
        }
        size_t done = got > 0 ? (size_t)got : 0;
        at += done;
        place += done;
        size -= done;
    }
    return true;
}

bool io_read_piece(const io_data *d, uint64_t place, size_t size, buffer *to, failure *what) {
    size_t before = to->size;
    buffer_spaces(to, size);
    if (to->failed) {
        return fail_memory(what);
    }
    if (size > 0 && !io_read_at(d, place, to->data + before, size, what)) {
        buffer_free(to);
        return false;
    }
    return true;
}

bool io_check_unchanged(const io_data *d, failure *what) {
    struct stat about;
    if (!d->on_disk) {
        return true;
    }
    if (fstat(d->descriptor, &about) != 0) {
        return fail_errno(what);
    }
    bool same = (uint64_t)about.st_size == d->length &&
                (int64_t)about.CHANGED.tv_sec == d->changed[0] &&
                (int64_t)about.CHANGED.tv_nsec == d->changed[1];
    return same || fail_changed(what);
}

/* ------------------------------------------------------------------ writing */

/* Where a product comes from. */
typedef struct origin {
    io_pull *pull;
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

bool io_write_pieces(const char *path, io_pull *pull, void *context, failure *what) {
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

bool io_write(const char *path, ep_bytes product, failure *what) {
    return io_write_pieces(path, pull_once, &product, what);
}

void io_tell(ep_bytes text) {
    fflush(stdout);
    fwrite(text.data, 1, text.size, stderr);
}

/* ----------------------------------------------------------------- terminal */

static bool wants_color(int descriptor) {
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    bool plain = no_color != NULL && no_color[0] != '\0';
    bool dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    return !plain && !dumb && isatty(descriptor) != 0;
}

bool io_colors_output(void) {
    return wants_color(STDOUT_FILENO);
}

bool io_colors_errors(void) {
    return wants_color(STDERR_FILENO);
}

size_t io_columns(void) {
    struct winsize size;
    bool known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return known ? size.ws_col : 0;
}
