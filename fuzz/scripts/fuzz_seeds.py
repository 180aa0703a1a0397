"""Seeds of the fuzz targets: inputs that are made of golden programs and vectors."""

import functools
import hashlib
import io
import json
import os
import random
import re
import subprocess
import sys
import zipfile

from folders import ROOT
from splits_suite import NoBytes, Suite

HERE = os.path.dirname(os.path.abspath(__file__))
LARGEST = 12 * 1024             # bytes of a seed; larger ones slow every engine down
CALLS = 96                      # seeds of the target builder, and bytes of each
CALLS_SIZE = 768
SUMMED = 200                    # programs with a sum of symbols
FAR = (1 << 40) + 9             # an end of a range; its lower 32 bits are one, too
TAIL = 16                       # bytes of a tail, behind a zero byte
LIMIT = 1 << 18                 # ARCHIVE_LIMIT of archive_laws.h
FLAT = "2.3"                    # a release that wrote flat archives
PROGRAM = "serialized_exported_program.json"
ARCHIVES = ("archive", "whole")  # operations whose documents are archives

# The numbers of fuzz_strings.c's languages.
INFIX, SREPR, SORTS = 0, 1, {"int": 0, "float": 2, "bool": 4}
TREESPEC, GUARD, TARGET, WORD, EMBEDDED, FLOAT = 6, 8, 9, 10, 11, 12
METADATA = {"": 13, "nn_module_stack": 15, "source_fn": 16, "source_fn_stack": 17,
            "torch_fn": 18, "custom": 19, "from_node": 20}
NN_MODULES_2_1 = 14
RANGED = 5                      # the first major in which every symbol has a range
OLD_SREPR = 6                   # the first major that does not write infix any more
SUMS = ("s0 + 1.0e-5", "0.0001*zf0", "1.0e+15 + zf1", "2*s0*s1 + s1*s2")
FLOATS = ("0.1", "-0.0", "5e-324", "1.7976931348623157e308", "1e23", "9007199254740993",
          "2.2250738585072011e-308", "123456789012345678901234567890e-10", "1e400")
WORDS = ("cpu", "cuda", "meta", "ATEN", "TRAINING", "2.5.1+cu124", "2.8.0a0+gitabc", "<=2.4")


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def read(path):
    with open(path, "rb") as file:
        return file.read()


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


def enriched(text):
    """A program with several keys, in no order and not all of them ASCII, in dicts that
    exporters leave empty, and with a range that ends far out."""
    program = json.loads(text)
    module = program["graph_module"]
    if isinstance(module.get("metadata"), dict):
        module["metadata"].update({"b": "x", "\u00e9": "y", "a": "z"})
    if isinstance(module.get("treespec_namedtuple_fields"), dict):
        module["treespec_namedtuple_fields"].update(
            {"b.Q": {"field_names": ["f"]}, "a.P": {"field_names": []}})
    program["range_constraints"]["s77"] = {"min_val": 2, "max_val": FAR}
    return json.dumps(program, ensure_ascii=False).encode()


def unranged(text):
    """A program with a symbol that is born in the graph and has no range."""
    program = json.loads(re.sub(rb"\bs0\b", b"u0", text))
    del program["range_constraints"]["u0"]
    return json.dumps(program).encode()


def enriched_programs(corpora):
    """The smallest program of each release, enriched; and of those that let a symbol be
    without a range the smallest one that has one, without it."""
    for texts in golden(corpora):
        smallest = min(texts, key=len)
        yield enriched(smallest)
        if major_of(json.loads(smallest)) < RANGED:
            yield unranged(min((text for text in texts if b'"s0"' in text), key=len))


