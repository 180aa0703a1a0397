"""Builds mutants: a copy of the library's sources a job, of which only what a
change reaches is compiled again, and the testee linked from that.
"""

import glob
import os
import re
import shlex
import shutil
import subprocess

COMPILE = ["-std=c11", "-O1", "-w", "-ffunction-sections", "-fdata-sections", "-fPIC",
           "-Iref/include", "-Iref/src", "-MMD"]
SECONDS = 120  # for a compiler


class Unbuilt(Exception):
    """What is there does not build as it is."""


def run(command, folder, limit=SECONDS):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, timeout=limit,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)


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


class Copy:
    """A copy of the sources, its objects, and the testee made of them."""

    def __init__(self, root, folder, build, target, compiler="gcc"):
        self.folder, self.build, self.compiler = folder, os.path.abspath(build), compiler
        self.source = os.path.join(folder, "ref", "src")
        self.testee = os.path.join(folder, "bin", os.path.basename(target))
        self.link = link_command(self.build, target)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(os.path.join(root, "ref", "src"), self.source)
        shutil.copytree(os.path.join(root, "ref", "include"),
                        os.path.join(folder, "ref", "include"))
        for name in ("obj", "bin"):
            os.makedirs(os.path.join(folder, name))
        self.names = sorted(os.path.relpath(path, self.source)
                            for path in glob.glob(os.path.join(self.source, "*", "*.c")))
        self.pristine, self.users = {}, {}

    def object(self, name):
        return os.path.join(self.folder, "obj", name[:-2].replace("/", "-") + ".o")

    def compile(self, name, *more):
        command = [self.compiler, *COMPILE, *more, "-c", "ref/src/" + name, "-o", self.object(name)]
        return run(command, self.folder)

    def link_all(self, *more):
        """The testee, with this library in place of the build folder's."""
        words, libraries = [], 0
        objects = [self.object(name) for name in self.names]
        for word in self.link:
            if re.search(r"libepref\.(a|so[.\d]*)$", word):
                words += [] if libraries else objects
                libraries += 1
            else:
                words.append(word)
        if not libraries:
            raise Unbuilt("%s: not linked with libepref" % self.link[-1])
        words[words.index("-o") + 1] = self.testee
        return run(words + list(more), self.build)

    def build_all(self):
        """The unchanged library."""
        for name in self.names:
            self.must(self.compile(name))
            with open(self.object(name), "rb") as file:
                self.pristine[name] = file.read()
            self.note_users(name)
        self.must(self.link_all())

    def not_called(self):
        """The functions that no testee calls, by file; before build_all."""
        for name in self.names:
            self.must(self.compile(name, "-fno-inline"))
        return dropped(self.must(self.link_all("-Wl,--gc-sections,--print-gc-sections")))

    @staticmethod
    def must(done):
        if done.returncode:
            raise Unbuilt(done.stdout)
        return done.stdout

    def note_users(self, name):
        with open(self.object(name)[:-2] + ".d", encoding="utf-8") as file:
            for word in file.read().replace("\\\n", " ").split()[1:]:
                self.users.setdefault(os.path.relpath(word, "ref/src"), set()).add(name)

    def write(self, name, text):
        with open(os.path.join(self.source, name), "w", encoding="utf-8") as file:
            file.write(text)

    def put(self, name, text):
        """Builds the testee with another text of a file: None, or why it is no
        mutant ("does not compile", "same code")."""
        self.write(name, text)
        same = True
        for user in sorted(self.users.get(name, ())):
            if self.compile(user).returncode:
                return "does not compile"
            with open(self.object(user), "rb") as file:
                same = same and file.read() == self.pristine[user]
        if same:
            return "same code"
        return "does not compile" if self.link_all().returncode else None

    def take_back(self, name, text):
        """The file as it was, and its objects."""
        self.write(name, text)
        for user in self.users.get(name, ()):
            with open(self.object(user), "wb") as file:
                file.write(self.pristine[user])


def dropped(text):
    """From a file's name to its functions that the linker left out."""
    found = {}
    for section, path in re.findall(r"'\.text\.([^']+)' in file '([^']+)'", text):
        name = re.sub(r"\.(isra|part|constprop|cold|lto_priv)\b.*", "", section)
        source = os.path.basename(path)[:-2].replace("-", "/", 1) + ".c"
        found.setdefault(source, set()).add(name)
    return found
