"""The suite as conformance/scripts/mutate shows it to a testee: the requests of
epconform, recorded once (mutate_tap.py), and its judgement of an answer that is not
the one that was recorded.
"""

import array
import hashlib
import json
import os
import random
import subprocess
import sys
from collections import namedtuple

import mutate_tap

WORDS = ("id", "verdict", "size", "code", "clause", "offset", "line", "column", "pointer",
         "message", "warnings", "schema")
FLOOD = 64 << 20
LINE = 65536
LONG = 0.02  # seconds
LISTS = ("audit", "diff")  # operations whose product is a list, its spelling free

# Of a request: the vector, None of the hello; whether it is the second one, which asks
# whether what is not written can be read; its bytes, the answer, the seconds it took.
Request = namedtuple("Request", "vector reads bytes answer seconds")


class Unusable(Exception):
    """The suite cannot be run, or does not pass as it is."""


def recorded(epconform, options, testee, probes, folder):
    """Runs the suite on the testee with probes, and keeps what goes by."""
    os.makedirs(folder, exist_ok=True)
    tap = [sys.executable, mutate_tap.__file__, folder, str(probes), testee]
    results = os.path.join(folder, "results.json")
    done = subprocess.run([epconform, "run", "--proc=" + " ".join(tap), "--name=epref",
                           "--profile=epref", "--jobs=1", "--quiet", "--timeout=60",
                           "--json=" + results, *options],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if done.returncode:
        raise Unusable("the suite fails without a fault:\n" + done.stdout)


def passed(epconform, testee, options):
    """Whether epconform finds nothing wrong with a testee."""
    done = subprocess.run([epconform, "run", "--proc=" + testee, "--name=epref",
                           "--profile=epref", "--fail-fast", "--jobs=1", "--quiet",
                           "--rlimit-memory=%d" % (2 << 30), *options],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if done.returncode not in (0, 1, 3):
        raise Unusable(done.stdout)
    return done.returncode == 0


def lines(manifests):
    """The vectors of the manifests by id."""
    found = {}
    for path in manifests:
        with open(path, encoding="utf-8") as file:
            for text in file:
                line = json.loads(text)
                found[line["id"]] = line
    return found


class Suite:
    """What was recorded: the requests, with the vectors they are of."""

    def __init__(self, folder, manifests):
        self.folder, self.requests = folder, []
        with open(os.path.join(folder, "results.json"), encoding="utf-8") as file:
            results = json.load(file)["results"]
        ids = [result["id"] for result in results if result["outcome"] == "pass"]
        self.vectors = lines(manifests)
        self.match(ids, self.vectors)
        self.group()

    def match(self, ids, vectors):
        """Finds the vector of each request: they come in the order of the results,
        and those that ask again right behind."""
        kept = {name: contents(self.folder, name)
                for name in ("requests", "answers", "index", "reach")}
        asked, said = memoryview(kept["requests"]), kept["answers"]
        rest, again = iter(ids), None
        for start, size, at, length, seconds in mutate_tap.INDEX.iter_unpack(kept["index"]):
            request, answer = asked[start:start + size], said[at:at + length]
            header = json.loads(bytes(request[:LINE]).split(b"\n", 1)[0])
            reads, vector = again is not None, again
            if header["type"] == "run" and not reads:
                vector = vectors[next(rest)]
            operation = vector and ("decode" if reads else vector["operation"])
            if header.get("operation") != operation:
                raise Unusable("%s: recorded as %s" % (vector["id"], header["operation"]))
            again = vector if vector and not reads and is_asked_again(vector, answer) else None
            self.requests.append(Request(vector, reads, request, answer, seconds))
        if next(rest, None) is not None:
            raise Unusable("fewer requests than vectors")
        self.marks = [mark(request) for request in self.requests]
        self.digest = hashlib.sha256("".join(self.marks).encode("ascii")).hexdigest()[:12]
        self.reach, self.row = kept["reach"], (len(self.requests) + 7) // 8

    def group(self):
        """The order in which vectors are shown: those that take little time first."""
        numbers = list(range(1, len(self.requests)))
        dice = random.Random(1)
        noise = [dice.random() for _ in self.requests]
        self.order = array.array("I", sorted(numbers, key=lambda number: (
            self.requests[number].seconds * (1 + noise[number]))))
        self.by_id = {}
        for number in numbers:
            self.by_id.setdefault(self.requests[number].vector["id"], []).append(number)
        self.groups = [""] + ["/".join(self.requests[number].vector["id"].split("/")[:2])
                              for number in numbers]

    def keep(self, folder):
        """Keeps what this suite asks and wants, for later runs."""
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, self.digest), "w", encoding="ascii") as file:
            file.write("\n".join(self.marks))

    def new_since(self, folder, digest):
        """The requests that an earlier suite did not have, or answered otherwise."""
        path = os.path.join(folder, digest)
        if not os.path.exists(path):
            return set(range(len(self.requests)))
        with open(path, encoding="ascii") as file:
            before = set(file.read().split("\n"))
        return {number for number, one in enumerate(self.marks) if one not in before}

    def reaching(self, probe):
        """The requests that run into a probe, quick ones first; all for None."""
        if probe is None:
            return list(self.order)
        return self.reaching_any([probe])

    def reaching_any(self, probes):
        """The same, of several probes."""
        found = 0
        for probe in probes:
            found |= int.from_bytes(self.reach[probe * self.row:(probe + 1) * self.row], "little")
        row = found.to_bytes(self.row, "little")
        return [number for number in self.order if row[number >> 3] >> (number & 7) & 1]

    def first(self, numbers, hints, most):
        """Of some requests: those of the vectors that are hinted at, then two of each
        group of vectors, but none that takes long."""
        inside, seen, taken = set(numbers), {}, {}
        for name in hints:
            taken.update((number, None) for number in self.by_id.get(name, ())
                         if number in inside)
        for number in numbers:
            group = self.groups[number]
            seen[group] = seen.get(group, 0) + 1
            if self.requests[number].seconds > LONG or len(taken) >= most:
                break
            if seen[group] <= 2:
                taken[number] = None
        return list(taken)