def summed(text, draw):
    """A program with a size that is a sum over symbols that have nothing else to tell
    them apart, spelled as the releases from 8 on do."""
    program = json.loads(text)
    symbols = ["s%d" % i for i in range(draw.randint(3, 6))]
    terms = []
    for _ in range(draw.randint(2, 5)):
        pair = ", ".join(f"Symbol('{name}', positive=True, integer=True)"
                         for name in draw.sample(symbols, 2))
        terms.append(draw.choice(("Mul(%s)", "FloorDiv(%s)", "Max(%s)")) % pair)
    tensors = program["graph_module"]["graph"]["tensor_values"]
    sizes = next(value["sizes"] for value in tensors.values() if value["sizes"])
    sizes[0] = {"as_expr": {"expr_str": "Add(%s)" % ", ".join(terms), "hint": None}}
    program["range_constraints"] = {name: {"min_val": 2, "max_val": 9} for name in symbols}
    return json.dumps(program).encode()


def of_two_sorts(text):
    """A program in which one text is the size of a tensor and, behind it, a truth."""
    program = json.loads(text)
    graph = program["graph_module"]["graph"]
    size = next(size for value in graph["tensor_values"].values() for size in value["sizes"]
                if "as_expr" in size)
    graph["sym_bool_values"]["b"] = size
    return json.dumps(program).encode()


def documents(corpora):
    """Documents of all kinds: golden, of the vectors, malformed; and of golden ones
    some with what exporters leave simple."""
    draw = random.Random(8)
    for texts in golden(corpora):
        yield from texts
    yield from enriched_programs(corpora)
    latest = min(texts, key=len)
    yield from (summed(latest, draw) for _ in range(SUMMED))
    yield of_two_sorts(summed(latest, draw))
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
    """What is drawn from a tail that depends on the text alone; and again, with a tail
    from which versions are drawn, enriched programs with each, and by each between, and
    vectors of migration with their own target."""
    for text in programs(corpora):
        if b"\0" not in text:
            yield text + b"\0" + hashlib.sha256(text).digest()[:TAIL]
    versions = names_of_versions()
    tails = [tail_that_draws((number, len(versions))) for number in range(len(versions))]
    for text in enriched_programs(corpora):
        yield from (text + b"\0" + tail for tail in tails)
        yield from (text + b"\0" + tail for tail in tails_between(version_of(text), versions))
    for vector in suite().vectors.values():
        target = vector.get("options", {}).get("to")
        text = suite().bytes_of(vector) if target in versions else b"\0"
        if b"\0" not in text and len(text) <= LARGEST:
            yield text + b"\0" + tails[versions.index(target)]


def names_of_versions():
    """In the order of ep_version_at."""
    path = os.path.join(ROOT, "ref", "src", "schema", "version.def")
    return re.findall(r'^VERSION\(\w+, +"([^"]+)"', read(path).decode(), re.MULTILINE)


def version_of(text):
    """The name of the version that a program says to be of; a sibling's is its owner's."""
    version = json.loads(text)["schema_version"]
    return ".".join(map(str, version.values() if isinstance(version, dict) else [version]))


def tails_between(name, versions):
    """Tails from which fuzz_migrate.c draws the first or the last version and one that
    lies between, for a program of a version."""
    start, last = versions.index(name), len(versions) - 1
    for to, low, high in ((0, 0, start), (last, start, last)):
        for between in range(low, high + 1):
            yield tail_that_draws((to, len(versions)), (between - low, high - low + 1))


def draws(tail):
    """What fuzz_draw gives behind fuzz_split (fuzz.c, test_draw of support.c)."""
    state = 0
    for byte in tail:
        state = (state ^ byte) * 1099511628211 % 2**64
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        mixed = (state ^ state >> 29) * 0xBF58476D1CE4E5B9 % 2**64
        yield mixed ^ mixed >> 32


@functools.cache
def tail_that_draws(*wanted):
    """Two bytes of which fuzz_below draws these first: each a number and its limit."""
    return next(tail for tail in (bytes((one, other)) for one in range(1, 256)
                                  for other in range(1, 256))
                if all(drawn % below == number
                       for drawn, (number, below) in zip(draws(tail), wanted)))


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


