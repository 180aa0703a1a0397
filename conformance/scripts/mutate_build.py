"""Builds testees of a changed library: what a change reaches is compiled without
optimization, which is quickest, and linked with the objects of the others.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import mutate_names

# An argument of another type is no fault that anybody makes: it does not compile.
COMPILE = ["-std=c11", "-Werror=int-conversion", "-Werror=incompatible-pointer-types"]
TINY = ["-std=c11", "-Werror"]
SECONDS = 120  # for a compiler
REFUSING = """#include <epref.h>
#include <stdio.h>
#include <stdlib.h>
static size_t left, count;
static void *allocate(void *context, size_t size) {
    (void)context;
    count++;
    return left > 0 && --left == 0 ? NULL : malloc(size);
}
static void release(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}
void *__real_memory_resize(void *block, size_t size);
void *__wrap_memory_resize(void *block, size_t size);
void *__wrap_memory_resize(void *block, size_t size) {
    count++;
    return left > 0 && --left == 0 ? NULL : __real_memory_resize(block, size);
}
void __wrap_arena_open(ep_arena *arena, size_t refused);
void __wrap_arena_open(ep_arena *arena, size_t refused) {
    static const ep_allocator allocator = {allocate, release, NULL};
    left = refused;
    ep_arena_init(arena, &allocator, 0);
}
__attribute__((destructor)) static void tell(void) {
    fprintf(stderr, "%zu\\n", count);
}
"""


class Unbuilt(Exception):
    """What is there does not build as it is."""


def run(command, folder):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, timeout=SECONDS,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)


def must(done):
    if done.returncode:
        raise Unbuilt(done.stdout)
    return done.stdout


def quickest():
    """The compiler and the linker that take the least time of those that are there, and
    know every fault of types."""
    compiler = "clang" if shutil.which("clang") else "cc"
    return compiler, ["-fuse-ld=gold"] if shutil.which("ld.gold") else []


def link_command(build, target):
    """How a build folder of CMake and Ninja links a target: the last of its
    commands, and what stands before and behind `&&` in it left out."""
    done = run(["ninja", "-C", build, "-t", "commands", target], ".")
    for line in reversed(done.stdout.splitlines()):
        for part in line.split(" && "):
            words = shlex.split(part)
            if "-o" in words and words[words.index("-o") + 1].endswith(target):
                return words
    raise Unbuilt("%s: no command links %s" % (build, target))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Folder:
    """A folder with a copy of the sources, objects, and a testee."""

    def __init__(self, root, folder, build, target, fresh=True):
        self.folder, self.build = folder, os.path.abspath(build)
        self.testee = os.path.join(folder, os.path.basename(target))
        self.link = link_command(self.build, target)
        self.compiler, self.linker = quickest()
        self.tiny = shutil.which("tcc")
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
            for name in mutate_names.COPIED:
                shutil.copytree(os.path.join(root, "ref", name),
                                os.path.join(folder, "ref", name))
            os.makedirs(os.path.join(folder, "obj"))
        self.names = mutate_names.names(folder, ".c")

    def source(self, name):
        return os.path.join(self.folder, mutate_names.path_of(name))

    def object(self, name):
        return os.path.join(self.folder, "obj", name[:-2].replace("/", "-") + ".o")

    def compile(self, name, *more):
        return run([self.compiler, *COMPILE, *mutate_names.includes(name), *more, "-c",
                    mutate_names.path_of(name), "-o", self.object(name)], self.folder)

    def compile_quickly(self, name):
        """By the Tiny C Compiler where it is there: a tenth of the time. Where it refuses,
        as some initializers that are C11, the other one has the last word."""
        if self.tiny and not run([self.tiny, *TINY, *mutate_names.includes(name), "-c",
                                  mutate_names.path_of(name), "-o", self.object(name)],
                                 self.folder).returncode:
            return True
        return not self.compile(name, "-O0").returncode

    def link_objects(self, objects, *more):
        """The testee, with these objects in place of the build folder's libraries."""
        words, libraries = [], 0
        for word in self.link:
            if mutate_names.LINKED.search(word):
                words += [] if libraries else objects
                libraries += 1
            else:
                words.append(word)
        if not libraries:
            raise Unbuilt("%s: not linked with libepref" % self.link[-1])
        words[words.index("-o") + 1] = self.testee
        return run(words + list(more), self.build)

    def linked(self):
        """What is linked beside the library."""
        paths = [os.path.join(self.build, word) for word in self.link[1:]]
        return [read(path) for path in paths if os.path.isfile(path)
                and path != os.path.join(self.build, self.link[self.link.index("-o") + 1])]

    def build_all(self, jobs, *more):
        with ThreadPoolExecutor(jobs) as pool:
            for done in pool.map(lambda name: self.compile(name, *more), self.names):
                must(done)


