/*
 * io.c - see io.h.
 */
#define _DEFAULT_SOURCE      /* O_CLOEXEC, pread, st_mtim */
#define _FILE_OFFSET_BITS 64 /* archives are longer than 2 GiB on 32-bit systems, too */

#include "io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "refusal.h"

#ifdef __APPLE__
#define CHANGED st_mtimespec
#else
#define CHANGED st_mtim
#endif

enum { FIRST_CAPACITY = 1 << 16, READ_MOST = 1 << 30 };

static bool grow(io_data *d, size_t capacity) {
    char *data = memory_resize(d->data, capacity);
    TRY(data != NULL);
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
                return refuse_plainly(what, EP_MEMORY);
            }
        }
        size_t room = (d->capacity < wanted ? d->capacity : wanted) - d->size;
        ssize_t got = read(descriptor, d->data + d->size, room < READ_MOST ? room : READ_MOST);
        if (got < 0 && errno != EINTR) {
            return refuse_errno(what);
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

/* What a file was like; false when it cannot be read in place, from its beginning. lseek in
 * parentheses is the function, which wasi-libc hides behind a macro that is no C11. */
static bool look_at(int descriptor, io_data *d) {
    struct stat about;
    TRY(fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size >= 0 &&
        (lseek)(descriptor, 0, SEEK_CUR) == (off_t)d->size);
    d->length = (uint64_t)about.st_size;
    d->changed[0] = (int64_t)about.CHANGED.tv_sec;
    d->changed[1] = (int64_t)about.CHANGED.tv_nsec;
    return true;
}

static bool read_file(int descriptor, size_t limit, io_data *d, failure *what) {
    size_t wanted = limit < SIZE_MAX ? limit + 1 : limit;
    TRY(fill(descriptor, 4, d, what));
    d->is_zip = begins_as_zip(d);
    d->on_disk = d->is_zip && look_at(descriptor, d);
    d->descriptor = descriptor;
    if (d->on_disk) {
        wanted = d->length < FIRST_CAPACITY ? (size_t)d->length : FIRST_CAPACITY;
    }
    TRY(fill(descriptor, wanted, d, what));
    return !d->is_zip || d->on_disk || d->size <= limit || refuse_plainly(what, EP_LIMIT_BYTES);
}

/* Closes what was read in place; standard input stays open. */
static void leave(io_data *d) {
    if (d->reader != NULL) {
        d->reader = NULL;
    } else if (d->on_disk && d->descriptor == STDIN_FILENO) {
        (lseek)(STDIN_FILENO, 0, SEEK_END); /* it has been read */
    } else if (d->on_disk) {
        close(d->descriptor);
    }
    d->size = 0;
    d->start = 0;
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
        return refuse_errno(what);
    }
    bool ok = read_file(descriptor, limit, d, what);
    if (!d->on_disk) {
        close(descriptor);
    }
    return ok;
}

enum { ANYBODY = 0777 }; /* less the umask */

/* The folder of a name in another one, which is closed. */
static int enter(int from, const char *name, bool make) {
    enum { FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    int into = -1;
    if (!make || mkdirat(from, name, ANYBODY) == 0 || errno == EEXIST) {
        into = openat(from, name, FOLDER);
    }
    int reason = errno;
    close(from);
    errno = reason;
    return into;
}

bool io_make_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 || mkdir(path, ANYBODY) == 0 || errno == EEXIST;
}

int io_enter(const char *folder, const char *path, bool make, const char **last) {
    buffer part = {0};
    bool there = !make || io_make_folder(folder);
    int at = there ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const char *slash = strchr(path, '/');
    for (; at >= 0 && slash != NULL; slash = strchr(path, '/')) {
        buffer_clear(&part);
        buffer_put(&part, path, (size_t)(slash - path));
        const char *name = buffer_string(&part);
        at = enter(at, name, make); /* without memory that is "", which nothing is called */
        path = slash + 1;
    }
    int reason = part.failed ? ENOMEM : errno;
    buffer_free(&part);
    *last = path;
    errno = reason;
    return at;
}

/* What was opened, unless it is no regular file. */
static bool take_file(int descriptor, io_data *d, failure *what) {
    struct stat about;
    if (fstat(descriptor, &about) != 0) {
        refuse_errno(what);
    } else if (!look_at(descriptor, d)) {
        refuse_io(what, S_ISDIR(about.st_mode) ? strerror(EISDIR) : "not a regular file");
    } else {
        d->descriptor = descriptor;
        d->on_disk = true;
    }
    return d->on_disk;
}

