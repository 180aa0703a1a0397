"""Runs fuzz/oss-fuzz/build.sh as the image of OSS-Fuzz runs it, without a
container: in a copy of the tree as a clone would be, with the environment of its
base-builder and nothing else, and without a network.

What cannot be the same: the compilers are those of this machine, whose C++ is
libstdc++ where that of OSS-Fuzz is libc++, and the libraries come from the
sources of the system's packages, at the versions that the Dockerfile names.
"""

import glob
import os
import shutil
import subprocess
import time

BASE_FLAGS = (
    "-O1 -fno-omit-frame-pointer -gline-tables-only"
    " -Wno-error=incompatible-function-pointer-types -Wno-error=int-conversion"
    " -Wno-error=deprecated-declarations -Wno-error=implicit-function-declaration"
    " -Wno-error=implicit-int -Wno-error=unknown-warning-option"
    " -Wno-error=vla-cxx-extension -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")
RECOVERED = "unsigned-integer-overflow"  # told, but not an error: it is defined
UNDEFINED = (
    "array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,"
    "returns-nonnull-attribute,shift,signed-integer-overflow,unsigned-integer-overflow,"
    "unreachable,vla-bound,vptr")
SANITIZER_FLAGS = {
    "address": "-fsanitize=address -fsanitize-address-use-after-scope",
    "undefined": f"-fsanitize={UNDEFINED} -fno-sanitize-recover="
                 + UNDEFINED.replace(RECOVERED + ",", ""),
    "memory": "-fsanitize=memory -fsanitize-memory-track-origins",
    "introspector": "-O0 -flto -fno-inline-functions -fuse-ld=gold"
                    " -Wno-unused-command-line-argument",
    "coverage": "",
}
EDGES = "-fsanitize=fuzzer-no-link"
COVERAGE = ("-fprofile-instr-generate -fcoverage-mapping -pthread -Wl,--no-as-needed -Wl,-ldl"
            " -Wl,-lm -Wno-unused-command-line-argument")
AFL_DRIVERS = ("/usr/lib/afl/libAFLDriver.a", "/usr/local/lib/afl/libAFLDriver.a")
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SOURCE_PACKAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts",
                               "source_packages")
LIBRARIES = {"zlib": "zlib", "libzip": "libzip", "cJSON": "cjson"}  # folder, source package


class Skipped(Exception):
    """What a combination needs is not on this machine."""


class Failed(Exception):
    """The build did not come to its end."""


# ---- the libraries ------------------------------------------------------------

