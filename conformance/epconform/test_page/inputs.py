"""What the test of the page is made of: a suite with a testee that is not
installed, real results, results of a testee that fails in every way, and the
bytes of vectors, worked out apart from the page."""

import hashlib
import json
import os
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import splits_suite  # noqa: E402

# Controls, a bidirectional override, an isolate, a zero-width space, a byte order mark and a tag.
HIDDEN = "\x1b[31m\x7f\x9b\u061c\u200b\u202e\u2028\u2066\ufeff\U000e0041"
HOSTILE = "</script><script>window.struck = 1</script><img src=x onerror='window.struck = 1'>" + HIDDEN
HIDING = "program/rich/8.20"          # a valid document that hides refusals
FILTERS = ("wire/*", "field/missing/*/8.20", "encode/*", "keys/*", "nesting/*-1000")
FAILURES = {
    "invalid": ("accepted", "changed", "reason", "place", "crash", "timeout", "pass", "pass", "skipped"),
    "valid": ("refused", "unwritable", "product", "error", "protocol", "pass", "pass", "pass", "skipped"),
}


class Suite(splits_suite.Suite):
    """The vectors of a suite.jsonl, with the corpora."""

    def __init__(self, path, corpora):
        super().__init__(path, corpora)
        self.home, self.rows = os.path.dirname(os.path.abspath(path)), splits_suite.read_lines(path)
        digest = hashlib.sha256()
        for row in self.rows:
            with open(os.path.join(self.home, row["manifest"].replace("{corpora}", corpora)), "rb") as file:
                digest.update(file.read())
        self.sha256 = digest.hexdigest()

    def document(self, name):
        return self.bytes_of(self.vectors[name])


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
        spoiled["got"] = {"verdict": "valid", "product": product_of(suite.document(result["id"]))}
    if outcome == "product":
        spoiled["got"] = {"verdict": "valid", "product": product_of(suite.document(result["id"]))}
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