def is_asked_again(vector, answer):
    """Whether epconform asks whether what was not written can be read."""
    options = vector.get("options", {})
    return vector["operation"] == "encode" and not {"limits", "memory"} & set(options) and \
        json.loads(answer.split(b"\n", 1)[0])["verdict"] == "invalid"


def mark(request):
    """What tells a request and its answer from others; their number does not count."""
    found = hashlib.blake2b(digest_size=8)
    for data in (request.bytes, request.answer):
        line, _, rest = bytes(data).partition(b"\n")
        header = json.loads(line)
        header.pop("id", None)
        found.update(json.dumps(header).encode("utf-8") + rest)
    return found.hexdigest()


def contents(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


# ---- judging: as epconform/run/judging.c does, with what was recorded as what is wanted


def judged(request, data):
    """What becomes of a request whose answer begins with data: None: it is not whole;
    or how it fails, "" for not at all, a detail, and the bytes that it has."""
    end = data.find(b"\n", 0, LINE)
    if end < 0:
        return None if len(data) < LINE else ("flood", "a long line", 0)
    try:
        got = json.loads(data[:end].decode("utf-8"))
        base = json.loads(request.answer.split(b"\n", 1)[0])
        if not isinstance(got, dict) or set(got) - set(WORDS) or "verdict" not in got or \
                got.get("id") != base.get("id"):
            return "protocol", "another answer", 0
    except ValueError:
        return "protocol", "no JSON", 0
    size = got.get("size", 0)
    if size > len(request.bytes) + len(request.answer) + FLOOD:
        return "flood", "a product of %d bytes" % size, 0
    if len(data) < end + 1 + size:
        return None
    if request.reads:
        return ("unwritable" if got["verdict"] == "valid" else ""), "", end + 1 + size
    same = is_product(request, data[end + 1:end + 1 + size])
    zipped = bytes(request.bytes[:LINE]).split(b"\n", 1)[1].startswith(b"PK\3\4")
    return (*outcome(request.vector, base, got, (same, zipped)), end + 1 + size)


def is_product(request, product):
    """Whether a product is the recorded one; of a list the values alone count."""
    wanted = request.answer.split(b"\n", 1)[1]
    if wanted == product or request.vector["operation"] not in LISTS:
        return wanted == product
    try:
        return spelled(product) == spelled(wanted)
    except (ValueError, RecursionError):
        return False


def spelled(text):
    return json.dumps(json.loads(text.decode("utf-8"), object_pairs_hook=members),
                      sort_keys=True)


def members(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key that is there twice")
    return dict(pairs)


def differing(request, data):
    """The keys of an answer that will do, and is another one."""
    parts = [answer.split(b"\n", 1) for answer in (request.answer, data)]
    base, got = (json.loads(part[0]) for part in parts)
    found = [key for key in WORDS if base.get(key) != got.get(key)]
    return found + ["product"] * (parts[0][1] != parts[1][1])


def outcome(line, base, got, traits):
    """How an answer fails, "" for not at all, and a detail. The traits: whether it has
    the product that is wanted, and whether the document is an archive."""
    same, zipped = traits
    verdict, wanted = got["verdict"], line["verdict"]
    if wanted == "implementation-defined":
        wanted = line.get("profiles", {}).get("epref", verdict)
    belongs = verdict == "valid" and has_product(line["operation"])
    if ("size" in got) != belongs:
        return "protocol", "a product"
    if verdict in ("unsupported", "error"):
        return ("error" if verdict == "error" else ""), got.get("message", "")
    if verdict != wanted:
        return ("accepted", "expected " + line.get("code", "")) if verdict == "valid" else \
            ("refused", got.get("code", ""))
    return valid(line, got, same) if verdict == "valid" else \
        invalid(line, base, got, zipped)


def has_product(operation):
    return operation not in ("wire", "decode", "check", "archive", "whole", "forward")


def valid(line, got, same):
    if line.get("schema") is not None and got.get("schema") != line["schema"]:
        return "schema", str(got.get("schema"))
    if "product" in line and not same:
        return "product", ""
    wanted, warnings = line.get("warnings"), got.get("warnings", [])
    if wanted is None:
        return "", ""
    if len(wanted) != len(warnings):
        return "warnings", "%d of %d" % (len(warnings), len(wanted))
    for one, each in zip(warnings, wanted):
        if one.get("code") != each.get("code") or one.get("offset") != each.get("offset", 0) \
                or not is_pointer(each, one):
            return "warnings", str(one)
    return "", ""


def invalid(line, base, got, zipped):
    clauses = line.get("clause") or [None]
    for key, wanted in (("code", line.get("code")), ("clause", clauses[0])):
        if wanted is not None and got.get(key) != wanted:
            return "reason", str(got.get(key))
    if "offset" in line:
        if got.get("offset") != line["offset"]:
            return "place", "offset %s" % got.get("offset")
        if not zipped:
            for key in ("line", "column"):
                if got.get(key) != base.get(key):
                    return "place", "%s %s" % (key, got.get(key))
    return ("", "") if is_pointer(line, got) else ("place", str(got.get("pointer")))


def is_pointer(line, got):
    """Whether a pointer is the wanted one; a long one may be cut between two steps."""
    wanted, said = line.get("pointer"), got.get("pointer")
    if wanted is None or wanted == said:
        return True
    return said is not None and "pointer-cut" in line.get("flags", ()) and \
        wanted.startswith(said) and wanted[len(said):len(said) + 1] == "/"
