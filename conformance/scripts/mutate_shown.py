"""Shows requests to a testee, many at a time, and compares its answers with those
that were recorded; the first that is wrong ends it.
"""

import fcntl
import os
import resource
import select
import subprocess
import time
from collections import namedtuple

import mutate_suite

PIPE = 1 << 20
MANY = 64  # requests that are written at once
TICKS = os.sysconf("SC_CLK_TCK")
LOOPS = 1.0  # seconds of a processor that are too many for an answer
SLEEPS = 60  # seconds without an answer, of one that does not compute
WHOLE = 300  # seconds for all requests: it is slow, which is no wrong answer

# How a testee failed, the vector that it was shown, and more.
Kill = namedtuple("Kill", "how vector detail")


def seconds_of(pid):
    """The time that a process has computed."""
    with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS


class Shown:
    """One process of a testee, and the requests that it is shown."""

    def __init__(self, testee, requests, memory, loose):
        self.loose = loose
        self.requests, self.sent, self.offset, self.done = requests, 0, 0, 0
        self.buffer = bytearray()
        self.child = subprocess.Popen(  # pylint: disable=consider-using-with
            [testee], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0)
        resource.prlimit(self.child.pid, resource.RLIMIT_AS, (memory, memory))
        resource.prlimit(self.child.pid, resource.RLIMIT_CORE, (0, 0))
        self.into, self.out = self.child.stdin.fileno(), self.child.stdout.fileno()
        self.poll = select.poll()
        for pipe, events in ((self.into, select.POLLOUT), (self.out, select.POLLIN)):
            os.set_blocking(pipe, False)
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)
            self.poll.register(pipe, events)
        self.begun = self.progressed = time.monotonic()
        self.mark, self.open = None, True

    def run(self):
        """A Kill, or None: all answers are right."""
        try:
            kill = self.answers() or self.end()
        finally:
            self.child.kill()
            self.stop_asking()
            self.child.stdout.close()
            self.child.wait()
        return kill

    def killed(self, how, detail=""):
        vector = self.requests[min(self.done, len(self.requests) - 1)].vector
        return Kill(how, vector and vector["id"], detail)

    def answers(self):
        while self.done < len(self.requests):
            for pipe, _ in self.poll.poll(250):
                if pipe == self.into:
                    self.ask()
                    continue
                data = os.read(self.out, PIPE)
                if not data:
                    return self.killed("crash", "no answer")
                self.buffer += data
                kill = self.take()
                if kill:
                    return kill
            if self.is_late():
                return self.killed("timeout")
            if time.monotonic() - self.begun > WHOLE:
                return self.killed("slow")
        return None

    # -- asking

    def ask(self):
        views = [request.bytes for request in self.requests[self.sent:self.sent + MANY]]
        if not views:
            self.poll.unregister(self.into)
            return
        views[0] = views[0][self.offset:]
        try:
            count = os.writev(self.into, views)
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.stop_asking()
            return
        for view in views:
            if count < len(view):
                self.offset += count
                break
            count -= len(view)
            self.sent, self.offset = self.sent + 1, 0

    def stop_asking(self):
        if self.open:
            self.open = False
            try:
                self.poll.unregister(self.into)
            except KeyError:
                pass  # all was asked
            self.child.stdin.close()

    # -- answers

    def take(self):
        """Goes over the answers that are there."""
        at, buffer = 0, self.buffer
        before = self.done
        while self.done < len(self.requests):
            request = self.requests[self.done]
            if buffer.startswith(request.answer, at):
                at += len(request.answer)
                self.done += 1
                continue
            rest = bytes(buffer[at:])
            if request.answer.startswith(rest):
                break  # more of it is to come
            kill = self.differing(request, rest)
            if kill is None:
                break
            if isinstance(kill, Kill):
                return kill
            at += kill
            self.done += 1
        if self.done > before:
            self.progressed, self.mark = time.monotonic(), None
        del buffer[:at]
        return None

    def differing(self, request, data):
        """Of another answer: None while it is not whole, its size if it will do."""
        if request.vector is None:
            return self.killed("protocol", "hello")
        said = mutate_suite.judged(request, data)
        if said is None:
            return None
        how, detail, size = said
        if how:
            return self.killed(how, detail[:200])
        for key in mutate_suite.differing(request, data[:size]):
            self.loose.setdefault(key, request.vector["id"])
        return size

    def is_late(self):
        if time.monotonic() - self.progressed < LOOPS:
            return False
        try:
            used = seconds_of(self.child.pid)
        except (OSError, IndexError):
            return False
        if self.mark is None:
            self.mark = used
        expected = self.requests[min(self.done, len(self.requests) - 1)].seconds
        return used - self.mark > LOOPS + 20 * expected or \
            time.monotonic() - self.progressed > SLEEPS

    def end(self):
        """What it does when its input ends."""
        self.stop_asking()
        if not self.poll.poll(1000 * SLEEPS):
            return self.killed("timeout", "at the end")
        if self.buffer or os.read(self.out, 1):
            return self.killed("protocol", "bytes that nobody asked for")
        status = self.child.wait()
        return self.killed("crash", "status %d" % status) if status else None


def run(testee, requests, memory, loose):
    """A Kill or None; what is answered otherwise, and does not bind, goes into loose: from
    its key to a vector."""
    return Shown(testee, requests, memory, loose).run()
