"""The peers of scripts/bench: what they are, how they are had and built.

A peer that cannot be had or built is no error: it is handed back with the
reason, and the report names it as not run.
"""

import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = os.path.join(ROOT, "ref", "bench")
CC = os.environ.get("CC", "cc")
CXX = os.environ.get("CXX", "c++")
OPTIMISE = "-O2"  # what Debian builds its libraries with; no peer gets more
WARN = ["-Wall", "-Wextra"]

# yyjson has no Debian package; this source package carries its two files as
# upstream had them between 0.10.0 and 0.11.0.
YYJSON_PACKAGE, YYJSON_VERSION = "yyjson", "4.0.6"
YYJSON_SHA256 = "fcd4dc15c1e39a30bf9fa85d56903029111506860fc3080ab0d81c6c6dacaa8c"

# A peer: its source, the header and Debian package it needs, what to link.
PEERS = {
    "epref": {"source": "bench_epref.c"},
    "yyjson": {"source": "bench_yyjson.c"},
    "simdjson": {"source": "bench_simdjson.cc", "header": "simdjson.h",
                 "package": "libsimdjson-dev", "link": ["-lsimdjson"]},
    "rapidjson": {"source": "bench_rapidjson.cc", "header": "rapidjson/document.h",
                  "package": "rapidjson-dev"},
    "cjson": {"source": "bench_cjson.c", "header": "cjson/cJSON.h",
              "package": "libcjson-dev", "link": ["-lcjson"]},
    "nlohmann": {"source": "bench_nlohmann.cc", "header": "nlohmann/json.hpp",
                 "package": "nlohmann-json3-dev"},
}


class NotRun(Exception):
    """This peer cannot take part; the text says why."""


def run(command, **more):
    """True, and the output's end, when the command succeeds."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False, **more)
    except OSError as trouble:
        return False, str(trouble)
    return done.returncode == 0, done.stdout.strip()[-2000:]


def must(command, why):
    ok, output = run(command)
    if not ok:
        raise NotRun(f"{why}: {output}")
    return output


# ---- Debian packages --------------------------------------------------------


def has_header(header):
    command = [CXX, "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    return run(command, input=f"#include <{header}>\n")[0]


def missing_packages(peers):
    missing = [PEERS[name]["package"] for name in peers
               if "header" in PEERS[name] and not has_header(PEERS[name]["header"])]
    return missing + ([] if shutil.which("valgrind") else ["valgrind"])


def install(packages, say):
    """Tries; whoever needs a package finds out whether it is there."""
    if shutil.which("apt-get") is None:
        say(f"no apt-get: please install {' '.join(packages)}")
        return
    become = [] if os.geteuid() == 0 else ["sudo"]
    say(f"installing {' '.join(packages)}")
    run(become + ["apt-get", "update"])
    ok, output = run(become + ["apt-get", "install", "-y", "--no-install-recommends"] + packages)
    if not ok:
        say(f"apt-get failed: {output}")


# ---- yyjson -----------------------------------------------------------------


def download_yyjson(folder, say):
    say(f"downloading the source package {YYJSON_PACKAGE} {YYJSON_VERSION}")
    must([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
          "--no-binary", YYJSON_PACKAGE, "--dest", folder,
          f"{YYJSON_PACKAGE}=={YYJSON_VERSION}"], "pip cannot download it")


def unpack_yyjson(package, folder):
    """Only the two files, and only if the package is the one that is known."""
    with open(package, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != YYJSON_SHA256:
            raise NotRun(f"{package} is not the package that was expected")
    with tarfile.open(package) as tar:
        for member in tar:
            name = os.path.basename(member.name)
            if member.isreg() and name in ("yyjson.c", "yyjson.h"):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(tar.extractfile(member).read())


def yyjson_folder(args, say):
    """The folder with yyjson.c and yyjson.h."""
    if args.yyjson:
        return args.yyjson
    folder = os.path.join(args.into, "yyjson")
    package = os.path.join(folder, f"{YYJSON_PACKAGE}-{YYJSON_VERSION}.tar.gz")
    if not os.path.exists(package):
        if args.no_install:
            raise NotRun("its source is not there, and --no-install was asked for")
        os.makedirs(folder, exist_ok=True)
        download_yyjson(folder, say)
    unpack_yyjson(package, folder)
    return folder


# ---- epref ------------------------------------------------------------------


def build_epref(args, say):
    """libepref.a of this tree, as its Release build makes it: with -O2, too; and
    the command, which makes programs up."""
    if not os.path.exists(os.path.join(ROOT, "CMakeLists.txt")):
        raise NotRun("there is no CMakeLists.txt")
    folder = os.path.join(args.into, "epref")
    say("building epref")
    must(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
          "-DEPREF_TESTS=OFF"], "cmake cannot configure it")
    must(["cmake", "--build", folder, "--target", "epref_static", "epref_cli"],
         "it cannot be built")
    found = glob.glob(os.path.join(folder, "**", "libepref.a"), recursive=True)
    if not found:
        raise NotRun("the build made no libepref.a")
    return found[0]


# ---- building ---------------------------------------------------------------


def compiler(source):
    return [CC, "-std=c11"] if source.endswith(".c") else [CXX, "-std=c++17"]


def compile_one(source, target, flags):
    must(compiler(source) + [OPTIMISE] + flags + ["-c", source, "-o", target],
         "it cannot be compiled")
    return target


def compile_ours(source, args, flags=()):
    target = os.path.join(args.into, os.path.splitext(source)[0] + ".o")
    return compile_one(os.path.join(SOURCES, source), target, WARN + list(flags))


def parts_of(name, args, say):
    """(flags to compile the peer's program, what to link it with)."""
    if name == "epref":
        return ["-I", os.path.join(ROOT, "ref", "include")], [build_epref(args, say)]
    if name == "yyjson":
        folder = yyjson_folder(args, say)
        library = compile_one(os.path.join(folder, "yyjson.c"),
                              os.path.join(args.into, "yyjson.o"), ["-w"])
        return ["-isystem", folder], [library]
    header = PEERS[name].get("header")
    if header and not has_header(header):
        raise NotRun(f"its header {header} is not there (Debian: {PEERS[name]['package']})")
    return [], PEERS[name].get("link", [])


def build(name, common, args, say):
    """The path of the peer's program."""
    flags, link = parts_of(name, args, say)
    program = os.path.join(args.into, "bench_" + name)
    source = PEERS[name]["source"]
    objects = [compile_ours(source, args, flags)] + common
    linker = compiler(source)[0]
    must([linker] + objects + link + ["-o", program], "it cannot be linked")
    return program


def prepare(peers, args, say):
    """({peer: program}, [{peer, reason} of those that cannot run])."""
    missing = missing_packages(peers)
    if missing and not args.no_install:
        install(missing, say)
    common = [compile_ours(source, args) for source in ("bench.c", "bench_heap.c")]
    programs, not_run = {}, []
    for name in peers:
        try:
            programs[name] = build(name, common, args, say)
        except NotRun as trouble:
            say(f"{name} is not run: {trouble}")
            not_run.append({"peer": name, "reason": str(trouble).splitlines()[0]})
    return programs, not_run
