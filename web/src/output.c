/*
 * output.c - the command's output.h where there are neither signals nor other processes: what
 * a module of WebAssembly writes is seen by nobody before its call is over.
 */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "common/io.h"
#include "common/refusal.h"

enum { ANYBODY = 0666 };

/* The sink of a file. */
static bool put_piece(void *sink, ep_bytes piece, failure *what) {
    const int *file = sink;
    while (piece.size > 0) {
        ssize_t put = write(*file, piece.data, piece.size);
        if (put <= 0) {
            return refuse_errno(what);
        }
        piece.data += put;
        piece.size -= (size_t)put;
    }
    return true;
}

bool output_bytes(void *context, output_put *put, void *sink, failure *what) {
    const ep_bytes *bytes = context;
    return put(sink, *bytes, what);
}

/* path: of the file in its folder, from which it goes again when there is no whole product. */
static bool make_into(int file, int folder, const char *path, output_make *make, void *context,
                      failure *what) {
    if (file < 0) {
        return refuse_errno(what);
    }
    bool ok = make(context, put_piece, &file, what);
    ok = (close(file) == 0 || !ok || refuse_errno(what)) && ok;
    if (!ok) {
        unlinkat(folder, path, 0);
    }
    return ok;
}

bool output_write(const char *path, ep_bytes product, failure *what) {
    return output_write_made(path, output_bytes, &product, what);
}

bool output_write_made(const char *path, output_make *make, void *context, failure *what) {
    int file = STDOUT_FILENO;
    if (path == NULL) {
        return make(context, put_piece, &file, what);
    }
    int made = open(path, O_WRONLY | O_CREAT | O_TRUNC, ANYBODY);
    return make_into(made, AT_FDCWD, path, make, context, what);
}

bool output_write_below(const char *folder, const char *path, output_make *make, void *context,
                        failure *what) {
    const char *name;
    int at = io_enter(folder, path, true, &name);
    if (at < 0) {
        return refuse_errno(what);
    }
    int file = openat(at, name, O_WRONLY | O_CREAT | O_EXCL, ANYBODY);
    bool ok = make_into(file, at, name, make, context, what);
    close(at);
    return ok;
}
