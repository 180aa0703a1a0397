/*
 * io.c - see io.h.
 */
#define _DEFAULT_SOURCE /* fileno, ioctl */

#include "io.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 1 << 16 };

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
    char *data = realloc(d->data, capacity);
    if (data == NULL) {
        return false;
    }
    d->data = data;
    d->capacity = capacity;
    return true;
}

/* Takes bytes until there are `wanted` or no more. */
static bool fill(FILE *file, size_t wanted, io_data *d, failure *what) {
    while (d->size < wanted) {
        if (d->size == d->capacity) {
            size_t capacity = d->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : d->capacity * 2;
            if (capacity < d->capacity || !grow(d, capacity)) {
                return fail_memory(what);
            }
        }
        size_t room = d->capacity < wanted ? d->capacity : wanted;
        size_t got = fread(d->data + d->size, 1, room - d->size, file);
        d->size += got;
        if (got == 0 && ferror(file)) {
            return fail_errno(what);
        }
        if (got == 0) {
            return true;
        }
    }
    return true;
}

/* SPEC 8.1.1: an archive is known by its first bytes, not by its name. */
static bool begins_as_zip(const io_data *d) {
    return d->size >= 4 && memcmp(d->data, "PK\x03\x04", 4) == 0;
}

static bool read_file(FILE *file, size_t limit, io_data *d, failure *what) {
    struct stat about;
    if (!fill(file, 4, d, what)) {
        return false;
    }
    d->is_zip = begins_as_zip(d);
    d->on_disk =
        d->is_zip && file != stdin && fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode);
    return d->on_disk || fill(file, limit < SIZE_MAX ? limit + 1 : limit, d, what);
}

bool io_read(const char *path, size_t limit, io_data *d, failure *what) {
    d->size = 0;
    d->is_zip = false;
    d->on_disk = false;
    if (strcmp(path, "-") == 0) {
        return read_file(stdin, limit, d, what);
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return fail_errno(what);
    }
    setvbuf(file, NULL, _IONBF, 0); /* it is read in large pieces already */
    bool ok = read_file(file, limit, d, what);
    fclose(file);
    return ok;
}

void io_data_free(io_data *d) {
    free(d->data);
    *d = (io_data){0};
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
