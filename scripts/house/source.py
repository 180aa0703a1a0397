"""The rules of scripts/house/rules that are about sources: what a file
includes, how long its functions are, what it calls, what its text may not
hold; how scripts are named, where they are listed, and what they import.  Each rule
takes the root folder and yields findings: a file with a line where there is one, and
what is wrong.
"""

import json
import os
import re
import statistics
import subprocess

# ---- reading ----------------------------------------------------------------

COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def code_of(text):
    """C without comments and without what stands in quotes; lines stay."""
    def blank(match):
        quote = match[0][0] if match[0][0] in "\"'" else ""
        return quote + "\n" * match[0].count("\n") + " " + quote
    return COMMENT_OR_STRING.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def matches(root, paths, pattern, reader=code_of):
    """(place, match) of a pattern in the code of files."""
    for path in paths:
        text = reader(read(os.path.join(root, path)))
        for match in pattern.finditer(text):
            yield f"{path}:{line_of(text, match.start())}", match


def c_files(root, folder, endings=(".c", ".h")):
    """The C files right in a folder, as paths from the root."""
    return sorted(f"{folder}/{name}" for name in os.listdir(os.path.join(root, folder))
                  if name.endswith(endings))


# ---- layers -----------------------------------------------------------------

SOURCES = "ref/src"
PUBLIC = "epref.h"
BUILDER = "epref_builder.h"  # of the same library

# The folders of the library, the lowest first. A file includes files of its own
# folder and of those before it.
LAYERS = ("base", "json", "schema", "codec", "tree", "language", "rules", "audit", "migrate",
          "canon", "canon_torch", "forms", "diff", "builder")
# Folders of which the first knows nothing of the second, although it is above it.
APART = {("canon", "migrate"), ("canon_torch", "migrate"), ("canon_torch", "canon"),
         ("migrate", "audit"), ("canon", "audit"), ("canon_torch", "audit")}
MINIMAL = LAYERS[:4]  # epref_core: decode and encode
SYSTEM = {  # what the library may take from the compiler
    "stdbool.h", "stddef.h", "stdint.h", "string.h", "emmintrin.h",
}

# The folders of ref that stand on the core, lowest first: each includes those before it,
# by their paths from ref.
COMMAND = ("ref/common", "ref/archive/zip", "ref/archive/pickle", "ref/archive/layout",
           "ref/archive/state", "ref/archive/judge", "ref/archive/make",
           "ref/archive/interface", "ref/gen",
           "ref/gen/defects", "ref/cli", "ref/cli/show", "ref/cli/compare", "ref/cli/explain",
           "ref/cli/commands")

# The folders of the runner, likewise.
RUNNER = ("conformance/epconform/text", "conformance/epconform/suite",
          "conformance/epconform/run", "conformance/epconform/report", "conformance/epconform")

