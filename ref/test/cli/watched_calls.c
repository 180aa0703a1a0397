/*
 * watched_calls.c - linked into epref for a test: something happens before the
 * N-th call by which epref looks at or changes the file system. The linker hands
 * those calls over (--wrap). The environment says what happens:
 *
 *     EPREF_TEST_AT=N         which call, counted from 1
 *     EPREF_TEST_SIGNAL=S     the process sends itself this signal; SIGSTOP lets
 *                             the test look and do as it likes before the call
 *     EPREF_TEST_ERRNO=E      the call fails for this reason
 *     EPREF_TEST_FROM=1       ... and all after it
 *     EPREF_TEST_COUNT=FILE   a line for each call is put there: its name
 *
 * A write takes some bytes only, so that there are many of them.
 */
#define _DEFAULT_SOURCE /* kill, fchown, mode_t */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { MOST_WRITTEN = 4096 };

static size_t calls; /* the functions here have no argument to find it by */

static long number_in(const char *name) {
    const char *text = getenv(name);
    return text == NULL ? 0 : strtol(text, NULL, 10);
}

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int file, const void *data, size_t size);
int __real_close(int file);

static void note(const char *name) {
    const char *path = getenv("EPREF_TEST_COUNT");
    int file = path == NULL ? -1 : __real_open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
        bool put = __real_write(file, name, strlen(name)) > 0 && __real_write(file, "\n", 1) == 1;
        __real_close(file);
        if (!put) {
            abort();
        }
    }
}

/* Whether a call goes on. */
static bool goes_on(const char *name) {
    long at = number_in("EPREF_TEST_AT");
    long reason = number_in("EPREF_TEST_ERRNO");
    note(name);
    calls++;
    bool here = at > 0 && calls == (size_t)at;
    bool after = at > 0 && calls > (size_t)at && number_in("EPREF_TEST_FROM") != 0;
    if (here && number_in("EPREF_TEST_SIGNAL") != 0) {
        kill(getpid(), (int)number_in("EPREF_TEST_SIGNAL"));
    }
    if (reason != 0 && (here || after)) {
        errno = (int)reason;
        return false;
    }
    return true;
}

static mode_t mode_of(int flags, va_list rest) {
    bool creates = (flags & O_CREAT) != 0;
#ifdef O_TMPFILE
    creates = creates || (flags & O_TMPFILE) == O_TMPFILE;
#endif
    return creates ? (mode_t)va_arg(rest, unsigned) : 0;
}

int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return goes_on("open") ? __real_open(path, flags, mode) : -1;
}

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return goes_on("openat") ? __real_openat(folder, path, flags, mode) : -1;
}

ssize_t __wrap_write(int file, const void *data, size_t size);
ssize_t __wrap_write(int file, const void *data, size_t size) {
    return goes_on("write") ? __real_write(file, data, size < MOST_WRITTEN ? size : MOST_WRITTEN)
                            : -1;
}

/* The others are all of one kind: 0, or -1 and a reason. */
#define WATCH(name, parameters, arguments)                                                         \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters {                                                                 \
        return goes_on(#name) ? __real_##name arguments : -1;                                      \
    }
WATCH(fsync, (int file), (file))
WATCH(fchown, (int file, uid_t owner, gid_t group), (file, owner, group))
WATCH(fchmod, (int file, mode_t mode), (file, mode))
WATCH(linkat, (int from, const char *old, int to, const char *new, int flags),
      (from, old, to, new, flags))
WATCH(renameat, (int from, const char *old, int to, const char *new), (from, old, to, new))
WATCH(unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
WATCH(close, (int file), (file))
WATCH(stat, (const char *path, struct stat *about), (path, about))
WATCH(lstat, (const char *path, struct stat *about), (path, about))
