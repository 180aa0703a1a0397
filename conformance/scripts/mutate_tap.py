#!/usr/bin/env python3
"""Stands between epconform and a testee, and writes down what goes by: each request
and its answer, how long it took, and which probes of the library it ran into
(mutate_reach.py). conformance/scripts/mutate starts it.

    mutate_tap.py FOLDER PROBES TESTEE
"""

import json
import mmap
import os
import re
import struct
import subprocess
import sys
import time

INDEX = struct.Struct("<QQQQf")  # of a request and of its answer: start, size; seconds
HIT = re.compile(b"\1")
MOST = 1 << 17  # requests


class Side:
    """One of the two sides that messages come from."""

    def __init__(self, source, target, path):
        self.source, self.target = source, target
        self.kept = open(path, "wb")  # pylint: disable=consider-using-with
        self.at = 0

    def pass_on(self):
        """A message: its header, where it starts, and its size; None at the end."""
        line = self.source.readline()
        if not line:
            return None
        header = json.loads(line)
        whole = line + self.source.read(header.get("size", 0) + header.get("other", 0))
        self.target.write(whole)
        self.target.flush()
        self.kept.write(whole)
        self.at += len(whole)
        return header, self.at - len(whole), len(whole)


class Reach:
    """The requests that ran into each probe: a bit for each request."""

    def __init__(self, path, probes):
        with open(path, "wb") as file:
            file.write(bytes(probes))
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), probes)
        self.rows = [bytearray(MOST // 8) for _ in range(probes)]

    def take(self, number):
        data = self.map[:]
        self.map[:] = bytes(len(data))
        at, bit = number >> 3, 1 << (number & 7)
        for match in HIT.finditer(data):
            self.rows[match.start()][at] |= bit

    def write(self, path, count):
        with open(path, "wb") as file:
            for row in self.rows:
                file.write(row[:(count + 7) // 8])


def main():
    folder, probes, testee = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    reach = Reach(os.path.join(folder, "probes"), probes)
    with subprocess.Popen([testee], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          env={**os.environ, "EPREF_PROBES": os.path.join(folder, "probes")}
                          ) as child:
        asked = Side(sys.stdin.buffer, child.stdin, os.path.join(folder, "requests"))
        said = Side(child.stdout, sys.stdout.buffer, os.path.join(folder, "answers"))
        count = told(asked, said, reach, os.path.join(folder, "index"))
        child.stdin.close()
    reach.write(os.path.join(folder, "reach"), count)
    asked.kept.close()
    said.kept.close()
    return child.returncode


def told(asked, said, reach, path):
    """Lets everything pass; how many requests it was."""
    count = 0
    with open(path, "wb") as index:
        while True:
            begun = time.monotonic()
            request = asked.pass_on()
            answer = request and said.pass_on()
            if not answer:
                return count
            index.write(INDEX.pack(*request[1:], *answer[1:], time.monotonic() - begun))
            reach.take(count)
            count += 1
            if count > MOST:
                raise ValueError("more than %d requests" % MOST)


if __name__ == "__main__":
    sys.exit(main())
