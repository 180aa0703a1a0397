"""What lies beside the targets in $OUT: seed corpora, dictionaries, options.
Each check yields what is wrong; figures() tells how much there is.
"""

import configparser
import os
import re
import zipfile

SEEDS_MAX = 100 << 20  # of one target, unpacked; builds are copied again and again
OUT_MAX = 1 << 30
KNOWN = {"libfuzzer": {"max_len", "timeout", "dict", "rss_limit_mb", "close_fd_mask",
                       "len_control", "only_ascii"}}
SUFFIXES = ("_seed_corpus.zip", ".dict", ".options")
TARGET = re.compile(r"[A-Za-z0-9_-]+")
WORD = re.compile(r'(?:[A-Za-z_]\w*(?:@\d+)?\s*=\s*)?"((?:[^"\\]|\\x[0-9A-Fa-f]{2}|\\["\\])+)"')


def beside(target, suffix):
    return target + suffix


def options(target):
    """The [libfuzzer] section of a target, as a dictionary; empty without a file."""
    parser = configparser.ConfigParser()
    parser.read(beside(target, ".options"), encoding="utf-8")
    return dict(parser["libfuzzer"]) if parser.has_section("libfuzzer") else {}


def bad_options(target):
    path = beside(target, ".options")
    if not os.path.isfile(path):
        yield "no options"
        return
    parser = configparser.ConfigParser()
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError) as trouble:
        yield f"options: {trouble}"
        return
    for section in parser.sections():
        for key, value in parser[section].items():
            if key not in KNOWN.get(section, ()):
                yield f"options: no option that is known: {section}.{key}"
            elif key != "dict" and not re.fullmatch(r"[1-9]\d*", value):
                yield f"options: {key} is {value!r}, not a number"


def words(path):
    """The words of a dictionary as libFuzzer and AFL++ read it; ValueError says where not."""
    with open(path, encoding="latin-1") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            match = WORD.fullmatch(line)
            if not match:
                raise ValueError(f"line {number}: no name=\"word\"")
            yield match[1]


def bad_dictionary(target, wanted):
    path = beside(target, ".dict")
    if not os.path.isfile(path):
        if wanted:
            yield "no dictionary"
        return
    try:
        if not list(words(path)):
            yield "dictionary: empty"
    except ValueError as trouble:
        yield f"dictionary: {trouble}"


def bad_seeds(target, max_len):
    path = beside(target, "_seed_corpus.zip")
    if not os.path.isfile(path):
        yield "no seed corpus"
        return
    try:
        with zipfile.ZipFile(path) as packed:
            broken = packed.testzip()
            members = packed.infolist()
    except zipfile.BadZipFile as trouble:
        yield f"seeds: {trouble}"
        return
    if broken is not None:
        yield f"seeds: {broken} does not unpack"
    if not members:
        yield "seeds: there are none"
    if sum(member.file_size for member in members) > SEEDS_MAX:
        yield f"seeds: more than {SEEDS_MAX} bytes"
    if any(member.filename.startswith("/") or ".." in member.filename for member in members):
        yield "seeds: a name leads out of the folder"
    longer = sum(member.file_size > max_len for member in members)
    if longer:
        yield f"seeds: {longer} of {len(members)} are longer than max_len, {max_len}"


def check(target, wants_dictionary):
    """What is wrong with what lies beside one target."""
    if not TARGET.fullmatch(os.path.basename(target)):
        yield "not a name that ClusterFuzz runs"
    found = list(bad_options(target))
    yield from found
    yield from bad_dictionary(target, wants_dictionary)
    yield from bad_seeds(target, 1 << 30 if found else int(options(target).get("max_len", 1 << 30)))


def strangers(out, targets):
    """Files of $OUT that belong to no target: left over, or badly named."""
    names = {os.path.basename(target) for target in targets}
    for name in sorted(os.listdir(out)):
        stem = next((name[:-len(suffix)] for suffix in SUFFIXES if name.endswith(suffix)), name)
        if stem not in names:
            yield f"{name} belongs to no target"


def seed_count(target):
    with zipfile.ZipFile(beside(target, "_seed_corpus.zip")) as packed:
        return len(packed.infolist())


def unpack(target, folder):
    with zipfile.ZipFile(beside(target, "_seed_corpus.zip")) as packed:
        packed.extractall(folder)
    return folder


def size(folder):
    return sum(os.path.getsize(os.path.join(path, name))
               for path, _, files in os.walk(folder) for name in files)
