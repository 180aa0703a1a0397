"""The files that OSS-Fuzz and ClusterFuzzLite read, judged by the rules that
their own checks have: project.yaml, Dockerfile, build.sh.  Each check yields
findings: a file, and what is wrong.
"""

import os
import re
import subprocess

LISTS = {
    "fuzzing_engines": ("libfuzzer", "afl", "honggfuzz", "centipede", "none"),
    "sanitizers": ("address", "memory", "undefined", "none", "thread", "hwaddress"),
    "architectures": ("x86_64", "i386", "aarch64"),
}
KEYS = frozenset(LISTS) | {
    "auto_ccs", "base_os_version", "blackbox", "builds_per_day", "coverage_extra_args",
    "disable_remediation", "disable_remediation_pre_review", "disabled", "file_github_issue",
    "help_url", "homepage", "indexer", "labels", "language", "main_repo", "primary_contact",
    "run_tests", "selective_unpack", "vendor_ccs", "view_restrictions",
}
LANGUAGES = ("c", "c++", "go", "javascript", "jvm", "python", "ruby", "rust", "swift")
BASE = "gcr.io/oss-fuzz-base/base-builder"
FOLDERS = {"fuzz/oss-fuzz": True, ".clusterfuzzlite": False}  # does it need main_repo?
SUPPORTED = {"libfuzzer": ("address", "undefined", "memory"), "afl": ("address",),
             "honggfuzz": ("address",), "none": ("address",)}


class Unread(Exception):
    """A file is not of the form that is read here."""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# ---- project.yaml -------------------------------------------------------------

def scalar(text):
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text.partition(" #")[0].rstrip()


def yaml(text):
    """The part of YAML that these files need: keys with a word or a list of words."""
    found, key = {}, None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        item = re.fullmatch(r"\s+- (.+)", line)
        pair = re.fullmatch(r"([a-z_]+):(.*)", line)
        if item and key is not None and isinstance(found[key], list):
            found[key].append(scalar(item[1]))
        elif pair and pair[1] not in found:
            key = pair[1]
            found[key] = scalar(pair[2]) or []
        else:
            raise Unread(f"line {number}: neither a new key nor an item of a list")
    return found


def project(path, whole):
    """What is wrong with a project.yaml; whole where OSS-Fuzz itself reads it."""
    try:
        told = yaml(read(path))
    except Unread as trouble:
        yield str(trouble)
        return
    for key in sorted(set(told) - KEYS):
        yield f"no key of OSS-Fuzz: {key}"
    if told.get("language") not in LANGUAGES:
        yield f"no language of OSS-Fuzz: {told.get('language')}"
    for key, known in LISTS.items():
        for word in told.get(key, ()):
            if word not in known:
                yield f"{key}: {word} is none of {', '.join(known)}"
    contacts = told.get("auto_ccs", []) + [told.get("primary_contact", "a@b.c")]
    for contact in contacts:
        if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s.]+", contact):
            yield f"not an address: {contact}"
    if whole:
        yield from whole_project(told)


def whole_project(told):
    if not re.fullmatch(r"(https|git)://[^\s]+", told.get("main_repo", "")):
        yield "main_repo does not say where the sources are"
    if "libfuzzer" not in told.get("fuzzing_engines", ()):
        yield "OSS-Fuzz requires libfuzzer"
    if "address" not in told.get("sanitizers", ()):
        yield "without the sanitizer address, only libfuzzer runs"


def combinations(root):
    """The pairs (engine, sanitizer) that OSS-Fuzz would build, and for coverage."""
    told = yaml(read(os.path.join(root, "fuzz/oss-fuzz/project.yaml")))
    pairs = [(engine, sanitizer) for engine in told["fuzzing_engines"]
             for sanitizer in told["sanitizers"] if sanitizer in SUPPORTED.get(engine, ())]
    return pairs + [("libfuzzer", "coverage"), ("libfuzzer", "introspector"), ("none", "address")]


# ---- Dockerfile ---------------------------------------------------------------

def instructions(text):
    """The instructions of a Dockerfile, with what they are given, in one line each."""
    lines = [line for line in text.split("\n") if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [tuple((line.strip().split(None, 1) + [""])[:2])
            for line in joined.split("\n") if line.strip()]


def dockerfile(path):
    found = instructions(read(path))
    words = [word for word, _ in found]
    unknown = set(words) - {"FROM", "RUN", "COPY", "WORKDIR", "ENV"}
    for word in sorted(unknown):
        yield f"no instruction that is needed here: {word}"
    if not found or found[0][0] != "FROM" or found[0][1].partition(":")[0] != BASE:
        yield f"does not start from {BASE}"
    if words.count("WORKDIR") != 1:
        yield "WORKDIR, where build.sh starts, is not said once"
    if not any(word == "COPY" and re.search(r"(^|[\s/])build\.sh \$SRC/$", given)
               for word, given in found):
        yield "does not copy build.sh to $SRC"
    for word, given in found:
        if word == "RUN" and re.search(r"apt(-get)? install", given) \
                and "update && " not in given:
            yield "installs from lists that may be old: no apt-get update before it"
        if word == "RUN" and "git clone" in given and given.count("git clone") != \
                given.count("--depth 1"):
            yield "clones a whole history"


def same_sources(root):
    """Both images get the libraries at the same versions."""
    told = {folder: re.findall(r"--branch (\S+) (\S+)",
                               read(os.path.join(root, folder, "Dockerfile")))
            for folder in FOLDERS}
    if len({tuple(each) for each in told.values()}) != 1:
        yield "fuzz/oss-fuzz/Dockerfile", "has other versions than .clusterfuzzlite/Dockerfile"


# ---- build.sh -----------------------------------------------------------------

def build_script(path):
    text = read(path)
    if not os.access(path, os.X_OK):
        yield "cannot be executed"
    if not text.startswith("#!/bin/bash -eu"):
        yield "does not stop at the first error"
    done = subprocess.run(["bash", "-n", path], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        yield "is not a script of bash: " + done.stderr.strip()
    for line in text.split("\n"):
        code = line.partition("#")[0]
        for word in ("-lFuzzingEngine", "-fsanitize=", "-march=", "apt-get", "curl ", "wget ",
                     "git clone"):
            if word in code:
                yield f"says {word.strip()}, which is not for it to say"


# ---- all of them --------------------------------------------------------------

def folder(at, whole):
    """(name, what is wrong) for the three files of a folder."""
    judges = {"project.yaml": lambda path: project(path, whole), "Dockerfile": dockerfile,
              "build.sh": build_script}
    for name, judge in judges.items():
        path = os.path.join(at, name)
        if os.path.isfile(path):
            yield from ((name, text) for text in judge(path))
        else:
            yield name, "is not there"


def check(root):
    """(file, what is wrong) for the files of both folders."""
    for at, whole in FOLDERS.items():
        for name, text in folder(os.path.join(root, at), whole):
            yield f"{at}/{name}", text
    yield from same_sources(root)
