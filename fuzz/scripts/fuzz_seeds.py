"""Seeds of the fuzz targets: inputs that are made of golden programs and vectors."""

import functools
import glob
import hashlib
import json
import os

import folders  # noqa: F401 (finds the next)
from fuzz_project import read
from splits_suite import NoBytes, Suite

LARGEST = 12 * 1024             # bytes of a seed; larger ones slow every engine down
LARGEST_ARCHIVE = 16 * 1024     # and of an archive
TAIL = 16                       # bytes of a tail, behind a zero byte
ARCHIVES = ("archive", "whole")  # operations whose documents are archives

# The numbers of fuzz_strings.c's languages.
INFIX, SREPR, SORTS = 0, 1, {"int": 0, "float": 2, "bool": 4}
TREESPEC, GUARD, TARGET, WORD, EMBEDDED, FLOAT = 6, 8, 9, 10, 11, 12
METADATA = {"": 13, "nn_module_stack": 15, "source_fn": 16, "source_fn_stack": 17,
            "torch_fn": 18, "custom": 19, "from_node": 20}
NN_MODULES_2_1 = 14
OLD_SREPR = 6                   # the first major that does not write infix any more
SUMS = ("s0 + 1.0e-5", "0.0001*zf0", "1.0e+15 + zf1", "2*s0*s1 + s1*s2")
FLOATS = ("0.1", "-0.0", "5e-324", "1.7976931348623157e308", "1e23", "9007199254740993",
          "2.2250738585072011e-308", "123456789012345678901234567890e-10", "1e400")
WORDS = ("cpu", "cuda", "meta", "ATEN", "TRAINING", "2.5.1+cu124", "2.8.0a0+gitabc", "<=2.4")


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def golden(corpora):
    """The texts of golden programs, a list for each release."""
    root = os.path.join(corpora, "golden")
    for release in sorted(os.listdir(root)):
        paths = [os.path.join(root, release, model, "program.json")
                 for model in sorted(os.listdir(os.path.join(root, release)))]
        yield [read(path) for path in paths if os.path.isfile(path)]


@functools.cache
def suite():
    return Suite()


def documents(corpora):
    """Documents of all kinds: golden ones, and those of the vectors."""
    for texts in golden(corpora):
        yield from texts
    for vector in suite().vectors.values():
        if vector["operation"] in ARCHIVES or "{corpora}" in suite().folders[vector["id"]]:
            continue
        try:
            yield suite().bytes_of(vector)
        except NoBytes:
            continue


def programs(corpora):
    for text in documents(corpora):
        if len(text) <= LARGEST:
            yield text


def programs_with_tail(corpora):
    """What is drawn from a tail that depends on the text alone."""
    for text in programs(corpora):
        if b"\0" not in text:
            yield text + b"\0" + hashlib.sha256(text).digest()[:TAIL]


# ---- strings ---------------------------------------------------------------------


def walk(value, key=""):
    """Every string of a document, with the key of the member that it stands in."""
    stack = [(key, value)]
    while stack:
        key, value = stack.pop()
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, dict):
            stack.extend(value.items())
        elif isinstance(value, list):
            stack.extend((key, item) for item in value)


def languages_of(key, infix):
    """The languages in which the string under a key is read."""
    if key == "expr_str":
        form = INFIX if infix else SREPR
        return [sort + form for sort in SORTS.values()]
    if key in ("in_spec", "out_spec"):
        return [TREESPEC, TREESPEC + 1]
    if key in METADATA:
        return [METADATA[key]] + ([NN_MODULES_2_1] if key == "nn_module_stack" else [])
    return {"guards_code": [GUARD], "target": [TARGET]}.get(key, [])


def major_of(document):
    version = document.get("schema_version", 1)
    return version.get("major", 1) if isinstance(version, dict) else version


def strings_of(text):
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(document, dict) or not isinstance(major_of(document), int):
        return
    infix = major_of(document) < OLD_SREPR
    for key, string in walk(document):
        for language in languages_of(key, infix):
            for version in (0, 40):
                yield bytes([language, version]) + string.encode("utf-8", "replace")


def strings(corpora):
    for text in documents(corpora):
        if len(text) <= 4 * LARGEST:
            for seed in strings_of(text):
                if len(seed) <= LARGEST // 8:
                    yield seed
    for language, texts in ((INFIX, SUMS), (INFIX + SORTS["float"], SUMS), (FLOAT, FLOATS),
                            (WORD, WORDS), (EMBEDDED, ("[1, {}]", '{"a": ""}'))):
        for string in texts:
            yield bytes([language, 40]) + string.encode()


# ---- archives ---------------------------------------------------------------------


def archives(corpora):
    """Small archives of the golden programs, and those of the vectors."""
    for path in sorted(glob.glob(os.path.join(corpora, "golden", "*", "*", "model.pt2"))):
        if os.path.getsize(path) <= LARGEST_ARCHIVE:
            yield read(path)
    for vector in suite().vectors.values():
        if vector["operation"] in ARCHIVES and "{corpora}" not in suite().folders[vector["id"]]:
            yield suite().bytes_of(vector)


# Of calls and files of tensors there are those of corpora/fuzz alone.
KINDS = {"program": programs, "program+tail": programs_with_tail, "strings": strings,
         "archive": archives, "state": archives}


def gather(kind, corpora, folder, largest):
    """Write the seeds of a kind of input into a folder, each once. Returns how many."""
    os.makedirs(folder, exist_ok=True)
    seen = set()
    for data in KINDS[kind](corpora):
        name = digest(data)
        if name not in seen and len(data) <= largest:
            seen.add(name)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
    return len(seen)
