"""Frames, in which the scripts here are asked by a fuzz target (oracle_process.h), on standard
input and output: a length of four bytes, the least first, and so many bytes.

A script that takes too long over one, or to begin, is ended by the alarm that is set.
"""

import contextlib
import os
import signal
import sys
import threading

SECONDS, SECONDS_TO_START = 20, 300
STACK = 512 * 1024 * 1024  # bytes: documents nest,
DEPTH = 50000              # and how deep is no part of what is asked

signal.alarm(SECONDS_TO_START)


def parts_of(frame):
    """The frames inside a frame."""
    parts, at = [], 0
    while at < len(frame):
        size = int.from_bytes(frame[at:at + 4], "little")
        parts.append(frame[at + 4:at + 4 + size])
        at += 4 + size
    return parts


def talk(begin):
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed is no answer
    data, answer = begin()
    with contextlib.suppress(ConnectionError):  # the target was ended
        while True:
            sink.write(len(data).to_bytes(4, "little") + data)
            sink.flush()
            signal.alarm(0)
            head = source.read(4)
            if len(head) < 4:
                return
            signal.alarm(SECONDS)
            data = answer(source.read(int.from_bytes(head, "little")))


def serve(begin):
    """Gives the greeting that begin() returns, and for each frame what the function answers
    that it returns with it, with much room to call itself in."""
    sys.setrecursionlimit(DEPTH)
    threading.stack_size(STACK)
    worker = threading.Thread(target=talk, args=(begin,))
    worker.start()
    worker.join()
