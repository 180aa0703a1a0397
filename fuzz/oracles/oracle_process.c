/*
 * oracles/oracle_process.c - see oracle_process.h. The socket gives errors where a pipe
 * would end this process by a signal.
 */
#define _POSIX_C_SOURCE 200809L

#include "oracles/oracle_process.h"

#include "fuzz.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 4, FRAME_MAX = 64 * 1024 * 1024, STATUS_CANNOT_RUN = 77 };

/* -------------------------------------------------------------------- frames */

void oracle_add_frame(test_text *text, ep_bytes frame) {
    char length[LENGTH];
    for (size_t i = 0; i < LENGTH; i++) {
        length[i] = (char)(frame.size >> (8 * i) & 0xFF);
    }
    test_add(text, length, LENGTH);
    test_add(text, frame.data, frame.size);
}

static bool send_all(const oracle_process *process, ep_bytes bytes) {
    while (bytes.size > 0) {
        ssize_t sent = send(process->socket, bytes.data, bytes.size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        TRY(sent > 0);
        bytes = (ep_bytes){bytes.data + sent, bytes.size - (size_t)sent};
    }
    return true;
}

static bool take_all(const oracle_process *process, void *data, size_t size) {
    for (size_t at = 0; at < size;) {
        ssize_t taken = recv(process->socket, (char *)data + at, size - at, 0);
        if (taken < 0 && errno == EINTR) {
            continue;
        }
        TRY(taken > 0);
        at += (size_t)taken;
    }
    return true;
}

static bool take_frame(const oracle_process *process, test_text *frame) {
    unsigned char length[LENGTH];
    char piece[4096];
    size_t left = 0;
    TRY(take_all(process, length, LENGTH));
    for (size_t i = LENGTH; i > 0; i--) {
        left = left << 8 | length[i - 1];
    }
    TRY(left <= FRAME_MAX);
    while (left > 0) {
        size_t size = left < sizeof piece ? left : sizeof piece;
        TRY(take_all(process, piece, size));
        test_add(frame, piece, size);
        left -= size;
    }
    return true;
}

/* ------------------------------------------------------------------- process */

static const char *python(void) {
    const char *named = getenv("EPREF_FUZZ_PYTHON");
    return named == NULL || *named == '\0' ? "python3" : named;
}

/* In the new process: it becomes the Python, or ends. */
_Noreturn static void become(int socket, const char *script) {
    if (dup2(socket, STDIN_FILENO) >= 0 && dup2(socket, STDOUT_FILENO) >= 0) {
        execlp(python(), python(), script, (char *)NULL);
    }
    _exit(127);
}

/* Ends the process, and waits for it. */
static void stop(oracle_process *process) {
    close(process->socket);
    kill(process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    process->pid = 0;
}

bool oracle_start(oracle_process *process, const char *script, test_text *greeting) {
    int ends[2];
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        become(ends[1], script);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    *process = (oracle_process){pid, ends[0]};
    bool ok = take_frame(process, greeting);
    if (!ok) {
        stop(process);
    }
    return ok;
}

void oracle_require(oracle_process *process, const char *script, const char *greeting) {
    test_text said = {0};
    if (process->pid != 0) {
        return;
    }
    if (!oracle_start(process, script, &said) ||
        !fuzz_same(test_text_bytes(&said), test_bytes(greeting))) {
        fprintf(stderr, "fuzz: %s with %s does not say \"%s\", but \"%.*s\"\n", script, python(),
                greeting, (int)said.size, said.size == 0 ? "" : said.data);
        _exit(STATUS_CANNOT_RUN); /* exit would be a finding to libFuzzer */
    }
    test_text_free(&said);
}

/* Keeps an input that the process fails on. */
static void keep(ep_bytes input) {
    const char *log = getenv("EPREF_FUZZ_PYTORCH_LOG");
    unsigned long long hash = fuzz_hash(input);
    char path[1024];
    fprintf(stderr, "fuzz: the oracle died, or took too long: %016llx\n", hash);
    if (log == NULL) {
        return;
    }
    snprintf(path, sizeof path, "%s-%016llx", log, hash);
    FILE *file = fopen(path, "wb");
    bool ok = file != NULL && fwrite(input.data, 1, input.size, file) == input.size;
    if (file == NULL || fclose(file) != 0 || !ok) {
        fprintf(stderr, "fuzz: cannot write %s\n", path);
    }
}

bool oracle_ask(oracle_process *process, const test_text *frame, ep_bytes input,
                test_text *answer) {
    test_text framed = {0};
    oracle_add_frame(&framed, test_text_bytes(frame));
    bool ok = send_all(process, test_text_bytes(&framed)) && take_frame(process, answer);
    test_text_free(&framed);
    if (!ok) {
        keep(input);
        stop(process);
    }
    return ok;
}
