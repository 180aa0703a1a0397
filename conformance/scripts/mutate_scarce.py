"""Whether a mutant that no vector shows does something else when memory is refused:
some documents, each with every allocation refused in turn, on the library as it is
and on the mutant.
"""

import json
import subprocess

DOCUMENTS, LONG = 4, 20000  # of a mutant; bytes of the longest
MOST, REFUSED = 100000, 1000  # allocations of a document, and those that are refused
SECONDS = 30
KEPT = 300  # documents whose answers are kept


def said(testee, data):
    """All that a testee answers; None: it does not come to an end."""
    try:
        done = subprocess.run([testee], input=data, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout


class Scarce:
    """The answers of the library as it is, when memory is refused."""

    def __init__(self, testee, suite):
        self.testee, self.suite, self.known = testee, suite, {}

    def refused(self, number, allocations):
        """A request, once for each allocation that is refused."""
        line, _, document = bytes(self.suite.requests[number].bytes).partition(b"\n")
        header = json.loads(line)
        for allocation in allocations:
            header["options"] = {**header.get("options", {}), "memory": allocation}
            yield json.dumps(header).encode("utf-8") + b"\n" + document

    def count(self, number):
        """How many allocations there are when none is refused."""
        done = subprocess.run([self.testee], input=b"".join(self.refused(number, [0])),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
        return int(done.stderr)

    def request(self, number):
        """What is asked of a document, and what is answered; None: it needs too much."""
        if number not in self.known:
            if len(self.known) >= KEPT:
                self.known.clear()
            count, found = self.count(number), None
            if 0 < count < MOST:
                step = 1 + count // REFUSED
                asked = b"".join(self.refused(number, range(1, count + 1, step)))
                found = asked, said(self.testee, asked)
            self.known[number] = found
        return self.known[number]

    def shows(self, testee, numbers):
        """The vector whose document makes the testee another one; None: none does."""
        fit = [number for number in numbers if self.is_fit(self.suite.requests[number])]
        for number in fit[::max(1, len(fit) // DOCUMENTS)][:DOCUMENTS]:
            pair = self.request(number)
            if pair and said(testee, pair[0]) != pair[1]:
                return self.suite.requests[number].vector["id"]
        return None

    @staticmethod
    def is_fit(request):
        options = request.vector.get("options", {})
        return not request.reads and len(request.bytes) < LONG and \
            not {"limits", "memory"} & set(options)