# ---- calls, archives -------------------------------------------------------------


def calls(corpora):
    del corpora
    draw = random.Random(8)
    for _ in range(CALLS):
        yield bytes(draw.randrange(256) for _ in range(CALLS_SIZE))


def inflating(data):
    """An archive whose program becomes longer than fuzz_archive.c lets it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            content = old.read(info)
            if info.filename.endswith(PROGRAM):
                content += b" " * LIMIT
            new.writestr(zipfile.ZipInfo(info.filename), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def archives(corpora):
    """Small archives, which a script of its own makes of golden ones; and vectors."""
    script = os.path.join(HERE, "make_zip_seeds")
    folder = os.path.join(corpora, "zip-seeds")
    subprocess.run([sys.executable, script, folder, "--corpora", corpora], check=True)
    for name in sorted(os.listdir(folder)):
        data = read(os.path.join(folder, name))
        yield data
        if name.startswith(FLAT):
            yield inflating(data)
    for vector in suite().vectors.values():
        if vector["operation"] in ARCHIVES and "{corpora}" not in suite().folders[vector["id"]]:
            yield suite().bytes_of(vector)


def states(corpora):
    """The same with all that is in their storages; and vectors."""
    script = os.path.join(HERE, "make_zip_seeds")
    folder = os.path.join(corpora, "state-seeds")
    subprocess.run([sys.executable, script, folder, "--corpora", corpora, "--whole"], check=True)
    for name in sorted(os.listdir(folder)):
        yield read(os.path.join(folder, name))
    for vector in suite().vectors.values():
        if vector["operation"] == "archive" and "{corpora}" not in suite().folders[vector["id"]]:
            yield suite().bytes_of(vector)


def npy(header, data, version=1):
    length = len(header).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


def tensorfiles(corpora):
    """Files of safetensors and of numpy, of every dtype, small."""
    del corpora
    dtypes = (("BOOL", "|b1", 1), ("U8", "|u1", 1), ("I8", "|i1", 1), ("F8_E5M2", None, 1),
              ("F8_E4M3", None, 1), ("F8_E8M0", None, 1), ("I16", "<i2", 2), ("U16", "<u2", 2),
              ("F16", "<f2", 2), ("BF16", None, 2), ("I32", "<i4", 4), ("U32", "<u4", 4),
              ("F32", "<f4", 4), ("C64", "<c8", 8), ("F64", "<f8", 8), ("I64", "<i8", 8),
              ("U64", "<u8", 8), (None, "<c16", 16))
    entries, end = {"__metadata__": {"format": "pt", "\u00e9": "\n"}}, 0
    for safetensors, numpy, size in dtypes:
        for version, order, shape in ((1, "False", "(2, 3)"), (3, "True", "(3,)"),
                                      (2, "False", "()")):
            count = {"(2, 3)": 6, "(3,)": 3, "()": 1}[shape]
            if numpy:
                yield npy(f"{{'descr': '{numpy}', 'fortran_order': {order}, 'shape': {shape}, }}"
                          "   \n".encode(), bytes(count * size), version)
        if safetensors:
            shape = [2, 1, 0] if safetensors == "I16" else [2, 3][:size % 3]
            count = 0 if 0 in shape else 2 ** (len(shape) > 0) * 3 ** (len(shape) > 1)
            entries[f"layer.{safetensors}"] = {"dtype": safetensors, "shape": shape,
                                               "data_offsets": [end, end + count * size]}
            end += count * size
            yield in_safetensors(json.dumps(entries, indent=len(shape)), bytes(end))
            yield in_safetensors(json.dumps(dict(reversed(entries.items()))), bytes(end))
    yield in_safetensors("{}", b"")


def in_safetensors(index, data):
    return len(index).to_bytes(8, "little") + index.encode() + data


KINDS = {"program": programs, "program+tail": programs_with_tail, "strings": strings,
         "calls": calls, "archive": archives, "state": states, "tensorfile": tensorfiles}


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