def libraries(folder):
    """A folder with zlib, libzip and cJSON, from the system's source packages."""
    words = [f"{name}={package}" for name, package in LIBRARIES.items()]
    done = subprocess.run([SOURCE_PACKAGES, folder] + words, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise (Skipped if done.returncode == 77 else Failed)(done.stdout.strip())
    return folder


# ---- the tree -----------------------------------------------------------------

def clone(root, to):
    """What a clone of the tree as it stands would have."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, check=True, capture_output=True, text=True).stdout
    for path in filter(None, listed.split("\0")):
        source, made = os.path.join(root, path), os.path.join(to, path)
        if os.path.isfile(source):
            os.makedirs(os.path.dirname(made), exist_ok=True)
            shutil.copy2(source, made)


# ---- the environment ----------------------------------------------------------

def clang_tool(name):
    """The tool of the same release as clang, without which profiles cannot be read."""
    said = subprocess.run(["clang", "--print-prog-name=" + name], check=False,
                          capture_output=True, text=True).stdout.strip()
    return said if os.path.isabs(said) else shutil.which(name)


def afl_compiler(places):
    driver = next((path for path in AFL_DRIVERS if os.path.isfile(path)), None)
    if not shutil.which("afl-clang-fast") or driver is None:
        raise Skipped("no afl-clang-fast with libAFLDriver.a")
    shutil.copy(driver, places["engine"])
    return {"CC": "afl-clang-fast", "CXX": "afl-clang-fast++", "AFL_QUIET": "1",
            "AFL_IGNORE_PROBLEMS": "1", "AFL_IGNORE_UNKNOWN_ENVS": "1",
            "ASAN_OPTIONS": "detect_leaks=0:symbolize=0:detect_odr_violation=0:abort_on_error=1"}


def installed_library(name):
    """Where a library is, or None. Links are not followed: some lead back."""
    for root in ("/usr/lib", "/usr/local/lib"):
        for folder, _, files in os.walk(root):
            if name in files:
                return os.path.join(folder, name)
    return None


def honggfuzz_compiler(places):
    library = shutil.which("honggfuzz") and installed_library("honggfuzz.a")
    if not library:
        raise Skipped("no honggfuzz with honggfuzz.a")
    shutil.copy(library, places["engine"])
    return {}


def engine_variables(engine, places):
    if engine == "libfuzzer":
        return {"LIB_FUZZING_ENGINE": "-fsanitize=fuzzer"}
    if engine == "afl":
        return afl_compiler(places)
    return honggfuzz_compiler(places) if engine == "honggfuzz" else {}


def introspector_tools(places):
    """LTO needs archives with an index of bitcode: the tools of LLVM by common names."""
    if not glob.glob("/usr/lib/llvm-*/lib/LLVMgold.so") or not shutil.which("ld.gold"):
        raise Skipped("no gold linker with LLVMgold.so")
    os.makedirs(places["tools"])
    for name in ("ar", "nm", "ranlib"):
        tool = clang_tool("llvm-" + name)
        if not tool:
            raise Skipped(f"no llvm-{name}")
        os.symlink(tool, os.path.join(places["tools"], name))
    return {"PATH": places["tools"] + ":" + SYSTEM_PATH, "AR": "llvm-ar", "NM": "llvm-nm",
            "RANLIB": "llvm-ranlib"}


def flags(engine, sanitizer):
    edges = COVERAGE if sanitizer == "coverage" else EDGES
    if engine in ("none", "afl"):
        edges = ""
    text = f"{BASE_FLAGS} {SANITIZER_FLAGS[sanitizer]} {edges}".strip()
    found = {"CFLAGS": text, "CXXFLAGS": text}
    if sanitizer == "undefined":
        found["CFLAGS"] += " -fno-sanitize=function"
    if sanitizer == "introspector":
        found = {key: value + " -g" for key, value in found.items()}
    return found


def environment(engine, sanitizer, places):
    """The variables of base-builder for a combination; Skipped where it cannot be."""
    if not shutil.which("clang++"):
        raise Skipped("no clang++")
    found = {
        "PATH": SYSTEM_PATH, "HOME": places["home"], "SRC": places["src"], "OUT": places["out"],
        "WORK": places["work"], "CC": "clang", "CXX": "clang++", "CCC": "clang++",
        "SANITIZER": sanitizer, "FUZZING_ENGINE": engine, "ARCHITECTURE": "x86_64",
        "FUZZING_LANGUAGE": "c", "PROJECT_NAME": "epref", "FUZZER_LDFLAGS": "",
        "LIB_FUZZING_ENGINE": places["engine"], "LIB_FUZZING_ENGINE_DEPRECATED": places["engine"],
        "UBSAN_OPTIONS": "silence_unsigned_overflow=1",
    }
    found.update(engine_variables(engine, places))
    found.update(flags(engine, sanitizer))
    if sanitizer == "introspector":
        found.update(introspector_tools(places))
    return found


# ---- the build ----------------------------------------------------------------

def places(folder):
    """Where things are for one combination; folders are made, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    found = {name: os.path.join(folder, name) for name in ("src", "out", "work", "home")}
    for path in found.values():
        os.makedirs(path)
    found["engine"] = os.path.join(folder, "libFuzzingEngine.a")
    found["tools"] = os.path.join(folder, "tools")
    found["log"] = os.path.join(folder, "build.log")
    return found


def fill(root, sources, src):
    clone(root, os.path.join(src, "epref"))
    for name in LIBRARIES:
        os.symlink(os.path.abspath(os.path.join(sources, name)), os.path.join(src, name))
    shutil.copy2(os.path.join(root, ".clusterfuzzlite", "build.sh"), src)


def without_network():
    """The words before a command that take the network from it, where that is allowed."""
    words = ["unshare", "--net", "--map-root-user", "--"]
    done = subprocess.run(words + ["true"], check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    return words if done.returncode == 0 else []


def build(root, sources, folder, engine, sanitizer):
    """Runs build.sh; gives its environment, the places, and the seconds it took."""
    where = places(folder)
    variables = environment(engine, sanitizer, where)
    fill(root, sources, where["src"])
    command = without_network() + ["bash", "-eux", where["src"] + "/build.sh"]
    began = time.monotonic()
    with open(where["log"], "wb") as log:
        done = subprocess.run(command, cwd=os.path.join(where["src"], "epref"), env=variables,
                              stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
    if done.returncode != 0:
        raise Failed(f"build.sh ended with {done.returncode}: {where['log']}")
    return variables, where, time.monotonic() - began
