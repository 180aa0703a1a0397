/*
 * run/process.c - see process.h. SIGINT and SIGTERM stay blocked in this program
 * and are looked for between two polls, so that no handler needs a variable.
 */
#include "run/process.h"

#include "text/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_SIZE = 65536, INHERITED_MAX = 1024, EXEC_FAILED = 127, SHOWN_MAX = 400 };

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};

/* ------------------------------------------------------------------- setup */

static void interrupts(sigset_t *set) {
    sigemptyset(set);
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) {
        struct sigaction how; /* nohup, and & in a script, ask for them to be ignored */
        if (sigaction(SIGNALS[i], NULL, &how) == 0 && how.sa_handler != SIG_IGN) {
            sigaddset(set, SIGNALS[i]);
        }
    }
}

void process_setup(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) { /* writing to an output that is closed fails */
            open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
        }
    }
    for (int fd = STDERR_FILENO + 1; fd < INHERITED_MAX; fd++) {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* ignored by who started us, children leave no status */
}

void process_hold_interrupts(void) {
    sigset_t set;
    interrupts(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

int process_interrupted(void) {
    sigset_t pending;
    if (sigpending(&pending) != 0) {
        return 0;
    }
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) {
        if (sigismember(&pending, SIGNALS[i]) == 1) {
            return SIGNALS[i];
        }
    }
    return 0;
}

/* ----------------------------------------------------------------- folders */

char *folder_make(void) {
    const char *parent = getenv("TMPDIR");
    parent = parent != NULL && parent[0] == '/' ? parent : "/tmp";
    char *path = memory_format("%s/epconform-XXXXXX", parent);
    if (mkdtemp(path) == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        free(path);
        return NULL;
    }
    return path;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    remove(path);
    return 0;
}

void folder_remove(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool process_prepare(process *p, const launch *l) {
    *p = (process){.in = -1, .out = -1, .err = -1, .tail = p->tail, .first = p->first};
    strbuf_clear(&p->tail);
    strbuf_clear(&p->first);
    p->folder = memory_format("%s/XXXXXX", l->root);
    if (mkdtemp(p->folder) == NULL) {
        strbuf_format(&p->tail, "%s: %s", p->folder, strerror(errno));
        free(p->folder);
        p->folder = NULL;
    }
    return p->folder != NULL;
}

/* ---------------------------------------------------------------- starting */

enum { INPUT, OUTPUT, ERRORS, STARTED, PIPES }; /* STARTED: why exec failed */

static void close_pair(int pair[2]) {
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0) {
            close(pair[i]);
        }
        pair[i] = -1;
    }
}

static bool open_pipes(int pipes[PIPES][2]) {
    bool ok = true;
    for (int i = 0; i < PIPES; i++) {
        pipes[i][0] = pipes[i][1] = -1;
        ok = ok && pipe(pipes[i]) == 0 && fcntl(pipes[i][0], F_SETFD, FD_CLOEXEC) == 0 &&
             fcntl(pipes[i][1], F_SETFD, FD_CLOEXEC) == 0;
    }
    for (int i = 0; !ok && i < PIPES; i++) {
        close_pair(pipes[i]);
    }
    return ok;
}

static bool limit_memory(size_t memory) {
    struct rlimit limit = {memory, memory};
    struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && (memory == 0 || setrlimit(RLIMIT_AS, &limit) == 0);
}

static bool become(const process *p, const launch *l, int pipes[PIPES][2]) {
    sigset_t set;
    sigemptyset(&set);
    signal(SIGPIPE, SIG_DFL);
    return setpgid(0, 0) == 0 && sigprocmask(SIG_SETMASK, &set, NULL) == 0 &&
           dup2(pipes[INPUT][0], STDIN_FILENO) >= 0 && dup2(pipes[OUTPUT][1], STDOUT_FILENO) >= 0 &&
           dup2(pipes[ERRORS][1], STDERR_FILENO) >= 0 && chdir(p->folder) == 0 &&
           setenv("LC_ALL", "C.UTF-8", 1) == 0 && limit_memory(l->memory);
}

/* In the new process: ends in exec, or in a number on the fourth pipe. */
static void run_child(const process *p, const launch *l, const word_list *words,
                      int pipes[PIPES][2]) {
    if (become(p, l, pipes)) {
        execvp(words->words[0], words->words);
    }
    int why = errno;
    if (write(pipes[STARTED][1], &why, sizeof why) < 0) {
        _exit(EXEC_FAILED);
    }
    _exit(EXEC_FAILED);
}

static bool set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

/* Whether exec went well; waits for it. */
static bool has_started(int fd, const char *word, strbuf *why) {
    int number = 0;
    ssize_t size;
    do {
        size = read(fd, &number, sizeof number);
    } while (size < 0 && errno == EINTR);
    if (size > 0) {
        strbuf_format(why, "%s: %s", word, strerror(number));
    }
    return size == 0;
}

