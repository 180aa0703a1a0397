"""What the test of the page is made of: a suite with a testee that is not
installed, real results, results of a testee that fails in every way, and the
bytes of vectors, worked out apart from the page."""

import base64
import hashlib
import json
import os
import subprocess
import zlib

# Controls, a bidirectional override, an isolate, a zero-width space, a byte order mark and a tag.
HIDDEN = "\x1b[31m\x7f\x9b\u061c\u200b\u202e\u2028\u2066\ufeff\U000e0041"
HOSTILE = "</script><script>window.struck = 1</script><img src=x onerror='window.struck = 1'>" + HIDDEN
HIDING = "program/rich/8.20"          # a valid document that hides refusals
FILTERS = ("wire/*", "field/missing/*/8.20", "encode/*", "keys/*", "nesting/*-1000")
FAILURES = {
    "invalid": ("accepted", "changed", "reason", "place", "crash", "timeout", "pass", "pass", "skipped"),
    "valid": ("refused", "unwritable", "product", "error", "protocol", "pass", "pass", "pass", "skipped"),
}


class Suite:
    """The vectors of a suite.jsonl."""

    def __init__(self, path, corpora):
        self.home = os.path.dirname(os.path.abspath(path))
        self.vectors, self.folders, self.corpora = {}, {}, corpora
        digest = hashlib.sha256()
        with open(path, encoding="utf-8") as file:
            self.rows = [json.loads(line) for line in file if line.strip()]
        for row in self.rows:
            manifest = row["manifest"].replace("{corpora}", corpora)
            with open(os.path.join(self.home, manifest), "rb") as file:
                data = file.read()
            digest.update(data)
            for line in data.splitlines():
                vector = json.loads(line)
                self.vectors[vector["id"]] = vector
                self.folders[vector["id"]] = row["files"]
        self.sha256 = digest.hexdigest()

    def bytes_of(self, name):
        """The document of a vector whose files are in the suite's folder."""
        vector = self.vectors[name]
        known = vector.get("base") or vector.get("twin")
        if "text" in vector:
            return vector["text"].encode()
        if "base64" in vector:
            return base64.b64decode(vector["base64"])
        if known is None:
            with open(os.path.join(self.home, self.folders[name].replace("{corpora}", self.corpora),
                                   vector["file"]), "rb") as file:
                return file.read()
        data = self.bytes_of(known)
        if "edit" not in vector:
            return data
        offset, length, put = vector["edit"][:3]
        put = put.encode() if isinstance(put, str) else base64.b64decode(put["base64"])
        times = (vector["edit"] + [1])[3]
        between, after = (each.encode() for each in vector["edit"][4:] or ("", ""))
        put = put * times + between + after * times
        return data[:offset] + put + data[offset + length:]


def section_of(vector):
    return vector["clause"][0].rsplit(".", 1)[0]


def borrow_suite(suite, folder):
    """The same suite in a folder of its own, with one testee that has no results."""
    for row in suite.rows:
        for name in {row["manifest"].split("/")[0], row["files"].split("/")[0]}:
            link = os.path.join(folder, name)
            if not name.startswith("{") and not os.path.lexists(link):
                os.symlink(os.path.join(suite.home, name), link)
    path = os.path.join(folder, "suite.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in suite.rows)
    os.makedirs(os.path.join(folder, "testees", "ghost"))
    os.makedirs(os.path.join(folder, "testees", "no-testee"))
    with open(os.path.join(folder, "testees", "ghost", "testee.json"), "w", encoding="utf-8") as file:
        json.dump({"name": "Ghost", "description": "Not installed. " + HOSTILE}, file)


def run_reference(epconform, path):
    """Real results of the reference."""
    words = [epconform, "run", "--testee=epref", "--quiet", "--json=" + path]
    subprocess.run(words + ["--filter=" + glob for glob in FILTERS], check=True,
                   stdout=subprocess.DEVNULL)


def product_of(data):
    """What a testee wrote that differs at the byte in the middle."""
    at = len(data) // 2

    def show(text):
        window = text[max(0, at - 40):max(0, at - 40) + 80]
        return "".join(chr(c) if 32 <= c < 127 and c != 92 else "\\x%02X" % c for c in window)

    return {"size": len(data) + 1, "at": at, "got": show(data[:at] + b"\x07" + data[at:]),
            "wanted": show(data)}


def spoil(suite, result):
    """Another outcome for a result; which one, the id says."""
    vector = suite.vectors[result["id"]]
    choice = zlib.crc32(result["id"].encode())
    outcomes = FAILURES["invalid" if vector["verdict"] == "invalid" else "valid"]
    outcome = outcomes[choice % len(outcomes)]
    if outcome == "product" and vector.get("product") != "same":
        outcome = "refused"
    spoiled = {"id": result["id"], "outcome": outcome}
    if outcome == "skipped":
        hidden = vector.get("twin") == HIDING and choice % 2
        spoiled["skip"] = "twin" if hidden else "unsupported"
    elif outcome != "pass":
        spoiled.update(message=HOSTILE, detail="wanted one thing, got another" + HIDDEN)
        if choice % 3 == 0:
            spoiled["cause"] = "cause-of-" + outcome
    if outcome == "accepted" and vector["operation"] == "decode" and "twin" in vector:
        spoiled["got"] = {"verdict": "valid", "product": product_of(suite.bytes_of(result["id"]))}
    if outcome == "product":
        spoiled["got"] = {"verdict": "valid", "product": product_of(suite.bytes_of(result["id"]))}
    return spoiled


def flawed(suite, real):
    """Results of a testee that is made up, for the same vectors."""
    results = [spoil(suite, result) for result in real["results"]]
    failed = [r for r in results if r["outcome"] not in ("pass", "skipped")]
    expected = [r for r in failed if "cause" in r]
    skipped = [r for r in results if r["outcome"] == "skipped"]
    causes = sorted({r["cause"] for r in expected})
    whole = dict(real, results=results)
    whole["testee"] = {"id": "flawed", "name": "Flawed <b>one</b>", "version": "0" + HIDDEN, "operations": [],
                       "link": "javascript:window.struck = 1"}
    whole["causes"] = [{"cause": cause, "reason": HOSTILE, "link": "javascript:window.struck = 1"}
                       for cause in causes]
    whole["counts"] = {"passed": len(results) - len(failed) - len(skipped), "expected": len(expected),
                       "unexpected": len(failed) - len(expected), "skipped": len(skipped), "stale": 0}
    return whole