# These see the core through its one public header; tests and fuzz targets may look
# inside.
OUTSIDE = (*COMMAND, *RUNNER, "ref/examples", "ref/bench", "conformance", "python/src")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[">]', re.MULTILINE)


def library_files(root, endings=(".c", ".h")):
    return [path for layer in LAYERS for path in c_files(root, f"{SOURCES}/{layer}", endings)]


def includes(root, path):
    for place, match in matches(root, [path], INCLUDE, str):
        yield place, match[1] == "<", match[2]


def misplaced(root):
    """Files beside the layers."""
    for folder, _, names in os.walk(os.path.join(root, SOURCES)):
        layer = os.path.relpath(folder, os.path.join(root, SOURCES))
        for name in names:
            if layer not in LAYERS and name.endswith((".c", ".h", ".def")):
                yield f"{SOURCES}/{layer}/{name}", "is in no layer of scripts/house/source.py"


def library_layers(root):
    for path in library_files(root, (".c", ".h", ".def")):
        layer = path.split("/")[-2]
        for place, is_system, other in includes(root, path):
            folder = other.split("/")[0]
            if is_system and other not in SYSTEM:
                yield place, f"includes <{other}>"
            elif not is_system and other not in (PUBLIC, BUILDER) and (
                    folder not in LAYERS or LAYERS.index(folder) > LAYERS.index(layer)):
                yield place, f"includes {other}, which is not below it"
            elif (layer, folder) in APART:
                yield place, f"includes {other}, and {layer} does without {folder}"


def outside_layers(root):
    inside = {os.path.basename(path) for path in library_files(root, (".c", ".h", ".def"))}
    for folder in OUTSIDE:
        for path in c_files(root, folder, (".c", ".h", ".cc")):
            for place, is_system, other in includes(root, path):
                name = other if is_system else os.path.basename(other)
                if name in inside and not beside(root, folder, other):
                    yield place, f"includes {other}, which is private to ref/src"


def beside(root, folder, other):
    """Whether an include is found in its own folder, below ref outside the core, or in
    the runner."""
    paths = (os.path.normpath(os.path.join(base, other)) for base in (folder, "ref", RUNNER[-1]))
    return any(os.path.exists(os.path.join(root, path)) and not path.startswith(SOURCES + "/")
               for path in paths)


def around_layers(root):
    for folders, base in ((COMMAND, "ref"), (RUNNER, RUNNER[-1])):
        for number, folder in enumerate(folders):
            for path in c_files(root, folder):
                for place, is_system, other in includes(root, path):
                    whose = os.path.dirname(f"{base}/{other}")
                    if not is_system and whose in folders[number + 1:] or other.startswith("."):
                        yield place, f"includes {other}, which is not below it"


def layers(root):
    """An #include goes down, never up; ref/src is private."""
    yield from misplaced(root)
    yield from library_layers(root)
    yield from outside_layers(root)
    yield from around_layers(root)


# ---- the minimal reference ------------------------------------------------------

TOUR = "ref/README.md"
CORE_COUNT = re.compile(r"[Tt]he core has (\d+) files and ([\d,]+) lines")


def core(root):
    """The tour says how many files and lines the minimal reference has."""
    paths = [path for layer in MINIMAL
             for path in c_files(root, f"{SOURCES}/{layer}", (".c", ".h", ".def"))]
    lines = sum(read(os.path.join(root, path)).count("\n") for path in paths)
    match = CORE_COUNT.search(read(os.path.join(root, TOUR)))
    if match is None:
        yield TOUR, "does not say how many files and lines the core has"
    elif (int(match[1]), int(match[2].replace(",", ""))) != (len(paths), lines):
        yield TOUR, f"says {match[1]} files and {match[2]} lines; it is {len(paths)} and {lines:,}"


# ---- tables of contents --------------------------------------------------------

NAMED_FILE = re.compile(r"`([a-z0-9_]+\.(?:c|h|def))`")


def contents(root):
    """The README of a layer names each of its files, and no other."""
    for layer in LAYERS:
        folder = f"{SOURCES}/{layer}"
        page = f"{folder}/README.md"
        there = {os.path.basename(path) for path in c_files(root, folder, (".c", ".h", ".def"))}
        named = set(NAMED_FILE.findall(read(os.path.join(root, page)))) - {PUBLIC, BUILDER}
        for name in sorted(there - named):
            yield page, f"does not name {name}"
        for name in sorted(named - there):
            yield page, f"names {name}, which is not there"


# ---- sizes ------------------------------------------------------------------

SIZED = ("ref", "conformance", "fuzz", "python")  # and all folders in them
MEDIAN, NINTH, LONGEST, FILE, PARAMETERS = 12, 40, 70, 700, 5
LONGER = {"ref/include/epref.h": 1150}  # the whole interface, mostly its documentation
NO_MEDIAN = re.compile(r"ref/test(?!/rewrite)|.*/test$")  # a test tells a story; only the caps hold for it


def functions(root, paths):
    """A dict for each function: path, name, line, end, signature, file (static)."""
    command = ["ctags", "--language-force=C", "-I", "EP_API", "--fields=+neS",
               "--kinds-C=f", "--output-format=json", "-f", "-", *paths]
    lines = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def parameters(signature):
    inner = re.sub(r"\([^()]*\)", "", signature.strip()[1:-1]).strip()
    return 0 if inner in ("", "void") else inner.count(",") + 1


def sized_folders(root):
    for top in SIZED:
        for folder, _, _ in sorted(os.walk(os.path.join(root, top))):
            yield os.path.relpath(folder, root)


def folder_sizes(root, folder):
    paths = c_files(root, folder)
    found = functions(root, paths) if paths else []
    lengths = sorted(each["end"] - each["line"] + 1 for each in found)
    for each in found:
        place, length = f"{each['path']}:{each['line']}", each["end"] - each["line"] + 1
        if length > LONGEST:
            yield place, f"{each['name']} has {length} lines, over {LONGEST}"
        if parameters(each["signature"]) > PARAMETERS:
            yield place, f"{each['name']} has more than {PARAMETERS} parameters"
    if not lengths or NO_MEDIAN.match(folder):
        return
    if statistics.median(lengths) > MEDIAN:
        yield folder, f"the median function has {statistics.median(lengths)} lines, over {MEDIAN}"
    if lengths[len(lengths) * 9 // 10] > NINTH:
        yield folder, f"a tenth of the functions has over {NINTH} lines"


def sizes(root):
    """Functions and files are short, and take few parameters."""
    for folder in sized_folders(root):
        for path in c_files(root, folder):
            length = read(os.path.join(root, path)).count("\n")
            if length > LONGER.get(path, FILE):
                yield path, f"has {length} lines, over {LONGER.get(path, FILE)}"
        yield from folder_sizes(root, folder)


# ---- calls ------------------------------------------------------------------

FORBIDDEN = re.compile(r"""\b(
    strto\w+ | ato[filq]\w* | v?[sf]?n?printf | v?s?n?scanf | puts | putchar | fputs | fputc
  | malloc | calloc | realloc | aligned_alloc | alloca | free
  | str(n?(len|cpy|cat|cmp|dup)|r?chr|str|c?spn|pbrk|coll|error|tok) | mem(r?chr|mem|ccpy)
  | setlocale | localeconv | qsort | bsearch
  | is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit) | to(lower|upper)
  | abort | exit | assert | __builtin_(trap|unreachable) | getenv | setjmp | longjmp | signal | rand | time
)\s*\(""", re.VERBOSE)


# The one file that says what becomes of that which cannot happen.
NEVER = "ref/src/base/never.h"
COUNTING = "ref/common/memory.c"

# What takes memory past the count that --max-memory is held against.
UNCOUNTED = re.compile(r"\b(malloc|calloc|realloc|reallocarray|aligned_alloc|alloca|free"
                       r"|strn?dup|v?asprintf|getline|realpath|fopen|fdopen|qsort)\s*\(")


def calls(root):
    """Nothing in the library formats, parses, allocates or sorts by the C library, nor ends the
    process; nothing in the command takes memory that is not counted."""
    for paths, forbidden in ((library_files(root), FORBIDDEN),
                             *((c_files(root, each), UNCOUNTED) for each in COMMAND)):
        paths = [path for path in paths if path not in (COUNTING, NEVER)]
        for place, match in matches(root, paths, forbidden):
            yield place, f"calls {match[1]}"


# ---- words ------------------------------------------------------------------

WORDS = re.compile(r"sizeof[^;,{]*?/\s*(?:8\b|sizeof\s*\(\s*uint64_t)")

PRODUCT = re.compile(r"ep_arena_(?:alloc|take)\([^;]*\w \* \w[^;]*\)")


def words(root):
    """Objects are no words of a stack (base/stack.h); bytes of an array are counted where
    that is checked."""
    for pattern, what in ((WORDS, "counts words by a division"),
                          (PRODUCT, "multiplies, and not ep_arena_array")):
        for place, _ in matches(root, library_files(root), pattern):
            yield place, what


# ---- JSON -------------------------------------------------------------------

JSON_READER = "ref/archive/judge/members.c"
JSON_WRITER = ("ref/cli/json.c", "ref/common/safe.c", "ref/common/safe.h")


def json_writer(root):
    """One file of the command writes JSON; cJSON only reads it, in one other."""
    paths = [path for folder in COMMAND for path in c_files(root, folder)]
    for place, match in matches(root, paths, re.compile(r"\bcJSON|\bsafe_json\b")):
        path = place.rpartition(":")[0]
        if path not in JSON_WRITER and (match[0], path) != ("cJSON", JSON_READER):
            yield place, f"uses {match[0]}"


# ---- text -------------------------------------------------------------------

# In pieces, so that this file does not find itself.
UNWANTED = "|".join((
    r"\bTO" r"DO\b", r"\bFIX" r"ME\b", r"\bX" r"XX\b", r"\.\./sh" r"ared\b",
    r"(?<![\w.])/(?:wo" r"rk|ho" r"me(?!/me/)|ro" r"ot|Us" r"ers)/",
))


def tracked(root):
    """The files that are, or would be, in the repository."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    return sorted(set(done.stdout.split("\0")) - {""})


def text(root):
    """No file tells of the machine it was written on, or of work left over."""
    command = ["git", "grep", "-InoP", "--untracked", "-e", UNWANTED]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise ValueError(done.stderr)
    for line in done.stdout.splitlines():
        path, number, text = line.split(":", 2)
        yield f"{path}:{number}", f"says {text!r}"


# ---- links ------------------------------------------------------------------

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def links(root):
    """A link within the repository leads somewhere."""
    pages = [path for path in tracked(root)
             if path.endswith(".md") and os.path.isfile(os.path.join(root, path))]
    for place, match in matches(root, pages, LINK, str):
        target = os.path.join(root, os.path.dirname(place), match[1])
        if "://" not in match[1] and not os.path.exists(target):
            yield place, f"links to {match[1]}"


# ---- the specification ---------------------------------------------------------

SPECIFICATION = "SPEC.md"
ANNEXES = "annex"  # the one folder that belongs to it
IMPLEMENTATION = "ref/"
CODE = (".c", ".h", ".def")
EVIDENCE = re.compile(r"^## Appendix C:.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
NAMED_PATH = re.compile(r"(?<![\w./])[\w.-]+(?:/[\w.*-]+)*")
MISSING_ANNEX = re.compile(r"(?<![\w./])annex/[\w.-]*\w")


def pointed(text, folders, files):
    """Offset and path where a text names something below the folders, or one of the files."""
    for match in NAMED_PATH.finditer(text):
        head, slash, _ = match[0].partition("/")
        if (slash and head in folders) or os.path.basename(match[0].rstrip(".")) in files:
            yield match.start(), match[0].rstrip(".")


def specification(root):
    """SPEC.md points at no file but its annexes; as evidence, in appendix C, at data and tests."""
    paths = [path for path in tracked(root) if "/" in path]
    folders = {path.partition("/")[0] for path in paths} - {ANNEXES}
    files = {os.path.basename(path) for path in paths
             if path.startswith(IMPLEMENTATION) and path.endswith(CODE)}
    text = read(os.path.join(root, SPECIFICATION))
    evidence = EVIDENCE.search(text)
    span = evidence.span() if evidence else (0, 0)
    for offset, path in pointed(text, folders, files):
        inside = span[0] <= offset < span[1]
        if not inside or path.startswith(IMPLEMENTATION) or os.path.basename(path) in files:
            yield f"{SPECIFICATION}:{line_of(text, offset)}", f"points at {path}"
    for match in MISSING_ANNEX.finditer(text):
        if not os.path.isfile(os.path.join(root, match[0])):
            place = f"{SPECIFICATION}:{line_of(text, match.start())}"
            yield place, f"points at {match[0]}, which is not there"


# ---- the public header ------------------------------------------------------

DECLARED = re.compile(r"^EP_API\b[^;]*?\b(ep_\w+)\(", re.MULTILINE)


HEADERS = {"libepref.so": (PUBLIC, BUILDER), "libepref_archive.so": ("epref_archive.h",)}


def header(root, name=PUBLIC):
    return f"ref/include/{name}", read(os.path.join(root, "ref/include", name))


def declared(root, name):
    """The functions that a public header declares."""
    return set(DECLARED.findall(header(root, name)[1]))


def documentation(root):
    """Above each public function, or the group it stands in, is a comment."""
    for path, text in (header(root, name) for names in HEADERS.values() for name in names):
        for match in DECLARED.finditer(text):
            if not text[:match.start()].rpartition("\n\n")[2].startswith("/*"):
                yield f"{path}:{line_of(text, match.start())}", f"{match[1]} has no comment above it"


# ---- whole programs in forward reading ------------------------------------------

# What a function is handed that comes from a program.
HANDED = re.compile(r"\bep_(?:program|value|signature)\b(?! \*\*)")
FORWARD = ("fuzz/fuzz_forward.c", "fuzz/reading.c", "fuzz/fuzz.c", "ref/test/support/calls.c")


def parameters_of(root, name=PUBLIC):
    """For each function of a public header, the text of its parameters."""
    text = code_of(header(root, name)[1])
    return {match[1]: text[match.end():text.index(";", match.end())].strip()[:-1]
            for match in DECLARED.finditer(text)}


def forward(root):
    """The fuzz target forward calls all of epref.h that a program goes into."""
    called = "".join(code_of(read(os.path.join(root, path))) for path in FORWARD)
    for name, list_of in parameters_of(root).items():
        if HANDED.search(list_of) and not re.search(rf"\b{name}\(", called):
            yield FORWARD[0], f"does not call {name}, which takes a part of a program"


# ---- NULL -----------------------------------------------------------------------

NULLS = {PUBLIC: "ref/test/interface/nulls.def",
         BUILDER: "ref/test/interface/nulls.def",
         "epref_archive.h": "ref/test/archive/nulls_archive.def"}
NULLED = re.compile(r"\bNULLS\((\w+),")
PARAMETER = re.compile(r"(\w+)\s*(?:\[\w*\])?$")
POINTERS, OTHERS = "PS", "XDBVN"  # the macros of ref/test/support/turns.h


def parameters_named(list_of):
    """The names of parameters, and whether each is a pointer."""
    for each in list_of.split(","):
        if each.strip() != "void":
            yield PARAMETER.search(each.strip())[1], "*" in each or "[" in each


def nulls(root):
    """Each argument that a public function takes is NULL or extreme once in test_nulls."""
    for name, path in NULLS.items():
        yield from untried(root, name, path)


def untried(root, name, path):
    text = code_of(read(os.path.join(root, path)))
    found = list(NULLED.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    calls_of = {match[1]: text[match.end():end] for match, end in zip(found, ends)}
    for function, list_of in parameters_of(root, name).items():
        call = calls_of.get(function, "")
        call = call[call.find(f"{function}("):] if f"{function}(" in call else ""
        if not call:
            yield path, f"does not call {function}"
        for parameter, is_pointer in parameters_named(list_of):
            macros = POINTERS if is_pointer else OTHERS
            if call and not re.search(rf"\b[{macros}]\({parameter},", call):
                yield path, f"has no turn for {parameter} of {function}"


# ---- agreement --------------------------------------------------------------

def agreement(root):
    """The README's program is one that is built."""
    example = read(os.path.join(root, "ref/examples/roundtrip.c"))
    blocks = re.findall(r"^```c\n(.*?)^```", read(os.path.join(root, "README.md")),
                        re.MULTILINE | re.DOTALL)
    if not blocks or any(block not in example for block in blocks):
        yield "README.md", "its C program is not that of ref/examples/roundtrip.c"


# ---- scripts ----------------------------------------------------------------

FOLDERS = ("scripts/", "conformance/scripts/", "fuzz/scripts/")
INDEX = "scripts/README.md"
LISTED = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)
COMMAND_NAME = re.compile(r"[a-z][a-z0-9_]*")
MODULE_NAME = re.compile(r"[a-z][a-z0-9_]*\.py")

# A package, and what it does not import.
APART_FROM = {"generate": "oracle", "oracle": "generate", "format": "generate|oracle"}


def scripts(root):
    """The files in the folders of scripts, with whether they can be executed."""
    for path in tracked(root):
        full = os.path.join(root, path)
        if path.startswith(FOLDERS) and os.path.isfile(full):
            yield path, os.access(full, os.X_OK)


def names(root):
    """A command has no extension, a module ends in .py; names have underscores."""
    for path, is_command in scripts(root):
        name = os.path.basename(path)
        if is_command and not COMMAND_NAME.fullmatch(name):
            yield path, "can be executed, and has not the name of a command"
        elif not is_command and name.endswith(".py") and not MODULE_NAME.fullmatch(name):
            yield path, "has not the name of a module"
        elif not is_command and "." not in name:
            yield path, "has the name of a command, and cannot be executed"


def index(root):
    """Each command is in scripts/README.md, once, and what is there is a command."""
    text = read(os.path.join(root, INDEX))
    found = list(LISTED.finditer(text))
    known = {path for path, is_command in scripts(root) if is_command}
    for path in sorted(known - {match[1] for match in found}):
        yield path, f"is not in {INDEX}"
    seen = set()
    for match in found:
        place = f"{INDEX}:{line_of(text, match.start())}"
        if match[1] not in known:
            yield place, f"names {match[1]}, which is no command"
        elif match[1] in seen:
            yield place, f"names {match[1]} again"
        seen.add(match[1])


def apart(root):
    """The oracle of canonical forms and the generator of vectors do not import each other."""
    for package, barred in APART_FROM.items():
        folder = f"conformance/{package}/"
        paths = [path for path in tracked(root) if path.startswith(folder) and
                 path.endswith(".py") and os.path.isfile(os.path.join(root, path))]
        if not paths:
            yield folder, "is not there"
        pattern = re.compile(rf"^\s*(?:import|from) ({barred})\b", re.MULTILINE)
        for place, match in matches(root, paths, pattern, str):
            yield place, f"imports {match[1]}"