static void keep_ends(process *p, int pipes[PIPES][2]) {
    p->in = pipes[INPUT][1];
    p->out = pipes[OUTPUT][0];
    p->err = pipes[ERRORS][0];
    pipes[INPUT][1] = pipes[OUTPUT][0] = pipes[ERRORS][0] = -1;
}

bool process_start(process *p, const launch *l, const word_list *words) {
    int pipes[PIPES][2];
    if (!open_pipes(pipes)) {
        strbuf_format(&p->tail, "no pipe: %s", strerror(errno));
        process_finish(p);
        return false;
    }
    p->pid = fork();
    if (p->pid == 0) {
        run_child(p, l, words, pipes);
    }
    bool ok = p->pid > 0;
    if (ok) {
        setpgid(p->pid, p->pid); /* the child does so, too: whoever is first */
        keep_ends(p, pipes);
        close_pair((int[2]){pipes[STARTED][1], -1});
        pipes[STARTED][1] = -1;
        ok = has_started(pipes[STARTED][0], words->words[0], &p->tail) && set_nonblocking(p->in) &&
             set_nonblocking(p->out) && set_nonblocking(p->err);
    } else {
        p->pid = 0;
        strbuf_format(&p->tail, "no process: %s", strerror(errno));
    }
    for (int i = 0; i < PIPES; i++) {
        close_pair(pipes[i]);
    }
    if (!ok) {
        process_finish(p);
    }
    return ok;
}

/* ----------------------------------------------------------------- ending */

bool process_ended(const process *p, int *status) {
    siginfo_t info = {0};
    if (p->pid == 0 || waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == 0) {
        return false;
    }
    *status = info.si_code == CLD_EXITED ? (info.si_status & 0xFF) << 8 : info.si_status & 0x7F;
    return true;
}

static void close_end(int *fd) {
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

void process_close_input(process *p) {
    close_end(&p->in);
}

void process_finish(process *p) {
    if (p->pid > 0) {
        kill(-p->pid, SIGKILL); /* while the leader is not yet taken away, its group's number */
        kill(p->pid, SIGKILL);  /* is nobody else's */
        while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        p->pid = 0;
    }
    if (p->err >= 0) {
        process_drain(p);
    }
    close_end(&p->in);
    close_end(&p->out);
    close_end(&p->err);
    if (p->folder != NULL) {
        folder_remove(p->folder);
        free(p->folder);
        p->folder = NULL;
    }
}

void process_describe(int status, strbuf *b) {
    if (WIFSIGNALED(status)) {
        strbuf_format(b, "ended by signal %d", WTERMSIG(status));
    } else {
        strbuf_format(b, "ended with status %d", WEXITSTATUS(status));
    }
}

/* ------------------------------------------------------------------ traffic */

traffic process_read(process *p, strbuf *into, size_t most) {
    char bytes[READ_SIZE];
    size_t wanted = most < sizeof bytes ? most : sizeof bytes;
    ssize_t size = p->out >= 0 ? read(p->out, bytes, wanted) : 0;
    if (size > 0) {
        strbuf_put(into, bytes, (size_t)size);
        return TRAFFIC_SOME;
    }
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return TRAFFIC_NOTHING_YET;
    }
    close_end(&p->out);
    return TRAFFIC_END;
}

traffic process_write(process *p, const char *data, size_t size, size_t *written) {
    ssize_t done = p->in >= 0 ? write(p->in, data, size) : 0;
    if (done > 0) {
        *written += (size_t)done;
        return TRAFFIC_SOME;
    }
    if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return TRAFFIC_NOTHING_YET;
    }
    close_end(&p->in);
    return TRAFFIC_END;
}

static void keep_first_line(process *p, const char *bytes, size_t size) {
    const strbuf *first = &p->first;
    bool whole = first->size > 0 && memchr(first->data, '\n', first->size) != NULL;
    size_t room = TAIL_SIZE - (first->size < TAIL_SIZE ? first->size : TAIL_SIZE);
    if (!whole) {
        strbuf_put(&p->first, bytes, size < room ? size : room);
    }
}

char *process_said(const process *p) {
    strbuf shown = {NULL, 0, 0};
    size_t size = text_size(strbuf_string(&p->tail), p->tail.size);
    size_t from = size > SHOWN_MAX ? size - SHOWN_MAX : 0;
    if (size > 0) {
        strbuf_clean(&shown, p->tail.data + from, size - from);
    }
    return strbuf_take(&shown);
}

/* One pipe's worth at most: a testee that floods does not keep the runner. */
void process_drain(process *p) {
    char bytes[READ_SIZE];
    ssize_t size = p->err >= 0 ? read(p->err, bytes, sizeof bytes) : 0;
    if (size > 0) {
        keep_first_line(p, bytes, (size_t)size);
        strbuf_put(&p->tail, bytes, (size_t)size);
        if (p->tail.size > TAIL_SIZE) {
            strbuf_drop(&p->tail, p->tail.size - TAIL_SIZE);
        }
    } else if (size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
        close_end(&p->err);
    }
}
