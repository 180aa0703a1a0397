/*
 * oracles/pytorch_process.c - see pytorch_process.h. The socket gives errors where a pipe
 * would end this process by a signal.
 */
#define _POSIX_C_SOURCE 200809L

#include "oracles/pytorch_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LENGTH = 4, FRAME_MAX = 64 * 1024 * 1024 };

/* ------------------------------------------------------------------- process */

/* In the new process: it becomes the Python, or ends. */
_Noreturn static void become(int socket, const char *python, const char *script) {
    if (dup2(socket, STDIN_FILENO) >= 0 && dup2(socket, STDOUT_FILENO) >= 0) {
        execlp(python, python, script, (char *)NULL);
    }
    _exit(127);
}

bool pytorch_start(pytorch_process *process, const char *python, const char *script) {
    int ends[2];
    *process = (pytorch_process){0, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        return false;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        become(ends[1], python, script);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    *process = (pytorch_process){pid, ends[0]};
    return true;
}

void pytorch_stop(pytorch_process *process) {
    if (process->pid == 0) {
        return;
    }
    close(process->socket);
    kill(process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    *process = (pytorch_process){0, -1};
}

/* -------------------------------------------------------------------- frames */

static ep_bytes length_of(size_t size, char *bytes) {
    for (size_t i = 0; i < LENGTH; i++) {
        bytes[i] = (char)(size >> (8 * i) & 0xFF);
    }
    return (ep_bytes){bytes, LENGTH};
}

void pytorch_add_frame(test_text *text, ep_bytes frame) {
    char bytes[LENGTH];
    ep_bytes length = length_of(frame.size, bytes);
    test_add(text, length.data, length.size);
    test_add(text, frame.data, frame.size);
}

static pytorch_end send_all(const pytorch_process *process, ep_bytes bytes) {
    while (bytes.size > 0) {
        ssize_t sent = send(process->socket, bytes.data, bytes.size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return PYTORCH_DIED;
        }
        bytes.data += sent;
        bytes.size -= (size_t)sent;
    }
    return PYTORCH_ANSWERED;
}

pytorch_end pytorch_send(const pytorch_process *process, ep_bytes frame) {
    char bytes[LENGTH];
    pytorch_end end = send_all(process, length_of(frame.size, bytes));
    return end == PYTORCH_ANSWERED ? send_all(process, frame) : end;
}

/* Milliseconds that are left until then. */
static int left_until(const struct timespec *then) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0;
    }
    long long left = (then->tv_sec - now.tv_sec) * 1000LL + (then->tv_nsec - now.tv_nsec) / 1000000;
    return left > 0 ? (int)left : 0;
}

static pytorch_end take_all(const pytorch_process *process, char *data, size_t size,
                            const struct timespec *until) {
    size_t at = 0;
    while (at < size) {
        struct pollfd wait = {process->socket, POLLIN, 0};
        int ready = poll(&wait, 1, left_until(until));
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        if (ready == 0) {
            return PYTORCH_LATE;
        }
        ssize_t taken = ready < 0 ? -1 : recv(process->socket, data + at, size - at, 0);
        if (taken <= 0) {
            return PYTORCH_DIED;
        }
        at += (size_t)taken;
    }
    return PYTORCH_ANSWERED;
}

pytorch_end pytorch_take(const pytorch_process *process, test_text *frame, int seconds) {
    enum { PIECE = 4096 };
    unsigned char length[LENGTH];
    char piece[PIECE];
    struct timespec until;
    size_t left = 0;
    if (clock_gettime(CLOCK_MONOTONIC, &until) != 0) {
        return PYTORCH_DIED;
    }
    until.tv_sec += seconds;
    pytorch_end end = take_all(process, (char *)length, LENGTH, &until);
    for (size_t i = 0; end == PYTORCH_ANSWERED && i < LENGTH; i++) {
        left |= (size_t)length[i] << (8 * i);
    }
    if (left > FRAME_MAX) {
        return PYTORCH_DIED;
    }
    while (end == PYTORCH_ANSWERED && left > 0) {
        size_t size = left < PIECE ? left : PIECE;
        end = take_all(process, piece, size, &until);
        test_add(frame, piece, end == PYTORCH_ANSWERED ? size : 0);
        left -= size;
    }
    return end;
}
