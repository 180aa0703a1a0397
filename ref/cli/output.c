/*
 * output.c - see output.h. A product is written as a draft in the folder of its
 * target, which then takes the target's name. Where there are files without a name
 * the draft is one: whatever ends the process, SIGKILL too, nothing of it stays. Where
 * there are none, and for the moment in which it takes the place of a file, it has
 * a name. The signals that end a process wait meanwhile, and between two pieces it
 * is looked whether one does: so there is no handler, and no state for one.
 */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH; and what is not of C11 at all */

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "common/io.h"
#include "common/refusal.h"

/* A folder is only gone through, which needs no right to list it. */
#if defined(O_PATH)
enum { OPEN_FOLDER = O_PATH | O_DIRECTORY | O_CLOEXEC };
#elif defined(O_SEARCH)
enum { OPEN_FOLDER = O_SEARCH | O_DIRECTORY | O_CLOEXEC };
#else
enum { OPEN_FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
#endif

enum {
    TEMPORARY_NAMES = 100,
    NAME_ROOM = 64,
    PIECE = 1 << 20, /* how much is written before signals are looked for */
    LOOKS = 8,       /* how often a target may change while it is being replaced */
    PRIVATE = 0600,
    ANYBODY = 0666,
    GROUP = 0070,
    OTHERS = 0007
};

/* All below say what is wrong by errno. */
static bool fail(int reason) {
    errno = reason;
    return false;
}

/* ------------------------------------------------------------------ signals */

/* Those that end a process which does not expect them, but for those that tell of
 * a bug in it. */
static const int ENDING[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,
                             SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};

typedef struct signals {
    bool held;
    sigset_t waited_for; /* of ENDING those that are neither ignored nor blocked anyway */
    sigset_t before;
} signals;

static void signals_hold(signals *s) {
    if (s->held) {
        return;
    }
    sigemptyset(&s->waited_for);
    sigprocmask(SIG_BLOCK, NULL, &s->before);
    for (size_t i = 0; i < sizeof ENDING / sizeof *ENDING; i++) {
        struct sigaction action;
        if (sigaction(ENDING[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN &&
            sigismember(&s->before, ENDING[i]) == 0) {
            sigaddset(&s->waited_for, ENDING[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &s->waited_for, NULL);
    s->held = true;
}

/* Whether one came. It is let through by signals_release, and ends the process. */
static bool signals_wait(const signals *s) {
    sigset_t pending;
    TRY(s->held && sigpending(&pending) == 0);
    for (size_t i = 0; i < sizeof ENDING / sizeof *ENDING; i++) {
        if (sigismember(&pending, ENDING[i]) == 1 && sigismember(&s->waited_for, ENDING[i]) == 1) {
            return true;
        }
    }
    return false;
}

static void signals_release(signals *s) {
    if (s->held) {
        s->held = false;
        sigprocmask(SIG_SETMASK, &s->before, NULL);
    }
}

/* ------------------------------------------------------------------ streams */

/* Where a product comes from, and what its maker, or who writes it, said. */
typedef struct origin {
    output_make *make;
    void *context;
    failure *what;
} origin;

/* Where it goes. */
typedef struct sink {
    int file;
    const signals *signals;
} sink;

/* What goes wrong but comes right by itself. */
static bool try_again(int file) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) { /* whoever gave us the stream made it so */
        struct pollfd stream = {.fd = file, .events = POLLOUT};
        return poll(&stream, 1, -1) >= 0 || errno == EINTR;
    }
    return errno == EINTR;
}

static bool put_piece(int file, ep_bytes piece, const signals *s) {
    while (piece.size > 0) {
        ssize_t put = write(file, piece.data, piece.size < PIECE ? piece.size : PIECE);
        if (signals_wait(s)) {
            return fail(EINTR);
        }
        if (put == 0 || (put < 0 && !try_again(file))) {
            return put < 0 ? false : fail(EIO);
        }
        size_t done = put < 0 ? 0 : (size_t)put;
        piece = (ep_bytes){piece.data + done, piece.size - done};
    }
    return true;
}

static bool put_to(void *context, ep_bytes piece, failure *what) {
    const sink *to = context;
    return put_piece(to->file, piece, to->signals) || refuse_errno(what);
}

static bool put_all(int file, origin product, const signals *s) {
    sink to = {file, s};
    return product.make(product.context, put_to, &to, product.what);
}

/* What is no regular file. One that has become one would be cut or overwritten. */
static bool write_in_place(const char *path, origin product) {
    struct stat about;
    signals none = {.held = false};
    int file = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    TRY(file >= 0);
    bool ok = fstat(file, &about) == 0 && (!S_ISREG(about.st_mode) || fail(EBUSY)) &&
              put_all(file, product, &none);
    int reason = errno;
    bool closed = close(file) == 0;
    return ok ? closed : fail(reason);
}

/* The descriptor that a path such as /dev/fd/3 stands for; -1: none. To open the
 * path could mean to open the file behind it anew, or to replace that. */
static int descriptor_named(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t size = strlen(folders[i]);
        const char *digits = path + size;
        if (strncmp(path, folders[i], size) == 0 && *digits != '\0' &&
            digits[strspn(digits, "0123456789")] == '\0' && strlen(digits) < 8) {
            return (int)strtol(digits, NULL, 10);
        }
    }
    return -1;
}

/* ------------------------------------------------------------------ targets */

/* The place that a draft is for. */
typedef struct target {
    int folder;
    const char *name; /* in the folder */
    int old;          /* what is there, open for writing; -1: nothing */
    bool fresh;       /* nothing may be there */
    struct stat about;
} target;

static void target_forget(target *t) {
    if (t->old >= 0) {
        close(t->old);
        t->old = -1;
    }
}

/* Looks what is there. It is opened for writing, which is not to happen but has to be
 * allowed. A link has been followed by now, and is not followed again. */
static bool target_look(target *t) {
    target_forget(t);
    t->old = openat(t->folder, t->name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (t->old < 0) {
        return errno == ENOENT;
    }
    if (t->fresh) {
        return fail(EEXIST);
    }
    return fstat(t->old, &t->about) == 0 && (S_ISREG(t->about.st_mode) || fail(EBUSY));
}

/* path: of a file, or of one that is to be; it outlives the target. */
static bool target_open(const char *path, target *t) {
    buffer folder = {0};
    const char *slash = strrchr(path, '/');
    *t = (target){.folder = -1, .name = slash == NULL ? path : slash + 1, .old = -1};
    buffer_put(&folder, path, slash == NULL ? 0 : (size_t)(slash - path) + 1);
    buffer_text(&folder, slash == NULL ? "." : "");
    const char *text = buffer_string(&folder);
    if (!folder.failed) {
        t->folder = open(text, OPEN_FOLDER);
    }
    int reason = folder.failed ? ENOMEM : errno;
    buffer_free(&folder);
    return t->folder >= 0 ? target_look(t) : fail(reason);
}

static void target_close(target *t) {
    int reason = errno;
    target_forget(t);
    if (t->folder >= 0) {
        close(t->folder);
    }
    errno = reason;
}

/* ------------------------------------------------------------------- drafts */

typedef struct draft {
    int file;
    char name[NAME_ROOM]; /* in the target's folder; "": none */
    signals signals;      /* held while there is a name */
} draft;

/* What the file system calls an open file. */
static void put_own_path(char path[NAME_ROOM], int file) {
    snprintf(path, NAME_ROOM, "/proc/self/fd/%d", file);
}

/* Whether there is a file without a name, and a way to give it one. */
static bool open_unnamed(draft *d, const target *t) {
#if defined(O_TMPFILE) && !defined(EPREF_TEST_NAMED_DRAFTS)
    char path[NAME_ROOM];
    d->file = openat(t->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, PRIVATE);
    TRY(d->file >= 0);
    put_own_path(path, d->file);
    if (access(path, F_OK) == 0) {
        return true;
    }
    close(d->file);
    d->file = -1;
#else
    (void)d;
    (void)t;
#endif
    return false;
}

/* Tries names until one is free. It is short, however long the target's is. use: what
 * makes it the draft's. */
static bool take_name(draft *d, const target *t, bool use(draft *d, const target *t)) {
    signals_hold(&d->signals);
    for (int i = 0; i < TEMPORARY_NAMES; i++) {
        snprintf(d->name, NAME_ROOM, ".epref-%ld-%d", (long)getpid(), i);
        if (use(d, t)) {
            return true;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    d->name[0] = '\0';
    return false;
}

static bool create(draft *d, const target *t) {
    d->file = openat(t->folder, d->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     (mode_t)PRIVATE);
    return d->file >= 0;
}

/* Gives an unnamed draft a name in the folder, if nothing has it. */
static bool link_as(const draft *d, const target *t, const char *name) {
    char path[NAME_ROOM];
    put_own_path(path, d->file);
    return linkat(AT_FDCWD, path, t->folder, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool link_own_name(draft *d, const target *t) {
    return link_as(d, t, d->name);
}

static bool draft_open(draft *d, const target *t) {
    *d = (draft){.file = -1};
    return open_unnamed(d, t) || take_name(d, t, create);
}

/* What has not become the target by now goes away. */
static void draft_close(draft *d, const target *t) {
    int reason = errno;
    if (d->name[0] != '\0') {
        unlinkat(t->folder, d->name, 0);
    }
    if (d->file >= 0) {
        close(d->file); /* what it could not keep, fsync has told */
    }
    signals_release(&d->signals);
    errno = reason;
}

/* ------------------------------------------------------------- permissions */

/* Whether nobody is let in but by the mode: a list of others is the same in both
 * files, or there is none. */
static bool keep_access_list(const draft *d, const target *t, bool same_group) {
#ifdef __linux__
    static const char name[] = "system.posix_acl_access";
    char list[4096]; /* more than file systems store */
    ssize_t size = fgetxattr(t->old, name, list, sizeof list);
    if (size > 0 && same_group) {
        return fsetxattr(d->file, name, list, (size_t)size, 0) == 0;
    }
    bool none = size == 0 || (size < 0 && (errno == ENODATA || errno == EOPNOTSUPP));
    bool left = fremovexattr(d->file, name) != 0 && errno != ENODATA && errno != EOPNOTSUPP;
    return none && !left;
#else
    (void)d;
    (void)t;
    (void)same_group;
    return true;
#endif
}

/* What is left of the old file's mode where its owner or group could not be kept: no
 * more for anybody than they had. Who was in the group is among the others now, and
 * some of the others are in the group. */
static mode_t mode_left(const struct stat *old, const struct stat *now) {
    mode_t mode = old->st_mode & 07777U;
    if (now->st_uid != old->st_uid) {
        mode &= ~(mode_t)S_ISUID;
    }
    if (now->st_gid != old->st_gid) {
        mode_t both = mode >> 3 & mode & OTHERS;
        mode = (mode & ~(mode_t)(S_ISGID | GROUP | OTHERS)) | both << 3 | both;
    }
    return mode;
}

/* A file system without permissions may refuse some. */
static bool set_mode(const draft *d, mode_t mode) {
    return fchmod(d->file, mode) == 0 || errno == EPERM;
}

static bool dress(const draft *d, const target *t) {
    struct stat now;
    if (t->old < 0) {
        mode_t mask = umask(0); /* there is no other way to ask for it */
        umask(mask);
        return set_mode(d, ANYBODY & ~mask);
    }
    TRY(set_mode(d, PRIVATE));
    bool given = fchown(d->file, t->about.st_uid, t->about.st_gid) == 0 ||
                 fchown(d->file, (uid_t)-1, t->about.st_gid) == 0;
    (void)given; /* what became of it is asked for */
    TRY(fstat(d->file, &now) == 0);
    mode_t mode = mode_left(&t->about, &now);
    if (!keep_access_list(d, t, now.st_gid == t->about.st_gid)) {
        mode &= ~(mode_t)(GROUP | OTHERS);
    }
    return set_mode(d, mode);
}

/* ---------------------------------------------------------------- replacing */

static bool rename_draft(draft *d, const target *t) {
    TRY(renameat(t->folder, d->name, t->folder, t->name) == 0);
    d->name[0] = '\0';
    return true;
}

/* Takes a name that nothing has. */
static bool appear(draft *d, const target *t) {
    if (d->name[0] == '\0') {
        return link_as(d, t, t->name);
    }
    if (linkat(t->folder, d->name, t->folder, t->name, 0) == 0) {
        return true; /* and draft_close takes the other name away */
    }
    return errno != EEXIST && rename_draft(d, t); /* a file system without links */
}

/* Takes the name of the old file. */
static bool supplant(draft *d, const target *t) {
    return (d->name[0] != '\0' || take_name(d, t, link_own_name)) && rename_draft(d, t);
}

/* Others may write there too: what is replaced is what was looked at last. */
static bool publish(draft *d, target *t) {
    for (int i = 0; i < LOOKS; i++) {
        TRY(target_look(t) && dress(d, t));
        if (signals_wait(&d->signals)) {
            return fail(EINTR);
        }
        if (t->old >= 0) {
            return supplant(d, t);
        }
        if (appear(d, t)) {
            return true;
        }
        TRY(errno == EEXIST);
    }
    return false;
}

static bool write_draft(target *t, origin product) {
    draft d;
    bool ok = draft_open(&d, t) && put_all(d.file, product, &d.signals) && fsync(d.file) == 0 &&
              publish(&d, t);
    draft_close(&d, t);
    return ok;
}

static bool replace(const char *path, origin product) {
    target t;
    bool ok = target_open(path, &t) && write_draft(&t, product);
    target_close(&t);
    return ok;
}

static bool write_below(const char *folder, const char *path, origin product) {
    target t = {.old = -1, .fresh = true};
    t.folder = io_enter(folder, path, true, &t.name);
    bool ok = t.folder >= 0 && target_look(&t) && write_draft(&t, product);
    target_close(&t);
    return ok;
}

static bool replace_linked(const char *path, origin product) {
    char *followed = realpath(path, NULL);
    bool ok = followed != NULL && replace(followed, product);
    int reason = errno;
    free(followed);
    return ok || fail(reason);
}

/* A symbolic link is followed, so that it is its target that is replaced. A path at
 * which nothing is gets no second look: others may put a file there meanwhile, and
 * replace expects that. */
static bool write_file(const char *path, origin product) {
    struct stat about;
    if (lstat(path, &about) != 0) {
        return errno == ENOENT && replace(path, product);
    }
    bool is_link = S_ISLNK(about.st_mode);
    if (is_link && stat(path, &about) != 0) { /* to nothing */
        return false;
    }
    if (!S_ISREG(about.st_mode)) {
        return write_in_place(path, product);
    }
    return is_link ? replace_linked(path, product) : replace(path, product);
}

/* Who made the product may have said why there is none. */
static bool settle(bool ok, failure *what) {
    bool told = what->status != STATUS_DONE;
    return ok || (!told && refuse_errno(what));
}

static bool write_made(const char *path, output_make *make, void *context, failure *what) {
    origin product = {make, context, what};
    int stream = path == NULL ? STDOUT_FILENO : descriptor_named(path);
    *what = (failure){0};
    signals none = {.held = false};
    return settle(stream >= 0 ? put_all(stream, product, &none) : write_file(path, product), what);
}

bool output_write_made(const char *path, output_make *make, void *context, failure *what) {
    if (path == NULL && isatty(STDOUT_FILENO) != 0) {
        *what = (failure){.status = STATUS_USAGE,
                          .reason = "not written to a terminal, for it is no text: -o FILE"};
        return false;
    }
    return write_made(path, make, context, what);
}

bool output_write_below(const char *folder, const char *path, output_make *make, void *context,
                        failure *what) {
    *what = (failure){0};
    return settle(write_below(folder, path, (origin){make, context, what}), what);
}

bool output_bytes(void *context, output_put *put, void *to, failure *what) {
    const ep_bytes *product = context;
    return put(to, *product, what);
}

bool output_write(const char *path, ep_bytes product, failure *what) {
    return write_made(path, output_bytes, &product, what);
}