static bool take_opened(int descriptor, io_data *d, failure *what) {
    bool ok = descriptor >= 0 ? take_file(descriptor, d, what) : refuse_errno(what);
    if (descriptor >= 0 && !ok) {
        close(descriptor);
    }
    return ok;
}

bool io_open(const char *path, io_data *d, failure *what) {
    leave(d);
    return take_opened(open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), d, what);
}

bool io_open_below(const char *folder, const char *path, io_data *d, failure *what) {
    const char *name;
    leave(d);
    int at = io_enter(folder, path, false, &name);
    if (at < 0) {
        return refuse_errno(what);
    }
    int file = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int reason = errno;
    close(at);
    errno = reason;
    return take_opened(file, d, what);
}

bool io_is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool io_is_file(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool io_list(const char *folder, buffer *names, failure *what) {
    DIR *opened = opendir(folder);
    if (opened == NULL) {
        return refuse_errno(what);
    }
    errno = 0;
    for (struct dirent *entry; (entry = readdir(opened)) != NULL; errno = 0) {
        if (entry->d_name[0] != '.') {
            buffer_put(names, entry->d_name, strlen(entry->d_name) + 1);
        }
    }
    bool ok = errno == 0 || refuse_errno(what);
    closedir(opened);
    return ok && (!names->failed || refuse_plainly(what, EP_MEMORY));
}

void io_data_free(io_data *d) {
    leave(d);
    if (d->capacity > 0) {
        memory_free(d->data);
    }
    *d = (io_data){0};
}

bool io_open_reader(io_reader *reader, void *context, uint64_t length, io_data *d, failure *what) {
    leave(d);
    d->on_disk = true;
    d->reader = reader;
    d->context = context;
    d->length = length;
    d->changed[0] = d->changed[1] = 0;
    return io_look(d, what);
}

bool io_look(io_data *d, failure *what) {
    char first[4];
    if (io_length(d) >= sizeof first) {
        TRY(io_read_at(d, 0, first, sizeof first, what));
        d->is_zip = begins_as_zip(&(io_data){.data = first, .size = sizeof first});
    }
    return true;
}

void io_view(ep_bytes bytes, io_data *d) {
    /* it is read only: who frees what was read does not have it from here */
    *d = (io_data){.data = (char *)(uintptr_t)bytes.data, .size = bytes.size};
    d->is_zip = begins_as_zip(d);
}

void io_window(const io_data *of, uint64_t place, uint64_t size, io_data *window) {
    *window = (io_data){.is_zip = true, .on_disk = of->on_disk, .descriptor = of->descriptor};
    window->reader = of->reader;
    window->context = of->context;
    if (of->on_disk) {
        window->start = of->start + place;
        window->length = size;
    }
    if (place < of->size) {
        window->data = of->data + place;
        window->size = size < of->size - place ? (size_t)size : (size_t)(of->size - place);
    }
}

uint64_t io_length(const io_data *d) {
    return d->on_disk ? d->length : d->size;
}

static bool fail_changed(failure *what) {
    return refuse_io(what, "the file changed while it was read");
}

bool io_read_at(const io_data *d, uint64_t place, void *to, size_t size, failure *what) {
    char *at = to;
    if (!d->on_disk || (place < d->size && size <= d->size - place)) {
        memcpy(to, d->data + place, size);
        return true;
    }
    place += d->start;
    if (d->reader != NULL) {
        return size == 0 || d->reader(d->context, place, to, size) ||
               refuse_io(what, "it cannot be read");
    }
    while (size > 0) {
        ssize_t got = pread(d->descriptor, at, size < READ_MOST ? size : READ_MOST, (off_t)place);
        if (got < 0 && errno != EINTR) {
            return refuse_errno(what);
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
    char *room = buffer_room(to, size);
    if (to->failed) {
        return refuse_plainly(what, EP_MEMORY);
    }
    if (room != NULL && !io_read_at(d, place, room, size, what)) {
        buffer_free(to);
        return false;
    }
    return true;
}

bool io_check_unchanged(const io_data *d, failure *what) {
    struct stat about;
    if (!d->on_disk || d->reader != NULL) {
        return true;
    }
    if (fstat(d->descriptor, &about) != 0) {
        return refuse_errno(what);
    }
    bool same = (uint64_t)about.st_size == d->length &&
                (int64_t)about.CHANGED.tv_sec == d->changed[0] &&
                (int64_t)about.CHANGED.tv_nsec == d->changed[1];
    return same || fail_changed(what);
}

bool io_settle(const io_data *d, bool ok, failure *what) {
    failure change = {0};
    if (io_check_unchanged(d, &change)) {
        return ok;
    }
    *what = change;
    return false;
}