class Unchanged(Folder):
    """The library as it is."""

    flags, more = ["-O2"], []  # of the compiler, of the linker

    def build_it(self, jobs):
        self.build_all(jobs, *self.flags, "-MMD")
        must(self.link_objects([self.object(name) for name in self.names], *self.more))

    def users(self):
        """From a file to those that are compiled again when it is changed."""
        found = {}
        for name in self.names:
            with open(self.object(name)[:-2] + ".d", encoding="utf-8") as file:
                for word in file.read().replace("\\\n", " ").split()[1:]:
                    found.setdefault(mutate_names.name_of(word), set()).add(name)
        return {name: sorted(all_of_it) for name, all_of_it in found.items()}

    def not_called(self, jobs):
        """The functions that no testee calls, by file."""
        self.build_all(jobs, "-O0", "-ffunction-sections", "-fdata-sections")
        told = must(self.link_objects([self.object(name) for name in self.names],
                                      "-Wl,--gc-sections,--print-gc-sections"))
        found, sources = {}, {self.object(name): name for name in self.names}
        for function, path in re.findall(r"'\.text\.([^']+)' in file '([^']+)'", told):
            if path in sources:
                found.setdefault(sources[path], set()).add(function)
        return {name: sorted(functions) for name, functions in found.items()}


class Refusing(Unchanged):
    """The library with an allocation for each piece, and a testee that takes the memory
    of a request for the number of the allocation that is refused, and tells in the end
    how many there were."""

    flags = ["-O1", "-DEP_TIGHT"]

    def build_it(self, jobs):
        write(os.path.join(self.folder, "refusing.c"), REFUSING)
        refusing = os.path.join(self.folder, "obj", "refusing.o")
        must(run([self.compiler, *COMPILE, "-Iref/include", "-c", "refusing.c", "-o", refusing], self.folder))
        super().build_it(jobs)

    @property
    def more(self):
        return [os.path.join(self.folder, "obj", "refusing.o"),
                "-Wl,--wrap=arena_open,--wrap=memory_resize"]


class Copy(Folder):
    """The sources of one job, with one change at a time."""

    def __init__(self, root, folder, build, target, unchanged):
        super().__init__(root, folder, build, target)
        self.unchanged, self.users, self.changed = unchanged, unchanged.users(), ()
        self.includers, self.expanded = {}, {}
        for name in mutate_names.names(folder, ".c", ".h"):
            text = read(self.source(name)).decode("utf-8")
            for found in mutate_names.tables(name, text):
                self.includers.setdefault(found, set()).add(name)
        for header in {one for names in self.includers.values() for one in names}:
            if header.endswith(".h"):
                self.expanded[header] = self.expansion(header)

    def expansion(self, header):
        return run([self.compiler, *COMPILE, *mutate_names.includes(header), "-E", "-P",
                    mutate_names.path_of(header)], self.folder).stdout

    def reached(self, name):
        """The files that are compiled again, those that a table is in first; users of
        a header that looks as before are left out."""
        if not name.endswith(".def"):
            return self.users.get(name, ())
        direct = sorted(self.includers.get(name, ()))
        found = [one for one in direct if one.endswith(".c")]
        for header in direct:
            if header.endswith(".h") and self.expansion(header) != self.expanded[header]:
                found += [one for one in self.users.get(header, ()) if one not in found]
        return found

    def put(self, name, text, typed=True):
        """Builds the testee with another text of a file; whether it compiles. The text
        that is typed has no fault of types that only some compilers find."""
        write(self.source(name), text)
        self.changed = self.reached(name)
        if typed:
            return all(self.compile_quickly(user) for user in self.changed) and \
                self.linked_beside(self.unchanged)
        return self.made(self.unchanged, ["-O0"])

    def made(self, beside, flags):
        """Compiles what was changed, and links it with the rest of another folder."""
        return not any(self.compile(user, *flags).returncode for user in self.changed) and \
            self.linked_beside(beside)

    def linked_beside(self, beside):
        """Whether what was compiled links with the rest of another folder."""
        changed = set(self.changed)
        objects = [self.object(user) if user in changed else beside.object(user)
                   for user in self.names]
        return self.link_objects(objects, *self.linker, *beside.more).returncode == 0

    def optimize(self):
        """Builds what was put as the library is built: a digest of its code, None for
        the code of the library as it is."""
        if not self.made(self.unchanged, self.unchanged.flags):
            raise Unbuilt("what compiles does not compile optimized")
        code, same = hashlib.sha256(), True
        for user in self.changed:
            made = read(self.object(user))
            same = same and made == read(self.unchanged.object(user))
            code.update(made)
        return None if same else code.digest()

    def take_back(self, name, text):
        write(self.source(name), text)


class Probed(Folder):
    """The library with probes."""

    def build_it(self, texts, header, source, jobs):
        for name, text in texts.items():
            write(self.source(name), text)
        write(os.path.join(self.folder, "probes.h"), header)
        write(os.path.join(self.folder, "probes.c"), source)
        self.build_all(jobs, "-O1", "-include", "probes.h")
        probes = os.path.join(self.folder, "obj", "probes.o")
        must(run([self.compiler, "-c", "probes.c", "-o", probes], self.folder))
        must(self.link_objects([self.object(name) for name in self.names] + [probes]))
